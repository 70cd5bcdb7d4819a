//! Turns a script into a playable variant.

use crate::cells::{self, Need};
use crate::constants::{self, Constant};
use crate::diagnostic::{Code, Diagnostic, LoadError};
use crate::functions::{Fact, is_called};
use crate::host::convert::did_you_mean;
use crate::host::declare::{CastleDecl, Declaration, Later, OptionDef};
use crate::host::rules::ScriptRules;
use crate::host::script::{self, Script};
use crate::host::tokens::tokens;
use crate::library::{self, Source};
use crate::locked::locked;
use crate::notation::fen;
use crate::notation::fen::last_moves::LAST_MOVE;
use crate::printable::tame;
use crate::symmetry::Symmetry;
use astragal_core::position::MOVE_PLACES;
use astragal_core::variant::CounterDef;
use astragal_core::{
    Board, Castle, Hook, Kind, KindMask, MAX_SIDES, Mode, Piece, Position, Rules, Ruleset, Spec, SpecError, Square,
    SquareSet, Variant,
};
use std::sync::{Arc, Mutex};

/// A playable variant.
#[derive(Clone)]
pub struct Loaded {
    /// The script's name: its file's stem.
    pub name: String,
    /// The title shown to people.
    pub title: String,
    /// The text of the script's first comment.
    pub about: String,
    /// Its options, with their current values.
    pub options: Vec<OptionDef>,
    /// The variant and its rules.
    pub set: Arc<Ruleset>,
    /// The starting position.
    pub start: Position,
    /// The letter of each die face (upper case), from face 1, if dice name pieces; else empty.
    pub faces: Vec<String>,
    /// The symmetry between the sides that the script claims, if any.
    pub symmetry: Option<Symmetry>,
    /// The names of the scripts that it imports, directly or not, in order.
    pub imports: Vec<String>,
    /// The constants of the script that are words, numbers, or lists and maps of them.
    pub constants: Vec<(String, Constant)>,
    /// The script.
    pub source: Source,
}

impl Loaded {
    /// The faces of dice that have names, with the names: from the script, or of the piece kinds that the faces stand for.
    pub fn named_faces(&self) -> Vec<(i16, String)> {
        let variant = &self.set.variant;
        let called = &variant.spec().look.faces;
        let kind = |letter: &String| Some(variant.kind(variant.kind_lettered(letter)?).name.clone());
        let kinds = (1..).zip(&self.faces).filter_map(|(face, letter)| Some((face, kind(letter)?)));
        let mut named: Vec<(i16, String)> =
            kinds.filter(|(face, _)| variant.spec().look.face(*face).is_none()).collect();
        named.extend(called.iter().cloned());
        named.sort();
        named
    }
}

/// Makes a variant of a script whose top level has run.
pub(crate) fn finish(script: Script, mode: Mode) -> Result<Loaded, LoadError> {
    finish_with(script, mode, None)
}

/// As [`finish`], with the variants of other loads of the script if there are any.
pub(crate) fn finish_with(script: Script, mode: Mode, known: Option<&Compiled>) -> Result<Loaded, LoadError> {
    let (script, declared) = declare_with(script, known)?;
    let source = script.source.clone();
    let constants = constants::constants(&script.constants());
    let title = declared.variant.spec().title.clone();
    Ok(Loaded {
        name: source.name.clone(),
        title: if title.is_empty() { source.name.clone() } else { title },
        about: source.about(),
        options: declared.options,
        imports: script.imports(),
        start: declared.start.clone(),
        faces: declared.faces,
        symmetry: declared.symmetry,
        constants,
        set: Arc::new(Ruleset {
            variant: declared.variant,
            rules: Rules::new(Box::new(ScriptRules(script))).starting_from(declared.start).with_mode(mode),
        }),
        source,
    })
}

/// The result of a script's declarations.
pub(crate) struct Declared {
    pub variant: Variant,
    pub start: Position,
    pub options: Vec<OptionDef>,
    pub faces: Vec<String>,
    pub symmetry: Option<Symmetry>,
}

/// Builds the variant from the top level's declarations; the script's rules then see the complete variant.
pub(crate) fn declare(script: Script) -> Result<(Script, Declared), LoadError> {
    declare_with(script, None)
}

fn declare_with(script: Script, known: Option<&Compiled>) -> Result<(Script, Declared), LoadError> {
    let mut declaration = std::mem::take(&mut script.host.trace().declaration);
    if let Some(message) = script::bad_option(&declaration) {
        return Err(LoadError::Option(message));
    }
    let blame = Blame::new(&script.source);
    make_printable(&mut declaration);
    resolve_names(&mut declaration).map_err(|(word, message, help)| blame.unknown(&word, message, help))?;
    declaration.spec.track_checks = mentions(&script, "perpetual_checker");
    declaration.spec.counts_repetitions = is_called(Fact::CountsRepetitions, &script.host.trace().calls);
    declaration.spec.ruled_movement = script.has(Hook::Movement);
    declare_preparation(&script, &mut declaration);
    declare_last_moves(&script, &mut declaration);
    if declaration.spec.kinds.is_empty() {
        let message = "the script declares no pieces: call `piece(..)`, or `setup()` of an imported base game";
        return Err(blame.at_call("setup", message.into()));
    }
    let (variant, mut start) = build(&mut declaration, &blame, known)?;
    if let Some(counter) = variant.spec().unprepared {
        start.set_counter(&variant, counter as usize, astragal_core::Side::FIRST, 1);
    }
    declaration.array_counts = counts(&variant, &start);
    // Rules see the declaration with everything derived filled in.
    declaration.spec = variant.spec().clone();
    let faces = declaration.faces.iter().map(|name| letter(&variant, name, &blame)).collect::<Result<_, _>>()?;
    let (options, symmetry) = (declaration.options.clone(), declaration.symmetry);
    if let Some(reason) = symmetry.and_then(|symmetry| symmetry.obstacle(&variant)) {
        return Err(blame.at_call("symmetric", format!("this game cannot be symmetric: {reason}")));
    }
    script.host.trace().declaration = declaration;
    Ok((script, Declared { variant, start, options, faces, symmetry }))
}

/// Makes all names from a script safe to print on a terminal.
fn make_printable(declaration: &mut Declaration) {
    let spec = &mut declaration.spec;
    tame(&mut spec.title);
    spec.sides.iter_mut().for_each(|side| tame(&mut side.name));
    // Names and values of options are compared with script texts, so they are escaped only when printed.
    for option in &mut declaration.options {
        [&mut option.label, &mut option.group, &mut option.why].into_iter().for_each(tame);
    }
}

/// If rules prepare the game before the first turn, a counter records whether that is done: 1 in the starting position, 0
/// in positions that do not name it.
fn declare_preparation(script: &Script, declaration: &mut Declaration) {
    if !script.has(Hook::Prepare) {
        return;
    }
    let counters = &mut declaration.spec.counters;
    counters.push(CounterDef {
        name: PREPARE.into(),
        per_side: false,
        initial: 0,
        size: 1,
        secret: false,
        counted: false,
    });
    declaration.spec.unprepared = Some((counters.len() - 1) as u8);
}

/// If rules ask for the last move of a side, declares a counter that holds it.
fn declare_last_moves(script: &Script, declaration: &mut Declaration) {
    if !script.host.trace().calls.contains(LAST_MOVE) {
        return;
    }
    let counters = &mut declaration.spec.counters;
    counters.push(CounterDef {
        name: LAST_MOVE.into(),
        per_side: true,
        initial: 0,
        size: MOVE_PLACES,
        secret: false,
        counted: false,
    });
    declaration.spec.last_moves = Some((counters.len() - 1) as u8);
}

/// The name of the preparation counter in positions.
const PREPARE: &str = "prepare";

/// Creates errors about the script as a whole, placed at a word of it if possible.
struct Blame {
    file: String,
    text: Arc<str>,
}

impl Blame {
    fn new(source: &Source) -> Blame {
        Blame { file: source.file(), text: source.text.as_str().into() }
    }

    /// Whether `word` occurs in quotes anywhere.
    fn names(&self, word: &str) -> bool {
        self.text.contains(&format!("\"{word}\""))
    }

    /// An error at the first place where `word` occurs in quotes.
    fn at(&self, word: &str, message: String) -> LoadError {
        self.at_word(word, Code::Declaration, message, None)
    }

    /// An error at the first place where the unknown name `word` occurs, with advice.
    fn unknown(&self, word: &str, message: String, help: Option<String>) -> LoadError {
        self.at_word(word, Code::UnknownText, message, help)
    }

    /// An error at the first call of a function.
    fn at_call(&self, name: &str, message: String) -> LoadError {
        let call = format!("{name}(");
        let place = (1..).zip(self.text.lines()).find_map(|(number, line)| {
            let code = line.split("//").next().unwrap_or_default();
            Some((number, code[..code.find(&call)?].chars().count() + 1))
        });
        let (line, column) = place.unwrap_or((0, 0));
        LoadError::Script(vec![Diagnostic::error(&self.file, &self.text, line, column, message).of(Code::Declaration)])
    }

    /// An error at the first place where `word` occurs in quotes or as a key.
    fn at_word(&self, word: &str, code: Code, message: String, help: Option<String>) -> LoadError {
        let quoted = format!("\"{word}\"");
        let in_text = || {
            self.text.lines().zip(1..).find_map(|(line, n)| Some((n, line[..line.find(&quoted)?].chars().count() + 1)))
        };
        let all = tokens(&self.text);
        let entry = || all.windows(2).find(|pair| pair[0].is(word) && pair[1].is(":")).map(|pair| pair[0].at);
        let (line, column) = in_text().or_else(entry).unwrap_or((0, 0));
        LoadError::Script(vec![
            Diagnostic::error(&self.file, &self.text, line, column, message).with_help(help).of(code),
        ])
    }
}

/// The word to blame, the message, advice.
type Wrong = (String, String, Option<String>);

/// Replaces names of kinds by the kinds.
fn resolve_names(d: &mut Declaration) -> Result<(), Wrong> {
    let names: Vec<String> = d.spec.kinds.iter().map(|k| k.name.clone()).collect();
    let kind = |name: &String| match names.iter().position(|n| n == name) {
        Some(i) => Ok(Kind(i as u8)),
        None => {
            let help = did_you_mean(name, names.iter().map(String::as_str));
            Err((name.clone(), format!("there is no piece called \"{name}\""), help))
        }
    };
    for later in std::mem::take(&mut d.later) {
        match later {
            Later::Promotes(index, names) => {
                let to = names.iter().map(kind).collect::<Result<KindMask, Wrong>>()?;
                if let Some(promotion) = &mut d.spec.kinds[index].promotion {
                    promotion.to = to;
                }
            }
            Later::InHand(index, name) => d.spec.kinds[index].in_hand = Some(kind(&name)?),
            Later::Takes(index, atoms, names) => {
                let victims = names.iter().map(kind).collect::<Result<KindMask, Wrong>>()?;
                d.spec.kinds[index].atoms[atoms].iter_mut().for_each(|atom| atom.victims = victims);
            }
            Later::Trait(index, values) => {
                let default = d.spec.traits[index].initial[0];
                let mut initial = vec![default; names.len() + 1];
                for (name, value) in &values {
                    initial[kind(name)?.index()] = *value;
                }
                d.spec.traits[index].initial = initial;
            }
        }
    }
    Ok(())
}

/// Variants that several loads of a script share: its options seldom change the board and the pieces.
#[derive(Default)]
pub(crate) struct Compiled(Mutex<Vec<Arc<Variant>>>);

impl Compiled {
    /// The maximum number of variants that are kept. A load compiles one.
    const MOST: usize = 4;

    /// Compiles a declaration, or copies a variant with the same declaration.
    fn variant(&self, spec: Spec) -> Result<Variant, SpecError> {
        let known = locked(&self.0).iter().find(|variant| *variant.spec() == spec).cloned();
        if let Some(variant) = known {
            return Ok((*variant).clone());
        }
        let variant = Variant::new(spec)?;
        let mut all = locked(&self.0);
        if all.len() < Compiled::MOST {
            all.push(Arc::new(variant.clone()));
        }
        Ok(variant)
    }
}

/// Compiles a declaration, with the variants of other loads if there are any.
fn compiled(spec: Spec, known: Option<&Compiled>) -> Result<Variant, SpecError> {
    match known {
        Some(known) => known.variant(spec),
        None => Variant::new(spec),
    }
}

/// Compiles the variant and reads its starting position. The starting position determines initial moves and castling, so
/// it is read first, with pieces that cannot move: compiling movement takes most of the time.
fn build(d: &mut Declaration, blame: &Blame, known: Option<&Compiled>) -> Result<(Variant, Position), LoadError> {
    let whole = |message: String| {
        LoadError::Script(vec![Diagnostic::error(&blame.file, &blame.text, 0, 0, message).of(Code::Declaration)])
    };
    let refused = |spec: &Spec, error: SpecError| {
        if let SpecError::Cells(_) = error {
            return too_many_cells(spec, blame, error.to_string());
        }
        let wrong = Diagnostic::error(&blame.file, &blame.text, 0, 0, error.to_string()).of(Code::Declaration);
        LoadError::Script(vec![wrong.with_help(cure(&error))])
    };
    let setup = d.setup.clone().unwrap_or_default();
    if setup.is_empty() {
        let variant =
            compiled(Spec { castles: Vec::new(), ..d.spec.clone() }, known).map_err(|error| refused(&d.spec, error))?;
        let start = Position::empty(&variant);
        return Ok((variant, start));
    }
    let bare = Variant::new(without_movement(&d.spec)).map_err(|error| refused(&d.spec, error))?;
    // Only the placement can be read before castling is known.
    let placement = setup.split_whitespace().next().unwrap_or_default();
    let side = d.spec.sides[0].letter;
    let placed = fen::parse(&bare, &format!("{placement} {side}")).map_err(|e| misplaced(blame, &setup, e))?;
    d.spec.array =
        bare.board().squares().into_iter().map(|s| (s, placed.position.at(s))).filter(|(_, p)| !p.is_none()).collect();
    for decl in std::mem::take(&mut d.castles) {
        d.spec.castles.push(castle(&d.spec.board, &placed.position, &decl).map_err(&whole)?);
    }
    let variant = compiled(d.spec.clone(), known).map_err(|error| refused(&d.spec, error))?;
    let start = fen::parse(&variant, &setup).map_err(|e| misplaced(blame, &setup, e))?.position;
    Ok((variant, start))
}

/// A declaration whose pieces cannot move: enough to read a placement.
fn without_movement(spec: &Spec) -> Spec {
    let mut spec = Spec { castles: Vec::new(), ..spec.clone() };
    for kind in &mut spec.kinds {
        (kind.atoms, kind.bounces) = (Vec::new(), None);
    }
    spec
}

/// The error for more hands, counters and marks than a position holds, at the declaration that exceeds the limit.
fn too_many_cells(spec: &Spec, blame: &Blame, message: String) -> LoadError {
    let needs = cells::needs(spec);
    let found = match cells::first_over(&needs) {
        Some(Need { name: Some(name), .. }) if blame.names(name) => blame.at(name, message),
        Some(need) => blame.at_call(need.call, message),
        None => blame.at_call("counter", message),
    };
    let LoadError::Script(mut wrong) = found else { return found };
    wrong.iter_mut().for_each(|diagnostic| diagnostic.help = Some(cells::cure(&needs)));
    LoadError::Script(wrong)
}

/// The advice for a declaration that does not fit, if its message contains none.
fn cure(error: &SpecError) -> Option<String> {
    match error {
        SpecError::Paths(_) => Some(
            "limit how far it moves, as in \"B4\", or how often it bounces, as in `bounces: 1`; or use a smaller board"
                .into(),
        ),
        SpecError::Bounces(_) => {
            Some("remove `bounces`, or use a board of squares; call `board()` before `piece()`".into())
        }
        _ => None,
    }
}

fn misplaced(blame: &Blame, setup: &str, error: crate::notation::NotationError) -> LoadError {
    let message = format!("the starting position cannot be read: {}", error.difference());
    let LoadError::Script(mut all) = blame.at(setup, message) else { return LoadError::Option(error.to_string()) };
    for diagnostic in &mut all {
        diagnostic.help = error.help.clone().or_else(|| error.usual().map(String::from));
        if diagnostic.line > 0 && error.span.end <= setup.len() {
            diagnostic.column += error.span.start + 1;
            diagnostic.length = error.span.len().max(1);
        }
    }
    LoadError::Script(all)
}

fn castle(board: &Board, array: &Position, decl: &CastleDecl) -> Result<Castle, String> {
    let (king, rook) = (array.at(decl.king.0), array.at(decl.rook.0));
    if king.is_none() || rook.is_none() || king.side() != rook.side() {
        let (of_king, of_rook) = (board.name(decl.king.0), board.name(decl.rook.0));
        let why = match (king.is_none(), rook.is_none()) {
            (true, true) => "both are empty".to_string(),
            (true, false) => format!("{of_king} is empty"),
            (false, true) => format!("{of_rook} is empty"),
            (false, false) => "they belong to different sides".to_string(),
        };
        return Err(format!(
            "castling {:?} needs two pieces of the same side on {of_king} and {of_rook}, but {why} in the starting position",
            decl.letter
        ));
    }
    let path = |(a, b): (Square, Square)| -> Result<SquareSet, String> {
        if board.links().is_some() {
            let passed: SquareSet = board.between(a, b).into_iter().collect();
            return match a == b || !passed.is_empty() || board.distance(a, b) == 1 {
                true => Ok(passed | a.into() | b.into()),
                false => Err(format!("there is no line from {} to {}", board.name(a), board.name(b))),
            };
        }
        let (low, high) = (a.min(b), a.max(b));
        if board.rank(a) != board.rank(b) {
            return Err(format!("castling {:?} leads from {} to a different rank", decl.letter, board.name(a)));
        }
        Ok((low.0..=high.0).map(Square).collect())
    };
    let (king_path, rook_path) = (path(decl.king)?, path(decl.rook)?);
    let between = path((decl.king.0, decl.rook.0))?;
    let own = SquareSet::from(decl.king.0) | decl.rook.0.into();
    Ok(Castle {
        side: king.side(),
        letter: decl.letter,
        king: decl.king,
        rook: decl.rook,
        kinds: (king.kind(), rook.kind()),
        empty: (king_path | rook_path | between) - own,
        safe: if decl.safe { king_path } else { SquareSet::EMPTY },
    })
}

fn counts(variant: &Variant, start: &Position) -> Vec<[i64; MAX_SIDES]> {
    let count = |kind: usize, side: usize| {
        let piece = Piece::new(astragal_core::Side(side as u8), Kind(kind as u8));
        if side < variant.sides() { start.squares_of(piece).len() as i64 } else { 0 }
    };
    (0..variant.kinds().len()).map(|kind| std::array::from_fn(|side| count(kind, side))).collect()
}

fn letter(variant: &Variant, name: &str, blame: &Blame) -> Result<String, LoadError> {
    match variant.kind_named(name) {
        Some(kind) => Ok(variant.kind(kind).letter.clone()),
        None => {
            let help = did_you_mean(name, variant.kinds().iter().map(|kind| kind.name.as_str()));
            Err(blame.unknown(name, format!("there is no piece called \"{name}\""), help))
        }
    }
}

/// Whether the script or one that it imports uses a function of this name.
fn mentions(script: &Script, name: &str) -> bool {
    let imported = locked(&script.imported);
    let texts = imported.iter().filter_map(|base| library::bundled(base)).map(|source| source.text);
    script.source.text.contains(name) || texts.into_iter().any(|text| text.contains(name))
}
