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

/// Plays the events that `texts` name: faces as `2,3`, choices as `!text`, else moves.
fn play(game: &mut Game, texts: &[&str]) {
    for text in texts {
        match text.strip_prefix('!') {
            Some(choice) => game.choose(words::find_choice(game.state(), choice).unwrap()).unwrap(),
            None if text.starts_with(|c: char| c.is_ascii_digit()) => {
                let faces: Vec<i16> = text.split(',').map(|face| face.parse().unwrap()).collect();
                roll(game, &faces);
            }
            None => mv(game, text),
        }
    }
}

/// The game after the last of several lines, and all of them.
fn tried(name: &str, lines: &[&[&str]]) -> (Loaded, Game, Branches) {
    let (loaded, mut game) = begin(name);
    let mut branches = Branches::new();
    for line in lines {
        game = Game::new(Rc::clone(&loaded.set), loaded.start.clone(), 4).unwrap();
        play(&mut game, line);
        branches.follow(game.entries());
    }
    (loaded, game, branches)
}

/// All lines of a tree, each as its events, in no particular order.
fn all_lines(branches: &Branches) -> Vec<String> {
    fn visit(branches: &Branches, node: usize, so_far: &str, out: &mut Vec<String>) {
        let line = format!("{so_far} {:?}", branches.event(node));
        let after = branches.after(node);
        if after.is_empty() {
            out.push(line.clone());
        }
        after.into_iter().for_each(|next| visit(branches, next, &line, out));
    }
    let mut out = Vec::new();
    visit(branches, branches.root(), "", &mut out);
    out.sort();
    out
}

#[test]
fn what_was_tried_becomes_variations() {
    for (name, lines, expected) in [
        (
            "chess",
            &[&["e4", "e5", "Nf3"][..], &["e4", "c5"], &["d4", "d5", "c4"]][..],
            "1. d4 (1. e4 c5 (1... e5 2. Nf3)) 1... d5 2. c4 *\n",
        ),
        ("chess", &[&["e4", "e5", "Nf3"], &["e4"]], "1. e4 (1. e4 e5 2. Nf3) *\n"),
        ("chess", &[&["e4", "e5"], &["d4"], &[]], "(1. d4) (1. e4 e5) *\n"),
        (
            "dice-chess",
            &[&["2,3", "Nc3"], &["1,1", "e4"], &["2,3", "Nf3", "1,1"]],
            "1. {[%roll 2,3]} Nf3 (1. Nc3) (1. {[%roll 1,1]} e4) 1... {[%roll 1,1]} *\n",
        ),
    ] {
        let (loaded, game, branches) = tried(name, lines);
        let text = write_branches(&loaded, &game, &branches, &[]);
        assert_eq!(body(&text), expected);
        let again = read_branches(&text, load).unwrap().remove(0);
        assert_eq!(again.game.entries(), game.entries(), "{text}");
        assert_eq!(all_lines(&again.branches), all_lines(&branches), "{text}");
    }
}

#[test]
fn no_line_is_lost_however_one_goes_back() {
    for (number, name) in library::names().into_iter().enumerate() {
        let (loaded, mut game) = begin(name);
        let (mut branches, mut stream) = (Branches::new(), Stream::new(number as u64, 77));
        for _ in 0..14 {
            let back = stream.below(9) as usize;
            for _ in 0..back {
                game.undo().unwrap();
                branches.follow(game.entries());
            }
            // Dice by hand: from the seed they would always show the same.
            for _ in 0..8 {
                match game.state().dice().cloned() {
                    Some(dice) => {
                        let outcome = dice.outcome(stream.below(dice.outcomes()));
                        let _ = game.set_roll(&outcome);
                    }
                    None => wander(&mut game, 1, &mut stream, |_| {}),
                }
            }
            branches.follow(game.entries());
        }
        let text = write_branches(&loaded, &game, &branches, &[]);
        let again = read_branches(&text, |_, _| Ok(loaded.clone())).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(again[0].game.entries(), game.entries(), "{name}: {text}");
        assert_eq!(all_lines(&again[0].branches), all_lines(&branches), "{name}: {text}");
    }
}

#[test]
fn what_is_wrong_in_a_variation_has_a_place() {
    let why = read("[Variant \"chess\"]\n\n1. e4 e5\n(1... Ke6) *", load).err().unwrap().to_string();
    assert!(why.contains("event 2 (line 4, column 7), 'Ke6'") && why.contains("permitted"), "{why}");
    let why = read("[Variant \"chess\"]\n\n1. e4 ({[%roll 1]}) *", load).err().unwrap().to_string();
    assert!(why.contains("could replace"), "{why}");
}

#[test]
fn games_of_other_programs_are_read() {
    // The moves of an old correspondence manual's example, with all that PGN allows around them.
    let text = "\u{feff}[Event \"A \\\"friendly\\\" game\"]\r\n[Site \"?\"]\r\n[Result \"1-0\"]\r\n\r\n\
        1.e4 {king's pawn} e5 2. Nf3 $1 Nc6 3.Bc4 ( 3. Bb5 a6 ( 3... Nf6 {Berlin} 4. O-O ) 4. Ba4 ) 3... Nd4?!\r\n\
        ; to the end of the line\r\n4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\r\n";
    let record = read_branches(&text.replace("[Result \"1-0\"]", "[Result \"0-1\"]"), load).unwrap().remove(0);
    assert_eq!((record.loaded.name.as_str(), record.game.entries().len()), ("chess", 14));
    assert_eq!(words::result(record.game.state()).as_deref(), Some("Black wins: checkmate."));
    assert_eq!(record.branches.lines(), 3);
    // A repeated position draws at our tables, but must be claimed at theirs.
    let shuffled = format!("{} 1/2-1/2", "Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    assert_eq!(read(&shuffled, load).unwrap().1.entries().len(), 16);
    assert_eq!(
        read("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-d6 *", load).err().map(|e| e.to_string().contains("event 4")),
        Some(true)
    );
    assert_eq!(
        read("1. e2-e4 ... e7-e5 2. Ng1-f3 Nb8-c6 3. e4 *", load).err().map(|e| e.to_string().contains("event 5")),
        Some(true)
    );
}

#[test]
fn xiangqi_of_other_programs_is_read() {
    let text = "[Game \"Chinese Chess\"]\n[Format \"ICCS\"]\n[FEN \"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1\"]\n\n\
        1. H2-E2 H9-G7 2. H0-G2 I9-H9\n3. I0-H0 *";
    let (loaded, game) = read(text, load).unwrap();
    assert_eq!((loaded.name.as_str(), game.entries().len()), ("xiangqi", 5));
    let placed = fen::placement(&loaded.set.variant, game.state().position());
    assert_eq!(placed, "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1");
    let (_, game) = read("[Variant \"xiangqi\"]\n\n1. Che2 Hg7 2. Hg2 *", load).unwrap();
    assert_eq!(game.entries().len(), 3);
}
