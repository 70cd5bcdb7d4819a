// A document that this tab changes: stored shortly after each change. What is not stored when the page ends is left in
// another place that needs no waiting, and stored by the next page. If another tab has changed the same document, this tab
// continues with a copy under a new id.

import type { Shelf, Store } from "./store";

/** What every stored document has. */
export interface Kept {
  id: string;
  /** Differs after each change. */
  revision: string;
  /** When it was last changed, in milliseconds since 1970. */
  time: number;
}

/** A document that is being stored, and the revision that it replaces. */
interface Change<T> {
  next: T;
  base: string;
}

/** How long a change waits at most before it is stored, in milliseconds. */
const WAIT = 100;

export class Slot<T extends Kept> {
  id = newId();
  private revision = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** The latest change that is not stored yet. */
  private pending: Change<T> | undefined;
  /** The document as it was last stored. */
  last: T | undefined;

  constructor(
    private readonly store: Store,
    private readonly shelf: Shelf,
    /** The current document; undefined if there is nothing to store. */
    private readonly current: () => Omit<T, keyof Kept> | undefined,
    /** The document continues as a copy under another id. */
    private readonly copied: (id: string) => void,
  ) {
    for (const event of ["beforeunload", "pagehide"]) window.addEventListener(event, () => this.leave());
    document.addEventListener("visibilitychange", () => void (document.visibilityState === "hidden" && this.leave()));
  }

  /** The document has changed. */
  changed(): void {
    this.timer ??= setTimeout(() => void this.flush(), WAIT);
  }

  /** Stores the latest change now. */
  flush(): Promise<void> {
    if (this.timer === undefined) return this.writing;
    clearTimeout(this.timer);
    this.timer = undefined;
    const current = this.current();
    if (!current) return this.writing;
    const next = { ...current, id: this.id, revision: newId(), time: Date.now() } as T;
    const change: Change<T> = { next, base: this.revision };
    this.revision = next.revision;
    this.last = next;
    this.pending = change;
    this.writing = this.writing.then(() => this.write(change));
    return this.writing;
  }

  /** The page may end before the store answers. */
  private leave(): void {
    void this.flush();
    const { pending } = this;
    if (pending) stored(() => localStorage.setItem(this.place, JSON.stringify(pending)));
  }

  /** Stores what an earlier page has left. */
  async recover(): Promise<void> {
    const left = stored(() => Object.keys(localStorage).filter((place) => place.startsWith(`${this.key} `))) ?? [];
    for (const place of left) {
      const change = stored(() => JSON.parse(localStorage.getItem(place) ?? "") as Change<T>);
      if (change?.next.id) await this.put(change, change.next.id, newId());
      stored(() => localStorage.removeItem(place));
    }
  }

  /** The key of this document where it needs no waiting. */
  private get place(): string {
    return `${this.key} ${this.id}`;
  }

  /** The key of the tab's document in the tab's own storage. Other pages of the server may share it. */
  private get key(): string {
    return `astragal ${this.shelf}`;
  }

  private async write(change: Change<T>): Promise<void> {
    const { id, place } = this;
    this.id = await this.put(change, id, newId());
    if (this.pending === change) this.pending = undefined;
    stored(() => localStorage.removeItem(place));
    if (this.id === id) return;
    this.remember();
    this.copied(this.id);
  }

  /** Stores a change: under `other` if the document has changed elsewhere. Returns its id. */
  private async put({ next, base }: Change<T>, id: string, other: string): Promise<string> {
    let isTaken = false;
    await this.store.update<T>(this.shelf, id, (before) => {
      isTaken = before !== undefined && before.revision !== base && before.revision !== next.revision;
      return isTaken ? before : { ...next, id };
    });
    if (isTaken) await this.store.update<T>(this.shelf, other, () => ({ ...next, id: other }));
    return isTaken ? other : id;
  }

  /** Begins another document. Call it only after a flush. */
  next(): void {
    this.id = newId();
    this.revision = "";
    this.last = undefined;
    this.remember();
  }

  /** Continues a stored document. */
  take(kept: T): void {
    this.id = kept.id;
    this.revision = kept.revision;
    this.last = kept;
    this.remember();
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

/** A new id. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("-");
}

/** The result of an access to storage that the browser may refuse; undefined if it does. */
function stored<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
