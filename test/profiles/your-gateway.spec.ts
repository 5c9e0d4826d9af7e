import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { startSandbox } from '../../sandbox/server.ts';
import { Gateway } from '../../src/gateway/gateway.js';
import { parseProfile } from '../../src/gateway/profile/load.js';
import { checkProfile, reportLines } from '../../src/gateway/profile/report.js';
import { triedLines, tryProfile } from '../../src/gateway/profile/try.js';
import { Secret } from '../../src/secrets/secret.js';

/** The page "Your gateway", followed to the letter: its pieces make a profile that has no faults, and its exchanges are as expected. */
const blocks = [...readFileSync('docs/your-gateway.md', 'utf8').matchAll(/```json\n([^]*?)```/g)].map(
  ([, text = '']) => text,
);
const [file = '', answer = '', status = '', otp = '', notification = '', exchanges = '', confirmed = ''] =
  blocks;
const part = (text: string): Record<string, unknown> => JSON.parse(`{${text}}`) as Record<string, unknown>;
const written = JSON.parse(file) as { operations: object };
const profile = JSON.stringify({
  ...written,
  operations: { ...written.operations, ...part(status), ...part(otp) },
  ...{ ...part(answer), ...part(notification), ...part(confirmed) },
});

test('its pieces are a profile', async () => {
  const report = await checkProfile(profile);
  expect(report.faults).toEqual([]);
  expect(reportLines(report)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^card asks for number, cvv, expiryMonth, expiryYear, nameOnCard, email, phone, firstName, lastName \(optional\), billing street,/,
      ),
      '  GET /transaction/ORDER-1001_1',
      'Everything is confirmed.',
    ]),
  );
  expect(reportLines(report).join('\n')).toContain('"cardNumber":"<cardNumber>"');
});

test('its exchanges are as expected', async () => {
  const tried = await tryProfile(profile, exchanges);
  if (typeof tried === 'string') throw new Error(tried);
  expect(tried.map(({ asExpected, meaning }) => [asExpected, meaning])).toEqual([
    [true, 'succeeded'],
    [true, 'refused'],
    [true, 'unknownTransaction'],
  ]);
  expect(tried.flatMap(triedLines)).toEqual(
    expect.arrayContaining([
      '  /data/transaction/status is "SUCCESS": succeeded',
      '  /data/errorCode is "NOT_FOUND": unknownTransaction',
    ]),
  );
});

test('it pays in the sandbox', async () => {
  const sandbox = await startSandbox({ port: 0 });
  const gateway = new Gateway(parseProfile(profile), {
    ...{ baseUrl: sandbox.url, apiKey: new Secret('sandbox-key'), accessToken: new Secret('sandbox-token') },
    ...{ timeoutMs: 5_000, mode: 'test', notifyUrl: '', notificationSecrets: [] },
  });
  const facts = {
    ...{ clientRef: 'ORDER-1_1', amount: 150000n, currency: 'NGN', returnUrl: 'http://127.0.0.1/back' },
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada' },
    billing: { street: '1 Marina', city: 'Lagos', country: 'NGA' },
    card: {
      number: new Secret('4000000000000705'),
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
  };
  const { fact } = await gateway.call('payCard', facts);
  const later = { ...facts, transactionRef: fact.transactionRef ?? '', otp: new Secret('123456') };
  const { fact: after } = await gateway.call('validateOtp', later);
  const { fact: found } = await gateway.call('transactionStatus', later);
  await Promise.all([gateway.close(), sandbox.close()]);
  expect([fact.is, after.is, found.is]).toEqual(['waiting', 'paid', 'paid']);
});

test('what differs is said, and what cannot be tried, too', async () => {
  const differing = await tryProfile(
    profile,
    JSON.stringify([{ operation: 'payCard', body: {}, expect: 'succeeded' }]),
  );
  expect(typeof differing === 'string' ? differing : differing.flatMap(triedLines).at(-1)).toBe(
    '  EXPECTED succeeded',
  );
  expect(await tryProfile(profile, '[{ "operation": "refund", "body": {} }]')).toBe(
    'The profile has no operation refund.',
  );
  expect(await tryProfile(profile, '[')).toBe('The exchanges are not JSON.');
  expect(await tryProfile('{}', '[]')).toMatch(/^GATEWAY_PROFILE \/operations: is missing/);
  expect(reportLines(await checkProfile('{'))).toEqual([
    expect.stringMatching(/^GATEWAY_PROFILE is not JSON/),
  ]);
});
