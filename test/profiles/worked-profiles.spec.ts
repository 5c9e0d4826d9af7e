import { describe, expect, test } from '@jest/globals';
import { runCli } from '../cli/run-cli.js';

const UNKNOWN_STAYS_OPEN = 'a payment that the gateway never received stays open until a person resolves it';

describe.each([
  ['paystack', 'card,transfer', []],
  ['kora', 'card,transfer', [UNKNOWN_STAYS_OPEN]],
  ['mpgs', 'card', [UNKNOWN_STAYS_OPEN]],
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
});
