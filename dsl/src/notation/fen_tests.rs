use super::*;
use crate::notation::samples_tests::{self as samples, CHESS, XIANGQI};
use proptest::prelude::*;

fn refused(variant: &Variant, text: &str, part: &str, column: usize) {
    let error = parse(variant, text).expect_err(text);
    assert!(error.render().contains(part), "{text}: {error}");
    assert_eq!(error.column(), column, "{error}");
}

fn same(variant: &Variant, text: &str) {
    let placed = parse(variant, text).unwrap_or_else(|e| panic!("{}", e.render()));
    assert_eq!(write(variant, &placed.position), text);
}

#[test]
fn chess_positions_are_written_as_read() {
    let chess = samples::chess();
    for text in [
        CHESS,
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 12 34",
        "4k3/8/8/pPp5/8/8/8/4K3 w - a6c6 0 9",
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/8/8/8/8/8/8/8 b - - 0 1",
        "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1",
    ] {
        same(&chess, text);
    }
    let placed = parse(&chess, "4k3/8/8/pPp5/8/8/8/4K3 w - a6c6").unwrap();
    let victims: Vec<String> = placed.position.en_passant().iter().map(|r| chess.board().name(r.victim)).collect();
    assert_eq!(victims, ["a5", "c5"]);
}

#[test]
fn fields_may_be_left_out() {
    let chess = samples::chess();
    for text in ["8/8/8/8/8/8/8/8 w", "8/8/8/8/8/8/8/8 w -", "8/8/8/8/8/8/8/8  w  - - - -", "8/8/8/8/8/8/8/8 w - - 0 0"]
    {
        assert_eq!(write(&chess, &parse(&chess, text).unwrap().position), "8/8/8/8/8/8/8/8 w - - 0 1", "{text}");
    }
}

#[test]
fn other_boards() {
    same(&samples::xiangqi(), XIANGQI);
    let wide = samples::wide();
    let text = "*k8K*/12/12/12/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/*10* w - - 0 1";
    same(&wide, text);
    let counted = parse(&wide, "1k8K1/12/12/12/12/12/12/12/12/12/12/12/PPPPPPPPPPPP/12 w").unwrap();
    assert_eq!(write(&wide, &counted.position), text);
    same(&wide, "*10*/12/12/p1p8p/12/12/12/12/12/12/12/12/12/*10* w - a12c12 0 1");
    same(&samples::four(), "K2k/4/4/K'2k' y - - 0 1");
}

#[test]
fn hands() {
    let crazy = samples::crazy();
    same(&crazy, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1");
    same(&crazy, "4k3/+P6+p/8/8/8/8/8/4K3[PPNq] w - - 0 1");
    let counted = parse(&crazy, "4k3/8/8/8/8/8/8/4K3[2P3q] w").unwrap().position;
    assert_eq!((counted.in_hand(&crazy, Side(0), Kind(0)), counted.in_hand(&crazy, Side(1), Kind(4))), (2, 3));
    assert_eq!(
        parse(&crazy, "4k3/8/8/8/8/8/8/4K3[-] w").unwrap().position,
        parse(&crazy, "4k3/8/8/8/8/8/8/4K3 w").unwrap().position
    );
    refused(&crazy, "4k3/8/8/8/8/8/8/4K3[P w", "']'", 22);
    refused(&crazy, "4k3/8/8/8/8/8/8/4K3[1000P] w", "1 to 999", 21);
    refused(&crazy, "4k3/8/8/8/8/8/8/4K3[x] w", "the piece letters are", 21);
    refused(&samples::chess(), "4k3/8/8/8/8/8/8/4K3[P] w", "no pieces in hand", 20);
}

#[test]
fn dice_counters_and_traits() {
    let game = samples::counting();
    let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PNB stake=5 lives=3/1 strength=e2:-1,e8:4";
    let placed = parse(&game, text).unwrap();
    assert_eq!(placed.dice.as_deref(), Some("PNB"));
    assert_eq!(placed.extra.len(), 3);
    assert_eq!(placed.position.counter(&game, 1, Side(1)), 1);
    assert_eq!(placed.position.trait_at(&game, 0, game.board().parse("e2").unwrap()), -1);
    assert_eq!(write_turn(&game, &placed.position, Some("PNB")), text);
    assert_eq!(parse(&game, &write(&game, &placed.position)).unwrap().position, placed.position);
    let early = parse(&game, "4k3/8/8/8/8/8/4P3/4K3 w stake=5").unwrap();
    assert_eq!(write(&game, &early.position), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 stake=5");
    assert_eq!(parse(&game, "8/8/8/8/8/8/8/8 w - - 0 1 -").unwrap().dice, None);
    // In a turn of several moves the mover's own double step is on record.
    let own = "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1";
    assert!(parse(&game, own).is_err());
    assert!(parse(&game, &format!("{own} NB")).is_ok());
    let empty = "8/8/8/8/8/8/8/8 w - - 0 1 -";
    for (tail, part) in [
        ("stak=1", "did you mean 'stake'"),
        ("stake=", "a number"),
        ("stake=1/2", "a number"),
        ("lives=3", "2 sides"),
        ("lives=3/99999", "2 sides"),
        ("stake=1 stake=2", "'stake' once"),
        ("strength=e4:1", "an empty square"),
        ("strength=e9:1", "a1 to h8"),
        ("strength=e4", "as 'e4:3'"),
        ("more", "'name=value'"),
    ] {
        let error = parse(&game, &format!("{empty} {tail}")).expect_err(tail);
        assert!(error.to_string().contains(part), "{error}");
    }
    refused(&samples::chess(), "8/8/8/8/8/8/8/8 w x=1", "has none of them", 19);
}

#[test]
fn slips_are_refused() {
    let chess = samples::chess();
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    refused(&chess, "", "8 ranks", 1);
    refused(&chess, "8/8/8/8/8/8/8 w - - 0 1", "found 7", 1);
    refused(&chess, "8/8/8/7/8/8/8/8 w", "8 squares on rank 5, found 7", 7);
    refused(&chess, "8/8/8/8/8/8/8/9 w", "found 9", 15);
    refused(&chess, "8/8/8/8/8/8/8/PPPPPPPPP w", "found 9", 15);
    refused(&chess, "8/8/8/8/8/8/8/44444444444444444444444 w", "found 92", 15);
    refused(&samples::wide(), "99999999999999999999/12/12/12/12/12/12/12/12/12/12/12/12/12 w", "a number of empty", 1);
    refused(&chess, "8/8/8/8/8/8/8/0PPPPPPPP w", "a number of empty", 15);
    refused(&chess, "8/8/8/3x4/8/8/8/8 w", "the piece letters are P N B R Q K", 8);
    refused(&chess, "8/8/8/3*4/8/8/8/8 w", "has a square here", 8);
    refused(&chess, "8/8/8/8/8/8/8/8", "'w' (White) or 'b' (Black)", 16);
    refused(&chess, "8/8/8/8/8/8/8/8 white", "'w' (White)", 17);
    refused(&chess, &format!("{board} w KX"), "from 'KQkq'", 48);
    refused(&chess, &format!("{board} w KK"), "at most once", 48);
    refused(&chess, "4k3/8/8/8/8/8/8/R3K3 w KQ", "White's rook on h1 for castling right 'K'", 24);
    refused(&chess, "4k3/8/8/8/8/8/8/R2K4 w Q", "White's king on e1", 24);
    refused(&chess, &format!("{board} w KQkq e3"), "no piece has passed e3", 52);
    refused(&chess, "4k3/8/8/8/4p3/8/8/4K3 b - e3", "no piece has passed e3", 27);
    refused(&chess, "4k3/8/8/pPp5/8/8/8/4K3 w - a6z9", "a1 to h8", 30);
    refused(&chess, "4k3/8/8/pPp5/8/8/8/4K3 w - a6a6", "at most once", 30);
    refused(&chess, &format!("{board} w KQkq - x 1"), "plies", 54);
    refused(&chess, &format!("{board} w KQkq - 0 99999"), "round", 56);
    refused(&chess, &format!("{board} w KQkq - 0 1 NB x"), "the end", 61);
    refused(&samples::xiangqi(), &XIANGQI.replace(" w - ", " w K "), "no castling", 63);
    refused(&samples::wide(), "K11/12/12/12/12/12/12/12/12/12/12/12/12/12 w", "'*' or a number", 1);
}

fn any_position() -> impl Strategy<Value = String> {
    let rank = proptest::collection::vec(prop_oneof![Just("1"), Just("P"), Just("n"), Just("K"), Just("r")], 8);
    let ranks = proptest::collection::vec(rank, 8);
    (ranks, any::<bool>(), 0..200_u16, 1..300_u16, -9..9_i16).prop_map(|(ranks, white, clock, number, stake)| {
        let ranks: Vec<String> = ranks.into_iter().map(|r| r.concat()).collect();
        format!(
            "{} {} - - {clock} {number} stake={stake} lives={stake}/4",
            ranks.join("/"),
            if white { 'w' } else { 'b' }
        )
    })
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = parse(&samples::counting(), &text).map_err(|e| (e.render(), e.to_string()));
    }

    #[test]
    fn near_misses_are_read_or_refused(
        board in "[1-9kKpPR/*\\[\\]é]{0,30}|8/8/8/pPp5/4P3/8/8/4K2R|K[0-9a-z/]{0,9}",
        rest in "( [wb]( [KQkq-]{1,4}( [a-h3-6-]{1,6}( [0-9a-z=:,/-]{0,8}){0,4})?)?)?",
    ) {
        for game in [samples::counting(), samples::wide()] {
            if let Ok(placed) = parse(&game, &format!("{board}{rest}")) {
                let again = parse(&game, &write_turn(&game, &placed.position, placed.dice.as_deref())).unwrap();
                prop_assert_eq!(again.position, placed.position);
            }
        }
    }

    #[test]
    fn positions_round_trip(text in any_position()) {
        let game = samples::counting();
        let position = parse(&game, &text).unwrap().position;
        let written = write(&game, &position);
        prop_assert_eq!(parse(&game, &written).unwrap().position, position);
    }
}
