#!/usr/bin/env node
import '../no-inspector.js';
import { readEnvironment } from '../config/environment.js';
import { runCommandLine } from './command-line.js';
import { processTerminal } from './output.js';

// Not process.exit, because output that is still being written to a pipe must arrive.
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: readEnvironment,
  terminal: processTerminal(),
});
