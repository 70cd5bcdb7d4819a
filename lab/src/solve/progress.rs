//! The progress of a solver, and who watches it.

/// A step of a solver's work.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// States have been found, and the turns of some of them listed.
    Explored {
        /// The states.
        states: usize,
        /// Those with their turns.
        listed: usize,
    },
    /// The bounds have been improved.
    Improved {
        /// The states whose component has been reached.
        states: usize,
        /// All states.
        of: usize,
        /// The widest interval of a value in the component, in points.
        widest: f64,
    },
    /// States of a table have been checked.
    Verified {
        /// The states that have been checked.
        states: usize,
        /// The states of the table.
        of: usize,
    },
}

/// Observes a solver, and may stop it.
pub struct Watch<'a> {
    /// Called often to check whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Called after each step.
    pub progress: &'a dyn Fn(Step),
}

/// How far a solver has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// All bounds are as close as requested.
    Solved,
    /// Not all states have been examined, because a limit was reached.
    Full,
    /// No bound moves any more.
    Still,
    /// It was stopped.
    Stopped,
}
