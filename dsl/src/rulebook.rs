//! The rulebook of a script, as a leaflet in the box: the aim, the set-up, a turn, the dice, the pieces, captures, special
//! moves, the end, options, and a turn as an example.
//!
//! The comments before the script's first statement are the introduction; a comment block before a
//! function or declaration of its own is a rule, and stands in the section of the hook that calls the function. Pieces,
//! dice, options, constants and set-up come from the variant, so that they cannot disagree with what is played.
//!
//! It is for people: numbers of rules, names as scripts write them and lines of the script are told only with the
//! sources.

mod example;
mod narration;

use crate::Loaded;
use crate::host::declare::OptionDef;
use crate::notation::{describe, fen};
use crate::printable::printable;
use astragal_core::variant::Captives;
use astragal_core::{Hook, Kind, Piece, RoyalCapture, RoyalPolicy, Side, Square, Variant};

/// Lines longer than this are broken.
const WIDTH: usize = 100;

/// The whole rulebook as plain text, for players.
pub fn text(loaded: &Loaded) -> String {
    write(loaded, "", false)
}

/// The same with a picture of the board as a game begins, in lines of text.
pub fn illustrated(loaded: &Loaded, picture: &str) -> String {
    write(loaded, picture, false)
}

/// The same with the numbers of the rules and the places in the script, for whoever checks one against the other.
pub fn with_sources(loaded: &Loaded) -> String {
    write(loaded, "", true)
}

fn write(loaded: &Loaded, picture: &str, sources: bool) -> String {
    let mut out = introduction(loaded);
    let told = narration::rules(loaded, sources);
    section(&mut out, "The aim", &aim(loaded));
    heading(&mut out, "Set-up");
    for line in picture.lines() {
        out.push_str(&format!("  {}\n", line.trim_end()));
    }
    lines(&mut out, &board(loaded, sources));
    section(&mut out, "The turn", &told.turn);
    section(&mut out, "Dice", &dice(loaded));
    section(&mut out, "Pieces", &pieces(loaded));
    section(&mut out, "Captures", &captures(loaded, told.captures));
    section(&mut out, "Special moves", &castling(loaded));
    section(&mut out, "More rules", &told.others);
    section(&mut out, "The end", &ends(loaded).into_iter().chain(told.end).collect::<Vec<_>>());
    section(&mut out, "Options", &options(loaded));
    section(&mut out, "An example", &example::turn(loaded));
    printable(&out).into_owned()
}

fn introduction(loaded: &Loaded) -> String {
    let about = loaded.about.trim();
    let title = loaded.title.trim_end_matches('.');
    let body = about.lines().skip_while(|line| line.trim().trim_end_matches('.') == title || line.trim().is_empty());
    let body = body.collect::<Vec<_>>().join("\n");
    let heading = format!("{}\n{}\n", loaded.title, "=".repeat(loaded.title.chars().count()));
    match body.trim() {
        "" => heading,
        body => format!("{heading}\n{body}\n"),
    }
}

fn section(out: &mut String, title: &str, told: &[String]) {
    if !told.is_empty() {
        heading(out, title);
        lines(out, told);
    }
}

fn heading(out: &mut String, title: &str) {
    out.push_str(&format!("\n{title}\n{}\n", "-".repeat(title.chars().count())));
}

fn lines(out: &mut String, told: &[String]) {
    for line in told {
        let indent = line.len() - line.trim_start().len();
        out.push_str(&wrapped(line, indent + 2));
    }
}

/// A line broken at blanks, further lines indented.
fn wrapped(line: &str, indent: usize) -> String {
    let start = line.len() - line.trim_start().len();
    let mut out = " ".repeat(start);
    let (mut width, mut first) = (start, true);
    for word in line.split_whitespace() {
        let length = word.chars().count();
        if !first && width + 1 + length > WIDTH {
            out.push_str(&format!("\n{}", " ".repeat(indent)));
            (width, first) = (indent, true);
        }
        if !first {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
        first = false;
    }
    out.push('\n');
    out
}

fn board(loaded: &Loaded, sources: bool) -> Vec<String> {
    let spec = loaded.set.variant.spec();
    let names: Vec<String> = spec.sides.iter().map(|side| side.name.clone()).collect();
    let sides = match names.as_slice() {
        [only] => format!("{only} plays alone."),
        all => format!("{} move in this order.", describe::enumeration(all)),
    };
    let mut lines =
        vec![format!("The board has {} files and {} ranks. {sides}", spec.board.width(), spec.board.height())];
    lines.extend((0..names.len()).filter_map(|side| array(loaded, Side(side as u8))));
    if sources {
        lines.push(format!("Set-up: {}", fen::write(&loaded.set.variant, &loaded.start)));
    }
    lines
}

/// What a side begins with: `White: rook a1 h1, pawn a2-h2.`
fn array(loaded: &Loaded, side: Side) -> Option<String> {
    let (variant, start) = (&loaded.set.variant, &loaded.start);
    let of_kind = |kind: Kind| {
        let piece = Piece::new(side, kind);
        let squares: Vec<Square> = start.occupied().into_iter().filter(|square| start.at(*square) == piece).collect();
        let held = start.in_hand(variant, side, kind).max(0);
        let mut places = runs(variant, &squares);
        if variant.spec().hands && held > 0 {
            places.push(format!("{held} in hand"));
        }
        (!places.is_empty()).then(|| format!("{} {}", variant.kind(kind).name, places.join(" ")))
    };
    let kinds: Vec<String> = (0..variant.kinds().len() as u8).filter_map(|kind| of_kind(Kind(kind))).collect();
    let name = &variant.spec().sides.get(side.index())?.name;
    (!kinds.is_empty()).then(|| format!("{name}: {}.", kinds.join(", ")))
}

/// Squares with three or more beside each other on a rank written as `a2-h2`.
fn runs(variant: &Variant, squares: &[Square]) -> Vec<String> {
    let board = variant.board();
    let mut found: Vec<Vec<Square>> = Vec::new();
    for &square in squares {
        let follows = |run: &&mut Vec<Square>| {
            run.last().is_some_and(|last| {
                board.rank(*last) == board.rank(square) && board.file(*last) + 1 == board.file(square)
            })
        };
        match found.last_mut().filter(follows) {
            Some(run) => run.push(square),
            None => found.push(vec![square]),
        }
    }
    let written = |run: &Vec<Square>| match run.as_slice() {
        [first, _, .., last] => vec![format!("{}-{}", board.name(*first), board.name(*last))],
        few => few.iter().map(|square| board.name(*square)).collect(),
    };
    found.iter().flat_map(written).collect()
}

/// What wins, if the script says so in words.
fn aim(loaded: &Loaded) -> Vec<String> {
    let won = |(how, why): (String, String)| (how == "won").then_some(why);
    let reasons: Vec<String> = crate::check::endings_of(loaded).into_iter().filter_map(won).collect();
    match reasons.is_empty() {
        true => Vec::new(),
        false => vec![format!("A game is won by: {}.", describe::alternatives(&reasons))],
    }
}

/// What becomes of captured pieces, and how captures are resolved.
fn captures(loaded: &Loaded, told: Vec<String>) -> Vec<String> {
    let spec = loaded.set.variant.spec();
    let held = match spec.captives {
        _ if !spec.hands => None,
        Captives::Captor => Some("A captured piece goes to the hand of whoever took it."),
        Captives::Owner => Some("A captured piece goes back to its owner's hand."),
        Captives::Nobody => Some("A captured piece leaves the game."),
    };
    told.into_iter().chain(held.map(String::from)).collect()
}

/// Whether pieces go along tracks only: then it is nothing to them how else they could.
pub fn is_on_tracks(loaded: &Loaded) -> bool {
    crate::check::only_tracks(loaded)
}

/// How each kind moves, in a line that begins with its name.
pub fn pieces(loaded: &Loaded) -> Vec<String> {
    let variant = &loaded.set.variant;
    let mut lines = Vec::new();
    let tracks = match is_on_tracks(loaded) {
        true => variant.spec().tracks.iter().map(|track| format!("\"{}\"", track.name)).collect(),
        false => Vec::new(),
    };
    for (i, kind) in variant.kinds().iter().enumerate() {
        let letter = if kind.letter.is_empty() { String::new() } else { format!(" ({})", kind.letter) };
        let ways = describe::movement(variant, kind);
        let ways = match (tracks.as_slice(), ways.as_slice()) {
            (_, []) => "does not move".into(),
            ([], ways) => ways.join("; "),
            ([track], _) => format!("along the track {track}, as the rules say"),
            (tracks, _) => format!("along the tracks {}, as the rules say", describe::enumeration(tracks)),
        };
        let mut line = format!("{}{letter}: {ways}.", kind.name);
        if let Some(zone) = &kind.within {
            line.push_str(&format!(" It never leaves the region \"{zone}\"."));
        }
        if let Some(promotion) = &kind.promotion {
            let must = if promotion.forced { "becomes" } else { "may become" };
            let to = describe::names(variant, promotion.to);
            line.push_str(&format!(" It {must} {to} on the {}.", promotion.zone));
        }
        if variant.royals().contains(Kind(i as u8)) {
            line.push_str(royal(variant));
        }
        lines.push(line);
    }
    lines
}

fn castling(loaded: &Loaded) -> Vec<String> {
    let variant = &loaded.set.variant;
    let mut lines = Vec::new();
    let name = |square| variant.board().name(square);
    for castle in &variant.spec().castles {
        let (king, rook) = (&variant.kind(castle.kinds.0).name, &variant.kind(castle.kinds.1).name);
        let safe = if castle.safe.is_empty() { "attacked or not" } else { "not out of, through or into attack" };
        lines.push(format!(
            "Castling: the {king} goes from {} to {}, the {rook} from {} to {}; {safe}.",
            name(castle.king.0),
            name(castle.king.1),
            name(castle.rook.0),
            name(castle.rook.1),
        ));
    }
    lines
}

fn royal(variant: &Variant) -> &'static str {
    match (variant.spec().royal_policy, variant.spec().royal_capture) {
        (RoyalPolicy::Capturable, _) => " It is royal, and may be left attacked and taken.",
        (RoyalPolicy::Protected, RoyalCapture::Never) => {
            " It is royal: it may not be left attacked, and is never taken."
        }
        (RoyalPolicy::Protected, _) => " It is royal: it may not be left attacked; one that is may be taken.",
    }
}

fn dice(loaded: &Loaded) -> Vec<String> {
    let variant = &loaded.set.variant;
    let (mut texts, others) = crate::check::dice_of(loaded);
    let mut lines = Vec::new();
    if !texts.is_empty() {
        texts.extend(others.then(|| "others".into()));
        lines.push(format!("The dice: {}.", describe::enumeration(&texts)));
    }
    let faces = loaded.faces.iter().enumerate().filter_map(|(i, letter)| {
        let kind = variant.kind_lettered(letter)?;
        Some(format!("  {}  {}", i + 1, variant.kind(kind).name))
    });
    let faces: Vec<String> = faces.collect();
    if !faces.is_empty() {
        lines.push("The faces stand for:".into());
        lines.extend(faces);
    }
    lines
}

fn ends(loaded: &Loaded) -> Vec<String> {
    if !loaded.set.rules.has(Hook::Outcome) {
        return vec!["Nothing ends the game by itself.".into()];
    }
    let reasons = crate::check::endings_of(loaded);
    if reasons.is_empty() {
        return vec!["As the rules say.".into()];
    }
    reasons.into_iter().map(|(what, why)| format!("{what}: {why}")).collect()
}

fn options(loaded: &Loaded) -> Vec<String> {
    let one = |option: &OptionDef| {
        let others: Vec<String> = option.values.iter().filter(|value| **value != option.chosen).cloned().collect();
        let instead = match others.is_empty() {
            true => String::new(),
            false => format!("; else {}", describe::alternatives(&others)),
        };
        format!("{}: {} Here {}{instead}.", option.name, option.why.trim_end(), option.chosen)
    };
    loaded.options.iter().map(one).collect()
}

#[cfg(test)]
#[path = "rulebook_tests.rs"]
mod tests;
