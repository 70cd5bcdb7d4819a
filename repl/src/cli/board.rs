//! `board`: draws a position as text or as a picture.

use super::args::BoardArgs;
use super::chosen_game::{begin, load, placed};
use super::failure::{Answer, input};
use super::theme;
use crate::prompt::files;
use astragal_service::drawing;
use astragal_service::drawing::board::{BoardDrawing, Pieces, Theme};
use astragal_service::drawing::{sidebar, svg};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// `astragal board`.
pub(super) fn board(args: &BoardArgs, color: bool, out: &mut impl Write) -> Answer {
    let loaded = load(&args.variant, &args.choice)?;
    let mut theme = theme::theme(&args.drawn, color, std::io::stdout().is_terminal());
    theme.flipped = args.flip;
    // One side's view of a position can be drawn, but no game can start from it.
    if let Some(placed) = placed(&loaded, &args.choice)?.filter(|placed| !placed.masked.is_empty()) {
        if args.svg.is_some() {
            return picture(args, theme, &BoardDrawing::plain(&loaded.set.variant, &placed.position), &[], out);
        }
        write!(out, "{}", drawing::masked(&loaded, &placed, theme))?;
        return Ok(true);
    }
    let game = begin(&loaded, &args.choice)?;
    if args.svg.is_some() {
        // Movable pieces are marked only if there are dice to play.
        let (drawing, dice) = (BoardDrawing::of(&game, true), sidebar::dice_left(game.state(), true));
        return picture(args, theme, &if dice.is_empty() { drawing.still() } else { drawing }, &dice, out);
    }
    write!(out, "{}", drawing::with_sidebar(&loaded, &game, theme, drawing::Extent::Options))?;
    Ok(true)
}

/// Writes the picture to the target of `--svg`.
fn picture(
    args: &BoardArgs,
    mut theme: Theme,
    drawing: &BoardDrawing<'_>,
    dice: &[i16],
    out: &mut impl Write,
) -> Answer {
    let Some(file) = &args.svg else { return Ok(true) };
    if args.drawn.board.is_none() && !args.drawn.ascii {
        theme.pieces = Pieces::Unicode;
    }
    let text = svg::draw(drawing, theme, dice);
    match file {
        file if file == Path::new("-") => write!(out, "{text}")?,
        file => files::save(file, &text, true).map_err(input)?,
    }
    Ok(true)
}
