//! Dice notation: `2d6`, `d20`, `1d4+1d6`, and custom faces, `d{1,1,2,3}` or, with weights, `d{1:2,2:1}`.
//!
//! Equal faces are joined into one with the sum of their weights, so that each outcome is listed once.

use super::{NotationError, tokens};
use astragal_core::{Dice, Die};
use logos::Logos;
use std::ops::Range;

const NAME: &str = "dice";
/// The maximum number of dice rolled together.
pub const MAX_DICE: usize = 32;
/// The maximum number of faces of a die.
pub(crate) const MAX_FACES: usize = 1000;
/// The largest weight of a face.
pub(crate) const MAX_WEIGHT: u32 = 1_000_000;

/// Common dice, each with its meaning. Together they show the whole notation.
pub const SAMPLES: [(&str, &str); 7] = [
    ("1d6", "one die with six faces"),
    ("2d6", "two dice with six faces each"),
    ("3d6", "three dice with six faces each"),
    ("1d20", "one die with 20 faces"),
    ("1d4+1d6", "different dice together"),
    ("1d{1,1,2}", "a die with its own faces: two of three show 1"),
    ("1d{1:3,6}", "a die with weights: 1 is three times as likely as 6"),
];

#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t]+")]
enum Token {
    #[regex("[0-9]+")]
    Number,
    #[regex("[dD]")]
    D,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[regex(r"[{\[]")]
    Open,
    #[regex(r"[}\]]")]
    Close,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
}

/// Reads dice. The text of the result is the normal form: `d6` becomes `1d6`.
///
/// ```
/// use astragal_dsl::notation::dice;
/// let dice = dice::parse("1d4 + d6").unwrap();
/// assert_eq!((dice.dice.len(), dice.outcomes(), dice.text.as_str()), (2, 24, "1d4+1d6"));
/// ```
///
/// # Errors
/// A [`NotationError`] unless there are 1 to 32 dice with 2 to 1000 faces each, or 1 to 1000 if the faces are listed.
/// `d{3}` always shows 3, so an experiment can fix a die.
pub fn parse(text: &str) -> Result<Dice, NotationError> {
    let tokens = tokens::<Token>(NAME, text, "dice such as '2d6', 'd20' or 'd{1,1,2}'").map_err(weighted)?;
    let mut reader = Reader { text, tokens, at: 0 };
    let mut dice = Dice::default();
    loop {
        reader.group(&mut dice)?;
        match reader.next() {
            None => return Ok(dice),
            Some((Token::Plus, _)) => {
                reader.at += 1;
                dice.text.push('+');
            }
            Some((Token::Minus, span)) => {
                return Err(reader.error(span, "'+' and more dice").help(
                    "subtract in the script, not in the dice \
                 notation",
                ));
            }
            Some((_, span)) => return Err(reader.error(span, "'+' and more dice, or the end")),
        }
    }
}

/// Names the missing `d` if the error follows a number of dice, or adds help about the face syntax if it is inside braces.
fn weighted(mut error: NotationError) -> NotationError {
    let before = error.input.get(..error.span.start).unwrap_or_default();
    let count = before.rsplit('+').next().unwrap_or_default().trim();
    if !count.is_empty() && count.chars().all(|c| c.is_ascii_digit()) {
        error.expected = "'d' and the number of faces".into();
    }
    let faces = error.input.get(..error.span.start).is_some_and(|before| before.rfind('{') > before.rfind('}'));
    let closed = error.input.get(error.span.start..).is_some_and(|rest| rest.contains('}'));
    if faces && !closed {
        error.help("close the faces with `}`")
    } else if faces {
        error.help("faces are whole numbers, each with an optional weight after `:`, as in 'd{1:3,2:1}'")
    } else {
        error
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
}

impl Reader<'_> {
    fn next(&self) -> Option<(Token, Range<usize>)> {
        self.tokens.get(self.at).cloned()
    }

    fn error(&self, span: Range<usize>, expected: impl Into<String>) -> NotationError {
        NotationError::new(NAME, self.text, span, expected)
    }

    /// The place of the next token, or of the end.
    fn here(&self) -> Range<usize> {
        self.next().map_or(self.text.len()..self.text.len(), |(_, span)| span)
    }

    fn take(&mut self, token: Token, expected: &str) -> Result<Range<usize>, NotationError> {
        match self.next() {
            Some((t, span)) if t == token => {
                self.at += 1;
                Ok(span)
            }
            _ => Err(self.error(self.here(), expected)),
        }
    }

    fn number(&self, span: &Range<usize>) -> Option<i64> {
        self.text.get(span.clone()).and_then(|digits| digits.parse().ok())
    }

    /// One group as `2d6`, added to `dice`.
    fn group(&mut self, dice: &mut Dice) -> Result<(), NotationError> {
        let start = self.here();
        let mut count = 1;
        if let Some((Token::Number, span)) = self.next() {
            self.at += 1;
            let whole = || format!("1 to {MAX_DICE} dice in total");
            let n = self.number(&span).filter(|n| (1..=MAX_DICE as i64).contains(n));
            count = n.ok_or_else(|| self.error(span.clone(), whole()))? as usize;
            if !matches!(self.next(), Some((Token::D, _))) {
                // A sign in place of the `d`, as in `1-4`.
                let faces = match &self.tokens[self.at..] {
                    [(Token::Minus, _), (Token::Number, faces)] if self.at == 1 => self.text.get(faces.clone()),
                    _ => None,
                };
                let help = match faces {
                    Some(faces) => format!("write 'd' before the number of faces, as in '{count}d{faces}'"),
                    None => "a number alone is not a die: add the number in the script".to_string(),
                };
                return Err(self.error(self.here(), "'d' and the number of faces").help(help));
            }
        }
        if dice.dice.len() + count > MAX_DICE {
            let found = format!("{} dice", dice.dice.len() + count);
            return Err(self.error(start, format!("1 to {MAX_DICE} dice in total")).found(found));
        }
        self.take(Token::D, "dice such as '2d6', 'd20' or 'd{1,1,2}'")?;
        let (die, text) = match self.next() {
            Some((Token::Open, _)) => self.faces()?,
            _ => self.fair()?,
        };
        dice.text.push_str(&format!("{count}d{text}"));
        dice.dice.extend(std::iter::repeat_n(die, count));
        Ok(())
    }

    fn fair(&mut self) -> Result<(Die, String), NotationError> {
        let span = self.take(Token::Number, "the number of faces, or faces such as '{1,1,2}'")?;
        let faces = self.number(&span).filter(|n| (2..=MAX_FACES as i64).contains(n));
        let faces = faces.ok_or_else(|| self.error(span, format!("2 to {MAX_FACES} faces")))?;
        Ok((Die::fair(faces as u16), faces.to_string()))
    }

    fn faces(&mut self) -> Result<(Die, String), NotationError> {
        let open = self.take(Token::Open, "'{'")?;
        let (mut faces, mut text, mut listed) = (Vec::<(i16, u32)>::new(), String::from("{"), 0);
        loop {
            let (face, weight) = self.face()?;
            listed += 1;
            if listed > 1 {
                text.push(',');
            }
            text.push_str(&face.to_string());
            if weight != 1 {
                text.push_str(&format!(":{weight}"));
            }
            match faces.iter().position(|&(known, _)| known == face) {
                Some(i) => faces[i].1 = faces[i].1.saturating_add(weight),
                None => faces.push((face, weight)),
            }
            match self.next() {
                Some((Token::Comma, _)) if listed < MAX_FACES => self.at += 1,
                Some((Token::Comma, span)) => {
                    return Err(self.error(span, "the closing bracket").found(format!("more than {MAX_FACES} faces")));
                }
                _ => break,
            }
        }
        text.push('}');
        let opened = self.text.get(open.clone()).unwrap_or_default();
        let ends = self.next().is_none();
        let close = self.take(Token::Close, "',' and a face, or the closing bracket").map_err(|error| match ends {
            true => error.help(format!("close the bracket: '{}{}'", self.text, if opened == "{" { "}" } else { "]" })),
            false => error,
        })?;
        let closed = self.text.get(close.clone()).unwrap_or_default();
        if (opened == "{") != (closed == "}") {
            return Err(self.error(close, format!("the bracket that closes '{opened}'")));
        }
        Ok((Die::weighted(faces), text))
    }

    /// One face with its weight, as `-1` or `2:3`.
    fn face(&mut self) -> Result<(i16, u32), NotationError> {
        let start = self.here().start;
        let minus = matches!(self.next(), Some((Token::Minus, _)));
        self.at += usize::from(minus);
        let span = self.take(Token::Number, "a face such as '3'")?;
        let value = self.number(&span).map(|n| if minus { -n } else { n }).and_then(|n| i16::try_from(n).ok());
        let face = value.ok_or_else(|| self.error(start..span.end, "a face from -32768 to 32767"))?;
        let Some((Token::Colon, _)) = self.next() else { return Ok((face, 1)) };
        self.at += 1;
        let span = self.take(Token::Number, "the weight of the face")?;
        let weight = self.number(&span).filter(|n| (1..=i64::from(MAX_WEIGHT)).contains(n));
        let weight = weight.ok_or_else(|| self.error(span, format!("a weight from 1 to {MAX_WEIGHT}")))?;
        Ok((face, weight as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn common_dice() {
        assert_eq!(parse("2d6").unwrap(), Dice::fair(2, 6));
        assert_eq!(parse(" d20 ").unwrap(), Dice::fair(1, 20));
        assert_eq!(parse("3D8").unwrap(), Dice::fair(3, 8));
        assert_eq!(parse("32d1000").unwrap().dice.len(), 32);
        let mixed = parse("1d4+2d6").unwrap();
        assert_eq!(mixed.dice, [Die::fair(4), Die::fair(6), Die::fair(6)]);
        assert_eq!(mixed.outcomes(), 144);
    }

    #[test]
    fn samples_are_read_and_written_as_they_are() {
        for (text, about) in SAMPLES {
            assert_eq!(parse(text).unwrap().text, text, "{about}");
        }
    }

    #[test]
    fn own_faces() {
        let dice = parse("2d{1,1,2,3}").unwrap();
        assert_eq!((dice.text.as_str(), dice.outcomes(), dice.total()), ("2d{1,1,2,3}", 9, 16));
        assert_eq!(dice.dice[0], Die::weighted([(1, 2), (2, 1), (3, 1)]));
        let weighted = parse("d[1:2, 2:1, -3]").unwrap();
        assert_eq!(weighted.dice[0], Die::weighted([(1, 2), (2, 1), (-3, 1)]));
        assert_eq!(weighted.text, "1d{1:2,2,-3}");
        let fixed = parse("d{3}+1d6").unwrap();
        assert_eq!((fixed.dice[0].clone(), fixed.outcomes()), (Die::weighted([(3, 1)]), 6));
    }

    #[test]
    fn errors_point_at_the_place() {
        for (text, column, part) in [
            ("", 1, "dice such as"),
            ("2d", 3, "number of faces"),
            ("2x6", 2, "'d' and the number of faces"),
            ("2", 2, "'d'"),
            ("2d6+3", 6, "not a die"),
            ("2d6-1", 4, "subtract"),
            ("2d6 2d6", 5, "'+'"),
            ("0d6", 1, "1 to 32"),
            ("33d6", 1, "1 to 32"),
            ("20d6+20d6", 6, "40 dice"),
            ("d1", 2, "2 to 1000"),
            ("d1001", 2, "2 to 1000"),
            ("d99999999999999999999", 2, "2 to 1000"),
            ("d{1,2", 6, "closing"),
            ("d{1,2]", 6, "closes '{'"),
            ("d{}", 3, "a face"),
            ("d{1:0,2}", 5, "a weight"),
            ("d{1,40000}", 5, "a face from"),
            ("d6é", 3, "dice such as"),
            (&format!("d{{1{}}}", ",1".repeat(1000)), 2002, "more than 1000"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.column(), column, "{error}");
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = parse(&text).map_err(|e| (e.render(), e.to_string()));
        }

        #[test]
        fn what_is_read_is_written_again(text in "[0-9d{}:,+-]{0,12}|[1-3]d[2-9]\\+d\\{[1-9],-?[1-9]:[1-9]\\}") {
            if let Ok(dice) = parse(&text) {
                prop_assert_eq!(parse(&dice.to_string()).unwrap(), dice);
            }
        }
    }
}
