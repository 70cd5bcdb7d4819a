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
const HOME = [19, 24];
const STEP = "mfWcfF";
const LONG = option("long", ["no", "yes"], "How long.");
board(4, 4);
piece("king", "K", "K");
piece("runner", "R", STEP);
setup("kr2/4/4/KRRR w");

// Plain words stay, and so does UTF-8 and 3-2.
fn turn() { roll(DIE["king"]); play(any()); }
"#;

fn rulebook(sources: bool) -> String {
    let source = Source { name: "wagers".into(), path: None, text: SCRIPT.into() };
    let loaded = load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)));
    if sources { with_sources(&loaded) } else { text(&loaded) }
}

#[test]
fn constants_that_rules_use_are_told() {
    let text = rulebook(false);
    let rules = "The dice of the pieces. The other reading: none.\n  Die: king 1d20, runner 1d6.\n  Moved by: 1 king, 2 \
                 king or runner.\n  Home: 19, 24.\nPlain words stay, and so does UTF-8 and 3-2.\n";
    assert!(text.contains(rules), "{text}");
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
        assert!(sources.contains(code), "{code}:\n{sources}");
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
    let dice = "The dice of the men. A contest is written with its dice, as exd5 (4:3).\n  Die: pawn 1d4, knight 1d6, \
                bishop 1d6, rook 1d8, queen 1d12, king 1d20.\n";
    assert!(babylonian.contains(dice), "{babylonian}");
    let king = text(&load_named("king-for-2", &[("map".into(), "KNBRQ".into())]).unwrap());
    assert!(king.contains("Piece: 1 king, 2 knight, 3 bishop, 4 rook, 5 queen."), "{king}");
}

/// What is said of an option is said only while it is chosen.
#[test]
fn dice_and_ends_are_those_of_the_options_chosen() {
    let told = |name: &str, options: &[(&str, &str)]| {
        let options: Vec<(String, String)> = options.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        text(&load_named(name, &options).unwrap_or_else(|error| panic!("{}", error.render(false))))
    };
    let ends = |text: &str| text.split("The end\n-------\n").nth(1).unwrap().split("\n\n").next().unwrap().to_owned();
    let one = told("dice-xiangqi", &[]);
    assert!(one.contains("The dice: 1d6.\n"), "{one}");
    assert!(told("dice-xiangqi", &[("dice", "2")]).contains("The dice: 2d6.\n"));
    let loss = "won: general captured\nwon: checkmate\nwon: stalemate\n";
    assert_eq!(ends(&one), loss.to_owned() + "drawn: no capture\nwon: perpetual check\ndrawn: repetition");
    let off = [("stalemate", "draw"), ("perpetual_check", "draw"), ("capture_limit", "off")];
    let drawn = ends(&told("dice-xiangqi", &off));
    assert_eq!(drawn, "won: general captured\nwon: checkmate\ndrawn: stalemate\ndrawn: repetition");
    let chess = ends(&told("dice-chess", &[]));
    assert!(chess.contains("drawn: stalemate") && !chess.contains("won: stalemate"), "{chess}");
    assert!(!chess.contains("no answer to check"), "{chess}");
    let chess = ends(&told("dice-chess", &[("stalemate", "pass"), ("check_fail", "lose"), ("repetition", "off")]));
    assert!(chess.contains("no answer to check") && !chess.contains("stalemate"), "{chess}");
    assert!(!chess.contains("repetition"), "{chess}");
}

/// Who reads only the rulebook learns what can be chosen, what is chosen, and what becomes of a king.
#[test]
fn options_and_royal_men_are_told() {
    let told = |name: &str| text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let xiangqi = told("dice-xiangqi");
    assert!(xiangqi.contains("Options\n-------\ndice = [1] | 2\n    One die, or two to choose from.\n"), "{xiangqi}");
    assert!(told("king-for-2").contains("It is royal, and may be left attacked and taken."));
    let chess = told("chess").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(chess.contains("It is royal: it may not be left attacked; one that is may be taken."), "{chess}");
}

#[test]
fn homes_and_tracks_are_named() {
    let told = |name: &str| text(&load_named(name, &[]).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let pawn = "pawn (P): one square forward; one square sideways, only from the region \"beyond the river\".\n";
    for name in ["xiangqi", "dice-xiangqi"] {
        assert!(told(name).contains(pawn), "{}", told(name));
    }
    assert!(told("chess").contains("from where it starts"));
    let ur = told("royal-game-of-ur");
    assert!(ur.contains("man (M): along the track \"way\", as the rules say.\n"), "{ur}");
    assert!(ur.contains("  Where men leave: f1 f3.\n") && !ur.contains("Off:"), "{ur}");
    assert!(told("daldosa").contains("along the tracks \"out\" and \"round\", as the rules say."));
    assert!(told("dice-chess").contains("any distance straight."));
    assert!(!told("babylonian").contains("not built"));
}
