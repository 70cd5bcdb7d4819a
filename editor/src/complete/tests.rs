use super::*;
use crate::document::Part;
use crate::functions;
use crate::names::NameKind;
use crate::sample::{bundled, marked};
use astragal_dsl::Source;
use astragal_dsl::manual::{self, ParamKind};
use std::time::{Duration, Instant};

fn all(text: &str) -> Vec<Completion> {
    let (script, at) = marked(text);
    complete(&script, at)
}

fn labels(text: &str) -> Vec<String> {
    all(text).into_iter().map(|one| one.label).collect()
}

/// The labels of the completions of a kind.
fn of_kind(text: &str, kind: CompletionKind) -> Vec<String> {
    all(text).into_iter().filter(|one| one.kind == kind).map(|one| one.label).collect()
}

fn has(text: &str, label: &str) -> bool {
    labels(text).iter().any(|known| known == label)
}

fn one(text: &str, label: &str) -> Completion {
    all(text).into_iter().find(|one| one.label == label).unwrap_or_else(|| panic!("{label} at {text}"))
}

fn rank(text: &str, label: &str) -> u8 {
    one(text, label).rank
}

/// The text after the completion with this label was chosen.
fn chosen(text: &str, label: &str) -> String {
    let one = one(text, label);
    let (script, _) = marked(text);
    let mut edited = script.text().to_string();
    edited.replace_range(one.replaces, &one.inserts);
    edited.split_off(crate::sample::BASE.len())
}

#[test]
fn the_top_level_declares() {
    let at = "^";
    assert_eq!(rank(at, "board"), 0);
    assert_eq!(rank(at, "const"), 1);
    assert_eq!(rank(at, "fn turn()"), 1);
    assert!(!has(at, "fn outcome()"), "the script has it already");
    assert_eq!((rank(at, "permit"), rank(at, "chess")), (2, 3));
    assert!(!has(at, "play") && !has(at, "mover"));
    assert_eq!(chosen("bo^", "board"), "board");
    assert_eq!(chosen("ch^", "chess"), "chess::");
    assert_eq!(chosen("^", "fn capture(attacker, defender)"), "fn capture(attacker, defender) {\n    \n}");
}

#[test]
fn statements_of_rules_play_and_change_the_game() {
    let at = "fn turn() { ^ }";
    assert_eq!((rank(at, "play"), rank(at, "win")), (0, 1));
    assert!(rank(at, "let") > rank(at, "win") && rank(at, "mover") > rank(at, "let"));
    assert!(!has(at, "board") && !has(at, "piece") && !has(at, "outcome"));
    assert!(has("fn turn() { if in_check(mover()) { } ^ }", "else"));
    assert!(!has("fn turn() { for x in y { } ^ }", "else"));
    // A function of declarations is no rule.
    assert!(has("fn army() { piece(\"man\", \"M\", \"W\"); ^ }", "board"));
    // Functions without an end contain the end of the text.
    assert_eq!(rank("fn turn() { ^", "play"), 0);
}

#[test]
fn arguments_rank_functions_by_the_kind_that_they_take() {
    let best = |text: &str| {
        let all = all(text);
        let least = all.iter().filter(|one| one.kind == CompletionKind::Function).map(|one| one.rank).min();
        let best =
            all.into_iter().filter(|one| one.kind == CompletionKind::Function && Some(one.rank) <= least.max(Some(1)));
        best.map(|one| one.label).collect::<Vec<_>>()
    };
    let permits = best("fn turn() { play(^) }");
    assert!(permits.contains(&"permit".into()) && permits.contains(&"captures".into()));
    assert!(!permits.contains(&"mover".into()) && !permits.contains(&"empty_squares".into()), "{permits:?}");
    let sides = best("fn turn() { in_check(^) }");
    assert_eq!(sides[..4], ["mover", "opponent", "to_move", "ahead"]);
    let sets = best("fn turn() { from(^) }");
    assert!(sets.contains(&"squares_of".into()) && !sets.contains(&"mover".into()), "{sets:?}");
    let numbers = best("fn turn() { heaps(^) }");
    assert!(numbers.contains(&"round".into()) && !numbers.contains(&"any".into()), "{numbers:?}");
    let truths = best("fn turn() { if ^ }");
    assert!(truths.contains(&"mated".into()) && !truths.contains(&"any".into()), "{truths:?}");
    // Each part of a combined permit is a permit.
    assert!(best("fn turn() { play(any() | ^) }").contains(&"captures".into()));
    assert!(best("fn turn() { any().where(|mv| ^) }").contains(&"in_check".into()));
    assert!(best("fn turn() { suppose(|| ^) }").contains(&"remove".into()));
}

#[test]
fn variables_are_offered_where_they_are_visible() {
    let at = "fn turn() { let own = any(); let n = 1; { let inner = 2; } for sq in empty_squares() { play(^) } }";
    assert_eq!((rank(at, "own"), rank(at, "PIECE")), (0, 5));
    assert!(rank(at, "n") > 2 && has(at, "sq") && !has(at, "inner"));
    assert_eq!(one(at, "own").detail, "a permit");
    assert_eq!(one(at, "sq").detail, "a square");
    assert_eq!(one(at, "PIECE").detail, "[\"pawn\", \"knight\"]");
    assert!(!has("fn turn() { let own = ^ }", "own"), "not in its own value");
    assert!(!has("let top = 1; fn turn() { let x = ^ }", "top"), "functions do not see variables of the top level");
    assert!(has("let top = 1; const X = ^", "top"));
    assert_eq!(one("fn turn() { play(^) }", "permit").about, "The moves of a die.\nMore of them with a flag.");
    assert_eq!(one("fn turn() { play(^) }", "permit").detail, "fn permit(die, more)");
}

#[test]
fn modules_offer_the_functions_of_the_imported_script() {
    let found = labels("chess::^");
    assert!(found.contains(&"setup".into()) && found.contains(&"mate_or_draw".into()), "{found:?}");
    assert!(!found.contains(&"turn".into()), "rules are not called");
    assert!(one("chess::dr^", "draws").about.contains("draws"));
    assert!(labels("other::^").is_empty());
    assert!(has("import \"^\"", "xiangqi") && has("import ^", "\"xiangqi\"") && has("import \"^", "xiangqi"));
    assert_eq!(chosen("import \"xiangqi\" ^", "as xiangqi"), "import \"xiangqi\" as xiangqi");
}

#[test]
fn members_are_those_of_the_kind_of_value() {
    let moves = labels("fn turn() { let m = play(any()); m.^ }");
    assert!(moves.contains(&"is_capture".into()) && moves.contains(&"to".into()) && !moves.contains(&"file".into()));
    let sides = labels("fn turn() { mover().^ }");
    assert!(sides.contains(&"name".into()) && !sides.contains(&"is_capture".into()) && !sides.contains(&"push".into()));
    assert!(has("fn turn() { mover().na^ }", "name"));
    let squares = "fn turn() { play(any()).to.^ }";
    assert!(has(squares, "rank_for") && !has(squares, "is_capture"));
    assert!(has("fn turn() { for s in empty_squares() { s.^ } }", "rank_for"));
    assert!(has("fn turn() { any().where(|mv| mv.^) }", "is_capture"));
    assert!(has("fn turn() { empty_squares().where(|s| s.^) }", "is_empty"));
    assert!(has("fn capture(a, b, mv) { mv.^ }", "is_capture") && has("fn capture(a, b) { a.^ }", "rank_for"));
    let dice = "fn turn() { let dice = roll(\"2d6\"); dice.^ }";
    assert!(has(dice, "total") && has(dice, "len") && !has(dice, "is_capture"));
    assert!(!has("fn turn() { PIECE.^ }", "total") && has("fn turn() { PIECE.^ }", "len"));
    assert!(has("fn turn() { permit(1, true).^ }", "or_else"));
    assert_eq!(of_kind("fn turn() { NAMES.^ }", CompletionKind::Property)[..2], ["one", "two"]);
    // An unknown value can have any member.
    let unknown = labels("fn turn() { something.^ }");
    assert!(
        unknown.contains(&"is_capture".into()) && unknown.contains(&"file".into()) && unknown.contains(&"len".into())
    );
}

#[test]
fn texts_are_names_of_the_right_kind() {
    use CompletionKind::*;
    for (text, kind, label) in [
        ("fn turn() { play(pieces(\"^\")); }", Named(NameKind::Piece), "knight"),
        ("fn turn() { play(pieces([\"pawn\", \"^\"])); }", Named(NameKind::Piece), "knight"),
        ("fn turn() { castling(\"^\"); }", Named(NameKind::Piece), "rook"),
        ("fn turn() { side(\"^\"); }", Named(NameKind::Side), "White"),
        ("fn turn() { region(\"^\"); }", Named(NameKind::Region), "camp"),
        ("fn turn() { add(\"^\", 1); }", Named(NameKind::Counter), "stake"),
        ("fn turn() { marked(\"^\"); }", Named(NameKind::Mark), "burnt"),
        ("fn turn() { royal(mover()).get(\"^\"); }", Named(NameKind::Trait), "health"),
        ("fn turn() { along(\"^\", 1); }", Named(NameKind::Track), "way"),
        ("fn turn() { option(\"^\"); }", Named(NameKind::Option), "length"),
        ("fn turn() { square(\"^\"); }", Square, "e4"),
        ("fn turn() { let m = play(any()); if m.kind == \"^\" {} }", Named(NameKind::Piece), "queen"),
        ("fn turn() { let m = play(any()); if \"^\" == m.kind {} }", Named(NameKind::Piece), "queen"),
        ("fn turn() { let m = play(any()); switch m.kind { \"^\" => 1 } }", Named(NameKind::Piece), "queen"),
        ("fn turn() { if mover().name() == \"^\" {} }", Named(NameKind::Side), "Black"),
        ("fn turn() { if royal(mover()) == \"^\" {} }", Square, "e4"),
        ("const LIST = [\"^\"];", Named(NameKind::Piece), "queen"),
        ("die_faces([\"^\"]);", Named(NameKind::Piece), "queen"),
        ("piece(\"duke\", \"D\", \"W\", #{ promotes: [\"^\"] });", Named(NameKind::Piece), "queen"),
        ("piece(\"duke\", \"D\", \"W\", #{ zone: \"^\" });", Named(NameKind::Region), "camp"),
        ("look(#{ stations: \"^\" });", Named(NameKind::Track), "way"),
        ("region(\"fort\", \"^\");", Square, "a1"),
    ] {
        let found = of_kind(text, kind);
        assert!(found.iter().any(|known| known == label), "{label} at {text}: {found:?}");
    }
    // Where a value begins, names come in quotes.
    assert_eq!(chosen("fn turn() { play(pieces(kn^)); }", "\"knight\""), "fn turn() { play(pieces(\"knight\")); }");
    assert!(of_kind("fn turn() { label(\"^\"); }", Named(NameKind::Piece)).is_empty());
    assert!(one("fn turn() { pieces(\"^\"); }", "knight").about.contains("knight's leaps"));
    // A function of the script takes what it passes on.
    let passed = "fn of(name, n) { pieces(name) } fn turn() { of(\"^\", 1); }";
    assert_eq!(of_kind(passed, Named(NameKind::Piece)).len(), 6);
    assert!(of_kind(passed, Named(NameKind::Counter)).is_empty());
}

#[test]
fn names_are_completed_as_a_whole_and_lists_word_by_word() {
    assert_eq!(chosen("fn turn() { pieces(\"pa^wn\"); }", "knight"), "fn turn() { pieces(\"knight\"); }");
    assert_eq!(chosen("fn turn() { squares(\"a1 b^2-c3\"); }", "e4"), "fn turn() { squares(\"a1 e4-c3\"); }");
    assert_eq!(chosen("fn turn() { pieces(\"kn^); }", "knight"), "fn turn() { pieces(\"knight); }");
    assert_eq!(chosen("const TWO = \"pawn kn^\";", "knight"), "const TWO = \"pawn knight\";");
    let spaced = chosen("region(\"far shore\", \"a1\"); const ONE = \"far sh^o\";", "far shore");
    assert_eq!(spaced, "region(\"far shore\", \"a1\"); const ONE = \"far shore\";");
    assert_eq!(chosen("fn turn() { pl^ay(any()); }", "play"), "fn turn() { play(any()); }");
}

#[test]
fn words_and_values_of_options_are_offered() {
    assert_eq!(labels("royals(\"^\");"), ["protected", "capturable"]);
    assert_eq!(labels("royals(\"protected\", \"^\");"), ["free", "safe", "never"]);
    assert_eq!(of_kind("hands(^);", CompletionKind::Word), ["\"captor\"", "\"owner\"", "\"nobody\""]);
    let along = "fn turn() { along(\"way\", 1, #{ end: \"^\" }); }";
    assert_eq!(labels(along), ["exact", "stop", "last", "back"]);
    assert!(one(along, "back").about.contains("turn back"), "{}", one(along, "back").about);
    assert!(has("piece(\"duke\", \"D\", \"W\", #{ bounces_off: \"^\" });", "files"));
    assert_eq!(rank("counter(\"luck\", 0, #{ each: ^ });", "true"), 0);

    assert_eq!(labels("fn turn() { if LENGTH == \"^\" {} }"), ["short", "long"]);
    assert_eq!(labels("fn turn() { if option(\"length\") == \"^\" {} }"), ["short", "long"]);
    assert_eq!(labels("fn turn() { switch LENGTH { \"short\" => 1, \"^\" => 2 } }"), ["short", "long"]);
    assert_eq!(labels("fn turn() { switch LENGTH { ^ } }"), ["\"short\"", "\"long\"", "3", "_"]);
    assert_eq!(rank("fn turn() { if LENGTH == ^ }", "3"), 0);
    let done = "fn turn() { let done = play(any(), #{ or: [\"stop\", \"go\"] }); if done == \"^\" {} }";
    assert_eq!(labels(done), ["stop", "go"]);
}

/// The words come from descriptions. A word that the function rejects would be a mistake in one of them.
#[test]
fn every_word_of_a_parameter_is_accepted() {
    let mut count = 0;
    for entry in functions::all() {
        for (index, _) in entry.parameters.iter().enumerate().filter(|(_, one)| one.kind == ParamKind::Word) {
            let words = manual::words_of_parameter(entry.name, index);
            assert!(words.len() > 1, "{} {index}", entry.name);
            for word in words {
                let before: Vec<&str> = (0..index).map(|at| manual::words_of_parameter(entry.name, at)[0]).collect();
                let given: Vec<&str> = before.into_iter().chain([word]).collect();
                let text = format!("import \"chess\" as chess; chess::setup(); {}({});", entry.name, given.join(", "));
                let loaded = astragal_dsl::load(&Source { name: "words".into(), path: None, text: text.clone() }, &[]);
                assert!(loaded.is_ok(), "{text}");
                count += 1;
            }
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn notations_are_completed_letter_by_letter() {
    let movement = "piece(\"duke\", \"D\", \"^\");";
    assert_eq!(one(movement, "N").detail, "step: knight's leaps");
    assert_eq!(one(movement, "f").detail, "direction: forward");
    assert!(one(movement, "m").detail.contains("without capturing"));
    assert_eq!(chosen("piece(\"duke\", \"D\", \"m^W\");", "f"), "piece(\"duke\", \"D\", \"mfW\");");
    assert_eq!(rank("piece(\"duke\", \"D\", \"mf^\");", "W"), 0);
    assert!(has("piece(\"rook\", #{ betza: \"^\" });", "N"));

    let dice = of_kind("fn turn() { roll(\"^\"); }", CompletionKind::Word);
    assert!(dice.contains(&"2d6".into()) && dice.contains(&"1d{1,1,2}".into()));
    assert!(has("fn turn() { roll_each(squares_of(mover()), #{ king: \"^\" }); }", "1d6"));
    assert!(has("fn turn() { roll(^); }", "\"2d6\""));

    let position = "setup(\"^\");";
    assert_eq!(one(position, "N").detail, "knight of White");
    assert_eq!(one(position, "n").detail, "knight of Black");
    assert_eq!(chosen("setup(\"8/8^/8\");", "k"), "setup(\"8/8k/8\");");
    assert_eq!(labels("setup(\"8/8 ^\");"), ["w", "b"]);
    assert!(has("setup(\"8/8 w ^\");", "K"));
    assert_eq!(chosen("setup(\"8/8 w - st^\");", "stake"), "setup(\"8/8 w - stake=\");");
    assert_eq!(chosen("setup(\"8/8 w ^stake=1\");", "health"), "setup(\"8/8 w health=1\");");
    assert!(!has("setup(\"8/8 w stake=^\");", "health"));
    assert!(has("piece(\"duke\", \"D\", \"W\"); setup(\"^\");", "D"), "a piece that is not loaded yet");
}

#[test]
fn completions_of_a_place_replace_the_same_range() {
    for text in ["setup(\"8/8 w li^\");", "setup(\"8/8 w K^\");", "setup(\"8/8 w ^\");", "castling(\"e1 g^\");"] {
        let all = all(text);
        assert!(all.windows(2).all(|pair| pair[0].replaces == pair[1].replaces), "{text}: {all:#?}");
    }
    // Castling is written letter by letter, and the name of a counter as a whole.
    assert_eq!(chosen("setup(\"8/8 w K^\");", "Q"), "setup(\"8/8 w KQ\");");
    assert_eq!(chosen("setup(\"8/8 w st^\");", "stake"), "setup(\"8/8 w stake=\");");
    assert!(!has("setup(\"8/8 w st^\");", "-") && !has("setup(\"8/8 w K^\");", "stake"));
    let item = |label: &str, replaces: Range<usize>| Completion {
        label: label.into(),
        kind: CompletionKind::Word,
        detail: String::new(),
        about: String::new(),
        replaces,
        inserts: format!("{label}="),
        rank: 0,
    };
    let mut found = vec![item("word", 2..6), item("x", 5..5)];
    share_range("a bcde f", &mut found);
    assert_eq!((found[0].label.as_str(), found[0].inserts.as_str(), &found[0].replaces), ("word", "word=", &(2..6)));
    assert_eq!((found[1].label.as_str(), found[1].inserts.as_str(), &found[1].replaces), ("bcdx", "bcdx=e", &(2..6)));
}

#[test]
fn compared_properties_name_the_same_things_as_in_renaming() {
    for property in ["kind", "captured", "promotion"] {
        let text = format!("fn turn() {{ let m = play(any()); if m.{property} == \"^\" {{}} }}");
        assert!(has(&text, "queen") && !has(&text, "White"), "{property}");
    }
    let side = "fn turn() { for s in empty_squares() { if s.side == \"^\" {} } }";
    assert!(has(side, "White") && !has(side, "queen"));
}

#[test]
fn comments_and_imports_are_found_as_in_hover_texts() {
    let comment = "/* About ![p](p.png). */\nfn helper() {} fn turn() { ^ }";
    assert_eq!(one(comment, "helper").about, "About \\![p](p.png).");
    // As in the interpreter, the last import counts.
    let twice = "import \"xiangqi\" as twice; import \"chess\" as twice; twice::^";
    assert!(has(twice, "mate_or_draw"));
}

#[test]
fn keys_of_options_are_offered_once() {
    let at = "piece(\"duke\", \"D\", \"W\", #{ royal: true, ^ });";
    assert!(has(at, "promotes") && !has(at, "royal") && !has(at, "betza"));
    assert_eq!(one(at, "bounces_at").detail, "a string");
    assert!(one(at, "bounces_at").about.contains("outermost square"));
    assert_eq!(
        chosen("piece(\"duke\", \"D\", \"W\", #{ pro^ });", "promotes"),
        "piece(\"duke\", \"D\", \"W\", #{ promotes:  });"
    );
    let written = "piece(\"duke\", \"D\", \"W\", #{ ro^yal: true });";
    assert_eq!(chosen(written, "forced"), "piece(\"duke\", \"D\", \"W\", #{ forced: true });");
    assert!(has(written, "royal"), "the key at the place can stay");
    assert!(has("piece(\"rook\", #{ ^ });", "betza"), "changes of a piece have other options");
    assert_eq!(
        one("fn turn() { pushes(1, #{ ^ }); }", "line").about,
        "At most this many pieces are pushed at once; a longer line blocks the push."
    );
    assert!(has("fn turn() { enter(\"way\", 1, #{ ^ }); }", "landing"));
    assert!(
        one("fn turn() { enter(\"way\", 1, #{ ^ }); }", "landing").about.contains("captures a single enemy"),
        "{}",
        one("fn turn() { enter(\"way\", 1, #{ ^ }); }", "landing").about
    );
    assert!(has("fn turn() { roll_each(squares_of(mover()), #{ ^ }); }", "king"));
    assert!(labels("const MAP = #{ ^ };").is_empty());
}

#[test]
fn every_option_of_the_reference_is_offered_as_a_key() {
    for entry in functions::all().iter().filter(|entry| !entry.declares) {
        let Some(last) = entry.parameters.last().filter(|one| one.kind == ParamKind::Options) else { continue };
        let before: Vec<&str> = entry.parameters[..entry.parameters.len() - 1].iter().map(|_| "x").collect();
        assert_eq!(last.kind, ParamKind::Options);
        let text = format!("fn turn() {{ {}({}, #{{ ^ }}) }}", entry.name, before.join(", "));
        let found = labels(&text);
        for (key, _) in entry.options {
            assert!(found.iter().any(|known| known == key), "{key} at {text}");
        }
    }
}

#[test]
fn nothing_is_offered_in_comments_and_for_new_names() {
    for text in [
        "// pla^",
        "/* ^ */",
        "fn ^",
        "fn turn(^) {}",
        "let ^",
        "const ^ = 1;",
        "fn turn() { let x^ = 1; }",
        "counter(\"^\", 1);",
        "region(\"^\", \"a1\");",
        "track(\"^\", \"a1-a4\");",
        "option(\"^\", [1, 2], \"why\");",
        "piece(\"^\", \"D\");",
        "fn turn() { any().where(|^| true) }",
        "for ^ in 1..2 {}",
        "fn turn() { let x = 12^; }",
        "fn turn() { win(mover() ^) }",
        "title(\"^\");",
    ] {
        assert!(labels(text).is_empty(), "{text}: {:?}", labels(text));
    }
    // A piece of a base can be changed.
    assert!(has("piece(\"^\", #{ royal: true });", "king"));
    assert!(has("const X = option(\"^\");", "length") && labels("option(\"^\");").is_empty());
    assert!(has("piece(\"^\");", "king") && !has("piece(\"duke\", \"D\"); piece(\"^\");", "duke"));
}

/// Every name, call, member and key of a script is among the completions at its place.
#[test]
fn bundled_scripts_can_be_completed_from_their_own_words() {
    let (mut names, mut calls, mut members, mut keys, mut missing) = (0, 0, 0, 0, Vec::new());
    for script in bundled() {
        let (document, name) = (script.document(), script.source().name.clone());
        let mut offers = |offset: usize, label: &str| {
            let all = complete(&script, offset);
            if !all.iter().any(|one| one.label == label) {
                let line = document.lines().line_of(offset) + 1;
                missing.push(format!("{name}:{line}: {label}"));
            }
        };
        for one in script.uses().iter().filter(|one| !one.declares && document.is_text(one.token)) {
            offers(one.span.start, &one.name);
            names += 1;
        }
        for token in 0..document.tokens().len() {
            let word = document.word(token);
            let end = document.tokens()[token].span.end;
            if document.is_call(token) && document.module_of(token).is_none() && !document.is_member(token) {
                let known = functions::is_function(word) || document.function(word).is_some();
                let is_rule = manual::RULES.iter().any(|rule| rule.name == word);
                // Functions of a base that only call others look like rules.
                let declares = functions::named(word).all(|entry| entry.declares) && functions::is_function(word);
                let at_top = document.function_at(end).is_none();
                if known && !is_rule && (at_top == declares) {
                    offers(end, word);
                    calls += 1;
                }
            } else if document.is_member(token) && functions::members(word).next().is_some() {
                offers(end, word);
                members += 1;
            } else if document.is_key(token)
                && let Some(call) = document.call_of(token).filter(|call| call.parts == [Part::Key])
                && functions::named(&call.name).any(|entry| entry.options.iter().any(|(key, _)| *key == word))
            {
                offers(end, word);
                keys += 1;
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(names > 300 && calls > 1000 && members > 150 && keys > 100, "{names} {calls} {members} {keys}");
}

fn is_sound(script: &Script, offset: usize) {
    for one in complete(script, offset) {
        let range = &one.replaces;
        assert!(range.start <= offset && offset <= range.end, "{offset} is outside of {range:?}");
        assert!(script.text().get(range.clone()).is_some() && !one.label.is_empty() && !one.inserts.is_empty());
    }
}

#[test]
fn any_place_of_any_script_can_be_asked_about() {
    for script in bundled() {
        let tokens = script.document().tokens();
        for token in tokens {
            let middle = (token.span.start + token.span.end) / 2;
            let middle =
                (middle..=token.span.end).find(|&at| script.text().is_char_boundary(at)).unwrap_or(token.span.end);
            is_sound(&script, middle);
        }
        // Cut off, as during typing.
        for token in tokens.iter().step_by(37) {
            let mut cut = script.clone();
            cut.edit(script.text()[..token.span.end].to_string());
            is_sound(&cut, token.span.end);
        }
    }
}

#[test]
fn strange_texts_are_no_trouble() {
    for text in [
        "^",
        "\"^",
        "(^",
        "#{^",
        "x.^",
        "::^",
        ".^",
        "import^",
        "é^é",
        "`${^}`",
        "|^|",
        "switch {^}",
        "=>^",
        "f(\"^",
        "}^{",
        "fn^",
    ] {
        let (script, at) = marked(text);
        for offset in [at, script.text().len(), usize::MAX] {
            complete(&script, offset);
        }
    }
    let empty = Script::new(Source { name: "empty".into(), path: None, text: String::new() });
    assert!(!complete(&empty, 0).is_empty());
}

#[test]
fn large_and_deep_scripts_are_answered_at_once() {
    let unit = "fn help9(a, b) { let x = pieces(LIST9[a]); for i in roll(\"2d6\") { play(x & to(region(\"camp\"))); } }\n\
                const LIST9 = [\"pawn\"];\n";
    let mut texts: Vec<String> = ["f([", "#{a:", "a.b(", "|x|", "let a = (", "fn a() { ", "\"a\", ", "play(|a, "]
        .map(|unit| unit.repeat(64_000 / unit.len()))
        .into();
    texts.push((0..64_000 / unit.len()).map(|n| unit.replace('9', &n.to_string())).collect());
    for text in texts {
        let script = Script::new(Source { name: "large".into(), path: None, text });
        let length = script.text().len();
        let start = Instant::now();
        for offset in [length / 2, length - 3, length] {
            complete(&script, offset);
        }
        // A machine with other work is slow; a few milliseconds are usual.
        assert!(start.elapsed() < Duration::from_secs(1), "{} took {:?}", &script.text()[..20], start.elapsed());
    }
}
