import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { defaultProfile } from '../profile/default-profile.js';
import {
  hasNotificationSignature,
  notificationClaim,
  notificationReference,
  verifyNotification,
} from './notification-profile.js';
import type { NotificationProfile } from '../profile/format.js';

const builtIn = defaultProfile.notification;

function referenceIn(body: string | Buffer, reference?: string[]): string | undefined {
  return notificationReference({ ...builtIn, ...(reference && { reference }) }, Buffer.from(body));
}

describe('the reference of a notification', () => {
  test.each<[string, string | undefined]>([
    ['{"client_ref":"ORDER-1001_1"}', 'ORDER-1001_1'],
    ['{"reference":"R_1"}', 'R_1'],
    ['{"data":{"client_ref":"R_1"}}', 'R_1'],
    ['{"data":{"reference":"R_1"}}', 'R_1'],
    ['{"payload":{"reference":"R_1"}}', 'R_1'],
    ['{"client_ref":"","reference":"R_1"}', 'R_1'],
    ['{"client_ref":{},"reference":"R_1"}', 'R_1'],
    ['{"client_ref":12}', '12'],
    ['\uFEFF{"client_ref":"R_1"}', 'R_1'],
    ['client_ref=R_1&status=SUCCESS', 'R_1'],
    ['status=SUCCESS&reference=R%5F1', 'R_1'],
    ['{"client_ref":"a\\u0000b"}', undefined],
    [`{"client_ref":"${'x'.repeat(256)}"}`, undefined],
    ['{}', undefined],
    ['null', undefined],
    ['', undefined],
    ['<xml>client_ref=R_1</xml>', undefined],
    ['R_1', undefined],
  ])('%s', (body, expected) => {
    expect(referenceIn(body)).toBe(expected);
  });

  test('stands where the profile says', () => {
    expect(referenceIn('{"a":{"b":["R_1"]}}', ['/a/b/0'])).toBe('R_1');
    expect(referenceIn('order_id=R_1', ['order_id'])).toBe('R_1');
    expect(referenceIn('{"order_id":"R_1"}', ['order_id'])).toBeUndefined();
  });

  test('any bytes at all are read without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void notificationReference(builtIn, bytes)),
    );
  });
});

describe('the claim of a notification', () => {
  const claimIn = (body: string, status?: string[]) =>
    notificationClaim(
      { ...defaultProfile, outcome: { ...defaultProfile.outcome, ...(status && { status }) } },
      Buffer.from(body),
    );

  test('of the built-in profile stands beside the reference', () => {
    expect(claimIn('{"client_ref":"R_1","status":"SUCCESS","amount":"1500.00"}')).toBe('succeeded');
    expect(claimIn('client_ref=R_1&status=REFUNDED')).toBe('refunded');
    // What stands where an answer has its status outranks it, listed or not.
    expect(claimIn('{"status":"success","data":{"status":"FAILED"}}')).toBe('failed');
    expect(claimIn('{"status":"success","data":{"status":"WHATEVER"}}')).toBeUndefined();
  });

  test('is read where the profile finds an answer’s status', () => {
    expect(claimIn('{"data":{"transaction":{"status":"SUCCESS"}}}')).toBe('succeeded');
    expect(claimIn('{"data":{"transaction":{"status":"Failed"}}}')).toBe('failed');
    expect(claimIn('{"state":"SUCCESS"}', ['/state'])).toBe('succeeded');
    expect(claimIn('state=FAILED&x=1', ['/state'])).toBe('failed');
  });

  test.each([
    '{"data":{"transaction":{"status":"WHATEVER"}}}',
    '{"data":{"transaction":{"status":{"a":1}}}}',
    '{"other":"SUCCESS"}',
    'null',
    '',
    '<status>SUCCESS</status>',
  ])('%s claims nothing that can be read', (body) => {
    expect(claimIn(body)).toBeUndefined();
  });

  test('is none where it contradicts itself', () => {
    expect(claimIn('{"a":"SUCCESS","b":"FAILED"}', ['/a', '/b'])).toBeUndefined();
    expect(claimIn('{"a":"SUCCESS","b":"SUCCESS"}', ['/a', '/b'])).toBe('succeeded');
  });

  test('any bytes at all are read without throwing', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => void notificationClaim(defaultProfile, bytes),
      ),
    );
  });
});

describe('the signature of a notification', () => {
  const secret = 'notification-secret';
  const body = Buffer.from('{ "client_ref": "R_1",\n"amount":1500.0 }\r\n');

  function profileOf(signature: Partial<NotificationProfile['signature']>): NotificationProfile {
    return { ...builtIn, signature: { ...builtIn.signature, ...signature } };
  }

  test('HMAC-SHA256: RFC 4231, test case 2', () => {
    const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const vector = Buffer.from('what do ya want for nothing?');
    expect(
      verifyNotification(profileOf({ scheme: 'hmac-sha256' }), 'Jefe', { 'x-signature': signature }, vector),
    ).toBe(true);
  });

  test.each([
    ['hmac-sha256', 'sha256', 'hex', ''],
    ['hmac-sha256', 'sha256', 'base64', 'sha256='],
    ['hmac-sha512', 'sha512', 'hex', 'v1='],
    ['hmac-sha512', 'sha512', 'base64', ''],
  ] as const)('%s in %s, %s with the prefix %j', (scheme, algorithm, encoding, prefix) => {
    const profile = profileOf({ scheme, encoding, prefix, header: 'X-Gateway-Signature' });
    const value = prefix + createHmac(algorithm, secret).update(body).digest(encoding);
    const check = (header: unknown, bytes = body): boolean =>
      verifyNotification(profile, secret, { 'x-gateway-signature': header as string }, bytes);
    expect(check(value)).toBe(true);
    expect(check(value, Buffer.from(body.toString().trim()))).toBe(false);
    expect(check(value.slice(0, -4))).toBe(false);
    expect(check(`${value}00`)).toBe(false);
    expect(check(prefix)).toBe(false);
    expect(check('')).toBe(false);
    expect(check(undefined)).toBe(false);
    expect(check([value, value])).toBe(false);
    expect(check(prefix + createHmac(algorithm, 'another').update(body).digest(encoding))).toBe(false);
    if (prefix !== '') expect(check(value.slice(prefix.length))).toBe(false);
  });

  test('hex digits count in either case', () => {
    const value = createHmac('sha256', secret).update(body).digest('hex').toUpperCase();
    expect(
      verifyNotification(profileOf({ scheme: 'hmac-sha256' }), secret, { 'x-signature': value }, body),
    ).toBe(true);
  });

  test('the secret itself', () => {
    const profile = profileOf({ scheme: 'header-secret', header: 'verif-hash' });
    const check = (value: string): boolean =>
      verifyNotification(profile, secret, { 'verif-hash': value }, body);
    expect(check(secret)).toBe(true);
    expect(check(`${secret}x`)).toBe(false);
    expect(check(secret.slice(1))).toBe(false);
    expect(check('')).toBe(false);
  });

  test('an empty secret proves nothing', () => {
    const value = createHmac('sha256', '').update(body).digest('hex');
    expect(verifyNotification(profileOf({ scheme: 'hmac-sha256' }), '', { 'x-signature': value }, body)).toBe(
      false,
    );
    expect(verifyNotification(profileOf({ scheme: 'header-secret' }), '', { 'x-signature': '' }, body)).toBe(
      false,
    );
  });

  test('none is signed by nobody', () => {
    expect(hasNotificationSignature(builtIn)).toBe(false);
    expect(verifyNotification(builtIn, secret, { 'x-signature': secret }, body)).toBe(false);
  });
});
