//! The script that is being edited, which the server keeps between requests.

use astragal_dsl::{Loaded, Source, library};
use astragal_editor::script::Script;
use std::sync::Arc;

/// The script that is being edited. It is kept between requests, so that the declarations of the last version passed to
/// `load` stay known while the text is incomplete.
#[derive(Default)]
pub(super) struct Edited(Option<Script>);

impl Edited {
    /// The script with this text.
    pub(super) fn with(&mut self, name: &str, text: &str) -> &Script {
        let name = name.trim_end_matches(library::ENDING);
        let is_same = self.0.as_ref().is_some_and(|script| script.source().name == name);
        let known = self.0.take().filter(|_| is_same);
        let script = match known {
            None => {
                let source = Source { name: name.into(), path: None, text: text.into() };
                let mut script = Script::new(source);
                if let Ok(loaded) = astragal_dsl::load(script.source(), &[]) {
                    script.set_loaded(Arc::new(loaded));
                }
                script
            }
            Some(script) if script.text() == text => script,
            Some(mut script) => {
                script.edit(text.into());
                script
            }
        };
        self.0.insert(script)
    }

    /// Stores the declarations of a version that has been loaded.
    pub(super) fn loaded(&mut self, loaded: &Arc<Loaded>) {
        self.with(&loaded.source.name, &loaded.source.text);
        if let Some(script) = &mut self.0 {
            script.set_loaded(Arc::clone(loaded));
        }
    }
}
