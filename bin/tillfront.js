#!/usr/bin/env node
/*
 * What `npx tillfront` starts in a checkout. npx looks for a command's file only the first time it is asked and keeps what it found, so
 * this one is in the repository: where it was made by the build, asking too early left "not found" for good.
 */
import './assert-built.js';

await import('../dist/cli/main.js');
