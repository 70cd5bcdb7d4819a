//! The parameters that methods share: their ranges, meanings and descriptions.
//!
//! Each constraint on a parameter is defined here, in one place. Constraints that depend on the variant (sides, squares)
//! are checked by the methods. Null counts as missing.

use super::message::RpcError;
use astragal_core::{MAX_SIDES, Side};
use astragal_dsl::game_text;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// The maximum number of dice of a roll.
const MAX_FACES: usize = 256;
/// The longest list of events or choices.
const MAX_LIST: usize = 10_000;

/// A string, number or boolean that is read from JSON in one step.
trait Scalar: Sized {
    /// Its description, in a few words.
    fn expected() -> String;

    /// From a string.
    fn of_text(_: &str) -> Option<Self> {
        None
    }

    /// From a number.
    fn of_number(_: Number) -> Option<Self> {
        None
    }

    /// From a boolean.
    fn of_truth(_: bool) -> Option<Self> {
        None
    }
}

struct ScalarVisitor<T>(PhantomData<T>);

impl<T: Scalar> Visitor<'_> for ScalarVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&T::expected())
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<T, E> {
        T::of_truth(truth).ok_or_else(|| E::invalid_value(Unexpected::Bool(truth), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        T::of_number(number.into()).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        T::of_number(number.into()).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        let read = Number::from_f64(number).and_then(T::of_number);
        read.ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::of_text(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// A list with a maximum length, whose items are all read the same way.
struct ListVisitor<T> {
    expected: Cow<'static, str>,
    most: usize,
    items: PhantomData<T>,
}

impl<T> ListVisitor<T> {
    fn of(expected: impl Into<Cow<'static, str>>, most: usize) -> ListVisitor<T> {
        ListVisitor { expected: expected.into(), most, items: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let length = items.size_hint().unwrap_or(0);
        if length > self.most {
            return Err(A::Error::invalid_length(length, &self));
        }
        let mut all = Vec::with_capacity(length);
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(all)
    }
}

/// Implements serde for scalars.
macro_rules! scalars {
    ($([$($generics:tt)*] $type:ty),*) => {$(
        impl<'de, $($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_any(ScalarVisitor(PhantomData))
            }
        }
    )*};
}

scalars!([] Text, [] Setting, [] Truth, [] Face, [] Drawn, [const MOST: u8] Level<MOST>, [const MOST: u64] UpTo<MOST>);

/// Describes a type by an inline schema.
macro_rules! schema {
    ([$($generics:tt)*] $type:ty, $json:tt) => {
        impl<$($generics)*> JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($json)
            }
        }
    };
}

/// A text.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct Text(String);

impl Scalar for Text {
    fn expected() -> String {
        "a string".into()
    }

    fn of_text(text: &str) -> Option<Text> {
        Some(Text(text.to_owned()))
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A name from `astragal list`, or the path of a script in the folder given to `--scripts`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct VariantName(pub Text);

/// A position as [FEN](notations.md) or from an earlier answer; the variant's starting position by default.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct PositionText(pub Text);

/// A move in coordinates (`e2e4`, `e7e8q`, `P@e4`) or algebraic notation (`Nf3`), with the paying die as prefix if several
/// could pay (`6:h1h5`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct MoveText(pub Text);

/// Options of the variant by name, such as `{"doubles": "any"}`.
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(inline)]
pub(super) struct Options(BTreeMap<String, Setting>);

impl Options {
    /// Names and values, in the order of the names.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        self.0.iter().map(|(name, value)| (name.clone(), value.0.clone())).collect()
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Options, D::Error> {
        struct OptionsVisitor;

        impl<'de> Visitor<'de> for OptionsVisitor {
            type Value = Options;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object such as {\"name\": \"value\"}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Options, A::Error> {
                let mut all = BTreeMap::new();
                while let Some((name, value)) = members.next_entry()? {
                    all.insert(name, value);
                }
                Ok(Options(all))
            }
        }

        from.deserialize_any(OptionsVisitor)
    }
}

/// The value of an option, as text.
#[derive(Clone, Debug)]
struct Setting(String);

impl Scalar for Setting {
    fn expected() -> String {
        "a string, a number, true or false".into()
    }

    fn of_text(text: &str) -> Option<Setting> {
        Some(Setting(text.to_owned()))
    }

    fn of_number(number: Number) -> Option<Setting> {
        Some(Setting(number.to_string()))
    }

    fn of_truth(truth: bool) -> Option<Setting> {
        Some(Setting(truth.to_string()))
    }
}

schema!([] Setting, {"type": ["string", "number", "boolean"]});

/// True or false.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct Truth(pub bool);

impl Scalar for Truth {
    fn expected() -> String {
        "true or false".into()
    }

    fn of_truth(truth: bool) -> Option<Truth> {
        Some(Truth(truth))
    }
}

/// True to report progress by [notifications](#progress) before the answer.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Progress(Truth);

impl Progress {
    /// Whether to report it.
    pub(super) fn is_wanted(progress: Option<&Progress>) -> bool {
        progress.is_some_and(|progress| progress.0.0)
    }
}

/// A face of a die.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(inline)]
struct Face(i16);

impl Scalar for Face {
    fn expected() -> String {
        "a whole number from -32768 to 32767".into()
    }

    fn of_number(number: Number) -> Option<Face> {
        number.as_i64().and_then(|number| i16::try_from(number).ok()).map(Face)
    }
}

const FACES: &str = "a list of the numbers rolled, such as [2,3]";

/// The given dice of a turn.
#[derive(Clone, Debug)]
pub(super) enum Roll {
    /// Faces.
    Faces(Vec<i16>),
    /// A drawn square.
    Square(String),
}

impl<'de> Deserialize<'de> for Roll {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Roll, D::Error> {
        struct RollVisitor;

        impl<'de> Visitor<'de> for RollVisitor {
            type Value = Roll;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(FACES)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Roll, A::Error> {
                // The name of a square must be the only item; next to other items, it is not a face.
                if items.size_hint() == Some(1) {
                    return Ok(match items.next_element::<Drawn>()? {
                        Some(Drawn::Face(face)) => Roll::Faces(vec![face.0]),
                        Some(Drawn::Square(name)) => Roll::Square(name),
                        None => Roll::Faces(Vec::new()),
                    });
                }
                let faces = ListVisitor::<Face>::of(FACES, MAX_FACES).visit_seq(items)?;
                Ok(Roll::Faces(faces.into_iter().map(|face| face.0).collect()))
            }
        }

        from.deserialize_any(RollVisitor)
    }
}

schema!([] Roll, {
    "description": "The dice of this turn in the order rolled, such as `[2,3]`. If the turn has several rolls, put all \
         their dice into this one list. If the roll draws a square, its name, such as `[\"e4\"]`.",
    "type": "array",
    "items": {"type": ["integer", "string"]},
    "maxItems": MAX_FACES,
});

/// The only item of a roll.
enum Drawn {
    Face(Face),
    Square(String),
}

impl Scalar for Drawn {
    fn expected() -> String {
        Face::expected()
    }

    fn of_text(text: &str) -> Option<Drawn> {
        Some(Drawn::Square(text.to_owned()))
    }

    fn of_number(number: Number) -> Option<Drawn> {
        Face::of_number(number).map(Drawn::Face)
    }
}

/// The dice that pay for a move.
#[derive(Clone, Debug)]
pub(super) struct Die(Vec<i16>);

impl Die {
    /// Its faces; an empty list means no die.
    pub(super) fn faces(die: Option<&Die>) -> Option<&[i16]> {
        die.map(|die| die.0.as_slice()).filter(|faces| !faces.is_empty())
    }
}

impl<'de> Deserialize<'de> for Die {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Die, D::Error> {
        struct DieVisitor;

        impl<'de> Visitor<'de> for DieVisitor {
            type Value = Die;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(FACES)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Die, E> {
                ScalarVisitor::<Face>(PhantomData).visit_u64(number).map(|face| Die(vec![face.0]))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Die, E> {
                ScalarVisitor::<Face>(PhantomData).visit_i64(number).map(|face| Die(vec![face.0]))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Die, E> {
                ScalarVisitor::<Face>(PhantomData).visit_f64(number).map(|face| Die(vec![face.0]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Die, A::Error> {
                let faces = ListVisitor::<Face>::of(FACES, MAX_FACES).visit_seq(items)?;
                Ok(Die(faces.into_iter().map(|face| face.0).collect()))
            }
        }

        from.deserialize_any(DieVisitor)
    }
}

schema!([] Die, {
    "description": "The die that pays for the move, such as `6`, or a list of several dice, such as `[4,6]`.",
    "type": ["integer", "array"],
    "items": {"type": "integer"},
});

/// The side that an answer is for. It is checked once the variant, and so its sides, are known.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct View(Value);

impl View {
    /// The side, in a game with this many sides; without a view, nothing is hidden.
    ///
    /// # Errors
    /// If there is no such side.
    pub(super) fn side(view: Option<&View>, sides: usize) -> Result<Option<Side>, RpcError> {
        let Some(View(value)) = view else { return Ok(None) };
        let known = (0..sides as u8).map(Side);
        let side = known.clone().find(|side| value.as_str() == Some(game_text::ordinal(*side)));
        let expected = || format!("one of {}", known.map(game_text::ordinal).collect::<Vec<_>>().join(", "));
        side.map(Some).ok_or_else(|| RpcError::param("view", &expected(), &super::message::describe(value)))
    }
}

schema!([] View, {
    "description": "The side that receives the answer, `first` to `eighth`; secrets of other sides are left out. \
         By default, nothing is hidden.",
    "type": "string",
    "enum": (0..MAX_SIDES as u8).map(|side| game_text::ordinal(Side(side))).collect::<Vec<_>>(),
});

/// A whole number from 0 to `MOST`.
#[derive(Clone, Copy, Debug)]
pub(super) struct UpTo<const MOST: u64>(pub u64);

impl<const MOST: u64> Scalar for UpTo<MOST> {
    fn expected() -> String {
        format!("a whole number from 0 to {MOST}")
    }

    fn of_number(number: Number) -> Option<UpTo<MOST>> {
        number.as_u64().filter(|number| *number <= MOST).map(UpTo)
    }
}

schema!([const MOST: u64] UpTo<MOST>, {"type": "integer", "minimum": 0, "maximum": MOST});

/// The greatest integer that every client can represent exactly.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// The seed of the dice: the same seed and events give the same game. Without a seed, you send the dice as events.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Seed(pub UpTo<MAX_SAFE>);

/// The number of an open game, as returned by `open`.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct SessionNumber(pub UpTo<MAX_SAFE>);

/// A search depth, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<const MOST: u8>(pub u8);

impl<const MOST: u8> Scalar for Level<MOST> {
    fn expected() -> String {
        format!("a level from 1 to {MOST}")
    }

    fn of_number(number: Number) -> Option<Level<MOST>> {
        let level = number.as_u64().and_then(|level| u8::try_from(level).ok());
        level.filter(|level| (1..=MOST).contains(level)).map(Level)
    }
}

schema!([const MOST: u8] Level<MOST>, {"type": "integer", "minimum": 1, "maximum": MOST});

/// A list of at most 10,000.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(inline)]
pub(super) struct List<T>(Vec<T>);

impl<T> List<T> {
    /// Its items; empty if it is missing.
    pub(super) fn items(list: Option<&List<T>>) -> &[T] {
        list.map_or(&[], |list| &list.0)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<List<T>, D::Error> {
        let visitor = ListVisitor::of(format!("a list of at most {MAX_LIST} items"), MAX_LIST);
        from.deserialize_any(visitor).map(List)
    }
}
