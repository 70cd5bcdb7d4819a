// The page's text about a game, in the words of players: the side to move, the next event, and why a turn was lost.

import { SIDES } from "./protocol";
import type { Pending, Side, TurnText } from "./protocol";
import type { Table } from "./table";

const NUMBERS = ["no", "a", "two", "three", "four", "five", "six", "seven", "eight"];
/** How many short texts are listed. */
const FEW = 4;

/** Joins several items: `3, 5 and 6`. */
export function listed(all: (string | number)[], last = "and"): string {
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
}

/** A side as the subject of a sentence: a side named only by its ordinal gets the word `player`. */
function who(table: Table, side: Side): string {
  const name = table.side(side);
  return SIDES.some((side) => side === name.toLowerCase()) ? `${name} player` : name;
}

/** Dice in everyday words: `two dice`, `a four-sided die`, `four dice (plain or marked)`. */
export function diceWords(pending: Pending & { kind: "roll" }, names: Map<number, string>): string {
  const plain = /^(\d+)d(\d+)$/.exec(pending.dice);
  const faces = pending.faces ?? (plain ? Array.from({ length: Math.min(99, Number(plain[1])) }, () => Array.from({ length: Number(plain[2]) }, (_, i) => i + 1)) : []);
  const kinds = new Map<string, number>();
  for (const die of faces) kinds.set(die.join(), (kinds.get(die.join()) ?? 0) + 1);
  const kind = ([key, count]: [string, number]) => {
    const all = [...new Set(key.split(",").map(Number))];
    const counted = all.length === key.split(",").length && all.every((face, i) => face === i + 1);
    const sort = counted && all.length !== 6 ? `${NUMBERS[all.length] ?? all.length}-sided ` : "";
    const words = all.map((face) => names.get(face));
    const marks = words.every(Boolean) && !counted ? ` (${listed(words as string[], "or")})` : counted ? "" : ` with ${listed(all, "or")}`;
    const number = count === 1 && /^(8|11|18|eight)/.test(sort) ? "an" : (NUMBERS[count] ?? count);
    return `${number} ${sort}${count === 1 ? "die" : "dice"}${marks}`;
  };
  return kinds.size > 0 ? listed([...kinds].map(kind)) : "the dice";
}

/** Rolled faces by their names: `king twice`, `3 and 5`. */
function facesWords(faces: string[], names: Map<number, string>): string {
  const words = faces.map((face) => names.get(Number(face)) ?? face);
  const [first] = words;
  return words.length === 2 && first === words[1] ? `${first} twice` : listed(words);
}

/** A turn's last roll, as in the list of turns: `[2,3] Nc3`; undefined if there is none that may be seen. */
export function rollOf(text: string): string[] | undefined {
  const last = [...text.matchAll(/\[([^\]?]+)\]/g)].at(-1)?.[1];
  return last?.split(",");
}

/** Whether all of `left` are among `faces`. */
function holds(faces: string[], left: number[]): boolean {
  const rest = [...faces];
  return left.every((number) => {
    const at = rest.indexOf(String(number));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/**
 * The dice of a turn, used or not; `left` are the unused ones. Usually these are the dice of its last roll. Several rolls
 * can be played together, such as the first two in backgammon: in `[6] [3] 24/18`, 3 is left. Dice rolled before the turn
 * are not in its text, and a die may count more than once: then only the unused ones are known.
 */
export function diceOf(text: string, left: number[]): string[] | undefined {
  const last = rollOf(text);
  if (left.length === 0) return last;
  // If a move follows the roll, one of its dice has been used.
  const most = /\]\s*[^\s[]/.test(text) ? 1 : 0;
  const all = [...text.matchAll(/\[([^\]?]+)\]/g)].flatMap((roll) => roll[1]!.split(","));
  return [last ?? [], all].find((faces) => faces.length >= left.length + most && holds(faces, left)) ?? left.map(String);
}

export const isLost = (text: string) => /(^| )--$/.test(text);

/** The turns lost at the end of the game so far, at most three. */
export function lostTurns(table: Table): TurnText[] {
  const turns = table.shown?.course.turns ?? [];
  const kept = turns.findLastIndex((turn) => !isLost(turn.text));
  return turns.slice(Math.max(kept + 1, turns.length - 3));
}

/** The automatic events: lost turns with their reasons, and messages of the rules. */
export function happened(table: Table): string {
  const lost = lostTurns(table).map((turn) => {
    const roll = rollOf(turn.text);
    return `${who(table, turn.side)} ${roll ? `rolled ${facesWords(roll, table.faces)} and ` : ""}has no move: the turn is lost.`;
  });
  const log = table.log.filter((text) => !/has no move: the turn is lost\.$/.test(text));
  // If the rules describe the failed capture in their own words, the standard message is left out.
  const own = log.filter((text, _, all) => all.length === 1 || !/^The capture \S+ did not succeed\.$/.test(text));
  // A message about a move with a contest roll is joined with that roll.
  const contest = /(\S+)(?: \[[^\]]*\])+$/.exec(table.shown?.course.turns.at(-1)?.text ?? "")?.[1];
  const sentences = own.map((text) => (contest && /^[^.!?]{1,24}$/.test(text) ? `${contest}: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text)).map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`);
  return [...new Set([...lost, ...sentences])].join(" ");
}

/** The secrets of one side, as `nature=b1:1,c1:0 dice=0,1`, in words. */
function secrets(text: string): string {
  const fields = text.split(" ").map((field) => {
    const [name = "", values = ""] = field.split("=");
    if (!values.includes(":")) return `${name} ${values.split(",").join(", ")}`;
    const squares = new Map<string, string[]>();
    for (const [square = "", value = ""] of values.split(",").map((one) => one.split(":"))) {
      if (value !== "0") squares.set(value, [...(squares.get(value) ?? []), square]);
    }
    return [...squares].map(([value, all]) => `${name}${value === "1" ? "" : ` ${value}`} on ${listed(all)}`).join("; ");
  });
  return fields.filter(Boolean).join("; ");
}

function choice(options: string[], squares: Set<string>): string {
  if (options.length > 0 && options.every((option) => squares.has(option))) return "a square";
  if (options.length > FEW && options.every((option) => /^-?\d+$/.test(option))) {
    const all = options.map(Number);
    return `a number from ${Math.min(...all)} to ${Math.max(...all)}`;
  }
  return options.length > FEW ? "" : listed(options, "or");
}

/** The side to move and the next event, or how the game ended. */
export function awaited(table: Table): { line: string; secret: string } {
  const shown = table.shown;
  if (!shown) return { line: "This script cannot be played yet", secret: "" };
  const { pending } = shown.status;
  const lines = shown.picture.status.trim().split("\n");
  const known = /^Only (.*) knows: (.*)\.$/.exec(lines[0] ?? "");
  const own = known && secrets(known[2] ?? "");
  const secret = own ? `Only ${known?.[1]} knows: ${own}.` : "";
  if (!pending) return { line: lines.at(-1) ?? "", secret };
  const side = who(table, pending.player);
  const computer = table.seat(pending.player) === "human" ? "" : " (the computer)";
  const squares = new Set(shown.picture.squares.map((square) => square.name));
  if (pending.kind === "roll") {
    const what = drawn(pending) ? `draw a ${pending.moves ? "move" : "square"}, one of ${drawn(pending)}` : `roll ${diceWords(pending, table.faces)}`;
    return { line: `${side} to ${what}${computer}`, secret };
  }
  const pass = pending.pass ? ", or pass" : "";
  const question = pending.question ? `${pending.question} ` : "";
  if (pending.kind === "choice") return { line: `${question}${side} to choose ${choice(pending.options ?? [], squares)}`.trim() + pass + computer, secret };
  const left = shown.picture.dice;
  const isPart = left.length > 0 && left.length < (diceOf(shown.course.turns.at(-1)?.text ?? "", left)?.length ?? 0);
  const dice = left.length === 0 ? "" : ` with ${facesWords(left.map(String), table.faces)}${isPart ? " left" : ""}`;
  const drops = pending.options?.length && pending.options.every((move) => move.includes("@"));
  const instead = pending.choices?.length ? `, or choose ${choice(pending.choices, squares)}`.trimEnd() : "";
  const what = pending.names ? `to name a move${dice}` : drops ? `to put down a piece${dice}` : `to move${dice}`;
  return { line: `${question}${side} ${what}${instead}${pass}${computer}`, secret };
}

/** The number of squares or moves from which a roll draws one; 0 if dice are rolled. */
export function drawn(pending: Pending): number {
  return pending.kind === "roll" ? ((pending.squares ?? pending.moves)?.length ?? 0) || Number(/^draw\(\d+ of (\d+)\)/.exec(pending.dice)?.[1] ?? 0) : 0;
}

/** How many decisions of people come with advice. */
const ADVISED = 3;

/** What to do now, for people who have made few decisions in this game. */
export function advice(table: Table): string {
  const { status, course, picture } = table.shown ?? {};
  const pending = status?.pending;
  const decided = course?.deciders.filter((side) => side && table.seat(side) === "human").length ?? 0;
  if (!pending || decided >= ADVISED || table.handsOver()) return "";
  if (pending.kind === "roll") return table.rollsAlone || table.seat(pending.player) !== "human" ? "" : `Your turn: click ${drawn(pending) ? "Draw" : "Roll"}.`;
  if (table.seat(pending.player) !== "human") return "";
  const squares = new Set(picture?.squares.map((square) => square.name));
  const choices = (pending.kind === "move" ? pending.choices : pending.options) ?? [];
  if (pending.kind === "move" && pending.options?.length) return "Your turn: click a highlighted piece, then a marked square.";
  return choices.some((text) => squares.has(text)) ? "Your turn: click a marked square." : "Your turn: choose an answer below.";
}
