//! The state of a game beyond the board: counters, traits of pieces, die faces; options and claims of the script.

use super::super::param::{Anything, Call, NewName, OptionName, Options, Word};
use super::super::row::{Cost, ExampleContext, Row, row};
use crate::host::convert::{number, small, text};
use crate::host::declare::{Later, OptionDef};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::ValueKind;
use crate::host::kind::option::{MAP, NUMBER, TEXT, TRUTH};
use crate::host::trace::{Phase, Trace};
use crate::notation::nearest;
use crate::printable;
use crate::symmetry::Symmetry;
use astragal_core::variant::{CounterDef, MarkDef, TraitDef};
use rhai::{Array, Dynamic, ImmutableString, Map};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("counter", Cost::Declaration)
            .about(
                r#"Declares a number that is part of the position. Options: `each` (true: each side has its own
                counter), `places` (how many numbers the counter holds, 1 to 32; a counter with places is a pool, such
                as one with a place for each face of the dice), `secret` (true: only its side sees it; `"count"`, with
                places: the others see only how many dice it holds)."#,
            )
            .errors(
                "The name must be unique. Values must stay between -32768 and 32767; a rule that exceeds this range ends
                with an error.",
            )
            .example_in(ExampleContext::Top, r#"counter("lives", 3, #{ each: true });"#)
            .options(&[("each", TRUTH), ("places", NUMBER), ("secret", &[ValueKind::Truth, ValueKind::Text])])
            .form(["name", "initial", "options"], counter),
        row("marks", Cost::Declaration)
            .newer()
            .about(
                "Declares a kind of mark on squares. Marks stay on their squares when pieces come and go. Use them, for
                example, for squares that are burnt or claimed. Option: `each` (true: each side has its own marks).",
            )
            .errors("The name must be unique among marks, counters and traits.")
            .example_in(ExampleContext::Top, r#"marks("passed"); marks("claimed", #{ each: true });"#)
            .options(&[("each", TRUTH)])
            .form(["name", "options"], marks),
        row("piece_trait", Cost::Declaration)
            .about(
                r#"Declares a number that each piece carries. The initial value is one number for all kinds, or a map
                from kinds to numbers. Options: `secret` (true: only the owner sees it; `"count"`: the others see how
                many of the owner's pieces have each value), `shown` (true: it is drawn on the pieces), `names`
                (names of values in pictures and texts, as in `#{ "0": "good", "1": "evil" }`)."#,
            )
            .example_in(ExampleContext::Top, r#"piece_trait("health", #{ king: 2 });"#)
            .options(&[("secret", &[ValueKind::Truth, ValueKind::Text]), ("shown", TRUTH), ("names", MAP)])
            .form(["name", "initial", "options"], piece_trait),
        row("die_faces", Cost::Declaration)
            .about(
                "Names the kind of piece that each face of the dice stands for, starting with face 1; positions and
                explanations use these names.",
            )
            .errors("Every name must be the name of a piece.")
            .example_in(ExampleContext::Top, r#"die_faces(["pawn", "knight", "bishop", "rook", "queen", "king"]);"#)
            .form(["kinds"], die_faces),
        row("option", Cost::Declaration)
            .about(
                "Declares an option that players set with `--set`, and returns its value. The first value is the
                default, and `why` describes the option to the player. The studio shows `label` instead of the option's
                name (default: the name without underscores), under the heading `group`.",
            )
            .example_in(
                ExampleContext::Top,
                r#"const LENGTH = option("length", ["short", "long"], "How long a game is."); if LENGTH == "long" {
                title("Long"); }"#,
            )
            .options(&[("label", TEXT), ("group", TEXT)])
            .form(["name", "values", "why", "options"], option),
        row("option", Cost::Value)
            .about("Returns the value of an option that was declared earlier. You can also use it in rules.")
            .errors("There must be an option with this name.")
            .example(r#"if option("mode") == "fast" { label("fast"); }"#)
            .form(["name"], chosen),
        row("symmetric", Cost::Declaration)
            .about(
                r#"Declares that the game stays the same if the sides are swapped and the board is mirrored
                (`"mirrored"`, the default) or rotated by half a turn (`"turned"`). `astragal test --random` checks
                this."#,
            )
            .example_in(ExampleContext::Top, "symmetric();")
            .form(["how"], symmetric),
    ]
}

/// Names reserved by the notation of positions.
const RESERVED: [(&str, &str); 4] = [
    ("out", "the sides that are out"),
    ("prepare", "the rest of the preparation"),
    ("turn", "the current turn"),
    ("under", "the pieces below others"),
];

/// What positions use this name for, if it is reserved.
pub(crate) fn reserved_in_positions(name: &str) -> Option<&'static str> {
    RESERVED.iter().find(|(reserved, _)| *reserved == name).map(|(_, what)| *what)
}

fn counter(call: &Call<'_>, name: NewName, initial: i16, options: Options) -> ScriptResult<()> {
    let places = options.number("places")?.unwrap_or(1);
    let per_side = options.flag("each", false)?;
    let (secret, counted) = secrecy(&options)?;
    let Some(size) = u8::try_from(places).ok().filter(|n| (1..=32).contains(n)) else {
        return fail(format!("a counter can have 1 to 32 places, not {places}"));
    };
    if counted && size == 1 {
        return fail("`secret: \"count\"` needs a counter with places; for this counter, write `secret: true`");
    }
    call.declare("counter()", |d| {
        if let Some(what) = reserved_in_positions(&name) {
            return fail(format!("a counter cannot be called \"{}\": positions use this name for {what}", *name));
        }
        if d.spec.counters.iter().any(|c| c.name == **name) {
            return fail(format!("there is already a counter called \"{}\"", *name));
        }
        if d.spec.marks.iter().any(|mark| mark.name == **name) {
            return fail(format!("there is already a kind of mark called \"{}\"", *name));
        }
        d.spec.counters.push(CounterDef { name: name.to_string(), per_side, initial, size, secret, counted });
        Ok(())
    })
}

/// Whether only the owner knows the value, and whether the other sides know its counts.
fn secrecy(options: &Options) -> ScriptResult<(bool, bool)> {
    let word = options.get("secret").and_then(|value| value.clone().into_string().ok());
    match word.as_deref() {
        Some("count") => Ok((true, true)),
        Some(other) => fail_help(
            format!("\"secret\" must be true, false or \"count\", not \"{other}\""),
            Some("write \"count\"".into()),
        ),
        None => Ok((options.flag("secret", false)?, false)),
    }
}

fn marks(call: &Call<'_>, name: NewName, options: Options) -> ScriptResult<()> {
    let per_side = options.flag("each", false)?;
    call.declare("marks()", |d| {
        if let Some(what) = reserved_in_positions(&name) {
            return fail(format!("marks cannot be called \"{}\": positions use this name for {what}", *name));
        }
        let spec = &d.spec;
        let counters = spec.counters.iter().map(|counter| ("a counter", &counter.name));
        let traits = spec.traits.iter().map(|one| ("a trait", &one.name));
        let marks = spec.marks.iter().map(|mark| ("a kind of mark", &mark.name));
        if let Some((what, _)) = counters.chain(traits).chain(marks).find(|(_, known)| **known == **name) {
            return fail(format!("there is already {what} called \"{}\"", *name));
        }
        d.spec.marks.push(MarkDef { name: name.to_string(), per_side });
        Ok(())
    })
}

fn piece_trait(call: &Call<'_>, name: NewName, initial: Anything, options: Options) -> ScriptResult<()> {
    let (secret, counted) = secrecy(&options)?;
    let shown = options.flag("shown", false)?;
    if secret && shown {
        return fail("a trait can be \"secret\" or \"shown\", not both");
    }
    let names = options.text_map("names")?.into_iter().map(named_value).collect::<ScriptResult<_>>()?;
    let initial = &initial.0;
    let (value, by_kind) = match initial.read_lock::<Map>() {
        Some(map) => {
            let values = map.iter().map(|(kind, v)| Ok((kind.to_string(), small(number(v)?)?)));
            (0, values.collect::<ScriptResult<Vec<_>>>()?)
        }
        None => (small(number(initial)?)?, Vec::new()),
    };
    call.declare("piece_trait()", |d| {
        if d.spec.traits.iter().any(|t| t.name == **name) {
            return fail(format!("pieces already have a trait called \"{}\"", *name));
        }
        if d.spec.marks.iter().any(|mark| mark.name == **name) {
            return fail(format!("there is already a kind of mark called \"{}\"", *name));
        }
        d.later.push(Later::Trait(d.spec.traits.len(), by_kind));
        d.spec.traits.push(TraitDef { name: name.to_string(), initial: vec![value], secret, counted, shown, names });
        Ok(())
    })
}

/// The longest name of a value of a trait, in characters: as much as fits on a piece.
const VALUE_NAME: usize = 10;

/// A value of a trait and its name.
fn named_value((value, name): (String, String)) -> ScriptResult<(i16, String)> {
    let Ok(number) = value.parse() else {
        let help = Some(format!("write the value first, then its name: `\"1\": \"{value}\"`"));
        return fail_help(format!("\"{value}\" is not a value of a trait: values are numbers"), help);
    };
    match printable::is_visible(&name, VALUE_NAME) {
        true => Ok((number, name)),
        false => fail(format!("a name must be visible text of 1 to {VALUE_NAME} characters, not {name:?}")),
    }
}

/// Declares the kinds that the faces of dice stand for.
fn die_faces(call: &Call<'_>, kinds: Array) -> ScriptResult<()> {
    let kinds: Vec<String> = kinds.iter().map(text).collect::<ScriptResult<_>>()?;
    call.declare("die_faces()", |d| {
        d.faces = kinds;
        Ok(())
    })
}

fn option(
    call: &Call<'_>,
    name: NewName,
    values: Array,
    why: ImmutableString,
    options: Options,
) -> ScriptResult<Anything> {
    let Some(first) = values.first() else {
        let help = "list its values, the default first, as in `[\"slow\", \"fast\"]`";
        return fail_help("this option has no values", Some(help.into()));
    };
    let texts: Vec<String> = values.iter().map(Dynamic::to_string).collect();
    let mut trace = options_open(call)?;
    let Some(d) = trace.as_mut().map(|trace| &mut trace.declaration) else { return Ok(Anything(first.clone())) };
    if d.options.iter().any(|o| o.name == **name) {
        return fail(format!("there is already an option called \"{}\"", *name));
    }
    let given = d.given.iter().rev().find(|(n, _)| n == name.as_str()).map(|(_, value)| value.clone());
    let index = match &given {
        None => 0,
        // A value that the script does not know is reported when loading ends, with all options known.
        Some(given) => texts.iter().position(|t| t == given).unwrap_or(0),
    };
    let value = values[index].clone();
    d.values.push((name.to_string(), value.clone()));
    let chosen = texts[index].clone();
    d.options.push(OptionDef {
        name: name.to_string(),
        default: texts[0].clone(),
        values: texts,
        chosen,
        label: options.text("label")?.unwrap_or_else(|| OptionDef::label_of(&name)),
        group: options.text("group")?.unwrap_or_default(),
        why: why.into(),
    });
    Ok(Anything(value))
}

/// The run, if its script may declare options now; `None` in an imported script.
fn options_open<'a>(call: &'a Call<'_>) -> ScriptResult<Option<std::sync::MutexGuard<'a, Trace>>> {
    let trace = call.trace();
    match trace.phase {
        Phase::Declaring => Ok(Some(trace)),
        Phase::Importing => Ok(None),
        Phase::Running => {
            drop(trace);
            fail("options are declared at the top level; in a rule, `option(\"name\")` returns the value")
        }
    }
}

fn chosen(call: &Call<'_>, name: OptionName) -> ScriptResult<Anything> {
    let trace = call.trace();
    let d = &trace.declaration;
    if let Some((_, value)) = d.values.iter().find(|(n, _)| *n == **name) {
        return Ok(Anything(value.clone()));
    }
    if trace.phase == Phase::Importing {
        return Ok(Anything(Dynamic::UNIT));
    }
    let names = d.options.iter().map(|o| o.name.as_str());
    let declare = || {
        let cure = "or, if a base game declares it in a function, call that function";
        format!("declare it at the top with `option(\"{}\", ..)`, {cure}", *name)
    };
    let help = Some(nearest(&name, names).map_or_else(declare, |near| format!("did you mean \"{near}\"?")));
    drop(trace);
    fail_help(format!("there is no option called \"{}\"", *name), help)
}

/// Claims that the game is the same for both sides; tests verify the claim.
fn symmetric(call: &Call<'_>, how: Option<Word>) -> ScriptResult<()> {
    let symmetry = match how.as_ref().map_or("mirrored", |word| word.as_str()) {
        "mirrored" => Symmetry::Mirrored,
        "turned" => Symmetry::Turned,
        other => {
            let near = nearest(other, ["mirrored", "turned"]).map(|name| format!("did you mean \"{name}\"?"));
            let help = near.or_else(|| {
                Some("\"mirrored\" swaps the near and far ranks; \"turned\" rotates the board by half a turn".into())
            });
            return fail_help(format!("`symmetric` takes \"mirrored\" or \"turned\", not \"{other}\""), help);
        }
    };
    call.declare("symmetric()", |d| {
        d.symmetry = Some(symmetry);
        Ok(())
    })
}
