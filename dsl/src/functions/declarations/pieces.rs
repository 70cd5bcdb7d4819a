//! The pieces: how they move, promote and castle, what protects royals, what becomes of the captured.

use super::super::param::{Betza, Call, KindName, NewName, Options, Word};
use super::super::row::{Cost, ExampleContext, Row, row};
use super::board::direction;
use crate::host::convert::misread;
use crate::host::declare::{CastleDecl, Declaration, Later};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::option::{TEXT, TEXTS, TRUTH};
use crate::host::trace::Phase;
use crate::notation::betza;
use astragal_core::board::{Cells, Region};
use astragal_core::variant::{Captives, RoyalCapture, RoyalPolicy};
use astragal_core::{Atom, KindDef, KindMask, MAX_SIDES, Promotion, SquareSet};
use rhai::ImmutableString;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("piece", Cost::Declaration)
            .about(
                "A kind of piece; how it moves is written in Betza notation (without it, it does not move by itself).
                Options: `royal`, `promotes` (kinds), `zone`, `forced`, `on_leaving`, `within` and `home` (regions),
                `takes` (kinds), `in_hand` (a kind), `drops_to` (a region), `drops_apart`, `facing` (a direction),
                `clock` (its moves restart the count of quiet half-moves), `unlettered` (its moves are written
                without its letter, as `e4`; true with `clock` unless said otherwise), `glyphs`; the guide to the
                language explains each.",
            )
            .errors("Name and letter are used once; the letter is a capital; Betza that cannot be read is pointed at.")
            .example_in(ExampleContext::Top, r#"piece("camel", "C", "C", #{ promotes: "queen" });"#)
            .options(&[
                ("royal", TRUTH),
                ("within", TEXT),
                ("home", TEXT),
                ("promotes", TEXTS),
                ("zone", TEXT),
                ("forced", TRUTH),
                ("on_leaving", TRUTH),
                ("glyphs", TEXTS),
                ("facing", TEXT),
                ("takes", TEXTS),
                ("in_hand", TEXT),
                ("drops_to", TEXT),
                ("drops_apart", TRUTH),
                ("clock", TRUTH),
                ("unlettered", TRUTH),
            ])
            .form(["name", "letter"], |call: &Call<'_>, name: NewName, letter: ImmutableString| {
                piece(call, name, letter, Betza("".into()), Options::default())
            })
            .form(["name", "letter", "betza", "options"], piece),
        row("moves", Cost::Declaration)
            .about(
                "Further ways of moving for a kind that has been declared. Option: `takes` (the only kinds that may
                be captured that way).",
            )
            .errors("The kind must have been declared before.")
            .example_in(ExampleContext::Top, r#"moves("rook", "F");"#)
            .options(&[("takes", TEXTS)])
            .form(["kind", "betza", "options"], moves),
        row("castling", Cost::Declaration)
            .about(
                "A way of castling: its letter in positions, the king's two squares, the partner's. Option: `safe`,
                true unless said otherwise: not out of, through or into attack.",
            )
            .errors("Both pieces must stand there in the set-up, on one rank.")
            .example_in(ExampleContext::Top, r#"castling("K", "e1g1", "h1f1");"#)
            .options(&[("safe", TRUTH)])
            .form(["letter", "king", "partner", "options"], castling),
        row("royals", Cost::Declaration)
            .about(
                r#"`"protected"` (the default): no move may leave an own royal attacked. `"capturable"`: royals are
                taken like others. The capture of a royal that was left attacked is `"free"` (even by a pinned
                piece; the default), `"safe"` (not by a move that leaves the own royal attacked) or `"never"`."#,
            )
            .example_in(ExampleContext::Top, r#"royals("protected", "never");"#)
            .form(["policy", "capture"], royals),
        row("hands", Cost::Declaration)
            .about(
                r#"Pieces are held in hand and may be dropped. Captured ones go to the `"captor"`, to the `"owner"` or
                to `"nobody"`."#,
            )
            .example_in(ExampleContext::Top, r#"hands("owner");"#)
            .form(["owner"], hands),
    ]
}

fn piece(call: &Call<'_>, name: NewName, letter: ImmutableString, moves: Betza, options: Options) -> ScriptResult<()> {
    let cells = call.trace().declaration.spec.board.cells();
    // Pieces that never move of themselves, such as walls, need no movement.
    let atoms = if moves.is_empty() { Vec::new() } else { betza::parse_on(cells, &moves).or_else(misread)? };
    let mut kind = KindDef::new(&name, &letter);
    kind.atoms = atoms;
    kind.royal = options.flag("royal", false)?;
    kind.within = options.text("within")?;
    kind.home = options.text("home")?;
    kind.glyphs = options.texts("glyphs")?.unwrap_or_default();
    kind.facing = options.text("facing")?.map(|word| direction(cells, &word)).transpose()?;
    kind.drops_to = options.text("drops_to")?;
    kind.drops_apart = options.flag("drops_apart", false)?;
    kind.restarts_clock = options.flag("clock", false)?;
    kind.unlettered = options.flag("unlettered", kind.restarts_clock)?;
    let promotes = options.texts("promotes")?;
    if promotes.is_some() {
        kind.promotion = Some(Promotion {
            zone: options.text("zone")?.unwrap_or_else(|| "far rank".into()),
            to: KindMask::NONE,
            forced: options.flag("forced", true)?,
            on_leaving: options.flag("on_leaving", false)?,
        });
    }
    let (takes, in_hand) = (options.texts("takes")?, options.text("in_hand")?);
    call.declare("piece()", |d| {
        let index = d.spec.kinds.len();
        if letter.is_empty()
            || letter
                .chars()
                .any(|c| c.is_ascii_digit() || c.is_ascii_lowercase() || c.is_whitespace() || "/[]*".contains(c))
        {
            let swapped = name.chars().all(|c| c.is_ascii_uppercase()) && name.len() == 1;
            let help = match swapped {
                true => format!("the name comes first: write `piece(\"{letter}\", \"{}\", ..)`", *name),
                false => "use a capital letter, perhaps after a plus sign".into(),
            };
            return fail_help(format!("\"{letter}\" cannot stand for a piece: a letter does"), Some(help));
        }
        if d.spec.kinds.iter().any(|k| k.name == **name) {
            return fail(format!("there is already a piece called \"{}\"", *name));
        }
        if let Some(twin) = d.spec.kinds.iter().find(|k| k.letter == *letter) {
            return fail(format!("\"{}\" has the letter \"{letter}\", which is that of \"{}\"", *name, twin.name));
        }
        add_far_rank(d);
        d.later.extend(promotes.map(|names| Later::Promotes(index, names)));
        d.later.extend(in_hand.map(|name| Later::InHand(index, name)));
        d.later.extend(takes.map(|names| Later::Takes(index, 0..kind.atoms.len(), names)));
        d.spec.kinds.push(kind);
        Ok(())
    })
}

/// Further moves of a kind. In an imported script the kind may not be known: nothing is declared there.
fn moves(call: &Call<'_>, name: KindName, moves: Betza, options: Options) -> ScriptResult<()> {
    let cells = call.trace().declaration.spec.board.cells();
    let atoms: Vec<Atom> = betza::parse_on(cells, &moves).or_else(misread)?;
    let takes = options.texts("takes")?;
    if call.trace().phase == Phase::Importing {
        return Ok(());
    }
    let index = call.kind(&name)?.index();
    call.declare("moves()", |d| {
        let kind = &mut d.spec.kinds[index];
        let range = kind.atoms.len()..kind.atoms.len() + atoms.len();
        kind.atoms.extend(atoms);
        d.later.extend(takes.map(|names| Later::Takes(index, range, names)));
        Ok(())
    })
}

fn castling(
    call: &Call<'_>,
    letter: ImmutableString,
    king: ImmutableString,
    rook: ImmutableString,
    options: Options,
) -> ScriptResult<()> {
    let safe = options.flag("safe", true)?;
    call.declare("castling()", |d| {
        let board = &d.spec.board;
        let path = |text: &str| {
            let split = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase()).map(|(i, _)| i);
            let squares = split.and_then(|i| Some((board.parse(&text[..i])?, board.parse(&text[i..])?)));
            squares.map_or_else(
                || {
                    let names = split.map(|i| [&text[..i], &text[i..]]);
                    let missing = names.and_then(|names| names.into_iter().find(|name| board.parse(name).is_none()));
                    let message = match missing.filter(|_| text.len() < 7) {
                        Some(name) => format!("\"{text}\" should be two squares, and this board has no `{name}`"),
                        None => format!("\"{text}\" should be two squares of one rank"),
                    };
                    let help = "first where the king stands and goes, as \"e1g1\", then the rook, as \"h1f1\"";
                    fail_help(message, Some(help.into()))
                },
                Ok,
            )
        };
        let mut letters = letter.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return fail("the castling right has a single letter, as \"K\"");
        };
        let decl = CastleDecl { letter, king: path(&king)?, rook: path(&rook)?, safe };
        d.castles.push(decl);
        Ok(())
    })
}

fn royals(call: &Call<'_>, policy: Word, capture: Option<Word>) -> ScriptResult<()> {
    if let Some(capture) = capture.as_ref().filter(|capture| matches!(capture.as_str(), "protected" | "capturable")) {
        let help = format!("did you mean `royals(\"{}\", \"{}\")`?", **capture, *policy);
        let message = format!("royals are \"protected\" or \"capturable\" first, not \"{}\"", *policy);
        return fail_help(message, Some(help));
    }
    let policy = match policy.as_str() {
        "protected" => RoyalPolicy::Protected,
        "capturable" => RoyalPolicy::Capturable,
        _ => return fail(format!("royals are \"protected\" or \"capturable\", not \"{}\"", *policy)),
    };
    let capture = match capture.as_ref().map_or("free", |word| word.as_str()) {
        "free" => RoyalCapture::Free,
        "safe" => RoyalCapture::Safe,
        "never" => RoyalCapture::Never,
        other => return fail(format!("the capture of a royal is \"free\", \"safe\" or \"never\", not \"{other}\"")),
    };
    call.declare("royals()", |d| {
        d.spec.royal_policy = policy;
        d.spec.royal_capture = capture;
        Ok(())
    })
}

/// Pieces in hand; captured ones go to their captor, their owner or nobody.
fn hands(call: &Call<'_>, captives: Option<Word>) -> ScriptResult<()> {
    let captives = match captives.as_ref().map_or("captor", |word| word.as_str()) {
        "captor" => Captives::Captor,
        "owner" => Captives::Owner,
        "nobody" => Captives::Nobody,
        other => {
            return fail(format!(
                "captured pieces go to their \"captor\", their \"owner\" or \"nobody\", not \"{other}\""
            ));
        }
    };
    call.declare("hands()", |d| {
        d.spec.hands = true;
        d.spec.captives = captives;
        Ok(())
    })
}

/// Adds the region where pieces promote unless something else is said.
fn add_far_rank(d: &mut Declaration) {
    if d.spec.board.region("far rank").is_some() {
        return;
    }
    let board = &d.spec.board;
    let (files, ranks) = (board.width(), board.height());
    let mut squares = [SquareSet::EMPTY; MAX_SIDES];
    for (side, set) in d.spec.sides.iter().zip(squares.iter_mut()) {
        *set = match side.forward {
            _ if board.cells() == Cells::Hex || board.links().is_some() => {
                let ahead = |s| board.offset(s, board.turn((0, 1), side.forward_at(s)));
                board.squares().into_iter().filter(|&s| ahead(s).is_none()).collect()
            }
            0 => board.rank_set(ranks - 1),
            1 => board.file_set(files - 1),
            2 => board.rank_set(0),
            _ => board.file_set(0),
        };
    }
    d.spec.board.add_region(Region { name: "far rank".into(), squares });
}
