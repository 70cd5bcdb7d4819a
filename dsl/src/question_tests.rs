use super::ask;
use crate::notation::fen;
use crate::{Loaded, game_text, load_named, turn_state_text};
use astragal_core::Game;

fn game(variant: &str, position: &str) -> (Loaded, Game) {
    let loaded = load_named(variant, &[]).expect("a variant");
    let placed = fen::parse(&loaded.set.variant, position).expect("a position");
    let game = turn_state_text::begin(&loaded, placed, 1).expect("a game");
    (loaded, game)
}

#[test]
fn the_position_answers() {
    // White: king e1, rook a1, pawn e2; Black: king e8, queen on the e-file behind nothing but the pawn.
    let (loaded, game) = game("chess", "4k3/8/8/4q3/8/8/4P3/R3K3 w - - 0 1");
    for (question, answer) in [
        ("1 + 1", "2"),
        ("in_check(mover())", "no"),
        ("can_move(opponent())", "yes"),
        ("mover()", "White"),
        ("piece_at(\"e5\").side", "Black"),
        ("piece_at(\"e5\").kind", "queen"),
        ("piece_at(\"e4\").kind", "nothing"),
        ("piece_at(\"e4\").side", "nobody"),
        ("royal(opponent())", "e8"),
        ("squares_of(mover())", "3 squares: a1 e1 e2"),
        ("squares_of(mover(), \"queen\")", "no squares"),
        // Along a file and a rank a rook attacks 7 + 3 squares up to the king, its own side's included.
        ("attackers(\"a8\", mover())", "1 square: a1"),
        ("[mover(), mover().count(\"pawn\")]", "[White, 1]"),
        ("#{pawns: count(\"pawn\")}", "{pawns: 1}"),
        // e3 and e4.
        ("pieces(\"pawn\")", "2 moves"),
        ("pieces(\"pawn\") & captures()", "0 moves"),
        ("let n = 0; for s in squares_of(mover()) { n += s.rank; } n", "4"),
        ("pieces(\"pawn\").where(|mv| mv.distance == 2)", "1 move"),
        // Without the pawn the queen gives check.
        ("suppose(|| remove(\"e2\"), || in_check(mover()))", "yes"),
        ("rolled", "[]"),
    ] {
        assert_eq!(ask(&loaded, &game, question).map_err(|e| e.render(false)), Ok(answer.into()), "{question}");
    }
}

#[test]
fn the_last_roll_and_the_scripts_own_functions_are_known() {
    let (loaded, mut game) = game("dice-xiangqi", "start".replace("start", &start("dice-xiangqi")).as_str());
    game_text::roll(&mut game, &[4]).expect("a roll");
    assert_eq!(ask(&loaded, &game, "rolled").expect("an answer"), "[4]");
    assert_eq!(ask(&loaded, &game, "PIECE[rolled[0] - 1]").expect("an answer"), "cannon");
}

#[test]
fn a_move_is_told_as_who_went_where() {
    let script = r#"board(3, 3); piece("man", "M", "W"); setup("2m/3/M2[Mm] w"); hands("owner");
        fn turn() { last_move(mover()); play(any() | drops()) }"#;
    let source = crate::Source { name: "own".into(), path: None, text: script.into() };
    let loaded = crate::load(&source, &[]).expect("a script");
    let mut game = Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
    for (events, answer) in
        [("", "nothing"), ("a1a2 c3c2", "man a1-a2"), ("a2b2 c2b2", "man a2-b2"), ("M@a1 b2a2", "man@a1")]
    {
        for text in events.split_whitespace() {
            let paid = game_text::find_move(game.state(), text, None).expect("a move");
            game.apply(&astragal_core::Event::Move(paid)).expect("declare it");
        }
        assert_eq!(ask(&loaded, &game, "last_move(mover())").map_err(|e| e.render(false)), Ok(answer.into()));
    }
    assert_eq!(ask(&loaded, &game, "last_move(opponent())").map_err(|e| e.render(false)), Ok("man b2-a2".into()));
}

fn start(variant: &str) -> String {
    let loaded = load_named(variant, &[]).expect("a variant");
    fen::write(&loaded.set.variant, &loaded.start)
}

#[test]
fn nothing_is_changed_rolled_or_chosen() {
    let (loaded, game) = game("chess", "4k3/8/8/4q3/8/8/4P3/R3K3 w - - 0 1");
    let before = game_text::position(&loaded, game.state());
    for question in [
        "roll(\"1d6\")",
        "choose([\"a\", \"b\"])",
        "play(any())",
        "remove(\"e2\")",
        "win(mover(), \"so be it\")",
        "piece(\"ghost\", \"G\", \"W\")",
        "turn()",
    ] {
        assert!(ask(&loaded, &game, question).is_err(), "{question}");
    }
    assert_eq!(game_text::position(&loaded, game.state()), before);
}

#[test]
fn what_is_wrong_is_shown_at_its_place() {
    let (loaded, game) = game("chess", "4k3/8/8/4q3/8/8/4P3/R3K3 w - - 0 1");
    for (question, line, word) in [
        ("1 +", 1, ""),
        ("1\n+ nobody_knows()", 2, "nobody_knows"),
        ("squares_of(mover(), \"pwan\")", 1, "pawn"),
        ("}) } fn turn() { ({", 1, ""),
        ("fn helper() { 1 } helper()", 0, ""),
        ("loop { }", 0, ""),
    ] {
        let error = ask(&loaded, &game, question).expect_err(question);
        let shown = error.render(false);
        assert_eq!(error.file, "question", "{question}: {shown}");
        assert!(line == 0 || error.line == line, "{question}: {shown}");
        assert!(shown.contains(word), "{question}: {shown}");
    }
}
