//! Declarations that cannot be meant: made twice, too late for what needs them, about squares where no such piece
//! ever stands, or about hands that nobody has.

use super::name_table::{Call, NameTable, Place, Value};
use super::report::Report;
use super::rules::{self, RULES};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::functions::{Fact, has_fact, position_of};
use crate::host::kind::ParamKind;
use crate::host::script::Script;
use crate::host::tokens::{Token, tokens};
use crate::notation::nearest;
use astragal_core::variant::Captives;
use astragal_core::{Kind, KindMask, Position, Promotion, Side, Variant};
use std::sync::Arc;

/// Boards, regions and set-ups that the script itself declares more than once.
pub(super) fn twice(script: &Script, table: &NameTable, report: &mut Report) {
    let trace = script.host.trace();
    for (what, first, then) in &trace.declaration.again {
        let own = |place: &astragal_core::rule::Place| place.file.as_deref() == Some(script.source.name.as_str());
        if own(first) && own(then) {
            let message = format!("{what} is declared again: this counts, not what stands in line {}", first.line);
            let call = table.calls.iter().find(|call| call.at == (then.line, then.column));
            let name = call.and_then(|call| call.text(0)).filter(|(text, _)| what.contains(text)).map(|(_, at)| at);
            let help = "remove one of the two; of a region another name may be meant";
            report.warning(Code::Duplicate, name.unwrap_or((then.line, then.column)), message, Some(help.into()));
        }
    }
}

/// Variables that are made twice in one block: the second hides the first.
pub(super) fn variables_twice(all: &[Token<'_>], report: &mut Report) {
    let mut blocks: Vec<Vec<(&str, Place)>> = vec![Vec::new()];
    for (i, token) in all.iter().enumerate() {
        match token.text {
            "{" => blocks.push(Vec::new()),
            "}" if blocks.len() > 1 => drop(blocks.pop()),
            "let" | "const" => {
                let (Some(name), Some(block)) = (all.get(i + 1).filter(|name| name.is_word()), blocks.last_mut())
                else {
                    continue;
                };
                if let Some((_, first)) = block.iter().find(|(known, _)| *known == name.text) {
                    let message =
                        format!("`{}` is made again: the one of line {} is no longer seen", name.text, first.0);
                    let help = match token.is("let") {
                        true => "give one of them another name, set the first without `let`, or remove one".to_string(),
                        false => "give one of them another name, or remove one".to_string(),
                    };
                    let other = (first.0, first.1, "it is first made here".to_string());
                    let words = (message, help);
                    report.verdict(Severity::Warning, Code::Duplicate, name.at, words, vec![other], Vec::new());
                }
                block.push((name.text, name.at));
            }
            _ => {}
        }
    }
}

/// A board that is made after what stands on it.
pub(super) fn board_too_late(table: &NameTable, report: &mut Report) {
    let own = |name: &'static str| table.named(name).filter(|call| call.within.is_none() && call.at.0 > 0);
    for board in own("board") {
        let earlier = own("setup").find(|call| call.at < board.at);
        let after = own("setup").any(|call| call.at > board.at);
        let first = own("board").find(|call| call.at < board.at);
        let Some(earlier) = earlier.filter(|_| first.is_some() || !after) else { continue };
        let message = format!(
            "this `board` comes after `setup` in line {}: what stands there is for another board",
            earlier.at.0
        );
        let help = match first {
            Some(first) => format!("remove it: there is a board in line {}", first.at.0),
            None => format!("move it before line {}: the board comes first", earlier.at.0),
        };
        let others = first.map(|first| (first.at.0, first.at.1, "the board that is meant there".to_string()));
        let others = others.into_iter().collect();
        report.verdict(Severity::Error, Code::Declaration, board.at, (message, help), others, Vec::new());
    }
}

/// Points a set-up that cannot be read at a second board, which it is not for.
pub(super) fn board_again(table: &NameTable, diagnostic: &mut Diagnostic) {
    let own = |call: &&Call| call.within.is_none() && call.at.0 > 0;
    let boards: Vec<&Call> = table.named("board").filter(own).collect();
    let [first, .., last] = boards.as_slice() else { return };
    if !diagnostic.message.starts_with("the set-up cannot be read") || last.at >= (diagnostic.line, diagnostic.column) {
        return;
    }
    diagnostic.others = vec![(diagnostic.line, diagnostic.column, "this does not fit it".into())];
    (diagnostic.line, diagnostic.column, diagnostic.length) = (last.at.0, last.at.1, "board".len());
    diagnostic.message = format!("the board is declared again, and {}", diagnostic.message);
    diagnostic.help = Some(format!("remove this `board`, or that of line {}", first.at.0));
}

/// Adds to an error about a name or letter that is taken where it was given first, and points at what is taken.
pub(super) fn first_place(table: &NameTable, diagnostic: &mut Diagnostic) {
    let message = diagnostic.message.clone();
    if !["already", "has the name", "has the letter"].iter().any(|word| message.contains(word)) {
        return;
    }
    let place = (diagnostic.line, diagnostic.column);
    let blamed = table.calls.iter().filter(|call| call.at <= place && call.at.0 == place.0).max_by_key(|call| call.at);
    // The place may be that of the first: what is declared twice is told by its name alone.
    let maker = blamed.map_or_else(String::new, |call| call.name.clone());
    let word = if message.contains("counter") {
        "counter"
    } else if message.contains("option") {
        "option"
    } else {
        &maker
    };
    let quoted: Vec<&str> = message.split('"').skip(1).step_by(2).collect();
    let index = usize::from(message.contains("letter"));
    let makers = table.named(word).filter(|_| position_of(word, ParamKind::NewName) == Some(0));
    let mut places = makers.filter_map(|call| call.text(index)).filter(|(name, _)| quoted.contains(name));
    let (Some((_, first)), Some((_, then))) = (places.next(), places.next()) else { return };
    (diagnostic.line, diagnostic.column) = then;
    let length = quoted.first().map_or(1, |_| quoted[0].chars().count());
    diagnostic.length = if index == 1 { 3 } else { length + 2 };
    diagnostic.others = vec![(first.0, first.1, "it is taken here".into())];
    diagnostic.message = format!("{message}, in line {}", first.0);
    let what = if index == 1 { "letter" } else { "name" };
    diagnostic.help = Some(format!("choose another {what}, or remove one of the two"));
}

/// Points at what a message quotes where that stands within another text of the script, as a square within a line of a
/// constant list.
pub(super) fn within_text(diagnostic: &mut Diagnostic) {
    let Some(word) = diagnostic.message.split('"').nth(1).map(str::to_string) else { return };
    let text = diagnostic.text.clone();
    let all = tokens(&text);
    let line = diagnostic.line;
    let named: Vec<&str> = all
        .iter()
        .skip_while(|t| t.at.0 < line)
        .take_while(|t| !t.is(";"))
        .filter(|t| t.is_word())
        .map(|t| t.text)
        .collect();
    let of_constant = |i: usize| {
        let before = all[..i].iter().rposition(|token| token.is(";")).map_or(0, |at| at + 1);
        all[before].is("const") && all.get(before + 1).is_some_and(|name| named.contains(&name.text))
    };
    let texts = || {
        (0..all.len())
            .filter(|i| all[*i].text.starts_with('"'))
            .filter(|i| of_constant(*i) || all[*i].at.0 == line)
            .map(|i| &all[i])
    };
    let quoted = format!("\"{word}\"");
    // Where the call itself has the text it is pointed at already.
    let own_line = texts().any(|token| token.at.0 == diagnostic.line && token.text.contains(&word));
    if own_line || word.is_empty() || word.contains(' ') || texts().any(|token| token.text == quoted) {
        return;
    }
    let places = |token: &Token<'_>| {
        let inner = token.text.trim_matches('"');
        let words = inner.split(' ').scan(1, |column, part| {
            let at = *column;
            *column += part.chars().count() + 1;
            Some((at, part.to_string()))
        });
        let found = words.filter(|(_, part)| *part == word).map(|(column, _)| (token.at.0, token.at.1 + column));
        found.collect::<Vec<_>>()
    };
    if let [(line, column)] = texts().flat_map(places).collect::<Vec<_>>()[..] {
        let call = (diagnostic.line, diagnostic.column);
        (diagnostic.line, diagnostic.column, diagnostic.length) = (line, column, word.chars().count());
        if call.0 > 0 {
            diagnostic.others.push((call.0, call.1, "it is read here".into()));
        }
    }
}

/// Finds the place of an error that has none: the only text of the script that its message names.
pub(super) fn somewhere(diagnostic: &mut Diagnostic) {
    let Some(word) = diagnostic.message.split('"').nth(1).filter(|_| diagnostic.line == 0) else { return };
    let (text, quoted) = (diagnostic.text.clone(), format!("\"{word}\""));
    let all = tokens(&text);
    // What declares something of that name, or has that as its value, is another thing.
    let value = |i: usize| i > 0 && all[i - 1].is(":");
    let named: Vec<usize> = (0..all.len()).filter(|i| all[*i].text == quoted).collect();
    let options: Vec<usize> = named.iter().copied().filter(|i| value(*i)).collect();
    let only = match (named.as_slice(), options.as_slice()) {
        ([only], _) | (_, [only]) => *only,
        _ => return,
    };
    // What may be said there beside regions.
    let edges: &[&str] = if only > 1 && all[only - 2].is("bounces_off") { &["\"files\"", "\"ranks\""] } else { &[] };
    let only = &all[only];
    if diagnostic.help.is_none() && diagnostic.message.contains("region") {
        let regions = all.windows(3).filter(|three| three[0].is("region") && three[1].is("("));
        let names = regions.map(|three| three[2].text).chain(edges.iter().copied()).map(|name| name.trim_matches('"'));
        let names = names.chain(["far rank"]);
        let squares = word.split([' ', '-', ',']).filter(|one| !one.is_empty()).all(is_square);
        diagnostic.help = match nearest(word, names).filter(|_| !squares) {
            Some(near) => Some(format!("did you mean \"{near}\"?")),
            None if squares => Some(format!(
                "these are squares: give them a name, `region(\"NAME\", {quoted})`, and write that name here"
            )),
            None => {
                let regions = all.windows(3).filter(|three| three[0].is("region") && three[1].is("("));
                let known = edges.iter().copied().chain(regions.map(|three| three[2].text));
                let known: Vec<&str> = known.chain(["\"far rank\""]).collect();
                let known = known.join(", ");
                Some(format!("known here: {known}; or declare it before, as `region({quoted}, \"a1-h2\")`"))
            }
        };
    }
    (diagnostic.line, diagnostic.column) = only.at;
    diagnostic.length = quoted.chars().count();
}

/// Shows the squares of a castling on which the set-up has no two pieces of one side.
pub(super) fn castling_place(table: &NameTable, diagnostic: &mut Diagnostic) {
    let Some(rest) = diagnostic.message.strip_prefix("castling '") else { return };
    if diagnostic.line > 0 {
        return;
    }
    let letter: String = rest.chars().take(1).collect();
    let called = |call: &&Call| call.text(0).is_some_and(|(own, _)| own == letter);
    let Some(call) = table.named("castling").find(called) else { return };
    let (Some((king, _)), Some((rook, at))) = (call.text(1), call.text(2)) else { return };
    let rank = |text: &str| {
        text.chars().skip_while(char::is_ascii_alphabetic).take_while(char::is_ascii_digit).collect::<String>()
    };
    let (of_king, of_rook) = (rank(king), rank(rook));
    diagnostic.help = Some(match of_king == of_rook {
        false => format!("the two stand on one rank: did you mean \"{}\"?", rook.replace(&of_rook, &of_king)),
        true => "name the squares where the two stand in the set-up".to_string(),
    });
    (diagnostic.line, diagnostic.column, diagnostic.length) = (at.0, at.1, rook.chars().count() + 2);
}

/// Shows where the script itself declares what an imported base declares as well.
pub(super) fn of_base(own: &str, text: &Arc<str>, diagnostic: &mut Diagnostic) {
    let Some(name) = diagnostic.message.strip_prefix("there is already a piece called ") else { return };
    if diagnostic.file == own {
        return;
    }
    let all = tokens(text);
    let written = |three: &[Token<'_>]| three[0].is("piece") && three[1].is("(") && three[2].text == name;
    let Some(here) = all.windows(3).find(|three| written(three)).map(|three| &three[2]) else { return };
    let base = diagnostic.file.trim_end_matches(".rhai").to_string();
    let (line, column) = here.at;
    let message = format!("{name} is declared by `{base}` as well, in its line {}", diagnostic.line);
    let help = "leave it out here, or give this one another name and letter".to_string();
    *diagnostic = Diagnostic::error(own, text, line, column, message).of(Code::Duplicate).with_help(Some(help));
}

/// Whether a word looks like the name of a square.
fn is_square(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < word.len() && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// Adds to an error about an unknown name that a declaration of it comes too late.
pub(super) fn too_late(table: &NameTable, diagnostic: &mut Diagnostic) {
    let declares = |call: &&Call| position_of(&call.name, ParamKind::NewName) == Some(0);
    for call in table.calls.iter().filter(|call| call.module.is_none()).filter(declares) {
        let Some(Value::Text(name, _)) = call.args.first() else { continue };
        let unknown =
            ["called", "option"].iter().any(|word| diagnostic.message.ends_with(&format!("{word} \"{name}\"")));
        if unknown && call.at.0 > 0 {
            let line = call.at.0;
            if line > diagnostic.line {
                diagnostic.help =
                    Some(format!("it is declared in line {line}: declarations come before what needs them"));
            }
        }
    }
}

/// Hands that are asked about or filled although nobody has one.
pub(super) fn hands(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.spec().hands {
        return;
    }
    let help = || Some("declare `hands()`: to the captor, or hands(\"owner\"), hands(\"nobody\")".to_string());
    for call in used_in_rules(table, Fact::UsesHands) {
        let message = format!("`{}` is about pieces in hand, but nobody holds any in this game", call.name);
        report.warning(Code::Declaration, call.at, message, help());
    }
    for key in ["in_hand", "drops_to", "drops_apart"] {
        let set = |call: &&Call| call.option(key).is_some_and(|value| !matches!(value, Value::Truth(false)));
        for call in table.named("piece").filter(set) {
            let message = format!("`{key}` is about pieces in hand, but nobody holds any in this game");
            report.warning(Code::Declaration, call.at, message, help());
        }
    }
}

/// Heaps that are asked about although no piece stands on another.
pub(super) fn heaps(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.spec().heaps {
        return;
    }
    for call in used_in_rules(table, Fact::UsesHeaps) {
        let message = format!("`{}` is about pieces that stand on one another, and none do on this board", call.name);
        let help = "let them: `board(.., #{ heaps: true })`".to_string();
        report.warning(Code::Declaration, call.at, message, Some(help));
    }
}

/// Hands that hold nothing and that nothing is ever put into, in games that ask for what is in them.
pub(super) fn empty_hands(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let spec = variant.spec();
    if !spec.hands || spec.captives != Captives::Nobody {
        return;
    }
    let sides = || (0..variant.sides()).map(|side| Side(side as u8));
    let held = (0..variant.kinds().len()).any(|kind| sides().any(|s| start.in_hand(variant, s, Kind(kind as u8)) > 0));
    let used = rules::called(table, &RULES);
    let asked = used.iter().find(|name| *name != "to_hand" && has_fact(name, Fact::UsesHands));
    let Some(call) = table.named("hands").next() else { return };
    if let (false, false, Some(asked)) = (held, used.contains("to_hand"), asked) {
        let message = format!("hands stay empty: nobody gets what is captured, and `{asked}` has nothing to take");
        let help = "write `hands(\"captor\")`, or put something into them by `to_hand(side, kind, 1)`".to_string();
        let at = call.text(0).map_or(call.at, |(_, at)| at);
        report.warning(Code::Declaration, at, message, Some(help));
    }
}

/// Castlings of a piece that is not royal, in games that have one that is.
pub(super) fn castlings(table: &NameTable, variant: &Variant, report: &mut Report) {
    if !variant.kinds().iter().any(|kind| kind.royal) {
        return;
    }
    let calls: Vec<&Call> = table.named("castling").filter(|call| call.args.len() >= 3).collect();
    for castle in &variant.spec().castles {
        let kind = variant.kind(castle.kinds.0);
        let squares = format!("{}{}", variant.board().name(castle.king.0), variant.board().name(castle.king.1));
        let squares_of = |call: &&&Call| call.text(1).is_some_and(|(text, _)| text == squares);
        let of = calls.iter().find(squares_of);
        let text = of.and_then(|call| call.text(1)).map(|(_, at)| at);
        let name = |square| variant.board().name(square);
        if castle.king.1 == castle.rook.1 {
            let moves = format!("{}{}", name(castle.rook.0), name(castle.rook.1));
            let at_of = |call: &Call, i: usize| call.text(i).map(|(_, at)| at);
            let at = calls.iter().find(|call| at_of(call, 1) == text).and_then(|call| at_of(call, 2));
            let message =
                format!("{} and the other piece of this castling both end on {}", kind.name, name(castle.rook.1));
            let between = variant.board().between(castle.king.1, castle.king.0).first().copied();
            let help = match between {
                Some(beside) => format!("the other ends beside it: \"{}{}\"", name(castle.rook.0), name(beside)),
                None => format!("give it another square than \"{moves}\""),
            };
            report.error(Code::Declaration, at.or(text).unwrap_or((0, 0)), message, Some(help));
        }
        if let Some(at) = text.filter(|_| !kind.royal) {
            let from = variant.board().name(castle.king.0);
            let message = format!("on {from} stands a {}: castling begins with the two squares of the king", kind.name);
            let royal = variant.spec().castles.iter().find(|castle| variant.kind(castle.kinds.0).royal);
            let written = |i: usize| of.and_then(|call| call.text(i)).map(|(text, _)| text);
            let help = match royal {
                _ if written(2).is_some_and(|other| starts_royal(variant, other)) => {
                    let [own, other] = [1, 2].map(|i| written(i).unwrap_or_default());
                    format!("the king's squares come before those of the other: \"{other}\", \"{own}\"")
                }
                Some(castle) => {
                    format!("write the square of the king first, as {}", variant.board().name(castle.king.0))
                }
                None => "write the square of the king first, as \"e1g1\"".into(),
            };
            report.warning(Code::Declaration, at, message, Some(help));
        }
    }
}

/// Whether a royal piece of some castling begins on the first of two squares.
fn starts_royal(variant: &Variant, squares: &str) -> bool {
    let names = |square| variant.board().name(square);
    let castles = variant.spec().castles.iter();
    // Seen from the other piece as well: what is exchanged stands in the same castling.
    let mut both = castles.flat_map(|castle| [(castle.kinds.0, castle.king.0), (castle.kinds.1, castle.rook.0)]);
    both.any(|(kind, from)| variant.kind(kind).royal && squares.starts_with(&names(from)))
}

/// The calls in rules of the functions of the game of which something is so.
fn used_in_rules(table: &NameTable, fact: Fact) -> impl Iterator<Item = &Call> {
    rules::calls(table).filter(move |call| call.module.is_none() && has_fact(&call.name, fact))
}

/// Sides that are called alike, or have one letter.
pub(super) fn side_names(table: &NameTable, report: &mut Report) {
    for call in table.named("sides") {
        let names = match call.args.first() {
            Some(Value::List(all)) => all.as_slice(),
            _ => &[],
        };
        let mut seen: Vec<&str> = Vec::new();
        for value in names {
            let Value::Text(name, at) = value else { continue };
            if seen.contains(&name.as_str()) {
                let message = format!("two sides are called \"{name}\": texts mean the first of them");
                report.warning(Code::Duplicate, *at, message, Some("give each side a different name".into()));
            }
            seen.push(name);
        }
        let letters = call.args.get(1).and_then(|options| options.entry("letters"));
        let Some((letters, at)) = letters.and_then(Value::text) else { continue };
        let letters: Vec<char> = letters.chars().take(names.len()).collect();
        if let Some(twice) = (1..letters.len()).find(|i| letters[..*i].contains(&letters[*i])) {
            let message = format!("two sides have the letter `{}`: positions cannot tell them apart", letters[twice]);
            report.warning(Code::Duplicate, at, message, Some("give each side a different letter".into()));
        }
    }
}

/// Pieces with more signs than there are sides.
pub(super) fn glyphs(table: &NameTable, variant: &Variant, report: &mut Report) {
    let sides = variant.sides();
    for call in table.named("piece") {
        let Some(Value::List(all)) = call.option("glyphs") else { continue };
        if let Some(Value::Text(glyph, at)) = all.get(sides) {
            let message = format!("`glyphs` has {} signs for {sides} sides: \"{glyph}\" is nobody's", all.len());
            report.warning(Code::Declaration, *at, message, Some(format!("give each side one: {sides} signs")));
        }
    }
}

/// A board without any piece on it, where no rule puts one there.
pub(super) fn no_set_up(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let places = || rules::called(table, &RULES).iter().any(|name| has_fact(name, Fact::PlacesPieces));
    if start.occupied().is_empty() && !variant.spec().hands && !places() {
        let said = table.calls.iter().any(|call| call.name == "setup" || call.module.is_some());
        let help = "put the pieces where the game begins: `setup(\"..\")`, rank by rank from the top";
        if !said {
            report.error(Code::Declaration, (0, 0), "there is no set-up: the board is empty".into(), Some(help.into()));
        }
    }
}

/// Names that positions cannot be written with, letters with a sign behind them, movements that are left empty.
pub(super) fn written(table: &NameTable, report: &mut Report) {
    let own = table.calls.iter().filter(|call| call.module.is_none());
    for call in own {
        let texts: Vec<Option<(&str, Place)>> = call.args.iter().map(Value::text).collect();
        match (call.name.as_str(), texts.as_slice()) {
            ("counter", [Some((name, at)), ..]) if name.contains([' ', '=', '/']) => {
                let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
                let message =
                    format!("the counter \"{name}\" stands in positions, as `stake=1` does: its name is one word");
                report.warning(Code::Declaration, *at, message, Some(format!("call it \"{plain}\"")));
            }
            ("piece", [_, Some((letter, at)), ..]) if letter.len() > 1 && letter.ends_with('+') => {
                let message = format!("\"{letter}\": the plus sign of a piece stands before its letter");
                let help = format!("write \"+{}\"", letter.trim_end_matches('+'));
                report.warning(Code::Declaration, *at, message, Some(help));
            }
            ("piece", [Some((name, _)), Some((letter, _)), Some(("", at)), ..]) => {
                let message = format!("the {name} has no movement: it never moves by itself");
                let help = format!("give it one, as `piece(\"{name}\", \"{letter}\", \"W\")`, if it is to move");
                report.note(Code::Declaration, *at, message, Some(help));
            }
            _ => {}
        }
    }
}

/// Functions about promotions in games in which nothing promotes.
pub(super) fn promotions(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.kinds().iter().any(|kind| kind.promotion.is_some()) {
        return;
    }
    let asks = |call: &&Call| call.module.is_none() && call.name == "promotions" && call.at.0 > 0;
    for call in rules::calls(table).filter(asks) {
        let help =
            "give a piece `promotes:`, as `piece(\"pawn\", \"P\", \"mfW\", #{ promotes: \"queen\" })`, or leave it out";
        let message = "there are no promotions: no piece of this game promotes".to_string();
        report.warning(Code::Permits, call.at, message, Some(help.into()));
    }
}

/// Pieces that promote to what they are, and to nothing else.
pub(super) fn promotes_to_itself(table: &NameTable, variant: &Variant, report: &mut Report) {
    for (index, kind) in variant.kinds().iter().enumerate() {
        let own = |promotion: &&Promotion| promotion.to == KindMask::from(Kind(index as u8));
        let Some(at) = kind.promotion.as_ref().filter(own).and_then(|_| promoted_at(table, &kind.name)) else {
            continue;
        };
        let message = format!("a {0} that promotes stays a {0}", kind.name);
        let help = "name another kind behind `promotes:`, or leave it out".to_string();
        report.warning(Code::Declaration, at, message, Some(help));
    }
}

/// Where the declaration of a piece names what it promotes to.
fn promoted_at(table: &NameTable, kind: &str) -> Option<Place> {
    let of_kind =
        table.calls.iter().filter(|call| call.name == "piece" && call.text(0).is_some_and(|(n, _)| n == kind));
    of_kind.filter_map(|call| call.option("promotes")).find_map(|named| match named {
        Value::List(names) => names.first().and_then(Value::text).map(|(_, at)| at),
        one => one.text().map(|(_, at)| at),
    })
}
