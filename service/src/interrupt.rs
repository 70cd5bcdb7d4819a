//! Work that is asked to stop: by its owner, or by the end of the time it has.
//!
//! An owner keeps a [`StopToken`] and does its work [`during`](StopToken::during) it; whatever may take long looks at
//! [`stop_requested`] now and then. Who asks (Ctrl-C, a button) is no affair of this module, which knows no signal and no
//! thread but its own. Work of two owners does not stop each other.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

thread_local! {
    /// The tokens that what this thread does looks at, the innermost last.
    static TOKENS: RefCell<Vec<StopToken>> = const { RefCell::new(Vec::new()) };
}

/// Asks the work of one owner to stop. Copies are the same token, on whatever thread.
#[derive(Clone, Default, Debug)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Asks to stop; says whether that had been asked already.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether somebody has asked to stop since the token was made or cleared.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Other work begins, which nobody has asked to stop yet.
    pub fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// The token as a flag, for those who know nothing of tokens: it is up when stopping was asked for.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Does something on this thread that is to stop when the token, or one of what it is part of, asks for it.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Takes the token away again, also when the work panics.
        struct Entered;
        impl Drop for Entered {
            fn drop(&mut self) {
                TOKENS.with_borrow_mut(Vec::pop);
            }
        }
        TOKENS.with_borrow_mut(|tokens| tokens.push(self.clone()));
        let _entered = Entered;
        work()
    }
}

/// Whether what this thread does is to stop: a [`StopToken`] asks for it, or the time of [`with_deadline`] is over.
pub fn stop_requested() -> bool {
    !UNINTERRUPTED.get() && is_requested()
}

fn is_requested() -> bool {
    is_asked() || time_left().is_some_and(|left| left.is_zero())
}

/// Whether it is somebody who asks to stop, and not the end of a time.
pub(crate) fn is_asked() -> bool {
    TOKENS.with_borrow(|tokens| tokens.iter().any(StopToken::is_requested))
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
pub(crate) fn is_half_over() -> bool {
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
pub(crate) fn time_left() -> Option<Duration> {
    DEADLINE.get().map(|until| until.saturating_duration_since(Instant::now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_one_owner_does_not_stop_that_of_another() {
        let (mine, other) = (StopToken::default(), StopToken::default());
        assert!(!other.request() && other.request());
        mine.during(|| {
            assert!(!stop_requested());
            other.during(|| assert!(stop_requested() && !uninterrupted(stop_requested)));
            assert!(!stop_requested());
            std::thread::scope(|scope| {
                scope.spawn(|| other.during(|| assert!(stop_requested())));
            });
            mine.request();
            assert!(stop_requested());
            mine.clear();
            assert!(!stop_requested());
        });
        other.during(|| assert!(stop_requested()));
        assert!(!stop_requested(), "nobody's work is not stopped");
    }

    #[test]
    fn a_panic_leaves_no_token_behind() {
        let token = StopToken::default();
        token.request();
        let panics = || token.during(|| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert!(!stop_requested());
    }
}
