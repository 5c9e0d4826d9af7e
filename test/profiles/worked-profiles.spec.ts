import { describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../src/cli/command.js';
import { runCli } from '../cli/run-cli.js';

const UNKNOWN_STAYS_OPEN = 'a payment that the gateway never received stays open until a person resolves it';

const TRIPLE_DES = 'an old scheme that does not show tampering; TLS alone protects the rest';

describe.each([
  ['paystack', 'card,transfer', []],
  ['kora', 'card,transfer', [UNKNOWN_STAYS_OPEN]],
  ['mpgs', 'card', [UNKNOWN_STAYS_OPEN]],
  ['flutterwave', 'card,transfer,ussd', [TRIPLE_DES]],
  ['monnify', 'card,wallet,transfer', [UNKNOWN_STAYS_OPEN]],
])('the worked profile %s', (name, methods, notes) => {
  const profile = `profiles/${name}.json`;

  test('can be used, and has nothing that is rarely meant', async () => {
    const { code, stdout, stderr } = await runCli([
      'profile',
      'check',
      profile,
      '--methods',
      methods,
      '--json',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ usable: true, notes: notes.map((message) => ({ message })) });
  });

  test('reads recorded answers as they are meant', async () => {
    const { code, stdout } = await runCli(['profile', 'try', profile, `profiles/${name}.exchanges.json`]);
    expect(stdout).toContain('exchanges, all as expected.');
    expect(code).toBe(0);
  });

  test('is a beginning for another one, with its notes beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'profile-new-'));
    const file = join(folder, 'mine.json');
    expect(await runCli(['profile', 'new', file, '--like', name])).toMatchObject({
      code: EXIT.done,
      stderr: '',
    });
    const { $schema: _schema, ...known } = JSON.parse(readFileSync(profile, 'utf8')) as Record<
      string,
      unknown
    >;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(known);
    expect(readFileSync(join(folder, 'mine.md'), 'utf8')).toContain('Why it is written this way');
    expect(await runCli(['profile', 'check', file])).toMatchObject({ code: EXIT.done });
  });
});

test('a profile that is there is never written over, nor is one begun from nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'profile-new-'));
  const file = join(folder, 'mine.json');
  writeFileSync(file, '{}');
  expect(await runCli(['profile', 'new', file, '--like', 'kora'])).toMatchObject({
    code: EXIT.impossible,
    stderr: expect.stringContaining('already exists'),
  });
  expect(readFileSync(file, 'utf8')).toBe('{}');
  expect(existsSync(join(folder, 'mine.md'))).toBe(false);
  expect((await runCli(['profile', 'new', join(folder, 'other.json')])).code).toBe(EXIT.usage);
  expect((await runCli(['profile', 'new', join(folder, 'other.json'), '--like', 'opay'])).code).toBe(
    EXIT.usage,
  );
});
