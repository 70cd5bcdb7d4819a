//! Numbers for the actions of players, the same in every state of a game.
//!
//! The numbers are consecutive:
//!
//! | what | how many |
//! | --- | --- |
//! | a pass | 1 |
//! | a move from a square to a square | squares × squares |
//! | a promotion: a pair of squares between which a piece can promote, and the new kind | pairs × kinds |
//! | castling, in the order of declaration | castlings |
//! | a drop: kind and square, if the variant has hands | kinds × squares |
//! | the choice of a square | squares |
//! | any other choice, by its place in the list | 128 |
//! | the selection of one of several events that share a number | 64 |
//!
//! Several actions can share a number: a move that different dice can pay for, captures of different pieces on the way, a
//! push and a move, heaps of different heights, choices whose places differ by 128. A second, small decision then selects
//! one of them: the last row.

use astragal_core::variant::Variant;
use astragal_core::{Choice, Event, Move, MoveWithDice, Square, SquareSet, State, Status, Tag};
use std::fmt;

/// How many numbers are reserved for choices, by their place.
const CHOICES: usize = 128;
/// The maximum number of actions that can share a number.
const ALIKE: usize = 64;

/// The numbers of one variant's actions.
#[derive(Clone, Debug)]
pub struct Actions {
    squares: usize,
    /// By origin and target: the index of the pair among those of promotions.
    pairs: Vec<Option<u32>>,
    /// By kind: its index among the kinds promoted to.
    kinds: Vec<Option<u32>>,
    promotions: usize,
    castles: usize,
    drops: usize,
    promoted: usize,
}

/// The effect of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The action is this event.
    Event(Event),
    /// Several events share this number. The next action selects one of them, with this number as `pending`.
    Pending(u32),
}

/// Why a number is not a legal action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ActionError {
    /// No player is to decide.
    NoDecision,
    /// The action is not legal now.
    NotLegal(u64),
    /// More events share a number than there are numbers to distinguish them.
    TooManyAlike,
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActionError::NoDecision => f.write_str("no decision is due now"),
            ActionError::NotLegal(action) => write!(f, "action {action} is not legal now"),
            ActionError::TooManyAlike => {
                write!(f, "more than {ALIKE} moves or choices share an action: they cannot be distinguished")
            }
        }
    }
}

impl std::error::Error for ActionError {}

impl Actions {
    /// The actions of a variant.
    pub fn new(variant: &Variant) -> Actions {
        let (spec, board) = (variant.spec(), variant.board());
        let squares = board.len();
        let mut pairs = vec![None; squares * squares];
        let mut kinds = vec![None; variant.kinds().len()];
        let mut promoted = 0;
        for promotion in variant.kinds().iter().filter_map(|kind| kind.promotion.as_ref()) {
            let zones = board.region(&promotion.zone).map(|region| region.squares);
            let within = |square: usize| {
                let sides = zones.iter().flatten().take(spec.sides.len());
                sides.into_iter().any(|zone| zone.contains(Square(square as u8)))
            };
            for (index, pair) in pairs.iter_mut().enumerate() {
                if within(index % squares) || promotion.on_leaving && within(index / squares) {
                    *pair = Some(0);
                }
            }
            for (kind, place) in kinds.iter_mut().enumerate() {
                if place.is_none() && promotion.to.contains(astragal_core::Kind(kind as u8)) {
                    *place = Some(promoted);
                    promoted += 1;
                }
            }
        }
        let mut promotions = 0;
        for pair in pairs.iter_mut().flatten() {
            *pair = promotions;
            promotions += 1;
        }
        let promoted = promoted as usize;
        Actions {
            squares,
            pairs,
            kinds,
            promotions: promotions as usize * promoted,
            castles: spec.castles.len(),
            drops: if spec.hands { squares * variant.kinds().len() } else { 0 },
            promoted,
        }
    }

    /// The number of actions. They are numbered from 0 to this number, exclusive.
    pub fn count(&self) -> usize {
        self.alike() + ALIKE
    }

    fn promotion(&self) -> usize {
        1 + self.squares * self.squares
    }

    fn castling(&self) -> usize {
        self.promotion() + self.promotions
    }

    fn drop(&self) -> usize {
        self.castling() + self.castles
    }

    fn square(&self) -> usize {
        self.drop() + self.drops
    }

    fn choice(&self) -> usize {
        self.square() + self.squares
    }

    fn alike(&self) -> usize {
        self.choice() + CHOICES
    }

    /// The number of a move, which other events may share.
    pub fn of_move(&self, mv: Move) -> u32 {
        let pair = mv.from.index() * self.squares + mv.to.index();
        let number = match mv.tag {
            Tag::Castle => self.castling() + usize::from(mv.extra),
            Tag::Drop => self.drop() + mv.dropped().map_or(0, |kind| kind.index()) * self.squares + mv.to.index(),
            Tag::Push | Tag::Over | Tag::Heap => 1 + pair,
            Tag::Plain | Tag::Double | Tag::EnPassant => {
                let kind = mv.promotion().and_then(|kind| self.kinds[usize::from(kind.0)]);
                match (kind, self.pairs[pair]) {
                    (Some(kind), Some(place)) => self.promotion() + place as usize * self.promoted + kind as usize,
                    _ => 1 + pair,
                }
            }
        };
        number as u32
    }

    /// The number of a choice by its place, which other events may share.
    fn of_choice(&self, place: usize, choice: &Choice) -> u32 {
        let number = match choice {
            Choice::Square(square) => self.square() + square.index(),
            Choice::Text(_) => self.choice() + place % CHOICES,
        };
        number as u32
    }

    /// All legal events with their numbers, in the order in which the state lists them.
    fn each<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (u32, Event)> + 'a {
        let moves = state.moves().iter().map(|&paid: &MoveWithDice| (self.of_move(paid.mv), Event::Move(paid)));
        let choices = state.choices().iter().enumerate();
        let choices = choices.map(|(place, choice)| (self.of_choice(place, choice), Event::Choice(place)));
        let pass = state.can_pass().then_some((0, Event::Pass));
        moves.chain(choices).chain(pass)
    }

    /// The squares of the first legal move with this number.
    pub(super) fn squares_of(&self, state: &State, number: u32) -> SquareSet {
        let mut moves = self.each(state).filter(|(other, _)| *other == number);
        match moves.next() {
            Some((_, Event::Move(paid))) => [paid.mv.from, paid.mv.to].into_iter().collect(),
            _ => SquareSet::EMPTY,
        }
    }

    /// The number that selects one of the events that share a number.
    fn which(&self, place: usize) -> Option<u32> {
        (place < ALIKE).then_some((self.alike() + place) as u32)
    }

    /// Writes the numbers of the legal actions into `out`, in ascending order and without duplicates. After
    /// [`Step::Pending`], these are the numbers that select one of the events. Empty if no player is to decide.
    ///
    /// # Errors
    /// If more events share a number than there are numbers to distinguish them.
    pub fn legal(&self, state: &State, pending: Option<u32>, out: &mut Vec<u32>) -> Result<(), ActionError> {
        out.clear();
        if let Some(pending) = pending {
            let alike = self.each(state).filter(|(number, _)| *number == pending).count();
            for place in 0..alike {
                out.push(self.which(place).ok_or(ActionError::TooManyAlike)?);
            }
            return Ok(());
        }
        match state.status() {
            // The most common case needs no events.
            Status::Move if state.choices().is_empty() => {
                out.extend(state.can_pass().then_some(0));
                out.extend(state.moves().iter().map(|paid| self.of_move(paid.mv)));
            }
            _ => out.extend(self.each(state).map(|(number, _)| number)),
        }
        out.sort_unstable();
        out.dedup();
        Ok(())
    }

    /// The effect of an action.
    ///
    /// # Errors
    /// If it is not among the [legal](Actions::legal) ones.
    pub fn step(&self, state: &State, pending: Option<u32>, action: u64) -> Result<Step, ActionError> {
        if !matches!(state.status(), Status::Move | Status::Choice) {
            return Err(ActionError::NoDecision);
        }
        let wrong = ActionError::NotLegal(action);
        let number = u32::try_from(action).map_err(|_| wrong)?;
        if let Some(pending) = pending {
            let place = (number as usize).checked_sub(self.alike()).filter(|&place| place < ALIKE).ok_or(wrong)?;
            let mut alike = self.each(state).filter(|(number, _)| *number == pending);
            return alike.nth(place).map(|(_, event)| Step::Event(event)).ok_or(wrong);
        }
        let mut found = self.each(state).filter(|(other, _)| *other == number);
        let (_, event) = found.next().ok_or(wrong)?;
        Ok(match found.next() {
            None => Step::Event(event),
            Some(_) => Step::Pending(number),
        })
    }

    /// The actions that lead to a legal event: its number, followed by a selecting number if others share it.
    ///
    /// # Errors
    /// If the event is not legal now, or more events share its number than there are numbers to distinguish them.
    pub fn of_event(&self, state: &State, event: &Event) -> Result<Vec<u32>, ActionError> {
        let found = self.each(state).find(|(_, other)| other == event);
        let (number, _) = found.ok_or(ActionError::NotLegal(u64::MAX))?;
        let mut alike = self.each(state).filter(|(other, _)| *other == number);
        let place = alike.position(|(_, other)| other == *event).unwrap_or(0);
        let alone = self.each(state).filter(|(other, _)| *other == number).count() == 1;
        match alone {
            true => Ok(vec![number]),
            false => Ok(vec![number, self.which(place).ok_or(ActionError::TooManyAlike)?]),
        }
    }
}
