import type { Fact } from '../gateway/fact.js';
import type { Lease, Sql, Store } from '../store/store.js';
import type { Asks } from './asks.js';
import type { Decision, Input, NewKey } from './core/input.js';
import { openOperation, type Operation, type OrderState, type Payment } from './core/payment.js';
import { newLease, type OrderWriter } from './order-writer.js';
import type { Surroundings } from './surroundings.js';
import type { QueryRate } from './query-rate.js';

/** A process that sent no heartbeat for so long does not live. */
export const DEAD_MS = 10_000;
/** How long a query's lease outlives the gateway's timeout. */
const WRITE_MS = 10_000;
/** How often someone who waits for another's query looks. */
const LOOK_MS = 200;
/** After a refund succeeded it may bounce for so long. */
const BOUNCE_MS = 8 * 24 * 3_600_000;

/** Who calls the payment off if the gateway still waits for the payer, and the key of that call. */
export interface Cancel {
  actor: string;
  key: NewKey;
}

/** What the gateway said, and what followed. */
export interface Asked {
  decision: Decision;
  fact: Fact;
}

/** A payment to be asked about, whose lease the caller has taken. */
export interface Claimed {
  id: string;
  reference: string;
  owner: string;
}

/** Asks the gateway about one payment and writes what it says: never twice at the same time, across replicas. */
export class Asker {
  /** Queries of this process under way. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly orders: OrderWriter,
    private readonly gateway: Asks,
    private readonly rate: QueryRate,
    private readonly options: Surroundings,
  ) {}

  private get store(): Store {
    return this.orders.store;
  }

  /**
   * Asks now, or joins the query under way. Returns the order as it then is: after `waitMs` as it is stored. Without `asked` this call asked nobody.
   */
  async ask(
    reference: string,
    id: string,
    waitMs: number,
    cancel?: Cancel,
  ): Promise<{ state: OrderState; asked?: Asked }> {
    const until = performance.now() + waitMs;
    let joined = false;
    for (;;) {
      const left = until - performance.now();
      const running = this.underWay.get(id);
      if (running) {
        joined = true;
        await within(running, left);
      }
      const state = await this.store.read(reference);
      const payment = state.payments.find((one) => one.id === id);
      const sent = payment && openOperation(payment)?.state === 'intended';
      if (!payment || sent || (joined && !cancel) || left <= 0) return { state };
      const lease = newLease(this.store, this.options.gatewayTimeoutMs + WRITE_MS);
      if (await this.take(id, lease)) {
        const asked = await within(this.asked({ id, reference, owner: lease.owner }, cancel), left);
        return asked ? { state: asked.decision.state, asked } : { state: await this.store.read(reference) };
      }
      joined = true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Asks about a claimed payment. */
  asked(claimed: Claimed, cancel?: Cancel): Promise<Asked | undefined> {
    const asking = this.query(claimed, cancel).finally(() => this.underWay.delete(claimed.id));
    this.underWay.set(
      claimed.id,
      asking.catch(() => undefined),
    );
    return asking;
  }

  private async query({ id, reference, owner }: Claimed, cancel?: Cancel): Promise<Asked | undefined> {
    const state = await this.store.read(reference);
    const payment = state.payments.find((one) => one.id === id);
    const session = state.order?.sessions.find((one) => one.id === payment?.sessionId);
    if (!payment || !session) return undefined;
    const deadline = performance.now() + this.options.gatewayTimeoutMs;
    const [refund] = this.refundsToAsk(payment);
    if (refund) {
      const fact = await this.gateway.refundStatus(payment, session, refund, deadline);
      await this.write(state, owner, { payment: id, to: { refund: refund.id } }, fact, true);
    }
    const fact = this.trusted(await this.gateway.status(payment, session, deadline));
    const about = { payment: id, to: cancel ? ('cancel' as const) : ('status' as const), ...cancel };
    return this.write(state, owner, about, fact);
  }

  /** Refunds are asked about before their payment where the profile can: the open one, or in turn those that may still bounce. */
  private refundsToAsk(payment: Payment): Operation[] {
    if (!this.orders.rules().has.refundStatus) return [];
    const now = this.store.now();
    const refunds = payment.operations.filter(({ type }) => type === 'refund');
    const open = refunds.filter(({ state }) => state === 'unknown');
    const young = refunds.filter(
      ({ state, endedAt }) => state === 'confirmed' && now - (endedAt ?? 0) < BOUNCE_MS,
    );
    const turn = young[payment.check.attempts % young.length];
    return open.length > 0 ? open : turn ? [turn] : [];
  }

  /** While a loss of commits is being found, "unknown" may be about a gateway's own replica: it proves nothing. */
  trusted(fact: Fact): Fact {
    const { lossSeenAt } = this.store;
    const losing =
      lossSeenAt !== undefined && this.store.now() - lossSeenAt < this.options.gatewayTimeoutMs + 5_000;
    return losing && fact.is === 'denied' ? { is: 'unclear', why: 'the store has just lost commits' } : fact;
  }

  private async write(
    known: OrderState,
    owner: string,
    about: Pick<Extract<Input, { by: 'answer' }>, 'payment' | 'to' | 'actor' | 'key'>,
    fact: Fact,
    keepsLease = false,
  ): Promise<Asked> {
    if (fact.is === 'unclear' && fact.retryAfterSeconds !== undefined)
      this.rate.pause(fact.retryAfterSeconds * 1_000);
    const answer = { ...about, fact };
    const { decision } = await this.orders.answer(known.reference, owner, answer, { keepsLease, known });
    return { decision, fact };
  }

  private async take(id: string, lease: Lease): Promise<boolean> {
    const free = freeLease(this.store.now());
    const changed = await this.store.run({
      text: `update payments set lease_owner = ?, lease_until = ? where id = ? and ${free.text}`,
      values: [lease.owner, lease.until, id, ...(free.values ?? [])],
    });
    return changed === 1;
  }
}

/** The condition under which a payment's lease is free: none, over, or of a process that lives no more. */
export function freeLease(now: number): Sql {
  return {
    text: `(lease_owner is null or lease_until <= ? or not exists (
      select 1 from heartbeats h where h.at > ? and payments.lease_owner like h.process || ':%'))`,
    values: [now, now - DEAD_MS],
  };
}

/** The result, or undefined where it takes longer. What is asked goes on. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), undefined);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
