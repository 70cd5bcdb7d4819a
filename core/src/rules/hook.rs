//! The numbers of rules, and the rules that the engine calls.

/// The number of a rule. The first few are the hooks of [`Hook`]; the source numbers others (tests of moves and squares)
/// when it first encounters them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u32);

/// The rules that the engine calls. All are optional.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u16)]
pub enum Hook {
    /// A turn, from its roll to its last move. Default: one free move.
    Turn = 0,
    /// Resolves a capture: slot 0 holds the move. Default: the capture succeeds.
    Capture = 1,
    /// The winner; runs between turns and whenever a turn goes on after a move. Default: none.
    Outcome = 2,
    /// The preparation before the first turn, in games that begin from the starting position. Default: nothing.
    Prepare = 3,
    /// The moves of the pieces of the side to move: a permit that replaces the moves of their kinds in questions about
    /// check, mate and the safety of royals. Default: the moves of their kinds.
    Movement = 4,
}

impl Hook {
    /// All hooks, in the order of their numbers.
    pub(crate) const ALL: [Hook; 5] = [Hook::Turn, Hook::Capture, Hook::Outcome, Hook::Prepare, Hook::Movement];

    /// The hook's rule number.
    pub fn id(self) -> RuleId {
        RuleId(self as u32)
    }

    /// The number of slots that are filled when its rule begins: `capture` holds the move.
    pub(crate) fn held(self) -> usize {
        usize::from(self == Hook::Capture)
    }
}
