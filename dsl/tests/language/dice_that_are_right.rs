//! Uses of dice that look like mistakes and are none: `check` says nothing about them. They are in `right/dice.txt`.

use astragal_dsl::{Severity, Source, check};

/// A small game of two lines of pawns, around what is done with dice.
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

/// Each script, with correct uses of dice, is checked without a warning.
#[test]
fn nothing_is_said_of_dice_that_are_right() {
    let (mut said, mut heading, mut scripts) = (String::new(), "", 0);
    for part in include_str!("../right/dice.txt").split("\n#").skip(1) {
        let (title, body) = part.split_once('\n').expect("a heading and a script");
        let Some(title) = title.strip_prefix("## ") else {
            heading = title.trim_start_matches("# ");
            continue;
        };
        let (tables, rules): (Vec<&str>, Vec<&str>) = body.lines().partition(|line| line.starts_with("| "));
        let tables = tables.first().map_or("", |line| &line[2..]);
        let found = check(&game(tables, rules.join("\n").trim_end()));
        let loud = found.iter().filter(|one| one.severity != Severity::Note);
        loud.for_each(|one| said.push_str(&format!("{heading}: {title}:\n{}\n", one.render(false))));
        scripts += 1;
    }
    assert!(said.is_empty(), "{said}");
    assert_eq!(scripts, 57, "the file has been read as it is meant");
}
