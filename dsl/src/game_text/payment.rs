//! The dice that pay for a move: whether the payment matters, and how it is written before the move, as `6:h1h5`.

use astragal_core::{MoveWithDice, State};

/// Faces as `2,3`.
pub fn faces(faces: &[i16]) -> String {
    faces.iter().map(i16::to_string).collect::<Vec<_>>().join(",")
}

/// Splits `6:h1h5` or `4,6:e1g1` into the dice and the move.
pub fn die_prefix(word: &str) -> (Option<Vec<i16>>, &str) {
    let Some((dice, rest)) = word.trim_start().split_once(':') else { return (None, word) };
    let faces: Result<Vec<i16>, _> = dice.split(',').map(str::parse).collect();
    match faces {
        Ok(faces) => (Some(faces), rest),
        Err(_) => (None, word),
    }
}

/// Writes the dice before a move: the inverse of [`die_prefix`].
pub fn paid_by(dice: &[i16], text: &str) -> String {
    if dice.is_empty() { text.into() } else { format!("{}:{text}", faces(dice)) }
}

/// The text of a move, preceded by the dice if they have to be named. That is the case if other dice could pay for the same
/// move and the turn would then continue differently, or if `paid` is not among the listed payments.
pub fn with_die(state: &State, paid: MoveWithDice, text: &str) -> String {
    let ways: Vec<MoveWithDice> = state.moves().iter().copied().filter(|other| other.mv == paid.mv).collect();
    match !ways.contains(&paid) || has_to_be_named(state, &ways) {
        true => paid_by(&state.price(paid), text),
        false => text.into(),
    }
}

/// Whether a move has to name one of several payments. It does not if the turn ends after each.
pub(super) fn has_to_be_named(state: &State, ways: &[MoveWithDice]) -> bool {
    let goes_on = |&paid: &MoveWithDice| {
        let mut next = state.clone();
        next.play(paid).is_err() || next.over().is_none() && next.turn() == state.turn()
    };
    ways.len() > 1 && ways.iter().any(goes_on)
}

/// Whether two lists name the same dice, in any order.
pub(super) fn same_dice(one: &[i16], other: &[i16]) -> bool {
    let sorted = |dice: &[i16]| {
        let mut dice = dice.to_vec();
        dice.sort_unstable();
        dice
    };
    sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_split_off() {
        assert_eq!(die_prefix("6:h1h5"), (Some(vec![6]), "h1h5"));
        assert_eq!(die_prefix(" -1,6:a1a2:push"), (Some(vec![-1, 6]), "a1a2:push"));
        for other in ["h1h5", "a1a2:push", "O-O:K", ":h1h5", "6,:h1h5"] {
            assert_eq!(die_prefix(other), (None, other));
        }
        assert_eq!(paid_by(&[4, 6], "e1g1"), "4,6:e1g1");
        assert_eq!(paid_by(&[], "e1g1"), "e1g1");
    }
}
