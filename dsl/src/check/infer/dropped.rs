//! Values that are made and that nothing uses: statements that only come to something.
//!
//! Where a value is used is for [`super::statements`] to say.

use super::super::shapes::{called, variable};
use super::known::Known;
use super::{Place, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, Fact, costs, has_fact, named, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::host::tokens::Token;
use crate::host::walk::walk_statement;
use rhai::{ASTFlags, ASTNode, Expr, FlowControl, FnCallExpr, Stmt, StmtBlock};

impl Walker<'_> {
    /// Complains of an `if` as a statement of which every way comes to a value; whether it is one.
    pub(super) fn whole_lost(&mut self, flow: &FlowControl, at: Place) -> bool {
        let lost = gives_value(&flow.body) && gives_value(&flow.branch);
        if lost {
            let message = "nothing uses the value that this `if` comes to";
            self.warn(Code::LostValue, at, message, "did you mean `return if ..`, or `let .. = if ..`?");
        }
        lost
    }

    /// What is said of what happens, and something behind it says it otherwise before anybody hears of it.
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
                    format!("what this `{said}` says is lost: the `{next}` behind it says something else"),
                    "leave one of them out, or put both texts together".to_string(),
                ),
                false => (
                    format!(
                        "what this `{said}` says is lost: `{next}` behind it puts a word of its own in its place, or none"
                    ),
                    format!("write it behind `{next}(..)`"),
                ),
            };
            self.warn(Code::LostValue, at, message, help);
        }
    }

    /// The function of the game that a statement calls, if that says what happens.
    fn says<'s>(&self, statement: &'s Stmt) -> Option<(&'s str, Place)> {
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

    /// Whether somebody may hear in a statement what was said before it: it asks, rolls, returns or calls whatever the script
    /// has of its own.
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

    /// An expression as a statement.
    pub(super) fn alone(&mut self, expr: &Expr, used: bool) -> Known {
        let value = self.value(expr);
        if used {
            return value;
        }
        match expr {
            Expr::FnCall(call, at) if call.is_operator_call() && call.args.len() == 2 => {
                let sign = call.name.to_string();
                if let (Expr::Variable(variable, ..), "+" | "-" | "|" | "&" | "*") = (&call.args[0], sign.as_str()) {
                    let (name, rest) = (&variable.1, self.source(&call.args[1]));
                    let message = format!("nothing uses what `{sign}` comes to: `{name}` stays as it is");
                    let help = format!("did you mean `{name} {sign}= {rest};`?");
                    self.warn(Code::LostValue, start(expr), message, help);
                    return value;
                }
                let help = if sign == "==" {
                    "`=` sets a value".to_string()
                } else {
                    format!("use it, or remove it: `{sign}` changes nothing")
                };
                self.warn(Code::LostValue, place(*at), format!("nothing uses what `{sign}` comes to"), help);
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
            // What an import does not have, or has as a function, is told where names are.
            Expr::Variable(variable, ..) if !variable.2.is_empty() => {}
            Expr::Variable(variable, ..) => {
                let message = format!("nothing uses `{}` here", variable.1);
                let help = format!("call it, give it back, `return {};`, or remove it", variable.1);
                self.warn(Code::LostValue, start(expr), message, help);
            }
            // `list[n].push(x)`: what is called on an entry.
            Expr::Index(..) if called_last(expr).is_some() => {
                if let Some((call, at)) = called_last(expr) {
                    self.dropped_of(&call.name, at, None, true);
                }
            }
            _ if is_plain(expr) => {
                let source = self.source(expr);
                let message = format!("nothing uses `{source}` here: this is not what the function gives back");
                self.warn(Code::LostValue, start(expr), message, format!("did you mean `return {source};`?"));
            }
            _ => {}
        }
        value
    }

    pub(super) fn dropped(&mut self, call: &FnCallExpr, at: Place) {
        if self.rolled_into_nothing(call, at) {
            return;
        }
        self.dropped_of(&call.name, at, None, !is_own_choice(call));
    }

    /// A call whose result nobody uses, if making it is all that the call does; of a choice it may be `needless`.
    fn dropped_of(&mut self, name: &str, at: Place, receiver: Option<&str>, needless: bool) {
        let own = self.functions.iter().any(|def| def.name == name);
        if own && receiver.is_none() && self.gives_only_permits(name) {
            let message = format!("`{name}` gives a permit back, and nothing uses it");
            let help = format!("did you mean `play({name}(...))` or `return {name}(...)`?");
            return self.warn(Code::LostValue, at, message, help);
        }
        if !own && name == "choose" && receiver.is_none() && !needless {
            let help =
                format!("keep the answer, `let answer = {name}(..);`, or ask for it: `if {name}(..) == .. {{ .. }}`");
            return self.hint(Code::LostValue, at, "the player is asked, and nothing uses the answer", help);
        }
        if !own && receiver.is_none() && rolls(name) && self.looks_at_rolls() {
            let message = format!("nothing looks at this roll: what `{name}` gives is lost");
            let help = format!("keep it, `let die = {name}(..);`, and use `die` where it counts");
            return self.warn(Code::LostValue, at, message, help);
        }
        let mut rows = named(name).peekable();
        let only_makes = rows.peek().is_some() && rows.all(|(row, _)| matches!(row.cost, Cost::Value | Cost::Search));
        if own || !only_makes {
            return;
        }
        let help = match (crate::functions::gives(name, ValueKind::Permit), receiver) {
            (true, Some(receiver)) => format!("did you mean `{receiver} = {receiver}.{name}(...)`, or `return ...`?"),
            (true, None) => format!("did you mean `play({name}(...))` or `return {name}(...)`?"),
            _ => format!("did you mean `let ... = {name}(...)` or `return ...`?"),
        };
        self.warn(Code::LostValue, at, format!("`{name}` only makes a value, and nothing uses it"), help);
    }

    /// Whether the script does something with a roll anywhere: one that never does may only show dice.
    fn looks_at_rolls(&self) -> bool {
        let used = |three: &[Token<'_>]| {
            rolls(three[1].text) && three[2].is("(") && !matches!(three[0].text, ";" | "{" | "}" | ")")
        };
        self.tokens.windows(3).any(used)
    }

    /// Whether a function of the script is one that nothing but permits come from.
    fn gives_only_permits(&self, name: &str) -> bool {
        let results = self.before.iter().flat_map(|facts| &facts.results).filter(|((own, _), _)| own == name);
        let mut results = results.map(|(_, known)| known.kinds).peekable();
        results.peek().is_some() && results.all(|kinds| kinds.is(ValueKind::Permit))
    }
}

/// Whether a function rolls dice that stand first among its arguments.
fn rolls(name: &str) -> bool {
    costs(name, Cost::Chance) && position_of(name, ParamKind::Dice) == Some(0)
}

/// What is called at the end of a chain of entries and properties.
fn called_last(expr: &Expr) -> Option<(&FnCallExpr, Place)> {
    match expr {
        // What stands in the brackets of the last entry is not called on it.
        Expr::Index(_, flags, _) if flags.intersects(ASTFlags::BREAK) => None,
        Expr::Index(parts, ..) | Expr::Dot(parts, ..) => called_last(&parts.rhs),
        Expr::MethodCall(call, at) => Some((call, place(*at))),
        _ => None,
    }
}

/// Whether an expression only is a value: whoever writes it as a statement has forgotten to say what becomes of it.
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

/// Whether a block ends in a value that is written down, or in an `if` of which every way does.
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

/// Whether whoever is to move is asked, and may answer in several ways. What another side is asked may be a claim that it
/// makes; a single answer only lets the player say that the turn goes on.
fn is_own_choice(call: &FnCallExpr) -> bool {
    call.name == "choose" && matches!(call.args.first(), Some(Expr::Array(items, _)) if items.len() != 1)
}
