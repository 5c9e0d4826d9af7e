import type { Commit } from './witness.js';

/** What the store has forgotten, as one of its processes found out. */
export interface StoreLossRecord {
  id: string;
  foundAt: number;
  /** The process. */
  foundBy: string;
  /** The commits that were missing, and the histories: see `PostgresHistory`. */
  detail: { missing: Commit[] };
  /** When a person said that they know, and who did; null until then. */
  acceptedAt: number | null;
  acceptedBy: string | null;
}
