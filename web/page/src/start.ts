// The start page: cards of all games, with search and filters. Owns the data of the cards, which the build has made from the
// scripts, so that it needs no engine.

import { el, get, put } from "./dom";
import type { KeptGame } from "./kept_games";
import { about } from "./my_games";
import { pictureAddress } from "./picture";

/** A game as its card shows it. */
interface Card {
  name: string;
  title: string;
  /** What is special about it. */
  special: string;
  family: string;
  players: number;
  minutes?: number;
  secrets: boolean;
  contests: boolean;
  /** Whether it is one of the games with their own documentation. */
  main: boolean;
  /** The number of its picture. */
  picture: number;
  /** Whether the page has a trained player for it. */
  trained?: boolean;
}

/** Filters with a checkbox. */
const MARKS = { secrets: "Hidden information", contests: "Contests" } as const;

/** How many kept games are offered. */
const RECENT = 4;

/** The data of the cards. */
export async function loadCards(): Promise<{ games: Card[]; pictures: string[] }> {
  try {
    const { games, pictures } = await (await fetch("games.json")).json();
    if (Array.isArray(games) && Array.isArray(pictures)) return { games, pictures };
  } catch {
    // The server does not have it, or it is damaged.
  }
  throw new Error("The list of games could not be loaded. Reload the page to try again.");
}

export class Start {
  private readonly list = el("div");
  private readonly count = el("p", { className: "note", role: "status" });
  private readonly words = el("input", { type: "search", id: "find", placeholder: "Search games", "aria-label": "Search games" });
  private readonly family = el("select", { id: "family", "aria-label": "Family" });
  private readonly players = el("select", { id: "players", "aria-label": "Players" });
  private readonly marks = Object.keys(MARKS).map((name) => el("input", { type: "checkbox", id: `only-${name}` }));
  private games: Card[] = [];
  private pictures: string[] = [];
  /** Draws a picture only when its card comes near the window: drawing all of them would delay the first ones. */
  private readonly near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
        target.src = pictureAddress(this.pictures[Number(target.dataset["picture"])] ?? "");
        this.near.unobserve(target);
      }
    },
    { rootMargin: "300px" },
  );

  constructor(
    /** Plays a game against the computer. */
    private readonly play: (name: string) => void,
    /** Continues a kept game. */
    private readonly resume: (id: string) => void,
    buttons: HTMLElement[],
  ) {
    put(get("begin"), ...buttons);
  }

  /** Shows the cards. */
  show(games: Card[], pictures: string[]): void {
    this.games = games;
    this.pictures = pictures;
    const choices = (all: string, values: (string | number)[], label: (value: string | number) => string) => [
      el("option", { value: "" }, all),
      ...values.map((value) => el("option", { value }, label(value))),
    ];
    put(this.family, ...choices("All families", [...new Set(games.map((one) => one.family))], String));
    put(this.players, ...choices("Any number of players", [...new Set(games.map((one) => one.players))].sort(), (n) => `${n} players`));
    const checks = Object.values(MARKS).map((text, at) => el("label", {}, this.marks[at] as HTMLElement, ` ${text}`));
    const filters = el("div", { className: "row filters", role: "search" }, this.words, this.family, this.players, ...checks, this.count);
    filters.oninput = () => this.filter();
    put(get("cards"), filters, this.list);
    this.filter();
  }

  /** The first game: the one that a workspace begins with. */
  get first(): string {
    return this.games[0]?.name ?? "";
  }

  /** Whether the page has a trained player for an included game. */
  hasTrained(name: string): boolean {
    return this.games.some((one) => one.name === name && one.trained);
  }

  /** Shows the newest of the games that the browser keeps. */
  showKept(games: KeptGame[]): void {
    const open = (game: KeptGame) =>
      el(
        "button",
        { className: "kept", onclick: () => this.resume(game.id) },
        game.picture ? el("img", { alt: "", src: pictureAddress(game.picture) }) : "",
        el("span", {}, el("strong", {}, game.title), el("small", {}, about(game).join(", "))),
      );
    put(get("kept"), ...(games.length > 0 ? [el("h2", {}, "Continue"), el("div", { className: "row" }, ...games.slice(0, RECENT).map(open))] : []));
  }

  /** Shows the scripts of the folder. */
  showFolder(scripts: string[]): void {
    const open = (name: string) => el("button", { onclick: () => this.play(name) }, name);
    put(get("folder"), ...(scripts.length > 0 ? [el("h2", {}, "Scripts in the folder"), el("div", { className: "row" }, ...scripts.map(open))] : []));
  }

  private filter(): void {
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (one: Card) =>
      words.every((word) => `${one.title} ${one.name} ${one.special} ${one.family}`.toLowerCase().includes(word)) &&
      (this.family.value === "" || one.family === this.family.value) &&
      (this.players.value === "" || String(one.players) === this.players.value) &&
      (["secrets", "contests"] as const).every((mark, at) => !this.marks[at]?.checked || one[mark]);
    const found = this.games.filter(fits);
    const section = (title: string, games: Card[]) => games.length > 0 && [el("h2", {}, title), el("ul", { className: "cards" }, ...games.map((one) => this.card(one)))];
    this.near.disconnect();
    const sections = [section("Documented games", found.filter((one) => one.main)), section("Gallery", found.filter((one) => !one.main))];
    put(this.list, ...sections.flatMap((made) => made || []));
    put(this.count, found.length === 0 ? "No games match. Change the search or the filters." : found.length === this.games.length ? "" : `${found.length} of ${this.games.length} games`);
  }

  private card(one: Card): HTMLElement {
    const facts = [`${one.players} players`, one.minutes && `about ${one.minutes} min`, one.secrets && "hidden information", one.contests && "contests"];
    const picture = el("img", { alt: "", decoding: "async", "data-picture": one.picture });
    this.near.observe(picture);
    return el(
      "li",
      {},
      el(
        "button",
        { className: "card", "data-game": one.name, onclick: () => this.play(one.name) },
        picture,
        el("strong", {}, one.title),
        el("small", {}, facts.filter(Boolean).join(" · ")),
        el("span", {}, one.special),
      ),
    );
  }
}
