import { describe, expect, test } from '@jest/globals';
import { answerSchema } from '../profile/schema.js';
import { compileRedirect, type Redirect } from './redirect.js';

const scope = {
  facts: { clientRef: 'O_1', currency: 'NGN', returnUrl: 'https://shop.example/back' },
  ...{ digits: {}, notifyUrl: '', apiKey: undefined, accessToken: undefined, now: new Date(0) },
};

function read(answer: object, document: unknown, mode: 'test' | 'live' = 'live'): Redirect | undefined {
  return compileRedirect(answerSchema.parse(answer))(document, scope, 'https://gw.example/api/pay?x=1', mode);
}
const address = (url: unknown, mode?: 'test' | 'live'): string | undefined =>
  read({ redirectUrl: '/url' }, { url }, mode)?.url;

describe('an address is opened as a browser would', () => {
  test.each<[unknown, string | undefined]>([
    ['https://acs.example/1', 'https://acs.example/1'],
    [' https://acs.example/a b|c?x=é ', 'https://acs.example/a%20b|c?x=%C3%A9'],
    ['https://acs.example/?a=1&amp;b=2', 'https://acs.example/?a=1&b=2'],
    [`https://acs.example/?t=${'x'.repeat(3_000)}`, `https://acs.example/?t=${'x'.repeat(3_000)}`],
    [`https://acs.example/?t=${'x'.repeat(9_000)}`, undefined],
    ['/cashier', 'https://gw.example/cashier'],
    ['next', 'https://gw.example/api/next'],
    ['//acs.example/x', 'https://acs.example/x'],
    ['', undefined],
    ['  ', undefined],
    [null, undefined],
    [{}, undefined],
    ['http://acs.example/1', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['https://gw.example@evil.example/', undefined],
    ['https://', undefined],
  ])('%j', (url, expected) => {
    expect(address(url)).toBe(expected);
  });

  test('http on this machine in test mode only', () => {
    for (const host of ['localhost:4010', '127.0.0.1', '[::1]:80', 'shop.localhost']) {
      expect(address(`http://${host}/x`, 'test')).toContain('http://');
      expect(address(`http://${host}/x`)).toBeUndefined();
    }
    for (const host of ['localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'])
      expect(address(`http://${host}/x`, 'test')).toBeUndefined();
  });
});

test('the first address that can be opened counts', () => {
  expect(read({ redirectUrl: ['/a', '/b'] }, { a: 'ftp://x', b: 'https://b.example/' })?.url).toBe(
    'https://b.example/',
  );
});

test('an address of several parts: what is filled in adds no step, and none may be missing', () => {
  const answer = { redirectUrl: 'https://gw.example/pay/{/session/id}?r={client_ref}' };
  expect(read(answer, { session: { id: 'a/../b?c' } })?.url).toBe(
    'https://gw.example/pay/a%2F..%2Fb%3Fc?r=O_1',
  );
  expect(read(answer, { session: {} })).toBeUndefined();
  expect(read({ redirectUrl: '{/at}/x?t={/t}' }, { at: 'https://acs.example', t: 'ü' })?.url).toBe(
    'https://acs.example/x?t=%C3%BC',
  );
});

describe('a form', () => {
  const url = 'https://acs.example/';
  test.each<[string | object | undefined, object, object | undefined]>([
    [
      { MD: '/md', TermUrl: '{authNotifyUrl}', x: 'y' },
      { md: 1 },
      { method: 'POST', fields: { MD: '1', TermUrl: 'https://shop.example/back', x: 'y' } },
    ],
    [{ MD: ['/id', '/md'] }, { md: 1 }, { method: 'POST', fields: { MD: '1' } }],
    [['/form', '/fields'], { fields: { a: 'b' } }, { method: 'POST', fields: { a: 'b' } }],
    [{ MD: '/md' }, {}, undefined],
    ['/fields', { fields: { a: 'b', n: 1, e: '' } }, { method: 'POST', fields: { a: 'b', n: '1', e: '' } }],
    ['/fields', { fields: { a: 'b', none: null } }, { method: 'POST', fields: { a: 'b' } }],
    ['/fields', { fields: { a: {} } }, undefined],
    ['/fields', { fields: 'text' }, undefined],
    ['/fields', {}, { method: 'GET' }],
    [undefined, {}, { method: 'GET' }],
  ])('%j of %j', (redirectFields, document, expected) => {
    const found = read(
      { redirectUrl: '/url', ...(redirectFields && { redirectFields }) },
      { url, ...document },
    );
    expect(found).toEqual(expected && { url, ...expected });
  });
});
