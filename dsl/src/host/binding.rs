//! Finds the references of a script that have to be bound before the game changes, and binds them.
//!
//! Knows the references and the parts of the game that they read. Knows nothing of runs or of the interpreter.

use crate::locked::write;
use astragal_core::amount::Amount;
use astragal_core::effect::Effect;
use astragal_core::permit::Permit;
use astragal_core::query::Find;
use astragal_core::value::{Part, SideRef, Slot, SquareRef};
use std::sync::{RwLock, Weak};

/// A reference that can be bound.
pub(crate) trait Bindable: Clone {
    /// Whether it reads a part of the game that is `concerned`.
    fn reads(&mut self, concerned: &dyn Fn(Part) -> bool) -> bool;
    /// Replaces the parts that read such a part by held values.
    fn bind(&mut self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>);
    /// The value as an entry to bind.
    fn kept(cell: Weak<RwLock<Self>>) -> Kept;
}

impl Bindable for SideRef {
    fn reads(&mut self, concerned: &dyn Fn(Part) -> bool) -> bool {
        SideRef::reads(*self, concerned)
    }

    fn bind(&mut self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>) {
        if SideRef::reads(*self, concerned)
            && let Some(slot) = hold(Find::Side(*self))
        {
            *self = SideRef::Held(slot);
        }
    }

    fn kept(cell: Weak<RwLock<Self>>) -> Kept {
        Kept::Side(cell)
    }
}

impl Bindable for Amount {
    fn reads(&mut self, concerned: &dyn Fn(Part) -> bool) -> bool {
        Amount::reads(self, concerned)
    }

    fn bind(&mut self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>) {
        if Amount::reads(self, concerned)
            && let Some(slot) = hold(Find::Number(self.clone()))
        {
            *self = Amount::Slot(slot);
        }
    }

    fn kept(cell: Weak<RwLock<Self>>) -> Kept {
        Kept::Number(cell)
    }
}

impl Bindable for Permit {
    fn reads(&mut self, concerned: &dyn Fn(Part) -> bool) -> bool {
        let mut any = false;
        self.each_side(&mut |side| any |= SideRef::reads(*side, concerned));
        any
    }

    fn bind(&mut self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>) {
        self.each_side(&mut |side| side.bind(concerned, hold));
    }

    fn kept(cell: Weak<RwLock<Self>>) -> Kept {
        Kept::Moves(cell)
    }
}

/// A square as a piece; plain squares are places and never bound.
impl Bindable for SquareRef {
    fn reads(&mut self, concerned: &dyn Fn(Part) -> bool) -> bool {
        SquareRef::reads(*self, concerned)
    }

    fn bind(&mut self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>) {
        if SquareRef::reads(*self, concerned)
            && let Some(slot) = hold(Find::Piece(*self))
        {
            *self = SquareRef::Piece(slot);
        }
    }

    fn kept(cell: Weak<RwLock<Self>>) -> Kept {
        Kept::Piece(cell)
    }
}

/// A value to bind while the script holds it.
#[derive(Clone)]
pub(crate) enum Kept {
    Side(Weak<RwLock<SideRef>>),
    Number(Weak<RwLock<Amount>>),
    Moves(Weak<RwLock<Permit>>),
    Piece(Weak<RwLock<SquareRef>>),
}

impl Kept {
    /// Binds the value if it reads a `concerned` part. Returns whether it may have to be bound later.
    pub(crate) fn bind(&self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>) -> bool {
        match self {
            Kept::Side(cell) => bind(cell, concerned, hold),
            Kept::Number(cell) => bind(cell, concerned, hold),
            Kept::Moves(cell) => bind(cell, concerned, hold),
            Kept::Piece(cell) => bind(cell, concerned, hold),
        }
    }
}

fn bind<T: Bindable>(
    cell: &Weak<RwLock<T>>,
    concerned: &dyn Fn(Part) -> bool,
    hold: &mut dyn FnMut(Find) -> Option<Slot>,
) -> bool {
    let Some(cell) = cell.upgrade() else { return false };
    let mut value = write(&cell);
    value.bind(concerned, hold);
    value.reads(&|_| true)
}

/// An effect that has not been followed up.
pub(crate) struct PendingEffect {
    pub(crate) effect: Effect,
    /// The index in the run's steps where the steps for bound values are inserted.
    pub(crate) at: usize,
    /// The number of supposed effects before it.
    pub(crate) supposed: usize,
}

/// The changes that rules may make, as far as the script's text shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PossibleChanges {
    /// Sides may leave the turn order or return.
    pub order: bool,
    /// The side to move may change within a turn, or moves of another side may be generated.
    pub turn: bool,
    /// A rule resolves captures, so a move can change everything that effects can.
    pub captures: bool,
}

impl Default for PossibleChanges {
    /// Nothing is known yet.
    fn default() -> PossibleChanges {
        PossibleChanges { order: true, turn: true, captures: true }
    }
}

impl PossibleChanges {
    /// Whether rules may change a part of the game.
    pub(crate) fn includes(self, part: Part) -> bool {
        match part {
            Part::Order => self.order,
            Part::Turn => self.turn,
            Part::Owner | Part::Kind | Part::Hands | Part::Trait(_) | Part::Traits | Part::Counter(_) => true,
        }
    }

    /// Whether a move may change a part of the game.
    pub(crate) fn of_move(self, part: Part) -> bool {
        match part {
            Part::Owner | Part::Kind | Part::Hands | Part::Trait(_) | Part::Traits => true,
            Part::Order | Part::Turn | Part::Counter(_) => self.captures && self.includes(part),
        }
    }
}
