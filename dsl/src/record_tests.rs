use super::*;
use crate::notation::{coord, san};
use crate::{library, load_named};
use astragal_core::{Status, Stream};

fn load(name: &str, options: &[(String, String)]) -> Result<Loaded, LoadError> {
    load_named(name, options)
}

fn begin(name: &str) -> (Loaded, Game) {
    let loaded = load_named(name, &[]).unwrap();
    let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 4).unwrap();
    (loaded, game)
}

fn roll(game: &mut Game, faces: &[i16]) {
    game.set_roll(faces).unwrap();
}

fn mv(game: &mut Game, text: &str) {
    let paid = game_text::find_move(game.state(), text, None).unwrap();
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
    assert!(read(&wrong, load).err().unwrap().to_string().contains("passing is not legal"));
    let sparse = text.replace(" -- ", " ");
    assert_eq!(read(&sparse, load).unwrap().1.entries(), game.entries(), "lost turns need not be written");
}

#[test]
fn other_positions_and_options_are_kept() {
    let options = vec![("tie".to_owned(), "reroll".to_owned())];
    let loaded = load_named("babylonian", &options).unwrap();
    let start = fen::parse(&loaded.set.variant, "4k3/8/8/3r4/4P3/8/8/4K3 w - -").unwrap().position;
    let mut game = Game::new(Arc::clone(&loaded.set), start, 0).unwrap();
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
    let mut game = Game::in_turn(Arc::clone(&loaded.set), start, &[3, 6], 4).unwrap();
    mv(&mut game, "Bf4");
    let text = write(&loaded, &game, &[]);
    assert!(text.contains(&format!("[FEN \"{fen} BK\"]")), "{text}");
    let (_, again) = read(&text, load).unwrap();
    assert_eq!((again.entries(), again.start_dice()), (game.entries(), &[3, 6][..]));
    assert_eq!(game_text::moves(again.state()), ["e1d2"]);
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
    let texts: Vec<String> =
        turns(&game).into_iter().map(|t| format!("{}{} {}", t.number, t.side.0, t.text())).collect();
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
    let text = "[Variant \"dice-chess\"]\n1. {[%roll 2,3] good [%clk 0:01]} g1f3! $3 (1. Nc3 {x}) ; so\n 1... \
         {[%roll 1,1]} e5 1-0";
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
            let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), round).unwrap();
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
            Some(choice) => game.choose(game_text::find_choice(game.state(), choice).unwrap()).unwrap(),
            None if text.starts_with(|c: char| c.is_ascii_digit()) => {
                let faces: Vec<i16> = text.split(',').map(|face| face.parse().unwrap()).collect();
                roll(game, &faces);
            }
            None => mv(game, text),
        }
    }
}

/// The game after the last of several lines, and all of them.
fn tried(name: &str, lines: &[&[&str]]) -> (Loaded, Game, Variations) {
    let (loaded, mut game) = begin(name);
    let mut variations = Variations::new();
    for line in lines {
        game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 4).unwrap();
        play(&mut game, line);
        variations.follow(game.entries());
    }
    (loaded, game, variations)
}

/// All lines of a tree, each as its events, in no particular order.
fn all_lines(variations: &Variations) -> Vec<String> {
    fn visit(variations: &Variations, node: usize, so_far: &str, out: &mut Vec<String>) {
        let line = format!("{so_far} {:?}", variations.event(node));
        let after = variations.after(node);
        if after.is_empty() {
            out.push(line.clone());
        }
        after.into_iter().for_each(|next| visit(variations, next, &line, out));
    }
    let mut out = Vec::new();
    visit(variations, variations.root(), "", &mut out);
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
        let (loaded, game, variations) = tried(name, lines);
        let text = write_variations(&loaded, &game, &variations, &[]);
        assert_eq!(body(&text), expected);
        let again = read_each(&text, load).next().unwrap().unwrap();
        assert_eq!(again.game.entries(), game.entries(), "{text}");
        assert_eq!(all_lines(&again.variations), all_lines(&variations), "{text}");
    }
}

#[test]
fn no_line_is_lost_however_one_goes_back() {
    for (number, name) in library::names().into_iter().enumerate() {
        let (loaded, mut game) = begin(name);
        let (mut variations, mut stream) = (Variations::new(), Stream::new(number as u64, 77));
        for _ in 0..14 {
            let back = stream.below(9) as usize;
            for _ in 0..back {
                game.undo().unwrap();
                variations.follow(game.entries());
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
            variations.follow(game.entries());
        }
        let text = write_variations(&loaded, &game, &variations, &[]);
        let again = read_each(&text, |_, _| Ok(loaded.clone())).collect::<Result<Vec<_>, _>>();
        let again = again.unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(again[0].game.entries(), game.entries(), "{name}: {text}");
        assert_eq!(all_lines(&again[0].variations), all_lines(&variations), "{name}: {text}");
    }
}

#[test]
fn what_is_wrong_in_a_variation_has_a_place() {
    let why = read("[Variant \"chess\"]\n\n1. e4 e5\n(1... Ke6) *", load).err().unwrap().to_string();
    assert!(why.contains("event 2 (line 4, column 7), 'Ke6'") && why.contains("expected a legal move"), "{why}");
    let why = read("[Variant \"chess\"]\n\n1. e4 ({[%roll 1]}) *", load).err().unwrap().to_string();
    assert!(why.contains("could replace"), "{why}");
}

#[test]
fn games_of_other_programs_are_read() {
    // The moves of an old correspondence manual's example, with all that PGN allows around them.
    let text = "\u{feff}[Event \"A \\\"friendly\\\" game\"]\r\n[Site \"?\"]\r\n[Result \"1-0\"]\r\n\r\n\
        1.e4 {king's pawn} e5 2. Nf3 $1 Nc6 3.Bc4 ( 3. Bb5 a6 ( 3... Nf6 {Berlin} 4. O-O ) 4. Ba4 ) 3... Nd4?!\r\n\
        ; to the end of the line\r\n4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\r\n";
    let record = read_each(&text.replace("[Result \"1-0\"]", "[Result \"0-1\"]"), load).next().unwrap().unwrap();
    assert_eq!((record.loaded.name.as_str(), record.game.entries().len()), ("chess", 14));
    assert_eq!(game_text::result(record.game.state()).as_deref(), Some("Black wins: checkmate."));
    assert_eq!(record.variations.lines(), 3);
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
    let text = "[Game \"Chinese Chess\"]\n[Format \"ICCS\"]\n[FEN \
         \"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1\"]\n\n1. H2-E2 H9-G7 2. H0-G2 \
         I9-H9\n3. I0-H0 *";
    let (loaded, game) = read(text, load).unwrap();
    assert_eq!((loaded.name.as_str(), game.entries().len()), ("xiangqi", 5));
    let placed = fen::placement(&loaded.set.variant, game.state().position());
    assert_eq!(placed, "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1");
    let (_, game) = read("[Variant \"xiangqi\"]\n\n1. Che2 Hg7 2. Hg2 *", load).unwrap();
    assert_eq!(game.entries().len(), 3);
}

fn script(text: &str) -> Loaded {
    let source = crate::Source { name: "script".into(), path: None, text: text.into() };
    crate::load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn started(loaded: &Loaded) -> Game {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 4).unwrap()
}

/// How each turn ended that has ended, and how it is told, if it is.
fn ends(game: &Game) -> Vec<(TurnEnd, Option<String>)> {
    let variant = &game.state().ruleset().variant;
    let notes = game.opening().iter().chain(game.entries().iter().flat_map(|entry| &entry.notes));
    notes
        .filter_map(|n| {
            if let Note::Ended(turn) = n {
                Some((turn.end(), game_text::notes(variant, std::slice::from_ref(n)).pop().map(|event| event.text)))
            } else {
                None
            }
        })
        .collect()
}

/// The texts of the consequences of the last event.
fn follow_ups(game: &Game) -> Vec<String> {
    game_text::follow_ups(game).into_iter().map(|event| event.text).collect()
}

const LOST: &str = "White has no move: the turn is lost.";

/// A line of play of a small game, as [`play`] reads it (`pass` declines), how its turns end, and its record.
fn check_turn_ends(rules: &str, events: &[&str], expected: &[TurnEnd], record: &str) -> (Loaded, Game) {
    let loaded = script(&format!(r#"board(3, 3); piece("man", "M", "W"); piece("stone", "S"); {rules}"#));
    let mut game = started(&loaded);
    for event in events {
        match *event {
            "pass" => game.pass().unwrap(),
            event => play(&mut game, &[event]),
        }
    }
    let found = ends(&game);
    assert_eq!(found.iter().map(|(end, _)| *end).collect::<Vec<_>>(), expected, "{rules}");
    for (end, told) in &found {
        let expected = match end {
            TurnEnd::Lost => Some("has no move: the turn is lost."),
            TurnEnd::Ended => Some("'s turn ends."),
            _ => None,
        };
        assert!(told.as_deref().map(|_| true) == expected.map(|_| true), "{found:?}");
        assert!(told.iter().all(|told| told.ends_with(expected.unwrap_or_default())), "{found:?}");
    }
    let text = write(&loaded, &game, &[]);
    assert_eq!(body(&text), record, "{rules}");
    let (_, again) = read(&text, |_, _| Ok(loaded.clone())).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.entries(), game.entries(), "{text}");
    (loaded, game)
}

#[test]
fn turns_end_in_one_way_everywhere() {
    use TurnEnd::{Decided, Ended, Forced, Lost, Passed};
    const SETUP: &str = r#"setup("mmm/3/MMM w");"#;
    const SHUT: &str = r#"setup("3/3/S2 w");"#;
    let with = |setup: &str, turn: &str| format!("{setup} fn turn() {{ {turn} }}");
    let (_, game) = check_turn_ends(
        &with(SETUP, r#"roll("1d6"); play_or_pass(any())"#),
        &["6", "pass", "1", "Mb2", "2", "pass"],
        &[Passed, Decided, Passed],
        "1. {[%roll 6]} pass {[%roll 1]} Mb2 2. {[%roll 2]} pass *\n",
    );
    let texts: Vec<String> = turns(&game).into_iter().map(|turn| turn.text()).collect();
    assert_eq!(texts, ["[6] pass", "[1] Mb2", "[2] pass"]);
    // Ended by design, and with nothing left to use.
    check_turn_ends(&with(SETUP, r#"if roll("1d2") == 1 { play(any()) }"#), &["2"], &[Ended], "1. {[%roll 2]} *\n");
    check_turn_ends(&with(SETUP, r#"roll("1d2"); play_each([], |d| any())"#), &["2"], &[Ended], "1. {[%roll 2]} *\n");
    check_turn_ends(
        &with(SETUP, r#"roll("1d2"); play_each([1], |d| nothing())"#),
        &["2"],
        &[Lost],
        "1. {[%roll 2]} -- *\n",
    );
    // A choice behind it does not change that the turn is lost.
    let (_, game) = check_turn_ends(
        &with(SHUT, r#"roll("1d2"); play(any()); choose(["a", "b"])"#),
        &["1", "!b"],
        &[Lost],
        "1. {[%roll 1] [%choose b]} -- *\n",
    );
    assert_eq!(follow_ups(&game), [LOST]);
    // Nor is it lost if another permit admits a move.
    check_turn_ends(&with(SETUP, "if play(nothing()) == () { play(any()) }"), &["Ma2"], &[Decided], "1. Ma2 *\n");
    check_turn_ends(
        r#"setup("3/S2/M2 w"); fn turn() { play(pieces("man")) }"#,
        &["Mb1", "Mb2"],
        &[Forced, Lost, Decided, Lost],
        "1. Mb1 -- 2. Mb2 -- *\n",
    );
}

/// What rules say of a move or a roll is told each time, also where they say the same again, and no longer than that.
#[test]
fn labels_are_told_of_every_event() {
    let loaded = script(
        r#"board(3, 3); piece("man", "M", "W"); setup("2m/3/M2 w");
        fn turn() { let mv = play(any()); if mv != () { label("a step"); roll("1d2"); } }"#,
    );
    let mut game = started(&loaded);
    play(&mut game, &["Ma2"]);
    assert_eq!(follow_ups(&game), ["a step"]);
    play(&mut game, &["1"]);
    assert_eq!(follow_ups(&game), [""; 0]);
    play(&mut game, &["Mc2"]);
    assert_eq!(follow_ups(&game), ["a step"]);
    // The roll between two labels that are alike does not make them one.
    let loaded = script(
        r#"board(3, 3); piece("man", "M", "W"); setup("2m/3/M2 w");
        fn turn() { while roll("1d6") < 6 { label("low"); } play(any()); }"#,
    );
    let mut game = started(&loaded);
    for (roll, told) in [("2", Some("low")), ("2", Some("low")), ("5", Some("low")), ("6", None)] {
        play(&mut game, &[roll]);
        assert_eq!(follow_ups(&game), Vec::from_iter(told), "{roll}");
    }
}

/// Without dice nobody is asked anything in a turn that is lost: it is told and written all the same, once for each.
#[test]
fn turns_lost_without_dice_are_told() {
    let loaded = script(
        r#"board(3, 3); piece("man", "M", "W"); piece("stone", "S"); setup("s2/3/M2 w"); fn turn() { play(any()) }"#,
    );
    let mut game = started(&loaded);
    play(&mut game, &["Ma2"]);
    assert_eq!(follow_ups(&game), ["Black has no move: the turn is lost."]);
    play(&mut game, &["Ma1"]);
    let texts: Vec<String> =
        turns(&game).into_iter().map(|t| format!("{}{} {}", t.number, t.side.0, t.text())).collect();
    assert_eq!(texts, ["10 Ma2", "11 --", "20 Ma1", "21 --"]);
    let dead = script(r#"board(3, 3); piece("stone", "S"); setup("s2/3/S2 w"); fn turn() { play(any()) }"#);
    let game = started(&dead);
    let told = game_text::notes(&dead.set.variant, game.opening());
    let told: Vec<&str> = told.iter().map(|event| event.text.as_str()).collect();
    assert_eq!(told, [LOST, "Black has no move: the turn is lost."], "not turn after turn");
    assert_eq!(game_text::result(game.state()).as_deref(), Some("Draw: nobody can move."));
}

/// Before `pass` was written, `--` stood for a declined turn, and again behind it, and behind turns that the rules
/// ended by themselves.
#[test]
fn old_records_mean_what_they_meant() {
    let read_back = |rules: &str, old: &str| {
        let loaded = script(&format!(r#"board(3, 3); piece("man", "M", "W"); setup("mmm/3/MMM w"); {rules}"#));
        let (_, game) = read(&format!("[Variant \"x\"]\n\n{old} *"), |_, _| Ok(loaded.clone()))
            .unwrap_or_else(|e| panic!("{old}: {e}"));
        body(&write(&loaded, &game, &[])).replace('\n', " ").trim_end().to_owned()
    };
    let dice = r#"fn turn() { roll("1d6"); play_or_pass(any()) }"#;
    for old in ["1. {[%roll 6]} -- -- {[%roll 1]} -- --", "1. {[%roll 6]} -- {[%roll 1]} --"] {
        assert_eq!(read_back(dice, old), "1. {[%roll 6]} pass {[%roll 1]} pass *");
    }
    let plain = "fn turn() { play_or_pass(any()) }";
    assert_eq!(read_back(plain, "1. -- -- -- -- 2. Ma2"), "1. pass pass 2. Ma2 *");
    let design = r#"fn turn() { if roll("1d2") == 1 { play_or_pass(any()) } }"#;
    assert_eq!(
        read_back(design, "1. {[%roll 2]} -- {[%roll 1]} -- -- 2. {[%roll 1]} Ma2"),
        "1. {[%roll 2] [%roll 1]} pass 2. {[%roll 1]} Ma2 *"
    );
    // Behind a choice a lost turn was not written: here `--` is a pass of whoever is next.
    let choice =
        r#"fn turn() { if mover() == side("White") { play(nothing()); choose(["a"]); } else { play_or_pass(any()) } }"#;
    assert_eq!(
        read_back(choice, "1. {[%choose a]} -- 2. {[%choose a]} -- --"),
        "1. {[%choose a]} pass 2. {[%choose a]} pass *"
    );
    assert_eq!(read_back(choice, "1. {[%choose a]} pass 2. {[%choose a]}"), "1. {[%choose a]} pass 2. {[%choose a]} *");
}

/// What is offered has names that differ, in both notations, and each means the move that it names.
fn names_are_clear(state: &State) {
    let (variant, position, moves) = (&state.ruleset().variant, state.position(), game_text::distinct(state));
    let short: Vec<String> = moves.iter().map(|&mv| san::write(variant, position, mv, &moves)).collect();
    let long: Vec<String> = moves.iter().map(|&mv| game_text::move_name(state, mv)).collect();
    assert_eq!(
        {
            let mut sorted = long.clone();
            sorted.sort();
            sorted
        },
        game_text::moves(state)
    );
    for (i, mv) in moves.iter().enumerate() {
        let by_squares = coord::find(variant, position, &moves, &long[i]);
        assert_eq!(by_squares.as_ref(), Ok(mv), "{} among {long:?}", long[i]);
        let found = san::find(variant, position, &moves, &short[i]);
        assert_eq!(found.as_ref(), Ok(mv), "{} among {short:?}", short[i]);
    }
    for mut names in [short, long] {
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
    for &paid in state.moves() {
        let text = move_text(state, paid);
        let found = game_text::find_move(state, &text, Some(&state.price(paid)));
        assert!(matches!(found, Ok(found) if found.mv == paid.mv), "{text}: {found:?}");
    }
}

/// Permits that make moves of their own beside those of the board.
const MAKERS: [&str; 5] = [
    "any() | pushes(1)",
    "pushes(3, #{ fewer: true }) | any()",
    "any() | pushes(2, #{ fewer: true, over_edge: true }) | pushes(2)",
    "any() | way(squares_of(mover()), empty_squares() | squares_of(opponent()))",
    "(any() | pushes(1)).of(side(\"White\")) | any()",
];

#[test]
fn names_of_moves_are_clear_in_every_variant() {
    let see = |game: &Game| {
        if game.status() == Status::Move && game.entries().len() % 4 < 2 {
            names_are_clear(game.state());
        }
    };
    for (number, name) in library::names().into_iter().enumerate() {
        let (_, mut game) = begin(name);
        wander(&mut game, 50, &mut Stream::new(number as u64, 5), see);
    }
    for (number, permit) in MAKERS.into_iter().enumerate() {
        for wrap in ["", ", #{ wrap: \"files\" }"] {
            let loaded = script(&format!(
                r#"board(4, 4{wrap}); piece("king", "K", "K"); piece("pawn", "P", "mfWcfFimfnDfceF", #{{ clock: true, promotes: ["king"] }});
                setup("kk2/ppp1/PPP1/KK2 w"); fn turn() {{ play({permit}) }}"#
            ));
            let mut game = started(&loaded);
            wander(&mut game, 60, &mut Stream::new(number as u64, 6), see);
        }
    }
}

/// Equal effects are one move; different moves have different names, and records keep them apart.
#[test]
fn a_push_is_told_from_a_step() {
    let loaded =
        script(r#"board(3, 3); piece("king", "K", "K"); setup("3/k2/K2 w"); fn turn() { play(any() | pushes(1)) }"#);
    let game = started(&loaded);
    assert_eq!(
        game_text::moves(game.state()),
        ["a1a1", "a1a2", "a1a2:push", "a1b1", "a1b2"],
        "a push into nothing is a step"
    );
    let (variant, position, moves) = (&loaded.set.variant, game.state().position(), game_text::distinct(game.state()));
    let short: Vec<String> = moves.iter().map(|&mv| san::write(variant, position, mv, &moves)).collect();
    assert_eq!(short, ["Ka1", "Kb1", "Kxa2", "Ka2", "Kb2"]);
    for (event, left, written) in [("a1a2", "3/K2/3", "1. Kxa2 -- *\n"), ("a1a2:push", "k2/K2/3", "1. Ka2 *\n")] {
        let mut game = started(&loaded);
        mv(&mut game, event);
        assert_eq!(fen::placement(variant, game.state().position()), left);
        let text = write(&loaded, &game, &[]);
        assert_eq!(body(&text), written);
        assert_eq!(read(&text, |_, _| Ok(loaded.clone())).unwrap().1.entries(), game.entries());
    }
}

#[test]
fn an_event_out_of_turn_says_what_was_waited_for() {
    for (variant, moves, why) in [
        ("dice-chess", "1. {[%roll 1,1]} {[%roll 1,1]}", "the game is waiting for a move, not for a roll"),
        ("bidding-chess", "1. {[%roll 1,1]}", "the game is waiting for a choice (0, 1, 2,"),
    ] {
        let text = format!("[Variant \"{variant}\"]\n\n{moves} *\n");
        let error = read(&text, load).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.contains(why)), "{moves}: {error:?}");
    }
}
