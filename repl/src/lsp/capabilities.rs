//! The capabilities of the server and of the client.

use super::convert::{TOKEN_MODIFIERS, TOKEN_TYPES};
use astragal_editor::lines::Units;
use lsp_types as lsp;

/// The command that draws the starting position.
pub(super) const BOARD: &str = "astragal.board";

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

/// The capabilities that the server announces to a client.
pub(super) fn server(client: &Client) -> lsp::ServerCapabilities {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
        save: Some(true.into()),
        ..lsp::TextDocumentSyncOptions::default()
    };
    let completion = lsp::CompletionOptions {
        trigger_characters: Some(["\"", ".", ":", "{"].map(str::to_string).to_vec()),
        ..lsp::CompletionOptions::default()
    };
    let signatures = lsp::SignatureHelpOptions {
        trigger_characters: Some(["(", ","].map(str::to_string).to_vec()),
        retrigger_characters: Some(vec![")".into()]),
        ..lsp::SignatureHelpOptions::default()
    };
    let rename = lsp::RenameOptions { prepare_provider: Some(true), work_done_progress_options: Default::default() };
    let rename = if client.prepares_rename { lsp::OneOf::Right(rename) } else { lsp::OneOf::Left(true) };
    let legend = lsp::SemanticTokensLegend {
        token_types: TOKEN_TYPES.map(lsp::SemanticTokenType::new).to_vec(),
        token_modifiers: TOKEN_MODIFIERS.map(lsp::SemanticTokenModifier::new).to_vec(),
    };
    let tokens = lsp::SemanticTokensOptions {
        legend,
        full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
        ..lsp::SemanticTokensOptions::default()
    };
    let actions = lsp::CodeActionOptions {
        code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX, lsp::CodeActionKind::SOURCE_FIX_ALL]),
        resolve_provider: client.resolves_actions.then_some(true),
        ..lsp::CodeActionOptions::default()
    };
    let encoding = match client.units {
        Units::Utf8 => lsp::PositionEncodingKind::UTF8,
        Units::Utf16 => lsp::PositionEncodingKind::UTF16,
        Units::Utf32 => lsp::PositionEncodingKind::UTF32,
    };
    lsp::ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(sync.into()),
        completion_provider: Some(completion),
        signature_help_provider: Some(signatures),
        hover_provider: Some(true.into()),
        definition_provider: Some(lsp::OneOf::Left(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        rename_provider: Some(rename),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        semantic_tokens_provider: Some(tokens.into()),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        code_action_provider: client.code_actions.then(|| actions.into()),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: vec![BOARD.into()],
            ..lsp::ExecuteCommandOptions::default()
        }),
        ..lsp::ServerCapabilities::default()
    }
}
