import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import { MEANING_NAMES } from '../../gateway/profile/format.js';
import { PAYMENT_METHODS } from '../../config/payment-method.js';
import { OPERATION_TYPES, type OperationRecord } from '../../store/schema.js';
import {
  madeAt,
  operationRecord,
  paymentIn,
  referenceOf,
  SECOND,
  sessionRecord,
  statuses,
} from '../../../test/harness/records.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { mean } from './meaning.js';
import { interpretStatus } from './interpret-status.js';
import { readStatus, type StatusInquiry } from './status-answer.js';
import { interpretLate } from './late-answer.js';

/** One thing of an answer that shows that it is about another payment. */
const foreign = fc.oneof(
  fc.constant<Partial<GatewayAnswer>>({ reference: 'ORDER-2_1' }),
  fc.constant<Partial<GatewayAnswer>>({ currency: 'USD' }),
  fc.constant<Partial<GatewayAnswer>>({ amount: 'unreadable' }),
  fc.constant<Partial<GatewayAnswer>>({ amount: 999_999n }),
);
const meaning = fc
  .constantFrom(...MEANING_NAMES, 'refused' as const)
  .filter((name) => name !== 'unknownTransaction');
const own = fc.record(
  {
    transactionRef: fc.constant('TRX-OTHER'),
    amount: fc.constant(150_000n),
    currency: fc.constant('NGN'),
    refundedAmount: fc.constantFrom(1n, 150_000n),
    redirectUrl: fc.constant('https://bank.example/'),
    unlisted: fc.constant('SETTLED'),
  },
  { requiredKeys: [] },
);
const answer: fc.Arbitrary<GatewayAnswer> = fc
  .record({ meaning, amountRequired: fc.boolean() })
  .chain((said) => fc.tuple(own, foreign).map(([named, differs]) => ({ ...said, ...named, ...differs })));
const result: fc.Arbitrary<GatewayResult> = fc.oneof(
  { weight: 5, arbitrary: answer.map((said) => ({ kind: 'answered' as const, answer: said })) },
  {
    weight: 1,
    arbitrary: foreign.map((differs) => ({
      kind: 'unknown' as const,
      reason: 'unrecognised' as const,
      said: { word: 'SETTLED', ...differs },
    })),
  },
);
const payment = fc
  .record({ status: fc.constantFrom(...statuses), method: fc.constantFrom(...PAYMENT_METHODS) })
  .map(({ status, method }) => paymentIn(status, { method }));
const operations = fc
  .subarray([...OPERATION_TYPES])
  .map((types) => types.map((type) => operationRecord({ type, createdAt: madeAt - 1_000 * SECOND })));

/** A refund's answer has a reader of its own. */
const TYPES = ['pay', 'otp', 'pin', 'complete', 'void'] as const;

function inquiry(about: StatusInquiry['payment'], openOperations: OperationRecord[]): StatusInquiry {
  return {
    payment: about,
    reference: referenceOf(about),
    session: sessionRecord({ expiresAt: madeAt - SECOND }),
    openOperations,
    mode: 'live',
    now: madeAt,
    graceMs: 900 * SECOND,
    asksRefunds: false,
  };
}

/** Nothing but that an answer came, what a person is told of it, and a question that follows. */
function expectNothingButAttention({ attention, timelineNote, checkNow, ...rest }: PaymentUpdate): void {
  expect(attention?.reason).toBe('mismatch');
  expect(timelineNote?.type).toMatch(/^(?:mismatch|outcome_unknown)$/);
  expect([undefined, true]).toContain(checkNow);
  expect(rest.operations?.filter(({ status }) => status !== 'unknown') ?? []).toEqual([]);
  expect({ ...rest, operations: undefined }).toEqual({ answered: true });
}

describe('an answer about another reference, amount or currency', () => {
  test('changes nothing when it answers a status query, whatever it says', () => {
    fc.assert(
      fc.property(result, payment, operations, (said, about, open) => {
        expect(readStatus(said, inquiry(about, open))).toBe('inconclusive');
        expectNothingButAttention(interpretStatus(said, inquiry(about, open)));
      }),
    );
  });

  test('changes nothing when it comes late', () => {
    fc.assert(
      fc.property(result, payment, fc.constantFrom(...TYPES), (said, about, type) => {
        const update = interpretLate(said, operationRecord({ type }), inquiry(about, []));
        expectNothingButAttention(update ?? {});
      }),
    );
  });

  test('settles no operation that it seems to answer', () => {
    fc.assert(
      fc.property(result, payment, fc.constantFrom(...TYPES), (said, about, type) => {
        const operation = operationRecord({ type, status: 'intended' });
        const call = { payment: about, reference: referenceOf(about), operation, mode: 'live' as const };
        const { move, problem, ...update } = mean(said, call);
        expect(problem).toBeUndefined();
        // A code whose outcome is unknown no longer waits for the payer.
        expect(move ?? { to: 'processing', by: 'service' }).toEqual({ to: 'processing', by: 'service' });
        expect(update.operations).toEqual([{ id: operation.id, status: 'unknown' }]);
        expectNothingButAttention(update);
      }),
    );
  });

  test('beside "not known" nothing is compared', () => {
    const said = { meaning: 'unknownTransaction', amountRequired: true, amount: 0n, reference: '0' } as const;
    const update = interpretStatus({ kind: 'answered', answer: said }, inquiry(paymentIn('processing'), []));
    expect(update.attention).toBeUndefined();
  });
});
