//! The rules of a script: the functions that the engine calls.
//!
//! This module contains their descriptions, not their execution.

use super::ValueKind;

/// A rule: a function of the script that the engine calls.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, each with the kind of value that it receives.
    pub parameters: &'static [(&'static str, ValueKind)],
    /// How many of its parameters a script must declare.
    pub required: usize,
    /// When it runs, and what happens without it.
    pub about: &'static str,
    /// Its purpose, and what it can do.
    pub purpose: &'static str,
}

impl Rule {
    /// The head of its definition, with this many parameters: `fn capture(attacker, defender)`.
    pub fn head(&self, parameters: usize) -> String {
        let names: Vec<&str> = self.parameters.iter().take(parameters).map(|(name, _)| *name).collect();
        format!("fn {}({})", self.name, names.join(", "))
    }
}

/// All rules. A script may leave out any of them.
pub const RULES: [Rule; 5] = [
    Rule {
        name: "turn",
        parameters: &[],
        required: 0,
        about: "Runs once per turn; it covers the whole turn, from the roll to the last move. Without it, each turn is \
                one legal move.",
        purpose: "It can roll dice, let players move and choose, and change the position.",
    },
    Rule {
        name: "capture",
        parameters: &[("attacker", ValueKind::Square), ("defender", ValueKind::Square), ("mv", ValueKind::Move)],
        required: 2,
        about: "Runs when a move would capture a piece. Without it, every capture succeeds.",
        purpose: "`take()` makes the capture succeed, `repel(attacker)` removes the attacker, and with `stand_off()` \
                  both pieces stay where they are. The third parameter, the move, is optional.",
    },
    Rule {
        name: "outcome",
        parameters: &[],
        required: 0,
        about: "Runs between turns, and after each change within a turn. Without it, the game ends only if another \
                rule ends it; if nothing happens for more than two rounds, it is a draw.",
        purpose: "It can end the game and award points, but it cannot change the position.",
    },
    Rule {
        name: "prepare",
        parameters: &[],
        required: 0,
        about: "Runs once, before the first turn. Without it, the game begins from the position declared with `setup`.",
        purpose: "It can do anything that `turn` can, such as roll for squares, deal cards, or let players draft \
                  pieces.",
    },
    Rule {
        name: "movement",
        parameters: &[],
        required: 0,
        about: "Runs when the engine computes attacks and legal moves. Without it, pieces move as declared.",
        purpose: "It returns a permit for all moves that the pieces of the side to move can make. It cannot roll dice \
                  or change the position.",
    },
];

/// The names of the [`RULES`].
pub const RULE_NAMES: [&str; RULES.len()] = {
    let [turn, capture, outcome, prepare, movement] = &RULES;
    [turn.name, capture.name, outcome.name, prepare.name, movement.name]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Source;
    use crate::{Severity, check};
    use std::path::Path;

    #[test]
    fn the_guide_describes_the_rules_in_the_same_words() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
        let guide = std::fs::read_to_string(path)
            .unwrap()
            .replace("[nothing happens](guide/traps.md#defaults)", "nothing happens");
        for rule in RULES {
            let head = format!("| `{}` | ", rule.head(rule.required));
            let row = guide.lines().find_map(|line| line.strip_prefix(&head)).unwrap_or_else(|| panic!("no {head}"));
            let (runs, without) = row.trim_end_matches(" |").split_once(" | ").unwrap();
            assert_eq!(rule.about, format!("Runs {runs}. Without it, {without}."));
        }
    }

    #[test]
    fn the_engine_accepts_the_heads() {
        let bodies = [
            "play(any())",
            "if mv.is_capture && attacker != defender { take(); } else { repel(attacker); }",
            "if !has(opponent(), \"man\") { win(mover(), \"all captured\"); }",
            "if roll(\"1d6\") == 1 { next(opponent()); }",
            "any()",
        ];
        let mut text = String::from("piece(\"man\", \"M\", \"K\");\nsetup(\"m7/8/8/8/8/8/8/7M w\");\n");
        for (rule, body) in RULES.iter().zip(bodies) {
            text.push_str(&format!("{} {{ {body} }}\n", rule.head(rule.parameters.len())));
        }
        let problems = check(&Source { name: "mine".into(), path: None, text });
        assert!(problems.iter().all(|one| one.severity != Severity::Error), "{problems:?}");
    }
}
