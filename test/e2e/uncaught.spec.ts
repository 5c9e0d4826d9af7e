import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { answer, approved } from '../harness/gateway-answers.js';
import { startScene, type Scene } from '../harness/scene.js';
import { until } from '../harness/until.js';

/** An error that nothing caught ends the process in order. */

const preload = pathToFileURL(join(import.meta.dirname, '../harness/uncaught-error.mjs')).href;

async function startWith(env: Record<string, string>): Promise<Scene> {
  return startScene('embedded', { NODE_OPTIONS: `--import=${preload}`, ...env });
}

const lines = ({ tillfront }: Scene): Record<string, unknown>[] =>
  tillfront
    .logs()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test.each([
  ['thrown', { code: 'E_CARELESS', type: 'Error' }],
  ['rejected', { code: 'E_CARELESS', type: 'Error' }],
  ['text', { type: 'string' }],
])(
  'one that is %s: one line, what is in flight is finished, exit code 1',
  async (how, expected) => {
    const scene = await startWith({ UNCAUGHT: how });
    let letAnswer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (letAnswer = resolve));
    scene.gateway.script('POST /payment/card', async () => {
      await mayAnswer;
      return answer(approved);
    });
    const session = await scene.client.createSession();
    const paying = scene.client.payCard(session);
    await until(() => scene.gateway.requestsTo('POST /payment/card').length === 1);
    process.kill(scene.tillfront.pid, 'SIGUSR2');
    await until(async () => {
      const ready = await fetch(`${scene.tillfront.url}/health/ready`).catch(() => undefined);
      return ready === undefined || ready.status === 503;
    });
    letAnswer();
    const paid = await paying;
    expect([paid.status, paid.body.status]).toEqual([201, 'succeeded']);
    expect(await scene.tillfront.exited).toEqual({ code: 1, signal: null });
    const fatal = lines(scene).filter(({ level }) => level === 'fatal');
    expect(fatal).toEqual([
      expect.objectContaining({
        event: 'process.uncaught',
        error: expect.objectContaining(expected) as unknown,
      }),
    ]);
    expect(scene.tillfront.logs()).not.toMatch(/4111\D*1111/);
    await scene.stop();
  },
  120_000,
);

test('the end of the thread that writes the embedded store ends the process: one line, exit code 1', async () => {
  const scene = await startWith({ UNCAUGHT: 'thread' });
  await scene.client.createSession();
  process.kill(scene.tillfront.pid, 'SIGUSR2');
  expect(await scene.tillfront.exited).toEqual({ code: 1, signal: null });
  expect(lines(scene).filter(({ level }) => level === 'fatal')).toEqual([
    expect.objectContaining({
      event: 'process.uncaught',
      error: expect.objectContaining({ type: 'Error' }) as unknown,
    }),
  ]);
  await scene.stop();
}, 120_000);

test('what is in flight gets no more than the grace period', async () => {
  const scene = await startWith({ SHUTDOWN_GRACE_MS: '500' });
  scene.gateway.script('POST /payment/card', () => new Promise(() => undefined));
  const paying = scene.client.payCard(await scene.client.createSession()).catch(() => undefined);
  await until(() => scene.gateway.requestsTo('POST /payment/card').length === 1);
  process.kill(scene.tillfront.pid, 'SIGUSR2');
  expect(await scene.tillfront.exited).toEqual({ code: 1, signal: null });
  await paying;
  await scene.stop();
}, 120_000);
