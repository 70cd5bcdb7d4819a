//! The changes between two texts as a unified diff, optionally in color.

use similar::{ChangeTag, TextDiff};

/// Lines shown around a change.
const AROUND: usize = 3;

/// The lines that differ, with their context: `-` for expected lines, `+` for actual lines. Blank lines at the end do not
/// count.
pub fn unified(expected: &str, found: &str, color: bool) -> String {
    exact(&ended(expected), &ended(found), color)
}

/// As [`unified`], with the blank lines and the missing line break at the end of a text.
pub fn exact(old: &str, new: &str, color: bool) -> String {
    let paint =
        |code: &str, line: &str| if color { format!("\x1b[{code}m{line}\x1b[0m\n") } else { format!("{line}\n") };
    let diff = TextDiff::from_lines(old, new);
    let mut out = String::new();
    for hunk in diff.unified_diff().context_radius(AROUND).iter_hunks() {
        out.push_str(&paint("36", hunk.header().to_string().trim_end()));
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches('\n');
            match change.tag() {
                ChangeTag::Delete => out.push_str(&paint("31", &format!("-{line}"))),
                ChangeTag::Insert => out.push_str(&paint("32", &format!("+{line}"))),
                ChangeTag::Equal => out.push_str(&format!(" {line}\n")),
            }
            if change.missing_newline() {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
}

/// Whether an output is the accepted one. Blanks at the end do not count.
pub(crate) fn is_accepted(output: &str, accepted: &str) -> bool {
    output.trim_end() == accepted.replace("\r\n", "\n").trim_end()
}

fn ended(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_and_their_surroundings_are_shown() {
        let text = (1..20).map(|n| format!("{n}\n")).collect::<String>();
        let diff = unified(&text, &text.replace("10\n", "ten\n"), false);
        assert_eq!(diff, "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
        assert_eq!(unified("a\n", "a", false), "");
        assert!(unified("a", "b", true).contains("\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m"));
        assert_eq!(unified("", "a\n", false), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(exact("a\n\n", "a\n", false), "@@ -1,2 +1 @@\n a\n-\n");
        assert_eq!(exact("a", "a\n", false), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    }
}
