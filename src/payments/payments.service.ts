import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import type { PaymentReader } from '../auth/tokens.js';
import { CONFIG, type Config } from '../config/config.js';
import { Problem } from '../http/problems/problem.js';
import { parseMajor } from '../money/money.js';
import { newId, randomText } from '../store/ids.js';
import type { Stored } from '../store/store.js';
import { Asker } from './asker.js';
import { refuseUnknownCancel } from './core/answers.js';
import { decide } from './core/decide.js';
import type { Command, NewKey, Resolution } from './core/input.js';
import { usedBefore } from './core/keys.js';
import { openOperation, type Key, type OrderState, type Payment } from './core/payment.js';
import { Refusal } from './core/refusal.js';
import { Engine, type Order as EngineOrder, type Performed } from './engine.js';
import type { Details } from './asks.js';
import { newLease, OrderWriter } from './order-writer.js';

/** A payment with its order. */
export interface Found {
  stored: Stored;
  payment: Payment;
}

/** What a call that sends no operation did. */
export interface Settled {
  state: OrderState;
  isReplay: boolean;
}

/** What can be asked of a payment after its start. */
export type Later =
  | { do: 'otp' | 'pin' | 'void' }
  | { do: 'complete'; amount?: string | undefined }
  | { do: 'refund'; amount?: string | undefined; reason?: string | undefined; id?: string };

/** How long a merchant's refresh or a cancel waits for the gateway. */
const ASK_MS = 25_000;
const RESOLVE_LEASE_MS = 10_000;

/** What callers can do with payments. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly orders: OrderWriter,
    private readonly engine: Engine,
    private readonly asker: Asker,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws `not-found` where there is no such payment, or it is not this caller's. */
  async find(id: string, caller: Caller | PaymentReader): Promise<Found> {
    const stored = await this.orders.store.readOf('payment', id);
    const payment = stored?.payments.find((one) => one.id === id);
    const own =
      caller.kind === 'merchant' ||
      (caller.kind === 'client' ? payment?.sessionId === caller.sessionId : caller.paymentId === id);
    if (!stored || !payment || !own) throw new Problem('not-found', 'There is no such payment.');
    return { stored, payment };
  }

  /** Sends an operation of a payment. */
  perform(
    { payment }: Found,
    what: Later,
    details: Details,
    key: NewKey,
    actor: string,
    more: Pick<EngineOrder, 'approval' | 'admit'> = {},
  ): Promise<Performed> {
    const { id, reference, currency } = payment;
    const amount = 'amount' in what ? amountOf(what.amount, currency, '/amount') : null;
    const about = { payment: id, operation: newId('op') };
    const command: Command =
      what.do === 'refund'
        ? {
            ...{ do: 'refund', payment: id, operation: what.id ?? newId('ref'), amount },
            reason: what.reason ?? null,
            refundRef: `rf${`${randomText()}${randomText()}`.replace(/[^A-Za-z0-9]/g, '')}`,
          }
        : what.do === 'complete'
          ? { do: what.do, ...about, amount }
          : { do: what.do, ...about };
    return this.engine.perform({ reference, command, actor, key, details, ...more });
  }

  /** Records a person's word. */
  async resolve(
    { payment }: Found,
    as: Resolution,
    note: string,
    key: NewKey,
    actor: string,
  ): Promise<Settled> {
    const lease = newLease(this.orders.store, RESOLVE_LEASE_MS);
    return this.orders.write<Settled>(payment.reference, (stored, moment) => {
      if (this.used(stored, key, moment.now)) return { result: { state: stored, isReplay: true } };
      const input = { by: 'person' as const, payment: payment.id, actor, as, note, key };
      const decision = decide(stored, input, moment, this.orders.rules());
      // Whoever asks meanwhile loses its lease, so that an older answer counts for nothing but money.
      const leases = [{ payment: payment.id, lease: { ...lease, until: moment.now } }];
      return { decision, leases, result: { state: decision.state, isReplay: false } };
    });
  }

  /** Asks the gateway now, or joins who asks. */
  async refresh({ payment }: Found): Promise<OrderState> {
    const { state } = await this.asker.ask(payment.reference, payment.id, ASK_MS);
    return state;
  }

  /** Calls a payment off whose payer must act. The gateway is asked first. */
  async cancel({ stored, payment }: Found, key: NewKey, actor: string): Promise<Settled> {
    if (this.used(stored, key, this.orders.store.now())) return { state: stored, isReplay: true };
    this.refuseCancel(payment);
    const { state } = await this.asker.ask(payment.reference, payment.id, ASK_MS, { actor, key });
    const now = state.payments.find(({ id }) => id === payment.id) ?? payment;
    if (openOperation(now)?.state === 'intended')
      throw new Refusal('operation-in-progress', 'An operation of this payment is being sent.', payment.id);
    refuseUnknownCancel(now);
    return { state, isReplay: false };
  }

  private refuseCancel(payment: Payment): void {
    const { id, status, waited } = payment;
    if (openOperation(payment)?.state === 'intended')
      throw new Refusal('operation-in-progress', 'An operation of this payment is being sent.', id);
    if (status !== 'requires_action' && status !== 'processing')
      throw new Refusal('invalid-state', 'Only a payment that waits for its payer can be canceled.', id);
    if (status === 'processing' && !waited)
      throw new Refusal('outcome-unknown', 'The gateway has not answered about this payment yet.', id);
  }

  private used(state: OrderState, key: NewKey, now: number): Key | undefined {
    return usedBefore(state, key, (operation) => this.engine.isSending(operation, now));
  }

  get livemode(): boolean {
    return this.config.livemode;
  }
}

/** An amount of a body in minor units; null where it was left out. Throws `validation-failed`. */
export function amountOf(text: string | undefined, currency: string, pointer: string): bigint | null {
  if (text === undefined) return null;
  const amount = parseMajor(text, currency);
  if (amount === undefined || amount <= 0n)
    throw new Refusal('validation-failed', `must be an amount above zero in ${currency}`, undefined, pointer);
  return amount;
}
