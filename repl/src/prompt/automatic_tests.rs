//! What happens without a key, as at a terminal: a line is answered, then the others act.

use crate::prompt::tests::{ok, refused};
use crate::prompt::{Session, Setup};
use astragal_core::Status;

/// A session as a terminal has it.
fn session(variant: &str, position: Option<&str>, computers: &[&str]) -> Session {
    let setup = Setup {
        variant: variant.into(),
        seed: Some(5),
        position: position.map(String::from),
        computers: computers.iter().map(|text| (*text).into()).collect(),
        ..Setup::default()
    };
    let mut session = Session::new(&setup).unwrap().0;
    session.tell_apart();
    session
}

/// The answer to a line with all that happens by itself after it.
fn answered(session: &mut Session, line: &str) -> String {
    let text = ok(session, line);
    text + session.computers_reply().map(|reply| reply.text).unwrap_or_default().as_str()
}

#[test]
fn one_person_against_a_computer_need_not_roll() {
    let mut session = session("dice-chess", None, &["black=1"]);
    let text = session.computers_reply().unwrap().text;
    assert!(text.starts_with("Roll of 2d6: "), "{text}");
    assert!(session.first_words().starts_with("Type a move, such as "), "{}", session.first_words());
    while session.game().state().turn() < 20 && session.game().status() != Status::Over {
        assert_eq!(session.game().status(), Status::Move, "a person has something to decide");
        let first = session.vocabulary()[0].clone();
        answered(&mut session, &first);
    }
}

#[test]
fn two_people_roll_by_hand_unless_they_say_so() {
    let mut session = session("dice-chess", None, &[]);
    assert!(session.computers_reply().unwrap().text.is_empty());
    assert_eq!(session.first_words(), "Press Enter to roll; 'help' explains the rest.\n");
    let text = answered(&mut session, "auto roll on");
    assert!(text.starts_with("Your dice are rolled automatically.\n") && text.contains("Roll of 2d6: "), "{text}");
    assert_eq!(session.game().status(), Status::Move);
    assert!(answered(&mut session, "auto roll off").starts_with("Your dice are rolled when you press Enter.\n"));
    answered(&mut session, "auto roll usual");
    answered(&mut session, "undo 9");
    answered(&mut session, "roll 1 1");
    answered(&mut session, "e4");
    assert_eq!(session.game().status(), Status::Chance);
    assert!(refused(&mut session, "auto roll perhaps").contains("on or off"));
    assert!(refused(&mut session, "auto pilot").contains("auto roll on"));
}

#[test]
fn pipes_are_asked_as_ever() {
    let setup =
        Setup { variant: "dice-chess".into(), seed: Some(5), computers: vec!["black=1".into()], ..Setup::default() };
    let (mut session, greeting) = Session::new(&setup).unwrap();
    assert!(greeting.ends_with("White to roll 2d6.\n"), "{greeting}");
    ok(&mut session, "roll 1 1");
    let text = ok(&mut session, "e4");
    assert!(text.ends_with("White to roll 2d6.\n"), "{text}");
    // Unless it is said.
    assert!(ok(&mut session, "auto roll on").contains("White to move"));
}

#[test]
fn a_move_without_an_alternative_is_made_on_request() {
    let position = Some("7k/8/8/8/8/p7/P7/K7 w - - 0 1");
    let mut session = session("chess", position, &[]);
    assert_eq!(session.game().state().moves().len(), 1, "only the king moves, and one way");
    let text = answered(&mut session, "auto moves on");
    assert!(text.contains("White plays Kb1."), "{text}");
    assert_eq!(session.game().entries().len(), 1, "Black has several");
    // It was nobody's decision: nothing else is there to be taken back.
    assert!(answered(&mut session, "undo").starts_with("1 event taken back."));
    assert_eq!(session.first_words(), "Press Enter to continue; 'help' explains the rest.\n");
    assert!(answered(&mut session, "").contains("White plays Kb1."));
    answered(&mut session, "auto moves off");
    answered(&mut session, "undo");
    assert!(answered(&mut session, "").ends_with("White to move: Kb1.\n"));
}

#[test]
fn undo_goes_to_ones_own_last_decision() {
    let mut session = session("dice-chess", None, &["black=1"]);
    session.computers_reply();
    let mut decisions = Vec::new();
    while decisions.len() < 5 && session.game().status() == Status::Move {
        decisions.push(ok(&mut session, "fen"));
        let first = session.vocabulary()[0].clone();
        answered(&mut session, &first);
    }
    assert_eq!(decisions.len(), 5);
    for before in decisions.iter().rev() {
        answered(&mut session, "undo");
        assert_eq!(&ok(&mut session, "fen"), before);
        assert_eq!(session.game().status(), Status::Move, "it can be decided anew");
    }
    // Of the first turn only the roll is left, which Enter makes again.
    let rolled = ok(&mut session, "fen");
    answered(&mut session, "undo");
    assert_eq!(session.game().status(), Status::Chance);
    answered(&mut session, "");
    assert_eq!(ok(&mut session, "fen"), rolled);
}

/// The keys that a person presses in a game of `turns` turns, of which the first permitted move is always played: those
/// of the moves and those of an Enter that rolls or goes on.
fn keys(variant: &str, computers: &[&str], setting: &str, turns: u32) -> (usize, usize) {
    let mut session = session(variant, None, computers);
    session.computers_reply();
    answered(&mut session, setting);
    let (mut typed, mut enters) = (0, 0);
    while session.game().status() != Status::Over && session.game().state().turn() < turns {
        let line = match session.game().status() {
            Status::Chance => String::new(),
            _ => session.vocabulary()[0].clone(),
        };
        match line.len() {
            0 => enters += 1,
            letters => typed += letters + 1,
        }
        answered(&mut session, &line);
    }
    (typed, enters)
}

#[test]
fn no_key_is_needless() {
    for (variant, computers) in
        [("dice-chess", &["other=1"][..]), ("dice-xiangqi", &["other=1"]), ("dice-xiangqi", &[])]
    {
        let (typed, enters) = keys(variant, computers, "auto roll off", 200);
        let (same, none) = keys(variant, computers, "auto roll on", 200);
        // Dice and computer are the same: only the Enters are gone.
        assert_eq!((typed, 0), (same, none), "{variant}");
        assert!(enters > 5, "{variant}: {enters}");
        println!("{variant}, {computers:?}: {typed} letters and {enters} times Enter for dice");
    }
}
