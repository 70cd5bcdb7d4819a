// A document that this tab changes: stored shortly after each change, and at once when the page is hidden. If another tab
// has changed the same document, this tab continues with a copy under a new id.

import type { Shelf, Store } from "./store";

/** What every stored document has. */
export interface Kept {
  id: string;
  /** Differs after each change. */
  revision: string;
  /** When it was last changed, in milliseconds since 1970. */
  time: number;
}

/** How long a change waits at most before it is stored, in milliseconds. */
const WAIT = 100;

export class Slot<T extends Kept> {
  id = newId();
  private revision = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<void> = Promise.resolve();
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
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") void this.flush();
    });
    // When the page is hidden for good, it is too late to read what other tabs have stored.
    for (const event of ["beforeunload", "pagehide"]) window.addEventListener(event, () => void this.flush());
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
    if (current) this.writing = this.writing.then(() => this.write(current));
    return this.writing;
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
    const id = stored(() => sessionStorage.getItem(this.shelf));
    const own = typeof id === "string" && (await this.store.get<T>(this.shelf, id));
    return own || (await this.all())[0];
  }

  /** All documents, the newest first. */
  async all(): Promise<T[]> {
    return (await this.store.all<T>(this.shelf)).sort((a, b) => b.time - a.time);
  }

  /** Remembers the document in the tab. */
  private remember(): void {
    stored(() => sessionStorage.setItem(this.shelf, this.id));
  }

  private async write(current: Omit<T, keyof Kept>): Promise<void> {
    const { id, revision } = this;
    const next = { ...current, id, revision: newId(), time: Date.now() } as T;
    this.revision = next.revision;
    this.last = next;
    let isTaken = false;
    await this.store.update<T>(this.shelf, id, (before) => {
      isTaken = before !== undefined && before.revision !== revision;
      return isTaken ? before : next;
    });
    if (!isTaken) return;
    this.next();
    this.copied(this.id);
    await this.write(current);
  }
}

/** A new id. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("-");
}

/** The result of an access to the tab's own storage, which the browser may refuse. */
function stored<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
