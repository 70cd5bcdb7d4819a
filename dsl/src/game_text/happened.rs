//! Events in a game: the winners, and the automatic events.

use super::options::{faces, variant};
use crate::notation::coord;
use astragal_core::{Game, Note, Side, State, TurnEnd, Variant};

/// A side as the protocol names it.
pub fn ordinal(side: Side) -> &'static str {
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][side.index()]
}

/// A side's name, as "White".
pub fn side_name(variant: &Variant, side: Side) -> &str {
    variant.spec().sides.get(side.index()).map_or("?", |s| s.name.as_str())
}

/// The winners: a side and its partners. Empty in a draw and while the game goes on.
pub fn winners(state: &State) -> Vec<Side> {
    let Some(winner) = state.over().and_then(|over| over.winner) else { return Vec::new() };
    let sides = (0..variant(state).sides()).map(|side| Side(side as u8));
    sides.filter(|&side| side == winner || variant(state).allied(side, winner)).collect()
}

/// A number of half points as people write it: `3` for 6, `2½` for 5.
fn halved(halves: i32) -> String {
    let (sign, halves) = (if halves < 0 { "-" } else { "" }, halves.unsigned_abs());
    match (halves / 2, halves % 2) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, _) => format!("{sign}½"),
        (whole, _) => format!("{sign}{whole}½"),
    }
}

/// The end of the game, on one line; `None` while it continues.
pub fn result(state: &State) -> Option<String> {
    let over = state.over()?;
    let names: Vec<&str> = winners(state).into_iter().map(|side| side_name(variant(state), side)).collect();
    let who = match names.as_slice() {
        [] => "Draw".into(),
        [one] => format!("{one} wins"),
        partners => format!("{} win", partners.join(" and ")),
    };
    let points = over.points.map_or(String::new(), |points| {
        let points = &points[..variant(state).sides()];
        format!(" ({})", points.iter().map(|&halves| halved(halves)).collect::<Vec<_>>().join(":"))
    });
    Some(if over.reason.is_empty() { format!("{who}{points}.") } else { format!("{who}: {}{points}.", over.reason) })
}

/// An automatic event, in one sentence; `None` if it needs no mention.
fn note(variant: &Variant, note: &Note) -> Option<String> {
    match note {
        Note::Failed(made) => {
            let board = variant.board();
            Some(format!("The capture {}x{} did not succeed.", board.name(made.mv.from), board.name(made.mv.to)))
        }
        Note::Made(made) => Some(format!("{} is made.", coord::plain(variant, made.mv))),
        Note::Ended(turn) => {
            let side = side_name(variant, turn.side);
            match turn.end() {
                TurnEnd::Lost => Some(format!("{side} has no move: the turn is lost.")),
                TurnEnd::Ended if turn.answers.asked => Some(format!("{side}'s turn ends.")),
                _ => None,
            }
        }
    }
}

/// The consequences of a game's last event, beyond its answer: notes, and the rules' own words.
pub fn follow_ups(game: &Game) -> Vec<String> {
    let Some(entry) = game.entries().last() else { return Vec::new() };
    let variant = variant(game.state());
    let label = game.state().new_label().map(String::from);
    label.into_iter().chain(notes(variant, &entry.notes)).collect()
}

/// Automatic events, one sentence each. If no side can move for several turns, each side's lost turn is mentioned once.
pub fn notes(variant: &Variant, notes: &[Note]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for text in notes.iter().filter_map(|n| note(variant, n)) {
        if !told.contains(&text) {
            told.push(text);
        }
    }
    told
}

/// A sentence about rerolled dice.
pub fn again(dice: &[i16]) -> String {
    format!("The roll {} is rerolled.", faces(dice))
}

#[cfg(test)]
mod tests {
    use super::halved;

    #[test]
    fn half_points_are_written_with_their_sign() {
        assert_eq!([-1, 0, 5, -5].map(halved), ["-½", "0", "2½", "-2½"]);
    }
}
