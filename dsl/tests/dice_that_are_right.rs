//! Uses of dice that look like mistakes and are none: `check` says nothing of them.

use astragal_dsl::{Severity, Source, check};

/// A small game of two pawns' lines around what is done with dice.
fn game(tables: &str, rest: &str) -> Source {
    let text = format!(
        "title(\"Small\");\nboard(6, 6);\nsides([\"White\", \"Black\"]);\n\
         piece(\"pawn\", \"P\", \"K\");\npiece(\"knight\", \"N\", \"N\");\npiece(\"rook\", \"R\", \"R\");\n\
         setup(\"pppnnr/6/6/6/6/RNNPPP w\");\nroyals(\"capturable\");\n{tables}\n{rest}\n\
         fn outcome() {{ if count(opponent()) == 0 {{ win(mover(), \"all taken\"); }} \
         if clock_reached(40) {{ draw(\"long\"); }} }}\n"
    );
    Source { name: "small".into(), path: None, text }
}

#[test]
fn nothing_is_said_of_dice_that_are_right() {
    let right = [
        (
            "a list whose first entry is only passed over",
            "const KIND = [\"\", \"pawn\", \"knight\", \"rook\"];",
            "fn turn() { play(pieces(KIND[roll(\"1d3\")])) }",
        ),
        (
            "a list with a nothing for its first entry",
            "const KIND = [(), \"pawn\", \"knight\", \"rook\"];",
            "fn turn() { play(pieces(KIND[roll(\"1d3\")])) }",
        ),
        (
            "doubles are played four times",
            "",
            "fn turn() { let dice = roll(\"2d3\"); \
             let all = if dice[0] == dice[1] { [dice[0], dice[0]] } else { [dice[0], dice[1]] }; \
             play_each(all, |die| steps(1, die)); }",
        ),
        (
            "a function that takes the first of its dice",
            "",
            "fn turn() { let dice = roll(\"2d3\"); play(steps(1, first(dice))); play(steps(1, dice[1])); }\n\
             fn first(dice) { dice[0] }",
        ),
        (
            "two rolls that are written alike",
            "",
            "fn turn() { let n = roll(\"1d3\") - roll(\"1d3\"); if n > 0 || roll(\"1d6\") == 6 || roll(\"1d6\") == 6 \
             { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "a throw again under a condition",
            "",
            "fn turn() { let die = roll(\"1d6\"); if die < 3 { die = roll(\"1d6\"); } \
             if die >= 6 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "a loop over dice that does the same for each",
            "",
            "fn turn() { let dice = roll(\"2d3\"); let n = dice.total; for die in dice { if n > 4 { play(any()); } \
             else { play(pieces(\"pawn\")); } } }",
        ),
        (
            "a sum of which the rest was sorted out before",
            "",
            "fn turn() { let dice = roll(\"2d3\"); if dice.total in [2, 3] { return pass_on(); } \
             let kind = switch dice.total { 4 => \"pawn\", 5 => \"knight\", 6 => \"rook\" }; play(pieces(kind)); }\n\
             fn pass_on() { play(any()) }",
        ),
        (
            "faces counted one by one, the highest elsewhere",
            "",
            "fn turn() { let dice = roll(\"3d4\"); let most = 0; for face in 1..4 { most = max(most, dice.count_of(face)); } \
             if dice.count_of(4) > most { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "a counter beside the die",
            "counter(\"left\", 0);",
            "fn turn() { let n = number(\"left\"); if n == 0 { n = roll(\"1d3\"); } \
             if n > 5 { set(\"left\", 0); } else { set(\"left\", 6); } play(any()); }",
        ),
        (
            "a list of numbers that dice and others ask",
            "const FAR = [1, 2, 3, 4];",
            "fn turn() { let die = roll(\"1d3\"); play(steps(1, FAR[die])); play(steps(1, FAR[0])); }",
        ),
        (
            "a range that ends at the highest face",
            "",
            "fn turn() { let die = roll(\"1d6\"); if die in 2..6 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "dice that are looked at by a loop",
            "",
            "fn turn() { let dice = roll(\"3d3\"); let n = 0; for i in 0..dice.len() { n += dice[i]; } \
             if n > 6 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "sorted dice in their order",
            "",
            "fn turn() { let dice = roll(\"3d3\", #{ sorted: true }); if dice[2] > dice[0] { play(any()); } \
             else { play(pieces(\"pawn\")); } if dice[0] == dice[1] { again(); } }",
        ),
        (
            "the lowest of sorted dice left aside",
            "",
            "fn turn() { let dice = roll(\"3d3\", #{ sorted: true }); let middle = roll(\"3d3\", #{ sorted: true })[1]; \
             if dice[1] + dice[2] > 4 || middle == 3 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "either die for each of them",
            "",
            "fn turn() { let dice = roll(\"2d3\"); for die in dice { play(steps(1, dice[0]) | steps(2, dice[1])); } }",
        ),
        (
            "a table in which 0 stands for none",
            "const WORTH = #{ pawn: 1, knight: 2, rook: 0 };",
            "fn turn() { let die = roll(\"1d3\"); \
             play(pieces(WORTH.keys().filter(|kind| WORTH[kind] == die)) | pieces(\"rook\")); }",
        ),
        (
            "a pool of which the highest face is a joker",
            "counter(\"dice\", 0, #{ each: true, places: 4 });",
            "fn turn() { if !holds(\"dice\") { keep(cast(\"2d4\"), \"dice\"); } \
             let paid = payable(\"dice\", [\"pawn\", \"knight\", \"rook\"]); \
             let mv = play(if holds(\"dice\", mover(), 4) { any() } else { paid }); spend(\"dice\", choose_held(mover(), \"dice\")); \
             if mv == () { label(\"none\"); } }",
        ),
        (
            "a difference without its sign",
            "",
            "fn turn() { let dice = roll(\"2d3\"); let far = (dice[0] - dice[1]).abs(); \
             if far == 2 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
    ];
    silent_about(&right);
}

/// Each script, with what is right in it, is checked without a warning.
fn silent_about(right: &[(&str, &str, &str)]) {
    let mut said = String::new();
    for (what, tables, rest) in right {
        let found = check(&game(tables, rest));
        let loud = found.iter().filter(|one| one.severity != Severity::Note);
        loud.for_each(|one| said.push_str(&format!("{what}:\n{}\n", one.render(false))));
    }
    assert!(said.is_empty(), "{said}");
}

#[test]
fn nothing_is_said_of_ranges_that_leave_out_what_something_else_handles() {
    silent_about(&[
        (
            "the last kind by another rule",
            "const KIND = [\"pawn\", \"knight\", \"rook\"];",
            "fn turn() { let shown = nothing(); for n in 1..3 { shown |= pieces(KIND[n - 1]); } \
             if roll(\"1d3\") == 3 { shown |= pieces(\"rook\"); } play(shown) }",
        ),
        (
            "the last entry by its number",
            "const FAR = [1, 2, 3, 4];",
            "fn turn() { let n = roll(\"1d6\"); for i in 0..3 { n += FAR[i]; } play(steps(1, n + FAR[-1])) }",
        ),
        (
            "each entry beside the next",
            "",
            "fn turn() { let dice = roll(\"3d6\"); let rising = true; \
             for i in 0..2 { if dice[i] > dice[i + 1] { rising = false; } } \
             if rising { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "the first half of a list",
            "const FAR = [1, 2, 3, 4];",
            "fn turn() { let n = roll(\"1d6\"); for i in 0..2 { n += FAR[i]; } play(steps(1, n)) }",
        ),
        (
            "two ranges for all faces",
            "const KIND = [\"pawn\", \"knight\", \"rook\"];",
            "fn turn() { let die = roll(\"1d3\"); if die in 1..3 { play(pieces(KIND[die - 1])); } \
             if die in 3..4 { play(any()); } }",
        ),
        (
            "a chain of ranges with an end for the rest",
            "",
            "fn turn() { let die = roll(\"1d6\"); if die in 1..3 { play(any()); } else if die in 3..6 { play(pieces(\"pawn\")); } \
             else { play(pieces(\"rook\")); } }",
        ),
        (
            "a chain of ranges that leaves out two faces",
            "",
            "fn turn() { let die = roll(\"1d6\"); if die in 1..3 { play(any()); } else if die in 3..5 { play(pieces(\"pawn\")); } }",
        ),
        (
            "bounds that leave room, and bounds for the rest",
            "",
            "fn turn() { let dice = roll(\"2d6\"); if dice.total >= 5 && dice.total <= 9 || dice[0] > 5 && dice[1] < 2 { again(); } \
             if dice.total < 4 || dice.total > 10 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "sorted dice by their names",
            "",
            "fn turn() { let dice = roll(\"2d6\", #{ sorted: true }); let high = dice[1]; let low = dice[0]; \
             if high > 2 * low { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "a list that is filled by a loop and behind it",
            "",
            "fn turn() { let far = []; for n in 1..3 { far.push(n); } far.push(6); play(steps(1, far[roll(\"1d3\") - 1])) }",
        ),
        (
            "the whole list behind a loop over its beginning",
            "const KIND = [\"pawn\", \"knight\", \"rook\"];",
            "fn turn() { let n = roll(\"1d6\"); for i in 0..2 { if has(mover(), KIND[i]) { n += 1; } } \
             if n > 4 { play(any()); } else { play(pieces(KIND)); } }",
        ),
    ]);
}

#[test]
fn nothing_is_said_of_rolls_that_are_turned_into_other_numbers() {
    silent_about(&[
        (
            "a number that a roll is turned into",
            "",
            "fn turn() { let n = roll(\"4d{0,1}\", |sticks| if sticks.total == 0 { 6 } else { sticks.total }); \
             play(steps(1, n)); if n == 4 || n == 6 { again(); } }",
        ),
        (
            "one that is set anew under a condition",
            "",
            "fn turn() { let n = roll(\"4d{0,1}\", |sticks| sticks.total); if n == 4 { n = 8; } if n == 0 { n = 6; } \
             play(steps(1, n)); if n == 8 || n == 6 { again(); } }",
        ),
        (
            "one that is set anew within the condition",
            "",
            "fn turn() { let die = roll(\"1d6\"); if die == 6 { die = roll(\"1d6\"); if die == 5 { again(); } } \
             play(steps(1, die)); }",
        ),
        (
            "what is left by one condition behind another",
            "",
            "fn turn() { let dice = roll(\"2d{1,3}\"); \
             if dice.total == 2 { play(pieces(\"pawn\")); } else if dice.total == 4 { play(pieces(\"rook\")); } \
             else { play(if dice.total == 6 { any() } else { pieces(\"knight\") }); } }",
        ),
        (
            "a table of scores",
            "",
            "fn turn() { let score = roll(\"4d{0,1}\", |sticks| [12, 2, 0, 0, 8][sticks.total]); if score == 0 { return; } \
             play(steps(1, score)); if score in [8, 12] { again(); } }",
        ),
        (
            "a switch that turns a roll",
            "",
            "fn turn() { let n = roll(\"1d6\", |die| switch die { 1 => 10, 6 => 0, _ => die }); \
             play(steps(1, switch n { 10 => 3, 0 => 1, _ => 2 })); if n == 5 { again(); } }",
        ),
        (
            "a roll that may find nothing to play",
            "",
            "fn turn() { let die = roll_playable(\"1d6\", |die| steps(1, die)); if die == () { return; } play(steps(1, die)) }",
        ),
        (
            "a roll or nothing, as a condition decides",
            "",
            "fn turn() { let die = if has(mover(), 3) { roll(\"1d6\") } else { () }; \
             if die == () { play(any()); } else { play(steps(1, die)); } }",
        ),
        (
            "a limit that counts",
            "",
            "fn turn() { let dice = roll(\"2d6\"); play(steps(1, max(dice[0] - dice[1], 1))); \
             play(steps(1, min(dice.total, 8))); }",
        ),
    ]);
}

#[test]
fn nothing_is_said_of_dice_whose_order_means_something() {
    silent_about(&[
        (
            "the first die says what, the second how far",
            "const KIND = [\"pawn\", \"knight\", \"rook\"];",
            "fn turn() { let dice = roll(\"2d3\"); if dice[0] == 1 && dice[1] == 2 { return play(any()); } \
             play(pieces(KIND[dice[0] - 1]) & steps(1, dice[1])) }",
        ),
        (
            "both orders",
            "",
            "fn turn() { let dice = roll(\"2d6\"); \
             if dice[0] == 1 && dice[1] == 2 || dice[0] == 2 && dice[1] == 1 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "dice of two makes",
            "",
            "fn turn() { let dice = roll(\"1d6+1d8\"); \
             if dice[0] == 1 && dice[1] == 2 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "dice that a script sorts itself",
            "",
            "fn turn() { let dice = roll(\"2d6\"); dice.sort(); \
             if dice[0] == 1 && dice[1] == 2 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "a function that tells the dice apart",
            "",
            "fn turn() { let dice = roll(\"2d3\"); if dice[0] == 1 && dice[1] == 2 { again(); } onward(dice); }\n\
             fn onward(dice) { play(steps(1, dice[0])); play(from(file(dice[1]))); }",
        ),
        (
            "doubles",
            "",
            "fn turn() { let dice = roll(\"2d6\"); if dice[0] == 6 && dice[1] == 6 { again(); } play(steps(1, dice.total)); }",
        ),
        (
            "sorted dice in their order, and by rank",
            "const LUCKY = [[6, 5, 4], [3, 3, 1]];",
            "fn turn() { let dice = roll(\"3d6\", #{ sorted: true }); \
             if dice[0] == 1 && dice[1] == 2 && dice[2] == 2 { again(); } \
             if LUCKY.some(|row| dice.ranked(1) == row[0] && dice.ranked(2) == row[1]) { again(); } \
             if dice.ranked(1) == 6 && dice.ranked(3) == 1 { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "lists whose entries stand for other ranks",
            "const LUCKY = [[1, 6], [2, 4]];",
            "fn turn() { let dice = roll(\"2d6\", #{ sorted: true }); let won = false; \
             for row in LUCKY { if dice.ranked(1) == row[1] && dice.ranked(2) == row[0] { won = true; } } \
             if won { play(any()); } else { play(pieces(\"pawn\")); } }",
        ),
        (
            "a list of one make of dice whose order counts",
            "",
            "fn turn() { let dice = roll(\"2d3\"); if dice == [1, 2] { again(); } \
             play(steps(1, dice[0])); play(from(file(dice[1]))); }",
        ),
    ]);
}

#[test]
fn nothing_is_said_of_tables_that_fit_their_dice() {
    silent_about(&[
        (
            "a face that the table leaves to a rule",
            "const FACE = #{ pawn: 2, knight: 3, rook: 4 };",
            "fn turn() { let die = roll(\"1d4\"); if die == 1 { return play(any()); } \
             play(pieces(FACE.keys().filter(|kind| FACE[kind] == die))) }",
        ),
        (
            "a table for a single face",
            "const FACE = #{ pawn: 5, knight: 6 };",
            "fn turn() { let die = roll(\"1d6\"); play(pieces(FACE.keys().filter(|kind| FACE[kind] == die))); play(any()) }",
        ),
        (
            "a key for each face",
            "const FACE = #{ \"1\": \"pawn\", \"2\": \"knight\", \"3\": \"rook\" };",
            "fn turn() { let die = roll(\"1d3\"); play(pieces(FACE[\"\" + die])) }",
        ),
        (
            "a key that a condition has looked for",
            "const FACE = #{ \"1\": \"pawn\", \"2\": \"knight\", \"3\": \"rook\" };",
            "fn turn() { let die = roll(\"1d4\"); if die > 3 { return play(any()); } play(pieces(FACE[\"\" + die])) }",
        ),
        (
            "keys of capitals that spell nothing",
            "const WAYS = #{ ABC: [\"pawn\", \"knight\", \"rook\"], XYZ: [\"rook\", \"knight\", \"pawn\"] };",
            "fn turn() { play(pieces(WAYS[if roll(\"1d6\") == 6 { \"ABC\" } else { \"XYZ\" }])) }",
        ),
        (
            "a die of its own for each piece",
            "const DIE = #{ pawn: \"1d4\", knight: \"1d6\", rook: \"1d8\" };",
            "fn turn() { play(any()) }\nfn capture(attacker, defender) { \
             let dice = cast(DIE[attacker.kind] + \"+\" + DIE[attacker.kind] + \"+\" + DIE[defender.kind]); \
             if dice[0] + dice[1] > dice[2] { take(); } else { stand_off(); } }",
        ),
        (
            "the last die that counts in order",
            "",
            "fn turn() { let last = 0; for die in roll(\"3d3\") { last = die; } play(steps(1, last)) }",
        ),
        (
            "the number of dice, of which there may be two",
            "",
            "fn turn() { let dice = roll(\"2d3\"); play(if has(mover(), 3) { shown(dice) } else { shown([dice[0]]) }) }\n\
             fn shown(dice) { if dice.len() == 2 { any() } else { steps(1, dice[0]) } }",
        ),
        (
            "numbers that two pieces share on both sides",
            "piece_trait(\"number\", #{ pawn: 1, knight: 2, rook: 3 });",
            "fn turn() { play(from(with_trait(\"number\", roll(\"1d3\")))) }",
        ),
    ]);
}
