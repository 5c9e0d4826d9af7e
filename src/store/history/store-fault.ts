import type { Commit } from './witness.js';

/** Why the store must not be used although it answers. */
export type StoreFault =
  | {
      kind: 'loss';
      /** Commits that were answered and that the store does not know; a part of them where there are many. */
      missing: readonly Commit[];
      /** For a person. */
      message: string;
    }
  | { kind: 'read-only'; message: string };

/** What the store's history does, for the log. `whole` and `moved`: it is the same, and goes on elsewhere. */
export interface HistoryObserver {
  fault?(fault: StoreFault): void;
  whole?(what: { moved: boolean; accepted: boolean }): void;
}

export const READ_ONLY: StoreFault = {
  kind: 'read-only',
  message: 'the database takes no writes (it is a standby, or read-only)',
};

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
