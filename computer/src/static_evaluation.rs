//! The static evaluation of states: material, mobility and promotion, attacks on royals, how near pieces stand to royals
//! of the enemy.
//!
//! Values are from -1 (lost) to 1 (won) for one side and its partners; where there are more than two parties, all
//! others are taken as one. Knows no search.

use crate::mobility::kinds;
use crate::piece_values::PieceValues;
use astragal_core::{Kind, Over, Position, Ruleset, Side, Square, State, attack};
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
    /// How many king's steps lie between two squares, by both.
    distances: Vec<u8>,
    /// How near that is, from 0 to 1, by distance.
    nearness: [f64; 256],
}

impl StaticEvaluation {
    /// Derives all terms but the worth of attacks on royals, which is 0.
    pub(crate) fn new(ruleset: Arc<Ruleset>, start: &Position) -> StaticEvaluation {
        let values = PieceValues::new(&ruleset.variant, start);
        let board = ruleset.variant.board();
        let span = f64::from(board.width().max(board.height()));
        let steps =
            |a: Square, b: Square| board.file(a).abs_diff(board.file(b)).max(board.rank(a).abs_diff(board.rank(b)));
        let all = || (0..board.len()).map(|square| Square(square as u8));
        let distances = all().flat_map(|a| all().map(move |b| (a, b))).map(|(a, b)| steps(a, b)).collect();
        let nearness = std::array::from_fn(|distance| 1.0 - distance as f64 / span);
        let mut evaluation =
            StaticEvaluation { ruleset, values, start_material: 0.0, royal_attack: 0.0, distances, nearness };
        let all: f64 = evaluation.sides().map(|side| evaluation.material(start, side)).sum();
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

    /// The worth of what `side` has on the board and in hand.
    fn material(&self, position: &Position, side: Side) -> f64 {
        let mut sum: f64 = position.of(side).into_iter().map(|s| self.values.on(position.at(s), s)).sum();
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

    /// How good a state is for `me` and partners; the result, if the game is over.
    pub(crate) fn evaluate(&self, state: &State, me: Side) -> f64 {
        match state.over() {
            Some(over) => self.result(over, me),
            None => self.evaluate_position(state.position(), state.chooser(), me),
        }
    }

    /// How good a position is for `me` and partners when `next` is to act.
    pub(crate) fn evaluate_position(&self, position: &Position, next: Side, me: Side) -> f64 {
        let variant = &self.ruleset.variant;
        let (mut own, mut others, mut parties) = (0.0, 0.0, 0.0);
        for side in self.sides() {
            let material = self.material(position, side);
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
            value = (value + self.royal_tropism(position, lead / scale, me)).clamp(-CEILING, CEILING);
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
    fn royal_tropism(&self, position: &Position, lead: f64, me: Side) -> f64 {
        let variant = &self.ruleset.variant;
        let leads = lead >= 0.0;
        let squares = variant.board().len();
        let mut sum = 0.0;
        for side in self.sides().filter(|side| variant.allied(me, *side) != leads) {
            let Some(royal) = position.sole_royal(side) else { continue };
            let from_royal = &self.distances[royal.index() * squares..][..squares];
            for attacker in self.sides().filter(|other| variant.allied(me, *other) == leads) {
                let near = |square: Square| self.nearness[usize::from(from_royal[square.index()])];
                sum = position.of(attacker).into_iter().fold(sum, |sum, square| sum + near(square));
            }
        }
        NEAR * sum * lead.clamp(-1.0, 1.0)
    }
}
