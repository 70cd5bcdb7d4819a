use super::super::examples::marked;
use super::*;

fn at(text: &str) -> Option<String> {
    let (document, loaded, at) = marked(text);
    hover(&document, Some(&loaded), at).map(|hover| hover.markdown)
}

const START: &str = "\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R";

#[test]
fn a_line_shows_the_board_before_it() {
    let shown = at("variant: dice-chess\nroll ^2 3 # dice\nNc3\n").expect("a text");
    assert!(shown.starts_with("Before this line:\n\n```text\n"), "{shown}");
    assert!(shown.contains(START), "{shown}");
    assert!(shown.ends_with("White to roll 2d6."), "{shown}");
    let shown = at("variant: dice-chess\nroll 2 3\nN^c3\nroll 1 1\n").expect("a text");
    assert!(shown.contains(START) && shown.ends_with("White to move: Na3 Nc3 Nf3 Nh3."), "{shown}");
}

#[test]
fn the_last_line_shows_the_board_after_it() {
    let shown = at("variant: dice-chess\nroll 2 3\nN^c3\n").expect("a text");
    assert!(shown.starts_with("After this line:"), "{shown}");
    assert!(shown.contains("3 . . N . . . . .") && shown.ends_with("Black to roll 2d6."), "{shown}");
}

#[test]
fn a_word_is_explained_and_a_question_answered() {
    let shown = at("variant: dice-chess\nroll 2 3\nmov^es\nNc3\n").expect("a text");
    assert!(shown.starts_with("`moves`: Prints the legal moves or choices.\n\nBefore"), "{shown}");
    assert!(shown.ends_with("Output:\n\n```text\nNa3 Nc3 Nf3 Nh3\n```"), "{shown}");
    let shown = at("variant: dice-chess\nroll 2 3\nrefused e^4\n").expect("a text");
    assert!(shown.contains("After this line") && shown.contains("permits only moves of a knight or bishop"), "{shown}");
    // A word is explained only if the cursor is on it.
    let shown = at("variant: dice-chess\nroll 2^ 3\n").expect("a text");
    assert!(!shown.contains("`roll`:"), "{shown}");
}

#[test]
fn an_illegal_line_stops_the_game() {
    let shown = at("variant: chess\ne4\ne^9\ne5\n").expect("a text");
    assert!(shown.starts_with("Before this line:"), "{shown}");
    let shown = at("variant: chess\ne4\ne9\ne^5\n").expect("a text");
    assert!(shown.starts_with("The game stops at line 3: "), "{shown}");
    let shown = at("variant: chess\ne4\nchoose\ne^5\n").expect("a text");
    assert_eq!(shown, "The game stops at line 3: 'choose' needs a choice after it.");
    let shown = at("variant: chess\nposition: x^y\ne4").expect("a text");
    assert!(shown.contains("The game stops at line 2: expected "), "{shown}");
}

#[test]
fn headers_are_explained() {
    let shown = at("vari^ant: dice-chess\n").expect("a text");
    assert!(shown.starts_with("`variant`: The path of the script") && shown.contains("**Dice Chess**"), "{shown}");
    let shown = at("variant: dice-chess\nopt^ions: doubles=any\n").expect("a text");
    assert!(shown.lines().filter(|line| line.starts_with("- `")).count() > 1, "{shown}");
    let shown = at("variant: dice-chess\noptions: doubles=a^ny\n").expect("a text");
    assert_eq!(shown.lines().filter(|line| line.starts_with("- `")).count(), 1, "{shown}");
    assert!(shown.contains("- `doubles`: "), "{shown}");
    let shown = at("variant: chess\nposition: 4k3/8/8/8/8/8/8/R3K3^ w\n").expect("a text");
    assert!(shown.contains("8 . . . . k . . .") && shown.contains("White to move"), "{shown}");
    assert!(at("variant: chess\n# com^ment\n\n").is_none());
    assert!(at("variant: chess\ntitel: x^\n").is_none());
}

/// The texts of a script can neither load pictures nor steer a terminal.
#[test]
fn texts_of_scripts_are_tame() {
    let text = "// A ![picture](https://example.org/a.png).\n\
                option(\"speed\", [1, 2], \"See ![b](b.png).\");\n\
                board(3, 3); piece(\"man\", \"M\", \"W\"); setup(\"2m/3/M2 w\");\nfn turn() { play(any()); }\n";
    let source = astragal_dsl::Source { name: "own".into(), path: None, text: text.into() };
    let loaded = Arc::new(astragal_dsl::load(&source, &[]).expect("a script"));
    let document = GameDocument::new("a.game".as_ref(), "variant: own\noptions: speed=1\na1a2\n");
    let shown = |at: usize| hover(&document, Some(&loaded), at).expect("a text").markdown;
    for at in [2, 15] {
        let shown = shown(at);
        assert!(shown.contains("\\![") && !shown.replace("\\![", "").contains("!["), "{shown}");
    }
    let block = astragal_editor::markdown::block("text", "```");
    assert!(block.starts_with("````text") && block.ends_with("\n````"), "{block}");
    let document = GameDocument::new("a.game".as_ref(), "variant: own\nposition: \u{1b}[2J\n");
    let shown = hover(&document, Some(&loaded), 16).expect("a text").markdown;
    assert!(!shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn without_a_script_words_are_explained() {
    let document = GameDocument::new("a.game".as_ref(), "variant: nothing\nroll 2 3\ne4\n");
    let shown = hover(&document, None, 18).expect("a text").markdown;
    assert!(shown.starts_with("`roll`: "), "{shown}");
    assert!(hover(&document, None, document.text().len() - 2).is_none());
}
