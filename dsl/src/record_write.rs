//! The moves of a record: the line that was played, and alternatives as variations.
//!
//! A variation replaces an event before it: the last one of its kind. So a variation that begins with a roll can follow the
//! move after the other roll, where programs without dice expect it. Events ahead of the current place replace the last
//! event as a variation.

use super::{game_text, lost_turns, pgn, turn_state_text};
use crate::notation::pgn::Item;
use crate::variations::Variations;
use astragal_core::{Event, Game, Side, State};

/// The moves of `game` with all other lines of `variations`, whose current place must be that of `game`.
pub(super) fn items(game: &Game, variations: &Variations) -> Vec<pgn::SpannedItem> {
    let mut out = Vec::new();
    let Ok(start) = turn_state_text::restarted(game) else { return out };
    let writer = Writer { variations, path: variations.path() };
    match writer.path.first() {
        Some(&first) => writer.line(start, first, true, 0, &mut out),
        None => {
            variations.after(variations.root()).iter().for_each(|&node| writer.variation(&start, node, 0, &mut out))
        }
    }
    out
}

struct Writer<'a> {
    variations: &'a Variations,
    /// The line that was played.
    path: Vec<usize>,
}

impl Writer<'_> {
    /// Writes the line that begins with `node`. If `others` is set, alternatives to its first event are written, too.
    fn line(&self, mut game: Game, mut node: usize, mut others: bool, depth: usize, out: &mut Vec<pgn::SpannedItem>) {
        let mut waiting: Vec<(Game, usize)> = Vec::new();
        loop {
            let Some(event) = self.variations.event(node) else { return };
            let before = game.clone();
            if game.apply(event).is_err() {
                return;
            }
            let notes = game.entries().last().map_or(&[][..], |entry| &entry.notes);
            one(out, before.state(), event, lost_turns(notes, game.state()));
            let tried = if others { self.variations.after(self.variations.before(node)) } else { Vec::new() };
            let tried = tried.into_iter().filter(|&other| other != node);
            waiting.splice(0..0, tried.map(|other| (before.clone(), other)).collect::<Vec<_>>());
            let next = self.next(node);
            let kept = |next: &usize| {
                let moves = matches!(self.variations.event(*next), Some(Event::Move(_) | Event::Pass));
                matches!(event, Event::Roll(_)) && moves && notes.is_empty()
            };
            if next.as_ref().is_none_or(|next| !kept(next)) {
                for (before, other) in waiting.drain(..) {
                    self.variation(&before, other, depth, out);
                }
            }
            match next {
                Some(next) => (node, others) = (next, true),
                None => return self.ahead(&before, node, depth, out),
            }
        }
    }

    /// The node that continues the line of `node`. The line that was played ends at the current place.
    fn next(&self, node: usize) -> Option<usize> {
        match self.path.iter().position(|&on| on == node) {
            Some(at) => self.path.get(at + 1).copied(),
            None => self.variations.after(node).first().copied(),
        }
    }

    /// The events that follow the current place, `node`, and were taken back.
    fn ahead(&self, before: &Game, node: usize, depth: usize, out: &mut Vec<pgn::SpannedItem>) {
        if self.path.last() != Some(&node) {
            return;
        }
        let Some(event) = self.variations.event(node) else { return };
        for next in self.variations.after(node) {
            let mut items = Vec::new();
            let mut game = before.clone();
            one(&mut items, game.state(), event, 0);
            if depth < pgn::DEEPEST && game.apply(event).is_ok() {
                self.line(game, next, false, depth + 1, &mut items);
                out.push(Item::Variation(items).into());
            }
        }
    }

    fn variation(&self, before: &Game, node: usize, depth: usize, out: &mut Vec<pgn::SpannedItem>) {
        let mut items = Vec::new();
        if depth < pgn::DEEPEST {
            self.line(before.clone(), node, false, depth + 1, &mut items);
            out.push(Item::Variation(items).into());
        }
    }
}

/// Writes one event, with a number if a round begins or a variation was inserted, and the lost turns after it.
fn one(out: &mut Vec<pgn::SpannedItem>, before: &State, event: &Event, lost: usize) {
    let last = out.iter().rev().find_map(|entry| match entry.item {
        Item::Number { number, .. } => Some(number),
        _ => None,
    });
    let interrupted = matches!(out.last().map(|entry| &entry.item), Some(Item::Variation(_)));
    let (number, first) = (u32::from(before.position().number()), before.mover() == Side::FIRST);
    if last.is_none() || interrupted || first && last != Some(number) {
        out.push(Item::Number { number, continued: !first }.into());
    }
    let command = |name: &str, args: String| Item::Command { name: name.into(), args };
    match event {
        Event::Roll(faces) => out.push(command("roll", game_text::rolled(before, faces)).into()),
        Event::Pass => out.push(Item::Declined.into()),
        Event::Choice(index) => {
            let chosen = game_text::choices(before).get(*index).cloned().unwrap_or_default();
            out.push(command("choose", game_text::recorded_choice(&chosen)).into());
        }
        Event::Move(paid) => {
            let ways = before.moves().iter().filter(|other| other.mv == paid.mv).count();
            if ways > 1 || !before.moves().contains(paid) {
                out.push(command("die", game_text::faces(&before.price(*paid))).into());
            }
            out.push(Item::Move(game_text::record_text(before, *paid)).into());
        }
    }
    out.extend((0..lost).map(|_| Item::Pass.into()));
}
