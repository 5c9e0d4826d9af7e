import { describe, expect, it } from '@jest/globals';
import type { Fact } from '../../src/gateway/fact.js';
import type { Command, Input, Resolution } from '../../src/payments/core/input.js';
import type { OrderState } from '../../src/payments/core/payment.js';
import { paymentView } from '../../src/payments/core/view.js';
import {
  AMOUNT,
  announced,
  DECLINED,
  first,
  heard,
  HOUR,
  moved,
  NOW,
  operation,
  order,
  OTP,
  payment,
  reasons,
  SECOND,
  when,
} from './given.js';

/** Single sentences of the contract, each with what a first draft made of it. */

const person = (as: Resolution, of = 'pay_1'): Input => ({
  by: 'person',
  payment: of,
  actor: 'merchant:anna',
  as,
  note: 'seen in the gateway’s console',
});
const command = (what: Command): Input => ({
  by: 'command',
  command: what,
  actor: 'merchant',
  process: 'p1',
});
const attention = (reason: 'differs' | 'outcome_unknown' | 'duplicate' | 'contradicted') => [
  { reason, since: NOW - HOUR, word: `${reason} ` },
];

describe('an answer', () => {
  it('that voids the last payment that a session may have closes it', () => {
    const last = order([payment({ status: 'authorized' })], { started: 20 });
    expect(announced(when(last, heard({ is: 'reversed' })))).toEqual([
      'payment.voided',
      'checkout_session.closed',
    ]);
  });

  it('that refuses teaches the transaction that it names', () => {
    const refused: Fact = { is: 'refused', failure: DECLINED, cardTried: true, transactionRef: 'TX9' };
    const start = order([payment({ operations: [operation('pay', { state: 'intended' })] })]);
    const declined = first(when(start, heard(refused, { to: { operation: 'op_pay' } })));
    expect(declined).toMatchObject({ status: 'failed', transactionRef: 'TX9' });
  });

  it('that refuses a later operation teaches no transaction: it may name one of its own', () => {
    const paid = payment({
      status: 'succeeded',
      captured: AMOUNT,
      transactionRef: 'TX1',
      operations: [operation('void')],
    });
    const refused: Fact = { is: 'refused', failure: DECLINED, cardTried: false, transactionRef: 'VOID9' };
    const is = when(order([paid]), heard(refused, { to: { operation: 'op_void' } }));
    expect(first(is)).toMatchObject({ status: 'succeeded', transactionRef: 'TX1' });
    expect(first(is).operations[0]?.state).toBe('refused');
  });

  it('to a code that is about another amount leaves the code open, so that none is sent beside it', () => {
    const one = payment({ status: 'requires_action', operations: [operation('otp')] });
    const is = when(order([one]), heard({ is: 'paid', amount: 1n }, { to: { operation: 'op_otp' } }));
    expect(first(is).operations[0]?.state).toBe('unknown');
    expect(paymentView(is.state, first(is), false).nextAction).toBeNull();
  });

  it('to a cancel that is about another amount calls nothing off', () => {
    const is = when(
      order([payment({ status: 'requires_action' })]),
      heard({ ...OTP, amount: 1n }, { to: 'cancel' }),
    );
    expect(first(is)).toMatchObject({ status: 'requires_action', attention: [{ reason: 'differs' }] });
  });

  it.each<[string, Fact]>([
    ['an unlisted word', { is: 'unlisted', word: 'ODD' }],
    ['another amount', { is: 'paid', amount: 1n }],
    ['waiting', { is: 'waiting' }],
  ])('of %s shows that the gateway knows the payment: it cannot deny it later', (_name, known) => {
    let state = when(order([payment({ createdAt: NOW - HOUR })]), heard(known)).state;
    for (let count = 1; count <= 4; count++)
      state = when(state, heard({ is: 'denied' }), NOW + count * HOUR).state;
    expect(state.payments[0]?.status).toBe('processing');
  });

  it('with a refundedAmount beside a chargeback enters the refund first', () => {
    const is = when(
      order([payment({ status: 'succeeded' })]),
      heard({ is: 'chargedBack', refundedTotal: 500n }),
    );
    expect(moved(is)).toEqual(['refund out 500', 'chargeback out 1000']);
  });

  it('is not ours where the gateway dates the success more than 10 min before our intent', () => {
    const early = heard({ is: 'paid', paidAt: NOW - HOUR });
    expect(reasons(first(when(order([payment({ createdAt: NOW })]), early)))).toEqual(['differs']);
    expect(first(when(order([payment({ createdAt: NOW, adopted: true })]), early)).status).toBe('succeeded');
  });

  it('is ours on the same day where the gateway names only the day, wherever it is', () => {
    const on = (paidAt: number) => {
      const heardOn = heard({ is: 'paid', paidAt, paidOnDay: true });
      return first(when(order([payment({ createdAt: NOW })]), heardOn)).status;
    };
    expect([on(NOW - 35 * HOUR), on(NOW - 37 * HOUR)]).toEqual(['succeeded', 'processing']);
  });

  it.each<[Fact, string]>([
    [{ is: 'paid' }, 'succeeded'],
    [{ is: 'held' }, 'authorized'],
    [{ is: 'givenBack', whole: false, refundedTotal: 500n }, 'succeeded'],
    [{ is: 'chargedBack' }, 'succeeded'],
    [{ is: 'disputeWon' }, 'succeeded'],
    [{ is: 'failed', failure: DECLINED }, 'processing'],
    [{ is: 'reversed' }, 'processing'],
    [OTP, 'processing'],
  ])('of who lost the lease counts where money moved: %o', (fact, status) => {
    const is = first(when(order([payment()]), heard(fact, { owned: false })));
    expect(is.status).toBe(status);
    if (status === 'processing') expect(is.check.at).toBe(NOW);
  });

  it('is not ours under a transaction of another order', () => {
    expect(reasons(first(when(order([payment()]), heard({ is: 'paid' }, { taken: true }))))).toEqual([
      'differs',
    ]);
  });
});

describe('denials', () => {
  const denied = heard({ is: 'denied' });
  const after = (...minutes: number[]): OrderState =>
    minutes.reduce(
      (state, at) => when(state, denied, NOW + at * 60 * SECOND).state,
      order([payment({ createdAt: NOW })]),
    );

  it('fail a payment after three, each a third of the grace after the one before', () => {
    expect(after(5, 10).payments[0]?.status).toBe('processing');
    expect(after(5, 10, 15).payments[0]).toMatchObject({
      status: 'failed',
      failure: { code: 'gateway_never_received', retryable: true },
    });
  });

  it('are due at whole milliseconds, because columns take no others', () => {
    let state = order([payment({ createdAt: NOW })]);
    const due = [];
    for (let at = SECOND; at < 60 * SECOND; at += SECOND) {
      state = when(state, denied, NOW + at, { notFoundGraceMs: 40_000 }).state;
      due.push(state.payments[0]?.check?.at);
    }
    expect(due.filter((one) => one != null && !Number.isInteger(one))).toEqual([]);
    expect(due).toContain(NOW + 13_334);
    expect(state.payments[0]?.failure?.code).toBe('gateway_never_received');
  });

  it('that come too soon count for nothing', () => {
    expect(after(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14).payments[0]?.status).toBe('processing');
  });
});

describe('our own clock', () => {
  const over = { expiresAt: NOW - SECOND };

  it('never ends a card in processing, and lets it become requires_action first', () => {
    expect(first(when(order([payment()], over), heard({ is: 'waiting' }))).status).toBe('processing');
    const asked = when(order([payment()], over), heard(OTP));
    expect(first(asked).status).toBe('requires_action');
    expect(first(when(asked.state, heard(OTP), NOW + SECOND)).status).toBe('expired');
  });

  it('never ends a card whose code is being checked', () => {
    const one = payment({ status: 'requires_action', operations: [operation('otp')] });
    expect(first(when(order([one], over), heard({ is: 'waiting' }))).status).toBe('requires_action');
  });

  it('waits for the end that the gateway gave', () => {
    const one = payment({ status: 'requires_action', method: 'transfer' });
    const waiting = heard({ is: 'waiting', expiresAt: NOW + HOUR });
    expect(first(when(order([one], over), waiting)).status).toBe('requires_action');
    expect(first(when(order([one], over), heard({ is: 'waiting', expiresAt: NOW - 1 }))).status).toBe(
      'expired',
    );
  });

  it('does not end a session while a payment of it is live', () => {
    const state = when(order([payment({ status: 'authorized' })], over), { by: 'clock' }).state;
    expect(state.order?.sessions[0]?.status).toBe('open');
    expect(state.order?.dueAt).toBeNull();
  });
});

describe('a cancel', () => {
  const cancel = (fact: Fact): Input => heard(fact, { to: 'cancel' });

  it.each<[string, Fact]>([
    ['waiting', { is: 'waiting' }],
    ['unknown there', { is: 'denied' }],
  ])('calls off what is %s', (_name, fact) => {
    const is = when(order([payment({ status: 'requires_action' })]), cancel(fact));
    expect(first(is)).toMatchObject({ status: 'canceled', failure: { code: 'canceled' } });
  });

  it('never calls off a card being charged', () => {
    const sent = payment({ status: 'requires_action', operations: [operation('pin')] });
    expect(first(when(order([sent]), cancel({ is: 'denied' }))).status).toBe('requires_action');
    expect(first(when(order([payment({ waited: true })]), cancel(OTP))).status).toBe('requires_action');
  });

  it('calls off a wallet in processing once the gateway answered waiting', () => {
    const wallet = { method: 'wallet' as const };
    expect(first(when(order([payment({ ...wallet, waited: true })]), cancel({ is: 'waiting' }))).status).toBe(
      'canceled',
    );
    expect(first(when(order([payment(wallet)]), cancel({ is: 'denied' }))).status).toBe('processing');
  });
});

describe('a reversal', () => {
  const reversed = (amount: bigint) => heard({ is: 'reversed', amount });

  it('of less than what was captured is the gateway’s own refund, for a person', () => {
    const is = when(order([payment({ status: 'succeeded' })]), reversed(500n));
    expect(moved(is)).toEqual(['refund out 500']);
    expect(reasons(first(is))).toEqual(['refund_unexplained']);
    expect(moved(when(is.state, reversed(500n)))).toEqual([]);
  });

  it('of just the rest of a hold moves nothing', () => {
    const one = payment({ status: 'succeeded', authorized: 3000n });
    const is = when(order([one]), reversed(1500n));
    expect(first(is).status).toBe('succeeded');
    expect(announced(is)).toEqual([]);
    const voiding = { ...one, operations: [operation('void')] };
    expect(first(when(order([voiding]), reversed(1500n))).status).toBe('voided');
  });
});

describe('a refund', () => {
  const paid = payment({ status: 'succeeded' });
  const refunded = (total: bigint): Fact => ({ is: 'givenBack', whole: false, refundedTotal: total });
  const failed = operation('refund', { state: 'refused', amount: 500n });

  it('whose amount is another one is not ours', () => {
    const one = { ...paid, operations: [operation('refund', { amount: 500n })] };
    const is = when(order([one]), heard({ is: 'refundDone', amount: 900n }, { to: { refund: 'ref_1' } }));
    expect(moved(is)).toEqual([]);
    expect(reasons(first(is))).toEqual(['differs']);
  });

  it('that had failed and is done after all is recorded as late', () => {
    const is = when(
      order([{ ...paid, operations: [failed] }]),
      heard({ is: 'refundDone' }, { to: { refund: 'ref_1' }, owned: false }),
    );
    expect(moved(is)).toEqual(['refund out 500']);
    expect(first(is).operations[0]?.state).toBe('confirmed');
    expect(is.entries[0]).toMatchObject({ line: { type: 'refunded', late: true } });
  });

  it('that had failed is not counted again where it was seen as the gateway’s own', () => {
    const seen = when(order([{ ...paid, operations: [failed] }]), heard(refunded(500n)));
    expect(reasons(first(seen))).toEqual(['refund_unexplained']);
    expect(moved(when(seen.state, heard({ is: 'refundDone' }, { to: { refund: 'ref_1' } })))).toEqual([]);
  });

  it('of ours that nobody heard of, beside one by the gateway, is in the rise', () => {
    const one = { ...paid, operations: [operation('refund', { amount: 500n })] };
    expect(moved(when(order([one]), heard(refunded(800n))))).toEqual(['refund out 500', 'refund out 300']);
  });

  it('that the gateway made needs a person in a restored store', () => {
    const is = when(order([paid]), heard(refunded(500n)), NOW, { restoredAt: NOW - HOUR });
    expect(reasons(first(is))).toEqual(['refund_unexplained']);
  });

  it('that fell moves nothing and needs a person', () => {
    const is = when(order([{ ...paid, refunded: 500n }]), heard(refunded(200n)));
    expect(moved(is)).toEqual([]);
    expect(reasons(first(is))).toEqual(['refund_unexplained']);
  });

  it('that bounced is failed and late, and its money is back', () => {
    const one = {
      ...paid,
      refunded: 500n,
      operations: [operation('refund', { state: 'confirmed', amount: 500n })],
    };
    const is = when(order([one]), heard({ is: 'refundFailed' }, { to: { refund: 'ref_1' } }));
    expect(moved(is)).toEqual(['refund_reversal in 500']);
    expect(first(is).operations[0]).toMatchObject({ state: 'refused', late: true });
  });

  it.each(['voided', 'failed'] as const)(
    'that bounces under a payment that a person called %s is for a person',
    (status) => {
      const refund = operation('refund', { state: 'confirmed' });
      const one = payment({ status, captured: AMOUNT, refunded: AMOUNT, operations: [refund] });
      const is = when(order([one]), heard({ is: 'refundFailed' }, { to: { refund: 'ref_1' } }));
      expect(moved(is)).toEqual([]);
      expect(reasons(first(is))).toEqual(['contradicted']);
    },
  );

  it('given back whole twice is entered once', () => {
    const whole = heard({ is: 'givenBack', whole: true });
    expect(moved(when(when(order([paid]), whole).state, whole))).toEqual([]);
  });
});

describe('a duplicate', () => {
  const payer = payment({ n: 2, status: 'succeeded' });
  const duplicate = payment({ status: 'succeeded', duplicateOf: 'pay_2', attention: attention('duplicate') });

  it('is announced as that only, and keeps all but duplicates from being given back', () => {
    const is = when(order([payer, payment({ status: 'failed' })]), heard({ is: 'paid' }));
    expect(announced(is)).toEqual(['payment.duplicate', 'payment.needs_attention']);
    expect(() => when(is.state, command({ do: 'void', payment: 'pay_2', operation: 'op_1' }))).toThrow(
      /invalid-state/,
    );
    expect(when(is.state, command({ do: 'void', payment: 'pay_1', operation: 'op_1' })).effects).toHaveLength(
      1,
    );
  });

  it('keeps the order paid while the payment that pays holds nothing, and can take over', () => {
    const given = when(order([duplicate, payer]), heard({ is: 'reversed' }, { payment: 'pay_2' }));
    expect(given.state.order).toMatchObject({ payer: 'pay_2', sessions: [{ status: 'paid' }] });
    const is = when(given.state, person({ status: 'succeeded' }));
    expect(is.state.order).toMatchObject({
      payer: 'pay_1',
      duplicates: ['pay_2'],
      sessions: [{ status: 'paid' }],
    });
    expect(is.state.payments.map(({ duplicateOf }) => duplicateOf)).toEqual([null, 'pay_1']);
    expect(reasons(first(is))).toEqual([]);
  });

  it('that gets its money back after the payer left can take over from none', () => {
    const refund = operation('refund', { state: 'confirmed' });
    const settled = { ...duplicate, attention: [], refunded: AMOUNT, operations: [refund] };
    const left = when(order([settled, payer]), heard({ is: 'reversed' }, { payment: 'pay_2' })).state;
    expect(left.order).toMatchObject({
      payer: null,
      sessions: [{ status: 'closed', closedReason: 'voided' }],
    });
    const bounced = when(left, heard({ is: 'refundFailed' }, { to: { refund: 'ref_1' } })).state;
    expect(() =>
      when(
        bounced,
        command({
          do: 'pay',
          session: 'cs_1',
          payment: 'pay_3',
          operation: 'op_3',
          method: 'card',
          card: null,
        }),
      ),
    ).toThrow(/session-paid/);
    const is = when(bounced, person({ status: 'succeeded' }));
    expect(is.state.order).toMatchObject({ payer: 'pay_1', sessions: [{ status: 'paid' }] });
  });

  it('that holds nothing does not take over', () => {
    const nothing = { ...duplicate, refunded: AMOUNT, attention: attention('contradicted') };
    const given = when(
      order([nothing, payer]),
      heard({ is: 'givenBack', whole: true }, { payment: 'pay_2' }),
    ).state;
    const is = when(given, person({ status: 'succeeded' }));
    expect(is.state.order).toMatchObject({ payer: 'pay_2', duplicates: ['pay_1'] });
  });
});

describe('a person', () => {
  it('who calls a payment failed and then paid leaves amounts that the gateway’s word confirms', () => {
    const one = payment({ status: 'succeeded', attention: attention('contradicted') });
    const failed = when(order([one]), person({ status: 'failed' }));
    expect(moved(failed)).toEqual(['correction out 1500']);
    const again = { ...first(failed), attention: attention('differs') };
    const paid = when({ ...failed.state, payments: [again] }, person({ status: 'succeeded' }));
    expect(first(paid)).toMatchObject({ captured: AMOUNT, corrected: 0n });
    expect(announced(when(paid.state, heard({ is: 'paid', amount: AMOUNT })))).toEqual([]);
    expect(reasons(first(when(paid.state, heard({ is: 'paid', amount: 2n * AMOUNT }))))).toEqual(['differs']);
  });

  it('whose correction of a part-captured hold stays within what was completed', () => {
    const open = operation('complete', { amount: 600n });
    const one = payment({ status: 'authorized', operations: [open], attention: attention('differs') });
    const is = when(order([one]), person({ status: 'succeeded' }));
    expect(first(is)).toMatchObject({ captured: 600n, corrected: 0n });
    expect(reasons(first(when(is.state, heard({ is: 'paid', amount: AMOUNT }))))).toEqual(['differs']);
  });

  it('who called a partly refunded payment failed is overruled by the whole sale', () => {
    const refund = operation('refund', { state: 'confirmed', amount: 500n });
    const one = payment({
      status: 'succeeded',
      refunded: 500n,
      operations: [refund],
      attention: attention('contradicted'),
    });
    const failed = when(order([one]), person({ status: 'failed' }));
    expect(moved(failed)).toEqual(['correction out 1000']);
    const paid = when(failed.state, heard({ is: 'paid' }));
    expect(moved(paid)).toEqual(['payment in 1000']);
    expect(first(paid)).toMatchObject({ status: 'succeeded', captured: AMOUNT, corrected: 0n });
  });

  it('gives the ledger the note, and a refund its reason', () => {
    const one = payment({ status: 'succeeded', attention: attention('contradicted') });
    const is = when(order([one]), person({ status: 'voided' }));
    expect(is.entries).toContainEqual(
      expect.objectContaining({
        money: expect.objectContaining({ reason: 'seen in the gateway’s console', source: 'person' }),
      }),
    );
    const refund = operation('refund', { reason: 'too late' });
    const done = when(
      order([payment({ status: 'succeeded', operations: [refund] })]),
      heard({ is: 'refundDone' }, { to: { refund: 'ref_1' } }),
    );
    expect(done.entries[0]).toMatchObject({ money: { reason: 'too late' } });
  });

  it('cannot call a start refused, only say where the payment stands', () => {
    const one = payment({ operations: [operation('pay')], attention: attention('outcome_unknown') });
    expect(() => when(order([one]), person({ operation: 'refused' }))).toThrow(/invalid-state/);
    expect(first(when(order([one]), person({ status: 'failed' }))).failure?.code).toBe('resolved');
  });
});

describe('what is lost', () => {
  const probe = (fact: Fact): Input => ({ by: 'probe', loss: NOW, found: [{ n: 1, fact }] });
  const empty = (): OrderState => order([]);

  it.each<[string, Fact, boolean]>([
    ['paid', { is: 'paid' }, true],
    ['held', { is: 'held' }, true],
    ['waiting', { is: 'waiting' }, true],
    ['given back in part', { is: 'givenBack', whole: false }, true],
    ['charged back', { is: 'chargedBack' }, true],
    ['won', { is: 'disputeWon' }, true],
    ['failed', { is: 'failed', failure: DECLINED }, false],
    ['expired', { is: 'expired', failure: DECLINED }, false],
    ['reversed', { is: 'reversed' }, false],
    ['given back', { is: 'givenBack', whole: true }, false],
  ])('and is %s there', (_name, fact, adopted) => {
    const is = when(empty(), probe(fact));
    expect(is.state.payments).toHaveLength(adopted ? 1 : 0);
    expect(is.state.order).toMatchObject({ attempts: 1, probed: NOW });
  });

  it('is adopted once, by whichever replica comes first', () => {
    const is = when(empty(), probe({ is: 'paid' }));
    expect(when(is.state, probe({ is: 'paid' })).state.payments).toHaveLength(1);
    expect(
      when(is.state, { by: 'adoption', payment: 'pay_x', n: 1, fact: { is: 'paid' } }).state.payments,
    ).toHaveLength(1);
  });

  it('and has an open refund beside a reversal is given to a person, who can end that refund', () => {
    const voided = order([
      payment({ status: 'voided', operations: [operation('refund', { amount: 500n })] }),
    ]);
    const is = when(voided, heard({ is: 'refundDone' }, { to: { refund: 'ref_1' } }));
    expect(reasons(first(is))).toEqual(['contradicted']);
    for (const status of ['succeeded', 'failed'] as const) {
      const ended = when(is.state, person({ refundId: 'ref_1', status }));
      expect(first(ended).operations[0]?.state).toBe(status === 'failed' ? 'refused' : 'confirmed');
      expect(moved(ended)).toEqual([]);
    }
  });

  it('enters as expired beside a live payment, and has a failure then', () => {
    const is = when(order([payment({ n: 1 })]), {
      by: 'adoption',
      payment: 'pay_2',
      n: 2,
      fact: { is: 'waiting' },
    });
    expect(is.state.payments[1]).toMatchObject({
      status: 'expired',
      method: 'unknown',
      card: null,
      failure: { code: 'expired' },
    });
  });
});

describe('a notification', () => {
  const claim = (status?: Fact): Input => ({
    by: 'notification',
    payment: 'pay_1',
    ...(status ? { status } : {}),
  });

  it.each<[string, OrderState, Fact | undefined, boolean]>([
    ['nothing', order([payment({ status: 'succeeded' })]), undefined, true],
    ['paid of a paid one', order([payment({ status: 'succeeded' })]), { is: 'paid' }, false],
    [
      'paid of a disputed one',
      order([payment({ status: 'succeeded', disputed: true })]),
      { is: 'paid' },
      true,
    ],
    ['paid of a voided one', order([payment({ status: 'voided' })]), { is: 'paid' }, true],
    [
      'a word that nothing lists',
      order([payment({ status: 'failed' })]),
      { is: 'unlisted', word: 'ODD' },
      true,
    ],
    [
      'failed of a failed one',
      order([payment({ status: 'failed' })]),
      { is: 'failed', failure: DECLINED },
      false,
    ],
    ['waiting of a live one', order([payment({ status: 'requires_action' })]), { is: 'waiting' }, false],
    [
      'waiting beside an open start',
      order([payment({ operations: [operation('pay')] })]),
      { is: 'waiting' },
      true,
    ],
    ['reversed of a voided one', order([payment({ status: 'voided' })]), { is: 'reversed' }, false],
  ])('that claims %s', (_name, state, status, asks) => {
    const later = { at: NOW + HOUR, attempts: 9, urgent: false, since: NOW - HOUR };
    const payments = state.payments.map((one) => ({ ...one, check: later }));
    const is = first(when({ ...state, payments }, claim(status)));
    expect(is.check.at).toBe(asks ? NOW : NOW + HOUR);
    expect(is.status).toBe(state.payments[0]?.status);
  });

  it('of a report asks one time, and what was planned goes on', () => {
    const planned = { at: NOW + HOUR, attempts: 1, urgent: false, since: NOW - 2 * HOUR };
    const before = order([payment({ status: 'failed', failure: DECLINED, check: planned })]);
    const asked = when(before, { by: 'notification', payment: 'pay_1', once: true });
    expect(first(asked).check).toMatchObject({ at: NOW, urgent: true });
    const answered = first(when(asked.state, heard({ is: 'failed', failure: DECLINED })));
    expect(answered.check).toMatchObject({ at: planned.since + 24 * HOUR, urgent: false });
  });
});

describe('a command', () => {
  it('that the profile lacks is not supported', () => {
    const has = { otp: true, pin: true, complete: false, void: false, refund: false, refundStatus: false };
    const hold = order([payment({ status: 'authorized' })]);
    const sale = order([payment({ status: 'succeeded' })]);
    const complete = command({ do: 'complete', payment: 'pay_1', operation: 'op_1', amount: null });
    expect(() => when(hold, complete, NOW, { has })).toThrow(/not-supported/);
    expect(() =>
      when(hold, command({ do: 'void', payment: 'pay_1', operation: 'op_1' }), NOW, { has }),
    ).toThrow(/not-supported/);
    const refund = {
      do: 'refund' as const,
      payment: 'pay_1',
      operation: 'ref_1',
      amount: null,
      reason: null,
      refundRef: 'r',
    };
    expect(() => when(sale, command(refund), NOW, { has })).toThrow(/not-supported/);
  });

  it('shows what is open, a start too', () => {
    const state = order([payment({ operations: [operation('pay')] })]);
    const [one] = state.payments;
    expect(one && paymentView(state, one, false).pendingOperation).toEqual({
      type: 'pay',
      since: '2026-01-05T07:59:00.000Z',
    });
  });

  it('that starts answers in the contract’s order', () => {
    const start = command({
      do: 'pay',
      session: 'cs_1',
      payment: 'pay_9',
      operation: 'op_9',
      method: 'card',
      card: null,
    });
    const blocked = payment({ status: 'failed', attention: attention('differs') });
    const closed = { status: 'closed' as const, closedReason: 'merchant' as const };
    const live = payment({ n: 2 });
    const paid = payment({ n: 3, status: 'succeeded' });
    expect(() => when(order([blocked, live, paid], closed), start)).toThrow(/session-paid/);
    expect(() => when(order([blocked, live], closed), start)).toThrow(/payment-in-progress/);
    expect(() => when(order([blocked], closed), start)).toThrow(/session-closed/);
    expect(() => when(order([blocked], { expiresAt: NOW }), start)).toThrow(/session-expired/);
    expect(() => when(order([blocked]), start)).toThrow(/invalid-state/);
    expect(when({ ...order([]), payments: [] }, start).effects).toHaveLength(1);
  });
});
