//! Events in a game: the winners, and the automatic events.

use super::options::variant;
use super::payment::faces;
use crate::notation::{coord, describe::enumeration};
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
    let names: Vec<String> = winners(state).into_iter().map(|side| side_name(variant(state), side).into()).collect();
    let who = match names.as_slice() {
        [] => "Draw".into(),
        [one] => format!("{one} wins"),
        partners => format!("{} win", enumeration(partners)),
    };
    let points = over.points.map_or(String::new(), |points| {
        let points = &points[..variant(state).sides()];
        format!(" ({})", points.iter().map(|&halves| halved(halves)).collect::<Vec<_>>().join(":"))
    });
    Some(if over.reason.is_empty() { format!("{who}{points}.") } else { format!("{who}: {}{points}.", over.reason) })
}

/// The kinds of automatic events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomaticKind {
    /// A message of the script, in its own words.
    Label,
    /// A capture did not succeed.
    Failed,
    /// A move was made that had been decided earlier.
    Made,
    /// A side lost its turn, because it had no move.
    Lost,
    /// A turn ended early.
    Ended,
}

/// An automatic event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomaticEvent {
    /// Its kind.
    pub kind: AutomaticKind,
    /// The event in one sentence, or the script's own words.
    pub text: String,
}

/// An automatic event, in one sentence; `None` if it needs no mention.
fn note(variant: &Variant, note: &Note) -> Option<AutomaticEvent> {
    let (kind, text) = match note {
        Note::Failed(made) => {
            let (from, to) = (variant.board().name(made.mv.from), variant.board().name(made.mv.to));
            (AutomaticKind::Failed, format!("The capture {from}x{to} did not succeed."))
        }
        Note::Made(made) => (AutomaticKind::Made, format!("{} is made.", coord::plain(variant, made.mv))),
        Note::Ended(turn) => {
            let side = side_name(variant, turn.side);
            match turn.end() {
                TurnEnd::Lost => (AutomaticKind::Lost, format!("{side} has no move: the turn is lost.")),
                TurnEnd::Ended if turn.answers.asked => (AutomaticKind::Ended, format!("{side}'s turn ends.")),
                _ => return None,
            }
        }
    };
    Some(AutomaticEvent { kind, text })
}

/// The consequences of a game's last event, beyond its answer: notes, and the rules' own words.
pub fn follow_ups(game: &Game) -> Vec<AutomaticEvent> {
    let Some(entry) = game.entries().last() else { return Vec::new() };
    let label = game.state().new_label();
    let label = label.map(|text| AutomaticEvent { kind: AutomaticKind::Label, text: text.into() });
    label.into_iter().chain(notes(variant(game.state()), &entry.notes)).collect()
}

/// Automatic events, one sentence each. If no side can move for several turns, each side's lost turn is mentioned once.
pub fn notes(variant: &Variant, notes: &[Note]) -> Vec<AutomaticEvent> {
    let mut told: Vec<AutomaticEvent> = Vec::new();
    for event in notes.iter().filter_map(|n| note(variant, n)) {
        if !told.contains(&event) {
            told.push(event);
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
