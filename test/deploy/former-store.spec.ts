import { expect, test } from '@jest/globals';
import { keyedHash } from '../../src/secrets/keyed-hash.js';
import { encodeRow } from '../../src/store/table.js';
import {
  type PaymentRecord,
  payments,
  type PaymentStatus,
  references,
  sessions,
} from '../../src/store/schema.js';
import { cardRequest, expectStatus, TillfrontClient, type SessionBody } from '../harness/client.js';
import { createFormerStore, type FormerRows } from '../harness/former-store.js';
import { answer, approved, notFoundAnswer } from '../harness/gateway-answers.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { DAY, paymentIn, referenceOf, sessionRecord } from '../harness/records.js';
import { stores } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { storedRows } from '../truth/stored-time.js';

const ADDRESS = '203.0.113.7';
/** What counts no more: from long ago, and from before the clock was set back. */
const STALE: Readonly<Record<string, number>> = { dcl_old: -7_200_000, dcl_ahead: 7_200_000 };
const fingerprint = (text: string): string => keyedHash(testKeys.secretKey, 'fingerprint', text);

/** A payment's row under the names of that time. */
function formerPayment(payment: PaymentRecord): Record<string, unknown> {
  const row = encodeRow(payments, payment);
  return {
    ...row,
    ask_at: row.next_status_check_at,
    ask_count: row.status_check_count,
    last_finding: row.last_timeline_note,
  };
}

/**
 * A shop's store as version 0.1.0 has left it: a payment that failed, an address from which many cards were declined, an
 * order of which the first of two paid payments was voided, and a hold that nobody has settled for a week.
 */
function former(): FormerRows {
  const now = Date.now();
  const times = { createdAt: now, updatedAt: now };
  const payment = paymentIn('failed', { ...times, addressFingerprint: fingerprint(`address\n${ADDRESS}`) });
  const session = sessionRecord({ ...times, expiresAt: now + 3_600_000 });
  const twice = { ...times, reference: 'ORDER-2', sessionId: 'cs_2' };
  const first = paymentIn('voided', { ...twice, id: 'pay_2', gatewayReference: 'ORDER-2_1' });
  const second = paymentIn('succeeded', {
    ...twice,
    id: 'pay_3',
    gatewayReference: 'ORDER-2_2',
    duplicateOf: 'pay_2',
  });
  const closed = sessionRecord({ ...session, id: 'cs_2', reference: 'ORDER-2', status: 'closed' });
  const hold = paymentIn('authorized', {
    id: 'pay_4',
    reference: 'ORDER-3',
    sessionId: 'cs_3',
    gatewayReference: 'ORDER-3_1',
    createdAt: now - 7 * 86_400_000,
    updatedAt: now - 7 * 86_400_000,
    nextStatusCheckAt: now,
  });
  const held = sessionRecord({ ...session, id: 'cs_3', reference: 'ORDER-3' });
  const declinedAgo = (id: string, ago: number): Record<string, unknown> =>
    formerPayment(
      paymentIn('failed', {
        ...times,
        id,
        gatewayReference: `ORDER-1_${id}`,
        closedAt: now - ago,
        failure: { code: 'declined', message: 'No', retryable: true },
      }),
    );
  const asked = (id: string, status: PaymentStatus): Record<string, unknown> =>
    formerPayment(
      paymentIn(status, {
        ...times,
        id,
        gatewayReference: `ORDER-1_${id}`,
        nextStatusCheckAt: now + 3_600_000,
      }),
    );
  return {
    payment_references: [payment, second, hold].map((one) => encodeRow(references, referenceOf(one))),
    checkout_sessions: [session, closed, held].map((one) => encodeRow(sessions, one)),
    payments: [
      ...[payment, first, second, hold].map(formerPayment),
      asked('ask_1', 'processing'),
      asked('ask_2', 'requires_action'),
      asked('ask_3', 'canceled'),
      declinedAgo('ask_4', DAY),
      declinedAgo('ask_5', 7 * DAY),
    ],
    declines: ['dcl_1', 'dcl_2', 'dcl_3', 'dcl_4', 'dcl_old', 'dcl_ahead'].map((id) => ({
      id,
      address_fingerprint: fingerprint(`address\n${ADDRESS}`),
      card_fingerprint: `${id}-card`,
      at: now + (STALE[id] ?? 0),
    })),
  };
}

test.each(stores)(
  'a %s store of version 0.1.0 goes on: payments are there, declines count',
  async (kind) => {
    const store = await createFormerStore(kind, former());
    const gateway = await startMisbehavingGateway();
    gateway.script('POST /payment/card', answer(approved));
    gateway.script('GET /transaction/*', answer(notFoundAnswer));
    const env = { TRUST_PROXY: '1', CARD_TESTING_LIMIT: '3' };
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    try {
      const shop = new TillfrontClient(tillfront.url, tillfront.merchantKey);
      expect(await shop.getPayment('pay_1')).toMatchObject({ status: 'failed', reference: 'ORDER-1' });
      await until(async () => (await shop.getPayment('pay_3')).duplicateOf === null, 30_000);
      expect(await shop.getPayment('pay_3')).toMatchObject({
        status: 'succeeded',
        amountRefunded: null,
        disputed: false,
      });
      const order = await shop.get<SessionBody>('/v1/checkout-sessions/cs_2');
      expect(expectStatus(order, 200).body.status).toBe('paid');
      await until(async () => (await shop.getPayment('pay_4')).needsAttention, 30_000);
      expect(await shop.getPayment('pay_4')).toMatchObject({ status: 'authorized' });
      // Everything that is asked about has its worth; a decline of the last six days is asked about once more.
      const planned = await storedRows(
        { tillfront },
        `select id, status_check_worth as worth from payments where next_status_check_at is not null and id like 'ask%' order by id`,
      );
      expect(planned.map(({ id, worth }) => [id, Number(worth)])).toEqual([
        ['ask_1', 1],
        ['ask_2', 3],
        ['ask_3', 4],
        ['ask_4', 4],
      ]);
      const declines = async () => (await storedRows({ tillfront }, 'select id from declines')).length;
      await until(async () => (await declines()) === 4);
      const pay = async (address: string) =>
        shop.payCard(await shop.createSession(), cardRequest(), { headers: { 'x-forwarded-for': address } });
      expectStatus(await pay(ADDRESS), 429);
      expect(expectStatus(await pay('203.0.113.8'), 201).body.status).toBe('succeeded');
    } finally {
      await tillfront.stop();
      await gateway.close();
      await store.dispose();
    }
  },
  120_000,
);
