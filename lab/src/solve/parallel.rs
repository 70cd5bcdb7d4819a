//! Work on a list, shared by threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Scripts may recurse deeper than a thread's default stack allows.
const STACK: usize = 64 << 20;

/// The items that a thread takes at a time.
const ITEMS: usize = 16;

/// The results of a share, and where it begins.
type Share<R, E> = (usize, Result<Vec<R>, E>);

/// The results of `work` for the items, in order: for fewer of them, if `stop` returns true before all are done. If some
/// fail, the first error; but what fails when it is to stop may only have been interrupted, and counts as not done.
pub(super) fn each<T: Sync, R: Send, E: Send>(
    items: &[T],
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Share<R, E>>> = Mutex::default();
    let run = || loop {
        let from = next.fetch_add(ITEMS, Ordering::Relaxed);
        if from >= items.len() || stop() {
            return;
        }
        let share = items[from..items.len().min(from + ITEMS)].iter().map(&work).collect();
        done.lock().unwrap_or_else(PoisonError::into_inner).push((from, share));
    };
    std::thread::scope(|scope| {
        let spawn = |_: &usize| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_ok();
        if (0..threads.max(1)).filter(spawn).count() == 0 {
            run();
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(from, _)| *from);
    let mut all = Vec::with_capacity(items.len());
    for (from, share) in done {
        if from != all.len() || share.is_err() && stop() {
            break;
        }
        all.extend(share?);
    }
    Ok(all)
}
