//! Columns that are aligned over several lines, as the author wrote them.
//!
//! A cell is an item that does not begin a line. Cells are aligned if they begin in the same column of neighboring
//! lines within the same bracket, and numbers also if they end in the same column. A column is kept only if at least
//! one cell is padded with more spaces than usual.

use super::indent::Nesting;
use super::items::{Item, Items, Kind};
use super::spacing::Role;
use astragal_dsl::syntax::Sort;
use std::collections::{BTreeMap, HashMap};

/// Items that stay in one column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Group {
    /// The items, in order.
    pub(super) members: Vec<usize>,
    /// Whether they end in the same column; otherwise, they begin in the same column.
    pub(super) at_end: bool,
    /// The number of spaces before the member that needs the most room.
    pub(super) gap: usize,
}

/// The columns of a script.
pub(super) struct Columns {
    pub(super) groups: Vec<Group>,
    /// For each item, the group that it belongs to.
    pub(super) group_of: Vec<Option<usize>>,
}

/// Finds the columns. `normal` has the number of spaces before each item if nothing is aligned.
pub(super) fn columns(items: &Items<'_>, roles: &[Role], nesting: &Nesting, normal: &[usize]) -> Columns {
    let count = items.all.len();
    let (mut starts, mut ends) = (Links::new(count), Links::new(count));
    let cells = Cells { items, roles, nesting };
    for (above, below) in cells.neighbors() {
        cells.link(above, below, &mut starts, &mut ends);
    }
    let mut columns = Columns { groups: Vec::new(), group_of: vec![None; count] };
    let hanging = cells.hang(&mut starts);
    let is_padded = |item: usize| items.all[item].gap > normal[item];
    for members in ends.sets() {
        let hangs = members.iter().any(|&item| hanging[item]);
        if members.len() > 1 && !hangs && members.iter().any(|&item| is_padded(item)) {
            columns.add(items, members, true);
        }
    }
    for mut members in starts.sets() {
        members.retain(|&item| columns.group_of[item].is_none());
        // Where no space belongs, as before a bracket, spaces form a column only if a neighbor needs the room.
        let is_wide = |item: usize| items.all[item].gap > 1 && normal[item] > 0;
        let is_column = members.iter().any(|&item| is_padded(item))
            && (members.iter().any(|&item| !is_padded(item)) || members.iter().all(|&item| is_wide(item)));
        if members.len() > 1 && (is_column || members.iter().any(|&item| hanging[item])) {
            columns.add(items, members, false);
        }
    }
    for members in cells.line_comments() {
        columns.add(items, members, false);
    }
    columns
}

impl Columns {
    fn add(&mut self, items: &Items<'_>, members: Vec<usize>, at_end: bool) {
        let gaps = members.iter().filter(|&&item| !items.is_first(item)).map(|&item| items.all[item].gap);
        let gap = gaps.min().unwrap_or_default();
        for &item in &members {
            self.group_of[item] = Some(self.groups.len());
        }
        self.groups.push(Group { members, at_end, gap });
    }
}

struct Cells<'a> {
    items: &'a Items<'a>,
    roles: &'a [Role],
    nesting: &'a Nesting,
}

impl Cells<'_> {
    /// Pairs of lines within the same bracket, without a blank line between them: each line with the line before it,
    /// and with the last line that begins with the same word.
    fn neighbors(&self) -> Vec<(usize, usize)> {
        let mut last: HashMap<(Option<usize>, Option<&str>), usize> = HashMap::new();
        let mut pairs = Vec::new();
        for line in 0..self.items.lines.len() {
            let first = self.items.first_token(line).filter(|&token| !self.nesting.is_closing(self.items, token));
            let Some(first) = first.filter(|_| !self.items.lines[line].is_fixed) else { continue };
            let bracket = self.nesting.enclosing[first];
            for key in [(bracket, None), (bracket, Some(self.items.document.word(first)))] {
                let is_near = |above: &usize| self.items.lines[*above].paragraph == self.items.lines[line].paragraph;
                pairs.extend(last.insert(key, line).filter(is_near).map(|above| (above, line)));
            }
        }
        pairs.dedup();
        pairs
    }

    /// Links the aligned cells of two lines.
    fn link(&self, above: usize, below: usize, starts: &mut Links, ends: &mut Links) {
        // Items after a string that spans several lines are not below the rest of its line.
        let is_short = |&item: &usize| !self.items.text(item - 1).contains('\n');
        let cells = |line: usize| self.items.lines[line].items.clone().skip(1).take_while(is_short);
        let mut by_column: Vec<(usize, usize)> = cells(above).map(|item| (self.items.all[item].column, item)).collect();
        let mut by_end: Vec<(usize, usize)> =
            cells(above).filter_map(|item| Some((self.end_of_number(item)?, item))).collect();
        by_column.sort_unstable();
        by_end.sort_unstable();
        for item in cells(below) {
            let other = at_column(&by_column, self.items.all[item].column);
            if let Some(other) = other.filter(|&other| self.are_alike(item, other)) {
                starts.join(item, other);
            }
            let other = self.end_of_number(item).and_then(|end| at_column(&by_end, end));
            if let Some(other) = other.filter(|&other| self.items.all[item].depth == self.items.all[other].depth) {
                ends.join(item, other);
            }
        }
    }

    /// Whether two cells can belong to the same column of a table.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        let items = self.items;
        let (Some(this), Some(that)) = (items.token(one), items.token(other)) else {
            let kinds = [items.all[one].kind, items.all[other].kind];
            return kinds == [Kind::BlockComment; 2];
        };
        // A space between a sign and its number changes the meaning.
        let has_sign = |token: usize| token > 0 && self.roles[token - 1] == Role::Prefix;
        if has_sign(this) || has_sign(that) {
            return false;
        }
        let same_word = items.text(one) == items.text(other) || items.text(one - 1) == items.text(other - 1);
        let follows_value = |token: usize| token > 0 && self.roles[token - 1] == Role::Value;
        let both_values = follows_value(this) && follows_value(that);
        let both_operators = self.roles[this] == Role::Binary && self.roles[that] == Role::Binary;
        items.all[one].depth == items.all[other].depth
            && (same_word || both_operators || both_values && self.roles[this] == self.roles[that])
    }

    /// The column after a number; the item is the number or its sign.
    fn end_of_number(&self, item: usize) -> Option<usize> {
        let items = self.items;
        let is_number = |item: usize| {
            items.token(item).is_some_and(|token| items.document.tokens()[token].sort == Some(Sort::Number))
        };
        let has_sign = |item: usize| items.token(item).is_some_and(|token| self.roles[token] == Role::Prefix);
        let end = |Item { column, span, .. }: &Item| column + span.len();
        let next = item + 1;
        let signed = has_sign(item) && items.all.get(next).is_some_and(|next| next.gap == 0) && is_number(next);
        if signed {
            return (items.all[next].line == items.all[item].line).then(|| end(&items.all[next]));
        }
        (is_number(item) && !has_sign(item - 1)).then(|| end(&items.all[item]))
    }

    /// Links the first item of a line with the first item in the enclosing bracket, if the author aligned them: `f(a,`
    /// above `  b)`. Returns for each item whether it is linked in this way.
    fn hang(&self, starts: &mut Links) -> Vec<bool> {
        let items = self.items;
        let mut hanging = vec![false; items.all.len()];
        for (line, about) in items.lines.iter().enumerate() {
            let first = about.items.start;
            let Some(token) = items.token(first).filter(|&token| !self.nesting.is_closing(items, token)) else {
                continue;
            };
            let open = self.nesting.enclosing[token].filter(|&open| !items.document.is(open, "{"));
            let Some(item) = open.map(|open| items.of_token[open] + 1) else { continue };
            let above = items.all[item].line;
            let fits = above < line && !items.is_first(item) && items.all[item].column == items.all[first].column;
            if fits && !about.is_fixed && !items.lines[above].is_fixed && items.all[item].kind != Kind::LineComment {
                starts.join(first, item);
                (hanging[first], hanging[item]) = (true, true);
            }
        }
        hanging
    }

    /// Comments at the ends of lines, by paragraph and column. A comment on a line of its own belongs to them if it
    /// continues the comment above.
    fn line_comments(&self) -> Vec<Vec<usize>> {
        let mut found: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut above = None;
        for line in &self.items.lines {
            let last = line.items.end - 1;
            let Item { kind, column, .. } = self.items.all[last];
            if line.after_blank {
                above = None;
            }
            let is_own = line.items.len() == 1;
            if kind != Kind::LineComment || line.is_fixed || is_own && above != Some(column) {
                above = None;
                continue;
            }
            found.entry((line.paragraph, column)).or_default().push(last);
            above = Some(column);
        }
        found.into_values().collect()
    }
}

/// The item at a column, among sorted pairs of a column and an item.
fn at_column(cells: &[(usize, usize)], column: usize) -> Option<usize> {
    let found = cells.binary_search_by_key(&column, |&(column, _)| column).ok()?;
    Some(cells[found].1)
}

/// Sets of linked items.
struct Links {
    parents: Vec<usize>,
}

impl Links {
    fn new(count: usize) -> Links {
        Links { parents: (0..count).collect() }
    }

    fn root(&mut self, item: usize) -> usize {
        let mut at = item;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// The sets of more than one item, each in order.
    fn sets(&mut self) -> Vec<Vec<usize>> {
        let (mut sets, mut set_of) = (Vec::new(), vec![None; self.parents.len()]);
        for item in 0..self.parents.len() {
            let root = self.root(item);
            if root == item {
                continue;
            }
            let set = *set_of[root].get_or_insert_with(|| {
                sets.push(vec![root]);
                sets.len() - 1
            });
            sets[set].push(item);
        }
        sets
    }
}
