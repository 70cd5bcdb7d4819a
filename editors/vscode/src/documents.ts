// The documents that the extension and the server work with. No VS Code here.

/** The language of game scripts. */
export const SCRIPT = "rhai";

/** The language of tests: files that end in `.game`. */
export const GAME = "astragal-game";

/** Where documents are: on disk, or not saved yet. */
const SCHEMES = ["file", "untitled"];

/** The documents that the server gets. */
export const SELECTOR = [SCRIPT, GAME].flatMap((language) => SCHEMES.map((scheme) => ({ language, scheme })));
