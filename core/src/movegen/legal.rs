//! The safety of royal pieces, tested without making moves.
//!
//! If royals matter ([`checks_legality`]), each generation builds one [`LegalityContext`]. It lists, for each royal of the
//! mover, the enemy paths that are open or that a single move could open; each move is then tested against that list only.
//! The list is exact: a move empties its origin (and the square of a victim in passing), fills its target, and changes
//! nothing else, so a path with more obstacles stays closed. For a few single moves, [`allows_alone`] answers without the
//! list.

use crate::board::bits::Bits;
use crate::board::piece::Kind;
use crate::board::side::Side;
use crate::board::square::Square;
use crate::movegen::attack::{Target, enemies, is_threatened, threatened};
use crate::movegen::safety::Safety;
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::variant::tables::{PathId, Sets, at_width};
use crate::variant::{Castle, RoyalCapture, RoyalPolicy, Variant};

/// A path from an enemy to a royal of the mover that is open or may become so.
#[derive(Clone, Copy)]
struct PotentialAttack {
    royal: Square,
    attacker: Square,
    path: PathId,
}

const NO_ATTACK: PotentialAttack = PotentialAttack { royal: Square(0), attacker: Square(0), path: 0 };

/// The number of dangers stored without allocation; a royal seldom has more than eight.
const FEW: usize = 16;

/// Whether moves are tested at all.
pub(crate) fn checks_legality(variant: &Variant, safety: Safety) -> bool {
    match safety {
        Safety::Pseudo | Safety::Untested | Safety::Attacking => false,
        Safety::Policy => variant.spec.royal_policy == RoyalPolicy::Protected,
        Safety::Safe => true,
    }
}

/// Whether captures of enemy royals are exempt from the test.
pub(crate) fn lets_royals_be_taken(variant: &Variant, safety: Safety) -> bool {
    safety == Safety::Policy && variant.spec.royal_capture == RoyalCapture::Free
}

/// The squares of a side's royals.
fn royals<B: Bits>(variant: &Variant, position: &Position, side: Side) -> B {
    match position.sole_royal(side) {
        Some(royal) => B::just(royal),
        None => B::of(position.royals(variant, side)),
    }
}

/// The effect of a move, as far as it matters to attacks.
struct Aftermath<B> {
    /// The squares with pieces.
    occupied: B,
    /// The squares of pieces that have been captured.
    gone: B,
    /// The square returned by [`Position::captured_by`], whether or not a piece is captured there.
    captured_at: Square,
}

impl<B: Bits> Aftermath<B> {
    /// Not for castling.
    #[inline(always)]
    fn of(position: &Position, mv: Move) -> Aftermath<B> {
        let before = position.occupied_at::<B>();
        match mv.tag {
            // Most moves: any piece on the target is captured.
            Tag::Plain | Tag::Double => {
                let target = B::just(mv.to);
                let (occupied, gone) = (before.without(mv.from) | target, before & target);
                Aftermath { occupied, gone, captured_at: mv.to }
            }
            _ => Aftermath::of_special(position, mv),
        }
    }

    #[inline(never)]
    fn of_special(position: &Position, mv: Move) -> Aftermath<B> {
        let (captured, captured_at) = position.captured_specially(mv);
        let (mut occupied, mut gone) = (position.occupied_at::<B>(), B::NONE);
        if mv.tag != Tag::Drop {
            occupied = occupied.without(mv.from);
        }
        if !captured.is_none() {
            gone = B::just(captured_at);
            occupied = occupied.without(captured_at);
            if mv.tag == Tag::Over && mv.to != mv.from && occupied.has(mv.to) {
                gone = gone.with(mv.to);
            }
        }
        Aftermath { occupied: occupied.with(mv.to), gone, captured_at }
    }

    /// Whether an enemy's royal has been captured.
    #[inline(always)]
    fn takes_royal(&self, variant: &Variant, position: &Position, side: Side) -> bool {
        !self.gone.is_none()
            && variant.royals.contains(position.kind_at(self.captured_at))
            && !position.is_of(self.captured_at, side)
    }

    /// Whether an enemy of `side` attacks a piece of a kind on a square.
    #[inline(always)]
    fn threatens(
        &self,
        sets: &Sets<B>,
        variant: &Variant,
        position: &Position,
        side: Side,
        square: Square,
        kind: Kind,
    ) -> bool {
        let target = Target { square, victims: kind.into(), owner: side, occupied: self.occupied, gone: self.gone };
        is_threatened(sets, variant, position, &target)
    }
}

/// The result of [`LegalityContext::allows`] for this one move: faster for few moves, since dangers are not listed. Not for
/// castling.
pub(crate) fn allows_alone<B: Bits>(
    sets: &Sets<B>,
    variant: &Variant,
    position: &Position,
    side: Side,
    safety: Safety,
    mv: Move,
) -> bool {
    if !checks_legality(variant, safety) {
        return true;
    }
    let after = Aftermath::<B>::of(position, mv);
    if lets_royals_be_taken(variant, safety) && after.takes_royal(variant, position, side) {
        return true;
    }
    match position.sole_royal(side) {
        // Most moves of most games: no other piece becomes royal or stops being royal.
        Some(royal) if mv.is_ordinary() => {
            let square = if royal == mv.from { mv.to } else { royal };
            after.gone.has(royal) || !after.threatens(sets, variant, position, side, square, position.kind_at(royal))
        }
        _ => spares_royals(sets, variant, position, side, mv, &after),
    }
}

/// Whether a move leaves none of a side's royals attacked, however many there are then.
#[inline(never)]
fn spares_royals<B: Bits>(
    sets: &Sets<B>,
    variant: &Variant,
    position: &Position,
    side: Side,
    mv: Move,
    after: &Aftermath<B>,
) -> bool {
    let mover = match mv.dropped() {
        Some(kind) => kind,
        None => mv.promotion().unwrap_or(position.kind_at(mv.from)),
    };
    let mut royals = royals::<B>(variant, position, side).without(mv.from) & !after.gone;
    if variant.royals.contains(mover) {
        royals = royals.with(mv.to);
    }
    while let Some(square) = royals.pop() {
        let kind = if square == mv.to { mover } else { position.kind_at(square) };
        if after.threatens(sets, variant, position, side, square, kind) {
            return false;
        }
    }
    true
}

/// The dangers to the royals of one side in one position.
pub(crate) struct LegalityContext<'a, B> {
    sets: &'a Sets<B>,
    variant: &'a Variant,
    position: &'a Position,
    side: Side,
    /// Captures of enemy royals are not tested.
    free: bool,
    /// A royal is attacked now.
    check: bool,
    /// The squares where another piece ends all attacks on royals (or captures a royal, if that is exempt): on the way, on
    /// the attacker, or on the royal itself, if it may be captured. All squares, if leaving may suffice.
    answers: B,
    few_len: u8,
    few: [PotentialAttack; FEW],
    more: Vec<PotentialAttack>,
    occupied: B,
    /// Emptying one of these may open a path.
    opening: B,
    /// Filling one of these may open a path, as a hurdle.
    blockers: B,
}

impl<'a, B: Bits> LegalityContext<'a, B> {
    pub(crate) fn new(
        sets: &'a Sets<B>,
        variant: &'a Variant,
        position: &'a Position,
        side: Side,
        safety: Safety,
    ) -> LegalityContext<'a, B> {
        let mut legality = LegalityContext {
            sets,
            variant,
            position,
            side,
            free: lets_royals_be_taken(variant, safety),
            check: false,
            answers: !B::NONE,
            few_len: 0,
            few: [NO_ATTACK; FEW],
            more: Vec::new(),
            occupied: position.occupied_at::<B>(),
            opening: B::NONE,
            blockers: B::NONE,
        };
        let mut royals: B = royals(variant, position, side);
        while let Some(royal) = royals.pop() {
            legality.watch(royal);
        }
        if legality.check && legality.free {
            for enemy in enemies(variant, side) {
                legality.answers |= B::of(position.royals(variant, enemy));
            }
        }
        legality
    }

    /// Lists the dangers to one royal.
    fn watch(&mut self, royal: Square) {
        let tables = &self.variant.tables;
        let kind = self.position.kind_at(royal);
        let removed = if self.position.en_passant().is_empty() && !tables.passes_over() { 1 } else { 2 };
        let codes = tables.codes(royal);
        for enemy in enemies(self.variant, self.side) {
            let mut rest = self.position.men::<B>(enemy) & self.sets.reach(enemy, royal);
            while let Some(attacker) = rest.pop() {
                let mut id = codes.first(self.position.own_at(attacker, enemy), attacker);
                while id != 0 {
                    let path = self.sets.path(id);
                    if path.victims.contains(kind) && path.may_open(self.occupied, removed) {
                        if path.open(self.occupied) {
                            self.check = true;
                            let ends = path.clear.with(attacker).with(royal);
                            self.answers = self.answers & if path.hops { !B::NONE } else { ends };
                        }
                        self.opening |= path.clear | path.hop;
                        self.blockers |= path.hop;
                        self.add(PotentialAttack { royal, attacker, path: id });
                    }
                    id = path.next;
                }
            }
        }
    }

    fn add(&mut self, attack: PotentialAttack) {
        match self.few.get_mut(usize::from(self.few_len)) {
            Some(room) => {
                *room = attack;
                self.few_len += 1;
            }
            None => self.more.push(attack),
        }
    }

    /// The squares of the mover's pieces whose moves must each be tested against the [evasions](LegalityContext::evasions).
    /// Moves of all other pieces are safe unless they end on one of the [blockers](LegalityContext::blockers) or are en
    /// passant.
    pub(crate) fn pinned(&self) -> B {
        if self.check {
            self.position.men::<B>(self.side)
        } else {
            self.opening | royals(self.variant, self.position, self.side)
        }
    }

    /// Those of some targets of a piece of some kind that may be safe: no others require a test.
    pub(crate) fn evasions(&self, kind: Kind, targets: B) -> B {
        if self.check && !self.variant.royals.contains(kind) { targets & self.answers } else { targets }
    }

    /// The squares where an arriving piece may open a path.
    pub(crate) fn blockers(&self) -> B {
        self.blockers
    }

    /// Whether `mv` by a piece that becomes `becomes` leaves no royal of the mover attacked, or is exempt from that rule.
    /// Not for castling.
    pub(crate) fn allows(&self, mv: Move, becomes: Kind) -> bool {
        let after = Aftermath::<B>::of(self.position, mv);
        if self.free && after.takes_royal(self.variant, self.position, self.side) {
            return true;
        }
        let Aftermath { occupied, gone, .. } = after;
        if self.variant.royals.contains(becomes)
            && after.threatens(self.sets, self.variant, self.position, self.side, mv.to, becomes)
        {
            return false;
        }
        // Dangers to a royal that has moved or been captured are void, and so are those from a captured piece.
        let void = |square: Square| gone.has(square) || (square == mv.from && mv.tag != Tag::Drop);
        let open = |d: &PotentialAttack| !void(d.attacker) && !void(d.royal) && self.sets.path(d.path).open(occupied);
        !self.few[..usize::from(self.few_len)].iter().any(open) && !self.more.iter().any(open)
    }
}

/// Whether no enemy attacks the squares that `castle` needs safe and, where `royals` matter, none
/// attacks a royal after it.
pub(crate) fn allows_castling<B: Bits>(
    sets: &Sets<B>,
    variant: &Variant,
    position: &Position,
    castle: &Castle,
    royals: bool,
) -> bool {
    let lifted = position.occupied_at::<B>().without(castle.king.0);
    let safe = |square, kind: Kind, occupied| {
        let target = Target { square, victims: kind.into(), owner: castle.side, occupied, gone: B::NONE };
        !threatened(sets, variant, position, target)
    };
    if castle.safe.into_iter().any(|square| !safe(square, castle.kinds.0, lifted)) {
        return false;
    }
    let after = lifted.without(castle.rook.0).with(castle.king.1).with(castle.rook.1);
    !royals
        || position.royals(variant, castle.side).into_iter().all(|royal| {
            let moved = [castle.king, castle.rook].into_iter().find(|&(from, _)| from == royal);
            safe(moved.map_or(royal, |(_, to)| to), position.kind_at(royal), after)
        })
}

/// Whether `safety` lets a move through that [`generate`](super::generate) lists under [`Safety::Pseudo`].
pub fn allows(variant: &Variant, position: &Position, side: Side, safety: Safety, mv: Move) -> bool {
    at_width!(variant.tables, sets => match mv.castling() {
        None => allows_alone(sets, variant, position, side, safety, mv),
        Some(index) => {
            !checks_legality(variant, safety)
                || allows_castling(sets, variant, position, &variant.spec.castles[index], true)
        }
    })
}
