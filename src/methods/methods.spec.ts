import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { gatewayAnswer, paymentRecord } from '../../test/harness/records.js';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import type { GatewayAnswer } from '../gateway/gateway-result.js';
import { OPERATION_KEYS } from '../gateway/profile/format.js';
import type { NextAction, PaymentMethod } from '../store/schema.js';
import { METHODS, methodOf } from './methods.js';
import { optionalOperations } from './profile-assumptions.js';
import { redirectAction } from './next-action.js';

describe('the descriptors', () => {
  test('stand under their own names', () => {
    expect(METHODS.map(({ name }) => name)).toEqual(PAYMENT_METHODS);
  });

  test('together use every operation of the gateway', () => {
    const used = METHODS.flatMap(({ initiation, statusQuery, assumed }) => [
      initiation,
      statusQuery,
      ...assumed,
    ]);
    expect(new Set([...used, ...optionalOperations(PAYMENT_METHODS)])).toEqual(new Set(OPERATION_KEYS));
  });

  test.each(METHODS)('$name asks only for what its next actions describe', (method) => {
    const whole = gatewayAnswer('redirect', {
      redirectUrl: 'https://bank.example/',
      redirectMethod: 'POST',
      redirectFields: { a: 'b' },
      accountNumber: '0123456789',
      accountName: 'Shop',
      bankName: 'Bank',
      expiresAt: '2026-11-21T12:30:00.000Z',
      ussdCode: '*1#',
    });
    const { type, ...members } = method.fillAction(whole, paymentRecord(), 'live') ?? { type: 'none' };
    const described = method.nextActions.find((action) => action.type === type);
    expect(Object.keys(members).sort()).toEqual(Object.keys(described?.properties ?? {}).sort());
    expect(Object.keys(members)).toEqual(expect.arrayContaining([...(described?.required ?? [])]));
  });
});

test('nothing that handles payments asks which method it is', () => {
  const name = new RegExp(`(['"\u0060])(${PAYMENT_METHODS.join('|')})\\1`);
  const naming = globSync('src/payments/**/*.ts')
    .filter((file) => !file.endsWith('.spec.ts'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => name.test(line) && /method|case /i.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(naming).toEqual([]);
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
    expect(methodOf(method).fillAction(answer, paymentRecord({ method }), 'live')).toEqual(action);
  });
});
