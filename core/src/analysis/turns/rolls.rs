//! The complete turns of all rolls at once, for turns in which each die pays for one move, in any order.
//!
//! The positions that a turn can reach depend on the dice it has used, not on the roll they came from. So the analysis
//! computes positions once for each set of used dice, from the sets that are smaller by one die. Every roll then assembles
//! its turns from the sets that it contains. Sequences are counted along the way.

use crate::analysis::memory_limit::{MemoryLimit, Share};
use crate::analysis::ratio::Ratio;
use crate::analysis::turns::Turns;
use crate::board::piece::{KindMask, Piece};
use crate::board::side::Side;
use crate::board::square::SquareSet;
use crate::movegen::{self, Filter, Safety, attack, legal};
use crate::play::state::State;
use crate::position::Position;
use crate::position::moves::{Move, Tag};
use crate::rules::effect::Over;
use crate::rules::error::{RuleError, Task};
use crate::rules::permit::Permit;
use crate::rules::plan::{Obligation, Plan};
use crate::rules::value::View;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A set of dice, equal ones counted: four bits for each sort of die.
type Used = u64;

/// The maximum number of sorts of dice, and of dice in a roll.
const MOST_SORTS: usize = 16;
const MOST_DICE: usize = 7;

/// The moves that the dice of all rolls pay for.
struct DiceCosts {
    /// For each sort of die one of its faces, and the moves it pays for.
    sorts: Vec<(i16, Permit, Filter)>,
    /// Dice that pay together, and the moves they pay for.
    together: Vec<(Used, Filter)>,
    /// Each different roll: the dice as a set and their faces in ascending order; its faces as rolled, and its weight.
    rolls: BTreeMap<(Used, Vec<i16>), (Vec<i16>, u64)>,
    /// The sum of all weights.
    total: u64,
}

/// The number of dice in a set.
fn size(used: Used) -> u32 {
    (0..MOST_SORTS).map(|sort| (used >> (4 * sort) & 15) as u32).sum()
}

/// The highest bit of each sort's four: never set for the dice of a roll.
const SPARE: Used = 0x8888_8888_8888_8888;

/// Whether all dice of `part` are in `whole`, a roll or a part of one. All sorts are compared at once: the spare bit of
/// each stays set exactly if that sort does not borrow.
fn within(part: Used, whole: Used) -> bool {
    part & SPARE == 0 && ((whole | SPARE) - part) & SPARE == SPARE
}

impl DiceCosts {
    /// The part that the plans of all rolls have in common; `None` if they are not plain plans.
    fn of(state: &State) -> Result<Option<DiceCosts>, RuleError> {
        let (Some(plans), Some(dice)) = (state.plans()?, state.dice()) else { return Ok(None) };
        let mut costs = DiceCosts { sorts: Vec::new(), together: Vec::new(), rolls: BTreeMap::new(), total: 0 };
        let Some(first) = plans.first() else { return Ok(None) };
        if plans.iter().any(|plan| plan.combinations != first.combinations) {
            return Ok(None);
        }
        for (outcome, plan) in plans.iter().enumerate() {
            let Some(used) = costs.add(plan) else { return Ok(None) };
            let weight = dice.weight(outcome as u64);
            let mut ascending = plan.faces.clone();
            ascending.sort_unstable();
            costs.rolls.entry((used, ascending)).or_insert_with(|| (plan.faces.clone(), 0)).1 += weight;
            costs.total += weight;
        }
        for combination in &first.combinations {
            let mut used = 0;
            for face in &combination.faces {
                let mut sorts = costs.sorts.iter().enumerate().filter(|(_, sort)| sort.0 == *face);
                match (sorts.next(), sorts.next()) {
                    (Some((sort, _)), None) => used += 1 << (4 * sort),
                    _ => return Ok(None),
                }
            }
            let Some(filter) = combination.permit.exact() else { return Ok(None) };
            costs.together.push((used, filter));
        }
        Ok(Some(costs))
    }

    /// Adds the moves that the dice of a plan pay for; `None` if the plan is not plain.
    fn add(&mut self, plan: &Plan) -> Option<Used> {
        let plain = plan.obligation == Obligation::MostDice && plan.same_piece && !plan.in_order;
        if !plain || plan.en_passant_first || plan.faces.len() > MOST_DICE {
            return None;
        }
        let mut used = 0;
        for (&face, permit) in plan.faces.iter().zip(&plan.permits) {
            let alike = |other: i16| other == face || !plan.names(other) && !plan.names(face);
            let sort = match self.sorts.iter().position(|sort| alike(sort.0) && sort.1 == *permit) {
                Some(sort) => sort,
                None if self.sorts.len() == MOST_SORTS => return None,
                None => {
                    self.sorts.push((face, permit.clone(), permit.exact()?));
                    self.sorts.len() - 1
                }
            };
            used += 1 << (4 * sort);
        }
        Some(used)
    }

    /// Every way to pay for a move: the dice, and the moves they pay for.
    fn ways(&self) -> Vec<(Used, Filter)> {
        let singles = self.sorts.iter().enumerate().map(|(sort, (.., filter))| (1 << (4 * sort), *filter));
        singles.chain(self.together.iter().copied()).collect()
    }

    /// Whether some roll contains these dice.
    fn possible(&self, used: Used) -> bool {
        self.rolls.keys().any(|&(roll, _)| within(used, roll))
    }
}

/// A position within a turn.
struct TurnPosition {
    position: Position,
    /// The hash of the placement of pieces alone.
    placement: u64,
    /// The number of sequences of moves that lead here.
    paths: u64,
    /// The kinds whose counts alone show the rules that the game goes on: a move that changes none of these counts does not
    /// end it either.
    counted: KindMask,
}

/// The positions reached with one set of dice.
#[derive(Default)]
struct Layer {
    points: Vec<TurnPosition>,
    /// The index of each position among the points.
    index: FxHashMap<u64, usize>,
    /// The number of sequences that lead to each placement from which the game continues. Every layer has these; layers
    /// from which no turn goes on have nothing else.
    placements: FxHashMap<u64, u64>,
    /// The number of placements for which memory has been taken.
    entries: usize,
    /// The same for placements that ended the game, with a flag for those won by the mover.
    ended: FxHashMap<u64, (u64, bool)>,
    /// How games ended, if that is kept.
    over: Vec<Over>,
}

impl Layer {
    /// Whether a turn leads here.
    fn is_reached(&self) -> bool {
        !(self.placements.is_empty() && self.ended.is_empty())
    }
}

/// The results of each roll: its faces, and its complete turns.
pub(crate) type EveryRoll = Vec<(Vec<i16>, Turns)>;

/// The result of [`count`](super::count) for each roll of the pending dice, equal rolls once. `None` if turns are more
/// complex than moves that dice pay for in any order, or need more than the available [`MemoryLimit`].
///
/// # Errors
/// If a rule fails.
pub fn every_roll(state: &State) -> Result<Option<EveryRoll>, RuleError> {
    let Some(costs) = DiceCosts::of(state)? else { return Ok(None) };
    let memory_limit = MemoryLimit::default();
    let Some(mut walk) = Walk::new(state, &costs, &memory_limit)? else { return Ok(None) };
    if !walk.reach_all()? {
        return Ok(None);
    }
    let turns = costs.rolls.iter().map(|((roll, _), (faces, _))| (faces.clone(), walk.turns(*roll)));
    Ok(Some(turns.collect()))
}

/// The exact chance that the pending dice of `state` let the mover win within this turn; `None` as for [`every_roll`].
///
/// # Errors
/// If a rule fails.
pub fn winning_chance(state: &State) -> Result<Option<Ratio>, RuleError> {
    let Some(costs) = DiceCosts::of(state)? else { return Ok(None) };
    let memory_limit = MemoryLimit::default();
    let Some(mut walk) = Walk::new(state, &costs, &memory_limit)? else { return Ok(None) };
    walk.wins_only = true;
    if !walk.reach_all()? {
        return Ok(None);
    }
    let won = |roll: Used| walk.won.iter().any(|&used| within(used, roll));
    let won = costs.rolls.iter().filter(|((roll, _), _)| won(*roll));
    let weight: u64 = won.map(|(_, (_, weight))| weight).sum();
    Ok(Some(Ratio::new(weight.into(), costs.total.into())))
}

/// The ends of the turns of every roll. Rolls share the sets of dice that they contain, so each end is listed once.
#[derive(Default)]
pub struct RollEnds {
    /// For each set of used dice, the ends that it leads to.
    pub sets: Vec<SetEnds>,
    /// Each different roll.
    pub rolls: Vec<RollOf>,
}

/// The ends of the turns that use one set of dice.
#[derive(Default)]
pub struct SetEnds {
    /// The different positions at the start of the next turn, before anything is decided about them.
    pub next: Vec<Position>,
    /// The games that a move has ended, perhaps several alike.
    pub over: Vec<Over>,
}

/// A roll: its turns are those of the sets that it contains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RollOf {
    /// The weight of the roll; its chance is the share of all weights.
    pub weight: u64,
    /// The sets (by index) whose [`SetEnds::next`] the turn can end with.
    pub full: Vec<usize>,
    /// The sets whose [`SetEnds::over`] it can end with.
    pub within: Vec<usize>,
}

/// The ends of all turns that the pending dice of `state` lead to, each once; `None` as for [`every_roll`].
///
/// # Errors
/// If a rule fails.
pub fn ends_of_rolls(state: &State) -> Result<Option<RollEnds>, RuleError> {
    let Some(costs) = DiceCosts::of(state)? else { return Ok(None) };
    let memory_limit = MemoryLimit::default();
    let Some(mut walk) = Walk::new(state, &costs, &memory_limit)? else { return Ok(None) };
    walk.keeps_ends = true;
    Ok(if walk.reach_all()? { Some(walk.into_ends()) } else { None })
}

struct Walk<'a> {
    state: &'a State,
    costs: &'a DiceCosts,
    ways: Vec<(Used, Filter)>,
    layers: BTreeMap<Used, Layer>,
    /// The sets of dice that can win, none containing another.
    won: Vec<Used>,
    /// Whether to look only for wins.
    wins_only: bool,
    /// Whether to keep the last positions, and how games ended.
    keeps_ends: bool,
    scratch: Position,
    /// The memory taken by the positions reached.
    share: Share<'a>,
    /// The number of moves examined.
    looked: u32,
}

/// Bytes of a table entry, and of a point apart from its position.
const OF_ENTRY: usize = 48;

/// The number of moves between calls of `stop`.
const STRIDE: u32 = 1024;

impl<'a> Walk<'a> {
    /// A walk that has not begun; `None` if the end of the game depends on more than numbers of pieces.
    fn new(
        state: &'a State,
        costs: &'a DiceCosts,
        memory_limit: &'a MemoryLimit,
    ) -> Result<Option<Walk<'a>>, RuleError> {
        let position = state.position().clone();
        let mut walk = Walk {
            state,
            costs,
            ways: costs.ways(),
            layers: BTreeMap::new(),
            won: Vec::new(),
            wins_only: false,
            keeps_ends: false,
            scratch: position.clone(),
            share: memory_limit.share(),
            looked: 0,
        };
        let Adjudication::GoesOn(counted) = walk.adjudicate(&position)? else { return Ok(None) };
        let placement = walk.placement(&position);
        let mut root = Layer::default();
        root.points.push(TurnPosition { position, placement, paths: 1, counted });
        walk.layers.insert(0, root);
        Ok(Some(walk))
    }

    /// The hash of the placement of pieces.
    fn placement(&self, position: &Position) -> u64 {
        let variant = &self.state.ruleset().variant;
        position.beneath_key(variant) ^ super::placement(variant, position)
    }

    /// Reaches all positions, smaller sets of dice first; false if the end of the game may depend on more than numbers of
    /// pieces, or memory runs out.
    fn reach_all(&mut self) -> Result<bool, RuleError> {
        let most = self.costs.rolls.keys().map(|&(roll, _)| size(roll)).max().unwrap_or(0);
        for dice in 0..most {
            let sets: Vec<Used> = self.layers.keys().copied().filter(|&used| size(used) == dice).collect();
            for used in sets {
                let Some(layer) = self.layers.remove(&used) else { continue };
                let plain = (self.wins_only && self.is_won(used)) || self.leave(used, &layer)?;
                self.layers.insert(used, layer);
                if !plain {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_won(&self, used: Used) -> bool {
        self.won.iter().any(|&won| within(won, used))
    }

    /// Makes all moves from a layer that further dice pay for; false as for [`Walk::reach_all`].
    fn leave(&mut self, used: Used, layer: &Layer) -> Result<bool, RuleError> {
        let mut moves = Vec::new();
        let threats: OnceCell<Vec<Option<KindMask>>> = OnceCell::new();
        for (dice, filter) in self.ways.clone() {
            let next = used + dice;
            if !self.costs.possible(next) || (self.wins_only && self.is_won(next)) {
                continue;
            }
            // Whether some roll continues from there.
            let last = !self.ways.iter().any(|&(dice, _)| self.costs.possible(next + dice));
            let mut target = self.layers.remove(&next).unwrap_or_default();
            let threats = (self.wins_only && last)
                .then(|| threats.get_or_init(|| layer.points.iter().map(|point| self.threats(point)).collect()));
            for (i, point) in layer.points.iter().enumerate() {
                if threats.is_some_and(|all| all[i].is_some_and(|kinds| kinds.0 & filter.kinds.0 == 0))
                    && filter.into == KindMask::NONE
                {
                    continue;
                }
                let (position, variant) = (&point.position, &self.state.ruleset().variant);
                movegen::generate(variant, position, position.side(), Safety::Policy, filter, &mut moves);
                for mv in moves.drain(..) {
                    if !self.arrive(point, mv, last, &mut target)? {
                        return Ok(false);
                    }
                }
            }
            if self.wins_only && target.ended.values().any(|&(_, won)| won) {
                self.won.push(next);
            }
            self.layers.insert(next, target);
        }
        Ok(true)
    }

    /// The kinds of the mover's pieces that could capture a piece whose loss ends the game; moves of other kinds do not
    /// win. `None` if that cannot be determined without making moves.
    fn threats(&self, point: &TurnPosition) -> Option<KindMask> {
        let variant = &self.state.ruleset().variant;
        let kinds = point.counted;
        if variant.numbers_change(kinds) || legal::checks_legality(variant, Safety::Policy) {
            return None;
        }
        let position = &point.position;
        let enemies = (0..variant.sides()).map(|side| Side(side as u8)).filter(|&side| side != position.side());
        let victims = enemies.fold(SquareSet::EMPTY, |victims, side| match variant.royals() == kinds {
            true => victims | position.royals(variant, side),
            false => victims | position.of_kinds(side, kinds),
        });
        let attackers = victims.into_iter().flat_map(|s| attack::attackers(variant, position, s, position.side()));
        Some(attackers.map(|from| position.at(from).kind()).collect())
    }

    /// Makes a move, unless its result is known without it; false as for [`Walk::reach_all`].
    fn arrive(&mut self, from: &TurnPosition, mv: Move, last: bool, target: &mut Layer) -> Result<bool, RuleError> {
        self.looked = self.looked.wrapping_add(1);
        if self.looked.is_multiple_of(STRIDE) {
            self.state.walker().meter().allow(Task::Planning, 0)?;
        }
        let variant = &self.state.ruleset().variant;
        let before = &from.position;
        let captured = before.captured_by(mv).0;
        let simple = matches!(mv.tag, Tag::Plain | Tag::Double) && mv.extra == Move::NONE && !variant.spec.heaps;
        let harmless = simple && (captured.is_none() || !from.counted.contains(captured.kind()));
        let moved = || {
            let key = |piece: Piece, at| if piece.is_none() { 0 } else { variant.zobrist.piece(piece, at) };
            let piece = before.at(mv.from);
            from.placement ^ key(piece, mv.from) ^ key(piece, mv.to) ^ key(captured, mv.to)
        };
        if last && harmless && !self.keeps_ends {
            if !self.wins_only {
                *target.placements.entry(moved()).or_default() += from.paths;
                return Ok(self.share.take_growth(&mut target.entries, target.placements.len(), OF_ENTRY));
            }
            return Ok(true);
        }
        self.scratch.clone_from(before);
        self.scratch.make(variant, mv);
        if let Some(&index) = target.index.get(&self.scratch.hash()) {
            let point = &mut target.points[index];
            point.paths += from.paths;
            *target.placements.entry(point.placement).or_default() += from.paths;
            return Ok(true);
        }
        let placement = if simple { moved() } else { self.placement(&self.scratch) };
        let verdict = if harmless { Adjudication::GoesOn(from.counted) } else { self.adjudicate(&self.scratch)? };
        match verdict {
            Adjudication::GoesOn(counted) => {
                let bytes = size_of::<TurnPosition>() + self.scratch.heap_bytes() + 2 * OF_ENTRY;
                if !self.share.take(bytes) {
                    return Ok(false);
                }
                *target.placements.entry(placement).or_default() += from.paths;
                target.index.insert(self.scratch.hash(), target.points.len());
                let position = self.scratch.clone();
                target.points.push(TurnPosition { position, placement, paths: from.paths, counted });
            }
            Adjudication::Over(over) => {
                let won = over.winner == Some(self.state.mover());
                target.ended.entry(placement).or_insert((0, won)).0 += from.paths;
                if self.keeps_ends && !target.over.contains(&over) {
                    target.over.push(over);
                }
                return Ok(self.share.take(OF_ENTRY));
            }
            Adjudication::Involved => return Ok(false),
        }
        Ok(true)
    }

    /// Applies the rules to a position within the turn.
    fn adjudicate(&self, position: &Position) -> Result<Adjudication, RuleError> {
        let rules = &*self.state.walker();
        // Each position counts as a separate event, as in a game.
        rules.rest();
        let view = View { position, env: &[], ..self.state.view(rules) };
        Ok(match rules.outcome(&view)? {
            Some(over) => Adjudication::Over(over),
            None => rules.counted(&view)?.map_or(Adjudication::Involved, Adjudication::GoesOn),
        })
    }

    /// The ends of the turns, as positions of the next turn. A roll that pays for no move leaves the position as it is.
    fn into_ends(self) -> RollEnds {
        let used: Vec<Used> = self.layers.keys().copied().collect();
        let mut rolls: Vec<RollOf> = Vec::new();
        for (&(roll, _), &(_, weight)) in &self.costs.rolls {
            let inside = |set: &usize| within(used[*set], roll);
            let reached = |set: &usize| used[*set] == 0 || self.layers[&used[*set]].is_reached();
            let all: Vec<usize> = (0..used.len()).filter(inside).filter(reached).collect();
            let most = all.iter().map(|&set| size(used[set])).max().unwrap_or(0);
            let full = all.iter().copied().filter(|&set| size(used[set]) == most).collect();
            let within = all.into_iter().filter(|&set| !self.layers[&used[set]].over.is_empty()).collect();
            match rolls.iter_mut().find(|known| known.full == full && known.within == within) {
                Some(known) => known.weight += weight,
                None => rolls.push(RollOf { weight, full, within }),
            }
        }
        let variant = &self.state.ruleset().variant;
        let mover = self.state.mover();
        let sets = self.layers.into_values().map(|layer| SetEnds {
            next: (layer.points.into_iter())
                .map(|TurnPosition { mut position, .. }| {
                    position.end_turn(variant, position.after(variant, mover));
                    position
                })
                .collect(),
            over: layer.over,
        });
        RollEnds { sets: sets.collect(), rolls }
    }

    /// Totals of the turns of a roll.
    fn turns(&self, roll: Used) -> Turns {
        let within: Vec<(u32, &Layer)> = (self.layers.iter())
            .filter(|(used, _)| **used != 0 && within(**used, roll))
            .map(|(&used, layer)| (size(used), layer))
            .collect();
        let reached = within.iter().filter(|(_, layer)| layer.is_reached());
        let Some(max_dice) = reached.map(|(dice, _)| *dice).max() else { return Turns::default() };
        let full: Vec<&Layer> = within.iter().filter(|(dice, _)| *dice == max_dice).map(|(_, layer)| *layer).collect();
        let ended = || within.iter().flat_map(|(_, layer)| &layer.ended);
        let count: u64 = full.iter().flat_map(|layer| layer.placements.values()).sum();
        let placements = match full.as_slice() {
            [only] if ended().next().is_none() => only.placements.len(),
            all => {
                let mut different: FxHashSet<u64> = all.iter().flat_map(|l| l.placements.keys().copied()).collect();
                different.extend(ended().map(|(placement, _)| *placement));
                different.len()
            }
        };
        Turns {
            count: count + ended().map(|(_, (paths, _))| paths).sum::<u64>(),
            max_dice,
            placements,
            winning: ended().filter(|(_, (_, won))| *won).map(|(_, (paths, _))| paths).sum(),
        }
    }
}

/// The result of applying the rules to a position.
enum Adjudication {
    /// The game goes on, as the numbers of these kinds show.
    GoesOn(KindMask),
    /// The game has ended.
    Over(Over),
    /// The game goes on, but the rules examined more than numbers.
    Involved,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_dice_are_compared_sort_by_sort() {
        let mut stream = crate::dice::Stream::new(5, 0);
        let mut both = [0, 0];
        for round in 0..20_000 {
            // Whole rolls have up to seven dice of a sort; parts that belong to no roll may have more.
            let set = |most: u64, stream: &mut crate::dice::Stream| -> Vec<u64> {
                (0..MOST_SORTS).map(|_| stream.below(most)).collect()
            };
            let whole = set(8, &mut stream);
            let part: Vec<u64> = match round % 2 {
                0 => whole.iter().map(|&n| stream.below(n + 1)).collect(),
                _ => whole.iter().map(|&n| (n + stream.below(9)).saturating_sub(7)).collect(),
            };
            let packed = |set: &[u64]| set.iter().rev().fold(0, |all, &n| all << 4 | n);
            let expected = part.iter().zip(&whole).all(|(a, b)| a <= b);
            assert_eq!(within(packed(&part), packed(&whole)), expected, "{part:?} in {whole:?}");
            both[usize::from(expected)] += 1;
        }
        assert!(both[0] > 1000 && both[1] > 1000, "{both:?}");
    }
}
