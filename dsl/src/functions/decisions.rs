//! Decisions of players: moves and choices.

use super::outcomes::values;
use super::param::{Anything, Call, Chosen, CounterName, GivenOptions, Options, Permits, Played, fixed_number};
use super::row::{Chapter, Cost, Fact, Row, in_one_line, row};
use crate::host::convert::{number, small, text};
use crate::host::kind::option::{ALTERNATIVES, TEXT, TEXTS, TRUTH};
use crate::host::kind::{ValueKind, words_for};

use crate::game_text;
use crate::host::error::{ScriptResult, fail, fail_help};
use crate::host::values::{AmountV, BundleV, MoveV, PermitV, SetV, SquareV};
use crate::notation::describe::counted;
use astragal_core::Permit;
use astragal_core::amount::Amount;
use astragal_core::plan::{DiceCombination, Instead, MAX_DICE, Obligation, Pauses, Plan, Prepared};
use astragal_core::rule::{Alternatives, Decision, SQUARE_CHOSEN, Step};
use astragal_core::value::{SetExpr, SideRef, SquareRef};
use rhai::{Array, Dynamic, EvalAltResult, FnPtr, ImmutableString};
use std::sync::Arc;

pub(super) fn chapter() -> Chapter {
    Chapter {
        title: "Moves and choices",
        intro: "A decision adds branches to the rule's tree: one if the player moves and one if not, or one for each \
             string or number that can be chosen.",
        rows: [plays(), choices()].into_iter().flatten().collect(),
    }
}

fn plays() -> Vec<Row> {
    vec![
        row("play", Cost::Decision)
            .about(
                r#"Lets the player, or another side, make one permitted move. Returns the move, or `()` if no move was
                possible. The option `or` (`"stop"`, `["roll again", "double"]`, `empty_squares()`, or an array of
                these) offers choices besides moves; if the player makes a choice, `play` returns it. To find out what
                the result is, first compare it with the strings; for a square, `type_of(..)` returns `"Square"`. If no
                move is permitted, the player can still make a choice. The option `ask` sets the question that the
                player sees, as in `choose`."#,
            )
            .errors("All strings in `or` must be different.")
            .example(r#"if play(pieces("pawn"), #{ or: "stop" }) == "stop" { label("stopped"); }"#)
            .options(&[("or", ALTERNATIVES), ("ask", TEXT)])
            .form(["permit"], |call: &Call<'_>, permit: Permit| play(call, SideRef::ToMove, permit, false))
            .form(["side", "permit"], |call: &Call<'_>, by: SideRef, permit: Permit| play(call, by, permit, false))
            .form(["permit", "options"], |call: &Call<'_>, permit: Permit, options: GivenOptions| {
                play_or(call, SideRef::ToMove, permit, false, &options)
            })
            .form(
                ["side", "permit", "options"],
                |call: &Call<'_>, by: SideRef, permit: Permit, options: GivenOptions| {
                    play_or(call, by, permit, false, &options)
                },
            ),
        row("play_or_pass", Cost::Decision)
            .about(
                "Like `play`, with the same options `or` and `ask`, but the player can also pass. Returns `()` if the
                player passes or no move was possible.",
            )
            .example("let mv = play_or_pass(captures());")
            .facts(&[Fact::MayPass])
            .options(&[("or", ALTERNATIVES), ("ask", TEXT)])
            .form(["permit"], |call: &Call<'_>, permit: Permit| play(call, SideRef::ToMove, permit, true))
            .form(["side", "permit"], |call: &Call<'_>, by: SideRef, permit: Permit| play(call, by, permit, true))
            .form(["permit", "options"], |call: &Call<'_>, permit: Permit, options: GivenOptions| {
                play_or(call, SideRef::ToMove, permit, true, &options)
            })
            .form(
                ["side", "permit", "options"],
                |call: &Call<'_>, by: SideRef, permit: Permit, options: GivenOptions| {
                    play_or(call, by, permit, true, &options)
                },
            ),
        row("play_each", Cost::Decision)
            .about(
                r#"Lets the player make one move for each permit, or for each die; the function `permit` returns the
                permit for a face. Returns the last move, or the choice that ended the call, or `()` if the player
                neither moved nor made such a choice. If no die can be used, the player is not asked for a decision. The
                option `spend` (`"each"`, `"most"`, `"most_pips"`, `"most_moves"`, `"all"` or `"any"`) decides which
                dice must be used. `"each"`, the default, requires moves as long as any remaining die can be used.
                `"most"` requires as many dice as possible, and `"most_pips"` also requires the highest total of that
                many dice. `"most_moves"` requires dice that allow the longest sequence of moves. `"all"` requires all
                dice if that is possible, and otherwise permits none; with `"any"`, the player decides. When `play_each`
                computes which dice must be used, it ignores functions that run between moves, and computes this again
                after they run. Further options: `same_piece` (default true: a piece can move several times), `in_order`
                (default false: the player chooses the order of the dice), `en_passant` (`"all"`, the default: possible
                in every move of the turn; `"first"`: only in the first move). The option `also` adds moves that several
                dice pay for together. Its value is a payment (see `pay`), an array of payments, or a function that
                returns them. With `anew: true`, `permit` and the function in `also` run again before each move;
                otherwise all permits are created before the first move, and their sets of squares do not change. The
                option `after` is a function that takes each move and the faces that paid for it. It runs before the
                next move, and can ask questions, change the game, or let a player choose or move. The option `or`
                offers choices, as for `play`; making a choice ends the call, and the remaining dice are lost. The
                option `chosen` is a function that takes the choice. A choice then does not end the call: the function
                runs, and the player continues with the remaining dice unless it returns `false`. The option `ask` sets
                the question that the player sees before each move."#,
            )
            .errors("There can be at most 16 dice or permits.")
            .example(
                r#"play_each(roll("2d6"), |die| if die < 4 { pieces("pawn") } else { any() }, #{ spend: "most" });"#,
            )
            .options(&[
                ("spend", TEXT),
                ("same_piece", TRUTH),
                ("in_order", TRUTH),
                ("en_passant", TEXT),
                ("also", &[ValueKind::Payment, ValueKind::Array, ValueKind::Function]),
                ("anew", TRUTH),
                ("after", &[ValueKind::Function]),
                ("or", ALTERNATIVES),
                ("chosen", &[ValueKind::Function]),
                ("ask", TEXT),
            ])
            .form(["permits"], |call: &Call<'_>, permits: Permits| {
                play_each(call, None, permits.0, &Options::default(), None).map(Played::made)
            })
            .form(["permits", "options"], |call: &Call<'_>, permits: Permits, options: GivenOptions| {
                if options.flag("anew", false)? {
                    let help = "write `play_each(faces, |die| .., #{ anew: true })`";
                    return fail_help(
                        "`anew` needs a function that returns the permits, not an array of permits",
                        Some(help.into()),
                    );
                }
                play_each(call, None, permits.0, &options, None)
            })
            .form(["faces", "permit"], |call: &Call<'_>, faces: Array, permit: FnPtr| {
                let permits = permits_of(call, &faces, &permit)?;
                play_each(call, Some(&faces), permits, &Options::default(), None).map(Played::made)
            })
            .form(
                ["faces", "permit", "options"],
                |call: &Call<'_>, faces: Array, permit: FnPtr, options: GivenOptions| {
                    let permits = permits_of(call, &faces, &permit)?;
                    let anew = options.flag("anew", false)?.then(|| (faces.clone(), permit));
                    play_each(call, Some(&faces), permits, &options, anew)
                },
            ),
        row("pay", Cost::Value)
            .about(
                "Returns a payment: these faces together pay for one permitted move. Use it in the option `also` of
                `play_each`.",
            )
            .example(r#"play_each(roll("2d6"), |die| pieces("pawn"), #{ also: pay([6, 6], castling()) });"#)
            .form(["faces", "permit"], |call: &Call<'_>, faces: Array, permit: Permit| {
                let faces = faces.iter().map(|f| small(number(f)?)).collect::<ScriptResult<Vec<i16>>>()?;
                Ok(BundleV { faces, permit: call.permit_value(permit).0 })
            }),
    ]
}

fn play(call: &Call<'_>, by: SideRef, permit: Permit, pass: bool) -> ScriptResult<Option<MoveV>> {
    call.trace().place = call.place();
    let (answer, slot) = call.decide(Decision::Play { by, permit: permit.into(), pass, or: None })?;
    Ok((answer != 0).then_some(MoveV(slot)))
}

/// Plays a move or chooses an alternative of the option `or`, and returns it.
fn play_or(call: &Call<'_>, by: SideRef, permit: Permit, pass: bool, options: &GivenOptions) -> ScriptResult<Played> {
    let (texts, or) = given_alternatives(call, options)?;
    let pass_listed = or.as_ref().is_some_and(|or| or.labels.iter().any(|label| game_text::is_pass(label)));
    if pass && pass_listed {
        let help = "leave it out, or write `play` instead of `play_or_pass`";
        return fail_help("\"pass\" is not needed: `play_or_pass` always offers it", Some(help.into()));
    }
    done(call, asked(Decision::Play { by, permit: permit.into(), pass, or }, options)?, &texts)
}

/// Names a permitted move without making it, or chooses an alternative of the option `or`.
fn name_move(call: &Call<'_>, by: SideRef, permit: PermitV, options: &Options) -> ScriptResult<Played> {
    if options.flag("secret", false)? {
        let help = "leave out `secret`, or let the player choose a piece and a square in secret: \
             `choose(squares, #{ secret: true })`";
        return fail_help("a move cannot be chosen in secret", Some(help.into()));
    }
    let permit = call.permit(&Dynamic::from(permit))?;
    let (texts, or) = given_alternatives(call, options)?;
    let move_or_choice = Decision::Play { by, permit: permit.into(), pass: false, or };
    done(call, asked(Decision::Named(Box::new(move_or_choice)), options)?, &texts)
}

/// The value of the option `or`, if given. An empty list counts as none.
fn given_alternatives(call: &Call<'_>, options: &Options) -> ScriptResult<(Array, Option<Box<Alternatives>>)> {
    match options.get("or") {
        None => Ok((Array::new(), None)),
        Some(or) if or.read_lock::<Array>().is_some_and(|list| list.is_empty()) => Ok((Array::new(), None)),
        Some(or) => alternatives(call, or).map(|(texts, among)| (texts, Some(Box::new(among)))),
    }
}

/// The result of a decision between one move and its alternatives.
fn done(call: &Call<'_>, decision: Decision, texts: &Array) -> ScriptResult<Played> {
    call.trace().place = call.place();
    let (answer, slot) = call.decide(decision)?;
    Ok(Played(match answer {
        0 => Dynamic::UNIT,
        1 => Dynamic::from(MoveV(slot)),
        2.. => Dynamic::from(SquareV::place(SquareRef::Slot(slot))),
        text => texts.get((-1 - text) as usize).cloned().unwrap_or_default(),
    }))
}

/// The value of the option `or`: its texts and numbers, and all alternatives.
fn alternatives(call: &Call<'_>, or: &Dynamic) -> ScriptResult<(Array, Alternatives)> {
    let items = or.read_lock::<Array>().map_or_else(|| vec![or.clone()], |items| items.clone());
    let is_text = |item: &Dynamic| item.is_string() || item.is_int();
    let (texts, squares): (Array, Array) = items.into_iter().partition(is_text);
    if let Some(wrong) = squares.iter().find(|item| !item.is::<SetV>() && !item.is::<SquareV>()) {
        let help = match wrong.is::<PermitV>() {
            true => "join two permits with `a | b`",
            false => {
                "write strings, as in `#{ or: [\"stop\", \"double\"] }`, or squares, as in `#{ or: empty_squares() }`"
            }
        };
        let message = format!("\"or\" takes strings, numbers and squares, not {}", words_for(wrong));
        return fail_help(message, Some(help.into()));
    }
    let labels = labels(&texts)?;
    let squares = if squares.is_empty() { None } else { Some(call.set(&squares.into())?) };
    Ok((texts, Alternatives { labels, squares }))
}

/// The permit of each face. Dice that show the same face share a permit if the function only asks questions. A second call
/// would hold the same answers in other slots, and the dice would no longer count as alike.
fn permits_of(call: &Call<'_>, faces: &Array, permit: &FnPtr) -> ScriptResult<Array> {
    let mut known: Vec<(i64, Dynamic)> = Vec::new();
    let mut permits = Array::new();
    for face in faces {
        let number = face.as_int().ok();
        if let Some((_, same)) = known.iter().find(|(of, _)| Some(*of) == number) {
            permits.push(same.clone());
            continue;
        }
        let before = call.trace().steps.len();
        let made = call.apply(permit, (face.clone(),))?;
        let only_asks = |step: &Step| matches!(step, Step::Ask(_) | Step::Find(_));
        if let Some(number) = number.filter(|_| call.trace().steps[before..].iter().all(only_asks)) {
            known.push((number, made.clone()));
        }
        permits.push(made);
    }
    Ok(permits)
}

/// A move for each permit. `anew` holds the faces and the function that is asked for permits again, if any.
fn play_each(
    call: &Call<'_>,
    faces: Option<&Array>,
    permits: Array,
    options: &Options,
    anew: Option<(Array, FnPtr)>,
) -> ScriptResult<Played> {
    if permits.len() > MAX_DICE {
        return fail(format!("a turn can use at most {MAX_DICE} dice, not {}", permits.len()));
    }
    let faces = match faces {
        Some(faces) => faces.iter().map(|f| small(number(f)?)).collect::<ScriptResult<Vec<i16>>>()?,
        None => {
            let rolled = call.trace().last_roll.clone();
            if rolled.len() == permits.len() { rolled } else { (1..=permits.len() as i16).collect() }
        }
    };
    let or = options.get("or");
    let between = Between {
        after: function(options, "after", "|move, dice|")?,
        // An empty list counts as none.
        or: or.filter(|or| or.read_lock::<Array>().is_none_or(|list| !list.is_empty())).cloned(),
        chosen: function(options, "chosen", "|choice|")?,
        options,
        also: options.get("also").cloned(),
        anew,
    };
    if between.chosen.is_some() && or.is_none() {
        let help = "list the choices: `or: [\"double\"], chosen: |what| ..`";
        return fail_help("\"chosen\" handles the choices of \"or\", but there are none", Some(help.into()));
    }
    let plan = Plan {
        faces,
        permits: Vec::new(),
        combinations: combinations(call, between.also.as_ref())?,
        obligation: obligation(options.text("spend")?.as_deref())?,
        same_piece: options.flag("same_piece", true)?,
        in_order: options.flag("in_order", false)?,
        en_passant_first: match options.text("en_passant")?.as_deref() {
            None | Some("all") => false,
            Some("first") => true,
            Some(other) => {
                return fail(format!("`en_passant` must be \"all\" or \"first\", not \"{other}\""));
            }
        },
        pauses: if between.goes_on() { Pauses::Begins } else { Pauses::Never },
        or: None,
        prepared: Prepared::default(),
    };
    moves_one_by_one(call, permits, plan, between)
}

/// The options of a plan that apply between its moves.
struct Between<'a> {
    /// A function of each move and of the dice that paid for it.
    after: Option<FnPtr>,
    /// The alternatives to a move.
    or: Option<Dynamic>,
    /// A function of the choice, after which the rest of the dice is played.
    chosen: Option<FnPtr>,
    /// All options of the call, including the question text.
    options: &'a Options,
    /// The moves that several dice pay for together, or a function that returns them.
    also: Option<Dynamic>,
    /// The faces, and the function that is asked again for the permits of the remaining dice.
    anew: Option<(Array, FnPtr)>,
}

impl Between<'_> {
    /// Whether the rule runs between the moves.
    fn goes_on(&self) -> bool {
        self.after.is_some() || self.chosen.is_some() || self.anew.is_some()
    }

    /// Asks again which moves the remaining dice pay for, including unused ones.
    fn ask_anew(&self, call: &Call<'_>, left: u16, permits: &mut Array, plan: &mut Plan) -> ScriptResult<()> {
        let Some((faces, permit)) = self.anew.as_ref().filter(|_| left != 0) else { return Ok(()) };
        let is_left = |die: &usize| left >> die & 1 != 0;
        let faces: Array = (0..faces.len()).filter(is_left).map(|die| faces[die].clone()).collect();
        let mut again = permits_of(call, &faces, permit)?.into_iter();
        for (die, permit) in permits.iter_mut().enumerate() {
            let asked = if is_left(&die) { again.next() } else { None };
            *permit = asked.unwrap_or_else(|| Dynamic::from(PermitV::fixed(Permit::Nothing)));
        }
        plan.combinations = combinations(call, self.also.as_ref())?;
        Ok(())
    }
}

/// A function that is an option.
fn function(options: &Options, key: &str, shape: &str) -> ScriptResult<Option<FnPtr>> {
    let Some(value) = options.get(key) else { return Ok(None) };
    match value.read_lock::<FnPtr>() {
        Some(function) => Ok(Some(function.clone())),
        None => fail(format!("\"{key}\" must be a function {shape}, not {}", words_for(value))),
    }
}

/// Asks for the moves of a plan: all at once, or pausing after each move and each alternative.
fn moves_one_by_one(call: &Call<'_>, mut permits: Array, mut plan: Plan, between: Between<'_>) -> ScriptResult<Played> {
    let place = call.place();
    let (mut last, mut done) = (None, Array::new());
    let mut left = plan.all();
    loop {
        if plan.pauses == Pauses::Resumes {
            between.ask_anew(call, left, &mut permits, &mut plan)?;
        }
        call.trace().place = place.clone();
        // Permits are evaluated again after each move.
        call.before_moves();
        plan.permits = permits.iter().map(|p| call.permit(p)).collect::<ScriptResult<Vec<Permit>>>()?;
        let (texts, or) = still_to_choose(call, &between, &done)?;
        plan.or = or;
        let (answer, slot) = call.decide(asked(Decision::PlayEach(Arc::new(plan.clone())), between.options)?)?;
        let made = (1..SQUARE_CHOSEN).contains(&answer).then_some(MoveV(slot));
        let choice = match answer {
            ..0 => texts.get((-1 - answer) as usize).cloned(),
            SQUARE_CHOSEN => Some(Dynamic::from(SquareV::place(SquareRef::Slot(slot)))),
            _ => None,
        };
        if let Some(choice) = choice {
            let Some(chosen) = &between.chosen else { return Ok(Played(choice)) };
            done.push(choice.clone());
            if call.apply(chosen, (choice.clone(),))?.as_bool() == Ok(false) {
                plan = Plan { pauses: Pauses::Ends, or: None, ..plan };
                call.decide(Decision::PlayEach(Arc::new(plan)))?;
                return Ok(Played(choice));
            }
        } else if let (true, Some(made)) = (between.goes_on(), made.clone()) {
            if let Some(after) = &between.after {
                follow(call, after, made.clone(), values(&plan.faces_of(answer as u16)))?;
            }
            left = plan.rest(left, answer as u16);
            last = Some(made);
        } else {
            return Ok(Played::of(made.or(last)));
        }
        plan.pauses = Pauses::Resumes;
    }
}

/// The alternatives to the next move that are still available. Each text can be chosen once, and only one square in all.
fn still_to_choose(
    call: &Call<'_>,
    between: &Between<'_>,
    done: &Array,
) -> ScriptResult<(Array, Option<Box<Instead>>)> {
    let Some(or) = &between.or else { return Ok((Array::new(), None)) };
    let (texts, mut among) = alternatives(call, or)?;
    let is_done =
        |text: &Dynamic| done.iter().any(|done| done.to_string() == text.to_string() && !done.is::<SquareV>());
    let texts: Array = texts.into_iter().filter(|text| !is_done(text)).collect();
    among.labels = labels(&texts)?;
    if done.iter().any(|done| done.is::<SquareV>()) {
        among.squares = None;
    }
    let nothing = among.labels.is_empty() && among.squares.is_none();
    let instead = || Box::new(Instead { among, pauses: between.chosen.is_some() });
    Ok((texts, (!nothing).then(instead)))
}

/// Runs a function after a move. The function may omit the parameter for the dice that paid.
fn follow(call: &Call<'_>, after: &FnPtr, made: MoveV, dice: Dynamic) -> ScriptResult<()> {
    match call.apply(after, (made.clone(), dice)) {
        Err(error) if matches!(&*error, EvalAltResult::ErrorFunctionNotFound(name, _) if name.starts_with(after.fn_name())) => {
            call.apply(after, (made,)).map(|_| ())
        }
        other => other.map(|_| ()),
    }
}

fn obligation(word: Option<&str>) -> ScriptResult<Obligation> {
    match word {
        None | Some("each") => Ok(Obligation::Each),
        Some("most") => Ok(Obligation::MostDice),
        Some("most_pips") => Ok(Obligation::MostPips),
        Some("most_moves") => Ok(Obligation::MostMoves),
        Some("all") => Ok(Obligation::All),
        Some("any") => Ok(Obligation::Free),
        Some(other) => fail(format!(
            "`spend` must be \"each\", \"most\", \"most_pips\", \"most_moves\", \"all\" or \"any\", not \"{other}\""
        )),
    }
}

fn combinations(call: &Call<'_>, also: Option<&Dynamic>) -> ScriptResult<Vec<DiceCombination>> {
    let Some(also) = also else { return Ok(Vec::new()) };
    let asked = also.read_lock::<FnPtr>().map(|function| function.clone());
    let value = &match asked {
        Some(function) => call.apply(&function, ())?,
        None => also.clone(),
    };
    if let Some(combination) = value.read_lock::<BundleV>() {
        return Ok(vec![combination.combination()]);
    }
    let Some(items) = value.read_lock::<Array>() else {
        return fail("\"also\" takes payments such as `pay([4, 6], castling())`");
    };
    let combination = |item: &Dynamic| match item.read_lock::<BundleV>() {
        Some(combination) => Ok(combination.combination()),
        None => fail(format!("\"also\" takes payments such as `pay([4, 6], castling())`, not {}", words_for(item))),
    };
    items.iter().map(combination).collect()
}

fn choices() -> Vec<Row> {
    vec![
        row("choose", Cost::Decision)
            .facts(&[Fact::NamesMoves])
            .about(
                r#"Lets the player, or another side, choose a string, a number or a square, and returns it. The
                parameter `what` is an array of choices or a set of squares. With a permit, the player chooses one of
                its moves, and the move is returned but not made: you can ask about it, forbid it, or `make` it later.
                If the permit has no moves, `choose` returns `()`. Options: `ask` (the question that the player sees,
                such as `"How many pieces to risk?"`; records do not contain it), `secret: true` (only the chooser knows
                the answer) and, with a permit, `or` (as for `play`)."#,
            )
            .errors(
                "There must be at least one choice, and all strings must be different. With a permit, `secret` is not
                allowed.",
            )
            .example(r#"if choose(["safe", "bold"]) == "bold" { label("bold"); }"#)
            .options(&[("secret", TRUTH), ("ask", TEXT), ("or", ALTERNATIVES)])
            .form(["choices", "options"], |call: &Call<'_>, texts: Array, options: Options| {
                choose(call, SideRef::ToMove, &texts, None, &options)
            })
            .form(["squares", "options"], |call: &Call<'_>, squares: SetV, options: Options| {
                choose(call, SideRef::ToMove, &Array::new(), Some(squares.0), &options)
            })
            .form(["permit", "options"], |call: &Call<'_>, permit: PermitV, options: Options| {
                name_move(call, SideRef::ToMove, permit, &options)
            })
            .form(["side", "permit", "options"], |call: &Call<'_>, by: SideRef, permit: PermitV, options: Options| {
                name_move(call, by, permit, &options)
            })
            .form(["side", "what", "options"], |call: &Call<'_>, by: SideRef, what: Anything, options: Options| match (
                what.0.read_lock::<Array>(),
                what.0.read_lock::<SetV>(),
            ) {
                (Some(texts), _) => choose(call, by, &texts, None, &options),
                (_, Some(set)) => choose(call, by, &Array::new(), Some(set.0.clone()), &options),
                _ => fail("a choice needs an array of strings or numbers, or a set of squares"),
            })
            .form(
                ["side", "choices", "squares", "options"],
                |call: &Call<'_>, by: SideRef, texts: Array, squares: SetV, options: Options| {
                    choose(call, by, &texts, Some(squares.0), &options)
                },
            ),
        row("choose_number", Cost::Decision)
            .about(
                "Lets a side choose a number from `least` to `most`, such as a bid, and returns it as a computed number.
                Options: `secret` and `ask`, as for `choose`.",
            )
            .example(r#"let bid = choose_number(mover(), 0, 3); if bid > 1 { label("bold"); }"#)
            .options(&[("secret", TRUTH), ("ask", TEXT)])
            .form(["side", "least", "most", "options"], choose_number),
        row("choose_held", Cost::Decision)
            .about(
                "Lets a side choose one of the faces in a pool, and returns the face. A pool is a counter with a place
                for each face. To remove the die from the pool, use `spend`. Returns `()` if the pool is empty. Options:
                `or` (strings that the player can choose instead), `among` (offers only these faces), `names` (names for
                the faces, starting with the first; players choose by name, and the rule gets the number), and `secret`
                and `ask`, as for `choose`.",
            )
            .errors("`names` must have a name for each place of the pool, and all choices must have different names.")
            .example(r#"if choose_held(mover(), "dice", #{ among: [1, 2] }) == () { label("none"); }"#)
            .facts(&[Fact::OffersHeld])
            .options(&[
                ("secret", TRUTH),
                ("or", TEXTS),
                ("among", &[ValueKind::Array]),
                ("names", &[ValueKind::Array]),
                ("ask", TEXT),
            ])
            .form(["side", "pool", "options"], |call: &Call<'_>, by: SideRef, pool: CounterName, options: Options| {
                choose_held(call, by, pool, by, options)
            })
            .form(["side", "pool", "owner", "options"], choose_held),
    ]
}

/// The decision with the question in words, if the options of the call have one.
fn asked(decision: Decision, options: &Options) -> ScriptResult<Decision> {
    let Some(words) = options.get("ask") else { return Ok(decision) };
    match words.read_lock::<ImmutableString>() {
        Some(words) if words.trim().is_empty() => {
            fail_help("\"ask\" is empty: it must be a question in words", Some("leave it out".into()))
        }
        Some(words) => Ok(Decision::Asked(Box::new(decision), in_one_line(&words).into())),
        None => fail(format!("\"ask\" must be a question in words, not {}", words_for(words))),
    }
}

/// Applies the call's options to a decision. A secret answer is known only to the chooser.
fn veiled(decision: Decision, options: &Options) -> ScriptResult<Decision> {
    let decision = asked(decision, options)?;
    Ok(if options.flag("secret", false)? { Decision::Secret(Box::new(decision)) } else { decision })
}

fn choose(
    call: &Call<'_>,
    by: SideRef,
    texts: &Array,
    squares: Option<SetExpr>,
    options: &Options,
) -> ScriptResult<Chosen> {
    if options.get("or").is_some() {
        let help = "list all choices in one array; `or` adds choices only to the moves of a permit";
        return fail_help("\"or\" can only be used with a permit, and this is already a choice", Some(help.into()));
    }
    let among = Alternatives { labels: labels(texts)?, squares };
    if among.labels.is_empty() && among.squares.is_none() {
        return fail("there is nothing to choose from: the array of choices is empty");
    }
    let (answer, slot) = call.decide(veiled(Decision::Choose { by, among }, options)?)?;
    Ok(Chosen(match texts.get(answer.max(0) as usize) {
        Some(item) => item.clone(),
        None => Dynamic::from(SquareV::place(SquareRef::Slot(slot))),
    }))
}

fn labels(texts: &Array) -> ScriptResult<Vec<String>> {
    let label = |item: &Dynamic| match () {
        () if item.is_int() => Ok(item.to_string()),
        () if item.is::<PermitV>() => {
            let help = "to offer a move or a choice, use `play(permit, #{ or: [\"stop\"] })`";
            fail_help("a choice can be a string, a number or a square, not a permit", Some(help.into()))
        }
        () => text(item),
    };
    texts.iter().map(label).collect()
}

fn choose_number(call: &Call<'_>, by: SideRef, least: Amount, most: Amount, options: Options) -> ScriptResult<AmountV> {
    let (_, slot) = call.decide(veiled(Decision::Number { by, least, most }, &options)?)?;
    Ok(fixed_number(Amount::Face(slot, 0)))
}

/// Chooses one of the held faces or one of the texts of `or`. Returns nothing if there is no option.
fn choose_held(
    call: &Call<'_>,
    by: SideRef,
    pool: CounterName,
    owner: SideRef,
    options: Options,
) -> ScriptResult<Chosen> {
    let texts = match options.get("or") {
        None => Array::new(),
        Some(texts) => match texts.read_lock::<Array>() {
            Some(texts) => texts.clone(),
            None => vec![text(texts)?.into()],
        },
    };
    let (counter, _) = call.counter(&pool)?;
    let places = call.trace().declaration.spec.counters[counter as usize].size;
    let (labels, names) = (labels(&texts)?, names_of_faces(&pool, places, &options)?);
    if let Some(twice) =
        names.iter().enumerate().find(|(at, name)| labels.contains(name) || names[..*at].contains(name))
    {
        return fail(format!("two choices are called \"{}\"", twice.1));
    }
    let among = options.get("among").map(|list| faces_among(&pool, places, list)).transpose()?;
    let decision = Decision::Held { by, counter, side: owner, labels, names, among };
    let (answer, _) = call.decide(veiled(decision, &options)?)?;
    Ok(Chosen(match answer {
        0 => Dynamic::UNIT,
        face @ 1.. => face.into(),
        text => texts.get((-1 - text) as usize).cloned().unwrap_or_default(),
    }))
}

/// The names of a pool's faces; empty if the script gives none.
fn names_of_faces(pool: &str, places: u8, options: &Options) -> ScriptResult<Vec<String>> {
    let Some(list) = options.get("names") else { return Ok(Vec::new()) };
    let Some(list) = list.read_lock::<Array>() else {
        return fail(format!("\"names\" must be a list of strings, one for each face, not {}", words_for(list)));
    };
    if list.len() != usize::from(places) {
        let help = format!("give each of the {places} places of \"{pool}\" a name, starting with the first");
        return fail_help(
            format!(
                "\"names\" has {}, but the counter \"{pool}\" has {}",
                counted(list.len(), "name"),
                counted(places.into(), "place")
            ),
            Some(help),
        );
    }
    labels(&list)
}

/// The faces of a pool that may be chosen, as a rule lists them.
fn faces_among(pool: &str, places: u8, list: &Dynamic) -> ScriptResult<Vec<u8>> {
    let Some(list) = list.read_lock::<Array>() else {
        return fail(format!("\"among\" must be a list of faces, such as [1, 2], not {}", words_for(list)));
    };
    let face = |item: &Dynamic| {
        let face = number(item)?;
        match u8::try_from(face).ok().filter(|face| (1..=places).contains(face)) {
            Some(face) => Ok(face),
            None => fail_help(
                format!("the counter \"{pool}\" has places for the faces 1 to {places}, not {face}"),
                Some("faces are numbered from 1".into()),
            ),
        }
    };
    list.iter().map(face).collect()
}
