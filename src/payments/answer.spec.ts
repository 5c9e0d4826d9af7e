import { describe, expect, test } from '@jest/globals';
import type { GatewayAnswer } from '../gateway/gateway-result.js';
import type { NextAction, PaymentMethod } from '../store/schema.js';
import { gatewayAnswer, ownMoney, paymentRecord } from '../../test/harness/records.js';
import {
  answerKey,
  filledAction,
  gatewayExpiry,
  mismatches,
  namesOwnAmount,
  redirectAction,
} from './answer.js';

const payment = paymentRecord();

describe('what differs', () => {
  test.each<[string, Partial<GatewayAnswer>, string[]]>([
    ['nothing where nothing is said', {}, []],
    ['nothing where all is right', { ...ownMoney, reference: 'ORDER-1_1' }, []],
    ['the amount', { amount: 150_001n }, ['amount']],
    ['an amount that cannot be read', { amount: 'unreadable' }, ['amount']],
    ['an amount that is missing where one is needed', { amountRequired: true }, ['amount']],
    ['nothing where a needed amount is there', { amountRequired: true, amount: 150_000n }, []],
    ['the currency', { ...ownMoney, currency: 'USD' }, ['currency']],
    ['not the currency’s case', { ...ownMoney, currency: 'ngn' }, []],
    ['the reference', { reference: 'ORDER-1_2' }, ['reference']],
    ['all of it', { amount: 1n, currency: 'USD', reference: '' }, ['amount', 'currency', 'reference']],
  ])('%s', (_name, over, differing) => {
    expect(mismatches(gatewayAnswer('succeeded', over), payment, [150_000n])).toEqual(differing);
  });

  test('any of the right amounts will do', () => {
    expect(mismatches(gatewayAnswer('succeeded', { amount: 7n }), payment, [5n, 7n])).toEqual([]);
  });

  test('the own amount must be named in so many words', () => {
    const named = (over: Partial<GatewayAnswer>) =>
      namesOwnAmount(gatewayAnswer('processing', over), payment, [150_000n]);
    expect(named(ownMoney)).toBe(true);
    expect(named({})).toBe(false);
    expect(named({ amount: 'unreadable' })).toBe(false);
    expect(named({ ...ownMoney, currency: 'USD' })).toBe(false);
    expect(named({ ...ownMoney, reference: 'OTHER_1' })).toBe(false);
  });
});

test('one disputed answer is told from another', () => {
  const keys = [
    gatewayAnswer('succeeded'),
    gatewayAnswer('succeeded', { amount: 1n }),
    gatewayAnswer('succeeded', { amount: 1n, currency: 'NGN' }),
    gatewayAnswer('succeeded', { amount: 'unreadable' }),
    gatewayAnswer('authorized', { amount: 1n }),
    gatewayAnswer('succeeded', { reference: 'X' }),
  ].map(answerKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(answerKey(gatewayAnswer('succeeded', { amount: 1n, message: 'a', transactionRef: 'b' }))).toBe(
    keys[1],
  );
});

test('the gateway’s own end', () => {
  expect(gatewayExpiry(gatewayAnswer('processing'))).toBeUndefined();
  expect(gatewayExpiry(gatewayAnswer('processing', { expiresAt: 'soon' }))).toBeUndefined();
  expect(gatewayExpiry(gatewayAnswer('processing', { expiresAt: '2026-11-21T12:30:00Z' }))).toBe(
    Date.UTC(2026, 10, 21, 12, 30),
  );
});

describe('redirects', () => {
  test('are handed out with their method and fields', () => {
    const over = {
      redirectUrl: 'https://bank.example/',
      redirectMethod: 'POST',
      redirectFields: { a: 'b' },
    } as const;
    expect(redirectAction(gatewayAnswer('redirect', over), 'live')).toEqual({
      type: 'redirect',
      url: 'https://bank.example/',
      method: 'POST',
      fields: { a: 'b' },
    });
    expect(
      redirectAction(gatewayAnswer('redirect', { redirectUrl: 'https://bank.example/' }), 'live'),
    ).toEqual({
      type: 'redirect',
      url: 'https://bank.example/',
      method: 'GET',
    });
  });

  test.each([
    [undefined, 'test', false],
    ['http://bank.example/', 'test', false],
    ['http://127.0.0.1:4010/', 'test', true],
    ['http://127.0.0.1:4010/', 'live', false],
    ['javascript:alert(1)', 'test', false],
    ['', 'test', false],
  ] as const)('to %s in %s mode: %s', (redirectUrl, mode, handedOut) => {
    expect(redirectAction(gatewayAnswer('redirect', { redirectUrl }), mode) !== undefined).toBe(handedOut);
  });
});

describe('the next action that an answer fills', () => {
  const account = { accountNumber: '0123456789', bankName: 'Bank' };
  test.each<[string, PaymentMethod, Partial<GatewayAnswer>, NextAction | undefined]>([
    ['card: no address', 'card', {}, undefined],
    [
      'wallet: its cashier',
      'wallet',
      { redirectUrl: 'https://cashier.example/' },
      { type: 'redirect', url: 'https://cashier.example/', method: 'GET' },
    ],
    ['wallet: no address', 'wallet', { ...account, ussdCode: '*1#' }, undefined],
    [
      'transfer: the account',
      'transfer',
      { ...account, accountName: 'Shop', expiresAt: '2026-11-21T12:30:00.000Z' },
      {
        type: 'transfer',
        ...account,
        accountName: 'Shop',
        amount: '1500.00',
        expiresAt: '2026-11-21T12:30:00.000Z',
      },
    ],
    [
      'transfer: without name and end',
      'transfer',
      account,
      { type: 'transfer', ...account, accountName: null, amount: '1500.00' },
    ],
    ['transfer: no bank', 'transfer', { accountNumber: '0123456789' }, undefined],
    ['transfer: no number', 'transfer', { bankName: 'Bank', redirectUrl: 'https://a.example/' }, undefined],
    ['USSD: the code', 'ussd', { ussdCode: '*1#' }, { type: 'ussd', code: '*1#' }],
    [
      'USSD: the code and the bank',
      'ussd',
      { ussdCode: '*1#', bankName: 'Bank' },
      { type: 'ussd', code: '*1#', bankName: 'Bank' },
    ],
    ['USSD: no code', 'ussd', account, undefined],
  ])('%s', (_name, method, over, action) => {
    const answer = gatewayAnswer('processing', over);
    expect(filledAction(method, answer, paymentRecord({ method }), 'live')).toEqual(action);
  });
});
