//! Code actions: fixes of single problems, and one action that fixes all certain problems of a script.
//!
//! The latter checks the script many times, so its edit is computed on a thread of its own. Clients that can resolve
//! code actions request the edit when the user chooses the action. Other clients are only offered it if they request
//! its kind.

use super::analyst::{self, caught};
use super::changed_lines::changed_lines;
use super::convert::{self, Page};
use super::documents::Documents;
use super::open::{Content, Open, Problems};
use super::refusal::{Refusal, parameters};
use astragal_dsl::{Diagnostic, Fix, Source, repaired};
use astragal_editor::script::Script;
use astragal_service::editing::{self, GameFix, GameProblem};
use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::request;
use serde_json::json;

/// The answer to a request.
pub(super) enum Answer {
    /// The response.
    Now(Response),
    /// The response follows when this job is done.
    Later(Box<Repair>),
}

/// A script to repair for a request.
pub(super) struct Repair {
    pub(super) id: RequestId,
    uri: String,
    serial: u64,
    source: Source,
    /// The action, without its edit.
    action: lsp::CodeAction,
    /// The other actions of the response; `None` if the request resolves the action.
    others: Option<Vec<lsp::CodeAction>>,
}

/// A script that has been repaired.
pub(super) struct Repaired {
    job: Box<Repair>,
    /// The new text; `None` after a panic.
    text: Option<String>,
}

/// Repairs a script.
pub(super) fn repair(job: Box<Repair>, _: &dyn Fn(Repaired)) -> Repaired {
    let text = caught(|| repaired(&job.source).0);
    Repaired { job, text }
}

/// The response to the request that started a repair.
pub(super) fn finish(documents: &Documents, done: Repaired) -> Response {
    let Repaired { job, text } = done;
    let Repair { id, uri, serial, source, mut action, others } = *job;
    let Some(open) = documents.open.get(&uri).filter(|open| open.serial == serial) else {
        return modified().response(id);
    };
    let Some(text) = text else {
        return Response::new_err(id, ErrorCode::InternalError as i32, analyst::FAILURE.into());
    };
    let fixes: Vec<Fix> = changed_lines(&source.text, &text).into_iter().collect();
    action.edit = Some(documents.changes(open, &fixes));
    match others {
        None => Response::new_ok(id, action),
        Some(mut all) => {
            all.push(action);
            Response::new_ok(id, all)
        }
    }
}

fn modified() -> Refusal {
    Refusal { code: ErrorCode::ContentModified, message: "the document has changed".into() }
}

/// Answers `textDocument/codeAction`.
pub(super) fn actions(documents: &Documents, request: Request) -> Answer {
    let Request { id, method, params } = request;
    let params = match parameters::<request::CodeActionRequest>(&method, params) {
        Ok(params) => params,
        Err(refusal) => return Answer::Now(refusal.response(id)),
    };
    let (open, page) = match documents.text(&params.text_document.uri) {
        Ok(found) => found,
        Err(refusal) => return Answer::Now(refusal.response(id)),
    };
    // Fixes for an older text would change the wrong bytes.
    let found = match (open.problems(), &open.content) {
        (Some(Problems::OfScript(problems)), Content::Script(script)) => {
            let file = script.source().file();
            let own: Vec<&Diagnostic> = problems.iter().filter(|one| one.file == file).collect();
            let mut found = quick_fixes(documents, open, script, &own, &params);
            if let Some(action) = fix_all(documents, &own, &params) {
                if !documents.client.resolves_actions {
                    let (uri, serial) = (open.uri.as_str().to_string(), open.serial);
                    let source = script.source().clone();
                    return Answer::Later(Box::new(Repair { id, uri, serial, source, action, others: Some(found) }));
                }
                let data = Some(json!({ "uri": open.uri.as_str(), "serial": open.serial }));
                found.push(lsp::CodeAction { data, ..action });
            }
            found
        }
        (Some(Problems::OfGame(problems)), _) => game_actions(documents, open, page, problems, &params),
        _ => Vec::new(),
    };
    Answer::Now(Response::new_ok(id, found))
}

/// Answers `codeAction/resolve`. Only the action that fixes all problems needs to be resolved.
pub(super) fn resolve(documents: &Documents, request: Request) -> Answer {
    let Request { id, method, params } = request;
    let action = match parameters::<request::CodeActionResolveRequest>(&method, params) {
        Ok(action) => action,
        Err(refusal) => return Answer::Now(refusal.response(id)),
    };
    let Some(data) = action.data.clone() else { return Answer::Now(Response::new_ok(id, action)) };
    let uri = data["uri"].as_str().unwrap_or_default().to_string();
    let open = documents.open.get(&uri).filter(|open| data["serial"].as_u64() == Some(open.serial));
    let Some((open, script)) = open.and_then(|open| Some((open, open.script()?))) else {
        return Answer::Now(modified().response(id));
    };
    let (serial, source) = (open.serial, script.source().clone());
    Answer::Later(Box::new(Repair { id, uri, serial, source, action, others: None }))
}

/// Whether the client requests code actions of this kind. A requested kind includes its subkinds: `source` includes
/// `source.fixAll`.
fn is_wanted(params: &lsp::CodeActionParams, kind: &lsp::CodeActionKind) -> bool {
    let includes = |one: &lsp::CodeActionKind| {
        let rest = kind.as_str().strip_prefix(one.as_str());
        one.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    params.context.only.as_ref().is_none_or(|all| all.iter().any(includes))
}

fn touches(range: lsp::Range, other: lsp::Range) -> bool {
    range.start <= other.end && other.start <= range.end
}

fn quick_fixes(
    documents: &Documents,
    open: &Open,
    script: &Script,
    problems: &[&Diagnostic],
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeAction> {
    let mut found = Vec::new();
    if !is_wanted(params, &lsp::CodeActionKind::QUICKFIX) {
        return found;
    }
    for one in problems {
        let diagnostic = convert::diagnostic(&documents.client, &open.uri, script, one);
        if !touches(diagnostic.range, params.range) {
            continue;
        }
        found.extend(one.fix.as_ref().map(|fix| quick_fix(documents, open, diagnostic.clone(), fix, true)));
        found.extend(one.suggestion().map(|fix| quick_fix(documents, open, diagnostic, &fix, false)));
    }
    found
}

/// The code action that fixes all certain problems, without its edit. Unless the client requests its kind, it is only
/// offered for several problems.
fn fix_all(documents: &Documents, problems: &[&Diagnostic], params: &lsp::CodeActionParams) -> Option<lsp::CodeAction> {
    let certain = problems.iter().filter(|one| one.fix.is_some()).count();
    let is_requested = params.context.only.is_some();
    let is_offered = is_requested && certain > 0 || documents.client.resolves_actions && certain > 1;
    (is_offered && is_wanted(params, &lsp::CodeActionKind::SOURCE_FIX_ALL)).then(|| lsp::CodeAction {
        title: "Fix all problems that have only one possible fix".into(),
        kind: Some(lsp::CodeActionKind::SOURCE_FIX_ALL),
        ..lsp::CodeAction::default()
    })
}

/// A code action that fixes a problem. It is preferred if it is the only possible fix.
fn quick_fix(
    documents: &Documents,
    open: &Open,
    problem: lsp::Diagnostic,
    fix: &Fix,
    is_certain: bool,
) -> lsp::CodeAction {
    let title = match (fix.text.trim(), fix.span.is_empty()) {
        ("", _) => format!("Remove `{}`", open.text().get(fix.span.clone()).unwrap_or_default().trim()),
        (text, true) => format!("Add `{text}`"),
        (text, false) => format!("Change to `{text}`"),
    };
    lsp::CodeAction {
        title: title.lines().next().unwrap_or_default().to_string(),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![problem]),
        edit: Some(documents.changes(open, std::slice::from_ref(fix))),
        is_preferred: is_certain.then_some(true),
        ..lsp::CodeAction::default()
    }
}

fn game_actions(
    documents: &Documents,
    open: &Open,
    page: Page<'_>,
    problems: &[GameProblem],
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeAction> {
    if !is_wanted(params, &lsp::CodeActionKind::QUICKFIX) {
        return Vec::new();
    }
    let near = problems.iter().filter(|one| touches(page.range(&one.span), params.range));
    let action = |(one, fix): (&GameProblem, &GameFix)| {
        let diagnostics = Some(vec![convert::game_diagnostic(page, one)]);
        let kind = Some(lsp::CodeActionKind::QUICKFIX);
        match fix {
            GameFix::Edit { title, edit } => lsp::CodeAction {
                title: title.clone(),
                kind,
                diagnostics,
                edit: Some(documents.changes(open, std::slice::from_ref(edit))),
                ..lsp::CodeAction::default()
            },
            GameFix::Accept => lsp::CodeAction {
                title: "Accept the output".into(),
                kind,
                diagnostics,
                command: Some(convert::command_for(
                    "Accept the output",
                    editing::ACCEPT,
                    &[open.uri.as_str().to_string()],
                )),
                ..lsp::CodeAction::default()
            },
        }
    };
    near.flat_map(|one| one.fixes.iter().map(move |fix| (one, fix))).map(action).collect()
}
