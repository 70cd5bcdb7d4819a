//! Movement in words: a line for each kind, the tracks that pieces follow, and castling.
//!
//! Everything comes from the variant, so it always matches the game. It does not know what rules of the script add or
//! forbid.

use crate::Loaded;
use crate::notation::describe;
use astragal_core::track::{Station, TrackDef};
use astragal_core::{Castle, Kind, RoyalCapture, RoyalPolicy, Square, Variant};

/// Whether pieces move along tracks only, so that their other movement does not matter.
pub fn is_on_tracks(loaded: &Loaded) -> bool {
    crate::check::only_tracks(loaded)
}

/// The movement of each kind, on a line that begins with its name.
pub fn pieces(loaded: &Loaded) -> Vec<String> {
    each(loaded).into_iter().map(|(name, what)| format!("{name}: {what}")).collect()
}

/// The movement of each kind, without its name.
pub fn movements(loaded: &Loaded) -> Vec<String> {
    each(loaded).into_iter().map(|(_, what)| what).collect()
}

/// The same for the rulebook: kinds with the same movement share a line, and the tracks follow square by square.
pub(super) fn in_short(loaded: &Loaded) -> Vec<String> {
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for (name, what) in each(loaded) {
        match groups.last_mut().filter(|(_, known)| *known == what) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], what)),
        }
    }
    let kinds = groups.into_iter().map(|(names, what)| format!("{}: {what}", describe::enumeration(&names)));
    kinds.chain(tracks(&loaded.set.variant)).collect()
}

/// The name and movement of each kind.
fn each(loaded: &Loaded) -> Vec<(String, String)> {
    let variant = &loaded.set.variant;
    let tracks = match is_on_tracks(loaded) {
        true => variant.spec().tracks.iter().map(|track| format!("\"{}\"", track.name)).collect(),
        false => Vec::new(),
    };
    let one = |(kind, def): (Kind, &astragal_core::KindDef)| {
        let letter = if def.letter.is_empty() { String::new() } else { format!(" ({})", def.letter) };
        let ways = describe::movement(variant, def);
        let mut what = match (tracks.as_slice(), ways.as_slice()) {
            (_, []) => "does not move.".into(),
            ([], ways) => format!("{}.", ways.join("; ")),
            ([track], _) => format!("along the track {track}, following the rules."),
            (tracks, _) => format!("along the tracks {}, following the rules.", describe::enumeration(tracks)),
        };
        if let Some(direction) = def.facing.and_then(direction) {
            what.push_str(&format!(" Its forward direction is {direction}."));
        }
        if let Some(zone) = &def.within {
            what.push_str(&format!(" It never leaves the region \"{zone}\"."));
        }
        if let Some(promotion) = &def.promotion {
            let must = if promotion.forced { "becomes" } else { "can become" };
            let to = describe::names(variant, promotion.to);
            what.push_str(&format!(" It {must} {} {}.", describe::a(&to), place(variant, &promotion.zone)));
        }
        if variant.royals().contains(kind) {
            what.push_str(royal(variant));
        }
        (format!("{}{letter}", def.name), what)
    };
    (0..).map(Kind).zip(variant.kinds()).map(one).collect()
}

/// A kind's own forward direction in words. `turns` counts quarter turns clockwise from up the board.
fn direction(turns: u8) -> Option<&'static str> {
    ["up", "right", "down", "left"].get(usize::from(turns)).copied()
}

/// The zone of a promotion.
fn place(variant: &Variant, zone: &str) -> String {
    let board = variant.board();
    let everywhere = board.region(zone).is_some_and(|region| region.squares.iter().all(|of| *of == board.squares()));
    if everywhere { "on any move".into() } else { format!("on the {zone}") }
}

fn royal(variant: &Variant) -> &'static str {
    match (variant.spec().royal_policy, variant.spec().royal_capture) {
        (RoyalPolicy::Capturable, _) => " It is royal, but can be left in check and captured.",
        (RoyalPolicy::Protected, RoyalCapture::Never) => {
            " It is royal: its side cannot leave it in check, and it is never captured."
        }
        (RoyalPolicy::Protected, _) => {
            " It is royal: its side cannot make a move that leaves it in check. If it is in check anyway, it can be \
             captured."
        }
    }
}

/// Each track, with each side's squares on it, on a line that begins with `Track` and its name in quotes.
pub fn tracks(variant: &Variant) -> Vec<String> {
    let sides = &variant.spec().sides;
    let one = |track: &TrackDef| {
        let mut ways: Vec<(&str, String)> = Vec::new();
        for (side, paths) in sides.iter().zip(&track.paths).filter(|(_, paths)| !paths.is_empty()) {
            let paths: Vec<String> = paths.iter().map(|path| stations(variant, path)).collect();
            ways.push((&side.name, describe::alternatives(&paths)));
        }
        let round = if track.closed { ", then around again" } else { "" };
        let both = if track.both_ways { ", in either direction" } else { "" };
        let same = ways.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let told = match ways.as_slice() {
            [(_, way), ..] if same => format!("{way}{round}{both}"),
            all => {
                let each = all.iter().map(|(side, way)| format!("{side} {way}{round}{both}"));
                each.collect::<Vec<_>>().join("; ")
            }
        };
        format!("Track \"{}\": {told}.", track.name)
    };
    variant.spec().tracks.iter().map(one).collect()
}

/// Stations in order, with rows joined: `d1-a1, a2-h2`, or `l1-l8 to a1-a8` if each has several squares.
fn stations(variant: &Variant, path: &[Station]) -> String {
    let board = variant.board();
    let step = |from: Square, to: Square| {
        let part = |a: u8, b: u8| i64::from(b) - i64::from(a);
        (part(board.file(from), board.file(to)), part(board.rank(from), board.rank(to)))
    };
    let mut rows: Vec<(&[Square], Vec<&[Square]>)> = Vec::new();
    for station in path.iter().map(Vec::as_slice).filter(|station| !station.is_empty()) {
        let goes_on = |(_, row): &&mut (&[Square], Vec<&[Square]>)| {
            let last = row[row.len() - 1];
            let by = step(last[0], station[0]);
            let straight = row.len() < 2 || by == step(row[row.len() - 2][0], last[0]);
            straight && matches!(by, (1 | -1, 0) | (0, 1 | -1)) && last.len() == station.len()
        };
        match rows.last_mut().filter(goes_on) {
            Some((_, row)) => row.push(station),
            None => rows.push((station, vec![station])),
        }
    }
    let named = |station: &[Square]| match station {
        [one] => board.name(*one),
        [first, .., last] => format!("{}-{}", board.name(*first), board.name(*last)),
        [] => String::new(),
    };
    let written = |(first, row): &(&[Square], Vec<&[Square]>)| {
        let last = row[row.len() - 1];
        match (row.len(), first.len()) {
            (1, _) => named(first),
            (_, 1) => format!("{}-{}", named(first), named(last)),
            _ => format!("{} to {}", named(first), named(last)),
        }
    };
    rows.iter().map(written).collect::<Vec<_>>().join(", ")
}

/// Castling: a sentence about safety, then a line for each.
pub(super) fn castling(loaded: &Loaded) -> Vec<String> {
    let variant = &loaded.set.variant;
    let name = |square| variant.board().name(square);
    let mut lines = Vec::new();
    let mut said = None;
    for castle in &variant.spec().castles {
        let is_safe = !castle.safe.is_empty();
        if said != Some(is_safe) {
            let how = if is_safe {
                "unless a square on the first piece's path is attacked"
            } else {
                "even if the pieces are attacked"
            };
            lines.push(format!("Castling is legal if neither piece has moved and no piece is in between, {how}:"));
            said = Some(is_safe);
        }
        let Castle { king, rook, kinds, side, .. } = castle;
        let side = variant.spec().sides.get(side.index()).map_or("", |side| side.name.as_str());
        let [one, other] = [kinds.0, kinds.1].map(|kind| &variant.kind(kind).name);
        let [from, to, there, back] = [king.0, king.1, rook.0, rook.1].map(name);
        lines.push(format!("  {side}: {one} from {from} to {to}, {other} from {there} to {back}."));
    }
    lines
}
