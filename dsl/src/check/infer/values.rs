//! Infers the values of expressions, including entries of arrays and maps.

use super::super::brackets::{index_at, step};
use super::super::report::did_you_mean;
use super::super::shapes::{compares, is_variable, operands, variable};
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::rolls::{cast_die, dice_in};
use super::{LineColumn, Own, Walker, place, start};
use crate::diagnostic::Code;
use crate::host::kind::{ValueKind, operand};
use crate::host::tokens::tokens;
use crate::notation::describe::{alternatives, entries, enumeration};
use rhai::{ASTFlags, Expr, FnCallExpr, FnPtr};
use std::collections::BTreeMap;

/// The entries of a map literal.
type Entries = BTreeMap<String, (LineColumn, AbstractValue)>;

impl Walker<'_> {
    /// The known properties of an expression's value.
    pub(super) fn value(&mut self, expr: &Expr) -> AbstractValue {
        let mut known = self.value_of(expr);
        self.left_by_conditions(expr, &mut known);
        known
    }

    fn value_of(&mut self, expr: &Expr) -> AbstractValue {
        match expr {
            Expr::BoolConstant(..) => AbstractValue::one(ValueKind::Truth),
            Expr::IntegerConstant(number, at) => AbstractValue {
                written: vec![(*number, place(*at))],
                among: Some(vec![*number]),
                ..AbstractValue::number(*number, *number)
            },
            Expr::StringConstant(text, at) => {
                self.template_in_quotes(text, place(*at));
                AbstractValue::text(text, place(*at))
            }
            Expr::InterpolatedString(parts, _) => {
                let parts = parts.iter().enumerate().map(|(i, part)| {
                    let mut known = self.value(part);
                    // After an interpolated value, no quote precedes the text.
                    if let (true, Expr::StringConstant(..), Some(texts)) = (i > 0, part, &mut known.texts) {
                        texts.iter_mut().for_each(|(_, at)| at.1 = at.1.saturating_sub(1));
                    }
                    known
                });
                AbstractValue::together(parts.collect::<Vec<_>>())
            }
            Expr::Unit(_) => AbstractValue::nothing(),
            Expr::Array(items, _) => {
                let values: Vec<AbstractValue> = items.iter().map(|item| self.value(item)).collect();
                self.listed_twice(items, &values);
                AbstractValue::list(values)
            }
            Expr::Map(entries, _) => {
                let entries = entries.0.iter();
                let all =
                    entries.map(|(key, value)| (key.name.to_string(), (place(key.pos), self.value(value)))).collect();
                AbstractValue { entries: Some(all), ..AbstractValue::one(ValueKind::Map) }
            }
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(pointer) => self.pointer(pointer.fn_name(), Vec::new()),
                None => AbstractValue::any(),
            },
            Expr::Variable(parts, ..) if parts.2.is_empty() => self.lookup(&parts.1),
            Expr::Variable(parts, _, at) => {
                self.of_import(&parts.2.to_string(), &parts.1, place(*at));
                AbstractValue::any()
            }
            Expr::Stmt(block) => self.block(block, true),
            Expr::FnCall(call, at) => self.call(call, *at, None),
            Expr::Dot(parts, flags, _) => {
                let receiver = self.value(&parts.lhs);
                let receiver = AbstractValue {
                    kinds: if flags.intersects(ASTFlags::NEGATED) {
                        receiver.kinds.without(ValueKind::Nothing)
                    } else {
                        receiver.kinds
                    },
                    ..receiver
                };
                self.chain(receiver, &parts.lhs, &parts.rhs)
            }
            Expr::Index(parts, flags, _) => {
                let whole = self.value(&parts.lhs);
                match &parts.rhs {
                    further @ (Expr::Dot(inner, ..) | Expr::Index(inner, ..)) if !flags.intersects(ASTFlags::BREAK) => {
                        let item = self.index(&whole, &parts.lhs, &inner.lhs);
                        self.further(item, &inner.lhs, further)
                    }
                    index => self.index(&whole, &parts.lhs, index),
                }
            }
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                let sign = if matches!(expr, Expr::And(..)) { "&&" } else { "||" };
                self.both_ways(parts, sign == "||");
                self.no_room(parts, sign == "||");
                self.asked_twice(parts, sign);
                if sign == "&&" {
                    self.places_asked(parts);
                }
                let values: Vec<AbstractValue> = parts
                    .iter()
                    .map(|part| {
                        let value = self.value(part);
                        self.guard(part);
                        value
                    })
                    .collect();
                if self.joined_by_words(expr, parts, &values, sign) {
                    return AbstractValue::of(values[0].kinds);
                }
                values.iter().zip(parts.iter()).for_each(|(value, part)| self.truth(value, part, sign));
                AbstractValue::one(ValueKind::Truth)
            }
            Expr::Coalesce(parts, _) => {
                let all: Vec<AbstractValue> = parts.iter().map(|part| self.value(part)).collect();
                all.iter().fold(AbstractValue::of(Kinds::NONE), |all, one| all.or(one))
            }
            _ => AbstractValue::any(),
        }
    }

    /// A `${..}` placeholder in a double-quoted text. Only backquoted texts support them.
    fn template_in_quotes(&mut self, text: &str, at: LineColumn) {
        let inner = text.split_once("${").and_then(|(before, rest)| Some((before, rest.split_once('}')?.0)));
        let Some((before, inner)) = inner else { return };
        let column = at.1 + 1 + before.chars().count();
        let message = format!("in double quotes, `${{{inner}}}` is plain text");
        let help = format!("write the text in backquotes, `{text}`, or join it: `\"..\" + {inner}`");
        self.warn(Code::LostValue, (at.0, column), message, help);
    }

    /// A name of an import that is read like a variable. Imports contain only functions.
    fn of_import(&mut self, alias: &str, name: &str, at: LineColumn) {
        let alias = alias.trim_end_matches("::");
        let before = self
            .tokens
            .iter()
            .rposition(|token| token.at <= at && token.is(name))
            .or_else(|| self.tokens.iter().position(|token| token.at > at && token.is(name)));
        let at = before.map_or(at, |i| self.tokens[i].at);
        let message = format!("`{alias}::{name}` is not a value: an import provides functions only");
        self.error(Code::UnknownName, at, message, format!("call it: `{alias}::{name}()`"));
    }

    /// A function value.
    pub(super) fn pointer(&mut self, name: &str, caught: Vec<AbstractValue>) -> AbstractValue {
        let count = caught.len();
        let known = self.functions.iter().any(|def| def.name == name);
        if known && !name.starts_with("anon$") {
            // The calls of a named function value are not tracked, so its arguments are unknown.
            let all: Vec<Own> = self
                .functions
                .iter()
                .filter(|def| def.name == name)
                .map(|def| (name.to_string(), def.params.len()))
                .collect();
            all.into_iter().for_each(|own| self.give(own.clone(), vec![AbstractValue::any(); own.1]));
        } else if let Some(def) = self.functions.iter().find(|def| def.name == name) {
            let mut args = caught;
            args.resize(def.params.len(), AbstractValue::of(Kinds::NONE));
            self.give((name.to_string(), def.params.len()), args);
        }
        AbstractValue { function: Some((name.to_string(), count)), ..AbstractValue::one(ValueKind::Function) }
    }

    /// The value of an expression after a dot.
    fn chain(&mut self, receiver: AbstractValue, of: &Expr, rest: &Expr) -> AbstractValue {
        match rest {
            Expr::Property(name, at) => self.property(&receiver, of, &name.2, place(*at)),
            Expr::MethodCall(call, at) => {
                self.asked_about_itself(of, call);
                self.call(call, *at, Some((receiver, of)))
            }
            Expr::Dot(parts, ..) => {
                let value = self.chain(receiver, of, &parts.lhs);
                self.chain(value, of, &parts.rhs)
            }
            Expr::Index(parts, flags, _) => {
                let value = self.chain(receiver, of, &parts.lhs);
                self.in_brackets(&value, of, &parts.rhs, *flags)
            }
            other => {
                self.value(other);
                AbstractValue::any()
            }
        }
    }

    /// A method call whose function argument captures the receiver. The interpreter has lent the variable to the call, so
    /// the function cannot access it.
    fn asked_about_itself(&mut self, of: &Expr, call: &FnCallExpr) {
        // A function can access constants in any case.
        let local = |name: &&str| self.scopes.iter().flatten().any(|(known, _)| known == name);
        let Some(name) = variable(of).filter(local) else { return };
        let names = |expr: &Expr| is_variable(expr, name);
        let curries = |expr: &Expr| matches!(expr, Expr::FnCall(made, _) if made.name == "curry" && made.args.iter().skip(1).any(names));
        // A closure that captures variables is a block: it shares them, and then makes the function.
        let catches = |expr: &Expr| match expr {
            Expr::Stmt(block) => matches!(block.statements(), [.., rhai::Stmt::Expr(made)] if curries(made)),
            other => curries(other),
        };
        if call.args.iter().any(catches) {
            let message =
                format!("the function passed to `{}` cannot use `{name}`: the call is already using it", call.name);
            let help = format!("copy it first, `let copy = {name};`, and use the copy in the function");
            self.error(Code::Tests, start(of), message, help);
        }
    }

    /// The value of an expression after an index in brackets.
    fn further(&mut self, item: AbstractValue, of: &Expr, rest: &Expr) -> AbstractValue {
        match rest {
            Expr::Dot(parts, ..) => self.chain(item, of, &parts.rhs),
            Expr::Index(parts, flags, _) => self.in_brackets(&item, of, &parts.rhs, *flags),
            _ => AbstractValue::any(),
        }
    }

    /// The value of an index expression with anything that follows it.
    fn in_brackets(&mut self, whole: &AbstractValue, of: &Expr, rest: &Expr, flags: ASTFlags) -> AbstractValue {
        match rest {
            further @ (Expr::Dot(inner, ..) | Expr::Index(inner, ..)) if !flags.intersects(ASTFlags::BREAK) => {
                let item = self.index(whole, of, &inner.lhs);
                self.further(item, of, further)
            }
            index => self.index(whole, of, index),
        }
    }

    /// An item of an array, or an entry of a map.
    fn index(&mut self, whole: &AbstractValue, of: &Expr, index: &Expr) -> AbstractValue {
        let at = self.value(index);
        if whole.kinds.is(ValueKind::Map) {
            if at.kinds.is(ValueKind::Number) {
                self.number_for_key(of, index);
                return AbstractValue::any();
            }
            let Some(entries) = &whole.entries else { return AbstractValue::any() };
            return match &at.texts {
                Some(texts) if texts.iter().all(|(text, _)| entries.contains_key(text)) => {
                    let values = texts.iter().filter_map(|(text, _)| entries.get(text)).map(|(_, value)| value.clone());
                    values.reduce(|a, b| a.or(&b)).unwrap_or_else(AbstractValue::any)
                }
                Some(texts) if matches!(at.origin, Some(Origin::Option(_))) && !self.guarded(index) => {
                    let missing: Vec<_> =
                        texts.iter().filter(|(text, _)| !entries.contains_key(text)).cloned().collect();
                    for (text, place) in missing {
                        if self.key_of_no_value(entries, texts, &at, &text) {
                            continue;
                        }
                        let help = did_you_mean(&text, entries.keys().map(String::as_str), "its entries are");
                        let message =
                            format!("this value is used as the key of a map, but the map has no entry \"{text}\"");
                        self.error_of_value(Code::Index, place, (index, "it is used here"), message, help);
                    }
                    AbstractValue::any()
                }
                Some(texts) if matches!(index, Expr::StringConstant(..)) && !entries.is_empty() => {
                    let (map, text) = (self.source(of), texts.first().map_or("", |(text, _)| text).to_string());
                    let help = match self.is_variable(&text) {
                        true => format!("write the variable `{text}` without quotes: `{map}[{text}]`"),
                        false => did_you_mean(&text, entries.keys().map(String::as_str), "its entries are"),
                    };
                    self.error(Code::Index, start(index), format!("`{map}` has no entry \"{text}\""), help);
                    AbstractValue::any()
                }
                Some(_) => {
                    self.nearly_keys(entries, &at, index);
                    AbstractValue::any()
                }
                None if !entries.is_empty() => {
                    self.kinds_missing(entries, &at, of, index);
                    self.keys_without_face(&entries.keys().collect::<Vec<_>>(), &at, of, index);
                    let values = entries.values().map(|(_, value)| value.clone());
                    let any = values.reduce(|a, b| a.or(&b)).unwrap_or_else(AbstractValue::any);
                    AbstractValue { written: Vec::new(), ..any.or(&AbstractValue::nothing()) }
                }
                _ => AbstractValue::any(),
            };
        }
        self.die_asked(of, whole, &at);
        self.others_lost(whole, of);
        if whole.kinds.is(ValueKind::Cast) {
            let die = at.only_number();
            if let (Some(count), Some(die)) = (dice_in(whole), die)
                && die >= count as i64
            {
                self.no_entry(whole, of, index, (die, die), count as i64);
            }
            return cast_die(whole, die);
        }
        if !whole.kinds.is(ValueKind::Array) {
            self.no_entries(whole, of);
            return AbstractValue::any();
        }
        if at.kinds.is(ValueKind::Text) {
            let (list, number) = (self.source(of), at.only_text().filter(|text| text.parse::<i64>().is_ok()));
            let help = match number {
                Some(number) => format!("write `{list}[{number}]`"),
                None => format!("use a number: the first entry is `{list}[0]`"),
            };
            let message = format!("the entries of `{list}` are numbered from 0; they have no names");
            self.error(Code::Index, start(index), message, help);
            return AbstractValue::any();
        }
        if at.kinds.is(ValueKind::Reckoned) {
            let (list, number) = (self.source(of), self.source(index));
            let message = format!("`{number}` is not a plain number: it depends on the dice or the board");
            let operated = match index {
                Expr::FnCall(call, _) if call.is_operator_call() => number.rsplit_once(&format!(" {} ", call.name)),
                _ => None,
            };
            let help =
                match operated.map(|(left, right)| (left, &number[left.len()..number.len() - right.len()], right)) {
                    Some((left, sign, right)) => format!("use its value: `{list}[{left}.value{sign}{right}]`"),
                    None => format!("use its value: `{list}[{number}.value]`"),
                };
            self.error(Code::Index, start(index), message, help);
            return whole.item();
        }
        // An index without a value has no number that could be wrong.
        let number = at.kinds.without(ValueKind::Nothing).is(ValueKind::Number);
        self.rest_as_entry(of, index);
        self.entry_asked(whole, of, index, &at);
        let range = at.range.filter(|_| number);
        // The length of an unknown list has no finite bound to check.
        let bounded = |(least, most): &(i64, i64)| most.saturating_sub(*least) < i64::from(i32::MAX);
        let met = range.or(at.sure.filter(|_| number)).filter(bounded);
        self.highest_asked(of, index, met.filter(|_| !at.loose).map(|(_, most)| most));
        // The maximum of a count does not imply how long the list should be.
        let expected = |length: usize, (least, _): (i64, i64)| !at.loose || least >= length as i64;
        if let (Some(length), Some((least, most))) = (whole.length, met)
            && expected(length, (least, most))
        {
            let count = length as i64;
            if (most >= count || least < -count) && (least == most || !self.guarded(index)) {
                self.no_entry(whole, of, index, (least, most), count);
            } else if least < 0 && most >= 0 && !self.guarded(index) {
                let (name, shown) = (self.source(of), self.source(index));
                let message =
                    format!("`{shown}` can be {least} to {most}: index {least} counts from the end of `{name}`");
                let help = match most - least < count {
                    true => format!("entries are numbered from 0: write `{}`", moved(&shown, -least)),
                    false => format!("entries are numbered from 0: `{name}[0]` is the first"),
                };
                self.warn(Code::Index, start(index), message, help);
            }
        }
        let mut item = match (whole.is_written(), range) {
            (true, Some((least, most))) if least >= 0 && least <= most && (most as usize) < whole.items.len() => {
                let items = &whole.items[least as usize..=most as usize];
                items[1..].iter().fold(items[0].clone(), |all, item| all.or(item))
            }
            _ if whole.items.is_empty() => AbstractValue::any(),
            _ => whole.item(),
        };
        item.rolled |= at.rolled && item.kinds.is(ValueKind::Number);
        item
    }

    /// A number as the key of a map, whose keys are texts.
    fn number_for_key(&mut self, of: &Expr, index: &Expr) {
        let (map, number) = (self.source(of), self.source(index));
        let help = match index {
            Expr::IntegerConstant(..) => format!("write `{map}[\"{number}\"]`, or make `{map}` an array"),
            _ => format!("use `{map}[\"\" + {number}]`, or make `{map}` an array: `[.., ..]`"),
        };
        let message = format!("the keys of `{map}` are strings, but `{number}` is a number");
        self.error(Code::Index, start(index), message, help);
    }

    /// An index on a value without entries.
    fn no_entries(&mut self, whole: &AbstractValue, of: &Expr) {
        const SINGLE: [ValueKind; 6] = [
            ValueKind::Number,
            ValueKind::Truth,
            ValueKind::Side,
            ValueKind::Square,
            ValueKind::Permit,
            ValueKind::Move,
        ];
        if SINGLE.iter().any(|kind| whole.kinds.without(ValueKind::Nothing).is(*kind)) {
            let source = self.source(of).split('[').next().unwrap_or("it").to_string();
            let message = format!("`{source}` is {}, which has no entries", operand(&whole.kinds.words()));
            self.error(Code::Index, start(of), message, format!("remove the brackets: `{source}`"));
        }
    }

    /// A map key that is not a value of the option that selects the entry, but is similar to a missing value.
    fn key_of_no_value(
        &mut self,
        entries: &Entries,
        texts: &[(String, LineColumn)],
        at: &AbstractValue,
        missing: &str,
    ) -> bool {
        let Some(Origin::Option(option)) = &at.origin else { return false };
        let strange = entries.iter().filter(|(key, _)| !texts.iter().any(|(text, _)| text == *key));
        let strange: Vec<(String, LineColumn)> = strange.map(|(key, (place, _))| (key.clone(), *place)).collect();
        let near = crate::notation::nearest(missing, strange.iter().map(|(key, _)| key.as_str()));
        let found = near.and_then(|near| strange.iter().find(|(key, _)| key == near)).or(match strange.as_slice() {
            [only] if entries.len() >= texts.len() => Some(only),
            _ => None,
        });
        let Some((key, place)) = found else { return false };
        let message =
            format!("the option \"{option}\" is never \"{key}\", and its value \"{missing}\" has no entry here");
        let help = format!("write \"{missing}\", or add \"{key}\" to the values of the option");
        self.error(Code::Index, *place, message, help);
        true
    }

    /// Kinds without an entry in a map that is read by kind, if no condition has tested the kind.
    fn kinds_missing(&mut self, entries: &Entries, at: &AbstractValue, of: &Expr, index: &Expr) {
        self.nearly_keys(entries, at, index);
        let Some(world) = self.world.filter(|_| at.origin == Some(Origin::Piece) && !self.guarded(index)) else {
            return;
        };
        if entries.len() < 2 || entries.keys().any(|key| !world.kinds.contains(key)) {
            return;
        }
        let missing: Vec<&str> =
            world.kinds.iter().map(String::as_str).filter(|kind| !entries.contains_key(*kind)).collect();
        let path = super::narrow::path_of(index);
        let sorted_out = |kind: &str| path.as_ref().is_some_and(|path| self.not.contains(&(path.clone(), kind.into())));
        let missing: Vec<&str> = missing.into_iter().filter(|kind| !sorted_out(kind)).collect();
        let [first, ..] = missing[..] else { return };
        let all = alternatives(&missing.iter().map(|kind| format!("\"{kind}\"")).collect::<Vec<_>>());
        let map = self.source(of);
        let message = format!("`{map}` has no entry for {all}: the lookup then returns `()`");
        let help = format!("add `{first}: ..` to the map, or test the kind first");
        self.warn(Code::Index, start(index), message, help);
    }

    fn no_entry(&mut self, whole: &AbstractValue, of: &Expr, index: &Expr, (least, most): (i64, i64), count: i64) {
        let at_place = start(index);
        let name = self.source(of);
        if let Some(Origin::Dice(dice)) = &whole.origin {
            let all = match count {
                ..=3 => enumeration(&(0..count).map(|i| format!("`{name}[{i}]`")).collect::<Vec<_>>()),
                _ => format!("`{name}[0]` to `{name}[{}]`", count - 1),
            };
            let message = format!("\"{dice}\" has {count} dice, {all}: there is no `{name}[{most}]`");
            let last = format!("entries are numbered from 0: the last is `{name}[{}]`", count - 1);
            let help = match least == most {
                true => last,
                false => format!("{last}; to loop over all of them, use `0..{name}.len()`"),
            };
            return self.error(Code::Index, at_place, message, help);
        }
        if count == 0 {
            let help = format!("add an entry first, or test for one: `if {name}.len() > 0 {{ .. }}`");
            return self.error(Code::Index, at_place, format!("`{name}` is empty: it has no entry {least}"), help);
        }
        let shown = self.source(index);
        let wrong = if most >= count { most } else { least };
        if least == most {
            let message = format!("`{name}` has {}, but no entry {wrong}", entries(count as usize));
            let help = format!("entries are numbered from 0: the last is `{name}[{}]`", count - 1);
            return self.error(Code::Index, at_place, message, help);
        }
        let message = format!(
            "`{name}` has {}, but `{shown}` can be {least} to {most}: {}",
            entries(count as usize),
            match most - count {
                1 => format!("there are no entries {count} and {most}"),
                2.. => format!("there are no entries {count} to {most}"),
                _ => format!("there is no entry {wrong}"),
            }
        );
        let squares = shown.ends_with(".file") || shown.ends_with(".rank");
        let help = match least != 0 && most - least < count {
            true if squares => {
                format!("files and ranks are numbered from 1, entries from 0: write `{}`", moved(&shown, -least))
            }
            true if least == 1 => {
                format!("faces are numbered from 1, array entries from 0: write `{}`", moved(&shown, -least))
            }
            true => format!("entries are numbered from 0: write `{}`", moved(&shown, -least)),
            false if least == 0 && shown.contains(" - ") => {
                let left = moved(&shown, 1 - count);
                let most = left.rsplit_once(" - ").map(|(name, most)| format!(": `{name}` must be at most {most}"));
                format!("give `{name}` {} entries, or test the index first{}", wrong + 1, most.unwrap_or_default())
            }
            false if least > 0 => {
                let (entries, index) = (most - least + 1, moved(&shown, -least));
                format!("give `{name}` {entries} entries, and use `{name}[{index}]`")
            }
            false if matches!(of, Expr::Array(..)) => match most + 1 - count {
                1 => "add an entry to the array, or test the index first".to_string(),
                more => format!("add {more} entries to the array, or test the index first"),
            },
            false => format!("give `{name}` {} entries, or test the index first", most + 1),
        };
        self.error(Code::Index, at_place, message, help);
    }

    /// The text of an expression as an operand, in parentheses if it is an operation.
    pub(super) fn operand(&self, expr: &Expr) -> String {
        let source = self.source(expr);
        if matches!(expr, Expr::FnCall(call, _) if call.is_operator_call()) {
            return format!("({source})");
        }
        // The source may also include the operation around it.
        let own = tokens(&source);
        let mut depth = 0;
        let end = own.iter().find(|token| {
            depth += step(token);
            depth == 0 && matches!(token.text, "+" | "-" | "*" | "/" | "%" | "|" | "&") && token.span.start > 0
        });
        source[..end.map_or(source.len(), |sign| sign.span.start)].trim_end().to_string()
    }

    /// The text of an expression in the script.
    pub(super) fn source(&self, expr: &Expr) -> String {
        let first = index_at(self.tokens, start(expr));
        let Some(first) = first else { return "it".into() };
        let mut depth = 0;
        let mut last = first;
        // A comparison includes its own operator.
        let mut own =
            operands(expr).filter(|(op, ..)| compares(op, 0, 0).is_some()).map(|(op, ..)| op.literal_syntax());
        for (i, token) in self.tokens.iter().enumerate().skip(first) {
            let is_own = depth == 0 && own.take_if(|sign| token.is(sign)).is_some();
            if depth == 0 && (token.closes() || token.is("{") || token.parts_operands() && !is_own) {
                break;
            }
            depth += step(token);
            last = i;
            // An index after a list is not part of it.
            if depth == 0 && matches!(expr, Expr::Variable(..) | Expr::Array(..) | Expr::Map(..)) {
                break;
            }
        }
        self.text.get(self.tokens[first].span.start..self.tokens[last].span.end).unwrap_or("it").to_string()
    }
}

/// An expression plus a number, combined with a number that the expression already adds or subtracts at its end.
fn moved(shown: &str, by: i64) -> String {
    let parts = [(" - ", -1), (" + ", 1)].into_iter().find_map(|(sign, factor)| {
        let (before, number) = shown.rsplit_once(sign)?;
        Some((before, factor * number.parse::<i64>().ok()?))
    });
    let (before, sum) = parts.map_or((shown, by), |(before, number)| (before, number + by));
    match sum {
        0 => before.to_string(),
        ..0 => format!("{before} - {}", -sum),
        1.. => format!("{before} + {sum}"),
    }
}
