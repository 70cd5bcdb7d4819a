//! Code lenses, which an editor shows above lines. Their commands play a script, run its tests, accept their output,
//! and show the odds of a roll.
//!
//! Lenses are data: this module contains the names and arguments of commands, and runs none of them.

use super::document::GameDocument;
use super::test_run::{Outcome, TestRun};
use astragal_editor::document::Document;
use std::ops::Range;

/// The command that plays a script. Argument: the script.
pub const PLAY: &str = "astragal.play";

/// The command that runs tests. Argument: a script, or a `.game` file.
pub const TEST: &str = "astragal.test";

/// The command that accepts the current output of tests. Arguments: the `.game` files.
pub const ACCEPT: &str = "astragal.accept";

/// The command that shows the odds of the first roll of the game. Arguments: the script, the line number from 1, and
/// the dice as the script writes them, such as `2d6`. The dice are omitted unless the script writes them as a string.
pub const ODDS: &str = "astragal.odds";

/// A code lens: a command that is shown above a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The byte range that it belongs to.
    pub span: Range<usize>,
    /// Its text.
    pub title: String,
    /// The command.
    pub command: &'static str,
    /// The command's arguments.
    pub arguments: Vec<String>,
}

/// The lenses of a `.game` file. `address` is the path or URI of the file for commands. `outcome` is the result of the
/// test, if it has run.
pub fn game_lenses(document: &GameDocument, address: &str, outcome: Option<&Outcome>) -> Vec<Lens> {
    let lens = |title: &str, command| Lens {
        span: document.line(1),
        title: title.into(),
        command,
        arguments: vec![address.into()],
    };
    let run = match outcome {
        None => "run test",
        Some(Outcome::Passed) => "run test (passed)",
        Some(Outcome::Differs) => "run test (differs)",
        Some(Outcome::New) => "run test (new)",
        Some(Outcome::Failed) => "run test (failed)",
    };
    let accepts = outcome.is_some_and(Outcome::can_be_accepted);
    let accept = accepts.then(|| lens("accept output", ACCEPT));
    std::iter::once(lens(run, TEST)).chain(accept).collect()
}

/// The lenses of a script. Those above its first line of code play it, run its tests and accept their output. The one
/// above each `roll(..)` shows the odds of the first roll of the game. `address` is the path or URI of the script for
/// commands. `tests` has the results of its tests, if they have run.
pub fn script_lenses(script: &Document, address: &str, tests: Option<&TestRun>) -> Vec<Lens> {
    let Some(first) = script.tokens().first() else { return Vec::new() };
    let top = |title: String, command, arguments| Lens { span: first.span.clone(), title, command, arguments };
    let own = || vec![address.to_string()];
    let mut lenses = vec![top("play".into(), PLAY, own())];
    let run = match tests {
        Some(run) if run.results.is_empty() => None,
        Some(run) => Some(format!("run tests ({} of {})", run.passed(), run.results.len())),
        None => Some("run tests".into()),
    };
    lenses.extend(run.map(|title| top(title, TEST, own())));
    let results = tests.map_or(&[][..], |run| &run.results);
    let changed = results.iter().filter(|result| result.outcome.can_be_accepted());
    let changed: Vec<String> = changed.map(|result| result.name.clone()).collect();
    match changed.len() {
        0 => {}
        1 => lenses.push(top("accept 1 output".into(), ACCEPT, changed)),
        count => lenses.push(top(format!("accept {count} outputs"), ACCEPT, changed)),
    }
    lenses.extend((0..script.tokens().len()).filter_map(|token| odds(script, address, token)));
    lenses
}

/// The lens of a token that calls `roll`.
fn odds(script: &Document, address: &str, token: usize) -> Option<Lens> {
    let is_roll = script.is(token, "roll") && script.is_call(token) && script.module_of(token).is_none();
    if !is_roll || script.is_member(token) {
        return None;
    }
    let span = script.tokens().get(token)?.span.clone();
    let line = script.lines().line_of(span.start) + 1;
    let argument = script.arguments(token + 1).into_iter().next();
    let dice = argument.filter(|tokens| tokens.len() == 1 && script.is_text(tokens.start));
    let dice = dice.map(|tokens| script.text()[script.inside(tokens.start)].to_string());
    let arguments = [address.to_string(), line.to_string()].into_iter().chain(dice).collect();
    Some(Lens { span, title: "odds".into(), command: ODDS, arguments })
}

#[cfg(test)]
mod tests {
    use super::super::test_run::TestResult;
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn titles(lenses: &[Lens]) -> Vec<&str> {
        lenses.iter().map(|lens| lens.title.as_str()).collect()
    }

    fn results(outcomes: Vec<Outcome>) -> TestRun {
        let result =
            |(number, outcome)| TestResult { name: format!("{number}.game"), outcome, reached: BTreeSet::new() };
        TestRun { results: (1..).zip(outcomes).map(result).collect(), ..TestRun::default() }
    }

    #[test]
    fn a_test_can_be_run_and_its_output_accepted() {
        let document = GameDocument::new(Path::new("a.game"), "variant: chess\ne4\n");
        assert_eq!(titles(&game_lenses(&document, "a.game", None)), ["run test"]);
        assert_eq!(titles(&game_lenses(&document, "a.game", Some(&Outcome::Passed))), ["run test (passed)"]);
        let lenses = game_lenses(&document, "file:///a.game", Some(&Outcome::Differs));
        assert_eq!(titles(&lenses), ["run test (differs)", "accept output"]);
        assert_eq!((lenses[1].command, lenses[1].arguments.as_slice()), (ACCEPT, &["file:///a.game".to_string()][..]));
    }

    #[test]
    fn a_script_has_commands_at_its_top_and_at_rolls() {
        let text = "// A game.\ntitle(\"x\");\nfn turn() {\n    let dice = roll(\"2d6\");\n    roll(DICE)";
        let script = Document::new(text.into());
        assert_eq!(titles(&script_lenses(&script, "x.rhai", None)), ["play", "run tests", "odds", "odds"]);
        let run = results(vec![Outcome::Passed, Outcome::New, Outcome::Failed]);
        let lenses = script_lenses(&script, "x.rhai", Some(&run));
        let expected = ["play", "run tests (1 of 3)", "accept 1 output", "odds", "odds"];
        assert_eq!(titles(&lenses), expected);
        assert_eq!(&text[lenses[0].span.clone()], "title");
        assert_eq!(lenses[2].arguments, ["2.game"]);
        assert_eq!(lenses[3].arguments, ["x.rhai", "4", "2d6"]);
        assert_eq!(lenses[4].arguments, ["x.rhai", "5"]);
        assert_eq!(titles(&script_lenses(&script, "x.rhai", Some(&results(Vec::new())))), ["play", "odds", "odds"]);
        assert!(script_lenses(&Document::new("// empty".into()), "x.rhai", None).is_empty());
    }
}
