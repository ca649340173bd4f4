#!/usr/bin/env node
// Runs the platform's binary with our streams, passes signals on, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `agentnorm-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/agentnorm`);
} catch {
  console.error(`agentnorm: no binary for this platform: the package ${name} is not installed`);
  process.exit(process.argv[2] === "wrap" ? 125 : 2);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
// What a terminal sends reaches the child by itself, and twice is once too often. What is sent to us alone
// is passed on.
const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) {
  const bySelf = terminal && (signal === "SIGINT" || signal === "SIGQUIT");
  process.on(signal, () => bySelf || child.kill(signal));
}
child.on("error", (error) => {
  console.error(`agentnorm: cannot run ${binary}: ${error.message}`);
  process.exit(process.argv[2] === "wrap" ? 125 : 2);
});
child.on("exit", (status, signal) => {
  process.exit(signal === null ? status : 128 + constants.signals[signal]);
});
