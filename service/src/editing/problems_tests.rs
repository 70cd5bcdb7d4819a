use super::super::examples::{accepted as accepted_of, below, folder, loaded as load, marked, source_of};
use super::*;
use crate::gametest::play::transcript;

fn found(text: &str, accepted: Option<&str>) -> (GameDocument, Vec<GameProblem>) {
    let (document, loaded, _) = marked(&format!("{text}^"));
    let problems = problems(&document, &loaded, accepted);
    (document, problems)
}

/// The only problem of a text, and the bytes it marks.
fn only(text: &str) -> (String, GameProblem) {
    let (document, mut problems) = found(text, None);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    let problem = problems.remove(0);
    (document.text()[problem.span.clone()].to_string(), problem)
}

/// The text after each fix that is an edit.
fn fixed(text: &str, problem: &GameProblem) -> Vec<String> {
    let edits = problem.fixes.iter().filter_map(|fix| match fix {
        GameFix::Edit { edit, .. } => Some(edit),
        GameFix::Accept => None,
    });
    edits.map(|edit| format!("{}{}{}", &text[..edit.span.start], edit.text, &text[edit.span.end..])).collect()
}

#[test]
fn all_mistakes_are_found_with_their_places() {
    let (document, problems) = found("titel: x\nvariant: chess\nseed: y\ne4\nchoose\nundo z\ne9", None);
    let shown: Vec<(&str, &str)> =
        problems.iter().map(|one| (&document.text()[one.span.clone()], one.message.as_str())).collect();
    let expected = [
        ("titel:", "there is no header 'titel'"),
        ("y", "expected a whole number, found 'y'"),
        ("choose", "'choose' needs a choice after it"),
        ("z", "expected a number of events, found 'z'"),
    ];
    assert_eq!(shown, expected, "the line after one that cannot be parsed is not played");
    assert!(problems.iter().all(|one| one.severity == Severity::Error));
    assert_eq!(fixed("titel: x", &problems[0]), ["title: x"]);
}

#[test]
fn an_illegal_line_is_marked_with_the_reason() {
    let text = "variant: dice-chess\nroll 2 3 # dice\ne4\nNc3\n";
    let (marked, problem) = only(text);
    assert_eq!(marked, "e4");
    assert!(problem.message.contains("permits only moves of a knight or bishop"), "{}", problem.message);
    assert_eq!(problem.severity, Severity::Error);
    let expected = "variant: dice-chess\nroll 2 3 # dice\nrefused e4\nNc3\n";
    assert!(fixed(text, &problem).contains(&expected.into()), "{problem:?}");
    // The second move of a line.
    let text = "variant: chess\ne4 e6 Nf4\n";
    let (marked, problem) = only(text);
    assert_eq!(marked, "Nf4");
    assert!(fixed(text, &problem).contains(&"variant: chess\ne4 e6 Nf3\n".into()), "{problem:?}");
    // A misspelled word cannot be refused.
    let (marked, problem) = only("variant: chess\nxyzzy\n");
    assert_eq!((marked.as_str(), problem.fixes.len()), ("xyzzy", 0));
}

#[test]
fn a_legal_event_that_should_be_refused_is_marked() {
    let text = "variant: chess\nrefused e4\n";
    let (marked, problem) = only(text);
    assert_eq!((marked.as_str(), problem.message.as_str()), ("e4", "'e4' is legal here, but should be refused"));
    assert_eq!(fixed(text, &problem), ["variant: chess\ne4\n"]);
}

#[test]
fn the_start_of_the_game_can_be_wrong() {
    let (marked, problem) = only("variant: chess\nposition: 4k3/x w\ne4\n");
    assert!(problem.message.starts_with("expected "), "{problem:?}");
    assert_eq!(marked, "4k3/x");
    let document = GameDocument::new("a.game".as_ref(), "variant: dise-chess\ne4\n");
    let problem = script_problem(&document, &astragal_dsl::library::resolve("dise-chess").expect_err("no such script"));
    assert!(problem.message.contains("there is no variant"), "{problem:?}");
    assert_eq!(fixed(document.text(), &problem), ["variant: dice-chess\ne4\n"]);
    let document = GameDocument::new("a.game".as_ref(), "variant: dice-chess\noptions: x=1\n");
    let error = astragal_dsl::load(&source_of(&document), document.options()).map(drop).expect_err("no such option");
    let problem = script_problem(&document, &error);
    assert_eq!(&document.text()[problem.span.clone()], "x=1");
    let document = GameDocument::new("a.game".as_ref(), "e4\n");
    let problem = no_script_problem(&document, &["a.rhai".into(), "b.rhai".into()]);
    assert_eq!(problem.help.as_deref(), Some("scripts next to it: a.rhai, b.rhai"));
}

#[test]
fn differences_are_marked_at_their_lines() {
    let text = "variant: chess\ne4 # first\nmoves\n";
    let (_, loaded, _) = marked(&format!("{text}^"));
    let file = crate::gametest::GameFile::parse("a.game".as_ref(), text).expect("a file");
    let output = transcript(&file, &mut Loader::of_loaded(loaded)).expect("a game");
    assert_eq!(found(text, Some(&output)).1, []);
    assert_eq!(found(text, Some(output.trim_end())).1, []);
    let changed = output.replacen("Nc6", "Nc7", 1);
    let (document, problems) = found(text, Some(&changed));
    let [problem] = problems.as_slice() else { panic!("{problems:#?}") };
    assert_eq!(&document.text()[problem.span.clone()], "moves");
    assert_eq!(problem.severity, Severity::Warning);
    assert_eq!(problem.message, "the output of this line differs from the accepted output");
    let help = problem.help.as_deref().expect("the difference");
    assert!(help.starts_with('-') && help.contains("Nc7") && help.contains("\n+") && help.contains("Nc6"), "{help}");
    assert_eq!(problem.fixes, [GameFix::Accept]);
    let (_, problems) = found(text, None);
    let [problem] = problems.as_slice() else { panic!("{problems:#?}") };
    assert_eq!((problem.severity, &problem.fixes), (Severity::Note, &vec![GameFix::Accept]));
}

/// A rule that fails is reported at the line, with its place in the script.
#[test]
fn a_rule_that_fails_is_reported_with_its_place() {
    let text = "board(3, 3); piece(\"man\", \"M\", \"W\"); setup(\"2m/3/M2 w\");\n\
                fn turn() { play(any()); if clock() > 0 { let x = []; x[3]; } }\n";
    let source = astragal_dsl::Source { name: "own".into(), path: None, text: text.into() };
    let loaded = Arc::new(astragal_dsl::load(&source, &[]).expect("a script"));
    let document = GameDocument::new("a.game".as_ref(), "a1a2\nc3c2\n");
    let problems = problems(&document, &loaded, None);
    let [problem] = problems.as_slice() else { panic!("{problems:#?}") };
    assert_eq!(problem.message, "the rule fails at this line of the game");
    assert!(problem.help.as_deref().is_some_and(|help| help.contains("own.rhai:2")), "{problem:?}");
}

/// The tests of the repository pass, so they have no problems.
#[test]
fn accepted_games_have_no_problems() {
    let games =
        ["variants/tests/dice-chess", "variants/tests/king-for-2", "variants/tests/tab", "variants/tests/senet"];
    let mut count = 0;
    for path in games.into_iter().flat_map(|name| below(&folder(name), "game")) {
        let text = std::fs::read_to_string(&path).expect("a game");
        let document = GameDocument::new(&path, &text);
        assert_eq!(problems(&document, &load(&document), Some(&accepted_of(&path))), [], "{}", path.display());
        count += 1;
    }
    assert!(count > 10);
}
