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
