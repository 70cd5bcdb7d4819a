//! Turns of several moves paid with dice: the obligations of the player, and the moves that are possible next.
//!
//! A [`Plan`] is what a rule requests, a [`Progress`] how far a turn has advanced. Obligations that depend on the whole
//! turn are decided by walking all sequences once. Results are cached by position and unused dice, since most sequences
//! transpose.

mod dice_options;
mod unused_dice;

pub use dice_options::Prepared;
pub use unused_dice::Unpaid;

use crate::board::piece::KindMask;
use crate::board::side::Side;
use crate::board::square::SquareSet;
use crate::dice::{Stream, mix};
use crate::movegen::Drawn;
use crate::position::moves::Move;
use crate::position::{Made, Position};
use crate::rules::error::{RuleError, Task};
use crate::rules::meter::COPY;
use crate::rules::permit::Permit;
use crate::rules::rule::Alternatives;
use crate::rules::value::View;
use crate::variant::Variant;
use dice_options::Offer;
use rustc_hash::FxHashMap;

/// The maximum number of dice that one plan may have.
pub const MAX_DICE: usize = 16;

/// The obligations of the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Obligation {
    /// A die that can be used when it is its turn must be used; no look-ahead.
    #[default]
    Each,
    /// As many dice as any sequence of moves can use.
    MostDice,
    /// As many dice as any sequence of moves can use, and among equal numbers those with the highest total.
    MostPips,
    /// As many moves as any sequence can have.
    MostMoves,
    /// All dice, or none at all.
    All,
    /// Nothing: the player may stop at any time.
    Free,
}

/// The weight of a die where pips count too: more than the pips of all dice together.
const A_DIE: i32 = 1 << 20;

/// Several dice that together pay for one move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DiceCombination {
    /// The faces spent.
    pub faces: Vec<i16>,
    /// The moves that they pay for.
    pub permit: Permit,
}

/// Whether the rule that requests several moves runs between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pauses {
    /// It continues when the last move has been made.
    #[default]
    Never,
    /// It continues after each move and then requests the next, with [`Pauses::Resumes`].
    Begins,
    /// It asks for the next move of the turn that paused last. The possible moves are computed anew.
    Resumes,
    /// It abandons the turn that paused last, without asking.
    Ends,
}

/// Alternatives to a move, available wherever some dice can be used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instead {
    /// The texts and squares.
    pub among: Alternatives,
    /// Whether the turn pauses for it. Otherwise it ends the turn, and the remaining dice are not used.
    pub pauses: bool,
}

/// A turn of several moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plan {
    /// The faces of the dice, in rolling order; at most [`MAX_DICE`].
    pub faces: Vec<i16>,
    /// The moves that each die pays for.
    pub permits: Vec<Permit>,
    /// The moves that several dice together pay for.
    pub combinations: Vec<DiceCombination>,
    /// The obligation of the player.
    pub obligation: Obligation,
    /// Whether a piece may move more than once.
    pub same_piece: bool,
    /// Whether the dice must be used in rolling order; a skipped die is lost.
    pub in_order: bool,
    /// Whether en passant is only possible with the first move of the turn.
    pub en_passant_first: bool,
    /// Whether the rule continues after each move, and returns for the next.
    pub pauses: Pauses,
    /// Alternatives to a move. Boxed, since few turns have any.
    pub or: Option<Box<Instead>>,
    /// Computed by the plan; initially the default.
    pub prepared: Prepared,
}

/// The progress of a turn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Progress {
    /// The unused dice, one bit each.
    pub(crate) left: u16,
    /// The part of the obligation that is still open, as [`Plan::worth`] counts it.
    pub(crate) owed: u32,
    /// The squares of the pieces that have moved this turn.
    pub(crate) moved: SquareSet,
    /// The number of moves made.
    pub(crate) made: u8,
}

/// A move with its price: the dice spent, one bit each; 0 for a plain move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveWithDice {
    /// The move.
    pub mv: Move,
    /// The dice.
    pub dice: u16,
}

/// Results about continuations of a turn, shared by all states of the turn, since sequences transpose.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    uses: FxHashMap<u64, bool>,
    ends: FxHashMap<u64, bool>,
    /// Empty lists and arbitrary positions, kept to reuse their memory.
    lists: Vec<Vec<Move>>,
    #[expect(
        clippy::vec_box,
        reason = "positions are often taken out and put back; moving the box is cheaper than moving the position"
    )]
    boards: Vec<Box<Position>>,
}

/// Tables with more entries than this are not kept for the next turn: emptying them would take too long.
const KEPT: usize = 1 << 10;

impl Memo {
    /// Its approximate memory.
    pub(crate) fn bytes(&self) -> usize {
        let entries = self.uses.capacity() + self.ends.capacity();
        let lists: usize = self.lists.iter().map(|list| list.capacity() * size_of::<Move>()).sum();
        size_of::<Memo>() + entries * (size_of::<(u64, bool)>() + 1) + lists + self.boards.len() * size_of::<Position>()
    }

    /// Removes everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        for known in [&mut self.uses, &mut self.ends] {
            if known.capacity() > KEPT {
                *known = FxHashMap::default();
            }
            known.clear();
        }
    }

    /// An empty list; return it after use.
    fn moves(&mut self) -> Vec<Move> {
        let mut moves = self.lists.pop().unwrap_or_else(|| Vec::with_capacity(ROOM));
        moves.clear();
        moves
    }

    /// A position of the same variant with arbitrary contents; return it after use.
    fn board(&mut self, like: &Position) -> Box<Position> {
        self.boards.pop().unwrap_or_else(|| Box::new(like.clone()))
    }
}

/// The capacity for the moves of one die in most positions.
const ROOM: usize = 64;

/// A point in the look-ahead: the position, the unused dice, and the pieces that have moved.
struct LookaheadNode<'a> {
    view: View<'a>,
    left: u16,
    moved: SquareSet,
    counted: Counted,
}

/// If the rules decided that the game goes on by counting pieces of certain kinds and nothing else, these kinds. A move
/// that changes none of these counts does not end the game and needs no adjudication.
type Counted = Option<KindMask>;

/// The result of a move in the look-ahead, apart from the position.
struct Reached {
    moved: SquareSet,
    ends: bool,
    counted: Counted,
}

/// Whether a move changes none of the counts of these kinds.
fn harmless(made: &Made, kinds: KindMask) -> bool {
    made.mv.is_ordinary() && (made.captured.is_none() || !kinds.contains(made.captured.kind()))
}

impl LookaheadNode<'_> {
    fn key(&self, more: u32) -> u64 {
        let mut key = self.view.position.hash() ^ mix(u64::from(self.left) | u64::from(more) << 16 | 1 << 63);
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

    /// The faces of some dice, one bit each, in rolling order.
    pub fn faces_of(&self, dice: u16) -> Vec<i16> {
        self.faces_in(dice).collect()
    }

    fn faces_in(&self, dice: u16) -> impl Iterator<Item = i16> + '_ {
        self.faces.iter().enumerate().filter(move |(i, _)| dice >> i & 1 != 0).map(|(_, &face)| face)
    }

    /// Begins the turn.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub(crate) fn begin(&self, view: &View<'_>, memo: &mut Memo) -> Result<Progress, RuleError> {
        let mut progress = Progress { left: self.all(), owed: 0, moved: SquareSet::EMPTY, made: 0 };
        self.reassess(view, &mut progress, memo)?;
        Ok(progress)
    }

    /// Computes the obligation: at the beginning, and after a failed capture, since the look-ahead counts captures as
    /// certain.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub(crate) fn reassess(&self, view: &View<'_>, progress: &mut Progress, memo: &mut Memo) -> Result<(), RuleError> {
        progress.owed = 0;
        if !self.looks_ahead() {
            return Ok(());
        }
        let counted = view.rules.counted(view)?;
        let point = LookaheadNode { view: *view, left: progress.left, moved: progress.moved, counted };
        progress.owed = self.best(&point, memo)?;
        let all = progress.owed == progress.left.count_ones();
        if self.obligation == Obligation::All && !all && !self.can_end(&point, memo)? {
            progress.left = 0;
        }
        Ok(())
    }

    /// The moves that are possible next, with their prices; empty when the turn is complete.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub(crate) fn options(
        &self,
        view: &View<'_>,
        progress: &Progress,
        memo: &mut Memo,
        out: &mut Vec<MoveWithDice>,
    ) -> Result<(), RuleError> {
        let before = out.len();
        self.payable(view, progress.left, progress.moved, memo, out)?;
        if !self.looks_ahead() {
            return Ok(());
        }
        let (mut kept, mut scratch, counted) = (before, memo.board(view.position), view.rules.counted(view)?);
        for i in before..out.len() {
            if self.completes(view, progress, out[i], counted, memo, &mut scratch)? {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
        memo.boards.push(scratch);
        Ok(())
    }

    /// Draws one of the moves that [`Plan::options`] would list, each with the same chance; `None` if there are none. Only
    /// drawn moves are examined further.
    ///
    /// # Errors
    /// If a rule that is consulted fails.
    pub(crate) fn draw(
        &self,
        view: &View<'_>,
        progress: &Progress,
        memo: &mut Memo,
        stream: &mut Stream,
        room: &mut Vec<MoveWithDice>,
        counts_others: bool,
    ) -> Result<Option<Drawn<MoveWithDice>>, RuleError> {
        self.payable(view, progress.left, progress.moved, memo, room)?;
        let (mut drawn, mut scratch, mut counted) = (None, None, None);
        let mut fits = |paid| {
            if !self.looks_ahead() {
                return Ok(true);
            }
            if scratch.is_none() {
                counted = view.rules.counted(view)?;
            }
            let scratch = scratch.get_or_insert_with(|| memo.board(view.position));
            self.completes(view, progress, paid, counted, memo, scratch)
        };
        while drawn.is_none() && !room.is_empty() {
            let paid = room.swap_remove(stream.below(room.len() as u64) as usize);
            drawn = fits(paid)?.then_some(Drawn { chosen: paid, alone: false });
        }
        if let Some(drawn) = drawn.as_mut().filter(|_| counts_others) {
            drawn.alone = true;
            while let Some(paid) = room.pop().filter(|_| drawn.alone) {
                drawn.alone = !fits(paid)?;
            }
        }
        room.clear();
        memo.boards.extend(scratch);
        Ok(drawn)
    }

    /// Whether the turn can still be completed after a move: by meeting the obligation, or by ending the game.
    fn completes(
        &self,
        view: &View<'_>,
        progress: &Progress,
        paid: MoveWithDice,
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
        let point = LookaheadNode { view, left, moved: reached.moved, counted: reached.counted };
        Ok(progress.owed > 0 && self.can_use(&point, owed, memo)? || self.can_end(&point, memo)?)
    }

    /// Records that a move has been made and paid. Returns how many dice were skipped, if their order counts.
    pub(crate) fn advance(&self, progress: &mut Progress, paid: MoveWithDice) -> u32 {
        let passed_over = progress.left & !paid.dice & !self.rest(progress.left, paid.dice);
        progress.left = self.rest(progress.left, paid.dice);
        progress.owed = progress.owed.saturating_sub(self.worth(paid.dice));
        progress.made += 1;
        self.follow(&mut progress.moved, paid.mv);
        passed_over.count_ones()
    }

    /// Whether the obligation depends on all sequences of moves.
    pub(crate) fn looks_ahead(&self) -> bool {
        !matches!(self.obligation, Obligation::Each | Obligation::Free)
    }

    /// The dice left after some are spent, one bit each: if the order counts, those before them are lost.
    pub fn rest(&self, left: u16, spent: u16) -> u16 {
        let passed_over = if self.in_order { (1u32 << spent.trailing_zeros().min(16)) as u16 - 1 } else { 0 };
        left & !spent & !passed_over
    }

    /// The value of a move that some dice pay for: dice and their pips, moves, or dice.
    fn worth(&self, dice: u16) -> u32 {
        match self.obligation {
            Obligation::MostMoves => 1,
            Obligation::MostPips => self.faces_in(dice).map(|face| (A_DIE + i32::from(face)) as u32).sum(),
            _ => dice.count_ones(),
        }
    }

    /// The dice (or moves) in a value of [`Plan::worth`], and the pips, if they count.
    fn parts(&self, worth: u32) -> (u32, i32) {
        let dice = (worth as i32 + A_DIE / 2) / A_DIE;
        if self.obligation == Obligation::MostPips { (dice as u32, worth as i32 - dice * A_DIE) } else { (worth, 0) }
    }

    /// The greatest value that some sequence uses from here, as [`Plan::worth`] counts it.
    fn best(&self, point: &LookaheadNode<'_>, memo: &mut Memo) -> Result<u32, RuleError> {
        let worths = match self.obligation {
            Obligation::MostPips => self.worths(point.left),
            _ => (1..=point.left.count_ones()).collect(),
        };
        for owed in worths.into_iter().rev() {
            if self.can_use(point, owed, memo)? {
                return Ok(owed);
            }
        }
        Ok(0)
    }

    /// The possible values of subsets of these dice, in order, each once; excluding zero.
    fn worths(&self, left: u16) -> Vec<u32> {
        let mut all = vec![0];
        for die in (0..self.faces.len()).map(|i| left & 1 << i).filter(|&die| die != 0) {
            let more: Vec<u32> = all.iter().map(|worth| worth + self.worth(die)).collect();
            all.extend(more);
            all.sort_unstable();
            all.dedup();
        }
        all.split_off(1)
    }

    /// A piece keeps its mark as it moves; a captured piece loses it.
    fn follow(&self, moved: &mut SquareSet, mv: Move) {
        if !self.same_piece {
            moved.remove(mv.from);
            moved.insert(mv.to);
        }
    }

    /// Every move that some unused dice pay for. Of equivalent dice the first is used.
    fn payable(
        &self,
        view: &View<'_>,
        left: u16,
        moved: SquareSet,
        memo: &mut Memo,
        out: &mut Vec<MoveWithDice>,
    ) -> Result<(), RuleError> {
        let mut moves = memo.moves();
        let one_only = self.in_order && !self.looks_ahead();
        for offer in self.offers(left) {
            moves.clear();
            offer.moves(view, &mut moves)?;
            let before = out.len();
            let fresh = moves.iter().filter(|mv| self.fresh(moved, **mv));
            out.extend(fresh.map(|&mv| MoveWithDice { mv, dice: offer.dice }));
            if one_only && offer.single && out.len() > before {
                break;
            }
        }
        memo.lists.push(moves);
        Ok(())
    }

    fn fresh(&self, moved: SquareSet, mv: Move) -> bool {
        mv.dropped().is_some() || !moved.contains(mv.from)
    }

    /// The same payment with dice that show these faces, in any order, if they are unused and equivalent. If the order of
    /// dice counts, it stays the listed payment, since using another die would skip this one.
    pub(crate) fn paid_with(&self, left: u16, paid: MoveWithDice, faces: &[i16]) -> Option<MoveWithDice> {
        let sorted = |mut faces: Vec<i16>| {
            faces.sort_unstable();
            faces
        };
        if sorted(self.faces_of(paid.dice)) == sorted(faces.to_vec()) {
            return Some(paid);
        }
        let dice = self.pick(left, faces)?;
        let same = self.same_price(paid.dice, dice);
        same.then_some(if self.in_order { paid } else { MoveWithDice { dice, ..paid } })
    }

    /// Whether a payment for an offered move is equivalent to the listed one: see [`Plan::paid_with`].
    pub(crate) fn accepts(&self, left: u16, listed: MoveWithDice, paid: MoveWithDice) -> bool {
        let unused = paid.dice & !left == 0 && !self.in_order;
        listed == paid || unused && listed.mv == paid.mv && self.same_price(listed.dice, paid.dice)
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

    /// Turns `position` into the one after a move (captures succeed).
    fn after(
        &self,
        view: &View<'_>,
        paid: MoveWithDice,
        moved: SquareSet,
        counted: Counted,
        position: &mut Position,
    ) -> Result<Reached, RuleError> {
        view.rules.meter().charge(Task::Planning, COPY)?;
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

    /// Whether some sequence uses at least this much.
    fn can_use(&self, point: &LookaheadNode<'_>, owed: u32, memo: &mut Memo) -> Result<bool, RuleError> {
        if owed == 0 {
            return Ok(true);
        }
        if owed == 1 {
            return Ok(point.left != 0 && self.can_pay(&point.view, point.left, point.moved)?);
        }
        let most = match self.obligation {
            Obligation::MostPips => self.worth(point.left),
            _ => point.left.count_ones(),
        };
        if owed > most {
            return Ok(false);
        }
        let key = point.key(owed);
        if let Some(&known) = memo.uses.get(&key) {
            return Ok(known);
        }
        let (mut moves, mut scratch) = (memo.moves(), memo.board(point.view.position));
        let found = self.finds_use(point, owed, memo, &mut moves, &mut scratch)?;
        memo.lists.push(moves);
        memo.boards.push(scratch);
        memo.uses.insert(key, found);
        Ok(found)
    }

    /// [`Plan::can_use`] by trying all moves; `moves` and `scratch` are buffers.
    fn finds_use(
        &self,
        point: &LookaheadNode<'_>,
        owed: u32,
        memo: &mut Memo,
        moves: &mut Vec<Move>,
        scratch: &mut Position,
    ) -> Result<bool, RuleError> {
        for offer in self.offers(point.left) {
            // Written out twice: moves listed by masks require no test function.
            if !offer.is_listed(&point.view) {
                let mut leads_on = |mv| self.leads_on(point, offer, mv, owed, memo, scratch);
                if offer.permit.any_move(&point.view, &mut leads_on)? {
                    return Ok(true);
                }
                continue;
            }
            moves.clear();
            offer.moves(&point.view, moves)?;
            for &mv in moves.iter() {
                if self.leads_on(point, offer, mv, owed, memo, scratch)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a move, paid by an offer, leaves enough to use.
    #[inline(always)]
    fn leads_on(
        &self,
        point: &LookaheadNode<'_>,
        offer: Offer<'_>,
        mv: Move,
        owed: u32,
        memo: &mut Memo,
        scratch: &mut Position,
    ) -> Result<bool, RuleError> {
        let worth = self.worth(offer.dice);
        if !self.fresh(point.moved, mv) {
            return Ok(false);
        }
        if worth >= owed {
            return Ok(true);
        }
        let reached =
            self.after(&point.view, MoveWithDice { mv, dice: offer.dice }, point.moved, point.counted, scratch)?;
        // Dice are not used after the game has ended.
        let left = if reached.ends { 0 } else { self.rest(point.left, offer.dice) };
        let view = View { position: scratch, ..point.view };
        let next = LookaheadNode { view, left, moved: reached.moved, counted: reached.counted };
        self.can_use(&next, owed - worth, memo)
    }

    /// Whether some sequence ends the game.
    fn can_end(&self, point: &LookaheadNode<'_>, memo: &mut Memo) -> Result<bool, RuleError> {
        if point.left == 0 {
            return Ok(false);
        }
        let key = point.key(0);
        if let Some(&known) = memo.ends.get(&key) {
            return Ok(known);
        }
        let mut options = Vec::with_capacity(ROOM);
        self.payable(&point.view, point.left, point.moved, memo, &mut options)?;
        let (mut found, mut scratch) = (false, memo.board(point.view.position));
        for paid in options {
            let reached = self.after(&point.view, paid, point.moved, point.counted, &mut scratch)?;
            let view = View { position: &scratch, ..point.view };
            let left = self.rest(point.left, paid.dice);
            let next = LookaheadNode { view, left, moved: reached.moved, counted: reached.counted };
            if reached.ends || self.can_end(&next, memo)? {
                found = true;
                break;
            }
        }
        memo.boards.push(scratch);
        memo.ends.insert(key, found);
        Ok(found)
    }
}

/// Ends the rights to capture pieces of sides other than `mover` en passant.
pub(crate) fn forget_en_passant(variant: &Variant, position: &mut Position, mover: Side) {
    if position.en_passant().is_empty() {
        return;
    }
    let rights = position.clone();
    position.retain_en_passant(variant, |right| rights.at(right.victim).belongs_to(mover));
}
