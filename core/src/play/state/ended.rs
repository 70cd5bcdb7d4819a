//! What a turn came to: the one place that tells turns lost, passed, forced, decided and merely ended apart.
//!
//! The machine notes what was asked and answered as it goes; everything that is said or counted about turns
//! (sentences, histories, records, odds, statistics) is read off that.

use crate::board::piece::Side;

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TurnEnd {
    /// A move was asked for, none was permitted, and none was made.
    Lost,
    /// Its player declined to move, and made no move.
    Passed,
    /// All that was asked in it had one answer only.
    Forced,
    /// Somebody decided something.
    Decided,
    /// Nobody was asked to decide anything: the rules end such turns by themselves, perhaps after a roll, or
    /// because no dice are left.
    Ended,
}

/// What was asked and answered in a turn, by whomever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Answers {
    /// Whether dice were rolled or somebody had something to decide.
    pub asked: bool,
    /// Whether a move was made, be it a capture that failed.
    pub moved: bool,
    /// Whether something else was chosen.
    pub chose: bool,
    /// Whether a player did without a move that he could have made.
    pub(crate) declined: bool,
    /// Whether a move was asked for, with something to pay for it, and none was permitted.
    pub(crate) blocked: bool,
    /// Whether a decision had several answers, as far as is known where moves are drawn and not listed.
    pub(crate) several: bool,
}

impl Answers {
    /// How a turn with these answers ended, or would if it ended now.
    pub(crate) fn end(self) -> TurnEnd {
        match self {
            Answers { moved: false, declined: true, .. } => TurnEnd::Passed,
            Answers { moved: false, blocked: true, .. } => TurnEnd::Lost,
            Answers { moved: false, chose: false, .. } => TurnEnd::Ended,
            Answers { several: true, .. } => TurnEnd::Decided,
            _ => TurnEnd::Forced,
        }
    }
}

/// A turn that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EndedTurn {
    /// Whose turn it was.
    pub side: Side,
    /// The number of its round.
    pub number: u16,
    /// What happened in it.
    pub answers: Answers,
}

impl EndedTurn {
    /// How it ended.
    pub fn end(&self) -> TurnEnd {
        self.answers.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_in_one_way() {
        let base = Answers { asked: true, ..Answers::default() };
        let with = |change: fn(&mut Answers)| {
            let mut answers = base;
            change(&mut answers);
            answers.end()
        };
        assert_eq!(with(|_| {}), TurnEnd::Ended);
        assert_eq!(with(|a| a.blocked = true), TurnEnd::Lost);
        assert_eq!(with(|a| (a.blocked, a.chose) = (true, true)), TurnEnd::Lost, "whatever else was chosen");
        assert_eq!(with(|a| (a.blocked, a.declined) = (true, true)), TurnEnd::Passed, "another move was declined");
        assert_eq!(with(|a| (a.blocked, a.moved) = (true, true)), TurnEnd::Forced, "another move was made");
        assert_eq!(with(|a| (a.declined, a.moved) = (true, true)), TurnEnd::Forced, "no more moves were wanted");
        assert_eq!(with(|a| (a.moved, a.several) = (true, true)), TurnEnd::Decided);
        assert_eq!(with(|a| a.chose = true), TurnEnd::Forced);
    }
}
