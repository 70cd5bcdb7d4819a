// Access to storage that the browser may refuse: then nothing is remembered, and the page works as well.

/** The result of an access to `localStorage` or `sessionStorage`; undefined if the browser refuses it. */
export function stored<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
