//! The script's own words: comments as rules, and the constants that rules use.

use crate::Loaded;
use crate::constants::Constant;
use crate::notation::describe;
use std::collections::BTreeSet;

/// The script's own words, by section.
#[derive(Default)]
pub(super) struct Rules {
    /// The board and the pieces on it.
    pub(super) setup: Vec<String>,
    /// Dice, and the meaning of their faces.
    pub(super) dice: Vec<String>,
    /// Turns, and the preparation before the first.
    pub(super) turn: Vec<String>,
    /// Captures.
    pub(super) captures: Vec<String>,
    /// The end of the game.
    pub(super) end: Vec<String>,
    /// Everything else.
    pub(super) others: Vec<String>,
}

/// The comment blocks of the script after the introduction, one paragraph each, and the constants between them. With
/// sources, also the rule numbers and the lines. A comment before a function belongs to the hook that calls the function.
pub(super) fn rules(loaded: &Loaded, sources: bool) -> Rules {
    let text = &loaded.source.text;
    let lines = (1..).zip(text.lines().map(str::trim)).skip_while(|(_, line)| line.is_empty());
    let lines = lines.skip_while(|(_, line)| line.starts_with("//"));
    let [turn, captures, end] = [&["prepare", "movement", "turn"][..], &["capture"], &["outcome"]]
        .map(|hooks| crate::check::functions_run_by(loaded, hooks));
    let used = in_functions(text);
    let mut told =
        Narrator { loaded, sources, used, found: Rules::default(), waiting: Vec::new(), block: Vec::new(), line: 0 };
    for (number, line) in lines {
        match line.strip_prefix("//") {
            Some(comment) => told.comment(number, comment.trim_start_matches(['/', '!']).trim()),
            None => {
                told.flush();
                let function = declared(line);
                let is_in = |names: &[String]| function.is_some_and(|name| names.iter().any(|known| known == name));
                let waiting = std::mem::take(&mut told.waiting);
                let is_told = !waiting.is_empty();
                match () {
                    () if told.is_of_setup(line) => told.found.setup.extend(waiting),
                    () if told.is_of_dice(line) => told.found.dice.extend(waiting),
                    () if is_in(&turn) => told.found.turn.extend(waiting),
                    () if is_in(&captures) => told.found.captures.extend(waiting),
                    () if is_in(&end) => told.found.end.extend(waiting),
                    () => told.found.others.extend(waiting),
                }
                told.constant(number, line, is_told);
            }
        }
    }
    told.flush();
    told.found.others.append(&mut told.waiting);
    told.found
}

/// The words in the script's functions.
fn in_functions(text: &str) -> BTreeSet<&str> {
    let mut within = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        within |= declared(line.trim()).is_some();
        let code = line.split("//").next().unwrap_or_default();
        if within {
            found.extend(code.split(|c: char| !c.is_alphanumeric() && c != '_'));
        }
        within &= !line.trim_end().ends_with('}') || line.starts_with(' ');
    }
    found
}

/// The constant that a line declares, and its value as text.
fn declared_constant(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix("const ")?.split_once('=')?;
    Some((name.trim(), value.trim()))
}

/// The function whose declaration starts on a line.
fn declared(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("private ").unwrap_or(line).strip_prefix("fn ")?;
    rest.split_once('(').map(|(name, _)| name.trim())
}

struct Narrator<'a> {
    loaded: &'a Loaded,
    sources: bool,
    /// The words of the script's functions. Constants that are not among them describe the game's appearance.
    used: BTreeSet<&'a str>,
    found: Rules,
    /// The paragraphs directly before the current line.
    waiting: Vec<String>,
    block: Vec<&'a str>,
    /// The first line of the block.
    line: usize,
}

impl<'a> Narrator<'a> {
    fn comment(&mut self, number: usize, comment: &'a str) {
        // A new number begins a new rule.
        if reference(comment).is_some() {
            self.flush();
        }
        if self.block.is_empty() {
            self.line = number;
        }
        self.block.push(comment);
    }

    fn flush(&mut self) {
        if self.block.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.block).join(" ");
        self.waiting.push(if self.sources { self.placed(&text, self.line) } else { unnumbered(&text) });
    }

    fn placed(&self, text: &str, line: usize) -> String {
        format!("{text} ({}:{line})", self.loaded.source.file())
    }

    /// Whether a line is about the board: a declaration, or a constant that no function uses.
    fn is_of_setup(&self, line: &str) -> bool {
        let declares = ["board(", "setup(", "sides(", "track(", "hands("].iter().any(|call| line.starts_with(call));
        declares || self.named(line).is_some_and(|(name, _)| !self.used.contains(name))
    }

    /// Whether a line declares the meaning of die faces, or the dice of pieces.
    fn is_of_dice(&self, line: &str) -> bool {
        self.named(line).is_some_and(|(_, constant)| self.is_faces(constant) || self.is_table(constant))
    }

    /// The constant that a line declares, if it can be printed and is no option. Options have their own section.
    fn named<'b>(&self, line: &'b str) -> Option<(&'b str, &'a Constant)> {
        let (name, value) = declared_constant(line)?;
        let (_, constant) = self.loaded.constants.iter().find(|(known, _)| known == name)?;
        (!value.starts_with("option(")).then_some((name, constant))
    }

    /// Adds the constant that a line declares, if functions use it and no other section covers it. A plain number is added
    /// only if a comment explains it.
    fn constant(&mut self, number: usize, line: &str, is_told: bool) {
        let Some((name, constant)) = self.named(line) else { return };
        if self.is_faces(constant) || !self.sources && (!self.used.contains(name) || is_numeric(constant) && !is_told) {
            return;
        }
        let Some(text) = self.value(constant).filter(|text| !text.is_empty()) else { return };
        let title = capital(&name.to_lowercase().replace('_', " "));
        let told = match self.sources {
            true => vec![format!("  {}", self.placed(&format!("{name}: {text}."), number))],
            false => match self.rows(constant) {
                Some(rows) => std::iter::once(format!("{title}:")).chain(rows).collect(),
                None => vec![format!("  {title}: {text}.")],
            },
        };
        let section = if self.is_table(constant) { &mut self.found.dice } else { &mut self.found.others };
        section.extend(told);
    }

    /// Whether a constant goes with dice: kinds by the faces of a die, or something for each kind.
    fn is_table(&self, constant: &Constant) -> bool {
        match constant {
            Constant::Word(_) => false,
            Constant::List(items) => !items.is_empty() && items.iter().all(|item| self.are_kinds(item)),
            Constant::Map(items) => !items.is_empty() && items.iter().all(|(key, _)| self.kind(key).is_some()),
        }
    }

    /// Kinds by the faces of a die, a line each.
    fn rows(&self, constant: &Constant) -> Option<Vec<String>> {
        let Constant::List(items) = constant else { return None };
        let row = |(face, item): (usize, &Constant)| {
            let words: Vec<String> = item.words()?.into_iter().map(String::from).collect();
            Some(format!("  {} {}", face + 1, describe::alternatives(&words)))
        };
        self.is_table(constant).then(|| items.iter().enumerate().map(row).collect())?
    }

    fn kind(&self, name: &str) -> Option<usize> {
        self.loaded.set.variant.kinds().iter().position(|kind| kind.name == name)
    }

    /// Whether a list is that of the faces, which the section on dice covers.
    fn is_faces(&self, constant: &Constant) -> bool {
        let letter = |name: &&str| self.kind(name).map(|kind| self.loaded.set.variant.kinds()[kind].letter.as_str());
        let letters = constant.words().map(|words| words.iter().map(letter).collect::<Vec<_>>());
        letters.is_some_and(|letters| {
            !letters.is_empty() && letters.into_iter().eq(self.loaded.faces.iter().map(|face| Some(face.as_str())))
        })
    }

    fn value(&self, constant: &Constant) -> Option<String> {
        match constant {
            // A movement in letters means nothing to players, and the pieces are described elsewhere.
            Constant::Word(word) if !word.contains(' ') && word.contains(|c: char| c.is_ascii_uppercase()) => None,
            Constant::Word(word) => Some(word.clone()),
            // Kinds by the faces of a die, which count from 1.
            Constant::List(items) if items.iter().all(|item| self.are_kinds(item)) => {
                let one = |(face, item): (usize, &Constant)| {
                    let words: Vec<String> = item.words()?.into_iter().map(String::from).collect();
                    Some(format!("{} {}", face + 1, describe::alternatives(&words)))
                };
                items.iter().enumerate().map(one).collect::<Option<Vec<_>>>().map(|faces| faces.join(", "))
            }
            Constant::List(items) => {
                let texts = items.iter().map(|item| self.value(item)).collect::<Option<Vec<_>>>()?;
                // An empty string only keeps an index free.
                Some(texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", "))
            }
            Constant::Map(items) => {
                let mut items: Vec<&(String, Constant)> = items.iter().collect();
                items.sort_by_key(|(key, _)| self.kind(key));
                let one = |(key, item): &&(String, Constant)| Some(format!("{key} {}", self.value(item)?));
                items.iter().map(one).collect::<Option<Vec<_>>>().map(|items| items.join(", "))
            }
        }
    }

    fn are_kinds(&self, item: &Constant) -> bool {
        item.words().is_some_and(|words| !words.is_empty() && words.iter().all(|word| self.kind(word).is_some()))
    }
}

/// Whether a constant consists of numbers.
fn is_numeric(constant: &Constant) -> bool {
    constant.words().is_some_and(|words| words.iter().all(|word| word.parse::<i64>().is_ok()))
}

/// A text that begins with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

/// A comment without its rule numbers: `DC-11, the other reading: free. DC-12: two.` becomes `The other reading: free.
/// Two.`
fn unnumbered(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    loop {
        let (end, numbered) = (reference(rest).unwrap_or(0), reference(rest).is_some());
        rest = &rest[end..];
        let sentence = rest.find(". ").map_or(rest.len(), |end| end + 2);
        let (said, further) = rest.split_at(sentence);
        out.push_str(&if numbered { capital(said) } else { said.to_owned() });
        if further.is_empty() {
            return out;
        }
        rest = further;
    }
}

/// The length of the rule numbers at the start of a sentence, as `DC-3:` or `DC-4, DC-5 to DC-7,`, with what follows
/// them.
fn reference(text: &str) -> Option<usize> {
    let mut at = number(text)?;
    loop {
        let rest = &text[at..];
        let next = [", ", " to ", " and "].into_iter().find_map(|between| {
            let after = rest.strip_prefix(between)?;
            Some(between.len() + number(after)?)
        });
        match next {
            Some(length) => at += length,
            None => break,
        }
    }
    let rest = &text[at..];
    [": ", ", "].into_iter().find(|mark| rest.starts_with(mark)).map(|mark| at + mark.len())
}

/// The length of one number, as `K2-13`.
fn number(text: &str) -> Option<usize> {
    let (series, rest) = text.split_once('-')?;
    let fits = series.starts_with(|c: char| c.is_ascii_uppercase())
        && series.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    (fits && digits > 0).then_some(series.len() + 1 + digits)
}
