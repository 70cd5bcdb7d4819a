//! A row: the documentation and the implementation of a function that scripts can call.
//!
//! The functions of the interpreter, the reference, the definition file for editors, and the checker's knowledge of
//! functions are made from rows. A row states facts and does not depend on their readers. Invariant: the ways to call a
//! function and its kinds of values come from the Rust types of its body, so they always match it.

use super::param::{Bodied, Body, OptionKey};
use crate::host::kind::{ParamKind, ValueKind};

/// A text of a row on one line.
pub(crate) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cost of a call.
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

    /// The explanation of the word.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Cost::Declaration => "runs once, when the script is loaded",
            Cost::Value => "creates a value without asking about the position",
            Cost::Question => "asks about the position; the rule's tree has a branch for each answer",
            Cost::Search => "finds squares and keeps them; the tree does not branch",
            Cost::Chance => "rolls dice or draws at random; the tree has a branch for each outcome that the rule sees",
            Cost::Decision => "lets a player decide; the tree has a branch for each kind of answer",
            Cost::Effect => "changes the game; the tree does not branch",
        }
    }
}

/// Properties of a function beyond its signature, for code that analyzes scripts without running them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// It ends the game with a winner.
    Wins,
    /// It ends the game without one.
    Draws,
    /// It takes a side out of the game, which may end it.
    Eliminates,
    /// It removes sides from the turn order, or returns them.
    ChangesOrder,
    /// It makes it another side's turn, or generates moves of another side.
    ChangesTurn,
    /// It names the side with the next turn.
    NamesNext,
    /// The player may decline to move.
    MayPass,
    /// It places pieces where they cannot move on their own.
    PlacesPieces,
    /// It is about pieces in hand.
    UsesHands,
    /// It is about stacked pieces.
    UsesHeaps,
    /// It adds to a counter or a trait.
    Fills,
    /// It takes pieces off the board.
    Removes,
    /// A royal can leave the board or change sides through it, although no move can capture a royal.
    LosesRoyals,
    /// It takes dice out of a pool.
    Spends,
    /// It offers the dice that a pool holds.
    OffersHeld,
    /// It permits moves that pieces can make on their own.
    OwnMoves,
    /// It permits moves along tracks.
    AlongTracks,
    /// It permits castling.
    PermitsCastling,
    /// It permits moves that may look like castling, but not castling.
    OmitsCastling,
    /// Its answer can depend on whether a royal is left.
    TellsOfRoyals,
    /// It names a move and does not make it.
    NamesMoves,
    /// It describes the turn in its own words or in given ones, and replaces any earlier description.
    SaysWhatHappens,
    /// It sets how many points a game is worth.
    AwardsPoints,
    /// It counts how often a position has occurred.
    CountsRepetitions,
    /// It counts the moves since the last capture.
    CountsQuietMoves,
    /// It declares the base of all other declarations.
    GivesGround,
    /// It finds squares by the location of pieces of any side, so moves of the same turn change its result.
    FindsByPieces,
    /// It combines sets into a set and uses nothing else.
    OfSets,
}

/// Where an example is placed.
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
    /// An introduction to all of its rows; may be empty.
    pub(crate) intro: &'static str,
    /// Its rows.
    pub(crate) rows: Vec<Row>,
}

/// A function with all its forms. One row describes several functions only for properties of one value and for
/// comparisons.
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
    /// Its form in signatures: `pieces`, `|`, `square.kind`, `cast[]`.
    pub(crate) name: &'static str,
    pub(crate) forms: Vec<Form>,
    pub(crate) facts: &'static [Fact],
    /// Whether it was added after scripts were in use: a script may define a function of that name.
    pub(crate) newer: bool,
}

/// One way of calling a function.
pub(crate) struct Form {
    /// The parameters; for a property, the value that has it.
    pub(crate) params: Vec<Parameter>,
    /// The kinds of values that it can return.
    pub(crate) results: &'static [ValueKind],
    pub(crate) body: Box<dyn Bodied>,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    /// Its name in signatures.
    pub(crate) name: &'static str,
    /// The kind of argument.
    pub(crate) kind: ParamKind,
    /// Whether it may be left out.
    pub(crate) optional: bool,
}

/// Starts a row with a function: `pieces`, an operator such as `|`, a property such as `square.kind` (of the type before
/// the dot), or an index such as `cast[]`.
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
    /// Describes the functions. In all texts of a row, line breaks count as spaces.
    pub(super) fn about(mut self, about: &'static str) -> Row {
        self.about = about;
        self
    }

    /// Describes what a call requires. A call that does not meet the requirements is an error.
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

    /// The keys for the options parameter of the forms.
    pub(super) fn options(mut self, options: &'static [OptionKey]) -> Row {
        self.options = options;
        self
    }

    /// Adds another function to the row.
    pub(super) fn also(mut self, name: &'static str) -> Row {
        self.functions.push(Function { name, forms: Vec::new(), facts: &[], newer: false });
        self
    }

    /// Marks the function named last as added after scripts were in use.
    pub(super) fn newer(mut self) -> Row {
        self.last().newer = true;
        self
    }

    /// The facts about the function named last.
    pub(super) fn facts(mut self, facts: &'static [Fact]) -> Row {
        self.last().facts = facts;
        self
    }

    /// A form of the function named last: the names of its parameters, and its body, which defines their kinds.
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
