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
    const known = jobs.map((job) => {
      const rows = knownRows.take(job.wanted);
      return rows && job.tries === 0 ? decideUnread(job, rows) : undefined;
    });
    const unknown = jobs.filter((_, index) => !known[index]);
    const found = unknown.length === 0 ? [] : await session.read(lock, (reader) => load(reader, unknown));
    const read = found.values();
    const decided = jobs.map((job, index) => known[index] ?? decide(job, read.next().value));
    const won = await session.save(decided.flatMap(({ write }) => write ?? []));
    return decided.map(({ outcome, write }) => {
      if (!write) return outcome;
      const { reference } = write.loaded.snapshot.reference;
      if (!won.has(reference)) return { kind: 'again' };
      const { changes, loaded } = write;
      const version = versionAfter(write);
      if (changes.payment || !this.driver.beginsOnRead)
        knownRows.put(changes, loaded, (rows) => ({ ...rows, version }));
      return outcome;
    });
  }
}

/**
 * Decides on what is known from an earlier write. Undefined where nothing is written, or the write is refused: what was known is only checked
 * where something is written, so it is read then.
 */
function decideUnread(job: Job, loaded: Loaded): Decided | undefined {
  try {
    const decision = job.decide(loaded.snapshot);
    const { changes } = decision;
    if (isEmpty(changes)) return undefined;
    const { declines } = job.wanted;
    const write = { changes, loaded, ...(declines && { fewDeclines: declines }) };
    return { outcome: { kind: 'written', ...decision }, write };
  } catch {
    return undefined;
  }
}

function decide({ decide: decideOn }: Job, loaded: Loaded | undefined): Decided {
  if (!loaded) {
    const error = new NotInStore('The reference of a write');
    return { outcome: { kind: 'refused', error }, write: undefined };
  }
  let decision: Decision<unknown>;
  try {
    decision = decideOn(loaded.snapshot);
  } catch (error) {
    return { outcome: { kind: 'refused', error }, write: undefined };
  }
  const { changes } = decision;
  const write = isEmpty(changes) ? undefined : { changes, loaded };
  return { outcome: { kind: 'written', ...decision }, write };
}
