import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ROOT, type Token, files, read, scopes } from "./tokenize";

const of = (text: string) => scopes("source.rhai", text);

/** Whether the text of some token has a scope. */
async function has(text: string, word: string, scope: string): Promise<boolean> {
  const { tokens } = await read("source.rhai", text);
  return tokens.some((token) => token.text.trim() === word && token.scopes.some((name) => name.startsWith(scope)));
}

test("a declaration at the top level differs from a call in a rule", async () => {
  assert.deepEqual(await of('title("Chess");'), [
    "title: support.function.declaration",
    "(: punctuation.section.group.begin",
    '": punctuation.definition.string.begin',
    "Chess: string.quoted.double",
    '": punctuation.definition.string.end',
    "): punctuation.section.group.end",
    ";: punctuation.terminator",
  ]);
  assert.ok(await has("fn turn() { play(any()); }", "play", "entity.name.function.call"));
  assert.ok(await has("royals(kind());", "kind", "entity.name.function.call"));
  assert.ok(await has("chess::setup();", "chess", "entity.name.namespace"));
  assert.ok(await has("chess::setup();", "setup", "support.function.declaration"));
});

test("functions, parameters and anonymous functions", async () => {
  assert.deepEqual(await of("private fn permit(dice, die) {}"), [
    "private: storage.modifier",
    "fn: storage.type.function",
    "permit: entity.name.function",
    "(: punctuation.definition.parameters.begin",
    "dice: variable.parameter",
    ",: punctuation.separator.parameter",
    "die: variable.parameter",
    "): punctuation.definition.parameters.end",
    "{: punctuation.section.block.begin",
    "}: punctuation.section.block.end",
  ]);
  assert.ok(await has("x.where(|land| land.is_empty)", "land", "variable.parameter"));
  assert.ok(await has("roll(a, |die, other| die)", "other", "variable.parameter"));
  assert.ok(await has("let f = |mv| mv;", "mv", "variable.parameter"));
  // The sign also joins sets.
  assert.ok(!(await has("allowed | castling() | other", "castling", "variable.parameter")));
  assert.ok(await has("a || b", "||", "keyword.operator.logical"));
});

test("texts with escapes, and texts that are not closed on their line", async () => {
  assert.deepEqual(await of(String.raw`"a\n\x41\"b"`), [
    '": punctuation.definition.string.begin',
    "a: string.quoted.double",
    String.raw`\n: constant.character.escape`,
    String.raw`\x41: constant.character.escape`,
    String.raw`\": constant.character.escape`,
    "b: string.quoted.double",
    '": punctuation.definition.string.end',
  ]);
  assert.ok(await has(String.raw`"\q"`, String.raw`\q`, "invalid"));
  assert.ok(await has('let a = "open\nlet b = 1;', "let", "storage.type.let"));
  assert.equal((await read("source.rhai", '"open\n')).open, 0);
  // A backslash at the end of a line continues the text.
  assert.ok(await has('"one\\\ntwo"', "two", "string.quoted.double"));
  assert.equal((await read("source.rhai", '"one\\\ntwo"')).open, 0);
});

test("templates contain code, and code contains templates", async () => {
  const text = "`Man ${man + 1} of ${ #{ a: `x${1}` }.a }.` + rest";
  assert.ok(await has(text, "Man", "string.template"));
  assert.ok(await has(text, "man", "variable.other.readwrite"));
  assert.ok(await has(text, "a", "support.type.property-name"));
  assert.ok(await has(text, ".", "string.template"));
  assert.ok(await has(text, "rest", "variable.other.readwrite"));
  assert.equal((await read("source.rhai", text)).open, 0);
  assert.ok(await has("`two\nlines`", "lines", "string.template"));
  // An open bracket in a template does not swallow the rest of the script.
  assert.ok(!(await has("`${f(}` + after", "after", "string")));
});

test("numbers and dice", async () => {
  for (const dice of ["3d6", "1d4+1d20", "1d{1,1,2,6}", "1d{1:3,6:1}", "4d{0,1}", "1d4+", "2w6"]) {
    assert.ok(await has(`roll("${dice}")`, dice, "constant.numeric.dice"), dice);
  }
  for (const text of ["a1d1", "king", "d6 is nice", "", "3d"]) {
    assert.ok(!(await of(`f("${text}")`)).some((token) => token.includes("dice")), text);
  }
  assert.ok(await has("roll(3d6)", "3d6", "constant.numeric.dice"));
  assert.deepEqual(await of("1_000 0xFF 1.5 0..n"), [
    "1_000: constant.numeric",
    "0xFF: constant.numeric",
    "1.5: constant.numeric",
    "0: constant.numeric",
    "..: keyword.operator.range",
    "n: variable.other.readwrite",
  ]);
});

test("comments of all kinds, also nested", async () => {
  const text = "a /* one /* two */ three */ b // c\n/// d\ne";
  for (const word of ["a", "b", "e"]) assert.ok(await has(text, word, "variable"), word);
  assert.ok(await has(text, "three", "comment.block"));
  assert.ok(await has(text, "// c", "comment.line.double-slash"));
  assert.ok(await has(text, "/// d", "comment.line.documentation"));
  assert.ok(await has('f("// no comment")', "// no comment", "string"));
});

test("keys of maps differ from variables and modules", async () => {
  const text = '#{ pawn: "1d4", "red man": x, nested: #{ key: if a { b } else { c } }, other: chess::men() }';
  for (const key of ["pawn", '"red man"', "nested", "key", "other"]) {
    assert.ok(await has(text, key, "support.type.property-name"), key);
  }
  for (const word of ["x", "a", "b", "c"]) assert.ok(await has(text, word, "variable.other.readwrite"), word);
  assert.ok(await has(text, "chess", "entity.name.namespace"));
});

test("words of the language within longer names and after dots are names", async () => {
  assert.ok(await has("inside.format.as_text", "inside", "variable.other.readwrite"));
  assert.ok(await has("mv.in.x", "in", "variable.other.property"));
  assert.ok(await has("for i in 0..if x { 1 } else { 2 } {}", "if", "keyword.control"));
  assert.ok(await has("größe + 1", "größe", "variable.other.readwrite"));
});

/** The words that the tools of this repository take for words of the language. */
function keywords(): string[] {
  const sources = ["editor/src", "dsl/src"].flatMap((folder) => files(folder, ".rs"));
  const list = sources.map(
    (path) => /const KEYWORDS: \[&str; \d+\] = \[([^\]]*)\]/.exec(readFileSync(path, "utf8"))?.[1],
  );
  return [...(list.find((words) => words !== undefined) ?? "").matchAll(/"(\w+)"/g)].map((word) => word[1] ?? "");
}

const isCode = (token: Token) =>
  !token.scopes.some((scope) => /^(string|comment)/.test(scope)) ||
  token.scopes.some((scope) => scope.startsWith("meta.template"));
const isKeyword = (token: Token) =>
  /^(keyword\.control|storage|constant\.language|variable\.language)/.test(token.scopes.at(-1) ?? "");

test("all words of the language are colored", async () => {
  const words = keywords();
  assert.ok(words.length > 20, "the list was found");
  for (const word of words) {
    const { tokens } = await read("source.rhai", `fn f() { ${word} }`);
    assert.ok(
      tokens.some((token) => token.text.trim() === word && isKeyword(token)),
      word,
    );
  }
});

test("every script of the repository is read to its end", async () => {
  const words = new Set(keywords());
  const scripts = ["variants", "tests/data"].flatMap((folder) => files(folder, ".rhai"));
  assert.ok(scripts.length > 100);
  for (const path of scripts) {
    const { tokens, open } = await read("source.rhai", readFileSync(path, "utf8"));
    const at = (token: Token) =>
      `${path.slice(ROOT.length + 1)}:${token.line}: ${token.text}: ${token.scopes.join(" ")}`;
    // Each text, comment and bracket is closed.
    assert.equal(open, 0, path);
    for (const token of tokens) {
      assert.ok(!token.scopes.some((scope) => scope.startsWith("invalid")), at(token));
      assert.ok(token.scopes.length > 0 || /^[.:)\]}?]+$/.test(token.text.trim()), at(token));
      const isName = /^(support|variable\.other\.property)/.test(token.scopes.at(-1) ?? "");
      if (isCode(token) && !isName) assert.equal(isKeyword(token), words.has(token.text.trim()), at(token));
    }
  }
});
