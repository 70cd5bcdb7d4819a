// Lists: which items of one are in another, and lists as English text. It knows no game and no elements.

/** For each item, whether it has a partner in another list; equal items need one each. */
export function paired<T>(items: T[], others: T[]): boolean[] {
  const rest = [...others];
  return items.map((item) => {
    const at = rest.indexOf(item);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** Several items in words: `3, 5 and 6`. */
export function listed(all: (string | number)[], last = "and"): string {
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`;
}

/** A text with a capital letter at its start. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
