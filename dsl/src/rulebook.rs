//! The rulebook of a script, like the leaflet in a game's box: the aim, the starting position, a turn, the dice, the
//! pieces, captures, special moves, the end, options, and an example turn.
//!
//! The comments before the script's first statement are the introduction. A comment block before a function or declaration
//! is a rule, in the section of the hook that calls the function. Pieces, dice, options, constants and the starting
//! position come from the variant, so they always match the game.
//!
//! It is for people: rule numbers, script names and lines of the script appear only with sources.

mod example;
mod movement;
mod narration;
mod setup;

pub use movement::{is_on_tracks, movements, pieces, tracks};

use crate::Loaded;
use crate::host::declare::OptionDef;
use crate::notation::describe;
use crate::printable::printable;
use astragal_core::Hook;
use astragal_core::variant::Captives;

/// The line width, which fits every terminal.
const WIDTH: usize = 80;

/// The whole rulebook as plain text, for players.
pub fn text(loaded: &Loaded) -> String {
    write(loaded, "", false)
}

/// The same with a picture of the starting position, in lines of text.
pub fn illustrated(loaded: &Loaded, picture: &str) -> String {
    write(loaded, picture, false)
}

/// The same with rule numbers and places in the script, for readers who compare the two.
pub fn with_sources(loaded: &Loaded) -> String {
    write(loaded, "", true)
}

/// The rulebook in parts, for pages that lay it out. Lines are not wrapped.
pub fn sections(loaded: &Loaded) -> Vec<Section> {
    let shown = |section: Section| Section {
        heading: printable(&section.heading).into_owned(),
        lines: section.lines.iter().filter(|line| !line.is_empty()).map(|line| printable(line).into_owned()).collect(),
        ..section
    };
    parts(loaded, false).into_iter().map(shown).collect()
}

/// A part of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its heading. That of the first part is the title of the game.
    pub heading: String,
    /// Its sentences and list items; items are indented. Those of the first part are paragraphs of the introduction.
    pub lines: Vec<String>,
    /// Whether it describes the starting position.
    pub is_position: bool,
}

impl Section {
    fn new(heading: &str, lines: Vec<String>) -> Section {
        Section { heading: heading.into(), lines, is_position: false }
    }
}

fn parts(loaded: &Loaded, sources: bool) -> Vec<Section> {
    let told = narration::rules(loaded, sources);
    let position = setup::board(loaded, sources).into_iter().chain(told.setup).collect();
    let all = [
        Section::new("The aim", aim(loaded)),
        Section { is_position: true, ..Section::new("Starting position", position) },
        Section::new("The turn", told.turn),
        Section::new("Dice", dice(loaded).into_iter().chain(told.dice).collect()),
        Section::new("Pieces", movement::in_short(loaded)),
        Section::new("Captures", captures(loaded, told.captures)),
        Section::new("Special moves", movement::castling(loaded)),
        Section::new("More rules", told.others),
        Section::new("The end", ends(loaded).into_iter().chain(told.end).collect()),
        Section::new("Options", options(loaded)),
        Section::new("An example", example::turn(loaded)),
    ];
    let described = all.into_iter().filter(|section| !section.lines.is_empty());
    [Section::new(&loaded.title, introduction(loaded))].into_iter().chain(described).collect()
}

fn write(loaded: &Loaded, picture: &str, sources: bool) -> String {
    let mut out = String::new();
    for (at, Section { heading, lines, is_position }) in parts(loaded, sources).iter().enumerate() {
        let (gap, underline) = if at == 0 { ("", "=") } else { ("\n", "-") };
        out.push_str(&format!("{gap}{heading}\n{}\n", underline.repeat(heading.chars().count())));
        if at == 0 && !lines.is_empty() {
            out.push('\n');
        }
        for line in picture.lines().filter(|_| *is_position) {
            out.push_str(&format!("  {}\n", line.trim_end()));
        }
        for line in lines {
            let indent = line.len() - line.trim_start().len();
            out.push_str(&wrapped(line, if at == 0 { 0 } else { indent + 2 }));
        }
    }
    printable(&out).into_owned()
}

/// The paragraphs of the script's description, without the title.
fn introduction(loaded: &Loaded) -> Vec<String> {
    let about = loaded.about.trim();
    let title = loaded.title.trim_end_matches('.');
    let body = about.lines().skip_while(|line| line.trim().trim_end_matches('.') == title || line.trim().is_empty());
    paragraphs(body.collect::<Vec<_>>().join("\n").trim())
}

/// Joins the lines of a comment into paragraphs, since authors break lines anywhere. `Source:` and similar words begin a
/// new paragraph. Indented lines and list items are kept as they are.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_prose = line.starts_with(|c: char| c.is_alphanumeric() || "(\"'".contains(c));
        let is_headed = line
            .split_once(": ")
            .is_some_and(|(head, _)| head.starts_with(char::is_uppercase) && head.chars().all(char::is_alphabetic));
        match found.last_mut().filter(|_| goes_on && is_prose && !is_headed) {
            Some(paragraph) => *paragraph += &format!(" {line}"),
            None => found.push(line.into()),
        }
        goes_on = is_prose;
    }
    found
}

/// A line broken at blanks, further lines indented.
fn wrapped(line: &str, indent: usize) -> String {
    let start = line.len() - line.trim_start().len();
    let mut out = " ".repeat(start);
    let (mut width, mut first) = (start, true);
    for word in line.split_whitespace() {
        let length = word.chars().count();
        if !first && width + 1 + length > WIDTH {
            out.push_str(&format!("\n{}", " ".repeat(indent)));
            (width, first) = (indent, true);
        }
        if !first {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
        first = false;
    }
    out.push('\n');
    out
}

/// The ways to win, if the script describes them.
fn aim(loaded: &Loaded) -> Vec<String> {
    let won = |(how, why): (String, String)| (how == "won").then_some(why);
    let reasons: Vec<String> = crate::check::endings_of(loaded).into_iter().filter_map(won).collect();
    match reasons.is_empty() {
        true => Vec::new(),
        false => vec![format!("Ways to win: {}.", describe::alternatives(&reasons))],
    }
}

/// How captures are made and resolved, and where captured pieces go.
fn captures(loaded: &Loaded, told: Vec<String>) -> Vec<String> {
    let spec = loaded.set.variant.spec();
    let by_moving = !loaded.set.rules.has(Hook::Capture) && told.is_empty() && example::takes_by_moving(loaded);
    let how = by_moving.then_some("A piece captures an enemy piece by moving to its square.");
    let held = match spec.captives {
        _ if !spec.hands => by_moving.then_some("A captured piece leaves the board."),
        Captives::Captor => Some("A captured piece goes to the captor's hand."),
        Captives::Owner => Some("A captured piece goes back to its owner's hand."),
        Captives::Nobody => Some("A captured piece leaves the game."),
    };
    told.into_iter().chain(how.into_iter().chain(held).map(String::from)).collect()
}

fn dice(loaded: &Loaded) -> Vec<String> {
    let variant = &loaded.set.variant;
    let (mut texts, others) = crate::check::dice_of(loaded);
    let mut lines = Vec::new();
    match texts.as_slice() {
        [] => {}
        [only] if !others => lines.push(described(only)),
        _ => {
            texts.extend(others.then(|| "others".into()));
            lines.push(format!("The dice: {}.", describe::enumeration(&texts)));
        }
    }
    let faces = loaded.faces.iter().enumerate().filter_map(|(i, letter)| {
        let kind = variant.kind_lettered(letter)?;
        Some(format!("  {}  {}", i + 1, variant.kind(kind).name))
    });
    let faces: Vec<String> = faces.collect();
    if !faces.is_empty() {
        lines.push("The faces stand for:".into());
        lines.extend(faces);
    }
    lines
}

/// Dice in words: `2d6` as `Two dice (2d6).`, `4d{0,1}` as `Four dice marked 0 or 1 (4d{0,1}).`
fn described(dice: &str) -> String {
    const NUMBERS: [&str; 6] = ["One", "Two", "Three", "Four", "Five", "Six"];
    let as_written = format!("The dice: {dice}.");
    let Some((count, faces)) = dice.split_once('d') else { return as_written };
    let Ok(count) = (if count.is_empty() { "1" } else { count }).parse::<usize>() else { return as_written };
    let Some(number) = count.checked_sub(1).and_then(|index| NUMBERS.get(index)) else { return as_written };
    let noun = if count == 1 { "die" } else { "dice" };
    let marks = faces.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match (marks, faces.parse::<u32>()) {
        (Some(marks), _) => {
            let marks: Vec<String> = marks.split(',').map(|mark| mark.trim().to_owned()).collect();
            format!("{number} {noun} marked {} ({dice}).", describe::alternatives(&marks))
        }
        (None, Ok(6)) => format!("{number} {noun} ({dice})."),
        (None, Ok(faces)) => format!("{number} {noun} with {faces} faces ({dice})."),
        (None, Err(_)) => as_written,
    }
}

fn ends(loaded: &Loaded) -> Vec<String> {
    if !loaded.set.rules.has(Hook::Outcome) {
        let words = "There is no separate rule for the end. The game ends only if another rule ends it, or as a draw after \
                     more than two rounds in which nothing happens.";
        return vec![words.into()];
    }
    let reasons = crate::check::endings_of(loaded);
    if reasons.is_empty() {
        return vec!["The script's rules decide when the game ends.".into()];
    }
    reasons.into_iter().map(|(what, why)| format!("{what}: {why}")).collect()
}

fn options(loaded: &Loaded) -> Vec<String> {
    let one = |option: &OptionDef| {
        let others: Vec<String> = option.values.iter().filter(|value| **value != option.chosen).cloned().collect();
        let instead = match others.is_empty() {
            true => String::new(),
            false => format!("; it can also be {}", describe::alternatives(&others)),
        };
        format!("{}: {} Current value: {}{instead}.", option.name, option.why.trim_end(), option.chosen)
    };
    loaded.options.iter().map(one).collect()
}

#[cfg(test)]
#[path = "rulebook_tests.rs"]
mod tests;
