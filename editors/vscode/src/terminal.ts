// Runs `astragal` in terminals.

import * as vscode from "vscode";
import { type Action, argumentsFor, commandLine, placeOf, shellOf } from "./command_line";
import { SELECTOR } from "./documents";
import { program, reportMissing } from "./installed";

/** The terminal for all commands but `play`. A game has its own terminal: it would read the next command as a move. */
let shared: { terminal: vscode.Terminal; folder: string } | undefined;

/**
 * Runs an action on scripts or tests, or without any on the first workspace folder.
 *
 * @throws if it cannot run, for a reason that the user should read.
 */
export async function run(action: Action, targets: readonly vscode.Uri[]): Promise<void> {
  const found = program();
  if (found === undefined) return reportMissing();
  const paths = await saved(action, targets);
  if (paths !== undefined) start(action, found.word, paths);
}

/** Enters a command in a terminal. */
function start(action: Action, program: string, paths: readonly string[]): void {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const first = folders[0];
  if (paths.length === 0 && first === undefined) throw new Error("Open a script or a folder first.");
  const { folder, files } =
    paths.length === 0 ? { folder: first ?? "", files: [] } : placeOf(paths, folders, process.platform);
  const line = commandLine([program, ...argumentsFor(action, files)], shellOf(vscode.env.shell, process.platform));
  const terminal = action === "play" ? opened(`Play ${files.join(" ")}`, folder) : sharedTerminal(folder);
  terminal.show(action !== "play");
  terminal.sendText(line);
}

/**
 * The paths of documents after they have been saved; `undefined` if the user does not choose a file for a new one.
 * Before tests run, all open scripts and tests are saved, because a test depends on its script.
 *
 * @throws if a document is not a file on this machine, or cannot be saved.
 */
export async function saved(action: Action | "debug", targets: readonly vscode.Uri[]): Promise<string[] | undefined> {
  const files: vscode.Uri[] = [];
  for (const uri of targets) {
    const file = uri.scheme === "untitled" ? await vscode.workspace.save(uri) : uri;
    if (file === undefined) return undefined;
    if (file.scheme !== "file") throw new Error(`Astragal needs a file on this machine. Save a copy of ${uri.path}.`);
    files.push(file);
  }
  const isWanted = (document: vscode.TextDocument) =>
    files.some((file) => file.toString() === document.uri.toString()) ||
    ((action === "test" || action === "accept") && vscode.languages.match(SELECTOR, document) > 0);
  const dirty = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.scheme === "file" && isWanted(document),
  );
  for (const document of dirty) {
    if (!(await document.save())) throw new Error(`${document.fileName} could not be saved, so nothing was run.`);
  }
  return files.map((file) => file.fsPath);
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
