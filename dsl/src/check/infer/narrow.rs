//! Narrows values by conditions: a die that is not 6 is 1 to 5, and a kind that is not the king may be any other.
//!
//! Only plain comparisons with literals are used, alone or joined by `||`. All other conditions are guards
//! ([`super::guards`]), which suppress messages.

use super::super::shapes::{compares, integer, leaves, operands, variable};
use super::Walker;
use super::abstract_value::AbstractValue;
use crate::host::kind::ValueKind;
use rhai::{Expr, StmtBlock, Token as Op};

/// A comparison of a variable or property with a literal.
enum Test {
    /// The path equals this text.
    Text(String, String),
    /// The variable is compared with this number.
    Number(String, Op, i64),
}

/// The facts on one side of a condition: ranges of number variables, and texts that a path does not equal.
#[derive(Default)]
pub(super) struct Side {
    numbers: Vec<(String, AbstractValue)>,
    not: Vec<(String, String)>,
    guards: Vec<String>,
}

impl Walker<'_> {
    /// The facts if a condition holds, and if it does not; `None` if it is not a plain comparison.
    fn sides(&self, condition: &Expr) -> Option<(Side, Side)> {
        let tests: Vec<Test> = match condition {
            Expr::Or(parts, _) => parts.iter().map(|part| self.test_of(part)).collect::<Option<_>>()?,
            other => vec![self.test_of(other)?],
        };
        let (mut then, mut otherwise) = (Side::default(), Side::default());
        let alone = tests.len() == 1;
        for test in tests {
            match test {
                Test::Text(path, text) => {
                    then.guards.push(path.clone());
                    otherwise.not.push((path, text));
                }
                Test::Number(name, op, number) => {
                    let known = self.lookup(&name);
                    let (least, most) = known.range.filter(|_| known.kinds.is(ValueKind::Number))?;
                    let (so, not) = halves(&op, number, (least, most)).filter(|_| alone)?;
                    for (side, range) in [(&mut then, so), (&mut otherwise, not)] {
                        match range.filter(|range| range.0 <= range.1) {
                            Some(_) => {
                                side.numbers.push((name.clone(), AbstractValue { range, sure: None, ..known.clone() }))
                            }
                            None => side.guards.push(name.clone()),
                        }
                    }
                }
            }
        }
        Some((then, otherwise))
    }

    /// Checks a condition and returns the facts on both sides. If it is not a plain comparison, it is recorded as a guard.
    pub(super) fn tested(&mut self, condition: &Expr) -> (Side, Side) {
        let (sides, before) = (self.sides(condition), self.guards.clone());
        let value = self.value(condition);
        self.truth(&value, condition, "if");
        match sides {
            Some(sides) => {
                self.guards = before;
                sides
            }
            None => {
                self.guard(condition);
                (Side::default(), Side::default())
            }
        }
    }

    fn test_of(&self, expr: &Expr) -> Option<Test> {
        let Expr::FnCall(call, _) = expr else { return None };
        let (op, left, right) = operands(expr).filter(|_| call.is_operator_call())?;
        match right {
            Expr::StringConstant(text, _) if *op == Op::EqualsTo => Some(Test::Text(path_of(left)?, text.to_string())),
            _ => {
                let (name, number) = (variable(left)?, integer(right)?);
                compares(op, number, number).map(|_| Test::Number(name.to_string(), op.clone(), number))
            }
        }
    }

    /// Walks a block with the facts of one side of a condition.
    pub(super) fn block_under(&mut self, side: &Side, block: &StmtBlock, used: bool) -> AbstractValue {
        let (guards, not) = (self.guards.clone(), self.not.clone());
        self.guards.extend(side.guards.iter().cloned());
        self.not.extend(side.not.iter().cloned());
        self.scopes.push(side.numbers.clone());
        let value = self.block(block, used);
        self.scopes.pop();
        // Keep guards that the block itself added.
        self.guards.retain(|guard| !side.guards.contains(guard) || guards.contains(guard));
        self.not = not;
        value
    }

    /// Adds the facts after a block that always leaves when its condition holds.
    pub(super) fn behind(&mut self, block: &StmtBlock, otherwise: Side) {
        if block.iter().any(leaves) {
            self.guards.extend(otherwise.guards);
            self.not.extend(otherwise.not);
            if let Some(scope) = self.scopes.last_mut() {
                scope.extend(otherwise.numbers);
            }
        }
    }
}

/// A variable or one of its properties, in the form that guards use.
pub(super) fn path_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Dot(parts, ..) => match (&parts.lhs, &parts.rhs) {
            (Expr::Variable(variable, ..), Expr::Property(property, _)) => {
                Some(format!("{}.{}", variable.1, property.2))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The interval where a comparison holds, and the one where it does not; `None` if the numbers are no interval.
pub(super) type Halves = (Option<(i64, i64)>, Option<(i64, i64)>);

/// Splits the interval of a number by a comparison.
pub(super) fn halves(op: &Op, number: i64, (least, most): (i64, i64)) -> Option<Halves> {
    let (below, above) = (number.checked_sub(1)?, number.checked_add(1)?);
    let other = match () {
        () if number == least => Some((above, most)),
        () if number == most => Some((least, below)),
        () => None,
    };
    let only = Some((number, number)).filter(|_| (least..=most).contains(&number));
    Some(match op {
        Op::EqualsTo => (only, other),
        Op::NotEqualsTo => (other, only),
        Op::LessThan => (Some((least, most.min(below))), Some((least.max(number), most))),
        Op::LessThanEqualsTo => (Some((least, most.min(number))), Some((least.max(above), most))),
        Op::GreaterThan => (Some((least.max(above), most)), Some((least, most.min(number)))),
        _ => (Some((least.max(number), most)), Some((least, most.min(below)))),
    })
}
