//! The functions of a script with their bodies, for passes that trace execution.

use crate::host::walk::walk_script;
use rhai::{AST, ASTNode, Position, StmtBlock};

/// A function of the script, including anonymous ones.
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) params: Vec<String>,
    pub(super) body: StmtBlock,
}

/// All functions of a script, by name and number of parameters.
pub(super) fn definitions(ast: &AST) -> Vec<Definition> {
    let functions = ast.iter_functions();
    let mut all: Vec<(String, Vec<String>)> =
        functions.map(|f| (f.name.to_string(), f.params.iter().map(ToString::to_string).collect())).collect();
    all.sort();
    all.into_iter()
        .map(|(name, params)| {
            let mut only = ast.clone_functions_only();
            only.retain_functions(|_, _, n, k| n == name && k == params.len());
            let mut statements = Vec::new();
            walk_script(&only, &mut |path| {
                if let [ASTNode::Stmt(statement)] = path {
                    statements.push((*statement).clone());
                }
                true
            });
            Definition { name, params, body: StmtBlock::new(statements, Position::NONE, Position::NONE) }
        })
        .collect()
}

/// The function with that name and number of parameters.
pub(super) fn own_function<'f>(functions: &'f [Definition], name: &str, params: usize) -> Option<&'f Definition> {
    functions.iter().find(|def| def.name == name && def.params.len() == params)
}
