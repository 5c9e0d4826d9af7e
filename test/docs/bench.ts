import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { until } from '../harness/until.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { createEmptyStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { service } from '../setup/service.js';
import type { Block } from './markdown.js';

/** Where a document's commands run as a reader would type them: a folder, a running service, the sandbox. */
export interface Bench {
  /** Runs the document's blocks in order, as one session of bash; returns the output of each. */
  run(blocks: readonly Block[]): Promise<string[]>;
  /** What a file in the session's folder has now. */
  file(name: string): Promise<string>;
  close(): Promise<void>;
}

export interface BenchOptions {
  /** Whether a service and a sandbox run already. A document that starts its own wants none. */
  running: boolean;
  /** What stands in the session's folder already. */
  files?: Record<string, string> | undefined;
}

const repository = join(import.meta.dirname, '..', '..');

export async function openBench({ running, files = {} }: BenchOptions): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'tillfront-docs-'));
  const ports = { service: await freePort(), sandbox: await freePort() };
  let sandbox: Sandbox | undefined;
  let tillfront: Tillfront | undefined;
  let database: TestStore | undefined;
  if (running) {
    sandbox = await startTestSandbox();
    tillfront = await startTillfront({
      store: 'embedded',
      gatewayUrl: sandbox.url,
      port: ports.service,
      env: { MERCHANT_API_KEY: CHOSEN_KEY },
      readyWithinMs: 30_000,
    });
    await prepare(tillfront);
  }
  await writeCommands(join(folder, 'bin'), await service('build'));
  const env: NodeJS.ProcessEnv = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: process.env['HOME'],
    PORT: String(ports.service),
    SANDBOX_PORT: String(ports.sandbox),
    HOST: '127.0.0.1',
    ...(tillfront && sandbox ? operatorsEnvironment(tillfront, sandbox) : { DATA_DIR: join(folder, 'data') }),
  };
  const work = join(folder, 'work');
  await mkdir(work);
  await cp(join(repository, 'examples'), join(work, 'examples'), { recursive: true });
  await cp(join(repository, 'profiles'), join(work, 'profiles'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(work, name), text);
  return {
    run: async (blocks) => {
      if (blocks.some(({ info }) => info === 'postgres')) database ??= await createEmptyStore('postgres');
      return runSession(blocks, { work, env, ports, databaseUrl: database?.databaseUrl });
    },
    file: (name) => readFile(join(work, name), 'utf8'),
    close: async () => {
      await tillfront?.stop();
      await sandbox?.close();
      await database?.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The merchant's key of a service that documents find running. */
const CHOSEN_KEY = 'a-key-that-i-have-chosen';

/** What documents take for granted: one order that is paid. */
async function prepare(tillfront: Tillfront): Promise<void> {
  const client = new TillfrontClient(tillfront.url, CHOSEN_KEY);
  expectStatus(await client.payCard(await client.createSession({ reference: 'ORDER-1001' })), 201);
}

/** The configuration of the running service, as its operator has it in the shell. */
function operatorsEnvironment(tillfront: Tillfront, sandbox: Sandbox): NodeJS.ProcessEnv {
  return {
    DATA_DIR: tillfront.dataDir,
    GATEWAY_BASE_URL: sandbox.url,
    GATEWAY_API_KEY: testKeys.apiKey,
    GATEWAY_ACCESS_TOKEN: testKeys.accessToken,
    MERCHANT_API_KEY: CHOSEN_KEY,
    SECRET_KEY: testKeys.secretKey,
    CARD_ENCRYPTION_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    PUBLIC_BASE_URL: tillfront.url,
  };
}

/** `npm run` and `npx tillfront` of a checkout whose build is the tests' own; anything else of npm is unknown here. */
async function writeCommands(bin: string, build: string): Promise<void> {
  await mkdir(bin);
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const known = Object.entries(scripts)
    .filter(([name]) => ['sandbox', 'start:prod'].includes(name))
    .map(
      ([name, script]) =>
        `run\\ ${name}) exec ${script
          .replace(/^exec /, '')
          .replace(' dist/', ` ${build}/`)
          .replace(' sandbox/', ` ${repository}/sandbox/`)} ;;`,
    );
  const commands = {
    npm: `case "$*" in\nrun\\ build) ;; # the tests have built it\n${known.join('\n')}\n*) echo "npm $*: not known here" >&2; exit 64 ;;\nesac`,
    npx: `if [ "$1" = node ]; then shift; exec node "$@"; fi\n[ "$1" = tillfront ] || { echo "npx $*: not known here" >&2; exit 64; }\nshift\nexec node ${build}/cli/main.js "$@"`,
    node: `exec ${process.execPath} "$@"`,
  };
  for (const [name, script] of Object.entries(commands)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
}

interface Session {
  work: string;
  env: NodeJS.ProcessEnv;
  ports: { service: number; sandbox: number };
  /** For blocks that say `postgres`: an empty database. */
  databaseUrl: string | undefined;
}

async function runSession(
  blocks: readonly Block[],
  { work, env, ports, databaseUrl }: Session,
): Promise<string[]> {
  const marker = `--- ${randomUUID()}`;
  const here = (text: string): string =>
    text.replaceAll(/\b3000\b/g, String(ports.service)).replaceAll(/\b4010\b/g, String(ports.sandbox));
  const parts: string[] = [];
  for (const block of blocks) {
    const isCommand = block.language === 'sh' && !block.info.startsWith('not-here:');
    const code = isCommand ? here(block.code) : '';
    parts.push(frame(block.info, code, databaseUrl), `echo; echo "${marker}"`);
  }
  const script = ['set -euo pipefail', "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", ...parts].join(
    '\n',
  );
  const { code, output } = await bash(script, work, env, (text) => text.split(marker).length > blocks.length);
  const outputs = output.split(`\n${marker}\n`);
  if (code !== 0) {
    const failed = blocks[outputs.length - 1];
    throw new Error(
      `docs/${failed?.document ?? '?'}:${failed?.line ?? 0} ended with ${code}:\n${failed?.code ?? ''}\n${outputs.at(-1) ?? ''}`,
    );
  }
  return outputs.slice(0, blocks.length);
}

/** A block's commands where they belong: in front, behind, or where the variables name a PostgreSQL. */
function frame(info: string, code: string, databaseUrl: string | undefined): string {
  if (info === 'background') return `{\n${code}} > background.log 2>&1 &`;
  if (info === 'postgres') return `export DATABASE_URL='${databaseUrl ?? ''}'\n${code}\nunset DATABASE_URL`;
  return code;
}

function bash(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  isAll: (output: string) => boolean,
): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 270_000);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not "close": what runs in the background holds the pipes until it has ended.
    child.once('exit', (code) => {
      clearTimeout(timer);
      try {
        process.kill(-(child.pid ?? 0), 'SIGTERM');
      } catch {
        // all of it has ended
      }
      // What it has written may still be on its way: where it ended well, it is known how much that is.
      const isWhole = (): boolean => code !== 0 || isAll(output);
      setTimeout(() => void until(isWhole, 30_000).then(() => resolve({ code, output }), reject), 200);
    });
  });
}
