//! The stages of a check: first the text and the declarations, then trial games, which take most of the time.
//!
//! An editor shows the findings of the first stage at once, and stops the games when the text changes. Without trial games,
//! there is only one stage. This module does not know what a check finds. Invariant: the result is the same for everyone
//! who waits for it.

use super::findings::all_under;
use super::trial_games::TrialStage;
use super::{cures, moved_up};
use crate::diagnostic::Diagnostic;
use crate::library::Source;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// All findings for a script.
pub(super) fn whole(source: &Source, given: &[(String, String)]) -> Vec<Diagnostic> {
    let stage = TrialStage::default();
    Suggestions::new(source, given, stage.stop.clone()).tested(all_under(source, given, Some(stage)))
}

/// Like [`check`](super::check), in two stages. `first` receives the findings of the text and the declarations as soon as
/// they are known; it is not called if there is no second stage, that of the trial games. The result contains the findings
/// of both stages. A finding of the first stage can be missing in it, if the games found its cause.
///
/// Returns `None` soon after `stop` has been set, by `first` or on another thread.
pub fn check_in_stages(
    source: &Source,
    stop: &Arc<AtomicBool>,
    first: &mut dyn FnMut(Vec<Diagnostic>),
) -> Option<Vec<Diagnostic>> {
    let suggestions = Suggestions::new(source, &[], stop.clone());
    let mut begins = |found: Vec<Diagnostic>| {
        let found = suggestions.tested(found);
        if !suggestions.is_stopped() {
            first(found);
        }
    };
    let stage = TrialStage { begins: Some(&mut begins), stop: stop.clone() };
    let found = suggestions.tested(all_under(source, &[], Some(stage)));
    (!suggestions.is_stopped()).then_some(found)
}

/// Tests the suggestions of findings. Both stages test most of them, so the results are kept.
struct Suggestions<'s> {
    source: &'s Source,
    given: &'s [(String, String)],
    stop: Arc<AtomicBool>,
    /// The findings for each changed text, without trial games.
    known: RefCell<BTreeMap<String, Vec<Diagnostic>>>,
}

impl<'s> Suggestions<'s> {
    fn new(source: &'s Source, given: &'s [(String, String)], stop: Arc<AtomicBool>) -> Suggestions<'s> {
        Suggestions { source, given, stop, known: RefCell::default() }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn tested(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        moved_up::tried(self.source, &mut found, |changed| self.look(changed));
        cures::tried(self.source, &mut found, |changed| self.look(changed));
        found
    }

    /// The findings for a changed script, without trial games; `None` if the check is stopped.
    fn look(&self, changed: &Source) -> Vec<Diagnostic> {
        if self.is_stopped() {
            return Vec::new();
        }
        if let Some(found) = self.known.borrow().get(&changed.text) {
            return found.clone();
        }
        let found = all_under(changed, self.given, None);
        self.known.borrow_mut().insert(changed.text.clone(), found.clone());
        found
    }
}
