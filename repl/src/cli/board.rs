//! `board`: a position drawn, as text or as a picture.

use super::args::BoardArgs;
use super::{Answer, input, look};
use crate::prompt::board::{Pieces, Scene};
use crate::prompt::{files, report, svg};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// `astragal board`.
pub fn board(args: &BoardArgs, color: bool, out: &mut impl Write) -> Answer {
    let loaded = super::load(&args.variant, &args.choice)?;
    let game = super::begin(&loaded, &args.choice)?;
    let mut look = look::look(&args.drawn, color, std::io::stdout().is_terminal());
    look.flipped = args.flip;
    let Some(file) = &args.svg else {
        write!(out, "{}", report::board(&loaded, &game, look, true))?;
        return Ok(true);
    };
    if args.drawn.board.is_none() && !args.drawn.ascii {
        look.pieces = Pieces::Unicode;
    }
    let text = svg::draw(&Scene::of(&game, true), look);
    match file {
        file if file == Path::new("-") => write!(out, "{text}")?,
        file => files::save(file, &text, true).map_err(input)?,
    }
    Ok(true)
}
