//! Kinds of values and of parameters, and the words for both.
//!
//! The only module that knows the names of kinds in messages, in the reference, in definition files and in the interpreter.
//! It knows no functions. All of it is data, so that scripts can be analyzed before they run.

use super::values::{AmountV, BundleV, CastV, FacesV, MoveV, PermitV, SetV, SideV, SquareV};
use rhai::{Array, Dynamic, Engine, FnPtr, ImmutableString, Map};
use std::any::TypeId;

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ValueKind {
    /// The empty value `()`.
    Nothing,
    /// `true` or `false`.
    Truth,
    /// A number that the rule sees.
    Number,
    /// A text.
    Text,
    /// An array.
    Array,
    /// A map.
    Map,
    /// A function as a value, as `|x| ..`.
    Function,
    /// A side.
    Side,
    /// A square, and the piece on it.
    Square,
    /// A set of squares.
    Squares,
    /// A move that was made or is being considered.
    Move,
    /// A description of a set of moves.
    Permit,
    /// Several dice together paying for a move.
    Payment,
    /// Faces rolled for the pieces on squares.
    Rolled,
    /// Dice whose faces can be calculated with but are hidden from the rule.
    Cast,
    /// A number that can be calculated with but is hidden from the rule.
    Reckoned,
}

impl ValueKind {
    /// All kinds.
    pub(crate) const ALL: [ValueKind; 16] = [
        ValueKind::Nothing,
        ValueKind::Truth,
        ValueKind::Number,
        ValueKind::Text,
        ValueKind::Array,
        ValueKind::Map,
        ValueKind::Function,
        ValueKind::Side,
        ValueKind::Square,
        ValueKind::Squares,
        ValueKind::Move,
        ValueKind::Permit,
        ValueKind::Payment,
        ValueKind::Rolled,
        ValueKind::Cast,
        ValueKind::Reckoned,
    ];

    /// The kind in the words of messages, with its article.
    pub fn words(self) -> &'static str {
        match self {
            ValueKind::Nothing => "`()`",
            ValueKind::Truth => "true or false",
            ValueKind::Number => "a number",
            ValueKind::Text => "a string",
            ValueKind::Array => "an array",
            ValueKind::Map => "a map",
            ValueKind::Function => "a function",
            ValueKind::Side => "a side",
            ValueKind::Square => "a square",
            ValueKind::Squares => "a set of squares",
            ValueKind::Move => "a move",
            ValueKind::Permit => "a permit",
            ValueKind::Payment => "a payment",
            ValueKind::Rolled => "rolled faces",
            ValueKind::Cast => "dice from `cast()`",
            ValueKind::Reckoned => "a computed number",
        }
    }

    /// The kind in one word, for signatures.
    pub fn word(self) -> &'static str {
        match self {
            ValueKind::Nothing => "nothing",
            ValueKind::Truth => "truth",
            ValueKind::Number => "number",
            ValueKind::Text => "string",
            ValueKind::Array => "array",
            ValueKind::Map => "map",
            ValueKind::Function => "function",
            ValueKind::Side => "side",
            ValueKind::Square => "square",
            ValueKind::Squares => "squares",
            ValueKind::Move => "move",
            ValueKind::Permit => "permit",
            ValueKind::Payment => "payment",
            ValueKind::Rolled => "rolled",
            ValueKind::Cast => "cast",
            ValueKind::Reckoned => "computed",
        }
    }

    /// The type in definition files for editors. The interpreter uses the same names for this crate's types.
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            ValueKind::Nothing => "()",
            ValueKind::Truth => "bool",
            ValueKind::Number => "int",
            ValueKind::Text => "String",
            ValueKind::Array => "Array",
            ValueKind::Map => "Map",
            ValueKind::Function => "FnPtr",
            ValueKind::Side => "Side",
            ValueKind::Square => "Square",
            ValueKind::Squares => "Squares",
            ValueKind::Move => "Move",
            ValueKind::Permit => "Permit",
            ValueKind::Payment => "Payment",
            ValueKind::Rolled => "Rolled",
            ValueKind::Cast => "Cast",
            ValueKind::Reckoned => "Number",
        }
    }

    /// The type by which the interpreter recognizes arguments of this kind.
    fn type_id(self) -> TypeId {
        match self {
            ValueKind::Nothing => TypeId::of::<()>(),
            ValueKind::Truth => TypeId::of::<bool>(),
            ValueKind::Number => TypeId::of::<i64>(),
            ValueKind::Text => TypeId::of::<ImmutableString>(),
            ValueKind::Array => TypeId::of::<Array>(),
            ValueKind::Map => TypeId::of::<Map>(),
            ValueKind::Function => TypeId::of::<FnPtr>(),
            ValueKind::Side => TypeId::of::<SideV>(),
            ValueKind::Square => TypeId::of::<SquareV>(),
            ValueKind::Squares => TypeId::of::<SetV>(),
            ValueKind::Move => TypeId::of::<MoveV>(),
            ValueKind::Permit => TypeId::of::<PermitV>(),
            ValueKind::Payment => TypeId::of::<BundleV>(),
            ValueKind::Rolled => TypeId::of::<FacesV>(),
            ValueKind::Cast => TypeId::of::<CastV>(),
            ValueKind::Reckoned => TypeId::of::<AmountV>(),
        }
    }

    /// The kind of values of a type; `None` for types that only the interpreter has.
    pub(crate) fn of_type(id: TypeId) -> Option<ValueKind> {
        let texts = [TypeId::of::<&str>(), TypeId::of::<String>()];
        let known = ValueKind::ALL.into_iter().find(|kind| kind.type_id() == id);
        known.or_else(|| texts.contains(&id).then_some(ValueKind::Text))
    }

    /// The kind with this name in errors of the interpreter: its own name, the name in definition files, or the Rust type.
    pub(crate) fn named(name: &str) -> Option<ValueKind> {
        let name = name.trim_start_matches('&').trim_start_matches("mut ");
        let own = [
            ("i64", ValueKind::Number),
            ("text", ValueKind::Text),
            ("string", ValueKind::Text),
            ("&str", ValueKind::Text),
            ("str", ValueKind::Text),
            ("array", ValueKind::Array),
            ("map", ValueKind::Map),
            ("Fn", ValueKind::Function),
            ("boolean", ValueKind::Truth),
            ("()", ValueKind::Nothing),
        ];
        let own = own.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind);
        let rust = || {
            let types = [
                (std::any::type_name::<SideV>(), ValueKind::Side),
                (std::any::type_name::<SquareV>(), ValueKind::Square),
                (std::any::type_name::<SetV>(), ValueKind::Squares),
                (std::any::type_name::<MoveV>(), ValueKind::Move),
                (std::any::type_name::<PermitV>(), ValueKind::Permit),
                (std::any::type_name::<BundleV>(), ValueKind::Payment),
                (std::any::type_name::<FacesV>(), ValueKind::Rolled),
                (std::any::type_name::<CastV>(), ValueKind::Cast),
                (std::any::type_name::<AmountV>(), ValueKind::Reckoned),
            ];
            types.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
        };
        own.or_else(|| ValueKind::ALL.into_iter().find(|kind| kind.type_name() == name)).or_else(rust)
    }

    /// The kind of a value.
    pub(crate) fn of(value: &Dynamic) -> Option<ValueKind> {
        ValueKind::of_type(value.type_id())
    }
}

/// A value's kind in the words of messages.
pub(crate) fn words_for(value: &Dynamic) -> &'static str {
    ValueKind::of(value).map_or("something else", ValueKind::words)
}

/// The words for an operand. Between operands, "true or false" would be ambiguous.
pub(crate) fn operand(words: &str) -> &str {
    if words == ValueKind::Truth.words() { "a true-or-false value" } else { words }
}

/// The advice on an operator with values that it does not work on.
pub(crate) fn operands_for(sign: &str) -> &'static str {
    match sign {
        "-" | "-=" => "use two numbers, two permits or two sets of squares",
        "|" | "&" | "|=" | "&=" => "use two permits or two sets of squares",
        _ => "use two numbers",
    }
}

/// Registers the names of this crate's types with the interpreter.
pub(crate) fn name_types(engine: &mut Engine) {
    engine
        .register_type_with_name::<SideV>(ValueKind::Side.type_name())
        .register_type_with_name::<SquareV>(ValueKind::Square.type_name())
        .register_type_with_name::<SetV>(ValueKind::Squares.type_name())
        .register_type_with_name::<MoveV>(ValueKind::Move.type_name())
        .register_type_with_name::<PermitV>(ValueKind::Permit.type_name())
        .register_type_with_name::<BundleV>(ValueKind::Payment.type_name())
        .register_type_with_name::<FacesV>(ValueKind::Rolled.type_name())
        .register_type_with_name::<CastV>(ValueKind::Cast.type_name())
        .register_type_with_name::<AmountV>(ValueKind::Reckoned.type_name());
}

/// The kind of a parameter.
///
/// Some kinds take the same values with different meanings. For example, a text may have to name a region or describe dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// Any value that the description allows.
    Any,
    /// Any text.
    Text,
    /// One of a few words that the description lists.
    Word,
    /// A name that this call gives to something.
    NewName,
    /// The name of a piece.
    PieceName,
    /// The name of a piece, or an array of such names.
    PieceNames,
    /// The name of a side.
    SideName,
    /// The name of a square.
    SquareName,
    /// The name of a region.
    RegionName,
    /// The name of a counter.
    CounterName,
    /// The name of a mark on squares.
    MarkName,
    /// The name of a trait of pieces.
    TraitName,
    /// The name of a track or of lines.
    TrackName,
    /// The name of an option.
    OptionName,
    /// Squares and rectangles of them, as `"a1 c3-e5"`.
    SquareList,
    /// Dice in notation, as `"2d6"`.
    Dice,
    /// A map from kinds of pieces to one die each.
    DiceByPiece,
    /// Movement in Betza notation.
    Betza,
    /// A position as text.
    Position,
    /// A number that the rule sees.
    Number,
    /// A number, visible or hidden.
    Amount,
    /// A hidden number. If a form has two such parameters, one of the numbers may be visible.
    Reckoned,
    /// An array; the description gives the kind of its elements.
    Array,
    /// An array of faces that were rolled.
    Faces,
    /// An array of permits.
    Permits,
    /// A map of the options that the row lists.
    Options,
    /// A function as a value.
    Function,
    /// A side.
    Side,
    /// A side, or its name.
    SideOrName,
    /// A square.
    Square,
    /// A square, its name, or a set of at most one square. A move stands for its target square.
    SquareOrName,
    /// A set of squares.
    Squares,
    /// A set of squares, a square, the name of one, a list of them as `"a1 c3-e5"`, or an array of these.
    SquaresOrNames,
    /// A move.
    Move,
    /// A permit.
    Permit,
    /// A permit; other values are rejected with advice.
    PermitGiven,
    /// Faces rolled for the pieces on squares.
    Rolled,
    /// Dice that were cast.
    Cast,
}

impl ParamKind {
    /// The word for it in signatures: that of its primary kind.
    pub fn word(self) -> &'static str {
        match self {
            ParamKind::Any => "any",
            ParamKind::PieceNames => "kinds",
            other => other.accepts().first().map_or("any", |kind| kind.word()),
        }
    }

    /// The kinds of values that it takes, the primary one first.
    pub fn accepts(self) -> &'static [ValueKind] {
        match self {
            ParamKind::Any => &ValueKind::ALL,
            ParamKind::Text
            | ParamKind::Word
            | ParamKind::NewName
            | ParamKind::PieceName
            | ParamKind::SideName
            | ParamKind::SquareName
            | ParamKind::RegionName
            | ParamKind::CounterName
            | ParamKind::MarkName
            | ParamKind::TraitName
            | ParamKind::TrackName
            | ParamKind::OptionName
            | ParamKind::SquareList
            | ParamKind::Dice
            | ParamKind::Betza
            | ParamKind::Position => &[ValueKind::Text],
            ParamKind::PieceNames => &[ValueKind::Text, ValueKind::Array],
            ParamKind::Number => &[ValueKind::Number],
            ParamKind::Amount => &[ValueKind::Number, ValueKind::Reckoned],
            ParamKind::Reckoned => &[ValueKind::Reckoned],
            ParamKind::Array | ParamKind::Faces | ParamKind::Permits => &[ValueKind::Array],
            ParamKind::DiceByPiece | ParamKind::Options => &[ValueKind::Map],
            ParamKind::Function => &[ValueKind::Function],
            ParamKind::Side => &[ValueKind::Side],
            ParamKind::SideOrName => &[ValueKind::Side, ValueKind::Text],
            ParamKind::Square => &[ValueKind::Square],
            ParamKind::SquareOrName => &[ValueKind::Square, ValueKind::Text, ValueKind::Move, ValueKind::Squares],
            ParamKind::Squares => &[ValueKind::Squares],
            ParamKind::SquaresOrNames => {
                &[ValueKind::Squares, ValueKind::Square, ValueKind::Text, ValueKind::Array, ValueKind::Move]
            }
            ParamKind::Move => &[ValueKind::Move],
            ParamKind::Permit | ParamKind::PermitGiven => &[ValueKind::Permit],
            ParamKind::Rolled => &[ValueKind::Rolled],
            ParamKind::Cast => &[ValueKind::Cast],
        }
    }

    /// The kind of the elements of an array that it takes, if they must have one kind.
    pub(crate) fn element(self) -> Option<ValueKind> {
        (self == ParamKind::Permits).then_some(ValueKind::Permit)
    }

    /// The type in definition files for editors.
    pub(crate) fn type_name(self) -> &'static str {
        match self {
            // An array of names would be no mistake.
            ParamKind::Any | ParamKind::PieceNames | ParamKind::Amount | ParamKind::Reckoned => "?",
            other => other.accepts().first().map_or("?", |kind| kind.type_name()),
        }
    }

    /// The type by which the interpreter recognizes arguments: [`Dynamic`] for parameters that take several kinds.
    pub(crate) fn type_id(self) -> TypeId {
        match self {
            ParamKind::PermitGiven => TypeId::of::<Dynamic>(),
            other => match other.accepts() {
                [kind] => kind.type_id(),
                _ => TypeId::of::<Dynamic>(),
            },
        }
    }
}

/// Kinds that options of calls take.
pub(crate) mod option {
    use super::ValueKind;

    /// A yes or no.
    pub(crate) const TRUTH: &[ValueKind] = &[ValueKind::Truth];
    /// A number.
    pub(crate) const NUMBER: &[ValueKind] = &[ValueKind::Number];
    /// A text.
    pub(crate) const TEXT: &[ValueKind] = &[ValueKind::Text];
    /// A map.
    pub(crate) const MAP: &[ValueKind] = &[ValueKind::Map];
    /// A text, or an array of texts.
    pub(crate) const TEXTS: &[ValueKind] = &[ValueKind::Text, ValueKind::Array];
    /// A text, or nothing.
    pub(crate) const TEXT_OR_NONE: &[ValueKind] = &[ValueKind::Text, ValueKind::Nothing];
    /// A text, an array of texts, or nothing.
    pub(crate) const TEXTS_OR_NONE: &[ValueKind] = &[ValueKind::Text, ValueKind::Array, ValueKind::Nothing];
    /// A number, or a yes or no.
    pub(crate) const NUMBER_OR_TRUTH: &[ValueKind] = &[ValueKind::Number, ValueKind::Truth];
    /// The same, or nothing.
    pub(crate) const NUMBER_TRUTH_OR_NONE: &[ValueKind] = &[ValueKind::Number, ValueKind::Truth, ValueKind::Nothing];
    /// Texts, numbers and squares that a player can choose from.
    pub(crate) const ALTERNATIVES: &[ValueKind] =
        &[ValueKind::Text, ValueKind::Array, ValueKind::Squares, ValueKind::Square, ValueKind::Number];
    /// A yes or no, or the only side that is to know something.
    pub(crate) const SECRET: &[ValueKind] = &[ValueKind::Truth, ValueKind::Side, ValueKind::Text];
}
