//! Tracks and lines: paths of stations on the board.

use super::super::param::{Anything, Call, NewName, Options};
use super::super::row::{Cost, ExampleContext, Row, row};
use super::directions::enough_directions;
use crate::host::convert::{squares_of_text, text};
use crate::host::declare::Declaration;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::option::TRUTH;
use crate::notation::describe::counted;
use crate::notation::nearest;
use astragal_core::Spec;
use astragal_core::board::Board;
use astragal_core::track::{MAX_STATIONS, Station, TrackDef};
use astragal_core::{MAX_SIDES, Square};
use rhai::Array;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("track", Cost::Declaration)
            .about(
                "Declares a track: stations of one or more squares, in the order in which pieces pass them. Like a
                region, it is rotated for the other sides. `a1-d4` stands for every square of a line, in order. `[..]`
                is one station with several squares, and `[a1-d4]` is a station that covers a rectangle. Options:
                `closed`, `same_for_all`. An array gives each side its own track.",
            )
            .errors("Outside brackets, every part must be an unbroken line of squares.")
            .example_in(ExampleContext::Top, r#"track("way", "a3-h3");"#)
            .options(&[("same_for_all", TRUTH), ("closed", TRUTH)])
            .form(["name", "stations", "options"], track),
        row("lines", Cost::Declaration)
            .about("Declares lines of squares that pieces can follow in both directions.")
            .errors("Every string must be an unbroken row of squares.")
            .example_in(ExampleContext::Top, r#"lines("cross", ["a4-h4", "d1-d8"]);"#)
            .form(["name", "list"], lines),
    ]
}

/// Declares a track, which each side follows from its first station to its last.
fn track(call: &Call<'_>, name: NewName, stations: Anything, options: Options) -> ScriptResult<()> {
    let (fixed, closed) = (options.flag("same_for_all", false)?, options.flag("closed", false)?);
    let stations = &stations.0;
    let texts = match stations.read_lock::<Array>() {
        Some(items) => Some(items.iter().map(text).collect::<ScriptResult<Vec<String>>>()?),
        None => None,
    };
    let single = if texts.is_none() { text(stations)? } else { String::new() };
    call.declare("track()", |d| {
        let sides = d.spec.sides.len();
        let mut paths: [Vec<Vec<Station>>; MAX_SIDES] = Default::default();
        match texts {
            Some(texts) if texts.len() == sides => {
                for (path, text) in paths.iter_mut().zip(&texts) {
                    *path = vec![read(&d.spec.board, text)?];
                }
            }
            Some(texts) => {
                return fail_help(
                    format!("there are {sides} sides, but {}", counted(texts.len(), "track")),
                    Some("give one string for all sides, or an array with a string for each side".into()),
                );
            }
            None => {
                let own = read(&d.spec.board, &single)?;
                if !fixed {
                    let help = "give an array with a track for each side, or `#{ same_for_all: true }`";
                    enough_directions(d, "a track", help)?;
                }
                for (side, path) in paths.iter_mut().enumerate().take(sides) {
                    *path = vec![if fixed { own.clone() } else { turned(d, &own, side)? }];
                }
            }
        }
        add(d, TrackDef { name: name.to_string(), paths, closed, both_ways: false })
    })
}

/// Declares lines that every piece may follow in either direction.
fn lines(call: &Call<'_>, name: NewName, list: Array) -> ScriptResult<()> {
    let texts = list.iter().map(text).collect::<ScriptResult<Vec<String>>>()?;
    call.declare("lines()", |d| {
        let all = texts.iter().map(|text| read(&d.spec.board, text)).collect::<ScriptResult<Vec<_>>>()?;
        let paths = std::array::from_fn(|_| all.clone());
        add(d, TrackDef { name: name.to_string(), paths, closed: false, both_ways: true })
    })
}

fn add(d: &mut Declaration, def: TrackDef) -> ScriptResult<()> {
    if d.spec.tracks.iter().any(|t| t.name == def.name) {
        return fail(format!("there is already a track called \"{}\"", def.name));
    }
    let stations = |ways: &Vec<Vec<Station>>| ways.iter().map(Vec::len).sum::<usize>();
    if def.paths.iter().any(|ways| stations(ways) > MAX_STATIONS) || d.spec.tracks.len() >= 64 {
        return fail(format!("a track can have at most {MAX_STATIONS} stations, and a game at most 64 tracks"));
    }
    d.spec.tracks.push(def);
    Ok(())
}

/// Stations in order: squares, rows of them as `a1-h1`, several squares for one station as `[a1-a5]`, `[a1-b3]`.
fn read(board: &Board, text: &str) -> ScriptResult<Vec<Station>> {
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
            ("[" | "]", heap) => {
                let what = if heap.is_some() { "is never closed" } else { "closes nothing" };
                let sign = if heap.is_some() { "[" } else { word };
                return fail_help(
                    format!("in this track, a `{sign}` {what}"),
                    Some("put the squares of one station in brackets, as in \"[a1-a5] [b1-b5]\"".into()),
                );
            }
            (word, Some(squares)) => squares.extend(block_of_squares(board, word)?),
            (word, None) => stations.extend(row_of_squares(board, word)?.into_iter().map(|s| vec![s])),
        }
    }
    if heap.is_some() || stations.is_empty() || stations.len() > MAX_STATIONS {
        return fail(format!("a track needs 1 to {MAX_STATIONS} stations, as in \"a1-h1 h2 [a3-a5]\""));
    }
    Ok(stations)
}

/// Suggests rows of squares to replace one between two squares on no common line: rows that change only file or rank.
fn off_line(board: &Board, a: Square, b: Square) -> String {
    let row = |to: Square| {
        let whole = to != a && board.between(a, to).len() as i16 + 1 == board.distance(a, to);
        whole.then(|| format!("`{}-{}`", board.name(a), board.name(to)))
    };
    let at = |file: u8, rank: u8| board.at(file.into(), rank.into());
    let ends = [at(board.file(b), board.rank(a)), at(board.file(a), board.rank(b))];
    let near: Vec<String> = ends.into_iter().flatten().filter_map(row).collect();
    let meant = if near.is_empty() { String::new() } else { format!(": did you mean {}?", near.join(" or ")) };
    format!("{} and {} are not on the same unbroken rank, file or diagonal{meant}", board.name(a), board.name(b))
}

/// Explains that a square does not exist, and names one next to it that does.
fn no_square(board: &Board, missing: &str) -> String {
    let (file, rank) = missing.split_at(missing.find(|c: char| c.is_ascii_digit()).unwrap_or(missing.len()));
    let beside = |by: i8| {
        let letter = file.chars().next().filter(|_| file.len() == 1)?;
        let name = format!("{}{rank}", char::from(u8::try_from(letter).ok()?.checked_add_signed(by)?));
        board.parse(&name).map(|_| format!("`{name}`"))
    };
    let near: Vec<String> = [-1, 1].into_iter().filter_map(beside).collect();
    let meant = if near.is_empty() { String::new() } else { format!(": did you mean {}?", near.join(" or ")) };
    format!("{missing} is off the board or a hole{meant}")
}

/// The squares of a station in the order in which they are filled. A row keeps its written order, across joined edges too.
/// Other pairs of corners mean a rectangle, as everywhere except on a path.
fn block_of_squares(board: &Board, word: &str) -> ScriptResult<Station> {
    if let Some((from, to)) = word.split_once('-')
        && let (Some(a), Some(b)) = (board.parse(from), board.parse(to))
        && board.file(a) != board.file(b)
        && board.rank(a) != board.rank(b)
    {
        return Ok(squares_of_text(board, word)?.into_iter().collect());
    }
    row_of_squares(board, word)
}

/// One square, or all from one to another on a line, in this order.
fn row_of_squares(board: &Board, word: &str) -> ScriptResult<Station> {
    let (from, to) = word.split_once('-').unwrap_or((word, word));
    let (Some(a), Some(b)) = (board.parse(from), board.parse(to)) else {
        let plain = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
        let missing = [from, to].into_iter().filter(plain).find(|name| board.parse(name).is_none());
        let help = missing.map(|missing| {
            if missing.chars().all(|c| c.is_ascii_digit()) {
                // The digit 1 looks like the letter l.
                let meant =
                    missing.strip_prefix('1').map(|rank| format!("l{rank}")).filter(|name| board.parse(name).is_some());
                let meant =
                    meant.map(|name| format!("; did you mean `{name}`, with the letter l?")).unwrap_or_default();
                return format!("`{missing}` has no file: a square is a letter and a number{meant}");
            }
            no_square(board, missing)
        });
        return fail_help(format!("\"{word}\" is not a square or row of squares on this board"), help);
    };
    let mut row = vec![a];
    if a != b {
        row.extend(board.between(a, b));
        row.push(b);
    }
    if row.len() as i16 != board.distance(a, b) + 1 {
        return fail_help(format!("\"{word}\" is not an unbroken row of squares"), Some(off_line(board, a, b)));
    }
    Ok(row)
}

/// A path of the first side, rotated for another side.
fn turned(d: &Declaration, own: &[Station], side: usize) -> ScriptResult<Vec<Station>> {
    let board = &d.spec.board;
    let turns = board.cells().turns();
    let quarters = (d.spec.sides[side].forward + turns - d.spec.sides[0].forward) % turns;
    let turn = |station: &Station| station.iter().map(|&s| board.turned(s, quarters)).collect::<Option<Station>>();
    match own.iter().map(turn).collect() {
        Some(path) => Ok(path),
        None => fail_help(
            "rotated for another side, this track leaves the board",
            Some("give an array with a track for each side, or `#{ same_for_all: true }`".into()),
        ),
    }
}

/// A track, by its index.
pub(super) fn track_called(spec: &Spec, track: &str) -> ScriptResult<usize> {
    if let Some(index) = spec.tracks.iter().position(|def| def.name == track) {
        return Ok(index);
    }
    let meant = nearest(track, spec.tracks.iter().map(|def| def.name.as_str()));
    let help = meant.map_or("call `look()` after `track()`".into(), |name| format!("did you mean \"{name}\"?"));
    fail_help(format!("there is no track called \"{track}\""), Some(help))
}
