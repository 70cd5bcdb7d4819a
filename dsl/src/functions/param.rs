//! Conversion of arguments and results between the interpreter and the bodies of rows, by their Rust types.
//!
//! The type of a parameter defines which kind of value it takes and how it is read. The type of a result defines which
//! kinds it can return. Arguments are read from left to right, before the body runs. Only through [`Call`] does a body
//! reach the run that it belongs to.

use crate::host::compared::Comparison;
use crate::host::convert::{number, small, text};
use crate::host::declare::Declaration;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::{ParamKind, ValueKind, words_for};
use crate::host::live::Live;
use crate::host::trace::{Host, Phase, caller};
use crate::host::values::{AmountV, BundleV, CastV, FacesV, MoveV, PermitV, SetV, SideV, SquareV};
use crate::notation::nearest;
use astragal_core::amount::Amount;
use astragal_core::query::{Find, Query};
use astragal_core::rule::SourceLocation;
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use astragal_core::{Kind, KindMask, Permit};
use rhai::{Array, Dynamic, FnPtr, FuncArgs, ImmutableString, Map, NativeCallContext};
use std::ops::Deref;

/// An option of a call: its key, and the kinds of values that it takes.
pub(crate) type OptionKey = (&'static str, &'static [ValueKind]);

/// A call in progress: its run, and its place in the script.
pub(crate) struct Call<'a> {
    pub(super) host: &'a Host,
    pub(super) context: &'a NativeCallContext<'a>,
    /// The options that the function takes.
    pub(super) options: &'static [OptionKey],
}

impl Deref for Call<'_> {
    type Target = Host;

    fn deref(&self) -> &Host {
        self.host
    }
}

impl Call<'_> {
    /// The interpreter's side of the call.
    pub(super) fn context(&self) -> &NativeCallContext<'_> {
        self.context
    }

    /// Its place in the script.
    pub(super) fn place(&self) -> Option<SourceLocation> {
        caller(self.context)
    }

    /// Calls a function that is an argument.
    pub(super) fn apply(&self, function: &FnPtr, args: impl FuncArgs) -> ScriptResult<Dynamic> {
        function.call_within_context(self.context, args)
    }

    /// Runs `f` on the declaration; in imported scripts it is skipped, in rules refused.
    pub(super) fn declare(&self, what: &str, f: impl FnOnce(&mut Declaration) -> ScriptResult<()>) -> ScriptResult<()> {
        let mut trace = self.trace();
        match trace.phase {
            Phase::Declaring => f(&mut trace.declaration),
            Phase::Importing => Ok(()),
            Phase::Running => {
                drop(trace);
                fail_help(
                    format!("`{}` is a declaration, so a rule cannot call it", what.trim_end_matches("()")),
                    Some("move the declaration to the top level of the script".into()),
                )
            }
        }
    }

    /// Whether the answer to a query is at least `least`.
    pub(super) fn at_least(&self, query: Query, least: i64) -> ScriptResult<bool> {
        self.ask_truth(Query::AtLeast(Box::new(query), least))
    }

    /// Asks the position for a number and adds `more`. If the script only compares the number, only the comparison is
    /// asked.
    pub(super) fn ask_number(&self, query: Query, more: i64) -> ScriptResult<i64> {
        let (asked, yes, no) = match self.comparison(self.context) {
            Some(Comparison::Number(number)) => {
                (Query::Equals(Box::new(query), number.saturating_sub(more)), number, number.wrapping_add(1))
            }
            Some(Comparison::AtLeast(number)) => {
                (Query::AtLeast(Box::new(query), number.saturating_sub(more)), number, number.saturating_sub(1))
            }
            Some(Comparison::Text(_) | Comparison::Nothing) | None => return Ok(self.ask(query)? + more),
        };
        Ok(if self.ask_truth(asked)? { yes } else { no })
    }

    /// Asks the position for the name of a kind, if any. If the script only compares the name, only the comparison is
    /// asked.
    pub(super) fn ask_kind(&self, query: Query) -> ScriptResult<Option<String>> {
        let (index, yes, no) = match self.comparison(self.context) {
            Some(Comparison::Nothing) => (-1, None, Some(String::new())),
            Some(Comparison::Text(name)) => match self.kind(&name) {
                Ok(kind) => (kind.0.into(), Some(name.to_string()), None),
                Err(_) => return Ok(self.kind_name(self.ask(query)?)),
            },
            Some(Comparison::Number(_) | Comparison::AtLeast(_)) | None => {
                return Ok(self.kind_name(self.ask(query)?));
            }
        };
        Ok(if self.ask_truth(Query::Equals(Box::new(query), index))? { yes } else { no })
    }

    /// A set of squares as a script holds it.
    pub(super) fn set_value(&self, set: SetExpr) -> SetV {
        SetV(set, self.host.clone())
    }

    /// Finds squares and holds them.
    pub(super) fn find_squares(&self, find: Find) -> ScriptResult<SetV> {
        Ok(self.set_value(SetExpr::Slot(self.find(find)?)))
    }
}

/// A type that a parameter of a body may have.
pub(super) trait Param: Sized {
    /// The kind of argument.
    const KIND: ParamKind;
    /// Whether it may be left out; only the last may.
    const OPTIONAL: bool = false;

    /// Reads an argument.
    fn read(call: &Call<'_>, value: &mut Dynamic) -> ScriptResult<Self>;

    /// The value of an omitted argument.
    fn absent() -> ScriptResult<Self> {
        fail("an argument is missing")
    }
}

impl<T: Param> Param for Option<T> {
    const KIND: ParamKind = T::KIND;
    const OPTIONAL: bool = true;

    fn read(call: &Call<'_>, value: &mut Dynamic) -> ScriptResult<Option<T>> {
        T::read(call, value).map(Some)
    }

    fn absent() -> ScriptResult<Option<T>> {
        Ok(None)
    }
}

/// A copy of an argument that the interpreter has chosen the function by.
fn exactly<T: Clone + 'static>(value: &Dynamic) -> ScriptResult<T> {
    match value.read_lock::<T>() {
        Some(value) => Ok(value.clone()),
        None => fail(format!("{} cannot be used here", words_for(value))),
    }
}

/// Types of the interpreter and of this crate that are passed on unchanged.
macro_rules! as_it_is {
    ($($type:ty => $kind:ident),* $(,)?) => {
        $(impl Param for $type {
            const KIND: ParamKind = ParamKind::$kind;

            fn read(_: &Call<'_>, value: &mut Dynamic) -> ScriptResult<$type> {
                exactly(value)
            }
        })*
    };
}

as_it_is! {
    i64 => Number,
    ImmutableString => Text,
    Array => Array,
    FnPtr => Function,
    SideV => Side,
    SquareV => Square,
    SetV => Squares,
    MoveV => Move,
    PermitV => Permit,
    FacesV => Rolled,
    CastV => Cast,
}

/// Texts with a meaning to the body, and other values that the body reads.
macro_rules! raw {
    ($($(#[$doc:meta])* $name:ident($inner:ty) => $kind:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            pub(super) struct $name(pub $inner);

            impl Param for $name {
                const KIND: ParamKind = ParamKind::$kind;

                fn read(_: &Call<'_>, value: &mut Dynamic) -> ScriptResult<$name> {
                    exactly(value).map($name)
                }
            }

            impl Deref for $name {
                type Target = $inner;

                fn deref(&self) -> &$inner {
                    &self.0
                }
            }
        )*
    };
}

raw! {
    /// One of a few words.
    Word(ImmutableString) => Word,
    /// A name that the call defines.
    NewName(ImmutableString) => NewName,
    /// The name of a declared piece; the body looks it up.
    KindName(ImmutableString) => PieceName,
    /// The name of a piece or side; the body finds out which.
    PieceOrSide(ImmutableString) => PieceName,
    /// The name of a counter.
    CounterName(ImmutableString) => CounterName,
    /// The name of an option.
    OptionName(ImmutableString) => OptionName,
    /// Squares and rectangles of them.
    SquareList(ImmutableString) => SquareList,
    /// Dice in dice notation.
    DiceText(ImmutableString) => Dice,
    /// A die for each of some pieces.
    DiceByPiece(Map) => DiceByPiece,
    /// Movement in Betza notation.
    Betza(ImmutableString) => Betza,
    /// A position as text.
    PositionText(ImmutableString) => Position,
    /// Faces that were rolled.
    Faces(Array) => Faces,
    /// Permits, one for each move.
    Permits(Array) => Permits,
}

/// Any value, passed on unchanged.
pub(super) struct Anything(pub Dynamic);

impl Param for Anything {
    const KIND: ParamKind = ParamKind::Any;

    fn read(_: &Call<'_>, value: &mut Dynamic) -> ScriptResult<Anything> {
        Ok(Anything(value.clone()))
    }
}

/// Squares in any accepted form; the body reads them.
pub(super) struct SomeSquares(pub Dynamic);

impl Param for SomeSquares {
    const KIND: ParamKind = ParamKind::SquaresOrNames;

    fn read(_: &Call<'_>, value: &mut Dynamic) -> ScriptResult<SomeSquares> {
        Ok(SomeSquares(value.clone()))
    }
}

/// One set of squares or an array of sets, each in any accepted form.
pub(super) struct SomeSets(pub Vec<SetExpr>);

impl Param for SomeSets {
    const KIND: ParamKind = ParamKind::SquaresOrNames;

    fn read(call: &Call<'_>, value: &mut Dynamic) -> ScriptResult<SomeSets> {
        let sets = match value.read_lock::<Array>() {
            Some(sets) => sets.iter().map(|set| call.set(set)).collect::<ScriptResult<Vec<SetExpr>>>()?,
            None => vec![call.set(value)?],
        };
        Ok(SomeSets(sets))
    }
}

/// Types of the engine that are read from several kinds of values, or from names.
macro_rules! read_by {
    ($($type:ty => $kind:ident, |$call:ident, $value:ident| $read:expr;)*) => {
        $(impl Param for $type {
            const KIND: ParamKind = ParamKind::$kind;

            fn read($call: &Call<'_>, $value: &mut Dynamic) -> ScriptResult<$type> {
                $read
            }
        })*
    };
}

/// The number of a region.
pub(super) struct Region(pub u8);

/// The number of a track.
pub(super) struct Track(pub u8);

/// The number of a mark on squares, and whether each side has its own.
pub(super) struct Mark(pub u8, pub bool);

/// The number of a trait.
pub(super) struct Trait(pub u8);

/// A square by its name.
pub(super) struct NamedSquare(pub SquareRef);

/// A side by its name.
pub(super) struct NamedSide(pub SideRef);

/// A hidden number, or a plain number combined with one.
pub(super) struct Operand(pub Amount);

read_by! {
    i16 => Number, |_call, value| small(number(value)?);
    SideRef => SideOrName, |call, value| call.side(value);
    SquareRef => SquareOrName, |call, value| call.square(value);
    SetExpr => SquaresOrNames, |call, value| call.set(value);
    Amount => Amount, |call, value| call.amount(value);
    KindMask => PieceNames, |call, value| call.kinds(value);
    Kind => PieceName, |call, value| call.kind(&text(value)?);
    Region => RegionName, |call, value| call.region(&text(value)?).map(Region);
    Track => TrackName, |call, value| call.track(&text(value)?).map(Track);
    Mark => MarkName, |call, value| call.mark(&text(value)?).map(|(index, each)| Mark(index, each));
    Trait => TraitName, |call, value| call.trait_index(&text(value)?).map(Trait);
    NamedSquare => SquareName, |call, value| call.square_named(&text(value)?).map(|square| NamedSquare(SquareRef::At(square)));
    NamedSide => SideName, |call, value| call.side(value).map(NamedSide);
    Operand => Reckoned, |_call, value| Ok(Operand(match value.read_lock::<AmountV>() {
        Some(amount) => amount.0.now(),
        None => Amount::Is(number(value)?),
    }));
}

impl Param for Permit {
    const KIND: ParamKind = ParamKind::PermitGiven;

    /// Takes the value, so that a permit made only for this call is dropped: it does not need to outlast a move.
    fn read(call: &Call<'_>, value: &mut Dynamic) -> ScriptResult<Permit> {
        let value = value.take();
        call.permit(&value)
    }
}

/// The options of a call; none if they are left out.
#[derive(Default)]
pub(super) struct Options {
    given: Map,
    known: &'static [OptionKey],
}

impl Param for Options {
    const KIND: ParamKind = ParamKind::Options;
    const OPTIONAL: bool = true;

    /// Rejects unknown keys, and suggests the nearest known one.
    fn read(call: &Call<'_>, value: &mut Dynamic) -> ScriptResult<Options> {
        let map: Map = exactly(value)?;
        let known = || call.options.iter().map(|(key, _)| *key);
        for key in map.keys() {
            if !known().any(|known| known == key.as_str()) {
                let help = nearest(key, known()).map(|name| format!("did you mean \"{name}\"?"));
                let name = call.context.fn_name();
                let all = || format!("the options of `{name}()` are: {}", known().collect::<Vec<_>>().join(", "));
                return fail_help(format!("`{name}` has no option \"{key}\""), help.or_else(|| Some(all())));
            }
        }
        Ok(Options { given: map, known: call.options })
    }

    fn absent() -> ScriptResult<Options> {
        Ok(Options::default())
    }
}

/// The options of a call that must have some, for forms whose result differs with options.
pub(super) struct GivenOptions(Options);

impl Param for GivenOptions {
    const KIND: ParamKind = ParamKind::Options;

    fn read(call: &Call<'_>, value: &mut Dynamic) -> ScriptResult<GivenOptions> {
        Options::read(call, value).map(GivenOptions)
    }
}

impl Deref for GivenOptions {
    type Target = Options;

    fn deref(&self) -> &Options {
        &self.0
    }
}

impl Options {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Dynamic> {
        let described = || self.known.iter().any(|(known, _)| *known == key);
        debug_assert!(self.known.is_empty() || described(), "the row does not list the option {key}");
        self.given.get(key)
    }

    /// A yes or no.
    pub(super) fn flag(&self, key: &str, default: bool) -> ScriptResult<bool> {
        match self.get(key) {
            None => Ok(default),
            Some(value) => {
                value.as_bool().or_else(|_| fail(format!("\"{key}\" must be true or false, not {}", words_for(value))))
            }
        }
    }

    /// A number, if there is one.
    pub(super) fn number(&self, key: &str) -> ScriptResult<Option<i64>> {
        self.get(key).map(number).transpose()
    }

    /// A text, if there is one.
    pub(super) fn text(&self, key: &str) -> ScriptResult<Option<String>> {
        self.get(key).map(text).transpose()
    }

    /// Texts by name, in the order of the names; none without it.
    pub(super) fn text_map(&self, key: &str) -> ScriptResult<Vec<(String, String)>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let Some(map) = value.read_lock::<Map>() else {
            return fail(format!("\"{key}\" must be a map of strings, not {}", words_for(value)));
        };
        map.iter().map(|(name, value)| Ok((name.to_string(), text(value)?))).collect()
    }

    /// Texts, if there are any: an array of them, or a single one.
    pub(super) fn texts(&self, key: &str) -> ScriptResult<Option<Vec<String>>> {
        let texts = |value: &Dynamic| match value.read_lock::<Array>() {
            Some(items) => items.iter().map(text).collect(),
            None => text(value).map(|word| vec![word]),
        };
        self.get(key).map(texts).transpose()
    }

    /// The only side that sees the roll, if the option `secret` is given: the side to move for `true`, or the given side.
    pub(super) fn secret(&self, call: &Call<'_>) -> ScriptResult<Option<SideRef>> {
        match self.get("secret") {
            None => Ok(None),
            Some(value) => match value.as_bool() {
                Ok(secret) => Ok(secret.then_some(SideRef::ToMove)),
                Err(_) => call.side(value).map(Some),
            },
        }
    }
}

/// A type that the result of a body may have.
pub(super) trait Answer {
    /// The kinds of values that it can return.
    const KINDS: &'static [ValueKind];

    /// The value as scripts get it.
    fn give(self) -> Dynamic;
}

/// A type of results that is of one kind.
pub(super) trait Single: Into<Given> {
    /// The kind.
    const KIND: ValueKind;
}

/// A value on its way to a script.
pub(super) struct Given(Dynamic);

macro_rules! single {
    ($($type:ty => $kind:ident),* $(,)?) => {
        $(
            impl From<$type> for Given {
                fn from(value: $type) -> Given {
                    Given(Dynamic::from(value))
                }
            }

            impl Single for $type {
                const KIND: ValueKind = ValueKind::$kind;
            }
        )*
    };
}

single! {
    () => Nothing,
    bool => Truth,
    i64 => Number,
    String => Text,
    SideV => Side,
    SquareV => Square,
    SetV => Squares,
    MoveV => Move,
    PermitV => Permit,
    BundleV => Payment,
    FacesV => Rolled,
    CastV => Cast,
    AmountV => Reckoned,
}

impl<T: Single> Answer for T {
    const KINDS: &'static [ValueKind] = &[T::KIND];

    fn give(self) -> Dynamic {
        let given: Given = self.into();
        given.0
    }
}

impl<T: Single> Answer for Option<T> {
    const KINDS: &'static [ValueKind] = &[T::KIND, ValueKind::Nothing];

    fn give(self) -> Dynamic {
        self.map_or(Dynamic::UNIT, Answer::give)
    }
}

/// The visible value of a roll: a number for one die, an array for several.
pub(super) struct Shown(pub Dynamic);

impl Answer for Shown {
    const KINDS: &'static [ValueKind] = &[ValueKind::Number, ValueKind::Array];

    fn give(self) -> Dynamic {
        self.0
    }
}

impl Answer for Option<Shown> {
    const KINDS: &'static [ValueKind] = &[ValueKind::Number, ValueKind::Array, ValueKind::Nothing];

    fn give(self) -> Dynamic {
        self.map_or(Dynamic::UNIT, |shown| shown.0)
    }
}

/// A choice: one of the texts, numbers or squares on offer, or a face that a pool holds.
pub(super) struct Chosen(pub Dynamic);

impl Answer for Chosen {
    const KINDS: &'static [ValueKind] = &[ValueKind::Text, ValueKind::Number, ValueKind::Square, ValueKind::Nothing];

    fn give(self) -> Dynamic {
        self.0
    }
}

/// The answer of a player who could move or choose: the move, the choice, or nothing.
pub(super) struct Played(pub Dynamic);

impl Played {
    /// A move that was made, or none.
    pub(super) fn of(made: Option<MoveV>) -> Played {
        Played(made.give())
    }

    /// The move that was made, if there were no alternatives.
    pub(super) fn made(self) -> Option<MoveV> {
        self.0.try_cast()
    }
}

impl Answer for Played {
    const KINDS: &'static [ValueKind] =
        &[ValueKind::Move, ValueKind::Text, ValueKind::Number, ValueKind::Square, ValueKind::Nothing];

    fn give(self) -> Dynamic {
        self.0
    }
}

/// Any result of a script function or an option.
impl Answer for Anything {
    const KINDS: &'static [ValueKind] = &ValueKind::ALL;

    fn give(self) -> Dynamic {
        self.0
    }
}

/// A number that cannot change after a permit, set or other value has been made.
pub(super) fn fixed_number(number: Amount) -> AmountV {
    AmountV(Live::fixed(number))
}

/// A body with erased types.
pub(crate) trait Bodied: Send + Sync {
    /// Runs it.
    fn run(&self, call: &Call<'_>, args: &mut [&mut Dynamic]) -> ScriptResult<Dynamic>;
}

/// A function of a call and `N` arguments of types `P`, with a result of type `R`.
pub(super) trait Body<P, R, const N: usize>: Sized {
    /// The kind of each parameter, and whether it is optional.
    fn params(&self) -> [(ParamKind, bool); N];

    /// The kinds of values that it can return.
    fn results(&self) -> &'static [ValueKind];

    /// The body with its types erased.
    fn forget(self) -> Box<dyn Bodied>;
}

/// A body with its types.
struct Typed<F, P, R>(F, std::marker::PhantomData<fn(P) -> R>);

/// Reads the next argument, or the value of an omitted one.
fn next<P: Param>(call: &Call<'_>, args: &mut std::slice::IterMut<'_, &mut Dynamic>) -> ScriptResult<P> {
    match args.next() {
        Some(value) => P::read(call, value),
        None => P::absent(),
    }
}

macro_rules! bodies {
    ($($count:literal => $($param:ident)*;)*) => {
        $(
            impl<F, R, $($param,)*> Body<($($param,)*), R, $count> for F
            where
                F: Fn(&Call<'_>, $($param),*) -> ScriptResult<R> + Send + Sync + 'static,
                R: Answer + 'static,
                $($param: Param + 'static,)*
            {
                fn params(&self) -> [(ParamKind, bool); $count] {
                    [$(($param::KIND, $param::OPTIONAL)),*]
                }

                fn results(&self) -> &'static [ValueKind] {
                    R::KINDS
                }

                fn forget(self) -> Box<dyn Bodied> {
                    Box::new(Typed::<F, ($($param,)*), R>(self, std::marker::PhantomData))
                }
            }

            impl<F, R, $($param,)*> Bodied for Typed<F, ($($param,)*), R>
            where
                F: Fn(&Call<'_>, $($param),*) -> ScriptResult<R> + Send + Sync + 'static,
                R: Answer + 'static,
                $($param: Param + 'static,)*
            {
                fn run(&self, call: &Call<'_>, args: &mut [&mut Dynamic]) -> ScriptResult<Dynamic> {
                    #[allow(unused_mut, unused_variables)]
                    let mut args = args.iter_mut();
                    (self.0)(call, $(next::<$param>(call, &mut args)?),*).map(Answer::give)
                }
            }
        )*
    };
}

bodies! {
    0 => ;
    1 => A;
    2 => A B;
    3 => A B C;
    4 => A B C D;
    5 => A B C D E;
}
