//! Positions with pieces that stand on one another: their texts, the same with colors exchanged, and their copies. How they
//! are played is tested in `plays/heaps.play`.

use crate::common::game;
use astragal_core::{Position, Side, Square};
use astragal_dsl::Loaded;
use astragal_dsl::notation::fen;
use astragal_dsl::symmetry::{Flip, Symmetry};

/// A way of six stations on the lower rank, with room for any number on each.
const WAY: &str = r#"title("Heaps"); board(6, 2, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", "mW");
    piece("tower", "T", "dK"); hands("owner"); track("way", "a1-f1", #{ same_for_all: true });"#;

fn script(setup: &str, rules: &str) -> Loaded {
    game(&format!("{WAY} setup(\"{setup}\"); {rules}"))
}

#[test]
fn positions_say_what_lies_beneath() {
    let loaded = script("6/M5 w", "");
    let variant = &loaded.set.variant;
    let read = |text: &str| fen::parse(variant, text).map(|placed| placed.position);
    let one = read("6/M1m3 w under=a1:2mMT,c1:M").expect("a position");
    let beneath: String = one.beneath(Square(0)).map(|piece| fen::letter(variant, piece)).collect();
    assert_eq!(beneath, "mmMT");
    assert_eq!((one.height(Square(0)), one.height(Square(2)), one.height(Square(1))), (5, 2, 0));
    assert_eq!(fen::write(variant, &one), "6/M1m3[] w - - 0 1 under=a1:2mMT,c1:M");
    // Order and level count: each of these is another position.
    let others = ["6/M1m3 w under=a1:2mTM,c1:M", "6/M1m3 w under=a1:2mMT", "6/M1m3 w", "6/M1m3 w under=a1:M,c1:2mMT"];
    for other in others {
        let other = read(other).expect("a position");
        assert_ne!(one.hash(), other.hash());
        assert_ne!(one, other);
    }
    let error = |text: &str| read(text).expect_err(text).to_string();
    assert!(error("6/M5 w under=b1:M").contains("a square with a piece"));
    assert!(error("6/M5 w under=a1").contains("as in 'a1:2Mm'"), "{}", error("6/M5 w under=a1"));
    assert!(error("6/M5 w under=a1:").contains("a piece"), "{}", error("6/M5 w under=a1:"));
    assert!(error("6/M5 w under=a1:M,a1:M").contains("each square at most once"));
    assert!(error("6/M5 w under=a1:X").contains("a piece"));
    assert!(error("6/M5 w under=z1:M").contains("z1") || error("6/M5 w under=z1:M").contains("a1 to f2"));
    assert!(error("6/M5 w under=a1:0M").contains("a number of pieces"));
    for many in ["1001M", "99999999999999999999M", "600M,"] {
        assert!(read(&format!("6/M5 w under=a1:{many}")).is_err(), "{many}");
    }
    assert!(read("6/M5 w under=a1:1000M").is_ok());
    assert!(error("6/M5 w under=a1:M under=a1:M").contains("once"));
}

/// Exchanging colors twice gives the same position, and heaps are turned with it.
#[test]
fn heaps_are_exchanged_with_the_colors() {
    let loaded = script("6/M1m3 w under=a1:2mMT,c1:M", "");
    let flip = Flip::new(&loaded.set.variant, Symmetry::Mirrored).expect("a board that can be turned");
    let flipped = flip.position(&loaded.start);
    assert_eq!(fen::write(&loaded.set.variant, &flipped), "m1M3/6[] b - - 0 1 under=a2:2Mmt,c2:m");
    assert_eq!(flip.position(&flipped), loaded.start);
    assert_eq!(flip.position(&flipped).hash(), loaded.start.hash());
}

/// A position that is cloned into the memory of another keeps its own heaps.
#[test]
fn copies_have_their_own_heaps() {
    let loaded = script("6/M1m3 w under=a1:2mM", "");
    let variant = &loaded.set.variant;
    let mut copy = Position::empty(variant);
    copy.clone_from(&loaded.start);
    assert_eq!(copy, loaded.start);
    copy.take(variant, Square(0));
    assert_eq!((copy.height(Square(0)), loaded.start.height(Square(0))), (3, 4));
    copy.take_heap(variant, Square(0));
    copy.take_heap(variant, Square(2));
    let mut empty = Position::empty(variant);
    empty.set_side(variant, Side(0));
    assert_eq!(copy.hash(), empty.hash());
}
