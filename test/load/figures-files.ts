import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FreshUnknown } from './fresh-unknown.ts';
import type { Growth } from './growth.ts';
import type { Install } from './install.ts';
import type { Replicas } from './replicas.ts';
import type { Writes } from './row-writes.ts';
import type { Measurement } from './scenario.ts';

/** Everything that the page tells, by the part of the bench, or the command, that measures it. */
export interface Parts {
  servers: Servers;
  writes: Writes;
  replicas: Replicas;
  growth: Growth;
  unknown: FreshUnknown;
  install: Install;
  soak: Soak;
  tests: TestTimes;
  holds: StoreHolds;
  simulation: Simulation;
}

/** All servers in all scenarios, in one run. */
export interface Servers {
  rounds: number;
  measurements: Measurement[];
  processes: { name: string; startMs: number; rssMb: number }[];
}

/** Memory at half load, in megabytes. */
export interface Soak {
  minutes: number;
  perSecond: number;
  paid: number;
  /** Payments that were refused before they had begun (503). */
  refused: number;
  secondQuarterMb: number;
  lastQuarterMb: number;
  mostMb: number;
}

/** In seconds, on two cores. */
export interface TestTimes {
  all: number;
  quick: number;
}

/** How SQLite holds the main thread of the embedded service under load. */
export interface StoreHolds {
  /** The longest call of each round, in milliseconds. */
  longestMs: number[];
}

/** What the simulation does in a minute of processor time. */
export interface Simulation {
  perMinute: number;
}

/** A part's figures, and on what they were measured. */
export interface Measured<T> {
  machine: string;
  node: string;
  figures: T;
}

export type AllParts = { [P in keyof Parts]?: Measured<Parts[P]> };

/** Where figures are kept unless another folder is named. */
export const figuresFolder = fileURLToPath(new URL('figures', import.meta.url));
const names = [
  'servers',
  'writes',
  'replicas',
  'growth',
  'unknown',
  'install',
  'soak',
  'tests',
  'holds',
  'simulation',
] as const satisfies (keyof Parts)[];

export function keepFigures<P extends keyof Parts>(folder: string, part: P, figures: Parts[P]): void {
  const measured: Measured<Parts[P]> = {
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`,
    node: process.version,
    figures,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${part}.json`), `${JSON.stringify(measured, null, 2)}\n`);
}

/** What has been measured so far. A part that has not is missing, and the page says so. */
export function readFigures(folder: string): AllParts {
  const found: Partial<Record<keyof Parts, unknown>> = {};
  for (const part of names) {
    try {
      found[part] = JSON.parse(readFileSync(join(folder, `${part}.json`), 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return found as AllParts;
}
