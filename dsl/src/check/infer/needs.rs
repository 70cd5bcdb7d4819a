//! Infers the kinds that script functions require of their parameters, so that a wrong argument is reported at the call and
//! not inside the function.
//!
//! Only certain requirements count: those of a parameter that is never reassigned and whose kind is never checked, from all
//! uses that pass it on unchanged.

use super::super::definitions::{Definition, own_function};
use super::super::shapes::{each_node, is_variable};
use super::abstract_value::{AbstractValue, Kinds};
use super::calls::{forms_of, properties, taken, takes};
use super::{LineColumn, Own, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::Form;
use crate::host::kind::ValueKind;
use rhai::{ASTNode, Expr, FnCallExpr, Stmt, Token as Op};

/// Maximum depth to which nested calls are followed.
const DEEP: usize = 3;

/// A requirement of a parameter's use: the kinds, the place, and the text for messages.
struct Need {
    kinds: Kinds,
    at: LineColumn,
    of: String,
    /// Whether this is the only use of the parameter with a requirement, and is in the function itself.
    only: bool,
}

/// An argument of the wrong kind for a parameter whose function uses it once.
pub(super) struct Misgiven {
    own: Own,
    param: String,
    need: Need,
    given: AbstractValue,
    at: LineColumn,
    message: String,
    help: String,
}

impl Walker<'_> {
    /// Arguments that a script function cannot use. They count as unknown inside the function.
    pub(super) fn unfit(&mut self, own: &Own, args: &mut [AbstractValue], exprs: &[&Expr], at: LineColumn) {
        if self.report.is_none() && args.iter().all(|arg| !arg.kinds.known()) {
            return;
        }
        let functions = self.functions;
        let Some(def) = own_function(functions, &own.0, own.1) else { return };
        let needs: Vec<Option<Need>> = def.params.iter().map(|param| self.need(def, param, DEEP)).collect();
        let fits = |arg: &AbstractValue, need: &Option<Need>| {
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
                format!("the arguments are swapped: did you mean `{}({})`?", own.0, texts.join(", "))
            }
            None => {
                let signature = crate::manual::signature_advice(&format!("fn {}({})", own.0, def.params.join(", ")));
                format!("pass {}; {signature}", need.kinds.words())
            }
        };
        let message = format!(
            "`{}` needs {} for `{}` (used by {} on line {}), not {}",
            own.0,
            need.kinds.words(),
            def.params[first],
            need.of,
            need.at.0,
            args[first].kinds.words()
        );
        let at = start(exprs[first]);
        match needs.into_iter().nth(first).flatten().filter(|need| need.only && other.is_none()) {
            Some(need) if self.report.is_some() => {
                let (param, given) = (def.params[first].clone(), args[first].clone());
                self.misgiven.push(Misgiven { own: own.clone(), param, need, given, at, message, help });
            }
            _ => self.error(Code::Arguments, at, message, help),
        }
        // Swapped arguments have been reported together.
        (0..args.len()).filter(|i| wrong.contains(i) || Some(*i) == other).for_each(|i| args[i] = AbstractValue::any());
    }

    /// Reports unusable arguments: at each call or, if every call passes the same kind, at the use inside the function.
    pub(super) fn always_misgiven(&mut self) {
        let mut left = std::mem::take(&mut self.misgiven);
        while let Some(first) = left.first() {
            let (own, param) = (first.own.clone(), first.param.clone());
            let (mut same, others): (Vec<Misgiven>, Vec<Misgiven>) =
                left.into_iter().partition(|one| one.own == own && one.param == param);
            left = others;
            same.sort_by_key(|one| one.at);
            same.dedup_by_key(|one| one.at);
            if !self.wrong_within(&same) {
                for one in same {
                    self.error(Code::Arguments, one.at, one.message, one.help);
                }
            }
        }
    }

    /// A use of a parameter that no call fits. Returns whether it was reported.
    fn wrong_within(&mut self, same: &[Misgiven]) -> bool {
        let Some(first) = same.first() else { return false };
        let (name, param) = (first.own.0.as_str(), first.param.as_str());
        let given = first.given.kinds.without(ValueKind::Nothing);
        let alike = same.iter().all(|one| one.given.kinds.without(ValueKind::Nothing) == given);
        let text = |at: Option<usize>| at.and_then(|at| self.tokens.get(at)).map_or("", |token| token.text);
        let uses = (0..self.tokens.len()).filter(|&i| self.tokens[i].is(name) && text(i.checked_sub(1)) != "fn");
        let uses: Vec<usize> = uses.collect();
        let called = |&i: &usize| text(Some(i + 1)) == "(" && !matches!(text(i.checked_sub(1)), "." | "::");
        if !alike || uses.len() != same.len() || !uses.iter().all(called) {
            return false;
        }
        let gives = format!("every call to `{name}` passes {}", given.words());
        if let Some((_, property)) = first.need.of.trim_matches('`').split_once('.') {
            if !given.is(ValueKind::Array) || property != "count" {
                return false;
            }
            let message = format!("an array has no property `{property}`, but {gives}");
            let help = format!("to count its entries, write `{param}.len()`");
            self.error_within(Code::UnknownName, first.need.at, first.at, message, help);
            return true;
        }
        let list = self.list_for(same);
        if list.is_none() && same.len() < 2 {
            return false;
        }
        let within = self.tokens.iter().find(|token| token.at > first.need.at && token.is(param));
        let at = within.map_or(first.need.at, |token| token.at);
        let wanted = first.need.kinds.words();
        let message = format!("{} expects {wanted} here, but {gives}", first.need.of);
        let help = match list {
            Some(entry) => format!("write `{entry}`"),
            None => format!("convert `{param}` here, or pass {wanted} in every call to `{name}`"),
        };
        self.error_within(Code::Arguments, at, first.at, message, help);
        true
    }

    /// An error where a value is used, which also points to a call that passes it.
    fn error_within(&mut self, code: Code, at: LineColumn, given: LineColumn, message: String, help: String) {
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.error_of_value(code, at, (given, "it is passed here"), message, Some(help));
        }
    }

    /// The entry of a list of texts that a number argument probably stands for: from the only list of kinds, or else from
    /// the only list of texts.
    fn list_for(&self, same: &[Misgiven]) -> Option<String> {
        let [first, ..] = same else { return None };
        let numbers = first.given.kinds.without(ValueKind::Nothing).is(ValueKind::Number);
        if !numbers || !first.need.kinds.has(ValueKind::Text) {
            return None;
        }
        let texts = |list: &AbstractValue| {
            list.items.iter().map(|item| item.only_text()).collect::<Option<Vec<&str>>>().is_some()
        };
        let lists =
            self.constants.iter().filter(|(_, list)| list.is_written() && !list.items.is_empty() && texts(list));
        let lists: Vec<_> = lists.collect();
        let kinds = self.world.map(|world| world.kinds.as_slice()).unwrap_or_default();
        let of_kinds = |list: &AbstractValue| {
            list.items.iter().filter_map(AbstractValue::only_text).all(|text| kinds.iter().any(|kind| kind == text))
        };
        let (name, list) = match lists.iter().filter(|(_, list)| of_kinds(list)).collect::<Vec<_>>()[..] {
            [one] => one,
            _ if lists.len() == 1 => lists[0],
            _ => return None,
        };
        let bounds = same.iter().map(|one| one.given.bounds()).collect::<Option<Vec<_>>>();
        let (least, most) = match bounds {
            Some(all) => (all.iter().map(|one| one.0).min()?, all.iter().map(|one| one.1).max()?),
            None => (1, 1),
        };
        let (param, length) = (&first.param, list.items.len() as i64);
        match (least, most) {
            (0, most) if most < length => Some(format!("{name}[{param}]")),
            (1.., most) if most <= length => Some(format!("{name}[{param} - 1]")),
            _ => None,
        }
    }

    /// The kinds that a function requires of a parameter, with the first use that requires them; `None` if that is
    /// uncertain.
    fn need(&self, def: &Definition, param: &str, deep: usize) -> Option<Need> {
        let is_param = |expr: &Expr| is_variable(expr, param);
        let (mut doubtful, mut all): (bool, Vec<Need>) = (false, Vec::new());
        each_node(&def.body, &mut |node| match node {
            ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) => {
                doubtful |= asks_what_it_is(call, &is_param);
                all.extend(self.need_of_call(call, place(*at), &is_param, deep));
            }
            ASTNode::Expr(Expr::Dot(parts, ..)) if is_param(&parts.lhs) => {
                all.extend(need_of_property(&parts.rhs, param));
            }
            ASTNode::Stmt(Stmt::Assignment(parts)) => doubtful |= is_param(&parts.1.lhs),
            ASTNode::Stmt(Stmt::Var(parts, ..)) => doubtful |= parts.0.name == param,
            ASTNode::Stmt(Stmt::For(parts, _)) => doubtful |= parts.0.name == param,
            ASTNode::Stmt(Stmt::Switch(parts, _)) => doubtful |= is_param(&parts.0),
            _ => {}
        });
        // An argument that fits only some uses is more likely a mistake inside the function.
        let kinds = all.iter().map(|need| need.kinds).reduce(Kinds::and)?;
        let one = all.len() == 1;
        let first = all.into_iter().next()?;
        let first = Need { only: one && first.only, ..first };
        (!doubtful && kinds != Kinds::NONE && kinds.known()).then_some(Need { kinds, ..first })
    }

    fn need_of_call(
        &self,
        call: &FnCallExpr,
        at: LineColumn,
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
            return (reckons && (number(left) || number(right))).then_some(Need { kinds, at, of, only: false });
        }
        if !call.namespace.is_empty() {
            return None;
        }
        let functions = self.functions;
        if let Some(def) = own_function(functions, name, count) {
            let need = self.need(def, &def.params[position], deep.checked_sub(1)?)?;
            return Some(Need { only: false, ..need });
        }
        // A function that the interpreter also has takes any value.
        let ours: Vec<_> = forms_of(name).flat_map(Form::types).collect();
        if self.known.overloads(name).iter().any(|types| types.len() == count && !ours.contains(types)) {
            return None;
        }
        // Other mistakes in that call are reported there.
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
        let forms = forms_of(name);
        let forms = forms.filter(|form| takes(form, count)).filter(right);
        let kinds = forms.map(|form| taken(form.params[position].kind)).reduce(Kinds::and)?;
        Some(Need { kinds, at, of: format!("`{name}`"), only: true })
    }
}

/// Whether a call checks the kind or value of a parameter, which may exclude wrong values before other uses.
fn asks_what_it_is(call: &FnCallExpr, is_param: &impl Fn(&Expr) -> bool) -> bool {
    let compares = matches!(call.op_token, Some(Op::EqualsTo | Op::NotEqualsTo | Op::In | Op::NotIn));
    (compares || call.name == "type_of") && call.args.iter().any(is_param)
}

/// The kinds that have the property that is read.
fn need_of_property(read: &Expr, param: &str) -> Option<Need> {
    let (name, at) = match read {
        Expr::Property(name, at) => (name.2.as_str(), place(*at)),
        Expr::Dot(parts, ..) => return need_of_property(&parts.lhs, param),
        _ => return None,
    };
    let kinds = properties(name).flat_map(|function| &function.forms).map(|form| Kinds::accepted(form.params[0].kind));
    let kinds = kinds.reduce(Kinds::and)?.and(Kinds::of(&[ValueKind::Map]));
    Some(Need { kinds, at, of: format!("`{param}.{name}`"), only: true })
}
