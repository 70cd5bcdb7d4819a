//! `match`: players against each other, on all processors, with honest intervals.

use super::args::Match;
use super::failure::of_rule;
use super::{Answer, Failure, input};
use astragal_computer::{Evaluation, MatchScore, PlayerError, Seat, play_game};
use astragal_core::Position;
use astragal_dsl::Loaded;
use astragal_lab::Interval;
use astragal_lab::opponent::{Opponent, parse_time};
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Scripts are run deeper than a thread's usual stack is sure to allow.
const STACK: usize = 64 << 20;

/// A match as it is played. All threads share the loaded variant and what is known of it.
struct Plan<'a> {
    args: &'a Match,
    loaded: &'a Loaded,
    start: &'a Position,
    /// Needed if one of the players wants to know anything.
    evaluation: OnceLock<Arc<Evaluation>>,
    players: [Opponent; 2],
    time: Option<Duration>,
    next: AtomicU64,
    so_far: Mutex<MatchScore>,
    progress: bool,
}

/// `astragal match`.
pub(super) fn play(args: &Match, out: &mut impl Write) -> Answer {
    let players = [Opponent::parse(&args.first).map_err(input)?, Opponent::parse(&args.second).map_err(input)?];
    let time = args.time.as_deref().map(parse_time).transpose().map_err(input)?;
    if args.games == 0 {
        return Err(input("a match has at least one game"));
    }
    // Whatever is wrong with the script or the position is said once, before the threads begin.
    let loaded = super::load(&args.variant, &args.choice)?;
    let game = super::begin(&loaded, &args.choice)?;
    let plan = Plan {
        args,
        loaded: &loaded,
        start: game.start(),
        evaluation: OnceLock::new(),
        players,
        time,
        next: AtomicU64::new(0),
        so_far: Mutex::new(MatchScore::default()),
        progress: io::stderr().is_terminal() && !args.json,
    };
    plan.learn()?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(processors).clamp(1, args.games.min(256) as usize);
    let failed = std::thread::scope(|scope| -> Result<(), Failure> {
        let worker = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || plan.work());
        let workers: Vec<_> = (0..threads).map(|_| worker()).collect::<Result<_, _>>()?;
        for worker in workers {
            worker.join().map_err(|_| input("a game broke off"))??;
        }
        Ok(())
    });
    if plan.progress {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    failed?;
    let result = plan.so_far.into_inner().map_err(|_| input("a game broke off"))?;
    match args.json {
        true => writeln!(out, "{}", as_json(args, &players, &result))?,
        false => write!(out, "{}", as_text(&loaded.title, args, &players, &result))?,
    }
    Ok(true)
}

/// Why a game is not played to its end.
enum Broken {
    /// Somebody cannot sit down.
    Seat(Failure),
    /// A player does not decide, or a rule fails.
    Game(PlayerError),
}

impl From<PlayerError> for Broken {
    fn from(error: PlayerError) -> Broken {
        Broken::Game(error)
    }
}

impl Broken {
    fn told(self, loaded: &Loaded) -> Failure {
        match self {
            Broken::Seat(failure) => failure,
            Broken::Game(error) => of_rule(loaded)(error),
        }
    }
}

impl Plan<'_> {
    /// Seats each player once before any game begins: what it needs to know is learnt by then, and it can play.
    fn learn(&self) -> Result<(), Failure> {
        for player in self.players {
            player.sit_down(|| self.evaluation(), 0, None)?;
            if matches!(player, Opponent::Computer(_)) {
                self.evaluation()?.can_be_played().map_err(of_rule(self.loaded))?;
            }
        }
        Ok(())
    }

    fn evaluation(&self) -> Result<Arc<Evaluation>, Failure> {
        if let Some(evaluation) = self.evaluation.get() {
            return Ok(Arc::clone(evaluation));
        }
        let evaluation =
            Evaluation::learn(Arc::clone(&self.loaded.set), &self.loaded.start).map_err(of_rule(self.loaded))?;
        Ok(Arc::clone(self.evaluation.get_or_init(|| Arc::new(evaluation))))
    }

    /// Plays games until none is left.
    fn work(&self) -> Result<(), Failure> {
        loop {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            if game >= self.args.games {
                return Ok(());
            }
            let sit_down = |Seat { player, side, dice_seed }| {
                let seed = dice_seed ^ (u64::from(side.0) + 1) << 32 ^ game;
                self.players[player].sit_down(|| self.evaluation(), seed, self.time).map_err(Broken::Seat)
            };
            let seeds = (game, self.args.seed);
            let result = play_game(&self.loaded.set, self.start, seeds, self.args.longest, sit_down);
            let result = result.map_err(|failed| failed.told(self.loaded))?;
            let mut so_far = self.so_far.lock().map_err(|_| input("a game broke off"))?;
            so_far.count(&result);
            if self.progress {
                self.show(&so_far);
            }
        }
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

fn as_text(title: &str, args: &Match, players: &[Opponent; 2], result: &MatchScore) -> String {
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
    if result.points != 0.0 {
        text.push_str(&format!("{:+.2} points a game\n", result.points / games.max(1) as f64));
    }
    let [first, second] = result.effort.map(pace);
    let events = result.events as f64 / games.max(1) as f64;
    text.push_str(&format!("{events:.0} events a game; {first:.1} ms and {second:.1} ms a decision\n"));
    text
}

fn as_json(args: &Match, players: &[Opponent; 2], result: &MatchScore) -> serde_json::Value {
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
        "points": result.points,
        "events": result.events,
        "ms_per_decision": [pace(result.effort[0]), pace(result.effort[1])],
    })
}
