//! Commands that change how things are drawn, or draw them elsewhere.

use super::files;
use super::session::{Said, Session};
use astragal_service::drawing::board::{Pieces, Scene};
use astragal_service::drawing::{panel, svg};

impl Session {
    /// `pieces`.
    pub(super) fn pieces(&mut self, rest: &str) -> Said {
        self.look.pieces = match rest.to_lowercase().as_str() {
            "letters" => Pieces::Letters,
            "pictures" | "unicode" | "chinese" | "figures" => Pieces::Unicode,
            "" if self.look.pieces == Pieces::Letters => Pieces::Unicode,
            "" => Pieces::Letters,
            _ => return Err(format!("how are pieces to be drawn? expected letters or pictures, found '{rest}'")),
        };
        Ok(self.board())
    }

    /// `svg`.
    pub(super) fn svg(&mut self, rest: &str, over: bool) -> Said {
        if rest.is_empty() {
            return Err("which file? as 'svg board.svg'".into());
        }
        let path = files::path(rest)?;
        let open = self.knows_options();
        let scene = Scene::of(&self.game, open);
        let dice = panel::dice_left(self.game.state(), open);
        files::save(&path, &svg::draw(&scene, self.look, &dice), over)
            .map_err(|why| why.replace("'save! ", "'svg! "))?;
        Ok(format!("Drawn into {}.\n", path.display()))
    }

    /// The dice of the rolls since event number `from`, drawn.
    pub(super) fn dice_line(&self, from: usize) -> String {
        panel::of_roll(&self.loaded, &self.game, from, self.look, self.viewer())
    }
}
