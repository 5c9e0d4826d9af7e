import { startSandbox } from './server.ts';
const sandbox = await startSandbox({ port: Number(process.env.SANDBOX_PORT ?? 4010) });
process.stdout.write(`Sandbox gateway at ${sandbox.url}\n`);
