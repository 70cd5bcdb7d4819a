// Markdown as the engine writes it in explanations: paragraphs, headings, lists, tables, blocks of code, and `code`,
// **strong** and *emphasized* words. Texts of scripts are part of it, so it makes nodes and never HTML.

import { el } from "./dom";

/** Code between runs of equally many backticks, strong and emphasized words, and links. */
const MARKS =
  /(?<![\\`])(`+)(?!`)(.*?[^`])\1(?!`)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)/gs;

/** The nodes of a line with marks. */
function inline(text: string): Node[] {
  const made: Node[] = [];
  let at = 0;
  const plain = (end: number) => {
    const part = text.slice(at, end).replace(/\\([\\`*_{}[\]()#+\-.!|<>])/g, "$1");
    if (part) made.push(document.createTextNode(part));
  };
  for (const found of text.matchAll(MARKS)) {
    const [whole, , code, strong, emphasized, link] = found;
    plain(found.index);
    at = found.index + whole.length;
    // Spaces separate backticks in code from those around it.
    if (code !== undefined) made.push(el("code", {}, code.replace(/^ (.*\S.*) $/s, "$1")));
    else if (strong !== undefined) made.push(el("strong", {}, strong));
    else if (emphasized !== undefined) made.push(el("em", {}, emphasized));
    // Links lead to pages of the documentation, which the studio does not have.
    else made.push(document.createTextNode(link ?? ""));
  }
  plain(text.length);
  return made;
}

/** The cells of a line of a table. */
function cells(line: string): string[] {
  return line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** A text in Markdown as nodes. */
export function markdown(text: string): Node[] {
  const lines = text.split("\n");
  const made: Node[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) made.push(el("p", {}, ...inline(paragraph.join(" "))));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const fence = /^(`{3,})[^`]*$/.exec(line)?.[1];
    if (fence) {
      end();
      const isClose = (later: string) => /^`+$/.test(later) && later.length >= fence.length;
      const close = lines.findIndex((later, i) => i > at && isClose(later.trim()));
      const last = close < 0 ? lines.length : close;
      made.push(el("pre", {}, lines.slice(at + 1, last).join("\n")));
      at = last;
    } else if (/^\s*$/.test(line)) {
      end();
    } else if (/^(-{3,}|\*{3,})$/.test(line)) {
      end();
      made.push(el("hr"));
    } else if (/^#+ /.test(line)) {
      end();
      made.push(el("p", {}, el("strong", {}, ...inline(line.replace(/^#+ /, "")))));
    } else if (/^\s*[-*] /.test(line)) {
      end();
      const items: string[] = [];
      for (; /^\s*[-*] /.test(lines[at] ?? "") || (items.length > 0 && /^\s+\S/.test(lines[at] ?? "")); at++) {
        const item = /^\s*[-*] (.*)$/.exec(lines[at] ?? "")?.[1];
        if (item === undefined) items.push(`${items.pop()} ${(lines[at] ?? "").trim()}`);
        else items.push(item);
      }
      at--;
      made.push(el("ul", {}, ...items.map((item) => el("li", {}, ...inline(item)))));
    } else if (line.startsWith("|")) {
      end();
      const rows: string[][] = [];
      for (; (lines[at] ?? "").startsWith("|"); at++) rows.push(cells(lines[at] ?? ""));
      at--;
      const shown = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)) && row.some(Boolean));
      made.push(el("table", {}, ...shown.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, ...inline(cell)))))));
    } else {
      paragraph.push(line.trim());
    }
  }
  end();
  return made;
}
