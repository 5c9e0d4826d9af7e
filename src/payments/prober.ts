import type { Fact } from '../gateway/fact.js';
import type { Stored } from '../store/store.js';
import type { Asker } from './asker.js';
import type { Asks } from './asks.js';
import { decide } from './core/decide.js';
import type { Session } from './core/payment.js';
import { Refusal } from './core/refusal.js';
import type { OrderWriter } from './order-writer.js';

/** All questions of one order end within this. */
const WITHIN_MS = 20_000;
/** Numbers behind the last known one that are asked about. */
const MOST = 20;
/** So many unknown ones in a row end the search. */
const UNKNOWN_IN_A_ROW = 5;

/**
 * After the store lost commits: asks for payments of an order that the gateway knows and the store does not, before the order's first
 * operation is sent. Once per order and loss; again where something stayed unclear.
 */
export class Prober {
  constructor(
    private readonly orders: OrderWriter,
    private readonly asker: Asker,
    private readonly gateway: Asks,
  ) {}

  needed({ order }: Stored): boolean {
    const { restoredAt } = this.orders.store;
    return restoredAt !== undefined && this.gateway.canProbe && order !== null && order.probed !== restoredAt;
  }

  /** Rejects with `outcome-unknown` where anything stayed unclear, whatever else was found. */
  async probe(stored: Stored): Promise<void> {
    const loss = this.orders.store.restoredAt;
    const session = stored.order?.sessions.at(-1);
    if (loss === undefined || !stored.order || !session) return;
    const [known, found] = await Promise.all([
      this.askKnown(stored),
      this.askBehind(stored, stored.order.attempts, session),
    ]);
    if (!known || !found)
      throw new Refusal(
        'outcome-unknown',
        'The store lost data, and the gateway has not said whether this order was paid. Try again later.',
        stored.payments.at(-1)?.id,
      );
    await this.orders.write(stored.reference, (now, moment) => ({
      decision: decide(now, { by: 'probe', loss, found }, moment, this.orders.rules()),
      result: undefined,
    }));
  }

  /** A notification names a number of a known order that is not here: the gateway is asked, and what is live or paid is adopted. */
  async adopt(reference: string, n: number): Promise<void> {
    const stored = await this.orders.store.read(reference);
    const session = stored.order?.sessions.at(-1);
    if (!session || !this.gateway.canProbe || stored.payments.some((payment) => payment.n === n)) return;
    const name = this.orders.rules().gatewayReference(reference, n);
    const fact = this.asker.trusted(await this.gateway.probe(name, session, performance.now() + WITHIN_MS));
    if (fact.is === 'denied') return;
    if (isUnclear(fact))
      throw new Refusal('outcome-unknown', 'The gateway has not said what this payment is.');
    await this.orders.write(reference, (now, moment) => {
      if (now.payments.some((payment) => payment.n === n)) return { result: undefined };
      const payment = moment.id('pay');
      const decision = decide(now, { by: 'adoption', payment, n, fact }, moment, this.orders.rules());
      return { decision, result: undefined };
    });
  }

  /** Asks about the payments that are here. False: something is unclear. */
  private async askKnown(stored: Stored): Promise<boolean> {
    const since = this.orders.store.now();
    const answers = await Promise.all(
      stored.payments.map(async ({ id, reference }) => {
        const { state, asked } = await this.asker.ask(reference, id, WITHIN_MS);
        if (asked) return !isUnclear(asked.fact);
        return (state.payments.find((one) => one.id === id)?.answeredAt ?? 0) >= since;
      }),
    );
    return answers.every(Boolean);
  }

  /** Asks about the next numbers, all at once. Undefined: something is unclear. */
  private async askBehind(
    stored: Stored,
    last: number,
    session: Session,
  ): Promise<{ n: number; fact: Fact }[] | undefined> {
    const deadline = performance.now() + WITHIN_MS;
    const numbers = Array.from({ length: MOST }, (_, index) => last + 1 + index);
    const rules = this.orders.rules();
    const facts = await Promise.all(
      numbers.map(async (n) => ({
        n,
        fact: this.asker.trusted(
          await this.gateway.probe(rules.gatewayReference(stored.reference, n), session, deadline),
        ),
      })),
    );
    const end = facts.findIndex((_, index) => {
      const run = facts.slice(index, index + UNKNOWN_IN_A_ROW);
      return run.length === UNKNOWN_IN_A_ROW && run.every(({ fact }) => fact.is === 'denied');
    });
    const before = facts.slice(0, end);
    if (end < 0 || before.some(({ fact }) => isUnclear(fact))) return undefined;
    return before.filter(({ fact }) => fact.is !== 'denied');
  }
}

function isUnclear(fact: Fact): boolean {
  return fact.is === 'unclear' || fact.is === 'unlisted';
}
