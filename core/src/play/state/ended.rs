//! How a turn ended: the one place that distinguishes turns lost, passed, forced, decided and merely ended.
//!
//! The machine notes questions and answers as the turn goes on. All texts and counts about turns (sentences, histories,
//! records, odds, statistics) are derived from these notes.

use crate::board::side::Side;

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TurnEnd {
    /// A move was requested, none was permitted, and none was made.
    Lost,
    /// The player declined to move, and made no move.
    Passed,
    /// Every question in it had a single answer.
    Forced,
    /// A player decided something.
    Decided,
    /// No player was asked to decide anything: the rules end such turns automatically, perhaps after a roll, or because no
    /// dice are left.
    Ended,
}

/// The questions and answers of a turn, of all players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Answers {
    /// Whether dice were rolled or a player had something to decide.
    pub asked: bool,
    /// Whether a move was made, including a failed capture.
    pub moved: bool,
    /// Whether something other than a move was chosen.
    pub chose: bool,
    /// Whether a player passed although a move was possible.
    pub(crate) declined: bool,
    /// Whether a move was requested, with a die or other means to pay for it, and none was permitted.
    pub(crate) blocked: bool,
    /// Whether a choice followed such a request: the rules had an answer to a turn without a permitted move.
    pub(crate) settled: bool,
    /// Whether a decision had several answers, as far as known when moves are drawn and not listed.
    pub(crate) several: bool,
    /// How often a move was requested and none was permitted: once for each such request, and once for each of the [unused
    /// dice](Answers::unused_dice).
    pub forced_passes: u16,
    /// The dice of turns of several moves that were left because they could pay for no permitted move.
    pub unused_dice: u16,
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

    /// A move was requested, and none is permitted.
    pub(crate) fn pass_by_force(&mut self) {
        self.blocked = true;
        self.forced_passes = self.forced_passes.saturating_add(1);
    }

    /// Dice of a turn of several moves pay for no permitted move.
    pub(crate) fn leave_dice(&mut self, dice: u32) {
        let dice = u16::try_from(dice).unwrap_or(u16::MAX);
        self.unused_dice = self.unused_dice.saturating_add(dice);
        self.forced_passes = self.forced_passes.saturating_add(dice);
    }

    /// A choice other than a move is made; `several`: whether there was another answer.
    pub(crate) fn choose(&mut self, several: bool) {
        self.chose = true;
        self.settled |= self.blocked;
        self.several |= several;
    }
}

/// A turn that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EndedTurn {
    /// The side whose turn it was.
    pub side: Side,
    /// The number of its round.
    pub number: u16,
    /// The questions and answers in it.
    pub answers: Answers,
}

impl EndedTurn {
    /// How it ended.
    pub fn end(&self) -> TurnEnd {
        self.answers.end()
    }

    /// How statistics count it: as it [ended](EndedTurn::end), with one exception. A turn without a permitted move in which
    /// the rules then requested another choice, perhaps a pass, counts by that choice: forced or decided, not lost.
    pub fn counts_as(&self) -> TurnEnd {
        match self.end() {
            TurnEnd::Lost if self.answers.settled && self.answers.several => TurnEnd::Decided,
            TurnEnd::Lost if self.answers.settled => TurnEnd::Forced,
            end => end,
        }
    }

    /// Whether moves were made in it, but some dice could not be used for a permitted move.
    pub fn is_cut_short(&self) -> bool {
        self.answers.moved && self.answers.unused_dice > 0
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

    /// A choice made because no move is permitted is not a lost turn in statistics; an earlier choice makes no difference.
    #[test]
    fn a_choice_where_no_move_is_permitted_counts_by_itself() {
        let turn = |change: fn(&mut Answers)| {
            let mut answers = Answers { asked: true, ..Answers::default() };
            change(&mut answers);
            EndedTurn { side: Side::FIRST, number: 1, answers }
        };
        let counted = |change| (turn(change).end(), turn(change).counts_as());
        assert_eq!(counted(|a| a.pass_by_force()), (TurnEnd::Lost, TurnEnd::Lost));
        let passed = |a: &mut Answers| {
            a.pass_by_force();
            a.choose(false);
        };
        assert_eq!(counted(passed), (TurnEnd::Lost, TurnEnd::Forced));
        let decided = |a: &mut Answers| {
            a.pass_by_force();
            a.choose(true);
        };
        assert_eq!(counted(decided), (TurnEnd::Lost, TurnEnd::Decided));
        let before = |a: &mut Answers| {
            a.choose(true);
            a.pass_by_force();
        };
        assert_eq!(counted(before), (TurnEnd::Lost, TurnEnd::Lost));
    }
}
