import { readFileSync } from 'node:fs';

/** Files and connections of the service's own: store, gateway, webhook, log, health and its reserve. */
const KEPT = 512;

/** However few there are, somebody must be served. */
const LEAST = 64;

/** The most files and connections that this process may have open at once. Undefined where the system does not say. */
export function openFilesLimit(): number | undefined {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux has this file.
    return undefined;
  }
  return limitIn(limits);
}

/** The soft limit, which is the one that holds. Undefined for `unlimited`. */
export function limitIn(limits: string): number | undefined {
  const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** How many connections of callers fit, if so many are wanted (0: no limit). Without a file handle nothing works: no commit, and no call. */
export function fittingConnections(wanted: number, openFiles: number | undefined): number {
  if (wanted === 0 || openFiles === undefined) return wanted;
  return Math.min(wanted, Math.max(LEAST, openFiles - KEPT));
}
