//! A state of a game, with the names of OpenSpiel.

use crate::outcomes::{Outcome, Turn};
use crate::shared::Shared;
use crate::{convert, errors};
use astragal_computer::PlayerError;
use astragal_core::dice::mix;
use astragal_core::odds::Certainty;
use astragal_core::{Event, Game as Played, HistoryEntry, Ratio, Side, Status};
use astragal_dsl::{explain, game_text, record, view};
use astragal_lab::opponent::Opponent;
use astragal_service::analysis::{self, known, sequence, turns};
use astragal_service::drawing::board::{BoardDrawing, Pieces, Theme};
use astragal_service::drawing::{self, sidebar, svg};
use astragal_service::encoding::Step;
use astragal_service::report;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The suffix for the text of an action that several events share.
const SHARED: &str = " ..";

/// The maximum number of outcomes that are listed.
const MOST_OUTCOMES: u64 = 1_000_000;

/// A state of a game, with its history.
#[pyclass(module = "astragal", frozen)]
pub(crate) struct State {
    shared: Arc<Shared>,
    inside: Mutex<Inside>,
}

/// The part of a state that changes.
#[derive(Clone)]
pub(crate) struct Inside {
    played: Played,
    /// An action that stands for several alike; one of them is still to be selected.
    pending: Option<u32>,
    /// All actions, including those of chance.
    history: Vec<u64>,
    /// The position that the game started from, unless it is the starting position.
    start: Option<String>,
}

/// The serialized form of a state.
#[derive(Serialize, Deserialize)]
struct Written {
    seed: u64,
    start: Option<String>,
    actions: Vec<u64>,
}

impl Inside {
    pub(crate) fn new(played: Played, start: Option<String>) -> Inside {
        Inside { played, pending: None, history: Vec::new(), start }
    }

    /// Applies one action.
    fn apply(&mut self, py: Python<'_>, shared: &Shared, action: u64) -> PyResult<()> {
        let state = self.played.state();
        match state.status() {
            Status::Over => return Err(errors::IllegalAction::new_err("the game is over")),
            Status::Chance => {
                let known = state.dice().filter(|dice| action < dice.outcomes() && state.can_roll(action));
                let Some(dice) = known else {
                    return Err(errors::IllegalAction::new_err(format!("the dice have no outcome {action} here")));
                };
                let faces = dice.outcome(action);
                self.played.set_roll(&faces).map_err(|error| errors::of_game(py, &error))?;
            }
            Status::Move | Status::Choice => {
                match shared.actions.step(state, self.pending, action).map_err(errors::of_action)? {
                    Step::Pending(number) => self.pending = Some(number),
                    Step::Event(event) => {
                        self.played.apply(&event).map_err(|error| errors::of_game(py, &error))?;
                        self.pending = None;
                    }
                }
            }
        }
        self.history.push(action);
        Ok(())
    }

    /// The actions of a possible event.
    fn actions_of(&self, shared: &Shared, event: &Event) -> PyResult<Vec<u64>> {
        let state = self.played.state();
        if let Event::Roll(faces) = event {
            let index = state.dice().and_then(|dice| dice.index_of(faces));
            return Ok(index.into_iter().collect());
        }
        let numbers = shared.actions.of_event(state, event).map_err(errors::of_action)?;
        Ok(numbers.into_iter().map(u64::from).collect())
    }

    /// Applies typed events to a copy, and returns them.
    fn read(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Event>> {
        let mut tried = self.played.clone();
        let before = tried.entries().len();
        sequence::follow(&mut tried, text, None).map_err(|error| errors::of_analysis(py, &error))?;
        Ok(tried.entries()[before..].iter().map(|entry: &HistoryEntry| entry.event.clone()).collect())
    }

    /// The dice rolled in this turn, without draws of squares.
    fn dice(&self) -> Vec<i16> {
        let (_, dice, entries) = self.played.turn_so_far();
        let rolled = entries.iter().filter_map(|entry| match &entry.event {
            Event::Roll(faces) => Some(faces.as_slice()),
            Event::Move(_) | Event::Pass | Event::Choice(_) => None,
        });
        std::iter::once(dice).chain(rolled).flatten().copied().collect()
    }

    /// The legal action of this text among those with a shared text.
    fn called(&self, shared: &Shared, text: &str) -> PyResult<Option<u64>> {
        let mut legal = Vec::new();
        if self.pending.is_none() && text.trim().ends_with(SHARED) {
            shared.actions.legal(self.played.state(), None, &mut legal).map_err(errors::of_action)?;
        }
        for action in legal.into_iter().map(u64::from) {
            if self.text_of(shared, action)? == text.trim() {
                return Ok(Some(action));
            }
        }
        Ok(None)
    }

    fn text_of(&self, shared: &Shared, action: u64) -> PyResult<String> {
        let state = self.played.state();
        let variant = &shared.loaded.set.variant;
        if state.status() == Status::Chance {
            let dice = state.dice().filter(|dice| action < dice.outcomes());
            let faces = dice
                .map(|dice| dice.outcome(action))
                .ok_or_else(|| errors::IllegalAction::new_err(format!("the dice have no outcome {action} here")))?;
            return Ok(format!("roll {}", game_text::rolled(state, &faces)));
        }
        Ok(match shared.actions.step(state, self.pending, action).map_err(errors::of_action)? {
            // The first action is the shared one; the next one selects among them.
            Step::Pending(number) => {
                let mut alike = Vec::new();
                shared.actions.legal(state, Some(number), &mut alike).map_err(errors::of_action)?;
                let first = alike.first().copied().unwrap_or_default();
                match shared.actions.step(state, Some(number), first.into()).map_err(errors::of_action)? {
                    Step::Event(event) => format!("{}{SHARED}", in_words(self, variant, &event, false)),
                    Step::Pending(number) => number.to_string(),
                }
            }
            Step::Event(event) => in_words(self, variant, &event, self.pending.is_some()),
        })
    }
}

/// The text of a decision; decisions with the same number have the die as a prefix, if nothing else distinguishes them.
fn in_words(inside: &Inside, variant: &astragal_core::Variant, event: &Event, is_shared: bool) -> String {
    let state = inside.played.state();
    match event {
        Event::Move(paid) => {
            let text = game_text::move_text(state, *paid);
            let ways = state.moves().iter().filter(|other| other.mv == paid.mv).count();
            match is_shared && ways > 1 {
                true => game_text::paid_by(&state.price(*paid), &text),
                false => text,
            }
        }
        Event::Choice(index) => {
            let choice = state.choices().get(*index);
            choice.map_or_else(String::new, |choice| game_text::choice_text(variant, choice))
        }
        Event::Pass | Event::Roll(_) => "pass".into(),
    }
}

impl State {
    pub(crate) fn new(shared: Arc<Shared>, inside: Inside) -> State {
        State { shared, inside: Mutex::new(inside) }
    }

    /// A failing rule leaves the state unchanged, so a poisoned lock is safe to use.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Inside> {
        self.inside.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn deserialize(py: Python<'_>, shared: Arc<Shared>, text: &str) -> PyResult<State> {
        let written: Written =
            serde_json::from_str(text).map_err(|error| errors::value(format!("not a state: {error}")))?;
        let mut inside = Inside::new(shared.begin(py, written.start.as_deref(), written.seed)?, written.start);
        for action in written.actions {
            inside.apply(py, &shared, action)?;
        }
        Ok(State::new(shared, inside))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// A copy of the engine's state.
    pub(crate) fn present(&self, py: Python<'_>) -> astragal_core::State {
        self.lock(py).played.state().clone()
    }

    /// A side by its number.
    pub(crate) fn side(&self, player: usize) -> PyResult<Side> {
        match player < self.shared.sides() {
            true => Ok(Side(player as u8)),
            false => {
                let last = self.shared.sides() - 1;
                Err(errors::value(format!("there is no player {player}: the players are 0 to {last}")))
            }
        }
    }

    /// The viewer: the requested side, or the side to act.
    fn viewer(&self, inside: &Inside, player: Option<usize>) -> PyResult<Side> {
        player.map_or_else(|| Ok(inside.played.state().chooser()), |player| self.side(player))
    }
}

#[pymethods]
impl State {
    fn get_game(&self) -> crate::game::Game {
        crate::game::Game { shared: Arc::clone(&self.shared) }
    }

    fn current_player(&self, py: Python<'_>) -> i32 {
        convert::player(self.lock(py).played.state())
    }

    fn is_terminal(&self, py: Python<'_>) -> bool {
        self.lock(py).played.status() == Status::Over
    }

    fn is_chance_node(&self, py: Python<'_>) -> bool {
        self.lock(py).played.status() == Status::Chance
    }

    #[pyo3(signature = (player=None))]
    fn legal_actions(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::optional)] player: Option<i32>,
    ) -> PyResult<Vec<u64>> {
        let inside = self.lock(py);
        let state = inside.played.state();
        if player.is_some_and(|player| player != convert::player(state)) {
            return Ok(Vec::new());
        }
        if state.status() == Status::Chance {
            return outcomes(state);
        }
        let mut legal = Vec::new();
        self.shared.actions.legal(state, inside.pending, &mut legal).map_err(errors::of_action)?;
        Ok(legal.into_iter().map(u64::from).collect())
    }

    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inside = self.lock(py);
        let mask = PyArray1::zeros(py, self.shared.actions.count(), false);
        let mut legal = Vec::new();
        self.shared.actions.legal(inside.played.state(), inside.pending, &mut legal).map_err(errors::of_action)?;
        let mut writable = mask.readwrite();
        let cells = writable.as_slice_mut().map_err(errors::value)?;
        legal.into_iter().for_each(|action| cells[action as usize] = true);
        Ok(mask.clone())
    }

    #[pyo3(signature = (*, fractions=false))]
    fn chance_outcomes<'py>(&self, py: Python<'py>, fractions: bool) -> PyResult<Vec<(u64, Bound<'py, PyAny>)>> {
        let inside = self.lock(py);
        let state = inside.played.state();
        let Some(dice) = state.dice().filter(|_| state.status() == Status::Chance) else {
            return Err(errors::IllegalAction::new_err("this is not a chance node"));
        };
        let possible = outcomes(state)?;
        let total: u128 = possible.iter().map(|&index| u128::from(dice.weight(index))).sum();
        let chance = |index: u64| match fractions {
            true => convert::fraction(py, Ratio::new(dice.weight(index).into(), total)),
            false => Ok((dice.weight(index) as f64 / total as f64).into_pyobject(py)?.into_any()),
        };
        possible.into_iter().map(|index| Ok((index, chance(index)?))).collect()
    }

    fn sample_chance(&self, py: Python<'_>) -> PyResult<u64> {
        let inside = self.lock(py);
        let state = inside.played.state();
        match state.status() {
            Status::Chance => Ok(convert::drawn(state, inside.played.seed(), inside.played.entries().len() as u64)),
            _ => Err(errors::IllegalAction::new_err("this is not a chance node")),
        }
    }

    fn apply_action(&self, py: Python<'_>, #[pyo3(from_py_with = convert::whole)] action: u64) -> PyResult<()> {
        self.lock(py).apply(py, &self.shared, action)
    }

    /// Applies one or more typed events, as at the prompt.
    fn say(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        let mut inside = self.lock(py);
        let mut tried = inside.clone();
        tried.pending = None;
        for event in inside.read(py, text)? {
            for action in tried.actions_of(&self.shared, &event)? {
                tried.apply(py, &self.shared, action)?;
            }
        }
        *inside = tried;
        Ok(())
    }

    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::whole)] player_or_action: i64,
        #[pyo3(from_py_with = convert::optional)] action: Option<u64>,
    ) -> PyResult<String> {
        let action = match action {
            Some(action) => action,
            None => u64::try_from(player_or_action).map_err(|_| {
                errors::value(format!("there is no action {player_or_action}: actions are numbered from 0"))
            })?,
        };
        self.lock(py).text_of(&self.shared, action)
    }

    fn string_to_action(&self, py: Python<'_>, text: &str) -> PyResult<u64> {
        let inside = self.lock(py);
        let events = match inside.read(py, text) {
            Ok(events) => events,
            // A shared action has no event of its own.
            Err(error) => return inside.called(&self.shared, text)?.ok_or(error),
        };
        let [event] = events.as_slice() else {
            return Err(errors::value(format!("expected one action, found {}", events.len())));
        };
        let actions = inside.actions_of(&self.shared, event)?;
        let action = match (inside.pending, actions.as_slice()) {
            // The shared action has already been applied.
            (Some(pending), [first, which]) if u64::from(pending) == *first => Some(which),
            (_, actions) => actions.first(),
        };
        action.copied().ok_or_else(|| errors::IllegalAction::new_err("this is not possible now"))
    }

    /// The action of a built-in player, or of one that `train` has written: `learned:FILE`.
    #[pyo3(signature = (player="greedy", *, seed=1))]
    fn choose(&self, py: Python<'_>, player: &str, #[pyo3(from_py_with = convert::whole)] seed: u64) -> PyResult<u64> {
        let named = Opponent::parse_with(player, &|file| self.shared.learned(file)).map_err(errors::value)?;
        let inside = self.lock(py).clone();
        let pending = inside.pending;
        let actions = py.detach(|| {
            // A random player decides differently each time.
            let seed = mix(seed ^ inside.played.entries().len() as u64);
            let mut player = named.sit_down(|| self.shared.evaluation(), seed, None).map_err(PlayerError::Rule)?;
            player.decide_in(&inside.played).map(|event| (inside, event))
        });
        let (inside, event) = actions.map_err(|error| match &error {
            PlayerError::Rule(error) => errors::of_rule(py, error),
            other => errors::IllegalAction::new_err(other.to_string()),
        })?;
        let actions = inside.actions_of(&self.shared, &event)?;
        match (pending, actions.as_slice()) {
            (None, [first, ..]) => Ok(*first),
            (Some(pending), [first, which]) if u64::from(pending) == *first => Ok(*which),
            // Another player has begun an action that this player would not choose.
            _ => self
                .legal_actions(py, None)?
                .first()
                .copied()
                .ok_or_else(|| errors::IllegalAction::new_err("no choice")),
        }
    }

    fn value(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        let state = self.lock(py).played.state().clone();
        let shared = Arc::clone(&self.shared);
        let found = py.detach(move || known::value(&state, &shared.tables));
        let found = found.map_err(|error| errors::of_rule(py, &error))?;
        Ok(found.map(|value| (value.low, value.high)))
    }

    fn undo(&self, py: Python<'_>) -> PyResult<bool> {
        let mut inside = self.lock(py);
        if inside.history.pop().is_none() {
            return Ok(false);
        }
        if inside.pending.take().is_some() {
            return Ok(true);
        }
        let (start, actions) = (inside.start.clone(), inside.history.clone());
        let mut before = Inside::new(self.shared.begin(py, start.as_deref(), inside.played.seed())?, start);
        for action in actions {
            before.apply(py, &self.shared, action)?;
        }
        *inside = before;
        Ok(true)
    }

    fn returns(&self, py: Python<'_>) -> Vec<f32> {
        let mut values = vec![0.0; self.shared.sides()];
        convert::returns(self.lock(py).played.state(), &mut values);
        values
    }

    fn rewards(&self, py: Python<'_>) -> Vec<f32> {
        self.returns(py)
    }

    fn player_return(&self, py: Python<'_>, #[pyo3(from_py_with = convert::whole)] player: usize) -> PyResult<f32> {
        let side = self.side(player)?;
        Ok(self.returns(py)[side.index()])
    }

    fn history(&self, py: Python<'_>) -> Vec<u64> {
        self.lock(py).history.clone()
    }

    fn move_number(&self, py: Python<'_>) -> usize {
        self.lock(py).history.len()
    }

    fn turn_number(&self, py: Python<'_>) -> u32 {
        self.lock(py).played.state().turn()
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> u64 {
        self.lock(py).played.seed()
    }

    #[getter]
    fn position(&self, py: Python<'_>) -> String {
        view::position(&self.shared.loaded, &self.lock(py).played, None)
    }

    #[getter]
    fn result(&self, py: Python<'_>) -> Option<String> {
        game_text::result(self.lock(py).played.state())
    }

    #[getter]
    fn question(&self, py: Python<'_>) -> Option<String> {
        game_text::question(self.lock(py).played.state())
    }

    fn to_pgn(&self, py: Python<'_>) -> String {
        record::write(&self.shared.loaded, &self.lock(py).played, &[])
    }

    fn why(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        let inside = self.lock(py);
        let found = explain::why(&self.shared.loaded, &inside.played, text);
        found.map(|explanation| explanation.text()).map_err(errors::value)
    }

    fn odds(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Outcome>> {
        let mut played = self.lock(py).played.clone();
        let found = py.detach(|| {
            let turn = sequence::follow(&mut played, text, None)?;
            analysis::outcomes(&self.shared.loaded, played.state(), turn)
        });
        let found = found.map_err(|error| errors::of_analysis(py, &error))?;
        let outcome = |one: analysis::Outcome| {
            Ok(Outcome {
                probability: convert::fraction(py, one.probability)?.unbind(),
                exact: matches!(one.certainty, Certainty::Exact),
                effect: one.effect,
                position: one.position,
            })
        };
        found.into_iter().map(outcome).collect()
    }

    #[pyo3(signature = (limit=1000, distinct=false))]
    fn turns(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::whole)] limit: usize,
        distinct: bool,
    ) -> PyResult<Vec<Turn>> {
        let played = self.lock(py).played.clone();
        let listed = py.detach(move || turns::list(played.state(), turns::Listing { limit, distinct }));
        let listed = listed.map_err(|error| errors::of_analysis(py, &error))?;
        let turn = |one: turns::CompleteTurn| {
            Ok(Turn {
                probability: convert::fraction(py, one.chance)?.unbind(),
                position: game_text::position(&self.shared.loaded, &one.state),
                ends_game: one.state.over().is_some(),
                moves: one.texts,
            })
        };
        listed.turns.into_iter().map(turn).collect()
    }

    #[pyo3(signature = (player=None))]
    fn information_state_string(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::optional)] player: Option<usize>,
    ) -> PyResult<String> {
        let inside = self.lock(py);
        let viewer = Some(self.viewer(&inside, player)?);
        let (played, loaded) = (&inside.played, &self.shared.loaded);
        let chosen = inside.pending.filter(|_| view::knows_options(played.state(), viewer));
        let chosen = chosen.map_or_else(String::new, |number| format!("chosen: {number}\n"));
        let start = inside.start.as_ref().map_or_else(String::new, |_| "from its own position\n".into());
        Ok(format!("{start}{}{}\n{chosen}", report::events(played, 0, viewer), view::position(loaded, played, viewer)))
    }

    #[pyo3(signature = (player=None))]
    fn observation_string(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::optional)] player: Option<usize>,
    ) -> PyResult<String> {
        let inside = self.lock(py);
        let viewer = Some(self.viewer(&inside, player)?);
        let position = view::position(&self.shared.loaded, &inside.played, viewer);
        Ok(format!("{position}\n{}", report::status(&inside.played, viewer)))
    }

    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::optional)] player: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let inside = self.lock(py);
        let viewer = Some(self.viewer(&inside, player)?);
        let Shared { actions, observation, .. } = &*self.shared;
        let planes = PyArray3::zeros(py, observation.shape(), false);
        let mut writable = planes.readwrite();
        let out = writable.as_slice_mut().map_err(errors::value)?;
        observation.write(actions, inside.played.state(), &inside.dice(), inside.pending, viewer, out);
        Ok(planes.clone())
    }

    #[pyo3(signature = (player=None))]
    fn svg(&self, py: Python<'_>, #[pyo3(from_py_with = convert::optional)] player: Option<usize>) -> PyResult<String> {
        let inside = self.lock(py);
        let viewer = player.map(|player| self.side(player)).transpose()?;
        let (played, open) = (&inside.played, view::knows_options(inside.played.state(), viewer));
        let theme = Theme { pieces: Pieces::Unicode, ..Theme::default() };
        Ok(svg::draw(&BoardDrawing::of(played, open), theme, &sidebar::dice_left(played.state(), open)))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn clone(&self, py: Python<'_>) -> State {
        State::new(Arc::clone(&self.shared), self.lock(py).clone())
    }

    fn __copy__(&self, py: Python<'_>) -> State {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> State {
        self.clone(py)
    }

    fn serialize(&self, py: Python<'_>) -> PyResult<String> {
        let inside = self.lock(py);
        let (seed, start, actions) = (inside.played.seed(), inside.start.clone(), inside.history.clone());
        serde_json::to_string(&Written { seed, start, actions }).map_err(errors::value)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (crate::game::Game, String))> {
        let restore = py.import("astragal")?.getattr("_restore_state")?;
        Ok((restore, (self.get_game(), self.serialize(py)?)))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        let inside = self.lock(py);
        sidebar_drawing(&self.shared, &inside.played)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<State of {} at {:?}>", self.shared.loaded.name, self.position(py))
    }
}

fn sidebar_drawing(shared: &Shared, played: &Played) -> String {
    drawing::with_sidebar(&shared.loaded, played, Theme::default(), drawing::Extent::Options)
}

/// The possible outcomes of the dice.
fn outcomes(state: &astragal_core::State) -> PyResult<Vec<u64>> {
    let count = state.dice().map_or(0, |dice| dice.outcomes());
    if count > MOST_OUTCOMES {
        return Err(errors::value(format!("the dice have {count} outcomes: at most {MOST_OUTCOMES} are listed")));
    }
    Ok((0..count).filter(|&index| state.can_roll(index)).collect())
}
