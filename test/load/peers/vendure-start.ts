import { createRequire } from 'node:module';

/** Starts the Vendure server of the folder that the bench has made, in this process. */
const load = createRequire(`${process.cwd()}/package.json`);
const { start } = load('./shop.js') as { start: () => Promise<void> };
await start();
