import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../src/cli/command.js';
import { cardAnswer, notFoundAnswer } from '../harness/gateway-answers.js';
import { profileFile, strictProfile } from '../profiles/strict-gateway.js';
import { runCli } from './run-cli.js';

function fileOf(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-try-')), 'file.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function run(...args: string[]): Promise<{ code: number | null; text: string }> {
  const { code, stdout, stderr } = await runCli(['profile', ...args]);
  return { code, text: stdout + stderr };
}

describe('tillfront profile try', () => {
  test('says what outweighs a listed word', async () => {
    const unlisted = { error: false, data: { transaction: { status: 'NEW' }, errorCode: '00' } };
    const both = { error: false, data: { transaction: { status: 'SUCCESS' }, status: 'FAILED' } };
    const exchanges = [unlisted, both].map((body) => ({ operation: 'payCard', body, expect: 'unknown' }));
    const { code, text } = await run('try', fileOf({}), fileOf(exchanges));
    expect(text).toContain(
      '/data/errorCode is "00", but "NEW", which comes before it, is not listed: unknown',
    );
    expect(text).toContain('but the answer contradicts itself: unknown');
    expect(code).toBe(EXIT.done);
  });

  test('compares a refund with what became of it, not of its payment', async () => {
    const refund = { method: 'POST', path: '/refund', credentials: true };
    const profile = profileFile({ reference: { separator: '-' }, operations: { refund } });
    const about = (status: string, expected: string): object => ({
      operation: 'refund',
      payment: { client_ref: 'ORDER-7-1', transactionRef: 'T1', amount: '500.00' },
      body: cardAnswer({ status, amount: '500.00' }),
      expect: expected,
    });
    const right = await run(
      'try',
      profile,
      fileOf([about('REFUNDED', 'succeeded'), about('PENDING', 'processing')]),
    );
    expect(right).toMatchObject({ code: EXIT.done, text: expect.stringContaining('ORDER-7-1-r1') });
    expect((await run('try', profile, fileOf([about('PENDING', 'succeeded')]))).code).toBe(EXIT.found);
  });

  const profile = profileFile(strictProfile);
  const good = cardAnswer({ status: 'SUCCESS', amount: '1500.00' });

  test('shows each request with masks, what decided, and what becomes of the payment', async () => {
    const exchanges = [
      {
        operation: 'payCard',
        payment: { client_ref: 'ORDER-7-1', kept: { orderId: 'ord-1' } },
        body: good,
        expect: 'succeeded',
      },
    ];
    const { code, text } = await run('try', profile, fileOf(exchanges));
    expect(text).toContain('POST /orders\n');
    expect(text).toContain('"order":{"amount":1500.00,"reference":"ORDER-7-1"}');
    expect(text).toContain('POST /orders/ord-1/pay');
    expect(text).toContain('authorization: Bearer {token}');
    expect(text).toContain('x-signature: {signature}');
    expect(text).toContain('"cardNumber":"<cardNumber>"');
    expect(text).toContain('/data/transaction/status is "SUCCESS", which means succeeded');
    expect(text).toContain('the payment: succeeded');
    expect(code).toBe(EXIT.done);
  });

  test.each<[string, object, string]>([
    ['a decline', { operation: 'payCard', body: { error: true, message: 'no' } }, 'failed'],
    ['a rejection', { operation: 'payCard', status: 400, body: {} }, 'failed'],
    [
      'another amount',
      { operation: 'payCard', body: cardAnswer({ status: 'SUCCESS', amount: '15.00' }) },
      'processing',
    ],
    ['a challenge', { operation: 'payCard', body: cardAnswer({ status: 'SELFIE' }) }, 'unsupported'],
    [
      'a wallet order',
      {
        operation: 'initiateWallet',
        body: {
          status: 'success',
          data: { code: '0000', data: { status: 'INITIAL', cashierUrl: 'https://w.example/c' } },
        },
      },
      'processing',
    ],
    [
      'a query',
      { operation: 'transactionStatus', status: 404, body: cardAnswer({ status: 'EXPIRED' }) },
      'expired',
    ],
    [
      'a query about nothing',
      { operation: 'transactionStatus', status: 404, body: notFoundAnswer },
      'unknownTransaction',
    ],
    ['a code', { operation: 'validateOtp', body: good }, 'succeeded'],
    ['a completion', { operation: 'complete', body: good }, 'succeeded'],
    ['nonsense', { operation: 'complete', body: '<html>' }, 'authorized'],
  ])('%s', async (_name, exchange, expected) => {
    const whole = { payment: { kept: { orderId: 'o' } }, ...exchange };
    const right = await run('try', profile, fileOf([{ ...whole, expect: expected }]));
    expect(right).toMatchObject({ code: EXIT.done, text: expect.stringContaining('all as expected') });
    const wrong = await run('try', profile, fileOf([{ ...whole, expect: 'voided' }]));
    expect(wrong).toMatchObject({ code: EXIT.found, text: expect.stringContaining('EXPECTED voided') });
  });

  test('says what would not be sent and what for, and is not content with it', async () => {
    const { code, text } = await run('try', profile, fileOf([{ operation: 'payCard', body: good }]));
    expect(text).toContain('not sent: the payment of this exchange lacks orderId');
    expect(text).toMatch(/NOT SENT[^]*1 of 1 exchanges are not as expected/);
    expect(code).toBe(EXIT.found);
    const nameless = { operation: 'void', payment: { client_ref: '' }, body: good, expect: 'authorized' };
    const built = await run('try', fileOf({}), fileOf([nameless]));
    expect(built.text).toContain('lacks client_ref and transactionRef');
    expect(built.code).toBe(EXIT.found);
  });

  test('says why a decline was one', async () => {
    const body = cardAnswer({}, { error: true, message: 'No', errorCode: '51' });
    const { text } = await run('try', fileOf({}), fileOf([{ operation: 'payCard', body }]));
    expect(text).toContain('the payment: failed, declined, insufficientFunds');
  });

  test.each<[unknown, string]>([
    ['{', 'cannot be read as JSON'],
    [{}, 'must be a list of exchanges'],
    [[{ operation: 'void', body: {} }], 'has no operation void'],
    [[{ operation: 'payCard', bdy: {} }], '/0/bdy is an unknown key'],
    [[{ operation: 'payCard', payment: { pan: '1' } }], '/0/payment/pan is not a field of a payment'],
  ])('%j cannot be tried', async (exchanges, message) => {
    const { code, text } = await run('try', profile, fileOf(exchanges));
    expect([code, text]).toEqual([EXIT.impossible, expect.stringContaining(message)]);
  });
});

describe('tillfront profile confirm', () => {
  test.each([
    [
      '{\n  "card": { "expiryYear":"YY" }\n}\n',
      '{\n  "card": { "expiryYear":"YY" },\n  "confirmed": ["void", "outcome"]\n}\n',
    ],
    [
      '{\r\n\t"confirmed": [\r\n\t\t"complete"\r\n\t],\r\n\t"card":{}\r\n}',
      '{\r\n\t"confirmed": [\r\n\t\t"complete",\r\n\t\t"void",\r\n\t\t"outcome"\r\n\t],\r\n\t"card":{}\r\n}',
    ],
    ['{"card":{},"confirmed":["void"]}', '{"card":{},"confirmed":["void", "outcome"]}'],
    ['\uFEFF{ "confirmed": [] }', '\uFEFF{ "confirmed": ["void", "outcome"] }'],
    ['{}', '{"confirmed": ["void", "outcome"]}'],
  ])('adds the names and changes nothing else: %j', async (before, expected) => {
    const file = fileOf(before);
    expect(await run('confirm', file, 'void', 'outcome')).toMatchObject({ code: EXIT.done });
    expect(readFileSync(file, 'utf8')).toBe(expected);
    expect(await run('confirm', file, 'void')).toMatchObject({ text: expect.stringContaining('already') });
    expect(readFileSync(file, 'utf8')).toBe(expected);
  });

  test('takes no name that means nothing, and no file that cannot be used', async () => {
    const file = fileOf('{}');
    expect(await run('confirm', file, 'viod')).toMatchObject({
      code: EXIT.usage,
      text: expect.stringContaining('perhaps "void" is meant'),
    });
    expect(await run('confirm', fileOf('{"crad":{}}'), 'void')).toMatchObject({ code: EXIT.found });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});
