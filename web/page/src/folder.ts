// The scripts of the folder that `astragal studio` was opened for, where the page comes from that program. On any other server
// there is no folder.

/** A script of the folder. */
export interface FolderScript {
  name: string;
  /** Another text whenever the file has changed. */
  changed: string;
}

/** Whether the page comes from the program, which puts a token of 32 digits into the address. */
export function isLocal(): boolean {
  return /^\/[0-9a-f]{32}\//.test(location.pathname);
}

/** So often it is looked whether a file has changed. */
const EVERY = 1500;

export class Folder {
  private constructor(
    readonly path: string,
    public scripts: FolderScript[],
  ) {}

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
    const answer = await fetch(`api/script?name=${encodeURIComponent(name)}`);
    const { text, error } = (await answer.json()) as { text?: string; error?: string };
    if (text === undefined) throw new Error(error ?? `${name} cannot be read`);
    return text;
  }

  /** Writes a script; throws if that is refused. */
  async write(name: string, text: string): Promise<void> {
    const answer = await fetch(`api/script?name=${encodeURIComponent(name)}`, { method: "PUT", body: text });
    const { scripts, error } = (await answer.json()) as { scripts?: FolderScript[]; error?: string };
    if (!scripts) throw new Error(error ?? `${name} cannot be written`);
    this.scripts = scripts;
  }

  /** Calls `changed` with the name of each script that somebody else has changed. */
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
