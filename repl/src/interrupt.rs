//! Ctrl-C while a command works, and the end of the time it has: the command is asked to stop, and the
//! program goes on. Commands that have found something by then ask for SIGTERM as well.
//!
//! Whatever may take long looks at [`asked`] now and then, or at the flag of [`Thinking`]. Who does not
//! is ended by a second Ctrl-C; the game is on disk then.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once};
use std::time::{Duration, Instant};

thread_local! {
    /// When what this thread does is to end.
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
    /// When half of the time is over in which something is to be found, be it an estimate.
    static HALFWAY: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether what this thread does is short and is to be finished.
    static SHORT: Cell<bool> = const { Cell::new(false) };
}

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static HANDLER: Once = Once::new();

/// The exit code of a command that was stopped: as a shell reports a program that Ctrl-C has ended.
pub const EXIT_CODE: u8 = 130;

/// Takes Ctrl-C from now on, instead of being ended by it. Where that is impossible nothing changes.
pub fn listen() {
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::SeqCst) {
                std::process::exit(EXIT_CODE.into());
            }
        });
    });
}

/// Takes Ctrl-C and the request to end (SIGTERM) from now on, for a command that works without asking anybody and
/// tells what it has found when it is stopped. A second request ends the program at once.
pub fn listen_for_end() {
    listen();
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGTERM, flag};
        // In this order: the first request finds the flag down.
        let _ = flag::register_conditional_shutdown(SIGTERM, EXIT_CODE.into(), Arc::clone(&ASKED));
        let _ = flag::register(SIGTERM, Arc::clone(&ASKED));
    }
}

/// Whether to stop: Ctrl-C was pressed since [`forget`], or the time of [`within`] is over.
pub fn asked() -> bool {
    !SHORT.get() && said()
}

fn said() -> bool {
    ASKED.load(Ordering::SeqCst) || left().is_some_and(|left| left.is_zero())
}

/// Does something that is to take no longer than this, nor than what it is part of: after that [`asked`] says so to
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
pub fn telling<T>(work: impl FnOnce() -> T) -> T {
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

/// Somebody thinks, who is to stop at Ctrl-C.
pub struct Thinking {
    terminal: bool,
}

impl Thinking {
    /// Begins; without a terminal, Ctrl-C keeps its usual meaning.
    pub fn begin(terminal: bool) -> Thinking {
        if terminal {
            listen();
        }
        Thinking { terminal }
    }

    /// The flag that says to stop.
    pub fn flag(&self) -> Option<Arc<AtomicBool>> {
        self.terminal.then(|| Arc::clone(&ASKED))
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.terminal && asked()
    }
}
