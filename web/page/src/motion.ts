// Motion and pauses that let people follow a game. Owns whether there are any: not if the user prefers reduced motion.

/** Whether the user prefers reduced motion. */
export function isCalm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Waits for some milliseconds, or not at all if the user prefers reduced motion. */
export function pause(milliseconds: number): Promise<void> {
  return isCalm() ? Promise.resolve() : new Promise((go) => setTimeout(go, milliseconds));
}
