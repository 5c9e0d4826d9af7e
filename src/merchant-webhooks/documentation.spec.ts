import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '../../test/harness/tillfront.js';
import { until } from '../../test/harness/until.js';
import { makeEvent, type EventType } from './event.js';
import { signatureHeaders } from './signature.js';

const TEXT = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** The code of a kind, in order. */
function blocks(language: string): string[] {
  return [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );
}

const examples = blocks('json').map((code) => JSON.parse(code) as { type?: EventType; data?: object });

/** The compiler holds this to be all types. */
const TYPES: Record<EventType, 'payment' | 'session'> = {
  'payment.requires_action': 'payment',
  'payment.authorized': 'payment',
  'payment.succeeded': 'payment',
  'payment.failed': 'payment',
  'payment.canceled': 'payment',
  'payment.expired': 'payment',
  'payment.voided': 'payment',
  'payment.duplicate': 'payment',
  'payment.needs_attention': 'payment',
  'checkout_session.paid': 'session',
  'checkout_session.expired': 'session',
  'checkout_session.closed': 'session',
};

test.each(Object.keys(TYPES))('the documentation says what %s is, with an example', (type) => {
  expect(TEXT).toContain(`**\`${type}\`**`);
  expect(examples.some((example) => example.type === type)).toBe(true);
});

test('the documentation names no type that does not exist, and its whole event has the members of a real one', () => {
  for (const { type } of examples) if (type !== undefined) expect(Object.keys(TYPES)).toContain(type);
  const real = makeEvent({
    type: 'payment.succeeded',
    aggregateId: 'pay_1',
    sequence: 1,
    reference: 'ORDER-1',
    data: {},
    livemode: false,
    at: 0,
    deliver: true,
  });
  expect(Object.keys(examples[0] ?? {})).toEqual(Object.keys(JSON.parse(real.body) as object));
});

let child: ChildProcess | undefined;
let directory: string | undefined;

afterEach(async () => {
  child?.kill('SIGKILL');
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

test('the receiver in TypeScript takes a genuine event and refuses a forged one', async () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const [code = ''] = blocks('ts');
  directory = await mkdtemp(join(tmpdir(), 'tillfront-test-docs-'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'receiver.ts'), code);
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  const port = await freePort();
  let output = '';
  child = spawn(process.execPath, ['receiver.ts'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const event = { id: 'evt_1', body: '{"id":"evt_1","type":"payment.succeeded","data":{"city":"Ìkòyí"}}' };
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${port}/hooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signatureHeaders(event, Date.now(), [secret]) },
      body,
    }).then(
      (response) => response.status,
      () => 0,
    );
  await until(async () => (await post(event.body)) !== 0 || child?.exitCode !== null);
  expect(output).not.toContain('Error');
  expect(await post(event.body)).toBe(204);
  expect(await post(event.body.replace('evt_1', 'evt_2'))).toBe(400);
  expect(output).toContain('evt_1 payment.succeeded');
});
