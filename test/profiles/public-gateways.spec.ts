import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expectStatus, problemOf, TillfrontClient, type PaymentBody } from '../harness/client.js';
import type { StoreKind } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { FLUTTERWAVE_KEY, flutterwaveWebhook, startFlutterwave } from './flutterwave.js';
import { KORA_KEY, koraWebhook, startKora } from './kora.js';
import { monnifyWebhook, startMonnify } from './monnify.js';
import { startMpgs } from './mpgs.js';
import { paystackWebhook, startPaystack } from './paystack.js';
import { CVV, type PublicGateway } from './public-gateway.js';
import { profileFile } from './strict-gateway.js';

const SECRET = 'notification-secret-of-the-test';

interface World {
  readonly bank: PublicGateway;
  readonly client: TillfrontClient;
  readonly tillfront: Tillfront;
}

function worldWith(
  start: () => Promise<PublicGateway>,
  profile: string,
  env: Readonly<Record<string, string>> = {},
  store: StoreKind = 'embedded',
): () => World {
  let world: World;
  beforeAll(async () => {
    const bank = await start();
    const tillfront = await startTillfront({
      store,
      gatewayUrl: bank.baseUrl,
      env: {
        GATEWAY_PROFILE: resolve(profile),
        NOTIFICATION_SECRET: SECRET,
        PAYMENT_METHODS: 'card',
        ...env,
      },
    });
    world = { bank, tillfront, client: new TillfrontClient(tillfront.url, tillfront.merchantKey) };
  });
  afterEach(() => expect(world.bank.mistakes).toEqual([]));
  afterAll(async () => {
    await world.tillfront.stop();
    await world.bank.gateway.close();
    expect(world.tillfront.logs()).not.toContain('5060990580000217499');
  });
  return () => world;
}

async function payWith(
  { client }: World,
  cvv: string,
): Promise<{ session: { clientToken: string }; payment: PaymentBody }> {
  const session = await client.createSession();
  const { body } = await client.payCard(session, { card: { cvv } });
  return { session, payment: body };
}

async function notify(
  { tillfront }: World,
  notification: { text: string; headers: Record<string, string> },
): Promise<number> {
  const { status } = await fetch(`${tillfront.url}/v1/gateway/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...notification.headers },
    body: notification.text,
  });
  return status;
}

const paystack = [startPaystack, paystackWebhook, { PAYMENT_METHODS: 'card,transfer' }] as const;
const kora = [
  startKora,
  koraWebhook,
  { PAYMENT_METHODS: 'card,transfer', GATEWAY_ENCRYPTION_KEY: KORA_KEY },
] as const;

/** A part, then the rest, each followed until it is known; then there is nothing left. */
async function expectRefunds(world: World): Promise<void> {
  const { payment } = await payWith(world, CVV.pays);
  const { client } = world;
  const at = `/v1/payments/${payment.id}/refunds`;
  const known = async (amount: string): Promise<boolean> =>
    (await client.getPayment(payment.id)).amountRefunded === amount;
  expect((await client.post(at, { amount: '500.00' })).status).toBeLessThan(300);
  await until(() => known('500.00'), 30_000);
  expect((await client.post(at)).status).toBeLessThan(300);
  await until(() => known('1500.00'), 30_000);
  const { refunds } = world.bank.payments.get(payment.gatewayReference) ?? {};
  expect([...(refunds?.keys() ?? [])]).toEqual([1, 2].map((n) => `${payment.gatewayReference}-r${n}`));
  expect(problemOf(expectStatus(await client.post(at), 409)).code).toBe('invalid-state');
}

describe.each([
  ['paystack', 'embedded', ...paystack],
  ['paystack', 'postgres', ...paystack],
  ['kora', 'embedded', ...kora],
] as const)('%s, by its worked profile, on the %s store', (name, store, start, webhook, env) => {
  const world = worldWith(start, `profiles/${name}.json`, env, store);

  test('a card is paid, and another one declined', async () => {
    expect((await payWith(world(), CVV.pays)).payment).toMatchObject({
      status: 'succeeded',
      amountCaptured: '1500.00',
    });
    expect((await payWith(world(), CVV.declines)).payment).toMatchObject({
      status: 'failed',
      failure: { code: 'declined', message: 'Insufficient funds' },
    });
  });

  test('a one-time code, wrong and right', async () => {
    const { session, payment } = await payWith(world(), CVV.asksOtp);
    expect(payment.nextAction).toMatchObject({ type: 'otp', message: expect.stringContaining('OTP') });
    const wrong = await world().client.submitOtp(session, payment.id, '000000');
    expect(wrong.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'otp' } });
    const right = await world().client.submitOtp(session, payment.id, '123456');
    expect(right.body.status).toBe('succeeded');
  });

  test('a PIN, and the one-time code after it', async () => {
    const { session, payment } = await payWith(world(), CVV.asksPin);
    expect(payment.nextAction).toMatchObject({ type: 'pin' });
    const asked = await world().client.submitPin(session, payment.id, '1111');
    expect(asked.body).toMatchObject({ status: 'requires_action', nextAction: { type: 'otp' } });
    const paid = await world().client.submitOtp(session, payment.id, '123456');
    expect(paid.body.status).toBe('succeeded');
  });

  test('a redirect, and the notification after it', async () => {
    const { payment } = await payWith(world(), CVV.redirects);
    expect(payment.nextAction).toMatchObject({
      type: 'redirect',
      url: expect.stringMatching(/^https:/),
      method: 'GET',
    });
    const known = world().bank.payments.get(payment.gatewayReference);
    if (known) known.status = 'success';
    expect(await notify(world(), { ...webhook(payment.gatewayReference, 'another secret') })).toBe(401);
    expect(await notify(world(), webhook(payment.gatewayReference, SECRET))).toBe(200);
    await world().client.waitForStatus(payment.id, 'succeeded');
  });

  test('a transfer', async () => {
    const session = await world().client.createSession();
    const { body: payment } = await world().client.payTransfer(session);
    expect(payment.nextAction).toMatchObject({
      type: 'transfer',
      accountNumber: expect.stringMatching(/^\d{10}$/),
      bankName: expect.stringContaining('Bank'),
    });
    const known = world().bank.payments.get(payment.gatewayReference);
    if (known) known.status = 'success';
    expect(await notify(world(), webhook(payment.gatewayReference, SECRET))).toBe(200);
    await world().client.waitForStatus(payment.id, 'succeeded');
  });

  test('money is given back, in parts and once each, and what is left over is refused', async () => {
    await expectRefunds(world());
  });

  test('what was neither held nor can be voided is refused without a call', async () => {
    const { payment } = await payWith(world(), CVV.pays);
    const voided = await world().client.post(`/v1/payments/${payment.id}/void`);
    expect(problemOf(expectStatus(voided, 409)).code).toBe('not-supported');
  });

  test('an answer that was lost is asked for', async () => {
    const { payment } = await payWith(world(), CVV.lost);
    expect(payment.status).toBe('processing');
    await world().client.waitForStatus(payment.id, 'succeeded', 20_000);
  });
});

const flutterwave = {
  ...{ start: startFlutterwave, webhook: flutterwaveWebhook, paid: 'successful' },
  env: { PAYMENT_METHODS: 'card,transfer,ussd', GATEWAY_ENCRYPTION_KEY: FLUTTERWAVE_KEY },
};
const monnify = {
  ...{ start: startMonnify, webhook: monnifyWebhook, paid: 'PAID' },
  env: { PAYMENT_METHODS: 'card,wallet,transfer' },
};

describe.each([
  ['flutterwave', flutterwave],
  ['monnify', monnify],
])('%s, by its worked profile', (name, { start, webhook, paid, env }) => {
  const world = worldWith(start, `profiles/${name}.json`, env);
  const settle = ({ gatewayReference }: PaymentBody): void => {
    const known = world().bank.payments.get(gatewayReference);
    if (known) known.status = paid;
  };

  test('a card is paid, and another one declined with its reason', async () => {
    expect((await payWith(world(), CVV.pays)).payment).toMatchObject({
      status: 'succeeded',
      amountCaptured: '1500.00',
    });
    expect((await payWith(world(), CVV.declines)).payment).toMatchObject({
      status: 'failed',
      failure: { code: 'declined', reason: 'insufficientFunds' },
    });
  });

  test('a page is told that the PIN goes with the card, and what else is needed', async () => {
    const { clientToken: token } = await world().client.createSession();
    const { body } = await world().client.get<{ fields: { card: object } }>('/v1/checkout-session', {
      token,
    });
    expect(body.fields.card).toMatchObject({
      payer: expect.arrayContaining(['email', 'firstName', 'lastName']),
      ...{ billing: [], device: [] },
      card: ['number', 'expiryMonth', 'expiryYear', 'cvv'],
      pin: { when: 'with', brands: expect.arrayContaining(['verve']) },
    });
  });

  test('a one-time code, wrong and right', async () => {
    const { session, payment } = await payWith(world(), CVV.asksOtp);
    expect(payment.nextAction).toMatchObject({ type: 'otp', message: expect.stringContaining('OTP') });
    const wrong = await world().client.submitOtp(session, payment.id, '000000');
    expect(problemOf(expectStatus(wrong, 409)).code).toBe('gateway-refused');
    const right = await world().client.submitOtp(session, payment.id, '123456');
    expect(right.body.status).toBe('succeeded');
  });

  test('a transfer, and the notification after it', async () => {
    const session = await world().client.createSession();
    const { body: payment } = await world().client.payTransfer(session);
    expect(payment.nextAction).toMatchObject({
      type: 'transfer',
      accountNumber: expect.stringMatching(/^\d{10}$/),
      bankName: expect.stringContaining('Bank'),
      amount: '1500.00',
    });
    settle(payment);
    expect(await notify(world(), webhook(payment.gatewayReference, 'another secret'))).toBe(401);
    expect(await notify(world(), webhook(payment.gatewayReference, SECRET))).toBe(200);
    await world().client.waitForStatus(payment.id, 'succeeded');
  });

  test('money is given back, in parts and once each, and what is left over is refused', async () => {
    await expectRefunds(world());
  });

  test('an answer that was lost is asked for', async () => {
    const { payment } = await payWith(world(), CVV.lost);
    expect(payment.status).toBe('processing');
    await world().client.waitForStatus(payment.id, 'succeeded', 20_000);
  });

  test('3-D Secure, as far as it can be carried out without the card', async () => {
    const { payment } = await payWith(world(), CVV.redirects);
    const type = name === 'monnify' ? 'unsupported' : 'redirect';
    expect(payment).toMatchObject({ status: 'requires_action', nextAction: { type } });
  });

  test('what else it offers', async () => {
    const { client } = world();
    const session = await client.createSession();
    const token = session.clientToken;
    const asked =
      name === 'monnify'
        ? await client.post<PaymentBody>('/v1/payments/wallet', {}, { token })
        : await client.post<PaymentBody>('/v1/payments/ussd', { bankCode: '058' }, { token });
    expect(asked.body.nextAction).toMatchObject(
      name === 'monnify'
        ? { type: 'redirect', url: `https://checkout.example/${asked.body.gatewayReference}` }
        : { type: 'ussd', code: '*566*002*4517159#' },
    );
  });
});

describe('mpgs, by its worked profile', () => {
  const world = worldWith(startMpgs, 'profiles/mpgs.json');

  test('a card is paid, and another one declined', async () => {
    expect((await payWith(world(), CVV.pays)).payment).toMatchObject({
      status: 'succeeded',
      amountCaptured: '1500.00',
    });
    expect((await payWith(world(), CVV.declines)).payment).toMatchObject({
      status: 'failed',
      failure: { code: 'declined', gatewayCode: 'DECLINED' },
    });
  });

  test('an answer that was lost is asked for, and the payment voided', async () => {
    const { payment } = await payWith(world(), CVV.lost);
    await world().client.waitForStatus(payment.id, 'succeeded', 20_000);
    const voided = await world().client.post<PaymentBody>(`/v1/payments/${payment.id}/void`);
    expect(voided.body.status).toBe('voided');
  });

  test('money is given back, in parts and once each', async () => {
    await expectRefunds(world());
  });

  test('a notification needs its secret', async () => {
    const { payment } = await payWith(world(), CVV.pays);
    const text = JSON.stringify({
      result: 'SUCCESS',
      order: { id: payment.gatewayReference, status: 'CAPTURED' },
    });
    expect(await notify(world(), { text, headers: { 'x-notification-secret': 'wrong' } })).toBe(401);
    expect(await notify(world(), { text, headers: { 'x-notification-secret': SECRET } })).toBe(200);
  });
});

describe('mpgs, where a payment is held first', () => {
  const profile = JSON.parse(readFileSync('profiles/mpgs.json', 'utf8')) as {
    operations: { payCard: { constants: Record<string, string> } };
  };
  profile.operations.payCard.constants['apiOperation'] = 'AUTHORIZE';
  const world = worldWith(startMpgs, profileFile(profile));

  test('it is taken, or given up', async () => {
    const { payment: held } = await payWith(world(), CVV.pays);
    expect(held).toMatchObject({ status: 'authorized', amountAuthorized: '1500.00' });
    const taken = await world().client.post<PaymentBody>(`/v1/payments/${held.id}/complete`, {
      amount: '1000.00',
    });
    expect(taken.body).toMatchObject({ status: 'succeeded', amountCaptured: '1000.00' });

    const { payment: unwanted } = await payWith(world(), CVV.pays);
    const voided = await world().client.post<PaymentBody>(`/v1/payments/${unwanted.id}/void`);
    expect(voided.body.status).toBe('voided');
  });
});
