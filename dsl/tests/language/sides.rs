//! Games for five to eight: whose the pieces are, how they are written, and what cannot be turned around for so many.

use crate::common::{game, moves, play, start, text};
use astragal_core::{Game, Kind, MAX_SQUARES, Piece, Reply, Side, Status, Stream};
use astragal_dsl::{Severity, Source, check, load};
use std::sync::Arc;

/// Eight sides with a king each on a small ring, in hand and on the board.
const EIGHT: &str = r#"board(8, 2); sides(["A", "B", "C", "D", "E", "F", "G", "H"]); piece("man", "M", "K");
    royals("capturable"); hands("captor");"#;
const ALL: &str = "MmM'm'M''m''M'''m'''/8";

/// Why a script is refused, in one line: reports are broken between words.
fn refusal(text: &str) -> String {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    let report = load(&source, &[]).err().map(|error| error.render(false)).unwrap_or_default();
    report.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_of_eight_sides_has_pieces_letters_and_a_turn_of_its_own() {
    let loaded = game(&format!("{EIGHT} setup(\"{ALL} w\"); fn turn() {{ play(any()); }}"));
    let variant = &loaded.set.variant;
    let mut state = start(&loaded);
    // Capitals and small letters by turns, and one more sign behind each two sides.
    assert!(text(&state).starts_with(&format!("{ALL}[] w ")), "{}", text(&state));
    for side in 0..8 {
        let own: Vec<String> = state.position().of(Side(side)).into_iter().map(|s| variant.board().name(s)).collect();
        assert_eq!(own, [format!("{}2", (b'a' + side) as char)]);
        let piece = Piece::new(Side(side), Kind(0));
        assert_eq!((piece.side(), piece.kind()), (Side(side), Kind(0)));
        assert_eq!(state.position().count(variant, piece), 1);
    }
    for (side, letter) in "wbcdefgh".chars().enumerate() {
        assert_eq!(state.mover(), Side(side as u8));
        assert_eq!(variant.spec().sides[side].letter, letter);
        let from = (b'a' + side as u8) as char;
        play(&mut state, &format!("{from}2{from}1"));
        text(&state);
    }
    assert!(text(&state).starts_with("8/MmM'm'M''m''M'''m'''[] w "), "{}", text(&state));
}

#[test]
fn no_side_is_mistaken_for_the_fourth_before_it() {
    let loaded = game(&format!("{EIGHT} setup(\"8/8 w\"); fn turn() {{ play(any()); }}"));
    let variant = &loaded.set.variant;
    let read = |text: &str| astragal_dsl::notation::fen::parse(variant, text).expect("a position").position;
    for (low, high) in [("M", "M''"), ("m", "m''"), ("M'", "M'''"), ("m'", "m'''")] {
        let (low, high) = (read(&format!("{low}7/8 w")), read(&format!("{high}7/8 w")));
        assert_ne!(low, high);
        assert_ne!(low.hash(), high.hash());
        // Nor where a board is brought up to date, which looks for what differs.
        let square = low.occupied().into_iter().next().expect("a piece");
        let (before, now) = (low.at(square), high.at(square));
        assert_eq!(before.side().0 + 4, now.side().0);
        let (mut board, mut changes) = ([Piece::NONE; MAX_SQUARES], Vec::new());
        low.update_board(&mut board, |_, _, _| {});
        high.update_board(&mut board, |square, before, now| changes.push((square, before, now)));
        assert_eq!(changes, [(square, before, now)]);
    }
}

/// Partners neither take each other nor lose alone: six players in three teams of two.
#[test]
fn six_play_in_three_teams() {
    let teams = |outcome: &str| {
        start(&game(&format!(
            r#"board(6, 2); sides(["A", "B", "C", "D", "E", "F"], #{{ teams: [1, 2, 3, 1, 2, 3] }}); piece("man", "M", "K");
            royals("capturable"); setup("6/m''m'MM'1m w"); fn turn() {{ play(any()); }} {outcome}"#
        )))
    };
    // The first, on c1, may take the third on d1, but not the fourth, its partner, on b1.
    let own = moves(&teams(""));
    assert!(own.contains(&"c1d1".into()) && !own.contains(&"c1b1".into()), "{own:?}");
    assert_eq!(
        astragal_dsl::game_text::winners(&teams("fn outcome() { win(side(\"A\"), \"so\"); }")),
        [Side(0), Side(3)]
    );
}

#[test]
fn what_cannot_be_turned_for_so_many_is_said() {
    let eight = r#"board(8, 8); sides(["A", "B", "C", "D", "E", "F", "G", "H"]); piece("man", "M", "K"); setup("M7/8/8/8/8/8/8/8 w");
        fn turn() { play(any()); }"#;
    let region = refusal(&format!("{eight} region(\"camp\", \"a1\");"));
    assert!(region.contains("a region cannot be rotated for 8 sides: this board has only 4 directions"), "{region}");
    assert!(region.contains("same_for_all"), "{region}");
    let track = refusal(&format!("{eight} track(\"way\", \"a1-h1\");"));
    assert!(track.contains("a track cannot be rotated for 8 sides"), "{track}");
    assert!(track.contains("an array with a track for each side"), "{track}");
    game(&format!(
        "{eight} region(\"camp\", \"a1\", #{{ same_for_all: true }}); track(\"way\", \"a1-h1\", #{{ \
         same_for_all: true }});"
    ));
    // Six directions are enough for six on hexagons.
    let six = r#"board(5, 5, #{ cells: "hex", hexagon: true }); sides(["A", "B", "C", "D", "E", "F"]); piece("man", "M", "K");
        region("camp", "a1"); setup("**3/*4/5/4*/M2** w"); fn turn() { play(any() & to(empty_squares() - region("camp"))); }"#;
    let camps: Vec<_> = game(six).set.variant.board().region("camp").expect("a region").squares[..6].to_vec();
    assert!((1..6).all(|side| camps[..side].iter().all(|camp| *camp != camps[side])), "{camps:?}");
}

/// A dice war of six sides, with lands of one to three dice on a ring of twelve: games end, and `check` has nothing to
/// report.
#[test]
fn six_wage_a_dice_war() {
    let script = r#"title("Six"); board(5, 5, #{ cells: "hex", hexagon: true, holes: "c3" });
        sides(["Red", "Blue", "Green", "Black", "White", "Yellow"], #{ letters: "rbgkwy" });
        piece("army", "A", "cW"); royals("capturable"); piece_trait("dice", 2, #{ shown: true }); counter("turns", 0);
        setup("**AaA'/*a'A''a''A/aA'*a'A''/a''AaA'*/a'A''a''** r");
        fn turn() {
            while play_or_pass(captures() & from(with_trait("dice", 2, 8))) != () { }
            let room = squares_of(mover()) & with_trait("dice", 1, 7);
            if !room.is_empty { add(choose(mover(), room), "dice", 1); }
            for n in 1..6 { if count(ahead(n)) == 0 { eliminate(ahead(n)); } }
            add("turns", 1);
        }
        fn capture(attacker, defender, mv) {
            let strength = attacker.get("dice");
            if cast(strength + "d6").total > cast(defender.get("dice") + "d6").total {
                take(); place(mv.from, mover(), "army"); set(mv.from, "dice", 1); set(mv.to, "dice", strength - 1);
            } else { stand_off(); set(attacker, "dice", 1); }
        }
        fn outcome() {
            if count(mover()) == 18 { win(mover(), "every land"); }
            if get("turns") >= 90 { draw("truce"); }
        }"#;
    let said = check(&Source { name: "six".into(), path: None, text: script.into() });
    assert!(said.iter().all(|said| said.severity != Severity::Error), "{said:?}");
    let loaded = game(script);
    let (mut ended, mut moved) = (0, [0; 8]);
    for seed in 0..10 {
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).expect("a game");
        let mut random = Stream::new(seed, 7);
        while game.status() != Status::Over && game.entries().len() < 5000 {
            if game.status() == Status::Chance {
                game.roll().expect("a roll");
                continue;
            }
            let chooser = game.state().chooser();
            moved[chooser.index()] += 1;
            assert!(!game.state().position().is_out(chooser), "{}", text(game.state()));
            match game.state().nth_reply(random.below(game.state().replies() as u64) as usize) {
                Some(Reply::Move(paid)) => game.play(paid),
                Some(Reply::Choice(index)) => game.choose(index),
                _ => game.pass(),
            }
            .expect("an answer");
            // What was remembered of the board by counting is what stands on it.
            let men: u32 = (0..6).map(|side| game.state().position().of(Side(side)).len()).sum();
            assert_eq!(men, game.state().position().occupied().len());
        }
        ended += u32::from(game.status() == Status::Over);
        text(game.state());
    }
    assert_eq!(ended, 10);
    assert!(moved[..6].iter().all(|&n| n > 0) && moved[6..] == [0, 0], "{moved:?}");
}
