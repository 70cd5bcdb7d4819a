use super::super::session::{Session, Setup};
use super::*;
use rustyline::history::DefaultHistory;

fn words_of(variant: &str, lines: &[&str]) -> PromptHelper {
    let setup = Setup { variant: variant.into(), seed: Some(1), ..Setup::default() };
    let (mut session, _) = Session::new(&setup).unwrap();
    for line in lines {
        assert!(!session.execute(line).error, "{line}");
    }
    let mut words = PromptHelper { color: true, ..PromptHelper::default() };
    words.refresh(&session);
    words.color = true;
    words
}

fn found(line: &str) -> Vec<String> {
    words_of("chess", &[]).candidates(line, line.len()).1
}

fn hint(words: &PromptHelper, line: &str) -> Option<(String, Option<String>)> {
    let history = DefaultHistory::new();
    let rest = words.hint(line, line.len(), &Context::new(&history))?;
    Some((rest.display().to_owned(), rest.completion().map(String::from)))
}

#[test]
fn commands_and_moves_complete() {
    assert_eq!(found("und"), ["undo"]);
    assert_eq!(found("Nf"), ["Nf3"]);
    assert!(found("e").contains(&"e4".into()) && found("e").contains(&"e2e4".into()));
    assert_eq!(found("odds Nc"), ["Nc3"]);
    assert_eq!(found("help his"), ["history"]);
    assert!(found("new dice").contains(&"dice-chess".into()));
    assert_eq!(found("set stalemate=l"), ["stalemate=loss"]);
    assert_eq!(found("new chess stalemate=l"), ["stalemate=loss"]);
    assert_eq!(found("pieces l"), ["letters"]);
    assert_eq!(found("view w"), ["White"]);
    assert!(found("zzz").is_empty());
    assert!(found("é").is_empty());
    assert!(found("Ke").is_empty(), "no king can move at the start");
}

#[test]
fn hints_show_the_rest_and_the_odds() {
    let words = words_of("chess", &[]);
    assert_eq!(hint(&words, "Nf"), Some(("3".into(), Some("3".into()))));
    assert_eq!(hint(&words, "Nf3"), None, "there are no odds to show");
    let words = words_of("babylonian", &["position 4k3/8/8/3r4/4P3/8/8/4K3 w - -"]);
    // A pawn against a rook, d4 against d12: the figures of the odds command.
    let (shown, taken) = hint(&words, "exd5").expect("odds");
    assert!(shown.contains("69%") && shown.contains("19%") && shown.contains("12%"), "{shown}");
    assert_eq!(taken, None, "odds are not typed");
}

#[test]
fn what_is_permitted_is_green() {
    let words = words_of("dice-chess", &["roll 2 3"]);
    for (line, expected) in [
        ("Nc3", "\x1b[32mNc3\x1b[0m"),
        ("g1f3", "\x1b[32mg1f3\x1b[0m"),
        ("e4", "\x1b[31me4\x1b[0m"),
        ("  undo 2", "  \x1b[36mundo\x1b[0m 2"),
        ("Nc", "Nc"),
        ("xyzzy", "\x1b[31mxyzzy\x1b[0m"),
        ("", ""),
    ] {
        assert_eq!(words.highlight(line, 0), expected);
    }
}

#[test]
fn a_line_that_is_full_says_so() {
    let words = words_of("chess", &[]);
    assert_eq!(hint(&words, &"a".repeat(TYPED - 1)), None);
    assert!(hint(&words, &"a".repeat(TYPED)).expect("a hint").0.contains("paste"));
}
