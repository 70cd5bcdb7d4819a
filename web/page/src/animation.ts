// A game as one animated picture (SVG): the position after each turn, with its dice and the squares of its move. What stays the
// same from turn to turn is drawn once. It knows no rules and no elements.

import { changed } from "./glide";
import type { Picture, SessionStatus, Side, TurnPart, TurnText } from "./protocol";
import { rollsOf } from "./status";
import type { Table } from "./table";

/** How long each position is visible, in seconds. */
const STEP = 1.2;
/** How many positions the last one counts for. */
const LAST = 3;
/** The maximum number of turns that are shown: the latest ones. */
export const MOST_TURNS = 200;
/** The height of the line with the dice. */
const LINE = 44;

/** A line of a picture, and the positions in which it is visible: from one up to, but not including, another. */
interface Run {
  line: string;
  from: number;
  to: number;
}

const escaped = (text: string) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The elements of an engine's picture: each is a line, or several if it contains others. */
function linesOf({ svg }: Picture): string[] {
  const found: string[] = [];
  let depth = 0;
  for (const line of svg.split("\n")) {
    if (line === "" || /^<(svg|title|\/svg)/.test(line)) continue;
    if (depth > 0) found.push(`${found.pop()}${line}`);
    else found.push(line);
    depth += line.split("<g ").length - line.split("</g>").length;
  }
  return found;
}

/** A picture of a position for people who do not play: without the state of the turn, the pieces that can move are not marked. */
export function still(table: Table, position: string, view?: Side): Promise<Picture> {
  const { flipped, letters } = table;
  return table.engine.ask<Picture>("draw", { ...table.named(), position: position.replace(/ turn=.*/s, ""), view, flipped, letters, steady: true });
}

/** The current game as an animation. */
export async function animation(table: Table): Promise<string> {
  const { engine, shown } = table;
  const record = shown?.course.record;
  if (!shown || record === undefined) throw new Error("An animation of this game would reveal secrets. Save it when the game is over.");
  const turns = shown.course.turns.slice(-MOST_TURNS);
  const before = shown.course.turns.at(-MOST_TURNS - 1)?.events ?? 0;
  const { session } = await engine.ask<SessionStatus>("open", { ...table.named(), record, wait: true });
  const pictures: Picture[] = [];
  try {
    // Events can only be taken back, so the last position is drawn first.
    for (const events of [before, ...turns.map((turn) => turn.events)].reverse()) {
      const { position } = await engine.ask<SessionStatus>("undo", { session, events });
      pictures.unshift(await still(table, position));
    }
  } finally {
    await engine.ask("close", { session });
  }
  const [first] = pictures;
  if (!first) throw new Error("no game is open");
  // The names of the sides leave the dice below each other.
  const dice = 48 + 10 * Math.max(...table.sides.map((side) => side.length));
  const positions = pictures.map((picture, at) => {
    const before = pictures[at - 1];
    const turn = turns[at - 1];
    const squares = (before ? changed(before, picture) : []).map(
      ({ x, y, width, height }) => `<rect x="${x + 2}" y="${y + 2}" width="${width - 4}" height="${height - 4}" fill="none" stroke="#e2a814" stroke-width="4"/>`,
    );
    return [...linesOf(picture), ...squares, ...(turn ? caption(first.height, dice, `${turn.round}. ${table.side(turn.side)}`, turn) : [])];
  });
  return joined(first, table.title, runsOf(positions));
}

/** The line below a board of this height with the side, the dice from `left` on, and the move of a turn. */
function caption(height: number, left: number, who: string, turn: TurnText): string[] {
  const label = (x: number, words: string, look: string) => `<text x="${x}" y="${height + 29}" font-size="18" fill="#2a2118" ${look}>${escaped(words)}</text>`;
  const rolled = rollsOf(turn).at(-1)?.slice(0, 8) ?? [];
  const faces = rolled.flatMap((face, at) => [
    `<rect x="${left + 34 * at}" y="${height + 8}" width="30" height="30" rx="6" fill="#fff" stroke="#5a3e1b" stroke-width="2"/>`,
    label(left + 15 + 34 * at, face, 'font-weight="700"'),
  ]);
  const word = (part: TurnPart) => (part === "lost" ? "no move" : part === "pass" ? "pass" : typeof part === "string" || "roll" in part ? "" : "move" in part ? part.move : part.choice);
  const move = turn.parts.map(word).filter(Boolean).join(" ");
  const start = 'text-anchor="start"';
  return [label(12, who, start), ...faces, label(left + 8 + 34 * rolled.length, move.slice(0, 40), start)];
}

/** When each line is visible, in drawing order: a line that follows another one in a position does so in the list as well. */
function runsOf(positions: string[][]): Run[] {
  const runs: Run[] = [];
  positions.forEach((lines, now) => {
    let last = -1;
    for (const line of lines) {
      const at = runs.findIndex((run, place) => place > last && run.to === now && run.line === line);
      if (at < 0) runs.splice(last + 1, 0, { line, from: now, to: now + 1 });
      else runs[at] = { line, from: runs[at]?.from ?? now, to: now + 1 };
      last = at < 0 ? last + 1 : at;
    }
  });
  return runs;
}

/** One picture of all lines. Drawings of pieces, which recur, are defined once. */
function joined(first: Picture, title: string, runs: Run[]): string {
  const count = Math.max(...runs.map((run) => run.to));
  const whole = count - 1 + LAST;
  const shapes = new Map<string, string>();
  const short = (line: string) => {
    const [, place, rest] = /^<g transform="([^"]*)"(.*)$/.exec(line) ?? [];
    if (place === undefined || rest === undefined) return line;
    const id = shapes.get(rest) ?? `p${shapes.size}`;
    shapes.set(rest, id);
    return `<use href="#${id}" transform="${place}"/>`;
  };
  const styles = new Map<string, string>();
  /** The class of lines that are visible in these positions; empty if they always are. */
  const named = ({ from, to }: Run) => {
    if (from === 0 && to === count) return "";
    const name = `v${from}-${to}`;
    const at = (position: number) => `${+((100 * position) / whole).toFixed(3)}%`;
    const [on, off] = ["{visibility:visible}", "{visibility:hidden}"];
    // Without animations, the last position is visible.
    const frames = `@keyframes ${name}{0%${from === 0 ? on : `${off}${at(from)}${on}`}${to === count ? "" : `${at(to)}${off}`}}`;
    styles.set(name, `${frames}.${name}{${to === count ? "" : "visibility:hidden;"}animation-name:${name}}`);
    return name;
  };
  let group = "";
  const body = runs.map((run) => {
    const name = named(run);
    const head = name === group ? "" : `${group && "</g>"}${name && `<g class="a ${name}">`}`;
    group = name;
    return head + short(run.line);
  });
  const height = first.height + LINE;
  const moving = `@media (prefers-reduced-motion:no-preference){.a{animation:0s step-end infinite;animation-duration:${+(whole * STEP).toFixed(2)}s}}`;
  const size = `viewBox="0 0 ${first.width} ${height}" width="${first.width}" height="${height}"`;
  const open = (/<svg[^>]*>/.exec(first.svg)?.[0] ?? "").replace(/viewBox="[^"]*" width="[^"]*" height="[^"]*"/, size);
  return [
    open,
    `<title>${escaped(title)}</title>`,
    `<style>${moving}${[...styles.values()].join("")}</style>`,
    `<defs>${[...shapes].map(([shape, id]) => `<g id="${id}"${shape}`).join("")}</defs>`,
    `<rect width="${first.width}" height="${height}" fill="${/class="ground"[^>]* fill="([^"]*)"/.exec(first.svg)?.[1] ?? "#ede3cf"}"/>`,
    ...body,
    `${group && "</g>"}</svg>\n`,
  ].join("\n");
}
