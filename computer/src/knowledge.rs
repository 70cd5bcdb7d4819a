//! What a computer knows of a variant: what its pieces are worth, how a position is judged, and whether
//! such judgements tell who wins.
//!
//! Worked out once for each loaded variant, from its declarations and from random games. Judgements are
//! from -1 (lost) to 1 (won) for one side and its partners; where there are more than two parties, all
//! others are taken as one.

use crate::mobility::{FAR, Mobility, kinds};
use crate::player::{self, PlayerError};
use crate::strikes::Strikes;
use astragal_core::rule::RuleError;
use astragal_core::{Kind, Over, Piece, Position, Ruleset, Side, State, Status, Stream, Variant, attack};
use std::sync::Arc;

/// What a game that is not over is judged at most.
pub const CEILING: f64 = 0.97;

/// How much of the surplus of the better square counts.
const PLACE: f64 = 0.3;
/// What promotion with the next move is worth, of the gain; and how that shrinks with each move before.
const PROMOTION: (f64, f64) = (0.45, 0.62);
/// What all royals of a side together are worth, of its other pieces.
const ROYALS: f64 = 0.7;
/// What a piece in hand is worth, of one on the board.
const IN_HAND: f64 = 0.85;
/// How large a lead is decisive: of the men of the array, and of those that are left.
const DECISIVE: (f64, f64) = (0.05, 0.12);
/// What it is worth to attack a royal before its owner's turn.
const ATTACK: f64 = 0.04;
/// How near the pieces of the side that leads are to enemy royals counts so much, for each.
const NEAR: f64 = 0.012;

/// Random games from which is learnt.
const GAMES: u64 = 48;
/// A game of more events tells nothing.
const LONGEST: usize = 600;
/// All random games together are not longer than this.
const EVENTS: usize = 12_000;
/// Judgements that were right so often (or more) are worth having.
const RIGHT: f64 = 0.56;
/// Fewer games that ended tell nothing.
const FEW: usize = 12;

/// What random games have shown.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lessons {
    /// Games that ended with a winner.
    pub decided: usize,
    /// Judgements half-way that were in favour of the later winner.
    pub right: usize,
    /// Judgements that were in favour of somebody else.
    pub wrong: usize,
    /// Whether a game was worth points.
    pub points: bool,
    /// Whether dice were rolled.
    pub dice: bool,
    /// What a side that had to decide could not know, if there was something.
    pub hidden: Option<&'static str>,
}

/// Knowledge of one variant. See the [module](self).
pub struct Knowledge {
    set: Arc<Ruleset>,
    /// By piece and square.
    worth: Vec<f64>,
    /// By kind.
    values: Vec<f64>,
    /// The worth of what a side has at the start, on average.
    army: f64,
    lessons: Lessons,
    /// What an attack on a royal is worth when its turn has come: see [`Strikes::danger`].
    danger: f64,
    complete: bool,
}

impl Knowledge {
    /// Learns a variant.
    ///
    /// # Errors
    /// If a rule fails in one of the random games.
    pub fn learn(set: Arc<Ruleset>, start: &Position) -> Result<Knowledge, RuleError> {
        let variant = &set.variant;
        let mobility: Vec<Mobility> =
            (0..variant.sides() as u8).map(|side| Mobility::measure(variant, Side(side))).collect();
        let values = values(variant, start, &mobility);
        let worth = worth(variant, &mobility, &values);
        let mut known = Knowledge {
            set: Arc::clone(&set),
            worth,
            values,
            army: 0.0,
            lessons: Lessons::default(),
            danger: 0.0,
            complete: false,
        };
        let all: f64 = known.sides().map(|side| known.material(start, side)).sum();
        known.army = (all / known.set.variant.sides() as f64).max(1.0);
        (known.lessons, known.danger, known.complete) = known.play_random_games(start)?;
        Ok(known)
    }

    /// Whether all random games were played: if somebody has stopped that, less is known, and not the same each time.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The variant and its rules.
    pub fn set(&self) -> &Arc<Ruleset> {
        &self.set
    }

    /// What a kind is worth, in moves; royals by what their loss would mean.
    pub fn value(&self, kind: Kind) -> f64 {
        self.values.get(kind.index()).copied().unwrap_or(0.0)
    }

    /// What random games have shown.
    pub fn lessons(&self) -> Lessons {
        self.lessons
    }

    /// What an attack on a royal is worth to whoever's turn begins, as random games have shown: a part of the
    /// way to a won game.
    pub fn danger(&self) -> f64 {
        self.danger
    }

    /// Whether a computer can play this.
    ///
    /// # Errors
    /// If it would have to look at what its side may not know.
    pub fn can_be_played(&self) -> Result<(), PlayerError> {
        self.lessons.hidden.map_or(Ok(()), |why| Err(PlayerError::Secret(why)))
    }

    /// Whether judgements tell who wins; if not, games have to be played to their end. Where royal pieces
    /// are hunted they do, though random games may end before that shows; elsewhere random games decide.
    pub fn is_telling(&self) -> bool {
        let Lessons { decided, right, wrong, .. } = self.lessons;
        let shown = decided >= FEW && right + wrong >= FEW && right as f64 >= RIGHT * (right + wrong) as f64;
        shown || self.set.variant.royals().0 != 0
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.set.variant.sides() as u8).map(Side)
    }

    /// The worth of what `side` has on the board and in hand.
    pub fn material(&self, position: &Position, side: Side) -> f64 {
        let squares = self.set.variant.board().len();
        let men = position.of(side).into_iter();
        let mut sum: f64 = men.map(|s| self.worth[position.at(s).index() * squares + s.index()]).sum();
        if self.set.variant.spec().hands {
            let held = |kind: Kind| f64::from(position.in_hand(&self.set.variant, side, kind).max(0));
            sum += kinds(&self.set.variant).map(|kind| held(kind) * IN_HAND * self.value(kind)).sum::<f64>();
        }
        sum
    }

    /// What the end of a game means for `me` and partners: 1, 0 or -1, or the difference of points where
    /// the rules say what a game is worth.
    pub fn result(&self, over: &Over, me: Side) -> f64 {
        let allied = |side: Side| self.set.variant.allied(me, side);
        if let Some(points) = over.points {
            let best = |own: bool| self.sides().filter(|s| allied(*s) == own).map(|s| points[s.index()]).max();
            return f64::from(best(true).unwrap_or(0)) - f64::from(best(false).unwrap_or(0));
        }
        match over.winner {
            None => 0.0,
            Some(side) if allied(side) => 1.0,
            Some(_) => -1.0,
        }
    }

    /// How good a state is for `me` and partners; the result, if the game is over.
    pub fn judge(&self, state: &State, me: Side) -> f64 {
        match state.over() {
            Some(over) => self.result(over, me),
            None => self.look(state.position(), state.chooser(), me),
        }
    }

    /// How good a position is for `me` and partners when `next` is to act.
    fn look(&self, position: &Position, next: Side, me: Side) -> f64 {
        let variant = &self.set.variant;
        let (mut own, mut others, mut parties) = (0.0, 0.0, 0.0);
        for side in self.sides() {
            let material = self.material(position, side);
            if variant.allied(me, side) {
                own += material;
            } else {
                others += material;
                parties += 1.0;
            }
        }
        // Where partners stand together there are as many on both sides; single players meet the average.
        if variant.spec().teams.is_none() && parties > 1.0 {
            others /= parties;
        }
        let lead = own - others;
        let scale = DECISIVE.0 * self.army + DECISIVE.1 * (own + others) / 2.0;
        let mut judged = 0.9 * (lead / scale).tanh();
        if variant.royals().0 != 0 {
            judged = (judged + self.nearness(position, lead / scale, me)).clamp(-CEILING, CEILING);
            judged = self.endangered(position, next, me, judged);
        }
        judged.clamp(-CEILING, CEILING)
    }

    /// A judgement, with royals that are attacked taken into account: the next turn may take them, or use
    /// the attack otherwise, as random games have shown.
    fn endangered(&self, position: &Position, next: Side, me: Side, judged: f64) -> f64 {
        let variant = &self.set.variant;
        let mut judged = judged;
        for side in self.sides().filter(|side| position.royal_count(*side) > 0) {
            if !attack::in_check(variant, position, side) {
                continue;
            }
            let worst = if variant.allied(me, side) { -1.0 } else { 1.0 };
            if variant.allied(next, side) {
                judged += ATTACK * worst;
                continue;
            }
            let danger = 1.0 - (1.0 - self.danger).powi(self.sorts_of_attackers(position, side));
            // One of several royals is not everything.
            let share = 1.0 / f64::from(position.royal_count(side)).powi(2);
            judged += danger * share * (worst - judged);
        }
        judged
    }

    /// How many kinds of men attack a royal of `side`: each of them is another chance.
    fn sorts_of_attackers(&self, position: &Position, side: Side) -> i32 {
        let variant = &self.set.variant;
        let mut kinds = 0u64;
        for royal in position.royals(variant, side) {
            for enemy in self.sides().filter(|enemy| !variant.allied(*enemy, side)) {
                for square in attack::attackers(variant, position, royal, enemy) {
                    kinds |= 1 << position.at(square).kind().0;
                }
            }
        }
        kinds.count_ones() as i32
    }

    /// How near the men of the party that leads stand to the royals of the others: what is to be done
    /// once there is nothing left to win.
    fn nearness(&self, position: &Position, lead: f64, me: Side) -> f64 {
        let (variant, board) = (&self.set.variant, self.set.variant.board());
        let leads = lead >= 0.0;
        let span = f64::from(board.width().max(board.height()));
        let mut sum = 0.0;
        for side in self.sides().filter(|side| variant.allied(me, *side) != leads) {
            let Some(royal) = position.sole_royal(side) else { continue };
            for hunter in self.sides().filter(|other| variant.allied(me, *other) == leads) {
                for square in position.of(hunter) {
                    let files = board.file(square).abs_diff(board.file(royal));
                    let ranks = board.rank(square).abs_diff(board.rank(royal));
                    sum += 1.0 - f64::from(files.max(ranks)) / span;
                }
            }
        }
        NEAR * sum * lead.clamp(-1.0, 1.0)
    }

    /// What random games have shown, and whether all of them could be played.
    fn play_random_games(&self, start: &Position) -> Result<(Lessons, f64, bool), RuleError> {
        let (mut lessons, mut strikes) = (Lessons::default(), Strikes::default());
        let mut events = 0;
        for game in 0..GAMES {
            match self.play_random_game(game, start, &mut lessons, &mut strikes) {
                Err(error) if error.is_stop() => return Ok((lessons, strikes.danger(), false)),
                length => events += length?,
            }
            if events > EVENTS {
                break;
            }
        }
        Ok((lessons, strikes.danger(), true))
    }

    /// Plays a game and learns from it; its length.
    fn play_random_game(
        &self,
        game: u64,
        start: &Position,
        lessons: &mut Lessons,
        strikes: &mut Strikes,
    ) -> Result<usize, RuleError> {
        let takes = self.set.variant.royals().0 != 0;
        let mut random = Stream::new(0x6c65_7373_6f6e, game);
        let mut state = State::new(Arc::clone(&self.set), start.clone())?;
        let (mut passed, mut turn) = (Vec::new(), u32::MAX);
        while state.status() != Status::Over && passed.len() < LONGEST {
            if takes && state.turn() != turn {
                turn = state.turn();
                let mover = state.mover();
                strikes.look(&state, &mut random, &|next| self.judge(next, mover))?;
            }
            lessons.dice |= state.status() == Status::Chance;
            if lessons.hidden.is_none() && matches!(state.status(), Status::Move | Status::Choice) {
                lessons.hidden = player::hidden(&state);
            }
            player::step_randomly(&mut state, &mut random)?;
            passed.push(self.look(state.position(), state.chooser(), Side::FIRST));
        }
        if let Some(over) = state.over() {
            lessons.points |= over.points.is_some();
            let result = self.result(over, Side::FIRST);
            if result != 0.0 {
                lessons.decided += 1;
                // Long before the end, and not so early that all is even.
                let half_way = passed.get(passed.len() * 2 / 3).copied().unwrap_or(0.0);
                lessons.right += usize::from(half_way * result > 0.0);
                lessons.wrong += usize::from(half_way * result < 0.0);
            }
        }
        Ok(passed.len())
    }
}

/// What each kind is worth: its mean number of moves; for royals, their part of all.
fn values(variant: &Variant, start: &Position, mobility: &[Mobility]) -> Vec<f64> {
    let mean = |kind: Kind| mobility.iter().map(|side| side.mean(kind)).sum::<f64>() / mobility.len() as f64;
    let royal = |kind: Kind| variant.royals().contains(kind);
    let mut values: Vec<f64> = kinds(variant).map(mean).collect();
    let (mut plain, mut royals) = (0.0, 0);
    for square in start.occupied() {
        let kind = start.at(square).kind();
        if royal(kind) {
            royals += 1;
        } else {
            plain += values[kind.index()];
        }
    }
    // All royals together are worth a share of all other men, whoever owns them.
    let each = (ROYALS * plain / f64::from(royals.max(1))).max(values.iter().copied().fold(1.0, f64::max));
    kinds(variant).filter(|kind| royal(*kind)).for_each(|kind| values[kind.index()] = each);
    values
}

/// What each piece is worth on each square.
fn worth(variant: &Variant, mobility: &[Mobility], values: &[f64]) -> Vec<f64> {
    let squares = variant.board().len();
    let mut worth = vec![0.0; 256 * squares];
    for (i, mobility) in mobility.iter().enumerate() {
        for kind in kinds(variant) {
            let piece = Piece::new(Side(i as u8), kind);
            let gain = gain(variant, kind, values);
            for square in variant.board().squares() {
                let place = PLACE * (mobility.local(kind, square) - mobility.mean(kind));
                let way = mobility.way(kind, square);
                let hope = if way >= FAR { 0.0 } else { PROMOTION.0 * PROMOTION.1.powi(i32::from(way) - 1) * gain };
                // A royal that is hard to hunt is no better a royal.
                let place = if variant.royals().contains(kind) { place * 0.5 } else { place };
                worth[piece.index() * squares + square.index()] = values[kind.index()] + place + hope;
            }
        }
    }
    worth
}

/// What a kind gains by promotion, at best.
fn gain(variant: &Variant, kind: Kind, values: &[f64]) -> f64 {
    let Some(promotion) = &variant.kind(kind).promotion else { return 0.0 };
    let to = kinds(variant).filter(|to| promotion.to.contains(*to) && !variant.royals().contains(*to));
    to.map(|to| values[to.index()] - values[kind.index()]).fold(0.0, f64::max)
}
