//! Applies fixes for mistakes with only one possible intention.

use super::cures::applied;
use super::findings::all_under;
use super::trial_games::TrialStage;
use crate::diagnostic::Diagnostic;
use crate::library::Source;

/// Maximum number of fixes; with more mistakes, the author should review the script.
const MOST: usize = 200;

/// The text of a script with all unambiguous mistakes fixed, and the list of those mistakes in order. The rest of the text
/// is unchanged.
pub fn repaired(source: &Source) -> (String, Vec<Diagnostic>) {
    let (mut source, mut done) = (source.clone(), Vec::new());
    while done.len() < MOST {
        let found = all_under(&source, &[], Some(TrialStage::default()));
        let own = found.iter().filter(|one| one.file == source.file());
        let Some((one, next)) = own.filter_map(|one| Some((one, put_right(&source, one)?))).next() else { break };
        done.push(one.clone());
        source = next;
    }
    (source.text, done)
}

/// The script with a mistake fixed; `None` if the fix does not remove the message.
fn put_right(source: &Source, one: &Diagnostic) -> Option<Source> {
    let fix = one.fix.as_ref()?;
    let next = applied(source, fix);
    let same = |left: &Diagnostic| left.line == one.line && left.message == one.message && left.fix == one.fix;
    (!all_under(&next, &[], Some(TrialStage::default())).iter().any(same)).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_meant_otherwise_is_put_right() {
        let right = crate::library::bundled("dice-chess").unwrap().text;
        let wrong = right.replacen("();\n", "()\n", 1).replacen(" && dice", " and dice", 1);
        assert_ne!(wrong, right);
        let source = Source { name: "wrong".into(), path: None, text: wrong };
        let (text, done) = repaired(&source);
        assert_eq!((text, done.len() > 1), (right.clone(), true), "{done:#?}");
        let source = Source { text: right, ..source };
        assert_eq!(repaired(&source), (source.text.clone(), Vec::new()));
    }
}
