//! One side's observation of an event, and its effect on a world.

use astragal_core::rule::RuleError;
use astragal_core::{Choice, Event, GameError, MoveWithDice, Side, State, Status, Stream};

/// An answer that is hidden from the side, as it was in one world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Hidden {
    /// Dice.
    Roll(Vec<i16>),
    /// A choice.
    Choice(Choice),
}

/// A requested answer; `None` means any.
pub(super) type Wanted = Option<Hidden>;

/// The part of an event that a side learns.
#[derive(Clone, Debug)]
enum Learnt {
    /// Only that an event happened.
    Nothing,
    Roll(Vec<i16>),
    /// A move, and the dice paid for it if known.
    Move(MoveWithDice, Option<Vec<i16>>),
    Pass,
    Choice(Choice),
}

/// A side's observation of an event: the event, and the game's appearance to the side afterwards.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    viewer: Side,
    learnt: Learnt,
    looks: u64,
}

impl Sighting {
    /// Applies an event to the game and records the observation of `viewer`.
    ///
    /// # Errors
    /// If a rule fails or is stopped.
    pub(super) fn of(game: &mut State, event: &Event, viewer: Side) -> Result<Sighting, GameError> {
        let in_sight = game.secret().is_none_or(|side| side == viewer);
        let own = game.chooser() == viewer;
        let learnt = match event {
            Event::Roll(_) | Event::Choice(_) if !in_sight => Learnt::Nothing,
            Event::Roll(faces) => Learnt::Roll(faces.clone()),
            Event::Choice(index) => game.choices().get(*index).cloned().map_or(Learnt::Nothing, Learnt::Choice),
            Event::Move(paid) => Learnt::Move(*paid, (own || !game.hides_from(viewer)).then(|| game.price(*paid))),
            Event::Pass => Learnt::Pass,
        };
        crate::events::apply(game, event)?;
        let looks = game.information_key(viewer);
        game.take_notes();
        Ok(Sighting { viewer, learnt, looks })
    }

    /// Whether the event is hidden from the side.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.learnt, Learnt::Nothing)
    }

    /// Applies the event to a world whose hidden answers so far are `answers`. A hidden event gets a random possible
    /// answer, or the requested one. False if the event is impossible, or the world then disagrees with the observation.
    ///
    /// # Errors
    /// If the rules are stopped.
    pub(super) fn apply(
        &self,
        world: &mut State,
        answers: &mut Vec<Hidden>,
        wanted: Option<&[Wanted]>,
        stream: &mut Stream,
    ) -> Result<bool, GameError> {
        let done = match (&self.learnt, world.status()) {
            (Learnt::Nothing, _) => {
                let wanted = wanted.and_then(|wanted| wanted.get(answers.len())).and_then(Option::as_ref);
                let Some((event, answer)) = hidden(world, wanted, stream) else { return Ok(false) };
                answers.push(answer);
                crate::events::apply(world, &event)
            }
            (Learnt::Roll(faces), Status::Chance) => {
                let index = world.dice().and_then(|dice| dice.index_of(faces));
                match index.filter(|&index| world.can_roll(index)) {
                    Some(index) => world.roll(index),
                    None => return Ok(false),
                }
            }
            (Learnt::Move(paid, price), Status::Move) => {
                let alike = |other: &&MoveWithDice| {
                    other.mv == paid.mv && price.as_ref().is_none_or(|price| world.price(**other) == *price)
                };
                let alike: Vec<MoveWithDice> = world.moves().iter().filter(alike).copied().collect();
                match alike.len() {
                    0 => return Ok(false),
                    n => world.play(alike[stream.below(n as u64) as usize]),
                }
            }
            (Learnt::Pass, Status::Move | Status::Choice) if world.can_pass() => world.pass(),
            (Learnt::Choice(choice), Status::Choice | Status::Move) => {
                match world.choices().iter().position(|other| other == choice) {
                    Some(index) => world.choose(index),
                    None => return Ok(false),
                }
            }
            _ => return Ok(false),
        };
        if let Err(error) = done {
            return failed(error);
        }
        let agrees = world.information_key(self.viewer) == self.looks;
        world.take_notes();
        Ok(agrees)
    }
}

/// A hidden roll or choice: the requested one if possible, otherwise a random one.
fn hidden(world: &State, wanted: Option<&Hidden>, stream: &mut Stream) -> Option<(Event, Hidden)> {
    match (world.status(), wanted) {
        (Status::Chance, Some(Hidden::Roll(faces))) => {
            let index = world.dice()?.index_of(faces).filter(|&index| world.can_roll(index));
            index.map(|_| (Event::Roll(faces.clone()), Hidden::Roll(faces.clone())))
        }
        (Status::Choice, Some(Hidden::Choice(choice))) => {
            let index = world.choices().iter().position(|other| other == choice)?;
            Some((Event::Choice(index), Hidden::Choice(choice.clone())))
        }
        (_, Some(_)) => None,
        (Status::Chance, None) => {
            let faces = world.dice()?.outcome(world.draw(stream));
            Some((Event::Roll(faces.clone()), Hidden::Roll(faces)))
        }
        (Status::Choice, None) => {
            let choices = world.choices();
            let index = stream.below(choices.len().max(1) as u64) as usize;
            choices.get(index).map(|choice| (Event::Choice(index), Hidden::Choice(choice.clone())))
        }
        _ => None,
    }
}

/// The number of last hidden answers that are changed most often.
const LAST: u64 = 8;

/// Hidden answers that differ a little from those of a world: two of them are swapped, or one is left open. `None` if there
/// are none.
pub(super) fn proposed(answers: &[Hidden], stream: &mut Stream) -> Option<Vec<Wanted>> {
    if answers.is_empty() {
        return None;
    }
    let mut wanted: Vec<Wanted> = answers.iter().cloned().map(Some).collect();
    let count = answers.len() as u64;
    // Much of the distant past has been revealed since.
    let among = if stream.below(2) == 0 { count.min(LAST) } else { count };
    let mut pick = || (count - 1 - stream.below(among)) as usize;
    let (one, other) = (pick(), pick());
    if one != other && stream.below(2) == 0 {
        wanted.swap(one, other);
    } else {
        wanted[one] = None;
    }
    Some(wanted)
}

/// Whether an error requests a stop of all work.
fn failed(error: RuleError) -> Result<bool, GameError> {
    if error.is_stop() { Err(error.into()) } else { Ok(false) }
}
