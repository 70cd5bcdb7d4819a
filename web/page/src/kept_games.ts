// The games that the browser keeps, each with its script: the current one of this tab, and the history. Owns their order,
// how many are kept, and which one a tab and an entry of its history belong to.

import { here, pass, stay } from "./place";
import { type Kept, Slot } from "./slot";
import type { Store } from "./store";
import type { Script, TableState } from "./table";

/** A game as it is kept. */
export interface KeptGame extends Kept {
  title: string;
  script: Script;
  /** The file of the script, if it is in the folder. */
  file?: string | undefined;
  /** The text of the file, if it differs from the script. */
  saved?: string | undefined;
  /** The text in the editor, if it differs from the script: it has errors, or has not been played yet. */
  draft?: string | undefined;
  /** The game; missing if the script cannot be played. */
  state?: TableState | undefined;
  turns: number;
  finished: boolean;
  /** Whether it contains decisions. */
  hasDecisions: boolean;
  /** The picture of the board (SVG). */
  picture: string;
}

/** How many games are kept: with the included scripts, and with the user's own. */
const MOST = 100;

/** How long a game without decisions is kept, in milliseconds. */
const UNPLAYED = 86_400_000;

/** Whether a game contains something that a person made. */
function isMade(game: KeptGame): boolean {
  return game.hasDecisions || game.script.text !== undefined || game.draft !== undefined;
}

export class KeptGames {
  readonly slot: Slot<KeptGame>;
  /** Whether games are not kept: a board in another page is not the user's. */
  isOff = false;

  constructor(private readonly store: Store, current: () => Omit<KeptGame, keyof Kept> | undefined) {
    this.slot = new Slot(store, "games", () => (this.isOff ? undefined : current()), (before) => {
      if (here().game === before) stay({ game: this.slot.follow(before) });
    });
  }

  /** The games that contain something made by a person, the newest first. */
  async list(): Promise<KeptGame[]> {
    await this.slot.flush();
    return (await this.slot.all()).filter(isMade);
  }

  get(id: string): Promise<KeptGame | undefined> {
    return this.store.get("games", this.slot.follow(id));
  }

  async remove(id: string): Promise<void> {
    const links = (await this.get(id))?.state?.links;
    await this.slot.remove(this.slot.follow(id));
    // The secrets of a game by links stay as long as a copy of it.
    if (links && !(await this.slot.all()).some((game) => game.state?.links?.id === links.id)) await this.store.update("mail", links.id, () => undefined);
  }

  /** The game of the current entry of the tab's history; if there is none and `orRecent`, the one of the tab, or the most
   * recent one of all. */
  async found(orRecent: boolean): Promise<KeptGame | undefined> {
    const { game } = here();
    await this.slot.recover();
    return (game !== undefined && (await this.get(game))) || (orRecent ? this.slot.found() : undefined);
  }

  /** Begins another game with this script; the current one stays in the history if it contains something that the other
   * does not. Returns the id of the game that was left. */
  next(text: string | undefined, isHere: boolean): string | undefined {
    const { last } = this.slot;
    const isIn = (other: string | undefined) => other === undefined || other === text;
    const isLeft = last !== undefined && (last.hasDecisions || !isIn(last.script.text) || !isIn(last.draft));
    // What was typed continues in the other game.
    if (isLeft && last.draft !== undefined && last.draft === text) void this.store.update<KeptGame>("games", last.id, (before) => before && { ...before, draft: undefined });
    if (isLeft || !last) this.slot.next();
    this.place(this.slot.id, isHere ? "here" : isLeft ? "next" : "no link");
    return isLeft ? last.id : undefined;
  }

  /** Continues a game: where the user has gone to in the history of the tab, or as its next entry. */
  take(game: KeptGame, isHere: boolean): void {
    this.slot.take(game);
    this.place(game.id, isHere ? "here" : "next");
  }

  /** Remembers a game in the history of the tab: in the current entry, which may lose its link, or in the next one. */
  private place(game: string, where: "here" | "no link" | "next"): void {
    if (this.isOff) return;
    const { view, game: before } = here();
    // Back leads from a game to the start page that it was chosen on.
    if (view === "start" || (where === "next" && before !== undefined)) pass({ game, view: view && view !== "start" ? view : "play" });
    else stay({ game }, where === "here");
  }

  /** Remembers the current game in an entry that has none yet. */
  mark(): void {
    if (!this.isOff && this.slot.last && here().game === undefined) stay({ game: this.slot.id });
  }

  /** Removes the oldest games, and those that no one has played. Games by links wait for an answer. */
  async prune(): Promise<void> {
    const all = (await this.slot.all()).filter((game) => game.id !== this.slot.last?.id && (game.finished || !game.state?.links));
    const own = all.filter((game) => isMade(game) && game.script.text !== undefined);
    const included = all.filter((game) => isMade(game) && game.script.text === undefined);
    const unplayed = all.filter((game) => !isMade(game) && game.time < Date.now() - UNPLAYED);
    for (const game of [...own.slice(MOST), ...included.slice(MOST), ...unplayed]) await this.remove(game.id);
  }
}
