//! Whole games with heaps. Two games of the gallery that give each man a square of his own are compared, move by move, with
//! the same rules on a board that has one square for each point. Other tests check what must hold of every position in
//! random games.

use crate::common::game;
use astragal_core::{Event, Game, MoveWithDice, Position, Side, Square, Status, Stream, Variant};
use astragal_dsl::notation::fen;
use astragal_dsl::symmetry::{Flip, Symmetry};
use astragal_dsl::{Loaded, load_named};
use std::collections::BTreeSet;
use std::sync::Arc;

const PLAKOTO: &str = r#"
title("Plakoto on heaps"); board(13, 2, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", "mW");
track("way", ["l1-a1 a2-l2 m2", "l2-a2 a1-l1 m1"]);
setup("11m1/11M1 w - - 0 1 under=l1:14M,l2:14m");
fn turn() {
    let dice = roll("2d6");
    if dice[0] == dice[1] { dice += dice; }
    let used = |die| along("way", die, #{ end: "last", landing: "pin" }).where(|mv| free(mv));
    play_each(dice, used, #{ spend: "most", after: |mv, die| remove(on_track("way", 25, 25)) });
}
fn free(mv) {
    !(mv.to in on_track("way", 25, 25))
        || ((squares_of(mover()) - on_track("way", 19, 25)).is_empty && covered(mover()).is_empty)
}
fn outcome() {
    if !has(mover(), 1) {
        award(mover(), if count(opponent()) == 15 { 2 } else { 1 });
        return win(mover(), "all men borne off");
    }
    if (on_track("way", 1, 1, opponent()) & covered(opponent())).is_empty { return; }
    if height(on_track("way", 1, 1), mover()) == 0 { award(mover(), 2); return win(mover(), "the last man pinned"); }
    if !(on_track("way", 1, 1) & covered(mover())).is_empty { draw("both last men pinned"); }
}"#;

const BACKGAMMON: &str = r#"
title("Backgammon on heaps"); board(13, 2, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", "mW");
hands("owner"); track("way", ["l2-a2 a1-l1 m1", "l1-a1 a2-l2 m2"]);
setup("M3m1m4M1/m3M1M4m1[] w - - 0 1 under=a2:4M,e2:2m,g2:4m,l2:M,a1:4m,e1:2M,g1:4M,l1:m");
fn turn() {
    let dice = roll("2d6");
    if dice[0] == dice[1] { dice += dice; }
    let used = |die| enter("way", die) | along("way", die, #{ end: "last" }).where(|mv| free(mv));
    play_each(dice, used, #{ spend: "most_pips" });
    over()
}
fn free(mv) {
    hand(mover(), "man") == 0
        && (!(mv.to in on_track("way", 25, 25)) || (squares_of(mover()) - on_track("way", 19, 25)).is_empty)
}
fn over() {
    if height(on_track("way", 25, 25), mover()) < 15 { return; }
    let loser = opponent();
    let behind = hand(loser, "man") > 0 || !(squares_of(loser) & on_track("way", 19, 24)).is_empty;
    let none = height(on_track("way", 25, 25, loser), loser) == 0;
    award(mover(), if !none { 1 } else if behind { 3 } else { 2 });
    win(mover(), "all men borne off");
}"#;

/// The array of the gallery's script, without the first throw.
const ARRAY: &str = "M3m1m4M**/M3m1m4M2/M3m1m7/M5m7/M5m7/14/14/14/14/14/14/m5M7/m5M7/m3M1M7/m3M1M4m2/m3M1M4m2[] w";

/// The number of a square's station on a side's way, from 1.
fn station(variant: &Variant, side: Side, square: Square) -> usize {
    let path = &variant.spec().tracks[0].paths[side.index()][0];
    path.iter().position(|station| station.contains(&square)).map_or(0, |index| index + 1)
}

/// What may be played, by stations: from (0 from the hand), to, and the dice that pay.
fn ways(game: &Game) -> BTreeSet<(usize, usize, Vec<i16>)> {
    game.state().moves().iter().map(|paid| way(game, *paid)).collect()
}

fn way(game: &Game, paid: MoveWithDice) -> (usize, usize, Vec<i16>) {
    let (variant, side) = (&game.state().ruleset().variant, game.state().chooser());
    let from = if paid.mv.dropped().is_some() { 0 } else { station(variant, side, paid.mv.from) };
    (from, station(variant, side, paid.mv.to), game.state().price(paid))
}

/// Men of a side by station.
fn men(game: &Game, side: Side) -> Vec<usize> {
    let (variant, position) = (&game.state().ruleset().variant, game.state().position());
    let path = &variant.spec().tracks[0].paths[side.index()][0];
    path.iter().map(|station| station.iter().map(|&square| position.height_of(square, side)).sum()).collect()
}

fn begin(loaded: &Loaded) -> Game {
    Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 1).expect("a game")
}

/// Plays the same random games on both, and compares what may be done, as long as no point can come to hold more men in
/// this turn than it has squares for in the gallery; on the files in `roomy`, all have room. Returns how many decisions
/// were compared and how many games came to their end.
fn compare(squares: &Loaded, heaps: &Loaded, roomy: &[u8], games: u64) -> (u32, u32) {
    let (mut decisions, mut ended) = (0, 0);
    for seed in 0..games {
        let (mut one, mut other) = (begin(squares), begin(heaps));
        let mut random = Stream::new(seed, 7);
        loop {
            assert_eq!(one.status(), other.status());
            for side in [Side(0), Side(1)] {
                assert_eq!(men(&one, side), men(&other, side), "seed {seed}");
            }
            let position = other.state().position();
            let left = one.state().unused().map_or(0, |dice| dice.len());
            let points = other.state().ruleset().variant.board().squares().into_iter();
            let points = points.filter(|point| !roomy.contains(&(point.0 % 13)));
            let highest = points.map(|point| position.height(point)).max().unwrap_or(0);
            if highest + left > 8 {
                break;
            }
            let tall = highest > 4;
            match one.status() {
                Status::Chance => {
                    // Where a double might overfill a point, none is rolled.
                    let mut die = || 1 + random.below(6) as i16;
                    let mut faces = [die(), die()];
                    while tall && faces[0] == faces[1] {
                        faces = [die(), die()];
                    }
                    one.set_roll(&faces).expect("a roll");
                    other.set_roll(&faces).expect("the same roll");
                }
                Status::Move => {
                    assert_eq!(ways(&one), ways(&other), "seed {seed}: {:?}", men(&one, Side(0)));
                    assert_eq!(one.state().can_pass(), other.state().can_pass());
                    decisions += 1;
                    let all = one.state().moves().to_vec();
                    let chosen = all[random.below(all.len() as u64) as usize];
                    let wanted = way(&one, chosen);
                    let same =
                        *other.state().moves().iter().find(|&&paid| way(&other, paid) == wanted).expect("a move");
                    one.play(chosen).expect("a move");
                    other.play(same).expect("a move");
                }
                Status::Over => {
                    assert_eq!(one.state().over(), other.state().over());
                    ended += 1;
                    break;
                }
                Status::Choice => unreachable!("nothing is chosen in these games"),
            }
        }
    }
    (decisions, ended)
}

#[test]
fn plakoto_is_the_same_game_on_heaps() {
    let (decisions, ended) = compare(&load_named("plakoto", &[]).expect("a script"), &game(PLAKOTO), &[11, 12], 60);
    assert!(decisions > 3000 && ended > 5, "{decisions} decisions, {ended} games to the end");
}

#[test]
fn backgammon_is_the_same_game_on_heaps() {
    let (mut squares, mut heaps) = (load_named("backgammon", &[]).expect("a script"), game(BACKGAMMON));
    // All points have room for any number.
    let all: Vec<u8> = (0..13).collect();
    squares.start = read(&squares, ARRAY);
    let (decisions, ended) = compare(&squares, &heaps, &all, 40);
    assert!(decisions > 6000 && ended == 40, "{decisions} decisions, {ended} games to the end");
    // All men at home, and to be borne off.
    let empty = "14/".repeat(10);
    let low = "6MMM5/6MMMMMM2/6MMMMMM2 w";
    squares.start = read(&squares, &format!("6mmmmmm**/6mmmmmm2/6mmm5/{empty}{low}"));
    let under = "g1:2M,h1:2M,i1:2M,j1:M,k1:M,l1:M,g2:2m,h2:2m,i2:2m,j2:m,k2:m,l2:m";
    heaps.start = read(&heaps, &format!("6mmmmmm1/6MMMMMM1 w under={under}"));
    let (decisions, ended) = compare(&squares, &heaps, &all, 40);
    assert!(decisions > 500 && ended > 20, "{decisions} decisions, {ended} games to the end");
}

fn read(loaded: &Loaded, text: &str) -> Position {
    fen::parse(&loaded.set.variant, text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

/// Heaps of both colors that are moved in part, never promote, and capture now and then.
const COLUMNS: &str = r#"
title("Columns"); board(5, 5, #{ heaps: true }); sides(["White", "Black"]); piece("man", "M", "mW"); piece("tower", "T", "cWdWmF");
hands("captor"); setup("ttmmm/mtmmm/5/MMMTM/MMMTT w");
fn turn() {
    let n = roll("1d3");
    let near = |mv| distance(mv.from, mv.to) <= n && height(mv.from) >= n;
    let stack = way(squares_of(mover()), squares_of(opponent()) | squares_of(mover()), #{ landing: "all", carry: "any" });
    let take = way(heaps(2), heaps(3), #{ landing: "take", carry: n });
    let mv = play(stack.where(near) | take.where(near) | pieces("tower") | drops("man"));
    if mv == () { return draw("nobody can move"); }
    if n == 3 { push(mv.to, 1, 0); }
}
fn outcome() { if number("moves") > 60 { draw("long enough"); } if squares_of(opponent()).is_empty { win(mover(), "all covered"); } }
"#;

/// Copies, texts, hashes, exchanged colors, and moves taken back all include heaps, in every position.
fn holds(loaded: &Loaded, seed: u64) -> u32 {
    let variant = &loaded.set.variant;
    let flip = Flip::new(variant, Symmetry::Mirrored);
    let mut game = begin(loaded);
    let mut random = Stream::new(seed, 3);
    let mut copy = Position::empty(variant);
    let mut highest = 0;
    for _ in 0..400 {
        let before = game.state().position().clone();
        let text = fen::write(variant, &before);
        let read = fen::parse(variant, &text).unwrap_or_else(|error| panic!("{text}: {error}")).position;
        assert_eq!((&read, read.hash()), (&before, before.hash()), "{text}");
        assert_eq!(fen::write(variant, &read), text);
        copy.clone_from(&before);
        assert_eq!(copy, before);
        if let Some(flip) = &flip {
            assert_eq!(flip.position(&flip.position(&before)), before, "{text}");
        }
        let tall = variant.board().squares().into_iter().map(|square| before.height(square)).max().unwrap_or(0);
        highest = highest.max(tall as u32);
        let status = game.status();
        let event = match status {
            Status::Over => break,
            Status::Chance => {
                game.roll().expect("a roll");
                game.entries().last().map(|entry| entry.event.clone()).expect("an event")
            }
            Status::Choice => unreachable!("nothing is chosen in these games"),
            Status::Move => {
                let all = game.state().moves();
                let event = Event::Move(all[random.below(all.len() as u64) as usize]);
                game.apply(&event).expect("a move");
                event
            }
        };
        let after = game.state().position().clone();
        assert!(game.undo().expect("taken back"));
        assert_eq!(*game.state().position(), before, "{text}");
        game.apply(&event).expect("the same again");
        assert_eq!(*game.state().position(), after, "{text}");
    }
    highest
}

#[test]
fn every_position_of_random_games_holds_together() {
    let columns = COLUMNS.replace("title(\"Columns\");", "title(\"Columns\"); counter(\"moves\", 0);");
    let columns = columns.replace("let n = roll", "add(\"moves\", 1); let n = roll");
    let scripts = [game(PLAKOTO), game(BACKGAMMON), game(&columns), load_named("puluc", &[]).expect("a script")];
    for loaded in &scripts {
        let highest = (0..6).map(|seed| holds(loaded, seed)).max();
        assert!(highest > Some(2), "heaps of {highest:?} at most");
    }
}
