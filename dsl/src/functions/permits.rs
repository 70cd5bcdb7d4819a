//! Permits: which moves are allowed.

use super::param::{Call, CounterName, Options, SomeSquares, Track};
use super::row::{Chapter, Cost, Fact, Row, row};
use super::squares::offset;
use crate::host::convert::{sign, small};
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::kind::option::{NUMBER, TEXT, TRUTH};
use crate::host::kind::{ValueKind, words_for};
use crate::host::size_limit;
use crate::host::tested::Subject;
use crate::host::trace::Phase;
use crate::host::values::{PermitV, SideV};
use crate::notation::nearest;
use astragal_core::Reach;
use astragal_core::permit::{HeldDice, Most, Permit, SafetyOverride, WayTo};
use astragal_core::query::{Find, Query};
use astragal_core::track::{Along, Carry, End, Landing, MAX_STATIONS, Passing};
use astragal_core::value::{SetExpr, SideRef};
use astragal_core::{Castle, KindMask, SquareSet};
use rhai::{Array, Dynamic, FnPtr, ImmutableString};

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Permits: which moves",
        intro: "A permit describes a set of moves. Creating a permit does not compute its moves. They are computed \
             when a player moves or when a rule asks about them.",
        rows: [basic(), along_tracks(), algebra(), tests(), asked()].into_iter().flatten().collect(),
    }
}

fn basic() -> Vec<Row> {
    vec![
        row("any", Cost::Value)
            .about("Permits every move.")
            .example("play(any());")
            .facts(&[Fact::OwnMoves])
            .form([], |_: &Call<'_>| fixed(Permit::Any)),
        row("nothing", Cost::Value)
            .about("Permits no move.")
            .example(r#"play(pieces("pawn") | nothing());"#)
            .form([], |_: &Call<'_>| fixed(Permit::Nothing)),
        row("moves_of", Cost::Value)
            .newer()
            .about(
                "Permits all moves of these kinds of pieces on the board. Castling is included if the castling king is
                of one of these kinds.",
            )
            .errors("Use it in a rule, not at the top level.")
            .example(r#"play(moves_of("king"));"#)
            .facts(&[Fact::OwnMoves, Fact::PermitsCastling])
            .form(["kinds"], moves_of),
        row("pieces", Cost::Value)
            .about("Permits moves of these kinds of pieces on the board, without castling.")
            .errors("Each name must be the name of a piece.")
            .example(r#"play(pieces(["pawn", "king"]));"#)
            .facts(&[Fact::OwnMoves, Fact::OmitsCastling])
            .form(["kinds"], |_: &Call<'_>, kinds: KindMask| fixed(Permit::Pieces(kinds))),
        row("from", Cost::Value)
            .about("Permits moves that start on these squares.")
            .example(r#"play(from(squares("a1-h2")).or_else(any()));"#)
            .facts(&[Fact::OwnMoves])
            .form(["squares"], |_: &Call<'_>, squares: SetExpr| fixed(Permit::From(squares))),
        row("to", Cost::Value)
            .about("Permits moves that end on these squares.")
            .example("play(any() - to(rank(8)));")
            .facts(&[Fact::OwnMoves])
            .form(["squares"], |_: &Call<'_>, squares: SetExpr| fixed(Permit::To(squares))),
        row("castling", Cost::Value)
            .about(
                r#"Permits castling. With an argument, it permits only castling by pieces of these kinds or on these
                squares, as king or partner: `castling("rook")`, `castling(file(8))`. `castling("Kk")` permits the
                castling moves that were declared with these letters. Permits for pieces, distances and directions do
                not include castling: add it with this function or `moves_of`."#,
            )
            .errors(
                "The kinds or letters must be declared. If you pass the name of a kind, call it in a rule, not at the
                top level.",
            )
            .example(r#"play(pieces("rook") | castling("rook"));"#)
            .facts(&[Fact::OwnMoves, Fact::PermitsCastling])
            .form([], |_: &Call<'_>| fixed(Permit::Castling(u16::MAX)))
            .form(["who"], castling),
        row("en_passant", Cost::Value)
            .newer()
            .about("Permits en passant captures.")
            .example("play(en_passant().or_else(any()));")
            .facts(&[Fact::OwnMoves])
            .form([], |_: &Call<'_>| fixed(Permit::EnPassant)),
        row("drops", Cost::Value)
            .about("Permits drops from the hand, of pieces of any kind or only of these kinds.")
            .example(r#"play(any() - drops("pawn"));"#)
            .facts(&[Fact::UsesHands])
            .form(["kinds"], |_: &Call<'_>, kinds: Option<KindMask>| fixed(Permit::Drops(some(kinds)))),
        row("captures", Cost::Value)
            .about("Permits captures of any kind of piece, or only of these kinds.")
            .example(r#"play(captures("queen").or_else(any()));"#)
            .facts(&[Fact::OwnMoves])
            .form(["kinds"], |_: &Call<'_>, kinds: Option<KindMask>| fixed(Permit::Capturing(some(kinds)))),
        row("promotions", Cost::Value)
            .about("Permits moves that promote a piece.")
            .example("play(any() - promotions());")
            .facts(&[Fact::OwnMoves])
            .form([], |_: &Call<'_>| fixed(Permit::Promoting(KindMask::ALL))),
        row("promoting_to", Cost::Value)
            .about("Permits moves that promote a piece to one of these kinds.")
            .example(r#"play(any() - promoting_to("queen"));"#)
            .facts(&[Fact::OwnMoves])
            .form(["kinds"], |_: &Call<'_>, kinds: KindMask| fixed(Permit::Promoting(kinds))),
        row("steps", Cost::Value)
            .about("Permits moves over a distance of `n` king's steps, or of `least` to `most`, without castling.")
            .example("play(steps(1, 2));")
            .facts(&[Fact::OwnMoves, Fact::OmitsCastling])
            .form(["n"], |_: &Call<'_>, n: i16| fixed(Permit::Steps(n, n)))
            .form(["least", "most"], |_: &Call<'_>, least: i16, most: i16| fixed(Permit::Steps(least, most))),
        row("toward", Cost::Value)
            .about(
                "Permits moves in one direction, as the mover sees the board, without castling. Each number is -1, 0 or
                1: `toward(1, 0)` is to the right, `toward(0, 1)` is forward.",
            )
            .example("play(toward(0, 1).or_else(any()));")
            .facts(&[Fact::OwnMoves, Fact::OmitsCastling])
            .form(["right", "forward"], |_: &Call<'_>, right: i64, forward: i64| {
                fixed(Permit::Toward(sign(right)?, sign(forward)?))
            }),
        row("pushes", Cost::Value)
            .about(
                "Permits moves that push other pieces. A piece moves this many steps in one of the directions in which
                it normally moves. It pushes the pieces of any side in its way, together with those directly behind
                them. A push that is blocked ends early; if its first step is blocked, the piece stays on its square.
                Pushes capture nothing, except with `over_edge`. Options: `fewer` (true: fewer steps are also possible),
                `over_edge` (true: pieces pushed off the board are captured; by default, the edge blocks the push),
                `line` (at most this many pieces are pushed at once; a longer line blocks the push).",
            )
            .example("play(any() | pushes(1));")
            .facts(&[Fact::OwnMoves])
            .options(&[("fewer", TRUTH), ("over_edge", TRUTH), ("line", NUMBER)])
            .form(["steps", "options"], pushes),
    ]
}

/// A permit that names no side.
fn fixed(permit: Permit) -> ScriptResult<PermitV> {
    Ok(PermitV::fixed(permit))
}

/// These kinds, or all.
fn some(kinds: Option<KindMask>) -> KindMask {
    kinds.unwrap_or(KindMask::ALL)
}

/// All that pieces of these kinds can do on the board: their moves, and castling if they are the kind that castles.
fn moves_of(call: &Call<'_>, kinds: KindMask) -> ScriptResult<PermitV> {
    in_a_rule(call, "moves_of()")?;
    let trace = call.trace();
    let castles = &trace.declaration.spec.castles;
    let own = |castle: &&Castle| kinds.contains(castle.kinds.0);
    let origins: SquareSet = castles.iter().filter(own).map(|castle| castle.king.0).collect();
    let castling = match castles.iter().all(|castle| own(&castle)) {
        _ if origins.is_empty() => return fixed(Permit::Pieces(kinds)),
        true => Permit::Castling(u16::MAX),
        false => Permit::And(Box::new(Permit::Castling(u16::MAX)), Box::new(Permit::From(SetExpr::Is(origins)))),
    };
    fixed(Permit::Or(Box::new(Permit::Pieces(kinds)), Box::new(castling)))
}

/// Rejects, at the top level of a script, calls that depend on all castlings being declared.
fn in_a_rule(call: &Call<'_>, what: &str) -> ScriptResult<()> {
    if call.trace().phase == Phase::Running {
        return Ok(());
    }
    let help = match what {
        "castling()" => {
            "to declare castling, add two arguments, as in `castling(\"K\", \"e1g1\", \"h1f1\")`; to permit castling, \
             use it in a rule"
        }
        _ => "use it in a rule: only then does Astragal know which kinds can castle",
    };
    fail_help(format!("{what} cannot be used at the top level of a script"), Some(help.into()))
}

/// Castling of some pieces: by kinds or letters, else by squares.
fn castling(call: &Call<'_>, who: SomeSquares) -> ScriptResult<PermitV> {
    in_a_rule(call, "castling()")?;
    let who = who.0;
    let named = |value: &Dynamic| value.read_lock::<ImmutableString>().is_some_and(|text| !names_squares(&text));
    let names: Vec<Dynamic> = match who.read_lock::<Array>() {
        Some(items) => items.to_vec(),
        None => vec![who.clone()],
    };
    if !names.iter().any(named) {
        return fixed(Permit::CastlingBy(call.set(&who)?));
    }
    let mut which = 0;
    for name in &names {
        let Some(name) = name.read_lock::<ImmutableString>() else {
            return fail(format!("`castling` takes kinds or squares, but one of these kinds is {}", words_for(name)));
        };
        which |= castlings_named(call, &name)?;
    }
    fixed(if which == 0 { Permit::Nothing } else { Permit::Castling(which) })
}

/// Whether a text is a list of squares.
fn names_squares(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// The castlings, as bits, that a piece of this kind takes part in, or that have these letters.
fn castlings_named(call: &Call<'_>, name: &str) -> ScriptResult<u16> {
    let kind = call.kind(name).ok();
    let trace = call.trace();
    let castles = &trace.declaration.spec.castles;
    let letters = |castle: &Castle| name.contains(castle.letter);
    let takes_part = |castle: &Castle| match kind {
        Some(kind) => castle.kinds.0 == kind || castle.kinds.1 == kind,
        None => letters(castle),
    };
    if kind.is_some() || !name.is_empty() && name.chars().all(|c| castles.iter().any(|castle| castle.letter == c)) {
        let found = castles.iter().enumerate().filter(|(_, castle)| takes_part(castle));
        return Ok(found.fold(0, |all, (index, _)| all | 1 << index));
    }
    let kinds: Vec<&str> = trace.declaration.spec.kinds.iter().map(|kind| kind.name.as_str()).collect();
    let known: String = castles.iter().map(|castle| castle.letter).collect();
    let help = match nearest(name, kinds.iter().copied()) {
        Some(kind) => format!("did you mean \"{kind}\"?"),
        None if known.is_empty() => {
            "no castling is declared; declare it as in `castling(\"K\", \"e1g1\", \"h1f1\")`".into()
        }
        None => format!("castling letters are {known}; pieces are {}", kinds.join(", ")),
    };
    drop(trace);
    fail_help(format!("\"{name}\" is neither a piece nor a castling letter"), Some(help))
}

fn pushes(_: &Call<'_>, steps: i16, options: Options) -> ScriptResult<PermitV> {
    let line = options.number("line")?.unwrap_or(i64::from(i16::MAX));
    let (fewer, over_edge) = (options.flag("fewer", false)?, options.flag("over_edge", false)?);
    fixed(Permit::Push(Reach { steps, fewer, over_edge, line: small(line)? }))
}

fn along_tracks() -> Vec<Row> {
    vec![
        row("along", Cost::Value)
            .about(
                r#"Permits moves of `n` stations along a track, or of `least` to `most`; negative numbers move back. The
                option `passing` (`"all"`, `"nobody"`, `"own"`, `"enemies"`, `"singles"`, `"own_or_singles"` or `"hop"`)
                decides which pieces can be passed. The default is `"all"`. With `"singles"`, two or more pieces of one
                side or team block the move; with `"own_or_singles"`, two or more enemies do. With `"hop"`, the piece
                must pass exactly one enemy, which is captured. The option `landing` (`"hit"`, `"pin"`, `"own"`, `"all"`
                or `"take"`) decides what happens to enemies on the station where the move ends. `"hit"`, the default,
                captures a single enemy, but two or more block the move. `"pin"` joins a single enemy, and `"all"` joins
                any pieces. With `"own"`, any enemy blocks the move. `"take"` captures all enemies. The option `end`
                (`"exact"`, `"stop"`, `"last"` or `"back"`) decides what happens to moves that would go past the last
                station of the track. `"exact"`, the default, does not permit them. `"stop"` ends them on the last
                station, `"last"` does so only if no piece of the side is farther behind, and `"back"` makes them turn
                back. The option `most` limits how many pieces of the mover and its partners a station can hold; the
                last station has no limit unless the track is closed. The option `carry` (a number, `"all"` or `"any"`)
                decides how many pieces of a heap move together; by default, only the top piece moves. In a heap, the
                owner of the top piece holds the station: `"hit"` captures a top enemy with no other enemy below, and
                `"pin"` goes on top of a single piece."#,
            )
            .errors("There must be a track with this name.")
            .example(r#"play(any() | along("lane", 2));"#)
            .facts(&[Fact::AlongTracks])
            .options(&[
                ("passing", TEXT),
                ("end", TEXT),
                ("landing", TEXT),
                ("carry", &[ValueKind::Number, ValueKind::Text]),
                ("most", NUMBER),
            ])
            .form(["track", "n", "options"], |call: &Call<'_>, track: Track, n: i16, options: Options| {
                let along = stations(call, track, (n, n), &options)?;
                fixed(Permit::Along(Along { carry: carry(call, &options)?, ..along }))
            })
            .form(
                ["track", "least", "most", "options"],
                |call: &Call<'_>, track: Track, least: i16, most: i16, options: Options| {
                    let along = stations(call, track, (least, most), &options)?;
                    fixed(Permit::Along(Along { carry: carry(call, &options)?, ..along }))
                },
            ),
        row("enter", Cost::Value)
            .about(
                "Permits moves that bring pieces from the hand onto station `n` of a track. By default, they capture a
                single enemy there. Options: `passing`, `end`, `landing` and `most`, as for `along`. Such a move has no
                origin, so `mv.from` equals `mv.to`; test `mv.is_drop` first.",
            )
            .errors("There must be a track with this name.")
            .example(r#"play(any() | enter("lane", 1));"#)
            .options(&[("passing", TEXT), ("end", TEXT), ("landing", TEXT), ("most", NUMBER)])
            .form(["track", "n", "options"], |call: &Call<'_>, track: Track, n: i16, options: Options| {
                fixed(Permit::Enter(stations(call, track, (n, n), &options)?))
            }),
        row("way", Cost::Value)
            .about(
                "Permits moves from one set of squares to another, regardless of how the pieces usually move. With two
                numbers, each move goes a number of files to the right and a number of ranks forward, as the moving side
                sees the board. It jumps over any pieces in between. Option: `own` (true: pieces of the same side can be
                captured). On a board with heaps, a piece goes on top of its own side's pieces and captures a top enemy;
                the option `landing` changes that, and `carry` sets how many pieces move together. Both work as for
                `along`.",
            )
            .example("play(any() | way(rank(2), rank(4)));")
            .options(&[("own", TRUTH), ("landing", TEXT), ("carry", &[ValueKind::Number, ValueKind::Text])])
            .form(["from", "to", "options"], |call: &Call<'_>, from: SetExpr, to: SetExpr, options: Options| {
                way(call, from, WayTo::Squares(to), &options)
            })
            .form(
                ["from", "right", "forward", "options"],
                |call: &Call<'_>, from: SetExpr, right: i64, forward: i64, options: Options| {
                    let (right, forward) = offset(right, forward)?;
                    way(call, from, WayTo::Offset(right, forward), &options)
                },
            ),
        row("moves_like", Cost::Value)
            .newer()
            .about(
                "Lets the player's pieces on these squares move like other kinds, which do not have to be on the board.
                The pieces keep their own kind and its promotions. Castling is not included. In `fn movement()`, these
                moves count as attacks.",
            )
            .errors("Each name must be the name of a piece.")
            .example(r#"play(any() | moves_like("knight", squares_of(mover(), "pawn")));"#)
            .facts(&[Fact::OwnMoves])
            .form(["kinds", "squares"], |_: &Call<'_>, kinds: KindMask, squares: SetExpr| {
                fixed(Permit::MovesLike(kinds, squares))
            }),
        row("payable", Cost::Value)
            .about(
                "Permits moves of the kinds whose number matches one of the dice in a pool; the first kind in the array
                has number 1.",
            )
            .errors("Name a side only if each side has its own pool.")
            .example(r#"play(payable("dice", mover(), ["pawn", "knight"]) | any());"#)
            .facts(&[Fact::OffersHeld])
            .form(["pool", "kinds"], |call: &Call<'_>, pool: CounterName, kinds: Array| {
                payable(call, &pool, None, &kinds, false)
            })
            .form(["pool", "side", "kinds"], |call: &Call<'_>, pool: CounterName, side: SideV, kinds: Array| {
                payable(call, &pool, Some(side), &kinds, false)
            }),
        row("payable_above", Cost::Value)
            .about(
                "Permits moves of the kinds whose number is below the highest die in a pool; the first kind in the array
                has number 1.",
            )
            .errors("Name a side only if each side has its own pool.")
            .example(r#"play(payable_above("dice", mover(), ["pawn", "knight"]) | any());"#)
            .facts(&[Fact::OffersHeld])
            .form(["pool", "kinds"], |call: &Call<'_>, pool: CounterName, kinds: Array| {
                payable(call, &pool, None, &kinds, true)
            })
            .form(["pool", "side", "kinds"], |call: &Call<'_>, pool: CounterName, side: SideV, kinds: Array| {
                payable(call, &pool, Some(side), &kinds, true)
            }),
    ]
}

/// Moves from some squares to others.
fn way(call: &Call<'_>, from: SetExpr, to: WayTo, options: &Options) -> ScriptResult<PermitV> {
    let landing = if options.get("landing").is_some() { Some(landing(call, options)?) } else { None };
    if landing.is_some() {
        needs_heaps(call, "`landing` of `way`")?;
    }
    fixed(Permit::Way { from, to, own: options.flag("own", false)?, landing, carry: carry(call, options)? })
}

/// Movement along a track by a number of stations from `least` to `most`.
fn stations(call: &Call<'_>, track: Track, (least, most): (i16, i16), options: &Options) -> ScriptResult<Along> {
    let passing = match options.text("passing")?.as_deref() {
        None | Some("all") => Passing::All,
        Some("nobody") => Passing::Nobody,
        Some("own") => Passing::Own,
        Some("enemies") => Passing::Enemies,
        Some("singles") => Passing::Singles,
        Some("own_or_singles") => Passing::OwnOrSingles,
        Some("hop") => Passing::Hop,
        Some(other) => {
            let known = "\"all\", \"nobody\", \"own\", \"enemies\", \"singles\", \"own_or_singles\" or \"hop\"";
            return fail(format!("`passing` must be {known}, not \"{other}\""));
        }
    };
    let end = match options.text("end")?.as_deref() {
        None | Some("exact") => End::Exact,
        Some("stop") => End::Stop,
        Some("last") => End::Last,
        Some("back") => End::Back,
        Some(other) => {
            return fail(format!("`end` must be \"exact\", \"stop\", \"last\" or \"back\", not \"{other}\""));
        }
    };
    if i64::from(most) - i64::from(least) > MAX_STATIONS as i64 {
        return fail(format!(
            "a track has at most {MAX_STATIONS} stations, too few for moves of {least} to {most} stations"
        ));
    }
    let (landing, room) = (landing(call, options)?, room(options)?);
    Ok(Along { track: track.0, least, most, passing, end, landing, carry: Carry::One, room })
}

/// The maximum number of pieces of one party on a station.
fn room(options: &Options) -> ScriptResult<Option<u8>> {
    let Some(most) = options.number("most")? else { return Ok(None) };
    match u8::try_from(most).ok().filter(|most| *most > 0) {
        Some(most) => Ok(Some(most)),
        None => {
            let help = "leave out `most` for no limit, or write 1 or more";
            fail_help(format!("`most` must be a number of pieces from 1 to 255, not {most}"), Some(help.into()))
        }
    }
}

/// The pieces that may be on the square where a piece stops.
fn landing(call: &Call<'_>, options: &Options) -> ScriptResult<Landing> {
    Ok(match options.text("landing")?.as_deref() {
        None | Some("hit") => Landing::Hit,
        Some("pin") => Landing::Pin,
        Some("own") => Landing::Own,
        Some("all") => Landing::All,
        Some("take") => {
            needs_heaps(call, "landing \"take\"")?;
            Landing::Take
        }
        Some(other) => {
            return fail(format!("`landing` must be \"hit\", \"pin\", \"own\", \"all\" or \"take\", not \"{other}\""));
        }
    })
}

/// The number of pieces of a heap that move together.
fn carry(call: &Call<'_>, options: &Options) -> ScriptResult<Carry> {
    let Some(value) = options.get("carry") else { return Ok(Carry::One) };
    needs_heaps(call, "`carry`")?;
    if let Ok(count) = value.as_int() {
        return match u8::try_from(count).ok().filter(|count| (1..=62).contains(count)) {
            Some(1) => Ok(Carry::One),
            Some(count) => Ok(Carry::Number(count)),
            None => fail(format!("`carry` must be from 1 to 62, \"all\" or \"any\", not {count}")),
        };
    }
    match options.text("carry")?.as_deref() {
        Some("all") => Ok(Carry::All),
        Some("any") => Ok(Carry::Any),
        other => fail(format!("`carry` must be a number, \"all\" or \"any\", not \"{}\"", other.unwrap_or_default())),
    }
}

/// Rejects, in the rules of a game without heaps, what only makes sense with heaps.
fn needs_heaps(call: &Call<'_>, what: &str) -> ScriptResult<()> {
    let trace = call.trace();
    if trace.phase != Phase::Running || trace.declaration.spec.heaps {
        return Ok(());
    }
    drop(trace);
    let help = "let pieces stand on one another: `board(.., #{ heaps: true })`";
    fail_help(format!("{what} needs heaps, but this board has no heaps"), Some(help.into()))
}

/// Moves of pieces that dice held in a counter pay for.
fn payable(call: &Call<'_>, pool: &str, side: Option<SideV>, kinds: &Array, higher: bool) -> ScriptResult<PermitV> {
    let side = side.map_or(SideRef::Mover, |side| side.0.now());
    let (counter, per_side) = call.counter(pool)?;
    if !per_side && side != SideRef::Mover {
        return fail(format!("the counter \"{pool}\" belongs to no side"));
    }
    let kinds = kinds.iter().map(|kind| call.kinds(kind)).collect::<ScriptResult<Vec<KindMask>>>()?;
    Ok(call.permit_value(Permit::Payable(HeldDice { counter, side, kinds }, higher)))
}

fn algebra() -> Vec<Row> {
    vec![
        row("|", Cost::Value)
            .about("Permits moves that at least one of the permits allows.")
            .example(r#"play(pieces("pawn") | pieces("king"));"#)
            .form(["a", "b"], joined(union)),
        row("&", Cost::Value)
            .about("Permits only moves that both permits allow.")
            .example(r#"play((pieces("pawn") & steps(1)).or_else(any()));"#)
            .form(["a", "b"], joined(|a, b| Permit::And(Box::new(a), Box::new(b)))),
        row("-", Cost::Value)
            .about("Permits moves that the first permit allows and the second does not.")
            .example("play(any() - captures());")
            .form(["a", "b"], joined(|a, b| Permit::Minus(Box::new(a), Box::new(b)))),
        row("or_else", Cost::Value)
            .about("Permits moves of the first permit; if there are none, moves of the second.")
            .example(r#"play(pieces("queen").or_else(any()));"#)
            .form(["first", "second"], |call: &Call<'_>, a: PermitV, b: Permit| {
                size_limit::permit(Permit::OrElse(Box::new(a.0.now()), Box::new(b)), call)
            }),
    ]
}

fn joined(join: fn(Permit, Permit) -> Permit) -> impl Fn(&Call<'_>, PermitV, PermitV) -> ScriptResult<PermitV> {
    move |call, a, b| size_limit::permit(join(a.0.now(), b.0.now()), call)
}

/// Either of two permits; kinds are merged into one mask.
fn union(a: Permit, b: Permit) -> Permit {
    match (a, b) {
        (Permit::Pieces(a), Permit::Pieces(b)) => Permit::Pieces(KindMask(a.0 | b.0)),
        (Permit::Nothing, other) | (other, Permit::Nothing) => other,
        (Permit::Any, other) | (other, Permit::Any) if !other.makes() => Permit::Any,
        (a, b) => Permit::Or(Box::new(a), Box::new(b)),
    }
}

fn tests() -> Vec<Row> {
    vec![
        row("where", Cost::Value)
            .about(
                "Permits moves that pass a test in the position before the move. A test is a separate rule that runs
                once for each move.",
            )
            .errors("The test must return true or false, and can only read the game.")
            .example("play(any().where(|mv| mv.from.rank < 8));")
            .form(["permit", "test"], |call: &Call<'_>, permit: PermitV, test: FnPtr| {
                let rule = call.test(call.context(), &test, Subject::Move)?;
                size_limit::permit(Permit::Where(Box::new(permit.0.now()), rule), call)
            }),
        row("after", Cost::Value)
            .about(
                "Permits moves that pass a test in the position after the move. The test assumes that captures
                succeed.",
            )
            .errors("The test must return true or false, and can only read the game.")
            .example("play(any().after(|mv| !in_check(opponent())).or_else(any()));")
            .form(["permit", "test"], |call: &Call<'_>, permit: PermitV, test: FnPtr| {
                let rule = call.test(call.context(), &test, Subject::Move)?;
                size_limit::permit(Permit::After(Box::new(permit.0.now()), rule), call)
            }),
        row("even_if_attacked", Cost::Value)
            .about("Permits the moves of this permit even if they leave a royal piece of their own side attacked.")
            .example("play(any().even_if_attacked());")
            .form(["permit"], changed(|permit| Permit::Safety(permit, SafetyOverride::Ignored))),
        row("safely", Cost::Value)
            .about("Permits only those moves of this permit that leave no royal piece of their own side attacked.")
            .example("play(any().safely().or_else(any()));")
            .form(["permit"], changed(|permit| Permit::Safety(permit, SafetyOverride::Heeded))),
        row("longest", Cost::Value)
            .about("Permits only the longest move of each piece in each direction.")
            .example("play(any().longest());")
            .form(["permit"], changed(Permit::Longest)),
        row("most", Cost::Value)
            .newer()
            .about(
                "Permits the moves that allow the most further moves, up to `n`, of the same permit or of `next`. If no
                move allows a further one, it permits all moves. The look-ahead assumes that the same side continues and
                that captures succeed, and `outcome` does not run. Moves made in the look-ahead count toward the work
                limit of the event. Option: `same_piece` (true: only the piece that has moved continues, as in a chain
                of captures).",
            )
            .errors("`n` must be from 1 to 15.")
            .example("play(captures().most(3, #{ same_piece: true }).or_else(any()));")
            .options(&[("same_piece", TRUTH)])
            .form(["permit", "n", "options"], |call: &Call<'_>, permit: PermitV, n: i64, options: Options| {
                let permit = permit.0.now();
                most(call, permit.clone(), n, permit, &options)
            })
            .form(
                ["permit", "n", "next", "options"],
                |call: &Call<'_>, permit: PermitV, n: i64, next: PermitV, options: Options| {
                    most(call, permit.0.now(), n, next.0.now(), &options)
                },
            ),
        row("of", Cost::Value)
            .about(
                "Permits the same moves for another side's pieces. Without `of`, a permit applies to the side to move;
                in `outcome` between turns, that is `to_move()`, not `mover()`.",
            )
            .example("play(any().of(mover()));")
            .facts(&[Fact::ChangesTurn])
            .form(["permit", "side"], |call: &Call<'_>, permit: PermitV, side: SideRef| {
                size_limit::permit(Permit::Of(Box::new(permit.0.now()), side), call)
            }),
    ]
}

/// The moves of a permit after which as many as possible of `n` moves of another permit can follow.
fn most(call: &Call<'_>, permit: Permit, n: i64, next: Permit, options: &Options) -> ScriptResult<PermitV> {
    let Some(further) = u8::try_from(n).ok().filter(|n| (1..=15).contains(n)) else {
        return fail(format!("`most` looks 1 to 15 moves ahead, not {n}"));
    };
    let same_piece = options.flag("same_piece", false)?;
    size_limit::permit(Permit::Most(Box::new(Most { permit, next, further, same_piece })), call)
}

fn changed(change: fn(Box<Permit>) -> Permit) -> impl Fn(&Call<'_>, PermitV) -> ScriptResult<PermitV> {
    move |call, permit| size_limit::permit(change(Box::new(permit.0.now())), call)
}

fn asked() -> Vec<Row> {
    vec![
        row("exists", Cost::Question)
            .about("Returns whether the permit allows a move now.")
            .example(r#"if !pieces("pawn").exists() { label("no pawn"); }"#)
            .form(["permit"], |call: &Call<'_>, permit: PermitV| {
                call.ask_truth(Query::AtLeast(Box::new(Query::Moves(permit.0.now())), 1))
            }),
        row("count", Cost::Question)
            .about(
                "Returns how many moves the permit allows now. If you only compare the result with a number, the tree
                has two branches; otherwise, it has one for each value. `exists` is faster.",
            )
            .example(r#"if pieces("pawn").count() == 16 { label("all"); }"#)
            .facts(&[Fact::TellsOfRoyals])
            .form(["permit"], |call: &Call<'_>, permit: PermitV| call.ask_number(Query::Moves(permit.0.now()), 0)),
        row("origins", Cost::Search)
            .facts(&[Fact::FindsByPieces])
            .about("Returns the squares that the permit's moves start from.")
            .example("let busy = origins(captures());")
            .form(["permit"], |call: &Call<'_>, permit: PermitV| call.find_squares(Find::Reach(permit.0.now(), false))),
        row("targets", Cost::Search)
            .facts(&[Fact::FindsByPieces])
            .about("Returns the squares that the permit's moves end on.")
            .example(r#"let open = targets(pieces("rook"));"#)
            .form(["permit"], |call: &Call<'_>, permit: PermitV| call.find_squares(Find::Reach(permit.0.now(), true))),
    ]
}
