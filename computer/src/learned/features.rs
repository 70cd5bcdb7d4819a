//! The features of a position: the inputs of a network.
//!
//! They follow from the declarations of a variant alone. [`Features`] numbers them and lists those of a position. If the
//! sides are symmetric, positions are seen by the side to roll: its pieces come first, and the second side's board is turned
//! over. Then both sides share all weights.
//!
//! | features | how many |
//! | --- | --- |
//! | pieces: by side, kind and square | sides × kinds × squares |
//! | pieces beneath others, if there are heaps: at least 1, at least 2, and the number beyond | 3 × sides × kinds × squares |
//! | how many pieces of a kind a side has on the board: at least 1, and the number | 2 × sides × kinds |
//! | kinds that attack a royal piece; pieces that are attacked, and those that are undefended, too | 3 × sides × kinds |
//! | on tracks: the steps that a side has to go; whether it is chased; by distance up to 12, its single pieces ahead of an enemy, and whether it blocks the enemy's last piece | 26 × sides |
//! | hands: at least 1, 2, 3, and the number beyond | 4 × sides × kinds |
//! | counters: at least 1, 2, 3, the number beyond, and the number below 0 | 5 for each place |
//! | marks: by owner and square | squares for each |
//! | traits: by side and square: at least 1, 2, and the number beyond | 3 × sides × squares for each |
//! | castling rights, and squares where a piece can be captured en passant | castlings + squares |
//! | the side to roll, unless the sides are symmetric; sides that are out | 2 × sides |
//!
//! Knows neither networks nor games.

use super::network::Feature;
use crate::race::{NEAR, Race};
use astragal_core::{Kind, Piece, Position, Side, Square, Variant, attack};

/// The scales of numbers, so that inputs are small.
const SCALE: f32 = 0.25;
/// The greatest value of an input.
const MOST: f32 = 4.0;
/// The features of a side in a race.
const IN_RACE: usize = 2 + 2 * NEAR;

/// The numbering of the features of one variant. See the [module](self).
#[derive(Clone, Debug)]
pub struct Features {
    sides: usize,
    kinds: usize,
    squares: usize,
    /// By square, the square that corresponds to it for the second side, if the sides are symmetric.
    mirror: Option<Vec<Square>>,
    /// By castling, the one that corresponds to it.
    castles: Vec<usize>,
    /// The tracks, if each side has one with an end.
    race: Option<Race>,
    start: Starts,
    len: u32,
}

/// The number of the first feature of each sort; `None` for a sort that the variant does not have.
#[derive(Clone, Debug, Default)]
struct Starts {
    beneath: Option<u32>,
    counts: u32,
    attacks: Option<u32>,
    race: u32,
    hands: Option<u32>,
    counters: u32,
    marks: u32,
    traits: u32,
    castles: u32,
    en_passant: Option<u32>,
    turn: Option<u32>,
    out: Option<u32>,
}

impl Features {
    /// The features of a variant. `mirror` maps each square to the one that corresponds to it for the second side, if the two
    /// sides of the variant are symmetric.
    pub fn new(variant: &Variant, mirror: Option<Vec<Square>>) -> Features {
        let (sides, kinds, squares) = (variant.sides(), variant.kinds().len(), variant.board().len());
        let mirror = mirror.filter(|mirror| sides == 2 && mirror.len() == squares);
        let spec = variant.spec();
        let race = Race::along_tracks(variant);
        let mut len = 0u32;
        let mut take = |count: usize| {
            let first = len;
            len += count as u32;
            first
        };
        take(sides * kinds * squares);
        let captures = variant.kinds().iter().any(|kind| !kind.atoms.is_empty()) && spec.tracks.is_empty();
        let owners = |per_side: bool| if per_side { sides } else { 1 };
        let start = Starts {
            beneath: spec.heaps.then(|| take(3 * sides * kinds * squares)),
            counts: take(2 * sides * kinds),
            attacks: captures.then(|| take(3 * sides * kinds)),
            race: take(race.as_ref().map_or(0, |_| IN_RACE * sides)),
            hands: spec.hands.then(|| take(4 * sides * kinds)),
            counters: take(spec.counters.iter().map(|def| 5 * owners(def.per_side) * usize::from(def.size)).sum()),
            marks: take(spec.marks.iter().map(|def| owners(def.per_side) * squares).sum()),
            traits: take(3 * spec.traits.len() * sides * squares),
            castles: take(spec.castles.len()),
            en_passant: variant.captures_en_passant().then(|| take(squares)),
            turn: mirror.is_none().then(|| take(sides)),
            out: (sides > 2).then(|| take(sides)),
        };
        let castles = (0..spec.castles.len()).map(|index| counterpart(variant, mirror.as_deref(), index)).collect();
        Features { sides, kinds, squares, mirror, castles, race, start, len }
    }

    /// The number of features.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are no features: always false.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The side from whose view the features of a position are listed.
    pub fn view(&self, position: &Position) -> Side {
        if self.mirror.is_some() { position.side() } else { Side::FIRST }
    }

    /// Whether positions are seen by the side to roll.
    pub fn is_symmetric(&self) -> bool {
        self.mirror.is_some()
    }

    /// What each feature means, in words: `White rook on e4`. If the sides are symmetric, `own` and `opposing` take the place of
    /// names of sides, and squares are those of the first side.
    pub fn names(&self, variant: &Variant) -> Vec<String> {
        let mut names = Names::new(self, variant);
        names.pieces(self);
        names.numbers(variant);
        names.rights(self, variant);
        names.list
    }

    /// Lists the features of a position that are not zero. It must be of the variant.
    pub fn list(&self, variant: &Variant, position: &Position, out: &mut Vec<Feature>) {
        out.clear();
        let seen = Seen { of: self, variant, position, turned: self.view(position) != Side::FIRST };
        seen.pieces(out);
        seen.counts(out);
        if let Some(start) = self.start.attacks {
            seen.attacks(start, out);
        }
        if let Some(race) = &self.race {
            seen.race(race, out);
        }
        if let Some(start) = self.start.hands {
            seen.hands(start, out);
        }
        seen.counters(out);
        seen.marks_and_traits(out);
        seen.rights(out);
    }
}

/// The castling of the other side that corresponds to number `index`.
fn counterpart(variant: &Variant, mirror: Option<&[Square]>, index: usize) -> usize {
    let castles = &variant.spec().castles;
    let own = &castles[index];
    let Some(king) = mirror.and_then(|mirror| mirror.get(own.king.0.index()).zip(mirror.get(own.king.1.index())))
    else {
        return index;
    };
    let same = castles.iter().position(|other| other.side != own.side && (&other.king.0, &other.king.1) == king);
    same.unwrap_or(index)
}

/// The names of features, in their order.
struct Names {
    list: Vec<String>,
    /// Words for the sides, in the order of the features.
    sides: Vec<String>,
    squares: Vec<String>,
    /// Pieces by side and kind.
    pieces: Vec<String>,
}

impl Names {
    fn new(of: &Features, variant: &Variant) -> Names {
        let sides: Vec<String> = match of.is_symmetric() {
            true => ["own", "opposing"].map(String::from).to_vec(),
            false => variant.spec().sides.iter().map(|side| side.name.clone()).collect(),
        };
        let squares = (0..of.squares).map(|square| variant.board().name(Square(square as u8))).collect();
        let kinds = variant.kinds();
        let pieces =
            sides.iter().flat_map(|side| kinds.iter().map(move |kind| format!("{side} {}", kind.name))).collect();
        Names { list: Vec::new(), sides, squares, pieces }
    }

    /// The names of what [`steps`] writes.
    fn steps(&mut self, what: &str, steps: u32) {
        self.list.extend((1..=steps).map(|step| format!("{what}: at least {step}")));
        self.list.push(format!("{what}: a quarter of the number beyond {steps}"));
    }

    /// The prefix for each owner of a counter or mark: none, if it belongs to all.
    fn owners(&self, per_side: bool) -> Vec<String> {
        if per_side { self.sides.iter().map(|side| format!("{side} ")).collect() } else { vec![String::new()] }
    }

    fn pieces(&mut self, of: &Features) {
        let (pieces, squares) = (self.pieces.clone(), self.squares.clone());
        let places = || pieces.iter().flat_map(|piece| squares.iter().map(move |square| (piece, square)));
        self.list.extend(places().map(|(piece, square)| format!("{piece} on {square}")));
        if of.start.beneath.is_some() {
            places().for_each(|(piece, square)| self.steps(&format!("{piece} below the top of {square}"), 2));
        }
        for piece in &pieces {
            self.list.push(format!("{piece} on the board: at least 1"));
            self.list.push(format!("{piece} on the board: a quarter of the number"));
        }
        if of.start.attacks.is_some() {
            for piece in &pieces {
                self.list.push(format!("{piece} attacked: half of the number"));
                self.list.push(format!("{piece} attacked and undefended: half of the number"));
                self.list.push(format!("{piece} attacks a royal piece"));
            }
        }
        if of.race.is_some() {
            self.race();
        }
        if of.start.hands.is_some() {
            pieces.iter().for_each(|piece| self.steps(&format!("{piece} in hand"), 3));
        }
    }

    fn race(&mut self) {
        for side in &self.sides {
            self.list.push(format!("{side} steps to go, divided by four times the length of the track"));
            self.list.push(format!("{side} pieces still to be passed by an enemy"));
            let near = 1..=NEAR;
            self.list.extend(
                near.clone().map(|steps| format!("{side} single pieces {steps} ahead of an enemy: the number")),
            );
            self.list
                .extend(near.map(|steps| format!("{side} pieces together {steps} ahead of an enemy's last piece")));
        }
    }

    fn numbers(&mut self, variant: &Variant) {
        let (spec, squares) = (variant.spec(), self.squares.clone());
        for def in &spec.counters {
            for owner in self.owners(def.per_side) {
                for place in 1..=def.size {
                    let place = if def.size > 1 { format!(", place {place}") } else { String::new() };
                    let what = format!("{owner}counter {}{place}", def.name);
                    self.steps(&what, 3);
                    self.list.push(format!("{what}: a quarter of the number below 0"));
                }
            }
        }
        for def in &spec.marks {
            for owner in self.owners(def.per_side) {
                self.list.extend(squares.iter().map(|square| format!("{owner}mark {} on {square}", def.name)));
            }
        }
        for def in &spec.traits {
            for side in self.sides.clone() {
                squares.iter().for_each(|square| self.steps(&format!("{side} trait {} on {square}", def.name), 2));
            }
        }
    }

    fn rights(&mut self, of: &Features, variant: &Variant) {
        for castle in &variant.spec().castles {
            let (side, square) = (&self.sides[castle.side.index()], &self.squares[castle.rook.0.index()]);
            self.list.push(format!("{side} right to castle with the piece on {square}"));
        }
        if of.start.en_passant.is_some() {
            self.list.extend(self.squares.iter().map(|square| format!("en passant on {square}")));
        }
        if of.start.turn.is_some() {
            self.list.extend(self.sides.iter().map(|side| format!("{side} to roll")));
        }
        if of.start.out.is_some() {
            self.list.extend(self.sides.iter().map(|side| format!("{side} is out")));
        }
    }
}

/// A position from the view of a side.
struct Seen<'a> {
    of: &'a Features,
    variant: &'a Variant,
    position: &'a Position,
    turned: bool,
}

/// Thresholds that a number reaches, and what is beyond the last one.
fn steps(start: u32, steps: u32, number: i32, out: &mut Vec<Feature>) {
    for step in 0..steps.min(number.max(0) as u32) {
        out.push((start + step, 1.0));
    }
    if number > steps as i32 {
        out.push((start + steps, (SCALE * (number - steps as i32) as f32).min(MOST)));
    }
}

impl Seen<'_> {
    fn side(&self, side: Side) -> usize {
        if self.turned { 1 - side.index().min(1) } else { side.index() }
    }

    fn square(&self, square: Square) -> usize {
        match &self.of.mirror {
            Some(mirror) if self.turned => mirror[square.index()].index(),
            _ => square.index(),
        }
    }

    /// The number of a side's kind among all.
    fn kind(&self, piece: Piece) -> usize {
        self.side(piece.side()) * self.of.kinds + piece.kind().index()
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.of.sides as u8).map(Side)
    }

    fn pieces(&self, out: &mut Vec<Feature>) {
        for square in self.position.occupied() {
            let piece = self.position.at(square);
            out.push(((self.kind(piece) * self.of.squares + self.square(square)) as u32, 1.0));
        }
        let Some(start) = self.of.start.beneath else { return };
        for square in self.position.heaps(2) {
            let mut beneath: Vec<usize> = self.position.beneath(square).map(|piece| self.kind(piece)).collect();
            beneath.sort_unstable();
            for same in beneath.chunk_by(|a, b| a == b) {
                let place = same[0] * self.of.squares + self.square(square);
                steps(start + 3 * place as u32, 2, same.len() as i32, out);
            }
        }
    }

    fn counts(&self, out: &mut Vec<Feature>) {
        for side in self.sides() {
            for kind in (0..self.of.kinds as u8).map(Kind) {
                let piece = Piece::new(side, kind);
                let count = self.position.count(self.variant, piece);
                if count > 0 {
                    let place = self.of.start.counts + 2 * self.kind(piece) as u32;
                    out.push((place, 1.0));
                    out.push((place + 1, (SCALE * count as f32).min(MOST)));
                }
            }
        }
    }

    fn attacks(&self, start: u32, out: &mut Vec<Feature>) {
        let (variant, position) = (self.variant, self.position);
        let mut sums = [0.0f32; 3 * 8 * 64];
        let royals = variant.royals();
        for square in position.occupied() {
            let piece = position.at(square);
            let mut attacked = false;
            for enemy in self.sides().filter(|enemy| !variant.allied(*enemy, piece.side())) {
                if royals.contains(piece.kind()) {
                    for from in attack::attackers(variant, position, square, enemy) {
                        attacked = true;
                        sums[3 * self.kind(position.at(from)) + 2] = 1.0;
                    }
                } else {
                    attacked |= !attack::attackers(variant, position, square, enemy).is_empty();
                }
            }
            if attacked {
                let place = 3 * self.kind(piece);
                sums[place] += 0.5;
                if attack::attackers(variant, position, square, piece.side()).is_empty() {
                    sums[place + 1] += 0.5;
                }
            }
        }
        let all = 3 * self.of.sides * self.of.kinds;
        let found = sums[..all].iter().enumerate().filter(|(_, sum)| **sum > 0.0);
        out.extend(found.map(|(place, sum)| (start + place as u32, sum.min(MOST))));
    }

    fn race(&self, race: &Race, out: &mut Vec<Feature>) {
        for (side, found) in self.sides().zip(race.encounters(self.variant, self.position)) {
            let start = self.of.start.race + (IN_RACE * self.side(side)) as u32;
            let steps = found.steps / race.whole(side.index()) as f64;
            out.push((start, (SCALE * steps as f32).min(MOST)));
            if found.is_chased {
                out.push((start + 1, 1.0));
            }
            let shots = (start + 2..).zip(found.shots).filter(|(_, number)| *number > 0);
            out.extend(shots.map(|(place, number)| (place, f32::from(number).min(MOST))));
            let blocks = (start + 2 + NEAR as u32..).zip(found.blocks).filter(|(_, blocks)| *blocks);
            out.extend(blocks.map(|(place, _)| (place, 1.0)));
        }
    }

    fn hands(&self, start: u32, out: &mut Vec<Feature>) {
        for side in self.sides() {
            for kind in (0..self.of.kinds as u8).map(Kind) {
                let held = self.position.in_hand(self.variant, side, kind);
                steps(start + 4 * self.kind(Piece::new(side, kind)) as u32, 3, held.into(), out);
            }
        }
    }

    fn counters(&self, out: &mut Vec<Feature>) {
        let mut start = self.of.start.counters;
        for (index, def) in self.variant.spec().counters.iter().enumerate() {
            for owner in self.sides().take(if def.per_side { self.of.sides } else { 1 }) {
                let place = if def.per_side { self.side(owner) as u32 } else { 0 };
                for at in 0..def.size {
                    let number = i32::from(self.position.counter_at(self.variant, index, at, owner));
                    let first = start + 5 * (place * u32::from(def.size) + u32::from(at));
                    steps(first, 3, number, out);
                    if number < 0 {
                        out.push((first + 4, (-SCALE * number as f32).min(MOST)));
                    }
                }
            }
            start += 5 * u32::from(def.size) * if def.per_side { self.of.sides as u32 } else { 1 };
        }
    }

    fn marks_and_traits(&self, out: &mut Vec<Feature>) {
        let (spec, squares) = (self.variant.spec(), self.of.squares as u32);
        let mut start = self.of.start.marks;
        for (index, def) in spec.marks.iter().enumerate() {
            for owner in self.sides().take(if def.per_side { self.of.sides } else { 1 }) {
                let place = if def.per_side { self.side(owner) as u32 } else { 0 };
                let marked = self.position.marked(self.variant, index, owner);
                out.extend(
                    marked.into_iter().map(|square| (start + place * squares + self.square(square) as u32, 1.0)),
                );
            }
            start += squares * if def.per_side { self.of.sides as u32 } else { 1 };
        }
        for index in 0..spec.traits.len() {
            for square in self.position.occupied() {
                let value = self.position.trait_at(self.variant, index, square);
                let side = self.side(self.position.at(square).side());
                let place = (index * self.of.sides + side) * self.of.squares + self.square(square);
                steps(self.of.start.traits + 3 * place as u32, 2, value.into(), out);
            }
        }
    }

    fn rights(&self, out: &mut Vec<Feature>) {
        for (index, &other) in self.of.castles.iter().enumerate() {
            if self.position.rights() >> index & 1 != 0 {
                let place = if self.turned { other } else { index };
                out.push((self.of.start.castles + place as u32, 1.0));
            }
        }
        if let Some(start) = self.of.start.en_passant {
            let targets = self.position.en_passant().iter();
            out.extend(targets.map(|right| (start + self.square(right.target) as u32, 1.0)));
        }
        if let Some(start) = self.of.start.turn {
            out.push((start + self.position.side().index() as u32, 1.0));
        }
        if let Some(start) = self.of.start.out {
            let gone = self.sides().filter(|&side| self.position.is_out(side));
            out.extend(gone.map(|side| (start + side.index() as u32, 1.0)));
        }
    }
}
