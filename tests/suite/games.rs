//! The game files that come with the scripts, those of published games that others wrote from the documentation alone
//! (`data/wild`), and the format of their snapshots.

use astragal_dsl::library;
use astragal_dsl::{Code, Diagnostic, Severity, check};
use astragal_repl::gametest::snapshot::{self, Snapshot};
use astragal_repl::gametest::{find, scripts};
use astragal_service::gametest::{Loader, play};
use std::path::{Path, PathBuf};

fn variants() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../variants").canonicalize().expect("the folder of scripts")
}

/// What a game file comes to.
fn outcome(path: &Path, loader: &mut Loader) -> String {
    let file = scripts::read(path).unwrap_or_else(|error| panic!("{}", error.render(false)));
    play::transcript(&file, loader).unwrap_or_else(|trouble| panic!("{}", trouble.render(false)))
}

/// Compares like the snapshot library itself.
fn assert_accepted(path: &Path, text: &str) {
    let accepted = snapshot::path_of(path);
    let name = accepted.file_stem().expect("a name").to_string_lossy().into_owned();
    insta::with_settings!({
        snapshot_path => accepted.parent().expect("a folder"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

/// Plays the games in a folder and its subfolders: the result of each is that of its snapshot.
fn play_all(folder: &Path) -> Vec<PathBuf> {
    let games = find::games(folder).expect("the games can be listed");
    let mut loader = scripts::loader();
    for path in &games {
        assert!(snapshot::path_of(path).exists(), "{} has no snapshot", path.display());
        assert_accepted(path, &outcome(path, &mut loader));
    }
    games
}

#[test]
fn every_game_comes_to_what_was_accepted() {
    let games = play_all(&variants());
    for name in crate::common::DICE_VARIANTS {
        let own = games.iter().filter(|path| path.components().any(|part| part.as_os_str() == name));
        assert!(own.count() >= 3, "{name} has too few games");
    }
    assert!(find::orphans(&games, &[]).is_empty());
}

/// Published scripts keep their meaning, and `check` has nothing to say against them.
#[test]
fn wild_scripts_load_clean_and_their_games_hold() {
    let folder = crate::common::data("wild");
    let scripts = find::below(&folder, "rhai").expect("the scripts can be listed");
    assert_eq!(scripts.len(), 23);
    for path in &scripts {
        let source = library::resolve(&path.display().to_string()).unwrap_or_else(|error| panic!("{error}"));
        // What random games have not come to is no fault. One game has a function of its own under the name of a newer one.
        let own = |said: &Diagnostic| said.message.starts_with("`most` hides") && said.severity == Severity::Warning;
        let found = check(&source).into_iter().filter(|said| said.code != Some(Code::NotPlayed) && !own(said));
        let said: Vec<String> = found.map(|said| said.render(false)).collect();
        assert!(said.is_empty(), "{}:\n{}", path.display(), said.join("\n"));
    }
    assert_eq!(play_all(&folder).len(), 83);
}

#[test]
fn the_snapshot_library_reads_and_writes_the_same_format() {
    let folder = std::env::temp_dir().join(format!("astragal-snapshots-{}", std::process::id()));
    let game = folder.join("a.game");
    let accepted = snapshot::path_of(&game);
    let ours = Snapshot::new(&game, "a \"title\": with # signs", "> e4\nWhite plays e4.\n---\n\n> end\n");
    ours.save(&accepted).expect("it can be written");
    assert_accepted(&game, &ours.contents);
    let other = std::panic::catch_unwind(|| assert_accepted(&game, "> e4\nWhite plays d4.\n"));
    assert!(other.is_err(), "another text is refused");
    // Where the library writes what differs, it does so where and as we do.
    if let Some(waiting) = Snapshot::read(&snapshot::pending(&accepted)).expect("it can be read") {
        assert_eq!(waiting.contents, "> e4\nWhite plays d4.");
    }
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}

/// The build script does not notice new scripts by itself.
#[test]
fn every_script_comes_with_the_program() {
    let mut names: Vec<String> = find::below(&variants(), "rhai")
        .expect("the scripts can be listed")
        .iter()
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, astragal_dsl::library::names(), "a script is new or gone: touch dsl/build.rs");
}
