// The entries of the tab's history: each has a view, and the game that it shows. Owns the state of the history. It opens
// nothing: its callers do.

/** What an entry shows. */
export interface Place {
  view?: string;
  /** The id of a kept game. */
  game?: string;
}

/** The current entry. */
export function here(): Place {
  const { view, game } = (history.state ?? {}) as Record<string, unknown>;
  return { ...(typeof view === "string" && { view }), ...(typeof game === "string" && { game }) };
}

/** Changes the current entry. It keeps its link if `isLinked`. */
export function stay(change: Place, isLinked = true): void {
  history.replaceState({ ...here(), ...change }, "", isLinked ? location.href : bare());
}

/** Adds an entry, without a link. */
export function pass(place: Place): void {
  history.pushState(place, "", bare());
}

const bare = () => location.href.split("#")[0];
