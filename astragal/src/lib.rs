//! Board games with pieces and dice, each written as one script.
//!
//! Load a variant, start a game, and run one loop. A game waits for the dice, waits for a decision, or is over; each case
//! offers exactly the actions that are possible then.
//!
//! ```
//! use astragal::Turn;
//!
//! fn main() -> Result<(), astragal::Error> {
//!     let dice_chess = astragal::load("dice-chess")?;
//!     let mut game = dice_chess.game(7)?;
//!     loop {
//!         match game.turn() {
//!             Turn::Chance(chance) => {
//!                 chance.roll()?;
//!             }
//!             Turn::Decide(mut decision) => decision.play(decision.first())?,
//!             Turn::Over(over) => break println!("{over}"),
//!         }
//!     }
//!     println!("{}", game.record());
//!     Ok(())
//! }
//! ```
//!
//! A game is a few lines of script, and a script can be a string. `turn` gives the dice their meaning, `outcome` decides
//! who wins:
//!
//! ```
//! # fn main() -> Result<(), astragal::Error> {
//! let race = astragal::Variant::from_script("race", r#"
//!     board(2, 6);
//!     region("goal", "a6 b6");
//!     piece("runner", "R", "fW");
//!     setup("1r/2/2/2/2/R1 w");
//!     fn turn() { if roll("1d6") > 2 { play(any()); } }
//!     fn outcome() { if !(squares_of(mover()) & region("goal")).is_empty { win(mover(), "home"); } }
//! "#)?;
//! let mut game = race.game(1)?;
//! game.say("roll 3 a1a2 roll 1")?;
//! assert_eq!(game.position(), "1r/2/2/2/R1/2 w - - 1 2");
//! # Ok(())
//! # }
//! ```
//!
//! Compute the outcomes of a move as exact fractions:
//!
//! ```
//! # fn main() -> Result<(), astragal::Error> {
//! let babylonian = astragal::load("babylonian")?;
//! let game = babylonian.game_from("4k3/8/8/3p4/4P3/8/8/4K3 w", 1)?;
//! for outcome in game.odds("e4d5")? {
//!     println!("{} {}", outcome.probability, outcome.effect);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A [`Variant`] is `Send + Sync` and cheap to clone; a [`Game`] is `Send`. The same seed, options and decisions give the
//! same game on every machine. This crate is stable from version 1; the crates below it (`astragal-core`, `astragal-dsl`
//! and others) can change with any version.

mod error;
mod game;
mod odds;
mod opponent;
mod turn;
mod variant;
mod view;

pub use astragal_core::Ratio;
pub use error::{Error, TooLarge};
pub use game::Game;
pub use odds::{CompleteTurn, Outcome};
pub use opponent::Opponent;
pub use turn::{Action, Chance, Decision, Over, Turn};
pub use variant::{Setting, Variant};
pub use view::View;

/// Loads a variant with its default options: a built-in one by name, or a script by its path.
///
/// # Errors
/// If there is no such variant or file, or the script has errors; the error names the place and a correction.
///
/// ```
/// let xiangqi = astragal::load("dice-xiangqi").expect("it comes with the crate");
/// assert_eq!(xiangqi.sides(), ["Red", "Black"]);
/// assert!(astragal::load("dice-chss").unwrap_err().to_string().contains("did you mean \"dice-chess\"?"));
/// ```
pub fn load(name_or_path: &str) -> Result<Variant, Error> {
    Variant::load(name_or_path, &[])
}

/// Runs the Rust examples of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
