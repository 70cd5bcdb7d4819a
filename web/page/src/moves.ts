// Moves in the coordinate notation of the service, sorted by how they can be clicked.

import type { Side } from "./protocol";

/** A legal move. */
export interface Move {
  /** The whole move, as the service takes it. */
  text: string;
  /** The origin: a square, or a held piece and its side (`first P@`). */
  from: string;
  /** The target. */
  to: string;
  /** The rest, such as the kind promoted to. */
  rest: string;
  /** The dice that pay for it, if other dice could pay as well: `6`, `4,6`. */
  dice?: string;
}

/** The dice before a move, as `6:`. */
const DICE = /^(-?\d+(?:,-?\d+)*):(.+)$/;

const STEP = /^([a-z]\d+)([a-z]\d+)(.*)$/;
const DROP = /^(.+@)([a-z]\d+)$/;

/** The name of a held piece with its side. */
export function heldName(side: Side, drop: string): string {
  return `${side} ${drop}`;
}

/** Parses a player's move; undefined if it names no squares. */
function readMove(text: string, player: Side): Move | undefined {
  const [, dice, bare = text] = DICE.exec(text) ?? [];
  const paid = dice === undefined ? {} : { dice };
  const step = STEP.exec(bare);
  if (step) return { text, from: step[1] ?? "", to: step[2] ?? "", rest: step[3] ?? "", ...paid };
  const drop = DROP.exec(bare);
  return drop ? { text, from: heldName(player, drop[1] ?? ""), to: drop[2] ?? "", rest: "", ...paid } : undefined;
}

/** Splits moves into those that can be clicked on the board, and the others, which need a button. */
export function sortMoves(texts: string[], player: Side): { moves: Move[]; others: string[] } {
  const moves: Move[] = [];
  const others: string[] = [];
  for (const text of texts) {
    const move = readMove(text, player);
    if (move) moves.push(move);
    else others.push(text);
  }
  return { moves, others };
}
