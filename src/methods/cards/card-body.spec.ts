import { describe, expect, test } from '@jest/globals';
import { card, device } from '../../../test/harness/client.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import { Problem } from '../../http/problems/problem.js';
import { methodFields } from '../method-fields.js';
import { readCard, readPayCard } from './card-body.js';

const needs = methodFields(defaultProfile, 'card');

function faultsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('validation-failed');
    const errors = error.extra.errors ?? [];
    expect(new Set(errors.map(({ pointer }) => pointer)).size).toBe(errors.length);
    return errors.map(({ pointer }) => pointer).sort();
  }
}

const OF_DEVICE = ['colorDepth', 'javaEnabled', 'language', 'screenHeight', 'screenWidth', 'timeZone'];

describe('the body of a card payment', () => {
  const { number } = card;
  test.each<[string, unknown, Partial<typeof needs>, string[]]>([
    ['whole', { card, device }, {}, []],
    ['without its PIN', { card: { ...card, pin: undefined }, device }, {}, []],
    [
      'of empty parts',
      { card: {}, device: {} },
      {},
      [
        ...['/card/cvv', '/card/expiryMonth', '/card/expiryYear', '/card/nameOnCard', '/card/number'],
        ...OF_DEVICE.map((member) => `/device/${member}`),
      ],
    ],
    [
      'with wrong and missing members at once',
      { card: { number: '1', cvv: 'x' }, device },
      {},
      ['/card/cvv', '/card/expiryMonth', '/card/expiryYear', '/card/nameOnCard', '/card/number'],
    ],
    ['without a device', { card }, {}, ['/device']],
    ['without a device that is needed', { card }, { device: ['userAgent'] }, []],
    ['of a number alone', { card: { number } }, { card: ['number'], device: [] }, []],
    ['with a name that is not taken', { card, device }, { card: ['number'] }, []],
    ['with a null', { card: { ...card, cvv: null }, device }, {}, ['/card/cvv']],
    ['that holds an encrypted card', { encryptedCard: 'a.b.c.d.e', device }, {}, []],
    ['that is not there', undefined, {}, ['/device']],
    ['that is null', null, {}, ['']],
    ['that is a list', [], {}, ['']],
    ['with what nobody knows', { card, device, amount: '1.00' }, {}, ['/amount']],
  ])('%s', (_name, body, over, expected) => {
    expect(faultsOf(() => readPayCard(body, { ...needs, ...over }))).toEqual(expected);
  });

  test('an encrypted card has the same places', () => {
    expect(faultsOf(() => readCard({ ...card, cvv: undefined, number: '1' }, needs))).toEqual([
      '/card/cvv',
      '/card/number',
    ]);
    expect(faultsOf(() => readCard('text', needs))).toEqual(['/card']);
    expect(readCard(card, needs)).toMatchObject(card);
  });
});
