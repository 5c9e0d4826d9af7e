import { describe, expect, test } from '@jest/globals';
import { isPositive, minus, money, total } from '../../browser/console/amounts.js';
import { outcomesOf, resolutionOf } from '../../browser/console/acts.js';
import { heights, paidDays } from '../../browser/console/paid-days.js';
import { inPlainWords, mayBeDone, mayResolve, refundedWord } from '../../browser/console/plain-words.js';
import { hrefOf, readRoute } from '../../browser/console/route.js';
import { answer, Changes, keyIn, refusal } from '../../browser/console/service.js';
import { detail, entryWords } from '../../browser/console/timeline.js';
import { dayIn, daysBefore, lastDay } from '../../browser/console/times.js';
import { attentionSentence, inWords } from '../../browser/console/words.js';
import { ATTENTION_REASONS } from '../../src/payments/core/payment.js';
import type { PaymentDto, RefundDto } from '../../browser/generated/api.js';

/** The console's parts that need no browser. */

const PAID: PaymentDto = {
  ...{ id: 'pay_1', livemode: false, sessionId: 'cs_1', reference: 'ORDER-1', gatewayReference: 'ORDER-1_1' },
  ...{ transactionRef: 'TX1', method: 'card', status: 'succeeded', amount: '1500.00', currency: 'NGN' },
  ...{ amountAuthorized: null, amountCaptured: '1500.00', amountRefunded: null, amountDisputed: null },
  ...{ nextAction: null, pendingOperation: null, disputed: false, duplicateOf: null, failure: null },
  ...{ needsAttention: false, attentionReasons: [], card: { brand: 'verve', last4: '7499' }, metadata: {} },
  ...{ paidAt: null, createdAt: '2031-01-01T10:00:00Z', updatedAt: '2031-01-01T10:00:00Z' },
};

function refund(more: Partial<RefundDto> = {}): RefundDto {
  const made = {
    id: 'ref_1',
    paymentId: 'pay_1',
    amount: '500.00',
    status: 'processing',
    reason: null,
  } as const;
  return { ...made, createdAt: '2031-01-01T11:00:00Z', ...more };
}

describe('what may be done', () => {
  const HELD: Partial<PaymentDto> = {
    status: 'authorized',
    amountCaptured: null,
    amountAuthorized: '1500.00',
  };
  const open = { type: 'void', since: '2031-01-01T10:00:00Z' } as const;
  const odd: Partial<PaymentDto> = { needsAttention: true, attentionReasons: ['contradicted'] };
  test.each<[string, Partial<PaymentDto>, RefundDto[], string[]]>([
    ['paid', {}, [], ['refund', 'void']],
    ['refunded in part', { amountRefunded: '500.00' }, [refund({ status: 'succeeded' })], ['refund']],
    ['refunded whole', { amountRefunded: '1500.00' }, [], []],
    ['a refund under way', {}, [refund()], []],
    ['disputed', { disputed: true }, [], []],
    ['held', HELD, [], ['complete', 'void']],
    ['a void under way', { ...HELD, pendingOperation: open }, [], []],
    ['the order is blocked', odd, [], ['resolve']],
    [
      'a duplicate',
      { needsAttention: true, attentionReasons: ['duplicate'] },
      [],
      ['resolve', 'refund', 'void'],
    ],
    ['waiting', { status: 'requires_action', amountCaptured: null }, [], ['cancel']],
    ['unknown', { status: 'processing', amountCaptured: null }, [], []],
    ['voided', { status: 'voided' }, [], []],
  ])('%s', (_, payment, refunds, actions) => {
    expect(mayBeDone({ ...PAID, ...payment }, refunds)).toEqual(actions);
  });

  test('a refund is resolved while it is open, or where one is unexplained', () => {
    const attention = (reason: string): PaymentDto => ({
      ...PAID,
      needsAttention: true,
      attentionReasons: [reason],
    });
    expect(mayResolve(PAID, refund())).toBe(false);
    expect(mayResolve(attention('operation_unknown'), refund())).toBe(true);
    expect(mayResolve(attention('operation_unknown'), refund({ status: 'succeeded' }))).toBe(false);
    expect(mayResolve(attention('refund_unexplained'), refund({ status: 'succeeded' }))).toBe(true);
  });
});

describe('in plain words', () => {
  const words = (more: Partial<PaymentDto>): string => inPlainWords({ ...PAID, ...more }).join(' ');
  test('money, and where it is', () => {
    expect(words({})).toBe('₦1,500.00 was paid by card (verve ···· 7499).');
    expect(words({ amountCaptured: '1000.00', method: 'ussd', card: null })).toBe(
      '₦1,000.00 was paid by USSD.',
    );
    expect(words({ amountRefunded: '500.00' })).toContain('₦500.00 was given back.');
    expect(words({ disputed: true, amountDisputed: '1500.00' })).toContain('took ₦1,500.00 back');
    expect(words({ duplicateOf: 'pay_0' })).toContain('this payment is the duplicate');
  });

  test('an unknown outcome is never called failed', () => {
    const unknown = words({ status: 'processing', amountCaptured: null });
    expect(unknown).toContain('no clear answer yet');
    expect(unknown).not.toMatch(/fail|not paid/i);
    const pendingOperation = { type: 'complete', amount: '900.00', since: '2031-01-01T10:00:00Z' } as const;
    expect(words({ status: 'authorized', pendingOperation })).toMatch(
      /completion of ₦900\.00 on .* no clear answer yet/,
    );
  });

  test('what a person has to judge is not left to the machine', () => {
    const pendingOperation = { type: 'pay', amount: '1500.00', since: '2031-01-01T10:00:00Z' } as const;
    const attention = { needsAttention: true, attentionReasons: ['differs' as const] };
    const said = words({ status: 'processing', amountCaptured: null, pendingOperation, ...attention });
    expect(said).toContain('then resolve it');
    expect(said).not.toMatch(/don’t have to do anything|no clear answer/);
  });

  test.each<[Partial<PaymentDto>, string]>([
    [{ status: 'canceled' }, 'canceled'],
    [{ status: 'expired' }, 'in time'],
    [{ status: 'voided' }, 'Reversed'],
    [{ status: 'requires_action', nextAction: { type: 'otp' } }, 'one-time code'],
    [{ status: 'requires_action' }, 'no clear answer yet'],
    [{ status: 'requires_action', nextAction: { type: 'ussd', code: '*123#' } }, 'dial *123#'],
  ])('%j', (more, part) => {
    expect(words({ amountCaptured: null, ...more })).toContain(part);
  });

  test.each([
    ['1500.00', null, undefined],
    ['1500.00', '0.00', undefined],
    ['1500.00', '0.01', 'Partly refunded'],
    ['1500.00', '1500.00', 'Refunded'],
    ['1500', '1499', 'Partly refunded'],
  ] as const)('of %s were refunded %s: %s', (amountCaptured, amountRefunded, word) => {
    expect(refundedWord({ amountCaptured, amountRefunded })).toBe(word);
  });
});

describe('a person’s word', () => {
  test('leaves a payment as it is, or says where it stands', () => {
    const note = 'Seen on the statement.';
    expect(resolutionOf({ outcome: 'as-is', note }, PAID)).toEqual({ status: 'succeeded', note });
    expect(resolutionOf({ outcome: 'failed', note }, PAID)).toEqual({ status: 'failed', note });
    expect(resolutionOf({ outcome: 'confirmed', note }, PAID)).toEqual({ operation: 'confirmed', note });
    expect(resolutionOf({ outcome: 'failed', note }, PAID, refund())).toEqual({
      ...{ refundId: 'ref_1', status: 'failed', note },
    });
    expect(resolutionOf({ outcome: 'succeeded', amountReceived: '1000.00', note }, PAID)).toEqual({
      ...{ status: 'succeeded', amountReceived: '1000.00', note },
    });
  });

  test('about an operation only while one is open', () => {
    const words = (payment: PaymentDto): string[] => outcomesOf(payment).map(([word]) => word);
    const pendingOperation = { type: 'void', since: '2031-01-01T10:00:00Z' } as const;
    expect(words(PAID)).toEqual(['as-is', 'succeeded', 'failed', 'voided']);
    expect(words({ ...PAID, pendingOperation })).toEqual(expect.arrayContaining(['confirmed', 'refused']));
    expect(words({ ...PAID, status: 'failed' })).toEqual(['as-is', 'succeeded', 'voided']);
  });
});

describe('a change', () => {
  /** A service that answers one call after another: with a body, with a problem, or (`undefined`) not at all. */
  function changesWith(...answers: (object | undefined)[]): { changes: Changes; keys: string[] } {
    const keys: string[] = [];
    const POST = (_: string, { headers }: { headers: { 'Idempotency-Key': string } }): Promise<object> => {
      keys.push(headers['Idempotency-Key']);
      const next = answers.shift();
      if (next === undefined) return Promise.reject(new TypeError('fetch failed'));
      const isProblem = 'code' in next;
      const response = new Response(null, { status: isProblem ? 409 : 200 });
      return Promise.resolve({ response, ...(isProblem ? { error: next } : { data: next }) });
    };
    return { changes: new Changes({ POST }), keys };
  }
  const done = { id: 'ref_1' };

  test('without a clear answer keeps its key when it is repeated', async () => {
    const { changes, keys } = changesWith(undefined, done, done);
    const make = (): Promise<unknown> => changes.post('payments/1/refunds', { amount: '1' });
    await expect(make()).rejects.toMatchObject({ code: 'no-answer' });
    await expect(make()).resolves.toEqual(done);
    await make();
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
  });

  test('is refused once while another one of the same thing has no clear answer', async () => {
    const { changes, keys } = changesWith(undefined, done);
    const make = (amount: string): Promise<unknown> => changes.post('payments/1/refunds', { amount });
    await expect(make('1')).rejects.toThrow();
    await expect(make('2')).rejects.toMatchObject({ code: 'earlier-unanswered' });
    expect(keys).toHaveLength(1);
    await expect(make('2')).resolves.toEqual(done);
  });

  test('that was refused for good gets a new key', async () => {
    const { changes, keys } = changesWith({ code: 'invalid-state' }, { code: 'gateway-refused' });
    for (const code of ['invalid-state', 'gateway-refused'])
      await expect(changes.post('payments/1/void', {})).rejects.toMatchObject({ code });
    expect(new Set(keys).size).toBe(2);
  });
});

test('a refusal has the problem’s words and faults', async () => {
  const problem = {
    code: 'validation-failed',
    detail: 'Check it.',
    errors: [{ pointer: '/amount', message: 'no' }],
  };
  expect(refusal(problem)).toMatchObject({
    code: 'validation-failed',
    message: 'Check it.',
    faults: problem.errors,
  });
  for (const odd of [undefined, '<html>', null, {}]) expect(refusal(odd).code).toBe('no-answer');
  const response = new Response(null, { status: 409 });
  await expect(answer(Promise.resolve({ error: problem, response }))).rejects.toThrow('Check it.');
  await expect(answer(Promise.reject(new TypeError('fetch failed')))).rejects.toMatchObject({
    code: 'no-answer',
  });
});

test.each([
  ['mk_test_7f2c91d0', 'mk_test_7f2c91d0'],
  [' ops-anna=mk_test_7f2c91d0\n', 'mk_test_7f2c91d0'],
  // A key may end in the sign itself, as base64 does.
  ['c2VjcmV0cw==', 'c2VjcmV0cw=='],
  ['abc=', 'abc='],
  ['anna=c2VjcmV0cw==', 'c2VjcmV0cw=='],
])('the key in %j', (pasted, key) => {
  expect(keyIn(pasted)).toBe(key);
});

test('every reason for attention has words of its own', () => {
  const words = ATTENTION_REASONS.map(attentionSentence);
  expect(new Set(words).size).toBe(words.length);
  for (const said of words) expect(said).toMatch(/^The .*\.$/);
  expect(attentionSentence('of_later')).toBe('Of later');
  expect(['unknown_here', 'refund_reversal', 'ussd'].map(inWords)).toEqual([
    ...['Settled, but unknown here', 'Refund reversal', 'USSD'],
  ]);
});

test('the timeline in words', () => {
  const entry = { id: 'e', at: '2031-01-01T10:00:00Z', actor: null };
  const said = (more: object): string => entryWords({ ...entry, type: 'created', ...more }, 'NGN');
  expect(said({ type: 'sent', detail: { operation: 'pay' } })).toBe('Sent to the gateway: payment');
  expect(said({ type: 'unknown', detail: { operation: 'refund' } })).toBe('No clear answer yet: refund');
  expect(said({ type: 'refunded', detail: { amount: '500.00' } })).toBe('Refunded: ₦500.00');
  expect(said({ type: 'attention', detail: { reason: 'hold_ending' } })).toMatch(
    /^Needs attention: The held/,
  );
  expect(said({ type: 'moved', to: 'succeeded', from: 'expired', late: true })).toBe(
    'Succeeded, after it had ended as “Expired”',
  );
  expect(detail({ ...entry, type: 'resolved', detail: { note: 'Seen.' } }, 'note')).toBe('Seen.');
});

test('amounts', () => {
  expect(minus('1500.00', '0.5')).toBe('1499.50');
  expect(minus('1', '2.25')).toBe('-1.25');
  expect(total(['0.1', '0.2', '10'])).toBe('10.3');
  expect(total([])).toBe('0');
  expect([isPositive('0.00'), isPositive('-1'), isPositive('0.01')]).toEqual([false, false, true]);
  expect(money('12345678901234567.89', 'NGN')).toBe('₦12,345,678,901,234,567.89');
});

test('days of the books', () => {
  expect(dayIn('Africa/Lagos', '2031-01-31T23:30:00.000Z')).toBe('2031-02-01');
  expect(dayIn('America/New_York', '2031-02-01T03:30:00.000Z')).toBe('2031-01-31');
  expect([lastDay('2032-02'), lastDay('2031-12'), daysBefore('2031-03-01', 1)]).toEqual([
    ...['2032-02-29', '2031-12-31', '2031-02-28'],
  ]);
});

test('30 days, with those on which nothing was paid', () => {
  const paid = [{ day: '2031-01-30', currency: 'NGN', count: 2, captured: '3000.00', refunded: '0.00' }];
  const days = paidDays(paid, 'NGN', '2031-01-31');
  expect(days).toHaveLength(30);
  expect(days.slice(-2)).toEqual([
    { day: '2031-01-30', count: 2, amount: '3000.00' },
    { day: '2031-01-31', count: 0, amount: '0' },
  ]);
  expect(heights(days).slice(-2)).toEqual([1, 0]);
  expect(heights(paidDays([], 'NGN', '2031-01-31'))).toEqual(Array.from({ length: 30 }, () => 0));
});

test('an address has a path and filters', () => {
  expect(readRoute('#payments/pay_1?status=failed&from=')).toEqual({
    ...{ path: ['payments', 'pay_1'], query: { status: 'failed' } },
  });
  expect(readRoute('')).toEqual({ path: [], query: {} });
  expect(readRoute('#%E0%A4%A')).toEqual({ path: ['%E0%A4%A'], query: {} });
  expect(hrefOf('payments', { status: 'failed', method: '', from: undefined })).toBe(
    '#payments?status=failed',
  );
});
