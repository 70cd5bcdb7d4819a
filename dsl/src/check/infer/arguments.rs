//! Checks arguments of the right kind with wrong values: unknown names and dice, options that a function does not have, and
//! functions with the wrong parameters or result.

use super::super::brackets::index_at;
use super::super::definitions::{Definition, own_function};
use super::super::report::did_you_mean;
use super::super::shapes::{any_in, called, each_node, first_within, integer, is_equality, is_variable, length_of};
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::calls::{fits, forms_of};
use super::rolls::{any_face, rolled, without_range};
use super::{LineColumn, Own, Walker, place, start};
use crate::diagnostic::Code;
use crate::functions::{self, Form, named};
use crate::host::kind::{ParamKind, ValueKind};
use crate::notation::describe::{alternatives, counted};
use crate::notation::dice;
use rhai::{ASTNode, Expr, Stmt};

impl Walker<'_> {
    /// An empty list of choices, or one that contains a text twice.
    pub(super) fn choice(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let is_list = |known: &AbstractValue| known.kinds.is(ValueKind::Array) && known.length.is_some();
        let under_or = || args.iter().find_map(|arg| arg.entries.as_ref()?.get("or")).cloned();
        let (texts, begins) = match name {
            "choose" => match args.iter().position(is_list) {
                Some(at) => (args[at].clone(), start(exprs[at])),
                None => return,
            },
            _ if functions::takes_option(name, "or") => match under_or().filter(|(_, texts)| is_list(texts)) {
                Some((at, texts)) => (texts, at),
                None => return,
            },
            _ => return,
        };
        if texts.length == Some(0) {
            let help = "list at least one string, or pass a set of squares";
            return self.error(Code::Arguments, begins, "the list of choices is empty", help);
        }
        let mut seen: Vec<String> = Vec::new();
        for (text, place) in
            texts.items.iter().filter_map(|item| Some((item.only_text()?.to_string(), item.texts.as_ref()?.first()?.1)))
        {
            if seen.contains(&text) {
                let message = format!("\"{text}\" is listed twice among the choices");
                self.error(Code::Arguments, place, message, "remove one of them");
            }
            seen.push(text);
        }
    }

    /// A number passed to a script function that reads entries of that parameter or loops over it.
    pub(super) fn goes_through(&mut self, own: &Own, args: &[AbstractValue], exprs: &[&Expr]) {
        let Some(def) = own_function(self.functions, &own.0, own.1) else {
            return;
        };
        for ((param, arg), expr) in def.params.iter().zip(args).zip(exprs) {
            if arg.kinds.is(ValueKind::Number) && takes_apart(def, param) {
                let source = self.source(expr);
                let message = format!("`{}` reads the entries of `{param}`: pass an array here, not a number", own.0);
                let help = match (last_entry(def, param), dice_of(expr)) {
                    (last @ 1.., Some(die)) => {
                        let more = source.replacen(
                            &format!("\"{die}\""),
                            &format!("\"{}{}\"", last + 1, die.trim_start_matches('1')),
                            1,
                        );
                        format!("it needs {} dice: write `{more}`", last + 1)
                    }
                    (last @ 1.., None) => format!("pass an array with {} entries", last + 1),
                    _ => format!("put it in an array: `[{source}]`"),
                };
                self.error(Code::Arguments, start(expr), message, help);
            }
        }
    }

    /// A minimum count of 0 or less, which always holds.
    pub(super) fn least(&mut self, name: &str, fitting: &[&Form], args: &[AbstractValue], exprs: &[&Expr]) {
        if name != "has" {
            return;
        }
        let at = fitting.first().and_then(|form| form.params.iter().position(|param| param.name == "least"));
        if let Some(at) =
            at.filter(|at| args.get(*at).and_then(AbstractValue::only_number).is_some_and(|least| least <= 0))
        {
            let message = "this is always true: every side has at least 0 pieces";
            self.warn(Code::Comparison, start(exprs[at]), message, "write 1 or more, or leave the number out");
        }
    }

    /// A count of a face that none of the dice has.
    pub(super) fn face_asked(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let ("count_of", [dice, face]) = (name, args) else { return };
        let Some((least, most)) = any_face(dice) else { return };
        let Some((first, last)) = face.range.filter(|_| face.kinds.is(ValueKind::Number)) else { return };
        if (first >= least && last <= most) || self.guarded(exprs[1]) {
            return;
        }
        let wrong = if first < least { first } else { last };
        let at = match face.written.as_slice() {
            [(_, at)] => *at,
            _ => start(exprs[1]),
        };
        let message = format!("none of these dice shows {wrong}: their faces range from {least} to {most}");
        let help = match first == last {
            true => format!("use a face from {least} to {most}"),
            false => format!("count from {least} to {most}: `{least}..={most}`"),
        };
        self.warn(Code::Comparison, at, message, help);
    }

    /// Tests of moves and squares that have effects, or do not return true or false.
    pub(super) fn test(&mut self, name: &str, function: &str) {
        let Some(def) = self.functions.iter().find(|def| def.name == function) else { return };
        let Some(last) = def.body.iter().filter(|one| !matches!(one, Stmt::Noop(_))).last() else { return };
        let result =
            self.before.and_then(|facts| facts.results.get(&(function.to_string(), def.params.len()))).cloned();
        let acts = |cost: functions::Cost| {
            matches!(cost, functions::Cost::Effect | functions::Cost::Decision | functions::Cost::Chance)
        };
        let acting = first_within(&def.body, |node| {
            let (call, at) = called(node)?;
            let own = self.functions.iter().any(|def| def.name == call.name.as_str());
            let mut rows = named(&call.name).peekable();
            let cost = rows.peek().map(|(row, _)| row.cost)?;
            (!own && rows.all(|(row, _)| acts(row.cost))).then(|| (call.name.to_string(), cost, at))
        });
        if let Some((called, cost, at)) = acting {
            let does = match cost {
                functions::Cost::Chance => "has a random result",
                functions::Cost::Decision => "asks a player",
                _ => "changes it",
            };
            let message = format!("a test passed to `{name}` can only read the game, but `{called}` {does}");
            let help = "look ahead with `suppose(|| effects, || question)`, or make this call after the move";
            return self.error(Code::Tests, at, message, help);
        }
        let at = match last {
            Stmt::Expr(expr) => start(expr),
            other => place(other.position()),
        };
        if let Some(result) = result.filter(|result| result.kinds.known() && !result.kinds.has(ValueKind::Truth)) {
            let message = format!("a test passed to `{name}` must return true or false, not {}", result.kinds.words());
            let help = match result.kinds.meets(Kinds::of(&[ValueKind::Number, ValueKind::Reckoned])) {
                true => "compare the result with a number, as in `... > 0` or `... == 0`",
                false => "compare the result, as in `mv.kind == \"pawn\"`",
            };
            self.error(Code::Tests, at, message, help);
        }
    }

    /// Records the arguments that functions passed as arguments receive.
    pub(super) fn closures(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let subject = || args.first().cloned().unwrap_or_else(AbstractValue::any);
        let tests = functions::position_where(name, |param| param.name == "test").is_some();
        let keyed = functions::position_where(name, |param| param.name == "key").is_some();
        let handed: Option<Vec<AbstractValue>> = match name {
            "play_each" => Some(vec![subject().item()]),
            _ if tests && subject().kinds.is(ValueKind::Permit) => Some(vec![AbstractValue::one(ValueKind::Move)]),
            _ if tests && subject().kinds.is(ValueKind::Squares) => Some(vec![AbstractValue::one(ValueKind::Square)]),
            "suppose" => Some(Vec::new()),
            _ if keyed => Some(vec![rolled(&subject())]),
            _ => None,
        };
        let mut functions_before = 0;
        for (arg, expr) in args.iter().zip(exprs) {
            let Some((function, caught)) = &arg.function else { continue };
            functions_before += 1;
            // A function after the key receives the key's result.
            let handed = match keyed && functions_before > 1 {
                true => {
                    let key = args.iter().find_map(|arg| arg.function.as_ref());
                    Some(vec![without_range(self.made_by(key))])
                }
                false => handed.clone(),
            };
            let kinds = subject().kinds;
            if tests && (kinds.is(ValueKind::Permit) || kinds.is(ValueKind::Squares)) {
                self.test(name, function);
            }
            if functions::position_where(name, |param| param.name == "permit").is_some() {
                self.permit_of(name, function);
            }
            let Some(def) = self.functions.iter().find(|def| def.name == function.as_str()) else { continue };
            let (count, anonymous) = (def.params.len(), function.starts_with("anon$"));
            let mut given = vec![AbstractValue::of(Kinds::NONE); *caught];
            match &handed {
                Some(handed) => {
                    if anonymous && count - caught.min(&count) != handed.len() && !handed.is_empty() {
                        let at = self.function_place(expr);
                        let takes = count - caught;
                        let handed = handed.len();
                        let [values, parameters] =
                            [(handed, "value"), (takes, "parameter")].map(|(n, word)| counted(n, word));
                        let message = format!("`{name}` passes {values} to this function, but it has {parameters}");
                        let word = if name.starts_with("roll") || name == "play_each" { "die" } else { "it" };
                        self.error(Code::Arguments, at, message, format!("write `|{word}| ...`"));
                    }
                    given.extend(handed.iter().cloned());
                }
                None => {
                    // These functions of the interpreter iterate over an array.
                    let goes = matches!(name, "map" | "filter" | "some" | "all" | "find" | "for_each");
                    if goes && kinds.is(ValueKind::Array) && count == *caught + 1 {
                        given.push(subject().item());
                    }
                    given.resize(count, AbstractValue::any());
                }
            }
            given.resize(count, AbstractValue::any());
            self.give((function.clone(), count), given);
        }
    }

    /// A function that must return a permit, but returns no value on some path.
    fn permit_of(&mut self, name: &str, function: &str) {
        let results = self.before.iter().flat_map(|facts| &facts.results);
        let known = results.filter(|((own, _), _)| own == function).map(|(_, known)| known).next();
        let doubtful = known.filter(|known| known.kinds.known() && known.kinds.has(ValueKind::Nothing));
        if let Some((at, why, help)) = doubtful.and_then(|known| known.nothing.clone()) {
            self.error(Code::LostValue, at, format!("{why}, but `{name}` needs a permit"), help);
        }
    }

    /// The place where a function value begins.
    pub(super) fn function_place(&self, expr: &Expr) -> LineColumn {
        let at = start(expr);
        let tokens = self.tokens.iter().take_while(|token| token.at <= at);
        tokens.filter(|token| token.is("|") || token.is("||")).last().map_or(at, |token| {
            // The opening bar, not the closing one.
            let row: Vec<_> =
                self.tokens.iter().filter(|t| t.is("|") && t.at.0 == token.at.0 && t.at <= token.at).collect();
            row.len()
                .checked_sub(2)
                .and_then(|i| row.get(i))
                .filter(|_| at != token.at)
                .map_or(token.at, |first| first.at)
        })
    }

    /// Names that do not exist.
    pub(super) fn names(&mut self, form: &Form, args: &[AbstractValue], exprs: &[&Expr]) {
        for ((param, arg), expr) in form.params.iter().zip(args).zip(exprs) {
            self.dice_behind(param.kind, expr);
            self.dice(param.kind, arg, expr);
            self.faces(param.name, arg);
        }
        let Some(world) = self.world else { return };
        for ((param, arg), expr) in form.params.iter().zip(args).zip(exprs) {
            if matches!(param.kind, ParamKind::SideOrName | ParamKind::SideName) && arg.origin == Some(Origin::Piece) {
                let source = self.source(expr);
                let side = match source.strip_suffix(".kind") {
                    Some(owner) => format!("{owner}.side"),
                    None => format!("{source}_side"),
                };
                let message = format!("`{source}` is the kind of a piece, not its side");
                self.error(Code::Arguments, start(expr), message, format!("for its side, use `{side}`"));
                continue;
            }
            let Some((what, names)) = world.names(param.kind) else { continue };
            let what = if param.kind == ParamKind::PieceName && form.params.len() > 1 { "piece" } else { what };
            let mut texts =
                if arg.kinds.has(ValueKind::Text) { arg.texts.clone().unwrap_or_default() } else { Vec::new() };
            if param.kind == ParamKind::PieceNames && arg.kinds.has(ValueKind::Array) {
                texts.extend(arg.items.iter().flat_map(|item| item.texts.clone().unwrap_or_default()));
            }
            // A condition may exclude some entries of a list, and an empty text means none.
            let doubtful = |text: &str| text.is_empty() || self.guarded(expr);
            texts.retain(|(text, at)| stands_in(expr, *at) || !doubtful(text));
            for (text, at) in texts {
                let built_in = param.kind == ParamKind::RegionName && text == "far rank";
                if built_in || names.contains(&text.as_str()) {
                    continue;
                }
                let meant = self.named_otherwise(form, param.kind, &text, args, exprs);
                let help = meant.unwrap_or_else(|| match names.is_empty() {
                    true => format!("the script declares no {what}s"),
                    false => did_you_mean(&text, names.iter().copied(), "known names"),
                });
                let message = format!("there is no {what} called \"{text}\"");
                self.error_of_value(Code::UnknownText, at, (*expr, "it is used here"), message, help);
            }
        }
    }

    /// Faces of dice that are not numbers.
    fn faces(&mut self, param: &str, arg: &AbstractValue) {
        let items = arg.items.iter().filter(|_| param == "faces" && arg.is_written());
        let wrong: Vec<(String, LineColumn)> =
            items.filter_map(|item| Some((item.only_text()?.to_string(), item.texts.as_ref()?.first()?.1))).collect();
        for (text, at) in wrong {
            let number = if text.parse::<i64>().is_ok() { text.as_str() } else { "a number" };
            let message = format!("the face of a die is a number, not the string \"{text}\"");
            self.error(Code::Arguments, at, message, format!("write {number} without quotes"));
        }
    }

    /// A likely intention behind an unknown name: a quoted variable, or a value for another parameter.
    fn named_otherwise(
        &self,
        form: &Form,
        kind: ParamKind,
        text: &str,
        args: &[AbstractValue],
        exprs: &[&Expr],
    ) -> Option<String> {
        let own = exprs.iter().position(|expr| matches!(expr, Expr::StringConstant(own, _) if own == text))?;
        let (_, function) = functions::all().find(|(_, f)| f.forms.iter().any(|one| std::ptr::eq(one, form)))?;
        let name = function.name;
        let mut texts: Vec<String> = exprs.iter().map(|expr| self.source(expr)).collect();
        let as_list = [AbstractValue::list(args.to_vec())];
        let mut forms = forms_of(name);
        let takes_list =
            |form: &Form| form.params[0].kind == ParamKind::Array && form.least() == 1 && fits(form, &as_list);
        if args.len() > 1 && args.iter().all(|arg| arg.only_text().is_some()) && forms.any(takes_list) {
            return Some(format!("put the arguments in an array: `{name}([{}])`", texts.join(", ")));
        }
        if let Some(meant) = self.side_left_out(function, kind, text, args.len(), &texts) {
            return Some(meant);
        }
        if self.is_variable(text) {
            texts[own] = text.to_string();
            return Some(format!("write the variable `{text}` without quotes: `{name}({})`", texts.join(", ")));
        }
        let world = self.world?;
        if let Some(meant) = self.in_another_order(function, text, args, &texts) {
            return Some(meant);
        }
        let takes = |at: usize, text: &str| {
            form.params
                .get(at)
                .is_some_and(|param| world.names(param.kind).is_some_and(|(_, names)| names.contains(&text)))
        };
        let other = (0..args.len()).find(|&at| at != own && takes(at, text))?;
        if !args[other].kinds.meets(Kinds::accepted(kind))
            && !args[other].only_text().is_some_and(|text| takes(own, text))
        {
            return None;
        }
        texts.swap(own, other);
        Some(format!("the arguments are swapped: did you mean `{name}({})`?", texts.join(", ")))
    }

    /// The call with a side added as the first argument, if that side is missing.
    fn side_left_out(
        &self,
        function: &functions::Function,
        kind: ParamKind,
        text: &str,
        count: usize,
        texts: &[String],
    ) -> Option<String> {
        let world = self.world?;
        let is_kind = world.kinds.iter().any(|kind| kind == text);
        let takes = |form: &Form| {
            let [first, second, ..] = form.params.as_slice() else { return false };
            let side = Kinds::accepted(first.kind).has(ValueKind::Side);
            let named = matches!(second.kind, ParamKind::PieceName | ParamKind::PieceNames);
            form.params.len() > count && side && (named && is_kind || second.kind == ParamKind::Text && !is_kind)
        };
        let wants_side = matches!(kind, ParamKind::SideOrName | ParamKind::SideName);
        let mut forms = forms_of(function.name);
        if wants_side && forms.any(takes) {
            return Some(format!("write the side first: `{}(mover(), {})`", function.name, texts.join(", ")));
        }
        let side = "pass a side, such as `mover()`, `opponent()` or `side(\"..\")`";
        (wants_side && is_kind).then(|| format!("\"{text}\" is the name of a piece: {side}"))
    }

    /// The call with two arguments swapped, if the text is then a known name.
    fn in_another_order(
        &self,
        function: &functions::Function,
        text: &str,
        args: &[AbstractValue],
        texts: &[String],
    ) -> Option<String> {
        let world = self.world?;
        if args.iter().any(|arg| !arg.kinds.known()) {
            return None;
        }
        let names = |form: &Form, sorted: &[AbstractValue]| {
            form.params.iter().zip(sorted).all(|(param, arg)| match (arg.only_text(), world.names(param.kind)) {
                (Some(name), Some((_, all))) => all.contains(&name),
                (Some(name), None) => name != text || param.kind == ParamKind::Text,
                _ => true,
            })
        };
        let (first, last) = (0, args.len());
        let pairs = (first..last).flat_map(|a| (a + 1..last).map(move |b| (a, b)));
        for (a, b) in pairs {
            let (mut sorted, mut words) = (args.to_vec(), texts.to_vec());
            sorted.swap(a, b);
            words.swap(a, b);
            let fit = |form: &&Form| form.params.len() == last && fits(form, &sorted) && names(form, &sorted);
            let named = |form: &&Form| !form.params.iter().any(|param| param.kind == ParamKind::Text);
            let mut forms = forms_of(function.name).filter(named);
            if forms.any(|form| fit(&form)) {
                let call = format!("{}({})", function.name, words.join(", "));
                return Some(format!("the arguments are swapped: did you mean `{call}`?"));
            }
        }
        None
    }

    /// Options of a call: whether the function has them, and with which kinds of values.
    pub(super) fn options(&mut self, name: &str, form: &Form, args: &[AbstractValue]) {
        let options =
            named(name).find(|(_, f)| f.forms.iter().any(|one| std::ptr::eq(one, form))).map(|(row, _)| row.options);
        let at = form.params.iter().position(|param| param.kind == ParamKind::Options);
        let (Some(options), Some(arg)) = (options, at.and_then(|at| args.get(at))) else { return };
        let Some(entries) = &arg.entries else { return };
        for (key, (place, value)) in entries {
            match options.iter().find(|(known, _)| known == key) {
                None if !options.is_empty() => {
                    let help = did_you_mean(
                        key,
                        options.iter().map(|(known, _)| *known),
                        &format!("the options of `{name}()` are"),
                    );
                    self.error(Code::Arguments, *place, format!("`{name}` has no option \"{key}\""), help);
                }
                Some((_, kinds)) if value.kinds.known() && !value.kinds.meets(Kinds::of(kinds)) => {
                    let wanted = Kinds::of(kinds).words();
                    let named = index_at(self.tokens, *place);
                    let behind = named.and_then(|named| self.tokens.get(named + 2)).map_or(*place, |token| token.at);
                    let at = value.texts.as_ref().and_then(|texts| texts.first()).map_or(behind, |(_, at)| *at);
                    let words = functions::words_of_option(name, key);
                    let call = index_at(self.tokens, at);
                    let called = call.filter(|call| self.tokens.get(call + 1).is_some_and(|next| next.is("(")));
                    let help = match words.as_slice() {
                        [] if Kinds::of(kinds).is(ValueKind::Function) && called.is_some() => {
                            "this calls the function immediately: write `|..|` before the call, with parameters \
                             between the bars"
                                .to_string()
                        }
                        [] if kinds.contains(&ValueKind::Truth)
                            && value.only_text().is_some_and(|text| matches!(text, "true" | "false")) =>
                        {
                            format!("write `{}` without quotes", value.only_text().unwrap_or_default())
                        }
                        [] if kinds.contains(&ValueKind::Truth) => format!("write {wanted}, as in `{key}: true`"),
                        [] if kinds.contains(&ValueKind::Number) => format!("write {wanted}, as in `{key}: 1`"),
                        [] => format!("write {wanted}"),
                        words => {
                            // Without other kinds of values, the list is complete.
                            let first = if Kinds::of(kinds).is(ValueKind::Text) { "" } else { wanted.as_str() };
                            let such_as = if first.is_empty() { "" } else { ", such as " };
                            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
                            format!("write {first}{such_as}{}", alternatives(&words))
                        }
                    };
                    let message =
                        format!("the option \"{key}\" of `{name}()` must be {wanted}, not {}", value.kinds.words());
                    self.error(Code::Arguments, at, message, help);
                }
                // One of several possible values is a literal that does not fit.
                Some((_, kinds)) if !kinds.contains(&ValueKind::Number) && !value.written.is_empty() => {
                    let (number, at) = value.written[0];
                    let texts: Vec<String> =
                        value.texts.iter().flatten().map(|(text, _)| format!("\"{text}\"")).collect();
                    let wanted = Kinds::of(kinds).words();
                    let help = match &texts[..] {
                        [] => format!("write {wanted}"),
                        all => format!("write {wanted}, such as {}", alternatives(all)),
                    };
                    let message =
                        format!("the option \"{key}\" of `{name}()` must be {wanted}, not the number {number}");
                    self.error(Code::Arguments, at, message, help);
                }
                _ => {}
            }
        }
    }

    /// Arguments that have no value on some path, for a known reason, where a value is required.
    pub(super) fn perhaps_nothing(&mut self, name: &str, form: &Form, args: &[AbstractValue], exprs: &[&Expr]) {
        for ((param, arg), expr) in form.params.iter().zip(args).zip(exprs) {
            let Some((place, why, help)) = arg.nothing.clone() else { continue };
            let wanted = Kinds::accepted(param.kind);
            let tested = matches!(expr, Expr::Variable(..)) && self.asked_for(expr);
            if arg.kinds.known() && arg.kinds.has(ValueKind::Nothing) && !wanted.has(ValueKind::Nothing) && !tested {
                self.error(Code::LostValue, place, format!("{why}, but `{name}` takes {}", wanted.words()), help);
            }
        }
    }

    /// Dice concatenated to a number with a malformed second part, as in `n + "d6"`.
    fn dice_behind(&mut self, kind: ParamKind, expr: &Expr) {
        let Expr::FnCall(call, _) = expr else { return };
        let (true, [left, Expr::StringConstant(text, at)]) =
            (kind == ParamKind::Dice && call.name == "+", call.args.as_slice())
        else {
            return;
        };
        if !self.value(left).kinds.is(ValueKind::Number) && !matches!(left, Expr::Variable(..)) {
            return;
        }
        if let Err(error) = dice::parse(&format!("1{text}")) {
            // The parsed text has one more character at its start.
            let before = error.span.start.saturating_sub(1);
            let before = text.get(..before).map_or(0, |before| before.chars().count());
            let at = place(*at);
            let message = format!("{}: {}", error.notation, error.difference());
            let count = self.operand(left);
            let help = format!(
                "write `d` and the number of faces after the number of dice: `{count} + \"d6\"` is \"2d6\" when \
                 `{count}` is 2"
            );
            self.error(Code::Notation, (at.0, at.1 + 1 + before), message, help);
        }
    }
}

/// The highest literal index that a function uses for a parameter; 0 if there is none, or if the function uses the
/// parameter's length.
fn last_entry(def: &Definition, param: &str) -> i64 {
    let (mut last, mut any) = (0, false);
    each_node(&def.body, &mut |node| match node {
        ASTNode::Expr(Expr::Index(parts, ..)) if is_variable(&parts.lhs, param) => {
            last = last.max(integer(&parts.rhs).unwrap_or(0));
        }
        ASTNode::Expr(expr) => any |= length_of(expr).is_some_and(|of| is_variable(of, param)),
        ASTNode::Stmt(Stmt::For(parts, _)) => any |= is_variable(&parts.2.expr, param),
        _ => {}
    });
    if any { 0 } else { last }
}

/// The text of the single die that an expression rolls.
fn dice_of(expr: &Expr) -> Option<&str> {
    let Expr::FnCall(call, _) = expr else { return None };
    let [Expr::StringConstant(text, _)] = call.args.as_slice() else { return None };
    (text.starts_with("1d") || text.starts_with('d')).then_some(text.as_str())
}

/// Whether a function uses the entries or the length of a parameter, and never checks its kind or reassigns it.
fn takes_apart(def: &Definition, param: &str) -> bool {
    let is_param = |expr: &Expr| is_variable(expr, param);
    let (mut apart, mut doubtful) = (false, false);
    each_node(&def.body, &mut |node| match node {
        ASTNode::Expr(Expr::Index(parts, ..)) => apart |= is_param(&parts.lhs),
        ASTNode::Expr(expr @ Expr::Dot(..)) => apart |= length_of(expr).is_some_and(is_param),
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            apart |= is_param(&parts.2.expr);
            doubtful |= parts.0.name == param;
        }
        ASTNode::Stmt(Stmt::Assignment(parts)) => doubtful |= is_param(&parts.1.lhs),
        ASTNode::Stmt(Stmt::Var(parts, ..)) => doubtful |= parts.0.name == param,
        ASTNode::Expr(Expr::FnCall(call, _)) => {
            // Comparing it with `()` does not check its kind.
            let whether = call.args.iter().any(|arg| matches!(arg, Expr::Unit(_)));
            let asks = is_equality(call.op_token.as_ref()) && !whether || call.name == "type_of";
            doubtful |= asks && call.args.iter().any(is_param);
        }
        _ => {}
    });
    apart && !doubtful
}

/// Whether an expression directly contains the text at that place.
fn stands_in(expr: &Expr, at: LineColumn) -> bool {
    any_in(expr, |node| matches!(node, ASTNode::Expr(Expr::StringConstant(_, own)) if place(*own) == at))
}
