// The browser's store: values that outlive the page, by shelf and key. Owns the database (IndexedDB). What the browser does
// not store lasts as long as the page and is tried again; the user is told. It does not know what the values are.

/** The parts of the store. */
const SHELVES = ["games", "tests", "seats", "wizard", "mail", "players"] as const;
export type Shelf = (typeof SHELVES)[number];

/** The value after a change; undefined removes it. A change that is made twice must have the effect of one. */
export type Next<T> = (before: T | undefined) => T | undefined;

/** A change that is not stored yet. */
interface Change {
  next: Next<unknown>;
  /** Replaces an earlier change of the same owner. */
  owner: object | undefined;
  /** It is stored, with this value. */
  stored: (after: unknown) => void;
  hasFailed: boolean;
}

const NAME = "astragal";
const VERSION = 3;

/** How long the page waits for the database, in milliseconds: some browsers never answer. */
const PATIENCE = 5000;

/** The pause before a change that could not be stored is tried again, in milliseconds. */
const AGAIN = 30_000;

export class Store {
  private opened: Promise<IDBDatabase> | undefined;
  /** Changes that are not stored yet, by shelf and key. */
  private readonly changes = new Map<Shelf, Map<string, Change[]>>(SHELVES.map((shelf) => [shelf, new Map()]));
  /** One transaction after the other, so that no change is made twice. */
  private writing: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasTold = false;

  constructor(
    /** Reports that something could not be stored, or that everything is stored after all. */
    private readonly told: (problem: Error | undefined) => void,
  ) {
    for (const event of ["pagehide", "visibilitychange"]) window.addEventListener(event, () => void this.retry());
  }

  /** Whether nothing that could not be stored is lost when the page is left. */
  get isComplete(): boolean {
    return this.failed().length === 0;
  }

  async get<T>(shelf: Shelf, key: string): Promise<T | undefined> {
    const before = await this.read(shelf, (values, done) => (values.get(key).onsuccess = ({ target }) => done((target as IDBRequest).result)));
    return after(before, this.of(shelf, key)).at(-1) as T | undefined;
  }

  /** All values of a shelf. */
  async all<T>(shelf: Shelf): Promise<T[]> {
    const found = new Map<string, unknown>();
    await this.read(shelf, (values, done) => {
      values.openCursor().onsuccess = ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
        if (!cursor) return done(undefined);
        found.set(String(cursor.key), cursor.value);
        cursor.continue();
      };
    });
    for (const [key, changes] of this.changes.get(shelf) ?? []) found.set(key, after(found.get(key), changes).at(-1));
    return [...found.values()].filter((value) => value !== undefined) as T[];
  }

  /** Changes a value. Nothing else writes it meanwhile, other tabs included. Returns whether it is stored; if not, it is tried
   * again. `stored` is called when it is stored at last. */
  async update<T>(shelf: Shelf, key: string, next: Next<T>, owner?: object, stored: (after: T | undefined) => void = () => {}): Promise<boolean> {
    const changes = this.of(shelf, key);
    const replaced = owner && changes.at(-1)?.owner === owner ? changes.pop() : undefined;
    changes.push({ next: next as Next<unknown>, owner, stored: stored as Change["stored"], hasFailed: replaced?.hasFailed ?? false });
    this.changes.get(shelf)?.set(key, changes);
    const isStored = await this.write(shelf, key);
    if (isStored) void this.retry();
    return isStored;
  }

  /** Tries again to store what could not be stored. */
  private async retry(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [shelf, key] of this.failed()) if (!(await this.write(shelf, key))) return;
  }

  private write(shelf: Shelf, key: string): Promise<boolean> {
    const done = this.writing.then(() => this.commit(shelf, key));
    this.writing = done.catch(() => {});
    return done;
  }

  private async commit(shelf: Shelf, key: string): Promise<boolean> {
    const changes = [...this.of(shelf, key)];
    let results: unknown[] = [];
    if (changes.length === 0) return true;
    try {
      const transaction = (await this.open()).transaction(shelf, "readwrite");
      const values = transaction.objectStore(shelf);
      const before = values.get(key);
      before.onsuccess = () => {
        results = after(before.result, changes);
        const value = results.at(-1);
        if (value === undefined) values.delete(key);
        else values.put(value, key);
      };
      await new Promise<void>((done, failed) => {
        transaction.oncomplete = () => done();
        transaction.onabort = () => failed(transaction.error ?? new Error("the browser has stopped the transaction"));
      });
    } catch (error) {
      for (const change of changes) change.hasFailed = true;
      this.fail(error);
      return false;
    }
    const left = this.of(shelf, key).filter((change) => !changes.includes(change));
    if (left.length > 0) this.changes.get(shelf)?.set(key, left);
    else this.changes.get(shelf)?.delete(key);
    changes.forEach((change, index) => change.stored(results[index + 1]));
    if (this.hasTold && this.isComplete) {
      this.hasTold = false;
      this.told(undefined);
    }
    return true;
  }

  private of(shelf: Shelf, key: string): Change[] {
    return this.changes.get(shelf)?.get(key) ?? [];
  }

  /** Where changes could not be stored. */
  private failed(): [Shelf, string][] {
    const isFailed = ([, changes]: [string, Change[]]) => changes.some((one) => one.hasFailed);
    return [...this.changes].flatMap(([shelf, keys]) => [...keys].filter(isFailed).map(([key]): [Shelf, string] => [shelf, key]));
  }

  /** Reads in one transaction; undefined if the browser does not let it. */
  private async read<T>(shelf: Shelf, ask: (values: IDBObjectStore, done: (found: T) => void) => void): Promise<T | undefined> {
    try {
      const transaction = (await this.open()).transaction(shelf);
      return await new Promise<T>((done, failed) => {
        transaction.onabort = () => failed(transaction.error);
        ask(transaction.objectStore(shelf), done);
      });
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= this.connect();
    return this.opened;
  }

  private connect(): Promise<IDBDatabase> {
    const opened = new Promise<IDBDatabase>((done, failed) => {
      const request = indexedDB.open(NAME, VERSION);
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
      request.onupgradeneeded = () => {
        for (const shelf of SHELVES) if (!request.result.objectStoreNames.contains(shelf)) request.result.createObjectStore(shelf);
      };
    });
    const forget = () => (this.opened = undefined);
    const keep = (database: IDBDatabase) => {
      // Another tab has a newer page, or the user has deleted the data.
      database.onversionchange = database.onclose = () => {
        database.close();
        forget();
      };
      this.opened = opened;
    };
    // An answer that comes too late is used from then on, and what has failed is tried again.
    opened.then(keep, forget);
    return Promise.race([opened, new Promise<never>((_, failed) => setTimeout(() => failed(new Error("the database cannot be opened")), PATIENCE))]);
  }

  private fail(error: unknown): void {
    this.timer ??= setTimeout(() => void this.retry(), AGAIN);
    if (this.hasTold) return;
    this.hasTold = true;
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    const why = isFull ? "The browser's storage is full" : "This browser does not let the studio store anything";
    this.told(new Error(`${why}. New games and scripts last only until you close this page: save what you need as files with Share.`));
  }
}

/** A value, and what it is after each of these changes. */
function after(value: unknown, changes: Change[]): unknown[] {
  const values = [value];
  for (const { next } of changes) values.push(next(values.at(-1)));
  return values;
}
