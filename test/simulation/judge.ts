import type { Operation, OrderState, Payment, Status } from '../../src/payments/core/payment.js';
import type { Change, EventRow } from '../../src/store/store.js';
import { faultsOf, holds, mayMove, type Ledger } from '../core/invariants.js';
import { held, mayHold, type Account } from '../core/true-gateway.js';
import type { Database } from './database.js';
import type { SimulatedGateway } from './gateway.js';
import { time } from './virtual-time.js';

const LIVE: readonly Status[] = ['processing', 'requires_action', 'authorized'];
const BLOCKING = ['differs', 'contradicted', 'refund_unexplained'];
/** An intent is sent within five seconds, or never. */
const FRESH_MS = 5_000;
/** While a loss is being found, unknown is unclear. */
const LOSING_MS = 35_000;

/** What is judged: a simulated world, or what a real one shows. */
export interface Judged {
  readonly database: Pick<Database, 'state' | 'payments' | 'events' | 'movements'>;
  readonly gateway: Pick<SimulatedGateway, 'accounts' | 'toldOver'>;
  readonly lean: boolean;
  /** When commits were lost last. */
  readonly lostAt: number;
  fail(error: unknown): void;
}

/**
 * What the contract promises, judged from outside: by the store's rows, the gateway's book, and what callers were told. It never looks
 * away from a payment that needs attention where an order could be charged twice.
 */
export class Judge {
  private readonly world: Judged;
  /** Payments whose place a person has said. */
  readonly resolved = new Set<string>();
  /** Lines of timelines that were judged. */
  private readonly seen = new Map<string, number>();
  /** When each intent was committed. */
  private readonly intended = new Map<string, number>();
  private readonly started = new Set<string>();
  private readonly payers = new Map<string, string | null>();
  /** What a gateway without totals never tells. */
  readonly untold = new Set<string>();
  /** Orders that lost commits: some of it is lost for good. */
  readonly lossy = new Set<string>();

  constructor(world: Judged) {
    this.world = world;
  }

  /** After each commit: the order is in itself right, its ledger is its amounts, its events count on. */
  committed(reference: string, { events, payments }: Change): void {
    const { database } = this.world;
    const state = this.whole(reference);
    for (const { stream, sequence } of events) {
      const told = database.events.filter((event) => event.stream === stream && event.sequence <= sequence);
      if (told.length !== sequence) this.world.fail(`${stream}: event ${sequence} is the ${told.length}th`);
    }
    for (const { operations } of payments)
      for (const { id, state: at } of operations)
        if (at === 'intended' && !this.intended.has(id)) this.intended.set(id, time.now);
    this.staysPaid(state);
    for (const { type, stream } of events) {
      const live = state.payments.some((one) => one.sessionId === stream && LIVE.includes(one.status));
      if (type === 'checkout_session.expired' && live)
        this.world.fail(`${stream} expired while a payment of it is live`);
      if (type === 'payment.disputed') this.isDisputedAnew(stream);
    }
  }

  /** An order is in itself right, its ledger is its amounts, and its timelines lead to where it is. */
  whole(reference: string): OrderState {
    const state = this.world.database.state(reference);
    const faults = faultsOf(state, this.ledgerOf(reference));
    if (faults.length > 0) this.world.fail(`${reference}: ${faults.join('; ')}`);
    this.noTransitionIsForgotten(state);
    return state;
  }

  /** A duplicate that holds money keeps its order paid. */
  private staysPaid({ reference, order, payments }: OrderState): void {
    const was = this.payers.get(reference);
    this.payers.set(reference, order?.payer ?? null);
    const keeps = payments.some(
      ({ id, ...one }) => order?.duplicates.includes(id) && holds({ id, ...one }) > 0n,
    );
    if (was && order?.payer === null && keeps && !this.lossy.has(reference))
      this.world.fail(`${reference} is paid no more, while a duplicate holds money`);
  }

  /** The same chargeback is announced once. */
  private isDisputedAnew(stream: string): void {
    const told = this.world.database.events.filter((event) => event.stream === stream);
    const [former, last] = told
      .filter(({ type }) => type === 'payment.disputed' || type === 'payment.dispute_won')
      .slice(-2);
    const amount = (event: EventRow | undefined) =>
      /"amountDisputed":("[^"]*"|null)/.exec(event?.body ?? '')?.[1];
    if (last && former?.type === last.type && amount(former) === amount(last))
      this.world.fail(`${stream} is disputed once, and announced twice`);
  }

  private noTransitionIsForgotten({ payments }: OrderState): void {
    for (const { id, status, timeline } of payments) {
      for (const { type, actor, from, to } of timeline.slice(this.seen.get(id) ?? 0))
        if (type === 'moved' && from && to && actor !== PERSON && !mayMove(from, to))
          this.world.fail(`${id} went from ${from} to ${to}`);
      this.seen.set(id, timeline.length);
      const last = timeline.findLast((line) => line.to !== undefined);
      if (last && last.to !== status) this.world.fail(`${id} is ${status}, its timeline says ${last.to}`);
    }
  }

  /** The first byte of an operation leaves: nothing else of the order holds money, or may, as far as anybody was told. */
  leaves(payment: Payment, operation: Operation): void {
    const { gateway, database } = this.world;
    const { order, payments } = database.state(payment.reference);
    if (operation.type === 'pay') {
      // What arrives long after the loss of its row is beyond the contract (part 9).
      const isProtected = !this.lossy.has(payment.reference) || time.now - this.world.lostAt < LOSING_MS;
      if (isProtected && this.started.has(payment.gatewayReference))
        this.world.fail(`${payment.gatewayReference} is started again`);
      this.started.add(payment.gatewayReference);
    }
    const since = this.intended.get(operation.id) ?? -Infinity;
    if (time.now - since > FRESH_MS)
      this.world.fail(`${operation.id} leaves ${time.now - since} ms after its intent`);
    const blocking = payments.find(({ attention }) =>
      attention.some(({ reason }) => BLOCKING.includes(reason)),
    );
    if (blocking && blocking.id !== payment.id && blocking.updatedAt < operation.since)
      this.world.fail(`${operation.id} leaves, and ${blocking.id} needs a person`);
    const duplicate = payments.find((one) => order?.duplicates.includes(one.id) && holds(one) > 0n);
    if (duplicate && duplicate.updatedAt < operation.since && !order?.duplicates.includes(payment.id))
      this.world.fail(`${operation.type} of ${payment.id}, while the duplicate ${duplicate.id} holds money`);
    if (!['pay', 'otp', 'pin', 'complete'].includes(operation.type)) return;
    for (const name of this.beside(payment.gatewayReference)) {
      const known = payments.find((one) => one.gatewayReference === name);
      if (known && (this.resolved.has(known.id) || isGivenUp(known))) continue;
      this.world.fail(
        `${operation.type} of ${payment.gatewayReference} is charged beside ${name}, which is ${gateway.accounts.get(name)?.state} at the gateway and ${known?.status ?? 'lost'} here`,
      );
    }
  }

  /** The order's other payments that hold money at the gateway, or may, as far as anybody was told. */
  beside(charged: string): string[] {
    const { accounts, toldOver } = this.world.gateway;
    const order = charged.slice(0, charged.lastIndexOf('_') + 1);
    return [...accounts].flatMap(([name, account]) => {
      if (!name.startsWith(order) || name === charged || !mayHold(account)) return [];
      return (toldOver.get(name) ?? Infinity) < account.changed ? [] : [name];
    });
  }

  /** All is quiet: our book is the gateway's, or a person has it. */
  atRest(): void {
    const { gateway, database } = this.world;
    for (const { payment } of database.payments.values()) {
      const account = gateway.accounts.get(payment.gatewayReference);
      const attended = payment.attention.some(
        ({ reason }) => reason !== 'duplicate' && reason !== 'hold_ending',
      );
      if (payment.operations.some(({ state }) => state === 'intended'))
        this.world.fail(`${payment.id} has an intent that nobody sends`);
      if (attended || this.resolved.has(payment.id)) continue;
      const there = account ? held(account) : 0n;
      const here = holds(payment);
      const isUntold =
        this.untold.has(payment.gatewayReference) ||
        (this.world.lean &&
          account !== undefined &&
          (Object.keys(account.refunds).length > 0 || this.lossy.has(payment.reference)));
      const name = `${payment.gatewayReference} (${payment.status})`;
      if (here !== there && !isUntold)
        this.world.fail(`${name} holds ${here}, at the gateway (${account?.state ?? 'unknown'}) ${there}`);
      if (!account && !['failed', 'canceled', 'expired'].includes(payment.status))
        this.world.fail(`${name} never arrived`);
      if (account && !isThere(payment, account))
        this.world.fail(`${name} is ${account.state} at the gateway, and nobody looks`);
      for (const { id, type, state, refundRef = '' } of payment.operations) {
        if (type === 'void' && state === 'confirmed' && payment.status !== 'voided')
          this.world.fail(`${name} was voided by ${id}, as it says`);
        const isDone = account?.refunds[refundRef]?.state === 'done';
        if (type === 'refund' && state === 'unknown' && isDone && !this.world.lean)
          this.world.fail(`${name}: ${id} is done, and still open`);
      }
      const opened = payment.operations.find(({ type, state }) => type !== 'refund' && state === 'unknown');
      if (opened && !mayHold(account ?? NOTHING))
        this.world.fail(`${name} is over, and its ${opened.type} is open`);
    }
    for (const [name, account] of gateway.accounts) {
      const reference = name.slice(0, name.lastIndexOf('_'));
      const isHere = database.state(reference).payments.some((one) => one.gatewayReference === name);
      if (!isHere && !this.lossy.has(reference))
        this.world.fail(`${name} is ${account.state}, and nobody knows it`);
    }
  }

  /** How a beginning must end. */
  ended(ends: Readonly<Record<number, string>>, reference: string): void {
    const found: Record<number, string> = {};
    for (const payment of this.world.database.state(reference).payments) {
      const reasons = payment.attention.map(({ reason }) => reason);
      found[payment.n] = [payment.status, ...reasons, ...(payment.disputed ? ['disputed'] : [])].join(' ');
    }
    if (JSON.stringify(found) !== JSON.stringify(ends))
      this.world.fail(`${reference} ended as ${JSON.stringify(found)}, not as ${JSON.stringify(ends)}`);
  }

  private ledgerOf(reference: string): Ledger {
    const ledger = new Map<string, Record<string, bigint>>();
    for (const { paymentId, reference: of, kind, direction, amount } of this.world.database.movements) {
      if (of !== reference) continue;
      const row = ledger.get(paymentId) ?? {};
      row[kind] = (row[kind] ?? 0n) + (kind === 'correction' && direction === 'out' ? -amount : amount);
      ledger.set(paymentId, row);
    }
    return ledger;
  }
}

const NOTHING = {
  state: 'failed',
  owed: 0n,
  captured: 0n,
  refunded: 0n,
  disputed: 0n,
  won: false,
  refunds: {},
  changed: 0,
} as const;

export const PERSON = 'merchant:anna';

/** Whether a payment stands where the gateway says. What was called off or timed out here may still wait there. */
function isThere({ status, disputed }: Payment, account: Account): boolean {
  const ended = ['failed', 'canceled', 'expired'].includes(status);
  switch (account.state) {
    case 'paid':
      if (status === 'voided') return held(account) === 0n;
      return status === 'succeeded' && disputed === account.disputed > 0n;
    case 'held':
      return status === 'authorized';
    case 'failed':
    case 'expired':
      return ended;
    case 'voided':
      return status === 'voided';
    default:
      return status === 'processing' || status === 'requires_action' || ended;
  }
}

/** A payer or merchant called it off, or its time was over: what comes then is late. */
function isGivenUp({ status }: Payment): boolean {
  return status === 'canceled' || status === 'expired';
}
