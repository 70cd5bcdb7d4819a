// Command lines of `astragal` for a terminal. No VS Code here.
//
// Invariant: whatever characters the name of a file has, the shell passes it on as one argument.

import { posix, win32 } from "node:path";

/** What the user can do with scripts and tests. Each action is a command, such as `astragal.play`. */
export const ACTIONS = ["play", "test", "accept", "odds"] as const;
export type Action = (typeof ACTIONS)[number];

/** Shells by their rules of quoting. */
export type Shell = "posix" | "fish" | "nu" | "powershell" | "cmd";

/** The shell at a path, as `/usr/bin/fish` or `C:\...\pwsh.exe`. */
export function shellOf(path: string, platform: string): Shell {
  const name = (/[^/\\]*$/.exec(path)?.[0] ?? "").toLowerCase().replace(/\.exe$/, "");
  if (name === "fish" || name === "nu") return name;
  if (name === "cmd") return "cmd";
  if (name === "pwsh" || name === "powershell" || name === "pwsh-preview") return "powershell";
  return name === "" && platform === "win32" ? "powershell" : "posix";
}

/** An argument as a shell has to read it. */
function quoted(text: string, shell: Shell): string {
  // A line break would end the command, and begin another one.
  if (/[\0-\x1f\x7f]/.test(text)) throw new Error("The name of the file contains a control character. Rename the file.");
  switch (shell) {
    case "posix":
      return /^[\w+./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    case "fish":
      return /^[\w+./@:-]+$/.test(text) ? text : `'${text.replace(/[\\']/g, "\\$&")}'`;
    case "nu":
      return /^[\w./-]*[A-Za-z][\w./-]*$/.test(text) ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`;
    case "powershell":
      // PowerShell takes typographic quotes for quotes.
      return /^[\w./\\:-]+$/.test(text) ? text : `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
    case "cmd":
      // Inside quotes too, cmd.exe replaces %NAME% by a variable.
      if (/["%]/.test(text)) throw new Error('cmd.exe cannot pass on " and %. Rename the file, or use another shell.');
      return /^[\w./\\:-]+$/.test(text) ? text : `"${text}"`;
  }
}

/**
 * A command as a line for a shell.
 *
 * @throws if the shell cannot express an argument.
 */
export function commandLine(words: readonly string[], shell: Shell): string {
  const [program = "", ...rest] = words.map((word) => quoted(word, shell));
  const calls = { posix: "", fish: "", nu: "^", powershell: "& ", cmd: "" }[shell];
  const isPlain = program === words[0];
  return [(isPlain ? "" : calls) + program, ...rest].join(" ");
}

/** The arguments of `astragal` for an action. Without files, the tests of the whole folder run. */
export function argumentsFor(action: Action, files: readonly string[]): string[] {
  // What begins with a hyphen would be an option.
  const paths = files.map((file) => (file.startsWith("-") ? `./${file}` : file));
  switch (action) {
    case "play":
    case "test":
    case "odds":
      return [action, ...paths];
    case "accept":
      return ["test", ...paths, "--accept"];
  }
}

/** Where to run a command about files, and the files as seen from there. */
export interface Place {
  folder: string;
  files: string[];
}

/**
 * The workspace folder that contains the files, innermost first, or else the folder of the first one. At least one file
 * is required.
 */
export function placeOf(files: readonly string[], workspace: readonly string[], platform: string): Place {
  const { dirname, isAbsolute, relative, sep } = platform === "win32" ? win32 : posix;
  const isInside = (folder: string, file: string) => {
    const path = relative(folder, file);
    return path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  };
  const around = workspace.filter((folder) => files.every((file) => isInside(folder, file)));
  const folder = around.sort((a, b) => b.length - a.length)[0] ?? dirname(files[0] ?? "");
  return { folder, files: files.map((file) => relative(folder, file)) };
}
