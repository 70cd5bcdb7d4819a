//! Declarations about the board: its shape and cells, the sides around it, regions, castling.

use super::super::convert::{number, text};
use super::super::trace::{Host, Outcome, fail, fail_help};
use super::{CastleDecl, Declaration, check_keys, flag, words};
use astragal_core::board::{Board, Cells, Drawing, Region};
use astragal_core::rule::Place;
use astragal_core::{SideDef, Square, SquareSet};
use rhai::{Array, Dynamic, Map};

pub(super) fn board(host: &Host, files: i64, ranks: i64, more: &Map, place: Option<Place>) -> Outcome<()> {
    check_keys("board", more, &["first_rank", "wrap", "holes", "cells", "hexagon", "points", "river", "crosses"])?;
    let first = more.get("first_rank").map_or(Ok(1), number)?;
    let wrap = more.get("wrap").map_or(Ok(String::new()), text)?;
    let holes = more.get("holes").map_or(Ok(String::new()), text)?;
    let cells = match more.get("cells").map_or(Ok("square".to_string()), text)?.as_str() {
        "square" => Cells::Square,
        "hex" => Cells::Hex,
        other => return fail(format!("cells are \"square\" or \"hex\", not \"{other}\"")),
    };
    let hexagon = flag(more, "hexagon", false)?;
    let points = flag(more, "points", false)?;
    let river = more.get("river").map(number).transpose()?;
    let crosses = more.get("crosses").map_or(Ok(String::new()), text)?;
    let first_number = first;
    host.declare("board()", |d| {
        d.note("the board", place);
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
        board.set_cells(cells);
        let holes = squares(&board, &holes)?;
        board.cut(holes);
        let river = river.map(|rank| u8::try_from(rank - first_number).ok().filter(|rank| rank + 1 < board.height()));
        if river == Some(None) {
            return fail("river is the number of a rank below another one: the river flows above it");
        }
        let crosses = squares(&board, &crosses)?;
        board.draw_as(Drawing { points, river: river.flatten(), crosses });
        if hexagon {
            trim(&mut board)?;
        }
        if cells == Cells::Hex && d.spec.board.cells() != cells && d.spec.sides.len() == 2 {
            // Until sides() says otherwise, the second side plays down the board.
            d.spec.sides[1].forward = 3;
        }
        d.spec.board = board;
        Ok(())
    })
}

/// Cuts the two corners of a sheared square that do not belong to a regular hexagon.
fn trim(board: &mut Board) -> Outcome<()> {
    if board.cells() != Cells::Hex || board.width() != board.height() || board.width().is_multiple_of(2) {
        return fail("a hexagon has hexagonal cells, and as many files as ranks: 5, 7, 9, 11, 13 or 15");
    }
    let centre = Square((board.len() / 2) as u8);
    let far = board.squares().into_iter().filter(|&s| board.distance(s, centre) > i16::from(board.width() / 2));
    let far = far.collect();
    board.cut(far);
    Ok(())
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

pub(super) fn sides(host: &Host, names: &Array, more: &Map) -> Outcome<()> {
    check_keys("sides", more, &["letters", "forward", "teams"])?;
    let names: Vec<String> = names.iter().map(text).collect::<Outcome<_>>()?;
    if names.is_empty() || names.len() > 4 {
        return fail(format!("a game has 1 to 4 sides, not {}", names.len()));
    }
    let letters = more.get("letters").map_or(Ok("wbcd".to_string()), text)?;
    let letters: Vec<char> = letters.chars().collect();
    let cells = host.trace().declaration.spec.board.cells();
    let forward = match (more.get("forward"), cells) {
        (Some(value), _) => words(value)?.iter().map(|word| direction(cells, word)).collect::<Outcome<Vec<u8>>>()?,
        (None, Cells::Square) if names.len() <= 2 => vec![0, 2],
        (None, Cells::Square) => vec![0, 1, 2, 3],
        (None, Cells::Hex) if names.len() <= 2 => vec![0, 3],
        (None, Cells::Hex) if names.len() == 3 => vec![0, 2, 4],
        (None, Cells::Hex) => vec![0, 1, 3, 4],
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

pub(super) fn direction(cells: Cells, word: &str) -> Outcome<u8> {
    let names: &[&str] = match cells {
        Cells::Square => &["up", "right", "down", "left"],
        Cells::Hex => &["up", "up right", "down right", "down", "down left", "up left"],
    };
    match names.iter().position(|name| *name == word) {
        Some(turns) => Ok(turns as u8),
        None => fail_help(
            format!("\"{word}\" is no direction of this board"),
            Some(format!("they are \"{}\"; board() comes before sides()", names.join("\", \""))),
        ),
    }
}

pub(super) fn region(host: &Host, name: &str, text: &str, fixed: bool, place: Option<Place>) -> Outcome<()> {
    host.declare("region()", |d| {
        d.note(&format!("the region \"{name}\""), place);
        let board = &d.spec.board;
        let own = squares(board, text)?;
        let mut all = [own; 4];
        let base = d.spec.sides.first().map_or(0, |s| s.forward);
        for (side, set) in d.spec.sides.iter().zip(all.iter_mut()).skip(1) {
            if !fixed {
                let turns = board.cells().turns();
                let quarters = (side.forward + turns - base) % turns;
                *set = own.into_iter().filter_map(|s| board.turned(s, quarters)).collect();
            }
        }
        d.spec.board.add_region(Region { name: name.into(), squares: all });
        Ok(())
    })
}

pub(super) fn castling(host: &Host, letter: &str, king: &str, rook: &str, safe: bool) -> Outcome<()> {
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

/// The region where pieces promote unless something else is said.
pub(super) fn far_rank(d: &mut Declaration) {
    if d.spec.board.region("far rank").is_some() {
        return;
    }
    let board = &d.spec.board;
    let (files, ranks) = (board.width(), board.height());
    let mut squares = [SquareSet::EMPTY; 4];
    for (side, set) in d.spec.sides.iter().zip(squares.iter_mut()) {
        *set = match side.forward {
            _ if board.cells() == Cells::Hex => {
                let ahead = board.turn((0, 1), side.forward);
                board.squares().into_iter().filter(|&s| board.offset(s, ahead).is_none()).collect()
            }
            0 => board.rank_set(ranks - 1),
            1 => board.file_set(files - 1),
            2 => board.rank_set(0),
            _ => board.file_set(0),
        };
    }
    d.spec.board.add_region(Region { name: "far rank".into(), squares });
}
