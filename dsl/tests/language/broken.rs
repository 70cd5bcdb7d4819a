//! What `check` says about broken scripts, one snapshot each; and that it says nothing about those that come with the
//! program.

use astragal_dsl::{Code, Diagnostic, Severity, Source, check, library, load_named, summary};
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

/// Everything that is reported, apart from notes on what trial games have not reached, which is not a fault.
fn complaints(source: &Source) -> Vec<Diagnostic> {
    let played = |said: &Diagnostic| matches!(said.code, Some(Code::NotPlayed | Code::NoEnd));
    check(source).into_iter().filter(|said| said.severity != Severity::Note || !played(said)).collect()
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
    let mut said = String::new();
    for name in library::names() {
        said.extend(complaints(&library::bundled(name).unwrap()).iter().map(|d| d.render(false)));
    }
    assert!(said.is_empty(), "{said}");
}

/// Published scripts. One has a function of its own whose name has since become a word of the language: there is a warning,
/// and the game still works.
#[test]
fn wild_scripts_are_clean() {
    let newer = |d: &Diagnostic| d.severity == Severity::Warning && d.message.starts_with("`most` hides the built-in");
    let mut warned = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/wild");
    let mut said = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "rhai") {
            let (known, others): (Vec<_>, Vec<_>) = complaints(&source(&path)).into_iter().partition(newer);
            said.extend(others.iter().map(|d| d.render(false)));
            warned.extend(known.iter().map(|_| path.file_stem().unwrap().to_os_string()));
        }
    }
    assert!(said.is_empty(), "{said}");
    assert_eq!(warned, ["H02"], "a function under the name of a newer one is warned of");
}

#[test]
fn summaries_say_what_is_fixed_and_what_is_not() {
    for name in ["chess", "dice-chess", "dicechess-3", "king-for-2", "babylonian", "dice-xiangqi"] {
        insta::assert_snapshot!(format!("summary-{name}"), summary(&load_named(name, &[]).unwrap()));
    }
}

/// Secrets that are shown on purpose: something follows from showing them, or somebody has asked for it.
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
            fn outcome() {{ if get("open") > 9 || !has(opponent(), "king") {{ win(mover()) }}
                if !has(mover(), "king") {{ win(opponent()) }} }}"#
        );
        let text = if rule.contains("set(\"open\"") {
            text
        } else {
            text.replace("get(\"open\") > 9 || ", "").replace("counter(\"open\", 0);", "")
        };
        let all = complaints(&Source { name: "shown".into(), path: None, text });
        let rendered: Vec<String> = all.iter().map(|d| d.render(false)).collect();
        assert!(all.is_empty(), "{rule}:\n{}", rendered.join("\n"));
    }
}

/// Dice are found wherever they are rolled, and ends wherever they are stated.
#[test]
fn summaries_find_dice_and_ends_in_every_rule() {
    let line = |text: &str, subject: &str| {
        let script = format!(r#"board(4, 1); piece("man", "M", "W"); setup("M2m w"); {text}"#);
        let source = Source { name: "small".into(), path: None, text: script };
        let loaded = astragal_dsl::load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)));
        let summary = summary(&loaded);
        let line = summary.lines().find(|line| line.starts_with(subject)).expect(subject);
        line[subject.len()..].trim().to_string()
    };
    for (script, dice) in [
        ("fn turn() { play(any()) }", "default: none"),
        ("fn capture(a, d) { if cast(\"1d20\").total > 3 { take(); } }", "1d20"),
        ("fn prepare() { remove(draw_from(squares(\"a1\"))); }", "calculated by the rules"),
        ("const DICE = \"2d4\"; fn turn() { if roll(DICE)[0] > 1 { play(any()) } }", "2d4"),
        (
            "const DICE = option(\"dice\", [\"1d6\", \"1d8\"], \"Which.\"); fn turn() { if roll(DICE) > 1 { play(any()) } }",
            "1d6, 1d8",
        ),
        ("fn turn() { let n = count(\"man\"); roll(n + \"d6\"); play(any()) }", "calculated by the rules"),
        (
            "die_faces([\"man\"]); fn turn() { let n = count(\"man\"); roll(n + \"d6\"); play(any()) }",
            "calculated by the rules; the faces stand for M",
        ),
        // What constants tell is told; what cannot be told is not kept silent.
        (
            "const DICE = [\"1d6\", \"2d6\"]; const N = 3; const OF = #{ man: [\"1d8\", \"1d12\"] };
            fn turn() { roll(DICE[1]); roll(N + \"d6\"); roll(`${N}d4`); roll(OF.man[-1]); throw_one(); play(any()) }
            fn throw_one() { let die = if count(\"man\") > 2 { \"1d20\" } else { DICE[0] }; roll(die); }",
            "1d20, 1d6, 2d6, 3d6, 3d4, and others",
        ),
    ] {
        assert_eq!(line(script, "dice"), dice, "{script}");
    }
    for (script, end) in [
        ("fn turn() { play(any()) }", "default: never"),
        ("fn turn() { if play(any()) == () { win(opponent(), \"stuck\") } }", "by the rule `turn`"),
        (
            "fn capture(a, d) { take(); win(mover()); } fn outcome() { if clock() > 9 { draw(\"long\") } }",
            "by the rules `capture` and `outcome`",
        ),
    ] {
        assert_eq!(line(script, "end"), end, "{script}");
    }
}

/// What is marked as intended is not complained about.
#[test]
fn notes_and_warnings_can_be_answered() {
    let base = "import \"chess\" as chess; chess::setup(); royals(\"capturable\");";
    let end = "fn outcome() { if !has(opponent(), \"king\") { win(mover()) } }";
    for script in [
        format!("{base} fn turn() {{ play(moves_of([\"king\", \"pawn\", \"knight\"])) }} {end}"),
        format!("{base} fn turn() {{ play(pieces([\"king\", \"pawn\", \"knight\"]) - castling()) }} {end}"),
        format!("{base} fn turn() {{ play(steps(1, 3) | castling()) }} {end}"),
        format!("{base} fn turn() {{ play(pieces([\"pawn\", \"knight\", \"rook\"])) }} {end}"),
        format!(
            "{base} fn turn() {{ play(any()) }} fn outcome() {{ if !between_turns() && !any().exists() {{ draw(\"stuck\") }}
             if between_turns() && !any().of(mover()).exists() {{ draw(\"stuck\") }}
             if !has(opponent(), \"king\") {{ win(mover()) }} }}"
        ),
    ] {
        let all = complaints(&Source { name: "meant".into(), path: None, text: script.clone() });
        let rendered: Vec<String> = all.iter().map(|d| d.render(false)).collect();
        assert!(all.is_empty(), "{script}:\n{}", rendered.join("\n"));
    }
}
