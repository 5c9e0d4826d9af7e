import {
  DecideAgain,
  versionAfter,
  type Loaded,
  type StoreDriver,
  type StoreSession,
  type Write,
} from './driver.js';
import { KnownRows } from './known-rows.js';
import { load } from './load.js';
import { NotInStore } from './not-in-store.js';
import { isEmpty, type BatchExecutor, type Decision, type Job, type JobOutcome } from './payment-writer.js';

/** A job with what it is decided on. */
interface Prepared {
  job: Job;
  loaded: Loaded | undefined;
  /** Whether it was not read, but known from an earlier write. */
  known: boolean;
}

interface Decided {
  outcome: JobOutcome;
  /** Undefined where nothing is written. */
  write: Write | undefined;
}

/**
 * Writes batches into either store: reads what the writes want, decides, and saves those whose references have the version that they were
 * decided on. One that has lost is decided anew under a lock, so it loses once.
 */
export class Batches implements BatchExecutor {
  private known = new KnownRows<Loaded>();
  private generation = 0;

  constructor(private readonly driver: StoreDriver) {}

  get concurrency(): number {
    return this.driver.concurrency;
  }

  async execute(jobs: readonly Job[]): Promise<JobOutcome[]> {
    try {
      return await this.driver.session((session) => this.run(session, jobs));
    } catch (error) {
      if (error instanceof DecideAgain) return jobs.map(() => ({ kind: 'again' }));
      throw error;
    }
  }

  private async run(session: StoreSession, jobs: readonly Job[]): Promise<JobOutcome[]> {
    const { generation } = this.driver;
    if (generation !== this.generation) {
      this.generation = generation;
      // Another object: what a batch still under way learns of the former rows must not come into the new one.
      this.known = new KnownRows();
    }
    const { known: knownRows } = this;
    const lock = jobs.some(({ tries }) => tries > 0);
    const known = jobs.map(({ wanted, tries }) => {
      const rows = knownRows.take(wanted);
      return tries > 0 ? undefined : rows;
    });
    const unknown = jobs.filter((_, index) => !known[index]);
    const found = unknown.length === 0 ? [] : await session.read(lock, (reader) => load(reader, unknown));
    const read = new Map(unknown.map((job, index) => [job, found[index]]));
    const decided = jobs.map((job, index): Decided => {
      const rows = known[index];
      return decide({ job, loaded: rows ?? read.get(job), known: rows !== undefined });
    });
    const won = await session.save(decided.flatMap(({ write }) => write ?? []));
    return decided.map(({ outcome, write }) => {
      if (!write) return outcome;
      const { reference } = write.loaded.snapshot.reference;
      if (!won.has(reference)) return { kind: 'again' };
      const version = versionAfter(write);
      knownRows.put(write.changes, write.loaded, (rows) => ({ ...rows, version }));
      return outcome;
    });
  }
}

function decide({ job, loaded, known }: Prepared): Decided {
  if (!loaded) {
    const error = new NotInStore('The reference of a write');
    return { outcome: { kind: 'refused', error }, write: undefined };
  }
  let decision: Decision<unknown>;
  try {
    decision = job.decide(loaded.snapshot);
  } catch (error) {
    return { outcome: known ? { kind: 'again' } : { kind: 'refused', error }, write: undefined };
  }
  const { changes } = decision;
  if (!isEmpty(changes)) return { outcome: { kind: 'written', ...decision }, write: { changes, loaded } };
  // What was known is not checked where nothing is written, so it is read.
  return { outcome: known ? { kind: 'again' } : { kind: 'written', ...decision }, write: undefined };
}
