//! The values of variables as texts, in the form of the language where it has one.
//!
//! Sides, squares, moves and sets are references that the engine resolves. Here they are resolved with the game as the
//! rule saw it when it asked last. A reference to something that the rule has requested since then is not known yet. It
//! must never ask the engine, because the engine waits for the rule.

use super::{Sight, Variable};
use crate::game_text::side_name;
use crate::host::kind::words_for;
use crate::host::values::{AmountV, BundleV, CastV, FacesV, MoveV, PermitV, SetV, SideV, SquareV};
use crate::notation::coord;
use crate::printable::in_a_line;
use astragal_core::amount::Amount;
use astragal_core::value::{SetExpr, SideRef, Slot, SquareRef, Value};
use astragal_core::{Made, Side, Square, SquareSet, Variant};
use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};

/// The maximum number of parts of one value that are shown.
const MOST_PARTS: usize = 1024;

/// The maximum number of values that are shown at one stop, with all their parts.
const MOST_VALUES: usize = 20_000;

/// Values in values are shown to this depth.
const DEPTH: usize = 8;

/// The longest text of a value, in characters.
const LONGEST: usize = 200;

/// Shows the values of one stop.
pub(crate) struct Names<'a> {
    variant: Option<&'a Variant>,
    sight: Option<&'a Sight>,
    left: usize,
}

impl<'a> Names<'a> {
    /// With the names of a variant, and the game as the rule sees it.
    pub(crate) fn new(variant: Option<&'a Variant>, sight: Option<&'a Sight>) -> Names<'a> {
        Names { variant, sight, left: MOST_VALUES }
    }

    /// A variable with its value.
    pub(crate) fn variable(&mut self, name: &str, value: &Dynamic) -> Variable {
        self.part(in_a_line(name).into_owned(), value, 0)
    }

    fn part(&mut self, name: String, value: &Dynamic, depth: usize) -> Variable {
        self.left = self.left.saturating_sub(1);
        let parts = if depth < DEPTH { self.parts(value, depth) } else { Vec::new() };
        let text = if let Some(items) = value.read_lock::<Array>() {
            listed("[", parts.iter().map(|part| part.text.clone()), parts.len() < items.len(), "]")
        } else if let Some(entries) = value.read_lock::<Map>() {
            let texts = parts.iter().map(|part| format!("{}: {}", part.name, part.text));
            listed("#{ ", texts, parts.len() < entries.len(), " }").replace("#{  }", "#{}")
        } else {
            self.text(value)
        };
        Variable { name, text: shortened(&text), kind: words_for(value), parts }
    }

    fn parts(&mut self, value: &Dynamic, depth: usize) -> Vec<Variable> {
        let most = MOST_PARTS.min(self.left);
        if let Some(items) = value.read_lock::<Array>() {
            let items = items.iter().take(most).enumerate();
            return items.map(|(index, item)| self.part(format!("[{index}]"), item, depth + 1)).collect();
        }
        match value.read_lock::<Map>() {
            Some(entries) => {
                let entries = entries.iter().take(most);
                entries.map(|(key, item)| self.part(in_a_line(key).into_owned(), item, depth + 1)).collect()
            }
            None => Vec::new(),
        }
    }

    /// A value without parts.
    fn text(&self, value: &Dynamic) -> String {
        if value.is_unit() {
            return "()".into();
        }
        if let Some(text) = value.read_lock::<ImmutableString>() {
            return format!("{:?}", text.as_str());
        }
        if value.is::<bool>() || value.is::<i64>() {
            return value.to_string();
        }
        if value.is::<FnPtr>() {
            return "a function".into();
        }
        self.of_game(value).unwrap_or_else(|| words_for(value).into())
    }

    /// A value of the game that is known.
    fn of_game(&self, value: &Dynamic) -> Option<String> {
        let variant = self.variant?;
        if let Some(side) = value.read_lock::<SideV>() {
            return self.side(*side.0.peek()).map(|side| side_name(variant, side).into());
        }
        if let Some(square) = value.read_lock::<SquareV>() {
            return self.square(*square.0.peek()).map(|square| self.with_piece(variant, square));
        }
        if let Some(set) = value.read_lock::<SetV>() {
            let squares = self.set(&set.0)?;
            let names: Vec<String> = squares.into_iter().map(|square| variant.board().name(square)).collect();
            return Some(format!("{:?}", names.join(" ")));
        }
        if let Some(made) = value.read_lock::<MoveV>() {
            return Some(coord::plain(variant, self.made(made.0)?.mv));
        }
        if let Some(number) = value.read_lock::<AmountV>() {
            return self.number(&number.0.peek()).map(|number| number.to_string());
        }
        let slot = value.read_lock::<FacesV>().map(|faces| faces.0);
        if let Some(slot) = slot.or_else(|| value.read_lock::<CastV>().map(|cast| cast.0)) {
            return self.faces(slot);
        }
        let payment = value.read_lock::<BundleV>().map(|payment| payment.faces.clone());
        match payment {
            Some(faces) => Some(format!("a payment by {faces:?}")),
            None => value.read_lock::<PermitV>().map(|_| "a permit".into()),
        }
    }

    /// A square, and the piece on it.
    fn with_piece(&self, variant: &Variant, square: Square) -> String {
        let name = variant.board().name(square);
        let piece = self.sight.map(|sight| sight.position.at(square)).filter(|piece| !piece.is_none());
        match piece {
            Some(piece) => {
                let (side, kind) = (side_name(variant, piece.side()), &variant.kind(piece.kind()).name);
                in_a_line(&format!("{name} ({side} {kind})")).into_owned()
            }
            None => name,
        }
    }

    fn held(&self, slot: Slot) -> Option<&Value> {
        self.sight?.held.get(usize::from(slot))
    }

    fn made(&self, slot: Slot) -> Option<&Made> {
        match self.held(slot)? {
            Value::Move(made, _) | Value::Named(made, _) => Some(made),
            _ => None,
        }
    }

    fn side(&self, side: SideRef) -> Option<Side> {
        let sight = self.sight?;
        match side {
            SideRef::Is(side) => Some(side),
            SideRef::Mover => Some(sight.mover),
            SideRef::ToMove => Some(sight.position.side()),
            SideRef::Opponent if self.variant?.sides() == 2 => Some(Side(1 - sight.mover.0.min(1))),
            SideRef::Opponent | SideRef::Ahead(_) => None,
            SideRef::OwnerOf(square) => {
                let piece = sight.position.at(self.square(square)?);
                (!piece.is_none()).then(|| piece.side())
            }
            SideRef::Held(slot) => match self.held(slot)? {
                Value::Side(side) => *side,
                _ => None,
            },
        }
    }

    fn square(&self, square: SquareRef) -> Option<Square> {
        match square {
            SquareRef::At(square) => Some(square),
            SquareRef::Slot(slot) | SquareRef::Piece(slot) => match self.held(slot)? {
                Value::Square(square) | Value::Piece(square, ..) => *square,
                _ => None,
            },
            SquareRef::From(slot) => Some(self.made(slot)?.mv.from),
            SquareRef::To(slot) => Some(self.made(slot)?.mv.to),
            SquareRef::Captured(slot) => Some(self.made(slot)?.captured()?.1),
            SquareRef::Partner(_) => None,
        }
    }

    fn set(&self, set: &SetExpr) -> Option<SquareSet> {
        Some(match set {
            SetExpr::Is(squares) => *squares,
            SetExpr::Slot(slot) => match self.held(*slot)? {
                Value::Set(squares) => *squares,
                Value::Square(Some(square)) => (*square).into(),
                _ => SquareSet::EMPTY,
            },
            SetExpr::One(square) => self.square(*square).map_or(SquareSet::EMPTY, SquareSet::from),
            SetExpr::Or(a, b) => self.set(a)? | self.set(b)?,
            SetExpr::And(a, b) => self.set(a)? & self.set(b)?,
            SetExpr::Minus(a, b) => self.set(a)? - self.set(b)?,
        })
    }

    /// A number, if it is one of the most common kinds.
    fn number(&self, number: &Amount) -> Option<i64> {
        match number {
            Amount::Is(number) => Some(*number),
            Amount::Slot(slot) => match self.held(*slot)? {
                Value::Number(number) => Some(*number),
                _ => None,
            },
            Amount::Counter(counter) => {
                let (position, side) = (&self.sight?.position, self.side(counter.side)?);
                let value = position.counter_at(self.variant?, usize::from(counter.counter), counter.place, side);
                Some(i64::from(value))
            }
            Amount::Plus(a, b) => self.number(a)?.checked_add(self.number(b)?),
            Amount::Minus(a, b) => self.number(a)?.checked_sub(self.number(b)?),
            Amount::Times(a, b) => self.number(a)?.checked_mul(self.number(b)?),
            _ => None,
        }
    }

    fn faces(&self, slot: Slot) -> Option<String> {
        match self.held(slot)? {
            Value::Dice(faces) => Some(format!("{faces:?}")),
            Value::Faces(faces) => Some(format!("{:?}", faces.iter().map(|(_, face)| face).collect::<Vec<_>>())),
            _ => None,
        }
    }
}

/// Texts between brackets, with dots at the end if some are missing.
fn listed(open: &str, texts: impl Iterator<Item = String>, is_cut: bool, close: &str) -> String {
    let mut text = String::from(open);
    for (index, part) in texts.enumerate() {
        if text.len() > 4 * LONGEST {
            break;
        }
        text.push_str(if index == 0 { "" } else { ", " });
        text.push_str(&part);
    }
    text.push_str(if is_cut { ", ..." } else { "" });
    text.push_str(close);
    text
}

/// A text on one line that is not too long.
fn shortened(text: &str) -> String {
    let line = in_a_line(text);
    if line.chars().count() <= LONGEST {
        return line.into_owned();
    }
    let kept: String = line.chars().take(LONGEST - 3).collect();
    format!("{kept}...")
}
