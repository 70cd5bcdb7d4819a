//! Lists of which the dice never come to the end: a die with too few faces, or an entry too many.

use super::known::{Known, Origin};
use super::{Place, Walker, start};
use crate::diagnostic::Code;
use rhai::Expr;
use std::collections::BTreeMap;

/// By the name of a constant: how its entries are asked for, each with the greatest number that comes up, if that is known
/// and comes from dice, and where.
pub(super) type Asked = BTreeMap<String, Vec<(Option<i64>, Place, String)>>;

impl Walker<'_> {
    /// Notes that an entry of a constant is asked for.
    pub(super) fn entry_asked(&mut self, of: &Expr, index: &Expr, at: &Known) {
        let Expr::Variable(list, ..) = of else { return };
        if self.constants.iter().any(|(name, _)| *name == list.1.as_str()) {
            let from_dice = matches!(at.origin, Some(Origin::Dice(_))) || at.sure.is_some() || at.outer.is_some();
            let dice = at.range.or(at.outer).filter(|_| from_dice);
            let asked = (dice.map(|(_, most)| most), start(index), self.source(index));
            self.entries_asked.entry(list.1.to_string()).or_default().push(asked);
        }
    }

    /// Complains of lists that are asked by dice alone, which never show their last entries.
    pub(super) fn never_to_their_end(&mut self) {
        for (name, asked) in std::mem::take(&mut self.entries_asked) {
            let Some((_, list)) = self.constants.iter().find(|(known, _)| *known == name) else { continue };
            let (length, written) = (list.items.len() as i64, list.is_written());
            let named = self.tokens.iter().filter(|token| token.is(&name)).count();
            let most = asked.iter().map(|(most, ..)| *most).collect::<Option<Vec<i64>>>();
            let Some(most) = most.and_then(|all| all.into_iter().max()) else { continue };
            // Other uses of the list may need what the dice do not.
            if !written || named != asked.len() + 1 || most < 1 || most + 1 >= length {
                continue;
            }
            let (_, at, source) = &asked[0];
            let message =
                format!("`{source}` is {most} at most: of the {length} entries of `{name}` the last never comes up");
            let help = format!("a die with {length} faces is `1d{length}`; or take out what is too much in `{name}`");
            self.warn(Code::Index, *at, message, help);
        }
    }
}
