//! Reports wrong values at the place where they are written: in a list, a map or a concatenated text. The message also
//! points to the place where the value is used.

use super::super::report::did_you_mean;
use super::abstract_value::{AbstractValue, Kinds, Origin};
use super::{LineColumn, Walker, start};
use crate::diagnostic::Code;
use crate::host::kind::{ParamKind, ValueKind};
use crate::notation::{NotationError, dice, nearest};
use rhai::Expr;
use std::collections::BTreeMap;

/// Maximum number of combinations of dice parts that are parsed.
const MOST_TOGETHER: usize = 256;

/// Stands for an unknown number of dice.
const SOME_NUMBER: &str = "2";

/// A part of concatenated dice: its possible texts with their places.
type Part = Vec<(String, Option<LineColumn>)>;

impl Walker<'_> {
    /// An error at the place where a value is written; `used` is the expression that uses it, with a label for it.
    pub(super) fn error_of_value(
        &mut self,
        code: Code,
        at: LineColumn,
        (used, words): (&Expr, &str),
        message: String,
        help: String,
    ) {
        let used = if self.is_within(used, at) { at } else { start(used) };
        if let Some(report) = self.report.as_mut().filter(|_| at.0 > 0) {
            report.error_of_value(code, at, (used, words), message, Some(help));
        }
    }

    /// Whether a place is inside an expression.
    fn is_within(&self, expr: &Expr, at: LineColumn) -> bool {
        let Some(first) = self.tokens.iter().find(|token| token.at == start(expr)) else { return false };
        let bytes = first.span.start..first.span.start + self.source(expr).len();
        let here = self.tokens.iter().take_while(|token| token.at <= at).last();
        here.is_some_and(|token| bytes.contains(&token.span.start))
    }

    /// Malformed dice, and dice for unknown kinds.
    pub(super) fn dice(&mut self, kind: ParamKind, arg: &AbstractValue, expr: &Expr) {
        let used = (expr, "it is rolled here");
        let mut texts = Vec::new();
        match kind {
            ParamKind::Dice if !arg.parts.is_empty() => return self.dice_put_together(arg, expr),
            ParamKind::Dice if arg.kinds.is(ValueKind::Text) => texts.extend(arg.texts.clone().unwrap_or_default()),
            // Other entries of a map may not be dice, if they are never read here.
            ParamKind::Dice if arg.kinds.without(ValueKind::Nothing).is(ValueKind::Text) && !self.guarded(expr) => {
                texts.extend(arg.texts.clone().unwrap_or_default());
                let some_are_dice = texts.iter().any(|(text, _)| dice::parse(text).is_ok());
                texts.retain(|(text, _)| some_are_dice && text.contains(|c: char| c.is_ascii_digit()));
            }
            ParamKind::DiceByPiece => {
                let Some(entries) = arg.entries.clone() else { return };
                for (piece, (at, value)) in entries {
                    texts.extend(value.texts.unwrap_or_default());
                    let Some(world) = self.world.filter(|world| !world.kinds.contains(&piece)) else { continue };
                    let help = did_you_mean(&piece, world.kinds.iter().map(String::as_str), "known names");
                    let message = format!("there is no piece called \"{piece}\"");
                    self.error_of_value(Code::UnknownText, at, (expr, "it is used here"), message, help);
                }
            }
            _ => return,
        }
        for (text, at) in texts {
            if let Err(error) = dice::parse(&text) {
                let name = text.rsplit_once('d').filter(|(name, _)| self.is_variable(name));
                if let Some((name, faces)) = name {
                    let message = format!("in quotes, `{name}` is text, not the variable");
                    let help = format!("to use the variable, write `{name} + \"d{faces}\"`");
                    self.error(Code::Notation, (at.0, at.1 + 1), message, help);
                    continue;
                }
                let before = text.get(..error.span.start).map_or(0, |before| before.chars().count());
                let at = (at.0, at.1 + 1 + before);
                let message = format!("\"{text}\" is not dice notation: {}", error.difference());
                self.error_of_value(Code::Notation, at, used, message, how_dice_are_written(&error));
            }
        }
    }

    /// Concatenated dice whose parts are all known, except for numbers of dice.
    fn dice_put_together(&mut self, arg: &AbstractValue, expr: &Expr) {
        let Some(parts) = arg.parts.iter().map(part).collect::<Option<Vec<Part>>>() else { return };
        let count = parts.iter().try_fold(1usize, |all, part| all.checked_mul(part.len()));
        if count.is_none_or(|count| count == 0 || count > MOST_TOGETHER) {
            return;
        }
        // If all parts but one are correct, that one is wrong.
        let all = |mut at: usize| -> Vec<usize> {
            let each = parts.iter().map(|part| {
                let own = at % part.len();
                at /= part.len();
                own
            });
            each.collect()
        };
        let read = |chosen: &[usize]| {
            let text: String = parts.iter().zip(chosen).map(|(part, own)| part[*own].0.as_str()).collect();
            dice::parse(&text).err().map(|error| (text, error))
        };
        let right = (0..count.unwrap_or(0)).map(all).find(|chosen| read(chosen).is_none());
        let mut wrong: BTreeMap<LineColumn, (String, NotationError)> = BTreeMap::new();
        let tried: Vec<(Vec<usize>, Option<usize>)> = match &right {
            None => vec![(all(0), None)],
            Some(right) => {
                let each = parts.iter().enumerate().flat_map(|(at, part)| (0..part.len()).map(move |own| (at, own)));
                let other = |(at, own): (usize, usize)| {
                    let mut chosen = right.clone();
                    chosen[at] = own;
                    (chosen, Some(at))
                };
                each.map(other).collect()
            }
        };
        for (chosen, blamed) in tried {
            let Some((text, error)) = read(&chosen) else { continue };
            if let Some(at) = written_at(&parts, &chosen, blamed, error.span.start) {
                wrong.entry(at).or_insert((text, error));
            }
        }
        let guarded = self.guarded(expr);
        for (at, (text, error)) in wrong {
            // A condition may exclude map entries that are not dice.
            if guarded && right.is_some() {
                continue;
            }
            let message = format!("this makes \"{text}\", which is not dice notation: {}", error.difference());
            let help = how_dice_are_written(&error);
            self.error_of_value(Code::Notation, at, (expr, "the dice are rolled here"), message, help);
        }
    }

    /// Keys of a map that are similar to a missing kind or text, in a map that is read with kinds or known texts.
    pub(super) fn nearly_keys(
        &mut self,
        entries: &BTreeMap<String, (LineColumn, AbstractValue)>,
        at: &AbstractValue,
        index: &Expr,
    ) {
        let asked: Vec<String> = match (&at.texts, self.world) {
            (Some(texts), _) if !self.guarded(index) => texts.iter().map(|(text, _)| text.clone()).collect(),
            (None, Some(world)) if at.kinds.has(ValueKind::Text) || at.kinds == Kinds::NONE => world.kinds.clone(),
            _ => return,
        };
        let strange = |key: &&String| !asked.contains(key);
        let wrong: Vec<(String, LineColumn)> =
            entries.iter().filter(|(key, _)| strange(key)).map(|(key, (place, _))| (key.clone(), *place)).collect();
        let known = entries.len() - wrong.len();
        // A map with only one key that names a kind may have another purpose.
        let of_piece = at.origin == Some(Origin::Piece);
        let certain = of_piece && known > 0 || known > 1;
        for (key, place) in wrong.into_iter().filter(|_| certain) {
            let meant = asked.iter().map(String::as_str).filter(|kind| of_piece || !entries.contains_key(*kind));
            let Some(near) = nearest(&key, meant).map(str::to_string) else { continue };
            let message = match at.texts {
                None => format!("there is no piece called \"{key}\", but the keys of this map must be pieces"),
                Some(_) => format!("the map is read with the key \"{near}\", but it has the key \"{key}\" instead"),
            };
            let code = if at.texts.is_none() { Code::UnknownText } else { Code::Index };
            let used = (index, "it is read here");
            self.error_of_value(code, place, used, message, format!("did you mean \"{near}\"?"));
        }
    }
}

/// The possible texts of a part of dice; a number is one text without a place.
fn part(known: &AbstractValue) -> Option<Part> {
    let kinds = known.kinds.without(ValueKind::Nothing);
    if kinds.is(ValueKind::Text) {
        return Some(known.texts.as_ref()?.iter().map(|(text, at)| (text.clone(), Some(*at))).collect());
    }
    let number = kinds.is(ValueKind::Number) || kinds.is(ValueKind::Reckoned);
    let shown = || known.only_number().map_or(SOME_NUMBER.to_string(), |number| number.to_string());
    number.then(|| vec![(shown(), None)])
}

/// The place of a character in a concatenated text; with `blamed`, only within that part.
fn written_at(parts: &[Part], chosen: &[usize], blamed: Option<usize>, mut sign: usize) -> Option<LineColumn> {
    let mut last = None;
    for (i, (part, own)) in parts.iter().zip(chosen).enumerate() {
        let (text, at) = &part[*own];
        let within = sign.min(text.len());
        let before = text.get(..within).map_or(0, |before| before.chars().count());
        let here = at.map(|at| (at.0, at.1 + 1 + before));
        if blamed == Some(i) {
            return at.map(|at| if sign <= text.len() { (at.0, at.1 + 1 + before) } else { at });
        }
        if here.is_some() {
            last = here;
        }
        if blamed.is_none() && sign < text.len() {
            break;
        }
        sign = sign.saturating_sub(text.len());
    }
    last
}

fn how_dice_are_written(error: &NotationError) -> String {
    error.help.clone().unwrap_or_else(|| "write dice as in \"1d6\" or \"2d6+1d8\"".into())
}
