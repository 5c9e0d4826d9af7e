import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { devSettings, type DevSettings } from './dev-settings.ts';
import { isTaken } from './ports.ts';
import { assertFree, ready, start, stopAll, type Running } from './processes.ts';
import { ROOT } from './settings.ts';

const INSPECTOR = '127.0.0.1:9229';
const NEST = 'node_modules/@nestjs/cli/bin/nest.js';
const WATCH = ['--watch', '--watch-preserve-output'];

/**
 * The service during development. It is compiled and restarted whenever a file changes, pages included, with a sandbox
 * gateway next to it. With `--inspect` Node's inspector is open, on loopback only.
 */
async function main(): Promise<void> {
  const dotEnv = existsSync(`${ROOT}.env`) ? parseEnv(readFileSync(`${ROOT}.env`, 'utf8')) : {};
  const settings = devSettings(process.env, dotEnv);
  await assertFree(settings.port, 'Tillfront', 'stop what uses it, or set PORT.');
  await mkdir(settings.dataDir, { recursive: true });

  const running: Running[] = [];
  let ending: Promise<never> | undefined;
  const end = (code: number): Promise<never> => (ending ??= stopAll(running).then(() => process.exit(code)));
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  const run = (name: string, args: string[], env: Record<string, string> = {}): Running => {
    const one = start(name, args, env, ROOT);
    show(one);
    running.push(one);
    // each of them watches files, so none of them ends by itself
    one.child.once('exit', () => void end(1));
    return one;
  };

  try {
    await startAll(settings, run);
  } catch (error) {
    if (!ending) process.stderr.write(`\n${error instanceof Error ? error.message : 'failed'}\n`);
    await end(1);
  }
}

async function startAll(
  settings: DevSettings,
  run: (name: string, args: string[], env?: Record<string, string>) => Running,
): Promise<void> {
  const { sandbox } = settings;
  if (sandbox && !(await isTaken(sandbox.port)))
    await ready(run('sandbox', [...WATCH, 'sandbox/main.ts'], sandbox.variables), `${sandbox.url}/sandbox`);
  // Nest's own compiler, because its plugin derives the API's description from the types. It empties dist first.
  const compiler = run('compiler', [NEST, 'build', '--watch', '--preserveWatchOutput']);
  await said(compiler, 'Watching for file changes');
  const sources = readdirSync(`${ROOT}browser`).filter((name) => !['dist', 'node_modules'].includes(name));
  const watched = sources.map((name) => `--watch-path=browser/${name}`);
  await said(run('pages', [...WATCH, ...watched, 'browser/build.ts']), 'gzipped');
  const inspector = process.argv.includes('--inspect') ? [`--inspect=${INSPECTOR}`] : [];
  const service = run(
    'service',
    [...WATCH, '--watch-path=dist', '--enable-source-maps', ...inspector, 'dist/main.js'],
    settings.service,
  );
  await ready(service, settings.readyUrl);
  process.stdout.write(announcement(settings, inspector.length > 0));
}

/** Waits until a program has printed these words. */
async function said({ name, child, output }: Running, words: string): Promise<void> {
  while (!output().includes(words)) {
    if (child.exitCode !== null) throw new Error(`${name} has ended`);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
  }
}

/** Passes on a program's output in whole lines, each with the program's name. */
function show({ name, child }: Running): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') process.stdout.write(`${name.padEnd(8)} │ ${line}\n`);
    });
  }
}

function announcement({ url, service, defaults, sandbox }: DevSettings, debugging: boolean): string {
  const key = defaults.includes('MERCHANT_API_KEY') ? service['MERCHANT_API_KEY'] : '$MERCHANT_API_KEY';
  return `
Tillfront is at ${url} and starts again when a file of src or browser changes, until Ctrl-C.

  the API, described      ${url}/docs
  the merchant's console  ${url}/console${key === '$MERCHANT_API_KEY' ? '' : `   (sign in with ${key})`}
  the gateway             ${sandbox ? `${sandbox.url}   (the sandbox: test cards, the payer's bank)` : service['GATEWAY_BASE_URL']}
${debugging ? `  the inspector           ${INSPECTOR}   (chrome://inspect, or "attach" in your editor)\n` : ''}
Begin with an order; the answer's checkoutUrl is the page to pay at:

  curl ${url}/v1/checkout-sessions -H 'Authorization: Bearer ${key}' \\
    -H "Idempotency-Key: $RANDOM$RANDOM" -H 'Content-Type: application/json' \\
    -d '{ "reference": "ORDER-'$RANDOM'", "amount": "1500.00", "currency": "NGN" }'

${defaults.length === 0 ? 'All is set by .env or the environment.' : `Neither .env nor the environment sets ${defaults.join(', ')}:\nthe demo's values hold. Other ones go into .env, see .env.example.`}
`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The start failed'}\n`);
  process.exit(1);
});
