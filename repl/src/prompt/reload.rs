//! Reloads a script that is edited while it is played. Before each command, the file is checked. If its text has changed,
//! the script is loaded again, and the running game is replayed under the new rules.
//!
//! Events are carried over as texts (moves in coordinates, choices by their words), because kinds and squares may have
//! other numbers. An edit with errors changes nothing and is reported once.

use super::session::Session;
use astragal_core::{Event, Game, State};
use astragal_dsl::notation::fen;
use astragal_dsl::{
    LoadError, Loaded, Severity, Variations, blame, check_under, explain, game_text, library, render_all, summary,
    turn_state_text,
};
use astragal_service::variant_cache::{Options, chosen};
use std::sync::Arc;

impl Session {
    /// Applies an edit of the script; returns a message about it, or an empty text.
    pub(super) fn reload(&mut self) -> String {
        if !self.watch.has_changed() {
            return String::new();
        }
        let file = self.loaded.source.file();
        let kept = chosen(&self.loaded);
        let mut gone = String::new();
        let found = match self.cache.load(&self.name, &kept) {
            Err(LoadError::Option(why)) => {
                gone = format!("Options were reset to their defaults: {why}.\n");
                self.cache.load(&self.name, &Options::new())
            }
            other => other,
        };
        let refused = |why: String| format!("{file} has changed but cannot be used. The old rules still apply.\n{why}");
        let given = if gone.is_empty() { kept } else { Options::new() };
        let new = match found {
            Ok(new) => new,
            Err(error @ LoadError::Script(_)) => {
                return refused(self.all_wrong(&given).unwrap_or_else(|| error.render(self.layout())));
            }
            Err(error) => return refused(error.render(self.layout())),
        };
        // It is better to report errors that only occur when a rule runs now than in the middle of a turn.
        if let Some(wrong) = self.all_wrong(&given) {
            return refused(wrong);
        }
        if gone.is_empty() && new.source.text == self.loaded.source.text {
            return format!("{file} matches the current rules again.\n");
        }
        let mut text = format!("{file} has changed{}\n{gone}", difference(&self.loaded, &new));
        match replay(&self.game, &self.loaded, &new) {
            Ok((game, misfit)) => {
                text.push_str(&match (&misfit, game.entries().len()) {
                    (Some(misfit), 1) => format!("{misfit}\nThe game continues from there, after 1 event.\n"),
                    (Some(misfit), kept) => format!("{misfit}\nThe game continues from there, after {kept} events.\n"),
                    (None, 0) => "The game starts with the new rules.\n".into(),
                    (None, 1) => "The game so far (1 event) fits the new rules.\n".into(),
                    (None, events) => format!("The game so far ({events} events) fits the new rules.\n"),
                });
                (self.loaded, self.game) = (new, game);
            }
            Err(why) => {
                text.push_str(&format!(
                    "The game's position does not fit the new rules: {why}\nThe old rules still apply.\n"
                ));
                return text;
            }
        }
        self.begin_lines(Variations::new());
        self.look_anew();
        text.push_str(&self.standing());
        text
    }
}

impl Session {
    /// All problems that `check` finds in the current file with the options of this game; `None` if the script can be used.
    fn all_wrong(&self, given: &Options) -> Option<String> {
        let found = check_under(&library::resolve(&self.name).ok()?, given);
        let unusable = found.iter().any(|one| one.severity == Severity::Error);
        unusable.then(|| render_all(&found, self.layout()))
    }
}

/// The difference between two versions of a script: changed lines of the summary, otherwise changed lines of the text.
fn difference(old: &Loaded, new: &Loaded) -> String {
    let (before, after) = (summary(old), summary(new));
    let changed: Vec<&str> = after.lines().filter(|line| !before.lines().any(|known| known == *line)).collect();
    let options =
        |loaded: &Loaded| loaded.options.iter().map(|o| (o.name.clone(), o.values.clone())).collect::<Vec<_>>();
    let lines = changed_lines(&old.source.text, &new.source.text);
    if changed.is_empty() && options(old) == options(new) {
        return format!(" ({lines}).");
    }
    let list: String = changed
        .iter()
        .map(|line| match line.split_once(' ') {
            Some((subject, text)) if !subject.is_empty() => format!("\n  {subject}: {}", text.trim()),
            _ => format!("\n  {}", line.trim()),
        })
        .collect();
    format!(" ({lines}):{list}")
}

/// `line 3` or `lines 3-5`: the range between the equal lines at the top and at the bottom.
fn changed_lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let top = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = (old.len() - top).min(new.len() - top);
    let bottom = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    match (top + 1, new.len() - bottom) {
        (first, last) if last < first => format!("after line {top}"),
        (first, last) if last == first => format!("line {first}"),
        (first, last) => format!("lines {first}-{last}"),
    }
}

/// The same game under other rules, as far as they allow it, and the first event that they do not allow.
///
/// # Errors
/// If the game cannot even start.
fn replay(old: &Game, before: &Loaded, new: &Arc<Loaded>) -> Result<(Game, Option<String>), String> {
    let mut again = turn_state_text::restarted(old).map_err(|error| error.to_string())?;
    let mut game = begin(old, before, new)?;
    for (i, entry) in old.entries().iter().enumerate() {
        let what = astragal_dsl::view::event_text(again.state(), &entry.event, None);
        if let Err(why) = carry_over(&mut game, again.state(), &entry.event, new) {
            let what = what.trim_end_matches('.');
            return Ok((game, Some(format!("Event {} no longer fits ({what}): {why}", i + 1))));
        }
        again.apply(&entry.event).map_err(|error| error.to_string())?;
    }
    Ok((game, None))
}

fn begin(old: &Game, before: &Loaded, new: &Arc<Loaded>) -> Result<Game, String> {
    let own = old.start().hash() == before.start.hash() && old.start_dice().is_empty();
    let start = match own {
        true => new.start.clone(),
        false => {
            let text = fen::write(&before.set.variant, old.start());
            fen::parse(&new.set.variant, &text).map_err(|error| error.render())?.position
        }
    };
    let set = Arc::clone(&new.set);
    match old.start_dice() {
        [] => Game::new(set, start, old.seed()).map_err(|error| blame(new, None, &error).render(false)),
        dice => Game::in_turn(set, start, dice, old.seed()).map_err(|error| error.to_string()),
    }
}

/// Applies in `game` the event that corresponds to `event` in `before`.
fn carry_over(game: &mut Game, before: &State, event: &Event, loaded: &Loaded) -> Result<(), String> {
    let waits = |game: &Game| match game_text::awaited(game.state()) {
        Some(awaited) => format!("the game is waiting for {awaited} now"),
        None => "the game is over now".into(),
    };
    match event {
        Event::Roll(faces) => {
            game_text::roll(game, faces).map(drop).map_err(|error| format!("{error}; {}", waits(game)))
        }
        Event::Pass => game.pass().map_err(|_| waits(game)),
        Event::Choice(index) => {
            let text = game_text::choices(before).get(*index).cloned().unwrap_or_default();
            let found = game_text::find_choice(game.state(), &text).map_err(|error| error.to_string())?;
            game.choose(found).map_err(|error| error.to_string())
        }
        Event::Move(paid) => {
            let text = game_text::move_name(before, paid.mv);
            let price = before.price(*paid);
            let die = Some(price.as_slice()).filter(|price| !price.is_empty());
            match game_text::find_move_anyhow(game.state(), &text, die) {
                Ok(paid) => game.play(paid).map_err(|error| error.to_string()),
                Err(error) => Err(match explain::why(loaded, game, &text) {
                    Ok(said) if !said.permitted => {
                        let moves = game_text::options(game.state());
                        let instead = match moves.len() {
                            0 => waits(game),
                            n if n <= 12 => format!("legal instead: {}", moves.join(" ")),
                            n => format!("{n} other moves are legal"),
                        };
                        format!("{}; {instead}", said.sentences.join("; "))
                    }
                    _ => error.brief(),
                }),
            }
        }
    }
}
