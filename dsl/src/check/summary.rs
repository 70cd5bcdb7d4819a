//! What a script fixes and what it leaves as it is by default, in plain sentences.

use super::parse;
use super::rules::RULES;
use super::survey::{Call, Survey, Value};
use crate::Loaded;
use crate::notation::fen;
use crate::printable::in_a_line;
use astragal_core::variant::{Captives, RoyalCapture, RoyalPolicy, Spec};
use astragal_core::{Hook, Position};

/// What the script of a variant fixes, and what it leaves to the defaults: one line for each subject.
pub fn summary(loaded: &Loaded) -> String {
    let survey = parse(&loaded.source.text).map(|ast| Survey::of(&ast)).unwrap_or_default();
    let spec = loaded.set.variant.spec();
    let lines = [
        ("board", board(spec)),
        ("sides", sides(spec)),
        ("pieces", pieces(spec)),
        ("set-up", setup(loaded)),
        ("turn", turn(loaded, &survey)),
        ("dice", dice(loaded, &survey)),
        ("capture", capture(loaded)),
        ("royals", royals(spec)),
        ("promotion", promotion(spec)),
        ("castling", castling(spec)),
        ("pass", pass(&survey)),
        ("repetition", repetition(&survey)),
        ("end", end(&survey)),
    ];
    let lines = lines.iter().map(|(subject, text)| (*subject, in_a_line(text).into_owned()));
    // Each option has a line of its own.
    lines.chain([("options", options(loaded))]).map(|(subject, text)| format!("{subject:<11} {text}\n")).collect()
}

fn board(spec: &Spec) -> String {
    format!("{} files, {} ranks", spec.board.width(), spec.board.height())
}

fn sides(spec: &Spec) -> String {
    let names: Vec<&str> = spec.sides.iter().map(|side| side.name.as_str()).collect();
    format!("{}; they move in this order", names.join(", "))
}

fn pieces(spec: &Spec) -> String {
    let names: Vec<&str> = spec.kinds.iter().map(|kind| kind.name.as_str()).collect();
    if names.is_empty() { "default: none".into() } else { names.join(", ") }
}

fn setup(loaded: &Loaded) -> String {
    let empty = Position::empty(&loaded.set.variant);
    let text = fen::write(&loaded.set.variant, &loaded.start);
    if text == fen::write(&loaded.set.variant, &empty) { "default: an empty board".into() } else { text }
}

fn turn(loaded: &Loaded, survey: &Survey) -> String {
    if !loaded.set.rules.has(Hook::Turn) {
        return "default: one free move, in turn".into();
    }
    let again = calls(survey).any(|call| ["again", "next"].contains(&call.name.as_str()));
    let who = if again { "the rules may name another side to go on" } else { "default: the sides take turns" };
    format!("by the rule `turn`; {who}")
}

fn dice(loaded: &Loaded, survey: &Survey) -> String {
    let texts = thrown(survey);
    if texts.is_empty() && !calls(survey).any(|call| throws(&call.name)) {
        return "default: none".into();
    }
    let texts = if texts.is_empty() { "as the rules work out".into() } else { texts.join(", ") };
    if loaded.faces.is_empty() { texts } else { format!("{texts}; the faces stand for {}", loaded.faces.join(" ")) }
}

fn capture(loaded: &Loaded) -> String {
    let how = if loaded.set.rules.has(Hook::Capture) {
        "by the rule `capture`"
    } else {
        "default: by moving there, always successful"
    };
    let spec = loaded.set.variant.spec();
    let hands = match spec.captives {
        _ if !spec.hands => "",
        Captives::Captor => "; captured pieces go to the captor's hand",
        Captives::Owner => "; captured pieces go to their owner's hand",
        Captives::Nobody => "; captured pieces go out of the game, not into hands",
    };
    format!("{how}{hands}")
}

fn royals(spec: &Spec) -> String {
    let names: Vec<&str> = spec.kinds.iter().filter(|kind| kind.royal).map(|kind| kind.name.as_str()).collect();
    if names.is_empty() {
        return "none".into();
    }
    let policy = match (spec.royal_policy, spec.royal_capture) {
        (RoyalPolicy::Capturable, _) => "may be left attacked and taken",
        (RoyalPolicy::Protected, RoyalCapture::Free) => {
            "may not be left attacked; one that is may be taken, even by a piece that is pinned"
        }
        (RoyalPolicy::Protected, RoyalCapture::Safe) => {
            "may not be left attacked; one that is may be taken by a legal move"
        }
        (RoyalPolicy::Protected, RoyalCapture::Never) => "may not be left attacked and is never taken",
    };
    format!("{}: {policy}", names.join(", "))
}

fn promotion(spec: &Spec) -> String {
    let one = |kind: &astragal_core::KindDef| {
        let promotion = kind.promotion.as_ref()?;
        let to = spec.kinds.iter().enumerate().filter(|(i, _)| promotion.to.contains(astragal_core::Kind(*i as u8)));
        let to: Vec<&str> = to.map(|(_, kind)| kind.name.as_str()).collect();
        let must = if promotion.forced { "must" } else { "may" };
        Some(format!("a {} {must} become {} on \"{}\"", kind.name, to.join(", "), promotion.zone))
    };
    let all: Vec<String> = spec.kinds.iter().filter_map(one).collect();
    if all.is_empty() { "default: none".into() } else { all.join("; ") }
}

fn castling(spec: &Spec) -> String {
    let letters: String = spec.castles.iter().map(|castle| castle.letter).collect();
    if letters.is_empty() { "default: none".into() } else { letters }
}

fn pass(survey: &Survey) -> String {
    let may = calls(survey).any(|call| call.name == "play_or_pass");
    if may { "allowed where the rules say so".into() } else { "default: only by those who cannot move".into() }
}

fn repetition(survey: &Survey) -> String {
    let judged = super::rules::called(survey, &RULES);
    let named: Vec<&str> = ["repeated", "repetitions", "clock_reached", "clock"]
        .into_iter()
        .filter(|name| judged.contains(*name))
        .collect();
    match (named.iter().any(|n| n.starts_with("rep")), named.iter().any(|n| n.starts_with("clock"))) {
        (true, true) => "judged by the rules, and so are long games".into(),
        (true, false) => "judged by the rules; default for long games: no limit".into(),
        (false, true) => "default: allowed; long games are judged by the rules".into(),
        (false, false) => "default: allowed, and so are games without end".into(),
    }
}

fn end(survey: &Survey) -> String {
    let mut by = Vec::new();
    for rule in RULES {
        let called = super::rules::called(survey, &[rule]);
        if super::rules::ENDINGS.iter().any(|name| called.contains(*name)) {
            by.push(format!("`{rule}`"));
        }
    }
    match by.as_slice() {
        [] => "default: never by itself".into(),
        [one] => format!("by the rule {one}"),
        all => format!("by the rules {}", crate::notation::spoken::enumeration(all)),
    }
}

fn options(loaded: &Loaded) -> String {
    let one = |option: &crate::OptionDef| {
        in_a_line(&format!("{} = {} (of {})", option.name, option.chosen, option.values.join(", "))).into_owned()
    };
    let all: Vec<String> = loaded.options.iter().map(one).collect();
    if all.is_empty() { "none".into() } else { all.join(&format!("\n{:12}", "")) }
}

/// The dice that a script rolls, as written.
pub(crate) fn dice_of(text: &str) -> Vec<String> {
    let survey = parse(text).map(|ast| Survey::of(&ast)).unwrap_or_default();
    thrown(&survey)
}

/// Whether a function of this name throws dice.
fn throws(name: &str) -> bool {
    ["roll", "roll_playable", "roll_until", "roll_each", "cast", "draw_from"].contains(&name)
}

/// The dice that a script throws, as far as they stand in it: in the calls, in constants, as values of options.
fn thrown(survey: &Survey) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for call in calls(survey).filter(|call| throws(&call.name) && call.name != "draw_from") {
        let dice = if call.name == "roll_each" { call.args.get(1) } else { call.args.first() };
        dice.into_iter().for_each(|value| spell(survey, value, DEEP, &mut texts));
    }
    texts
}

/// How many names stand for each other at most.
const DEEP: u8 = 4;

/// Adds the dice that a value spells, each once.
fn spell(survey: &Survey, value: &Value, deep: u8, texts: &mut Vec<String>) {
    let inner: Vec<&Value> = match value {
        Value::Text(text, _) => {
            if crate::notation::dice::parse(text).is_ok() && !texts.contains(text) {
                texts.push(text.clone());
            }
            return;
        }
        Value::List(items) => items.iter().collect(),
        Value::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        Value::Name(name) => {
            survey.values.iter().filter(|(known, ..)| known == name).map(|(_, value, _)| value).collect()
        }
        Value::Call(call) if call.name == "option" => call.args.get(1).into_iter().collect(),
        _ => return,
    };
    if let Some(deep) = deep.checked_sub(1) {
        inner.into_iter().for_each(|value| spell(survey, value, deep, texts));
    }
}

/// What ends the game: `win` or `draw`, and the reason as written, through imported bases as well.
pub(crate) fn endings_of(text: &str) -> Vec<(String, String)> {
    let survey = parse(text).map(|ast| Survey::of(&ast)).unwrap_or_default();
    let mut found = Vec::new();
    super::rules::visit(&survey, &RULES, &mut |call| {
        let reason = match (call.name.as_str(), call.args.as_slice()) {
            ("win", [_, Value::Text(reason, _)]) => ("won", reason),
            ("draw", [Value::Text(reason, _)]) => ("drawn", reason),
            _ => return,
        };
        let ending = (reason.0.to_string(), reason.1.clone());
        if !found.contains(&ending) {
            found.push(ending);
        }
    });
    found
}

fn calls(survey: &Survey) -> impl Iterator<Item = &Call> {
    survey.calls.iter().filter(|call| call.module.is_none())
}
