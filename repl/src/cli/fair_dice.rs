//! `fair-dice` and `verify`: seeds that no player can choose, and records verified against them.

use super::args::{FairDice, FairDiceCommand, Verify};
use super::failure::{Answer, input};
use super::records::{loader, read};
use astragal_dsl::record::{self, Record};
use astragal_service::fair_dice::{self, Part};
use astragal_service::variant_cache::VariantCache;
use std::io::Write;

/// `astragal fair-dice`.
pub(super) fn fair_dice(args: &FairDice, out: &mut impl Write) -> Answer {
    match &args.command {
        FairDiceCommand::Commit => {
            let part = Part::new(rand::random());
            writeln!(out, "part {part}\ncommitment {}", part.commitment())?;
        }
        FairDiceCommand::Seed { parts } => {
            writeln!(out, "seed {}", fair_dice::seed(parts))?;
            for part in parts {
                writeln!(out, "commitment {}", part.commitment())?;
            }
        }
    }
    Ok(true)
}

/// `astragal verify`.
pub(super) fn verify(args: &Verify, out: &mut impl Write) -> Answer {
    if !args.commitments.is_empty() && args.commitments.len() != args.parts.len() {
        let (parts, commitments) = (args.parts.len(), args.commitments.len());
        return Err(input(format!("{parts} parts and {commitments} commitments: pass one of each per player")));
    }
    let (text, name) = (read(&args.file)?, args.file.display().to_string());
    let mut good = true;
    let mut say = |so: bool, yes: &str, no: &str| {
        good &= so;
        writeln!(out, "{name}: {}", if so { yes } else { no })
    };
    if !args.commitments.is_empty() {
        let wrong = args.parts.iter().zip(&args.commitments).position(|(part, given)| part.commitment() != *given);
        let no = format!("part {} does not match its commitment", wrong.map_or(0, |index| index + 1));
        say(wrong.is_none(), "the parts match the commitments", &no)?;
    }
    let mut cache = VariantCache::new();
    for game in record::read_each(&text, loader(&mut cache, args.variant.as_deref(), &name)) {
        let Record { game, .. } = match game {
            Ok(record) => record,
            Err(error) => {
                say(false, "", &error.to_string())?;
                break;
            }
        };
        if !args.parts.is_empty() {
            let (seed, made) = (game.seed(), fair_dice::seed(&args.parts));
            let no = format!("seed {seed} does not match the parts, which give {made}");
            say(seed == made, &format!("seed {seed} matches the parts"), &no)?;
        }
        match fair_dice::verify(&game).map_err(input)? {
            Ok(1) => say(true, "the only roll matches the seed", "")?,
            Ok(rolls) => say(true, &format!("all {rolls} rolls match the seed"), "")?,
            Err(wrong) => {
                let text = |faces: &[i16]| astragal_dsl::game_text::faces(faces);
                let (event, found, expected) = (wrong.event + 1, text(&wrong.found), text(&wrong.expected));
                say(false, "", &format!("event {event}: rolled {found}, but the seed gives {expected}"))?;
            }
        }
    }
    Ok(good)
}
