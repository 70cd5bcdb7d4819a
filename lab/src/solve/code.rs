//! Turns in a compact form: what each roll lets the player reach, written as bytes once and read in every sweep.
//!
//! Owns the format and its evaluation. Knows no rules and no positions: states are numbers.
//!
//! A turn is a list of nodes, each after the nodes that it refers to; the last one is the turn. Numbers are written with
//! seven bits a byte, the lowest first. The states of a decision are written as differences in ascending order, so that
//! most of them take one byte.

/// A bound of values: the lower and the upper one, in half points for the first side.
pub(super) type Bounds = (f64, f64);

/// A part of a turn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    /// An outcome of the dice: weights, and what follows.
    Chance(Vec<(u64, Ref)>),
    /// A decision: the best of what can be reached.
    Best(Best),
}

impl Node {
    /// The values of the games that it ends.
    pub(super) fn payoffs(&self) -> impl Iterator<Item = i32> {
        let (outcomes, best) = match self {
            Node::Chance(outcomes) => (outcomes.as_slice(), None),
            Node::Best(best) => (&[][..], best.payoff),
        };
        let end = |(_, to): &(u64, Ref)| if let Ref::Payoff(payoff) = to { Some(*payoff) } else { None };
        outcomes.iter().filter_map(end).chain(best)
    }

    /// Changes the numbers of its states.
    pub(super) fn states_mut(&mut self, mut change: impl FnMut(&mut u32)) {
        match self {
            Node::Chance(outcomes) => {
                for (_, to) in outcomes {
                    if let Ref::State(state) = to {
                        change(state);
                    }
                }
            }
            Node::Best(best) => {
                best.states.iter_mut().for_each(change);
                best.states.sort_unstable();
            }
        }
    }
}

/// A decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Best {
    /// Whether the first side decides, who wants a high value.
    pub(super) is_first: bool,
    /// The best value of the games that end at once, in half points.
    pub(super) payoff: Option<i32>,
    /// Earlier nodes of the turn.
    pub(super) nodes: Vec<u32>,
    /// States at the start of the next turn, in ascending order.
    pub(super) states: Vec<u32>,
}

impl Best {
    /// Adds the value of a game that ends at once.
    pub(super) fn end(&mut self, payoff: i32) {
        self.payoff = Some(match self.payoff {
            Some(best) if self.is_first => best.max(payoff),
            Some(best) => best.min(payoff),
            None => payoff,
        });
    }
}

/// What follows an outcome.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ref {
    /// The end of the game, with its value in half points.
    Payoff(i32),
    /// An earlier node of the turn.
    Node(u32),
    /// A state at the start of the next turn.
    State(u32),
}

const CHANCE: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;

/// Appends a turn to `out`.
pub(super) fn write(nodes: &[Node], out: &mut Vec<u8>) {
    number(nodes.len() as u64, out);
    for node in nodes {
        match node {
            Node::Chance(outcomes) => {
                out.push(CHANCE);
                number(outcomes.len() as u64, out);
                for (weight, to) in outcomes {
                    number(*weight, out);
                    let (tag, value) = match to {
                        Ref::Payoff(payoff) => (0, zigzag(*payoff)),
                        Ref::Node(node) => (1, u64::from(*node)),
                        Ref::State(state) => (2, u64::from(*state)),
                    };
                    number(value * 3 + tag, out);
                }
            }
            Node::Best(best) => {
                out.push(if best.is_first { FIRST } else { SECOND });
                number(best.payoff.map_or(0, |payoff| 1 + zigzag(payoff)), out);
                number(best.nodes.len() as u64, out);
                best.nodes.iter().for_each(|node| number(u64::from(*node), out));
                number(best.states.len() as u64, out);
                let mut before = 0;
                for &state in &best.states {
                    number(u64::from(state - before), out);
                    before = state;
                }
            }
        }
    }
}

fn zigzag(value: i32) -> u64 {
    u64::from((value << 1 ^ value >> 31) as u32)
}

fn unzigzag(value: u64) -> f64 {
    let value = value as u32;
    f64::from((value >> 1) as i32 ^ -((value & 1) as i32))
}

fn number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    #[inline(always)]
    fn number(&mut self) -> u64 {
        let byte = self.bytes[self.at];
        self.at += 1;
        if byte < 0x80 { u64::from(byte) } else { self.long(byte) }
    }

    fn long(&mut self, first: u8) -> u64 {
        let (mut value, mut shift) = (u64::from(first & 0x7f), 7);
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
    }
}

/// The bounds of a turn that [`write`] has written, where `values` has those of the states. `nodes` is a buffer for the
/// values of the turn's nodes. The result depends on nothing else: sums are made in the order of the outcomes.
///
/// # Panics
/// If `bytes` is not such a turn.
pub(super) fn evaluate(bytes: &[u8], values: &[Bounds], nodes: &mut Vec<Bounds>) -> Bounds {
    run(bytes, &|state| values[state], nodes, expected)
}

/// The least that the first side keeps in a turn, and the most that the second side concedes, if the game may be endless:
/// `held` has the same for the states. Dice count by what they can do at worst, except that a player who leaves for other
/// states can expect the average there, by `values`.
///
/// # Panics
/// If `bytes` is not a turn that [`write`] has written.
pub(super) fn hold(bytes: &[u8], values: &[Bounds], held: &[Bounds], nodes: &mut Vec<Held>) -> Bounds {
    let state = |state: usize| Held { value: values[state], held: held[state] };
    run(bytes, &state, nodes, |outcomes| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let value = expected(&mut outcomes.map(|(weight, to)| {
            (low, high) = (to.held.0.min(low), to.held.1.max(high));
            (weight, to.value)
        }));
        Held { value, held: (low.max(value.0), high.min(value.1)) }
    })
    .held
}

/// The bounds of a value, and what is held of it: see [`hold`].
#[derive(Clone, Copy)]
pub(super) struct Held {
    value: Bounds,
    held: Bounds,
}

/// The value of a node, for either kind of evaluation.
trait Value: Copy {
    fn of(payoff: f64) -> Self;
    fn pick(self, other: Self, better: fn(f64, f64) -> f64) -> Self;
}

impl Value for Bounds {
    #[inline(always)]
    fn of(payoff: f64) -> Bounds {
        (payoff, payoff)
    }

    #[inline(always)]
    fn pick(self, other: Bounds, better: fn(f64, f64) -> f64) -> Bounds {
        (better(self.0, other.0), better(self.1, other.1))
    }
}

impl Value for Held {
    fn of(payoff: f64) -> Held {
        Held { value: Bounds::of(payoff), held: Bounds::of(payoff) }
    }

    fn pick(self, other: Held, better: fn(f64, f64) -> f64) -> Held {
        Held { value: self.value.pick(other.value, better), held: self.held.pick(other.held, better) }
    }
}

#[inline(always)]
fn run<V: Value>(
    bytes: &[u8],
    state: &impl Fn(usize) -> V,
    nodes: &mut Vec<V>,
    mut chance: impl FnMut(&mut dyn Iterator<Item = (f64, V)>) -> V,
) -> V {
    let mut reader = Reader { bytes, at: 0 };
    nodes.clear();
    for _ in 0..reader.number() {
        reader.at += 1;
        let value = match reader.bytes[reader.at - 1] {
            CHANCE => {
                let count = reader.number();
                chance(&mut (0..count).map(|_| outcome(&mut reader, state, nodes)))
            }
            FIRST => best(&mut reader, state, nodes, f64::NEG_INFINITY, f64::max),
            _ => best(&mut reader, state, nodes, f64::INFINITY, f64::min),
        };
        nodes.push(value);
    }
    nodes[nodes.len() - 1]
}

/// The weight of an outcome, and the value of what follows.
#[inline(always)]
fn outcome<V: Value>(reader: &mut Reader<'_>, state: &impl Fn(usize) -> V, nodes: &[V]) -> (f64, V) {
    let weight = reader.number() as f64;
    let to = reader.number();
    let value = match to % 3 {
        0 => V::of(unzigzag(to / 3)),
        1 => nodes[(to / 3) as usize],
        _ => state((to / 3) as usize),
    };
    (weight, value)
}

#[inline(always)]
fn expected(outcomes: &mut dyn Iterator<Item = (f64, Bounds)>) -> Bounds {
    let (mut low, mut high, mut total) = (0.0, 0.0, 0.0);
    for (weight, value) in outcomes {
        low += weight * value.0;
        high += weight * value.1;
        total += weight;
    }
    (low / total, high / total)
}

#[inline(always)]
fn best<V: Value>(
    reader: &mut Reader<'_>,
    state: &impl Fn(usize) -> V,
    nodes: &[V],
    worst: f64,
    better: fn(f64, f64) -> f64,
) -> V {
    let mut found = match reader.number() {
        0 => V::of(worst),
        payoff => V::of(unzigzag(payoff - 1)),
    };
    for _ in 0..reader.number() {
        found = found.pick(nodes[reader.number() as usize], better);
    }
    let mut number = 0;
    for _ in 0..reader.number() {
        number += reader.number() as usize;
        found = found.pick(state(number), better);
    }
    found
}

/// The states that a turn leads to, some perhaps repeatedly.
pub(super) struct States<'a> {
    reader: Reader<'a>,
    /// The nodes that have not been entered.
    nodes: u64,
    /// The outcomes, or the states of a decision, that are left in the current node.
    outcomes: u64,
    states: u64,
    state: u32,
}

impl<'a> States<'a> {
    /// The states of a turn that [`write`] has written.
    pub(super) fn of(bytes: &'a [u8]) -> States<'a> {
        let mut reader = Reader { bytes, at: 0 };
        let nodes = reader.number();
        States { reader, nodes, outcomes: 0, states: 0, state: 0 }
    }
}

impl Iterator for States<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            if self.states > 0 {
                self.states -= 1;
                self.state += self.reader.number() as u32;
                return Some(self.state);
            }
            if self.outcomes > 0 {
                self.outcomes -= 1;
                self.reader.number();
                let to = self.reader.number();
                if to % 3 == 2 {
                    return Some((to / 3) as u32);
                }
                continue;
            }
            self.nodes = self.nodes.checked_sub(1)?;
            self.reader.at += 1;
            if self.reader.bytes[self.reader.at - 1] == CHANCE {
                self.outcomes = self.reader.number();
                continue;
            }
            self.reader.number();
            for _ in 0..self.reader.number() {
                self.reader.number();
            }
            (self.states, self.state) = (self.reader.number(), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_as_it_was_written() {
        let first = Best { is_first: true, payoff: Some(-2), nodes: vec![], states: vec![0, 1, 300] };
        let second = Best { is_first: false, payoff: None, nodes: vec![0], states: vec![2, 70_000] };
        let outcomes = vec![(1, Ref::Node(1)), (2, Ref::State(70_000)), (500, Ref::Payoff(-3)), (7, Ref::Payoff(4))];
        let nodes = [Node::Best(first), Node::Best(second), Node::Chance(outcomes)];
        let mut bytes = Vec::new();
        write(&nodes, &mut bytes);
        let mut values = vec![(0.0, 0.0); 70_001];
        (values[0], values[1], values[300]) = ((-1.0, 0.5), (-1.5, 1.0), (-2.0, 0.25));
        (values[2], values[70_000]) = ((-0.5, 2.0), (-0.75, 0.75));
        // The first side gets (-1, 1); the second prefers (-1, 0.75).
        let low = (-1.0 + 2.0 * -0.75 + 500.0 * -3.0 + 7.0 * 4.0) / 510.0;
        let high = (0.75 + 2.0 * 0.75 + 500.0 * -3.0 + 7.0 * 4.0) / 510.0;
        assert_eq!(evaluate(&bytes, &values, &mut Vec::new()), (low, high));
        assert_eq!(States::of(&bytes).collect::<Vec<_>>(), [0, 1, 300, 2, 70_000, 70_000]);
        // Whatever the dice show, or what can be expected if that is better.
        assert_eq!(hold(&bytes, &values, &values, &mut Vec::new()), (low, high));
    }

    #[test]
    fn payoffs_of_any_sign_are_kept() {
        for payoff in [0, 1, -1, 2, -2, 127, -128, i32::MAX, i32::MIN] {
            assert_eq!(unzigzag(zigzag(payoff)), f64::from(payoff));
        }
    }
}
