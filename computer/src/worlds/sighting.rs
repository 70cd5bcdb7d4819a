//! What a side sees of one event, and what becomes of a world by it.

use super::failed;
use astragal_core::{Choice, Event, GameError, Paid, Side, State, Status, Stream};

/// An answer that the side does not know, as it was in one world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Hidden {
    /// Dice.
    Roll(Vec<i16>),
    /// A choice.
    Choice(Choice),
}

/// An answer that worlds are asked to give: nothing stands for any.
pub(super) type Wanted = Option<Hidden>;

/// What a side learns of an event.
#[derive(Clone, Debug)]
enum Learnt {
    /// Nothing but that there was one.
    Nothing,
    Roll(Vec<i16>),
    /// A move; what was paid for it, where that is known.
    Move(Paid, Option<Vec<i16>>),
    Pass,
    Choice(Choice),
}

/// What a side sees when an event happens: the event, and how the game looks to it then.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    viewer: Side,
    learnt: Learnt,
    looks: u64,
}

impl Sighting {
    /// Lets an event happen in the game itself, and keeps what `viewer` sees of it.
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
        let looks = game.sight(viewer);
        game.take_notes();
        Ok(Sighting { viewer, learnt, looks })
    }

    /// Whether the side did not learn what the event was.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.learnt, Learnt::Nothing)
    }

    /// Lets the event happen in a world whose hidden answers so far are `answers`: of a hidden one any that is possible, or
    /// the one that is wanted. False if it cannot, or the world looks otherwise than the game then.
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
                let alike = |other: &&Paid| {
                    other.mv == paid.mv && price.as_ref().is_none_or(|price| world.price(**other) == *price)
                };
                let alike: Vec<Paid> = world.moves().iter().filter(alike).copied().collect();
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
        let agrees = world.sight(self.viewer) == self.looks;
        world.take_notes();
        Ok(agrees)
    }
}

/// A hidden roll or choice: the one that is wanted, if it is possible, else any.
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

/// The hidden answers that are changed most often: the last ones.
const LAST: u64 = 8;

/// Hidden answers that differ a little from those of a world: two of them are exchanged, or one is anything else. `None` if
/// there are none.
pub(super) fn proposed(answers: &[Hidden], stream: &mut Stream) -> Option<Vec<Wanted>> {
    if answers.is_empty() {
        return None;
    }
    let mut wanted: Vec<Wanted> = answers.iter().cloned().map(Some).collect();
    let count = answers.len() as u64;
    // Much of what was long ago has come to light since.
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
