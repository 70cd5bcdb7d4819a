//! `board`: a position drawn, as text or as a picture.

use super::args::BoardArgs;
use super::{Answer, input, look};
use crate::prompt::files;
use astragal_service::drawing::board::{Look, Pieces, Scene};
use astragal_service::drawing::{panel, svg};
use astragal_service::report;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// `astragal board`.
pub fn board(args: &BoardArgs, color: bool, out: &mut impl Write) -> Answer {
    let loaded = super::load(&args.variant, &args.choice)?;
    let mut look = look::look(&args.drawn, color, std::io::stdout().is_terminal());
    look.flipped = args.flip;
    // What one side sees of a position can be drawn; there is no game to begin from it.
    if let Some(placed) = super::placed(&loaded, &args.choice)?.filter(|placed| !placed.masked.is_empty()) {
        if args.svg.is_some() {
            return picture(args, look, &Scene::plain(&loaded.set.variant, &placed.position), &[], out);
        }
        write!(out, "{}", report::masked_board(&loaded, &placed, look))?;
        return Ok(true);
    }
    let game = super::begin(&loaded, &args.choice)?;
    if args.svg.is_some() {
        return picture(args, look, &Scene::of(&game, true), &panel::dice_left(game.state(), true), out);
    }
    write!(out, "{}", report::board(&loaded, &game, look, true))?;
    Ok(true)
}

/// Writes the picture to where `--svg` says.
fn picture(args: &BoardArgs, mut look: Look, scene: &Scene<'_>, dice: &[i16], out: &mut impl Write) -> Answer {
    let Some(file) = &args.svg else { return Ok(true) };
    if args.drawn.board.is_none() && !args.drawn.ascii {
        look.pieces = Pieces::Unicode;
    }
    let text = svg::draw(scene, look, dice);
    match file {
        file if file == Path::new("-") => write!(out, "{text}")?,
        file => files::save(file, &text, true).map_err(input)?,
    }
    Ok(true)
}
