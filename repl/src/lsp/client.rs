//! The capabilities of the client.

use astragal_editor::lines::Units;

/// The capabilities that the client announces.
pub(super) struct Client {
    /// The units in which the client counts columns.
    pub(super) units: Units,
    /// Whether document symbols can be nested.
    pub(super) nested_symbols: bool,
    /// Whether hover texts can be Markdown.
    pub(super) markdown: bool,
    /// Whether the documentation of completion items can be Markdown.
    pub(super) completion_markdown: bool,
    /// Whether the documentation of signatures can be Markdown.
    pub(super) signature_markdown: bool,
    /// Whether the parameters of a signature can be ranges of its label.
    pub(super) label_offsets: bool,
    /// Whether diagnostics can have related locations.
    pub(super) related: bool,
    /// Whether the client can ask for the range to rename.
    pub(super) prepares_rename: bool,
    /// Whether code actions can contain edits, not only commands.
    pub(super) code_actions: bool,
    /// Whether the client can request the edit of a code action later.
    pub(super) resolves_actions: bool,
    /// Whether the server can ask the client to report changes of files.
    pub(super) watches_files: bool,
    /// Whether the server can ask the client to refresh code lenses.
    pub(super) refreshes_lenses: bool,
    /// Whether the server can ask the client to refresh inlay hints.
    pub(super) refreshes_hints: bool,
}

impl Client {
    /// Reads the parameters of `initialize`. Missing and invalid capabilities have the defaults of the specification.
    pub(super) fn of(params: &serde_json::Value) -> Client {
        let at = |path: &str| params.pointer(path);
        let offers = |path: &str, word: &str| {
            at(path).and_then(|list| list.as_array()).is_some_and(|list| list.iter().any(|one| one == word))
        };
        let units = match offers("/capabilities/general/positionEncodings", "utf-8") {
            true => Units::Utf8,
            false => Units::Utf16,
        };
        let is_set = |path: &str| at(path).and_then(serde_json::Value::as_bool).unwrap_or(false);
        Client {
            units,
            nested_symbols: is_set("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            markdown: offers("/capabilities/textDocument/hover/contentFormat", "markdown"),
            completion_markdown: offers(
                "/capabilities/textDocument/completion/completionItem/documentationFormat",
                "markdown",
            ),
            signature_markdown: offers(
                "/capabilities/textDocument/signatureHelp/signatureInformation/documentationFormat",
                "markdown",
            ),
            label_offsets: is_set(
                "/capabilities/textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
            ),
            related: is_set("/capabilities/textDocument/publishDiagnostics/relatedInformation"),
            prepares_rename: is_set("/capabilities/textDocument/rename/prepareSupport"),
            code_actions: at("/capabilities/textDocument/codeAction/codeActionLiteralSupport").is_some(),
            resolves_actions: is_set("/capabilities/textDocument/codeAction/dataSupport")
                && offers("/capabilities/textDocument/codeAction/resolveSupport/properties", "edit"),
            watches_files: is_set("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            refreshes_lenses: is_set("/capabilities/workspace/codeLens/refreshSupport"),
            refreshes_hints: is_set("/capabilities/workspace/inlayHint/refreshSupport"),
        }
    }
}
