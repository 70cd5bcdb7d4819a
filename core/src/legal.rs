//! The safety of royal pieces, without making moves.
//!
//! A [`Guard`] is made once per generation. For each own royal it lists the enemy paths that are open
//! or that a single move could open; afterwards a move is tested against that list only. The list is
//! exact because a move empties its origin (and the square of a victim in passing), fills its target,
//! and changes nothing else: a path with more obstacles than that stays shut.

use crate::army::{Kind, Side};
use crate::attack::{Target, enemies, threatened};
use crate::movegen::Safety;
use crate::movement::PathId;
use crate::moves::{Move, Tag};
use crate::position::Position;
use crate::square::{Square, SquareSet};
use crate::variant::{Castle, RoyalCapture, RoyalPolicy, Variant};

/// A path from an enemy to an own royal that is open or may become so.
#[derive(Clone, Copy)]
struct Danger {
    royal: Square,
    attacker: Square,
    path: PathId,
}

const NO_DANGER: Danger = Danger { royal: Square(0), attacker: Square(0), path: 0 };

/// How many dangers are kept without allocating; a royal seldom has more than eight.
const FEW: usize = 16;

/// What endangers the royals of one side in one position.
pub(crate) struct Guard<'a> {
    variant: &'a Variant,
    position: &'a Position,
    side: Side,
    /// Nothing is tested: royals may be left attacked.
    off: bool,
    /// Captures of enemy royals are not tested.
    free: bool,
    occupied: SquareSet,
    few: [Danger; FEW],
    few_len: usize,
    more: Vec<Danger>,
    /// A royal is attacked now.
    check: bool,
    /// Emptying one of these may open a path.
    opening: SquareSet,
    /// Filling one of these may open a path: it may become a screen.
    screens: SquareSet,
}

impl<'a> Guard<'a> {
    pub fn new(variant: &'a Variant, position: &'a Position, side: Side, safety: Safety) -> Guard<'a> {
        let protected = variant.spec.royal_policy == RoyalPolicy::Protected;
        let mut guard = Guard {
            variant,
            position,
            side,
            off: match safety {
                Safety::Pseudo => true,
                Safety::Policy => !protected,
                Safety::Safe => false,
            },
            free: safety == Safety::Policy && variant.spec.royal_capture == RoyalCapture::Free,
            occupied: position.occupied(),
            few: [NO_DANGER; FEW],
            few_len: 0,
            more: Vec::new(),
            check: false,
            opening: SquareSet::EMPTY,
            screens: SquareSet::EMPTY,
        };
        if !guard.off {
            match position.sole_royal(side) {
                Some(royal) => guard.watch(royal),
                None => position.royals(variant, side).into_iter().for_each(|royal| guard.watch(royal)),
            }
        }
        guard
    }

    /// Lists the dangers to one royal.
    fn watch(&mut self, royal: Square) {
        let tables = &self.variant.tables;
        let kind = self.position.at(royal).kind();
        let removed = if self.position.en_passant().is_empty() && !tables.passes_over() { 1 } else { 2 };
        for enemy in enemies(self.variant, self.side) {
            for attacker in self.position.of(enemy) & tables.reach(enemy, royal) {
                let mut id = tables.code(self.position.at(attacker), attacker, royal);
                while id != 0 {
                    let path = tables.path(id);
                    if path.victims.contains(kind) && path.may_open(self.occupied, removed) {
                        self.check |= path.open(self.occupied);
                        self.opening |= path.clear | path.hop;
                        self.screens |= path.hop;
                        self.add(Danger { royal, attacker, path: id });
                    }
                    id = path.next;
                }
            }
        }
    }

    fn add(&mut self, danger: Danger) {
        if self.few_len < FEW {
            self.few[self.few_len] = danger;
            self.few_len += 1;
        } else {
            self.more.push(danger);
        }
    }

    /// The squares of the own pieces whose every move must be tested. Moves of all others are safe
    /// unless they end on one of the [screens](Guard::screens) or are en passant.
    #[inline]
    pub fn wary(&self) -> SquareSet {
        if self.off {
            SquareSet::EMPTY
        } else if self.check {
            self.position.of(self.side)
        } else {
            self.opening | self.position.royals(self.variant, self.side)
        }
    }

    /// The squares where a piece that comes may open a path by standing there.
    #[inline]
    pub fn screens(&self) -> SquareSet {
        self.screens
    }

    /// Whether `mv` by a piece that becomes `becomes` leaves no own royal attacked, or need not care.
    /// Not for castling.
    pub fn allows(&self, mv: Move, becomes: Kind) -> bool {
        if self.off {
            return true;
        }
        let (captured, captured_at) = self.position.captured_by(mv);
        let mut gone = SquareSet::EMPTY;
        let mut occupied = self.occupied;
        if mv.tag != Tag::Drop {
            occupied.remove(mv.from);
        }
        if !captured.is_none() {
            if self.free && captured.side() != self.side && self.variant.royals.contains(captured.kind()) {
                return true;
            }
            gone.insert(captured_at);
            occupied.remove(captured_at);
            if mv.tag == Tag::Over && mv.to != mv.from && self.occupied.contains(mv.to) {
                gone.insert(mv.to);
            }
        }
        occupied.insert(mv.to);
        let royal = self.variant.royals.contains(becomes);
        let (square, owner) = (mv.to, self.side);
        if royal
            && threatened(self.variant, self.position, Target { square, victim: Some(becomes), owner, occupied, gone })
        {
            return false;
        }
        // Dangers to a royal that has moved or been captured are void, and so are those from a captured piece.
        let void = |square: Square| gone.contains(square) || (square == mv.from && mv.tag != Tag::Drop);
        let dangers = self.few[..self.few_len].iter().chain(&self.more);
        !dangers
            .into_iter()
            .any(|d| !void(d.attacker) && !void(d.royal) && self.variant.tables.path(d.path).open(occupied))
    }

    /// Whether no enemy attacks the squares that `castle` needs safe and, where royals are protected,
    /// none attacks a royal after it.
    pub fn allows_castling(&self, castle: &Castle) -> bool {
        let owner = self.side;
        let mut lifted = self.occupied;
        lifted.remove(castle.king.0);
        let safe = |square, victim, occupied| {
            let target = Target { square, victim, owner, occupied, gone: SquareSet::EMPTY };
            !threatened(self.variant, self.position, target)
        };
        if castle.safe.into_iter().any(|square| !safe(square, Some(castle.kinds.0), lifted)) {
            return false;
        }
        if self.off {
            return true;
        }
        let mut after = lifted;
        after.remove(castle.rook.0);
        after.insert(castle.king.1);
        after.insert(castle.rook.1);
        self.position.royals(self.variant, self.side).into_iter().all(|royal| {
            let moved = [castle.king, castle.rook].into_iter().find(|&(from, _)| from == royal);
            safe(moved.map_or(royal, |(_, to)| to), Some(self.position.at(royal).kind()), after)
        })
    }
}
