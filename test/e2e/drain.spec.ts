import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { expectStatus } from '../harness/client.js';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';

/** `SHUTDOWN_DRAIN_MS`: between SIGTERM and the end of the port everything is served. */

const uncaught = pathToFileURL(join(import.meta.dirname, '../harness/uncaught-error.mjs')).href;

let scene: Scene;
afterEach(() => scene.stop());

const readiness = () => fetch(`${scene.tillfront.url}/health/ready`);

async function signalled(): Promise<void> {
  process.kill(scene.tillfront.pid, 'SIGTERM');
  await until(async () => (await readiness()).status === 503);
}

test('it is not ready and serves everything, also after a second SIGTERM, until an error that nothing caught ends it', async () => {
  scene = await startScene('embedded', {
    NODE_OPTIONS: `--import=${uncaught}`,
    // It would outlast the test.
    SHUTDOWN_DRAIN_MS: '3600000',
  });
  scene.gateway.script('POST /payment/card', answer(approved), answer(approved));
  const before = await scene.client.createSession();
  await signalled();
  expect(await (await readiness()).json()).toEqual({ status: 'not-ready', reason: 'stopping' });
  const paid = expectStatus(await scene.client.payCard(before), 201);
  expect(paid.headers.get('connection')).toBe('close');
  process.kill(scene.tillfront.pid, 'SIGTERM');
  process.kill(scene.tillfront.pid, 'SIGTERM');
  const after = await scene.client.createSession();
  expectStatus(await scene.client.payCard(after), 201);
  process.kill(scene.tillfront.pid, 'SIGUSR2');
  expect(await scene.tillfront.exited).toEqual({ code: 1, signal: null });
});

test('a call that waits is answered when the drain is over, and the process ends with 0', async () => {
  const drainMs = 5_000;
  scene = await startScene('embedded', { SHUTDOWN_DRAIN_MS: String(drainMs) });
  const session = await scene.client.createSession();
  const { id } = expectStatus(await scene.client.payWallet(session), 202).body;
  const begun = performance.now();
  await signalled();
  const waited = await scene.client.get(`/v1/payments/${id}?wait=30`, { token: session.clientToken });
  expect(waited.status).toBe(200);
  expect(await scene.tillfront.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeGreaterThanOrEqual(drainMs);
});
