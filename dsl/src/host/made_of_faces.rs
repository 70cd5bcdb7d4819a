//! Expressions that depend only on the faces of dice, and their values.
//!
//! Owns a small part of the language, evaluated without the interpreter. Expressions outside it, or that would fail, have
//! no known value; scripts then see the faces.

use astragal_core::query::{Tally, tally};
use rhai::{ASTFlags, Expr, FnCallExpr, ImmutableString};

/// The part of an expression that holds the faces.
pub(super) enum Hole<'a> {
    /// A variable.
    Variable(&'a str),
    /// The roll itself.
    Call(&'a Expr),
}

/// A value computed from faces.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Made {
    /// The faces.
    Faces,
    /// A value that does not depend on them.
    Constant(Worth),
    /// A tally of the faces, such as their total.
    Tally(Box<Made>, Tally),
    /// An unknown value that depends on the faces but not on their order.
    Sorted,
    /// An element of a list.
    Part(Box<Made>, Box<Made>),
    /// An operator or function applied to its arguments.
    Reckoned(Operator, Vec<Made>),
}

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Worth {
    Number(i64),
    Truth(bool),
    Text(ImmutableString),
    List(Vec<Worth>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Negative,
    Times,
    Over,
    Rest,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Least,
    Most,
    Size,
    Not,
    And,
    Or,
    Contains,
    Length,
}

impl Operator {
    /// The operator or function `name` with this many arguments.
    fn called(name: &str, arguments: usize) -> Option<Operator> {
        use Operator::*;
        Some(match (name, arguments) {
            ("+", 2) => Plus,
            ("-", 2) => Minus,
            ("-", 1) => Negative,
            ("*", 2) => Times,
            ("/", 2) => Over,
            ("%", 2) => Rest,
            ("==", 2) => Equal,
            ("!=", 2) => Unequal,
            ("<", 2) => Less,
            ("<=", 2) => AtMost,
            (">", 2) => More,
            (">=", 2) => AtLeast,
            ("min", 2) => Least,
            ("max", 2) => Most,
            ("abs", 1) => Size,
            ("!", 1) => Not,
            ("contains", 2) => Contains,
            ("len", 1) => Length,
            _ => return None,
        })
    }

    fn of(self, args: &[Worth]) -> Option<Worth> {
        use Operator::*;
        use Worth::{List, Number, Truth};
        Some(match (self, args) {
            (Plus, [Number(a), Number(b)]) => Number(a.checked_add(*b)?),
            (Minus, [Number(a), Number(b)]) => Number(a.checked_sub(*b)?),
            (Negative, [Number(a)]) => Number(a.checked_neg()?),
            (Times, [Number(a), Number(b)]) => Number(a.checked_mul(*b)?),
            (Over, [Number(a), Number(b)]) => Number(a.checked_div(*b)?),
            (Rest, [Number(a), Number(b)]) => Number(a.checked_rem(*b)?),
            (Equal, [a, b]) => Truth(same(a, b)?),
            (Unequal, [a, b]) => Truth(!same(a, b)?),
            (Less, [Number(a), Number(b)]) => Truth(a < b),
            (AtMost, [Number(a), Number(b)]) => Truth(a <= b),
            (More, [Number(a), Number(b)]) => Truth(a > b),
            (AtLeast, [Number(a), Number(b)]) => Truth(a >= b),
            (Least, [Number(a), Number(b)]) => Number(*a.min(b)),
            (Most, [Number(a), Number(b)]) => Number(*a.max(b)),
            (Size, [Number(a)]) => Number(a.checked_abs()?),
            (Not, [Truth(a)]) => Truth(!a),
            (And, all) => Truth(all.iter().map(truth).collect::<Option<Vec<bool>>>()?.into_iter().all(|so| so)),
            (Or, all) => Truth(all.iter().map(truth).collect::<Option<Vec<bool>>>()?.into_iter().any(|so| so)),
            (Contains, [List(list), Number(a)]) => Truth(list.contains(&Number(*a))),
            (Length, [List(list)]) => Number(list.len() as i64),
            _ => return None,
        })
    }
}

fn truth(worth: &Worth) -> Option<bool> {
    if let Worth::Truth(so) = worth { Some(*so) } else { None }
}

/// Whether two values are equal; `None` if their kinds differ.
fn same(a: &Worth, b: &Worth) -> Option<bool> {
    (std::mem::discriminant(a) == std::mem::discriminant(b)).then_some(a == b)
}

/// The tally that a property of faces stands for.
fn property(name: &str) -> Option<Tally> {
    Some(match name {
        "total" => Tally::Total,
        "lowest" => Tally::Lowest,
        "highest" => Tally::Highest,
        "alike" => Tally::Alike,
        "different" => Tally::Kinds,
        "row" => Tally::Row,
        _ => return None,
    })
}

/// Whether a script's own function of this name would replace a function evaluated here.
pub(super) fn is_own_name(name: &str) -> bool {
    ["roll", "count_of", "ranked"].contains(&name) || (1..=2).any(|count| Operator::called(name, count).is_some())
}

impl Made {
    /// Converts an expression; `None` if it depends on anything but faces, or is not supported.
    pub(super) fn of(expr: &Expr, hole: &Hole<'_>) -> Option<Made> {
        if let Some(constant) = expr.get_literal_value(None) {
            return constant_of(&constant).map(Made::Constant);
        }
        match expr {
            _ if hole.is(expr) => Some(Made::Faces),
            Expr::Array(items, _) => {
                let items = items.iter().map(|item| Made::of(item, hole)).collect::<Option<Vec<Made>>>()?;
                items.iter().all(Made::is_constant).then(|| Made::Constant(Worth::List(values(&items))))
            }
            Expr::FnCall(call, _) if call.namespace.is_empty() => Made::call(call, None, hole),
            Expr::And(parts, _) => Made::joined(Operator::And, parts, hole),
            Expr::Or(parts, _) => Made::joined(Operator::Or, parts, hole),
            Expr::Dot(parts, flags, _) => Made::of(&parts.lhs, hole)?.chain(false, *flags, &parts.rhs, hole),
            Expr::Index(parts, flags, _) => Made::of(&parts.lhs, hole)?.chain(true, *flags, &parts.rhs, hole),
            _ => None,
        }
    }

    fn joined(operator: Operator, parts: &[Expr], hole: &Hole<'_>) -> Option<Made> {
        Made::reckoned(operator, parts.iter().map(|part| Made::of(part, hole)).collect())
    }

    /// Applies an operator to parts, if the values of all parts are known.
    fn reckoned(operator: Operator, parts: Vec<Option<Made>>) -> Option<Made> {
        let parts =
            parts.into_iter().map(|part| part.filter(|part| !part.is_unordered())).collect::<Option<Vec<Made>>>()?;
        Some(Made::Reckoned(operator, parts))
    }

    /// Applies a function to `this` and its arguments, or to its arguments alone.
    fn call(call: &FnCallExpr, this: Option<Made>, hole: &Hole<'_>) -> Option<Made> {
        let mut all: Vec<Option<Made>> = this.map(Some).into_iter().collect();
        all.extend(call.args.iter().map(|arg| Made::of(arg, hole)));
        let about = |tally: fn(i64) -> Option<Tally>| match &all[..] {
            [Some(faces), Some(Made::Constant(Worth::Number(number)))] => {
                Some(Made::Tally(Box::new(faces.clone()), tally(*number)?))
            }
            // Whatever the argument is, the order of the faces does not matter.
            [Some(Made::Faces), None] => Some(Made::Sorted),
            _ => None,
        };
        match call.name.as_str() {
            "count_of" => about(|face| i16::try_from(face).ok().map(Tally::Showing)),
            "ranked" => about(|place| u8::try_from(place).ok().filter(|place| *place > 0).map(Tally::Ranked)),
            name => {
                let operator = Operator::called(name, all.len())?;
                Made::reckoned(operator, all)
            }
        }
    }

    /// Applies the rest of a chain of indices, properties and functions.
    fn chain(self, index: bool, flags: ASTFlags, rest: &Expr, hole: &Hole<'_>) -> Option<Made> {
        if flags.intersects(ASTFlags::NEGATED) {
            return None;
        }
        match rest {
            Expr::Dot(parts, next, _) if !flags.intersects(ASTFlags::BREAK) => {
                self.link(index, &parts.lhs, hole)?.chain(false, *next, &parts.rhs, hole)
            }
            Expr::Index(parts, next, _) if !flags.intersects(ASTFlags::BREAK) => {
                self.link(index, &parts.lhs, hole)?.chain(true, *next, &parts.rhs, hole)
            }
            _ => self.link(index, rest, hole),
        }
    }

    fn link(self, index: bool, part: &Expr, hole: &Hole<'_>) -> Option<Made> {
        match part {
            _ if self.is_unordered() => None,
            _ if index => {
                let place = Made::of(part, hole).filter(|place| !place.is_unordered())?;
                Some(Made::Part(Box::new(self), Box::new(place)))
            }
            Expr::Property(name, _) => Some(Made::Tally(Box::new(self), property(&name.2)?)),
            Expr::MethodCall(call, _) => Made::call(call, Some(self), hole),
            _ => None,
        }
    }

    /// Whether these are the faces themselves.
    pub(super) fn is_faces(&self) -> bool {
        matches!(self, Made::Faces)
    }

    /// Whether the value depends on the faces but not on their order.
    pub(super) fn is_unordered(&self) -> bool {
        matches!(self, Made::Sorted)
    }

    fn is_constant(&self) -> bool {
        matches!(self, Made::Constant(_))
    }

    /// Its value if the dice show these faces; `None` if it is not known.
    pub(crate) fn worth(&self, faces: &[i16]) -> Option<Worth> {
        match self {
            // A single die is a number, as in scripts.
            Made::Faces => Some(match faces {
                [face] => Worth::Number((*face).into()),
                _ => Worth::List(faces.iter().map(|&face| Worth::Number(face.into())).collect()),
            }),
            Made::Constant(worth) => Some(worth.clone()),
            Made::Tally(of, what) => Some(Worth::Number(tally(of.numbers(faces)?.into_iter(), *what))),
            Made::Sorted => {
                let mut faces = faces.to_vec();
                faces.sort_unstable();
                Some(Worth::List(faces.into_iter().map(|face| Worth::Number(face.into())).collect()))
            }
            Made::Part(list, index) => match (list.worth(faces)?, index.worth(faces)?) {
                (Worth::List(list), Worth::Number(index)) => list.get(usize::try_from(index).ok()?).cloned(),
                _ => None,
            },
            Made::Reckoned(operator, args) => {
                operator.of(&args.iter().map(|arg| arg.worth(faces)).collect::<Option<Vec<Worth>>>()?)
            }
        }
    }

    /// The numbers of a list.
    fn numbers(&self, faces: &[i16]) -> Option<Vec<i64>> {
        let Worth::List(list) = self.worth(faces)? else { return None };
        list.into_iter().map(|item| if let Worth::Number(number) = item { Some(number) } else { None }).collect()
    }
}

impl Hole<'_> {
    fn is(&self, expr: &Expr) -> bool {
        match (self, expr) {
            (Hole::Variable(name), Expr::Variable(variable, ..)) => variable.1 == *name && variable.2.is_empty(),
            (Hole::Variable(_), _) => false,
            (Hole::Call(call), expr) => std::ptr::eq(*call, expr),
        }
    }
}

fn values(items: &[Made]) -> Vec<Worth> {
    items.iter().filter_map(|item| if let Made::Constant(worth) = item { Some(worth.clone()) } else { None }).collect()
}

fn constant_of(value: &rhai::Dynamic) -> Option<Worth> {
    if let Ok(number) = value.as_int() {
        return Some(Worth::Number(number));
    }
    if let Ok(so) = value.as_bool() {
        return Some(Worth::Truth(so));
    }
    if let Some(list) = value.read_lock::<rhai::Array>() {
        return list.iter().map(constant_of).collect::<Option<Vec<Worth>>>().map(Worth::List);
    }
    value.read_lock::<ImmutableString>().map(|text| Worth::Text(text.clone()))
}
