//! The computer at the prompt: lines in, texts out.

use super::tests::{ok, refused};
use super::{Session, Setup};
use astragal_core::Status;

fn session(variant: &str, position: Option<&str>, computers: &[&str]) -> (Session, String) {
    let setup = Setup {
        variant: variant.into(),
        seed: Some(5),
        position: position.map(String::from),
        computers: computers.iter().map(|text| (*text).into()).collect(),
        ..Setup::default()
    };
    Session::new(&setup).unwrap()
}

#[test]
fn the_computer_rolls_and_answers() {
    let (mut session, _) = session("dice-chess", None, &[]);
    let who = ok(&mut session, "play computer black 2");
    assert!(who.starts_with("White: you.\nBlack: computer, level 2.\n"), "{who}");
    ok(&mut session, "roll 1 1");
    let text = ok(&mut session, "e4");
    // White's move, then Black's roll, then what Black made of it, until White is to roll.
    let (before, after) = text.split_once("Roll of 2d6: ").expect("Black rolls");
    assert!(before.contains("White plays e4."), "{text}");
    assert!(after.contains("Black plays ") || after.contains("Black has no move"), "{text}");
    assert!(text.ends_with("White to roll 2d6.\n"), "{text}");
    assert_eq!(ok(&mut session, "computer off").matches("you.").count(), 2);
}

#[test]
fn after_undo_it_waits_for_enter() {
    let (mut session, greeting) = session("dice-chess", None, &["white=1"]);
    assert!(greeting.contains("Roll of 2d6: ") && greeting.ends_with("Black to roll 2d6.\n"), "{greeting}");
    let before = ok(&mut session, "fen");
    let taken = ok(&mut session, "undo 9");
    assert!(taken.ends_with("White to roll 2d6.\n"), "{taken}");
    let text = ok(&mut session, "");
    assert!(text.contains("Roll of 2d6: "), "{text}");
    assert_eq!(ok(&mut session, "fen"), before, "the same seed and level do the same again");
}

#[test]
fn computers_alone_play_a_round_at_a_time() {
    let (mut session, _) = session("dice-xiangqi", None, &["red=1", "black=1"]);
    let mut rounds = 0;
    while session.game().status() != Status::Over && rounds < 20 {
        let turn = session.game().state().turn();
        ok(&mut session, "");
        assert!(session.game().state().turn() <= turn + 2);
        rounds += 1;
    }
    assert!(rounds > 5);
}

#[test]
fn sides_go_by_any_sensible_name() {
    for (asked, white, black) in [
        ("2", None, Some(2)),
        ("black", None, Some(3)),
        ("b=4", None, Some(4)),
        ("2=4", None, Some(4)),
        ("second=4", None, Some(4)),
        ("opponent=4", None, Some(4)),
        ("WHITE=4", Some(4), None),
        ("both=1", Some(1), Some(1)),
    ] {
        let (mut session, _) = session("chess", None, &[asked]);
        let line = |name: &str, level: Option<u8>| match level {
            Some(level) => format!("{name}: computer, level {level}.\n"),
            None => format!("{name}: you.\n"),
        };
        let seats = ok(&mut session, "computer");
        assert!(seats.starts_with(&(line("White", white) + line("Black", black).as_str())), "{asked}: {seats}");
    }
}

/// Black's king stands on the queen's line and the roll lets any man move: taking it wins.
#[test]
fn a_hint_finds_the_win_and_changes_nothing() {
    let (mut session, _) = session("dice-chess", Some("4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1"), &[]);
    assert!(refused(&mut session, "hint").contains("a roll of 2d6"));
    ok(&mut session, "roll 5 1");
    let fen = ok(&mut session, "fen");
    let hint = ok(&mut session, "hint 2");
    let first = hint.lines().next().unwrap();
    assert!(first.starts_with("Qxe8") && first.ends_with("+1.000"), "{hint}");
    assert!(hint.lines().last().unwrap().contains("+1 is a win"), "{hint}");
    assert_eq!(ok(&mut session, "fen"), fen);
    assert_eq!(ok(&mut session, "hint 2"), hint, "the same again");
}

#[test]
fn turns_of_several_moves_are_advised_as_a_whole() {
    let (mut session, _) = session("dicechess-3", Some("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"), &[]);
    ok(&mut session, "roll 4 4 1");
    let hint = ok(&mut session, "hint 3");
    // Ra8 and then Rxe8 takes the king.
    assert!(hint.lines().next().unwrap().contains("Rxe8"), "{hint}");
    let line = hint.lines().next().unwrap().split("  ").next().unwrap().to_owned();
    assert!(ok(&mut session, &line).ends_with("White wins: king captured.\n"));
}

#[test]
fn what_cannot_be_is_refused() {
    let (mut session, _) = session("dice-chess", None, &[]);
    assert!(refused(&mut session, "computer blakc 3").contains("White, Black"));
    assert!(refused(&mut session, "computer black 9").contains("from 1 to 8"));
    assert!(refused(&mut session, "computer black 3h").contains("2s"));
    assert!(refused(&mut session, "hint purple").contains("White, Black"));
    let setup =
        |computer: &str| Setup { variant: "chess".into(), computers: vec![computer.into()], ..Setup::default() };
    for wrong in ["green=3", "9", "black=0", "white=x", "="] {
        assert!(Session::new(&setup(wrong)).is_err(), "{wrong}");
    }
}

/// The lines of a hint with their values.
fn advised(hint: &str) -> Vec<(String, f64)> {
    let lines = hint.lines().take_while(|line| !line.starts_with('('));
    lines
        .map(|line| line.rsplit_once("  ").map(|(text, value)| (text.trim().into(), value.parse().unwrap())).unwrap())
        .collect()
}

#[test]
fn lines_of_a_hint_are_in_the_order_of_their_values() {
    for (variant, seed) in [("dicechess-3", 1), ("dicechess-3", 2), ("king-for-2", 2)] {
        let setup = Setup { variant: variant.into(), seed: Some(seed), ..Setup::default() };
        let mut session = Session::new(&setup).unwrap().0;
        ok(&mut session, "roll");
        let hint = ok(&mut session, "hint 3");
        let lines = advised(&hint);
        assert!(lines.len() > 2 && lines.windows(2).all(|two| two[0].1 >= two[1].1), "{variant} {seed}:\n{hint}");
    }
}

#[test]
fn what_a_hint_says_can_be_typed() {
    let mut named = 0;
    for (variant, seeds) in [("king-for-2", 1..9), ("dicechess-3", 1..3)] {
        for seed in seeds {
            let setup = Setup { variant: variant.into(), seed: Some(seed), ..Setup::default() };
            let mut session = Session::new(&setup).unwrap().0;
            ok(&mut session, "roll");
            if session.game().status() != Status::Move {
                continue;
            }
            let before = session.game().entries().len();
            for (line, _) in advised(&ok(&mut session, "hint 1")) {
                named += usize::from(line.contains(':'));
                ok(&mut session, &line);
                let after = session.game().entries().len();
                ok(&mut session, &format!("undo {}", after - before));
            }
        }
    }
    assert!(named > 0, "somewhere it matters which die pays");
}

#[test]
fn undo_goes_back_to_the_persons_own_decision() {
    let (mut session, _) = session("dice-chess", None, &["black=1"]);
    ok(&mut session, "roll 1 1");
    ok(&mut session, "e4");
    assert!(session.game().entries().len() >= 3, "Black has rolled at least");
    let text = ok(&mut session, "undo");
    assert!(text.contains("events taken back.") && text.contains("White to move: "), "{text}");
    assert_eq!(session.game().entries().len(), 1);
    assert!(ok(&mut session, "undo").starts_with("1 event taken back.\n"), "then his roll");
}

#[test]
fn among_secrets_it_plays_by_what_it_has_seen() {
    let setup = |variant: &str, computers: &[&str]| Setup {
        variant: variant.into(),
        computers: computers.iter().map(|text| (*text).into()).collect(),
        ..Setup::default()
    };
    let (mut session, _) = Session::new(&setup("bidding-chess", &["black=1"])).unwrap();
    let text = ok(&mut session, "7");
    assert!(text.contains("Black chooses in secret."), "it bids without knowing what White has bid: {text}");
    assert!(session.game().entries().len() >= 2, "{text}");
    // What one side sees is played on from, and a hint is given to the side that is to decide.
    let (mut session, _) = Session::new(&setup("secret-dice", &[])).unwrap();
    let seen = "position 4k3/8/8/8/8/8/7q/4K2R w - - 0 1 dice=0,0,0,1,0,0/?2";
    ok(&mut session, seen);
    let hint = ok(&mut session, "hint 2");
    assert!(hint.starts_with("Rxh2"), "{hint}");
    assert!(
        refused(&mut session, "position 4k3/8/8/8/8/8/7q/4K2R w - - 0 1 dice=0,0,0,1,0,0/?40000")
            .contains("cannot hold")
    );
}

#[test]
fn people_do_not_see_what_the_computer_rolls_in_secret() {
    let folder = std::env::temp_dir().join(format!("astragal-secret-roll-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = |name: &str, turn: &str| {
        let path = folder.join(name);
        let board = "title(\"Own\"); board(4, 4); piece(\"man\", \"M\", \"K\"); setup(\"m1m1/4/M3/2M1 w\");\n";
        std::fs::write(&path, format!("{board}fn turn() {{ let die = roll(\"1d6\", #{{ secret: true }}); {turn} }}\n"))
            .unwrap();
        path.display().to_string()
    };
    let own = script("own.rhai", "play(any());");
    let (mut own, greeting) = session(&own, None, &["white=1"]);
    assert!(greeting.contains("White rolls in secret.") && !greeting.contains("Roll of"), "{greeting}");
    for line in ["view white", "view all"] {
        assert!(refused(&mut own, line).contains("the computer plays White"), "{line}");
    }
    // No advice that would be refused.
    for line in ["seed", "ask mover()"] {
        let said = refused(&mut own, line);
        assert!(said.contains("secrets of White") && !said.contains("view all"), "{line}: {said}");
    }
    // Here Black answers without the roll that the state knows.
    let guess = script("guess.rhai", "choose(opponent(), [\"high\", \"low\"]); play(any());");
    let answer = |roll: &str| {
        let text = ok(&mut session(&guess, None, &["black=1"]).0, roll);
        text.lines().find(|line| line.starts_with("Black chooses ")).unwrap_or_else(|| panic!("{text}")).to_string()
    };
    assert_eq!(answer("roll 1"), answer("roll 6"), "what it does not see makes no difference");
    std::fs::remove_dir_all(&folder).unwrap();
}
