//! Checks declarations that cannot be intended: duplicates, declarations that come after their first use, castling squares
//! without the right pieces, and hands that no side has.

use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::Report;
use super::rules::{self, RULES};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::functions::{Fact, Form, Function, has_fact, named, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::host::script::Script;
use crate::host::tokens::{Token, tokens};
use crate::notation::describe::{a, alternatives};
use crate::notation::nearest;
use astragal_core::variant::Captives;
use astragal_core::{Kind, KindMask, Position, Promotion, Side, Variant};
use std::sync::Arc;

/// Boards, regions and starting positions that the script itself declares more than once.
pub(super) fn twice(script: &Script, table: &NameTable, report: &mut Report) {
    let trace = script.host.trace();
    for (what, first, then) in &trace.declaration.again {
        let own =
            |place: &astragal_core::rule::SourceLocation| place.file.as_deref() == Some(script.source.name.as_str());
        if own(first) && own(then) {
            let message = format!("this declares {what} again and replaces the declaration on line {}", first.line);
            let call = table.calls.iter().find(|call| call.at == (then.line, then.column));
            let name = call.and_then(|call| call.text(0)).filter(|(text, _)| what.contains(text)).map(|(_, at)| at);
            let help = match what.contains("region") {
                true => "remove or rename one of the two regions",
                false => "remove one of the two declarations",
            };
            report.warning(Code::Duplicate, name.unwrap_or((then.line, then.column)), message, Some(help.into()));
        }
    }
}

/// Variables that are declared twice in one block: the second hides the first.
pub(super) fn variables_twice(all: &[Token<'_>], report: &mut Report) {
    let mut blocks: Vec<Vec<(&str, LineColumn)>> = vec![Vec::new()];
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
                        format!("`{}` is declared twice: this hides the declaration on line {}", name.text, first.0);
                    let help = match token.is("let") {
                        true => "rename or remove one of them, or assign to the first without `let`".to_string(),
                        false => "rename or remove one of them".to_string(),
                    };
                    let other = (first.0, first.1, "first declared here".to_string());
                    let words = (message, help);
                    report.verdict(Severity::Warning, Code::Duplicate, name.at, words, vec![other], Vec::new());
                }
                block.push((name.text, name.at));
            }
            _ => {}
        }
    }
}

/// A board that is declared after the pieces on it.
pub(super) fn board_too_late(table: &NameTable, report: &mut Report) {
    let own = |name: &'static str| table.named(name).filter(|call| call.within.is_none() && call.at.0 > 0);
    for board in own("board") {
        let earlier = own("setup").find(|call| call.at < board.at);
        let after = own("setup").any(|call| call.at > board.at);
        let first = own("board").find(|call| call.at < board.at);
        let Some(earlier) = earlier.filter(|_| first.is_some() || !after) else { continue };
        let message =
            format!("this `board` comes too late: `setup` on line {} already uses a different board", earlier.at.0);
        let help = match first {
            Some(first) => format!("remove it: line {} already declares a board", first.at.0),
            None => format!("move it before line {}", earlier.at.0),
        };
        let others = first.map(|first| (first.at.0, first.at.1, "`setup` uses this board".to_string()));
        let others = others.into_iter().collect();
        report.verdict(Severity::Error, Code::Declaration, board.at, (message, help), others, Vec::new());
    }
}

/// Moves an error about an unreadable starting position to the second board, if the position was written for another one.
pub(super) fn board_again(table: &NameTable, diagnostic: &mut Diagnostic) {
    let own = |call: &&Call| call.within.is_none() && call.at.0 > 0;
    let boards: Vec<&Call> = table.named("board").filter(own).collect();
    let [first, .., last] = boards.as_slice() else { return };
    if !diagnostic.message.starts_with("the starting position cannot be read")
        || last.at >= (diagnostic.line, diagnostic.column)
    {
        return;
    }
    diagnostic.others = vec![(diagnostic.line, diagnostic.column, "this position does not fit that board".into())];
    (diagnostic.line, diagnostic.column, diagnostic.length) = (last.at.0, last.at.1, "board".len());
    diagnostic.message = format!("the board is declared twice, and {}", diagnostic.message);
    diagnostic.help = Some(format!("remove this `board`, or the one on line {}", first.at.0));
}

/// Extends an error about a duplicate name or letter with the place of its first use, and moves it to the duplicate.
pub(super) fn first_place(table: &NameTable, diagnostic: &mut Diagnostic) {
    let message = diagnostic.message.clone();
    if !["already", "has the name", "has the letter"].iter().any(|word| message.contains(word)) {
        return;
    }
    let place = (diagnostic.line, diagnostic.column);
    let blamed = table.calls.iter().filter(|call| call.at <= place && call.at.0 == place.0).max_by_key(|call| call.at);
    // The place may be the first declaration: a duplicate declaration is reported by name only.
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
    diagnostic.others = vec![(first.0, first.1, "it is declared here".into())];
    diagnostic.message = format!("{message}, declared on line {}", first.0);
    let what = if index == 1 { "letter" } else { "name" };
    diagnostic.help = Some(format!("choose a different {what}, or remove one of them"));
}

/// Moves a diagnostic to the text it quotes if that text is part of a longer string, such as a square within a line of a
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
    // If the call itself contains the text, the diagnostic already points to it.
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

/// Finds the place of an error that has none: the only string in the script that its message names.
pub(super) fn somewhere(diagnostic: &mut Diagnostic) {
    let Some(word) = diagnostic.message.split('"').nth(1).filter(|_| diagnostic.line == 0) else { return };
    let (text, quoted) = (diagnostic.text.clone(), format!("\"{word}\""));
    let all = tokens(&text);
    // A declaration of that name, and an option with that value, are different things.
    let value = |i: usize| i > 0 && all[i - 1].is(":");
    let named: Vec<usize> = (0..all.len()).filter(|i| all[*i].text == quoted).collect();
    let options: Vec<usize> = named.iter().copied().filter(|i| value(*i)).collect();
    let only = match (named.as_slice(), options.as_slice()) {
        ([only], _) | (_, [only]) => *only,
        _ => return,
    };
    // Values that are valid there besides regions.
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
                "these are squares: name them with `region(\"NAME\", {quoted})`, then write that name here"
            )),
            None => {
                let regions = all.windows(3).filter(|three| three[0].is("region") && three[1].is("("));
                let names = edges.iter().copied().chain(regions.map(|three| three[2].text));
                let names: Vec<String> = names.chain(["\"far rank\""]).map(String::from).collect();
                let names = alternatives(&names);
                Some(format!("write {names}, or declare this region first, as in `region({quoted}, \"a1-h2\")`"))
            }
        };
    }
    (diagnostic.line, diagnostic.column) = only.at;
    diagnostic.length = quoted.chars().count();
}

/// Points to the castling squares that do not hold two pieces of one side in the starting position.
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
        false => format!(
            "both pieces normally move on the same rank: did you mean \"{}\"?",
            rook.replace(&of_rook, &of_king)
        ),
        true => "place both pieces there in the starting position, or write the squares where they start".to_string(),
    });
    (diagnostic.line, diagnostic.column, diagnostic.length) = (at.0, at.1, rook.chars().count() + 2);
}

/// Points to the script's own declaration that duplicates one of an imported base.
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
    let message = format!("`{base}` already declares {name} (line {} of `{base}`)", diagnostic.line);
    let help = "remove it here, or choose a different name and letter".to_string();
    *diagnostic = Diagnostic::error(own, text, line, column, message).of(Code::Duplicate).with_help(Some(help));
}

/// Whether a word looks like the name of a square.
fn is_square(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < word.len() && !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// Extends an error about an unknown name if its declaration comes too late.
pub(super) fn too_late(table: &NameTable, diagnostic: &mut Diagnostic) {
    let declares = |call: &&Call| position_of(&call.name, ParamKind::NewName) == Some(0);
    for call in table.calls.iter().filter(|call| call.module.is_none()).filter(declares) {
        let Some(Value::Text(name, _)) = call.args.first() else { continue };
        let unknown =
            ["called", "option"].iter().any(|word| diagnostic.message.ends_with(&format!("{word} \"{name}\"")));
        if unknown && call.at.0 > 0 {
            let line = call.at.0;
            if line > diagnostic.line {
                let missing = diagnostic.message.contains(" no ") && diagnostic.message.contains(" called ");
                diagnostic.message.push_str(if missing { " yet" } else { "" });
                diagnostic.help = Some(format!("line {line} declares it: move that line before this one"));
            }
        }
    }
}

/// Calls that query or fill hands in a game without hands.
pub(super) fn hands(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.spec().hands {
        return;
    }
    let help = || {
        let hands = "declare `hands()` (captured pieces go to the captor), `hands(\"owner\")` (to their owner) or \
                     `hands(\"nobody\")` (they leave the game)";
        Some(hands.to_string())
    };
    for call in used_in_rules(table, Fact::UsesHands) {
        let message = format!("`{}` needs hands, but this game has none", call.name);
        report.warning(Code::Declaration, call.at, message, help());
    }
    for key in ["in_hand", "drops_to", "drops_apart"] {
        let set = |call: &&Call| call.option(key).is_some_and(|value| !matches!(value, Value::Truth(false)));
        for call in table.named("piece").filter(set) {
            let message = format!("`{key}` needs hands, but this game has none");
            report.warning(Code::Declaration, call.at, message, help());
        }
    }
}

/// Calls that query heaps in a game where no piece stands on another.
pub(super) fn heaps(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.spec().heaps {
        return;
    }
    for call in used_in_rules(table, Fact::UsesHeaps) {
        let message = format!("`{}` needs heaps, but this board does not allow them", call.name);
        let help = "allow heaps: `board(.., #{ heaps: true })`".to_string();
        report.warning(Code::Declaration, call.at, message, Some(help));
    }
}

/// Hands that are always empty, in games whose rules query their contents.
pub(super) fn empty_hands(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let spec = variant.spec();
    if !spec.hands || spec.captives != Captives::Nobody {
        return;
    }
    let sides = || (0..variant.sides()).map(|side| Side(side as u8));
    let held = (0..variant.kinds().len()).any(|kind| sides().any(|s| start.in_hand(variant, s, Kind(kind as u8)) > 0));
    let used = rules::called(table, &RULES);
    let reader = used.iter().find(|name| *name != "to_hand" && has_fact(name, Fact::UsesHands));
    let Some(call) = table.named("hands").next() else { return };
    if let (false, false, Some(reader)) = (held, used.contains("to_hand"), reader) {
        let message =
            format!("the hands stay empty: captured pieces do not go to a hand, so `{reader}` finds no pieces");
        let help = "write `hands(\"captor\")`, or add pieces with `to_hand(side, kind, 1)`".to_string();
        let at = call.text(0).map_or(call.at, |(_, at)| at);
        report.warning(Code::Declaration, at, message, Some(help));
    }
}

/// Castlings of pieces that are not royal, in games that have a royal piece.
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
                format!("in this castling, the {} and the other piece both end on {}", kind.name, name(castle.rook.1));
            let between = variant.board().between(castle.king.1, castle.king.0).first().copied();
            let help = match between {
                Some(beside) => format!("move the other piece next to it: \"{}{}\"", name(castle.rook.0), name(beside)),
                None => format!("choose a different second square in \"{moves}\""),
            };
            report.error(Code::Declaration, at.or(text).unwrap_or((0, 0)), message, Some(help));
        }
        if let Some(at) = text.filter(|_| !kind.royal) {
            let from = variant.board().name(castle.king.0);
            let message = format!("{} is on {from}, but the king's two squares must come first", a(&kind.name));
            let royal = variant.spec().castles.iter().find(|castle| variant.kind(castle.kinds.0).royal);
            let written = |i: usize| of.and_then(|call| call.text(i)).map(|(text, _)| text);
            let help = match royal {
                _ if written(2).is_some_and(|other| starts_royal(variant, other)) => {
                    let [own, other] = [1, 2].map(|i| written(i).unwrap_or_default());
                    format!("write the king's squares first: \"{other}\", \"{own}\"")
                }
                Some(castle) => {
                    format!("write the king's squares first, starting with {}", variant.board().name(castle.king.0))
                }
                None => "write the king's squares first, as in \"e1g1\"".into(),
            };
            report.warning(Code::Declaration, at, message, Some(help));
        }
    }
}

/// Whether a royal piece of some castling starts on the first of two squares.
fn starts_royal(variant: &Variant, squares: &str) -> bool {
    let names = |square| variant.board().name(square);
    let castles = variant.spec().castles.iter();
    // Also checked from the other piece: an exchanged pair belongs to the same castling.
    let mut both = castles.flat_map(|castle| [(castle.kinds.0, castle.king.0), (castle.kinds.1, castle.rook.0)]);
    both.any(|(kind, from)| variant.kind(kind).royal && squares.starts_with(&names(from)))
}

/// The calls in rules to built-in functions that have a fact.
fn used_in_rules(table: &NameTable, fact: Fact) -> impl Iterator<Item = &Call> {
    rules::calls(table).filter(move |call| call.module.is_none() && has_fact(&call.name, fact))
}

/// Sides that share a name or a letter.
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
                let message = format!("two sides are called \"{name}\": the name always refers to the first");
                report.warning(Code::Duplicate, *at, message, Some("give each side a different name".into()));
            }
            seen.push(name);
        }
        let letters = call.args.get(1).and_then(|options| options.entry("letters"));
        let Some((letters, at)) = letters.and_then(Value::text) else { continue };
        let letters: Vec<char> = letters.chars().take(names.len()).collect();
        if let Some(twice) = (1..letters.len()).find(|i| letters[..*i].contains(&letters[*i])) {
            let message = format!(
                "two sides have the letter `{}`, so the text of a position cannot distinguish them",
                letters[twice]
            );
            report.warning(Code::Duplicate, at, message, Some("give each side a different letter".into()));
        }
    }
}

/// Pieces with more glyphs than there are sides.
pub(super) fn glyphs(table: &NameTable, variant: &Variant, report: &mut Report) {
    let sides = variant.sides();
    for call in table.named("piece") {
        let Some(Value::List(all)) = call.option("glyphs") else { continue };
        if let Some(Value::Text(glyph, at)) = all.get(sides) {
            let message =
                format!("`glyphs` has {} symbols for {sides} sides: \"{glyph}\" belongs to no side", all.len());
            report.warning(
                Code::Declaration,
                *at,
                message,
                Some(format!(
                    "write one symbol for each side: {sides} \
             symbols"
                )),
            );
        }
    }
}

/// Whether rules permit moves that pieces do not have on their own, as along a track.
fn moves_anyway(table: &NameTable) -> bool {
    let takes_permit = |form: &Form| form.params.iter().any(|param| param.kind.accepts().contains(&ValueKind::Permit));
    let makes_moves = |function: &Function| {
        let gives = function.forms.iter().any(|form| form.results.contains(&ValueKind::Permit) && form.least() > 0);
        gives && !function.facts.contains(&Fact::OwnMoves) && !function.forms.iter().any(takes_permit)
    };
    rules::calls(table).any(|call| named(&call.name).any(|(_, function)| makes_moves(function)))
}

/// An empty board on which no rule ever places a piece.
pub(super) fn no_set_up(table: &NameTable, variant: &Variant, start: &Position, report: &mut Report) {
    let places = || rules::called(table, &RULES).iter().any(|name| has_fact(name, Fact::PlacesPieces));
    if start.occupied().is_empty() && !variant.spec().hands && !places() {
        let has_setup = table.calls.iter().any(|call| call.name == "setup" || call.module.is_some());
        let help = "write the starting position rank by rank from the top: `setup(\"..\")`";
        if !has_setup {
            report.error(
                Code::Declaration,
                (0, 0),
                "there is no starting position: the board is empty".into(),
                Some(help.into()),
            );
        }
    }
}

/// Names that position text cannot contain, letters followed by a sign, and empty movements.
pub(super) fn written(table: &NameTable, report: &mut Report) {
    let own = table.calls.iter().filter(|call| call.module.is_none());
    for call in own {
        let texts: Vec<Option<(&str, LineColumn)>> = call.args.iter().map(Value::text).collect();
        match (call.name.as_str(), texts.as_slice()) {
            ("counter", [Some((name, at)), ..]) if name.contains([' ', '=', '/']) => {
                let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
                let sign = match name.chars().find(|c| [' ', '=', '/'].contains(c)) {
                    Some(sign) if sign != ' ' => format!("`{sign}`"),
                    _ => "a space".to_string(),
                };
                let message = format!("the name of a counter must be a single word: \"{name}\" contains {sign}");
                report.warning(Code::Declaration, *at, message, Some(format!("call it \"{plain}\"")));
            }
            ("piece", [_, Some((letter, at)), ..]) if letter.len() > 1 && letter.ends_with('+') => {
                let message = format!("in \"{letter}\", the plus sign must come before the letter");
                let help = format!("write \"+{}\"", letter.trim_end_matches('+'));
                report.warning(Code::Declaration, *at, message, Some(help));
            }
            ("piece", [Some((name, _)), Some((letter, _)), Some(("", at)), ..]) if !moves_anyway(table) => {
                let message = format!("the {name} has no movement, so it never moves");
                let help = format!(
                    "if it should move, give it a movement, as in `piece(\"{name}\", \"{letter}\", \
                 \"W\")`"
                );
                report.note(Code::Declaration, *at, message, Some(help));
            }
            _ => {}
        }
    }
}

/// Calls about promotions in games without any promotion.
pub(super) fn promotions(table: &NameTable, variant: &Variant, report: &mut Report) {
    if variant.kinds().iter().any(|kind| kind.promotion.is_some()) {
        return;
    }
    let asks = |call: &&Call| call.module.is_none() && call.name == "promotions" && call.at.0 > 0;
    for call in rules::calls(table).filter(asks) {
        let help = "add `promotes:` to a piece, as in `piece(\"pawn\", \"P\", \"mfW\", #{ promotes: \"queen\" \
             })`, or remove this call";
        let message = "no piece in this game promotes".to_string();
        report.warning(Code::Permits, call.at, message, Some(help.into()));
    }
}

/// Pieces whose only promotion is to themselves.
pub(super) fn promotes_to_itself(table: &NameTable, variant: &Variant, report: &mut Report) {
    for (index, kind) in variant.kinds().iter().enumerate() {
        let own = |promotion: &&Promotion| promotion.to == KindMask::from(Kind(index as u8));
        let Some(at) = kind.promotion.as_ref().filter(own).and_then(|_| promoted_at(table, &kind.name)) else {
            continue;
        };
        let message = format!("the {} can promote only to its own kind", kind.name);
        let help = "name a different piece in `promotes:`, or remove that option".to_string();
        report.warning(Code::Declaration, at, message, Some(help));
    }
}

/// The place where a piece's declaration names its promotion.
fn promoted_at(table: &NameTable, kind: &str) -> Option<LineColumn> {
    let of_kind =
        table.calls.iter().filter(|call| call.name == "piece" && call.text(0).is_some_and(|(n, _)| n == kind));
    of_kind.filter_map(|call| call.option("promotes")).find_map(|named| match named {
        Value::List(names) => names.first().and_then(Value::text).map(|(_, at)| at),
        one => one.text().map(|(_, at)| at),
    })
}
