//! A session at the prompt: its game and settings, how it begins, and the commands that change the game.
//!
//! It knows no terminal. A refused command changes nothing.

use super::automatic_settings::Automatic;
use super::computer::players::Players;
use super::computer::seats::SeatAssignment;
use super::save_folder::Autosave;
use super::watch::Watch;
use super::whose_view::Observation;
use super::{files, journal};
use crate::gametest::write;
use crate::tables;
use astragal_core::{Game, Side, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::printable::in_a_line;
use astragal_dsl::{Layout, Loaded, Variations, blame, game_text, library, masked, record, view};
use astragal_service::analysis::sequence;
use astragal_service::drawing::board::Theme;
use astragal_service::input::{self, InputHandler};
use astragal_service::interrupt::StopToken;
use astragal_service::report;
use astragal_service::variant_cache::{Options, VariantCache, chosen};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The settings of a session.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The variant's name or path.
    pub variant: String,
    /// Option names and values.
    pub options: Options,
    /// The seed; random by default.
    pub seed: Option<u64>,
    /// The starting position; by default the variant's own.
    pub position: Option<String>,
    /// The look of the board.
    pub theme: Theme,
    /// The width of the terminal, if there is one.
    pub columns: Option<usize>,
    /// Whether people share a terminal: they are then asked to look away before secrets are shown.
    pub shared: bool,
    /// The folder in which games are saved while they are played; without one, they are not saved.
    pub keep: Option<PathBuf>,
    /// The sides that the computer plays, as `black=3`.
    pub computers: Vec<String>,
    /// The time limit for each decision of the computer, and for `odds`. By default, the computer's level limits its nodes,
    /// and `odds` takes twenty seconds.
    pub time: Option<std::time::Duration>,
    /// Tables of solved states, for the computer, hints and analyses.
    pub tables: Vec<PathBuf>,
}

impl Setup {
    /// The layout of script errors.
    fn layout(&self) -> Layout {
        laid_out(self.theme, self.columns)
    }
}

/// The answer to a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reply {
    /// The text to show; empty or ending in a line break.
    pub text: String,
    /// Whether the line was refused.
    pub error: bool,
    /// Whether the session ends.
    pub done: bool,
    /// Whether the text is for copying: its lines are not wrapped.
    pub verbatim: bool,
    /// Whether to clear the screen before it.
    pub clear: bool,
    /// Whether the text is shown page by page if it is longer than the screen.
    pub paged: bool,
}

/// The result of a line, or the reason why it is refused.
pub(super) type CommandResult = Result<String, String>;

/// A session at the prompt.
pub struct Session {
    pub(super) cache: VariantCache,
    pub(super) loaded: Arc<Loaded>,
    /// The variant as requested: a name or path.
    pub(super) name: String,
    pub(super) game: Game,
    pub(super) theme: Theme,
    /// The width of the terminal, if there is one.
    pub(super) columns: Option<usize>,
    pub(super) observation: Observation,
    /// All variations of this game.
    pub(super) variations: Variations,
    pub(super) autosave: Autosave,
    /// A message to show before the next answer.
    pub(super) aside: String,
    pub(super) seats: SeatAssignment,
    pub(super) players: Players,
    pub(super) automatic: Automatic,
    /// Whether the computer's events are reported separately from the command that led to them, and whether they are due.
    pub(super) apart: bool,
    pub(super) due: bool,
    /// The time limit for each decision of the computer, and for `odds`, if any.
    pub(super) time: Option<std::time::Duration>,
    /// The file that this session wrote or read last.
    pub(super) file: Option<PathBuf>,
    /// When the game began, if it began in this session.
    pub(super) begun: Option<SystemTime>,
    /// The script's file as last seen.
    pub(super) watch: Watch,
    /// The token that stops the session's current work.
    pub(super) stop: StopToken,
}

impl Session {
    /// Starts a session; the text is the greeting.
    ///
    /// # Errors
    /// If the variant, an option or the position is wrong; the text may have several lines.
    pub fn new(setup: &Setup) -> Result<(Session, String), String> {
        let mut cache = VariantCache::new();
        let loaded = cache.load(&setup.variant, &setup.options).map_err(|e| e.render(setup.layout()))?;
        let seed = setup.seed.unwrap_or_else(fresh_seed);
        let game = begin(&loaded, setup.position.as_deref(), seed, setup.layout())?;
        let mut session = Session::playing(setup, cache, loaded, setup.variant.clone(), game);
        session.begun = Some(SystemTime::now());
        session.players.tables = tables::read_all(&setup.tables, &session.loaded)?;
        session.seat(&setup.computers, setup.time)?;
        session.begin_lines(Variations::new());
        let greeting = session.greeting("");
        let greeting = session.and_computers(Ok(greeting))?;
        Ok((session, greeting))
    }

    /// Continues a game saved in the folder of `setup`: the given one, or the last one that is not over. If the file
    /// contains a record, continues its game. The text is the greeting. The settings for a new game in `setup` are ignored,
    /// but its computers replace or join those of the saved game.
    ///
    /// # Errors
    /// If there is no such game, another prompt plays it, or its file is not usable.
    pub fn resumed(setup: &Setup, which: Option<&str>) -> Result<(Session, String), String> {
        if let Some(file) = which.map(Path::new).filter(|file| files::is_record(file)) {
            return Session::of_record(setup, file);
        }
        let folder = setup.keep.as_ref().ok_or("there is no folder for saved games")?;
        let mut cache = VariantCache::new();
        let resumed = journal::resume(&mut cache, folder, which)?;
        let (loaded, game) = (Arc::clone(&resumed.loaded), resumed.game.clone());
        let mut session = Session::playing(setup, cache, loaded, resumed.name.clone(), game);
        let damage = session.take_over(resumed);
        session.players.tables = tables::read_all(&setup.tables, &session.loaded)?;
        session.seat(&setup.computers, setup.time)?;
        session.keep();
        let greeting = session.greeting(&damage);
        let greeting = session.and_computers(Ok(greeting))?;
        Ok((session, greeting))
    }

    /// A session with this game, which is not saved yet.
    pub(super) fn playing(
        setup: &Setup,
        cache: VariantCache,
        loaded: Arc<Loaded>,
        name: String,
        game: Game,
    ) -> Session {
        let watch = Watch::of(&loaded);
        let mut session = Session {
            cache,
            loaded,
            name,
            game,
            theme: setup.theme,
            columns: setup.columns,
            observation: Observation::new(setup.shared),
            seats: SeatAssignment::default(),
            players: Players::default(),
            automatic: Automatic::default(),
            apart: false,
            due: false,
            variations: Variations::new(),
            autosave: Autosave::new(setup.keep.clone()),
            aside: String::new(),
            time: setup.time,
            file: None,
            begun: None,
            watch,
            stop: StopToken::default(),
        };
        session.look_anew();
        session
    }

    pub(super) fn greeting(&mut self, more: &str) -> String {
        let aside = std::mem::take(&mut self.aside);
        // At a terminal, the last line contains the help, because the first may have scrolled away.
        let help = if self.is_shared() { "" } else { "'help' lists the commands.\n" };
        format!("{}{more}{aside}{help}{}", self.title(), self.whole())
    }

    /// What to type now, for the last line of the opening screen.
    pub(crate) fn first_words(&self) -> String {
        if self.is_hidden() {
            return String::new();
        }
        let now = match self.game.status() {
            Status::Over => "'new' starts a new game".to_owned(),
            _ if self.acts_by_itself() => "Press Enter to continue".into(),
            Status::Chance => "Press Enter to roll".into(),
            Status::Choice => "Type one of the choices".into(),
            Status::Move if !self.knows_options() => "Type a move".into(),
            Status::Move => match input::moves(&self.game).first() {
                Some(first) => in_a_line(&format!("Type a move, such as {first}; 'moves' lists them")).into_owned(),
                None => "Type 'pass' to continue".into(),
            },
        };
        format!("{now}; 'help' explains the rest.\n")
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The look of the board.
    pub(crate) fn theme(&self) -> Theme {
        self.theme
    }

    /// The layout of script errors.
    pub(super) fn layout(&self) -> Layout {
        laid_out(self.theme, self.columns)
    }

    /// The text before the cursor; it includes a warning while the game cannot be saved.
    pub fn prompt(&self) -> String {
        let variant = &self.loaded.set.variant;
        let who = || game_text::side_name(variant, self.game.state().chooser());
        let prompt: String = match self.game.status() {
            Status::Over => "(over) > ".into(),
            Status::Chance => format!("{} rolls > ", who()),
            _ => format!("{} > ", who()),
        };
        let prompt = in_a_line(&prompt);
        if self.is_saved() { prompt.into_owned() } else { format!("(not saved) {prompt}") }
    }

    /// The game with its variant, if the legal moves may be shown.
    pub(crate) fn open_game(&self) -> Option<(Arc<Loaded>, Game)> {
        self.knows_options().then(|| (Arc::clone(&self.loaded), self.game.clone()))
    }

    pub(super) fn roll(&mut self, faces: &str) -> CommandResult {
        let faces = game_text::read_roll(self.game.state(), faces)?;
        let mut again = String::new();
        let loaded = Arc::clone(&self.loaded);
        let text = self.act(|game| {
            let done = match faces.is_empty() {
                true => game.roll().map(|_| Vec::new()),
                false => game_text::roll(game, &faces),
            };
            let dice = done.map_err(|error| InputHandler(Some(&loaded)).refusal(game, &error))?;
            again.extend(dice.iter().map(|dice| format!("{}\n", game_text::again(dice))));
            Ok(())
        })?;
        Ok(again + text.as_str())
    }

    pub(super) fn moves(&self) -> String {
        match self.game.status() {
            Status::Move if self.knows_options() => {
                let pass = if self.game.state().can_pass() { ", or pass" } else { "" };
                format!("{}{}{pass}\n", input::moves(&self.game).join(" "), input::instead(self.game.state()))
            }
            _ => self.standing(),
        }
    }

    /// The command `move`, which also lets the computer play a side.
    pub(super) fn move_or_computer(&mut self, rest: &str) -> CommandResult {
        match rest.strip_prefix("computer") {
            Some(who) => self.computer(who.trim()),
            None => self.play(rest),
        }
    }

    /// The command `pass`.
    pub(super) fn pass(&mut self) -> CommandResult {
        let loaded = Arc::clone(&self.loaded);
        self.act(|game| game.pass().map_err(|error| InputHandler(Some(&loaded)).refusal(game, &error)))
    }

    /// The command `flip`.
    pub(super) fn flip(&mut self) -> String {
        self.theme.flipped = !self.theme.flipped;
        self.board()
    }

    /// The command `fen`.
    pub(super) fn fen(&self) -> String {
        view::position(&self.loaded, &self.game, self.viewer()) + "\n"
    }

    /// The command `seed`.
    pub(super) fn seed(&self) -> CommandResult {
        self.open_only("the seed").map(|()| format!("{}\n", self.game.seed()))
    }

    pub(super) fn play(&mut self, line: &str) -> CommandResult {
        if line.is_empty() {
            return Err("write a move; 'moves' lists the legal moves".into());
        }
        if self.game.status() == Status::Choice && game_text::find_choice(self.game.state(), line).is_ok() {
            return self.choose(line);
        }
        let loaded = Arc::clone(&self.loaded);
        self.act(|game| {
            let mut rest = line;
            while !rest.is_empty() {
                let (word, more) = sequence::first(game.state(), rest);
                InputHandler(Some(&loaded)).step(game, word).map_err(|error| error.to_string())?;
                rest = more;
            }
            Ok(())
        })
    }

    /// A note if a player other than the one to move has to respond now.
    fn handed_over(&self, before: Side) -> String {
        let state = self.game.state();
        let (now, mover) = (state.chooser(), state.mover());
        match state.status() {
            Status::Move | Status::Choice if now != before && now != mover => {
                format!("{} must respond now.\n", game_text::side_name(&self.loaded.set.variant, now))
            }
            _ => String::new(),
        }
    }

    pub(super) fn choose(&mut self, text: &str) -> CommandResult {
        let loaded = Arc::clone(&self.loaded);
        self.act(|game| InputHandler(Some(&loaded)).choose(game, text).map_err(|error| error.to_string()))
    }

    /// Changes the game, or leaves it unchanged if `act` fails; returns a report of the new events.
    pub(super) fn act(&mut self, act: impl FnOnce(&mut Game) -> Result<(), String>) -> CommandResult {
        let mut game = self.game.clone();
        let before = self.viewer();
        // A reason would reveal another player's options.
        act(&mut game).map_err(|why| match view::knows_options(game.state(), before) || why.starts_with("error") {
            true => why,
            false => "this is not legal now".into(),
        })?;
        let (from, chooser) = (self.game.entries().len(), self.game.state().chooser());
        let placement = |game: &Game| fen::placement(&self.loaded.set.variant, game.state().position());
        let moved = placement(&game) != placement(&self.game);
        self.game = game;
        self.keep();
        let viewer = self.pass_on(before);
        let mut text = report::events_with_dice(&self.game, from, viewer, |roll| self.dice_line(roll));
        text.push_str(&self.handed_over(chooser));
        if moved {
            text.push_str(&self.board());
        }
        text.push_str(&self.standing());
        Ok(text)
    }

    pub(super) fn new_game(&mut self, rest: &str) -> CommandResult {
        let mut name = self.name.clone();
        let mut seed = None;
        let mut options: Option<Options> = None;
        let mut parts = rest.split_whitespace();
        while let Some(part) = parts.next() {
            if part == "seed" {
                let text = parts.next().unwrap_or_default();
                seed = Some(text.parse().map_err(|_| format!("expected a whole number as the seed, found '{text}'"))?);
            } else if let Some(option) = part.split_once('=') {
                options.get_or_insert_default().push((option.0.into(), option.1.into()));
            } else {
                name = part.into();
            }
        }
        let kept = if name == self.name { chosen(&self.loaded) } else { Options::new() };
        let loaded = self.find(&name, &merged(kept, options.unwrap_or_default()))?;
        self.begin(loaded, name, None, seed.unwrap_or_else(fresh_seed))
    }

    pub(super) fn set(&mut self, rest: &str) -> CommandResult {
        if rest.is_empty() {
            return Ok(report::options(&self.loaded));
        }
        let pair = rest.split_once('=').or_else(|| rest.split_once(char::is_whitespace));
        let (name, value) =
            pair.ok_or_else(|| format!("expected name=value, found '{rest}'; 'options' lists the options"))?;
        let changed = vec![(name.trim().to_owned(), value.trim().to_owned())];
        let loaded = self.find(&self.name.clone(), &merged(chosen(&self.loaded), changed))?;
        let seed = self.game.seed();
        self.begin(loaded, self.name.clone(), None, seed)
    }

    pub(super) fn position(&mut self, rest: &str) -> CommandResult {
        let text = rest.strip_prefix("fen ").unwrap_or(rest).trim();
        if text.is_empty() {
            return Err("expected a FEN, or 'start'".into());
        }
        let seed = self.game.seed();
        self.begin(Arc::clone(&self.loaded), self.name.clone(), Some(text), seed)
    }

    fn begin(&mut self, loaded: Arc<Loaded>, name: String, position: Option<&str>, seed: u64) -> CommandResult {
        let game = begin(&loaded, position, seed, self.layout())?;
        let left = self.left_behind();
        (self.loaded, self.name, self.game) = (loaded, name, game);
        self.begun = Some(SystemTime::now());
        self.watch = Watch::of(&self.loaded);
        self.begin_lines(Variations::new());
        self.look_anew();
        Ok(format!("{left}{}{}", self.title(), self.whole()))
    }

    fn find(&mut self, name: &str, options: &[(String, String)]) -> Result<Arc<Loaded>, String> {
        self.cache.load(name, options).map_err(|error| error.render(self.layout()))
    }

    pub(super) fn save(&mut self, path: &str, over: bool) -> CommandResult {
        let path = files::path(path)?;
        let known = over || self.file.as_ref() == Some(&path);
        let tags = self.record_tags();
        files::save(&path, &record::write_variations(&self.loaded, &self.game, &self.variations, &tags), known)?;
        let text = format!("Written to {}.\n", path.display());
        self.file = Some(path);
        Ok(text)
    }

    pub(super) fn record(&mut self, path: &str, over: bool) -> CommandResult {
        self.open_only("recording a test")?;
        if path.is_empty() {
            return Err("write a file name, as in 'record my-test.game'".into());
        }
        let path = write::record(&files::path(path)?, &self.loaded, &self.game, over)?;
        Ok(format!("Written to {0}; to run it, use 'astragal test {0}'.\n", path.display()))
    }

    pub(super) fn load(&mut self, rest: &str) -> CommandResult {
        let (path, number) = files::path_and_number(rest)?;
        let (record, name) = files::load(&mut self.cache, &path, number)?;
        let left = self.left_behind() + files::told(&path, &name).as_str();
        (self.loaded, self.name, self.game) = (Arc::new(record.loaded), name, record.game);
        self.begun = None;
        self.watch = Watch::of(&self.loaded);
        self.begin_lines(record.variations);
        // Do not replace a file of another program, or the other games in a file with several, without asking.
        self.file = Some(path).filter(|_| record.ours && number.is_none());
        self.look_anew();
        Ok(format!("{left}{}{}", self.title(), self.whole()))
    }

    pub(super) fn list(&mut self) -> String {
        let names = library::names();
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let mut out = String::new();
        for name in names {
            let title =
                self.cache.load(name, &[]).map_or_else(|error| error.to_string(), |loaded| loaded.title.clone());
            out.push_str(&format!("{name:width$}  {title}\n"));
        }
        out
    }

    pub(super) fn title(&self) -> String {
        let options: String =
            chosen(&self.loaded).iter().map(|(k, v)| in_a_line(&format!(", {k}={v}")).into_owned()).collect();
        // A player who knows the seed could compute secret dice.
        let seed = if self.viewer().is_some() { "not shown".into() } else { self.game.seed().to_string() };
        let (title, name, computers) = (&self.loaded.title, &self.loaded.name, self.computers_text());
        format!("{title} ({name}{options}), seed {seed}.\n{computers}")
    }

    pub(super) fn whole(&self) -> String {
        let board = self.board();
        if self.is_hidden() {
            return format!("{board}{}", self.standing());
        }
        // The events come first: however many there are, the board and what to do now stay on the screen.
        format!("{}{board}{}", report::events(&self.game, 0, self.viewer()), self.standing())
    }
}

fn laid_out(theme: Theme, columns: Option<usize>) -> Layout {
    Layout { color: theme.color, columns: columns.unwrap_or(Layout::COLUMNS) }
}

/// A game from a position's text, or from the variant's own start.
pub(crate) fn begin(loaded: &Loaded, position: Option<&str>, seed: u64, layout: Layout) -> Result<Game, String> {
    match position.filter(|text| !matches!(*text, "start" | "startpos")) {
        None => Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed)
            .map_err(|error| blame(loaded, Some(&loaded.start), &error).render(layout)),
        Some(text) => {
            let placed = fen::parse(&loaded.set.variant, text).map_err(|error| error.render())?;
            masked::begin(loaded, placed, seed)
        }
    }
}

/// Options with some replaced.
fn merged(mut options: Options, changed: Options) -> Options {
    for (name, value) in changed {
        options.retain(|(known, _)| *known != name);
        options.push((name, value));
    }
    options
}

/// A random seed, short enough to type.
pub(super) fn fresh_seed() -> u64 {
    rand::random_range(0..1_000_000_000)
}
