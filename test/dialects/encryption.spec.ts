import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { startSandbox } from '../../sandbox/server.ts';
import { Gateway } from '../../src/gateway/gateway.js';
import { BUILT_IN, parseProfile } from '../../src/gateway/profile/load.js';
import { Secret } from '../../src/secrets/secret.js';

/** The built-in card call, encrypted in each way that the sandbox can be told to want. It refuses a card in plain text. */
const builtIn = JSON.parse(readFileSync(BUILT_IN, 'utf8')) as { operations: { payCard: { body: object } } };
const sample = builtIn.operations.payCard.body;

test.each([
  ['3des-ecb', { scheme: '3des-ecb' }, { client: '{ciphertext}' }],
  ['aes-256-cbc', { scheme: 'aes-256-cbc', encoding: 'hex' }, { data: '{ciphertext}', iv: '{iv}' }],
  ['aes-256-gcm', { scheme: 'aes-256-gcm', encoding: 'hex' }, { charge_data: '{iv}:{ciphertext}:{tag}' }],
  ['rsa-oaep-256', { scheme: 'rsa-oaep-256' }, { data: '{ciphertext}' }],
  ['rsa-pkcs1', { scheme: 'rsa-pkcs1' }, { data: '{ciphertext}' }],
  ['jwe', { scheme: 'jwe', keyId: 'k1' }, { data: '{ciphertext}' }],
  ['gateway-endpoint', undefined, { charge_data: '{sealedCard}' }],
] as const)('%s', async (scheme, encryption, body) => {
  const sandbox = await startSandbox({ port: 0, encryption: scheme });
  // Where the gateway encrypts, a call before the payment gives what the payment carries.
  const atGateway = {
    before: { post: '/payment/encrypt', body: sample, keep: { sealedCard: '/charge_data' } },
    body,
  };
  const payCard = { post: '/payment/card', ...(encryption ? { encrypt: sample, body } : atGateway) };
  const profile = {
    ...builtIn,
    ...(encryption && { encryption }),
    operations: { ...builtIn.operations, payCard },
  };
  const gateway = new Gateway(parseProfile(JSON.stringify(profile)), {
    ...{ baseUrl: sandbox.url, apiKey: new Secret('sandbox-key'), accessToken: new Secret('sandbox-token') },
    ...(sandbox.encryptionKey !== '' && { encryptionKey: new Secret(sandbox.encryptionKey) }),
    ...{ timeoutMs: 5_000, mode: 'test', notifyUrl: '', notificationSecrets: [] },
  });
  const { fact } = await gateway.call('payCard', {
    ...{ clientRef: 'ORDER-1_1', amount: 150000n, currency: 'NGN', returnUrl: 'http://127.0.0.1/back' },
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
    billing: { street: '1 Marina', city: 'Lagos', country: 'NGA' },
    card: {
      number: new Secret('4111111111111111'),
      expiryMonth: '12',
      expiryYear: '2031',
      cvv: new Secret('111'),
      nameOnCard: new Secret('Ada Obi'),
    },
    device: {
      javaEnabled: false,
      language: 'en',
      screenHeight: 1,
      screenWidth: 1,
      colorDepth: 24,
      timeZone: 'Africa/Lagos',
      userAgent: 'x',
    },
  });
  const problems = sandbox.recorder
    .list()
    .flatMap(({ problems: some, unexpected }) => [...some, ...unexpected]);
  await Promise.all([gateway.close(), sandbox.close()]);
  expect({ fact, problems }).toMatchObject({ fact: { is: 'paid', amount: 150000n }, problems: [] });
});
