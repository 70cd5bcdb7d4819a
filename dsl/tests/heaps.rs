//! Pieces that stand on one another: who is topmost, what a heap bars, how it goes as a whole or in part, and how positions
//! and questions tell of it.

mod common;

use astragal_core::{Position, Side, Square, State};
use astragal_dsl::notation::fen;
use astragal_dsl::symmetry::{Flip, Symmetry};
use astragal_dsl::{Loaded, Source, check, game_text, load, rulebook};
use common::{game, moves, play, start, text};

/// A way of six stations on the lower rank, with room for as many on each as one likes.
const WAY: &str = r#"title("Heaps"); board(6, 2, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", "mW");
    piece("tower", "T", "dK"); hands("owner"); track("way", "a1-f1", #{ same_for_all: true });"#;

fn script(setup: &str, rules: &str) -> Loaded {
    game(&format!("{WAY} setup(\"{setup}\"); {rules}"))
}

/// The moves that a permit admits, as people write them; the game ends if there is none.
fn first(setup: &str, permit: &str) -> Vec<String> {
    let rule = format!("fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}");
    let mut moves = game_text::moves(&start(&script(setup, &rule)));
    moves.sort();
    moves
}

/// The position after the move of this name, within the turn.
fn after(setup: &str, permit: &str, name: &str) -> String {
    let mut state = start(&script(setup, &format!("fn turn() {{ play({permit}); choose([\"on\"]); }}")));
    let paid = game_text::find_move(&state, name, None).unwrap_or_else(|error| panic!("{error:?}"));
    state.play(paid).expect("a move");
    text(&state)
}

/// The position after these effects of the first player, within his turn.
fn effects(setup: &str, effects: &str) -> String {
    text(&start(&script(setup, &format!("fn turn() {{ {effects} choose([\"on\"]); }}"))))
}

/// What a rule labels at the start, as numbers in brackets.
fn asked(setup: &str, question: &str) -> String {
    let state = start(&script(setup, &format!("fn turn() {{ label(\"\" + {question}); play(any()) }}")));
    state.label().unwrap_or_default().to_owned()
}

#[test]
fn the_topmost_piece_alone_moves_and_uncovers_the_next() {
    let setup = "6/M2m2 w under=a1:mM";
    assert_eq!(first(setup, "any()"), ["a1a2", "a1b1"]);
    // Beneath it there is another man of White's, then one of Black's.
    assert_eq!(after(setup, "any()", "a1b1"), "6/MM1m2[] w - - 1 1 under=a1:m");
    let mut state = start(&script(setup, "fn turn() { play(any()) }"));
    for name in ["a1a2", "d1e1", "a1b1"] {
        let paid = game_text::find_move(&state, name, None).expect("a move");
        state.play(paid).expect("a move");
    }
    assert_eq!(text(&state), "M5/mM2m1[] b - - 3 2");
}

/// A movement with `d` goes onto own pieces; others are captured one by one from the top.
#[test]
fn kinds_stand_on_their_own_and_take_the_topmost_enemy() {
    let setup = "6/TMm3 w under=c1:mM,b1:m";
    assert_eq!(first(setup, "pieces(\"tower\")"), ["a1b1"], "K: a2 and b2 are no captures of own pieces");
    assert_eq!(after(setup, "pieces(\"tower\")", "a1b1"), "6/1Tm3[] w - - 1 1 under=b1:mM,c1:mM");
    let way = "way(\"b1\", \"c1\")";
    assert_eq!(after(setup, way, "b1c1"), "6/TmM3[m] w - - 0 1 under=c1:mM");
    assert_eq!(first(setup, "way(\"a1\", \"b1 c1\", #{ landing: \"own\" })"), ["a1b1"]);
}

#[test]
fn who_holds_a_heap_says_who_may_stop_there() {
    let lands = |there: &str, landing: &str| {
        let (top, under) = match there {
            "none" => ("1", ""),
            "mine" => ("M", ""),
            "mine on one" => ("M", " under=c1:m"),
            "one" => ("m", ""),
            "two" => ("m", " under=c1:m"),
            "one on mine" => ("m", " under=c1:M"),
            _ => unreachable!(),
        };
        let setup = format!("6/M1{top}3 w{under}");
        !first(&setup, &format!("along(\"way\", 2, #{{ landing: \"{landing}\" }}) & from(\"a1\")")).is_empty()
    };
    // An enemy who stands on mine holds the heap: he may be hit, not pinned.
    let table = [
        ("none", [true, true, true, true, true]),
        ("mine", [true, true, true, true, true]),
        ("mine on one", [true, true, true, true, true]),
        ("one", [true, true, false, true, true]),
        ("two", [false, false, false, true, true]),
        ("one on mine", [true, false, false, true, true]),
    ];
    for (there, may) in table {
        for (landing, may) in ["hit", "pin", "own", "all", "take"].into_iter().zip(may) {
            assert_eq!(lands(there, landing), may, "{landing} where there is {there}");
        }
    }
}

#[test]
fn what_becomes_of_those_who_stand_there() {
    let lands = |setup: &str, landing: &str| {
        after(setup, &format!("along(\"way\", 2, #{{ landing: \"{landing}\" }}) & from(\"a1\")"), "a1c1")
    };
    assert_eq!(lands("6/M1m3 w", "hit"), "6/2M3[m] w - - 0 1");
    assert_eq!(lands("6/M1m3 w", "pin"), "6/2M3[] w - - 1 1 under=c1:m");
    assert_eq!(lands("6/M1m3 w under=c1:M", "hit"), "6/2M3[m] w - - 0 1 under=c1:M");
    assert_eq!(lands("6/M1m3 w under=c1:2m", "all"), "6/2M3[] w - - 1 1 under=c1:3m");
    // A heap is captured whole, own men beneath too: each goes to its owner's hand.
    assert_eq!(lands("6/M1m3 w under=c1:mM", "take"), "6/2M3[Mmm] w - - 0 1");
    assert_eq!(lands("6/M1M3 w under=c1:m", "hit"), "6/2M3[] w - - 1 1 under=c1:mM");
}

#[test]
fn heaps_go_whole_or_in_part() {
    let setup = "6/M1m3 w under=a1:mMM";
    let along = |carry: &str| format!("along(\"way\", 2, #{{ landing: \"all\", carry: {carry} }})");
    assert_eq!(first(setup, &along("2")), ["a1c1"]);
    assert_eq!(first(setup, &along("5")), [""; 0], "there are four");
    assert_eq!(first(setup, &along("\"any\"")), ["a1c1", "a1c1:heap2", "a1c1:heap3", "a1c1:heap4"]);
    assert_eq!(after(setup, &along("2"), "a1c1"), "6/M1M3[] w - - 1 1 under=a1:m,c1:mM");
    assert_eq!(after(setup, &along("\"all\""), "a1c1"), "6/2M3[] w - - 1 1 under=c1:2m2M");
    for (name, position) in [
        ("a1c1", "6/M1M3[] w - - 1 1 under=a1:mM,c1:m"),
        ("a1c1:heap3", "6/m1M3[] w - - 1 1 under=c1:m2M"),
        ("a1c1:heap4", "6/2M3[] w - - 1 1 under=c1:2m2M"),
    ] {
        assert_eq!(after(setup, &along("\"any\""), name), position);
    }
    // To an empty square one man goes as ever, more as a heap; a number that is not offered is no other move.
    assert_eq!(first("6/M5 w under=a1:M", &along("\"any\"")), ["a1c1", "a1c1:heap2"]);
    let state = start(&script(setup, &format!("fn turn() {{ play({}) }}", along("2"))));
    assert!(game_text::find_move(&state, "a1c1:heap3", None).is_err());
    assert!(game_text::find_move(&state, "a1c1:heap2", None).is_ok());
    // Ways that are no track.
    assert_eq!(
        first("1M4/M1m3 w under=a1:M", "way(\"a1\", \"c1 b2\", #{ carry: \"all\", landing: \"take\" })"),
        ["a1b2", "a1c1"]
    );
}

#[test]
fn men_enter_onto_heaps() {
    let enters =
        |setup: &str, landing: &str| first(setup, &format!("enter(\"way\", 2, #{{ landing: \"{landing}\" }})"));
    assert_eq!(enters("6/1M4[M] w under=b1:m", "hit"), ["M@b1"]);
    assert_eq!(enters("6/1m4[M] w under=b1:m", "hit"), [""; 0]);
    let enter = |landing: &str| format!("enter(\"way\", 2, #{{ landing: \"{landing}\" }})");
    assert_eq!(after("6/1m4[M] w", &enter("hit"), "M@b1"), "6/1M4[m] w - - 0 1");
    assert_eq!(after("6/1m4[M] w", &enter("pin"), "M@b1"), "6/1M4[] w - - 0 1 under=b1:m");
    assert_eq!(after("6/1m4[M] w under=b1:m", &enter("take"), "M@b1"), "6/1M4[mm] w - - 0 1");
}

#[test]
fn the_last_man_goes_to_the_end_if_none_is_behind_covered_or_not() {
    let last = |setup: &str| first(setup, "along(\"way\", 3, #{ end: \"last\" }) & from(\"e1\")");
    assert_eq!(last("6/4M1 w"), ["e1f1"]);
    assert_eq!(last("6/M3M1 w"), [""; 0]);
    assert_eq!(last("6/m3M1 w under=a1:M"), [""; 0], "a man who is covered stands farther back");
}

#[test]
fn questions_tell_topmost_men_from_all() {
    let setup = "2m3/M1m2T w under=a1:mM,c1:3M,c2:m";
    for (question, answer) in [
        ("count(\"White\")", 6),
        ("count(\"White\", \"man\")", 5),
        ("count(\"Black\")", 4),
        ("count(\"man\")", 9),
        ("squares_of(\"White\").count()", 2),
        ("squares_of(\"Black\").count()", 2),
        ("empty_squares().count()", 8),
        ("height(\"a1\")", 3),
        ("height(\"a1\", \"White\")", 2),
        ("height(\"b1\")", 0),
        ("height(\"c1\", mover())", 3),
        ("heaps(1).count()", 4),
        ("heaps(2).count()", 3),
        ("heaps(4).count()", 1),
        ("covered(\"White\").count()", 1),
        ("covered(\"Black\").count()", 1),
    ] {
        assert_eq!(asked(setup, question), answer.to_string(), "{question}");
    }
    assert_eq!(asked(setup, "(\"c1\" in covered(mover()))"), "true");
    assert_eq!(asked("6/m5 w under=a1:M", "has(\"White\", \"man\")"), "true", "though it cannot move");
    assert_eq!(asked("6/m5 w under=a1:2M", "has(\"White\", 3)"), "false");
}

#[test]
fn effects_on_heaps() {
    let setup = "6/M1m3 w under=a1:mM,c1:M";
    for (rule, position) in [
        ("remove(\"a1\");", "6/M1m3[] w - - 0 1 under=a1:m,c1:M"),
        ("remove(\"a1 c1\");", "6/M1M3[] w - - 0 1 under=a1:m"),
        ("remove_heaps(\"a1\");", "6/2m3[] w - - 0 1 under=c1:M"),
        ("place(\"c1\", mover(), \"tower\");", "6/M1T3[] w - - 0 1 under=a1:mM,c1:Mm"),
        ("relocate(\"a1\", \"c1\");", "6/M1M3[] w - - 0 1 under=a1:m,c1:Mm"),
        ("relocate(\"a1\", \"c1\", 2);", "6/m1M3[] w - - 0 1 under=c1:MmM"),
        ("relocate(\"a1\", \"c1\", \"all\");", "6/2M3[] w - - 0 1 under=c1:M2mM"),
        ("relocate(\"a1\", \"a1\", \"all\");", "6/M1m3[] w - - 0 1 under=a1:mM,c1:M"),
        ("relocate(\"c1\", \"d2\", height(\"c1\", mover()));", "3m2/M1M3[] w - - 0 1 under=a1:mM"),
        ("swap(\"a1\", \"c1\");", "6/m1M3[] w - - 0 1 under=a1:mM,c1:M"),
        ("convert(\"a1\", opponent());", "6/m1m3[] w - - 0 1 under=a1:mM,c1:M"),
        ("convert_all(mover(), opponent());", "6/m1m3[] w - - 0 1 under=a1:2m,c1:m"),
        ("become(\"a1\", \"tower\");", "6/T1m3[] w - - 0 1 under=a1:mM,c1:M"),
        // What is pushed goes whole.
        ("push(\"a1\", 1, 0);", "6/1Mm3[] w - - 0 1 under=b1:mM,c1:M"),
        ("push_off(\"c1\", 0, -1);", "6/M5[Mm] w - - 0 1 under=a1:mM"),
        ("remove_heaps(\"a1-f1\"); restart();", "6/M1m3[] w - - 0 1 under=a1:mM,c1:M"),
    ] {
        assert_eq!(effects(setup, rule), position, "{rule}");
    }
    assert_eq!(
        asked(setup, "suppose(|| relocate(\"a1\", \"c1\", 2), || height(\"c1\"))"),
        "4",
        "suppositions know of heaps"
    );
}

#[test]
fn positions_say_what_lies_beneath() {
    let loaded = script("6/M5 w", "");
    let variant = &loaded.set.variant;
    let read = |text: &str| fen::parse(variant, text).map(|placed| placed.position);
    let one = read("6/M1m3 w under=a1:2mMT,c1:M").expect("a position");
    let beneath: String = one.beneath(Square(0)).map(|piece| fen::letter(variant, piece)).collect();
    assert_eq!(beneath, "mmMT");
    assert_eq!((one.height(Square(0)), one.height(Square(2)), one.height(Square(1))), (5, 2, 0));
    assert_eq!(fen::write(variant, &one), "6/M1m3[] w - - 0 1 under=a1:2mMT,c1:M");
    // Order and level count: each of these is another position.
    let others = ["6/M1m3 w under=a1:2mTM,c1:M", "6/M1m3 w under=a1:2mMT", "6/M1m3 w", "6/M1m3 w under=a1:M,c1:2mMT"];
    for other in others {
        let other = read(other).expect("a position");
        assert_ne!(one.hash(), other.hash());
        assert_ne!(one, other);
    }
    let error = |text: &str| read(text).expect_err(text).to_string();
    assert!(error("6/M5 w under=b1:M").contains("a square with a piece"));
    assert!(error("6/M5 w under=a1").contains("as 'a1:2Mm'"), "{}", error("6/M5 w under=a1"));
    assert!(error("6/M5 w under=a1:").contains("a piece"), "{}", error("6/M5 w under=a1:"));
    assert!(error("6/M5 w under=a1:M,a1:M").contains("each square once"));
    assert!(error("6/M5 w under=a1:X").contains("a piece"));
    assert!(error("6/M5 w under=z1:M").contains("z1") || error("6/M5 w under=z1:M").contains("a1 to f2"));
    assert!(error("6/M5 w under=a1:0M").contains("a number of pieces"));
    for many in ["1001M", "99999999999999999999M", "600M,"] {
        assert!(read(&format!("6/M5 w under=a1:{many}")).is_err(), "{many}");
    }
    assert!(read("6/M5 w under=a1:1000M").is_ok());
    assert!(error("6/M5 w under=a1:M under=a1:M").contains("once"));
}

#[test]
fn the_rulebook_tells_how_many_stand_where() {
    let loaded = script("6/M1m3 w under=a1:2mM,c1:M", "");
    let book = rulebook::text(&loaded);
    for line in ["of a heap the topmost one moves", "White: man a1 (2) c1.", "Black: man a1 (2) c1."] {
        assert!(book.contains(line), "{line}: {book}");
    }
}

/// Colours exchanged and back again is the same position, and heaps are turned with it.
#[test]
fn heaps_are_exchanged_with_the_colours() {
    let loaded = script("6/M1m3 w under=a1:2mMT,c1:M", "");
    let flip = Flip::new(&loaded.set.variant, Symmetry::Mirrored).expect("a board that can be turned");
    let flipped = flip.position(&loaded.start);
    assert_eq!(fen::write(&loaded.set.variant, &flipped), "m1M3/6[] b - - 0 1 under=a2:2Mmt,c2:m");
    assert_eq!(flip.position(&flipped), loaded.start);
    assert_eq!(flip.position(&flipped).hash(), loaded.start.hash());
}

/// A position that is cloned into another's room has its heaps too.
#[test]
fn copies_have_their_own_heaps() {
    let loaded = script("6/M1m3 w under=a1:2mM", "");
    let variant = &loaded.set.variant;
    let mut copy = Position::empty(variant);
    copy.clone_from(&loaded.start);
    assert_eq!(copy, loaded.start);
    copy.take(variant, Square(0));
    assert_eq!((copy.height(Square(0)), loaded.start.height(Square(0))), (3, 4));
    copy.take_heap(variant, Square(0));
    copy.take_heap(variant, Square(2));
    let mut empty = Position::empty(variant);
    empty.set_side(variant, Side(0));
    assert_eq!(copy.hash(), empty.hash());
}

/// What a script says when it is loaded, or when its game begins.
fn fails(text: &str) -> String {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    match load(&source, &[]) {
        // Reports are broken between words.
        Err(error) => error.render(false).split_whitespace().collect::<Vec<_>>().join(" "),
        Ok(loaded) => State::new(loaded.set.clone(), loaded.start.clone()).err().expect("an error").to_string(),
    }
}

#[test]
fn mistakes_are_named() {
    let flat = WAY.replace(", #{ heaps: true }", "") + "setup(\"6/M5 w\");";
    let says = |script: &str, rule: &str, what: &str| {
        let text = fails(&format!("{script} fn turn() {{ {rule} }}"));
        assert!(text.contains(what), "{rule}: {text}");
    };
    says(&flat, "play(along(\"way\", 1, #{ carry: 2 }))", "this board has none");
    says(&flat, "play(along(\"way\", 1, #{ landing: \"take\" }))", "heaps: true");
    says(&flat, "play(way(\"a1\", \"b1\", #{ landing: \"pin\" }))", "heaps: true");
    says(&flat, "relocate(\"a1\", \"b1\", 2); play(any())", "this board has none");
    let heaped = format!("{WAY} setup(\"6/M5 w\");");
    says(&heaped, "play(along(\"way\", 1, #{ carry: 0 }))", "1 to 62 pieces");
    says(&heaped, "play(along(\"way\", 1, #{ carry: \"some\" }))", "\"all\" or \"any\", not \"some\"");
    says(&heaped, "play(enter(\"way\", 1, #{ carry: 2 }))", "carry");
    says(&heaped, "relocate(\"a1\", \"b1\", \"half\"); play(any())", "not \"half\"");
    says(&heaped, "while true { place(\"a1\", mover(), \"man\"); }", "");
    assert!(
        fails(&format!("{WAY} piece(\"king\", \"K\", \"K\", #{{ royal: true }}); setup(\"6/M5 w\");"))
            .contains("royal")
    );
    assert!(fails(&format!("{WAY} piece_trait(\"health\", 1); setup(\"6/M5 w\");")).contains("traits"));
    assert!(fails(&format!("{WAY} counter(\"under\", 0); setup(\"6/M5 w\");")).contains("what lies beneath"));
    assert!(
        fails("board(6, 2, #{ heaps: \"a1\" }); piece(\"man\", \"M\", \"W\"); setup(\"6/6 w\");").contains("heaps")
    );
    assert!(fails(&(flat.replace("6/M5 w", "6/M5 w under=a1:M"))).contains("name of a counter"));
}

#[test]
fn the_checker_tells_of_heaps_that_are_none() {
    let flat = WAY.replace(", #{ heaps: true }", "");
    let source = Source {
        name: "game".into(),
        path: None,
        text: format!(
            "{flat} setup(\"5m/M5 w\"); fn turn() {{ if covered(mover()).is_empty {{ label(\"free\"); }} play(any()) }}"
        ),
    };
    let told: Vec<String> = check(&source).iter().map(|diagnostic| diagnostic.message.clone()).collect();
    assert!(
        told.iter().any(|message| message.contains("`covered` is about pieces that stand on one another")),
        "{told:?}"
    );
}

/// Three sides share a square in peace: whoever is to move has his own men on top, in their order, and the others stay beneath.
#[test]
fn ones_own_come_to_the_top_where_a_rule_says_so() {
    let script = |turn: &str| {
        format!(
            "board(8, 1, #{{ heaps: true }}); sides([\"Red\", \"Blue\", \"Green\"], #{{ letters: \"rbg\",
                forward: [\"right\", \"right\", \"right\"] }});
             piece(\"man\", \"M\", \"\"); piece(\"guard\", \"G\", \"\"); track(\"way\", [\"a1-h1\", \"a1-h1\", \"a1-h1\"]);
             setup(\"3M4 r under=d1:mgM'm\"); fn turn() {{ {turn} play(along(\"way\", 1, #{{ landing: \"all\" }})) }}"
        )
    };
    let mut state = start(&game(&script("surface(mover());")));
    assert_eq!(moves(&state), ["d1e1"]);
    play(&mut state, "d1e1");
    // Blue's three in their order, the last of them on top: a man, the guard beneath it.
    assert_eq!(text(&state), "3mM3 b - - 1 1 under=d1:M'mg");
    play(&mut state, "d1e1");
    assert_eq!(text(&state), "3M'm3 g - - 2 1 under=d1:mg,e1:M");
    play(&mut state, "d1e1");
    // Red is alone with others on e1 and comes to the top there; d1 is Blue's.
    assert_eq!((text(&state), moves(&state)), ("3gM3 r - - 3 2 under=d1:m,e1:mM'".into(), vec!["e1f1".into()]));
    // Without it, or elsewhere, a man beneath others stays there.
    let mut without = start(&game(&script("surface(\"a1-c1\", mover());")));
    play(&mut without, "d1e1");
    assert_eq!(text(&without), "3mM3 b - - 1 1 under=d1:mgM'");
}
