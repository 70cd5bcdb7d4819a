//! Signatures of built-in functions that fit the known argument types of a call.

use super::name_table::{Call, Value};
use crate::functions::Parameter;
use crate::host::kind::ValueKind;

/// Whether a value may have one of these kinds, as far as its kind is known.
pub(super) fn may_be(value: &Value, kinds: &[ValueKind]) -> bool {
    let is = |kind: ValueKind| kinds.contains(&kind);
    match value {
        Value::Text(..) | Value::Joined(_) => is(ValueKind::Text),
        Value::Number(..) => is(ValueKind::Number) || is(ValueKind::Reckoned),
        Value::Truth(_) => is(ValueKind::Truth),
        Value::List(_) => is(ValueKind::Array),
        Value::Map(_) => is(ValueKind::Map),
        Value::Call(call) => {
            let mut forms = crate::functions::named(&call.name).flat_map(|(_, function)| &function.forms).peekable();
            forms.peek().is_none() || forms.any(|form| form.results.iter().any(|result| is(*result)))
        }
        _ => true,
    }
}

/// The signature that fits a call best, as the reference shows it.
pub(super) fn signature_of(call: &Call) -> Option<String> {
    let takes = |param: &Parameter, at: usize| call.args.get(at).is_none_or(|arg| may_be(arg, param.kind.accepts()));
    let one = crate::manual::fitting_signature(&call.name, call.args.len(), takes)?;
    Some(crate::manual::signature_advice(&one))
}
