//! Players: whoever decides what a side does.
//!
//! All of them see the same: a state that waits for one of their decisions. Dice are rolled by whoever
//! runs the game. With the same seed and a limit on nodes a player decides alike each time.

use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::sample::Sampling;
use crate::search::{self, Basis, Halt, Line, Search, Stage, events};
use astragal_core::rule::RuleError;
use astragal_core::{Event, Move, Piece, Position, Side, State, Status, Stream, Tag};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Why a player does not decide.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// A rule failed.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The game waits for no decision.
    #[error("there is nothing to decide")]
    Nothing,
    /// The computer would have to look at what its side may not know.
    #[error("the computer does not play where {0}: it would have to look at what it may not know")]
    Secret(&'static str),
}

/// Somebody who decides.
pub trait Player {
    /// What it is called, as `computer:4`.
    fn name(&self) -> String;

    /// What to do in `state`, which waits for a decision.
    ///
    /// # Errors
    /// If there is none to make, the player must not know what it would have to, or a rule fails.
    fn decide(&mut self, state: &State) -> Result<Event, PlayerError>;
}

/// Lets something happen by chance: a roll by its weight, decisions all alike.
///
/// # Errors
/// If a rule fails.
pub fn step_randomly(state: &mut State, random: &mut Stream) -> Result<(), RuleError> {
    match state.status() {
        Status::Over => Ok(()),
        Status::Chance => state.roll(draw(state, random)),
        Status::Move => {
            let count = state.moves().len();
            let pick = random.below((count + usize::from(state.can_pass())) as u64) as usize;
            if pick < count { state.play(state.moves()[pick]) } else { state.pass() }
        }
        Status::Choice => state.choose(random.below(state.choices().len() as u64) as usize),
    }
}

/// The number of an outcome of the dice waited for, drawn by weight.
///
/// # Panics
/// If no dice are waited for.
pub fn draw(state: &State, random: &mut Stream) -> u64 {
    state.draw(random)
}

/// Decides by chance.
pub struct Random {
    random: Stream,
}

impl Random {
    /// A player whose decisions follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random { random: Stream::new(seed, 0x7261_6e64_6f6d) }
    }

    fn pick(&mut self, mut events: Vec<Event>) -> Result<Event, PlayerError> {
        match events.len() {
            0 => Err(PlayerError::Nothing),
            n => Ok(events.swap_remove(self.random.below(n as u64) as usize)),
        }
    }
}

impl Player for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn decide(&mut self, state: &State) -> Result<Event, PlayerError> {
        self.pick(events(state))
    }
}

/// Takes the most valuable piece that it can, or tries to; else decides by chance.
pub struct Greedy {
    known: Arc<Knowledge>,
    chance: Random,
}

impl Greedy {
    /// A player who values pieces as `known` does and else decides as `seed` says.
    pub fn new(known: Arc<Knowledge>, seed: u64) -> Greedy {
        Greedy { known, chance: Random::new(seed) }
    }

    /// What an event would take: the value of an enemy's piece.
    fn prey(&self, state: &State, event: &Event) -> f64 {
        let Event::Move(paid) = event else { return 0.0 };
        let piece = victim(state.position(), paid.mv);
        let enemy = !piece.is_none() && !self.known.set().variant.allied(piece.side(), state.chooser());
        if enemy { self.known.value(piece.kind()) } else { 0.0 }
    }
}

/// What stands where a move captures; nothing if it does not.
fn victim(position: &Position, mv: Move) -> Piece {
    match mv.tag {
        Tag::Plain => position.at(mv.to),
        Tag::EnPassant => {
            let right = position.en_passant().iter().find(|right| right.target == mv.to);
            right.map_or(Piece::NONE, |right| position.at(right.victim))
        }
        _ => Piece::NONE,
    }
}

impl Player for Greedy {
    fn name(&self) -> String {
        "greedy".into()
    }

    fn decide(&mut self, state: &State) -> Result<Event, PlayerError> {
        let all = events(state);
        let best = all.iter().map(|event| self.prey(state, event)).fold(0.0, f64::max);
        let keep = |event: &Event| best <= 0.0 || self.prey(state, event) >= best;
        let kept = all.into_iter().filter(keep).collect();
        self.chance.pick(kept)
    }
}

/// What a computer has found out.
#[derive(Clone, Debug)]
pub struct Thought {
    /// All lines, best first as the last look that was finished has shown; where games were played to their end,
    /// the most tried first. Behind those that were compared come those that look worse at an earlier look.
    pub lines: Vec<Line>,
    /// The line that a further look, ended by the limits, found better than the first, and how far that went.
    pub deeper: Option<(Line, u32)>,
    /// The turns looked ahead; none if games were played to their end instead.
    pub turns: Option<u32>,
    /// The nodes looked at.
    pub nodes: u64,
}

impl Thought {
    /// The lines whose values can be compared with that of the first: they rest on the same.
    pub fn compared(&self) -> impl Iterator<Item = &Line> {
        let first = self.lines.first().map(|line| line.basis);
        let same = move |line: &&Line| match (first, line.basis) {
            (Some(Basis::Games(_)), Basis::Games(_)) => true,
            (first, basis) => first == Some(basis),
        };
        self.lines.iter().filter(same)
    }

    /// What the computer would do.
    pub fn choice(self) -> Option<Line> {
        let deeper = self.deeper.map(|(line, _)| line);
        deeper.or_else(|| self.lines.into_iter().next())
    }
}

/// The levels of strength.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=8;
/// The nodes of each level.
const NODES: [u64; 8] = [1_000, 2_500, 6_000, 24_000, 100_000, 400_000, 1_600_000, 6_400_000];
/// The turns that each level looks ahead at most.
const TURNS: [u32; 8] = [1, 2, 2, 3, 4, 5, 6, 8];
/// Different ends of a turn are looked at so broadly, step by step: outcomes, later moves, own moves.
const BREADTHS: [(usize, usize, usize); 3] = [(8, 6, 16), (24, 12, 32), (64, 24, 64)];

/// How sure of itself a computer is that plays. Measured where captures are contests: against a random mover
/// level 4 won 92 games of a hundred without, and 96 with it, since it had staked its king too easily.
const CONFIDENCE: f64 = 0.8;

/// Looks ahead as far as its limits let it.
pub struct Computer {
    known: Arc<Knowledge>,
    level: u8,
    limits: Limits,
    seed: u64,
    confidence: f64,
    /// So many lines are compared with each other: see [`Search::rank`].
    exact: usize,
    search: Option<Search>,
    /// The rest of a turn that has been thought through, and the state for which it was.
    planned: Option<(u64, Vec<Event>)>,
}

impl Computer {
    /// A computer of a level; one outside of [`LEVELS`] counts as the nearest inside. The seed matters
    /// where games are sampled.
    pub fn new(known: Arc<Knowledge>, level: u8, seed: u64) -> Computer {
        let level = level.clamp(*LEVELS.start(), *LEVELS.end());
        let limits = Limits::nodes(NODES[usize::from(level) - 1]);
        Computer { known, level, limits, seed, confidence: 0.0, exact: 1, search: None, planned: None }
    }

    /// The same, who plays to win and trusts to do so in the long run: see [`Search::with_confidence`].
    pub fn confident(mut self) -> Computer {
        self.confidence = CONFIDENCE;
        self
    }

    /// The same, who finds out what the best few lines are worth, not only that they are worse than the best.
    pub fn comparing(mut self, lines: usize) -> Computer {
        self.exact = lines.max(1);
        self
    }

    /// The same with a limit on the time for a decision instead of its nodes.
    pub fn with_time(mut self, time: Duration) -> Computer {
        (self.limits.nodes, self.limits.time) = (None, Some(time));
        self
    }

    /// The same with other limits.
    pub fn with_limits(mut self, limits: Limits) -> Computer {
        self.limits = limits;
        self
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Thinks about a decision.
    ///
    /// # Errors
    /// As [`Player::decide`].
    pub fn think(&mut self, state: &State) -> Result<Thought, PlayerError> {
        let me = state.chooser();
        if !matches!(state.status(), Status::Move | Status::Choice) {
            return Err(PlayerError::Nothing);
        }
        if let Some(why) = hidden(state) {
            return Err(PlayerError::Secret(why));
        }
        // A single event may take long, too: then it is stopped in the middle.
        let watch = self.limits.start().watch();
        let set = Arc::clone(state.ruleset());
        set.rules.stopping(watch, || self.think_unwatched(state, me))
    }

    fn think_unwatched(&mut self, state: &State, me: Side) -> Result<Thought, PlayerError> {
        if !self.known.is_telling() {
            let mut sampling = Sampling::new(Arc::clone(&self.known), self.seed);
            let lines = sampling.rank(state, &self.limits)?;
            return Ok(Thought { lines, deeper: None, turns: None, nodes: sampling.count() });
        }
        if self.search.as_ref().is_none_or(|search| search.side() != me) {
            self.search = Some(Search::new(Arc::clone(&self.known), me).with_confidence(self.confidence));
        }
        let Some(search) = &mut self.search else { return Err(PlayerError::Nothing) };
        look_ahead(search, state, &self.limits, &stages(&self.known, self.level), self.exact)
    }
}

/// Deepens until a limit is reached or all is clear.
fn look_ahead(
    search: &mut Search,
    state: &State,
    limits: &Limits,
    stages: &[Stage],
    exact: usize,
) -> Result<Thought, PlayerError> {
    search.start(limits);
    let mut lines = match search.lines(state) {
        Ok(lines) => lines,
        Err(Halt::Rule(error)) => return Err(error.into()),
        // Not even the options could be listed in time.
        Err(Halt::Spent) => {
            let unseen = |event| Line { events: vec![event], value: 0.0, basis: Basis::FirstSight, ends: false };
            events(state).into_iter().map(unseen).collect()
        }
    };
    let (mut turns, mut deeper) = (0, None);
    for stage in stages.iter().take(if lines.len() > 1 { stages.len() } else { 0 }) {
        let (ranked, complete) = search.rank(state, *stage, lines.clone(), exact)?;
        if !complete {
            // The best so far is looked at first: another one in front of it is better, as far as can be seen.
            let other = ranked.into_iter().next().filter(|best| best.events != lines[0].events);
            deeper = other.map(|best| (best, stage.turns));
            break;
        }
        (lines, turns) = (ranked, stage.turns);
        if lines.first().is_some_and(|best| best.value >= 1.0) {
            break;
        }
    }
    Ok(Thought { lines, deeper, turns: Some(turns), nodes: search.nodes() })
}

/// What is looked at, ever deeper. Where dice are rolled, breadth comes first.
fn stages(known: &Knowledge, level: u8) -> Vec<Stage> {
    let most = TURNS[usize::from(level) - 1];
    let mut stages = vec![Stage { width: 256, ..Stage::full(1) }];
    for turns in 2..=most {
        if !known.lessons().dice {
            stages.push(Stage::full(turns));
            continue;
        }
        let one = |&(width, beam, root): &(usize, usize, usize)| Stage { turns, width, beam, root };
        stages.extend(BREADTHS.iter().map(one));
    }
    stages
}

/// Why the chooser may not see all that the state tells, if so.
pub(crate) fn hidden(state: &State) -> Option<&'static str> {
    if state.ruleset().variant.has_secrets() {
        return Some("counters or traits are secret");
    }
    // What was rolled or chosen in secret in this turn the mover knows, and nobody else.
    (state.rolled_in_secret() && state.mover() != state.chooser()).then_some("dice were rolled in secret")
}

impl Player for Computer {
    fn name(&self) -> String {
        format!("computer:{}", self.level)
    }

    fn decide(&mut self, state: &State) -> Result<Event, PlayerError> {
        if let Some((key, rest)) = self.planned.take()
            && key == state.fingerprint()
            && let Some((first, rest)) = rest.split_first()
        {
            return self.plan(state, first.clone(), rest.to_vec());
        }
        if let [only] = &events(state)[..] {
            return Ok(only.clone());
        }
        let thought = self.think(state)?;
        let line = thought.choice().ok_or(PlayerError::Nothing)?;
        let mut events = line.events.into_iter();
        let first = events.next().ok_or(PlayerError::Nothing)?;
        self.plan(state, first, events.collect())
    }
}

impl Computer {
    /// Keeps the rest of a turn in mind for the state after its first event.
    fn plan(&mut self, state: &State, first: Event, rest: Vec<Event>) -> Result<Event, PlayerError> {
        if !rest.is_empty() {
            let mut next = state.clone();
            search::apply(&mut next, &first)?;
            self.planned = Some((next.fingerprint(), rest));
        }
        Ok(first)
    }
}
