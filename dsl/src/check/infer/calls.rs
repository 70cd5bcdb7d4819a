//! Calls: whether the values fit what a function takes, and what it gives back.

use super::known::{Kinds, Known, Origin};
use super::{Own, Place, Walker, place, start};
use crate::functions::{self, Form, Parameter, named};
use crate::host::kind::{ParamKind, ValueKind};
use crate::host::tokens::{arguments, text_of};
use crate::notation::{dice, nearest};
use rhai::{Expr, FnCallExpr, Position, Token as Op};

/// What the interpreter's own functions give back that never is anything else.
const LANGUAGE: [(&str, ValueKind); 16] = [
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
    ("print", ValueKind::Nothing),
];

impl Walker<'_> {
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Position, receiver: Option<(Known, &Expr)>) -> Known {
        let at = place(at);
        if call.name == "curry" {
            let caught: Vec<Known> = call.args.iter().skip(1).map(|arg| self.value(arg)).collect();
            return match call.args.first() {
                Some(Expr::DynamicConstant(value, _)) => match value.read_lock::<rhai::FnPtr>() {
                    Some(pointer) => self.pointer(pointer.fn_name(), caught),
                    None => Known::any(),
                },
                _ => Known::any(),
            };
        }
        let method = receiver.is_some();
        let (mut args, mut exprs): (Vec<Known>, Vec<&Expr>) = receiver.into_iter().unzip();
        for arg in call.args.iter() {
            args.push(self.value(arg));
            exprs.push(arg);
        }
        if call.is_operator_call() {
            return match (&call.op_token, args.len()) {
                (Some(op), 2) => self.operator(op, &args, &exprs, at),
                (Some(Op::Bang), 1) => {
                    self.truth(&args[0], exprs[0], "!");
                    Known::one(ValueKind::Truth)
                }
                (Some(Op::UnaryMinus), 1) => match args[0].range {
                    Some((least, most)) if args[0].kinds.is(ValueKind::Number) => Known::number(-most, -least),
                    _ => Known::any(),
                },
                _ => Known::any(),
            };
        }
        if !call.namespace.is_empty() {
            return Known::any();
        }
        let own: Own = (call.name.to_string(), call.args.len());
        let containers = Kinds::of(&[ValueKind::Array, ValueKind::Map]);
        let contains = args.first().is_some_and(|receiver| receiver.kinds.meets(containers));
        if let (true, Some(Expr::Variable(variable, ..)), true) =
            (method && contains, exprs.first(), changes_in_place(&call.name))
        {
            self.constant_changed(&variable.1, at);
            self.changed_in_place(&variable.1);
        }
        if self.functions.iter().any(|def| def.name == own.0 && def.params.len() == own.1) {
            // As a method it would be called for its receiver.
            let given = args.into_iter().zip(&exprs).map(|(arg, expr)| {
                // Where a condition has been before, not all that it may be comes through.
                if self.guarded(expr) { Known { range: None, texts: None, origin: None, ..arg } } else { arg }
            });
            let given = if method { vec![Known::any(); own.1] } else { given.collect() };
            self.give(own.clone(), given);
            let hides = named(&own.0).next().is_some();
            let result = self.before.and_then(|facts| facts.results.get(&own)).filter(|_| !hides).cloned();
            return result.unwrap_or_else(Known::any);
        }
        self.native(&call.name, &args, &exprs, at, method)
    }

    /// A call of a function of the game or of the interpreter.
    fn native(&mut self, name: &str, args: &[Known], exprs: &[&Expr], at: Place, method: bool) -> Known {
        let forms: Vec<&Form> =
            named(name).flat_map(|(_, function)| &function.forms).filter(|form| takes(form, args.len())).collect();
        let fitting: Vec<&Form> = forms.iter().copied().filter(|form| fits(form, args)).collect();
        self.closures(name, args, exprs);
        if forms.is_empty() || self.language_takes(name, args) {
            let result = LANGUAGE.iter().find(|(known, _)| *known == name).filter(|_| forms.is_empty());
            return match result {
                Some(("len", _)) => Known::number(0, i64::MAX),
                Some((_, kind)) => Known::one(*kind),
                None => Known::any(),
            };
        }
        if fitting.is_empty() {
            self.misfit(name, &forms, args, exprs, at, method);
            let results = forms.iter().fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
            return Known::of(results);
        }
        for form in &fitting {
            self.names(form, args);
        }
        self.choice(name, args, exprs);
        self.least(name, &fitting, args, exprs);
        if let [form] = fitting[..] {
            self.options(name, form, args);
        }
        let results = fitting.iter().fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
        self.result(name, Known::of(results), args)
    }

    /// Whether the interpreter itself has such a function for such values.
    fn language_takes(&self, name: &str, args: &[Known]) -> bool {
        let ours: Vec<_> = named(name).flat_map(|(_, function)| &function.forms).flat_map(Form::types).collect();
        self.known.overloads(name).iter().filter(|types| types.len() == args.len() && !ours.contains(types)).any(
            |types| {
                let takes = |(id, arg): (&std::any::TypeId, &Known)| match ValueKind::of_type(*id) {
                    Some(kind) => arg.kinds.has(kind),
                    None => true,
                };
                types.iter().zip(args).all(takes)
            },
        )
    }

    /// Choices between nothing, or between texts that are the same.
    fn choice(&mut self, name: &str, args: &[Known], exprs: &[&Expr]) {
        if name != "choose" {
            return;
        }
        let Some(at) = args.iter().position(|arg| arg.kinds.is(ValueKind::Array) && arg.length.is_some()) else {
            return;
        };
        if args[at].length == Some(0) {
            return self.error(
                start(exprs[at]),
                "there is nothing to choose from",
                "list at least one text, or give a set of squares to choose from",
            );
        }
        let mut seen: Vec<String> = Vec::new();
        for (text, place) in args[at]
            .items
            .iter()
            .filter_map(|item| Some((item.only_text()?.to_string(), item.texts.as_ref()?.first()?.1)))
        {
            if seen.contains(&text) {
                self.error(place, format!("\"{text}\" stands twice among what can be chosen"), "remove one of the two");
            }
            seen.push(text);
        }
    }

    /// Asking whether there is at least nothing.
    fn least(&mut self, name: &str, fitting: &[&Form], args: &[Known], exprs: &[&Expr]) {
        if name != "has" {
            return;
        }
        let at = fitting.first().and_then(|form| form.params.iter().position(|param| param.name == "least"));
        if let Some(at) = at.filter(|at| args.get(*at).and_then(Known::only_number).is_some_and(|least| least <= 0)) {
            self.warn(
                start(exprs[at]),
                "this is always true: everybody has at least 0",
                "write 1 or more, or leave it out",
            );
        }
    }

    /// Tests of moves and squares that do more than look, or say neither yes nor no.
    fn test(&mut self, name: &str, function: &str) {
        let Some(def) = self.functions.iter().find(|def| def.name == function) else { return };
        let Some(last) = def.body.iter().filter(|one| !matches!(one, rhai::Stmt::Noop(_))).last() else { return };
        let result =
            self.before.and_then(|facts| facts.results.get(&(function.to_string(), def.params.len()))).cloned();
        let at = match last {
            rhai::Stmt::Expr(expr) => start(expr),
            other => place(other.position()),
        };
        if let Some(result) = result.filter(|result| result.kinds.known() && !result.kinds.has(ValueKind::Truth)) {
            let message = format!("a test in `{name}` says true or false, not {}", result.kinds.words());
            self.error(at, message, "compare it with something, as `mv.kind == \"pawn\"`");
        }
        let mut calls = Vec::new();
        for statement in def.body.iter() {
            statement.walk(&mut Vec::new(), &mut |path| {
                if let Some(
                    rhai::ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at))
                    | rhai::ASTNode::Stmt(rhai::Stmt::FnCall(call, at)),
                ) = path.last()
                {
                    calls.push((call.name.to_string(), place(*at)));
                }
                true
            });
        }
        for (called, at) in calls {
            let own = self.functions.iter().any(|def| def.name == called);
            let rows: Vec<_> = named(&called).map(|(row, _)| row.cost).collect();
            let acts = |cost: &functions::Cost| {
                matches!(cost, functions::Cost::Effect | functions::Cost::Decision | functions::Cost::Chance)
            };
            if !own && !rows.is_empty() && rows.iter().all(acts) {
                let message =
                    format!("a test in `{name}` may only look: `{called}` changes the game, rolls or asks a player");
                self.error(at, message, "ask what would be with `suppose(|| .., || ..)`, or do it after the move");
            }
        }
    }

    /// What is given to functions that are arguments.
    fn closures(&mut self, name: &str, args: &[Known], exprs: &[&Expr]) {
        let subject = || args.first().cloned().unwrap_or_else(Known::any);
        let tests = functions::position_where(name, |param| param.name == "test").is_some();
        let handed: Option<Vec<Known>> = match name {
            "play_each" => Some(vec![subject().item()]),
            "roll_playable" => Some(vec![rolled(&subject())]),
            "roll_until" => Some(vec![rolled(&subject())]),
            _ if tests && subject().kinds.is(ValueKind::Permit) => Some(vec![Known::one(ValueKind::Move)]),
            _ if tests && subject().kinds.is(ValueKind::Squares) => Some(vec![Known::one(ValueKind::Square)]),
            "suppose" => Some(Vec::new()),
            _ => None,
        };
        for (arg, expr) in args.iter().zip(exprs) {
            let Some((function, caught)) = &arg.function else { continue };
            let kinds = subject().kinds;
            if tests && (kinds.is(ValueKind::Permit) || kinds.is(ValueKind::Squares)) {
                self.test(name, function);
            }
            let Some(def) = self.functions.iter().find(|def| def.name == function.as_str()) else { continue };
            let (count, anonymous) = (def.params.len(), function.starts_with("anon$"));
            let mut given = vec![Known::of(Kinds::NONE); *caught];
            match &handed {
                Some(handed) => {
                    if anonymous && count - caught.min(&count) != handed.len() && !handed.is_empty() {
                        let at = self.function_place(expr);
                        let takes = count - caught;
                        let message = format!(
                            "`{name}` hands this function {} value, but it has {takes} parameters",
                            handed.len()
                        );
                        let word = if name.starts_with("roll") || name == "play_each" { "die" } else { "it" };
                        self.error(at, message, format!("write `|{word}| ...`"));
                    }
                    given.extend(handed.iter().cloned());
                }
                None => given.resize(count, Known::any()),
            }
            given.resize(count, Known::any());
            self.give((function.clone(), count), given);
        }
    }

    /// Where a function as a value begins.
    fn function_place(&self, expr: &Expr) -> Place {
        let at = start(expr);
        let tokens = self.tokens.iter().take_while(|token| token.at <= at);
        tokens.filter(|token| token.is("|") || token.is("||")).last().map_or(at, |token| {
            // The bar that opens, not the one that closes.
            let row: Vec<_> =
                self.tokens.iter().filter(|t| t.is("|") && t.at.0 == token.at.0 && t.at <= token.at).collect();
            row.len()
                .checked_sub(2)
                .and_then(|i| row.get(i))
                .filter(|_| at != token.at)
                .map_or(token.at, |first| first.at)
        })
    }

    /// Names of things that there are not.
    fn names(&mut self, form: &Form, args: &[Known]) {
        for (param, arg) in form.params.iter().zip(args) {
            self.dice(param.kind, arg);
        }
        let Some(world) = self.world else { return };
        for (param, arg) in form.params.iter().zip(args) {
            let Some((what, names)) = world.names(param.kind) else { continue };
            let kind = if param.kind == ParamKind::PieceName && form.params.len() > 1 {
                ("piece", &names)
            } else {
                (what, &names)
            };
            let mut texts =
                if arg.kinds.has(ValueKind::Text) { arg.texts.clone().unwrap_or_default() } else { Vec::new() };
            if param.kind == ParamKind::PieceNames && arg.kinds.has(ValueKind::Array) {
                texts.extend(arg.items.iter().flat_map(|item| item.texts.clone().unwrap_or_default()));
            }
            for (text, at) in texts {
                let built_in = param.kind == ParamKind::RegionName && text == "far rank";
                if built_in || names.contains(&text.as_str()) {
                    continue;
                }
                let help = match nearest(&text, names.iter().copied()) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("known here: {}", names.join(", ")),
                };
                self.error(at, format!("there is no {} called \"{text}\"", kind.0), help);
            }
        }
    }

    /// Dice that cannot be read, or are those of no piece.
    fn dice(&mut self, kind: ParamKind, arg: &Known) {
        let mut texts = Vec::new();
        match kind {
            ParamKind::Dice if arg.kinds.is(ValueKind::Text) => texts.extend(arg.texts.clone().unwrap_or_default()),
            ParamKind::DiceByPiece => {
                let Some(entries) = arg.entries.clone() else { return };
                for (piece, (at, value)) in entries {
                    texts.extend(value.texts.unwrap_or_default());
                    let Some(world) = self.world.filter(|world| !world.kinds.contains(&piece)) else { continue };
                    let near = nearest(&piece, world.kinds.iter().map(String::as_str));
                    let help = near.map_or_else(
                        || format!("known here: {}", world.kinds.join(", ")),
                        |near| format!("did you mean \"{near}\"?"),
                    );
                    self.error(at, format!("there is no piece called \"{piece}\""), help);
                }
            }
            _ => return,
        }
        for (text, at) in texts {
            if let Err(error) = dice::parse(&text) {
                let before = text.get(..error.span.start).map_or(0, |before| before.chars().count());
                let help = error.help.clone().unwrap_or_else(|| "write dice as \"1d6\" or \"2d6+1d8\"".into());
                self.error(
                    (at.0, at.1 + 1 + before),
                    format!("{}: expected {}, found {}", error.notation, error.expected, error.found),
                    help,
                );
            }
        }
    }

    /// Options of a call: whether there are such, of such kinds.
    fn options(&mut self, name: &str, form: &Form, args: &[Known]) {
        let options =
            named(name).find(|(_, f)| f.forms.iter().any(|one| std::ptr::eq(one, form))).map(|(row, _)| row.options);
        let at = form.params.iter().position(|param| param.kind == ParamKind::Options);
        let (Some(options), Some(arg)) = (options, at.and_then(|at| args.get(at))) else { return };
        let Some(entries) = &arg.entries else { return };
        for (key, (place, value)) in entries {
            match options.iter().find(|(known, _)| known == key) {
                None if !options.is_empty() => {
                    let names = options.iter().map(|(known, _)| *known);
                    let all = || format!("it knows: {}", names.clone().collect::<Vec<_>>().join(", "));
                    let help = nearest(key, names.clone()).map(|near| format!("did you mean \"{near}\"?"));
                    self.error(*place, format!("{name}() knows nothing of \"{key}\""), help.unwrap_or_else(all));
                }
                Some((_, kinds)) if value.kinds.known() && !value.kinds.meets(Kinds::of(kinds)) => {
                    let wanted = Kinds::of(kinds).words();
                    let at = value.texts.as_ref().and_then(|texts| texts.first()).map_or(*place, |(_, at)| *at);
                    self.error(
                        at,
                        format!("\"{key}\" of {name}() is {wanted}, not {}", value.kinds.words()),
                        format!("give it {wanted}"),
                    );
                }
                _ => {}
            }
        }
    }

    /// What a call gives back, beyond its kinds.
    fn result(&mut self, name: &str, plain: Known, args: &[Known]) -> Known {
        let first = || args.first().cloned().unwrap_or_else(Known::any);
        match name {
            "roll" => rolled(&first()),
            // Some faces may never be what it stops at.
            "roll_until" => without_range(rolled(&first())),
            "roll_playable" => without_range(rolled(&first())).or(&Known::nothing()),
            "option" => {
                let Some(option) = first().only_text().map(str::to_string) else { return Known::any() };
                match args.get(1) {
                    Some(values) if values.is_written() => {
                        Known { nothing: None, ..values.item() }.from(Origin::Option(option))
                    }
                    _ => Known::any(),
                }
            }
            "choose" => {
                let texts = args.iter().find(|arg| arg.kinds.is(ValueKind::Array));
                let squares = args.iter().any(|arg| arg.kinds.is(ValueKind::Squares));
                let unknown = args.iter().skip(1).any(|arg| !arg.kinds.known());
                match texts.filter(|texts| texts.is_written() && !texts.items.is_empty() && !unknown) {
                    Some(texts) => {
                        let chosen = texts.item().from(Origin::Choice);
                        if squares {
                            chosen.or(&Known::one(ValueKind::Square)).or(&Known::one(ValueKind::Squares))
                        } else {
                            chosen
                        }
                    }
                    None => Known::any(),
                }
            }
            // A chosen square is a square or a set of one, as it is asked.
            "choose_held" => Known::any(),
            "count" if !first().kinds.has(ValueKind::Permit) && plain.kinds.is(ValueKind::Number) => {
                Known::number(0, self.world.map_or(i64::MAX, |world| world.squares))
            }
            "count" if plain.kinds.is(ValueKind::Number) => Known::number(0, i64::MAX),
            _ => plain,
        }
    }

    /// A call that no form takes.
    fn misfit(&mut self, name: &str, forms: &[&Form], args: &[Known], exprs: &[&Expr], at: Place, method: bool) {
        if let Some((order, form)) = swapped(forms, args) {
            let wrong = (0..args.len()).find(|&i| order[i] != i).unwrap_or(0);
            let texts = self.argument_texts(at, exprs, method);
            let all: Vec<String> = order.iter().map(|&i| texts.get(i).cloned().unwrap_or_default()).collect();
            let wanted = form.params[wrong].kind;
            let message = format!(
                "`{name}` takes {} here, not {}: its arguments are swapped",
                words(wanted),
                args[wrong].kinds.words()
            );
            return self.error(start(exprs[wrong]), message, format!("did you mean `{name}({})`?", all.join(", ")));
        }
        let signatures = crate::manual::signatures(name);
        let signature =
            || format!("it is {}", signatures.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", "));
        // The first argument that none of the forms takes which have taken those before it.
        let mut left = forms.to_vec();
        for (i, arg) in args.iter().enumerate() {
            let next: Vec<&Form> =
                left.iter().copied().filter(|form| arg.kinds.meets(Kinds::accepted(form.params[i].kind))).collect();
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
                return self.error(place, format!("{why}, where `{name}` takes {shown}"), help);
            }
            let expr = exprs[i];
            let at_place = match (method, i, expr) {
                (true, 0, _) => at,
                (_, _, Expr::DynamicConstant(..)) => self.function_place(expr),
                _ => start(expr),
            };
            let texts = self.argument_texts(at, exprs, method);
            let text = texts.get(i).cloned().unwrap_or_default();
            let cure = match method && i == 0 {
                true => self.method_cure(name, arg),
                false => self.cure(&wanted, kinds, arg, &text),
            };
            let help = match cure {
                Some(cure) => format!("{cure}; {}", signature()),
                None => signature(),
            };
            let message = match method && i == 0 {
                true => format!("`{name}` is for {shown}, not for {}", arg.kinds.words()),
                false => format!("`{name}` expects {shown} here, not {}", arg.kinds.words()),
            };
            return self.error(at_place, message, help);
        }
    }

    /// What a value of that kind has instead of a method.
    fn method_cure(&self, name: &str, receiver: &Known) -> Option<String> {
        match name {
            "exists" if receiver.kinds.is(ValueKind::Squares) => {
                Some("a set of squares has `is_empty`: write `!..is_empty`".into())
            }
            _ => None,
        }
    }

    /// What would make a value fit.
    fn cure(&self, wanted: &[&Parameter], kinds: Kinds, arg: &Known, text: &str) -> Option<String> {
        let is = |kind| arg.kinds.is(kind);
        let param = wanted.first()?;
        let dice = param.kind == ParamKind::Dice;
        Some(match () {
            () if dice && arg.only_number().is_some() => {
                let n = arg.only_number().unwrap_or(6);
                if text == n.to_string() && n > 2 {
                    format!("dice stand in quotes: write \"1d{n}\"")
                } else {
                    format!("dice stand in quotes: write \"{n}d6\"")
                }
            }
            () if kinds.has(ValueKind::Permit) && is(ValueKind::Squares) => {
                format!("write `from({text})` or `to({text})`")
            }
            () if kinds.has(ValueKind::Permit) && is(ValueKind::Text) => format!("write `pieces({text})`"),
            () if kinds.has(ValueKind::Permit) && is(ValueKind::Truth) => match text.strip_suffix(".exists()") {
                Some(permit) => format!("write `{permit}`: `exists` only asks whether there is such a move"),
                None => "give it a permit, as any() or pieces(..)".into(),
            },
            () if kinds.has(ValueKind::Permit) => "give it a permit, as any() or pieces(..)".into(),
            () if kinds.has(ValueKind::Side) && is(ValueKind::Text) => {
                let side = arg
                    .only_text()
                    .filter(|text| self.world.is_some_and(|world| world.sides.iter().any(|s| s == text)));
                match side {
                    Some(_) => format!("write `side({text})`"),
                    None => "a side is mover(), opponent() or side(\"..\")".into(),
                }
            }
            () if kinds.has(ValueKind::Number) && is(ValueKind::Text) => {
                let digits = arg.only_text().filter(|text| text.parse::<i64>().is_ok());
                format!("write {}", digits.unwrap_or("a number, without quotes"))
            }
            () if kinds.has(ValueKind::Text) && is(ValueKind::Number) => format!("write \"{text}\""),
            () if kinds.has(ValueKind::Function) => {
                let dice = matches!(param.name, "permit") && text.contains("dice");
                format!("write a function: `|{}| {text}`", if dice || param.name == "permit" { "dice" } else { "it" })
            }
            () if kinds.has(ValueKind::Square) && is(ValueKind::Array) => {
                "give it one square, without the brackets".into()
            }
            () if kinds.has(ValueKind::Squares) && is(ValueKind::Square) => format!("write `squares({text})`"),
            () => return None,
        })
    }

    /// The arguments of a call as they stand in the script.
    fn argument_texts(&self, at: Place, exprs: &[&Expr], method: bool) -> Vec<String> {
        let Some(name) = self.tokens.iter().position(|token| token.at == at) else { return Vec::new() };
        let ranges = arguments(self.tokens, name + 1);
        let receiver = exprs.first().filter(|_| method).map(|expr| self.source(expr));
        let rest = ranges.iter().map(|range| text_of(self.text, self.tokens, range).to_string());
        receiver.into_iter().chain(rest).collect()
    }

    /// A property that is read.
    pub(super) fn property(&mut self, receiver: &Known, of: &Expr, name: &str, at: Place) -> Known {
        if let Some(entries) = receiver.entries.as_ref().filter(|_| receiver.kinds.is(ValueKind::Map)) {
            return entries.get(name).map_or_else(Known::any, |(_, value)| value.clone());
        }
        let full = |function: &&functions::Function| {
            function.name.split_once('.').is_some_and(|(_, property)| property == name)
        };
        let all: Vec<&functions::Function> = functions::all().map(|(_, function)| function).filter(full).collect();
        let owner = |function: &&&functions::Function| {
            function.forms.iter().any(|form| fits(form, std::slice::from_ref(receiver)))
        };
        let having: Vec<&functions::Function> = all.iter().filter(owner).copied().collect();
        if having.is_empty() {
            let is_map = receiver.kinds.has(ValueKind::Map);
            if receiver.kinds.known() && !is_map && !all.is_empty() {
                let owners: Vec<String> =
                    all.iter().filter_map(|f| f.forms.first()).map(|form| words(form.params[0].kind)).collect();
                let message =
                    format!("`{name}` is a property of {}, not of {}", owners.join(" or "), receiver.kinds.words());
                let help = self.property_cure(receiver, of, name);
                self.error(at, message, help);
            }
            return Known::any();
        }
        let results = having
            .iter()
            .flat_map(|function| &function.forms)
            .fold(Kinds::NONE, |all, form| all.and(Kinds::of(form.results)));
        let mut known = Known::of(results);
        if matches!(name, "kind" | "captured" | "promotion") {
            known.origin = Some(Origin::Piece);
        }
        known
    }

    fn property_cure(&self, receiver: &Known, of: &Expr, name: &str) -> String {
        let subject = self.source(of);
        let has = |f: &functions::Function| {
            f.name.contains('.') && f.forms.iter().any(|form| fits(form, std::slice::from_ref(receiver)))
        };
        let own: Vec<&str> = functions::all()
            .filter(|(_, f)| has(f))
            .filter_map(|(_, f)| f.name.split_once('.'))
            .map(|(_, p)| p)
            .collect();
        match () {
            () if receiver.kinds.is(ValueKind::Permit) => {
                format!("a permit is no move yet: write `let mv = play({subject});`, then `mv.{name}`")
            }
            () if receiver.kinds.is(ValueKind::Squares) => {
                format!("go through it: `for square in {subject} {{ square.{name} }}`")
            }
            () if receiver.kinds.is(ValueKind::Number) => format!("`{subject}` is a single number: use it as it is"),
            () if own.is_empty() => format!("ask before what `{subject}` is"),
            () => format!("`{subject}` has: {}", own.join(", ")),
        }
    }

    /// A value where true or false is wanted.
    pub(super) fn truth(&mut self, value: &Known, expr: &Expr, of: &str) {
        if !value.kinds.known() || value.kinds.has(ValueKind::Truth) || value.kinds == Kinds::NONE {
            return;
        }
        let source = self.source(expr);
        let is = |kind| value.kinds.is(kind);
        let help = match () {
            () if is(ValueKind::Permit) && (of == "||" || of == "&&") => {
                format!("permits are joined by `{}`", &of[..1])
            }
            () if is(ValueKind::Permit) => format!("ask whether it admits a move: `{source}.exists()`"),
            () if is(ValueKind::Squares) => format!("ask `!{source}.is_empty`"),
            () if is(ValueKind::Number) => format!("compare it, as `{source} > 0`"),
            () if is(ValueKind::Text) => format!("compare it, as `{source} == \"..\"`"),
            () if is(ValueKind::Nothing) => format!("do one after the other: `if .. {{ {source}; }}`"),
            () => format!("compare it, as `{source} != ()`"),
        };
        let at = match of {
            "if" | "while" | "!" => start(expr),
            _ => start(expr),
        };
        let where_ = if of == "if" { "a condition".to_string() } else { format!("`{of}`") };
        self.error(at, format!("{where_} takes true or false, not {}", value.kinds.words()), help);
    }
}

/// Functions of the interpreter that change the array, map or text that they are called for.
fn changes_in_place(name: &str) -> bool {
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

/// The same dice, of which it is not known what they show.
fn without_range(mut rolled: Known) -> Known {
    rolled.range = None;
    rolled.items.iter_mut().for_each(|item| item.range = None);
    rolled
}

/// A roll of dice that are known.
fn rolled(dice_text: &Known) -> Known {
    let unknown = Known::of(Kinds::of(&[ValueKind::Number, ValueKind::Array]));
    let Some(text) = dice_text.only_text() else { return unknown };
    let Ok(parsed) = dice::parse(text) else { return unknown };
    let faces = |die: &astragal_core::Die| {
        let all = die.faces().iter().map(|face| i64::from(*face));
        Known::number(all.clone().min().unwrap_or(0), all.max().unwrap_or(0)).from(Origin::Dice(text.into()))
    };
    match parsed.dice.as_slice() {
        [die] => faces(die),
        all => Known::list(all.iter().map(faces).collect()).from(Origin::Dice(text.into())),
    }
}

/// Whether a form takes so many arguments.
fn takes(form: &Form, count: usize) -> bool {
    (form.least()..=form.params.len()).contains(&count)
}

/// Whether the values may be what a form takes.
fn fits(form: &Form, args: &[Known]) -> bool {
    form.params
        .iter()
        .zip(args)
        .all(|(param, arg)| arg.kinds == Kinds::NONE || arg.kinds.meets(Kinds::accepted(param.kind)))
}

/// The order in which the values would fit, if they do in another.
fn swapped<'f>(forms: &[&'f Form], args: &[Known]) -> Option<(Vec<usize>, &'f Form)> {
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
    orders.sort_by_key(|order| order.iter().enumerate().filter(|(at, i)| at != *i).count());
    orders.into_iter().find_map(|order| {
        let sorted: Vec<Known> = order.iter().map(|&i| args[i].clone()).collect();
        forms.iter().find(|form| fits(form, &sorted)).map(|form| (order, *form))
    })
}

/// What a parameter takes, in words: the kind that is meant first.
fn words(kind: ParamKind) -> String {
    kind.accepts().first().map_or("something else", |kind| kind.words()).to_string()
}

fn shown(params: &[&Parameter]) -> String {
    let mut all: Vec<String> = params.iter().map(|param| words(param.kind)).collect();
    all.sort();
    all.dedup();
    all.join(" or ")
}
