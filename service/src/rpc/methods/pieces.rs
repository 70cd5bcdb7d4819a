//! The method `pieces`: how the pieces of a variant look and move, for legends and for people who make pieces.

use super::Declared;
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

/// What `pieces` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PiecesParameters {
    variant: VariantName,
    options: Option<Options>,
    /// Only the kind of this name.
    name: Option<Text>,
    /// With `name`: the piece stands on this square, and not where it has most moves.
    from: Option<Text>,
    /// With `name` and `from`: enemies stand on these squares.
    enemies: Option<List<Text>>,
    /// True: letters instead of pictures.
    letters: Option<Truth>,
}

/// The pieces of a variant.
#[derive(Serialize, JsonSchema)]
pub(super) struct Legend {
    /// How many files the board has.
    files: u8,
    /// How many ranks.
    ranks: u8,
    /// The form of the squares: `square` or `hex`.
    cells: &'static str,
    /// All squares of the board.
    squares: Vec<String>,
    /// The kinds, in the order in which the script names them.
    pieces: Vec<LegendEntry>,
}

/// A kind of piece. Its moves are those of one piece of the first side that stands alone; what rules of the script add or
/// forbid is not in them.
#[derive(Serialize, JsonSchema)]
struct LegendEntry {
    /// Its name.
    name: String,
    /// Its letter.
    letter: String,
    /// How it moves, in words.
    about: String,
    /// A picture for each side, as SVG.
    images: Vec<String>,
    /// Where it stands; null if it never moves, or moves along a track alone.
    from: Option<String>,
    /// Where it may go if nothing stands there.
    quiet: Vec<String>,
    /// Where it takes an enemy. With `enemies`: which of them it takes.
    captures: Vec<String>,
    /// Where it takes an enemy if another piece stands on the way.
    over: Vec<String>,
}

pub(super) struct PieceLegend;

impl Declared for PieceLegend {
    const NAME: &'static str = "pieces";
    const ABOUT: &'static str = "How the pieces of a variant look and move.";
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
        let words = rulebook::pieces(&loaded);
        let pieces = kinds.map(|kind| entry(&loaded, kind, &asked, words.get(kind.index())));
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

/// The kind of a name.
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
    about: Option<&String>,
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
        about: about.cloned().unwrap_or_default(),
        images: (0..variant.sides()).map(image).collect(),
        from: moves.as_ref().map(|moves| board.name(moves.from)),
        quiet: names(moves.as_ref().map(|moves| moves.quiet)),
        captures: names(moves.as_ref().map(|moves| moves.captures)),
        over: names(moves.as_ref().map(|moves| moves.over)),
    })
}
