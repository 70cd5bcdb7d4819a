//! Finds rules that depend on unknowable values: secrets that decide which moves a player is offered, although the player
//! may not know them, and counters that are never filled.
//!
//! Secrets are found in what the trial games reached, counters in the text. Only queries early in a turn, before any
//! effect, are reported. If a player has already decided something, or a payment or transfer follows the answer, the script
//! may reveal the secret on purpose.

use super::name_table::{Call, NameTable, Value};
use super::report::Report;
use super::rules;
use crate::Loaded;
use crate::diagnostic::Code;
use crate::functions::{Fact, has_fact, position_of};
use crate::host::kind::ParamKind;
use astragal_core::amount::{Amount, CounterRef};
use astragal_core::effect::Effect;
use astragal_core::query::{Answer, Find, Query};
use astragal_core::rule::{Chance, Decision, NodeId, Step, Tree};
use astragal_core::value::{SideRef, SquareRef};
use astragal_core::{Hook, Permit, Position};
use std::sync::Arc;

/// A secret that an offer reveals, with the answers that lead to it in its rule.
struct Leak {
    answers: Vec<Answer>,
    secret: Secret,
    /// Whether it is read before the player's options appear, not within them.
    before: bool,
}

/// A secret: its description, and whether it is hidden from all sides.
struct Secret {
    what: String,
    nobodys: bool,
}

/// Warns about moves and choices that depend on values the player may not know.
pub(super) fn secrets(loaded: &Loaded, report: &mut Report) {
    for hook in [Hook::Turn, Hook::Prepare, Hook::Capture] {
        // A capture rule receives the move as an argument.
        let held = if hook == Hook::Capture { vec![Held::Other] } else { Vec::new() };
        let leaks = loaded.set.rules.look(hook.id(), |tree| Search { loaded, tree, found: Vec::new() }.all(held));
        for leak in leaks.unwrap_or_default().into_iter().take(super::report::MOST) {
            let place = loaded.set.rules.place(hook.id(), &leak.answers).filter(|place| place.file.is_none());
            let at = place.map_or((0, 0), |place| (place.line, place.column));
            let Secret { what, nobodys } = leak.secret;
            let whose = if nobodys { "no side may know" } else { "is another side's secret" };
            let message = match leak.before {
                true => format!("the options offered next reveal {what}, which {whose}"),
                false => format!("the options offered here reveal {what}, which {whose}"),
            };
            let help = "use only values that the choosing side knows, or remove the option `secret`".to_string();
            report.warning(Code::Secrets, at, message, Some(help));
        }
    }
}

/// State of a walk through a rule at one node.
#[derive(Clone)]
struct WalkState {
    node: NodeId,
    /// The side to move.
    to_move: SideRef,
    /// Whether no decision has been made yet.
    first: bool,
    /// The values that the rule holds.
    held: Arc<Vec<Held>>,
}

/// The known origin of a value that a rule holds.
#[derive(Clone)]
enum Held {
    /// This side.
    Side(SideRef),
    /// A number calculated from these amounts.
    Number(Vec<Amount>),
    /// Anything else.
    Other,
}

impl WalkState {
    /// The side that a reference meant when it was read.
    fn side(&self, side: SideRef) -> SideRef {
        match side {
            SideRef::ToMove => self.to_move,
            SideRef::Held(slot) => match self.held.get(usize::from(slot)) {
                Some(Held::Side(side)) => *side,
                _ => side,
            },
            named => named,
        }
    }

    /// The amounts from which an amount is calculated.
    fn numbers(&self, amount: &Amount) -> Vec<Amount> {
        match amount {
            Amount::Plus(a, b)
            | Amount::Minus(a, b)
            | Amount::Times(a, b)
            | Amount::Greater(a, b)
            | Amount::Smaller(a, b) => self.numbers(a).into_iter().chain(self.numbers(b)).collect(),
            Amount::Quotient(a, _) | Amount::Remainder(a, _) => self.numbers(a),
            Amount::Slot(slot) => match self.held.get(usize::from(*slot)) {
                Some(Held::Number(numbers)) => numbers.clone(),
                _ => Vec::new(),
            },
            Amount::Counter(cell) => vec![Amount::Counter(CounterRef { side: self.side(cell.side), ..*cell })],
            Amount::Highest(counter, side) => vec![Amount::Highest(*counter, self.side(*side))],
            one => vec![one.clone()],
        }
    }

    /// The amounts that a query depends on. Whether a pool holds anything is excluded: filling and spending it reveals
    /// that.
    fn amounts(&self, query: &Query) -> Vec<Amount> {
        match query {
            Query::AtLeast(inner, _) | Query::Equals(inner, _) | Query::Suppose(_, inner) => self.amounts(inner),
            Query::Amount(amount) => self.numbers(amount),
            Query::Less(a, b) => self.numbers(a).into_iter().chain(self.numbers(b)).collect(),
            _ => Vec::new(),
        }
    }

    /// The value that the rule holds after a step, if the step adds one.
    fn found(&self, step: &Step) -> Option<Held> {
        match step {
            Step::Find(Find::Side(side)) => Some(Held::Side(self.side(*side))),
            Step::Find(Find::Number(number)) => Some(Held::Number(self.numbers(number))),
            Step::Find(_) | Step::Decide(_) => Some(Held::Other),
            Step::Roll(chance) => chance.holds().then_some(Held::Other),
            Step::Ask(_) | Step::Act(_) | Step::Return(_) => None,
        }
    }
}

struct Search<'a> {
    loaded: &'a Loaded,
    tree: &'a Tree,
    found: Vec<Leak>,
}

impl Search<'_> {
    fn all(mut self, held: Vec<Held>) -> Vec<Leak> {
        let mut open =
            vec![WalkState { node: NodeId::ROOT, to_move: SideRef::Mover, first: true, held: Arc::new(held) }];
        while let Some(course) = open.pop() {
            let step = self.tree.step(course.node);
            let secret = match step {
                Step::Decide(decision) => self.offered(decision, &course),
                Step::Ask(query) => self.asked_before(query, &course),
                Step::Roll(Chance::Secret(_, side)) => self.rolled_before(*side, &course),
                _ => None,
            };
            if let Some(secret) = secret {
                let answers = self.tree.path(course.node);
                self.found.push(Leak { answers, secret, before: !matches!(step, Step::Decide(_)) });
            }
            let to_move = match step {
                Step::Act(Effect::HandOver(side)) => course.side(*side),
                _ => course.to_move,
            };
            let first = course.first && !matches!(step, Step::Decide(_));
            let held = match course.found(step) {
                Some(found) => Arc::new(course.held.iter().cloned().chain([found]).collect()),
                None => Arc::clone(&course.held),
            };
            let on = |node| WalkState { node, to_move, first, held: Arc::clone(&held) };
            open.extend(self.tree.ways_on(course.node).into_iter().map(on));
        }
        self.found
    }

    /// A secret that the options of a decision reveal to the deciding side.
    fn offered(&self, decision: &Decision, course: &WalkState) -> Option<Secret> {
        let player = course.side(decision.by().unwrap_or(SideRef::ToMove));
        match decision.bare() {
            Decision::Held { counter, side, .. } => self.counter(*counter, *side, player, course),
            Decision::Play { permit, .. } => self.permit(permit, player, course),
            Decision::PlayEach(plan) => plan.permits.iter().find_map(|permit| self.permit(permit, player, course)),
            _ => None,
        }
    }

    fn permit(&self, permit: &Permit, player: SideRef, course: &WalkState) -> Option<Secret> {
        match permit {
            Permit::And(a, b) | Permit::Or(a, b) | Permit::OrElse(a, b) | Permit::Minus(a, b) => {
                self.permit(a, player, course).or_else(|| self.permit(b, player, course))
            }
            Permit::Safety(inner, _) | Permit::Longest(inner) | Permit::Of(inner, _) => {
                self.permit(inner, player, course)
            }
            Permit::Most(most) => {
                self.permit(&most.permit, player, course).or_else(|| self.permit(&most.next, player, course))
            }
            Permit::Payable(held_dice, _) => self.counter(held_dice.counter, held_dice.side, player, course),
            Permit::Where(inner, test) | Permit::After(inner, test) => {
                let before = course.first && matches!(permit, Permit::Where(..));
                let asked = self.loaded.set.rules.look(*test, |tree| {
                    let steps = tree.nodes().map(|node| tree.step(node));
                    let queries = steps.filter_map(|step| if let Step::Ask(query) = step { Some(query) } else { None });
                    queries
                        .flat_map(|query| course.amounts(query))
                        .find_map(|amount| self.asked(&amount, player, course, before))
                });
                asked.flatten().or_else(|| self.permit(inner, player, course))
            }
            _ => None,
        }
    }

    /// The secret behind an amount, if the player may not know it. With `traits`, traits of pieces to be captured count
    /// too.
    fn asked(&self, amount: &Amount, player: SideRef, course: &WalkState, traits: bool) -> Option<Secret> {
        match amount {
            Amount::Counter(CounterRef { counter, side, .. }) | Amount::Highest(counter, side) => {
                self.counter(*counter, *side, player, course)
            }
            Amount::Trait(index, SquareRef::To(_) | SquareRef::Captured(_)) if traits => {
                let def = self.loaded.set.variant.spec().traits.get(usize::from(*index))?;
                def.secret.then(|| Secret { what: format!("\"{}\"", def.name), nobodys: false })
            }
            _ => None,
        }
    }

    /// Whether the counter behind an amount is hidden from some side.
    fn is_secret(&self, amount: &Amount) -> bool {
        let (Amount::Counter(CounterRef { counter, .. }) | Amount::Highest(counter, _)) = amount else { return false };
        self.loaded.set.variant.spec().counters.get(usize::from(*counter)).is_some_and(|def| def.secret)
    }

    fn counter(&self, counter: u8, owner: SideRef, player: SideRef, course: &WalkState) -> Option<Secret> {
        let def = self.loaded.set.variant.spec().counters.get(usize::from(counter))?;
        let hidden = !def.per_side || self.differ(course.side(owner), player);
        (def.secret && hidden).then(|| Secret { what: format!("\"{}\"", def.name), nobodys: !def.per_side })
    }

    /// Whether two references always mean different sides.
    fn differ(&self, a: SideRef, b: SideRef) -> bool {
        let sides = self.loaded.set.variant.spec().sides.len();
        match (a, b) {
            (SideRef::Is(a), SideRef::Is(b)) => a != b,
            (SideRef::Mover, SideRef::Opponent) | (SideRef::Opponent, SideRef::Mover) => true,
            (SideRef::Mover, SideRef::Ahead(n)) | (SideRef::Ahead(n), SideRef::Mover) => usize::from(n) % sides != 0,
            _ => false,
        }
    }

    /// A secret whose answer alone changes the options of players who may not know it.
    fn asked_before(&self, query: &Query, course: &WalkState) -> Option<Secret> {
        let numbers: Vec<Amount> = course.amounts(query).into_iter().filter(|amount| self.is_secret(amount)).collect();
        // Most queries involve no secret, and their branches can be skipped.
        let players = if numbers.is_empty() { return None } else { self.offered_by(course)? };
        let secret = |amount: &Amount| {
            let hidden = players.iter().map(|player| self.asked(amount, *player, course, false));
            hidden.collect::<Option<Vec<Secret>>>().and_then(|all| all.into_iter().next())
        };
        numbers.iter().find_map(secret)
    }

    /// A roll that only `side` sees, but that changes the options of others.
    fn rolled_before(&self, side: SideRef, course: &WalkState) -> Option<Secret> {
        let (side, players) = (course.side(side), self.offered_by(course)?);
        let hidden = players.iter().all(|player| self.differ(side, *player));
        hidden.then(|| Secret { what: "this roll".into(), nobodys: false })
    }

    /// The sides whose options depend on the answer at a node, if it comes before all decisions of the turn. After a
    /// decision, secrets may be revealed on purpose.
    fn offered_by(&self, course: &WalkState) -> Option<Vec<SideRef>> {
        let ways = || self.tree.ways_on(course.node).into_iter().map(|node| self.offers(node));
        let ways: Vec<Vec<&Decision>> = if course.first { ways().collect() } else { return None };
        let apart = ways.iter().enumerate().any(|(i, way)| {
            let other = |other: &Vec<&Decision>| !other.is_empty() && !other.iter().any(|offer| way.contains(offer));
            !way.is_empty() && ways[i + 1..].iter().any(other)
        });
        let players = ways.iter().flatten().map(|decision| decision.by().unwrap_or(SideRef::ToMove));
        apart.then(|| players.map(|player| course.side(player)).collect())
    }

    /// The next decisions that follow if only queries come in between, without effects, rolls or answers.
    fn offers(&self, node: NodeId) -> Vec<&Decision> {
        let (mut found, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            match self.tree.step(node) {
                Step::Decide(decision) => found.push(decision),
                Step::Ask(_) | Step::Find(_) => open.extend(self.tree.ways_on(node)),
                _ => {}
            }
        }
        found
    }
}

/// Whether a function with this name reads a counter or takes from it.
fn asks_counters(name: &str) -> bool {
    position_of(name, ParamKind::CounterName).is_some() && !has_fact(name, Fact::Fills)
}

/// Warns about reads of counters that start empty and are never filled.
pub(super) fn never_filled(table: &NameTable, loaded: &Loaded, report: &mut Report) {
    let mut filled: Vec<String> = Vec::new();
    let mut certain = true;
    let mut fill = |call: &Call| {
        if has_fact(&call.name, Fact::Fills) {
            let before = filled.len();
            filled.extend(call.args.iter().filter_map(Value::text).map(|(text, _)| text.to_string()));
            certain &= filled.len() > before;
        }
    };
    table.calls.iter().for_each(&mut fill);
    rules::visit(table, &rules::RULES, &mut fill);
    if !certain {
        return;
    }
    let (variant, start) = (&loaded.set.variant, &loaded.start);
    for (index, def) in variant.spec().counters.iter().enumerate() {
        let nothing = (0..def.size).all(|place| {
            let sides = (0..variant.spec().sides.len() as u8).map(astragal_core::Side);
            sides.into_iter().all(|side| Position::counter_at(start, variant, index, place, side) == 0)
        });
        if !nothing || filled.contains(&def.name) {
            continue;
        }
        let asks = |call: &&Call| {
            call.names(&def.name) && call.within.is_some() && call.module.is_none() && asks_counters(&call.name)
        };
        let Some(call) = table.calls.iter().filter(asks).min_by_key(|call| call.at) else { continue };
        let (message, help) = match def.size {
            1 => (
                format!("the counter \"{}\" is 0 at the start, and no rule changes it", def.name),
                format!("change it in a rule, as in `add(\"{}\", 1)`", def.name),
            ),
            _ if call.name.ends_with("_at") => (
                format!("the counter \"{}\" is 0 in all places at the start, and no rule changes it", def.name),
                format!("change it in a rule, as in `set_at(\"{}\", 1, 1)`", def.name),
            ),
            _ => (
                format!("the pool \"{}\" is empty at the start, and no rule puts dice into it", def.name),
                format!("put dice into it with `cast(...).keep(\"{}\")`", def.name),
            ),
        };
        report.warning(Code::Counters, call.at, message, Some(help));
    }
}
