import { describe, expect, test } from '@jest/globals';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { Problem } from '../http/problems/problem.js';
import { methodFields } from '../methods/method-fields.js';
import type { Billing, Payer } from '../store/schema.js';
import { holderFrom, type Holder } from './payer-details.js';

const card = methodFields(defaultProfile, 'card');
const payer: Payer = { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' };
const lagos: Billing = { street: '1 Marina', city: 'Lagos', country: 'NGA' };

interface Known {
  payer?: Payer | null;
  billing?: Billing | null;
  currency?: string;
}

function holder(
  known: Known,
  body: { payer?: Payer; billing?: Billing },
  needs: Parameters<typeof holderFrom>[2] = card,
): Holder {
  return holderFrom({ payer: null, billing: null, currency: 'NGN', ...known }, body, needs);
}

function faults(...[known, body, needs]: Parameters<typeof holder>): string[] {
  try {
    holder(known, body, needs);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('validation-failed');
    return (error.extra.errors ?? []).map(({ pointer }) => pointer);
  }
}

describe('what is missing', () => {
  test.each<[string, Known, { payer?: Payer; billing?: Billing }, string[]]>([
    ['nothing', {}, { payer, billing: lagos }, []],
    ['nothing, of the session', { payer, billing: lagos }, {}, []],
    [
      'half of each',
      { payer: { email: 'a@b.example', phone: '+2348012345678' }, billing: lagos },
      {},
      ['/payer/firstName', '/payer/lastName'],
    ],
    [
      'everything: the country would say whether there is a state',
      {},
      {},
      [
        ...['/payer/email', '/payer/phone', '/payer/firstName', '/payer/lastName'],
        ...['/billing/street', '/billing/city', '/billing/country'],
      ],
    ],
    [
      'state and postal code where the country requires them',
      { payer },
      { billing: { ...lagos, country: 'USA' } },
      ['/billing/stateProvince', '/billing/postCode'],
    ],
    [
      'the postal code alone',
      { payer, billing: lagos },
      { billing: { country: 'GBR' } },
      ['/billing/postCode'],
    ],
    [
      'nothing: a person may have one name',
      { billing: lagos },
      { payer: { ...payer, lastName: undefined } },
      [],
    ],
  ])('%s', (_name, known, body, expected) => {
    expect(faults(known, body)).toEqual(expected);
  });

  test('is only what the method needs', () => {
    expect(faults({}, {}, { payer: ['email'], billing: [] })).toEqual(['/payer/email']);
    expect(faults({}, {}, { payer: [], billing: ['country'] })).toEqual(['/billing/country']);
  });
});

test('the body’s members come first, and a null is none', () => {
  const found = holder(
    { payer, billing: { ...lagos, postCode: '101001' } },
    { payer: { firstName: 'Bola', lastName: null as unknown as string }, billing: { city: 'Abuja' } },
  );
  expect(found.payer).toEqual({ ...payer, firstName: 'Bola' });
  expect(found.billing).toEqual({ ...lagos, city: 'Abuja', postCode: '101001' });
});

test('of a person with one name the gateway gets a dash for the other', () => {
  const { lastName: _none, ...one } = payer;
  expect(holder({ billing: lagos }, { payer: one }).payer).toEqual({ ...one, lastName: '-' });
  expect(holder({}, { payer: one }, { payer: ['firstName'], billing: [] }).payer).toEqual(one);
});
