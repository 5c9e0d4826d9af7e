import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/server.ts';
import { SANDBOX_SCENARIOS } from '../../src/cli/go-live/scenarios-file.js';
import { startMisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { freePort } from '../setup/free-port.js';
import { runBuiltCli, runCli } from './run-cli.js';

interface Outcome {
  confirmed: string[];
  conclusion: { unconfirmed: { assumption: string; why: string }[] };
  tried: { scenario: string; result: string; remark?: string; paymentId?: string }[];
  notifications: { received: number } | undefined;
}

const EVERYTHING = [
  ...['validateOtp', 'transactionStatus', 'complete', 'void', 'initiateTransfer', 'transferUssdStatus'],
  ...['listUssdBanks', 'generateUssdCode', 'outcome', 'encryption', 'notification'],
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'go-live-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("against the gateway's test system", () => {
  let sandbox: Sandbox;
  let tillfront: Tillfront;
  let env: Record<string, string>;

  beforeAll(async () => {
    const port = await freePort();
    sandbox = await startTestSandbox({
      settings: { notifyUrl: `http://127.0.0.1:${port}/v1/gateway/notifications` },
    });
    tillfront = await startTillfront({ store: 'embedded', gatewayUrl: sandbox.url, port });
    env = { TILLFRONT_URL: tillfront.url, MERCHANT_API_KEY: tillfront.merchantKey };
  });
  afterAll(async () => {
    await tillfront?.stop();
    await sandbox?.close();
  });

  /** Does what the command asks a person to do: pays whatever waits, and turns down the wallet order over 1700. */
  function person(): () => void {
    const timer = setInterval(() => {
      void (async () => {
        const { data } = (await (await fetch(`${sandbox.url}/sandbox/transactions`)).json()) as {
          data: { clientRef: string; attempts: { amount: string; state: string }[] }[];
        };
        for (const { clientRef, attempts } of data) {
          const last = attempts.at(-1);
          const move = last?.amount === '1700.00' ? 'decline' : 'approve';
          if (!/^(?:redirect|pending|waiting|initial)/i.test(last?.state ?? '')) continue;
          await fetch(`${sandbox.url}/sandbox/transactions/${clientRef}/${move}`, {
            method: 'POST',
            body: '{}',
          });
        }
      })();
    }, 300);
    return () => clearInterval(timer);
  }

  test('a person and the gateway confirm everything, and the report says how', async () => {
    const leave = person();
    const report = join(folder, 'report.md');
    const finished = await runCli(['go-live', '--report', report, '--json'], env);
    leave();
    const outcome = finished.json<Outcome>();
    expect(outcome.tried.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(outcome.conclusion.unconfirmed).toEqual([]);
    expect([...outcome.confirmed].sort()).toEqual([...EVERYTHING].sort());
    expect(outcome.notifications?.received).toBeGreaterThan(5);
    expect(finished.code).toBe(0);
    expect(finished.stderr).toMatch(/Open this page and approve the payment:\n +http/);
    expect(finished.stderr).toMatch(/Transfer 1500\.00 NGN to account \d+ at /);
    expect(finished.stderr).toMatch(/Dial \*/);

    const text = await readFile(report, 'utf8');
    for (const { paymentId = '?' } of outcome.tried) expect(text).toContain(paymentId);
    expect(text).toContain('"validateOtp"');
    for (const { number } of Object.values(SANDBOX_SCENARIOS.cards)) {
      expect(text + finished.stdout + finished.stderr).not.toContain(number);
    }
    for (const secret of ['ada@example.com', tillfront.merchantKey, 'cst_', '"123456"']) {
      expect(text + finished.stdout + finished.stderr).not.toContain(secret);
    }
  }, 120_000);

  test('what nobody tried stays unconfirmed, and a card that does something else is a failure', async () => {
    const { approved, declined } = SANDBOX_SCENARIOS.cards;
    const scenarios = join(folder, 'scenarios.json');
    await writeFile(
      scenarios,
      JSON.stringify({ ...SANDBOX_SCENARIOS, cards: { approved: declined, declined: approved } }),
    );
    const report = join(folder, 'report.md');
    const { code, json } = await runCli(
      ['go-live', '--scenarios', scenarios, '--report', report, '--unattended', '--json'],
      env,
    );
    expect(code).toBe(1);
    const outcome = json<Outcome>();
    expect(Object.fromEntries(outcome.tried.map(({ scenario, result }) => [scenario, result]))).toEqual({
      'card-approved': 'failed',
      'card-declined': 'failed',
      'card-otp': 'not-run',
      'card-completed': 'not-run',
      'card-redirect': 'not-run',
      'wallet-paid': 'not-run',
      'wallet-declined': 'not-run',
      'transfer-paid': 'not-run',
      'ussd-paid': 'not-run',
    });
    expect(outcome.confirmed).toEqual(['notification']);
    const why = new Map(outcome.conclusion.unconfirmed.map((entry) => [entry.assumption, entry.why]));
    expect(why.get('encryption')).toMatch(/card-approved failed: became failed \(declined/);
    expect(why.get('validateOtp')).toMatch(/card-otp was not run: the scenarios file has nothing for it/);
  });

  test('an answer that was not understood confirms nothing, though the payment came to its end', async () => {
    const fault = { kind: 'unknown-status', operation: 'payCard', times: 1 };
    await fetch(`${sandbox.url}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
    const { code, json } = await runCli(
      ['go-live', '--report', join(folder, 'report.md'), '--unattended', '--json'],
      env,
    );
    const outcome = json<Outcome>();
    expect(code).toBe(3);
    expect(outcome.tried[0]).toMatchObject({ result: 'passed', remark: 'on the way: outcome_unknown' });
    expect(outcome.confirmed).not.toContain('encryption');
    expect(outcome.confirmed).not.toContain('outcome');
    expect(outcome.confirmed).toContain('validateOtp');
  });
});

test('real money is left alone', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const productionKeys = {
    CARD_ENCRYPTION_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    NOTIFICATION_SECRET: 'b5f0c1d7e9a2436f8c1b',
  };
  const gateway = await startMisbehavingGateway();
  const profile = join(folder, 'profile.json');
  await writeFile(profile, JSON.stringify({ confirmed: EVERYTHING }));
  const tillfront = await startTillfront({
    store: 'embedded',
    gatewayUrl: gateway.url,
    env: { ...productionKeys, GATEWAY_MODE: 'live', GATEWAY_PROFILE: profile },
  });
  try {
    const env = { TILLFRONT_URL: tillfront.url, MERCHANT_API_KEY: tillfront.merchantKey };
    const { code, json } = await runCli(['go-live', '--json'], env);
    expect([code, json()]).toEqual([4, { error: { code: 'live-mode', message: expect.any(String) } }]);
    expect(gateway.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  } finally {
    await tillfront.stop();
    await gateway.close();
  }
});

test('the example is a scenarios file, and mistakes in one are named without their values', async () => {
  const example = await runBuiltCli(['go-live', '--example']);
  expect(example.json()).toEqual(SANDBOX_SCENARIOS);
  const path = join(folder, 'scenarios.json');
  const wrong = {
    currency: 1,
    cards: { approved: { number: '5060990580000217499', cvc: '1' }, lost: {} },
    walet: {},
  };
  await writeFile(path, JSON.stringify(wrong));
  const { code, stderr } = await runCli(['go-live', '--scenarios', path]);
  expect(code).toBe(4);
  for (const place of [
    ...['/walet is an unknown key', '/amount is missing', '/payer is missing', '/currency must be string'],
    ...[
      '/cards/approved/cvc is an unknown key',
      '/cards/approved/expiryYear is missing',
      '/cards/lost is an unknown key',
    ],
  ]) {
    expect(stderr).toContain(place);
  }
  expect(stderr).not.toContain('50609905');
});
