//! What it costs the computer not to know what is hidden: `secrets NAME FIRST SECOND [GAMES] [SEED]`, where players are
//! `random`, `greedy`, `3` (a level of the computer) or `3!` (a computer of that level that knows all).

use astragal_computer::{Computer, Evaluation, Greedy, MatchScore, Player, PlayerError, Random, Seat, play_game};
use astragal_core::Game;
use astragal_core::dice::mix;
use std::sync::Arc;

fn seated(name: &str, evaluation: &Arc<Evaluation>, seed: u64) -> Box<dyn Player> {
    let known = Arc::clone(evaluation);
    let level = |text: &str| text.parse().expect("random, greedy, or a level");
    match name {
        "random" => Box::new(Random::new(seed)),
        "greedy" => Box::new(Greedy::new(known, seed)),
        name => match name.strip_suffix('!') {
            Some(name) => Box::new(Computer::new(known, level(name), seed).optimistic().knowing_all()),
            None => Box::new(Computer::new(known, level(name), seed).optimistic()),
        },
    }
}

/// The 95 % interval of Wilson for a share.
fn interval(wins: f64, games: f64) -> (f64, f64) {
    let z: f64 = 1.96;
    let (share, spread) = (wins / games, z * z / games);
    let half = z * (share * (1.0 - share) / games + spread / (4.0 * games)).sqrt();
    ((share + spread / 2.0 - half) / (1.0 + spread), (share + spread / 2.0 + half) / (1.0 + spread))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, players @ ..] = &args[..] else { return println!("secrets NAME FIRST SECOND [GAMES] [SEED]") };
    let number = |place: usize, usual: u64| players.get(place).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (games, seed) = (number(2, 100), number(3, 1));
    let loaded = astragal_dsl::load_named(name, &[]).unwrap_or_else(|error| panic!("{error}"));
    let evaluation = Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("rules that do not fail");
    let (evaluation, mut score) = (Arc::new(evaluation), MatchScore::default());
    for game in 0..games {
        let begin = |dice| Game::new(Arc::clone(&loaded.set), loaded.start.clone(), dice).map_err(PlayerError::from);
        let sit_down = |seat: Seat| {
            let own = mix(seed ^ mix(game ^ mix(seat.player as u64 ^ 0x7365_6174)));
            Ok::<_, PlayerError>(seated(&players[seat.player], &evaluation, own))
        };
        let result = play_game(begin, (game, seed), 2_000, sit_down).expect("a game");
        score.count(&result);
    }
    let (least, most) = interval(score.wins as f64, games as f64);
    let time = score.effort.map(|(decisions, time)| time.as_secs_f64() * 1e3 / decisions.max(1) as f64);
    println!(
        "{name}: {} against {}: {} won, {} drawn, {} lost, {} cut of {games}; won {:.1}-{:.1} %; {:.1} and \
         {:.1} ms a decision",
        players[0],
        players[1],
        score.wins,
        score.draws,
        score.losses,
        score.cut,
        100.0 * least,
        100.0 * most,
        time[0],
        time[1]
    );
}
