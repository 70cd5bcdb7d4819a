//! Rules of three games written in Rust against the same trait as scripts: a baseline for the scripts. Only the benchmarks
//! use them.

use astragal_core::effect::Effect;
use astragal_core::plan::{DiceCombination, Obligation, Plan, Prepared};
use astragal_core::query::{Answer, Query};
use astragal_core::rule::{Chance, Decision, Step, Used};
use astragal_core::value::SideRef;
use astragal_core::{Dice, Hook, Kind, KindMask, Permit, RuleError, RuleId, RuleSource, Variant};
use std::sync::Arc;

/// The game whose rules are implemented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Game {
    /// Dice Chess, with the default options of its script.
    DiceChess,
    /// The game of three dice, with the default options of its script.
    ThreeDice,
    /// King for 2, with the default options of its script.
    KingForTwo,
}

/// The rules of a game.
pub struct Native {
    game: Game,
    /// The kinds that each face permits.
    faces: Vec<KindMask>,
    king: KindMask,
    /// The kinds that can win.
    heavy: KindMask,
}

impl Native {
    /// The rules of `game` for the variant that its script declares.
    pub fn new(game: Game, variant: &Variant) -> Native {
        let named = |name: &str| KindMask::from(variant.kind_named(name).unwrap_or(Kind(0)));
        let order: &[&str] = match game {
            Game::KingForTwo => &["king", "queen", "bishop", "rook", "knight"],
            _ => &["pawn", "knight", "bishop", "rook", "queen", "king"],
        };
        let heavy = ["pawn", "rook", "queen"].iter().fold(0, |all, name| all | named(name).0);
        Native {
            game,
            faces: order.iter().map(|name| named(name)).collect(),
            king: named("king"),
            heavy: KindMask(heavy),
        }
    }

    fn permit(&self, face: i16) -> Permit {
        self.faces.get(face as usize - 1).map_or(Permit::Any, |&kinds| Permit::Pieces(kinds))
    }
}

/// A run of a rule: the answers it has received and the actions it takes.
struct Run<'a> {
    answers: std::slice::Iter<'a, Answer>,
    steps: Vec<Step>,
}

impl Run<'_> {
    fn branch(&mut self, step: Step) -> Option<Answer> {
        self.steps.push(step);
        self.answers.next().copied()
    }

    fn ask(&mut self, query: Query) -> Option<bool> {
        self.branch(Step::Ask(query)).map(|answer| answer != 0)
    }

    fn has(&mut self, side: SideRef, kinds: KindMask, least: Answer) -> Option<bool> {
        self.ask(Query::AtLeast(Box::new(Query::Pieces(Some(side), kinds)), least))
    }

    fn roll(&mut self, dice: Dice) -> Option<Vec<i16>> {
        let index = self.branch(Step::Roll(Chance::Roll(Arc::new(dice.clone()))))?;
        Some(dice.outcome(index as u64))
    }

    fn win(&mut self, reason: &str) {
        self.steps.push(Step::Act(Effect::Win(SideRef::Mover, reason.into())));
    }

    fn draw(&mut self, reason: &str) {
        self.steps.push(Step::Act(Effect::Draw(reason.into())));
    }
}

impl Native {
    fn dice_chess(&self, run: &mut Run<'_>) -> Option<()> {
        let dice = run.roll(Dice::fair(2, 6))?;
        let mut permit = Permit::Any;
        if dice[0] != dice[1] {
            permit = Permit::Or(Box::new(self.permit(dice[0])), Box::new(self.permit(dice[1])));
            if dice.contains(&4) || dice.contains(&6) {
                permit = Permit::Or(Box::new(permit), Box::new(Permit::Castling(u16::MAX)));
            }
        }
        run.branch(Step::Decide(Decision::Play { by: SideRef::ToMove, permit: permit.into(), pass: false, or: None }))
            .map(|_| ())
    }

    fn several(&self, run: &mut Run<'_>) -> Option<()> {
        let three = self.game == Game::ThreeDice;
        let faces = run.roll(Dice::fair(if three { 3 } else { 2 }, 6))?;
        let castling = DiceCombination { faces: vec![4, 6], permit: Permit::Castling(u16::MAX) };
        let plan = Plan {
            permits: faces.iter().map(|&face| self.permit(face)).collect(),
            faces,
            combinations: if three { vec![castling] } else { Vec::new() },
            obligation: if three { Obligation::MostDice } else { Obligation::Each },
            same_piece: three,
            in_order: false,
            en_passant_first: false,
            pauses: Default::default(),
            or: None,
            prepared: Prepared::default(),
        };
        run.branch(Step::Decide(Decision::PlayEach(Arc::new(plan)))).map(|_| ())
    }

    fn outcome(&self, run: &mut Run<'_>) -> Option<()> {
        if !run.has(SideRef::Opponent, self.king, 1)? {
            run.win("king captured");
            return Some(());
        }
        if self.game != Game::DiceChess || !run.ask(Query::BetweenTurns)? {
            return Some(());
        }
        if !run.ask(Query::CanMove(SideRef::ToMove))? {
            if run.ask(Query::InCheck(SideRef::ToMove))? {
                run.win("checkmate");
            } else {
                run.draw("stalemate");
            }
            return Some(());
        }
        if run.ask(Query::AtLeast(Box::new(Query::Repetitions), 3))? {
            run.draw("repetition");
        } else if run.ask(Query::AtLeast(Box::new(Query::Clock), 100))? {
            run.draw("move limit");
        } else if !run.has(SideRef::Mover, self.heavy, 1)?
            && !run.has(SideRef::Opponent, self.heavy, 1)?
            && !run.has(SideRef::Mover, KindMask::ALL, 2)?
            && !run.has(SideRef::Opponent, KindMask::ALL, 2)?
        {
            run.draw("dead position");
        }
        Some(())
    }
}

impl RuleSource for Native {
    fn has(&self, hook: Hook) -> bool {
        !matches!(hook, Hook::Capture | Hook::Movement)
    }

    fn name(&self, rule: RuleId) -> String {
        format!("{:?}, rule {}", self.game, rule.0)
    }

    fn held(&self, _: RuleId) -> usize {
        0
    }

    fn run(&self, rule: RuleId, answers: &[Answer], _: &mut Used) -> Result<Vec<Step>, RuleError> {
        let mut run = Run { answers: answers.iter(), steps: Vec::new() };
        let done = match (rule == Hook::Outcome.id(), self.game) {
            (true, _) => self.outcome(&mut run),
            (false, Game::DiceChess) => self.dice_chess(&mut run),
            (false, _) => self.several(&mut run),
        };
        if done.is_some() {
            run.steps.push(Step::Return(0));
        }
        Ok(run.steps)
    }
}
