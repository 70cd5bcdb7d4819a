//! Checks options: whether the script uses them, and compares them only with values they can have.

use super::name_table::{Call, LineColumn, NameTable, Value};
use super::report::{Report, did_you_mean};
use crate::diagnostic::{Code, Diagnostic};
use crate::host::declare::OptionDef;
use crate::notation::describe::enumeration;

/// Checks the use of all options.
pub(super) fn check(table: &NameTable, options: &[OptionDef], report: &mut Report) {
    for comparison in &table.comparisons {
        let (left, right) = (&comparison.left, &comparison.right);
        compare(table, options, left, right, comparison.within, report);
        compare(table, options, right, left, comparison.within, report);
    }
    // `OPTION in ["a", "b"]` compares it with each of them.
    for call in table.calls.iter().filter(|call| call.name == "contains" && call.module.is_none()) {
        let [Value::List(all), option] = call.args.as_slice() else { continue };
        all.iter().for_each(|one| compare(table, options, option, one, call.within, report));
    }
    for (name, value, within) in &table.values {
        let Value::Call(call) = value else { continue };
        let Some((option, at)) = named(call) else { continue };
        let elsewhere =
            table.calls.iter().any(|c| c.at != call.at && named(c).is_some_and(|(other, _)| other == option));
        if within.is_none() && call.args.len() > 1 && !table.used.contains(name) && !elsewhere {
            let message = format!("the option \"{option}\" is never used");
            report.warning(Code::Unused, at, message, Some(format!("use `{name}` in a rule, or remove the option")));
        }
    }
}

/// Whether a finding may only follow from an error, because the code that uses the option is wrong.
pub(super) fn may_follow(said: &Diagnostic) -> bool {
    said.message.starts_with("the option \"") && said.code == Some(Code::Unused)
        || said.message.ends_with(" have the same effect")
}

/// Values that a list of an option contains twice.
pub(super) fn twice(table: &NameTable, report: &mut Report) {
    for call in table.calls.iter().filter(|call| call.args.len() > 1) {
        let (Some((option, _)), Some(Value::List(values))) = (named(call), call.args.get(1)) else { continue };
        let mut seen: Vec<String> = Vec::new();
        for value in values {
            let (shown, at) = match value {
                Value::Text(text, at) => (format!("\"{text}\""), *at),
                Value::Number(number, at) => (number.to_string(), *at),
                _ => continue,
            };
            if seen.contains(&shown) {
                let message = format!("the option \"{option}\" lists the value {shown} twice");
                let help = Some("remove one of them, or write a different value".into());
                report.warning(Code::Duplicate, at, message, help);
            }
            seen.push(shown);
        }
    }
}

/// The option that a call declares or reads.
fn named(call: &Call) -> Option<(&str, LineColumn)> {
    call.text(0).filter(|_| call.name == "option" && call.module.is_none())
}

/// The option that a value comes from, if that is certain.
fn option_of<'a>(table: &'a NameTable, value: &'a Value, within: Option<usize>) -> Option<&'a str> {
    match value {
        Value::Call(call) => named(call).map(|(name, _)| name),
        Value::Name(name) => {
            let mut same = table.values.iter().filter(|(n, ..)| n == name);
            let (_, value, place) = same.next()?;
            let certain = same.next().is_none() && (place.is_none() || *place == within);
            match value {
                Value::Call(call) if certain => named(call).map(|(name, _)| name),
                _ => None,
            }
        }
        _ => None,
    }
}

fn compare(
    table: &NameTable,
    options: &[OptionDef],
    option: &Value,
    with: &Value,
    within: Option<usize>,
    report: &mut Report,
) {
    let (text, at, is_text) = match with {
        Value::Text(text, at) => (text.clone(), *at, true),
        Value::Number(number, at) => (number.to_string(), *at, false),
        _ => return,
    };
    let Some(option) = option_of(table, option, within).and_then(|name| options.iter().find(|o| o.name == name)) else {
        return;
    };
    let numbers = numbers(table, &option.name);
    let shown = if is_text { format!("\"{text}\"") } else { text.clone() };
    if !option.values.contains(&text) {
        let help = Some(did_you_mean(&text, option.values.iter().map(String::as_str), "its values are"));
        report.error(Code::Comparison, at, format!("the option \"{}\" never has the value {shown}", option.name), help);
    } else if is_text && numbers.contains(&text) {
        let help = Some(format!("write the number {text}, without quotes"));
        report.error(Code::Comparison, at, format!("the option \"{}\" never has the value {shown}", option.name), help);
    }
}

/// Values with the same effect: the script only ever compares the option, and never with two or more of these values.
pub(super) fn same(table: &NameTable, options: &[OptionDef], text: &str, report: &mut Report) {
    for (name, value, within) in &table.values {
        let Value::Call(call) = value else { continue };
        let Some((option, at)) = named(call).filter(|_| within.is_none() && call.args.len() > 1) else { continue };
        let Some(option) = options.iter().find(|o| o.name == option) else { continue };
        let mut compared: Vec<String> = Vec::new();
        let mut comparisons = 0;
        for comparison in &table.comparisons {
            let sides = [(&comparison.left, &comparison.right), (&comparison.right, &comparison.left)];
            for (_, with) in sides.iter().filter(|(left, _)| matches!(left, Value::Name(n) if n == name)) {
                comparisons += 1;
                match with {
                    Value::Text(text, _) => compared.push(text.clone()),
                    Value::Number(number, _) => compared.push(number.to_string()),
                    // The other operand may be any value.
                    _ => compared.extend(option.values.iter().cloned()),
                }
            }
        }
        let elsewhere = table.calls.iter().any(|c| c.at != call.at && named(c).is_some_and(|(n, _)| n == option.name));
        let impossible = compared.iter().any(|value| !option.values.contains(value));
        if comparisons == 0 || impossible || elsewhere || comparisons + 1 != mentions(text, name) {
            continue;
        }
        let idle: Vec<String> =
            option.values.iter().filter(|v| !compared.contains(v)).map(|v| format!("\"{v}\"")).collect();
        if idle.len() > 1 {
            let message =
                format!("the values {} of the option \"{}\" have the same effect", enumeration(&idle), option.name);
            let help = Some("give each of these values its own effect in a rule, or keep only one of them".into());
            report.warning(Code::Comparison, at, message, help);
        }
    }
}

/// How often a text contains a name as a whole word, not counting comments.
fn mentions(text: &str, name: &str) -> usize {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).filter(|word| *word == name).count()
}

/// The values of an option that are written as numbers.
fn numbers(table: &NameTable, option: &str) -> Vec<String> {
    let declared =
        table.calls.iter().find(|call| call.args.len() > 1 && named(call).is_some_and(|(name, _)| name == option));
    let Some(Value::List(values)) = declared.and_then(|call| call.args.get(1)) else { return Vec::new() };
    values.iter().filter_map(|value| if let Value::Number(n, _) = value { Some(n.to_string()) } else { None }).collect()
}
