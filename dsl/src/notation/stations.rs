//! Moves along a track, written by its stations: `13/8`, `bar/20`, `8/off*`. Only for people: records and positions name
//! squares.
//!
//! A script enables this notation and its form with `look`. Stations are numbered in the order in which their side passes
//! them, from 1 or 0, or counted down so that the last is 0. Pieces that enter come from before the first. `*` follows a
//! capture. Texts that would fit several permitted moves are not written.

use astragal_core::variant::{Look, StationNotation};
use astragal_core::{Kind, Move, Position, Side, Square, Variant, Wish};

/// The station notation, if the script enables it, and the stations of the side's path in order.
fn notation(variant: &Variant, side: Side) -> Option<(&StationNotation, &[Vec<Square>])> {
    let notation = variant.spec().look.stations.as_ref()?;
    let way = variant.spec().tracks.get(notation.track)?.paths[side.index()].first()?;
    Some((notation, way))
}

/// The name of a station; 0 is the origin of entering pieces.
fn name(look: &Look, notation: &StationNotation, length: usize, station: usize) -> String {
    match notation.names.iter().find(|(number, _)| *number == station) {
        Some((_, name)) => name.clone(),
        None if notation.is_countdown => length.saturating_sub(station).to_string(),
        None => number(look, station),
    }
}

/// The number of a station in ascending order.
fn number(look: &Look, station: usize) -> String {
    (station as i64 - i64::from(look.from_zero)).to_string()
}

/// The stations that pictures number, as the side counts them: the squares of each, and its name or number. Empty unless
/// the script asks for them.
pub fn numbered(variant: &Variant, side: Side) -> Vec<(&[Square], String)> {
    let look = &variant.spec().look;
    let way = look.numbers.and_then(|track| variant.spec().tracks.get(track)?.paths[side.index()].first());
    let way = way.map_or(&[][..], Vec::as_slice);
    let notation = look.stations.as_ref().filter(|notation| Some(notation.track) == look.numbers);
    let named = |station: usize| match notation {
        Some(notation) => name(look, notation, way.len(), station),
        None => number(look, station),
    };
    way.iter().zip(1..).map(|(squares, station): (_, usize)| (squares.as_slice(), named(station))).collect()
}

/// A move between two stations, or onto one; `None` for any other move.
fn plain(variant: &Variant, position: &Position, mv: Move) -> Option<String> {
    let side = if mv.dropped().is_some() { position.side() } else { position.at(mv.from).side() };
    let (notation, path) = notation(variant, side)?;
    let station = |square: Square| path.iter().position(|station| station.contains(&square)).map(|index| index + 1);
    if mv.promotion().is_some() || mv.over().is_some() {
        return None;
    }
    let from = if mv.dropped().is_some() { 0 } else { station(mv.from)? };
    let hit = if position.captured_by(mv).0.is_none() { "" } else { "*" };
    let named = |station| name(&variant.spec().look, notation, path.len(), station);
    Some(format!("{}{}{}{hit}", named(from), notation.between, named(station(mv.to)?)))
}

/// Writes a move of `all`, the permitted moves. `None` if the script does not write it by stations, or if several moves
/// would have the same text.
pub fn write(variant: &Variant, position: &Position, mv: Move, all: &[Move]) -> Option<String> {
    let text = plain(variant, position, mv)?;
    let is_alone = all.iter().all(|other| *other == mv || plain(variant, position, *other).as_ref() != Some(&text));
    is_alone.then_some(text)
}

/// The permitted move with this text, with or without its `*`; `None` if there is none, or several.
pub fn find(variant: &Variant, position: &Position, legal: &[Move], text: &str) -> Option<Move> {
    let wanted = text.trim().trim_end_matches('*');
    let fits = |mv: &&Move| {
        let found = plain(variant, position, **mv);
        found.is_some_and(|found| found.trim_end_matches('*').eq_ignore_ascii_case(wanted))
    };
    let mut fitting = legal.iter().filter(fits);
    fitting.next().copied().filter(|_| fitting.next().is_none())
}

/// The moves that a text by stations may ask for, legal or not; empty unless it names two stations.
pub(crate) fn wishes(variant: &Variant, position: &Position, text: &str) -> Vec<Wish> {
    let side = position.side();
    let Some((notation, path)) = notation(variant, side) else { return Vec::new() };
    let parts = text.trim().trim_end_matches('*').split_once(notation.between.as_str());
    let Some((from, to)) = parts else { return Vec::new() };
    let look = &variant.spec().look;
    let numbered =
        |part: &str| (0..=path.len()).find(|n| name(look, notation, path.len(), *n).eq_ignore_ascii_case(part));
    let (Some(from), Some(to)) = (numbered(from), numbered(to)) else { return Vec::new() };
    // A station means the square where the next piece will stand.
    let squares =
        |station: usize| station.checked_sub(1).and_then(|index| path.get(index)).map_or(&[][..], Vec::as_slice);
    let free = squares(to).iter().find(|&&square| position.at(square).is_none()).or(squares(to).first());
    let Some(&to) = free else { return Vec::new() };
    let own = |square: &&Square| !position.at(**square).is_none() && position.at(**square).side() == side;
    match from {
        0 => {
            let kinds = (0..variant.kinds().len() as u8).map(Kind);
            kinds
                .filter(|kind| position.in_hand(variant, side, *kind) > 0)
                .map(|kind| Wish::Drop { kind, to })
                .collect()
        }
        from => {
            let last = squares(from).iter().rev().find(own).or(squares(from).first());
            last.map(|&from| Wish::Step { from, to, promotion: None }).into_iter().collect()
        }
    }
}
