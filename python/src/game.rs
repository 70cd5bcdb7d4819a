//! A game with its rules, and the operations on a game as a whole.

use crate::shared::Shared;
use crate::{convert, errors};
use astragal_dsl::library;
use astragal_dsl::{Code, Source};
use astragal_lab::solve::table::{Table, TableError};
use astragal_service::encoding::{Actions, Observation};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A game with its rules and options. Any number of threads can play it at the same time.
#[pyclass(module = "astragal", frozen)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) shared: Arc<Shared>,
}

/// A problem that `check` found, or a note.
#[pyclass(module = "astragal", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    severity: &'static str,
    code: Option<&'static str>,
    message: String,
    help: Option<String>,
    line: usize,
    column: usize,
    end_column: usize,
    report: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.report
    }

    fn __repr__(&self) -> String {
        format!("Diagnostic({}:{}: {}: {:?})", self.line, self.column, self.severity, self.message)
    }
}

type Options = BTreeMap<String, String>;

/// The function that pickle calls, and its arguments: name, options, script, and the files of tables.
type Remade<'py> = (Bound<'py, PyAny>, (String, Bound<'py, PyDict>, String, Vec<PathBuf>));

fn given(options: Option<Options>) -> Vec<(String, String)> {
    options.unwrap_or_default().into_iter().collect()
}

fn source(py: Python<'_>, name: Option<&str>, text: Option<String>) -> PyResult<Source> {
    match (name, text) {
        (name, Some(text)) => Ok(Source { name: name.unwrap_or("script").into(), path: None, text }),
        (Some(name), None) => library::resolve(name).map_err(|error| errors::of_load(py, &error)),
        (None, None) => Err(errors::value("pass a game: a name or path, or text=.. for a script")),
    }
}

pub(crate) fn loaded(py: Python<'_>, source: &Source, options: &[(String, String)]) -> PyResult<Game> {
    let loaded = py.detach(|| astragal_dsl::load(source, options)).map_err(|error| errors::of_load(py, &error))?;
    let variant = &loaded.set.variant;
    let (actions, observation) = (Actions::new(variant), Observation::new(variant));
    Ok(Game { shared: Arc::new(Shared::new(loaded, actions, observation)) })
}

/// Loads a game: a built-in one by name, or a script from a path or a text.
#[pyfunction]
#[pyo3(signature = (name=None, options=None, *, text=None))]
pub(crate) fn load(
    py: Python<'_>,
    #[pyo3(from_py_with = name_or_path)] name: Option<String>,
    #[pyo3(from_py_with = options_given)] options: Option<Options>,
    text: Option<String>,
) -> PyResult<Game> {
    loaded(py, &source(py, name.as_deref(), text)?, &given(options))
}

/// The name of a game, or the path of its script, as a string or a path object.
fn name_or_path(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(name) = value.extract::<String>() {
        return Ok(Some(name));
    }
    let fits = |path: &Bound<'_, PyAny>| path.extract::<String>().ok();
    let path = value.py().import("os")?.call_method1("fspath", (value,)).ok().as_ref().and_then(fits);
    let kind = value.get_type();
    let path = path.ok_or_else(|| errors::value(format!("the game must be a string or a path, not {kind}")))?;
    // A path is no name of a game that comes along, even if it looks like one.
    Ok(Some(if path.contains(['/', '\\']) { path } else { format!("./{path}") }))
}

/// Options by name, as strings; numbers, True and False are written as in scripts.
fn options_given(value: &Bound<'_, PyAny>) -> PyResult<Option<Options>> {
    if value.is_none() {
        return Ok(None);
    }
    let mut options = Options::new();
    for item in value.call_method0("items")?.try_iter()? {
        let (name, chosen): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
        let text = match (chosen.extract::<String>(), chosen.extract::<bool>()) {
            (Ok(text), _) => Some(text),
            (_, Ok(truth)) => Some(truth.to_string()),
            _ => chosen.extract::<i64>().ok().map(|number| number.to_string()),
        };
        let kind = chosen.get_type();
        let wrong = || errors::value(format!("the option {name} must be a string, a number or a bool, not {kind}"));
        options.insert(name.extract()?, text.ok_or_else(wrong)?);
    }
    Ok(Some(options))
}

/// The names of the built-in games.
#[pyfunction]
pub(crate) fn names() -> Vec<&'static str> {
    library::names()
}

/// Checks a script and returns its problems.
#[pyfunction]
#[pyo3(signature = (text, *, name="script", options=None))]
pub(crate) fn check(
    py: Python<'_>,
    text: String,
    name: &str,
    #[pyo3(from_py_with = options_given)] options: Option<Options>,
) -> Vec<Diagnostic> {
    let source = Source { name: name.into(), path: None, text };
    let options = given(options);
    let found = py.detach(|| astragal_dsl::check_under(&source, &options));
    let diagnostic = |one: astragal_dsl::Diagnostic| Diagnostic {
        severity: one.severity.name(),
        code: one.code.map(Code::name),
        report: one.render(false),
        line: one.line,
        column: one.column,
        end_column: one.column + one.length,
        message: one.message,
        help: one.help,
    };
    found.into_iter().map(diagnostic).collect()
}

#[pymethods]
impl Game {
    #[getter]
    fn name(&self) -> &str {
        &self.shared.loaded.name
    }

    #[getter]
    fn title(&self) -> &str {
        &self.shared.loaded.title
    }

    #[getter]
    fn script(&self) -> &str {
        &self.shared.loaded.source.text
    }

    #[getter]
    fn options(&self) -> BTreeMap<&str, &str> {
        self.shared.loaded.options.iter().map(|option| (option.name.as_str(), option.chosen.as_str())).collect()
    }

    #[getter]
    fn players(&self) -> Vec<&str> {
        self.shared.loaded.set.variant.spec().sides.iter().map(|side| side.name.as_str()).collect()
    }

    #[getter]
    fn observation_planes(&self) -> Vec<String> {
        self.shared.observation.planes().to_vec()
    }

    fn num_players(&self) -> usize {
        self.shared.sides()
    }

    fn num_distinct_actions(&self) -> usize {
        self.shared.actions.count()
    }

    fn observation_tensor_shape(&self) -> [usize; 3] {
        self.shared.observation.shape()
    }

    fn rules(&self) -> String {
        astragal_service::leaflet(&self.shared.loaded)
    }

    #[pyo3(signature = (*files))]
    fn with_tables(&self, py: Python<'_>, files: Vec<PathBuf>) -> PyResult<Game> {
        let Shared { loaded, actions, observation, tables, files: before, .. } = &*self.shared;
        let mut shared = Shared::new(loaded.clone(), actions.clone(), observation.clone());
        (shared.tables, shared.files) = (tables.clone(), [&before[..], &files[..]].concat());
        for file in &files {
            let table = py.detach(|| Table::open(file).and_then(|table| table.check(loaded).map(|()| table)));
            let wrong = |why: TableError| match why {
                TableError::File(why) => errors::io(format!("{}: {why}", file.display())),
                why => errors::value(format!("{}: {why}", file.display())),
            };
            shared.tables.add(table.map_err(wrong)?);
        }
        Ok(Game { shared: Arc::new(shared) })
    }

    #[pyo3(signature = (games=10))]
    fn digest(&self, py: Python<'_>, #[pyo3(from_py_with = convert::whole)] games: u64) -> PyResult<String> {
        let digest = py.detach(|| astragal_service::digest::of_games(&self.shared.loaded, games));
        digest.map_err(|error| errors::of_game(py, &error))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Remade<'py>> {
        let options = PyDict::new(py);
        for (name, value) in self.chosen() {
            options.set_item(name, value)?;
        }
        let restore = py.import("astragal")?.getattr("_restore_game")?;
        Ok((restore, (self.name().into(), options, self.script().into(), self.shared.files.clone())))
    }

    fn __repr__(&self) -> String {
        format!("astragal.load({:?})", self.name())
    }
}

impl Game {
    pub(crate) fn source(&self) -> Source {
        self.shared.loaded.source.clone()
    }

    /// The options that differ from their defaults.
    pub(crate) fn chosen(&self) -> Vec<(String, String)> {
        let options = self.shared.loaded.options.iter().filter(|option| option.chosen != option.default);
        options.map(|option| (option.name.clone(), option.chosen.clone())).collect()
    }
}
