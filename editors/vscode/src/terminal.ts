// Runs `astragal` in terminals.

import * as vscode from "vscode";
import { program, reportMissing } from "./client";
import { type Action, argumentsFor, commandLine, placeOf, shellOf } from "./command_line";

/** The terminal for all commands but `play`. A game has its own terminal: it would read the next command as a move. */
let shared: { terminal: vscode.Terminal; folder: string } | undefined;

/** Runs an action on a script or test, or without one on the first workspace folder. */
export async function run(action: Action, uri: vscode.Uri | undefined, detail?: unknown): Promise<void> {
  const found = program();
  if (found === undefined) return reportMissing();
  if (uri !== undefined && !(await saved(uri))) return;
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const place =
    uri === undefined ? { folder: folders[0], file: undefined } : placeOf(uri.fsPath, folders, process.platform);
  if (place.folder === undefined) {
    void vscode.window.showErrorMessage("Open a script or a folder first.");
    return;
  }
  const words = [found.word, ...argumentsFor(action, place.file, detail)];
  let line: string;
  try {
    line = commandLine(words, shellOf(vscode.env.shell, process.platform));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The command cannot run in a terminal: ${why}.`);
    return;
  }
  const terminal = action === "play" ? opened(`Play ${place.file}`, place.folder) : sharedTerminal(place.folder);
  terminal.show(action !== "play");
  terminal.sendText(line);
}

/** Saves a document. Only files on disk can be run. */
async function saved(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== "file") {
    void vscode.window.showErrorMessage("Save the script in a file first.");
    return false;
  }
  const document = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return document === undefined || !document.isDirty || document.save();
}

function sharedTerminal(folder: string): vscode.Terminal {
  if (shared?.folder !== folder || shared.terminal.exitStatus !== undefined) {
    shared = { terminal: opened("Astragal", folder), folder };
  }
  return shared.terminal;
}

function opened(name: string, folder: string): vscode.Terminal {
  return vscode.window.createTerminal({ name, cwd: folder, iconPath: new vscode.ThemeIcon("game") });
}
