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

/** The families, each with the words by which its scripts describe themselves. The first one that fits counts. */
const FAMILIES = [
  ["Chess and relatives", /chess|shatranj|shogi|xiangqi|acedrex|chaturaji|\b(king|queen|rook)\b/i],
  ["Backgammon and relatives", /backgammon|\btables game/i],
  ["Races and running fights", /\brace|running fight|\bpegs\b/i],
  ["Other games", /./],
];
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

/** What is special: the first sentences of the description that fit a card. */
function special(about) {
  const text = (about.split("\n\n")[1] ?? "").replaceAll("\n", " ");
  const sentences = text.match(/[^.!?]+[.!?]+(?=\s|$)/g) ?? [text];
  let short = sentences[0].trim();
  for (const next of sentences.slice(1)) {
    if (short.length + next.length > MOST) break;
    short += next;
  }
  return short.length <= MOST ? short : `${short.slice(0, MOST).replace(/[\s,;:]+\S*$/, "")} …`;
}

/** Minutes, to the nearest five. */
const minutes = (count) => (count ? Math.max(5, 5 * Math.round((count * PACE) / 300)) : undefined);

const usual = readFileSync(at("../variants/default.txt"), "utf8").trim();
const games = ask("variants", {}).variants.filter((one) => !one.error).map(({ name, title }) => {
  const { about, sides, secrets } = ask("load", { name });
  const { text } = ask("source", { variant: name });
  // The bases of other games are named so in their descriptions.
  const isMain = existsSync(at(`../variants/${name}.rhai`)) && !/\bbase of\b/.test(about);
  const game = about.split(/\n\n(?=Sources?:)/)[0].replaceAll("\n", " ");
  const bases = [...text.matchAll(/^import "([^"]+)"/gm)].map((found) => found[1]).join(" ");
  const family = FAMILIES.find(([, words]) => words.test(`${title} ${game} ${bases}`))[0];
  const contests = /\bcontest\b|\bboth\s+(sides|players)\s+roll|is a battle|captures are contests|against d\d|roll.{0,40}defender/i.test(`${about} ${text}`);
  return { name, title, special: special(about), family, players: sides.length, minutes: minutes(events[name]), secrets: secrets || /\bin secret\b/.test(game), contests, main: isMain, picture: picture(ask("draw", { variant: name }).svg) };
});
games.sort((a, b) => b.main - a.main || (b.name === usual) - (a.name === usual));
writeFileSync(at("dist/games.json"), JSON.stringify({ games, pictures }));
