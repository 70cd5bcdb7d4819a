//! References that are resolved when they are used, and how they keep their values when the game changes.
//!
//! The sides, pieces, numbers and permits of a script are references (see `astragal_core::value` for the table). They are
//! resolved when they are used, which costs the rule's tree nothing. So before the game changes, references that the change
//! affects are bound: the rule resolves them into slots, and from then on the script's values refer to the slots. Only
//! values that the script still holds are bound.
//!
//! An effect is followed up when the script next does something. By then it has dropped values made only for the call. The
//! steps that bind values come before the effect. Tests of moves run later, in other positions; the values they captured
//! are bound where the test is met.

use super::binding::{Bindable, Kept};
use super::trace::Host;
use crate::locked::read;
use std::sync::{Arc, RwLock, RwLockReadGuard};

/// A value of a script. Its clones are bound together.
#[derive(Clone)]
pub(crate) struct Live<T> {
    cell: Arc<RwLock<T>>,
    /// The host that binds it; `None` if its meaning cannot change.
    host: Option<Host>,
}

impl<T: std::fmt::Debug> std::fmt::Debug for Live<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        read(&self.cell).fmt(f)
    }
}

impl<T: Clone> Live<T> {
    /// A value whose meaning cannot change.
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

    /// The current reference without settling effects first, for measuring and printing.
    pub(crate) fn peek(&self) -> RwLockReadGuard<'_, T> {
        read(&self.cell)
    }
}

impl<T: Bindable> Live<T> {
    /// The value as an entry to bind; `None` if its meaning cannot change.
    pub(crate) fn kept(&self) -> Option<Kept> {
        self.host.as_ref().map(|_| T::kept(Arc::downgrade(&self.cell)))
    }
}

impl Host {
    /// Wraps a reference for a script, to be bound while the script holds it.
    pub(crate) fn live<T: Bindable>(&self, mut value: T) -> Live<T> {
        // The new value is not affected by the last effect, so follow that up first.
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
