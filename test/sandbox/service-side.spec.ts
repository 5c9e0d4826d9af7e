import { describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Gateway, type CardPaymentInput, type GatewayResult } from '../../src/gateway/gateway.js';
import { loadProfile, parseProfile, type Profile } from '../../src/gateway/profile/load.js';
import { Secret } from '../../src/secrets/secret.js';
import { SCHEMES } from '../../sandbox/encryption/encryption.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { SandboxClient } from './sandbox-client.js';

const SECOND = fileURLToPath(new URL('../dialects/second.profile.json', import.meta.url));
const MONEY = { amount: 150_000n, currency: 'NGN' };
const PAYER = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };

const cardPayment = (clientRef: string, number: string): CardPaymentInput => ({
  clientRef,
  ...MONEY,
  returnUrl: 'http://127.0.0.1:9/return',
  card: {
    number: new Secret(number),
    expiryMonth: '12',
    expiryYear: '2030',
    cvv: new Secret('111'),
    pin: new Secret('1111'),
    nameOnCard: new Secret('Ada Obi'),
  },
  payer: PAYER,
  billing: { street: '1 Marina', city: 'Lagos', stateProvince: 'Lagos', postCode: '101001', country: 'NGA' },
  device: {
    javaEnabled: false,
    language: 'en-NG',
    screenHeight: 1080,
    screenWidth: 1920,
    colorDepth: 30,
    timeZone: 'Africa/Lagos',
    userAgent: 'test',
  },
});

/** The service's own gateway client, talking to a sandbox of its own over HTTP. */
const together = async (
  options: SandboxOptions,
  profile: Profile,
  act: (gateway: Gateway, client: SandboxClient) => Promise<void>,
) => {
  const client = await SandboxClient.start(options);
  const { encryptionKey } = client.sandbox;
  const gateway = new Gateway({
    profile,
    config: {
      baseUrl: client.sandbox.url,
      mode: 'test',
      apiKey: new Secret('sandbox-key'),
      accessToken: new Secret('sandbox-token'),
      timeoutMs: 5_000,
      tls: {},
      notFoundGraceSeconds: 900,
      statusQueriesPerSecond: 10,
      ...(encryptionKey === '' ? {} : { encryptionKey: new Secret(encryptionKey) }),
    },
  });
  try {
    await act(gateway, client);
  } finally {
    await gateway.close();
    await client.close();
  }
};

const answerOf = (result: GatewayResult) => {
  if (result.kind !== 'answered') throw new Error(`not answered but ${JSON.stringify(result)}`);
  return result.answer;
};

describe.each<[string, SandboxOptions, string | undefined]>([
  ['built-in', {}, undefined],
  ['second', { dialect: 'second' }, SECOND],
])('the %s dialect, by its profile alone', (_name, options, path) => {
  test.each([
    ['5060990580000217499', 'succeeded'],
    ['4000000000000200', 'refused'],
    ['4000000000000309', 'failed'],
    ['4000000000000705', 'otp'],
    ['4000000000000804', 'redirect'],
    ['4000000000000903', 'authorized'],
    ['4000000000001125', 'processing'],
    ['4000000000001208', 'expired'],
    ['4000000000002503', 'undecided'],
  ])('card %s means %s', (number, meaning) =>
    together(options, loadProfile(path), async (gateway) => {
      const answer = answerOf(await gateway.payCard(cardPayment('ORDER-1_1', number)));
      expect(answer.meaning).toBe(meaning);
      if (meaning === 'succeeded') expect(answer).toMatchObject(MONEY);
      if (meaning === 'redirect') expect(answer.redirectUrl).toContain('/challenge');
    }),
  );

  test('what follows a success is understood', () =>
    together(options, loadProfile(path), async (gateway, client) => {
      await gateway.payCard(cardPayment('R_1', '5060990580000217499'));
      const status = async () =>
        answerOf(await gateway.transactionStatus({ clientRef: 'R_1', currency: 'NGN' }));
      const move = (name: string, body: object) => client.post(`/sandbox/transactions/R_1/${name}`, body);
      await move('reverse', { amount: '100.00' });
      expect(await status()).toMatchObject({ meaning: 'voided', amount: 10_000n });
      await move('refund', { amount: '400.00' });
      expect(await status()).toMatchObject({
        ...MONEY,
        meaning: 'partiallyRefunded',
        refundedAmount: 50_000n,
      });
      await move('chargeback', {});
      expect(await status()).toMatchObject({ ...MONEY, meaning: 'chargedBack' });
      await gateway.payCard(cardPayment('R_2', '5060990580000217499'));
      await client.post('/sandbox/transactions/R_2/refund', {});
      const refunded = answerOf(await gateway.transactionStatus({ clientRef: 'R_2', currency: 'NGN' }));
      expect(refunded).toMatchObject({ ...MONEY, meaning: 'refunded', refundedAmount: 150_000n });
    }));

  test('every other operation is understood', () =>
    together(options, loadProfile(path), async (gateway, client) => {
      const wallet = answerOf(await gateway.initiateWallet({ clientRef: 'W_1', ...MONEY, payer: PAYER }));
      expect(wallet).toMatchObject({ meaning: 'processing', reference: 'W_1', ...MONEY });
      expect(wallet.redirectUrl).toContain('/cashier?orderToken=');

      const transfer = answerOf(await gateway.initiateTransfer({ clientRef: 'T_1', ...MONEY, payer: PAYER }));
      expect(transfer).toMatchObject({ meaning: 'processing', bankName: 'Sandbox Bank' });
      expect(transfer.accountNumber).toMatch(/^[0-9]{10}$/);
      await client.post('/sandbox/transactions/T_1/receive', { amount: '1499.00' });
      const transferRef = transfer.transactionRef ?? '';
      const received = answerOf(
        await gateway.transferUssdStatus({ clientRef: 'T_1', transactionRef: transferRef, currency: 'NGN' }),
      );
      expect(received).toMatchObject({ meaning: 'succeeded', amount: 149_900n });

      const banks = await gateway.listUssdBanks();
      expect(banks).toMatchObject({
        kind: 'banks',
        banks: expect.arrayContaining([{ code: '058', name: 'Guaranty Trust Bank' }]),
      });
      const ussd = answerOf(
        await gateway.generateUssdCode({
          clientRef: 'U_1',
          ...MONEY,
          payer: PAYER,
          bankCode: '058',
        }),
      );
      expect(ussd.ussdCode).toMatch(/^\*058\*/);

      const otp = answerOf(await gateway.payCard(cardPayment('O_1', '4000000000000705')));
      const handed = {
        clientRef: 'O_1',
        transactionRef: otp.transactionRef ?? '',
        otp: new Secret('123456'),
        ...MONEY,
      };
      expect(answerOf(await gateway.validateOtp(handed))).toMatchObject({ meaning: 'succeeded', ...MONEY });

      const held = answerOf(await gateway.payCard(cardPayment('H_1', '4000000000000903')));
      const follow = { clientRef: 'H_1', transactionRef: held.transactionRef ?? '', currency: 'NGN' };
      expect(answerOf(await gateway.complete({ ...follow, amount: 40_000n }))).toMatchObject({
        meaning: 'succeeded',
        amount: 40_000n,
      });
      expect(answerOf(await gateway.transactionStatus(follow))).toMatchObject({
        meaning: 'succeeded',
        amount: 40_000n,
      });
      expect(answerOf(await gateway.void(follow)).meaning).toBe('voided');
      const nobody = answerOf(await gateway.transactionStatus({ ...follow, clientRef: 'NOBODY_1' }));
      expect(nobody.meaning).toBe('unknownTransaction');
      expect(
        client.sandbox.recorder.list().flatMap(({ problems, unexpected }) => [...problems, ...unexpected]),
      ).toEqual([]);
    }));
});

describe.each(SCHEMES.filter((scheme) => scheme !== 'none'))('encryption %s', (scheme) => {
  test.each<[string, string | string[]]>([
    ['the whole body', 'body'],
    ['the card fields', ['cardNumber', 'cvv', 'card_pin']],
  ])('of %s', (_name, scope) => {
    const operations = { encrypt: { method: 'POST', path: '/payment/encrypt', credentials: true } };
    const profile = parseProfile(
      JSON.stringify({
        encryption: { scheme, scope, ...(scheme === 'gateway-endpoint' ? { operation: 'encrypt' } : {}) },
        ...(scheme === 'gateway-endpoint' ? { operations } : {}),
      }),
    );
    return together({ encryption: scheme }, profile, async (gateway, client) => {
      const answer = answerOf(await gateway.payCard(cardPayment('ORDER-1_1', '5060990580000217499')));
      expect(answer).toMatchObject({ meaning: 'succeeded', ...MONEY });
      const [request] = client.sandbox.recorder.list('ORDER-1_1', 'payCard');
      expect(request).toMatchObject({ encrypted: true, problems: [] });
      expect(Object.keys(request?.fields ?? {}).length).toBe(26);
    });
  });
});
