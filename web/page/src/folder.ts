// The scripts and tests of the folder of `astragal studio`, if that program serves the page. On any other server, there is
// no folder.

import type { GameTest } from "./protocol";

/** A script of the folder. */
interface FolderScript {
  name: string;
  /** A text that differs whenever the file has changed. */
  changed: string;
}

/** Whether the page comes from the program, which puts a token of 32 digits into the URL. */
export function isLocal(): boolean {
  return /^\/[0-9a-f]{32}\//.test(location.pathname);
}

/** The response of the program about an item with this name; with a text, the item is written. Throws if the program
 * refuses. */
async function asked<T>(what: string, name: string, text?: string): Promise<T> {
  const answer = await fetch(`api/${what}?name=${encodeURIComponent(name)}`, text === undefined ? {} : { method: "PUT", body: text });
  const found = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(found.error ?? `${name}: the program rejected it`);
  return found;
}

/** The interval between checks for changed files, in milliseconds. */
const EVERY = 1500;

export class Folder {
  private constructor(readonly path: string, public scripts: FolderScript[]) {}

  /** The folder, if the page comes from the program. */
  static async find(): Promise<Folder | undefined> {
    if (!isLocal()) return undefined;
    try {
      const answer = await fetch("api/scripts");
      if (!answer.ok || !answer.headers.get("Content-Type")?.startsWith("application/json")) return undefined;
      const { folder, scripts } = (await answer.json()) as { folder: string; scripts: FolderScript[] };
      return new Folder(folder, scripts);
    } catch {
      return undefined;
    }
  }

  /** The text of a script; throws if it cannot be read. */
  async read(name: string): Promise<string> {
    return (await asked<{ text: string }>("script", name)).text;
  }

  /** Writes a script; throws if that is refused. */
  async write(name: string, text: string): Promise<void> {
    this.scripts = (await asked<{ scripts: FolderScript[] }>("script", name, text)).scripts;
  }

  /** The tests of a script; throws if they cannot be listed. */
  async tests(script: string): Promise<GameTest[]> {
    const { tests } = await asked<{ tests: GameTest[] }>("tests", script);
    return tests;
  }

  /** Writes a new test; throws if that is refused, for example if one with this name exists. */
  async addTest(name: string, text: string): Promise<void> {
    await asked("test", name, text);
  }

  /** Accepts the result of a test; throws if that is refused. */
  async acceptTest(name: string, outcome: string): Promise<void> {
    await asked("accepted", name, outcome);
  }

  /** Calls `changed` with the name of each script that was changed from outside. */
  watch(changed: (name: string) => void): void {
    setInterval(async () => {
      const now = await Folder.find();
      if (!now) return;
      const before = new Map(this.scripts.map((script) => [script.name, script.changed]));
      this.scripts = now.scripts;
      for (const script of now.scripts) {
        if (before.get(script.name) !== script.changed) changed(script.name);
      }
    }, EVERY);
  }
}
