// A document that this page changes: stored shortly after each change. Until then, a copy is in `localStorage`, which needs
// no waiting and where the next page finds it. If another page has changed the same document, this page continues with a
// copy under a new id.

import { stored } from "./memory";
import type { Shelf, Store } from "./store";

/** What every stored document has. */
export interface Kept {
  id: string;
  /** Differs after each change: the page that has made it, and its number. */
  revision: string;
  /** When it was last changed, in milliseconds since 1970. */
  time: number;
}

/** An open document. */
interface Open {
  id: string;
  /** The revision that it had when it was opened. */
  base: string;
  /** The id that it gets if another page changes it. */
  copy: string;
}

/** A document that is about to be stored. */
interface Change<T> extends Open {
  next: T;
}

/** How long a change waits at most before it is stored, in milliseconds. */
const WAIT = 100;

export class Slot<T extends Kept> {
  private readonly page = newId();
  private changes = 0;
  private open = opened(newId());
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<unknown> = Promise.resolve();
  /** The latest changes that are not stored yet. */
  private readonly pending = new Map<Open, Change<T>>();
  /** The copies with which this page has continued, by the ids of the documents before. */
  private readonly copies = new Map<string, string>();
  /** What earlier pages have left and this page is about to store, by its place. */
  private readonly recovered = new Map<string, string>();
  /** The document as it was last stored. */
  last: T | undefined;

  constructor(
    private readonly store: Store,
    private readonly shelf: Shelf,
    /** The current document; undefined if there is nothing to store. */
    private readonly current: () => Omit<T, keyof Kept> | undefined,
    /** The document with this id continues as a copy under another id. */
    private readonly copied: (before: string) => void,
  ) {
    for (const event of ["beforeunload", "pagehide"]) window.addEventListener(event, () => this.leave());
    document.addEventListener("visibilitychange", () => void (document.visibilityState === "hidden" && this.leave()));
  }

  get id(): string {
    return this.open.id;
  }

  /** The document has changed. */
  changed(): void {
    this.timer ??= setTimeout(() => void this.flush(), WAIT);
  }

  /** Stores the latest change now. Later changes are not included. */
  flush(): Promise<unknown> {
    if (this.timer === undefined) return this.writing;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { open } = this;
    const current = this.current();
    if (!current) return this.writing;
    const next = { ...current, id: open.id, revision: `${this.page} ${++this.changes}`, time: Date.now() } as T;
    this.last = next;
    this.remember();
    this.pending.set(open, { ...open, next });
    this.writing = this.writing.then(() => this.write(open));
    return this.writing;
  }

  private async write(open: Open): Promise<void> {
    const change = this.pending.get(open);
    if (!change) return;
    const place = this.place(change);
    const done = () => {
      stored(() => localStorage.removeItem(place));
      if (this.pending.get(open) === change) this.pending.delete(open);
    };
    if (!(await this.put({ ...open, next: change.next }, open, done))) this.rescue(change);
  }

  /** The page may end before the store answers. */
  private leave(): void {
    void this.flush();
    for (const change of this.pending.values()) this.rescue(change);
  }

  /** Keeps a change in `localStorage`, which needs no waiting, and where other pages of the server leave theirs. */
  private rescue(change: Change<T>): void {
    stored(() => localStorage.setItem(this.place(change), JSON.stringify(change)));
  }

  private place({ next }: Change<T>): string {
    return `${this.key} ${next.id} ${pageOf(next)}`;
  }

  /** Stores what earlier pages have left. */
  async recover(): Promise<void> {
    const left = stored(() => Object.keys(localStorage).filter((place) => place.startsWith(`${this.key} `))) ?? [];
    for (const place of left) {
      const text = stored(() => localStorage.getItem(place)) ?? "";
      if (place.endsWith(` ${this.page}`) || this.recovered.get(place) === text) continue;
      this.recovered.set(place, text);
      const drop = () => stored(() => localStorage.getItem(place) === text && localStorage.removeItem(place));
      const change = stored(() => JSON.parse(text) as Change<T>);
      if (change?.next.id) await this.put({ ...opened(change.next.id, change.base), next: change.next }, undefined, drop);
      else drop();
    }
  }

  /** The key of the tab's document in the tab's own storage. */
  private get key(): string {
    return `astragal ${this.shelf}`;
  }

  /** Stores a document: as a copy if another page has changed it. Returns whether that is done; if not, the store tries again,
   * and `done` is called in the end. */
  private put({ next, id, base, copy }: Change<T>, open: Open | undefined, done: () => void): Promise<boolean> {
    const isOurs = (one: T) => one.revision === base || pageOf(one) === pageOf(next);
    const isOlder = (one: T) => pageOf(one) !== pageOf(next) || numberOf(one) < numberOf(next);
    const replace = (before: T | undefined) => (before === undefined || (isOurs(before) && isOlder(before)) ? { ...next, id } : before);
    return this.store.update<T>(this.shelf, id, replace, open, (after) => {
      if (after && pageOf(after) === pageOf(next)) return done();
      if (open?.id === id) this.move(open, copy);
      void this.store.update<T>(this.shelf, copy, () => ({ ...next, id: copy }), open, done);
    });
  }

  /** Continues a document under another id. */
  private move(open: Open, copy: string): void {
    const { id } = open;
    this.copies.set(id, copy);
    Object.assign(open, opened(copy));
    if (open === this.open) {
      if (this.last) this.last = { ...this.last, id: copy };
      this.remember();
    }
    this.copied(id);
  }

  /** The id under which this page has continued a document. */
  follow(id: string): string {
    return this.copies.get(id) ?? id;
  }

  /** Begins another document. Call it only after a flush. */
  next(): void {
    this.open = opened(newId());
    this.last = undefined;
  }

  /** Continues a stored document. */
  take(kept: T): void {
    const unstored = [...this.pending.keys()].find((one) => one.id === kept.id && pageOf(kept) === this.page);
    this.open = unstored ?? opened(kept.id, kept.revision);
    this.last = kept;
    this.remember();
  }

  /** Removes a document for good. */
  async remove(id: string): Promise<void> {
    for (const place of stored(() => Object.keys(localStorage)) ?? []) if (place.startsWith(`${this.key} ${id} `)) stored(() => localStorage.removeItem(place));
    await this.store.update(this.shelf, id, () => undefined);
  }

  /** The document of this tab, or the one that was changed last. */
  async found(): Promise<T | undefined> {
    await this.recover();
    const id = stored(() => sessionStorage.getItem(this.key));
    const own = typeof id === "string" && (await this.store.get<T>(this.shelf, id));
    return own || (await this.all())[0];
  }

  /** All documents, the newest first. */
  async all(): Promise<T[]> {
    return (await this.store.all<T>(this.shelf)).sort((a, b) => b.time - a.time);
  }

  /** Remembers the document in the tab. */
  private remember(): void {
    stored(() => sessionStorage.setItem(this.key, this.id));
  }
}

function opened(id: string, base = ""): Open {
  return { id, base, copy: newId() };
}

/** The page that has made a revision, and its number there. */
const pageOf = ({ revision }: Kept) => revision.split(" ")[0];
const numberOf = ({ revision }: Kept) => Number(revision.split(" ")[1] ?? 0);

/** A new id. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("-");
}
