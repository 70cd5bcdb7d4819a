//! Tracks in scripts: their declaration, the permits that follow them, what is asked of them.

use super::convert::{small, text};
use super::declare::{Declaration, check_keys, flag};
use super::permits::PermitMap;
use super::trace::{Host, Outcome, fail, fail_help};
use super::values::{PermitV, SetV, SideV};
use astragal_core::board::Board;
use astragal_core::permit::Permit;
use astragal_core::query::{Find, Query};
use astragal_core::track::{Along, End, MAX_STATIONS, Passing, Station, TrackDef};
use astragal_core::value::{SetExpr, SideRef};
use rhai::{Array, Dynamic, Engine, Map};

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_declarations(engine, host);
    register_permits(engine, host);
    register_questions(engine, host);
}

fn register_declarations(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("track", move |name: &str, stations: Dynamic| track(&h, name, &stations, &Map::new()));
    let h = host.clone();
    engine.register_fn("track", move |name: &str, stations: Dynamic, more: Map| track(&h, name, &stations, &more));
    let h = host.clone();
    engine.register_fn("lines", move |name: &str, list: Array| lines(&h, name, &list));
}

/// A way that each side follows from its first station to its last.
fn track(host: &Host, name: &str, stations: &Dynamic, more: &Map) -> Outcome<()> {
    check_keys("track", more, &["same_for_all", "closed"])?;
    let (fixed, closed) = (flag(more, "same_for_all", false)?, flag(more, "closed", false)?);
    let texts = match stations.read_lock::<Array>() {
        Some(items) => Some(items.iter().map(text).collect::<Outcome<Vec<String>>>()?),
        None => None,
    };
    let single = if texts.is_none() { text(stations)? } else { String::new() };
    host.declare("track()", |d| {
        let sides = d.spec.sides.len();
        let mut paths: [Vec<Vec<Station>>; 4] = Default::default();
        match texts {
            Some(texts) if texts.len() == sides => {
                for (path, text) in paths.iter_mut().zip(&texts) {
                    *path = vec![read(&d.spec.board, text)?];
                }
            }
            Some(texts) => {
                return fail_help(
                    format!("there are {sides} sides, but {} ways", texts.len()),
                    Some("give one text for all sides, or an array with a text for each side".into()),
                );
            }
            None => {
                let own = read(&d.spec.board, &single)?;
                for (side, path) in paths.iter_mut().enumerate().take(sides) {
                    *path = vec![if fixed { own.clone() } else { turned(d, &own, side)? }];
                }
            }
        }
        add(d, TrackDef { name: name.into(), paths, closed, both_ways: false })
    })
}

/// Lines that every man may follow in either direction.
fn lines(host: &Host, name: &str, list: &Array) -> Outcome<()> {
    let texts = list.iter().map(text).collect::<Outcome<Vec<String>>>()?;
    host.declare("lines()", |d| {
        let all = texts.iter().map(|text| read(&d.spec.board, text)).collect::<Outcome<Vec<_>>>()?;
        let paths = std::array::from_fn(|_| all.clone());
        add(d, TrackDef { name: name.into(), paths, closed: false, both_ways: true })
    })
}

fn add(d: &mut Declaration, def: TrackDef) -> Outcome<()> {
    if d.spec.tracks.iter().any(|t| t.name == def.name) {
        return fail(format!("there is already a track called \"{}\"", def.name));
    }
    if def.paths.iter().flatten().map(Vec::len).sum::<usize>() > MAX_STATIONS * 4 || d.spec.tracks.len() >= 64 {
        return fail(format!("tracks have at most {MAX_STATIONS} stations, and a game 64 tracks"));
    }
    d.spec.tracks.push(def);
    Ok(())
}

/// Stations in order: squares, rows of them as `a1-h1`, several squares for one station as `[a1-a5]`.
fn read(board: &Board, text: &str) -> Outcome<Vec<Station>> {
    let mut stations: Vec<Station> = Vec::new();
    let mut heap: Option<Station> = None;
    let spaced = text.replace('[', " [ ").replace(']', " ] ");
    for word in spaced.split([' ', ',', '\n']).filter(|word| !word.is_empty()) {
        match (word, &mut heap) {
            ("[", None) => heap = Some(Vec::new()),
            ("]", Some(squares)) if !squares.is_empty() => {
                stations.push(std::mem::take(squares));
                heap = None;
            }
            ("[" | "]", _) => return fail("brackets put the squares of one station together, as \"[a1-a5] [b1-b5]\""),
            (word, Some(squares)) => squares.extend(row(board, word)?),
            (word, None) => stations.extend(row(board, word)?.into_iter().map(|s| vec![s])),
        }
    }
    if heap.is_some() || stations.is_empty() || stations.len() > MAX_STATIONS {
        return fail(format!("a track has 1 to {MAX_STATIONS} stations, written as \"a1-h1 h2 [a3-a5]\""));
    }
    Ok(stations)
}

/// One square, or all from one to another on a line, in this order.
fn row(board: &Board, word: &str) -> Outcome<Station> {
    let (from, to) = word.split_once('-').unwrap_or((word, word));
    let (Some(a), Some(b)) = (board.parse(from), board.parse(to)) else {
        return fail(format!("\"{word}\" is no square or row of squares of this board"));
    };
    let mut row = vec![a];
    if a != b {
        row.extend(board.between(a, b));
        row.push(b);
    }
    if row.len() as i16 != board.distance(a, b) + 1 {
        return fail(format!("\"{word}\" is no unbroken row of squares"));
    }
    Ok(row)
}

/// A way of the first side as another one goes it.
fn turned(d: &Declaration, own: &[Station], side: usize) -> Outcome<Vec<Station>> {
    let board = &d.spec.board;
    let turns = board.cells().turns();
    let quarters = (d.spec.sides[side].forward + turns - d.spec.sides[0].forward) % turns;
    let turn = |station: &Station| station.iter().map(|&s| board.turned(s, quarters)).collect::<Option<Station>>();
    match own.iter().map(turn).collect() {
        Some(path) => Ok(path),
        None => fail_help(
            "turned for another side, this way leaves the board",
            Some("give an array with a way for each side, or #{same_for_all: true}".into()),
        ),
    }
}

fn register_permits(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("along", move |name: &str, n: i64| permit(&h, name, (n, n), &Map::new(), Permit::Along));
    let h = host.clone();
    engine.register_fn("along", move |name: &str, n: i64, more: Map| permit(&h, name, (n, n), &more, Permit::Along));
    let h = host.clone();
    engine.register_fn("along", move |name: &str, least: i64, most: i64| {
        permit(&h, name, (least, most), &Map::new(), Permit::Along)
    });
    let h = host.clone();
    engine.register_fn("along", move |name: &str, least: i64, most: i64, more: Map| {
        permit(&h, name, (least, most), &more, Permit::Along)
    });
    let h = host.clone();
    engine.register_fn("enter", move |name: &str, n: i64| permit(&h, name, (n, n), &Map::new(), Permit::Enter));
    let h = host.clone();
    engine.register_fn("enter", move |name: &str, n: i64, more: Map| permit(&h, name, (n, n), &more, Permit::Enter));
    let h = host.clone();
    engine.register_fn("way", move |from: Dynamic, to: Dynamic| -> Outcome<PermitV> {
        Ok(PermitV::fixed(Permit::Way { from: h.set(&from)?, to: h.set(&to)?, own: false }))
    });
    let h = host.clone();
    engine.register_fn("way", move |from: Dynamic, to: Dynamic, more: Map| -> Outcome<PermitV> {
        check_keys("way", &more, &["own"])?;
        Ok(PermitV::fixed(Permit::Way { from: h.set(&from)?, to: h.set(&to)?, own: flag(&more, "own", false)? }))
    });
}

/// Moves of so many stations.
fn permit(host: &Host, name: &str, (least, most): (i64, i64), more: &Map, make: PermitMap<Along>) -> Outcome<PermitV> {
    check_keys("along", more, &["passing", "end"])?;
    let word = |key: &str, default: &str| more.get(key).map_or(Ok(default.to_string()), text);
    let passing = match word("passing", "all")?.as_str() {
        "all" => Passing::All,
        "nobody" => Passing::Nobody,
        "own" => Passing::Own,
        "enemies" => Passing::Enemies,
        "hop" => Passing::Hop,
        other => {
            return fail(format!("passing is \"all\", \"nobody\", \"own\", \"enemies\" or \"hop\", not \"{other}\""));
        }
    };
    let end = match word("end", "exact")?.as_str() {
        "exact" => End::Exact,
        "stop" => End::Stop,
        "last" => End::Last,
        other => return fail(format!("end is \"exact\", \"stop\" or \"last\", not \"{other}\"")),
    };
    let (least, most) = (small(least)?, small(most)?);
    if i64::from(most) - i64::from(least) > MAX_STATIONS as i64 {
        return fail(format!("no track is longer than {MAX_STATIONS} stations"));
    }
    let track = host.track(name)?;
    Ok(PermitV::fixed(make(Along { track, least, most, passing, end })))
}

fn register_questions(engine: &mut Engine, host: &Host) {
    let found = |host: &Host, find: Find| -> Outcome<SetV> { Ok(SetV(SetExpr::Slot(host.find(find)?), host.clone())) };
    let h = host.clone();
    engine.register_fn("on_track", move |name: &str, first: i64, last: i64| {
        found(&h, Find::Stations(h.track(name)?, SideRef::Mover, small(first)?, small(last)?))
    });
    let h = host.clone();
    engine.register_fn("on_track", move |name: &str, first: i64, last: i64, side: Dynamic| {
        found(&h, Find::Stations(h.track(name)?, h.side(&side)?, small(first)?, small(last)?))
    });
    let h = host.clone();
    engine.register_fn("place_on", move |name: &str, square: Dynamic| {
        h.ask(Query::Place(h.track(name)?, h.square(&square)?, SideRef::Mover))
    });
    let h = host.clone();
    engine.register_fn("place_on", move |name: &str, square: Dynamic, side: SideV| {
        h.ask(Query::Place(h.track(name)?, h.square(&square)?, side.0.now()))
    });
    let h = host.clone();
    engine.register_fn("joined", move |name: &str, squares: Dynamic| {
        found(&h, Find::Joined(h.track(name)?, SideRef::Mover, h.set(&squares)?))
    });
}
