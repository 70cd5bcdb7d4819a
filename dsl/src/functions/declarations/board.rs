//! The board: its shape and cells, the sides around it, regions, and the starting position.

use super::super::param::{Call, NewName, Options, PositionText, SquareList};
use super::super::row::{Cost, ExampleContext, Fact, Row, row};
use super::directions::enough_directions;
use super::links;
use crate::host::convert::{number, squares_of_text, text};
use crate::host::declare::Declaration;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::ValueKind;
use crate::host::kind::option::{MAP, NUMBER, TEXT, TRUTH};
use crate::notation::describe::counted;
use crate::printable;
use astragal_core::board::{Board, Cells, Drawing, Region, Sign};
use astragal_core::{MAX_SIDES, SideDef, Square, SquareSet};
use rhai::{Array, Dynamic, ImmutableString};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("title", Cost::Declaration)
            .about("Sets the name of the game.")
            .example_in(ExampleContext::Top, r#"title("Knights and Knaves");"#)
            .form(["name"], title),
        row("board", Cost::Declaration)
            .facts(&[Fact::GivesGround])
            .about(
                r#"Declares a rectangular board; the default is 8 by 8. Options: `cells` (`"hex"` for hexagons),
                `hexagon` (true: the board is a regular hexagon), `first_rank` (the number of the lowest rank), `wrap`
                (joins opposite edges: `"files"` joins left and right, `"ranks"` joins top and bottom, `"both"` does
                both), `holes` (missing squares, such as `"d4-e5"`). The option `patches` builds the board from flat
                parts, each described row by row from the top. Squares that are side by side in a part are neighbors, as
                in `["a1-h4", "a5-d8 i5-l8", "a5-d8 / a1-d4"]`. With `lines`, pieces move only along these lines, as in
                `["a1 d1 g1", "a1-c3"]`. With `heaps: true`, pieces can stand on one another; only the top piece can
                move or be attacked. Options for drawing: `points` (true: pieces stand on the intersections of lines),
                `river` (the lines have a gap above this rank), `crosses` (draws diagonals through these squares, such
                as `"e1 e8"`). The option `signs` draws a sign on empty squares, as in `#{ "*": "a1 g1" }`. A sign can
                have two characters: text boards show the first, and pictures show the second. The option `bars` draws
                bars to the right of the listed files and above the listed ranks, as in `"f 8"`."#,
            )
            .errors(
                "A board must have 1 to 16 files and 1 to 16 ranks. Every square that an option lists must be on the
                board.",
            )
            .example_in(ExampleContext::Top, "board(6, 6);")
            .options(&[
                ("first_rank", NUMBER),
                ("wrap", TEXT),
                ("holes", TEXT),
                ("cells", TEXT),
                ("hexagon", TRUTH),
                ("patches", &[ValueKind::Array, ValueKind::Text]),
                ("lines", &[ValueKind::Array, ValueKind::Text]),
                ("points", TRUTH),
                ("river", NUMBER),
                ("crosses", TEXT),
                ("signs", MAP),
                ("bars", TEXT),
                ("heaps", TRUTH),
            ])
            .form(["files", "ranks", "options"], board),
        row("sides", Cost::Declaration)
            .facts(&[Fact::GivesGround])
            .about(
                r#"Declares the sides in turn order; the default is White and Black. Options: `letters` (a letter for
                each side, such as `"wb"`), `forward` (a direction for each side: `"up"`, `"right"`, `"down"`, `"left"`,
                or `"down, up on e9-l12"` if it differs on some squares), `teams` (a team number for each side; partners
                do not capture each other)."#,
            )
            .errors("A game must have 1 to 8 sides. Each side needs a letter and a direction.")
            .example_in(ExampleContext::Top, r#"sides(["Red", "Blue"]);"#)
            .options(&[
                ("letters", TEXT),
                ("forward", &[ValueKind::Array, ValueKind::Text]),
                ("teams", &[ValueKind::Array]),
            ])
            .form(["names", "options"], sides),
        row("region", Cost::Declaration)
            .about(
                r#"Gives a name to squares. You name the first side's squares; for the other sides, they are rotated
                unless `same_for_all` is true. An array gives each side its own squares, in turn order, as in `["a1-h2",
                "a7-h8"]`."#,
            )
            .errors(r#"Write the squares as in `"a1 c3-e5"`. An array must have one string for each side."#)
            .example_in(ExampleContext::Top, r#"region("camp", "a1-h2");"#)
            .options(&[("same_for_all", TRUTH)])
            .form(["name", "squares", "options"], region)
            .form(["name", "squares_by_side", "options"], region_by_side),
        row("setup", Cost::Declaration)
            .about("Sets the starting position, given as FEN.")
            .errors(
                "The FEN must fit the board and its pieces; the error message points to the first part that does not.",
            )
            .example_in(ExampleContext::Top, r#"setup("4k3/8/8/8/8/8/8/4K2R w - - 0 1");"#)
            .form(["fen"], setup),
    ]
}

fn title(call: &Call<'_>, name: ImmutableString) -> ScriptResult<()> {
    call.declare("title()", |d| {
        d.note("the title", call.place());
        d.spec.title = name.into();
        Ok(())
    })
}

fn board(call: &Call<'_>, files: i64, ranks: i64, options: Options) -> ScriptResult<()> {
    let first = options.number("first_rank")?.unwrap_or(1);
    let wrap = options.text("wrap")?.unwrap_or_default();
    let holes = options.text("holes")?.unwrap_or_default();
    let cells = match options.text("cells")?.as_deref() {
        None | Some("square") => Cells::Square,
        Some("hex") => Cells::Hex,
        Some(other) => return fail(format!("`cells` must be \"square\" or \"hex\", not \"{other}\"")),
    };
    let hexagon = options.flag("hexagon", false)?;
    let patches = options.texts("patches")?;
    let lines = options.texts("lines")?;
    if [!wrap.is_empty(), patches.is_some(), lines.is_some(), cells == Cells::Hex].iter().filter(|said| **said).count()
        > 1
        && (patches.is_some() || lines.is_some())
    {
        return fail("\"patches\" and \"lines\" cannot be combined, and neither works with \"wrap\" or hexagons");
    }
    // On boards drawn with lines, pieces stand on the intersections.
    let points = options.flag("points", lines.is_some())?;
    let river = options.number("river")?;
    let crosses = options.text("crosses")?.unwrap_or_default();
    let signs = options.text_map("signs")?;
    let bars = options.text("bars")?.unwrap_or_default();
    let heaps = options.flag("heaps", false)?;
    let first_number = first;
    call.declare("board()", |d| {
        before_the_board(d)?;
        d.note("the board", call.place());
        let Ok(first) = u8::try_from(first) else {
            return fail("`first_rank` must be from 0 to 99; in most games, it is 0 or 1");
        };
        let mut board = match Board::new(files, ranks, first) {
            Ok(board) => board,
            Err(_) if !(1..=16).contains(&files) => {
                return fail(format!("a board can have 1 to 16 files, not {files}"));
            }
            Err(_) if !(1..=16).contains(&ranks) => {
                return fail(format!("a board can have 1 to 16 ranks, not {ranks}"));
            }
            Err(e) => return fail(e.to_string()),
        };
        match wrap.as_str() {
            "" => {}
            "files" => board.wrap(true, false),
            "ranks" => board.wrap(false, true),
            "both" => board.wrap(true, true),
            other => return fail(format!("`wrap` must be \"files\", \"ranks\" or \"both\", not \"{other}\"")),
        }
        board.set_cells(cells);
        let holes = squares_of_text(&board, &holes)?;
        board.cut(holes);
        if let Some(patches) = &patches {
            links::sew(&mut board, patches)?;
        }
        if let Some(lines) = &lines {
            links::draw(&mut board, lines)?;
        }
        let river = river.map(|rank| u8::try_from(rank - first_number).ok().filter(|rank| rank + 1 < board.height()));
        if river == Some(None) {
            return fail("`river` must be the number of a rank with another rank above it");
        }
        let crosses = squares_of_text(&board, &crosses)?;
        let signs =
            signs.iter().map(|(sign, squares)| read_sign(&board, sign, squares)).collect::<ScriptResult<_>>()?;
        let (file_bars, rank_bars) = read_bars(&board, first_number, &bars)?;
        board.draw_as(Drawing { points, river: river.flatten(), crosses, signs, file_bars, rank_bars });
        if hexagon {
            trim(&mut board)?;
        }
        if cells == Cells::Hex && d.spec.board.cells() != cells && d.spec.sides.len() == 2 {
            // By default, the second side plays down the board; `sides()` can change that.
            d.spec.sides[1].forward = 3;
        }
        d.spec.board = board;
        d.spec.heaps = heaps;
        Ok(())
    })
}

/// Rejects a board that is declared after regions or tracks, which name its squares.
fn before_the_board(d: &Declaration) -> ScriptResult<()> {
    if d.once.iter().any(|(what, _)| what == "the board") {
        return Ok(());
    }
    let region = d.spec.board.regions().first().map(|region| format!("region(\"{}\")", region.name));
    let track = d.spec.tracks.first().map(|track| format!("track(\"{}\")", track.name));
    match region.or(track) {
        None => Ok(()),
        Some(early) => fail_help(
            format!("{early} needs the squares of the board: declare the board first"),
            Some("put `board()` first, then sides, regions, tracks, pieces and the starting position".into()),
        ),
    }
}

/// A sign of one character, or of one for letters and one for pictures.
fn read_sign(board: &Board, sign: &str, squares: &str) -> ScriptResult<Sign> {
    let chars: Vec<char> = sign.chars().collect();
    let (letter, picture) = match chars[..] {
        [one] => (one, one),
        [letter, picture] => (letter, picture),
        _ => {
            return fail_help(
                format!("a sign must be one character, or one for text boards and one for pictures, not \"{sign}\""),
                Some("write one or two characters, as in `#{ \"*\": \"a1 g1\" }`".into()),
            );
        }
    };
    if let Some(bad) = [letter, picture].into_iter().find(|c| c.is_control() || printable::steers(*c)) {
        return fail(format!("a sign must be a visible character, not {bad:?}"));
    }
    Ok(Sign { squares: squares_of_text(board, squares)?, letter, picture })
}

/// The files and ranks followed by bars, as bits.
fn read_bars(board: &Board, first_rank: i64, text: &str) -> ScriptResult<(u16, u16)> {
    let (mut files, mut ranks) = (0, 0);
    for word in text.split_whitespace() {
        let file = (0..board.width() - 1).find(|file| word == ((b'a' + file) as char).to_string());
        let rank = (0..board.height() - 1).find(|rank| word == (first_rank + i64::from(*rank)).to_string());
        match (file, rank) {
            (Some(file), _) => files |= 1 << file,
            (_, Some(rank)) => ranks |= 1 << rank,
            _ => {
                return fail(format!(
                    "bars follow files or ranks, as in \"f 8\", but \"{word}\" is not a file or rank of this board, or is \
                     the last one"
                ));
            }
        }
    }
    Ok((files, ranks))
}

/// Cuts the two corners of a sheared square that do not belong to a regular hexagon.
fn trim(board: &mut Board) -> ScriptResult<()> {
    if board.cells() != Cells::Hex || board.width() != board.height() || board.width().is_multiple_of(2) {
        return fail("a hexagon needs hexagonal cells and as many files as ranks: 5, 7, 9, 11, 13 or 15");
    }
    let centre = Square((board.len() / 2) as u8);
    let far = board.squares().into_iter().filter(|&s| board.distance(s, centre) > i16::from(board.width() / 2));
    let far = far.collect();
    board.cut(far);
    Ok(())
}

fn sides(call: &Call<'_>, names: Array, options: Options) -> ScriptResult<()> {
    let names: Vec<String> = names.iter().map(text).collect::<ScriptResult<_>>()?;
    if names.is_empty() || names.len() > MAX_SIDES {
        return fail(format!("a game can have 1 to {MAX_SIDES} sides, not {}", names.len()));
    }
    let letters = options.text("letters")?.unwrap_or_else(|| "wbcdefgh".to_string());
    let letters: Vec<char> = letters.chars().collect();
    let cells = call.trace().declaration.spec.board.cells();
    let forward: Vec<(u8, Vec<(SquareSet, u8)>)> = match (options.texts("forward")?, cells) {
        (Some(words), _) => {
            let trace = call.trace();
            let board = &trace.declaration.spec.board;
            words.iter().map(|word| links::forward(board, word)).collect::<ScriptResult<_>>()?
        }
        (None, cells) => usual_directions(cells, names.len()).map(|turn| (turn, Vec::new())).collect(),
    };
    let few = [("letters", letters.len(), "letter"), ("forward", forward.len(), "direction")];
    if let Some((key, given, what)) = few.into_iter().find(|(_, given, _)| *given < names.len()) {
        let help = format!("give each side a {what}: {} in total", names.len());
        let message =
            format!("\"{key}\" has {}, but the game has {}", counted(given, what), counted(names.len(), "side"));
        return fail_help(message, Some(help));
    }
    let teams = options.get("teams").map(|value| teams(value, names.len())).transpose()?;
    let sides = names.into_iter().zip(letters).zip(forward);
    let sides =
        sides.map(|((name, letter), (forward, elsewhere))| SideDef { name, letter, forward, elsewhere }).collect();
    call.declare("sides()", |d| {
        d.note("the sides", call.place());
        d.spec.sides = sides;
        d.spec.teams = teams;
        Ok(())
    })
}

/// The default directions of the sides: as far apart as possible. If there are more sides than directions, they repeat.
fn usual_directions(cells: Cells, sides: usize) -> impl Iterator<Item = u8> {
    let turns: &[u8] = match (cells, sides) {
        (Cells::Square, 0..=2) => &[0, 2],
        (Cells::Square, _) => &[0, 1, 2, 3],
        (Cells::Hex, 0..=2) => &[0, 3],
        (Cells::Hex, 3) => &[0, 2, 4],
        (Cells::Hex, 4) => &[0, 1, 3, 4],
        (Cells::Hex, _) => &[0, 1, 2, 3, 4, 5],
    };
    turns.iter().copied().cycle().take(sides)
}

/// The number of each side's team: `[1, 2, 1, 2]`.
fn teams(value: &Dynamic, sides: usize) -> ScriptResult<[u8; MAX_SIDES]> {
    let numbers = match value.read_lock::<Array>() {
        Some(items) => items.iter().map(number).collect::<ScriptResult<Vec<i64>>>()?,
        None => Vec::new(),
    };
    if numbers.len() != sides || numbers.iter().any(|n| !(1..=MAX_SIDES as i64).contains(n)) {
        let example: Vec<String> = (0..sides).map(|side| (side % 2 + 1).to_string()).collect();
        let example = example.join(", ");
        let help = format!("give each side a team number from 1 to {MAX_SIDES}, as in `teams: [{example}]`");
        return fail_help(
            format!(
                "\"teams\" must be an array of {} from 1 to {MAX_SIDES}, one for each side",
                counted(sides, "number")
            ),
            Some(help),
        );
    }
    let mut teams = [0; MAX_SIDES];
    teams.iter_mut().zip(numbers).for_each(|(team, n)| *team = n as u8);
    Ok(teams)
}

fn region(call: &Call<'_>, name: NewName, text: SquareList, options: Options) -> ScriptResult<()> {
    let fixed = options.flag("same_for_all", false)?;
    call.declare("region()", |d| {
        d.note(&format!("the region \"{}\"", *name), call.place());
        let board = &d.spec.board;
        let own = squares_of_text(board, &text)?;
        let mut all = [own; MAX_SIDES];
        let base = d.spec.sides.first().map_or(0, |s| s.forward);
        if !fixed && board.links().is_some() && !board.has_drawn_lines() && d.spec.sides.len() > 1 {
            let help = "give an array with the squares of each side, or `#{ same_for_all: true }`";
            return fail_help("a board made of patches cannot be rotated for the other sides", Some(help.into()));
        }
        if !fixed {
            let help = "give an array with the squares of each side, or `#{ same_for_all: true }`";
            enough_directions(d, "a region", help)?;
        }
        for (side, set) in d.spec.sides.iter().zip(all.iter_mut()).skip(1) {
            if !fixed {
                let turns = board.cells().turns();
                let quarters = (side.forward + turns - base) % turns;
                *set = own.into_iter().filter_map(|s| board.turned(s, quarters)).collect();
            }
        }
        d.spec.board.add_region(Region { name: name.to_string(), squares: all });
        Ok(())
    })
}

/// A region with separate squares for each side, which are not rotated.
fn region_by_side(call: &Call<'_>, name: NewName, texts: Array, options: Options) -> ScriptResult<()> {
    if options.get("same_for_all").is_some() {
        return fail_help(
            "an array gives each side its own squares: \"same_for_all\" has no effect here",
            Some("leave it out, or give one string for all sides".into()),
        );
    }
    let texts = texts.iter().map(text).collect::<ScriptResult<Vec<String>>>()?;
    call.declare("region()", |d| {
        d.note(&format!("the region \"{}\"", *name), call.place());
        let sides = d.spec.sides.len();
        if texts.len() != sides {
            return fail_help(
                format!(
                    "the region \"{}\" has squares for {}, but the game has {}",
                    *name,
                    counted(texts.len(), "side"),
                    counted(sides, "side")
                ),
                Some(
                    "give an array with a string for each side, or one string for all; call `sides()` before `region()`"
                        .into(),
                ),
            );
        }
        let mut all = [SquareSet::EMPTY; MAX_SIDES];
        for (set, text) in all.iter_mut().zip(&texts) {
            *set = squares_of_text(&d.spec.board, text)?;
        }
        d.spec.board.add_region(Region { name: name.to_string(), squares: all });
        Ok(())
    })
}

fn setup(call: &Call<'_>, position: PositionText) -> ScriptResult<()> {
    call.declare("setup()", |d| {
        d.note("the starting position", call.place());
        d.setup = Some(position.to_string());
        Ok(())
    })
}
