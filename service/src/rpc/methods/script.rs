//! The methods about scripts as texts: `source`, `load` and `check`.

use super::declared::Declared;
use super::position::{ListedOption, listed};
use crate::diagnostics::DiagnosticData;
use crate::rpc::errors::{TOO_LARGE, load_error};
use crate::rpc::message::{INVALID_PARAMS, RpcError};
use crate::rpc::parameters::{Options, Text, VariantName};
use crate::rpc::store::Store;
use astragal_dsl::{LoadError, Source, library, summary, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of `load`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct LoadParameters {
    /// The name that later requests use as `variant`. It must end in `.rhai`, unless you omit `text`: then it can be
    /// any known variant.
    name: Text,
    /// The whole text of the script; by default, the script called `name`.
    text: Option<Text>,
    options: Option<Options>,
}

/// A playable script.
#[derive(Serialize, JsonSchema)]
pub(super) struct LoadedScript {
    /// The title of the game.
    title: String,
    /// The description of the game.
    about: String,
    /// The names of the sides, in the order of play.
    sides: Vec<String>,
    /// Whether the game has secrets; if so, request a `view`.
    secrets: bool,
    /// Whether one player can know something that another does not: the game has secrets, or the script or an imported
    /// script has secret choices or rolls.
    hides: bool,
    /// The names of the royal kinds of piece.
    royals: Vec<String>,
    /// The options of the script, in the same form as in the result of `rules`.
    options: Vec<ListedOption>,
    /// The names of the faces of dice: the pieces that they stand for, or names that the script gives them.
    faces: Vec<NamedFace>,
    /// The declarations of the script and its defaults, as `astragal check` prints them.
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
    const ABOUT: &'static str = "Loads a script from text; later requests use its name as `variant`. It is kept \
         in memory only, and takes precedence over a file of that name.";
    const EXAMPLE: &'static str = include_str!("examples/load.json");
    type Parameters = LoadParameters;
    type Answer = LoadedScript;

    fn answer(store: &mut Store, asked: LoadParameters) -> Result<LoadedScript, RpcError> {
        if let Some(text) = &asked.text {
            take(store, &asked.name, text)?;
        }
        let options = asked.options.as_ref().map(Options::pairs).unwrap_or_default();
        let loaded = store.variants.load(&asked.name, &options).map_err(|error| load_error(&asked.name, &error))?;
        if asked.text.is_some() {
            store.edited.loaded(&loaded);
        }
        let royals = loaded.set.variant.kinds().iter().filter(|kind| kind.royal);
        Ok(LoadedScript {
            title: loaded.title.clone(),
            about: loaded.about.clone(),
            sides: loaded.set.variant.spec().sides.iter().map(|side| side.name.clone()).collect(),
            secrets: loaded.set.variant.has_secrets(),
            hides: view::can_hide(&loaded),
            royals: royals.map(|kind| kind.name.clone()).collect(),
            options: listed(&loaded.options),
            faces: loaded.named_faces().into_iter().map(|(face, name)| NamedFace { face, name }).collect(),
            summary: summary(&loaded),
        })
    }
}

/// Stores a script under a name.
///
/// # Errors
/// If the name is not allowed, the script is too large, or too many scripts are stored.
fn take(store: &mut Store, name: &str, text: &str) -> Result<(), RpcError> {
    if !name.ends_with(library::ENDING) {
        return Err(RpcError::new(
            INVALID_PARAMS,
            format!("name: the name of a script must end in {}", library::ENDING),
        )
        .with("field", "name"));
    }
    check_size(text)?;
    match store.variants.give(name, text) {
        true => Ok(()),
        false => Err(RpcError::new(TOO_LARGE, "too many scripts are stored: replace one by using its name")),
    }
}

/// The parameters of `source`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct SourceParameters {
    variant: VariantName,
}

/// A script.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScriptText {
    /// The text of the script.
    text: String,
}

pub(super) struct ScriptSource;

impl Declared for ScriptSource {
    const NAME: &'static str = "source";
    const ABOUT: &'static str = "Returns the script of a variant as text.";
    const EXAMPLE: &'static str = include_str!("examples/source.json");
    type Parameters = SourceParameters;
    type Answer = ScriptText;

    fn answer(store: &mut Store, asked: SourceParameters) -> Result<ScriptText, RpcError> {
        let name = &asked.variant.0;
        let source = store.variants.source(name).map_err(|error| load_error(name, &error))?;
        Ok(ScriptText { text: source.text })
    }
}

/// The parameters of `check`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct CheckParameters {
    /// The whole text of the script to check; by default, the script of `variant`.
    text: Option<Text>,
    /// With `text`, the name that messages use for the script; without `text`, the script to check.
    variant: Option<VariantName>,
    options: Option<Options>,
}

/// The problems of a script.
#[derive(Serialize, JsonSchema)]
pub(super) struct Checked {
    /// The problems, in the form of `astragal check --json`: `severity`, `message`, `help`, `line`, `column`,
    /// `end_column`, `span`, `fix` ([docs/check.md](check.md)).
    diagnostics: Vec<DiagnosticData>,
}

pub(super) struct Check;

impl Declared for Check {
    const NAME: &'static str = "check";
    const ABOUT: &'static str = "Checks a script, and reports its problems.";
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

/// Checks that a text is not too large for a script.
///
/// # Errors
/// If it is larger than the limit for script files.
pub(super) fn check_size(text: &str) -> Result<(), RpcError> {
    let most = library::MAX_FILE;
    match text.len() as u64 > most {
        false => Ok(()),
        true => {
            let error = RpcError::new(TOO_LARGE, format!("text: a script can have at most {most} bytes"));
            Err(error.with("field", "text").with("limit", most))
        }
    }
}
