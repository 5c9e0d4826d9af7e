import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProfile, EXIT } from './check-profile.js';

function check(file: unknown, ...options: string[]): { code: number; text: string } {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-check-')), 'profile.json');
  writeFileSync(path, JSON.stringify(file));
  return run(path, ...options);
}

function run(...args: string[]): { code: number; text: string } {
  const lines: string[] = [];
  const code = checkProfile(args, (line) => void lines.push(line));
  return { code, text: lines.join('\n') };
}

describe('npm run profile:check', () => {
  test('says what a usable profile changes and what is unconfirmed', () => {
    const { code, text } = check({ operations: { validateOtp: { path: '/otp' } }, confirmed: ['void'] });
    expect(code).toBe(EXIT.usable);
    expect(text).toContain('/operations/validateOtp/path: "/payment/validate-otp" -> "/otp"');
    expect(text).toContain('Confirmed: void');
    expect(text).toMatch(/Not confirmed, and used by card, wallet, transfer, ussd: .*validateOtp/);
  });

  test('never prints a header’s value, nor a constant that may be a credential', () => {
    const file = {
      operations: {
        payCard: { headers: { 'x-api-version': 'hunter2' }, constants: { keyId: 'hunter2', channel: 'WEB' } },
        encrypt: {
          ...{ method: 'POST', path: '/encrypt', credentials: true, headers: { 'x-tenant': 'hunter2' } },
          constants: { nested: { tokenType: ['hunter2'] } },
        },
      },
      encryption: {
        ...{ scheme: 'gateway-endpoint', operation: 'encrypt', siblings: { '/a/keyVersion': 'hunter2' } },
      },
    };
    const { code, text } = check(file);
    expect([code, text]).toEqual([EXIT.usable, expect.not.stringContaining('hunter2')]);
    expect(text).toContain('/operations/payCard/headers: (nothing) -> {"x-api-version":"(not shown)"}');
    expect(text).toContain('"channel":"WEB"');
    expect(text).toContain('"x-tenant":"(not shown)"');
  });

  test('refuses a credential among the headers, says where it goes, and shows it nowhere', () => {
    const { code, text } = check({ operations: { void: { headers: { Authorization: 'Bearer hunter2' } } } });
    expect(code).toBe(EXIT.unusable);
    expect(text).toMatch(/^- \/operations\/void\/headers\/Authorization: .*GATEWAY_API_KEY/m);
    expect(text).not.toContain('hunter2');
  });

  test('names every problem of one that is not', () => {
    const { code, text } = check({ operations: { void: { path: 'x' } }, outcome: { status: ['y'] } });
    expect(code).toBe(EXIT.unusable);
    expect(text).toContain('- /operations/void/path: must begin with a slash');
    expect(text).toContain('- /outcome/status/0: is not a JSON pointer (RFC 6901)');
  });

  test('with --live fails where something in use is unconfirmed', () => {
    const confirmed = ['transactionStatus', 'void', 'outcome', 'notification'];
    expect(check({ confirmed }, '--live').code).toBe(EXIT.unconfirmed);
    const { code, text } = check({ confirmed }, '--live', '--methods', 'wallet');
    expect(code).toBe(EXIT.usable);
    expect(text).toContain('Nothing that wallet use is left unconfirmed.');
  });

  test.each([[[]], [['a', 'b']], [['a', '--methods', 'cash']], [['a', '--loud']]])(
    'explains itself for %j',
    (args) => {
      const { code, text } = run(...args);
      expect(code).toBe(EXIT.usage);
      expect(text).toContain('npm run profile:check');
    },
  );

  test('a file that is not there', () => {
    expect(run('/nowhere.json')).toMatchObject({ code: EXIT.unusable });
  });
});
