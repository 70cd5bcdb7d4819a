use super::*;
use astragal_core::Game;
use astragal_dsl::{load_named, turn_state_text};
use std::sync::Arc;

const BOXES: Theme = Theme { pieces: Pieces::Letters, color: false, flipped: false, boxes: true };

/// A game from a position, and the variant.
fn game(name: &str, position: &str) -> (Loaded, Game) {
    let loaded = load_named(name, &[]).expect("a variant");
    let placed = astragal_dsl::notation::fen::parse(&loaded.set.variant, position).expect("a position");
    let game = turn_state_text::begin(&loaded, placed, 1).expect("a game");
    (loaded, game)
}

#[test]
fn dice_name_the_pieces_that_they_stand_for() {
    let loaded = load_named("dice-chess", &[]).expect("a variant");
    assert_eq!(dice(&loaded, &[2, 6], Theme::default()), "[2] knight  [6] king");
    assert_eq!(dice(&loaded, &[2, 6], BOXES), "\u{2681} knight  \u{2685} king");
    let colored = dice(&loaded, &[1], Theme { color: true, ..BOXES });
    assert_eq!(colored, "\x1b[1;38;5;16;48;5;255m \u{2680} \x1b[0m pawn");
    // Faces that no picture has, and dice that stand for nothing.
    let race = load_named("backgammon", &[]).expect("a variant");
    assert_eq!(dice(&race, &[7, 0, 5], BOXES), "[7]  [0]  \u{2684}");
}

#[test]
fn unused_dice_stand_beside_the_board() {
    let (loaded, mut game) = game("dicechess-3", "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1");
    game.set_roll(&[1, 4, 4]).expect("a roll");
    assert_eq!(lines(&loaded, &game, Theme::default(), Extent::Options)[0], "Dice left: [1] pawn  [4] rook  [4] rook");
    assert!(
        lines(&loaded, &game, Theme::default(), Extent::Public).iter().all(|line| !line.contains("Dice")),
        "not known"
    );
}

#[test]
fn a_roll_says_who_fights_whom() {
    let (loaded, game) = game("babylonian", "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1");
    let mut fight = Game::new(Arc::clone(&loaded.set), game.start().clone(), 1).expect("a game");
    let earlier = fight.state().clone();
    let paid = astragal_dsl::game_text::find_move(&earlier, "e4d5", None).expect("a capture");
    fight.play(paid).expect("permitted");
    let before = fight.state().clone();
    let faces = fight.roll().expect("a contest");
    let event = Event::Move(paid);
    let roll = ToldRoll { before: &before, faces: &faces, after: Some((&earlier, &event)) };
    assert_eq!(of_roll(&loaded, roll, Theme::default()), "", "no pictures, no line");
    let told = of_roll(&loaded, roll, BOXES);
    assert!(told.contains("exd5") && told.contains("pawn") && told.contains("rook"), "{told}");
    assert_eq!(told.matches(|c| ('\u{2680}'..='\u{2685}').contains(&c) || c == '[').count(), faces.len(), "{told}");
}

/// What a rule makes another kind is not lost; where others are gone as well it is told how many, if not which.
#[test]
fn what_becomes_another_piece_is_not_lost() {
    let after = |turn: &str| {
        let text = format!(
            "piece(\"king\", \"K\", \"K\"); piece(\"man\", \"M\", \"W\"); piece(\"rook\", \"R\", \"R\");
             setup(\"k7/8/8/8/8/8/8/KRMM4 w\"); fn turn() {{ {turn} play(any()); }}"
        );
        let source = astragal_dsl::Source { name: "small".into(), path: None, text };
        let loaded = astragal_dsl::load(&source, &[]).expect("a script");
        let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game");
        lost(&game, Theme::default())
    };
    assert_eq!(after(""), [""; 0]);
    assert_eq!(after("become(\"b1\", \"man\");"), [""; 0]);
    assert_eq!(after("become(\"c1\", \"rook\"); remove(\"d1\");"), ["White lost M"]);
    assert_eq!(after("become(\"b1\", \"king\"); remove(\"d1\");"), ["White lost 1 piece"]);
    assert_eq!(after("remove(\"b1 d1\");"), ["White lost M R"]);
}
