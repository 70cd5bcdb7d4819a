//! Hover texts as readers see them: snapshots of the texts, and what must hold for all of them.

use astragal_dsl::{Source, load};
use astragal_editor::hover::{Hover, hover};
use astragal_editor::script::Script;
use std::fmt::Write;
use std::sync::Arc;

fn source(text: &str) -> Source {
    Source { name: "mine".into(), path: None, text: text.into() }
}

/// An open script, which was loaded if it can be.
fn open(text: &str) -> Script {
    let mut script = Script::new(source(text));
    if let Ok(loaded) = load(&source(text), &[]) {
        script.set_loaded(Arc::new(loaded));
    }
    script
}

fn bundled(name: &str) -> Script {
    let (_, text) = astragal_variants::SCRIPTS.iter().find(|(known, _)| *known == name).expect("a bundled script");
    open(text)
}

/// The hover text at the mark `^` in an excerpt of the script.
#[track_caller]
fn at(script: &Script, marked: &str) -> Option<Hover> {
    let (before, after) = marked.split_once('^').expect("a mark");
    let needle = format!("{before}{after}");
    let start = script.text().find(&needle).unwrap_or_else(|| panic!("no {needle:?} in the script"));
    let found = hover(script, start + before.len());
    if let Some(found) = &found {
        let span = found.span.clone();
        assert!(span.start <= start + before.len() && start + before.len() <= span.end, "{marked} is outside {span:?}");
    }
    found
}

#[track_caller]
fn text(script: &Script, marked: &str) -> String {
    at(script, marked).map_or("no text".into(), |found| found.markdown)
}

/// The hover texts at several places of a script, each below the line of its place.
#[track_caller]
fn pictures(script: &Script, places: &[&str]) -> String {
    let mut out = String::new();
    for place in places {
        let _ = write!(out, "######## {place}\n\n{}\n\n", text(script, place));
    }
    out
}

#[test]
fn pieces_are_drawn_and_described() {
    let mut out = pictures(&bundled("chess"), &["piece(\"^pawn\"", "piece(\"^knight", "piece(\"^king"]);
    out +=
        &pictures(&bundled("xiangqi"), &["piece(\"^cannon", "piece(\"^elephant", "moves(\"^general", "piece(\"^pawn"]);
    out += &pictures(&bundled("backgammon"), &["hand(mover(), \"^man\")"]);
    out += &pictures(&bundled("hexagonal-babylonian"), &["piece(\"^pawn\""]);
    insta::assert_snapshot!(out);
}

const CAMP: &str = r#"
// A game for these pictures.
board(6, 6, #{ points: true });
sides(["Red", "Blue"], #{ letters: "rb" });
// Where pawns become knights.
region("camp", "a5-f6");
region("middle", "c3-d4", #{ same_for_all: true });
piece("pawn", "P", "fmWfcF", #{ promotes: "knight", zone: "camp", glyphs: ["♙", "♟"] }); // the weakest
piece("knight", "N", "N");
piece("wall", "X");
counter("points", 3, #{ each: true });
counter("dice", 0, #{ places: 6, secret: "count", each: true });
marks("burnt");
piece_trait("health", #{ knight: 2 });
track("way", "a1-f1 f2-f6");
const SPEED = option("speed", ["slow", "fast"], "How fast it is.");
const STEP = if SPEED == "fast" { 2 } else { 1 };
const LIST = ["pawn", "knight"];
const SAFE = "a1 c3-c5";
hands("owner");
setup("nnnnnn/pppppp/6/6/PPPPPP/NNNNNN[Pp] r points=2/3");

// Plays a turn.
fn turn() {
    let dice = roll("2d6");
    let faces = roll("2d6").filter(|die| die > 2);
    let m = play(moves_of("pawn").where(|mv| mv.to.rank > STEP), #{ or: "stop" });
    for sq in region("camp") & to_squares(m, SAFE) { mark(sq, "burnt"); }
    if get("points", mover()) > 3 && m.kind == "knight" { win(mover(), "points"); }
    if foremost("way").is_empty { set(region("middle"), "health", 1); }
    let pair = any() - steps(1, STEP) | castling();
}

/* Decides
   a capture. */
fn capture(attacker, defender) { if attacker.rank > 2 { take(); } else { stand_off(); } }

fn to_squares(m, list) { squares(list) }
"#;

#[test]
fn names_have_the_facts_of_their_declarations() {
    let script = open(CAMP);
    assert!(script.loaded().is_some());
    let places = [
        "zone: \"^camp\"",
        "region(\"^middle\"",
        "get(\"^points\"",
        "counter(\"d^ice\"",
        "\"^burnt\")",
        "\"^health\", 1",
        "foremost(\"^way\")",
        "option(\"^speed\"",
        "\"R^ed\"",
        "LIST = [\"^pawn\"",
        "m.kind == \"^knight\"",
        "piece(\"^wall\"",
    ];
    insta::assert_snapshot!(pictures(&script, &places));
}

#[test]
fn functions_are_described_as_in_the_reference() {
    let script = open(CAMP);
    let places = [
        "^play(moves_of",
        ".^where(|mv|",
        "o^r: \"stop\"",
        "promo^tes: ",
        "mv.t^o.rank",
        "mv.to.r^ank",
        ".is_^empty { set",
        "region(\"camp\") ^& to_squares",
        "any() ^- steps",
        "\"own^er\"",
        "f^or sq",
        "|^mv|",
    ];
    insta::assert_snapshot!(pictures(&script, &places));
}

#[test]
fn the_own_functions_and_variables_of_a_script_are_described() {
    let script = open(CAMP);
    let places = [
        "fn tu^rn()",
        "fn cap^ture(",
        "to_sq^uares(m,",
        "mark(s^q,",
        "|d^ie| die",
        "> ST^EP), #",
        "const LI^ST",
        "let m^ = play",
        "let fac^es",
        "att^acker.rank",
        "squares(li^st)",
        "let pa^ir",
    ];
    let mut out = pictures(&script, &places);
    let script = bundled("hexagonal-babylonian");
    out += &pictures(&script, &["import \"babyl^onian\"", "babyl^onian::readings", "babylonian::me^n()"]);
    insta::assert_snapshot!(out);
}

#[test]
fn notations_are_read_and_their_mistakes_explained() {
    let script = open(CAMP);
    let mut out =
        pictures(&script, &["fmWf^cF", "\"N\", \"^N\"", "nnn^nnn/pppppp", "roll(\"^2d6\");", "\"a^1 c3-c5\""]);
    let dice = "piece(\"man\", \"M\", \"K\"); piece(\"king\", \"K\", \"K\"); die_faces([\"man\", \"king\"]);
        setup(\"m7/8/8/8/8/8/8/7M w\");
        fn turn() {
            roll(\"1d2\"); roll(\"d{0:3,5}\"); roll(\"10d6\"); roll(\"2d6+\"); roll(\"1d20\"); roll(\"32d1000\");
            roll(\"1d6+1d4\");
        }";
    let script = open(dice);
    assert!(script.loaded().is_some());
    let places = ["\"1d2^\"", "d{0:3^,5}", "10d^6", "2d6+^\"", "1d20^", "32d1000^", "1d6+^1d4"];
    out += &pictures(&script, &places);
    insta::assert_snapshot!(out);
}

/// Known chances: 27 of the 216 outcomes of three dice total 10, and 1 of them totals 3.
#[test]
fn chances_of_dice_are_exact() {
    let script = Script::new(source("fn turn() { roll(\"3d6\"); roll(\"1d20\"); roll(\"d{1:2,4}\"); }"));
    let three = text(&script, "3d^6");
    assert!(three.starts_with("**3d6**: 3 dice, 216 outcomes\n"), "{three}");
    assert!(three.contains("\n 3   1/216  0.46%  █\n") && three.contains("\n10     1/8  12.5%  █"), "{three}");
    let even = "**1d20**: 1 die, 20 outcomes\n\n```text\nEach face from 1 to 20: 1/20 (5.0%)\n```";
    assert_eq!(text(&script, "1d^20"), even);
    assert!(text(&script, "d{1^:2,4}").contains("1  2/3  66.7%"));
}

#[test]
fn mistakes_in_notations_point_at_their_place() {
    let mut script = open(CAMP);
    let text = CAMP
        .replace("\"fmWfcF\"", "\"fmWfcX\"")
        .replace("pppppp/6/6/PPPPPP", "pppppp/6/7/PPPPPP")
        .replace("\"2d6\"", "\"2d\"")
        .replace("\"a5-f6\"", "\"a5-f9\"");
    script.edit(text);
    let places = ["fmW^fcX", "roll(\"2^d\");", "\"a5-^f9\""];
    let mut out = pictures(&script, &places);
    script.edit(CAMP.replace("pppppp/6/6/PPPPPP", "pppppp/6/7/PPPPPP"));
    out += &pictures(&script, &["nnn^nnn"]);
    insta::assert_snapshot!(out);
}

/// A declaration that has changed since the script was last loaded has no facts from then.
#[test]
fn facts_of_an_older_version_are_left_out() {
    let mut script = open(CAMP);
    let before = |script: &Script| {
        ["get(\"^points\"", "zone: \"^camp\"", "LIST = [\"^pawn\"", "foremost(\"^way\"", "\"^Red\""]
            .map(|place| text(script, place))
    };
    let fresh = before(&script);
    // An unfinished line elsewhere, and a new comment, change nothing.
    script.edit(format!("{CAMP}\nfn later() {{ play("));
    assert_eq!(before(&script), fresh);
    // The value of a counter, the squares of a region, the movement of a piece.
    script.edit(CAMP.replace("counter(\"points\", 3", "counter(\"points\", 4"));
    assert!(!before(&script)[0].contains("It starts at"), "{}", before(&script)[0]);
    assert_eq!(before(&script)[1..], fresh[1..]);
    script.edit(CAMP.replace("\"a5-f6\"", "\"a4-f6\""));
    assert!(!before(&script)[1].contains("squares"), "{}", before(&script)[1]);
    script.edit(CAMP.replace("\"fmWfcF\"", "\"fmW2fcF\""));
    assert!(before(&script)[2].contains(" . . o . .\n . x o x ."), "{}", before(&script)[2]);
    assert!(!before(&script)[2].contains("Starting position"), "{}", before(&script)[2]);
    // Another board changes almost everything.
    script.edit(CAMP.replace("board(6, 6,", "board(7, 6,"));
    assert!(before(&script)[3..].iter().all(|text| !text.contains("station") && !text.contains("turn order")));
    assert_eq!(before(&script)[0], fresh[0]);
}

#[test]
fn a_script_that_was_never_loaded_has_texts_without_facts() {
    let script = Script::new(source(CAMP));
    assert!(text(&script, "piece(\"^pawn\"").contains(" . x o x ."));
    assert!(text(&script, "get(\"^points\"").starts_with("**points**: counter\n\n```rhai\ncounter(\"points\", 3"));
    assert!(text(&script, "^play(moves_of").starts_with("```rhai\nplay("));
    assert!(text(&script, "fmWf^cF").contains("- `c`: "));
    assert!(at(&script, "nnn^nnn/pppppp").is_none() && at(&script, "a5^-f6").is_none());
}

/// Every token of every bundled script: a hover text is quick, contains its place, and closes its code blocks.
#[test]
fn hover_texts_of_all_bundled_scripts_are_sound() {
    let (mut count, mut slowest) = (0, (std::time::Duration::ZERO, String::new()));
    for (name, _) in astragal_variants::SCRIPTS {
        let script = bundled(name);
        assert!(script.loaded().is_some(), "{name}");
        for token in script.document().tokens() {
            let offset = (token.span.start + token.span.end) / 2;
            let start = std::time::Instant::now();
            let found = hover(&script, offset);
            let time = start.elapsed();
            if time > slowest.0 {
                slowest = (time, format!("{name}: {}", &script.text()[token.span.clone()]));
            }
            let Some(found) = found else { continue };
            count += 1;
            assert!(found.span.start <= offset && offset <= found.span.end, "{name}: {offset}, {:?}", found.span);
            let text = found.markdown;
            assert!(!text.is_empty() && text.matches("```").count().is_multiple_of(2), "{text}");
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        }
    }
    assert!(count > 10_000, "{count}");
    println!("{count} texts; the slowest took {slowest:?}");
}

/// Incomplete texts and texts of random words do no harm.
#[test]
fn incomplete_texts_have_hover_texts_or_none() {
    for text in [CAMP, bundled("hexagonal-babylonian").text(), bundled("secret-dice").text()] {
        let mut script = open(text);
        for end in (0..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
            script.edit(text[..end].to_owned());
            for back in [0, 1, 5, 12] {
                hover(&script, end.saturating_sub(back));
            }
        }
    }
    let words = [
        "piece",
        "(",
        ")",
        "\"",
        "\"N\"",
        "\"2d6\"",
        ",",
        "#{",
        "}",
        "x",
        ".",
        "let",
        "=",
        "|",
        "fn",
        "region",
        "[",
        "]",
        "::",
        "import",
        "\"chess\"",
        "as",
        ":",
        "\"a1-b",
        "\\",
        "for",
        "in",
        "é",
        "`",
        "turn",
        "//",
    ];
    let mut script = open(CAMP);
    let mut seed = 7_u64;
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..14 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(words[(seed >> 33) as usize % words.len()]);
            text.push_str(["", " ", "\n"][(seed >> 60) as usize % 3]);
        }
        script.edit(text.clone());
        for offset in 0..=text.len() {
            hover(&script, offset);
        }
    }
}
