import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { newsIn } from '../../browser/checkout/late-news.js';
import { chargeOf, mayStillArrive, outcomeOf } from '../../browser/checkout/outcome.js';
import type { CheckoutSession, Payment } from '../../browser/kit/types.js';
import type { View } from '../../browser/checkout/view.js';

/** What a payer is told of their money, without a browser. */

const english = JSON.parse(
  readFileSync(new URL('../../browser/messages/en.json', import.meta.url), 'utf8'),
) as Record<string, string>;

const failed = (code: string, reason?: string | null): object => ({
  failure: { code, message: 'DO NOT HONOUR', reason, retryable: false },
});

const paymentOf = (over: object): Payment =>
  ({
    id: 'pay_1',
    status: 'succeeded',
    method: 'card',
    amount: '1500.00',
    currency: 'NGN',
    amountAuthorized: null,
    amountCaptured: null,
    attentionReasons: [],
    amountRefunded: null,
    disputed: false,
    duplicateOf: null,
    nextAction: null,
    failure: null,
    ...over,
  }) as unknown as Payment;

const sessionOf = (over: object, ...payments: Payment[]): CheckoutSession =>
  ({ status: 'open', payments, ...over }) as unknown as CheckoutSession;

const said = (payment: Payment, session: CheckoutSession | undefined = sessionOf({}, payment)): string[] => {
  const { title, sentences } = outcomeOf(payment, session);
  return [title, ...sentences.map(({ text }) => text)];
};

describe('how a payment went', () => {
  test.each<[string, object, string[]]>([
    ['paid', {}, ['success.title', 'success.text']],
    ['held', { status: 'authorized' }, ['authorized.title', 'authorized.text']],
    [
      'given back whole',
      { amountCaptured: '1500.00', amountRefunded: '1500.00' },
      ['refunded.title', 'refunded.text'],
    ],
    [
      'given back in part',
      { amountCaptured: '1500.00', amountRefunded: '500.00' },
      ['success.title', 'success.text', 'refunded.part'],
    ],
    ['charged back', { disputed: true }, ['refunded.title', 'refunded.disputed']],
    ['paid twice', { duplicateOf: 'pay_0' }, ['success.title', 'success.text', 'success.duplicate']],
    ['reversed', { status: 'voided', amountCaptured: '1500.00' }, ['refunded.title', 'voided.text']],
    ['a hold that was released', { status: 'voided' }, ['canceled.title', 'voided.hold', 'notCharged']],
    ['a card, canceled', { status: 'canceled' }, ['canceled.title', 'ifSent.card']],
    [
      'a transfer, canceled',
      { status: 'canceled', method: 'transfer' },
      ['canceled.title', 'ifSent.transfer'],
    ],
    [
      'a transfer whose time ran out',
      { status: 'expired', method: 'transfer' },
      ['failed.title', 'expired.text', 'ifSent.transfer'],
    ],
    [
      'a wallet whose time ran out',
      { status: 'expired', method: 'wallet' },
      ['failed.title', 'expired.text', 'ifSent.wallet'],
    ],
    [
      'USSD whose time ran out',
      { status: 'expired', method: 'ussd' },
      ['failed.title', 'expired.text', 'ifSent.ussd'],
    ],
    ['a card whose time ran out', { status: 'expired' }, ['failed.title', 'expired.text', 'ifSent.card']],
    [
      'another amount',
      { status: 'expired', method: 'transfer', attentionReasons: ['differs'] },
      ['confirming.title', 'partial.shop'],
    ],
    [
      'declined without a reason',
      { status: 'failed', ...failed('declined', null) },
      ['failed.title', 'reason.none', 'notCharged'],
    ],
    [
      'declined for a reason of a later version',
      { status: 'failed', ...failed('declined', 'moonPhase') },
      ['failed.title', 'reason.none', 'notCharged'],
    ],
    [
      'a wallet, declined',
      { status: 'failed', method: 'wallet', ...failed('declined') },
      ['failed.title', 'reason.other', 'notCharged'],
    ],
    [
      'a transfer that failed at the bank',
      { status: 'failed', method: 'transfer', ...failed('declined') },
      ['failed.title', 'reason.other', 'failed.elsewhere'],
    ],
    [
      'nothing sent',
      { status: 'failed', ...failed('gateway_unavailable') },
      ['failed.title', 'failed.unavailable', 'notCharged'],
    ],
    ['settled by a person', { status: 'failed', ...failed('resolved') }, ['failed.title', 'failed.resolved']],
  ])('%s', (_, over, texts) => {
    expect(said(paymentOf(over))).toEqual(texts);
  });

  test.each([
    'insufficientFunds',
    'wrongCode',
    'wrongPin',
    'expiredCard',
    'cardBlocked',
    'limitExceeded',
    'notPermitted',
    'authenticationFailed',
    'askBank',
    'tryAgain',
  ])('a decline for %s has its own sentence', (reason) => {
    const payment = paymentOf({ status: 'failed', ...failed('declined', reason) });
    expect(said(payment)[1]).toBe(`reason.${reason}`);
  });

  test('the last decline that a session allows says so', () => {
    const payment = paymentOf({ status: 'failed', ...failed('declined', 'insufficientFunds') });
    expect(said(payment, sessionOf({ status: 'closed' }, payment))).toContain('failed.last');
  });

  test('the amount is what was taken, not what was asked', () => {
    const { sentences } = outcomeOf(paymentOf({ amountCaptured: '1200.00' }), undefined);
    expect(sentences[0]?.amounts).toEqual({ amount: '1200.00' });
  });
});

const statuses = ['authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'] as const;
const payments = fc
  .record({
    id: fc.constantFrom('pay_1', 'pay_2', 'pay_3'),
    status: fc.constantFrom(...statuses),
    method: fc.constantFrom('card', 'wallet', 'transfer', 'ussd', 'unknown'),
    amountCaptured: fc.option(fc.constantFrom('1500.00', '1000.00')),
    attentionReasons: fc.subarray(['differs', 'outcome_unknown']),
    amountRefunded: fc.option(fc.constantFrom('0.01', '1500.00')),
    disputed: fc.boolean(),
    code: fc.constantFrom('declined', 'resolved', 'gateway_unavailable', 'gateway_never_received'),
  })
  .map(({ code, ...over }) => paymentOf({ ...over, ...(over.status === 'failed' ? failed(code) : {}) }));

describe('whatever happened', () => {
  test('nor does anybody of whose other payments the same holds, or of whose others nothing is known', () => {
    fc.assert(
      fc.property(payments, payments, (payment, other) => {
        fc.pre(payment.id !== other.id);
        const texts = said(payment, sessionOf({}, other, payment));
        const isFine = other.status === 'failed' && chargeOf({ payments: [other] }).length > 0;
        if (!isFine) expect(texts).not.toContain('notCharged');
        const others = texts.filter((text) => !said(payment).includes(text) && text !== 'notCharged');
        if (mayStillArrive(other) && said(payment).includes('notCharged'))
          expect(others).toEqual(['ifSent.any']);
        const { title, sentences } = outcomeOf(payment, undefined);
        expect([title, ...sentences.map(({ text }) => text)]).not.toContain('notCharged');
      }),
    );
  });

  test('nobody whose money may be on its way, or was taken, hears that they were not charged', () => {
    fc.assert(
      fc.property(payments, (payment) => {
        const texts = said(payment);
        const { status, amountCaptured, attentionReasons } = payment;
        const differs = attentionReasons.includes('differs');
        const isTaken = status === 'succeeded' || status === 'authorized';
        const hasMoved = isTaken || differs || (status === 'voided' && amountCaptured !== null);
        if (hasMoved || mayStillArrive(payment)) expect(texts).not.toContain('notCharged');
        if (mayStillArrive(payment) && !differs)
          expect(texts.some((text) => text.startsWith('ifSent.'))).toBe(true);
      }),
    );
  });

  test('every text exists, and no text is the gateway’s', () => {
    fc.assert(
      fc.property(payments, fc.boolean(), (payment, isLast) => {
        const session = sessionOf({ status: isLast ? 'closed' : 'open' }, payment);
        for (const text of said(payment, session)) expect(english[text]).toEqual(expect.any(String));
      }),
    );
  });

  test('the end of a session says that nothing was charged only where nothing may have been', () => {
    fc.assert(
      fc.property(fc.array(payments, { maxLength: 4 }), (all) => {
        const texts = chargeOf(sessionOf({ status: 'expired' }, ...all)).map(({ text }) => text);
        const isUntouched = all.every(({ status }) => status === 'failed');
        if (!isUntouched) expect(texts).not.toContain('notCharged');
        if (all.some((payment) => mayStillArrive(payment))) expect(texts).toEqual(['ifSent.any']);
      }),
    );
    expect(chargeOf(sessionOf({ status: 'expired' }))).toEqual([{ text: 'notCharged' }]);
  });
});

describe('late money', () => {
  const canceled = paymentOf({ status: 'canceled', method: 'transfer' });
  const paid = paymentOf({ method: 'transfer' });
  const views: View[] = [
    { kind: 'choose' },
    { kind: 'declined', payment: paymentOf({ id: 'pay_2', status: 'failed' }) },
    { kind: 'outcome', payment: canceled },
    { kind: 'outcome', payment: paymentOf({ status: 'expired', method: 'transfer' }) },
    { kind: 'ended', reason: 'expired' },
    { kind: 'ended', reason: 'closed' },
    { kind: 'transfer', payment: paymentOf({ status: 'requires_action', nextAction: { type: 'transfer' } }) },
    { kind: 'confirming', payment: paymentOf({ status: 'processing' }) },
  ];
  test.each(views)('corrects $kind', (view) => {
    expect(newsIn(sessionOf({ status: 'paid' }, paid), view)).toBe(paid);
  });

  test('what is shown stays where nothing has changed', () => {
    const waits = paymentOf({ status: 'requires_action', nextAction: { type: 'otp' } });
    expect(newsIn(sessionOf({}, canceled), { kind: 'outcome', payment: canceled })).toBeUndefined();
    expect(newsIn(sessionOf({}, canceled), { kind: 'choose' })).toBeUndefined();
    expect(newsIn(sessionOf({}, waits), { kind: 'otp', payment: waits })).toBeUndefined();
  });

  test('the end of the session is news to a form', () => {
    expect(newsIn(sessionOf({ status: 'expired' }), { kind: 'choose' })).toBe('session');
    const view: View = { kind: 'ended', reason: 'expired' };
    expect(newsIn(sessionOf({ status: 'expired' }), view)).toBeUndefined();
    // Another session of the order has paid.
    expect(newsIn(sessionOf({}), { kind: 'ended', reason: 'paid' })).toBeUndefined();
  });

  test('what the shop reversed is shown where that closed the session', () => {
    const reversed = paymentOf({ status: 'voided', amountCaptured: '1500.00' });
    const view: View = { kind: 'ended', reason: 'closed' };
    expect(newsIn(sessionOf({ status: 'closed' }, reversed), view)).toBe(reversed);
    expect(newsIn(sessionOf({}, reversed), { kind: 'choose' })).toBeUndefined();
  });

  test('another amount is news', () => {
    const waits = paymentOf({
      status: 'requires_action',
      method: 'transfer',
      nextAction: { type: 'transfer' },
    });
    const partly = { ...waits, attentionReasons: ['differs'] };
    expect(newsIn(sessionOf({}, partly), { kind: 'transfer', payment: waits })).toBe(partly);
  });
});
