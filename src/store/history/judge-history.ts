import type { Commit } from './witness.js';

/** Which history of which cluster a database goes on with. A promoted standby begins a new timeline. */
export interface HistoryIdentity {
  /** The cluster's system identifier. */
  system: string;
  timeline: number;
}

/** What a connection shows of its database. */
export interface HistoryLook {
  /** It is a standby, or it takes no writes for another reason. */
  readOnly: boolean;
  /** Null where the database does not tell. */
  history: HistoryIdentity | null;
  /** The versions of the references that were asked about. */
  versions: Readonly<Record<string, number>>;
  /** Every loss that was ever recorded in it. */
  losses: readonly { id: string; accepted: boolean }[];
  /** Its epoch's number. */
  epoch: number;
}

/** What this process knows of the store. */
export interface HistoryKnowledge {
  history: HistoryIdentity | undefined;
  commits: readonly Commit[];
  /** The accepted losses that it has seen before. */
  acceptedBefore: ReadonlySet<string>;
  /** The number of the last epoch that it has known. */
  epoch: number;
}

export type HistoryVerdict =
  | { kind: 'whole'; moved: boolean; accepted: boolean }
  | { kind: 'read-only' }
  | {
      kind: 'lost';
      /** Commits that this process was told of and that are not there. */
      missing: readonly Commit[];
      /** The database goes on with a history that was left before. */
      older: boolean;
    };

/**
 * Whether the database is the one that gave the answers which this process has passed on. A loss that a person has accepted
 * since counts no more. Pure.
 */
export function judgeHistory(known: HistoryKnowledge, look: HistoryLook): HistoryVerdict {
  if (look.readOnly) return { kind: 'read-only' };
  const accepted = look.losses.some((loss) => loss.accepted && !known.acceptedBefore.has(loss.id));
  const missing = accepted
    ? []
    : known.commits.filter(({ reference, version }) => (look.versions[reference] ?? 0) < version);
  // What was given out in a later epoch is not known here, whatever was accepted since.
  const older = look.epoch < known.epoch || (!accepted && isOlder(look.history, known.history));
  if (missing.length > 0 || older || look.losses.some((loss) => !loss.accepted)) {
    return { kind: 'lost', missing, older };
  }
  const moved = known.history !== undefined && !isSame(look.history, known.history);
  return { kind: 'whole', moved, accepted };
}

function isOlder(found: HistoryIdentity | null, known: HistoryIdentity | undefined): boolean {
  return found !== null && found.system === known?.system && found.timeline < known.timeline;
}

function isSame(found: HistoryIdentity | null, known: HistoryIdentity): boolean {
  return found === null || (found.system === known.system && found.timeline === known.timeline);
}
