//! The squares that correspond to each other for the two sides.
//!
//! A script may declare that its sides are symmetric. If it does not, tracks may show that they are: the places of one
//! side's track correspond to those of the other's. Random games with the sides exchanged then test whether the rules
//! agree; a few events with a difference are enough to reject the symmetry.

use astragal_computer::learned::Features;
use astragal_core::rule::RuleError;
use astragal_core::{Event, Square, State, Status, Stream};
use astragal_dsl::Loaded;
use astragal_dsl::symmetry::Flip;
use std::sync::Arc;

/// The random games that test a correspondence.
const GAMES: u64 = 24;
/// The maximum number of events of such a game.
const EVENTS: usize = 400;

/// For each square the one that corresponds to it for the other side, if the sides of the game are symmetric.
pub fn counterparts(loaded: &Loaded) -> Option<Vec<Square>> {
    let variant = &loaded.set.variant;
    let flip = match loaded.symmetry {
        Some(symmetry) => Flip::new(variant, symmetry)?,
        None => Flip::along_tracks(variant).filter(|flip| agrees(loaded, flip))?,
    };
    Some((0..variant.board().len()).map(|square| flip.square(Square(square as u8))).collect())
}

/// Whether random games take the same course with the sides exchanged.
fn agrees(loaded: &Loaded, flip: &Flip<'_>) -> bool {
    (0..GAMES).all(|game| same(loaded, flip, &mut Stream::new(0x7377_6170, game)).unwrap_or(false))
}

/// Whether a random game takes the same course with the sides exchanged.
fn same(loaded: &Loaded, flip: &Flip<'_>, random: &mut Stream) -> Result<bool, RuleError> {
    let mut one = State::new(Arc::clone(&loaded.set), loaded.start.clone())?;
    let mut two = State::new(Arc::clone(&loaded.set), flip.position(&loaded.start))?;
    for _ in 0..EVENTS {
        if flip.difference(&one, &two).is_some() {
            return Ok(false);
        }
        let event = match one.status() {
            Status::Over => break,
            Status::Chance => {
                let Some(dice) = one.dice().map(Arc::clone) else { return Ok(false) };
                Event::Roll(dice.outcome(one.draw(random)))
            }
            _ => {
                let events = astragal_computer::legal_events(&one);
                events[random.below(events.len() as u64) as usize].clone()
            }
        };
        let Some(other) = flip.event(&event, &one, &two).filter(|event| possible(&two, event)) else {
            return Ok(false);
        };
        astragal_computer::apply(&mut one, &event)?;
        astragal_computer::apply(&mut two, &other)?;
    }
    let points = |state: &State| state.over().and_then(|over| over.points).map(|points| (points[0], points[1]));
    Ok(points(&one) == points(&two).map(|(first, second)| (second, first)))
}

/// Whether a state permits an event.
fn possible(state: &State, event: &Event) -> bool {
    match event {
        Event::Roll(faces) => {
            let index = state.dice().and_then(|dice| dice.index_of(faces));
            index.is_some_and(|index| state.can_roll(index))
        }
        other => astragal_computer::legal_events(state).contains(other),
    }
}

/// The features of a variant, seen by the side to roll where the sides are symmetric.
pub fn features(loaded: &Loaded) -> Features {
    Features::new(&loaded.set.variant, counterparts(loaded))
}
