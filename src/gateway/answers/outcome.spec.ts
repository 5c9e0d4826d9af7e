import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultProfile } from '../profile/default-profile.js';
import type { GatewayResult } from '../gateway-result.js';
import { compileOutcome, mergeWords } from './outcome-reader.js';
import { readOutcome, readRefusal } from './outcome.js';
import type { DeclinesProfile, OutcomeProfile, OwnOutcomeProfile } from '../profile/format.js';

const common = compileOutcome(defaultProfile.outcome);
const wallet = compileOutcome(defaultProfile.outcome, defaultProfile.operations['initiateWallet']?.outcome);

function read(document: unknown, over: Partial<OutcomeProfile> = {}): GatewayResult {
  return readOutcome(compileOutcome({ ...defaultProfile.outcome, ...over }), document, 'NGN');
}

/** The meaning of an answer, or the reason why it is unknown. */
function said(result: GatewayResult): string {
  if (result.kind === 'answered') return result.answer.meaning;
  return result.kind === 'unknown' ? `unknown: ${result.reason}` : result.kind;
}

function answer(error: unknown, status?: unknown, errorCode: unknown = ''): unknown {
  return { error, message: 'm', data: { transactionRef: '', transaction: { status }, date: '', errorCode } };
}

describe('what an answer means', () => {
  test.each<[string, unknown, string]>([
    ['a success', answer(false, 'SUCCESS'), 'succeeded'],
    ['a success in other letters', answer(false, 'Successful'), 'succeeded'],
    ['a success by code alone', answer(false, undefined, '00'), 'succeeded'],
    ['a success without an error member', { data: { transaction: { status: 'APPROVED' } } }, 'succeeded'],
    ['a success at the second pointer', { error: false, data: { status: 'COMPLETED' } }, 'succeeded'],
    ['an empty status is no value', answer(false, '', '00'), 'succeeded'],
    ['a null status is no value', answer(false, null, '00'), 'succeeded'],
    ['a hold', answer(false, 'AUTHORIZED'), 'authorized'],
    ['a hold whose code approves', answer(false, 'AUTHORIZED', '00'), 'authorized'],
    ['a success beside a code that nothing lists', answer(false, 'SUCCESS', '51'), 'succeeded'],
    ['a decline by status', answer(true, 'DECLINED'), 'failed'],
    ['a decline without error', answer(false, 'FAILED'), 'failed'],
    ['a decline by nothing but error', answer(true), 'refused'],
    ['a decline with an unlisted code', answer(true, undefined, '51'), 'refused'],
    ['a decline with an unlisted status', answer(true, 'NO_FUNDS'), 'refused'],
    ['expired', answer(false, 'CLOSE'), 'expired'],
    ['voided', answer(false, 'REVERSED', '00'), 'voided'],
    ['waiting', answer(false, 'pending'), 'processing'],
    ['waiting outranks error', answer(true, 'PENDING'), 'processing'],
    ['an OTP by code', answer(true, undefined, 'T0'), 'otp'],
    ['a redirect by code', answer(false, undefined, 'S0'), 'redirect'],
    ['not known', answer(true, undefined, 'NOT_FOUND'), 'unknownTransaction'],
    ['not decided', answer(true, undefined, '91'), 'undecided'],
    ['error beside a success', answer(true, 'SUCCESS'), 'unknown: contradiction'],
    ['error beside a hold', answer(true, 'AUTHORIZED'), 'unknown: contradiction'],
    ['a failure beside a success', answer(false, 'SUCCESS', 'DECLINED'), 'unknown: contradiction'],
    ['a failure beside a hold', answer(false, 'AUTHORIZED', 'DECLINED'), 'unknown: contradiction'],
    ['a success beside a failure', answer(false, 'FAILED', '00'), 'unknown: contradiction'],
    ['an unlisted status', answer(false, 'ON_ICE'), 'unknown: unrecognised'],
    ['an unlisted status whose code approves', answer(false, 'ON_ICE', '00'), 'unknown: unrecognised'],
    ['a status that is no text, whose code approves', answer(false, { a: 1 }, '00'), 'unknown: unrecognised'],
    ['an unlisted status whose code fails', answer(true, 'ON_ICE', 'FAILED'), 'failed'],
    ['no status at all', answer(false), 'unknown: unrecognised'],
    ['error as text', answer('false', 'SUCCESS'), 'unknown: contradiction'],
    ['error as number', answer(0, 'SUCCESS'), 'unknown: contradiction'],
    ['error as null', answer(null, 'SUCCESS'), 'unknown: contradiction'],
    ['error as an empty text, with a decline', answer('', 'FAILED'), 'unknown: contradiction'],
    ['a number for a word', answer(false, 0), 'unknown: unrecognised'],
    ['a word that only looks like one', answer(false, '\u017FUCCESS'), 'unknown: unrecognised'],
    ['blanks around a word', answer(false, ' SUCCESS'), 'unknown: unrecognised'],
    ['an inherited member', Object.create({ data: { status: 'SUCCESS' } }), 'unknown: unrecognised'],
    ['null', null, 'unknown: unrecognised'],
    ['a text', 'SUCCESS', 'unknown: unrecognised'],
    ['a list', [answer(false, 'SUCCESS')], 'unknown: unrecognised'],
  ])('%s', (_name, document, expected) => {
    expect(said(readOutcome(common, document, 'NGN'))).toBe(expected);
  });

  test('two error pointers that disagree are a contradiction', () => {
    const over = { error: ['/error', '/data/failed'] };
    expect(said(read({ error: true, data: { failed: true } }, over))).toBe('refused');
    expect(said(read({ error: false, data: { failed: true } }, over))).toBe('unknown: contradiction');
    expect(said(read({ error: true, data: { failed: 'yes' } }, over))).toBe('unknown: contradiction');
  });
});

describe("the wallet's answer", () => {
  function order(over: object = {}, outer: object = {}): unknown {
    const data = {
      reference: 'R_1',
      orderNo: '7',
      cashierUrl: 'https://c.example/',
      status: 'INITIAL',
      ...over,
    };
    return {
      status: 'success',
      message: 'm',
      data: { code: '00000', message: 'SUCCESSFUL', data },
      ...outer,
    };
  }

  test.each<[string, unknown, string]>([
    ['a new order', order(), 'processing'],
    ['another state', order({ status: 'CLOSE' }), 'expired'],
    ['a status other than success', order({}, { status: 'failed' }), 'unknown: requirement'],
    [
      'a code other than zeros',
      order({}, { data: { code: '00001', data: { status: 'INITIAL' } } }),
      'unknown: requirement',
    ],
    ['no code', order({}, { data: { data: { status: 'INITIAL' } } }), 'unknown: requirement'],
    ['an error without an order', { status: 'error', error: true, message: 'no', data: null }, 'refused'],
    ['an error beside a status other than success', order({}, { status: 'failed', error: true }), 'refused'],
    [
      'an error beside a failed order',
      order({ status: 'FAIL' }, { status: 'failed', error: true }),
      'refused',
    ],
    ['an error beside a good order', order({}, { error: true }), 'processing'],
    [
      'an error beside a code that is not zeros',
      order({}, { error: true, data: { code: '1', data: { status: 'INITIAL' } } }),
      'unknown: requirement',
    ],
    [
      'an error beside a code that is not zeros and a status other than success',
      order({}, { status: 'failed', error: true, data: { code: '1', data: { status: 'INITIAL' } } }),
      'refused',
    ],
    [
      'an error beside a closed order',
      order({ status: 'CLOSE' }, { status: 'failed', error: true }),
      'unknown: requirement',
    ],
    [
      'an error beside a paid order',
      order({ status: 'SUCCESS' }, { status: 'failed', error: true }),
      'unknown: contradiction',
    ],
    [
      'an error that is not decided',
      { error: true, status: 'failed', data: { errorCode: '96' } },
      'undecided',
    ],
    [
      'an error about what is not known',
      { error: true, status: 'failed', data: { errorCode: 'NOT_FOUND' } },
      'unknownTransaction',
    ],
    [
      'an error whose code is a word of success',
      { error: true, status: 'failed', data: { errorCode: '00' } },
      'refused',
    ],
    ['nothing', {}, 'unknown: unrecognised'],
  ])('%s', (_name, document, expected) => {
    expect(said(readOutcome(wallet, document, 'NGN'))).toBe(expected);
  });
});

describe('what else an answer carries', () => {
  function found(transaction: object, over: Partial<OutcomeProfile> = {}): unknown {
    const result = read(
      { error: false, message: 'm', data: { transaction: { status: 'SUCCESS', ...transaction } } },
      over,
    );
    return result.kind === 'answered' ? result.answer : result;
  }

  test.each<[unknown, Partial<OutcomeProfile>, unknown]>([
    ['1500.00', {}, 150_000n],
    ['1500', {}, 150_000n],
    [1500, {}, 150_000n],
    [1500.5, {}, 150_050n],
    ['1500.0000', {}, 150_000n],
    ['1500.001', {}, 'unreadable'],
    ['1,500.00', {}, 'unreadable'],
    ['-1500.00', {}, 'unreadable'],
    [1e21, {}, 'unreadable'],
    ['1000000000000000', {}, 'unreadable'],
    ['0'.repeat(100_000) + 'x', {}, 'unreadable'],
    [{ total: 1500 }, {}, 'unreadable'],
    [true, {}, 'unreadable'],
    [150_000, { amountUnit: 'minor' }, 150_000n],
    ['150000', { amountUnit: 'minor' }, 150_000n],
    [1500.5, { amountUnit: 'minor' }, 'unreadable'],
    ['1500.00', { amountUnit: 'minor' }, 'unreadable'],
    [2 ** 53, { amountUnit: 'minor' }, 'unreadable'],
    ['1500.00', { amountUnit: 'ignore' }, undefined],
    ['', {}, undefined],
    [null, {}, undefined],
  ])('amount %j with %j is %s', (amount, over, expected) => {
    expect(found({ amount }, over)).toMatchObject({ meaning: 'succeeded' });
    expect((found({ amount }, over) as { amount?: unknown }).amount).toBe(expected);
  });

  test.each([
    ['NGN', 'NGN'],
    ['ngn', 'NGN'],
    ['566', 'NGN'],
    [566, 'NGN'],
    ['naira', 'naira'],
  ])('currency %j is %s', (currency, expected) => {
    expect(found({ currency })).toMatchObject({ currency: expected });
  });

  test.each<[unknown, string | undefined]>([
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02 03:04:05+01:00', '2030-01-02T02:04:05.000Z'],
    ['2030-01-02T03:04+0100', '2030-01-02T02:04:00.000Z'],
    [1_893_553_445, '2030-01-02T03:04:05.000Z'],
    [1_893_553_445_000, '2030-01-02T03:04:05.000Z'],
    ['2030-01-02T03:04:05', undefined],
    ['2030-13-02T03:04:05Z', undefined],
    ['soon', undefined],
    [7, undefined],
    [1e300, undefined],
    [{}, undefined],
  ])('time %j is %s', (expiresAt, expected) => {
    expect((found({ expiresAt }) as { expiresAt?: string }).expiresAt).toBe(expected);
  });

  test.each<[unknown, string | undefined]>([
    ['0123456789', '0123456789'],
    [123, '123'],
    ['', undefined],
    ['a\u0000b', undefined],
    ['\ud800', undefined],
    ['x'.repeat(2049), undefined],
    [{}, undefined],
    [true, undefined],
  ])('account number %j is %j', (accountNumber, expected) => {
    expect((found({ accountNumber }) as { accountNumber?: string }).accountNumber).toBe(expected);
  });

  test('a redirect with its method and fields, or none where a browser has no such method', () => {
    const over = { redirectMethod: ['/data/transaction/how'], redirectFields: ['/data/transaction/form'] };
    const redirectUrl = 'https://acs.example/';
    expect(found({ redirectUrl, how: 'post', form: { PaReq: 'x', n: 1, e: '' } }, over)).toMatchObject({
      redirectUrl,
      redirectMethod: 'POST',
      redirectFields: { PaReq: 'x', n: '1', e: '' },
    });
    expect(found({ redirectUrl }, over)).toMatchObject({ redirectMethod: 'GET' });
    expect(found({ redirectUrl, how: 'PUT' }, over)).not.toHaveProperty('redirectUrl');
    expect(found({ redirectUrl, form: { a: { b: 1 } } }, over)).not.toHaveProperty('redirectFields');
  });

  test('a message loses its control characters and its end', () => {
    const result = read({ error: true, message: `a\r\nb\u0007c${'d'.repeat(600)}` });
    expect(result).toMatchObject({ answer: { message: `a b c${'d'.repeat(494)}` } });
  });

  test('an OTP message only beside an OTP request', () => {
    expect(read(answer(false, 'OTP_REQUIRED'))).toMatchObject({ answer: { otpMessage: 'm' } });
    expect(found({})).not.toHaveProperty('otpMessage');
  });

  test('whether a success needs an amount', () => {
    expect(found({}, { amountOptional: false })).toMatchObject({ amountRequired: true });
    expect(found({})).toMatchObject({ amountRequired: false });
  });
});

describe('what a profile requires by a form', () => {
  const meets = (matches: string, word: string) =>
    said(
      read({ status: 'SUCCESS', word }, { status: ['/status'], require: [{ pointer: '/word', matches }] }),
    );

  test('is matched by whole characters', () => {
    expect(meets('^.$', '😀')).toBe('succeeded');
    expect(meets('^\\p{Lu}+$', 'Ẹ')).toBe('succeeded');
  });

  test('is not looked for in a text of any length', () => {
    expect(meets('^0+$', '0'.repeat(2048))).toBe('succeeded');
    expect(meets('^0+$', '0'.repeat(2049))).toBe('unknown: requirement');
  });

  test('stands at a pointer, or the profile cannot be used', () => {
    expect(() => read({}, { status: ['status'] })).toThrow(new TypeError('not a JSON pointer: status'));
  });
});

test('an answer that its HTTP status decides still says why', () => {
  const document = { error: true, message: 'No such\nfield', data: { errorCode: 'E1' } };
  expect(readRefusal(common, document)).toStrictEqual({ message: 'No such field', code: 'E1' });
  expect(readRefusal(common, { message: {} })).toStrictEqual({});
  expect(readRefusal(common, 'text')).toStrictEqual({});
});

describe("an operation's own outcome", () => {
  test('what it lacks comes from the common one', () => {
    const own: OwnOutcomeProfile = { status: ['/state'], meanings: { succeeded: ['PAID'] } };
    const reader = compileOutcome(defaultProfile.outcome, own);
    expect(said(readOutcome(reader, { state: 'paid' }, 'NGN'))).toBe('succeeded');
    expect(said(readOutcome(reader, { state: 'SUCCESS' }, 'NGN'))).toBe('unknown: unrecognised');
    expect(said(readOutcome(reader, { state: 'PENDING' }, 'NGN'))).toBe('processing');
    expect(said(readOutcome(reader, { error: true }, 'NGN'))).toBe('refused');
  });

  test('a word that moves to another meaning leaves the built-in one', () => {
    const merged = mergeWords(defaultProfile.outcome.meanings, { authorized: ['approved'] });
    expect(merged.authorized).toEqual(['approved']);
    expect(merged.succeeded).toEqual(['SUCCESS', 'SUCCESSFUL', 'COMPLETED', '00']);
  });
});

test.each([
  ['2026-11-23T10:00:00Z', Date.UTC(2026, 10, 23, 10)],
  ['2026-11-23T10:00:00', Date.UTC(2026, 10, 23, 10)],
  ['2026-11-23T11:00:00+01:00', Date.UTC(2026, 10, 23, 10)],
  [1_795_428_000, 1_795_428_000_000],
  ['1795428000000', 1_795_428_000_000],
  ['soon', undefined],
  [null, undefined],
])('the gateway’s time %s is %s, of a payment and of a refund', (said, at) => {
  const over = { paidAt: ['/data/at'], refundedAt: ['/data/back', '/data/at'] };
  const document = { error: false, data: { transaction: { status: 'SUCCESS' }, at: said } };
  const result = read(document, over);
  const { paidAt, refundedAt } = result.kind === 'answered' ? result.answer : {};
  expect([paidAt, refundedAt]).toEqual([at, at]);
});

describe('why it was declined', () => {
  const refusal = (errorCode: unknown, message: unknown = 'No'): unknown => ({
    error: true,
    message,
    data: { transactionRef: '', transaction: {}, date: '', errorCode },
  });
  const reasonIn = (document: unknown, declines: Partial<DeclinesProfile>): string | undefined => {
    const result = readOutcome(compileOutcome(defaultProfile.outcome, {}, { declines }), document, 'NGN');
    return result.kind === 'answered' ? result.answer.reason : result.kind;
  };

  test.each<[string, unknown, Partial<DeclinesProfile>, string | undefined]>([
    ['a code', refusal('51'), { insufficientFunds: ['51'] }, 'insufficientFunds'],
    ['a code that is a number', refusal(51), { insufficientFunds: ['51'] }, 'insufficientFunds'],
    [
      'a code in other letters',
      refusal('no_Money'),
      { insufficientFunds: ['NO_MONEY'] },
      'insufficientFunds',
    ],
    [
      'a message, as a whole',
      refusal('', 'Solde INSUFFISANT é'),
      { insufficientFunds: ['solde insuffisant É'] },
      'insufficientFunds',
    ],
    ['a message with blanks around it', refusal('', ' Wrong PIN\n'), { wrongPin: ['wrong pin'] }, 'wrongPin'],
    ['a part of a message', refusal('', 'Wrong PIN, try again'), { wrongPin: ['wrong pin'] }, undefined],
    ['a part of a code', refusal('510'), { insufficientFunds: ['51'] }, undefined],
    [
      'the code before the message',
      refusal('54', 'Wrong PIN'),
      { wrongPin: ['Wrong PIN'], expiredCard: ['54'] },
      'expiredCard',
    ],
    [
      'the message where the code says nothing',
      refusal('99', 'Wrong PIN'),
      { wrongPin: ['Wrong PIN'], expiredCard: ['54'] },
      'wrongPin',
    ],
    ['nothing that fits', refusal('99'), defaultProfile.declines, undefined],
    ['nothing to go by', refusal(null, null), defaultProfile.declines, undefined],
    ['a message that is no text', refusal('', { wrong: 'pin' }), defaultProfile.declines, undefined],
  ])('%s', (_name, document, declines, expected) => {
    expect(reasonIn(document, declines)).toBe(expected);
  });

  test('every built-in word is read, with the HTTP status that refuses it too', () => {
    const reader = compileOutcome(defaultProfile.outcome, {}, { declines: defaultProfile.declines });
    for (const [reason, words] of Object.entries(defaultProfile.declines)) {
      for (const word of words) expect(readRefusal(reader, refusal(word)).reason).toBe(reason);
    }
    expect(readRefusal(reader, refusal('', 'do_not_honor'))).toMatchObject({ reason: 'askBank' });
  });
});

describe('whatever the answer', () => {
  const word = fc.constantFrom(
    'SUCCESS',
    '00',
    'FAILED',
    'PENDING',
    'T0',
    'NOT_FOUND',
    '91',
    'ON_ICE',
    '',
    null,
    0,
    true,
  );
  const shaped = fc.record(
    {
      error: fc.oneof(fc.boolean(), fc.constantFrom('true', null, 0)),
      message: fc.string(),
      status: word,
      data: fc.record(
        {
          status: word,
          errorCode: word,
          transactionRef: fc.string(),
          transaction: fc.record({ status: word, amount: fc.jsonValue() }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const anything = fc.oneof(shaped, fc.jsonValue({ maxDepth: 6 }), fc.anything());

  test('it is read without throwing, and says success only where a status pointer holds a listed word and error is not true', () => {
    const listed = new Set(defaultProfile.outcome.meanings.succeeded);
    fc.assert(
      fc.property(anything, (document) => {
        const result = readOutcome(common, document, 'NGN');
        if (result.kind !== 'answered' || result.answer.meaning !== 'succeeded') return;
        const { error, data } = document as { error?: unknown; data: Record<string, unknown> };
        const transaction = (data['transaction'] ?? {}) as Record<string, unknown>;
        expect(error === false || error === undefined).toBe(true);
        expect(
          [transaction['status'], data['status'], data['errorCode']].some((value) =>
            listed.has(String(value)),
          ),
        ).toBe(true);
        expect([transaction['status'], data['status'], data['errorCode']]).not.toContain('FAILED');
      }),
      { numRuns: 3_000 },
    );
  });

  test('the wallet is never believed without its success and its zeros', () => {
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom('success', 'failed', ''),
        fc.constantFrom('00000', '00001', ''),
        (data, status, code) => {
          const result = readOutcome(wallet, { status, data: { code, data } }, 'NGN');
          if (status !== 'success' || code !== '00000') expect(result.kind).toBe('unknown');
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
