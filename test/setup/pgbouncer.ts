import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { serverAccount } from './postgres-cluster.ts';

/** A real PgBouncer in transaction mode before a database. */
export interface PgBouncer {
  /** The address of the same database, through it. */
  url: string;
  stop(): Promise<void>;
}

const PLACES = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** Throws where PgBouncer is not installed: these tests are never left out silently. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const program = PLACES.find((place) => existsSync(place));
  if (program === undefined) {
    throw new Error('No PgBouncer for the tests: install Debian\'s package "pgbouncer".');
  }
  const target = new URL(databaseUrl);
  const port = await freePort();
  const account = serverAccount();
  const directory = await mkdtemp(join(tmpdir(), 'tillfront-test-pgbouncer-'));
  const settings = `[databases]
* = host=127.0.0.1 port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(directory, 'users')}
pool_mode = transaction
default_pool_size = 6
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 5
tcp_user_timeout = 5000
`;
  await writeFile(join(directory, 'pgbouncer.ini'), settings);
  await writeFile(
    join(directory, 'users'),
    `"${target.username}" "${decodeURIComponent(target.password)}"\n`,
  );
  await chmod(directory, 0o755);
  for (const name of ['pgbouncer.ini', 'users']) {
    if (account) await chown(join(directory, name), account.uid, account.gid);
  }
  const running = await start(program, directory, port, account);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      running.kill('SIGKILL');
      if (running.exitCode === null && running.signalCode === null)
        await new Promise((resolve) => running.once('exit', resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function start(
  program: string,
  directory: string,
  port: number,
  account: ReturnType<typeof serverAccount>,
): Promise<ChildProcess> {
  const child = spawn(program, ['-q', join(directory, 'pgbouncer.ini')], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-5000)));
  for (const deadline = Date.now() + 10_000; !(await accepts(port));) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`PgBouncer did not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return child;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
