//! The open documents of a client: what requests read.

use super::client::Client;
use super::convert::{self, Page};
use super::open::Open;
use super::refusal::Refusal;
use crate::atomic_write;
use astragal_dsl::Fix;
use lsp_types as lsp;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// The open documents. See the [module](self).
pub(super) struct Documents {
    /// The client, which sets the units of positions and the form of responses.
    pub(super) client: Client,
    /// The open documents, by URI.
    pub(super) open: BTreeMap<String, Open>,
    /// The folder for copies of built-in scripts, which an editor can only open as files.
    pub(super) copies: Option<PathBuf>,
}

/// An offset in an open document.
pub(super) struct At<'a> {
    pub(super) open: &'a Open,
    pub(super) page: Page<'a>,
    pub(super) offset: usize,
}

impl Documents {
    /// An open document.
    ///
    /// # Errors
    /// If no document with this URI is open.
    pub(super) fn text(&self, uri: &lsp::Uri) -> Result<(&Open, Page<'_>), Refusal> {
        let open = self.open.get(uri.as_str()).ok_or_else(Refusal::not_open)?;
        Ok((open, open.page(self.client.units)))
    }

    /// An offset in an open document.
    ///
    /// # Errors
    /// As [`Documents::text`].
    pub(super) fn at(&self, at: &lsp::TextDocumentPositionParams) -> Result<At<'_>, Refusal> {
        let (open, page) = self.text(&at.text_document.uri)?;
        Ok(At { open, page, offset: page.offset(at.position) })
    }

    /// A workspace edit of one document.
    pub(super) fn changes(&self, open: &Open, fixes: &[Fix]) -> lsp::WorkspaceEdit {
        let page = open.page(self.client.units);
        let edits = fixes.iter().map(|fix| page.edit(fix)).collect();
        #[expect(clippy::mutable_key_type, reason = "the protocol's own type; URIs never change")]
        let changes = HashMap::from([(open.uri.clone(), edits)]);
        lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }
    }

    /// The URI of a copy of a bundled script. Writes the file unless it has this text already.
    ///
    /// # Errors
    /// If there is no folder for copies, or the copy cannot be written.
    pub(super) fn copy_of_bundled(&self, name: &str, text: &str) -> Result<lsp::Uri, String> {
        let folder =
            self.copies.as_ref().ok_or("there is no folder for copies of built-in scripts: set ASTRAGAL_STATE")?;
        let file = folder.join(format!("{name}.rhai"));
        if std::fs::read_to_string(&file).ok().as_deref() != Some(text) {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            atomic_write::replace(&file, text.as_bytes())?;
        }
        convert::uri(&file).ok_or_else(|| format!("{} cannot be written as a URI", file.display()))
    }
}
