// The starting points of the wizard: complete answers that make a game at once, to be changed in its steps. They are data like
// the palette; the script is written from them as from any other answers.

import { type WizardGame, type WizardPiece, emptyGame, squareName, stand } from "./wizard_game";
import { type KnownPiece, PALETTE } from "./wizard_pieces";

export interface StartingPoint {
  name: string;
  about: string;
  game(): WizardGame;
}

const palette = PALETTE.flatMap((group) => group.pieces);
const known = (label: string): KnownPiece => {
  const found = palette.find((piece) => (piece.label ?? piece.name) === label);
  if (!found) throw new Error(`the palette has no ${label}`);
  return found;
};
const own = (name: string, letter: string, betza: string): KnownPiece => ({ name, letter, betza });

/** A game with these pieces, and the first side's ranks in their letters; the second side mirrors them. */
function gameOf(title: string, files: number, ranks: number, pieces: KnownPiece[], rows: string[]): WizardGame {
  const game: WizardGame = { ...emptyGame(), title, files, ranks };
  game.pieces = pieces.map(({ name, letter, betza, glyphs }, index): WizardPiece => ({ key: index + 1, name, letter, betza, promotes: [], die: 6, ...(glyphs && { glyphs }) }));
  rows.forEach((row, rank) =>
    [...row].forEach((letter, file) => {
      const piece = game.pieces.find((one) => one.letter === letter);
      if (piece) stand(game, squareName(file, rank), { side: 0, key: piece.key });
    }),
  );
  return game;
}

/** Faces that permit one piece each, by key. */
const faces = (...keys: number[]): WizardGame["dice"]["faces"] => keys.map((key) => ({ lets: "pieces", keys: [key] }));

function chess(): WizardGame {
  const game = gameOf("My chess with dice", 8, 8, ["pawn", "knight", "bishop", "rook", "queen", "king"].map(known), ["RNBQKBNR", "PPPPPPPP"]);
  game.dice = { count: 2, faces: faces(1, 2, 3, 4, 5, 6), moves: "one", alike: true, stuck: "lost" };
  game.aim = { ...game.aim, kind: "royal", key: 6 };
  for (const piece of game.pieces) if (piece.letter === "P") piece.promotes = [2, 3, 4, 5];
  return game;
}

function race(): WizardGame {
  const game = gameOf("My race", 6, 8, [own("runner", "R", "fWfF"), own("guard", "G", "K")], [".RRRR.", "..GG.."]);
  game.dice = { count: 1, faces: faces(1, 1, 1, 1, 2, 2), moves: "one", alike: false, stuck: "any" };
  game.aim = { ...game.aim, kind: "race", key: 1, count: 2 };
  return game;
}

function war(): WizardGame {
  const game = gameOf("My war", 7, 7, [own("soldier", "S", "fsW"), own("scout", "C", "N"), own("captain", "A", "K")], [".CA.AC.", "SSSSSSS"]);
  [6, 4, 10].forEach((die, index) => Object.assign(game.pieces[index] ?? {}, { die }));
  game.dice.count = 0;
  game.contest = { kind: "own", die: 6, tie: "attacker", beaten: "stays" };
  game.aim = { ...game.aim, kind: "race", key: 1, count: 2 };
  return game;
}

export const STARTS: StartingPoint[] = [
  { name: "A chess game with dice", about: "Two dice select the pieces that can move. Capture the king to win.", game: chess },
  { name: "A race", about: "A die moves runners or guards. Two runners on the far rank win.", game: race },
  { name: "A war for territory", about: "Captures are fights with dice. Two soldiers on the far rank win.", game: war },
  { name: "An empty board", about: "Start from scratch and choose everything yourself.", game: emptyGame },
];
