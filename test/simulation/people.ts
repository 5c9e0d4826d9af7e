import { decide } from '../../src/payments/core/decide.js';
import type { Command, NewKey, Resolution } from '../../src/payments/core/input.js';
import {
  openOperation,
  type OrderState,
  type Payment,
  type Status,
} from '../../src/payments/core/payment.js';
import { Refusal } from '../../src/payments/core/refusal.js';
import { closeByMerchant, openSession } from '../../src/payments/core/sessions.js';
import { newLease } from '../../src/payments/order-writer.js';
import { StoreUnavailable } from '../../src/store/store-unavailable.js';
import { AMOUNT } from '../core/given.js';
import type { Chance } from './chance.js';
import { describe } from './gateway.js';
import { PERSON } from './judge.js';
import type { Replica } from './replica.js';
import { time } from './virtual-time.js';
import type { World } from './world.js';

/** What payers and merchants do. */
export type Act =
  | { do: 'session' }
  | { do: 'close' }
  | { do: 'pay'; method?: 'card' | 'wallet'; twice?: true }
  | { do: 'otp' | 'void' | 'cancel' | 'refresh'; n?: number }
  | { do: 'complete' | 'refund'; n?: number; part?: true }
  | { do: 'resolve'; n?: number; as?: Resolution };

const ASK_MS = 25_000;
const PATIENCE_MS = 90_000;
const RESOLVE_LEASE_MS = 10_000;
const TTL_MS = 30 * 60_000;

/** One person at one replica: whatever the service refuses is fine. */
export class Person implements Living {
  private readonly world: World;
  private readonly reference: string;
  private count = 0;

  constructor(world: World, reference: string) {
    this.world = world;
    this.reference = reference;
  }

  async act(act: Act): Promise<void> {
    const { world, reference } = this;
    const replica = world.anyReplica();
    this.count += 1;
    world.log(`${reference}: ${describe(act)} at ${replica.name}`);
    try {
      // Who gets no answer from a dead process goes on.
      await Promise.race([this.perform(replica, act, `${reference}-${this.count}`), time.sleep(PATIENCE_MS)]);
    } catch (error) {
      if (error instanceof Refusal) return world.log(`${reference}: ${error.message}`);
      if (!(error instanceof StoreUnavailable)) world.fail(error);
    }
  }

  sees(): OrderState {
    return this.world.database.state(this.reference);
  }

  sleep(ms: number): Promise<void> {
    return time.sleep(ms);
  }

  private async perform(replica: Replica, act: Act, id: string): Promise<void> {
    const key: NewKey = { caller: 'merchant', key: id, path: act.do, fingerprint: act.do };
    switch (act.do) {
      case 'session':
        return this.openSession(replica, id, key);
      case 'close':
        return this.close(replica, key);
      case 'pay':
        return this.pay(replica, act.method ?? 'card', act.twice ?? false, id, key);
      default: {
        const payment = this.payment(act.n);
        if (payment) await this.about(replica, act, payment, id, key);
      }
    }
  }

  private async about(
    replica: Replica,
    act: Exclude<Act, { do: 'session' | 'close' | 'pay' }>,
    payment: Payment,
    id: string,
    key: NewKey,
  ): Promise<void> {
    const base = { payment: payment.id, operation: `op-${id}` };
    switch (act.do) {
      case 'cancel':
        if (mayCancel(payment))
          await replica.asker.ask(this.reference, payment.id, ASK_MS, { actor: 'payer', key });
        return;
      case 'refresh':
        await replica.asker.ask(this.reference, payment.id, ASK_MS);
        return;
      case 'resolve':
        return this.resolve(replica, payment, act.as ?? wordAbout(payment, this.world.chance), key);
      case 'complete':
        return this.send(replica, { do: 'complete', ...base, amount: act.part ? 600n : null }, key);
      case 'refund': {
        const amount = act.part ? payment.captured / 3n : null;
        return this.send(replica, { do: 'refund', ...base, amount, reason: null, refundRef: `r-${id}` }, key);
      }
      default:
        return this.send(replica, { do: act.do, ...base }, key);
    }
  }

  private async send(replica: Replica, command: Command, key: NewKey): Promise<void> {
    const done = await replica.engine.perform({
      reference: this.reference,
      command,
      actor: 'merchant',
      key,
      details: {},
    });
    this.world.acknowledge(this.reference, done.was === 'done' ? done.operation.id : undefined);
  }

  private async pay(
    replica: Replica,
    method: 'card' | 'wallet',
    twice: boolean,
    id: string,
    key: NewKey,
  ): Promise<void> {
    const session = this.world.database.state(this.reference).order?.sessions.at(-1);
    if (!session) return;
    const start = (suffix: string): Command => ({
      do: 'pay',
      session: session.id,
      payment: `pay-${id}${suffix}`,
      operation: `op-${id}${suffix}`,
      method,
      card: null,
    });
    const sent = [this.send(replica, start(''), key)];
    // A second click, with the same key or another, wherever it arrives.
    if (twice)
      sent.push(
        this.send(
          this.world.anyReplica(),
          start('b'),
          this.world.chance.is(0.5) ? key : { ...key, key: `${id}b` },
        ),
      );
    const ends = await Promise.allSettled(sent);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async resolve(replica: Replica, payment: Payment, as: Resolution, key: NewKey): Promise<void> {
    const lease = newLease(replica.store, RESOLVE_LEASE_MS);
    await replica.orders.write(this.reference, (stored, moment) => {
      const input = {
        by: 'person' as const,
        payment: payment.id,
        actor: PERSON,
        as,
        note: 'seen',
        key,
      };
      const decision = decide(stored, input, moment, replica.orders.rules());
      const leases = [{ payment: payment.id, lease: { ...lease, until: moment.now } }];
      this.world.judge.resolved.add(payment.id);
      return { decision, leases, result: undefined };
    });
  }

  private async openSession(replica: Replica, id: string, key: NewKey): Promise<void> {
    const wanted = {
      ...{ id: `cs-${id}`, amount: AMOUNT, currency: 'NGN', payer: {}, billing: {}, returnUrl: null },
      ...{
        methods: [],
        locale: null,
        metadata: {},
        emailHash: null,
        expiresInMs: TTL_MS,
      },
    };
    await replica.orders.write(this.reference, (stored, moment) => ({
      decision: openSession(stored, wanted, { actor: 'merchant', key }, moment, replica.orders.rules()),
      result: undefined,
    }));
  }

  private async close(replica: Replica, key: NewKey): Promise<void> {
    await replica.orders.write(this.reference, (stored, moment) => {
      const session = stored.order?.sessions.at(-1)?.id ?? '';
      const decision = closeByMerchant(
        stored,
        session,
        { actor: 'merchant', key },
        moment,
        replica.orders.rules(),
      );
      return { decision, result: undefined };
    });
  }

  private payment(n: number | undefined): Payment | undefined {
    const { payments } = this.world.database.state(this.reference);
    if (n !== undefined) return payments.find((payment) => payment.n === n);
    return payments.length > 0 ? this.world.chance.of(payments) : undefined;
  }
}

function mayCancel(payment: Payment): boolean {
  const { status, waited } = payment;
  if (openOperation(payment)?.state === 'intended') return false;
  return status === 'requires_action' || (status === 'processing' && waited);
}

/** What a person may say of a payment that needs one. */
export function wordAbout(payment: Payment, chance: Chance): Resolution {
  const open = openOperation(payment);
  if (open?.type === 'refund' && chance.is(0.7))
    return { refundId: open.id, status: chance.of(['succeeded', 'failed']) };
  if (open && open.type !== 'pay' && chance.is(0.5))
    return { operation: chance.of(['confirmed', 'refused']) };
  const status: Status = chance.of(['succeeded', 'failed', 'voided', payment.status]);
  return chance.is(0.2) && status === 'succeeded' ? { status, amountReceived: 1400n } : { status };
}

/** Who lives such a life. */
export interface Living {
  act(act: Act): Promise<void>;
  sees(): Promise<OrderState> | OrderState;
  sleep(ms: number): Promise<void>;
}

/** A life that nobody planned: most of it follows what the order is. */
export async function live(person: Living, chance: Chance): Promise<void> {
  await person.act({ do: 'session' });
  const acts = chance.whole(5, 16);
  for (let count = 0; count < acts; count++) {
    await person.act(nextAct(await person.sees(), chance));
    const pause = chance.weighted({ at_once: 2, soon: 5, later: 4, tomorrow: 1 });
    const means = { at_once: 50, soon: 8_000, later: 240_000, tomorrow: 3_600_000 };
    await person.sleep(chance.wait(means[pause]));
  }
}

function nextAct({ order, payments }: OrderState, chance: Chance): Act {
  const session = order?.sessions.at(-1);
  const has = (status: Status): boolean => payments.some((payment) => payment.status === status);
  const attention = payments.find((payment) => payment.attention.length > 0);
  const kind = chance.weighted({
    pay: payments.length === 0 ? 40 : 12,
    session: session?.status === 'open' ? 1 : 12,
    close: 1,
    otp: has('requires_action') ? 25 : 1,
    cancel: has('requires_action') ? 5 : 1,
    complete: has('authorized') ? 20 : 1,
    void: has('authorized') || has('succeeded') ? 6 : 1,
    refund: has('succeeded') ? 12 : 1,
    refresh: 4,
    resolve: attention ? 10 : 1,
  });
  switch (kind) {
    case 'pay':
      return {
        do: 'pay',
        method: chance.of(['card', 'card', 'wallet']),
        ...(chance.is(0.15) ? { twice: true } : {}),
      };
    case 'complete':
    case 'refund':
      return { do: kind, ...(chance.is(0.5) ? { part: true } : {}) };
    case 'resolve':
      return { do: 'resolve', ...(attention ? { n: attention.n } : {}) };
    default:
      return { do: kind };
  }
}
