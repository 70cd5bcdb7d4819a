// The page in the panel that shows a board. No VS Code here.
//
// Invariant: nothing in the page runs. The picture is data of an image, where the browser ignores scripts and links.

/** What the panel shows. */
export interface BoardPage {
  /** The name of the script. */
  name: string;
  /** The picture; `undefined` before the first one. */
  svg: string | undefined;
  /** A sentence below the picture, such as why it is out of date. */
  notice: string | undefined;
}

/** The page as HTML. `nonce` allows the one style sheet; it is new for each page. */
export function boardHtml({ name, svg, notice }: BoardPage, nonce: string): string {
  const picture =
    svg === undefined ? "" : `<img src="${dataOf(svg)}" alt="${escaped(`Starting position of ${name}`)}">`;
  const words = notice === undefined ? "" : `<p role="status">${escaped(notice)}</p>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'nonce-${nonce}'">
<title>${escaped(name)}</title>
<style nonce="${nonce}">
body { margin: 0; padding: 1rem; box-sizing: border-box; height: 100vh;
  display: flex; flex-direction: column; gap: 1rem; align-items: center; justify-content: center;
  color: var(--vscode-editor-foreground); background: var(--vscode-editor-background); }
img { min-height: 0; max-width: 100%; flex: 0 1 auto; object-fit: contain; }
p { margin: 0; max-width: 40rem; color: var(--vscode-descriptionForeground); }
/* Pictures follow the color scheme of the element that shows them. */
body.vscode-light img, body.vscode-high-contrast-light img { color-scheme: light; }
body.vscode-dark img, body.vscode-high-contrast:not(.vscode-high-contrast-light) img { color-scheme: dark; }
</style>
</head>
<body>
${picture}
${words}
</body>
</html>
`;
}

function dataOf(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`;
}

function escaped(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => names[sign] ?? sign);
}
