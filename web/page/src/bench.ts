// Times random games in this browser, round by round, to show when the browser has compiled the engine.

import { el, get, words } from "./dom";
import { Engine } from "./engine";
import { loadCards } from "./start";

const ROUNDS = 10;
const GAMES = 400;

async function bench(): Promise<void> {
  const engine = new Engine();
  const [first] = (await loadCards()).games;
  if (!first) throw new Error("There is no game to play.");
  await engine.ask("load", { name: first.name });
  const rates: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const begun = performance.now();
    await engine.ask("simulate", { variant: first.name, games: GAMES, seed: round });
    const rate = (1000 * GAMES) / (performance.now() - begun);
    rates.push(rate);
    get("rounds").append(el("tr", {}, el("td", {}, round), el("td", { className: "number" }, rate.toFixed(0))));
  }
  const warm = rates.slice(ROUNDS / 2).sort((a, b) => a - b);
  get("result").textContent = `${(warm[Math.floor(warm.length / 2)] ?? 0).toFixed(0)} games per second after warm-up.`;
}

void bench().catch((error) => {
  get("result").textContent = words(error);
});
