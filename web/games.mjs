// Writes the data of the start page, dist/games.json, from the scripts: node games.mjs. The engine in build/ loads every
// script and draws its board, so that the page shows all games before it starts an engine of its own.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Engine, initSync } from "./build/astragal_web.js";

const at = (path) => new URL(path, import.meta.url);
initSync({ module: readFileSync(at("build/astragal_web_bg.wasm")) });
const engine = new Engine();

function ask(method, params) {
  let answer;
  engine.answer(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), (line) => (answer = JSON.parse(line)));
  if (answer.error) throw new Error(`${method} ${JSON.stringify(params)}: ${answer.error.message}`);
  return answer.result;
}

/** The families of games that import no other game. The first one that fits counts. */
const FAMILIES = [
  ["Backgammon and relatives", ({ calls, code }) => calls.has("track") && /\btriangles:/.test(code)],
  ["Races and running fights", ({ calls }) => calls.has("track")],
  ["Chess and relatives", ({ royals, pieces }) => royals.length > 0 && pieces.length > 1],
  ["Other games", () => true],
];
/** The functions that roll dice. */
const ROLLS = ["roll", "roll_playable", "roll_until", "roll_each", "cast", "reroll"];
/** How long a roll or a decision takes on average, in seconds: an estimate, which docs/studio.md explains. */
const PACE = 6;
/** The length of the sentence on a card, in characters. */
const MOST = 150;

/** Measured rolls and decisions per game. */
const { events } = JSON.parse(readFileSync(at("page/lengths.json"), "utf8"));
const pictures = [];

/** The number of a picture, without the coordinates, which would be too small to read; equal ones are stored once. */
function picture(svg) {
  const bare = svg.replace(/<title>[^<]*<\/title>|<text class="rim"[^>]*>[^<]*<\/text>|\n/g, "");
  if (!pictures.includes(bare)) pictures.push(bare);
  return pictures.indexOf(bare);
}

/** What is special: the first sentences of the description that fit a card. Sentences with code are for authors. */
function special(about) {
  const text = (about.split("\n\n")[1] ?? "").replaceAll("\n", " ");
  const sentences = text.match(/[^.!?]+[.!?]+(?=\s|$)/g) ?? [text];
  let short = sentences[0].trim();
  for (const next of sentences.slice(1)) {
    if (short.length + next.length > MOST || next.includes("`")) break;
    short += next;
  }
  return short.length <= MOST ? short : `${short.slice(0, MOST).replace(/[\s,;:]+\S*$/, "")} …`;
}

/** The names of the functions that a text calls. */
const called = (text) => [...text.matchAll(/(\w+)\(/g)].map((found) => found[1]);

/** The declarations of a script: what the engine says, the scripts that it imports, and which functions its code calls. */
function declared(name) {
  const code = ask("source", { variant: name }).text.replace(/^\s*\/\/.*$/gm, "");
  const bodies = new Map(code.split(/^fn (?=\w)/m).slice(1).map((body) => [/^\w+/.exec(body)[0], body]));
  const imports = [...code.matchAll(/^import "([^"]+)"/gm)].map((found) => declared(found[1]));
  return { ...ask("load", { name }), ...ask("pieces", { variant: name }), code, bodies, imports, calls: new Set(called(code)) };
}

/** Whether something is true of a script, or of one that it imports. */
const some = (script, is) => is(script) || script.imports.some((one) => some(one, is));

/** Whether dice decide captures: the rule `capture`, or a function that it calls, rolls them. */
function hasContests(script, rule = "capture", seen = new Set()) {
  if (seen.has(rule)) return false;
  seen.add(rule);
  const bodies = [script, ...script.imports].map((one) => one.bodies.get(rule)).filter(Boolean);
  return bodies.flatMap(called).some((name) => ROLLS.includes(name) || hasContests(script, name, seen));
}

/** A game belongs to the family of the game that it changes. */
const familyOf = (script) => (script.imports[0] ? familyOf(script.imports[0]) : FAMILIES.find(([, fits]) => fits(script))[0]);

/** Minutes, to the nearest five. */
const minutes = (count) => (count ? Math.max(5, 5 * Math.round((count * PACE) / 300)) : undefined);

const usual = readFileSync(at("../variants/default.txt"), "utf8").trim();
const games = ask("variants", {}).variants.filter((one) => !one.error).map(({ name, title }) => {
  const script = declared(name);
  const { about, sides, hides } = script;
  return {
    name,
    title,
    special: special(about),
    family: familyOf(script),
    players: sides.length,
    minutes: minutes(events[name]),
    secrets: hides,
    contests: hasContests(script),
    // The documented games, without the games without dice that they change.
    main: existsSync(at(`../variants/${name}.rhai`)) && some(script, ({ calls }) => ROLLS.some((name) => calls.has(name))),
    // Trained players are files next to this one.
    trained: existsSync(at(`dist/players/${name}.learned`)) || undefined,
    picture: picture(ask("draw", { variant: name }).svg),
  };
});
games.sort((a, b) => b.main - a.main || (b.name === usual) - (a.name === usual));
writeFileSync(at("dist/games.json"), JSON.stringify({ games, pictures }));
