//! Editor support for `.game` files, and for test results in scripts. The language server uses it.
//!
//! [`GameDocument`] is an open `.game` file. [`problems()`], [`complete()`], [`hover()`] and [`symbols()`] analyze it.
//! [`run_tests`] plays all tests of a script. [`block_hints`] shows how many of them reach each block of the script,
//! and [`permit_hints`] how many moves each permit admits. [`game_lenses`] and [`script_lenses`] offer commands.
//!
//! This module is independent of transports, files and clocks: its input is text and loaded variants, and all locations
//! are byte offsets. Only [`crate::gametest`] plays games. Invariant: every function accepts any text, complete or not.

mod block_hints;
mod complete;
mod completion_item;
mod differences;
mod document;
mod hint;
mod hover;
mod lenses;
mod permit_hints;
mod play_completions;
mod problems;
mod symbols;
mod test_run;

pub use block_hints::block_hints;
pub use complete::complete;
pub use completion_item::{GameCompletion, GameCompletionKind};
pub use document::GameDocument;
pub use hint::Hint;
pub use hover::{GameHover, hover};
pub use lenses::{ACCEPT, Lens, ODDS, PLAY, TEST, game_lenses, script_lenses};
pub use permit_hints::{permit_hints, starting_game};
pub use problems::{GameFix, GameProblem, no_script_problem, problems, script_problem};
pub use symbols::{GameSymbol, symbols};
pub use test_run::{Outcome, Test, TestResult, TestRun, run_tests};

#[cfg(test)]
mod examples {
    //! The `.game` files of the repository, for the tests of this module.

    use super::GameDocument;
    use crate::gametest::ScriptReference;
    use astragal_dsl::library::Reach;
    use astragal_dsl::{Loaded, Source};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    /// A folder of this repository.
    pub(super) fn folder(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
    }

    /// The files below a folder with an extension, sorted.
    pub(super) fn below(folder: &Path, extension: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let mut entries: Vec<PathBuf> = entries.collect();
        entries.sort();
        let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
        let files = files.into_iter().filter(|path| path.extension().is_some_and(|found| found == extension));
        files.chain(folders.iter().flat_map(|folder| below(folder, extension))).collect()
    }

    /// The script of an open file.
    pub(super) fn source_of(document: &GameDocument) -> Source {
        let name = match document.script() {
            ScriptReference::Named(name) => name,
            ScriptReference::File(path) => path.display().to_string(),
            ScriptReference::OnlyOneIn(folder) => match below(&folder, "rhai").as_slice() {
                [one] => one.display().to_string(),
                several => panic!("{} scripts in {}", several.len(), folder.display()),
            },
        };
        Reach::Scripts.resolve(&name).expect("a script")
    }

    /// The variant of an open file.
    pub(super) fn loaded(document: &GameDocument) -> Arc<Loaded> {
        Arc::new(astragal_dsl::load(&source_of(document), document.options()).expect("a variant"))
    }

    /// A file, its variant, and the offset of the mark `^` in the text, which is removed.
    pub(super) fn marked(text: &str) -> (GameDocument, Arc<Loaded>, usize) {
        let at = text.find('^').expect("a mark");
        let document = GameDocument::new(Path::new("a.game"), &text.replacen('^', "", 1));
        let loaded = loaded(&document);
        (document, loaded, at)
    }

    /// The accepted output of a `.game` file.
    pub(super) fn accepted(game: &Path) -> String {
        let stem = game.file_stem().expect("a name").to_string_lossy();
        let path = game.with_file_name("snapshots").join(format!("{stem}.snap"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rest = text.strip_prefix("---\n").expect("front matter");
        rest.split_once("\n---\n").expect("a snapshot").1.to_string()
    }
}
