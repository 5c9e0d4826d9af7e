import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'undici';
import { answer, approved, otpRequired, walletStarted } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { faultsOf } from './fuzz/oracle.js';
import { endpointCount, fuzzRequest, type FuzzRequest, type Known } from './fuzz/requests.js';

/** A long run sets these: `npm run fuzz -- --cases 100000 --seed 1`. */
const CASES = Number(process.env['FUZZ_CASES'] ?? 3_000);
const SEED = process.env['FUZZ_SEED'] === undefined ? undefined : Number(process.env['FUZZ_SEED']);

/** So many requests are under way at once. */
const AT_ONCE = 25;

let scene: Scene;
let pool: Pool;
let known: Known;

beforeAll(async () => {
  scene = await startScene('embedded', {
    LOG_LEVEL: 'warn',
    MAX_DECLINES_PER_SESSION: '1000',
    MAX_PAYMENTS_PER_SESSION: '0',
  });
  pool = new Pool(scene.tillfront.url, { connections: AT_ONCE });
  const { gateway, client, tillfront } = scene;
  gateway.script('POST /init-partner', walletStarted());
  gateway.script('GET /ussd/banks', answer({ error: false, data: [{ code: '058', name: 'Bank' }] }));
  for (const route of [
    'POST /payment/transfer',
    'POST /ussd/code',
    'POST /payment/validate-otp',
    'POST /payment/completion',
    'POST /payment/void',
  ]) {
    gateway.script(route, answer(approved));
  }
  const sessions = [];
  const payments: string[] = [];
  for (let index = 0; index < 40; index++) {
    const session = await client.createSession();
    sessions.push(session);
    gateway.script('POST /payment/card', answer(index % 2 === 0 ? otpRequired : approved));
    if (index % 4 < 2) payments.push((await client.payCard(session)).body.id);
  }
  const returns = gateway.requests.flatMap(({ text }) => /\/return\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? []);
  known = {
    tokens: sessions.map(({ clientToken }) => clientToken),
    merchantKey: tillfront.merchantKey,
    readKey: tillfront.merchantReadKey,
    sessions: sessions.map(({ id }) => id),
    payments,
    returns,
  };
});
afterAll(async () => {
  await pool.destroy();
  await scene.stop();
});

async function faults(request: FuzzRequest): Promise<string[]> {
  const { method, path, headers, body } = request;
  const answered = await pool.request({
    method,
    path,
    headers,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });
  const text = await answered.body.text();
  return faultsOf(request, { status: answered.statusCode, headers: answered.headers, text });
}

test(
  'no request, however strange, gets anything but what the API promises',
  async () => {
    expect(endpointCount).toBeGreaterThan(30);
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fuzzRequest(known), { minLength: 1, maxLength: AT_ONCE, size: 'max' }),
        async (requests) => {
          cases += requests.length;
          const found = await Promise.all(requests.map(faults));
          const faulty = requests.flatMap((request, index) => {
            const faulted = found[index] ?? [];
            return faulted.length === 0
              ? []
              : [{ ...request, body: request.body.toString('latin1').slice(0, 300), faults: faulted }];
          });
          expect(faulty).toEqual([]);
        },
      ),
      {
        numRuns: Math.ceil(CASES / (AT_ONCE / 2)),
        ...(SEED === undefined ? {} : { seed: SEED }),
        endOnFailure: true,
        interruptAfterTimeLimit: 24 * 3_600_000,
      },
    );
    expect(cases).toBeGreaterThan(CASES * 0.7);
    // Whatever went wrong unseen would be in the log.
    expect(scene.tillfront.logs()).not.toMatch(
      /failed unexpectedly|unhandled|uncaught|"level":"(?:error|fatal)"/i,
    );
    expect((await pool.request({ method: 'GET', path: '/health/ready' })).statusCode).toBe(200);
    if (process.env['FUZZ_CASES'] !== undefined)
      process.stdout.write(`${cases} cases, ${endpointCount} endpoints\n`);
  },
  Math.max(120_000, CASES * 20),
);
