//! The state machine of a running game: a position, the running rules, and what they wait for. It waits for a roll or a
//! decision, or the game is over.
//!
//! Invariants: between calls the machine has advanced as far as it can. The listed options are exactly what [`State::play`]
//! and [`State::choose`] accept. A failed call leaves the state unchanged except after a [`RuleError`], when the state must
//! be discarded.

mod chance;
pub(crate) mod choice;
mod ended;
mod fingerprint;
mod information_key;
mod lookahead;
mod machine;
mod offered;
mod pending_roll;
mod replies;
mod size;
mod turn_boundaries;
mod why;

pub use ended::{Answers, EndedTurn, TurnEnd};
pub use offered::Choice;
pub use replies::Reply;
pub use why::{Reason, Why};

use crate::board::side::Side;
use crate::board::square::Square;
use crate::dice::{Dice, Stream};
use crate::position::moves::Move;
use crate::position::{Made, Position};
use crate::rules::Rules;
use crate::rules::effect::{GameFlow, Over};
use crate::rules::error::RuleError;
use crate::rules::faces::{Log, Watched};
use crate::rules::history::History;
use crate::rules::hook::{Hook, RuleId};
use crate::rules::plan::{Memo, MoveWithDice, Plan, Progress};
use crate::rules::rule::{Decision, NodeId, Step};
use crate::rules::value::{Slot, Value, View};
use crate::rules::walker::{Grown, TreeRef, Walker};
use crate::variant::Variant;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// The rules' view of a state in some position, holding `$env`. Borrows only the named fields, so that other parts of the
/// state can change meanwhile.
macro_rules! view {
    ($state:expr, $rules:expr, $position:expr, $env:expr) => {
        $crate::rules::value::View {
            variant: &$state.set.variant,
            rules: $rules,
            position: $position,
            env: $env,
            mover: $state.mover,
            between: $state.between,
            history: &$state.history,
            depth: 0,
        }
    };
}
use view;

/// A variant with its rules, shared by all its games on all threads (through an `Arc`).
pub struct Ruleset {
    /// The data.
    pub variant: Variant,
    /// The rules.
    pub rules: Rules,
}

/// The input that a game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// A roll: see [`State::dice`].
    Chance,
    /// A move: see [`State::moves`]; or one of the [choices](State::choices), if the rules offer any.
    Move,
    /// A choice other than a move: see [`State::choices`]. Also if the rules request a move or a choice, and no move is
    /// permitted.
    Choice,
    /// Nothing: see [`State::over`].
    Over,
}

/// An automatic event, for records and people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// A capture was tried and failed.
    Failed(Made),
    /// A rule made a move that no player chose: one that was drawn, or made before. Perhaps a capture that then
    /// [failed](Note::Failed).
    Made(Made),
    /// A turn ended: see [`EndedTurn::end`].
    Ended(EndedTurn),
}

impl Note {
    /// The turn that ended, if this is its note.
    pub fn ended(&self) -> Option<&EndedTurn> {
        match self {
            Note::Ended(turn) => Some(turn),
            Note::Failed(_) | Note::Made(_) => None,
        }
    }

    /// Whether a turn was lost.
    pub fn is_lost(&self) -> bool {
        self.ended().is_some_and(|turn| turn.end() == TurnEnd::Lost)
    }
}

/// The progress of a turn of several moves, and the memo of its look-ahead.
type Paused = (Progress, Arc<Mutex<Memo>>);

struct Frame {
    rule: RuleId,
    tree: TreeRef,
    node: NodeId,
    env: Vec<Value>,
    /// The move whose capture is being resolved.
    waiting: Option<MoveWithDice>,
    /// The slot of a move that the rule makes, until it is carried out.
    making: Option<Slot>,
    /// The progress of a turn of several moves.
    progress: Option<Progress>,
    memo: Option<Arc<Mutex<Memo>>>,
    /// The turns of several moves that have paused, the innermost last.
    paused: Vec<Paused>,
    /// The last move of a turn of several.
    last: Option<(Made, bool)>,
    /// In a `capture` rule: the move, once it has been carried out.
    completed: Option<Made>,
}

impl Clone for Frame {
    fn clone(&self) -> Frame {
        Frame {
            tree: self.tree.clone(),
            env: self.env.clone(),
            progress: self.progress.clone(),
            memo: self.memo.clone(),
            paused: self.paused.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Frame) {
        self.tree.clone_from(&source.tree);
        self.env.clone_from(&source.env);
        self.progress.clone_from(&source.progress);
        self.memo.clone_from(&source.memo);
        self.paused.clone_from(&source.paused);
        (self.rule, self.node, self.waiting) = (source.rule, source.node, source.waiting);
        self.making = source.making;
        (self.last, self.completed) = (source.last, source.completed);
    }
}

impl Frame {
    /// The tree of the running rule, from the walker.
    fn grown<'a>(&self, rules: &'a Walker) -> Grown<'a> {
        rules.grown(self.rule, &self.tree)
    }

    /// The tree of the running rule, whether or not it is the walker's.
    fn tree<'a>(&self, rules: &'a Walker) -> Grown<'a> {
        rules.looked_at(self.rule, &self.tree, self.node)
    }
}

/// The bit of a side, of up to eight.
fn bit(side: Side) -> u8 {
    1 << (side.0 & 7)
}

/// A running game. See the [module](self).
#[derive(Clone)]
pub struct State {
    /// The walker whose trees the running rules walk.
    at: u64,
    /// Doubly counted, so that the copies of a game share a counter with no other game, perhaps on another thread.
    #[allow(clippy::redundant_allocation)]
    set: Arc<Arc<Ruleset>>,
    position: Position,
    history: History,
    frames: Vec<Frame>,
    course: GameFlow,
    /// Whether the last event has set the label, even to the same text.
    labelled: bool,
    mover: Side,
    between: bool,
    status: Status,
    asked: offered::Offered,
    /// The pending roll at a chance node; otherwise perhaps the last roll.
    pending_roll: Option<pending_roll::PendingRoll>,
    /// The only side that will know the answer, if it is secret; between questions perhaps that of the last one.
    secret: Option<Side>,
    /// The sides that alone know a roll or a choice of this turn, one bit each.
    secret_to: u8,
    /// Whether a move has been made since the last adjudication.
    outcome_pending: bool,
    changed: bool,
    eventful: bool,
    answers: Answers,
    idle: usize,
    /// The position at the start of the turn, if rules changed it before a player was asked.
    begun: Option<Box<Position>>,
    turn: u32,
    notes: Vec<Note>,
    /// Empty: a buffer for the values that the rule of the next turn will hold.
    spare: Vec<Value>,
    /// The memo of the last turn of several moves, kept to reuse its memory.
    spare_memo: Option<Arc<Mutex<Memo>>>,
}

impl State {
    /// A game that starts from `position`: adjudicates it and runs rules until they wait.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn new(set: Arc<Ruleset>, position: Position) -> Result<State, RuleError> {
        let rules = &*set.rules.walker_anew(u64::MAX);
        let mut state = State::blank(Arc::new(Arc::clone(&set)), position);
        state.at = rules.serial();
        state.remember(rules)?;
        if !state.is_unprepared() {
            state.adjudicate(rules)?;
        }
        state.advance(rules)?;
        Ok(state)
    }

    /// A state that knows only its position.
    #[allow(clippy::redundant_allocation)]
    fn blank(set: Arc<Arc<Ruleset>>, position: Position) -> State {
        let sides = set.variant.sides() as u8;
        let mover = Side((position.side().0 + sides - 1) % sides);
        State {
            set,
            at: u64::MAX,
            position,
            history: History::default(),
            frames: Vec::new(),
            course: GameFlow::default(),
            labelled: false,
            mover,
            between: true,
            status: Status::Over,
            asked: offered::Offered::default(),
            pending_roll: None,
            secret: None,
            secret_to: 0,
            outcome_pending: false,
            changed: false,
            eventful: false,
            answers: Answers::default(),
            idle: 0,
            begun: None,
            turn: 0,
            notes: Vec::new(),
            spare: Vec::new(),
            spare_memo: None,
        }
    }

    /// Becomes a copy of a state with the same status, but without the offered moves and the notes. Reuses memory, and does
    /// not recount references that both share already.
    fn become_copy_without_moves(&mut self, from: &State) {
        if !Arc::ptr_eq(&self.set, &from.set) {
            self.set = Arc::clone(&from.set);
        }
        self.at = from.at;
        self.position.clone_from(&from.position);
        self.history.clone_from(&from.history);
        self.frames.clone_from(&from.frames);
        self.course.clone_from(&from.course);
        self.asked.become_copy_without_moves(&from.asked);
        pending_roll::copy_pending(&mut self.pending_roll, &from.pending_roll);
        self.begun.clone_from(&from.begun);
        self.notes.clear();
        (self.mover, self.between, self.status) = (from.mover, from.between, from.status);
        (self.secret, self.secret_to, self.outcome_pending) = (from.secret, from.secret_to, from.outcome_pending);
        (self.changed, self.eventful, self.answers) = (from.changed, from.eventful, from.answers);
        (self.idle, self.turn, self.labelled) = (from.idle, from.turn, from.labelled);
    }

    /// The variant and its rules.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.set
    }

    /// The walker of the rules on the current thread.
    pub fn walker(&self) -> Rc<Walker> {
        let rules = self.set.rules.walker();
        if rules.serial() != self.at {
            rules.refresh();
        }
        rules
    }

    /// The walker of the rules on the current thread, for a new event: it has the trees that the running rules walk.
    fn enter(&mut self) -> Result<Rc<Walker>, RuleError> {
        let rules = self.set.rules.walker_anew(self.at);
        if rules.serial() != self.at {
            self.settle(&rules)?;
        }
        Ok(rules)
    }

    /// Adapts a state from another thread, or from another generation of trees.
    #[cold]
    #[inline(never)]
    fn settle(&mut self, rules: &Walker) -> Result<(), RuleError> {
        rules.refresh();
        for frame in &mut self.frames {
            let has = |frame: &Frame| rules.has_tree(frame.rule, &frame.tree, frame.node);
            if !has(frame) {
                rules.fetch(frame.rule);
            }
            if !has(frame) {
                frame.node = rules.part(frame.rule, &mut frame.tree, frame.node)?;
            }
        }
        self.at = rules.serial();
        Ok(())
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The current status of the game.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The side whose turn it is (or was, if the game is over).
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The result of the game, if it is over.
    pub fn over(&self) -> Option<&Over> {
        self.course.over.as_ref()
    }

    /// The number of turns that have ended.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The position at the start of the current turn, if no player has been asked anything in it yet; otherwise the present
    /// one.
    pub fn turn_start(&self) -> &Position {
        self.begun.as_deref().unwrap_or(&self.position)
    }

    /// Whether a player has made a move or another choice in the current turn.
    pub fn has_acted(&self) -> bool {
        self.answers.moved || self.answers.chose
    }

    /// The last label that the script set.
    pub fn label(&self) -> Option<&str> {
        self.course.label.as_deref()
    }

    /// The label, if the last event set it: the roll, move or choice before the present status. It may equal an earlier
    /// label.
    pub fn new_label(&self) -> Option<&str> {
        self.label().filter(|_| self.labelled)
    }

    fn pending_roll(&self) -> Option<&pending_roll::PendingRoll> {
        self.pending_roll.as_ref().filter(|_| self.status == Status::Chance)
    }

    /// The pending dice.
    pub fn dice(&self) -> Option<&Arc<Dice>> {
        self.pending_roll().map(|pending_roll| &pending_roll.dice)
    }

    /// For a square drawn by lot, the squares: a die that shows 1 draws the first. Empty for other dice.
    pub fn drawn_from(&self) -> &[Square] {
        match self.pending_roll().map(|pending_roll| &pending_roll.landing) {
            Some(pending_roll::Landing::Square(squares)) => squares,
            _ => &[],
        }
    }

    /// For a move drawn by lot, the moves: a die that shows 1 draws the first. Empty for other dice.
    pub fn drawn_moves(&self) -> &[Move] {
        match self.pending_roll().map(|pending_roll| &pending_roll.landing) {
            Some(pending_roll::Landing::Move(moves)) => moves,
            _ => &[],
        }
    }

    /// For dice rolled for squares, the squares, in the order of the dice; otherwise empty.
    pub fn rolled_for(&self) -> &[Square] {
        match self.pending_roll().map(|pending_roll| &pending_roll.landing) {
            Some(pending_roll::Landing::Each(squares)) => squares,
            _ => &[],
        }
    }

    /// The only side that will know the result of the pending roll or choice; `None` if all will.
    pub fn secret(&self) -> Option<Side> {
        self.secret.filter(|_| matches!(self.status, Status::Chance | Status::Choice))
    }

    /// Whether dice were rolled or choices made in secret in the current turn (or the last, if the game is over).
    pub fn rolled_in_secret(&self) -> bool {
        self.secret_to != 0
    }

    /// Whether others may know something about the game that `side` does not: values of secret counters and traits, and
    /// secret rolls or choices of the current turn.
    pub fn hides_from(&self, side: Side) -> bool {
        self.set.variant.has_secrets() || self.secret_to & !bit(side) != 0
    }

    /// Notes which side alone will know the result of the pending roll or choice.
    fn note_secret(&mut self) {
        self.secret_to |= self.secret.map_or(0, bit);
    }

    /// The permitted moves, if a move is pending.
    pub fn moves(&self) -> &[MoveWithDice] {
        debug_assert!(!self.asked.unlisted, "the legal moves have not been listed");
        if self.status == Status::Move { &self.asked.moves } else { &[] }
    }

    /// From now on each decision offers a single move, drawn with `stream` from the permitted ones with equal chances; a
    /// pending decision keeps its moves. For random games: drawing a move is several times faster than listing all, since
    /// only drawn moves are tested. Decisions that offer choices beside moves still offer everything.
    ///
    /// All turns in which moves are drawn count as [decided](TurnEnd::Decided): see [`State::draw_moves_and_compare`].
    pub fn draw_moves(&mut self, stream: Stream) {
        self.asked.draw = Some(offered::Drawing { stream, counts_others: false });
    }

    /// The same, and finds out whether each drawn move was the only one, so that turns count as [forced](TurnEnd::Forced)
    /// or decided as they do with listed moves.
    pub fn draw_moves_and_compare(&mut self, stream: Stream) {
        self.asked.draw = Some(offered::Drawing { stream, counts_others: true });
    }

    /// Lists the moves of the pending decision where they are drawn or their listing has been
    /// [deferred](State::become_after_unlisted); from now on moves are listed. Random players need the list if passing is
    /// allowed, since the chance of a pass depends on the number of moves.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn list_moves(&mut self) -> Result<(), RuleError> {
        let listed = self.asked.draw.take().is_none() && !self.asked.unlisted;
        if listed || self.status != Status::Move {
            return Ok(());
        }
        let rules = &*self.enter()?;
        self.advance(rules)
    }

    /// Whether the player may pass.
    pub fn can_pass(&self) -> bool {
        self.decides() && self.asked.can_pass
    }

    /// The choices, if a choice is pending; if a move is pending, the alternatives to it.
    pub fn choices(&self) -> &[Choice] {
        if self.decides() { &self.asked.choices } else { &[] }
    }

    /// Whether a player is to decide something.
    fn decides(&self) -> bool {
        matches!(self.status, Status::Move | Status::Choice)
    }

    /// Whether the pending move is only named, not made: the rules decide what to do with it.
    pub fn names_move(&self) -> bool {
        self.status == Status::Move && self.asked.names
    }

    /// The question of a decision, in the script's words, if there is one. It has no effect on the game.
    pub fn question(&self) -> Option<Arc<str>> {
        let frame = self.frames.last().filter(|_| self.decides())?;
        match frame.tree(&self.walker()).step(frame.node) {
            Step::Decide(decision) => decision.question().cloned(),
            _ => None,
        }
    }

    /// Whether the choice is which of some dice to keep.
    pub fn keeps_dice(&self) -> bool {
        let frame = self.frames.last().filter(|_| self.status == Status::Choice);
        frame.is_some_and(|frame| match frame.tree(&self.walker()).step(frame.node) {
            Step::Decide(decision) => matches!(decision.bare(), Decision::Keep { .. }),
            _ => false,
        })
    }

    /// The side that is to move, choose or roll: the mover, unless the rules ask another side.
    pub fn chooser(&self) -> Side {
        let Some(frame) = self.frames.last() else { return self.mover };
        let rules = self.walker();
        let by = match frame.tree(&rules).step(frame.node) {
            Step::Decide(decision) => decision.by(),
            _ => None,
        };
        by.and_then(|by| self.view(&rules).side(by)).unwrap_or_else(|| self.position.side())
    }

    /// Whether the game begins with a preparation before the first turn.
    fn is_unprepared(&self) -> bool {
        let variant = &self.set.variant;
        let Some(counter) = variant.spec().unprepared else { return false };
        self.set.rules.has(Hook::Prepare) && self.position.counter(variant, counter as usize, Side::FIRST) > 0
    }

    /// Whether the preparation before the first turn is in progress.
    pub fn is_preparing(&self) -> bool {
        self.frames.first().is_some_and(|frame| frame.rule == Hook::Prepare.id())
    }

    /// The faces of the rolled and unused dice, during a turn of several moves.
    pub fn unused(&self) -> Option<Vec<i16>> {
        let (plan, progress) = self.plan()?;
        Some(plan.faces_of(progress.left))
    }

    /// The faces that pay for a permitted move.
    pub fn price(&self, paid: MoveWithDice) -> Vec<i16> {
        self.plan().map_or(Vec::new(), |(plan, _)| plan.faces_of(paid.dice))
    }

    /// The payment for a permitted move with dice that show these faces, in any order. It may be the listed payment or one
    /// with equivalent dice: of dice that pay for the same, only the first is listed.
    pub fn paid_with(&self, paid: MoveWithDice, faces: &[i16]) -> Option<MoveWithDice> {
        let (plan, progress) = self.plan()?;
        plan.paid_with(progress.left, paid, faces)
    }

    /// Whether a move with this payment is possible: it is listed, or paid with equivalent dice.
    pub(crate) fn permits(&self, paid: MoveWithDice) -> bool {
        self.moves().contains(&paid) || self.accepts(paid)
    }

    /// Whether a move is paid with other dice than listed, but equivalent ones.
    #[cold]
    fn accepts(&self, paid: MoveWithDice) -> bool {
        let listed = |plan: &Plan, left| self.moves().iter().any(|&listed| plan.accepts(left, listed, paid));
        self.plan().is_some_and(|(plan, progress)| listed(&plan, progress.left))
    }

    /// The plan of the current turn and its progress.
    pub fn plan(&self) -> Option<(Arc<Plan>, &Progress)> {
        self.frames.last()?.progress.as_ref()?;
        self.plan_by(&self.walker())
    }

    fn plan_by(&self, rules: &Walker) -> Option<(Arc<Plan>, &Progress)> {
        let frame = self.frames.last()?;
        let progress = frame.progress.as_ref()?;
        match frame.tree(rules).step(frame.node) {
            Step::Decide(decision) => decision.plan().map(|plan| (Arc::clone(plan), progress)),
            _ => None,
        }
    }

    /// The questions and answers so far in the current turn; those of the last turn, if one of its moves has ended the
    /// game. A [`Note`] reports a turn that has ended.
    pub fn turn_so_far(&self) -> Answers {
        Answers { asked: self.eventful, ..self.answers }
    }

    /// The notes since they were last [taken](State::take_notes).
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Takes the notes since they were last taken.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Whether outcome number `index` of the dice is possible (always, except for conditional rolls).
    pub fn can_roll(&self, index: u64) -> bool {
        self.can_roll_all() || self.can_roll_this(index)
    }

    #[inline(never)]
    fn can_roll_this(&self, index: u64) -> bool {
        let rules = self.walker();
        self.pending_roll().is_none_or(|pending_roll| pending_roll.can_show(index, || self.view(&rules)))
    }

    /// From now on a label is only [new](State::new_label) if it is set again.
    pub(crate) fn forget_label(&mut self) {
        self.labelled = false;
    }

    /// As [`State::roll`]. If a rule holds the faces, questions about them are recorded in `log` under the place `site`.
    /// Consecutive rolls count as one event: a [new](State::new_label) label stays new.
    pub(crate) fn roll_watched(&mut self, index: u64, site: u32, log: &Log) -> Result<(), RuleError> {
        let rules = &*self.enter()?;
        self.note_secret();
        let held = self.holds_unseen();
        let answer = self.land(rules, index)?;
        if let Some(value) = self.frames.last_mut().and_then(|frame| frame.env.last_mut()).filter(|_| held) {
            let faces = std::mem::replace(value, Value::None);
            *value = Value::Watched(Arc::new(Watched::new(faces, site, Arc::clone(log))));
        }
        self.follow(rules, answer)?;
        self.advance(rules)
    }

    /// From now on questions about faces are not recorded.
    pub(crate) fn unwatch(&mut self) {
        for value in self.frames.iter_mut().flat_map(|frame| &mut frame.env) {
            if let Value::Watched(watched) = value {
                *value = watched.value().clone();
            }
        }
    }

    /// Goes on from the middle of a turn of several moves: all dice but those that show `unused` are spent. Obligations are
    /// computed anew from here. False if no such turn is in progress.
    ///
    /// # Errors
    /// If a rule fails.
    pub(crate) fn resume(&mut self, unused: &[i16]) -> Result<bool, RuleError> {
        let Some((plan, progress)) = self.plan() else { return Ok(false) };
        let Some(left) = plan.pick(plan.all(), unused) else { return Ok(false) };
        if left == progress.left {
            return Ok(true);
        }
        let mut progress = Progress { left, made: 1, ..progress.clone() };
        let rules = &*self.enter()?;
        let judged = plan.reassess(&self.view(rules), &mut progress, &mut Memo::default());
        judged.map_err(|error| self.blamed(rules, self.turn, error))?;
        if let Some(frame) = self.frames.last_mut() {
            frame.progress = Some(progress);
        }
        self.answers.moved = true;
        self.advance(rules)?;
        Ok(true)
    }

    /// The current step of the rules.
    fn step(&self, rules: &Walker) -> Option<Step> {
        self.frames.last().map(|frame| frame.tree(rules).step(frame.node).clone())
    }

    /// The rules' present view, where `rules` is this thread's [walker](State::walker).
    pub fn view<'a>(&'a self, rules: &'a Walker) -> View<'a> {
        let env = self.frames.last().map_or(&[][..], |frame| &frame.env);
        view!(self, rules, &self.position, env)
    }

    /// How often the present position has occurred at the end of a turn.
    pub fn repetitions(&self) -> usize {
        self.history.repetitions(self.history.len())
    }

    /// One more than the number of turns that ended with another position than they began with.
    pub(crate) fn positions(&self) -> usize {
        self.history.len()
    }
}
