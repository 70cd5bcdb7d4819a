//! Scripts made out of scripts: random bytes say which parts of the shipped ones are left out, repeated, swapped or put
//! elsewhere, so that the result is often nearly right and reaches deep.

use astragal_dsl::library;
use std::sync::OnceLock;

/// Values that are likely to be forgotten.
const ODD: [&str; 29] = [
    "0",
    "-1",
    "1",
    "255",
    "256",
    "32767",
    "-32768",
    "65536",
    "9223372036854775807",
    "-9223372036854775808",
    "()",
    "\"\"",
    "[]",
    "#{}",
    "true",
    "|x| x",
    "||()",
    "any()",
    "nothing()",
    "roll(\"1d6\")",
    "cast(\"2d6\")",
    "mover()",
    "squares(\"a1\")",
    "square(\"a1\")",
    "play(any())",
    "again()",
    "choose([\"a\",\"b\"])",
    "suppose(|| remove(square(\"a1\")), || true)",
    "squares(\"a1-b2\").where(|s| s.is_empty)",
];

/// Scripts with notations inside, in the place of `~`.
const FRAMES: [&str; 12] = [
    "piece(\"man\", \"M\", \"~\", #{}); setup(\"8/8/8/3M4/8/3m4/8/8 w\"); fn turn() { play(any()) }",
    "fn turn() { let d = roll(\"~\"); play(any()) } piece(\"man\", \"M\", \"K\"); setup(\"8/8/8/3M4/8/3m4/8/8 w\");",
    "board(8, 8); piece(\"man\", \"M\", \"K\"); setup(\"~\");",
    "region(\"there\", \"~\"); piece(\"man\", \"M\", \"K\", #{ within: \"there\" }); setup(\"8/8/8/3M4/8/3m4/8/8 w\");",
    "import \"chess\" as chess; chess::setup(); fn turn() { play(to(squares(\"~\"))) }",
    "import \"chess\" as chess; chess::setup(); fn turn() { let d = cast(\"~\"); if d.total > 3 { play(any()) } }",
    "option(\"~\", [\"~\", \"b\"], \"why\"); import \"chess\" as chess; chess::setup();",
    "counter(\"~\", 3, #{ each: true, places: 2 }); piece(\"man\", \"M\", \"K\"); setup(\"8/8/8/3M4/8/3m4/8/8 w\");",
    "sides([\"~\", \"Black\"]); title(\"~\"); piece(\"~\", \"M\", \"K\"); setup(\"8/8/8/3M4/8/3m4/8/8 w\");",
    "piece(\"man\", \"~\", \"K\"); setup(\"8/8/8/3~4/8/8/8/8 w\"); fn turn() { play(pieces(\"man\")) }",
    "import \"chess\" as chess; chess::setup(); fn turn() { choose([\"~\", \"b\"]); label(\"~\"); play(any()) }",
    "piece(\"man\", \"M\", \"K\"); moves(\"man\", \"~\"); castling(\"K\", \"~\", \"h1f1\"); \
     setup(\"4M2M/8/8/8/8/8/8/8 w K\");",
];

/// The parts of the shipped scripts, without comments.
struct Parts {
    /// For each script its tokens, blanks included.
    scripts: Vec<Vec<&'static str>>,
    /// All tokens but blanks, each once.
    tokens: Vec<&'static str>,
    /// All lines that are not empty, each once.
    lines: Vec<&'static str>,
}

fn parts() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    PARTS.get_or_init(|| {
        let texts: Vec<&'static str> =
            library::names().into_iter().filter_map(library::bundled).map(|source| &*source.text.leak()).collect();
        let scripts: Vec<Vec<&str>> = texts.iter().map(|text| tokens(text)).collect();
        let mut all: Vec<&str> = scripts.iter().flatten().copied().filter(|t| !t.trim().is_empty()).collect();
        let mut lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).map(str::trim).collect();
        lines.retain(|line| !line.is_empty() && !line.starts_with("//"));
        for list in [&mut all, &mut lines] {
            list.sort_unstable();
            list.dedup();
        }
        Parts { scripts, tokens: all, lines }
    })
}

/// Cuts a script into names, numbers, texts, signs and blanks; comments are left out.
fn tokens(text: &'static str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |fits: fn(char) -> bool| rest.find(|c: char| !fits(c)).unwrap_or(rest.len());
        let length = match first {
            c if c.is_whitespace() => run(char::is_whitespace),
            c if c.is_alphanumeric() || c == '_' => run(|c| c.is_alphanumeric() || c == '_'),
            '"' => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        if !rest.starts_with("//") {
            found.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    found
}

/// Bytes as numbers, 0 when there are no more.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first)
            }
            None => 0,
        }
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        (self.next() << 8 | self.next()) % n.max(1)
    }
}

/// A shipped script changed according to the bytes: one for the script, then six for each change.
pub fn script(data: &[u8]) -> String {
    let parts = parts();
    let mut bytes = Bytes(data);
    let mut text: Vec<&str> = parts.scripts[bytes.next() % parts.scripts.len()].clone();
    while !bytes.0.is_empty() && text.len() < 20_000 {
        let (what, at, other, pick) = (bytes.next(), bytes.below(text.len()), bytes.below(1 << 16), bytes.next());
        let other_at = other % text.len().max(1);
        match what % 12 {
            0 if !text.is_empty() => text[at] = parts.tokens[other % parts.tokens.len()],
            1 if !text.is_empty() => text[at] = ODD[other % ODD.len()],
            2 => text.insert(at, parts.tokens[other % parts.tokens.len()]),
            3 => text.insert(at, ODD[other % ODD.len()]),
            4 if !text.is_empty() => drop(text.remove(at)),
            5 if !text.is_empty() => text.swap(at, other_at),
            6 => drop(text.drain(at..(at + 1 + pick % 8).min(text.len()))),
            7 => {
                // A piece of another script.
                let donor = &parts.scripts[pick % parts.scripts.len()];
                let from = other % donor.len();
                let piece = donor[from..(from + 24).min(donor.len())].to_vec();
                text.splice(at..at, piece);
            }
            8 => drop(text.splice(at..at, ["\n", parts.lines[other % parts.lines.len()], "\n"])),
            9 => {
                let end = (at + 1 + pick % 32).min(text.len());
                let again = text[at..end].to_vec();
                text.splice(other_at..other_at, again);
            }
            10 => {
                // A name for another name, wherever it stands.
                let (old, new) = (text.get(at).copied().unwrap_or_default(), parts.tokens[other % parts.tokens.len()]);
                if !old.trim().is_empty() {
                    text.iter_mut().filter(|token| **token == old).for_each(|token| *token = new);
                }
            }
            _ => {
                let wraps = [("{", "}"), ("(", ")"), ("[", "]"), ("|| ", ""), ("loop {", "}"), ("!", ""), ("-", "")];
                let (open, close) = wraps[pick % wraps.len()];
                let end = (at + 1 + other % 16).min(text.len());
                text.insert(end, close);
                text.insert(at, open);
            }
        }
    }
    text.concat()
}

/// A short script with `text` in the place of a notation.
pub fn frame(choice: u8, text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    FRAMES[usize::from(choice) % FRAMES.len()].replace('~', &escaped)
}
