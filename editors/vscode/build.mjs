// Bundles the extension, and collects the licenses of the packages that the bundle contains: node build.mjs

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const FILE = "dist/extension.js";

const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: FILE,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  metafile: true,
  logLevel: "warning",
});

const inputs = Object.keys(metafile.outputs[FILE].inputs);
const packages = new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
const notices = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((file) => /^licen[cs]e(\.|$)/i.test(file));
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("dist/third-party.txt", notices.join(`\n${"-".repeat(80)}\n\n`));
