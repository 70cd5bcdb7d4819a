use super::*;
use proptest::prelude::*;

const SAMPLE: &str = r#"[Event "The \"big\" one \\ second"]
[Site "?"]

1. {[%roll 4,4]} e4 {[%roll 2,3] good [%clk 0:01:00]} Nc6 $1
2. Bc4! (2. Nf3?! Nf6 (2... d5)) 2... Rb8 ; to the end } of the line
% skipped { ( line
3. {[%roll 2,4]} -- a8=Q+ bxc6 e.p. 0-0 P@e4# 1-0
"#;

fn items(text: &str) -> Vec<Item> {
    parse(text).unwrap()[0].items.iter().map(|e| e.item.clone()).collect()
}

fn mv(text: &str) -> Item {
    Item::Move(text.into())
}

fn number(number: u32, continued: bool) -> Item {
    Item::Number { number, continued }
}

fn roll(args: &str) -> Item {
    Item::Command { name: "roll".into(), args: args.into() }
}

#[test]
fn a_record_is_read() {
    let games = parse(SAMPLE).unwrap();
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!(game.tag("Event"), Some("The \"big\" one \\ second"));
    assert_eq!((game.tags.len(), game.result.as_str()), (2, "1-0"));
    let clock = Item::Command { name: "clk".into(), args: "0:01:00".into() };
    let inner = Item::Variation(vec![number(2, true).into(), mv("d5").into()]);
    let variation = [number(2, false), mv("Nf3"), Item::Nag(6), mv("Nf6"), inner].map(SpannedItem::from);
    let expected = [
        vec![
            number(1, false),
            roll("4,4"),
            mv("e4"),
            roll("2,3"),
            Item::Comment("good".into()),
            clock,
            mv("Nc6"),
            Item::Nag(1),
        ],
        vec![
            number(2, false),
            mv("Bc4"),
            Item::Nag(1),
            Item::Variation(variation.to_vec()),
            number(2, true),
            mv("Rb8"),
        ],
        vec![Item::Comment("to the end } of the line".into()), number(3, false), roll("2,4"), Item::Pass],
        vec![mv("a8=Q+"), mv("bxc6"), mv("0-0"), mv("P@e4#")],
    ];
    assert_eq!(items(SAMPLE), expected.concat());
    assert_eq!(game.items[2].line, 4);
    assert_eq!(&SAMPLE[game.items[2].span.clone()], "e4");
    assert_eq!(game.items.last().unwrap().line, 7);
    assert_eq!(parse(&write(game)).unwrap(), games);
}

#[test]
fn several_games_and_broken_off_ones() {
    let text = "[A \"1\"]\n1. e4 e5\n[A \"2\"]\n\n1/2-1/2\n\n[A \"3\"]\n1. d4";
    let games = parse(text).unwrap();
    let results: Vec<&str> = games.iter().map(|g| g.result.as_str()).collect();
    assert_eq!(results, ["*", "1/2-1/2", "*"]);
    assert_eq!(games.iter().map(|g| g.items.len()).collect::<Vec<_>>(), [3, 0, 2]);
    assert_eq!(parse("").unwrap(), []);
    assert_eq!(parse("\u{feff}*").unwrap().len(), 1);
    let all: String = games.iter().map(|game| write(game) + "\n").collect();
    assert_eq!(parse(&all).unwrap(), games);
}

#[test]
fn small_things() {
    assert_eq!(
        items("1.e4 1...e5 2 . Nf3"),
        [number(1, false), mv("e4"), number(1, true), mv("e5"), number(2, false), mv("Nf3")]
    );
    assert_eq!(
        items("{a [%not closed} {} {[% x]} e4"),
        [Item::Comment("a [%not closed".into()), Item::Comment("[% x]".into()), mv("e4")]
    );
    assert_eq!(items("bxc6e.p. +Pe4 Z0 O-O-O"), [mv("bxc6e.p."), mv("+Pe4"), Item::Pass, mv("O-O-O")]);
    assert_eq!(items("{several\n\n  lines}"), [Item::Comment("several lines".into())]);
}

#[test]
fn errors_have_line_and_column() {
    let deep = "(".repeat(240);
    for (text, line, column, part) in [
        ("1. e4 {never closed", 1, 7, "closes this comment"),
        ("1. e4\n (2. d4", 2, 2, "closes this variation"),
        ("1. e4\n (2. d4 1-0", 2, 2, "closes this variation"),
        ("1. e4\n)", 2, 1, "'(' before"),
        ("[White Anna]", 1, 1, "a tag such as"),
        ("[White \"Anna]\n", 1, 1, "a tag such as"),
        ("1. [2,3] Nc6", 1, 4, "%roll"),
        ("1. e4 %x", 1, 7, "start of a line"),
        ("e4 $256", 1, 4, "$255"),
        ("99999999999. e4", 1, 1, "a round number"),
        ("1. e4 é5", 1, 7, "a tag, a move"),
        (&deep, 1, 201, "at most 200"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.line(), error.column()), (line, column), "{error}");
        assert!(error.render().contains(part), "{error}");
    }
}

#[test]
fn lines_are_wrapped() {
    let mut game = PgnGame::default();
    for n in 1..200 {
        game.push(number(n, false));
        game.push(roll("1,6"));
        game.push(mv("Nf3"));
        game.push(Item::Comment("a comment of some words".into()));
    }
    let text = write(&game);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert_eq!(parse(&text).unwrap()[0].items, game.items);
}

fn any_items() -> impl Strategy<Value = Vec<SpannedItem>> {
    let leaf = prop_oneof![
        (0..500_u32, any::<bool>()).prop_map(|(n, continued)| number(n, continued)),
        "[NBRQK]?[a-h][1-8](=Q)?[+#]?".prop_map(Item::Move),
        Just(Item::Pass),
        "[a-z}%;(\\[]{1,9}( [a-z\"{]{1,30}){0,3}".prop_map(Item::Comment),
        ("[a-z]{1,5}", "[0-9,:]{0,9}").prop_map(|(name, args)| Item::Command { name, args }),
        any::<u8>().prop_map(Item::Nag),
    ];
    let item = leaf.prop_recursive(3, 30, 6, |inner| {
        proptest::collection::vec(inner, 0..6)
            .prop_map(|items| Item::Variation(items.into_iter().map(SpannedItem::from).collect()))
    });
    proptest::collection::vec(item.prop_map(SpannedItem::from), 0..40)
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*|[a-hNx0-9 .{}()\\[%\\];$!?*\"\n-]{0,60}") {
        match parse(&text) {
            Ok(games) => {
                let again: String = games.iter().map(write).collect();
                prop_assert_eq!(parse(&again).unwrap(), games);
            }
            Err(error) => prop_assert!(!error.render().is_empty()),
        }
    }

    #[test]
    fn games_round_trip(
        tags in proptest::collection::vec(("[A-Z][a-z]{0,8}", "[ -~é]{0,20}"), 0..4),
        items in any_items(),
        result in prop_oneof![Just("1-0"), Just("0-1"), Just("1/2-1/2"), Just("*")],
    ) {
        let game = PgnGame { tags, items, result: result.into() };
        let text = write(&game);
        prop_assert_eq!(parse(&text).unwrap_or_else(|e| panic!("{}\n{text}", e.render())), vec![game]);
    }
}
