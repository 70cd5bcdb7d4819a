//! Turns of several moves paid with dice: what must be used, and what may be played next.
//!
//! A [`Plan`] is what a rule asks for, a [`Progress`] how far a turn has come. Obligations that look
//! ahead over the whole turn are judged by walking all sequences once, remembered by position and
//! unused dice, since most sequences transpose.

mod waste;

pub use waste::Unpaid;

use crate::army::{KindMask, Side};
use crate::dice::{Stream, mix};
use crate::moves::Move;
use crate::permit::Permit;
use crate::position::{Made, Position};
use crate::rule::RuleError;
use crate::square::SquareSet;
use crate::value::View;
use crate::variant::Variant;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The most dice that one plan may have.
pub const MAX_DICE: usize = 16;

/// What the player owes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Obligation {
    /// A die that can be used when it is its turn must be used; no look-ahead.
    #[default]
    Each,
    /// As many dice as any sequence of moves can use.
    MostDice,
    /// As many moves as any sequence can have.
    MostMoves,
    /// All dice, or none at all.
    All,
    /// Nothing: the player may stop at any time.
    Free,
}

/// Several dice together paying for one move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Bundle {
    /// The faces spent.
    pub faces: Vec<i16>,
    /// What they pay for.
    pub permit: Permit,
}

/// A turn of several moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plan {
    /// The faces of the dice, in rolling order; at most [`MAX_DICE`].
    pub faces: Vec<i16>,
    /// What each die pays for.
    pub permits: Vec<Permit>,
    /// What several dice together pay for.
    pub bundles: Vec<Bundle>,
    /// What the player owes.
    pub obligation: Obligation,
    /// Whether a piece may move more than once.
    pub same_piece: bool,
    /// Whether the dice must be used in rolling order; a die that is passed over is lost.
    pub in_order: bool,
    /// Whether en passant is possible with the first move of the turn only.
    pub en_passant_first: bool,
    /// Found out by the plan itself: begins as the default.
    pub twins: Twins,
}

/// For each die of a plan the earlier ones, one bit each, with the same face and permit: of dice that are
/// the same, only the first that is unused counts. Worked out once; two plans do not differ by it.
#[derive(Clone, Debug, Default)]
pub struct Twins(OnceCell<Vec<u16>>);

impl Twins {
    fn of(&self, plan: &Plan) -> &[u16] {
        self.0.get_or_init(|| {
            let same = |i: usize, j: usize| plan.faces[j] == plan.faces[i] && plan.permits[j] == plan.permits[i];
            let earlier = |i: usize| (0..i).filter(|&j| same(i, j)).fold(0, |dice, j| dice | 1 << j);
            (0..plan.permits.len()).map(earlier).collect()
        })
    }
}

impl PartialEq for Twins {
    fn eq(&self, _: &Twins) -> bool {
        true
    }
}

impl Eq for Twins {}

impl Hash for Twins {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// How far a turn has come.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Progress {
    /// The unused dice, one bit each.
    pub left: u16,
    /// How much of the obligation is still open, in dice or moves.
    pub owed: u8,
    /// Where the pieces stand that have moved this turn.
    pub moved: SquareSet,
    /// The number of moves made.
    pub made: u8,
}

/// A move with what it costs: the dice spent, one bit each; 0 for a plain move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Paid {
    /// The move.
    pub mv: Move,
    /// The dice.
    pub dice: u16,
}

/// What has been found out about continuations of a turn, so that it is found out once: shared by all
/// states of the turn, since sequences transpose.
#[derive(Debug, Default)]
pub struct Memo {
    uses: HashMap<u64, bool, ByKey>,
    ends: HashMap<u64, bool, ByKey>,
}

/// The keys are mixed already.
pub(crate) type ByKey = BuildHasherDefault<Same>;

/// A hasher that takes a number for its own hash.
#[derive(Clone, Copy, Debug, Default)]
pub struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mix(self.0 ^ u64::from(*byte)));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Room for the moves of one die in most positions.
const ROOM: usize = 64;

/// A point in the look-ahead: the position, the unused dice, and who has moved.
struct Point<'a> {
    view: View<'a>,
    left: u16,
    moved: SquareSet,
    counted: Counted,
}

/// The kinds by whose numbers alone the rules have seen that the game goes on, if that is all they asked
/// about: a move that changes none of these numbers does not end the game, and need not be judged.
type Counted = Option<KindMask>;

/// What a move in the look-ahead leads to, apart from the position.
struct Reached {
    moved: SquareSet,
    ends: bool,
    counted: Counted,
}

/// Whether a move changes no number of these kinds.
fn harmless(made: &Made, kinds: KindMask) -> bool {
    made.mv.is_ordinary() && (made.captured.is_none() || !kinds.contains(made.captured.kind()))
}

impl Point<'_> {
    fn key(&self, more: u8) -> u64 {
        let mut key = self.view.position.hash() ^ mix(u64::from(self.left) | u64::from(more) << 16 | 1 << 32);
        for square in self.moved {
            key = mix(key ^ u64::from(square.0) << 40);
        }
        key
    }
}

impl Plan {
    /// The dice as bits.
    pub fn all(&self) -> u16 {
        ((1u32 << self.faces.len().min(MAX_DICE)) - 1) as u16
    }

    /// The faces of some dice, in rolling order.
    pub fn faces_of(&self, dice: u16) -> Vec<i16> {
        self.faces.iter().enumerate().filter(|(i, _)| dice >> i & 1 != 0).map(|(_, &face)| face).collect()
    }

    /// The turn's beginning.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub fn begin(&self, view: &View<'_>, memo: &mut Memo) -> Result<Progress, RuleError> {
        let mut progress = Progress { left: self.all(), owed: 0, moved: SquareSet::EMPTY, made: 0 };
        self.reassess(view, &mut progress, memo)?;
        Ok(progress)
    }

    /// Works out what is owed: at the beginning, and after a capture that did not succeed, for the
    /// look-ahead counts captures as certain.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub fn reassess(&self, view: &View<'_>, progress: &mut Progress, memo: &mut Memo) -> Result<(), RuleError> {
        progress.owed = 0;
        if !self.looks_ahead() {
            return Ok(());
        }
        let counted = view.rules.counted(view)?;
        let point = Point { view: *view, left: progress.left, moved: progress.moved, counted };
        for owed in (1..=progress.left.count_ones() as u8).rev() {
            if self.can_use(&point, owed, memo)? {
                progress.owed = owed;
                break;
            }
        }
        let all = u32::from(progress.owed) == progress.left.count_ones();
        if self.obligation == Obligation::All && !all && !self.can_end(&point, memo)? {
            progress.left = 0;
        }
        Ok(())
    }

    /// What may be played next, with its price; nothing when the turn is complete.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub fn options(
        &self,
        view: &View<'_>,
        progress: &Progress,
        memo: &mut Memo,
        out: &mut Vec<Paid>,
    ) -> Result<(), RuleError> {
        let before = out.len();
        self.payable(view, progress.left, progress.moved, out)?;
        if !self.looks_ahead() {
            return Ok(());
        }
        let (mut kept, mut scratch, counted) = (before, view.position.clone(), view.rules.counted(view)?);
        for i in before..out.len() {
            if self.completes(view, progress, out[i], counted, memo, &mut scratch)? {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
        Ok(())
    }

    /// Draws one of the moves that [`Plan::options`] would list, each with the same chance; `None` if
    /// there are none. Only the moves drawn are looked at further.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub fn draw(
        &self,
        view: &View<'_>,
        progress: &Progress,
        memo: &mut Memo,
        stream: &mut Stream,
        room: &mut Vec<Paid>,
    ) -> Result<Option<Paid>, RuleError> {
        self.payable(view, progress.left, progress.moved, room)?;
        let (mut drawn, mut scratch, mut counted) = (None, None, None);
        while drawn.is_none() && !room.is_empty() {
            let paid = room.swap_remove(stream.below(room.len() as u64) as usize);
            let fits = !self.looks_ahead() || {
                if scratch.is_none() {
                    counted = view.rules.counted(view)?;
                }
                let scratch = scratch.get_or_insert_with(|| view.position.clone());
                self.completes(view, progress, paid, counted, memo, scratch)?
            };
            drawn = fits.then_some(paid);
        }
        room.clear();
        Ok(drawn)
    }

    /// Whether the turn can still be completed after a move: by using what is owed, or by ending the
    /// game.
    fn completes(
        &self,
        view: &View<'_>,
        progress: &Progress,
        paid: Paid,
        counted: Counted,
        memo: &mut Memo,
        scratch: &mut Position,
    ) -> Result<bool, RuleError> {
        let owed = progress.owed.saturating_sub(self.worth(paid.dice));
        if owed == 0 && progress.owed > 0 {
            return Ok(true);
        }
        let reached = self.after(view, paid, progress.moved, counted, scratch)?;
        if reached.ends {
            return Ok(true);
        }
        let view = View { position: scratch, ..*view };
        let left = self.rest(progress.left, paid.dice);
        let point = Point { view, left, moved: reached.moved, counted: reached.counted };
        Ok(progress.owed > 0 && self.can_use(&point, owed, memo)? || self.can_end(&point, memo)?)
    }

    /// Notes that a move has been made and paid.
    pub fn advance(&self, progress: &mut Progress, paid: Paid) {
        progress.left = self.rest(progress.left, paid.dice);
        progress.owed = progress.owed.saturating_sub(self.worth(paid.dice));
        progress.made += 1;
        self.follow(&mut progress.moved, paid.mv);
    }

    fn looks_ahead(&self) -> bool {
        matches!(self.obligation, Obligation::MostDice | Obligation::MostMoves | Obligation::All)
    }

    /// The dice left after some are spent.
    fn rest(&self, left: u16, spent: u16) -> u16 {
        let passed_over = if self.in_order { (1u32 << spent.trailing_zeros().min(16)) as u16 - 1 } else { 0 };
        left & !spent & !passed_over
    }

    fn worth(&self, dice: u16) -> u8 {
        if self.obligation == Obligation::MostMoves { 1 } else { dice.count_ones() as u8 }
    }

    /// A piece keeps its mark wherever it goes; a piece captured takes its mark along.
    fn follow(&self, moved: &mut SquareSet, mv: Move) {
        if !self.same_piece {
            moved.remove(mv.from);
            moved.insert(mv.to);
        }
    }

    /// Every move that some unused dice pay for. Dice with equal faces are the same: the first is used.
    fn payable(&self, view: &View<'_>, left: u16, moved: SquareSet, out: &mut Vec<Paid>) -> Result<(), RuleError> {
        let mut moves = Vec::with_capacity(ROOM);
        let one_only = self.in_order && !self.looks_ahead();
        for (dice, permit) in self.singles(left) {
            moves.clear();
            permit.moves(view, &mut moves)?;
            let before = out.len();
            out.extend(moves.iter().filter(|mv| self.fresh(moved, **mv)).map(|&mv| Paid { mv, dice }));
            if one_only && out.len() > before {
                return Ok(());
            }
        }
        for (dice, permit) in self.together(left) {
            moves.clear();
            permit.moves(view, &mut moves)?;
            out.extend(moves.iter().filter(|mv| self.fresh(moved, **mv)).map(|&mv| Paid { mv, dice }));
        }
        Ok(())
    }

    /// Whether some unused dice pay for a move.
    fn can_pay(&self, view: &View<'_>, left: u16, moved: SquareSet) -> Result<bool, RuleError> {
        let mut moves = Vec::new();
        for (_, permit) in self.offers(left) {
            let found = if moved.is_empty() {
                permit.exists(view)?
            } else {
                moves.clear();
                permit.moves(view, &mut moves)?;
                moves.iter().any(|mv| self.fresh(moved, *mv))
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What unused dice pay for: the dice, and the permit.
    fn offers(&self, left: u16) -> impl Iterator<Item = (u16, &Permit)> {
        self.singles(left).chain(self.together(left))
    }

    /// As [`Plan::offers`], die by die.
    fn singles(&self, left: u16) -> impl Iterator<Item = (u16, &Permit)> {
        let twins = self.twins.of(self);
        let first = move |&(i, _): &(usize, _)| left >> i & 1 != 0 && left & twins[i] == 0;
        self.permits.iter().enumerate().filter(first).map(|(i, permit)| (1 << i, permit))
    }

    /// As [`Plan::offers`], several dice together.
    fn together(&self, left: u16) -> impl Iterator<Item = (u16, &Permit)> {
        self.bundles.iter().filter_map(move |bundle| Some((self.pick(left, &bundle.faces)?, &bundle.permit)))
    }

    fn fresh(&self, moved: SquareSet, mv: Move) -> bool {
        mv.dropped().is_some() || !moved.contains(mv.from)
    }

    /// Unused dice that show these faces.
    pub(crate) fn pick(&self, left: u16, faces: &[i16]) -> Option<u16> {
        let mut picked = 0;
        for face in faces {
            let die = (0..self.faces.len()).find(|&i| (left & !picked) >> i & 1 != 0 && self.faces[i] == *face)?;
            picked |= 1 << die;
        }
        Some(picked)
    }

    /// Makes `position` the one after a move (captures succeed).
    fn after(
        &self,
        view: &View<'_>,
        paid: Paid,
        moved: SquareSet,
        counted: Counted,
        position: &mut Position,
    ) -> Result<Reached, RuleError> {
        position.clone_from(view.position);
        let made = position.make(view.variant, paid.mv);
        if self.en_passant_first {
            forget_en_passant(view.variant, position, view.position.side());
        }
        let counted = counted.filter(|&kinds| harmless(&made, kinds));
        let ends = counted.is_none() && view.rules.ends(&View { position, ..*view })?;
        let mut moved = moved;
        self.follow(&mut moved, paid.mv);
        Ok(Reached { moved, ends, counted })
    }

    /// Whether some sequence uses at least `owed` dice (or moves).
    fn can_use(&self, point: &Point<'_>, owed: u8, memo: &mut Memo) -> Result<bool, RuleError> {
        if owed == 0 {
            return Ok(true);
        }
        if u32::from(owed) > point.left.count_ones() {
            return Ok(false);
        }
        if owed == 1 {
            return self.can_pay(&point.view, point.left, point.moved);
        }
        let key = point.key(owed);
        if let Some(&known) = memo.uses.get(&key) {
            return Ok(known);
        }
        let (mut moves, mut scratch) = (Vec::with_capacity(ROOM), point.view.position.clone());
        let mut found = false;
        'search: for (dice, permit) in self.offers(point.left) {
            let worth = self.worth(dice);
            moves.clear();
            permit.moves(&point.view, &mut moves)?;
            for &mv in moves.iter().filter(|mv| self.fresh(point.moved, **mv)) {
                if worth >= owed {
                    found = true;
                    break 'search;
                }
                let paid = Paid { mv, dice };
                let reached = self.after(&point.view, paid, point.moved, point.counted, &mut scratch)?;
                // Nothing is used after the game has ended.
                let left = if reached.ends { 0 } else { self.rest(point.left, dice) };
                let view = View { position: &scratch, ..point.view };
                let next = Point { view, left, moved: reached.moved, counted: reached.counted };
                if self.can_use(&next, owed - worth, memo)? {
                    found = true;
                    break 'search;
                }
            }
        }
        memo.uses.insert(key, found);
        Ok(found)
    }

    /// Whether some sequence ends the game.
    fn can_end(&self, point: &Point<'_>, memo: &mut Memo) -> Result<bool, RuleError> {
        if point.left == 0 {
            return Ok(false);
        }
        let key = point.key(0);
        if let Some(&known) = memo.ends.get(&key) {
            return Ok(known);
        }
        let mut options = Vec::with_capacity(ROOM);
        self.payable(&point.view, point.left, point.moved, &mut options)?;
        let (mut found, mut scratch) = (false, point.view.position.clone());
        for paid in options {
            let reached = self.after(&point.view, paid, point.moved, point.counted, &mut scratch)?;
            let view = View { position: &scratch, ..point.view };
            let left = self.rest(point.left, paid.dice);
            let next = Point { view, left, moved: reached.moved, counted: reached.counted };
            if reached.ends || self.can_end(&next, memo)? {
                found = true;
                break;
            }
        }
        memo.ends.insert(key, found);
        Ok(found)
    }
}

/// Ends the rights to capture pieces of other sides than `mover` en passant.
pub(crate) fn forget_en_passant(variant: &Variant, position: &mut Position, mover: Side) {
    if position.en_passant().is_empty() {
        return;
    }
    let rights = position.clone();
    position.retain_en_passant(variant, |right| rights.at(right.victim).belongs_to(mover));
}
