import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import manifest from "../package.json";
import { ACTIONS } from "../src/command_line";
import { SCRIPT, SELECTOR } from "../src/documents";
import { LAUNCH, TYPE } from "../src/launch";
import { ROOT } from "./tokenize";

const sources = readdirSync("src")
  .map((file) => readFileSync(join("src", file), "utf8"))
  .join("\n");
const { contributes } = manifest;
const declared = contributes.commands.map(({ command }) => command);

test("every command of the manifest is registered, and vice versa", () => {
  const registered = [...sources.matchAll(/commands\.set\("([\w.]+)"/g)].map((found) => found[1] ?? "");
  registered.push(...ACTIONS.map((action) => `astragal.${action}`));
  assert.deepEqual([...declared].sort(), registered.sort());
});

test("menus show only commands of the manifest", () => {
  for (const [menu, entries] of Object.entries(contributes.menus)) {
    for (const { command } of entries) assert.ok(declared.includes(command), `${menu}: ${command}`);
  }
});

test("every setting of the source is declared, and vice versa", () => {
  const read = [...sources.matchAll(/\.get<\w+>\("(\w+)"/g)].map((found) => `astragal.${found[1]}`);
  // The client library reads the last one, by the name of the client.
  assert.match(sources, /new LanguageClient\("astragal"/);
  assert.deepEqual([...read, "astragal.trace.server"].sort(), Object.keys(contributes.configuration.properties).sort());
});

test("languages, commands and debug sessions start the extension", () => {
  // Since 1.74, VS Code takes them from the manifest. Debug sessions need their own event.
  const minor = Number(/^\^1\.(\d+)\.0$/.exec(manifest.engines.vscode)?.[1]);
  assert.ok(minor >= 74);
  assert.deepEqual(manifest.activationEvents, [`onDebugResolve:${TYPE}`]);
  // The extension is compiled against the oldest version that it supports.
  assert.equal(manifest.devDependencies["@types/vscode"], `1.${minor}.0`);
});

/** The debugger of the manifest. */
const [adapter] = contributes.debuggers;
const { properties, required } = adapter!.configurationAttributes.launch;

test("launch configurations have the arguments that the adapter reads, and that its guide lists", () => {
  const [source = ""] = readFileSync(join(ROOT, "repl/src/dap/launch.rs"), "utf8").split("#[cfg(test)]");
  // VS Code itself sets `noDebug`, when a game starts without debugging.
  const flags = [...source.matchAll(/flag\("(\w+)", (true|false)\)/g)]
    .map(([, name = "", value]) => [name, value])
    .filter(([name]) => name !== "noDebug");
  const others = [...source.matchAll(/arguments\["(\w+)"\]/g)].map((found) => found[1]);
  const names = Object.keys(properties);
  assert.deepEqual([...names].sort(), [...new Set([...others, ...flags.map(([name]) => name)])].sort());
  for (const [name, property] of Object.entries(properties)) {
    const flag = flags.find((flag) => flag[0] === name);
    assert.equal(property.type === "boolean", flag !== undefined, name);
    if (flag !== undefined) assert.equal(String("default" in property && property.default), flag[1], name);
  }
  const guide = readFileSync(join(ROOT, "docs/debug.md"), "utf8");
  const table = guide.slice(guide.indexOf("| argument |"));
  const rows = [...table.matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)].map(([, name = "", value]) => ({ name, value }));
  assert.deepEqual(
    names,
    rows.map(({ name }) => name),
  );
  assert.deepEqual(
    required,
    rows.filter(({ value }) => value === "required").map(({ name }) => name),
  );
});

test("the configurations that VS Code inserts are those of the command, and have only known arguments", () => {
  assert.equal(adapter?.type, TYPE);
  assert.deepEqual(adapter?.initialConfigurations, [LAUNCH]);
  const known = ["type", "request", "name", ...Object.keys(properties)];
  for (const { body } of adapter?.configurationSnippets ?? []) {
    assert.deepEqual(
      Object.keys(body).filter((name) => !known.includes(name)),
      [],
    );
    assert.equal(body.type, TYPE);
  }
  assert.deepEqual(
    adapter?.languages,
    contributes.breakpoints.map(({ language }) => language),
  );
  assert.deepEqual(adapter?.languages, [SCRIPT]);
});

test("the server gets the documents of all languages, saved or not", () => {
  const ids = contributes.languages.map(({ id }) => id);
  const wanted = ids.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme })));
  assert.deepEqual(SELECTOR, wanted);
  assert.match(sources, /documentSelector: SELECTOR,/);
  for (const grammar of contributes.grammars) assert.ok(ids.includes(grammar.language), grammar.language);
});

test("every file of the manifest exists, and is JSON with the right name", () => {
  const paths = [
    ...contributes.languages.map(({ configuration }) => configuration),
    ...contributes.grammars.map(({ path }) => path),
  ];
  for (const path of paths) JSON.parse(readFileSync(path, "utf8"));
  for (const { path, scopeName } of contributes.grammars)
    assert.equal(JSON.parse(readFileSync(path, "utf8")).scopeName, scopeName);
  assert.ok(existsSync(manifest.icon));
});

test("the version is that of the program", () => {
  const version = /^version = "(.+)"$/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))?.[1];
  assert.equal(manifest.version, version);
  assert.equal(JSON.parse(readFileSync("package-lock.json", "utf8")).version, version);
});

test("the patterns of the language configurations are regular expressions", () => {
  for (const { configuration } of contributes.languages) {
    const { wordPattern, indentationRules, onEnterRules } = JSON.parse(readFileSync(configuration, "utf8"));
    const { pattern, flags } = typeof wordPattern === "string" ? { pattern: wordPattern, flags: "" } : wordPattern;
    new RegExp(pattern, flags);
    for (const rule of Object.values(indentationRules ?? {})) new RegExp(rule as string);
    for (const { beforeText, afterText } of onEnterRules ?? []) (new RegExp(beforeText), new RegExp(afterText ?? ""));
  }
});

test("words and indentation of scripts", () => {
  const { wordPattern, indentationRules } = JSON.parse(readFileSync("languages/rhai.json", "utf8"));
  const words = (text: string) => text.match(new RegExp(wordPattern.pattern, `g${wordPattern.flags}`));
  assert.deepEqual(words('roll("2d6") + PIECE_2[größe].x 1.5 chess::men'), [
    "roll",
    "2d6",
    "PIECE_2",
    "größe",
    "x",
    "1.5",
    "chess",
    "men",
  ]);
  const [more, less] = [
    new RegExp(indentationRules.increaseIndentPattern),
    new RegExp(indentationRules.decreaseIndentPattern),
  ];
  for (const line of ["fn turn() {", "    if a { b } else {", "board(8, 8, #{", "let a = [", "play("])
    assert.match(line, more);
  for (const line of ["fn a() { b }", "// a {", 'title("a (b");', "f(x);"]) assert.doesNotMatch(line, more);
  for (const line of ["}", "    } else {", "]);", ")"]) assert.match(line, less);
  assert.doesNotMatch("a }", less);
});
