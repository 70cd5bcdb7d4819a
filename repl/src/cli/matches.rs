//! `match`: players against each other, on all processors, with honest intervals.

mod game_file;
mod openings;

use super::args::Match;
use super::failure::of_rule;
use super::simulate::counted;
use super::{Answer, Failure, input, tell};
use crate::players::{Fault, PlayerChoice, PlayerProcess, ProgramPlayer, USUAL_TIME};
use crate::signals;
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

/// Scripts are run deeper than a thread's usual stack is sure to allow.
const STACK: usize = 64 << 20;

/// So many forfeited games are told one by one.
const TOLD: usize = 5;

/// A match as it is played. All threads share the loaded variant and what is known of it.
struct Plan<'a> {
    args: &'a Match,
    loaded: Arc<Loaded>,
    openings: Openings,
    /// Needed if one of the players wants to know anything.
    evaluation: OnceLock<Arc<Evaluation>>,
    players: [PlayerChoice; 2],
    /// Programs that run and sit at no game, for each player.
    idle: [Mutex<Vec<PlayerProcess>>; 2],
    time: Option<Duration>,
    next: AtomicU64,
    done: Mutex<Done>,
    stop: StopToken,
    progress: bool,
}

/// The games that are over.
#[derive(Default)]
struct Done {
    score: MatchScore,
    /// Of forfeited games, who lost them and why.
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
    let player = |text: &String| PlayerChoice::parse(text).map_err(input);
    let players = [player(&args.first)?, player(&args.second)?];
    let time = args.time.as_deref().map(parse_time).transpose().map_err(input)?;
    if args.games == 0 {
        return Err(input("a match has at least one game"));
    }
    // Whatever is wrong with the script or a position is said once, before the threads begin.
    let loaded = super::load(&args.variant, &args.choice)?;
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
    let done = done.into_inner().map_err(|_| input("a game broke off"))?;
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
        let how = if args.records.is_some() { "; the same command with --resume goes on" } else { "" };
        tell(&format!("broken off after {} of {asked}{how}", done.score.games()));
        return Err(Failure::Stopped);
    }
    Ok(true)
}

/// Why a game is not played to its end.
enum Broken {
    /// Somebody cannot sit down.
    Seat(Failure),
    /// A player does not decide, or a rule fails.
    Game(PlayerError),
    /// Somebody has stopped the match.
    Stopped,
}

impl From<PlayerError> for Broken {
    fn from(error: PlayerError) -> Broken {
        Broken::Game(error)
    }
}

/// A player at a game.
enum Seated<'a> {
    Own(Box<dyn Player>),
    Program { player: Box<ProgramPlayer>, of: usize, plan: &'a Plan<'a> },
}

impl Participant<Broken> for (Seated<'_>, &StopToken) {
    fn decide(&mut self, game: &Game) -> Result<Decided, Broken> {
        let (seated, stop) = self;
        if stop.is_requested() {
            return Err(Broken::Stopped);
        }
        match seated {
            Seated::Own(player) => player.decide(game),
            Seated::Program { player, .. } => match player.decide(game, &|| stop.is_requested()) {
                Ok(event) => Ok(Decided::Event(event)),
                Err(Fault::Stopped) => Err(Broken::Stopped),
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
    /// The programs of a player that wait for a game.
    fn idle(&self, player: usize) -> std::sync::MutexGuard<'_, Vec<PlayerProcess>> {
        // Nothing is half done in it.
        self.idle[player].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Seats each player once before any game begins: what it needs to know is learnt by then, and it can play.
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
        let evaluation =
            Evaluation::learn(Arc::clone(&self.loaded.set), &self.loaded.start).map_err(of_rule(&self.loaded))?;
        Ok(Arc::clone(self.evaluation.get_or_init(|| Arc::new(evaluation))))
    }

    /// Opens the file for the games, and counts those that are in it already.
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

    /// What records tell of game `number` of the match, and within which limits it is played.
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

    /// What is granted for each decision, if anything is: only programs have a limit that nobody has asked for.
    fn time_for_a_decision(&self) -> Option<Duration> {
        let is_program = |player: &PlayerChoice| matches!(player, PlayerChoice::Program(_));
        self.time.or_else(|| self.players.iter().any(is_program).then_some(USUAL_TIME))
    }

    /// Plays all games, on as many threads as are wanted.
    fn play_all(&self) -> Result<(), Failure> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.args.threads.unwrap_or(processors).clamp(1, self.args.games.min(256) as usize);
        let played = std::thread::scope(|scope| -> Result<(), Failure> {
            let worker = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.work());
            let workers: Vec<_> = (0..threads).map(|_| worker()).collect::<Result<_, _>>()?;
            for worker in workers {
                worker.join().map_err(|_| input("a game broke off"))??;
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
            let begin = |seed| self.openings.begin(&self.loaded, number, seed).map_err(Broken::Seat);
            let sit_down = |seat: Seat| Ok((self.sit_down(seat, number).map_err(Broken::Seat)?, &self.stop));
            let result = match play_game(begin, (number, self.args.seed), self.args.longest, sit_down) {
                Ok(result) => result,
                Err(Broken::Stopped) => return Ok(()),
                Err(Broken::Game(_)) if self.stop.is_requested() => return Ok(()),
                Err(Broken::Game(error)) => return Err(of_rule(&self.loaded)(error)),
                Err(Broken::Seat(failure)) => return Err(failure),
            };
            // A search that was stopped has told what it had found by then, which is no game of this match.
            if self.stop.is_requested() {
                return Ok(());
            }
            self.note(number, &result)?;
        }
        Ok(())
    }

    /// Counts a game that is over, and writes its record.
    fn note(&self, number: u64, result: &GameResult) -> Result<(), Failure> {
        let is_written = self.args.records.is_some();
        let record = is_written.then(|| record_of(&self.loaded, result, self.tags(number)));
        let mut done = self.done.lock().map_err(|_| input("a game broke off"))?;
        done.count(number, result);
        if let (Some(file), Some(record)) = (&mut done.file, record) {
            file.write(number, record)?;
        }
        if self.progress {
            self.show(&done.score);
        }
        Ok(())
    }

    /// Seats a player at game `number`.
    fn sit_down(&self, seat: Seat, number: u64) -> Result<Seated<'_>, Failure> {
        let Seat { player, side, dice_seed } = seat;
        let seed = dice_seed ^ (u64::from(side.0) + 1) << 32 ^ number;
        Ok(match &self.players[player] {
            PlayerChoice::Own(opponent) => Seated::Own(opponent.sit_down(|| self.evaluation(), seed, self.time)?),
            PlayerChoice::Program(command) => {
                let process = self.idle(player).pop();
                // The dice cannot be read off what the program is told.
                let seat = (side, mix(seed) >> 32);
                let program = Box::new(ProgramPlayer::new(command, &self.loaded, seat, self.time, process));
                Seated::Program { player: program, of: player, plan: self }
            }
        })
    }

    fn show(&self, so_far: &MatchScore) {
        let MatchScore { wins, draws, losses, cut, .. } = so_far;
        let (done, all) = (so_far.games(), self.args.games);
        let _ = write!(io::stderr(), "\r\x1b[K{done}/{all}: {wins} won, {draws} drawn, {losses} lost, {cut} cut");
        let _ = io::stderr().flush();
    }
}

/// Milliseconds for a decision.
fn pace(effort: (u64, Duration)) -> f64 {
    effort.1.as_secs_f64() * 1000.0 / effort.0.max(1) as f64
}

fn as_text(title: &str, args: &Match, players: &[PlayerChoice; 2], done: &Done) -> String {
    let result = &done.score;
    let games = result.games();
    let mut text = format!("{title}: {} against {}, {games} games, seed {}\n", players[0], players[1], args.seed);
    let width = games.to_string().len();
    for (count, what) in [(result.wins, "won"), (result.draws, "drawn"), (result.losses, "lost")] {
        let percent = count as f64 * 100.0 / games.max(1) as f64;
        let interval = Interval::wilson(count, games);
        text.push_str(&format!("{count:>width$} {what:<5}  {percent:>5.1} %  95 % interval {interval}\n"));
    }
    if result.cut > 0 {
        text.push_str(&format!("{:>width$} cut after {} events: without result\n", result.cut, args.longest));
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
        text.push_str(&format!("{:+.2} points a game{of}\n", points / result.ended().max(1) as f64));
    }
    let [first, second] = result.effort.map(pace);
    let events = result.events as f64 / games.max(1) as f64;
    text.push_str(&format!("{events:.0} events a game; {first:.1} ms and {second:.1} ms a decision\n"));
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
