import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cardPaymentInput, gatewayConfig } from '../harness/gateway-inputs.js';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { Secret } from '../../src/secrets/secret.js';
import { Gateway, type GatewayAnswer, type UssdBanksResult } from '../../src/gateway/gateway.js';
import { loadProfile, parseProfile } from '../../src/gateway/profile/load.js';
import type { Profile } from '../../src/gateway/profile/format.js';

// The sandbox is a second reading of the gateway's description, written apart from this one: a mistake in either shows.

const opened: { close(): Promise<unknown> }[] = [];
let payments = 0;

afterAll(async () => {
  for (const closable of opened.reverse()) await closable.close();
});

async function open(
  profile: Profile,
  options: Parameters<typeof startSandbox>[0] = {},
): Promise<{ gateway: Gateway; sandbox: Sandbox }> {
  const sandbox = await startSandbox({ port: 0, ...options });
  const gateway = new Gateway({
    config: gatewayConfig(sandbox.url, {
      apiKey: new Secret('sandbox-key'),
      accessToken: new Secret('sandbox-token'),
      ...(sandbox.encryptionKey !== '' && { encryptionKey: new Secret(sandbox.encryptionKey) }),
    }),
    profile,
  });
  opened.push(sandbox, gateway);
  return { gateway, sandbox };
}

function nextRef(): string {
  return `ORDER-${++payments}_1`;
}

function cardWith(number: string): ReturnType<typeof cardPaymentInput> {
  const input = cardPaymentInput();
  return { ...input, clientRef: nextRef(), card: { ...input.card, number: new Secret(number) } };
}

function said(result: UssdBanksResult): string {
  return result.kind === 'answered' ? result.answer.meaning : result.kind;
}

function answerOf(result: UssdBanksResult): GatewayAnswer {
  if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
  return result.answer;
}

describe.each([
  ['builtin', () => loadProfile()],
  ['second', () => loadProfile('test/dialects/second.profile.json')],
] as const)('the %s dialect', (dialect, profile) => {
  let gateway: Gateway;
  let sandbox: Sandbox;

  beforeAll(async () => {
    ({ gateway, sandbox } = await open(profile(), { dialect }));
  });

  test.each([
    ['4111111111111111', 'succeeded', 'succeeded'],
    ['4000000000000309', 'failed|refused', 'failed'],
    ['4000000000000705', 'otp', 'otp'],
    ['4000000000000804', 'redirect', 'redirect'],
    ['4000000000000903', 'authorized', 'authorized'],
    ['4000000000001125', 'processing', 'processing'],
    ['4000000000001208', 'expired', 'expired'],
    ['4000000000002107', 'unknown', 'succeeded'],
    ['4000000000002115', 'unknown', 'unknownTransaction'],
    ['4000000000002206', 'unknown', 'succeeded'],
    ['4000000000002412', 'unknown', 'unknownTransaction'],
    ['4000000000002701', 'unknown', 'succeeded'],
  ])('card %s: %s, and then %s', async (number, first, then) => {
    const card = cardWith(number);
    const result = await gateway.payCard(card);
    expect(first.split('|')).toContain(said(result));
    expect(said(await gateway.transactionStatus({ clientRef: card.clientRef, currency: 'NGN' }))).toBe(then);
  });

  test('a one-time code, a completion, a void', async () => {
    const withCode = cardWith('4000000000000705');
    const { transactionRef = '' } = answerOf(await gateway.payCard(withCode));
    const paid = await gateway.validateOtp({ ...withCode, transactionRef, otp: new Secret('123456') });
    expect(answerOf(paid)).toMatchObject({ meaning: 'succeeded', amount: 150_000n, currency: 'NGN' });

    const held = cardWith('4000000000000903');
    const heldRef = answerOf(await gateway.payCard(held)).transactionRef ?? '';
    const completed = await gateway.complete({ ...held, transactionRef: heldRef, amount: 100_000n });
    expect(answerOf(completed)).toMatchObject({ meaning: 'succeeded', amount: 100_000n });
    const voided = await gateway.void({
      clientRef: held.clientRef,
      transactionRef: heldRef,
      currency: 'NGN',
    });
    expect(said(voided)).toBe('voided');
  });

  test('a redirect that the payer can follow', async () => {
    const { redirectUrl, redirectMethod } = answerOf(await gateway.payCard(cardWith('4000000000000804')));
    expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(redirectMethod).toBe(dialect === 'second' ? 'POST' : 'GET');
  });

  test('a wallet order, a transfer, a USSD code', async () => {
    const base = { amount: 150_000n, currency: 'NGN' };
    const clientRef = nextRef();
    const wallet = answerOf(
      await gateway.initiateWallet({ ...base, clientRef, payer: { email: 'ada@example.com' } }),
    );
    expect(wallet).toMatchObject({ meaning: 'processing', reference: clientRef, amount: 150_000n });
    expect(wallet.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);

    const { payer = {} } = cardPaymentInput();
    const transfer = answerOf(await gateway.initiateTransfer({ ...base, clientRef: nextRef(), payer }));
    expect(transfer).toMatchObject({
      meaning: 'processing',
      accountNumber: expect.stringMatching(/^\d{10}$/),
    });
    expect(transfer.expiresAt).toMatch(/Z$/);

    const banks = await gateway.listUssdBanks();
    if (banks.kind !== 'banks') throw new Error(JSON.stringify(banks));
    const [bank] = banks.banks;
    const ussdRef = nextRef();
    const ussd = await gateway.generateUssdCode({
      ...base,
      clientRef: ussdRef,
      payer: { email: 'ada@example.com' },
      bankCode: bank?.code ?? '',
    });
    expect(answerOf(ussd)).toMatchObject({
      meaning: 'processing',
      ussdCode: expect.stringMatching(/^\*.*#$/),
    });
    expect(said(await gateway.transferUssdStatus({ clientRef: ussdRef, currency: 'NGN' }))).toBe(
      'processing',
    );
  });

  test('nothing beyond what the gateway expects was sent, and nothing was sent twice', () => {
    for (const { problems, unexpected } of sandbox.recorder.list()) {
      expect({ problems, unexpected }).toEqual({ problems: [], unexpected: [] });
    }
    expect(sandbox.ledger.entries().filter(({ duplicateClientRef }) => duplicateClientRef)).toEqual([]);
  });
});

describe('the third dialect', () => {
  test('gives money back in parts, and tells of each', async () => {
    const { gateway, sandbox } = await open(loadProfile('test/dialects/third.profile.json'), {
      dialect: 'third',
    });
    const card = { ...cardWith('4111111111111111'), clientRef: 'ORDER-1-1' };
    const { transactionRef = '' } = answerOf(await gateway.payCard(card));
    const order = sandbox.recorder.list(card.clientRef, 'payCard')[0]?.path.split('/')[3] ?? '';
    const kept = { orderId: order };
    const payment = { clientRef: card.clientRef, transactionRef, currency: 'NGN', kept };
    const first = { ...payment, refundRef: 'ORDER-1-1-r1', amount: 50_000n };
    expect(answerOf(await gateway.refund(first))).toMatchObject({ meaning: 'refunded', amount: 50_000n });
    expect(answerOf(await gateway.refundStatus(first))).toMatchObject({ meaning: 'refunded' });
    const status = answerOf(await gateway.transactionStatus(payment));
    expect(status).toMatchObject({ meaning: 'partiallyRefunded', refundedAmount: 50_000n });
    const second = { ...payment, refundRef: 'ORDER-1-1-r2', amount: 150_000n };
    expect(await gateway.refund(second)).toMatchObject({ kind: 'rejected', code: 'AMOUNT_TOO_HIGH' });
    expect(said(await gateway.refundStatus(second))).toBe('unknownTransaction');
    expect(said(await gateway.refund({ ...second, amount: 100_000n }))).toBe('refunded');
    expect(answerOf(await gateway.transactionStatus(payment))).toMatchObject({ meaning: 'refunded' });
    expect(sandbox.ledger.chargedMinor(card.clientRef)).toBe(0n);
    expect(
      sandbox.recorder.list().flatMap(({ problems, unexpected }) => [...problems, ...unexpected]),
    ).toEqual([]);
  });
});

describe('the card call, encrypted', () => {
  test.each([
    '3des-ecb',
    'aes-256-cbc',
    'aes-256-gcm',
    'rsa-oaep-256',
    'rsa-pkcs1',
    'rsa-wrapped-aes-256-gcm',
    'jwe',
    'gateway-endpoint',
  ] as const)('%s, the whole body and some of its fields', async (scheme) => {
    const endpoint = { encrypt: { method: 'POST', path: '/payment/encrypt', credentials: true } };
    for (const scope of ['body', ['cardNumber', 'cvv', 'card_pin', 'expiryMonth', 'expiryYear']]) {
      const file = {
        encryption: { scheme, scope, ...(scheme === 'gateway-endpoint' && { operation: 'encrypt' }) },
        ...(scheme === 'gateway-endpoint' && { operations: endpoint }),
      };
      const { gateway, sandbox } = await open(parseProfile(JSON.stringify(file)), { encryption: scheme });
      expect(said(await gateway.payCard(cardWith('4111111111111111')))).toBe('succeeded');
      expect(sandbox.recorder.list().at(-1)).toMatchObject({ encrypted: true, problems: [] });
    }
  });
});
