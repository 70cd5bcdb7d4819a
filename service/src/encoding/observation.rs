//! A side's observation of a state, as planes of the size of the board.
//!
//! The planes follow from the declarations of a variant, in this order:
//!
//! | planes | how many | value |
//! | --- | --- | --- |
//! | pieces: sides in order, each with its kinds in order | sides × kinds | 1 on squares with such a piece |
//! | pieces beneath the topmost one, if the variant has heaps: as pieces | sides × kinds | the number there, in any order |
//! | traits, in order | traits | the trait of the piece there, 0 without a piece |
//! | hands, if the variant has them: sides, each with its kinds | sides × kinds | the number, everywhere |
//! | counters, in order: per side, if each has one, and per place | varies | the value, everywhere |
//! | marks on squares, in order: per side, if each has its own | varies | 1 on squares with the mark |
//! | dice rolled in the current turn, in order | 8 | the face, everywhere; 0 for none |
//! | unused dice of a turn of several moves | 8 | the face, everywhere; 0 for none |
//! | the side to move | sides | 1 everywhere or 0 |
//! | the side to decide or roll | sides | 1 everywhere or 0 |
//! | sides out of the game, if there are more than two | sides | 1 everywhere or 0 |
//! | castling rights, in the order of declaration | castlings | 1 everywhere or 0 |
//! | en passant target squares | 1 | 1 there |
//! | plies without capture or pawn move | 1 | the number, everywhere |
//! | how often the position has occurred | 1 | the number, everywhere |
//! | a pending move, if the next action selects one of several that share its number | 1 | 1 on its squares |
//!
//! Rows are ranks, starting with the first side's; columns are files, starting with a. Values that the side may not know
//! are 0; for counters, they are -1.

use crate::encoding::Actions;
use astragal_core::{Board, Kind, Piece, Side, Square, SquareSet, State, Status, Variant};
use astragal_dsl::view;

/// The maximum number of dice that are shown.
const DICE: usize = 8;

/// The planes of one variant.
#[derive(Clone, Debug)]
pub struct Observation {
    names: Vec<String>,
    /// By square: its index in a plane.
    cells: Vec<usize>,
    height: usize,
    width: usize,
}

/// A record of what was written into an array. It allows the next state of the same game to change only what differs: most
/// planes do not change from one move to the next.
#[derive(Clone, Debug)]
pub struct Written {
    /// By plane: the value of all cells that are not in `cells`.
    even: Vec<f32>,
    /// Where single squares were written.
    cells: Vec<usize>,
}

/// Fills planes in order.
struct Planes<'a> {
    out: &'a mut [f32],
    written: &'a mut Written,
    size: usize,
    next: usize,
    cells: &'a [usize],
}

impl Planes<'_> {
    /// Fills one plane with the same value everywhere.
    fn even(&mut self, value: f32) {
        if self.written.even[self.next] != value {
            self.written.even[self.next] = value;
            self.out[self.next * self.size..][..self.size].fill(value);
        }
        self.next += 1;
    }

    /// Sets the value of one square of a plane.
    fn cell(&mut self, plane: usize, square: Square, value: f32) {
        let cell = plane * self.size + self.cells[square.index()];
        self.out[cell] = value;
        self.written.cells.push(cell);
    }

    fn flag(&mut self, condition: bool) {
        self.even(f32::from(u8::from(condition)));
    }

    /// Fills one plane with 1 on some squares.
    fn squares(&mut self, set: SquareSet) {
        set.into_iter().for_each(|square| self.cell(self.next, square, 1.0));
        self.next += 1;
    }

    /// Fills a plane for each die, with its face or 0.
    fn dice(&mut self, faces: &[i16]) {
        for place in 0..DICE {
            self.even(faces.get(place).map_or(0.0, |&face| f32::from(face)));
        }
    }
}

impl Observation {
    /// The planes of a variant.
    pub fn new(variant: &Variant) -> Observation {
        let board: &Board = variant.board();
        let (width, height) = (usize::from(board.width()), usize::from(board.height()));
        let spec = variant.spec();
        let sides = || spec.sides.iter().map(|side| side.name.as_str());
        let mut names = Vec::new();
        for side in sides() {
            names.extend(variant.kinds().iter().map(|kind| format!("{side} {}", kind.name)));
        }
        if spec.heaps {
            for side in sides() {
                names.extend(variant.kinds().iter().map(|kind| format!("{side} {} beneath", kind.name)));
            }
        }
        names.extend(spec.traits.iter().map(|def| format!("trait {}", def.name)));
        if spec.hands {
            for side in sides() {
                names.extend(variant.kinds().iter().map(|kind| format!("{side} {} in hand", kind.name)));
            }
        }
        for def in &spec.counters {
            let owners =
                if def.per_side { sides().map(|side| format!(" of {side}")).collect() } else { vec![String::new()] };
            for owner in owners {
                match def.size {
                    1 => names.push(format!("counter {}{owner}", def.name)),
                    size => names.extend((1..=size).map(|place| format!("counter {}{owner}, place {place}", def.name))),
                }
            }
        }
        for def in &spec.marks {
            match def.per_side {
                true => names.extend(sides().map(|side| format!("mark {} of {side}", def.name))),
                false => names.push(format!("mark {}", def.name)),
            }
        }
        names.extend((1..=DICE).map(|die| format!("rolled die {die}")));
        names.extend((1..=DICE).map(|die| format!("unused die {die}")));
        names.extend(sides().map(|side| format!("turn of {side}")));
        names.extend(sides().map(|side| format!("{side} decides")));
        if spec.sides.len() > 2 {
            names.extend(sides().map(|side| format!("{side} is out")));
        }
        names.extend((1..=spec.castles.len()).map(|castle| format!("castling right {castle}")));
        names.extend(["en passant", "quiet plies", "repetitions", "chosen move"].map(String::from));
        let cell = |square| usize::from(board.rank(square)) * width + usize::from(board.file(square));
        let cells = (0..board.len()).map(|square| cell(Square(square as u8))).collect();
        Observation { names, cells, height, width }
    }

    /// The number of planes, ranks and files.
    pub fn shape(&self) -> [usize; 3] {
        [self.names.len(), self.height, self.width]
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// Whether there are no values: always false.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A short description of each plane.
    pub fn planes(&self) -> &[String] {
        &self.names
    }

    /// Writes the observation of a state for `viewer`, or all of the state without a viewer. `dice` are the dice rolled in
    /// the current turn, and `pending` is a [pending](crate::encoding::Step::Pending) action.
    ///
    /// # Panics
    /// If the length of `out` is not [`Observation::len`].
    pub fn write(
        &self,
        actions: &Actions,
        state: &State,
        dice: &[i16],
        pending: Option<u32>,
        viewer: Option<Side>,
        out: &mut [f32],
    ) {
        out.fill(0.0);
        self.update(actions, state, dice, pending, viewer, &mut self.blank(), out);
    }

    /// The record for an array of zeros.
    pub fn blank(&self) -> Written {
        Written { even: vec![0.0; self.names.len()], cells: Vec::new() }
    }

    /// Like [`Observation::write`], but `out` holds the last observation, recorded in `written`.
    ///
    /// # Panics
    /// If the length of `out` is not [`Observation::len`], or `written` belongs to another variant.
    #[expect(clippy::too_many_arguments, reason = "the parameters of `write`, and the record of the last call")]
    pub fn update(
        &self,
        actions: &Actions,
        state: &State,
        dice: &[i16],
        pending: Option<u32>,
        viewer: Option<Side>,
        written: &mut Written,
        out: &mut [f32],
    ) {
        assert_eq!(out.len(), self.len(), "an observation has a value for each cell of each plane");
        written.cells.drain(..).for_each(|cell| out[cell] = 0.0);
        let (variant, position) = (&state.ruleset().variant, state.position());
        let spec = variant.spec();
        let size = self.height * self.width;
        let mut planes = Planes { out, written, size, next: 0, cells: &self.cells };
        let kinds = variant.kinds().len();
        // Loop over the pieces, which are few, not over the kinds, which are many.
        for square in position.occupied() {
            let piece = position.at(square);
            let plane = piece.side().index() * kinds + usize::from(piece.kind().0);
            planes.cell(plane, square, 1.0);
        }
        planes.next = spec.sides.len() * kinds;
        if spec.heaps {
            for square in position.heaps(2) {
                let mut beneath: Vec<Piece> = position.beneath(square).collect();
                beneath.sort_unstable();
                for alike in beneath.chunk_by(|a, b| a == b) {
                    let plane = alike[0].side().index() * kinds + usize::from(alike[0].kind().0);
                    planes.cell(planes.next + plane, square, alike.len() as f32);
                }
            }
            planes.next += spec.sides.len() * kinds;
        }
        self.numbers(variant, state, viewer, &mut planes);
        let known = view::knows_options(state, viewer);
        planes.dice(if known { dice } else { &[] });
        let unused = state.unused().filter(|_| known).unwrap_or_default();
        planes.dice(&unused);
        let sides = || (0..spec.sides.len()).map(|side| Side(side as u8));
        sides().for_each(|side| planes.flag(side == position.side()));
        let decides = (state.status() != Status::Over).then(|| state.chooser());
        sides().for_each(|side| planes.flag(decides == Some(side)));
        if spec.sides.len() > 2 {
            sides().for_each(|side| planes.flag(position.is_out(side)));
        }
        (0..spec.castles.len()).for_each(|castle| planes.flag(position.rights() >> castle & 1 != 0));
        planes.squares(position.en_passant().iter().map(|right| right.target).collect());
        planes.even(f32::from(position.clock()));
        planes.even(state.repetitions() as f32);
        planes.squares(pending.filter(|_| known).map_or(SquareSet::EMPTY, |number| actions.squares_of(state, number)));
        debug_assert_eq!(planes.next, self.names.len(), "every plane has a name");
    }

    /// Fills the planes for traits, hands and counters.
    fn numbers(&self, variant: &Variant, state: &State, viewer: Option<Side>, planes: &mut Planes<'_>) {
        let (spec, position) = (variant.spec(), state.position());
        let sides = || (0..spec.sides.len()).map(|side| Side(side as u8));
        for (index, def) in spec.traits.iter().enumerate() {
            let seen = |piece: Piece| !def.secret || viewer.is_none_or(|viewer| viewer == piece.side());
            for square in position.occupied().into_iter().filter(|&square| seen(position.at(square))) {
                let value = f32::from(position.trait_at(variant, index, square));
                planes.cell(planes.next, square, value);
            }
            planes.next += 1;
        }
        if spec.hands {
            for side in sides() {
                for kind in (0..variant.kinds().len() as u8).map(Kind) {
                    planes.even(f32::from(position.in_hand(variant, side, kind)));
                }
            }
        }
        for (index, def) in spec.counters.iter().enumerate() {
            let owners = if def.per_side { sides().collect() } else { vec![Side::FIRST] };
            for owner in owners {
                let seen = !def.secret || viewer.is_none_or(|viewer| def.per_side && viewer == owner);
                for place in 0..def.size {
                    let value = || f32::from(position.counter_at(variant, index, place, owner));
                    planes.even(if seen { value() } else { -1.0 });
                }
            }
        }
        for (index, def) in spec.marks.iter().enumerate() {
            for owner in sides().take(if def.per_side { variant.sides() } else { 1 }) {
                planes.squares(position.marked(variant, index, owner));
            }
        }
    }
}
