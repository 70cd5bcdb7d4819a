// Elements from data. Texts become text nodes and nothing else: HTML is never read from a script, a record or a link.

type Child = Node | string | number | null | undefined | false;

/** An element with properties, attributes (`aria-..`, `role`, `data-..`) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  // A list can only have a value when it has options.
  put(made, ...children);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in made && !name.startsWith("aria") && name !== "role") {
      (made as unknown as Record<string, unknown>)[name] = value;
    } else {
      made.setAttribute(name, String(value));
    }
  }
  return made;
}

/** Replaces the children of an element. */
export function put(into: Element, ...children: Child[]): void {
  into.replaceChildren(
    ...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) =>
      typeof child === "object" ? child : String(child),
    ),
  );
}

/** The element of the page with this id. */
export function get<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no '${id}'`);
  return found as T;
}

/** An action that ignores further calls until it has ended, such as the second click of a double click. */
export function once(act: () => Promise<void>): () => void {
  let isBusy = false;
  return () => {
    if (isBusy) return;
    isBusy = true;
    void act().finally(() => (isBusy = false));
  };
}

/** The message of an error. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
