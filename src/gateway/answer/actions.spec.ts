import { describe, expect, test } from '@jest/globals';
import { factOf, whole } from '../../../test/gateway/judged.js';
import { Secret } from '../../secrets/secret.js';
import type { Fact } from '../fact.js';
import { loadProfile } from '../profile/load.js';
import type { OperationName } from '../profile/schema.js';

const builtIn = loadProfile();

describe('what the payer does next', () => {
  test.each<[OperationName, object, unknown]>([
    ['payCard', { status: 'otp', message: 'Enter it' }, { type: 'otp', message: 'Enter it' }],
    ['payCard', { status: 'pin' }, { type: 'pin' }],
    ['payCard', { status: 'unsupported' }, { type: 'unsupported' }],
    [
      'payCard',
      { status: 'redirect', url: 'https://acs.example/1' },
      { type: 'redirect', url: 'https://acs.example/1', method: 'GET' },
    ],
    [
      'payCard',
      { status: 'processing', url: 'https://acs.example/1' },
      { type: 'redirect', url: 'https://acs.example/1', method: 'GET' },
    ],
    ['payCard', { status: 'redirect', url: '' }, undefined],
    ['payCard', { status: 'processing' }, undefined],
    [
      'initiateWallet',
      { status: 'succeeded', url: '/cashier?a=1' },
      { type: 'redirect', url: 'https://gw.example/cashier?a=1', method: 'GET' },
    ],
    [
      'initiateTransfer',
      {
        status: 'processing',
        account: '0123456789',
        bank: 'GTB',
        holder: 'Shop',
        ends: '2026-01-01T10:00:00+01:00',
      },
      {
        type: 'transfer',
        accountNumber: '0123456789',
        bankName: 'GTB',
        accountName: 'Shop',
        amount: '1500.00',
        expiresAt: '2026-01-01T09:00:00.000Z',
      },
    ],
    [
      'initiateTransfer',
      { status: 'processing', account: 123456789, ends: '2026-01-01T10:00:00' },
      { type: 'transfer', accountNumber: '123456789', bankName: '', accountName: null, amount: '1500.00' },
    ],
    [
      'generateUssdCode',
      { status: 'processing', dial: '*737*1#', bank: 'GTB' },
      { type: 'ussd', code: '*737*1#', bankName: 'GTB' },
    ],
    ['transactionStatus', { status: 'otp' }, { type: 'otp' }],
    ['transactionStatus', { status: 'processing', url: 'https://acs.example/1' }, undefined],
    [
      'transactionStatus',
      { status: 'redirect', url: 'https://acs.example/1' },
      { type: 'redirect', url: 'https://acs.example/1', method: 'GET' },
    ],
  ])('%s %j', (operation, body, action) => {
    const fact = factOf(operation, { body });
    expect(fact.is).toBe('waiting');
    expect('action' in fact ? fact.action : undefined).toEqual(action);
  });

  test('a code that cannot be sent is unsupported', () => {
    for (const status of ['otp', 'pin'])
      expect(
        factOf('payCard', { body: { status } }, {}, { ...whole, operations: { payCard: { post: '/p' } } }),
      ).toMatchObject({ action: { type: 'unsupported' } });
  });

  test('the answer to a code may ask for one again, this or the other', () => {
    for (const operation of ['validateOtp', 'validatePin'] as const)
      for (const status of ['otp', 'pin'] as const)
        expect(factOf(operation, { body: { status } })).toEqual({
          is: 'waiting',
          action: { type: status },
          again: true,
        });
  });
});

describe('the built-in profile reads the seed', () => {
  const says = (operation: OperationName, body: unknown, status = 200): Fact =>
    factOf(operation, { status, body }, {}, builtIn);

  test('a decline', () => {
    const body = {
      error: true,
      message: 'Card authentication was declined by the issuer',
      data: { transactionRef: '', transaction: {}, date: '2026-01-01', errorCode: '' },
    };
    expect(says('payCard', body)).toEqual({
      is: 'refused',
      cardTried: true,
      failure: { code: 'declined', message: body.message, reason: null, gatewayCode: null, retryable: false },
    });
  });

  test('a wallet order, whose total is in minor units', () => {
    const order = {
      reference: 'O_1',
      orderNo: 'N1',
      cashierUrl: 'https://cashier.example/?t=1',
      status: 'INITIAL',
      amount: { total: 150000, currency: 'NGN' },
      vat: { total: 0, currency: 'NGN' },
    };
    const body = {
      status: 'success',
      message: 'ok',
      data: { code: '00000', message: 'SUCCESSFUL', data: order },
    };
    expect(says('initiateWallet', body)).toEqual({
      is: 'waiting',
      action: { type: 'redirect', url: 'https://cashier.example/?t=1', method: 'GET' },
      transactionRef: 'N1',
      amount: 150000n,
    });
    expect(says('initiateWallet', { ...body, status: 'failed' }).is).toBe('unclear');
  });

  test('a transaction that it does not know', () => {
    expect(
      says('transactionStatus', { error: true, message: 'No', data: { errorCode: 'NOT_FOUND' } }),
    ).toEqual({ is: 'denied' });
    expect(says('payCard', { error: true, data: { errorCode: 'DUPLICATE' } }, 409)).toEqual({
      is: 'unclear',
      why: 'reference used',
    });
    expect(says('payCard', { error: true, data: { errorCode: '91' } }).is).toBe('unclear');
  });
});

describe('what an answer carries beside its word', () => {
  test('of a query, totals and times', () => {
    const body = {
      status: 'partiallyRefunded',
      tx: 'T1',
      amount: '1500.00',
      refunded: '500.00',
      disputed: '1.00',
      paidAt: '2026-01-01T10:00:00',
      refundedAt: 1767261600,
    };
    expect(factOf('transactionStatus', { body })).toEqual({
      ...{
        is: 'givenBack',
        whole: false,
        transactionRef: 'T1',
        amount: 150000n,
        refundedTotal: 50000n,
        disputedTotal: 100n,
      },
      ...{ paidAt: Date.UTC(2026, 0, 1, 10), refundedAt: Date.UTC(2026, 0, 1, 10) },
    });
  });

  test('of what is not understood, only names', () => {
    const body = {
      status: 'new word',
      tx: 'T1',
      amount: '1500.00',
      refunded: '500.00',
      paidAt: '2026-01-01',
    };
    expect(factOf('transactionStatus', { body })).toEqual({
      is: 'unlisted',
      word: 'new word',
      transactionRef: 'T1',
    });
    expect(factOf('transactionStatus', { body: { ...body, ref: 'O_2' } })).toEqual({
      is: 'unlisted',
      word: 'new word',
    });
  });

  test('a day on which it was paid is told from a time', () => {
    const body = { status: 'succeeded', ref: 'O_1', amount: '1500.00', currency: 'NGN' };
    const paid = (paidAt: string) => factOf('transactionStatus', { body: { ...body, paidAt } });
    expect(paid('2026-01-01')).toMatchObject({ is: 'paid', paidAt: Date.UTC(2026, 0, 1), paidOnDay: true });
    expect(paid('2026-01-01T00:00Z')).not.toHaveProperty('paidOnDay');
  });

  test('no word of a card, and nothing that the payer sent as a secret', () => {
    const card = {
      number: new Secret('5060990580000217499'),
      cvv: new Secret('111'),
      pin: new Secret('4321'),
      nameOnCard: new Secret('Ada Obi'),
    };
    const body = {
      error: true,
      message: 'ADA OBI, cvv 111 and pin 4321 of 5060 9905 8000 0217 499 are wrong; order 1114 of 2026',
      code: '5060990580000217499',
    };
    const fact = factOf('payCard', { body }, { card });
    expect(fact).toMatchObject({
      failure: {
        message: '•••, cvv ••• and pin ••• of ••• are wrong; order 1114 of 2026',
        gatewayCode: '•••',
      },
    });
    const kept = factOf('payCard', { body: { status: 'processing', tx: 'T-5060990580000217499' } }, { card });
    expect(kept).toEqual({ is: 'waiting' });
  });
});
