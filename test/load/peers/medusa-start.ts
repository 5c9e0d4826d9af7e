import { createRequire } from 'node:module';

/** Starts the Medusa server of the folder that the bench has made, in this process, as `medusa start` does. */
const folder = process.cwd();
const load = createRequire(`${folder}/package.json`);
const { default: start } = load('@medusajs/medusa/commands/start') as {
  default: (options: object) => Promise<void>;
};
await start({ directory: folder, port: Number(process.env['PORT']), host: '127.0.0.1', types: false });
