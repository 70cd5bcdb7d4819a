//! The pieces: movement, promotion and castling, protection of royals, and captured pieces.

use super::super::param::{Betza, Call, GivenOptions, KindName, NewName, Options, Word};
use super::super::row::{Cost, ExampleContext, Row, row};
use super::bounces;
use super::directions::direction;
use crate::host::convert::misread;
use crate::host::declare::{CastleDecl, Declaration, Later};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::option::{
    NUMBER_OR_TRUTH, NUMBER_TRUTH_OR_NONE, TEXT, TEXT_OR_NONE, TEXTS, TEXTS_OR_NONE, TRUTH,
};
use crate::host::trace::Phase;
use crate::notation::{betza, nearest};
use astragal_core::board::{Board, Cells, Region};
use astragal_core::variant::{Captives, RoyalCapture, RoyalPolicy};
use astragal_core::{Atom, KindDef, KindMask, MAX_SIDES, Promotion, SquareSet};
use rhai::ImmutableString;

/// Options of a piece: an example, its effect, and what happens without the option, as in the guide.
pub(crate) const OPTIONS: [(&str, &str, &str); 15] = [
    ("royal: true", "check and mate apply to it", "it can be captured like any other piece"),
    (
        r#"promotes: "queen"` or `["queen", "rook"]"#,
        "the kinds it can promote to in its zone; its owner chooses",
        "it never promotes",
    ),
    (r#"zone: "camp""#, "the region where it promotes", r#"`"far rank"`"#),
    ("forced: false", "it can decline to promote, unless it could not move on from its new square", "it must promote"),
    ("on_leaving: true", "moves that leave the zone promote too", "only moves into or within the zone promote"),
    (r#"takes: ["king"]"#, "the only kinds it can capture", "all kinds"),
    (r#"within: "palace""#, "it never leaves this region", "it can go anywhere"),
    (
        r#"home: "start""#,
        "the region from which it can make its `i` moves, regardless of how it got there",
        "the starting squares of this kind for its side",
    ),
    (r#"facing: "left""#, "its forward direction, whichever side owns it", "its side's forward direction"),
    (r#"in_hand: "pawn""#, "the kind it becomes in its captor's hand", "it keeps its kind"),
    (r#"drops_to: "camp""#, "the region where it can be dropped", "it can be dropped on any empty square"),
    (
        "drops_apart: true",
        "it cannot be dropped on a file where its side already has a piece of this kind",
        "it can be dropped on any file",
    ),
    ("clock: true", "its moves reset `clock()`, as captures do", "its moves increase `clock()`"),
    (
        "unlettered: true",
        "its moves are written without its letter, as in `e4`",
        "the letter is omitted only if `clock` is set",
    ),
    (r#"glyphs: ["♙", "♟"]"#, "a symbol for each side", "its letter"),
];

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("piece", Cost::Declaration)
            .about(
                r#"Declares a kind of piece and its movement in Betza notation; without a movement, the piece cannot
                move. Options: `royal`, `promotes` (kinds), `zone`, `forced`, `on_leaving`, `within` and `home`
                (regions), `takes` (kinds), `in_hand` (a kind), `drops_to` (a region), `drops_apart`, `facing` (a
                direction), `glyphs`. The option `bounces` sets how many times the piece can bounce off the edges in one
                move, or is `true` for any number. The option `bounces_off` (`"files"` for the left and right edges,
                `"ranks"` for the others, or a region) limits the edges that the piece bounces off. The option
                `bounces_at` (`"squares"`: on the outermost square; `"border"`: onto the square beside it) decides where
                the piece bounces. With `clock`, its moves reset `clock()`, as captures do. With `unlettered`, its moves
                are written without its letter, as in `e4`; the default is the value of `clock`. The guide explains each
                option."#,
            )
            .errors(
                "Names and letters must be unique, and letters must be capitals. The movement must be valid Betza
                notation; the error message points to the first part that is not.",
            )
            .example_in(ExampleContext::Top, r#"piece("camel", "C", "C", #{ promotes: "queen" });"#)
            .options(&[
                ("royal", TRUTH),
                ("bounces", NUMBER_OR_TRUTH),
                ("bounces_off", TEXT),
                ("bounces_at", TEXT),
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
        row("piece", Cost::Declaration)
            .about(
                "Changes a piece of a base game. Each option that you pass replaces the old value, and `()` removes the
                option. All other options remain unchanged. Options: `betza` (another movement), `letter`, and those of
                a new piece: `royal`, `promotes`, `zone`, `forced`, `on_leaving`, `within`, `home`, `bounces`,
                `bounces_off`, `bounces_at`, `takes`, `in_hand`, `drops_to`, `drops_apart`, `facing`, `clock`,
                `unlettered`, `glyphs`.",
            )
            .errors("The piece must already be declared. Only pieces that promote can have the option `zone`.")
            .example_in(
                ExampleContext::Top,
                r#"piece("rook", #{ betza: "R4", promotes: "queen" }); piece("king", #{ royal: false });"#,
            )
            .options(&[
                ("betza", TEXT),
                ("letter", TEXT),
                ("royal", TRUTH),
                ("bounces", NUMBER_TRUTH_OR_NONE),
                ("bounces_off", TEXT_OR_NONE),
                ("bounces_at", TEXT_OR_NONE),
                ("within", TEXT_OR_NONE),
                ("home", TEXT_OR_NONE),
                ("promotes", TEXTS_OR_NONE),
                ("zone", TEXT_OR_NONE),
                ("forced", TRUTH),
                ("on_leaving", TRUTH),
                ("glyphs", TEXTS),
                ("facing", TEXT_OR_NONE),
                ("takes", TEXTS_OR_NONE),
                ("in_hand", TEXT_OR_NONE),
                ("drops_to", TEXT_OR_NONE),
                ("drops_apart", TRUTH),
                ("clock", TRUTH),
                ("unlettered", TRUTH),
            ])
            .form(["kind", "changes"], change),
        row("moves", Cost::Declaration)
            .about("Adds moves to a declared kind. Option: `takes` (the only kinds that these moves can capture).")
            .errors("The kind must already be declared.")
            .example_in(ExampleContext::Top, r#"moves("rook", "F");"#)
            .options(&[("takes", TEXTS)])
            .form(["kind", "betza", "options"], moves),
        row("castling", Cost::Declaration)
            .about(
                "Declares a castling move: its letter in positions, and the start and target squares of the king and of
                its partner. Option: `safe` (default true: the king cannot castle while it is attacked, or through or
                onto an attacked square).",
            )
            .errors(
                "In the starting position, the king and its partner must be on their start squares, on the same rank.",
            )
            .example_in(ExampleContext::Top, r#"castling("K", "e1g1", "h1f1");"#)
            .options(&[("safe", TRUTH)])
            .form(["letter", "king", "partner", "options"], castling),
        row("royals", Cost::Declaration)
            .about(
                r#"Decides whether royal pieces can be captured. `"protected"` (the default): no move can leave a royal
                piece of its own side attacked. `"capturable"`: royal pieces can be captured like any other piece. The
                second argument decides whether a royal piece that was left attacked can be captured: `"free"` (the
                default: even by a pinned piece), `"safe"` (only by a move after which none of the captor's royal pieces
                is attacked) or `"never"`."#,
            )
            .example_in(ExampleContext::Top, r#"royals("protected", "never");"#)
            .form(["policy", "capture"], royals),
        row("hands", Cost::Declaration)
            .about(
                r#"Lets sides hold pieces in hand and drop them. The argument decides which side gets a captured piece:
                `"captor"` (the default), `"owner"` or `"nobody"`."#,
            )
            .example_in(ExampleContext::Top, r#"hands("owner");"#)
            .form(["owner"], hands),
    ]
}

fn piece(call: &Call<'_>, name: NewName, letter: ImmutableString, moves: Betza, options: Options) -> ScriptResult<()> {
    let board = call.trace().declaration.spec.board.clone();
    let mut kind = KindDef::new(&name, &letter);
    kind.atoms = movement(board.cells(), &moves)?;
    describe(&mut kind, &board, &options)?;
    kind.unlettered = options.flag("unlettered", kind.restarts_clock)?;
    call.declare("piece()", |d| {
        let index = d.spec.kinds.len();
        if is_no_letter(&letter) {
            let swapped = name.chars().all(|c| c.is_ascii_uppercase()) && name.len() == 1;
            let help = match swapped {
                true => format!("the name comes first: write `piece(\"{letter}\", \"{}\", ..)`", *name),
                false => "use a single capital letter, such as \"Q\"; a plus sign can come before it".into(),
            };
            return fail_help(format!("\"{letter}\" cannot be the letter of a piece"), Some(help));
        }
        if d.spec.kinds.iter().any(|k| k.name == **name) {
            let help = format!(
                "choose a different name; to change the movement of a piece of a base game, write \
                 `piece(\"{}\", #{{ betza: \"fW\" }})`",
                *name
            );
            return fail_help(format!("there is already a piece called \"{}\"", *name), Some(help));
        }
        is_free(d, &name, &letter)?;
        add_far_rank(d);
        d.spec.kinds.push(kind);
        name_kinds(d, index, &options)
    })
}

/// Changes a declared kind according to options. In an imported script the kind may be unknown, since nothing is
/// declared there.
fn change(call: &Call<'_>, name: KindName, options: GivenOptions) -> ScriptResult<()> {
    let (cells, phase) = {
        let trace = call.trace();
        (trace.declaration.spec.board.cells(), trace.phase)
    };
    let atoms = options.text("betza")?.map(|text| movement(cells, &text)).transpose()?;
    let letter = options.text("letter")?;
    if phase == Phase::Importing {
        return Ok(());
    }
    let index = match call.kind(&name) {
        Ok(kind) => kind.index(),
        Err(_) => return unknown_kind(call, &name),
    };
    call.declare("piece()", |d| {
        let mut kind = d.spec.kinds[index].clone();
        if let Some(atoms) = atoms {
            // `takes` applies to the whole new movement. Earlier declarations for additional ways of moving are
            // dropped.
            forget(d, index, |later| matches!(later, Later::Takes(_, range, _) if range.start > 0));
            for later in &mut d.later {
                if let Later::Takes(of, range, _) = later
                    && *of == index
                {
                    *range = 0..atoms.len();
                }
            }
            kind.atoms = atoms;
        }
        if let Some(letter) = letter.filter(|letter| *letter != kind.letter) {
            if is_no_letter(&letter) {
                let help = "use a single capital letter, such as \"Q\"; a plus sign can come before it".to_string();
                return fail_help(format!("\"{letter}\" cannot be the letter of a piece"), Some(help));
            }
            is_free(d, &name, &letter)?;
            kind.letter = letter;
        }
        describe(&mut kind, &d.spec.board, &options)?;
        let idle = ["zone", "forced", "on_leaving"].into_iter().find(|key| options.get(key).is_some());
        if let (None, Some(idle)) = (&kind.promotion, idle) {
            let help = format!(
                "remove `{idle}`, or name what the piece becomes: `piece(\"{}\", #{{ promotes: \"queen\", {idle}: .. \
                 }})`",
                *name
            );
            return fail_help(format!("`{idle}` has no effect on the {}, which does not promote", *name), Some(help));
        }
        d.spec.kinds[index] = kind;
        name_kinds(d, index, &options)
    })
}

fn unknown_kind(call: &Call<'_>, name: &str) -> ScriptResult<()> {
    let help = match nearest(name, call.trace().declaration.spec.kinds.iter().map(|kind| kind.name.as_str())) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!(
            "declare the piece first, for example with `chess::men()`; a new piece needs a letter: `piece(\"{name}\", \
             \"X\", \"K\")`"
        ),
    };
    fail_help(format!("there is no piece called \"{name}\" to change"), Some(help))
}

/// Parses a movement. Pieces that never move, such as walls, have an empty one.
fn movement(cells: Cells, text: &str) -> ScriptResult<Vec<Atom>> {
    if text.is_empty() { Ok(Vec::new()) } else { betza::parse_on(cells, text).or_else(misread) }
}

fn is_no_letter(letter: &str) -> bool {
    letter.is_empty()
        || letter
            .chars()
            .any(|c| c.is_ascii_digit() || c.is_ascii_lowercase() || c.is_whitespace() || "/[]*".contains(c))
}

/// Rejects a letter that another kind has.
fn is_free(d: &Declaration, name: &str, letter: &str) -> ScriptResult<()> {
    match d.spec.kinds.iter().find(|kind| kind.letter == letter) {
        Some(twin) => fail_help(
            format!("\"{name}\" has the letter \"{letter}\", the same as \"{}\"", twin.name),
            Some("choose a letter that no other piece has".into()),
        ),
        None => Ok(()),
    }
}

/// Applies options to a kind, except those that name other kinds. `()` removes an earlier setting.
fn describe(kind: &mut KindDef, board: &Board, options: &Options) -> ScriptResult<()> {
    let said = |key: &str| options.get(key).map(|value| !value.is_unit());
    let text = |key: &str, into: &mut Option<String>| match said(key) {
        None => Ok(()),
        Some(true) => options.text(key).map(|text| *into = text),
        Some(false) => {
            *into = None;
            Ok(())
        }
    };
    kind.royal = options.flag("royal", kind.royal)?;
    text("within", &mut kind.within)?;
    text("home", &mut kind.home)?;
    text("drops_to", &mut kind.drops_to)?;
    bounces::read(kind, board, options)?;
    if let Some(glyphs) = options.texts("glyphs")? {
        kind.glyphs = glyphs;
    }
    let mut facing = None;
    text("facing", &mut facing)?;
    if said("facing").is_some() {
        kind.facing = facing.map(|word| direction(board.cells(), &word)).transpose()?;
    }
    kind.drops_apart = options.flag("drops_apart", kind.drops_apart)?;
    kind.restarts_clock = options.flag("clock", kind.restarts_clock)?;
    kind.unlettered = options.flag("unlettered", kind.unlettered)?;
    match said("promotes") {
        Some(true) if kind.promotion.is_none() => {
            let zone = "far rank".into();
            kind.promotion = Some(Promotion { zone, to: KindMask::NONE, forced: true, on_leaving: false });
        }
        Some(false) => kind.promotion = None,
        _ => {}
    }
    if let Some(promotion) = &mut kind.promotion {
        let mut zone = Some(std::mem::take(&mut promotion.zone));
        text("zone", &mut zone)?;
        promotion.zone = zone.unwrap_or_else(|| "far rank".into());
        promotion.forced = options.flag("forced", promotion.forced)?;
        promotion.on_leaving = options.flag("on_leaving", promotion.on_leaving)?;
    }
    Ok(())
}

/// Records the kind names in options of a kind. They are resolved when all kinds are known.
fn name_kinds(d: &mut Declaration, index: usize, options: &Options) -> ScriptResult<()> {
    let given = |key: &str| options.get(key).is_some_and(|value| !value.is_unit());
    if options.get("promotes").is_some() {
        forget(d, index, |later| matches!(later, Later::Promotes(..)));
    }
    if options.get("in_hand").is_some() {
        forget(d, index, |later| matches!(later, Later::InHand(..)));
    }
    if options.get("takes").is_some() {
        forget(d, index, |later| matches!(later, Later::Takes(..)));
    }
    let named = |key: &str| if given(key) { options.texts(key) } else { Ok(None) };
    d.later.extend(named("promotes")?.map(|names| Later::Promotes(index, names)));
    if given("in_hand") {
        d.later.extend(options.text("in_hand")?.map(|name| Later::InHand(index, name)));
    }
    let atoms = 0..d.spec.kinds[index].atoms.len();
    d.later.extend(named("takes")?.map(|names| Later::Takes(index, atoms, names)));
    Ok(())
}

/// Drops the settings of a kind that refer to other kinds by name and match `which`.
fn forget(d: &mut Declaration, index: usize, which: impl Fn(&Later) -> bool) {
    d.later.retain(|later| {
        let of = match later {
            Later::Promotes(of, _) | Later::InHand(of, _) | Later::Takes(of, ..) => *of == index,
            Later::Trait(..) => false,
        };
        !(of && which(later))
    });
}

/// Adds moves to a kind. In an imported script the kind may be unknown, since nothing is declared there.
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
                        Some(name) => format!("\"{text}\" must be two squares, but this board has no square `{name}`"),
                        None => format!("\"{text}\" must be two squares on the same rank"),
                    };
                    let help =
                        "write the king's start and target squares, as in \"e1g1\", then the rook's, as in \"h1f1\"";
                    fail_help(message, Some(help.into()))
                },
                Ok,
            )
        };
        let mut letters = letter.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return fail("a castling right needs a single letter, such as \"K\"");
        };
        let decl = CastleDecl { letter, king: path(&king)?, rook: path(&rook)?, safe };
        d.castles.push(decl);
        Ok(())
    })
}

fn royals(call: &Call<'_>, policy: Word, capture: Option<Word>) -> ScriptResult<()> {
    if let Some(capture) = capture.as_ref().filter(|capture| matches!(capture.as_str(), "protected" | "capturable")) {
        let help = format!("did you mean `royals(\"{}\", \"{}\")`?", **capture, *policy);
        let message = format!("the first argument must be \"protected\" or \"capturable\", not \"{}\"", *policy);
        return fail_help(message, Some(help));
    }
    let policy = match policy.as_str() {
        "protected" => RoyalPolicy::Protected,
        "capturable" => RoyalPolicy::Capturable,
        _ => return fail(format!("`royals` takes \"protected\" or \"capturable\", not \"{}\"", *policy)),
    };
    let capture = match capture.as_ref().map_or("free", |word| word.as_str()) {
        "free" => RoyalCapture::Free,
        "safe" => RoyalCapture::Safe,
        "never" => RoyalCapture::Never,
        other => {
            return fail(format!("the second argument must be \"free\", \"safe\" or \"never\", not \"{other}\""));
        }
    };
    call.declare("royals()", |d| {
        d.spec.royal_policy = policy;
        d.spec.royal_capture = capture;
        Ok(())
    })
}

/// Pieces in hand. Captured pieces go to their captor, to their owner, or out of play.
fn hands(call: &Call<'_>, captives: Option<Word>) -> ScriptResult<()> {
    let captives = match captives.as_ref().map_or("captor", |word| word.as_str()) {
        "captor" => Captives::Captor,
        "owner" => Captives::Owner,
        "nobody" => Captives::Nobody,
        other => {
            return fail(format!("`hands` takes \"captor\", \"owner\" or \"nobody\", not \"{other}\""));
        }
    };
    call.declare("hands()", |d| {
        d.spec.hands = true;
        d.spec.captives = captives;
        Ok(())
    })
}

/// Adds the default promotion region.
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
