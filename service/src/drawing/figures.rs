//! Characters of pieces as shapes: filled figures such as chess pieces, disks and blocks, and characters made of strokes
//! (`strokes.txt`). They make a picture look the same on machines without a font for these characters.
//!
//! All shapes were drawn for this file, in a square of 100 by 100.

/// The side of the square in which shapes are drawn.
pub(super) const SIZE: f64 = 100.0;

/// Characters as strokes: each line of the file holds a character and its path.
const STROKES: &str = include_str!("strokes.txt");

/// The shape of a character.
pub(super) enum Shape {
    /// A filled figure: its outline, and lines within it.
    Figure(&'static str, &'static str),
    /// Lines, drawn with a round pen.
    Strokes(&'static str),
    /// A number, which every font has.
    Number(char),
}

/// The six figures of chess: king, queen, rook, bishop, knight, pawn, in the order of their characters.
const CHESS: [(&str, &str); 6] = [
    (
        "M46 4H54V10H61V17H54V25Q60 20 70 22Q89 26 87 44Q85 55 77 62L78 77L82 83V92H18V83L22 77L23 62Q15 55 13 \
         44Q11 26 30 22Q40 20 46 25V17H39V10H46Z",
        "M50 26Q46 44 50 60Q54 44 50 26M24 65Q50 57 76 65M23 77Q50 70 77 77",
    ),
    (
        "M12 20A5.5 5.5 0 1 1 16 30L35 52L31 22A5.5 5.5 0 1 1 37 21L47 49L48 16A5.5 5.5 0 1 1 52 16L53 49L63 \
         21A5.5 5.5 0 1 1 69 22L65 52L84 30A5.5 5.5 0 1 1 88 20A5.5 5.5 0 0 1 89 30L78 64L78 77L82 \
         83V92H18V83L22 77L22 64L11 30A5.5 5.5 0 0 1 12 20Z",
        "M23 65Q50 57 77 65M22 77Q50 70 78 77",
    ),
    (
        "M22 14H35V22H44V14H56V22H65V14H78V33L69 41V66L76 74V80L81 84V92H19V84L24 80V74L31 66V41L22 33Z",
        "M29 40H71M30 67H70M24 80H76",
    ),
    (
        "M50 5A6 6 0 0 1 54 16Q72 30 71 47Q70 58 62 63L66 73Q66 78 74 80Q82 82 82 92H18Q18 82 26 80Q34 78 34 \
         73L38 63Q30 58 29 47Q28 30 46 16A6 6 0 0 1 50 5Z",
        "M50 32V54M40 43H60M38 63Q50 58 62 63M34 73Q50 68 66 73",
    ),
    (
        "M30 92Q28 74 41 62Q50 54 49 45Q42 52 34 54Q31 62 25 60Q15 57 18 48Q25 40 28 31Q31 19 42 15L43 6L52 \
         13Q74 16 80 42Q84 66 81 92Z",
        "M36 29L41 31M22 50L24 52M58 21Q73 34 72 66",
    ),
    (
        "M50 14A14 14 0 0 1 59 39L65 44Q66 48 60 48Q61 62 72 72Q79 78 79 92H21Q21 78 28 72Q39 62 40 48Q34 48 35 \
         44L41 39A14 14 0 0 1 50 14Z",
        "M40 48H60",
    ),
];

const MAN: (&str, &str) = ("M50 4A46 46 0 1 1 49.9 4Z", "M50 18A32 32 0 1 1 49.9 18Z");
const BLOCK: (&str, &str) = ("M18 18H82V82H18Z", "M30 30H70V70H30Z");
const DIAMOND: (&str, &str) = ("M50 8L92 50L50 92L8 50Z", "M50 26L74 50L50 74L26 50Z");

/// The shape of a text, if there is one.
pub(super) fn shape(text: &str) -> Option<Shape> {
    let mut chars = text.trim_end_matches('\u{fe0e}').chars();
    let (first, None) = (chars.next()?, chars.next()) else { return None };
    let figure = |(outline, lines): (&'static str, &'static str)| Some(Shape::Figure(outline, lines));
    let number = |from: char| char::from_digit(first as u32 - from as u32 + 1, 10).map(Shape::Number);
    match first {
        '\u{2654}'..='\u{265f}' => figure(CHESS[(first as usize - 0x2654) % 6]),
        '●' | '○' => figure(MAN),
        '■' | '□' => figure(BLOCK),
        '◆' | '◇' => figure(DIAMOND),
        '①'..='⑨' => number('①'),
        '❶'..='❾' => number('❶'),
        _ => strokes(first).map(Shape::Strokes),
    }
}

/// The strokes of a character, if they are known.
pub(super) fn strokes(wanted: char) -> Option<&'static str> {
    let known = STROKES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
    known.into_iter().find(|(character, _)| character.chars().eq([wanted])).map(|(_, path)| path)
}
