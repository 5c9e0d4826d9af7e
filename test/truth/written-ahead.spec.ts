import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, TillfrontClient } from '../harness/client.js';
import { createFormerStore } from '../harness/former-store.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { operationRecord, paymentIn, referenceOf, sessionRecord } from '../harness/records.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import { encodeRow } from '../../src/store/table.js';
import { operations, payments, references, sessions } from '../../src/store/schema.js';
import { act, answer, approved, say, VOID, voided, will } from './situations.js';
import { storedRows } from './stored-time.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/**
 * A store of version 0.1.0 from a machine whose clock was two days ahead: a paid payment, one of unknown outcome whose call was
 * under way, and the event of the first, which waits for its time.
 */
function writtenAhead() {
  const now = Date.now() + 2 * DAY;
  const times = { createdAt: now, updatedAt: now };
  const paid = paymentIn('succeeded', { ...times, closedAt: now });
  const open = paymentIn('processing', {
    ...times,
    id: 'pay_2',
    reference: 'ORDER-2',
    gatewayReference: 'ORDER-2_1',
    sessionId: 'cs_2',
    leaseOwner: 'own_dead',
    leaseUntil: now + 8_000,
    // Due; but by its lease the process that died has two days left.
    nextStatusCheckAt: Date.now(),
    openSince: now,
  });
  const session = sessionRecord({ ...times, status: 'paid', expiresAt: now + HOUR });
  const id = `evt_${'e'.repeat(32)}`;
  const body = { id, type: 'payment.succeeded', apiVersion: 'v1', livemode: false, sequence: 1 };
  const event = {
    id,
    type: 'payment.succeeded',
    aggregate_id: paid.id,
    sequence: 1,
    reference: paid.reference,
    body: JSON.stringify({ ...body, timestamp: new Date(now).toISOString(), data: { id: paid.id } }),
    created_at: now,
    position: 1,
    delivery_status: 'pending',
    attempts: 0,
    next_attempt_at: now,
    lease_until: 0,
  };
  return {
    payment_references: [paid, open].map((one) => encodeRow(references, referenceOf(one))),
    checkout_sessions: [
      encodeRow(sessions, session),
      encodeRow(sessions, { ...session, id: 'cs_2', reference: 'ORDER-2', status: 'open' }),
    ],
    payments: [{ ...paid, eventSequence: 1 }, open].map((one) => encodeRow(payments, one)),
    operations: [
      encodeRow(operations, operationRecord({ ...times, paymentId: 'pay_2', status: 'intended' })),
    ],
    events: [event],
  };
}

describe.each(stores)('what was written while the clock was ahead, on the %s store', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let shop: WebhookReceiver;
  let tillfront: Tillfront;

  beforeAll(async () => {
    store = await createFormerStore(kind, writtenAhead());
    gateway = await startMisbehavingGateway();
    shop = await startWebhookReceiver();
    const env = {
      MERCHANT_WEBHOOK_URL: shop.url,
      MERCHANT_WEBHOOK_SECRET: SECRET,
      GATEWAY_TIMEOUT_MS: '1000',
      NOT_FOUND_GRACE_SECONDS: '6',
    };
    gateway.script('GET /transaction/ORDER-2_1', answer(approved));
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
  });
  afterAll(async () => {
    await tillfront?.stop();
    await gateway?.close();
    await shop?.close();
    await store?.dispose();
  });

  const received = (): string[] =>
    shop.received.map(({ json }) => `${(json.data as { id: string }).id} ${json.type} ${json.sequence}`);

  test('events are delivered at once, in order, and those that follow them too', async () => {
    await until(() => received().includes('pay_1 payment.succeeded 1'));
    const scene = { gateway, client: new TillfrontClient(tillfront.url, tillfront.merchantKey) };
    will(scene, VOID, { reference: 'ORDER-1' }, answer(voided));
    const payment = await scene.client.getPayment('pay_1');
    say(scene, payment, answer(voided));
    expect(expectStatus(await act(scene, 'void', payment), 200).body.status).toBe('voided');
    await until(() => received().includes('pay_1 payment.voided 2'));
  });

  test('a payment whose process died is asked about, and its success is told', async () => {
    const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    await client.waitForStatus('pay_2', 'succeeded');
    await until(() => received().includes('pay_2 payment.succeeded 1'));
  });

  test('the columns of this version are there, with no time seen to pass', async () => {
    const rows = await storedRows({ tillfront }, 'select id, seen_ms from payments order by id');
    expect(rows.map(({ id }) => id)).toEqual(['pay_1', 'pay_2']);
    expect(Math.max(...rows.map((row) => Number(row['seen_ms'])))).toBeLessThan(60_000);
  });
});

describe.each(stores)('an idempotency key whose time is over, on the %s store', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  beforeAll(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });
  afterAll(async () => {
    await tillfront?.stop();
    await gateway?.close();
    await store?.dispose();
  });

  test('answers nothing any more: it may be used anew, for something else too', async () => {
    const make = (reference: string) =>
      client.post<{ id: string }>(
        '/v1/checkout-sessions',
        { reference, amount: '10.00', currency: 'NGN' },
        { idempotencyKey: 'once' },
      );
    const first = expectStatus(await make('KEY-1'), 201).body;
    expect(expectStatus(await make('KEY-1'), 200).body.id).toBe(first.id);
    expectStatus(await make('KEY-2'), 422);
    await storedRows({ tillfront }, `update idempotency_keys set expires_at = ${Date.now() - 1}`);
    const second = expectStatus(await make('KEY-2'), 201).body;
    expect(second.id).not.toBe(first.id);
    expect(expectStatus(await make('KEY-2'), 200).body.id).toBe(second.id);
  });

  test('is removed by the service itself', async () => {
    await tillfront.stop();
    await storedRows({ tillfront }, `update idempotency_keys set expires_at = ${Date.now() - 1}`);
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
    await until(
      async () => (await storedRows({ tillfront }, 'select key from idempotency_keys')).length === 0,
    );
  });
});
