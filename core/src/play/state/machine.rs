//! How the machine runs: from step to step of the rules until they wait for a roll or a decision.
//!
//! Owns the walking of frames, and the consequences of decisions, moves and captures. How turns begin and end belongs to
//! `turn_boundaries`. Callers use it through [`State`].

use super::{Frame, Note, Paused, Reply, State, Status, choice, view};
use crate::position::Made;
use crate::position::moves::Tag;
use crate::rules::effect::{self, Effect};
use crate::rules::error::{Cause, RuleError, Task};
use crate::rules::hook::{Hook, RuleId};
use crate::rules::permit;
use crate::rules::plan::{self, Memo, MoveWithDice, Pauses, Plan};
use crate::rules::query::{self, Answer};
use crate::rules::rule::{Decision, NodeId, Step};
use crate::rules::tree::Tree;
use crate::rules::value::{Slot, Value};
use crate::rules::walker::Walker;
use crate::rules::{MAX_DEPTH, Moment};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How the rules continue after a step.
enum Next {
    /// They wait for a roll or a decision.
    Waits,
    /// With the next step.
    GoesOn,
    /// The rule has ended.
    Ends,
    /// With the step that this answer leads to.
    Follows(Answer),
    /// With the step after a decision without options.
    Leaves,
    /// With the move in a slot, which the rule makes.
    Makes(Slot),
}

/// After more turns than this without a question, the turns count as the cause of too much work.
const SILENT_TURNS: u32 = 20;

impl State {
    /// Runs rules until they wait.
    pub(super) fn advance(&mut self, rules: &Walker) -> Result<(), RuleError> {
        self.advance_by(rules, &mut |_: &State| None).map(|_| ())
    }

    /// Runs rules, with the answers of `reply` whenever they wait, until the game is over or `reply` returns `None`: then
    /// returns true. Also stops when the walker may have to be replaced before the next event.
    pub(super) fn advance_by(
        &mut self,
        rules: &Walker,
        reply: &mut impl FnMut(&State) -> Option<Reply>,
    ) -> Result<bool, RuleError> {
        let mut from = self.turn;
        self.run(rules, &mut from, reply).map_err(|error| self.blamed(rules, from, error))
    }

    /// See [`State::advance_by`]; `from` is set to the turn in which the last event began.
    fn run(
        &mut self,
        rules: &Walker,
        from: &mut u32,
        reply: &mut impl FnMut(&State) -> Option<Reply>,
    ) -> Result<bool, RuleError> {
        loop {
            if self.course.over.is_some() {
                self.stop();
                return Ok(false);
            }
            if self.go_a_step(rules)? {
                if rules.is_dated() {
                    return Ok(false);
                }
                let Some(next) = reply(self) else { return Ok(true) };
                self.expect(next);
                rules.rest();
                *from = self.turn;
                let open = self.asked.is_open();
                self.take(rules, next, open)?;
            }
        }
    }

    /// Takes the next step of the rules; true if they wait.
    #[inline(always)]
    fn go_a_step(&mut self, rules: &Walker) -> Result<bool, RuleError> {
        let Some(frame) = self.frames.last() else {
            self.begin_turn(rules)?;
            return Ok(false);
        };
        if rules.is_watched() {
            return self.go_a_watched_step(rules, frame.rule);
        }
        self.go_on_from(rules, frame.rule, frame.node)
    }

    /// The same when a watcher observes the rules.
    #[inline(never)]
    fn go_a_watched_step(&mut self, rules: &Walker, rule: RuleId) -> Result<bool, RuleError> {
        let node = self.frames.last().map_or(NodeId::ROOT, |frame| frame.node);
        rules.tell(rule, Moment::Enters);
        let waits = self.go_on_from(rules, rule, node);
        rules.tell(rule, Moment::Leaves);
        waits
    }

    /// Takes the step at a node of the running rule; true if it waits.
    #[inline(always)]
    fn go_on_from(&mut self, rules: &Walker, rule: RuleId, node: NodeId) -> Result<bool, RuleError> {
        let own = self.frames.last().and_then(|frame| frame.tree.own());
        let next = match own {
            None => self.take_step(rules, rule, node, &rules.kept(rule))?,
            Some(tree) => self.take_step_of_own(rules, rule, node, &tree)?,
        };
        match next {
            Next::Waits => return Ok(true),
            Next::GoesOn => {}
            Next::Ends => self.end_frame(rules)?,
            Next::Leaves => self.finish_decision(rules)?,
            Next::Makes(slot) => self.make_held(rules, slot)?,
            Next::Follows(answer) => self.follow(rules, answer)?,
        }
        Ok(false)
    }

    /// Adds the responsible rule to an error of the meter; `from` is the turn in which the event began.
    #[cold]
    #[inline(never)]
    pub(super) fn blamed(&self, rules: &Walker, from: u32, error: RuleError) -> RuleError {
        let error = match error.cause {
            // If turns keep following each other, the actions of the last one are not the cause.
            Cause::Work(_) if self.turn - from > SILENT_TURNS => rules.meter().error(Task::Turning),
            Cause::Work(_) | Cause::Held => error,
            Cause::Rule | Cause::Stopped => return error,
        };
        match self.frames.last() {
            Some(frame) => {
                let tree = frame.grown(rules);
                let answers = (!tree.is_empty()).then(|| tree.path(frame.node));
                drop(tree);
                rules.blame_at(frame.rule, answers, error)
            }
            None => rules.blame(Hook::Turn.id(), error),
        }
    }

    #[inline(never)]
    fn stop(&mut self) {
        self.status = Status::Over;
        self.frames.clear();
    }

    /// Takes one step of the running rule, along its tree.
    #[inline(always)]
    fn take_step(&mut self, rules: &Walker, rule: RuleId, node: NodeId, tree: &Tree) -> Result<Next, RuleError> {
        Ok(match tree.step(node) {
            Step::Return(_) => Next::Ends,
            Step::Roll(_) | Step::Decide(_) if self.outcome_pending && self.adjudicate_move(rules)? => Next::GoesOn,
            Step::Roll(chance) => match self.arrive_at_chance(rules, rule, chance)? {
                true => Next::Waits,
                false => Next::Follows(-1),
            },
            Step::Decide(decision) => match self.arrive_at_decision(rules, decision)? {
                true => Next::Waits,
                false => Next::Leaves,
            },
            Step::Ask(_) | Step::Find(_) | Step::Act(_) => self.take_inner_steps(rules, rule, node, tree)?,
        })
    }

    /// The same for a tree that belongs to this run alone.
    #[inline(never)]
    fn take_step_of_own(&mut self, rules: &Walker, rule: RuleId, node: NodeId, tree: &Tree) -> Result<Next, RuleError> {
        self.take_step(rules, rule, node, tree)
    }

    /// Takes steps that neither wait nor end the rule: consecutive questions, and an effect if one follows them.
    #[inline(never)]
    fn take_inner_steps(
        &mut self,
        rules: &Walker,
        rule: RuleId,
        mut node: NodeId,
        tree: &Tree,
    ) -> Result<Next, RuleError> {
        loop {
            rules.meter().charge(Task::Running, 1)?;
            let answer = match tree.step(node) {
                Step::Ask(query) => query::answer(query, &self.view(rules)).map_err(|e| rules.blame(rule, e))?,
                Step::Find(find) => {
                    let value = query::find(find, &self.view(rules)).map_err(|e| rules.blame(rule, e))?;
                    self.hold(rules, value)?;
                    0
                }
                Step::Act(Effect::Make(slot)) => return Ok(Next::Makes(*slot)),
                Step::Act(effect) => {
                    let acted = self.act(rules, effect);
                    acted.map_err(|error| rules.blame(rule, error))?;
                    return Ok(Next::Follows(0));
                }
                Step::Return(_) | Step::Roll(_) | Step::Decide(_) => return Ok(Next::GoesOn),
            };
            let next = tree.next(node, answer);
            if next == NodeId::NONE {
                return Ok(Next::Follows(answer));
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.node = next;
            }
            node = next;
        }
    }

    pub(super) fn follow(&mut self, rules: &Walker, answer: Answer) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let known = match frame.tree.is_kept() {
            true => rules.kept(frame.rule).next(frame.node, answer),
            false => NodeId::NONE,
        };
        frame.node = match known {
            NodeId::NONE => {
                rules.show(&view!(self, rules, &self.position, &frame.env));
                grown(rules, frame, answer)?
            }
            known => known,
        };
        Ok(())
    }

    #[inline(always)]
    pub(super) fn hold(&mut self, rules: &Walker, value: Value) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        rules.hold(frame.rule, &mut frame.env, value)
    }

    pub(super) fn push(&mut self, rules: &Walker, hook: Hook, env: Vec<Value>) -> Result<(), RuleError> {
        let mut frame = Frame {
            rule: hook.id(),
            tree: rules.tree(hook),
            node: NodeId::ROOT,
            env,
            waiting: None,
            making: None,
            progress: None,
            memo: None,
            paused: Vec::new(),
            last: None,
            completed: None,
        };
        if frame.grown(rules).is_empty() {
            rules.show(&view!(self, rules, &self.position, &frame.env));
            begin_tree(rules, &mut frame)?;
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Prepares a decision; false if there is nothing to decide.
    #[inline]
    fn arrive_at_decision(&mut self, rules: &Walker, decision: &Decision) -> Result<bool, RuleError> {
        let open = match decision {
            Decision::Play { permit, pass, or: None, .. } => {
                self.status = Status::Move;
                self.secret = None;
                let env = self.frames.last().map_or(&[][..], |frame| &frame.env);
                let open = self.asked.offer(&view!(self, rules, &self.position, env), permit, *pass)?;
                if !open {
                    self.answers.pass_by_force();
                }
                open
            }
            other => self.arrive_at_rarer_decision(rules, other)?,
        };
        self.eventful |= open;
        Ok(open)
    }

    /// The same for a turn of several moves, for choices other than moves, and for choices beside moves.
    #[inline(never)]
    fn arrive_at_rarer_decision(&mut self, rules: &Walker, decision: &Decision) -> Result<bool, RuleError> {
        self.asked.clear();
        self.secret = match decision.is_secret() {
            true => decision.by().and_then(|by| self.view(rules).side(by)).or(Some(self.position.side())),
            false => None,
        };
        match decision.bare() {
            Decision::PlayEach(plan) => {
                self.status = Status::Move;
                self.arrive_at_plan(rules, plan)?;
                let open = !self.asked.moves.is_empty();
                if let (true, Some(_)) = (open, &plan.or) {
                    self.asked.choices = choice::choices(&self.view(rules), decision);
                }
                if !open && !plan.faces.is_empty() {
                    self.note_unused_dice(rules);
                }
                Ok(open)
            }
            play @ Decision::Play { permit, pass, .. } => {
                let env = self.frames.last().map_or(&[][..], |frame| &frame.env);
                let view = view!(self, rules, &self.position, env);
                let can_move = self.asked.offer_with(&view, permit, *pass, choice::choices(&view, play))?;
                // Without a move it is a choice like any other.
                self.status = if can_move { Status::Move } else { Status::Choice };
                let open = can_move || !self.asked.choices.is_empty();
                self.asked.names = decision.names();
                if !open && !self.asked.names {
                    self.answers.pass_by_force();
                }
                Ok(open)
            }
            other => {
                self.asked.choices = choice::choices(&self.view(rules), other);
                self.status = Status::Choice;
                Ok(!self.asked.choices.is_empty())
            }
        }
    }

    fn arrive_at_plan(&mut self, rules: &Walker, plan: &Plan) -> Result<(), RuleError> {
        if plan.pauses == Pauses::Ends {
            self.frames.last_mut().and_then(|frame| frame.paused.pop());
            return Ok(());
        }
        let (progress, memo) = match self.under_way(rules, plan)? {
            Some(under_way) => under_way,
            None => {
                // Copies of this state may have reached other plans through another roll or choice.
                let memo = self.spare_memo.take().filter(|memo| Arc::strong_count(memo) == 1).unwrap_or_default();
                let progress = plan.begin(&self.view(rules), &mut open(&memo))?;
                (progress, memo)
            }
        };
        let mut options = std::mem::take(&mut self.asked.moves);
        // If there are choices, random players need all moves: see `Offered::offer_with`.
        let drawing = if plan.or.is_none() { self.asked.draw.take() } else { None };
        match drawing {
            None => plan.options(&self.view(rules), &progress, &mut open(&memo), &mut options)?,
            Some(mut drawing) => {
                let (memo, stream) = (&mut open(&memo), &mut drawing.stream);
                let view = self.view(rules);
                let drawn = plan.draw(&view, &progress, memo, stream, &mut options, drawing.counts_others)?;
                self.asked.offer_drawn(drawn);
                options.extend(self.asked.moves.pop());
                self.asked.draw = Some(drawing);
            }
        }
        self.asked.can_pass = plan.obligation == crate::rules::plan::Obligation::Free && !options.is_empty();
        self.asked.moves = options;
        if let Some(frame) = self.frames.last_mut() {
            frame.progress = Some(progress);
            frame.memo = Some(memo);
        }
        Ok(())
    }

    /// The progress of the turn of several moves that a rule resumes, and the memo of its look-ahead.
    fn under_way(&mut self, rules: &Walker, plan: &Plan) -> Result<Option<Paused>, RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        if let Some(progress) = frame.progress.clone() {
            return Ok(Some((progress, frame.memo.clone().unwrap_or_default())));
        }
        if plan.pauses != Pauses::Resumes {
            return Ok(None);
        }
        let Some((mut progress, mut memo)) = frame.paused.pop() else { return Ok(None) };
        // The rule may have changed the game and its permits: earlier results of the look-ahead may be wrong.
        if plan.looks_ahead() {
            memo = Arc::default();
        }
        plan.reassess(&self.view(rules), &mut progress, &mut open(&memo))?;
        Ok(Some((progress, memo)))
    }

    /// Leaves a decision without options, without further options, or that the player declined.
    #[inline(never)]
    pub(super) fn finish_decision(&mut self, rules: &Walker) -> Result<(), RuleError> {
        let pauses = self.plan_by(rules).is_some_and(|(plan, _)| plan.pauses != Pauses::Never);
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let progress = frame.progress.take().filter(|_| !pauses);
        let last = frame.last.take();
        self.hold(rules, last.map_or(Value::None, |(made, done)| Value::Move(made, done)))?;
        self.follow(rules, progress.map_or(0, |p| Answer::from(p.made)))
    }

    /// Passes a named move to the rule without making it.
    #[cold]
    #[inline(never)]
    pub(super) fn name_move(&mut self, rules: &Walker, paid: MoveWithDice) -> Result<(), RuleError> {
        self.course.label = None;
        let named = permit::plan(&self.position, paid.mv);
        self.hold(rules, Value::Named(named, false))?;
        self.follow(rules, 1)
    }

    pub(super) fn begin_move(&mut self, rules: &Walker, paid: MoveWithDice) -> Result<(), RuleError> {
        self.course.label = None;
        if rules.has(Hook::Capture) && self.await_capture(rules, paid)? {
            return Ok(());
        }
        let made = self.position.make(&self.set.variant, paid.mv);
        self.changed = true;
        self.end_move(rules, paid, made, true)
    }

    /// If the move captures, begins the rule that resolves the capture.
    #[inline(never)]
    fn await_capture(&mut self, rules: &Walker, paid: MoveWithDice) -> Result<bool, RuleError> {
        let made = permit::plan(&self.position, paid.mv);
        if made.captured.is_none() {
            return Ok(false);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.waiting = Some(paid);
        }
        self.push(rules, Hook::Capture, vec![Value::Move(made, false)])?;
        Ok(true)
    }

    /// Returns to the rule that requested the move.
    #[inline]
    fn end_move(&mut self, rules: &Walker, paid: MoveWithDice, made: Made, done: bool) -> Result<(), RuleError> {
        self.outcome_pending = true;
        if !done {
            self.notes.push(Note::Failed(made));
        }
        if let Some(slot) = self.frames.last_mut().and_then(|frame| frame.making.take()) {
            return self.end_made_move(rules, slot, Value::Move(made, done));
        }
        let plan = match self.frames.last() {
            Some(frame) if frame.progress.is_some() => self.plan_by(rules).map(|(plan, _)| plan),
            _ => None,
        };
        match plan {
            Some(plan) => self.end_planned_move(rules, &plan, paid, made, done),
            None if done && self.ends_with_move(rules) => self.end_frame(rules),
            None => {
                self.hold(rules, Value::Move(made, done))?;
                self.follow(rules, 1)
            }
        }
    }

    /// Makes a move that the rule has in a slot, as a player would; does nothing if that is not possible.
    #[cold]
    #[inline(never)]
    fn make_held(&mut self, rules: &Walker, slot: Slot) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let rule = frame.rule;
        rules.meter().charge(Task::Running, Effect::Make(slot).work())?;
        let resolves = rule == Hook::Capture.id() && usize::from(slot) < Hook::Capture.held();
        if resolves {
            let error = RuleError::new("`capture` must make the capturing move with take(), not with make()");
            return Err(rules.blame(rule, error));
        }
        if self.frames.len() > usize::from(MAX_DEPTH) {
            return Err(rules.blame(rule, RuleError::new("moves made by rules endlessly trigger more such moves")));
        }
        let held = view!(self, rules, &self.position, &frame.env).made(slot).copied();
        let Some(made) = held.filter(|made| self.position.can_make(&self.set.variant, made)) else {
            return self.follow(rules, 0);
        };
        if !self.eventful && self.begun.is_none() {
            self.begun = Some(Box::new(self.position.clone()));
        }
        self.answers.moved = true;
        self.notes.push(Note::Made(made));
        if let Some(frame) = self.frames.last_mut() {
            frame.making = Some(slot);
        }
        self.begin_move(rules, MoveWithDice { mv: made.mv, dice: 0 })
    }

    /// Goes on after a move that the rule has made: its slot now holds that move as it was carried out.
    fn end_made_move(&mut self, rules: &Walker, slot: Slot, made: Value) -> Result<(), RuleError> {
        if let Some(held) = self.frames.last_mut().and_then(|frame| frame.env.get_mut(usize::from(slot))) {
            *held = made;
        }
        self.follow(rules, 0)
    }

    /// Goes on after a move that ends the turn, as most do: the held values are not needed.
    fn ends_with_move(&mut self, rules: &Walker) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if !frame.tree.is_kept() {
            return false;
        }
        let tree = rules.kept(frame.rule);
        let next = tree.next(frame.node, 1);
        let ends = next != NodeId::NONE && matches!(tree.step(next), Step::Return(_));
        if ends {
            frame.node = next;
        }
        ends
    }

    #[inline(never)]
    fn end_planned_move(
        &mut self,
        rules: &Walker,
        plan: &Plan,
        paid: MoveWithDice,
        made: Made,
        done: bool,
    ) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.last = Some((made, done));
        if plan.en_passant_first {
            let mover = self.mover;
            plan::forget_en_passant(&self.set.variant, &mut self.position, mover);
        }
        if let Some(progress) = &mut frame.progress {
            self.answers.leave_dice(plan.advance(progress, paid));
            if !done {
                progress.moved.remove(paid.mv.to);
                if !self.position.at(paid.mv.from).is_none() && !plan.same_piece {
                    progress.moved.insert(paid.mv.from);
                }
                let mut revised = progress.clone();
                let memo = frame.memo.clone().unwrap_or_default();
                plan.reassess(&self.view(rules), &mut revised, &mut open(&memo))?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.progress = Some(revised);
                }
            }
        }
        match plan.pauses {
            Pauses::Never | Pauses::Ends => Ok(()),
            Pauses::Begins | Pauses::Resumes => self.pause(rules, paid, made, done),
        }
    }

    /// Passes a move of a turn of several moves to the rule, which will request the next.
    fn pause(&mut self, rules: &Walker, paid: MoveWithDice, made: Made, done: bool) -> Result<(), RuleError> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.last = None;
        if let Some(progress) = frame.progress.take() {
            frame.paused.push((progress, frame.memo.take().unwrap_or_default()));
        }
        self.hold(rules, Value::Move(made, done))?;
        self.follow(rules, Answer::from(paid.dice))
    }

    fn act(&mut self, rules: &Walker, effect: &Effect) -> Result<(), RuleError> {
        if *effect == Effect::Complete {
            self.complete();
            return Ok(());
        }
        rules.meter().charge(Task::Running, effect.work())?;
        let before = rules.borrow_position(&self.position);
        if !self.eventful && self.begun.is_none() {
            self.begun = Some(before.clone());
        }
        let view = view!(self, rules, &before, self.frames.last().map_or(&[], |frame| &frame.env));
        effect::apply(effect, &view, &mut self.position, &mut self.course)?;
        self.labelled |= matches!(effect, Effect::Label(_));
        let changed = self.position != *before;
        self.changed |= changed;
        self.outcome_pending |= changed;
        rules.return_position(before);
        Ok(())
    }

    /// Carries out the move that a `capture` rule decides about, at most once.
    fn complete(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(Value::Move(made, done)) = frame.env.first_mut() else { return };
        if frame.completed.is_some() || self.position.at(made.mv.from) != made.piece && made.mv.tag != Tag::Drop {
            return;
        }
        let completed = self.position.make(&self.set.variant, made.mv);
        // The rule still sees the capture it was asked about, even after changing the pieces.
        let asked = (made.captured, made.captured_at);
        *made = completed;
        if completed.mv.tag != Tag::Push {
            (made.captured, made.captured_at) = asked;
        }
        *done = true;
        frame.completed = Some(completed);
        self.changed = true;
    }

    fn end_frame(&mut self, rules: &Walker) -> Result<(), RuleError> {
        match self.frames.as_slice() {
            [frame] if frame.rule == Hook::Turn.id() => self.turn_over(rules),
            _ => self.end_inner_frame(rules),
        }
    }

    /// Leaves a rule other than that of the turn.
    #[inline(never)]
    fn end_inner_frame(&mut self, rules: &Walker) -> Result<(), RuleError> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if frame.rule == Hook::Prepare.id() {
            self.spare = frame.env;
            self.spare.clear();
            return self.end_preparation(rules);
        }
        let waiting = self.frames.last_mut().and_then(|parent| parent.waiting.take());
        let planned = match frame.env.first() {
            Some(Value::Move(made, _)) => Some(*made),
            _ => None,
        };
        match (waiting, planned) {
            (Some(paid), Some(planned)) => {
                self.end_move(rules, paid, frame.completed.unwrap_or(planned), frame.completed.is_some())
            }
            _ => Ok(()),
        }
    }
}

/// Locks the memo of a turn of several moves.
fn open(memo: &Mutex<Memo>) -> MutexGuard<'_, Memo> {
    memo.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins a rule that has not run before.
#[cold]
pub(super) fn begin_tree(rules: &Walker, frame: &mut Frame) -> Result<(), RuleError> {
    rules.tell(frame.rule, Moment::Enters);
    let begun = rules.begin_tree(frame.rule, &mut frame.tree);
    rules.tell(frame.rule, Moment::Leaves);
    begun
}

/// The node after an answer that is new at its place: the tree grows.
#[cold]
fn grown(rules: &Walker, frame: &mut Frame, answer: Answer) -> Result<NodeId, RuleError> {
    rules.tell(frame.rule, Moment::Enters);
    let next = rules.follow(frame.rule, &mut frame.tree, frame.node, answer);
    rules.tell(frame.rule, Moment::Leaves);
    next
}
