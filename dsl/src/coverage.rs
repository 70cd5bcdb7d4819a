//! What of a script has been run: its expressions, and the answers that its questions have got.
//!
//! A [`Coverage`] is handed to [`crate::load_noting`]; the variant loaded then notes every visit in it. Several variants
//! of one script (with other options) may share one, and so add up. Trees hide no visit: they are grown
//! anew by each load, and a path is run by the interpreter before it is walked for the first time.
//!
//! It knows places and answers, but not what games reached them.

use crate::host::kind::words_for;
use crate::host::walk::walk_script;
use crate::locked::locked;
use crate::optional_code::OptionalCode;
use astragal_core::query::Answer;
use astragal_core::rule::{Alternatives, Chance, Decision, SQUARE_CHOSEN, Step};
use rhai::{AST, ASTNode, Array, Dynamic, Expr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// A line and column, both from 1.
pub type LineColumn = (usize, usize);

/// Notes of what has been run. Copies share the same notes.
#[derive(Clone, Default, Debug)]
pub struct Coverage(Arc<Mutex<Notes>>);

#[derive(Default, Debug)]
struct Notes {
    /// By script: the places visited.
    visited: BTreeMap<String, BTreeSet<LineColumn>>,
    /// By script: the questions answered, by place; of one place, those of each sort and with each set of answers apart.
    asked: BTreeMap<String, BTreeMap<(LineColumn, Sort), Seen>>,
    /// Answers whose place is not known yet: that of the call which is just ending.
    pending: Vec<Seen>,
    /// The runs of rules, if they are wanted one by one.
    runs: Option<Vec<RuleRun>>,
    /// Whether an answer has been given whose call has not ended yet.
    stepped: bool,
    /// By script: what could be visited.
    parts: BTreeMap<String, BTreeMap<LineColumn, Visitable>>,
    /// By script: where a stretch of a track was asked for from behind its end, because of a move that enters.
    backward: BTreeMap<String, BTreeSet<LineColumn>>,
    /// By script: what stands or falls with its options.
    optional: BTreeMap<String, OptionalCode>,
    /// The least and the greatest that watched values have come to, by their number.
    seen: BTreeMap<i64, (i64, i64)>,
}

/// A run of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleRun {
    /// The rule, as `turn`.
    pub rule: String,
    /// Its steps, in order.
    pub steps: Vec<Walked>,
    /// The script and the place of the call at which it waits for an answer; none where it has come to its end.
    pub waits: Option<(String, LineColumn)>,
}

/// A step of a rule: what was asked, rolled or decided, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walked {
    /// The script in which it stands.
    pub script: String,
    /// Where.
    pub place: LineColumn,
    /// What the call gave: `yes`, `3`, `[2, 3]`.
    pub answer: String,
}

/// Something that the interpreter stops at.
#[derive(Clone, Copy, Debug)]
struct Visitable {
    /// Where its text begins: an operator is stopped at itself, not at its left side.
    begins: LineColumn,
    /// The place around it; none for what stands in a function by itself.
    around: Option<LineColumn>,
}

/// What is asked, and with which answers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sort {
    Question,
    Choice(Vec<String>),
    Optional,
    Roll(u64),
}

/// The answers that one place has got.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Seen {
    /// A question about the position.
    Question { yes: bool, no: bool },
    /// A choice: its texts, and which of them have been chosen; a square counts as one more.
    Choice { options: Vec<String>, chosen: BTreeSet<usize> },
    /// A move that may be declined.
    Optional { played: bool, passed: bool },
    /// Dice: how many outcomes they have, and which have come up.
    Roll { outcomes: u64, seen: BTreeSet<Answer> },
}

/// An answer that no visit has given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Where the question stands.
    pub place: LineColumn,
    /// What has happened there and what has not, as `answered only true`.
    pub text: String,
}

/// Something that has never been run, inside something that has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    /// Where it begins.
    pub place: LineColumn,
}

/// What has and has not been run of one script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The lines that hold something that can be run.
    pub lines: BTreeSet<usize>,
    /// Those of them of which nothing has been run.
    pub unreached: BTreeSet<usize>,
    /// On lines that have been reached: what of them has not.
    pub parts: Vec<Part>,
    /// How many answers there are to the questions that have been asked: yes and no, each choice.
    pub answers: usize,
    /// Those that have never been given.
    pub branches: Vec<Branch>,
    /// For each roll: its place, how many outcomes the dice have and how many have come up.
    pub rolls: Vec<(LineColumn, u64, usize)>,
}

impl Coverage {
    /// Nothing visited yet.
    pub fn new() -> Coverage {
        Coverage::default()
    }

    /// Notes where a script asks for the stretch that an entering move goes along, and gets none.
    pub(crate) fn note_backward(&self, script: &str, at: LineColumn) {
        locked(&self.0).backward.entry(script.into()).or_default().insert(at);
    }

    /// Where a script does so.
    pub(crate) fn backward(&self, script: &str) -> Vec<LineColumn> {
        locked(&self.0).backward.get(script).into_iter().flatten().copied().collect()
    }

    /// Notes what a watched value has come to.
    pub(crate) fn note_seen(&self, index: i64, value: i64) {
        let mut notes = locked(&self.0);
        let seen = notes.seen.entry(index).or_insert((value, value));
        *seen = (seen.0.min(value), seen.1.max(value));
    }

    /// The least and the greatest that a watched value has come to.
    pub(crate) fn seen(&self, index: i64) -> Option<(i64, i64)> {
        locked(&self.0).seen.get(&index).copied()
    }

    /// Nothing visited yet; the [steps](Coverage::runs) of every run will be kept.
    pub fn walking() -> Coverage {
        let notes = Notes { runs: Some(Vec::new()), ..Notes::default() };
        Coverage(Arc::new(Mutex::new(notes)))
    }

    /// The runs of rules so far, each with its steps in order; none unless they are kept. A run that another has gone on with
    /// is told once, as far as it came.
    pub fn runs(&self) -> Vec<RuleRun> {
        let runs = locked(&self.0).runs.clone().unwrap_or_default();
        let goes_on = |run: &RuleRun, next: &RuleRun| next.rule == run.rule && next.steps.starts_with(&run.steps);
        let mut told: Vec<RuleRun> = Vec::new();
        for run in runs.into_iter().filter(|run| !run.steps.is_empty() || run.waits.is_some()) {
            match told.last_mut() {
                Some(last) if goes_on(last, &run) => *last = run,
                _ => told.push(run),
            }
        }
        told
    }

    /// Notes that a run of a rule begins.
    pub(crate) fn begins(&self, rule: impl FnOnce() -> String) {
        if let Some(runs) = locked(&self.0).runs.as_mut() {
            runs.push(RuleRun { rule: rule(), steps: Vec::new(), waits: None });
        }
    }

    /// Notes of the same scripts in which nothing has been visited.
    pub fn unvisited(&self) -> Coverage {
        let notes = locked(&self.0);
        let (parts, optional) = (notes.parts.clone(), notes.optional.clone());
        Coverage(Arc::new(Mutex::new(Notes { parts, optional, ..Notes::default() })))
    }

    /// What has been run of the script called `name`.
    pub fn summary(&self, name: &str) -> Summary {
        self.summary_without(name, &BTreeSet::new())
    }

    /// The same, of the code that can be run with the options that were chosen wherever it was.
    pub fn summary_as_chosen(&self, name: &str) -> Summary {
        let notes = locked(&self.0);
        let (none, unvisited) = (OptionalCode::default(), BTreeSet::new());
        let visited = notes.visited.get(name).unwrap_or(&unvisited);
        let waiting = notes.optional.get(name).unwrap_or(&none).waiting(visited);
        drop(notes);
        self.summary_without(name, &waiting)
    }

    fn summary_without(&self, name: &str, left_out: &BTreeSet<LineColumn>) -> Summary {
        let notes = locked(&self.0);
        let unvisited = BTreeSet::new();
        let all = notes.parts.get(name).into_iter().flatten();
        let parts: BTreeMap<LineColumn, Visitable> =
            all.filter(|(place, _)| !left_out.contains(place)).map(|(place, part)| (*place, *part)).collect();
        let visited = notes.visited.get(name).unwrap_or(&unvisited);
        let lines: BTreeSet<usize> = parts.keys().map(|place| place.0).collect();
        let reached: BTreeSet<usize> =
            parts.keys().filter(|place| visited.contains(place)).map(|place| place.0).collect();
        let mut summary = Summary {
            unreached: lines.difference(&reached).copied().collect(),
            parts: missed(&parts, visited, &reached),
            lines,
            ..Summary::default()
        };
        for ((place, _), seen) in notes.asked.get(name).into_iter().flatten() {
            seen.add_to(*place, &mut summary);
        }
        summary
    }

    /// Whether a place of a script has been run.
    pub(crate) fn has_visited(&self, name: &str, place: LineColumn) -> bool {
        locked(&self.0).visited.get(name).is_some_and(|visited| visited.contains(&place))
    }

    /// Notes what could be visited in a script.
    pub(crate) fn survey(&self, name: &str, ast: &AST, lines: usize) {
        let mut parts = BTreeMap::new();
        walk_script(ast, &mut |path| {
            let here = path.last().and_then(|node| Some((part(node)?, begins(node)?)));
            if let Some((place, begins)) = here.filter(|(place, _)| place.0 <= lines) {
                let around = path[..path.len() - 1].iter().rev().find_map(part).filter(|around| *around != place);
                parts.entry(place).or_insert(Visitable { begins, around });
            }
            true
        });
        let optional = OptionalCode::survey(ast, parts.keys());
        let mut notes = locked(&self.0);
        notes.optional.entry(name.into()).or_insert(optional);
        notes.parts.entry(name.into()).or_insert(parts);
    }

    /// Notes that the interpreter has come to a place.
    pub(crate) fn visit(&self, script: &str, place: LineColumn) {
        let mut notes = locked(&self.0);
        match notes.visited.get_mut(script) {
            Some(visited) => drop(visited.insert(place)),
            None => drop(notes.visited.insert(script.into(), BTreeSet::from([place]))),
        }
    }

    /// Notes that a step has got an answer; which call took the step is learnt when it ends.
    pub(crate) fn answered(&self, step: &Step, answer: Answer) {
        locked(&self.0).stepped = true;
        let seen = match step {
            Step::Ask(_) => Seen::Question { yes: false, no: false },
            Step::Decide(decision) if !decision.is_secret() => match decided(decision.bare(), answer) {
                Some(seen) => seen,
                None => return,
            },
            Step::Roll(Chance::Roll(dice) | Chance::Playable(dice, _) | Chance::Only(dice, _)) => {
                Seen::Roll { outcomes: dice.outcomes(), seen: BTreeSet::from([answer]) }
            }
            _ => return,
        };
        locked(&self.0).pending.push(seen);
    }

    /// Notes that a call has ended, with its result; without one where it has failed or waits.
    pub(crate) fn ended(&self, script: &str, place: LineColumn, value: Option<&Dynamic>) {
        let mut notes = locked(&self.0);
        let stepped = std::mem::take(&mut notes.stepped);
        match (value, notes.runs.as_mut().and_then(|runs| runs.last_mut())) {
            (Some(value), Some(run)) if stepped => {
                run.steps.push(Walked { script: script.into(), place, answer: shown(value) });
            }
            // The innermost call ends first.
            (None, Some(run)) if run.waits.is_none() => run.waits = Some((script.into(), place)),
            _ => {}
        }
        let result = value.and_then(|value| value.as_bool().ok());
        for mut seen in std::mem::take(&mut notes.pending) {
            if let Seen::Question { yes, no } = &mut seen {
                // Numbers, kinds and squares are judged by what the script makes of them.
                let Some(result) = result else { continue };
                (*yes, *no) = (result, !result);
            }
            notes.add(script, place, seen);
        }
    }

    /// All places visited and answers given, a line of text each: what two processes have noted is what is in either of
    /// their sets. Of rolls nothing is said.
    pub fn marks(&self) -> BTreeSet<String> {
        let notes = locked(&self.0);
        let visited = notes.visited.iter().flat_map(|(script, places)| {
            places.iter().map(move |(line, column)| format!("visited\t{script}\t{line}\t{column}"))
        });
        let asked = notes.asked.iter().flat_map(|(script, places)| {
            places.iter().flat_map(move |(((line, column), _), seen)| {
                let at = format!("\t{script}\t{line}\t{column}");
                seen.marks().into_iter().map(move |(sort, answer)| format!("{sort}{at}\t{answer}"))
            })
        });
        visited.chain(asked).collect()
    }

    /// The [marks](Coverage::marks) so far, which are forgotten: what is noted next stands by itself.
    pub fn take_marks(&self) -> BTreeSet<String> {
        let marks = self.marks();
        let mut notes = locked(&self.0);
        notes.visited.clear();
        notes.asked.clear();
        notes.pending.clear();
        marks
    }

    /// Notes what another has [marked](Coverage::marks); lines that are no marks are passed over.
    pub fn absorb<'a>(&self, marks: impl IntoIterator<Item = &'a str>) {
        let mut notes = locked(&self.0);
        for mark in marks {
            let parts: Vec<&str> = mark.splitn(5, '\t').collect();
            let &[sort, script, line, column, ref answer @ ..] = &parts[..] else { continue };
            let (Ok(line), Ok(column)) = (line.parse(), column.parse()) else { continue };
            match answer {
                [] if sort == "visited" => drop(notes.visited.entry(script.into()).or_default().insert((line, column))),
                [answer] => {
                    if let Some(seen) = Seen::of_mark(sort, answer) {
                        notes.add(script, (line, column), seen);
                    }
                }
                _ => {}
            }
        }
    }
}

/// What a call gave, in a word or two.
fn shown(value: &Dynamic) -> String {
    if let Ok(truth) = value.as_bool() {
        return if truth { "yes" } else { "no" }.into();
    }
    if let Some(items) = value.read_lock::<Array>() {
        return format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "));
    }
    match (value.as_int(), value.clone().into_string()) {
        (Ok(number), _) => number.to_string(),
        (_, Ok(text)) => text,
        _ if value.is_unit() => "nothing".into(),
        _ => format!("a {}", words_for(value)),
    }
}

impl Notes {
    fn add(&mut self, script: &str, place: LineColumn, seen: Seen) {
        let places = self.asked.entry(script.into()).or_default();
        match places.get_mut(&(place, seen.sort())) {
            Some(known) => known.merge(seen),
            None => drop(places.insert((place, seen.sort()), seen)),
        }
    }
}

impl Seen {
    fn sort(&self) -> Sort {
        match self {
            Seen::Question { .. } => Sort::Question,
            Seen::Choice { options, .. } => Sort::Choice(options.clone()),
            Seen::Optional { .. } => Sort::Optional,
            Seen::Roll { outcomes, .. } => Sort::Roll(*outcomes),
        }
    }

    /// The sort of question and each answer, as text. The answers that there are stand behind the one that was given.
    fn marks(&self) -> Vec<(&'static str, String)> {
        let given = |answers: [(bool, &str); 2]| -> Vec<String> {
            answers.into_iter().filter(|(given, _)| *given).map(|(_, text)| text.into()).collect()
        };
        let (sort, answers) = match self {
            Seen::Question { yes, no } => ("question", given([(*yes, "yes"), (*no, "no")])),
            Seen::Optional { played, passed } => ("optional", given([(*played, "played"), (*passed, "passed")])),
            Seen::Choice { options, chosen } => {
                ("choice", chosen.iter().map(|index| format!("{index}\t{}", options.join("\t"))).collect())
            }
            Seen::Roll { .. } => ("roll", Vec::new()),
        };
        answers.into_iter().map(|answer| (sort, answer)).collect()
    }

    fn of_mark(sort: &str, answer: &str) -> Option<Seen> {
        Some(match (sort, answer) {
            ("question", "yes" | "no") => Seen::Question { yes: answer == "yes", no: answer == "no" },
            ("optional", "played" | "passed") => {
                Seen::Optional { played: answer == "played", passed: answer == "passed" }
            }
            ("choice", _) => {
                let (index, options) = answer.split_once('\t')?;
                Seen::Choice {
                    options: options.split('\t').map(String::from).collect(),
                    chosen: BTreeSet::from([index.parse().ok()?]),
                }
            }
            _ => return None,
        })
    }

    fn merge(&mut self, other: Seen) {
        match (self, other) {
            (Seen::Question { yes, no }, Seen::Question { yes: y, no: n }) => {
                *yes |= y;
                *no |= n;
            }
            (Seen::Optional { played, passed }, Seen::Optional { played: p, passed: n }) => {
                *played |= p;
                *passed |= n;
            }
            (Seen::Choice { chosen, .. }, Seen::Choice { chosen: more, .. }) => chosen.extend(more),
            (Seen::Roll { seen, .. }, Seen::Roll { seen: more, .. }) => seen.extend(more),
            // Different sorts are kept apart.
            _ => {}
        }
    }

    fn add_to(&self, place: LineColumn, summary: &mut Summary) {
        let mut branch = |text: String| summary.branches.push(Branch { place, text });
        match self {
            Seen::Question { yes, no } => {
                summary.answers += 2;
                match (yes, no) {
                    (true, false) => branch("answered only true".into()),
                    (false, true) => branch("answered only false".into()),
                    _ => {}
                }
            }
            Seen::Optional { played, passed } => {
                summary.answers += 2;
                match (played, passed) {
                    (true, false) => branch("always played, never declined".into()),
                    (false, true) => branch("never played".into()),
                    _ => {}
                }
            }
            Seen::Choice { options, chosen } => {
                summary.answers += options.len();
                for (_, option) in options.iter().enumerate().filter(|(i, _)| !chosen.contains(i)) {
                    branch(format!("never chosen: {option}"));
                }
            }
            Seen::Roll { outcomes, seen } => summary.rolls.push((place, *outcomes, seen.len())),
        }
    }
}

/// What has not been visited on lines that have been reached, without what lies inside it.
fn missed(
    parts: &BTreeMap<LineColumn, Visitable>,
    visited: &BTreeSet<LineColumn>,
    reached: &BTreeSet<usize>,
) -> Vec<Part> {
    let mut missed: Vec<Part> = Vec::new();
    for (place, part) in parts.iter().filter(|(place, _)| !visited.contains(place) && reached.contains(&place.0)) {
        // Functions without a name stand apart, but in the text they are inside something.
        let inside = match part.around {
            Some(around) => !visited.contains(&around),
            None => missed.last().is_some_and(|last| last.place.0 == place.0),
        };
        if !inside {
            missed.push(Part { place: part.begins });
        }
    }
    missed.sort();
    missed
}

/// What is noted of an answer to a decision, if there are several.
fn decided(decision: &Decision, answer: Answer) -> Option<Seen> {
    Some(match decision {
        Decision::Choose { among, .. } => {
            let chosen = usize::try_from(answer).ok().into_iter().collect();
            Seen::Choice { options: listed(among), chosen }
        }
        Decision::Play { or: Some(or), pass, .. } => {
            let mut options = listed(or);
            let moves = options.len();
            options.push("a move".into());
            options.extend(pass.then(|| "no move".to_owned()));
            let chosen = match answer {
                0 => moves + 1,
                1 => moves,
                2.. => or.labels.len(),
                text => (-1 - text) as usize,
            };
            let chosen = Some(chosen).filter(|&chosen| chosen < options.len()).into_iter().collect();
            Seen::Choice { options, chosen }
        }
        Decision::PlayEach(plan) => {
            let Some(or) = &plan.or else { return None };
            let mut options = listed(&or.among);
            let moves = options.len();
            options.push("a move".into());
            let chosen = match answer {
                // Where no die can be used nothing is chosen.
                0 => None,
                SQUARE_CHOSEN => Some(or.among.labels.len()),
                1.. => Some(moves),
                text => Some((-1 - text) as usize),
            };
            Seen::Choice { options, chosen: chosen.into_iter().collect() }
        }
        Decision::Play { pass: true, .. } => Seen::Optional { played: answer != 0, passed: answer == 0 },
        _ => return None,
    })
}

/// What may be chosen, as it is told.
fn listed(among: &Alternatives) -> Vec<String> {
    among.labels.iter().cloned().chain(among.squares.as_ref().map(|_| "a square".to_owned())).collect()
}

fn begins(node: &ASTNode) -> Option<LineColumn> {
    let at = match node {
        ASTNode::Stmt(Stmt::Assignment(parts)) => start(&parts.1.lhs),
        ASTNode::Expr(expression) => start(expression),
        ASTNode::Stmt(statement) => statement.position(),
        _ => return None,
    };
    Some((at.line()?, at.position().unwrap_or(1)))
}

/// Where the text of an expression begins; operators are calls that stand behind their left side.
fn start(expression: &Expr) -> Position {
    match expression {
        Expr::FnCall(call, at) if call.op_token.is_some() => match call.args.first() {
            Some(left) if call.args.len() == 2 => start(left),
            _ => *at,
        },
        other => other.start_position(),
    }
}

/// The place of a node that the interpreter stops at, if it is one.
pub(crate) fn part(node: &ASTNode) -> Option<LineColumn> {
    let at = match node {
        ASTNode::Stmt(Stmt::Expr(_) | Stmt::Block(_) | Stmt::Noop(_)) => return None,
        ASTNode::Stmt(statement) => statement.position(),
        ASTNode::Expr(Expr::FnCall(_, at)) => *at,
        _ => return None,
    };
    Some((at.line()?, at.position().unwrap_or(1)))
}

#[cfg(test)]
#[path = "coverage_tests.rs"]
mod tests;
