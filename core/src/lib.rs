//! The engine of Astragal: boards, pieces, dice, moves, turns and rule trees.
//!
//! It knows no script and does no input or output: [`rule`] defines what a rule may ask and do, and
//! whoever implements [`rule::RuleSource`] supplies the rules.

pub mod amount;
pub mod army;
pub mod attack;
mod bits;
pub mod board;
pub mod dice;
pub mod effect;
pub mod explain;
pub mod faces;
pub mod game;
mod legal;
pub mod meter;
pub mod movegen;
pub mod movement;
pub mod moves;
pub mod odds;
pub mod perft;
pub mod permit;
pub mod plan;
pub mod position;
pub mod push;
pub mod query;
pub mod ratio;
pub mod rule;
pub mod rules;
pub mod square;
pub mod state;
pub mod track;
pub mod turns;
pub mod value;
pub mod variant;
mod zobrist;

pub use army::{Atom, Kind, KindDef, KindMask, Piece, Promotion, Side, SideDef, Travel};
pub use board::Board;
pub use dice::{Dice, Die, Stream};
pub use effect::Over;
pub use explain::{Obstacle, Wish};
pub use game::{Entry, Event, Game, GameError};
pub use movegen::{Filter, Safety};
pub use moves::{Move, Tag};
pub use permit::Permit;
pub use plan::Paid;
pub use position::{EnPassant, Made, Position};
pub use ratio::Ratio;
pub use rule::{Hook, RuleError, RuleId, RuleSource};
pub use rules::{Mode, Rules};
pub use square::{Square, SquareSet};
pub use state::{Answers, Choice, EndedTurn, Note, Reason, Ruleset, State, Status, TurnEnd, Why};
pub use variant::{Castle, RoyalCapture, RoyalPolicy, Spec, SpecError, Variant};
