//! Positions as texts: FEN for every variant, with counters, traits, hands, dice and the turn so far.

use super::{in_time, points_into, seen, step};
use astragal_core::{Game, Side, Status, Stream};
use astragal_dsl::notation::fen::{self, Placed};
use astragal_dsl::{Loaded, turn_state_text, view};

/// How far games are played from a position that was read.
const PLIES: usize = 3;

/// A position is read, written and read again as the same, and a game from it can be played, saved at any moment, and
/// continued; or it is refused with a place.
///
/// # Panics
/// If a property does not hold.
pub fn position(loaded: &Loaded, text: &str) {
    in_time("a position", || {
        let variant = &loaded.set.variant;
        let placed = match fen::parse(variant, text) {
            Ok(placed) => placed,
            Err(error) => return points_into(&error, text),
        };
        let written = fen::write_turn(variant, &placed.position, placed.dice.as_deref());
        let again = read(loaded, &written);
        assert_eq!(again.position, placed.position, "{text:?} was written as {written:?}");
        assert_eq!(again.position.hash(), placed.position.hash(), "{written:?}");
        assert_eq!(again.dice, placed.dice, "{written:?}");
        assert_eq!(fen::write_turn(variant, &again.position, again.dice.as_deref()), written);
        for side in 0..variant.sides() as u8 {
            // What one side may know is longer or shorter, but always a text.
            assert!(!fen::write_view(variant, &placed.position, None, Some(Side(side))).is_empty());
        }
        match turn_state_text::begin(loaded, placed, 1) {
            Ok(game) => goes_on(loaded, game),
            Err(why) => assert!(!why.is_empty()),
        }
    });
}

fn read(loaded: &Loaded, text: &str) -> Placed {
    fen::parse(&loaded.set.variant, text).unwrap_or_else(|error| panic!("{}: {}", loaded.name, error.render()))
}

fn goes_on(loaded: &Loaded, mut game: Game) {
    let mut stream = Stream::new(7, 7);
    for ply in 0..=PLIES {
        saved(loaded, &game);
        if ply == PLIES || !step(&mut game, &mut stream) {
            return;
        }
    }
}

/// The game can be saved here and continued.
fn saved(loaded: &Loaded, game: &Game) {
    for viewer in [None, Some(Side(0)), Some(Side(1))] {
        // What one side sees is read as what it is.
        read(loaded, &view::position(loaded, game, viewer));
    }
    if game.status() == Status::Over {
        return;
    }
    let text = turn_state_text::position(loaded, game);
    let again = turn_state_text::begin(loaded, read(loaded, &text), 1);
    let again = again.unwrap_or_else(|why| panic!("{}: {text:?}: {why}", loaded.name));
    assert_eq!(seen(again.state()), seen(game.state()), "{}: {text:?}", loaded.name);
}
