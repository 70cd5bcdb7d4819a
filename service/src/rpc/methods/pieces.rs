//! The method `pieces`: how the pieces of a variant look and move, for legends and for piece designers.

use super::declared::Declared;
use crate::drawing::board::{Pieces, Theme};
use crate::drawing::{legend, svg};
use crate::rpc::errors::load_error;
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{List, Options, Text, Truth, VariantName};
use crate::rpc::store::Store;
use astragal_core::board::Cells;
use astragal_core::{Kind, Piece, Side, Square, SquareSet, Variant};
use astragal_dsl::{Loaded, rulebook};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `pieces`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PiecesParameters {
    variant: VariantName,
    options: Option<Options>,
    /// The name of a kind of piece: returns only this kind.
    name: Option<Text>,
    /// With `name`: the piece's square; by default, the square from which the piece has the most moves.
    from: Option<Text>,
    /// With `name` and `from`: the squares of enemy pieces.
    enemies: Option<List<Text>>,
    /// True to draw letters instead of pictures.
    letters: Option<Truth>,
}

/// The pieces of a variant.
#[derive(Serialize, JsonSchema)]
pub(super) struct Legend {
    /// The number of files of the board.
    files: u8,
    /// The number of ranks of the board.
    ranks: u8,
    /// The shape of the squares: `square` or `hex`.
    cells: &'static str,
    /// All squares of the board.
    squares: Vec<String>,
    /// The kinds of piece, in the order in which the script declares them. Each has its `name`, `letter` and `movement`,
    /// a picture for each side (`images`), the square `from` which it moves, and the squares of its `quiet` moves and
    /// `captures`.
    pieces: Vec<LegendEntry>,
}

/// A kind of piece. Its moves are those of a lone piece of the first side, without moves that the script's rules add or
/// forbid.
#[derive(Serialize, JsonSchema)]
struct LegendEntry {
    /// Its name.
    name: String,
    /// Its letter.
    letter: String,
    /// Its name and letter with a description of its movement: `knight (N): knight's leaps.`
    about: String,
    /// The description alone: `knight's leaps.`
    movement: String,
    /// A picture for each side, as SVG.
    images: Vec<String>,
    /// The square of the piece; null if it never moves, or only along a track.
    from: Option<String>,
    /// The empty squares it can move to.
    quiet: Vec<String>,
    /// The squares where it can capture. With `enemies`: the ones it captures.
    captures: Vec<String>,
    /// The squares where it can capture if another piece is in between.
    over: Vec<String>,
}

pub(super) struct PieceLegend;

impl Declared for PieceLegend {
    const NAME: &'static str = "pieces";
    const ABOUT: &'static str = "Returns pictures and moves of the pieces of a variant.";
    const EXAMPLE: &'static str = include_str!("examples/pieces.json");
    type Parameters = PiecesParameters;
    type Answer = Legend;

    fn answer(store: &mut Store, asked: PiecesParameters) -> Result<Legend, RpcError> {
        let options = asked.options.as_ref().map(Options::pairs).unwrap_or_default();
        let name = &asked.variant.0;
        let loaded = store.variants.load(name, &options).map_err(|error| load_error(name, &error))?;
        let variant = &loaded.set.variant;
        let board = variant.board();
        let only = asked.name.as_ref().map(|name| known(variant, name)).transpose()?;
        let kinds = (0..variant.kinds().len() as u8).map(Kind).filter(|kind| only.is_none_or(|only| only == *kind));
        let words = (rulebook::pieces(&loaded), rulebook::movements(&loaded));
        let pieces = kinds.map(|kind| entry(&loaded, kind, &asked, &words));
        Ok(Legend {
            files: board.width(),
            ranks: board.height(),
            cells: match board.cells() {
                Cells::Hex => "hex",
                Cells::Square => "square",
            },
            squares: board.squares().into_iter().map(|square| board.name(square)).collect(),
            pieces: pieces.collect::<Result<_, _>>()?,
        })
    }
}

/// The kind of piece with a name.
fn known(variant: &Variant, name: &str) -> Result<Kind, RpcError> {
    let found = variant.kinds().iter().position(|kind| kind.name == name);
    let names = || variant.kinds().iter().map(|kind| kind.name.as_str()).collect::<Vec<_>>().join(", ");
    let wrong = || RpcError::new(INVALID_PARAMS, format!("name: expected one of {}", names())).with("field", "name");
    found.map(|index| Kind(index as u8)).ok_or_else(wrong)
}

fn entry(
    loaded: &Loaded,
    kind: Kind,
    asked: &PiecesParameters,
    (abouts, movements): &(Vec<String>, Vec<String>),
) -> Result<LegendEntry, RpcError> {
    let variant = &loaded.set.variant;
    let board = variant.board();
    let square = |field: &str, name: &str| -> Result<Square, RpcError> {
        let wrong =
            || RpcError::new(INVALID_PARAMS, format!("{field}: there is no square {name}")).with("field", field);
        board.parse(name).ok_or_else(wrong)
    };
    let enemies = List::items(asked.enemies.as_ref()).iter().map(|name| square("enemies", name));
    let enemies: SquareSet = enemies.collect::<Result<Vec<_>, _>>()?.into_iter().collect();
    let moves = match &asked.from {
        _ if rulebook::is_on_tracks(loaded) => None,
        Some(from) if asked.name.is_some() => Some(legend::moves_among(variant, kind, square("from", from)?, enemies)),
        _ => legend::moves(variant, kind),
    };
    let names = |set: Option<SquareSet>| -> Vec<String> {
        set.into_iter().flatten().map(|square| board.name(square)).collect()
    };
    let is_lettered = asked.letters.as_ref().is_some_and(|truth| truth.0);
    let theme = Theme { pieces: if is_lettered { Pieces::Letters } else { Pieces::Unicode }, ..Theme::default() };
    let image = |side| svg::figure(variant, &loaded.start, Piece::new(Side(side as u8), kind), theme);
    let def = variant.kind(kind);
    Ok(LegendEntry {
        name: def.name.clone(),
        letter: def.letter.clone(),
        about: abouts.get(kind.index()).cloned().unwrap_or_default(),
        movement: movements.get(kind.index()).cloned().unwrap_or_default(),
        images: (0..variant.sides()).map(image).collect(),
        from: moves.as_ref().map(|moves| board.name(moves.from)),
        quiet: names(moves.as_ref().map(|moves| moves.quiet)),
        captures: names(moves.as_ref().map(|moves| moves.captures)),
        over: names(moves.as_ref().map(|moves| moves.over)),
    })
}
