//! Declarations: what a script's top level says about board, sides, pieces, set-up and options.
//!
//! They run once, at load, and fill a [`Declaration`]; [`super::script`] makes the variant of it. In an
//! imported script they do nothing until the importing script calls a function that makes them.

use super::convert::{number, small, text, type_name};
use super::trace::{Host, HostError, Outcome, Phase, error, fail, fail_help};
use crate::notation::{NotationError, betza, nearest};
use astragal_core::board::{Board, Drawing, Region};
use astragal_core::variant::{Captives, CounterDef, RoyalCapture, RoyalPolicy, Spec, TraitDef};
use astragal_core::{Atom, KindDef, KindMask, Promotion, SideDef, Square, SquareSet};
use rhai::{Array, Dynamic, Engine, Map};

/// A named choice between readings of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDef {
    /// The name.
    pub name: String,
    /// The values it can have, as people write them.
    pub values: Vec<String>,
    /// The first of them.
    pub default: String,
    /// The value in force.
    pub chosen: String,
    /// One line of why.
    pub why: String,
}

/// A castling as declared: squares, but not yet what stands there.
#[derive(Clone, Debug)]
pub(crate) struct CastleDecl {
    pub letter: char,
    pub king: (Square, Square),
    pub rook: (Square, Square),
    pub safe: bool,
}

/// Names of kinds that may be declared later.
#[derive(Clone, Debug)]
pub(crate) enum Later {
    Promotes(usize, Vec<String>),
    InHand(usize, String),
    Takes(usize, std::ops::Range<usize>, Vec<String>),
    Trait(usize, Vec<(String, i16)>),
}

/// Everything that the top level has said so far.
pub(crate) struct Declaration {
    pub spec: Spec,
    pub setup: Option<String>,
    pub options: Vec<OptionDef>,
    pub values: Vec<(String, Dynamic)>,
    pub given: Vec<(String, String)>,
    pub castles: Vec<CastleDecl>,
    pub later: Vec<Later>,
    pub faces: Vec<String>,
    /// How many pieces of each kind and side the starting array has.
    pub array_counts: Vec<[i64; 4]>,
}

impl Default for Declaration {
    fn default() -> Declaration {
        let board = Board::new(8, 8, 1).unwrap_or_else(|_| unreachable!("8x8 is a board"));
        Declaration {
            spec: Spec::new("", board),
            setup: None,
            options: Vec::new(),
            values: Vec::new(),
            given: Vec::new(),
            castles: Vec::new(),
            later: Vec::new(),
            faces: Vec::new(),
            array_counts: Vec::new(),
        }
    }
}

/// An error about a notation inside a call.
pub(crate) fn misread<T>(e: NotationError) -> Outcome<T> {
    let message = format!("{}: expected {}, found {}", e.notation, e.expected, e.found);
    Err(error(HostError { message, help: e.help.clone(), blamed: Some((e.input.to_string(), e.span.clone())) }))
}

impl Host {
    /// Runs `f` on the declaration; in imported scripts it is skipped, in rules refused.
    fn declare(&self, what: &str, f: impl FnOnce(&mut Declaration) -> Outcome<()>) -> Outcome<()> {
        let mut trace = self.trace();
        match trace.phase {
            Phase::Declaring => f(&mut trace.declaration),
            Phase::Importing => Ok(()),
            Phase::Running => {
                drop(trace);
                fail_help(
                    format!("{what} is a declaration"),
                    Some("declarations stand at the top level of a script, not in its rules".into()),
                )
            }
        }
    }
}

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_board(engine, host);
    register_pieces(engine, host);
    register_state(engine, host);
}

fn register_board(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("title", move |name: &str| {
        h.declare("title()", |d| {
            d.spec.title = name.into();
            Ok(())
        })
    });
    let h = host.clone();
    engine.register_fn("board", move |files: i64, ranks: i64| board(&h, files, ranks, &Map::new()));
    let h = host.clone();
    engine.register_fn("board", move |files: i64, ranks: i64, more: Map| board(&h, files, ranks, &more));
    let h = host.clone();
    engine.register_fn("sides", move |names: Array| sides(&h, &names, &Map::new()));
    let h = host.clone();
    engine.register_fn("sides", move |names: Array, more: Map| sides(&h, &names, &more));
    let h = host.clone();
    engine.register_fn("region", move |name: &str, squares: &str| region(&h, name, squares, false));
    let h = host.clone();
    engine.register_fn("region", move |name: &str, squares: &str, more: Map| {
        check_keys("region", &more, &["same_for_all"])?;
        region(&h, name, squares, flag(&more, "same_for_all", false)?)
    });
    let h = host.clone();
    engine.register_fn("setup", move |position: &str| {
        h.declare("setup()", |d| {
            d.setup = Some(position.into());
            Ok(())
        })
    });
    let h = host.clone();
    engine.register_fn("castling", move |letter: &str, king: &str, rook: &str| castling(&h, letter, king, rook, true));
    let h = host.clone();
    engine.register_fn("castling", move |letter: &str, king: &str, rook: &str, more: Map| {
        check_keys("castling", &more, &["safe"])?;
        castling(&h, letter, king, rook, flag(&more, "safe", true)?)
    });
}

fn register_pieces(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine
        .register_fn("piece", move |name: &str, letter: &str, moves: &str| piece(&h, name, letter, moves, &Map::new()));
    let h = host.clone();
    engine.register_fn("piece", move |name: &str, letter: &str, moves: &str, more: Map| {
        piece(&h, name, letter, moves, &more)
    });
    let h = host.clone();
    engine.register_fn("moves", move |name: &str, moves: &str| more_moves(&h, name, moves, &Map::new()));
    let h = host.clone();
    engine.register_fn("moves", move |name: &str, moves: &str, more: Map| more_moves(&h, name, moves, &more));
    let h = host.clone();
    engine.register_fn("royals", move |policy: &str| royals(&h, policy, "free"));
    let h = host.clone();
    engine.register_fn("royals", move |policy: &str, capture: &str| royals(&h, policy, capture));
}

fn register_state(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("hands", move || hands(&h, "captor"));
    let h = host.clone();
    engine.register_fn("hands", move |captives: &str| hands(&h, captives));
    let h = host.clone();
    engine.register_fn("counter", move |name: &str, initial: i64| counter(&h, name, initial, &Map::new()));
    let h = host.clone();
    engine.register_fn("counter", move |name: &str, initial: i64, more: Map| counter(&h, name, initial, &more));
    let h = host.clone();
    engine.register_fn("piece_trait", move |name: &str, initial: Dynamic| piece_trait(&h, name, &initial, &Map::new()));
    let h = host.clone();
    engine.register_fn("piece_trait", move |name: &str, initial: Dynamic, more: Map| {
        piece_trait(&h, name, &initial, &more)
    });
    let h = host.clone();
    engine.register_fn("die_faces", move |kinds: Array| {
        let kinds: Vec<String> = kinds.iter().map(text).collect::<Outcome<_>>()?;
        h.declare("die_faces()", |d| {
            d.faces = kinds;
            Ok(())
        })
    });
    let h = host.clone();
    engine.register_fn("option", move |name: &str, values: Array, why: &str| option(&h, name, &values, why));
    let h = host.clone();
    engine.register_fn("option", move |name: &str| chosen(&h, name));
}

/// Refuses keys that mean nothing, with the nearest that does.
pub(crate) fn check_keys(what: &str, map: &Map, known: &[&str]) -> Outcome<()> {
    for key in map.keys() {
        if !known.contains(&key.as_str()) {
            let help = nearest(key, known.iter().copied()).map(|name| format!("did you mean \"{name}\"?"));
            let help = help.or_else(|| Some(format!("it knows: {}", known.join(", "))));
            return fail_help(format!("{what}() knows nothing of \"{key}\""), help);
        }
    }
    Ok(())
}

pub(crate) fn flag(map: &Map, key: &str, default: bool) -> Outcome<bool> {
    match map.get(key) {
        None => Ok(default),
        Some(value) => {
            value.as_bool().or_else(|_| fail(format!("\"{key}\" is true or false, not {}", type_name(value))))
        }
    }
}

fn words(value: &Dynamic) -> Outcome<Vec<String>> {
    match value.read_lock::<Array>() {
        Some(items) => items.iter().map(text).collect(),
        None => text(value).map(|word| vec![word]),
    }
}

fn board(host: &Host, files: i64, ranks: i64, more: &Map) -> Outcome<()> {
    check_keys("board", more, &["first_rank", "wrap", "holes", "points", "river", "crosses"])?;
    let first = more.get("first_rank").map_or(Ok(1), number)?;
    let wrap = more.get("wrap").map_or(Ok(String::new()), text)?;
    let holes = more.get("holes").map_or(Ok(String::new()), text)?;
    let points = flag(more, "points", false)?;
    let river = more.get("river").map(number).transpose()?;
    let crosses = more.get("crosses").map_or(Ok(String::new()), text)?;
    let first_number = first;
    host.declare("board()", |d| {
        let Ok(first) = u8::try_from(first) else { return fail("first_rank is 0 or 1 in most games, 0 to 99 at most") };
        let mut board = match Board::new(files, ranks, first) {
            Ok(board) => board,
            Err(e) => return fail(e.to_string()),
        };
        match wrap.as_str() {
            "" => {}
            "files" => board.wrap(true, false),
            "ranks" => board.wrap(false, true),
            "both" => board.wrap(true, true),
            _ => return fail("wrap is \"files\", \"ranks\" or \"both\""),
        }
        let holes = squares(&board, &holes)?;
        board.cut(holes);
        let river = river.map(|rank| u8::try_from(rank - first_number).ok().filter(|rank| rank + 1 < board.height()));
        if river == Some(None) {
            return fail("river is the number of a rank below another one: the river flows above it");
        }
        let crosses = squares(&board, &crosses)?;
        board.draw_as(Drawing { points, river: river.flatten(), crosses });
        d.spec.board = board;
        Ok(())
    })
}

/// Reads squares and rectangles of them: `a1 c3-e5`.
pub(crate) fn squares(board: &Board, text: &str) -> Outcome<SquareSet> {
    let mut set = SquareSet::EMPTY;
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (from, to) = word.split_once('-').unwrap_or((word, word));
        let (Some(a), Some(b)) = (board.parse(from), board.parse(to)) else {
            return fail_help(
                format!("\"{word}\" is no square or rectangle of this board"),
                Some("write squares and rectangles as \"a1 c3-e5\"".into()),
            );
        };
        let files = board.file(a).min(board.file(b))..=board.file(a).max(board.file(b));
        let ranks = board.rank(a).min(board.rank(b))..=board.rank(a).max(board.rank(b));
        set |= board
            .squares()
            .into_iter()
            .filter(|&s| files.contains(&board.file(s)) && ranks.contains(&board.rank(s)))
            .collect();
    }
    Ok(set)
}

fn sides(host: &Host, names: &Array, more: &Map) -> Outcome<()> {
    check_keys("sides", more, &["letters", "forward", "teams"])?;
    let names: Vec<String> = names.iter().map(text).collect::<Outcome<_>>()?;
    if names.is_empty() || names.len() > 4 {
        return fail(format!("a game has 1 to 4 sides, not {}", names.len()));
    }
    let letters = more.get("letters").map_or(Ok("wbcd".to_string()), text)?;
    let letters: Vec<char> = letters.chars().collect();
    let forward = match more.get("forward") {
        Some(value) => words(value)?.iter().map(|word| direction(word)).collect::<Outcome<Vec<u8>>>()?,
        None if names.len() <= 2 => vec![0, 2],
        None => vec![0, 1, 2, 3],
    };
    if letters.len() < names.len() || forward.len() < names.len() {
        return fail("every side needs a letter and a forward direction");
    }
    let teams = more.get("teams").map(|value| teams(value, names.len())).transpose()?;
    let sides = names.into_iter().zip(letters).zip(forward);
    let sides = sides.map(|((name, letter), forward)| SideDef { name, letter, forward }).collect();
    host.declare("sides()", |d| {
        d.spec.sides = sides;
        d.spec.teams = teams;
        Ok(())
    })
}

/// The number of each side's team: `[1, 2, 1, 2]`.
fn teams(value: &Dynamic, sides: usize) -> Outcome<[u8; 4]> {
    let numbers = match value.read_lock::<Array>() {
        Some(items) => items.iter().map(number).collect::<Outcome<Vec<i64>>>()?,
        None => Vec::new(),
    };
    if numbers.len() != sides || numbers.iter().any(|n| !(1..=4).contains(n)) {
        return fail("teams are a number from 1 to 4 for each side, as [1, 2, 1, 2]");
    }
    let mut teams = [0; 4];
    teams.iter_mut().zip(numbers).for_each(|(team, n)| *team = n as u8);
    Ok(teams)
}

fn direction(word: &str) -> Outcome<u8> {
    match word {
        "up" => Ok(0),
        "right" => Ok(1),
        "down" => Ok(2),
        "left" => Ok(3),
        _ => fail(format!("a direction is \"up\", \"right\", \"down\" or \"left\", not \"{word}\"")),
    }
}

fn region(host: &Host, name: &str, text: &str, fixed: bool) -> Outcome<()> {
    host.declare("region()", |d| {
        let board = &d.spec.board;
        let own = squares(board, text)?;
        let mut all = [own; 4];
        let base = d.spec.sides.first().map_or(0, |s| s.forward);
        for (side, set) in d.spec.sides.iter().zip(all.iter_mut()).skip(1) {
            if !fixed {
                let quarters = (side.forward + 4 - base) % 4;
                *set = own.into_iter().filter_map(|s| board.turned(s, quarters)).collect();
            }
        }
        d.spec.board.add_region(Region { name: name.into(), squares: all });
        Ok(())
    })
}

fn castling(host: &Host, letter: &str, king: &str, rook: &str, safe: bool) -> Outcome<()> {
    host.declare("castling()", |d| {
        let board = &d.spec.board;
        let path = |text: &str| {
            let split = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase()).map(|(i, _)| i);
            let squares = split.and_then(|i| Some((board.parse(&text[..i])?, board.parse(&text[i..])?)));
            squares.map_or_else(|| fail(format!("\"{text}\" should be two squares of one rank, as \"e1g1\"")), Ok)
        };
        let mut letters = letter.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return fail("the castling right has a single letter, as \"K\"");
        };
        let decl = CastleDecl { letter, king: path(king)?, rook: path(rook)?, safe };
        d.castles.push(decl);
        Ok(())
    })
}

const PIECE_KEYS: [&str; 12] = [
    "royal",
    "within",
    "home",
    "promotes",
    "zone",
    "forced",
    "on_leaving",
    "glyphs",
    "facing",
    "takes",
    "in_hand",
    "clock",
];

fn piece(host: &Host, name: &str, letter: &str, moves: &str, more: &Map) -> Outcome<()> {
    check_keys("piece", more, &PIECE_KEYS)?;
    let atoms = betza::parse(moves).or_else(misread)?;
    let optional = |key: &str| more.get(key).map(text).transpose();
    let mut kind = KindDef::new(name, letter);
    kind.atoms = atoms;
    kind.royal = flag(more, "royal", false)?;
    kind.within = optional("within")?;
    kind.home = optional("home")?;
    kind.glyphs = more.get("glyphs").map_or(Ok(Vec::new()), words)?;
    kind.facing = optional("facing")?.map(|word| direction(&word)).transpose()?;
    kind.restarts_clock = flag(more, "clock", false)?;
    let promotes = more.get("promotes").map(words).transpose()?;
    if promotes.is_some() {
        kind.promotion = Some(Promotion {
            zone: optional("zone")?.unwrap_or_else(|| "far rank".into()),
            to: KindMask::NONE,
            forced: flag(more, "forced", true)?,
            on_leaving: flag(more, "on_leaving", false)?,
        });
    }
    let (takes, in_hand) = (more.get("takes").map(words).transpose()?, optional("in_hand")?);
    host.declare("piece()", |d| {
        let index = d.spec.kinds.len();
        if letter.is_empty()
            || letter
                .chars()
                .any(|c| c.is_ascii_digit() || c.is_ascii_lowercase() || c.is_whitespace() || "/[]*".contains(c))
        {
            return fail_help(
                format!("\"{letter}\" cannot stand for a piece"),
                Some("use a capital letter, perhaps after a plus sign".into()),
            );
        }
        if let Some(twin) = d.spec.kinds.iter().find(|k| k.name == name || k.letter == letter) {
            return fail(format!("\"{name}\" has the name or letter of \"{}\" ({})", twin.name, twin.letter));
        }
        far_rank(d);
        d.later.extend(promotes.map(|names| Later::Promotes(index, names)));
        d.later.extend(in_hand.map(|name| Later::InHand(index, name)));
        d.later.extend(takes.map(|names| Later::Takes(index, 0..kind.atoms.len(), names)));
        d.spec.kinds.push(kind);
        Ok(())
    })
}

/// The region where pieces promote unless something else is said.
fn far_rank(d: &mut Declaration) {
    if d.spec.board.region("far rank").is_some() {
        return;
    }
    let board = &d.spec.board;
    let (files, ranks) = (board.width(), board.height());
    let mut squares = [SquareSet::EMPTY; 4];
    for (side, set) in d.spec.sides.iter().zip(squares.iter_mut()) {
        *set = match side.forward {
            0 => board.rank_set(ranks - 1),
            1 => board.file_set(files - 1),
            2 => board.rank_set(0),
            _ => board.file_set(0),
        };
    }
    d.spec.board.add_region(Region { name: "far rank".into(), squares });
}

fn more_moves(host: &Host, name: &str, moves: &str, more: &Map) -> Outcome<()> {
    check_keys("moves", more, &["takes"])?;
    let atoms: Vec<Atom> = betza::parse(moves).or_else(misread)?;
    let takes = more.get("takes").map(words).transpose()?;
    if host.trace().phase == Phase::Importing {
        return Ok(());
    }
    let index = host.kind(name)?.index();
    host.declare("moves()", |d| {
        let kind = &mut d.spec.kinds[index];
        let range = kind.atoms.len()..kind.atoms.len() + atoms.len();
        kind.atoms.extend(atoms);
        d.later.extend(takes.map(|names| Later::Takes(index, range, names)));
        Ok(())
    })
}

fn royals(host: &Host, policy: &str, capture: &str) -> Outcome<()> {
    let policy = match policy {
        "protected" => RoyalPolicy::Protected,
        "capturable" => RoyalPolicy::Capturable,
        _ => return fail(format!("royals are \"protected\" or \"capturable\", not \"{policy}\"")),
    };
    let capture = match capture {
        "free" => RoyalCapture::Free,
        "safe" => RoyalCapture::Safe,
        "never" => RoyalCapture::Never,
        _ => return fail(format!("the capture of a royal is \"free\", \"safe\" or \"never\", not \"{capture}\"")),
    };
    host.declare("royals()", |d| {
        d.spec.royal_policy = policy;
        d.spec.royal_capture = capture;
        Ok(())
    })
}

/// Pieces in hand; captured ones go to their captor, their owner or nobody.
fn hands(host: &Host, captives: &str) -> Outcome<()> {
    let captives = match captives {
        "captor" => Captives::Captor,
        "owner" => Captives::Owner,
        "nobody" => Captives::Nobody,
        _ => {
            return fail(format!(
                "captured pieces go to their \"captor\", their \"owner\" or \"nobody\", not \"{captives}\""
            ));
        }
    };
    host.declare("hands()", |d| {
        d.spec.hands = true;
        d.spec.captives = captives;
        Ok(())
    })
}

fn counter(host: &Host, name: &str, initial: i64, more: &Map) -> Outcome<()> {
    check_keys("counter", more, &["each", "places", "secret"])?;
    let places = more.get("places").map_or(Ok(1), number)?;
    let (per_side, secret) = (flag(more, "each", false)?, flag(more, "secret", false)?);
    let initial = small(initial)?;
    let Some(size) = u8::try_from(places).ok().filter(|n| (1..=32).contains(n)) else {
        return fail(format!("a counter has 1 to 32 places, not {places}"));
    };
    host.declare("counter()", |d| {
        if name == "out" {
            return fail("no counter can be called \"out\": positions name the sides that are out so");
        }
        if d.spec.counters.iter().any(|c| c.name == name) {
            return fail(format!("there is already a counter called \"{name}\""));
        }
        d.spec.counters.push(CounterDef { name: name.into(), per_side, initial, size, secret });
        Ok(())
    })
}

fn piece_trait(host: &Host, name: &str, initial: &Dynamic, more: &Map) -> Outcome<()> {
    check_keys("piece_trait", more, &["secret"])?;
    let secret = flag(more, "secret", false)?;
    let (value, by_kind) = match initial.read_lock::<Map>() {
        Some(map) => {
            let values = map.iter().map(|(kind, v)| Ok((kind.to_string(), small(number(v)?)?)));
            (0, values.collect::<Outcome<Vec<_>>>()?)
        }
        None => (small(number(initial)?)?, Vec::new()),
    };
    host.declare("piece_trait()", |d| {
        if d.spec.traits.iter().any(|t| t.name == name) {
            return fail(format!("pieces already have a trait called \"{name}\""));
        }
        d.later.push(Later::Trait(d.spec.traits.len(), by_kind));
        d.spec.traits.push(TraitDef { name: name.into(), initial: vec![value], secret });
        Ok(())
    })
}

fn option(host: &Host, name: &str, values: &Array, why: &str) -> Outcome<Dynamic> {
    let Some(first) = values.first() else { return fail("an option needs values, the default first") };
    let texts: Vec<String> = values.iter().map(Dynamic::to_string).collect();
    let mut trace = self_declaring(host)?;
    let Some(d) = trace.as_mut().map(|trace| &mut trace.declaration) else { return Ok(first.clone()) };
    if d.options.iter().any(|o| o.name == name) {
        return fail(format!("there is already an option called \"{name}\""));
    }
    let given = d.given.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.clone());
    let index = match &given {
        None => 0,
        // A value that the script does not know is reported when loading ends, with all options known.
        Some(given) => texts.iter().position(|t| t == given).unwrap_or(0),
    };
    let value = values[index].clone();
    d.values.push((name.into(), value.clone()));
    let chosen = texts[index].clone();
    d.options.push(OptionDef { name: name.into(), default: texts[0].clone(), values: texts, chosen, why: why.into() });
    Ok(value)
}

fn self_declaring(host: &Host) -> Outcome<Option<std::cell::RefMut<'_, super::trace::Trace>>> {
    let trace = host.trace();
    match trace.phase {
        Phase::Declaring => Ok(Some(trace)),
        Phase::Importing => Ok(None),
        Phase::Running => {
            drop(trace);
            fail("options are declared at the top level; in a rule, option(\"name\") tells the value")
        }
    }
}

fn chosen(host: &Host, name: &str) -> Outcome<Dynamic> {
    let trace = host.trace();
    let d = &trace.declaration;
    if let Some((_, value)) = d.values.iter().find(|(n, _)| n == name) {
        return Ok(value.clone());
    }
    if trace.phase == Phase::Importing {
        return Ok(Dynamic::UNIT);
    }
    let names = d.options.iter().map(|o| o.name.as_str());
    let help = nearest(name, names).map(|near| format!("did you mean \"{near}\"?"));
    drop(trace);
    fail_help(format!("there is no option called \"{name}\""), help)
}
