//! The situations of the rulebooks with colors exchanged: the board is turned over, rank by rank, and
//! the other side does the same. All seven games are symmetric in this way.

use crate::common::{json_lines, load_set, position};
use astragal_core::{Game, Status};
use astragal_dsl::{Loaded, game_text};
use serde_json::Value;

const GAMES: [&str; 7] = ["chess", "xiangqi", "dice-chess", "dicechess-3", "babylonian", "king-for-2", "dice-xiangqi"];

fn swap_case(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(swap).collect()
}

/// Squares in a text, each on the opposite rank.
fn turn_squares(loaded: &Loaded, text: &str) -> String {
    let board = loaded.set.variant.board();
    let (first, last) = (u32::from(board.first_rank()), u32::from(board.first_rank() + board.height()) - 1);
    let turn = |c: char| match c.to_digit(10) {
        Some(rank) => char::from_digit(first + last - rank, 10).expect("a rank of one digit"),
        None => c,
    };
    text.chars().map(turn).collect()
}

/// The squares of a move, each on the opposite rank; the die before it stays what it is.
fn turn_move(loaded: &Loaded, text: &str) -> String {
    let (dice, mv) = game_text::die_prefix(text);
    game_text::paid_by(&dice.unwrap_or_default(), &turn_squares(loaded, mv))
}

fn turn_position(loaded: &Loaded, fen: &str) -> String {
    let mut fields: Vec<String> = fen.split_whitespace().map(String::from).collect();
    fields[0] = swap_case(&fields[0].split('/').rev().collect::<Vec<_>>().join("/"));
    fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    if let Some(castling) = fields.get_mut(2) {
        *castling = swap_case(castling);
    }
    if let Some(passed) = fields.get_mut(3) {
        *passed = turn_squares(loaded, passed);
    }
    fields.join(" ")
}

/// The moves permitted after a roll; none if the turn is lost or the game over.
fn moves(loaded: &Loaded, fen: &str, roll: &[i16]) -> Vec<String> {
    let mut game = Game::new(loaded.set.clone(), position(loaded, fen), 0).expect("a game");
    let turn = game.state().turn();
    if !roll.is_empty() && game.status() == Status::Chance {
        game.set_roll(roll).unwrap_or_else(|error| panic!("{} {fen} {roll:?}: {error}", loaded.name));
    }
    if game.state().turn() > turn { Vec::new() } else { game_text::options(game.state()) }
}

#[test]
fn moves_with_colors_exchanged() {
    let mut compared = 0;
    for name in GAMES {
        for case in json_lines(&format!("situations/{name}.jsonl")) {
            let params = &case["params"];
            let (Some(fen), Some(expected)) = (params["position"].as_str(), case["result"]["moves"].as_array()) else {
                continue;
            };
            // A seventh field holds dice, whose letters tell the sides apart.
            if case["method"] != "moves" || fen.split_whitespace().count() > 6 {
                continue;
            }
            let options = params["options"].as_object().into_iter().flatten();
            let options: Vec<_> = options.map(|(k, v)| (k.clone(), v.as_str().expect("a text").to_owned())).collect();
            let loaded = load_set(name, &options);
            let roll: Vec<i16> =
                params["roll"].as_array().into_iter().flatten().filter_map(Value::as_i64).map(|n| n as i16).collect();
            let mut expected: Vec<String> =
                expected.iter().map(|mv| turn_move(&loaded, mv.as_str().expect("a move"))).collect();
            expected.sort();
            let turned = turn_position(&loaded, fen);
            assert_eq!(moves(&loaded, &turned, &roll), expected, "{} turned: {turned}", case["id"]);
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} cases");
}
