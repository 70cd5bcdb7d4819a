// Where the tests of a script are kept: by the browser, or as files beside the script where the page comes from `astragal studio`.
// It plays none.

import type { Folder } from "./folder";
import { OWN } from "./table";

/** A game as a test. */
export interface GameTest {
  name: string;
  /** The `.game` file. */
  text: string;
  /** What it came to when somebody said that this is right; empty if nobody has. */
  accepted: string;
  /** Why its file cannot be read. */
  error?: string;
}

/** A place for the tests of a script. What cannot be done is thrown. */
export interface TestStore {
  /** What the script is called in tests that are kept here. */
  readonly script: string;
  list(): Promise<GameTest[]>;
  /** Keeps a new test. */
  add(test: GameTest): Promise<void>;
  /** Keeps what a test comes to as right. */
  accept(test: GameTest, outcome: string): Promise<void>;
  /** Forgets a test, where that is the page's to do. */
  remove?(test: GameTest): Promise<void>;
}

/** Tests that the browser keeps, by the script's title. */
export class BrowserTests implements TestStore {
  private tests: GameTest[] = [];

  constructor(
    readonly script: string,
    private readonly title: string,
    /** Those at hand, if the same script had another title before. */
    before?: GameTest[],
  ) {
    if (before) {
      this.tests = before;
      this.keep();
    } else this.tests = kept(this.place);
  }

  private get place(): string {
    return `tests of ${this.title}`;
  }

  async list(): Promise<GameTest[]> {
    return [...this.tests];
  }

  async add(test: GameTest): Promise<void> {
    this.tests = [...this.tests.filter((one) => one.name !== test.name), test];
    this.keep();
  }

  async accept(test: GameTest, outcome: string): Promise<void> {
    this.tests = this.tests.map((one) => (one.name === test.name ? { ...one, accepted: outcome } : one));
    this.keep();
  }

  async remove(test: GameTest): Promise<void> {
    this.tests = this.tests.filter((one) => one.name !== test.name);
    this.keep();
  }

  private keep(): void {
    try {
      localStorage.setItem(this.place, JSON.stringify(this.tests));
    } catch {
      // Nothing is kept here: they stay as long as the page does, and can be saved as files.
    }
  }
}

function kept(place: string): GameTest[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    const isTest = (one: unknown): one is GameTest =>
      typeof one === "object" && one !== null && ["name", "text", "accepted"].every((key) => typeof (one as Record<string, unknown>)[key] === "string");
    return Array.isArray(found) ? found.filter(isTest) : [];
  } catch {
    // Nothing is kept here, or something that is none of ours.
    return [];
  }
}

/** Tests beside a script of the folder, where `astragal test` finds them. The page never takes a file away. */
export class FolderTests implements TestStore {
  constructor(
    private readonly folder: Folder,
    readonly script: string,
  ) {}

  list(): Promise<GameTest[]> {
    return this.folder.tests(this.script);
  }

  async add(test: GameTest): Promise<void> {
    // Made before the script had a name of its own.
    const named = (text: string) => text.replaceAll(OWN, this.script);
    const name = await this.free(test.name);
    await this.folder.addTest(name, named(test.text));
    if (test.accepted) await this.folder.acceptTest(name, named(test.accepted));
  }

  accept(test: GameTest, outcome: string): Promise<void> {
    return this.folder.acceptTest(test.name, outcome);
  }

  /** The name of a new file for a test that people call so. */
  private async free(title: string): Promise<string> {
    const words = title.replace(/\.game$/, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["game"];
    const stem = words.join("-").slice(0, 60);
    const taken = new Set((await this.list()).map((test) => test.name));
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}.game`;
      if (!taken.has(name)) return name;
    }
  }
}
