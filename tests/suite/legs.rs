//! Riders that turn and moves of several legs, compared with generators written from their descriptions.

use crate::common::Random;
use crate::sketch::{listed, names, placed, play, sketch, start, text};
use astragal_core::{Filter, Kind, KindMask, Move, Position, Safety, Side, Square, Variant, movegen};
use std::collections::BTreeSet;

type Spot = (i32, i32);
/// A target, and where another man is captured on the way.
type Reached = BTreeSet<(Spot, Option<Spot>)>;

/// The board as the slow generators see it: who stands where, 0 for the piece's own side.
struct Scene {
    from: Spot,
    men: [[Option<u8>; 8]; 8],
    /// Whether the board is round: its files wrap.
    round: bool,
    reached: Reached,
}

impl Scene {
    /// What stands on a spot of the board: `None` off the board.
    fn at(&self, (x, y): Spot) -> Option<Option<u8>> {
        let x = if self.round { x.rem_euclid(8) } else { x };
        (0..8).contains(&x).then(|| self.men.get(usize::try_from(y).ok()?).map(|row| row[x as usize])).flatten()
    }

    fn empty(&self, spot: Spot) -> bool {
        self.at(spot) == Some(None) || spot == self.from
    }

    fn enemy(&self, spot: Spot) -> bool {
        self.at(spot) == Some(Some(1))
    }

    /// Ends on a spot, if it is empty or an enemy's.
    fn end(&mut self, (x, y): Spot) {
        if self.at((x, y)) == Some(None) || self.enemy((x, y)) {
            self.reached.insert(((if self.round { x.rem_euclid(8) } else { x }, y), None));
        }
    }

    /// Follows steps, one after the other, as far as possible.
    fn ride(&mut self, start: Spot, steps: impl IntoIterator<Item = Spot>) {
        let mut at = start;
        for step in steps {
            at = add(at, step);
            if at == self.from || self.round && (at.0.rem_euclid(8), at.1) == self.from {
                break;
            }
            self.end(at);
            if self.at(at) != Some(None) {
                break;
            }
        }
    }
}

fn add(a: Spot, b: Spot) -> Spot {
    (a.0 + b.0, a.1 + b.1)
}

const STRAIGHT: [Spot; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Spot; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [Spot; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn griffon(s: &mut Scene) {
    for (x, y) in DIAGONAL {
        let corner = add(s.from, (x, y));
        s.end(corner);
        if s.at(corner) == Some(None) {
            s.ride(corner, [(x, 0); 7]);
            s.ride(corner, [(0, y); 7]);
        }
    }
}

fn hook(s: &mut Scene) {
    for (x, y) in STRAIGHT {
        s.ride(s.from, [(x, y); 7]);
        let mut at = add(s.from, (x, y));
        while s.at(at) == Some(None) {
            s.ride(at, [(y, x); 7]);
            s.ride(at, [(-y, -x); 7]);
            at = add(at, (x, y));
        }
    }
}

fn crooked(s: &mut Scene) {
    for (x, y) in DIAGONAL {
        for other in [(-x, y), (x, -y)] {
            s.ride(s.from, [(x, y), other].repeat(4));
        }
    }
}

fn rose(s: &mut Scene) {
    for first in 0..8 {
        s.ride(s.from, (0..8).map(|i| KNIGHT[(first + i) % 8]));
        s.ride(s.from, (0..8).map(|i| KNIGHT[(first + 8 - i) % 8]));
    }
}

fn cylinder(s: &mut Scene) {
    s.round = true;
    for step in STRAIGHT {
        s.ride(s.from, [step; 8]);
    }
}

fn draughtsman(s: &mut Scene) {
    for (x, y) in [(1, 1), (-1, 1)] {
        let (over, to) = (add(s.from, (x, y)), add(s.from, (2 * x, 2 * y)));
        if s.enemy(over) && s.at(to) == Some(None) {
            s.reached.insert((to, Some(over)));
        }
    }
}

fn flying_king(s: &mut Scene) {
    for step in DIAGONAL {
        let mut at = add(s.from, step);
        while s.at(at) == Some(None) {
            at = add(at, step);
        }
        let over = at;
        at = add(at, step);
        while s.enemy(over) && s.at(at) == Some(None) {
            s.reached.insert((at, Some(over)));
            at = add(at, step);
        }
    }
}

/// Captures a neighbor and goes on to any neighbor of that square, perhaps capturing again.
fn hit_and_run(s: &mut Scene) {
    for step in STRAIGHT.into_iter().chain(DIAGONAL) {
        let over = add(s.from, step);
        for next in STRAIGHT.into_iter().chain(DIAGONAL) {
            let to = add(over, next);
            if s.enemy(over) && (s.empty(to) || s.enemy(to)) {
                s.reached.insert((to, Some(over)));
            }
        }
    }
}

fn rifle(s: &mut Scene) {
    for step in STRAIGHT.into_iter().chain(DIAGONAL) {
        let over = add(s.from, step);
        if s.enemy(over) {
            s.reached.insert((s.from, Some(over)));
        }
    }
}

/// Jumps a neighbor of any side, straight ahead.
fn jumper(s: &mut Scene) {
    for step in STRAIGHT {
        let over = add(s.from, step);
        if matches!(s.at(over), Some(Some(_))) {
            s.end(add(over, step));
        }
    }
}

fn mao(s: &mut Scene) {
    for (x, y) in STRAIGHT {
        let leg = add(s.from, (x, y));
        if s.at(leg) == Some(None) {
            for side in [1, -1] {
                s.end(add(leg, (x + side * y, y + side * x)));
            }
        }
    }
}

fn scene(variant: &Variant, position: &Position, from: Square) -> Scene {
    let board = variant.board();
    let mut men = [[None; 8]; 8];
    for square in position.occupied() {
        men[usize::from(board.rank(square))][usize::from(board.file(square))] = Some(position.at(square).side().0);
    }
    let from = (i32::from(board.file(from)), i32::from(board.rank(from)));
    Scene { from, men, round: false, reached: Reached::new() }
}

fn moves(variant: &Variant, position: &Position, side: u8, kinds: KindMask, safety: Safety) -> Vec<Move> {
    let mut moves = Vec::new();
    let filter = Filter { kinds, ..Filter::NONE };
    movegen::generate(variant, position, Side(side), safety, filter, &mut moves);
    moves
}

#[test]
fn pieces_that_turn_go_where_their_description_says() {
    type Slow = fn(&mut Scene);
    let pieces: [(&str, Slow); 11] = [
        ("FyafsF", griffon),
        ("RmasR", hook),
        ("zB", crooked),
        ("qN0", rose),
        ("oR", cylinder),
        ("fcafmF", draughtsman),
        ("cafmB", flying_king),
        ("caK", hit_and_run),
        ("cabK", rifle),
        ("pafW", jumper),
        ("afsW", mao),
    ];
    for (betza, slow) in pieces {
        let loaded = sketch(&format!(
            r#"board(8, 8); piece("tested", "T", "{betza}"); piece("stone", "S", "W"); royals("capturable");
            setup("8/8/8/8/8/8/8/T7 w");"#
        ));
        let variant = &loaded.set.variant;
        let squares: Vec<Square> = variant.board().squares().into_iter().collect();
        let mut random = Random::new(7);
        for _ in 0..200 {
            let from = *random.pick(&squares);
            let mut men = vec![(from, 0, 0)];
            for _ in 0..random.below(24) {
                let square = *random.pick(&squares);
                if men.iter().all(|m| m.0 != square) {
                    men.push((square, random.below(2) as u8, 1));
                }
            }
            let position = placed(variant, &men);
            let mut scene = scene(variant, &position, from);
            slow(&mut scene);
            let spot = |s: Square| (i32::from(variant.board().file(s)), i32::from(variant.board().rank(s)));
            let list = moves(variant, &position, 0, Kind(0).into(), Safety::Pseudo);
            let found: Reached = list.iter().map(|mv| (spot(mv.to), mv.over().map(spot))).collect();
            assert_eq!(found, scene.reached, "{betza} from {}", variant.board().name(from));
            assert_eq!(found.len(), list.len(), "{betza}: a move is listed twice");
        }
    }
}

/// Legal moves are those after which no enemy move captures the royal: with men that capture beside their way, shoot, and
/// jump, and whose paths may be opened by a capture elsewhere.
#[test]
fn kings_are_safe_from_captures_in_passing() {
    let loaded = sketch(
        r#"board(8, 8); piece("king", "K", "K", #{royal: true}); piece("flyer", "F", "mBcafmB"); piece("gun", "G", "mWcabK");
        piece("jumper", "J", "pafW"); piece("rook", "R", "R"); piece("hook", "H", "RmasR"); setup("k7/8/8/8/8/8/8/K7 w");"#,
    );
    let variant = &loaded.set.variant;
    let squares: Vec<Square> = variant.board().squares().into_iter().collect();
    let takes_royal = |position: &Position, side: u8| {
        moves(variant, position, 1 - side, KindMask::ALL, Safety::Pseudo).iter().any(|mv| {
            position.royals(variant, Side(side)).contains(position.captured_by(*mv).1) || {
                let royal = position.royals(variant, Side(side));
                royal.contains(mv.to)
            }
        })
    };
    let mut random = Random::new(3);
    let (mut checks, mut pinned) = (0, 0);
    for _ in 0..1500 {
        let mut men: Vec<(Square, u8, u8)> = Vec::new();
        let kinds = [0, 0, 1, 1, 2, 3, 3, 4, 5, 1, 4];
        for (i, &kind) in kinds.iter().enumerate() {
            let square = *random.pick(&squares);
            if men.iter().all(|m| m.0 != square) {
                men.push((square, (i % 2) as u8, kind));
            }
        }
        let position = placed(variant, &men);
        checks += usize::from(takes_royal(&position, 0));
        assert_eq!(astragal_core::attack::in_check(variant, &position, Side(0)), takes_royal(&position, 0));
        let pseudo = moves(variant, &position, 0, KindMask::ALL, Safety::Pseudo);
        let safe: Vec<Move> = pseudo
            .iter()
            .copied()
            .filter(|mv| {
                let mut after = position.clone();
                after.make(variant, *mv);
                !takes_royal(&after, 0)
            })
            .collect();
        pinned += pseudo.len() - safe.len();
        assert_eq!(moves(variant, &position, 0, KindMask::ALL, Safety::Safe), safe, "{men:?}");
    }
    assert!(checks > 200 && pinned > 1000, "{checks} {pinned}");
}

#[test]
fn captures_in_passing_are_named_by_both_squares() {
    let lion = r#"board(5, 5); sides(["A", "B"]); piece("lion", "L", "KcaK"); piece("man", "M", "W"); hands();
        royals("capturable"); setup("5/2m2/2m2/2L2/5[] w");"#;
    let mut state = start(&sketch(lion));
    let list = names(&state);
    // Takes c3 only, shoots it, takes both: the plain capture, eight ways on from c3 less none.
    assert!(list.contains(&"c2c3".into()) && list.contains(&"c2xc3c2".into()) && list.contains(&"c2xc3c4".into()));
    // Seven empty squares round it, the capture, and from c3 all its eight neighbours.
    assert_eq!(list.len(), 7 + 1 + 8);
    play(&mut state, "c2xc3c4");
    assert_eq!(text(&state).split(' ').next(), Some("5/2L2/5/5/5[MM]"));
}

#[test]
fn a_rule_may_refuse_a_capture_in_passing() {
    let game = r#"board(5, 5); sides(["A", "B"]); piece("man", "M", "mfFfcafmF"); royals("capturable");
        setup("5/5/2m2/1M3/5 w"); fn capture(attacker, defender, mv) { if mv.victim == "c3" { repel(attacker); } else { take(); } }"#;
    let mut state = start(&sketch(game));
    assert_eq!(names(&state), ["b2a3", "b2xc3d4"]);
    play(&mut state, "b2xc3d4");
    assert_eq!(text(&state).split(' ').next(), Some("5/5/2m2/5/5"));
}

#[test]
fn draughtsmen_go_on_jumping() {
    let game = r#"board(8, 8); sides(["A", "B"]); piece("man", "M", "mfFfcafmF"); royals("capturable");
        setup("8/8/8/4m3/8/2m5/1M5M/8 w"); fn turn() {
            let mv = play(captures().or_else(any()));
            while mv != () && mv.is_capture && (captures() & from(mv.to)).exists() {
                mv = play(captures() & from(mv.to));
            }
        }"#;
    let mut state = start(&sketch(game));
    assert_eq!(names(&state), ["b2xc3d4"]);
    play(&mut state, "b2xc3d4");
    assert_eq!(names(&state), ["d4xe5f6"]);
    play(&mut state, "d4xe5f6");
    assert_eq!(text(&state).split(' ').next(), Some("8/8/5M2/8/8/8/7M/8"));
    assert_eq!(listed(&game.replace("2m5/1M5M", "8/1M5M")), "b2a3 b2c3 h2g3");
}
