//! Reports why the board does or does not allow a move, as data; callers put it into words.
//!
//! Reasons are found by experiment: the generator runs again with one thing changed, so a reason can never disagree with
//! the moves. The declared movement is consulted only if every change fails. Rules, dice and turns are unknown here: see
//! [`State::why`](crate::State::why).

use crate::board::piece::{Atom, Kind, KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::{Square, SquareSet};
use crate::movegen::attack::{attackers, enemies};
use crate::movegen::{self, Filter, Safety};
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::variant::tables::LineContext;
use crate::variant::{Castle, RoyalCapture, RoyalPolicy, Variant};

/// A move that a player would like to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// From square to square, perhaps with a promotion.
    Step {
        /// The origin.
        from: Square,
        /// The target.
        to: Square,
        /// The requested kind.
        promotion: Option<Kind>,
    },
    /// A castling, by its index in the variant's list.
    Castle(usize),
    /// A piece from the hand.
    Drop {
        /// The kind to drop.
        kind: Kind,
        /// Where.
        to: Square,
    },
}

/// A royal of the mover that a move would leave attacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exposure {
    /// The square of the royal after the move.
    pub royal: Square,
    /// The pieces that attack it then.
    pub attackers: SquareSet,
    /// Those of them that attack it already.
    pub before: SquareSet,
    /// Whether the royal itself moves.
    pub walks: bool,
}

/// The missing conditions for castling; at least one part is not empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CastlingFaults {
    /// King or partner has moved (or was captured) before: the right is gone.
    pub right_lost: bool,
    /// Squares that lack a participating piece, and the kind required there.
    pub missing: Vec<(Square, Kind)>,
    /// The pieces in the way.
    pub between: SquareSet,
    /// Squares that must not be attacked, and their attackers.
    pub attacked: Vec<(Square, SquareSet)>,
    /// A royal left attacked afterwards.
    pub exposed: Option<Exposure>,
}

/// The reason why the board does not allow a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The origin is empty.
    Nobody,
    /// The piece belongs to another side.
    Foreign(Piece),
    /// A piece of the same side, or of a partner, is on the target.
    Own(Piece),
    /// A royal that is never captured is on the target.
    Immune(Piece),
    /// These pieces are in the way.
    Between(SquareSet),
    /// Exactly one piece must be jumped; these are between.
    Jumps(SquareSet),
    /// The piece gets there only by capturing an enemy on one of these squares on its way, and all of them lack one.
    Takes(SquareSet),
    /// The piece goes there only to capture, and there is nothing to be captured.
    OnlyCaptures {
        /// Whether it could capture en passant if a piece had just passed.
        en_passant: bool,
    },
    /// The piece goes there only if the square is empty.
    OnlyQuiet(Piece),
    /// The piece captures other kinds that way, but not this one.
    NotThisKind(Piece),
    /// The piece makes this move only from its home squares.
    Home,
    /// The piece never leaves a region.
    Zone(String),
    /// The piece does not move that way.
    Unlike,
    /// The piece must become one of these kinds.
    Promotes(KindMask),
    /// This move does not promote.
    NoPromotion,
    /// A royal of the mover would be left attacked.
    Exposed(Exposure),
    /// Castling is not possible.
    Castling(Box<CastlingFaults>),
    /// There is no piece of this kind in the hand.
    NotInHand(Kind),
    /// A piece can only be dropped on an empty square.
    Occupied(Piece),
}

impl Obstacle {
    /// Whether it concerns how the piece moves, not its owner or the result of the move.
    pub(crate) fn is_of_movement(&self) -> bool {
        match self {
            Obstacle::Own(_) | Obstacle::Immune(_) | Obstacle::Between(_) | Obstacle::Jumps(_) => true,
            Obstacle::OnlyCaptures { .. } | Obstacle::OnlyQuiet(_) | Obstacle::NotThisKind(_) => true,
            Obstacle::Home | Obstacle::Zone(_) | Obstacle::Unlike | Obstacle::NotInHand(_) => true,
            Obstacle::Takes(_) | Obstacle::Occupied(_) => true,
            Obstacle::Nobody | Obstacle::Foreign(_) | Obstacle::Promotes(_) | Obstacle::NoPromotion => false,
            Obstacle::Exposed(_) | Obstacle::Castling(_) => false,
        }
    }
}

/// A question about the board.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// The position.
    pub position: &'a Position,
    /// The side that would move.
    pub side: Side,
    /// The required safety of the mover's royals.
    pub safety: Safety,
}

impl Question<'_> {
    /// The move that the wish means.
    ///
    /// # Errors
    /// The first obstacle, if the board does not allow it.
    pub fn resolve(&self, wish: Wish) -> Result<Move, Obstacle> {
        match wish {
            Wish::Step { from, to, promotion } => self.step(from, to, promotion),
            Wish::Castle(index) => self.castle(index),
            Wish::Drop { kind, to } => self.drop(kind, to),
        }
    }

    fn filter(kind: Kind) -> Filter {
        Filter { kinds: kind.into(), ..Filter::NONE }
    }

    /// The moves between two squares in some position, regardless of royals.
    fn between(&self, position: &Position, from: Square, to: Square, safety: Safety) -> Vec<Move> {
        let mut moves = Vec::new();
        let filter = Self::filter(position.at(from).kind());
        movegen::generate(self.variant, position, self.side, safety, filter, &mut moves);
        moves.retain(|mv| mv.from == from && mv.to == to);
        moves
    }

    fn reaches(&self, position: &Position, from: Square, to: Square) -> bool {
        !self.between(position, from, to, Safety::Pseudo).is_empty()
    }

    fn step(&self, from: Square, to: Square, promotion: Option<Kind>) -> Result<Move, Obstacle> {
        let piece = self.position.at(from);
        if piece.is_none() {
            return Err(Obstacle::Nobody);
        }
        if piece.side() != self.side {
            return Err(Obstacle::Foreign(piece));
        }
        if from == to {
            return Err(Obstacle::Unlike);
        }
        let moves = self.between(self.position, from, to, Safety::Pseudo);
        if moves.is_empty() {
            return Err(self.unreachable(piece, from, to));
        }
        let Some(&mv) = moves.iter().find(|mv| mv.promotion() == promotion) else {
            let kinds: KindMask = moves.iter().filter_map(|mv| mv.promotion()).collect();
            return Err(if kinds == KindMask::NONE { Obstacle::NoPromotion } else { Obstacle::Promotes(kinds) });
        };
        match self.between(self.position, from, to, self.safety).contains(&mv) {
            true => Ok(mv),
            false => Err(self.exposure(mv).map_or(Obstacle::Unlike, Obstacle::Exposed)),
        }
    }

    /// Why the piece does not get to the target.
    fn unreachable(&self, piece: Piece, from: Square, to: Square) -> Obstacle {
        let there = self.position.at(to);
        if !there.is_none() && (there.side() == self.side || self.variant.allied(self.side, there.side())) {
            let free = self.targets(self.position, to).iter().any(|p| self.reaches(p, from, to));
            if free {
                return Obstacle::Own(there);
            }
        } else if !there.is_none() && self.is_immune(there) {
            let free = self.targets(self.position, to).iter().any(|p| self.reaches(p, from, to));
            if free {
                return Obstacle::Immune(there);
            }
        }
        if let Some(obstacle) = self.blocked(from, to) {
            return obstacle;
        }
        // Pieces that are captured or jumped on the way must stay there.
        let alone = self.alone(from, to);
        if let Some(obstacle) = [self.position, &alone].into_iter().find_map(|p| self.wrong_target(p, from, to)) {
            return obstacle;
        }
        // With another target the way may be blocked, too.
        self.declared(piece, from, to)
    }

    fn is_immune(&self, piece: Piece) -> bool {
        let spec = self.variant.spec();
        spec.royal_policy == RoyalPolicy::Protected
            && spec.royal_capture == RoyalCapture::Never
            && self.variant.royals().contains(piece.kind())
    }

    /// The position with the target empty, then with an enemy of each kind there.
    fn targets(&self, position: &Position, to: Square) -> Vec<Position> {
        let mut all = Vec::new();
        let mut empty = position.clone();
        if !empty.at(to).is_none() {
            empty.take_heap(self.variant, to);
        }
        let enemy = enemies(self.variant, self.side).next();
        all.push(empty.clone());
        for kind in (0..self.variant.kinds().len() as u8).map(Kind) {
            let Some(enemy) = enemy else { break };
            let mut taken = empty.clone();
            taken.put(self.variant, to, Piece::new(enemy, kind));
            all.push(taken);
        }
        all
    }

    /// The position with only the pieces on origin and target.
    fn alone(&self, from: Square, to: Square) -> Position {
        let mut alone = self.position.clone();
        for square in self.position.occupied() {
            if square != from && square != to {
                alone.take_heap(self.variant, square);
            }
        }
        alone
    }

    /// The pieces in the way or the piece missing there, with the target as it is.
    fn blocked(&self, from: Square, to: Square) -> Option<Obstacle> {
        let alone = self.alone(from, to);
        let others = self.position.occupied() - SquareSet::from(from) - SquareSet::from(to);
        let with = |square: Square, piece: Piece| {
            let mut position = alone.clone();
            position.put(self.variant, square, piece);
            position
        };
        if self.reaches(&alone, from, to) {
            let bars = |&square: &Square| !self.reaches(&with(square, self.position.at(square)), from, to);
            let bars: SquareSet = others.into_iter().filter(bars).collect();
            // If several ways lead there, no single piece closes them all.
            let bars = if bars.is_empty() { self.barring_together(others, from, to) } else { bars };
            return (!bars.is_empty()).then_some(Obstacle::Between(bars));
        }
        let hurdle = self.position.at(from);
        let empty = self.variant.board().squares() - SquareSet::from(from) - SquareSet::from(to);
        let hurdles: SquareSet = empty.into_iter().filter(|&s| self.reaches(&with(s, hurdle), from, to)).collect();
        if !hurdles.is_empty() {
            return Some(Obstacle::Jumps(hurdles & others));
        }
        let enemy = Piece::new(enemies(self.variant, self.side).next()?, hurdle.kind());
        let taken: SquareSet = empty.into_iter().filter(|&s| self.reaches(&with(s, enemy), from, to)).collect();
        (!taken.is_empty() && (taken & self.enemies_on()).is_empty()).then_some(Obstacle::Takes(taken))
    }

    /// The squares of enemies.
    fn enemies_on(&self) -> SquareSet {
        enemies(self.variant, self.side).fold(SquareSet::EMPTY, |set, side| set | self.position.of(side))
    }

    /// Those of `others` that close all ways together: a minimal set.
    fn barring_together(&self, others: SquareSet, from: Square, to: Square) -> SquareSet {
        let reached_past = |bars: SquareSet| {
            let mut position = self.position.clone();
            for square in others - bars {
                position.take_heap(self.variant, square);
            }
            self.reaches(&position, from, to)
        };
        others.into_iter().fold(others, |bars, square| {
            let fewer = bars - SquareSet::from(square);
            if reached_past(fewer) { bars } else { fewer }
        })
    }

    /// Whether the way would be open in a position with another content of the target.
    fn wrong_target(&self, position: &Position, from: Square, to: Square) -> Option<Obstacle> {
        let there = self.position.at(to);
        let mut targets = self.targets(position, to).into_iter();
        let quietly = targets.next().is_some_and(|p| self.reaches(&p, from, to));
        let takes: Vec<bool> = targets.map(|p| self.reaches(&p, from, to)).collect();
        // A piece that only captures certain kinds that way does not count as going there only to capture.
        let capturing = if there.is_none() { !takes.contains(&false) } else { takes.contains(&true) };
        let kind = self.variant.kind(self.position.at(from).kind());
        match (there.is_none(), quietly, capturing) {
            (true, false, true) if !takes.is_empty() => {
                Some(Obstacle::OnlyCaptures { en_passant: kind.atoms.iter().any(|atom| atom.en_passant) })
            }
            (false, _, true) if there.side() != self.side => Some(Obstacle::NotThisKind(there)),
            (false, true, false) => Some(Obstacle::OnlyQuiet(there)),
            _ => None,
        }
    }

    /// The obstacle that follows from the declared movement of the kind.
    fn declared(&self, piece: Piece, from: Square, to: Square) -> Obstacle {
        let kind = self.variant.kind(piece.kind());
        let leads = |atom: &&Atom| self.leads(atom, piece, from, to);
        let fitting: Vec<&Atom> = kind.atoms.iter().filter(leads).collect();
        let zone = kind.within.as_ref().filter(|name| {
            let region = self.variant.board().region(name);
            region.is_some_and(|region| !region.squares[piece.side().index()].contains(to))
        });
        match zone {
            Some(name) if !fitting.is_empty() => Obstacle::Zone(name.clone()),
            _ if !fitting.is_empty() && fitting.iter().all(|atom| atom.initial) => Obstacle::Home,
            _ => Obstacle::Unlike,
        }
    }

    /// Whether an atom leads from one square to another on a board without other pieces.
    fn leads(&self, atom: &Atom, piece: Piece, from: Square, to: Square) -> bool {
        let def = self.variant.kind(piece.kind());
        let forward = self.variant.spec().sides[piece.side().index()].forward_at(from);
        let course = LineContext { board: self.variant.board(), def, side: piece.side() };
        let turn = def.facing.unwrap_or(forward);
        (0..atom.steps.len()).flat_map(|direction| course.follow(atom, direction, turn, from)).any(|line| {
            let first = usize::from(atom.min).max(1) - 1;
            line.iter().skip(first).any(|stop| stop.to == to)
        })
    }

    /// The first royal of the mover that a move leaves attacked.
    pub(crate) fn exposure(&self, mv: Move) -> Option<Exposure> {
        let mut after = self.position.clone();
        after.make(self.variant, mv);
        for royal in after.royals(self.variant, self.side) {
            let attackers = self.attack(&after, royal);
            if !attackers.is_empty() {
                let walks = mv.tag != Tag::Drop && royal == mv.to;
                let stood = if walks { mv.from } else { royal };
                let before = self.attack(self.position, stood) & attackers;
                return Some(Exposure { royal, attackers, before, walks });
            }
        }
        None
    }

    /// The enemies that attack the piece on a square.
    fn attack(&self, position: &Position, square: Square) -> SquareSet {
        let all = enemies(self.variant, self.side);
        all.fold(SquareSet::EMPTY, |set, side| set | attackers(self.variant, position, square, side))
    }

    fn castle(&self, index: usize) -> Result<Move, Obstacle> {
        let Some(castle) = self.variant.spec().castles.get(index) else { return Err(Obstacle::Nobody) };
        let mut moves = Vec::new();
        let only = Filter { castling: u16::MAX, ..Filter::NONE };
        movegen::generate(self.variant, self.position, self.side, self.safety, only, &mut moves);
        match moves.into_iter().find(|mv| mv.castling() == Some(index)) {
            Some(mv) => Ok(mv),
            None => Err(Obstacle::Castling(Box::new(self.castling_faults(index, castle)))),
        }
    }

    fn castling_faults(&self, index: usize, castle: &Castle) -> CastlingFaults {
        let position = self.position;
        let mut faults = CastlingFaults { right_lost: position.rights() >> index & 1 == 0, ..Default::default() };
        for (square, kind) in [(castle.king.0, castle.kinds.0), (castle.rook.0, castle.kinds.1)] {
            if position.at(square) != Piece::new(self.side, kind) {
                faults.missing.push((square, kind));
            }
        }
        let mut way = castle.empty;
        way.insert(castle.king.1);
        way.insert(castle.rook.1);
        let partners = SquareSet::from(castle.king.0) | SquareSet::from(castle.rook.0);
        if !faults.missing.is_empty() {
            return faults;
        }
        faults.between = (way & position.occupied()) - partners;
        let mut lifted = position.clone();
        let king = lifted.take(self.variant, castle.king.0);
        // If the caller tests for attacks, they are not reported here.
        let safe = if self.safety == Safety::Untested { SquareSet::EMPTY } else { castle.safe };
        for square in safe {
            if square != castle.king.0 && !position.at(square).is_none() {
                continue;
            }
            let mut there = lifted.clone();
            there.put(self.variant, square, king);
            let by = self.attack(&there, square);
            if !by.is_empty() {
                faults.attacked.push((square, by));
            }
        }
        let protected = matches!(self.safety, Safety::Policy | Safety::Safe)
            && self.variant.spec().royal_policy == RoyalPolicy::Protected;
        if protected && faults.attacked.is_empty() && faults.between.is_empty() {
            let mv = Move { from: castle.king.0, to: castle.king.1, tag: Tag::Castle, extra: index as u8 };
            faults.exposed = self.exposure(mv);
        }
        faults
    }

    fn drop(&self, kind: Kind, to: Square) -> Result<Move, Obstacle> {
        if self.position.in_hand(self.variant, self.side, kind) <= 0 {
            return Err(Obstacle::NotInHand(kind));
        }
        let there = self.position.at(to);
        if !there.is_none() {
            return Err(Obstacle::Occupied(there));
        }
        let mut moves = Vec::new();
        let only = Filter { drops: kind.into(), ..Filter::NONE };
        movegen::generate(self.variant, self.position, self.side, self.safety, only, &mut moves);
        let wanted = Move { from: to, to, tag: Tag::Drop, extra: kind.0 };
        match moves.contains(&wanted) {
            true => Ok(wanted),
            false => Err(self.exposure(wanted).map_or(Obstacle::Unlike, Obstacle::Exposed)),
        }
    }
}
