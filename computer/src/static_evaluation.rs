//! The static evaluation of states: material, mobility and promotion, attacks on royals, how near pieces stand to royals
//! of the enemy.
//!
//! Values are from -1 (lost) to 1 (won) for one side and its partners; where there are more than two parties, all
//! others are taken as one. Knows no search.

use crate::mobility::kinds;
use crate::piece_sums::{Distances, PieceSums};
use crate::piece_values::PieceValues;
use astragal_core::{Kind, Over, Position, Ruleset, Side, State, attack};
use std::sync::Arc;

/// What a game that is not over is worth at most.
pub(crate) const CEILING: f64 = 0.97;
/// What a piece in hand is worth, of one on the board.
const IN_HAND: f64 = 0.85;
/// How large a lead is decisive: of the pieces of the array, and of those that are left.
const DECISIVE: (f64, f64) = (0.05, 0.12);
/// What it is worth to attack a royal before its owner's turn.
const ATTACK: f64 = 0.04;
/// How near the pieces of the side that leads are to enemy royals counts so much, for each.
const NEAR: f64 = 0.012;

/// The terms of a variant's evaluation. See the [module](self).
pub(crate) struct StaticEvaluation {
    ruleset: Arc<Ruleset>,
    values: PieceValues,
    /// The material that a side has at the start, on average.
    start_material: f64,
    /// What an attack on a royal is worth when the attacker's turn has come, from 0 to 1: a part of the way to a won
    /// game. Random games show it.
    pub(crate) royal_attack: f64,
    distances: Distances,
    /// How many king's steps the board is long or wide.
    span: f64,
}

impl StaticEvaluation {
    /// Derives all terms but the worth of attacks on royals, which is 0.
    pub(crate) fn new(ruleset: Arc<Ruleset>, start: &Position) -> StaticEvaluation {
        let values = PieceValues::new(&ruleset.variant, start);
        let board = ruleset.variant.board();
        let span = f64::from(board.width().max(board.height()));
        let distances = Distances::new(&ruleset.variant);
        let mut evaluation =
            StaticEvaluation { ruleset, values, start_material: 0.0, royal_attack: 0.0, distances, span };
        let sums = evaluation.sums_of(start);
        let all: f64 = evaluation.sides().map(|side| evaluation.material(start, &sums, side)).sum();
        evaluation.start_material = (all / evaluation.ruleset.variant.sides() as f64).max(1.0);
        evaluation
    }

    /// The variant and its rules.
    pub(crate) fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// What a kind is worth, in moves; royals by what their loss would mean.
    pub(crate) fn piece_value(&self, kind: Kind) -> f64 {
        self.values.of_kind(kind)
    }

    fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        (0..self.ruleset.variant.sides() as u8).map(Side)
    }

    /// What the pieces of a position add up to.
    fn sums_of(&self, position: &Position) -> PieceSums {
        let mut sums = PieceSums::empty();
        sums.follow(&self.values, &self.distances, position);
        sums
    }

    /// The worth of what `side` has on the board and in hand.
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

    /// What the end of a game means for `me` and partners: 1, 0 or -1, or the difference of points where
    /// the rules say what a game is worth.
    pub(crate) fn result(&self, over: &Over, me: Side) -> f64 {
        let allied = |side: Side| self.ruleset.variant.allied(me, side);
        if let Some(points) = over.points {
            let best = |own: bool| self.sides().filter(|s| allied(*s) == own).map(|s| points[s.index()]).max();
            return f64::from(best(true).unwrap_or(0)) - f64::from(best(false).unwrap_or(0));
        }
        match over.winner {
            None => 0.0,
            Some(side) if allied(side) => 1.0,
            Some(_) => -1.0,
        }
    }

    /// How good a state is for `me` and partners; the result, if the game is over. `sums` are those of any position of
    /// the variant, best of one that differs little, and then of this one.
    pub(crate) fn evaluate_by(&self, sums: &mut PieceSums, state: &State, me: Side) -> f64 {
        match state.over() {
            Some(over) => self.result(over, me),
            None => {
                sums.follow(&self.values, &self.distances, state.position());
                self.evaluate_sums(state.position(), sums, state.chooser(), me)
            }
        }
    }

    /// The same without sums at hand.
    pub(crate) fn evaluate(&self, state: &State, me: Side) -> f64 {
        self.evaluate_by(&mut PieceSums::empty(), state, me)
    }

    /// How good a position is for `me` and partners when `next` is to act.
    pub(crate) fn evaluate_position(&self, position: &Position, next: Side, me: Side) -> f64 {
        self.evaluate_sums(position, &self.sums_of(position), next, me)
    }

    fn evaluate_sums(&self, position: &Position, sums: &PieceSums, next: Side, me: Side) -> f64 {
        let variant = &self.ruleset.variant;
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
        // Where partners stand together there are as many on both sides; single players meet the average.
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

    /// A value, with royals that are attacked taken into account: the next turn may take them, or use
    /// the attack otherwise, as random games have shown.
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
            // One of several royals is not everything.
            let share = 1.0 / f64::from(position.royal_count(side)).powi(2);
            value += attack * share * (worst - value);
        }
        value
    }

    /// How many kinds of pieces attack a royal of `side`: each of them is another chance.
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

    /// How near the pieces of the party that leads stand to the royals of the others: what is to be done
    /// once there is nothing left to win.
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
