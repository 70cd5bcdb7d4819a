//! Code that depends on the options of a script: finds the code that needs other values than the chosen ones.
//!
//! Owns the set of conditions that options alone decide, and the branches taken there. It evaluates nothing: the branch
//! that ran is the one that the options lead to, so the others wait. When unsure, it counts code as not waiting.

use crate::host::walk::{walk_expression, walk_script, walk_statement};
use crate::node_place::{LineColumn, part};
use rhai::{AST, ASTFlags, ASTNode, Expr, Position, Stmt, StmtBlock};
use std::collections::{BTreeMap, BTreeSet};

type Places = BTreeSet<LineColumn>;

/// A place where options alone decide which branch runs.
#[derive(Clone, Debug)]
struct Fork {
    /// The place that runs whenever the fork is reached.
    at: LineColumn,
    /// The parts of the condition that options do not decide. If any of them has run, the options did not decide alone.
    asked: Places,
    /// The branches.
    ways: Vec<Places>,
}

/// A function of the script, and the places that call it.
#[derive(Clone, Debug)]
struct Function {
    places: Places,
    calls: Places,
}

/// The code of a script that depends on its options.
#[derive(Clone, Debug, Default)]
pub(crate) struct OptionalCode {
    forks: Vec<Fork>,
    functions: Vec<Function>,
}

impl OptionalCode {
    /// Finds such code; `all` contains the places of the script that can run.
    pub(crate) fn survey<'a>(ast: &AST, all: impl Iterator<Item = &'a LineColumn> + Clone) -> OptionalCode {
        let constants = Constants::of(ast);
        let within = |start: LineColumn, end: LineColumn| -> Places {
            all.clone().filter(|place| (start..=end).contains(*place)).copied().collect()
        };
        let bodies: Vec<(String, LineColumn, LineColumn)> = ast
            .iter_fn_def()
            .filter_map(|def| {
                let (start, end) = (line_column(def.body.start_position())?, line_column(def.body.end_position())?);
                Some((def.name.to_string(), start, end))
            })
            .collect();
        let (mut forks, mut calls) = (Vec::new(), BTreeMap::<String, Places>::new());
        walk_script(ast, &mut |path| {
            if let Some(ASTNode::Expr(Expr::FnCall(call, at))) = path.last() {
                calls.entry(call.name.to_string()).or_default().extend(line_column(*at));
            }
            if let Some(at) = path.iter().rev().find_map(part) {
                forks.extend(path.last().and_then(|node| constants.fork(node, at, &within)));
            }
            if let [ASTNode::Stmt(statement)] = path {
                forks.extend(constants.way_out(statement, |from| {
                    let body = bodies.iter().find(|(_, start, end)| (start..=end).contains(&&from));
                    body.map_or(Places::new(), |(.., end)| within(from, *end))
                }));
            }
            true
        });
        let function = |(name, start, end): &(String, LineColumn, LineColumn)| {
            Some(Function { places: within(*start, *end), calls: calls.get(name).cloned()? })
        };
        OptionalCode { functions: bodies.iter().filter_map(function).collect(), forks }
    }

    /// The places that the options keep from running, judged by the visited places.
    pub(crate) fn waiting(&self, visited: &Places) -> Places {
        let is_new = |places: &Places| places.is_disjoint(visited);
        let decided = self.forks.iter().filter(|fork| visited.contains(&fork.at) && is_new(&fork.asked));
        let mut waiting: Places =
            decided.flat_map(|fork| &fork.ways).filter(|way| is_new(way)).flatten().copied().collect();
        // Functions called only from waiting code wait, too.
        loop {
            let idle = |function: &&Function| is_new(&function.places) && function.calls.is_subset(&waiting);
            let more: Places = self.functions.iter().filter(idle).flat_map(|f| &f.places).copied().collect();
            if more.is_subset(&waiting) {
                return waiting;
            }
            waiting.extend(more);
        }
    }
}

/// The constants of a script's top level.
struct Constants {
    all: BTreeSet<String>,
    /// The constants that hold options, or values that depend on options.
    options: BTreeSet<String>,
}

impl Constants {
    fn of(ast: &AST) -> Constants {
        let mut found = Constants { all: BTreeSet::new(), options: BTreeSet::new() };
        for statement in ast.statements() {
            let Stmt::Var(var, flags, _) = statement else { continue };
            if !flags.intersects(ASTFlags::CONSTANT) {
                continue;
            }
            let (name, value) = (var.0.name.to_string(), &var.1);
            let is_option = matches!(value, Expr::FnCall(call, _) if call.name == "option");
            if is_option || found.mentions(value) {
                found.options.insert(name.clone());
            }
            found.all.insert(name);
        }
        found
    }

    fn mentions(&self, expression: &Expr) -> bool {
        let mut found = false;
        walk_expression(expression, &mut |path| {
            found |= matches!(path.last(), Some(ASTNode::Expr(Expr::Variable(x, ..))) if self.options.contains(&*x.1));
            true
        });
        found
    }

    /// Whether an expression consists of constants.
    fn is_constant(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Variable(x, ..) => self.all.contains(&*x.1),
            Expr::FnCall(call, _) => call.op_token.is_some() && call.args.iter().all(|arg| self.is_constant(arg)),
            Expr::And(parts, _) | Expr::Or(parts, _) => parts.iter().all(|part| self.is_constant(part)),
            Expr::Array(parts, _) => parts.iter().all(|part| self.is_constant(part)),
            other => other.is_constant(),
        }
    }

    /// Whether options can decide an expression. Returns the places of other questions in it, which the options may make
    /// unnecessary.
    fn decided(&self, condition: &Expr) -> Option<Places> {
        let is_decided = |expression: &Expr| self.is_constant(expression) && self.mentions(expression);
        match condition {
            decided if is_decided(decided) => Some(Places::new()),
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                let (_, rest) = parts.split_first().filter(|(first, _)| is_decided(first))?;
                let asked: Vec<Places> = rest.iter().map(places_of).collect();
                // A question without places to visit may have been asked.
                (!asked.iter().any(Places::is_empty)).then(|| asked.into_iter().flatten().collect())
            }
            _ => None,
        }
    }

    /// The fork at a node, if there is one; `within` returns the places between two positions. If a condition also asks for
    /// other things, a branch that never ran may be one that the options exclude.
    fn fork(&self, node: &ASTNode, at: LineColumn, within: &impl Fn(LineColumn, LineColumn) -> Places) -> Option<Fork> {
        // The syntax tree stores closures separately, but their text is inside the block.
        let inside = |block: &StmtBlock| {
            let ends = line_column(block.position()).zip(line_column(block.end_position()));
            let mut places = ends.map_or(Places::new(), |(start, end)| within(start, end));
            places.extend(block.iter().flat_map(places_in));
            places
        };
        let ways = match node {
            ASTNode::Stmt(Stmt::If(parts, _)) if self.mentions(&parts.expr) => {
                [&parts.body, &parts.branch].map(inside).into()
            }
            ASTNode::Stmt(Stmt::Switch(parts, _)) if self.mentions(&parts.0) => {
                parts.1.expressions.iter().map(|case| places_of(&case.rhs)).collect()
            }
            ASTNode::Expr(whole @ (Expr::And(..) | Expr::Or(..))) => {
                vec![self.decided(whole).filter(|asked| !asked.is_empty())?]
            }
            _ => return None,
        };
        Some(Fork { at, asked: Places::new(), ways })
    }

    /// The fork at a condition that options decide and whose branches may leave the function. `rest` returns the places
    /// that can run from a place to the end of the function.
    fn way_out(&self, statement: &Stmt, rest: impl Fn(LineColumn) -> Places) -> Option<Fork> {
        let Stmt::If(parts, at) = statement else { return None };
        let leaves = matches!(parts.body.iter().last(), Some(Stmt::Return(..)));
        let asked = self.decided(&parts.expr).filter(|_| leaves && parts.branch.is_empty())?;
        let body = parts.body.iter().flat_map(places_in).collect();
        let rest = rest(line_column(parts.body.end_position())?);
        Some(Fork { at: line_column(*at)?, asked, ways: vec![body, rest] })
    }
}

fn places_in(statement: &Stmt) -> Places {
    let mut places = Places::new();
    walk_statement(statement, &mut |path| {
        places.extend(path.last().and_then(part));
        true
    });
    places
}

fn places_of(expression: &Expr) -> Places {
    let mut places = Places::new();
    walk_expression(expression, &mut |path| {
        places.extend(path.last().and_then(part));
        true
    });
    places
}

fn line_column(at: Position) -> Option<LineColumn> {
    Some((at.line()?, at.position().unwrap_or(1)))
}
