import type { Commit } from './witness.js';

/** Why the store must not or cannot be used. */
export type StoreFault =
  | {
      kind: 'loss';
      /** Commits that were answered and that the store does not know; a part of them where there are many. */
      missing: readonly Commit[];
      /** For a person. */
      message: string;
    }
  | { kind: 'read-only'; message: string }
  /** The embedded store: another file stands where the opened one was. */
  | { kind: 'replaced'; message: string }
  /** The embedded store: whether its files are the opened ones cannot be told now. */
  | { kind: 'unreadable'; message: string }
  /** It confirms no write. */
  | { kind: 'no-writes'; message: string }
  /** PostgreSQL: it cannot be looked at now. */
  | { kind: 'unreachable'; message: string };

/** What the store's history does, for the log. `whole` and `moved`: it is the same, and goes on elsewhere. */
export interface HistoryObserver {
  fault?(fault: StoreFault): void;
  whole?(what: { moved: boolean; accepted: boolean }): void;
}

export const READ_ONLY: StoreFault = {
  kind: 'read-only',
  message: 'the database takes no writes (it is a standby, or read-only)',
};

/** The embedded store's file, or its log, is not the one that is written to. */
export function replaced(path: string): StoreFault {
  return {
    kind: 'replaced',
    message:
      `${path} was replaced or removed while it was in use, and what is confirmed now would be lost. Do not stop the process: ` +
      'put the former file back (docs/runbook.md, "The store’s file was replaced")',
  };
}

/** The embedded store's file, or its log, cannot be looked at, though it may well be there. */
export function unreadable(path: string, code: string): StoreFault {
  return {
    kind: 'unreadable',
    message:
      `${path} cannot be looked at (${code}), so nothing is confirmed. Do not stop the process: look at the disk and at the rights ` +
      'to the folder (docs/runbook.md, "The store’s file was replaced")',
  };
}

/** The embedded store's time is before one that it had reached. `known` is absent where an earlier start has found it. For a person. */
export function olderThan(known: number | undefined, found: number): string {
  const when = (time: number): string => new Date(time).toISOString();
  const reached = known === undefined ? '' : `, and had reached ${when(known)}`;
  return (
    `the embedded store has forgotten what it had confirmed: it ends at ${when(found)}${reached}. An older copy was put in its place, or ` +
    'the disk has lost commits. Nothing starts on it until "tillfront store accept-loss" says that a person knows ' +
    '(docs/runbook.md, "The database has forgotten payments")'
  );
}

/** The embedded store went back while this process used it. */
export function forgotten(known: number, found: number): StoreFault {
  return { kind: 'loss', missing: [], message: olderThan(known, found) };
}

const NAMED_AT_MOST = 5;

/** Says what is missing, with a remedy. */
export function lossOf(missing: readonly Commit[], older: boolean): StoreFault {
  const names = missing.slice(-NAMED_AT_MOST).map(({ reference }) => reference);
  const others = missing.length - names.length;
  const known =
    missing.length === 0
      ? older
        ? 'it goes on with a history that was left before'
        : 'a process has recorded what'
      : `at least ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  return {
    kind: 'loss',
    missing,
    message:
      `the database has forgotten what it had confirmed: ${known}. No payment is taken until "tillfront store ` +
      'accept-loss" says that a person knows (docs/runbook.md, "The database has forgotten payments")',
  };
}
