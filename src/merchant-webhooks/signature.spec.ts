import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from './signature.js';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const event = { id: 'evt_1', body: '{"type":"payment.succeeded","city":"Lagos – Ìkòyí"}' };

test('a receiver with the specification’s own library accepts it', () => {
  const secret = newSecret();
  const headers = signatureHeaders(event, Date.now(), [secret]);
  expect(new Webhook(secret).verify(event.body, { ...headers })).toEqual(JSON.parse(event.body));
});

test('while secrets are exchanged, a receiver that knows either one accepts it', () => {
  const [old, fresh] = [newSecret(), newSecret()];
  const headers = { ...signatureHeaders(event, Date.now(), [fresh, old]) };
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [old, fresh])
    expect(() => new Webhook(secret).verify(event.body, headers)).not.toThrow();
});

test.each([
  [
    'another body',
    (secret: string) =>
      new Webhook(secret).verify('{}', { ...signatureHeaders(event, Date.now(), [secret]) }),
  ],
  [
    'another id',
    (secret: string) =>
      new Webhook(secret).verify(event.body, {
        ...signatureHeaders(event, Date.now(), [secret]),
        'webhook-id': 'evt_2',
      }),
  ],
  [
    'an attempt of six minutes ago',
    (secret: string) =>
      new Webhook(secret).verify(event.body, {
        ...signatureHeaders(event, Date.now() - 6 * 60_000, [secret]),
      }),
  ],
  [
    'another secret',
    (secret: string) =>
      new Webhook(newSecret()).verify(event.body, { ...signatureHeaders(event, Date.now(), [secret]) }),
  ],
])('a receiver refuses %s', (_what, verify) => {
  expect(() => verify(newSecret())).toThrow();
});

test('signs as the specification’s library does, whatever the event', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.integer({ min: 0, max: 4e12 }),
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      (body, id, at, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        expect(signatureHeaders({ id, body }, at, [secret])['webhook-signature']).toBe(
          new Webhook(secret).sign(id, new Date(at), body),
        );
      },
    ),
  );
});
