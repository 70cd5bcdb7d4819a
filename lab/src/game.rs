//! Plays games one after another and counts each when it is over.
//!
//! Owns the loop of a game and its notes. A game counts completely or not at all: its notes are kept separately until it is
//! over. Random players draw their moves where possible, since a list takes several times as long. Every [`LISTED`]th game
//! lists all moves, so that their number is known.

use crate::evaluator::{EvaluatedGame, Evaluator};
use crate::experiment::{Experiment, LabError};
use crate::lines::{Done, LineCounter};
use crate::met_dice::MetDice;
use crate::names::special;
use crate::opponent::Opponent;
use crate::row::{Row, counters};
use crate::tally::{DRAWN, Named, Occurrence, Tally, TurnCounts};
use astragal_computer::{Horizon, Player, PlayerError, apply};
use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{
    Choice, EndedTurn, Event, Hook, Move, Note, Reply, Side, State, Status, Stream, Tag, TurnEnd, Variant,
};
use serde_json::Map;
use std::sync::Arc;

/// The first games, and every game whose number is a multiple of this, list all moves.
pub const LISTED: u64 = 32;

/// The numbers of a game's random streams other than those of its rolls, which count from 0.
const DECISIONS: u64 = u64::MAX;
const DRAWS: u64 = u64::MAX - 1;

/// An odd number with well-spread bits: digests multiply by it.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Whether game number `game` lists moves although its players are random.
fn is_listed(game: u64) -> bool {
    game < LISTED || game.is_multiple_of(LISTED)
}

/// Notes on a game, until it is over.
#[derive(Default)]
struct Notes {
    /// Moves made, the number that is limited.
    moves_made: u64,
    /// Choices made instead of a move, at decisions that offer both.
    instead: u64,
    events: u64,
    rolls: u64,
    turns: TurnCounts,
    rolls_of_turn: u64,
    wasted_rolls: u64,
    dice: u64,
    used_dice: u64,
    captures: u64,
    failed: u64,
    digest: u64,
    /// Whether moves are listed, or drawn.
    is_listed: bool,
    /// The number of moves, and of choices beside them, at each decision about listed moves.
    listed: Vec<u32>,
    /// The target of each move and, if it tried to capture, the square of the victim.
    moves: Vec<(u8, Option<u8>)>,
    /// Dice by number, with the outcome.
    outcomes: Vec<(u32, u64)>,
    /// Names by number, with the count.
    names: Vec<(u16, u32)>,
    /// The events, for a second pass.
    done: Vec<Done>,
}

/// Mixed into a digest, so that a roll differs from a choice.
const ROLL: u64 = 1 << 56;
const MOVE: u64 = 2 << 56;
const CHOICE: u64 = 3 << 56;
const END: u64 = 4 << 56;

impl Notes {
    /// Mixes a value into the digest. Different digests stay different.
    #[inline]
    fn mix(&mut self, what: u64) {
        self.digest = (self.digest.rotate_left(29) ^ what).wrapping_mul(SPREAD);
    }

    fn clear(&mut self) {
        let Notes { listed, moves, outcomes, names, done, .. } = std::mem::take(self);
        *self = Notes { listed, moves, outcomes, names, done, ..Notes::default() };
        self.listed.clear();
        self.moves.clear();
        self.outcomes.clear();
        self.names.clear();
        self.done.clear();
    }

    fn name(&mut self, number: u16) {
        match self.names.iter_mut().find(|(known, _)| *known == number) {
            Some((_, times)) => *times += 1,
            None => self.names.push((number, 1)),
        }
    }
}

/// Plays games of an experiment on one thread.
pub(crate) struct Worker<'a> {
    experiment: &'a Experiment,
    start: State,
    shadow: Option<State>,
    /// Counts lines, if requested; created for the first game.
    lines: Option<LineCounter>,
    /// Whether games are replayed.
    is_repeated: bool,
    has_contests: bool,
    /// Whether rows with labels and counters are requested.
    wants_rows: bool,
    most_plies: u64,
    most_events: u64,
    tally: Tally,
    notes: Notes,
    course: EvaluatedGame,
    /// Checks whether to stop in the middle of a game of evaluating players.
    stop: &'a (dyn Fn() -> bool + Sync),
    /// All dice rolled so far and how often each outcome came up.
    dice: MetDice,
    /// All names so far.
    names: Vec<(Named, String, Occurrence)>,
    /// The names of special moves by tag and distinguishing number.
    moves: Vec<((Tag, u8), u16)>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(experiment: &'a Experiment, wants_rows: bool, stop: &'a (dyn Fn() -> bool + Sync)) -> Worker<'a> {
        let squares = experiment.loaded().set.variant.board().len();
        let tally = Tally { arrivals: vec![0; squares], taken: vec![0; squares], ..Tally::default() };
        Worker {
            experiment,
            start: experiment.start(),
            shadow: experiment.shadow(),
            lines: None,
            is_repeated: experiment.setting().lines || !experiment.is_random(),
            has_contests: experiment.loaded().set.rules.has(Hook::Capture),
            wants_rows,
            most_plies: u64::from(experiment.setting().max_plies),
            most_events: experiment.most_events() as u64,
            tally,
            notes: Notes::default(),
            course: EvaluatedGame::new(),
            stop,
            dice: MetDice::default(),
            names: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The totals of all games so far.
    pub(crate) fn finish(mut self) -> Tally {
        self.dice.hand_over(&mut self.tally);
        for (group, name, occurrence) in self.names {
            self.tally.named.entry(group).or_default().insert(name, occurrence);
        }
        self.tally
    }

    /// Plays game number `number` and counts it.
    ///
    /// # Errors
    /// If a rule fails or a player refuses; the game does not count then.
    pub(crate) fn play(&mut self, number: u64) -> Result<Row, LabError> {
        let failed = |error: PlayerError| LabError::Game { number, error: Box::new(error) };
        self.notes.clear();
        self.dice.forget_many(&mut self.tally);
        let state = match self.experiment.is_random() {
            true => self.play_randomly(number),
            false => self.play_evaluated(number),
        };
        let state = state.map_err(failed)?;
        self.look_again().map_err(failed)?;
        if self.experiment.setting().lines {
            let (source, setting) = (&self.experiment.loaded().source, self.experiment.setting());
            let counter = match self.lines.take() {
                Some(counter) => counter,
                None => LineCounter::new(source, setting, self.experiment.stop())?,
            };
            let counted = counter.count(&self.notes.done, &mut self.tally.lines);
            self.lines = Some(counter);
            counted.map_err(failed)?;
        }
        Ok(self.count(number, &state))
    }

    #[inline(always)]
    fn goes_on(&self, state: &State) -> bool {
        state.status() != Status::Over
            && self.notes.moves_made < self.most_plies
            && self.notes.events < self.most_events
    }

    /// Plays a game of random players, staying inside the rules between events.
    fn play_randomly(&mut self, number: u64) -> Result<State, PlayerError> {
        let seed = self.experiment.game_seed(number);
        let mut random = Stream::new(seed, DECISIONS);
        let mut state = self.start.clone();
        self.notes.is_listed = is_listed(number);
        if !self.notes.is_listed {
            state.draw_moves_and_compare(Stream::new(seed, DRAWS));
        }
        let (mut seen, mut must_list, mut is_noted) = (0, false, true);
        loop {
            state.play_on(|state| {
                if !is_noted {
                    seen = self.note_event(state, seen);
                    is_noted = true;
                }
                must_list = state.can_pass() && !self.notes.is_listed && state.choices().is_empty();
                if must_list || !self.goes_on(state) {
                    return None;
                }
                is_noted = false;
                Some(self.reply(state, seed, &mut random))
            })?;
            if !is_noted {
                seen = self.note_event(&state, seen);
                is_noted = true;
            }
            if !must_list || !self.goes_on(&state) {
                return Ok(state);
            }
            // Where passing is possible, a random player passes with the same chance as making any one move, so moves must
            // be counted.
            state.list_moves()?;
            self.notes.is_listed = true;
        }
    }

    /// A roll, or the reply of a random player.
    #[inline(always)]
    fn reply(&mut self, state: &State, seed: u64, random: &mut Stream) -> Reply {
        match state.status() {
            Status::Chance => Reply::Roll(self.roll(state, seed)),
            Status::Move | Status::Choice | Status::Over => {
                if self.notes.is_listed {
                    self.notes.list(state);
                }
                let pick = random.below(state.replies() as u64) as usize;
                let reply = state.nth_reply(pick).unwrap_or(Reply::Pass);
                match reply {
                    Reply::Move(paid) => {
                        self.note_move(state, paid.mv, paid.dice);
                        self.note_done(Event::Move(paid));
                    }
                    Reply::Choice(index) => {
                        self.note_choice(state, index);
                        self.note_done(Event::Choice(index));
                    }
                    Reply::Pass | Reply::Roll(_) => self.note_done(Event::Pass),
                }
                reply
            }
        }
    }

    fn play_evaluated(&mut self, number: u64) -> Result<State, PlayerError> {
        let Some(evaluation) = self.experiment.evaluation() else { return Err(PlayerError::Nothing) };
        let seed = self.experiment.game_seed(number);
        let knows = || Ok::<_, PlayerError>(Arc::clone(evaluation));
        let sit_down = |(seat, player): (usize, &Opponent)| player.sit_down(knows, mix(seed ^ mix(seat as u64)), None);
        let seats = self.experiment.seats().iter().enumerate().map(sit_down);
        let mut seats = seats.collect::<Result<Vec<Box<dyn Player>>, PlayerError>>()?;
        let mut state = self.start.clone();
        // A player who may not know everything receives the game instead of the state alone.
        let mut shown = evaluation.can_be_evaluated().is_err().then(|| self.experiment.first());
        let mut seen = 0;
        // An evaluator remembers states, so each game has its own to stay independent of other games.
        let mut evaluator = self.experiment.setting().luck.then(|| Evaluator::new(evaluation, Horizon::Turn));
        self.course = EvaluatedGame::new();
        while self.goes_on(&state) {
            if (self.stop)() {
                return Err(RuleError::stopped().into());
            }
            if let Some(evaluator) = &mut evaluator {
                self.course.before(evaluator, &state)?;
            }
            if state.status() == Status::Chance {
                let index = self.roll(&state, seed);
                if let (Some(shown), Some(dice)) = (&mut shown, state.dice()) {
                    shown.set_roll(&dice.outcome(index))?;
                }
                state.roll(index)?;
                if let Some(evaluator) = &mut evaluator {
                    self.course.rolled(evaluator, &state)?;
                }
            } else {
                self.notes.list(&state);
                let player = &mut seats[state.chooser().index()];
                let event = match &mut shown {
                    Some(game) => player.decide_in(game)?,
                    None => player.decide(&state)?,
                };
                if let Some(game) = &mut shown {
                    game.apply(&event)?;
                }
                match &event {
                    Event::Move(paid) => self.note_move(&state, paid.mv, paid.dice),
                    Event::Choice(index) => self.note_choice(&state, *index),
                    Event::Pass | Event::Roll(_) => {}
                }
                apply(&mut state, &event)?;
                self.note_done(event);
            }
            seen = self.note_event(&state, seen);
        }
        self.course.result = evaluator.and_then(|evaluator| evaluator.result(&state));
        Ok(state)
    }

    /// Rolls the dice. Roll number k of a game has its own stream, so other rules get the same dice as long as they roll
    /// the same.
    #[inline(always)]
    fn roll(&mut self, state: &State, seed: u64) -> u64 {
        let index = state.draw(&mut Stream::new(seed, self.notes.rolls));
        self.notes.rolls += 1;
        self.notes.rolls_of_turn += 1;
        self.notes.mix(ROLL ^ index);
        if let Some(dice) = state.dice() {
            let (number, outcomes) = self.dice.number(dice);
            self.notes.mix(outcomes);
            self.notes.dice += dice.dice.len() as u64;
            self.notes.outcomes.push((number, index));
        }
        if self.is_repeated {
            self.notes.done.push(Done::Roll(index));
        }
        index
    }

    /// Records an event, if games are replayed.
    #[inline(always)]
    fn note_done(&mut self, event: Event) {
        if self.is_repeated {
            self.notes.done.push(Done::Other(event));
        }
    }

    /// Notes a move that is about to be made.
    #[inline(always)]
    fn note_move(&mut self, state: &State, mv: Move, dice: u16) {
        if state.names_move() {
            return self.note_named(mv);
        }
        self.notes.moves_made += 1;
        self.notes.mix(
            MOVE ^ u64::from(dice) << 32
                ^ u64::from(mv.from.0) << 24
                ^ u64::from(mv.to.0) << 16
                ^ u64::from(mv.extra) << 8
                ^ mv.tag as u64,
        );
        self.notes.used_dice += u64::from(dice.count_ones());
        let (victim, at) = state.position().captured_by(mv);
        let taken = (!victim.is_none()).then_some(at.0);
        self.notes.captures += u64::from(taken.is_some());
        self.notes.moves.push((mv.to.0, taken));
        if mv.tag != Tag::Plain || mv.extra != Move::NONE {
            self.note_special(&state.ruleset().variant, mv);
        }
    }

    /// Notes a named move: a choice, until it is made.
    #[cold]
    fn note_named(&mut self, mv: Move) {
        self.notes.mix(CHOICE ^ u64::from(mv.from.0) << 24 ^ u64::from(mv.to.0) << 16 ^ u64::from(mv.extra) << 8);
        let number = self.named(Named::Choice, "a move");
        self.notes.name(number);
    }

    #[cold]
    fn note_special(&mut self, variant: &Variant, mv: Move) {
        let apart = match mv.tag {
            Tag::Plain | Tag::Double | Tag::EnPassant => mv.promotion().map_or(Move::NONE, |kind| kind.0),
            Tag::Castle => mv.extra,
            Tag::Drop => mv.dropped().map_or(Move::NONE, |kind| kind.0),
            Tag::Heap => u8::from(mv.carried() > 1),
            Tag::Push | Tag::Over => Move::NONE,
        };
        let known = self.moves.iter().find(|(known, _)| *known == (mv.tag, apart)).map(|(_, number)| *number);
        let number = known.unwrap_or_else(|| {
            let number = self.named(Named::Move, &special(variant, mv));
            self.moves.push(((mv.tag, apart), number));
            number
        });
        self.notes.name(number);
    }

    #[inline(never)]
    fn note_choice(&mut self, state: &State, index: usize) {
        self.notes.mix(CHOICE ^ index as u64);
        self.notes.instead += u64::from(state.asks_for_move());
        let text = match &state.choices()[index] {
            Choice::Square(_) => "a square",
            Choice::Text(_) if state.keeps_dice() => "dice kept",
            Choice::Text(text) if text.parse::<i64>().is_ok() => "a number",
            Choice::Text(text) => text,
        };
        let number = self.named(Named::Choice, text);
        self.notes.name(number);
    }

    /// Notes the label of an event, if the script sets one.
    #[inline(always)]
    fn note_label(&mut self, state: &State) {
        if let Some(label) = state.new_label() {
            let number = self.named(Named::Label, label);
            self.notes.name(number);
        }
    }

    /// The number of a name.
    fn named(&mut self, group: Named, text: &str) -> u16 {
        let known = self.names.iter().position(|(known, name, _)| *known == group && name == text);
        known.unwrap_or_else(|| {
            self.names.push((group, text.to_owned(), Occurrence::default()));
            self.names.len() - 1
        }) as u16
    }

    /// Notes the results of an event; the first `seen` notes of the state are old. Returns the number of notes.
    #[inline(always)]
    fn note_event(&mut self, state: &State, seen: usize) -> usize {
        self.note_label(state);
        let notes = &mut self.notes;
        notes.events += 1;
        notes.mix(state.position().hash());
        for note in &state.notes()[seen..] {
            match note {
                Note::Failed(_) => notes.failed += 1,
                Note::Made(made) => {
                    notes.moves_made += 1;
                    notes.captures += u64::from(made.captured().is_some());
                }
                Note::Ended(turn) => notes.end_turn(turn),
            }
        }
        if state.over().is_some() && !state.notes()[seen..].iter().any(|note| note.ended().is_some()) {
            // The end of the game has cut the turn short.
            let answers = state.turn_so_far();
            notes.end_turn(&EndedTurn { side: state.mover(), number: state.position().number(), answers });
        }
        state.notes().len()
    }

    /// Replays the game without search, to see which parts of the script it runs.
    fn look_again(&mut self) -> Result<(), PlayerError> {
        let Some(mut state) = self.shadow.clone() else { return Ok(()) };
        for done in &self.notes.done {
            match done {
                Done::Roll(index) => state.roll(*index)?,
                Done::Other(event) => apply(&mut state, event)?,
            }
        }
        Ok(())
    }

    /// Counts a finished game.
    fn count(&mut self, number: u64, state: &State) -> Row {
        if self.experiment.setting().luck {
            self.tally.fortune.add(number, &self.course);
        }
        let (notes, tally) = (&mut self.notes, &mut self.tally);
        notes.mix_result(state);
        tally.games += 1;
        let digest = mix(notes.digest ^ mix(number));
        tally.digest[0] = tally.digest[0].wrapping_add(digest);
        tally.digest[1] = tally.digest[1].wrapping_add(mix(digest ^ SPREAD));
        count_result(tally, state);
        let plies = notes.moves_made + notes.instead;
        tally.plies.add(plies);
        tally.turn_numbers.add(notes.turns.all());
        tally.events.add(notes.events);
        tally.turns.add(&notes.turns);
        if !notes.listed.is_empty() {
            let moves = notes.listed.iter().map(|&moves| u64::from(moves)).sum();
            tally.branching_by_game.add(moves, notes.listed.len() as u64);
            notes.listed.iter().for_each(|&moves| tally.branching.add(u64::from(moves)));
        }
        let captures = notes.captures.saturating_sub(notes.failed);
        tally.captures.add(captures, notes.moves_made);
        if self.has_contests {
            tally.contests.add(captures, notes.captures);
        }
        if notes.rolls > 0 {
            tally.wasted_rolls.add(notes.wasted_rolls, notes.rolls);
        }
        if notes.used_dice > 0 {
            tally.used_dice.add(notes.used_dice, notes.dice);
        }
        for &(to, taken) in &notes.moves {
            tally.arrivals[usize::from(to)] += 1;
            if let Some(taken) = taken {
                tally.taken[usize::from(taken)] += 1;
            }
        }
        for &(dice, outcome) in &notes.outcomes {
            self.dice.count(dice, outcome, tally);
        }
        for &(name, times) in &notes.names {
            let occurrence = &mut self.names[usize::from(name)].2;
            occurrence.times += u64::from(times);
            occurrence.games += 1;
        }
        let first_roll = notes.outcomes.first();
        let is_label = |(name, _): &&(u16, u32)| self.names[usize::from(*name)].0 == Named::Label;
        let labels = notes.names.iter().filter(|_| self.wants_rows).filter(is_label);
        let labels = labels.map(|&(name, times)| (self.names[usize::from(name)].1.clone(), u64::from(times))).collect();
        Row {
            number,
            winner: state.over().and_then(|over| over.winner),
            reason: state.over().map(|over| over.reason.clone()),
            plies,
            instead: notes.instead,
            turns: notes.turns,
            events: notes.events,
            captures,
            first_roll: first_roll.map(|&(dice, outcome)| self.dice.get(dice).outcome(outcome)),
            digest,
            labels,
            counters: if self.wants_rows { counters(state) } else { Map::new() },
        }
    }
}

/// The digest includes the points of at least this many sides.
const DIGEST_SIDES: usize = 4;

impl Notes {
    /// Mixes the result into the digest: the winner and the reason.
    fn mix_result(&mut self, state: &State) {
        let Some(over) = state.over() else { return self.mix(END) };
        self.mix(END ^ over.winner.map_or(1, |winner| u64::from(winner.0) + 2));
        over.reason.bytes().for_each(|byte| self.mix(u64::from(byte)));
        let sides = state.ruleset().variant.sides().max(DIGEST_SIDES);
        over.points.iter().flat_map(|points| &points[..sides]).for_each(|&points| self.mix(points as u64));
    }

    /// Notes the number of options of a decision about moves: the moves, and the choices beside them.
    #[inline]
    fn list(&mut self, state: &State) {
        if state.status() == Status::Move || state.asks_for_move() {
            self.listed.push((state.moves().len() + state.choices().len()) as u32);
        }
    }

    #[inline]
    fn end_turn(&mut self, turn: &EndedTurn) {
        self.turns.add(turn);
        if turn.counts_as() == TurnEnd::Lost {
            self.wasted_rolls += self.rolls_of_turn;
        }
        self.rolls_of_turn = 0;
    }
}

fn count_result(tally: &mut Tally, state: &State) {
    let results = &mut tally.results;
    let Some(over) = state.over() else { return results.unfinished += 1 };
    let variant = &state.ruleset().variant;
    results.awarded += u64::from(over.points.is_some());
    for (index, sums) in results.points.iter_mut().enumerate().take(variant.sides()) {
        let won = || over.winner.map_or(1, |winner| 2 * i32::from(variant.allied(Side(index as u8), winner)));
        sums.add(over.points.map_or_else(won, |points| points[index]).into());
    }
    let reasons = results.reasons.entry(over.reason.clone()).or_default();
    match over.winner {
        None => {
            results.drawn += 1;
            reasons[DRAWN] += 1;
        }
        Some(winner) => {
            for side in (0..variant.sides() as u8).map(Side).filter(|&side| variant.allied(side, winner)) {
                results.won[side.index()] += 1;
                reasons[side.index()] += 1;
            }
        }
    }
}
