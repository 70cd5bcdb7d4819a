//! Why the tree of a rule keeps growing: finds the question to blame, and describes the problem and its remedy.

use crate::library::Source;
use astragal_core::query::Answer;
use astragal_core::rule::{Chance, NodeId, SourceLocation, Step, Tree};
use astragal_core::{RuleId, Rules};
use std::collections::BTreeMap;

/// A question with more answers than this is a cause of growth on its own.
const MANY_ANSWERS: usize = 24;

/// A roll with this many outcomes is a cause of growth on its own, however many questions follow each.
const MANY_OUTCOMES: usize = 100;

/// At most this many nodes are examined to find the most frequent question.
const SAMPLE: usize = 200;

/// The cause of a tree's growth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeGrowth {
    /// The place of the question.
    pub place: Option<SourceLocation>,
    /// The cause of the growth.
    pub cause: Cause,
}

/// How a question makes a tree grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// It has had this many different answers at one point of the rule.
    Answers(usize),
    /// It rolls several dice, and this many outcomes have come up at one point of the rule.
    Outcomes(usize),
    /// It is asked repeatedly: this percentage of the nodes is this question.
    Again(usize),
}

impl Cause {
    /// The problem with the question at a place, and a remedy.
    pub fn words(self, place: &str) -> (String, &'static str) {
        match self {
            Cause::Answers(count) => (
                format!("the question at {place} had {count} different answers"),
                "compare the value (`==`, `>=`) instead of reading it, or calculate with `cast()` or `number()`",
            ),
            Cause::Outcomes(count) => (
                format!("the roll at {place} had {count} different outcomes"),
                "pass less detail to the rule: a key such as the sum, or the faces without their order, as in \
                 `roll(\"2d6\", #{ sorted: true })`; or calculate with `cast()` or `number()`",
            ),
            Cause::Again(percent) => (
                format!("the question at {place} accounts for {percent}% of the rule's steps"),
                "ask about whole sets, as in `count(...)` or `set.where(...)`, not about one square at a time; to \
                 calculate, use `number(...)` instead of counting with `if`; put conditions on moves into `where(...)`",
            ),
        }
    }
}

/// The question that makes a tree grow: one with very many answers, else the most frequent one.
pub(crate) fn blame(rules: &Rules, rule: RuleId, source: &Source) -> Option<TreeGrowth> {
    let find = |answers: &Path| rules.place(rule, answers).map(|at| named(source, at));
    let ((widest, others), nodes) = rules.look(rule, |tree| (branching(tree), tree.len()))?;
    let (answers, ways, rolls) = widest?;
    let cause = if rolls { Cause::Outcomes(ways) } else { Cause::Answers(ways) };
    let widest = TreeGrowth { place: find(&answers), cause };
    // A few dice are a lesser cause than the questions repeated after each of their outcomes.
    let few = rolls && ways < MANY_OUTCOMES && nodes > ways * SAMPLE;
    if ways > MANY_ANSWERS && !few {
        return Some(widest);
    }
    let looked_at = others.len().max(1);
    let mut places: BTreeMap<SourceLocation, usize> = BTreeMap::new();
    for place in others.iter().filter_map(find) {
        *places.entry(place).or_default() += 1;
    }
    Some(match places.into_iter().max_by_key(|(_, times)| *times) {
        Some((place, times)) => TreeGrowth { place: Some(place), cause: Cause::Again(times * 100 / looked_at) },
        None => widest,
    })
}

/// The place with its file, which is the script's own if none is named.
pub(crate) fn named(source: &Source, place: SourceLocation) -> SourceLocation {
    let file = place.file.map_or_else(|| source.file(), |name| format!("{name}.rhai"));
    SourceLocation { file: Some(file), ..place }
}

/// A node, by the answers that lead to it.
type Path = Vec<Answer>;

/// Whether a step rolls several dice and the rule sees all faces.
fn rolls_several(step: &Step) -> bool {
    matches!(step, Step::Roll(Chance::Roll(dice) | Chance::Only(dice, _)) if dice.dice.len() > 1)
}

/// The node with the most branches, their number and whether it rolls several dice; and a sample of branching nodes, evenly
/// spread.
fn branching(tree: &Tree) -> (Option<(Path, usize, bool)>, Vec<Path>) {
    let nodes = || (0..tree.len() as u32).map(NodeId).filter(|&node| tree.step(node).branches());
    // Of several, the first: later nodes may only be as frequent because of it.
    let widest = nodes().max_by_key(|&node| (tree.ways(node), std::cmp::Reverse(node.0)));
    let every = nodes().count().div_ceil(SAMPLE).max(1);
    let sample = nodes().step_by(every).map(|node| tree.path(node)).collect();
    (widest.map(|node| (tree.path(node), tree.ways(node), rolls_several(tree.step(node)))), sample)
}
