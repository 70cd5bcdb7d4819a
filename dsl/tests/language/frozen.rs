//! Permits of `play_each` that do not follow the moves of their turn: `check` warns where they are wrong, with a cure that
//! works, and nowhere else.

use astragal_dsl::{Code, Diagnostic, Severity, Source, check};

/// A race of two sides with a home and a tray, with this text as its `turn`.
fn race(turn: &str) -> Source {
    let text = format!(
        r#"title("Race");
board(12, 2, #{{ heaps: true, bars: "f" }});
sides(["White", "Black"], #{{ forward: ["up", "up"] }});
piece("man", "M", "mW");
piece("rock", "R", "");
hands("owner");
marks("left");
track("way", ["a1-l1 l2-a2", "a2-l2 l1-a1"]);
region("home", "a2-f2");
setup("m11/M11[4M4m] w - - 0 1 under=a1:10M,a2:10m");
fn home() {{ region("home") }}
fn turn() {{
    let dice = roll("2d6");
    {turn}
}}
fn outcome() {{ if clock_reached(60) {{ draw("long"); }} }}
"#
    );
    Source { name: "race".into(), path: None, text }
}

fn frozen(source: &Source) -> Vec<Diagnostic> {
    let all = check(source);
    assert!(all.iter().all(|one| one.severity != Severity::Error), "{}\n{all:#?}", source.text);
    all.into_iter().filter(|one| one.code == Some(Code::Frozen)).collect()
}

/// Turns whose permits are wrong, all with a cure that can be applied.
const WRONG: [&str; 9] = [
    r#"play_each(dice, |die| along("way", die) | way(squares_of(mover()) & region("home"), on_track("way", 24, 24)));"#,
    r#"play_each(dice, |die| along("way", die) | way(squares_of(mover()) & home(), "a2"), #{ spend: "most" });"#,
    r#"let used = |die| along("way", die) - from(squares_of(mover()) & home());
    play_each(dice, used, #{ spend: "most", after: |mv, die| remove(on_track("way", 24, 24)) });"#,
    r#"play_each(dice, |die| along("way", die) - to(squares_of(to_move(), "man") & home()), #{ anew: false });"#,
    r#"play_each(dice, |die| if (squares_of(mover()) - home()).is_empty { along("way", die) } else { along("way", 1) });"#,
    r#"play_each(dice, |die| if hand(mover(), "man") == 0 { along("way", die) } else { enter("way", die) });"#,
    r#"play_each(dice, |die| along("way", die) - to(around(squares_of(mover()))));"#,
    r#"play_each(dice, |die| along("way", die) & to(empty_squares()));"#,
    r#"play_each(dice, |die| { let all = along("way", die); for square in squares_of(mover()) { all |= way(square, "a2"); } all });"#,
];

/// Turns whose permits are right, or of which that cannot be known.
const RIGHT: [&str; 12] = [
    // Places stay what they are.
    r#"play_each(dice, |die| along("way", die) - to(home() & rank(2)) - from(on_track("way", 24, 24)));"#,
    // A test is asked for each move.
    r#"play_each(dice, |die| along("way", die).where(|mv| mv.to in (squares_of(mover()) & home())));"#,
    // Permits that are made anew.
    r#"play_each(dice, |die| along("way", die) - from(squares_of(mover()) & home()), #{ anew: true });"#,
    // A single move, which nothing comes before.
    r#"play(along("way", dice[0]) - from(squares_of(mover()) & home()));"#,
    r#"play_each([dice[0]], |die| along("way", die) - from(squares_of(mover()) & home()));"#,
    // Who has moved may not move again.
    r#"play_each(dice, |die| along("way", die) & from(squares_of(mover())), #{ same_piece: false });"#,
    // Nothing takes the other side's men.
    r#"play_each(dice, |die| along("way", die) - to(squares_of(opponent()) & home()));"#,
    // What is bounded by a mark may not change.
    r#"mark("a1", "left");
    play_each(dice, |die| along("way", die) - from(squares_of(mover()) & marked("left")));"#,
    // A kind that these permits do not move.
    r#"play_each(dice, |die| (along("way", die) & pieces("man")) - to(around(squares_of(mover(), "rock"))));"#,
    // How many men there are is no matter of where they stand.
    r#"play_each(dice, |die| if squares_of(mover()).is_empty { enter("way", die) } else { along("way", die) });"#,
    // A condition before the turn's moves says which moves these are.
    r#"let all = (squares_of(mover()) - home()).is_empty;
    if all { play_each(dice, |die| along("way", die)); } else { play_each(dice, |die| enter("way", die) | along("way", die)); }"#,
    // The set is for something else.
    r#"let before = squares_of(mover()) & home();
    play_each(dice, |die| along("way", die));
    if before.count() > 1 { label("home"); }"#,
];

#[test]
fn what_does_not_follow_the_moves_is_warned_of_with_a_cure_that_works() {
    for turn in WRONG {
        let mut source = race(turn);
        let found = frozen(&source);
        let [one] = &found[..] else { panic!("{turn}: {found:#?}") };
        assert_eq!(one.severity, Severity::Warning);
        assert!(one.fix.is_none(), "it changes the game, so nothing does it unasked");
        if turn.contains("spend") {
            // A look-ahead would not see what `anew` changes.
            assert!(one.help.as_ref().is_some_and(|help| help.contains("use a test")), "{one:#?}");
            continue;
        }
        let cure = one.suggestion().unwrap_or_else(|| panic!("{turn}: no suggestion"));
        source.text.replace_range(cure.span, &cure.text);
        let left = frozen(&source);
        assert!(left.is_empty(), "{}\n{left:#?}", source.text);
    }
}

#[test]
fn what_follows_the_moves_is_not_warned_of() {
    for turn in RIGHT {
        let found = frozen(&race(turn));
        assert!(found.is_empty(), "{turn}: {found:#?}");
    }
}

/// What is kept in a variable is asked for once, even with `anew: true`: the advice says so, and is right.
#[test]
fn a_set_in_a_variable_is_moved_into_the_function() {
    let options = |options: &str, inside: bool| {
        let set = r#"let held = squares_of(mover()) & home();"#;
        let (before, within) = if inside { ("", set) } else { (set, "") };
        race(&format!(r#"{before} play_each(dice, |die| {{ {within} along("way", die) - from(held) }}{options});"#))
    };
    let helps = |source: &Source| frozen(source).iter().filter_map(|one| one.help.clone()).collect::<Vec<_>>();
    assert!(helps(&options("", false))[0].contains("inside the function"));
    assert!(helps(&options(", #{ anew: true }", false))[0].contains("inside the function"));
    assert!(helps(&options("", true))[0].contains("add the option `anew: true`"));
    assert!(helps(&options(", #{ anew: true }", true)).is_empty());
    assert!(helps(&options(", #{ anew: true, spend: \"most\" }", true))[0].contains("use a test"));
    assert!(helps(&options(", #{ anew: true, spend: \"any\" }", true)).is_empty());
}
