//! Plays a game file: every line with its results, as one text that is compared with the text accepted before. A line that
//! the rules do not allow ends it with an error at its place.

use super::attempt::{Attempt, attempt};
pub use super::error::GameTestError;
use super::file::{Act, GameFile, Line, Question};
use super::loader::Loader;
use super::property;
use crate::analysis::{self, odds_text};
use crate::drawing::board::{self, Pieces, Theme};
use crate::input::{self, InputError, InputHandler, Refusal};
use crate::report;
use astragal_core::{Game, State, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, blame, game_text, turn_state_text};
use std::fmt::Write;
use std::sync::Arc;

/// The message at the line of a game file at which a rule fails.
const FAILS: &str = "the rule fails at this line of the game";

/// Plays a file and returns the text of the events.
///
/// # Errors
/// If the script cannot be loaded, a line is not allowed, a rule fails, or a check does not hold.
pub fn transcript(file: &GameFile, loader: &mut Loader) -> Result<String, GameTestError> {
    let mut game = Playthrough::begin(file, loader)?;
    while game.play_line()? {}
    Ok(game.finish())
}

/// The game after all lines of a file, for callers that continue it.
///
/// # Errors
/// As [`transcript`].
pub(crate) fn played(file: &GameFile, loader: &mut Loader) -> Result<(Arc<Loaded>, Game), GameTestError> {
    let mut play = Playthrough::begin(file, loader)?;
    while play.play_line()? {}
    Ok((play.loaded, play.game))
}

fn begin(file: &GameFile, loaded: &Loaded) -> Result<Game, GameTestError> {
    let Some(header) = file.position.as_ref().filter(|header| header.value != "start") else {
        let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), file.seed);
        return game.map_err(|error| {
            let shown = blame(loaded, Some(&loaded.start), &error).render(false);
            GameTestError::Rule { shown, here: file.wrong(1, 1, "the game cannot begin", None) }
        });
    };
    let wrong = |column: usize, why: String, help: Option<String>| {
        GameTestError::Here(file.wrong(header.line, header.column + column, why, help))
    };
    let placed = fen::parse(&loaded.set.variant, &header.value).map_err(|error| {
        let before = header.value.get(..error.span.start).unwrap_or_default().chars().count();
        wrong(before, format!("expected {}, found {}", error.expected, error.found), error.help)
    })?;
    turn_state_text::begin(loaded, placed, file.seed).map_err(|why| wrong(0, why, None))
}

/// A file that is played line by line.
pub(crate) struct Playthrough<'a> {
    file: &'a GameFile,
    loader: &'a mut Loader,
    loaded: Arc<Loaded>,
    game: Game,
    /// The number of lines that have been played.
    lines: usize,
    text: String,
}

impl<'a> Playthrough<'a> {
    /// A game before the first line.
    ///
    /// # Errors
    /// If the script cannot be loaded, or the game cannot begin.
    pub(crate) fn begin(file: &'a GameFile, loader: &'a mut Loader) -> Result<Playthrough<'a>, GameTestError> {
        let loaded = loader.of_file(file)?;
        let game = begin(file, &loaded)?;
        let notes = game_text::notes(&loaded.set.variant, game.opening());
        let text = notes.into_iter().map(|event| event.text + "\n").collect();
        Ok(Playthrough { file, loader, loaded, game, lines: 0, text })
    }

    /// The game after the lines so far.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The text of the lines so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number of lines that have not been played.
    pub(crate) fn lines_left(&self) -> usize {
        self.file.lines.len() - self.lines
    }

    /// Plays the next line. Returns false if there is none.
    ///
    /// # Errors
    /// As [`transcript`].
    pub(crate) fn play_line(&mut self) -> Result<bool, GameTestError> {
        let file = self.file;
        let Some(line) = file.lines.get(self.lines) else { return Ok(false) };
        self.lines += 1;
        let _ = writeln!(self.text, "> {}", line.text);
        self.line(line)?;
        Ok(true)
    }

    /// Skips the next line if it is a question. Questions change nothing, and some take long.
    pub(crate) fn skip_question(&mut self) -> bool {
        let is_question = self.file.lines.get(self.lines).is_some_and(|line| matches!(line.act, Act::Ask(_)));
        self.lines += usize::from(is_question);
        is_question
    }

    /// The text of all lines, and of the game after them.
    pub(crate) fn finish(mut self) -> String {
        let _ = writeln!(self.text, "> end");
        self.state();
        self.text
    }
}

impl Playthrough<'_> {
    fn line(&mut self, line: &Line) -> Result<(), GameTestError> {
        let at = line.column;
        match &line.act {
            Act::Roll(faces) => self.roll(line, faces)?,
            Act::Draw(at, name) => {
                let (before, drawn) = (self.game.state().clone(), game_text::read_roll(self.game.state(), name));
                let unread = |text| InputError::Refused(Refusal { text, is_explained: false });
                let faces = drawn.map_err(|why| self.refused(line, *at, &unread(why), &before))?;
                self.roll(line, &faces)?;
            }
            Act::Pass => self.event(line, at, |loaded, game| input::step(loaded, game, "pass"))?,
            Act::Choose(at, text) => self.event(line, *at, |loaded, game| input::choose(loaded, game, text))?,
            // A choice may have several words.
            Act::Words(_) if game_text::find_choice(self.game.state(), &line.text).is_ok() => {
                self.event(line, at, |loaded, game| input::choose(loaded, game, &line.text))?;
            }
            Act::Words(all) => {
                for (at, word) in all {
                    self.event(line, *at, |loaded, game| input::step(loaded, game, word))?;
                }
            }
            Act::Undo(count) => return self.undo(line, *count),
            Act::Ask(question) => return self.answer(line, question),
        }
        self.text.push_str(&report::status(&self.game, None));
        Ok(())
    }

    fn event(
        &mut self,
        line: &Line,
        column: usize,
        act: impl FnOnce(&Loaded, &mut Game) -> Result<(), InputError>,
    ) -> Result<(), GameTestError> {
        let before = self.game.state().clone();
        let loaded = Arc::clone(&self.loaded);
        let done = act(&loaded, &mut self.game);
        done.map_err(|error| self.refused(line, column, &error, &before))?;
        self.text.push_str(&report::happened(&before, &self.game, None));
        Ok(())
    }

    fn roll(&mut self, line: &Line, faces: &[i16]) -> Result<(), GameTestError> {
        if faces.is_empty() {
            return self.event(line, line.column, input::roll);
        }
        let (before, from) = (self.game.state().clone(), self.game.entries().len());
        let rolled = game_text::roll(&mut self.game, faces)
            .map_err(|error| InputHandler(Some(&self.loaded)).refused(&self.game, &error));
        let again = rolled.map_err(|why| self.refused(line, line.column, &why, &before))?;
        self.text.extend(again.iter().map(|dice| format!("{}\n", game_text::again(dice))));
        if self.game.entries().len() == from + 1 {
            self.text.push_str(&report::happened(&before, &self.game, None));
        } else {
            self.text.push_str(&report::events(&self.game, from.max(1), None));
        }
        Ok(())
    }

    fn undo(&mut self, line: &Line, count: usize) -> Result<(), GameTestError> {
        for done in 0..count {
            let undone = self.game.undo().map_err(|error| self.wrong(line, line.column, error.to_string(), None))?;
            if !undone {
                let why = match done {
                    0 => "there are no events to take back".into(),
                    1 => "there is only 1 event to take back".into(),
                    done => format!("there are only {done} events to take back"),
                };
                return Err(self.wrong(line, line.column, why, None));
            }
        }
        self.text.push_str(&report::status(&self.game, None));
        Ok(())
    }

    fn answer(&mut self, line: &Line, question: &Question) -> Result<(), GameTestError> {
        match question {
            Question::Moves => {
                let options = match self.game.status() {
                    Status::Move => input::moves(&self.game).join(" "),
                    Status::Choice => game_text::choices(self.game.state()).join(", "),
                    Status::Over => "none: the game is over".into(),
                    Status::Chance => format!("none: the game is waiting for {}", game_text::waits(self.game.state())),
                };
                let pass = if self.game.state().can_pass() { " or pass" } else { "" };
                let instead = match self.game.status() {
                    Status::Move => input::instead(self.game.state()),
                    _ => String::new(),
                };
                let _ = writeln!(self.text, "{options}{pass}{instead}");
            }
            Question::State => self.state(),
            Question::Board => {
                let theme = Theme { pieces: Pieces::Letters, ..Theme::default() };
                let variant = &self.loaded.set.variant;
                self.text.push_str(&board::draw(variant, self.game.state().position(), theme));
            }
            Question::History => self.text.push_str(&report::history(&self.game, None)),
            Question::Outcome => {
                let result = game_text::result(self.game.state()).unwrap_or_else(|| "The game goes on.".into());
                let _ = writeln!(self.text, "{result}");
            }
            Question::Odds(at, mv) => {
                let text = self.odds(mv.as_deref()).map_err(|why| self.wrong(line, *at, why, None))?;
                self.text.push_str(&text);
            }
            Question::Refused(at, text, act) => match attempt(&self.loaded, &mut self.game.clone(), *at, text, act) {
                Attempt::Refused(why) => drop(writeln!(self.text, "{}", why.trim_end())),
                Attempt::Done => {
                    let why = format!("'{text}' is legal here, but should be refused");
                    return Err(self.wrong(line, *at, why, None));
                }
                Attempt::Fails(shown) => {
                    return Err(GameTestError::Rule { shown, here: self.file.wrong(line.number, *at, FAILS, None) });
                }
                Attempt::Unfit(at, why, help) => return Err(self.wrong(line, at, why, help)),
            },
            Question::Check => {
                let plain = self.loader.interpreted(&self.loaded).map_err(GameTestError::Script)?;
                let subject = property::Subject { loaded: Arc::clone(&self.loaded), plain: Some(plain) };
                let found = property::check_game(&subject, &self.game);
                found.map_err(|violation| self.wrong(line, line.column, violation.to_string(), None))?;
                self.text.push_str("This game has all the properties that random games are checked for.\n");
            }
        }
        Ok(())
    }

    fn odds(&self, mv: Option<&str>) -> Result<String, String> {
        let Some(mv) = mv else {
            return match self.game.status() {
                Status::Chance => analysis::next_roll(self.game.state())
                    .map(|roll| odds_text::next_roll(&self.loaded.set.variant, &roll))
                    .map_err(|error| error.to_string()),
                _ => Err(match game_text::result(self.game.state()) {
                    Some(result) => format!("the game is over: {result}"),
                    None => "write a move, as in 'odds e4d5'".into(),
                }),
            };
        };
        let mut game = self.game.clone();
        let turn = analysis::sequence::follow(&mut game, mv, None).map_err(|error| error.to_string())?;
        let outcomes = analysis::outcomes(&self.loaded, game.state(), turn).map_err(|error| error.to_string())?;
        Ok(odds_text::outcomes(&outcomes))
    }

    fn state(&mut self) {
        let _ = writeln!(self.text, "{}", turn_state_text::position(&self.loaded, &self.game));
        self.text.push_str(&report::status(&self.game, None));
    }

    /// The error for an event that the game did not allow in `before`.
    fn refused(&self, line: &Line, column: usize, why: &InputError, before: &State) -> GameTestError {
        if let InputError::Rule(shown) = why {
            let here = self.file.wrong(line.number, column, FAILS, None);
            return GameTestError::Rule { shown: shown.clone(), here };
        }
        let help = match (why, before.status()) {
            (InputError::Refused(Refusal { is_explained: true, .. }), _) => None,
            (_, Status::Move) => first_few([input::moves(&self.game), game_text::choices(before)].concat()),
            (_, Status::Choice) => first_few(game_text::choices(before)),
            _ => None,
        };
        self.wrong(line, column, why.to_string().trim_end(), help.map(|few| format!("legal here: {few}")))
    }

    fn wrong(&self, line: &Line, column: usize, message: impl Into<String>, help: Option<String>) -> GameTestError {
        GameTestError::Here(self.file.wrong(line.number, column, message, help))
    }
}

fn first_few(all: Vec<String>) -> Option<String> {
    const FEW: usize = 12;
    let more = if all.len() > FEW { format!(" and {} more", all.len() - FEW) } else { String::new() };
    (!all.is_empty()).then(|| all[..all.len().min(FEW)].join(" ") + more.as_str())
}
