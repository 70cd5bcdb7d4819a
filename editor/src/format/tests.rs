use super::*;

/// Formats a script that can be formatted, and checks that formatting the result changes nothing.
fn formatted(text: &str) -> String {
    let once = format(text).unwrap_or_else(|error| panic!("{error} at {}:\n{text}", error.offset));
    assert_eq!(format(&once).as_deref(), Ok(once.as_str()), "formatted twice:\n{text}");
    once
}

/// Checks that a script is already formatted.
fn kept(text: &str) {
    assert_eq!(formatted(text), text);
}

/// A pseudorandom sequence that is the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn blanks_within_a_line() {
    for (text, wanted) in [
        ("let a=1+2 *b;", "let a = 1 + 2 * b;"),
        ("f( a ,b ) ;", "f(a, b);"),
        ("fn f( a,b ){a+b}", "fn f(a, b) { a + b }"),
        ("fn f (){}", "fn f() {}"),
        ("if(a){b();}else{c();}", "if (a) { b(); } else { c(); }"),
        ("if !a&& !b||c { }", "if !a && !b || c {}"),
        ("let m=#{a:1,\"b\" :[ 1,2 ]} ;", "let m = #{ a: 1, \"b\": [1, 2] };"),
        ("#{ }", "#{}"),
        ("x=-1;y = a-b;z = a- -b", "x = -1; y = a - b; z = a - -b"),
        ("return-a", "return -a"),
        ("return[1]", "return [1]"),
        ("for i in 0 .. 4{a [ i ]+=1;}", "for i in 0..4 { a[i] += 1; }"),
        ("for (k,v) in m{}", "for (k, v) in m {}"),
        ("for i in ..3 {}", "for i in ..3 {}"),
        ("1 ..=6=>a ( )", "1..=6 => a()"),
        ("any ( ) . where( |mv|mv . to in x )", "any().where(|mv| mv.to in x)"),
        ("f(| a,b |a|b)", "f(|a, b| a | b)"),
        ("f(||a( ),||b)", "f(|| a(), || b)"),
        ("f(| | a)", "f(| | a)"),
        ("chess :: setup ( ) ;", "chess::setup();"),
        ("a !in b; !c; d=!e", "a !in b; !c; d = !e"),
        ("import  \"chess\"  as  chess ;", "import \"chess\" as chess;"),
        ("switch x{1=>{a( ); },_=>()}", "switch x { 1 => { a(); }, _ => () }"),
        ("`a ${b+c}`+d", "`a ${b+c}` + d"),
        ("x ?. y ?? z?[ 1 ]", "x?.y ?? z?[1]"),
        ("eval!(x)", "eval!(x)"),
        ("a();b(); ;", "a(); b();;"),
        ("f(1/* one */,/* two */2)", "f(1/* one */, /* two */2)"),
        ("f(1   /* one */, 2);// three", "f(1 /* one */, 2); // three"),
    ] {
        assert_eq!(formatted(text), format!("{wanted}\n"));
    }
}

#[test]
fn blanks_that_have_a_meaning_stay() {
    // A sign belongs to a number only if it touches it: `-1.abs()` is 1.
    kept("let a = - 1.abs(); let b = -1.abs();\n");
    kept("fn f() { if a { 1 } -1 }\n");
    // The value of a string that continues on the next line depends on its column.
    kept("  f( \"one \\\n      two\" ,  3);\n");
    kept("let a = #\"one\"#;\n");
    // No column parts a sign from its number.
    let uneven = "f(#{ a: \n[[-15, 26], 1], bb: \n[ [15, 26], 1], c: \n[[ -15, 26], 1] });";
    assert!(syntax::same_code(&formatted(uneven), uneven));
    // Signs that stay separate.
    kept("a - -b; - -c; a / *b;\n");
    // The interpreter does not read these as words.
    kept("1x 2e5 'a'b\n");
    assert_eq!(format("x(#\"a \"  +  \" b\"#)").expect_err("one string that looks like two").offset, 0);
}

#[test]
fn lines_are_indented_by_brackets() {
    let text = "\
fn turn()
{
if a
&& b {
c(|mv| {
d();
}, [
1,
2,
]);
}
// otherwise
else if e { f() }
else {
switch x {
1 => g(),
2 => {
h();
// last
}
}
}
let i = j
.k()
.l(#{
m: 1,
n: o
+ p,
});
q(if r { 1 }
else { 2 },
3);
try { s(); }
catch (e) { t(); }
}
look(#{ u: 1, v: #{
w: 2,
} });
";
    let wanted = "\
fn turn()
{
    if a
        && b {
        c(|mv| {
            d();
        }, [
            1,
            2,
        ]);
    }
    // otherwise
    else if e { f() }
    else {
        switch x {
            1 => g(),
            2 => {
                h();
                // last
            }
        }
    }
    let i = j
        .k()
        .l(#{
            m: 1,
            n: o
                + p,
        });
    q(if r { 1 }
        else { 2 },
        3);
    try { s(); }
    catch (e) { t(); }
}
look(#{ u: 1, v: #{
    w: 2,
} });
";
    assert_eq!(formatted(text), wanted);
    let tabs = wanted.lines().map(|line| line.replace("    ", "\t") + "\n").collect::<String>();
    assert_eq!(formatted(&tabs), wanted);
}

#[test]
fn what_stands_in_a_column_stays_in_a_column() {
    kept("const A     = 1;\nconst BOARD = 2;\n");
    kept("piece(\"pawn\",   \"P\", \"mfW\");\npiece(\"knight\", \"N\", \"N\");\npiece(\"king\",   \"K\", \"K\");\n");
    kept("switch x {\n    \"a\"    => b(),\n    \"long\" => {\n        c();\n    },\n    _      => d()\n}\n");
    kept("f(#{\n    \"a1\":  [[-5, 1]],\n    \"a12\": [[0, 1]],\n});\n");
    kept("const GRID = [\n    [ 1, 10, -5],\n    [10,  1, 15],\n    [ 2,  2,  2],\n];\n");
    kept("fn short()  { 1 }\nfn longer() { 2 }\n");
    // A line between them that begins with another word does not matter.
    kept("piece(\"king\",    \"K\");\nmoves(\"king\", \"K\");\npiece(\"advisor\", \"A\");\n");
    // If spaces are added or removed, the whole column moves.
    assert_eq!(formatted("const A=   [1,2];\nconst BOARD=2;\n"), "const A = [1, 2];\nconst BOARD = 2;\n");
    assert_eq!(
        formatted("piece(\"pawn\",  \"P\");\npiece(\"knight\",\"N\");\n"),
        "piece(\"pawn\",   \"P\");\npiece(\"knight\", \"N\");\n"
    );
    assert_eq!(formatted("const A     =1;\nconst BOARD =2;\n"), "const A     = 1;\nconst BOARD = 2;\n");
}

#[test]
fn blanks_that_line_up_with_nothing_go() {
    assert_eq!(formatted("let a    = 1;\nlet b = 2;\n"), "let a = 1;\nlet b = 2;\n");
    assert_eq!(formatted("let a    = 1;\n\nlet bcde = 2;\n"), "let a = 1;\n\nlet bcde = 2;\n");
    assert_eq!(formatted("f (a);\ng (b);\n"), "f(a);\ng(b);\n");
    assert_eq!(formatted("f(a,   b);\nfn g() {\n    h(c, d);\n}\n"), "f(a, b);\nfn g() {\n    h(c, d);\n}\n");
}

#[test]
fn arguments_below_the_first_one_stay_there() {
    kept("const A = #{ b: [1],\n             c: [2] }[D];\n");
    kept("f(a,\n  b);\n");
    assert_eq!(formatted("foo (a,\n     b,\n     c( ));\n"), "foo(a,\n    b,\n    c());\n");
    assert_eq!(
        formatted("let x=foo(a,\n          b + [\n1]);\n"),
        "let x = foo(a,\n            b + [\n                1]);\n"
    );
    assert_eq!(formatted("foo(a,\n      b);\n"), "foo(a,\n    b);\n");
}

#[test]
fn comments_at_the_ends_of_lines_stay_in_their_columns() {
    kept("a();         // one\nlonger();    // two\n             // and more\n// three\nb();   // four\n");
    // The column moves with the longest line, and nothing else does.
    assert_eq!(
        formatted("a( 1,2 );     // one\nlonger(1,2);  // two\nc();   // three\n"),
        "a(1, 2);       // one\nlonger(1, 2);  // two\nc();   // three\n"
    );
    assert_eq!(formatted("a();// one  \t\n"), "a(); // one\n");
    assert_eq!(
        formatted("fn f() {\na();   // one\nbc();  // two\n}\n"),
        "fn f() {\n    a();   // one\n    bc();  // two\n}\n"
    );
}

#[test]
fn comments_over_several_lines_move_as_a_whole() {
    assert_eq!(
        formatted("fn f() {\n/* one  \n   two\n\n     three */\na(); /* b\n c */ d();\n}\n"),
        "fn f() {\n    /* one\n       two\n\n         three */\n    a(); /* b\n     c */ d();\n}\n"
    );
    assert_eq!(formatted("        /* one\n    two */ f(a,b);\n"), "/* one\ntwo */ f(a, b);\n");
    kept("/* one\n\ttwo */\n/// three\n//four\nf();\n");
}

#[test]
fn lines_end_as_before() {
    assert_eq!(formatted("\n\na();  \n\n\n \t\nb();\n\n\n"), "a();\n\nb();\n");
    assert_eq!(formatted("fn f() {\n\n    a();\n\n\n    b();\n\n}"), "fn f() {\n    a();\n\n    b();\n}\n");
    assert_eq!(
        formatted("fn f() {\r\n\r\na();\r\n/* b \r\nc */\r\n}"),
        "fn f() {\r\n    a();\r\n    /* b\r\n    c */\r\n}\r\n"
    );
    assert_eq!(formatted("a( );\r\n\r\nlet b = `c\r\n d `;\n"), "a();\r\n\r\nlet b = `c\r\n d `;\r\n");
    for nothing in ["", " ", "\n\n", "\t\r\n"] {
        assert_eq!(formatted(nothing), "");
    }
    kept("// only this\n");
}

#[test]
fn what_cannot_be_formatted_has_a_place() {
    for (text, place, said) in [
        ("fn turn() {\n    a(;\n", "(;", "this `(` is never closed; close it with `)`"),
        ("a();\n}\n", "}", "this `}` closes nothing; remove it, or add the missing `{`"),
        ("a([1, 2);\n", "[", "this `[` is never closed; close it with `]`"),
        ("a(\"b);\n", "\"b", "this string has no closing quote; close the string with `\"` on the same line"),
        ("é(); a(`b);\n", "`b", "this string has no closing quote; close the string with a backtick"),
        (
            "a(); /* b\n",
            "/*",
            "this `/*` opens a comment that is never closed; close it with `*/`, or start each line \
            with `//`",
        ),
        (
            "a();\rb();\n",
            "\r",
            "a line cannot end with a carriage return alone; end each line with a line feed (LF), or with \
            both (CRLF)",
        ),
        ("a(“b”);\n", "“", "`“` (U+201C) is not a valid quote in a script; write straight quotes: \""),
    ] {
        let error = format(text).expect_err(text);
        assert_eq!((error.offset, error.to_string().as_str()), (text.find(place).unwrap_or_default(), said), "{text}");
    }
}

#[test]
fn mistakes_that_leave_the_tokens_clear_do_not_matter() {
    assert_eq!(formatted("let =1\nif {a(b c)} else"), "let = 1\n    if { a(b c) } else\n");
    assert_eq!(formatted("a @b $c#d\\e ~f a?b:c"), "a @b $c#d\\e ~f a?b: c\n");
    assert_eq!(formatted("a++ ; x === y; p->q"), "a++; x === y; p -> q\n");
}

#[test]
fn the_bundled_scripts_are_formatted() {
    for (name, text) in astragal_variants::SCRIPTS {
        assert!(formatted(text) == *text, "format the script {name}: astragal fmt variants");
    }
}

/// A script with different whitespace: `0` removes the indentation, `1` doubles spaces, `2` removes optional spaces,
/// and `3` changes whitespace at random.
fn with_other_blanks(text: &str, how: usize, numbers: &mut Numbers) -> String {
    let document = Document::new(text.to_string());
    let items = Items::of(&document);
    let (mut out, mut end) = (String::new(), 0);
    for (i, item) in items.all.iter().enumerate() {
        let blanks = &text[end..item.span.start];
        match (how, blanks.rfind('\n')) {
            (0, Some(last)) => out.push_str(&blanks[..=last]),
            (1, _) => blanks.chars().for_each(|c| out.extend(std::iter::repeat_n(c, if c == ' ' { 2 } else { 1 }))),
            (2, None) if i > 0 && is_separate(items.text(i - 1), items.text(i)) => {}
            (3, None) if i > 0 && blanks.is_empty() && numbers.below(4) == 0 && is_separate(items.text(i - 1), "x") => {
                out.push(' ')
            }
            (3, _) if !blanks.is_empty() => {
                out.push_str(blanks);
                out.push_str(["", "", "", " ", "  ", "\t", "\n"][numbers.below(7)]);
            }
            _ => out.push_str(blanks),
        }
        out.push_str(items.text(i));
        end = item.span.end;
    }
    out
}

/// Whether two tokens never need a space between them.
fn is_separate(left: &str, right: &str) -> bool {
    let is_apart = |c: char| matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';');
    left.ends_with(is_apart) && left.len() == 1 || right.starts_with(is_apart)
}

#[test]
fn scripts_survive_other_blanks() {
    let mut numbers = Numbers(7);
    for (name, text) in astragal_variants::SCRIPTS {
        for how in 0..4 {
            let other = with_other_blanks(text, how, &mut numbers);
            let result = formatted(&other);
            assert!(syntax::same_code(text, &result), "{name} {how}");
            if how == 0 {
                // Without indentation, arguments that were aligned with the first one are not recognized.
                let same = text.lines().zip(result.lines()).filter(|(one, other)| one == other).count();
                assert!(same + 2 >= text.lines().count(), "{name}:\n{result}");
            }
        }
    }
}

#[test]
fn any_text_is_formatted_or_refused() {
    let parts = [
        "fn",
        "f",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "#{",
        "\"a\"",
        "\"b",
        "|",
        "||",
        "let",
        "for",
        "in",
        "//",
        "/*",
        "*/",
        "`",
        ",",
        ";",
        "-",
        "!",
        "..",
        "1",
        "12",
        ":",
        "=",
        "=>",
        ".",
        "else",
        "if",
        "+",
        "$",
        "'",
        "\\",
        "?",
        "\u{201c}",
        "é",
        "  ",
        "   ",
        "\t",
        "\r\n",
        "\r",
        "\n\n",
        "// a",
        "/*\n a\n*/",
        "`a\n b`",
        "\"a\\\n   b\"",
    ];
    let mut numbers = Numbers(3);
    let mut good = 0;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..numbers.below(14) {
            text.push_str(parts[numbers.below(parts.len())]);
            text.push_str(["", " ", " ", "\n"][numbers.below(4)]);
        }
        match format(&text) {
            Ok(once) => {
                good += 1;
                assert_eq!(format(&once).as_deref(), Ok(once.as_str()), "formatted twice: {text:?}");
            }
            Err(error) => assert!(!error.message.contains("internal"), "{text:?}"),
        }
    }
    assert!(good > 1000, "{good}");
}

#[test]
fn a_large_script_is_formatted_at_once() {
    let texts = [
        "f(a,  [1, 2]);\n".repeat(4000),
        format!("{}{}", "[\n".repeat(15_000), "]\n".repeat(15_000)),
        format!("[ // a\n{}[ // b\n{}", "[\n".repeat(15_000), "]\n".repeat(15_002)),
        format!("{}{}", "f(a,\n  ".repeat(8_000), ")".repeat(8_000)),
        "a // b\n  // c\n".repeat(3_000),
        "a // b\n  // c\n a // d\n   // e\n".repeat(2_000),
        format!("{}1{}", "[".repeat(20_000), "]".repeat(20_000)),
        "a +\n".repeat(15_000),
        format!("f({});\nf({});\n", "1,  ".repeat(8_000), "2,  ".repeat(8_000)),
    ];
    for text in texts {
        let begin = std::time::Instant::now();
        formatted(&text);
        assert!(begin.elapsed().as_secs() < 5, "{} bytes took {:?}", text.len(), begin.elapsed());
    }
}
