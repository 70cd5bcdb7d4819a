//! The state machine of a running game: a position, the rules that are under way, and what they wait
//! for. It always waits for a roll, a decision, or nothing because the game is over.
//!
//! Invariants: between calls the machine has been advanced as far as it goes; the options listed are
//! exactly what [`State::play`] and [`State::choose`] accept; a failed call leaves the state as it was
//! except after a [`RuleError`], when the state must be discarded.

mod chance;
pub(crate) mod choice;
mod ended;
mod fingerprint;
mod lookahead;
mod machine;
mod offered;
mod replies;
mod sight;
mod size;
mod turn_boundaries;
mod why;

pub use ended::{Answers, EndedTurn, TurnEnd};
pub use replies::Reply;
pub use why::{Reason, Why};

use crate::board::piece::Side;
use crate::board::square::Square;
use crate::dice::{Dice, Stream};
use crate::position::moves::Move;
use crate::position::{Made, Position};
use crate::rules::Rules;
use crate::rules::effect::{Course, Over};
use crate::rules::faces::{Log, Watched};
use crate::rules::history::History;
use crate::rules::plan::{Memo, Paid, Plan, Progress};
use crate::rules::rule::{Decision, Hook, NodeId, RuleError, RuleId, Step};
use crate::rules::value::{Slot, Value, View};
use crate::rules::walker::{Grown, TreeRef, Walker};
use crate::variant::Variant;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// What rules see of a state in some position, holding `$env`. Borrows only what it names: other parts of the
/// state can be changed meanwhile.
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

/// A variant together with its rules: what games are played by. One serves all threads: share it by `Arc`.
pub struct Ruleset {
    /// The data.
    pub variant: Variant,
    /// The rules.
    pub rules: Rules,
}

/// What a game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Dice: see [`State::dice`].
    Chance,
    /// A move: see [`State::moves`]; where the rules say so, or one of the [choices](State::choices).
    Move,
    /// A choice other than a move: see [`State::choices`]. Also where the rules ask for a move or a choice, and no move is
    /// permitted.
    Choice,
    /// Nothing: see [`State::over`].
    Over,
}

/// One of the answers to a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A text of the script's.
    Text(String),
    /// A square.
    Square(Square),
}

/// Something that happened without anyone being asked, for records and people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// A capture was tried and did not succeed.
    Failed(Made),
    /// A rule made a move that nobody played: one that was drawn, or made before. Perhaps a capture that then [failed](Note::Failed).
    Made(Made),
    /// A turn ended: how, [`EndedTurn::end`] says.
    Ended(EndedTurn),
}

impl Note {
    /// The turn that ended, if that is what happened.
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

/// How far a turn of several moves has come, and what looking ahead has shown.
type Paused = (Progress, Arc<Mutex<Memo>>);

struct Frame {
    rule: RuleId,
    tree: TreeRef,
    node: NodeId,
    env: Vec<Value>,
    /// The move whose capture is being resolved.
    waiting: Option<Paid>,
    /// The slot of a move that the rule makes itself, and that has not been carried out.
    making: Option<Slot>,
    /// How far a turn of several moves has come, and what looking ahead has shown.
    progress: Option<Progress>,
    memo: Option<Arc<Mutex<Memo>>>,
    /// The turns of several moves that have paused, the innermost last.
    paused: Vec<Paused>,
    /// The last move of a turn of several.
    last: Option<(Made, bool)>,
    /// In a `capture` rule: what the move was, once it has been carried out.
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
    /// The tree that the rule walks, which the walker has.
    fn grown<'a>(&self, rules: &'a Walker) -> Grown<'a> {
        rules.grown(self.rule, &self.tree)
    }

    /// The tree that the rule walks, whether the walker has it or not.
    fn tree<'a>(&self, rules: &'a Walker) -> Grown<'a> {
        rules.looked_at(self.rule, &self.tree, self.node)
    }
}

/// A side among up to eight.
fn bit(side: Side) -> u8 {
    1 << (side.0 & 7)
}

/// A running game. See the [module](self).
#[derive(Clone)]
pub struct State {
    /// The walker that has the trees which the rules under way walk.
    at: u64,
    /// Twice: copies of a game count each other where no other game's do, perhaps on another thread.
    #[allow(clippy::redundant_allocation)]
    set: Arc<Arc<Ruleset>>,
    position: Position,
    history: History,
    frames: Vec<Frame>,
    course: Course,
    /// The last event has led to a label, perhaps the one that was there before.
    labelled: bool,
    mover: Side,
    between: bool,
    status: Status,
    asked: offered::Offered,
    /// What is rolled at a chance point; elsewhere perhaps what was rolled last.
    pending_roll: Option<chance::PendingRoll>,
    /// The only side that will know the answer, if it is not for all; elsewhere perhaps who knew the last.
    secret: Option<Side>,
    /// The sides that alone know a roll or a choice of this turn, one bit each.
    secret_to: u8,
    /// A move has been made since the outcome was last judged.
    outcome_pending: bool,
    changed: bool,
    eventful: bool,
    answers: Answers,
    idle: usize,
    /// The position that the turn began with, where rules have changed it before anyone was asked.
    begun: Option<Box<Position>>,
    turn: u32,
    notes: Vec<Note>,
    /// Empty: room for what the rule of the next turn will hold.
    spare: Vec<Value>,
    /// What the last turn of several moves has found out: its room can be used again.
    spare_memo: Option<Arc<Mutex<Memo>>>,
}

impl State {
    /// A game that starts from `position`; the outcome is judged and rules run until they wait.
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

    /// A state of which nothing is known but the position.
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
            course: Course::default(),
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

    /// Becomes a copy of a state that waits for the same, but knows neither the moves that are offered nor what has been
    /// noted. Room that is there is used again, and what both share already is not counted anew.
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
        chance::copy_pending(&mut self.pending_roll, &from.pending_roll);
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

    /// The walker of the rules on the present thread.
    pub fn walker(&self) -> Rc<Walker> {
        let rules = self.set.rules.walker();
        if rules.serial() != self.at {
            rules.refresh();
        }
        rules
    }

    /// The walker of the rules on the present thread, for a new event: it has the trees that the rules under way walk.
    fn enter(&mut self) -> Result<Rc<Walker>, RuleError> {
        let rules = self.set.rules.walker_anew(self.at);
        if rules.serial() != self.at {
            self.settle(&rules)?;
        }
        Ok(rules)
    }

    /// Comes from another thread, or from another generation of trees.
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

    /// What the game waits for.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whose turn it is (or was, if the game is over).
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// How the game ended, if it has.
    pub fn over(&self) -> Option<&Over> {
        self.course.over.as_ref()
    }

    /// The number of turns that have ended.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The position that the turn under way began with, if nobody has been asked anything in it yet;
    /// else the present one.
    pub(crate) fn turn_start(&self) -> &Position {
        self.begun.as_deref().unwrap_or(&self.position)
    }

    /// Whether somebody has made a move or another choice in the turn under way.
    pub fn has_acted(&self) -> bool {
        self.answers.moved || self.answers.chose
    }

    /// What happened last, as the script named it.
    pub fn label(&self) -> Option<&str> {
        self.course.label.as_deref()
    }

    /// The same, if it was the last event that led to it: the roll, move or choice before what is waited for now. The same
    /// may be said again.
    pub fn new_label(&self) -> Option<&str> {
        self.label().filter(|_| self.labelled)
    }

    fn pending_roll(&self) -> Option<&chance::PendingRoll> {
        self.pending_roll.as_ref().filter(|_| self.status == Status::Chance)
    }

    /// The dice waited for.
    pub fn dice(&self) -> Option<&Arc<Dice>> {
        self.pending_roll().map(|pending_roll| &pending_roll.dice)
    }

    /// For a square drawn by chance, the squares: the die that shows 1 draws the first. Empty for other dice.
    pub fn drawn_from(&self) -> &[Square] {
        match self.pending_roll().map(|pending_roll| &pending_roll.landing) {
            Some(chance::Landing::Square(squares)) => squares,
            _ => &[],
        }
    }

    /// For a move drawn by chance, the moves: the die that shows 1 draws the first. Empty for other dice.
    pub fn drawn_moves(&self) -> &[Move] {
        match self.pending_roll().map(|pending_roll| &pending_roll.landing) {
            Some(chance::Landing::Move(moves)) => moves,
            _ => &[],
        }
    }

    /// For dice rolled for squares, the squares, in the order of the dice; empty for others.
    pub fn rolled_for(&self) -> &[Square] {
        match self.pending_roll().map(|pending_roll| &pending_roll.landing) {
            Some(chance::Landing::Each(squares)) => squares,
            _ => &[],
        }
    }

    /// The only side that will know what comes of the roll or choice waited for; `None` if all will.
    pub fn secret(&self) -> Option<Side> {
        self.secret.filter(|_| matches!(self.status, Status::Chance | Status::Choice))
    }

    /// Whether dice have been rolled or choices made in secret in the turn under way (or the last, if the
    /// game is over).
    pub fn rolled_in_secret(&self) -> bool {
        self.secret_to != 0
    }

    /// Whether something in the game may be known to others and not to `side`: what is kept in secret counters and traits,
    /// and what was rolled or chosen in secret in the turn under way.
    pub fn hides_from(&self, side: Side) -> bool {
        self.set.variant.has_secrets() || self.secret_to & !bit(side) != 0
    }

    /// Notes who alone will know what comes of what is waited for.
    fn note_secret(&mut self) {
        self.secret_to |= self.secret.map_or(0, bit);
    }

    /// The permitted moves, when a move is waited for.
    pub fn moves(&self) -> &[Paid] {
        debug_assert!(!self.asked.unlisted, "moves that have not been listed");
        if self.status == Status::Move { &self.asked.moves } else { &[] }
    }

    /// From now on each decision offers one move only, drawn with `stream` from those permitted, each
    /// with the same chance; a decision already arrived at keeps its moves. For random games: to draw a
    /// move is several times faster than to list all, since only moves that are drawn are tested. Where choices
    /// stand beside the moves, all are offered as ever.
    ///
    /// All turns in which moves are drawn count as [decided](TurnEnd::Decided): see [`State::draw_moves_and_compare`].
    pub fn draw_moves(&mut self, stream: Stream) {
        self.asked.draw = Some(offered::Drawing { stream, counts_others: false });
    }

    /// The same, and of each move drawn it is found out whether it was the only one, so that turns count as
    /// [forced](TurnEnd::Forced) or decided as they do where moves are listed.
    pub fn draw_moves_and_compare(&mut self, stream: Stream) {
        self.asked.draw = Some(offered::Drawing { stream, counts_others: true });
    }

    /// Lists the moves of the decision at hand where they are drawn or their listing has been
    /// [put off](State::become_after_unlisted); from now on moves are listed. Whoever draws moves needs the list where
    /// a player may do without one, for the chance of that depends on how many there are.
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

    /// Whether the player may do without a move.
    pub fn can_pass(&self) -> bool {
        self.decides() && self.asked.can_pass
    }

    /// The choices, when one is waited for; when a move is, those that may be made instead.
    pub fn choices(&self) -> &[Choice] {
        if self.decides() { &self.asked.choices } else { &[] }
    }

    /// Whether somebody is to decide something.
    fn decides(&self) -> bool {
        matches!(self.status, Status::Move | Status::Choice)
    }

    /// Whether the move that is waited for is named, and not made: what becomes of it is the rules' business.
    pub fn names_move(&self) -> bool {
        self.status == Status::Move && self.asked.names
    }

    /// What is asked at a decision, in the script's words, if it has any. Nothing depends on them.
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

    /// Who is to move, to choose or to roll: whose move it is, unless the rules ask somebody else.
    pub fn chooser(&self) -> Side {
        let Some(frame) = self.frames.last() else { return self.mover };
        let rules = self.walker();
        let by = match frame.tree(&rules).step(frame.node) {
            Step::Decide(decision) => decision.by(),
            _ => None,
        };
        by.and_then(|by| self.view(&rules).side(by)).unwrap_or_else(|| self.position.side())
    }

    /// Whether the game begins with what comes before the first turn.
    fn is_unprepared(&self) -> bool {
        let variant = &self.set.variant;
        let Some(counter) = variant.spec().unprepared else { return false };
        self.set.rules.has(Hook::Prepare) && self.position.counter(variant, counter as usize, Side::FIRST) > 0
    }

    /// Whether what comes before the first turn is under way.
    pub fn is_preparing(&self) -> bool {
        self.frames.first().is_some_and(|frame| frame.rule == Hook::Prepare.id())
    }

    /// The faces of the dice that are rolled and not yet used, while a turn of several moves is under
    /// way.
    pub fn unused(&self) -> Option<Vec<i16>> {
        let (plan, progress) = self.plan()?;
        Some(plan.faces_of(progress.left))
    }

    /// The faces that pay for a permitted move.
    pub fn price(&self, paid: Paid) -> Vec<i16> {
        self.plan().map_or(Vec::new(), |(plan, _)| plan.faces_of(paid.dice))
    }

    /// The payment for a permitted move with dice that show these faces, in any order, if it is that payment or one
    /// with other dice of the same sort: of dice that pay for the same only the first is listed.
    pub fn paid_with(&self, paid: Paid, faces: &[i16]) -> Option<Paid> {
        let (plan, progress) = self.plan()?;
        plan.paid_with(progress.left, paid, faces)
    }

    /// Whether a move may be made and paid like that: if it is listed, or paid with other dice of the same sort.
    pub(crate) fn permits(&self, paid: Paid) -> bool {
        self.moves().contains(&paid) || self.accepts(paid)
    }

    /// Whether a move is paid with other dice of the same sort than it is listed with.
    #[cold]
    fn accepts(&self, paid: Paid) -> bool {
        let listed = |plan: &Plan, left| self.moves().iter().any(|&listed| plan.accepts(left, listed, paid));
        self.plan().is_some_and(|(plan, progress)| listed(&plan, progress.left))
    }

    /// The plan of the turn under way and how far it has come.
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

    /// What was asked and answered so far in the turn under way; in the last turn, if a move of it has ended
    /// the game. A turn that has ended is told in a [`Note`].
    pub fn turn_so_far(&self) -> Answers {
        Answers { asked: self.eventful, ..self.answers }
    }

    /// The notes of what has happened since they were last [taken](State::take_notes).
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Takes the notes of what has happened since they were last taken.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Whether outcome number `index` of the dice can come up (always, but for conditional rolls).
    pub fn can_roll(&self, index: u64) -> bool {
        self.can_roll_all() || self.can_roll_this(index)
    }

    #[inline(never)]
    fn can_roll_this(&self, index: u64) -> bool {
        let rules = self.walker();
        self.pending_roll().is_none_or(|pending_roll| pending_roll.can_show(index, || self.view(&rules)))
    }

    /// From now on a label is [new](State::new_label) only if it is given anew.
    pub(crate) fn forget_label(&mut self) {
        self.labelled = false;
    }

    /// [`State::roll`]; what is asked of the faces, if a rule holds them, is noted in `log` as of the place `site`. Rolls in
    /// a row are looked at as one event: a label that is [new](State::new_label) stays so.
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

    /// From now on nobody notes what is asked of faces.
    pub(crate) fn unwatch(&mut self) {
        for value in self.frames.iter_mut().flat_map(|frame| &mut frame.env) {
            if let Value::Watched(watched) = value {
                *value = watched.value().clone();
            }
        }
    }

    /// Goes on as in the middle of a turn of several moves: all dice but those that show `unused` are
    /// spent. What is owed is judged anew from here. False if no such turn is under way.
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

    /// The step that the rules have come to.
    fn step(&self, rules: &Walker) -> Option<Step> {
        self.frames.last().map(|frame| frame.tree(rules).step(frame.node).clone())
    }

    /// What rules see now, where `rules` is this thread's [walker](State::walker).
    pub fn view<'a>(&'a self, rules: &'a Walker) -> View<'a> {
        let env = self.frames.last().map_or(&[][..], |frame| &frame.env);
        view!(self, rules, &self.position, env)
    }

    /// How often the present position has stood at the end of a turn.
    pub fn repetitions(&self) -> usize {
        self.history.repetitions(self.history.len())
    }

    /// The number of turns that have ended with another position than they began with, and one.
    pub(crate) fn positions(&self) -> usize {
        self.history.len()
    }
}
