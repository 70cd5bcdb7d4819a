//! Games as numbers, for programs that learn: what may be done, and what can be seen.
//!
//! Actions have the same number in every state of a game ([`Actions`]), and a state is seen as planes as large as the board
//! ([`Observation`]). Both follow from the declarations of a variant alone, so their sizes are known before a game begins.
//! Nothing here knows Python or any framework.

mod actions;
mod observation;
#[cfg(test)]
mod tests;

pub use actions::{ActionError, Actions, Step};
pub use observation::{Observation, Written};
