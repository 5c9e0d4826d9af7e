import { expect, test } from '@jest/globals';
import { isCredentialConstant, isCredentialHeader, NOT_SHOWN, shownValue } from './credential-names.js';

test.each([
  ...[
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'x-api-key',
    'access-token',
    'X-ApiKey',
  ],
  ...['x-auth', 'X-Auth-User', 'api_secret', 'x-password', 'x-passwd', 'client-pwd', 'x-signature', 'x-hmac'],
  ...['Ocp-Apim-Subscription-Key', 'x-merchant-token', 'x-jwt', 'bearer', 'x-credential', 'key'],
])('%s is a credential’s header', (name) => {
  expect(isCredentialHeader(name)).toBe(true);
});

test.each([
  ...['idempotency-key', 'Idempotency-Key', 'X-Idempotency-Key', 'x-api-version', 'MerchantId', 'accept'],
  ...['user-agent', 'x-author', 'accept-language', 'x-channel', 'x-request-id', 'prefer'],
])('%s is none', (name) => {
  expect(isCredentialHeader(name)).toBe(false);
});

test.each([
  ...[
    'password',
    'PWD',
    'client_secret',
    'clientSecret',
    'accessToken',
    'merchant-token',
    'apikey',
    'APIKey',
  ],
  ...['api_key', 'x-api-key', 'secretKey', 'signing_key', '/auth/apiKey', '/a/b/Password', 'authorization'],
])('a constant %s is a credential', (name) => {
  expect(isCredentialConstant(name, 'x')).toBe(true);
  for (const value of ['', 7, true, null]) expect(isCredentialConstant(name, value)).toBe(false);
});

test.each([
  ...['keyId', 'key', 'publicKey', 'PBFPubKey', 'tokenType', 'passwordless', 'channel', 'secretQuestion'],
  ...['idempotencyKey', '/apiKey/id', 'kid', 'authMode', 'keyVersion'],
])('a constant %s is none', (name) => {
  expect(isCredentialConstant(name, 'x')).toBe(false);
});

test('what is shown is without values of headers and of what may be a credential', () => {
  const operation = {
    path: '/a',
    headers: { 'x-version': '2' },
    constants: { channel: 'WEB', publicKey: 'p', '/a/token': { b: ['t', 1] } },
    rename: { client_ref: 'token' },
  };
  expect(shownValue(['operations', 'void'], operation)).toEqual({
    path: '/a',
    headers: { 'x-version': NOT_SHOWN },
    constants: { channel: 'WEB', publicKey: NOT_SHOWN, '/a/token': { b: NOT_SHOWN } },
    rename: { client_ref: 'token' },
  });
  expect(shownValue(['operations', 'void', 'headers', 'x'], undefined)).toBeUndefined();
  expect(shownValue(['encryption', 'siblings', 'keyId'], 'k')).toBe(NOT_SHOWN);
});
