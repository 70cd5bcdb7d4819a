//! A row: all that is to be said of a function that scripts may call, and what it does.
//!
//! From rows come the functions of the interpreter, the reference, the definition file for editors, and what
//! the checker knows of functions. A row states facts; it never asks who reads them. Invariant: how a function
//! is called, and with which kinds of values, is taken from the Rust types of its body and cannot differ from it.

use super::param::{Bodied, Body, OptionKey};
use crate::host::kind::{ParamKind, ValueKind};

/// What a call costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// It runs once, when the script is loaded.
    Declaration,
    /// It makes a value, without asking the position.
    Value,
    /// It asks the position.
    Question,
    /// It finds squares and holds them.
    Search,
    /// It rolls dice.
    Chance,
    /// A player decides.
    Decision,
    /// It changes the game.
    Effect,
}

impl Cost {
    /// All costs, in the order in which the reference explains them.
    pub(crate) const ALL: [Cost; 7] =
        [Cost::Declaration, Cost::Value, Cost::Question, Cost::Search, Cost::Chance, Cost::Decision, Cost::Effect];

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Cost::Declaration => "declaration",
            Cost::Value => "value",
            Cost::Question => "question",
            Cost::Search => "search",
            Cost::Chance => "chance",
            Cost::Decision => "decision",
            Cost::Effect => "effect",
        }
    }

    /// What the word means.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Cost::Declaration => "runs once, when the script is loaded",
            Cost::Value => "makes a value, without asking the position",
            Cost::Question => "asks the position: the rule's tree has a branch for each answer",
            Cost::Search => "finds squares and keeps them; the tree does not branch",
            Cost::Chance => "dice: the tree has a branch for each outcome that the rule sees",
            Cost::Decision => "a player decides: the tree has a branch for each kind of answer",
            Cost::Effect => "changes the game; the tree does not branch",
        }
    }
}

/// What is true of a function beyond its signature, for those who judge scripts without running them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// It ends the game with a winner.
    Wins,
    /// It ends the game without one.
    Draws,
    /// It takes a side out of the game, which may end it.
    Eliminates,
    /// Sides leave the order of turns by it, or come back.
    ChangesOrder,
    /// It becomes another side's move by it, or moves of another side are looked at.
    ChangesTurn,
    /// It says who has the next turn.
    NamesNext,
    /// The player may decline to move.
    MayPass,
    /// Pieces come by it to where they could not go by themselves.
    PlacesPieces,
    /// It is about pieces in hand.
    UsesHands,
    /// It is about pieces that stand on one another.
    UsesHeaps,
    /// It puts something into a counter or a trait.
    Fills,
    /// It takes pieces off the board.
    Removes,
    /// A royal may leave the board or its side by it, though no move may capture one.
    LosesRoyals,
    /// It takes something out of a pool.
    Spends,
    /// It offers what a pool holds.
    OffersHeld,
    /// It permits moves that pieces can make by themselves.
    OwnMoves,
    /// It permits moves along tracks.
    AlongTracks,
    /// Castling is among what it permits.
    PermitsCastling,
    /// It permits moves that may look like castling, but not castling.
    OmitsCastling,
    /// Its answer may depend on whether a royal is left.
    TellsOfRoyals,
    /// It names a move and does not make it.
    NamesMoves,
    /// It says what happens, in words of its own or those it is given: what was said before is said no more.
    SaysWhatHappens,
    /// It tells how often a position has occurred.
    CountsRepetitions,
    /// It tells how long nothing has been captured.
    CountsQuietMoves,
    /// It declares what all other declarations stand on.
    GivesGround,
    /// It finds squares by where pieces stand, whosesoever: the moves of a turn change them.
    FindsByPieces,
    /// It makes a set of others and of nothing else.
    OfSets,
}

/// Where an example stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExampleContext {
    /// At the top level of a script.
    Top,
    /// In the rule `turn`.
    Turn,
    /// In the rule `capture`.
    Capture,
    /// In the rule `outcome`.
    Outcome,
}

/// Rows about one subject.
pub(crate) struct Chapter {
    /// Its title.
    pub(crate) title: &'static str,
    /// What holds for all of it; may be empty.
    pub(crate) intro: &'static str,
    /// Its rows.
    pub(crate) rows: Vec<Row>,
}

/// A function with all the forms in which it may be called. Only properties of one value, and comparisons, are described
/// several together.
pub(crate) struct Row {
    pub(crate) functions: Vec<Function>,
    pub(crate) cost: Cost,
    pub(crate) about: &'static str,
    pub(crate) errors: &'static str,
    pub(crate) place: ExampleContext,
    pub(crate) example: &'static str,
    pub(crate) options: &'static [OptionKey],
}

/// A function under one name.
pub(crate) struct Function {
    /// As it is written in signatures: `pieces`, `|`, `square.kind`, `cast[]`.
    pub(crate) name: &'static str,
    pub(crate) forms: Vec<Form>,
    pub(crate) facts: &'static [Fact],
    /// Whether it came when games were written already: one of these may have a function of that name.
    pub(crate) newer: bool,
}

/// One way of calling a function.
pub(crate) struct Form {
    /// The parameters; of a property the value that has it.
    pub(crate) params: Vec<Parameter>,
    /// The kinds of values that may come of it.
    pub(crate) results: &'static [ValueKind],
    pub(crate) body: Box<dyn Bodied>,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    /// Its name in signatures.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) kind: ParamKind,
    /// Whether it may be left out.
    pub(crate) optional: bool,
}

/// Begins a row with a function: `pieces`, an operator such as `|`, a property such as `square.kind` (of what the word
/// before the dot names), or what stands in brackets, as `cast[]`.
pub(super) fn row(name: &'static str, cost: Cost) -> Row {
    Row {
        functions: vec![Function { name, forms: Vec::new(), facts: &[], newer: false }],
        cost,
        about: "",
        errors: "",
        place: ExampleContext::Turn,
        example: "",
        options: &[],
    }
}

impl Row {
    /// What the functions do. Here as in all texts of a row, line ends are as good as spaces.
    pub(super) fn about(mut self, about: &'static str) -> Row {
        self.about = about;
        self
    }

    /// What they refuse.
    pub(super) fn errors(mut self, errors: &'static str) -> Row {
        self.errors = errors;
        self
    }

    /// An example in the rule `turn`.
    pub(super) fn example(self, example: &'static str) -> Row {
        self.example_in(ExampleContext::Turn, example)
    }

    /// An example elsewhere.
    pub(super) fn example_in(mut self, place: ExampleContext, example: &'static str) -> Row {
        (self.place, self.example) = (place, example);
        self
    }

    /// The keys that forms with a parameter for options know.
    pub(super) fn options(mut self, options: &'static [OptionKey]) -> Row {
        self.options = options;
        self
    }

    /// Goes on with another function of the row.
    pub(super) fn also(mut self, name: &'static str) -> Row {
        self.functions.push(Function { name, forms: Vec::new(), facts: &[], newer: false });
        self
    }

    /// Says that the function named last came when games were written already.
    pub(super) fn newer(mut self) -> Row {
        self.last().newer = true;
        self
    }

    /// What is true of the function named last.
    pub(super) fn facts(mut self, facts: &'static [Fact]) -> Row {
        self.last().facts = facts;
        self
    }

    /// A form of the function named last: the names of its parameters, and its body, which says their kinds.
    pub(super) fn form<P: 'static, R: 'static, const N: usize>(
        mut self,
        names: [&'static str; N],
        body: impl Body<P, R, N>,
    ) -> Row {
        self.add(&names, &body.params(), body.results(), body.forget());
        self
    }

    /// Adds a form. Apart from `form`, which is compiled for each body.
    fn add(
        &mut self,
        names: &[&'static str],
        kinds: &[(ParamKind, bool)],
        results: &'static [ValueKind],
        body: Box<dyn Bodied>,
    ) {
        let params = names.iter().zip(kinds).map(|(&name, &(kind, optional))| Parameter { name, kind, optional });
        self.last().forms.push(Form { params: params.collect(), results, body });
    }

    fn last(&mut self) -> &mut Function {
        let last = self.functions.len() - 1;
        &mut self.functions[last]
    }
}
