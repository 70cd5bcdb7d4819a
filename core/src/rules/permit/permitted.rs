//! The permit of a decision about one move, with its mask. The mask is computed when the rule's tree grows, since a game
//! reaches the same decision again and again.

use super::Permit;
use crate::movegen::{self, Draw, Drawn, Filter, Safety};
use crate::position::moves::Move;
use crate::rules::error::RuleError;
use crate::rules::meter::SEARCH;
use crate::rules::movement;
use crate::rules::value::View;
use std::ops::Deref;

/// A permit, prepared for frequent use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Permitted {
    permit: Permit,
    /// The mask, if masks express the whole permit. Boxed, since most steps of rules are something else.
    filter: Option<Box<Filter>>,
}

impl From<Permit> for Permitted {
    fn from(permit: Permit) -> Permitted {
        Permitted { filter: permit.exact().map(Box::new), permit }
    }
}

impl Deref for Permitted {
    type Target = Permit;

    fn deref(&self) -> &Permit {
        &self.permit
    }
}

impl Permitted {
    /// [`Permit::exists`].
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub fn exists(&self, view: &View<'_>) -> Result<bool, RuleError> {
        let Some(filter) = self.filter.as_ref().filter(|_| !movement::is_ruled(view)) else {
            return self.permit.exists(view);
        };
        view.rules.meter().add(SEARCH);
        Ok(movegen::has_move(view.variant, view.position, view.position.side(), Safety::Policy, **filter))
    }

    /// [`Permit::draw_among`].
    ///
    /// # Errors
    /// If a rule that the permit consults fails.
    pub(crate) fn draw_among(&self, view: &View<'_>, draw: &mut Draw<'_>) -> Result<Option<Drawn<Move>>, RuleError> {
        let Some(filter) = self.filter.as_ref().filter(|_| !movement::is_ruled(view)) else {
            return self.permit.draw_among(view, draw);
        };
        view.rules.meter().add(SEARCH);
        Ok(movegen::draw_among(view.variant, view.position, view.position.side(), Safety::Policy, **filter, draw))
    }
}
