//! A disk that is full after every byte in turn: what was acknowledged is there, nothing is left half written, and
//! what has failed is said.

use super::save_folder::Autosave;
use super::{Session, Setup, journal};
use crate::atomic_write::faults::with_room;
use astragal_dsl::view;
use astragal_service::variant_cache::VariantCache;
use std::fs;
use std::path::{Path, PathBuf};

const SCRIPT: &str = "board(2, 4); piece(\"man\", \"M\", \"W\"); setup(\"mm/2/2/MM w\"); fn turn() { play(any()); }";

/// A folder of a test's own, with a small script in it, removed at the end.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> TestFolder {
        let path = std::env::temp_dir().join(format!("astragal-faults-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join("small.rhai"), SCRIPT).expect("written");
        TestFolder(path)
    }

    fn setup(&self, keep: Option<PathBuf>) -> Setup {
        Setup { variant: self.0.join("small.rhai").display().to_string(), seed: Some(1), keep, ..Setup::default() }
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn position(session: &mut Session) -> String {
    session.execute("fen").text
}

/// The position of the game that is saved in a folder.
fn resumed(cache: &mut VariantCache, folder: &Path) -> Result<String, String> {
    let resumed = journal::resume(cache, folder, None)?;
    assert_eq!(resumed.damage, "");
    Ok(view::position(&resumed.loaded, &resumed.game, None) + "\n")
}

#[test]
fn an_event_that_was_acknowledged_is_on_disk() {
    let desk = TestFolder::new("journal");
    let mut cache = VariantCache::new();
    let (mut session, _) = Session::new(&desk.setup(None)).expect("a session");
    for room in 0.. {
        let (games, copy) = (desk.0.join(format!("games-{room}")), desk.0.join(format!("copy-{room}")));
        session.autosave = Autosave::new(Some(games.clone()));
        assert!(!session.execute("new seed 1").error);
        let ((saved, told), full) = with_room(room, || {
            let (mut saved, mut told) = (None, 0);
            for line in ["a1a2", "a4a3", "undo", "b4b3", "b1b2"] {
                let reply = session.execute(line);
                assert!(!reply.error, "{}", reply.text);
                told += reply.text.matches("This game is not being saved: cannot ").count();
                if session.is_saved() {
                    saved = Some(position(&mut session));
                } else {
                    assert!(session.prompt().starts_with("(not saved) "), "{}", session.prompt());
                }
            }
            (saved, told)
        });
        // What is taken back is saved again: then the next failure is told anew.
        let failed = !session.is_saved();
        assert!(told > 0 || !failed, "room for {room}: it is told");
        // As if the program were killed now.
        fs::create_dir_all(&copy).expect("a folder");
        for name in files(&games) {
            fs::copy(games.join(&name), copy.join(&name)).expect("copied");
        }
        match &saved {
            Some(saved) => assert_eq!(resumed(&mut cache, &copy).as_ref(), Ok(saved), "room for {room}"),
            None => assert_eq!(files(&copy), [""; 0], "room for {room}: no stub is left"),
        }
        // Or as if there were room again.
        let again = session.execute("b3b2").text;
        assert_eq!(again.contains("This game is being saved again."), failed, "{again}");
        let last = position(&mut session);
        session.autosave = Autosave::default();
        assert_eq!(resumed(&mut cache, &games), Ok(last), "room for {room}");
        if !full && told == 0 {
            assert!(room > 100, "{room}");
            return;
        }
    }
}

#[test]
fn a_file_is_written_whole_or_stays_as_it_was() {
    let desk = TestFolder::new("files");
    let folder = desk.0.join("files");
    let (mut session, _) = Session::new(&desk.setup(None)).expect("a session");
    assert!(!session.execute("a1a2").error);
    for (command, name) in [("save!", "game.pgn"), ("svg!", "board.svg"), ("record!", "one.game")] {
        let file = folder.join(name);
        let line = format!("{command} {}", file.display());
        let made = |session: &mut Session, room: usize| {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&file, "old").expect("written");
            with_room(room, || session.execute(&line)).0
        };
        assert!(!made(&mut session, usize::MAX).error);
        let (whole, all) = (fs::read_to_string(&file).expect("the file"), files(&folder));
        let mut rooms = 0;
        loop {
            let reply = made(&mut session, rooms);
            let there = fs::read_to_string(&file).expect("the file");
            if !reply.error {
                assert_eq!((there, files(&folder)), (whole.clone(), all));
                break;
            }
            assert!(reply.text.contains("cannot write ") && reply.text.contains(" failed: "), "{}", reply.text);
            // A test has two files: the first may be there when the second fails.
            assert!(there == "old" || command == "record!" && there == whole, "{rooms}: {there}");
            let left: Vec<String> = files(&folder).into_iter().chain(files(&folder.join("snapshots"))).collect();
            assert!(left.iter().all(|name| !name.contains(".part")), "{left:?}");
            // A test is played each time, too: that takes longer.
            rooms += if command == "record!" { 7 } else { 1 };
        }
        assert!(rooms >= whole.len(), "{rooms} of {}", whole.len());
    }
}
