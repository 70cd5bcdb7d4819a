//! Chance and decisions as scripts state them.

use super::convert::{number, small, text, type_name};
use super::declare::{check_keys, misread};
use super::trace::{Host, Outcome, caller, fail, fail_help};
use super::values::{BundleV, CastV, FacesV, MoveV};
use crate::notation::{dice, nearest};
use astragal_core::plan::{Bundle, MAX_DICE, Obligation, Plan, Prepared};
use astragal_core::rule::{Chance, Decision};
use astragal_core::value::{SetExpr, SideRef};
use astragal_core::{Dice, Die, Permit};
use rhai::{Array, Dynamic, Engine, FnPtr, Map, NativeCallContext};
use std::rc::Rc;

/// Dice with more outcomes than this cannot be listed.
const MAX_OUTCOMES: u64 = 1_000_000;

pub(crate) fn register(engine: &mut Engine, host: &Host) {
    register_rolls(engine, host);
    register_plays(engine, host);
}

fn register_rolls(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("roll", move |text: &str| roll(&h, text, None));
    let h = host.clone();
    engine.register_fn("roll", move |text: &str, more: Map| roll(&h, text, secret(&h, "roll", &more)?));
    let h = host.clone();
    engine.register_fn("cast", move |text: &str| cast(&h, text, None));
    let h = host.clone();
    engine.register_fn("cast", move |text: &str, more: Map| cast(&h, text, secret(&h, "cast", &more)?));
    let h = host.clone();
    engine.register_fn("roll_playable", move |ctx: NativeCallContext, text: &str, permit: FnPtr| {
        roll_playable(&h, &ctx, text, &permit, None)
    });
    let h = host.clone();
    engine.register_fn("roll_playable", move |ctx: NativeCallContext, text: &str, permit: FnPtr, more: Map| {
        roll_playable(&h, &ctx, text, &permit, secret(&h, "roll_playable", &more)?)
    });
    let h = host.clone();
    engine.register_fn("roll_until", move |ctx: NativeCallContext, text: &str, counts: FnPtr| {
        roll_until(&h, &ctx, text, &counts, None)
    });
    let h = host.clone();
    engine.register_fn("roll_until", move |ctx: NativeCallContext, text: &str, counts: FnPtr, more: Map| {
        roll_until(&h, &ctx, text, &counts, secret(&h, "roll_until", &more)?)
    });
    let h = host.clone();
    engine.register_fn("roll_each", move |sets: Dynamic, dice: Map| roll_each(&h, &sets, &dice, None));
    let h = host.clone();
    engine.register_fn("roll_each", move |sets: Dynamic, dice: Map, more: Map| {
        roll_each(&h, &sets, &dice, secret(&h, "roll_each", &more)?)
    });
}

fn roll_playable(
    host: &Host,
    ctx: &NativeCallContext<'_>,
    text: &str,
    permit: &FnPtr,
    secret: Option<SideRef>,
) -> Outcome<Dynamic> {
    let dice = Rc::new(listed(text)?);
    let permit = |index| permit.call_within_context::<Dynamic>(ctx, (values(&dice.outcome(index)),));
    let results = (0..dice.outcomes()).map(permit).collect::<Outcome<Vec<Dynamic>>>()?;
    let permits = results.iter().map(|result| host.permit(result)).collect::<Outcome<Vec<Permit>>>()?;
    let (answer, _) = host.roll(hidden(Chance::Playable(Rc::clone(&dice), Rc::new(permits)), secret))?;
    Ok(u64::try_from(answer).map_or(Dynamic::UNIT, |index| shown(host, dice.outcome(index))))
}

fn roll_until(
    host: &Host,
    ctx: &NativeCallContext<'_>,
    text: &str,
    counts: &FnPtr,
    secret: Option<SideRef>,
) -> Outcome<Dynamic> {
    let dice = Rc::new(listed(text)?);
    let test = |index: u64| counts.call_within_context::<bool>(ctx, (values(&dice.outcome(index)),));
    let possible = (0..dice.outcomes()).map(test).collect::<Outcome<Vec<bool>>>()?;
    if !possible.contains(&true) {
        return fail(format!("no outcome of {text} passes the test: it would be rolled for ever"));
    }
    let (answer, _) = host.roll(hidden(Chance::Only(Rc::clone(&dice), Rc::new(possible)), secret))?;
    Ok(shown(host, dice.outcome(answer.max(0) as u64)))
}

/// Dice whose outcomes are tried one by one.
fn listed(text: &str) -> Outcome<Dice> {
    let dice = parse(text)?;
    if dice.outcomes() > 10_000 { fail(format!("{text} has too many outcomes to try each")) } else { Ok(dice) }
}

/// The only side that is to know what comes up, if the options of a call name one: the side to move for
/// `true`, or the side given.
pub(crate) fn secret(host: &Host, what: &str, more: &Map) -> Outcome<Option<SideRef>> {
    check_keys(what, more, &["secret"])?;
    match more.get("secret") {
        None => Ok(None),
        Some(value) => match value.as_bool() {
            Ok(secret) => Ok(secret.then_some(SideRef::ToMove)),
            Err(_) => host.side(value).map(Some),
        },
    }
}

/// The chance, seen by one side alone if it is `secret`.
pub(crate) fn hidden(chance: Chance, secret: Option<SideRef>) -> Chance {
    match secret {
        Some(side) => Chance::Secret(Box::new(chance), side),
        None => chance,
    }
}

fn roll(host: &Host, text: &str, secret: Option<SideRef>) -> Outcome<Dynamic> {
    let dice = parse(text)?;
    let (answer, _) = host.roll(hidden(Chance::Roll(Rc::new(dice.clone())), secret))?;
    Ok(shown(host, dice.outcome(answer.max(0) as u64)))
}

fn cast(host: &Host, text: &str, secret: Option<SideRef>) -> Outcome<CastV> {
    let dice = Rc::new(unseen(text)?);
    let (_, slot) = host.roll(hidden(Chance::Held(Rc::clone(&dice)), secret))?;
    Ok(CastV(slot.unwrap_or_default(), Some(dice), secret.map(|side| host.side_value(side))))
}

/// Dice whose faces make no branches may have more outcomes than can be listed, but not than can be counted.
fn unseen(text: &str) -> Outcome<Dice> {
    let dice = dice::parse(text).or_else(misread)?;
    if !is_castable(&dice) {
        return fail_help(
            format!("{text} has too many outcomes to be counted"),
            Some(format!("one cast() has {MOST_CAST}; several may be added up")),
        );
    }
    Ok(dice)
}

/// What is to be said of the limits of [`unseen`] dice.
const MOST_CAST: &str = "up to 2^60 outcomes, as 23d6 or 13d20 have, and up to 32 dice";

fn is_castable(dice: &Dice) -> bool {
    let chances = dice.dice.iter().try_fold(1u64, |all, die| all.checked_mul(die.total()));
    chances.is_some_and(|chances| chances <= 1 << 60)
}

fn parse(text: &str) -> Outcome<Dice> {
    let dice = dice::parse(text).or_else(misread)?;
    if dice.outcomes() > MAX_OUTCOMES {
        return fail_help(
            format!("{text} has more than {MAX_OUTCOMES} outcomes"),
            is_castable(&dice)
                .then(|| format!("cast() reckons with faces that the rule does not see: it has {MOST_CAST}")),
        );
    }
    if !dice.is_countable() {
        return fail(format!("the weights of {text} multiply to more than can be counted"));
    }
    Ok(dice)
}

/// One die is a number, several are an array.
fn values(faces: &[i16]) -> Dynamic {
    match faces {
        [face] => i64::from(*face).into(),
        _ => faces.iter().map(|&face| Dynamic::from(i64::from(face))).collect::<Array>().into(),
    }
}

fn shown(host: &Host, faces: Vec<i16>) -> Dynamic {
    let value = values(&faces);
    host.trace().last_roll = faces;
    value
}

fn roll_each(host: &Host, sets: &Dynamic, table: &Map, secret: Option<SideRef>) -> Outcome<FacesV> {
    let sets = match sets.read_lock::<Array>() {
        Some(sets) => sets.iter().map(|set| host.set(set)).collect::<Outcome<Vec<SetExpr>>>()?,
        None => vec![host.set(sets)?],
    };
    let kinds = host.trace().declaration.spec.kinds.len();
    let mut dice: Vec<Option<Die>> = vec![None; kinds];
    for (kind, value) in table {
        let parsed = parse(&text(value)?)?;
        let [die] = parsed.dice.as_slice() else {
            return fail(format!("each piece rolls one die, not {}", parsed.text));
        };
        dice[host.kind(kind)?.index()] = Some(die.clone());
    }
    let (_, slot) = host.roll(hidden(Chance::Each { sets, dice: Rc::new(dice) }, secret))?;
    Ok(FacesV(slot.unwrap_or_default()))
}

fn register_plays(engine: &mut Engine, host: &Host) {
    for (name, pass) in [("play", false), ("play_or_pass", true)] {
        let h = host.clone();
        engine.register_fn(name, move |ctx: NativeCallContext, permit: Dynamic| {
            h.trace().place = caller(&ctx);
            play(&h, SideRef::ToMove, permit, pass)
        });
        let h = host.clone();
        engine.register_fn(name, move |ctx: NativeCallContext, by: Dynamic, permit: Dynamic| {
            h.trace().place = caller(&ctx);
            play(&h, h.side(&by)?, permit, pass)
        });
    }
    let h = host.clone();
    engine.register_fn("play_each", move |ctx: NativeCallContext, permits: Array| {
        h.trace().place = caller(&ctx);
        play_each(&h, None, &permits, &Map::new())
    });
    let h = host.clone();
    engine.register_fn("play_each", move |ctx: NativeCallContext, permits: Array, more: Map| {
        h.trace().place = caller(&ctx);
        play_each(&h, None, &permits, &more)
    });
    let h = host.clone();
    engine.register_fn("play_each", move |ctx: NativeCallContext, faces: Array, permit: FnPtr| {
        let permits = each(&ctx, &faces, &permit)?;
        h.trace().place = caller(&ctx);
        play_each(&h, Some(&faces), &permits, &Map::new())
    });
    let h = host.clone();
    engine.register_fn("play_each", move |ctx: NativeCallContext, faces: Array, permit: FnPtr, more: Map| {
        let permits = each(&ctx, &faces, &permit)?;
        h.trace().place = caller(&ctx);
        play_each(&h, Some(&faces), &permits, &more)
    });
}

fn each(ctx: &NativeCallContext<'_>, faces: &Array, permit: &FnPtr) -> Outcome<Array> {
    faces.iter().map(|face| permit.call_within_context(ctx, (face.clone(),))).collect()
}

fn play(host: &Host, by: SideRef, permitted: Dynamic, pass: bool) -> Outcome<Dynamic> {
    let permit = host.permit(&permitted)?;
    // What was made for this call alone need not outlast the move.
    drop(permitted);
    let (answer, slot) = host.decide(Decision::Play { by, permit, pass })?;
    Ok(if answer == 0 { Dynamic::UNIT } else { Dynamic::from(MoveV(slot)) })
}

const PLAN_KEYS: [&str; 5] = ["spend", "same_piece", "in_order", "en_passant", "also"];

fn play_each(host: &Host, faces: Option<&Array>, permits: &Array, more: &Map) -> Outcome<Dynamic> {
    for key in more.keys() {
        if !PLAN_KEYS.contains(&key.as_str()) {
            let help = nearest(key, PLAN_KEYS).map(|name| format!("did you mean \"{name}\"?"));
            return fail_help(format!("play_each() knows nothing of \"{key}\""), help);
        }
    }
    // They are looked at again after each move.
    host.before_moves();
    let permits = permits.iter().map(|p| host.permit(p)).collect::<Outcome<Vec<Permit>>>()?;
    if permits.len() > MAX_DICE {
        return fail(format!("a turn is paid with at most {MAX_DICE} dice, not {}", permits.len()));
    }
    let faces = match faces {
        Some(faces) => faces.iter().map(|f| small(number(f)?)).collect::<Outcome<Vec<i16>>>()?,
        None => {
            let rolled = host.trace().last_roll.clone();
            if rolled.len() == permits.len() { rolled } else { (1..=permits.len() as i16).collect() }
        }
    };
    let flag = |key: &str, default: bool| match more.get(key) {
        None => Ok(default),
        Some(value) => {
            value.as_bool().or_else(|_| fail(format!("\"{key}\" is true or false, not {}", type_name(value))))
        }
    };
    let plan = Plan {
        faces,
        permits,
        bundles: bundles(more.get("also"))?,
        obligation: obligation(more.get("spend"))?,
        same_piece: flag("same_piece", true)?,
        in_order: flag("in_order", false)?,
        en_passant_first: match more.get("en_passant").map(text).transpose()?.as_deref() {
            None | Some("all") => false,
            Some("first") => true,
            Some(other) => {
                return fail(format!("en passant is possible with \"all\" moves or the \"first\", not \"{other}\""));
            }
        },
        prepared: Prepared::default(),
    };
    let (answer, slot) = host.decide(Decision::PlayEach(Rc::new(plan)))?;
    Ok(if answer == 0 { Dynamic::UNIT } else { Dynamic::from(MoveV(slot)) })
}

fn obligation(value: Option<&Dynamic>) -> Outcome<Obligation> {
    let Some(value) = value else { return Ok(Obligation::Each) };
    match text(value)?.as_str() {
        "each" => Ok(Obligation::Each),
        "most" => Ok(Obligation::MostDice),
        "most_moves" => Ok(Obligation::MostMoves),
        "all" => Ok(Obligation::All),
        "any" => Ok(Obligation::Free),
        other => {
            fail(format!("dice are spent \"each\", \"most\", \"most_moves\", \"all\" or \"any\", not \"{other}\""))
        }
    }
}

fn bundles(value: Option<&Dynamic>) -> Outcome<Vec<Bundle>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    if let Some(bundle) = value.read_lock::<BundleV>() {
        return Ok(vec![bundle.bundle()]);
    }
    let Some(items) = value.read_lock::<Array>() else {
        return fail("\"also\" takes payments such as pay([4, 6], castling())");
    };
    let bundle = |item: &Dynamic| match item.read_lock::<BundleV>() {
        Some(bundle) => Ok(bundle.bundle()),
        None => fail(format!("\"also\" takes payments such as pay([4, 6], castling()), not {}", type_name(item))),
    };
    items.iter().map(bundle).collect()
}
