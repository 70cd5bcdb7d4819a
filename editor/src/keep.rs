//! Findings of an older text that still fit the current one.
//!
//! Trial games take longer than reading a text, so their findings arrive later. Until then, an editor keeps those of the
//! last text that was played, if their lines are the same. This module knows texts and places, not what a finding means.
//! Invariant: every place of a kept finding lies on a line with the same text as before.

use astragal_dsl::Diagnostic;
use std::sync::Arc;

/// The lines that two texts have in common: equal lines at the start and at the end.
struct Common {
    /// The number of equal lines at the start.
    start: usize,
    /// The number of equal lines at the end, without those at the start.
    end: usize,
    /// The number of lines of each text.
    lines: (usize, usize),
}

impl Common {
    fn of(old: &str, new: &str) -> Common {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
        let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let least = old.len().min(new.len()) - start;
        let pairs = old.iter().rev().zip(new.iter().rev()).take(least);
        Common { start, end: pairs.take_while(|(old, new)| old == new).count(), lines: (old.len(), new.len()) }
    }

    /// The line of the new text that stands for a line of the old one, both from 1; 0 is the whole text.
    fn line(&self, line: usize) -> Option<usize> {
        if line <= self.start {
            return Some(line);
        }
        let after = self.lines.0.checked_sub(line)?;
        (after < self.end).then(|| self.lines.1 - after)
    }
}

/// The findings of an older text of the script `file` that can be shown for the new one, at their new places and without
/// fixes. A finding is left out if it is in another script, if one of its lines has changed, or if lines were added or
/// removed and its words contain a number, which could be that of a line.
pub fn kept(file: &str, (old, found): (&str, &[Diagnostic]), new: &str) -> Vec<Diagnostic> {
    let (common, text): (Common, Arc<str>) = (Common::of(old, new), new.into());
    let moved = common.lines.0 != common.lines.1;
    let in_place = |one: &Diagnostic| {
        if one.file != file || moved && words(one).any(|text| text.contains(|letter: char| letter.is_ascii_digit())) {
            return None;
        }
        let others = one.others.iter().map(|(line, column, text)| Some((common.line(*line)?, *column, text.clone())));
        let (line, others) = (common.line(one.line)?, others.collect::<Option<Vec<_>>>()?);
        let mut kept = Diagnostic::error(file, &text, line, one.column, one.message.clone());
        (kept.severity, kept.code, kept.length) = (one.severity, one.code, one.length);
        (kept.help, kept.reference) = (one.help.clone(), one.reference.clone());
        (kept.notes, kept.others) = (one.notes.clone(), others);
        Some(kept)
    };
    found.iter().filter_map(in_place).collect()
}

/// The texts of a finding.
fn words(one: &Diagnostic) -> impl Iterator<Item = &str> {
    let others = one.others.iter().map(|(_, _, text)| text.as_str());
    [one.message.as_str()]
        .into_iter()
        .chain(one.help.as_deref())
        .chain(one.notes.iter().map(String::as_str))
        .chain(others)
}

/// Findings of a text, with older ones added at other places. At the same place, the more severe one remains.
pub fn joined(mut found: Vec<Diagnostic>, kept: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |one: &Diagnostic| (one.file.clone(), one.line, one.column);
    for older in kept {
        match found.iter_mut().find(|one| older.line > 0 && place(one) == place(&older)) {
            Some(one) if older.severity < one.severity => *one = older,
            Some(_) => {}
            None => found.push(older),
        }
    }
    found.sort_by_key(|one| (one.severity, one.line == 0, one.line, one.column));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_dsl::Severity;

    const OLD: &str = "one\ntwo\nthree\nfour";

    /// The lines at which these findings of [`OLD`] are kept in another text.
    fn lines(found: &[Diagnostic], new: &str) -> Vec<usize> {
        kept("own.rhai", (OLD, found), new).iter().map(|one| one.line).collect()
    }

    fn at(line: usize, message: &str) -> Diagnostic {
        Diagnostic::error("own.rhai", &OLD.into(), line, 1, message)
    }

    #[test]
    fn a_finding_stays_until_its_line_changes() {
        let found = [at(0, "whole"), at(1, "first"), at(3, "third")];
        assert_eq!(lines(&found, OLD), [0, 1, 3]);
        assert_eq!(lines(&found, "one\ntwo!\nthree\nfour"), [0, 1, 3]);
        assert_eq!(lines(&found, "one\ntwo\nthree!\nfour"), [0, 1]);
        assert_eq!(lines(&found, ""), [0]);
    }

    #[test]
    fn a_finding_moves_with_its_line() {
        let found = [at(1, "first"), at(3, "third")];
        assert_eq!(lines(&found, "one\nnew\nnew\ntwo\nthree\nfour"), [1, 5]);
        assert_eq!(lines(&found, "one\nthree\nfour"), [1, 2]);
        assert_eq!(lines(&found, "new\none\ntwo\nthree\nfour"), [2, 4]);
    }

    #[test]
    fn a_finding_with_numbers_stays_only_if_no_line_was_added_or_removed() {
        let found = [at(1, "lines 3 and 4 never ran")];
        assert_eq!(lines(&found, "one\ntwo!\nthree\nfour"), [1]);
        assert_eq!(lines(&found, "one\nnew\ntwo\nthree\nfour"), [0; 0]);
    }

    #[test]
    fn a_finding_stays_only_with_its_related_places() {
        let found = [at(1, "first").also_at((3, 2), "used here")];
        let moved = kept("own.rhai", (OLD, &found), "one\nnew\ntwo\nthree\nfour");
        assert_eq!(moved[0].others, [(4, 2, "used here".to_string())]);
        assert_eq!(lines(&found, "one\ntwo\nchanged\nfour"), [0; 0]);
    }

    #[test]
    fn one_finding_is_shown_at_each_place() {
        let warning = |message: &str| {
            let mut one = at(2, message);
            one.severity = Severity::Warning;
            one
        };
        let messages = |all: Vec<Diagnostic>| all.into_iter().map(|one| one.message).collect::<Vec<_>>();
        assert_eq!(messages(joined(vec![warning("new")], vec![at(2, "old"), at(1, "first")])), ["first", "old"]);
        assert_eq!(messages(joined(vec![at(2, "new")], vec![warning("old")])), ["new"]);
    }
}
