//! The search against the plainest possible one: the same values with and without shortcuts.

use super::expectiminimax::DISCOUNT;
use super::*;
use crate::events::{apply, legal_events};
use astragal_core::{Event, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, load_named};

fn loaded(name: &str) -> Loaded {
    load_named(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn learn(loaded: &Loaded) -> Arc<Evaluation> {
    Arc::new(Evaluation::learn(Arc::clone(&loaded.set), &loaded.start).expect("rules that do not fail"))
}

fn begin(loaded: &Loaded, text: &str, faces: &[i16]) -> State {
    let position = fen::parse(&loaded.set.variant, text).unwrap_or_else(|error| panic!("{text}: {error}")).position;
    let mut state = State::new(Arc::clone(&loaded.set), position).expect("a game");
    if !faces.is_empty() {
        apply(&mut state, &Event::Roll(faces.to_vec())).expect("a roll");
    }
    state
}

/// Expectiminimax as in a textbook: every outcome, every decision, no window, no table, no merging; what is
/// not decided is worth `optimism` of the way nearer to a won game.
fn plain(evaluation: &Evaluation, state: &State, me: Side, turns: u32, optimism: f64) -> f64 {
    if state.over().is_some() {
        return evaluation.evaluate(state, me);
    }
    let go_on = |next: &State| {
        if next.over().is_none() && next.turn() != state.turn() {
            let value = || evaluation.evaluate(next, me) * (1.0 - optimism) + optimism;
            return DISCOUNT * if turns == 1 { value() } else { plain(evaluation, next, me, turns - 1, optimism) };
        }
        plain(evaluation, next, me, turns, optimism)
    };
    if state.status() == Status::Chance {
        let dice = state.dice().unwrap().clone();
        let possible: Vec<u64> = (0..dice.outcomes()).filter(|&index| state.can_roll(index)).collect();
        let total: u64 = possible.iter().map(|&index| dice.weight(index)).sum();
        let one = |&index: &u64| {
            let mut next = state.clone();
            next.roll(index).unwrap();
            dice.weight(index) as f64 / total as f64 * go_on(&next)
        };
        return possible.iter().map(one).sum();
    }
    let values = legal_events(state).into_iter().map(|event| {
        let mut next = state.clone();
        apply(&mut next, &event).unwrap();
        go_on(&next)
    });
    let friend = state.ruleset().variant.allied(me, state.chooser());
    values.reduce(|a, b| if friend { a.max(b) } else { a.min(b) }).unwrap()
}

/// Small positions of every sort of dice: before and after the choice, several moves a turn, none at all.
const SMALL: [(&str, &str, &[i16], u32); 9] = [
    ("dice-chess", "7k/8/8/8/8/8/4P3/K2R4 w - - 0 1", &[1, 4], 2),
    ("dice-chess", "7k/5p2/8/8/8/8/4P3/K7 w - - 0 1", &[], 2),
    ("dice-xiangqi", "3k5/9/9/9/4p4/9/9/9/9/4K4 w", &[2], 3),
    ("dice-xiangqi", "3ak4/9/9/9/9/9/4R4/9/9/4K4 w", &[], 2),
    ("king-for-2", "k7/8/8/8/8/8/8/K1K5 w - -", &[1, 1], 2),
    ("dicechess-3", "k7/8/8/8/8/8/7P/7K w - -", &[1, 6, 2], 2),
    ("babylonian", "4k3/8/8/8/8/8/8/K3R3 w - -", &[], 2),
    ("babylonian", "4k3/8/8/8/8/8/4R3/K2B4 w - -", &[], 1),
    ("chess", "7k/8/5K2/8/8/8/8/R7 w - -", &[], 3),
];

#[test]
fn values_are_those_of_the_plain_search() {
    for (name, text, faces, turns) in SMALL {
        let loaded = loaded(name);
        let evaluation = learn(&loaded);
        let state = begin(&loaded, text, faces);
        for me in [Side::FIRST, Side::SECOND] {
            let ways = [(false, false), (true, false), (false, true), (true, true)];
            for ((prunes, uses_table), optimism) in ways.into_iter().flat_map(|way| [(way, 0.0), (way, 0.8)]) {
                let expected = plain(&evaluation, &state, me, turns, optimism);
                let search = Search::new(Arc::clone(&evaluation), me).with_optimism(optimism);
                let mut search = search.with_shortcuts(prunes, uses_table);
                // Twice: what is remembered and what has been learnt of the dice changes nothing.
                for round in 0..2 {
                    search.start(&Limits::default());
                    let value = search.value(&state, Iteration::full(turns)).expect("no limit");
                    let what = format!("{name} {text} {me:?} {prunes} {uses_table} {optimism} {round}");
                    assert!((value - expected).abs() < 1e-9, "{what}: {value}, plainly {expected}");
                }
            }
        }
    }
}

#[test]
fn shortcuts_save_work() {
    let loaded = loaded("dice-chess");
    let evaluation = learn(&loaded);
    let state = begin(&loaded, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[1, 6]);
    let nodes = |prunes, uses_table| {
        let mut search = Search::new(Arc::clone(&evaluation), Side::FIRST).with_shortcuts(prunes, uses_table);
        search.start(&Limits::default());
        search.value(&state, Iteration::full(3)).expect("no limit");
        search.nodes()
    };
    let (none, cut, table, both) = (nodes(false, false), nodes(true, false), nodes(false, true), nodes(true, true));
    assert!(cut < none && table < none && both < cut && both < table, "{none} {cut} {table} {both}");
}

/// Values come from what pieces can do: the order of chess, of xiangqi, and of nothing but one kind.
#[test]
fn pieces_are_worth_what_they_can_do() {
    let value = |loaded: &Loaded, evaluation: &Evaluation, name: &str| {
        evaluation.piece_value(loaded.set.variant.kind_named(name).unwrap_or_else(|| panic!("no {name}")))
    };
    let order = |name: &str, kinds: &[&str]| {
        let loaded = loaded(name);
        let evaluation = learn(&loaded);
        let values: Vec<f64> = kinds.iter().map(|kind| value(&loaded, &evaluation, kind)).collect();
        assert!(values.is_sorted() && values[0] > 0.0, "{name}: {kinds:?} {values:?}");
    };
    order("dice-chess", &["pawn", "knight", "rook", "queen", "king"]);
    order("dice-xiangqi", &["elephant", "horse", "chariot", "general"]);
    order("king-for-2", &["knight", "rook", "queen", "king"]);
}
