//! The functions that scripts can call, with one row each, grouped by subject.
//!
//! A row ([`row`]) holds the documentation of a function and its implementation. All other tables of functions are made
//! from the rows: the registration with the interpreter ([`register`]), the reference and the definition file
//! ([`crate::manual`]), and the checker's knowledge. Rows ask and act only through [`param::Call`] and keep nothing between
//! calls. Invariant: scripts cannot call any function of this crate without a row.

mod decisions;
mod declarations;
mod dice;
mod effects;
mod game_flow;
mod moves;
mod numbers;
mod outcomes;
mod param;
mod permits;
mod row;
mod sides;
mod squares;

#[cfg(test)]
mod tests;

pub(crate) use declarations::{PIECE_OPTIONS, reserved_in_positions};
pub(crate) use row::{Chapter, Cost, ExampleContext, Fact, Form, Function, Parameter, Row, in_one_line};

use crate::host::error::fail;
use crate::host::kind::{self, ParamKind, ValueKind};
use crate::host::trace::Host;
use param::Call;
use rhai::{Dynamic, Engine, FuncRegistration, Module, NativeCallContext, RhaiFunc, Shared};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// All rows, in the order of the reference.
pub(crate) fn chapters() -> &'static [Chapter] {
    static CHAPTERS: LazyLock<Vec<Chapter>> = LazyLock::new(|| {
        vec![
            declarations::chapter(),
            dice::chapter(),
            decisions::chapter(),
            permits::chapter(),
            sides::chapter(),
            squares::chapter(),
            moves::chapter(),
            numbers::chapter(),
            effects::chapter(),
            game_flow::chapter(),
        ]
    });
    &CHAPTERS
}

/// All rows.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    chapters().iter().flat_map(|chapter| &chapter.rows)
}

/// All functions, each with its row.
pub(crate) fn all() -> impl Iterator<Item = (&'static Row, &'static Function)> {
    rows().flat_map(|row| row.functions.iter().map(move |function| (row, function)))
}

/// The functions of a name, with their rows.
pub(crate) fn named(name: &str) -> impl Iterator<Item = (&'static Row, &'static Function)> {
    all().filter(move |(_, function)| function.name == name)
}

/// Whether a function of this name has a fact.
pub(crate) fn has_fact(name: &str, fact: Fact) -> bool {
    named(name).any(|(_, function)| function.facts.contains(&fact))
}

/// Whether a call of this name has a cost.
pub(crate) fn costs(name: &str, cost: Cost) -> bool {
    named(name).any(|(row, _)| row.cost == cost)
}

/// The names of all functions that have a cost.
pub(crate) fn names_costing(cost: Cost) -> BTreeSet<&'static str> {
    all().filter(|(row, _)| row.cost == cost).map(|(_, function)| function.name).collect()
}

/// Whether a function with this fact is among those that a script, or one that it imports, calls. Code that never runs
/// counts, too.
pub(crate) fn is_called(fact: Fact, calls: &BTreeSet<String>) -> bool {
    // A function named by a text can be any function.
    calls.contains("Fn") || all().any(|(_, function)| function.facts.contains(&fact) && calls.contains(function.name))
}

/// Whether a call of this name can return a value of this kind.
pub(crate) fn gives(name: &str, kind: ValueKind) -> bool {
    named(name).flat_map(|(_, function)| &function.forms).any(|form| form.results.contains(&kind))
}

/// Whether calls of this name take an option.
pub(crate) fn takes_option(name: &str, key: &str) -> bool {
    named(name).any(|(row, _)| row.options.iter().any(|(known, _)| *known == key))
}

/// The index of the first parameter of a kind in the calls of this name.
pub(crate) fn position_of(name: &str, kind: ParamKind) -> Option<usize> {
    position_where(name, |param| param.kind == kind)
}

/// The index of the first such parameter in the calls of this name.
pub(crate) fn position_where(name: &str, is: impl Fn(&Parameter) -> bool) -> Option<usize> {
    named(name).flat_map(|(_, function)| &function.forms).find_map(|form| form.params.iter().position(&is))
}

/// Whether a call with `functions` functions among its arguments takes a `key`, whose result the rule sees instead of
/// faces.
pub(crate) fn takes_key(name: &str, functions: usize) -> bool {
    let taken = |form: &Form| form.params.iter().filter(|param| param.kind == ParamKind::Function).count();
    let keyed = |form: &Form| form.params.iter().any(|param| param.name == "key");
    named(name).flat_map(|(_, function)| &function.forms).any(|form| keyed(form) && taken(form) == functions)
}

/// The words that an option of a call takes, as its description lists them in parentheses after its name.
pub(crate) fn words_of_option(name: &str, key: &str) -> Vec<&'static str> {
    let option = format!("`{key}`");
    // A line may end between an option and its values.
    let values = |after: &'static str| after.trim_start().strip_prefix('(')?.split_once(')').map(|(list, _)| list);
    let behind =
        |about: &'static str| about.match_indices(&option).find_map(|(at, _)| values(&about[at + option.len()..]));
    let list = named(name).find_map(|(row, _)| behind(row.about)).unwrap_or_default();
    list.split('`').skip(1).step_by(2).filter(|word| word.starts_with('"')).collect()
}

/// The words that a parameter takes, quoted, as the description of its row lists them. A description of two such parameters
/// lists those of the second one after the words `second argument`.
pub(crate) fn words_of_parameter(name: &str, index: usize) -> Vec<&'static str> {
    let takes_words = |form: &Form| form.params.get(index).is_some_and(|param| param.kind == ParamKind::Word);
    let row = named(name).find(|(_, function)| function.forms.iter().any(takes_words)).map(|(row, _)| row);
    let part = row.and_then(|row| row.about.split("second argument").nth(index)).unwrap_or_default();
    part.split('`').skip(1).step_by(2).filter(|word| word.starts_with('"')).collect()
}

impl Function {
    /// Its name in the interpreter.
    pub(crate) fn internal_name(&self) -> String {
        match self.name.split_once('.') {
            Some((_, property)) => format!("get${property}"),
            None if self.name.ends_with("[]") => "index$get$".into(),
            None => self.name.into(),
        }
    }

    /// Whether it is written after its receiver: a property or an index.
    fn is_part(&self) -> bool {
        self.name.contains('.') || self.name.ends_with("[]")
    }

    /// Whether it is written between its operands.
    pub(crate) fn is_operator(&self) -> bool {
        !self.name.starts_with(|c: char| c.is_alphabetic())
    }

    /// A form as the reference prints it.
    pub(crate) fn signature(&self, form: &Form) -> String {
        let one = |param: &Parameter| {
            format!("{}{}: {}", param.name, if param.optional { "?" } else { "" }, param.kind.word())
        };
        let params = |params: &[Parameter]| params.iter().map(one).collect::<Vec<_>>().join(", ");
        match self.name.strip_suffix("[]") {
            Some(owner) => format!("{owner}[{}]", params(&form.params[1..])),
            None if self.name.contains('.') => self.name.into(),
            None if self.is_operator() => format!("operator {}({})", self.name, params(&form.params)),
            None => format!("{}({})", self.name, params(&form.params)),
        }
    }
}

impl Form {
    /// How many arguments must be given.
    pub(crate) fn least(&self) -> usize {
        self.params.iter().filter(|param| !param.optional).count()
    }

    /// The argument types that identify this form for the interpreter. If it takes several `Reckoned` numbers, at least one
    /// of them is one of our numbers: arithmetic on plain integers stays with the interpreter.
    pub(crate) fn types(&self) -> Vec<Vec<TypeId>> {
        let mut all = Vec::new();
        for count in self.least()..=self.params.len() {
            let params = &self.params[..count];
            let reckoned: Vec<usize> = (0..count).filter(|&i| params[i].kind == ParamKind::Reckoned).collect();
            let types: Vec<TypeId> = params.iter().map(|param| param.kind.type_id()).collect();
            all.push(types.clone());
            if reckoned.len() > 1 {
                all.extend(reckoned.iter().map(|&plain| {
                    let mut types = types.clone();
                    types[plain] = ParamKind::Number.type_id();
                    types
                }));
            }
        }
        all
    }
}

/// Registers all functions with an interpreter, for runs of `host`.
pub(crate) fn register(engine: &mut Engine, host: &Host) {
    kind::name_types(engine);
    squares::register_iteration(engine);
    let mut module = Module::new();
    for (row, function) in all() {
        for (form, types) in function.forms.iter().flat_map(|form| form.types().into_iter().map(move |t| (form, t))) {
            let host = host.clone();
            let run = move |context: Option<NativeCallContext<'_>>, args: &mut [&mut Dynamic]| {
                let Some(context) = &context else { return fail("a call without a place") };
                let call = Call { host: &host, context, options: row.options };
                form.body.run(&call, args)
            };
            let (func, has_context, is_pure, is_volatile) = (Shared::new(run), true, true, false);
            // A property borrows its receiver instead of copying it.
            let func = match function.is_part() {
                true => RhaiFunc::Method { func, has_context, is_pure, is_volatile },
                false => RhaiFunc::Pure { func, has_context, is_pure, is_volatile },
            };
            FuncRegistration::new(function.internal_name()).in_global_namespace().set_into_module_raw(
                &mut module,
                types,
                func,
            );
        }
    }
    engine.register_global_module(module.into());
}
