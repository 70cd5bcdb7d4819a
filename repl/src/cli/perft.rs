//! `perft`: counts move sequences.

use super::args::Perft;
use super::chosen_game::{begin, load};
use super::failure::{Answer, input, of_rule};
use astragal_core::State;
use astragal_core::perft::divide;
use astragal_dsl::Loaded;
use astragal_dsl::notation::coord;
use astragal_service::analysis::{self, turns};
use serde_json::json;
use std::io::Write;

/// `astragal perft`.
pub(super) fn perft(args: &Perft, out: &mut impl Write) -> Answer {
    let loaded = load(&args.variant, &args.choice)?;
    let game = begin(&loaded, &args.choice)?;
    if args.turns {
        return by_turns(args, &loaded, game.state(), out);
    }
    let position = game.state().position();
    let variant = &loaded.set.variant;
    if !args.divide {
        let nodes = analysis::nodes(variant, position, args.depth).map_err(input)?;
        match args.json {
            true => writeln!(out, "{}", json!({"version": 1, "depth": args.depth, "nodes": nodes}))?,
            false => writeln!(out, "{nodes}")?,
        }
        return Ok(true);
    }
    // Reject a count that would take too long before it begins.
    analysis::nodes(variant, position, args.depth.saturating_sub(1)).map_err(input)?;
    let mut all: Vec<(String, u64)> = divide(variant, position, args.depth)
        .into_iter()
        .map(|(mv, n)| (coord::write(variant, position, mv), n))
        .collect();
    all.sort();
    let total: u64 = if args.depth == 0 { 1 } else { all.iter().map(|(_, n)| n).sum() };
    if args.json {
        let moves: serde_json::Map<String, serde_json::Value> = all.into_iter().map(|(mv, n)| (mv, n.into())).collect();
        writeln!(out, "{}", json!({"version": 1, "depth": args.depth, "nodes": total, "moves": moves}))?;
        return Ok(true);
    }
    for (mv, nodes) in all {
        writeln!(out, "{mv}: {nodes}")?;
    }
    writeln!(out, "{total}")?;
    Ok(true)
}

/// Counts sequences of complete turns.
fn by_turns(args: &Perft, loaded: &Loaded, state: &State, out: &mut impl Write) -> Answer {
    let depth = args.depth;
    if !args.divide {
        let paths = turns::paths(state, depth).map_err(of_rule(loaded))?;
        match args.json {
            true => writeln!(out, "{}", json!({"version": 1, "turns": depth, "sequences": exact(paths)}))?,
            false => writeln!(out, "{paths}")?,
        }
        return Ok(true);
    }
    let all = turns::divided(state, depth).map_err(of_rule(loaded))?;
    let total: u128 = if depth == 0 { 1 } else { all.iter().map(|(_, paths)| paths).sum() };
    if args.json {
        let first: serde_json::Map<String, serde_json::Value> =
            all.into_iter().map(|(event, paths)| (event, exact(paths))).collect();
        writeln!(out, "{}", json!({"version": 1, "turns": depth, "sequences": exact(total), "first": first}))?;
        return Ok(true);
    }
    for (event, paths) in all {
        writeln!(out, "{event}: {paths}")?;
    }
    writeln!(out, "{total}")?;
    Ok(true)
}

/// A count as JSON: a number if all readers represent it exactly, otherwise a string.
fn exact(count: u128) -> serde_json::Value {
    match u64::try_from(count) {
        Ok(small) if small < 1 << 53 => small.into(),
        _ => count.to_string().into(),
    }
}
