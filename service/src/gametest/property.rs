//! What must hold for every game of every script, whatever its rules: each property on its own, so
//! that a failing game can be made shorter as long as the same one fails.

use crate::input::refusal;
use astragal_core::odds;
use astragal_core::{Event, Game, GameError, Ratio, RuleError, State, Status, Stream};
use astragal_dsl::notation::fen;
use astragal_dsl::symmetry::Flip;
use astragal_dsl::{Layout, Loaded, blame, game_text, record, turn_state_text};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// As many events are taken back to the start, which replays them each time.
const TAKEN_BACK: usize = 40;

/// As many events are played without trees, which takes long.
const INTERPRETED: usize = 60;

/// As many events are played with colours exchanged.
const EXCHANGED: usize = 200;

/// Rolls with more outcomes are not enumerated.
const MOST_OUTCOMES: u64 = 1296;

/// A variant to be examined.
#[derive(Clone)]
pub struct Subject {
    /// With trees, as it is played.
    pub loaded: Arc<Loaded>,
    /// Its rules run anew each time, to compare with; without it nothing is compared.
    pub plain: Option<Arc<Loaded>>,
}

/// Something that holds for every game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Property {
    /// No rule fails.
    Rules,
    /// The position's text reads back as the same position, and a game goes on from it as this one.
    Text,
    /// The chances of what a roll brings sum to one.
    Chances,
    /// Taking back leads to the very state before.
    Undo,
    /// A record reads back as the same game.
    Record,
    /// Trees do what the script does.
    Trees,
    /// With colours exchanged nothing else changes, if the script says so.
    Colours,
}

impl Property {
    /// All of them, in the order in which they are checked.
    pub const ALL: [Property; 7] = [
        Property::Rules,
        Property::Text,
        Property::Chances,
        Property::Undo,
        Property::Record,
        Property::Trees,
        Property::Colours,
    ];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Property::Rules => "rules",
            Property::Text => "positions",
            Property::Chances => "chances",
            Property::Undo => "undo",
            Property::Record => "records",
            Property::Trees => "trees",
            Property::Colours => "colours",
        }
    }
}

/// That something does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What.
    pub property: Property,
    /// In what way.
    pub(crate) why: String,
    /// Where a rule failed; two failures with the same property and mark are taken for the same.
    pub(crate) mark: String,
    /// The event at which a rule failed, if it is not in the game.
    pub(crate) event: Option<Event>,
    /// How a rule failed, if one did.
    rule: Option<RuleError>,
}

impl Violation {
    fn new(property: Property, why: impl Into<String>) -> Violation {
        Violation { property, why: why.into(), mark: String::new(), event: None, rule: None }
    }

    /// That a rule has failed.
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

    /// That no game can begin.
    pub(crate) fn at_once(error: RuleError) -> Violation {
        let why = error.to_string();
        Violation { mark: why.clone(), rule: Some(error), ..Violation::new(Property::Rules, why) }
    }

    /// What does not hold; where a rule fails, with the line of the script.
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

/// Whether `property` holds of a game as it stands: at this moment for [`Property::Text`] and
/// [`Property::Chances`], from its start to now for the others.
///
/// # Errors
/// In what way it does not.
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
        Property::Colours => colours_exchanged(&subject.loaded, game),
    };
    found.map_err(|why| Violation::new(property, why))
}

/// Whether everything holds of a game at every moment from its start to now.
///
/// # Errors
/// What does not, and in what way.
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

/// Whether everything holds that is checked of whole games.
///
/// # Errors
/// What does not, and in what way.
pub(crate) fn check_whole(subject: &Subject, game: &Game) -> Result<(), Violation> {
    [Property::Undo, Property::Record, Property::Trees, Property::Colours]
        .into_iter()
        .try_for_each(|property| check(property, subject, game))
}

/// In what way two states differ, as far as any player can see; `None` if they do not.
pub fn difference(a: &State, b: &State) -> Option<String> {
    let variant = &a.ruleset().variant;
    let text = |state: &State| game_text::plain_position(variant, state.position());
    let told = |what: &str, one: String, two: String| Some(format!("{what}: {one} against {two}"));
    if a.position() != b.position() || a.position().hash() != b.position().hash() {
        return told("the position", text(a), text(b));
    }
    if a.status() != b.status() || a.dice() != b.dice() || a.choices() != b.choices() {
        return told("what the game waits for", game_text::waits(a), game_text::waits(b));
    }
    let prices = |state: &State| state.moves().iter().map(|&paid| state.price(paid)).collect::<Vec<_>>();
    if a.moves() != b.moves() || a.can_pass() != b.can_pass() || prices(a) != prices(b) {
        return told("the permitted moves", game_text::moves(a).join(" "), game_text::moves(b).join(" "));
    }
    if (a.mover(), a.chooser(), a.turn()) != (b.mover(), b.chooser(), b.turn()) {
        return told("the turn", format!("{}", a.turn()), format!("{}", b.turn()));
    }
    if (a.label(), a.over(), a.unused()) != (b.label(), b.over(), b.unused()) {
        let end = |state: &State| game_text::result(state).unwrap_or_else(|| state.label().unwrap_or("none").into());
        return told("the outcome", end(a), end(b));
    }
    let dice = a.dice()?;
    let alike = match (a.can_roll_all(), b.can_roll_all()) {
        (true, true) => true,
        // Scripts say of each outcome whether it can come up: of no more than can be asked one by one.
        _ => (0..dice.outcomes()).all(|index| a.can_roll(index) == b.can_roll(index)),
    };
    (!alike).then(|| "other rolls are possible".into())
}

fn text_reads_back(loaded: &Loaded, game: &Game) -> Result<(), String> {
    let variant = &loaded.set.variant;
    if game.status() == Status::Over {
        let text = game_text::position(loaded, game.state());
        let placed = fen::parse(variant, &text).map_err(|error| format!("{text}: {error}"))?;
        let mut position = game.state().position().clone();
        // Double steps of a turn that the end has cut short are not written: nobody can answer them.
        let own = |square| game.state().position().at(square).side() == game.state().position().side();
        position.retain_en_passant(variant, |right| !own(right.victim));
        return match placed.position == position && placed.position.hash() == position.hash() {
            true => Ok(()),
            false => Err(format!("{text} reads back as another position")),
        };
    }
    let text = turn_state_text::position(loaded, game);
    let placed = fen::parse(variant, &text).map_err(|error| format!("{text}: {error}"))?;
    let again = turn_state_text::begin(loaded, placed, game.seed()).map_err(|why| format!("{text}: {why}"))?;
    let (a, b) = (game.state(), again.state());
    if a.position() != b.position() || a.position().hash() != b.position().hash() {
        return Err(format!("{text} reads back as another position"));
    }
    let seen = |state: &State| (state.status(), game_text::waits(state), game_text::moves(state), state.unused());
    if seen(a) == seen(b) { Ok(()) } else { Err(format!("a game from {text} goes on in another way")) }
}

/// A roll after which a rule fails. Enumerating chances would fail, too, without saying where.
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
    if sum == Ratio::ONE { Ok(()) } else { Err(format!("the chances of the roll sum to {sum}")) }
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
            return Err(format!("after taking back to event {}, {what}", before.len()));
        }
        if game.entries() != expected.entries() {
            return Err(format!("after taking back to event {}, the events differ", before.len()));
        }
        let undone = game.undo().map_err(|error| error.to_string())?;
        if undone == before.is_empty() {
            return Err("the wrong number of events can be taken back".into());
        }
    }
    if game.state().position() != played.start() && played.start_dice().is_empty() && game.opening().is_empty() {
        let fresh = turn_state_text::restarted(played).map_err(|error| error.to_string())?;
        return match difference(game.state(), fresh.state()) {
            Some(what) => Err(format!("taken back to the start, {what}")),
            None => Ok(()),
        };
    }
    Ok(())
}

fn record_reads_back(loaded: &Loaded, game: &Game) -> Result<(), String> {
    let text = record::write(loaded, game, &[]);
    // The rules at hand: loading them anew for each record would only take time.
    let (_, read) = record::read(&text, |_, _| Ok(loaded.clone())).map_err(|error| error.to_string())?;
    let (a, b) = (game.state(), read.state());
    if a.position() != b.position() || a.over() != b.over() || read.start() != game.start() {
        let position = |game: &Game| game_text::plain_position(&loaded.set.variant, game.state().position());
        return Err(format!("the record ends in {} instead of {}", position(&read), position(game)));
    }
    // Where the turn ends anyway, the record does not say which of two dice paid.
    if read.entries().len() != game.entries().len() {
        return Err(format!("the record has {} events instead of {}", read.entries().len(), game.entries().len()));
    }
    if record::write(loaded, &read, &[]) == text { Ok(()) } else { Err("written again, the record differs".into()) }
}

fn without_trees(plain: &Loaded, game: &Game) -> Result<(), String> {
    if !game.start_dice().is_empty() {
        return Ok(());
    }
    let begin = |set| State::new(set, game.start().clone()).map_err(|error| error.to_string());
    let (mut one, mut two) = (begin(Arc::clone(game.state().ruleset()))?, begin(Arc::clone(&plain.set))?);
    for (number, entry) in (0..).zip(game.entries().iter().take(INTERPRETED)) {
        let told = |what: String| format!("before event {}, with trees and without, {what}", number + 1);
        difference(&one, &two).map_or(Ok(()), |what| Err(told(what)))?;
        apply(&mut one, &entry.event).map_err(|error| error.to_string())?;
        apply(&mut two, &entry.event).map_err(|error| told(error.to_string()))?;
    }
    difference(&one, &two).map_or(Ok(()), |what| Err(format!("with trees and without, {what}")))
}

fn colours_exchanged(loaded: &Loaded, game: &Game) -> Result<(), String> {
    let flip = loaded.symmetry.and_then(|symmetry| Flip::new(&loaded.set.variant, symmetry));
    let Some(flip) = flip.filter(|_| game.start_dice().is_empty()) else { return Ok(()) };
    let begin = |start| State::new(Arc::clone(&loaded.set), start).map_err(|error| error.to_string());
    let (mut one, mut two) = (begin(game.start().clone())?, begin(flip.position(game.start()))?);
    let told = |number: usize, what: String| {
        Err(format!("the script says 'symmetric', but with colours exchanged, after {number} events, {what}"))
    };
    for (number, entry) in game.entries().iter().enumerate().take(EXCHANGED) {
        if let Some(what) = flip.difference(&one, &two) {
            return told(number, what);
        }
        let Some(event) = flip.event(&entry.event, &one, &two) else {
            return told(number, "something else can happen".into());
        };
        apply(&mut one, &entry.event).map_err(|error| error.to_string())?;
        apply(&mut two, &event).or_else(|error| told(number, error.to_string()))?;
    }
    let number = game.entries().len().min(EXCHANGED);
    flip.difference(&one, &two).map_or(Ok(()), |what| told(number, what))
}

/// Why an event cannot happen in a state.
#[derive(Clone, Debug, Error)]
pub enum EventError {
    /// The state does not allow it.
    #[error("{0:?} is not possible")]
    Impossible(Event),
    /// A rule fails.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// Lets an event happen in a state.
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

/// Something that can happen now, by chance; `None` when the game is over.
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
