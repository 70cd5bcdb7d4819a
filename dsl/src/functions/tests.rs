//! Rows against the interpreter, their examples, and the files made from them.

use super::{ExampleContext, Function, Row, all, in_one_line, rows};
use crate::host::engine::{ExecutionBudget, Limits, sandbox};
use crate::host::script::vocabulary;
use crate::{Severity, Source, check, load, manual};
use astragal_core::{Game, Status, Stream};
use rhai::Engine;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// What an interpreter for scripts knows beyond its own functions: names and types of arguments.
fn own_functions() -> Vec<(String, Vec<TypeId>)> {
    let list = |engine: &Engine| {
        engine.collect_fn_metadata(
            None,
            |info| {
                let data = info.metadata;
                info.script.is_none().then(|| (data.name.to_string(), data.param_types.to_vec()))
            },
            true,
        )
    };
    let plain = list(&sandbox(&Limits::default(), &ExecutionBudget::default()));
    let all = list(&vocabulary());
    all.into_iter().filter(|function| !function.0.ends_with("__") && !plain.contains(function)).collect()
}

/// All that the rows register: names and types of arguments.
fn described() -> BTreeSet<(String, Vec<TypeId>)> {
    let forms = all().flat_map(|(_, function)| function.forms.iter().map(move |form| (function, form)));
    forms.flat_map(|(function, form)| form.types().into_iter().map(|types| (function.internal_name(), types))).collect()
}

#[test]
fn the_interpreter_knows_what_stands_in_rows_and_nothing_else() {
    let registered: BTreeSet<_> = own_functions().into_iter().collect();
    let described = described();
    assert!(registered.len() > 250, "{}", registered.len());
    let strays: Vec<&String> = registered.difference(&described).map(|(name, _)| name).collect();
    assert!(strays.is_empty(), "registered without a row: {strays:?}");
    let idle: Vec<&String> = described.difference(&registered).map(|(name, _)| name).collect();
    assert!(idle.is_empty(), "in a row, but not registered: {idle:?}");
}

#[test]
fn no_form_takes_the_place_of_another() {
    let forms = all().flat_map(|(_, function)| function.forms.iter().map(move |form| (function, form)));
    let mut seen = BTreeSet::new();
    for (function, form) in forms {
        for types in form.types() {
            assert!(seen.insert((function.internal_name(), types)), "{} twice", function.signature(form));
        }
    }
}

#[test]
fn rows_are_complete() {
    for row in rows() {
        let name = row.functions[0].name;
        assert!(!row.about.is_empty() && !row.example.is_empty(), "{name} lacks its description or example");
        for function in &row.functions {
            assert!(!function.forms.is_empty(), "{} has no form", function.name);
        }
        let forms = || row.functions.iter().flat_map(|function| &function.forms);
        for param in forms().flat_map(|form| form.params.split_last()).flat_map(|(_, others)| others) {
            assert!(!param.optional, "{name}: only the last parameter may be left out, not {}", param.name);
        }
        let takes_options =
            forms().flat_map(|form| &form.params).any(|param| param.kind == crate::host::kind::ParamKind::Options);
        assert_eq!(
            takes_options,
            !row.options.is_empty(),
            "{name}: options that nobody can give, or of which none is known"
        );
        let about = in_one_line(row.about);
        for (key, _) in row.options {
            let named = [format!("`{key}`"), format!("`{key}: ")].iter().any(|text| about.contains(text));
            assert!(named, "the description of {name} does not name the option {key}");
        }
        let called = |function: &Function| {
            let word = function.name.rsplit('.').next().unwrap_or_default().trim_end_matches("[]");
            row.example.contains(word) || word == "contains" && row.example.contains(" in ")
        };
        assert!(row.functions.iter().any(called), "the example of {name} does not call it: {}", row.example);
        let together =
            row.functions.len() == 1 || row.functions.iter().all(|f| f.name.contains('.') || f.is_operator());
        assert!(together, "{name} shares its description with others");
    }
}

/// The checker asks the rows about functions: it names one where it means that very function, but keeps no list.
#[test]
fn the_checker_keeps_no_list_of_functions() {
    let names: BTreeSet<&str> = all().map(|(_, function)| function.name).filter(|name| name.len() > 1).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check");
    let inside =
        |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let mut files = [inside(&folder), inside(&folder.join("infer"))].concat();
    files.retain(|path| path.is_file());
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap().replace("\\\"", "").replace("'\"'", "");
        let parts: Vec<&str> = text.split('"').collect();
        // Texts are every other part; between those of a list or pattern stands nothing but a separator.
        for three in parts.windows(3).skip(1).step_by(2) {
            let listed = matches!(three[1].trim(), "," | "|") && names.contains(three[0]) && names.contains(three[2]);
            assert!(!listed, "{}: \"{}\", \"{}\"", path.display(), three[0], three[2]);
        }
    }
}

/// A whole script around the example of a row.
fn script_of(row: &Row) -> String {
    let example = row.example;
    let at = |place: ExampleContext| if row.place == place { example } else { "" };
    let mut top = vec!["title(\"Example\");"];
    let declares = |name: &str| row.place == ExampleContext::Top && example.starts_with(&format!("{name}("));
    // What an example declares anew is not declared before it.
    let own = ["board", "sides"].into_iter().any(declares);
    if own {
        top.push(example);
    }
    top.push(match () {
        () if declares("board") => "piece(\"king\", \"K\", \"K\", #{ royal: true }); setup(\"k5/6/6/6/6/K5 w\");",
        () if declares("setup") => "import \"chess\" as chess; chess::army();",
        () if declares("castling") => {
            "import \"chess\" as chess; chess::army(); setup(\"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1\");"
        }
        () => "import \"chess\" as chess; chess::setup();",
    });
    if !own {
        top.push("royals(\"capturable\"); hands(); region(\"centre\", \"d4-e5\"); counter(\"stake\", 1);");
        top.push("counter(\"dice\", 0, #{ each: true, places: 20 }); counter(\"score\", 0, #{ each: true });");
        top.push("track(\"lane\", \"a2-h2\"); piece_trait(\"mark\", 0); marks(\"burnt\");");
        top.push("option(\"mode\", [\"slow\", \"fast\"], \"How fast.\");");
        top.push(at(ExampleContext::Top));
    }
    let rest = if at(ExampleContext::Turn).contains("play") { "" } else { " play(any());" };
    let capture = match row.place {
        ExampleContext::Capture => format!("fn capture(attacker, defender) {{ {example} }}\n"),
        _ => String::new(),
    };
    let ends = "if !has(opponent(), \"king\") || !has(mover(), \"king\") { return draw(\"a king is gone\"); }";
    let (turn, outcome) = (at(ExampleContext::Turn), at(ExampleContext::Outcome));
    format!("{}\nfn turn() {{ {turn}{rest} }}\n{capture}fn outcome() {{ {ends} {outcome} }}\n", top.join("\n"))
}

/// Plays at random, captures first.
fn plays(source: &Source) -> Result<(), String> {
    let loaded = load(source, &[]).map_err(|e| e.render(false))?;
    for seed in 0..2 {
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).map_err(|e| e.to_string())?;
        let mut stream = Stream::new(seed, 3);
        for _ in 0..60 {
            let pick = stream.next_u64() as usize;
            let state = game.state();
            let done = match game.status() {
                Status::Over => break,
                Status::Chance => game.roll().map(drop),
                Status::Choice => game.choose(pick % state.choices().len()),
                Status::Move => {
                    let moves = state.moves();
                    let captures = moves.iter().find(|paid| !state.position().captured_by(paid.mv).0.is_none());
                    let paid = captures.copied().unwrap_or(moves[pick % moves.len()]);
                    game.play(paid)
                }
            };
            done.map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

#[test]
fn every_example_runs() {
    let mut wrong = Vec::new();
    for row in rows() {
        let source = Source { name: "example".into(), path: None, text: script_of(row) };
        let errors: Vec<String> =
            check(&source).iter().filter(|d| d.severity == Severity::Error).map(|d| d.render(false)).collect();
        let played = if errors.is_empty() { plays(&source) } else { Err(errors.join("\n")) };
        wrong.extend(played.err().map(|why| format!("{}:\n{why}\n{}", row.functions[0].name, source.text)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files made from the rows; `ASTRAGAL_WRITE=1` writes them.
#[test]
fn generated_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (file, text) in [
        ("docs/reference.md", manual::markdown()),
        ("docs/mistakes.md", manual::mistakes()),
        ("definitions/astragal.d.rhai", manual::definitions()),
    ] {
        let path = root.join(file);
        if std::env::var_os("ASTRAGAL_WRITE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{file} is stale: run the tests once with ASTRAGAL_WRITE=1");
    }
}
