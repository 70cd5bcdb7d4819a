//! Exact chances and counts of turns: `probabilities.json`, `tri-counts.json`, `k2-counts.json`.

use crate::common::{apply, json, load, load_set, position};
use astragal_core::odds::{next_roll, outcomes};
use astragal_core::turns::{Turns, count};
use astragal_core::{Event, Ratio, State, Status};
use astragal_dsl::{Loaded, game_text};
use astragal_service::analysis::turns::{Listing, list};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(String::from)).collect()
}

fn integers(value: &Value) -> Vec<i16> {
    value.as_array().into_iter().flatten().filter_map(|v| v.as_i64()).map(|n| n as i16).collect()
}

fn begin(loaded: &Loaded, fen: &str) -> State {
    let state = State::new(loaded.set.clone(), position(loaded, fen)).expect("a game");
    assert_eq!(state.status(), Status::Chance, "{} {fen}", loaded.name);
    state
}

fn array(loaded: &Loaded) -> String {
    game_text::plain_position(&loaded.set.variant, &loaded.start)
}

type Rolls = Vec<(Ratio, Vec<i16>, State)>;

/// The chance of the rolls for which something holds.
fn chance(rolls: &Rolls, holds: impl Fn(&[i16], &State) -> bool) -> Ratio {
    rolls.iter().filter(|(_, faces, next)| holds(faces, next)).fold(Ratio::ZERO, |sum, roll| sum + roll.0)
}

fn mean(rolls: &Rolls, value: impl Fn(&State) -> usize) -> Ratio {
    rolls.iter().fold(Ratio::ZERO, |sum, roll| sum + roll.0 * Ratio::new(value(&roll.2) as u128, 1))
}

/// Whether the turn is over without a move.
fn is_lost(before: &State, after: &State) -> bool {
    after.turn() > before.turn()
}

/// The kinds of which some piece may move.
fn kinds(state: &State) -> BTreeSet<String> {
    let name = |kind| state.ruleset().variant.kind(kind).name.clone();
    state.moves().iter().map(|paid| name(state.position().at(paid.mv.from).kind())).collect()
}

/// A position in which all kinds can move, of which `n` are asked for.
const SIX_KINDS: &str = "7k/8/8/8/8/8/P7/KQ1RBN2 w - -";

fn wins(state: &State) -> bool {
    state.moves().iter().any(|&paid| {
        let mut next = state.clone();
        apply(&mut next, &Event::Move(paid));
        next.over().is_some_and(|over| over.winner == Some(state.mover()))
    })
}

/// The moves of each complete turn.
fn sequences(state: &State) -> Vec<Vec<String>> {
    let listed = list(state, Listing { limit: 100_000, distinct: false }).expect("turns");
    listed.turns.into_iter().map(|turn| turn.texts).collect()
}

/// The minimum and the maximum number of moves in a turn.
fn fewest_and_most(before: &State, state: &State) -> (usize, usize) {
    if is_lost(before, state) {
        return (0, 0);
    }
    let lengths = || sequences(state).into_iter().map(|texts| texts.len());
    (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0))
}

fn dice_used(before: &State, state: &State) -> u32 {
    if is_lost(before, state) { 0 } else { count(state).expect("turns").max_dice }
}

fn four_turns_lost(state: &State, turns: u32) -> Ratio {
    if turns == 0 {
        return Ratio::ONE;
    }
    let rolls = next_roll(state).expect("rolls");
    let lost = rolls.iter().filter(|(_, _, next)| is_lost(state, next));
    // Every lost turn leads to the same state but for whose turn it is.
    let next = lost.clone().next().map(|roll| roll.2.clone());
    next.map_or(Ratio::ZERO, |next| chance(&rolls, |_, next| is_lost(state, next)) * four_turns_lost(&next, turns - 1))
}

/// Three pawns cannot attack one king at once, so a contest of such a group is not played but summed:
/// the engine's dice, all outcomes.
fn contest(case: &Value) -> Ratio {
    let parse = |text: &String| astragal_dsl::notation::dice::parse(text).expect("dice");
    let sums = |dice: &[String]| {
        let mut sums = BTreeMap::from([(0i64, Ratio::ONE)]);
        for dice in dice.iter().map(parse) {
            let mut next = BTreeMap::new();
            for (sum, chance) in &sums {
                for index in 0..dice.outcomes() {
                    let total = sum + dice.outcome(index).iter().map(|&face| i64::from(face)).sum::<i64>();
                    let weight = Ratio::new(u128::from(dice.weight(index)), u128::from(dice.total()));
                    *next.entry(total).or_insert(Ratio::ZERO) += *chance * weight;
                }
            }
            sums = next;
        }
        sums
    };
    let (attack, defence) = (sums(&strings(&case["attack"])), sums(&strings(&case["defence"])));
    let mut sum = Ratio::ZERO;
    for (a, chance_a) in &attack {
        for (d, chance_d) in &defence {
            let outcome = match a.cmp(d) {
                std::cmp::Ordering::Greater => "win",
                std::cmp::Ordering::Equal => "tie",
                std::cmp::Ordering::Less => "lose",
            };
            if case["outcome"] == outcome {
                sum += *chance_a * *chance_d;
            }
        }
    }
    sum
}

fn value(loaded: &Loaded, case: &Value) -> Ratio {
    let what = case["what"].as_str().expect("what");
    if what == "contest" {
        return contest(case);
    }
    let (faces, wanted) = (integers(&case["faces"]), strings(&case["kinds"]));
    let shown = |roll: &[i16], face: i16| roll.iter().filter(|&&f| f == face).count();
    // What a die shows is a matter of the faces that the script has named.
    let face_of = |kind: &String| {
        let variant = &loaded.set.variant;
        let letter = &variant.kinds().iter().find(|k| k.name == *kind).expect("a kind").letter;
        loaded.faces.iter().position(|face| face == letter).expect("a face") as i16 + 1
    };
    let (start, kings) = (&case["position"], case["movable_kinds"] == 1);
    let state = match what {
        "any of n kinds permitted" => begin(loaded, SIX_KINDS),
        // Bare kings are a draw (DC-18), so the one kind that can move is looked at without that rule.
        _ if kings => begin(&load_set(&loaded.name, &[("dead".into(), "off".into())]), start.as_str().expect("a FEN")),
        _ => start.as_str().map_or_else(|| begin(loaded, &array(loaded)), |fen| begin(loaded, fen)),
    };
    let rolls = next_roll(&state).expect("rolls");
    let total = rolls.iter().fold(Ratio::ZERO, |sum, roll| sum + roll.0);
    assert_eq!(total, Ratio::ONE, "{case}");
    let n = case["n"].as_u64().unwrap_or_default();
    match what {
        "turn lost" => chance(&rolls, |_, next| is_lost(&state, next)),
        "turn not lost" => chance(&rolls, |_, next| !is_lost(&state, next)),
        "kind permitted" => chance(&rolls, |_, next| wanted.iter().any(|kind| kinds(next).contains(kind))),
        "any of n kinds permitted" => {
            let some: Vec<String> = kinds(&rolls[0].2).into_iter().take(n as usize).collect();
            assert_eq!((some.len() as u64, kinds(&rolls[0].2).len()), (n, 6), "a double permits all six kinds");
            chance(&rolls, |_, next| some.iter().any(|kind| kinds(next).contains(kind)))
        }
        "mean permitted moves" => mean(&rolls, |next| game_text::distinct(next).len()),
        "move permitted" => {
            let text = case["move"].as_str().expect("a move");
            chance(&rolls, |_, next| game_text::moves(next).iter().any(|mv| mv == text))
        }
        "immediate win available" => chance(&rolls, |_, next| wins(next)),
        "first four turns lost" => four_turns_lost(&state, 4),
        "face shown" => chance(&rolls, |roll, _| faces.iter().all(|&face| shown(roll, face) > 0)),
        "all faces shown" => chance(&rolls, |roll, _| faces.iter().all(|&face| shown(roll, face) > 0)),
        "face shown at least" => {
            let times = case["times"].as_u64().expect("times") as usize;
            chance(&rolls, |roll, _| shown(roll, faces[0]) >= times)
        }
        "dice used" => chance(&rolls, |_, next| u64::from(dice_used(&state, next)) == n),
        "equal numbers" | "doubles" => chance(&rolls, |roll, _| roll.iter().all(|&face| face == roll[0])),
        "joker shown" => chance(&rolls, |roll, _| roll.contains(&6)),
        "own face or joker shown" => chance(&rolls, |roll, _| faces.iter().any(|face| roll.contains(face))),
        "moves available" => {
            let wanted = integers(&case["fewest_most"]);
            let wanted = (wanted[0] as usize, wanted[1] as usize);
            chance(&rolls, |_, next| fewest_and_most(&state, next) == wanted)
        }
        "kind shown" => chance(&rolls, |roll, _| shown(roll, face_of(&wanted[0])) > 0),
        "kind shown or doubles" => {
            let doubles = |roll: &[i16]| roll.iter().all(|&face| face == roll[0]);
            chance(&rolls, |roll, _| doubles(roll) || shown(roll, face_of(&wanted[0])) > 0)
        }
        other => panic!("nobody knows how to work out \"{other}\""),
    }
}

#[test]
fn probabilities() {
    let cases = json("probabilities.json");
    let cases = cases.as_array().expect("a list");
    assert!(cases.len() > 40);
    let mut wrong = Vec::new();
    for case in cases {
        let options = case["options"].as_object().into_iter().flatten();
        let options: Vec<_> = options.map(|(k, v)| (k.clone(), v.as_str().expect("a text").to_owned())).collect();
        let loaded = load_set(case["variant"].as_str().expect("a variant"), &options);
        let got = value(&loaded, case).to_string();
        if case["value"] != got {
            wrong.push(format!("{case}: got {got}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every ordered roll of a variant from its array: the sorted faces and what follows.
fn rolls(loaded: &Loaded) -> (State, Vec<(String, State)>) {
    let state = State::new(loaded.set.clone(), loaded.start.clone()).expect("a game");
    let rolls = next_roll(&state).expect("rolls").into_iter().map(|(_, mut faces, next)| {
        faces.sort_unstable();
        (faces.iter().map(i16::to_string).collect(), next)
    });
    let rolls = rolls.collect();
    (state, rolls)
}

/// All 216 rolls: usable dice, sequences, placements, and first moves; the order of the dice does not matter.
#[test]
fn turns_of_three_dice() {
    let table = json("tri-counts.json");
    let (before, rolls) = rolls(&load("dicechess-3"));
    assert_eq!(rolls.len(), 216);
    let mut weighted = 0;
    let mut usable = BTreeMap::<u32, u64>::new();
    for (faces, state) in rolls {
        let turns = if is_lost(&before, &state) { Turns::default() } else { count(&state).expect("turns") };
        let first = game_text::distinct(&state).len();
        let row: Vec<u64> =
            table["rolls"][&faces].as_array().expect("a row").iter().filter_map(Value::as_u64).collect();
        let got = [u64::from(turns.max_dice), turns.count, turns.placements as u64, first as u64];
        assert_eq!(got[..], row[..], "{faces}");
        weighted += turns.count;
        *usable.entry(turns.max_dice).or_default() += 1;
    }
    assert_eq!(table["weighted_sequences"], weighted);
    for (dice, rolls) in usable {
        assert_eq!(table["dice_usable_rolls"][dice.to_string()], rolls, "{dice} dice");
    }
}

/// All 36 rolls, and each sequence listed is one of those counted.
#[test]
fn turns_of_two_kings() {
    let table = json("k2-counts.json");
    let (before, rolls) = rolls(&load("king-for-2"));
    assert_eq!(rolls.len(), 36);
    let mut weighted = 0;
    let mut available = BTreeMap::<&str, u64>::new();
    for (faces, state) in rolls {
        let lost = is_lost(&before, &state);
        let turns = if lost { Turns::default() } else { count(&state).expect("turns") };
        assert_eq!(table["rolls"][&faces], turns.count, "{faces}");
        if !lost {
            let listed = sequences(&state);
            assert_eq!(listed.len() as u64, turns.count, "{faces}");
            assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "{faces}");
        }
        let moves = match fewest_and_most(&before, &state) {
            (0, 0) => "none",
            (1, 1) => "one",
            (1, 2) => "one_or_two",
            (2, 2) => "two",
            other => panic!("{faces}: {other:?}"),
        };
        weighted += turns.count;
        *available.entry(moves).or_default() += 1;
    }
    assert_eq!(table["weighted_turns"], weighted);
    for (moves, rolls) in available {
        assert_eq!(table["moves_available_rolls"][moves], rolls, "{moves}");
    }
}

/// `win / tie / lose` for an attacker against a defender, by the formulas of rules.md 4.3.
fn formula(m: u128, n: u128) -> [Ratio; 3] {
    let win = |m: u128, n: u128| if m <= n { Ratio::new(m - 1, 2 * n) } else { Ratio::new(2 * m - n - 1, 2 * m) };
    [win(m, n), Ratio::new(1, m.max(n)), win(n, m)]
}

/// BAB-3, BAB-4, BAB-5, BAB-6, BAB-9: every kind against every kind, through the script.
#[test]
fn contests_of_all_kinds() {
    let loaded = load("babylonian");
    let dice = [('P', 4), ('N', 6), ('B', 6), ('R', 8), ('Q', 12), ('K', 20)];
    for (attacker, m) in dice {
        for (defender, n) in dice {
            // The attacker on d4 meets the defender on an adjacent or a knight's square.
            let (file, rank) = match attacker {
                'N' => (4, 6),
                'R' => (3, 5),
                _ => (4, 5),
            };
            let mut rows = [[b'1'; 8]; 8];
            rows[3][3] = attacker as u8;
            rows[rank - 1][file] = defender.to_ascii_lowercase() as u8;
            rows[0][0] = if attacker == 'K' { b'1' } else { b'K' };
            rows[7][7] = if defender == 'K' { b'1' } else { b'k' };
            let rows: Vec<String> = rows.iter().rev().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
            let fen = format!("{} w - -", rows.join("/"));
            let mut state = State::new(loaded.set.clone(), position(&loaded, &fen)).expect("a game");
            let target = format!("d4{}{rank}", (b'a' + file as u8) as char);
            let paid =
                game_text::find_move(&state, &target, None).unwrap_or_else(|error| panic!("{fen} {target}: {error}"));
            apply(&mut state, &Event::Move(paid));
            let mut chances = [Ratio::ZERO; 3];
            let before = position(&loaded, &fen);
            for outcome in outcomes(&state).expect("outcomes") {
                let there = outcome.state.position().at(paid.mv.to);
                let stayed = outcome.state.position().at(paid.mv.from) == before.at(paid.mv.from);
                let index = match (there == before.at(paid.mv.from), stayed) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => 2,
                };
                chances[index] += outcome.probability;
            }
            assert_eq!(chances, formula(m, n), "{attacker} against {defender}");
        }
    }
}
