//! Interruption of work: by its owner, or by a time limit.
//!
//! An owner keeps a [`StopToken`] and runs its work [`during`](StopToken::during) it. Long-running code calls
//! [`stop_requested`] regularly. This module does not know what triggers a stop (Ctrl-C, a button), and it knows no signal
//! and no thread but its own. Work of different owners is stopped independently.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use web_time::Instant;

thread_local! {
    /// The deadline of this thread's current work.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The time at which half of an estimate's time limit has passed.
    static HALFWAY: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether this thread's current work is short and must be finished.
    static UNINTERRUPTED: Cell<bool> = const { Cell::new(false) };
}

thread_local! {
    /// The tokens that this thread's current work checks, the innermost last.
    static TOKENS: RefCell<Vec<StopToken>> = const { RefCell::new(Vec::new()) };
}

/// A request to one owner's work to stop. Clones are the same token, on any thread.
#[derive(Clone, Default, Debug)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Requests a stop. Returns whether a stop was already requested.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether a stop has been requested since the token was created or cleared.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Clears the request before new work begins.
    pub fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// The token as a flag, for code that does not know tokens: it is set when a stop is requested.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Runs `work` on this thread; it is asked to stop by this token or by a token around it.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Removes the token again, even if the work panics.
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

/// Whether this thread's work should stop: a [`StopToken`] requests it, or the time limit of [`with_deadline`] has passed.
/// Always false within [`uninterrupted`].
pub fn stop_requested() -> bool {
    !UNINTERRUPTED.get() && is_requested()
}

fn is_requested() -> bool {
    is_asked() || time_left().is_some_and(|left| left.is_zero())
}

/// Whether an owner requests a stop, as opposed to a time limit.
pub(crate) fn is_asked() -> bool {
    TOKENS.with_borrow(|tokens| tokens.iter().any(StopToken::is_requested))
}

/// Runs `work` with a time limit; an earlier deadline around it stays in force. After the limit, [`stop_requested`] returns
/// true. The work should not panic: after a panic, the limit stays in force.
pub fn with_deadline<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let before = DEADLINE.get();
    DEADLINE.set(before.into_iter().chain(Instant::now().checked_add(time)).min());
    let result = work();
    DEADLINE.set(before);
    result
}

/// Runs `work` with a time limit, after which the results so far are reported. The first half of the time is for exact
/// probabilities, the rest for estimates.
pub fn estimating<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let before = HALFWAY.replace(Instant::now().checked_add(time / 2));
    let result = with_deadline(time, work);
    HALFWAY.set(before);
    result
}

/// Runs one of `parts` remaining parts of an [estimate](estimating), in its share of the time.
pub fn share<T>(parts: usize, work: impl FnOnce() -> T) -> T {
    match time_left().filter(|_| is_estimating()) {
        Some(left) => estimating(left / u32::try_from(parts.max(1)).unwrap_or(u32::MAX), work),
        None => work(),
    }
}

/// Whether this runs within [`estimating`].
pub fn is_estimating() -> bool {
    HALFWAY.get().is_some()
}

/// Whether half of the time of [`estimating`] has passed: exact probabilities now take too long.
pub(crate) fn is_half_over() -> bool {
    HALFWAY.get().is_some_and(|half| Instant::now() >= half)
}

/// Runs `work`, without interruption if it is within [`estimating`]: for describing results when the time is up.
pub(crate) fn uninterrupted_if_estimating<T>(work: impl FnOnce() -> T) -> T {
    if is_estimating() { uninterrupted(work) } else { work() }
}

/// Runs short work that must be finished even after a stop request, such as describing results.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let before = UNINTERRUPTED.replace(true);
    let result = work();
    UNINTERRUPTED.set(before);
    result
}

/// The time left for this thread's work; `None` if there is no limit.
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
