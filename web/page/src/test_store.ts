// Where the tests of a script are kept: in the browser, or as files next to the script if `astragal studio` serves the
// page. It plays no tests.

import type { Folder } from "./folder";
import { OWN } from "./table";

/** A game as a test. */
export interface GameTest {
  name: string;
  /** The text of the `.game` file. */
  text: string;
  /** The accepted result; empty if none has been accepted. */
  accepted: string;
  /** Why its file cannot be read. */
  error?: string;
}

/** A store for the tests of a script. Methods throw if they fail. */
export interface TestStore {
  /** The script's name in tests of this store. */
  readonly script: string;
  list(): Promise<GameTest[]>;
  /** Adds a test. */
  add(test: GameTest): Promise<void>;
  /** Accepts the result of a test. */
  accept(test: GameTest, outcome: string): Promise<void>;
  /** Removes a test, if the page is allowed to. */
  remove?(test: GameTest): Promise<void>;
}

/** Tests that the browser keeps, by the script's title. */
export class BrowserTests implements TestStore {
  private tests: GameTest[] = [];

  constructor(
    readonly script: string,
    private readonly title: string,
    /** The current tests, if the same script had another title before. */
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
      // The browser stores nothing: the tests last as long as the page, and can be saved as files.
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
    // There is no stored text, or it is not ours.
    return [];
  }
}

/** Tests next to a script of the folder, where `astragal test` finds them. The page never removes a file. */
export class FolderTests implements TestStore {
  constructor(
    private readonly folder: Folder,
    readonly script: string,
  ) {}

  list(): Promise<GameTest[]> {
    return this.folder.tests(this.script);
  }

  async add(test: GameTest): Promise<void> {
    // The test was made before the script had its own name.
    const named = (text: string) => text.replaceAll(OWN, this.script);
    const name = await this.free(test.name);
    await this.folder.addTest(name, named(test.text));
    if (test.accepted) await this.folder.acceptTest(name, named(test.accepted));
  }

  accept(test: GameTest, outcome: string): Promise<void> {
    return this.folder.acceptTest(test.name, outcome);
  }

  /** An unused file name for a test with this title. */
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
