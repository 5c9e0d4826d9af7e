import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { inspect } from 'node:util';
import { cardAnswer, notFoundAnswer } from '../../test/harness/gateway-answers.js';
import { cardPaymentInput, gatewayConfig, gatewaySecrets } from '../../test/harness/gateway-inputs.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../../test/harness/misbehaving-gateway.js';
import { Gateway, type GatewayCall } from './gateway.js';
import { loadProfile } from './profile/load.js';

const { cardNumber: CARD_NUMBER, apiKey: API_KEY, accessToken: ACCESS_TOKEN } = gatewaySecrets;

let peer: MisbehavingGateway;
let gateway: Gateway;
const calls: GatewayCall[] = [];

beforeAll(async () => {
  peer = await startMisbehavingGateway();
  gateway = new Gateway({
    config: gatewayConfig(peer.url),
    profile: loadProfile(),
    observe: (call) => calls.push(call),
  });
});

afterAll(async () => {
  await gateway.close();
  await peer.close();
});

beforeEach(() => {
  peer.forget();
  calls.length = 0;
});

const status = { clientRef: 'ORDER-1001_1', currency: 'NGN' };

describe('a card payment', () => {
  test('sends the 26 fields of the seed, the credentials and nothing else', async () => {
    peer.script('POST /payment/card', {
      do: 'answer',
      body: cardAnswer({ status: 'SUCCESS', amount: '1500.00', currency: 'NGN' }),
    });
    const result = await gateway.payCard(cardPaymentInput({ pin: '1234', colorDepth: 30 }));
    expect(result).toEqual({
      kind: 'answered',
      answer: {
        meaning: 'succeeded',
        status: 'SUCCESS',
        message: 'Transaction processed',
        transactionRef: 'TRX-TEST-1',
        amount: 150_000n,
        currency: 'NGN',
        amountRequired: false,
      },
    });
    expect(peer.requests).toHaveLength(1);
    const [request] = peer.requests;
    expect(request?.headers).toMatchObject({
      'x-api-key': API_KEY,
      'access-token': ACCESS_TOKEN,
      'content-type': 'application/json',
    });
    expect(request?.json).toEqual({
      cardNumber: CARD_NUMBER,
      expiryMonth: '12',
      expiryYear: '2030',
      cvv: '111',
      card_pin: '1234',
      nameOnCard: 'Ada Obi',
      amount: '1500.00',
      currency: 'NGN',
      client_ref: 'ORDER-1001_1',
      authNotifyUrl: 'https://pay.example/v1/payments/pay_1/return/token',
      payerEmail: 'ada@example.com',
      payerPhone: '+2348012345678',
      firstName: 'Ada',
      lastName: 'Obi',
      billingStreet: '1 Marina',
      billingCity: 'Lagos',
      billingStateProvince: 'Lagos',
      billingPostCode: '101001',
      billingCountry: 'NGA',
      javaEnabled: false,
      language: 'en-NG',
      screenHeight: 1080,
      screenWidth: 1920,
      colorDepth: 24,
      timeZone: 'Africa/Lagos',
      userAgent: 'Test/1.0',
    });
  });

  test('leaves a pin out that there is none of', async () => {
    peer.script('POST /payment/card', { do: 'answer', body: cardAnswer({ status: 'SUCCESS' }) });
    await gateway.payCard(cardPaymentInput());
    expect(peer.requests[0]?.json).not.toHaveProperty('card_pin');
  });
});

describe('the gate', () => {
  test('a no sends nothing', async () => {
    const beforeSend = jest.fn(() => false);
    expect(await gateway.payCard(cardPaymentInput({ pin: '1234', colorDepth: 30 }), { beforeSend })).toEqual({
      kind: 'not-sent',
      reason: 'abandoned',
    });
    expect(beforeSend).toHaveBeenCalledTimes(1);
    expect(peer.requests).toHaveLength(0);
  });

  test('one that throws has not said yes', async () => {
    const beforeSend = (): boolean => {
      throw new Error('the owner is gone');
    };
    expect(await gateway.payCard(cardPaymentInput(), { beforeSend })).toEqual({
      kind: 'not-sent',
      reason: 'abandoned',
    });
    expect(peer.requests).toHaveLength(0);
  });

  test('a no after the connection was made sends nothing either', async () => {
    const beforeSend = jest.fn<() => boolean>().mockReturnValueOnce(true).mockReturnValue(false);
    expect(await gateway.payCard(cardPaymentInput(), { beforeSend })).toEqual({
      kind: 'not-sent',
      reason: 'abandoned',
    });
    expect(peer.requests).toHaveLength(0);
  });

  test('a yes is asked for before connecting and before the first byte, and sends', async () => {
    peer.script('POST /payment/void', { do: 'answer', body: cardAnswer({ status: 'VOIDED' }) });
    const beforeSend = jest.fn(() => true);
    const result = await gateway.void(
      { clientRef: 'ORDER-1001_1', transactionRef: 'T1', currency: 'NGN' },
      { beforeSend },
    );
    expect(result).toMatchObject({ kind: 'answered', answer: { meaning: 'voided' } });
    expect(beforeSend).toHaveBeenCalledTimes(2);
    expect(peer.requests[0]?.json).toEqual({ client_ref: 'ORDER-1001_1', transactionRef: 'T1' });
  });
});

describe('the other operations', () => {
  test('a status query fills its path in, percent-encoded, and has no body', async () => {
    await gateway.transactionStatus({ ...status, clientRef: 'A/../B?c=1_1' });
    expect(peer.requests[0]).toMatchObject({
      method: 'GET',
      path: '/transaction/A%2F..%2FB%3Fc%3D1_1',
      text: '',
    });
  });

  test('a transaction that the gateway does not know is its explicit word', async () => {
    peer.script('GET /transaction/*', { do: 'answer', body: notFoundAnswer });
    expect(await gateway.transactionStatus(status)).toMatchObject({
      kind: 'answered',
      answer: { meaning: 'unknownTransaction' },
    });
  });

  test('the wallet call carries no credentials', async () => {
    peer.script('POST /init-partner', {
      do: 'answer',
      body: {
        status: 'success',
        message: 'ok',
        data: {
          code: '00000',
          message: 'SUCCESSFUL',
          data: {
            reference: 'ORDER-1001_1',
            orderNo: '211',
            cashierUrl: 'https://cashier.example/?t=1',
            status: 'INITIAL',
            amount: { total: 150_000, currency: 'NGN' },
            vat: { total: 0, currency: 'NGN' },
          },
        },
      },
    });
    const result = await gateway.initiateWallet({
      clientRef: 'ORDER-1001_1',
      amount: 150_000n,
      currency: 'NGN',
      payer: { email: 'ada@example.com' },
    });
    expect(result).toEqual({
      kind: 'answered',
      answer: {
        meaning: 'processing',
        status: 'INITIAL',
        message: 'ok',
        transactionRef: '211',
        redirectUrl: 'https://cashier.example/?t=1',
        redirectMethod: 'GET',
        reference: 'ORDER-1001_1',
        amount: 150_000n,
        currency: 'NGN',
        amountRequired: false,
      },
    });
    expect(Object.keys(peer.requests[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(x-api-key|access-token)$/)]),
    );
    expect(peer.requests[0]?.json).toEqual({
      client_ref: 'ORDER-1001_1',
      txnType: 'PARTNER_PAY',
      payerEmail: 'ada@example.com',
      amount: '1500.00',
      currency: 'NGN',
    });
  });

  test('the banks are those entries that have a code and a name', async () => {
    const data = [
      { code: '058', name: 'GTBank' },
      { code: '', name: 'Nameless' },
      'x',
      { code: 44, name: 'Access' },
    ];
    peer.script('GET /ussd/banks', { do: 'answer', body: { error: false, message: 'ok', data } });
    expect(await gateway.listUssdBanks()).toEqual({
      kind: 'banks',
      banks: [
        { code: '058', name: 'GTBank' },
        { code: '44', name: 'Access' },
      ],
    });
    expect(calls).toMatchObject([{ operation: 'listUssdBanks', outcome: 'banks' }]);
  });

  test.each([{ error: true, data: [] }, { error: false, data: {} }, { error: false }, []])(
    'what is no list of banks is unknown: %j',
    async (body) => {
      peer.script('GET /ussd/banks', { do: 'answer', body });
      expect(await gateway.listUssdBanks()).toEqual({ kind: 'unknown', reason: 'unrecognised' });
    },
  );
});

test('nothing secret is in a result, nor in the gateway itself, however it is printed', async () => {
  peer.script('POST /payment/card', { do: 'reset-after-reading' });
  const result = await gateway.payCard(cardPaymentInput({ pin: '1234', colorDepth: 30 }));
  const seen = [gateway, result, calls, cardPaymentInput({ pin: '1234', colorDepth: 30 })]
    .map((value) => inspect(value, { depth: 12, showHidden: true }))
    .join('\n');
  for (const secret of [CARD_NUMBER, API_KEY, ACCESS_TOKEN]) expect(seen).not.toContain(secret);
});
