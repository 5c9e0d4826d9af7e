import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Fact, Seen } from '../../src/gateway/fact.js';
import { decide } from '../../src/payments/core/decide.js';
import type { Command, Decision, Input, Resolution, Rules } from '../../src/payments/core/input.js';
import { changeOf } from '../../src/payments/core/records.js';
import { Refusal } from '../../src/payments/core/refusal.js';
import { openSession } from '../../src/payments/core/sessions.js';
import type { OrderState } from '../../src/payments/core/payment.js';
import { paymentView } from '../../src/payments/core/view.js';
import { AMOUNT, DECLINED, moment, NOW, order, RULES } from './given.js';
import { book, faultsOf, NO_LEDGER, stepFaults, type Ledger } from './invariants.js';

/** Whatever happens, in whatever order, by a gateway that lies: the principles hold. */

/** One thing that happens; numbers pick among the payments and operations that there are. */
type Happening =
  | { do: 'command'; command: Command['do']; of: number; amount: bigint | null }
  | {
      do: 'answer';
      of: number;
      to: 'status' | 'cancel' | 'operation' | 'refund';
      operation: number;
      fact: Fact;
      owned: boolean;
      taken: boolean;
    }
  | { do: 'person'; of: number; as: 'operation' | 'refund' | 'status'; word: number; amount: bigint | null }
  | { do: 'notification'; of: number; fact: Fact }
  | { do: 'orphan'; of: number; operation: number }
  | { do: 'adoption'; beyond: number; fact: Fact }
  | { do: 'clock'; of: number }
  | { do: 'session' };

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 500);

const amount = fc.constantFrom(AMOUNT, AMOUNT, AMOUNT, 1n, 600n, 700n, 1400n, 2n * AMOUNT);
const seen = fc.record<Seen>(
  {
    amount,
    refundedTotal: fc.constantFrom(0n, 500n, 600n, AMOUNT, 2n * AMOUNT),
    disputedTotal: fc.constantFrom(700n, AMOUNT),
    transactionRef: fc.constantFrom('T1', 'T2'),
  },
  { requiredKeys: [] },
);
const word: fc.Arbitrary<Fact> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Fact>({ is: 'paid' }, { is: 'held' }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Fact>(
      { is: 'reversed' },
      { is: 'denied' },
      { is: 'chargedBack' },
      { is: 'disputeWon' },
      { is: 'givenBack', whole: true },
      { is: 'givenBack', whole: false },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Fact>(
      { is: 'failed', failure: DECLINED },
      { is: 'expired', failure: DECLINED },
      { is: 'waiting' },
      { is: 'waiting', action: { type: 'otp' } },
      { is: 'waiting', action: { type: 'pin' } },
      { is: 'refundDone' },
      { is: 'refundFailed' },
      { is: 'accepted' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Fact>(
      { is: 'refused', failure: DECLINED, cardTried: true },
      { is: 'notSent', failure: DECLINED, cardTried: false },
      { is: 'foreign', differs: 'reference' },
      { is: 'unlisted', word: 'ODD' },
      { is: 'unclear', why: 'timeout' },
    ),
  },
);
const fact: fc.Arbitrary<Fact> = fc
  .tuple(word, fc.option(seen, { freq: 2 }))
  .map(([one, more]) => ({ ...one, ...more }));
const of = fc.nat(4);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      command: fc.constantFrom<Command['do']>('pay', 'pay', 'otp', 'pin', 'complete', 'void', 'refund'),
      of,
      amount: fc.option(fc.constantFrom(500n, 600n, AMOUNT), { freq: 2 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      of,
      to: fc.constantFrom(
        'status' as const,
        'status' as const,
        'cancel' as const,
        'operation' as const,
        'operation' as const,
        'refund' as const,
      ),
      operation: of,
      fact,
      owned: fc.boolean(),
      taken: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('person' as const),
      of,
      as: fc.constantFrom('operation' as const, 'refund' as const, 'status' as const, 'status' as const),
      word: of,
      amount: fc.option(amount, { freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('notification' as const), of, fact }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('orphan' as const), of, operation: of }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adoption' as const), beyond: fc.constantFrom(0, 1, 2), fact }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), of }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('session' as const) }) },
);
const life = fc.record({
  happenings: fc.array(
    fc.tuple(happening, fc.constantFrom(0, 1_000, 1_000, 60_000, 400_000, 400_000, 4 * 3_600_000)),
    { minLength: 4, maxLength: 30 },
  ),
  rules: fc.record<Partial<Rules>>({
    duplicatePolicy: fc.constantFrom('announce', 'void'),
    maxDeclines: fc.constantFrom(0, 2, 5),
    maxPayments: fc.constantFrom(0, 3),
    restoredAt: fc.constantFrom(undefined, NOW),
  }),
});

const START: Happening = { do: 'command', command: 'pay', of: 0, amount: null };

const pick = <T>(list: readonly T[], at: number): T | undefined =>
  list.length > 0 ? list[at % list.length] : undefined;

function inputOf(state: OrderState, it: Happening, count: number): Input | undefined {
  if (it.do === 'session') return undefined;
  if (it.do === 'adoption')
    return {
      by: 'adoption',
      payment: `pay_a${count}`,
      n: (state.order?.attempts ?? 0) + it.beyond,
      fact: it.fact,
    };
  if (it.do === 'command' && it.command === 'pay') {
    const session = state.order?.sessions.at(-1)?.id ?? '';
    const method = it.of % 2 === 0 ? ('card' as const) : ('wallet' as const);
    return {
      by: 'command',
      command: { do: 'pay', session, payment: `pay_${count}`, operation: `op_${count}`, method, card: null },
      actor: 'payer',
      process: 'p1',
    };
  }
  const payment = pick(state.payments, it.of);
  if (!payment) return undefined;
  const { id, operations } = payment;
  switch (it.do) {
    case 'command': {
      const operation = `op_${count}`;
      const base = { payment: id, operation };
      const commands: Record<string, Command> = {
        otp: { do: 'otp', ...base },
        pin: { do: 'pin', ...base },
        complete: { do: 'complete', ...base, amount: it.amount },
        void: { do: 'void', ...base },
        refund: { do: 'refund', ...base, amount: it.amount, reason: null, refundRef: operation },
      };
      const command = commands[it.command];
      return command && { by: 'command', command, actor: 'merchant', process: 'p1' };
    }
    case 'answer': {
      const operation = pick(operations, it.operation)?.id;
      const refund = pick(
        operations.filter(({ type }) => type === 'refund'),
        it.operation,
      )?.id;
      const to =
        it.to === 'operation'
          ? operation && { operation }
          : it.to === 'refund'
            ? refund && { refund }
            : it.to;
      return to
        ? { by: 'answer', payment: id, to, fact: it.fact, owned: it.owned, taken: it.taken }
        : undefined;
    }
    case 'person': {
      const refund = pick(
        operations.filter(({ type }) => type === 'refund'),
        it.word,
      );
      const status = pick(['succeeded', 'failed', 'voided', payment.status] as const, it.word) ?? 'failed';
      const words: Record<typeof it.as, Resolution | undefined> = {
        operation: { operation: it.word % 2 === 0 ? 'confirmed' : 'refused' },
        refund: refund && { refundId: refund.id, status: it.word % 2 === 0 ? 'succeeded' : 'failed' },
        status: { status, ...(it.amount === null ? {} : { amountReceived: it.amount }) },
      };
      const as = words[it.as];
      return as && { by: 'person', payment: id, actor: 'merchant:anna', as, note: 'seen' };
    }
    case 'notification':
      return { by: 'notification', payment: id, status: it.fact };
    case 'orphan': {
      const operation = pick(operations, it.operation)?.id;
      return operation === undefined ? undefined : { by: 'orphan', payment: id, operation };
    }
    case 'clock':
      return { by: 'clock', payment: id };
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

function expectRecords({ state, ...decision }: Decision, now: number, ledger: Ledger): void {
  const change = changeOf({ state, ...decision }, moment(now), { livemode: false, isLate: () => false });
  expect(change.movements).toHaveLength(
    decision.entries.filter((entry) => entry.of === 'payment' && entry.money).length,
  );
  for (const { amount: moved } of change.movements) expect(moved > 0n).toBe(true);
  for (const stream of new Set(change.events.map((event) => event.stream))) {
    const told = change.events.filter((event) => event.stream === stream).map(({ sequence }) => sequence);
    const last =
      state.payments.find(({ id }) => id === stream)?.sequence ??
      state.order?.sessions.find(({ id }) => id === stream)?.sequence ??
      0;
    expect(told).toEqual(told.map((_, index) => last - told.length + 1 + index));
  }
  for (const one of state.payments) {
    const shown = paymentView(state, one, false);
    const minor = (text: string | null): bigint => BigInt((text ?? '0.00').replace('.', ''));
    const row = ledger.get(one.id) ?? {};
    expect(minor(shown.amountCaptured)).toBe((row['payment'] ?? 0n) + (row['correction'] ?? 0n));
    expect(minor(shown.amountRefunded)).toBe((row['refund'] ?? 0n) - (row['refund_reversal'] ?? 0n));
    expect(minor(shown.amountDisputed)).toBe((row['chargeback'] ?? 0n) - (row['chargeback_reversal'] ?? 0n));
  }
}

describe('whatever happens to an order', () => {
  it('money, numbers, statuses and sequences keep to the principles', () => {
    let decisions = 0;
    fc.assert(
      fc.property(life, ({ happenings, rules: some }) => {
        const rules = { ...RULES, ...some };
        let state = frozen(order([], { started: 0, expiresAt: NOW + 24 * 3_600_000 }));
        let ledger = NO_LEDGER;
        let now = NOW;
        [[START, 0] as const, ...happenings].forEach(([it, pause], count) => {
          now += pause;
          const input = inputOf(state, it, count);
          const run = (): Decision | undefined => {
            try {
              if (it.do === 'session') return openAnother(state, count, now, rules);
              return input && decide(state, frozen(input), moment(now), rules);
            } catch (error) {
              if (error instanceof Refusal) return undefined;
              throw error;
            }
          };
          const decision = run();
          if (!decision) return;
          decisions += 1;
          // The same again draws the same: a decision that lost a race runs twice.
          expect(run()).toEqual(decision);
          ledger = book(ledger, decision);
          const faults = [
            ...faultsOf(decision.state, ledger),
            ...(input ? stepFaults(state, input, decision) : []),
          ];
          expect(faults).toEqual([]);
          expectRecords(decision, now, ledger);
          state = frozen(decision.state);
        });
      }),
      { numRuns: RUNS },
    );
    expect(decisions).toBeGreaterThan(1_000);
  });
});

function openAnother(state: OrderState, count: number, now: number, rules: Rules): Decision {
  const key = { caller: 'merchant', key: `k${count}`, path: 'POST /v1/checkout-sessions', fingerprint: '' };
  const { id: _id, status: _status, expiresAt: _expiresAt, ...former } = order([]).order?.sessions[0] ?? {};
  const wanted = {
    ...former,
    id: `cs_${count + 2}`,
    amount: AMOUNT,
    currency: 'NGN',
    payer: {},
    billing: {},
    returnUrl: null,
    methods: [],
    locale: null,
    metadata: {},
    emailHash: null,
    expiresInMs: 1_800_000,
  };
  return openSession(state, wanted, { actor: 'merchant', key }, moment(now), rules);
}
