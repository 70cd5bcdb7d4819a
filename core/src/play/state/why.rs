//! Explains why a move can or cannot be made now: the board first, then the rules of the turn.

use super::{State, Status};
use crate::board::piece::KindMask;
use crate::board::square::Square;
use crate::movegen::Safety;
use crate::movegen::explain::{CastlingFaults, Exposure, Obstacle, Question, Wish};
use crate::position::moves::{Move, Tag};
use crate::rules::error::{RuleError, SourceLocation};
use crate::rules::hook::RuleId;
use crate::rules::movement;
use crate::rules::permit::{Permit, Refusal};
use crate::rules::plan::{MoveWithDice, Unpaid};
use crate::rules::query::Answer;
use crate::rules::rule::{Decision, Step};
use crate::rules::walker::Walker;

/// The reason why a move is not permitted now.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// The game is over.
    Over,
    /// A roll comes first.
    RollDue,
    /// Another choice comes first.
    ChoiceDue,
    /// The board does not allow it.
    Board(Obstacle),
    /// The rules of the turn do not permit it.
    Permit(Refusal),
    /// The dice of the turn do not pay for it.
    Unpaid(Unpaid),
    /// The rules do not permit it, for an unknown reason.
    Unknown,
}

/// The answer to [`State::why`].
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// The ways to make it now; empty if it is not permitted.
    pub ways: Vec<MoveWithDice>,
    /// The reasons why it is not permitted, in order of importance.
    pub reasons: Vec<Reason>,
    /// The move, if the board allows it.
    pub mv: Option<Move>,
    /// The place in the script that requests the move, if known.
    pub place: Option<SourceLocation>,
}

impl State {
    /// Explains why a move is or is not permitted now.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub fn why(&self, wish: Wish) -> Result<Why, RuleError> {
        let rules = &*self.walker();
        rules.rest();
        let place = self.place();
        let ways: Vec<MoveWithDice> = self.moves().iter().copied().filter(|paid| meant(paid.mv, wish)).collect();
        let mut why = Why { mv: ways.first().map(|paid| paid.mv), ways, reasons: Vec::new(), place };
        if !why.ways.is_empty() {
            return Ok(why);
        }
        match self.status {
            Status::Over => why.reasons.push(Reason::Over),
            Status::Chance => why.reasons.push(Reason::RollDue),
            Status::Choice if self.permit().is_none() => why.reasons.push(Reason::ChoiceDue),
            Status::Move | Status::Choice => {}
        }
        if self.status == Status::Over {
            return Ok(why);
        }
        let permit = self.permit();
        let offered = self.offered(permit.as_ref());
        let ignores = offered.as_ref().is_some_and(Permit::ignores_safety);
        let question = |safety: Safety| Question {
            variant: &self.set.variant,
            position: &self.position,
            side: self.position.side(),
            safety,
        };
        let view = self.view(rules);
        // If a rule determines how pieces move, safety is tested below.
        let safety = movement::generated(&view, if ignores { Safety::Pseudo } else { Safety::Policy });
        let resolved = question(safety).resolve(wish);
        let mv = match resolved {
            Ok(mv) => mv,
            // The movement of the kinds does not matter if the rules make the moves.
            Err(obstacle) if obstacle.is_of_movement() && offered.as_ref().is_some_and(Permit::makes) => {
                let Some(offered) = offered else { return Ok(why) };
                let made = offered.made_for(&view, wish)?;
                let promotion = if let Wish::Step { promotion, .. } = wish { promotion } else { None };
                if let Some(&mv) = made.iter().find(|mv| mv.promotion() == promotion) {
                    why.mv = Some(mv);
                    why.reasons.push(self.refusal(rules, permit.as_ref(), mv)?);
                    return Ok(why);
                }
                if !made.is_empty() {
                    let kinds: KindMask = made.iter().filter_map(|mv| mv.promotion()).collect();
                    let none = kinds == KindMask::NONE;
                    let obstacle = if none { Obstacle::NoPromotion } else { Obstacle::Promotes(kinds) };
                    why.reasons.push(Reason::Board(obstacle));
                    return Ok(why);
                }
                if offered.leaves_to_board() {
                    why.reasons.push(Reason::Board(obstacle));
                }
                why.reasons.push(Reason::Permit(Refusal::Made(offered.unmade(&view, wish)?)));
                return Ok(why);
            }
            Err(obstacle) => {
                why.reasons.push(Reason::Board(obstacle));
                return Ok(why);
            }
        };
        why.mv = Some(mv);
        if why.reasons.is_empty() {
            why.reasons.push(self.refusal(rules, permit.as_ref(), mv)?);
        }
        Ok(why)
    }

    /// The place in the script that requests the pending input, if known.
    pub fn place(&self) -> Option<SourceLocation> {
        self.decision().and_then(|(rule, answers)| self.set.rules.place(rule, &answers))
    }

    /// The permit of all moves at this decision, for any dice that pay.
    fn offered(&self, permit: Option<&Permit>) -> Option<Permit> {
        let plan = self.plan().map(|(plan, _)| plan);
        let planned =
            plan.iter().flat_map(|plan| plan.permits.iter().chain(plan.combinations.iter().map(|b| &b.permit)));
        permit.into_iter().chain(planned).cloned().reduce(|a, b| Permit::Or(Box::new(a), Box::new(b)))
    }

    /// The reason why the pending decision does not offer a move that the board allows.
    fn refusal(&self, rules: &Walker, permit: Option<&Permit>, mv: Move) -> Result<Reason, RuleError> {
        let view = self.view(rules);
        if let Some(permit) = permit {
            let refusal = permit.refusal(&view, mv)?;
            if let Some(refusal) = refusal {
                return Ok(Reason::Permit(refusal));
            }
            let exposed = movement::why_unsafe(&view, Safety::Policy, mv)?;
            return Ok(exposed.map_or(Reason::Unknown, |exposure| Reason::Board(obstacle(mv, exposure))));
        }
        if let Some((plan, progress)) = self.plan() {
            return Ok(plan.unpaid(&view, progress, mv)?.map_or(Reason::Unknown, Reason::Unpaid));
        }
        Ok(Reason::Unknown)
    }

    /// The permit of the decision, if the rules request one move.
    pub(crate) fn permit(&self) -> Option<Permit> {
        let frame = self.frames.last()?;
        match frame.tree(&self.walker()).step(frame.node) {
            Step::Decide(decision) => match decision.bare() {
                Decision::Play { permit, .. } => Some(Permit::clone(permit)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The waiting rule, and the answers it has received so far; `None` if the game is over.
    pub(crate) fn decision(&self) -> Option<(RuleId, Vec<Answer>)> {
        let frame = self.frames.last()?;
        Some((frame.rule, frame.tree(&self.walker()).path(frame.node)))
    }
}

/// An exposed royal as an obstacle: for castling, an attacked square.
fn obstacle(mv: Move, exposure: Exposure) -> Obstacle {
    match mv.tag {
        Tag::Castle => {
            let attacked = vec![(exposure.royal, exposure.attackers)];
            Obstacle::Castling(Box::new(CastlingFaults { attacked, ..CastlingFaults::default() }))
        }
        _ => Obstacle::Exposed(exposure),
    }
}

/// Whether a move matches a wish.
fn meant(mv: Move, wish: Wish) -> bool {
    match wish {
        Wish::Step { from, to, promotion } => {
            let on_board: [(Square, Square); 1] = [(mv.from, mv.to)];
            !matches!(mv.tag, Tag::Drop | Tag::Castle) && on_board[0] == (from, to) && mv.promotion() == promotion
        }
        Wish::Castle(index) => mv.castling() == Some(index),
        Wish::Drop { kind, to } => mv.dropped() == Some(kind) && mv.to == to,
    }
}
