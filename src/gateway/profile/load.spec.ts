import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { BUILT_IN, loadProfile, parseProfile, readProfile } from './load.js';
import { faultLine } from './fault.js';

const good = {
  operations: { payCard: { post: '/pay', body: { n: '{cardNumber}', r: '{client_ref}' } } },
  answer: { status: '/s', words: { succeeded: ['ok'] } },
};
type Json = Record<string, unknown>;

/** The faults of a profile, each as one line without what stands before. */
function faultsOf(over: Json, payCard: Json = {}, answer: Json = {}): string[] {
  const profile = { ...good, ...over };
  const operations = { payCard: { ...good.operations.payCard, ...payCard }, ...(over.operations as Json) };
  const text = JSON.stringify({ ...profile, operations, answer: { ...good.answer, ...answer } });
  return readProfile(text).faults.map((fault) => faultLine(fault).replace('GATEWAY_PROFILE ', ''));
}

const query = { transactionStatus: { get: '/q/{client_ref}' } };
const encryption = { scheme: 'aes-256-gcm' };

test('the built-in profile and a small one have none', () => {
  expect(loadProfile()).toMatchObject({ pinWithCard: ['verve'], confirmed: [] });
  expect(faultsOf({})).toEqual([]);
});

test('notes beside any key are ignored, but not in bodies', () => {
  const text = JSON.stringify({
    ...good,
    note: 'x',
    operations: {
      note: 'x',
      payCard: { note: 'x', post: '/p', body: { note: '{client_ref}' }, headers: { note: 'x' } },
    },
    answer: { ...good.answer, note: 'x' },
  });
  expect(parseProfile(text).operations.payCard).toEqual({
    post: '/p',
    body: { note: '{client_ref}' },
    headers: {},
  });
});

describe('each fault, with its place', () => {
  test.each<[string, string[], RegExp]>([
    [
      'an unknown key',
      faultsOf({ operationz: {} }),
      /^\/operationz: is no key here; possible are \$schema, operations, answer, /,
    ],
    [
      'deeper',
      faultsOf({}, { boddy: {} }),
      /^\/operations\/payCard\/boddy: is no key here; possible are get, post, put, body, /,
    ],
    [
      'of a meaning',
      faultsOf({}, {}, { words: { success: ['x'] } }),
      /^\/answer\/words\/success: is no key here; possible are succeeded, /,
    ],
    [
      'an unknown operation',
      faultsOf({ operations: { payLater: {} } }),
      /^\/operations\/payLater: is no key here; possible are payCard, /,
    ],
    [
      'an unknown word',
      faultsOf({}, { body: { n: '{cardnumber}' } }),
      /^\/operations\/payCard\/body\/n: has \{cardnumber\}, which is no word here; possible are client_ref, /,
    ],
    [
      'a word of another operation',
      faultsOf({ operations: { void: { post: '/v/{client_ref}', body: { o: ['{otp}'] } } } }),
      /^\/operations\/void\/body\/o\/0: has \{otp\}, which is no word here/,
    ],
    [
      'a card word in a path',
      faultsOf({}, { post: '/pay/{cvv}' }),
      /^\/operations\/payCard\/post: has \{cvv\}, which stands in body, form, query, encrypt only/,
    ],
    [
      'a card word in a header',
      faultsOf({}, { headers: { 'x-n': '{cardNumber}' } }),
      /^\/operations\/payCard\/headers\/x-n: has \{cardNumber\}/,
    ],
    [
      'a card word in credentials',
      faultsOf({ credentials: { default: { 'x-n': '{cvv}' } } }),
      /^\/credentials\/default\/x-n: has \{cvv\}/,
    ],
    [
      'a card word beside encrypt',
      faultsOf(
        { encryption },
        { encrypt: { c: '{cvv}' }, body: { e: '{ciphertext}{iv}{tag}', n: '{cardNumber}' } },
      ),
      /body\/n: has \{cardNumber\} in clear beside encrypt/,
    ],
    ['a credential in a path', faultsOf({}, { post: '/pay?k={apiKey}&x' }), /^$/],
    [
      'a credential in a step',
      faultsOf({}, { post: '/{apiKey}' }),
      /^\/operations\/payCard\/post: has \{apiKey\}, which stands in query, body, /,
    ],
    [
      'a key in plain sight',
      faultsOf({ credentials: { default: { Authorization: 'Bearer sk_live_1' } } }),
      /^\/credentials\/default\/Authorization: looks like a credential in plain sight: write \{apiKey\} or \{accessToken\} in its place$/,
    ],
    [
      'in a header',
      faultsOf({}, { headers: { 'x-api-key': 'abc' } }),
      /^\/operations\/payCard\/headers\/x-api-key: looks like a credential/,
    ],
    [
      'in a body',
      faultsOf({}, { body: { clientSecret: 'abc', r: '{client_ref}' } }),
      /^\/operations\/payCard\/body\/clientSecret: looks like/,
    ],
    [
      'in the request for a token',
      faultsOf({ token: { post: '/t', form: { client_secret: 'abc' }, value: '/t', expiresIn: 60 } }),
      /^\/token\/form\/client_secret: looks like/,
    ],
    [
      'no method',
      faultsOf({ operations: { void: { body: { r: '{client_ref}' } } } }),
      /^\/operations\/void: must have one of get, post, put$/,
    ],
    ['two methods', faultsOf({}, { put: '/x' }), /^\/operations\/payCard: must have one of get, post, put$/],
    ['no slash', faultsOf({}, { post: 'pay' }), /^\/operations\/payCard\/post: must begin with a slash/],
    ['another address', faultsOf({}, { post: 'https://evil.example/' }), /must begin with a slash/],
    [
      'a get with a body',
      faultsOf({ operations: { void: { get: '/v', form: { r: '{client_ref}' } } } }),
      /^\/operations\/void: is a get with a body/,
    ],
    ['body and form', faultsOf({}, { form: {} }), /must have one of body and form/],
    ['a bad pointer', faultsOf({}, {}, { status: 'data.status' }), /^\/answer\/status: is a bad pointer/],
    ['in a list', faultsOf({}, {}, { message: ['/m', '/a~2'] }), /^\/answer\/message\/1: is a bad pointer/],
    ['in require', faultsOf({}, {}, { require: { ok: [true] } }), /^\/answer\/require\/ok/],
    [
      'in an address',
      faultsOf({}, {}, { redirectUrl: 'https://x/{/a~}' }),
      /^\/answer\/redirectUrl: has a bad pointer/,
    ],
    [
      'an open brace',
      faultsOf({}, { body: { r: '{client_ref' } }),
      /^\/operations\/payCard\/body\/r: has a \{ that nothing closes; \{\{ writes a brace$/,
    ],
    ['no word', faultsOf({}, { body: { r: 'x{}' } }), /has \{\} with no word in it/],
    [
      'a pointer in a request',
      faultsOf({}, { body: { r: '{/a}' } }),
      /has a pointer, and there is no answer yet/,
    ],
    [
      'a query about nothing',
      faultsOf({ operations: { transactionStatus: { get: '/q?c={currency}' } } }),
      /^\/operations\/transactionStatus: names no payment/,
    ],
    [
      'a word of two meanings',
      faultsOf({}, {}, { words: { succeeded: ['ok'], failed: ['OK'] } }),
      /^\/answer\/words\/failed: has "ok", which is a word of succeeded too$/,
    ],
    [
      'readStatuses on a start',
      faultsOf({}, { answer: { readStatuses: [404] } }),
      /^\/operations\/payCard\/answer\/readStatuses: cannot stand on a start/,
    ],
    [
      'readStatuses of 401',
      faultsOf({
        operations: { transactionStatus: { ...query.transactionStatus, answer: { readStatuses: [401] } } },
      }),
      /readStatuses\/0: has 401, which never says anything/,
    ],
    ['readStatuses of 429', faultsOf({}, {}, { readStatuses: [429] }), /^\/answer\/readStatuses\/0: has 429/],
    [
      'a token without source',
      faultsOf({ credentials: { default: { authorization: 'Bearer {token}' } } }),
      /^\/credentials\/default\/authorization: has \{token\} without token, which the profile lacks/,
    ],
    [
      'a signature without source',
      faultsOf({ credentials: { default: { 'x-s': '{signature}' } } }),
      /^\/credentials\/default: must have \{signature\} and sign together/,
    ],
    [
      'a signature in a body',
      faultsOf({}, { body: { r: '{client_ref}', s: '{signature}' } }),
      /has \{signature\}, which stands in credentials only/,
    ],
    [
      'encrypt without source',
      faultsOf({}, { encrypt: { n: '{cardNumber}' }, body: { c: '{ciphertext}' } }),
      /^\/operations\/payCard\/encrypt: needs encryption/,
    ],
    [
      'encrypt sent nowhere',
      faultsOf({ encryption }, { encrypt: { n: '{cardNumber}' }, body: { r: '{client_ref}' } }),
      /^\/operations\/payCard\/encrypt: is sent nowhere/,
    ],
    [
      'a ciphertext without encrypt',
      faultsOf({}, { body: { c: '{ciphertext}', r: '{client_ref}' } }),
      /has \{ciphertext\}, and the call has no encrypt/,
    ],
    [
      'an unknown set',
      faultsOf({ credentials: { a: {} } }, { credentials: 'b' }),
      /^\/operations\/payCard\/credentials: is no set of credentials; possible are a$/,
    ],
    [
      'sha512 without secret',
      faultsOf({
        notification: { reference: '/r', signature: { scheme: 'sha512', at: '/s', over: '{/r}' } },
      }),
      /^\/notification\/signature\/over: must have \{secret\}/,
    ],
    [
      'a signature nowhere',
      faultsOf({ notification: { reference: '/r', signature: { scheme: 'hmac-sha256' } } }),
      /^\/notification\/signature: must have one of header and at/,
    ],
    [
      'a notification about nothing',
      faultsOf({ notification: {} }),
      /^\/notification\/reference: is missing/,
    ],
    ['a missing key', faultsOf({ token: { post: '/t', value: '/t' } }), /^\/token\/expiresIn: is missing/],
    [
      'no banks',
      faultsOf({ operations: { listUssdBanks: { get: '/b' } } }),
      /^\/operations\/listUssdBanks\/banks: is missing/,
    ],
    [
      'a PIN that is sent nowhere',
      faultsOf({ pinWithCard: ['verve'] }),
      /^\/pinWithCard: needs \{card_pin\} in payCard/,
    ],
    [
      'a separator',
      faultsOf({ reference: { separator: 'x' } }),
      /^\/reference\/separator: must be 1 to 8 characters/,
    ],
    [
      'a kept value named like a word',
      faultsOf({}, { keep: { amount: '/a' } }),
      /^\/operations\/payCard\/keep\/amount: is a word of its own/,
    ],
    [
      'a wrong type',
      faultsOf({}, {}, { amountOptional: 'yes' }),
      /^\/answer\/amountOptional: must be of type boolean/,
    ],
    [
      'a wrong choice',
      faultsOf({}, {}, { amountUnit: 'kobo' }),
      /^\/answer\/amountUnit: must be one of major, minor/,
    ],
    ['confirmed', faultsOf({ confirmed: ['settlement'] }), /^\/confirmed\/0: must be one of payCard, /],
    [
      'a date',
      faultsOf({ settlement: { columns: { amount: 'a' }, dateFormat: 'dd/MM/YYYY' } }),
      /^\/settlement\/dateFormat: has YYYY, which is no field/,
    ],
    [
      'a zone',
      faultsOf({ settlement: [{ columns: { amount: 'a' }, zone: 'Lagos' }] }),
      /^\/settlement\/0\/zone: is no time zone/,
    ],
    [
      'no amount',
      faultsOf({ settlement: { columns: { reference: 'r' } } }),
      /^\/settlement\/columns\/amount: is missing/,
    ],
    [
      'two headers alike',
      faultsOf({ settlement: [{ columns: { amount: 'a' } }, { columns: { amount: 'a' } }] }),
      /^\/settlement\/1\/columns: are those of \/settlement\/0/,
    ],
    [
      'a column named twice',
      faultsOf({ settlement: { columns: { amount: 'a', fee: 'a' } } }),
      /^\/settlement\/columns\/fee: is the column of amount too/,
    ],
    [
      'a decline of two reasons',
      faultsOf({ declines: { askBank: ['05'], tryAgain: ['05'] } }),
      /^\/declines\/tryAgain: has "05"/,
    ],
  ])('%s', (_name, faults, expected) => {
    expect(faults.join('\n')).toMatch(expected);
    expect(faults.length).toBeLessThanOrEqual(1);
  });

  test('nothing decides', () => {
    const { faults } = readProfile(JSON.stringify({ ...good, answer: {} }));
    expect(faults.map(({ place }) => place)).toEqual([
      '/operations/payCard/answer/status',
      '/operations/payCard/answer/words',
    ]);
  });
});

test.each<[string, unknown, string]>([
  ['encryption', { scheme: 'rot13' }, '/encryption/scheme'],
  ['token', { post: '/t', value: 'no pointer', expiresIn: 1 }, '/token/value'],
  [
    'credentials',
    { own: { sign: { scheme: 'rot13', key: 'apiKey', over: '' }, x: '{signature}' } },
    '/credentials/own/sign/scheme',
  ],
  ['notification', { reference: '/r', signature: { scheme: 'rot13' } }, '/notification/signature/scheme'],
  ['settlement', 5, '/settlement'],
  ['digits', 5, '/digits'],
])('a wrong %s hides no other fault, and is told once', (name, value, place) => {
  const call = {
    post: '/p',
    headers: { a: '{token}' },
    encrypt: '{cvv}',
    body: { s: '{sealed}', r: '{nothing}' },
  };
  const whole = {
    ...{ encryption: { scheme: 'jwe' }, token: { post: '/t', value: '/t', expiresIn: 1 } },
    ...{ operations: { payCard: call }, answer: { status: '/s', words: { succeeded: ['ok'] } } },
  };
  const { faults } = readProfile(JSON.stringify({ ...whole, [name]: value }));
  expect(faults.map((fault) => fault.place)).toEqual([place, '/operations/payCard/body/r']);
});

test('what no profile can lack, malformed, hides nothing, nor does a document that is none', () => {
  const of = (document: unknown): string[] =>
    readProfile(JSON.stringify(document)).faults.map(({ place }) => place);
  expect(of({ operations: { payCard: { post: '/p', body: { r: '{nothing}' } } }, answer: 5 })).toEqual([
    '/answer',
    '/operations/payCard/body/r',
  ]);
  expect(of([])).toEqual(['']);
});

test.each([
  ['rsa-pkcs1', ['iv', 'tag']],
  ['aes-256-cbc', ['tag']],
  ['aes-256-gcm', []],
])('what %s does not make', (scheme, strange) => {
  const body = { c: '{ciphertext}', iv: '{iv}', tag: '{tag}' };
  const faults = faultsOf({ encryption: { scheme } }, { encrypt: '{cvv}', body });
  expect(faults.map((line) => line.replace(/:.*/, ''))).toEqual(
    strange.map((word) => `/operations/payCard/body/${word}`),
  );
});

test('all of them at once, of the form and beyond it', () => {
  const faults = faultsOf(
    {
      operationz: 1,
      pinWithCard: ['verve'],
      token: { post: '/t', value: '/t' },
      operations: { transactionStatus: { get: '/q', answer: { readStatuses: [401] } } },
    },
    { posst: '/x', body: { r: '{nothing}' } },
    { status: 'bad', amountUnit: 'kobo' },
  );
  expect(faults.map((line) => line.replace(/:.*/, ''))).toEqual(
    expect.arrayContaining([
      '/operationz',
      '/token/expiresIn',
      '/operations/transactionStatus',
      '/operations/transactionStatus/answer/readStatuses/0',
      '/operations/payCard/posst',
      '/operations/payCard/body/r',
      '/answer/status',
      '/answer/amountUnit',
      '/pinWithCard',
    ]),
  );
});

test('a file that is none', () => {
  expect(readProfile('{ "a": 1, }').faults[0]?.why).toMatch(/^is not JSON: line 1 column \d+$/);
  expect(readProfile('"sk_live_1').faults[0]?.why).not.toContain('sk_live');
  expect(() => loadProfile('/nowhere.json')).toThrow('GATEWAY_PROFILE cannot be read');
});

test('whatever stands in a file, it is read or refused, and no secret of it is told', () => {
  const text = readFileSync(BUILT_IN, 'utf8');
  const places = [...text.matchAll(/"[^"]*"/g)].map(({ index }) => index);
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.oneof(fc.constant('{'), fc.constant('{x}'), fc.json({ maxDepth: 2 }), fc.string()),
      (at, put) => {
        const { faults } = readProfile(text.slice(0, at + 1) + put + text.slice(at + 1));
        for (const fault of faults) expect(faultLine(fault)).toMatch(/^GATEWAY_PROFILE /);
      },
    ),
    { numRuns: 200 },
  );
});
