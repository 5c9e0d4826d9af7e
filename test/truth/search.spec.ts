import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  payer,
  problemOf,
  TillfrontClient,
  type Answer,
  type PaymentBody,
} from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { createTestStore, stores, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { BOOKS } from './approvals.js';
import { storedRows } from './stored-time.js';

interface Page {
  data: PaymentBody[];
  nextCursor: string | null;
}

const OTHER_SECRET = 'another-secret-key-8f40c1e7b95d2a63e0';

/** Finding a payment by whatever a person knows of one. */
describe.each(stores)('searching payments on the %s store', (kind) => {
  let store: TestStore;
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  const start = async (secretKey: string = testKeys.secretKey): Promise<void> => {
    const env = { SECRET_KEY: secretKey, MERCHANT_BOOKS_API_KEY: `carol=${BOOKS}` };
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  };
  const restart = async (secretKey?: string): Promise<void> => {
    await tillfront.stop();
    await start(secretKey);
  };

  beforeAll(async () => {
    store = await createTestStore(kind);
    gateway = await startMisbehavingGateway();
    gateway.script('POST /payment/card', answer(approved));
    await start();
  });
  afterAll(async () => {
    await tillfront.stop();
    await gateway.close();
    await store.dispose();
  });

  const search = (body: object, token?: string): Promise<Answer<Page>> =>
    client.post<Page>('/v1/payments/search', body, {
      ...(token !== undefined && { token }),
      idempotencyKey: null,
    });
  const found = async (query: string): Promise<string[]> =>
    expectStatus(await search({ query, limit: 100 }), 200).body.data.map(({ id }) => id);
  const pay = async (over: object = {}): Promise<PaymentBody> =>
    expectStatus(await client.payCard(await client.createSession(over)), 201, 202).body;

  test('finds one by any part of its reference, in any case, as soon as it is made', async () => {
    const reference = `Q${newReference()}-Zx9`;
    const { id } = await pay({ reference });
    for (const query of [
      reference,
      reference.toUpperCase(),
      reference.toLowerCase(),
      reference.slice(0, 6),
      reference.slice(-3),
      reference.slice(3, -3),
      ` ${reference.slice(7, 13)} `,
      `${reference}_1`,
      `${reference}_1`.toUpperCase(),
    ])
      expect([query, await found(query)]).toEqual([query, expect.arrayContaining([id])]);
    const { data } = expectStatus(await search({ query: reference }), 200).body;
    expect(data).toEqual([await client.getPayment(id)]);
    // Three characters from its middle are neither its beginning nor its end.
    expect(await found('\u0020rde')).not.toContain(id);
    expect(await found(`${reference}x`)).toEqual([]);
  });

  test('finds one by the e-mail and the phone of its payer, however they are written', async () => {
    const name = randomUUID().slice(0, 8);
    const digits = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');
    const ada = {
      email: `Ada.${name}@Example.com`,
      phone: `+23480${digits}`,
      firstName: 'Ada',
      lastName: 'Obi',
    };
    const [one, two] = [await pay({ payer: ada }), await pay({ payer: ada })];
    const both = [two.id, one.id];
    expect(await found(`ada.${name}@example.com`)).toEqual(both);
    expect(await found(` ADA.${name}@EXAMPLE.COM`)).toEqual(both);
    expect(await found(`ada.${name}@example.co`)).toEqual([]);
    for (const phone of [
      ada.phone,
      `080${digits}`,
      `0023480${digits}`,
      `080 ${digits.slice(0, 4)}-${digits.slice(4)}`,
    ])
      expect([phone, await found(phone)]).toEqual([phone, both]);
    // Another operator's number with the same end.
    expect(await found(`+23490${digits}`)).toEqual([]);
  });

  test('finds one by its card’s last digits and by its amount', async () => {
    const minor = String(10 + Math.floor(Math.random() * 89));
    const { id, card } = await pay({ amount: `987654321.${minor}` });
    for (const query of [
      `987654321.${minor}`,
      `987,654,321.${minor}`,
      `NGN 987,654,321.${minor}`,
      `987654321.${minor} ngn`,
    ])
      expect([query, await found(query)]).toEqual([query, [id]]);
    expect(await found(`USD 987654321.${minor}`)).toEqual([]);
    expect(await found(card?.last4 ?? '')).toContain(id);
  });

  test('lists pages without gaps, the newest first', async () => {
    const word = `PAGES-${randomUUID().slice(0, 8)}`;
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.unshift((await pay({ reference: `${word}.${n}` })).id);
    const listed: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { body } = expectStatus(
        await search({ query: word, limit: 3, ...(cursor !== undefined && { cursor }) }),
        200,
      );
      listed.push(...body.data.map(({ id }) => id));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(listed).toEqual(made);
  });

  test('forgets a payer with the rest of them', async () => {
    const email = `erased.${randomUUID().slice(0, 8)}@example.com`;
    const phone = `+2347${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
    const { id, sessionId, reference } = await pay({ payer: { ...payer, email, phone } });
    expect([await found(email), await found(phone)]).toEqual([[id], [id]]);
    expectStatus(await client.post(`/v1/checkout-sessions/${sessionId}/redact`), 200);
    expect([await found(email), await found(phone)]).toEqual([[], []]);
    expect(await found(reference)).toEqual([id]);
    const [row] = await storedRows(
      { tillfront },
      `select email_hash, phone_hash from checkout_sessions where id = '${sessionId}'`,
    );
    expect(row).toEqual({ email_hash: null, phone_hash: null });
  });

  test('is for merchant and read keys, and the log has nothing of it', async () => {
    const email = `audited.${randomUUID().slice(0, 8)}@example.com`;
    expect(problemOf(expectStatus(await search({ query: email }, BOOKS), 403)).code).toBe('forbidden');
    expectStatus(await search({ query: email }, tillfront.merchantReadKey), 200);
    expectStatus(await search({ query: ` ${email.toUpperCase()}` }), 200);
    expect(tillfront.logs()).not.toContain(email);
  });

  test.each([
    [{}],
    [{ query: '' }],
    [{ query: '  ' }],
    [{ query: 'x'.repeat(201) }],
    [{ query: 'ORDER', limit: 0 }],
    [{ query: 'ORDER', limit: 101 }],
    [{ query: 'ORDER', limit: '5' }],
    [{ query: 'ORDER', limit: null }],
    [{ query: 'ORDER', cursor: 'x' }],
    [{ query: '5060990580000217499' }],
    [{ query: 'ORDER', more: 1 }],
  ])('refuses %j', async (body) => {
    expect(problemOf(expectStatus(await search(body), 400)).code).toBe('validation-failed');
  });

  test.each([
    '"',
    "'; drop table payments; --",
    '* OR "a"',
    '%',
    '\\',
    '$$',
    '^^',
    'a AND b',
    'NEAR(a b)',
    '🦜',
    '0',
    '007',
  ])('takes %j for nothing but text', async (query) => {
    expectStatus(await search({ query }), 200);
  });

  test('goes on finding payers while SECRET_KEY is replaced, and after the former one is gone', async () => {
    const email = `rotated.${randomUUID().slice(0, 8)}@example.com`;
    const { id } = await pay({ payer: { ...payer, email } });
    const marks = (): Promise<Record<string, unknown>[]> =>
      storedRows({ tillfront }, "select value from meta where name = 'search_payers'");
    const [before] = await marks();
    await restart(`${OTHER_SECRET},${testKeys.secretKey}`);
    const { id: second } = await pay({ payer: { ...payer, email } });
    expect(await found(email)).toEqual([second, id]);
    // In the background it is hashed anew.
    await until(async () => (await marks())[0]?.['value'] !== before?.['value']);
    await restart(OTHER_SECRET);
    await until(async () => (await found(email)).length === 2);
    expect(await found(email)).toEqual([second, id]);
  });

  test('finds what a former version has left without an index', async () => {
    const email = `former.${randomUUID().slice(0, 8)}@example.com`;
    const reference = `FORMER-${randomUUID().slice(0, 8)}`;
    const { id, sessionId } = await pay({ reference, payer: { ...payer, email } });
    expect(await found(reference)).toEqual([id]);
    await tillfront.stop();
    await storedRows({ tillfront }, `update checkout_sessions set email_hash = null, phone_hash = null`);
    await storedRows({ tillfront }, `delete from meta where name = 'search_payers'`);
    await storedRows({ tillfront }, `delete from search_references`);
    if (kind === 'embedded')
      await storedRows({ tillfront }, `insert into search_words (search_words) values ('delete-all')`);
    await start(OTHER_SECRET);
    await until(async () => (await found(email)).length === 1);
    await until(async () => (await found(reference)).length === 1);
    expect(await found(email)).toEqual([id]);
    expect((await client.get(`/v1/checkout-sessions/${sessionId}`)).status).toBe(200);
  });
});
