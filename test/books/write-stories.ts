import { formatMajor } from '../../src/money/money.js';
import type { SettlementProfile } from '../../src/gateway/profile/format.js';
import { defaultProfile } from '../../src/gateway/profile/default-profile.js';
import { insertRows } from '../../src/settlement/store/json-rows.js';
import {
  movements,
  newPayments,
  operations,
  type MovementRecord,
  type OperationRecord,
} from '../../src/store/schema.js';
import type { Store } from '../../src/store/store.js';
import { operationRecord, paymentIn } from '../harness/records.js';
import type { BookRow, Story } from './stories.js';

/** Puts stories into a store as if they had happened, and the gateway's rows into files. */

/** The built-in report with the columns that it lacks. */
export const SHAPE: SettlementProfile = {
  ...(defaultProfile.settlement?.[0] as SettlementProfile),
  columns: {
    ...(defaultProfile.settlement?.[0] as SettlementProfile).columns,
    refundRef: 'refundRef',
    net: 'net',
    payout: 'payout',
  },
};
const HEADER = 'reference,transactionRef,type,amount,fee,currency,status,settledAt,refundRef,net,payout';

const WORDS: Readonly<Record<BookRow['type'], string>> = {
  payment: 'PAYMENT',
  refund: 'REFUND',
  chargeback: 'CHARGEBACK',
  paymentReversal: 'PAYMENT_REVERSAL',
  refundReversal: 'REFUND_REVERSAL',
  chargebackReversal: 'CHARGEBACK_REVERSAL',
};

/** A file of the gateway. */
export function reportOf(rows: readonly BookRow[]): string {
  return [HEADER, ...rows.map(lineOf), ''].join('\n');
}

function lineOf(row: BookRow): string {
  const { reference, transactionRef, type, amount, currency, settledAt, refundRef } = row;
  const { fee, net, payout } = row;
  const major = (minor: bigint | null | undefined): string =>
    minor === null || minor === undefined
      ? ''
      : (minor < 0n ? '-' : '') + formatMajor(minor < 0n ? -minor : minor, currency);
  return [
    ...[reference, transactionRef, WORDS[type], major(amount), major(fee), currency, 'SETTLED'],
    ...[new Date(settledAt).toISOString(), refundRef ?? '', major(net), payout ?? ''],
  ].join(',');
}

/** Writes the payments of stories, without any movement. */
export async function writePayments(store: Store, stories: readonly Story[]): Promise<void> {
  const known = stories.flatMap(({ known: one }) => one ?? []);
  await insertRows(
    store,
    newPayments,
    known.map(
      ({
        payment: { id, reference, gatewayReference, status, currency, method, cardBrand },
        movements: moved,
      }) => {
        const sale = moved.find(({ kind }) => kind === 'payment');
        return {
          ...paymentIn(status, {
            id,
            reference,
            gatewayReference,
            currency,
            method,
            cardBrand,
            sessionId: `cs_${reference}`,
          }),
          amount: sale?.amount ?? 10_000n,
          amountCaptured: sale?.amount ?? null,
          closedAt: sale?.at ?? null,
          ...{ payStatus: null, payOwner: null, payActor: null, payFormerCount: null },
          ...{ paySeenFromMs: null, payAcceptedAt: null, payUpdatedAt: null, timeline: '' },
        };
      },
    ),
  );
  const refunds = known.flatMap(({ payment, refunds: asked, movements: moved }) =>
    asked.map(({ refundRef, amount }): OperationRecord => {
      const { refundId } = moved.find((one) => one.refundRef === refundRef) ?? {};
      return operationRecord({
        ...{ id: refundId ?? refundRef, paymentId: payment.id, type: 'refund', status: 'confirmed' },
        ...{ amount, refundReference: refundRef },
      });
    }),
  );
  await insertRows(store, operations, refunds);
}

/** Writes the movements of some stories. */
export async function writeMovements(store: Store, stories: readonly Story[]): Promise<void> {
  const moved = stories.flatMap(({ known }) =>
    known
      ? known.movements.map(({ refundRef: _, ...movement }): MovementRecord => ({
          ...movement,
          paymentId: known.payment.id,
          ...{ currency: known.payment.currency, method: known.payment.method, recordedAt: movement.at },
          reference: known.payment.reference,
          gatewayReference: known.payment.gatewayReference,
          ...{ textId: null, actor: 'gateway', source: 'gateway', batch: null },
        }))
      : [],
  );
  await insertRows(store, movements, moved);
}
