import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { STORE_TIME } from '../clock/sqlite-clock.js';
import { StoreUnavailable } from '../store-unavailable.js';
import { EPOCH, nextEpoch, parseEpoch, writeEpoch, type Epoch } from './epoch.js';
import { judgeHistory } from './judge-history.js';
import { olderThan } from './store-fault.js';
import type { WitnessFile } from './witness-file.js';

const META = 'select value from meta where name = ?';
const LOSSES =
  'select id, accepted_at is not null as accepted, detail from store_losses order by found_at, id';
const ANY_PAYMENT = 'select 1 from payments limit 1';
const SET_META =
  'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value';
const RECORD = 'insert into store_losses (id, found_at, found_by, detail) values (?, ?, ?, ?)';

/** The times of a loss, in milliseconds since the epoch. */
export interface LostTimes {
  /** What the store had reached. Absent where that is not known. */
  known: number | undefined;
  /** Where it ends now. */
  found: number;
  /** The number of the last epoch that is known. */
  epoch?: number;
}

/** Writes by one statement. */
export type WriteLine = (sql: string, values: (string | number)[]) => Promise<unknown>;

/** Who looks, when, and how that is written down. */
export interface Finder {
  by: string;
  at: number;
  write: WriteLine;
}

/** A store that has everything that is known of it. */
export interface WholeStore {
  id: string;
  /** Losses that no later start has to be told of. */
  accepted: readonly string[];
  epoch: Epoch;
}

/** What an embedded store shows of its history. */
export interface EmbeddedLook extends WholeStore {
  /** Present where it has forgotten something and nobody has accepted that. */
  lost?: LostTimes & { recorded: boolean };
}

/** Holds an opened embedded store against the witness beside it and against the losses that are recorded in it. Writes nothing. */
export function lookForLoss(database: DatabaseSync, witness: WitnessFile): EmbeddedLook {
  const id = readMeta(database, 'store_id') ?? '';
  const kept = witness.read(id);
  const found = storeTime(database);
  const losses = lossesIn(database);
  const epoch = parseEpoch(readMeta(database, EPOCH));
  const known = Math.max(kept?.epoch ?? 0, epoch.number);
  const accepted = losses.filter((loss) => loss.accepted).map((loss) => loss.id);
  const verdict = judgeHistory(
    {
      history: undefined,
      commits: kept?.commits ?? [],
      acceptedBefore: new Set(kept?.accepted ?? accepted),
      epoch: known,
    },
    { readOnly: false, history: null, versions: { [STORE_TIME]: found }, losses, epoch: epoch.number },
  );
  if (verdict.kind !== 'lost') return { id, accepted, epoch };
  const recorded = losses.findLast((loss) => !loss.accepted);
  const times = recorded?.times ?? { known: verdict.missing[0]?.version, found, epoch: known };
  return { id, accepted, epoch, lost: { ...times, recorded: recorded !== undefined } };
}

/**
 * Returns a store that has forgotten nothing. Throws `StoreUnavailable` where it has and nobody has accepted that, and records the loss,
 * once.
 */
export async function assertNothingForgotten(
  database: DatabaseSync,
  witness: WitnessFile,
  finder: Finder,
): Promise<WholeStore> {
  const { lost, ...store } = lookForLoss(database, witness);
  if (!lost) return store;
  if (!lost.recorded) await recordLoss(finder, lost);
  throw new StoreUnavailable(olderThan(lost.known, lost.found));
}

/**
 * Whether a store that has given out numbers stands where no witness knows it, as a backup in an empty folder does: nobody can tell
 * what was given out after it was copied.
 */
export function isWithoutWitness(database: DatabaseSync, witness: WitnessFile): boolean {
  const id = readMeta(database, 'store_id');
  return (
    id !== undefined && witness.read(id) === undefined && database.prepare(ANY_PAYMENT).get() !== undefined
  );
}

/** Begins a new epoch, so that no number is given out again that may have been given out since the store was copied. */
export async function beginEpoch({ at, write }: Finder, stored: Epoch): Promise<Epoch> {
  const epoch = nextEpoch(stored, [], at);
  await write(SET_META, [EPOCH, writeEpoch(epoch)]);
  return epoch;
}

/** Records a loss in the store, so that every later start hears of it. Rejects never: what was found stands without it. */
export async function recordLoss(
  { by, at, write }: Finder,
  { known, found, epoch }: LostTimes,
): Promise<void> {
  try {
    const detail = JSON.stringify({ missing: [], known, found, epoch });
    await write(RECORD, [`loss_${randomUUID()}`, at, by, detail]);
  } catch {
    // A full disk, for example. The witness still knows.
  }
}

/** The time that the store keeps of itself; 0 where it keeps none. */
export function storeTime(database: DatabaseSync): number {
  const time = Number(readMeta(database, STORE_TIME) ?? 0);
  return Number.isSafeInteger(time) ? time : 0;
}

/** The times of a recorded loss. Undefined where it has none. Pure. */
export function timesOf(detail: string): LostTimes | undefined {
  const { known, found } = JSON.parse(detail) as { known?: unknown; found?: unknown };
  if (typeof found !== 'number') return undefined;
  return { known: typeof known === 'number' ? known : undefined, found };
}

function readMeta(database: DatabaseSync, name: string): string | undefined {
  const value = database.prepare(META).get(name)?.['value'];
  return typeof value === 'string' ? value : undefined;
}

function lossesIn(database: DatabaseSync): { id: string; accepted: boolean; times: LostTimes | undefined }[] {
  return database
    .prepare(LOSSES)
    .all()
    .map(({ id, accepted, detail }) => ({
      id: String(id),
      accepted: accepted === 1,
      times: timesOf(String(detail)),
    }));
}
