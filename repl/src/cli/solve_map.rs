//! `solve --table`: values looked up in a table, for one position or for all squares of one piece.

use super::failure::{Answer, input, of_rule};
use super::solve::Asked;
use crate::prompt::files;
use astragal_core::{Piece, Position, Square, State};
use astragal_dsl::game_text;
use astragal_dsl::notation::fen;
use astragal_lab::solve::Interval;
use astragal_lab::solve::table::Table;
use astragal_service::analysis::known;
use astragal_service::drawing::board::{BoardDrawing, Pieces, Theme};
use astragal_service::drawing::values;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

impl Asked<'_> {
    /// Prints the value of the position in the table.
    pub(super) fn look_up(&self, file: &Path, out: &mut impl Write) -> Answer {
        let table = self.table(file)?;
        let position = self.position()?;
        if let Some(square) = &self.args.map {
            return self.map(&table, position, square, out);
        }
        let side = self.side(&position);
        let failed = of_rule(self.loaded);
        let state = State::new(Arc::clone(&self.loaded.set), position.clone()).map_err(&failed)?;
        let value = known::value(&state, &*table).map_err(&failed)?;
        let Some(Interval { low, high }) = value else {
            return Err(input(format!("{}: this position is not in the table", file.display())));
        };
        match self.args.json {
            true => writeln!(out, "{}", json!({"version": 1, "side": side, "value": [low, high]}))?,
            false => writeln!(out, "{side} to roll: {low:.7} to {high:.7} points")?,
        }
        Ok(true)
    }

    /// The values with the piece from one square on each of the others.
    fn map(&self, table: &Table, mut position: Position, name: &str, out: &mut impl Write) -> Answer {
        let variant = &self.loaded.set.variant;
        let board = variant.board();
        let square = board.parse(name).filter(|square| !position.at(*square).is_none());
        let square = square.ok_or_else(|| input(format!("--map {name}: the position has no piece there")))?;
        let found: Vec<(Square, f64)> = known::by_square(&self.loaded.set, &position, square, table)
            .into_iter()
            .map(|(square, value)| (square, value.middle()))
            .collect();
        let piece = position.take(variant, square);
        if found.is_empty() {
            return Err(input(format!("--map {name}: the table has none of these positions")));
        }
        let side = game_text::side_name(variant, position.side());
        if let Some(file) = &self.args.svg {
            let theme = Theme { pieces: Pieces::Unicode, ..Theme::default() };
            let text = values::draw(&BoardDrawing::plain(variant, &position), theme, &found);
            match file {
                file if file == Path::new("-") => return Ok(write!(out, "{text}").map(|()| true)?),
                file => files::save(file, &text, true).map_err(input)?,
            }
        }
        if self.args.json {
            let squares: serde_json::Map<String, serde_json::Value> =
                found.iter().map(|(square, value)| (board.name(*square), (*value).into())).collect();
            writeln!(out, "{}", json!({"version": 1, "side": side, "squares": squares}))?;
            return Ok(true);
        }
        writeln!(
            out,
            "{side} to roll, in hundredths of a point, with {} on each square:",
            fen::letter(variant, piece)
        )?;
        for rank in (0..board.height()).rev() {
            let row: String = (0..board.width()).map(|file| self.cell(&position, &found, file, rank)).collect();
            writeln!(out, "{:>3}{row}", i64::from(rank) + i64::from(board.first_rank()))?;
        }
        let files: String = (0..board.width()).map(|file| format!("{:>5}", char::from(b'a' + file))).collect();
        writeln!(out, "   {files}")?;
        Ok(true)
    }

    /// A value, a piece, or nothing.
    fn cell(&self, position: &Position, found: &[(Square, f64)], file: u8, rank: u8) -> String {
        let variant = &self.loaded.set.variant;
        let Some(square) = variant.board().at(file.into(), rank.into()) else { return " ".repeat(5) };
        let text = match found.iter().find(|(other, _)| *other == square) {
            Some((_, value)) => values::hundredths(*value),
            None => match position.at(square) {
                Piece::NONE => ".".into(),
                piece => fen::letter(variant, piece),
            },
        };
        format!("{text:>5}")
    }
}
