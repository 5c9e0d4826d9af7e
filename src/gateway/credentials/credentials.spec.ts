import { describe, expect, test } from '@jest/globals';
import { Secret } from '../../secrets/secret.js';
import { parseProfile } from '../profile/load.js';
import { CredentialSets, type SignedRequest, sign } from './credential-sets.js';

const source = { apiKey: new Secret('Aladdin'), accessToken: new Secret('open sesame') };

function headersBy(set: object, request: Partial<SignedRequest> = {}): Readonly<Record<string, string>> {
  const file = {
    credentials: { default: set },
    ...('token' in request && { token: { method: 'GET', path: '/t', value: '/t', expiresIn: 60 } }),
  };
  return new CredentialSets(parseProfile(JSON.stringify(file)), source).addedTo({ 'x-own': '1' }, 'default', {
    ...{ method: 'POST', target: '/base/pay?x=1', body: '{"a":1}' },
    ...{ word: (name) => (name === 'client_ref' ? 'R_1' : undefined), token: undefined },
    ...request,
  });
}

describe('signing', () => {
  // RFC 4231, test cases 2 and 1.
  test.each([
    [
      'hmac-sha256',
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'hmac-sha512',
      'Jefe',
      'what do ya want for nothing?',
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    ],
  ] as const)('%s is that of RFC 4231', (scheme, key, text, expected) => {
    expect(sign(text, key, { scheme })).toBe(expected);
    expect(sign(text, key, { scheme, encoding: 'base64' })).toBe(
      Buffer.from(expected, 'hex').toString('base64'),
    );
  });

  test('covers method, path and body as they are sent', () => {
    const over = '{method}\n{path}\n{body}\n{client_ref}';
    const set = { 'x-sign': 'v1={signature}', sign: { scheme: 'hmac-sha256', key: 'accessToken', over } };
    expect(headersBy(set)['x-sign']).toBe(
      `v1=${sign('POST\n/base/pay?x=1\n{"a":1}\nR_1', 'open sesame', { scheme: 'hmac-sha256' })}`,
    );
  });

  test('uses one time and one nonce for all of a request', () => {
    const set = {
      'x-time': '{epoch}',
      'x-iso': '{timestamp}',
      'x-nonce': '{nonce}',
      'x-sign': '{signature}',
      sign: { scheme: 'hmac-sha512', key: 'apiKey', over: '{epoch}{timestamp}{nonce}' },
    };
    const sent = headersBy(set);
    expect(Math.abs(Number(sent['x-time']) - Date.now() / 1000)).toBeLessThan(5);
    expect(sent['x-sign']).toBe(
      sign(`${sent['x-time']}${sent['x-iso']}${sent['x-nonce']}`, 'Aladdin', { scheme: 'hmac-sha512' }),
    );
    expect(headersBy(set)['x-nonce']).not.toBe(sent['x-nonce']);
  });
});

describe('a set', () => {
  test('stands in place of the built-in headers, beside the operation’s own', () => {
    expect(headersBy({ Authorization: 'Bearer {apiKey}', MerchantId: '2566' })).toEqual({
      'x-own': '1',
      authorization: 'Bearer Aladdin',
      merchantid: '2566',
    });
  });

  // RFC 7617.
  test.each([
    ['Basic {basic:apiKey:accessToken}', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['Basic {basic:apiKey:}', 'Basic QWxhZGRpbjo='],
  ])('%s', (text, expected) => {
    expect(headersBy({ authorization: text })['authorization']).toBe(expected);
  });

  test('carries a token, and leaves a header out that comes out empty', () => {
    expect(
      headersBy({ authorization: 'Bearer {token}', 'x-ref': '{transactionRef}' }, { token: 'T1' }),
    ).toEqual({
      'x-own': '1',
      authorization: 'Bearer T1',
    });
  });

  test('writes only what a header can carry', () => {
    expect(headersBy({ 'x-name': '{payerName}' }, { word: () => 'Àda\r\nx: y' })['x-name']).toBe(
      '%C3%80da%0D%0Ax: y',
    );
  });
});
