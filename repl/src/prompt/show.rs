//! Commands that change how positions are drawn, or draw them elsewhere.

use super::files;
use super::session::{CommandResult, Session};
use astragal_dsl::notation::nearest;
use astragal_service::drawing;
use astragal_service::drawing::board::{BoardDrawing, Pieces};
use astragal_service::drawing::{Extent, legend, sidebar, svg};
use astragal_service::report::ToldRoll;

impl Session {
    /// The current board, and everything beside it.
    pub(super) fn board(&self) -> String {
        let extent = match self.viewer() {
            None if !self.is_hidden() => Extent::Whole,
            _ => Extent::open(self.knows_options()),
        };
        drawing::with_sidebar(&self.loaded, &self.game, self.theme, extent)
    }

    /// `pieces`.
    pub(super) fn pieces(&mut self, rest: &str) -> CommandResult {
        let (word, name) = rest.split_once(' ').unwrap_or((rest, ""));
        if word == "explain" {
            return self.explain_pieces(name.trim());
        }
        self.theme.pieces = match rest.to_lowercase().as_str() {
            "letters" => Pieces::Letters,
            "pictures" | "unicode" | "chinese" | "figures" => Pieces::Unicode,
            "" if self.theme.pieces == Pieces::Letters => Pieces::Unicode,
            "" => Pieces::Letters,
            _ => return Err(format!("expected letters or pictures, found '{rest}'")),
        };
        Ok(self.board())
    }

    /// The moves of all kinds of piece, or of the named one.
    fn explain_pieces(&self, name: &str) -> CommandResult {
        let wanted = |one: &str| name.is_empty() || one.eq_ignore_ascii_case(name);
        let text = legend::legend(&self.loaded, self.theme, wanted);
        if !text.is_empty() {
            return Ok(text);
        }
        let kinds = self.loaded.set.variant.kinds();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        let near = nearest(name, names.iter().copied()).map(|near| format!("; did you mean '{near}'?"));
        Err(format!("expected a piece ({}), found '{name}'{}", names.join(", "), near.unwrap_or_default()))
    }

    /// `svg`.
    pub(super) fn svg(&mut self, rest: &str, over: bool) -> CommandResult {
        if rest.is_empty() {
            return Err("write a file name, as in 'svg board.svg'".into());
        }
        let path = files::path(rest)?;
        let open = self.knows_options();
        let drawing = BoardDrawing::of(&self.game, open);
        let dice = sidebar::dice_left(self.game.state(), open);
        files::save(&path, &svg::draw(&drawing, self.theme, &dice), over)
            .map_err(|why| why.replace("'save! ", "'svg! "))?;
        Ok(format!("Picture written to {}.\n", path.display()))
    }

    /// The drawn dice of a roll.
    pub(super) fn dice_line(&self, roll: ToldRoll<'_>) -> String {
        sidebar::of_roll(&self.loaded, roll, self.theme)
    }
}
