//! Checks calls with the wrong structure: too many arguments instead of a list, a table called like a function, swapped
//! operands of `in`, a swapped change and test.
//!
//! Each message suggests the correct call. [`super::cures`] reports calls whose arguments match no form.

use super::super::shapes::{called, first_within};
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::calls::{fits, forms_of, properties, taken, takes, words};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::functions::{self, Cost, Fact, Form, Parameter, costs};
use crate::host::kind::{ParamKind, ValueKind, operand};
use crate::notation::describe::counted;
use rhai::{Expr, Token as Op};

/// Maximum number of arguments for which a list is suggested.
const MOST: usize = 12;

impl Walker<'_> {
    /// `a in b`, which calls `contains` on the right operand. Returns whether it was reported.
    pub(super) fn wrong_in(&mut self, args: &[AbstractValue], exprs: &[&Expr], at: LineColumn) -> bool {
        let operator = self.tokens.iter().any(|token| token.at == at && token.is("in"));
        let ([whole, item], [of, sought], true) = (args, exprs, operator) else { return false };
        if let Expr::Array(items, at) = of
            && let [Expr::FnCall(call, _)] = items.as_slice()
            && matches!(call.op_token, Some(Op::InclusiveRange | Op::ExclusiveRange))
        {
            let (range, item) = (self.source(&items[0]), self.source(sought));
            let message =
                format!("`[{range}]` is an array whose only entry is the range `{range}`: it contains no numbers");
            self.error(Code::Arguments, super::place(*at), message, format!("write `{item} in {range}`"));
            return true;
        }
        if whole.kinds.is(ValueKind::Text) && item.kinds.without(ValueKind::Nothing).is(ValueKind::Square) {
            let text = self.source(of);
            let regions = self.world.and_then(|world| world.names(ParamKind::RegionName));
            let region = whole.only_text().is_some_and(|text| regions.is_some_and(|(_, all)| all.contains(&text)));
            let help = if region {
                format!("write `region({text})`")
            } else {
                format!("convert it to a set of squares: write `squares({text})`")
            };
            let message = "`in` looks for a square in a set of squares, not in a string";
            self.error(Code::Arguments, start(of), message, help);
            return true;
        }
        let containers = [ValueKind::Array, ValueKind::Map, ValueKind::Text];
        let own = containers.iter().any(|kind| whole.kinds.has(*kind));
        if !whole.kinds.known() || !item.kinds.known() || own {
            return false;
        }
        let (whole_text, mut item_text) = (self.source(of), self.source(sought));
        // The source text of the left operand includes what follows it.
        if let Some(item) = item_text.strip_suffix(&format!(" in {whole_text}")) {
            item_text = item.to_string();
        }
        let swapped = [item.clone(), whole.clone()];
        let takes_swapped = forms_of("contains").any(|form| fits(form, &swapped));
        let help = match () {
            () if takes_swapped => format!("swap them: `{whole_text} in {item_text}`"),
            () if whole.kinds.is(ValueKind::Permit) => format!("for a permit, write `{whole_text}.exists()`"),
            () if item.kinds.is(ValueKind::Squares) => {
                format!(
                    "`{item_text} & {whole_text}` is the set of shared squares: write `!({item_text} & \
                     {whole_text}).is_empty`"
                )
            }
            () if whole.kinds.is(ValueKind::Square) => format!("compare them: `{item_text} == {whole_text}`"),
            () => "write a set of squares, a range or an array after `in`".to_string(),
        };
        let message = format!("{} is never in {}", operand(&item.kinds.words()), operand(&whole.kinds.words()));
        self.error(Code::Arguments, start(sought), message, help);
        true
    }

    /// A call with more arguments than any form takes. The interpreter may have a function with the same name.
    pub(super) fn too_many(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr], at: LineColumn) {
        let forms: Vec<&Form> = forms_of(name).collect();
        let most = forms.iter().map(|form| form.params.len()).max().unwrap_or(0);
        let certain = args.first().is_some_and(|arg| arg.kinds.known());
        let containers = [ValueKind::Array, ValueKind::Map, ValueKind::Text];
        let own = args.first().is_some_and(|arg| containers.iter().any(|kind| arg.kinds.has(*kind)));
        let heaps = functions::has_fact(name, Fact::UsesHeaps);
        if forms.is_empty() || args.len() <= most || !certain || own && !heaps {
            return;
        }
        let message = match most {
            0 => format!("`{name}` takes no arguments, but this call has {}", args.len()),
            _ => format!("`{name}` takes {}, not {}", counted(most, "argument"), args.len()),
        };
        // The arguments before the first misfit are correct.
        let right = |count: &usize| forms.iter().any(|form| form.params.len() >= *count && fits(form, &args[..*count]));
        let first = (1..=most).find(|count| !right(count)).map_or(most, |count| count - 1);
        let listed = self.as_list(name, args, exprs, at);
        // An argument that can be removed so that the rest fits.
        let without = |i: usize| {
            let rest = [&args[..i], &args[i + 1..]].concat();
            forms.iter().any(|form| takes(form, rest.len()) && fits(form, &rest))
        };
        let surplus = (0..args.len()).rev().find(|&i| without(i));
        let wrong = match (listed.is_some(), surplus) {
            (true, _) => first,
            (false, Some(surplus)) => surplus,
            (false, None) => most,
        };
        let help = listed.unwrap_or_else(|| self.too_much(name, args));
        if let Some(report) = self.report.as_mut() {
            let same = format!("`{name}` takes ");
            report.found.retain(|said| said.line != at.0 || !said.message.starts_with(&same));
        }
        self.error(Code::Arguments, start(exprs[wrong]), message, help);
    }

    /// Advice for an extra argument. An extra number may be meant for another function, which takes part of a heap.
    fn too_much(&self, name: &str, args: &[AbstractValue]) -> String {
        let number = args.last().is_some_and(|last| last.kinds.is(ValueKind::Number));
        if number && functions::has_fact(name, Fact::UsesHeaps) && costs(name, Cost::Effect) {
            return format!(
                "`{name}` handles one piece or a whole heap: call `remove(square)` once for each piece, or \
                 `relocate(from, to, n)` to move n pieces; {}",
                self.signature(name, args)
            );
        }
        let most = forms_of(name).map(|form| form.params.len()).max().unwrap_or(0);
        let noun = if args.len() > most + 1 { "arguments" } else { "argument" };
        format!("remove the extra {noun}; {}", self.signature(name, args))
    }

    /// A `make` call for a move that a player has already made.
    pub(super) fn made_already(&mut self, name: &str, exprs: &[&Expr]) {
        if let ("make", [Expr::FnCall(call, _)]) = (name, exprs)
            && costs(&call.name, Cost::Decision)
            && functions::gives(&call.name, ValueKind::Move)
            && !functions::has_fact(&call.name, Fact::NamesMoves)
        {
            let message = format!("`{}` has already made the move, so `make` has nothing to do", call.name);
            let help = format!(
                "remove `make`, or replace `{}(..)`: `draw_move(..)` picks a move at random and `choose(..)` lets a \
                 player choose one, without making it",
                call.name
            );
            self.error(Code::Arguments, start(exprs[0]), message, help);
        }
    }

    /// Arguments for move parameters that may have no value, or may be a choice instead of a move.
    pub(super) fn moves_given(&mut self, name: &str, form: &Form, args: &[AbstractValue], exprs: &[&Expr]) {
        for ((param, arg), expr) in form.params.iter().zip(args).zip(exprs) {
            if param.kind.accepts() != [ValueKind::Move] {
                continue;
            }
            self.not_asked(arg, expr);
            self.chosen_instead(arg, expr, Kinds::of(&[ValueKind::Move]), &format!("`{name}` takes a move"));
            let Expr::FnCall(call, _) = expr else { continue };
            if let Some(maker) = arg.perhaps.filter(|maker| *maker == call.name.as_str()) {
                let source = self.source(expr);
                let message = format!("`{maker}` returns `()` when no move is possible, but `{name}` needs a move");
                let help = format!("test the move first: `let mv = {source}; if mv != () {{ {name}(mv); }}`");
                self.warn(Code::LostValue, start(expr), message, help);
            }
        }
    }

    /// A property read on the result of a decision that may be a move or a choice, although only one of them has the
    /// property.
    pub(super) fn perhaps_chosen(&mut self, receiver: &AbstractValue, of: &Expr, name: &str) {
        let owners = properties(name).flat_map(|function| &function.forms).filter_map(|form| form.params.first());
        let having = owners.fold(Kinds::NONE, |all, param| all.and(Kinds::accepted(param.kind)));
        self.chosen_instead(receiver, of, having, &format!("`{name}` needs a move"));
    }

    /// An untested variable that may hold a choice instead of a move, where the choice has none of the required kinds.
    fn chosen_instead(&mut self, value: &AbstractValue, expr: &Expr, wanted: Kinds, why: &str) {
        let (true, true, Expr::Variable(variable, ..)) =
            (value.kinds.known() && value.kinds.has(ValueKind::Move), wanted.has(ValueKind::Move), expr)
        else {
            return;
        };
        if self.guarded(expr) {
            return;
        }
        let stray = |kind: ValueKind| value.kinds.has(kind) && !wanted.has(kind);
        let text = value.texts.as_ref().and_then(|texts| texts.first()).map(|(text, _)| text.clone());
        let name = &variable.1;
        let (what, test) = match text.filter(|_| stray(ValueKind::Text)) {
            Some(text) => (format!("\"{text}\""), format!("{name} == \"{text}\"")),
            None if stray(ValueKind::Square) && !stray(ValueKind::Text) => {
                ("a square".to_string(), format!("type_of({name}) == \"Square\""))
            }
            None => return,
        };
        let message = format!("`{name}` may be {what} instead of a move, but {why}");
        self.warn(Code::LostValue, start(expr), message, format!("test it first: `if {test} {{ return; }}`"));
    }

    /// The call with some of its arguments combined in an array, if a form accepts that.
    pub(super) fn as_list(
        &self,
        name: &str,
        args: &[AbstractValue],
        exprs: &[&Expr],
        at: LineColumn,
    ) -> Option<String> {
        let forms: Vec<&Form> = forms_of(name).collect();
        let texts = self.argument_texts(at, exprs, false);
        // Longer calls are unlikely, and trying all their ranges takes long.
        let ranges = (0..args.len().min(MOST)).flat_map(|a| (a + 2..=args.len().min(MOST)).map(move |b| (a, b)));
        ranges.filter(|_| texts.len() == args.len()).find_map(|(a, b)| {
            let joined = [&args[..a], &[AbstractValue::list(args[a..b].to_vec())], &args[b..]].concat();
            let form = forms.iter().find(|form| takes(form, joined.len()) && fits(form, &joined))?;
            let kind = form.params[a].kind;
            let holds = |item: &AbstractValue| match kind {
                ParamKind::SquaresOrNames => item.kinds.meets(Kinds::accepted(kind)),
                _ => true,
            };
            (kind.accepts().contains(&ValueKind::Array) && args[a..b].iter().all(holds)).then(|| {
                let list = format!("[{}]", texts[a..b].join(", "));
                let all = [&texts[..a], &[list], &texts[b..]].concat();
                format!("put these values in an array: `{name}({})`", all.join(", "))
            })
        })
    }

    /// The signature that fits these arguments, as the reference shows it.
    pub(super) fn signature(&self, name: &str, args: &[AbstractValue]) -> String {
        let takes = |param: &Parameter, at: usize| {
            args.get(at).is_none_or(|arg| arg.kinds == Kinds::NONE || arg.kinds.meets(taken(param.kind)))
        };
        let one = crate::manual::fitting_signature(name, args.len(), takes);
        one.map_or_else(String::new, |one| crate::manual::signature_advice(&one))
    }

    /// A value that is not a text, searched for in a list of texts.
    pub(super) fn never_among(&mut self, args: &[AbstractValue], exprs: &[&Expr]) {
        let [list, item] = args else { return };
        let texts = list.kinds.is(ValueKind::Array) && !list.items.is_empty();
        let texts = texts && list.items.iter().all(|one| one.kinds.is(ValueKind::Text));
        if !texts || !item.kinds.known() || item.kinds.has(ValueKind::Text) {
            return;
        }
        let (list, item_text) = (self.source(exprs[0]), self.source(exprs[1]));
        let what = item.kinds.without(ValueKind::Nothing);
        let help = match what.is(ValueKind::Move) || what.is(ValueKind::Square) {
            true => format!("compare its kind: `{item_text}.kind`"),
            false => "look for a string instead".to_string(),
        };
        let message = format!("`{list}` holds strings, but {} is not a string", what.words());
        self.error(Code::Arguments, start(exprs[1]), message, help);
    }

    /// A track station number below 1.
    pub(super) fn first_station(&mut self, form: &Form, args: &[AbstractValue], exprs: &[&Expr]) {
        let of_track = form.params.first().is_some_and(|param| param.kind == ParamKind::TrackName);
        if !of_track || form.results != [ValueKind::Squares] {
            return;
        }
        let numbers = form.params.iter().zip(args).zip(exprs).filter(|((param, _), _)| param.kind == ParamKind::Number);
        let numbers: Vec<(i64, &AbstractValue, &Expr)> =
            numbers.filter_map(|((_, arg), expr)| Some((arg.only_number()?, arg, *expr))).collect();
        let most = args.first().and_then(AbstractValue::only_text).and_then(|track| self.world?.stations(track));
        if let (Some(most), Some((number, arg, expr))) = (most, numbers.iter().find(|(n, ..)| Some(*n) > most)) {
            let track = args[0].only_text().unwrap_or_default();
            let at = match arg.written.as_slice() {
                [(_, at)] => *at,
                _ => start(expr),
            };
            let message = format!("the track \"{track}\" has stations 1 to {most}, but no station {number}");
            self.warn(Code::Arguments, at, message, format!("write {most} for the last station"));
        }
        if let Some((number, _, expr)) = numbers.iter().find(|(number, ..)| *number < 1) {
            let message = format!("a track has no station {number}: stations are numbered from 1");
            self.warn(Code::Arguments, start(expr), message, "write 1 for the first station");
        }
    }

    /// A map or an array that is called like a function.
    pub(super) fn called_table(&mut self, name: &str, exprs: &[&Expr], at: LineColumn) {
        if !self.is_variable(name) || self.functions.iter().any(|def| def.name == name) {
            return;
        }
        let value = self.lookup(name);
        if value.kinds.is(ValueKind::Map) || value.kinds.is(ValueKind::Array) {
            let texts = self.argument_texts(at, exprs, false).join(", ");
            let message = format!("`{name}` is {}, not a function", value.kinds.words());
            let help = format!("to read an entry, use square brackets: `{name}[{texts}]`");
            self.error(Code::UnknownName, at, message, help);
        }
    }

    /// A `suppose` call whose test changes the game: the change is the first argument.
    pub(super) fn supposed(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr], at: LineColumn) {
        let ("suppose", [change, test]) = (name, args) else { return };
        let (Some(change), Some(test)) = (&change.function, &test.function) else { return };
        let Some((called, place)) = self.effect_in(&test.0) else { return };
        let texts = self.argument_texts(at, exprs, false);
        let help = match (self.effect_in(&change.0), texts.as_slice()) {
            (None, [first, second]) => format!("write the change first: `suppose({second}, {first})`"),
            _ => "make the changes in the first function, and only read the game in the second".to_string(),
        };
        let message = format!("the second function of `suppose` can only read the game, but `{called}` changes it");
        self.error(Code::Tests, place, message, help);
    }

    /// The first call in a script function that changes the game.
    fn effect_in(&self, function: &str) -> Option<(String, LineColumn)> {
        let def = self.functions.iter().find(|def| def.name == function)?;
        first_within(&def.body, |node| {
            let (call, at) = called(node)?;
            let own = self.functions.iter().any(|def| def.name == call.name.as_str());
            (!own && costs(&call.name, Cost::Effect)).then(|| (call.name.to_string(), at))
        })
    }

    /// An option with some values that do not fit, used without a condition that excludes them.
    pub(super) fn some_values(&mut self, name: &str, form: &Form, args: &[AbstractValue], exprs: &[&Expr]) {
        for ((param, arg), expr) in form.params.iter().zip(args).zip(exprs) {
            let (Some(Origin::Option(_)), Expr::Variable(variable, ..)) = (&arg.origin, expr) else { continue };
            let wanted = Kinds::accepted(param.kind);
            let both = arg.kinds.known() && arg.kinds.has(ValueKind::Number) && arg.kinds.has(ValueKind::Text);
            let Some((text, _)) = arg.texts.as_ref().and_then(|texts| texts.first()).filter(|_| both) else { continue };
            if wanted.has(ValueKind::Text) || self.guarded(expr) {
                continue;
            }
            let (option, shown) = (&variable.1, words(param.kind));
            let message = format!("`{option}` may be \"{text}\", but `{name}` takes {shown}");
            let help = format!("test it first: `{option} != \"{text}\" && ..`");
            self.error(Code::Arguments, start(expr), message, help);
        }
    }

    /// A file or rank outside the board.
    pub(super) fn line_of_board(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let (Some(world), [number]) = (self.world, args) else { return };
        let most = match name {
            "file" => world.files,
            "rank" => world.ranks,
            _ => return,
        };
        let Some((least, last)) = number.range.or(number.sure).filter(|_| number.kinds.is(ValueKind::Number)) else {
            return;
        };
        if least >= 1 && last <= most || least != last && self.guarded(exprs[0]) {
            return;
        }
        // The maximum of a count is the number of squares; only the running game can check it against the ranks.
        if number.loose && last >= 1 && least <= most {
            return;
        }
        let source = self.source(exprs[0]);
        let wrong = if last > most { last } else { least };
        let message = match least == last {
            true => format!("the board has {name}s 1 to {most}, but no {name} {wrong}"),
            false => format!("the board has {name}s 1 to {most}, but `{source}` can be {least} to {last}"),
        };
        let test = if least == last { String::new() } else { format!("; if needed, test `{source}` first") };
        let help = format!("pass a number from 1 to {most}{test}");
        self.error(Code::Arguments, start(exprs[0]), message, help);
    }

    /// Dice for a pool with too few places for their faces, and visible dice for a secret pool.
    pub(super) fn pool_place(&mut self, name: &str, args: &[AbstractValue], exprs: &[&Expr]) {
        let (Some(world), Some(pool)) = (self.world, functions::position_of(name, ParamKind::CounterName)) else {
            return;
        };
        let Some(counter) = args.get(pool).and_then(AbstractValue::only_text).map(str::to_string) else { return };
        let Some(places) = world.places(&counter).filter(|places| *places > 1) else { return };
        let Some((cast, dice)) = args.iter().enumerate().find_map(|(i, arg)| match &arg.origin {
            Some(Origin::Dice(dice)) if arg.kinds.is(ValueKind::Cast) => Some((i, dice.clone())),
            _ => None,
        }) else {
            return;
        };
        if world.is_secret(&counter)
            && let Expr::FnCall(call, _) = exprs[cast]
            && call.name == "cast"
            && call.args.len() == 1
        {
            let whose = exprs.get(2).map_or("mover()".to_string(), |side| self.source(side));
            let message = format!("every side sees these dice, but the counter \"{counter}\" is secret");
            let help = format!("cast them in secret: `cast(\"{dice}\", #{{ secret: {whose} }})`");
            self.warn(Code::Secrets, start(exprs[cast]), message, help);
        }
        let Ok(parsed) = crate::notation::dice::parse(&dice) else { return };
        let highest = parsed.dice.iter().flat_map(|die| die.faces()).max().copied().map_or(0, i64::from);
        if highest <= places {
            return;
        }
        let at = match exprs[cast] {
            Expr::FnCall(call, _) => call.args.first().map_or(start(exprs[cast]), start),
            other => start(other),
        };
        let message =
            format!("\"{dice}\" can show {highest}, but the counter \"{counter}\" has only places 1 to {places}");
        let help = format!("use dice with at most {places} faces, or declare \"{counter}\" with `places: {highest}`");
        self.error(Code::Arguments, at, message, help);
    }

    /// A minus sign before a value that is not a number.
    pub(super) fn no_negative(&mut self, value: &AbstractValue, expr: &Expr) -> bool {
        let numbers = Kinds::of(&[ValueKind::Number, ValueKind::Reckoned]);
        if !value.kinds.known() || value.kinds.meets(numbers) {
            return false;
        }
        let digits = value.only_text().filter(|text| text.parse::<i64>().is_ok());
        let help = digits.map_or("write a number after the `-`".to_string(), |digits| format!("write -{digits}"));
        let message = format!("`-` must be followed by a number, not by {}", value.kinds.words());
        self.error(Code::Arithmetic, start(expr), message, help);
        true
    }

    /// An empty list where names or squares are required.
    pub(super) fn empty_list(&mut self, name: &str, fitting: &[&Form], args: &[AbstractValue], exprs: &[&Expr]) {
        let [form] = fitting else { return };
        for ((param, arg), expr) in form.params.iter().zip(args).zip(exprs) {
            let wants = matches!(param.kind, ParamKind::PieceNames | ParamKind::Squares);
            if wants && matches!(expr, Expr::Array(items, _) if items.is_empty()) && arg.kinds.is(ValueKind::Array) {
                let message = format!("the list passed to `{name}` is empty");
                let help = format!("add at least one entry; {}", self.signature(name, args));
                self.warn(Code::Arguments, start(expr), message, help);
            }
        }
    }

    /// Unbalanced brackets around a station in the text of a track.
    pub(super) fn stations(&mut self, name: &str, exprs: &[&Expr]) {
        if name != "track" {
            return;
        }
        let text = |expr: &Expr| match expr {
            Expr::StringConstant(text, at) => Some((text.to_string(), super::place(*at))),
            _ => None,
        };
        let texts: Vec<(String, LineColumn)> = match exprs.get(1) {
            Some(Expr::Array(items, _)) => items.iter().filter_map(text).collect(),
            Some(one) => text(one).into_iter().collect(),
            None => return,
        };
        for (text, at) in texts {
            let mut open: Option<usize> = None;
            let mut wrong = None;
            for (i, c) in text.chars().enumerate() {
                match c {
                    '[' if open.is_some() => wrong = wrong.or(open),
                    '[' => open = Some(i),
                    ']' if open.take().is_none() => wrong = wrong.or(Some(i)),
                    _ => {}
                }
            }
            let Some(i) = wrong.or(open) else { continue };
            let opens = text.chars().nth(i) == Some('[');
            let (message, help) = match opens {
                true => {
                    let rest: String = text.chars().skip(i).collect();
                    ("this `[` is never closed", format!("write several squares of one station in brackets: `{rest}]`"))
                }
                false => {
                    ("this `]` closes nothing", "write several squares of one station in brackets: `[a1 a2]`".into())
                }
            };
            self.error(Code::Notation, (at.0, at.1 + 1 + i), format!("{message} in the text of the track"), help);
        }
    }

    /// A `repel` call in the rule `capture` for a piece other than the attacker.
    pub(super) fn repelled(&mut self, name: &str, exprs: &[&Expr]) {
        let ("repel", [Expr::Variable(variable, ..)], "capture") = (name, exprs, self.own.0.as_str()) else { return };
        let rule = self.functions.iter().find(|def| (&def.name, def.params.len()) == (&self.own.0, self.own.1));
        let Some([attacker, defender, ..]) = rule.map(|def| def.params.as_slice()) else { return };
        if variable.1.as_str() == defender {
            let message = format!("`repel` removes the attacker, but `{defender}` is the square of the defender");
            let help = format!("did you mean `repel({attacker})`? To capture the defender, use `take()`");
            self.error(Code::Arguments, start(exprs[0]), message, help);
        }
    }

    /// The entry of a list of kinds that a number probably stands for.
    pub(super) fn kind_of_face(&self, kind: ParamKind, text: &str) -> Option<String> {
        let world = self.world.filter(|_| matches!(kind, ParamKind::PieceNames | ParamKind::PieceName))?;
        let kinds = |known: &AbstractValue| {
            let mut texts = known.items.iter().flat_map(|item| item.texts.iter().flatten());
            known.kinds.is(ValueKind::Array)
                && texts.clone().count() > 1
                && texts.all(|(text, _)| world.kinds.contains(text))
        };
        let (list, _) = self.constants.iter().find(|(_, known)| kinds(known))?;
        Some(format!("for the piece that the face stands for, write `{list}[{text} - 1]`"))
    }
}
