//! The capabilities of the server.

use super::client::Client;
use super::convert::{TOKEN_MODIFIERS, TOKEN_TYPES};
use astragal_editor::lines::Units;
use lsp_types as lsp;

/// The command that draws the starting position.
pub(super) const BOARD: &str = "astragal.board";

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
