use super::*;

fn named(text: &str) -> Option<Origin> {
    origin(&pgn::parse(text).unwrap()[0])
}

#[test]
fn every_name_means_a_variant_that_can_be_loaded() {
    let all: Vec<Row> = rows().collect();
    let lines = OTHER_NAMES.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(all.len(), lines, "every line is understood");
    for row in all {
        let Origin { variant, options, .. } = row.origin;
        crate::load_named(&variant, &options).unwrap_or_else(|error| panic!("{}: {error}", row.value));
    }
}

#[test]
fn records_say_what_they_are() {
    assert_eq!(named("1. e4 *").unwrap().variant, "chess");
    assert_eq!(named("[Event \"Casual\"]\n[Variant \"From Position\"]\n\n*").unwrap().variant, "chess");
    assert_eq!(named("[Game \"Chinese Chess\"]\n\n1. H2-E2 *").unwrap().variant, "xiangqi");
    let ours = named("[Variant \"xiangqi\"]\n[Seed \"5\"]\n\n*").unwrap();
    assert!(ours.options.is_empty() && ours.letters.is_empty());
    assert!(!named("[Variant \"xiangqi\"]\n\n*").unwrap().letters.is_empty());
    assert_eq!(named("1. {[%roll 2,3]} Nc3 *"), None, "a game with dice that does not say which");
    assert_eq!(named("[Variant \"Losers\"]\n\n*").unwrap().variant, "Losers");
}

#[test]
fn long_forms_are_shortened() {
    for (long, short) in [("H2-E2", "h2e2"), ("e2-e4", "e2e4"), ("Ng1-f3+", "g1f3"), ("e7xd8q", "e7d8q")] {
        assert_eq!(plain_coordinates(long).as_deref(), Some(short));
    }
    assert_eq!(plain_coordinates("C3C4").as_deref(), Some("c3c4"));
    assert_eq!(plain_coordinates("O-O"), None);
}
