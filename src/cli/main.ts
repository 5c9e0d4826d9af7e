#!/usr/bin/env node
import { readEnvironment } from '../config/environment.js';
import { runCommandLine } from './command-line.js';

// Not process.exit, because output that is still being written to a pipe must arrive.
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: readEnvironment,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
