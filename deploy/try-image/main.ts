import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStages, type Built } from './build-stages.ts';
import { NotOnThisMachine, realBuild, whyNoRealBuild, type RealBuild } from './buildah.ts';
import { debianPackages, faultsOfContents } from './contents.ts';
import { confinedRunnerOf, runnerOf, volumeFor, type Runner } from './run-image.ts';

/**
 * Builds the image by buildah, where that is here, or does the Dockerfile's steps in a plain directory. Runs what comes of it as the
 * image would run: as its user, read-only but for the volume, with production's rules, against the sandbox from its own stage.
 * Exits with 1 where anything is not as it must be.
 *
 *   node deploy/try-image/main.ts [--plain] [--installed]
 *     --plain: in a plain directory, also where buildah is    --installed: there, with the checkout's node_modules for the build stage
 */
const { values } = parseArgs({
  options: { installed: { type: 'boolean', default: false }, plain: { type: 'boolean', default: false } },
});
const LARGEST_MB = 120;

const begun = performance.now();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const into = mkdtempSync(join(tmpdir(), 'tillfront-image-'));
chmodSync(into, 0o755);
const processes: ChildProcess[] = [];
let real: RealBuild | undefined;

try {
  await tryImage();
  say(`The image's steps and its result hold (${Math.round((performance.now() - begun) / 1000)} s).`);
} catch (error) {
  process.exitCode = 1;
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  for (const child of processes) child.kill('SIGKILL');
  real?.end();
  spawnSync('chmod', ['-R', 'u+w', into]);
  rmSync(into, { recursive: true, force: true });
}

async function tryImage(): Promise<void> {
  const context = join(import.meta.dirname, '..', '..');
  const without = values.plain || values.installed ? 'it was asked for' : whyNoRealBuild();
  say(without === undefined ? 'A real build by buildah.' : `The steps in a plain directory: ${without}.`);
  if (without === undefined) real = tryRealBuild(context);
  const stages = real
    ? undefined
    : buildStages(['service', 'sandbox'], { context, into, installed: values.installed, say });
  const service = real?.image ?? stages?.get('service');
  if (!service) throw new Error('the Dockerfile lacks a stage');
  const size = sizeOf(join(service.root, 'app'));
  say(`size of the service's own files: ${size} MB`);
  must(size <= LARGEST_MB, `they must be at most ${LARGEST_MB} MB`);
  if (real) {
    say(`size of the whole image: ${sizeOf(service.root)} MB in ${real.layers.length} layers`);
    say(`packages of Debian in it: ${debianPackages(real).join(', ')}`);
    const faults = faultsOfContents(real);
    must(faults.length === 0, `the image must be without what it does not need:\n${faults.join('\n')}`);
  }
  const before = listing(service.root);

  const volume = volumeFor(service, join(into, 'volume'));
  const runnerFor = (image: typeof service): Runner =>
    real ? confinedRunnerOf(image, volume) : runnerOf(image, into);
  const runner = runnerFor(service);
  say(`running it ${runner.way}`);
  const [gatewayPort, port, managementPort] = await Promise.all([freePort(), freePort(), freePort()]);
  await startSandbox(stages?.get('sandbox'), { context, port: gatewayPort, runnerFor });

  const merchantKey = randomBytes(32).toString('hex');
  const env = {
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    GATEWAY_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    GATEWAY_API_KEY: 'sandbox-key',
    GATEWAY_ACCESS_TOKEN: 'sandbox-token',
    MERCHANT_API_KEY: merchantKey,
    SECRET_KEY: randomBytes(48).toString('base64'),
    CARD_ENCRYPTION_KEY: generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    DATA_DIR: real ? '/data' : volume,
    NOTIFICATION_SECRET: randomBytes(24).toString('hex'),
  };
  // By its name, as `docker exec` would find it. In a plain directory the path of Node.js that it begins with is this machine's.
  const command = real ? ['tillfront'] : ['node', '/app/bin/tillfront'];
  const tillfront = (...args: string[]) => runner.run([...command, ...args], env);
  if (real) {
    const shell = runner.run(['sh', '-c', 'true'], env);
    must(shell.code !== 0 && shell.output.includes('No such file'), 'no shell may start in it');
    const written = runner.run(['node', '-e', 'fs.writeFileSync("/app/written", "")'], env);
    must(/EROFS|EACCES/.test(written.output), `its root must not be writable:\n${written.output}`);
    const who = runner.run(['node', '-p', 'os.userInfo().uid + " " + process.getgroups()'], env).output;
    must(who.trim() === '1000 1000', `it must run as user 1000 of its own group alone, not as ${who}`);
  }
  must(runner.run(service.healthcheck, env).code === 1, 'the health check must fail while nothing runs');
  const migrated = tillfront('migrate');
  must(migrated.code === 0, `tillfront migrate must work:\n${migrated.output}`);

  const main = runner.start(service.entrypoint, { ...env, MIGRATE_ON_START: 'false' });
  const log = follow(main);
  const ended = new Promise<number | null>((resolve) => main.once('close', resolve));
  await answers(`http://127.0.0.1:${managementPort}/health/ready`, 'the service', log);
  // An engine asks three times before it gives up, and so do we on a busy machine.
  const healthy = [1, 2, 3].some(() => runner.run(service.healthcheck, env).code === 0);
  must(healthy, `the health check must pass while it runs:\n${log()}`);
  const status = await pay(port, merchantKey);
  must(status === 'succeeded', `a card payment must succeed, and is ${status}`);
  const doctor = tillfront('doctor');
  must(doctor.code === 0, `tillfront doctor must find no problem:\n${doctor.output}`);
  const list = tillfront('payments', 'list');
  must(
    list.code === 0 && list.output.includes('succeeded'),
    `tillfront payments list must show it:\n${list.output}`,
  );
  for (const path of ['/checkout', '/console', '/docs', '/openapi.json', '/kit/tillfront.js']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    must(response.ok, `${path} must be served, and answers ${response.status}`);
  }
  main.kill('SIGTERM');
  const code = await Promise.race([
    ended,
    new Promise<string>((resolve) => setTimeout(resolve, 15_000, 'nothing')),
  ]);
  must(code === 0, `SIGTERM must end it with 0, not ${code}:\n${log()}`);
  must(listing(service.root) === before, 'nothing may be written into the image');
}

/** Undefined, with the reason said, where the machine cannot; a Dockerfile that does not build throws. */
function tryRealBuild(context: string): RealBuild | undefined {
  try {
    return realBuild('service', { context, into, say });
  } catch (error) {
    if (!(error instanceof NotOnThisMachine)) throw error;
    say(`The steps in a plain directory after all, for this machine could not: ${error.message}`);
    return undefined;
  }
}

/** The gateway: from its own stage, or from the checkout beside a real build, which is of the service alone. */
async function startSandbox(
  stage: Built | undefined,
  { context, port, runnerFor }: { context: string; port: number; runnerFor: (image: Built) => Runner },
): Promise<void> {
  const env = { SANDBOX_PORT: String(port) };
  const gateway = stage && runnerFor(stage);
  const log = follow(
    gateway && stage
      ? gateway.start(stage.entrypoint, env)
      : spawn(process.execPath, ['sandbox/main.ts'], { cwd: context, env: { ...process.env, ...env } }),
  );
  await answers(`http://127.0.0.1:${port}/sandbox`, 'the sandbox', log);
  if (!gateway || !stage) return;
  must(gateway.run(stage.healthcheck, env).code === 0, "the sandbox's health check must pass");
}

/** What a process says; it ends with us. */
function follow(child: ChildProcess): () => string {
  processes.push(child);
  let log = '';
  child.stdout?.on('data', (text: Buffer) => (log += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (log += text.toString()));
  return () => log;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function sizeOf(path: string): number {
  return Number(spawnSync('du', ['-sm', path], { encoding: 'utf8' }).stdout.split('\t')[0]);
}

/** Every file with its size and its time of change. */
function listing(path: string): string {
  return spawnSync('find', [path, '-type', 'f', '-printf', '%P %s %T@\n'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).stdout;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url: string, who: string, log: () => string): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${who} does not answer\n${log()}`);
}

async function pay(port: number, merchantKey: string): Promise<string> {
  const post = async (path: string, token: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const example = JSON.parse(readFileSync(join(import.meta.dirname, 'payment.json'), 'utf8')) as {
    session: object;
    payment: object;
  };
  const { clientToken = '' } = await post('/v1/checkout-sessions', merchantKey, example.session);
  const payment = await post('/v1/payments/card', clientToken, example.payment);
  return payment['status'] ?? JSON.stringify(payment);
}
