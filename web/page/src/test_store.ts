// Where the tests of a script are kept: in the browser, or as files next to the script if `astragal studio` serves the
// page. It plays no tests.

import type { Folder } from "./folder";
import type { GameTest } from "./protocol";
import type { Store } from "./store";
import { OWN } from "./table";

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
  constructor(private readonly store: Store, readonly script: string, private readonly title: string) {}

  /** Keeps tests of the script also under the title that it has now. */
  async include(tests: GameTest[]): Promise<void> {
    await this.change((before) => [...before, ...tests.filter((one) => !before.some(({ name }) => name === one.name))]);
  }

  async list(): Promise<GameTest[]> {
    const former = formerTests(this.title);
    if (former) {
      await this.include(former);
      if (this.store.isComplete) localStorage.removeItem(formerPlace(this.title));
    }
    return (await this.store.get<GameTest[]>("tests", this.title)) ?? [];
  }

  async add(test: GameTest): Promise<void> {
    await this.change((before) => [...before.filter((one) => one.name !== test.name), test]);
  }

  async accept(test: GameTest, outcome: string): Promise<void> {
    await this.change((before) => before.map((one) => (one.name === test.name ? { ...one, accepted: outcome } : one)));
  }

  async remove(test: GameTest): Promise<void> {
    await this.change((before) => before.filter((one) => one.name !== test.name));
  }

  private async change(next: (before: GameTest[]) => GameTest[]): Promise<void> {
    await this.store.update<GameTest[]>("tests", this.title, (before = []) => {
      const after = next(before);
      return after.length > 0 ? after : undefined;
    });
  }
}

/** Where earlier versions of the page kept tests. */
const formerPlace = (title: string) => `tests of ${title}`;

/** The tests that an earlier version of the page has left. */
function formerTests(title: string): GameTest[] | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(formerPlace(title)) ?? "[]");
    const isTest = (one: unknown): one is GameTest =>
      typeof one === "object" && one !== null && ["name", "text", "accepted"].every((key) => typeof (one as Record<string, unknown>)[key] === "string");
    const tests = Array.isArray(found) ? found.filter(isTest) : [];
    return tests.length > 0 ? tests : undefined;
  } catch {
    // The browser allows no access, or the text is not ours.
    return undefined;
  }
}

/** Tests next to a script of the folder, where `astragal test` finds them. The page never removes a file. */
export class FolderTests implements TestStore {
  constructor(private readonly folder: Folder, readonly script: string) {}

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
