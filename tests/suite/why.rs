//! `why`: the reasons of the situations in `data/why.jsonl`, derived from the rulebooks; and agreement of reasons with the
//! moves that are permitted, in random games of every variant.

use astragal_core::{Game, Kind, Reason, Status, Stream, Wish};
use astragal_dsl::notation::fen;
use astragal_dsl::{explain, game_text, library, load_named, turn_state_text};
use serde::Deserialize;
use std::sync::Arc;

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
    /// The complete sentences.
    why: Vec<String>,
    /// What the line of the script that is named must contain.
    line: Option<String>,
    rule: String,
}

fn game(situation: &Situation) -> (Arc<astragal_dsl::Loaded>, Game) {
    let loaded = load_named(&situation.variant, &situation.options).unwrap();
    let mut game = match &situation.position {
        None => Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).unwrap(),
        Some(text) => turn_state_text::begin(&loaded, fen::parse(&loaded.set.variant, text).unwrap(), 0).unwrap(),
    };
    for word in &situation.before {
        match word.strip_prefix("roll ") {
            Some(faces) => {
                let faces: Vec<i16> = faces.split(' ').map(|face| face.parse().unwrap()).collect();
                game_text::roll(&mut game, &faces).unwrap();
            }
            None => {
                let (die, text) = match word.split_once(':') {
                    Some((die, text)) => (Some(vec![die.parse().unwrap()]), text),
                    None => (None, word.as_str()),
                };
                let paid = game_text::find_move(game.state(), text, die.as_deref()).unwrap();
                game.play(paid).unwrap();
            }
        }
    }
    (Arc::new(loaded), game)
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
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 11).unwrap();
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
    for text in game_text::moves(state) {
        let said = explain::why(&loaded, game, &text).unwrap();
        assert!(said.permitted, "{name} {position}: {text}: {said:?}");
    }
}

/// What is said about a move at the start of a small game, or after a roll.
fn said(betza: &str, setup: &str, turn: &str, roll: &[i16], ask: &str) -> String {
    let pieces =
        format!("piece(\"piece\", \"P\", \"{betza}\"); piece(\"man\", \"M\", \"mW\"); piece(\"rook\", \"R\", \"R\");");
    let king = "piece(\"king\", \"K\", \"K\", #{ royal: true }); royals(\"protected\");";
    let loaded = Arc::new(crate::sketch::sketch(&format!(
        "title(\"Why\"); board(6, 6); {pieces} {king} track(\"way\", \"a6-f6\");\n\
         setup(\"{setup} w\");\nfn turn() {{ {turn} }}\n"
    )));
    let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).unwrap();
    if !roll.is_empty() {
        game_text::roll(&mut game, roll).unwrap();
    }
    let why = explain::why(&loaded, &game, ask).unwrap();
    assert!(!why.permitted, "{ask}: {why:?}");
    why.sentences.join("; ")
}

#[test]
fn several_ways_are_closed_together() {
    let blocked = "6/6/6/1m4/1m4/1PmM1M";
    let expected = "the man on c1 and the man on b2 stand in the way";
    assert_eq!(said("asW", blocked, "play(any());", &[], "b1c2"), expected);
    let hop = "6/6/6/6/2M3/1P1M1M";
    let expected = "the piece on b1 can reach d3 only by capturing an enemy piece on c2";
    assert_eq!(said("fcafmF", hop, "play(any());", &[], "b1d3"), expected);
}

#[test]
fn legs_that_may_not_capture_are_told() {
    let enemy = "6/6/4m1/3m2/2P3/M5";
    let expected = "the piece on c2 cannot capture that way, and Black's man is on e4";
    assert_eq!(said("fcafmF", enemy, "play(any());", &[], "c2e4"), expected);
}

#[test]
fn alternatives_are_told_whole() {
    let men = "6/6/6/1m4/6/1PmM1M";
    let turn = "play(pieces(\"man\") & to(squares(\"d2\")) | pieces(\"piece\") & to(squares(\"a1\")));";
    let expected = "the rules permit only moves of a man to d2 or moves of a piece to a1";
    assert_eq!(said("K", men, turn, &[], "b1b2"), expected);
    assert_eq!(said("K", men, turn, &[], "f1f2"), expected);
    let promoting = "play(pieces(\"man\") & to(squares(\"d2\")) | promoting_to(\"rook\"));";
    let expected = "the rules permit only moves of a man to d2 or promotions to a rook";
    assert_eq!(said("K", men, promoting, &[], "b1b2"), expected);
    let both = "play(pieces(\"man\") & to(squares(\"d2 b2\")));";
    assert_eq!(said("K", men, both, &[], "b1b2"), "the rules permit only moves of a man");
    assert_eq!(said("K", men, both, &[], "b1c2"), "the rules permit only moves of a man to b2 or d2");
}

/// Alternatives described in the same words are stated once.
#[test]
fn alternatives_are_told_once() {
    let tests = "play(any().where(|mv| mv.to.rank == 6) | pieces(\"king\") | any().where(|mv| mv.to.file == 6));";
    let expected = "the rules permit only moves that meet a condition in the script or moves of a king";
    assert_eq!(said("K", "6/6/6/1m4/6/1PmM1M", tests, &[], "d1d2"), expected);
}

#[test]
fn moves_that_rules_make_have_their_own_reasons() {
    let men = "6/6/6/1m4/6/1PmM1M";
    let way = "play(way(squares(\"b1 d1\"), squares(\"b4 c1 f1\")));";
    assert_eq!(said("K", men, way, &[], "b1b2"), "the rules let the piece on b1 move only to c1 or b4");
    assert_eq!(said("K", men, way, &[], "f1b4"), "the rules let only the piece on b1 and the man on d1 move");
    assert_eq!(said("K", men, way, &[], "b1f1"), "White's own man is on the target square");
    let part = "play(way(squares(\"b1 d1\"), squares(\"b4 c1 f1\")) & to(squares(\"b4\")));";
    assert_eq!(said("K", men, part, &[], "b1c1"), "the rules permit only moves to b4");
    let some = "play(way(squares(\"b1\"), squares(\"b4\")) | pieces(\"man\"));";
    let expected = "a man does not move like that (its moves: one square straight, without capturing); the rules let \
         the man on d1 move only to e1 or d2";
    assert_eq!(said("K", men, some, &[], "d1f2"), expected);
    assert_eq!(
        said("K", men, "play(pushes(1));", &[], "b1b5").split(" move ").next(),
        Some("the rules let the piece on b1")
    );
    let track = "1MmM2/6/6/6/6/6";
    let along = "play(along(\"way\", roll(\"1d3\"), #{ passing: \"nobody\" }));";
    assert_eq!(said("K", track, along, &[2], "b6d6"), "the man on c6 stands in the way");
    assert_eq!(said("K", track, along, &[2], "d6e6"), "the roll 2 lets the man on d6 move only to f6");
    assert_eq!(
        said("K", track, along, &[], "d6a6"),
        "White must roll first; a man does not move like that (its moves: one square straight, without capturing)"
    );
}

/// A man enters from the hand on the square of the track that the die names, unless one of its own men stands there.
#[test]
fn men_of_the_hand_enter_where_the_rules_say() {
    let why = |others: &str, face: i16, ask: &str| {
        let loaded = Arc::new(crate::sketch::sketch(&format!(
            "title(\"Why\"); board(6, 6); piece(\"man\", \"M\", \"W\"); track(\"way\", \"a6-f6\"); hands(\"nobody\");\n\
             setup(\"2M3/6/6/6/6/6[MM] w\");\nfn turn() {{ play(enter(\"way\", roll(\"1d3\")) | {others}); }}\n",
        )));
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).unwrap();
        game_text::roll(&mut game, &[face]).unwrap();
        let why = explain::why(&loaded, &game, ask).unwrap();
        assert!(!why.permitted, "{ask}: {why:?}");
        why.sentences.join("; ")
    };
    for others in ["along(\"way\", 1, #{})", "pieces(\"man\")"] {
        assert_eq!(why(others, 2, "M@d6"), "the roll 2 lets a man enter only on b6", "{others}");
        assert_eq!(why(others, 3, "M@d6"), "the roll 3 lets no man enter", "{others}");
    }
}

/// The rook on a2 is pinned, which does not matter if the rules say so.
#[test]
fn safety_that_is_not_heeded_is_no_reason() {
    let pinned = "r5/6/6/6/R5/K2M2";
    let free = "let die = roll(\"1d2\"); play(if die == 1 { any().even_if_attacked() } else { nothing() });";
    assert_eq!(
        said("K", pinned, free, &[], "a2b2"),
        "White must roll first; 1 of the 2 outcomes of 1d2 would permit it"
    );
    let dice = "play_each([1], |die| pieces(\"man\").even_if_attacked());";
    assert_eq!(said("K", pinned, dice, &[], "a2b2"), "no remaining die pays for it: 1 pays for moves of a man");
    let bound = "play(pieces(\"man\").even_if_attacked() | pieces(\"rook\"));";
    assert!(said("K", pinned, bound, &[], "a2b2").contains("the rook on a2 is pinned"));
}
