//! Hidden information: nothing that is shown to a side contains what it may not know.

use astragal_core::{Game, Side, Status};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, game_text, load, record, turn_state_text, view};
use std::sync::Arc;

/// Each side rolls a die in secret; then it claims to have the higher one, or not.
const CARDS: &str = include_str!("../../../tests/data/scripts/secret-cards.rhai");

/// Dice in secret in a variant without other secrets.
const DICE: &str = r#"
    title("Dice"); board(3, 3); sides(["First", "Second"]); royals("capturable");
    piece("man", "M", "W");
    setup("mm1/3/1MM w");
    fn turn() {
        let dice = roll("2d2", #{secret: true});
        play_each(dice, |die| if die == 1 { from(squares("a1-b3")) } else { any() }, #{spend: "any"});
        let more = cast("1d20", #{secret: true});
        if more.total > 19 { win(mover(), "luck") }
    }
"#;

fn game(text: &str) -> (Loaded, Game) {
    let source = Source { name: "game".into(), path: None, text: text.into() };
    // The cards with all secrets that there are.
    let all = [("secrets".into(), "all".into())];
    let options = if text == CARDS { &all[..] } else { &[] };
    let loaded = load(&source, options).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 3).expect("a game");
    (loaded, game)
}

const FIRST: Option<Side> = Some(Side(0));
const SECOND: Option<Side> = Some(Side(1));

/// The full text leads to the same game again.
fn round_trip(loaded: &Loaded, game: &Game) {
    let text = view::position(loaded, game, None);
    let placed = fen::parse(&loaded.set.variant, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let again = turn_state_text::begin(loaded, placed, 0).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.state().fingerprint(), game.state().fingerprint(), "{text}");
    assert_eq!(again.state().rolled_in_secret(), game.state().rolled_in_secret(), "{text}");
    assert_eq!(view::position(loaded, &again, None), text);
    for viewer in [FIRST, SECOND] {
        assert_eq!(view::position(loaded, &again, viewer), view::position(loaded, game, viewer));
    }
}

#[test]
fn a_secret_counter_is_its_owners() {
    let (loaded, mut game) = game(CARDS);
    assert!(view::has_secrets(&game) && game.state().secret().is_some());
    // The field is there before anything was rolled: its coming would tell something.
    assert_eq!(view::position(&loaded, &game, FIRST), "m2/3/2M w - - 0 1 card=0/? deck=? mark=c1:6,?b");
    game.set_roll(&[4]).expect("a roll");
    round_trip(&loaded, &game);
    assert_eq!(game.entries()[0].secret, FIRST);
    assert_eq!(view::position(&loaded, &game, FIRST), "m2/3/2M w - - 0 1 card=4/? deck=? mark=c1:6,?b");
    assert_eq!(view::position(&loaded, &game, SECOND), "m2/3/2M w - - 0 1 card=?/0 deck=? mark=a3:5,?w");
    assert_eq!(view::own_secrets_text(game.state(), Side(0)), "card=4 mark=c1:6");
    assert!(view::position(&loaded, &game, None).contains(" card=4/0 mark=c1:6,a3:5 "));
    assert!(view::knows_options(game.state(), FIRST) && view::knows_options(game.state(), None));
    assert!(!view::knows_options(game.state(), SECOND));
    game.choose(1).expect("a choice");
    round_trip(&loaded, &game);
    game.set_roll(&[6]).expect("a roll");
    round_trip(&loaded, &game);
    assert!(view::position(&loaded, &game, FIRST).contains(" card=4/? "));
    let texts = |viewer| record::turns_for(&game, viewer).into_iter().map(|t| t.text()).collect::<Vec<_>>();
    assert_eq!(texts(FIRST), ["[4] wait", "[?]"]);
    assert_eq!(texts(SECOND), ["[?] wait", "[6]"]);
    assert_eq!(texts(None), ["[4] wait", "[6]"]);
    game.choose(0).expect("a choice");
    assert_eq!(game_text::result(game.state()).as_deref(), Some("Second wins: claimed."));
    let written = record::write(&loaded, &game, &[]);
    let (_, read) = record::read(&written, |_, _| Ok(loaded.clone())).expect("the record");
    assert_eq!(read.entries(), game.entries());
}

#[test]
fn what_others_see_does_not_depend_on_the_dice() {
    let views: Vec<_> = (1..=6)
        .map(|face| {
            let (loaded, mut game) = game(CARDS);
            let before = game.state().clone();
            game.set_roll(&[face]).expect("a roll");
            let event = view::event_text(&before, &game.entries()[0].event, SECOND);
            assert_eq!(event, "First rolls in secret.");
            let own = view::event_text(&before, &game.entries()[0].event, FIRST);
            assert_eq!(own, format!("Roll of 1d6: {face}."));
            (view::position(&loaded, &game, SECOND), view::pending(game.state(), SECOND))
        })
        .collect();
    assert!(views.windows(2).all(|pair| pair[0] == pair[1]), "{views:?}");
}

#[test]
fn a_secret_roll_hides_its_dice_and_what_they_permit() {
    let (loaded, mut game) = game(DICE);
    game.set_roll(&[1, 2]).expect("a roll");
    assert_eq!(view::position(&loaded, &game, FIRST), "mm1/3/1MM w - - 0 1 1,2");
    assert_eq!(view::position(&loaded, &game, SECOND), "mm1/3/1MM w - - 0 1 ?,?");
    round_trip(&loaded, &game);
    assert!(!view::knows_options(game.state(), SECOND));
    game.pass().expect("a pass");
    assert!(game.state().secret().is_some() && game.status() == Status::Chance);
    round_trip(&loaded, &game);
    game.set_roll(&[3]).expect("a roll");
    assert!(!game.state().rolled_in_secret(), "another turn has begun");
    assert_eq!(game.entries().iter().map(|entry| entry.secret).collect::<Vec<_>>(), [FIRST, None, FIRST]);
    assert!(view::has_secrets(&game));
}

#[test]
fn the_words_are_checked() {
    for (text, expected) in [
        (r#"counter("a", 0, #{secrt: true});"#, "secret"),
        (r#"piece_trait("a", 0, #{hidden: true});"#, "the options of `piece_trait()` are: secret"),
        (r#"counter("a", 0, #{secret: 1});"#, "true, false"),
    ] {
        let source = Source { name: "game".into(), path: None, text: text.into() };
        let error = load(&source, &[]).err().expect("an error").render(false);
        assert!(error.contains(expected), "{error}");
    }
}

/// Two dice each that only their owner sees; the other sees how many.
const POOL: &str = r#"
    title("Pool"); board(3, 3); sides(["First", "Second"]); royals("capturable");
    piece("man", "M", "W"); piece_trait("mark", 0, #{secret: true});
    counter("dice", 0, #{each: true, places: 4, secret: "count"}); counter("open", 1);
    setup("mm1/3/1MM w - - 0 1 dice=1,0,1,0/0,2,0,1 mark=a3:2");
    fn turn() { play(any()) }
"#;

#[test]
fn of_a_pool_others_see_how_many_it_holds() {
    let (loaded, game) = game(POOL);
    let views = [
        (FIRST, "mm1/3/1MM w - - 0 1 dice=1,0,1,0/?3 mark=?b"),
        (SECOND, "mm1/3/1MM w - - 0 1 dice=?2/0,2,0,1 mark=a3:2,?w"),
    ];
    for (viewer, text) in views {
        assert_eq!(view::position(&loaded, &game, viewer), text);
    }
}

#[test]
fn a_view_is_read_as_what_it_is() {
    let (loaded, game) = game(POOL);
    let text = view::position(&loaded, &game, FIRST);
    let placed = fen::parse(&loaded.set.variant, &text).expect("a view");
    let masked = |name: &str, owner, count| fen::Masked { name: name.into(), owner, count, values: None };
    assert_eq!(placed.masked, [masked("dice", SECOND, Some(3)), masked("mark", SECOND, None)]);
    // What it tells is there, so that it can be drawn.
    let variant = &loaded.set.variant;
    assert_eq!(
        (0..4).map(|place| placed.position.counter_at(variant, 0, place, Side(0))).collect::<Vec<_>>(),
        [1, 0, 1, 0]
    );
    // The rules would take what is kept back for its initial value: that is refused, with the reason.
    let refused = turn_state_text::begin(&loaded, placed, 0).map(|_| ()).expect_err("no game");
    assert!(refused.starts_with("this position is one side's view: it hides 'dice' of Second ('?')"), "{refused}");
    // Nor is there a `?` where nothing is secret.
    let wrong = fen::parse(variant, "mm1/3/1MM w - - 0 1 open=?").expect_err("no secret");
    assert_eq!(wrong.expected, "a number");
    // The whole is never taken for a view.
    let whole = view::position(&loaded, &game, None);
    assert_eq!(fen::parse(variant, &whole).expect("the whole").masked, []);
    // Dice rolled in secret are kept back as well.
    let (loaded, mut game) = self::game(DICE);
    game.set_roll(&[1, 2]).expect("a roll");
    let text = view::position(&loaded, &game, SECOND);
    assert!(text.ends_with(" ?,?"), "{text}");
    let placed = fen::parse(&loaded.set.variant, &text).expect("a view");
    assert_eq!(placed.masked, [masked("dice", FIRST, None)]);
}

#[test]
fn only_pools_are_counted() {
    let text = POOL.replace("counter(\"open\", 1);", "counter(\"open\", 1, #{secret: \"count\"});");
    let source = Source { name: "game".into(), path: None, text };
    let Err(error) = load(&source, &[]) else { panic!("a counter without places holds no pool") };
    assert!(error.render(false).contains("write `secret: true`"), "{}", error.render(false));
}

/// Dice that one side rolls and only another one sees are described as such.
#[test]
fn dice_shown_to_another_side_alone_are_told_as_that() {
    let (_, mut game) = game(
        r#"board(3, 3); sides(["First", "Second"]); piece("man", "M", "W"); setup("mm1/3/1MM w");
        fn turn() { roll("1d6", #{ secret: opponent() }); play(any()); }"#,
    );
    let before = game.state().clone();
    game.set_roll(&[5]).expect("a roll");
    let event = game.entries()[0].event.clone();
    assert_eq!(view::event_text(&before, &event, FIRST), "First rolls; only Second sees the result.");
    assert_eq!(view::event_text(&before, &event, SECOND), "Roll of 1d6: 5.");
}
