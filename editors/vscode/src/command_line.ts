// Command lines of `astragal` for a terminal. No VS Code here.
//
// Invariant: whatever characters the name of a file has, the shell passes it on as one argument.

import { posix, win32 } from "node:path";

/** What the user can ask of a script. */
export type Action = "play" | "test" | "accept" | "odds";

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
  if (/[\0-\x1f\x7f]/.test(text)) throw new Error("the name of the file contains a control character");
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
      if (/["%]/.test(text)) throw new Error('cmd.exe cannot pass on the characters " and %');
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

/**
 * The arguments of `astragal` for an action. Without a file, the tests of the whole folder run. A code lens passes
 * `detail`: the line, which no command needs, or the text of a roll.
 */
export function argumentsFor(action: Action, file: string | undefined, detail?: unknown): string[] {
  // What begins with a hyphen would be an option.
  const files = file === undefined ? [] : [file.startsWith("-") ? `./${file}` : file];
  switch (action) {
    case "play":
      return ["play", ...files];
    case "test":
      return ["test", ...files];
    case "accept":
      return ["test", ...files, "--accept"];
    case "odds": {
      const faces = facesOf(detail);
      return ["odds", ...files, ...(faces === undefined ? [] : ["--roll", faces])];
    }
  }
}

/** The faces that a text gives, as `2,3`. Dice such as `2d6` are no faces: then the odds are those of the roll. */
function facesOf(detail: unknown): string | undefined {
  const text = typeof detail === "string" ? detail.trim() : "";
  return /^-?\d+(?:[\s,]+-?\d+)*$/.test(text) ? text.split(/[\s,]+/).join(",") : undefined;
}

/** Where to run a command about a file, and the file as seen from there. */
export interface Place {
  folder: string;
  file: string;
}

/** The workspace folder that contains a file, innermost first, or else the folder that the file is in. */
export function placeOf(file: string, workspace: readonly string[], platform: string): Place {
  const { dirname, isAbsolute, relative, sep } = platform === "win32" ? win32 : posix;
  const inside = (folder: string) => {
    const path = relative(folder, file);
    return path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  };
  const around = workspace.filter(inside).sort((a, b) => b.length - a.length);
  const folder = around[0] ?? dirname(file);
  return { folder, file: relative(folder, file) };
}
