use super::*;
use crate::drawing::board::{BoardDrawing, Pieces, Theme};
use crate::drawing::svg::{self, Drawn};
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, Source, load, load_named};

const THEME: Theme = Theme { pieces: Pieces::Unicode, color: false, flipped: false, boxes: false };

fn sketch(board: &str, look: &str, setup: &str) -> Loaded {
    let text = format!(
        "{board} piece(\"man\", \"M\", \"W\", #{{ glyphs: [\"○\", \"●\"] }}); {look} setup(\"{setup}\"); fn turn() {{ play(any()); }}"
    );
    load(&Source { name: "sketch".into(), path: None, text }, &[]).expect("a script")
}

fn drawn(loaded: &Loaded, theme: Theme) -> Drawn {
    svg::lay_out(&BoardDrawing::plain(&loaded.set.variant, &loaded.start), theme, &[])
}

/// Left, upper, right and lower edge of a square.
fn edges(loaded: &Loaded, drawn: &Drawn, name: &str) -> [i64; 4] {
    let square = loaded.set.variant.board().parse(name).expect("a square");
    let place = drawn.places.iter().find(|place| place.square == square).expect("a place");
    let (x, y) = (place.x - place.width / 2, place.y - place.height / 2);
    [x, y, x + place.width, y + place.height]
}

#[test]
fn triangles_have_their_base_at_the_edge_and_bars_are_wide() {
    let board = "board(4, 6, #{ bars: \"b\", heaps: true }); hands(\"owner\");";
    let look = "look(#{ triangles: #{ \"#123456\": \"a1-a2\", tan: \"d5-d6\" }, square_height: 50 });";
    let loaded = sketch(board, look, "4/4/4/4/4/M3[Mmmm] w");
    let picture = drawn(&loaded, THEME);
    let at = |name| edges(&loaded, &picture, name);
    assert_eq!(at("a1"), [30, 180, 90, 210]);
    assert_eq!((at("b1")[2], at("c1")[0]), (150, 210), "pieces in hand have room on the bar");
    assert!(picture.svg.contains("<polygon points=\"32,210 88,210 60,150\" fill=\"#123456\"/>"), "{}", picture.svg);
    assert!(picture.svg.contains("<polygon points=\"272,30 328,30 300,90\" fill=\"#d2b48c\"/>"), "{}", picture.svg);
    assert!(!picture.svg.contains("class=\"rim\""), "no names of files, and nothing beside the board");
    let held: Vec<_> = picture.held.iter().map(|held| (held.side.index(), held.count, held.x)).collect();
    assert_eq!(held, [(0, 1, 180), (1, 3, 180)]);
    assert!(picture.held[0].y > picture.held[1].y);
    let turned = drawn(&loaded, Theme { flipped: true, ..THEME });
    assert_eq!((turned.width, turned.height), (picture.width, picture.height));
    assert!(turned.held[0].y < turned.held[1].y);
    let steady = svg::lay_out_steady(&BoardDrawing::plain(&loaded.set.variant, &loaded.start), THEME);
    assert_eq!(steady.width, picture.width);
}

#[test]
fn heaps_fill_high_squares_from_the_edge() {
    let script = |height: i64| {
        let look = format!("look(#{{ square_height: {height} }});");
        sketch("board(2, 2, #{ heaps: true });", &look, "m1/M1 w under=a1:3M,a2:m")
    };
    let figures = |loaded: &Loaded| -> Vec<i64> {
        let svg = drawn(loaded, THEME).svg;
        let all = svg.split("translate(").skip(1).filter_map(|rest| rest.split([' ', ')']).nth(1));
        all.map(|y| y.parse::<f64>().expect("a number").round() as i64).collect()
    };
    // One figure a heap on common squares, where the others are edges beneath it; all of them on high squares.
    assert_eq!(figures(&script(100)).len(), 2);
    let high = figures(&script(400));
    assert_eq!(high.len(), 6);
    assert_eq!([high[1] - high[0], high[3] - high[2]], [46, -46], "down from the upper edge, up from the lower one");
}

#[test]
fn circles_are_joined_along_tracks() {
    let board = "board(3, 2, #{ holes: \"b2\" });";
    let look = "track(\"way\", [\"a2 a1-c1 c2\", \"c2 c1-a1 a2\"]); look(#{ pattern: \"circles\", numbers: \"way\" });";
    let loaded = sketch(board, look, "m*1/3 w");
    let svg = drawn(&loaded, THEME).svg;
    assert!(svg.contains("<path d=\"M60 120L120 120M60 120L60 60M120 120L180 120M180 120L180 60\""), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 5);
    let number = |text: &str| svg.contains(&format!(">{text}</text>"));
    assert!(number("3") && number("5"), "{svg}");
    assert!(svg.contains(">a</text>") && svg.matches(">1</text>").count() == 1, "the first station is occupied: {svg}");
}

#[test]
fn the_other_side_counts_its_own_stations() {
    let loaded = load_named("backgammon", &[]).expect("a script");
    let place = |theme: Theme| -> i64 {
        let picture = drawn(&loaded, theme);
        let number = picture.svg.find(">24</text>").expect("the number of a station");
        let tag = picture.svg[..number].rsplit("<text x=\"").next().expect("its tag");
        let x = tag.split('"').next().and_then(|x| x.parse().ok()).expect("its place");
        if theme.flipped { picture.width - x } else { x }
    };
    assert_eq!(place(THEME), place(Theme { flipped: true, ..THEME }));
}

#[test]
fn rings_join_the_first_file_and_the_last() {
    let loaded =
        sketch("board(8, 2, #{ wrap: \"files\" });", "look(#{ places: \"ring\", coordinates: false });", "8/M6m w");
    let picture = drawn(&loaded, THEME);
    let middle = |name| {
        let [left, top, right, bottom] = edges(&loaded, &picture, name);
        (f64::from((left + right) as i32) / 2.0, f64::from((top + bottom) as i32) / 2.0)
    };
    let apart = |a, b| {
        let ((ax, ay), (bx, by)): ((f64, f64), (f64, f64)) = (middle(a), middle(b));
        (ax - bx).hypot(ay - by)
    };
    assert!((apart("a2", "b2") - apart("a2", "h2")).abs() < 3.0, "{} {}", apart("a2", "b2"), apart("a2", "h2"));
    assert!(apart("a2", "e2") > apart("a1", "e1") && middle("a2").1 < middle("e2").1);
    assert!(middle("b2").0 > middle("h2").0, "clockwise");
    assert!(!picture.svg.contains(">a1</text>"));
}

#[test]
fn plain_boards_labels_figures_and_holes() {
    let look = "look(#{ pattern: \"plain\", coordinates: false, holes: \"navy\", labels: #{ \"12\": \"a1 b1\" }, \
                figures: #{ man: \"♞\" } });";
    let loaded = sketch("board(3, 3, #{ holes: \"b2\" });", look, "3/1*1/M1m w");
    let svg = drawn(&loaded, THEME).svg;
    assert_eq!(svg.matches(&format!("fill=\"{PLAIN}\"")).count(), 8);
    assert_eq!(svg.matches("fill=\"#000060\"").count(), 1);
    assert_eq!(svg.matches(">12</text>").count(), 1, "a piece covers the other label");
    assert!(!svg.contains("class=\"rim\"") && svg.contains("M30 92Q28 74"), "{svg}");
    let letters = drawn(&loaded, Theme { pieces: Pieces::Letters, ..THEME }).svg;
    assert!(letters.contains(">M</text>") && !letters.contains("M30 92Q28 74"));
    // Positions and text boards are the same without the look.
    let bare = sketch("board(3, 3, #{ holes: \"b2\" });", "", "3/1*1/M1m w");
    assert_eq!(fen::write(&loaded.set.variant, &loaded.start), fen::write(&bare.set.variant, &bare.start));
    let rows =
        |loaded: &Loaded| crate::drawing::board::rows(&BoardDrawing::plain(&loaded.set.variant, &loaded.start), THEME);
    assert_eq!(rows(&loaded), rows(&bare));
}

/// Numbers stay below signs and give way to pieces; captions are under the pieces, in the middle of each area.
#[test]
fn stations_from_zero_and_captions() {
    let board = "board(4, 2, #{ signs: #{ \"*\": \"c1\" } }); track(\"way\", \"a1-d1\");";
    let look = "look(#{ pattern: \"circles\", numbers: \"way\", from_zero: true, captions: #{ \"A <b>\": \"a2-b2 c2-d2\" } });";
    let loaded = sketch(board, look, "2M1/m3 w");
    let picture = drawn(&loaded, THEME);
    let number = |text: &str| picture.svg.contains(&format!(">{text}</text>"));
    assert_eq!(["0", "1", "2", "3", "4"].map(number), [false, true, true, true, false], "{}", picture.svg);
    let [left, top, right, bottom] = edges(&loaded, &picture, "c1");
    let low = format!("<text x=\"{}\" y=\"{}\" font-size=\"10\"", (left + right) / 2, (top + bottom) / 2 + 23);
    assert!(picture.svg.contains(&low), "{}", picture.svg);
    let middle = edges(&loaded, &picture, "b2")[0];
    let caption = picture.svg.find(&format!("<text x=\"{middle}\"")).expect("a caption between a2 and b2");
    assert!(caption < picture.svg.find("stroke-width=\"3.5\"").expect("a piece"));
    assert_eq!(picture.svg.matches(">A &lt;b&gt;</text>").count(), 2);
}
