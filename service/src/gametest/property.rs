//! Properties of every game of every script, whatever its rules. Each is checked separately, so that a failing game can be
//! shortened while the same property fails.

use crate::input::refusal;
use astragal_core::odds;
use astragal_core::{Event, Game, GameError, Ratio, RuleError, State, Status, Stream};
use astragal_dsl::notation::fen;
use astragal_dsl::symmetry::Flip;
use astragal_dsl::{Layout, Loaded, blame, game_text, record, turn_state_text};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The maximum number of events that are taken back to the start. Each step back replays them.
const TAKEN_BACK: usize = 40;

/// The maximum number of events that are played without rule trees, which is slow.
const INTERPRETED: usize = 60;

/// The maximum number of events that are played with the sides swapped.
const EXCHANGED: usize = 200;

/// Rolls with more outcomes are not enumerated.
const MOST_OUTCOMES: u64 = 1296;

/// A variant to be examined.
#[derive(Clone)]
pub struct Subject {
    /// The variant with rule trees, as it is played.
    pub loaded: Arc<Loaded>,
    /// The variant without rule trees, to compare with. If missing, nothing is compared.
    pub plain: Option<Arc<Loaded>>,
}

/// A property of every game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Property {
    /// No rule fails.
    Rules,
    /// The position's text reads back as the same position, and a game from it continues like this one.
    Text,
    /// The probabilities of a roll's outcomes sum to one.
    Chances,
    /// Undoing restores exactly the previous state.
    Undo,
    /// A record reads back as the same game.
    Record,
    /// Rule trees give the same results as the script.
    Trees,
    /// With the sides swapped, nothing else changes, if the script declares that symmetry.
    Symmetry,
}

impl Property {
    /// All properties, in the order in which they are checked.
    pub const ALL: [Property; 7] = [
        Property::Rules,
        Property::Text,
        Property::Chances,
        Property::Undo,
        Property::Record,
        Property::Trees,
        Property::Symmetry,
    ];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Property::Rules => "rules",
            Property::Text => "positions",
            Property::Chances => "chances",
            Property::Undo => "undo",
            Property::Record => "records",
            Property::Trees => "trees",
            Property::Symmetry => "symmetry",
        }
    }
}

/// A property that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The difference that was found.
    pub(crate) why: String,
    /// Where a rule failed. Two failures with the same property and mark count as the same.
    pub(crate) mark: String,
    /// The event at which a rule failed, if it is not in the game.
    pub(crate) event: Option<Event>,
    /// The error of the rule that failed, if one did.
    rule: Option<RuleError>,
}

impl Violation {
    fn new(property: Property, why: impl Into<String>) -> Violation {
        Violation { property, why: why.into(), mark: String::new(), event: None, rule: None }
    }

    /// The violation for a failed rule.
    pub(crate) fn rule(game: &Game, error: &GameError) -> Violation {
        let mark = match error {
            GameError::Rule(rule) => {
                rule.place.map_or(rule.message.clone(), |place| format!("{:?} {place:?}", rule.file))
            }
            other => other.to_string(),
        };
        let rule = match error {
            GameError::Rule(rule) => Some(rule.clone()),
            _ => None,
        };
        Violation { mark, rule, ..Violation::new(Property::Rules, refusal(game, error)) }
    }

    /// The violation if no game can begin.
    pub(crate) fn at_once(error: RuleError) -> Violation {
        let why = error.to_string();
        Violation { mark: why.clone(), rule: Some(error), ..Violation::new(Property::Rules, why) }
    }

    /// The violation; if a rule fails, with the line of the script.
    pub fn render(&self, loaded: &Loaded, layout: impl Into<Layout>) -> String {
        match &self.rule {
            Some(error) => blame(loaded, None, error).render(layout),
            None => format!("{self}\n"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.property {
            Property::Rules => write!(f, "{}", self.why),
            property => write!(f, "{}: {}", property.name(), self.why),
        }
    }
}

/// Checks `property` for a game: at its current state for [`Property::Text`] and [`Property::Chances`], from its start to
/// now for the others.
///
/// # Errors
/// How it is violated.
pub(crate) fn check(property: Property, subject: &Subject, game: &Game) -> Result<(), Violation> {
    let found = match property {
        Property::Rules => Ok(()),
        Property::Text => text_reads_back(&subject.loaded, game),
        Property::Chances => match failing_roll(game) {
            Some(violation) => return Err(violation),
            None => chances_sum_to_one(game.state()),
        },
        Property::Undo => taking_back(game),
        Property::Record => record_reads_back(&subject.loaded, game),
        Property::Trees => subject.plain.as_ref().map_or(Ok(()), |plain| without_trees(plain, game)),
        Property::Symmetry => sides_swapped(&subject.loaded, game),
    };
    found.map_err(|why| Violation::new(property, why))
}

/// Checks all properties of a game at every state from its start to now.
///
/// # Errors
/// The violated property, and how.
pub(crate) fn check_game(subject: &Subject, game: &Game) -> Result<(), Violation> {
    let mut again = turn_state_text::restarted(game).map_err(|error| Violation::rule(game, &error))?;
    let now = |game: &Game| {
        check(Property::Text, subject, game)?;
        check(Property::Chances, subject, game)
    };
    now(&again)?;
    for entry in game.entries() {
        again.apply(&entry.event).map_err(|error| Violation::rule(&again, &error))?;
        now(&again)?;
    }
    check_whole(subject, game)
}

/// Checks all properties of whole games.
///
/// # Errors
/// The violated property, and how.
pub(crate) fn check_whole(subject: &Subject, game: &Game) -> Result<(), Violation> {
    [Property::Undo, Property::Record, Property::Trees, Property::Symmetry]
        .into_iter()
        .try_for_each(|property| check(property, subject, game))
}

/// How two states differ, as far as any player can see; `None` if they do not.
pub fn difference(a: &State, b: &State) -> Option<String> {
    let variant = &a.ruleset().variant;
    let text = |state: &State| game_text::plain_position(variant, state.position());
    let differs = |what: &str, one: String, two: String| Some(format!("{what}: {one} against {two}"));
    if a.position() != b.position() || a.position().hash() != b.position().hash() {
        return differs("the position", text(a), text(b));
    }
    if a.status() != b.status() || a.dice() != b.dice() || a.choices() != b.choices() {
        return differs("the awaited input", game_text::waits(a), game_text::waits(b));
    }
    let prices = |state: &State| state.moves().iter().map(|&paid| state.price(paid)).collect::<Vec<_>>();
    if a.moves() != b.moves() || a.can_pass() != b.can_pass() || prices(a) != prices(b) {
        return differs("the legal moves", game_text::moves(a).join(" "), game_text::moves(b).join(" "));
    }
    if (a.mover(), a.chooser(), a.turn()) != (b.mover(), b.chooser(), b.turn()) {
        return differs("the turn", format!("{}", a.turn()), format!("{}", b.turn()));
    }
    if (a.label(), a.over(), a.unused()) != (b.label(), b.over(), b.unused()) {
        let end = |state: &State| game_text::result(state).unwrap_or_else(|| state.label().unwrap_or("none").into());
        return differs("the outcome", end(a), end(b));
    }
    let dice = a.dice()?;
    let alike = match (a.can_roll_all(), b.can_roll_all()) {
        (true, true) => true,
        // Scripts can forbid outcomes one by one; compare only as many as can be enumerated.
        _ => (0..dice.outcomes()).all(|index| a.can_roll(index) == b.can_roll(index)),
    };
    (!alike).then(|| "different rolls are possible".into())
}

fn text_reads_back(loaded: &Loaded, game: &Game) -> Result<(), String> {
    let variant = &loaded.set.variant;
    if game.status() == Status::Over {
        let text = game_text::position(loaded, game.state());
        let placed = fen::parse(variant, &text).map_err(|error| format!("{text}: {error}"))?;
        let mut position = game.state().position().clone();
        // Double steps of an interrupted turn are not written, because no player can respond to them.
        let own = |square| game.state().position().at(square).side() == game.state().position().side();
        position.retain_en_passant(variant, |right| !own(right.victim));
        return match placed.position == position && placed.position.hash() == position.hash() {
            true => Ok(()),
            false => Err(format!("{text} reads back as a different position")),
        };
    }
    let text = turn_state_text::position(loaded, game);
    let placed = fen::parse(variant, &text).map_err(|error| format!("{text}: {error}"))?;
    let again = turn_state_text::begin(loaded, placed, game.seed()).map_err(|why| format!("{text}: {why}"))?;
    let (a, b) = (game.state(), again.state());
    if a.position() != b.position() || a.position().hash() != b.position().hash() {
        return Err(format!("{text} reads back as a different position"));
    }
    let seen = |state: &State| (state.status(), game_text::waits(state), game_text::moves(state), state.unused());
    if seen(a) == seen(b) { Ok(()) } else { Err(format!("a game resumed from {text} continues differently")) }
}

/// A roll after which a rule fails. Enumerating probabilities would fail, too, but without the place.
fn failing_roll(game: &Game) -> Option<Violation> {
    let dice = game.state().dice().filter(|dice| dice.outcomes() <= MOST_OUTCOMES)?;
    odds::next_roll(game.state()).err()?;
    (0..dice.outcomes()).filter(|&index| game.state().can_roll(index)).find_map(|index| {
        let event = Event::Roll(dice.outcome(index));
        let error = game.clone().apply(&event).err()?;
        Some(Violation { event: Some(event), ..Violation::rule(game, &error) })
    })
}

fn chances_sum_to_one(state: &State) -> Result<(), String> {
    if state.dice().is_none_or(|dice| dice.outcomes() > MOST_OUTCOMES) {
        return Ok(());
    }
    let rolls = odds::next_roll(state).map_err(|error| error.to_string())?;
    let sum = rolls.iter().fold(Ratio::ZERO, |sum, (chance, _, _)| sum + *chance);
    if sum == Ratio::ONE { Ok(()) } else { Err(format!("the chances of the roll sum to {sum}, not 1")) }
}

fn taking_back(played: &Game) -> Result<(), String> {
    let mut game = turn_state_text::restarted(played).map_err(|error| error.to_string())?;
    let mut before = vec![game.clone()];
    for entry in played.entries().iter().take(TAKEN_BACK) {
        game.apply(&entry.event).map_err(|error| error.to_string())?;
        before.push(game.clone());
    }
    while let Some(expected) = before.pop() {
        if let Some(what) = difference(game.state(), expected.state()) {
            return Err(format!("undoing to event {} does not restore the state: {what}", before.len()));
        }
        if game.entries() != expected.entries() {
            return Err(format!("undoing to event {} does not restore the events", before.len()));
        }
        let undone = game.undo().map_err(|error| error.to_string())?;
        if undone == before.is_empty() {
            return Err("the wrong number of events can be undone".into());
        }
    }
    if game.state().position() != played.start() && played.start_dice().is_empty() && game.opening().is_empty() {
        let fresh = turn_state_text::restarted(played).map_err(|error| error.to_string())?;
        return match difference(game.state(), fresh.state()) {
            Some(what) => Err(format!("undoing every event does not restore the start: {what}")),
            None => Ok(()),
        };
    }
    Ok(())
}

fn record_reads_back(loaded: &Loaded, game: &Game) -> Result<(), String> {
    let text = record::write(loaded, game, &[]);
    // Reuse the loaded rules: loading them again for each record takes time and changes nothing.
    let (_, read) = record::read(&text, |_, _| Ok(loaded.clone())).map_err(|error| error.to_string())?;
    let (a, b) = (game.state(), read.state());
    if a.position() != b.position() || a.over() != b.over() || read.start() != game.start() {
        let position = |game: &Game| game_text::plain_position(&loaded.set.variant, game.state().position());
        return Err(format!("the record ends in {} instead of {}", position(&read), position(game)));
    }
    // If the turn ends anyway, the record does not contain which of two dice paid.
    if read.entries().len() != game.entries().len() {
        return Err(format!("the record has {} events instead of {}", read.entries().len(), game.entries().len()));
    }
    if record::write(loaded, &read, &[]) == text {
        Ok(())
    } else {
        Err("the record differs after it is read and written again".into())
    }
}

fn without_trees(plain: &Loaded, game: &Game) -> Result<(), String> {
    if !game.start_dice().is_empty() {
        return Ok(());
    }
    let begin = |set| State::new(set, game.start().clone()).map_err(|error| error.to_string());
    let (mut one, mut two) = (begin(Arc::clone(game.state().ruleset()))?, begin(Arc::clone(&plain.set))?);
    for (number, entry) in (0..).zip(game.entries().iter().take(INTERPRETED)) {
        let fault =
            |what: String| format!("before event {}, the cached rules and the script disagree: {what}", number + 1);
        difference(&one, &two).map_or(Ok(()), |what| Err(fault(what)))?;
        apply(&mut one, &entry.event).map_err(|error| error.to_string())?;
        apply(&mut two, &entry.event).map_err(|error| fault(error.to_string()))?;
    }
    difference(&one, &two).map_or(Ok(()), |what| Err(format!("the cached rules and the script disagree: {what}")))
}

fn sides_swapped(loaded: &Loaded, game: &Game) -> Result<(), String> {
    let flip = loaded.symmetry.and_then(|symmetry| Flip::new(&loaded.set.variant, symmetry));
    let Some(flip) = flip.filter(|_| game.start_dice().is_empty()) else { return Ok(()) };
    let begin = |start| State::new(Arc::clone(&loaded.set), start).map_err(|error| error.to_string());
    let (mut one, mut two) = (begin(game.start().clone())?, begin(flip.position(game.start()))?);
    let fault = |number: usize, what: String| {
        Err(format!(
            "the script declares 'symmetric', but after event {number} the game with the sides swapped differs: {what}"
        ))
    };
    for (number, entry) in game.entries().iter().enumerate().take(EXCHANGED) {
        if let Some(what) = flip.difference(&one, &two) {
            return fault(number, what);
        }
        let Some(event) = flip.event(&entry.event, &one, &two) else {
            return fault(number, "different events are possible".into());
        };
        apply(&mut one, &entry.event).map_err(|error| error.to_string())?;
        apply(&mut two, &event).or_else(|error| fault(number, error.to_string()))?;
    }
    let number = game.entries().len().min(EXCHANGED);
    flip.difference(&one, &two).map_or(Ok(()), |what| fault(number, what))
}

/// Why an event cannot be applied to a state.
#[derive(Clone, Debug, Error)]
pub enum EventError {
    /// The state does not allow it.
    #[error("{0:?} is not possible")]
    Impossible(Event),
    /// A rule fails.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// Applies an event to a state.
///
/// # Errors
/// If the state does not allow it, or a rule fails.
pub fn apply(state: &mut State, event: &Event) -> Result<(), EventError> {
    let unfit = || EventError::Impossible(event.clone());
    let done = match event {
        Event::Roll(faces) => {
            let index = state.dice().and_then(|dice| dice.index_of(faces)).filter(|&index| state.can_roll(index));
            state.roll(index.ok_or_else(unfit)?)
        }
        Event::Move(paid) if state.moves().contains(paid) => state.play(*paid),
        Event::Pass if state.can_pass() => state.pass(),
        Event::Choice(index) if *index < state.choices().len() => state.choose(*index),
        _ => return Err(unfit()),
    };
    Ok(done?)
}

/// A random event that is possible now; `None` when the game is over.
pub fn random_event(state: &State, random: &mut Stream) -> Option<Event> {
    let mut below = |n: usize| random.below(n as u64) as usize;
    Some(match state.status() {
        Status::Over => return None,
        Status::Chance => {
            let dice = state.dice()?;
            Event::Roll(dice.outcome(state.draw(random)))
        }
        Status::Move | Status::Choice if state.can_pass() && below(4) == 0 => Event::Pass,
        Status::Move if !state.choices().is_empty() && below(3) == 0 => Event::Choice(below(state.choices().len())),
        Status::Move => Event::Move(*state.moves().get(below(state.moves().len()))?),
        Status::Choice => Event::Choice(below(state.choices().len())),
    })
}
