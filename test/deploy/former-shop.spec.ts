import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  cardRequest,
  expectStatus,
  TillfrontClient,
  type PaymentStatus,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, cardAnswer } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import { storedRows } from '../truth/stored-time.js';
import { formerSessionRequest, formerShop, openFormerShop } from './former-shop.js';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const { orders, tables, delivered, tried } = formerShop;

/** An order of the former shop, with its payment. */
function order(name: string) {
  const found = orders[name];
  if (!found) throw new Error(`no order ${name}`);
  const row = tables['payments']?.find(({ reference }) => reference === found.reference);
  return { ...found, clientToken: found.token, id: String(row?.['id']) };
}

describe.each(stores)('a %s store that version 0.1.0 has left in the middle of its work', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let merchant: WebhookReceiver;
  let tillfront: Tillfront;
  let shop: TillfrontClient;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    merchant = await startWebhookReceiver();
    // What the gateway has done of what 0.1.0 never heard of. It has the code and the payer of the bank yet to come.
    for (const name of ['UNKNOWN', 'MIDDLE', 'NOTIFIED'])
      gateway.script(`GET /transaction/ORDER-${name}_1`, answer(approved));
    gateway.script('GET /transaction/ORDER-VOID_1', answer(cardAnswer({ status: 'VOIDED' })));
    for (const name of ['CODE', 'BANK'])
      gateway.script(`GET /transaction/ORDER-${name}_1`, answer(cardAnswer({ status: 'PENDING' })));
    gateway.script(
      'GET /transaction/ORDER-HELD_1',
      answer(cardAnswer({ status: 'AUTHORIZED', amount: '1500.00', currency: 'NGN' })),
    );
    store = await openFormerShop(kind, gateway.url);
    const env = {
      // What the shop's tokens, keys and return addresses were made with.
      SECRET_KEY: 'test-secret-key-0123456789abcdef0123456789abcdef',
      MERCHANT_WEBHOOK_URL: merchant.url,
      MERCHANT_WEBHOOK_SECRET: SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    shop = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  }, 120_000);
  afterAll(async () => {
    await tillfront?.stop();
    await gateway?.close();
    await merchant?.close();
    await store?.dispose();
  });

  const statusOf = async (name: string) => (await shop.getPayment(order(name).id)).status;
  const cardsSent = (name: string) =>
    gateway.requestsTo('POST /payment/card').filter(({ text }) => text.includes(`"${order(name).reference}_`))
      .length;

  test('has a row of each kind that it wrote', () => {
    const empty = Object.entries(tables).filter(([, rows]) => rows.length === 0);
    // Taken only for moments: see `event-batches-migration.spec.ts`.
    expect(empty.map(([table]) => table)).toEqual(['leases']);
  });

  test.each<[string, PaymentStatus, string]>([
    ['UNKNOWN', 'succeeded', 'an outcome that nobody knew'],
    ['MIDDLE', 'succeeded', 'a call that was under way'],
    ['NOTIFIED', 'succeeded', 'a notification that was not followed yet'],
    ['VOID', 'voided', 'a void of unknown outcome'],
  ])('%s becomes %s: %s is asked about, and nothing is sent again', async (name, status) => {
    await shop.waitForStatus(order(name).id, status, 100_000);
    expect(cardsSent(name)).toBe(0);
    expect(gateway.requestsTo('POST /payment/void')).toEqual([]);
  });

  test('the merchant hears what it had refused once, by the same id and in the same bytes, and nothing that it had accepted', async () => {
    const heard = () => merchant.received.map(({ headers }) => String(headers['webhook-id']));
    const pending = `select id from events where delivery_status = 'pending'`;
    await until(() => tried.every(({ id }) => heard().includes(id)), 60_000);
    await until(async () => (await storedRows({ tillfront }, pending)).length === 0, 60_000);
    for (const { id, text } of tried) {
      const times = merchant.received.filter(({ headers }) => headers['webhook-id'] === id);
      expect(times.map((one) => one.text)).toEqual([text]);
    }
    for (const { id } of delivered) expect(heard()).not.toContain(id);
    const told = new Map<string, number[]>();
    for (const { json } of merchant.received) {
      const { id } = json.data as { id: string };
      told.set(id, [...(told.get(id) ?? []), json.sequence]);
    }
    for (const numbers of told.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  }, 180_000);

  test('events that were listed keep their places, ids and bodies', async () => {
    const former = [...(tables['events'] ?? [])].sort(
      (a, b) => Number(a['position']) - Number(b['position']),
    );
    const { body } = expectStatus(await shop.get<{ data: { id: string }[] }>('/v1/events?limit=100'), 200);
    expect(body.data.slice(0, former.length).map(({ id }) => id)).toEqual(former.map(({ id }) => id));
  });

  test('keys still name what they began: nothing is made or sent twice, and another request is refused', async () => {
    const again = await shop.post<SessionBody>('/v1/checkout-sessions', formerSessionRequest('PAID'), {
      idempotencyKey: 'session-PAID',
    });
    expect(expectStatus(again, 200).body).toMatchObject({
      id: order('PAID').session,
      clientToken: order('PAID').token,
      status: 'paid',
    });
    for (const name of ['PAID', 'DECLINED', 'MIDDLE', 'UNKNOWN']) {
      const paid = await shop.payCard(order(name), {}, { idempotencyKey: `pay-${name}` });
      expect(expectStatus(paid, 200, 201, 202).body.id).toBe(order(name).id);
      expect(cardsSent(name)).toBe(0);
    }
    const voidAgain = { idempotencyKey: 'void-VOID' };
    expectStatus(await shop.post(`/v1/payments/${order('VOID').id}/void`, {}, voidAgain), 200, 202);
    expect(gateway.requestsTo('POST /payment/void')).toEqual([]);
    const other = cardRequest({ card: { cvv: '999', nameOnCard: 'Somebody Else' } });
    expectStatus(await shop.payCard(order('PAID'), other, { idempotencyKey: 'pay-PAID' }), 422);
  });

  test('a payer goes on where they were: with the code, on the way back from the bank, after a decline, with an open session', async () => {
    gateway.script('POST /payment/validate-otp', answer(approved));
    const coded = await shop.submitOtp(order('CODE'), order('CODE').id, '123456');
    expect(expectStatus(coded, 200).body.status).toBe('succeeded');

    gateway.script('GET /transaction/ORDER-BANK_1', answer(approved));
    const back = await fetch(`${tillfront.url}${order('BANK').back ?? ''}`, { redirect: 'manual' });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toMatch(/^https:\/\/shop\.example\/thanks\?/);
    // Where it was being asked about at this very moment, the answer of that may come first.
    await shop.waitForStatus(order('BANK').id, 'succeeded', 30_000);

    gateway.script('POST /payment/card', answer(approved));
    for (const name of ['DECLINED', 'OPEN'])
      expect(expectStatus(await shop.payCard(order(name)), 201).body.status).toBe('succeeded');
    expect(await statusOf('DECLINED')).toBe('failed');
    expectStatus(await shop.payCard(order('CLOSED')), 409);
  });

  test('the merchant takes what was held', async () => {
    gateway.script(
      'POST /payment/completion',
      answer(cardAnswer({ status: 'SUCCESS', amount: '1500.00', currency: 'NGN' })),
    );
    expectStatus(await shop.post(`/v1/payments/${order('HELD').id}/complete`), 200);
    expect(await shop.getPayment(order('HELD').id)).toMatchObject({
      status: 'succeeded',
      amountCaptured: '1500.00',
      metadata: { cart: 'HELD' },
    });
  });

  test('timelines, declines and the notification that nobody knows read as before', async () => {
    for (const { id: payment } of tables['payments'] ?? []) {
      const before = (tables['timeline'] ?? [])
        .filter((entry) => entry['payment_id'] === payment)
        .sort((a, b) => Number(a['sequence']) - Number(b['sequence']));
      const now = await shop.getEvents(String(payment));
      expect(now.slice(0, before.length).map(({ id, type }) => [id, type])).toEqual(
        before.map(({ id, type }) => [id, type]),
      );
    }
    const rows = await storedRows(
      { tillfront },
      `select body, status from notifications order by received_at`,
    );
    expect(rows.map(({ body }) => body)).toEqual(tables['notifications']?.map(({ body }) => body));
    expect(rows[1]?.['status']).toBe('unmatched');
    const declines = await storedRows({ tillfront }, 'select id from declines');
    expect(declines.map(({ id }) => id)).toEqual(tables['declines']?.map(({ id }) => id));
  });
});
