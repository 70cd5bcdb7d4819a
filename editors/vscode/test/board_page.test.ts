import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Browser, type Page, chromium } from "playwright-core";
import { boardHtml } from "../src/board_page";
import { ROOT } from "./tokenize";

const PROGRAM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const skip = existsSync(PROGRAM) ? false : "Chromium is not installed";
const svg = readFileSync(join(ROOT, "docs/pictures/dicechess-3.svg"), "utf8");

let browser: Browser | undefined;

before(async () => {
  if (skip === false) browser = await chromium.launch({ executablePath: PROGRAM, args: QUIET });
});

after(() => browser?.close());

/** Opens a page as VS Code would, with its theme. */
async function open(html: string, theme: string): Promise<Page> {
  const page = await browser!.newPage({ viewport: { width: 600, height: 400 } });
  await page.setContent(html.replace("<body>", `<body class="${theme}">`));
  return page;
}

/** The color of the corner of the picture, as red, green, blue. */
async function ground(page: Page): Promise<string> {
  const box = await page.locator("img").boundingBox();
  assert.ok(
    box !== null && box.width > 300 && box.x >= 0 && box.y >= 0 && box.y + box.height <= 400,
    "the picture fits the panel",
  );
  const shot = await page.screenshot({ clip: { x: box.x + 3, y: box.y + 3, width: 1, height: 1 } });
  // The policy forbids pages to read pictures of their own: a blank page reads it.
  const blank = await browser!.newPage();
  const color = await blank.evaluate(`(async () => {
    const picture = new Image();
    picture.src = "data:image/png;base64,${shot.toString("base64")}";
    await picture.decode();
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.drawImage(picture, 0, 0);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).join(" ");
  })()`);
  await blank.close();
  return String(color);
}

test("the picture follows the theme of VS Code", { skip }, async () => {
  const html = boardHtml({ name: "dicechess-3.rhai", svg, notice: undefined }, "bm9uY2U=");
  for (const [theme, color] of [
    ["vscode-light", "237 227 207"],
    ["vscode-dark", "38 34 29"],
    ["vscode-high-contrast", "38 34 29"],
    ["vscode-high-contrast vscode-high-contrast-light", "237 227 207"],
  ] as const) {
    const page = await open(html, theme);
    assert.equal(await ground(page), color, theme);
    assert.equal(await page.locator("img").getAttribute("alt"), "Starting position of dicechess-3.rhai");
    await page.close();
  }
});

test("nothing in a picture or a name runs or is loaded", { skip }, async () => {
  const bad = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="parent.document.title='run'">
    <script>parent.document.title = "run"</script><image href="https://example.org/x.png"/></svg>`;
  const name = `</title><script>document.title='run'</script><img src=x onerror="document.title='run'">`;
  const page = await browser!.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.setContent(boardHtml({ name, svg: bad, notice: name }, "bm9uY2U="));
  await page.waitForTimeout(300);
  assert.equal(await page.title(), name);
  assert.deepEqual(
    asked.filter((url) => !url.startsWith("data:")),
    [],
  );
  assert.equal(await page.getByRole("status").innerText(), name);
  await page.close();
});

test("the policy allows pictures in the page and its one style sheet", () => {
  const html = boardHtml({ name: "a.rhai", svg: undefined, notice: "Wait." }, "bm9uY2U=");
  assert.match(html, /content="default-src 'none'; img-src data:; style-src 'nonce-bm9uY2U='"/);
  assert.doesNotMatch(html, /<script|<img|style="/);
});
