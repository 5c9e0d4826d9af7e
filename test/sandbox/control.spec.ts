import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cardBody, type Json, SandboxClient, transactionOf } from './sandbox-client.js';

let client: SandboxClient;
beforeEach(async () => {
  client = await SandboxClient.start();
});
afterEach(() => client.close());

const move = (ref: string, name: string, body?: Json) =>
  client.post(`/sandbox/transactions/${ref}/${name}`, body);

describe('moves by hand', () => {
  // card, moves in a row, status word at the end, charged at the end
  test.each<[string, string[], string, string]>([
    ['4000000000000804', ['approve'], 'SUCCESS', '1500.00'],
    ['4000000000000804', ['decline'], 'FAILED', '0.00'],
    ['4000000000000804', ['expire'], 'EXPIRED', '0.00'],
    ['4000000000000804', ['authorize', 'settle'], 'SUCCESS', '1500.00'],
    ['4000000000000309', ['approve'], 'SUCCESS', '1500.00'],
    ['4000000000000309', ['authorize'], 'AUTHORIZED', '0.00'],
    ['4000000000001125', ['settle', 'reverse'], 'VOIDED', '0.00'],
    ['4111111111111111', ['decline'], 'FAILED', '1500.00'],
    ['4000000000000804', ['wait'], 'PENDING', '0.00'],
  ])('%s, then %j: %s with %s charged', async (cardNumber, moves, word, charged) => {
    const { ref } = await client.pay({ cardNumber });
    for (const name of moves) expect((await move(ref, name)).status).toBe(200);
    expect(transactionOf(await client.status(ref)).status).toBe(word);
    expect((await client.truth(ref)).charged).toBe(charged);
  });

  // moves in a row with their amounts, status word at the end, what it says was given back, charged at the end
  test.each<[[string, string?][], string, string | undefined, string]>([
    [[['refund']], 'REFUNDED', '1500.00', '0.00'],
    [[['refund', '400.00']], 'PARTIALLY_REFUNDED', '400.00', '1100.00'],
    [
      [
        ['refund', '400.00'],
        ['refund', '1100.00'],
      ],
      'REFUNDED',
      '1500.00',
      '0.00',
    ],
    [[['reverse', '400.00']], 'REVERSED', undefined, '1100.00'],
    [[['refund', '400.00'], ['chargeback']], 'CHARGEBACK', '400.00', '0.00'],
    [[['chargeback'], ['reverse']], 'VOIDED', undefined, '0.00'],
  ])('paid, then %j: %s', async (moves, word, refundedAmount, charged) => {
    const { ref } = await client.pay();
    for (const [name, amount] of moves)
      expect((await move(ref, name, amount === undefined ? {} : { amount })).status).toBe(200);
    const transaction = transactionOf(await client.status(ref));
    expect([transaction.status, transaction.refundedAmount]).toEqual([word, refundedAmount]);
    expect((await client.truth(ref)).charged).toBe(charged);
  });

  test('no more is given back than was taken, and nothing of what is not paid', async () => {
    const { ref } = await client.pay();
    expect((await move(ref, 'refund', { amount: '1500.01' })).status).toBe(409);
    expect((await move(ref, 'reverse', { amount: '1500.01' })).status).toBe(409);
    await move(ref, 'refund');
    for (const name of ['refund', 'chargeback']) expect((await move(ref, name)).status).toBe(409);
    const { ref: open } = await client.pay({ cardNumber: '4000000000000903' });
    for (const name of ['refund', 'chargeback']) expect((await move(open, name)).status).toBe(409);
  });

  test('money that was taken is not taken again', async () => {
    const { ref } = await client.pay();
    expect((await move(ref, 'approve')).status).toBe(409);
    expect((await client.truth(ref)).chargeCount).toBe(1);
  });

  test('an unknown reference or move is 404, a wrong amount is told', async () => {
    const { ref } = await client.pay({ cardNumber: '4000000000000804' });
    expect((await move('NOBODY_1', 'approve')).status).toBe(404);
    expect((await move(ref, 'forgive')).status).toBe(404);
    expect((await move(ref, 'receive', { amount: '1' })).status).toBe(409);
  });

  test('one attempt of several is moved by its own reference', async () => {
    const { json, ref } = await client.pay({ cardNumber: '4000000000000804' });
    await client.pay({ cardNumber: '4000000000000804', client_ref: ref });
    await move(ref, 'approve', { transactionRef: (json.data as Json).transactionRef });
    const { attempts } = await client.truth(ref);
    expect((attempts as Json[]).map(({ state }) => state)).toEqual(['succeeded', 'redirect']);
  });
});

describe('what was received', () => {
  test('is on record without card number, cvv, PIN or code', async () => {
    const body = cardBody({
      cardNumber: '5060990580000217499',
      cvv: '987',
      card_pin: '4321',
      extra: { deep: 1 },
    });
    const reply = await client.post('/payment/card', body);
    const ref = String(body.client_ref);
    const { transactionRef } = reply.json.data as Json;
    await client.post('/payment/validate-otp', { client_ref: ref, transactionRef, otp: '135790' });
    const { text, json } = await client.get(`/sandbox/requests?client_ref=${ref}`);
    for (const secret of ['5060990580000217499', '987', '4321', '135790'])
      expect(text).not.toContain(`"${secret}"`);
    const [request] = json.data as Json[];
    expect(request).toMatchObject({
      operation: 'payCard',
      credentials: { apiKey: 'right', accessToken: 'right' },
      values: { cardNumber: '506099*********7499', cvv: '***', card_pin: '****', amount: '1500.00' },
      fields: { javaEnabled: 'boolean', screenHeight: 'number', cvv: 'string' },
      unexpected: ['/extra/deep'],
      answered: 200,
    });
    expect(Object.keys(request?.fields as Json).length).toBe(26);
    expect(await client.truth(ref)).toMatchObject({ calls: { payCard: 1, validateOtp: 1 } });
  });

  test('keeps whole bodies only where that was asked for', async () => {
    await client.pay({ client_ref: 'A_1' });
    await client.post('/sandbox/config', { recordBodies: true });
    await client.pay({ client_ref: 'A_1' });
    const [first, second] = client.sandbox.recorder.list('A_1');
    expect(first).not.toHaveProperty('body');
    expect(second?.body).toEqual(cardBody({ client_ref: 'A_1' }));
  });

  test('a refused call is on record too', async () => {
    await client.call('GET', '/transaction/A_1', undefined, { 'x-api-key': 'wrong' });
    expect(client.sandbox.recorder.list('A_1')).toMatchObject([
      { credentials: { apiKey: 'wrong', accessToken: 'right' }, answered: 401 },
    ]);
  });
});

test('settings are checked by name and kind, all or none', async () => {
  const reply = await client.post('/sandbox/config', {
    slowMs: 1,
    otpAttempts: '3',
    nothing: 1,
    notifyUrl: 'ftp://x',
    unknownCards: 'maybe',
  });
  expect(reply.status).toBe(400);
  expect((reply.json.problems as string[]).map((problem) => problem.split(':')[0])).toEqual([
    'otpAttempts',
    'nothing',
    'notifyUrl',
    'unknownCards',
  ]);
  expect(client.sandbox.settings.slowMs).toBe(3_000);
});

test('the notification secret is not shown', async () => {
  await client.post('/sandbox/config', { notifySecret: 'hook-secret' });
  expect((await client.get('/sandbox/config')).text).not.toContain('hook-secret');
  expect((await client.get('/sandbox')).text).not.toContain('hook-secret');
});

test('reset forgets everything', async () => {
  const { ref } = await client.pay();
  await client.post('/sandbox/faults', { kind: 'cut' });
  expect((await client.post('/sandbox/reset')).status).toBe(200);
  expect(await client.truth(ref)).toEqual({});
  expect((await client.get('/sandbox/ledger')).json.data).toEqual([]);
  expect((await client.pay()).status).toBe(200);
});

test('a page of another origin is turned away', async () => {
  const reply = await client.post('/sandbox/reset', undefined, { origin: 'https://evil.example' });
  expect(reply.status).toBe(403);
});

test.each(['/sandbox/nothing', '/sandbox/transactions/a/b/c'])('%s is no control', async (path) => {
  expect((await client.get(path)).status).toBe(404);
});

test('a malformed path or address does not end the sandbox', async () => {
  expect((await client.get('/sandbox/transactions/%E0%A4%A')).status).toBe(404);
  expect((await client.get('/transaction/%E0%A4%A')).json.error).toBe(true);
  expect((await client.post('/payment/card', '{"a":')).status).toBe(400);
  expect((await client.pay()).status).toBe(200);
});
