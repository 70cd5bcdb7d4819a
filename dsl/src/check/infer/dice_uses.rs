//! Checks how rolled dice are used: a die that is never read, a die used in place of another, a roll that is lost.

use super::super::brackets::index_at;
use super::super::definitions::{Definition, own_function};
use super::super::shapes::{
    self, any_in, any_within, called, each_node, first_in, first_within, is_equality, is_variable, length_of, method,
    numbered_entry, operands, variable, written,
};
use super::abstract_value::{AbstractValue, Origin};
use super::calls::changes_in_place;
use super::numbers::Bounds;
use super::rolls::{dice_in, dice_place, faces_written};
use super::{LineColumn, Own, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, Fact, costs, gives, has_fact, named, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::host::walk::walk_statement;
use rhai::{ASTNode, Expr, FlowControl, FnCallExpr, Stmt, StmtBlock, Token as Op};
use std::collections::BTreeMap;

/// Maximum depth to which nested calls are followed.
const DEEP: usize = 3;

/// Maximum number of parts that are compared in pairs.
const MOST: usize = 16;

/// The places where entries of dice are read, with the range of the index if it is known.
type Uses = BTreeMap<LineColumn, Option<Bounds>>;

/// By function and variable: the number of dice, and the entries that are read.
#[derive(Default)]
pub(super) struct DiceAsked(BTreeMap<(Own, String), (usize, Uses)>);

/// By counter: the highest face put into it, the number of its places, and the place of the dice; `None` if some of its
/// dice are unknown.
pub(super) type Filled = BTreeMap<String, Option<(i64, i64, LineColumn)>>;

impl Walker<'_> {
    /// Records a read of one of several dice.
    pub(super) fn die_asked(&mut self, of: &Expr, whole: &AbstractValue, at: &AbstractValue) {
        let (Expr::Variable(variable, ..), Some(count)) = (of, dice_in(whole)) else { return };
        // With sorted dice, ignoring the lowest or the highest may be intended.
        if whole.ascending {
            return;
        }
        let asked = self.dice_asked.0.entry((self.own.clone(), variable.1.to_string()));
        let (known, uses) = asked.or_insert_with(|| (count, BTreeMap::new()));
        // Two variables with the same name may hold different dice.
        *known = (*known).max(count);
        uses.insert(start(of), at.bounds().filter(|_| at.is_a_number()));
    }

    /// Warns about dice in a variable that are read one by one, except for some.
    pub(super) fn never_looked_at(&mut self) {
        for ((own, name), (count, uses)) in std::mem::take(&mut self.dice_asked).0 {
            let Some(def) = own_function(self.functions, &own.0, own.1) else {
                continue;
            };
            if mentions(&def.body, &name) != uses.len() {
                continue;
            }
            let from_start = |n: i64| if n < 0 { n + count as i64 } else { n };
            let covers = |n: i64| {
                uses.values().any(|range| {
                    range.is_none_or(|(least, most)| {
                        (least.max(-(count as i64))..=most.min(count as i64)).any(|at| from_start(at) == n)
                    })
                })
            };
            let Some(missing) = (0..count as i64).find(|n| !covers(*n)) else { continue };
            let Some(at) = self.rolled_into(def, &name, uses.keys().next().copied()) else { continue };
            let message = format!("`{name}[{missing}]`, one of the {count} dice rolled, is never used");
            self.warn(Code::Unused, at, message, format!("use `{name}[{missing}]` too, or roll one fewer die"));
        }
    }

    /// A roll stored in a variable that is only tested for having a value.
    pub(super) fn only_whether(&mut self, def: &Definition) {
        let mut made: Vec<(String, LineColumn)> = Vec::new();
        let mut asked: BTreeMap<String, usize> = BTreeMap::new();
        each_node(&def.body, &mut |node| match node {
            ASTNode::Stmt(Stmt::Var(parts, ..)) if is_roll(&parts.1) => {
                made.push((parts.0.name.to_string(), place(parts.0.pos)));
            }
            ASTNode::Expr(Expr::FnCall(call, _)) => {
                let compares = is_equality(call.op_token.as_ref());
                if let ([Expr::Variable(variable, ..), Expr::Unit(_)], true) = (call.args.as_slice(), compares) {
                    *asked.entry(variable.1.to_string()).or_default() += 1;
                }
            }
            _ => {}
        });
        for (name, at) in made {
            let count = asked.get(&name).copied().unwrap_or(0);
            if count > 0 && mentions(&def.body, &name) == count {
                let message = format!("the value of `{name}` is never used: this only tests whether there is a roll");
                let help = format!("use `{name}` where the roll matters, as in `play(permit({name}))`");
                self.warn(Code::Unused, at, message, help);
            }
        }
    }

    /// The place where a function stores a roll in a variable that is not a parameter.
    fn rolled_into(&self, def: &Definition, name: &str, first_use: Option<LineColumn>) -> Option<LineColumn> {
        let mut made = Vec::new();
        each_node(&def.body, &mut |node| {
            if let ASTNode::Stmt(Stmt::Var(parts, ..)) = node
                && parts.0.name == name
            {
                made.push((is_roll(&parts.1), place(parts.0.pos)));
            }
        });
        match made.as_slice() {
            [(true, at)] => Some(*at),
            // An anonymous function receives the whole roll.
            [] if def.name.starts_with("anon$") && def.params.iter().any(|param| param == name) => first_use,
            _ => None,
        }
    }

    /// Array entries that repeat the same die, although there are enough dice for all entries.
    pub(super) fn listed_twice(&mut self, items: &[Expr], values: &[AbstractValue]) {
        if self.report.is_none() || !(2..=MOST).contains(&items.len()) {
            return;
        }
        for (i, (item, value)) in items.iter().zip(values).enumerate().skip(1) {
            let room = self.dice_named(item).is_some_and(|(_, count, _)| items.len() <= count);
            // Under a condition, the same number may be listed twice on purpose, as after a double.
            let certain = value.kinds.is(ValueKind::Text) || self.branches == 0;
            if room && certain && !self.acts(item) && items[..i].iter().any(|other| written(other) == written(item)) {
                self.stands_twice(item, ",", |item| format!("this list contains {item} twice"));
            }
        }
    }

    /// The same operand on both sides of `|` or `&`.
    pub(super) fn joined_twice(&mut self, op: &Op, exprs: &[&Expr]) {
        let ([left, right], true) = (exprs, self.report.is_some()) else { return };
        let (mut parts, mut rest) = (Vec::new(), *left);
        while let Expr::FnCall(call, _) = rest
            && call.op_token.as_ref() == Some(op)
            && call.args.len() == 2
            && parts.len() < MOST
        {
            parts.push(&call.args[1]);
            rest = &call.args[0];
        }
        parts.push(rest);
        if parts.iter().any(|part| written(part) == written(right)) && !self.acts(right) {
            let sign = op.literal_syntax();
            self.stands_twice(right, sign, |operand| format!("`{sign}` combines {operand} with itself"));
        }
    }

    /// The same condition twice between `&&` or `||`.
    pub(super) fn asked_twice(&mut self, parts: &[Expr], sign: &str) {
        if self.report.is_none() || parts.len() > MOST {
            return;
        }
        for (i, part) in parts.iter().enumerate().skip(1) {
            if parts[..i].iter().any(|other| written(other) == written(part)) && !self.acts(part) {
                self.stands_twice(part, sign, |part| format!("this condition tests {part} twice"));
            }
        }
    }

    /// A number subtracted from itself.
    pub(super) fn taken_from_itself(&mut self, exprs: &[&Expr]) {
        let [left @ (Expr::Index(..) | Expr::Variable(..)), right] = exprs else { return };
        if written(left) != written(right) || self.acts(left) {
            return;
        }
        let source = self.source(left);
        let source = source.split(" - ").next().unwrap_or(&source).to_string();
        let help = match self.dice_named(right) {
            Some((name, count, die)) => format!("did you mean `{source} - {name}[{}]`?", other_than(die, count)),
            None => "subtract a different number".to_string(),
        };
        self.warn(
            Code::Arithmetic,
            start(left),
            format!("this is always 0: `{source}` is subtracted from itself"),
            help,
        );
    }

    /// An operand of `sign`, or an item of a list, that repeats an earlier one. `message` takes its code in quotes.
    fn stands_twice(&mut self, expr: &Expr, sign: &str, message: impl FnOnce(&str) -> String) {
        let source = self.source(expr);
        let source = source.split(&format!(" {sign} ")).next().unwrap_or(&source).to_string();
        let (code, help) = match self.dice_named(expr) {
            Some((name, count, die)) => {
                let other = format!("{name}[{}]", other_than(die, count));
                (Code::Unused, format!("did you mean `{}`?", source.replace(&format!("{name}[{die}]"), &other)))
            }
            None => (Code::Condition, "write something different, or remove it".to_string()),
        };
        self.warn(code, start(expr), message(&format!("`{source}`")), help);
    }

    /// The likely intention where a die is compared with itself.
    pub(super) fn other_die(&self, die: &Expr) -> Option<String> {
        let (name, count, number) = self.dice_named(die)?;
        let other = other_than(number, count);
        Some(format!("compare two different dice: did you mean `{name}[{number}] == {name}[{other}]`?"))
    }

    /// The first die in an expression, such as `dice[1]`: its variable, the number of dice in it, and its index.
    fn dice_named(&self, expr: &Expr) -> Option<(String, usize, usize)> {
        first_in(expr, |node| {
            let ASTNode::Expr(expr @ Expr::Index(parts, ..)) = node else { return None };
            let (name, die) = numbered_entry(expr)?;
            let count = self.dice_held(&parts.lhs).as_ref().and_then(dice_in)?;
            Some((name.to_string(), count, usize::try_from(die).ok()?))
        })
    }

    /// Whether an expression rolls, asks a player or changes the game, including through script functions it calls. If it
    /// does, it may have a different value the second time.
    pub(super) fn acts(&self, expr: &Expr) -> bool {
        any_in(expr, |node| self.node_acts(node, DEEP))
    }

    fn node_acts(&self, node: &ASTNode<'_>, deep: usize) -> bool {
        let Some((call, _)) = called(node).filter(|(call, _)| !call.is_operator_call()) else { return false };
        let own = self.functions.iter().find(|def| def.name == call.name.as_str());
        let Some(def) = own else {
            let acting = [Cost::Chance, Cost::Decision, Cost::Effect];
            let changes = matches!(node, ASTNode::Expr(Expr::MethodCall(..))) && changes_in_place(&call.name);
            return call.name == "call" || changes || acting.into_iter().any(|cost| costs(&call.name, cost));
        };
        let Some(deeper) = deep.checked_sub(1) else { return true };
        any_within(&def.body, |node| self.node_acts(node, deeper))
    }

    /// A loop over dice that never reads its die, but takes one from the whole roll.
    pub(super) fn passed_over(&mut self, die: &str, at: LineColumn, of: &Expr, all: &AbstractValue, body: &StmtBlock) {
        let Expr::Variable(variable, ..) = of else { return };
        if all.kinds.without(ValueKind::Nothing).is(ValueKind::Array)
            && mentions(body, die) == 0
            && takes_one(body, &variable.1)
        {
            self.each_unused(die, &variable.1, at, "this loop");
        }
    }

    /// The same for a function that is called for each die.
    pub(super) fn each_passed_over(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let ("play_each", [Expr::Variable(variable, ..), ..]) = (name, exprs) else { return };
        for (arg, expr) in args.iter().zip(exprs).skip(1) {
            let Some((function, caught)) = &arg.function else { continue };
            let def = self.functions.iter().find(|def| &def.name == function && function.starts_with("anon$"));
            let Some((def, die)) = def.and_then(|def| Some((def, def.params.get(*caught)?.clone()))) else { continue };
            if mentions(&def.body, &die) > 0 || !takes_one(&def.body, &variable.1) {
                continue;
            }
            let bar = self.function_place(expr);
            let here = index_at(self.tokens, bar);
            let at = here.and_then(|here| self.tokens.get(here + 1)).map_or(bar, |token| token.at);
            self.each_unused(&die, &variable.1, at, "this function");
        }
    }

    fn each_unused(&mut self, die: &str, dice: &str, at: LineColumn, place: &str) {
        let message = format!("{place} never uses `{die}`, so it does the same for every entry of `{dice}`");
        self.warn(Code::Unused, at, message, format!("use `{die}` instead of reading an entry of `{dice}`"));
    }

    /// An `else if` chain that rolls the same dice again in each condition and tests for another result.
    pub(super) fn rolled_for_each(&mut self, flow: &FlowControl) {
        let mut before = direct_rolls(&flow.expr);
        let mut branch = &flow.branch;
        let mut left = MOST;
        while let [Stmt::If(next, _)] = branch.statements()
            && !before.is_empty()
            && left > 0
        {
            left -= 1;
            let rolls = direct_rolls(&next.expr);
            let again = rolls.iter().find(|(text, _)| before.iter().any(|(other, _)| other == text));
            if let Some((text, at)) = again.filter(|_| written(&flow.expr) != written(&next.expr)) {
                let line = start(&flow.expr).0;
                let message =
                    format!("this rolls \"{text}\" again: it is a different roll from the one on line {line}");
                let help = format!("roll once before the `if`: `let die = roll(\"{text}\");`, then use `die`");
                return self.warn(Code::Condition, *at, message, help);
            }
            before = rolls;
            branch = &next.branch;
        }
    }

    /// A loop over the indices of dice that uses the index in place of the die.
    pub(super) fn numbered_only(&mut self, number: &str, through: &Expr, body: &StmtBlock) {
        let Some((Op::ExclusiveRange | Op::InclusiveRange, _, end)) = operands(through) else { return };
        let Some(of) = length_of(end).filter(|of| self.dice_held(of).is_some()) else { return };
        let Some(dice) = variable(of) else { return };
        let at = first_within(body, |node| match node {
            ASTNode::Expr(Expr::Index(parts, ..)) if is_variable(&parts.rhs, number) => Some(start(&parts.rhs)),
            _ => None,
        });
        if let Some(at) = at.filter(|_| mentions(body, dice) == 0) {
            let message = format!("`{number}` is the index of a die, but the value of that die is never used");
            let help = format!("write `{dice}[{number}]`, or loop over the dice: `for die in {dice}`");
            self.warn(Code::Unused, at, message, help);
        }
    }

    /// A roll stored in a variable and lost, because the variable is overwritten before it is read.
    pub(super) fn roll_lost(&mut self, statements: &[&Stmt]) {
        for (i, statement) in statements.iter().enumerate() {
            let Stmt::Var(parts, ..) = statement else { continue };
            if !is_roll(&parts.1) {
                continue;
            }
            let name = parts.0.name.as_str();
            let next = statements[i + 1..].iter().find(|next| names(next, name));
            let Some(Stmt::Assignment(set)) = next else { continue };
            let own = is_variable(&set.1.lhs, name);
            let looks = any_in(&set.1.rhs, |node| shapes::names(node, name));
            if own && !looks && set.0.get_op_assignment_info().is_none() {
                let line = start(&set.1.lhs).0;
                let message = format!("this roll is never used: line {line} overwrites `{name}` first");
                let help = format!("remove one roll, or give the second its own variable: `let {name}_2 = ..`");
                self.warn(Code::LostValue, place(parts.0.pos), message, help);
            }
        }
    }

    /// A reroll whose result, the new dice, is ignored. Returns whether it was reported.
    pub(super) fn rolled_into_nothing(&mut self, call: &FnCallExpr, at: LineColumn) -> bool {
        let own = self.functions.iter().any(|def| def.name == call.name.as_str());
        let again = !own && costs(&call.name, Cost::Chance) && gives(&call.name, ValueKind::Cast);
        let dice = call.args.iter().find_map(|arg| match arg {
            Expr::Variable(variable, ..) if self.lookup(&variable.1).kinds.is(ValueKind::Cast) => Some(&variable.1),
            _ => None,
        });
        let Some(dice) = dice.filter(|_| again) else { return false };
        let message = format!("the result of `{}` is never used: `{dice}` stays the same", call.name);
        self.warn(Code::LostValue, at, message, format!("keep the new dice: `{dice} = {}(..);`", call.name));
        true
    }

    /// Records the highest face that is put into a pool.
    pub(super) fn filled(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let (Some(world), "keep", Some(pool)) = (self.world, name, position_of(name, ParamKind::CounterName)) else {
            return;
        };
        let Some(counter) = args.get(pool).and_then(AbstractValue::only_text).map(str::to_string) else { return };
        let Some(places) = world.places(&counter).filter(|places| *places > 1) else { return };
        let of_cast = |(arg, expr): (&AbstractValue, &&Expr)| match (&arg.origin, expr) {
            (Some(Origin::Dice(dice)), expr) if arg.kinds.is(ValueKind::Cast) => {
                let highest = faces_written(dice)?.iter().map(|die| die.1).max()?;
                let at = dice_place(expr);
                Some((highest, places, at))
            }
            _ => None,
        };
        let found = args.iter().zip(exprs).find_map(of_cast);
        match self.filled.get_mut(&counter) {
            None => drop(self.filled.insert(counter, found)),
            Some(known) => {
                *known = known.zip(found).map(|(a, b)| if a.0 >= b.0 { a } else { b });
            }
        }
    }

    /// Warns about pools with places for faces that none of their dice shows.
    pub(super) fn never_filled(&mut self) {
        for (counter, filled) in std::mem::take(&mut self.filled) {
            let Some((highest, places, at)) = filled.filter(|(highest, places, _)| highest < places) else { continue };
            // Other calls may put any face into it.
            let quoted = format!("\"{counter}\"");
            let otherwise = self
                .tokens
                .windows(3)
                .any(|three| has_fact(three[0].text, Fact::Fills) && three[1].is("(") && three[2].is(&quoted));
            if otherwise {
                continue;
            }
            let message =
                format!("these dice show at most {highest}, but the counter \"{counter}\" has {places} places");
            let help = format!(
                "cast dice with {places} faces, as in \"3d{places}\", or declare \"{counter}\" with \
                 `places: {highest}`"
            );
            self.warn(Code::Index, at, message, help);
        }
    }

    /// A list that is changed in place, where the call's result is used as the list.
    pub(super) fn given_back(&mut self, expr: &Expr) {
        let Some((of, call)) = method(expr) else { return };
        let (Some(list), name) = (variable(of), &call.name) else { return };
        if !matches!(name.as_str(), "sort" | "reverse") || named(name).next().is_some() {
            return;
        }
        let message = format!("`{name}` changes `{list}` in place and returns no value");
        self.error(
            Code::LostValue,
            start(expr),
            message,
            format!(
                "write `{list}.{name}();` on its own line, then use \
         `{list}`"
            ),
        );
    }
}

/// The index of another die.
fn other_than(die: usize, count: usize) -> usize {
    (0..count).find(|other| *other != die).unwrap_or(0)
}

/// Whether an expression is a roll and nothing else.
fn is_roll(expr: &Expr) -> bool {
    let rolls = |call: &FnCallExpr| {
        costs(&call.name, Cost::Chance) && position_of(&call.name, ParamKind::Dice) == Some(0) && !call.args.is_empty()
    };
    matches!(expr, Expr::FnCall(call, _) if rolls(call))
}

/// The rolls in a condition: their dice text and their places.
fn direct_rolls(condition: &Expr) -> Vec<(String, LineColumn)> {
    let mut found = Vec::new();
    any_in(condition, |node| {
        if let ASTNode::Expr(Expr::FnCall(call, at)) = node
            && let ("roll", [Expr::StringConstant(text, _)]) = (call.name.as_str(), call.args.as_slice())
        {
            found.push((text.to_string(), place(*at)));
        }
        false
    });
    found
}

/// How often a block uses a variable, not counting its declaration and reads of its length.
fn mentions(block: &StmtBlock, name: &str) -> usize {
    let (mut count, mut lengths) = (0, 0);
    each_node(block, &mut |node| {
        if let ASTNode::Expr(expr) = node {
            lengths += usize::from(length_of(expr).is_some_and(|of| is_variable(of, name)));
            count += usize::from(is_variable(expr, name));
        }
    });
    count - lengths.min(count)
}

/// Whether a block always reads the same entry of a list by its index.
fn takes_one(block: &StmtBlock, list: &str) -> bool {
    let mut taken = Vec::new();
    each_node(block, &mut |node| {
        if let ASTNode::Expr(expr) = node {
            taken.extend(numbered_entry(expr).filter(|(own, _)| *own == list).map(|(_, number)| number));
        }
    });
    taken.dedup();
    taken.len() == 1
}

/// Whether a statement uses a variable, or declares one with that name.
fn names(statement: &Stmt, name: &str) -> bool {
    let mut found = false;
    walk_statement(statement, &mut |path| {
        let made = matches!(path.last(), Some(ASTNode::Stmt(Stmt::Var(parts, ..))) if parts.0.name == name);
        found |= made || path.last().is_some_and(|node| shapes::names(node, name));
        !found
    });
    found
}
