//! The reference of the script language: what is written beside the registration, checked against it.
//!
//! `host/manual.txt` describes every function that scripts may call; from it come `docs/reference.md` and
//! the definition file for editors. The tests compare it with what the interpreter really knows, so a
//! function can be neither forgotten nor invented, and run every example.

use crate::host::script;
use crate::host::values::{AmountV, BundleV, CastV, FacesV, MoveV, PermitV, SetV, SideV, SquareV};
use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};
use std::any::TypeId;
use std::collections::BTreeSet;

const TEXT: &str = include_str!("host/manual.txt");

/// A part of the reference.
pub struct Chapter {
    /// Its title.
    pub title: String,
    /// What holds for all of it.
    pub intro: String,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// Functions that are described together.
#[derive(Default)]
pub struct Entry {
    /// How they are called.
    pub signatures: Vec<Signature>,
    /// What they cost: a word of [`COSTS`].
    pub cost: String,
    /// What they do.
    pub about: String,
    /// What they refuse.
    pub errors: String,
    /// Where the example stands: `turn`, `capture`, `outcome` or `top`.
    pub place: &'static str,
    /// An example.
    pub example: String,
}

/// One way of calling a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// As it is written in the reference.
    pub text: String,
    /// The name under which it is registered.
    pub name: String,
    /// Names and types of the parameters.
    pub params: Vec<(String, String)>,
    /// How many of them must be given.
    pub least: usize,
}

/// What the costs mean.
pub const COSTS: [(&str, &str); 7] = [
    ("declaration", "runs once, when the script is loaded"),
    ("value", "makes a value; the game is not looked at"),
    ("question", "asks the position: the rule's tree branches, once for each answer"),
    ("search", "finds squares and holds them in a slot; the tree does not branch"),
    ("chance", "dice: branches once for each outcome that the rule is told"),
    ("decision", "a player decides: branches by what he does"),
    ("effect", "a step that changes the game; the tree does not branch"),
];

/// The reference, in the order in which it is printed.
pub fn chapters() -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut entry = Entry::default();
    for line in TEXT.lines().chain([""]) {
        let Some(chapter) = chapters.last_mut().filter(|_| !line.starts_with("## ")) else {
            let title = line.trim_start_matches("## ").to_string();
            chapters.push(Chapter { title, intro: String::new(), entries: Vec::new() });
            continue;
        };
        if line.trim().is_empty() {
            if !entry.signatures.is_empty() {
                chapter.entries.push(std::mem::take(&mut entry));
            }
            continue;
        }
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            "@" => entry.cost = rest.into(),
            "=" => entry.about = rest.into(),
            "!" => entry.errors = rest.into(),
            ">" | "d>" | "c>" | "o>" => {
                entry.place = match mark {
                    "d>" => "top",
                    "c>" => "capture",
                    "o>" => "outcome",
                    _ => "turn",
                };
                entry.example = rest.into();
            }
            _ if chapter.entries.is_empty() && entry.signatures.is_empty() && !looks_like_signature(line) => {
                chapter.intro = line.into();
            }
            _ => entry.signatures.push(Signature::read(line)),
        }
    }
    chapters
}

fn looks_like_signature(line: &str) -> bool {
    !line.contains(". ") && !line.ends_with('.')
}

impl Signature {
    /// Reads `board(files: number, ranks: number, options?: map)`, `square.kind`, `operator |(a: set, b: set)`
    /// or `cast[index: number]`.
    fn read(line: &str) -> Signature {
        let text = line.to_string();
        let pair = |part: &str| {
            let (name, kind) = part.split_once(':').unwrap_or((part, "any"));
            (name.trim().trim_end_matches('?').to_string(), kind.trim().to_string())
        };
        if let Some((owner, rest)) = line.split_once('[') {
            let params = vec![("self".into(), owner.to_string()), pair(rest.trim_end_matches(']'))];
            return Signature { text, name: "index$get$".into(), params, least: 2 };
        }
        let Some((name, rest)) = line.split_once('(') else {
            let (owner, property) = line.split_once('.').unwrap_or((line, ""));
            let params = vec![("self".into(), owner.to_string())];
            return Signature { text: text.clone(), name: format!("get${property}"), params, least: 1 };
        };
        let name = name.strip_prefix("operator ").unwrap_or(name).to_string();
        let parts: Vec<&str> = rest.trim_end_matches(')').split(", ").filter(|part| !part.is_empty()).collect();
        let least = parts.iter().filter(|part| !part.contains("?:")).count();
        Signature { text, name, params: parts.iter().map(|part| pair(part)).collect(), least }
    }

    /// Whether it is written between its operands.
    pub fn is_operator(&self) -> bool {
        !self.name.starts_with(|c: char| c.is_alphabetic())
    }

    /// Whether this describes a function registered with these parameters.
    fn fits(&self, types: &[TypeId]) -> bool {
        (self.least..=self.params.len()).contains(&types.len())
            && types.iter().zip(&self.params).all(|(id, (_, kind))| is_kind(*id, kind))
    }
}

/// Whether a parameter of the interpreter is of the type that the reference names.
fn is_kind(id: TypeId, kind: &str) -> bool {
    let one = |known: &[TypeId]| known.contains(&id);
    if id == TypeId::of::<Dynamic>() {
        return true;
    }
    match kind {
        "text" => one(&[TypeId::of::<ImmutableString>(), TypeId::of::<&str>(), TypeId::of::<String>()]),
        "number" => one(&[TypeId::of::<i64>()]) || id == TypeId::of::<AmountV>(),
        "reckoned" => one(&[TypeId::of::<i64>(), TypeId::of::<AmountV>()]),
        "map" => one(&[TypeId::of::<Map>()]),
        "array" | "faces" => one(&[TypeId::of::<Array>()]),
        "function" => one(&[TypeId::of::<FnPtr>()]),
        "side" => one(&[TypeId::of::<SideV>()]),
        "square" => one(&[TypeId::of::<SquareV>()]),
        "squares" => one(&[TypeId::of::<SetV>()]),
        "move" => one(&[TypeId::of::<MoveV>()]),
        "permit" => one(&[TypeId::of::<PermitV>()]),
        "payment" => one(&[TypeId::of::<BundleV>()]),
        "rolled" => one(&[TypeId::of::<FacesV>()]),
        "cast" => one(&[TypeId::of::<CastV>()]),
        _ => false,
    }
}

/// What the reference and the interpreter do not agree about, a line each; nothing if all is well.
pub fn disagreements() -> Vec<String> {
    let registered = script::own_functions();
    let chapters = chapters();
    let described: Vec<&Signature> =
        chapters.iter().flat_map(|chapter| &chapter.entries).flat_map(|entry| &entry.signatures).collect();
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for (name, types) in &registered {
        let mut fitting =
            described.iter().enumerate().filter(|(_, s)| s.name == *name && s.fits(types)).map(|(i, _)| i).peekable();
        if fitting.peek().is_none() {
            wrong.push(format!("`{name}` with {} parameters is not described", types.len()));
        }
        used.extend(fitting);
    }
    let idle = described.iter().enumerate().filter(|(i, _)| !used.contains(i));
    wrong.extend(idle.map(|(_, signature)| format!("`{}` is described but does not exist", signature.text)));
    for entry in chapters.iter().flat_map(|chapter| &chapter.entries) {
        let name = &entry.signatures[0].text;
        if !COSTS.iter().any(|(cost, _)| *cost == entry.cost) || entry.about.is_empty() || entry.example.is_empty() {
            wrong.push(format!("`{name}` lacks its cost, description or example"));
        }
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

/// The signatures of a function that the reference describes.
pub(crate) fn signatures(name: &str) -> Vec<String> {
    let chapters = chapters();
    let all = chapters.iter().flat_map(|chapter| &chapter.entries).flat_map(|entry| &entry.signatures);
    all.filter(|signature| signature.name == name).map(|signature| signature.text.clone()).collect()
}

/// A whole script around the example of an entry.
pub fn script_of(entry: &Entry) -> String {
    let example = &entry.example;
    let mut top = vec!["title(\"Example\");".to_string()];
    let calls = |name: &str| entry.place == "top" && example.starts_with(&format!("{name}("));
    // What an example declares anew is not declared before it.
    let own = ["board", "sides"].into_iter().any(calls);
    if own {
        top.push(example.clone());
    }
    if calls("board") {
        top.push("piece(\"king\", \"K\", \"K\", #{ royal: true }); setup(\"k5/6/6/6/6/K5 w\");".into());
    } else if calls("setup") {
        top.push("import \"chess\" as chess; chess::army();".into());
    } else if calls("castling") {
        top.push("import \"chess\" as chess; chess::army(); setup(\"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1\");".into());
    } else {
        top.push("import \"chess\" as chess; chess::setup();".into());
    }
    if !own {
        top.push("royals(\"capturable\"); hands(); region(\"centre\", \"d4-e5\"); counter(\"stake\", 1);".into());
        top.push("counter(\"dice\", 0, #{ each: true, places: 20 }); counter(\"score\", 0, #{ each: true });".into());
        top.push("track(\"lane\", \"a2-h2\");".into());
        top.push("piece_trait(\"mark\", 0); option(\"mode\", [\"slow\", \"fast\"], \"How fast.\");".into());
        if entry.place == "top" {
            top.push(example.clone());
        }
    }
    let in_turn = if entry.place == "turn" { example.as_str() } else { "" };
    let rest = if in_turn.contains("play") { "" } else { " play(any());" };
    let in_outcome = if entry.place == "outcome" { example.as_str() } else { "" };
    let ends = "if !has(opponent(), \"king\") || !has(mover(), \"king\") { return draw(\"a king is gone\"); }";
    let capture = match entry.place {
        "capture" => format!("fn capture(attacker, defender) {{ {example} }}\n"),
        _ => String::new(),
    };
    format!("{}\nfn turn() {{ {in_turn}{rest} }}\n{capture}fn outcome() {{ {ends} {in_outcome} }}\n", top.join("\n"))
}

/// `docs/reference.md`.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Reference of the script functions\n\nGenerated from what the program registers (`astragal reference`); do not edit. Functions marked `x?` have\nan optional parameter. A *function* is written `|x| ...`; *kinds* are a name or an array of names; *any* takes what\nthe text says.\n\nWhat a call costs:\n\n| cost | meaning |\n| --- | --- |\n",
    );
    for (cost, meaning) in COSTS {
        out.push_str(&format!("| {cost} | {meaning} |\n"));
    }
    for chapter in chapters() {
        out.push_str(&format!("\n## {}\n", chapter.title));
        if !chapter.intro.is_empty() {
            out.push_str(&format!("\n{}\n", chapter.intro));
        }
        for entry in &chapter.entries {
            let names: Vec<String> = entry.signatures.iter().map(|s| format!("`{}`", s.text)).collect();
            out.push_str(&format!("\n### {}\n\n{} *Cost: {}.*\n", names.join(", "), entry.about, entry.cost));
            if !entry.errors.is_empty() {
                out.push_str(&format!("\nErrors: {}\n", entry.errors));
            }
            let example = match entry.place {
                "top" => entry.example.clone(),
                "capture" => format!("fn capture(attacker, defender) {{ {} }}", entry.example),
                place => format!("fn {place}() {{ {} }}", entry.example),
            };
            out.push_str(&format!("\n```rhai,example\n{example}\n```\n"));
        }
    }
    out
}

/// The definition file that Rhai's language server reads.
pub fn definitions() -> String {
    let mut out = String::from("module static;\n\n// Generated from what the program registers; do not edit.\n");
    for chapter in chapters() {
        out.push_str(&format!("\n// {}\n", chapter.title));
        for entry in &chapter.entries {
            for signature in &entry.signatures {
                for count in signature.least..=signature.params.len() {
                    out.push_str(&definition(entry, signature, count));
                }
            }
        }
    }
    out
}

fn definition(entry: &Entry, signature: &Signature, count: usize) -> String {
    let kind = |kind: &str| match kind {
        "text" => "String",
        "number" => "int",
        "map" => "Map",
        "array" | "faces" => "Array",
        "function" => "FnPtr",
        "side" => "Side",
        "square" => "Square",
        "squares" => "Squares",
        "move" => "Move",
        "permit" => "Permit",
        "rolled" => "Rolled",
        "cast" => "Cast",
        _ => "?",
    };
    let params: Vec<String> =
        signature.params.iter().take(count).map(|(name, of)| format!("{name}: {}", kind(of))).collect();
    let about = format!("\n/// {} Cost: {}.\n", entry.about, entry.cost);
    match signature.name.strip_prefix("get$") {
        // A property is a getter of its owner; an index is not written in these files.
        Some(property) => format!("{about}fn get {property}({}) -> ?;\n", params.join(", ")),
        None if signature.name.contains('$') => String::new(),
        None if signature.is_operator() => {
            let types: Vec<&str> = signature.params.iter().map(|(_, of)| kind(of)).collect();
            format!("{about}op {}({}) -> ?;\n", signature.name, types.join(", "))
        }
        None => format!("{about}fn {}({}) -> ?;\n", signature.name, params.join(", ")),
    }
}
