import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Json, SandboxClient, transactionOf, until } from './sandbox-client.js';
import { randomWord } from '../harness/random-word.js';

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start({ settings: { settleAfterMs: 1_500 } });
});
afterAll(() => client.close());

describe('the challenge page', () => {
  const begin = async (cardNumber: string) => {
    const { json, ref } = await client.pay({
      cardNumber,
      authNotifyUrl: 'http://127.0.0.1:9/return/1?a=1&b=2',
    });
    const url = new URL(String(transactionOf(json).redirectUrl));
    return { ref, url, token: url.searchParams.get('token') ?? '' };
  };

  test('shows what is to be confirmed, under a strict policy', async () => {
    const { url } = await begin('4000000000000804');
    const response = await fetch(url);
    const html = await response.text();
    expect(html).toContain('₦1,500.00');
    expect(html).toContain('>Approve</button>');
    expect(html).not.toContain('4000000000000804');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe-inline');
  });

  test.each([
    ['approve', 'SUCCESS', '1500.00'],
    ['decline', 'FAILED', '0.00'],
  ])('%s moves the payment and sends the browser back by GET', async (decision, status, charged) => {
    const { ref, token } = await begin('4000000000000804');
    const response = await client.form('/challenge', { token, decision });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('http://127.0.0.1:9/return/1?a=1&b=2');
    expect(transactionOf(await client.status(ref)).status).toBe(status);
    expect((await client.truth(ref)).charged).toBe(charged);
  });

  test('deciding twice charges once', async () => {
    const { ref, token } = await begin('4000000000000804');
    await client.form('/challenge', { token, decision: 'approve' });
    await client.form('/challenge', { token, decision: 'approve' });
    expect(await client.truth(ref)).toMatchObject({ chargeCount: 1 });
  });

  test('another card comes back by a form POST', async () => {
    const { token } = await begin('5500000000000806');
    const response = await client.form('/challenge', { token, decision: 'approve' });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('method="post" action="http://127.0.0.1:9/return/1?a=1&#38;b=2"');
  });

  test.each([
    ['4000000000000812', 'AUTHORIZED'],
    ['4000000000000820', 'OTP_REQUIRED'],
    ['4000000000000838', 'PENDING'],
  ])('after approval %s is %s', async (cardNumber, status) => {
    const { ref, token } = await begin(cardNumber);
    await client.form('/challenge', { token, decision: 'approve' });
    expect(transactionOf(await client.status(ref)).status).toBe(status);
    if (status === 'PENDING')
      await until(async () => transactionOf(await client.status(ref)).status === 'SUCCESS');
  });

  test('a token of nobody is 404', async () => {
    expect((await fetch(`${client.sandbox.url}/challenge?token=nobody`)).status).toBe(404);
  });
});

const wallet = async (amount = '1500.00', timeoutMs?: number) => {
  const ref = `ORDER-${randomWord(24)}_1`;
  const body = {
    client_ref: ref,
    txnType: 'PARTNER_PAY',
    payerEmail: 'ada@example.com',
    amount,
    currency: 'NGN',
  };
  const reply = await client.post('/init-partner', body, { 'x-api-key': '', 'access-token': '' }, timeoutMs);
  const order = ((reply.json.data as Json | undefined)?.data ?? {}) as Json;
  return { ...reply, ref, order };
};

describe('wallet orders', () => {
  test('are made without credentials, in minor units, with a cashier address', async () => {
    const { json, order, ref } = await wallet();
    expect(json).toMatchObject({ status: 'success', data: { code: '00000', message: 'SUCCESSFUL' } });
    expect(order).toMatchObject({
      reference: ref,
      status: 'INITIAL',
      amount: { total: 150000, currency: 'NGN' },
    });
    expect(order.vat).toEqual({ total: 0, currency: 'NGN' });
    expect(new URL(String(order.cashierUrl)).searchParams.get('orderToken')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a txnType of another kind is refused', async () => {
    const reply = await client.post('/init-partner', {
      client_ref: 'x',
      txnType: 'OTHER',
      payerEmail: 'a@b.c',
      amount: '1.00',
      currency: 'NGN',
    });
    expect(reply.status).toBe(400);
  });

  test.each([
    ['approve', 'SUCCESS', '1500.00'],
    ['decline', 'FAIL', '0.00'],
  ])('the cashier page moves them: %s', async (decision, status, charged) => {
    const { order, ref } = await wallet();
    expect(await (await fetch(String(order.cashierUrl))).text()).toContain('>Decline</button>');
    const orderToken = new URL(String(order.cashierUrl)).searchParams.get('orderToken') ?? '';
    const response = await client.form('/cashier', { orderToken, decision });
    expect(await response.text()).toContain('Go back to the shop');
    expect(transactionOf(await client.status(ref)).status).toBe(status);
    expect((await client.truth(ref)).charged).toBe(charged);
  });

  test('the cashier sends the browser back where a return address is known, and only to http addresses', async () => {
    const { order, ref } = await wallet();
    const orderToken = new URL(String(order.cashierUrl)).searchParams.get('orderToken') ?? '';
    const bad = await client.form('/cashier', {
      orderToken,
      decision: 'approve',
      returnUrl: 'javascript:alert(1)',
    });
    expect(bad.status).toBe(200);
    const good = await client.form('/cashier', {
      orderToken,
      decision: 'approve',
      returnUrl: 'http://127.0.0.1:9/back?r={client_ref}',
    });
    expect(good.headers.get('location')).toBe(`http://127.0.0.1:9/back?r=${ref}`);
  });

  test.each<[string, number | 'timeout', Json, boolean]>([
    ['10.51', 200, { error: true }, false],
    ['10.52', 200, { data: { data: { amount: { total: 1152 } } } }, true],
    ['10.53', 200, { data: { data: { amount: { currency: 'USD' } } } }, true],
    ['10.55', 200, { data: { data: { cashierUrl: 'http://cashier.example.net/pay?orderToken=x' } } }, true],
    ['10.56', 'timeout', {}, true],
    ['10.57', 500, {}, true],
    ['10.58', 500, {}, false],
    ['10.59', 'timeout', {}, false],
  ])('amount %s answers %s', async (amount, status, json, created) => {
    const reply = await wallet(amount, 400);
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject(json);
    expect(Object.keys(await client.truth(reply.ref)).length > 0).toBe(created);
  });

  test('amount .54 names a foreign reference', async () => {
    const { order, ref } = await wallet('10.54');
    expect(order.reference).not.toBe(ref);
  });

  test.each([
    ['10.60', 'SUCCESS'],
    ['10.61', 'FAIL'],
    ['10.62', 'CLOSE'],
  ])('amount %s becomes %s by itself', async (amount, status) => {
    const { ref } = await wallet(amount);
    await until(async () => transactionOf(await client.status(ref)).status === status);
  });

  test('expire after their time, and are then not paid at the cashier', async () => {
    await client.post('/sandbox/config', { expiresAfterMs: 2_000 });
    const { order, ref } = await wallet();
    await client.post('/sandbox/config', { expiresAfterMs: 1_800_000 });
    expect(transactionOf(await client.status(ref)).status).toBe('INITIAL');
    await until(async () => transactionOf(await client.status(ref)).status === 'CLOSE');
    const orderToken = new URL(String(order.cashierUrl)).searchParams.get('orderToken') ?? '';
    await client.form('/cashier', { orderToken, decision: 'approve' });
    expect((await client.truth(ref)).charged).toBe('0.00');
  });
});

describe('transfers and USSD', () => {
  const payer = {
    payerEmail: 'ada@example.com',
    payerPhone: '+2348012345678',
    firstName: 'Ada',
    lastName: 'Obi',
  };
  const transfer = async () => {
    const ref = `ORDER-${randomWord(24)}_1`;
    const { json } = await client.post('/payment/transfer', {
      client_ref: ref,
      amount: '1500.00',
      currency: 'NGN',
      ...payer,
    });
    return { ref, json, details: transactionOf(json) };
  };
  const ask = async (ref: string) => {
    const { transactionRef } = await client.truth(ref);
    return transactionOf((await client.post('/payment/status', { client_ref: ref, transactionRef })).json);
  };

  test('a transfer gets an account of its own and is paid at the bank page', async () => {
    const { ref, details } = await transfer();
    expect(details).toMatchObject({ status: 'PENDING', amount: '1500.00', bankName: 'Sandbox Bank' });
    expect(details.accountNumber).toMatch(/^[0-9]{10}$/);
    expect(Date.parse(String(details.expiresAt))).toBeGreaterThan(Date.now());
    expect(await (await fetch(`${client.sandbox.url}/bank`)).text()).toContain(String(details.accountNumber));
    const token = client.sandbox.ledger.find(ref)?.token ?? '';
    await client.form('/bank', { token, amount: '1500.00', decision: 'send' });
    expect(await ask(ref)).toMatchObject({ status: 'SUCCESS', amount: '1500.00' });
  });

  test('another amount may come in, and is what the status says', async () => {
    const { ref } = await transfer();
    await client.post(`/sandbox/transactions/${ref}/receive`, { amount: '1499.00' });
    expect(await ask(ref)).toMatchObject({ status: 'SUCCESS', amount: '1499.00' });
    expect((await client.truth(ref)).charged).toBe('1499.00');
  });

  test('banks are listed, and a code is made for one of them only', async () => {
    const banks = (await client.get('/ussd/banks')).json;
    expect(banks.data).toContainEqual({ code: '058', name: 'Guaranty Trust Bank' });
    const body = {
      client_ref: `U-${randomWord(24)}_1`,
      amount: '1500.00',
      currency: 'NGN',
      payerEmail: 'ada@example.com',
      bankCode: '058',
    };
    const { json } = await client.post('/ussd/code', body);
    expect(transactionOf(json).ussdCode).toMatch(/^\*058\*000\*[0-9]{4}#$/);
    expect((await client.post('/ussd/code', { ...body, bankCode: '999' })).json).toMatchObject({
      error: true,
    });
    await client.post(`/sandbox/transactions/${body.client_ref}/approve`);
    expect((await ask(body.client_ref)).status).toBe('SUCCESS');
  });
});
