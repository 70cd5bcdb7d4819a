// Reads texts with the grammars, by the library that VS Code uses.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

export const ROOT = resolve("../..");

const GRAMMARS: Record<string, string> = {
  "source.rhai": "syntaxes/rhai.tmLanguage.json",
  "text.astragal-game": "syntaxes/game.tmLanguage.json",
};

const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(readFileSync(wasm));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = GRAMMARS[scope];
    return path === undefined ? null : textmate.parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

export interface Token {
  text: string;
  /** Outermost first, without that of the grammar. */
  scopes: string[];
  /** From 1. */
  line: number;
}

export interface Reading {
  tokens: Token[];
  /** How many rules are still open at the end of the text. */
  open: number;
}

/** Reads a text. Blanks are left out. */
export async function read(grammar: "source.rhai" | "text.astragal-game", text: string): Promise<Reading> {
  const loaded = await registry.loadGrammar(grammar);
  if (loaded === null) throw new Error(`no grammar ${grammar}`);
  const tokens: Token[] = [];
  let stack = textmate.INITIAL;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const result = loaded.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const part = line.slice(startIndex, endIndex);
      if (part.trim() !== "") tokens.push({ text: part, scopes: scopes.slice(1), line: index + 1 });
    }
  }
  return { tokens, open: stack.depth - 1 };
}

/** The innermost scope of each token, as `let: storage.type.let`. Tokens without one have no colon. */
export async function scopes(grammar: "source.rhai" | "text.astragal-game", text: string): Promise<string[]> {
  const { tokens } = await read(grammar, text);
  const ending = /\.(rhai|astragal-game)$/;
  return tokens.map(({ text, scopes }) =>
    [text.trim(), ...scopes.slice(-1).map((scope) => scope.replace(ending, ""))].join(": "),
  );
}

/** The files below a folder of the repository with an ending. */
export function files(folder: string, ending: string): string[] {
  const found = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return found
    .filter((path) => path.endsWith(ending))
    .map((path) => join(ROOT, folder, path))
    .sort();
}
