//! Declarations: what a script's top level says about board, sides, pieces, set-up and options.
//!
//! They run once, at load, and fill a [`Declaration`]; [`super::script`] makes the variant of it. In an
//! imported script they do nothing until the importing script calls a function that makes them.

mod board;

pub(crate) use board::squares;

use super::convert::{number, small, text, type_name};
use super::trace::{Host, HostError, Outcome, Phase, caller, error, fail, fail_help};
use crate::flip::Symmetry;
use crate::notation::{NotationError, betza, nearest};
use astragal_core::board::Board;
use astragal_core::rule::Place;
use astragal_core::variant::{Captives, CounterDef, RoyalCapture, RoyalPolicy, Spec, TraitDef};
use astragal_core::{Atom, KindDef, KindMask, Promotion, Square};
use board::{board, castling, direction, far_rank, region, sides};
use rhai::{Array, Dynamic, Engine, Map, NativeCallContext};

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
    /// What the script claims to be the same game with colours exchanged.
    pub symmetry: Option<Symmetry>,
    /// How many pieces of each kind and side the starting array has.
    pub array_counts: Vec<[i64; 4]>,
    /// What may be declared once, in words, and where it has been.
    pub once: Vec<(String, Place)>,
    /// What has been declared again nevertheless: where first, where then.
    pub again: Vec<(String, Place, Place)>,
}

impl Declaration {
    /// Notes a declaration of which the last counts.
    pub(crate) fn note(&mut self, what: &str, place: Option<Place>) {
        let Some(place) = place else { return };
        match self.once.iter_mut().find(|(known, _)| known == what) {
            None => self.once.push((what.into(), place)),
            Some((_, first)) => {
                let first = std::mem::replace(first, place.clone());
                self.again.push((what.into(), first, place));
            }
        }
    }
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
            symmetry: None,
            array_counts: Vec::new(),
            once: Vec::new(),
            again: Vec::new(),
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
    pub(crate) fn declare(&self, what: &str, f: impl FnOnce(&mut Declaration) -> Outcome<()>) -> Outcome<()> {
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
    engine.register_fn("board", move |ctx: NativeCallContext, files: i64, ranks: i64| {
        board(&h, files, ranks, &Map::new(), caller(&ctx))
    });
    let h = host.clone();
    engine.register_fn("board", move |ctx: NativeCallContext, files: i64, ranks: i64, more: Map| {
        board(&h, files, ranks, &more, caller(&ctx))
    });
    let h = host.clone();
    engine.register_fn("sides", move |names: Array| sides(&h, &names, &Map::new()));
    let h = host.clone();
    engine.register_fn("sides", move |names: Array, more: Map| sides(&h, &names, &more));
    let h = host.clone();
    engine.register_fn("region", move |ctx: NativeCallContext, name: &str, squares: &str| {
        region(&h, name, squares, false, caller(&ctx))
    });
    let h = host.clone();
    engine.register_fn("region", move |ctx: NativeCallContext, name: &str, squares: &str, more: Map| {
        check_keys("region", &more, &["same_for_all"])?;
        region(&h, name, squares, flag(&more, "same_for_all", false)?, caller(&ctx))
    });
    let h = host.clone();
    engine.register_fn("setup", move |ctx: NativeCallContext, position: &str| {
        h.declare("setup()", |d| {
            d.note("the set-up", caller(&ctx));
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
    engine.register_fn("piece", move |name: &str, letter: &str| piece(&h, name, letter, "", &Map::new()));
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
    engine.register_fn("symmetric", move || symmetric(&h, "mirrored"));
    let h = host.clone();
    engine.register_fn("symmetric", move |how: &str| symmetric(&h, how));
    let h = host.clone();
    engine.register_fn("option", move |name: &str, values: Array, why: &str| option(&h, name, &values, why));
    let h = host.clone();
    engine.register_fn("option", move |name: &str| chosen(&h, name));
}

/// Claims that the game is the same for both sides; tests hold the script to it.
fn symmetric(host: &Host, how: &str) -> Outcome<()> {
    let symmetry = match how {
        "mirrored" => Symmetry::Mirrored,
        "turned" => Symmetry::Turned,
        other => {
            let near = nearest(other, ["mirrored", "turned"]).map(|name| format!("did you mean \"{name}\"?"));
            let help = near.or_else(|| Some("\"mirrored\" is rank by rank, \"turned\" by half a turn".into()));
            return fail_help(format!("a board cannot be \"{other}\""), help);
        }
    };
    host.declare("symmetric()", |d| {
        d.symmetry = Some(symmetry);
        Ok(())
    })
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

const PIECE_KEYS: [&str; 15] = [
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
    "drops_to",
    "drops_apart",
    "clock",
    "unlettered",
];

fn piece(host: &Host, name: &str, letter: &str, moves: &str, more: &Map) -> Outcome<()> {
    check_keys("piece", more, &PIECE_KEYS)?;
    let cells = host.trace().declaration.spec.board.cells();
    // Men that never move of themselves, such as walls, need no movement.
    let atoms = if moves.is_empty() { Vec::new() } else { betza::parse_on(cells, moves).or_else(misread)? };
    let optional = |key: &str| more.get(key).map(text).transpose();
    let mut kind = KindDef::new(name, letter);
    kind.atoms = atoms;
    kind.royal = flag(more, "royal", false)?;
    kind.within = optional("within")?;
    kind.home = optional("home")?;
    kind.glyphs = more.get("glyphs").map_or(Ok(Vec::new()), words)?;
    kind.facing = optional("facing")?.map(|word| direction(cells, &word)).transpose()?;
    kind.drops_to = optional("drops_to")?;
    kind.drops_apart = flag(more, "drops_apart", false)?;
    kind.restarts_clock = flag(more, "clock", false)?;
    kind.unlettered = flag(more, "unlettered", kind.restarts_clock)?;
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

fn more_moves(host: &Host, name: &str, moves: &str, more: &Map) -> Outcome<()> {
    check_keys("moves", more, &["takes"])?;
    let cells = host.trace().declaration.spec.board.cells();
    let atoms: Vec<Atom> = betza::parse_on(cells, moves).or_else(misread)?;
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

/// Names that positions use for something else.
const RESERVED: [(&str, &str); 3] =
    [("out", "the sides that are out"), ("prepare", "what is still to be prepared"), ("turn", "the turn under way")];

fn counter(host: &Host, name: &str, initial: i64, more: &Map) -> Outcome<()> {
    check_keys("counter", more, &["each", "places", "secret"])?;
    let places = more.get("places").map_or(Ok(1), number)?;
    let per_side = flag(more, "each", false)?;
    let counted = more.get("secret").is_some_and(|value| value.clone().into_string().is_ok_and(|text| text == "count"));
    let secret = counted || flag(more, "secret", false)?;
    let initial = small(initial)?;
    let Some(size) = u8::try_from(places).ok().filter(|n| (1..=32).contains(n)) else {
        return fail(format!("a counter has 1 to 32 places, not {places}"));
    };
    if counted && size == 1 {
        return fail(
            "secret: \"count\" shows how many a pool holds, and a counter without places is none: write secret: true",
        );
    }
    host.declare("counter()", |d| {
        if let Some((_, what)) = RESERVED.iter().find(|(reserved, _)| *reserved == name) {
            return fail(format!("no counter can be called \"{name}\": positions name {what} so"));
        }
        if d.spec.counters.iter().any(|c| c.name == name) {
            return fail(format!("there is already a counter called \"{name}\""));
        }
        d.spec.counters.push(CounterDef { name: name.into(), per_side, initial, size, secret, counted });
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
