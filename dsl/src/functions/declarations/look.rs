//! The appearance of a game: colors of squares and sides, piece designs, and names of faces and stations. How boards are
//! drawn in pictures is in `picture.rs` and `places.rs`.

use super::super::param::{Call, Options};
use super::super::row::{Cost, ExampleContext, Row, row};
use super::colors::color;
use super::picture::Picture;
use super::places;
use super::tracks::track_called;
use crate::host::convert::squares_of_text;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::ValueKind;
use crate::host::kind::option::{MAP, NUMBER, TEXT, TRUTH};
use crate::printable;
use astragal_core::Spec;
use astragal_core::variant::{Color, Look, StationNotation};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("look", Cost::Declaration)
            .newer()
            .about(
                r##"Sets how the game is drawn; the rules stay the same. Options: `squares` (colors of squares, as in
                `#{ "gold": "a1 g1", "#2e6b4f": "a6-l11" }`), `sides` (a color for the pieces of each side, in turn
                order), `pieces` (`"wedges"`: flat pieces that point forward, as in shogi). A color is a name such as
                `"teal"`, or a hex code such as `"#2e6b4f"`. `faces` names the faces of the dice, as in `#{ "0":
                "plain", "1": "marked" }`. `stations` names a track; moves are then written with the numbers of its
                stations, such as `13-8`, and captures end with `*`. Stations are numbered up from 1 or, with
                `countdown: true`, down to 0. `between` replaces the hyphen, as in `"/"`. `station_names` replaces
                numbers with names, as in `#{ "0": "bar", "25": "off" }`; station 0 is where pieces enter. Players can
                type the names of faces and stations, but records contain squares. `places` stretches blocks of squares
                to four corners in the picture, as in `#{ "a1-d4": [[0, 0], [4, 0], [4, 4], [0, 4]], .. }`. Each corner
                is a pair `[across, up]`. The corners go around the block: the first is at its first file and rank, and
                the second at its last file and first rank. `places: "ring"` bends a board whose left and right edges
                are joined into a ring. `pattern` sets how squares look in pictures: `"checkered"`, `"plain"` (one color
                and lines) or `"circles"` (joined along tracks). `triangles` maps colors to parts of files and draws a
                triangle on each part, as in `#{ "brown": "a1-a5 b12-b16" }`. The base of each triangle is at the nearer
                edge of the board. Bars between files then become wide, and hold the pieces in hand. `square_height` is
                the height of a square in pictures, as a percentage of its width. With `coordinates: false`, pictures do
                not show the names of squares. `numbers` names the track whose stations are numbered in pictures; the
                default is the track in `stations`. With `from_zero: true`, stations are numbered up from 0. `labels`
                writes text on empty squares in pictures, as in `#{ "12": "k1" }`. `captions` writes text across areas
                in pictures, behind the pieces, as in `#{ "HOME": "a1-f3 a8-f10" }`. `figures` sets the characters that
                stand for kinds of pieces, as in `#{ "king": "♚" }`. `holes` sets the color of missing squares."##,
            )
            .errors(
                "Call it after `board()`, `sides()`, and the tracks and pieces that it names. All colors, squares,
                tracks and pieces must exist, and a square can have only one color.",
            )
            .example_in(ExampleContext::Top, r#"look(#{ squares: #{ "gold": "a1 h8" }, sides: ["white", "teal"] });"#)
            .options(&[
                ("squares", MAP),
                ("sides", &[ValueKind::Array, ValueKind::Text]),
                ("pieces", TEXT),
                ("faces", MAP),
                ("stations", TEXT),
                ("between", TEXT),
                ("countdown", TRUTH),
                ("station_names", MAP),
                ("places", &[ValueKind::Map, ValueKind::Text]),
                ("pattern", TEXT),
                ("triangles", MAP),
                ("square_height", NUMBER),
                ("coordinates", TRUTH),
                ("numbers", TEXT),
                ("from_zero", TRUTH),
                ("labels", MAP),
                ("captions", MAP),
                ("figures", MAP),
                ("holes", TEXT),
            ])
            .form(["options"], look),
    ]
}

fn look(call: &Call<'_>, options: Options) -> ScriptResult<()> {
    let squares = options.text_map("squares")?;
    let texts = options.texts("sides")?.unwrap_or_default();
    let wedges = match options.text("pieces")?.as_deref() {
        None => false,
        Some("wedges") => true,
        Some(other) => {
            let help = Some("write \"wedges\", or leave out `pieces`".into());
            return fail_help(format!("`pieces` can only be \"wedges\", not \"{other}\""), help);
        }
    };
    let faces = face_names(options.text_map("faces")?)?;
    let written = options.text("stations")?;
    let between = options.text("between")?;
    let names = options.text_map("station_names")?;
    let is_countdown = options.flag("countdown", false)?;
    if written.is_none() && (between.is_some() || is_countdown || !names.is_empty()) {
        let help = "add the track whose stations are written, as in `stations: \"way\"`".to_string();
        return fail_help("`between`, `countdown` and `station_names` need the option `stations`", Some(help));
    }
    let from_zero = options.flag("from_zero", false)?;
    if from_zero && is_countdown {
        return fail("\"from_zero\" numbers stations up and \"countdown\" down: leave out one of them");
    }
    let sides: Vec<Color> = texts.iter().map(|text| color(text)).collect::<ScriptResult<_>>()?;
    let places = options.get("places").cloned();
    let picture = Picture::read(&options)?;
    call.declare("look()", |d| {
        d.note("the look", call.place());
        if sides.len() > d.spec.sides.len() {
            let help = Some("leave out the extra colors, and call `look()` after `sides()`".into());
            let (all, last) = (d.spec.sides.len(), texts.last().map_or("", String::as_str));
            let message = format!("there are {} colors for {all} sides: \"{last}\" is left over", sides.len());
            return fail_help(message, help);
        }
        let stations = written.as_ref().map(|track| -> ScriptResult<StationNotation> {
            let names = station_names(&d.spec, track, &names, from_zero)?;
            Ok(StationNotation { between: sign(between.as_deref())?, is_countdown, ..names })
        });
        let mut look = Look { wedges, faces, stations: stations.transpose()?, ..Look::default() };
        look.sides.iter_mut().zip(sides).for_each(|(side, color)| *side = Some(color));
        if let Some(places) = &places {
            look.outlines = places::read(&d.spec.board, places)?;
        }
        for (name, text) in &squares {
            let all = squares_of_text(&d.spec.board, text)?;
            if let Some(twice) = all.into_iter().find(|square| look.square(*square).is_some()) {
                let twice = d.spec.board.name(twice);
                let help = Some(format!("remove {twice} from one of the two lists of squares"));
                return fail_help(format!("\"{text}\" gives {twice} a second color"), help);
            }
            look.squares.push((all, color(name)?));
        }
        picture.add_to(&mut look, &d.spec)?;
        look.numbers = look.numbers.or(look.stations.as_ref().map(|stations| stations.track));
        d.spec.look = look;
        Ok(())
    })
}

/// A name that people type as one word.
fn word(text: &str, what: &str) -> ScriptResult<()> {
    let fits = |c: char| !c.is_whitespace() && !c.is_control() && !printable::steers(c) && !",:*[]()/".contains(c);
    let begins = text.chars().next().is_some_and(char::is_alphabetic);
    match begins && text.chars().all(fits) && text.chars().count() <= 20 {
        true => Ok(()),
        false => fail_help(
            format!("the name of {what} must be one word that begins with a letter, not \"{text}\""),
            Some("write one word, such as \"marked\" or \"home\"".into()),
        ),
    }
}

/// Names of faces, by the faces.
fn face_names(named: Vec<(String, String)>) -> ScriptResult<Vec<(i16, String)>> {
    let one = |(face, name): (String, String)| {
        let Ok(number) = face.parse() else {
            let help = Some(format!("write the face first, then its name: `\"1\": \"{face}\"`"));
            return fail_help(format!("\"{face}\" is not the face of a die: faces are numbers"), help);
        };
        word(&name, "a face")?;
        Ok((number, name))
    };
    named.into_iter().map(one).collect()
}

/// The sign between two stations.
fn sign(text: Option<&str>) -> ScriptResult<String> {
    let text = text.unwrap_or("-");
    match text.len() <= 3 && !text.is_empty() && text.chars().all(|c| c.is_ascii_punctuation() && !"*:,\"".contains(c))
    {
        true => Ok(text.into()),
        false => {
            fail(format!("the sign between two stations must be punctuation such as \"/\" or \"-\", not \"{text}\""))
        }
    }
}

/// A track and the names of its stations.
fn station_names(
    spec: &Spec,
    track: &str,
    names: &[(String, String)],
    from_zero: bool,
) -> ScriptResult<StationNotation> {
    let index = track_called(spec, track)?;
    let longest = spec.tracks[index].paths.iter().filter_map(|paths| paths.first()).map(Vec::len).max().unwrap_or(0);
    let (last, zero) = if from_zero { (longest.saturating_sub(1), "0") } else { (longest, "0 (for entering)") };
    let one = |(number, name): &(String, String)| {
        word(name, "a station")?;
        match number.parse::<usize>() {
            Ok(number) if number <= last => Ok((number + usize::from(from_zero), name.clone())),
            _ => fail_help(
                format!("\"{number}\" is not a station of \"{track}\": stations are numbered from {zero} to {last}"),
                Some(format!("the last station is \"{last}\"")),
            ),
        }
    };
    let names = names.iter().map(one).collect::<ScriptResult<_>>()?;
    Ok(StationNotation { track: index, between: String::new(), is_countdown: false, names })
}
