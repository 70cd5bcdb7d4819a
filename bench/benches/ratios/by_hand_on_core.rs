//! The baseline for the cost of rules: Dice Chess written by hand on our own board, move generator and dice, without rules,
//! trees or states. The difference between its speed and the script's is the cost of running rules.

use astragal_bench::{Played, SPREAD};
use astragal_core::attack::in_check;
use astragal_core::movegen::{Filter, Safety, draw, has_move};
use astragal_core::{Dice, Kind, KindMask, Move, Position, Side, Stream, Variant};

/// The parts of the variant that the rules use.
pub struct DiceChess<'a> {
    variant: &'a Variant,
    /// The kinds that each face permits.
    faces: [KindMask; 6],
    king: KindMask,
    /// The kinds that can win.
    heavy: KindMask,
}

/// A game in progress.
struct Game<'a> {
    rules: &'a DiceChess<'a>,
    position: Position,
    /// The hashes of the positions since the last irreversible move.
    hashes: Vec<u64>,
    room: Vec<Move>,
}

impl<'a> DiceChess<'a> {
    /// The default options of the script that declares this variant.
    pub fn new(variant: &'a Variant) -> DiceChess<'a> {
        let named = |name: &str| KindMask::from(variant.kind_named(name).unwrap_or(Kind(0)));
        let heavy = ["pawn", "rook", "queen"].iter().fold(0, |all, name| all | named(name).0);
        DiceChess {
            variant,
            faces: ["pawn", "knight", "bishop", "rook", "queen", "king"].map(named),
            king: named("king"),
            heavy: KindMask(heavy),
        }
    }

    /// Plays random games, drawn as [`astragal_bench::play`] draws them: the same games have the same digest.
    pub fn play(&self, start: &Position, seeds: std::ops::Range<u64>, cap: u32) -> Played {
        let mut played = Played::default();
        let dice = Dice::fair(2, 6);
        for seed in seeds {
            let (mut rolls, mut moves) = (Stream::new(seed, 0), Stream::new(seed, 1));
            let mut game = Game { rules: self, position: start.clone(), hashes: vec![start.hash()], room: Vec::new() };
            let (mut plies, mut over) = (0, game.is_over(true));
            while !over && plies < cap {
                let index = dice.roll(&mut rolls);
                let mover = game.position.side();
                let filter = self.filter((index / 6) as usize, (index % 6) as usize);
                let mv = draw(self.variant, &game.position, mover, Safety::Policy, filter, &mut moves, &mut game.room);
                if let Some(mv) = mv {
                    // The roll is a separate event that does not change the position.
                    played.digest = (played.digest ^ game.position.hash()).wrapping_mul(SPREAD);
                    // Even an only move consumes a random number.
                    rolls.below(1);
                    game.position.make(self.variant, mv);
                    plies += 1;
                }
                game.position.end_turn(self.variant, Side(1 - mover.0));
                over = game.is_over(mv.is_some());
                played.digest = (played.digest ^ game.position.hash()).wrapping_mul(SPREAD);
            }
            played.plies += u64::from(plies);
            played.games += 1;
        }
        played
    }

    /// The moves that two faces permit.
    fn filter(&self, first: usize, second: usize) -> Filter {
        if first == second {
            return Filter::ALL;
        }
        let kinds = KindMask(self.faces[first].0 | self.faces[second].0);
        let castles = [first, second].iter().any(|&face| face == 3 || face == 5);
        Filter { kinds, castling: if castles { u16::MAX } else { 0 }, ..Filter::NONE }
    }
}

impl Game<'_> {
    /// Whether the game ends with this turn; a turn without a move leads to no new position.
    fn is_over(&mut self, moved: bool) -> bool {
        let (variant, position, rules) = (self.rules.variant, &self.position, self.rules);
        let next = position.side();
        if !position.has(next, rules.king) {
            return true;
        }
        if moved && position.clock() == 0 {
            self.hashes.clear();
        }
        if moved {
            self.hashes.push(position.hash());
        }
        if !has_move(variant, position, next, Safety::Policy, Filter::ALL) {
            // Checkmate or stalemate.
            std::hint::black_box(in_check(variant, position, next));
            return true;
        }
        let now = position.hash();
        let both = [next, Side(1 - next.0)];
        self.hashes.iter().filter(|&&hash| hash == now).count() >= 3
            || position.clock() >= 100
            || both.iter().all(|&side| !position.has(side, rules.heavy) && position.of(side).len() < 2)
    }
}
