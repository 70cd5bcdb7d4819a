//! The data that all states of a game share, computed when they are first needed.

use crate::errors;
use astragal_computer::Evaluation;
use astragal_computer::learned::{Features, LearnedValues};
use astragal_core::Game as Played;
use astragal_core::rule::RuleError;
use astragal_dsl::notation::fen;
use astragal_dsl::{Loaded, masked, view};
use astragal_lab::learning::{self, LearnError};
use astragal_lab::solve::table::Tables;
use astragal_service::encoding::{Actions, Observation};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The data that all states of a game share.
pub(crate) struct Shared {
    pub(crate) loaded: Loaded,
    pub(crate) actions: Actions,
    pub(crate) observation: Observation,
    /// Exact values of some states.
    pub(crate) tables: Tables,
    /// The files of the tables.
    pub(crate) files: Vec<PathBuf>,
    /// The data of the built-in players; computed on first use.
    evaluation: OnceLock<Arc<Evaluation>>,
    /// The features of positions, and the levels of results in half points; computed on first use.
    features: OnceLock<Features>,
    levels: OnceLock<Vec<i32>>,
    /// The learned player that was used last, with the bytes of its file.
    learned: Mutex<Option<(Vec<u8>, Arc<LearnedValues>)>>,
}

impl Shared {
    pub(crate) fn new(loaded: Loaded, actions: Actions, observation: Observation) -> Shared {
        Shared {
            loaded,
            actions,
            observation,
            tables: Tables::default(),
            files: Vec::new(),
            evaluation: OnceLock::new(),
            features: OnceLock::new(),
            levels: OnceLock::new(),
            learned: Mutex::default(),
        }
    }

    /// The data of the built-in players, computed once, which can take a second.
    pub(crate) fn evaluation(&self) -> Result<Arc<Evaluation>, RuleError> {
        if let Some(evaluation) = self.evaluation.get() {
            return Ok(Arc::clone(evaluation));
        }
        let evaluation = Arc::new(self.tables.evaluation(&self.loaded)?);
        // Two threads may learn at once: they learn the same.
        Ok(Arc::clone(self.evaluation.get_or_init(|| evaluation)))
    }

    /// The learned evaluation in a file; without a file, the one that comes with the variant.
    pub(crate) fn learned(&self, file: Option<&str>) -> Result<Arc<LearnedValues>, String> {
        let Some(file) = file else { return learning::file::shipped(&self.loaded).map(Arc::new) };
        let bytes = learning::file::bytes(Path::new(file))?;
        let mut last = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, values)) = last.as_ref().filter(|(known, _)| *known == bytes) {
            return Ok(Arc::clone(values));
        }
        let (_, values) = learning::file::read(&bytes, &self.loaded).map_err(|error| error.to_string())?;
        let values = Arc::new(values);
        *last = Some((bytes, Arc::clone(&values)));
        Ok(values)
    }

    /// The features of positions. Games that hide information have none.
    pub(crate) fn features(&self, py: Python<'_>) -> PyResult<&Features> {
        if view::can_hide(&self.loaded) {
            return Err(errors::of_learn(py, &LearnError::Secret));
        }
        Ok(py.detach(|| self.features.get_or_init(|| learning::features(&self.loaded))))
    }

    /// The levels of results in half points, as a training with the default seed finds them.
    pub(crate) fn levels(&self, py: Python<'_>) -> PyResult<&[i32]> {
        if let Some(levels) = self.levels.get() {
            return Ok(levels);
        }
        let start = self.begin(py, None, 0)?.state().clone();
        let seed = learning::Setting::default().seed;
        let levels = py.detach(move || learning::result_levels(&start, seed));
        let levels = levels.map_err(|error| errors::of_rule(py, &error))?;
        Ok(self.levels.get_or_init(|| levels))
    }

    /// The number of outputs of a network with these levels.
    pub(crate) fn outputs(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(LearnedValues::outputs_for(self.levels(py)?.len(), self.sides()))
    }

    /// Starts a game, from the start or from a position.
    pub(crate) fn begin(&self, py: Python<'_>, position: Option<&str>, seed: u64) -> PyResult<Played> {
        let loaded = &self.loaded;
        match position {
            None => Played::new(Arc::clone(&loaded.set), loaded.start.clone(), seed)
                .map_err(|error| errors::of_rule(py, &error)),
            Some(text) => {
                let wrong = |error: String| errors::PositionError::new_err(error);
                let placed = fen::parse(&loaded.set.variant, text).map_err(|error| wrong(error.to_string()))?;
                masked::begin(loaded, placed, seed).map_err(wrong)
            }
        }
    }

    pub(crate) fn sides(&self) -> usize {
        self.loaded.set.variant.sides()
    }
}
