//! The engine of Astragal: boards, pieces, dice, moves, turns and rule trees.
//!
//! It does not interpret scripts and performs no input or output. [`rule`] defines what a rule may ask and do, and an
//! implementation of [`rule::RuleSource`] supplies the rules.
//!
//! The modules, from the bottom up; each depends only on those before it in this list:
//!
//! - [`dice`]: dice, their outcomes, and the random numbers of a seed;
//! - [`board`]: squares, sets of squares, and the pieces that stand on them;
//! - [`variant`]: the declarations of a game, with the movement of its pieces compiled into tables;
//! - [`position`]: the pieces on the board, and how moves change them;
//! - [`movegen`]: moves, attacks, and reasons why a move does not exist;
//! - [`rules`]: the questions, changes and permits of rules, and their trees;
//! - [`play`]: the state of a game, and its events;
//! - [`analysis`]: chances, turns and counts.

#![warn(unreachable_pub)]

mod analysis;
pub mod board;
pub mod dice;
pub mod movegen;
mod play;
pub mod position;
pub mod rules;
pub mod variant;

pub use analysis::{memory_limit, odds, perft, turns};
pub use movegen::{attack, explain, track};
pub use rules::{amount, effect, meter, permit, plan, query, rule, value};

pub use analysis::ratio::Ratio;
pub use board::Board;
pub use board::piece::{Atom, Collision, Kind, KindDef, KindMask, MAX_KINDS, Piece, Promotion, Route, SideDef, Travel};
pub use board::side::{MAX_SIDES, Side};
pub use board::square::{MAX_SQUARES, Square, SquareSet};
pub use dice::{Dice, Die, Stream};
pub use movegen::explain::{Obstacle, Wish};
pub use movegen::push::Reach;
pub use movegen::{Filter, Safety};
pub use play::game::{Event, Game, GameError, HistoryEntry};
pub use play::state::choice::MOST_KEPT;
pub use play::state::{Answers, Choice, EndedTurn, Note, Reason, Reply, Ruleset, State, Status, TurnEnd, Why};
pub use play::unseen::{Blank, Unfillable, Unseen};
pub use position::moves::{Move, Tag, Taking};
pub use position::{EnPassant, Made, Position};
pub use rules::effect::Over;
pub use rules::parts::{Parts, Term};
pub use rules::permit::Permit;
pub use rules::plan::MoveWithDice;
pub use rules::rule::{Hook, RuleError, RuleId, RuleSource};
pub use rules::{Mode, Rules};
pub use variant::{Castle, RoyalCapture, RoyalPolicy, Spec, SpecError, Variant};
