//! The methods for editors of scripts: `complete`, `signatures`, `hover`, `definition`, `rename` and `format`. Like the
//! language server, they use [`astragal_editor`].

use super::declared::Declared;
use super::script::check_size;
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{Text, VariantName};
use crate::rpc::store::Store;
use astragal_dsl::Fix;
use astragal_editor::complete::{Completion, CompletionKind, complete};
use astragal_editor::navigate::{self, Target};
use astragal_editor::script::Script;
use astragal_editor::signature::{self, Form};
use astragal_editor::{format, hover};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An offset in a script that is being edited.
#[derive(Deserialize, JsonSchema)]
pub(super) struct At {
    /// The whole text of the script.
    text: Text,
    /// The name of the script; `script` by default.
    variant: Option<VariantName>,
    /// An offset in the text, in bytes of UTF-8, counted from 0.
    offset: u64,
}

/// The script of a request, and the offset.
fn opened<'s>(store: &'s mut Store, at: &At) -> Result<(&'s Script, usize), RpcError> {
    check_size(&at.text)?;
    let name = at.variant.as_ref().map_or("script", |name| &*name.0);
    let script = store.edited.with(name, &at.text);
    let offset = usize::try_from(at.offset).ok().filter(|offset| script.text().is_char_boundary(*offset));
    let offset = offset.ok_or_else(|| RpcError::param("offset", "a byte offset in the text", "another number"))?;
    Ok((script, offset))
}

/// A byte range of a text.
#[derive(Serialize, JsonSchema)]
struct Span {
    /// The first byte.
    start: usize,
    /// The byte after the last one.
    end: usize,
}

impl From<&std::ops::Range<usize>> for Span {
    fn from(range: &std::ops::Range<usize>) -> Span {
        Span { start: range.start, end: range.end }
    }
}

/// An edit of a text.
#[derive(Serialize, JsonSchema)]
struct Edit {
    /// The first byte to replace.
    start: usize,
    /// The byte after the last one; an empty range inserts text.
    end: usize,
    /// The new text.
    text: String,
}

impl From<&Fix> for Edit {
    fn from(fix: &Fix) -> Edit {
        Edit { start: fix.span.start, end: fix.span.end, text: fix.text.clone() }
    }
}

/// The completion items at an offset.
#[derive(Serialize, JsonSchema)]
pub(super) struct Completions {
    /// The completion items, best first, each with the text that it `inserts` and the byte range that it `replaces`.
    items: Vec<Item>,
}

/// A completion item.
#[derive(Serialize, JsonSchema)]
struct Item {
    /// The text in the list.
    label: String,
    /// Its kind: `function`, `piece`, `option` and so on.
    kind: &'static str,
    /// Its signature, or a few words.
    detail: String,
    /// Its description, in Markdown.
    about: String,
    /// The bytes that it replaces. They contain the offset, and are the same for all items of a response.
    replaces: Span,
    /// The text that it inserts.
    inserts: String,
}

fn item(one: Completion) -> Item {
    let kind = match one.kind {
        CompletionKind::Function => "function",
        CompletionKind::Property => "property",
        CompletionKind::Variable => "variable",
        CompletionKind::Constant => "constant",
        CompletionKind::Keyword => "keyword",
        CompletionKind::Named(kind) => kind.word(),
        CompletionKind::Module => "module",
        CompletionKind::Square => "square",
        CompletionKind::Key => "key",
        CompletionKind::Word => "word",
        CompletionKind::Letter => "letter",
        CompletionKind::Snippet => "snippet",
    };
    let (label, detail, about, inserts) = (one.label, one.detail, one.about, one.inserts);
    Item { label, kind, detail, about, replaces: Span::from(&one.replaces), inserts }
}

pub(super) struct Complete;

impl Declared for Complete {
    const NAME: &'static str = "complete";
    const ABOUT: &'static str = "Lists the completion items at an offset in a script, best first.";
    const EXAMPLE: &'static str = include_str!("examples/complete.json");
    type Parameters = At;
    type Answer = Completions;

    fn answer(store: &mut Store, asked: At) -> Result<Completions, RpcError> {
        let (script, offset) = opened(store, &asked)?;
        let mut found = complete(script, offset);
        found.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
        Ok(Completions { items: found.into_iter().map(item).collect() })
    }
}

/// The signatures of a call.
#[derive(Serialize, JsonSchema)]
pub(super) struct CallSignatures {
    /// The forms in which the function can be called; empty if there is no call at the offset.
    forms: Vec<CallForm>,
    /// The index of the form that fits the arguments best, from 0.
    active: usize,
    /// The index of the argument that contains the offset, from 0.
    argument: usize,
    /// The offset of the call's opening parenthesis.
    open: usize,
}

/// A form in which a function can be called.
#[derive(Serialize, JsonSchema)]
struct CallForm {
    /// The signature.
    label: String,
    /// The description, in Markdown.
    about: String,
    /// The byte range of each parameter in the signature.
    parameters: Vec<Span>,
}

pub(super) struct Signatures;

impl Declared for Signatures {
    const NAME: &'static str = "signatures";
    const ABOUT: &'static str = "Returns the signatures of the function whose call contains an offset in a script.";
    const EXAMPLE: &'static str = include_str!("examples/signatures.json");
    type Parameters = At;
    type Answer = CallSignatures;

    fn answer(store: &mut Store, asked: At) -> Result<CallSignatures, RpcError> {
        let (script, offset) = opened(store, &asked)?;
        let Some(found) = signature::signatures(script, offset) else {
            return Ok(CallSignatures { forms: Vec::new(), active: 0, argument: 0, open: offset });
        };
        let form = |form: Form| {
            let parameters = form.parameters.iter().map(Span::from).collect();
            CallForm { label: form.label, about: form.about, parameters }
        };
        let forms = found.forms.into_iter().map(form).collect();
        Ok(CallSignatures { forms, active: found.active, argument: found.argument, open: found.open })
    }
}

/// An explanation of the code at an offset.
#[derive(Serialize, JsonSchema)]
pub(super) struct Explained {
    /// The explanation, in Markdown; null if there is none.
    markdown: Option<String>,
    /// The byte range of the code that the explanation describes.
    span: Span,
}

pub(super) struct Hover;

impl Declared for Hover {
    const NAME: &'static str = "hover";
    const ABOUT: &'static str =
        "Explains the code at an offset in a script: a function, the movement of a piece, dice, or a position.";
    const EXAMPLE: &'static str = include_str!("examples/hover.json");
    type Parameters = At;
    type Answer = Explained;

    fn answer(store: &mut Store, asked: At) -> Result<Explained, RpcError> {
        let (script, offset) = opened(store, &asked)?;
        Ok(match hover::hover(script, offset) {
            Some(found) => Explained { span: Span::from(&found.span), markdown: Some(found.markdown) },
            None => Explained { markdown: None, span: Span { start: offset, end: offset } },
        })
    }
}

/// The declaration of a name.
#[derive(Serialize, JsonSchema)]
pub(super) struct Definition {
    /// The byte range of the name in its declaration; null if there is no declaration.
    span: Option<Span>,
    /// The built-in script that contains the declaration; null if the declaration is in `text`.
    script: Option<String>,
}

pub(super) struct Define;

impl Declared for Define {
    const NAME: &'static str = "definition";
    const ABOUT: &'static str = "Finds the declaration of the name at an offset in a script.";
    const EXAMPLE: &'static str = include_str!("examples/definition.json");
    type Parameters = At;
    type Answer = Definition;

    fn answer(store: &mut Store, asked: At) -> Result<Definition, RpcError> {
        let (script, offset) = opened(store, &asked)?;
        Ok(match navigate::definition(script, offset) {
            Some(Target::Here(span)) => Definition { span: Some(Span::from(&span)), script: None },
            Some(Target::Bundled { name, span, .. }) => {
                Definition { span: Some(Span::from(&span)), script: Some(name) }
            }
            None => Definition { span: None, script: None },
        })
    }
}

/// The parameters of `rename`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RenameParameters {
    /// The whole text of the script.
    text: Text,
    /// The name of the script; `script` by default.
    variant: Option<VariantName>,
    /// The offset of the name in the text, in bytes of UTF-8.
    offset: u64,
    /// The new name.
    name: Text,
}

/// Edits of a text.
#[derive(Serialize, JsonSchema)]
pub(super) struct Edits {
    /// The edits, in order and without overlap: each replaces the bytes from `start` to `end` with `text`.
    edits: Vec<Edit>,
}

pub(super) struct Rename;

impl Declared for Rename {
    const NAME: &'static str = "rename";
    const ABOUT: &'static str =
        "Renames a function, a variable, a piece or anything else that has a name, everywhere in a script.";
    const EXAMPLE: &'static str = include_str!("examples/rename.json");
    type Parameters = RenameParameters;
    type Answer = Edits;

    fn answer(store: &mut Store, asked: RenameParameters) -> Result<Edits, RpcError> {
        let RenameParameters { text, variant, offset, name } = asked;
        let (script, offset) = opened(store, &At { text, variant, offset })?;
        let edits = navigate::rename(script, offset, &name);
        let mut edits =
            edits.map_err(|error| RpcError::new(INVALID_PARAMS, error.to_string()).with("field", "name"))?;
        edits.sort_by_key(|fix| fix.span.start);
        Ok(Edits { edits: edits.iter().map(Edit::from).collect() })
    }
}

/// The parameters of `format`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct FormatParameters {
    /// The whole text of the script.
    text: Text,
}

/// A formatted script.
#[derive(Serialize, JsonSchema)]
pub(super) struct Formatted {
    /// The text of the formatted script.
    text: String,
}

pub(super) struct Format;

impl Declared for Format {
    const NAME: &'static str = "format";
    const ABOUT: &'static str = "Formats a script in the same way as `astragal fmt`: comments and line breaks stay.";
    const EXAMPLE: &'static str = include_str!("examples/format.json");
    type Parameters = FormatParameters;
    type Answer = Formatted;

    fn answer(_: &mut Store, asked: FormatParameters) -> Result<Formatted, RpcError> {
        check_size(&asked.text)?;
        let formatted = format::format(&asked.text);
        let text = formatted.map_err(|error| RpcError::new(INVALID_PARAMS, error.to_string()).with("field", "text"))?;
        Ok(Formatted { text })
    }
}
