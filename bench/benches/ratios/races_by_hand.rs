//! The baselines for races: backgammon and the Royal Game of Ur written by hand, on arrays of stations.

use astragal_core::{MoveWithDice, State, Status, Stream};
use astragal_dsl::Loaded;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The move of a piece from one station to another, and the die or roll that pays for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The origin; 0 is the hand or the bar.
    pub from: u8,
    /// The target.
    pub to: u8,
    /// The die that it uses up; 0 for a whole roll.
    pub die: u8,
}

/// A race of two sides, with the operations to play it randomly and to follow the script's game.
pub trait Race: Default {
    /// The name of the script.
    const SCRIPT: &'static str;

    /// Applies a roll: the faces as the script's dice show them.
    fn throw(&mut self, faces: &[i16]);

    /// Draws a random roll.
    fn draw(&self, draw: &mut Stream) -> [i16; 4];

    /// Whether the side to move has to roll.
    fn throws(&self) -> bool;

    /// The legal steps; none before a roll.
    fn steps(&self, into: &mut Vec<Step>);

    /// Makes a legal step.
    fn make(&mut self, step: Step);

    /// Whether a side has won.
    fn is_over(&self) -> bool;
}

/// Plays random games; returns the number of steps.
pub fn play<R: Race>(seeds: Range<u64>) -> u64 {
    let mut made = 0;
    let mut steps = Vec::new();
    for seed in seeds {
        let mut draw = Stream::new(seed, 0);
        let mut race = R::default();
        while !race.is_over() {
            if race.throws() {
                let faces = race.draw(&mut draw);
                race.throw(&faces);
                continue;
            }
            steps.clear();
            race.steps(&mut steps);
            race.make(steps[draw.below(steps.len() as u64) as usize]);
            made += 1;
        }
    }
    made
}

const MEN: u8 = 15;
const OFF: usize = 25;

/// Backgammon. Both sides count their stations from the bar, 0, to the pieces borne off, 25.
pub struct Backgammon {
    men: [[u8; 26]; 2],
    mover: usize,
    /// The unused dice, largest first.
    dice: Vec<u8>,
    /// The die that the first side rolled for the first turn.
    first: Option<u8>,
    begun: bool,
    over: bool,
}

impl Default for Backgammon {
    fn default() -> Backgammon {
        let mut men = [0; 26];
        (men[1], men[12], men[17], men[19]) = (2, 5, 3, 5);
        Backgammon { men: [men; 2], mover: 0, dice: Vec::new(), first: None, begun: false, over: false }
    }
}

impl Backgammon {
    /// Visits the steps with one die until `visit` returns true.
    fn each(&self, die: u8, visit: &mut dyn FnMut(Step) -> bool) -> bool {
        let (own, other) = (&self.men[self.mover], &self.men[1 - self.mover]);
        let mut rearmost = 0;
        while own[rearmost] == 0 {
            rearmost += 1;
        }
        let last = if rearmost == 0 { 0 } else { OFF - 1 };
        for (from, _) in own.iter().enumerate().take(last + 1).skip(rearmost).filter(|(_, men)| **men > 0) {
            let to = from + usize::from(die);
            let open = match to {
                ..OFF => other[OFF - to] < 2,
                OFF => rearmost > 18,
                _ => rearmost > 18 && from == rearmost,
            };
            if open && visit(Step { from: from as u8, to: to.min(OFF) as u8, die }) {
                return true;
            }
        }
        false
    }

    /// Moves a piece; returns whether it hit an enemy.
    fn shift(&mut self, step: Step) -> bool {
        let (from, to, mover) = (usize::from(step.from), usize::from(step.to), self.mover);
        self.men[mover][from] -= 1;
        self.men[mover][to] += 1;
        let hit = to < OFF && self.men[1 - mover][OFF - to] > 0;
        if hit {
            self.men[1 - mover][OFF - to] -= 1;
            self.men[1 - mover][0] += 1;
        }
        hit
    }

    fn shift_back(&mut self, step: Step, hit: bool) {
        let (from, to, mover) = (usize::from(step.from), usize::from(step.to), self.mover);
        self.men[mover][from] += 1;
        self.men[mover][to] -= 1;
        if hit {
            self.men[1 - mover][OFF - to] += 1;
            self.men[1 - mover][0] -= 1;
        }
    }

    /// The greatest number of dice that can be used, and the best choice of that many dice, as one number.
    fn best(&mut self, dice: &[u8]) -> u32 {
        let bound = worth(dice);
        let mut best = 0;
        for (index, &die) in dice.iter().enumerate() {
            if dice[..index].contains(&die) {
                continue;
            }
            let rest = without(dice, index);
            let mut steps = [Step { from: 0, to: 0, die: 0 }; 16];
            let mut count = 0;
            self.each(die, &mut |step| {
                steps[count] = step;
                count += 1;
                rest.1 == 0
            });
            for &step in &steps[..count] {
                let hit = self.shift(step);
                best = best.max(worth(&[die]) + self.best(&rest.0[..rest.1]));
                self.shift_back(step, hit);
                if best == bound {
                    return best;
                }
            }
        }
        best
    }
}

fn worth(dice: &[u8]) -> u32 {
    dice.iter().map(|&die| 100 + u32::from(die)).sum()
}

/// The dice without one of them.
fn without(dice: &[u8], index: usize) -> ([u8; 4], usize) {
    let mut rest = [0; 4];
    let mut count = 0;
    for (_, &die) in dice.iter().enumerate().filter(|&(at, _)| at != index) {
        rest[count] = die;
        count += 1;
    }
    (rest, count)
}

impl Race for Backgammon {
    const SCRIPT: &'static str = "backgammon";

    fn throws(&self) -> bool {
        self.dice.is_empty()
    }

    fn draw(&self, draw: &mut Stream) -> [i16; 4] {
        let index = draw.below(if self.begun { 36 } else { 6 }) as i16;
        if self.begun { [index / 6 + 1, index % 6 + 1, 0, 0] } else { [index + 1, 0, 0, 0] }
    }

    fn throw(&mut self, faces: &[i16]) {
        let (one, two) = (faces[0] as u8, faces.get(1).map_or(0, |&face| face as u8));
        let (one, two) = match (self.begun, self.first) {
            (true, _) => (one, two),
            (false, None) => return self.first = Some(one),
            (false, Some(first)) if first == one => return self.first = None,
            (false, Some(first)) => {
                self.mover = usize::from(one > first);
                self.begun = true;
                (first, one)
            }
        };
        self.dice.clear();
        self.dice.extend([one.max(two), one.min(two)]);
        if one == two {
            self.dice.extend([one, one]);
        }
        self.end_if_stuck();
    }

    fn steps(&self, into: &mut Vec<Step>) {
        let mut after = Backgammon { men: self.men, dice: Vec::new(), ..*self };
        let mut best = 0;
        for (index, &die) in self.dice.iter().enumerate() {
            if self.dice[..index].contains(&die) {
                continue;
            }
            let rest = without(&self.dice, index);
            self.each(die, &mut |step| {
                let hit = after.shift(step);
                let found = worth(&[die]) + after.best(&rest.0[..rest.1]);
                after.shift_back(step, hit);
                if found > best {
                    into.clear();
                    best = found;
                }
                if found == best {
                    into.push(step);
                }
                false
            });
        }
    }

    fn make(&mut self, step: Step) {
        self.shift(step);
        let index = self.dice.iter().position(|&die| die == step.die).expect("a die that was thrown");
        self.dice.remove(index);
        self.over = self.men[self.mover][OFF] == MEN;
        self.end_if_stuck();
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl Backgammon {
    /// Ends the turn if no remaining die can be used.
    fn end_if_stuck(&mut self) {
        if self.over {
            return self.dice.clear();
        }
        if !self.dice.iter().any(|&die| self.each(die, &mut |_| true)) {
            self.dice.clear();
            self.mover = 1 - self.mover;
        }
    }
}

/// The Royal Game of Ur. Stations go from the hand, 0, to home, 15; those from 5 to 12 are shared.
pub struct Ur {
    men: [[bool; 16]; 2],
    hand: [u8; 2],
    home: [u8; 2],
    mover: usize,
    throw: u8,
}

impl Default for Ur {
    fn default() -> Ur {
        Ur { men: [[false; 16]; 2], hand: [7; 2], home: [0; 2], mover: 0, throw: 0 }
    }
}

impl Ur {
    fn open(&self, from: usize) -> Option<usize> {
        let own = &self.men[self.mover];
        let to = from + usize::from(self.throw);
        let leaves = if from == 0 { self.hand[self.mover] > 0 } else { own[from] };
        let barred = to == 8 && self.men[1 - self.mover][8];
        (leaves && to <= 15 && !own[to] && !barred).then_some(to)
    }
}

impl Race for Ur {
    const SCRIPT: &'static str = "royal-game-of-ur";

    fn throws(&self) -> bool {
        self.throw == 0
    }

    fn draw(&self, draw: &mut Stream) -> [i16; 4] {
        let index = draw.below(16) as i16;
        [index & 1, index >> 1 & 1, index >> 2 & 1, index >> 3]
    }

    fn throw(&mut self, faces: &[i16]) {
        self.throw = faces.iter().sum::<i16>() as u8;
        if self.throw == 0 || (0..15).all(|from| self.open(from).is_none()) {
            self.mover = 1 - self.mover;
            self.throw = 0;
        }
    }

    fn steps(&self, into: &mut Vec<Step>) {
        let step = |from| self.open(from).map(|to| Step { from: from as u8, to: to as u8, die: 0 });
        into.extend((0..15).filter_map(step));
    }

    fn make(&mut self, step: Step) {
        let (from, to, mover) = (usize::from(step.from), usize::from(step.to), self.mover);
        match from {
            0 => self.hand[mover] -= 1,
            _ => self.men[mover][from] = false,
        }
        match to {
            15 => self.home[mover] += 1,
            _ => self.men[mover][to] = true,
        }
        if (5..13).contains(&to) && std::mem::take(&mut self.men[1 - mover][to]) {
            self.hand[1 - mover] += 1;
        }
        self.throw = 0;
        if ![4, 8, 14].contains(&to) {
            self.mover = 1 - mover;
        }
    }

    fn is_over(&self) -> bool {
        self.home.contains(&7)
    }
}

/// Plays the script's game randomly, and the one written by hand in parallel. Returns whether both offer the same steps at
/// every decision and end together.
pub fn follows<R: Race>(game: &Loaded, seed: u64) -> bool {
    let mut draw = Stream::new(seed, 0);
    let mut race = R::default();
    let mut state = State::new(Arc::clone(&game.set), game.start.clone()).expect("the rules begin a game");
    while state.status() != Status::Over {
        if race.is_over() {
            return false;
        }
        if state.status() == Status::Chance {
            let dice = state.dice().expect("dice at a chance point");
            let index = dice.roll(&mut draw);
            if !race.throws() {
                return false;
            }
            race.throw(&dice.outcome(index));
            state.roll(index).expect("the rules go on");
            continue;
        }
        let offered: Vec<Step> = state.moves().iter().map(|&paid| step(&state, paid)).collect();
        let mut steps = Vec::new();
        race.steps(&mut steps);
        if BTreeSet::from_iter(&offered) != BTreeSet::from_iter(&steps) || offered.len() != steps.len() {
            return false;
        }
        let chosen = draw.below(offered.len() as u64) as usize;
        race.make(offered[chosen]);
        let paid = state.moves()[chosen];
        state.play(paid).expect("the rules go on");
    }
    race.is_over()
}

/// A move of a script on its only track.
fn step(state: &State, paid: MoveWithDice) -> Step {
    let path = &state.ruleset().variant.spec().tracks[0].paths[state.chooser().index()][0];
    let station = |square| path.iter().position(|station| station.contains(&square)).map_or(0, |index| index as u8 + 1);
    Step {
        from: if paid.mv.dropped().is_some() { 0 } else { station(paid.mv.from) },
        to: station(paid.mv.to),
        die: state.price(paid).first().map_or(0, |&die| die as u8),
    }
}
