//! Computes the chances of outcomes from a graph of chance nodes.
//!
//! Chances flow along the edges. Points that a cycle leads back to are solved for: the flow of one round is a row of a
//! small matrix. Eliminating the rows one after another sums every series of returns without a subtraction (Grassmann,
//! Taksar and Heyman, "Regenerative analysis and steady state distributions for Markov chains", 1985). Where fractions get
//! too long, multiples of 2^-120 flow instead, each rounded down, and the total rounding loss is reported.

use super::found::{Certainty, Found, MOST_OPEN, NEGLIGIBLE, Outcome};
use super::walk::{Graph, Target};
use crate::analysis::ratio::Ratio;
use crate::play::state::State;

/// The maximum number of entries of the matrix; beyond it series are summed term by term.
const MOST_ENTRIES: usize = 1_000_000;

/// The maximum number of terms.
const MOST_TERMS: usize = 10_000;

/// The binary digits of inexact chances: products of two still fit.
const DIGITS: u32 = 60;

/// A flowing chance.
trait Mass: Copy + PartialEq {
    const NONE: Self;
    const ALL: Self;
    /// The fraction `weight / total` of it.
    fn part(self, weight: u64, total: u64) -> Option<Self>;
    fn plus(self, other: Self) -> Option<Self>;
}

impl Mass for Ratio {
    const NONE: Ratio = Ratio::ZERO;
    const ALL: Ratio = Ratio::ONE;

    fn part(self, weight: u64, total: u64) -> Option<Ratio> {
        self.checked_mul(Ratio::new(weight.into(), total.into()))
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        self.checked_add(other)
    }
}

/// Multiples of 2^-120.
#[derive(Clone, Copy, PartialEq)]
struct Units(u128);

impl Mass for Units {
    const NONE: Units = Units(0);
    const ALL: Units = Units(1 << 120);

    fn part(self, weight: u64, total: u64) -> Option<Units> {
        let (weight, total) = (u128::from(weight), u128::from(total));
        Some(Units(self.0 / total * weight + self.0 % total * weight / total))
    }

    fn plus(self, other: Units) -> Option<Units> {
        Some(Units(self.0 + other.0))
    }
}

/// Where chances have flowed.
struct Flown<M> {
    leaves: Vec<M>,
    /// Heads of cycles.
    heads: Vec<M>,
    /// Not followed.
    open: M,
}

/// The chances of all outcomes; `None` if too much of the graph was not followed.
pub(super) fn found(graph: Graph) -> Option<Found> {
    if graph.open.is_some_and(|open| open > MOST_OPEN) {
        return None;
    }
    let heads = heads(&graph);
    let exact = solved(&graph, &heads).filter(|flown| addable(&flown.leaves));
    let (probabilities, certainty) = match exact {
        Some(Flown { leaves, open: Ratio::ZERO, .. }) => (leaves, Certainty::Exact),
        _ => rounded(&graph, &heads),
    };
    let mut outcomes: Vec<Option<(Ratio, State)>> = probabilities.into_iter().zip(graph.leaves).map(Some).collect();
    let order = in_order(&graph.points, outcomes.len());
    let outcomes = order.into_iter().filter_map(|leaf| outcomes[leaf].take());
    let outcomes = outcomes.map(|(probability, state)| Outcome { probability, state }).collect();
    Some(Found { outcomes, certainty })
}

/// For each point its index among the heads of cycles, if it is one.
fn heads(graph: &Graph) -> Vec<Option<usize>> {
    let mut heads = vec![None; graph.points.len()];
    let mut count = 0;
    for (from, point) in graph.points.iter().enumerate() {
        for &(_, target) in &point.ways {
            if let Target::ChanceNode(to) = target
                && to <= from
                && heads[to].is_none()
            {
                heads[to] = Some(count);
                count += 1;
            }
        }
    }
    heads
}

/// Lets chances flow from some points until they reach an outcome or the head of a cycle.
fn flow<M: Mass>(graph: &Graph, heads: &[Option<usize>], from: &[(usize, M)]) -> Option<Flown<M>> {
    let count = heads.iter().flatten().count();
    let mut flown = Flown { leaves: vec![M::NONE; graph.leaves.len()], heads: vec![M::NONE; count], open: M::NONE };
    let mut here = vec![M::NONE; graph.points.len()];
    for &(point, mass) in from {
        here[point] = here[point].plus(mass)?;
    }
    for number in 0..graph.points.len() {
        let (point, mass) = (&graph.points[number], here[number]);
        if mass == M::NONE {
            continue;
        }
        if point.ways.is_empty() {
            flown.open = flown.open.plus(mass)?;
        }
        for &(weight, target) in &point.ways {
            let to = match target {
                Target::Leaf(leaf) => &mut flown.leaves[leaf],
                Target::ChanceNode(to) => match heads[to] {
                    Some(head) => &mut flown.heads[head],
                    None => &mut here[to],
                },
            };
            *to = to.plus(mass.part(weight, point.total)?)?;
        }
    }
    Some(flown)
}

/// Exact chances; `None` if fractions get too long.
fn solved(graph: &Graph, heads: &[Option<usize>]) -> Option<Flown<Ratio>> {
    let mut back: Vec<usize> = vec![0; heads.iter().flatten().count()];
    heads.iter().enumerate().filter_map(|(point, head)| Some((point, (*head)?))).for_each(|(p, h)| back[h] = p);
    if back.len() * (back.len() + graph.leaves.len()) > MOST_ENTRIES {
        return None;
    }
    let mut rows = Vec::with_capacity(back.len() + 1);
    for point in back.into_iter().chain([0]) {
        rows.push(flow(graph, heads, &[(point, Ratio::ONE)])?);
    }
    let mut start = rows.pop()?;
    while let Some(mut row) = rows.pop() {
        // The chance not to return immediately is the sum of the other chances.
        row.heads.truncate(rows.len());
        let away = row.heads.iter().chain(&row.leaves).chain([&row.open]);
        let away = away.copied().try_fold(Ratio::ZERO, Ratio::checked_add)?;
        match away.inverse() {
            Some(times) => {
                for mass in row.heads.iter_mut().chain(&mut row.leaves).chain([&mut row.open]) {
                    *mass = mass.checked_mul(times)?;
                }
            }
            // It cycles forever.
            None => row.open = Ratio::ONE,
        }
        for other in rows.iter_mut().chain([&mut start]) {
            let share = other.heads.pop()?;
            if share == Ratio::ZERO {
                continue;
            }
            let into = other.heads.iter_mut().chain(&mut other.leaves).chain([&mut other.open]);
            for (to, mass) in into.zip(row.heads.iter().chain(&row.leaves).chain([&row.open])) {
                *to = to.checked_add(mass.checked_mul(share)?)?;
            }
        }
    }
    Some(start)
}

/// Whether the chances have a common denominator that fits.
fn addable(chances: &[Ratio]) -> bool {
    chances.iter().try_fold(1, |common, chance| chance.common(common)).is_some()
}

/// Chances rounded down, and their greatest error.
fn rounded(graph: &Graph, heads: &[Option<usize>]) -> (Vec<Ratio>, Certainty) {
    let mut leaves = vec![0_u128; graph.leaves.len()];
    let mut from = vec![(0, Units::ALL)];
    for _ in 0..MOST_TERMS {
        // Multiples can always be added.
        let Some(flown) = flow(graph, heads, &from) else { break };
        leaves.iter_mut().zip(flown.leaves).for_each(|(sum, part)| *sum += part.0);
        let back = heads.iter().enumerate().filter_map(|(point, head)| Some((point, flown.heads[(*head)?])));
        from = back.filter(|(_, mass)| mass.0 > 0).collect();
        let left: u128 = from.iter().map(|(_, mass)| mass.0).sum();
        if left as f64 / Units::ALL.0 as f64 <= NEGLIGIBLE {
            break;
        }
    }
    let written = |parts: u128| parts >> (120 - DIGITS);
    let sum: u128 = leaves.iter().map(|&parts| written(parts)).sum();
    let one = 1_u128 << DIGITS;
    let probabilities = leaves.into_iter().map(|parts| Ratio::new(written(parts), one)).collect();
    (probabilities, Certainty::Within((one - sum) as f64 / one as f64))
}

/// The outcomes in the order in which the dice reach them.
fn in_order(points: &[super::walk::ChanceNode], leaves: usize) -> Vec<usize> {
    let (mut met, mut seen) = (vec![false; leaves], vec![false; points.len()]);
    let mut order = Vec::with_capacity(leaves);
    let mut ahead = vec![Target::ChanceNode(0)];
    while let Some(target) = ahead.pop() {
        match target {
            Target::Leaf(leaf) if !std::mem::replace(&mut met[leaf], true) => order.push(leaf),
            Target::ChanceNode(point) if !std::mem::replace(&mut seen[point], true) => {
                ahead.extend(points[point].ways.iter().rev().map(|(_, target)| *target));
            }
            _ => {}
        }
    }
    order
}
