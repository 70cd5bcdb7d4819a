// The browser's store: values that outlive the page, by shelf and key. Owns the database (IndexedDB). What the browser does
// not store lasts as long as the page, and the user is told once.

/** The parts of the store. */
export const SHELVES = ["games", "tests", "seats", "wizard"] as const;
export type Shelf = (typeof SHELVES)[number];

const NAME = "astragal";
const VERSION = 1;

/** How long the page waits for the database, in milliseconds: some browsers never answer. */
const PATIENCE = 5000;

export class Store {
  private opened: Promise<IDBDatabase> | undefined;
  /** Values that could not be stored, by shelf and key; undefined if they were to be removed. */
  private readonly unstored = new Map<Shelf, Map<string, unknown>>(SHELVES.map((shelf) => [shelf, new Map()]));
  private hasTold = false;

  constructor(
    /** Reports once that something could not be stored. */
    private readonly told: (problem: Error) => void,
  ) {}

  /** Whether everything is stored, so that nothing is lost when the page is left. */
  get isComplete(): boolean {
    return [...this.unstored.values()].every((values) => values.size === 0);
  }

  async get<T>(shelf: Shelf, key: string): Promise<T | undefined> {
    const unstored = this.unstored.get(shelf);
    if (unstored?.has(key)) return unstored.get(key) as T | undefined;
    return this.read(shelf, (values) => values.get(key)).catch((error: unknown) => this.fail(error)) as Promise<T | undefined>;
  }

  /** All values of a shelf. */
  async all<T>(shelf: Shelf): Promise<T[]> {
    const unstored = this.unstored.get(shelf) ?? new Map();
    const [keys, values] = await Promise.all([this.read(shelf, (values) => values.getAllKeys()), this.read(shelf, (values) => values.getAll())]).catch((error: unknown) => (this.fail(error), [[], []]));
    const found = new Map<string, unknown>(keys.map((key, index) => [String(key), values[index]]));
    for (const [key, value] of unstored) found.set(key, value);
    return [...found.values()].filter((value) => value !== undefined) as T[];
  }

  /** Replaces a value by a function of the value so far; undefined removes it. Nothing else writes it meanwhile, other tabs
   * included. */
  async update<T>(shelf: Shelf, key: string, change: (before: T | undefined) => T | undefined): Promise<void> {
    const unstored = this.unstored.get(shelf);
    let changed: { value: T | undefined } | undefined;
    try {
      const transaction = (await this.open()).transaction(shelf, "readwrite");
      const values = transaction.objectStore(shelf);
      const before = values.get(key);
      before.onsuccess = () => {
        const value = change((unstored?.has(key) ? unstored.get(key) : before.result) as T | undefined);
        changed = { value };
        if (value === undefined) values.delete(key);
        else values.put(value, key);
      };
      await new Promise<void>((done, failed) => {
        transaction.oncomplete = () => done();
        transaction.onabort = () => failed(transaction.error ?? new Error("the browser has stopped the transaction"));
      });
      unstored?.delete(key);
    } catch (error) {
      // What is stored stays the basis of the change, even if the change cannot be stored.
      const before = async () => (unstored?.has(key) ? unstored.get(key) : await this.read(shelf, (values) => values.get(key)).catch(() => undefined));
      unstored?.set(key, changed ? changed.value : change((await before()) as T | undefined));
      this.fail(error);
    }
  }

  private async read<T>(shelf: Shelf, ask: (values: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return result(ask((await this.open()).transaction(shelf).objectStore(shelf)));
  }

  private open(): Promise<IDBDatabase> {
    this.opened ??= this.connect();
    return this.opened;
  }

  private async connect(): Promise<IDBDatabase> {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const shelf of SHELVES) request.result.createObjectStore(shelf);
    };
    const late = new Promise<never>((_, failed) => setTimeout(() => failed(new Error("the database does not open")), PATIENCE));
    const database = await Promise.race([result(request), late]);
    const again = () => {
      database.close();
      this.opened = undefined;
    };
    // Another tab has a newer page, or the user has deleted the data.
    database.onversionchange = again;
    database.onclose = again;
    return database;
  }

  private fail(error: unknown): undefined {
    if (this.hasTold) return;
    this.hasTold = true;
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    const why = isFull ? "The browser's storage is full" : "This browser does not let the studio store anything";
    this.told(new Error(`${why}. New games and scripts last only until you close this page: use Save to keep them.`));
  }
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}
