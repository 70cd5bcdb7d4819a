//! Complete turns: of one roll, of all rolls, and sequences of several turns.

use super::{AnalysisError, TooLarge, check_depth, check_size, times};
use crate::{input, interrupt};
use astragal_core::odds::Certainty;
use astragal_core::turns::{self, Turns};
use astragal_core::{Event, Ratio, State, Status, odds};
use astragal_dsl::game_text;
use std::collections::HashSet;

/// The complete turns that one roll permits.
pub struct OfRoll {
    /// The faces, sorted: rolls that differ only in order are merged.
    pub faces: Vec<i16>,
    /// Its probability.
    pub chance: Ratio,
    /// Its complete turns.
    pub turns: Turns,
}

/// The complete turns from a state that waits for a decision; none from other states.
///
/// # Errors
/// If a rule fails, or Ctrl-C or the time limit stops the count.
pub fn of_decision(state: &State) -> Result<Turns, AnalysisError> {
    turns::count_until(state, &interrupt::stop_requested)?.ok_or(AnalysisError::Stopped)
}

/// The complete turns of every roll that `state` waits for, sorted by faces.
///
/// # Errors
/// As [`of_decision`]; or if there are too many rolls.
pub fn of_rolls(state: &State) -> Result<Vec<OfRoll>, AnalysisError> {
    check_size(state)?;
    let mut all: Vec<OfRoll> = Vec::new();
    for (chance, mut faces, next) in odds::next_roll(state)? {
        let here = next.turn() == state.turn();
        let turns = if here { of_decision(&next)? } else { Turns::default() };
        faces.sort_unstable();
        // If each die has its own meaning, the same faces in another order may permit other turns.
        match all.iter_mut().find(|known| known.faces == faces && known.turns == turns) {
            Some(known) => known.chance += chance,
            None => all.push(OfRoll { faces, chance, turns }),
        }
    }
    all.sort_by(|a, b| a.faces.cmp(&b.faces));
    Ok(all)
}

/// A turn from the current state to its end.
pub struct CompleteTurn {
    /// The events in order, including later rolls.
    pub events: Vec<Event>,
    /// Each event as it can be typed.
    pub texts: Vec<String>,
    /// The probability of the rolls among the events.
    pub chance: Ratio,
    /// The state after it: the next turn, or the end of the game.
    pub state: State,
}

/// The maximum number of events of a turn; a longer one is assumed to have no end.
const LONGEST_TURN: usize = 2_000;

/// Which complete turns are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The maximum number of turns in a list.
    pub limit: usize,
    /// Whether only the first of several turns that lead to the same position is listed.
    pub distinct: bool,
}

/// A list of complete turns.
pub struct Listed {
    /// The turns, in the order of moves, choices and outcomes.
    pub turns: Vec<CompleteTurn>,
    /// Whether the limit left some out.
    pub more: bool,
}

/// The ways to play the current turn to its end. Each sequence counts separately unless `asked.distinct` is set. Empty if
/// the game is over. [`of_decision`] counts the same sequences without listing them.
///
/// # Errors
/// If a turn has no end, a roll has too many outcomes, a rule fails, or a stop is requested.
pub fn list(state: &State, asked: Listing) -> Result<Listed, AnalysisError> {
    let mut listed = Listed { turns: Vec::new(), more: false };
    if state.over().is_some() {
        return Ok(listed);
    }
    let begun = CompleteTurn { events: Vec::new(), texts: Vec::new(), chance: Ratio::ONE, state: state.clone() };
    let mut open = vec![begun];
    let mut seen = HashSet::new();
    while let Some(so_far) = open.pop() {
        if interrupt::stop_requested() {
            return Err(AnalysisError::Stopped);
        }
        let ended = so_far.state.over().is_some() || so_far.state.turn() != state.turn();
        if asked.distinct && !seen.insert(mark(&so_far.state, ended)) {
            continue;
        }
        if ended {
            if listed.turns.len() == asked.limit {
                listed.more = true;
                break;
            }
            listed.turns.push(so_far);
            continue;
        }
        if so_far.events.len() == LONGEST_TURN {
            return Err(TooLarge::Turn(LONGEST_TURN).into());
        }
        let mut next = so_far.continued()?;
        next.reverse();
        open.extend(next);
    }
    Ok(listed)
}

/// A key that is equal for states of a turn with the same continuations: the position at the end of the turn, before that
/// everything that still matters.
fn mark(state: &State, ended: bool) -> (u64, bool, bool) {
    let mark = if ended { state.position().hash() } else { state.fingerprint() };
    (mark, ended, state.over().is_some())
}

impl CompleteTurn {
    /// The events as they can be typed one after another.
    pub fn text(&self) -> String {
        self.texts.join(" ")
    }

    /// All continuations of an incomplete turn by one event.
    fn continued(&self) -> Result<Vec<CompleteTurn>, AnalysisError> {
        let state = &self.state;
        if state.status() == Status::Chance {
            check_size(state)?;
            let rolls = odds::next_roll(state)?.into_iter();
            let rolled = |(chance, faces, next)| self.with(Event::Roll(faces), times(self.chance, chance)?, next);
            return rolls.map(rolled).collect();
        }
        let events = astragal_computer::legal_events(state).into_iter();
        let made = |event: Event| {
            let mut next = state.clone();
            astragal_computer::apply(&mut next, &event)?;
            self.with(event, self.chance, next)
        };
        events.map(made).collect()
    }

    fn with(&self, event: Event, chance: Ratio, state: State) -> Result<CompleteTurn, AnalysisError> {
        let texts = self.texts.iter().cloned().chain([input::event(&self.state, &event)]).collect();
        let events = self.events.iter().cloned().chain([event]).collect();
        Ok(CompleteTurn { events, texts, chance, state })
    }
}

/// The number of ways to play `depth` complete turns: see [`turns::paths_until`].
///
/// # Errors
/// As [`of_decision`]; or if a turn can go on without end, or `depth` is more than [`MAX_DEPTH`](super::MAX_DEPTH).
pub fn paths(state: &State, depth: u32) -> Result<u128, AnalysisError> {
    check_depth(depth)?;
    turns::paths_until(state, depth, &interrupt::stop_requested)?.ok_or(AnalysisError::Stopped)
}

/// For each first event (a roll, or a decision where no roll is due), the number of ways that begin with it.
///
/// # Errors
/// As [`paths`].
pub fn divided(state: &State, depth: u32) -> Result<Vec<(String, u128)>, AnalysisError> {
    check_depth(depth)?;
    let mut all = Vec::new();
    if depth == 0 || state.over().is_some() {
        return Ok(all);
    }
    let mut from = |text: String, next: &State| -> Result<(), AnalysisError> {
        let ended = next.over().is_some() || next.turn() != state.turn();
        let ways = match (ended, next.over().is_some()) {
            // The current turn is the first of them.
            (false, _) => paths(next, depth)?,
            (true, true) => u128::from(depth == 1),
            (true, false) => paths(next, depth - 1)?,
        };
        all.push((text, ways));
        Ok(())
    };
    if state.status() == Status::Chance {
        check_size(state)?;
        for (_, faces, next) in odds::next_roll(state)? {
            from(game_text::rolled(state, &faces), &next)?;
        }
        return Ok(all);
    }
    for event in astragal_computer::legal_events(state) {
        let mut next = state.clone();
        astragal_computer::apply(&mut next, &event)?;
        from(super::odds_text::event(state, &event), &next)?;
    }
    Ok(all)
}

/// A summary of the turns on one line.
pub fn text(found: &Turns) -> String {
    let many = |n: u64, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    if found.count == 0 {
        return "no turn: no move or choice is possible".into();
    }
    let dice = match found.max_dice {
        0 => String::new(),
        n => format!(" with up to {}", many(n.into(), "die", "dice")),
    };
    format!(
        "{}{dice}: {}, {}",
        many(found.count, "turn", "turns"),
        many(found.placements as u64, "placement", "placements"),
        match found.winning {
            0 => "none wins".into(),
            n => many(n, "wins", "win"),
        }
    )
}

/// The turns of all rolls that `state` waits for, a line per roll.
pub fn table(state: &State, all: &[OfRoll]) -> String {
    let faces: Vec<String> = all.iter().map(|roll| game_text::rolled(state, &roll.faces)).collect();
    let width = faces.iter().map(String::len).max().unwrap_or(0);
    let rows: Vec<(Ratio, String)> = (all.iter().zip(faces))
        .map(|(roll, faces)| (roll.chance, format!("{faces:width$}  {}", text(&roll.turns))))
        .collect();
    super::odds_text::table(&rows, Certainty::Exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant_cache::VariantCache;
    use astragal_core::Game;
    use astragal_dsl::notation::fen;

    const ALL: Listing = Listing { limit: 1_000_000, distinct: false };

    #[test]
    fn as_many_complete_turns_are_listed_as_counted_and_their_rolls_have_all_chances() {
        let cases = [
            ("dicechess-3", "4k3/8/8/8/8/8/3P4/4K2R w K", &[1, 1, 2][..]),
            ("babylonian", "4k3/8/8/3p4/4P3/8/8/4K3 w", &[]),
            ("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w", &[]),
        ];
        for (name, position, roll) in cases {
            let loaded = VariantCache::new().load(name, &[]).unwrap();
            let placed = fen::parse(&loaded.set.variant, position).unwrap();
            let mut game = Game::new(loaded.set.clone(), placed.position, 1).unwrap();
            let first = list(game.state(), ALL).unwrap().turns;
            if roll.is_empty() {
                assert_eq!(first.len() as u64, of_decision(game.state()).unwrap().count, "{name}");
                continue;
            }
            game.set_roll(roll).unwrap();
            let count = of_decision(game.state()).unwrap().count;
            assert_eq!(list(game.state(), ALL).unwrap().turns.len() as u64, count, "{name}");
            let begun = |turn: &&CompleteTurn| turn.events.first() == Some(&Event::Roll(roll.to_vec()));
            let same: Vec<&CompleteTurn> = first.iter().filter(begun).collect();
            assert_eq!(same.len() as u64, count, "{name}");
            assert!(same.iter().all(|turn| turn.chance == Ratio::new(1, 216)), "{name}");
        }
    }

    fn begun(name: &str, position: &str, roll: &[i16]) -> Game {
        let loaded = VariantCache::new().load(name, &[]).unwrap();
        let placed = fen::parse(&loaded.set.variant, position).unwrap();
        let mut game = Game::new(loaded.set.clone(), placed.position, 1).unwrap();
        game.set_roll(roll).unwrap();
        game
    }

    /// Two pieces race home with a 2 and a 1: either moves three squares, or one moves two and the other moves one, in
    /// either order.
    #[test]
    fn distinct_turns_lead_to_positions_of_which_no_two_are_the_same() {
        let race = "14/14/14/14/14/14/14/14/14/14/14/14/14/14/14/M2M3m6[] w";
        let game = begun("backgammon", race, &[2, 1]);
        let every = list(game.state(), ALL).unwrap().turns;
        let distinct = list(game.state(), Listing { distinct: true, ..ALL }).unwrap().turns;
        let positions = |turns: &[CompleteTurn]| {
            turns.iter().map(|turn| turn.state.position().hash()).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(positions(&every), positions(&distinct));
        assert_eq!(positions(&distinct).len(), distinct.len());
        assert!(distinct.len() < every.len(), "{} of {}", distinct.len(), every.len());
        let order: Vec<String> = every.iter().map(CompleteTurn::text).collect();
        let mut rest = order.iter();
        assert!(distinct.iter().all(|turn| rest.any(|text| *text == turn.text())), "in another order");
    }

    #[test]
    fn a_list_ends_at_its_limit_and_says_so() {
        let game = begun("dice-chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[2, 2]);
        let some = |limit| list(game.state(), Listing { limit, distinct: false }).unwrap();
        assert_eq!((some(0).turns.len(), some(0).more), (0, true));
        assert_eq!((some(19).turns.len(), some(19).more), (19, true));
        assert_eq!((some(20).turns.len(), some(20).more), (20, false));
    }
}
