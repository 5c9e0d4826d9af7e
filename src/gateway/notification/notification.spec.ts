import { describe, expect, test } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { Secret } from '../../secrets/secret.js';
import { loadProfile, parseProfile } from '../profile/load.js';
import { compileNotifications, type Notification } from './notification.js';

const SECRET = 'notification-secret';
const NEXT = 'the-next-secret';

interface Came {
  readonly body?: string | Buffer;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

/** Reads a notification by a profile's `notification`; without one by the built-in profile. */
function read(notification: object | undefined, { body = '', ...rest }: Came): Notification {
  const profile = notification
    ? parseProfile(
        JSON.stringify({
          operations: { void: { post: '/v/{client_ref}' } },
          answer: { status: '/status', words: { succeeded: ['paid'], failed: ['no'] } },
          notification,
        }),
      )
    : loadProfile();
  return compileNotifications(profile, [new Secret(NEXT), new Secret(SECRET)])({
    headers: {},
    body: Buffer.from(body),
    ...rest,
  });
}

const hmac = (algorithm: string, over: string | Buffer, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac(algorithm, SECRET).update(over).digest(encoding);

describe('what it names', () => {
  test.each<[string, Came, object]>([
    ['JSON', { body: '{"client_ref":"O_1","status":"SUCCESS"}' }, { reference: 'O_1', claim: 'succeeded' }],
    [
      'deeper in JSON',
      { body: '{"data":{"reference":" O_1 ","transactionRef":"T1"}}' },
      { reference: 'O_1', transactionRef: 'T1' },
    ],
    ['only the transaction', { body: '{"transactionRef":"T1"}' }, { transactionRef: 'T1' }],
    [
      'after a byte order mark, with raw line breaks',
      { body: '\uFEFF{"client_ref":"O_1","x":"a\nb"}' },
      { reference: 'O_1' },
    ],
    [
      'a form',
      { body: 'client_ref=O_1&status=FAILED', headers: { 'content-type': 'application/json' } },
      { reference: 'O_1', claim: 'failed' },
    ],
    ['a query', { query: 'client_ref=O%5F1&reference=other' }, { reference: 'O_1' }],
    [
      'XML',
      {
        body: '<?xml version="1.0"?>\n<n><a x="1"><ns:client_ref>O_1</ns:client_ref></a><status><![CDATA[ SUCCESS ]]></status></n>',
      },
      { reference: 'O_1', claim: 'succeeded' },
    ],
    [
      'multipart',
      {
        body: '--b\r\nContent-Disposition: form-data; name="client_ref"\r\n\r\nO_1\r\n--b--\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
      { reference: 'O_1' },
    ],
    [
      'two things at once',
      { body: '{"client_ref":"O_1","status":"SUCCESS","data":{"status":"FAILED"}}' },
      { reference: 'O_1' },
    ],
    ['a word that nothing lists', { body: '{"client_ref":"O_1","status":"NEW"}' }, { reference: 'O_1' }],
  ])('%s', (_name, came, expected) => {
    expect(read(undefined, came).named).toEqual([{ ...expected, kept: {} }]);
  });

  test.each(['', 'no content', '[1,2', '"text"', '<', '{"client_ref":"'])('%j names nothing', (body) => {
    expect(
      read(undefined, { body }).named.filter(({ reference, transactionRef }) => reference ?? transactionRef),
    ).toEqual([]);
  });

  test('several payments, each with what is kept of it', () => {
    const body = JSON.stringify({
      list: [
        { r: 'O_1', k: 1 },
        { r: 'O_2', k: 'two' },
      ],
    });
    const { named } = read(
      { items: ['/payments', '/list'], reference: '/r', keep: { mine: ['/own', '/k'] } },
      { body },
    );
    expect(named).toEqual([
      { reference: 'O_1', kept: { mine: '1' } },
      { reference: 'O_2', kept: { mine: 'two' } },
    ]);
  });

  test('a field of a form that is JSON', () => {
    expect(
      read({ reference: '/payload/ref' }, { body: 'payload=%7B%22ref%22%3A%22O_1%22%7D' }).named[0]
        ?.reference,
    ).toBe('O_1');
  });

  test('a long text of brackets takes no time', () => {
    const begun = process.cpuUsage();
    for (const sign of ['<a ', '<a>', '&', '--b', '='])
      read(undefined, { body: `<${sign.repeat(80_000)}`, headers: { 'content-type': 'x; boundary=b' } });
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(2_000);
  });
});

describe('whether it is signed', () => {
  const body = '{"ref":"O_1","amount":1500.00,"data":{ "a" : 1 }}';
  const signed = (signature: object, came: Came): boolean | undefined =>
    read({ reference: '/ref', signature }, came).isSigned;

  test('by no rule of the profile', () => {
    expect(read(undefined, { body }).isSigned).toBeUndefined();
  });

  test.each<[string, object, Came]>([
    [
      'the secret itself',
      { scheme: 'header-secret', header: 'Verif-Hash' },
      { body, headers: { 'verif-hash': SECRET } },
    ],
    [
      'with a prefix',
      { scheme: 'header-secret', header: 'authorization', prefix: 'Bearer ' },
      { body, headers: { authorization: `Bearer ${SECRET}` } },
    ],
    [
      'HMAC of the body',
      { scheme: 'hmac-sha512', header: 'x-s' },
      { body, headers: { 'x-s': hmac('sha512', body).toUpperCase() } },
    ],
    [
      'in base64',
      { scheme: 'hmac-sha256', header: 'x-s', encoding: 'base64' },
      { body, headers: { 'x-s': hmac('sha256', body, 'base64') } },
    ],
    [
      'of a query',
      { scheme: 'hmac-sha256', header: 'x-s' },
      { query: 'ref=1', headers: { 'x-s': hmac('sha256', 'ref=1') } },
    ],
    [
      'of a member as it came',
      { scheme: 'hmac-sha256', header: 'x-s', over: ['/payload', '/data'] },
      { body, headers: { 'x-s': hmac('sha256', '{ "a" : 1 }') } },
    ],
    [
      'of a text, in the body',
      { scheme: 'hmac-sha3-512', at: '/sig', over: '{/ref}|{/amount}|{/ok?t:f}' },
      { body: `{"ref":"O_1","amount":1500.00,"ok":false,"sig":"${hmac('sha3-512', 'O_1|1500.00|f')}"}` },
    ],
    [
      'a hash with the secret in it',
      { scheme: 'sha512', at: ['/signature', '/sig'], over: '{/ref}{secret}' },
      { query: `ref=O_1&sig=${createHash('sha512').update(`O_1${SECRET}`).digest('hex')}` },
    ],
    [
      'of a form over Windows-1252 bytes',
      { scheme: 'hmac-sha256', at: '/sig', over: '{/name}' },
      {
        body: Buffer.from(
          `ref=1&name=Se%F1or+%80&sig=${hmac('sha256', Buffer.from('Se\u00f1or \u0080', 'latin1'))}`,
        ),
      },
    ],
    [
      'where a key stands twice, of the last',
      { scheme: 'hmac-sha256', header: 'x-s', over: '/data' },
      { body: '{"data":{"a":1},"data":{ "b":2}}', headers: { 'x-s': hmac('sha256', '{ "b":2}') } },
    ],
  ])('%s', (_name, signature, came) => {
    expect(signed(signature, came)).toBe(true);
    expect(
      signed(signature, {
        ...came,
        headers: { ...came.headers, 'x-s': 'wrong', 'verif-hash': 'wrong', authorization: SECRET },
        body: String(came.body ?? '')
          .replace('"sig":"', '"sig":"0')
          .replace('sig=', 'sig=0'),
        ...(came.query !== undefined && { query: came.query.replace('sig=', 'sig=0') }),
      }),
    ).toBe(false);
    expect(signed(signature, { body: '{}' })).toBe(false);
  });

  test('a form in Windows-1252 is read, too', () => {
    expect(read({ reference: '/name' }, { body: 'name=Se%F1or' }).named[0]?.reference).toBe('Señor');
  });

  test('one secret is enough while they rotate', () => {
    expect(signed({ scheme: 'header-secret', header: 'h' }, { body, headers: { h: NEXT } })).toBe(true);
  });

  test('of several payments each must be', () => {
    const signature = { scheme: 'hmac-sha256', at: '/sig', over: '{/ref}' };
    const entry = (ref: string, sig = hmac('sha256', ref)): object => ({ ref, sig });
    const of = (...list: object[]): boolean | undefined =>
      read({ items: '/list', reference: '/ref', signature }, { body: JSON.stringify({ list }) }).isSigned;
    expect([of(entry('a'), entry('b')), of(entry('a'), entry('b', 'x')), of()]).toEqual([true, false, false]);
  });
});

test('what the gateway is answered', () => {
  expect(read({ reference: '/a' }, {}).answer).toEqual({ status: 200 });
  const answer = { status: 202, body: { seen: '{/ref}', n: '{/n}', t: 'id {/n}', ok: true, none: ['{/x}'] } };
  expect(read({ reference: '/ref', answer }, { body: '{"ref":"O_1","n":7}' }).answer).toEqual({
    status: 202,
    body: { seen: 'O_1', n: 7, t: 'id 7', ok: true, none: [''] },
  });
});
