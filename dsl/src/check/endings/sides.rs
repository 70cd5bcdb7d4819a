//! Finds endings that name the wrong side.
//!
//! Reports a winner who has lost its own pieces, one winner for opposite conditions, and points only for sides that have
//! not won. Also reports conditions that combine one side's pieces with the other side's hand.

use super::super::name_table::LineColumn;
use super::super::report::Report;
use super::calls::{Ending, Endings};
use super::phrase::{self, Asked, Fact, swapped};
use crate::diagnostic::{Code, Severity};
use astragal_core::{Kind, KindMask, Piece, Position, Side, Variant};

/// Checks the sides that endings name.
pub(super) fn check(endings: &Endings, variant: &Variant, start: &Position, report: &mut Report) {
    for ending in &endings.all {
        loser_wins(ending, variant, start, report);
        without_its_own(ending, variant, report);
        mixed(ending, report);
        rewarded(ending, endings, report);
    }
    if variant.sides() == 2 {
        either_way(endings, variant, report);
    }
}

/// Whether losing all pieces of these kinds loses the game: royal pieces, or, if the game has none, a piece that is unique.
fn is_royal(kinds: &str, variant: &Variant, start: &Position) -> bool {
    let named = |name: &str| variant.kind_named(name.trim_matches('"'));
    let names: Vec<Option<Kind>> = kinds.trim_matches(['[', ']']).split(", ").map(named).collect();
    let any = variant.royals() != KindMask::NONE;
    let single = |kind: Kind| {
        let of = |side: usize| start.squares_of(Piece::new(Side(side as u8), kind)).len();
        variant.kinds().len() > 2 && (0..variant.sides()).all(|side| of(side) == 1)
    };
    names.iter().all(|kind| kind.is_some_and(|kind| if any { variant.royals().contains(kind) } else { single(kind) }))
}

/// A side as text for messages.
fn shown(side: &str) -> String {
    if side.starts_with('"') { side.trim_matches('"').to_string() } else { format!("`{side}`") }
}

/// The winner in the words of the script, for messages.
fn winner_shown(ending: &Ending) -> String {
    shown(ending.winner_named.as_deref().unwrap_or_default())
}

/// The side that has lost according to a fact, with a description of the loss.
fn beaten(fact: &Fact, ending: &Ending, variant: &Variant, start: &Position) -> Option<(String, String)> {
    let meant = |side: &str| phrase::side_meant(side.to_string(), &ending.facts);
    if let Some((side, Some(kinds))) =
        fact.lost().filter(|(_, kinds)| kinds.is_some_and(|k| is_royal(k, variant, start)))
    {
        let kind = kinds.trim_matches(['[', ']', '"']);
        return Some((meant(side), format!("has lost its {kind}")));
    }
    let (name, args) = fact.call.as_ref()?;
    let [side] = args.as_slice() else { return None };
    let asked = |name: &str, holds: bool| {
        ending.live().any(|fact| {
            let of_it = |call: &(String, Vec<String>)| call.0 == name && call.1.first() == Some(side);
            fact.holds == holds && matches!(fact.asked, Asked::Other(_)) && fact.call.as_ref().is_some_and(of_it)
        })
    };
    match name.as_str() {
        "mated" if fact.holds => Some((meant(side), "is mated".into())),
        "can_move" | "can_move_safely" if !fact.holds && asked("in_check", true) => {
            Some((meant(side), "is in check and cannot move".into()))
        }
        _ => None,
    }
}

/// Warns about a side that wins by losing its royal piece, and about a draw when one side has lost its royal piece.
fn loser_wins(ending: &Ending, variant: &Variant, start: &Position, report: &mut Report) {
    let all: Vec<(&Fact, String, String)> = ending
        .live()
        .filter_map(|fact| beaten(fact, ending, variant, start).map(|(side, how)| (fact, side, how)))
        .collect();
    let [(fact, side, how)] = all.as_slice() else { return };
    let others = |words: &str| vec![(ending.at.0, ending.at.1, words.to_string())];
    let kind = how.strip_prefix("has lost its ");
    match (&ending.winner, kind) {
        (Some(winner), _) if winner == side => {
            let message = format!("{} wins here, although it {how}", winner_shown(ending));
            let other = swapped(side, &names(variant));
            let help = match variant.sides() == 2 && other != *side {
                true => {
                    format!("test whether {} {how}, or let {} win: `win({other}, ..)`", shown(&other), shown(&other))
                }
                false => "test a different side, or let a different side win".into(),
            };
            let words = (message, help);
            report.verdict(Severity::Warning, Code::WrongSide, fact.at, words, others("this side wins"), Vec::new());
        }
        (None, Some(kind)) if variant.sides() == 2 && ending.name == "draw" => {
            let other = swapped(side, &names(variant));
            let message = format!("the game is drawn here, although only {} {how}", shown(side));
            let help = format!("let the other side win: `win({other}, \"{kind} captured\")`");
            report.verdict(Severity::Warning, Code::WrongSide, ending.at, (message, help), Vec::new(), Vec::new());
        }
        _ => {}
    }
}

/// Warns about a side that wins once it has no piece left with some trait. In games with tracks, that may be the aim.
fn without_its_own(ending: &Ending, variant: &Variant, report: &mut Report) {
    if !variant.spec().tracks.is_empty() {
        return;
    }
    for fact in ending.live() {
        let Some((side, trait_name)) = fact.lost_with_trait() else { continue };
        let side = phrase::side_meant(side.to_string(), &ending.facts);
        if ending.winner.as_ref() != Some(&side) {
            continue;
        }
        let other = swapped(&side, &names(variant));
        let winner = winner_shown(ending);
        let message = format!("{winner} wins here when it has no pieces left with this value of {trait_name}");
        let help = match variant.sides() == 2 && other != side {
            true => format!("if the side should lose in that case, test the other side: `squares_of({other})`"),
            false => "if the side should lose in that case, test a different side".into(),
        };
        let others = vec![(ending.at.0, ending.at.1, "this side wins".to_string())];
        report.verdict(Severity::Note, Code::WrongSide, fact.at, (message, help), others, Vec::new());
    }
}

fn names(variant: &Variant) -> Vec<String> {
    variant.spec().sides.iter().map(|side| side.name.clone()).collect()
}

/// Warns about two endings that test the same condition for each side and name one winner.
fn either_way(endings: &Endings, variant: &Variant, report: &mut Report) {
    let sides = names(variant);
    let own = |ending: &Ending| {
        let mut all: Vec<String> =
            ending.facts[ending.own..].iter().filter(|fact| !fact.stale).map(Fact::says).collect();
        all.sort();
        all
    };
    for (i, second) in endings.all.iter().enumerate() {
        let Some(winner) = &second.winner else { continue };
        let asked = own(second);
        let mut mirrored: Vec<String> = asked.iter().map(|says| swapped(says, &sides)).collect();
        mirrored.sort();
        let same = |first: &&Ending| {
            first.function == second.function && first.winner == second.winner && own(first) == mirrored
        };
        let first =
            endings.all[..i].iter().find(same).filter(|_| mirrored != asked && swapped(winner, &sides) != *winner);
        if let Some(first) = first {
            let shown = winner_shown(second);
            let message = format!("{shown} wins here, and also when the other side meets the same condition");
            let help =
                format!("in one of the two cases, let the other side win: `win({}, ..)`", swapped(winner, &sides));
            let others =
                vec![(first.at.0, first.at.1, "the same test for the other side has the same winner".to_string())];
            report.verdict(Severity::Warning, Code::WrongSide, second.winner_at, (message, help), others, Vec::new());
        }
    }
}

/// Warns about an ending that tests the pieces of one side on the board and the hand of the other.
fn mixed(ending: &Ending, report: &mut Report) {
    let gone = ending.live().find_map(|fact| fact.lost());
    let in_hand = |fact: &Fact| -> Option<(String, LineColumn)> {
        let empty = match fact.asked {
            Asked::Equal(_, 0) => fact.holds,
            Asked::AtLeast(_, 1) => !fact.holds,
            _ => false,
        };
        match fact.call.as_ref()? {
            (name, args) if name == "hand" && empty => Some((args.first()?.clone(), fact.at)),
            _ => None,
        }
    };
    let hands: Vec<(String, LineColumn)> = ending.live().filter_map(in_hand).collect();
    if let (Some((side, None)), [(other, at)]) = (gone, hands.as_slice())
        && side != other
        && [side, other].iter().all(|side| side.ends_with("()"))
    {
        let message = format!("this counts the hand of `{other}`, but the pieces of `{side}` on the board");
        let help = format!("count both for the same side: `hand({side}, ..)`");
        report.warning(Code::WrongSide, *at, message, Some(help));
    }
}

/// Warns about a win that awards points only to sides other than the winner.
fn rewarded(ending: &Ending, endings: &Endings, report: &mut Report) {
    let Some(winner) = &ending.winner else { return };
    let mut awards = endings.awards.iter().filter(|award| award.block == ending.block).peekable();
    let Some(first) = awards.peek().copied() else { return };
    let plain = |side: &str| side.ends_with("()") || side.starts_with('"');
    if awards.all(|award| award.side != *winner && plain(&award.side)) && plain(winner) {
        let message = format!("this awards points to {}, but {} wins", shown(&first.side), winner_shown(ending));
        let help = format!("award the points to the winner: `award({winner}, ..)`");
        report.warning(Code::WrongSide, first.at, message, Some(help));
    }
}
