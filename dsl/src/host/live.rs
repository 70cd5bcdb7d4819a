//! Values that are looked up late, and how they are kept what they were.
//!
//! Sides, pieces, numbers and permits that a script has are references (see `astragal_core::value` for the table).
//! What such a reference means is looked up when it is used, which costs the rule's tree nothing. So before the
//! game changes, those that the change concerns are bound: the rule finds what they mean and holds it, and the
//! script's value is from then on the slot. Only values that the script still has are bound.
//!
//! An effect is followed up when the script next does something: by then it has dropped what it made only for the
//! call. What is found goes in front of the effect. Tests of moves are run later, in other positions: what they
//! captured is bound where they are met.

use super::trace::{Host, Trace};
use super::values::{AmountV, BundleV, CastV, PermitV, SideV, SquareV};
use crate::locked::{read, write};
use astragal_core::amount::Amount;
use astragal_core::effect::Effect;
use astragal_core::permit::Permit;
use astragal_core::query::Find;
use astragal_core::rule::Step;
use astragal_core::value::{MAX_SLOTS, Part, SideRef, Slot, SquareRef};
use rhai::{AST, ASTNode, Array, Dynamic, Expr, FnPtr, Map, Stmt};
use std::collections::BTreeSet;
use std::sync::{Arc, RwLock, RwLockReadGuard, Weak};

/// A value of a script: copies of it are bound together.
#[derive(Clone)]
pub(crate) struct Live<T> {
    cell: Arc<RwLock<T>>,
    /// Whoever binds it; nobody, if it cannot mean anything else.
    host: Option<Host>,
}

impl<T: std::fmt::Debug> std::fmt::Debug for Live<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        read(&self.cell).fmt(f)
    }
}

impl<T: Clone> Live<T> {
    /// A value that cannot come to mean anything else.
    pub(crate) fn fixed(value: T) -> Live<T> {
        Live { cell: Arc::new(RwLock::new(value)), host: None }
    }

    /// The reference, good until the next effect or decision.
    pub(crate) fn now(&self) -> T {
        if let Some(host) = &self.host {
            host.settle();
        }
        read(&self.cell).clone()
    }

    /// A look at it as it is, for those who only measure and print.
    pub(crate) fn peek(&self) -> RwLockReadGuard<'_, T> {
        read(&self.cell)
    }
}

/// What can be bound.
pub(crate) trait Bindable: Clone {
    /// Whether it reads a part of the game that is `concerned`.
    fn reads(&mut self, concerned: &dyn Fn(Part) -> bool) -> bool;
    /// Puts what is held in place of what reads such a part.
    fn bind(&mut self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>);
    /// The value among others to be bound.
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

/// A value to be bound, as long as the script has it.
#[derive(Clone)]
pub(crate) enum Kept {
    Side(Weak<RwLock<SideRef>>),
    Number(Weak<RwLock<Amount>>),
    Moves(Weak<RwLock<Permit>>),
    Piece(Weak<RwLock<SquareRef>>),
}

impl Kept {
    /// Binds the value if it reads a part that is `concerned`; whether it may have to be bound later.
    fn bind(&self, concerned: &dyn Fn(Part) -> bool, hold: &mut dyn FnMut(Find) -> Option<Slot>) -> bool {
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
pub(crate) struct Pending {
    effect: Effect,
    /// Where in the steps of the run what is found goes.
    at: usize,
    /// How many of the supposed effects come before.
    supposed: usize,
}

/// What the text of a script says about the changes that its rules may make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reach {
    /// Sides may leave the order of turns or come back.
    pub order: bool,
    /// It may become another side's move within a turn, or moves of another side may be looked at.
    pub turn: bool,
    /// A rule resolves captures: a move may do all that effects may.
    pub captures: bool,
}

impl Default for Reach {
    /// Nothing is known yet.
    fn default() -> Reach {
        Reach { order: true, turn: true, captures: true }
    }
}

impl Reach {
    fn includes(self, part: Part) -> bool {
        match part {
            Part::Order => self.order,
            Part::Turn => self.turn,
            Part::Owner | Part::Kind | Part::Trait(_) | Part::Traits | Part::Counter(_) => true,
        }
    }

    /// Whether a move may change a part of the game.
    fn of_move(self, part: Part) -> bool {
        match part {
            Part::Owner | Part::Kind | Part::Trait(_) | Part::Traits => true,
            Part::Order | Part::Turn | Part::Counter(_) => self.captures && self.includes(part),
        }
    }
}

/// The names of all functions that a script calls or mentions.
pub(crate) fn names(ast: &AST, names: &mut BTreeSet<String>) {
    ast.walk(&mut |path: &[ASTNode]| {
        let called = match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => Some(call.name.to_string()),
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => Some(variable.1.to_string()),
            _ => None,
        };
        names.extend(called);
        true
    });
}

impl Host {
    /// A side as a script has it.
    pub(crate) fn side_value(&self, side: SideRef) -> SideV {
        SideV(self.live(side))
    }

    /// A number as a script has it.
    pub(crate) fn number_value(&self, number: Amount) -> AmountV {
        AmountV(self.live(number))
    }

    /// A permit as a script has it.
    pub(crate) fn permit_value(&self, permit: Permit) -> PermitV {
        PermitV(self.live(permit))
    }

    /// The piece on a square as a script has it.
    pub(crate) fn piece_value(&self, square: SquareRef) -> SquareV {
        SquareV(self.live(square))
    }

    fn live<T: Bindable>(&self, mut value: T) -> Live<T> {
        // An effect before this does not concern what is asked now.
        self.settle();
        let mut trace = self.trace();
        let reach = trace.reach;
        if !value.reads(&|part| reach.includes(part)) {
            return Live::fixed(value);
        }
        let cell = Arc::new(RwLock::new(value));
        if trace.is_running() {
            trace.kept.push(T::kept(Arc::downgrade(&cell)));
        }
        Live { cell, host: Some(self.clone()) }
    }

    /// A constant of the script's top level as a rule sees it. It was made before any game: what it means is what
    /// it means when the rule reads it.
    pub(crate) fn anew(&self, value: &Dynamic) -> Dynamic {
        if let Some(side) = value.read_lock::<SideV>() {
            return Dynamic::from(self.side_value(side.0.peek().to_owned()));
        }
        if let Some(number) = value.read_lock::<AmountV>() {
            return Dynamic::from(self.number_value(number.0.peek().clone()));
        }
        if let Some(permit) = value.read_lock::<PermitV>() {
            return Dynamic::from(self.permit_value(permit.0.peek().clone()));
        }
        if let Some(square) = value.read_lock::<SquareV>() {
            // Places are fixed.
            let piece = square.0.host.is_some();
            return if piece { Dynamic::from(self.piece_value(*square.0.peek())) } else { value.clone() };
        }
        if let Some(items) = value.read_lock::<Array>() {
            return items.iter().map(|item| self.anew(item)).collect::<Array>().into();
        }
        if let Some(entries) = value.read_lock::<Map>() {
            return entries.iter().map(|(key, item)| (key.clone(), self.anew(item))).collect::<Map>().into();
        }
        value.clone()
    }

    /// Follows up the last effect: binds what it concerns.
    pub(crate) fn settle(&self) {
        let mut trace = self.trace();
        let Some(Pending { effect, at, supposed }) = trace.pending.take() else { return };
        trace.bind_kept(at, supposed, &|part| effect.concerns(part));
    }

    /// Binds what a move may concern.
    pub(crate) fn before_moves(&self) {
        self.settle();
        let mut trace = self.trace();
        let (at, reach) = (trace.steps.len(), trace.reach);
        trace.bind_kept(at, 0, &|part| reach.of_move(part));
    }

    /// Binds all that a test captured.
    pub(crate) fn bind_captured(&self, test: &FnPtr) {
        self.settle();
        let mut trace = self.trace();
        let (at, supposed, reach) = (trace.steps.len(), trace.supposed.len(), trace.reach);
        trace.bind_all(captured(test), at, supposed, &|part| reach.includes(part));
    }
}

impl Trace {
    /// Notes an effect, already among the steps or the supposed effects, to be followed up.
    pub(crate) fn await_effect(&mut self, effect: Effect) {
        let (at, supposed) = match self.supposing {
            true => (self.steps.len(), self.supposed.len() - 1),
            false => (self.steps.len() - 1, 0),
        };
        self.pending = Some(Pending { effect, at, supposed });
    }

    /// Binds values that were made under a supposition, from its effect number `first` on, and are taken out of it.
    pub(crate) fn bind_supposed(&mut self, first: usize) {
        let (at, supposed) = (self.steps.len(), self.supposed.len());
        let effects = self.supposed[first.min(supposed)..].to_vec();
        self.bind_kept(at, supposed, &|part| effects.iter().any(|effect| effect.concerns(part)));
    }

    fn bind_kept(&mut self, at: usize, supposed: usize, concerned: &dyn Fn(Part) -> bool) {
        let kept = std::mem::take(&mut self.kept);
        self.kept = self.bind_all(kept, at, supposed, concerned);
    }

    /// Binds what reads a part that is `concerned`, by steps that go to index `at`, under so many of the supposed
    /// effects; returns what may have to be bound later.
    fn bind_all(
        &mut self,
        mut kept: Vec<Kept>,
        at: usize,
        supposed: usize,
        concerned: &dyn Fn(Part) -> bool,
    ) -> Vec<Kept> {
        if kept.is_empty() {
            return kept;
        }
        let first = self.slots;
        let mut found: Vec<Find> = Vec::new();
        let mut overfull = false;
        let mut hold = |find: Find| {
            let index = found.iter().position(|known| *known == find).unwrap_or(found.len());
            if first + index >= MAX_SLOTS {
                overfull = true;
                return None;
            }
            if index == found.len() {
                found.push(find);
            }
            Some((first + index) as Slot)
        };
        kept.retain(|value| value.bind(concerned, &mut hold));
        self.overfull |= overfull;
        self.slots += found.len();
        let effects = &self.supposed[..supposed];
        let step = |find| match effects {
            [] => Step::Find(find),
            _ => Step::Find(Find::Suppose(Arc::new(effects.to_vec()), Box::new(find))),
        };
        self.steps.splice(at..at, found.into_iter().map(step));
        kept
    }
}

/// All that a function captured which may have to be bound.
pub(crate) fn captured(function: &FnPtr) -> Vec<Kept> {
    let mut found = Vec::new();
    function.curry().iter().for_each(|value| collect(value, &mut found));
    found
}

fn collect(value: &Dynamic, found: &mut Vec<Kept>) {
    fn keep<T: Bindable>(value: &Live<T>, found: &mut Vec<Kept>) {
        if value.host.is_some() {
            found.push(T::kept(Arc::downgrade(&value.cell)));
        }
    }
    if let Some(side) = value.read_lock::<SideV>() {
        keep(&side.0, found);
    } else if let Some(number) = value.read_lock::<AmountV>() {
        keep(&number.0, found);
    } else if let Some(permit) = value.read_lock::<PermitV>() {
        keep(&permit.0, found);
    } else if let Some(square) = value.read_lock::<SquareV>() {
        keep(&square.0, found);
    } else if let Some(bundle) = value.read_lock::<BundleV>() {
        keep(&bundle.permit, found);
    } else if let Some(cast) = value.read_lock::<CastV>() {
        cast.2.iter().for_each(|side| keep(&side.0, found));
    } else if let Some(items) = value.read_lock::<Array>() {
        items.iter().for_each(|item| collect(item, found));
    } else if let Some(entries) = value.read_lock::<Map>() {
        entries.values().for_each(|item| collect(item, found));
    } else if let Some(function) = value.read_lock::<FnPtr>() {
        function.curry().iter().for_each(|item| collect(item, found));
    }
}
