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
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// When half of the time is over in which something is to be found, be it an estimate.
    static HALFWAY: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether what this thread does is short and is to be finished.
    static UNINTERRUPTED: Cell<bool> = const { Cell::new(false) };
}

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The flag that asks everything to stop; the part of the program that listens to the user sets it.
pub fn flag() -> Arc<AtomicBool> {
    Arc::clone(&REQUESTED)
}

/// Whether to stop: the [`flag`] was set since [`clear`], or the time of [`with_deadline`] is over.
pub fn stop_requested() -> bool {
    !UNINTERRUPTED.get() && is_requested()
}

fn is_requested() -> bool {
    REQUESTED.load(Ordering::SeqCst) || time_left().is_some_and(|left| left.is_zero())
}

/// Does something that is to take no longer than this, nor than what it is part of: after that [`stop_requested`] says so to
/// it. It should not panic; if it does, the time stays in force.
pub fn with_deadline<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let before = DEADLINE.get();
    DEADLINE.set(before.into_iter().chain(Instant::now().checked_add(time)).min());
    let result = work();
    DEADLINE.set(before);
    result
}

/// Does something within a time at whose end what has been found is told: exact chances as far as half of it reaches, then
/// estimates.
pub fn estimating<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let before = HALFWAY.replace(Instant::now().checked_add(time / 2));
    let result = with_deadline(time, work);
    HALFWAY.set(before);
    result
}

/// Does one of so many parts that are left of what is [estimated](estimating), in its share of the time.
pub fn share<T>(parts: usize, work: impl FnOnce() -> T) -> T {
    match time_left().filter(|_| is_estimating()) {
        Some(left) => estimating(left / u32::try_from(parts.max(1)).unwrap_or(u32::MAX), work),
        None => work(),
    }
}

/// Whether this is part of [`estimating`].
pub fn is_estimating() -> bool {
    HALFWAY.get().is_some()
}

/// Whether exact chances take too long by now: half of the time of [`estimating`] is over.
pub fn is_half_over() -> bool {
    HALFWAY.get().is_some_and(|half| Instant::now() >= half)
}

/// Puts into words what has been found, be it the last thing that there is time for in [`estimating`].
pub(crate) fn uninterrupted_if_estimating<T>(work: impl FnOnce() -> T) -> T {
    if is_estimating() { uninterrupted(work) } else { work() }
}

/// Does something short that is to be finished though it was asked to stop: putting into words what has been found.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let before = UNINTERRUPTED.replace(true);
    let result = work();
    UNINTERRUPTED.set(before);
    result
}

/// The time that is left for what this thread does; `None` if there is no limit.
pub fn time_left() -> Option<Duration> {
    DEADLINE.get().map(|until| until.saturating_duration_since(Instant::now()))
}

/// Another command begins.
pub fn clear() {
    REQUESTED.store(false, Ordering::SeqCst);
}
