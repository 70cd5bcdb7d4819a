//! The static evaluation of states: material, mobility and promotion, attacks on royals, proximity of pieces to enemy
//! royals.
//!
//! Values are from -1 (lost) to 1 (won) for one side and its partners; with more than two parties, all others count as one.
//! Knows no search.

use crate::mobility::kinds;
use crate::piece_sums::{Distances, PieceSums};
use crate::piece_values::PieceValues;
use crate::race_value::PacedRace;
use crate::result::{CEILING, result};
use astragal_core::{Kind, Over, Position, Ruleset, Side, State, attack};
use std::sync::Arc;

/// The value of a piece in hand, relative to one on the board.
const IN_HAND: f64 = 0.85;
/// The size of a decisive lead, as a fraction of the pieces of the starting position, and of the remaining pieces.
const DECISIVE: (f64, f64) = (0.05, 0.12);
/// The value of attacking a royal before its owner's turn.
const ATTACK: f64 = 0.04;
/// The weight, per enemy royal, of the proximity of the leading side's pieces.
const NEAR: f64 = 0.012;

/// The terms of a variant's evaluation. See the [module](self).
#[derive(Clone)]
pub(crate) struct StaticEvaluation {
    ruleset: Arc<Ruleset>,
    values: PieceValues,
    /// The material that a side has at the start, on average.
    start_material: f64,
    /// The value of an attack on a royal when the attacker's turn begins, from 0 to 1: the fraction of the way to a won
    /// game. Measured in random games.
    pub(crate) royal_attack: f64,
    /// The race at the pace of random games, if the variant is one.
    pub(crate) race: Option<PacedRace>,
    distances: Distances,
    /// The length or width of the board in king's steps, whichever is greater.
    span: f64,
}

impl StaticEvaluation {
    /// Derives all terms except the value of attacks on royals, which is 0.
    pub(crate) fn new(ruleset: Arc<Ruleset>, start: &Position) -> StaticEvaluation {
        let values = PieceValues::new(&ruleset.variant, start);
        let board = ruleset.variant.board();
        let span = f64::from(board.width().max(board.height()));
        let distances = Distances::new(&ruleset.variant);
        let mut evaluation =
            StaticEvaluation { ruleset, values, start_material: 0.0, royal_attack: 0.0, race: None, distances, span };
        let sums = evaluation.sums_of(start);
        let all: f64 = evaluation.sides().map(|side| evaluation.material(start, &sums, side)).sum();
        evaluation.start_material = (all / evaluation.ruleset.variant.sides() as f64).max(1.0);
        evaluation
    }

    /// The variant and its rules.
    pub(crate) fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The value of a kind, in moves; of royals by the effect of their loss.
    pub(crate) fn piece_value(&self, kind: Kind) -> f64 {
        self.values.of_kind(kind)
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.ruleset.variant.sides() as u8).map(Side)
    }

    /// The sums over the pieces of a position.
    fn sums_of(&self, position: &Position) -> PieceSums {
        let mut sums = PieceSums::empty();
        sums.follow(&self.values, &self.distances, position);
        sums
    }

    /// The value of the pieces of `side` on the board and in hand.
    fn material(&self, position: &Position, sums: &PieceSums, side: Side) -> f64 {
        let mut sum = sums.worth(side);
        if self.ruleset.variant.spec().heaps {
            let beneath = position.heaps(2).into_iter().flat_map(|square| position.beneath(square));
            let own = beneath.filter(|piece| piece.belongs_to(side));
            sum += own.map(|piece| self.piece_value(piece.kind())).sum::<f64>();
        }
        if self.ruleset.variant.spec().hands {
            let held = |kind: Kind| f64::from(position.in_hand(&self.ruleset.variant, side, kind).max(0));
            sum += kinds(&self.ruleset.variant).map(|kind| held(kind) * IN_HAND * self.piece_value(kind)).sum::<f64>();
        }
        sum
    }

    /// The value of a finished game for `me` and partners: 1, 0 or -1, or the difference of points if the rules set the
    /// value of the game.
    pub(crate) fn result(&self, over: &Over, me: Side) -> f64 {
        result(&self.ruleset.variant, over, me)
    }

    /// The value of a state for `me` and partners; the result, if the game is over. `sums` are the sums of any position of
    /// the variant, ideally a similar one, and are updated to this one.
    pub(crate) fn evaluate_by(&self, sums: &mut PieceSums, state: &State, me: Side) -> f64 {
        match state.over() {
            Some(over) => self.result(over, me),
            None => {
                sums.follow(&self.values, &self.distances, state.position());
                self.evaluate_sums(state.position(), sums, state.chooser(), me)
            }
        }
    }

    /// The same without existing sums.
    pub(crate) fn evaluate(&self, state: &State, me: Side) -> f64 {
        self.evaluate_by(&mut PieceSums::empty(), state, me)
    }

    /// The value of a position for `me` and partners when `next` is to act.
    pub(crate) fn evaluate_position(&self, position: &Position, next: Side, me: Side) -> f64 {
        self.evaluate_sums(position, &self.sums_of(position), next, me)
    }

    fn evaluate_sums(&self, position: &Position, sums: &PieceSums, next: Side, me: Side) -> f64 {
        let variant = &self.ruleset.variant;
        if let Some(race) = &self.race {
            return race.value(variant, position, next, me);
        }
        let (mut own, mut others, mut parties) = (0.0, 0.0, 0.0);
        for side in self.sides() {
            let material = self.material(position, sums, side);
            if variant.allied(me, side) {
                own += material;
            } else {
                others += material;
                parties += 1.0;
            }
        }
        // Teams have equal numbers on both sides; a single player faces the average of the others.
        if variant.spec().teams.is_none() && parties > 1.0 {
            others /= parties;
        }
        let lead = own - others;
        let scale = DECISIVE.0 * self.start_material + DECISIVE.1 * (own + others) / 2.0;
        let mut value = 0.9 * (lead / scale).tanh();
        if variant.royals().0 != 0 {
            value = (value + self.royal_tropism(sums, lead / scale, me)).clamp(-CEILING, CEILING);
            value = self.with_royal_attacks(position, next, me, value);
        }
        value.clamp(-CEILING, CEILING)
    }

    /// A value adjusted for attacked royals: the next turn may capture them or use the attack in another way, as measured
    /// in random games.
    fn with_royal_attacks(&self, position: &Position, next: Side, me: Side, value: f64) -> f64 {
        let variant = &self.ruleset.variant;
        let mut value = value;
        for side in self.sides().filter(|side| position.royal_count(*side) > 0) {
            if !attack::in_check(variant, position, side) {
                continue;
            }
            let worst = if variant.allied(me, side) { -1.0 } else { 1.0 };
            if variant.allied(next, side) {
                value += ATTACK * worst;
                continue;
            }
            let attack = 1.0 - (1.0 - self.royal_attack).powi(self.attacking_kinds(position, side));
            // Losing one of several royals does not lose everything.
            let share = 1.0 / f64::from(position.royal_count(side)).powi(2);
            value += attack * share * (worst - value);
        }
        value
    }

    /// The number of kinds of pieces that attack a royal of `side`: each of them is another chance.
    fn attacking_kinds(&self, position: &Position, side: Side) -> i32 {
        let variant = &self.ruleset.variant;
        let mut kinds = 0u64;
        for royal in position.royals(variant, side) {
            for enemy in self.sides().filter(|enemy| !variant.allied(*enemy, side)) {
                for square in attack::attackers(variant, position, royal, enemy) {
                    kinds |= 1 << position.at(square).kind().0;
                }
            }
        }
        kinds.count_ones() as i32
    }

    /// The proximity of the leading party's pieces to the royals of the others: the aim once material is decided.
    fn royal_tropism(&self, sums: &PieceSums, lead: f64, me: Side) -> f64 {
        let variant = &self.ruleset.variant;
        let leads = lead >= 0.0;
        let mut near = 0.0;
        for royal in self.sides().filter(|side| variant.allied(me, *side) != leads) {
            for attacker in self.sides().filter(|other| variant.allied(me, *other) == leads) {
                if let Some((pieces, steps)) = sums.distance(attacker, royal) {
                    near += pieces as f64 - steps as f64 / self.span;
                }
            }
        }
        NEAR * near * lead.clamp(-1.0, 1.0)
    }
}
