//! Runs independent parts of a check on several threads.
//!
//! It knows nothing of scripts. Invariant: the results and their order do not depend on the number of threads. Without
//! threads, as in a browser, the parts run one after the other.

use crate::locked::locked;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Scripts may recurse deeper than a thread's default stack allows.
const STACK: usize = 64 << 20;

/// The maximum number of threads of one check. Other work must continue alongside it.
static MOST: AtomicUsize = AtomicUsize::new(4);

/// Sets the maximum number of threads of each check, for the whole program; the default is 4. Fewer threads are used on
/// fewer processors.
pub fn limit_threads(most: NonZeroUsize) {
    MOST.store(most.get(), Ordering::Relaxed);
}

/// The number of threads of a check.
fn threads() -> usize {
    if cfg!(target_family = "wasm") {
        return 1;
    }
    thread::available_parallelism().map_or(1, usize::from).min(MOST.load(Ordering::Relaxed))
}

/// Runs `first`, and `work` for every item at the same time. Returns the result of `first`, and those of the items in
/// their order.
pub(super) fn alongside<A, T: Sync, R: Send>(
    first: impl FnOnce() -> A,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> (A, Vec<R>) {
    with_threads(threads(), first, items, work)
}

fn with_threads<A, T: Sync, R: Send>(
    threads: usize,
    first: impl FnOnce() -> A,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> (A, Vec<R>) {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::default();
    let run = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(item) = items.get(number) else { return };
        let result = work(item);
        locked(&done).push((number, result));
    };
    let others = threads.saturating_sub(1).min(items.len());
    let both = || {
        let result = first();
        run();
        result
    };
    let result = match others {
        // Some systems have no threads at all.
        0 => both(),
        _ => thread::scope(|scope| {
            for _ in 0..others {
                // If no further thread can start, the others do its work.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            }
            both()
        }),
    };
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| *number);
    (result, done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::with_threads;

    #[test]
    fn results_keep_the_order_of_their_items() {
        let items: Vec<u64> = (0..100).collect();
        let late = |item: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(item * 37 % 101));
            item * 2
        };
        let expected: Vec<u64> = items.iter().map(|item| item * 2).collect();
        for threads in [1, 2, 4, 200] {
            assert_eq!(
                with_threads(threads, || "first", &items, late),
                ("first", expected.clone()),
                "{threads} threads"
            );
        }
        assert_eq!(with_threads(4, || 7, &[], late), (7, Vec::new()));
    }
}
