// The part of the interface of VS Code that commands use, for tests. `state` is what a user would see.

import { basename } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

export class Uri {
  private constructor(private readonly url: string) {}

  static parse(text: string): Uri {
    return new Uri(text);
  }

  static file(path: string): Uri {
    return new Uri(pathToFileURL(path).href);
  }

  get scheme(): string {
    return this.url.slice(0, this.url.indexOf(":"));
  }

  get path(): string {
    return this.scheme === "file" ? this.fsPath : this.url.slice(this.scheme.length + 1);
  }

  get fsPath(): string {
    return fileURLToPath(this.url);
  }

  toString(): string {
    return this.url;
  }
}

export class ThemeIcon {
  constructor(readonly id: string) {}
}

export class DebugAdapterExecutable {
  constructor(
    readonly command: string,
    readonly args: string[],
    readonly options: { cwd?: string },
  ) {}
}

export interface Document {
  uri: Uri;
  languageId: string;
  isDirty: boolean;
  fileName: string;
  save(): Promise<boolean>;
}

interface Terminal {
  name: string;
  cwd: string;
  lines: string[];
  /** Set when it is closed. */
  exitStatus: object | undefined;
  show(): void;
  sendText(line: string): void;
}

/** A panel, with every page that it has shown. */
interface Panel {
  title: string;
  pages: string[];
  dispose(): void;
}

export const ViewColumn = { Beside: -2 };

export const state = {
  messages: [] as string[],
  terminals: [] as Terminal[],
  panels: [] as Panel[],
  /** The debug sessions, with their folders. */
  sessions: [] as { folder: string | undefined; program: string }[],
  /** The files that were saved. */
  saved: [] as string[],
  /** The setting `astragal.path`. */
  path: "",
  /** What the user chooses for a document without a file. */
  choice: undefined as Uri | undefined,
  /** Whether files can be written. */
  isWritable: true,
};

/** A document that is open in an editor. */
export function document(path: string, languageId: string, isDirty = true): Document {
  const uri = Uri.file(path);
  const one: Document = {
    uri,
    languageId,
    isDirty,
    fileName: basename(path),
    async save() {
      if (state.isWritable) state.saved.push(basename(path));
      one.isDirty = !state.isWritable;
      return state.isWritable;
    },
  };
  return one;
}

export const workspace = {
  workspaceFolders: undefined as { uri: Uri }[] | undefined,
  textDocuments: [] as Document[],
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders?.find((folder) => uri.toString().startsWith(`${folder.uri.toString()}/`)),
  getConfiguration: () => ({ get: () => state.path }),
  save: async () => state.choice,
  openTextDocument: async (uri: Uri) => workspace.textDocuments.find((one) => one.uri.toString() === uri.toString()),
  onDidCloseTextDocument: () => ({ dispose() {} }),
};

export const window = {
  activeTextEditor: undefined as { document: Document } | undefined,
  async showErrorMessage(message: string, ...buttons: string[]) {
    state.messages.push([message, ...buttons].join(" | "));
    return buttons[0];
  },
  createWebviewPanel(_type: string, title: string) {
    const [pages, closed]: [string[], (() => void)[]] = [[], []];
    const webview = {
      set html(page: string) {
        pages.push(page);
      },
    };
    const dispose = () => closed.forEach((listener) => listener());
    const panel = { title, pages, webview, reveal() {}, onDidDispose: (one: () => void) => closed.push(one), dispose };
    state.panels.push(panel);
    return panel;
  },
  createTerminal({ name, cwd }: { name: string; cwd: string }) {
    const lines: string[] = [];
    const sendText = (line: string) => lines.push(line);
    const terminal = { name, cwd, lines, exitStatus: undefined, show() {}, sendText };
    state.terminals.push(terminal);
    return terminal;
  },
};

export const commands = {
  async executeCommand(command: string, argument: string) {
    state.messages.push(`${command} ${argument}`);
  },
};

export const debug = {
  async startDebugging(folder: { uri: Uri } | undefined, configuration: { program: string }) {
    state.sessions.push({ ...configuration, folder: folder?.uri.fsPath });
    return true;
  },
};

export const languages = {
  match: (selector: { language: string; scheme: string }[], { languageId, uri }: Document) =>
    selector.some(({ language, scheme }) => language === languageId && scheme === uri.scheme) ? 10 : 0,
};

export const env = { shell: "/bin/bash" };

/** Back to an editor without documents and terminals. `path` is the setting. */
export function reset(path: string): void {
  for (const terminal of state.terminals) terminal.exitStatus = {};
  Object.assign(state, { messages: [], terminals: [], panels: [], sessions: [], saved: [], path });
  Object.assign(state, { choice: undefined, isWritable: true });
  Object.assign(workspace, { workspaceFolders: undefined, textDocuments: [] });
  window.activeTextEditor = undefined;
}
