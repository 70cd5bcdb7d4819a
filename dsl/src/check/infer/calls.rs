//! Checks calls: whether the arguments fit the function, and the kind of the result.

use super::super::shapes::any_within;
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::rolls::{
    cast, counted, extreme, ranked, rolled, rolled_and_sorted, rolled_until, shown, value_of, without_range,
};
use super::{LineColumn, Own, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{self, Form, named};
use crate::host::kind::{ParamKind, ValueKind, operand};
use crate::notation::describe::alternatives;
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt, Token as Op};

/// Functions of the interpreter with a single kind of result.
const LANGUAGE: [(&str, ValueKind); 24] = [
    ("len", ValueKind::Number),
    ("index_of", ValueKind::Number),
    ("contains", ValueKind::Truth),
    ("to_string", ValueKind::Text),
    ("to_upper", ValueKind::Text),
    ("to_lower", ValueKind::Text),
    ("keys", ValueKind::Array),
    ("values", ValueKind::Array),
    ("map", ValueKind::Array),
    ("filter", ValueKind::Array),
    ("some", ValueKind::Truth),
    ("all", ValueKind::Truth),
    ("starts_with", ValueKind::Truth),
    ("ends_with", ValueKind::Truth),
    ("push", ValueKind::Nothing),
    ("sort", ValueKind::Nothing),
    ("reverse", ValueKind::Nothing),
    ("print", ValueKind::Nothing),
    ("abs", ValueKind::Number),
    ("sign", ValueKind::Number),
    ("is_odd", ValueKind::Truth),
    ("is_even", ValueKind::Truth),
    ("sub_string", ValueKind::Text),
    ("split", ValueKind::Array),
];

impl Walker<'_> {
    pub(super) fn call(
        &mut self,
        call: &FnCallExpr,
        at: Position,
        receiver: Option<(AbstractValue, &Expr)>,
    ) -> AbstractValue {
        let at = place(at);
        if call.name == "curry" {
            let caught: Vec<AbstractValue> = call.args.iter().skip(1).map(|arg| self.value(arg)).collect();
            return match call.args.first() {
                Some(Expr::DynamicConstant(value, _)) => match value.read_lock::<rhai::FnPtr>() {
                    Some(pointer) => self.pointer(pointer.fn_name(), caught),
                    None => AbstractValue::any(),
                },
                _ => AbstractValue::any(),
            };
        }
        let method = receiver.is_some();
        let (mut args, mut exprs): (Vec<AbstractValue>, Vec<&Expr>) = receiver.into_iter().unzip();
        for arg in call.args.iter() {
            args.push(self.value(arg));
            exprs.push(arg);
        }
        if call.is_operator_call() {
            return match (&call.op_token, args.len()) {
                (Some(op), 2) => self.operator(op, &args, &exprs, at),
                (Some(Op::Bang), 1) => {
                    self.truth(&args[0], exprs[0], "!");
                    AbstractValue::one(ValueKind::Truth)
                }
                (Some(Op::UnaryMinus), 1) if self.no_negative(&args[0], exprs[0]) => {
                    AbstractValue::one(ValueKind::Number)
                }
                (Some(Op::UnaryMinus), 1) => match args[0].range {
                    Some((least, most)) if args[0].kinds.is(ValueKind::Number) => {
                        AbstractValue { loose: args[0].loose, ..AbstractValue::number(-most, -least) }
                    }
                    _ => AbstractValue::any(),
                },
                _ => AbstractValue::any(),
            };
        }
        if !call.namespace.is_empty() {
            return AbstractValue::any();
        }
        let own: Own = (call.name.to_string(), call.args.len());
        let containers = Kinds::of(&[ValueKind::Array, ValueKind::Map]);
        let contains = args.first().is_some_and(|receiver| receiver.kinds.meets(containers));
        if method && own.1 == 1 && call.name == "index_of" {
            self.never_among(&args, &exprs);
        }
        if method && own.1 > 0 && changes_in_place(&call.name) {
            self.no_list(&call.name, &args, &exprs, at);
        }
        if let (true, Some(Expr::Variable(variable, ..)), true) =
            (method && contains, exprs.first(), changes_in_place(&call.name))
        {
            self.constant_changed(&variable.1, at);
            self.changed_in_place(&variable.1);
        }
        if self.functions.iter().any(|def| def.name == own.0 && def.params.len() == own.1) {
            if !method {
                self.goes_through(&own, &args, &exprs);
                self.unfit(&own, &mut args, &exprs, at);
            }
            // A method call passes its receiver instead.
            let given = args.into_iter().zip(&exprs).map(|(arg, expr)| {
                // Under a condition, only some of the possible values are passed.
                if self.guarded(expr) {
                    // No condition changes which dice they are.
                    let origin = arg.origin.clone().filter(|origin| matches!(origin, Origin::Dice(_)));
                    AbstractValue { range: None, sure: None, outer: arg.bounds(), texts: None, origin, ..arg }
                } else {
                    arg
                }
            });
            let given = if method { vec![AbstractValue::any(); own.1] } else { given.collect() };
            self.give(own.clone(), given);
            let hides = named(&own.0).next().is_some();
            let result = self.before.and_then(|facts| facts.results.get(&own)).filter(|_| !hides).cloned();
            return result.unwrap_or_else(AbstractValue::any);
        }
        self.native(&call.name, &args, &exprs, at, method)
    }

    /// An entry added to a value that is not an array, or with a function that takes a whole array.
    fn no_list(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr], at: LineColumn) {
        let [list, item, ..] = args else { return };
        let source = self.source(exprs[0]);
        if list.kinds.is(ValueKind::Nothing) && matches!(exprs[0], Expr::Variable(..)) {
            let at = list.nothing.as_ref().map_or(at, |(at, ..)| *at);
            let message = format!("`{source}` starts as `()` (no value), but `{name}` needs an array");
            self.error(Code::Arguments, at, message, format!("start with an empty array, `[]`: `let {source} = [];`"));
        } else if name == "push" && (list.kinds.is(ValueKind::Permit) || list.kinds.is(ValueKind::Squares)) {
            let (what, item) = (list.kinds.words(), self.source(exprs[1]));
            let message = format!("`push` adds an entry to an array, but `{source}` is {what}");
            self.error(Code::Arguments, at, message, format!("write `{source} |= {item}`"));
        } else if list.kinds.is(ValueKind::Array)
            && name == "append"
            && item.kinds.known()
            && !item.kinds.has(ValueKind::Array)
        {
            let item = self.source(exprs[1]);
            let message = format!("`append` adds a whole array, not {}", args[1].kinds.words());
            self.error(Code::Arguments, start(exprs[1]), message, format!("add one entry with `push({item})`"));
        }
    }

    /// A call of a built-in function or one of the interpreter.
    fn native(
        &mut self,
        name: &str,
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
        method: bool,
    ) -> AbstractValue {
        let forms: Vec<&Form> = forms_of(name).filter(|form| takes(form, args.len())).collect();
        let fitting: Vec<&Form> = forms.iter().copied().filter(|form| fits(form, args)).collect();
        self.closures(name, args, exprs);
        self.never_in(name, args, exprs);
        self.never_paid(name, args, exprs);
        self.each_passed_over(name, args, exprs);
        self.rows_of_faces(name, args);
        self.limit_without_effect(name, args, exprs);
        if let (true, true, [receiver]) = (method, fitting.is_empty(), args)
            && self.is_property(name, receiver)
            && !self.language_takes(name, args)
        {
            let message = format!("`{name}` is a property, not a function");
            self.error(Code::UnknownName, at, message, format!("write `.{name}` without parentheses"));
            return AbstractValue::any();
        }
        if fitting.is_empty() && !method && self.wrong_in(args, exprs, at) {
            return AbstractValue::one(ValueKind::Truth);
        }
        if forms.is_empty() && !method && !self.language_takes(name, args) {
            self.too_many(name, args, exprs, at);
            self.called_table(name, exprs, at);
        }
        if self.greatest_of_list(name, args, exprs) {
            return AbstractValue::one(ValueKind::Number);
        }
        if let Some(number) = extreme(name, args).filter(|_| args.len() == 2) {
            return number;
        }
        if forms.is_empty() && !self.language_takes(name, args) {
            self.no_length(name, args, exprs, at, method);
        }
        if forms.is_empty() || self.language_takes(name, args) {
            let result = LANGUAGE.iter().find(|(known, _)| *known == name).filter(|_| forms.is_empty());
            return match result {
                Some(("len", _)) => {
                    match args.first().and_then(|list| list.length.filter(|_| list.kinds.is(ValueKind::Array))) {
                        Some(length) => AbstractValue::number(length as i64, length as i64),
                        None => AbstractValue::number(0, i64::MAX),
                    }
                }
                Some(("abs", kind)) => extreme("abs", args).unwrap_or_else(|| AbstractValue::one(*kind)),
                Some((_, kind)) => AbstractValue::one(*kind),
                None => AbstractValue::any(),
            };
        }
        if fitting.is_empty() {
            self.misfit(name, &forms, args, exprs, at, method);
            let results = forms.iter().fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
            return AbstractValue::of(results);
        }
        for form in &fitting {
            self.names(form, args, exprs);
        }
        if let [form] = fitting[..] {
            self.perhaps_nothing(name, form, args, exprs);
            self.some_values(name, form, args, exprs);
            self.first_station(form, args, exprs);
        }
        self.choice(name, args, exprs);
        self.bid(name, args, exprs, at);
        if !method {
            self.bounds(name, &fitting, args, exprs, at);
        }
        self.least(name, &fitting, args, exprs);
        self.face_asked(name, args, exprs);
        self.rank_asked(name, args, exprs);
        self.no_steps(name, args, exprs);
        self.one_make(name, args, exprs);
        self.list_of_pool(name, args, exprs);
        self.line_of_board(name, args, exprs);
        self.empty_list(name, &fitting, args, exprs);
        self.stations(name, exprs);
        self.pool_place(name, args, exprs);
        self.filled(name, args, exprs);
        self.repelled(name, exprs);
        self.made_already(name, exprs);
        self.supposed(name, args, exprs, at);
        if let [form] = fitting[..] {
            self.options(name, form, args);
        }
        let results = fitting.iter().fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
        let mut plain = AbstractValue::of(results);
        if results == Kinds::of(&[ValueKind::Move, ValueKind::Nothing]) {
            plain.perhaps = named(name).next().map(|(_, function)| function.name);
        }
        for form in &fitting {
            self.moves_given(name, form, args, exprs);
        }
        let result = self.result(name, plain, args);
        self.chosen_part(name, args, exprs, result)
    }

    /// Whether a script function has no branches and calls no script function, so that it treats all values the same way.
    fn is_straight(&self, name: &str) -> bool {
        let Some(def) = self.functions.iter().find(|def| def.name == name) else { return false };
        !any_within(&def.body, |node| match node {
            ASTNode::Stmt(Stmt::If(..) | Stmt::Switch(..) | Stmt::Return(..)) => true,
            ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) => {
                !call.is_operator_call() && named(&call.name).next().is_none()
            }
            _ => false,
        })
    }

    /// Whether a value of known kind has a property with this name.
    fn is_property(&self, name: &str, receiver: &AbstractValue) -> bool {
        let has = |function: &functions::Function| {
            function.forms.iter().any(|form| fits(form, std::slice::from_ref(receiver)))
        };
        receiver.kinds.known() && properties(name).any(has)
    }

    /// Whether the interpreter has a function with this name for such values.
    fn language_takes(&self, name: &str, args: &[AbstractValue]) -> bool {
        let ours: Vec<_> = forms_of(name).flat_map(Form::types).collect();
        self.known.overloads(name).iter().filter(|types| types.len() == args.len() && !ours.contains(types)).any(
            |types| {
                let takes = |(id, arg): (&std::any::TypeId, &AbstractValue)| match ValueKind::of_type(*id) {
                    Some(kind) => arg.kinds.has(kind),
                    // Types that scripts cannot produce match only unknown values.
                    None => *id == std::any::TypeId::of::<rhai::Dynamic>() || !arg.kinds.known(),
                };
                types.iter().zip(args).all(takes)
            },
        )
    }

    /// The result of a function passed as an argument, if it is a number.
    pub(super) fn made_by(&self, function: Option<&(String, usize)>) -> AbstractValue {
        let results = self.before.iter().flat_map(|facts| &facts.results);
        let found = function.and_then(|(name, _)| results.clone().find(|((own, _), _)| own == name));
        found
            .map(|(_, known)| known)
            .filter(|known| known.kinds.is(ValueKind::Number))
            .cloned()
            .unwrap_or_else(AbstractValue::any)
    }

    /// The result of a call, beyond its kinds.
    fn result(&mut self, name: &str, plain: AbstractValue, args: &[AbstractValue]) -> AbstractValue {
        let first = || args.first().cloned().unwrap_or_else(AbstractValue::any);
        if functions::takes_key(name, args.iter().filter(|arg| arg.function.is_some()).count()) {
            // The key determines the result.
            let made = self.made_by(args.iter().find_map(|arg| arg.function.as_ref()));
            return match name {
                "roll" => made,
                "roll_until" => without_range(made),
                "roll_playable" if made.kinds.known() => AbstractValue {
                    perhaps: Some("roll_playable"),
                    ..without_range(made).or(&AbstractValue::nothing())
                },
                _ => AbstractValue::any(),
            };
        }
        let sorted =
            args.last().and_then(|arg| arg.entries.as_ref()).is_some_and(|entries| entries.contains_key("sorted"));
        match name {
            "roll" if sorted => rolled_and_sorted(&first()),
            "roll_until" if sorted => rolled_and_sorted(&first()),
            "roll_playable" if sorted => {
                let rolled = rolled_and_sorted(&first()).or(&AbstractValue::nothing());
                AbstractValue { perhaps: Some("roll_playable"), ..rolled }
            }
            "roll" => rolled(&first()),
            // The test may never accept some faces.
            "roll_until" => {
                let test = args.get(1).and_then(|arg| arg.function.as_ref());
                let test = test.and_then(|(name, _)| self.functions.iter().find(|def| &def.name == name));
                rolled_until(rolled(&first()), test)
            }
            "roll_playable" => {
                let asked =
                    args.get(1).and_then(|arg| arg.function.as_ref()).is_some_and(|(name, _)| !self.is_straight(name));
                let rolled = if asked { without_range(rolled(&first())) } else { rolled(&first()) };
                let rolled = rolled.or(&AbstractValue::nothing());
                AbstractValue { perhaps: Some("roll_playable"), ..rolled }
            }
            "play" => played("play", plain, args),
            "play_or_pass" => played("play_or_pass", plain, args),
            "play_each" => played_each(plain, args),
            "cast" => cast(&first(), plain),
            "count_of" => args.first().and_then(counted).unwrap_or(plain),
            "ranked" => args.first().and_then(ranked).unwrap_or(plain),
            "reroll" => args.iter().find(|arg| arg.kinds.is(ValueKind::Cast)).cloned().unwrap_or(plain),
            "compare" if first().kinds.is(ValueKind::Rolled) => AbstractValue::number(-1, 1),
            "option" => {
                let Some(option) = first().only_text().map(str::to_string) else { return AbstractValue::any() };
                match args.get(1) {
                    Some(values) if values.is_written() => {
                        AbstractValue { nothing: None, ..values.item() }.from(Origin::Option(option))
                    }
                    _ => AbstractValue::any(),
                }
            }
            "choose" => {
                let texts = args.iter().find(|arg| arg.kinds.is(ValueKind::Array));
                let squares = args.iter().any(|arg| arg.kinds.is(ValueKind::Squares));
                let unknown = args.iter().skip(1).any(|arg| !arg.kinds.known());
                if args.iter().any(|arg| arg.kinds.is(ValueKind::Permit)) {
                    return played("choose", AbstractValue::any(), args);
                }
                match texts.filter(|texts| texts.is_written() && !texts.items.is_empty() && !unknown) {
                    Some(texts) => {
                        let chosen = texts.item().from(Origin::Choice);
                        if squares {
                            chosen
                                .or(&AbstractValue::one(ValueKind::Square))
                                .or(&AbstractValue::one(ValueKind::Squares))
                        } else {
                            chosen
                        }
                    }
                    None if args
                        .iter()
                        .all(|arg| arg.kinds.is(ValueKind::Squares) || arg.kinds.is(ValueKind::Side)) =>
                    {
                        AbstractValue::one(ValueKind::Square)
                    }
                    None => AbstractValue::any(),
                }
            }
            "choose_held" => AbstractValue::any(),
            "count" if !first().kinds.has(ValueKind::Permit) && plain.kinds.is(ValueKind::Number) => AbstractValue {
                loose: true,
                ..AbstractValue::number(0, self.world.map_or(i64::MAX, |world| world.squares))
            },
            "count" if plain.kinds.is(ValueKind::Number) => {
                AbstractValue { loose: true, ..AbstractValue::number(0, i64::MAX) }
            }
            _ => plain,
        }
    }

    /// A read of a property.
    pub(super) fn property(
        &mut self,
        receiver: &AbstractValue,
        of: &Expr,
        name: &str,
        at: LineColumn,
    ) -> AbstractValue {
        self.not_asked(receiver, of);
        self.perhaps_chosen(receiver, of, name);
        if let Some(entries) = receiver.entries.as_ref().filter(|_| receiver.kinds.is(ValueKind::Map)) {
            if let Some((_, value)) = entries.get(name) {
                return value.clone();
            }
            let keys: Vec<String> = entries.keys().cloned().collect();
            if !keys.is_empty() && !self.known.has_property(name) {
                let map = self.source(of);
                let message = format!("`{map}` has no entry `{name}`");
                let help = match crate::notation::nearest(name, keys.iter().map(String::as_str)) {
                    _ if self.is_variable(name) => {
                        format!("to read the entry that the variable `{name}` names, write `{map}[{name}]`")
                    }
                    Some(near) => format!("did you mean `{map}.{near}`?"),
                    None => format!("its entries are: {}", keys.join(", ")),
                };
                self.error(Code::Index, at, message, help);
            }
            return AbstractValue::any();
        }
        let all: Vec<&functions::Function> = properties(name).collect();
        let owner = |function: &&&functions::Function| {
            function.forms.iter().any(|form| fits(form, std::slice::from_ref(receiver)))
        };
        let having: Vec<&functions::Function> = all.iter().filter(owner).copied().collect();
        if having.is_empty() {
            let is_map = receiver.kinds.has(ValueKind::Map);
            if receiver.kinds.known() && !is_map && all.is_empty() && !self.known.has_property(name) {
                let nothing = receiver.kinds.is(ValueKind::Nothing);
                let owner = if nothing { receiver.kinds } else { receiver.kinds.without(ValueKind::Nothing) }.words();
                let has = if owner.starts_with("dice") || owner.starts_with("rolled faces") { "have" } else { "has" };
                let message = format!("{} {has} no property `{name}`", operand(&owner));
                let help = match receiver.kinds.is(ValueKind::Text) {
                    true => "join strings with `+`: `\"..\" + ..`".to_string(),
                    false => self.property_cure(receiver, of, name),
                };
                self.error(Code::UnknownName, at, message, help);
                return AbstractValue::any();
            }
            if receiver.kinds.known() && !is_map && !all.is_empty() {
                let owners: Vec<String> =
                    all.iter().filter_map(|f| f.forms.first()).map(|form| words(form.params[0].kind)).collect();
                let given = receiver.kinds.words();
                let message =
                    format!("`{name}` is a property of {}, not of {}", alternatives(&owners), operand(&given));
                let help = self.property_cure(receiver, of, name);
                self.error(Code::UnknownName, at, message, help);
            }
            return AbstractValue::any();
        }
        let results = having
            .iter()
            .flat_map(|function| &function.forms)
            .fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
        let mut known = AbstractValue::of(results);
        if matches!(name, "kind" | "captured" | "promotion") {
            known.origin = Some(Origin::Piece);
        }
        if let ("alike", true, Some(dice)) =
            (name, receiver.kinds.without(ValueKind::Nothing).is(ValueKind::Array), receiver.length)
        {
            return AbstractValue::number(1, dice as i64);
        }
        if let Some(known) = shown(name, receiver).or_else(|| value_of(receiver).filter(|_| name == "value")) {
            return known;
        }
        match (name, self.world.filter(|_| known.kinds.is(ValueKind::Number))) {
            ("file", Some(world)) => AbstractValue::number(1, world.files),
            ("rank", Some(world)) => AbstractValue::number(1, world.ranks),
            _ => known,
        }
    }

    /// A value where true or false is required.
    pub(super) fn truth(&mut self, value: &AbstractValue, expr: &Expr, of: &str) {
        if !value.kinds.known() || value.kinds.has(ValueKind::Truth) || value.kinds == Kinds::NONE {
            return;
        }
        let source = self.source(expr);
        let is = |kind| value.kinds.is(kind);
        let help = match () {
            () if is(ValueKind::Permit) && (of == "||" || of == "&&") => {
                let whether = format!("to test whether `{source}` permits a move, write `{source}.exists()`");
                format!("join permits with `{}`; {whether}", &of[..1])
            }
            () if is(ValueKind::Permit) => format!("test whether it permits a move: `{source}.exists()`"),
            () if is(ValueKind::Squares) => format!("write `!{source}.is_empty`"),
            () if is(ValueKind::Number) || is(ValueKind::Reckoned) => format!("compare it, as in `{source} > 0`"),
            () if is(ValueKind::Text) => format!("compare it, as in `{source} == \"..\"`"),
            () if is(ValueKind::Nothing) && value.nothing.is_some() => {
                let (at, why, help) = value.nothing.clone().unwrap_or_default();
                self.error(Code::LostValue, at, format!("{why}, but a condition must be true or false"), help);
                return;
            }
            () if is(ValueKind::Nothing) => format!("make it a separate statement: `if .. {{ {source}; }}`"),
            () => format!("compare it, as in `{source} != ()`"),
        };
        let needs = match of {
            "if" => "a condition must be true or false".to_string(),
            sign => format!("`{sign}` needs true or false"),
        };
        let given = if is(ValueKind::Reckoned) { "a number".to_string() } else { value.kinds.words() };
        self.error(Code::Condition, start(expr), format!("{needs}, not {given}"), help);
    }
}

/// Whether a function of the interpreter returns no value.
pub(super) fn gives_nothing(name: &str) -> bool {
    LANGUAGE.iter().any(|(known, kind)| *known == name && *kind == ValueKind::Nothing)
}

/// Functions of the interpreter that change their receiver, an array, map or text.
pub(in crate::check) fn changes_in_place(name: &str) -> bool {
    matches!(
        name,
        "push"
            | "pop"
            | "shift"
            | "insert"
            | "remove"
            | "clear"
            | "append"
            | "sort"
            | "reverse"
            | "truncate"
            | "extract"
            | "splice"
            | "drain"
            | "retain"
            | "chop"
            | "dedup"
            | "pad"
            | "set"
    )
}

/// The result of `play_each`: the last move, or the choice from the option `or`.
fn played_each(plain: AbstractValue, args: &[AbstractValue]) -> AbstractValue {
    let options = args.iter().find_map(|arg| arg.entries.as_ref());
    match options {
        Some(entries) if !entries.contains_key("or") => {
            let moves = Kinds::of(&[ValueKind::Move, ValueKind::Nothing]);
            AbstractValue::of(moves)
        }
        Some(_) => played("play_each", plain, args).or(&AbstractValue::nothing()),
        None => plain,
    }
}

/// The result of `play` and `play_or_pass`: a move, or the choice from the option `or`.
fn played(maker: &'static str, plain: AbstractValue, args: &[AbstractValue]) -> AbstractValue {
    let options = args.iter().find_map(|arg| arg.entries.as_ref());
    let Some((_, or)) = options.and_then(|entries| entries.get("or")) else {
        let unread = options.is_none() && args.iter().any(|arg| arg.kinds.has(ValueKind::Map));
        let moves = AbstractValue::of(Kinds::of(&[ValueKind::Move, ValueKind::Nothing]));
        return if unread { plain } else { AbstractValue { perhaps: Some(maker), ..moves } };
    };
    let listed = or.kinds.is(ValueKind::Array);
    if listed && !or.is_written() {
        return plain;
    }
    let items = if listed { or.items.clone() } else { vec![or.clone()] };
    let is_text = |item: &AbstractValue| item.kinds.is(ValueKind::Text) || item.kinds.is(ValueKind::Number);
    let is_place = |item: &AbstractValue| item.kinds.is(ValueKind::Squares) || item.kinds.is(ValueKind::Square);
    if !items.iter().all(|item| is_text(item) || is_place(item)) {
        return plain;
    }
    let (texts, squares): (Vec<AbstractValue>, Vec<AbstractValue>) = items.into_iter().partition(is_text);
    let mut played = AbstractValue::one(ValueKind::Move);
    for text in &texts {
        played = played.or(&text.clone().from(Origin::Choice));
    }
    if !squares.is_empty() {
        // As with `choose`, the result can also serve as a set.
        played = played.or(&AbstractValue::one(ValueKind::Square)).or(&AbstractValue::one(ValueKind::Squares));
    }
    match texts.is_empty() || maker == "play_or_pass" {
        true => AbstractValue { perhaps: Some(maker), ..played.or(&AbstractValue::nothing()) },
        false => played,
    }
}

/// The properties with this name of all built-in types.
pub(super) fn properties(name: &str) -> impl Iterator<Item = &'static functions::Function> {
    let so_named = move |function: &str| function.split_once('.').is_some_and(|(_, property)| property == name);
    functions::all().map(|(_, function)| function).filter(move |function| so_named(function.name))
}

/// Whether a form takes this number of arguments.
pub(super) fn takes(form: &Form, count: usize) -> bool {
    (form.least()..=form.params.len()).contains(&count)
}

/// The kinds that a parameter takes. One that takes a deferred number also takes a plain number.
pub(super) fn taken(kind: ParamKind) -> Kinds {
    match kind {
        ParamKind::Reckoned => Kinds::accepted(kind).and(Kinds::of(&[ValueKind::Number])),
        _ => Kinds::accepted(kind),
    }
}

/// Whether the values may match the parameters of a form.
pub(super) fn fits(form: &Form, args: &[AbstractValue]) -> bool {
    form.params.iter().zip(args).all(|(param, arg)| admits(param.kind, arg))
}

/// Whether a parameter may take a value.
fn admits(kind: ParamKind, arg: &AbstractValue) -> bool {
    arg.kinds == Kinds::NONE || arg.kinds.meets(taken(kind)) && wrong_element(kind, arg).is_none()
}

/// The first element of an array that a parameter takes, if the element certainly has the wrong kind.
pub(super) fn wrong_element(kind: ParamKind, arg: &AbstractValue) -> Option<usize> {
    let element = kind.element().filter(|_| arg.kinds.is(ValueKind::Array))?;
    arg.items.iter().position(|item| item.kinds.known() && !item.kinds.has(element))
}

/// A description of the primary kind that a parameter takes.
pub(super) fn words(kind: ParamKind) -> String {
    let primary = kind.accepts().first().map_or("something else", |kind| kind.words());
    if kind == ParamKind::PieceNames { "the name of a piece or an array of names".into() } else { primary.into() }
}

/// The forms of all functions with this name.
pub(super) fn forms_of(name: &str) -> impl Iterator<Item = &'static Form> {
    functions::named(name).flat_map(|(_, function)| &function.forms)
}
