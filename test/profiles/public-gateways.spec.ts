import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Fact } from '../../src/gateway/fact.js';
import { Gateway, type CalledOperation, type PaymentFacts } from '../../src/gateway/gateway.js';
import { loadProfile } from '../../src/gateway/profile/load.js';
import { Secret } from '../../src/secrets/secret.js';
import { testKeys } from '../harness/tillfront.js';
import { FLUTTERWAVE_KEY, flutterwaveWebhook, startFlutterwave } from './flutterwave.js';
import { KORA_KEY, koraWebhook, startKora } from './kora.js';
import { monnifyWebhook, startMonnify } from './monnify.js';
import { startMpgs } from './mpgs.js';
import { paystackWebhook, startPaystack } from './paystack.js';
import { CVV, type PublicGateway } from './public-gateway.js';

const SECRET = 'notification-secret-of-the-test';
const webhookOf = {
  flutterwave: flutterwaveWebhook,
  kora: koraWebhook,
  monnify: monnifyWebhook,
  paystack: paystackWebhook,
};

/** The worked profiles against stand-ins, which verify each request as the gateway documents it and note every mistake. */
describe.each([
  ['flutterwave', startFlutterwave, FLUTTERWAVE_KEY],
  ['kora', startKora, KORA_KEY],
  ['monnify', startMonnify, undefined],
  ['mpgs', startMpgs, undefined],
  ['paystack', startPaystack, undefined],
] as const)('%s, by its worked profile', (name, start, key) => {
  let bank: PublicGateway;
  let gateway: Gateway;
  let orders = 0;

  beforeAll(async () => {
    bank = await start();
    gateway = new Gateway(loadProfile(`profiles/${name}.json`), {
      ...{
        baseUrl: bank.baseUrl,
        apiKey: new Secret(testKeys.apiKey),
        accessToken: new Secret(testKeys.accessToken),
      },
      ...(key !== undefined && { encryptionKey: new Secret(key) }),
      ...{
        timeoutMs: 5_000,
        mode: 'test',
        notifyUrl: 'https://shop.example/n',
        notificationSecrets: [new Secret(SECRET)],
      },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await bank.gateway.close();
    expect(bank.mistakes).toEqual([]);
  });

  const factsOf = (cvv: string): PaymentFacts => ({
    ...{
      clientRef: gateway.clientRef(`ORDER-${++orders}`, 1),
      amount: 150000n,
      currency: 'NGN',
      returnUrl: 'https://shop.example/back',
    },
    ...{ payerIp: '203.0.113.7', bankCode: '058' },
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    card: {
      ...{
        number: new Secret('5060990580000217499'),
        expiryMonth: '12',
        expiryYear: '2031',
        cvv: new Secret(cvv),
      },
      ...{
        nameOnCard: new Secret('Ada Obi'),
        ...(gateway.profile.pinWithCard && { pin: new Secret('1111') }),
      },
    },
    device: {
      javaEnabled: false,
      language: 'en',
      screenHeight: 1,
      screenWidth: 1,
      colorDepth: 24,
      timeZone: 'Africa/Lagos',
      userAgent: 'x',
    },
  });
  const run = async (
    facts: PaymentFacts,
    ...calls: [CalledOperation, Partial<PaymentFacts>?][]
  ): Promise<Fact[]> => {
    const all: Fact[] = [];
    let known = facts;
    for (const [operation, over] of calls) {
      const commit = (kept: Record<string, string>): Promise<boolean> => {
        known = { ...known, kept: { ...known.kept, ...kept } };
        return Promise.resolve(true);
      };
      const { fact } = await gateway.call(operation, { ...known, ...over }, { commit });
      all.push(fact);
      const { transactionRef = known.transactionRef } = fact;
      known = {
        ...known,
        kept: { ...known.kept, ...fact.kept },
        ...(transactionRef !== undefined && { transactionRef }),
      };
    }
    return all;
  };

  test('a card is paid, and the query says so', async () => {
    const [paid, status] = await run(factsOf(CVV.pays), ['payCard'], ['transactionStatus']);
    expect(paid).toMatchObject({ is: 'paid', amount: 150000n });
    expect(status).toMatchObject({ is: 'paid', amount: 150000n });
  });

  test('a card is declined, with its reason where the gateway says it', async () => {
    const [fact] = await run(factsOf(CVV.declines), ['payCard']);
    expect(fact).toMatchObject({ is: 'failed', failure: { code: 'declined' } });
    if (name !== 'mpgs') expect(fact).toMatchObject({ failure: { reason: 'insufficientFunds' } });
  });

  test('a lost answer is unclear, and the query finds the payment', async () => {
    const [lost, status] = await run(factsOf(CVV.lost), ['payCard'], ['transactionStatus']);
    expect([lost?.is, status?.is]).toEqual(['unclear', 'paid']);
  });

  test('refunds', async () => {
    const refund = { refundRef: `REFUND-${orders}`, amount: 50000n };
    const all = await run(
      factsOf(CVV.pays),
      ['payCard'],
      ['transactionStatus'],
      ['refund', refund],
      ...(gateway.has('refundStatus') ? [['refundStatus', refund] as ['refundStatus', object]] : []),
    );
    for (const { is, amount = 50000n } of all.slice(2)) {
      expect(['refundDone', 'accepted']).toContain(is);
      expect(amount).toBe(50000n);
    }
    expect([...(bank.payments.get(`ORDER-${orders}-1`)?.refunds?.values() ?? [])].map(Number)).toEqual([
      name === 'paystack' ? 50000 : 500,
    ]);
  });

  test('codes, PINs and 3-D Secure, as far as it has them', async () => {
    if (name === 'mpgs')
      return expect([gateway.has('validateOtp'), gateway.has('validatePin')]).toEqual([false, false]);
    const [asked, sent] = await run(
      factsOf(CVV.asksOtp),
      ['payCard'],
      ['validateOtp', { otp: new Secret('123456') }],
    );
    expect(asked).toMatchObject({ is: 'waiting', action: { type: 'otp' } });
    expect(sent).toMatchObject({ is: 'paid' });
    if (gateway.has('validatePin')) {
      const [pin, after] = await run(
        factsOf(CVV.asksPin),
        ['payCard'],
        ['validatePin', { pin: new Secret('1111') }],
      );
      expect(pin).toMatchObject({ is: 'waiting', action: { type: 'pin' } });
      expect(['paid', 'waiting']).toContain(after?.is);
    }
    const [redirect] = await run(factsOf(CVV.redirects), ['payCard']);
    expect(redirect).toMatchObject({
      is: 'waiting',
      action: { type: name === 'monnify' ? 'unsupported' : 'redirect' },
    });
  });

  test('a transfer names the account', async () => {
    if (!gateway.has('initiateTransfer')) return expect(name).toBe('mpgs');
    const [fact] = await run(factsOf(CVV.pays), ['initiateTransfer']);
    expect(fact).toMatchObject({ is: 'waiting', action: { type: 'transfer', amount: '1500.00' } });
    expect(fact?.amount ?? 150000n).toBe(150000n);
  });

  test('its webhooks are signed, and name the payment', () => {
    const webhook = name === 'mpgs' ? undefined : webhookOf[name]('ORDER-1-1', SECRET);
    const { text = '{"order":{"id":"ORDER-1-1"}}', headers = { 'x-notification-secret': SECRET } } =
      webhook ?? {};
    const read = (with_: Record<string, string>): ReturnType<Gateway['readNotification']> =>
      gateway.readNotification({ headers: with_, body: Buffer.from(text) });
    expect(read(headers)).toMatchObject({ isSigned: true, named: [{ reference: 'ORDER-1-1' }] });
    expect(read({}).isSigned).toBe(false);
  });
});
