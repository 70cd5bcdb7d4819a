//! Mobility of pieces on their board: the mean number of moves from each square, and the number of moves to promotion.
//!
//! Measured with the engine's own move generator on boards with random pieces, as dense as the middle of a game, so that
//! all declared movement is measured in the same way.

use astragal_core::{
    Filter, Kind, Move, Piece, Position, Safety, Side, Square, SquareSet, Stream, Tag, Variant, movegen,
};

/// Boards tried for each piece and square.
const BOARDS: usize = 8;
/// The fraction of the pieces of the starting position that is put on such a board.
const THINNED: f64 = 0.6;
/// More moves than any piece takes to promote; also means that it never does.
pub(crate) const NO_PROMOTION: u8 = 40;

/// The targets of `piece` on `from` with the pieces of `board` on the other squares of `board`.
fn targets(variant: &Variant, board: &Position, piece: Piece, from: Square, moves: &mut Vec<Move>) -> SquareSet {
    let mut position = board.clone();
    position.take(variant, from);
    position.put(variant, from, piece);
    let filter = Filter { kinds: piece.kind().into(), ..Filter::NONE };
    moves.clear();
    movegen::generate(variant, &position, piece.side(), Safety::Pseudo, filter, moves);
    // A first double step is not a lasting ability.
    moves.iter().filter(|mv| mv.from == from && mv.tag != Tag::Double).map(|mv| mv.to).collect()
}

/// Boards with random pieces of friends and enemies of `side`.
fn random_boards(variant: &Variant, side: Side, random: &mut Stream) -> Vec<Position> {
    let squares: Vec<Square> = variant.board().squares().into_iter().collect();
    let pieces = (variant.spec().array.len() as f64 * THINNED).round() as usize;
    let pieces = pieces.clamp(squares.len() / 8, squares.len() / 2);
    let plain: Vec<Kind> = kinds(variant).filter(|kind| !variant.royals().contains(*kind)).collect();
    let other = (0..variant.sides() as u8).map(Side).find(|&other| !variant.allied(side, other)).unwrap_or(side);
    let one = |random: &mut Stream| {
        let mut position = Position::empty(variant);
        for i in 0..if plain.is_empty() { 0 } else { pieces } {
            let square = squares[random.below(squares.len() as u64) as usize];
            let kind = plain[random.below(plain.len() as u64) as usize];
            position.take(variant, square);
            position.put(variant, square, Piece::new(if i % 2 == 0 { side } else { other }, kind));
        }
        position
    };
    (0..BOARDS).map(|_| one(random)).collect()
}

/// All kinds of a variant.
pub(crate) fn kinds(variant: &Variant) -> impl Iterator<Item = Kind> + use<> {
    (0..variant.kinds().len() as u8).map(Kind)
}

/// The mean number of moves of the pieces of one side.
pub(crate) struct Mobility {
    /// By kind and square; negative if the kind never reaches the square.
    local: Vec<Vec<f64>>,
    /// By kind: the mean over the squares it can reach.
    mean: Vec<f64>,
    /// By kind and square: the fewest moves to promotion on an empty board.
    promotion_distance: Vec<Vec<u8>>,
}

impl Mobility {
    /// Measures the pieces of `side`.
    pub(crate) fn measure(variant: &Variant, side: Side) -> Mobility {
        let mut random = Stream::new(0x6d6f_6269_6c69, u64::from(side.0));
        let boards = random_boards(variant, side, &mut random);
        let mut found = Mobility { local: Vec::new(), mean: Vec::new(), promotion_distance: Vec::new() };
        for kind in kinds(variant) {
            let local = local(variant, &boards, Piece::new(side, kind));
            let known = local.iter().filter(|moves| **moves >= 0.0);
            found.mean.push(known.clone().sum::<f64>() / known.count().max(1) as f64);
            found.local.push(local);
            found.promotion_distance.push(promotion_distance(variant, Piece::new(side, kind)));
        }
        found
    }

    /// The mean number of moves of a kind over its squares.
    pub(crate) fn mean(&self, kind: Kind) -> f64 {
        self.mean[kind.index()]
    }

    /// The mean number of moves of a kind on `square`.
    pub(crate) fn local(&self, kind: Kind, square: Square) -> f64 {
        self.local[kind.index()][square.index()].max(0.0)
    }

    /// The fewest moves to promotion; [`NO_PROMOTION`] if it never promotes.
    pub(crate) fn promotion_distance(&self, kind: Kind, square: Square) -> u8 {
        self.promotion_distance[kind.index()][square.index()]
    }
}

/// The mean number of moves from each square that the piece can reach.
fn local(variant: &Variant, boards: &[Position], piece: Piece) -> Vec<f64> {
    let squares = variant.board().squares();
    let mut moves = Vec::new();
    let mut local = vec![-1.0; variant.board().len()];
    let array = variant.spec().array.iter().filter(|(_, other)| *other == piece).map(|(square, _)| *square);
    let mut open: Vec<Square> = array.collect();
    if open.is_empty() {
        open = squares.into_iter().collect();
    }
    let mut seen: SquareSet = open.iter().copied().collect();
    while let Some(from) = open.pop() {
        let mut sum = 0;
        for board in boards {
            let targets = targets(variant, board, piece, from, &mut moves);
            sum += targets.len();
            open.extend(targets - seen);
            seen |= targets;
        }
        local[from.index()] = f64::from(sum) / boards.len() as f64;
    }
    local
}

/// The fewest moves to a square where the piece promotes, on an empty board.
fn promotion_distance(variant: &Variant, piece: Piece) -> Vec<u8> {
    let board = variant.board();
    let mut distance = vec![NO_PROMOTION; board.len()];
    let promotion = variant.kind(piece.kind()).promotion.as_ref();
    let Some(zone) = promotion.and_then(|promotion| board.region(&promotion.zone)) else { return distance };
    let zone = zone.squares[piece.side().index()];
    zone.into_iter().for_each(|square| distance[square.index()] = 0);
    let (empty, mut moves) = (Position::empty(variant), Vec::new());
    let steps: Vec<(Square, SquareSet)> =
        board.squares().into_iter().map(|from| (from, targets(variant, &empty, piece, from, &mut moves))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (from, targets) in &steps {
            let nearest = targets.into_iter().map(|to| distance[to.index()]).min().unwrap_or(NO_PROMOTION);
            if nearest + 1 < distance[from.index()] {
                distance[from.index()] = nearest + 1;
                changed = true;
            }
        }
    }
    distance
}
