// Every golden output must fit schema/event.schema.json. The argument names the package.json whose
// folder has ajv. Strict mode also refuses a schema that says something without effect.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(process.argv[2]);
const { default: Ajv } = require("ajv/dist/2020");
const { default: formats } = require("ajv-formats");

const schema = JSON.parse(readFileSync("schema/event.schema.json", "utf8"));
const ajv = formats(new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }));
const event = ajv.compile(schema);
const passedOn = ajv.compile({ ...schema.$defs.PassedOn, $defs: schema.$defs });

let files = 0;
let count = 0;
let wrong = 0;
for (const protocol of readdirSync("fixtures")) {
  for (const name of readdirSync(join("fixtures", protocol))) {
    const path = join("fixtures", protocol, name, "expected.jsonl");
    if (!existsSync(path)) continue;
    files += 1;
    // Stored records without a source are passed on, whatever they are.
    const given = new Set(readFileSync(path.replace("expected", "input"), "utf8").split("\n"));
    for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
      if (line === "") continue;
      const record = JSON.parse(line);
      if (protocol === "agentnorm" && (given.has(line) || record.source === undefined)) continue;
      count += 1;
      const fits = protocol === "jsonl" && record.type !== "raw" ? passedOn : event;
      if (!fits(record)) {
        wrong += 1;
        if (wrong <= 20) console.log(`${path}:${at + 1}: ${ajv.errorsText(fits.errors).slice(0, 300)}`);
      }
    }
  }
}
console.log(`ajv: ${count} records of ${files} golden outputs, ${wrong} wrong`);
process.exit(wrong === 0 && count > 0 ? 0 : 1);
