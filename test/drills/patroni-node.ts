import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../chaos/calls.ts';
import { freePort } from '../setup/free-port.ts';
import { findPrograms, serverAccount } from '../setup/postgres-cluster.ts';
import { until, type Bench } from './bench.ts';

/** One of Patroni's, with its PostgreSQL. */
export interface Node {
  process: ChildProcess;
  /** The port of its interface. */
  rest: number;
  data: string;
}

/** Whether it says that it has this role. */
export const says = async ({ rest }: Node, role: 'primary' | 'synchronous'): Promise<boolean> => {
  const reply = await call({ method: 'GET', url: `http://127.0.0.1:${rest}/${role}` });
  return reply.answered && reply.status === 200;
};
export const leads = (node: Node): Promise<boolean> => says(node, 'primary');
/** The process of its PostgreSQL. */
export const postmasterOf = ({ data }: Node): number =>
  Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Runs a program in a process group of its own, which ends with the drill. */
export function run(bench: Bench, program: string, args: string[], account = {}): ChildProcess {
  const env = {
    PATH: `${process.env['PATH']}:/usr/sbin`,
    LC_ALL: 'C.UTF-8',
    ETCD_UNSUPPORTED_ARCH: process.arch,
  };
  const child = spawn(program, args, { env, stdio: 'ignore', detached: true, cwd: '/', ...account });
  const kill = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  };
  process.once('exit', kill);
  bench.finally(kill);
  return child;
}

/** Starts one more, and waits until its PostgreSQL runs. */
export async function startNode(bench: Bench, number: number, port: number, etcd: number): Promise<Node> {
  const [rest, folder, account] = [await freePort(), join(bench.folder, `node-${number}`), serverAccount()];
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const settings = {
    ...{ scope: 'drill', name: `node-${number}`, etcd: { host: `127.0.0.1:${etcd}` } },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    bootstrap: {
      dcs: { ttl: 20, loop_wait: 2, retry_timeout: 5, synchronous_mode: true },
      ...{
        initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
      },
    },
    postgresql: {
      ...{
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(folder, 'data'),
      },
      ...{
        bin_dir: findPrograms().bin,
        pgpass: join(folder, 'pgpass'),
        parameters: { unix_socket_directories: '', max_connections: 100 },
      },
      authentication: {
        superuser: { username: 'postgres', password: 'drill' },
        replication: { username: 'copy', password: 'drill' },
      },
    },
  };
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, JSON.stringify(settings), { mode: 0o644 });
  const node = { process: run(bench, 'patroni', [file], account), rest, data: join(folder, 'data') };
  // The second one is a standby: it runs once it has its copy.
  const healthy = async (): Promise<boolean> => {
    const reply = await call({ method: 'GET', url: `http://127.0.0.1:${rest}/health` });
    return reply.answered && reply.status === 200;
  };
  await until(healthy, 90_000);
  return node;
}
