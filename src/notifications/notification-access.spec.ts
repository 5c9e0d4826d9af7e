import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { NotificationProfile } from '../gateway/profile/format.js';
import { Secret } from '../secrets/secret.js';
import { accessOf, type NotificationAccess } from './notification-access.js';

const secret = 'a-secret-of-the-notifications';
const body = Buffer.from('{"client_ref":"A_1"}');
const unsigned: NotificationProfile = {
  reference: ['/client_ref'],
  signature: { scheme: 'none', header: 'x-signature', encoding: 'hex', prefix: '' },
};
const signed: NotificationProfile = {
  ...unsigned,
  signature: { ...unsigned.signature, scheme: 'hmac-sha256' },
};
const signature = createHmac('sha256', secret).update(body).digest('hex');

interface Case {
  profile?: NotificationProfile;
  secret?: string;
  needed?: boolean;
  headers?: Record<string, string>;
  path?: string;
}

test.each<[string, Case, NotificationAccess]>([
  ['no secret, none needed', {}, 'anonymous'],
  ['no secret, none needed, one sent all the same', { path: secret }, 'anonymous'],
  ['no secret where money is real', { needed: true }, 'refused'],
  [
    'no secret where money is real, one sent',
    { needed: true, headers: { authorization: `Bearer ${secret}` } },
    'refused',
  ],
  ['a signature without its key', { profile: signed, headers: { 'x-signature': signature } }, 'refused'],
  ['a secret, none sent', { secret }, 'refused'],
  ['as a bearer token', { secret, headers: { authorization: `Bearer ${secret}` } }, 'authenticated'],
  [
    'as a bearer token in small letters',
    { secret, headers: { authorization: `bearer ${secret}` } },
    'authenticated',
  ],
  ['as a basic one', { secret, headers: { authorization: `Basic ${secret}` } }, 'refused'],
  ['in its header', { secret, headers: { 'x-notification-secret': secret } }, 'authenticated'],
  [
    'in its header, wrong, and in the address, right',
    { secret, headers: { 'x-notification-secret': 'x' }, path: secret },
    'authenticated',
  ],
  ['in the address', { secret, needed: true, path: secret }, 'authenticated'],
  ['an empty one', { secret, path: '', headers: { 'x-notification-secret': '' } }, 'refused'],
  ['signed', { profile: signed, secret, headers: { 'x-signature': signature } }, 'authenticated'],
  ['signed wrongly, with the secret in the address', { profile: signed, secret, path: secret }, 'refused'],
])('%s', (_, { profile = unsigned, needed = false, headers = {}, path, ...rest }, access) => {
  const presented = { headers, pathSecret: path, body };
  expect(
    accessOf(
      profile,
      { secrets: rest.secret === undefined ? undefined : new Secret([rest.secret]), needed },
      presented,
    ),
  ).toBe(access);
});
