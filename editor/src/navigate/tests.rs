use super::*;
use astragal_dsl::{Fix, Source};
use std::sync::Arc;

fn script(text: &str) -> Script {
    Script::new(Source { name: "mine".into(), path: None, text: text.into() })
}

/// A script and the offset of the mark `^` in it, which is removed.
fn marked(text: &str) -> (Script, usize) {
    let at = text.find('^').expect("a mark");
    (script(&text.replacen('^', "", 1)), at)
}

/// The same for a complete script, which is loaded.
fn loaded(text: &str) -> (Script, usize) {
    let (script, at) = marked(text);
    (load(script), at)
}

fn load(mut script: Script) -> Script {
    let loaded = astragal_dsl::load(script.source(), &[]).unwrap_or_else(|error| panic!("{error}"));
    script.set_loaded(Arc::new(loaded));
    script
}

fn bundled() -> impl Iterator<Item = Script> {
    let source = |(name, text): &(&str, &str)| Source { name: (*name).into(), path: None, text: (*text).into() };
    astragal_variants::SCRIPTS.iter().map(move |entry| Script::new(source(entry)))
}

/// A text with `<` and `>` around some byte ranges, which are in order.
fn shown(text: &str, places: &[Range<usize>]) -> String {
    let mut out = text.to_string();
    for place in places.iter().rev() {
        out.insert(place.end, '>');
        out.insert(place.start, '<');
    }
    out
}

fn apply(text: &str, changes: &[Fix]) -> String {
    let mut out = text.to_string();
    for change in changes.iter().rev() {
        out.replace_range(change.span.clone(), &change.text);
    }
    out
}

/// The text with `<` and `>` around the definition of the word at the mark.
fn defined(text: &str) -> Option<String> {
    let (script, at) = marked(text);
    match definition(&script, at)? {
        Target::Here(span) => Some(shown(script.text(), &[span])),
        Target::Bundled { .. } => None,
    }
}

/// The text with `<` and `>` around the uses of the word at the mark.
fn used(text: &str) -> String {
    let (script, at) = marked(text);
    shown(script.text(), &references(&script, at, true))
}

/// The line and the word of a definition in a bundled script.
fn elsewhere(script: &Script, at: usize) -> Option<(String, String, String)> {
    match definition(script, at)? {
        Target::Here(_) => None,
        Target::Bundled { name, text, span } => {
            let line = text[..span.start].rsplit('\n').next().unwrap_or_default().trim().to_string();
            Some((name, line, text[span].to_string()))
        }
    }
}

/// The text after renaming the word at the mark.
fn renamed(text: &str, name: &str) -> Result<String, String> {
    let (script, at) = marked(text);
    let changes = rename(&script, at, name).map_err(|error| error.to_string())?;
    Ok(apply(script.text(), &changes))
}

#[test]
fn a_name_leads_to_the_variable_that_it_means() {
    let cases = [
        ("fn f(a) { ^a + 1 }", "fn f(<a>) { a + 1 }"),
        ("fn f(a) { let b = a; ^b }", "fn f(a) { let <b> = a; b }"),
        // A variable is not in scope in its own initial value.
        ("fn f(n) { let n = ^n + 1; n }", "fn f(<n>) { let n = n + 1; n }"),
        ("fn f(n) { let n = n + 1; ^n }", "fn f(n) { let <n> = n + 1; n }"),
        ("fn f(n) { { let n = 2; } ^n }", "fn f(<n>) { { let n = 2; } n }"),
        ("fn f() { let x = g(|x| ^x); }", "fn f() { let x = g(|<x>| x); }"),
        ("fn f() { for i in 0..3 { ^i } }", "fn f() { for <i> in 0..3 { i } }"),
        // Functions can use all top-level constants, but no top-level variables.
        ("fn f() { ^A } const A = 1;", "fn f() { A } const <A> = 1;"),
        ("const A = 1; fn f() { let A = 2; } fn g() { ^A }", "const <A> = 1; fn f() { let A = 2; } fn g() { A }"),
        ("const A = 1; fn f() { global::^A }", "const <A> = 1; fn f() { global::A }"),
        ("fn f(a) { `${^a} and ${a}` }", "fn f(<a>) { `${a} and ${a}` }"),
        ("fn f(a) { `${[1].map(|b| ^b + a)}` }", "fn f(a) { `${[1].map(|<b>| b + a)}` }"),
        // An incomplete statement has no end yet.
        ("fn f() { let a = 1\n^a", "fn f() { let <a> = 1\na"),
    ];
    for (text, expected) in cases {
        assert_eq!(defined(text).as_deref(), Some(expected), "{text}");
    }
    for text in ["fn f() { ^b } fn g() { let b = 1; }", "#{ ^a: 1 }", "x.^a", "^roll(\"1d6\")", "// ^a", "^"] {
        assert_eq!(defined(text), None, "{text}");
    }
}

#[test]
fn a_call_leads_to_the_function_that_takes_as_many_arguments() {
    let both = "fn f(a) { a } fn f(a, b) { a } fn turn() { ^f(1, 2); }";
    assert_eq!(defined(both).as_deref(), Some("fn f(a) { a } fn <f>(a, b) { a } fn turn() { f(1, 2); }"));
    // `setup(..)` with a position is the built-in function.
    let own = "fn setup() { setup(\"8/8 w\"); } setup();";
    assert_eq!(used(&own.replacen("} setup", "} ^setup", 1)), "fn <setup>() { setup(\"8/8 w\"); } <setup>();");
    assert_eq!(defined("fn setup() { ^setup(\"8/8 w\"); }"), None);
    assert_eq!(used("fn ^one(x) { x } fn f() { [1].map(one); Fn(\"one\"); one(2) }").matches('<').count(), 4);
}

#[test]
fn imported_names_lead_to_the_scripts_that_declare_them() {
    let text = "import \"babylonian\" as b;\nb::readings();\nb::men();\nroyals(\"capturable\");\n\
                setup(\"8/8/8/8/8/8/8/K6k w\");\nfn turn() { play(moves_of(\"rook\")); option(\"tie\"); }";
    let script = load(script(text));
    let at = |word: &str| text.find(word).expect("a word") + 1;
    let found = |word| elsewhere(&script, at(word)).expect("a definition");
    assert_eq!(found("readings"), ("babylonian".into(), "fn".into(), "readings".into()));
    assert_eq!(found("\"babylonian"), ("babylonian".into(), String::new(), String::new()));
    assert_eq!(found("b::men"), ("babylonian".into(), String::new(), String::new()));
    assert_eq!(found("tie"), ("babylonian".into(), "option(\"".into(), "tie".into()));
    // The pieces come from a script that the imported script imports.
    assert_eq!(found("rook"), ("chess".into(), "piece(\"".into(), "rook".into()));
    assert_eq!(references(&script, at("rook"), true).len(), 1);
}

#[test]
fn uses_of_a_name_are_found_in_lists_maps_properties_templates_and_positions() {
    let text = r#"
        sides(["Red", "Blue"]);
        piece("man", "M", "W");
        piece("king", "K", "K", #{ promotes: ["man"] });
        counter("lives", 3);
        setup("MMMMMMMM/8/8/8/8/8/8/K6k w lives=2");
        const WORTH = #{ man: 1, king: 5 };
        fn turn() {
            play(pieces("man"));
            log(`${get("lives")} ${WORTH.man}`);
            if mover() == side("Red") { add("lives", 1); }
        }
    "#;
    let count = |word: &str| {
        let at = text.find(word).expect("a word") + 1;
        references(&script(text), at, true).len()
    };
    // The declaration, the promotion, the key, and the call; template strings use the keys of the script.
    assert_eq!(count("\"man"), 4);
    assert_eq!(count("\"lives"), 4);
    assert_eq!(count("Red"), 2);
    let at = text.find("\"lives").expect("a word") + 1;
    assert_eq!(references(&script(text), at, false).len(), 3);
}

#[test]
fn an_option_is_used_where_its_constant_is() {
    let text = "const LONG = option(\"^length\", [1, 2], \"\"); fn turn() { if LONG == 2 { play(any()); } }";
    let expected = "const <LONG> = option(\"<length>\", [1, 2], \"\"); fn turn() { if <LONG> == 2 { play(any()); } }";
    assert_eq!(used(text), expected);
    // From the constant, only its own uses are found, so that it can be renamed alone.
    assert_eq!(used(&text.replace('^', "").replacen("LONG", "^LONG", 1)).matches('<').count(), 2);
}

#[test]
fn everything_with_a_name_can_be_renamed() {
    let cases = [
        (
            "fn ^f(a) { f(a - 1) } fn g() { [1].map(f); Fn(\"f\") }",
            "h",
            "fn h(a) { h(a - 1) } fn g() { [1].map(h); Fn(\"h\") }",
        ),
        ("fn f(a) { let b = ^a; `${a}` }", "c", "fn f(c) { let b = c; `${c}` }"),
        ("fn f(n) { let ^n = n + 1; n }", "m", "fn f(n) { let m = n + 1; m }"),
        ("import \"chess\" as ^chess; chess::setup();", "base", "import \"chess\" as base; base::setup();"),
        ("const ^A = 1; fn f() { A } fn g(A) { A }", "B", "const B = 1; fn f() { B } fn g(A) { A }"),
        (
            "counter(\"^a\", 0); setup(\"8/8 w a=1\"); fn f() { get(\"a\") }",
            "b",
            "counter(\"b\", 0); setup(\"8/8 w b=1\"); fn f() { get(\"b\") }",
        ),
        (
            "sides([\"^A\", \"B\"]); setup(\"A/B w\"); fn f() { side(\"A\") }",
            "C",
            "sides([\"C\", \"B\"]); setup(\"A/B w\"); fn f() { side(\"C\") }",
        ),
    ];
    for (text, name, expected) in cases {
        assert_eq!(renamed(text, name).as_deref(), Ok(expected), "{text}");
    }
    let (script, at) = marked("fn ^f() {}");
    assert_eq!(rename(&script, at, "f"), Ok(Vec::new()));
}

#[test]
fn a_key_gets_quotes_if_the_name_is_not_one_word() {
    let text = "piece(\"^man\", \"M\", \"W\"); const W = #{ man: 1 }; fn f() { piece_at(a).kind == \"man\" }";
    let long = renamed(text, "foot soldier").expect("a name");
    let expected = "piece(\"foot soldier\", \"M\", \"W\"); const W = #{ \"foot soldier\": 1 }; \
                    fn f() { piece_at(a).kind == \"foot soldier\" }";
    assert_eq!(long, expected);
    let back = renamed(&long.replacen("foot", "^foot", 1), "man");
    assert_eq!(back, Ok(text.replace('^', "")));
    let property = "piece(\"^man\", \"M\", \"W\"); const W = #{ man: 1 }; fn f() { W.man }";
    let expected = "\"foot soldier\" is not one word, but the script uses the name without quotes";
    assert_eq!(renamed(property, "foot soldier").unwrap_err(), expected);
    assert!(renamed(property, "soldier").expect("a name").contains("W.soldier"));
}

#[test]
fn a_refusal_says_why() {
    let cases = [
        ("fn turn() { ^roll(\"1d6\") }", "x", "`roll` is a built-in function and cannot be renamed"),
        ("fn ^turn() {}", "x", "`turn` is a rule: the engine calls it by this name"),
        (
            "import \"chess\" as c; c::^setup();",
            "x",
            "`setup` comes from the imported script \"chess\" and cannot be renamed here",
        ),
        ("x.^kind", "x", "there is nothing to rename here"),
        ("^  ", "x", "there is nothing to rename here"),
        (
            "fn ^f() {}",
            "2nd",
            "`2nd` is not a valid name: use letters, digits and underscores, and begin with a letter",
        ),
        ("fn ^f() {}", "", "`` is not a valid name: use letters, digits and underscores, and begin with a letter"),
        ("fn f(^a) {}", "while", "`while` is a reserved word of the language"),
        ("fn f(^a) {}", "match", "`match` is a reserved word of the language"),
        ("fn ^f() {}", "outcome", "`outcome` is the name of a rule, which the engine calls"),
        ("fn ^f() {}\nfn g() {}", "g", "there is already a function called \"g\" on line 2"),
        ("fn ^f(x) {}", "moves_of", "there is already a built-in function called \"moves_of\""),
        ("fn f(^a, b) {}", "b", "there is already a variable called \"b\" on line 1"),
        ("fn f() { let ^a = 1; let b = 2; a }", "b", "there is already a variable called \"b\" on line 1"),
        ("fn f() { let a = 1; g(|^b| a + b) }", "a", "there is already a variable called \"a\" on line 1"),
        ("const A = 1; fn f() { let ^a = 1; a }", "A", "there is already a variable called \"A\" on line 1"),
        ("fn g() {} fn f() { let ^a = 1; g() }", "g", "there is already a function called \"g\" on line 1"),
        ("fn g() {} fn f() { let ^a = 1; h(|x| x + a) }", "g", "there is already a function called \"g\" on line 1"),
        ("fn ^g() {} fn f() { let a = 1; g() }", "a", "there is already a variable called \"a\" on line 1"),
        ("fn f() { let ^a = 1; roll(\"1d6\") }", "roll", "there is already a built-in function called \"roll\""),
        (
            "piece(\"^man\", \"M\"); piece(\"king\", \"K\");",
            "king",
            "there is already a piece called \"king\" on line 1",
        ),
        ("marks(\"^seen\"); counter(\"lives\", 3);", "lives", "there is already a counter called \"lives\" on line 1"),
        (
            "piece(\"^man\", \"M\");",
            "a\"b",
            "\"a\"b\" cannot be the name of a piece: names cannot contain quotation marks or backslashes",
        ),
        ("piece(\"^man\", \"M\");", "", "\"\" cannot be the name of a piece: it is empty"),
        (
            "counter(\"^lives\", 3);",
            "turn",
            "\"turn\" cannot be the name of a counter: positions use this name for the current turn",
        ),
        (
            "counter(\"^lives\", 3);",
            "a b",
            "\"a b\" cannot be the name of a counter: it appears in positions, so it cannot contain spaces or `=`",
        ),
        (
            "option(\"^length\", [1], \"\");",
            "a=b",
            "\"a=b\" cannot be the name of an option: players type it, so it cannot contain spaces or `=`",
        ),
        // A name in a list could refer to either of two things with the same name.
        (
            "piece(\"^man\", \"M\"); region(\"camp\", \"a1\"); const L = [\"man\"];",
            "camp",
            "\"camp\" already has another meaning in this script",
        ),
    ];
    for (text, name, expected) in cases {
        assert_eq!(renamed(text, name).unwrap_err(), expected, "{text} -> {name}");
    }
}

#[test]
fn names_of_other_scripts_keep_their_names() {
    let game = "import \"chess\" as chess;\nchess::setup();\nchess::draw_options();\n\
                fn turn() { play(moves_of(\"^rook\")); }\nfn outcome() { chess::mate_or_draw(); }";
    let (script, at) = loaded(game);
    let message = rename(&script, at, "tower").unwrap_err().to_string();
    assert_eq!(message, "`rook` comes from the imported script \"chess\" and cannot be renamed here");
    assert_eq!(renameable(&script, at), None);
    // The imported function looks for the option by its name.
    let own = "import \"chess\" as chess;\nchess::setup();\noption(\"^dead\", [\"off\"], \"No dead positions.\");\n\
               chess::long_game_options();\nfn outcome() { chess::draws(); }";
    let (script, at) = loaded(own);
    let message = rename(&script, at, "drawn").unwrap_err().to_string();
    assert_eq!(message, "the imported script \"chess\" uses the name \"dead\" too, so it cannot be renamed");
    let (script, at) =
        loaded("import \"chess\" as chess;\nchess::setup();\nfn turn() { play(to(region(\"^far rank\"))); }");
    let message = rename(&script, at, "end").unwrap_err().to_string();
    assert_eq!(message, "the script does not declare the region \"far rank\", so it cannot be renamed");
}

#[test]
fn a_name_that_was_changed_since_the_script_was_loaded_can_have_its_old_name_again() {
    let game = "piece(\"^man\", \"M\", \"W\");\nsetup(\"M7/8/8/8/8/8/8/7m w\");\nfn turn() { play(pieces(\"man\")); }";
    let (mut script, at) = loaded(game);
    let old = script.text().to_string();
    let text = apply(&old, &rename(&script, at, "soldier").expect("a name"));
    script.edit(text);
    let text = apply(script.text(), &rename(&script, at, "man").expect("a name"));
    assert_eq!(text, old);
}

/// One word for each thing of a script that can be renamed.
fn subjects(script: &Script) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    for word in resolve::words(script) {
        let is_new = !found.iter().any(|other| other.meaning == word.meaning);
        if is_new && renameable(script, word.span.start).is_some() {
            found.push(word);
        }
    }
    found
}

#[test]
fn renaming_in_bundled_scripts_can_be_undone() {
    let mut count = 0;
    for script in bundled() {
        let script = load(script);
        for word in subjects(&script) {
            let old = &script.text()[word.span.clone()];
            let changes = rename(&script, word.span.start, "zz_new").unwrap_or_else(|error| panic!("{old}: {error}"));
            let mut other = script.clone();
            other.edit(apply(script.text(), &changes));
            let at = other.text().find("zz_new").expect("the new name");
            let back = rename(&other, at, old).unwrap_or_else(|error| panic!("{old}: {error}"));
            assert_eq!(apply(other.text(), &back), script.text(), "{old} in {}", script.source().name);
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn bundled_scripts_work_with_other_names() {
    for (number, script) in bundled().enumerate() {
        let mut script = load(script);
        let before = script.source().clone();
        let mut step = 0;
        while let Some(word) = resolve::words(&script).get(step) {
            let is_old = !script.text()[word.span.clone()].starts_with("zz_");
            if is_old && renameable(&script, word.span.start).is_some() {
                let changes = rename(&script, word.span.start, &format!("zz_{step}"));
                let text = apply(script.text(), &changes.unwrap_or_else(|error| panic!("{error}")));
                script.edit(text);
            }
            step += 1;
        }
        astragal_dsl::load(script.source(), &[]).unwrap_or_else(|error| panic!("{error}\n{}", script.text()));
        if number % 5 == 0 {
            let found = |source| {
                astragal_dsl::check(source).into_iter().map(|one| (one.severity, one.code)).collect::<Vec<_>>()
            };
            assert_eq!(found(script.source()), found(&before), "{}", before.name);
        }
    }
}

#[test]
fn every_place_of_every_script_has_an_answer() {
    for script in bundled() {
        let script = load(script);
        let words = resolve::words(&script);
        assert!(words.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        for word in &words {
            let name = &script.text()[word.span.clone()];
            assert_ne!(word.meaning, Meaning::Unknown, "{name} in {}", script.source().name);
            let at = word.span.start;
            // A use leads to its declaration, and the declaration is among the uses.
            if let Some(Target::Here(span)) = definition(&script, at) {
                assert!(references(&script, at, true).contains(&span), "{name}");
                assert_eq!(definition(&script, span.start), Some(Target::Here(span)), "{name}");
            }
            let is_named =
                matches!(word.meaning, Meaning::Function(_) | Meaning::Variable { .. } | Meaning::Imported { .. });
            assert!(!is_named || definition(&script, at).is_some(), "{name} in {}", script.source().name);
        }
    }
}

#[test]
fn incomplete_scripts_have_answers_too() {
    for script in bundled().step_by(4) {
        let text = script.text();
        for cut in (0..text.len()).step_by(97).filter(|cut| text.is_char_boundary(*cut)) {
            let part = super::tests::script(&text[..cut]);
            for at in [0, cut / 2, cut.saturating_sub(1), cut, cut + 5] {
                definition(&part, at);
                references(&part, at, true);
                let range = renameable(&part, at);
                assert!(range.is_none_or(|range| part.text().get(range).is_some()));
                let _ = rename(&part, at, "zz_new");
            }
        }
    }
}
