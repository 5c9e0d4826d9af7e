import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../src/cli/command.js';
import { runCli } from './run-cli.js';

interface Checked {
  code: number | null;
  text: string;
}

function check(file: unknown, ...options: string[]): Promise<Checked> {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-check-')), 'profile.json');
  writeFileSync(path, JSON.stringify(file));
  return run(path, ...options);
}

async function run(...args: string[]): Promise<Checked> {
  const { code, stdout, stderr } = await runCli(['profile', 'check', ...args]);
  return { code, text: stdout + stderr };
}

describe('tillfront profile check', () => {
  test('says what a usable profile changes and what is unconfirmed', async () => {
    const { code, text } = await check({
      operations: { validateOtp: { path: '/otp' } },
      confirmed: ['void'],
    });
    expect(code).toBe(EXIT.done);
    expect(text).toContain('/operations/validateOtp/path: "/payment/validate-otp" -> "/otp"');
    expect(text).toContain('Confirmed: void');
    expect(text).toMatch(/Not confirmed, and used by card, wallet, transfer, ussd: .*validateOtp/);
  });

  test('prints no value of a set of credentials, nor of the request for a token', async () => {
    const file = {
      credentials: { default: { authorization: 'Bearer {token}', MerchantId: 'hunter2' } },
      token: {
        ...{ method: 'POST', path: '/token', value: '/token', expiresIn: 60 },
        ...{ headers: { 'x-tenant': 'hunter2' }, body: { scope: 'hunter2' } },
      },
      extra: { order: { method: 'POST', path: '/o', credentials: true, headers: { 'x-a': 'hunter2' } } },
    };
    const { code, text } = await check(file);
    expect([code, text]).toEqual([EXIT.done, expect.not.stringContaining('hunter2')]);
    expect(text).toContain('/token');
    expect(text).toContain('/extra/order: no operation names it as its "before"');
  });

  test('lists what payers are asked for, by method', async () => {
    const { text } = await check({
      card: { omit: ['nameOnCard', 'firstName', 'lastName', 'billingStreet'] },
    });
    expect(text).toContain(
      'card: card.number, card.expiryMonth, card.expiryYear, card.cvv, email, phone, city, stateProvince (where the country requires it), postCode (where the country requires it), country\n',
    );
    expect(text).toContain('  wallet: email\n');
    const none = await check(
      { operations: { initiateWallet: { omit: ['payerEmail'] } } },
      '--methods',
      'wallet',
    );
    expect(none.text).toContain('  wallet: nothing\n');
  });

  test('notes what nothing uses', async () => {
    const file = {
      operations: { generateUssdCode: { path: '/ussd' } },
      credentials: { spare: { 'x-a': '{apiKey}' } },
    };
    const { text } = await check(file, '--methods', 'card');
    expect(text).toContain('/operations/generateUssdCode: no method of card uses this operation');
    expect(text).toContain('/credentials/spare: no operation sends this set');
  });

  test('never prints a header’s value, nor a constant that may be a credential', async () => {
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
    const { code, text } = await check(file);
    expect([code, text]).toEqual([EXIT.done, expect.not.stringContaining('hunter2')]);
    expect(text).toContain('/operations/payCard/headers: (nothing) -> {"x-api-version":"(not shown)"}');
    expect(text).toContain('"channel":"WEB"');
    expect(text).toContain('"x-tenant":"(not shown)"');
  });

  test('refuses a credential among the headers, says where it goes, and shows it nowhere', async () => {
    const { code, text } = await check({
      operations: { void: { headers: { Authorization: 'Bearer hunter2' } } },
    });
    expect(code).toBe(EXIT.found);
    expect(text).toMatch(/^- \/operations\/void\/headers\/Authorization: .*GATEWAY_API_KEY/m);
    expect(text).not.toContain('hunter2');
  });

  test('names every problem of one that is not', async () => {
    const { code, text } = await check({ operations: { void: { path: 'x' } }, outcome: { status: ['y'] } });
    expect(code).toBe(EXIT.found);
    expect(text).toContain('- /operations/void/path: must begin with a slash');
    expect(text).toContain('- /outcome/status/0: is not a JSON pointer (RFC 6901)');
  });

  test('with --live fails where something in use is unconfirmed', async () => {
    const confirmed = ['transactionStatus', 'void', 'outcome', 'notification'];
    expect(await check({ confirmed }, '--live')).toMatchObject({ code: EXIT.unconfirmed });
    const { code, text } = await check({ confirmed }, '--live', '--methods', 'wallet');
    expect(code).toBe(EXIT.done);
    expect(text).toContain('Everything that wallet use is confirmed.');
  });

  test.each([[[]], [['a', 'b']], [['a', '--methods', 'cash']], [['a', '--loud']]])(
    'explains itself for %j',
    async (args) => {
      const { code, text } = await run(...args);
      expect(code).toBe(EXIT.usage);
      expect(text).toMatch(/--help|may contain only/);
    },
  );

  test('a file that is not there', async () => {
    expect(await run('/nowhere.json')).toMatchObject({ code: EXIT.found });
  });
});
