//! The kinds of variables, as tokens show them.

use super::*;
use crate::sample::source;

/// The kinds of the last variable called `x`.
fn of_x(text: &str) -> Option<Kinds> {
    let script = Script::new(source(text));
    let document = script.document();
    let binding = document.bindings().iter().rfind(|one| document.is(one.token, "x")).expect("a variable");
    Reader::new(&script).of_binding(binding)
}

#[test]
fn values_have_the_kinds_of_the_functions_that_return_them() {
    use ValueKind::*;
    for (text, kinds) in [
        ("let x = 3;", vec![Number]),
        ("let x = -3 * 4;", vec![Number]),
        ("let x = \"a\" + \"b\";", vec![Text]),
        ("let x = [1, 2];", vec![Array]),
        ("let x = |a| a + 1;", vec![Function]),
        ("let x = 1 == 2;", vec![Truth]),
        ("let x = play(any());", vec![Move, Nothing]),
        ("let x = play(any(), #{ or: \"stop\" });", vec![Move, Text, Number, Square, Nothing]),
        ("let x = roll(\"1d6\");", vec![Number]),
        ("let x = roll(\"2d6\");", vec![Array]),
        ("let x = roll(dice);", vec![Number, Array]),
        ("let x = roll(\"2d6\").total;", vec![Number]),
        ("let x = cast(\"2d6\").total;", vec![Reckoned]),
        ("let x = any() - (captures() & to(\"a1\"));", vec![Permit]),
        ("let x = squares_of(mover()) | empty_squares();", vec![Squares]),
        ("let x = any().where(|m| m.is_capture);", vec![Permit]),
        ("let x = empty_squares().where(|s| true).count();", vec![Number]),
        ("let m = play(any()); let x = m.to.side;", vec![Side]),
        ("let m = play(any()); let x = m.kind;", vec![Text, Nothing]),
        ("for x in empty_squares() { x }", vec![Square]),
        ("let x = roll(\"2d6\")[0];", vec![Number]),
        ("let x = y - captures();", vec![Permit]),
        ("let x = y + \"a\";", vec![Text]),
        ("let x = if a { 1 } else { \"b\" };", vec![Number, Text]),
        ("fn f(y) { mover() } let x = f(2);", vec![Side]),
        ("fn f(x) { x } f(mover());", vec![Side]),
        ("for x in 1..=3 { x }", vec![Number]),
        ("fn capture(x, y) { x }", vec![Square]),
        ("any().where(|x| x.is_capture)", vec![Move]),
        ("empty_squares().where(|x| x.rank == 1)", vec![Square]),
    ] {
        assert_eq!(of_x(text), Some(kinds), "{text}");
    }
    for text in ["let x = y;", "let x = y + 1;", "fn f(x) { x }"] {
        assert_eq!(of_x(text), None, "{text}");
    }
}

#[test]
fn values_that_refer_to_one_another_are_no_trap() {
    assert_eq!(of_x("let y = x; let x = y; let x = x.a(x).b;"), None);
    let long = format!("let x = y{};", ".count().where(1)".repeat(2_000));
    assert_eq!(of_x(&long), Some(vec![ValueKind::Permit, ValueKind::Squares]));
    let sums: String = (0..20).map(|n| format!("let v{} = v{n}{};", n + 1, format!(" + v{n}").repeat(9))).collect();
    assert_eq!(of_x(&format!("let v0 = 1; {sums} let x = v20;")), None);
    let nested = format!("let x = {}1{};", "(".repeat(300), ")".repeat(300));
    assert_eq!(of_x(&nested), None, "nested too deep");
}
