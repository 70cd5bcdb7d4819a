//! The starting positions of the games of a match: the variant's own, a given one, or those of a file in rotation.

use crate::cli::args::Match;
use crate::cli::chosen_game::placed;
use crate::cli::failure::{Failure, input, of_rule};
use astragal_core::Game;
use astragal_dsl::notation::fen::{self, Placed};
use astragal_dsl::{Loaded, record, turn_state_text};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The starting positions; empty for the variant's own.
pub(super) struct Openings(Vec<Placed>);

impl Openings {
    /// The openings that the arguments select.
    ///
    /// # Errors
    /// If a file or a position cannot be read, or no game can start from it.
    pub(super) fn of(args: &Match, loaded: &Loaded) -> Result<Openings, Failure> {
        let openings = match &args.openings {
            None => Openings(placed(loaded, &args.choice)?.into_iter().collect()),
            Some(file) => Openings(read(file, loaded)?),
        };
        for number in 0..openings.0.len().max(1) as u64 {
            openings.begin(loaded, 2 * number, 0)?;
        }
        Ok(openings)
    }

    /// Game `number` of the match, with this seed for its dice. Pairs of games share an opening.
    ///
    /// # Errors
    /// If a rule fails, or the position cannot be played.
    pub(super) fn begin(&self, loaded: &Loaded, number: u64, seed: u64) -> Result<Game, Failure> {
        match self.0.len() as u64 {
            0 => Game::new(Arc::clone(&loaded.set), loaded.start.clone(), seed).map_err(of_rule(loaded)),
            n => {
                let placed = self.0[(number / 2 % n) as usize].clone();
                turn_state_text::begin(loaded, placed, seed).map_err(input)
            }
        }
    }
}

/// The positions of a file, or the final positions of a record's games.
fn read(file: &Path, loaded: &Loaded) -> Result<Vec<Placed>, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| input(format!("{name}: {error}")))?;
    let position = |text: &str, place: &str| {
        let wrong = |why: String| input(format!("{name}, {place}: {why}"));
        let placed = fen::parse(&loaded.set.variant, text).map_err(|error| wrong(error.to_string()))?;
        turn_state_text::begin(loaded, placed.clone(), 0).map_err(wrong)?;
        Ok(placed)
    };
    let found: Vec<Placed> = match text.trim_start().starts_with('[') {
        true => {
            let games = record::read_all(&text, |_, _| Ok(loaded.clone()));
            let games = games.map_err(|error| input(format!("{name}: {error}")))?;
            let ends = (1..).zip(&games);
            let end = |(number, (_, game)): (u64, &(Loaded, Game))| {
                position(&turn_state_text::position(loaded, game), &format!("game {number}"))
            };
            ends.map(end).collect::<Result<_, Failure>>()?
        }
        false => {
            let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
            let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
            lines.map(|(number, line)| position(line, &format!("line {number}"))).collect::<Result<_, Failure>>()?
        }
    };
    if found.is_empty() {
        return Err(input(format!("{name} contains no positions")));
    }
    Ok(found)
}
