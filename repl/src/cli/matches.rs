//! `match`: matches between players, on all processors, with confidence intervals.

mod game_file;
mod openings;

use super::args::Match;
use super::chosen_game::load;
use super::failure::{Answer, Failure, input, of_rule};
use super::simulate::counted;
use super::stderr::tell;
use crate::players::{Fault, PlayerChoice, PlayerProcess, ProgramPlayer, USUAL_TIME};
use crate::{signals, tables};
use astragal_computer::{
    Answer as Decided, Evaluation, GameResult, MatchScore, Participant, Player, PlayerError, Seat, dice_seed,
    play_game, player_of,
};
use astragal_core::dice::mix;
use astragal_core::{Game, Side};
use astragal_dsl::{Loaded, record};
use astragal_lab::Interval;
use astragal_lab::opponent::parse_time;
use astragal_service::interrupt::StopToken;
use game_file::{GameFile, record_of};
use openings::Openings;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The stack of a playing thread: scripts can recurse deeper than a default thread stack allows.
const STACK: usize = 64 << 20;

/// How many forfeited games are reported individually.
const TOLD: usize = 5;

/// A match in progress. All threads share the loaded variant and its evaluation.
struct Plan<'a> {
    args: &'a Match,
    loaded: Arc<Loaded>,
    openings: Openings,
    /// Set if one of the players needs it.
    evaluation: OnceLock<Arc<Evaluation>>,
    players: [PlayerChoice; 2],
    /// For each player: running programs that are not in a game.
    idle: [Mutex<Vec<PlayerProcess>>; 2],
    time: Option<Duration>,
    next: AtomicU64,
    done: Mutex<Done>,
    stop: StopToken,
    progress: bool,
}

/// The finished games.
#[derive(Default)]
struct Done {
    score: MatchScore,
    /// For each forfeited game: the player who lost it, and the reason.
    forfeits: BTreeMap<u64, (usize, String)>,
    file: Option<GameFile>,
}

impl Done {
    fn count(&mut self, number: u64, result: &GameResult) {
        self.score.count(result);
        if let (Some(player), Some(forfeit)) = (result.forfeited_by(), &result.forfeit) {
            self.forfeits.insert(number, (player, forfeit.reason.clone()));
        }
    }
}

/// `astragal match`.
pub(super) fn play(args: &Match, out: &mut impl Write) -> Answer {
    let time = args.time.as_deref().map(parse_time).transpose().map_err(input)?;
    if args.games == 0 {
        return Err(input("a match needs at least one game"));
    }
    // Report problems of the script or a position once, before the threads start.
    let loaded = load(&args.variant, &args.choice)?;
    let player = |text: &String| PlayerChoice::parse(text, &loaded).map_err(input);
    let players = [player(&args.first)?, player(&args.second)?];
    let mut plan = Plan {
        args,
        openings: Openings::of(args, &loaded)?,
        loaded,
        evaluation: OnceLock::new(),
        players,
        idle: Default::default(),
        time,
        next: AtomicU64::new(0),
        done: Mutex::default(),
        stop: StopToken::default(),
        progress: io::stderr().is_terminal() && !args.json,
    };
    signals::listen_for_end(&plan.stop);
    let asked = plan.stop.clone();
    plan.loaded.set.rules.stop_when(move || asked.is_requested());
    plan.open_file()?;
    plan.learn()?;
    plan.play_all()?;
    let Plan { loaded, players, stop, done, .. } = plan;
    let done = done.into_inner().map_err(|_| input("a game stopped with an error"))?;
    let is_whole = done.score.games() >= args.games;
    if !is_whole && done.score.games() == 0 {
        return Err(Failure::Stopped);
    }
    match args.json {
        true => writeln!(out, "{}", as_json(args, &players, &done))?,
        false => write!(out, "{}", as_text(&loaded.title, args, &players, &done))?,
    }
    if !is_whole && stop.is_requested() {
        out.flush()?;
        let asked = counted(args.games, "game");
        let how = if args.records.is_some() { "; to continue, add --resume to the same command" } else { "" };
        tell(&format!("stopped after {} of {asked}{how}", done.score.games()));
        return Err(Failure::Stopped);
    }
    Ok(true)
}

/// Why a game did not end.
enum MatchError {
    /// A player cannot take their seat.
    Seat(Failure),
    /// A player does not decide, or a rule fails.
    Game(PlayerError),
    /// The user has stopped the match.
    Stopped,
}

impl From<PlayerError> for MatchError {
    fn from(error: PlayerError) -> MatchError {
        MatchError::Game(error)
    }
}

/// A player in a game.
enum Seated<'a> {
    Own(Box<dyn Player>),
    Program { player: Box<ProgramPlayer>, of: usize, plan: &'a Plan<'a> },
}

impl Participant<MatchError> for (Seated<'_>, &StopToken) {
    fn decide(&mut self, game: &Game) -> Result<Decided, MatchError> {
        let (seated, stop) = self;
        if stop.is_requested() {
            return Err(MatchError::Stopped);
        }
        match seated {
            Seated::Own(player) => player.decide(game),
            Seated::Program { player, .. } => match player.decide(game, &|| stop.is_requested()) {
                Ok(event) => Ok(Decided::Event(event)),
                Err(Fault::Stopped) => Err(MatchError::Stopped),
                Err(fault) => Ok(Decided::Forfeit(fault.to_string())),
            },
        }
    }

    fn leave(&mut self, game: &Game) {
        if let Seated::Program { player, of, plan } = &mut self.0
            && let Some(process) = player.leave(game)
        {
            plan.idle(*of).push(process);
        }
    }
}

impl Plan<'_> {
    /// The idle programs of a player.
    fn idle(&self, player: usize) -> std::sync::MutexGuard<'_, Vec<PlayerProcess>> {
        // The lock protects no invariant that a panic could break.
        self.idle[player].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Seats each player once before the games begin: this shows that all players can play, and computes the evaluation.
    fn learn(&self) -> Result<(), Failure> {
        for (number, player) in self.players.iter().enumerate() {
            match player {
                PlayerChoice::Own(opponent) => {
                    opponent.sit_down(|| self.evaluation(), 0, None)?;
                }
                PlayerChoice::Program(command) => {
                    let game = self.openings.begin(&self.loaded, 0, dice_seed(0, self.args.seed))?;
                    let seat = (Side(number as u8), 0);
                    let mut program = ProgramPlayer::new(command, &self.loaded, seat, self.time, None);
                    match program.begin(&game, &|| self.stop.is_requested()) {
                        Err(Fault::Stopped) => return Err(Failure::Stopped),
                        begun => begun.map_err(|fault| input(format!("{player}: {fault}")))?,
                    }
                    self.idle(number).extend(program.leave(&game));
                }
            }
        }
        Ok(())
    }

    fn evaluation(&self) -> Result<Arc<Evaluation>, Failure> {
        if let Some(evaluation) = self.evaluation.get() {
            return Ok(Arc::clone(evaluation));
        }
        let tables = tables::read_all(&self.args.tables, &self.loaded).map_err(input)?;
        let evaluation = tables.evaluation(&self.loaded).map_err(of_rule(&self.loaded))?;
        Ok(Arc::clone(self.evaluation.get_or_init(|| Arc::new(evaluation))))
    }

    /// Opens the file for the games, and counts the games in it.
    fn open_file(&mut self) -> Result<(), Failure> {
        let Some(path) = &self.args.records else { return Ok(()) };
        let mut done = Done::default();
        done.file = Some(match self.args.resume {
            false => GameFile::create(path)?,
            true => {
                let header = |number| {
                    let game = self.openings.begin(&self.loaded, number, dice_seed(number, self.args.seed))?;
                    Ok(record::write(&self.loaded, &game, &self.tags(number)))
                };
                let (file, results) = GameFile::resume(path, &self.loaded, header)?;
                (0..).zip(&results).for_each(|(number, result)| done.count(number, result));
                file
            }
        });
        self.next = AtomicU64::new(done.score.games());
        self.done = Mutex::new(done);
        Ok(())
    }

    /// The tags that records have for game `number` of the match, including its limits.
    fn tags(&self, number: u64) -> Vec<(String, String)> {
        let [first, second] = &self.players;
        let mut tags = vec![
            ("Event".into(), format!("{first} against {second}, seed {}", self.args.seed)),
            ("Round".into(), (number + 1).to_string()),
        ];
        for (side, name) in (0..self.loaded.set.variant.sides() as u8).zip(record::PLAYER_TAGS) {
            tags.push((name.into(), self.players[player_of(Side(side), number)].to_string()));
        }
        if let Some(time) = self.time_for_a_decision() {
            tags.push(("TimeControl".into(), format!("1/{}", time.as_secs_f64())));
        }
        tags.push(("Longest".into(), self.args.longest.to_string()));
        tags
    }

    /// The time limit for each decision, if any. Without `--time`, only programs have one.
    fn time_for_a_decision(&self) -> Option<Duration> {
        let is_program = |player: &PlayerChoice| matches!(player, PlayerChoice::Program(_));
        self.time.or_else(|| self.players.iter().any(is_program).then_some(USUAL_TIME))
    }

    /// Plays all games, on the requested number of threads.
    fn play_all(&self) -> Result<(), Failure> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.args.threads.unwrap_or(processors).clamp(1, self.args.games.min(256) as usize);
        let played = std::thread::scope(|scope| -> Result<(), Failure> {
            let worker = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.work());
            let workers: Vec<_> = (0..threads).map(|_| worker()).collect::<Result<_, _>>()?;
            for worker in workers {
                worker.join().map_err(|_| input("a game stopped with an error"))??;
            }
            Ok(())
        });
        if self.progress {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        played
    }

    /// Plays games until none is left.
    fn work(&self) -> Result<(), Failure> {
        while !self.stop.is_requested() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.args.games {
                return Ok(());
            }
            let begin = |seed| self.openings.begin(&self.loaded, number, seed).map_err(MatchError::Seat);
            let sit_down = |seat: Seat| Ok((self.sit_down(seat, number).map_err(MatchError::Seat)?, &self.stop));
            let result = match play_game(begin, (number, self.args.seed), self.args.longest, sit_down) {
                Ok(result) => result,
                Err(MatchError::Stopped) => return Ok(()),
                Err(MatchError::Game(_)) if self.stop.is_requested() => return Ok(()),
                Err(MatchError::Game(error)) => return Err(of_rule(&self.loaded)(error)),
                Err(MatchError::Seat(failure)) => return Err(failure),
            };
            // A stopped search returned its result so far, which is not a valid game of this match.
            if self.stop.is_requested() {
                return Ok(());
            }
            self.note(number, &result)?;
        }
        Ok(())
    }

    /// Counts a finished game, and writes its record.
    fn note(&self, number: u64, result: &GameResult) -> Result<(), Failure> {
        let is_written = self.args.records.is_some();
        let record = is_written.then(|| record_of(&self.loaded, result, self.tags(number)));
        let mut done = self.done.lock().map_err(|_| input("a game stopped with an error"))?;
        done.count(number, result);
        if let (Some(file), Some(record)) = (&mut done.file, record) {
            file.write(number, record)?;
        }
        if self.progress {
            self.show(&done.score);
        }
        Ok(())
    }

    /// Seats a player in game `number`.
    fn sit_down(&self, seat: Seat, number: u64) -> Result<Seated<'_>, Failure> {
        let Seat { player, side, dice_seed } = seat;
        let seed = dice_seed ^ (u64::from(side.0) + 1) << 32 ^ number;
        Ok(match &self.players[player] {
            PlayerChoice::Own(opponent) => Seated::Own(opponent.sit_down(|| self.evaluation(), seed, self.time)?),
            PlayerChoice::Program(command) => {
                let process = self.idle(player).pop();
                // The program cannot derive the dice from the seed that it receives.
                let seat = (side, mix(seed) >> 32);
                let program = Box::new(ProgramPlayer::new(command, &self.loaded, seat, self.time, process));
                Seated::Program { player: program, of: player, plan: self }
            }
        })
    }

    fn show(&self, so_far: &MatchScore) {
        let MatchScore { wins, draws, losses, cut, .. } = so_far;
        let (done, all) = (so_far.games(), self.args.games);
        let _ =
            write!(io::stderr(), "\r\x1b[K{done}/{all}: {wins} won, {draws} drawn, {losses} lost, {cut} unfinished");
        let _ = io::stderr().flush();
    }
}

/// Milliseconds per decision.
fn pace(effort: (u64, Duration)) -> f64 {
    effort.1.as_secs_f64() * 1000.0 / effort.0.max(1) as f64
}

fn as_text(title: &str, args: &Match, players: &[PlayerChoice; 2], done: &Done) -> String {
    let result = &done.score;
    let games = result.games();
    let (first, second, played) = (&players[0], &players[1], counted(games, "game"));
    let mut text = format!("{title}: {first} against {second}, {played}, seed {}\n", args.seed);
    let width = games.to_string().len();
    for (count, what) in [(result.wins, "won"), (result.draws, "drawn"), (result.losses, "lost")] {
        let percent = count as f64 * 100.0 / games.max(1) as f64;
        let interval = Interval::wilson(count, games);
        text.push_str(&format!("{count:>width$} {what:<5}  {percent:>5.1} %  95 % confidence interval {interval}\n"));
    }
    if result.cut > 0 {
        text.push_str(&format!("{:>width$} stopped after {} events: no result\n", result.cut, args.longest));
    }
    for (player, forfeits) in players.iter().zip(result.forfeits).filter(|(_, forfeits)| *forfeits > 0) {
        text.push_str(&format!("{forfeits:>width$} forfeited by {player}\n"));
    }
    for (number, (player, reason)) in done.forfeits.iter().take(TOLD) {
        text.push_str(&format!("  game {}: {}: {reason}\n", number + 1, players[*player]));
    }
    if done.forfeits.len() > TOLD {
        text.push_str(&format!("  and {} more\n", done.forfeits.len() - TOLD));
    }
    if let Some(points) = result.points() {
        let of = if result.cut > 0 { " that ended" } else { "" };
        text.push_str(&format!("{:+.2} points per game{of}\n", points / result.ended().max(1) as f64));
    }
    let [first, second] = result.effort.map(pace);
    let events = result.events as f64 / games.max(1) as f64;
    text.push_str(&format!(
        "{events:.0} events per game; {first:.1} ms per decision (first player), {second:.1} ms (second)\n"
    ));
    text
}

fn as_json(args: &Match, players: &[PlayerChoice; 2], done: &Done) -> serde_json::Value {
    let result = &done.score;
    let forfeit = |(number, (player, reason)): (&u64, &(usize, String))| json!({"game": number + 1, "player": players[*player].to_string(), "reason": reason});
    let games = result.games();
    let interval = |count: u64| {
        let interval = Interval::wilson(count, games);
        json!([interval.low, interval.high])
    };
    json!({
        "version": 1,
        "variant": args.variant,
        "players": [players[0].to_string(), players[1].to_string()],
        "seed": args.seed,
        "games": games,
        "wins": result.wins, "wins_interval": interval(result.wins),
        "draws": result.draws, "draws_interval": interval(result.draws),
        "losses": result.losses, "losses_interval": interval(result.losses),
        "cut": result.cut,
        "forfeits": done.forfeits.iter().map(forfeit).collect::<Vec<_>>(),
        "points": result.points().unwrap_or(0.0),
        "events": result.events,
        "ms_per_decision": [pace(result.effort[0]), pace(result.effort[1])],
    })
}
