import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { Gateway, type CalledOperation, type PaymentFacts } from '../../src/gateway/gateway.js';
import { BUILT_IN, loadProfile } from '../../src/gateway/profile/load.js';
import type { Fact } from '../../src/gateway/fact.js';
import { Secret } from '../../src/secrets/secret.js';

/** The gateway's class against each gateway that the sandbox can be, by a profile alone. The sandbox notes what it does not understand. */
const DIALECTS = [
  ['builtin', BUILT_IN],
  ['builtin with refunds', 'sandbox/refunds.profile.json'],
  ['second', 'test/dialects/second.profile.json'],
  ['third', 'test/dialects/third.profile.json'],
] as const;

const CARDS = {
  ...{
    '4111111111111111': 'paid',
    '4000000000000309': 'declined',
    '4000000000000903': 'held',
    '4000000000001109': 'waiting',
  },
  ...{
    '4000000000000705': 'otp',
    '4000000000000804': 'redirect',
    '4000000000002016': 'unclear',
    '4000000000002107': 'unclear',
  },
  ...{
    '4000000000002206': 'unclear',
    '4000000000002412': 'unclear',
    '4000000000002503': 'unclear',
    '4000000000001208': 'expired',
  },
  ...{ '4000000000002818': 'foreign', '4000000000002701': 'unclear' },
};

describe.each(DIALECTS)('the %s gateway of the sandbox', (name, path) => {
  const dialect = name === 'second' || name === 'third' ? name : 'builtin';
  let sandbox: Sandbox;
  let gateway: Gateway;
  let orders = 0;

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, dialect, settings: { settleAfterMs: 50 } });
    gateway = new Gateway(loadProfile(path), {
      ...{
        baseUrl: sandbox.url,
        apiKey: new Secret('sandbox-key'),
        accessToken: new Secret('sandbox-token'),
      },
      ...(sandbox.encryptionKey !== '' && { encryptionKey: new Secret(sandbox.encryptionKey) }),
      ...{ timeoutMs: 4_000, mode: 'test', notifyUrl: 'http://127.0.0.1/n', notificationSecrets: [] },
    });
  });
  afterAll(async () => {
    await gateway.close();
    const { recorder, ledger } = sandbox;
    const misunderstood = recorder
      .list()
      .flatMap(({ operation, problems, unexpected }) =>
        [...problems, ...unexpected].map((what) => `${operation}: ${what}`),
      );
    const twice = ledger.entries().filter(({ duplicateClientRef }) => duplicateClientRef);
    await sandbox.close();
    expect({ misunderstood, twice }).toEqual({ misunderstood: [], twice: [] });
  });

  const factsOf = (number = '4111111111111111', over: Partial<PaymentFacts> = {}): PaymentFacts => ({
    ...{
      clientRef: gateway.clientRef(`ORDER-${++orders}`, 1),
      amount: 150000n,
      currency: 'NGN',
      returnUrl: 'http://127.0.0.1/back',
    },
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada' },
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    card: {
      number: new Secret(number),
      expiryMonth: '12',
      expiryYear: '2031',
      cvv: new Secret('111'),
      nameOnCard: new Secret('Ada Obi'),
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
    ...over,
  });
  /** Makes calls one after another about one payment, as the engine does. */
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
      known = {
        ...known,
        kept: { ...known.kept, ...fact.kept },
        ...(fact.transactionRef !== undefined && { transactionRef: fact.transactionRef }),
      };
    }
    return all;
  };
  const inShort = (fact: Fact): string =>
    'failure' in fact && fact.is !== 'expired'
      ? fact.failure.code
      : 'action' in fact && fact.action
        ? fact.action.type
        : fact.is;

  test.each(Object.entries(CARDS))('card %s: %s', async (number, expected) => {
    // It says `ok: false` beside a success, which is not the boolean that a profile can name.
    if (dialect === 'third' && number === '4000000000002701')
      return expect(gateway.profile.answer.error).toBeUndefined();
    const [fact] = await run(factsOf(number), ['payCard']);
    expect(inShort(fact!)).toBe(expected);
  });

  test('another amount is told to whoever compares it', async () => {
    const [fact] = await run(factsOf('4000000000002800'), ['payCard']);
    expect(fact).toMatchObject({ is: 'paid' });
    expect(fact?.amount).not.toBe(150000n);
  });

  test('a PIN, a code', async () => {
    if (dialect === 'third') {
      const [card, pin, otp] = await run(
        factsOf('506099000000000602'),
        ['payCard'],
        ['validatePin', { pin: new Secret('1111') }],
        ['validateOtp', { otp: new Secret('123456') }],
      );
      expect([inShort(card!), inShort(pin!), otp?.is]).toEqual(['pin', 'otp', 'paid']);
      return;
    }
    const withPin = factsOf('5060990000000602');
    const [card] = await run({ ...withPin, card: { ...withPin.card!, pin: new Secret('1111') } }, [
      'payCard',
    ]);
    expect(card).toMatchObject({ is: 'paid', amount: 150000n });
    const [asked, wrong, right] = await run(
      factsOf('4000000000000705'),
      ['payCard'],
      ['validateOtp', { otp: new Secret('000000') }],
      ['validateOtp', { otp: new Secret('123456') }],
    );
    expect([inShort(asked!), wrong?.again, right?.is]).toEqual(['otp', true, 'paid']);
  });

  test('a hold is completed in part, and another one voided', async () => {
    const [, complete, after] = await run(
      factsOf('4000000000000903'),
      ['payCard'],
      ['complete', { amount: 100000n }],
      ['transactionStatus'],
    );
    expect(complete).toMatchObject({ is: 'paid', amount: 100000n });
    expect(after).toMatchObject({ is: 'paid', amount: 100000n });
    const [held, voided] = await run(factsOf('4000000000000903'), ['payCard'], ['void']);
    expect([held?.is, voided?.is]).toEqual(['held', 'reversed']);
  });

  test('a query about what it never received', async () => {
    expect(await run(factsOf(), ['transactionStatus'])).toEqual([{ is: 'denied' }]);
    expect(gateway.asksByReference()).toContain('transactionStatus');
  });

  test('wallet, transfer, USSD', async () => {
    const [wallet, status] = await run(factsOf(), ['initiateWallet'], ['transactionStatus']);
    expect(inShort(wallet!)).toBe('redirect');
    expect(status?.is).toBe('waiting');
    if (!gateway.has('initiateTransfer')) return;
    const [transfer] = await run(factsOf(), ['initiateTransfer'], ['transferUssdStatus']);
    expect(transfer).toMatchObject({ action: { type: 'transfer', amount: '1500.00' }, amount: 150000n });
    expect(transfer?.expiresAt).toBeGreaterThan(0);
    const [bank] = (await gateway.listUssdBanks()) ?? [];
    const [ussd] = await run(factsOf(undefined, { bankCode: bank?.code ?? '' }), ['generateUssdCode']);
    expect(inShort(ussd!)).toBe('ussd');
  });

  test('refunds, and what a query then says of the payment', async () => {
    if (!gateway.has('refund')) return expect(gateway.has('refundStatus')).toBe(false);
    const refund = { refundRef: 'R-1', amount: 50000n };
    const [, done, again, after] = await run(
      factsOf(),
      ['payCard'],
      ['refund', refund],
      ['refundStatus', refund],
      ['transactionStatus'],
    );
    expect(done).toMatchObject({ is: 'refundDone', amount: 50000n });
    expect(again).toMatchObject({ is: 'refundDone', amount: 50000n });
    expect(after).toMatchObject({ is: 'givenBack', whole: false, refundedTotal: 50000n });
    const [, unknown] = await run(factsOf(), ['payCard'], ['refundStatus', { ...refund, refundRef: 'R-2' }]);
    expect(unknown?.is).toBe('denied');
  });
});
