//! An open script: its text, its names, and the last version of it that could be loaded.

use crate::document::Document;
use crate::names::{self, Declared, NameUse};
use astragal_dsl::{Diagnostic, Loaded, Source};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A script that is being edited.
#[derive(Clone)]
pub struct Script {
    source: Source,
    document: Document,
    loaded: Option<Arc<Loaded>>,
    declared: Vec<Declared>,
    uses: Vec<NameUse>,
}

impl Script {
    /// Opens a script without loading it.
    pub fn new(source: Source) -> Script {
        let document = Document::new(source.text.clone());
        let mut script = Script { source, document, loaded: None, declared: Vec::new(), uses: Vec::new() };
        script.name();
        script
    }

    /// Replaces the text. The last loaded version is kept.
    pub fn edit(&mut self, text: String) {
        self.document = Document::new(text.clone());
        self.source.text = text;
        self.name();
    }

    /// Stores a version of the script that could be loaded. From then on, names from imported scripts are known.
    pub fn set_loaded(&mut self, loaded: Arc<Loaded>) {
        self.loaded = Some(loaded);
        self.name();
    }

    fn name(&mut self) {
        self.declared = names::declared(&self.document, self.loaded.as_deref());
        self.uses = names::uses(&self.document, &self.declared);
    }

    /// The name, path and text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The text, with its tokens.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// The last version that could be loaded, if any. It may be older than the text.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.loaded.as_deref()
    }

    /// The last version that could be loaded, to share with other threads.
    pub fn shared_loaded(&self) -> Option<Arc<Loaded>> {
        self.loaded.clone()
    }

    /// The names that the script can use.
    pub fn declared(&self) -> &[Declared] {
        &self.declared
    }

    /// Every use of a declared name, in order.
    pub fn uses(&self) -> &[NameUse] {
        &self.uses
    }
}

/// The result of checking and loading a script.
#[derive(Clone)]
pub struct Analysis {
    /// The problems, as `astragal check` reports them.
    pub diagnostics: Vec<Diagnostic>,
    /// The script, if it can be loaded.
    pub loaded: Option<Arc<Loaded>>,
}

/// Checks and loads a script in two stages. `first` receives the findings of the text within some milliseconds, before
/// trial games begin; it is not called if no games are played. The result is complete, and can take a few hundred
/// milliseconds, so run this in the background.
///
/// Returns `None` soon after `stop` has been set on another thread.
pub fn analyze(source: &Source, stop: &Arc<AtomicBool>, first: &mut dyn FnMut(Analysis)) -> Option<Analysis> {
    let loaded = astragal_dsl::load(source, &[]).ok().map(Arc::new);
    let mut begins = |diagnostics| first(Analysis { diagnostics, loaded: loaded.clone() });
    let diagnostics = astragal_dsl::check_in_stages(source, stop, &mut begins)?;
    Some(Analysis { diagnostics, loaded })
}
