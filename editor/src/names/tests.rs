//! Names and their uses, as tokens show them.

use super::*;

const SCRIPT: &str = r#"
    sides(["Red", "Blue"]);
    piece("pawn", "P", "W", #{ promotes: ["queen"], within: "camp" });
    piece("queen", "Q", "Q");
    region("camp", "a1-b2");
    counter("luck", 0);
    const LIST = ["pawn", "queen", "other"];
    fn turn() {
        if has(mover(), "pawn") { play(pieces(["pawn", "queen"]) & to(region("camp"))); }
        let m = play(any());
        if m.kind == "pawn" { log("pawn"); }
        let x = roll_each(m.to, #{ pawn: "d6" });
        add("luck", 1);
    }
"#;

#[test]
fn every_name_is_found_where_it_stands_for_something() {
    let document = Document::new(SCRIPT.into());
    let declared = declared(&document, None);
    let names: Vec<(NameKind, &str)> = declared.iter().map(|one| (one.kind, one.name.as_str())).collect();
    let expected = [
        (NameKind::Side, "Red"),
        (NameKind::Side, "Blue"),
        (NameKind::Piece, "pawn"),
        (NameKind::Piece, "queen"),
        (NameKind::Region, "camp"),
        (NameKind::Counter, "luck"),
    ];
    assert_eq!(names, expected);
    let uses = uses(&document, &declared);
    let count = |kind, name: &str| uses.iter().filter(|one| one.kind == kind && one.name == name).count();
    // The declaration, the list, has(), pieces(), the comparison, the key, and the unknown function.
    assert_eq!(count(NameKind::Piece, "pawn"), 7);
    assert_eq!(count(NameKind::Piece, "queen"), 4);
    assert_eq!(count(NameKind::Region, "camp"), 3);
    assert_eq!(count(NameKind::Counter, "luck"), 2);
}

/// The uses of a name, with `<` and `>` around them.
fn used(text: &str, name: &str) -> String {
    let document = Document::new(text.into());
    let mut out = text.to_string();
    for one in uses(&document, &declared(&document, None)).iter().rev().filter(|one| one.name == name) {
        out.insert(one.span.end, '>');
        out.insert(one.span.start, '<');
    }
    out
}

#[test]
fn positions_name_counters_marks_and_traits() {
    let text = "counter(\"a\", 0); piece_trait(\"a\", 0); marks(\"b\"); setup(\"8/8 w a=1 a=e1:2 b=e1\");";
    let expected = "counter(\"<a>\", 0); piece_trait(\"<a>\", 0); marks(\"b\"); setup(\"8/8 w <a>=1 <a>=e1:2 b=e1\");";
    assert_eq!(used(text, "a"), expected);
    assert!(used(text, "b").ends_with("<b>=e1\");"));
    assert_eq!(used("counter(\"a\", 0); label(\"a=1\");", "a"), "counter(\"<a>\", 0); label(\"a=1\");");
}

#[test]
fn compared_properties_name_pieces_and_sides() {
    let text = "piece(\"man\", \"M\"); counter(\"man\", 0); fn f(m) { m.captured == \"man\" }";
    let expected = "piece(\"<man>\", \"M\"); counter(\"<man>\", 0); fn f(m) { m.captured == \"<man>\" }";
    assert_eq!(used(text, "man"), expected);
    assert!(!used(&text.replace("captured", "other"), "man").ends_with("\"<man>\" }"));
    let sides = "sides([\"Red\", \"Blue\"]); region(\"Red\", \"a1\"); fn f(s) { \"Red\" == s.side }";
    assert!(used(sides, "Red").contains("{ \"<Red>\" == s.side }"));
}

#[test]
fn keys_are_names_if_all_keys_of_the_map_are() {
    let pieces = "piece(\"a\", \"A\"); piece(\"b\", \"B\"); ";
    let used = |text: &str| used(&format!("{pieces}{text}"), "a").replace(&pieces.replacen("\"a", "\"<a>", 1), "");
    assert_eq!(used("const M = #{ a: 1, b: 2 }; M.a"), "const M = #{ <a>: 1, b: 2 }; M.<a>");
    assert_eq!(used("const M = #{ a: 1, other: 2 }; M.a"), "const M = #{ a: 1, other: 2 }; M.a");
    assert_eq!(used("piece_trait(\"t\", #{ \"a\": 1 });"), "piece_trait(\"t\", #{ \"<a>\": 1 });");
    assert_eq!(used("board(8, 8, #{ a: 1 });"), "board(8, 8, #{ a: 1 });");
}

#[test]
fn a_function_of_the_script_gives_its_arguments_a_meaning() {
    let text = "region(\"left\", \"a1\"); \
                fn f(side, zone) { piece(\"x \" + side, \"X\", \"W\", #{ facing: side, zone: zone }); } \
                f(\"left\", \"left\");";
    assert!(used(text, "left").ends_with("f(\"left\", \"<left>\");"), "{}", used(text, "left"));
    // A function of another script can have the name of a built-in function.
    let text = "import \"chess\" as chess; region(\"left\", \"a1\"); chess::piece(\"left\"); chess::counter(\"a\");";
    assert_eq!(used(text, "left").matches('<').count(), 2);
    assert!(!used(text, "a").contains("<a>"));
    // A part of a name declares nothing.
    assert!(!used(text, "x ").contains('<'));
}

#[test]
fn a_region_is_declared_by_its_squares_and_asked_for_with_a_side() {
    let text = "region(\"a\", X); fn f() { region(\"b\", \"a1-b2\"); region(\"c\", [\"a1\"]); region(\"d\", C); } \
                fn turn() { region(\"e\", mover()); region(\"f\", player); } \
                fn outcome() { region(\"g\", \"White\"); region(\"h\"); }";
    let document = Document::new(text.into());
    let names: Vec<String> = declared(&document, None).into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn names_of_an_older_text_are_forgotten() {
    let text = "piece(\"man\", \"M\", \"W\");\nsetup(\"M7/8/8/8/8/8/8/7m w\");\nfn turn() { play(any()); }";
    let source = astragal_dsl::Source { name: "mine".into(), path: None, text: text.into() };
    let loaded = astragal_dsl::load(&source, &[]).expect("a game");
    let changed = Document::new(text.replace("\"man\"", "\"soldier\""));
    let pieces = declared(&changed, Some(&loaded)).into_iter().filter(|one| one.kind == NameKind::Piece);
    assert_eq!(pieces.map(|one| one.name).collect::<Vec<_>>(), ["soldier"]);
}
