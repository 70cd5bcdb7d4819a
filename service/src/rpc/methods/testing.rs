//! The methods `test`, `game_file` and `random_games`: tests of a script, as `astragal test` plays them.

use super::declared::Declared;
use crate::gametest::property::{Subject, Violation};
use crate::gametest::random::{self, Effort};
use crate::gametest::{GameFile, GameTestError, Loader, diff, play, text};
use crate::interrupt;
use crate::rpc::errors::{load_error, out_of_time};
use crate::rpc::message::RpcError;
use crate::rpc::parameters::{List, Options, Progress, SessionNumber, Text, UpTo, VariantName};
use crate::rpc::progress::Tell;
use crate::rpc::store::Store;
use astragal_dsl::coverage_report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::Path;

/// The maximum number of random games per request.
const MOST_GAMES: u64 = 100_000;

/// The default number of random games.
const GAMES: u64 = 100;

/// The longest random game, in events.
const LONGEST: usize = 2_000;

/// The parameters of `test`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct TestParameters {
    variant: VariantName,
    /// The texts of `.game` files ([docs/testing.md](testing.md)). They are played with the script of `variant`, even if
    /// they name another.
    games: List<Text>,
    /// The accepted output of each game; an empty string if there is none.
    accepted: Option<List<Text>>,
}

/// The results of the games.
#[derive(Serialize, JsonSchema)]
pub(super) struct Tested {
    /// The result of each game, in the order of the request: its `transcript`, and the `diff` from the accepted output;
    /// or an `error`, if it could not be played to the end.
    games: Vec<TestedGame>,
    /// The parts of the script that the games did not cover, from line `first` to line `last`, each with `what` is
    /// missing: `never run`, or an answer or choice that never occurred.
    coverage: Vec<Uncovered>,
}

/// A game.
#[derive(Serialize, JsonSchema)]
struct TestedGame {
    /// Its output: every line with its result.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
    /// Why it could not be played to the end, with the line of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The difference from the accepted output, as a unified diff; empty if there is none.
    diff: String,
}

/// A part of a script that was not reached.
#[derive(Serialize, JsonSchema)]
struct Uncovered {
    /// The first line, from 1.
    first: usize,
    /// The last line.
    last: usize,
    /// `never run`, or an answer or choice that never occurred, such as `never chosen: yes`.
    what: String,
}

pub(super) struct Test;

impl Declared for Test {
    const NAME: &'static str = "test";
    const ABOUT: &'static str = "Plays the test games of a script, as `astragal test` does, and compares their output \
         with the accepted output. It also reports the parts of the script that the games did not cover.";
    const EXAMPLE: &'static str = include_str!("examples/test.json");
    type Parameters = TestParameters;
    type Answer = Tested;

    fn answer(store: &mut Store, asked: TestParameters) -> Result<Tested, RpcError> {
        let name = &asked.variant.0;
        let source = store.variants.source(name).map_err(|error| load_error(name, &error))?;
        let named = source.clone();
        let mut loader = Loader::new().finding(move |_| Ok(named.clone())).watching();
        let accepted = List::items(asked.accepted.as_ref());
        let mut games = Vec::new();
        for (index, text) in List::items(Some(&asked.games)).iter().enumerate() {
            let path = format!("game-{}.game", index + 1);
            let transcript = match GameFile::parse(Path::new(&path), text) {
                Ok(game) => play::transcript(&game, &mut loader),
                Err(diagnostic) => Err(GameTestError::Here(diagnostic)),
            };
            if interrupt::stop_requested() {
                return Err(out_of_time());
            }
            let before: &str = accepted.get(index).map_or("", |text| text);
            games.push(match transcript {
                Ok(text) => {
                    TestedGame { diff: diff::unified(before, &text, false), transcript: Some(text), error: None }
                }
                Err(error) => TestedGame { transcript: None, error: Some(error.render(false)), diff: String::new() },
            });
        }
        let found = loader.coverage().filter(|(found, _)| found.name == source.name);
        let found = found.flat_map(|(source, coverage)| coverage_report::findings(source, coverage));
        let coverage =
            found.map(|one| Uncovered { first: *one.lines.start(), last: *one.lines.end(), what: one.what }).collect();
        Ok(Tested { games, coverage })
    }
}

/// The parameters of `game_file`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct GameFileParameters {
    session: SessionNumber,
    /// The script's name in the file; by default, the variant's name.
    script: Option<Text>,
    /// The title of the test in the file; by default, the title of the game.
    title: Option<Text>,
}

/// A game as a test.
#[derive(Serialize, JsonSchema)]
pub(super) struct GameFileText {
    /// The text of a `.game` file.
    text: String,
}

pub(super) struct WriteGameFile;

impl Declared for WriteGameFile {
    const NAME: &'static str = "game_file";
    const ABOUT: &'static str =
        "Returns an open game as a test: the text of a `.game` file, with each roll, move and choice on its own line.";
    const EXAMPLE: &'static str = include_str!("examples/game_file.json");
    type Parameters = GameFileParameters;
    type Answer = GameFileText;

    fn answer(store: &mut Store, asked: GameFileParameters) -> Result<GameFileText, RpcError> {
        let session = store.session(asked.session.0.0)?;
        let loaded = &session.game.loaded;
        let own = loaded.source.file();
        let script = asked.script.as_ref().map_or(own.as_str(), |script| script);
        let title = asked.title.as_ref().map_or(loaded.title.as_str(), |title| title);
        // A line break in a title would begin another header.
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(GameFileText { text: text::game_text(script, loaded, &session.game.game, &title, &[], &[]) })
    }
}

/// The parameters of `random_games`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RandomParameters {
    variant: VariantName,
    options: Option<Options>,
    /// The number of games, 100 by default.
    games: Option<UpTo<MOST_GAMES>>,
    /// The seed of the first game, 1 by default; each further game uses the next number.
    seed: Option<UpTo<{ u64::MAX }>>,
    progress: Option<Progress>,
}

/// The results of random games.
#[derive(Serialize, JsonSchema)]
pub(super) struct Examined {
    /// The number of games played.
    games: usize,
    /// Whether all games were played within the request's time.
    complete: bool,
    /// A summary of the lengths and results of the games, as text.
    report: String,
    /// The property that failed, with its place in the script; missing if no game failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// The failing game, shrunk as far as possible, as the text of a `.game` file.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
}

pub(super) struct RandomGames;

impl Declared for RandomGames {
    const NAME: &'static str = "random_games";
    const ABOUT: &'static str = "Plays random games, as `astragal test --random` does, and checks the \
         properties that every game must have. If a game fails, the method shrinks it to the shortest game that \
         still fails.";
    const EXAMPLE: &'static str = include_str!("examples/random_games.json");
    type Parameters = RandomParameters;
    type Answer = Examined;

    fn answer(store: &mut Store, asked: RandomParameters) -> Result<Examined, RpcError> {
        RandomGames::answer_telling(store, asked, &mut |_, _| {})
    }

    fn answer_telling(store: &mut Store, asked: RandomParameters, tell: Tell<'_>) -> Result<Examined, RpcError> {
        let name = &asked.variant.0;
        let source = store.variants.source(name).map_err(|error| load_error(name, &error))?;
        let options = asked.options.as_ref().map(Options::pairs).unwrap_or_default();
        let mut loader = Loader::new();
        let failed = |error| load_error(name, &error);
        let loaded = loader.load(&source, &options).map_err(failed)?;
        let plain = loader.interpreted(&loaded).map_err(failed)?;
        let subject = Subject { loaded, plain: Some(plain) };
        let games = asked.games.map_or(GAMES, |games| games.0);
        let effort = Effort { games, seed: asked.seed.map_or(1, |seed| seed.0), longest: LONGEST };
        let is_told = Progress::is_wanted(asked.progress.as_ref());
        let tell = RefCell::new(tell);
        let go_on = |played: u64, _: usize| {
            if is_told {
                (*tell.borrow_mut())(played, games);
            }
            !interrupt::stop_requested()
        };
        let shown = |violation: &Violation| violation.render(&subject.loaded, false);
        Ok(match random::play_many(&subject, effort, &go_on) {
            Err(violation) => Examined {
                games: 0,
                complete: true,
                report: String::new(),
                failure: Some(shown(&violation)),
                game: None,
            },
            Ok(report) => {
                let failure = report.failure.as_ref();
                let file = subject.loaded.source.file();
                Examined {
                    games: report.games(),
                    complete: failure.is_some() || report.games() as u64 == games,
                    report: report.text(),
                    failure: failure.map(|failure| shown(&failure.short.violation)),
                    game: failure.map(|failure| random::failing_text(&file, &subject, &failure.short, failure.seed)),
                }
            }
        })
    }
}
