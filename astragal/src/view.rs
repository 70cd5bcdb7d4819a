//! The view of one side, or of an observer who can see everything.

use crate::{Error, Game};
use astragal_core::Side;
use astragal_dsl::view;
use astragal_service::drawing::board::{BoardDrawing, Pieces, Theme};
use astragal_service::drawing::{self, sidebar, svg};
use astragal_service::report;
use std::fmt;

/// A game as one side sees it: its information state, as text and drawings. It hides the secrets of other sides. Its text
/// is everything that the side has seen so far, in sentences.
///
/// ```
/// # fn main() -> Result<(), astragal::Error> {
/// let mut game = astragal::load("bidding-chess")?.game(1)?;
/// let before = game.view(1)?.to_string();
/// game.say("7")?;
/// assert!(game.view(0)?.history().contains("White chooses 7."));
/// assert!(game.view(1)?.history().contains("White chooses in secret."));
/// assert_ne!(game.view(1)?.to_string(), before);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct View<'a> {
    game: &'a Game,
    /// `None` sees everything.
    side: Option<Side>,
}

impl Game {
    /// The game as seen by one side, from 0.
    ///
    /// # Errors
    /// If there is no such side.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert_eq!(game.view(1)?.position(), game.position());
    /// assert!(matches!(game.view(2), Err(astragal::Error::NoSide { side: 2, sides: 2 })));
    /// # Ok(())
    /// # }
    /// ```
    pub fn view(&self, side: usize) -> Result<View<'_>, Error> {
        let sides = self.variant().loaded().set.variant.sides();
        match u8::try_from(side) {
            Ok(number) if side < sides => Ok(View::new(self, Some(Side(number)))),
            _ => Err(Error::NoSide { side, sides }),
        }
    }

    /// The board in letters, like [`View::drawing`], without hiding anything.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert!(game.drawing().starts_with("8 r n b q k b n r\n7 p p p p p p p p\n"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn drawing(&self) -> String {
        View::new(self, None).drawing()
    }

    /// The board as a picture, like [`View::svg`], without hiding anything.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("chess")?.game(1)?;
    /// assert!(game.svg().contains("<title>Chess</title>"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn svg(&self) -> String {
        View::new(self, None).svg()
    }
}

impl<'a> View<'a> {
    fn new(game: &'a Game, side: Option<Side>) -> View<'a> {
        View { game, side }
    }

    /// The position in the format of [`Game::position`]. Hidden numbers are `?`, and the secret events of the current turn
    /// are left out.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::Variant::from_script("cards", r#"
    ///     board(3, 3);
    ///     piece("runner", "R", "W");
    ///     counter("card", 4, #{ each: true, secret: true });
    ///     setup("r2/3/R2 w - - 0 1 card=2/3");
    ///     fn turn() { play(any()); }
    /// "#)?.game(1)?;
    /// assert!(game.position().ends_with("card=2/3"));
    /// assert!(game.view(0)?.position().ends_with("card=2/?"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn position(&self) -> String {
        view::position(self.game.variant().loaded(), self.game.played(), self.side)
    }

    /// The history, one sentence per line; empty at the start of most games.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let mut game = astragal::load("chess")?.game(1)?;
    /// game.say("e2e4")?;
    /// assert_eq!(game.view(1)?.history(), "White plays e4.\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn history(&self) -> String {
        report::events(self.game.played(), 0, self.side)
    }

    /// The state of the game, in a sentence, after a line with this side's secrets.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("dicechess-3")?.game(1)?;
    /// assert_eq!(game.view(0)?.status(), "White to roll 3d6.\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn status(&self) -> String {
        report::status(self.game.played(), self.side)
    }

    /// Whether this side can see the current options. If not, drawings do not show them either.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("bidding-chess")?.game(1)?;
    /// assert!(game.view(0)?.knows_options() && !game.view(1)?.knows_options());
    /// # Ok(())
    /// # }
    /// ```
    pub fn knows_options(&self) -> bool {
        view::knows_options(self.game.played().state(), self.side)
    }

    /// The board in letters, one line per rank, and the rest of the position: unused dice, and pieces in hand or captured.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let mut game = astragal::load("chess")?.game(1)?;
    /// game.say("e2e4")?;
    /// assert!(game.view(0)?.drawing().contains("\n4 . . . .[P]. . .\n"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn drawing(&self) -> String {
        let loaded = self.game.variant().loaded();
        drawing::with_sidebar(loaded, self.game.played(), Theme::default(), drawing::Extent::open(self.knows_options()))
    }

    /// The same as a picture: a complete, self-contained SVG document.
    ///
    /// ```
    /// # fn main() -> Result<(), astragal::Error> {
    /// let game = astragal::load("dice-xiangqi")?.game(1)?;
    /// assert!(game.view(1)?.svg().starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    /// # Ok(())
    /// # }
    /// ```
    pub fn svg(&self) -> String {
        let (played, open) = (self.game.played(), self.knows_options());
        let theme = Theme { pieces: Pieces::Unicode, ..Theme::default() };
        svg::draw(&BoardDrawing::of(played, open), theme, &sidebar::dice_left(played.state(), open))
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}\n{}", self.history(), self.position(), self.status())
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("side", &self.side).field("position", &self.position()).finish()
    }
}
