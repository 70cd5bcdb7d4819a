//! The reference against the interpreter, its examples, and the files made from it.

use astragal_core::{Game, Status, Stream};
use astragal_dsl::{Severity, Source, check, load, manual};
use std::path::Path;
use std::rc::Rc;

#[test]
fn every_function_is_described_and_nothing_else() {
    let wrong = manual::disagreements();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plays at random, captures first.
fn plays(source: &Source) -> Result<(), String> {
    let loaded = load(source, &[]).map_err(|e| e.render(false))?;
    for seed in 0..2 {
        let mut game = Game::new(Rc::clone(&loaded.set), loaded.start.clone(), seed).map_err(|e| e.to_string())?;
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
    for entry in manual::chapters().iter().flat_map(|chapter| &chapter.entries) {
        let name = &entry.signatures[0].text;
        let called = entry.signatures.iter().any(|s| {
            let word = s.name.strip_prefix("get$").unwrap_or(&s.name);
            entry.example.contains(word) || word.contains('$')
        });
        assert!(called || name.starts_with("contains"), "the example of {name} does not call it: {}", entry.example);
        let source = Source { name: "example".into(), path: None, text: manual::script_of(entry) };
        let errors: Vec<String> =
            check(&source).iter().filter(|d| d.severity == Severity::Error).map(|d| d.render(false)).collect();
        let played = if errors.is_empty() { plays(&source) } else { Err(errors.join("\n")) };
        wrong.extend(played.err().map(|why| format!("{name}:\n{why}\n{}", source.text)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files made from the reference; `ASTRAGAL_WRITE=1` writes them.
#[test]
fn generated_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (file, text) in
        [("docs/reference.md", manual::markdown()), ("definitions/astragal.d.rhai", manual::definitions())]
    {
        let path = root.join(file);
        if std::env::var_os("ASTRAGAL_WRITE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{file} is stale: run the tests once with ASTRAGAL_WRITE=1");
    }
}
