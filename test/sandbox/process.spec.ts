import { afterEach, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cardBody, type Json } from './sandbox-client.js';

const CREDENTIALS = {
  'x-api-key': 'sandbox-key',
  'access-token': 'sandbox-token',
  'content-type': 'application/json',
};
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const run = (variables: Record<string, string>) => {
  const child = spawn(process.execPath, ['sandbox/main.ts'], {
    env: { PATH: process.env.PATH ?? '', ...variables },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // "close", not "exit": by then all output has been read.
  const exit = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  // With what stands behind it, because a line may come in pieces.
  return { child, exit, url: () => /http:\S+(?=\s)/.exec(output)?.[0] };
};

const started = async (variables: Record<string, string>) => {
  const process = run({ SANDBOX_PORT: '0', ...variables });
  for (let waited = 0; waited < 1_200; waited += 1) {
    const url = process.url();
    if (url !== undefined) return { ...process, url };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the sandbox never said where it is');
};

describe('a wrong variable stops the start with its name and without its value', () => {
  test.each([
    ['SANDBOX_PORT', '65536'],
    ['SANDBOX_PORT', 'abc'],
    ['SANDBOX_API_KEY', ''],
    ['SANDBOX_NOTIFY_URL', 'ftp://secret.example'],
    ['SANDBOX_PUBLIC_URL', 'sandbox'],
    ['SANDBOX_DIALECT', 'fourth'],
    ['SANDBOX_ENCRYPTION', 'rot13'],
    ['SANDBOX_PROT', '4010'],
  ])('%s=%s', async (variable, value) => {
    const { code, output } = await run({ SANDBOX_PORT: '0', [variable]: value }).exit;
    expect(code).toBe(1);
    expect(output).toContain(variable);
    if (value.length > 3 && variable !== 'SANDBOX_PROT') expect(output).not.toContain(value);
  });

  test('an encryption key that does not suit its scheme, beside another problem', async () => {
    const { code, output } = await run({
      SANDBOX_ENCRYPTION: 'aes-256-gcm',
      SANDBOX_ENCRYPTION_KEY: 'short',
      SANDBOX_HOST: '',
    }).exit;
    expect(code).toBe(1);
    expect(output).toContain('SANDBOX_ENCRYPTION_KEY: must be a key of 32 bytes');
    expect(output).toContain('SANDBOX_HOST');
  });
});

test('SIGTERM ends it with code 0, and a port that is taken with code 1', async () => {
  const first = await started({});
  const { code, output } = await run({ SANDBOX_PORT: new URL(first.url).port }).exit;
  expect(code).toBe(1);
  expect(output).toContain('EADDRINUSE');
  expect(output).toContain('set SANDBOX_PORT to another one');
  first.child.kill('SIGTERM');
  expect((await first.exit).code).toBe(0);
});

test('the ledger outlives a killed process, a half-written line too, and holds no card', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  const file = join(folder, 'ledger.jsonl');
  const body = cardBody({ client_ref: 'A_1', cvv: '987', card_pin: '4321' });

  const first = await started({ SANDBOX_LEDGER_FILE: file });
  await fetch(`${first.url}/payment/card`, {
    method: 'POST',
    headers: CREDENTIALS,
    body: JSON.stringify(body),
  });
  first.child.kill('SIGKILL');
  await first.exit;
  const text = readFileSync(file, 'utf8');
  for (const secret of ['4111111111111111', '987"', '4321"']) expect(text).not.toContain(secret);
  appendFileSync(file, '{"entry":{"sequence":3,"cl');

  const second = await started({ SANDBOX_LEDGER_FILE: file });
  const truth = async () => (await (await fetch(`${second.url}/sandbox/transactions/A_1`)).json()) as Json;
  expect(await truth()).toMatchObject({ state: 'succeeded', charged: '1500.00', chargeCount: 1 });
  await fetch(`${second.url}/payment/card`, {
    method: 'POST',
    headers: CREDENTIALS,
    body: JSON.stringify(body),
  });
  expect(await truth()).toMatchObject({ charged: '3000.00', duplicateClientRef: true });
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    entry: { kind: 'charge', duplicateClientRef: true },
  });
});
