//! Transcripts: lines in, texts out.

use super::{Reply, Session, Setup, piped};
use astragal_service::drawing::board::Theme;

fn session(variant: &str, position: Option<&str>) -> Session {
    let position = position.map(String::from);
    let setup = Setup { variant: variant.into(), seed: Some(5), position, theme: Theme::default(), ..Setup::default() };
    Session::new(&setup).unwrap().0
}

/// What a line is answered that is understood.
pub(super) fn ok(session: &mut Session, line: &str) -> String {
    let reply = session.execute(line);
    assert!(!reply.error, "{line}: {}", reply.text);
    reply.text
}

/// What a line is answered that is refused, and changes nothing.
pub(super) fn refused(session: &mut Session, line: &str) -> String {
    let standing = |session: &mut Session| (session.game().entries().len(), session.execute("fen").text);
    let before = standing(session);
    let reply = session.execute(line);
    assert!(reply.error && !reply.done, "{line}: {}", reply.text);
    assert_eq!(before, standing(session), "{line} changed the game");
    assert!(reply.text.ends_with('\n') && reply.text.len() > 10, "{}", reply.text);
    reply.text
}

/// The text without the board.
fn said(text: &str) -> String {
    let board = |line: &&str| !line.starts_with(|c: char| c.is_ascii_digit()) && !line.starts_with("  a b");
    text.lines().filter(board).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_greeting_tells_the_seed() {
    let setup = Setup { variant: "dice-chess".into(), seed: Some(7), ..Setup::default() };
    let (_, greeting) = Session::new(&setup).unwrap();
    assert!(
        greeting.starts_with("Dice Chess (dice-chess), seed 7.\n'help' lists the commands.\n8 r n b"),
        "{greeting}"
    );
    assert!(greeting.ends_with("  a b c d e f g h\nWhite to roll 2d6.\n"), "{greeting}");
    let wrong = Setup { variant: "dice-ches".into(), ..setup };
    assert!(Session::new(&wrong).err().unwrap().contains("dice-chess"));
}

#[test]
fn a_game_of_dice_chess() {
    let mut session = session("dice-chess", None);
    assert_eq!(ok(&mut session, "roll 2 3"), "Roll of 2d6: 2,3.\nWhite to move: Na3 Nc3 Nf3 Nh3.\n");
    assert_eq!(ok(&mut session, "m"), "Na3 Nc3 Nf3 Nh3\n");
    assert_eq!(said(&ok(&mut session, "g1f3")), "White plays Nf3.\nBlack to roll 2d6.");
    let lost = "Roll of 2d6: 3,5.\nBlack has no move: the turn is lost.\nWhite to roll 2d6.\n";
    assert_eq!(ok(&mut session, "r 3,5"), lost);
    assert_eq!(ok(&mut session, "roll 1 1").lines().last(), Some("White to move: 22 moves."));
    assert_eq!(said(&ok(&mut session, "move e4")), "White plays e4.\nBlack to roll 2d6.");
    assert_eq!(
        ok(&mut session, "history"),
        "  1. White    [2,3] Nf3\n  1. Black    [3,5] --\n  2. White    [1,1] e4\n"
    );
    assert!(ok(&mut session, "fen").starts_with("rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 2"));
}

#[test]
fn the_dice_of_a_seed_can_be_had_again() {
    let (mut one, mut other) = (session("dice-chess", None), session("dice-chess", None));
    let first = ok(&mut one, "");
    assert_eq!(first, ok(&mut other, "roll"));
    ok(&mut one, "undo");
    assert_eq!(first, ok(&mut one, "r"));
    assert_eq!(ok(&mut one, "seed"), "5\n");
    assert!(ok(&mut one, "new seed 9").contains("seed 9."));
    assert_eq!(ok(&mut one, "seed"), "9\n");
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut session = session("dice-chess", None);
    assert!(refused(&mut session, "e4").contains("a roll of 2d6"));
    assert!(refused(&mut session, "rolll").contains("'roll'"));
    assert!(refused(&mut session, "roll 7 7").contains("2d6 cannot show 7 7"));
    assert!(refused(&mut session, "roll two").contains("'two'"));
    assert!(refused(&mut session, "undo").contains("nothing"));
    ok(&mut session, "roll 2 3");
    assert!(
        refused(&mut session, "Nd3").contains("did you mean 'Na3'?") || refused(&mut session, "Nd3").contains("Nc3")
    );
    assert!(refused(&mut session, "nc3x").contains("Nc3"));
    assert!(refused(&mut session, "Nc3 Nc6").contains("a roll of 2d6"));
    assert!(refused(&mut session, "roll").contains("a move"));
    assert!(refused(&mut session, "pass").contains("a move"));
    assert!(refused(&mut session, "undo x").contains("a number"));
    assert!(refused(&mut session, "perft x").contains("a number"));
    assert!(refused(&mut session, "position 8/8").contains('^'));
    assert!(refused(&mut session, "position").contains("FEN"));
    assert!(refused(&mut session, "new xiangqy").contains("xiangqi"));
    assert!(refused(&mut session, "new seed x").contains("whole number"));
    assert!(refused(&mut session, "set doubles=any_type").contains("same_type"));
    assert!(refused(&mut session, "set duobles=any").contains("doubles"));
    assert!(refused(&mut session, "set doubles").contains("name=value"));
    assert!(refused(&mut session, "help undoo").contains("'undo'"));
    assert!(refused(&mut session, "load /nonexistent/file").contains("/nonexistent/file"));
    assert!(refused(&mut session, "save").contains("write a file name"));
    assert!(refused(&mut session, "odds roll").contains("no roll is due"));
    assert!(refused(&mut session, &"x".repeat(20_000)).contains("at most"));
    for line in ["é", "\u{0}", "::", "6:", ":e4", "💥💥", "roll -", "set =", "6:6:e4"] {
        refused(&mut session, line);
    }
}

#[test]
fn several_moves_of_a_turn_and_undo() {
    let mut session = session("dicechess-3", None);
    ok(&mut session, "roll 1 3 6");
    let text = said(&ok(&mut session, "d3"));
    assert_eq!(text, "White plays d3.\nWhite to move, dice left 3,6: Be3 Bf4 Bg5 Bh6.");
    assert!(ok(&mut session, "fen").ends_with(" BK\n"));
    ok(&mut session, "undo");
    let text = said(&ok(&mut session, "d3 Bf4 Kd2"));
    assert_eq!(text, "White plays d3.\nWhite plays Bf4.\nWhite plays Kd2.\nBlack to roll 3d6.");
    assert!(ok(&mut session, "undo 3").starts_with("3 events taken back."));
    assert!(refused(&mut session, "d3 Bf4 Kd1").contains("Kd1"));
    assert!(ok(&mut session, "u 99").starts_with("1 event taken back."));
}

#[test]
fn the_die_that_pays_is_named_where_it_matters() {
    let mut session = session("king-for-2", Some("k7/8/8/8/8/8/8/K6R w - -"));
    ok(&mut session, "roll 4 6");
    assert!(refused(&mut session, "Rh5").contains("by 4 or by 6"));
    assert!(refused(&mut session, "3:Rh5").contains("3 does not pay"));
    assert!(said(&ok(&mut session, "4:Rh5")).contains("dice left 6"));
    ok(&mut session, "u");
    assert!(said(&ok(&mut session, "6:h1h5")).contains("Blue to roll"));
}

#[test]
fn choices_are_typed_like_moves() {
    let mut session = session("babylonian", Some("4k3/8/8/8/8/8/4R3/K2B4 w - -"));
    assert!(ok(&mut session, "odds Ba4 assist").starts_with("7/20   35.00 %  win"));
    let text = said(&ok(&mut session, "Ba4 assist"));
    assert!(text.contains("White chooses assist.\nWhite to roll 1d6+1d8"), "{text}");
    let text = said(&ok(&mut session, "roll 2 1 10"));
    assert!(text.ends_with("Black chooses: stay, e2, a4."), "{text}");
    assert!(refused(&mut session, "e3").contains("stay, e2, a4"));
    assert!(refused(&mut session, "choose stai").contains("'stay'"));
    assert!(said(&ok(&mut session, "e2")).starts_with("Black chooses e2."));
}

#[test]
fn the_end_is_announced() {
    let mut session = session("dice-chess", Some("1rbqkbnr/pppppBpp/2n5/8/4P3/7N/PPPP1PPP/RNBQK2R w KQk -"));
    ok(&mut session, "roll 2 4");
    let text = said(&ok(&mut session, "Ng5"));
    assert_eq!(text, "White plays Ng5#.\nWhite wins: checkmate.");
    assert_eq!(session.prompt(), "(over) > ");
    assert!(refused(&mut session, "roll").contains("over"));
    assert!(refused(&mut session, "e4").contains("over"));
    assert_eq!(ok(&mut session, ""), "White wins: checkmate.\n");
}

#[test]
fn options_make_another_game() {
    let mut session = session("dice-chess", None);
    assert!(ok(&mut session, "options").contains("[any] | same_type"));
    assert!(
        ok(&mut session, "set doubles=same_type").starts_with("Dice Chess (dice-chess, doubles=same_type), seed 5.")
    );
    assert!(ok(&mut session, "options").contains("any | [same_type]"));
    assert!(ok(&mut session, "new").contains("doubles=same_type"));
    assert!(!ok(&mut session, "new dice-chess doubles=any").contains("doubles="));
    assert!(ok(&mut session, "new chess").starts_with("Chess (chess), seed "));
}

#[test]
fn commands_that_only_look() {
    let mut session = session("dice-chess", None);
    for line in ["help", "?", "help roll", "rules", "options", "set", "list", "board", "d", "moves", "history", "odds"]
    {
        assert!(!ok(&mut session, line).is_empty() || line == "history", "{line}");
    }
    assert_eq!(ok(&mut session, "perft 3"), "8902\n");
    assert!(ok(&mut session, "odds").contains("1/3   33.33 %  turn lost"));
    assert!(ok(&mut session, "flip").starts_with("1 R N B K Q B N R\n"));
    assert_eq!(ok(&mut session, "# a remark"), "");
    assert!(session.execute("quit").done && session.execute("q").done);
}

#[test]
fn a_position_with_dice_is_a_turn_under_way() {
    let mut session = session("dice-chess", None);
    let text = ok(&mut session, "position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NB");
    assert!(text.ends_with("White to move: Na3 Nc3 Nf3 Nh3.\n"), "{text}");
    assert!(said(&ok(&mut session, "Nc3")).starts_with("White plays Nc3."));
    assert!(ok(&mut session, "undo").ends_with("White to move: Na3 Nc3 Nf3 Nh3.\n"));
    assert!(ok(&mut session, "position start").ends_with("White to roll 2d6.\n"));
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = std::env::temp_dir().join(format!("astragal-session-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.pgn");
    let (save, load) = (format!("save {}", file.display()), format!("load {}", file.display()));
    let mut one = session("dice-chess", None);
    ok(&mut one, "roll 1 1");
    ok(&mut one, &save);
    ok(&mut one, "e4");
    ok(&mut one, &save);
    let mut other = session("xiangqi", None);
    assert!(refused(&mut other, &save).contains("save!"));
    assert!(ok(&mut other, &load).contains("White plays e4."));
    assert_eq!(ok(&mut other, "fen"), ok(&mut one, "fen"));
    assert_eq!(ok(&mut other, "r"), ok(&mut one, "r"), "the dice go on as they would have");
    std::fs::write(&file, "[Variant \"dice-chess\"]\n\n1. {[%roll 1,2]} Nc4 *").unwrap();
    let why = refused(&mut other, &load);
    assert!(why.contains("event 2 (line 3, column 18)") && why.contains("Nc3"), "{why}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("Nc4"), "a broken file is left alone");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn pipes_run_the_same_session() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let input = b"roll 2 3\nNc4\nNc3\n\xff\nquit\nroll\n";
    let accepted = piped(session("dice-chess", None), "hello\n", &input[..], &mut out, &mut err).unwrap();
    let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
    assert!(!accepted);
    assert!(out.starts_with("hello\nRoll of 2d6: 2,3.\n") && out.ends_with("Black to roll 2d6.\n"), "{out}");
    // A refusal may go on in further lines, set off.
    let lines = err.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split(':').next().unwrap());
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines, ["line 2", "line 4"]);
}

#[test]
fn every_variant_can_be_played_by_typing_what_is_offered() {
    for name in astragal_dsl::library::names() {
        let mut session = session(name, None);
        for step in 0..60 {
            let line = match session.game().status() {
                astragal_core::Status::Over => break,
                astragal_core::Status::Chance => "roll".to_owned(),
                _ => {
                    let words = session.vocabulary();
                    let offered = astragal_service::input::moves(session.game())
                        .len()
                        .max(1)
                        .max(session.game().state().choices().len());
                    words[(step * 7) % offered].clone()
                }
            };
            let Reply { text, error, .. } = session.execute(&line);
            assert!(!error, "{name}: {line}: {text}");
        }
    }
}

#[test]
fn words_of_game_files_are_told_apart() {
    let mut session = session("chess", None);
    assert!(refused(&mut session, "state").contains("'fen'"));
    assert!(refused(&mut session, "outcome").contains("'history'"));
    assert!(refused(&mut session, "refused e5").contains("'why MOVE'"));
}

#[test]
fn another_game_does_not_begin_in_silence() {
    let mut session = session("chess", None);
    // With nothing played there is nothing to lose.
    assert!(ok(&mut session, "set move_limit=off").starts_with("Chess ("));
    ok(&mut session, "e4 e5");
    let said = "The game so far (2 events) was not saved.\nChess (";
    assert!(ok(&mut session, "set move_limit=100").starts_with(said));
    ok(&mut session, "e4");
    assert!(ok(&mut session, "new").starts_with("The game so far (1 event) was not saved.\n"));
    // A game that is over is not left.
    ok(&mut session, "f3 e5 g4 Qh4");
    assert!(ok(&mut session, "new").starts_with("Chess ("));
}

#[test]
fn a_rulebook_without_introduction_has_no_gap() {
    let path = std::env::temp_dir().join(format!("astragal-bare-{}.rhai", std::process::id()));
    std::fs::write(&path, "title(\"Bare\"); board(2, 2); piece(\"man\", \"M\", \"W\"); setup(\"m1/1M w\");").unwrap();
    let mut session = session(&path.display().to_string(), None);
    std::fs::remove_file(&path).unwrap();
    let text = ok(&mut session, "rules");
    assert!(text.starts_with("Bare\n====\n\nStarting position\n-----------------\n  2 m .\n"), "{text}");
}

#[test]
fn squares_that_are_none_are_named() {
    let path = std::env::temp_dir().join(format!("astragal-hole-{}.rhai", std::process::id()));
    let script =
        "title(\"Hole\"); board(3, 3, #{ holes: \"b2\" }); piece(\"man\", \"M\", \"W\"); setup(\"m2/1*1/2M w\");";
    std::fs::write(&path, script).unwrap();
    let mut session = session(&path.display().to_string(), None);
    std::fs::remove_file(&path).unwrap();
    let hole = "there is no square b2: the board has a hole there\n";
    assert_eq!(refused(&mut session, "why c1b2"), hole);
    assert_eq!(refused(&mut session, "c1b2"), hole);
    assert_eq!(refused(&mut session, "why Mb2"), hole);
    assert_eq!(refused(&mut session, "why c1d1"), "there is no square d1: the board has squares a1 to c3\n");
    assert!(ok(&mut session, "why c1c2").starts_with("c1c2 is legal"));
}

#[test]
fn the_position_is_asked_in_the_language_of_scripts() {
    let mut session = session("dice-chess", None);
    ok(&mut session, "roll 2 3");
    assert_eq!(ok(&mut session, "ask rolled"), "[2, 3]\n");
    assert_eq!(ok(&mut session, "ask squares_of(mover(), \"knight\")"), "2 squares: b1 g1\n");
    assert_eq!(ok(&mut session, "= [1,\n 2].len"), "2\n");
    let wrong = refused(&mut session, "ask 1 +\n  noone()");
    assert!(wrong.contains("question:2:3") && wrong.contains("noone"), "{wrong}");
    assert!(refused(&mut session, "ask roll(\"1d6\")").contains("roll"));
    assert!(refused(&mut session, "ask").contains("help ask"));
}

/// A script of those that make the engine work without end.
fn hostile(name: &str) -> String {
    format!("{}/../dsl/tests/hostile/{name}.rhai", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn very_many_moves_are_counted_and_named_by_squares() {
    let begun = std::time::Instant::now();
    let setup = Setup { variant: hostile("native-way-all"), seed: Some(5), ..Setup::default() };
    let (mut session, greeting) = Session::new(&setup).unwrap();
    // 80 queens, each to 96 empty squares and 80 enemies.
    assert!(greeting.ends_with("White to move: 14080 moves.\n"), "{greeting}");
    assert!(session.vocabulary().iter().any(|word| word == "a1a8"));
    assert!(ok(&mut session, "a1a8").contains("Black to move: 14080 moves."));
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn too_much_work_is_an_error_that_names_the_rule() {
    for (name, doing) in [("native-plan-queens", "looking ahead"), ("native-turns-placing", "passing turns")] {
        let setup = Setup { variant: hostile(name), seed: Some(5), ..Setup::default() };
        let Err(why) = Session::new(&setup) else { panic!("{name} begins") };
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(why.contains("rule `turn`") && why.contains(doing) && why.contains("docs/limits.md"), "{name}: {why}");
    }
}

#[test]
fn a_session_that_is_stopped_stops_no_other() {
    let (mut stopped, mut other) = (session("chess", None), session("chess", None));
    stopped.stop.request();
    let said = stopped.execute("odds e2e4").text;
    assert!(said.contains("(stopped: the next turn was not searched)"), "{said}");
    assert!(!ok(&mut other, "odds e2e4").contains("stopped"));
    stopped.stop.clear();
    assert!(!ok(&mut stopped, "odds e2e4").contains("stopped"));
}

#[test]
fn undo_shows_the_dice_of_the_turn() {
    let mut session = session("dice-chess", None);
    ok(&mut session, "roll 2 3");
    ok(&mut session, "Nf3");
    let taken = ok(&mut session, "undo");
    assert!(taken.starts_with("1 event taken back.\nRoll of 2d6: 2,3.\n"), "{taken}");
    assert!(taken.ends_with("White to move: Na3 Nc3 Nf3 Nh3.\n"), "{taken}");
    assert!(!ok(&mut session, "undo").contains("Roll of"), "nothing of this turn is left");
}

#[test]
fn a_move_written_with_a_space_is_no_command() {
    let mut session = session("dice-chess", None);
    ok(&mut session, "roll 2 3");
    assert_eq!(refused(&mut session, "n f3"), "did you mean the move 'Nf3'? Write it without a space.\n");
    assert!(refused(&mut session, "n f6").contains("\"f6\""), "no legal move: 'new f6'");
}

#[test]
fn the_board_stays_below_a_long_log() {
    let mut session = session("dice-chess", None);
    ok(&mut session, "roll 2 3");
    ok(&mut session, "Nf3");
    let path = std::env::temp_dir().join(format!("astragal-log-{}.pgn", std::process::id()));
    ok(&mut session, &format!("save! {}", path.display()));
    let loaded = ok(&mut session, &format!("load {}", path.display()));
    std::fs::remove_file(&path).unwrap();
    let (log, board) = (loaded.find("White plays Nf3."), loaded.find("  a b c d"));
    assert!(log.is_some() && log < board && loaded.ends_with("Black to roll 2d6.\n"), "{loaded}");
}
