//! What `check` says about scripts that are broken, one snapshot each, and that it says nothing about
//! those that come with the program.

use astragal_dsl::{Source, check, library, load_named, summary};
use std::path::{Path, PathBuf};

fn broken() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "rhai"));
    files.sort();
    files
}

fn source(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).unwrap();
    let file = path.file_name().unwrap();
    Source { name: path.file_stem().unwrap().to_string_lossy().into_owned(), path: Some(file.into()), text }
}

#[test]
fn broken_scripts_are_diagnosed() {
    for path in broken() {
        let source = source(&path);
        let all = check(&source);
        assert!(!all.is_empty(), "{} is broken, but nothing is said", path.display());
        let rendered: Vec<String> = all.iter().map(|d| d.render(false)).collect();
        insta::assert_snapshot!(source.name.as_str(), rendered.join("\n"));
    }
}

#[test]
fn shipped_scripts_are_clean() {
    for name in library::names() {
        let all = check(&library::bundled(name).unwrap());
        let rendered: Vec<String> = all.iter().map(|d| d.render(false)).collect();
        assert!(all.is_empty(), "{name}:\n{}", rendered.join("\n"));
    }
}

#[test]
fn summaries_say_what_is_fixed_and_what_is_not() {
    for name in ["chess", "dice-chess", "dicechess-3", "king-for-2", "babylonian", "dice-xiangqi"] {
        insta::assert_snapshot!(format!("summary-{name}"), summary(&load_named(name, &[]).unwrap()));
    }
}

/// Secrets that are shown on purpose: something follows from the showing, or somebody has asked for it.
#[test]
fn secrets_shown_on_purpose_are_no_mistakes() {
    let rules = [
        // The higher card has the move.
        r#"draw_cards();
           if get("card", mover()) < get("card", opponent()) { hand_over(opponent()); }
           play(any())"#,
        // A claim that is doubted is shown, and pays or costs a move.
        r#"draw_cards();
           if choose(opponent(), ["believe", "doubt"]) == "doubt" {
               if get("card", mover()) < 4 { choose(opponent(), ["king", "queen"]); } else { choose(opponent(), ["pawn"]); }
           }
           play(any())"#,
        // One's own card is no secret; nor is what both see after it is laid down.
        r#"draw_cards();
           if get("card", mover()) > 3 { play(pieces("pawn")) } else { play(any()) }
           set("open", get("card", opponent()));
           play(if get("open") > 3 { pieces("pawn") } else { any() })"#,
    ];
    for rule in rules {
        let text = format!(
            r#"import "chess" as chess;
            chess::setup();
            counter("card", 0, #{{ each: true, secret: true }});
            counter("open", 0);
            fn draw_cards() {{
                set("card", mover(), roll("1d6", #{{ secret: true }}));
                set("card", opponent(), roll("1d6", #{{ secret: opponent() }}));
            }}
            fn turn() {{ {rule} }}
            fn outcome() {{ if get("open") > 9 || !has(opponent(), "king") {{ win(mover()) }} }}"#
        );
        let text = if rule.contains("set(\"open\"") { text } else { text.replace("get(\"open\") > 9 || ", "") };
        let all = check(&Source { name: "shown".into(), path: None, text });
        let rendered: Vec<String> = all.iter().map(|d| d.render(false)).collect();
        assert!(all.is_empty(), "{rule}:\n{}", rendered.join("\n"));
    }
}
