//! Mistakes put right that cannot be meant otherwise.

use super::check;
use crate::diagnostic::Diagnostic;
use crate::library::Source;

/// A script with more of them is better looked at by its author.
const MOST: usize = 200;

/// The text of a script in which all is put right that cannot be meant otherwise, and what that was, in order. Everything
/// else stays as it is written.
pub fn repaired(source: &Source) -> (String, Vec<Diagnostic>) {
    let (mut source, mut done) = (source.clone(), Vec::new());
    while done.len() < MOST {
        let found = check(&source);
        let own = |one: &&Diagnostic| one.file == source.file();
        let Some((one, fix)) = found.iter().filter(own).find_map(|one| Some((one, one.fix.as_ref()?))) else { break };
        let mut text = source.text.clone();
        text.replace_range(fix.span.clone(), &fix.text);
        let next = Source { text, ..source.clone() };
        // What is still there afterwards was no cure.
        if check(&next).iter().any(|left| left.line == one.line && left.message == one.message && left.fix == one.fix) {
            break;
        }
        done.push(one.clone());
        source = next;
    }
    (source.text, done)
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
