//! Pieces that bounce off the edges: the archbishop, the reflecting bishop and the cardinal of chess problems, the men of
//! Billiards Chess, and boards where pieces bounce off only some edges.
//!
//! The figures come from a separate program that knows no edges: it rolls a ball over the endless plane of mirrored boards.
//! The square `(X, Y)` of that plane is the board's `(fold(X), fold(Y))`, where `fold(v)` is `v mod 2(n-1)`, and `2(n-1)`
//! less that if it is `n` or more (at the border `v mod 2n`, and `2n-1` less that); a step bounces if it crosses a mirror.
//! A ball ends where it comes to its own square.

use crate::common::{game, moves, play, start};
use astragal_core::perft::perft;
use astragal_core::{Filter, Game, Kind, Piece, Position, Safety, Side, Square, SquareSet, State, movegen};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, explain};

/// A game on this board in which the first piece moves like this, and the second never moves.
fn rider(board: &str, betza: &str, options: &str) -> Loaded {
    game(&format!(
        r#"{board} piece("rider", "R", "{betza}", #{{ {options} }}); piece("wall", "X"); fn turn() {{ play(any()) }}"#
    ))
}

/// Where a rider goes from a square, with walls of the other side on some squares.
fn reached(loaded: &Loaded, from: Square, walls: SquareSet) -> SquareSet {
    let variant = &loaded.set.variant;
    let mut position = Position::empty(variant);
    position.put(variant, from, Piece::new(Side::FIRST, Kind(0)));
    walls.into_iter().for_each(|wall| position.put(variant, wall, Piece::new(Side::SECOND, Kind(1))));
    let mut all = Vec::new();
    movegen::generate(variant, &position, Side::FIRST, Safety::Pseudo, Filter::ALL, &mut all);
    let targets: SquareSet = all.iter().map(|mv| mv.to).collect();
    assert_eq!(targets.len() as usize, all.len(), "each target once");
    // Attacks come from the reverse table: it must agree with the moves.
    for wall in walls {
        let attacked = movegen::attack::attackers(variant, &position, wall, Side::FIRST).contains(from);
        assert_eq!(attacked, targets.contains(wall));
    }
    targets
}

/// Where a rider goes from a square, by name.
fn from(loaded: &Loaded, square: &str, walls: &str) -> String {
    let board = loaded.set.variant.board();
    let at = |name: &str| board.parse(name).unwrap();
    let walls = walls.split_whitespace().map(at).collect();
    let mut names: Vec<String> = reached(loaded, at(square), walls).into_iter().map(|s| board.name(s)).collect();
    names.sort();
    names.join(" ")
}

/// How many squares it reaches from all squares together of an empty board.
fn total(board: &str, betza: &str, options: &str) -> usize {
    let loaded = rider(board, betza, options);
    let squares = loaded.set.variant.board().squares();
    squares.into_iter().map(|square| reached(&loaded, square, SquareSet::EMPTY).len() as usize).sum()
}

#[test]
fn counts_on_empty_boards_are_those_of_a_ball_among_mirrors() {
    // A bishop; once; twice; any number of times; a cardinal; a cardinal without limit.
    let options = ["", "bounces: 1", "bounces: 2", "bounces: true"];
    let at_border = [r#"bounces: 1, bounces_at: "border""#, r#"bounces: true, bounces_at: "border""#];
    let expected = [
        ("board(8, 8);", [560, 984, 1120, 1120, 1232, 1632]),
        ("board(8, 10);", [784, 1444, 2072, 3120, 1740, 6320]),
        ("board(5, 7);", [200, 354, 446, 506, 476, 1190]),
        ("board(3, 8);", [80, 152, 200, 264, 246, 552]),
    ];
    for (board, counts) in expected {
        for (options, count) in options.iter().chain(&at_border).zip(counts) {
            assert_eq!(total(board, "B", options), count, "{board} {options}");
        }
    }
    // Off the sides alone, as in one of Betza's three kinds of Billiards Chess; off the other two.
    for (board, files, ranks) in [("board(8, 8);", 772, 772), ("board(8, 10);", 1224, 1008), ("board(3, 8);", 200, 84)]
    {
        assert_eq!(total(board, "B", r#"bounces: true, bounces_off: "files""#), files, "{board}");
        assert_eq!(total(board, "B", r#"bounces: true, bounces_off: "ranks""#), ranks, "{board}");
    }
    // Three steps in all, bounced or not; nightriders: none, one, any, one at the border.
    assert_eq!(total("", "B3", "bounces: true"), 568);
    assert_eq!(total("", "NN", ""), 608);
    assert_eq!(total("", "NN", "bounces: 1"), 1456);
    assert_eq!(total("", "NN", "bounces: true"), 1952);
    assert_eq!(total("", "NN", r#"bounces: 1, bounces_at: "border""#), 1680);
    // A rook comes straight back, to nothing new; a queen has some squares both ways.
    assert_eq!(total("", "R", "bounces: true"), 64 * 14);
    assert_eq!(total("", "Q", "bounces: true"), 1872);
}

/// The same among walls: on the squares i, counted from a1, with (7ii + 3i + 5) mod 11 below 2.
#[test]
fn counts_among_walls_too() {
    let among_walls = |board: &str, betza: &str, options: &str| -> usize {
        let loaded = rider(board, betza, options);
        let squares = loaded.set.variant.board().squares();
        let walls = |&s: &Square| (usize::from(s.0).pow(2) * 7 + usize::from(s.0) * 3 + 5) % 11 < 2;
        let walls: SquareSet = squares.into_iter().filter(walls).collect();
        let each = |square: Square| reached(&loaded, square, walls - SquareSet::from(square)).len() as usize;
        squares.into_iter().map(each).sum()
    };
    let options = [
        ("B", "bounces: 1"),
        ("B", "bounces: true"),
        ("B", r#"bounces: 1, bounces_at: "border""#),
        ("B", r#"bounces: true, bounces_at: "border""#),
        ("B", r#"bounces: true, bounces_off: "files""#),
        ("NN", "bounces: true"),
    ];
    let expected = [
        ("board(8, 8);", [628, 702, 748, 878, 530, 1430]),
        ("board(8, 10);", [866, 1038, 1072, 1312, 750, 1854]),
        ("board(7, 5);", [284, 340, 388, 594, 208, 492]),
    ];
    for (board, counts) in expected {
        for ((betza, options), count) in options.iter().zip(counts) {
            assert_eq!(among_walls(board, betza, options), count, "{board} {betza} {options}");
        }
    }
}

/// By hand, from d4: up to h8 and a1, where it turns back; to g1 and, after bouncing there, h2; to a7 and then b8.
#[test]
fn an_archbishop_bounces_once_and_a_reflecting_bishop_on_and_on() {
    let archbishop = rider("", "B", "bounces: 1");
    assert_eq!(from(&archbishop, "d4", ""), "a1 a7 b2 b6 b8 c3 c5 e3 e5 f2 f6 g1 g7 h2 h8");
    // On from h2 to g3, f4 and from b8 to c7, d6: both to e5.
    let twice = rider("", "B", "bounces: 2");
    assert_eq!(from(&twice, "d4", ""), "a1 a7 b2 b6 b8 c3 c5 c7 d6 e3 e5 f2 f4 f6 g1 g3 g7 h2 h8");
    let reflecting = rider("", "B", "bounces: true");
    assert_eq!(from(&reflecting, "d4", ""), from(&twice, "d4", ""));
    // Right round by h5, e8 and a4, but not to its own square.
    assert_eq!(from(&reflecting, "d1", ""), "a4 b3 b5 c2 c6 d7 e2 e8 f3 f7 g4 g6 h5");
    // A wall on g6 is taken from either side, one on b3 as well; nothing goes past them.
    assert_eq!(from(&reflecting, "d1", "g6 b3"), "b3 c2 e2 f3 g4 g6 h5");
    assert_eq!(from(&reflecting, "d1", "g6"), "a4 b3 b5 c2 c6 d7 e2 e8 f3 f7 g4 g6 h5");
}

/// George Duke's remark on Billiards Chess: from b2 there are three ways to g7: by a3 and f8, by c1 and h6, and straight.
#[test]
fn a_square_may_be_reached_in_three_ways() {
    let reflecting = rider("", "B", "bounces: true");
    for walls in ["d4 c5", "d4 f4", "c5 f4"] {
        assert!(from(&reflecting, "b2", walls).contains("g7"), "{walls}");
    }
    assert!(!from(&reflecting, "b2", "d4 c5 f4").contains("g7"));
}

/// A bishop that turns on the line around the board comes to the other color: from d1 by h5 to h6, and, because it stands
/// at the edge, at once to e1 and c1.
#[test]
fn a_cardinal_changes_its_color() {
    let cardinal = rider("", "B", r#"bounces: 1, bounces_at: "border""#);
    let plain = "a4 b3 c2 e2 f3 g4 h5";
    let by_the_sides = "h6 g7 f8 a5 b6 c7 d8";
    let at_once = "e1 f2 g3 h4 c1 b2 a3";
    let mut all: Vec<&str> = [plain, by_the_sides, at_once].iter().flat_map(|names| names.split(' ')).collect();
    all.sort();
    assert_eq!(from(&cardinal, "d1", ""), all.join(" "));
    // The square beside must be free.
    assert!(!from(&cardinal, "d1", "h6").contains("g7"));
}

#[test]
fn some_edges_throw_back_and_others_do_not() {
    let sides = rider("", "B", r#"bounces: true, bounces_off: "files""#);
    assert_eq!(from(&sides, "d1", ""), "a4 b3 b5 c2 c6 d7 e2 e8 f3 f7 g4 g6 h5");
    assert_eq!(from(&sides, "d4", ""), "a1 a7 b2 b6 b8 c3 c5 e3 e5 f2 f6 g1 g7 h8");
    // The lower half of the right side only.
    let region = r#"region("cushion", "h1-h4", #{ same_for_all: true });"#;
    let part = rider(region, "B", r#"bounces: true, bounces_off: "cushion""#);
    assert_eq!(from(&part, "e1", ""), "a5 b4 c3 d2 d8 e7 f2 f6 g3 g5 h4");
    assert_eq!(from(&part, "d1", ""), "a4 b3 c2 e2 f3 g4 h5");
    // A region is turned for the second side: its own right side is the first side's left.
    let text = r#"region("cushion", "h1-h4"); piece("ball", "B", "B", #{ bounces: true, bounces_off: "cushion" });
        setup("4b3/8/8/8/8/8/8/8 b"); fn turn() { play(any()) }"#;
    let state = start(&game(text));
    assert_eq!(moves(&state).join(" "), "e8a4 e8b5 e8c6 e8d7 e8f7 e8g6 e8h5");
    let state = start(&game(&text.replace("4b3/8", "3b4/8")));
    assert_eq!(moves(&state).join(" "), "d8a5 d8b4 d8b6 d8c3 d8c7 d8d2 d8e1 d8e7 d8f6 d8g5 d8h4");
}

#[test]
fn holes_throw_back_and_joined_edges_do_not() {
    // Three squares are cut out. From d4, below them, down to g1, round by h2 and up to f4, below them again.
    let holes = rider(r#"board(8, 8, #{ holes: "d5-f5" });"#, "B", "bounces: true");
    assert_eq!(from(&holes, "c3", "b2 b4 d2"), "b2 b4 d2 d4 e3 f2 f4 g1 g3 h2");
    let joined = rider(r#"board(8, 8, #{ wrap: "files" });"#, "B", "bounces: 1");
    // On over h3 to a4; off the upper edge at e8, on over h5 to a4 and down to d1, where it would have to bounce again.
    assert_eq!(from(&joined, "f1", "e2"), "a4 b3 b5 c2 c6 d1 d7 e2 e8 f7 g2 g6 h3 h5");
}

/// A board sewn from patches gives the same moves as the same board without seams.
#[test]
fn seams_change_nothing() {
    let sewn = r#"board(8, 8, #{ patches: ["a1-h5", "a4-h8"] });"#;
    assert_eq!(total(sewn, "B", "bounces: 1"), 984);
    assert_eq!(total(sewn, "B", "bounces: true"), 1120);
    assert_eq!(total(sewn, "B", r#"bounces: true, bounces_at: "border""#), 1632);
    assert_eq!(total(sewn, "B", r#"bounces: true, bounces_off: "files""#), 772);
    // Round in part: files joined on ranks 4 and 5. From h4 the way goes on at a5, from h2 it is thrown back.
    let round = rider(r#"board(8, 8, #{ patches: ["a1-h8", "h4-h5 a4-a5"] });"#, "B", "bounces: 1");
    assert_eq!(from(&round, "e1", "d2"), "a3 a5 b2 b6 c1 c7 d2 d8 e7 f2 f6 g3 g5 h4");
    assert_eq!(from(&round, "g1", "f2"), "b8 c7 d6 e5 f2 f4 g3 h2");
}

/// A piece that jumps does not come to a square twice: a diagonal cannon goes on after its hurdle, whether it has bounced
/// or not.
#[test]
fn hoppers_bounce() {
    let vao = rider("", "pB", "bounces: true");
    assert_eq!(from(&vao, "e1", "g3"), "a5 b4 b6 c3 c7 d2 d8 e7 f2 f6 g5 h4");
    let grasshopper = rider("", "gB", "bounces: 1");
    assert_eq!(from(&grasshopper, "e1", "h4"), "g5");
    assert_eq!(from(&grasshopper, "e1", "g3"), "h4");
}

const BILLIARDS: &str = r#"import "chess" as chess; chess::setup(); chess::draw_options();
    piece("bishop", #{ bounces: true }); piece("queen", #{ bounces: true });
    fn outcome() { if between_turns() { chess::mate_or_draw(); } }"#;

fn position(loaded: &Loaded, text: &str) -> Position {
    fen::parse(&loaded.set.variant, text).expect("a position").position
}

/// Billiards Chess. From the array: after e3 and e4, the queen attacks f7 by h5, and after c3 and c4, d7 by a4, so that
/// Black's pawn there is pinned and loses both of its moves: 400 - 4 x 2 = 392.
#[test]
fn billiards_chess_is_counted() {
    let loaded = game(BILLIARDS);
    let counts = |text: &str, depths: u32| -> Vec<u64> {
        let start = position(&loaded, text);
        (1..=depths).map(|depth| perft(&loaded.set.variant, &start, depth)).collect()
    };
    assert_eq!(counts("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 3), [20, 392, 8800]);
    assert_eq!(counts("rnbqkb1r/pppp1ppp/5n2/4p3/2BPP3/8/PPP2PPP/RNBQK1NR w - - 0 1", 2), [46, 1259]);
    assert_eq!(counts("4k3/2b2q2/8/8/1B6/8/5Q2/4K3 w - - 0 1", 3), [14, 553, 11082]);
}

/// Sala against Fontana, in Billiards Progressive Chess, ended like this: 3.e4 Bc4 Qxf7 mate, from d1 by h5.
#[test]
fn a_published_game_ends_in_its_mate() {
    let loaded = game(BILLIARDS);
    let before = "rnbqkb1r/pppp1ppp/5n2/4p3/2BPP3/8/PPP2PPP/RNBQK1NR w KQkq - 0 1";
    let mut state = State::new(loaded.set.clone(), position(&loaded, before)).unwrap();
    play(&mut state, "d1f7");
    assert_eq!(state.over().expect("mate").winner, Some(Side::FIRST));
    // A pawn on g4 shuts the way by h5.
    let shut = before.replace("2BPP3", "2BPP1P1").replace("PPP2PPP", "PPP2P1P");
    let shut = State::new(loaded.set.clone(), position(&loaded, &shut)).unwrap();
    assert!(!moves(&shut).contains(&"d1f7".to_string()));
}

/// Archbishops and cardinals with kings and knights.
#[test]
fn an_army_that_bounces_is_counted() {
    let loaded = game(
        r#"board(6, 6); piece("king", "K", "K", #{ royal: true }); piece("knight", "N", "N");
        piece("archbishop", "A", "B", #{ bounces: 1 }); piece("reflecting bishop", "B", "B", #{ bounces: true });
        piece("cardinal", "C", "B", #{ bounces: 1, bounces_at: "border" });
        setup("k1b1c1/6/2N3/3a2/6/KA1B1C w");"#,
    );
    for (depth, count) in (1..).zip([27, 434, 11_802, 194_004]) {
        assert_eq!(perft(&loaded.set.variant, &loaded.start, depth), count);
    }
}

/// A knight on f3 stands between the king on d1 and the bishop on e8, which attacks the king by h5.
#[test]
fn pins_and_reasons_go_round_the_corner() {
    let loaded = game(BILLIARDS);
    let pinned = "k3b3/8/8/8/8/5N2/2P5/3K4 w - - 0 1";
    let play = Game::new(loaded.set.clone(), position(&loaded, pinned), 1).unwrap();
    let why = explain::why(&loaded, &play, "f3g5").unwrap();
    assert!(!why.permitted && why.text().contains("e8"), "{}", why.text());
    assert!(moves(play.state()).iter().all(|mv| !mv.starts_with("f3")));
    // Both ways open, by h5 and by a4: it is check, and the knight can shut one of them only, on e2 or f3.
    let check = State::new(loaded.set.clone(), position(&loaded, "k3b3/8/8/8/8/8/8/3K2N1 w - - 0 1")).unwrap();
    assert!(moves(&check).iter().all(|mv| !mv.starts_with("g1")) && !moves(&check).is_empty());
    assert!(movegen::attack::in_check(&loaded.set.variant, check.position(), Side::FIRST));
    // What stands in the way of a bounced move is named: g6 by h5, c6 by a4.
    let barred = position(&loaded, "k7/8/2P3P1/8/8/8/8/3QK3 w - - 0 1");
    let play = Game::new(loaded.set.clone(), barred, 1).unwrap();
    let why = explain::why(&loaded, &play, "d1f7").unwrap();
    assert!(!why.permitted && why.text().contains("c6") && why.text().contains("g6"), "{}", why.text());
}

/// What a base declares is changed word by word, and removed by `()`.
#[test]
fn bouncing_is_changed_on_a_base() {
    let count = |changes: &str| {
        let script = format!(
            r#"piece("ball", "B", "B", #{{ bounces: 1, bounces_off: "files" }}); {changes}
            setup("8/8/8/8/3B4/8/8/8 w"); fn turn() {{ play(any()) }}"#
        );
        moves(&start(&game(&script))).len()
    };
    // From d4 off the left edge at a7, off the lower one at g1.
    assert_eq!(count(""), 14);
    assert_eq!(count(r#"piece("ball", #{ bounces_off: () });"#), 15);
    assert_eq!(count(r#"piece("ball", #{ bounces: true, bounces_off: () });"#), 19);
    assert_eq!(count(r#"piece("ball", #{ bounces_off: "ranks" });"#), 14);
    assert_eq!(count(r#"piece("ball", #{ bounces: () });"#), 13);
    assert_eq!(count(r#"piece("ball", #{ bounces: false });"#), 13);
    assert_eq!(count(r#"piece("ball", #{ betza: "B3" });"#), 12);
}

/// The counts that the page on movement states.
#[test]
fn the_guide_counts_right() {
    let guide = include_str!("../../../docs/movement.md");
    let table =
        guide.split("## Bouncing off the edges").nth(1).and_then(|rest| rest.split("##").next()).expect("the table");
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let count: usize = cells[3].split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        let squares = from(&rider("", cells[1], cells[2]), "d4", "");
        assert_eq!(squares.split(' ').count(), count, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 3);
}
