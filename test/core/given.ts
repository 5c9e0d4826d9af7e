import type { Fact, Failure } from '../../src/gateway/fact.js';
import { decide } from '../../src/payments/core/decide.js';
import type { Decision, Input, Moment, Rules } from '../../src/payments/core/input.js';
import type {
  Operation,
  OperationType,
  OrderState,
  Payment,
  Session,
} from '../../src/payments/core/payment.js';

/** Documents of an order, as a test wants them. */

export const NOW = Date.UTC(2026, 0, 5, 8);
export const SECOND = 1_000;
export const HOUR = 3_600_000;
export const AMOUNT = 1500n;

export const RULES: Rules = {
  notFoundGraceMs: 900_000,
  duplicatePolicy: 'announce',
  maxDeclines: 5,
  maxPayments: 20,
  has: { otp: true, pin: true, complete: true, void: true, refund: true, refundStatus: true },
  restoredAt: undefined,
  gatewayReference: (reference, n) => `${reference}_${n}`,
};

export const DECLINED: Failure = {
  code: 'declined',
  message: 'The bank declined the payment.',
  reason: null,
  gatewayCode: null,
  retryable: false,
};

export const OTP: Fact = { is: 'waiting', action: { type: 'otp' } };
export const REDIRECT: Fact = {
  is: 'waiting',
  action: { type: 'redirect', url: 'https://bank.example', method: 'GET' },
};

export function session(of: Partial<Session> = {}): Session {
  return {
    id: 'cs_1',
    amount: AMOUNT,
    currency: 'NGN',
    status: 'open',
    closedReason: null,
    payer: {},
    billing: {},
    returnUrl: null,
    methods: ['card'],
    locale: null,
    metadata: {},
    declines: 0,
    started: 1,
    sequence: 0,
    expiresAt: NOW + 30 * 60 * SECOND,
    createdAt: NOW - HOUR,
    endedAt: null,
    emailHash: null,
    redactedAt: null,
    ...of,
  };
}

/** A payment of a status, with what that status brings along. */
export function payment(of: Partial<Payment> = {}): Payment {
  const { status = 'processing', n = 1 } = of;
  const paid = status === 'succeeded';
  return {
    id: `pay_${n}`,
    reference: 'ORDER',
    sessionId: 'cs_1',
    n,
    gatewayReference: `ORDER_${n}`,
    transactionRef: null,
    method: 'card',
    status,
    amount: AMOUNT,
    currency: 'NGN',
    authorized: status === 'authorized' ? AMOUNT : null,
    captured: paid ? AMOUNT : 0n,
    corrected: 0n,
    refunded: 0n,
    disputedAmount: 0n,
    reversed: 0n,
    disputed: false,
    nextAction: status === 'requires_action' ? { type: 'otp' } : null,
    operations: [],
    duplicateOf: null,
    voidTried: false,
    attention: [],
    resolvedWords: [],
    failure: ['failed', 'canceled', 'expired'].includes(status) ? DECLINED : null,
    card: null,
    metadata: {},
    kept: {},
    answeredAt: status === 'processing' ? null : NOW - 60 * SECOND,
    waited: status === 'requires_action',
    denials: { count: 0, last: 0 },
    gatewayExpiresAt: null,
    check: { at: NOW, attempts: 0, urgent: true, since: NOW - 60 * SECOND },
    sequence: 0,
    timeline: [],
    adopted: false,
    createdAt: NOW - 60 * SECOND,
    updatedAt: NOW - 60 * SECOND,
    paidAt: paid ? NOW - 60 * SECOND : null,
    statusSince: NOW - 60 * SECOND,
    ...of,
  };
}

export function operation(type: OperationType, of: Partial<Operation> = {}): Operation {
  return {
    id: type === 'refund' ? 'ref_1' : `op_${type}`,
    type,
    state: 'unknown',
    ...(type === 'complete' || type === 'refund' ? { amount: AMOUNT } : {}),
    process: 'p1',
    actor: 'payer',
    since: NOW - 60 * SECOND,
    ...of,
  };
}

/** An order with these payments: live and paying ones are where the order names them. */
export function order(payments: readonly Payment[], of: Partial<Session> = {}): OrderState {
  const live = payments.find(({ status }) =>
    ['processing', 'requires_action', 'authorized'].includes(status),
  );
  const payer = payments.find(({ status, duplicateOf }) => status === 'succeeded' && duplicateOf === null);
  return {
    reference: 'ORDER',
    order: {
      reference: 'ORDER',
      attempts: Math.max(0, ...payments.map(({ n }) => n)),
      live: live?.id ?? null,
      payer: payer?.id ?? null,
      duplicates: payments.filter(({ duplicateOf }) => duplicateOf !== null).map(({ id }) => id),
      sessions: [session({ ...(payer ? { status: 'paid' } : {}), ...of })],
      keys: [],
      probed: null,
      dueAt: null,
    },
    payments: [...payments],
  };
}

/** Ids that count. */
export function moment(now = NOW): Moment {
  let last = 0;
  return { now, id: (prefix) => `${prefix}_${now}_${++last}` };
}

export function when(before: OrderState, input: Input, now = NOW, rules: Partial<Rules> = {}): Decision {
  return decide(before, input, moment(now), { ...RULES, ...rules });
}

/** A status answer about the first payment. */
export function heard(fact: Fact, of: Partial<Extract<Input, { by: 'answer' }>> = {}): Input {
  return { by: 'answer', payment: 'pay_1', to: 'status', fact, owned: true, ...of };
}

export function first({ state }: Decision): Payment {
  const [one] = state.payments;
  if (!one) throw new Error('There is no payment.');
  return one;
}

export function reasons({ attention }: Payment): string[] {
  return attention.map(({ reason }) => reason);
}

/** The types of the events that a decision announces, in their order. */
export function announced({ entries }: Decision): string[] {
  return entries.flatMap(({ of, announce }) =>
    announce ? [of === 'session' ? `checkout_session.${announce}` : `payment.${announce}`] : [],
  );
}

/** The ledger's entries of a decision, as `kind direction amount`. */
export function moved({ entries }: Decision): string[] {
  return entries.flatMap((entry) =>
    entry.of === 'payment' && entry.money
      ? [`${entry.money.kind} ${entry.money.direction} ${entry.money.amount}`]
      : [],
  );
}
