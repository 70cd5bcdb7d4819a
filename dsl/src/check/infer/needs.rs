//! What functions of the script need of what they are given: so that what is wrong with a call is told at the call, and not
//! within the function.
//!
//! Only what is certain is said: of a parameter that is never set anew nor asked what it is, what it is used for in every
//! place where it is handed on as it is.

use super::super::definitions::{Definition, own_function};
use super::calls::{taken, takes};
use super::known::{Kinds, Known};
use super::{Own, Place, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{self, Form, named};
use crate::host::kind::ValueKind;
use rhai::{ASTNode, Expr, FnCallExpr, Stmt, Token as Op};

/// Functions of functions are followed so far.
const DEEP: usize = 3;

/// A use of a parameter: what it must be for that, where, in which words.
struct Need {
    kinds: Kinds,
    at: Place,
    of: String,
}

impl Walker<'_> {
    /// Values given to a function of the script that it cannot use; those among them are not known within it.
    pub(super) fn unfit(&mut self, own: &Own, args: &mut [Known], exprs: &[&Expr], at: Place) {
        if self.report.is_none() && args.iter().all(|arg| !arg.kinds.known()) {
            return;
        }
        let functions = self.functions;
        let Some(def) = own_function(functions, &own.0, own.1) else { return };
        let needs: Vec<Option<Need>> = def.params.iter().map(|param| self.need(def, param, DEEP)).collect();
        let fits = |arg: &Known, need: &Option<Need>| {
            need.as_ref().is_none_or(|need| !arg.kinds.known() || arg.kinds.meets(need.kinds))
        };
        let wrong: Vec<usize> = (0..args.len()).filter(|&i| !fits(&args[i], &needs[i])).collect();
        let Some(&first) = wrong.first() else { return };
        let Some(need) = &needs[first] else { return };
        let other = (0..args.len()).find(|&other| {
            other != first
                && fits(&args[first], &needs[other])
                && fits(&args[other], &needs[first])
                && args[other].kinds.known()
        });
        let texts = self.argument_texts(at, exprs, false);
        let help = match other.filter(|_| texts.len() == args.len()) {
            Some(other) => {
                let mut texts = texts;
                texts.swap(first, other);
                format!("its arguments are swapped: did you mean `{}({})`?", own.0, texts.join(", "))
            }
            None => format!("give it {}; it is `fn {}({})`", need.kinds.words(), own.0, def.params.join(", ")),
        };
        let message = format!(
            "`{}` needs {} for `{}` (line {}: {}), not {}",
            own.0,
            need.kinds.words(),
            def.params[first],
            need.at.0,
            need.of,
            args[first].kinds.words()
        );
        self.error(Code::Arguments, start(exprs[first]), message, help);
        // Where all of them change places each has been told.
        (0..args.len()).filter(|i| wrong.contains(i) || Some(*i) == other).for_each(|i| args[i] = Known::any());
    }

    /// What a function needs a parameter to be, with the first use that needs it; nothing if that is not certain.
    fn need(&self, def: &Definition, param: &str, deep: usize) -> Option<Need> {
        let is_param = |expr: &Expr| matches!(expr, Expr::Variable(variable, ..) if variable.1.as_str() == param);
        let (mut doubtful, mut all): (bool, Vec<Need>) = (false, Vec::new());
        for statement in def.body.iter() {
            statement.walk(&mut Vec::new(), &mut |path| {
                match path.last() {
                    Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) => {
                        doubtful |= asks_what_it_is(call, &is_param);
                        all.extend(self.need_of_call(call, place(*at), &is_param, deep));
                    }
                    Some(ASTNode::Expr(Expr::Dot(parts, ..))) if is_param(&parts.lhs) => {
                        all.extend(need_of_property(&parts.rhs, param));
                    }
                    Some(ASTNode::Stmt(Stmt::Assignment(parts))) => doubtful |= is_param(&parts.1.lhs),
                    Some(ASTNode::Stmt(Stmt::Var(parts, ..))) => doubtful |= parts.0.name == param,
                    Some(ASTNode::Stmt(Stmt::For(parts, _))) => doubtful |= parts.0.name == param,
                    Some(ASTNode::Stmt(Stmt::Switch(parts, _))) => doubtful |= is_param(&parts.0),
                    _ => {}
                }
                true
            });
        }
        // What fits one use and not another is rather a mistake within the function.
        let kinds = all.iter().map(|need| need.kinds).reduce(Kinds::and)?;
        let first = all.into_iter().next()?;
        (!doubtful && kinds != Kinds::NONE && kinds.known()).then_some(Need { kinds, ..first })
    }

    fn need_of_call(
        &self,
        call: &FnCallExpr,
        at: Place,
        is_param: &impl Fn(&Expr) -> bool,
        deep: usize,
    ) -> Option<Need> {
        let position = call.args.iter().position(is_param)?;
        let name = call.name.as_str();
        let count = call.args.len();
        if let (true, [left, right]) = (call.is_operator_call(), call.args.as_slice()) {
            let number = |expr: &Expr| matches!(expr, Expr::IntegerConstant(..));
            let reckons = matches!(call.op_token, Some(Op::Minus | Op::Multiply | Op::Divide | Op::Modulo));
            let kinds = Kinds::of(&[ValueKind::Number, ValueKind::Reckoned]);
            let of = format!("`{}`", self.source(left).split(" && ").next().unwrap_or(name));
            return (reckons && (number(left) || number(right))).then_some(Need { kinds, at, of });
        }
        if !call.namespace.is_empty() {
            return None;
        }
        let functions = self.functions;
        if let Some(def) = own_function(functions, name, count) {
            return self.need(def, &def.params[position], deep.checked_sub(1)?);
        }
        // What the language has as well takes anything.
        let ours: Vec<_> = named(name).flat_map(|(_, function)| &function.forms).flat_map(Form::types).collect();
        if self.known.overloads(name).iter().any(|types| types.len() == count && !ours.contains(types)) {
            return None;
        }
        // What is wrong with the call itself is told there.
        let literal = |expr: &Expr| match expr {
            Expr::StringConstant(..) => Some(ValueKind::Text),
            Expr::IntegerConstant(..) => Some(ValueKind::Number),
            Expr::Array(..) => Some(ValueKind::Array),
            _ => None,
        };
        let right = |form: &&Form| {
            let mut pairs = form.params.iter().zip(call.args.iter());
            pairs.all(|(param, arg)| literal(arg).is_none_or(|kind| taken(param.kind).has(kind)))
        };
        let forms = named(name).flat_map(|(_, function)| &function.forms);
        let forms = forms.filter(|form| takes(form, count)).filter(right);
        let kinds = forms.map(|form| taken(form.params[position].kind)).reduce(Kinds::and)?;
        Some(Need { kinds, at, of: format!("`{name}`") })
    }
}

/// Whether a call asks what a value is: what it must be elsewhere may then be sorted out before.
fn asks_what_it_is(call: &FnCallExpr, is_param: &impl Fn(&Expr) -> bool) -> bool {
    let compares = matches!(call.op_token, Some(Op::EqualsTo | Op::NotEqualsTo | Op::In | Op::NotIn));
    (compares || call.name == "type_of") && call.args.iter().any(is_param)
}

/// What has a property that is read.
fn need_of_property(read: &Expr, param: &str) -> Option<Need> {
    let (name, at) = match read {
        Expr::Property(name, at) => (name.2.as_str(), place(*at)),
        Expr::Dot(parts, ..) => return need_of_property(&parts.lhs, param),
        _ => return None,
    };
    let all = functions::all().map(|(_, function)| function);
    let having = all.filter(|function| function.name.split_once('.').is_some_and(|(_, property)| property == name));
    let kinds = having.flat_map(|function| &function.forms).map(|form| Kinds::accepted(form.params[0].kind));
    let kinds = kinds.reduce(Kinds::and)?.and(Kinds::of(&[ValueKind::Map]));
    Some(Need { kinds, at, of: format!("`{param}.{name}`") })
}
