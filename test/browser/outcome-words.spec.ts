import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { newsIn } from '../../browser/element/late-news.js';
import { chargeOf, mayStillArrive, outcomeOf, type PayersPart } from '../../browser/element/outcome.js';
import type { CheckoutSession, Payment } from '../../browser/kit/api.js';
import type { View } from '../../browser/element/view.js';

/** What a payer is told of their money, without a browser. */

const english = JSON.parse(
  readFileSync(new URL('../../browser/messages/en.json', import.meta.url), 'utf8'),
) as Record<string, string>;

const nothing: PayersPart = { hasSent: false, hasLeft: false };
const sent: PayersPart = { hasSent: true, hasLeft: false };
const left: PayersPart = { hasSent: false, hasLeft: true };

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

const said = (payment: Payment, part = nothing, isLast = false): string[] => {
  const { title, sentences } = outcomeOf(payment, part, isLast);
  return [title, ...sentences.map(({ text }) => text)];
};

describe('how a payment went', () => {
  test.each<[string, object, PayersPart, string[]]>([
    ['paid', {}, nothing, ['success.title', 'success.text']],
    ['held', { status: 'authorized' }, nothing, ['authorized.title', 'authorized.text']],
    [
      'given back whole',
      { amountCaptured: '1500.00', amountRefunded: '1500.00' },
      nothing,
      ['refunded.title', 'refunded.text'],
    ],
    [
      'given back in part',
      { amountCaptured: '1500.00', amountRefunded: '500.00' },
      nothing,
      ['success.title', 'success.text', 'refunded.part'],
    ],
    ['charged back', { disputed: true }, nothing, ['refunded.title', 'refunded.disputed']],
    ['paid twice', { duplicateOf: 'pay_0' }, nothing, ['success.title', 'success.text', 'success.duplicate']],
    ['reversed', { status: 'voided', amountCaptured: '1500.00' }, nothing, ['refunded.title', 'voided.text']],
    [
      'a hold that was released',
      { status: 'voided' },
      nothing,
      ['canceled.title', 'voided.hold', 'notCharged'],
    ],
    ['a card, canceled', { status: 'canceled' }, nothing, ['canceled.title', 'notCharged']],
    [
      'a card, canceled after the bank’s page',
      { status: 'canceled' },
      left,
      ['canceled.title', 'ifSent.card'],
    ],
    [
      'a transfer, canceled',
      { status: 'canceled', method: 'transfer' },
      nothing,
      ['canceled.title', 'ifSent.transfer'],
    ],
    [
      'a transfer, sent and canceled',
      { status: 'canceled', method: 'transfer' },
      sent,
      ['canceled.title', 'ifSent.transfer'],
    ],
    [
      'a transfer whose time ran out',
      { status: 'expired', method: 'transfer' },
      nothing,
      ['failed.title', 'expired.text', 'ifSent.transfer'],
    ],
    [
      'a transfer, sent, whose time ran out',
      { status: 'expired', method: 'transfer' },
      sent,
      ['confirming.title', 'late.text', 'ifSent.transfer'],
    ],
    [
      'a wallet whose time ran out',
      { status: 'expired', method: 'wallet' },
      nothing,
      ['failed.title', 'expired.text', 'ifSent.wallet'],
    ],
    [
      'USSD whose time ran out',
      { status: 'expired', method: 'ussd' },
      nothing,
      ['failed.title', 'expired.text', 'ifSent.ussd'],
    ],
    [
      'a card whose time ran out',
      { status: 'expired' },
      nothing,
      ['failed.title', 'expired.text', 'notCharged'],
    ],
    [
      'another amount',
      { status: 'expired', method: 'transfer', attentionReasons: ['differs'] },
      nothing,
      ['confirming.title', 'partial.shop'],
    ],
    [
      'declined without a reason',
      { status: 'failed', ...failed('declined', null) },
      nothing,
      ['failed.title', 'reason.none', 'notCharged'],
    ],
    [
      'declined for a reason of a later version',
      { status: 'failed', ...failed('declined', 'moonPhase') },
      nothing,
      ['failed.title', 'reason.none', 'notCharged'],
    ],
    [
      'a wallet, declined',
      { status: 'failed', method: 'wallet', ...failed('declined') },
      nothing,
      ['failed.title', 'reason.other', 'notCharged'],
    ],
    [
      'a transfer that failed at the bank',
      { status: 'failed', method: 'transfer', ...failed('declined') },
      nothing,
      ['failed.title', 'reason.other', 'failed.elsewhere'],
    ],
    [
      'nothing sent',
      { status: 'failed', ...failed('gateway_unavailable') },
      nothing,
      ['failed.title', 'failed.unavailable', 'notCharged'],
    ],
    [
      'settled by a person',
      { status: 'failed', ...failed('resolved') },
      nothing,
      ['failed.title', 'failed.resolved'],
    ],
  ])('%s', (_, over, part, texts) => {
    expect(said(paymentOf(over), part)).toEqual(texts);
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
    expect(said(payment, nothing, true)).toContain('failed.last');
  });

  test('the amount is what was taken, not what was asked', () => {
    const { sentences } = outcomeOf(paymentOf({ amountCaptured: '1200.00' }), nothing, false);
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
const parts = fc.record({ hasSent: fc.boolean(), hasLeft: fc.boolean() });

describe('whatever happened', () => {
  test('nobody whose money may be on its way, or was taken, hears that they were not charged', () => {
    fc.assert(
      fc.property(payments, parts, (payment, part) => {
        const texts = said(payment, part);
        const { status, amountCaptured, attentionReasons } = payment;
        const differs = attentionReasons.includes('differs');
        const isTaken = status === 'succeeded' || status === 'authorized';
        const hasMoved = isTaken || differs || (status === 'voided' && amountCaptured !== null);
        if (hasMoved || mayStillArrive(payment, part)) expect(texts).not.toContain('notCharged');
        if (mayStillArrive(payment, part) && !differs)
          expect(texts.some((text) => text.startsWith('ifSent.'))).toBe(true);
      }),
    );
  });

  test('every text exists, and no text is the gateway’s', () => {
    fc.assert(
      fc.property(payments, parts, fc.boolean(), (payment, part, isLast) => {
        for (const text of said(payment, part, isLast)) expect(english[text]).toEqual(expect.any(String));
      }),
    );
  });

  test('the end of a session says that nothing was charged only where nothing may have been', () => {
    fc.assert(
      fc.property(fc.array(payments, { maxLength: 4 }), parts, (all, part) => {
        const texts = chargeOf(sessionOf({ status: 'expired' }, ...all), () => part).map(({ text }) => text);
        const isUntouched = all.every(
          (payment) =>
            ['failed', 'canceled', 'expired'].includes(payment.status) && !mayStillArrive(payment, part),
        );
        if (!isUntouched) expect(texts).not.toContain('notCharged');
        if (all.some((payment) => mayStillArrive(payment, part))) expect(texts).toEqual(['ifSent.any']);
      }),
    );
    expect(chargeOf(sessionOf({ status: 'expired' }), () => nothing)).toEqual([{ text: 'notCharged' }]);
  });
});

describe('late money', () => {
  const canceled = paymentOf({ status: 'canceled', method: 'transfer' });
  const paid = paymentOf({ method: 'transfer' });
  const empty = sessionOf({});
  const views: View[] = [
    { kind: 'choose', session: empty },
    { kind: 'declined', session: empty, payment: paymentOf({ id: 'pay_2', status: 'failed' }) },
    { kind: 'outcome', payment: canceled },
    { kind: 'outcome', payment: paymentOf({ status: 'expired', method: 'transfer' }) },
    { kind: 'ended', session: empty, reason: 'expired' },
    { kind: 'ended', session: empty, reason: 'closed' },
    { kind: 'transfer', payment: paymentOf({ status: 'requires_action', nextAction: { type: 'transfer' } }) },
    { kind: 'confirming' },
  ];
  test.each(views)('corrects $kind', (view) => {
    expect(newsIn(sessionOf({ status: 'paid' }, paid), view)).toBe(paid);
  });

  test('what is shown stays where nothing has changed', () => {
    const waits = paymentOf({ status: 'requires_action', nextAction: { type: 'otp' } });
    expect(newsIn(sessionOf({}, canceled), { kind: 'outcome', payment: canceled })).toBeUndefined();
    expect(newsIn(sessionOf({}, canceled), { kind: 'choose', session: empty })).toBeUndefined();
    expect(newsIn(sessionOf({}, waits), { kind: 'otp', payment: waits })).toBeUndefined();
  });

  test('the end of the session is news to a form', () => {
    expect(newsIn(sessionOf({ status: 'expired' }), { kind: 'choose', session: empty })).toBe('session');
    const view: View = { kind: 'ended', session: empty, reason: 'expired' };
    expect(newsIn(sessionOf({ status: 'expired' }), view)).toBeUndefined();
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
