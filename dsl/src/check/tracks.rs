//! Checks tracks: different lengths for different sides, and moves to stations without room.

use super::endings::Endings;
use super::name_table::{Call, NameTable, Value};
use super::report::Report;
use crate::coverage::Coverage;
use crate::diagnostic::Code;
use crate::functions::{Fact, has_fact};
use crate::host::tokens::tokens;
use astragal_core::Variant;

/// Checks the tracks and the moves along them.
pub(super) fn check(table: &NameTable, variant: &Variant, report: &mut Report) {
    ways(table, variant, report);
    room(table, variant, report);
    falling(table, report);
}

/// The number value of a literal, a constant, or an entry of a constant list.
fn number(table: &NameTable, value: &Value) -> Option<i64> {
    match value {
        Value::Number(number, _) => Some(*number),
        Value::Name(name) => number(table, constant(table, name)?),
        Value::Item(list, index) => match (&**list, &**index) {
            (Value::Name(name), Value::Number(index, _)) => match constant(table, name)? {
                Value::List(all) => number(table, all.get(usize::try_from(*index).ok()?)?),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// A top-level value that is assigned once and never changes.
fn constant<'t>(table: &'t NameTable, name: &String) -> Option<&'t Value> {
    let mut made = table.values.iter().filter(|(known, ..)| known == name);
    let parameter = table.functions.iter().any(|function| function.names.contains(name));
    match (made.next(), made.next()) {
        (Some((_, value @ (Value::Number(..) | Value::List(_)), None)), None)
            if !parameter && !table.assigned.contains(name) =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// Ranges of a track whose first station is after their last.
fn falling(table: &NameTable, report: &mut Report) {
    for call in table.named("on_track") {
        let [track, first, last, ..] = call.args.as_slice() else { continue };
        let (Some(from), Some(to)) = (number(table, first), number(table, last)) else { continue };
        if from > to && from > 0 && to > 0 {
            let message = format!("this range is empty: it starts at station {from} and ends at {to}");
            let track = match track {
                Value::Text(name, _) => format!("{name:?}"),
                _ => "..".into(),
            };
            let help = format!("write the lower number first: `on_track({track}, {to}, {from})`");
            report.warning(Code::Comparison, call.at, message, Some(help));
        }
    }
}

/// Wins at the second-to-last station, if the script does not contain the number of the last one.
pub(super) fn short_of_the_end(table: &NameTable, endings: &Endings, variant: &Variant, report: &mut Report) {
    for call in table.named("on_track") {
        let [Value::Text(name, _), first, last] = call.args.as_slice() else { continue };
        let (Some(station), Some(to)) = (number(table, first), number(table, last)) else { continue };
        let Some(track) = variant.spec().tracks.iter().find(|track| track.name == *name && !track.both_ways) else {
            continue;
        };
        let sides = track.paths.iter().take(variant.spec().sides.len());
        let mut lengths = sides.map(|paths| paths.iter().map(Vec::len).sum::<usize>());
        let length = lengths.next().unwrap_or_default();
        let end = length as i64;
        let short = station == to && end > 2 && station == end - 1 && lengths.all(|other| other == length);
        let written = tokens(&report.text).iter().any(|token| token.is(&end.to_string()));
        if !short || written || !endings.won_by(&format!("on_track({name:?}, {station}, {station})")) {
            continue;
        }
        let message =
            format!("this is the second-to-last station: the track {name:?} has {end} stations, counted from 1");
        let help = format!(
            "if the game is won at the end of the track, use the last station: `on_track({name:?}, {end}, {end})`"
        );
        report.warning(Code::Comparison, call.at, message, Some(help));
    }
}

/// Track ranges that start after their end at run time, because an entering move has no starting station.
pub(super) fn entering(coverage: &Coverage, script: &str, report: &mut Report) {
    for at in coverage.backward("").into_iter().chain(coverage.backward(script)) {
        let message = "when a piece enters the board, `from` equals `to`, so this range has no stations";
        let help =
            "start at station 1 in that case: `let first = if mv.is_drop { 1 } else { place_on(track, mv.from) + 1 };`";
        report.warning(Code::Permits, at, message.into(), Some(help.into()));
    }
}

/// Tracks that are longer for one side than for another.
fn ways(table: &NameTable, variant: &Variant, report: &mut Report) {
    for track in variant.spec().tracks.iter().filter(|track| !track.both_ways) {
        let lengths: Vec<usize> =
            track.paths.iter().take(variant.spec().sides.len()).map(|paths| paths.iter().map(Vec::len).sum()).collect();
        let (first, other) = match lengths.iter().position(|length| *length != lengths[0]) {
            Some(other) => (lengths[0], other),
            None => continue,
        };
        let named = |call: &&Call| call.name == "track" && call.text(0).is_some_and(|(name, _)| name == track.name);
        let Some(call) = table.calls.iter().find(named) else { continue };
        let own = match call.args.get(1) {
            Some(Value::List(ways)) => ways.get(other).and_then(Value::text),
            _ => None,
        };
        let at = own.map_or(call.at, |(_, at)| at);
        let sides = &variant.spec().sides;
        let message = format!(
            "the track \"{}\" has {first} stations for {}, but {} for {}",
            track.name, sides[0].name, lengths[other], sides[other].name
        );
        let help = format!("give each side {first} stations if the tracks should be equally long");
        report.note(Code::Declaration, at, message, Some(help));
    }
}

/// Moves that let pieces share a station, on a track whose stations are all single squares.
fn room(table: &NameTable, variant: &Variant, report: &mut Report) {
    let along = table.calls.iter().filter(|call| has_fact(&call.name, Fact::AlongTracks) && call.module.is_none());
    for call in along {
        let Some((name, _)) = call.text(0) else { continue };
        let landing = call.option("landing").and_then(Value::text).filter(|(text, _)| ["pin", "all"].contains(text));
        let (Some((text, at)), Some(track)) = (landing, variant.spec().tracks.iter().find(|track| track.name == name))
        else {
            continue;
        };
        if !variant.spec().heaps && track.paths.iter().flatten().flatten().all(|station| station.len() < 2) {
            let message = format!(
                "landing \"{text}\" lets pieces share a station, but every station of \"{name}\" is a single square"
            );
            let help = "give each station several squares, as in `\"[a1 a2] [b1 b2]\"`, declare `heaps: true` \
                 in `board`, or remove `landing` (then a lone enemy piece is captured)";
            report.warning(Code::Permits, at, message, Some(help.into()));
        }
    }
}
