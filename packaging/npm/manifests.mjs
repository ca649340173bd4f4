// Writes the package.json of both packages and prints the name of the platform's.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [version, target, folder] = process.argv.slice(2);
const platforms = JSON.parse(readFileSync(new URL("platforms.json", import.meta.url), "utf8"));
const platform = platforms.find((one) => one.target === target);
if (platform === undefined) throw new Error(`packaging/npm/platforms.json has no ${target}`);

const common = { version, license: "MIT OR Apache-2.0" };
const summary = "Turns the JSON lines that coding agents print into one small, stable event vocabulary";
write(platform.name, {
  name: platform.name,
  ...common,
  description: `The binary of agentnorm for ${target}`,
  files: ["bin"],
  os: [platform.os],
  cpu: [platform.cpu],
  ...(platform.libc && { libc: [platform.libc] }),
});
write("agentnorm", {
  name: "agentnorm",
  ...common,
  description: summary,
  keywords: ["agent", "claude", "codex", "jsonl", "cli"],
  bin: { agentnorm: "bin/agentnorm.js" },
  files: ["bin", "schema"],
  exports: {
    "./schema": { types: "./schema/event.d.ts", default: "./schema/event.schema.json" },
    "./package.json": "./package.json",
  },
  engines: { node: ">=18" },
  optionalDependencies: Object.fromEntries(platforms.map((one) => [one.name, version])),
});
console.log(platform.name);

function write(name, manifest) {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
