import { mint, randomText } from '../store/ids.js';
import type { Change, Decide, DeclineRow, Lease, Store, Stored, WriteOptions } from '../store/store.js';
import { decide } from './core/decide.js';
import type { Decision, Input, Moment, Rules } from './core/input.js';
import { saysMoney } from './core/moves.js';
import type { OrderState } from './core/payment.js';
import { changeOf, type Recording } from './core/records.js';
import { remembering } from './core/remember.js';

/** A decision that was committed, with the order as it is then. */
export interface Written {
  decision: Decision;
  /** Whether the asker still held the payment's lease, where it asked with one. */
  owned: boolean;
}

/** What a write does: without a decision nothing. */
export interface Made<T> {
  decision?: Decision;
  leases?: Change['leases'];
  guard?: Change['guard'];
  ownTransaction?: string;
  declines?: Change['declines'];
  approvals?: Change['approvals'];
  result: T;
}

type Answer = Extract<Input, { by: 'answer' }>;

/** What the gateway has answered is never refused for want of room. */
const ALWAYS: WriteOptions = { always: true };

/** A transaction may be another order's: nobody has looked yet. */
class Unseen extends Error {}

/** Turns decisions into commits: the only way in which payments and sessions change. */
export class OrderWriter {
  constructor(
    readonly store: Store,
    readonly rules: () => Rules,
    private readonly recording: Recording,
    /** Whether a gateway's transaction is stored as another order's. */
    private readonly isTaken: (transactionRef: string, reference: string) => Promise<boolean>,
  ) {}

  /** Runs `make` on the order as it is, perhaps more than once, and commits what it decides. */
  write<T>(
    reference: string,
    make: (stored: Stored, moment: Moment) => Made<T>,
    options?: WriteOptions,
  ): Promise<T> {
    const seed = randomText();
    const decideOnce: Decide<T> = (stored, now) => {
      const moment: Moment = { now, id: mint(seed, now) };
      const { decision, result, ...extra } = make(stored, moment);
      if (!decision) return { result };
      const change = changeOf(decision, moment, this.recording);
      return { change: { ...change, ...extra }, result };
    };
    return this.store.write(reference, decideOnce, options);
  }

  /** One input without a lease. */
  take(reference: string, input: Input): Promise<Decision> {
    return this.write(reference, (stored, moment) => {
      const decision = decide(stored, input, moment, this.rules());
      return { decision, result: decision };
    });
  }

  /**
   * One answer, by whoever took the payment's lease for it: money counts in any case, everything else only while the lease is held
   * (P6). The lease is given back unless another answer follows.
   */
  async answer(
    reference: string,
    owner: string,
    about: Omit<Answer, 'by' | 'owned' | 'taken'>,
    extra: {
      declines?: (decision: Decision) => DeclineRow[];
      known?: OrderState;
      keepsLease?: boolean;
    } = {},
  ): Promise<Written> {
    const { payment, fact } = about;
    // Only what says that money moved can be under a transaction of another order.
    const named = fact.is !== 'foreign' && saysMoney(fact) ? fact.transactionRef : undefined;
    let taken = false;
    let isSeen = named === undefined;
    let runs = 0;
    const attempt = () =>
      this.write(
        reference,
        (read, moment) => {
          const stored = extra.known ? remembering(read, extra.known, payment, moment.now) : read;
          // A cached order knows neither every lease nor every transaction: the write's conditions do, and a second run looks itself.
          runs += 1;
          if (runs > 1 && !isSeen) throw new Unseen();
          const owned = runs === 1 || holds(stored, payment, owner);
          const decision = decide(stored, { by: 'answer', ...about, owned, taken }, moment, this.rules());
          return {
            decision,
            ...(owned ? { guard: { payment, owner } } : {}),
            ...(isSeen || named === undefined ? {} : { ownTransaction: named }),
            ...(owned && !extra.keepsLease ? { leases: [{ payment, lease: null }] } : {}),
            declines: extra.declines?.(decision) ?? [],
            result: { decision, owned },
          };
        },
        ALWAYS,
      );
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Unseen) || named === undefined) throw error;
    }
    taken = await this.isTaken(named, reference);
    isSeen = true;
    return attempt();
  }
}

/** A lease for one query or operation of this process. */
export function newLease(store: Store, ms: number): Lease {
  return { owner: `${store.process}:${randomText()}`, until: store.now() + ms };
}

function holds(stored: Stored, payment: string, owner: string): boolean {
  return stored.leases.get(payment)?.owner === owner;
}
