//! What the prompt shows of secrets.

use super::tests::{ok, refused};
use super::{Reply, Session, Setup};
use astragal_service::drawing::board::Theme;

const CARDS: &str = include_str!("../../../tests/data/scripts/secret-cards.rhai");

fn cards(name: &str, shared: bool) -> (Session, String) {
    let path = std::env::temp_dir().join(format!("astragal-{name}-{}.rhai", std::process::id()));
    std::fs::write(&path, CARDS).expect("a file");
    let setup = Setup {
        variant: path.display().to_string(),
        seed: Some(98765),
        theme: Theme::default(),
        shared,
        ..Setup::default()
    };
    let begun = Session::new(&setup).expect("a session");
    std::fs::remove_file(&path).expect("removed");
    begun
}

#[test]
fn only_the_chooser_sees_its_own() {
    let (mut session, greeting) = cards("chooser", false);
    assert!(!greeting.contains("98765"), "{greeting}");
    let own = "Roll of 1d6: 4.\nOnly First knows: card=4.\nFirst chooses: claim, wait.\n";
    assert_eq!(ok(&mut session, "roll 4"), own);
    assert_eq!(ok(&mut session, "fen"), "m2/3/2M w - - 0 1 card=4/?\n");
    let next = "First chooses wait.\nOnly Second knows: card=0.\nSecond to roll 1d6.\n";
    assert_eq!(ok(&mut session, "wait"), next);
    assert_eq!(ok(&mut session, "fen"), "m2/3/2M b - - 0 1 card=?/0\n");
    assert_eq!(ok(&mut session, "history"), "  1. First    [?] wait\n");
    assert!(refused(&mut session, "seed").contains("view all"));
    ok(&mut session, "roll 6");
    assert!(refused(&mut session, "odds claim").contains("secret"));
    assert!(ok(&mut session, "view first").ends_with("Only First knows: card=4.\nSecond chooses.\n"));
    assert_eq!(ok(&mut session, "fen"), "m2/3/2M b - - 0 1 card=4/?\n");
    assert_eq!(ok(&mut session, "history"), "  1. First    [4] wait\n  1. Second   [?]\n");
    assert!(!session.vocabulary().contains(&"claim".into()));
    assert_eq!(refused(&mut session, "fold"), "this is not legal now\n");
    assert!(ok(&mut session, "view all").starts_with("Everything is shown."));
    assert!(ok(&mut session, "fen").starts_with("m2/3/2M b - - 0 1 card=4/6 turn="));
    assert!(ok(&mut session, "board").contains("card: First 4, Second 6"), "the numbers beside the board too");
    assert_eq!(ok(&mut session, "seed"), "98765\n");
    assert!(refused(&mut session, "view third").contains("First, Second, all or auto"));
    ok(&mut session, "view auto");
    assert!(!ok(&mut session, "board").contains("card: "));
    assert!(refused(&mut session, "fold").contains("claim, wait"));
    assert!(ok(&mut session, "claim").contains("Second wins: claimed."));
}

#[test]
fn at_a_terminal_others_are_told_to_look_away() {
    let (mut session, greeting) = cards("shared", true);
    let away = "First is next. Other players, please look away. Press Enter to see the view of First.\n";
    assert!(greeting.ends_with(away), "{greeting}");
    assert!(
        refused(&mut session, "fen").contains("Press Enter") || refused(&mut session, "fen").contains("press Enter")
    );
    assert!(ok(&mut session, "").ends_with("Only First knows: card=0.\nFirst to roll 1d6.\n"));
    assert!(ok(&mut session, "roll 4").starts_with("Roll of 1d6: 4.\n"));
    let passed = ok(&mut session, "wait");
    assert!(
        passed.ends_with("Second is next. Other players, please look away. Press Enter to see the view of Second.\n")
    );
    assert!(!passed.contains("card"), "{passed}");
    assert!(refused(&mut session, "roll").contains("look away"));
    assert!(!session.vocabulary().contains(&"claim".into()));
    let Reply { text: opened, clear, .. } = session.execute("");
    assert!(clear && opened.ends_with("Only Second knows: card=0.\nSecond to roll 1d6.\n"));
    ok(&mut session, "roll 3");
    assert!(ok(&mut session, "undo 2").contains("First is next. Other players, please look away."));
}

#[test]
fn without_secrets_nothing_changes() {
    let setup = Setup { variant: "dice-chess".into(), seed: Some(5), shared: true, ..Setup::default() };
    let (mut session, greeting) = Session::new(&setup).expect("a session");
    assert!(greeting.contains("seed 5.") && greeting.ends_with("White to roll 2d6.\n"));
    ok(&mut session, "roll 2 3");
    assert!(ok(&mut session, "g1f3").ends_with("Black to roll 2d6.\n"));
    assert!(ok(&mut session, "view second").starts_with("Everything is shown."));
    assert_eq!(ok(&mut session, "seed"), "5\n");
}

#[test]
fn nobody_looks_away_from_a_computer() {
    let setup = Setup {
        variant: "ghosts".into(),
        seed: Some(5),
        shared: true,
        computers: vec!["black=1".into()],
        ..Setup::default()
    };
    let (mut session, greeting) = Session::new(&setup).expect("a session");
    assert!(greeting.contains("Which is evil ghost 1 of 4?") && !greeting.contains("look away"), "{greeting}");
    for ghost in ["b1", "c1", "d1", "e1"] {
        assert!(!ok(&mut session, ghost).contains("look away"));
    }
}
