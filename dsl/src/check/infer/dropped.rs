//! Finds values that are computed and never used: statements without effect.
//!
//! [`super::statements`] determines where a value is used.

use super::super::shapes::{called, variable};
use super::abstract_value::AbstractValue;
use super::{LineColumn, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, Fact, costs, has_fact, named, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::host::tokens::Token;
use crate::host::walk::walk_statement;
use rhai::{ASTFlags, ASTNode, Expr, FlowControl, FnCallExpr, Stmt, StmtBlock};

impl Walker<'_> {
    /// Warns about an `if` used as a statement, whose branches all produce a value. Returns whether it is one.
    pub(super) fn whole_lost(&mut self, flow: &FlowControl, at: LineColumn) -> bool {
        let lost = gives_value(&flow.body) && gives_value(&flow.branch);
        if lost {
            let message = "the value of this `if` is never used";
            self.warn(Code::LostValue, at, message, "did you mean `return if ..`, or `let .. = if ..`?");
        }
        lost
    }

    /// A text about the current event that a later statement replaces before any player can see it.
    pub(super) fn labels_lost(&mut self, statements: &[&Stmt]) {
        for (i, statement) in statements.iter().enumerate() {
            let Some((said, at)) = self.says(statement) else { continue };
            if position_of(said, ParamKind::Text).is_none() {
                continue;
            }
            let behind = statements[i + 1..].iter();
            let ends = |statement: &&&Stmt| self.says(statement).is_some() || self.is_heard(statement);
            let Some((next, _)) = behind.clone().find(ends).and_then(|statement| self.says(statement)) else {
                continue;
            };
            let (message, help) = match next == said {
                true => (
                    format!("the text of this `{said}` is never shown: the next `{next}` replaces it"),
                    "remove one of them, or join the two strings".to_string(),
                ),
                false => (
                    format!(
                        "the text of this `{said}` is never shown: the `{next}` after it replaces or clears the text"
                    ),
                    format!("move it after `{next}(..)`"),
                ),
            };
            self.warn(Code::LostValue, at, message, help);
        }
    }

    /// The built-in function that a statement calls, if it describes the current event.
    fn says<'s>(&self, statement: &'s Stmt) -> Option<(&'s str, LineColumn)> {
        let (call, at) = match statement {
            Stmt::FnCall(call, at) => (call, at),
            Stmt::Expr(expr) | Stmt::Return(Some(expr), ..) => match &**expr {
                Expr::FnCall(call, at) => (call, at),
                _ => return None,
            },
            _ => return None,
        };
        let own = self.functions.iter().any(|def| def.name == call.name.as_str());
        (!own && has_fact(&call.name, Fact::SaysWhatHappens)).then(|| (call.name.as_str(), place(*at)))
    }

    /// Whether a statement may show an earlier text to a player: it requests a decision, rolls, returns, or calls a
    /// function of the script.
    fn is_heard(&self, statement: &Stmt) -> bool {
        let mut heard = false;
        walk_statement(statement, &mut |path| {
            heard |= matches!(path.last(), Some(ASTNode::Stmt(Stmt::Return(..) | Stmt::BreakLoop(..))));
            heard |= path.last().and_then(called).is_some_and(|(call, _)| {
                let asks = [Cost::Decision, Cost::Chance].into_iter().any(|cost| costs(&call.name, cost));
                !call.is_operator_call() && (asks || named(&call.name).next().is_none())
            });
            !heard
        });
        heard
    }

    /// The value of an expression used as a statement.
    pub(super) fn alone(&mut self, expr: &Expr, used: bool) -> AbstractValue {
        let value = self.value(expr);
        if used {
            return value;
        }
        match expr {
            Expr::FnCall(call, at) if call.is_operator_call() && call.args.len() == 2 => {
                let sign = call.name.to_string();
                if let (Expr::Variable(variable, ..), "+" | "-" | "|" | "&" | "*") = (&call.args[0], sign.as_str()) {
                    let (name, rest) = (&variable.1, self.source(&call.args[1]));
                    let message = format!("the result of `{sign}` is never used: `{name}` stays the same");
                    let help = format!("did you mean `{name} {sign}= {rest};`?");
                    self.warn(Code::LostValue, start(expr), message, help);
                    return value;
                }
                let help = if sign == "==" {
                    "to set a value, write `=`".to_string()
                } else {
                    format!("use the result, or remove the expression: `{sign}` changes nothing")
                };
                self.warn(Code::LostValue, place(*at), format!("the result of `{sign}` is never used"), help);
            }
            Expr::FnCall(call, at) => self.dropped(call, place(*at)),
            Expr::Dot(parts, ..) => {
                let mut last = &parts.rhs;
                while let Expr::Dot(inner, ..) = last {
                    last = &inner.rhs;
                }
                if let Expr::MethodCall(call, at) = last {
                    self.dropped_of(&call.name, place(*at), variable(&parts.lhs), true);
                }
            }
            // The check of names reports reads of an import's names.
            Expr::Variable(variable, ..) if !variable.2.is_empty() => {}
            Expr::Variable(variable, ..) => {
                let message = format!("`{}` has no effect here", variable.1);
                let help = format!("call it, return it with `return {};`, or remove it", variable.1);
                self.warn(Code::LostValue, start(expr), message, help);
            }
            // A method call on an entry: `list[n].push(x)`.
            Expr::Index(..) if called_last(expr).is_some() => {
                if let Some((call, at)) = called_last(expr) {
                    self.dropped_of(&call.name, at, None, true);
                }
            }
            _ if is_plain(expr) => {
                let source = self.source(expr);
                let message = format!("`{source}` has no effect here: the function does not return it");
                self.warn(Code::LostValue, start(expr), message, format!("did you mean `return {source};`?"));
            }
            _ => {}
        }
        value
    }

    pub(super) fn dropped(&mut self, call: &FnCallExpr, at: LineColumn) {
        if self.rolled_into_nothing(call, at) {
            return;
        }
        self.dropped_of(&call.name, at, None, !is_own_choice(call));
    }

    /// A call without effect whose result is never used. A choice may also be `needless`.
    fn dropped_of(&mut self, name: &str, at: LineColumn, receiver: Option<&str>, needless: bool) {
        let own = self.functions.iter().any(|def| def.name == name);
        if own && receiver.is_none() && self.gives_only_permits(name) {
            let message = format!("`{name}` returns a permit that is never used");
            let help = play_or_return(name);
            return self.warn(Code::LostValue, at, message, help);
        }
        if !own && name == "choose" && receiver.is_none() && !needless {
            let help =
                format!("keep the answer, `let answer = {name}(..);`, or test it: `if {name}(..) == .. {{ .. }}`");
            return self.hint(Code::LostValue, at, "the player's answer is never used", help);
        }
        if !own && receiver.is_none() && rolls(name) && self.looks_at_rolls() {
            let message = format!("this roll is never used: the result of `{name}` is discarded");
            let help = format!("keep it with `let die = {name}(..);`, and use `die`");
            return self.warn(Code::LostValue, at, message, help);
        }
        let mut rows = named(name).peekable();
        let only_makes = rows.peek().is_some() && rows.all(|(row, _)| matches!(row.cost, Cost::Value | Cost::Search));
        if own || !only_makes {
            return;
        }
        let help = match (crate::functions::gives(name, ValueKind::Permit), receiver) {
            (true, Some(receiver)) => format!("did you mean `{receiver} = {receiver}.{name}(...)`, or `return ...`?"),
            (true, None) => play_or_return(name),
            _ => format!("use the value, as in `let value = {name}(...)` or `return {name}(...)`, or remove this line"),
        };
        self.warn(Code::LostValue, at, format!("`{name}` only returns a value, but the value is never used"), help);
    }

    /// Whether the script uses any roll. If it never does, it may only display dice.
    fn looks_at_rolls(&self) -> bool {
        let used = |three: &[Token<'_>]| {
            rolls(three[1].text) && three[2].is("(") && !matches!(three[0].text, ";" | "{" | "}" | ")")
        };
        self.tokens.windows(3).any(used)
    }

    /// Whether a script function returns only permits.
    fn gives_only_permits(&self, name: &str) -> bool {
        let results = self.before.iter().flat_map(|facts| &facts.results).filter(|((own, _), _)| own == name);
        let mut results = results.map(|(_, known)| known.kinds).peekable();
        results.peek().is_some() && results.all(|kinds| kinds.is(ValueKind::Permit))
    }
}

/// Whether a function takes dice as its first argument and rolls them.
fn rolls(name: &str) -> bool {
    costs(name, Cost::Chance) && position_of(name, ParamKind::Dice) == Some(0)
}

/// The method call at the end of a chain of indices and properties.
fn called_last(expr: &Expr) -> Option<(&FnCallExpr, LineColumn)> {
    match expr {
        // An index expression in brackets is not the receiver of a call.
        Expr::Index(_, flags, _) if flags.intersects(ASTFlags::BREAK) => None,
        Expr::Index(parts, ..) | Expr::Dot(parts, ..) => called_last(&parts.rhs),
        Expr::MethodCall(call, at) => Some((call, place(*at))),
        _ => None,
    }
}

/// Whether an expression only produces a value, so that using it as a statement is a mistake.
fn is_plain(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::BoolConstant(..)
            | Expr::IntegerConstant(..)
            | Expr::StringConstant(..)
            | Expr::Array(..)
            | Expr::Index(..)
    )
}

/// Whether a block ends with a value, a choice, or an `if` whose branches all do.
fn gives_value(block: &StmtBlock) -> bool {
    match block.iter().filter(|one| !matches!(one, Stmt::Noop(_))).last() {
        Some(Stmt::Expr(expr)) => is_plain(expr) || matches!(&**expr, Expr::Variable(..)) || asks(expr),
        Some(Stmt::FnCall(call, _)) => is_own_choice(call),
        Some(Stmt::If(flow, _)) => gives_value(&flow.body) && gives_value(&flow.branch),
        _ => false,
    }
}

/// Whether an expression asks a player for an answer.
fn asks(expr: &Expr) -> bool {
    matches!(expr, Expr::FnCall(call, _) if is_own_choice(call))
}

/// Whether a call asks the side to move and offers several answers. Asking another side may serve to announce a claim, and
/// a single answer may only confirm that the turn continues.
fn is_own_choice(call: &FnCallExpr) -> bool {
    call.name == "choose" && matches!(call.args.first(), Some(Expr::Array(items, _)) if items.len() != 1)
}

/// The advice for a permit that is never used.
fn play_or_return(name: &str) -> String {
    format!("did you mean `play({name}(...))`, or `return {name}(...)` in a function that returns a permit?")
}
