//! Groups equivalent outcomes at a chance node, so that only different ones are searched.
//!
//! The equivalences are learned at each site (a place in a rule where dice are rolled), by comparing all outcomes the first
//! few times. Two kinds are learned: faces of equal dice in another order, and faces after which the turn is over anyway
//! with the same result (a contest). After that one outcome of each group is rolled. Where no equivalence is learned, every
//! outcome is separate. Outcomes that give the rule the same number are equivalent from the start.
//!
//! Limit: rules that remember an order of faces beyond the next decision would be misjudged. This only affects evaluation,
//! never which moves are permitted.

use astragal_core::dice::mix;
use astragal_core::rule::RuleError;
use astragal_core::{Dice, Reply, State, Status};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Rolls with more outcomes are sampled.
const MAX_LISTED: u64 = 1000;
/// The same for a few outcomes of a roll whose faces the rules do not see.
const MAX_LISTED_OF_KEYS: u64 = 10_000;
/// The same when all outcomes are requested.
const MAX_LISTED_OF_ALL: u64 = 100_000;
/// Orders of faces count as equivalent after this many comparisons.
const ORDERS_SEEN: u32 = 3;
/// Results of contests count as constant after this many comparisons.
const RESULTS_SEEN: u32 = 12;
/// More sites than any game has.
const MAX_SITES: usize = 4096;

/// A group of outcomes: its chance and the state that it leads to.
pub(crate) struct OutcomeGroup {
    /// The total chance of its outcomes.
    pub(crate) probability: f64,
    /// Where it leads.
    pub(crate) state: State,
}

/// The knowledge about one site.
struct Site {
    /// Kept so that other dice cannot get the same address.
    _dice: Arc<Dice>,
    /// The outcomes that the rule can distinguish, with their weights.
    picks: Vec<Pick>,
    /// For each of them, the index of the first with the same faces in another order.
    orders: Vec<u32>,
    alike: bool,
    /// For each of them, the index of the first that always had the same result; `None` if the turn went on.
    results: Option<Vec<u32>>,
    seen: u32,
}

/// The knowledge about all sites of a variant's rules, by the address of their dice.
#[derive(Default)]
pub(crate) struct OutcomeGroups {
    sites: FxHashMap<usize, Site>,
    /// Dice that have been met once. Dice rolled for pieces are created anew each time and teach nothing. They are kept so
    /// that other dice cannot get the same address.
    met: FxHashMap<usize, Arc<Dice>>,
}

/// An outcome to roll, and the weight of its group.
type Pick = (u64, f64);

impl OutcomeGroups {
    /// The groups of outcomes of the pending roll of `state`, at most about `width` of them: if there are more, evenly
    /// spread ones are selected with `draw`. `tick` is called for each roll tried; an error from it stops the work.
    ///
    /// # Errors
    /// If a rule fails.
    ///
    /// # Panics
    /// If no dice are waited for.
    pub(crate) fn groups(
        &mut self,
        state: &State,
        width: usize,
        draw: u64,
        tick: &mut impl FnMut() -> Result<(), RuleError>,
    ) -> Result<Vec<OutcomeGroup>, RuleError> {
        let dice = Arc::clone(state.dice().expect("the game waits for a roll"));
        let count = dice.outcomes();
        let listed = if state.is_told_keys() { MAX_LISTED_OF_ALL } else { MAX_LISTED };
        let drawn = || drawn_at_random(&dice, state, width.min(64), draw);
        if count > listed && width < usize::MAX || count > MAX_LISTED_OF_ALL {
            return rolled(state, &drawn(), tick);
        }
        let apart = state.outcomes_apart();
        if apart.len() as u64 > MAX_LISTED && width < usize::MAX {
            return rolled(state, &drawn(), tick);
        }
        let all_possible = apart.iter().map(|&(_, weight)| weight).sum::<u64>() == dice.total();
        let each: Vec<Pick> = apart.into_iter().map(|(index, weight)| (index, weight as f64)).collect();
        if !all_possible || each.len() as u64 > MAX_LISTED {
            return rolled(state, &thinned(each, width, draw), tick);
        }
        let address = Arc::as_ptr(&dice) as usize;
        if !self.sites.contains_key(&address) && !self.met_before(address, &dice) {
            return Ok(merged(rolled(state, &thinned(each, width.saturating_mul(4), draw), tick)?, width, draw));
        }
        let site = self.sites.entry(address).or_insert_with(|| Site::new(&dice, &each, |index| state.told(index)));
        if let Some(picks) = site.known() {
            let groups = rolled(state, &thinned(picks, width, draw), tick)?;
            if site.holds(state, &groups) {
                return Ok(groups);
            }
        }
        if site.seen > RESULTS_SEEN {
            return rolled(state, &thinned(each, width, draw), tick);
        }
        let all = rolled(state, &each, tick)?;
        site.learn(state, &all);
        Ok(merged(all, width, draw))
    }
}

impl OutcomeGroups {
    /// Whether exactly these dice have been met before; records them.
    fn met_before(&mut self, address: usize, dice: &Arc<Dice>) -> bool {
        if self.met.len() >= MAX_SITES {
            self.met.clear();
        }
        self.met.insert(address, Arc::clone(dice)).is_some()
    }
}

impl Site {
    /// A site where all outcomes are possible. `told` returns the number that the rule receives; `picks` are the outcomes
    /// that it can distinguish.
    fn new(dice: &Arc<Dice>, picks: &[Pick], told: impl Fn(u64) -> u64) -> Site {
        let sorted = |index: u64| {
            let mut faces: Vec<(usize, i16)> = Vec::new();
            for (die, face) in dice.outcome(index).into_iter().enumerate() {
                // The first die of a sort stands for the sort.
                let sort = dice.dice.iter().position(|other| *other == dice.dice[die]).unwrap_or(die);
                faces.push((sort, face));
            }
            faces.sort_unstable();
            faces
        };
        let numbers: FxHashMap<u64, u32> = (0..).zip(picks).map(|(number, pick)| (told(pick.0), number)).collect();
        let mut first: FxHashMap<Vec<(usize, i16)>, u32> = FxHashMap::default();
        let mut orders: Vec<u32> = (0..picks.len() as u32).collect();
        // The first of a merged set refers to itself.
        let root = |orders: &[u32], mut number: u32| {
            while orders[number as usize] != number {
                number = orders[number as usize];
            }
            number
        };
        for index in 0..dice.outcomes() {
            let number = root(&orders, numbers[&told(index)]);
            let other = root(&orders, *first.entry(sorted(index)).or_insert(number));
            orders[number.max(other) as usize] = number.min(other);
        }
        let orders = (0..orders.len() as u32).map(|number| root(&orders, number)).collect();
        let results = Some(vec![0; picks.len()]);
        Site { _dice: Arc::clone(dice), picks: picks.to_vec(), orders, alike: true, results, seen: 0 }
    }

    /// One outcome of each group, if the groups are known.
    fn known(&self) -> Option<Vec<Pick>> {
        let groups = match &self.results {
            Some(results) if self.seen >= RESULTS_SEEN => results,
            _ if self.alike && self.seen >= ORDERS_SEEN => &self.orders,
            _ => return None,
        };
        let mut picks: Vec<Pick> = Vec::new();
        let mut pick_of = vec![usize::MAX; groups.len()];
        for (&(index, weight), &first) in self.picks.iter().zip(groups) {
            let known = &mut pick_of[first as usize];
            if *known == usize::MAX {
                *known = picks.len();
                picks.push((index, 0.0));
            }
            picks[*known].1 += weight;
        }
        Some(picks)
    }

    /// Whether the learned equivalences hold for the rolled outcomes.
    fn holds(&mut self, before: &State, groups: &[OutcomeGroup]) -> bool {
        if self.results.is_none() || self.seen < RESULTS_SEEN {
            return true;
        }
        let ended = groups.iter().all(|group| ends_turn(before, &group.state));
        if !ended {
            self.results = None;
        }
        ended
    }

    /// Compares all outcomes, given in order.
    fn learn(&mut self, before: &State, all: &[OutcomeGroup]) {
        self.seen += 1;
        let appearances: Vec<u64> = all.iter().map(|group| appearance(&group.state)).collect();
        self.alike &= self.orders.iter().zip(&appearances).all(|(&first, own)| appearances[first as usize] == *own);
        let ended = all.iter().all(|group| ends_turn(before, &group.state));
        self.results = self.results.take().filter(|_| ended).map(|results| {
            // Equivalent until now and in this comparison.
            let mut first: FxHashMap<(u32, u64), u32> = FxHashMap::default();
            let pairs = results.iter().zip(&appearances).enumerate();
            pairs.map(|(i, (&before, &now))| *first.entry((before, now)).or_insert(i as u32)).collect()
        });
    }
}

/// Whether a roll has ended the turn or the game.
fn ends_turn(before: &State, after: &State) -> bool {
    after.over().is_some() || after.turn() != before.turn()
}

/// A hash of the appearance of a state to the players: states with the same hash offer the same options.
fn appearance(state: &State) -> u64 {
    let mut key = mix(state.position().hash() ^ u64::from(state.turn()) << 8 ^ state.status() as u64);
    key = mix(key ^ u64::from(state.chooser().0) << 16 ^ state.choices().len() as u64);
    key = mix(key ^ state.over().map_or(9, |over| over.winner.map_or(8, |side| u64::from(side.0))));
    let mut moves: Vec<(astragal_core::Move, Vec<i16>)> =
        state.moves().iter().map(|&paid| (paid.mv, state.price(paid))).collect();
    moves.sort();
    for (mv, faces) in moves {
        key = mix(key
            ^ u64::from(mv.from.0) << 24
            ^ u64::from(mv.to.0) << 8
            ^ u64::from(mv.extra)
            ^ (mv.tag as u64) << 40);
        key = faces.iter().fold(key, |key, &face| mix(key ^ u64::from(face as u16)));
    }
    key
}

fn rolled(
    state: &State,
    picks: &[Pick],
    tick: &mut impl FnMut() -> Result<(), RuleError>,
) -> Result<Vec<OutcomeGroup>, RuleError> {
    let total: f64 = picks.iter().map(|pick| pick.1).sum();
    let mut groups = Vec::with_capacity(picks.len());
    for &(index, weight) in picks {
        tick()?;
        let next = state.after(Reply::Roll(index))?;
        groups.push(OutcomeGroup { probability: weight / total, state: next });
    }
    Ok(groups)
}

/// At most `width` of the picks: selected by weight at even distances, so that they are well spread.
fn thinned(picks: Vec<Pick>, width: usize, draw: u64) -> Vec<Pick> {
    if picks.len() <= width {
        return picks;
    }
    let total: f64 = picks.iter().map(|pick| pick.1).sum();
    let step = total / width as f64;
    let mut at = step * (mix(draw) >> 11) as f64 / (1u64 << 53) as f64;
    let (mut passed, mut kept) = (0.0, Vec::with_capacity(width));
    for (index, weight) in picks {
        passed += weight;
        let mut hits = 0;
        while at < passed {
            (at, hits) = (at + step, hits + 1);
        }
        if hits > 0 {
            kept.push((index, f64::from(hits)));
        }
    }
    kept
}

/// At most `width` outcomes of the pending roll with their weights; of more, evenly spread ones, selected with `draw`.
pub(crate) fn evenly_spread(state: &State, width: usize, draw: u64) -> Vec<(u64, f64)> {
    let Some(dice) = state.dice() else { return Vec::new() };
    let listed = if state.is_told_keys() { MAX_LISTED_OF_KEYS } else { MAX_LISTED };
    if dice.outcomes() > listed {
        return drawn_at_random(dice, state, width, draw);
    }
    let apart = state.outcomes_apart().into_iter().map(|(index, weight)| (index, weight as f64)).collect();
    thinned(apart, width, draw)
}

fn drawn_at_random(dice: &Dice, state: &State, count: usize, draw: u64) -> Vec<Pick> {
    let mut random = astragal_core::Stream::new(draw, 0);
    let mut picks: Vec<Pick> = Vec::new();
    let mut tries = 0;
    while picks.len() < count && tries < 100 * count {
        tries += 1;
        let index = dice.roll(&mut random);
        if state.can_roll(index) {
            picks.push((index, 1.0));
        }
    }
    if picks.is_empty() {
        picks.extend((0..dice.outcomes()).find(|&index| state.can_roll(index)).map(|index| (index, 1.0)));
    }
    picks
}

/// Outcomes that lead to exactly the same state, merged; then thinned.
fn merged(all: Vec<OutcomeGroup>, width: usize, draw: u64) -> Vec<OutcomeGroup> {
    let mut groups: Vec<OutcomeGroup> = Vec::new();
    let mut index: FxHashMap<(u64, u32, Status, Option<astragal_core::Over>), usize> = FxHashMap::default();
    for group in all {
        let state = &group.state;
        let key = (state.fingerprint(), state.turn(), state.status(), state.over().cloned());
        match index.get(&key) {
            Some(&i) => groups[i].probability += group.probability,
            None => {
                index.insert(key, groups.len());
                groups.push(group);
            }
        }
    }
    if groups.len() <= width {
        return groups;
    }
    let picks = groups.iter().enumerate().map(|(i, group)| (i as u64, group.probability)).collect();
    let kept = thinned(picks, width, draw);
    let total: f64 = kept.iter().map(|pick| pick.1).sum();
    let mut kept = kept.into_iter().peekable();
    let mut left = Vec::new();
    for (i, mut group) in groups.into_iter().enumerate() {
        if let Some((_, weight)) = kept.next_if(|pick| pick.0 == i as u64) {
            group.probability = weight / total;
            left.push(group);
        }
    }
    left
}
