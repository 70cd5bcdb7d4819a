//! Games as numbers, for machine learning: actions and observations.
//!
//! An action has the same number in every state of a game ([`Actions`]). A state is observed as planes of the size of the
//! board ([`Observation`]). Both follow from the declarations of a variant alone, so their sizes are known before a game
//! begins. Nothing here knows Python or any framework.

mod actions;
mod observation;
#[cfg(test)]
mod tests;

pub use actions::{ActionError, Actions, Step};
pub use observation::{Observation, Written};
