use super::*;
use crate::variant_cache::VariantCache;
use astragal_dsl::notation::fen;

fn shown(name: &str, position: &str) -> String {
    let loaded = VariantCache::new().load(name, &[]).unwrap();
    let placed = fen::parse(&loaded.set.variant, position).unwrap();
    lines(&loaded.set.variant, &placed.position, None)
}

#[test]
fn nothing_special_is_not_shown() {
    assert_eq!(shown("marad", "9/9/9/9/4K4/9/9/9/9 f"), "");
    assert_eq!(shown("chess-or-die", "4k3/8/8/8/8/8/8/4K3 w"), "");
}

#[test]
fn counters_dice_and_traits_are_shown() {
    assert_eq!(
        shown("marad", "9/9/9/9/4K4/9/9/9/9 f - - 0 1 steps=3 score=0/2"),
        "steps: 3\nscore: First 0, Second 2\n"
    );
    let dice = shown("chess-variant-6", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 dice=1,0,2,0,0,1/0,0,0,0,0,0");
    assert_eq!(dice, "dice: White 1 3 3 6, Black none\n");
    let hurt = shown("chess-or-die", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 health=e1:4,e2:1,e8:4");
    assert_eq!(hurt, "health: 4 on e1 e8\n");
}

#[test]
fn secrets_are_not_shown() {
    let held = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 dice=1,0,2,0,0,0/0,0,0,0,0,1";
    assert_eq!(shown("secret-dice", held), "dice: White 3 hidden, Black 1 hidden\n");
}

#[test]
fn a_view_shows_what_it_tells_and_calls_the_rest_hidden() {
    let loaded = VariantCache::new().load("secret-dice", &[]).unwrap();
    let view = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 dice=1,0,2,0,0,0/?2";
    let placed = fen::parse(&loaded.set.variant, view).unwrap();
    let shown = lines(&loaded.set.variant, &placed.position, Some(&placed.masked));
    assert_eq!(shown, "dice: White 1 3 3, Black 2 hidden\n");
}

#[test]
fn marks_on_squares_are_shown() {
    let script = r#"board(3, 3); sides(["White", "Black"]); piece("man", "M", "W"); setup("3/3/M2 w");
        marks("burnt"); marks("claimed", #{ each: true });"#;
    let source = astragal_dsl::Source { name: "marks".into(), path: None, text: script.into() };
    let loaded = astragal_dsl::load(&source, &[]).unwrap();
    let shown = |fields: &str| {
        let placed = fen::parse(&loaded.set.variant, &format!("3/3/M2 w - - 0 1{fields}")).unwrap();
        lines(&loaded.set.variant, &placed.position, None)
    };
    assert_eq!(shown(""), "");
    assert_eq!(shown(" burnt=b2,a1 claimed=-/c3"), "burnt: a1 b2\nclaimed: Black c3\n");
}

#[test]
fn values_have_their_names() {
    let loaded = VariantCache::new().load("ghosts", &[]).unwrap();
    let view = "1gggg1/1gggg1/6/6/1GGGG1/1GGGG1 w - - 0 1 nature=b1:1,?b";
    let placed = fen::parse(&loaded.set.variant, view).unwrap();
    let shown = lines(&loaded.set.variant, &placed.position, Some(&placed.masked));
    assert!(shown.contains("nature: evil on b1, Black hidden\n"), "{shown}");
}
