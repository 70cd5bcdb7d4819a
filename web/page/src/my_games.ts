// My games: the list of kept games and scripts, where each can be opened again or removed.

import { ask, choose } from "./dialog";
import { el } from "./dom";
import type { KeptGame } from "./kept_games";
import { say } from "./notice";
import { pictureAddress } from "./picture";
import type { Session } from "./session";

const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const TIME = new Intl.DateTimeFormat("en", { timeStyle: "short" });

export class MyGames {
  readonly button = el("button", { id: "my-games" }, "My games");

  constructor(private readonly session: Session) {
    this.button.onclick = () => void this.show().catch(say);
  }

  private async show(): Promise<void> {
    const games = await this.session.games.list();
    const none = "Games that you play and scripts that you write appear here. They stay in this browser.";
    const chosen = await ask<{ open?: KeptGame; remove?: KeptGame }>(games.length > 0 ? "My games" : none, (done) => [
      el("ul", { className: "my-games" }, ...games.map((game) => this.entry(game, done))),
      el("button", { onclick: () => done(undefined) }, "Close"),
    ]);
    if (chosen?.open) await this.session.open(chosen.open.id);
    if (!chosen?.remove) return;
    const { id, title } = chosen.remove;
    if ((await choose(`Remove ${title} permanently, with its moves and its script?`, ["Remove"])) === "Remove") await this.session.games.remove(id);
    await this.show();
  }

  private entry(game: KeptGame, done: (chosen: { open?: KeptGame; remove?: KeptGame }) => void): HTMLElement {
    const isCurrent = game.id === this.session.games.slot.id;
    const src = game.picture && pictureAddress(game.picture);
    return el(
      "li",
      {},
      src ? el("img", { src, alt: "" }) : el("span", { className: "no-picture" }),
      el("div", { className: "about" }, el("strong", {}, game.title), el("small", {}, [when(game.time), ...about(game)].join(", "))),
      isCurrent ? el("small", {}, "Open now") : el("button", { onclick: () => done({ open: game }) }, "Open"),
      !isCurrent && el("button", { onclick: () => done({ remove: game }), "aria-label": `Remove ${game.title}` }, "Remove"),
    );
  }
}

/** The day of a time; today, the time of day. */
function when(time: number): string {
  const day = DAY.format(time);
  return day === DAY.format(Date.now()) ? TIME.format(time) : day;
}

/** What a list says about a kept game. */
export function about({ script, file, state, draft, turns, finished }: KeptGame): string[] {
  return [
    file ?? (script.text === undefined ? undefined : "your script"),
    turns > 0 ? `${turns} ${turns === 1 ? "turn" : "turns"}` : undefined,
    finished && state ? "finished" : undefined,
    state?.links && !finished ? `by links, ${state.links.isOurs ? "your turn" : "waiting for a link"}` : undefined,
    draft !== undefined || !state ? "unfinished script" : undefined,
  ].filter((text) => text !== undefined);
}
