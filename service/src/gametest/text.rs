//! Writes a game as a game file: every roll, move and choice on its own line.

use crate::variant_cache::chosen;
use astragal_core::{Event, Game, State};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, game_text, record, turn_state_text};
use std::fmt::Write;

/// The text of a file that names its script as `script`: comments, headers, the events, and `more` lines after them.
pub fn game_text(
    script: &str,
    loaded: &Loaded,
    game: &Game,
    title: &str,
    comments: &[String],
    more: &[&str],
) -> String {
    let mut text = String::new();
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        let _ = writeln!(text, "# {line}");
    }
    let _ = writeln!(text, "title: {title}");
    let _ = writeln!(text, "variant: {}", script);
    let options = chosen(loaded);
    if !options.is_empty() {
        let options: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(text, "options: {}", options.join(" "));
    }
    let dice = Some(game.start_dice()).filter(|dice| !dice.is_empty());
    if *game.start() != loaded.start || dice.is_some() {
        let dice = dice.map(|dice| game_text::dice_text(&loaded.faces, dice));
        let _ = writeln!(text, "position: {}", fen::write_turn(&loaded.set.variant, game.start(), dice.as_deref()));
    }
    if game.seed() != 0 {
        let _ = writeln!(text, "seed: {}", game.seed());
    }
    text.push('\n');
    if let Ok(mut again) = turn_state_text::restarted(game) {
        for entry in game.entries() {
            let _ = writeln!(text, "{}", event(again.state(), &entry.event));
            if again.apply(&entry.event).is_err() {
                break;
            }
        }
    }
    for line in more {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// An event as a line of a game file.
pub(crate) fn event(state: &State, event: &Event) -> String {
    match event {
        Event::Roll(faces) => {
            format!("roll {}", game_text::rolled(state, faces).replace(',', " "))
        }
        Event::Pass => "pass".into(),
        Event::Choice(index) => {
            format!("choose {}", game_text::choices(state).get(*index).map(String::as_str).unwrap_or_default())
        }
        Event::Move(paid) => game_text::with_die(state, *paid, &record::move_text(state, *paid)),
    }
}
