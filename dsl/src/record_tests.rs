use super::*;
use crate::{library, load_named};
use astragal_core::{Status, Stream};

fn load(name: &str, options: &[(String, String)]) -> Result<Loaded, LoadError> {
    load_named(name, options)
}

fn begin(name: &str) -> (Loaded, Game) {
    let loaded = load_named(name, &[]).unwrap();
    let game = Game::new(Rc::clone(&loaded.set), loaded.start.clone(), 4).unwrap();
    (loaded, game)
}

fn roll(game: &mut Game, faces: &[i16]) {
    game.set_roll(faces).unwrap();
}

fn mv(game: &mut Game, text: &str) {
    let paid = words::find_move(game.state(), text, None).unwrap();
    game.play(paid).unwrap();
}

/// The moves of a record, without its tags.
fn body(text: &str) -> &str {
    text.split("\n\n").nth(1).unwrap()
}

#[test]
fn a_running_game_is_written_and_read() {
    let (loaded, mut game) = begin("dice-chess");
    roll(&mut game, &[1, 1]);
    mv(&mut game, "e4");
    roll(&mut game, &[2, 3]);
    mv(&mut game, "Nc6");
    roll(&mut game, &[3, 4]);
    mv(&mut game, "f1c4");
    roll(&mut game, &[3, 3]);
    mv(&mut game, "a5");
    roll(&mut game, &[6, 5]);
    let text = write(&loaded, &game, &[("White".into(), "Anna \"A\"".into()), ("Annotator".into(), "x".into())]);
    assert!(text.contains(
        "[White \"Anna \\\"A\\\"\"]\n[Black \"Black\"]\n[Result \"*\"]\n[Variant \"dice-chess\"]\n[Seed \"4\"]\n"
    ));
    assert!(text.contains("[Annotator \"x\"]") && !text.contains("[FEN"));
    assert_eq!(
        body(&text),
        "1. {[%roll 1,1]} e4 {[%roll 2,3]} Nc6 2. {[%roll 3,4]} Bc4 {[%roll 3,3]} a5 3.\n{[%roll 6,5]} *\n"
    );
    let (_, again) = read(&text, load).unwrap();
    assert_eq!((again.entries(), again.seed()), (game.entries(), 4));
}

#[test]
fn lost_turns_are_written() {
    let (loaded, mut game) = begin("dice-chess");
    roll(&mut game, &[3, 4]);
    roll(&mut game, &[5, 6]);
    roll(&mut game, &[1, 2]);
    mv(&mut game, "d4");
    let text = write(&loaded, &game, &[]);
    assert_eq!(body(&text), "1. {[%roll 3,4]} -- {[%roll 5,6]} -- 2. {[%roll 1,2]} d4 *\n");
    assert_eq!(read(&text, load).unwrap().1.entries(), game.entries());
    let wrong = text.replace("d4 *", "-- *");
    assert!(read(&wrong, load).err().unwrap().to_string().contains("not lost"));
    let sparse = text.replace(" -- ", " ");
    assert_eq!(read(&sparse, load).unwrap().1.entries(), game.entries(), "lost turns need not be written");
}

#[test]
fn other_positions_and_options_are_kept() {
    let options = vec![("tie".to_owned(), "reroll".to_owned())];
    let loaded = load_named("babylonian", &options).unwrap();
    let start = fen::parse(&loaded.set.variant, "4k3/8/8/3r4/4P3/8/8/4K3 w - -").unwrap().position;
    let mut game = Game::new(Rc::clone(&loaded.set), start, 0).unwrap();
    mv(&mut game, "exd5");
    roll(&mut game, &[3, 4]);
    let text = write(&loaded, &game, &[]);
    assert!(
        text.contains("[Options \"tie=reroll\"]") && text.contains("[FEN \"4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1\"]"),
        "{text}"
    );
    let (again, replayed) = read(&text, load).unwrap();
    assert_eq!(replayed.entries(), game.entries());
    let twice = text.replace("[%roll 3,4]", "[%roll 2,2] [%roll 3,4]");
    assert_eq!(read(&twice, load).unwrap().1.entries(), game.entries(), "dice rolled again");
    assert_eq!(again.options.iter().find(|o| o.name == "tie").map(|o| o.chosen.as_str()), Some("reroll"));
}

#[test]
fn a_turn_under_way_can_be_the_start() {
    let loaded = load_named("dicechess-3", &[]).unwrap();
    let fen = "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBQKBNR w KQkq - 0 1";
    let start = fen::parse(&loaded.set.variant, fen).unwrap().position;
    let mut game = Game::in_turn(Rc::clone(&loaded.set), start, &[3, 6], 4).unwrap();
    mv(&mut game, "Bf4");
    let text = write(&loaded, &game, &[]);
    assert!(text.contains(&format!("[FEN \"{fen} BK\"]")), "{text}");
    let (_, again) = read(&text, load).unwrap();
    assert_eq!((again.entries(), again.start_dice()), (game.entries(), &[3, 6][..]));
    assert_eq!(words::moves(again.state()), ["e1d2"]);
    assert_eq!(turns(&again).len(), 1);
}

#[test]
fn turns_read_like_a_book() {
    let (_, mut game) = begin("dicechess-3");
    roll(&mut game, &[1, 3, 6]);
    for text in ["d3", "Bf4", "Kd2"] {
        mv(&mut game, text);
    }
    roll(&mut game, &[3, 4, 5]);
    roll(&mut game, &[1, 1, 1]);
    let texts: Vec<String> = turns(&game).into_iter().map(|t| format!("{}{} {}", t.number, t.side.0, t.text)).collect();
    assert_eq!(texts, ["10 [1,3,6] d3 Bf4 Kd2", "11 [3,4,5] --", "20 [1,1,1]"]);
}

#[test]
fn what_the_rules_refuse_has_a_place() {
    let case = |moves: &str| match read(&format!("[Variant \"dice-chess\"]\n\n{moves}"), load) {
        Err(RecordError::Refused(refused)) => *refused,
        Err(other) => panic!("{moves}: {other}"),
        Ok(_) => panic!("{moves} is accepted"),
    };
    let refused = case("1. {[%roll 2,3]} Nc3 {first}\n{[%roll 1,2]} Qd5 *");
    assert_eq!((refused.number, refused.line, refused.column), (4, 4, 15));
    assert!(refused.permitted.contains(&"d7d5".to_owned()) && refused.text == "Qd5");
    assert!(case("1. e4").reason.contains("a roll of 2d6"));
    assert!(case("1. {[%roll 2,3]} {[%roll 2,3]}").reason.contains("a move"));
    assert!(case("1. {[%choose x]}").reason.contains("a choice"));
    assert!(case("1. {[%roll 2,3,4]}").reason.contains("cannot show"));
    assert!(case("1. {[%roll ]}").reason.contains("faces"));
    assert!(case("1. {[%roll 2,3] [%die x]} Nc3").reason.contains("faces"));
    let text = case("1. {[%roll 2,3]} a3").to_string();
    assert!(text.starts_with("event 2 (line 3, column 18), 'a3': ") && text.contains("b1a3"), "{text}");
}

#[test]
fn what_does_not_matter_is_passed_over() {
    let text = "[Variant \"dice-chess\"]\n1. {[%roll 2,3] good [%clk 0:01]} g1f3! $3 (1. Nc3 {x}) ; so\n 1... {[%roll 1,1]} e5 1-0";
    let (_, game) = read(text, load).unwrap();
    assert_eq!(game.entries().len(), 4, "an unfinished game may have been given up");
}

/// Plays `game` on at random for at most `steps` events.
fn wander(game: &mut Game, steps: usize, stream: &mut Stream, mut visit: impl FnMut(&Game)) {
    for _ in 0..steps {
        match game.status() {
            Status::Over => return,
            Status::Chance => drop(game.roll().unwrap()),
            Status::Move if game.state().can_pass() && stream.below(4) == 0 => game.pass().unwrap(),
            Status::Move => {
                let moves = game.state().moves();
                let paid = moves[stream.below(moves.len() as u64) as usize];
                game.play(paid).unwrap();
            }
            Status::Choice => {
                let count = game.state().choices().len() as u64;
                game.choose(stream.below(count) as usize).unwrap();
            }
        }
        visit(game);
    }
}

#[test]
fn random_games_of_every_variant_survive() {
    for (number, name) in library::names().into_iter().enumerate() {
        for round in 0..3 {
            let (loaded, _) = begin(name);
            let mut game = Game::new(Rc::clone(&loaded.set), loaded.start.clone(), round).unwrap();
            let mut stream = Stream::new(number as u64, round);
            let mut count = 0;
            wander(&mut game, 120, &mut stream, |game| {
                count += 1;
                if count % 20 == 0 || count < 4 || game.status() == Status::Over {
                    let text = write(&loaded, game, &[]);
                    let (_, again) =
                        read(&text, |_, _| Ok(loaded.clone())).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
                    assert_eq!(again.entries(), game.entries(), "{name}: {text}");
                    assert_eq!(again.state().position(), game.state().position());
                }
            });
        }
    }
}

#[test]
fn mutilated_records_are_refused_or_read() {
    let (loaded, mut game) = begin("dice-chess");
    wander(&mut game, 60, &mut Stream::new(9, 9), |_| {});
    let text = write(&loaded, &game, &[]);
    for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)).step_by(7) {
        let _ = read(&text[..cut], |_, _| Ok(loaded.clone())).map_err(|e| e.to_string());
        let mut changed = text.clone().into_bytes();
        changed[cut] = b"}{[]%\"xa8-\n"[cut % 11];
        let changed = String::from_utf8_lossy(&changed).into_owned();
        let _ = read(&changed, |_, _| Ok(loaded.clone())).map_err(|e| e.to_string());
    }
}
