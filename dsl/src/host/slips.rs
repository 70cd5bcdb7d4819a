//! Slips of authors who know other languages, or whose editor has changed their text: invalid signs and words, and their
//! counterparts in scripts.
//!
//! [`certain`] finds slips that are wrong anywhere, even if the interpreter accepts them. The others are searched for only
//! before a syntax error.

use super::around::{
    case_of_switch, end_of_argument, ends_a_case, in_condition, in_foreign_comment, in_header, innermost, innermost_is,
    joined, key_of_map, list_beside_list, named_argument, three_parts,
};
use super::kind::ValueKind;
use super::shapes;
use super::slip::Slip;
use super::tokens::{KEYWORDS, Sort, Token};
use crate::functions;
use crate::notation::nearest;

/// Characters that look like a character of the language.
const ALIKE: [(&str, &str); 12] = [
    ("\"", "“”„‟«»″＂"),
    ("'", "‘’‚‛′"),
    ("-", "‐‑‒–—―−－"),
    (" ", "\u{a0}\u{2007}\u{202f}\u{2009}\u{200a}\u{3000}\u{2003}\u{2002}"),
    (";", ";；"),
    (",", "，‚"),
    ("(", "（"),
    (")", "）"),
    ("*", "×∗"),
    ("!=", "≠"),
    ("<=", "≤"),
    (">=", "≥"),
];

/// Whether a character is a curly quote, which editors substitute for a straight one.
pub(crate) fn is_curly_quote(c: char) -> bool {
    ALIKE[..2].iter().any(|(_, all)| all.contains(c))
}

/// Letters of other scripts that look like Latin ones, in pairs.
const LETTERS: &str = "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlАAВBЕEКKМMНHОOРPСCТTХXαaοoνvρpΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX";

/// Words of other languages, with their counterparts in scripts.
const WORDS: [(&str, &str); 35] = [
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("is", "=="),
    ("equals", "=="),
    ("isnt", "!="),
    ("xor", "!="),
    ("mod", "%"),
    ("div", "/"),
    ("elif", "else if"),
    ("elsif", "else if"),
    ("elseif", "else if"),
    ("def", "fn"),
    ("function", "fn"),
    ("func", "fn"),
    ("fun", "fn"),
    ("sub", "fn"),
    ("var", "let"),
    ("local", "let"),
    ("int", "let"),
    ("auto", "let"),
    ("None", "()"),
    ("nil", "()"),
    ("null", "()"),
    ("undefined", "()"),
    ("True", "true"),
    ("False", "false"),
    ("TRUE", "true"),
    ("unless", "if !"),
    ("match", "switch"),
    ("foreach", "for"),
    ("until", "while !"),
    ("NULL", "()"),
    ("yes", "true"),
    ("no", "false"),
];

/// Functions of other languages, with their counterparts in scripts.
const FUNCTIONS: [(&str, &str); 48] = [
    ("sum", "`.total`"),
    ("total_of", "`.total`"),
    ("max_of", "`.highest`"),
    ("min_of", "`.lowest`"),
    ("current_player", "`mover()`"),
    ("player", "`mover()`"),
    ("active_player", "`mover()`"),
    ("me", "`mover()`"),
    ("enemy", "`opponent()`"),
    ("other_player", "`opponent()`"),
    ("is_check", "`in_check(side)`"),
    ("check", "`in_check(side)`"),
    ("checkmate", "`mated(side)`"),
    ("is_checkmate", "`mated(side)`"),
    ("stalemate", "`stalemated(side)`"),
    ("get_piece", "`piece_at(square)`"),
    ("delete", "`remove(squares)`"),
    ("kill", "`remove(squares)`"),
    ("roll_dice", "`roll(\"2d6\")`"),
    ("throw_dice", "`roll(\"2d6\")`"),
    ("dice", "`roll(\"2d6\")`"),
    ("length", "`len()`"),
    ("size", "`len()`"),
    ("append", "`push(..)`"),
    ("includes", "`.. in list`, or `list.contains(..)`"),
    ("contains_key", "`.. in map`"),
    ("random", "`roll(\"1d6\")`"),
    ("rand", "`roll(\"1d6\")`"),
    ("randint", "`roll(\"1d6\")`"),
    ("range", "`1..=6`"),
    ("str", "`to_string()`"),
    ("println", "`print(..)`"),
    ("printf", "`print(..)`"),
    ("log", "`print(..)`"),
    ("forEach", "`for item in list { .. }`"),
    ("foreach", "`for item in list { .. }`"),
    ("exit", "`return`"),
    ("pass", "`return`"),
    ("skip", "`return`"),
    ("otherwise", "`or_else(permit)`"),
    ("otherwise_any", "`or_else(any())`"),
    ("repeat", "`again()`"),
    ("roll_again", "`again()`"),
    ("extra_turn", "`again()`"),
    ("move_again", "`again()`"),
    ("next_player", "`next(side)`"),
    ("piece_on", "`piece_at(square)`"),
    ("capture_piece", "`remove(squares)`"),
];

/// The script counterpart of a function of another language.
pub(crate) fn of_function(name: &str) -> Option<String> {
    FUNCTIONS.iter().find(|(foreign, _)| *foreign == name).map(|(_, own)| format!("write {own}"))
}

/// Properties under other names, with the properties that squares and moves have.
const PROPERTIES: [(&str, &str); 12] = [
    ("type", "kind"),
    ("piece", "kind"),
    ("name", "kind"),
    ("color", "side"),
    ("colour", "side"),
    ("owner", "side"),
    ("player", "side"),
    ("x", "file"),
    ("column", "file"),
    ("col", "file"),
    ("y", "rank"),
    ("row", "rank"),
];

/// The property of squares and moves that corresponds to a property of another language.
pub(crate) fn of_property(name: &str) -> Option<&'static str> {
    PROPERTIES.iter().find(|(foreign, _)| *foreign == name).map(|(_, own)| *own)
}

/// As [`of_function`], for a misspelled name of a function of another language.
pub(crate) fn nearly_foreign(name: &str) -> Option<String> {
    nearest(name, FUNCTIONS.iter().map(|(foreign, _)| *foreign)).and_then(of_function)
}

/// The first slip that is wrong anywhere.
pub(crate) fn certain(all: &[Token<'_>]) -> Option<Slip> {
    all.iter().enumerate().find_map(|(i, token)| match token.sort {
        Some(Sort::OpenComment) => Some(Slip::new(
            i,
            "this `/*` opens a comment that is never closed",
            "close it with `*/`, or start each line with `//`",
        )),
        Some(Sort::Quoted) => Some(quoted(i, token.text)),
        Some(Sort::Dice) => {
            let dice = token.text.to_lowercase().replace('w', "d");
            Some(
                Slip::new(
                    i,
                    format!("dice must be in quotes, but `{}` is not", token.text),
                    format!("write \"{dice}\""),
                )
                .instead(format!("\"{dice}\"")),
            )
        }
        Some(Sort::Number) if token.text.contains('.') => {
            let whole = token.text.split('.').next().unwrap_or_default();
            Some(Slip::new(
                i,
                format!("numbers must be whole, but {} has a decimal point", token.text),
                format!("write {whole}, or calculate in smaller units, such as tenths"),
            ))
        }
        Some(Sort::Word) if all.get(i + 1).is_some_and(|next| next.is(token.text)) && !in_foreign_comment(all, i) => {
            Some(Slip::new(i + 1, format!("`{}` is written twice here", token.text), "remove one of them"))
        }
        Some(Sort::Word) => stranger(i, token.text),
        Some(Sort::Sign) if list_beside_list(all, i) => {
            Some(Slip::new(i, "a comma is missing between `]` and `[`", "write `], [`").instead("],"))
        }
        None => character(i, token.text),
        _ => None,
    })
}

/// Text in single quotes.
fn quoted(i: usize, text: &str) -> Slip {
    let inner = text.trim_matches('\'');
    Slip::new(
        i,
        format!("strings must be in double quotes, not in single quotes: {text}"),
        format!("write \"{inner}\""),
    )
    .instead(format!("\"{inner}\""))
}

/// The slip for a character that is invalid in scripts.
fn character(i: usize, text: &str) -> Option<Slip> {
    let c = text.chars().next()?;
    let code = format!("U+{:04X}", c as u32);
    let alike = ALIKE.iter().find(|(_, all)| all.contains(c));
    let name =
        if alike.is_some_and(|(plain, _)| *plain == " ") { "a special space".to_string() } else { format!("`{c}`") };
    Some(match alike {
        Some(("\"", _)) => {
            Slip::new(i, format!("{name} ({code}) is not a valid quote in a script"), "write straight quotes: \"")
                .instead("\"")
        }
        Some(("'", _)) => Slip::new(
            i,
            format!("{name} ({code}) is not a valid quote in a script"),
            "write straight double quotes: \"",
        )
        .instead("\""),
        Some((" ", _)) => Slip::new(
            i,
            format!("this is {name} ({code}), which only looks like a normal space"),
            "write a normal space",
        )
        .instead(" "),
        Some((plain, _)) => {
            Slip::new(i, format!("{name} ({code}) is not valid in a script"), format!("write `{plain}`"))
                .instead(*plain)
        }
        None => Slip::new(
            i,
            format!("{name} ({code}) is not allowed in a script"),
            "outside strings and comments, use only ASCII characters",
        ),
    })
}

/// The slip for a word with non-Latin letters. It names a letter that only looks Latin.
fn stranger(i: usize, word: &str) -> Option<Slip> {
    let c = word.chars().find(|c| !c.is_ascii())?;
    let letters: Vec<char> = LETTERS.chars().collect();
    let latin = letters.chunks(2).find(|pair| pair[0] == c).map(|pair| pair[1]);
    let code = format!("U+{:04X}", c as u32);
    let alphabet = match c as u32 {
        0x370..=0x3ff => "a Greek letter",
        0x400..=0x52f => "a Cyrillic letter",
        _ => "a letter",
    };
    let names = "names can contain only ASCII letters, digits and `_`";
    Some(match latin {
        Some(latin) => {
            let plain: String =
                word.chars().map(|c| letters.chunks(2).find(|pair| pair[0] == c).map_or(c, |pair| pair[1])).collect();
            let slip = Slip::new(
                i,
                format!("`{c}` in `{word}` is {code}, {alphabet} that looks like the Latin `{latin}`"),
                format!("write `{plain}` in Latin letters"),
            );
            if plain.is_ascii() { slip.instead(plain) } else { slip }
        }
        None => Slip::new(i, format!("`{c}` ({code}) is not allowed in a name"), names),
    })
}

/// The corrected header of the function that a token belongs to: its name and its parameter names.
fn header(all: &[Token<'_>], i: usize) -> Option<String> {
    let start = all[..=i].iter().rposition(|token| token.is("fn"))?;
    let name = all.get(start + 1)?;
    let rest = all[start + 2..].iter().take_while(|token| !matches!(token.text, "{" | "}" | ";" | "->" | "fn"));
    let named = |token: &&Token<'_>| token.is_word() || token.sort == Some(Sort::Text);
    let names: Vec<&str> = rest.filter(named).map(|token| token.text.trim_matches('"')).collect();
    Some(format!("fn {}({})", name.text, names.join(", ")))
}

/// Describes a character of a text that looks like another one, and returns the corrected text.
pub(crate) fn looks_alike(text: &str) -> Option<(String, String)> {
    let letters: Vec<char> = LETTERS.chars().collect();
    let letter = |c: char| letters.chunks(2).find(|pair| pair[0] == c).map(|pair| pair[1].to_string());
    let sign = |c: char| ALIKE.iter().find(|(_, all)| all.contains(c)).map(|(plain, _)| (*plain).to_string());
    let plain = |c: char| letter(c).or_else(|| sign(c));
    let (strange, meant) = text.chars().filter(|c| !c.is_ascii()).find_map(|c| plain(c).map(|meant| (c, meant)))?;
    let said = match meant.as_str() {
        " " => format!("one of the names contains a different kind of space (U+{:04X})", strange as u32),
        _ => format!("the character `{strange}` (U+{:04X}) only looks like `{meant}`", strange as u32),
    };
    Some((said, text.chars().map(|c| plain(c).unwrap_or_else(|| c.to_string())).collect()))
}

/// The `for` loop that replaces a counting loop of another language whose first word is at the token.
fn counted(all: &[Token<'_>], first: usize) -> Option<String> {
    let first = first + usize::from(matches!(all.get(first)?.text, "let" | "var" | "int"));
    let [name, sets, from, ends, again, sign, to, ..] = all.get(first..)? else { return None };
    let counts = sets.is("=") && ends.is(";") && again.is(name.text) && matches!(sign.text, "<" | "<=");
    let range = if sign.is("<") { ".." } else { "..=" };
    counts.then(|| format!("write `for {} in {}{range}{} {{ .. }}`", name.text, from.text, to.text))
}

/// The operator that replaces a word of another language between two values, or before one.
pub(crate) fn of_word(word: &str) -> Option<&'static str> {
    let signs = WORDS.iter().filter(|(_, meant)| matches!(*meant, "&&" | "||" | "!"));
    signs.into_iter().find(|(other, _)| *other == word).map(|(_, meant)| *meant)
}

/// The nearest slip before a syntax error.
pub(crate) fn before(all: &[Token<'_>], stop: usize) -> Option<Slip> {
    let last = (stop + 1).min(all.len().saturating_sub(1));
    (stop.saturating_sub(6)..=last).rev().filter_map(|i| at(all, i).map(|slip| (i, slip))).map(|(_, slip)| slip).next()
}

fn at(all: &[Token<'_>], i: usize) -> Option<Slip> {
    // A script with only comments has no tokens.
    let token = all.get(i)?;
    let text = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or("", |token| token.text);
    let (before, after) = (text(i.checked_sub(1)), text(Some(i + 1)));
    if let Some(slip) = shapes::at(all, i) {
        return Some(slip);
    }
    match token.text {
        "--" if i == 0 || all[i - 1].at.0 < token.at.0 => {
            Some(Slip::new(i, "`--` does not start a comment", "comments start with `//`").instead("//"))
        }
        "each" | "every"
            if before == "for" && all.get(i + 1).is_some_and(Token::is_word) && text(Some(i + 2)) == "in" =>
        {
            Some(Slip::new(
                i,
                format!("`for {}` is not part of this language", token.text),
                format!("write `for {after} in ..`"),
            ))
        }
        ";" if ends_a_case(all, i) => {
            let message = "the cases of a switch are separated by `,`, not by `;`";
            Some(Slip::new(i, message, "write `,` instead of `;`").instead(","))
        }
        ";" if closed_in_line(all, i) => {
            Some(Slip::new(i, "`;` ends a statement, but this is inside brackets", "write `,`").instead(","))
        }
        "|" if matches!(before, "(" | ",")
            && all.get(i + 1).is_some_and(Token::is_word)
            && !matches!(text(Some(i + 2)), "|" | ",") =>
        {
            let message = "the second `|` after the parameters of this function is missing";
            Some(Slip::new(i, message, format!("write `|{after}| ..`")))
        }
        "++" | "--" => {
            let sign = &token.text[..1];
            let message = format!("`{}` is not an operator in this language", token.text);
            Some(match i > 0 && all[i - 1].is_word() {
                true => Slip::new(i, message, format!("write `{before} {sign}= 1`")).instead(format!(" {sign}= 1")),
                false => Slip::new(i, message, format!("write `{sign}= 1` after the variable, as in `n {sign}= 1`")),
            })
        }
        "===" | "!==" => {
            let plain = &token.text[..2];
            Some(
                Slip::new(
                    i,
                    format!("`{}` is not an operator in this language", token.text),
                    format!("compare with `{plain}`"),
                )
                .instead(plain),
            )
        }
        "," if in_condition(all, i) && !innermost_is(all, i, "(") && !innermost_is(all, i, "[") => Some(Slip::new(
            i,
            "`,` does not join conditions",
            "write `&&` if both must be true, or `||` if either is enough",
        )),
        "/=" if in_condition(all, i) => Some(
            Slip::new(i, "`/=` divides a variable; it does not compare values", "write `!=` for not equal")
                .instead("!="),
        ),
        "<>" => {
            Some(Slip::new(i, "`<>` is not an operator in this language", "write `!=` for not equal").instead("!="))
        }
        "=<" => Some(Slip::new(i, "`=<` is not an operator in this language", "write `<=` for at most").instead("<=")),
        "=>" if in_condition(all, i) => Some(
            Slip::new(
                i,
                "`=>` belongs to the cases of a switch; it does not compare values",
                "write `>=` for at least",
            )
            .instead(">="),
        ),
        ":=" => Some(Slip::new(i, "`:=` is not an operator in this language", "assign a value with `=`").instead("=")),
        "..." => Some(
            Slip::new(i, "`...` is not an operator in this language", "write `1..=6` for 1 to 6, or `1..6` for 1 to 5")
                .instead("..="),
        ),
        "~=" => {
            Some(Slip::new(i, "`~=` is not an operator in this language", "write `!=` for not equal").instead("!="))
        }
        "=" if before == "~" => {
            Some(Slip::new(i - 1, "`~=` is not an operator in this language", "write `!=` for not equal"))
        }
        "=" if in_header(all, i) => Some(Slip::new(
            i,
            "parameters cannot have default values",
            "write `fn name(a, b) { .. }`, and pass all arguments in every call",
        )),
        ":" if in_header(all, i) => {
            Some(Slip::new(i, "parameters cannot have types", "write only names: `fn name(a, b) { .. }`"))
        }
        "->" if in_header(all, i) => Some(Slip::new(
            i,
            "functions do not declare a return type",
            format!("write `{} {{ .. }}`", header(all, i).unwrap_or_else(|| "fn name(a, b)".into())),
        )),
        _ if token.sort == Some(Sort::Text) && in_header(all, i) && matches!(before, "(" | ",") => Some(Slip::new(
            i,
            "parameter names must not be in quotes",
            format!("write `{} {{ .. }}`", header(all, i).unwrap_or_else(|| "fn name(a, b)".into())),
        )),
        _ if i > 1 && all[i - 2].is("fn") && token.sort == Some(Sort::Word) => Some(Slip::new(
            i,
            format!("expected `(` and the parameters of `{before}`"),
            format!("write `{} {{ .. }}`", header(all, i).unwrap_or_else(|| "fn name(a, b)".into())),
        )),
        "->" if before != ")" => Some(Slip::new(
            i,
            "`->` is not an operator in this language",
            "write `=>` in a switch, and `|x| ..` for a function",
        )),
        "?" => {
            let help = match three_parts(all, i) {
                Some([asked, then, other]) if other.starts_with("if ") => {
                    format!("write `if {asked} {{ {then} }} else {other}`")
                }
                Some([asked, then, other]) => format!("write `if {asked} {{ {then} }} else {{ {other} }}`"),
                None => "write `if .. { .. } else { .. }`, which also returns a value".to_string(),
            };
            Some(Slip::new(i, "there is no conditional operator with `?` and `:`", help))
        }
        "=" if after == "!" && in_condition(all, i) => Some(Slip::new(
            i,
            "`=!` is not an operator in this language",
            "write `!=` for not equal, with the `!` first",
        )),
        "#" => Some(Slip::new(i, "`#` does not start a comment", "comments start with `//`").instead("//")),
        "=" if in_condition(all, i) => {
            Some(Slip::new(i, "`=` assigns a value; it does not compare values", "compare with `==`").instead("=="))
        }
        "=" if named_argument(all, i) => {
            let value = end_of_argument(all, i).map_or_else(|| "..".into(), |end| joined(&all[i + 1..end]));
            let help = format!("put options last, in a map: write `#{{ {before}: {value} }}`");
            Some(Slip::new(i - 1, "arguments cannot be named", help))
        }
        "=" if key_of_map(all, i) => {
            Some(Slip::new(i, "in a map, a key and its value are separated by `:`, not `=`", "write `:`").instead(":"))
        }
        ":" if i > 0 && case_of_switch(all, i) => {
            Some(Slip::new(i, "a switch case uses `=>`, not `:`", "write `=>`").instead("=>"))
        }
        "case" if all[..i].iter().rev().take(400).any(|t| t.is("switch")) => {
            Some(Slip::new(i, "the cases of a switch do not start with `case`", format!("write `{after} => ..,`")))
        }
        "default" if matches!(after, ":" | "=>") => {
            Some(Slip::new(i, "the default case of a `switch` is `_`, not `default`", "write `_ => ...`"))
        }
        "mut" if before == "let" => Some(
            Slip::new(
                i,
                "`mut` is not part of this language",
                "remove it: variables declared with `let` can be changed",
            )
            .instead(""),
        ),
        "not" if after == "in" => Some(Slip::new(i, "`not in` is not an operator in this language", "write `!in`")),
        "-" if text(i.checked_sub(2)) == "let" && all.get(i + 1).is_some_and(Token::is_word) => {
            let name = format!("{before}-{after}");
            Some(Slip::new(
                i - 1,
                format!("`{name}` cannot be used as a name: `-` means subtraction"),
                format!("write `{before}_{after}`"),
            ))
        }
        _ if matches!(before, "let" | "const") && KEYWORDS.contains(&token.text) => {
            let message = format!("`{}` cannot be used as a name", token.text);
            Some(Slip::new(i, message, "it is a keyword: choose a different name"))
        }
        _ if matches!(before, "let" | "const") && token.sort == Some(Sort::Number) => Some(Slip::new(
            i,
            "a name cannot start with a digit",
            "names consist of ASCII letters, digits and `_`, and start with a letter",
        )),
        "then" => Some(Slip::new(i, "`then` is not part of this language", "put the statements in braces: `{ .. }`")),
        "{" if all.get(i + 1).is_some_and(|t| t.is_word() || t.sort == Some(Sort::Text))
            && text(Some(i + 2)) == ":" =>
        {
            Some(Slip::new(i, "a map starts with `#{`, not with `{`", "write `#{`").instead("#{"))
        }
        "for" if after == "(" => {
            let name = text(Some(i + 2));
            let help = counted(all, i + 2).unwrap_or_else(|| match text(Some(i + 3)) {
                "in" => format!("remove the parentheses: `for {name} in ... {{ ... }}`"),
                _ => "write `for face in 1..=6 { ... }`".to_string(),
            });
            let message = match text(Some(i + 3)) {
                "in" => "the variable and range of a `for` loop cannot be in parentheses",
                _ => "`for` needs a variable and a range, array or set",
            };
            Some(Slip::new(i + 1, message, help))
        }
        "=" if i > 1
            && all[i - 1].is_word()
            && matches!(all[i - 2].text, "," | "(")
            && innermost_is(all, i, "(")
            && !all[..i]
                .iter()
                .rev()
                .take_while(|token| !matches!(token.text, ";" | "{" | "}"))
                .any(|t| t.is("for")) =>
        {
            let value = text(Some(i + 1));
            let message = format!("`{before} =` is not an argument: put options in a map");
            Some(Slip::new(i - 1, message, format!("write `#{{ {before}: {value} }}`")))
        }
        "else" if after == ":" => Some(Slip::new(i + 1, "no `:` is needed after `else`", "remove it").instead("")),
        "else" if !matches!(after, "{" | "if") => {
            Some(Slip::new(i + 1, "`{` is missing after `else`", "put the statements in braces: `else { .. }`"))
        }
        word @ ("and" | "or") if before != "." && among_moves(all, i) => {
            let (plain, tests) = if word == "and" { ("&", "&&") } else { ("|", "||") };
            let help = format!("write `{plain}` between permits or sets of squares, `{tests}` between conditions");
            Some(Slip::new(i, format!("`{word}` is not an operator in this language"), help).instead(plain))
        }
        word => other_word(word, before, after, i),
    }
}

fn other_word(word: &str, before: &str, after: &str, i: usize) -> Option<Slip> {
    let (_, plain) = WORDS.iter().find(|(foreign, _)| *foreign == word)?;
    let defines = matches!(*plain, "fn" | "let");
    let name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if before == "." || defines && !name(after) {
        return None;
    }
    let help = if defines { format!("write `{plain} {after}`") } else { format!("write `{plain}`") };
    let operator = *plain != "()" && !plain.starts_with(char::is_alphabetic);
    let what = if operator { "an operator in" } else { "part of" };
    Some(Slip::new(i, format!("`{word}` is not {what} this language"), help).instead(*plain))
}

/// Whether a token is directly within a call of a function that takes a permit or a set of squares, and in no function
/// value.
fn among_moves(all: &[Token<'_>], i: usize) -> bool {
    let joinable = |param: &functions::Parameter| {
        [ValueKind::Permit, ValueKind::Squares].iter().any(|kind| param.kind.accepts().contains(kind))
    };
    let takes =
        |name: &str| functions::named(name).any(|(_, f)| f.forms.iter().any(|form| form.params.iter().any(joinable)));
    let Some(open) = innermost(all, i).filter(|open| all[*open].is("(") && *open > 0) else { return false };
    let bar = |two: &[Token<'_>]| matches!(two[0].text, "(" | ",") && matches!(two[1].text, "|" | "||");
    takes(all[open - 1].text) && !all[open..i].windows(2).any(bar)
}

/// Whether a token is within parentheses or square brackets that close on the same line, with another token in between.
fn closed_in_line(all: &[Token<'_>], i: usize) -> bool {
    if !innermost_is(all, i, "(") && !innermost_is(all, i, "[") {
        return false;
    }
    let mut depth = 0;
    let close = all[i..].iter().position(|token| {
        depth += i32::from(token.opens()) - i32::from(token.closes());
        depth < 0
    });
    close.is_some_and(|close| close > 1 && all[i + close].at.0 == all[i].at.0 && !all[i + close].is("}"))
}

/// Advice on a name that is not a variable.
pub(crate) fn of_variable(name: &str, own_functions: &[&str]) -> Option<String> {
    if let Some((_, plain)) = WORDS.iter().find(|(foreign, _)| *foreign == name) {
        return Some(format!("write `{plain}`"));
    }
    if name == "board" {
        return Some("write `square(\"e5\")` for a square, `piece_at(\"e5\")` for the piece on it".into());
    }
    if !own_functions.contains(&name)
        && let Some(help) = of_function(name)
    {
        return Some(help);
    }
    let is_function = own_functions.contains(&name) || functions::named(name).next().is_some();
    is_function.then(|| format!("it is a function: write `{name}()`"))
}
