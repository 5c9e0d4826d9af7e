import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

/** Processor time by /proc, in milliseconds; a tick of Linux is 10 ms. */

const TICK_MS = 10;
/** Where the fields of /proc/PID/stat are, after the name in brackets. */
const FIELD = { parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 } as const;

function fields(pid: number | string): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

const sum = (stat: number[], ...names: (keyof typeof FIELD)[]): number =>
  names.reduce((ticks, name) => ticks + (stat[FIELD[name]] ?? 0), 0) * TICK_MS;

/** What a process has used, all its threads. */
export const cpuOf = (pid: number): number => sum(fields(pid), 'user', 'system');

/** What a PostgreSQL server has used: its postmaster, each of its processes, and those that have ended. */
export function cpuOfServer(postmaster: number): number {
  let total = sum(fields(postmaster), 'user', 'system', 'childrenUser', 'childrenSystem');
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = fields(pid);
      if (stat[FIELD.parent] === postmaster) total += sum(stat, 'user', 'system');
    } catch {
      // it has ended meanwhile
    }
  }
  return total;
}

/** The process id of the server behind a connection. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = fields(rows[0]?.pid ?? 0)[FIELD.parent] ?? 0;
  await client.end();
  return parent;
}

/** Rows that a database has written so far, and the bytes of its log of changes. */
export async function written(url: string): Promise<{ rows: number; log: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ rows: string; log: string }>(
    `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) as rows, pg_current_wal_lsn() - '0/0' as log from pg_stat_user_tables`,
  );
  await client.end();
  return { rows: Number(rows[0]?.rows), log: Number(rows[0]?.log) };
}
