//! What has failed, as the program tells it: a rule of a script with its line and what to do, all else in one line.

use super::{Failure, args, input, theme};
use crate::rule_error::OfRule;
use astragal_dsl::{Layout, Loaded, blame};
use console::Term;
use std::io::{self, IsTerminal};

/// How mistakes of scripts are laid out on standard error.
pub(super) fn layout() -> Layout {
    theme::laid_out(theme::color(args::Color::Auto, io::stderr().is_terminal()), &Term::stderr())
}

/// What has failed with a loaded variant: a rule, as `check` shows it, or something else.
pub(super) fn of_rule<E: OfRule>(loaded: &Loaded) -> impl Fn(E) -> Failure {
    move |error| match error.rule().filter(|rule| !rule.is_stop()) {
        Some(rule) => input(blame(loaded, None, rule).render(layout())),
        None => input(error),
    }
}
