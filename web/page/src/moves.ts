// Moves as the service writes them, in coordinates, sorted by where one clicks.

import type { Side } from "./protocol";

/** A move that may be made. */
export interface Move {
  /** The whole move, as the service takes it. */
  text: string;
  /** Where it begins: a square, or what is held and by whom (`first P@`). */
  from: string;
  /** Where it ends. */
  to: string;
  /** What else belongs to it, as the kind promoted to. */
  rest: string;
  /** The dice that pay for it, where others could: `6`, `4,6`. */
  dice?: string;
}

/** The dice before a move, as `6:`. */
const DICE = /^(-?\d+(?:,-?\d+)*):(.+)$/;

const STEP = /^([a-z]\d+)([a-z]\d+)(.*)$/;
const DROP = /^(.+@)([a-z]\d+)$/;

/** What is held, by whom. */
export function heldName(side: Side, drop: string): string {
  return `${side} ${drop}`;
}

/** A player's move as text, read; undefined if it names no squares. */
export function readMove(text: string, player: Side): Move | undefined {
  const [, dice, bare = text] = DICE.exec(text) ?? [];
  const paid = dice === undefined ? {} : { dice };
  const step = STEP.exec(bare);
  if (step) return { text, from: step[1] ?? "", to: step[2] ?? "", rest: step[3] ?? "", ...paid };
  const drop = DROP.exec(bare);
  return drop ? { text, from: heldName(player, drop[1] ?? ""), to: drop[2] ?? "", rest: "", ...paid } : undefined;
}

/** Those of some texts that can be made by clicking, and the others, which need a button. */
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
