//! The responses to requests about open documents, except code actions.

use super::actions::{self, Answer};
use super::analyst;
use super::capabilities::BOARD;
use super::changed_lines::changed_lines;
use super::convert::{self, Page};
use super::documents::{At, Documents};
use super::open::{Content, OpenGame};
use super::refusal::{Refusal, parameters};
use crate::gametest::scripts::{folder_of, scripts_in};
use astragal_dsl::library::Reach;
use astragal_editor::lines::{Lines, Units};
use astragal_editor::navigate::Target;
use astragal_editor::outline::{Fold, FoldKind};
use astragal_editor::script::Script;
use astragal_editor::{complete, format, hover, navigate, outline, semantic, signature};
use astragal_service::drawing::board::{BoardDrawing, Pieces, Theme};
use astragal_service::drawing::svg;
use astragal_service::editing::{self, Hint, Lens};
use astragal_service::gametest::ScriptReference;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types as lsp;
use lsp_types::request::{self, Request as _};
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

/// Answers a request.
pub(super) fn answer(documents: &Documents, request: Request) -> Answer {
    match request.method.as_str() {
        request::CodeActionRequest::METHOD => actions::actions(documents, request),
        request::CodeActionResolveRequest::METHOD => actions::resolve(documents, request),
        _ => Answer::Now(answer_now(documents, request)),
    }
}

fn answer_now(documents: &Documents, request: Request) -> Response {
    match request.method.as_str() {
        request::Completion::METHOD => with::<request::Completion>(documents, request, completion),
        request::SignatureHelpRequest::METHOD => with::<request::SignatureHelpRequest>(documents, request, signatures),
        request::HoverRequest::METHOD => with::<request::HoverRequest>(documents, request, hover),
        request::GotoDefinition::METHOD => with::<request::GotoDefinition>(documents, request, definition),
        request::References::METHOD => with::<request::References>(documents, request, references),
        request::DocumentHighlightRequest::METHOD => {
            with::<request::DocumentHighlightRequest>(documents, request, highlights)
        }
        request::PrepareRenameRequest::METHOD => with::<request::PrepareRenameRequest>(documents, request, renameable),
        request::Rename::METHOD => with::<request::Rename>(documents, request, rename),
        request::DocumentSymbolRequest::METHOD => with::<request::DocumentSymbolRequest>(documents, request, symbols),
        request::FoldingRangeRequest::METHOD => with::<request::FoldingRangeRequest>(documents, request, folds),
        request::SelectionRangeRequest::METHOD => {
            with::<request::SelectionRangeRequest>(documents, request, selections)
        }
        request::SemanticTokensFullRequest::METHOD => {
            with::<request::SemanticTokensFullRequest>(documents, request, tokens)
        }
        request::Formatting::METHOD => with::<request::Formatting>(documents, request, formatting),
        request::CodeLensRequest::METHOD => with::<request::CodeLensRequest>(documents, request, lenses),
        request::InlayHintRequest::METHOD => with::<request::InlayHintRequest>(documents, request, hints),
        request::ExecuteCommand::METHOD => with::<request::ExecuteCommand>(documents, request, command),
        method => {
            let message = format!("unknown method '{method}'");
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        }
    }
}

/// Parses the parameters of a request, and builds its response.
fn with<R: request::Request>(
    documents: &Documents,
    request: Request,
    answer: impl FnOnce(&Documents, R::Params) -> Result<R::Result, Refusal>,
) -> Response {
    let Request { id, method, params } = request;
    match parameters::<R>(&method, params).and_then(|params| answer(documents, params)) {
        Ok(result) => Response::new_ok(id, result),
        Err(refusal) => refusal.response(id),
    }
}

/// Markdown, which clients without support for it show as plain text.
fn markup(is_supported: bool, markdown: String) -> lsp::MarkupContent {
    let kind = if is_supported { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value: markdown }
}

fn documentation(is_supported: bool, markdown: String) -> Option<lsp::Documentation> {
    (!markdown.is_empty()).then(|| lsp::Documentation::MarkupContent(markup(is_supported, markdown)))
}

fn completion(
    documents: &Documents,
    params: lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>, Refusal> {
    let At { open, page, offset } = documents.at(&params.text_document_position)?;
    let item = |label: String, detail: String, about: String, replaces: &Range<usize>, inserts: String| {
        let edit = lsp::TextEdit { range: page.range(replaces), new_text: inserts.clone() };
        lsp::CompletionItem {
            filter_text: Some(inserts),
            detail: Some(detail).filter(|detail| !detail.is_empty()),
            documentation: documentation(documents.client.completion_markdown, about),
            text_edit: Some(edit.into()),
            label,
            ..lsp::CompletionItem::default()
        }
    };
    let items: Vec<_> = match &open.content {
        Content::Script(script) => complete::complete(script, offset)
            .into_iter()
            .map(|one| lsp::CompletionItem {
                sort_text: Some(format!("{:03}{}", one.rank, one.label)),
                kind: Some(convert::completion_kind(one.kind)),
                ..item(one.label, one.detail, one.about, &one.replaces, one.inserts)
            })
            .collect(),
        Content::Game(game) => editing::complete(&game.document, game.loaded.as_ref(), offset)
            .into_iter()
            .enumerate()
            .map(|(place, one)| lsp::CompletionItem {
                sort_text: Some(format!("{place:05}")),
                kind: Some(lsp::CompletionItemKind::VALUE),
                ..item(one.label, one.detail, one.about, &one.replaces, one.inserts)
            })
            .collect(),
    };
    Ok(Some(items.into()))
}

fn signatures(documents: &Documents, params: lsp::SignatureHelpParams) -> Result<Option<lsp::SignatureHelp>, Refusal> {
    let At { open, offset, .. } = documents.at(&params.text_document_position_params)?;
    let found = open.script().and_then(|script| signature::signatures(script, offset));
    let Some(found) = found else { return Ok(None) };
    let parameter = |label: &str, span: &Range<usize>| {
        let lines = Lines::of(label);
        // The protocol counts them in UTF-16, whatever the unit of positions is.
        let units = |byte| lines.place(label, byte, Units::Utf16).column;
        let label = match documents.client.label_offsets {
            true => lsp::ParameterLabel::LabelOffsets([units(span.start), units(span.end)]),
            false => lsp::ParameterLabel::Simple(label.get(span.clone()).unwrap_or_default().to_string()),
        };
        lsp::ParameterInformation { label, documentation: None }
    };
    let form = |form: signature::Form| lsp::SignatureInformation {
        documentation: documentation(documents.client.signature_markdown, form.about),
        // With an index beyond the last parameter, clients mark the first one. Without parameters, they mark none.
        parameters: (found.argument < form.parameters.len())
            .then(|| form.parameters.iter().map(|span| parameter(&form.label, span)).collect()),
        label: form.label,
        active_parameter: None,
    };
    Ok(Some(lsp::SignatureHelp {
        signatures: found.forms.into_iter().map(form).collect(),
        active_signature: Some(found.active as u32),
        active_parameter: Some(found.argument as u32),
    }))
}

fn hover(documents: &Documents, params: lsp::HoverParams) -> Result<Option<lsp::Hover>, Refusal> {
    let At { open, page, offset } = documents.at(&params.text_document_position_params)?;
    let found = match &open.content {
        Content::Script(script) => hover::hover(script, offset).map(|hover| (hover.span, hover.markdown)),
        Content::Game(game) => {
            editing::hover(&game.document, game.loaded.as_ref(), offset).map(|hover| (hover.span, hover.markdown))
        }
    };
    Ok(found.map(|(span, markdown)| lsp::Hover {
        range: Some(page.range(&span)),
        contents: lsp::HoverContents::Markup(markup(documents.client.markdown, markdown)),
    }))
}

/// The location of a definition. Bundled scripts have no files, so definitions in them are located in copies.
fn definition(
    documents: &Documents,
    params: lsp::GotoDefinitionParams,
) -> Result<Option<lsp::GotoDefinitionResponse>, Refusal> {
    let At { open, page, offset } = documents.at(&params.text_document_position_params)?;
    let script = match &open.content {
        Content::Script(script) => script,
        Content::Game(game) => {
            let path = convert::path(&open.uri);
            return Ok(script_of(documents, game, path.as_deref(), offset)?.map(Into::into));
        }
    };
    let location = match navigate::definition(script, offset) {
        None => return Ok(None),
        Some(Target::Here(span)) => lsp::Location { uri: open.uri.clone(), range: page.range(&span) },
        Some(Target::Bundled { name, text, span }) => {
            let lines = Lines::of(&text);
            let range = Page { text: &text, lines: &lines, ..page }.range(&span);
            lsp::Location { uri: documents.copy_of_bundled(&name, &text).map_err(Refusal::failed)?, range }
        }
    };
    Ok(Some(location.into()))
}

/// The location of the script that a `.game` file names at an offset. `path` is the path of the file, if it has one.
fn script_of(
    documents: &Documents,
    game: &OpenGame,
    path: Option<&Path>,
    offset: usize,
) -> Result<Option<lsp::Location>, Refusal> {
    let Some((_, reference)) = game.document.script_at(offset) else { return Ok(None) };
    let file = match reference {
        ScriptReference::File(file) => Some(file),
        ScriptReference::Named(name) => {
            let Ok(source) = Reach::Scripts.resolve(&name) else { return Ok(None) };
            if source.path.is_none() {
                let uri = documents.copy_of_bundled(&source.name, &source.text).map_err(Refusal::failed)?;
                return Ok(Some(lsp::Location { uri, range: lsp::Range::default() }));
            }
            source.path
        }
        ScriptReference::OnlyOneIn(_) => match path.map(|path| scripts_in(&folder_of(path))).as_deref() {
            Some([only]) => Some(only.clone()),
            _ => None,
        },
    };
    let uri = file.and_then(|file| convert::uri(&file.canonicalize().ok()?));
    Ok(uri.map(|uri| lsp::Location { uri, range: lsp::Range::default() }))
}

fn references(documents: &Documents, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>, Refusal> {
    let At { open, page, offset } = documents.at(&params.text_document_position)?;
    let Some(script) = open.script() else { return Ok(None) };
    let found = navigate::references(script, offset, params.context.include_declaration);
    let location = |span| lsp::Location { uri: open.uri.clone(), range: page.range(&span) };
    Ok(Some(found.into_iter().map(location).collect()))
}

fn highlights(
    documents: &Documents,
    params: lsp::DocumentHighlightParams,
) -> Result<Option<Vec<lsp::DocumentHighlight>>, Refusal> {
    let At { open, page, offset } = documents.at(&params.text_document_position_params)?;
    let Some(script) = open.script() else { return Ok(None) };
    let found = navigate::references(script, offset, true).into_iter();
    Ok(Some(found.map(|span| lsp::DocumentHighlight { range: page.range(&span), kind: None }).collect()))
}

fn renameable(
    documents: &Documents,
    params: lsp::TextDocumentPositionParams,
) -> Result<Option<lsp::PrepareRenameResponse>, Refusal> {
    let At { open, page, offset } = documents.at(&params)?;
    let span = open.script().and_then(|script| navigate::renameable(script, offset));
    Ok(span.map(|span| lsp::PrepareRenameResponse::Range(page.range(&span))))
}

fn rename(documents: &Documents, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>, Refusal> {
    let At { open, offset, .. } = documents.at(&params.text_document_position)?;
    let Some(script) = open.script() else { return Ok(None) };
    let fixes = navigate::rename(script, offset, &params.new_name).map_err(Refusal::failed)?;
    Ok(Some(documents.changes(open, &fixes)))
}

fn symbols(
    documents: &Documents,
    params: lsp::DocumentSymbolParams,
) -> Result<Option<lsp::DocumentSymbolResponse>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let nested: Vec<_> = match &open.content {
        Content::Script(script) => outline::symbols(script).iter().map(|one| convert::symbol(page, one)).collect(),
        Content::Game(game) => {
            let all = editing::symbols(&game.document, game.loaded.as_ref());
            all.iter().map(|one| convert::game_symbol(page, one)).collect()
        }
    };
    if documents.client.nested_symbols {
        return Ok(Some(nested.into()));
    }
    #[expect(deprecated, reason = "the struct has no default, so its deprecated field must be set")]
    let flat = |one: lsp::DocumentSymbol| lsp::SymbolInformation {
        name: one.name,
        kind: one.kind,
        tags: None,
        deprecated: None,
        location: lsp::Location { uri: open.uri.clone(), range: one.range },
        container_name: None,
    };
    let mut list = Vec::new();
    let mut left: Vec<_> = nested.into_iter().rev().collect();
    while let Some(mut one) = left.pop() {
        left.extend(one.children.take().unwrap_or_default().into_iter().rev());
        list.push(flat(one));
    }
    Ok(Some(list.into()))
}

fn folds(documents: &Documents, params: lsp::FoldingRangeParams) -> Result<Option<Vec<lsp::FoldingRange>>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let Some(script) = open.script() else { return Ok(None) };
    let fold = |fold: Fold| {
        let range = page.range(&fold.span);
        lsp::FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: match fold.kind {
                FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Imports => Some(lsp::FoldingRangeKind::Imports),
                FoldKind::Block => None,
            },
            ..lsp::FoldingRange::default()
        }
    };
    Ok(Some(outline::folds(script).into_iter().map(fold).collect()))
}

fn selections(
    documents: &Documents,
    params: lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let at = |position| {
        let offset = page.offset(position);
        let spans = open.script().map(|script| outline::selection(script, offset)).unwrap_or_default();
        let outward = spans.iter().rev().fold(None, |parent, span| {
            let parent = parent.map(Box::new);
            Some(lsp::SelectionRange { range: page.range(span), parent })
        });
        // The specification requires a result for each position.
        outward.unwrap_or_else(|| lsp::SelectionRange { range: lsp::Range::new(position, position), parent: None })
    };
    Ok(Some(params.positions.into_iter().map(at).collect()))
}

fn tokens(
    documents: &Documents,
    params: lsp::SemanticTokensParams,
) -> Result<Option<lsp::SemanticTokensResult>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let Some(script) = open.script() else { return Ok(None) };
    let data = convert::semantic_tokens(page, &semantic::semantic_tokens(script));
    Ok(Some(lsp::SemanticTokens { result_id: None, data }.into()))
}

fn formatting(
    documents: &Documents,
    params: lsp::DocumentFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let Some(script) = open.script() else { return Ok(None) };
    let formatted = format::format(script.text()).map_err(Refusal::failed)?;
    let fixes = changed_lines(script.text(), &formatted);
    Ok(Some(fixes.iter().map(|fix| page.edit(fix)).collect()))
}

fn lenses(documents: &Documents, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let address = open.uri.as_str();
    let found = match &open.content {
        Content::Script(script) => {
            editing::script_lenses(script.document(), address, open.tests().and_then(|(run, _)| run))
        }
        Content::Game(game) => {
            let path = convert::path(&open.uri);
            let runs = documents.open.values().filter_map(|other| other.tests()?.0);
            let outcome = path.and_then(|path| runs.filter_map(|run| analyst::outcome_of(run, &path)).next());
            editing::game_lenses(&game.document, address, outcome)
        }
    };
    let lens = |one: Lens| lsp::CodeLens {
        range: page.range(&one.span),
        command: Some(convert::command_for(&one.title, one.command, &one.arguments)),
        data: None,
    };
    Ok(Some(found.into_iter().map(lens).collect()))
}

fn hints(documents: &Documents, params: lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>, Refusal> {
    let (open, page) = documents.text(&params.text_document.uri)?;
    let hints = open.tests().map_or(&[][..], |(_, hints)| hints);
    let hint = |one: &Hint| lsp::InlayHint {
        position: page.range(&(one.offset..one.offset)).start,
        label: one.text.clone().into(),
        kind: None,
        text_edits: None,
        tooltip: Some(lsp::InlayHintTooltip::MarkupContent(markup(documents.client.markdown, one.tooltip.clone()))),
        padding_left: Some(true),
        padding_right: Some(true),
        data: None,
    };
    let within = |hint: &lsp::InlayHint| params.range.start <= hint.position && hint.position <= params.range.end;
    Ok(Some(hints.iter().map(hint).filter(within).collect()))
}

/// Executes the only command. It draws the starting position of the last version that could be loaded.
fn command(documents: &Documents, params: lsp::ExecuteCommandParams) -> Result<Option<serde_json::Value>, Refusal> {
    if params.command != BOARD {
        return Err(Refusal::failed(format!("unknown command '{}'", params.command)));
    }
    let uri = params.arguments.first().and_then(|uri| uri.as_str());
    let uri = uri.and_then(|uri| lsp::Uri::from_str(uri).ok());
    let uri = uri.ok_or_else(|| Refusal::failed(format!("{BOARD} takes the URI of a script")))?;
    let (open, _) = documents.text(&uri)?;
    let loaded = open.script().and_then(Script::loaded);
    let loaded = loaded.ok_or_else(|| Refusal::failed("the script cannot be loaded yet"))?;
    let theme = Theme { pieces: Pieces::Unicode, color: true, flipped: false, boxes: true };
    let drawing = BoardDrawing::plain(&loaded.set.variant, &loaded.start);
    Ok(Some(serde_json::json!({ "svg": svg::draw(&drawing, theme, &[]) })))
}
