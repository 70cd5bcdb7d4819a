//! Values that are looked up late, and how they are kept what they were.
//!
//! Sides, pieces, numbers and permits that a script has are references (see `astragal_core::value` for the table).
//! What such a reference means is looked up when it is used, which costs the rule's tree nothing. So before the
//! game changes, those that the change concerns are bound: the rule finds what they mean and holds it, and the
//! script's value is from then on the slot. Only values that the script still has are bound.
//!
//! An effect is followed up when the script next does something: by then it has dropped what it made only for the
//! call. What is found goes in front of the effect. Tests of moves are run later, in other positions: what they
//! captured is bound where they are met.

use super::binding::{Bindable, Kept};
use super::trace::Host;
use crate::locked::read;
use std::sync::{Arc, RwLock, RwLockReadGuard};

/// A value of a script: copies of it are bound together.
#[derive(Clone)]
pub(crate) struct Live<T> {
    cell: Arc<RwLock<T>>,
    /// Whoever binds it; nobody, if it cannot mean anything else.
    host: Option<Host>,
}

impl<T: std::fmt::Debug> std::fmt::Debug for Live<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        read(&self.cell).fmt(f)
    }
}

impl<T: Clone> Live<T> {
    /// A value that cannot come to mean anything else.
    pub(crate) fn fixed(value: T) -> Live<T> {
        Live { cell: Arc::new(RwLock::new(value)), host: None }
    }

    /// The reference, good until the next effect or decision.
    pub(crate) fn now(&self) -> T {
        if let Some(host) = &self.host {
            host.settle();
        }
        read(&self.cell).clone()
    }

    /// A look at it as it is, for those who only measure and print.
    pub(crate) fn peek(&self) -> RwLockReadGuard<'_, T> {
        read(&self.cell)
    }
}

impl<T: Bindable> Live<T> {
    /// The value among others to be bound, unless it cannot come to mean anything else.
    pub(crate) fn kept(&self) -> Option<Kept> {
        self.host.as_ref().map(|_| T::kept(Arc::downgrade(&self.cell)))
    }
}

impl Host {
    /// A reference as a script has it, to be bound while the script has it.
    pub(crate) fn live<T: Bindable>(&self, mut value: T) -> Live<T> {
        // An effect before this does not concern what is asked now.
        self.settle();
        let mut trace = self.trace();
        let reach = trace.reach;
        if !value.reads(&|part| reach.includes(part)) {
            return Live::fixed(value);
        }
        let cell = Arc::new(RwLock::new(value));
        if trace.is_running() {
            trace.kept.push(T::kept(Arc::downgrade(&cell)));
        }
        Live { cell, host: Some(self.clone()) }
    }
}
