// Dice that neither of two players can choose: commitments, and seeds from the parts of both. The same bytes as those of the
// program's `fair-dice`, which docs/fair-dice.md specifies. It knows no games and no links.

/** Whether a text is a part or a commitment: 32 bytes in hexadecimal digits. */
export const isPart = (text: unknown): text is string => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function digest(text: string): Promise<Uint8Array> {
  // Browsers offer this only over HTTPS or on this machine.
  if (!globalThis.crypto.subtle) throw new Error("Fair dice need a page that is served over HTTPS.");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** A new secret part. */
export function newPart(): string {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** The commitment that binds a player to a part without revealing it. */
export async function commitment(part: string): Promise<string> {
  return hex(await digest(part));
}

/** The seed from the parts of the players, in turn order: the first 53 bits of their hash. */
export async function seedOf(...parts: string[]): Promise<number> {
  return Number(new DataView((await digest(parts.join("\n"))).buffer).getBigUint64(0) >> 11n);
}
