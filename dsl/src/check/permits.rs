//! Finds permits that can never admit a move, omit castling or do not name a side. Also finds royal pieces whose capture
//! has no effect, and read-only rules that roll dice or request choices.

use super::brackets::{function_around, index_at, statement_end, step};
use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::Report;
use super::rules;
use crate::Loaded;
use crate::diagnostic::Code;
use crate::functions::{Cost, Fact, costs, gives, has_fact, position_of};
use crate::host::kind::{ParamKind, ValueKind};
use crate::host::tokens::{Sort, Token, text_of, tokens};
use crate::notation::describe::a;
use astragal_core::query::{Answer, Find, Query};
use astragal_core::rule::{NodeId, Step, Tree};
use astragal_core::{Hook, Kind, KindDef, KindMask, Permit, RoyalPolicy, Variant};

/// Maximum number of permits compared with one that admits nothing.
const MOST_ASKED: usize = 64;

/// Checks the permits that the trial games reached.
pub(super) fn never(loaded: &Loaded, table: &NameTable, report: &mut Report) {
    let variant = &loaded.set.variant;
    let place = |rule, answers: &_| {
        let place = loaded.set.rules.place(rule, answers).filter(|place| place.file.is_none());
        place.map_or((0, 0), |place| (place.line, place.column))
    };
    let all = loaded.set.rules.decisions();
    for (rule, answers, permits) in &all {
        let Some(part) = permits.iter().find_map(|permit| permit.never(variant)) else { continue };
        let asked = place(*rule, answers);
        let at = if matches!(part, Permit::And(..)) { sign_of(table, &report.text, asked, "&") } else { asked };
        let (message, help) = words(variant, part);
        // A permit that names no moves after one roll or answer may name some after another, and is empty here on purpose.
        let admits = |permits: &[Permit]| permits.iter().all(|permit| permit.never(variant).is_none());
        let open = || {
            let mut others = all.iter().filter(|(.., permits)| admits(permits)).take(MOST_ASKED);
            others.any(|(rule, answers, _)| place(*rule, answers) == asked)
        };
        if help.is_some() || !open() {
            report.warning(Code::Permits, at, message, help);
        }
    }
}

/// The place of the operator that built the permit requested at a place: in that statement, or else in the functions it
/// calls. Returns the place of the request if there is more than one such operator.
fn sign_of(table: &NameTable, text: &str, asked: LineColumn, sign: &str) -> LineColumn {
    let all = tokens(text);
    let Some(first) = index_at(&all, asked) else { return asked };
    let statement = &all[first..statement_end(&all, first)];
    let signs = |part: &[Token<'_>]| -> Vec<LineColumn> {
        part.iter().filter(|token| token.is(sign)).map(|token| token.at).collect()
    };
    let called = statement.iter().filter(|token| table.is_own(token.text));
    let reached = table.reached(&called.map(|token| token.text).collect::<Vec<_>>(), false);
    let names = reached.iter().filter_map(|f| table.functions.get(*f)).filter(|f| !f.anonymous);
    let bodies = names.flat_map(|f| signs(body(&all, &f.name))).collect::<Vec<_>>();
    let here = signs(statement);
    match (here.as_slice(), bodies.as_slice()) {
        ([only], []) | ([], [only]) => *only,
        _ => asked,
    }
}

/// Moves from squares on which the moving side never has a piece. Games in which pieces enter are skipped, because entering
/// moves start where they end. So are games that request moves for another side.
pub(super) fn from_nowhere(table: &NameTable, variant: &Variant, report: &mut Report) {
    let spec = variant.spec();
    let for_others = |call: &Call| {
        let second = call.args.get(1).is_some_and(|arg| !matches!(arg, Value::Map(_)));
        costs(&call.name, Cost::Decision) && second || has_fact(&call.name, Fact::ChangesTurn)
    };
    if spec.hands || spec.heaps || !spec.tracks.is_empty() || table.calls.iter().any(for_others) {
        return;
    }
    for call in table.named("from").filter(|call| call.at.0 > 0) {
        let [Value::Call(squares)] = call.args.as_slice() else { continue };
        let what = match (squares.name.as_str(), squares.args.as_slice()) {
            ("empty_squares", []) => "an empty square",
            ("squares_of", [Value::Call(side), ..]) if side.name == "opponent" => "a square with an opponent's piece",
            _ => continue,
        };
        let message = format!("the side to move never starts a move on {what}");
        let help = "for the square where a move ends, write `to(..)`; the side's own squares are `squares_of(mover())`";
        report.warning(Code::Permits, call.at, message, Some(help.into()));
    }
}

/// Permits such as `captures()` before `or_else(along(..))`: they select from the movement of the pieces, and not from the
/// moves along the track.
pub(super) fn not_along(table: &NameTable, variant: &Variant, report: &mut Report) {
    fn along(value: &Value) -> Option<&str> {
        let Value::Call(call) = value else { return None };
        let this = has_fact(&call.name, Fact::AlongTracks).then_some(call.name.as_str());
        this.or_else(|| call.args.iter().find_map(along))
    }
    let has_movement = variant.kinds().iter().any(|kind| !kind.atoms.is_empty());
    for call in table.named("or_else").filter(|call| call.at.0 > 0) {
        let [Value::Call(first), second] = call.args.as_slice() else { continue };
        let Some(track) = along(second).filter(|_| has_fact(&first.name, Fact::OwnMoves)) else { continue };
        let name = &first.name;
        let help = format!(
            "to select from the moves along the track, keep them first: `let moves = {track}(..);`, then use \
             `({name}(..) & moves).or_else(moves)`"
        );
        let message = format!("`{name}` selects from the movement of the pieces, not from the moves of `{track}`");
        match has_movement {
            true => report.note(Code::Permits, first.at, message, Some(help)),
            false => {
                report.warning(Code::Permits, first.at, format!("{message}: no piece has a movement"), Some(help));
            }
        }
    }
}

/// The tokens of a function of the script.
fn body<'t, 's>(all: &'t [Token<'s>], name: &str) -> &'t [Token<'s>] {
    let found = all.windows(2).position(|two| two[0].is("fn") && two[1].is(name));
    found.map_or(&[], |found| &all[function_around(all, found + 1)])
}

/// Notes `- a & b` without parentheses: `-` binds first, so that only `a` is subtracted, and the rest is intersected with
/// `b`.
pub(super) fn taken_away(all: &[Token<'_>], report: &mut Report) {
    let text = report.text.clone();
    for minus in (1..all.len()).filter(|minus| all[*minus].is("-")) {
        let before = &all[minus - 1];
        let is_value =
            |token: &Token<'_>| token.sort.is_some_and(|sort| sort != Sort::Sign) || matches!(token.text, ")" | "]");
        if !is_value(before) || is_word_before_value(before) {
            continue;
        }
        let Some(sign) = end_of_operand(all, minus + 1).filter(|end| all[*end].is("&")) else { continue };
        let end = end_of_operand(all, sign + 1).unwrap_or(all.len());
        let (taken, left) = (text_of(&text, all, &(minus + 1..sign)), text_of(&text, all, &(sign + 1..end)));
        let short = |part: &str| part.chars().count() <= 40 && !part.contains('\n');
        let (taken, left) = if short(taken) && short(left) { (taken, left) } else { ("a", "b") };
        let message =
            format!("`-` binds more tightly than `&`: this subtracts only `{taken}`, then applies `& {left}`");
        let help = format!(
            "to subtract only what is in both, put `{taken} & {left}` in parentheses; otherwise, put the \
             subtraction in parentheses"
        );
        report.warning(Code::Permits, all[sign].at, message, Some(help));
    }
}

/// Whether a word is a keyword that a new value follows.
fn is_word_before_value(token: &Token<'_>) -> bool {
    matches!(token.text, "return" | "in" | "if" | "else" | "while" | "switch" | "let" | "const")
}

/// The token after an operand, including everything that binds tighter than the set operators.
fn end_of_operand(all: &[Token<'_>], start: usize) -> Option<usize> {
    let mut depth = 0;
    (start..all.len()).find(|&i| {
        let token = &all[i];
        if depth == 0
            && i > start
            && (matches!(token.text, "&" | "|" | "-" | "+" | "{" | "}") || token.parts_operands())
        {
            return true;
        }
        depth += step(token);
        depth < 0
    })
}

/// Permits that `outcome` tests between turns without naming a side.
pub(super) fn sideless(loaded: &Loaded, report: &mut Report) {
    let rules = &loaded.set.rules;
    for answers in rules.look(Hook::Outcome.id(), asked_between_turns).unwrap_or_default() {
        let place = rules.place(Hook::Outcome.id(), &answers).filter(|place| place.file.is_none());
        let at = place.map_or((0, 0), |place| (place.line, place.column));
        let message = "between turns, this permit applies to `to_move()`, the next side, not to `mover()`".to_string();
        let help = "name the side: write `.of(to_move())` or `.of(mover())` after the permit".to_string();
        report.warning(Code::Permits, at, message, Some(help));
    }
}

/// The answers before each query about a permit without a side, where the query may run between turns.
fn asked_between_turns(tree: &Tree) -> Vec<Vec<Answer>> {
    let (mut found, mut open) = (Vec::new(), vec![NodeId::ROOT]);
    while let Some(node) = open.pop() {
        let step = tree.step(node);
        let asked = match step {
            Step::Ask(query) => query_permit(query),
            Step::Find(find) => find_permit(find),
            _ => None,
        };
        if asked.is_some_and(is_sideless) {
            found.push(tree.path(node));
        }
        let in_turn = |next: &NodeId| tree.path(*next).last() == Some(&0);
        let judges = matches!(step, Step::Ask(Query::BetweenTurns));
        open.extend(tree.ways_on(node).into_iter().filter(|next| !judges || !in_turn(next)));
    }
    found.sort();
    found
}

fn query_permit(query: &Query) -> Option<&Permit> {
    match query {
        Query::AtLeast(inner, _) | Query::Equals(inner, _) => query_permit(inner),
        Query::Moves(permit) => Some(permit),
        _ => None,
    }
}

fn find_permit(find: &Find) -> Option<&Permit> {
    if let Find::Reach(permit, _) = find { Some(permit) } else { None }
}

/// Whether some part of a permit does not name a side.
fn is_sideless(permit: &Permit) -> bool {
    match permit {
        Permit::Of(..) | Permit::Nothing => false,
        Permit::Or(a, b) | Permit::OrElse(a, b) => is_sideless(a) || is_sideless(b),
        Permit::And(a, b) => is_sideless(a) && is_sideless(b),
        Permit::Minus(a, _) | Permit::Where(a, _) | Permit::After(a, _) | Permit::Safety(a, _) | Permit::Longest(a) => {
            is_sideless(a)
        }
        Permit::Most(most) => is_sideless(&most.permit),
        _ => true,
    }
}

/// Notes the first permit that omits castling, because it is limited to a castling kind, a distance or a direction. Nothing
/// is reported if a rule mentions castling.
pub(super) fn castling(table: &NameTable, variant: &Variant, report: &mut Report) {
    let castles = &variant.spec().castles;
    if castles.is_empty() {
        return;
    }
    let named = rules::called(table, &rules::RULES);
    let known = named.iter().any(|name| has_fact(name, Fact::PermitsCastling));
    if known || table.properties.iter().any(|(name, _)| name == "is_castling") {
        return;
    }
    let castlers: Vec<&str> = castles.iter().map(|castle| variant.kind(castle.kinds.0).name.as_str()).collect();
    let omits = |call: &&Call| {
        has_fact(&call.name, Fact::OmitsCastling)
            && kinds_of(call).is_none_or(|kinds| may_name(table, kinds, &castlers))
    };
    let first = rules::calls(table).filter(|call| call.module.is_none() && call.at.0 > 0).find(omits);
    let Some(call) = first.filter(|call| !table.is_own(&call.name)) else { return };
    let name = &call.name;
    let help = match kinds_of(call) {
        Some(_) => format!(
            "to include it, add `| castling()`, or use `moves_of(...)` instead of `{name}(...)`; to exclude it, add \
             `- castling()`"
        ),
        None => "to include it, add `| castling()`; to exclude it, add `- castling()`".to_string(),
    };
    let message = format!("`{}` does not include castling, and no rule mentions it", call.name);
    report.note(Code::Permits, call.at, message, Some(help));
}

/// The kinds that a call names, if it takes any.
fn kinds_of(call: &Call) -> Option<&Value> {
    call.args.get(position_of(&call.name, ParamKind::PieceNames)?)
}

/// Whether a value may name one of these kinds; an unknown value may.
fn may_name(table: &NameTable, value: &Value, kinds: &[&str]) -> bool {
    match value {
        Value::Text(text, _) => kinds.contains(&text.as_str()),
        Value::List(items) => items.iter().any(|item| may_name(table, item, kinds)),
        Value::Name(name) => {
            let values: Vec<&Value> =
                table.values.iter().filter(|(n, ..)| n == name).map(|(_, value, _)| value).collect();
            values.is_empty()
                || values.into_iter().any(|value| !matches!(value, Value::Name(_)) && may_name(table, value, kinds))
        }
        _ => true,
    }
}

/// Reports that no side ever moves, with the reason as far as the pieces on the board show it.
pub(super) fn stuck(loaded: &Loaded, table: &NameTable) -> (LineColumn, String) {
    let (variant, start) = (&loaded.set.variant, &loaded.start);
    let call = |name: &'static str| table.named(name).next();
    let present: KindMask = start.occupied().into_iter().map(|square| start.at(square).kind()).collect();
    let idle = |i: usize, kind: &KindDef| !present.contains(Kind(i as u8)) || kind.atoms.is_empty();
    let turn = loaded.set.rules.has(Hook::Turn);
    let rules = &loaded.set.rules;
    let mut decisions = rules.decisions().into_iter();
    let request = decisions.find_map(|(rule, answers, _)| rules.place(rule, &answers).filter(|at| at.file.is_none()));
    let request = request.map(|place| (place.line, place.column)).filter(|_| turn);
    let (at, help) = if present == KindMask::NONE && !variant.spec().hands {
        (call("setup").map(|call| call.at), "the board has no pieces: check `setup(...)`".to_string())
    } else if variant.kinds().iter().enumerate().all(|(i, kind)| idle(i, kind)) {
        let letters = "no piece on the board can move: give one a movement, as in `piece(\"stone\", \"S\", \"K\")`";
        (call("piece").map(|call| call.at), letters.to_string())
    } else if turn && request.is_none() {
        let first = table.calls.iter().find(|call| costs(&call.name, Cost::Decision) && call.within.is_some());
        let help = "check the code before `play`: it ended the turn in every trial game";
        (first.map(|call| call.at), help.to_string())
    } else if turn {
        let nothing = if table.named("nothing").next().is_some() { " (`nothing()` never permits a move)" } else { "" };
        (request, format!("check this permit: it matches no move of the pieces on the board{nothing}"))
    } else {
        (
            call("setup").map(|call| call.at),
            "no piece on the board can move from its square: check the starting position and the movements".to_string(),
        )
    };
    (at.or(request).unwrap_or((0, 0)), help)
}

fn words(variant: &Variant, part: &Permit) -> (String, Option<String>) {
    let names = |mask| crate::notation::describe::names(variant, mask);
    match part {
        Permit::Castling(_) | Permit::CastlingBy(_) => (
            "this permits castling, but no castling is declared".into(),
            Some("declare castling, as in `castling(\"K\", \"e1g1\", \"h1f1\")`, or do not permit it".into()),
        ),
        Permit::EnPassant => (
            "this permits captures en passant, but no piece captures that way".into(),
            Some("give a piece a movement with `e`, such as the pawn's \"mfWcefFimfnD\", or do not permit these captures".into()),
        ),
        Permit::Drops(_) => {
            ("this permits drops, but this game has no hands".into(), Some("declare `hands()`, or do not permit drops".into()))
        }
        Permit::Promoting(kinds) => {
            let all = names(*kinds);
            let quoted = all.split(" or ").flat_map(|some| some.split(", ")).map(|name| format!("\"{name}\""));
            let quoted = crate::notation::describe::alternatives(&quoted.collect::<Vec<_>>());
            let help =
                format!("add {quoted} to the `promotes:` option of a piece, or do not permit this promotion");
            (format!("this permits promotion to {}, but no piece can promote to one", a(&all)), Some(help))
        }
        Permit::And(..) => (
            "this permit never allows a move: no move matches both parts of this `&`".into(),
            Some("to allow moves that match either part, write `|` instead of `&`".into()),
        ),
        Permit::Minus(..) => (
            "this permit never allows a move: it subtracts everything".into(),
            Some("subtract fewer moves, as in `any() - captures()`".into()),
        ),
        _ => ("this permit never allows a move".into(), None),
    }
}

/// Royal pieces that can be captured, although no rule checks whether one is left.
pub(super) fn royals(table: &NameTable, variant: &Variant, report: &mut Report) {
    let spec = variant.spec();
    if spec.royal_policy != RoyalPolicy::Capturable {
        return;
    }
    let mut mentioned = false;
    let royal: Vec<&str> = spec.kinds.iter().filter(|kind| kind.royal).map(|kind| kind.name.as_str()).collect();
    rules::visit(table, &rules::RULES, &mut |call| {
        mentioned |= has_fact(&call.name, Fact::TellsOfRoyals) || call.args.iter().any(|arg| names(arg, &royal));
    });
    let compared = table.comparisons.iter().any(|c| names(&c.left, &royal) || names(&c.right, &royal));
    if royal.is_empty() || mentioned || compared {
        return;
    }
    let at = table.calls.iter().find(|call| call.name == "royals" && call.at.0 > 0).map_or((0, 0), |call| call.at);
    let name = royal[0];
    let message = format!(
        "{} can be captured, but no rule tests for that: losing the {name} does not affect the result",
        a(name)
    );
    let help = format!("add `if !has(opponent(), \"{name}\") {{ win(mover()); }}` to `fn outcome()`");
    report.warning(Code::Permits, at, message, Some(help));
}

fn names(value: &Value, kinds: &[&str]) -> bool {
    match value {
        Value::Text(text, _) => kinds.contains(&text.as_str()),
        Value::List(items) => items.iter().any(|item| names(item, kinds)),
        // The value of a variable is unknown.
        Value::Name(_) => true,
        _ => false,
    }
}

/// Rolls, decisions and effects that are reached from read-only rules.
pub(super) fn looking(table: &NameTable, report: &mut Report) {
    for rule in ["outcome", "movement"] {
        let reached = table.reached(&[rule], false);
        for call in table.calls.iter().filter(|call| call.within.is_some_and(|f| reached.contains(&f))) {
            let own = table.is_own(&call.name);
            let Some(verb) = more_than_looking(&call.name, rule) else { continue };
            if !own && call.module.is_none() && call.at.0 > 0 {
                let help = match verb {
                    "make moves" => {
                        format!("let players move in `fn turn()`; `{rule}` can only describe or test moves")
                    }
                    "end the game" => "end the game in `fn outcome()`".into(),
                    "roll dice" => "roll in `fn turn()`, and store the result in a counter".into(),
                    _ => "ask in `fn turn()`, and store the answer in a counter".into(),
                };
                let within = call.within.map(|f| table.functions[f].name.as_str()).filter(|name| *name != rule);
                let message = match within {
                    Some(function) => format!("`{rule}` cannot {verb}, but it calls `{function}`, which does"),
                    None => format!("`{rule}` cannot {verb}"),
                };
                report.error(Code::Rules, call.at, message, Some(help));
            }
        }
    }
}

/// The action of a built-in function that a read-only rule cannot perform.
fn more_than_looking(name: &str, rule: &str) -> Option<&'static str> {
    match () {
        () if costs(name, Cost::Chance) => Some("roll dice"),
        () if costs(name, Cost::Decision) && gives(name, ValueKind::Move) => Some("make moves"),
        () if costs(name, Cost::Decision) => Some("ask for choices"),
        () if rule == "movement" && rules::ends(name) => Some("end the game"),
        () => None,
    }
}
