//! Error messages of the program: a failed rule with its script line and advice, any other error in one line.

use super::{Failure, args, input, theme};
use crate::rule_error::OfRule;
use astragal_dsl::{Layout, Loaded, blame};
use console::Term;
use std::io::{self, IsTerminal};

/// The layout of script errors on standard error.
pub(super) fn layout() -> Layout {
    theme::laid_out(theme::color(args::Color::Auto, io::stderr().is_terminal()), &Term::stderr())
}

/// The failure of a loaded variant: a rule error, rendered as in `check`, or another error.
pub(super) fn of_rule<E: OfRule>(loaded: &Loaded) -> impl Fn(E) -> Failure {
    move |error| match error.rule().filter(|rule| !rule.is_stop()) {
        Some(rule) => input(blame(loaded, None, rule).render(layout())),
        None => input(error),
    }
}
