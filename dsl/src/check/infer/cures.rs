//! Explains calls that match no form of a function: which argument is wrong, and how to fix it.

use super::super::brackets::index_at;
use super::abstract_value::{AbstractValue, Kinds};
use super::calls::{fits, forms_of, takes, words, wrong_element};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{self, Form, Parameter};
use crate::host::kind::{ParamKind, ValueKind, operand};
use crate::host::tokens::{arguments, text_of, tokens};
use crate::notation::describe::alternatives;
use rhai::Expr;

impl Walker<'_> {
    /// A call that matches no form.
    pub(super) fn misfit(
        &mut self,
        name: &str,
        forms: &[&Form],
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
        method: bool,
    ) {
        if self.move_or_choice(name, args, exprs, at, method) {
            return;
        }
        if let Some((order, form)) = swapped(forms, args) {
            let wrong = (0..args.len()).find(|&i| order[i] != i).unwrap_or(0);
            let texts = self.argument_texts(at, exprs, method);
            let all: Vec<String> = order.iter().map(|&i| texts.get(i).cloned().unwrap_or_default()).collect();
            let wanted = form.params[wrong].kind;
            let message = format!(
                "`{name}` takes {} here, not {}: the arguments are swapped",
                words(wanted),
                args[wrong].kinds.words()
            );
            return self.error(
                Code::Arguments,
                start(exprs[wrong]),
                message,
                format!("did you mean `{name}({})`?", all.join(", ")),
            );
        }
        if !method && let Some((array, plain)) = self.without_brackets(name, forms_of(name), args, exprs, at) {
            let message = format!("`{name}` takes its arguments one by one, not in an array");
            return self.error(Code::Arguments, start(exprs[array]), message, format!("write `{plain}`"));
        }
        let signature = || self.signature(name, args);
        let permits = args.len() > 1 && args.iter().all(|arg| arg.kinds.is(ValueKind::Permit));
        if permits && crate::functions::costs(name, crate::functions::Cost::Decision) {
            let joined = self.argument_texts(at, exprs, method).join(" | ");
            let message = format!("`{name}` takes one permit, not {}", args.len());
            return self.error(Code::Arguments, start(exprs[0]), message, format!("join them: `{name}({joined})`"));
        }
        // The first argument that no form accepts, among the forms that accept all arguments before it.
        let mut left = forms.to_vec();
        for (i, arg) in args.iter().enumerate() {
            let next: Vec<&Form> =
                left.iter().copied().filter(|form| arg.kinds.meets(Kinds::accepted(form.params[i].kind))).collect();
            let elements = next.iter().map(|form| wrong_element(form.params[i].kind, arg));
            if let Some(Some(wrong)) = elements.min() {
                return self.wrong_element(name, (arg, exprs[i]), wrong, signature());
            }
            if !next.is_empty() {
                left = next;
                continue;
            }
            let wanted: Vec<&Parameter> = left.iter().map(|form| &form.params[i]).collect();
            let kinds = wanted.iter().fold(Kinds::NONE, |all, param| all.and(Kinds::accepted(param.kind)));
            let shown = shown(&wanted);
            if arg.kinds.is(ValueKind::Nothing)
                && let Some((place, why, help)) = arg.nothing.clone()
            {
                return self.error(Code::LostValue, place, format!("{why}, but `{name}` takes {shown}"), help);
            }
            // The arguments may begin a longer form, such as `set(square, trait, value)`.
            let longer = forms_of(name).find(|form| form.least() > args.len() && fits(form, args));
            let certain = !arg.kinds.is(ValueKind::Text) && args.iter().all(|arg| arg.kinds.known());
            if let Some(longer) = longer.filter(|_| certain) {
                let missing = longer.params[args.len()..longer.least()].iter().map(|param| format!("`{}`", param.name));
                let missing: Vec<String> = missing.collect();
                let noun = if missing.len() == 1 { "argument" } else { "arguments" };
                let message = format!("`{name}` also needs the {noun} {} here", missing.join(" and "));
                let mut padded = args.to_vec();
                padded.resize(longer.least(), AbstractValue::of(Kinds::NONE));
                let help = self.signature(name, &padded);
                return self.error(Code::Arguments, at, message, help);
            }
            let expr = exprs[i];
            let at_place = match (method, i, expr) {
                (true, 0, _) => at,
                (_, _, Expr::DynamicConstant(..)) => self.function_place(expr),
                _ => start(expr),
            };
            let texts = self.argument_texts(at, exprs, method);
            let text = texts.get(i).cloned().unwrap_or_default();
            let sizes = [i, i + 1].map(|at| args.get(at).and_then(AbstractValue::only_number));
            let cure = match method && i == 0 {
                _ if wanted.iter().any(|param| param.kind == ParamKind::Dice) && sizes.iter().all(Option::is_some) => {
                    let [count, faces] = sizes.map(Option::unwrap_or_default);
                    Some(format!("write dice as one string: \"{count}d{faces}\""))
                }
                true => self.method_cure(name, args, &texts),
                false
                    if wanted.iter().any(|param| param.kind.accepts().contains(&ValueKind::Array))
                        && self.as_list(name, args, exprs, at).is_some() =>
                {
                    self.as_list(name, args, exprs, at)
                }
                false => self.cure(name, &wanted, kinds, arg, &text),
            };
            let help = match cure {
                Some(cure) if cure.ends_with('?') => format!("{cure} ({})", signature()),
                Some(cure) => format!("{cure}; {}", signature()),
                None => signature(),
            };
            let message = match method && i == 0 {
                true => format!("`{name}` works on {shown}, not on {}", operand(&arg.kinds.words())),
                false => {
                    let found = match expr {
                        Expr::FnCall(call, _) if !call.is_operator_call() && !call.name.starts_with("anon$") => {
                            format!("but `{}` returns", call.name)
                        }
                        _ => "not".to_string(),
                    };
                    format!("`{name}` expects {shown} here, {found} {}", arg.kinds.words())
                }
            };
            return self.error(Code::Arguments, at_place, message, help);
        }
    }

    /// An element of an array argument that is not a permit.
    fn wrong_element(&mut self, name: &str, (arg, expr): (&AbstractValue, &Expr), wrong: usize, signature: String) {
        let place = match expr {
            Expr::Array(items, _) => items.get(wrong).map_or(start(expr), start),
            _ => start(expr),
        };
        let message =
            format!("`{name}` expects an array of permits, but this array contains {}", arg.items[wrong].kinds.words());
        let help = format!("write permits, such as `any()` or `pieces(..)`; {signature}");
        self.error(Code::Arguments, place, message, help);
    }

    /// A permit and choices in one call that do not use the option `or`. Returns whether it was reported.
    fn move_or_choice(
        &mut self,
        name: &str,
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
        method: bool,
    ) -> bool {
        let is_side = |arg: &AbstractValue| {
            let sides = self.world.map(|world| world.sides.as_slice()).unwrap_or_default();
            arg.only_text().is_some_and(|text| sides.iter().any(|side| side == text))
        };
        let offers = [ValueKind::Text, ValueKind::Array, ValueKind::Squares];
        let offered = |arg: &AbstractValue| offers.iter().any(|kind| arg.kinds.is(*kind)) && !is_side(arg);
        let (permit, other) =
            (args.iter().position(|arg| arg.kinds.is(ValueKind::Permit)), args.iter().position(offered));
        let (Some(permit), Some(other), false) = (permit, other, method) else { return false };
        let (message, wrong, function) = match name {
            "choose" => ("`choose` cannot offer moves along with these choices".to_string(), permit, "play"),
            _ if functions::takes_option(name, "or") && other > permit => {
                (format!("`{name}` takes choices only in its option `or`"), other, name)
            }
            _ => return false,
        };
        let texts = self.argument_texts(at, exprs, method);
        let (Some(moves), Some(choices)) = (texts.get(permit), texts.get(other)) else { return false };
        let help = format!("write `{function}({moves}, #{{ or: {choices} }})`");
        self.error(Code::Arguments, start(exprs[wrong]), message, help);
        true
    }

    /// The call with the entries of an array as separate arguments, if they fit, and the index of the array.
    fn without_brackets(
        &self,
        name: &str,
        mut forms: impl Iterator<Item = &'static Form>,
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
    ) -> Option<(usize, String)> {
        let array = exprs.iter().position(|expr| matches!(expr, Expr::Array(items, _) if items.len() > 1))?;
        let spread = [&args[..array], &args[array].items, &args[array + 1..]].concat();
        let fit = |form: &Form| takes(form, spread.len()) && fits(form, &spread);
        if spread.len() < args.len() || !spread.iter().all(|arg| arg.kinds.known()) || !forms.any(fit) {
            return None;
        }
        let mut texts = self.argument_texts(at, exprs, false);
        let inner = texts.get(array)?.strip_prefix('[')?.strip_suffix(']')?.trim().to_string();
        texts[array] = inner;
        Some((array, format!("{name}({})", texts.join(", "))))
    }

    /// The alternative that a receiver of this kind offers to an unknown method.
    fn method_cure(&self, name: &str, args: &[AbstractValue], texts: &[String]) -> Option<String> {
        let receiver = args.first()?;
        if name == "exists" && receiver.kinds.is(ValueKind::Squares) {
            return Some(format!("for a set of squares, use `is_empty`: write `!{}.is_empty`", texts.first()?));
        }
        // A function with a similar beginning that takes these arguments.
        let alike = |other: &str| other.starts_with(name) || name.starts_with(other);
        let takes = |form: &&Form| takes(form, args.len()) && fits(form, args);
        let mut others = functions::all().map(|(_, function)| function);
        let other = others.find(|f| f.name.len() > 2 && alike(f.name) && f.forms.iter().any(|form| takes(&form)))?;
        let (of, rest) = texts.split_first()?;
        Some(format!("did you mean `{of}.{}({})`?", other.name, rest.join(", ")))
    }

    /// Advice for making a value fit.
    fn cure(&self, name: &str, wanted: &[&Parameter], kinds: Kinds, arg: &AbstractValue, text: &str) -> Option<String> {
        let is = |kind| arg.kinds.is(kind);
        // A parameter that also takes a list of texts is more likely meant for texts than for permits.
        let kinds = if kinds.has(ValueKind::Array) { kinds.without(ValueKind::Permit) } else { kinds };
        let param = wanted.first()?;
        let dice = param.kind == ParamKind::Dice;
        let text_first = param.kind.accepts().first() == Some(&ValueKind::Text);
        let unquoted = text.trim_matches('"');
        Some(match () {
            () if text.starts_with('"') && self.is_variable(unquoted) => {
                format!("write the variable `{unquoted}` without quotes")
            }
            () if takes_sets(param.kind) && text.starts_with('"') => {
                format!("convert it to a set of squares: `squares({text})`")
            }
            () if dice && arg.only_number().is_some() => {
                let n = arg.only_number().unwrap_or(6);
                if text == n.to_string() && n > 2 {
                    format!("write dice in quotes: \"1d{n}\"")
                } else {
                    format!("write dice in quotes: \"{n}d6\"")
                }
            }
            () if dice && (is(ValueKind::Number) || is(ValueKind::Reckoned)) => {
                format!("join the number with the die: `{text} + \"d6\"`")
            }
            () if kinds.has(ValueKind::Permit) && (is(ValueKind::Squares) || is(ValueKind::Square)) => {
                format!("write `from({text})` or `to({text})`")
            }
            () if kinds.has(ValueKind::Permit) && is(ValueKind::Text) => format!("write `pieces({text})`"),
            () if plays(name) && arg.kinds.without(ValueKind::Nothing).is(ValueKind::Move) => {
                match text.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    true => format!("to make a given move, write `make({text})`"),
                    false => format!("to make a given move, write `let mv = {text}; if mv != () {{ make(mv); }}`"),
                }
            }
            () if kinds.has(ValueKind::Permit) && is(ValueKind::Truth) => match text.strip_suffix(".exists()") {
                Some(permit) => format!("write `{permit}`: `exists` only tests whether there is such a move"),
                None => "pass a permit, such as `any()` or `pieces(..)`".into(),
            },
            () if kinds.has(ValueKind::Permit)
                && text.starts_with('[')
                && arg.items.len() > 1
                && arg.items.iter().all(|item| item.kinds.is(ValueKind::Permit)) =>
            {
                let all = tokens(text);
                let parts = arguments(&all, 0);
                let parts: Vec<&str> = parts.iter().map(|range| text_of(text, &all, range)).collect();
                format!("join them: write `{}`", parts.join(" | "))
            }
            () if kinds.has(ValueKind::Permit) => "pass a permit, such as `any()` or `pieces(..)`".into(),
            () if kinds.has(ValueKind::Side) && is(ValueKind::Text) => {
                let side = arg
                    .only_text()
                    .filter(|text| self.world.is_some_and(|world| world.sides.iter().any(|s| s == text)));
                match side {
                    Some(_) => format!("write `side({text})`"),
                    None => "pass a side, such as `mover()`, `opponent()` or `side(\"..\")`".into(),
                }
            }
            () if kinds.has(ValueKind::Cast) && text.starts_with("roll(") => {
                format!("cast the dice to keep them: `{}`", text.replacen("roll(", "cast(", 1))
            }
            () if kinds.has(ValueKind::Cast) && is(ValueKind::Text) => format!("cast the dice: `cast({text})`"),
            () if kinds.has(ValueKind::Number) && is(ValueKind::Text) && self.names_a_counter(arg) => {
                format!("to read the counter, write `number({text})`")
            }
            () if kinds.has(ValueKind::Array)
                && arg.only_text().is_some_and(|text| crate::notation::dice::parse(text).is_ok()) =>
            {
                format!("roll the dice first: write `roll({text})`")
            }
            () if kinds.has(ValueKind::Array) && is(ValueKind::Text) && text.starts_with('"') => {
                let parts: Vec<String> =
                    unquoted.split([',', '|', '/']).map(|part| format!("\"{}\"", part.trim())).collect();
                format!("write an array: `[{}]`", parts.join(", "))
            }
            () if kinds.has(ValueKind::Number) && is(ValueKind::Text) => {
                let texts = arg.texts.iter().flatten().map(|(text, _)| text.as_str());
                let digits: Vec<&str> = texts.filter(|text| text.parse::<i64>().is_ok()).collect();
                match digits.as_slice() {
                    [] => "pass a number, not a string".to_string(),
                    [only] if arg.texts.as_ref().is_some_and(|texts| texts.len() == 1) => format!("write {only}"),
                    all => format!("in the list of possible values, write {} without quotes", all.join(", ")),
                }
            }
            () if (is(ValueKind::Number) || arg.kinds.without(ValueKind::Nothing).is(ValueKind::Number))
                && self.kind_of_face(param.kind, text).is_some() =>
            {
                self.kind_of_face(param.kind, text).unwrap_or_default()
            }
            () if text_first && is(ValueKind::Number) && text.parse::<i64>().is_ok() => {
                format!("write \"{text}\"")
            }
            () if text_first && (is(ValueKind::Number) || is(ValueKind::Truth)) => {
                let reckoned = text.contains([' ', '-', '*', '<', '>']) && !text.ends_with(')');
                let text = if reckoned { format!("({text})") } else { text.to_string() };
                format!("convert it to a string: `\"\" + {text}`")
            }
            () if kinds.has(ValueKind::Function) => {
                let takes = match param.name {
                    "permit" => "|dice|",
                    // Functions that run later receive no argument.
                    "change" => "||",
                    "test" if wanted.len() == 1 && name == "suppose" => "||",
                    "test" if crate::functions::gives(name, ValueKind::Permit) => "|mv|",
                    "test" if crate::functions::gives(name, ValueKind::Squares) => "|square|",
                    _ => "|it|",
                };
                format!("write a function: `{takes} {text}`")
            }
            () if kinds.has(ValueKind::Text) && is(ValueKind::Array) && !text.starts_with('[') => {
                format!("pass one entry, as in `{text}[0]`")
            }
            () if kinds.has(ValueKind::Square) && is(ValueKind::Array) => "pass one square, without brackets".into(),
            () if kinds.has(ValueKind::Text) && is(ValueKind::Array) && text.starts_with('[') => {
                let parts: Vec<&str> = arg.items.iter().filter_map(AbstractValue::only_text).collect();
                match parts.is_empty() {
                    true => "write a string".to_string(),
                    false => format!("write one string: \"{}\"", parts.join(" ")),
                }
            }
            () if kinds.has(ValueKind::Square) && is(ValueKind::Move) => {
                format!("for a square of the move, write `{text}.to` or `{text}.from`")
            }
            () if kinds.is(ValueKind::Move) && is(ValueKind::Permit) => {
                format!(
                    "a permit is a set of moves: `choose({text})` lets a player choose one, `draw_move({text})` \
                     picks one at random, `play({text})` lets a player choose and make one"
                )
            }
            () if kinds.has(ValueKind::Squares) && is(ValueKind::Permit) => {
                "a permit is a set of moves, not of squares: use `squares_of(..)`, or play a move first".into()
            }
            () if kinds.has(ValueKind::Squares) && is(ValueKind::Square) => format!("write `squares({text})`"),
            () => return None,
        })
    }

    /// A call of the interpreter's `len` on a value without a length. Advice depends on whether the value can be counted.
    pub(super) fn no_length(
        &mut self,
        name: &str,
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
        method: bool,
    ) {
        let ("len", [of]) = (name, args) else { return };
        let kinds = of.kinds.without(ValueKind::Nothing);
        let other = [ValueKind::Squares, ValueKind::Permit, ValueKind::Number, ValueKind::Side, ValueKind::Square];
        let Some(kind) = other.into_iter().find(|kind| kinds.is(*kind)) else { return };
        let subject = match method {
            true => self.source(exprs[0]),
            false => self.argument_texts(at, exprs, false).first().cloned().unwrap_or_default(),
        };
        let help = match kind {
            ValueKind::Squares => format!("to count its squares, write `{subject}.count()`"),
            ValueKind::Permit => format!("to count its moves, write `{subject}.count()`"),
            ValueKind::Number => format!("a number is a single value: use `{subject}` directly"),
            _ => format!("`{subject}` is a single value: use it directly"),
        };
        let message = format!("`len` is for arrays, maps and strings, not for {}", kinds.words());
        self.error(Code::Arguments, at, message, help);
    }

    /// Whether a value is always the name of a counter.
    fn names_a_counter(&self, arg: &AbstractValue) -> bool {
        let counters = self.world.and_then(|world| world.names(ParamKind::CounterName));
        arg.only_text().is_some_and(|text| counters.is_some_and(|(_, all)| all.contains(&text)))
    }

    /// The arguments of a call as the script writes them.
    pub(super) fn argument_texts(&self, at: LineColumn, exprs: &[&Expr], method: bool) -> Vec<String> {
        let Some(name) = index_at(self.tokens, at) else { return Vec::new() };
        let ranges = arguments(self.tokens, name + 1);
        let receiver = exprs.first().filter(|_| method).map(|expr| self.source(expr));
        let rest = ranges.iter().map(|range| text_of(self.text, self.tokens, range).to_string());
        receiver.into_iter().chain(rest).collect()
    }

    pub(super) fn property_cure(&self, receiver: &AbstractValue, of: &Expr, name: &str) -> String {
        let subject = self.source(of);
        let has = |f: &functions::Function| {
            f.name.contains('.') && f.forms.iter().any(|form| fits(form, std::slice::from_ref(receiver)))
        };
        let own: Vec<&str> = functions::all()
            .filter(|(_, f)| has(f))
            .filter_map(|(_, f)| f.name.split_once('.'))
            .map(|(_, p)| p)
            .collect();
        let foreign = crate::host::slips::of_property(name);
        let near = crate::notation::nearest(name, own.iter().copied());
        match () {
            () if foreign.is_some_and(|plain| own.contains(&plain)) => {
                format!("write `{subject}.{}`", foreign.unwrap_or_default())
            }
            () if functions::named(name).any(|(row, f)| {
                let fits = |form: &Form| fits(form, std::slice::from_ref(receiver)) && form.least() == 1;
                row.cost != functions::Cost::Declaration && f.forms.iter().any(fits)
            }) =>
            {
                format!("it is a function: write `{name}()`")
            }
            () if near.is_some() => format!("did you mean `{}`?", near.unwrap_or_default()),
            () if receiver.kinds.is(ValueKind::Permit) => {
                format!("a permit is not a move: write `let mv = play({subject});`, then `mv.{name}`")
            }
            () if receiver.kinds.is(ValueKind::Squares) => {
                let square = AbstractValue::one(ValueKind::Square);
                let of_square = functions::all().filter_map(|(_, f)| {
                    let takes = f.forms.iter().any(|form| fits(form, std::slice::from_ref(&square)));
                    f.name.split_once('.').filter(|_| takes).map(|(_, property)| property)
                });
                let of_square: Vec<&str> = of_square.collect();
                let meant = foreign
                    .or_else(|| of_square.iter().copied().find(|property| *property == name))
                    .or_else(|| crate::notation::nearest(name, of_square.iter().copied()));
                match meant {
                    Some(meant) => format!(
                        "loop over it: `for square in {subject} {{ square.{meant} }}`; if it holds one square, write \
                         `piece_at({subject}).{meant}`"
                    ),
                    None => format!("each of its squares has these properties: {}", of_square.join(", ")),
                }
            }
            () if receiver.kinds.is(ValueKind::Number) => {
                let subject = subject.strip_suffix(&format!(".{name}")).unwrap_or(&subject);
                format!("`{subject}` is a single number: use it directly")
            }
            () if own.is_empty() => format!("`{subject}` has no properties: remove this one"),
            () => format!("its properties are: {}", own.join(", ")),
        }
    }
}

/// A permutation of the arguments that fits, with the form it fits.
fn swapped<'f>(forms: &[&'f Form], args: &[AbstractValue]) -> Option<(Vec<usize>, &'f Form)> {
    if args.len() < 2 || args.len() > 4 || args.iter().any(|arg| !arg.kinds.known()) {
        return None;
    }
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..args.len() {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                (0..args.len())
                    .filter(|i| !order.contains(i))
                    .map(|i| [order.clone(), vec![i]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    // Prefer permutations that keep most arguments in order: a single misplaced argument is the most likely mistake.
    orders.sort_by_key(|order| {
        (0..order.len()).flat_map(|a| (0..a).map(move |b| (b, a))).filter(|(b, a)| order[*b] > order[*a]).count()
    });
    orders.into_iter().find_map(|order| {
        let sorted: Vec<AbstractValue> = order.iter().map(|&i| args[i].clone()).collect();
        forms.iter().find(|form| fits(form, &sorted)).map(|form| (order, *form))
    })
}

/// Whether a function lets a player choose one of the moves that a permit admits.
fn plays(name: &str) -> bool {
    functions::costs(name, functions::Cost::Decision)
        && functions::gives(name, ValueKind::Move)
        && !functions::has_fact(name, functions::Fact::NamesMoves)
}

fn shown(params: &[&Parameter]) -> String {
    let mut all: Vec<String> = params.iter().map(|param| words(param.kind)).collect();
    all.sort();
    all.dedup();
    alternatives(&all)
}

/// Whether a parameter takes a set of squares but no text.
fn takes_sets(kind: ParamKind) -> bool {
    let accepted = kind.accepts();
    accepted.contains(&ValueKind::Squares) && !accepted.contains(&ValueKind::Text)
}
