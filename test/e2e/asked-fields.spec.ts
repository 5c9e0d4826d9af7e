import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  billing,
  card,
  device,
  expectStatus,
  payer,
  problemOf,
  type Answer,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved, declined } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { profileFile } from '../profiles/strict-gateway.js';

/** What the payer is asked for follows from what the gateway is sent. */

interface SeenSession extends SessionBody {
  provided: { payer: string[]; billing: string[] };
  fields: Record<
    string,
    {
      payer: string[];
      billing: string[];
      optional: string[];
      card?: string[];
      device?: string[];
      pin?: { brands: string[] };
    }
  >;
  requiredIn: { stateProvince: string[]; postCode: string[] };
}

let scene: Scene;
afterAll(() => scene.stop());

function pointers(refused: Answer<unknown>): string[] {
  const problem = problemOf(expectStatus(refused, 400));
  expect(problem.code).toBe('validation-failed');
  return (problem.errors ?? []).map(({ pointer }) => pointer);
}

function sent(route = 'POST /payment/card'): Record<string, unknown> {
  const [request, ...more] = scene.gateway.requestsTo(route);
  if (!request || more.length > 0) throw new Error(`${more.length + (request ? 1 : 0)} requests`);
  return request.json as Record<string, unknown>;
}

async function seen({ clientToken }: SessionBody): Promise<SeenSession> {
  const found = await scene.client.get<SeenSession>('/v1/checkout-session', { token: clientToken });
  return expectStatus(found, 200).body;
}

const nobody = { payer: undefined, billing: undefined };

describe.each(anyStore)('by the built-in profile, on the %s store', (store) => {
  beforeAll(async () => {
    scene = await startScene(store);
  });
  beforeEach(() => {
    scene.gateway.forget();
    scene.gateway.script('POST /payment/card', answer(approved));
  });

  test('a page learns what each method needs, and where a state and a postal code are needed', async () => {
    const session = await seen(await scene.client.createSession(nobody));
    expect(session.provided).toEqual({ payer: [], billing: [] });
    expect(session.fields).toEqual({
      card: {
        payer: ['email', 'phone', 'firstName'],
        billing: ['street', 'city', 'stateProvince', 'postCode', 'country'],
        optional: ['lastName'],
        card: expect.arrayContaining(['number', 'expiryMonth', 'expiryYear', 'cvv', 'nameOnCard']) as unknown,
        device: Object.keys(device),
        pin: { brands: ['verve'] },
      },
      wallet: { payer: ['email'], billing: [], optional: [] },
      transfer: { payer: ['email', 'phone', 'firstName'], billing: [], optional: ['lastName'] },
      ussd: { payer: ['email'], billing: [], optional: [] },
    });
    expect(session.requiredIn.stateProvince).toEqual(expect.arrayContaining(['CAN', 'USA']));
    expect(session.requiredIn.postCode).toEqual(expect.arrayContaining(['DEU', 'GBR', 'USA', 'ZAF']));
    expect([...session.requiredIn.stateProvince, ...session.requiredIn.postCode]).not.toContain('NGA');
  });

  test.each([
    ['NGA', ['street', 'city', 'country']],
    ['GBR', ['street', 'city', 'postCode', 'country']],
    ['USA', ['street', 'city', 'stateProvince', 'postCode', 'country']],
  ])('a session for %s says it for that country alone', async (country, fields) => {
    const made = await scene.client.createSession({ billing: { country }, methods: ['card'] });
    const session = await seen(made);
    expect(Object.keys(session.fields)).toEqual(['card']);
    expect(session.fields['card']?.billing).toEqual(fields);
    expect(session.provided.billing).toEqual(['country']);
  });

  test('a state and a postal code that nobody gave are left out of the request', async () => {
    const session = await scene.client.createSession({ billing: undefined });
    const lagos = { street: '1 Marina', city: 'Lagos', country: 'NGA' };
    expectStatus(await scene.client.payCard(session, { billing: lagos }), 201);
    expect(sent()).toMatchObject({ billingCity: 'Lagos', billingCountry: 'NGA' });
    expect(sent()).not.toHaveProperty('billingStateProvince');
    expect(sent()).not.toHaveProperty('billingPostCode');
  });

  test('one that was given is sent', async () => {
    expectStatus(await scene.client.payCard(await scene.client.createSession()), 201);
    const { stateProvince, postCode } = billing;
    expect(sent()).toMatchObject({ billingStateProvince: stateProvince, billingPostCode: postCode });
  });

  test('a country that requires them asks for them', async () => {
    const session = await scene.client.createSession({ billing: undefined });
    const york = { street: '1 High St', city: 'York', country: 'GBR' };
    expect(pointers(await scene.client.payCard(session, { billing: york }))).toEqual(['/billing/postCode']);
    const boise = { ...york, country: 'USA' };
    expect(pointers(await scene.client.payCard(session, { billing: boise }))).toEqual([
      '/billing/stateProvince',
      '/billing/postCode',
    ]);
    expect(scene.gateway.requestsTo('POST /payment/card')).toEqual([]);
    const whole = { ...boise, stateProvince: 'ID', postCode: '83701' };
    expectStatus(await scene.client.payCard(session, { billing: whole }), 201);
  });

  test.each([
    ['+234 (0) 801-234.56 78', '+23408012345678'],
    ['0801 234 5678', '08012345678'],
    ['٠٨٠١٢٣٤٥٦٧٨', '08012345678'],
  ])('a telephone number %j is stored and sent as its digits', async (phone, digits) => {
    const created = await scene.client.createSession({ payer: { ...payer, phone } });
    expect(created.payer).toMatchObject({ phone: digits });
    expectStatus(await scene.client.payCard(created), 201);
    expect(sent()['payerPhone']).toBe(digits);
  });

  test.each(['12345', '1234567890123456', 'call me'])('%j is no telephone number', async (phone) => {
    const session = await scene.client.createSession({ payer: undefined });
    const wrong = { payer: { ...payer, phone } };
    expect(pointers(await scene.client.payCard(session, wrong))).toEqual(['/payer/phone']);
    expect(scene.gateway.requestsTo('POST /payment/card')).toEqual([]);
  });

  test('a person may have one name', async () => {
    const { lastName: _, ...mononym } = payer;
    const session = await scene.client.createSession({ payer: mononym });
    expectStatus(await scene.client.payCard(session), 201);
    expect(sent()).toMatchObject({ firstName: payer.firstName, lastName: '-' });
  });

  test('the language of its page is the session’s', async () => {
    const session = await scene.client.createSession({ locale: 'fr-CI' });
    expect((await seen(session)) as object).toMatchObject({ locale: 'fr-CI' });
    const none = await scene.client.createSession();
    expect((await seen(none)) as object).toMatchObject({ locale: null });
    const wrong = await scene.client.createSession({ locale: 'no language' });
    expect((await seen(wrong)) as object).toMatchObject({ locale: null });
  });
});

describe('by a profile whose gateway takes little', () => {
  beforeAll(async () => {
    await scene.stop();
    const owed = { client_ref: '{client_ref}', amount: '{amount}', currency: '{currency}' };
    const address = { billingPostCode: '{billingPostCode|}', billingCountry: '{billingCountry}' };
    const cardBody = {
      ...{ ...owed, ...address, cardNumber: '{cardNumber}', expiryMonth: '{expiryMonth}' },
      ...{ expiryYear: '{expiryYear}', payerEmail: '{payerEmail}', authNotifyUrl: '{authNotifyUrl}' },
      card_pin: '{card_pin}',
    };
    const names = { firstName: '{firstName}', lastName: '{lastName}' };
    const transferBody = {
      ...{ ...owed, ...names, billingCountry: '{billingCountry}' },
      billingPostCode: '{billingPostCode}',
    };
    const profile = {
      operations: {
        payCard: { post: '/payment/card', body: cardBody },
        initiateWallet: { post: '/init-partner', body: owed },
        initiateTransfer: { post: '/payment/transfer', body: transferBody },
        transactionStatus: { get: '/transaction/{client_ref}' },
      },
      answer: {
        ...{ error: '/error', status: '/data/transaction/status' },
        redirectUrl: '/data/url',
        words: { succeeded: ['SUCCESS'], redirect: ['REDIRECT'], unknownTransaction: ['NOT_FOUND'] },
      },
      pinWithCard: ['verve'],
    };
    scene = await startScene('embedded', {
      GATEWAY_PROFILE: profileFile(profile),
      PAYMENT_METHODS: 'card,wallet,transfer',
    });
  });
  beforeEach(() => {
    scene.gateway.forget();
    scene.gateway.script('POST /payment/card', answer(approved));
  });

  test('a page is told no more than that', async () => {
    const { fields } = await seen(await scene.client.createSession(nobody));
    expect(fields).toEqual({
      card: {
        payer: ['email'],
        billing: ['country'],
        optional: [],
        card: ['number', 'expiryMonth', 'expiryYear'],
        device: [],
        pin: { brands: ['verve'] },
      },
      wallet: { payer: [], billing: [], optional: [] },
      transfer: { payer: ['firstName', 'lastName'], billing: ['postCode', 'country'], optional: [] },
    });
  });

  test('no more is required of a card payment, and what a country lacks is sent empty', async () => {
    const session = await scene.client.createSession(nobody);
    const { number, expiryMonth, expiryYear } = card;
    const body = {
      card: { number, expiryMonth, expiryYear, pin: card.pin },
      payer: { email: payer.email },
      billing: { country: 'NGA' },
    };
    const token = session.clientToken;
    const refused = await scene.client.post('/v1/payments/card', { ...body, card: { number } }, { token });
    expect(pointers(refused)).toEqual(['/card/expiryMonth', '/card/expiryYear']);
    expectStatus(await scene.client.post('/v1/payments/card', body, { token }), 201);
    expect(sent()).toEqual({
      ...{ cardNumber: number, expiryMonth, expiryYear, payerEmail: payer.email, billingCountry: 'NGA' },
      ...{ billingPostCode: '', card_pin: card.pin, amount: '1500.00', currency: 'NGN' },
      client_ref: `${session.reference}_1`,
      authNotifyUrl: expect.any(String) as unknown,
    });
  });

  test('a wallet asks for nothing, and a transfer for its address', async () => {
    scene.gateway.script('POST /payment/transfer', answer(declined));
    const session = await scene.client.createSession(nobody);
    const token = session.clientToken;
    const { firstName, lastName } = payer;
    const transfer = { payer: { firstName, lastName }, billing: { country: 'GBR' } };
    expect(pointers(await scene.client.post('/v1/payments/transfer', transfer, { token }))).toEqual([
      '/billing/postCode',
    ]);
    const whole = { ...transfer, billing: { country: 'GBR', postCode: 'YO1 7HH' } };
    expectStatus(await scene.client.post('/v1/payments/transfer', whole, { token }), 201);
    expect(sent('POST /payment/transfer')).toMatchObject({
      billingPostCode: 'YO1 7HH',
      billingCountry: 'GBR',
      firstName,
    });
    scene.gateway.script('POST /init-partner', answer({ status: 'failed', error: true, message: 'no' }));
    const other = await scene.client.createSession(nobody);
    expectStatus(await scene.client.post('/v1/payments/wallet', {}, { token: other.clientToken }), 201);
    expect(sent('POST /init-partner')).not.toHaveProperty('payerEmail');
  });
});
