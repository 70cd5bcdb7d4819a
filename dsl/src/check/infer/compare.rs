//! Checks operators and comparisons: whether they apply to their operands, and whether a comparison can be both true and
//! false.

use super::super::brackets::index_at;
use super::super::report::did_you_mean;
use super::super::shapes::written;
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::among;
use super::calls::{forms_of, taken};
use super::numbers::{always, bounds_in_words, decided, reckoned};
use super::rolls::reckoned_with;
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{Cost, Form, costs, named};
use crate::host::kind::{ValueKind, operand, operands_for};
use crate::host::tokens::is_comparison;
use crate::notation::describe::alternatives;
use rhai::{Expr, Token as Op};

/// The longest expression that a message quotes, in characters.
const QUOTED: usize = 40;

/// Kinds without an order.
const NO_ORDER: [ValueKind; 8] = [
    ValueKind::Array,
    ValueKind::Squares,
    ValueKind::Square,
    ValueKind::Cast,
    ValueKind::Permit,
    ValueKind::Move,
    ValueKind::Side,
    ValueKind::Map,
];

impl Walker<'_> {
    pub(super) fn condition(&mut self, expr: &Expr) {
        let value = self.value(expr);
        self.truth(&value, expr, "if");
        self.guard(expr);
    }

    /// The value of a binary operator.
    pub(super) fn operator(
        &mut self,
        op: &Op,
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
    ) -> AbstractValue {
        let [left, right] = args else { return AbstractValue::any() };
        match op {
            Op::EqualsTo | Op::NotEqualsTo => {
                self.equality(op, left, right, exprs);
                AbstractValue::one(ValueKind::Truth)
            }
            Op::LessThan | Op::GreaterThan | Op::LessThanEqualsTo | Op::GreaterThanEqualsTo => {
                self.order(op, left, right, exprs);
                AbstractValue::one(ValueKind::Truth)
            }
            Op::In | Op::NotIn => AbstractValue::one(ValueKind::Truth),
            Op::InclusiveRange | Op::ExclusiveRange => {
                for (value, expr) in args.iter().zip(exprs) {
                    self.bound(value, expr);
                }
                if let (Some(first), Some(last)) = (left.only_number(), right.only_number())
                    && first > last
                {
                    let sign = op.literal_syntax();
                    let message = format!("the range from {first} to {last} is empty: ranges only count up");
                    let help = format!("write `{last}{sign}{first}`");
                    self.warn(Code::Comparison, start(exprs[0]), message, help);
                }
                AbstractValue::any()
            }
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo | Op::Ampersand | Op::Pipe => {
                let result = self.arithmetic(op, left, right, exprs, at);
                self.part(op, args, exprs, result)
            }
            _ => AbstractValue::any(),
        }
    }

    fn arithmetic(
        &mut self,
        op: &Op,
        left: &AbstractValue,
        right: &AbstractValue,
        exprs: &[&Expr],
        at: LineColumn,
    ) -> AbstractValue {
        let sign = op.literal_syntax();
        if matches!(op, Op::Pipe | Op::Ampersand) {
            self.joined_twice(op, exprs);
        }
        let sets = [ValueKind::Permit, ValueKind::Squares];
        if *op == Op::Minus && sets.iter().any(|kind| left.kinds.is(*kind)) && written(exprs[0]) == written(exprs[1]) {
            let (what, help) = match left.kinds.is(ValueKind::Permit) {
                true => ("can never permit a move", "subtract a different permit"),
                false => ("is always empty", "subtract a different set of squares"),
            };
            let message = format!("this {what}: both operands of `-` are the same");
            self.warn(Code::Arithmetic, start(exprs[0]), message, help);
        }
        if matches!(op, Op::Divide | Op::Modulo) {
            self.division(right, exprs[1]);
        }
        if matches!(op, Op::Ampersand | Op::Pipe) && [left, right].iter().all(|known| known.kinds.is(ValueKind::Truth))
        {
            let message = format!(
                "`{sign}` is for permits and sets of squares; with true or false, it always evaluates both operands"
            );
            self.warn(Code::Condition, at, message, format!("write `{sign}{sign}`"));
            return AbstractValue::one(ValueKind::Truth);
        }
        [left, right].into_iter().zip(exprs).for_each(|(value, expr)| self.not_asked(value, expr));
        let number = |known: &AbstractValue| known.kinds.without(ValueKind::Nothing).is(ValueKind::Number);
        if number(left) && number(right) {
            let range = left.range.zip(right.range).and_then(|(a, b)| reckoned(op, a, b));
            // If the other operand is constant, the certain values keep occurring in the result.
            let sure = match (left.sure, right.only_number(), left.only_number(), right.sure) {
                (Some(a), Some(b), ..) => reckoned(op, a, (b, b)),
                (.., Some(a), Some(b)) => reckoned(op, (a, a), b),
                _ => None,
            };
            if *op == Op::Minus {
                self.taken_from_itself(exprs);
            }
            let outer = left.bounds().zip(right.bounds()).and_then(|(a, b)| reckoned(op, a, b));
            let outer = outer.filter(|_| range.is_none());
            let loose = left.loose || right.loose;
            let rolled = left.rolled || right.rolled;
            let among = among::reckoned(op, left, right);
            return AbstractValue { range, sure, loose, outer, among, rolled, ..AbstractValue::one(ValueKind::Number) };
        }
        if *op == Op::Plus && (left.kinds.is(ValueKind::Text) || right.kinds.is(ValueKind::Text)) {
            self.same_entry_twice(exprs);
            return self.joined(left, right, exprs);
        }
        let forms: Vec<&Form> = forms_of(sign).filter(|form| form.params.len() == 2).collect();
        let fits = |form: &&&Form| {
            form.params.iter().zip([left, right]).all(|(param, arg)| arg.kinds.meets(taken(param.kind)))
        };
        let fitting: Vec<&Form> = forms.iter().filter(fits).copied().collect();
        if !left.kinds.known() || !right.kinds.known() {
            let certain = |kind| left.kinds.is(kind) || right.kinds.is(kind);
            return match () {
                () if certain(ValueKind::Permit) => AbstractValue::one(ValueKind::Permit),
                () if certain(ValueKind::Squares) => AbstractValue::one(ValueKind::Squares),
                () => AbstractValue::any(),
            };
        }
        let plain = |kind| left.kinds.has(kind) && right.kinds.has(kind);
        let language = plain(ValueKind::Number)
            || plain(ValueKind::Text)
            || *op == Op::Plus && (plain(ValueKind::Array) || plain(ValueKind::Map))
            || plain(ValueKind::Truth);
        if !fitting.is_empty() {
            let results = fitting.iter().fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
            if !language && results.is(ValueKind::Reckoned) {
                return reckoned_with(op, left, right);
            }
            return AbstractValue::of(if language { Kinds::ALL } else { results });
        }
        if !language {
            self.cannot(sign, left, right, exprs, at);
        }
        AbstractValue::any()
    }

    /// A bound of a range.
    fn bound(&mut self, value: &AbstractValue, expr: &Expr) {
        if !value.kinds.known() || value.kinds.has(ValueKind::Number) {
            return;
        }
        let source = self.source(expr);
        let help = match () {
            () if value.kinds.is(ValueKind::Array) => {
                format!("loop over it with `for x in {source}`, or take one entry, as in `{source}[0]`")
            }
            () if value.kinds.is(ValueKind::Squares) => format!("count its squares: `{source}.count()`"),
            () if value.kinds.is(ValueKind::Permit) => format!("count its moves: `{source}.count()`"),
            () if value.kinds.is(ValueKind::Reckoned) => format!("use its value: `{source}.value`"),
            () => "write a number".to_string(),
        };
        let message = format!("a range needs a number at both ends, not {}", value.kinds.words());
        self.error(Code::Arithmetic, start(expr), message, help);
    }

    /// A variable that may have no value, such as the result of `roll_playable` when no roll is playable, and that no
    /// condition has tested.
    pub(super) fn not_asked(&mut self, value: &AbstractValue, expr: &Expr) {
        let Expr::Variable(variable, ..) = expr else { return };
        let Some(maker) = value.perhaps.filter(|_| value.kinds.known() && value.kinds.has(ValueKind::Nothing)) else {
            return;
        };
        if self.asked_for(expr) {
            return;
        }
        let name = &variable.1;
        let why = match () {
            () if maker.starts_with("roll") => "no roll permits a move",
            () if costs(maker, Cost::Question) => "no move has been made",
            () => "no move is possible",
        };
        let message = format!("`{name}` may be `()`: `{maker}` returns `()` when {why}");
        self.warn(Code::LostValue, start(expr), message, format!("test it first: `if {name} == () {{ return; }}`"));
    }

    fn cannot(&mut self, sign: &str, left: &AbstractValue, right: &AbstractValue, exprs: &[&Expr], at: LineColumn) {
        let is = |kind: ValueKind| left.kinds.is(kind) || right.kinds.is(kind);
        let both = |kind: ValueKind| left.kinds.is(kind) && right.kinds.is(kind);
        let empty = [left, right].into_iter().filter(|known| known.kinds.is(ValueKind::Nothing));
        if let Some((place, why, help)) = empty.filter_map(|known| known.nothing.clone()).next() {
            return self.error(Code::LostValue, place, format!("{why}, but `{sign}` needs a value"), help);
        }
        let array = if left.kinds.is(ValueKind::Array) { 0 } else { 1 };
        let source = self.source(exprs[array]);
        let places = Kinds::of(&[ValueKind::Square, ValueKind::Squares]);
        let (at, help) = match () {
            () if (both(ValueKind::Permit) || both(ValueKind::Squares)) && sign == "+" => {
                let assigned = self.tokens.iter().any(|token| token.at == at && token.is("+="));
                let joins = if assigned { "|=" } else { "|" };
                let [left, right] = [0, 1].map(|i| self.source(exprs[i]));
                (at, format!("to allow either, write `{left} {joins} {right}`"))
            }
            () if both(ValueKind::Permit) || both(ValueKind::Squares) => {
                (at, "use `|` for either, `&` for both, or `-` for one without the other".to_string())
            }
            () if is(ValueKind::Permit) && [left, right].iter().any(|known| known.kinds.meets(places)) => {
                let wrong = usize::from(!left.kinds.meets(places));
                let source = self.source(exprs[wrong]);
                (start(exprs[wrong]), format!("to turn it into a permit, write `from({source})` or `to({source})`"))
            }
            () if is(ValueKind::Cast) => {
                let cast = usize::from(!left.kinds.is(ValueKind::Cast));
                (start(exprs[cast]), format!("use the sum: `{}.total`", self.operand(exprs[cast])))
            }
            () if is(ValueKind::Array) && self.gone_through(exprs[array]).is_some() => {
                let each = self.gone_through(exprs[array]).unwrap_or_default();
                (start(exprs[array]), format!("did you mean `{each}`, the variable of the loop over `{source}`?"))
            }
            () if is(ValueKind::Array) => {
                (start(exprs[array]), format!("use one entry, as in `{source}[0]`, or the sum, `{source}.total`"))
            }
            () if self.is_dice(exprs[0])
                && left.only_text().is_some_and(|text| crate::notation::dice::parse(text).is_ok()) =>
            {
                let (dice, rest) = (self.source(exprs[0]), self.source(exprs[1]));
                let dice = dice.split(&format!(" {sign}")).next().unwrap_or(&dice).to_string();
                (start(exprs[0]), format!("roll the dice first: `roll({dice}) {sign} {rest}`"))
            }
            () if is(ValueKind::Text) && is(ValueKind::Squares) => {
                let list = if left.kinds.is(ValueKind::Text) { 0 } else { 1 };
                let text = self.source(exprs[list]);
                (start(exprs[list]), format!("convert it to a set of squares: `squares({text})`"))
            }
            () if self.joined_first(sign, left, exprs).is_some() => {
                let meant = self.joined_first(sign, left, exprs).unwrap_or_default();
                (start(exprs[0]), format!("`+` is evaluated first and produces a string: write `{meant}`"))
            }
            () if is(ValueKind::Text) => (at, "a string is not a number: write the number without quotes".to_string()),
            () if is(ValueKind::Nothing) => {
                (at, "`()` is not a number: first test whether the value is `()`".to_string())
            }
            () => (at, operands_for(sign).to_string()),
        };
        let message = format!("`{sign}` does not work on {}", operand_words(&left.kinds.words(), &right.kinds.words()));
        self.error(Code::Arithmetic, at, message, help);
    }

    /// The variable of the enclosing loop over an array.
    fn gone_through(&self, array: &Expr) -> Option<String> {
        let (source, at) = (self.source(array), start(array));
        let here = index_at(self.tokens, at)?;
        let heads = self.tokens[..here].windows(5).rev();
        let found = heads
            .into_iter()
            .find(|five| five[0].is("for") && five[2].is("in") && five[3].is(&source) && five[4].is("{"))?;
        Some(found[1].text.to_string())
    }

    fn division(&mut self, by: &AbstractValue, expr: &Expr) {
        if let Some(counter) = self.empty_counter(expr).filter(|_| !self.guarded(expr)) {
            let source = self.source(expr);
            let message = format!("`{source}` is 0 at the start, and dividing by 0 is an error");
            let help = format!("test it first: `if number(\"{counter}\") > 0 {{ .. }}`");
            return self.warn(Code::Arithmetic, start(expr), message, help);
        }
        let Some((least, most)) = by.range.filter(|_| by.kinds.is(ValueKind::Number)) else { return };
        let source = self.source(expr);
        if (least, most) == (0, 0) {
            let message = "this divides by 0, which is an error";
            self.error(Code::Arithmetic, start(expr), message, "divide by a different number");
        } else if least <= 0 && most >= 0 && !self.guarded(expr) {
            let sign = if least < 0 { "!=" } else { ">" };
            let help = format!("test it first: `if {source} {sign} 0 {{ .. }}`");
            let message = format!("`{source}` can be 0, and dividing by 0 is an error");
            self.warn(Code::Arithmetic, start(expr), message, help);
        }
    }

    /// A square compared with the name of a region.
    fn region_compared(&mut self, value: &AbstractValue, other: &AbstractValue, square: &Expr, name: &Expr) -> bool {
        let (Some(text), true) = (other.only_text(), value.kinds.is(ValueKind::Square)) else { return false };
        let regions = self.world.and_then(|world| world.names(crate::host::kind::ParamKind::RegionName));
        if text != "far rank" && !regions.is_some_and(|(_, all)| all.contains(&text)) {
            return false;
        }
        let source = self.source(square);
        let message = format!("\"{text}\" is a region, not a square");
        self.error(Code::Comparison, start(name), message, format!("write `{source} in region(\"{text}\")`"));
        true
    }

    /// The counter that a call reads, if it is 0 at the start.
    fn empty_counter(&self, expr: &Expr) -> Option<String> {
        let Expr::FnCall(call, _) = expr else { return None };
        let at = crate::functions::position_of(&call.name, crate::host::kind::ParamKind::CounterName)?;
        let Some(Expr::StringConstant(counter, _)) = call.args.get(at) else { return None };
        self.world.filter(|world| world.empty.iter().any(|name| name == counter.as_str())).map(|_| counter.to_string())
    }

    fn equality(&mut self, op: &Op, left: &AbstractValue, right: &AbstractValue, exprs: &[&Expr]) {
        if self.with_itself(op, exprs) {
            return;
        }
        for (value, other, at) in [(left, right, 1), (right, left, 0)] {
            if self.region_compared(value, other, exprs[1 - at], exprs[at]) {
                return;
            }
        }
        if self.out_of_reach(op, exprs[0], right.only_number()) || self.out_of_reach(op, exprs[1], left.only_number()) {
            return;
        }
        for (value, other, expr) in [(left, right, exprs[1]), (right, left, exprs[0])] {
            if self.never_text(value, other, expr) || self.never_number(op, value, other, exprs) {
                return;
            }
        }
        if self.never_of_table(op, left, right, exprs)
            || self.rolled_unequal(op, exprs)
            || self.roll_as_list(op, left, right, exprs)
            || self.total_of_one(op, exprs)
            || self.never_nothing(op, left, right, exprs)
            || self.another_length(op, right.only_number(), exprs)
        {
            return;
        }
        if !left.kinds.known() || !right.kinds.known() || left.kinds.meets(right.kinds) || comparable(left, right) {
            return;
        }
        if left.kinds.is(ValueKind::Nothing) || right.kinds.is(ValueKind::Nothing) {
            return;
        }
        // If one operand is a literal, that one is wrong.
        let literal =
            |expr: &Expr| matches!(expr, Expr::StringConstant(..) | Expr::IntegerConstant(..) | Expr::BoolConstant(..));
        let wrong = if literal(exprs[1]) || !literal(exprs[0]) { 1 } else { 0 };
        // If a set is compared with a number, the set is wrong: its size was meant.
        let uncounted = [left, right].iter().position(|known| known.kinds.is(ValueKind::Squares));
        let numbered = [left, right].iter().any(|known| known.kinds.is(ValueKind::Number));
        let wrong = uncounted.filter(|_| numbered).unwrap_or(wrong);
        let (mine, other) = if wrong == 1 { (right, left) } else { (left, right) };
        let help = match () {
            () if other.kinds.is(ValueKind::Side) && mine.kinds.is(ValueKind::Text) => self
                .side_meant(mine.only_text())
                .unwrap_or_else(|| format!("write `side({})`", self.source(exprs[wrong]))),
            () if other.kinds.is(ValueKind::Number) && mine.kinds.is(ValueKind::Text) => {
                match mine.only_text().filter(|text| text.parse::<i64>().is_ok()) {
                    Some(digits) => format!("write {digits} without quotes"),
                    None => "compare it with a number".to_string(),
                }
            }
            () if literal(exprs[0]) && literal(exprs[1]) => "compare values of the same type".to_string(),
            () if mine.kinds.is(ValueKind::Number) && other.texts.as_ref().is_some_and(|texts| texts.len() > 1) => {
                let texts = other.texts.iter().flatten().map(|(text, _)| format!("\"{text}\""));
                format!("write {}", alternatives(&texts.collect::<Vec<_>>()))
            }
            () if other.kinds.is(ValueKind::Text) && mine.kinds.is(ValueKind::Number) => {
                format!("write \"{}\"", self.source(exprs[wrong]))
            }
            () if other.kinds.is(ValueKind::Permit) && mine.kinds.is(ValueKind::Truth) => {
                format!("test whether it permits a move: `{}.exists()`", self.source(exprs[1 - wrong]))
            }
            () if other.kinds.is(ValueKind::Squares) && mine.kinds.is(ValueKind::Truth) => {
                format!("write `{}.is_empty`", self.source(exprs[1 - wrong]))
            }
            () if mine.kinds.is(ValueKind::Array)
                && [ValueKind::Number, ValueKind::Text]
                    .iter()
                    .any(|kind| other.kinds.without(ValueKind::Nothing).is(*kind))
                && matches!(exprs[wrong], Expr::Array(..)) =>
            {
                let [value, list] = [1 - wrong, wrong].map(|at| self.source(exprs[at]));
                format!("to test whether it is one of them, write `{value} in {list}`")
            }
            () if left.kinds.is(ValueKind::Truth) && self.in_a_row(exprs).is_some() => {
                self.in_a_row(exprs).unwrap_or_default()
            }
            () if mine.kinds.is(ValueKind::Truth) && other.kinds.has(ValueKind::Nothing) => {
                "test whether it exists: `.. == ()` or `.. != ()`".to_string()
            }
            () if other.kinds.is(ValueKind::Array) && matches!(other.origin, Some(Origin::Dice(_))) => {
                let dice = self.source(exprs[1 - wrong]);
                format!("compare the sum, `{dice}.total`, or one die, `{dice}[0]`")
            }
            () if other.kinds.is(ValueKind::Array) => {
                format!("use one entry, as in `{}[0]`", self.source(exprs[1 - wrong]))
            }
            () if mine.kinds.is(ValueKind::Squares) && numbered => {
                format!("to compare the number of squares, write `{}.count()`", self.source(exprs[wrong]))
            }
            () if other.kinds.is(ValueKind::Squares) || mine.kinds.is(ValueKind::Squares) => {
                "to test for a square, write `square in squares`; to count the squares, use `count()`".to_string()
            }
            () => "compare values of the same type".to_string(),
        };
        // "true or false" is hard to read as a subject.
        let (subject, object, at) =
            if mine.kinds.is(ValueKind::Truth) { (other, mine, 1 - wrong) } else { (mine, other, wrong) };
        let (subject, object, source) = (subject.kinds.words(), object.kinds.words(), self.source(exprs[at]));
        let message = match subject.starts_with('a') && source.chars().count() <= QUOTED && !source.contains('\n') {
            true => format!("`{source}` is {subject}, so it never equals {object}"),
            false => format!("{subject} never equals {object}"),
        };
        let listed = numbered && other.kinds.is(ValueKind::Array);
        self.error(Code::Comparison, start(exprs[if listed { 1 - wrong } else { wrong }]), message, help);
    }

    /// Advice for `a < b < c`.
    fn three_compared(&self, op: &Op, exprs: &[&Expr]) -> Option<String> {
        let [Expr::FnCall(call, _), last] = exprs else { return None };
        let ([first, second], Some(inner)) = (call.args.as_slice(), &call.op_token) else { return None };
        let (inner, op) = (inner.literal_syntax(), op.literal_syntax());
        if !is_comparison(inner) {
            return None;
        }
        let [first, second, last] = [first, second, *last].map(|expr| self.source(expr));
        Some(format!("compare two at a time: `{first} {inner} {second} && {second} {op} {last}`"))
    }

    /// Advice for `a == b == c`.
    fn in_a_row(&self, exprs: &[&Expr]) -> Option<String> {
        let [Expr::FnCall(call, _), last] = exprs else { return None };
        let ([first, second], Some(Op::EqualsTo)) = (call.args.as_slice(), &call.op_token) else { return None };
        let [first, second, last] = [first, second, *last].map(|expr| self.source(expr));
        Some(format!("compare two at a time: `{first} == {second} && {second} == {last}`"))
    }

    /// A text that a value never equals.
    fn never_text(&mut self, value: &AbstractValue, other: &AbstractValue, expr: &Expr) -> bool {
        let (Expr::StringConstant(..), Some(text)) = (expr, other.only_text()) else { return false };
        let certain = match &value.origin {
            Some(Origin::Option(_)) => value.kinds.is(ValueKind::Text),
            origin => *origin == Some(Origin::Piece) || value.kinds.known(),
        };
        let Some((message, help)) = self.never_is(value, text).filter(|_| certain) else { return false };
        self.error(Code::Comparison, start(expr), message, help);
        true
    }

    /// The message about a text that a value never equals because of its origin, and the possible values.
    pub(super) fn never_is(&self, value: &AbstractValue, text: &str) -> Option<(String, String)> {
        let texts = || Some(value.texts.as_ref()?.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>());
        let (message, can) = match (value.origin.as_ref()?, self.world) {
            (Origin::Piece, Some(world)) => {
                (format!("there is no piece called \"{text}\""), world.kinds.iter().map(String::as_str).collect())
            }
            (Origin::Option(name), _) => (format!("the option \"{name}\" never has the value \"{text}\""), texts()?),
            (Origin::Choice, _) => (format!("\"{text}\" is not one of the choices"), texts()?),
            _ => return None,
        };
        (!can.contains(&text)).then(|| (message, did_you_mean(text, can.iter().copied(), "the possible values are")))
    }

    /// A number that a value never equals.
    fn never_number(&mut self, op: &Op, value: &AbstractValue, other: &AbstractValue, exprs: &[&Expr]) -> bool {
        let (Some((least, most)), Some(number)) = (value.bounds().filter(|_| value.is_a_number()), other.only_number())
        else {
            return false;
        };
        if value.only_number().is_some() {
            return false;
        }
        if (least..=most).contains(&number) {
            return self.face_passed_over(op, value, Some(number), exprs)
                || self.never_one_of(op, value, number, exprs);
        }
        if self.sticks_meant(value, number, start(exprs[0])) {
            return true;
        }
        let always = always(op);
        let bounds = bounds_in_words(least, most);
        let help = if number == 0 && value.kinds.has(ValueKind::Nothing) {
            format!("to test for no value, write `{} == ()`", self.source(exprs[0]))
        } else if most == i64::MAX {
            format!("compare it with a number that is at least {least}")
        } else {
            format!("compare it with a number from {least} to {most}")
        };
        let message = format!("this is always {always}: the value can be {bounds}, but never {number}");
        self.warn(Code::Comparison, start(exprs[0]), message, help);
        true
    }

    fn order(&mut self, op: &Op, left: &AbstractValue, right: &AbstractValue, exprs: &[&Expr]) {
        if self.out_of_reach(op, exprs[0], right.only_number()) {
            return;
        }
        if self.with_itself(op, exprs) || self.against_order(op, exprs) {
            return;
        }
        let certain = |known: &AbstractValue| known.kinds.is(ValueKind::Number) || known.kinds.is(ValueKind::Reckoned);
        let number = |known: &AbstractValue| known.bounds().filter(|_| certain(known));
        if let (Some(a), Some(b)) = (number(left), number(right)) {
            if left.only_number().is_some() && right.only_number().is_some() {
                return;
            }
            let truth = match op {
                Op::LessThan => decided(a.1 < b.0, a.0 >= b.1),
                Op::LessThanEqualsTo => decided(a.1 <= b.0, a.0 > b.1),
                Op::GreaterThan => decided(a.0 > b.1, a.1 <= b.0),
                _ => decided(a.0 >= b.1, a.1 < b.0),
            };
            if let Some(truth) = truth {
                let literal = right.only_number().or_else(|| left.only_number());
                let (value, other) = if right.only_number().is_some() { (a, b.0) } else { (b, a.0) };
                let help = match value {
                    (0, _) if truth && other == 0 => "did you mean `> 0` or `== 0`?".to_string(),
                    (0, _) if other == 0 => "did you mean `== 0`?".to_string(),
                    (least, most) => {
                        let last = match op {
                            Op::GreaterThan if !truth && other == most => format!(", as in `>= {most}`"),
                            Op::LessThan if !truth && other == least => format!(", as in `<= {least}`"),
                            _ => String::new(),
                        };
                        format!("compare it with a possible value: {}{last}", bounds_in_words(least, most))
                    }
                };
                let bounds = bounds_in_words(value.0, value.1);
                // Whether the values are all on the upper side of the comparison, and whether they can be equal.
                let upper = matches!(op, Op::GreaterThan | Op::GreaterThanEqualsTo) == right.only_number().is_some();
                let strict = matches!(op, Op::GreaterThan | Op::LessThan);
                let why = match (upper == truth, strict == truth) {
                    (true, true) => "always more than",
                    (true, false) => "never less than",
                    (false, true) => "always less than",
                    (false, false) => "never more than",
                };
                let message = match literal {
                    Some(_) => format!("this is always {truth}: the value is {bounds}, {why} {other}"),
                    None => {
                        let left = bounds_in_words(a.0, a.1);
                        format!("this is always {truth}: the left value is {left}, and the right value is {bounds}")
                    }
                };
                self.warn(Code::Comparison, start(exprs[0]), message, help);
            }
            return;
        }
        if !left.kinds.known()
            || !right.kinds.known()
            || comparable(left, right)
            || left.kinds.meets(right.kinds) && !NO_ORDER.iter().any(|kind| left.kinds.is(*kind))
        {
            return;
        }
        let reckoned = Kinds::of(&[ValueKind::Number, ValueKind::Reckoned]);
        let wrong = if left.kinds.meets(reckoned) { 1 } else { 0 };
        let mine = if wrong == 1 { right } else { left };
        let source = self.operand(exprs[wrong]);
        let help = match () {
            () if mine.kinds.is(ValueKind::Array) => {
                format!("use one entry, as in `{source}[0]`, or the sum, `{source}.total`")
            }
            () if mine.kinds.is(ValueKind::Truth) => {
                self.three_compared(op, exprs).unwrap_or_else(|| "compare two numbers".to_string())
            }
            () if mine.kinds.is(ValueKind::Squares) => format!("count its squares: `{source}.count()`"),
            () if mine.kinds.is(ValueKind::Permit) => format!("count its moves: `{source}.count()`"),
            () if mine.kinds.is(ValueKind::Cast) => format!("use the sum: `{source}.total`"),
            () if mine.only_text().is_some_and(|text| text.parse::<i64>().is_ok()) => {
                format!("write {} without quotes", mine.only_text().unwrap_or_default())
            }
            () => "compare two numbers".to_string(),
        };
        let words = |value: &AbstractValue| value.kinds.words().replace("a computed number", "a number");
        let message =
            format!("`{}` cannot compare {}", op.literal_syntax(), operand_words(&words(left), &words(right)));
        self.error(Code::Comparison, start(exprs[wrong]), message, help);
    }
}

/// Names two operands: `a permit and a number`, `two permits`.
fn operand_words(left: &str, right: &str) -> String {
    let noun = left.strip_prefix("an ").or_else(|| left.strip_prefix("a ")).filter(|_| left == right);
    match noun {
        Some("set of squares") => "two sets of squares".to_string(),
        None if left == right && left.starts_with("dice from") => "two sets of dice".to_string(),
        Some(noun) if !noun.contains(' ') => format!("two {noun}s"),
        _ => format!("{} and {}", operand(left), operand(right)),
    }
}

/// Whether two different kinds are comparable in the game language.
fn comparable(left: &AbstractValue, right: &AbstractValue) -> bool {
    ["==", "<"].iter().flat_map(|sign| named(sign)).flat_map(|(_, function)| &function.forms).any(|form| {
        let takes = |a: &AbstractValue, b: &AbstractValue| {
            form.params.iter().zip([a, b]).all(|(param, arg)| arg.kinds.meets(taken(param.kind)))
        };
        takes(left, right) || takes(right, left)
    })
}
