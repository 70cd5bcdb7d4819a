//! Inlay hints that show how many tests reach each block of a script: functions, branches, loops and arms of `switch`.
//!
//! A test reaches a block if it runs any code in the block. The number of runs is unknown, since compiled rules run
//! without the script.

use super::hint::Hint;
use super::test_run::TestRun;
use astragal_dsl::coverage::LineColumn;
use astragal_editor::document::Document;
use astragal_editor::lines::{Place, Units};
use std::ops::Range;

/// The maximum number of tests that a tooltip names.
const MOST_NAMED: usize = 8;

/// The hints at the start of the blocks of a script, in order. There are none if the script has changed since the
/// tests were run.
pub fn block_hints(script: &Document, run: &TestRun) -> Vec<Hint> {
    if run.script != script.text() {
        return Vec::new();
    }
    let offset = |(line, column): &LineColumn| {
        let place = Place { line: counted(*line), column: counted(*column) };
        script.lines().offset(script.text(), place, Units::Utf32)
    };
    let places: Vec<usize> = run.places.iter().map(offset).collect();
    let reached: Vec<Vec<usize>> =
        run.results.iter().map(|result| result.reached.iter().map(offset).collect()).collect();
    let holds = |block: &Range<usize>, places: &[usize]| {
        // The places are in text order.
        places.get(places.partition_point(|place| *place < block.start)).is_some_and(|place| *place < block.end)
    };
    let blocks = blocks(script).into_iter().filter(|block| holds(block, &places));
    let hint = |block: Range<usize>| {
        let by = run.results.iter().zip(&reached).filter(|(_, reached)| holds(&block, reached));
        let names: Vec<&str> = by.map(|(result, _)| result.name.as_str()).collect();
        remark(block.start, &names, run.results.len())
    };
    blocks.map(hint).collect()
}

/// Converts a line or column number that counts from 1 to one that counts from 0.
fn counted(from_one: usize) -> u32 {
    u32::try_from(from_one.saturating_sub(1)).unwrap_or(u32::MAX)
}

fn remark(offset: usize, reached_by: &[&str], tests: usize) -> Hint {
    let all = if tests == 1 { "1 test".into() } else { format!("{tests} tests") };
    let text = match reached_by.len() {
        0 => "no test".into(),
        count => format!("{count} of {all}"),
    };
    let listed: Vec<String> = reached_by.iter().take(MOST_NAMED).map(|name| format!("- {name}")).collect();
    let more = reached_by.len().saturating_sub(MOST_NAMED);
    let rest = if more > 0 { format!("\n- {more} more") } else { String::new() };
    let tooltip = match reached_by {
        [] => "No test reaches this block.".into(),
        _ => format!("Tests that reach this block:\n\n{}{rest}", listed.join("\n")),
    };
    Hint { offset, text, tooltip }
}

/// The blocks of code, in order. A block starts after its opening brace, or after the arrow of an arm without braces.
fn blocks(script: &Document) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for token in 0..script.tokens().len() {
        let start = script.tokens()[token].span.end;
        match script.word(token) {
            "{" if !is_switch(script, token) => found.push(start..end_of_block(script, token)),
            "=>" if !script.is(token + 1, "{") => found.push(start..end_of_arm(script, token + 1)),
            _ => {}
        }
    }
    found
}

/// Whether a brace encloses the arms of a `switch`.
fn is_switch(script: &Document, brace: usize) -> bool {
    let mut at = brace;
    while let Some(before) = at.checked_sub(1) {
        at = match script.word(before) {
            "switch" => return true,
            // The value of a `switch` contains none of these outside brackets.
            "fn" | "if" | "else" | "while" | "until" | "for" | "loop" | "do" | "try" | "catch" => return false,
            ";" | "," | "=" | "=>" | "(" | "[" | "{" | "#{" | "}" => return false,
            ")" | "]" => match script.partner(before) {
                Some(open) => open,
                None => return false,
            },
            _ => before,
        };
    }
    false
}

fn end_of_block(script: &Document, brace: usize) -> usize {
    let close = script.partner(brace).and_then(|close| script.tokens().get(close));
    close.map_or(script.text().len(), |close| close.span.start)
}

/// The end of an arm without braces: before the next comma or closing bracket.
fn end_of_arm(script: &Document, first: usize) -> usize {
    let mut at = first;
    while at < script.tokens().len() {
        match script.word(at) {
            "," | ")" | "]" | "}" => return script.tokens()[at].span.start,
            "(" | "[" | "?[" | "{" | "#{" => at = script.partner(at).unwrap_or(script.tokens().len()) + 1,
            _ => at += 1,
        }
    }
    script.text().len()
}

#[cfg(test)]
#[path = "hints_tests.rs"]
mod tests;
