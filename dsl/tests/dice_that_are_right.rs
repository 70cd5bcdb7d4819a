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
    let mut said = String::new();
    for (what, tables, rest) in right {
        let found = check(&game(tables, rest));
        let loud = found.iter().filter(|one| one.severity != Severity::Note);
        loud.for_each(|one| said.push_str(&format!("{what}:\n{}\n", one.render(false))));
    }
    assert!(said.is_empty(), "{said}");
}
