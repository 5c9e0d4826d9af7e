import { describe, expect, test } from '@jest/globals';
import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import { gatewayAnswer, ownMoney, paymentRecord } from '../../../test/harness/records.js';
import { answerKey, mismatches, namesOwnAmount } from './answer.js';

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
