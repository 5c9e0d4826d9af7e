import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FailureCode, PaymentRecord, PaymentStatus } from '../../store/schema.js';
import {
  DAY,
  HOUR,
  madeAt,
  MINUTE,
  operationRecord,
  paymentIn,
  SECOND,
  sessionRecord,
  statuses,
} from '../../../test/harness/records.js';
import { isDue, isOpen, nextStatusCheckAt } from './status-check-schedule.js';

const session = sessionRecord({ expiresAt: madeAt + DAY });
const rules = { voidDuplicates: false, graceMs: DAY };
const least = () => 0;
const most = () => 1 - 2 ** -53;

function delays(
  payment: PaymentRecord,
  { unknown = false, voidDuplicates = false } = {},
): [number | null, number | null] {
  const open = unknown ? [operationRecord({ type: 'void' })] : [];
  const at = (random: () => number) => {
    const asked = nextStatusCheckAt(payment, open, session, madeAt, random, {
      ...rules,
      voidDuplicates,
    });
    return asked === null ? null : asked - madeAt;
  };
  return [at(least), at(most)];
}

describe('how soon the gateway is asked', () => {
  test('about 1 s after an unknown outcome, then with doubling pauses and full jitter, at most 5 min apart', () => {
    expect(delays(paymentIn('processing'))).toEqual([SECOND, SECOND]);
    expect(delays(paymentIn('processing', { statusCheckCount: 1 }))).toEqual([200, 2 * SECOND]);
    expect(delays(paymentIn('processing', { statusCheckCount: 5 }))).toEqual([200, 32 * SECOND]);
    expect(delays(paymentIn('processing', { statusCheckCount: 1_000 }))).toEqual([200, 5 * MINUTE]);
  });

  test('as soon about a payment with an operation of unknown outcome', () => {
    for (const status of ['authorized', 'succeeded'] as const)
      expect(delays(paymentIn(status), { unknown: true })).toEqual([SECOND, SECOND]);
  });

  test('more slowly about what waits for the payer', () => {
    const [first] = delays(paymentIn('requires_action'));
    expect(first).toBe(8 * SECOND);
    expect(delays(paymentIn('requires_action', { statusCheckCount: 50 }))).toEqual([4 * SECOND, 5 * MINUTE]);
  });

  test('rarely about a hold, and not for ever', () => {
    expect(delays(paymentIn('authorized', { statusCheckCount: 50 }))).toEqual([10 * MINUTE, 6 * HOUR]);
    expect(delays(paymentIn('authorized', { createdAt: madeAt - 91 * DAY }))).toEqual([null, null]);
  });

  test.each<PaymentStatus>(['canceled', 'expired'])(
    'ever more rarely about one that is %s, for 7 days',
    (status) => {
      const [soonest, latest] = delays(paymentIn(status, { statusCheckCount: 50 }));
      expect([soonest, latest]).toEqual([MINUTE, 12 * HOUR]);
      expect(delays(paymentIn(status, { closedAt: madeAt - 7 * DAY + 1 }))[0]).not.toBeNull();
      expect(delays(paymentIn(status, { closedAt: madeAt - 7 * DAY }))).toEqual([null, null]);
    },
  );

  const failedAs = (code: FailureCode, over: Partial<PaymentRecord> = {}): PaymentRecord =>
    paymentIn('failed', { failure: { code, message: '', retryable: false }, ...over });

  test.each<FailureCode>([
    'gateway_unavailable',
    'gateway_rejected',
    'gateway_credentials_rejected',
    'gateway_busy',
    'gateway_never_received',
  ])('ever more rarely about one that failed as %s, for 7 days', (code) => {
    expect(delays(failedAs(code, { statusCheckCount: 50 }))).toEqual([MINUTE, 12 * HOUR]);
    expect(delays(failedAs(code, { closedAt: madeAt - 7 * DAY }))).toEqual([null, null]);
  });

  test('10 minutes, a day and 6 days after an issuer’s decline, however often somebody else asks', () => {
    const afterDecline = (since: number, checks = 0): number | null => {
      const closedAt = madeAt - since;
      const [soonest, latest] = delays(failedAs('declined', { closedAt, statusCheckCount: checks }));
      expect(soonest).toBe(latest);
      return soonest === null ? null : madeAt + soonest - closedAt;
    };
    expect(afterDecline(0)).toBe(10 * MINUTE);
    expect(afterDecline(5 * MINUTE, 7)).toBe(10 * MINUTE);
    expect(afterDecline(10 * MINUTE)).toBe(DAY);
    expect(afterDecline(3 * HOUR)).toBe(DAY);
    expect(afterDecline(DAY + SECOND)).toBe(6 * DAY);
    expect(afterDecline(6 * DAY)).toBeNull();
    expect(delays(failedAs('declined', { closedAt: madeAt }), { unknown: true })).toEqual([SECOND, SECOND]);
  });

  test.each(['failed', 'canceled', 'expired', 'succeeded', 'voided'] as const)(
    'rarely about one that a person has said is %s, for 7 days',
    (status) => {
      const [soonest, latest] = delays(
        paymentIn(status, { statusCheckCount: 50, resolvedAt: madeAt, closedAt: madeAt - 30 * DAY }),
      );
      expect([soonest, latest]).toEqual([MINUTE, 12 * HOUR]);
      const over = { resolvedAt: madeAt - 7 * DAY, closedAt: madeAt - 30 * DAY };
      expect(delays(paymentIn(status, over))).toEqual([null, null]);
    },
  );

  test('when a hold that nobody has settled needs attention', () => {
    const payment = paymentIn('authorized', { statusCheckCount: 50, heldSince: madeAt - 6 * DAY + HOUR });
    const asked = nextStatusCheckAt(payment, [], session, madeAt, most, rules) ?? 0;
    expect(asked).toBeGreaterThan(madeAt + HOUR);
    expect(asked).toBeLessThanOrEqual(madeAt + HOUR + 2 * SECOND);
  });

  test('not about what is paid or voided', () => {
    expect(delays(paymentIn('succeeded'))).toEqual([null, null]);
    expect(delays(paymentIn('voided'))).toEqual([null, null]);
  });

  test('ever more rarely about a duplicate whose void was refused', () => {
    const attention = { needsAttention: true, attentionReason: 'duplicate_not_voided pay_0' };
    const refused = { duplicateOf: 'pay_0', ...attention };
    const voids = { voidDuplicates: true };
    expect(delays(paymentIn('succeeded', refused), voids)).toEqual([SECOND, SECOND]);
    const late = paymentIn('succeeded', { ...refused, statusCheckCount: 50 });
    expect(delays(late, voids)).toEqual([200, HOUR]);
  });

  test('about a duplicate that is to be voided, until a person must look', () => {
    const ask = (over: Partial<PaymentRecord>, voidDuplicates = true) =>
      nextStatusCheckAt(
        paymentIn('succeeded', { duplicateOf: 'pay_0', ...over }),
        [],
        session,
        madeAt,
        least,
        {
          ...rules,
          voidDuplicates,
        },
      );
    expect(ask({})).toBe(madeAt + SECOND);
    expect(ask({}, false)).toBeNull();
    expect(ask({ duplicateOf: null })).toBeNull();
    expect(ask({ needsAttention: true, attentionReason: 'void_denied' })).toBeNull();
    expect(ask({ announcedPaidAt: madeAt })).toBeNull();
    expect(ask({ closedAt: madeAt - 8 * DAY })).toBeNull();
    // A person's word is followed for its own seven days.
    expect(ask({ closedAt: madeAt - 8 * DAY, resolvedAt: madeAt })).not.toBeNull();
  });
});

describe('the end of a payment', () => {
  const end = sessionRecord().expiresAt;

  test.each<PaymentStatus>(['processing', 'requires_action'])(
    'is asked about when it comes (%s)',
    (status) => {
      const payment = paymentIn(status, { statusCheckCount: 50, seenMs: end - SECOND - madeAt });
      const asked = nextStatusCheckAt(payment, [], { expiresAt: end }, end - SECOND, most, rules) ?? 0;
      expect(asked).toBeGreaterThan(end);
      expect(asked).toBeLessThanOrEqual(end + 2 * SECOND);
    },
  );

  test('is asked about when as much time was seen to pass, where that is later', () => {
    const payment = paymentIn('requires_action', { statusCheckCount: 50, seenMs: end - madeAt - MINUTE });
    const asked = nextStatusCheckAt(payment, [], { expiresAt: end }, end + HOUR, most, rules) ?? 0;
    expect(asked).toBeGreaterThan(end + HOUR + 0.4 * MINUTE);
    expect(asked).toBeLessThanOrEqual(end + HOUR + MINUTE + 2 * SECOND);
  });

  test('is the gateway’s own where that is later', () => {
    const payment = paymentIn('requires_action', {
      statusCheckCount: 50,
      gatewayExpiresAt: end + HOUR,
      seenMs: end + HOUR - madeAt,
    });
    const asked = nextStatusCheckAt(payment, [], { expiresAt: end }, end + HOUR - SECOND, most, rules) ?? 0;
    expect(asked).toBeGreaterThan(end + HOUR);
    expect(asked).toBeLessThanOrEqual(end + HOUR + 2 * SECOND);
  });
});

test.each(['pay', 'complete', 'void'] as const)(
  'the end of the grace of an unknown %s is asked about when it comes',
  (type) => {
    const graceMs = 900 * SECOND;
    const seenMs = graceMs - SECOND;
    const payment = paymentIn(type === 'pay' ? 'processing' : 'authorized', { statusCheckCount: 50, seenMs });
    const ask = (operation: ReturnType<typeof operationRecord>) =>
      nextStatusCheckAt(payment, [operation], session, madeAt + graceMs - SECOND, most, {
        ...rules,
        graceMs,
      }) ?? 0;
    const asked = ask(operationRecord({ type }));
    expect(asked).toBeGreaterThan(madeAt + graceMs);
    expect(asked).toBeLessThanOrEqual(madeAt + graceMs + 2 * SECOND);
  },
);

test('is a whole number of milliseconds in the future, whatever the payment is', () => {
  const payment = fc
    .record({
      status: fc.constantFrom(...statuses),
      statusCheckCount: fc.nat(10_000),
      age: fc.nat(10 * DAY),
      gatewayExpiresAt: fc.option(fc.integer({ min: madeAt, max: madeAt + DAY })),
    })
    .map(({ status, age, ...over }) => paymentIn(status, { ...over, closedAt: madeAt - age }));
  fc.assert(
    fc.property(payment, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (one, random) => {
      const at = nextStatusCheckAt(one, [], session, madeAt, () => random, {
        ...rules,
        voidDuplicates: true,
      });
      if (at === null) return;
      expect(Number.isSafeInteger(at)).toBe(true);
      expect(at).toBeGreaterThanOrEqual(madeAt + 200);
    }),
  );
});

test('open is what only the gateway can tell', () => {
  expect(statuses.filter((status) => isOpen(paymentIn(status), []))).toEqual([
    'processing',
    'requires_action',
  ]);
  expect(isOpen(paymentIn('authorized'), [operationRecord({ type: 'complete' })])).toBe(true);
  expect(isOpen(paymentIn('authorized'), [operationRecord({ type: 'complete', status: 'intended' })])).toBe(
    false,
  );
});

test('a check is due at its time, and when the clock was set back far behind it', () => {
  const planned = (over: Partial<PaymentRecord>): boolean =>
    isDue(paymentIn('processing', { statusCheckWorth: 1, ...over }), madeAt);
  expect(planned({ nextStatusCheckAt: null })).toBe(false);
  expect(planned({ nextStatusCheckAt: madeAt })).toBe(true);
  expect(planned({ nextStatusCheckAt: madeAt + 51 })).toBe(false);
  expect(planned({ nextStatusCheckAt: madeAt + 6 * MINUTE })).toBe(false);
  expect(planned({ nextStatusCheckAt: madeAt + HOUR })).toBe(true);
  expect(planned({ nextStatusCheckAt: madeAt + HOUR, statusCheckWorth: 4 })).toBe(false);
  expect(planned({ nextStatusCheckAt: madeAt + 9 * MINUTE, statusCheckWorth: 2 })).toBe(false);
  expect(planned({ nextStatusCheckAt: madeAt + HOUR, statusCheckWorth: 2 })).toBe(true);
});
