//! Records which parts of a script have run: its expressions, and the answers that its questions received.
//!
//! Pass a [`Coverage`] to [`crate::load_noting`], and the loaded variant records every visit in it. Several variants of one
//! script (with other options) can share one and add to it. Trees do not hide visits: every load grows new trees, and the
//! interpreter runs a path before it is walked for the first time.
//!
//! It knows places and answers, but not which games reached them.

use crate::host::walk::walk_script;
use crate::locked::locked;
pub use crate::node_place::LineColumn;
use crate::node_place::{begins, part};
use crate::optional_code::OptionalCode;
use astragal_core::query::Answer;
use astragal_core::rule::{Alternatives, Chance, Decision, SQUARE_CHOSEN, Step};
use rhai::{AST, Array, Dynamic};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The words for the kind of a value.
type WordsFor = fn(&Dynamic) -> &'static str;

/// A record of what has run. Clones share the same record.
#[derive(Clone, Default, Debug)]
pub struct Coverage(Arc<Mutex<Notes>>);

#[derive(Default, Debug)]
struct Notes {
    /// By script: the places visited.
    visited: BTreeMap<String, BTreeSet<LineColumn>>,
    /// By script: the answered questions, by place. Questions at one place are separate if their kind or their options
    /// differ.
    asked: BTreeMap<String, BTreeMap<(LineColumn, Sort), Seen>>,
    /// Answers whose place is not known yet. It is the place of the call that ends next.
    pending: Vec<Seen>,
    /// The runs of rules, if each run is recorded separately.
    runs: Option<Vec<RuleRun>>,
    /// Whether an answer has been given whose call has not ended yet.
    stepped: bool,
    /// By script: what could be visited.
    parts: BTreeMap<String, BTreeMap<LineColumn, Visitable>>,
    /// By script: where an entering move made a script request a track section from beyond the track's end.
    backward: BTreeMap<String, BTreeSet<LineColumn>>,
    /// By script: the code that depends on options.
    optional: BTreeMap<String, OptionalCode>,
    /// The least and greatest value of each watched expression, by its number.
    seen: BTreeMap<i64, (i64, i64)>,
}

/// A run of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleRun {
    /// The rule, as `turn`.
    pub rule: String,
    /// Its steps, in order.
    pub steps: Vec<Walked>,
    /// The script and place of the call that waits for an answer; `None` if the run has ended.
    pub waits: Option<(String, LineColumn)>,
}

/// A step of a rule: a question, roll or decision, and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walked {
    /// The script that contains it.
    pub script: String,
    /// Its place in the script.
    pub place: LineColumn,
    /// The result of the call: `yes`, `3`, `[2, 3]`.
    pub answer: String,
}

/// A place that the interpreter visits.
#[derive(Clone, Copy, Debug)]
struct Visitable {
    /// Where its text begins. For an operator the visited place is the operator, but the text begins at its left operand.
    begins: LineColumn,
    /// The place that contains it; `None` at the top of a function.
    around: Option<LineColumn>,
}

/// The kind of question, with its possible answers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sort {
    Question,
    Choice(Vec<String>),
    Optional,
    Roll(u64),
}

/// The answers given at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Seen {
    /// A question about the position.
    Question { yes: bool, no: bool },
    /// A choice: its texts, and which of them have been chosen. A square counts as one more option.
    Choice { options: Vec<String>, chosen: BTreeSet<usize> },
    /// A move that may be declined.
    Optional { played: bool, passed: bool },
    /// Dice: how many outcomes they have, and which have come up.
    Roll { outcomes: u64, seen: BTreeSet<Answer> },
}

/// An answer that was never given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The place of the question.
    pub place: LineColumn,
    /// Which answers were given and which were not, such as `answered only true`.
    pub text: String,
}

/// A part that has never run, inside a part that has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    /// Where it begins.
    pub place: LineColumn,
}

/// The coverage of one script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The lines with code that can run.
    pub lines: BTreeSet<usize>,
    /// The lines where no code has run.
    pub unreached: BTreeSet<usize>,
    /// The parts that have not run on lines that have.
    pub parts: Vec<Part>,
    /// The number of possible answers to the questions that were asked: yes and no, each choice.
    pub answers: usize,
    /// The answers that have never been given.
    pub branches: Vec<Branch>,
    /// For each roll: its place, how many outcomes the dice have and how many have come up.
    pub rolls: Vec<(LineColumn, u64, usize)>,
}

impl Coverage {
    /// An empty record.
    pub fn new() -> Coverage {
        Coverage::default()
    }

    /// Records where a script requests the track section of an entering move and gets none.
    pub(crate) fn note_backward(&self, script: &str, at: LineColumn) {
        locked(&self.0).backward.entry(script.into()).or_default().insert(at);
    }

    /// The places recorded by [`note_backward`](Coverage::note_backward).
    pub(crate) fn backward(&self, script: &str) -> Vec<LineColumn> {
        locked(&self.0).backward.get(script).into_iter().flatten().copied().collect()
    }

    /// Records a value of a watched expression.
    pub(crate) fn note_seen(&self, index: i64, value: i64) {
        let mut notes = locked(&self.0);
        let seen = notes.seen.entry(index).or_insert((value, value));
        *seen = (seen.0.min(value), seen.1.max(value));
    }

    /// The least and greatest value of a watched expression so far.
    pub(crate) fn seen(&self, index: i64) -> Option<(i64, i64)> {
        locked(&self.0).seen.get(&index).copied()
    }

    /// An empty record that also keeps the [steps](Coverage::runs) of every run.
    pub fn walking() -> Coverage {
        let notes = Notes { runs: Some(Vec::new()), ..Notes::default() };
        Coverage(Arc::new(Mutex::new(notes)))
    }

    /// The runs of rules so far, each with its steps in order. Empty unless runs are recorded. If another run continues a
    /// run, only the longer one is listed.
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

    /// Records the start of a rule's run.
    pub(crate) fn begins(&self, rule: impl FnOnce() -> String) {
        if let Some(runs) = locked(&self.0).runs.as_mut() {
            runs.push(RuleRun { rule: rule(), steps: Vec::new(), waits: None });
        }
    }

    /// Adds what another record of the same scripts has noted, except [runs](Coverage::runs).
    pub(crate) fn add(&self, other: Coverage) {
        let mut more = std::mem::take(&mut *locked(&other.0));
        let mut notes = locked(&self.0);
        for (script, places) in more.visited {
            notes.visited.entry(script).or_default().extend(places);
        }
        for (script, places) in more.asked {
            places.into_iter().for_each(|((place, _), seen)| notes.add(&script, place, seen));
        }
        for (script, places) in more.backward {
            notes.backward.entry(script).or_default().extend(places);
        }
        for (index, (least, most)) in more.seen {
            let seen = notes.seen.entry(index).or_insert((least, most));
            *seen = (seen.0.min(least), seen.1.max(most));
        }
        // The first survey of a script counts.
        more.parts.append(&mut notes.parts);
        more.optional.append(&mut notes.optional);
        (notes.parts, notes.optional) = (more.parts, more.optional);
    }

    /// An empty record for the same scripts.
    pub fn unvisited(&self) -> Coverage {
        let notes = locked(&self.0);
        let (parts, optional) = (notes.parts.clone(), notes.optional.clone());
        Coverage(Arc::new(Mutex::new(Notes { parts, optional, ..Notes::default() })))
    }

    /// The coverage of the script `name`.
    pub fn summary(&self, name: &str) -> Summary {
        self.summary_without(name, &BTreeSet::new())
    }

    /// As [`summary`](Coverage::summary), but leaves out code that the chosen options cannot reach.
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

    /// The places of the script `name` that can run, and whether each of them has.
    pub fn places(&self, name: &str) -> BTreeMap<LineColumn, bool> {
        let notes = locked(&self.0);
        let visited = notes.visited.get(name);
        let all = notes.parts.get(name).into_iter().flat_map(BTreeMap::keys);
        all.map(|place| (*place, visited.is_some_and(|visited| visited.contains(place)))).collect()
    }

    /// Whether a place of a script has been run.
    pub(crate) fn has_visited(&self, name: &str, place: LineColumn) -> bool {
        locked(&self.0).visited.get(name).is_some_and(|visited| visited.contains(&place))
    }

    /// Records the places of a script that can be visited.
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

    /// Records a visit of the interpreter.
    pub(crate) fn visit(&self, script: &str, place: LineColumn) {
        let mut notes = locked(&self.0);
        match notes.visited.get_mut(script) {
            Some(visited) => drop(visited.insert(place)),
            None => drop(notes.visited.insert(script.into(), BTreeSet::from([place]))),
        }
    }

    /// Records the answer to a step. The call that took the step is known when it ends.
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

    /// Records the end of a call, with its result and the words for kinds of values. `value` is `None` if the call failed or
    /// waits.
    pub(crate) fn ended(&self, script: &str, place: LineColumn, value: Option<(&Dynamic, WordsFor)>) {
        let mut notes = locked(&self.0);
        let stepped = std::mem::take(&mut notes.stepped);
        match (value, notes.runs.as_mut().and_then(|runs| runs.last_mut())) {
            (Some((value, words)), Some(run)) if stepped => {
                run.steps.push(Walked { script: script.into(), place, answer: shown(value, words) });
            }
            // The innermost call ends first.
            (None, Some(run)) if run.waits.is_none() => run.waits = Some((script.into(), place)),
            _ => {}
        }
        let result = value.and_then(|(value, _)| value.as_bool().ok());
        for mut seen in std::mem::take(&mut notes.pending) {
            if let Seen::Question { yes, no } = &mut seen {
                // Only yes/no results count: the script's own branches cover numbers, kinds and squares.
                let Some(result) = result else { continue };
                (*yes, *no) = (result, !result);
            }
            notes.add(script, place, seen);
        }
    }

    /// All visited places and given answers, one line of text each. The union of two processes' sets is their joint
    /// coverage. Rolls are not included.
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

    /// Returns the [marks](Coverage::marks) so far and clears them.
    pub fn take_marks(&self) -> BTreeSet<String> {
        let marks = self.marks();
        let mut notes = locked(&self.0);
        notes.visited.clear();
        notes.asked.clear();
        notes.pending.clear();
        marks
    }

    /// Adds another process's [marks](Coverage::marks). Lines that are not marks are skipped.
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

/// The result of a call, in a word or two.
fn shown(value: &Dynamic, words: WordsFor) -> String {
    if let Ok(truth) = value.as_bool() {
        return if truth { "yes" } else { "no" }.into();
    }
    if let Some(items) = value.read_lock::<Array>() {
        return format!("[{}]", items.iter().map(|item| shown(item, words)).collect::<Vec<_>>().join(", "));
    }
    match (value.as_int(), value.clone().into_string()) {
        (Ok(number), _) => number.to_string(),
        (_, Ok(text)) => text,
        _ if value.is_unit() => "nothing".into(),
        _ => words(value).into(),
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

    /// The kind of question and each given answer, as text. For a choice, the list of options follows the answer.
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
                    (true, false) => branch("always true".into()),
                    (false, true) => branch("always false".into()),
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

/// The unvisited parts on lines that have been reached, without their subexpressions.
fn missed(
    parts: &BTreeMap<LineColumn, Visitable>,
    visited: &BTreeSet<LineColumn>,
    reached: &BTreeSet<usize>,
) -> Vec<Part> {
    let mut missed: Vec<Part> = Vec::new();
    for (place, part) in parts.iter().filter(|(place, _)| !visited.contains(place) && reached.contains(&place.0)) {
        // The syntax tree stores closures separately, but their text is inside another part.
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

/// The record of an answer to a decision, if it has several answers.
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
                // If no die can be used, nothing is chosen.
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

/// The options of a choice, as texts.
fn listed(among: &Alternatives) -> Vec<String> {
    among.labels.iter().cloned().chain(among.squares.as_ref().map(|_| "a square".to_owned())).collect()
}

#[cfg(test)]
#[path = "coverage_tests.rs"]
mod tests;
