import { expect, test } from '@jest/globals';
import { keyedHash } from '../../src/secrets/keyed-hash.js';
import { encodeRow, payments, references, sessions } from '../../src/store/tables.js';
import { cardRequest, expectStatus, TillfrontClient } from '../harness/client.js';
import { createFormerStore, type FormerRows } from '../harness/former-store.js';
import { answer, approved, notFoundAnswer } from '../harness/gateway-answers.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { paymentIn, referenceOf, sessionRecord } from '../harness/records.js';
import { stores } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { storedRows } from '../truth/stored-time.js';

const ADDRESS = '203.0.113.7';
/** What counts no more: from long ago, and from before the clock was set back. */
const STALE: Readonly<Record<string, number>> = { dcl_old: -7_200_000, dcl_ahead: 7_200_000 };
const fingerprint = (text: string): string => keyedHash(testKeys.secretKey, 'fingerprint', text);

/** A shop's store as version 0.1.0 has left it: a payment that failed, and an address from which many cards were declined. */
function former(): FormerRows {
  const now = Date.now();
  const times = { createdAt: now, updatedAt: now };
  const payment = paymentIn('failed', { ...times, addressFingerprint: fingerprint(`address\n${ADDRESS}`) });
  const session = sessionRecord({ ...times, expiresAt: now + 3_600_000 });
  const {
    network_fingerprint: _,
    next_status_check_at: ask_at,
    status_check_count: ask_count,
    last_timeline_note: last_finding,
    ...unchanged
  } = encodeRow(payments, payment);
  const paymentRow = { ...unchanged, ask_at, ask_count, last_finding };
  return {
    payment_references: [encodeRow(references, referenceOf(payment))],
    checkout_sessions: [encodeRow(sessions, session)],
    payments: [paymentRow],
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
