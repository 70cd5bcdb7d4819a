import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, type Token, files, read, scopes } from "./tokenize";

const of = (text: string) => scopes("text.astragal-game", text);

test("headers with their values", async () => {
  assert.deepEqual(await of("title: Two and three  # why\nvariant: ../my game.rhai\nseed: 7"), [
    "title: keyword.other.header",
    ":: punctuation.separator.key-value",
    "Two and three: entity.name.section",
    "# why: comment.line.number-sign",
    "variant: keyword.other.header",
    ":: punctuation.separator.key-value",
    "../my game.rhai: string.unquoted.path",
    "seed: keyword.other.header",
    ":: punctuation.separator.key-value",
    "7: constant.numeric.seed",
  ]);
  assert.deepEqual(await of("options: doubles=any"), [
    "options: keyword.other.header",
    ":: punctuation.separator.key-value",
    "doubles: variable.other.property",
    "=: keyword.operator.assignment",
    "any: string.unquoted.value",
  ]);
  assert.deepEqual(await of("varient: x"), ["varient:: invalid.illegal.header", "x: entity.name.function.move"]);
});

test("rolls, moves, choices and questions", async () => {
  assert.deepEqual(await of("roll 2 3\nroll d5\nd3 6:h1h5 3,4:a1\nchoose Claim the win\nmoves\nodds Nc3\nundo 2\n--"), [
    "roll: keyword.control.roll",
    "2: constant.numeric.dice",
    "3: constant.numeric.dice",
    "roll: keyword.control.roll",
    "d5: entity.name.function.move",
    "d3: entity.name.function.move",
    "6: constant.numeric.dice",
    ":: punctuation.separator.dice",
    "h1h5: entity.name.function.move",
    "3,4: constant.numeric.dice",
    ":: punctuation.separator.dice",
    "a1: entity.name.function.move",
    "choose: keyword.control.choose",
    "Claim the win: string.unquoted.choice",
    "moves: support.function.question",
    "odds: support.function.question",
    "Nc3: entity.name.function.move",
    "undo: keyword.control.undo",
    "2: constant.numeric",
    "--: keyword.control.pass",
  ]);
});

test("what is refused is colored as such", async () => {
  assert.deepEqual(await of("refused e4     # a pawn needs a 1\nrefused roll -1 3\nrefused choose a b\nrefused pass"), [
    "refused: keyword.other.refused",
    "e4: entity.name.function.move",
    "# a pawn needs a 1: comment.line.number-sign",
    "refused: keyword.other.refused",
    "roll: keyword.control.roll",
    "-1: constant.numeric.dice",
    "3: constant.numeric.dice",
    "refused: keyword.other.refused",
    "choose: keyword.control.choose",
    "a b: string.unquoted.choice",
    "refused: keyword.other.refused",
    "pass: keyword.control.pass",
  ]);
});

test("a comment begins at a blank, not within a word", async () => {
  assert.deepEqual(await of("Qh5# # mate"), ["Qh5#: entity.name.function.move", "# mate: comment.line.number-sign"]);
  assert.deepEqual(await of("  # alone"), ["# alone: comment.line.number-sign"]);
});

/** A list of words in the parser of game files. */
function list(name: string): string[] {
  const source = readFileSync(join(ROOT, "service/src/gametest/file.rs"), "utf8");
  const words = new RegExp(`const ${name}: \\[&str; \\d+\\] = \\[([^\\]]*)\\]`).exec(source)?.[1] ?? "";
  return [...words.matchAll(/"(\w+)"/g)].map((word) => word[1] ?? "");
}

test("all headers and words of the parser are known", async () => {
  assert.ok(list("HEADERS").length > 3 && list("WORDS").length > 10, "the lists were found");
  for (const header of list("HEADERS")) assert.equal((await of(`${header}: 1`))[0], `${header}: keyword.other.header`);
  for (const word of list("WORDS")) {
    assert.match((await of(`${word} 1`))[0] ?? "", new RegExp(`^${word}: (keyword|support)`), word);
  }
});

test("every game of the repository is read", async () => {
  const games = ["variants/tests", "tests/data"].flatMap((folder) => files(folder, ".game"));
  assert.ok(games.length > 200);
  for (const path of games) {
    const { tokens, open } = await read("text.astragal-game", readFileSync(path, "utf8"));
    const at = (token: Token) =>
      `${path.slice(ROOT.length + 1)}:${token.line}: ${token.text}: ${token.scopes.join(" ")}`;
    assert.equal(open, 0, path);
    for (const token of tokens) {
      assert.ok(token.scopes.length > 0, at(token));
      assert.ok(!token.scopes.some((scope) => scope.startsWith("invalid")), at(token));
    }
  }
});
