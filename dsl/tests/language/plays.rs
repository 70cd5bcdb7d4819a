//! Games as data: `plays/*.play` contain small scripts, what is rolled, played and chosen, and what must then hold.
//!
//! `let NAME` names a piece of script, on the rest of its line (after `=`) or in the indented lines below it; a script uses
//! it as `$NAME`, and the values that a row gives as `$1`, `$2`. `test WORDS` begins a test, `game` a game of the script in
//! the indented lines below. A row `NAME first ~ second => step ; step` is a game of the piece `NAME` with two texts put
//! in, and its steps. A step makes something happen (`roll 1 3`, `play a1b1`, `choose stop`, `pass`), begins from a
//! position (`at 3/3/3 w`), goes back (`keep`, `back`, `again`), or names what is looked at and what it must be: `moves
//! a1b1 a1c1`, `text begins 7m/7M b`. A step may also have to be refused: `fails play a1a4`, with the expected message
//! after ` : `. `#` begins a comment line.

use crate::common;
use astragal_core::{Game, Note, State};
use astragal_dsl::notation::{coord, fen};
use astragal_dsl::{Loaded, Severity, Source, check, explain, game_text, load};
use std::collections::BTreeMap;
use std::path::Path;

/// A game that has begun, or why it has not.
struct Table {
    source: Source,
    begun: Result<(Loaded, State), String>,
    kept: Option<State>,
}

impl Table {
    fn new(text: String) -> Table {
        let source = Source { name: "game".into(), path: None, text };
        let begun = load(&source, &[]).map_err(|error| error.render(false)).and_then(|loaded| {
            let state = State::new(loaded.set.clone(), loaded.start.clone()).map_err(|error| error.to_string())?;
            Ok((loaded, state))
        });
        Table { source, begun, kept: None }
    }

    fn state(&mut self) -> Result<&mut State, String> {
        self.begun.as_mut().map(|(_, state)| state).map_err(|error| error.clone())
    }

    /// Takes a step, or says what was not as expected.
    fn step(&mut self, step: &str) -> Result<(), String> {
        let (word, rest) = step.split_once(' ').map_or((step, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "roll" => {
                let state = self.state()?;
                let faces = game_text::read_roll(state, rest)?;
                let index = state.dice().and_then(|dice| dice.index_of(&faces)).ok_or("no such faces")?;
                state.roll(index).map_err(|error| error.to_string())
            }
            "play" => {
                let state = self.state()?;
                let (variant, position) = (&state.ruleset().variant, state.position());
                let named = state.moves().iter().find(|paid| coord::write(variant, position, paid.mv) == rest).copied();
                let paid =
                    named.map_or_else(|| game_text::find_move(state, rest, None), Ok).map_err(|e| e.to_string())?;
                state.play(paid).map_err(|error| error.to_string())
            }
            "choose" => {
                let state = self.state()?;
                let index = common::choices(state).iter().position(|choice| choice == rest);
                state.choose(index.ok_or_else(|| format!("{:?}", common::choices(state)))?).map_err(|e| e.to_string())
            }
            "pass" => self.state()?.pass().map_err(|error| error.to_string()),
            "keep" => {
                self.kept = Some(self.state()?.clone());
                Ok(())
            }
            "back" => {
                *self.state()? = self.kept.clone().ok_or("nothing was kept")?;
                Ok(())
            }
            "again" => {
                *self = Table::new(self.source.text.clone());
                Ok(())
            }
            "at" => {
                let (loaded, state) = self.begun.as_mut().map_err(|error| error.clone())?;
                let placed = fen::parse(&loaded.set.variant, rest).map_err(|error| error.to_string())?;
                *state = State::new(loaded.set.clone(), placed.position).map_err(|error| error.to_string())?;
                Ok(())
            }
            "fails" => {
                let (step, why) = rest.split_once(" : ").unwrap_or((rest, ""));
                let said = self.step(step).err().ok_or("it did not fail")?;
                if said.contains(why) { Ok(()) } else { Err(said) }
            }
            "why" => {
                let (asked, wanted) = rest.split_once(' ').ok_or("a move and what is said of it")?;
                let (loaded, state) = self.begun.as_ref().map_err(|error| error.clone())?;
                let game = Game::new(loaded.set.clone(), state.position().clone(), 1).map_err(|e| e.to_string())?;
                let why = explain::why(loaded, &game, asked).map_err(|error| error.to_string())?;
                compare(&format!("{}: {}", if why.permitted { "permitted" } else { "refused" }, why.text()), wanted)
            }
            "moves" => listed(&common::moves(self.state()?), rest, ' '),
            "written" => {
                let mut all = game_text::moves(self.state()?);
                all.sort();
                listed(&all, rest, ' ')
            }
            "drawn" => listed(&game_text::drawn(self.state()?), rest, ' '),
            "choices" => listed(&common::choices(self.state()?), rest, '|'),
            _ => compare(&self.seen(word, rest)?, rest),
        }
    }

    /// What a word looks at; for sequences of moves, as many lengths as are wanted.
    fn seen(&mut self, word: &str, wanted: &str) -> Result<String, String> {
        match word {
            "refused" => return Ok(one_line(self.begun.as_ref().err().map_or("no", String::as_str))),
            "first" => {
                let first = check(&self.source).into_iter().next().ok_or("nothing is wrong")?;
                return Ok(format!("{}: {}; {}", first.line, first.message, first.help.unwrap_or_default()));
            }
            "check" | "warnings" => {
                let found = check(&self.source);
                let told = found.iter().filter(|one| word == "check" || one.severity != Severity::Note);
                let told = told.map(|one| format!("{}; {}\n", one.message, one.help.clone().unwrap_or_default()));
                return Ok(Some(told.collect::<String>()).filter(|text| !text.is_empty()).unwrap_or("none".into()));
            }
            _ => (),
        }
        let (loaded, state) = self.begun.as_ref().map_err(|error| error.clone())?;
        let found = match word {
            "text" => Some(common::text(state)),
            "label" => state.label().map(str::to_owned),
            "over" => state.over().map(|over| over.reason.to_string()),
            "result" => game_text::result(state),
            "question" => game_text::question(state),
            "status" => Some(format!("{:?}", state.status()).to_lowercase()),
            "mover" => Some(state.mover().0.to_string()),
            "chooser" => Some(state.chooser().0.to_string()),
            "winner" => state.over().and_then(|over| over.winner).map(|side| side.0.to_string()),
            "points" => state.over().and_then(|over| over.points).map(|points| {
                let points: Vec<String> = points.iter().map(i32::to_string).collect();
                points.join(" ")
            }),
            "unused" => state.unused().map(|dice| dice.iter().map(i16::to_string).collect::<Vec<_>>().join(" ")),
            "dice" => state.dice().map(|dice| dice.to_string()),
            "outcomes" => state.dice().map(|dice| dice.outcomes().to_string()),
            "apart" => Some(state.outcomes_apart().len().to_string()),
            "secret" => state.secret().map(|side| side.0.to_string()),
            "ended" => {
                state.notes().iter().find_map(Note::ended).map(|turn| format!("{:?}", turn.end()).to_lowercase())
            }
            "waits" => Some(game_text::waits(state)),
            "names" => Some(state.names_move().to_string()),
            "made" => Some(state.notes().iter().filter(|note| matches!(note, Note::Made(_))).count().to_string()),
            "failed" => Some(state.notes().iter().any(|note| matches!(note, Note::Failed(_))).to_string()),
            "passes" => Some(state.can_pass().to_string()),
            "sequences" => {
                let depths = 1..=wanted.split(' ').count();
                let counts: Vec<String> = depths.map(|depth| common::sequences(state, depth).to_string()).collect();
                Some(counts.join(" "))
            }
            "replies" => Some(state.replies().to_string()),
            "rulebook" => Some(one_line(&astragal_dsl::rulebook::text(loaded))),
            _ => return Err("no such step".into()),
        };
        Ok(found.unwrap_or("none".into()))
    }
}

/// Reports are broken between words.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `is` (or nothing), `has`, `lacks`, `begins`, `ends`, and a text.
fn compare(found: &str, wanted: &str) -> Result<(), String> {
    let (word, part) = wanted.split_once(' ').unwrap_or(("", wanted));
    let holds = match word {
        "is" => found == part,
        "has" => found.contains(part),
        "lacks" => !found.contains(part),
        "begins" => found.starts_with(part),
        "ends" => found.ends_with(part),
        _ => found == wanted,
    };
    if holds { Ok(()) } else { Err(format!("found {found}")) }
}

/// A whole list in its order, `none`, or `has`, `lacks` or `counts` with what is meant.
fn listed(found: &[String], wanted: &str, between: char) -> Result<(), String> {
    let parts = |text: &str| -> Vec<String> {
        text.split(between).map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
    };
    let (word, rest) = wanted.split_once(' ').unwrap_or(("", wanted));
    let holds = match word {
        "has" => parts(rest).iter().all(|part| found.contains(part)),
        "lacks" => parts(rest).iter().all(|part| !found.contains(part)),
        "counts" => rest.parse() == Ok(found.len()),
        _ if wanted == "none" => found.is_empty(),
        _ => found == parts(wanted),
    };
    if holds { Ok(()) } else { Err(format!("found {}", found.join(&format!(" {between} ")))) }
}

/// A script with its pieces put in: `$NAME`, and `$1`, `$2` for what a row gives.
fn expand(text: &str, pieces: &BTreeMap<&str, String>, given: &[&str]) -> Result<String, String> {
    let mut whole = String::new();
    let mut parts = text.split('$');
    whole.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let piece = match name.parse::<usize>() {
            Ok(number) => given.get(number - 1).map(|text| (*text).to_owned()),
            Err(_) => pieces.get(name).map(|text| expand(text, pieces, given)).transpose()?,
        };
        whole.push_str(&piece.ok_or_else(|| format!("there is no ${name}"))?);
        whole.push_str(rest);
    }
    Ok(whole)
}

/// Plays a file. Returns how many tests it contains; `failures` gets what was not as expected.
fn play(name: &str, text: &str, failures: &mut Vec<String>) -> usize {
    let (mut pieces, mut tests, mut title, mut failed) = (BTreeMap::new(), 0, "", false);
    let mut table: Option<Table> = None;
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut block = String::new();
        while let Some((_, inner)) = lines.next_if(|(_, line)| line.starts_with("    ")) {
            block.push_str(inner);
            block.push('\n');
        }
        let done = if let Some(piece) = line.strip_prefix("let ") {
            let (name, text) = piece.split_once(" = ").unwrap_or((piece, &block));
            pieces.insert(name, text.to_owned());
            Ok(())
        } else if let Some(words) = line.strip_prefix("test ") {
            (title, failed, table) = (words, false, None);
            tests += 1;
            Ok(())
        } else if failed {
            Ok(())
        } else if line == "game" {
            expand(&block, &pieces, &[]).map(|text| table = Some(Table::new(text)))
        } else if let Some((row, steps)) = line.rsplit_once(" => ") {
            let (name, given) = row.split_once(' ').unwrap_or((row, ""));
            let given: Vec<&str> = given.split(" ~ ").map(|text| if text == "-" { "" } else { text }).collect();
            let whole = expand(&format!("${name}"), &pieces, &given);
            whole.map(Table::new).and_then(|mut table| steps.split(" ; ").try_for_each(|step| table.step(step)))
        } else {
            table.as_mut().ok_or_else(|| "no game has begun".to_owned()).and_then(|table| table.step(line))
        };
        if let Err(why) = done {
            failed = true;
            failures.push(format!("{name}:{number}: {title}: {line}: {why}"));
        }
    }
    tests
}

#[test]
fn every_play_goes_as_it_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plays");
    let mut failures = Vec::new();
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> = entries.collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(play(&name, &text, &mut failures) > 0, "{name}: no test");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Each failure is reported with its place, and the tests after it are played all the same.
#[test]
fn a_play_that_goes_otherwise_is_named() {
    let text = "let MAN = board(3, 1); piece(\"man\", \"M\", \"W\"); setup(\"$1 w\"); fn turn() { play(any()) }\n\
        test first\nMAN M1m => moves a1c1 ; moves a1b1\nMAN $2 => moves none\n\
        test second\ngame\n    $MAN\ntest third\nMAN M1m => moves a1b1 ; play a1b1 ; status move ; text ends [] b\n";
    let mut failures = Vec::new();
    assert_eq!(play("a.play", text, &mut failures), 3);
    let begins =
        ["a.play:3: first: MAN M1m => moves a1c1", "a.play:6: second: game: there is no $1", "a.play:9: third: "];
    assert_eq!(failures.len(), begins.len(), "{failures:?}");
    assert!(failures.iter().zip(begins).all(|(failure, begin)| failure.starts_with(begin)), "{failures:?}");
}
