//! The script host: Rhai scripts as rules of the engine.
//!
//! Owns the sandbox ([`engine`]), the trace of a run ([`trace`]), loading a script ([`script`]), running it ([`rules`]) and
//! its errors ([`locate`]). The functions that scripts can call are in [`crate::functions`]. It knows nothing of terminals,
//! and of files only scripts. Invariants: a script sees only its arguments and the answers that the trace supplies, and
//! everything that a script can make grow is limited.

pub(crate) mod answer;
mod around;
pub(crate) mod binding;
mod brackets;
pub(crate) mod compared;
pub(crate) mod convert;
pub(crate) mod declare;
pub(crate) mod endless;
pub(crate) mod engine;
pub(crate) mod error;
pub(crate) mod face_uses;
pub(crate) mod key_table;
pub(crate) mod kind;
pub(crate) mod live;
pub(crate) mod locate;
pub(crate) mod loops;
pub(crate) mod made_of_faces;
pub(crate) mod mixed_up;
pub(crate) mod pointing;
pub(crate) mod probe;
pub(crate) mod rules;
pub(crate) mod script;
mod shapes;
pub(crate) mod size_limit;
pub(crate) mod slip;
pub(crate) mod slips;
pub(crate) mod syntax;
pub(crate) mod test_table;
pub(crate) mod tested;
pub(crate) mod tokens;
pub(crate) mod trace;
mod undefined;
pub(crate) mod values;
pub(crate) mod walk;
