//! Reasons in words.

use super::moment::{quoted, rolled, waits_for_move};
use crate::notation::describe::{self, a, alternatives, enumeration, names};
use crate::{Loaded, game_text};
use astragal_core::explain::{CastlingFaults, Exposure};
use astragal_core::permit::{Refusal, Unmade};
use astragal_core::plan::Unpaid;
use astragal_core::{Game, Kind, KindMask, Move, Obstacle, Permit, Piece, Reason, Square, SquareSet, State, Variant};
use astragal_core::{Why, Wish};

/// Dice with more outcomes than this are not tried.
const MAX_OUTCOMES: u64 = 2_000;

/// A place in a script and the text of its line.
pub(super) type Note = Option<(String, String)>;

/// Puts reasons into words for one game.
pub(super) struct Describer<'a> {
    pub loaded: &'a Loaded,
    pub game: &'a Game,
}

impl Describer<'_> {
    fn variant(&self) -> &Variant {
        &self.loaded.set.variant
    }

    fn state(&self) -> &State {
        self.game.state()
    }

    /// The sentences for a wish, and the most relevant line of the script if it is not the line that requests the move.
    pub(crate) fn speak(&self, wish: Wish, why: &Why) -> (Vec<String>, Note) {
        if !why.ways.is_empty() {
            return (vec![self.permitted(why)], None);
        }
        let mut note = None;
        let mut said = Vec::new();
        let good = if why.reasons.contains(&Reason::RollDue) { self.good_rolls(wish) } else { None };
        for reason in &why.reasons {
            // Some rolls let the rules permit what the board alone does not.
            if matches!(reason, Reason::Board(_)) && good.is_some_and(|(good, _)| good > 0) {
                continue;
            }
            said.push(match reason {
                Reason::Over => {
                    format!(
                        "the game is over ({})",
                        game_text::result(self.state()).unwrap_or_default().trim_end_matches('.')
                    )
                }
                Reason::RollDue => self.roll_due(good, why),
                Reason::ChoiceDue => format!("the game is waiting for {}", game_text::waits(self.state())),
                Reason::Board(obstacle) => self.obstacle(wish, obstacle),
                Reason::Permit(refusal) => {
                    note = self.note(refusal);
                    self.refused(why.mv, refusal)
                }
                Reason::Unpaid(unpaid) => {
                    if let Unpaid::Dice { offers, .. } = unpaid {
                        note = offers.iter().find_map(|(_, refusal)| self.note(refusal));
                    }
                    self.unpaid(wish, why.mv, unpaid)
                }
                Reason::Unknown => "the rules of this turn do not permit it".into(),
            });
        }
        (said, note)
    }

    fn permitted(&self, why: &Why) -> String {
        let prices: Vec<String> = why.ways.iter().map(|&paid| game_text::faces(&self.state().price(paid))).collect();
        let mut prices: Vec<String> = prices.into_iter().filter(|price| !price.is_empty()).collect();
        prices.dedup();
        match (prices.is_empty(), rolled(self.game)) {
            (false, _) => format!("{} pays for it", alternatives(&prices)),
            (true, dice) if !dice.is_empty() => format!("the roll {} permits it", self.dice(&dice)),
            _ => "the rules permit it".into(),
        }
    }

    /// A roll comes first, and how many would permit the move.
    fn roll_due(&self, good: Option<(u64, u64)>, why: &Why) -> String {
        let due = format!("{} must roll first", game_text::side_name(self.variant(), self.state().mover()));
        match (good, self.state().dice()) {
            (Some((good, all)), Some(dice)) if good > 0 || why.mv.is_some() => {
                format!("{due}; {good} of the {all} outcomes of {dice} would permit it")
            }
            _ => due,
        }
    }

    /// The number of outcomes of the pending roll that permit the move, and of all outcomes; `None` if there are too many
    /// to try.
    fn good_rolls(&self, wish: Wish) -> Option<(u64, u64)> {
        let state = self.state();
        let dice = state.dice().filter(|dice| dice.outcomes() <= MAX_OUTCOMES)?;
        let (mut good, mut all) = (0_u64, 0_u64);
        for index in (0..dice.outcomes()).filter(|&i| state.can_roll(i)) {
            let mut next = state.clone();
            next.roll(index).ok()?;
            all += 1;
            let same_turn = next.turn() == state.turn() && waits_for_move(&next);
            good += u64::from(same_turn && next.why(wish).is_ok_and(|why| !why.ways.is_empty()));
        }
        Some((good, all))
    }

    /// Dice with the pieces they name: `2 (knight), 3 (bishop)`.
    fn dice(&self, faces: &[i16]) -> String {
        let one = |face: &i16| match self.face(*face) {
            Some(name) => format!("{face} ({name})"),
            None => face.to_string(),
        };
        faces.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The piece that a face of a die names.
    fn face(&self, face: i16) -> Option<String> {
        let letter = self.loaded.faces.get(usize::try_from(face - 1).ok()?)?;
        let kind = self.variant().kind_lettered(letter)?;
        Some(self.variant().kind(kind).name.clone())
    }

    fn name(&self, square: Square) -> String {
        self.variant().board().name(square)
    }

    fn kind(&self, piece: Piece) -> &str {
        &self.variant().kind(piece.kind()).name
    }

    fn owner(&self, piece: Piece) -> &str {
        game_text::side_name(self.variant(), piece.side())
    }

    /// The piece on a square: `the rook on e8`.
    fn piece_on(&self, square: Square) -> String {
        let piece = self.state().position().at(square);
        match piece.is_none() {
            true => format!("the piece on {}", self.name(square)),
            false => format!("the {} on {}", self.kind(piece), self.name(square)),
        }
    }

    fn pieces_on(&self, set: SquareSet) -> String {
        enumeration(&set.into_iter().map(|s| self.piece_on(s)).collect::<Vec<_>>())
    }

    fn squares(&self, set: SquareSet) -> String {
        let names: Vec<String> = set.into_iter().map(|s| self.name(s)).collect();
        alternatives(&names)
    }

    fn origin(wish: Wish) -> Option<(Square, Square)> {
        match wish {
            Wish::Step { from, to, .. } => Some((from, to)),
            _ => None,
        }
    }

    /// Explains why the board does not allow a move.
    fn obstacle(&self, wish: Wish, obstacle: &Obstacle) -> String {
        let (from, to) = Self::origin(wish).unwrap_or((Square(0), Square(0)));
        let (piece_text, target) = (self.piece_on(from), self.name(to));
        let piece = self.state().position().at(from);
        let mover = game_text::side_name(self.variant(), self.state().position().side());
        match obstacle {
            Obstacle::Nobody => format!("{} is empty", self.name(from)),
            Obstacle::Foreign(piece) => {
                format!("{piece_text} belongs to {}, but it is {mover}'s turn", self.owner(*piece))
            }
            Obstacle::Own(own) if own.side() == self.state().position().side() => {
                format!("{mover}'s own {} is on {target}", self.kind(*own))
            }
            Obstacle::Own(own) => format!("{} that belongs to a partner is on {target}", a(self.kind(*own))),
            Obstacle::Immune(piece) => format!("{} cannot be captured in this game", a(self.kind(*piece))),
            Obstacle::Between(set) => {
                let stand = if set.len() == 1 { "stands" } else { "stand" };
                format!("{} {stand} in the way", self.pieces_on(*set))
            }
            Obstacle::Jumps(set) if set.is_empty() => {
                format!("{piece_text} must jump over exactly one piece on its way to {target}, but there is none")
            }
            Obstacle::Jumps(set) => {
                format!(
                    "{piece_text} must jump over exactly one piece on its way to {target}, not {}",
                    self.pieces_on(*set)
                )
            }
            Obstacle::OnlyCaptures { en_passant } => {
                let passing = if *en_passant { ", and no piece can be captured there en passant" } else { "" };
                format!("{piece_text} can move to {target} only to capture, but the square is empty{passing}")
            }
            Obstacle::Takes(set) => {
                format!("{piece_text} can reach {target} only by capturing an enemy piece on {}", self.squares(*set))
            }
            Obstacle::OnlyQuiet(there) => {
                let (owner, there) = (self.owner(*there), self.kind(*there));
                format!("{piece_text} cannot capture that way, and {owner}'s {there} is on {target}")
            }
            Obstacle::NotThisKind(there) => format!("{piece_text} cannot capture {} that way", a(self.kind(*there))),
            Obstacle::Home => {
                let whence = describe::from_home(self.variant().kind(piece.kind()));
                format!("{} can move like that only {}", a(self.kind(piece)), whence.trim_start_matches("only "))
            }
            Obstacle::Zone(zone) => format!("{} cannot leave the region \"{zone}\"", a(self.kind(piece))),
            Obstacle::Unlike => self.unlike(piece),
            Obstacle::Promotes(kinds) => self.promotes(wish, piece, *kinds),
            Obstacle::NoPromotion => "this move is not a promotion".into(),
            Obstacle::Exposed(exposure) => self.exposed(from, exposure),
            Obstacle::Castling(faults) => self.castling(faults),
            Obstacle::NotInHand(kind) => {
                format!("{mover} has no {} in hand", self.variant().kind(*kind).name)
            }
            Obstacle::Occupied(there) => {
                format!(
                    "a piece can only be dropped on an empty square, but {}'s {} is there",
                    self.owner(*there),
                    self.kind(*there)
                )
            }
        }
    }

    fn unlike(&self, piece: Piece) -> String {
        if piece.is_none() {
            return "it is not a move".into();
        }
        let kind = self.variant().kind(piece.kind());
        let ways = describe::movement(self.variant(), kind);
        if ways.is_empty() {
            return format!("{} cannot move", a(&kind.name));
        }
        format!("{} does not move like that (its moves: {})", a(&kind.name), ways.join("; "))
    }

    fn promotes(&self, wish: Wish, piece: Piece, kinds: KindMask) -> String {
        let letter = |i: usize| self.variant().kinds()[i].letter.to_lowercase();
        let letters: Vec<String> =
            (0..self.variant().kinds().len()).filter(|&i| kinds.contains(Kind(i as u8))).map(letter).collect();
        let example = match (wish, letters.first()) {
            (Wish::Step { from, to, .. }, Some(first)) => format!("{}{}{first}", self.name(from), self.name(to)),
            _ => String::new(),
        };
        let wanted = match wish {
            Wish::Step { promotion: Some(_), .. } => "cannot promote to that piece",
            _ => "must promote",
        };
        format!("{} {wanted} there: choose {}, as in {example}", a(self.kind(piece)), names(self.variant(), kinds))
    }

    fn exposed(&self, from: Square, exposure: &Exposure) -> String {
        let royal = self.state().position().at(if exposure.walks { from } else { exposure.royal });
        let king = if royal.is_none() { "royal".to_string() } else { self.kind(royal).to_string() };
        let (attack, at) =
            (if exposure.attackers.len() == 1 { "attacks" } else { "attack" }, self.name(exposure.royal));
        // A piece attacked only after the move may have been shielded before. Under `movement` rules any piece may be the
        // cause, since `movement` can ask for anything.
        let ruled = self.variant().spec().ruled_movement;
        let by_rule = if ruled { ", according to the rule `movement`" } else { "" };
        if exposure.walks || ruled && exposure.before.is_empty() {
            return format!("the {king} would be attacked on {at} by {}{by_rule}", self.pieces_on(exposure.attackers));
        }
        match exposure.before.is_empty() {
            false => format!(
                "the {king} on {at} is in check from {}{by_rule}, and this move does not end the check",
                self.pieces_on(exposure.before)
            ),
            true => {
                format!(
                    "{} is pinned: without it, {} {attack} the {king} on {at}",
                    self.piece_on(from),
                    self.pieces_on(exposure.attackers)
                )
            }
        }
    }

    fn castling(&self, faults: &CastlingFaults) -> String {
        let mut all = Vec::new();
        for (square, kind) in &faults.missing {
            all.push(format!("no {} is on {}", self.variant().kind(*kind).name, self.name(*square)));
        }
        if faults.right_lost && faults.missing.is_empty() {
            all.push("the right to castle is lost: the king or the piece it castles with has moved".into());
        }
        if !faults.between.is_empty() {
            let stand = if faults.between.len() == 1 { "stands" } else { "stand" };
            all.push(format!("{} {stand} in the way", self.pieces_on(faults.between)));
        }
        for (square, by) in &faults.attacked {
            let by_rule = if self.variant().spec().ruled_movement { ", according to the rule `movement`" } else { "" };
            all.push(format!("{} is attacked by {}{by_rule}", self.name(*square), self.pieces_on(*by)));
        }
        if let Some(exposure) = &faults.exposed {
            all.push(format!(
                "{} would be attacked by {}",
                self.name(exposure.royal),
                self.pieces_on(exposure.attackers)
            ));
        }
        if all.is_empty() { "this castling is not possible".into() } else { enumeration(&all) }
    }

    /// Explains why a permit refuses a move.
    fn refused(&self, mv: Option<Move>, refusal: &Refusal) -> String {
        let dice = rolled(self.game);
        let by = if dice.is_empty() { "the rules".to_string() } else { format!("the roll {}", self.dice(&dice)) };
        let verb = if dice.is_empty() { "permit" } else { "permits" };
        match refusal {
            Refusal::FirstChoice { first, second } => {
                let first = self.refused(mv, first);
                match second {
                    true => format!("{first} (as long as such a move is possible)"),
                    false => first,
                }
            }
            Refusal::Test(_, true) => "a condition in the script rejects the resulting position".into(),
            Refusal::Test(_, false) => "a condition in the script rejects it".into(),
            Refusal::Excluded(permit) => match self.phrase_of(permit) {
                Some(phrase) => format!("{by} {verb} no {phrase}"),
                None => "the script excludes such moves".into(),
            },
            Refusal::Longer => "the same piece can and must move farther in that direction".into(),
            Refusal::FewerFollow => "a different move allows more moves after it, and those are compulsory".into(),
            Refusal::Made(why) => self.unmade(&by, dice.is_empty(), why),
            Refusal::Either(all) if all.iter().any(|one| matches!(one, Refusal::Exposed(_))) => {
                let exposed = all.iter().find(|one| matches!(one, Refusal::Exposed(_)));
                exposed.map_or_else(String::new, |exposed| self.refused(mv, exposed))
            }
            Refusal::OtherSide => "only pieces of a different side can move now".into(),
            Refusal::Exposed(exposure) => self.exposed(mv.map_or(exposure.royal, |mv| mv.from), exposure),
            Refusal::Nothing => format!("{by} {verb} no move"),
            other => match self.phrase(other) {
                Some(phrase) => format!("{by} {verb} only {phrase}"),
                None => "the script does not permit it".into(),
            },
        }
    }

    /// Explains why the rules, which choose the moves here, do not make this one.
    fn unmade(&self, by: &str, rules: bool, why: &Unmade) -> String {
        let lets = if rules { "let" } else { "lets" };
        match why {
            Unmade::Blocked(set) => {
                let stand = if set.len() == 1 { "stands" } else { "stand" };
                format!("{} {stand} in the way", self.pieces_on(*set))
            }
            Unmade::Target(there) => match there.side() == self.state().position().side() {
                true => format!("{}'s own {} is on the target square", self.owner(*there), self.kind(*there)),
                false => {
                    format!(
                        "{}'s {} on the target square cannot be captured that way",
                        self.owner(*there),
                        self.kind(*there)
                    )
                }
            },
            Unmade::Only(from, set) => {
                format!("{by} {lets} {} move only to {}", self.piece_on(*from), self.squares(*set))
            }
            Unmade::Others(set) => format!("{by} {lets} only {} move", self.pieces_on(*set)),
            Unmade::Enters(kind, set) if set.is_empty() => {
                format!("{by} {lets} no {} enter", self.variant().kind(*kind).name)
            }
            Unmade::Enters(kind, set) => {
                format!("{by} {lets} {} enter only on {}", a(&self.variant().kind(*kind).name), self.squares(*set))
            }
            Unmade::Nothing => format!("{by} {lets} no piece move"),
        }
    }

    /// The line of the script that contains a test.
    fn note(&self, refusal: &Refusal) -> Note {
        match refusal {
            Refusal::Test(rule, _) => self.loaded.set.rules.test_place(*rule).map(|place| quoted(self.loaded, &place)),
            Refusal::FirstChoice { first, .. } => self.note(first),
            Refusal::Either(all) | Refusal::All(all) => all.iter().find_map(|refusal| self.note(refusal)),
            _ => None,
        }
    }

    /// The permitted moves as a noun phrase: `moves of a knight or castling`.
    fn phrase(&self, refusal: &Refusal) -> Option<String> {
        let kinds = |kinds: KindMask| names(self.variant(), kinds);
        Some(match refusal {
            Refusal::Kinds(mask) if *mask == KindMask::NONE => return None,
            Refusal::Kinds(mask) => format!("moves of {}", a(&kinds(*mask))),
            Refusal::Castling(u16::MAX) => "castling".into(),
            Refusal::Castling(which) => format!("castling {}", self.castlings(*which)?),
            Refusal::CastlingBy(set) => format!("castling with {}", self.pieces_on(self.castlers(*set)?)),
            Refusal::EnPassant => "captures en passant".into(),
            Refusal::Drops(mask) if *mask == KindMask::ALL => "drops".into(),
            Refusal::Drops(mask) => format!("drops of {}", a(&kinds(*mask))),
            Refusal::Origin(set) => format!("moves from {}", self.squares(*set)),
            Refusal::Target(set) => format!("moves to {}", self.squares(*set)),
            Refusal::Promotion(mask) if *mask == KindMask::ALL => "promotions".into(),
            Refusal::Promotion(mask) => format!("promotions to {}", a(&kinds(*mask))),
            Refusal::Captures(mask) if *mask == KindMask::ALL => "captures".into(),
            Refusal::Captures(mask) => format!("captures of {}", a(&kinds(*mask))),
            Refusal::Distance(1, 1) => "moves by 1 square".into(),
            Refusal::Distance(a, b) if a == b => format!("moves by {a} squares"),
            Refusal::Distance(a, b) => format!("moves by {a} to {b} squares"),
            Refusal::Direction(right, forward) => format!("moves {}", direction(*right, *forward)),
            Refusal::Payment(mask) => format!("moves of {}, which the held dice pay for", a(&kinds(*mask))),
            Refusal::Test(_, true) => "moves after which a condition in the script is true".into(),
            Refusal::Test(_, false) => "moves that meet a condition in the script".into(),
            Refusal::Either(all) => {
                // Different refusals can have the same phrase, for example two script tests.
                let mut phrases: Vec<String> = Vec::new();
                for phrase in all.iter().filter_map(|refusal| self.phrase(refusal)) {
                    if !phrases.contains(&phrase) {
                        phrases.push(phrase);
                    }
                }
                if phrases.is_empty() {
                    return None;
                }
                alternatives(&phrases)
            }
            Refusal::All(all) => return self.phrase_of_all(all),
            Refusal::FirstChoice { first, .. } => return self.phrase(first),
            _ => return None,
        })
    }

    /// Several conditions as one noun phrase: `moves of a knight to e4`, `captures of a pawn that are moves to e4`.
    fn phrase_of_all(&self, all: &[Refusal]) -> Option<String> {
        // The moving piece comes first, whatever the order in the script.
        let kinds = |one: &&Refusal| matches!(one, Refusal::Kinds(_));
        let all = all.iter().filter(kinds).chain(all.iter().filter(|one| !kinds(one)));
        let phrases: Vec<(String, bool)> =
            all.filter_map(|one| Some((self.phrase(one)?, matches!(one, Refusal::Either(_))))).collect();
        let (mut noun, mut further) = (String::new(), Vec::new());
        for (phrase, several) in &phrases {
            match phrase.strip_prefix("moves").filter(|_| !several) {
                Some(tail) => noun.push_str(tail),
                None => further.push(phrase.as_str()),
            }
        }
        match (noun.is_empty(), further.as_slice()) {
            (true, []) => None,
            (true, [first, more @ ..]) => Some(joined(first, more)),
            (false, more) => Some(joined(&format!("moves{noun}"), more)),
        }
    }

    /// Castlings of the side to move, as moves of the king.
    fn castlings(&self, which: u16) -> Option<String> {
        let side = self.state().position().side();
        let all = self.variant().spec().castles.iter().enumerate();
        let own = all.filter(|(index, castle)| which >> index & 1 != 0 && castle.side == side);
        let names: Vec<String> =
            own.map(|(_, castle)| format!("{}{}", self.name(castle.king.0), self.name(castle.king.1))).collect();
        (!names.is_empty()).then(|| alternatives(&names))
    }

    /// The squares with a piece of the side to move that castles from there, or takes part in castling.
    fn castlers(&self, squares: SquareSet) -> Option<SquareSet> {
        let position = self.state().position();
        let castles = self.variant().spec().castles.iter().filter(|castle| castle.side == position.side());
        let ready = castles.flat_map(|castle| [castle.king.0, castle.rook.0]).collect::<SquareSet>();
        let found = ready & squares & position.occupied();
        (!found.is_empty()).then_some(found)
    }

    /// The phrase for a permit with a single condition.
    fn phrase_of(&self, permit: &Permit) -> Option<String> {
        let refusal = match permit {
            Permit::Pieces(kinds) => Refusal::Kinds(*kinds),
            Permit::Castling(which) => Refusal::Castling(*which),
            Permit::EnPassant => Refusal::EnPassant,
            Permit::Drops(kinds) => Refusal::Drops(*kinds),
            Permit::Promoting(kinds) => Refusal::Promotion(*kinds),
            Permit::Capturing(kinds) => Refusal::Captures(*kinds),
            Permit::Any => return Some("move".into()),
            _ => return None,
        };
        self.phrase(&refusal)
    }

    /// Explains why no die pays for a move.
    fn unpaid(&self, wish: Wish, mv: Option<Move>, unpaid: &Unpaid) -> String {
        match unpaid {
            Unpaid::Dice { offers, lacking } => {
                let one = |(faces, refusal): &(Vec<i16>, Refusal)| {
                    let dice = together(faces);
                    let is_single = faces.len() == 1;
                    match self.phrase(refusal) {
                        Some(phrase) => format!("{dice} {} for {phrase}", if is_single { "pays" } else { "pay" }),
                        None => {
                            let verb = if is_single { "does" } else { "do" };
                            format!("{dice} {verb} not pay for it, because {}", self.refused(mv, refusal))
                        }
                    }
                };
                let offers: Vec<String> = offers.iter().map(one).collect();
                if offers.is_empty() {
                    return "no die is left".into();
                }
                let needed = match lacking.is_empty() {
                    true => String::new(),
                    false => {
                        let ways: Vec<String> = lacking.iter().map(|faces| together(faces)).collect();
                        format!(" (it needs {} together)", alternatives(&ways))
                    }
                };
                format!("no remaining die pays for it: {}{needed}", offers.join(", "))
            }
            Unpaid::Moved => {
                let piece_text = Self::origin(wish).map_or("it".into(), |(from, _)| self.piece_on(from));
                format!("{piece_text} has already moved this turn, and no piece can move twice")
            }
            Unpaid::Order(face) => format!("dice are used in the order rolled, and the {face} comes first"),
            Unpaid::Complete => "the turn is already complete".into(),
            Unpaid::Lower { possible, then } => {
                format!("you must use the highest possible total: {possible}; this move allows only {then}")
            }
            Unpaid::Waste { possible, then, idle, moves } => {
                let unit = if *moves { "move" } else { "dice" };
                let can = match (*moves, *possible) {
                    (true, 1) => "1 move can be made".to_string(),
                    (true, n) => format!("{n} moves can be made"),
                    (false, 1) => "1 die can be used".to_string(),
                    (false, n) => format!("{n} {unit} can be used"),
                };
                let lost = match idle.is_empty() {
                    true => "playing it now leaves a die unused".to_string(),
                    false => format!("playing it now leaves no move for {}", self.idle(idle)),
                };
                format!("{lost}; {can}, but only {then} with this move")
            }
        }
    }

    /// The pieces that dice would have moved: `the king (6)`.
    fn idle(&self, faces: &[i16]) -> String {
        let plan = self.state().plan().map(|(plan, _)| plan);
        let one = |face: &i16| {
            let index = plan.as_ref().and_then(|plan| plan.faces.iter().position(|f| f == face));
            let permit = index.and_then(|i| plan.as_ref().map(|plan| plan.permits[i].clone()));
            let kinds = match permit {
                Some(Permit::Pieces(kinds)) => Some(names(self.variant(), kinds)),
                _ => self.face(*face),
            };
            kinds.map_or_else(|| format!("the {face}"), |kinds| format!("the {kinds} ({face})"))
        };
        enumeration(&faces.iter().map(one).collect::<Vec<_>>())
    }
}

/// Dice that pay for a move together: `4 and 6`.
fn together(faces: &[i16]) -> String {
    enumeration(&faces.iter().map(i16::to_string).collect::<Vec<_>>())
}

/// A noun with further conditions.
fn joined(noun: &str, more: &[&str]) -> String {
    if more.is_empty() { noun.into() } else { format!("{noun} that are {}", more.join(" and ")) }
}

fn direction(right: i8, forward: i8) -> String {
    let along = match forward {
        1 => "forward",
        -1 => "back",
        _ => "",
    };
    let aside = match right {
        1 => "to the right",
        -1 => "to the left",
        _ => "",
    };
    format!("{along} {aside}").trim().to_string()
}
