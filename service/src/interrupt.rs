//! Work that is asked to stop: by its owner, or by the end of the time it has.
//!
//! Whatever may take long looks at [`stop_requested`] now and then, or at the [`flag`]. Who asks (Ctrl-C, a button) is no affair of
//! this module, which knows no signal and no thread but its own.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use web_time::Instant;

thread_local! {
    /// When what this thread does is to end.
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
    /// When half of the time is over in which something is to be found, be it an estimate.
    static HALFWAY: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether what this thread does is short and is to be finished.
    static SHORT: Cell<bool> = const { Cell::new(false) };
}

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The flag that asks everything to stop; the part of the program that listens to the user sets it.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(&ASKED)
}

/// Whether to stop: the [`flag`] was set since [`forget`], or the time of [`within`] is over.
pub fn stop_requested() -> bool {
    !SHORT.get() && said()
}

fn said() -> bool {
    ASKED.load(Ordering::SeqCst) || left().is_some_and(|left| left.is_zero())
}

/// Does something that is to take no longer than this, nor than what it is part of: after that [`stop_requested`] says so to
/// it. It should not panic; if it does, the time stays in force.
pub fn within<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let before = UNTIL.get();
    UNTIL.set(before.into_iter().chain(Instant::now().checked_add(time)).min());
    let result = work();
    UNTIL.set(before);
    result
}

/// Does something within a time at whose end what has been found is told: exact chances as far as half of it reaches, then
/// estimates.
pub fn estimating<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let before = HALFWAY.replace(Instant::now().checked_add(time / 2));
    let result = within(time, work);
    HALFWAY.set(before);
    result
}

/// Does one of so many parts that are left of what is [estimated](estimating), in its share of the time.
pub fn share<T>(parts: usize, work: impl FnOnce() -> T) -> T {
    match left().filter(|_| is_estimating()) {
        Some(left) => estimating(left / u32::try_from(parts.max(1)).unwrap_or(u32::MAX), work),
        None => work(),
    }
}

/// Whether this is part of [`estimating`].
pub fn is_estimating() -> bool {
    HALFWAY.get().is_some()
}

/// Whether exact chances take too long by now: half of the time of [`estimating`] is over.
pub fn hurried() -> bool {
    HALFWAY.get().is_some_and(|half| Instant::now() >= half)
}

/// Puts into words what has been found, be it the last thing that there is time for in [`estimating`].
pub(crate) fn telling<T>(work: impl FnOnce() -> T) -> T {
    if is_estimating() { finishing(work) } else { work() }
}

/// Does something short that is to be finished though it was asked to stop: putting into words what has been found.
pub fn finishing<T>(work: impl FnOnce() -> T) -> T {
    let before = SHORT.replace(true);
    let result = work();
    SHORT.set(before);
    result
}

/// The time that is left for what this thread does; `None` if there is no limit.
pub fn left() -> Option<Duration> {
    UNTIL.get().map(|until| until.saturating_duration_since(Instant::now()))
}

/// Another command begins.
pub fn forget() {
    ASKED.store(false, Ordering::SeqCst);
}
