//! The methods about scripts as texts: `source`, `load` and `check`.

use super::Declared;
use super::position::{ListedOption, listed};
use crate::diagnostics::DiagnosticData;
use crate::rpc::errors::{TOO_LARGE, load_error};
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{Options, Text, VariantName};
use crate::rpc::store::Store;
use astragal_dsl::{LoadError, Source, library, summary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `load` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct LoadParameters {
    /// What later requests call it as `variant`: a name that ends in `.rhai`. Without `text`, any that they may use already.
    name: Text,
    /// The script; without it, the one that is called so.
    text: Option<Text>,
    options: Option<Options>,
}

/// A script that can be played.
#[derive(Serialize, JsonSchema)]
pub(super) struct LoadedScript {
    /// Its title.
    title: String,
    /// Its description.
    about: String,
    /// The names of the sides, in the order of play.
    sides: Vec<String>,
    /// Whether some of it is for one side alone: ask for a `view` then.
    secrets: bool,
    /// The options: `name`, `values`, `default`, `why`.
    options: Vec<ListedOption>,
    /// What faces of its dice are called, where they have names: the kinds that they stand for, or what the script calls them.
    faces: Vec<NamedFace>,
    /// What it fixes and what it leaves to defaults, as `astragal check` says it.
    summary: String,
}

/// A face of the dice with a name.
#[derive(Serialize, JsonSchema)]
struct NamedFace {
    /// The face.
    face: i16,
    /// Its name.
    name: String,
}

pub(super) struct Load;

impl Declared for Load {
    const NAME: &'static str = "load";
    const ABOUT: &'static str = "Takes a script as text, which later requests name as `variant`. It is kept in memory, written \
                                 nowhere, and stands before a file of that name.";
    const EXAMPLE: &'static str = include_str!("examples/load.json");
    type Parameters = LoadParameters;
    type Answer = LoadedScript;

    fn answer(store: &mut Store, asked: LoadParameters) -> Result<LoadedScript, RpcError> {
        if let Some(text) = &asked.text {
            take(store, &asked.name, text)?;
        }
        let options = asked.options.as_ref().map(Options::pairs).unwrap_or_default();
        let loaded = store.variants.load(&asked.name, &options).map_err(|error| load_error(&asked.name, &error))?;
        Ok(LoadedScript {
            title: loaded.title.clone(),
            about: loaded.about.clone(),
            sides: loaded.set.variant.spec().sides.iter().map(|side| side.name.clone()).collect(),
            secrets: loaded.set.variant.has_secrets(),
            options: listed(&loaded.options),
            faces: loaded.named_faces().into_iter().map(|(face, name)| NamedFace { face, name }).collect(),
            summary: summary(&loaded),
        })
    }
}

/// Keeps a script under a name.
///
/// # Errors
/// If it cannot have this name, or is too large, or too many are kept.
fn take(store: &mut Store, name: &str, text: &str) -> Result<(), RpcError> {
    if !name.ends_with(library::ENDING) {
        return Err(RpcError::new(INVALID_PARAMS, format!("name: a script's ends in {}", library::ENDING))
            .with("field", "name"));
    }
    check_size(text)?;
    match store.variants.give(name, text) {
        true => Ok(()),
        false => Err(RpcError::new(TOO_LARGE, "too many scripts are kept: use one of their names again")),
    }
}

/// What `source` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SourceParameters {
    variant: VariantName,
}

/// A script.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScriptText {
    /// Its text.
    text: String,
}

pub(super) struct ScriptSource;

impl Declared for ScriptSource {
    const NAME: &'static str = "source";
    const ABOUT: &'static str = "The script of a variant, as text.";
    const EXAMPLE: &'static str = include_str!("examples/source.json");
    type Parameters = SourceParameters;
    type Answer = ScriptText;

    fn answer(store: &mut Store, asked: SourceParameters) -> Result<ScriptText, RpcError> {
        let name = &asked.variant.0;
        let source = store.variants.source(name).map_err(|error| load_error(name, &error))?;
        Ok(ScriptText { text: source.text })
    }
}

/// What `check` is asked.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CheckParameters {
    /// The script to be checked; without it, that of `variant`.
    text: Option<Text>,
    /// What the script is called in messages, or which is meant.
    variant: Option<VariantName>,
    options: Option<Options>,
}

/// What is wrong with a script.
#[derive(Serialize, JsonSchema)]
pub(super) struct Checked {
    /// Everything that is wrong, each as `astragal check --json` prints it: `severity`, `message`, `help`, `line`, `column`,
    /// `end_column`, `span`, `fix` ([docs/check.md](check.md)).
    diagnostics: Vec<DiagnosticData>,
}

pub(super) struct Check;

impl Declared for Check {
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "What is wrong with a script, without playing it in earnest.";
    const EXAMPLE: &'static str = include_str!("examples/check.json");
    type Parameters = CheckParameters;
    type Answer = Checked;

    fn answer(store: &mut Store, asked: CheckParameters) -> Result<Checked, RpcError> {
        let name = asked.variant.as_ref().map(|name| &*name.0);
        let source = match (&asked.text, name) {
            (Some(text), name) => {
                check_size(text)?;
                let name = name.unwrap_or("script");
                Source { name: name.trim_end_matches(library::ENDING).into(), path: None, text: text.to_string() }
            }
            (None, Some(name)) => store.variants.source(name).map_err(|error| load_error(name, &error))?,
            (None, None) => return Err(RpcError::param("text", "a script, or `variant`", "nothing")),
        };
        let options = asked.options.as_ref().map(Options::pairs).unwrap_or_default();
        if let (false, Err(error @ LoadError::Option(_))) = (options.is_empty(), astragal_dsl::load(&source, &options))
        {
            return Err(load_error(&source.name, &error));
        }
        let found = astragal_dsl::check_under(&source, &options);
        Ok(Checked { diagnostics: found.iter().map(DiagnosticData::of).collect() })
    }
}

/// Whether a text may be a script.
///
/// # Errors
/// If it is larger than any script that is read from a file.
fn check_size(text: &str) -> Result<(), RpcError> {
    let most = library::MAX_FILE;
    match text.len() as u64 > most {
        false => Ok(()),
        true => {
            let error = RpcError::new(TOO_LARGE, format!("text: a script has at most {most} bytes"));
            Err(error.with("field", "text").with("limit", most))
        }
    }
}
