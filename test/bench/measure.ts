import { spawn } from 'node:child_process';
import { cpuOf, cpuOfServer, postmasterOf, written } from './cpu.js';
import { payAtOnce, payAtRate, quantile } from './load.js';
import type { Gateway, Server } from './servers.js';

/** What one turn of a server showed, all of it a payment. */
export interface Turn {
  perSecond: number;
  cpuMs: number;
  databaseCpuMs: number;
  /** Objects that its main thread allocated, kB. */
  objects: number;
  /** Rows that the database wrote, and kB of the database's log of changes and of the service's log. */
  rows: number;
  databaseLog: number;
  log: number;
}

/** PostgreSQL's sessions tell what they have written at most once a second. */
const STATISTICS_MS = 1_200;

export async function throughput(server: Server, payments: number, concurrency: number): Promise<Turn> {
  const { databaseUrl, pid } = server;
  const calls = await server.calls(payments);
  const postmaster = databaseUrl === undefined ? undefined : await postmasterOf(databaseUrl);
  const look = async () => {
    const used = { cpu: cpuOf(pid), databaseCpu: postmaster === undefined ? 0 : cpuOfServer(postmaster) };
    const probe = await server.probe();
    if (databaseUrl === undefined) return { ...used, ...probe, rows: 0, log: 0, logged: server.logged() };
    await new Promise((resolve) => setTimeout(resolve, STATISTICS_MS));
    return { ...used, ...probe, ...(await written(databaseUrl)), logged: server.logged() };
  };
  const before = await look();
  const seconds = await payAtOnce(server.url, calls, concurrency);
  const after = await look();
  return {
    perSecond: payments / seconds,
    cpuMs: (after.cpu - before.cpu) / payments,
    databaseCpuMs: (after.databaseCpu - before.databaseCpu) / payments,
    objects: (after.allocated - before.allocated) / payments / 1000,
    rows: (after.rows - before.rows) / payments,
    databaseLog: (after.log - before.log) / payments / 1000,
    log: (after.logged - before.logged) / payments / 1000,
  };
}

/** Milliseconds that a server adds to the gateway's own, and the longest for which its event loop stood still. */
export interface Added {
  p50: number;
  p99: number;
  heldUpMs: number;
}

const GATEWAY_MS = 50;

export async function latency(
  server: Server,
  gateway: Gateway,
  { perSecond, seconds, busy }: { perSecond: number; seconds: number; busy: boolean },
): Promise<Added> {
  const calls = await server.calls(perSecond * seconds);
  gateway.delay(GATEWAY_MS);
  const taken = busy ? spawn(process.execPath, ['-e', 'for (;;);']) : undefined;
  try {
    await server.probe();
    const took = await payAtRate(server.url, calls, perSecond);
    const { heldUpMs } = await server.probe();
    return { p50: quantile(took, 0.5) - GATEWAY_MS, p99: quantile(took, 0.99) - GATEWAY_MS, heldUpMs };
  } finally {
    taken?.kill('SIGKILL');
    gateway.delay(0);
  }
}
