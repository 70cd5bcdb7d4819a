//! Betza, dice and PGN: notations that need no position.

use super::{in_time, points_into};
use astragal_core::movegen::{Filter, Safety, generate};
use astragal_core::{Atom, Board, Kind, KindDef, Piece, Position, Side, Spec, Variant};
use astragal_dsl::notation::{betza, dice, nearest, pgn};

/// Movement is read as something for which boards can be made, or refused with a place.
///
/// # Panics
/// If a property does not hold.
pub fn movement(text: &str) {
    in_time("movement", || match betza::parse(text) {
        Ok(atoms) => {
            atoms.iter().for_each(|atom| well_formed(atom, text));
            assert!(!atoms.is_empty() && atoms.len() <= 64, "{text:?}: {} ways", atoms.len());
            joins(text, &atoms);
            // One board is enough for a text: they take most of the time.
            moves(&atoms, text.len() % 2 == 1);
        }
        Err(error) => points_into(&error, text),
    });
}

fn well_formed(atom: &Atom, text: &str) {
    assert!(!atom.steps.is_empty() || !atom.routes.is_empty(), "a way of moving without a direction: {text:?}");
    assert_eq!(atom.steps.len(), atom.legs.len(), "{text:?}");
    assert!(atom.max <= 15 && (atom.max == 0 || atom.min <= atom.max), "{text:?}: {atom:?}");
    // Riders that turn may begin alike and part afterwards.
    let ways: Vec<_> = (0..atom.steps.len()).map(|i| (atom.steps[i], atom.bends.get(i))).collect();
    for way in &ways {
        let step = way.0;
        assert!(step != (0, 0) && step.0.abs() <= 15 && step.1.abs() <= 15, "{text:?}: {step:?}");
        assert_eq!(ways.iter().filter(|other| *other == way).count(), 1, "{text:?}: {way:?} twice");
    }
}

/// Two movements written one after the other mean both.
fn joins(text: &str, atoms: &[Atom]) {
    let middle = text.char_indices().map(|(i, _)| i).find(|i| *i * 2 >= text.len()).unwrap_or(0);
    let (left, right) = text.split_at(middle);
    if let (Ok(a), Ok(b)) = (betza::parse(left), betza::parse(right))
        && a.len() + b.len() <= 64
    {
        let joined = betza::parse(&format!("{left} {right}")).unwrap_or_else(|e| panic!("{text:?}: {e}"));
        assert_eq!(joined, [a, b].concat(), "{left:?} and {right:?}");
    }
    let spaced = betza::parse(&format!("  {text}\t")).unwrap_or_else(|e| panic!("{text:?} with blanks: {e}"));
    assert_eq!(spaced, atoms);
}

/// Makes a board for the movement and moves on it: every move leads to a square of the board.
fn moves(atoms: &[Atom], wraps: bool) {
    let mut board = Board::new(7, 6, 1).expect("a board");
    board.wrap(wraps, wraps);
    let mut kind = KindDef::new("piece", "P");
    kind.atoms = atoms.to_vec();
    let mut spec = Spec::new("movement", board);
    spec.kinds = vec![kind];
    let Ok(variant) = Variant::new(spec) else { return };
    let mut position = Position::empty(&variant);
    for (file, rank, side) in [(3, 2, 0), (3, 4, 0), (5, 4, 1), (2, 3, 1)] {
        let square = variant.board().at(file, rank).expect("a square");
        position.put(&variant, square, Piece::new(Side(side), Kind(0)));
    }
    let mut found = Vec::new();
    generate(&variant, &position, Side(0), Safety::Safe, Filter::ALL, &mut found);
    for mv in found {
        assert!(usize::from(mv.to.0) < variant.board().len(), "{mv:?}");
        assert!(position.at(mv.from).belongs_to(Side(0)), "{mv:?}");
        position.clone().make(&variant, mv);
    }
}

/// Dice are read, written and read again as the same, and count their outcomes correctly; or they are refused with a place.
///
/// # Panics
/// If a property does not hold.
pub fn dice(text: &str) {
    let found = match dice::parse(text) {
        Ok(found) => found,
        Err(error) => return points_into(&error, text),
    };
    assert!((1..=dice::MAX_DICE).contains(&found.dice.len()), "{text:?}");
    let written = found.to_string();
    assert_eq!(dice::parse(&written).as_ref(), Ok(&found), "{text:?} was written as {written:?}");
    for die in &found.dice {
        assert_eq!(die.faces().len(), die.weights().len(), "{text:?}");
        assert!(die.weights().iter().all(|w| *w > 0), "{text:?}");
        let distinct: std::collections::BTreeSet<_> = die.faces().iter().collect();
        assert_eq!(distinct.len(), die.faces().len(), "{text:?}: each face once");
    }
    // Beyond that nobody lists them.
    let outcomes = found.outcomes();
    assert!(found.is_countable() || found.total() == u64::MAX, "{text:?}");
    if found.is_countable() && outcomes <= 1000 {
        let mut total = 0;
        for index in 0..outcomes {
            assert_eq!(found.index_of(&found.outcome(index)), Some(index), "{text:?}: outcome {index}");
            total += u128::from(found.weight(index));
        }
        assert_eq!(total, u128::from(found.total()), "{text:?}: the weights of all outcomes");
    }
}

/// A record's text is read, written and read again as the same, or refused with a place.
///
/// # Panics
/// If a property does not hold.
pub fn pgn(text: &str) {
    in_time("a record", || {
        let games = match pgn::parse(text) {
            Ok(games) => games,
            Err(error) => return points_into(&error, text),
        };
        for game in &games {
            inside(&game.items, text);
            let written = pgn::write(game);
            let again = pgn::parse(&written).unwrap_or_else(|e| panic!("{}\n{written}", e.render()));
            let [again] = &again[..] else { panic!("one game became {}: {written}", again.len()) };
            assert_eq!(again.items, game.items, "{written}");
            assert_eq!(again.result, game.result, "{written}");
            assert_eq!(pgn::write(again), written);
            let clean = |value: &str| value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
            let tags: Vec<_> = game.tags.iter().map(|(name, value)| (name.clone(), clean(value))).collect();
            assert_eq!(again.tags, tags, "{written}");
        }
    });
}

fn inside(items: &[pgn::SpannedItem], text: &str) {
    for entry in items {
        assert!(text.get(entry.span.clone()).is_some(), "{entry:?}");
        assert_eq!(text[..entry.span.start].matches('\n').count() + 1, entry.line, "{entry:?}");
        if let pgn::Item::Variation(items) = &entry.item {
            inside(items, text);
        }
    }
}

/// The nearest name is one of the candidates, and a name is nearest to itself.
///
/// # Panics
/// If a property does not hold.
pub fn near(text: &str) {
    let words: Vec<&str> = text.split('\n').collect();
    let (first, others) = words.split_first().expect("split gives one part at least");
    if let Some(found) = nearest(first, others.iter().copied()) {
        assert!(others.contains(&found));
    }
    if !first.is_empty() && first.chars().count() <= 20 && others.contains(first) {
        let found = nearest(first, others.iter().copied()).expect("it is there itself");
        assert_eq!(found.to_lowercase(), first.to_lowercase());
    }
}
