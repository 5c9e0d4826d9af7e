import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  TillfrontClient,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, cardAnswer, held } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { stores } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.js';
import {
  report,
  reportRow,
  says,
  upload,
  type DifferenceBody,
  type SettlementBody,
} from './settlement-scene.js';

const OTHER_KEY = 'mk-other-9sLr2VhXg4Dm';

describe.each(stores)('taking over what a report names, on the %s store', (store) => {
  let gateway: MisbehavingGateway;
  let shop: WebhookReceiver;
  let tillfront: Tillfront;
  let client: TillfrontClient;
  const answers = new Map<string, Behaviour>();

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    shop = await startWebhookReceiver();
    tillfront = await startTillfront({
      store,
      gatewayUrl: gateway.url,
      env: {
        MERCHANT_WEBHOOK_URL: shop.url,
        MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
        MERCHANT_API_KEY: `${testKeys.merchant},other=${OTHER_KEY}`,
      },
    });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });

  beforeEach(() => {
    answers.clear();
    says(gateway, answers);
    gateway.script('POST /payment/card', answer(approved));
  });

  afterAll(async () => {
    await tillfront.stop();
    await gateway.close();
    await shop.close();
  });

  const compare = async (...rows: string[]): Promise<SettlementBody> =>
    expectStatus(await upload(tillfront, '/v1/settlements', report(...rows)), 201).body;
  const adopt = async (id: string): Promise<SettlementBody> =>
    expectStatus(await client.post<SettlementBody>(`/v1/settlements/${id}/adopt`), 200).body;
  const steps = async (id: string): Promise<(string | null)[]> =>
    (await client.get<{ data: DifferenceBody[] }>(`/v1/settlements/${id}/differences`)).body.data.map(
      ({ step }) => step,
    );

  test('on the gateway’s word makes it paid, late, and the order cannot be paid again', async () => {
    const reference = newReference();
    const { id, counts } = await compare(reportRow(`${reference}_3`));
    expect(counts['unknown_here']).toBe(1);
    expect((await adopt(id)).adoption).toEqual({ waiting: 0, adopted: 1, adoptedOnWord: 0, left: 0 });
    const [payment] = await client.paymentsOf(reference);
    expect(payment).toMatchObject({
      ...{ gatewayReference: `${reference}_3`, method: 'unknown', status: 'succeeded', amount: '1500.00' },
      ...{ amountCaptured: '1500.00', currency: 'NGN', needsAttention: false, duplicateOf: null },
    });
    const sessions = await client.get<{ data: SessionBody[] }>(
      `/v1/checkout-sessions?reference=${reference}`,
    );
    expect(sessions.body.data).toMatchObject([{ status: 'paid', amount: '1500.00', currency: 'NGN' }]);
    const timeline = await client.getEvents(payment?.id ?? '');
    expect(timeline).toContainEqual(
      expect.objectContaining({ type: 'status_changed', to: 'succeeded', late: true, actor: 'merchant' }),
    );
    expect(timeline.find(({ type }) => type === 'adopted')?.detail).toEqual({ settlement: id, row: '2' });
    const told = (): Record<string, unknown> | undefined =>
      shop.received
        .map(({ json }) => json as Record<string, unknown>)
        .find(
          ({ type, data }) => type === 'payment.succeeded' && (data as PaymentBody).reference === reference,
        );
    await until(() => told() !== undefined);
    expect(told()).toMatchObject({ late: true });
    const again = await client.post<{ code: string }>('/v1/checkout-sessions', {
      reference,
      amount: '1500.00',
      currency: 'NGN',
    });
    expect([again.status, again.body.code]).toEqual([409, 'reference-in-use']);
    // Once is enough, and every further report agrees.
    expect((await adopt(id)).adoption).toMatchObject({ adopted: 1, left: 0 });
    expect(await client.paymentsOf(reference)).toHaveLength(1);
    expect((await compare(reportRow(`${reference}_3`, { fee: '1' }))).counts).toMatchObject({
      unknown_here: 0,
      amount_differs: 0,
    });
  });

  test('gives no gateway reference away again, whatever the gateway says', async () => {
    const reference = newReference();
    answers.set(`${reference}_2`, answer(cardAnswer({ status: 'FAILED' })));
    const { id } = await compare(reportRow(`${reference}_2`));
    expect((await adopt(id)).adoption).toMatchObject({ adopted: 0, left: 1 });
    const session = await client.createSession({ reference });
    const { body } = await client.payCard(session);
    expect(body.gatewayReference).toBe(`${reference}_3`);
  });

  test('leaves what is not paid, and says why', async () => {
    const named = ['DECLINED', 'HELD', 'WAITS'].map((word) => `${newReference()}${word}_1`);
    const [failed = '', holding = '', waits = ''] = named;
    answers.set(failed, answer(cardAnswer({ status: 'FAILED' })));
    answers.set(holding, answer(held));
    answers.set(waits, answer(cardAnswer({ status: 'PENDING' })));
    const { id } = await compare(...named.map((reference) => reportRow(reference)), reportRow('NO-NUMBER'));
    expect((await adopt(id)).adoption).toEqual({ waiting: 0, adopted: 0, adoptedOnWord: 0, left: 4 });
    expect(await steps(id)).toEqual(['left_not_paid', 'left_held', 'left_waiting', 'left_reference']);
    answers.set(waits, answer(approved));
    expect((await adopt(id)).adoption).toMatchObject({ adopted: 1, left: 3 });
  });

  test('on a person’s word alone waits for the gateway, and no other payment of the order starts', async () => {
    const [other, down] = [newReference(), newReference()];
    answers.set(`${other}_1`, answer(cardAnswer({ status: 'SUCCESS', amount: '9.00', currency: 'NGN' })));
    answers.set(`${down}_1`, { do: 'text', status: 500, text: '' });
    const { id } = await compare(...[other, down].map((reference) => reportRow(`${reference}_1`)));
    expect((await adopt(id)).adoption).toEqual({ waiting: 0, adopted: 0, adoptedOnWord: 2, left: 0 });
    for (const reference of [other, down]) {
      expect(await client.paymentsOf(reference)).toMatchObject([
        { status: 'processing', amountCaptured: null, method: 'unknown', needsAttention: true },
      ]);
      const again = await client.post<{ code: string }>('/v1/checkout-sessions', {
        ...{ reference, amount: '1500.00', currency: 'NGN' },
      });
      expect(again.status).toBe(409);
    }
    const announced = (type: string): unknown[] =>
      shop.received
        .map(({ json }) => json as { type: string; data: PaymentBody })
        .filter(({ type: one, data }) => one === type && data.reference === other);
    await until(() => announced('payment.needs_attention').length > 0);
    expect(announced('payment.succeeded')).toEqual([]);
    answers.clear();
    const [payment] = await client.paymentsOf(other);
    const { body } = await client.post<PaymentBody>(`/v1/payments/${payment?.id}/refresh`);
    expect(body).toMatchObject({ status: 'succeeded', amountCaptured: '1500.00', needsAttention: false });
    await until(() => announced('payment.succeeded').length === 1);
  });

  test('on a person’s word alone is made paid by another person only', async () => {
    const reference = newReference();
    answers.set(`${reference}_1`, { do: 'text', status: 500, text: '' });
    const { id } = await compare(reportRow(`${reference}_1`));
    await adopt(id);
    const [payment] = await client.paymentsOf(reference);
    const resolveBy = (token: string) =>
      client.post<PaymentBody & { code: string }>(
        `/v1/payments/${payment?.id}/resolve`,
        { status: 'succeeded', note: 'seen at the gateway' },
        { token },
      );
    const own = await resolveBy(tillfront.merchantKey);
    expect([own.status, own.body.code]).toEqual([403, 'forbidden']);
    answers.set(`${reference}_1`, answer(cardAnswer({ status: 'PARTIALLY_REFUNDED' })));
    const { body } = await client.post<PaymentBody>(`/v1/payments/${payment?.id}/refresh`);
    expect(body.attentionReasons).toEqual(['adopted_on_word', 'refund_of_unpaid']);
    expect((await resolveBy(tillfront.merchantKey)).status).toBe(403);
    const other = await resolveBy(OTHER_KEY);
    expect([other.status, other.body.status]).toEqual([200, 'succeeded']);
  });

  test('leaves what the gateway does not know, and what was given back whole', async () => {
    const [none, refunded, whole, back] = Array.from({ length: 4 }, () => newReference());
    const success = { status: 'SUCCESS', amount: '1500.00', currency: 'NGN' };
    answers.set(`${none}_1`, answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' })));
    answers.set(`${refunded}_1`, answer(cardAnswer({ ...success, status: 'REFUNDED' })));
    answers.set(`${whole}_1`, answer(cardAnswer({ ...success, refundedAmount: '1500.00' })));
    answers.set(`${back}_1`, answer(cardAnswer({ ...success, status: 'CHARGEBACK' })));
    const { id } = await compare(
      ...[none, refunded, whole, back].map((reference) => reportRow(`${reference}_1`)),
    );
    expect((await adopt(id)).adoption).toEqual({ waiting: 0, adopted: 0, adoptedOnWord: 0, left: 4 });
    expect(await steps(id)).toEqual([
      'left_unknown',
      'left_given_back',
      'left_given_back',
      'left_given_back',
    ]);
    expect(await client.paymentsOf(refunded ?? '')).toEqual([]);
  });

  test('takes over what was given back, by the answer or by a report, and calls the next refund otherwise', async () => {
    const [said, reported, part, word] = [newReference(), newReference(), newReference(), newReference()];
    const taken = { amount: '1500.00', currency: 'NGN', refundedAmount: '600.00' };
    answers.set(`${said}_1`, answer(cardAnswer({ status: 'SUCCESS', ...taken })));
    answers.set(`${part}_1`, answer(cardAnswer({ status: 'PARTIALLY_REFUNDED', ...taken })));
    answers.set(`${word}_1`, { do: 'text', status: 500, text: '' });
    const { id } = await compare(
      reportRow(`${said}_1`),
      reportRow(`${reported}_1`),
      reportRow(`${reported}_1`, { type: 'REFUND', amount: '200.00', settledAt: '2031-01-05' }),
      reportRow(`${reported}_1`, { type: 'REFUND', amount: '200.00', settledAt: '2031-01-05' }),
      reportRow(`${part}_1`),
      reportRow(`${word}_1`),
      reportRow(`${word}_1`, { type: 'REFUND', amount: '200.00', settledAt: '2031-01-05' }),
    );
    expect((await adopt(id)).adoption).toMatchObject({ adopted: 3, adoptedOnWord: 1 });
    for (const [reference, status, amountRefunded] of [
      [part, 'succeeded', '600.00'],
      // Nothing counts of one that is not known to be paid.
      [word, 'processing', null],
    ] as const) {
      expect((await client.paymentsOf(reference))[0]).toMatchObject({ status, amountRefunded });
    }
    const [first] = await client.paymentsOf(said);
    const [second] = await client.paymentsOf(reported);
    expect([first?.amountRefunded, second?.amountRefunded]).toEqual(['600.00', '400.00']);
  });

  test('of an order that has a session pays that one, and of a paid order is a duplicate', async () => {
    const [open, paid] = [newReference(), newReference()];
    const session = await client.createSession({ reference: open });
    const first = (await client.payCard(await client.createSession({ reference: paid }))).body;
    const { id } = await compare(reportRow(`${open}_7`), reportRow(`${paid}_7`));
    await adopt(id);
    const [adopted] = await client.paymentsOf(open);
    expect(adopted).toMatchObject({ sessionId: session.id, status: 'succeeded', duplicateOf: null });
    expect((await client.get(`/v1/checkout-sessions/${session.id}`)).body).toMatchObject({ status: 'paid' });
    // This gateway calls every payment paid: on a slow machine the next ones may have been asked about too.
    const all = await client.paymentsOf(paid);
    expect(all.find(({ gatewayReference }) => gatewayReference === `${paid}_7`)).toMatchObject({
      status: 'succeeded',
      duplicateOf: first.id,
    });
  });

  test('beside a payment that is live lets that one end as a duplicate', async () => {
    const reference = newReference();
    gateway.script('POST /payment/card', { do: 'reset-after-reading' });
    answers.set(`${reference}_1`, answer(cardAnswer({ status: 'PENDING' })));
    const session = await client.createSession({ reference });
    const { body: live } = await client.payCard(session);
    expect(live.status).toBe('processing');
    const { id } = await compare(reportRow(`${reference}_2`));
    await adopt(id);
    answers.set(`${reference}_1`, answer(approved));
    await client.post(`/v1/payments/${live.id}/refresh`);
    const found = await client.paymentsOf(reference);
    const adopted = found.find(({ method }) => method === 'unknown');
    expect(found.find((payment) => payment.id === live.id)).toMatchObject({
      status: 'succeeded',
      duplicateOf: adopted?.id,
    });
  });

  test('asks about many at the same time, so that a slow gateway does not make it slow', async () => {
    const references = Array.from({ length: 30 }, () => newReference());
    const { id } = await compare(...references.map((reference) => reportRow(`${reference}_1`)));
    gateway.forget();
    const questions = (): number => gateway.requests.filter(({ method }) => method === 'GET').length;
    const { promise: asked, resolve: answerAll } = Promise.withResolvers<Behaviour>();
    gateway.script('GET /transaction/*', () => asked);
    const adopting = adopt(id);
    // None is answered before all are asked.
    await until(() => questions() === 30);
    answerAll(answer(approved));
    expect((await adopting).adoption).toEqual({ waiting: 0, adopted: 30, adoptedOnWord: 0, left: 0 });
  });

  test('goes on after a crash, and takes nothing over twice', async () => {
    const references = Array.from({ length: 40 }, () => newReference());
    const { id } = await compare(...references.map((reference) => reportRow(`${reference}_1`)));
    gateway.forget();
    const adopting = client.post(`/v1/settlements/${id}/adopt`).catch(() => undefined);
    await until(() => gateway.requests.length >= 10);
    await tillfront.kill();
    await adopting;
    tillfront = await restarted();
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
    await until(async () => {
      const { body } = await client.get<SettlementBody>(`/v1/settlements/${id}`);
      return body.adoption?.adopted === references.length;
    }, 90_000);
    for (const reference of references) {
      expect(await client.paymentsOf(reference)).toMatchObject([{ status: 'succeeded', duplicateOf: null }]);
    }
  });

  const restarted = (): Promise<Tillfront> =>
    startTillfront({
      store: {
        kind: store,
        dataDir: tillfront.dataDir,
        ...(tillfront.databaseUrl !== undefined && { databaseUrl: tillfront.databaseUrl }),
        dispose: () => Promise.resolve(),
      },
      gatewayUrl: gateway.url,
    });
});
