//! Chances of dice that are kept and rolled again, of draws, and of numbers bid in secret. How they are played is tested in
//! `plays/chances.play`.

use crate::common::{choices, choose, game, moves, play, roll, start, text};
use astragal_core::odds::Certainty;
use astragal_core::{Game, Ratio, Side, State, Status, Stream, odds, turns};
use astragal_dsl::notation::fen;
use astragal_dsl::{game_text, record, turn_state_text, view};
use std::cell::Cell;

const STONES: &str = r#"board(5, 3); sides(["First", "Second"]); piece("man", "M", "W"); royals("capturable");
    setup("5/M3m/5 w");"#;

/// Ones are rolled again, once: a total of 3 needs three ones again, and a total of 4 needs two ones again and a two, which
/// was there or is rolled anew.
#[test]
fn a_rule_says_which_dice_are_rolled_again() {
    let script = "fn turn() {
        let dice = roll(\"3d6\").map(|face| if face == 1 { roll(\"1d6\") } else { face });
        if dice.total < 5 { win(mover(), \"low\"); } else { play(any()) }
    }";
    let state = start(&game(&format!("{STONES} {script}")));
    let found = odds::outcomes(&state).expect("exact chances");
    let low = found.iter().filter(|outcome| outcome.state.over().is_some()).map(|outcome| outcome.probability);
    let (three, four) = (Ratio::new(1, 36 * 36 * 36), Ratio::new(3 * 7, 36 * 36 * 36));
    assert_eq!(low.fold(Ratio::ZERO, |all, one| all + one), three + four);
}

#[test]
fn dice_are_kept_and_rolled_again() {
    let script = "counter(\"pool\", 0, #{ each: true, places: 6 });
        fn turn() { let dice = reroll(cast(\"3d6\"), 2); keep(dice, \"pool\"); choose([\"done\"]); }";
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    roll(&mut state, &[4, 2, 4]);
    // Equal dice cannot be told apart: six ways, not eight.
    let ways = ["keep all", "keep 4 2", "keep 4 4", "keep 4", "keep 2", "roll all"];
    assert_eq!(choices(&state), ways);
    choose(&mut state, "keep 4 4");
    assert_eq!(state.dice().map(|dice| dice.to_string()).as_deref(), Some("1d6"));
    roll(&mut state, &[6]);
    assert!(choices(&state).contains(&"keep 4 6".into()), "{:?}", choices(&state));
    choose(&mut state, "keep all");
    assert!(text(&state).ends_with("pool=0,0,0,2,0,1/0,0,0,0,0,0"), "{}", text(&state));
    // Neither faces nor what is kept make branches.
    assert!(loaded.set.rules.report()[0].nodes < 20);
}

#[test]
fn draws_are_without_replacement_and_by_what_is_left() {
    let script = "counter(\"deck\", 0, #{ places: 3 }); counter(\"hand\", 0, #{ each: true, places: 3 });
        setup(\"5/M3m/5 w - - 0 1 deck=3,0,1\");
        fn turn() { let card = draw_from(\"deck\"); if card == () { draw(\"empty\") } else { keep(card, \"hand\"); } }";
    let loaded = game(&format!("{STONES} {script}"));
    let mut state = start(&loaded);
    let chances: Vec<(Ratio, Vec<i16>)> =
        odds::next_roll(&state).expect("chances").into_iter().map(|(chance, faces, _)| (chance, faces)).collect();
    assert_eq!(chances, [(Ratio::new(3, 4), vec![1]), (Ratio::new(1, 4), vec![3])]);
    roll(&mut state, &[3]);
    assert_eq!(text(&state), "5/M3m/5 b - - 0 1 deck=3,0,0 hand=0,0,1/0,0,0");
    for _ in 0..3 {
        roll(&mut state, &[1]);
    }
    assert_eq!(state.over().map(|over| over.reason.as_str()), Some("empty"));
}

/// A square drawn by chance is written by its name; its number among those drawn from can be read as well.
#[test]
fn squares_drawn_go_by_their_names() {
    let script = "fn turn() { remove(draw_from(squares(\"b2 d2 e2\"))); play(any()) }";
    let loaded = game(&format!("{STONES} setup(\"5/MM1mm/5 w\"); {script}"));
    let mut played = Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
    let before = played.state().clone();
    assert_eq!(game_text::read_roll(&before, "d2"), Ok(vec![2]));
    assert_eq!(game_text::read_roll(&before, "2"), Ok(vec![2]));
    let error = game_text::read_roll(&before, "c2").expect_err("not among them");
    assert_eq!(error, "expected one of the possible squares (b2, d2, e2), found 'c2'");
    assert!(game_text::read_roll(&before, "2 x9").is_err());
    played.set_roll(&[2]).expect("a roll");
    let said = view::event_text(&before, &played.entries()[0].event, None);
    assert_eq!(said, "Roll of draw(1 of 3): d2.");
    let saved = record::write(&loaded, &played, &[]);
    assert!(saved.contains("%roll d2]"), "{saved}");
    for text in [saved.clone(), saved.replace("%roll d2]", "%roll 2]")] {
        let (_, again) = record::read(&text, |_, _| Ok(loaded.clone())).expect("a record");
        assert_eq!(again.state().position(), played.state().position());
    }
    let turns = record::turns(&played);
    assert_eq!(turns[0].text(), "[d2]");
    // Dice that draw nothing are read by their faces alone.
    assert!(game_text::read_roll(played.state(), "d2").is_err());
}

const BID: &str = "counter(\"chips\", 3, #{ each: true });
    fn turn() {
        let a = choose_number(mover(), 0, number(\"chips\", mover()), #{ secret: true });
        let b = choose_number(opponent(), 0, number(\"chips\", opponent()), #{ secret: true });
        add(\"chips\", mover(), 0 - a); add(\"chips\", opponent(), 0 - b);
        hand_over(if a >= b { mover() } else { opponent() });
        play(any());
    }";

#[test]
fn bids_are_secret_until_both_are_made() {
    let loaded = game(&format!("{STONES} {BID}"));
    let mut bidding = Game::new(loaded.set.clone(), loaded.start.clone(), 0).expect("a game");
    let before = bidding.state().clone();
    assert_eq!(choices(&before), ["0", "1", "2", "3"]);
    bidding.choose(2).expect("a bid");
    let event = &bidding.entries()[0].event;
    assert_eq!(bidding.entries()[0].secret, Some(Side(0)));
    assert_eq!(view::event_text(&before, event, Some(Side(0))), "First chooses 2.");
    assert_eq!(view::event_text(&before, event, Some(Side(1))), "First chooses in secret.");
    assert_eq!(astragal_dsl::record::turns_for(&bidding, Some(Side(1)))[0].text(), "[?]");
    // The other does not see what the first may bid while that is open, nor now what it has bid.
    assert!(!view::knows_options(&before, Some(Side(1))) && view::knows_options(&before, Some(Side(0))));
    let seen = view::position(&loaded, &bidding, Some(Side(1)));
    assert_eq!(
        seen,
        view::position(&loaded, &Game::new(loaded.set.clone(), loaded.start.clone(), 0).unwrap(), Some(Side(1)))
    );
    let mut state = bidding.state().clone();
    assert_eq!(state.chooser(), Side(1));
    choose(&mut state, "3");
    assert_eq!((state.chooser(), moves(&state)), (Side(1), vec!["e2d2".into(), "e2e1".into(), "e2e3".into()]));
    play(&mut state, "e2d2");
    assert!(text(&state).contains("chips=1/0"), "{}", text(&state));
    // Two bids of four numbers make no sixteen branches.
    assert!(loaded.set.rules.report()[0].nodes < 60);
}

/// Which dice can come up is found out when it is asked, or at once if a permit consults a rule, with the same result.
#[test]
fn only_dice_that_allow_a_move_come_up() {
    for (dice, outcomes) in [("1d6", 6), ("1d6+1d12", 72)] {
        compare_rolls(dice, outcomes);
    }
}

/// Compares the rolls that can come up when it is asked with those found at once, in games whose first die names the kind
/// that moves.
fn compare_rolls(dice: &str, outcomes: u64) {
    let chess = |test: &str| {
        format!(
            "import \"chess\" as chess; chess::setup(); royals(\"capturable\", \"free\");
            const MEN = [\"pawn\", \"knight\", \"bishop\", \"rook\", \"queen\", \"king\"];
            fn first(dice) {{ if type_of(dice) == \"array\" {{ dice[0] }} else {{ dice }} }}
            fn turn() {{
                let dice = roll_playable(\"{dice}\", |dice| pieces(MEN[first(dice) - 1]){test});
                if dice != () {{ play(pieces(MEN[first(dice) - 1])) }}
            }}
            fn outcome() {{ if !has(opponent(), \"king\") {{ win(mover(), \"king captured\"); }} }}"
        )
    };
    let (asked, at_once) = (game(&chess("")), game(&chess(".where(|mv| true)")));
    let mut barred = 0;
    for seed in 0..10 {
        let (mut lazy, mut eager) = (start(&asked), start(&at_once));
        let mut stream = Stream::new(seed, 0);
        for _ in 0..80 {
            if lazy.status() != Status::Chance {
                break;
            }
            let copy = lazy.clone();
            let possible: Vec<u64> = (0..outcomes).filter(|&index| lazy.can_roll(index)).collect();
            let backwards: Vec<u64> = (0..outcomes).rev().filter(|&index| copy.can_roll(index)).collect();
            assert!(backwards.iter().rev().eq(&possible));
            assert_eq!((0..outcomes).filter(|&index| eager.can_roll(index)).collect::<Vec<_>>(), possible);
            barred += outcomes - possible.len() as u64;
            let index = possible[stream.below(possible.len() as u64) as usize];
            let moves = |state: &astragal_core::State| state.moves().to_vec();
            for state in [&mut lazy, &mut eager] {
                state.roll(index).expect("the rules go on");
            }
            assert_eq!(moves(&lazy), moves(&eager));
            let paid = lazy.moves()[stream.below(lazy.moves().len() as u64) as usize];
            for state in [&mut lazy, &mut eager] {
                state.play(paid).expect("the rules go on");
            }
        }
    }
    assert!(barred > 500, "{barred}");
}

/// Dice that pay for the same moves are one sort of die, whatever they show, unless a payment by several dice names one.
#[test]
fn dice_that_pay_for_the_same_are_not_told_apart() {
    let script = |turn: &str| format!(r#"import "chess" as chess; chess::setup(); fn turn() {{ {turn} }}"#);
    let turns = |turn: &str, faces: &[i16]| {
        let mut state = start(&game(&script(turn)));
        if !faces.is_empty() {
            roll(&mut state, faces);
        }
        turns::count(&state).expect("turns")
    };
    let free = turns("play(any()); play(any());", &[]);
    let dice = r#"play_each(roll("2d6"), |die| any(), #{ spend: "most" })"#;
    for faces in [[2, 2], [2, 5]] {
        assert_eq!(turns(dice, &faces).count, free.count, "{faces:?}");
    }
    // All rolls at once are counted alike.
    let every = |turn: &str| turns::every_roll(&start(&game(&script(turn)))).expect("turns").expect("a plain turn");
    let all = every(dice);
    assert_eq!(all.len(), 21);
    assert!(all.iter().all(|(_, turns)| turns.count == free.count), "{all:?}");
    // A 6 that pays with another 6 for something else is told apart, and so are dice of which one is passed over.
    let together = r#"play_each(roll("2d6"), |die| any(), #{ spend: "any", also: pay([6, 6], castling()) })"#;
    let mut state = start(&game(&script(together)));
    roll(&mut state, &[5, 6]);
    assert_eq!(state.moves().len(), 40);
    // Who says which of two equal dice pays uses that one: as before, in records too.
    let loaded = game(&script(r#"play_each(roll("2d6"), |die| any(), #{ spend: "any" })"#));
    let mut played = Game::new(loaded.set.clone(), loaded.start.clone(), 1).expect("a game");
    played.set_roll(&[2, 5]).expect("a roll");
    assert_eq!(played.state().moves().len(), 20);
    let paid = game_text::find_move(played.state(), "e2e4", Some(&[5])).expect("paid with the 5");
    played.play(paid).expect("a move");
    assert_eq!(played.state().unused(), Some(vec![2]));
    let saved = record::write(&loaded, &played, &[]);
    let (_, again) = record::read(&saved, |_, _| Ok(loaded.clone())).expect("a record");
    assert_eq!(again.state().unused(), Some(vec![2]));
    let half = astragal_dsl::turn_state_text::position(&loaded, &played);
    let resumed = turn_state_text::begin(&loaded, fen::parse(&loaded.set.variant, &half).expect("a position"), 1)
        .expect("a game");
    assert_eq!(resumed.state().fingerprint(), played.state().fingerprint());
    assert!(game_text::find_move(played.state(), "d2d4", Some(&[5])).is_err());
}

/// The chances of the first turn by how the game ends: won by the first side, drawn, or neither.
fn ends(script: &str) -> ([Ratio; 3], Certainty) {
    let state = start(&game(&format!("{STONES} counter(\"sum\", 0); {script} fn outcome() {{}}")));
    let found = odds::explore(&state, &|| false).expect("rules").expect("not stopped");
    let mut chances = [Ratio::ZERO; 3];
    for outcome in found.outcomes {
        chances[end(&outcome.state)] += outcome.probability;
    }
    (chances, found.certainty)
}

fn end(state: &State) -> usize {
    match state.over().map(|over| over.winner) {
        Some(Some(_)) => 0,
        Some(None) => 1,
        None => 2,
    }
}

/// The same by looking at every outcome of every roll.
fn ends_one_by_one(state: &State, chance: Ratio, chances: &mut [Ratio; 3]) {
    if state.status() != Status::Chance || state.turn() > 0 {
        chances[end(state)] += chance;
        return;
    }
    for (part, _, next) in odds::next_roll(state).expect("rules") {
        ends_one_by_one(&next, chance * part, chances);
    }
}

/// In how many ways dice with so many faces show each sum.
fn ways(dice: usize, faces: usize) -> Vec<u128> {
    let mut ways = vec![1_u128];
    for _ in 0..dice {
        let mut longer = vec![0; ways.len() + faces];
        for (sum, times) in ways.iter().enumerate() {
            (1..=faces).for_each(|face| longer[sum + face] += times);
        }
        ways = longer;
    }
    ways
}

/// What is left of certainty.
fn rest(chance: Ratio) -> Ratio {
    Ratio::new(chance.denominator() - chance.numerator(), chance.denominator())
}

const IF_MORE: &str = "{ win(mover(), \"more\"); } else { draw(\"less\"); }";

/// 2 821 109 907 456 outcomes, and 10^13: with sums, whole numbers and fractions, these take no time.
#[test]
fn sums_of_many_dice_are_exact() {
    for (dice, faces, least) in [(16, 6, 50), (8, 6, 28), (10, 20, 105)] {
        let script = format!("fn turn() {{ if cast(\"{dice}d{faces}\").total > {least} {IF_MORE} }}");
        let more = Ratio::new(ways(dice, faces)[least + 1..].iter().sum(), (faces as u128).pow(dice as u32));
        let (found, certainty) = ends(&script);
        assert_eq!((found[0], found[2], certainty), (more, Ratio::ZERO, Certainty::Exact), "{dice}d{faces}");
    }
    // The chance of five sixes or more among sixteen dice, by binomials.
    let mut binomials = vec![1_u128];
    for _ in 0..16 {
        let row: Vec<u128> = binomials.windows(2).map(|pair| pair[0] + pair[1]).collect();
        binomials = [&[1][..], &row, &[1]].concat();
    }
    let many: u128 = (5..=16).map(|sixes| binomials[sixes] * 5_u128.pow(16 - sixes as u32)).sum();
    let (found, _) = ends(&format!("fn turn() {{ if cast(\"16d6\").count_of(6) >= 5 {IF_MORE} }}"));
    assert_eq!(found[0], Ratio::new(many, 6_u128.pow(16)));
}

/// Only the sum of a chain of rolls is asked, so 20^12 outcomes take no more work than their sums.
#[test]
fn chains_of_rolls_are_merged() {
    let script = format!(
        "fn turn() {{ for i in 0..12 {{ add(\"sum\", cast(\"1d20\").total); }} if number(\"sum\") > 130 {IF_MORE} }}"
    );
    let more = Ratio::new(ways(12, 20)[131..].iter().sum(), 20_u128.pow(12));
    assert_eq!(ends(&script), ([more, rest(more), Ratio::ZERO], Certainty::Exact));
    // The same of dice that the script sees, where nothing but its variables tells where it stands.
    let script = format!(
        "fn turn() {{ let sum = 0; let i = 0; while i < 6 {{ sum += roll(\"1d6\"); i += 1; }} if sum > 20 {IF_MORE} }}"
    );
    let more = Ratio::new(ways(6, 6)[21..].iter().sum(), 6_u128.pow(6));
    assert_eq!(ends(&script), ([more, rest(more), Ratio::ZERO], Certainty::Exact));
}

/// Whatever is asked about dice, and whenever: the chances are the same as outcome by outcome.
#[test]
fn chances_are_those_of_all_outcomes() {
    let asks = [
        "let d = cast(\"3d6\"); if d[0] > d[2]",
        "let d = cast(\"4d4\"); if d.total > 10 { if d.highest > d.ranked(2) { win(mover(), \"\"); } } if d.alike > 2",
        "let d = cast(\"4d4\"); if d.count_of(1) == 2 { if d.row > 2 { return; } draw(\"\"); return; } if \
         d.different > 2",
        "let a = cast(\"2d6\"); let b = cast(\"2d4\"); if b.highest > 2 && a.total > b.total",
        "let a = cast(\"2d6\"); let b = cast(\"1d4\"); if b.total == 1 { b = cast(\"2d4\"); } if a.lowest > b.total",
        "counter(\"pool\", 0, #{ places: 6 }); keep(cast(\"3d6\"), \"pool\"); if highest(\"pool\") - held(\"pool\") > 2",
        "let r = roll_each(squares(\"a2 e2 c3\"), #{ man: \"1d6\" }); place(\"c3\", mover(), \"man\");
         if r.compare(squares(\"a2\"), squares(\"e2\")) == 1",
        "place(\"c3\", mover(), \"man\"); let r = roll_each(squares(\"a2 e2 c3\"), #{ man: \"1d6\" });
         if r.lowest_squares(squares(\"a2 e2 c3\")).count() == 1 && r.total(squares(\"a2 c3\")) > 8",
        "let a = roll(\"1d4\"); let b = cast(\"3d4\"); if a * 2 < b.total",
        "for i in 0..3 { if cast(\"2d4\").total > 5 { add(\"sum\", 1) } } if number(\"sum\") > 1",
        "let i = 0; let last = 0; while i < 4 { let now = roll(\"1d3\"); if now == last { break; } last = now; i += 1; }
         if i > 2",
    ];
    for ask in asks {
        let (declared, ask) = ask
            .split_once("; keep")
            .map_or((String::new(), ask.to_owned()), |(counter, rest)| (format!("{counter};"), format!("keep{rest}")));
        let script = format!("{declared} fn turn() {{ {ask} {IF_MORE} }}");
        let mut expected = [Ratio::ZERO; 3];
        let state = start(&game(&format!("{STONES} counter(\"sum\", 0); {script} fn outcome() {{}}")));
        ends_one_by_one(&state, Ratio::ONE, &mut expected);
        assert_eq!(ends(&script), (expected, Certainty::Exact), "{ask}");
        assert!(expected[0] > Ratio::ZERO && expected[0] < Ratio::ONE, "{ask}: {expected:?}");
    }
}

/// What has to be decided depends on the dice, although nobody has seen them.
#[test]
fn decisions_that_differ_are_told_apart() {
    let script = format!("{STONES} fn turn() {{ choose_number(mover(), 1, cast(\"2d6\").total); }}");
    let state = start(&game(&script));
    let found = odds::outcomes(&state).expect("exact");
    let counts: Vec<usize> = found.iter().map(|outcome| outcome.state.choices().len()).collect();
    assert_eq!(counts, (2..=12).collect::<Vec<_>>());
    assert_eq!(found[5].probability, Ratio::new(1, 6));
}

/// A tie is rolled again: the series of all ties is summed.
#[test]
fn loops_with_a_chance_to_go_on_are_summed() {
    let again = |a: &str, b: &str, more: &str| {
        format!(
            "fn turn() {{ loop {{ let a = {a}; let b = {b}; {more} if a > b {{ win(mover(), \"more\"); break; }}
             if b > a {{ draw(\"less\"); break; }} }} }}"
        )
    };
    let exact = |win, draw, all| ([Ratio::new(win, all), Ratio::new(draw, all), Ratio::ZERO], Certainty::Exact);
    for throw in ["roll(\"1d6\")", "cast(\"1d6\").total"] {
        assert_eq!(ends(&again(throw, throw, "")), exact(1, 1, 2), "{throw}");
    }
    // Of 48 pairs 15 win and 6 tie.
    assert_eq!(ends(&again("roll(\"1d6\")", "roll(\"1d8\")", "")), exact(15, 27, 42));
    assert_eq!(ends(&again("roll(\"1d6\")", "cast(\"1d8\").total", "")), exact(15, 27, 42));
    // Old variables are overwritten, but the run cannot know: there are six ways to tie.
    let script = "fn turn() { let a = roll(\"1d6\"); let b = roll(\"1d8\");
        while a == b { a = roll(\"1d6\"); b = roll(\"1d8\"); } if a > b";
    assert_eq!(ends(&format!("{script} {IF_MORE} }}")), exact(15, 27, 42));
    // Passes that are counted are not all alike: three of them, and then nothing.
    let counted = again("roll(\"1d6\")", "roll(\"1d8\")", "n += 1; if n == 3 { return; }");
    let (found, certainty) = ends(&counted.replace("fn turn() {", "fn turn() { let n = 0;"));
    assert_eq!(found[0], Ratio::new(15, 48) + Ratio::new(1, 8) * Ratio::new(15, 48));
    assert_eq!((found[2], certainty), (Ratio::new(1, 64), Certainty::Exact));
    // Neither are passes that leave something on the board.
    let (found, certainty) = ends(&again("roll(\"1d6\")", "roll(\"1d6\")", "add(\"sum\", 1);"));
    assert!(matches!(certainty, Certainty::Within(bound) if bound < 1e-3), "{certainty:?}");
    assert!((found[0].to_f64() - 0.5).abs() < 1e-3 && found[0] == found[1], "{found:?}");
}

/// In a capture, too, where one rule runs within another.
#[test]
fn ties_of_captures_are_summed() {
    let script = "board(5, 3); sides([\"First\", \"Second\"]); piece(\"man\", \"M\", \"W\"); royals(\"capturable\");
        setup(\"4m/1Mm2/5 w\");
        fn turn() { play(any()); }
        fn capture(attacker, defender) {
            loop {
                let a = roll(\"1d6\");
                let b = roll(\"1d8\");
                if a > b { take(); break; }
                if b > a { stand_off(); break; }
            }
        }
        fn outcome() {}";
    let mut state = start(&game(script));
    play(&mut state, "b2c2");
    let found = odds::outcomes(&state).expect("exact");
    let chance = |board: &str| {
        let of = found.iter().filter(|outcome| text(&outcome.state).starts_with(board));
        of.fold(Ratio::ZERO, |sum, outcome| sum + outcome.probability)
    };
    assert_eq!((chance("4m/2M2/5 b"), chance("4m/1Mm2/5 b")), (Ratio::new(15, 42), Ratio::new(27, 42)));
}

#[test]
fn too_many_rolls_are_drawn_by_chance() {
    let twelve = "fn turn() { let all = []; for i in 0..12 { all.push(roll(\"1d20\")); }
        let sum = 0; for face in all { sum += face; } if sum > 130";
    let script = format!("{twelve} {IF_MORE} }}");
    let (found, certainty) = ends(&script);
    let Certainty::Drawn(trials) = certainty else { panic!("{certainty:?}") };
    assert!(trials >= 1000 && found[0] + found[1] == Ratio::ONE, "{trials}: {found:?}");
    // Four standard deviations about the exact chance.
    let more = ways(12, 20)[131..].iter().sum::<u128>() as f64 / 20_f64.powi(12);
    assert!((found[0].to_f64() - more).abs() < 4.0 * 0.5 / (trials as f64).sqrt(), "{found:?} against {more}");
    assert_eq!(ends(&script), (found, certainty), "always the same turns");
    // Ten dice that the script sees.
    let (found, certainty) = ends(&format!("fn turn() {{ let d = roll(\"6d10\"); if d[0] > d[1] {IF_MORE} }}"));
    assert!(matches!(certainty, Certainty::Drawn(_)) && (found[0].to_f64() - 0.45).abs() < 0.05, "{found:?}");
}

/// Twice six dice that are looked at one by one: 462 times 462 outcomes. The first 462 are visited to learn what is asked
/// about the second; then none of the second are visited, and rolls are drawn at random instead.
#[test]
fn a_round_too_long_is_not_begun() {
    let script = "counter(\"dice\", 0, #{ each: true, places: 6 });
        fn turn() { for player in [mover(), opponent()] { keep(cast(\"6d6\"), \"dice\", player); } play(any()) }";
    let state = start(&game(&format!("{STONES} {script}")));
    let rolls = Cell::new(0);
    let count = || {
        rolls.set(rolls.get() + 1);
        false
    };
    let found = odds::explore(&state, &count).expect("rules that run").expect("not stopped");
    assert_eq!(found.certainty, Certainty::Drawn(odds::DRAWN));
    assert!(rolls.get() < 2 * odds::DRAWN + 3 * 462, "{} rolls", rolls.get());
}

#[test]
fn chances_stop_when_they_are_asked_to() {
    let rule = "fn turn() { for i in 0..12 { roll(\"1d20\"); } play(any()) }";
    let state = start(&game(&format!("{STONES} {rule}")));
    let asked = std::cell::Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 50;
    assert!(odds::explore(&state, &stop).expect("rules").is_none());
    assert_eq!(asked.get(), 51);
}
