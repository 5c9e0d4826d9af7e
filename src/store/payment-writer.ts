import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  ApprovalRecord,
  DeclineRecord,
  EventRecord,
  IdempotencyRecord,
  MovementRecord,
  OperationRecord,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
  TimelineRecord,
  WrittenTextRecord,
} from './schema.js';
import { StoreUnavailable } from './store-unavailable.js';
import type { WriteProof } from './write-proof.js';

/**
 * The rows that a write asks for. Everything about one reference is serialized, so the snapshot stays true until the
 * commit.
 */
export interface Wanted {
  reference: string;
  /** Creates the reference's row if there is none yet. */
  createReference?: boolean;
  sessionId?: string;
  /**
   * Reads the payment with its operations that are `intended` or `unknown`, and the other paid and live payments of the
   * reference.
   */
  paymentId?: string;
  /** Reads the payment's refunds too whose outcome is known. */
  settledRefunds?: boolean;
  idempotency?: { scope: string; key: string };
  /** Reads this approval, which is written under the reference. */
  approvalId?: string | undefined;
  /** Reads all approvals about the payment. */
  approvalsOfPayment?: boolean;
  /**
   * Counts the declines of the last `windowMs`, by these keyed hashes. A write may be decided without the counts while none is above
   * `most`: the store sees to that as it writes.
   */
  declines?: {
    addressFingerprint: string;
    networkFingerprint: string | null;
    cardFingerprint: string;
    windowMs: number;
    most: DeclineCounts;
  };
}

/** Whose idempotency keys those are that come with a session's client token. They are only ever written under the session's reference. */
export function scopeOfSession(sessionId: string): string {
  return `session:${sessionId}`;
}

/** How often an address, its network and a card were declined recently, in halves of a decline. */
export interface DeclineCounts {
  /** Different cards declined from the address; no card counts for more than one decline. */
  cardsOfAddress: number;
  /** The same for the network; 0 where there is none. */
  cardsOfNetwork: number;
  /** Declines of the card, from any address. */
  ofCard: number;
}

/** Another paid or live payment of the same reference: what becomes of one of them can change the others. */
export interface PaidBeside {
  payment: PaymentRecord;
  session: SessionRecord;
  /** Its operations that are `intended` or `unknown`, oldest first. */
  openOperations: OperationRecord[];
}

/** A decline to be written. The store sets its time. */
export type NewDecline = Omit<DeclineRecord, 'at'>;

export interface Snapshot {
  reference: ReferenceRecord;
  session: SessionRecord | undefined;
  payment: PaymentRecord | undefined;
  /** The payment's operations that are `intended` or `unknown`, oldest first. */
  openOperations: OperationRecord[];
  /** The payment's refunds that are `confirmed` or `refused`, oldest first. Only where they were asked for. */
  settledRefunds?: OperationRecord[];
  /** The other payments that keep the reference paid, the one that pays first. Only where a payment was asked for. */
  paidBeside: PaidBeside[];
  /** The other live payments of the reference. Only where a payment was asked for. */
  liveBeside: PaidBeside[];
  /** The idempotency key's row, and the operation that it names. */
  idempotency: IdempotencyRecord | undefined;
  keyedOperation: OperationRecord | undefined;
  /** Only where it was asked for. */
  approval?: ApprovalRecord;
  /** All about the payment, the oldest first. Only where they were asked for. */
  approvalsOfPayment?: ApprovalRecord[];
  /** Only where they were asked for. */
  declines?: DeclineCounts;
}

/** The rows as they will be after the write. Absent ones stay as they are. */
export interface Changes {
  reference?: ReferenceRecord;
  session?: SessionRecord;
  payment?: PaymentRecord;
  /** Other payments of the same reference, and a session of theirs. They must have been read as `paidBeside` or `liveBeside`. */
  beside?: { payments: PaymentRecord[]; session?: SessionRecord };
  operations?: OperationRecord[];
  idempotency?: IdempotencyRecord;
  /** Releases a key that no recorded request has used. */
  releaseIdempotency?: { scope: string; key: string };
  timeline?: TimelineRecord[];
  events?: EventRecord[];
  /** Entries of the ledger: how money moved by this write. */
  movements?: MovementRecord[];
  /** What a person wrote. */
  texts?: WrittenTextRecord[];
  declines?: NewDecline[];
  /** The decline of this payment no longer counts. */
  forgiveDecline?: string;
  /** One that is asked for, or the one that was read, decided. */
  approval?: ApprovalRecord;
}

/** Whether a write changes anything. */
export function isEmpty(changes: Changes): boolean {
  return Object.values(changes).every(
    (change: unknown) => change === undefined || (Array.isArray(change) && change.length === 0),
  );
}

export interface Decision<T> {
  changes: Changes;
  result: T;
}

/**
 * Decides on a write from the snapshot alone. Must be pure and synchronous, since it runs again when the write is
 * repeated. Throwing refuses the write, and nothing changes.
 */
export type Decide<T> = (snapshot: Snapshot) => Decision<T>;

/** One write that waits for its batch. */
export interface Job {
  wanted: Wanted;
  decide: Decide<unknown>;
  /** How often it has lost against concurrent writes. */
  tries: number;
}

/** The outcome of one job of a batch: written, refused by its own decision, or to be tried in the next batch. */
export type JobOutcome =
  | { kind: 'written'; changes: Changes; result: unknown }
  | { kind: 'refused'; error: unknown }
  | { kind: 'again' };

/** Runs a batch in one transaction. Throws where the transaction failed as a whole. */
export interface BatchExecutor {
  execute(jobs: readonly Job[]): Promise<JobOutcome[]>;
  /** How many batches may run at once. */
  readonly concurrency: number;
}

export interface WriteObserver {
  /** A batch of `size` writes has been committed. */
  batch(size: number, seconds: number): void;
  /**
   * Wraps each write from its call to its commit, including the wait for its batch. Absent: writes are not observed, at
   * no cost.
   */
  around?<T>(write: () => Promise<T>): Promise<T>;
}

interface Waiting extends Job {
  /** Tells the listeners. */
  announce(changes: Changes): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 128;
const MAX_TRIES = 8;
/** How many waiting writes make a second batch at the same time worthwhile. */
const BESIDE_FROM = 16;

/**
 * The only way to write payments, sessions and their operations. Writes that wait at the same time share a transaction
 * and its fsync (group commit), and each is answered after its own commit. A batch has at most one write for each
 * reference and each idempotency key, so its writes cannot disturb each other.
 */
export class PaymentWriter {
  private waiting: Waiting[] = [];
  private running = 0;
  private scheduled = false;
  private readonly listeners: ((changes: Changes) => void)[] = [];
  private idle: (() => void)[] = [];

  constructor(
    private readonly executor: BatchExecutor,
    private readonly observer?: WriteObserver,
    private readonly proof?: Pick<WriteProof, 'confirmed' | 'failed'>,
  ) {}

  /**
   * Writes what `decide` returns, in one transaction with everything that it read. Rejects with whatever `decide`
   * throws.
   */
  write<T>(wanted: Wanted, decide: Decide<T>): Promise<T> {
    if (!this.observer?.around) return this.enqueue(wanted, decide, this.announce);
    // A batch runs in the async context of the write that started it. Listeners must run in that of their own write.
    return this.observer.around(() => this.enqueue(wanted, decide, AsyncLocalStorage.bind(this.announce)));
  }

  /** Calls `listener` after each committed write, in this process only. */
  onCommitted(listener: (changes: Changes) => void): void {
    this.listeners.push(listener);
  }

  /** Resolves when no write is waiting or under way. */
  drained(): Promise<void> {
    if (this.running === 0 && this.waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private enqueue<T>(wanted: Wanted, decide: Decide<T>, announce: Waiting['announce']): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({
        wanted,
        decide,
        tries: 0,
        announce,
        resolve,
        reject,
      });
      this.schedule();
    });
  }

  private readonly announce = (changes: Changes): void => {
    for (const listener of this.listeners) listener(changes);
  };

  private schedule(): void {
    const { length } = this.waiting;
    if (this.scheduled || this.running >= this.executor.concurrency || length === 0) return;
    // A second batch at the same time is worth its round trips only if it is well filled.
    if (this.running > 0 && length < BESIDE_FROM) return;
    this.scheduled = true;
    // Wait for the end of this turn of the event loop, so that all writes that became ready in it share one commit.
    setImmediate(() => {
      this.scheduled = false;
      void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const batch = this.takeBatch();
    if (batch.length === 0) return;
    this.running += 1;
    const started = performance.now();
    try {
      await this.run(batch);
    } finally {
      this.running -= 1;
      this.observer?.batch(batch.length, (performance.now() - started) / 1000);
      this.schedule();
      if (this.running === 0 && this.waiting.length === 0)
        for (const resolve of this.idle.splice(0)) resolve();
    }
  }

  private takeBatch(): Waiting[] {
    if (this.waiting.length === 1) return this.waiting.splice(0);
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set<string>();
    for (const job of this.waiting) {
      const { reference, idempotency } = job.wanted;
      const key = idempotency && `${idempotency.scope}\n${idempotency.key}`;
      if (batch.length >= MAX_BATCH || taken.has(reference) || (key !== undefined && taken.has(key))) {
        later.push(job);
        // A later write of the same reference must not overtake this one.
        taken.add(reference);
        continue;
      }
      batch.push(job);
      taken.add(reference);
      if (key !== undefined) taken.add(key);
    }
    this.waiting = later;
    // All processes sort alike, so two that lock the same references cannot deadlock.
    return batch.sort((a, b) => (a.wanted.reference < b.wanted.reference ? -1 : 1));
  }

  private async run(batch: Waiting[]): Promise<void> {
    let outcomes: JobOutcome[];
    try {
      outcomes = await this.executor.execute(batch);
    } catch (error) {
      // An unavailable store fails all writes. And a commit whose answer was lost must not be decided twice.
      if (error instanceof StoreUnavailable) this.proof?.failed(error.reason);
      if (batch.length === 1 || error instanceof StoreUnavailable) {
        for (const job of batch) job.reject(error);
        return;
      }
      // One bad row must not fail the others, so each write is tried alone.
      for (const job of batch) await this.run([job]);
      return;
    }
    if (outcomes.some((outcome) => outcome.kind === 'written' && !isEmpty(outcome.changes)))
      this.proof?.confirmed();
    batch.forEach((job, index) => this.settle(job, outcomes[index]));
  }

  private settle(job: Waiting, outcome: JobOutcome | undefined): void {
    if (outcome?.kind === 'written') {
      job.resolve(outcome.result);
      job.announce(outcome.changes);
    } else if (outcome?.kind === 'refused') {
      job.reject(outcome.error);
    } else if (++job.tries < MAX_TRIES) {
      this.waiting.push(job);
    } else {
      job.reject(new Error('A write lost against concurrent ones too often'));
    }
  }
}
