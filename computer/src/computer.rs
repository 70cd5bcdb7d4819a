//! The computer player: levels of strength, iterative deepening, and the choice between a search with evaluation and Monte
//! Carlo tree search.

use crate::evaluation::Evaluation;
use crate::events::{after, hidden_from_chooser, legal_events};
use crate::exact::ranked_events;
use crate::limits::Limits;
use crate::line::{Basis, Iteration, Line, SearchResult};
use crate::mcts::Mcts;
use crate::player::{Player, PlayerError};
use crate::sampled;
use crate::search::{Search, SearchError};
use crate::worlds::Worlds;
use astragal_core::{Event, Game, GameError, Side, State, Status};
use std::sync::Arc;

/// The levels of strength.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=8;
/// The node budget of each level.
const NODES: [u64; 8] = [1_000, 2_500, 6_000, 60_000, 150_000, 400_000, 1_600_000, 6_400_000];
/// The greatest search depth of each level, in turns.
const TURNS: [u32; 8] = [1, 2, 2, 4, 4, 5, 6, 8];
/// The widths of the iterations at one depth, in order: outcomes, later events (the beam), lines at the root.
const WIDTHS: [(usize, usize, usize); 3] = [(8, 6, 16), (24, 12, 32), (64, 24, 64)];

/// The width of a search that looks a number of turns ahead: outcomes, later events, lines at the root.
const OUTCOMES_AHEAD: usize = 64;
const BEAM_AHEAD: usize = 6;
const ROOT_AHEAD: usize = 12;

/// Turns with more states are searched, not looked up.
const MOST_EXACT: usize = 100_000;

/// The optimism of a playing computer. Measured where captures are contests: against a random mover level 4 won 92 of 100
/// games without it and 96 with it, since it had staked its king too easily.
const OPTIMISM: f64 = 0.8;

/// A computer that searches as deep as its limits allow.
pub struct Computer {
    evaluation: Arc<Evaluation>,
    level: u8,
    limits: Limits,
    seed: u64,
    optimism: f64,
    search: Option<Search>,
    /// The rest of a chosen line, and the fingerprint of the state it continues from.
    planned: Option<(u64, Vec<Event>)>,
    /// The worlds that its side considers possible, in a game with hidden information.
    worlds: Option<Worlds>,
    /// Whether it reads information hidden from its side.
    knows_all: bool,
    /// The search depth in turns, instead of the level's.
    ahead: Option<u32>,
}

impl Computer {
    /// A computer of a level; values outside of [`LEVELS`] are clamped. The seed matters where games are sampled.
    pub fn new(evaluation: Arc<Evaluation>, level: u8, seed: u64) -> Computer {
        let level = level.clamp(*LEVELS.start(), *LEVELS.end());
        let limits = Limits::nodes(NODES[usize::from(level) - 1]);
        Computer {
            evaluation,
            level,
            limits,
            seed,
            optimism: 0.0,
            search: None,
            planned: None,
            worlds: None,
            knows_all: false,
            ahead: None,
        }
    }

    /// The same with optimism: it expects to win in the long run, and so avoids staking the game on a roll.
    pub fn optimistic(mut self) -> Computer {
        self.optimism = OPTIMISM;
        self
    }

    /// The same, but it looks this many turns ahead, at most 9, and no level limits the nodes. For learned evaluations, whose
    /// estimates deserve a narrow search.
    pub fn looking_ahead(mut self, turns: u32) -> Computer {
        self.ahead = Some(turns.clamp(1, 9));
        self.limits = Limits::default();
        self
    }

    /// The iterations of its search.
    fn iterations(&self) -> Vec<Iteration> {
        match self.ahead {
            None => iterations(&self.evaluation, self.level),
            Some(turns) => {
                let narrow = |turns| Iteration { turns, outcomes: OUTCOMES_AHEAD, beam: BEAM_AHEAD, root: ROOT_AHEAD };
                std::iter::once(Iteration { outcomes: 256, ..Iteration::full(1) })
                    .chain((2..=turns).map(narrow))
                    .collect()
            }
        }
    }

    /// The same, but cheating: it reads hidden information. For measuring the value of that information, not for playing.
    pub fn knowing_all(mut self) -> Computer {
        self.knows_all = true;
        self
    }

    /// Whether a decision may depend on something hidden from the side.
    fn is_unsure(&self, state: &State) -> bool {
        !self.knows_all && (hidden_from_chooser(state).is_some() || state.decides_in_secret())
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

    /// Searches a decision. The values of the best `lines` (at least one) are exact; the others are only known to be worth
    /// no more.
    ///
    /// # Errors
    /// As [`Player::decide`].
    pub fn search(&mut self, state: &State, lines: usize) -> Result<SearchResult, PlayerError> {
        let me = state.chooser();
        if !matches!(state.status(), Status::Move | Status::Choice) {
            return Err(PlayerError::Nothing);
        }
        if let Some(why) = hidden_from_chooser(state).filter(|_| !self.knows_all) {
            return Err(PlayerError::Secret(why));
        }
        // A single event may take long, too, so it can be interrupted.
        let stop = self.limits.start().stop_condition();
        let ruleset = Arc::clone(state.ruleset());
        ruleset.rules.stopping(stop, || self.search_unwatched(state, me, lines.max(1)))
    }

    /// Searches a decision of a game. If the deciding side does not know everything, the search runs in worlds that agree
    /// with that side's observations, and the value of a line is its mean over these worlds. With the same seed and a node
    /// limit, the result depends only on the side's information state.
    ///
    /// # Errors
    /// As [`Player::decide`], but for [`PlayerError::Secret`].
    pub fn search_in(&mut self, game: &Game, lines: usize) -> Result<SearchResult, PlayerError> {
        let state = game.state();
        if !self.is_unsure(state) {
            return self.search(state, lines);
        }
        if !matches!(state.status(), Status::Move | Status::Choice) {
            return Err(PlayerError::Nothing);
        }
        let stop = self.limits.start().stop_condition();
        let ruleset = Arc::clone(state.ruleset());
        ruleset.rules.stopping(stop, || self.search_worlds(game))
    }

    fn search_worlds(&mut self, game: &Game) -> Result<SearchResult, PlayerError> {
        let (state, side) = (game.state(), game.state().chooser());
        let budget = self.limits.start();
        let worlds = match Worlds::of(self.worlds.take(), (side, self.seed), game, self.evaluation.start()) {
            Err(GameError::Rule(error)) if error.is_stop() => return Ok(sampled::unsearched(state)),
            worlds => worlds?,
        };
        let drawn = worlds.draw(sampled::WORLDS);
        let limits = self.limits.less(&budget);
        let found = match self.evaluation.predicts_winners() {
            _ if drawn.is_empty() => sampled::any(state, self.seed),
            true => {
                let search = Search::new(Arc::clone(&self.evaluation), side).with_optimism(self.optimism);
                sampled::search(search, state, &drawn, &limits, &self.iterations())?
            }
            false => sampled::play_out(&self.evaluation, self.seed, state, &drawn, &limits)?,
        };
        self.worlds = Some(worlds);
        Ok(found)
    }

    /// The lines of a decision if their values are known exactly.
    fn known_lines(&self, state: &State) -> Result<Option<SearchResult>, PlayerError> {
        let Some(known) = self.evaluation.known() else { return Ok(None) };
        let Some(ranked) = ranked_events(state, known, MOST_EXACT)? else { return Ok(None) };
        // Values are in half points where the rules award points.
        let unit = if self.evaluation.training().points { 2.0 } else { 1.0 };
        let for_chooser = if state.chooser() == Side::FIRST { unit } else { -unit };
        let line = |(event, value): (Event, f64)| Line {
            events: vec![event],
            value: for_chooser * value,
            basis: Basis::Exact,
            ends_turn: false,
        };
        let lines: Vec<Line> = ranked.into_iter().map(line).collect();
        let nodes = lines.len() as u64;
        Ok(Some(SearchResult { lines, deeper: None, turns: Some(1), nodes }))
    }

    fn search_unwatched(&mut self, state: &State, me: Side, exact: usize) -> Result<SearchResult, PlayerError> {
        if let Some(found) = self.known_lines(state)? {
            return Ok(found);
        }
        if !self.evaluation.predicts_winners() {
            let mut playouts = Mcts::new(Arc::clone(&self.evaluation), self.seed);
            let lines = playouts.rank(state, &self.limits)?;
            return Ok(SearchResult { lines, deeper: None, turns: None, nodes: playouts.nodes_searched() });
        }
        if self.search.as_ref().is_none_or(|search| search.side() != me) {
            self.search = Some(Search::new(Arc::clone(&self.evaluation), me).with_optimism(self.optimism));
        }
        let iterations = self.iterations();
        let Some(search) = &mut self.search else { return Err(PlayerError::Nothing) };
        deepen(search, state, &self.limits, &iterations, exact)
    }
}

/// Iterative deepening until a limit is reached or a win is certain.
fn deepen(
    search: &mut Search,
    state: &State,
    limits: &Limits,
    iterations: &[Iteration],
    exact: usize,
) -> Result<SearchResult, PlayerError> {
    search.start(limits);
    let mut lines = match search.lines(state) {
        Ok(lines) => lines,
        Err(SearchError::Rule(error)) => return Err(error.into()),
        // There was not even enough time to list the options.
        Err(SearchError::OutOfBudget) => {
            let unseen = |event| Line { events: vec![event], value: 0.0, basis: Basis::Static, ends_turn: false };
            legal_events(state).into_iter().map(unseen).collect()
        }
    };
    let (mut turns, mut deeper) = (0, None);
    for iteration in iterations.iter().take(if lines.len() > 1 { iterations.len() } else { 0 }) {
        let (ranked, complete) = search.rank(state, *iteration, lines.clone(), exact)?;
        if !complete {
            // The best line so far is searched first, so another line in front of it is better as far as this search shows.
            let other = ranked.into_iter().next().filter(|best| best.events != lines[0].events);
            deeper = other.map(|best| (best, iteration.turns));
            break;
        }
        (lines, turns) = (ranked, iteration.turns);
        if lines.first().is_some_and(|best| best.value >= 1.0) {
            break;
        }
    }
    Ok(SearchResult { lines, deeper, turns: Some(turns), nodes: search.nodes() })
}

/// The iterations of a level, ever deeper. Where dice are rolled, width comes first.
fn iterations(evaluation: &Evaluation, level: u8) -> Vec<Iteration> {
    let most = TURNS[usize::from(level) - 1];
    let mut iterations = vec![Iteration { outcomes: 256, ..Iteration::full(1) }];
    for turns in 2..=most {
        if !evaluation.training().dice {
            iterations.push(Iteration::full(turns));
            continue;
        }
        let of_width = |&(outcomes, beam, root): &(usize, usize, usize)| Iteration { turns, outcomes, beam, root };
        iterations.extend(WIDTHS.iter().map(of_width));
    }
    iterations
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
        if let [only] = &legal_events(state)[..] {
            return Ok(only.clone());
        }
        let found = self.search(state, 1)?;
        let line = found.best().ok_or(PlayerError::Nothing)?;
        let mut events = line.events.into_iter();
        let first = events.next().ok_or(PlayerError::Nothing)?;
        self.plan(state, first, events.collect())
    }

    fn decide_in(&mut self, game: &Game) -> Result<Event, PlayerError> {
        let state = game.state();
        if !self.is_unsure(state) {
            return self.decide(state);
        }
        if let [only] = &legal_events(state)[..] {
            return Ok(only.clone());
        }
        // Later events are decided when they are due: the side may have observed more by then.
        let line = self.search_in(game, 1)?.best().ok_or(PlayerError::Nothing)?;
        line.events.into_iter().next().ok_or(PlayerError::Nothing)
    }
}

impl Computer {
    /// Keeps the rest of a line for the state after its first event.
    fn plan(&mut self, state: &State, first: Event, rest: Vec<Event>) -> Result<Event, PlayerError> {
        if !rest.is_empty() {
            let next = after(state, &first)?;
            self.planned = Some((next.fingerprint(), rest));
        }
        Ok(first)
    }
}
