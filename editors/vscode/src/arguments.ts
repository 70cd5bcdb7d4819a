// Reads the arguments that the server's code lenses and quick fixes pass to commands. No VS Code here.

import { win32 } from "node:path";
import type { Action } from "./command_line";

/** A file: the server names it by its URI or by its absolute path. */
export type Target = { uri: string } | { path: string };

/**
 * The files that a command is about. The server passes only texts:
 *
 * | action | arguments |
 * | --- | --- |
 * | `play` | the script |
 * | `test` | the script or the `.game` file |
 * | `accept` | one or more `.game` files |
 * | `odds` | the script; the line from 1 and the dice of the call, such as `2d6`, may follow, but change nothing |
 *
 * `odds` shows the first roll of the game, whatever call the lens belongs to.
 *
 * @throws if the arguments differ from these.
 */
export function targetsOf(action: Action, args: readonly unknown[]): Target[] {
  const [file, ...rest] = args.map((value) => (typeof value === "string" && value !== "" ? value : fail(action)));
  if (file === undefined) return fail(action);
  switch (action) {
    case "play":
    case "test":
      if (rest.length > 0) fail(action);
      return [targetOf(file, action)];
    case "accept":
      return [file, ...rest].map((file) => targetOf(file, action));
    case "odds":
      if (rest.length > 2 || (rest[0] !== undefined && !/^[1-9]\d*$/.test(rest[0]))) fail(action);
      return [targetOf(file, action)];
  }
}

function targetOf(text: string, action: Action): Target {
  // A path on Windows begins like a URI whose scheme has one letter.
  if (/^[a-z][a-z\d+.-]+:/i.test(text)) return { uri: text };
  // This accepts absolute paths of all systems.
  if (win32.isAbsolute(text)) return { path: text };
  return fail(action);
}

function fail(action: Action): never {
  const what = `The command 'astragal.${action}' got unexpected arguments.`;
  throw new Error(`${what} Install the same version of Astragal and of its extension.`);
}
