// expect.mjs RAW EVENTS EXPECTATION…: what must be true of a run, as JavaScript over its events.
import { readFileSync } from "node:fs"

const [raw, path, ...expectations] = process.argv.slice(2)
const records = (file) =>
    readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
const events = records(path)
const of = (type) => events.filter((event) => event.type === type).map((event) => event.payload)
const first = (type) => of(type)[0] ?? {}
const last = (type) => of(type).at(-1) ?? {}
const none = (type) => of(type).length === 0

for (const { type, payload, line } of events) {
    console.log(`  ${line ?? "-"} ${type} ${JSON.stringify(payload).slice(0, 160)}`)
}
// Nothing is dropped: every line of the harness has its event.
const lines = new Set(events.map((event) => event.line).filter(Boolean))
const all = readFileSync(raw, "utf8").split("\n").filter((line) => line.trim()).length
const judge = new Function("events", "of", "first", "last", "none", "lines", "all",
    `return [${["lines.size === all", ...expectations].join(",\n")}]`)
const verdicts = judge(events, of, first, last, none, lines, all)
verdicts.forEach((verdict, at) => {
    if (!verdict) {
        console.log(`FAILED ${path}: ${["lines.size === all", ...expectations][at]}`)
        process.exitCode = 1
    }
})
