//! Converts script values to the engine's, with errors that suggest the intended value.

use super::error::{HostError, ScriptResult, error, fail, fail_help};
use super::kind::words_for;
use super::size_limit;
use super::trace::Host;
use super::values::{AmountV, MoveV, PermitV, SetV, SideV, SquareV};
use crate::notation::{NotationError, nearest};
use astragal_core::amount::Amount;
use astragal_core::board::Board;
use astragal_core::permit::Permit;
use astragal_core::query::Find;
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use astragal_core::{Kind, KindMask, Side, Square, SquareSet};
use rhai::{Array, Dynamic, EvalAltResult, ImmutableString};

fn wrong<T>(expected: &str, value: &Dynamic) -> ScriptResult<T> {
    fail(format!("expected {expected}, found {}", words_for(value)))
}

/// The nearest of some names, all of them, or if there are none, how to declare one with this function and argument.
fn named_or_declared<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
    function: &str,
    argument: &str,
) -> Option<String> {
    let declare = || format!("declare it at the top, as in `{function}(\"{name}\", {argument})`");
    did_you_mean(name, names).or_else(|| Some(declare()))
}

pub(crate) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    match nearest(word, names.clone()) {
        Some(name) => Some(format!("did you mean \"{name}\"?")),
        None => {
            let known: Vec<_> = names.into_iter().take(12).collect();
            (!known.is_empty()).then(|| format!("known names: {}", known.join(", ")))
        }
    }
}

impl Host {
    /// A kind by its name.
    pub(crate) fn kind(&self, name: &str) -> ScriptResult<Kind> {
        let trace = self.trace();
        let kinds = &trace.declaration.spec.kinds;
        match kinds.iter().position(|k| k.name == name) {
            Some(i) => Ok(Kind(i as u8)),
            None => {
                let help = did_you_mean(name, kinds.iter().map(|k| k.name.as_str()));
                fail_help(format!("there is no piece called \"{name}\""), help)
            }
        }
    }

    /// A kind's name, if there is a kind of this index.
    pub(crate) fn kind_name(&self, index: i64) -> Option<String> {
        let trace = self.trace();
        let kind = trace.declaration.spec.kinds.get(usize::try_from(index).ok()?)?;
        Some(kind.name.clone())
    }

    /// One kind, or an array of them.
    pub(crate) fn kinds(&self, value: &Dynamic) -> ScriptResult<KindMask> {
        if let Ok(name) = value.clone().into_string() {
            return self.kind(&name).map(KindMask::from);
        }
        match value.read_lock::<Array>() {
            Some(items) => items.iter().try_fold(KindMask::NONE, |all, item| Ok(KindMask(all.0 | self.kinds(item)?.0))),
            None => wrong("the name of a piece", value),
        }
    }

    /// A kind by its name, in a place that also accepts a side.
    pub(crate) fn kind_or_side(&self, name: &str) -> ScriptResult<Kind> {
        let trace = self.trace();
        let spec = &trace.declaration.spec;
        let kinds = spec.kinds.iter().map(|k| k.name.as_str());
        if let Some(i) = kinds.clone().position(|kind| kind == name) {
            return Ok(Kind(i as u8));
        }
        let help = did_you_mean(name, kinds.chain(spec.sides.iter().map(|s| s.name.as_str())));
        fail_help(format!("there is no piece or side called \"{name}\""), help)
    }

    /// The side of this name.
    pub(crate) fn side_named(&self, name: &str) -> Option<SideRef> {
        let trace = self.trace();
        let side = trace.declaration.spec.sides.iter().position(|s| s.name == name)?;
        Some(SideRef::Is(Side(side as u8)))
    }

    /// A side: a value, or its name.
    pub(crate) fn side(&self, value: &Dynamic) -> ScriptResult<SideRef> {
        if let Some(side) = value.read_lock::<SideV>() {
            return Ok(side.0.now());
        }
        let Ok(name) = value.clone().into_string() else { return wrong("a side", value) };
        let trace = self.trace();
        let sides = &trace.declaration.spec.sides;
        match sides.iter().position(|s| s.name == name.as_str()) {
            Some(i) => Ok(SideRef::Is(Side(i as u8))),
            None => fail_help(
                format!("there is no side called \"{name}\""),
                did_you_mean(&name, sides.iter().map(|s| s.name.as_str())),
            ),
        }
    }

    /// A square by its name.
    pub(crate) fn square_named(&self, name: &str) -> ScriptResult<Square> {
        let trace = self.trace();
        let board = &trace.declaration.spec.board;
        match board.parse(name) {
            Some(square) => Ok(square),
            None => {
                let (low, high) = (Square(0), Square((board.len() - 1) as u8));
                let region = board.regions().iter().any(|region| region.name == name);
                let kind = trace.declaration.spec.kinds.iter().any(|kind| kind.name == name);
                let mark = trace.declaration.spec.marks.iter().any(|mark| mark.name == name);
                let help = match (region, kind) {
                    _ if mark => {
                        format!("it is a mark: write its name after the square, as in `mark(square, \"{name}\")`")
                    }
                    (true, _) => format!("it is a region: write `region(\"{name}\")`"),
                    (_, true) => format!(
                        "it is a piece: for its moves, write `pieces(\"{name}\")`; for its squares, \
                         `squares_of(mover(), \"{name}\")`"
                    ),
                    _ => match turned(name).filter(|name| board.parse(name).is_some()) {
                        Some(near) if near.eq_ignore_ascii_case(name) => {
                            format!("did you mean \"{near}\"? Files are lowercase letters")
                        }
                        Some(near) => format!("did you mean \"{near}\"? Write the file before the rank"),
                        None => format!("the board has squares {} to {}", board.name(low), board.name(high)),
                    },
                };
                fail_help(format!("there is no square \"{name}\" on this board"), Some(help))
            }
        }
    }

    /// A square: a value, its name, or a set of no more than one.
    pub(crate) fn square(&self, value: &Dynamic) -> ScriptResult<SquareRef> {
        if let Some(square) = value.read_lock::<SquareV>() {
            return Ok(square.0.now());
        }
        if let Some(mv) = value.read_lock::<MoveV>() {
            return Ok(SquareRef::To(mv.0));
        }
        if let Some(set) = value.read_lock::<SetV>() {
            return Ok(SquareRef::Slot(self.find(Find::Only(set.0.clone()))?));
        }
        match value.clone().into_string() {
            Ok(name) => self.square_named(&name).map(SquareRef::At),
            Err(_) => wrong("a square", value),
        }
    }

    /// A region's index.
    pub(crate) fn region(&self, name: &str) -> ScriptResult<u8> {
        let trace = self.trace();
        let regions = trace.declaration.spec.board.regions();
        match regions.iter().position(|r| r.name == name) {
            Some(i) => Ok(i as u8),
            None => fail_help(
                format!("there is no region called \"{name}\""),
                named_or_declared(name, regions.iter().map(|r| r.name.as_str()), "region", "\"..\""),
            ),
        }
    }

    /// A track's index.
    pub(crate) fn track(&self, name: &str) -> ScriptResult<u8> {
        let trace = self.trace();
        let tracks = &trace.declaration.spec.tracks;
        match tracks.iter().position(|t| t.name == name) {
            Some(i) => Ok(i as u8),
            None => fail_help(
                format!("there is no track called \"{name}\""),
                named_or_declared(name, tracks.iter().map(|t| t.name.as_str()), "track", "\"..\""),
            ),
        }
    }

    /// A set: a value, a square, the name of one, a list as `"a1 c3-e5"`, or an array of these.
    pub(crate) fn set(&self, value: &Dynamic) -> ScriptResult<SetExpr> {
        if let Some(set) = value.read_lock::<SetV>() {
            return Ok(set.0.clone());
        }
        if let Some(items) = value.read_lock::<Array>() {
            let empty = SetExpr::Is(Default::default());
            let joined =
                items.iter().try_fold(empty, |all, item| -> ScriptResult<SetExpr> { Ok(join(all, self.set(item)?)) });
            return joined.and_then(size_limit::bounded_set);
        }
        if let Some(text) = value.read_lock::<ImmutableString>().filter(|text| text.contains([' ', ',', '-'])) {
            return squares_of_text(&self.trace().declaration.spec.board, &text).map(SetExpr::Is);
        }
        match self.square(value) {
            Ok(SquareRef::At(square)) => Ok(SetExpr::Is(square.into())),
            Ok(square) => Ok(SetExpr::One(square)),
            Err(_) if !value.is_string() => wrong("squares", value),
            Err(error) => Err(error),
        }
    }

    /// A permit. `()` is rejected, because a function that forgets to return a permit would permit no move.
    pub(crate) fn permit(&self, value: &Dynamic) -> ScriptResult<Permit> {
        if value.is_unit() {
            let help = "a function returns its last expression: end every branch with a permit; to permit no \
                 move, return `nothing()`";
            return fail_help("expected a permit such as `any()`, found `()`", Some(help.into()));
        }
        match value.read_lock::<PermitV>() {
            Some(permit) => Ok(permit.0.now()),
            None => wrong("a permit such as `any()` or `pieces(\"rook\")`", value),
        }
    }

    /// A counter's index, and whether each side has its own.
    pub(crate) fn counter(&self, name: &str) -> ScriptResult<(u8, bool)> {
        let trace = self.trace();
        let counters = &trace.declaration.spec.counters;
        match counters.iter().position(|c| c.name == name) {
            Some(i) => Ok((i as u8, counters[i].per_side)),
            None => fail_help(
                format!("there is no counter called \"{name}\""),
                did_you_mean(name, counters.iter().map(|c| c.name.as_str())),
            ),
        }
    }

    /// A number: known, or to be calculated with.
    pub(crate) fn amount(&self, value: &Dynamic) -> ScriptResult<Amount> {
        match value.read_lock::<AmountV>() {
            Some(amount) => Ok(amount.0.now()),
            None => Ok(Amount::Is(i64::from(small(number(value)?)?))),
        }
    }

    /// A mark's index, and whether each side has its own.
    pub(crate) fn mark(&self, name: &str) -> ScriptResult<(u8, bool)> {
        let trace = self.trace();
        let marks = &trace.declaration.spec.marks;
        match marks.iter().position(|mark| mark.name == name) {
            Some(i) => Ok((i as u8, marks[i].per_side)),
            None => {
                let declare = || format!("declare them at the top: `marks(\"{name}\")`");
                let help = did_you_mean(name, marks.iter().map(|mark| mark.name.as_str())).unwrap_or_else(declare);
                fail_help(format!("there are no marks called \"{name}\""), Some(help))
            }
        }
    }

    /// A trait's index.
    pub(crate) fn trait_index(&self, name: &str) -> ScriptResult<u8> {
        let trace = self.trace();
        let traits = &trace.declaration.spec.traits;
        match traits.iter().position(|t| t.name == name) {
            Some(i) => Ok(i as u8),
            None => fail_help(
                format!("pieces have no trait called \"{name}\""),
                named_or_declared(name, traits.iter().map(|t| t.name.as_str()), "piece_trait", "0"),
            ),
        }
    }
}

/// Reads squares and rectangles of them: `a1 c3-e5`.
pub(crate) fn squares_of_text(board: &Board, text: &str) -> ScriptResult<SquareSet> {
    let mut set = SquareSet::EMPTY;
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (from, to) = word.split_once('-').unwrap_or((word, word));
        let (Some(a), Some(b)) = (board.parse(from), board.parse(to)) else {
            let names: Vec<&str> = word.split([':', '.', '/', '–']).filter(|name| !name.is_empty()).collect();
            let help = match names[..] {
                [] | ["-"] => {
                    let joined = text.replace(" - ", "-");
                    format!("write a rectangle without spaces: \"{joined}\"")
                }
                [a, b] if word != a && board.parse(a).and(board.parse(b)).is_some() => format!("write \"{a}-{b}\""),
                _ if word.split('-').any(|name| name.trim_start_matches(|c: char| c.is_ascii_alphabetic()) == "0") => {
                    "the ranks of this board start at 1; to start at 0, declare `board(.., #{ first_rank: 0 })`".into()
                }
                _ if board.parse(&from.to_lowercase()).and(board.parse(&to.to_lowercase())).is_some() => {
                    format!("write files in lowercase: \"{}\"", word.to_lowercase())
                }
                _ if turned(word).is_some_and(|name| board.parse(&name).is_some()) => {
                    format!("did you mean \"{}\"? Write the file before the rank", turned(word).unwrap_or_default())
                }
                _ => {
                    let (first, last) = (board.name(Square(0)), board.name(Square((board.len() - 1) as u8)));
                    format!("write squares and rectangles as in \"a1 c3-e5\"; this board has squares {first} to {last}")
                }
            };
            return fail_help(format!("\"{word}\" is not a square or rectangle on this board"), Some(help));
        };
        let files = board.file(a).min(board.file(b))..=board.file(a).max(board.file(b));
        let ranks = board.rank(a).min(board.rank(b))..=board.rank(a).max(board.rank(b));
        set |= board
            .squares()
            .into_iter()
            .filter(|&s| files.contains(&board.file(s)) && ranks.contains(&board.rank(s)))
            .collect();
    }
    Ok(set)
}

/// The same for tools that read scripts: `a1 c3-e5`.
///
/// # Errors
/// The message, with advice.
pub fn squares_from_text(board: &Board, text: &str) -> Result<SquareSet, String> {
    squares_of_text(board, text).map_err(|error| match *error {
        EvalAltResult::ErrorRuntime(value, _) => match value.try_cast::<HostError>() {
            Some(HostError { message, help: Some(help), .. }) => format!("{message}; {help}"),
            Some(HostError { message, .. }) => message,
            None => "it is not a list of squares".into(),
        },
        other => other.to_string(),
    })
}

/// The union of both sets; constant sets are merged immediately.
pub(crate) fn join(a: SetExpr, b: SetExpr) -> SetExpr {
    match (a, b) {
        (SetExpr::Is(a), SetExpr::Is(b)) => SetExpr::Is(a | b),
        (SetExpr::Is(a), b) if a.is_empty() => b,
        (a, b) => SetExpr::Or(Box::new(a), Box::new(b)),
    }
}

/// A number that fits the engine's small numbers.
pub(crate) fn small(value: i64) -> ScriptResult<i16> {
    i16::try_from(value)
        .or_else(|_| fail(format!("{value} is out of range: stored numbers must be from -32768 to 32767")))
}

/// One of -1, 0 and 1: part of a direction.
pub(crate) fn sign(value: i64) -> ScriptResult<i8> {
    match value {
        -1..=1 => Ok(value as i8),
        _ => fail(format!("the parts of a direction must be -1, 0 or 1, not {value}")),
    }
}

/// A number from a script value.
pub(crate) fn number(value: &Dynamic) -> ScriptResult<i64> {
    value.as_int().or_else(|_| wrong("a number", value))
}

/// A text from a script value.
pub(crate) fn text(value: &Dynamic) -> ScriptResult<String> {
    value.clone().into_string().or_else(|_| wrong("a string", value))
}

/// An error about a notation inside a call.
pub(crate) fn misread<T>(e: NotationError) -> ScriptResult<T> {
    let message = format!("{}: {}", e.notation, e.difference());
    let help = e.help.clone().or_else(|| e.usual().map(String::from));
    Err(error(HostError { message, help, blamed: Some((e.input.to_string(), e.span.clone())) }))
}

/// Corrects the name of a square that is in capitals or has its letters and digits swapped.
fn turned(name: &str) -> Option<String> {
    let digits = name.chars().take_while(char::is_ascii_digit).count();
    let (rank, file) = name.split_at(digits);
    (!file.is_empty()).then(|| format!("{}{rank}", file.to_ascii_lowercase()))
}
