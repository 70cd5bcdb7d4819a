//! What may happen after a move, compared with the figures of the rules (`rules.md` of the variants, quoted at each).

use crate::common::{load, position};
use astragal_core::{Event, Ratio, Side, State};
use astragal_dsl::library::Source;
use astragal_dsl::{Loaded, game_text};
use astragal_service::analysis;
use astragal_service::analysis::prospects::{self, BUDGET, Chance};

fn begin(loaded: &Loaded, fen: &str, faces: &[i16]) -> State {
    let mut state = State::new(loaded.set.clone(), position(loaded, fen)).expect("a game");
    if !faces.is_empty() {
        crate::common::apply(&mut state, &Event::Roll(faces.to_vec()));
    }
    state
}

fn prospect(loaded: &Loaded, fen: &str, faces: &[i16], mv: &str) -> prospects::Prospect {
    let state = begin(loaded, fen, faces);
    let paid = game_text::find_move(&state, mv, None).unwrap_or_else(|error| panic!("{fen} {mv}: {error}"));
    let all = prospects::of_decisions(&state).expect("prospects");
    all.into_iter().find(|prospect| prospect.event == Event::Move(paid)).expect("the move is among them")
}

fn exact(numerator: u128, denominator: u128) -> Option<Chance> {
    Some(Chance::Exact(Ratio::new(numerator, denominator)))
}

/// "After 3.Bxf7+ the only reply is Kxf7, so only a 6 or doubles moves (16 of 36)": the turn is lost with
/// 20 of 36. Black cannot take a king that nothing attacks, nor mate with his king.
#[test]
fn the_bishop_on_f7() {
    let loaded = load("dice-chess");
    let before = "1rbqkbnr/pppppppp/2n5/8/2B1P3/8/PPPP1PPP/RNBQK1NR w KQk -";
    let found = prospect(&loaded, before, &[3, 6], "Bxf7");
    assert_eq!(found.outcomes, [("moved".to_owned(), Ratio::ONE)]);
    let next = found.next.expect("Black is next");
    assert_eq!((next.side, next.lost), (Side::SECOND, Ratio::new(20, 36)));
    assert_eq!(next.strike, exact(0, 1));
}

/// "A 3, a 5 or doubles wins at once (24 of 36)": the bishop takes the king, or the queen mates.
#[test]
fn the_roll_that_wins() {
    let loaded = load("dice-chess");
    let state = begin(&loaded, "1rbqkbnr/pppppBpp/2n5/8/4P3/8/PPPP1PPP/RNBQK1NR w KQk -", &[]);
    assert_eq!(prospects::strike(&state, Side::SECOND, BUDGET).expect("rules"), exact(24, 36));
    let roll = analysis::next_roll(&state).expect("rules");
    let of = |mv: &str| roll.moves.iter().find(|known| known.0 == mv).map(|known| known.1);
    // A type that can move is permitted by 16 of 36 rolls.
    assert_eq!(
        (of("f7e8"), of("d1h5"), of("a2a3")),
        (Some(Ratio::new(4, 9)), Some(Ratio::new(4, 9)), Some(Ratio::new(4, 9)))
    );
    assert_eq!(of("e1g1"), None, "the knight is in the way");
}

/// From the array, the turn is lost with chance 1/3 in Dice Chess, 8/27 with three dice, 1/4 in King for 2, and never in
/// Dice Xiangqi; a distant first move changes nothing for the second player.
#[test]
fn turns_lost_in_the_beginning() {
    let start = |name: &str| {
        let loaded = load(name);
        let fen = game_text::plain_position(&loaded.set.variant, &loaded.start);
        (loaded, fen)
    };
    let cases: [(&str, &[i16], &str, Ratio); 4] = [
        ("dice-chess", &[2, 3], "Nf3", Ratio::new(1, 3)),
        ("dicechess-3", &[2, 3, 5], "Nc3", Ratio::new(8, 27)),
        ("king-for-2", &[1, 5], "a2b4", Ratio::new(1, 4)),
        ("dice-xiangqi", &[2], "a3a4", Ratio::ZERO),
    ];
    for (name, faces, mv, lost) in cases {
        let (loaded, fen) = start(name);
        let next = prospect(&loaded, &fen, faces, mv).next.expect("the other side is next");
        assert_eq!(next.lost, lost, "{name}");
    }
}

/// Only the rook can capture the king, and it does if a 4 is among three dice: 91 of 216. The pawn's moves use all dice
/// that can be used, so the turn ends; the black king is too far away for three steps.
#[test]
fn a_king_before_a_rook() {
    let loaded = load("dicechess-3");
    let next = prospect(&loaded, "k3r3/8/8/8/8/8/P7/4K3 w - - 0 1", &[1, 2, 3], "a3").next.expect("Black is next");
    assert_eq!(next.strike, exact(91, 216));
}

/// BAB-T16: Bxe8 is 5/16, 1/8, 9/16. If it loses, the rook mates by keeping its check, and that is how White would strike.
/// If it ties, no quiet move mates, and if it wins, there is no rook left: then (and after a tie) what remains is Rxg8, a
/// rook against a king.
#[test]
fn contests_and_what_follows() {
    let loaded = load("babylonian");
    let found = prospect(&loaded, "4R1k1/5ppp/8/1b6/8/8/8/K7 b - -", &[], "Bxe8");
    let mut outcomes = found.outcomes.clone();
    outcomes.sort();
    let expected = [("lose", (9, 16)), ("tie", (1, 8)), ("win", (5, 16))];
    assert_eq!(outcomes, expected.map(|(effect, (n, d))| (effect.to_owned(), Ratio::new(n, d))));
    let next = found.next.expect("White is next");
    // Lost: mate for certain. Tied: the rook attacks the king, 7 in 40. Won: a bare king cannot strike.
    assert_eq!(next.strike, Some(Chance::Exact(Ratio::new(9, 16) + Ratio::new(1, 8) * Ratio::new(7, 40))));
    assert_eq!(next.lost, Ratio::ZERO);
}

/// Sampled chances are close to the exact ones: of a thousand such intervals, fifty would miss.
#[test]
fn sampling_is_near_the_truth() {
    let loaded = load("dicechess-3");
    let state = begin(&loaded, "k3r3/8/8/8/8/P7/8/4K3 b - - 0 1", &[]);
    let exact = prospects::strike(&state, Side::FIRST, BUDGET).expect("rules").expect("exact");
    assert_eq!(exact, Chance::Exact(Ratio::new(91, 216)));
    let Some(Chance::Sampled { hits, trials }) = prospects::strike(&state, Side::FIRST, 10).expect("rules") else {
        panic!("a budget of ten events is no budget")
    };
    let interval = astragal_lab::Interval::wilson(hits, trials);
    assert!(trials >= 100 && interval.low < 91.0 / 216.0 && 91.0 / 216.0 < interval.high, "{hits} of {trials}");
}

/// A player may prolong the turn forever: the search goes no deeper than a small stack allows, and says that it does not
/// know. A turn of that length with nothing else in it is followed to its end.
#[test]
fn turns_without_end_fit_on_a_small_stack() {
    let rules = |rules: &str| {
        let head = "board(1, 2); piece(\"man\", \"M\"); setup(\"m/M w\");";
        let text = format!("{head} fn turn() {{ {rules} }}");
        let source = Source { name: "small".into(), path: None, text };
        astragal_dsl::load(&source, &[]).unwrap_or_else(|error| panic!("{error}"))
    };
    let search = move || {
        let endless = rules("while true { if roll(\"1d6\") == 1 { return; } choose(mover(), [\"dare\"]); }");
        let state = State::new(endless.set.clone(), endless.start.clone()).expect("a game");
        let caught = prospects::strike(&state, Side::SECOND, BUDGET).expect("rules");
        assert!(!matches!(caught, Some(Chance::Exact(_))), "{caught:?}");
        let long = rules("for i in 0..100 { choose(mover(), [\"dare\", \"dread\"]); } win(mover(), \"patience\");");
        let state = State::new(long.set.clone(), long.start.clone()).expect("a game");
        assert_eq!(prospects::strike(&state, Side::SECOND, BUDGET).expect("rules"), exact(1, 1));
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(search).expect("a thread");
    thread.join().expect("no panic");
}
