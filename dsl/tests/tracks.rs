//! Moves along tracks: where a count leads past the end, and who may stand where a piece stops.

mod common;

use common::{game, moves, play, start, text};

/// A way of six stations with room for three on each, `a` the first.
const WAY: &str = r#"board(6, 3); sides(["White", "Black"]); piece("man", "M", ""); royals("capturable"); hands();
    track("way", "[a1 a2 a3] [b1 b2 b3] [c1 c2 c3] [d1 d2 d3] [e1 e2 e3] [f1 f2 f3]", #{ same_for_all: true });"#;

/// The moves that a permit admits; the game ends if there is none.
fn first(setup: &str, permit: &str) -> Vec<String> {
    moves(&start(&game(&format!(
        "{WAY} setup(\"{setup}\"); fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}"
    ))))
}

/// In brackets two corners are a rectangle, as for regions; on the way itself they are the ends of a line.
#[test]
fn a_station_takes_rectangles_and_a_way_goes_along_lines() {
    let after = |men: &str, n: i32| {
        let way = r#"board(6, 3); piece("man", "M", ""); royals("capturable");
            track("way", "[a1-b2] c1-e3 [f1-f3]", #{ same_for_all: true });"#;
        let turn = format!("fn turn() {{ if play(along(\"way\", {n})) == () {{ draw(\"none\"); }} }}");
        moves(&start(&game(&format!("{way} setup(\"{men} w\"); {turn}"))))
    };
    for (men, at) in [("6/6/M5", "a1"), ("6/6/1M4", "b1"), ("6/M5/6", "a2"), ("6/1M4/6", "b2")] {
        for (n, to) in [(1, "c1"), (2, "d2"), (3, "e3"), (4, "f1")] {
            assert_eq!(after(men, n), [format!("{at}{to}")], "{n}");
        }
    }
}

#[test]
fn a_count_past_the_end_turns_back_from_there() {
    let from_e = |n: i32| first("6/6/4M1 w", &format!("along(\"way\", {n}, #{{ end: \"back\" }})"));
    assert_eq!(from_e(1), ["e1f1"]);
    // To f and back: e itself is no move, then d, c and so on.
    assert_eq!(from_e(2), [""; 0]);
    assert_eq!(from_e(3), ["e1d1"]);
    assert_eq!(from_e(6), ["e1a1"]);
    assert_eq!(from_e(7), [""; 0], "farther back than the way begins");
}

#[test]
fn what_stands_on_the_way_back_is_passed_too() {
    let nobody =
        |setup: &str, n: i32| first(setup, &format!("along(\"way\", {n}, #{{ end: \"back\", passing: \"nobody\" }})"));
    assert_eq!(nobody("6/6/4M1 w", 4), ["e1c1"]);
    assert_eq!(nobody("6/6/3mM1 w", 4), [""; 0], "d is passed on the way back");
    assert_eq!(nobody("6/6/2m1M1 w", 4), ["e1c1"]);
    assert_eq!(nobody("6/6/4Mm w", 3), [""; 0], "f is passed first");
}

#[test]
fn who_may_stand_where_a_piece_stops() {
    let lands = |enemies: &str, landing: &str| {
        let setup = match enemies {
            "none" => "6/6/M5 w",
            "one" => "6/6/M1m3 w",
            _ => "6/2m3/M1m3 w",
        };
        first(setup, &format!("along(\"way\", 2, #{{ landing: \"{landing}\" }})"))
    };
    for landing in ["hit", "pin", "own", "all"] {
        assert_eq!(lands("none", landing), ["a1c1"], "{landing}");
    }
    assert_eq!(lands("one", "hit"), ["a1c1"]);
    assert_eq!(lands("one", "pin"), ["a1c2"]);
    assert_eq!(lands("one", "own"), [""; 0]);
    assert_eq!(lands("one", "all"), ["a1c2"]);
    for barred in ["hit", "pin", "own"] {
        assert_eq!(lands("two", barred), [""; 0], "{barred}");
    }
    assert_eq!(lands("two", "all"), ["a1c3"]);
}

#[test]
fn a_pinned_man_stays() {
    let loaded =
        game(&format!("{WAY} setup(\"6/6/M1m3 w\"); fn turn() {{ play(along(\"way\", 2, #{{ landing: \"pin\" }})) }}"));
    let mut state = start(&loaded);
    play(&mut state, "a1c2");
    assert!(text(&state).starts_with("6/2M3/2m3[] b"), "{}", text(&state));
}

#[test]
fn men_enter_by_the_same_rules() {
    let enters = |landing: &str| first("6/6/1m4[M] w", &format!("enter(\"way\", 2, #{{ landing: \"{landing}\" }})"));
    assert_eq!(enters("hit"), ["M@b1"]);
    assert_eq!(enters("pin"), ["M@b2"]);
    assert_eq!(enters("own"), [""; 0]);
}

/// The same with these squares of men, asked by a permit for three stations ahead.
fn three_ahead(setup: &str, options: &str) -> Vec<String> {
    first(setup, &format!("along(\"way\", 3, #{{ {options} }})"))
}

#[test]
fn two_of_a_party_bar_the_way() {
    let singles = |setup: &str| three_ahead(setup, "passing: \"singles\"");
    let own_too = |setup: &str| three_ahead(setup, "passing: \"own_or_singles\"");
    // One enemy on b, then two; two own men; one of each.
    assert_eq!(singles("6/6/Mm4 w"), ["a1d1"]);
    assert_eq!(singles("6/1m4/Mm4 w"), [""; 0]);
    assert_eq!(own_too("6/1m4/Mm4 w"), [""; 0]);
    assert_eq!(singles("6/1M4/MM4 w"), ["b2e1"]);
    assert_eq!(own_too("6/1M4/MM4 w"), ["a1d1", "b2e1"]);
    assert_eq!(singles("6/1m4/MM4 w"), ["a1d1", "b1e1"]);
    // Nobody is asked of the station where a piece stops: there `landing` says who may stand.
    assert_eq!(singles("6/3M2/M2M2 w"), ["a1d3"]);
    assert_eq!(three_ahead("6/1m4/Mm4 w", ""), ["a1d1"], "without the option anybody is passed");
}

#[test]
fn a_station_holds_so_many_own_pieces() {
    assert_eq!(three_ahead("6/3M2/M2M2 w", "most: 2"), [""; 0]);
    assert_eq!(three_ahead("6/3M2/M2M2 w", "most: 3"), ["a1d3"]);
    assert_eq!(three_ahead("6/6/M2m2 w", "most: 1"), ["a1d1"], "an enemy takes no room");
    assert_eq!(first("6/1M4/1M4[M] w", "enter(\"way\", 2, #{ most: 2 })"), [""; 0]);
    assert_eq!(first("6/1M4/1M4[M] w", "enter(\"way\", 2, #{ most: 3 })"), ["M@b3"]);
    assert_eq!(first("6/1M4/1M4[M] w", "enter(\"way\", 3, #{ passing: \"singles\" })"), [""; 0]);
    assert_eq!(first("6/1M4/1M4[M] w", "enter(\"way\", 3, #{ passing: \"own_or_singles\" })"), ["M@c1"]);
}

/// On the last station of a way that ends pieces are home: any number of them, and they bar nobody who turns back there.
#[test]
fn who_is_home_bars_nobody() {
    assert_eq!(three_ahead("6/5M/2M2M w", "most: 2"), ["c1f3"]);
    assert_eq!(three_ahead("6/5M/4MM w", "end: \"back\", passing: \"singles\""), ["e1d1", "f2c1"]);
    let ring = WAY.replace("same_for_all", "closed: true, same_for_all");
    let rule = "fn turn() { if play(along(\"way\", 3, #{ most: 2 })) == () { draw(\"none\"); } }";
    let state = start(&game(&format!("{ring} setup(\"6/5M/2M2M w\"); {rule}")));
    assert_eq!(moves(&state), ["f2c2"], "a ring has no last station: c1f3 is barred");
}

/// The same on heaps, where whose piece is topmost holds the station.
#[test]
fn heaps_bar_the_way_and_hold_so_many() {
    let heaps = |setup: &str, permit: &str| {
        let way = r#"board(6, 1, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", ""); royals("capturable");
            hands(); track("way", "a1-f1", #{ same_for_all: true });"#;
        moves(&start(&game(&format!(
            "{way} setup(\"{setup}\"); fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}"
        ))))
    };
    let own = "M1M3[] w - - 0 1 under=c1:M";
    assert_eq!(heaps(own, "along(\"way\", 3)"), ["a1d1", "c1f1"]);
    assert_eq!(heaps(own, "along(\"way\", 3, #{ passing: \"singles\" })"), ["c1f1"]);
    assert_eq!(heaps(own, "along(\"way\", 3, #{ passing: \"own_or_singles\" })"), ["a1d1", "c1f1"]);
    assert_eq!(heaps(own, "along(\"way\", 2)"), ["a1c1", "c1e1"]);
    assert_eq!(heaps(own, "along(\"way\", 2, #{ most: 2 })"), ["c1e1"]);
    // Two go together only where there is room for two.
    let pair = "2M1M1[] w - - 0 1 under=c1:M";
    let both = "along(\"way\", 2, #{ carry: \"any\" })";
    assert_eq!(heaps(pair, both).len(), 2);
    assert_eq!(heaps(pair, &both.replace("\"any\"", "\"any\", most: 2")), ["c1e1"]);
    // A man beneath an enemy takes room, too; one enemy on him bars nobody.
    let covered = "M1m3[] w - - 0 1 under=c1:M";
    assert_eq!(heaps(covered, "along(\"way\", 2, #{ landing: \"all\" })"), ["a1c1"]);
    assert_eq!(heaps(covered, "along(\"way\", 2, #{ landing: \"all\", most: 1 })"), [""; 0]);
    assert_eq!(heaps(covered, "along(\"way\", 3, #{ passing: \"singles\" })"), ["a1d1"]);
}

/// Partners stand together: a block is two men of either of them, and both take room.
#[test]
fn partners_are_of_one_party() {
    let way = r#"board(6, 1, #{ heaps: true }); sides(["White", "Black", "Red", "Grey"], #{ letters: "wbrg",
        forward: ["up", "up", "up", "up"], teams: [1, 2, 1, 2] }); piece("man", "M", ""); royals("capturable");
        track("way", "a1-f1", #{ same_for_all: true }); setup("M1M'3 w - - 0 1 under=c1:M");"#;
    let of = |permit: &str| {
        moves(&start(&game(&format!("{way} fn turn() {{ if play({permit}) == () {{ draw(\"none\"); }} }}"))))
    };
    assert_eq!(of("along(\"way\", 3)"), ["a1d1"]);
    assert_eq!(of("along(\"way\", 3, #{ passing: \"singles\" })"), [""; 0]);
    assert_eq!(of("along(\"way\", 3, #{ passing: \"own_or_singles\" })"), ["a1d1"]);
    assert_eq!(of("along(\"way\", 2)"), ["a1c1"]);
    assert_eq!(of("along(\"way\", 2, #{ most: 2 })"), [""; 0]);
}

#[test]
fn the_foremost_and_the_rearmost_of_a_side() {
    let steps = |setup: &str, which: &str| first(setup, &format!("along(\"way\", 1) & {which}"));
    assert_eq!(steps("6/6/M1M3 w", "from(foremost(\"way\"))"), ["c1d1"]);
    assert_eq!(steps("6/6/M1M3 w", "from(rearmost(\"way\"))"), ["a1b1"]);
    assert_eq!(steps("6/2M3/M1M3 w", "from(foremost(\"way\"))"), ["c2d1"], "of two on a station one moves");
    // Who has a man in hand has none on the board that is last.
    assert_eq!(steps("6/6/M1M3[M] w", "from(foremost(\"way\"))"), ["c1d1"]);
    assert_eq!(steps("6/6/M1M3[M] w", "from(rearmost(\"way\"))"), [""; 0]);
    assert_eq!(steps("6/6/M1M3[m] w", "from(rearmost(\"way\"))"), ["a1b1"]);
    // Who is home is no longer under way.
    assert_eq!(steps("6/6/M1M2M w", "from(foremost(\"way\"))"), ["c1d1"]);
    assert_eq!(steps("6/6/5M w", "from(foremost(\"way\") | rearmost(\"way\"))"), [""; 0]);
    // Another side's.
    assert_eq!(steps("6/6/M1Mm2 w", "to(foremost(\"way\", opponent()))"), ["c1d1"]);
    assert_eq!(steps("6/6/M1M3 w", "to(foremost(\"way\", opponent()))"), [""; 0]);
}

/// What a rule says of a way that each side goes from its own end; heaps stand on it.
fn told(setup: &str, question: &str) -> String {
    let way = r#"board(6, 1, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", ""); royals("capturable");
        track("way", ["a1-f1", "f1-a1"]);"#;
    let rule = format!("fn turn() {{ label(\"\" + {question}); choose([\"on\"]); }}");
    start(&game(&format!("{way} setup(\"{setup}\"); {rule}"))).label().unwrap_or_default().to_owned()
}

#[test]
fn men_beneath_others_are_foremost_too() {
    let covered = "M1m3 w - - 0 1 under=c1:M";
    assert_eq!(told(covered, "place_on(\"way\", foremost(\"way\"))"), "3");
    // For Black c1 is the fourth station.
    assert_eq!(told(covered, "place_on(\"way\", rearmost(\"way\", opponent()), opponent())"), "4");
}

#[test]
fn what_is_joined_is_so_for_a_side() {
    assert_eq!(told("M5 w", "place_on(\"way\", joined(\"way\", \"c1\"))"), "4");
    assert_eq!(told("M5 w", "place_on(\"way\", joined(\"way\", \"c1\", opponent()))"), "2");
}

/// The `from` of a move that enters is its `to`; a script that takes it for the station before the first is told so.
#[test]
fn check_tells_that_an_entering_move_begins_nowhere() {
    let told = |first: &str| {
        let text = format!(
            "title(\"Race\"); board(8, 1); sides([\"White\", \"Black\"]); piece(\"man\", \"M\", \"mW\"); hands(\"owner\");
             track(\"way\", [\"a1-h1\", \"h1-a1\"]); setup(\"M6m[Mm] w\");
             fn turn() {{
                 let n = roll(\"1d2\");
                 let moves = enter(\"way\", n) | along(\"way\", n);
                 play(moves.where(|mv| (on_track(\"way\", {first}, place_on(\"way\", mv.to)) & squares_of(mover())).is_empty));
             }}
             fn outcome() {{ if round() > 30 {{ draw(\"long\"); }} }}"
        );
        let source = astragal_dsl::Source { name: "race".into(), path: None, text };
        let found = astragal_dsl::check(&source);
        let from = found.into_iter().filter(|one| one.message.contains("`from`"));
        from.map(|one| (one.line, one.message)).collect::<Vec<_>>()
    };
    let wrong = told("place_on(\"way\", mv.from) + 1");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].0 == 6 && wrong[0].1.contains("is its `to`"), "{wrong:?}");
    assert_eq!(told("if mv.is_drop { 1 } else { place_on(\"way\", mv.from) + 1 }"), []);
}
