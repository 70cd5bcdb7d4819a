//! The method `draw`: a picture of the current state of a game, for pages with a clickable board.

use super::declared::Declared;
use crate::drawing::board::{BoardDrawing, Pieces, Theme};
use crate::drawing::{Extent, SquareCenter, heaps, marks, sidebar, svg};
use crate::report;
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{Options, PositionText, Roll, SessionNumber, Truth, VariantName, View};
use crate::rpc::request_game::RequestGame;
use crate::rpc::store::Store;
use astragal_core::board::Cells;
use astragal_core::{Kind, Piece, Side, Square, State};
use astragal_dsl::notation::fen;
use astragal_dsl::{game_text, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `draw`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct DrawParameters {
    session: Option<SessionNumber>,
    variant: Option<VariantName>,
    options: Option<Options>,
    position: Option<PositionText>,
    roll: Option<Roll>,
    view: Option<View>,
    /// True to draw the board as the second side sees it.
    flipped: Option<Truth>,
    /// True to draw letters instead of pictures.
    letters: Option<Truth>,
    /// True to keep the size of the picture constant throughout a game: it always has room for pieces in hand, and shows no
    /// dice.
    steady: Option<Truth>,
    /// True to leave out the marks of pieces that can move, for viewers who cannot move them.
    still: Option<Truth>,
}

/// A drawn position.
#[derive(Serialize, JsonSchema)]
pub(super) struct Picture {
    /// The picture, as a self-contained SVG.
    svg: String,
    /// The width of the picture; all coordinates below have the same unit.
    width: i64,
    /// The height of the picture.
    height: i64,
    /// The shape of the squares: `square` or `hex`.
    cells: &'static str,
    /// The squares, row by row from the top and from left to right, with their names and coordinates.
    squares: Vec<DrawnSquare>,
    /// The pieces in hand that the picture shows and that players can drop.
    held: Vec<DrawnHeld>,
    /// The pieces that each side had at the start and no longer has; promoted pieces do not count as lost. This field
    /// is missing in games in which captured pieces change hands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost: Vec<DrawnLosses>,
    /// The faces of this turn's unused dice.
    dice: Vec<i16>,
    /// The state of the game, in a sentence or two.
    status: String,
    /// The secrets that only the side of `view` knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    secrets: Vec<DrawnSecret>,
    /// The lines of text beside the board: hands, counters and captured pieces. With `steady`, only those that no other
    /// field contains.
    beside: Vec<String>,
}

/// A square.
#[derive(Serialize, JsonSchema)]
struct DrawnSquare {
    /// Its name.
    name: String,
    /// Its description with pieces and marks: `e2, white pawn`, `e4, empty`, `d4, empty, burnt`; with `view`, the
    /// secrets of the side's own pieces: `b1, white ghost, nature evil`; a heap is described from
    /// the top down: `a1, white man, on 2 white man, black man`.
    label: String,
    /// The letters of its pieces, as in a FEN, from the top down; empty if it has none.
    pieces: Vec<String>,
    /// Its row from the top, starting at 0.
    row: usize,
    /// Its column from the left, starting at 0.
    column: usize,
    /// Its left edge.
    x: i64,
    /// Its upper edge.
    y: i64,
    /// Its width.
    width: i64,
    /// Its height.
    height: i64,
}

/// Pieces of one kind that a side has in hand.
#[derive(Serialize, JsonSchema)]
struct DrawnHeld {
    /// The side, `first` to `eighth`.
    side: &'static str,
    /// The beginning of its drops: `P@`.
    drop: String,
    /// Its description: `White holds 2 pawn`.
    label: String,
    /// Its left edge.
    x: i64,
    /// Its upper edge.
    y: i64,
    /// Its width and height.
    width: i64,
}

/// The losses of a side.
#[derive(Serialize, JsonSchema)]
struct DrawnLosses {
    /// The side, `first` to `eighth`.
    side: &'static str,
    /// The number of pieces.
    count: usize,
    /// The pieces by kind; empty if it is unknown which of them were promoted.
    pieces: Vec<LostPieces>,
}

/// Lost pieces of a kind.
#[derive(Serialize, JsonSchema)]
struct LostPieces {
    /// The name of the kind.
    kind: String,
    /// Its letter, as in a FEN of this side.
    letter: String,
    /// Their number.
    count: usize,
}

/// The values of a secret counter or trait.
#[derive(Serialize, JsonSchema)]
struct DrawnSecret {
    /// The name of the counter or trait.
    name: String,
    /// Its values.
    values: Vec<SecretValue>,
}

/// A secret value.
#[derive(Serialize, JsonSchema)]
struct SecretValue {
    /// The square with the piece, for a trait.
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<String>,
    /// The value.
    value: i32,
    /// The name of the value, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

pub(super) struct Draw;

impl Declared for Draw {
    const NAME: &'static str = "draw";
    const ABOUT: &'static str = "Draws a position or an open game, and returns the picture, the coordinates of its \
         squares, and all other information as text.";
    const EXAMPLE: &'static str = include_str!("examples/draw.json");
    type Parameters = DrawParameters;
    type Answer = Picture;

    fn answer(store: &mut Store, asked: DrawParameters) -> Result<Picture, RpcError> {
        let made;
        let game = match (&asked.session, &asked.variant) {
            (Some(number), _) => &store.session(number.0.0)?.game,
            (None, Some(variant)) => {
                let (options, position) = (asked.options.as_ref(), asked.position.as_ref());
                made = RequestGame::set_up(&mut store.variants, variant, options, position)?
                    .with_roll(asked.roll.as_ref())?;
                &made
            }
            (None, None) => return Err(RpcError::param("variant", "a variant, or a `session`", "nothing")),
        };
        let viewer = View::side(asked.view.as_ref(), game.sides())?;
        let is = |truth: Option<Truth>| truth.is_some_and(|truth| truth.0);
        let theme = Theme {
            pieces: if is(asked.letters) { Pieces::Letters } else { Pieces::Unicode },
            flipped: is(asked.flipped),
            ..Theme::default()
        };
        let is_played = asked.session.is_some() || asked.roll.is_some();
        let marked = if is(asked.still) { Some(false) } else { is_played.then_some(true) };
        Ok(picture(game, viewer, theme, marked, is(asked.steady)))
    }
}

/// What only `side` knows.
fn secrets(state: &State, side: Side) -> Vec<DrawnSecret> {
    let variant = &state.ruleset().variant;
    let one = |own: view::OwnSecret| {
        let def = variant.spec().traits.iter().find(|def| def.name == own.name);
        let named = |value: i32| Some(def?.name_of(i16::try_from(value).ok()?)?.to_owned());
        let value = |(square, value): (Option<Square>, i32)| SecretValue {
            square: square.map(|square| variant.board().name(square).to_string()),
            value,
            text: named(value),
        };
        DrawnSecret { values: own.values.into_iter().map(value).collect(), name: own.name }
    };
    view::own_secrets(state, side).into_iter().map(one).collect()
}

/// The secret traits of the piece on a square, if it is the viewer's own: `nature evil`.
fn own_traits(state: &State, viewer: Option<Side>, square: Square) -> Vec<String> {
    let (variant, position) = (&state.ruleset().variant, state.position());
    if Some(position.at(square).side()) != viewer || position.at(square).is_none() {
        return Vec::new();
    }
    let secret = variant.spec().traits.iter().enumerate().filter(|(_, def)| def.secret);
    secret.map(|(i, def)| format!("{} {}", def.name, def.text(position.trait_at(variant, i, square)))).collect()
}

/// Draws a game. Movable pieces are marked if `marked` is true, and by default after a roll.
fn picture(game: &RequestGame, viewer: Option<Side>, theme: Theme, marked: Option<bool>, steady: bool) -> Picture {
    let state = game.state();
    let variant = &game.loaded.set.variant;
    let open = view::knows_options(state, viewer);
    let drawing = BoardDrawing::of(&game.game, open).seen_by(viewer);
    let dice = sidebar::dice_left(state, open);
    let drawing = if marked.unwrap_or(!dice.is_empty()) { drawing } else { drawing.still() };
    let drawn = match steady {
        true => svg::lay_out_steady(&drawing, theme),
        false => svg::lay_out(&drawing, theme, &dice),
    };
    let board = variant.board();
    let label = |square| {
        let (name, piece) = (board.name(square), state.position().at(square));
        let mut label = match piece.is_none() {
            true => format!("{name}, empty"),
            false => {
                let kind = variant.kinds().get(piece.kind().index()).map_or("", |kind| kind.name.as_str());
                format!("{name}, {} {kind}", game_text::side_name(variant, piece.side()).to_lowercase())
            }
        };
        for own in own_traits(state, viewer, square) {
            label.push_str(&format!(", {own}"));
        }
        if let Some(beneath) = heaps::words(variant, state.position(), square) {
            label.push_str(&format!(", {beneath}"));
        }
        if let Some(marks) = marks::words(variant, state.position(), square) {
            label.push_str(&format!(", {marks}"));
        }
        label
    };
    let pieces = |square| {
        let top = Some(state.position().at(square)).filter(|piece| !piece.is_none());
        let all = top.into_iter().chain(state.position().beneath(square).rev());
        all.map(|piece| fen::letter(variant, piece)).collect()
    };
    let square = |place: &SquareCenter| DrawnSquare {
        name: board.name(place.square),
        label: label(place.square),
        pieces: pieces(place.square),
        row: place.row,
        column: place.column,
        x: place.x - place.width / 2,
        y: place.y - place.height / 2,
        width: place.width,
        height: place.height,
    };
    let held = |held: &svg::Held| {
        let kind = variant.kinds().get(held.kind.index()).map_or("", |kind| kind.name.as_str());
        DrawnHeld {
            side: game_text::ordinal(held.side),
            drop: format!("{}@", fen::letter(variant, Piece::new(Side::FIRST, held.kind))),
            label: format!("{} holds {} {kind}", game_text::side_name(variant, held.side), held.count),
            x: held.x - held.width / 2,
            y: held.y - held.width / 2,
            width: held.width,
        }
    };
    let lost = |lost: sidebar::Losses| {
        let pieces = |(kind, count): (Kind, usize)| LostPieces {
            kind: variant.kind(kind).name.clone(),
            letter: fen::letter(variant, Piece::new(lost.side, kind)).to_string(),
            count,
        };
        DrawnLosses {
            side: game_text::ordinal(lost.side),
            count: lost.count,
            pieces: lost.kinds.iter().copied().map(pieces).collect(),
        }
    };
    Picture {
        width: drawn.width,
        height: drawn.height,
        cells: match board.cells() {
            Cells::Hex => "hex",
            Cells::Square => "square",
        },
        squares: drawn.places.iter().map(square).collect(),
        held: drawn.held.iter().map(held).collect(),
        lost: sidebar::losses(&game.game).into_iter().map(lost).collect(),
        dice,
        status: report::status(&game.game, viewer),
        secrets: viewer.map(|side| secrets(state, side)).unwrap_or_default(),
        beside: match steady {
            true => sidebar::not_drawn(&game.game, Extent::open(open)),
            false => sidebar::lines(&game.loaded, &game.game, theme, Extent::open(open)),
        },
        svg: drawn.svg,
    }
}
