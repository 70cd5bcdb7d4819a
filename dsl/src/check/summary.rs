//! Summarizes in plain sentences what a script declares and which defaults apply.

use super::name_table::{Call, NameTable, Value, parse};
use super::rules::RULES;
use crate::Loaded;
use crate::functions::{Cost, Fact, costs, has_fact, position_of, position_where};
use crate::host::kind::ParamKind;
use crate::notation::describe::{a, alternatives, counted};
use crate::notation::fen;
use crate::printable::in_a_line;
use astragal_core::variant::{Captives, RoyalCapture, RoyalPolicy, Spec};
use astragal_core::{Hook, Position};

/// The declarations of a variant's script and the defaults that apply: one line for each subject.
pub fn summary(loaded: &Loaded) -> String {
    let table = parse(&loaded.source.text).map(|ast| NameTable::of(&ast)).unwrap_or_default();
    let spec = loaded.set.variant.spec();
    let lines = [
        ("board", board(spec)),
        ("sides", sides(spec)),
        ("pieces", pieces(spec)),
        ("start", setup(loaded)),
        ("turn", turn(loaded, &table)),
        ("dice", dice(loaded, &table)),
        ("capture", capture(loaded)),
        ("royals", royals(spec)),
        ("promotion", promotion(spec)),
        ("castling", castling(spec)),
        ("pass", pass(&table)),
        ("repetition", repetition(&table)),
        ("end", end(&table)),
    ];
    let lines = lines.iter().map(|(subject, text)| (*subject, in_a_line(text).into_owned()));
    // Options can take several lines.
    lines.chain([("options", options(loaded))]).map(|(subject, text)| format!("{subject:<11} {text}\n")).collect()
}

fn board(spec: &Spec) -> String {
    let counted = |count: u8, thing| counted(count.into(), thing);
    format!("{}, {}", counted(spec.board.width(), "file"), counted(spec.board.height(), "rank"))
}

fn sides(spec: &Spec) -> String {
    let names: Vec<&str> = spec.sides.iter().map(|side| side.name.as_str()).collect();
    format!("{} (in turn order)", names.join(", "))
}

fn pieces(spec: &Spec) -> String {
    or_none(spec.kinds.iter().map(|kind| kind.name.as_str()).collect::<Vec<_>>().join(", "))
}

fn setup(loaded: &Loaded) -> String {
    let empty = Position::empty(&loaded.set.variant);
    let text = fen::write(&loaded.set.variant, &loaded.start);
    if text == fen::write(&loaded.set.variant, &empty) { "default: an empty board".into() } else { text }
}

fn turn(loaded: &Loaded, table: &NameTable) -> String {
    if !loaded.set.rules.has(Hook::Turn) {
        return "default: one legal move per turn".into();
    }
    if loaded.set.rules.has(Hook::Movement) && !table.functions.iter().any(|f| f.name == "turn") {
        return "default: one move per turn, limited by the rule `movement`".into();
    }
    let again = calls(table).any(|call| has_fact(&call.name, Fact::NamesNext));
    let who = if again { "the rules can choose who takes the next turn" } else { "default: the sides take turns" };
    format!("by the rule `turn`; {who}")
}

fn dice(loaded: &Loaded, table: &NameTable) -> String {
    let Thrown { texts, others } = thrown(table, |_| true);
    if texts.is_empty() && !calls(table).any(|call| costs(&call.name, Cost::Chance)) {
        return "default: none".into();
    }
    let texts = match (texts.is_empty(), others) {
        (true, _) => "calculated by the rules".into(),
        (false, true) => format!("{}, and others", texts.join(", ")),
        (false, false) => texts.join(", "),
    };
    if loaded.faces.is_empty() { texts } else { format!("{texts}; the faces stand for {}", loaded.faces.join(" ")) }
}

fn capture(loaded: &Loaded) -> String {
    let how = if loaded.set.rules.has(Hook::Capture) {
        "by the rule `capture`"
    } else {
        "default: moving onto a piece always captures it"
    };
    let spec = loaded.set.variant.spec();
    let hands = match spec.captives {
        _ if !spec.hands => "",
        Captives::Captor => "; captured pieces go to the captor's hand",
        Captives::Owner => "; captured pieces go to their owner's hand",
        Captives::Nobody => "; captured pieces leave the game",
    };
    format!("{how}{hands}")
}

fn royals(spec: &Spec) -> String {
    let names: Vec<&str> = spec.kinds.iter().filter(|kind| kind.royal).map(|kind| kind.name.as_str()).collect();
    if names.is_empty() {
        return "none".into();
    }
    let policy = match (spec.royal_policy, spec.royal_capture) {
        (RoyalPolicy::Capturable, _) => "can be left under attack, and can be captured",
        (RoyalPolicy::Protected, RoyalCapture::Free) => {
            "cannot be left under attack; if it is attacked anyway, any piece can capture it, even a pinned one"
        }
        (RoyalPolicy::Protected, RoyalCapture::Safe) => {
            "cannot be left under attack; if it is attacked anyway, a legal move can capture it"
        }
        (RoyalPolicy::Protected, RoyalCapture::Never) => "cannot be left under attack and cannot be captured",
    };
    format!("{}: {policy}", names.join(", "))
}

fn promotion(spec: &Spec) -> String {
    let one = |kind: &astragal_core::KindDef| {
        let promotion = kind.promotion.as_ref()?;
        let to = spec.kinds.iter().enumerate().filter(|(i, _)| promotion.to.contains(astragal_core::Kind(*i as u8)));
        let to: Vec<String> = to.map(|(_, kind)| kind.name.clone()).collect();
        let must = if promotion.forced { "must" } else { "may" };
        Some(format!("{} {must} become {} on \"{}\"", a(&kind.name), a(&alternatives(&to)), promotion.zone))
    };
    or_none(spec.kinds.iter().filter_map(one).collect::<Vec<_>>().join("; "))
}

fn castling(spec: &Spec) -> String {
    or_none(spec.castles.iter().map(|castle| castle.letter).collect())
}

/// The list, or a note that it is empty.
fn or_none(all: String) -> String {
    if all.is_empty() { "default: none".into() } else { all }
}

fn pass(table: &NameTable) -> String {
    let may = calls(table).any(|call| has_fact(&call.name, Fact::MayPass));
    if may { "allowed by the rules".into() } else { "default: only when a side cannot move".into() }
}

/// Whether the rules count repeated positions, and whether they count quiet moves.
fn counts(table: &NameTable) -> (bool, bool) {
    let called = super::rules::called(table, &RULES);
    let counts = |fact| called.iter().any(|name| has_fact(name, fact));
    (counts(Fact::CountsRepetitions), counts(Fact::CountsQuietMoves))
}

/// Whether the rules count repeated positions or quiet moves, so that the moves before a position matter.
pub fn counts_history(loaded: &Loaded) -> bool {
    let table = parse(&loaded.source.text).map(|ast| NameTable::of(&ast)).unwrap_or_default();
    let (repetitions, quiet) = counts(&table);
    repetitions || quiet
}

/// Whether the rules award points, so that a won game can be worth more than another.
pub fn awards_points(loaded: &Loaded) -> bool {
    let table = parse(&loaded.source.text).map(|ast| NameTable::of(&ast)).unwrap_or_default();
    let called = super::rules::called(&table, &RULES);
    called.iter().any(|name| has_fact(name, Fact::AwardsPoints))
}

fn repetition(table: &NameTable) -> String {
    match counts(table) {
        (true, true) => "the rules decide repetitions and long games".into(),
        (true, false) => "decided by the rules; default for long games: no limit".into(),
        (false, true) => "default: allowed; long games are decided by the rules".into(),
        (false, false) => "default: allowed; long games: no limit".into(),
    }
}

fn end(table: &NameTable) -> String {
    let mut by = Vec::new();
    for rule in RULES {
        let called = super::rules::called(table, &[rule]);
        if called.iter().any(|name| super::rules::ends(name)) {
            by.push(format!("`{rule}`"));
        }
    }
    match by.as_slice() {
        [] => "default: never".into(),
        [one] => format!("by the rule {one}"),
        all => format!("by the rules {}", crate::notation::describe::enumeration(all)),
    }
}

fn options(loaded: &Loaded) -> String {
    let one = |option: &crate::OptionDef| {
        in_a_line(&format!("{} = {} ({})", option.name, option.chosen, alternatives(&option.values))).into_owned()
    };
    let all: Vec<String> = loaded.options.iter().map(one).collect();
    if all.is_empty() { "none".into() } else { all.join(&format!("\n{:12}", "")) }
}

/// The contents of a variant's script, without code that never runs under its options.
fn in_force(loaded: &Loaded) -> NameTable {
    let chosen = loaded.options.iter().map(|option| (option.name.clone(), option.chosen.clone())).collect();
    parse(&loaded.source.text).map(|ast| NameTable::in_force(&ast, chosen)).unwrap_or_default()
}

/// The dice that a variant rolls under its options, and whether other dice exist that are unknown.
pub(crate) fn dice_of(loaded: &Loaded) -> (Vec<String>, bool) {
    let table = in_force(loaded);
    let reached = table.reached(&RULES, true);
    let dice = thrown(&table, |call| call.within.is_none_or(|function| reached.contains(&function)));
    (dice.texts, dice.others)
}

/// The script's own functions that run when one of these hooks does, including the hooks.
pub(crate) fn functions_run_by(loaded: &Loaded, hooks: &[&str]) -> Vec<String> {
    let table = in_force(loaded);
    table.reached(hooks, false).into_iter().map(|function| table.functions[function].name.clone()).collect()
}

/// Whether the rules offer only moves along tracks.
pub(crate) fn only_tracks(loaded: &Loaded) -> bool {
    let table = in_force(loaded);
    let (mut along, mut others) = (false, false);
    super::rules::visit(&table, &["turn"], &mut |call| {
        along |= has_fact(&call.name, Fact::AlongTracks);
        others |= has_fact(&call.name, Fact::OwnMoves) && !call.narrows;
    });
    along && !others
}

/// The index of the dice argument, if the function rolls dice.
fn dice_in(name: &str) -> Option<usize> {
    position_of(name, ParamKind::Dice).or_else(|| position_of(name, ParamKind::DiceByPiece))
}

/// The dice that a script rolls.
#[derive(Default)]
struct Thrown {
    texts: Vec<String>,
    /// Whether other dice are computed at run time.
    others: bool,
}

/// The dice that these calls of a script roll, as far as its constants determine them.
fn thrown(table: &NameTable, counts: impl Fn(&Call) -> bool) -> Thrown {
    let mut thrown = Thrown::default();
    for call in calls(table).filter(|call| counts(call)) {
        let dice = dice_in(&call.name).and_then(|index| call.args.get(index));
        dice.into_iter().for_each(|value| spell(table, value, call.within, &mut thrown));
    }
    thrown
}

/// Adds the dice in a value, without duplicates.
fn spell(table: &NameTable, value: &Value, within: Option<usize>, thrown: &mut Thrown) {
    let found = PossibleValues::of(table, value, within, DEEP);
    thrown.others |= found.open;
    for value in found.values {
        match value {
            Value::Text(text, _) if crate::notation::dice::parse(&text).is_ok() && !thrown.texts.contains(&text) => {
                thrown.texts.push(text);
            }
            Value::List(items) => items.iter().for_each(|item| spell(table, item, within, thrown)),
            Value::Map(entries) => entries.iter().for_each(|(_, item)| spell(table, item, within, thrown)),
            _ => {}
        }
    }
}

/// Maximum number of names that are resolved in a chain.
const DEEP: u8 = 6;

/// Maximum number of combinations of joined strings.
const MOST_JOINED: usize = 100;

/// The possible values of an expression: strings, numbers, arrays and maps.
#[derive(Default)]
struct PossibleValues {
    values: Vec<Value>,
    /// Whether other values are possible.
    open: bool,
}

impl PossibleValues {
    fn of(table: &NameTable, value: &Value, within: Option<usize>, deep: u8) -> PossibleValues {
        let open = || PossibleValues { values: Vec::new(), open: true };
        let Some(deep) = deep.checked_sub(1) else { return open() };
        let look = |value: &Value| PossibleValues::of(table, value, within, deep);
        match value {
            Value::Text(..) | Value::Number(..) | Value::List(_) | Value::Map(_) => {
                PossibleValues { values: vec![value.clone()], open: false }
            }
            Value::OneOf(all) => all.iter().map(look).collect(),
            Value::Call(call) if call.name == "option" => {
                let name = call.args.first().map(look).unwrap_or_default().values;
                let chosen = match (&table.chosen, name.as_slice()) {
                    (Some(chosen), [Value::Text(name, _)]) => chosen.get(name),
                    _ => None,
                };
                match (chosen, call.args.get(1)) {
                    (Some(chosen), _) => look(&Value::Text(chosen.clone(), (0, 0))),
                    (None, Some(Value::List(values))) => values.iter().map(look).collect(),
                    _ => open(),
                }
            }
            Value::Name(name) => {
                let named = || table.values.iter().filter(|(known, ..)| known == name);
                let here = |at: &Option<usize>| at.is_none() || *at == within;
                let near: Vec<&Value> = named().filter(|(.., at)| here(at)).map(|(_, value, _)| value).collect();
                // An anonymous function may use a variable of the function around it.
                let all = if near.is_empty() { named().map(|(_, value, _)| value).collect() } else { near };
                let mut known: PossibleValues = all.iter().copied().map(look).collect();
                known.open |= all.is_empty() || table.assigned.contains(name);
                known
            }
            Value::Joined(parts) => parts.iter().map(look).reduce(PossibleValues::joined).unwrap_or_default(),
            Value::Item(whole, index) => {
                let (whole, index) = (look(whole), look(index));
                let mut known: PossibleValues =
                    whole.values.iter().flat_map(|whole| items(whole, &index)).map(look).collect();
                known.open |= whole.open || whole.values.is_empty();
                known
            }
            _ => open(),
        }
    }

    /// All combinations of a value of `self` followed by one of `other`.
    fn joined(self, other: PossibleValues) -> PossibleValues {
        let text = |value: &Value| match value {
            Value::Text(text, _) => Some(text.clone()),
            Value::Number(number, _) => Some(number.to_string()),
            _ => None,
        };
        let mut known = PossibleValues { values: Vec::new(), open: self.open || other.open };
        for (one, two) in self.values.iter().flat_map(|one| other.values.iter().map(move |two| (one, two))) {
            match (text(one), text(two), known.values.len() < MOST_JOINED) {
                (Some(one), Some(two), true) => known.values.push(Value::Text(format!("{one}{two}"), (0, 0))),
                _ => known.open = true,
            }
        }
        known
    }
}

impl FromIterator<PossibleValues> for PossibleValues {
    fn from_iter<T: IntoIterator<Item = PossibleValues>>(all: T) -> PossibleValues {
        all.into_iter().fold(PossibleValues::default(), |mut sum, known| {
            sum.values.extend(known.values);
            sum.open |= known.open;
            sum
        })
    }
}

/// The element of an array or map at an index; all elements if the index is unknown.
fn items<'a>(whole: &'a Value, index: &PossibleValues) -> Vec<&'a Value> {
    let only = match index.values.as_slice() {
        [only] if !index.open => Some(only),
        _ => None,
    };
    match (whole, only) {
        (Value::List(items), Some(Value::Number(number, _))) => {
            let from_end = i64::try_from(items.len()).unwrap_or(i64::MAX) + number;
            let at = usize::try_from(if *number < 0 { from_end } else { *number });
            at.ok().and_then(|at| items.get(at)).into_iter().collect()
        }
        (Value::Map(entries), Some(Value::Text(key, _))) => {
            entries.iter().filter(|(known, _)| known == key).map(|(_, value)| value).collect()
        }
        (Value::List(items), _) => items.iter().collect(),
        (Value::Map(entries), _) => entries.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

/// The calls that end the game with the chosen options: the result and the reason as written, including those in imported
/// bases.
pub(crate) fn endings_of(loaded: &Loaded) -> Vec<(String, String)> {
    let table = in_force(loaded);
    let mut found = Vec::new();
    super::rules::visit(&table, &RULES, &mut |call| {
        let how = match () {
            () if has_fact(&call.name, Fact::Wins) => "won",
            () if has_fact(&call.name, Fact::Draws) => "drawn",
            () => return,
        };
        let reason = position_where(&call.name, |param| param.name == "reason");
        let Some(Value::Text(reason, _)) = reason.and_then(|index| call.args.get(index)) else { return };
        let ending = (how.to_string(), reason.clone());
        if !found.contains(&ending) {
            found.push(ending);
        }
    });
    found
}

fn calls(table: &NameTable) -> impl Iterator<Item = &Call> {
    table.calls.iter().filter(|call| call.module.is_none())
}
