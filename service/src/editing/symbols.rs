//! The outline of a `.game` file: the game and its turns.

use super::document::{Content, GameDocument};
use crate::gametest::loader::Loader;
use crate::gametest::play::Playthrough;
use astragal_core::State;
use astragal_dsl::{Loaded, game_text};
use astragal_editor::markdown::shortened;
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of characters in the lines of a turn.
const LONGEST: usize = 60;

/// An entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSymbol {
    /// The title of the game, or the side and number of a turn; never blank.
    pub name: String,
    /// The variant of the game, or the lines of a turn.
    pub detail: String,
    /// The bytes of the whole game or turn.
    pub span: Range<usize>,
    /// The bytes to select: the title, or the first line of a turn.
    pub name_span: Range<usize>,
    /// The turns of a game.
    pub children: Vec<GameSymbol>,
}

/// The outline of a file: one entry for the game. Without `loaded`, the variant of the file, it has no turns. Lines
/// after the first one that cannot be played belong to the turn before them.
pub fn symbols(document: &GameDocument, loaded: Option<&Arc<Loaded>>) -> Vec<GameSymbol> {
    let title = document.header("title").filter(|_| document.title().is_some());
    let stem = document.file().path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = document
        .title()
        .filter(|title| !title.trim().is_empty())
        .map(String::from)
        .or(stem)
        .unwrap_or_else(|| "game".into());
    let variant = document.header("variant").map(|value| document.text()[value].to_string()).unwrap_or_default();
    vec![GameSymbol {
        name,
        detail: variant,
        span: 0..document.text().len(),
        name_span: title.unwrap_or_else(|| document.line(1)),
        children: loaded.map(|loaded| turns(document, loaded)).unwrap_or_default(),
    }]
}

fn turns(document: &GameDocument, loaded: &Arc<Loaded>) -> Vec<GameSymbol> {
    let file = document.file().before_line(document.unread().unwrap_or(usize::MAX));
    let mut loader = Loader::of_loaded(Arc::clone(loaded));
    let Ok(mut play) = Playthrough::begin(&file, &mut loader) else { return Vec::new() };
    let mut found: Vec<GameSymbol> = Vec::new();
    let (mut turn, mut plays) = (None, true);
    for number in 1..=document.line_count() {
        let Content::Play(span) = document.content(number) else { continue };
        let now = Some(play.game().state().turn());
        let text = &document.text()[span.clone()];
        match found.last_mut().filter(|_| now == turn || !plays) {
            Some(last) => {
                last.span.end = span.end;
                if last.detail.chars().count() <= LONGEST {
                    last.detail.push_str(&format!(", {text}"));
                }
            }
            None => found.push(GameSymbol {
                name: named(play.game().state()),
                detail: text.into(),
                span: span.clone(),
                name_span: span,
                children: Vec::new(),
            }),
        }
        turn = now;
        plays = plays && (play.skip_question() || play.play_line().is_ok_and(|played| played));
    }
    for turn in &mut found {
        turn.detail = shortened(&turn.detail, LONGEST);
    }
    found
}

/// The number of a turn and its side.
fn named(state: &State) -> String {
    let side = game_text::side_name(&state.ruleset().variant, state.mover());
    format!("{}. {side}", state.position().number())
}

#[cfg(test)]
mod tests {
    use super::super::examples::marked;
    use super::*;

    const GAME: &str = "\
title: Three turns
variant: dice-chess

roll 5 5
moves   # 20
e4
roll 6 6
e5
roll 1 x
^";

    #[test]
    fn a_game_has_its_turns() {
        let (document, loaded, _) = marked(GAME);
        let all = symbols(&document, Some(&loaded));
        let [game] = all.as_slice() else { panic!("one game") };
        assert_eq!((game.name.as_str(), game.detail.as_str()), ("Three turns", "dice-chess"));
        assert_eq!(&document.text()[game.name_span.clone()], "Three turns");
        let turns: Vec<(&str, &str)> =
            game.children.iter().map(|turn| (turn.name.as_str(), turn.detail.as_str())).collect();
        let expected = [("1. White", "roll 5 5, moves, e4"), ("1. Black", "roll 6 6, e5"), ("2. White", "roll 1 x")];
        assert_eq!(turns, expected);
        assert_eq!(&document.text()[game.children[1].span.clone()], "roll 6 6\ne5");
        assert!(symbols(&document, None)[0].children.is_empty());
    }

    #[test]
    fn lines_after_an_illegal_one_stay_in_its_turn() {
        let (document, loaded, _) = marked("variant: chess\ne4\nd4\ne5\n^");
        let turns = symbols(&document, Some(&loaded)).remove(0).children;
        let details: Vec<&str> = turns.iter().map(|turn| turn.detail.as_str()).collect();
        assert_eq!(details, ["e4", "d4, e5"]);
    }

    #[test]
    fn the_lines_of_a_long_turn_are_cut_off() {
        let (document, loaded, _) = marked(&format!("variant: chess\n{}^", "moves\n".repeat(200)));
        let turns = symbols(&document, Some(&loaded)).remove(0).children;
        let [turn] = turns.as_slice() else { panic!("one turn: {turns:?}") };
        assert!(turn.detail.ends_with('…') && turn.detail.chars().count() <= LONGEST + 1, "{}", turn.detail);
        assert!(turn.span.end + 1 >= document.text().len());
    }

    #[test]
    fn a_blank_title_is_no_name() {
        let (document, _, _) = marked("title:\nvariant: chess\n^");
        assert_eq!(symbols(&document, None)[0].name, "a");
    }
}
