//! Looking ahead: expectiminimax over the chance and decision nodes that the engine offers.
//!
//! Depth is counted in turns; contests and choices within a turn come on top. Values are from -1 to 1 for
//! the side that thinks and its partners, who take the best of their decisions; all others are taken to
//! be against it, so with more than two parties the search is paranoid. Bounds of values let Star1 and
//! Star2 cut chance nodes (B. W. Ballard, "The *-minimax search procedure for trees containing chance
//! nodes", 1983). Results of turns are kept in a table, under the state before the roll. A turn of several moves
//! counts as one move: only the different states at its end are compared.

use crate::chances::{Chances, Group};
use crate::knowledge::Knowledge;
use crate::limits::{Limits, Meter};
use crate::window::Window;
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Event, Side, State, Status};
use std::collections::HashSet;
use std::sync::Arc;

/// What a result is worth a turn later: won the sooner, lost the later.
pub const DISCOUNT: f64 = 0.999;

/// Within one turn, more events are not looked at.
const INNER: u32 = 24;
/// Within one turn, more rolls are not looked at.
const ROLLS: u32 = 3;
/// The most different ends of a turn that are told apart.
const ENDS: usize = 3000;
/// The table's entries, as a power of two.
const TABLE_BITS: u32 = 17;
/// Where the rules name points, values have no bounds.
const BOUNDLESS: f64 = 1e6;

/// How far and how broadly is looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// The turns looked ahead, at least 1: the own turn.
    pub turns: u32,
    /// The most outcomes of a roll that are looked at.
    pub width: usize,
    /// The most moves looked at in later turns, the best at first sight.
    pub beam: usize,
    /// The most moves looked at in the present turn.
    pub root: usize,
}

impl Stage {
    /// Everything, so many turns ahead.
    pub fn full(turns: u32) -> Stage {
        Stage { turns, width: usize::MAX, beam: usize::MAX, root: usize::MAX }
    }

    fn key(self, turns: u32) -> u64 {
        mix(u64::from(turns) | (self.width as u64) << 8 ^ (self.beam as u64) << 32)
    }
}

/// Why a search has no result.
#[derive(Debug)]
pub enum Halt {
    /// A limit is reached.
    Spent,
    /// A rule failed.
    Rule(RuleError),
}

impl From<RuleError> for Halt {
    fn from(error: RuleError) -> Halt {
        if error.is_stop() { Halt::Spent } else { Halt::Rule(error) }
    }
}

/// What a value rests on: values of different sorts say nothing about which is the better one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// The state that the line leads to, judged where it stands.
    FirstSight,
    /// A look so far and so broad.
    Look(Stage),
    /// So many games that were played to their end.
    Games(u32),
}

/// A way to go on from the present state and what it is worth.
#[derive(Clone, Debug)]
pub struct Line {
    /// The events, all in the present turn and by the same player.
    pub events: Vec<Event>,
    /// The value, from -1 to 1 (in points, where the rules name some).
    pub value: f64,
    /// What the value rests on.
    pub basis: Basis,
    /// Whether the turn is over after it, so that no more is to be seen of this turn.
    pub ends: bool,
}

/// Where in a turn the search is.
#[derive(Clone, Copy)]
struct Point {
    turn: u32,
    /// The turns left, this one included.
    left: u32,
    inner: u32,
    rolls: u32,
}

/// A decision's successor.
struct Candidate {
    events: Vec<Event>,
    state: State,
    /// The value at first sight.
    guess: f64,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    low: f64,
    high: f64,
}

const NOTHING: Entry = Entry { key: 0, low: f64::NEG_INFINITY, high: f64::INFINITY };

/// A search for one side; what it learns about rolls and turns is kept from one decision to the next.
pub struct Search {
    known: Arc<Knowledge>,
    me: Side,
    chances: Chances,
    table: Vec<Entry>,
    meter: Meter,
    /// The work that the rules had done when it began.
    begun: u64,
    stage: Stage,
    bound: f64,
    prunes: bool,
    remembers: bool,
    confidence: f64,
}

impl Search {
    /// A search for the side `me`.
    pub fn new(known: Arc<Knowledge>, me: Side) -> Search {
        let bound = if known.lessons().points { BOUNDLESS } else { 1.0 };
        Search {
            known,
            me,
            chances: Chances::default(),
            table: Vec::new(),
            meter: Limits::default().start(),
            begun: 0,
            stage: Stage::full(1),
            bound,
            prunes: true,
            remembers: true,
            confidence: 0.0,
        }
    }

    /// How sure the side is to win what is not decided yet, from 0 (as sure as its enemies) to 1: a game
    /// that goes on is judged so much of the way nearer to a won one. Whoever is sure does not stake the
    /// game on a roll without need. Makes no difference where the rules name points.
    pub fn with_confidence(mut self, confidence: f64) -> Search {
        let points = self.known.lessons().points;
        self.confidence = if points { 0.0 } else { confidence.clamp(0.0, 1.0) };
        self
    }

    fn judge(&self, state: &State) -> f64 {
        let judged = self.known.judge(state, self.me);
        if state.over().is_some() { judged } else { judged + self.confidence * (1.0 - judged) }
    }

    /// Whether chance and decision nodes are cut, and whether turns are remembered: the values are the
    /// same, only more nodes are looked at without.
    pub fn with_shortcuts(mut self, prunes: bool, remembers: bool) -> Search {
        (self.prunes, self.remembers) = (prunes, remembers);
        self
    }

    /// The side that it thinks for.
    pub fn side(&self) -> Side {
        self.me
    }

    /// Sets the limits for the decisions from now on and begins to count.
    pub fn start(&mut self, limits: &Limits) {
        self.meter = limits.start();
        self.begun = self.known.set().rules.walker().meter().total();
    }

    /// The nodes looked at since [`Search::start`].
    pub fn nodes(&self) -> u64 {
        self.meter.count()
    }

    /// The value of a state: what `stage` sees of it.
    ///
    /// # Errors
    /// If a limit is reached or a rule fails.
    pub fn value(&mut self, state: &State, stage: Stage) -> Result<f64, Halt> {
        self.stage = stage;
        if state.over().is_some() {
            return Ok(self.judge(state));
        }
        let point = Point { turn: state.turn(), left: stage.turns, inner: 0, rolls: 0 };
        self.inside(state, point, -self.bound, self.bound)
    }

    /// The ways to go on from a decision, best first at first sight: one event, or all moves of a turn.
    /// If a limit is reached before all are found, those that have been.
    ///
    /// # Errors
    /// If a limit is reached before any is found, or a rule fails.
    pub fn lines(&mut self, state: &State) -> Result<Vec<Line>, Halt> {
        let mut found = Vec::new();
        match self.collect(state, &[], &mut HashSet::new(), &mut found) {
            // A part of the many ends of a turn will do; of single moves all are to be listed.
            Err(Halt::Spent) if !found.is_empty() && state.plan().is_some() => {}
            done => done?,
        }
        self.sort(state, &mut found);
        let ends = |next: &State| next.turn() != state.turn() || next.over().is_some();
        let line =
            |c: Candidate| Line { ends: ends(&c.state), events: c.events, value: c.guess, basis: Basis::FirstSight };
        Ok(found.into_iter().map(line).collect())
    }

    /// Looks at the lines in order and gives them values; best first. The values of the best `exact` (at least
    /// one) are those of the lines themselves, the others' may be too good. A limit ends this early: what has not
    /// been looked at then keeps its place behind, and the second result is false.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn rank(
        &mut self,
        state: &State,
        stage: Stage,
        mut lines: Vec<Line>,
        exact: usize,
    ) -> Result<(Vec<Line>, bool), RuleError> {
        self.stage = stage;
        let maximum = self.is_friend(state.chooser());
        let later = lines.split_off(lines.len().min(stage.root));
        let mut window = self.window(maximum, -self.bound, self.bound);
        let (mut ranked, mut complete): (Vec<Line>, bool) = (Vec::new(), true);
        let mut rest = Vec::new();
        for mut line in lines {
            if !complete || stage.turns == 1 && line.ends {
                // Nothing more is to be seen, or there may be no more looking.
                if stage.turns == 1 && line.ends {
                    line.basis = Basis::Look(stage);
                }
                rest.push(line);
                continue;
            }
            let next = match follow(state, &line.events) {
                Err(error) if error.is_stop() => {
                    complete = false;
                    rest.push(line);
                    continue;
                }
                next => next?,
            };
            let point = Point { turn: state.turn(), left: stage.turns, inner: line.events.len() as u32, rolls: 0 };
            match self.child(&next, point, window.low, window.high) {
                Ok(value) => {
                    (line.value, line.basis) = (value, Basis::Look(stage));
                    // Of equals the one that looked better before stays in front.
                    let better = |other: &Line| if maximum { other.value < value } else { other.value > value };
                    let place = ranked.iter().position(better).unwrap_or(ranked.len());
                    ranked.insert(place, line);
                    // What is worse than those that are to be compared does not matter.
                    if let Some(last) = ranked.get(exact.max(1) - 1) {
                        window.take(last.value);
                    }
                }
                Err(Halt::Spent) => {
                    complete = false;
                    rest.push(line);
                }
                Err(Halt::Rule(error)) => return Err(error),
            }
        }
        ranked.extend(rest);
        ranked.extend(later);
        if stage.turns == 1 {
            // All values are of one sort: of the end of this turn.
            let order = |a: &Line, b: &Line| a.value.total_cmp(&b.value);
            ranked.sort_by(|a, b| if maximum { order(b, a) } else { order(a, b) });
        }
        Ok((ranked, complete))
    }

    /// The bounds of a decision's values, before any is known.
    fn window(&self, maximum: bool, low: f64, high: f64) -> Window {
        let worst = if maximum { -self.bound } else { self.bound };
        Window { low, high, best: worst, maximum, prunes: self.prunes }
    }

    fn is_friend(&self, side: Side) -> bool {
        self.known.set().variant.allied(self.me, side)
    }

    fn tick(&mut self) -> Result<(), Halt> {
        let work = self.known.set().rules.walker().meter().total() - self.begun;
        if self.meter.note(work) | self.meter.tick() { Err(Halt::Spent) } else { Ok(()) }
    }

    /// The value of a state that an event has led to.
    fn child(&mut self, next: &State, from: Point, low: f64, high: f64) -> Result<f64, Halt> {
        if next.over().is_some() {
            return Ok(self.judge(next));
        }
        if next.turn() == from.turn {
            return self.inside(next, Point { inner: from.inner + 1, ..from }, low, high);
        }
        if from.left <= 1 {
            return Ok(DISCOUNT * self.judge(next));
        }
        let point = Point { turn: next.turn(), left: from.left - 1, inner: 0, rolls: 0 };
        let (low, high) = ((low / DISCOUNT).max(-self.bound), (high / DISCOUNT).min(self.bound));
        Ok(DISCOUNT * self.remembered(next, point, low, high)?)
    }

    /// The value of a state in which a turn begins.
    fn remembered(&mut self, state: &State, point: Point, low: f64, high: f64) -> Result<f64, Halt> {
        if !self.remembers {
            return self.inside(state, point, low, high);
        }
        if self.table.is_empty() {
            self.table = vec![NOTHING; 1 << TABLE_BITS];
        }
        let key = identity(state) ^ self.stage.key(point.left);
        let slot = (key >> (64 - TABLE_BITS)) as usize;
        let entry = self.table[slot];
        if entry.key == key {
            let (least, most) = (entry.low, entry.high);
            if least >= high || least == most {
                return Ok(least);
            }
            if most <= low {
                return Ok(most);
            }
        }
        let value = self.inside(state, point, low, high)?;
        let mut entry = if self.table[slot].key == key { self.table[slot] } else { Entry { key, ..NOTHING } };
        if value > low {
            entry.low = value;
        }
        if value < high {
            entry.high = value;
        }
        self.table[slot] = entry;
        Ok(value)
    }

    fn inside(&mut self, state: &State, point: Point, low: f64, high: f64) -> Result<f64, Halt> {
        if point.inner > INNER || point.rolls >= ROLLS && state.status() == Status::Chance {
            return Ok(self.judge(state));
        }
        match state.status() {
            Status::Over => Ok(self.judge(state)),
            Status::Chance => self.chance(state, point, low, high),
            Status::Move | Status::Choice => self.decision(state, point, low, high),
        }
    }

    /// The value of a roll: the mean of its outcomes. Star1 narrows the window for each of them by what
    /// the others can still contribute; Star2 first finds out how much that is.
    fn chance(&mut self, state: &State, point: Point, low: f64, high: f64) -> Result<f64, Halt> {
        let point = Point { rolls: point.rolls + 1, inner: point.inner + 1, ..point };
        let groups = self.groups(state, point)?;
        let mut bounds = vec![(-self.bound, self.bound); groups.len()];
        let mut ready: Vec<Option<Vec<Candidate>>> = groups.iter().map(|_| None).collect();
        let narrow = low > -self.bound || high < self.bound;
        if self.prunes && narrow && point.left > 1 {
            for (i, group) in groups.iter().enumerate() {
                ready[i] = self.probe(group, point, &mut bounds[i])?;
                let (least, most) = between(&groups, &bounds);
                if least >= high {
                    return Ok(least);
                }
                if most <= low {
                    return Ok(most);
                }
            }
        }
        let mut open = between(&groups, &bounds);
        let mut sum = 0.0;
        for (i, group) in groups.iter().enumerate() {
            let p = group.chance;
            open = (open.0 - p * bounds[i].0, open.1 - p * bounds[i].1);
            let (mut from, mut to) = (-self.bound, self.bound);
            if self.prunes {
                from = from.max((low - sum - open.1) / p);
                to = to.min((high - sum - open.0) / p);
            }
            sum += p * self.outcome(group, ready[i].take(), point, from, to)?;
            if self.prunes && sum + open.1 <= low {
                return Ok(sum + open.1);
            }
            if self.prunes && sum + open.0 >= high {
                return Ok(sum + open.0);
            }
        }
        Ok(sum)
    }

    fn groups(&mut self, state: &State, point: Point) -> Result<Vec<Group>, Halt> {
        let draw = mix(u64::from(point.left) << 8 | u64::from(point.rolls));
        let (meter, begun, rules) = (&mut self.meter, self.begun, state.walker());
        let groups = self.chances.groups(state, self.stage.width, draw, &mut || {
            meter.tick();
            // Many outcomes of much work each are not waited for.
            if meter.note(rules.meter().total() - begun) { Err(RuleError::stopped()) } else { Ok(()) }
        })?;
        if self.meter.is_spent() { Err(Halt::Spent) } else { Ok(groups) }
    }

    /// Looks at the most promising move after an outcome: that bounds its value from one side. Returns
    /// the moves found, in order.
    fn probe(&mut self, group: &Group, point: Point, bounds: &mut (f64, f64)) -> Result<Option<Vec<Candidate>>, Halt> {
        let state = &group.state;
        if state.over().is_some() || state.turn() != point.turn || state.status() == Status::Chance {
            return Ok(None);
        }
        let candidates = self.broadest(state)?;
        if let Some(first) = candidates.first() {
            let value = self.child(&first.state, point, -self.bound, self.bound)?;
            if self.is_friend(state.chooser()) {
                bounds.0 = value;
            } else {
                bounds.1 = value;
            }
        }
        Ok(Some(candidates))
    }

    fn outcome(
        &mut self,
        group: &Group,
        ready: Option<Vec<Candidate>>,
        point: Point,
        low: f64,
        high: f64,
    ) -> Result<f64, Halt> {
        match ready {
            Some(candidates) => self.best(&group.state, candidates, point, low, high),
            None => self.child(&group.state, point, low, high),
        }
    }

    /// The value of a decision.
    fn decision(&mut self, state: &State, point: Point, low: f64, high: f64) -> Result<f64, Halt> {
        if point.left <= 1 {
            return self.last(state, point, low, high, &mut HashSet::new());
        }
        let candidates = self.broadest(state)?;
        self.best(state, candidates, point, low, high)
    }

    /// The value of the best of these.
    fn best(
        &mut self,
        state: &State,
        candidates: Vec<Candidate>,
        point: Point,
        low: f64,
        high: f64,
    ) -> Result<f64, Halt> {
        let mut window = self.window(self.is_friend(state.chooser()), low, high);
        for candidate in candidates {
            let value = self.child(&candidate.state, point, window.low, window.high)?;
            if window.take(value) {
                break;
            }
        }
        Ok(window.best)
    }

    /// The value of a decision in the last turn that is looked at: nothing has to be kept.
    fn last(&mut self, state: &State, point: Point, low: f64, high: f64, seen: &mut HashSet<u64>) -> Result<f64, Halt> {
        let mut window = self.window(self.is_friend(state.chooser()), low, high);
        let several = state.plan().is_some();
        for event in sharpest_first(state) {
            let mut next = state.clone();
            apply(&mut next, &event)?;
            self.tick()?;
            let value = if several && goes_on(state, &next) {
                if seen.len() >= ENDS || !seen.insert(next.fingerprint()) {
                    continue;
                }
                self.last(&next, point, window.low, window.high, seen)?
            } else {
                self.child(&next, point, window.low, window.high)?
            };
            if window.take(value) {
                break;
            }
        }
        Ok(window.best)
    }

    /// The successors of a decision in a later turn: the best ones at first sight.
    fn broadest(&mut self, state: &State) -> Result<Vec<Candidate>, Halt> {
        let mut candidates = self.candidates(state)?;
        candidates.truncate(self.stage.beam);
        Ok(candidates)
    }

    /// The different successors of a decision, best first at first sight; for a turn of several moves,
    /// the states at its end.
    fn candidates(&mut self, state: &State) -> Result<Vec<Candidate>, Halt> {
        let mut found = Vec::new();
        self.collect(state, &[], &mut HashSet::new(), &mut found)?;
        self.sort(state, &mut found);
        Ok(found)
    }

    /// The best for the chooser first.
    fn sort(&self, state: &State, found: &mut [Candidate]) {
        let maximum = self.is_friend(state.chooser());
        let order = |a: &Candidate, b: &Candidate| a.guess.total_cmp(&b.guess);
        found.sort_by(|a, b| if maximum { order(b, a) } else { order(a, b) });
    }

    fn collect(
        &mut self,
        state: &State,
        before: &[Event],
        seen: &mut HashSet<u64>,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Halt> {
        let several = state.plan().is_some();
        for event in events(state) {
            let mut next = state.clone();
            apply(&mut next, &event)?;
            self.tick()?;
            let mut path = before.to_vec();
            path.push(event);
            if several {
                let ended = next.over().map_or(0, |over| 1 + over.winner.map_or(0, |side| 1 + u64::from(side.0)));
                if seen.len() >= ENDS || !seen.insert(next.fingerprint() ^ mix(ended ^ next.status() as u64)) {
                    continue;
                }
                if goes_on(state, &next) {
                    self.collect(&next, &path, seen, found)?;
                    continue;
                }
            }
            let guess = self.judge(&next);
            found.push(Candidate { events: path, state: next, guess });
        }
        Ok(())
    }
}

/// The least and the most that a roll can be worth.
fn between(groups: &[Group], bounds: &[(f64, f64)]) -> (f64, f64) {
    groups.iter().zip(bounds).fold((0.0, 0.0), |(least, most), (group, bound)| {
        (least + group.chance * bound.0, most + group.chance * bound.1)
    })
}

/// Whether a turn of several moves is still under way, with the same player to move.
fn goes_on(before: &State, after: &State) -> bool {
    after.over().is_none()
        && after.turn() == before.turn()
        && after.status() == Status::Move
        && after.chooser() == before.chooser()
        && after.plan().is_some()
}

/// A number for a state at the beginning of a turn that others share only if they go on alike: with the
/// same repetitions behind them and the same clock, roughly.
fn identity(state: &State) -> u64 {
    let seen = state.repetitions() as u64;
    mix(state.fingerprint() ^ seen << 56 ^ u64::from(state.position().clock() / 8) << 40)
}

/// What may be done at a decision.
pub fn events(state: &State) -> Vec<Event> {
    let mut events: Vec<Event> = state.moves().iter().map(|&paid| Event::Move(paid)).collect();
    events.extend((0..state.choices().len()).map(Event::Choice));
    if state.can_pass() {
        events.push(Event::Pass);
    }
    events
}

/// The same, with moves against royals and other men in front: they end a comparison soonest.
fn sharpest_first(state: &State) -> Vec<Event> {
    let royals = state.ruleset().variant.royals();
    let mut events = events(state);
    events.sort_by_key(|event| match event {
        Event::Move(paid) => match state.position().at(paid.mv.to) {
            piece if piece.is_none() => 2,
            piece if royals.contains(piece.kind()) => 0,
            _ => 1,
        },
        _ => 2,
    });
    events
}

/// Lets something be done that [`events`] lists.
///
/// # Errors
/// If a rule fails.
///
/// # Panics
/// If it is not permitted, or for a roll that the dice cannot show.
pub fn apply(state: &mut State, event: &Event) -> Result<(), RuleError> {
    match event {
        Event::Move(paid) => state.play(*paid),
        Event::Choice(index) => state.choose(*index),
        Event::Pass => state.pass(),
        Event::Roll(faces) => {
            let index = state.dice().and_then(|dice| dice.index_of(faces));
            state.roll(index.expect("faces that the dice can show"))
        }
    }
}

/// The state after a line.
fn follow(state: &State, events: &[Event]) -> Result<State, RuleError> {
    let mut next = state.clone();
    events.iter().try_for_each(|event| apply(&mut next, event))?;
    Ok(next)
}
