//! The states of a game. Each case holds exactly the actions that are possible in it.

use crate::{Error, Game, TooLarge};
use astragal_computer::Player;
use astragal_core::{Event, Game as Played, Ratio, Reply, State, Status, Stream};
use astragal_dsl::game_text;
use std::fmt;

/// The state of a game.
#[derive(Debug)]
pub enum Turn<'a> {
    /// The game waits for a roll.
    Chance(Chance<'a>),
    /// The game waits for a decision.
    Decide(Decision<'a>),
    /// The game is over.
    Over(Over),
}

impl Game {
    /// The current state: waiting for dice, waiting for a decision, or over.
    pub fn turn(&mut self) -> Turn<'_> {
        match self.played().status() {
            Status::Chance => Turn::Chance(Chance::new(self)),
            Status::Move | Status::Choice => Turn::Decide(Decision::new(self)),
            Status::Over => Turn::Over(Over::of(self.played())),
        }
    }
}

/// The maximum number of outcomes that are listed.
const MOST_OUTCOMES: u64 = 1_000_000;

/// Separates the random numbers of decisions from those of the dice.
const DECISIONS: u64 = 0x6465_6369_6465_0001;

/// A chance node: the next event is a roll.
#[derive(Debug)]
pub struct Chance<'a> {
    game: &'a mut Game,
}

impl<'a> Chance<'a> {
    pub(crate) fn new(game: &'a mut Game) -> Chance<'a> {
        Chance { game }
    }

    /// The dice, as `2d6`.
    pub fn dice(&self) -> String {
        self.game.played().state().dice().map_or_else(String::new, |dice| dice.to_string())
    }

    /// The side that rolls, from 0.
    pub fn player(&self) -> usize {
        self.game.played().state().chooser().index()
    }

    /// Rolls the dice and returns the faces. They depend on the game's seed and the number of events so far.
    ///
    /// # Errors
    /// If a rule fails; the game then stays unchanged.
    pub fn roll(self) -> Result<Vec<i16>, Error> {
        Ok(self.game.played_mut().roll()?)
    }

    /// Sets the faces of the dice, in the order of the dice.
    ///
    /// # Errors
    /// If the faces are impossible, or a rule fails; the game then stays unchanged.
    pub fn set(self, faces: &[i16]) -> Result<(), Error> {
        Ok(self.game.played_mut().set_roll(faces)?)
    }

    /// All possible rolls, each with its exact probability.
    ///
    /// # Errors
    /// If the dice have more than a million outcomes.
    ///
    /// ```
    /// # use astragal::{Ratio, Turn};
    /// # fn main() -> Result<(), astragal::Error> {
    /// let mut game = astragal::load("dice-chess")?.game(1)?;
    /// let Turn::Chance(chance) = game.turn() else { panic!("a game of Dice Chess begins with a roll") };
    /// let outcomes = chance.outcomes()?;
    /// let sum = outcomes.iter().try_fold(Ratio::ZERO, |sum, (_, chance)| sum.checked_add(*chance));
    /// assert_eq!((outcomes.len(), sum), (36, Some(Ratio::ONE)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn outcomes(&self) -> Result<Vec<(Vec<i16>, Ratio)>, Error> {
        let state = self.game.played().state();
        let Some(dice) = state.dice() else { return Ok(Vec::new()) };
        if dice.outcomes() > MOST_OUTCOMES {
            return Err(TooLarge::Outcomes(dice.outcomes()).into());
        }
        let possible: Vec<u64> = (0..dice.outcomes()).filter(|&index| state.can_roll(index)).collect();
        let total: u128 = possible.iter().map(|&index| u128::from(dice.weight(index))).sum();
        let outcome = |&index: &u64| (dice.outcome(index), Ratio::new(dice.weight(index).into(), total));
        Ok(possible.iter().map(outcome).collect())
    }
}

/// An action of a player: a move, a choice, or a pass. It is valid for the decision that offered it, and for others that
/// offer the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    event: Event,
    text: String,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A decision node: a player must move or choose. It has at least one action until the decision is made, and none
/// afterwards.
#[derive(Debug)]
pub struct Decision<'a> {
    game: &'a mut Game,
    made: bool,
}

impl<'a> Decision<'a> {
    pub(crate) fn new(game: &'a mut Game) -> Decision<'a> {
        Decision { game, made: false }
    }

    fn state(&self) -> &State {
        self.game.played().state()
    }

    /// The side that decides, from 0.
    pub fn player(&self) -> usize {
        self.state().chooser().index()
    }

    /// Whether the decision offers moves, with or without choices next to them; otherwise it offers only choices.
    pub fn is_move(&self) -> bool {
        self.state().status() == Status::Move
    }

    /// The number of actions.
    pub fn count(&self) -> usize {
        if self.made {
            return 0;
        }
        self.state().replies()
    }

    /// The action with this number: moves and choices in order, then the pass, if allowed. `None` if the number is too
    /// large.
    pub fn action(&self, number: usize) -> Option<Action> {
        if number >= self.count() {
            return None;
        }
        let state = self.state();
        Some(self.of_event(match state.nth_reply(number)? {
            Reply::Move(paid) => Event::Move(paid),
            Reply::Choice(choice) => Event::Choice(choice),
            Reply::Pass | Reply::Roll(_) => Event::Pass,
        }))
    }

    fn of_event(&self, event: Event) -> Action {
        let state = self.state();
        let text = match &event {
            Event::Move(paid) => game_text::with_die(state, *paid, &game_text::move_text(state, *paid)),
            Event::Choice(index) => state
                .choices()
                .get(*index)
                .map_or_else(String::new, |choice| game_text::choice_text(&state.ruleset().variant, choice)),
            Event::Pass | Event::Roll(_) => "pass".into(),
        };
        Action { event, text }
    }

    /// The decision of `player`.
    pub(crate) fn chosen_by(&self, player: &mut dyn Player) -> Result<Action, Error> {
        Ok(self.of_event(player.decide_in(self.game.played())?))
    }

    /// All actions, in order.
    pub fn actions(&self) -> Vec<Action> {
        (0..self.count()).filter_map(|number| self.action(number)).collect()
    }

    /// The first action. It cannot be played if the decision was already made.
    pub fn first(&self) -> Action {
        self.action(0).unwrap_or(Action { event: Event::Pass, text: "pass".into() })
    }

    /// A random action; all are equally likely. It depends on the game's seed and the number of events so far, so a seed
    /// always gives the same game. It cannot be played if the decision was already made.
    ///
    /// ```
    /// # use astragal::Turn;
    /// # fn main() -> Result<(), astragal::Error> {
    /// let mut game = astragal::load("king-for-2")?.game(7)?;
    /// let over = loop {
    ///     match game.turn() {
    ///         Turn::Chance(chance) => drop(chance.roll()?),
    ///         Turn::Decide(mut decision) => decision.play(decision.random())?,
    ///         Turn::Over(over) => break over,
    ///     }
    /// };
    /// assert!(over.to_string().starts_with("Red wins") || over.to_string().starts_with("Blue wins"), "{over}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn random(&self) -> Action {
        let played = self.game.played();
        let mut stream = Stream::new(played.seed() ^ DECISIONS, played.entries().len() as u64);
        let number = stream.below(self.count().max(1) as u64);
        self.action(number as usize).unwrap_or_else(|| self.first())
    }

    /// Makes the decision. This works only once.
    ///
    /// # Errors
    /// If it was already made, does not offer this action, or a rule fails; the game then stays unchanged.
    pub fn play(&mut self, action: Action) -> Result<(), Error> {
        if self.made {
            return Err(Error::Made);
        }
        self.game.played_mut().apply(&action.event)?;
        self.made = true;
        Ok(())
    }
}

/// The result of a game. Its text is a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Over {
    /// The winning sides, from 0; empty in a draw.
    pub winners: Vec<usize>,
    /// The reason, in a few words.
    pub reason: String,
    text: String,
}

impl Over {
    pub(crate) fn of(played: &Played) -> Over {
        let state = played.state();
        Over {
            winners: game_text::winners(state).into_iter().map(|side| side.index()).collect(),
            reason: state.over().map_or_else(String::new, |over| over.reason.clone()),
            text: game_text::result(state).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
