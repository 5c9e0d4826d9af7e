import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isLuhnValid, TEST_CARDS } from '../../sandbox/bank/test-cards.ts';
import { cardBody, SandboxClient, transactionOf, until } from './sandbox-client.js';

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start({ settings: { settleAfterMs: 2_000, slowMs: 300 } });
});
afterAll(() => client.close());

describe('the table of test cards', () => {
  test('has only Luhn-valid numbers, each once, of every brand and of all three Verve lengths', () => {
    expect(TEST_CARDS.filter(({ number }) => !isLuhnValid(number))).toEqual([]);
    expect(new Set(TEST_CARDS.map(({ number }) => number)).size).toBe(TEST_CARDS.length);
    expect(new Set(TEST_CARDS.map(({ brand }) => brand))).toEqual(
      new Set(['verve', 'visa', 'mastercard', 'amex']),
    );
    const lengths = TEST_CARDS.filter(({ brand }) => brand === 'verve').map(({ number }) => number.length);
    expect(new Set(lengths)).toEqual(new Set([16, 18, 19]));
  });

  // number, HTTP status, data.transaction.status, errorCode, charged at once
  test.each<[string, number | 'reset' | 'timeout', string | undefined, string | undefined, string]>([
    ['5060990580000217499', 200, 'SUCCESS', '00', '1500.00'],
    ['506099000000000107', 200, 'SUCCESS', '00', '1500.00'],
    ['4111111111111111', 200, 'SUCCESS', '00', '1500.00'],
    ['5500000000000103', 200, 'SUCCESS', '00', '1500.00'],
    ['370000000000101', 200, 'SUCCESS', '00', '1500.00'],
    ['4000000000000200', 200, undefined, '', '0.00'],
    ['5500000000000202', 200, 'FAILED', '05', '0.00'],
    ['4000000000000309', 200, 'FAILED', '51', '0.00'],
    ['4000000000000408', 200, 'FAILED', '54', '0.00'],
    ['4000000000000705', 200, 'OTP_REQUIRED', 'T0', '0.00'],
    ['4000000000000804', 200, 'REDIRECT_REQUIRED', 'S0', '0.00'],
    ['4000000000000903', 200, 'AUTHORIZED', '', '0.00'],
    ['4000000000001125', 200, 'PENDING', '', '0.00'],
    ['4000000000001208', 200, 'EXPIRED', '', '0.00'],
    ['4000000000002008', 'timeout', undefined, undefined, '1500.00'],
    ['4000000000002016', 'timeout', undefined, undefined, '0.00'],
    ['4000000000002107', 'reset', undefined, undefined, '1500.00'],
    ['4000000000002115', 'reset', undefined, undefined, '0.00'],
    ['4000000000002206', 200, undefined, undefined, '1500.00'],
    ['4000000000002214', 200, undefined, undefined, '0.00'],
    ['4000000000002305', 200, 'SUCCESS', '00', '1500.00'],
    ['4000000000002404', 500, undefined, undefined, '1500.00'],
    ['4000000000002412', 500, undefined, undefined, '0.00'],
    ['4000000000002503', 200, undefined, '91', '0.00'],
    ['4000000000002602', 200, 'SOMETHING_NEW', '', '1500.00'],
    ['4000000000002701', 200, 'SUCCESS', '00', '1500.00'],
  ])('%s answers %s %s %s and charges %s', async (cardNumber, status, word, code, charged) => {
    // Only for those that never answer.
    const reply = await client.pay({ cardNumber }, status === 'timeout' ? 600 : undefined);
    expect(reply.status).toBe(status);
    expect(transactionOf(reply.json).status).toBe(word);
    expect((reply.json.data as { errorCode?: string } | undefined)?.errorCode).toBe(code);
    await until(() => client.sandbox.recorder.list(reply.ref, 'payCard').length === 1);
    const truth = await client.truth(reply.ref);
    expect(truth.charged ?? '0.00').toBe(charged);
  });

  test('a number outside the table is declined, or approved where that was asked for', async () => {
    const cardNumber = '4242424242424242';
    expect(transactionOf((await client.pay({ cardNumber })).json).status).toBe('FAILED');
    await client.post('/sandbox/config', { unknownCards: 'approve' });
    expect(transactionOf((await client.pay({ cardNumber })).json).status).toBe('SUCCESS');
    expect((await client.pay({ cardNumber: '4242424242424241' })).json.error).toBe(true);
    await client.post('/sandbox/config', { unknownCards: 'decline' });
  });
});

test('the bare decline has the shape of the description, and its status query tells more', async () => {
  const { json, ref } = await client.pay({ cardNumber: '4000000000000200' });
  expect(json).toEqual({
    error: true,
    message: 'Card authentication was declined by the issuer',
    data: { transactionRef: '', transaction: {}, date: new Date().toISOString().slice(0, 10), errorCode: '' },
  });
  expect(transactionOf(await client.status(ref))).toMatchObject({
    status: 'FAILED',
    amount: '1500.00',
    currency: 'NGN',
  });
});

test.each([
  ['no PIN', undefined, 'Card PIN required'],
  ['an empty PIN', '', 'Card PIN required'],
  ['PIN 0000', '0000', 'Incorrect PIN'],
])('a card that needs a PIN is declined with %s', async (_name, card_pin, message) => {
  const { json } = await client.pay({ cardNumber: '5060990000000602', card_pin });
  expect(json).toMatchObject({ error: true, message, data: { errorCode: '55' } });
});

describe('what must come with a card payment', () => {
  const optional = ['card_pin', 'billingStateProvince', 'billingPostCode'];
  const names = Object.keys(cardBody()).filter((name) => !optional.includes(name));

  test.each(optional.slice(1))('%s may be missing: not every country has it', async (name) => {
    const reply = await client.post('/payment/card', cardBody({ [name]: undefined }));
    expect(reply.status).toBe(200);
  });

  test.each(names)('%s missing is refused by name, and nothing is charged', async (name) => {
    const body = cardBody({ [name]: undefined });
    const reply = await client.post('/payment/card', body);
    expect(reply.status).toBe(400);
    expect(String(reply.json.message)).toContain(name);
    expect(await client.truth(String(body.client_ref))).toEqual({});
  });

  test.each<[string, unknown]>([
    ['javaEnabled', 'false'],
    ['screenHeight', '1080'],
    ['screenWidth', 0],
    ['colorDepth', 30],
    ['cvv', 111],
    ['amount', 1500],
    ['amount', '1500'],
    ['amount', '1500.0'],
    ['amount', '-1.00'],
    ['amount', '0.00'],
    ['expiryYear', '30'],
    ['expiryMonth', '13'],
    ['billingCountry', 'NG'],
    ['authNotifyUrl', 'javascript:alert(1)'],
    ['payerEmail', 'nobody'],
  ])('%s of %j is refused', async (name, value) => {
    const reply = await client.pay({ [name]: value });
    expect(reply.status).toBe(400);
    expect(String(reply.json.message)).toContain(name);
  });

  test.each([
    ['x-api-key', 'sandbox-key2'],
    ['access-token', ''],
  ])('a wrong %s is 401', async (header, value) => {
    const reply = await client.post('/payment/card', cardBody(), { [header]: value });
    expect(reply.status).toBe(401);
    expect(reply.json.error).toBe(true);
  });

  test('a form is no card payment', async () => {
    const reply = await client.post('/payment/card', 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(reply.status).toBe(415);
  });
});

describe('one-time codes', () => {
  const otp = async (ref: string, code: string) => {
    const { transactionRef } = await client.truth(ref);
    return (await client.post('/payment/validate-otp', { client_ref: ref, transactionRef, otp: code })).json;
  };

  test('the right one charges, and none is expected after it', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000705' });
    expect(transactionOf(await otp(ref, '123456')).status).toBe('SUCCESS');
    expect(await client.truth(ref)).toMatchObject({ charged: '1500.00', chargeCount: 1 });
    expect(await otp(ref, '123456')).toMatchObject({ error: true, data: { errorCode: 'INVALID_STATE' } });
  });

  test('a wrong one is asked for again, the third declines', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000705' });
    expect(transactionOf(await otp(ref, '000000')).status).toBe('OTP_REQUIRED');
    expect(transactionOf(await otp(ref, '000000')).status).toBe('OTP_REQUIRED');
    expect(transactionOf(await otp(ref, '000000')).status).toBe('FAILED');
    expect(transactionOf(await otp(ref, '123456'))).toEqual({});
    expect(await client.truth(ref)).toMatchObject({ state: 'failed', charged: '0.00' });
  });

  test('another card refuses a wrong one, and takes the right one after it', async () => {
    const { ref } = await client.pay({ cardNumber: '5500000000000707' });
    expect(await otp(ref, '000000')).toMatchObject({
      error: true,
      data: { errorCode: 'WRONG_OTP', transaction: {} },
    });
    expect(transactionOf(await client.status(ref)).status).toBe('OTP_REQUIRED');
    expect(transactionOf(await otp(ref, '123456')).status).toBe('SUCCESS');
  });

  test('a reference that does not belong to the transaction is not known', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000705' });
    const reply = await client.post('/payment/validate-otp', {
      client_ref: ref,
      transactionRef: 'SBXOTHER',
      otp: '123456',
    });
    expect(reply.json).toMatchObject({ error: true, data: { errorCode: 'NOT_FOUND' } });
  });
});

test('processing cards settle by themselves, to success or to failure', async () => {
  const { ref: good } = await client.pay({ cardNumber: '4000000000001109' });
  const { ref: bad } = await client.pay({ cardNumber: '4000000000001117' });
  expect(transactionOf(await client.status(good)).status).toBe('PENDING');
  await until(async () => transactionOf(await client.status(good)).status === 'SUCCESS');
  await until(async () => transactionOf(await client.status(bad)).status === 'FAILED');
  expect(await client.truth(good)).toMatchObject({ charged: '1500.00', chargeCount: 1 });
  expect(await client.truth(bad)).toMatchObject({ charged: '0.00' });
});

describe('complete and void', () => {
  const follow = async (operation: string, ref: string, amount?: string) => {
    const { transactionRef } = await client.truth(ref);
    return (await client.post(`/payment/${operation}`, { client_ref: ref, transactionRef, amount })).json;
  };

  test('a part of what is held is taken, once, and never more', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000903' });
    expect(await follow('completion', ref, '1500.01')).toMatchObject({
      error: true,
      data: { errorCode: 'AMOUNT_TOO_HIGH' },
    });
    expect(transactionOf(await follow('completion', ref, '400.00'))).toMatchObject({
      status: 'SUCCESS',
      amount: '400.00',
    });
    expect(await follow('completion', ref, '100.00')).toMatchObject({
      error: true,
      data: { errorCode: 'INVALID_STATE' },
    });
    expect(await client.truth(ref)).toMatchObject({ charged: '400.00', chargeCount: 1 });
    expect(transactionOf(await client.status(ref)).amount).toBe('400.00');
  });

  test.each(['4000000000000903', '4111111111111111'])('void gives back, once (%s)', async (cardNumber) => {
    const { ref } = await client.pay({ cardNumber });
    expect(transactionOf(await follow('void', ref)).status).toBe('VOIDED');
    expect(await follow('void', ref)).toMatchObject({ error: true, data: { errorCode: 'INVALID_STATE' } });
    expect(await client.truth(ref)).toMatchObject({ state: 'voided', charged: '0.00' });
  });

  test('what was declined cannot be voided', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000309' });
    expect((await follow('void', ref)).error).toBe(true);
  });
});

describe('a repeated client_ref', () => {
  test('is charged again by default, and the ledger says so', async () => {
    const { ref } = await client.pay();
    await client.pay({ client_ref: ref });
    expect(await client.truth(ref)).toMatchObject({
      charged: '3000.00',
      chargeCount: 2,
      duplicateClientRef: true,
    });
    expect(
      client.sandbox.ledger.entries(ref).filter((entry) => entry.duplicateClientRef).length,
    ).toBeGreaterThan(0);
  });

  test.each([
    ['refuse', 'DUPLICATE'],
    ['same', '00'],
  ])('with %s is not charged again', async (duplicateClientRef, errorCode) => {
    await client.post('/sandbox/config', { duplicateClientRef });
    const { ref } = await client.pay();
    expect((await client.pay({ client_ref: ref })).json).toMatchObject({ data: { errorCode } });
    expect(await client.truth(ref)).toMatchObject({ charged: '1500.00', chargeCount: 1 });
    await client.post('/sandbox/config', { duplicateClientRef: 'charge' });
  });
});

test('a transaction that nobody made is not found', async () => {
  expect(await client.status('NOBODY_1')).toMatchObject({
    error: true,
    data: { errorCode: 'NOT_FOUND', transaction: {} },
  });
});
