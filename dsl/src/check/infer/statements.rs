//! Checks statements: their effects on variables, their values, and statements that have no effect or are never reached.

use super::super::brackets::index_at;
use super::super::shapes::{is_variable, leaves, operands, root_of};
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::calls::{gives_nothing, properties};
use super::{ANYWHERE, LineColumn, Walker, place, start};
use crate::diagnostic::Code;
use crate::host::kind::{ParamKind, ValueKind, operand};
use rhai::{ASTFlags, Expr, Stmt, StmtBlock, Token as Op};

impl Walker<'_> {
    /// The value of a block; it has no kinds if code after the block never runs.
    pub(super) fn block(&mut self, block: &StmtBlock, used: bool) -> AbstractValue {
        self.scopes.push(Vec::new());
        let mut value = AbstractValue::nothing();
        let statements: Vec<&Stmt> =
            block.iter().filter(|one| !matches!(one, Stmt::Noop(_) | Stmt::Share(_))).collect();
        let last = statements.len().saturating_sub(1);
        self.labels_lost(&statements);
        self.roll_lost(&statements);
        for (i, statement) in statements.iter().enumerate() {
            self.never_runs(&statements[..i], statement);
            value = self.statement(statement, used && i == last);
            if leaves(statement) {
                if let Some(next) = statements.get(i + 1) {
                    self.never_reached(statement, next);
                }
                value = AbstractValue::of(Kinds::NONE);
            }
        }
        if let (Some(Stmt::Var(parts, _, at)), true) = (statements.last(), used) {
            self.ends_in_let(&parts.0.name, place(*at));
            let why = format!("`{}` ends with `let`, so it returns no value", self.own.0);
            value.nothing = Some((place(*at), why, format!("add `{}` as the last line", parts.0.name)));
        }
        if let (Some(Stmt::For(_, at) | Stmt::While(_, at)), true, false) =
            (statements.last(), used, self.own.0.is_empty() || self.own.0.starts_with("anon$"))
            && self.scopes.len() == 2
        {
            let why = format!("`{}` ends with a loop, so it returns no value", self.own.0);
            let made = self
                .scopes
                .last()
                .and_then(|scope| scope.last())
                .map(|(name, _)| format!("write `{name}` after the loop"));
            value.nothing = Some((place(*at), why, made.unwrap_or_else(|| "write the value after the loop".into())));
        }
        self.scopes.pop();
        value
    }

    fn never_reached(&mut self, before: &Stmt, next: &Stmt) {
        let at = match next {
            Stmt::Expr(expr) => start(expr),
            Stmt::Assignment(parts) => start(&parts.1.lhs),
            other => place(other.position()),
        };
        let line = match place(before.position()).0 {
            line if line == at.0 => "earlier on this line".to_string(),
            line => format!("on line {line}"),
        };
        let what = match before {
            Stmt::BreakLoop(..) => "`break` or `continue`",
            _ => "`return`",
        };
        let message = format!("this never runs: the {what} {line} comes first");
        let help = format!("move it before the {what}, remove it, or make the {what} conditional");
        self.warn(Code::Unreachable, at, message, help);
    }

    fn ends_in_let(&mut self, name: &str, at: LineColumn) {
        let of = if self.own.0.starts_with("anon$") || self.own.0.is_empty() {
            "this function or block".to_string()
        } else {
            format!("`{}`", self.own.0)
        };
        let message =
            format!("{of} ends with `let`, so it returns no value, but a permit or other value may be expected");
        let help = format!("add `{name}` as the last line, or remove `let {name} =`");
        self.warn(Code::LostValue, at, message, help);
    }

    pub(super) fn statement(&mut self, statement: &Stmt, used: bool) -> AbstractValue {
        match statement {
            Stmt::If(flow, at) => {
                self.asked_again(flow);
                self.rolled_for_each(flow);
                self.chain_short(flow);
                if flow.branch.is_empty() {
                    self.asked_short(&flow.expr, &flow.body);
                }
                // Lost values are reported once for the whole `if`.
                let used = used || self.whole_lost(flow, place(*at));
                let (then_side, otherwise) = self.tested(&flow.expr);
                if flow.body.is_empty() {
                    let help = "add a statement to the block, or remove the `if`";
                    let at = place(flow.body.position());
                    self.warn(Code::LostValue, at, "the block after this condition is empty", help);
                }
                self.branches += 1;
                let asked = self.asked.len();
                self.under(&flow.expr, true);
                let then = self.block_under(&then_side, &flow.body, used);
                self.asked.truncate(asked);
                self.branches -= 1;
                self.under(&flow.expr, false);
                let other = match flow.branch.is_empty() {
                    true => AbstractValue::nothing(),
                    false => self.block_under(&otherwise, &flow.branch, used),
                };
                self.asked.truncate(asked);
                self.behind(&flow.body, otherwise);
                let mut value = then.or(&other);
                let gives = then.kinds.known() && !then.kinds.has(ValueKind::Nothing);
                if used && flow.branch.is_empty() && gives && value.nothing.is_none() {
                    let why = format!("this `if` returns {} only when its condition is true", then.kinds.words());
                    value.nothing = Some((place(*at), why, "add a value for that case: `else { .. }`".into()));
                }
                value
            }
            Stmt::Switch(parts, at) => self.switch(parts, place(*at), used),
            Stmt::While(flow, at) | Stmt::Do(flow, _, at) => {
                if !matches!(flow.expr, Expr::Unit(_)) {
                    self.condition(&flow.expr);
                    self.stands_still(&flow.expr, &flow.body, place(*at));
                    self.asked_short(&flow.expr, &flow.body);
                }
                self.block(&flow.body, false);
                AbstractValue::any()
            }
            Stmt::For(parts, _) => {
                let all = self.value(&parts.2.expr);
                self.given_back(&parts.2.expr);
                let each = self.each(&all, &parts.2.expr);
                self.passed_over(&parts.0.name, place(parts.0.pos), &parts.2.expr, &all, &parts.2.body);
                self.counted_short(&parts.0.name, &parts.2.expr, &parts.2.body);
                self.one_short(&parts.0.name, &parts.2.expr, &parts.2.body);
                self.set_by_each(&parts.0.name, &all, &parts.2.body);
                self.held_against(&all, &parts.0.name, &parts.2.body);
                self.filled_by(&parts.2.expr, &parts.2.body);
                self.perhaps_below_zero(&parts.2.expr);
                self.numbered_only(&parts.0.name, &parts.2.expr, &parts.2.body);
                if self.entries_guarded(&parts.2.expr) {
                    self.guards.insert(parts.0.name.to_string());
                }
                let mut inner = vec![(parts.0.name.to_string(), each)];
                inner.extend(
                    parts.1.iter().map(|counter| (counter.name.to_string(), AbstractValue::one(ValueKind::Number))),
                );
                self.scopes.push(inner);
                self.block(&parts.2.body, false);
                self.scopes.pop();
                AbstractValue::nothing()
            }
            Stmt::Var(parts, ..) => {
                let mut value = self.value(&parts.1);
                self.given_back(&parts.1);
                let is_empty =
                    matches!(&parts.1, Expr::Unit(_)) || matches!(&parts.1, Expr::Stmt(block) if block.is_empty());
                if is_empty && value.nothing.is_none() {
                    let why = format!("`{}` starts as `()` (no value)", parts.0.name);
                    value.nothing = Some((place(parts.1.start_position()), why, "assign a value to it first".into()));
                }
                self.named_for_the_other_end(&parts.0.name, &parts.1);
                self.made_again(&parts.0.name, place(parts.0.pos));
                self.made_with(&parts.0.name, &value, &parts.1);
                if let Some(scope) = self.scopes.last_mut() {
                    scope.push((parts.0.name.to_string(), value));
                }
                AbstractValue::nothing()
            }
            Stmt::Assignment(parts) => {
                self.assignment(&parts.0, &parts.1.lhs, &parts.1.rhs);
                AbstractValue::nothing()
            }
            Stmt::FnCall(call, at) => {
                let value = self.call(call, *at, None);
                if !used {
                    self.dropped(call, place(*at));
                }
                value
            }
            Stmt::Block(block) => self.block(block, used),
            Stmt::Expr(expr) => self.alone(expr, used),
            Stmt::Return(expr, flags, _) => {
                expr.iter().for_each(|expr| self.given_back(expr));
                let value = expr.as_deref().map_or_else(AbstractValue::nothing, |expr| self.value(expr));
                if !flags.intersects(ASTFlags::BREAK) {
                    self.returned.push(value);
                }
                AbstractValue::of(Kinds::NONE)
            }
            Stmt::BreakLoop(expr, ..) => {
                expr.iter().for_each(|expr| drop(self.value(expr)));
                AbstractValue::of(Kinds::NONE)
            }
            _ => AbstractValue::nothing(),
        }
    }

    /// An unused variable in an inner block that hides one of the same function, which was probably meant.
    fn made_again(&mut self, name: &str, at: LineColumn) {
        let inner = self.scopes.len().saturating_sub(1);
        let outer = self.scopes[..inner].iter().flatten().any(|(known, _)| known == name);
        let here = index_at(self.tokens, at).filter(|_| outer);
        let Some(here) = here else { return };
        let mut depth = 0;
        let rest = self.tokens[here + 1..].iter().take_while(|token| {
            depth += i32::from(token.opens()) - i32::from(token.closes());
            depth >= 0
        });
        // In its own initial value, the name still refers to the outer variable.
        let mut behind = rest.skip_while(|token| !token.is(";"));
        if behind.any(|token| token.is(name) || token.text.starts_with('`')) {
            return;
        }
        let before = self.tokens[..here - 1].iter().rev().find(|token| token.is(name));
        let line = before.map_or(at.0, |token| token.at.0);
        let message =
            format!("this `let` declares a second `{name}` that is never used: the one on line {line} stays the same");
        self.warn(Code::Unused, at, message, format!("assign to it without `let`: `{name} = ..`"));
    }

    fn assignment(&mut self, op: &rhai::OpAssignment, left: &Expr, right: &Expr) {
        let value = self.value(right);
        let Expr::Variable(variable, ..) = left else {
            self.value(left);
            if let Expr::Dot(parts, ..) = left {
                self.property_set(&parts.lhs, &parts.rhs, right);
            }
            if let Some(name) = root_of(left) {
                self.constant_changed(&name, start(left));
                self.changed_in_place(&name);
            }
            return;
        };
        self.constant_changed(&variable.1, start(left));
        let name = variable.1.to_string();
        if let Expr::Dot(parts, ..) = right
            && let (true, Expr::MethodCall(call, at)) = (is_variable(&parts.lhs, &name), &parts.rhs)
            && gives_nothing(&call.name)
        {
            let message = format!("`{}` changes `{name}` in place and returns no value", call.name);
            self.error(
                Code::LostValue,
                place(*at),
                message,
                format!("write `{name}.{}(..);` on its own line", call.name),
            );
            return;
        }
        let value = match op.get_op_assignment_info() {
            Some((.., base, _)) => {
                // An unknown variable counts as its initial value, or it would remain unknown in every walk.
                let old = Some(self.lookup(&name)).filter(|old| old.kinds.known());
                let old = old.unwrap_or_else(|| AbstractValue {
                    range: None,
                    sure: None,
                    outer: None,
                    among: None,
                    length: None,
                    ..self.made_as(&name)
                });
                // `+=` appends any value to an array.
                if old.kinds.is(ValueKind::Array) {
                    let longer = AbstractValue { length: None, ..old.or(&value) };
                    let joined = value.kinds.is(ValueKind::Array) && !longer.items.is_empty();
                    return self.set(name, if joined { longer } else { AbstractValue::any() });
                }
                self.adds_nothing(base, &name, &value, left, right);
                self.operator(base, &[old, value], &[left, right], place(op.position()))
            }
            None => {
                if is_variable(right, &name) {
                    let message = format!("`{name}` is assigned to itself");
                    self.warn(
                        Code::LostValue,
                        start(left),
                        message,
                        "remove this assignment, or assign a different value",
                    );
                }
                value
            }
        };
        self.set(name, value);
    }

    /// An assignment to a property of a square, a move or the like: only effects change the game.
    fn property_set(&mut self, of: &Expr, last: &Expr, value: &Expr) {
        let (mut chain, mut last) = (vec![self.source(of)], last);
        let mut receiver = self.value(of);
        while let Expr::Dot(inner, ..) = last {
            if let Expr::Property(name, at) = &inner.lhs {
                receiver = self.property(&receiver, of, &name.2, place(*at));
                chain.push(name.2.to_string());
            }
            last = &inner.rhs;
        }
        let Expr::Property(name, at) = last else { return };
        let (name, at) = (name.2.as_str(), place(*at));
        let known = properties(name).next().is_some();
        let map = receiver.kinds.has(ValueKind::Map);
        if map && (!known || receiver.kinds.known()) || !map && !receiver.kinds.known() {
            return;
        }
        let (mut owner, value) = (chain.join("."), self.source(value));
        if receiver.kinds.without(ValueKind::Nothing).is(ValueKind::Move) {
            owner = format!("{owner}.to");
        }
        let is_trait = self
            .world
            .is_some_and(|world| world.names(ParamKind::TraitName).is_some_and(|(_, all)| all.contains(&name)));
        let help = match name {
            _ if is_trait => format!("it is a trait: write `set({owner}, \"{name}\", {value})`"),
            "kind" => format!("use an effect to change the game: write `become({owner}, {value})`"),
            "side" => format!("use an effect to change the game: write `convert({owner}, {value})`"),
            _ => {
                "use an effect to change the game: `set(..)`, `become(..)`, `relocate(..)` or `convert(..)`".to_string()
            }
        };
        self.error(Code::UnknownName, at, format!("`{name}` cannot be changed by assignment"), help);
    }

    /// Records a value that is assigned to a variable.
    fn set(&mut self, name: String, value: AbstractValue) {
        // A closure may assign to a variable of the function around it.
        let own = if self.own.0.starts_with("anon$") { ANYWHERE } else { &self.own };
        let key = (own.clone(), name);
        let joined = self.now.set.get(&key).map_or_else(|| value.clone(), |known| known.or(&value));
        self.now.set.insert(key, joined);
    }

    /// Records that the entries of an array or map may differ from its initial ones.
    pub(super) fn changed_in_place(&mut self, name: &str) {
        let kinds = self.made_as(name).kinds;
        self.set(name.to_string(), AbstractValue::of(kinds));
    }

    /// The initial value of a variable.
    pub(super) fn made_as(&self, name: &str) -> AbstractValue {
        self.newest(name).cloned().unwrap_or_else(|| self.lookup(name))
    }

    /// A top-level constant that a rule assigns to.
    pub(super) fn constant_changed(&mut self, name: &str, at: LineColumn) {
        let local = self.scopes.iter().flatten().any(|(known, _)| known == name);
        if !local && self.constants.iter().any(|(known, _)| known == name) {
            let message = format!("`{name}` is a constant: it cannot be changed");
            self.error(Code::Constant, at, message, format!("copy it into a variable first: `let mine = {name};`"));
        }
    }

    /// The item of a loop.
    fn each(&mut self, all: &AbstractValue, expr: &Expr) -> AbstractValue {
        if all.kinds.without(ValueKind::Nothing).is(ValueKind::Array) {
            return if all.items.is_empty() { AbstractValue::any() } else { all.item() };
        }
        if all.kinds.is(ValueKind::Squares) {
            return AbstractValue::one(ValueKind::Square);
        }
        if let Some((least, most)) = range_of(expr, self).filter(|(least, most)| least <= most) {
            return AbstractValue { written: vec![(least, start(expr))], ..AbstractValue::number(least, most) };
        }
        let through =
            Kinds::of(&[ValueKind::Array, ValueKind::Squares, ValueKind::Map, ValueKind::Text, ValueKind::Function]);
        if all.kinds.known() && !all.kinds.meets(through) {
            let source = self.source(expr);
            let help = match all.kinds.is(ValueKind::Number) {
                true if matches!(all.origin, Some(Origin::Dice(_))) => {
                    format!("one die is a single number: use `{source}` directly, or roll several dice, as in \"2d6\"")
                }
                true => format!("count up to it: `for i in 0..{source} {{ .. }}`"),
                false => "loop over an array, a set of squares or a range of numbers".to_string(),
            };
            let message = format!("a loop cannot iterate over {}", operand(&all.kinds.words()));
            self.error(Code::LostValue, start(expr), message, help);
        }
        AbstractValue::any()
    }
}

/// The numbers of a range expression.
fn range_of(expr: &Expr, walker: &mut Walker<'_>) -> Option<(i64, i64)> {
    let (op, first, last) = operands(expr)?;
    let (first, last) = (walker.value(first).range?, walker.value(last).range?);
    match op {
        Op::InclusiveRange => Some((first.0, last.1)),
        Op::ExclusiveRange => Some((first.0, last.1.checked_sub(1)?)),
        _ => None,
    }
}
