use super::*;
use crate::drawing::board::{BoardDrawing, Theme, draw as board, rows};
use crate::drawing::{numbers, svg};
use crate::encoding::{Actions, Observation};
use astragal_core::{Game, Side};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, load_named};
use std::sync::Arc;

fn puluc(text: &str) -> (Loaded, Position) {
    let loaded = load_named("puluc", &[]).expect("a script");
    let position = fen::parse(&loaded.set.variant, text).expect("a position").position;
    (loaded, position)
}

#[test]
fn heaps_are_told_in_words_from_the_top_down() {
    let (loaded, position) = puluc("1m2M5M w under=b1:2MmM,e1:m");
    let variant = &loaded.set.variant;
    let told = |name: &str| words(variant, &position, variant.board().parse(name).expect("a square"));
    assert_eq!(told("b1").as_deref(), Some("on white man, black man, 2 white man"));
    assert_eq!(told("e1").as_deref(), Some("on black man"));
    assert_eq!(told("k1"), None);
    assert_eq!(told("c1"), None);
    let beside = numbers::lines(variant, &position, None);
    assert!(beside.contains("heaps: b1 on white man, black man, 2 white man; e1 on black man\n"), "{beside}");
}

#[test]
fn boards_show_how_high_heaps_are() {
    let (loaded, position) = puluc("1m2M5M w under=b1:2MmM,e1:m");
    let variant = &loaded.set.variant;
    let theme = Theme::default();
    let row = &rows(&BoardDrawing::plain(variant, &position), theme)[0];
    assert!(row.contains("m5 .  .  M2") && row.trim_end().ends_with('M'), "{row}");
    assert!(board(variant, &position, theme).contains("m5"));
    let drawn = svg::lay_out(&BoardDrawing::plain(variant, &position), theme, &[]).svg;
    assert!(drawn.contains("<title>height 5</title>") && drawn.contains("<title>height 2</title>"), "{drawn}");
    // All pieces of the heaps are drawn; each piece on top has a disc of its own.
    let discs = |text: &str| {
        let (loaded, position) = puluc(text);
        svg::lay_out(&BoardDrawing::plain(&loaded.set.variant, &position), theme, &[]).svg.matches("<circle").count()
    };
    assert_eq!(discs("1m2M5M w under=b1:2MmM,e1:m") - discs("1m2M5M w"), 4 + 1);
}

#[test]
fn planes_count_what_lies_beneath() {
    let (loaded, position) = puluc("1m2M5M w under=b1:2MmM,e1:m");
    let variant = &loaded.set.variant;
    let game = Game::new(Arc::clone(&loaded.set), position, 1).expect("a game");
    let (actions, observation) = (Actions::new(variant), Observation::new(variant));
    let mut out = vec![0.0; observation.len()];
    observation.write(&actions, game.state(), &[], None, Some(Side(0)), &mut out);
    let plane = |name: &str| {
        let index = observation.planes().iter().position(|plane| plane == name).expect("a plane");
        &out[11 * index..][..11]
    };
    let values = |pairs: &[(usize, f32)]| {
        let mut all = [0.0; 11];
        pairs.iter().for_each(|&(square, value)| all[square] = value);
        all
    };
    assert_eq!(plane("White man"), values(&[(4, 1.0), (10, 1.0)]));
    assert_eq!(plane("Black man"), values(&[(1, 1.0)]));
    assert_eq!(plane("White man beneath"), values(&[(1, 3.0)]));
    assert_eq!(plane("Black man beneath"), values(&[(1, 1.0), (4, 1.0)]));
}
