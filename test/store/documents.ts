import type { Order, Payment, Session } from '../../src/payments/core/payment.js';
import type { Change, Stored } from '../../src/store/store.js';

/** A session of an order, as the core makes one. */
export function aSession(id: string, over: Partial<Session> = {}): Session {
  return {
    id,
    amount: 150_000n,
    currency: 'NGN',
    status: 'open',
    closedReason: null,
    payer: { email: 'ada@example.com' },
    billing: { country: 'NGA' },
    returnUrl: null,
    methods: ['card'],
    locale: null,
    metadata: {},
    declines: 0,
    started: 0,
    sequence: 0,
    expiresAt: 2_000_000_000_000,
    createdAt: 1_800_000_000_000,
    endedAt: null,
    emailHash: 'hash-of-ada',
    redactedAt: null,
    ...over,
  };
}

export function anOrder(reference: string, over: Partial<Order> = {}): Order {
  return {
    reference,
    attempts: 0,
    live: null,
    payer: null,
    duplicates: [],
    sessions: [],
    keys: [],
    probed: null,
    dueAt: 2_000_000_000_000,
    ...over,
  };
}

export function aPayment(reference: string, n: number, over: Partial<Payment> = {}): Payment {
  return {
    id: `pay_${reference}_${n}`,
    reference,
    sessionId: `cs_${reference}`,
    n,
    gatewayReference: `${reference}_${n}`,
    transactionRef: null,
    method: 'card',
    status: 'processing',
    amount: 150_000n,
    currency: 'NGN',
    authorized: null,
    captured: 0n,
    corrected: 0n,
    refunded: 0n,
    disputedAmount: 0n,
    reversed: 0n,
    disputed: false,
    nextAction: null,
    operations: [],
    duplicateOf: null,
    voidTried: false,
    attention: [],
    resolvedWords: [],
    failure: null,
    card: null,
    metadata: {},
    kept: {},
    answeredAt: null,
    waited: false,
    denials: { count: 0, last: 0 },
    gatewayExpiresAt: null,
    check: { at: null, attempts: 0, urgent: false, since: 0 },
    sequence: 0,
    timeline: [],
    adopted: false,
    createdAt: 1_800_000_000_000 + n,
    updatedAt: 1_800_000_000_000 + n,
    paidAt: null,
    statusSince: 1_800_000_000_000 + n,
    ...over,
  };
}

/** A change of an order and nothing else. */
export function changeOf(order: Order, over: Partial<Change> = {}): Change {
  return { order, payments: [], events: [], movements: [], ...over };
}

/** Adds one to the order's attempts, and answers with the number. */
export function countUp({ order, reference }: Stored): { change: Change; result: number } {
  const attempts = (order?.attempts ?? 0) + 1;
  const at = 1_800_000_000_000;
  const event = {
    id: `evt_${reference}_${attempts}`,
    stream: `cs_${reference}`,
    paymentId: null,
    sequence: attempts,
    type: 'checkout_session.counted',
    body: '{}',
    at,
  };
  return {
    change: changeOf({ ...(order ?? anOrder(reference)), attempts }, { events: [event] }),
    result: attempts,
  };
}
