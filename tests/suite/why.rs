//! `why`: the reasons of the situations in `data/why.jsonl`, argued from the rulebooks, and agreement of
//! reasons with the moves that are permitted, in random games of every variant.

use astragal_core::{Game, Kind, Reason, Status, Stream, Wish};
use astragal_dsl::notation::fen;
use astragal_dsl::{explain, library, load_named, words};
use serde::Deserialize;
use std::rc::Rc;

/// The events of a random game.
const ROUNDS: usize = 60;

/// A question and what the answer must say.
#[derive(Deserialize)]
struct Situation {
    variant: String,
    #[serde(default)]
    options: Vec<(String, String)>,
    /// The start, if it is left out.
    position: Option<String>,
    /// Rolls, moves and choices before the question: `roll 2 3`, `d3`.
    #[serde(default)]
    before: Vec<String>,
    ask: String,
    permitted: bool,
    /// The sentences, whole.
    why: Vec<String>,
    /// What the line of the script that is named must contain.
    line: Option<String>,
    rule: String,
}

fn game(situation: &Situation) -> (Rc<astragal_dsl::Loaded>, Game) {
    let loaded = load_named(&situation.variant, &situation.options).unwrap();
    let mut game = match &situation.position {
        None => Game::new(Rc::clone(&loaded.set), loaded.start.clone(), 0).unwrap(),
        Some(text) => words::begin(&loaded, fen::parse(&loaded.set.variant, text).unwrap(), 0).unwrap(),
    };
    for word in &situation.before {
        match word.strip_prefix("roll ") {
            Some(faces) => {
                let faces: Vec<i16> = faces.split(' ').map(|face| face.parse().unwrap()).collect();
                words::roll(&mut game, &faces).unwrap();
            }
            None => {
                let (die, text) = match word.split_once(':') {
                    Some((die, text)) => (Some(vec![die.parse().unwrap()]), text),
                    None => (None, word.as_str()),
                };
                let paid = words::find_move(game.state(), text, die.as_deref()).unwrap();
                game.play(paid).unwrap();
            }
        }
    }
    (Rc::new(loaded), game)
}

#[test]
fn reasons_are_those_of_the_rulebooks() {
    let mut variants = Vec::new();
    for (number, line) in include_str!("../data/why.jsonl").lines().enumerate() {
        let situation: Situation = serde_json::from_str(line).unwrap_or_else(|e| panic!("line {}: {e}", number + 1));
        let (loaded, game) = game(&situation);
        let said = explain::why(&loaded, &game, &situation.ask).unwrap();
        let at = format!("line {} ({}, {})", number + 1, situation.rule, situation.ask);
        assert_eq!(said.permitted, situation.permitted, "{at}: {said:?}");
        assert_eq!(said.sentences, situation.why, "{at}");
        let named = said.place.map(|(_, line)| line).unwrap_or_default();
        match &situation.line {
            Some(line) => assert!(named.contains(line), "{at}: {named}"),
            None => assert_eq!(named, "", "{at}"),
        }
        variants.push(situation.variant);
    }
    for name in ["chess", "dice-chess", "dicechess-3", "babylonian", "king-for-2", "dice-xiangqi"] {
        assert!(variants.iter().any(|v| v == name), "nothing is asked about {name}");
    }
}

/// Every step between two squares, with and without promotion, every castling and drop.
fn all_wishes(game: &Game) -> Vec<Wish> {
    let variant = &game.state().ruleset().variant;
    let squares: Vec<_> = variant.board().squares().into_iter().collect();
    let kinds = (0..variant.kinds().len() as u8).map(Kind);
    let mut all: Vec<Wish> = (0..variant.spec().castles.len()).map(Wish::Castle).collect();
    for &to in &squares {
        all.extend(squares.iter().map(|&from| Wish::Step { from, to, promotion: None }));
        all.extend(kinds.clone().map(|kind| Wish::Drop { kind, to }));
    }
    all
}

#[test]
fn reasons_agree_with_the_moves() {
    for name in library::names() {
        let loaded = load_named(name, &[]).unwrap();
        let mut game = Game::new(Rc::clone(&loaded.set), loaded.start.clone(), 11).unwrap();
        let mut stream = Stream::new(5, 5);
        let mut asked = 0;
        for _ in 0..ROUNDS {
            match game.status() {
                Status::Over => break,
                Status::Chance => drop(game.roll().unwrap()),
                Status::Choice => {
                    let count = game.state().choices().len() as u64;
                    game.choose((stream.next_u64() % count) as usize).unwrap();
                }
                Status::Move => {
                    if asked < 6 {
                        asked += 1;
                        agrees(&game, name);
                    }
                    let moves = game.state().moves();
                    let paid = moves[(stream.next_u64() % moves.len() as u64) as usize];
                    game.play(paid).unwrap();
                }
            }
        }
        assert!(asked > 0, "{name} never waits for a move");
    }
}

fn agrees(game: &Game, name: &str) {
    let state = game.state();
    let position = fen::write(&state.ruleset().variant, state.position());
    for wish in all_wishes(game) {
        let why = state.why(wish).unwrap();
        assert_ne!(why.ways.is_empty(), why.reasons.is_empty(), "{name} {position}: {wish:?} {why:?}");
        assert!(!why.reasons.contains(&Reason::Unknown), "{name} {position}: {wish:?}");
        assert!(why.ways.iter().all(|paid| state.moves().contains(paid)), "{name} {position}: {wish:?}");
    }
    // Whatever may be done is recognised when it is asked for in writing.
    let loaded = load_named(name, &[]).unwrap();
    for text in words::moves(state) {
        let said = explain::why(&loaded, game, &text).unwrap();
        assert!(said.permitted, "{name} {position}: {text}: {said:?}");
    }
}
