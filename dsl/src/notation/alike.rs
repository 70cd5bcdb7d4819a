//! Marks that distinguish moves with the same text, in every notation.
//!
//! A text gives the start and end of a move and the promotion. Permits may offer several moves of a piece that agree in
//! these: a capture and a push, or a step and a capture in passing. In move order, the first of them keeps the plain text,
//! which has always meant that move. The others add their sort after a colon, as `a1a2:push`, and a number if that is not
//! enough: `a1a2:push2`. Moves of heaps always include the number of pieces that move, `a1a2:heap3`, with `hit` or `take`
//! if they capture the topmost piece or all.

use astragal_core::{Move, Tag, Taking};

/// The word for a sort of move.
fn word(tag: Tag) -> &'static str {
    match tag {
        Tag::Plain => "plain",
        Tag::Double => "double",
        Tag::EnPassant => "ep",
        Tag::Castle => "castle",
        Tag::Drop => "drop",
        Tag::Push => "push",
        Tag::Over => "over",
        Tag::Heap => "heap",
    }
}

const TAGS: [Tag; 8] =
    [Tag::Plain, Tag::Double, Tag::EnPassant, Tag::Castle, Tag::Drop, Tag::Push, Tag::Over, Tag::Heap];

/// The mark of a heap's move. No other move between the same squares has it.
pub(crate) fn of_heap(mv: Move) -> String {
    let word = match mv.taking() {
        Taking::Nothing => "heap",
        Taking::Topmost => "hit",
        Taking::All => "take",
    };
    format!("{word}{}", mv.carried().min(usize::from(u8::MAX)))
}

/// The suffix of `mv`'s text. `alike` holds the moves with the same text, `mv` included, in any order; the first of them in
/// move order gets an empty suffix.
pub(crate) fn mark(mv: Move, alike: impl Iterator<Item = Move>) -> String {
    let mut before: Vec<Move> = alike.filter(|other| *other < mv).collect();
    before.sort();
    before.dedup();
    if before.is_empty() {
        return String::new();
    }
    if mv.tag == Tag::Heap {
        return format!(":{}", of_heap(mv));
    }
    // The first needs no number: it has no mark.
    match before[1..].iter().filter(|other| other.tag == mv.tag).count() {
        0 => format!(":{}", word(mv.tag)),
        n => format!(":{}{}", word(mv.tag), n + 1),
    }
}

/// Splits the mark off a text, and returns the sort that it names. A text without a mark is returned whole.
pub(crate) fn split(text: &str) -> (&str, Option<Tag>) {
    let Some((plain, mark)) = text.rsplit_once(':') else { return (text, None) };
    let named = mark.trim_end_matches(|c: char| c.is_ascii_digit());
    let heap = ["hit", "take"].contains(&named).then_some(Tag::Heap);
    match TAGS.into_iter().find(|tag| word(*tag) == named).or(heap) {
        Some(tag) => (plain, Some(tag)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Square;

    #[test]
    fn the_first_keeps_its_text() {
        let push = |extra| Move { tag: Tag::Push, extra, ..Move::plain(Square(0), Square(1)) };
        let all = [push(4), push(0), Move::plain(Square(0), Square(1)), push(2)];
        let marks = all.map(|mv| mark(mv, all.into_iter()));
        assert_eq!(marks, [":push3", ":push", "", ":push2"]);
        assert_eq!(mark(push(4), [push(4)].into_iter()), "");
        assert_eq!(mark(push(4), [push(0), push(4)].into_iter()), ":push");
    }

    #[test]
    fn marks_are_split_off() {
        assert_eq!(split("a1a2:push2"), ("a1a2", Some(Tag::Push)));
        assert_eq!(split("exd6:ep"), ("exd6", Some(Tag::EnPassant)));
        assert_eq!(split("a1a2:take3"), ("a1a2", Some(Tag::Heap)));
        for other in ["a1a2", "O-O:K", "6:h1h5", "a1a2:", ":"] {
            assert_eq!(split(other), (other, None));
        }
    }
}
