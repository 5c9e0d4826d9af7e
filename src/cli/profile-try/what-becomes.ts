import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { CallFacts } from '../../gateway/requests/payment-fields.js';
import { METHODS } from '../../methods/methods.js';
import { apply } from '../../payments/apply/apply.js';
import { interpretRefundStatus } from '../../payments/interpret/interpret-refund.js';
import { interpretStatus } from '../../payments/interpret/interpret-status.js';
import { mean } from '../../payments/interpret/meaning.js';
import { newOperation } from '../../payments/operations/new-operation.js';
import { newPayment } from '../../payments/operations/new-payment.js';
import type { PaymentUpdate } from '../../payments/state/payment-update.js';
import type {
  CodeType,
  OperationRecord,
  PaymentMethod,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
} from '../../store/schema.js';

/** An answer is read at a time of its own, so that a recording says the same every day. */
const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const START = {
  addressFingerprint: 'try',
  card: { brand: null, last4: '0000', fingerprint: 'try', networkFingerprint: null },
};

interface Rows {
  payment: PaymentRecord;
  reference: ReferenceRecord;
  session: SessionRecord;
  operation: OperationRecord;
}

/**
 * The payment after an answer to one of its operations, begun from where such a call usually begins. Undefined for an
 * operation that moves no payment. Pure but for ids.
 */
export function whatBecomes(
  operation: string,
  result: GatewayResult,
  facts: CallFacts,
): PaymentRecord | undefined {
  const begun = begin(operation, facts);
  if (!begun) return undefined;
  const { rows, interpret } = begun;
  const { payment, reference, session, operation: row } = rows;
  const update = interpret(result);
  return apply({ payment, reference, session, openOperations: [row], paidBeside: [] }, update, {
    ...{ now: NOW, livemode: false, epoch: 0, deliver: false, maxDeclines: 100, random: () => 0.5 },
    rules: { voidDuplicates: false, graceMs: HOUR },
  }).payment;
}

function begin(
  operation: string,
  facts: CallFacts,
): { rows: Rows; interpret: (result: GatewayResult) => PaymentUpdate } | undefined {
  const method = METHODS.find(
    ({ initiation, statusQuery }) => initiation === operation || statusQuery === operation,
  );
  const rows = freshRows(method?.name ?? 'card', facts);
  if (method?.initiation === operation) {
    return { rows, interpret: (result) => mean(result, { ...rows, mode: 'test' }) };
  }
  if (method) {
    const unknown: Rows = { ...rows, operation: { ...rows.operation, status: 'unknown' } };
    return {
      rows: unknown,
      interpret: (result) =>
        interpretStatus(result, {
          ...unknown,
          openOperations: [unknown.operation],
          ...{ mode: 'test', now: NOW, graceMs: HOUR, asksRefunds: false },
        }),
    };
  }
  return later(operation, rows, facts.refundRef);
}

function later(operation: string, rows: Rows, refundReference: string | undefined): ReturnType<typeof begin> {
  const { payment } = rows;
  const { amount } = payment;
  switch (operation) {
    case 'validateOtp':
      return typed(rows, 'otp');
    case 'validatePin':
      return typed(rows, 'pin');
    case 'complete': {
      const held = at(rows, 'complete', amount, { status: 'authorized', amountAuthorized: amount });
      return { rows: held, interpret: (result) => mean(result, { ...held, mode: 'test' }) };
    }
    case 'void': {
      const held = at(rows, 'void', null, { status: 'authorized', amountAuthorized: amount });
      return { rows: held, interpret: (result) => mean(result, { ...held, mode: 'test' }) };
    }
    case 'refund':
    case 'refundStatus': {
      const paid = at(rows, 'refund', amount, { status: 'succeeded', amountCaptured: amount });
      const refund = { ...paid.operation, refundReference: refundReference ?? null };
      const asked = { ...paid, operation: refund };
      const interpret = operation === 'refund' ? mean : interpretRefundStatus;
      return { rows: asked, interpret: (result) => interpret(result, { ...asked, mode: 'test' }) };
    }
    default:
      return undefined;
  }
}

function typed(rows: Rows, type: CodeType): ReturnType<typeof begin> {
  const asked = at(rows, type, null, { status: 'requires_action', nextAction: { type } });
  return { rows: asked, interpret: (result) => mean(result, { ...asked, mode: 'test' }) };
}

function at(
  rows: Rows,
  type: CodeType | 'complete' | 'void' | 'refund',
  amount: bigint | null,
  over: Partial<PaymentRecord>,
): Rows {
  const payment = { ...rows.payment, answered: true, ...over };
  return { ...rows, payment, operation: newOperation(payment, { type, actor: 'try' }, amount, 'try', NOW) };
}

function freshRows(method: PaymentMethod, facts: CallFacts): Rows {
  const { amount = 0n, currency = 'NGN', clientRef = '', transactionRef } = facts;
  const session: SessionRecord = {
    ...{ id: 'cs_try', reference: 'TRY', amount, currency, status: 'open', closedReason: null },
    ...{
      payer: null,
      billing: null,
      returnUrl: null,
      methods: [method],
      metadata: {},
      locale: null,
      declines: 0,
      eventSequence: 0,
    },
    ...{ expiresAt: NOW + HOUR, createdAt: NOW, updatedAt: NOW, finishedAt: null, redactedAt: null },
    ...{ emailHash: null, phoneHash: null },
  };
  const empty = {
    reference: 'TRY',
    attempts: 0,
    livePaymentIds: [],
    paidPaymentIds: [],
    sessionId: session.id,
    names: [],
    heldSince: null,
    namesDueAt: null,
  };
  const made = newPayment(session, empty, { ...START, method }, 'try', NOW);
  return {
    payment: { ...made.payment, gatewayReference: clientRef, transactionRef: transactionRef ?? null },
    reference: made.reference ?? empty,
    session,
    operation: made.operation,
  };
}
