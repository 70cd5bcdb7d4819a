// Small things that a browser remembers about the page: the sizes of panes for all tabs, and the view of this tab. A browser
// that stores nothing only forgets them.

/** What is remembered under a name. */
export function recall(store: "localStorage" | "sessionStorage", name: string): string | undefined {
  try {
    return window[store].getItem(`astragal-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a text under a name. */
export function remember(store: "localStorage" | "sessionStorage", name: string, text: string): void {
  try {
    window[store].setItem(`astragal-${name}`, text);
  } catch {
    // It lasts until the page is closed.
  }
}
