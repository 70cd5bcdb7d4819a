use super::*;
use crate::{Source, load, load_named};

const SCRIPT: &str = r#"
// Wagers.
//
// Two pieces race.

title("Wagers");

// WG-1, WG-2: the dice of the pieces. WG-3, the other reading: none.
const DIE = #{ runner: "1d6", king: "1d20" };
const MOVED_BY = ["king", ["king", "runner"]];
// Where they are at home.
const HOME = [19, 24];
const MOST = 7;
// Green is where they rest.
const GREEN = "a1 b1";
const STEP = "mfWcfF";
const LONG = option("long", ["no", "yes"], "How long.");
board(4, 4);
piece("king", "K", "K");
piece("runner", "R", STEP);
setup("kr2/4/4/KRRR w");

// Plain words stay, and so does UTF-8 and 3-2.
fn turn() {
    roll(DIE["king"]);
    if MOVED_BY.len() + HOME.len() > MOST { return; }
    play(any());
}
"#;

fn rulebook(sources: bool) -> String {
    let source = Source { name: "wagers".into(), path: None, text: SCRIPT.into() };
    let loaded = load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)));
    if sources { with_sources(&loaded) } else { text(&loaded) }
}

/// A text with single blanks, wherever its lines end.
fn filled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn constants_that_rules_use_are_told() {
    let text = rulebook(false);
    let dice = "Dice\n----\nOne die with 20 faces (1d20).\nThe dice of the pieces. The other reading: none.\n  \
         Die: king 1d20, runner 1d6.\nMoved by:\n  1 king\n  2 king or runner\n";
    assert!(text.contains(dice), "{text}");
    assert!(
        text.contains("More rules\n----------\nWhere they are at home.\n  Home: 19, 24.\n"),
        "what a comment explains is told:\n{text}"
    );
    assert!(!text.contains("Most:"), "a number without a comment says nothing:\n{text}");
    assert!(text.contains("\nGreen is where they rest.\n") && !text.contains("Green:"), "it is how it looks:\n{text}");
    assert!(text.contains("The turn\n--------\nPlain words stay, and so does UTF-8 and 3-2.\n"), "{text}");
    assert!(text.contains("White: king a1, runner b1-d1.\nBlack: king a4, runner b4.\n"), "{text}");
}

#[test]
fn numbers_and_code_stand_behind_the_sources() {
    let (text, sources) = (rulebook(false), rulebook(true));
    for code in ["WG-1", "DIE", "mfWcfF", "kr2/4/4", ".rhai"] {
        assert!(!text.contains(code), "{code}:\n{text}");
    }
    for code in [
        "WG-1, WG-2: the dice of the pieces. WG-3, the other reading: none. (wagers.rhai:8)",
        "  DIE: king 1d20, ",
        "kr2/4/4/KRRR w",
    ] {
        assert!(filled(&sources).contains(code.trim_start()), "{code}:\n{sources}");
    }
}

#[test]
fn the_rulebooks_of_the_five_games_are_for_people() {
    for name in ["dice-chess", "dicechess-3", "babylonian", "king-for-2", "dice-xiangqi"] {
        let text = text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
        for word in text.split(|c: char| c.is_whitespace() || ",.:;()".contains(c)) {
            let number = word.split_once('-').is_some_and(|(series, number)| {
                series.starts_with(|c: char| c.is_ascii_uppercase()) && number.parse::<u32>().is_ok()
            });
            assert!(!number, "{name}: {word}");
        }
        assert!(!text.contains(['`', '{', '}']) && !text.contains("fn "), "{name}:\n{text}");
    }
    let babylonian = text(&load_named("babylonian", &[]).unwrap());
    let dice = "The dice of the pieces. A contest is written with its dice, as exd5 (4:3).\n  Die: pawn 1d4, \
         knight 1d6, bishop 1d6, rook 1d8, queen 1d12, king 1d20.\n";
    assert!(babylonian.contains(dice), "{babylonian}");
    let king = text(&load_named("king-for-2", &[("map".into(), "KNBRQ".into())]).unwrap());
    assert!(king.contains("Piece:\n  1 king\n  2 knight\n  3 bishop\n  4 rook\n  5 queen\n"), "{king}");
}

/// What is said of an option is said only while it is chosen.
#[test]
fn dice_and_ends_are_those_of_the_options_chosen() {
    let rulebook = |name: &str, options: &[(&str, &str)]| {
        let options: Vec<(String, String)> = options.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        text(&load_named(name, &options).unwrap_or_else(|error| panic!("{}", error.render(false))))
    };
    let ends = |text: &str| text.split("The end\n-------\n").nth(1).unwrap().split("\n\n").next().unwrap().to_owned();
    let one = rulebook("dice-xiangqi", &[]);
    assert!(one.contains("One die (1d6).\n"), "{one}");
    assert!(rulebook("dice-xiangqi", &[("dice", "2")]).contains("Two dice (2d6).\n"));
    let loss = "won: general captured\nwon: checkmate\nwon: stalemate\n";
    assert!(ends(&one).starts_with(&(loss.to_owned() + "drawn: no capture\nwon: perpetual check\ndrawn: repetition")));
    let off = [("stalemate", "draw"), ("perpetual_check", "draw"), ("capture_limit", "off")];
    let drawn = ends(&rulebook("dice-xiangqi", &off));
    let all = "won: general captured\nwon: checkmate\ndrawn: stalemate\ndrawn: repetition";
    assert!(drawn.starts_with(all) && !drawn.contains("no capture"), "{drawn}");
    let chess = ends(&rulebook("dice-chess", &[]));
    assert!(chess.contains("drawn: stalemate") && !chess.contains("won: stalemate"), "{chess}");
    assert!(!chess.contains("no answer to check"), "{chess}");
    let chess = ends(&rulebook("dice-chess", &[("stalemate", "pass"), ("check_fail", "lose"), ("repetition", "off")]));
    assert!(chess.contains("no answer to check") && !chess.contains("stalemate"), "{chess}");
    assert!(!chess.contains("repetition"), "{chess}");
}

/// Who reads only the rulebook learns what can be chosen, what is chosen, and what becomes of a king.
#[test]
fn options_and_royal_men_are_told() {
    let rulebook = |name: &str| text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let xiangqi = rulebook("dice-xiangqi");
    assert!(
        xiangqi
            .contains("Options\n-------\ndice: One die, or two to choose from. Current value: 1; it can also be 2.\n"),
        "{xiangqi}"
    );
    assert!(filled(&rulebook("king-for-2")).contains("It is royal, but can be left in check and captured."));
    let chess = filled(&rulebook("chess"));
    assert!(
        chess.contains("It is royal: its side cannot make a move that leaves it in check. If it is in check anyway"),
        "{chess}"
    );
}

#[test]
fn homes_and_tracks_are_named() {
    let rulebook = |name: &str| text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let pawn = "pawn (P): one square forward; one square sideways, only from the region \"beyond the river\".";
    for name in ["xiangqi", "dice-xiangqi"] {
        assert!(filled(&rulebook(name)).contains(pawn), "{}", rulebook(name));
    }
    assert!(filled(&rulebook("chess")).contains("only from its starting square"));
    let ur = rulebook("royal-game-of-ur");
    assert!(ur.contains("man (M): along the track \"way\", following the rules.\n"), "{ur}");
    assert!(ur.contains("  Where men leave: f1 f3.\n") && !ur.contains("Off:"), "{ur}");
    let way = "Track \"way\": First d1-a1, a2-h2, h1-f1; Second d3-a3, a2-h2, h3-f3.\n";
    assert!(filled(&ur).contains(way.trim_end()), "{ur}");
    let daldosa = rulebook("daldosa");
    assert!(filled(&daldosa).contains("along the tracks \"out\" and \"round\", following the rules."), "{daldosa}");
    assert!(filled(&daldosa).contains("It becomes a man on any move."), "{daldosa}");
    assert!(filled(&daldosa).contains("; Second l2-a2, a1-l1, then around again."), "{daldosa}");
    let way = "White l16-l9 to a16-a9, a1-a8 to l1-l8, m1-m15;";
    assert!(filled(&rulebook("backgammon")).contains(way), "{}", rulebook("backgammon"));
    assert!(rulebook("dice-chess").contains("any distance straight."));
    assert!(!rulebook("babylonian").contains("not built"));
}

/// Captures by moving are told where they happen, and nowhere else.
#[test]
fn captures_are_told_where_there_are_any() {
    let rulebook = |name: &str| text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let by_moving = "A piece captures an enemy piece by moving to its square.";
    for (name, then) in [
        ("dice-chess", "A captured piece leaves the board.\n"),
        ("royal-game-of-ur", "A captured piece goes back to its owner's hand.\n"),
        ("dice-shogi", "A captured piece goes to the captor's hand.\n"),
    ] {
        assert!(rulebook(name).contains(&format!("Captures\n--------\n{by_moving}\n{then}")), "{}", rulebook(name));
    }
    for name in ["marad", "babylonian", "chess-or-die"] {
        assert!(!rulebook(name).contains(by_moving), "{}", rulebook(name));
    }
}

/// Squares are put together to rows, pieces in hand counted, and hexagons have neighbours.
#[test]
fn set_ups_are_short() {
    let rulebook = |name: &str| text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let squares = rulebook("backgammon");
    assert!(squares.contains("White: man e1-e3 g1-g5 a12-a16 l15 l16.\n"), "{squares}");
    assert!(rulebook("royal-game-of-ur").contains("\nFirst: in hand: man (7).\n"));
    assert!(rulebook("einstein").contains("\nSouth-East: in hand: one, two, three, four, five, six.\n"));
    assert!(filled(&rulebook("einstein")).contains("five (E) and six (F): one square forward,"));
    assert!(rulebook("dice-wars").contains("army (A): one hexagon in any direction, only to capture.\n"));
}

/// Comments are broken where their author liked: paragraphs are put together, and what is no prose stays.
#[test]
fn introductions_are_filled_anew() {
    let text = "One line\nand another.\nSource: a book,\nof old.\n- an item\n- a second\n    code\n\nLast.";
    let found = paragraphs(text);
    assert_eq!(
        found,
        ["One line and another.", "Source: a book, of old.", "- an item", "- a second", "    code", "", "Last."]
    );
}

#[test]
fn dice_are_told_in_words() {
    for (dice, words) in [
        ("1d6", "One die (1d6)."),
        ("2d6", "Two dice (2d6)."),
        ("2d4", "Two dice with 4 faces (2d4)."),
        ("4d{0,1}", "Four dice marked 0 or 1 (4d{0,1})."),
        ("d{2,3,4,5}", "One die marked 2, 3, 4 or 5 (d{2,3,4,5})."),
        ("9d6", "The dice: 9d6."),
        ("0d6", "The dice: 0d6."),
        ("1d20+1d12", "The dice: 1d20+1d12."),
    ] {
        assert_eq!(described(dice), words);
    }
}

/// As in the box of a game: what to do, how to begin, how to go on, and a turn to see it done.
#[test]
fn every_rulebook_reads_like_a_leaflet() {
    let order = [
        "The aim",
        "Starting position",
        "The turn",
        "Dice",
        "Pieces",
        "Captures",
        "Special moves",
        "More rules",
        "The end",
        "Options",
        "An example",
    ];
    for name in crate::library::names() {
        let loaded = load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)));
        let text = illustrated(&loaded, "a picture\nof the board\n");
        let places: Vec<usize> =
            order.iter().filter_map(|title| text.find(&format!("\n{title}\n{}\n", "-".repeat(title.len())))).collect();
        assert!(places.is_sorted(), "{name}:\n{text}");
        assert!(!text.contains(", ,"), "an empty name is left out: {name}:\n{text}");
        assert!(
            text.contains("Starting position\n-----------------\n  a picture\n  of the board\nThe board has "),
            "{name}:\n{text}"
        );
        let example =
            text.split("An example\n----------\n").nth(1).unwrap_or_else(|| panic!("{name}: no example\n{text}"));
        let sides: Vec<&str> = loaded.set.variant.spec().sides.iter().map(|side| side.name.as_str()).collect();
        let turns: Vec<&str> = example.lines().filter(|line| !line.starts_with(' ')).collect();
        assert!(turns.len() >= 2, "{name}:\n{example}");
        for line in &turns[1..] {
            assert!(
                sides.iter().any(|side| line.starts_with(side)) || line.starts_with("The turn continues"),
                "{name}: {line}"
            );
        }
        assert!(["plays", "chooses", "has one"].iter().any(|acts| example.contains(acts)), "{name}:\n{example}");
    }
}

/// What is said before a function stands where the hook that calls it is told, with the options as chosen.
#[test]
fn comments_stand_in_the_section_of_their_hook() {
    let text = text(&load_named("babylonian", &[]).unwrap());
    let section = |title: &str| {
        let heading = format!("{title}\n{}\n", "-".repeat(title.len()));
        text.split(&heading).nth(1).unwrap().split("\n\n").next().unwrap().to_owned()
    };
    assert!(filled(&section("The turn")).contains("a second attacker may claim an assist"), "{text}");
    assert!(section("Captures").contains("A contest of two dice, the attacker's first."), "{text}");
    assert!(section("The aim").starts_with("Ways to win: "), "{text}");
}
