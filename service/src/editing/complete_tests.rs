use super::super::examples::{below, folder, loaded as load, marked};
use super::super::{hover, problems, symbols};
use super::*;
use crate::gametest::file::WORDS;
use astragal_dsl::game_text;

/// The completion items at the mark `^`.
fn all(text: &str) -> Vec<GameCompletion> {
    let (document, loaded, at) = marked(text);
    complete(&document, Some(&loaded), at)
}

fn labels(text: &str, kind: GameCompletionKind) -> Vec<String> {
    all(text).into_iter().filter(|one| one.kind == kind).map(|one| one.label).collect()
}

/// The text after accepting the completion item with a label.
fn taken(text: &str, label: &str) -> String {
    let plain = text.replacen('^', "", 1);
    let found = all(text).into_iter().find(|one| one.label == label).unwrap_or_else(|| panic!("no '{label}'"));
    format!("{}{}{}", &plain[..found.replaces.start], found.inserts, &plain[found.replaces.end..])
}

#[test]
fn headers_are_proposed_at_the_head() {
    assert_eq!(labels("variant: chess\n^", GameCompletionKind::Header), ["title", "options", "position", "seed"]);
    assert_eq!(taken("variant: chess\npos^", "position"), "variant: chess\nposition: ");
    assert_eq!(taken("variant: chess\npos^: 8/8", "position"), "variant: chess\nposition: 8/8");
    assert!(labels("variant: chess\ne4\n^", GameCompletionKind::Header).is_empty());
    assert!(labels("variant: chess\n# ti^", GameCompletionKind::Header).is_empty());
    assert!(all("variant: chess\n# ^").is_empty());
}

#[test]
fn values_of_headers_are_proposed() {
    let document = GameDocument::new("a.game".as_ref(), "variant: dice");
    let variants = complete(&document, None, document.text().len());
    assert!(variants.iter().any(|one| one.label == "dice-chess" && one.replaces == (9..13)));
    let head = "variant: dice-chess\n";
    assert!(labels(&format!("{head}options: ^"), GameCompletionKind::Option).contains(&"doubles".into()));
    assert_eq!(taken(&format!("{head}options: dou^"), "doubles"), format!("{head}options: doubles="));
    let text = format!("{head}options: doubles=any cas^");
    assert!(!labels(&text, GameCompletionKind::Option).contains(&"doubles".into()), "it is given already");
    let values = labels(&format!("{head}options: doubles=^any"), GameCompletionKind::Value);
    assert_eq!(values, ["any", "same_type"]);
    let text = format!("{head}options: doubles=an^y castle_dice=4_or_6");
    assert_eq!(taken(&text, "same_type"), format!("{head}options: doubles=same_type castle_dice=4_or_6"));
    let positions = labels("variant: chess\nposition: rnb^", GameCompletionKind::Value);
    assert_eq!(positions[1], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn legal_moves_are_proposed_in_both_notations() {
    let moves = all("variant: chess\ne4 e5\nN^ # the rest is ignored: e9\nQh9\n");
    let named = |label: &str| moves.iter().find(|one| one.label == label).map(|one| one.detail.as_str());
    assert_eq!(named("Nf3"), Some("knight g1 to f3"));
    assert_eq!(named("g1f3"), Some("knight g1 to f3"));
    assert_eq!(named("Nf6"), None);
    assert_eq!(moves.iter().filter(|one| one.kind == GameCompletionKind::Move).count(), 2 * 29);
    assert_eq!(taken("variant: chess\ne4 e5\nN^x # a\n", "Nf3"), "variant: chess\ne4 e5\nNf3 # a\n");
    // After events on the same line.
    assert!(labels("variant: chess\ne4 ^", GameCompletionKind::Move).contains(&"Nf6".into()));
    assert!(labels("variant: chess\ne9 ^", GameCompletionKind::Move).is_empty());
    // After an illegal line, the game is unknown.
    assert!(labels("variant: chess\ne9\n^", GameCompletionKind::Move).is_empty());
    assert!(labels("variant: chess\nchoose\n^", GameCompletionKind::Move).is_empty());
    assert!(labels("variant: chess\ncheck\nodds e4\nmove ^", GameCompletionKind::Move).contains(&"e4".into()));
    let mate = "variant: chess\nposition: 6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1\nRd8\n^";
    assert!(labels(mate, GameCompletionKind::Move).is_empty(), "the game is over");
}

#[test]
fn captures_promotions_and_dice_are_named() {
    let text = "variant: chess\nposition: 1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1\n^";
    let capture = all(text).into_iter().find(|one| one.label == "a7b8q").expect("a capture");
    assert_eq!(capture.detail, "pawn a7 to b8, captures knight, becomes queen");
    let text = "variant: dicechess-3\nroll 1 2 5\n^";
    let used = all(text).into_iter().filter(|one| one.kind == GameCompletionKind::Move && one.detail.contains("uses"));
    assert!(used.count() > 0);
}

#[test]
fn rolls_show_the_faces_of_the_dice() {
    let rolls = all("variant: dice-chess\n^");
    let whole: Vec<&GameCompletion> = rolls.iter().filter(|one| one.kind == GameCompletionKind::Roll).collect();
    assert_eq!(whole.len(), 36);
    assert_eq!((whole[0].label.as_str(), whole[0].detail.as_str()), ("roll 1 1", "pawn, pawn"));
    assert_eq!(labels("variant: dice-chess\nroll ^", GameCompletionKind::Roll), ["1", "2", "3", "4", "5", "6"]);
    let second = all("variant: dice-chess\nroll 2 ^");
    assert_eq!(second[4].detail, "queen, die 2 of 2");
    assert_eq!(taken("variant: dice-chess\nroll 2,^", "3"), "variant: dice-chess\nroll 2,3");
    assert!(all("variant: dice-chess\nroll 2 3 ^").is_empty());
    assert!(all("variant: dice-chess\nroll 2 3\nroll ^").is_empty(), "the game waits for a move");
    // The turn is lost with 3 and 4, so the dice of the next turn can follow.
    assert_eq!(labels("variant: dice-chess\nroll 3 4 ^", GameCompletionKind::Roll).len(), 6);
    assert!(labels("variant: dice-chess\nodds ^", GameCompletionKind::Roll).contains(&"2 3".into()));
}

#[test]
fn words_fit_the_game() {
    let words = |text: &str| labels(text, GameCompletionKind::Word);
    let at_roll = words("variant: dice-chess\n^");
    assert!(at_roll.contains(&"roll".into()) && !at_roll.contains(&"move".into()), "{at_roll:?}");
    assert!(!at_roll.contains(&"undo".into()) && !at_roll.contains(&"pass".into()));
    assert!(words("variant: dice-chess\nroll 2 3\n^").contains(&"undo".into()));
    let document = GameDocument::new("a.game".as_ref(), "variant: nothing\n");
    let unknown: Vec<String> = complete(&document, None, document.text().len())
        .into_iter()
        .filter(|one| one.kind == GameCompletionKind::Word)
        .map(|one| one.label)
        .collect();
    assert_eq!(unknown, WORDS);
    assert_eq!(labels("variant: dice-chess\nroll 2 3\nNc3\nundo ^", GameCompletionKind::Value), ["1", "2"]);
    assert!(all("variant: chess\nmoves ^").is_empty());
}

#[test]
fn choices_are_proposed_as_a_whole() {
    let path = folder("variants/tests/cant-stop");
    let with_choice = below(&path, "game").into_iter().find_map(|path| {
        let text = std::fs::read_to_string(&path).expect("a game");
        let at = text.find("\nchoose ")? + "\nchoose ".len();
        Some((path, text, at))
    });
    let (path, text, at) = with_choice.expect("a game with a choice");
    let chosen = text[at..].lines().next().expect("a choice").split('#').next().unwrap_or_default().trim();
    let document = GameDocument::new(&path, &text);
    let found = complete(&document, Some(&load(&document)), at);
    assert!(found.iter().any(|one| one.label == chosen && one.kind == GameCompletionKind::Choice), "{found:?}");
}

#[test]
fn after_refused_there_are_squares() {
    let text = "variant: chess\nrefused ^";
    assert!(labels(text, GameCompletionKind::Move).is_empty());
    let squares = labels(text, GameCompletionKind::Square);
    assert_eq!(squares.len(), 16);
    assert!(labels(text, GameCompletionKind::Word).contains(&"pass".into()));
    let targets = labels("variant: chess\nrefused e2^", GameCompletionKind::Square);
    assert!(targets.contains(&"e2e5".into()) && !targets.contains(&"e2e4".into()));
    assert_eq!(targets.len(), 64 - 3);
    assert!(labels("variant: chess\nrefused e2e4 ^", GameCompletionKind::Square).contains(&"e7".into()));
}

/// Every event of every game in the repository is among the completion items at its place.
#[test]
fn all_moves_and_rolls_of_the_examples_are_proposed() {
    let mut checked = 0;
    for path in below(&folder("variants/tests"), "game") {
        let text = std::fs::read_to_string(&path).expect("a game");
        let document = GameDocument::new(&path, &text);
        let loaded = load(&document);
        for number in 1..=document.line_count() {
            let Content::Play(span) = document.content(number) else { continue };
            let line = &text[span.clone()];
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (kind, place, written) = match first {
                "roll" => (GameCompletionKind::Roll, span.end - rest.len(), rest.split(' ').next().unwrap_or_default()),
                "choose" => (GameCompletionKind::Choice, span.end - rest.len(), rest),
                word if WORDS.contains(&word) || is_choice(&document, &loaded, number, line) => continue,
                word => (GameCompletionKind::Move, span.start + word.find(':').map_or(0, |colon| colon + 1), word),
            };
            let found = complete(&document, Some(&loaded), place);
            let game = document.game_before(&loaded, number).expect("the game reaches the line");
            let same = |label: &str| match kind {
                // Moves can be written in several ways.
                GameCompletionKind::Move => {
                    let find = |text: &str| game_text::find_move(game.state(), text, None).ok();
                    find(label) == find(written) || label.ends_with(written)
                }
                _ => label.eq_ignore_ascii_case(written),
            };
            let is_proposed = found.iter().any(|one| one.kind == kind && same(&one.label));
            assert!(is_proposed || written.is_empty(), "{}:{number}: {line}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

/// Whether a line consists of a choice without the word `choose`.
fn is_choice(document: &GameDocument, loaded: &Arc<Loaded>, number: usize, line: &str) -> bool {
    let game = document.game_before(loaded, number).expect("the game reaches the line");
    game_text::find_choice(game.state(), line).is_ok()
}

/// Calls every function for a text and an offset.
fn ask_all(document: &GameDocument, loaded: &Arc<Loaded>, offset: usize) {
    let text = document.text();
    let is_in_text = |span: &Range<usize>| text.get(span.clone()).is_some();
    for one in complete(document, Some(loaded), offset) {
        assert!(is_in_text(&one.replaces), "{text:?} at {offset}: {one:?}");
        let is_here = (one.replaces.start..=one.replaces.end).contains(&offset.min(text.len()));
        let is_inside_a_letter = !text.is_char_boundary(offset.min(text.len()));
        assert!(is_here || is_inside_a_letter, "{text:?} at {offset}: {one:?}");
        assert!(!text[one.replaces.clone()].contains(['\r', '\n']), "{text:?} at {offset}: {one:?}");
    }
    if let Some(hover) = hover(document, Some(loaded), offset) {
        assert!(is_in_text(&hover.span), "{text:?} at {offset}: {hover:?}");
    }
    for game in symbols(document, Some(loaded)) {
        let turns = game.children.iter();
        assert!(turns.chain([&game]).all(|one| is_in_text(&one.span) && is_in_text(&one.name_span)), "{text:?}");
    }
    document.script_at(offset);
}

/// The labels of the headers among the items at the mark `^`, and the bytes that they replace.
fn headers_at(text: &str) -> Vec<(String, Range<usize>)> {
    let (document, loaded, at) = marked(text);
    let all = complete(&document, Some(&loaded), at).into_iter();
    all.filter(|one| one.kind == GameCompletionKind::Header).map(|one| (one.label, one.replaces)).collect()
}

#[test]
fn items_replace_a_range_at_the_cursor() {
    // In the blanks before a header, the header stays.
    assert!(headers_at("variant: chess\n ^  title: x\n").contains(&("seed".into(), 16..16)));
    assert!(headers_at("variant: chess\nti^tle: x\n").contains(&("seed".into(), 15..20)));
    // For editors, a lone `\r` ends a line.
    for text in ["variant: chess\n\r^\n", "variant: chess\ntitle:\rs^", "variant: chess\ne4\r^"] {
        let (document, loaded, at) = marked(text);
        assert_eq!(complete(&document, Some(&loaded), at), [], "{text:?}");
    }
}

/// Every function accepts any text and any cursor position.
#[test]
fn any_text_can_be_asked_about() {
    let (_, loaded, _) = marked("variant: dice-chess\n^");
    let texts = [
        "",
        "\u{feff}",
        "\r\n\r",
        "\u{e9}: \u{3000}\u{e9}",
        "roll",
        "refused",
        "options: =",
        "undo 9",
        ":",
        "#",
        "roll x y\n\n",
        "refused refused pass",
        "position:\nmoves",
        "roll 2 3\nrefused roll\nchoose  x \nodds  ",
    ];
    for text in texts {
        let document = GameDocument::new("a.game".as_ref(), text);
        (0..=text.len() + 2).for_each(|offset| ask_all(&document, &loaded, offset));
        for problem in problems(&document, &loaded, Some("")) {
            assert!(text.get(problem.span.clone()).is_some(), "{text:?}: {problem:?}");
        }
    }
}

/// Every function accepts a file that is being typed, with the cursor at its end.
#[test]
fn every_beginning_of_a_game_can_be_asked_about() {
    for path in below(&folder("variants/tests/dice-chess"), "game") {
        let text = std::fs::read_to_string(&path).expect("a game");
        let loaded = load(&GameDocument::new(&path, &text));
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            ask_all(&GameDocument::new(&path, &text[..end]), &loaded, end);
        }
    }
}
