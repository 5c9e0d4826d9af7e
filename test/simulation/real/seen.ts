import type {
  AttentionReason,
  OrderState,
  Payment,
  TimelineEntry,
} from '../../../src/payments/core/payment.js';
import type { MovementRow } from '../../../src/store/store.js';
import { operation, order, payment, session } from '../../core/given.js';
import {
  expectStatus,
  type PaymentBody,
  type SessionBody,
  type TillfrontClient,
} from '../../harness/client.js';
import { minor } from './words.js';

/** An order as the API shows it, in the words of the core: what it does not show is as usual. */

type List<T> = { data: T[]; nextCursor: string | null };
type RefundBody = { id: string; amount: string; status: 'processing' | 'succeeded' | 'failed' };
type MovementBody = Omit<MovementRow, 'amount' | 'at' | 'recordedAt'> & { amount: string };
type LineBody = Omit<TimelineEntry, 'at'> & { at: string };

const STATES = { processing: 'unknown', succeeded: 'confirmed', failed: 'refused' } as const;

export async function allOf<T>(client: TillfrontClient, path: string, by: 'cursor' | 'after'): Promise<T[]> {
  const found: T[] = [];
  for (let next: string | null = ''; next !== null;) {
    const page: List<T> = expectStatus(
      await client.get<List<T>>(`${path}limit=100${next === '' ? '' : `&${by}=${next}`}`),
      200,
    ).body;
    found.push(...page.data);
    next = page.data.length === 100 ? page.nextCursor : null;
  }
  return found;
}

export async function movementsOf(client: TillfrontClient): Promise<MovementRow[]> {
  const rows = await allOf<MovementBody>(client, '/v1/movements?', 'cursor');
  return rows.map((row) => ({ ...row, amount: minor(row.amount), at: 0, recordedAt: 0 }));
}

/** The API shows it of what is voided. A person may have resolved such a payment as failed: then only the ledger tells. */
export function reversedOf({ id }: Payment, movements: readonly MovementRow[]): bigint {
  const sum = (kind: MovementRow['kind']): bigint =>
    movements.reduce((all, one) => (one.paymentId === id && one.kind === kind ? all + one.amount : all), 0n);
  return sum('void') - sum('void_reversal');
}

export async function look(
  client: TillfrontClient,
  reference: string,
  sessions: readonly { id: string }[],
): Promise<OrderState> {
  const get = async <T>(path: string): Promise<T> => expectStatus(await client.get<T>(path), 200).body;
  const found = (await client.paymentsOf(reference)).map(async (body) => {
    const path = `/v1/payments/${body.id}`;
    const refunds = await get<List<RefundBody>>(`${path}/refunds`);
    const lines = await get<List<LineBody>>(`${path}/events`);
    return paymentOf(body, refunds.data, lines.data);
  });
  const payments = (await Promise.all(found)).sort((a, b) => a.n - b.n);
  const shown = sessions.map(async ({ id }) => {
    type Body = SessionBody & { closedReason: 'merchant' | null };
    const { status, closedReason } = await get<Body>(`/v1/checkout-sessions/${id}`);
    return session({ id, status, closedReason });
  });
  const { order: known } = order(payments);
  const payer = payments.find(({ duplicateOf }) => duplicateOf !== null)?.duplicateOf ?? known?.payer ?? null;
  return {
    reference,
    order: known && { ...known, reference, payer, sessions: await Promise.all(shown) },
    payments,
  };
}

function paymentOf(body: PaymentBody, refunds: readonly RefundBody[], lines: readonly LineBody[]): Payment {
  const { pendingOperation: open, gatewayReference } = body;
  const isRefund = refunds.some(({ status }) => status === 'processing');
  return payment({
    id: body.id,
    reference: body.reference,
    sessionId: body.sessionId,
    n: Number(gatewayReference.slice(gatewayReference.lastIndexOf('_') + 1)),
    gatewayReference,
    status: body.status,
    captured: minor(body.amountCaptured),
    refunded: minor(body.amountRefunded),
    disputedAmount: minor(body.amountDisputed),
    // The API shows what was captured, and that what was left of it was reversed.
    reversed:
      body.status === 'voided'
        ? minor(body.amountCaptured) - minor(body.amountRefunded) - minor(body.amountDisputed)
        : 0n,
    disputed: body.disputed,
    nextAction: body.nextAction && { type: 'otp' },
    operations: [
      ...(open && !isRefund ? [operation(open.type, { id: open.type })] : []),
      ...refunds.map(({ id, amount, status }) =>
        operation('refund', { id, amount: minor(amount), state: STATES[status] }),
      ),
    ],
    duplicateOf: body.duplicateOf,
    attention: body.attentionReasons.map((reason) => ({
      reason: reason as AttentionReason,
      since: 0,
      word: '',
    })),
    timeline: lines.map((line) => ({ ...line, at: 0 })),
  });
}
