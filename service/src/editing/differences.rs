//! Compares the output of a game with its accepted output, and assigns each difference to a line of play.

use similar::{ChangeTag, TextDiff};

/// A difference in the output of one line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Difference {
    /// The number of the section: 0 before the first line of play, then one for each line, then one for the end.
    pub(super) section: usize,
    /// The changed lines: accepted lines with the prefix `-`, and new lines with the prefix `+`.
    pub(super) lines: Vec<String>,
}

/// The differences between the output of a game, given in sections, and the accepted output, in order. Whitespace at
/// the end of the output is ignored.
pub(super) fn differences(sections: &[String], accepted: &str) -> Vec<Difference> {
    let found: String = sections.concat();
    let (accepted, found) = (ended(accepted), ended(&found));
    let owners = owners(sections);
    let mut differences: Vec<Difference> = Vec::new();
    let mut note = |section: usize, line: String| match differences.last_mut().filter(|last| last.section == section) {
        Some(last) => last.lines.push(line),
        None => differences.push(Difference { section, lines: vec![line] }),
    };
    let (mut section, mut removed) = (0, Vec::new());
    for change in TextDiff::from_lines(&accepted, &found).iter_all_changes() {
        let text = change.value().trim_end_matches('\n');
        if let Some(owner) = change.new_index().and_then(|index| owners.get(index)) {
            section = *owner;
            removed.drain(..).for_each(|line| note(section, line));
        }
        match change.tag() {
            // A line of play was removed: its output belongs to the next section.
            ChangeTag::Delete if text.starts_with("> ") || !removed.is_empty() => removed.push(format!("-{text}")),
            ChangeTag::Delete => note(section, format!("-{text}")),
            ChangeTag::Insert => note(section, format!("+{text}")),
            ChangeTag::Equal => {}
        }
    }
    removed.into_iter().for_each(|line| note(section, line));
    differences
}

/// The section of each line of the output.
fn owners(sections: &[String]) -> Vec<usize> {
    sections.iter().enumerate().flat_map(|(number, text)| text.lines().map(move |_| number)).collect()
}

fn ended(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end().replace("\r\n", "\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(accepted: &str, found: &[&str]) -> Vec<(usize, String)> {
        let sections: Vec<String> = found.iter().map(|section| section.to_string()).collect();
        differences(&sections, accepted).into_iter().map(|one| (one.section, one.lines.join("|"))).collect()
    }

    #[test]
    fn differences_belong_to_lines_of_play() {
        let new = ["opening\n", "> moves\na b\n", "> a\nplayed a\nnext\n", "> end\nposition\n"];
        assert_eq!(found("opening\n> moves\na b\n> a\nplayed a\nnext\n> end\nposition", &new), []);
        let accepted = "opening\n> moves\na c\n> a\nplayed a\nnext\n> end\nother\n";
        assert_eq!(found(accepted, &new), [(1, "-a c|+a b".into()), (3, "-other|+position".into())]);
        // A line of play was added.
        let accepted = "opening\n> a\nplayed a\nnext\n> end\nposition\n";
        assert_eq!(found(accepted, &new), [(1, "+> moves|+a b".into())]);
        // A line of play was removed.
        let accepted = "opening\n> moves\na b\n> x\nplayed x\n> a\nplayed a\nnext\n> end\nposition\n";
        assert_eq!(found(accepted, &new), [(2, "-> x|-played x".into())]);
        // A line of play was replaced.
        let accepted = "opening\n> moves\na b\n> b\nplayed b\nnext\n> end\nposition\n";
        assert_eq!(found(accepted, &new), [(2, "-> b|-played b|+> a|+played a".into())]);
    }
}
