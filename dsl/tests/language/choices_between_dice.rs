//! Choices instead of moves in turns of several, in many games and in records. `plays/choices_between_dice.play` tests them
//! move by move.

use crate::common::{game, moves, roll, start, text};
use astragal_core::{Game, Reply, State, Status, Stream, turns};
use astragal_dsl::notation::fen;
use astragal_dsl::{Source, record, turn_state_text};

const RACE: &str = r#"board(8, 2); piece("man", "M", "W"); royals("capturable"); setup("m7/M7 w");
    track("way", "a1-h1", #{ same_for_all: true }); counter("stake", 1); counter("steps", 0);"#;

/// A race in which a man moves for each die.
fn race(options: &str, then: &str) -> String {
    format!(
        "{RACE} fn turn() {{ let done = play_each(roll(\"2d3\"), |die| along(\"way\", die), #{{ {options} }}); {then} }}"
    )
}

/// Doubling between dice: the other side accepts or drops, and the turn goes on with the rest of the dice.
const DOUBLING: &str = r#"or: ["double", "stop"], spend: "most", chosen: |what| {
    if what == "stop" { return false; }
    if choose(opponent(), ["accept", "drop"]) == "drop" { win(mover(), "dropped"); return; }
    set("stake", get("stake") * 2);
}"#;

#[test]
fn moves_are_those_without_the_choice() {
    for spend in ["each", "most", "all", "any", "most_moves"] {
        let plain = race(&format!("spend: \"{spend}\""), "");
        let chosen = race(&format!("spend: \"{spend}\", or: \"stop\""), "");
        let interrupted = race(&format!("spend: \"{spend}\", or: \"stop\", chosen: |what| false"), "");
        for faces in [[1, 2], [3, 3], [2, 1]] {
            let walk = |script: &str| {
                let (mut state, mut seen) = (start(&game(script)), Vec::new());
                roll(&mut state, &faces);
                while state.status() == Status::Move && state.mover().0 == 0 {
                    seen.push((moves(&state), state.can_pass()));
                    let last = *state.moves().last().expect("a move");
                    state.play(last).expect("a move");
                }
                (seen, text(&state))
            };
            assert_eq!(walk(&plain), walk(&chosen), "{spend} {faces:?}");
            assert_eq!(walk(&plain), walk(&interrupted), "{spend} {faces:?}");
        }
    }
}

#[test]
fn complete_turns_count_the_choices() {
    let mut state = start(&game(&race("or: \"stop\"", "")));
    roll(&mut state, &[1, 3]);
    // To stop; either die, and then to stop or play the other.
    assert_eq!(turns::count(&state).expect("turns").count, 1 + 2 * 2);
}

#[test]
fn games_with_such_turns_are_kept() {
    for script in
        [race(DOUBLING, ""), race("or: [\"stop\", empty_squares()], after: |mv, die| add(\"steps\", die)", "")]
    {
        let loaded = game(&script);
        for seed in 0..12 {
            let mut random = Stream::new(seed, 7);
            let mut played = Game::new(loaded.set.clone(), loaded.start.clone(), seed).expect("a game");
            for _ in 0..30 {
                let reply = |state: &State, random: &mut Stream| {
                    state.nth_reply(random.below(state.replies() as u64) as usize).expect("one of those counted")
                };
                match played.status() {
                    Status::Over => break,
                    Status::Chance => drop(played.roll().expect("a roll")),
                    _ => match reply(played.state(), &mut random) {
                        Reply::Move(paid) => played.play(paid).expect("a move"),
                        Reply::Choice(index) => played.choose(index).expect("a choice"),
                        Reply::Pass | Reply::Roll(_) => played.pass().expect("a pass"),
                    },
                }
                let whole = turn_state_text::position(&loaded, &played);
                let placed = fen::parse(&loaded.set.variant, &whole).unwrap_or_else(|e| panic!("{whole}: {e}"));
                let again = turn_state_text::begin(&loaded, placed, 0).unwrap_or_else(|e| panic!("{whole}: {e}"));
                if played.status() != Status::Over {
                    assert_eq!(again.state().choices(), played.state().choices(), "{whole}");
                    assert_eq!(moves(again.state()), moves(played.state()), "{whole}");
                    assert_eq!(again.state().unused(), played.state().unused(), "{whole}");
                }
            }
            let source = Source { name: "game".into(), path: None, text: script.clone() };
            let written = record::write(&loaded, &played, &[]);
            let (_, again) = record::read(&written, |_, _| astragal_dsl::load(&source, &[]))
                .unwrap_or_else(|e| panic!("{e}\n{written}"));
            let events = |game: &Game| game.entries().iter().map(|entry| entry.event.clone()).collect::<Vec<_>>();
            assert_eq!(events(&again), events(&played), "{written}");
        }
    }
}
