//! The state machine of a running game: a position, the rules that are under way, and what they wait
//! for. It always waits for a roll, a decision, or nothing because the game is over.
//!
//! Invariants: between calls the machine has been advanced as far as it goes; the options listed are
//! exactly what [`State::play`] and [`State::choose`] accept; a failed call leaves the state as it was
//! except after a [`RuleError`], when the state must be discarded.

use crate::army::Side;
use crate::dice::Dice;
use crate::effect::{self, Course, Effect, Over};
use crate::movegen::{self, Filter, Safety};
use crate::moves::Tag;
use crate::permit;
use crate::plan::{self, Memo, Paid, Plan, Progress};
use crate::position::{Made, Position};
use crate::query::{self, Answer};
use crate::rule::{Chance, Decision, Hook, NodeId, RuleError, RuleId, Step};
use crate::rules::{Rules, SharedTree};
use crate::square::Square;
use crate::value::{Past, Value, View};
use crate::variant::Variant;
use crate::{attack, dice::Die};
use std::cell::RefCell;
use std::rc::Rc;

/// A variant together with its rules: what a game is played by.
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
    /// A move: see [`State::moves`].
    Move,
    /// A choice other than a move: see [`State::choices`].
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
    /// A side's turn ended without a move or another decision.
    Lost(Side),
    /// A capture was tried and did not succeed.
    Failed(Made),
    /// A side's turn ended.
    Ended(Side),
}

#[derive(Clone)]
struct Frame {
    rule: RuleId,
    tree: SharedTree,
    node: NodeId,
    env: Vec<Value>,
    /// The move whose capture is being resolved.
    waiting: Option<Paid>,
    /// How far a turn of several moves has come, and what looking ahead has shown.
    progress: Option<Progress>,
    memo: Rc<RefCell<Memo>>,
    /// The last move of a turn of several.
    last: Option<(Made, bool)>,
    /// In a `capture` rule: what the move was, once it has been carried out.
    completed: Option<Made>,
}

/// A running game. See the [module](self).
#[derive(Clone)]
pub struct State {
    set: Rc<Ruleset>,
    position: Position,
    history: Vec<Past>,
    frames: Vec<Frame>,
    course: Course,
    mover: Side,
    between: bool,
    status: Status,
    moves: Vec<Paid>,
    choices: Vec<Choice>,
    can_pass: bool,
    dice: Option<Rc<Dice>>,
    /// For a conditional roll: whether each outcome can come up.
    possible: Option<Vec<bool>>,
    /// For dice rolled for squares: the squares.
    rolled_for: Vec<Square>,
    /// Whether the faces are held, not answered.
    held: bool,
    /// A move has been made since the outcome was last judged.
    unjudged: bool,
    changed: bool,
    eventful: bool,
    acted: bool,
    idle: usize,
    turn: u32,
    notes: Vec<Note>,
}

impl State {
    /// A game that starts from `position`; the outcome is judged and rules run until they wait.
    ///
    /// # Errors
    /// If a rule fails.
    pub fn new(set: Rc<Ruleset>, position: Position) -> Result<State, RuleError> {
        let sides = set.variant.sides() as u8;
        let mover = Side((position.side().0 + sides - 1) % sides);
        let mut state = State {
            set,
            position,
            history: Vec::new(),
            frames: Vec::new(),
            course: Course::default(),
            mover,
            between: true,
            status: Status::Over,
            moves: Vec::new(),
            choices: Vec::new(),
            can_pass: false,
            dice: None,
            possible: None,
            rolled_for: Vec::new(),
            held: false,
            unjudged: false,
            changed: false,
            eventful: false,
            acted: false,
            idle: 0,
            turn: 0,
            notes: Vec::new(),
        };
        state.remember();
        state.judge()?;
        state.advance()?;
        Ok(state)
    }

    /// The variant and its rules.
    pub fn ruleset(&self) -> &Rc<Ruleset> {
        &self.set
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

    /// What happened last, as the script named it.
    pub fn label(&self) -> Option<&str> {
        self.course.label.as_deref()
    }

    /// The dice waited for.
    pub fn dice(&self) -> Option<&Rc<Dice>> {
        self.dice.as_ref().filter(|_| self.status == Status::Chance)
    }

    /// The permitted moves, when a move is waited for.
    pub fn moves(&self) -> &[Paid] {
        if self.status == Status::Move { &self.moves } else { &[] }
    }

    /// Whether the player may do without a move.
    pub fn can_pass(&self) -> bool {
        self.status == Status::Move && self.can_pass
    }

    /// The choices, when one is waited for.
    pub fn choices(&self) -> &[Choice] {
        if self.status == Status::Choice { &self.choices } else { &[] }
    }

    /// Who is to move or to choose; the mover at a chance point.
    pub fn chooser(&self) -> Side {
        let Some(frame) = self.frames.last() else { return self.mover };
        let tree = frame.tree.borrow();
        match tree.step(frame.node) {
            Step::Decide(Decision::Choose { by, .. }) => self.view(&self.set).side(*by).unwrap_or(self.mover),
            _ => self.mover,
        }
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

    /// The plan of the turn under way and how far it has come.
    pub fn plan(&self) -> Option<(Rc<Plan>, &Progress)> {
        let frame = self.frames.last()?;
        let progress = frame.progress.as_ref()?;
        match frame.tree.borrow().step(frame.node) {
            Step::Decide(Decision::PlayEach(plan)) => Some((plan.clone(), progress)),
            _ => None,
        }
    }

    /// Takes the notes of what has happened since they were last taken.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Whether outcome number `index` of the dice can come up (always, but for conditional rolls).
    pub fn can_roll(&self, index: u64) -> bool {
        self.possible.as_ref().is_none_or(|possible| possible.get(index as usize).copied().unwrap_or(false))
    }

    /// A number that two states share only (but for chance) if they go on alike: for memo tables
    /// within one run of the program.
    pub fn fingerprint(&self) -> u64 {
        let mut key = self.position.hash();
        for frame in &self.frames {
            key = crate::dice::mix(key ^ u64::from(frame.rule.0) << 32 ^ u64::from(frame.node.0));
            if let Some(progress) = &frame.progress {
                key = crate::dice::mix(key ^ u64::from(progress.left) << 16 ^ u64::from(progress.owed) << 8);
                for square in progress.moved {
                    key = crate::dice::mix(key ^ u64::from(square.0) << 40);
                }
            }
            key = frame.env.iter().fold(key, |key, value| value.mark(key));
        }
        key
    }

    /// Goes on with outcome number `index` of the dice.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If no dice are waited for or they have no such outcome.
    pub fn roll(&mut self, index: u64) -> Result<(), RuleError> {
        assert_eq!(self.status, Status::Chance, "no dice are waited for");
        let dice = self.dice.take().expect("dice at a chance point");
        assert!(index < dice.outcomes() && self.can_roll(index), "the dice have no such outcome");
        let mut answer = index as Answer;
        if !self.rolled_for.is_empty() {
            let faces = std::mem::take(&mut self.rolled_for).into_iter().zip(dice.outcome(index)).collect();
            self.hold(Value::Faces(faces))?;
            answer = 0;
        }
        if std::mem::take(&mut self.held) {
            self.hold(Value::Dice(dice.outcome(index)))?;
            answer = 0;
        }
        self.possible = None;
        self.follow(answer)?;
        self.advance()
    }

    /// Goes on as in the middle of a turn of several moves: outcome number `index` has been rolled, and
    /// all dice but those that show `unused` are spent. What is owed is judged anew from here. False (and
    /// the state must be discarded) if the roll does not lead to such a turn.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// As [`State::roll`].
    pub fn resume(&mut self, index: u64, unused: &[i16]) -> Result<bool, RuleError> {
        self.roll(index)?;
        let Some((plan, progress)) = self.plan() else { return Ok(false) };
        let Some(left) = plan.pick(plan.all(), unused) else { return Ok(false) };
        let mut progress = Progress { left, made: 1, ..progress.clone() };
        let set = Rc::clone(&self.set);
        plan.reassess(&self.view(&set), &mut progress, &mut Memo::default())?;
        if let Some(frame) = self.frames.last_mut() {
            frame.progress = Some(progress);
        }
        self.acted = true;
        self.advance()?;
        Ok(true)
    }

    /// Makes one of the permitted moves.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If the move is not among [`State::moves`].
    pub fn play(&mut self, paid: Paid) -> Result<(), RuleError> {
        assert!(self.moves().contains(&paid), "not a permitted move");
        self.acted = true;
        self.begin_move(paid)?;
        self.advance()
    }

    /// Does without a move.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// Unless [`State::can_pass`].
    pub fn pass(&mut self) -> Result<(), RuleError> {
        assert!(self.can_pass(), "not a moment to pass");
        self.finish_decision()?;
        self.advance()
    }

    /// Makes choice number `index`.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If there is no such choice.
    pub fn choose(&mut self, index: usize) -> Result<(), RuleError> {
        let choice = self.choices()[index].clone();
        let texts = self.choices.iter().filter(|c| matches!(c, Choice::Text(_))).count();
        self.acted = true;
        match choice {
            Choice::Text(_) => {
                self.hold(Value::Square(None))?;
                self.follow(index as Answer)?;
            }
            Choice::Square(square) => {
                self.hold(Value::Square(Some(square)))?;
                self.follow(texts as Answer)?;
            }
        }
        self.advance()
    }

    /// What rules see now.
    pub fn view<'a>(&'a self, set: &'a Ruleset) -> View<'a> {
        View {
            variant: &set.variant,
            rules: &set.rules,
            position: &self.position,
            env: self.frames.last().map_or(&[], |frame| &frame.env),
            mover: self.mover,
            between: self.between,
            history: &self.history,
            depth: 0,
        }
    }

    /// Runs rules until they wait for someone.
    fn advance(&mut self) -> Result<(), RuleError> {
        let set = Rc::clone(&self.set);
        loop {
            if self.course.over.is_some() {
                self.status = Status::Over;
                self.frames.clear();
                return Ok(());
            }
            let Some(frame) = self.frames.last() else {
                self.begin_turn()?;
                continue;
            };
            let (rule, node, tree) = (frame.rule, frame.node, Rc::clone(&frame.tree));
            let answer = {
                let tree = tree.borrow();
                match tree.step(node) {
                    Step::Ask(query) => query::answer(query, &self.view(&set)).map_err(|e| set.rules.blame(rule, e))?,
                    Step::Find(find) => {
                        let value = query::find(find, &self.view(&set)).map_err(|e| set.rules.blame(rule, e))?;
                        self.hold(value)?;
                        0
                    }
                    Step::Act(effect) => {
                        self.act(&set, effect);
                        0
                    }
                    Step::Return(_) => {
                        drop(tree);
                        self.end_frame()?;
                        continue;
                    }
                    Step::Roll(chance) => {
                        if self.judge_move(&set)? {
                            continue;
                        }
                        match self.arrive_at_chance(&set, chance)? {
                            true => return Ok(()),
                            false => -1,
                        }
                    }
                    Step::Decide(decision) => {
                        if self.judge_move(&set)? {
                            continue;
                        }
                        if self.arrive_at_decision(&set, decision)? {
                            return Ok(());
                        }
                        drop(tree);
                        self.finish_decision()?;
                        continue;
                    }
                }
            };
            self.follow(answer)?;
        }
    }

    fn follow(&mut self, answer: Answer) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.node = self.set.rules.next(frame.rule, &frame.tree, frame.node, answer)?;
        Ok(())
    }

    fn hold(&mut self, value: Value) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        self.set.rules.hold(frame.rule, &mut frame.env, value)
    }

    fn push(&mut self, hook: Hook, env: Vec<Value>) -> Result<(), RuleError> {
        let tree = self.set.rules.tree(hook.id());
        let node = self.set.rules.root(hook.id(), &tree)?;
        self.frames.push(Frame {
            rule: hook.id(),
            tree,
            node,
            env,
            waiting: None,
            progress: None,
            memo: Rc::default(),
            last: None,
            completed: None,
        });
        Ok(())
    }

    fn begin_turn(&mut self) -> Result<(), RuleError> {
        self.mover = self.position.side();
        self.between = false;
        self.changed = false;
        self.eventful = false;
        self.acted = false;
        self.unjudged = false;
        self.course.next = None;
        self.push(Hook::Turn, Vec::new())
    }

    /// Judges the game after a move that did not end the turn; true if that ended the game.
    fn judge_move(&mut self, set: &Ruleset) -> Result<bool, RuleError> {
        if std::mem::take(&mut self.unjudged) {
            let over = set.rules.outcome(&View { env: &[], ..self.view(set) })?;
            if over.is_some() {
                self.course.over = over;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn judge(&mut self) -> Result<(), RuleError> {
        let set = Rc::clone(&self.set);
        if self.course.over.is_none() {
            self.course.over = set.rules.outcome(&View { env: &[], ..self.view(&set) })?;
        }
        Ok(())
    }

    /// Prepares a roll; false if no outcome can come up.
    fn arrive_at_chance(&mut self, set: &Ruleset, chance: &Chance) -> Result<bool, RuleError> {
        self.possible = None;
        self.rolled_for.clear();
        let dice = match chance {
            Chance::Roll(dice) => Rc::clone(dice),
            Chance::Held(dice) => {
                self.held = true;
                Rc::clone(dice)
            }
            Chance::Playable(dice, permits) => {
                let mut possible = Vec::new();
                let mut moves = Vec::new();
                for permit in permits.iter() {
                    moves.clear();
                    permit.moves(&self.view(set), &mut moves)?;
                    possible.push(!moves.is_empty());
                }
                if !possible.contains(&true) {
                    return Ok(false);
                }
                self.possible = Some(possible);
                Rc::clone(dice)
            }
            Chance::Only(dice, possible) => {
                if !possible.contains(&true) {
                    return Ok(false);
                }
                self.possible = Some(possible.to_vec());
                Rc::clone(dice)
            }
            Chance::Each { sets, dice } => {
                let view = self.view(set);
                let mut all: Vec<Square> = Vec::new();
                for square in sets.iter().flat_map(|set| view.set(set)) {
                    if !all.contains(&square) {
                        all.push(square);
                    }
                }
                let die = |&s: &Square| dice.get(self.position.at(s).kind().index()).cloned().flatten();
                let dice = gather(all.iter().filter_map(die).collect());
                self.rolled_for = all.into_iter().filter(|s| die(s).is_some()).collect();
                if self.rolled_for.is_empty() {
                    self.hold(Value::Faces(Vec::new()))?;
                    return Ok(false);
                }
                Rc::new(dice)
            }
        };
        self.dice = Some(dice);
        self.status = Status::Chance;
        self.eventful = true;
        Ok(true)
    }

    /// Prepares a decision; false if there is nothing to decide.
    fn arrive_at_decision(&mut self, set: &Ruleset, decision: &Decision) -> Result<bool, RuleError> {
        self.moves.clear();
        self.choices.clear();
        self.can_pass = false;
        match decision {
            Decision::Play { permit, pass } => {
                let mut moves = Vec::new();
                permit.moves(&self.view(set), &mut moves)?;
                self.moves.extend(moves.into_iter().map(|mv| Paid { mv, dice: 0 }));
                self.can_pass = *pass && !self.moves.is_empty();
                self.status = Status::Move;
            }
            Decision::PlayEach(plan) => {
                self.arrive_at_plan(set, plan)?;
                self.status = Status::Move;
            }
            Decision::Choose { labels, squares, .. } => {
                let found = squares.as_ref().map(|squares| self.view(set).set(squares));
                self.choices.extend(labels.iter().cloned().map(Choice::Text));
                self.choices.extend(found.into_iter().flatten().map(Choice::Square));
                self.status = Status::Choice;
            }
        }
        let open = !self.moves.is_empty() || !self.choices.is_empty();
        self.eventful |= open;
        Ok(open)
    }

    fn arrive_at_plan(&mut self, set: &Ruleset, plan: &Plan) -> Result<(), RuleError> {
        let under_way = self.frames.last().and_then(|frame| frame.progress.clone().zip(Some(Rc::clone(&frame.memo))));
        let (progress, memo) = match under_way {
            Some(under_way) => under_way,
            None => {
                // Copies of this state may have come to other plans by another roll or choice.
                let memo = Rc::<RefCell<Memo>>::default();
                let progress = plan.begin(&self.view(set), &mut memo.borrow_mut())?;
                (progress, memo)
            }
        };
        let mut options = std::mem::take(&mut self.moves);
        plan.options(&self.view(set), &progress, &mut memo.borrow_mut(), &mut options)?;
        self.can_pass = plan.obligation == crate::plan::Obligation::Free && !options.is_empty();
        self.moves = options;
        if let Some(frame) = self.frames.last_mut() {
            frame.progress = Some(progress);
            frame.memo = memo;
        }
        Ok(())
    }

    /// Leaves a decision that offers nothing, or nothing more, or that the player declined.
    fn finish_decision(&mut self) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let progress = frame.progress.take();
        let last = frame.last.take();
        self.hold(last.map_or(Value::None, |(made, done)| Value::Move(made, done)))?;
        self.follow(progress.map_or(0, |p| Answer::from(p.made)))
    }

    fn begin_move(&mut self, paid: Paid) -> Result<(), RuleError> {
        let made = permit::plan(&self.position, paid.mv);
        self.course.label = None;
        if !made.captured.is_none() && self.set.rules.has(Hook::Capture) {
            if let Some(frame) = self.frames.last_mut() {
                frame.waiting = Some(paid);
            }
            return self.push(Hook::Capture, vec![Value::Move(made, false)]);
        }
        let set = Rc::clone(&self.set);
        let made = self.position.make(&set.variant, paid.mv);
        self.changed = true;
        self.end_move(paid, made, true)
    }

    /// Back in the rule that asked for the move.
    fn end_move(&mut self, paid: Paid, made: Made, done: bool) -> Result<(), RuleError> {
        self.unjudged = true;
        if !done {
            self.notes.push(Note::Failed(made));
        }
        let Some((plan, _)) = self.plan() else {
            self.hold(Value::Move(made, done))?;
            return self.follow(1);
        };
        let set = Rc::clone(&self.set);
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.last = Some((made, done));
        if plan.en_passant_first {
            let mover = self.mover;
            plan::forget_en_passant(&set.variant, &mut self.position, mover);
        }
        if let Some(progress) = &mut frame.progress {
            plan.advance(progress, paid);
            if !done {
                progress.moved.remove(paid.mv.to);
                if !self.position.at(paid.mv.from).is_none() && !plan.same_piece {
                    progress.moved.insert(paid.mv.from);
                }
                let mut revised = progress.clone();
                let memo = Rc::clone(&frame.memo);
                plan.reassess(&self.view(&set), &mut revised, &mut memo.borrow_mut())?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.progress = Some(revised);
                }
            }
        }
        Ok(())
    }

    fn act(&mut self, set: &Ruleset, effect: &Effect) {
        if *effect == Effect::Complete {
            return self.complete(set);
        }
        let before = self.position.clone();
        let view = View { position: &before, ..self.view(set) };
        let (mut position, mut course) = (self.position.clone(), self.course.clone());
        effect::apply(effect, &view, &mut position, &mut course);
        self.changed |= position != before;
        self.unjudged |= position != before;
        self.position = position;
        self.course = course;
    }

    /// Carries out the move that a `capture` rule decides about; once.
    fn complete(&mut self, set: &Ruleset) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(Value::Move(made, done)) = frame.env.first_mut() else { return };
        if frame.completed.is_some() || self.position.at(made.mv.from) != made.piece && made.mv.tag != Tag::Drop {
            return;
        }
        *made = self.position.make(&set.variant, made.mv);
        *done = true;
        frame.completed = Some(*made);
        self.changed = true;
    }

    fn end_frame(&mut self) -> Result<(), RuleError> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if frame.rule != Hook::Capture.id() {
            return self.end_turn();
        }
        let waiting = self.frames.last_mut().and_then(|parent| parent.waiting.take());
        let planned = match frame.env.first() {
            Some(Value::Move(made, _)) => Some(*made),
            _ => None,
        };
        match (waiting, planned) {
            (Some(paid), Some(planned)) => self.end_move(paid, frame.completed.unwrap_or(planned), frame.completed.is_some()),
            _ => Ok(()),
        }
    }

    fn end_turn(&mut self) -> Result<(), RuleError> {
        let set = Rc::clone(&self.set);
        let mover = self.mover;
        if !self.acted && self.eventful {
            self.notes.push(Note::Lost(mover));
        }
        self.notes.push(Note::Ended(mover));
        self.turn += 1;
        let next = self.course.next.take().unwrap_or_else(|| self.position.after(&set.variant, self.mover));
        self.position.end_turn(&set.variant, next);
        self.idle = if self.eventful || self.changed { 0 } else { self.idle + 1 };
        if self.idle > 2 * set.variant.sides() {
            self.course.end(None, "nobody can move");
        }
        if self.changed {
            self.remember();
        }
        self.between = true;
        self.judge()
    }

    /// Notes the present position for the count of repetitions.
    fn remember(&mut self) {
        let variant = &self.set.variant;
        let check = variant.spec().track_checks && attack::in_check(variant, &self.position, self.position.side());
        self.history.push(Past { key: self.key(), mover: self.mover, check });
    }

    /// The hash that repetitions are counted by: an en passant right counts only if it can be used.
    fn key(&self) -> u64 {
        if self.position.en_passant().is_empty() {
            return self.position.hash();
        }
        let variant = &self.set.variant;
        let mut moves = Vec::new();
        movegen::generate(variant, &self.position, self.position.side(), Safety::Policy, Filter::ALL, &mut moves);
        let usable = |square| moves.iter().any(|mv| mv.tag == Tag::EnPassant && mv.to == square);
        let mut position = self.position.clone();
        position.retain_en_passant(variant, |right| usable(right.target));
        position.hash()
    }
}

/// Dice rolled together, written with a plus sign between groups.
fn gather(dice: Vec<Die>) -> Dice {
    let texts: Vec<String> = dice.iter().map(|die| format!("1d{}", die.faces.len())).collect();
    Dice { dice, text: texts.join("+") }
}
