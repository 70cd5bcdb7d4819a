// The commands that run `astragal`: from code lenses, menus, and the Command Palette.

import * as vscode from "vscode";
import { targetsOf } from "./arguments";
import type { Action } from "./command_line";
import { GAME, SCRIPT } from "./documents";
import { run } from "./terminal";

/** Carries out a command. If it cannot run, a message explains why. */
export function perform(action: Action, args: readonly unknown[]): Promise<void> {
  return reporting(() => run(action, targetsIn(action, args)));
}

/** Does some work. If it fails, a message shows the error. */
export async function reporting(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

/** The document in the active editor, if it is in one of these languages. */
export function active(...languages: string[]): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && languages.includes(document.languageId) ? document.uri : undefined;
}

/** The documents that a command is about. Without arguments, it is about the active editor. */
function targetsIn(action: Action, args: readonly unknown[]): vscode.Uri[] {
  const [first, selected] = args;
  const isTest = action === "test" || action === "accept";
  // A menu passes the file, and the Explorer also passes all selected files.
  if (first instanceof vscode.Uri) {
    const all = Array.isArray(selected) ? selected.filter((one) => one instanceof vscode.Uri) : [];
    return isTest && all.length > 0 ? all : [first];
  }
  if (first === undefined) {
    const uri = isTest ? active(SCRIPT, GAME) : active(SCRIPT);
    if (uri === undefined && !isTest) throw new Error("Open a script (.rhai) first.");
    return uri === undefined ? [] : [uri];
  }
  const targets = targetsOf(action, args);
  return targets.map((one) => ("uri" in one ? vscode.Uri.parse(one.uri, true) : vscode.Uri.file(one.path)));
}
