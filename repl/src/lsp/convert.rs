//! Conversions between the types of Astragal and those of the protocol.

use super::client::Client;
use astragal_dsl::{Diagnostic, Fix, Severity};
use astragal_editor::complete::CompletionKind;
use astragal_editor::lines::{Lines, Place, Units};
use astragal_editor::names::NameKind;
use astragal_editor::outline::{Symbol, SymbolKind};
use astragal_editor::script::Script;
use astragal_editor::semantic::{SemanticToken, TokenClass};
use astragal_service::editing::{GameProblem, GameSymbol};
use lsp_types as lsp;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The path in a `file` URI; `None` for other URIs, such as those of unsaved documents.
pub(super) fn path(uri: &lsp::Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut left = path.as_bytes();
    while let [first, more @ ..] = left {
        let (byte, after) = match (*first, more.split_at_checked(2)) {
            (b'%', Some((digits, after))) => hex(digits).map_or((b'%', more), |byte| (byte, after)),
            (byte, _) => (byte, more),
        };
        bytes.push(byte);
        left = after;
    }
    let text = String::from_utf8(bytes).ok()?;
    // On Windows, a URI is `file:///C:/folder`.
    let drive = cfg!(windows) && text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if drive { &text[1..] } else { &text }))
}

/// The byte that two hexadecimal digits encode.
fn hex(digits: &[u8]) -> Option<u8> {
    // `from_str_radix` also accepts a sign.
    let digits = Some(digits).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The URI of a file with an absolute path.
pub(super) fn uri(path: &Path) -> Option<lsp::Uri> {
    let path = path.to_str()?;
    // Elsewhere, a file name can contain a backslash.
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => text.push(byte.into()),
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text.parse().ok()
}

/// A document, its lines, and the units in which the client counts columns.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    pub(super) lines: &'a Lines,
    pub(super) units: Units,
}

impl Page<'_> {
    /// The byte offset of a position.
    pub(super) fn offset(self, position: lsp::Position) -> usize {
        let place = Place { line: position.line, column: position.character };
        self.lines.offset(self.text, place, self.units)
    }

    fn position(self, offset: usize) -> lsp::Position {
        let Place { line, column } = self.lines.place(self.text, offset, self.units);
        lsp::Position { line, character: column }
    }

    /// The range of a span of bytes.
    pub(super) fn range(self, span: &Range<usize>) -> lsp::Range {
        lsp::Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The edit that makes a fix.
    pub(super) fn edit(self, fix: &Fix) -> lsp::TextEdit {
        lsp::TextEdit { range: self.range(&fix.span), new_text: fix.text.clone() }
    }
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Note => lsp::DiagnosticSeverity::INFORMATION,
    }
}

/// The diagnostic for a problem of a `.game` file.
pub(super) fn game_diagnostic(page: Page<'_>, one: &GameProblem) -> lsp::Diagnostic {
    let help = one.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    lsp::Diagnostic {
        range: page.range(&one.span),
        severity: Some(severity(one.severity)),
        source: Some("astragal".into()),
        message: format!("{}{help}", one.message),
        ..lsp::Diagnostic::default()
    }
}

/// The diagnostic for a problem of an open script, or of a script that it imports. A problem of an imported script is
/// shown at its import, and the message begins with its name and line.
pub(super) fn diagnostic(client: &Client, uri: &lsp::Uri, script: &Script, one: &Diagnostic) -> lsp::Diagnostic {
    let page = Page { text: script.text(), lines: script.document().lines(), units: client.units };
    let is_own = one.file == script.source().file();
    let mut message = match (is_own, one.line) {
        (true, _) => one.message.clone(),
        (false, 0) => format!("{}: {}", one.file, one.message),
        (false, line) => format!("{}:{line}: {}", one.file, one.message),
    };
    for more in one.help.iter().map(|help| format!("help: {help}")).chain(one.notes.iter().cloned()) {
        message.push('\n');
        message.push_str(&more);
    }
    let others = if is_own && client.related { &one.others[..] } else { &[] };
    let related = others.iter().map(|(line, column, text)| {
        let at = Place { line: line.saturating_sub(1) as u32, column: column.saturating_sub(1) as u32 };
        let at = page.lines.offset(page.text, at, Units::Utf32);
        let range = page.range(&(at..at));
        lsp::DiagnosticRelatedInformation { location: lsp::Location { uri: uri.clone(), range }, message: text.clone() }
    });
    let related: Vec<_> = related.collect();
    let span = if is_own { one.span() } else { import_of(script, &one.file) };
    lsp::Diagnostic {
        // A problem of the whole script is shown on its first line.
        range: page.range(&span.unwrap_or_else(|| page.lines.range(page.text, 0))),
        severity: Some(severity(one.severity)),
        code: one.code.map(|code| lsp::NumberOrString::String(code.name().into())),
        source: Some("astragal".into()),
        message,
        related_information: Some(related).filter(|all| !all.is_empty()),
        ..lsp::Diagnostic::default()
    }
}

/// The bytes where a script names an imported script; `None` if it only imports it through another script.
fn import_of(script: &Script, file: &str) -> Option<Range<usize>> {
    let document = script.document();
    let names_it = |token: usize| {
        let name = document.text().get(document.inside(token));
        name.is_some_and(|name| name == file || file.strip_suffix(".rhai") == Some(name))
    };
    let import = document.imports().iter().find(|import| names_it(import.script))?;
    Some(document.tokens().get(import.script)?.span.clone())
}

/// The kind of a completion item, which determines its icon.
pub(super) fn completion_kind(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Function => lsp::CompletionItemKind::FUNCTION,
        CompletionKind::Property | CompletionKind::Key => lsp::CompletionItemKind::PROPERTY,
        CompletionKind::Variable => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Constant => lsp::CompletionItemKind::CONSTANT,
        CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Module => lsp::CompletionItemKind::MODULE,
        CompletionKind::Named(NameKind::Piece) => lsp::CompletionItemKind::CLASS,
        CompletionKind::Named(NameKind::Side) => lsp::CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Square | CompletionKind::Named(NameKind::Region | NameKind::Track) => {
            lsp::CompletionItemKind::UNIT
        }
        CompletionKind::Named(NameKind::Counter | NameKind::Mark | NameKind::Trait) => lsp::CompletionItemKind::FIELD,
        CompletionKind::Named(NameKind::Option) => lsp::CompletionItemKind::ENUM,
        CompletionKind::Word | CompletionKind::Letter => lsp::CompletionItemKind::VALUE,
        CompletionKind::Snippet => lsp::CompletionItemKind::SNIPPET,
    }
}

/// A document symbol of a script.
pub(super) fn symbol(page: Page<'_>, one: &Symbol) -> lsp::DocumentSymbol {
    let children: Vec<_> = one.children.iter().map(|child| symbol(page, child)).collect();
    #[expect(deprecated, reason = "the struct has no default, so its deprecated field must be set")]
    lsp::DocumentSymbol {
        name: one.name.clone(),
        detail: Some(one.detail.clone()).filter(|detail| !detail.is_empty()),
        kind: match one.kind {
            SymbolKind::Function => lsp::SymbolKind::FUNCTION,
            SymbolKind::Constant => lsp::SymbolKind::CONSTANT,
            SymbolKind::Named(NameKind::Piece) => lsp::SymbolKind::CLASS,
            SymbolKind::Named(NameKind::Side) => lsp::SymbolKind::ENUM_MEMBER,
            SymbolKind::Named(NameKind::Region | NameKind::Track) => lsp::SymbolKind::ARRAY,
            SymbolKind::Named(NameKind::Counter | NameKind::Mark | NameKind::Trait) => lsp::SymbolKind::FIELD,
            SymbolKind::Named(NameKind::Option) => lsp::SymbolKind::ENUM,
            SymbolKind::Declaration => lsp::SymbolKind::PROPERTY,
            SymbolKind::Import => lsp::SymbolKind::MODULE,
        },
        tags: None,
        deprecated: None,
        range: page.range(&one.span),
        selection_range: page.range(&one.name_span),
        children: Some(children).filter(|all| !all.is_empty()),
    }
}

/// A document symbol of a `.game` file.
pub(super) fn game_symbol(page: Page<'_>, one: &GameSymbol) -> lsp::DocumentSymbol {
    let children: Vec<_> = one.children.iter().map(|child| game_symbol(page, child)).collect();
    #[expect(deprecated, reason = "the struct has no default, so its deprecated field must be set")]
    lsp::DocumentSymbol {
        name: one.name.clone(),
        detail: Some(one.detail.clone()).filter(|detail| !detail.is_empty()),
        kind: lsp::SymbolKind::EVENT,
        tags: None,
        deprecated: None,
        range: page.range(&one.span),
        selection_range: page.range(&one.name_span),
        children: Some(children).filter(|all| !all.is_empty()),
    }
}

/// The token types of the legend, in the order of their numbers. All are standard names.
pub(super) const TOKEN_TYPES: [&str; 12] = [
    "keyword",
    "function",
    "parameter",
    "variable",
    "property",
    "class",
    "enumMember",
    "string",
    "number",
    "operator",
    "comment",
    "namespace",
];

/// The token modifiers of the legend, one bit each. All are standard names.
pub(super) const TOKEN_MODIFIERS: [&str; 3] = ["declaration", "readonly", "defaultLibrary"];

/// The token type and the token modifiers of a class.
fn class(class: TokenClass) -> (&'static str, u32) {
    let (readonly, library) = (1 << 1, 1 << 2);
    match class {
        TokenClass::Keyword => ("keyword", 0),
        TokenClass::Function => ("function", 0),
        TokenClass::BuiltIn => ("function", library),
        TokenClass::Parameter => ("parameter", 0),
        TokenClass::Variable => ("variable", 0),
        TokenClass::Constant => ("variable", readonly),
        TokenClass::Property | TokenClass::Key => ("property", 0),
        TokenClass::Named(NameKind::Piece) => ("class", 0),
        TokenClass::Named(NameKind::Side | NameKind::Option) => ("enumMember", 0),
        TokenClass::Named(NameKind::Region | NameKind::Track) => ("property", readonly),
        TokenClass::Named(NameKind::Counter | NameKind::Mark | NameKind::Trait) => ("property", 0),
        TokenClass::Text => ("string", 0),
        TokenClass::Number | TokenClass::Dice => ("number", 0),
        TokenClass::Operator => ("operator", 0),
        TokenClass::Comment => ("comment", 0),
        TokenClass::Module => ("namespace", 0),
    }
}

/// Tokens in the encoding of the protocol: each is relative to the previous one, and none spans several lines.
pub(super) fn semantic_tokens(page: Page<'_>, tokens: &[SemanticToken]) -> Vec<lsp::SemanticToken> {
    let Page { text, lines, units } = page;
    let (mut found, mut last) = (Vec::new(), Place::default());
    for token in tokens {
        let (name, modifiers) = class(token.class);
        let Some(token_type) = TOKEN_TYPES.iter().position(|known| *known == name) else { continue };
        for line in lines.line_of(token.span.start)..=lines.line_of(token.span.end) {
            let whole = lines.range(text, line);
            let part = token.span.start.max(whole.start)..token.span.end.min(whole.end);
            if part.is_empty() {
                continue;
            }
            let (start, end) = (lines.place(text, part.start, units), lines.place(text, part.end, units));
            let delta_line = start.line - last.line;
            found.push(lsp::SemanticToken {
                delta_line,
                delta_start: if delta_line == 0 { start.column - last.column } else { start.column },
                length: end.column - start.column,
                token_type: token_type as u32,
                token_modifiers_bitset: modifiers | u32::from(token.declares),
            });
            last = start;
        }
    }
    found
}

/// A command with texts as its arguments.
pub(super) fn command_for(title: &str, command: &str, arguments: &[String]) -> lsp::Command {
    let arguments = arguments.iter().map(|text| serde_json::Value::String(text.clone())).collect();
    lsp::Command { title: title.into(), command: command.into(), arguments: Some(arguments) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn addresses_are_files() {
        let of = |text: &str| path(&lsp::Uri::from_str(text).expect("a URI"));
        assert_eq!(of("file:///home/a%20b/%C3%A9.rhai"), Some(PathBuf::from("/home/a b/\u{e9}.rhai")));
        let again = uri(Path::new("/home/a b/\u{e9}.rhai")).expect("a URI");
        assert_eq!(again.as_str(), "file:///home/a%20b/%C3%A9.rhai");
        assert_eq!(of("untitled:Untitled-1"), None);
        assert_eq!(hex(b"e9"), Some(0xe9));
        assert_eq!((hex(b"+5"), hex(b"g0")), (None, None));
        if !cfg!(windows) {
            let odd = Path::new("/home/a\\b.rhai");
            assert_eq!(path(&uri(odd).expect("a URI")).as_deref(), Some(odd));
        }
        assert_eq!(of("file:///%ff"), None);
    }
}
