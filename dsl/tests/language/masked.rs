//! Positions as one side sees them: read back, drawn, and played on from.

use astragal_core::{Event, Game, Side, Status, Stream};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, load, load_named, masked, view};
use std::sync::Arc;

/// Men whose rank only their owner knows; how many there are of each rank is no secret.
const RANKS: &str = r#"
    title("Ranks"); board(4, 4); sides(["White", "Black"]); royals("capturable");
    piece("man", "M", "W"); piece_trait("rank", 1, #{ secret: "count" });
    counter("card", 3, #{ each: true, secret: true });
    setup("mmmm/4/4/MMMM w - - 0 1 rank=a1:2,b1:5,a4:2,d4:7");
    fn turn() { let mv = play(any()); set("card", mover(), roll("1d6", #{ secret: true })); }
"#;

/// Dice rolled in secret at the beginning of a turn.
const DICE: &str = r#"
    title("Dice"); board(3, 3); sides(["White", "Black"]); royals("capturable"); piece("man", "M", "W");
    setup("mm1/3/1MM w");
    fn turn() {
        let dice = roll("2d6", #{ secret: true });
        play_each(dice, |die| if die < 4 { any() } else { from(squares("a1-b3")) }, #{ spend: "any" });
    }
"#;

fn script(text: &str) -> Loaded {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    load(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

fn begin(loaded: &Loaded) -> Game {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 2).expect("a game")
}

fn open(loaded: &Loaded, text: &str, seed: u64) -> Result<Game, String> {
    let placed = fen::parse(&loaded.set.variant, text).map_err(|error| error.to_string())?;
    masked::begin(loaded, placed, seed)
}

/// A random event happens.
fn go_on(game: &mut Game, random: &mut Stream) {
    let state = game.state();
    let pick = random.below(state.replies().max(1) as u64) as usize;
    match game.status() {
        Status::Chance => drop(game.roll().expect("a roll")),
        _ if pick < state.moves().len() => game.apply(&Event::Move(state.moves()[pick])).expect("a move"),
        _ => game.apply(&Event::Choice(pick - state.moves().len())).expect("a choice"),
    }
}

/// What a side sees at the beginning of a turn can be read back: the game drawn from it looks the same to that side, is the
/// same for the same seed, and can be continued.
#[test]
fn a_view_leads_to_a_game_that_looks_the_same() {
    let games =
        [load_named("ghosts", &[]), load_named("secret-dice", &[])].map(|loaded| loaded.expect("a gallery game"));
    for loaded in games.into_iter().chain([script(RANKS)]) {
        for seed in 0..3 {
            let (mut game, mut random, mut turn) = (begin(&loaded), Stream::new(seed, 9), 0);
            let mut others = 0;
            for _ in 0..60 {
                go_on(&mut game, &mut random);
                if game.status() == Status::Over {
                    break;
                }
                if game.state().turn() == turn || game.entries().len() < 12 {
                    continue;
                }
                turn = game.state().turn();
                for viewer in [Side(0), Side(1)] {
                    let text = view::position(&loaded, &game, Some(viewer));
                    assert!(text.contains('?'), "{text}");
                    let drawn =
                        open(&loaded, &text, seed).unwrap_or_else(|why| panic!("{}: {text}: {why}", loaded.name));
                    assert_eq!(view::position(&loaded, &drawn, Some(viewer)), text, "{}", loaded.name);
                    let again = open(&loaded, &text, seed).expect("the same again");
                    let whole = |game: &Game| view::position(&loaded, game, None);
                    assert_eq!(whole(&drawn), whole(&again), "{}", loaded.name);
                    others += usize::from(
                        (1..20).any(|other| open(&loaded, &text, other).is_ok_and(|o| whole(&o) != whole(&drawn))),
                    );
                    let mut on = drawn;
                    for _ in 0..4 {
                        if on.status() != Status::Over {
                            go_on(&mut on, &mut random);
                        }
                    }
                }
            }
            assert!(others > 0, "{}: other seeds draw other worlds", loaded.name);
        }
    }
}

/// For counted traits, the text says how many pieces have each value, and just as many have it in each world.
#[test]
fn counts_of_what_is_hidden_are_told_and_kept() {
    let loaded = script(RANKS);
    let text = view::position(&loaded, &begin(&loaded), Some(Side(0)));
    assert_eq!(text, "mmmm/4/4/MMMM w - - 0 1 card=3/? rank=a1:2,b1:5,?b:1x2+2x1+7x1");
    let mut places = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let game = open(&loaded, &text, seed).unwrap_or_else(|why| panic!("{why}"));
        let (variant, position) = (&loaded.set.variant, game.state().position());
        assert_eq!(position.trait_counts(variant, 0, Side(1)), [(1, 2), (2, 1), (7, 1)]);
        assert_eq!(
            position.trait_counts(variant, 0, Side(0)),
            [(1, 2), (2, 1), (5, 1)],
            "one's own are as they are said"
        );
        places.extend(position.of(Side(1)).into_iter().find(|&square| position.trait_at(variant, 0, square) == 7));
        // A card is what random games make it: 3 at first, then a die's face.
        assert!((1..=6).contains(&position.counter(variant, 0, Side(1))));
    }
    assert_eq!(places.len(), 4, "the 7 may stand anywhere");
}

/// Dice that another side rolled in secret are drawn from all that it may have rolled.
#[test]
fn hidden_dice_are_rolled() {
    let loaded = script(DICE);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let game = open(&loaded, "mm1/3/1MM w - - 0 1 ?,?", seed).unwrap_or_else(|why| panic!("{why}"));
        seen.insert(game.start_dice().to_vec());
    }
    assert!(seen.len() > 10 && seen.iter().all(|dice| dice.len() == 2), "{seen:?}");
    let why = open(&loaded, "mm1/3/1MM w - - 0 1 ?,?,?", 1).map(drop).expect_err("no roll of three");
    assert!(
        why.contains("the number of hidden dice ('?') is 3")
            && why.contains("does not begin with a roll of that many dice"),
        "{why}"
    );
}

/// Impossible views are refused in words, whatever is written; nothing panics.
#[test]
fn views_that_cannot_be_are_refused() {
    let loaded = script(RANKS);
    let at = |fields: &str| format!("mmmm/4/4/MMMM w - - 0 1 {fields}");
    let refused = [
        ("rank=?b:1x2", "2 hidden values of 'rank' are listed, but 4 pieces have a hidden value"),
        ("rank=?b:1x4294967295+2x4294967295", "hidden values of 'rank' are listed"),
        ("rank=?", "as in 'rank=?b'"),
        ("rank=?z", "'?' and the letter of the side"),
        ("rank=?b:1", "'?' and the letter of the side"),
        ("rank=?b:x", "'?' and the letter of the side"),
        ("rank=?b:99999x1", "'?' and the letter of the side"),
        ("rank=?bb", "'?' and the letter of the side"),
        ("rank=?b:1x-4", "'?' and the letter of the side"),
    ];
    for (fields, expected) in refused {
        let why = open(&loaded, &at(fields), 1).map(drop).expect_err(fields);
        assert!(why.contains(expected), "{fields}: {why}");
    }
    let dice = load_named("secret-dice", &[]).expect("a gallery game");
    let pool = |held: &str| format!("4k3/8/8/8/8/8/8/4K2R w - - 0 1 dice=1,0,0,0,0,1/?{held}");
    assert!(open(&dice, &pool("3"), 1).is_ok());
    for held in ["40000", "65535", "99999999999", "-1", "x"] {
        assert!(open(&dice, &pool(held), 1).is_err(), "{held}");
    }
    // Whatever is cut off or doubled, there is a game or a sentence.
    let whole = at("card=3/? rank=a1:2,b1:5,?b:1x2+2x1+7x1");
    for end in 0..whole.len() {
        let _ = open(&loaded, &whole[..end], 1);
        let _ = open(&loaded, &format!("{}?{}", &whole[..end], &whole[end..]), 1);
    }
}

/// What one side sees while a game is being prepared does not say how far the preparation has come: it is refused, not
/// taken for complete.
#[test]
fn a_view_amid_the_preparation_is_not_played_on_from() {
    let loaded = script(
        r#"board(3, 3); piece("man", "M", "W"); setup("3/3/M1m w"); counter("card", 0, #{ each: true, secret: true });
        fn prepare() { set("card", mover(), roll("1d6", #{ secret: true })); choose(["a", "b"]); place("a3", mover(), "man"); }
        fn turn() { play(any()); }"#,
    );
    let mut game = begin(&loaded);
    game.roll().expect("a roll");
    let amid = view::position(&loaded, &game, Some(Side(1)));
    assert_eq!(amid, "3/3/M1m w - - 0 1 card=?/0 prepare=?");
    assert!(fen::parse(&loaded.set.variant, &amid).is_ok(), "you can draw it");
    let refused = open(&loaded, &amid, 1).err().expect("not played on from");
    assert!(refused.contains("before the first turn") && refused.contains("view all"), "{refused}");
    game.choose(0).expect("a choice");
    let behind = view::position(&loaded, &game, Some(Side(1)));
    assert_eq!(behind, "M2/3/M1m w - - 0 1 card=?/0");
    assert!(open(&loaded, &behind, 1).is_ok());
}
