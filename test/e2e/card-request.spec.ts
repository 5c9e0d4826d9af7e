import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { billing, card, device, expectStatus, payer } from '../harness/client.js';
import { answer, approved, declined } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys, type Tillfront } from '../harness/tillfront.js';

describe.each(anyStore)('the card request on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store, { LOG_LEVEL: 'trace' });
  });
  afterAll(() => scene.stop());
  beforeEach(() => {
    scene.gateway.forget();
    scene.gateway.script('POST /payment/card', answer(approved));
  });

  function sent() {
    const [request, ...more] = scene.gateway.requestsTo('POST /payment/card');
    if (!request || more.length > 0) throw new Error(`${more.length} requests more than one`);
    return { ...request, json: request.json as Record<string, unknown> };
  }

  test('carries every field under the gateway’s own name', async () => {
    const session = await scene.client.createSession({ payer: undefined, billing: undefined });
    const payment = expectStatus(await scene.client.payCard(session, { payer, billing }), 201).body;
    expect(sent().json).toEqual({
      cardNumber: card.number,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      cvv: card.cvv,
      card_pin: card.pin,
      nameOnCard: card.nameOnCard,
      amount: '1500.00',
      currency: 'NGN',
      client_ref: `${session.reference}_1`,
      authNotifyUrl: expect.stringMatching(
        new RegExp(`^${scene.tillfront.url}/v1/payments/${payment.id}/return/[A-Za-z0-9_-]{16,}$`),
      ) as unknown,
      payerEmail: payer.email,
      payerPhone: payer.phone,
      firstName: payer.firstName,
      lastName: payer.lastName,
      billingStreet: billing.street,
      billingCity: billing.city,
      billingStateProvince: billing.stateProvince,
      billingPostCode: billing.postCode,
      billingCountry: billing.country,
      javaEnabled: device.javaEnabled,
      language: device.language,
      screenHeight: device.screenHeight,
      screenWidth: device.screenWidth,
      colorDepth: device.colorDepth,
      timeZone: device.timeZone,
      userAgent: device.userAgent,
    });
  });

  test('carries the credentials, and no word of the browser that called', async () => {
    const session = await scene.client.createSession();
    await scene.client.payCard(
      session,
      {},
      { headers: { 'x-api-key': 'forged', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4' } },
    );
    const { headers } = sent();
    expect(headers).toMatchObject({ 'x-api-key': testKeys.apiKey, 'access-token': testKeys.accessToken });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(headers['authorization']).toBeUndefined();
    expect(headers['x-forwarded-for']).toBeUndefined();
  });

  test('takes payer and billing from the session, and the browser’s name from the request', async () => {
    const session = await scene.client.createSession();
    const body = { device: { userAgent: undefined } };
    expectStatus(await scene.client.payCard(session, body, { headers: { 'user-agent': 'Browser/9' } }), 201);
    expect(sent().json).toMatchObject({
      payerEmail: payer.email,
      billingCity: 'Lagos',
      userAgent: 'Browser/9',
    });
  });

  test('leaves the PIN out where the card has none', async () => {
    const session = await scene.client.createSession();
    expectStatus(await scene.client.payCard(session, { card: { pin: undefined } }), 201);
    expect(sent().json).not.toHaveProperty('card_pin');
  });

  test('sends the colour depth 30 of real browsers as 24', async () => {
    const session = await scene.client.createSession();
    expectStatus(await scene.client.payCard(session, { device: { colorDepth: 30 } }), 201);
    expect(sent().json['colorDepth']).toBe(24);
  });

  test.each([
    ['5', 'NGN', '5.00'],
    ['0.1', 'NGN', '0.10'],
    ['500', 'JPY', '500'],
    ['1.5', 'KWD', '1.500'],
  ])('writes %s %s with all its minor digits', async (amount, currency, written) => {
    scene.gateway.script('POST /payment/card', answer(declined));
    const session = await scene.client.createSession({ amount, currency });
    expectStatus(await scene.client.payCard(session), 201);
    expect(sent().json).toMatchObject({ amount: written, currency });
  });

  test('leaves nothing of the card in the store, the log or the answers', async () => {
    const secretCard = { ...card, pin: '836194', cvv: '947', nameOnCard: 'Zebedee Quillfeather' };
    const session = await scene.client.createSession();
    const answers = [await scene.client.payCard(session, { card: secretCard })];
    scene.gateway.script('POST /payment/card', { do: 'text', text: JSON.stringify(secretCard) });
    const other = await scene.client.createSession();
    answers.push(await scene.client.payCard(other, { card: secretCard }));
    answers.push(
      await scene.client.payCard(other, { card: { ...secretCard, number: '5060990580000217490' } }),
    );
    const places = [
      ...answers.map((one) => one.text),
      scene.tillfront.logs(),
      await everythingStored(scene.tillfront),
    ];
    for (const place of places) {
      for (const secret of [card.number, 'Quillfeather', testKeys.apiKey, testKeys.accessToken]) {
        expect(place.includes(secret)).toBe(false);
      }
      // Six digits stand in a time or a random id by chance, but hardly by themselves.
      expect(place).not.toMatch(/(?<![0-9a-f])(?:506099|836194(?![0-9a-f]))/);
      expect(place).not.toMatch(/"(cvv|pin|card_pin|cardNumber|number)"\s*:\s*"[0-9]/);
    }
  });
});

/** All that is kept, as text: the rows of every table, and every byte of the files. */
async function everythingStored(tillfront: Tillfront): Promise<string> {
  const files = await readdir(tillfront.dataDir, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.pem'))
      // One that is replaced while the service runs may be gone by now.
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1').catch(() => '')),
  );
  if (tillfront.databaseUrl === undefined) return textOnly(contents.join('\n'));
  const client = new Client({ connectionString: tillfront.databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables.rows) {
    const rows = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" AS t`);
    contents.push(...rows.rows.map(({ row }) => row));
  }
  await client.end();
  return contents.join('\n');
}

/** A database file's text without its binary parts, where any three digits may stand together by chance. */
function textOnly(file: string): string {
  return (file.match(/[\x20-\x7e]{8,}/g) ?? []).join('\n');
}
