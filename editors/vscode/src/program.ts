// Finds the program `astragal`. No VS Code here: the caller describes the machine.

import { posix, win32 } from "node:path";

/** What the search needs to know about the machine. */
export interface System {
  /** As `process.platform`. */
  platform: string;
  env: Record<string, string | undefined>;
  /** The user's home folder. */
  home: string;
  /** Whether a path is a file that can be run. */
  isProgram(path: string): boolean;
}

/** A program that was found. */
export interface Program {
  /** Absolute. */
  path: string;
  /** What to type in a terminal: the name, where the shell finds it, else the path. */
  word: string;
}

const NAME = "astragal";

/**
 * The program that the setting `astragal.path` names. A name is searched in PATH, then where `cargo install` puts
 * programs. A relative path begins at `folder`. Relative entries of PATH are skipped: a program in the opened folder
 * never starts because of its name alone.
 */
export function findProgram(setting: string, folder: string | undefined, system: System): Program | undefined {
  const { join, isAbsolute, resolve, delimiter } = system.platform === "win32" ? win32 : posix;
  const wanted = expand(setting.trim(), folder, system) || NAME;
  if (/[/\\]/.test(wanted)) {
    if (!isAbsolute(wanted) && folder === undefined) return undefined;
    const path = withEnding(resolve(folder ?? "", wanted), system);
    return path === undefined ? undefined : { path, word: path };
  }
  for (const entry of (variable("PATH", system) ?? "").split(delimiter)) {
    const path = isAbsolute(entry) ? withEnding(join(entry, wanted), system) : undefined;
    if (path !== undefined) return { path, word: wanted };
  }
  const cargo = variable("CARGO_HOME", system) ?? join(system.home, ".cargo");
  const path = isAbsolute(cargo) ? withEnding(join(cargo, "bin", wanted), system) : undefined;
  return path === undefined ? undefined : { path, word: path };
}

/** The path of a program with the ending that it has on this system. */
function withEnding(path: string, system: System): string | undefined {
  // Windows starts scripts (.cmd, .bat) through a shell only, and a language server needs none.
  const endings = system.platform === "win32" && !/\.exe$/i.test(path) ? [".exe"] : [""];
  return endings.map((ending) => path + ending).find((path) => system.isProgram(path));
}

/** Replaces `~` and the variables that VS Code's own settings have. */
function expand(text: string, folder: string | undefined, system: System): string {
  return text
    .replace(/^~(?=$|[/\\])/, () => system.home)
    .replace(/\$\{userHome\}/g, () => system.home)
    .replace(/\$\{workspaceFolder\}/g, (whole) => folder ?? whole)
    .replace(/\$\{env:([^}]+)\}/g, (_, name: string) => variable(name, system) ?? "");
}

/** A variable of the environment; Windows ignores the case of its name. */
function variable(name: string, system: System): string | undefined {
  if (system.platform !== "win32") return system.env[name];
  const key = Object.keys(system.env).find((key) => key.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : system.env[key];
}
