import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import { defaultProfile } from '../profile/default-profile.js';
import type { NotificationProfile } from '../profile/format.js';
import { notificationAnswer, notificationKept } from './notification-profile.js';
import { verifyNotification } from './notification-signature.js';

const SECRET = 'notification-secret';

function profileWith(over: Partial<NotificationProfile>, signature: object = {}): NotificationProfile {
  const { notification } = defaultProfile;
  return { ...notification, ...over, signature: { ...notification.signature, ...signature } };
}

function isSigned(signature: object, body: string, headers: Record<string, string> = {}): boolean {
  return verifyNotification(profileWith({}, signature), SECRET, headers, Buffer.from(body));
}

function hmac(algorithm: string, text: string): string {
  return createHmac(algorithm, SECRET).update(text).digest('hex');
}

describe('a signature over a part', () => {
  // As it came: its own blanks, its own digits, its own order.
  const data = '{ "amount": 1500.00,\n  "b": [1.0, "é\\u0301"], "a": null }';
  const body = `{"event":"charge","data":${data},"n":7.10,"t":"text\\n","y":true}`;

  test.each([
    ['/data', data],
    ['/data/amount', '1500.00'],
    ['/data/b', '[1.0, "é\\u0301"]'],
    ['/data/b/0', '1.0'],
    ['/n', '7.10'],
    ['/t', 'text\n'],
    ['/y', 'true'],
  ])('%s is over its text as it came', (over, text) => {
    const signature = { scheme: 'hmac-sha512', over };
    expect(isSigned(signature, body, { 'x-signature': hmac('sha512', text) })).toBe(true);
    expect(isSigned(signature, body, { 'x-signature': hmac('sha512', `${text} `) })).toBe(false);
  });

  test('is none where the part is missing, or stands there twice', () => {
    const signature = { scheme: 'hmac-sha256', over: '/data' };
    expect(isSigned(signature, '{}', { 'x-signature': hmac('sha256', '') })).toBe(false);
    const twice = '{"data":{"a":1},"data":{"a":2}}';
    for (const part of ['{"a":1}', '{"a":2}']) {
      expect(isSigned(signature, twice, { 'x-signature': hmac('sha256', part) })).toBe(false);
    }
  });

  test('of any JSON is over what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.object(), fc.string(), (value, key) => {
        const text = JSON.stringify(value);
        const sent = JSON.stringify({ [`x${key}`]: 1, data: value, z: [{}] });
        expect(
          isSigned({ scheme: 'hmac-sha256', over: '/data' }, sent, { 'x-signature': hmac('sha256', text) }),
        ).toBe(true);
      }),
    );
  });
});

describe('a signature in the body', () => {
  test('is a hash of values and the secret, as Midtrans makes it', () => {
    const digest = createHash('sha512').update(`R_120010000.00${SECRET}`).digest('hex');
    const signature = {
      scheme: 'sha512',
      at: '/signature_key',
      over: '{/order_id}{/status_code}{/gross_amount}{secret}',
    };
    const body = { order_id: 'R_1', status_code: '200', gross_amount: '10000.00', signature_key: digest };
    expect(isSigned(signature, JSON.stringify(body))).toBe(true);
    expect(isSigned(signature, JSON.stringify({ ...body, gross_amount: '1.00' }))).toBe(false);
  });

  test('is an HMAC-SHA3 over a fixed text, as OPay makes it', () => {
    const over = '{{Amount:"{/payload/amount}",Refunded:{/payload/refunded?t:f},Status:"{/payload/status}"}';
    const signature = { scheme: 'hmac-sha3-512', at: '/sha512', over };
    const text = '{Amount:"1500",Refunded:f,Status:"SUCCESS"}';
    const payload = { amount: '1500', refunded: false, status: 'SUCCESS' };
    const body = JSON.stringify({ payload, sha512: hmac('sha3-512', text), type: 'transaction-status' });
    expect(isSigned(signature, body)).toBe(true);
    expect(isSigned(signature, body.replace('false', 'true'))).toBe(false);
  });

  test('may be the secret itself, or stand in a query', () => {
    expect(isSigned({ scheme: 'header-secret', at: '/token' }, `{"token":"${SECRET}"}`)).toBe(true);
    expect(isSigned({ scheme: 'header-secret', at: '/token' }, '{"token":"other"}')).toBe(false);
    const digest = createHash('sha512').update(`R_1${SECRET}`).digest('base64');
    const signature = { scheme: 'sha512', at: '/sig', over: '{/id}{secret}', encoding: 'base64' };
    expect(isSigned(signature, new URLSearchParams({ id: 'R_1', sig: digest }).toString())).toBe(true);
  });

  test('is never thrown at by any body', () => {
    const signature = { scheme: 'hmac-sha256', at: '/a/0', over: '/b/c' };
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect(isSigned(signature, body)).toBe(false);
      }),
    );
  });
});

describe('a notification', () => {
  test('is answered with what came', () => {
    const profile = profileWith({
      answer: { status: 202, body: { id: '{/OrderTrackingId}', ok: 200, list: ['{/none}x'] } },
    });
    const answer = notificationAnswer(profile, Buffer.from('OrderTrackingId=a%22b&x=1'));
    expect(answer).toEqual({ status: 202, body: { id: 'a"b', ok: 200, list: ['x'] } });
    expect(notificationAnswer(profileWith({}), Buffer.from('{}'))).toBeUndefined();
  });

  test('gives what is kept of it, cleaned like an answer', () => {
    const keep = { tokenId: '/card/token', order: '/order' };
    const kept = (body: object): object =>
      notificationKept(profileWith({ keep }), Buffer.from(JSON.stringify(body)));
    expect(kept({ card: { token: 'tk' }, order: 'x'.repeat(513) })).toEqual({ tokenId: 'tk' });
    expect(kept({ card: { token: 'a\u0000b' }, order: 7 })).toEqual({ order: '7' });
  });
});
