//! The lines that differ between two texts, as one edit.

use astragal_dsl::Fix;

/// The lines that differ between two texts, as one edit. Equal lines before and after them are not edited, so editors
/// keep markers there.
pub(super) fn changed_lines(old: &str, new: &str) -> Option<Fix> {
    if old == new {
        return None;
    }
    let same = old.split_inclusive('\n').zip(new.split_inclusive('\n')).take_while(|(a, b)| a == b);
    let start: usize = same.map(|(line, _)| line.len()).sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let same =
        old_rest.split_inclusive('\n').rev().zip(new_rest.split_inclusive('\n').rev()).take_while(|(a, b)| a == b);
    let end: usize = same.map(|(line, _)| line.len()).sum();
    Some(Fix { span: start..old.len() - end, text: new_rest[..new_rest.len() - end].to_string() })
}
