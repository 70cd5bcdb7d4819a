use super::*;
use astragal_dsl::Source;

fn script(text: &str) -> Script {
    Script::new(Source { name: "mine".into(), path: None, text: text.into() })
}

fn bundled() -> impl Iterator<Item = Script> {
    astragal_variants::SCRIPTS.iter().map(|(_, text)| script(text))
}

/// The symbols as lines: indented, with kind, name and detail.
fn outline(text: &str) -> String {
    fn write(all: &[Symbol], depth: usize, out: &mut String) {
        for symbol in all {
            let kind = match symbol.kind {
                SymbolKind::Named(kind) => format!("{kind:?}"),
                kind => format!("{kind:?}"),
            };
            let line = format!("{}{kind} {} {}", "  ".repeat(depth), symbol.name, symbol.detail);
            out.push_str(line.trim_end());
            out.push('\n');
            write(&symbol.children, depth + 1, out);
        }
    }
    let mut out = String::new();
    write(&symbols(&script(text)), 0, &mut out);
    out
}

#[test]
fn an_outline_lists_what_a_script_declares() {
    let text = r#"
import "chess" as chess;
title("Mine");
const LENGTH = option("length", ["short", "long"], "How long.");
option("extra", [2, 3], "More.");
const WORTH = #{
    man: 1,
};
board(8, 8);
sides(["Red", "Blue"], #{ letters: "rb" });
piece("man", "M", "mfW");
piece("king", "K", "K", #{ royal: true });
piece("man", #{ royal: false });
region("camp", "a1-b2");
counter("lives", 3);
marks("seen");
piece_trait("rank", 0);
track("way", "a1-h1");
chess::castlings(true);
castling("K", "e1g1", "h1f1");
castling("Q", "e1c1", "a1d1");

// Two lines
// about it.
fn turn() { play(any()); }

/* Helps. */
private fn help(a, b) { region("camp", a) }
fn men() { piece("rook", "R", "R"); }
"#;
    let expected = r#"Import chess "chess"
Declaration title "Mine"
Declaration options 2
  Option length default short
    Constant LENGTH
  Option extra default 2
Constant WORTH #{ man: 1, }
Declaration board 8, 8
Declaration sides
  Side Red
  Side Blue
Declaration pieces 2
  Piece man M mfW
  Piece king K K
Declaration piece "man", #{ royal: false }
Region camp a1-b2
Counter lives 3
Mark seen
Trait rank 0
Track way a1-h1
Declaration chess::castlings true
Declaration castling 2
  Declaration castling "K", "e1g1", "h1f1"
  Declaration castling "Q", "e1c1", "a1d1"
Function turn () Two lines
Function help (a, b) Helps.
Function men ()
  Piece rook R R
"#;
    assert_eq!(outline(text), expected);
}

#[test]
fn an_incomplete_script_has_an_outline() {
    assert_eq!(outline("piece(\"man\", \"M"), "Piece man\n");
    assert_eq!(outline("fn turn("), "Function turn ()\n");
    assert_eq!(outline("fn turn() { if x {"), "Function turn ()\n");
    assert_eq!(outline("const A"), "Constant A\n");
    assert_eq!(outline("import \"chess\""), "Import chess\n");
    assert_eq!(outline("sides([\"Red\", "), "Declaration sides\n");
    assert_eq!(outline("import fn const const fn ;;"), "");
}

#[test]
fn a_symbol_without_a_name_has_the_name_of_its_function() {
    assert_eq!(outline("piece(\"\")"), "Piece piece\n");
    assert_eq!(outline("piece(\"\", \"M\", \"W\");"), "Piece piece M W\n");
    assert_eq!(outline("import \"\";"), "Import import\n");
    assert_eq!(outline("region(\" \", \"a1\");"), "Region region a1\n");
    assert_eq!(outline("sides([\"\", \"Red\"]);"), "Declaration sides\n  Side \"\"\n  Side Red\n");
}

#[test]
fn a_function_has_the_first_line_of_its_comment() {
    assert_eq!(outline("/* One,\n * two. */\nfn f() {}"), "Function f () One,\n");
    assert_eq!(outline("fn f() {} // behind"), "Function f () behind\n");
}

/// Checks that children are within their parents, and siblings do not overlap.
fn check_places(all: &[Symbol], within: Range<usize>) {
    let mut at = within.start;
    for symbol in all {
        assert!(!symbol.name.trim().is_empty(), "{symbol:?}");
        assert!(at <= symbol.span.start && symbol.span.end <= within.end, "{symbol:?}");
        assert!(symbol.span.start <= symbol.name_span.start && symbol.name_span.end <= symbol.span.end, "{symbol:?}");
        check_places(&symbol.children, symbol.span.clone());
        at = symbol.span.end;
    }
}

#[test]
fn symbols_folds_and_selections_of_bundled_scripts_are_nested() {
    for script in bundled() {
        let text = script.text();
        check_places(&symbols(&script), 0..text.len());
        let lines = script.document().lines();
        let folds = folds(&script);
        assert!(folds.iter().all(|fold| lines.line_of(fold.span.start) < lines.line_of(fold.span.end)));
        let starts: Vec<usize> = folds.iter().map(|fold| lines.line_of(fold.span.start)).collect();
        assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
        for (at, _) in text.char_indices().step_by(7) {
            let parts = selection(&script, at);
            assert!(
                parts
                    .windows(2)
                    .all(|two| two[1].start <= two[0].start && two[0].end <= two[1].end && two[0] != two[1])
            );
            assert_eq!(parts.last(), Some(&(0..text.len())));
            assert!(parts.iter().all(|part| text.get(part.clone()).is_some()));
        }
    }
}

#[test]
fn incomplete_texts_can_be_outlined() {
    for whole in bundled().step_by(3) {
        let text = whole.text();
        for cut in (0..text.len()).step_by(53).filter(|cut| text.is_char_boundary(*cut)) {
            let part = script(&text[..cut]);
            check_places(&symbols(&part), 0..cut);
            folds(&part);
            selection(&part, cut);
        }
    }
}

#[test]
fn comments_imports_and_brackets_over_several_lines_can_be_folded() {
    let text = "// One\n// two.\nimport \"a\" as a;\nimport \"b\" as b;\n\n// Alone.\n\
                look(#{\n  a: 1\n});\n/* x\n y */\nfn f() {\n  g(1);\n}\n";
    let found: Vec<(FoldKind, String)> =
        folds(&script(text)).into_iter().map(|fold| (fold.kind, text[fold.span].to_string())).collect();
    let expected = [
        (FoldKind::Comment, "// One\n// two."),
        (FoldKind::Imports, "import \"a\" as a;\nimport \"b\" as b;"),
        (FoldKind::Block, "(#{\n  a: 1\n})"),
        (FoldKind::Comment, "/* x\n y */"),
        (FoldKind::Block, "{\n  g(1);\n}"),
    ];
    let expected: Vec<(FoldKind, String)> = expected.map(|(kind, text)| (kind, text.to_string())).to_vec();
    assert_eq!(found, expected);
}

/// The steps of a selection that expands from the mark `^`.
fn grown(text: &str) -> Vec<String> {
    let at = text.find('^').expect("a mark");
    let script = script(&text.replacen('^', "", 1));
    selection(&script, at).into_iter().map(|part| script.text()[part].to_string()).collect()
}

#[test]
fn a_selection_grows_step_by_step() {
    let expected = [
        "wild",
        "wild pawn",
        "\"wild pawn\"",
        "\"wild pawn\", 1",
        "(\"wild pawn\", 1)",
        "has(\"wild pawn\", 1)",
        "!has(\"wild pawn\", 1)",
        "(!has(\"wild pawn\", 1))",
        "((!has(\"wild pawn\", 1)))",
        "win((!has(\"wild pawn\", 1)))",
        "win((!has(\"wild pawn\", 1)));",
        "{ win((!has(\"wild pawn\", 1))); }",
        "fn f() { win((!has(\"wild pawn\", 1))); }",
        "fn f() { win((!has(\"wild pawn\", 1))); } x",
    ];
    assert_eq!(grown("fn f() { win((!has(\"w^ild pawn\", 1))); } x"), expected);
    assert_eq!(
        grown("// one t^wo\n// three\nx"),
        ["two", "// one two", "// one two\n// three", "// one two\n// three\nx"]
    );
    assert_eq!(grown("f(#{ a: b^c })"), ["bc", "a: bc", "#{ a: bc }", "(#{ a: bc })", "f(#{ a: bc })"]);
    assert_eq!(
        grown("a.b(1).c^(2).d; e"),
        ["c", "c(2)", "a.b(1).c(2)", "a.b(1).c(2).d", "a.b(1).c(2).d;", "a.b(1).c(2).d; e"]
    );
    assert_eq!(grown("`x ${a^ + 1}`;"), ["a", "a + 1", "x ${a + 1}", "`x ${a + 1}`", "`x ${a + 1}`;"]);
    assert_eq!(grown("^"), [""; 0]);
}
