//! Documents as their tokens show them.

use super::*;

/// A document, and the offset of the mark `^` in its text, which is removed.
fn marked(text: &str) -> (Document, usize) {
    let at = text.find('^').expect("a mark");
    (Document::new(text.replacen('^', "", 1)), at)
}

fn call(text: &str) -> Option<(String, usize, Vec<Part>)> {
    let (document, at) = marked(text);
    document.call_around(at).map(|call| (call.name, call.argument, call.parts))
}

#[test]
fn calls_are_found_around_a_place() {
    let plain = |name: &str, argument| Some((name.to_string(), argument, Vec::new()));
    assert_eq!(call("play(^)"), plain("play", 0));
    assert_eq!(call("play(pieces(\"a\"), ^"), plain("play", 1));
    assert_eq!(call("play(pieces(\"^\"))"), plain("pieces", 0));
    assert_eq!(call("play((any() | ^))"), plain("play", 0));
    assert_eq!(call("where(any(), |a, b| ^)"), plain("where", 1));
    assert_eq!(call("where(any(), |m| { m.^ })"), None);
    assert_eq!(call("fn turn(^) {}"), None);
    assert_eq!(call("x[^]"), None);
    assert_eq!(call("f(x[1], ^)"), plain("f", 1));
}

#[test]
fn arrays_and_maps_within_an_argument_are_named() {
    let parts = |text: &str| call(text).expect("a call").2;
    assert_eq!(parts("pieces([\"a\", ^])"), [Part::Element(1)]);
    assert_eq!(parts("counter(\"a\", 0, #{ ^ })"), [Part::Key]);
    assert_eq!(parts("counter(\"a\", 0, #{ per_side: true, ^ })"), [Part::Key]);
    assert_eq!(parts("counter(\"a\", 0, #{ places: ^ })"), [Part::Value("places".into())]);
    assert_eq!(
        parts("piece(\"a\", \"A\", \"K\", #{ promotes: [\"x\", \"^\"] })"),
        [Part::Value("promotes".into()), Part::Element(1)]
    );
}

#[test]
fn names_mean_the_innermost_variable() {
    let (document, at) = marked("const n = 1; fn turn() { let n = 2; where(x, |n| n^ + 1); }");
    let binding = document.binding("n", at).expect("a variable");
    assert_eq!(binding.origin, Origin::Parameter);
    let (document, at) = marked("const n = 1; fn turn() { let n = 2; n^; }");
    assert_eq!(document.binding("n", at).map(|one| one.origin), Some(Origin::Let));
    let (document, at) = marked("const n = 1; fn a() { let n = 2; } fn turn() { n^; }");
    assert_eq!(document.binding("n", at).map(|one| one.origin), Some(Origin::Const));
    let (document, at) = marked("for (a, i) in list { a^ }");
    assert_eq!(document.binding("a", at).map(|one| one.origin), Some(Origin::Loop));
    assert!(document.binding("i", 0).is_none());
}

#[test]
fn a_name_does_not_mean_the_variable_whose_value_contains_it() {
    let origin_at = |text: &str| {
        let (document, at) = marked(text);
        let binding = document.binding("a", at).expect("a variable");
        (binding.origin, document.lines().line_of(document.tokens()[binding.token].span.start))
    };
    assert_eq!(origin_at("fn turn() {\nlet a = 1;\nlet a = ^a + 1;\n}"), (Origin::Let, 1));
    assert_eq!(origin_at("fn turn() {\nlet a = 1;\nlet a = a + 1;\n^a }"), (Origin::Let, 2));
    assert_eq!(origin_at("const a = 1;\nfn turn() {\nlet a = ^a; }"), (Origin::Const, 0));
    // Functions do not see the variables of the top level.
    assert_eq!(origin_at("const a = 1;\nlet a = 2;\nfn turn() { ^a }"), (Origin::Const, 0));
    // A value without an end.
    assert_eq!(origin_at("fn turn() {\nlet a = 1\n^a"), (Origin::Let, 1));
    assert_eq!(origin_at("import \"chess\" as a; fn turn() { ^a }"), (Origin::Import, 0));
}

#[test]
fn empty_arguments_keep_their_places() {
    let document = Document::new("f(, b, c)".into());
    assert_eq!(document.slots(1, 7), [2..2, 3..4, 5..6]);
    assert_eq!(document.arguments(1), [3..4, 5..6]);
    let open = Document::new("f(a, b,".into());
    assert_eq!(open.slots(1, 6), [2..3, 4..5, 6..6]);
    assert_eq!(open.arguments(1), [2..3, 4..5]);
}

#[test]
fn functions_and_imports_have_their_places() {
    let text = "import \"chess\" as chess;\nprivate fn help(a, b) { a + b }\nfn turn() {";
    let document = Document::new(text.into());
    let functions = document.functions();
    assert_eq!(document.word(functions[0].name), "help");
    assert_eq!(functions[0].parameters.len(), 2);
    assert_eq!(&text[functions[0].span.clone()], "private fn help(a, b) { a + b }");
    assert_eq!(functions[1].body, text.len() - 1..text.len());
    assert_eq!(document.imports().len(), 1);
    assert_eq!(document.binding("chess", text.len()).map(|one| one.origin), Some(Origin::Import));
}

#[test]
fn comments_are_kept() {
    let text = "// one\n// two\nf(1 /* a /* b */ c */, 2); // three";
    let document = Document::new(text.into());
    let found: Vec<&str> = document.comments().iter().map(|comment| &text[comment.clone()]).collect();
    assert_eq!(found, ["// one", "// two", "/* a /* b */ c */", "// three"]);
    assert!(document.in_comment(3) && document.in_comment(text.len()));
    assert!(!document.in_comment(text.find("f(").unwrap() + 1));
}

#[test]
fn any_text_can_be_read() {
    let pieces = [
        "fn", "turn", "(", ")", "{", "}", "[", "]", "#{", "\"a", "\"b\"", "|", "let", "for", "in", "//", "/*", "`", ",",
    ];
    let mut seed = 1_u64;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
            text.push(if seed >> 60 & 1 == 0 { ' ' } else { '\n' });
        }
        let document = Document::new(text.clone());
        for at in 0..=text.len() {
            document.call_around(at);
            document.token_at(at);
            document.binding("turn", at);
            document.in_comment(at);
        }
    }
}
