import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, madeAt, MINUTE, paymentIn, SECOND } from '../../../test/harness/records.js';
import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import { type Heard, REPORTED } from '../state/payment-update.js';
import { afterNotification, followNotifications, notified, type NotificationClaim } from './notified.js';
import { WORTH } from './worth.js';

/** What becomes of a payment about which this came; fails where nothing is to be done. */
function tell(payment: PaymentRecord, claims: NotificationClaim[], underWay = false): PaymentRecord {
  const told = notified(payment, { claims }, underWay, madeAt);
  if (!told) throw new Error('Nothing is to be done about it');
  return told;
}

const half = () => 0.5;

/** Asks about a payment until its notifications are followed no more; gives the pauses before each question. */
function pausesOf(payment: PaymentRecord, answers: (GatewayMeaning | undefined)[]): (number | undefined)[] {
  const pauses = [afterNotification(payment, undefined, half)];
  let followed = payment;
  for (const meaning of answers) {
    const heard: Heard = { meaning, scheduled: true };
    followed = { ...followed, statusCheckCount: followed.statusCheckCount + 1 };
    followed = { ...followed, ...followNotifications(followed, heard) };
    pauses.push(afterNotification(followed, heard, half));
  }
  return pauses;
}

describe('a notification about a payment', () => {
  const closed = paymentIn('failed', { statusCheckCount: 3 });
  const told = tell(closed, ['succeeded']);

  test('has it asked about at once, and begins its backoff anew', () => {
    expect(told).toMatchObject({
      notificationChecks: 0,
      notificationClaims: ['succeeded'],
      statusCheckCount: 0,
      statusCheckWorth: 2,
      nextStatusCheckAt: madeAt + 100,
      version: closed.version + 1,
    });
  });

  test('is followed at once, then after 2, 10 and 60 s and 10 min, and no more', () => {
    const pauses = pausesOf(
      told,
      Array.from({ length: 5 }, () => 'failed' as const),
    );
    expect(pauses).toEqual([0, 2 * SECOND, 8 * SECOND, 50 * SECOND, 9 * MINUTE, undefined]);
  });

  test('until the answer agrees with it', () => {
    expect(pausesOf(told, ['failed', 'processing', 'succeeded'])).toEqual([
      0,
      2 * SECOND,
      8 * SECOND,
      undefined,
    ]);
  });

  test.each<[string, GatewayMeaning, boolean]>([
    ['failed', 'expired', true],
    ['otp', 'processing', true],
    ['voided', 'failed', false],
    ['authorized', 'succeeded', true],
    ['processing', 'failed', true],
    ['succeeded', 'refunded', true],
    ['succeeded', 'processing', false],
    ['failed', 'succeeded', false],
    ['succeeded', 'failed', false],
    ['refunded', 'partiallyRefunded', false],
    ['chargedBack', 'disputeWon', true],
    ['unreadable', 'succeeded', false],
    ['unknownTransaction', 'unknownTransaction', true],
  ])('that claims %s, and the answer %s: agrees %s', (claim, meaning, agrees) => {
    const payment = { ...told, notificationClaims: [claim] };
    const { notificationChecks } = followNotifications(payment, { meaning, scheduled: true });
    expect(notificationChecks === null).toBe(agrees);
  });

  test('an earlier one with another claim must be agreed with too', () => {
    const both = tell({ ...told, notificationChecks: 3 }, ['failed', 'voided']);
    expect(both).toMatchObject({
      notificationChecks: 0,
      notificationClaims: ['failed', 'succeeded', 'voided'],
    });
    expect(followNotifications(both, { meaning: 'failed', scheduled: true }).notificationChecks).toBe(1);
  });

  test('checks that bring no answer do not count, and become rarer', () => {
    expect(pausesOf(told, [undefined, undefined, undefined])).toEqual([0, 1_500, 3_000, 6_000]);
    expect(pausesOf(told, [undefined, undefined, 'failed']).at(-1)).toBe(2 * SECOND);
    const silent = pausesOf(
      told,
      Array.from({ length: 1_001 }, () => undefined),
    );
    expect(silent.at(20)).toBe(225 * SECOND);
    expect(silent.at(-1)).toBeUndefined();
  });

  test('a question that somebody else asks uses up no check', () => {
    const asked = followNotifications(
      { ...told, notificationChecks: 1 },
      { meaning: 'failed', scheduled: false },
    );
    expect(asked.notificationChecks).toBe(1);
    const agreed = followNotifications(told, { meaning: 'succeeded', scheduled: false });
    expect(agreed.notificationChecks).toBeNull();
  });

  test('one that comes while a query is under way is followed by another query, whatever that one finds', () => {
    // Before the lease was taken a check was planned for tomorrow. If its holder dies, nobody waits until then.
    const leased = paymentIn('failed', { leaseUntil: madeAt + MINUTE, nextStatusCheckAt: madeAt + DAY });
    const during = tell(leased, ['succeeded'], true);
    expect(during).toMatchObject({ notificationChecks: -1, nextStatusCheckAt: madeAt + MINUTE });
    const heard: Heard = { meaning: 'succeeded', scheduled: true };
    const after = { ...during, ...followNotifications(during, heard) };
    expect(after.notificationChecks).toBe(0);
    // Repeats within a second are one question.
    expect(afterNotification(after, heard, half)).toBe(SECOND);
    // An operation that held the lease asked nothing.
    expect(afterNotification(during, undefined, half)).toBe(0);
  });

  test('with a claim that is followed already does not begin anew, and the next check is made within 10 s', () => {
    const later = {
      ...told,
      notificationChecks: 4,
      statusCheckCount: 4,
      nextStatusCheckAt: madeAt + 9 * MINUTE,
    };
    expect(tell(later, ['succeeded'])).toEqual({
      ...later,
      nextStatusCheckAt: madeAt + 10 * SECOND,
      version: later.version + 1,
    });
    expect(notified(told, { claims: ['succeeded'] }, false, madeAt)).toBeUndefined();
    expect(notified(later, { claims: ['succeeded'] }, true, madeAt)).toBeUndefined();
  });

  test('that is repeated after its following is over is one check', () => {
    const again = notified(closed, { claims: ['succeeded'], repeated: true }, false, madeAt);
    expect(again).toMatchObject({ notificationChecks: 4, nextStatusCheckAt: madeAt + 100 });
    expect(pausesOf(again ?? closed, ['failed']).at(-1)).toBeUndefined();
  });

  test.each(['processing', 'requires_action'] as const)(
    'that is open, %s, is asked about at once each time, whatever it claims',
    (status) => {
      const open = paymentIn(status, { notificationChecks: 3, notificationClaims: ['processing'] });
      for (const claim of ['processing', 'succeeded', 'failed', 'unreadable'] as const) {
        for (const repeated of [false, true]) {
          expect(notified(open, { claims: [claim], repeated }, false, madeAt)).toMatchObject({
            notificationChecks: 0,
            statusCheckCount: 0,
            nextStatusCheckAt: madeAt + 100,
          });
        }
      }
    },
  );

  test('where none came nothing is followed', () => {
    expect(afterNotification(closed, undefined, half)).toBeUndefined();
    expect(followNotifications(closed, { meaning: 'failed', scheduled: true }).notificationChecks).toBeNull();
  });
});

describe('a notification that tells nothing new', () => {
  const agreeing: [string, PaymentRecord, NotificationClaim][] = [
    ['succeeded', paymentIn('succeeded'), 'succeeded'],
    ['succeeded, and it is older', paymentIn('succeeded'), 'processing'],
    ['held', paymentIn('authorized'), 'authorized'],
    ['declined', paymentIn('failed'), 'failed'],
    ['declined, and it is older', paymentIn('failed'), 'otp'],
    ['canceled', paymentIn('canceled'), 'expired'],
    ['voided', paymentIn('voided'), 'voided'],
    ['given back whole', paymentIn('succeeded', { amountRefunded: 150_000n }), 'refunded'],
    ['charged back', paymentIn('succeeded', { disputed: true, disputedAt: madeAt }), 'chargedBack'],
  ];

  test.each(agreeing)('%s: no check while the gateway’s word is young', (_, payment, claim) => {
    expect(notified(payment, { claims: [claim] }, false, madeAt + 9 * MINUTE)).toBeUndefined();
    expect(notified(payment, { claims: [claim, claim] }, true, madeAt)).toBeUndefined();
  });

  test.each(agreeing)(
    '%s: one check of the lowest worth later, and none for a repeat',
    (_, payment, claim) => {
      const later = madeAt + HOUR;
      const old = { ...payment, statusCheckWorth: WORTH.followUp };
      expect(notified(old, { claims: [claim] }, false, later)).toEqual({
        ...old,
        nextStatusCheckAt: later,
        version: old.version + 1,
      });
      expect(notified(old, { claims: [claim], repeated: true }, false, later)).toBeUndefined();
      const due = { ...old, nextStatusCheckAt: later - 1 };
      expect(notified(due, { claims: [claim] }, false, later)).toBeUndefined();
    },
  );

  test.each(agreeing)('%s: nor does it disturb what is followed', (_, payment, claim) => {
    const followed = { ...payment, notificationChecks: 2, notificationClaims: ['undecided'] };
    expect(notified(followed, { claims: [claim] }, false, madeAt + HOUR)).toBeUndefined();
  });

  test.each<[string, PaymentRecord, NotificationClaim]>([
    ['money that may have come late', paymentIn('failed'), 'succeeded'],
    ['money of a canceled payment', paymentIn('canceled'), 'processing'],
    ['a failure after a success', paymentIn('succeeded'), 'failed'],
    ['a void', paymentIn('succeeded'), 'voided'],
    ['a refund', paymentIn('succeeded'), 'partiallyRefunded'],
    ['another part that was given back', paymentIn('succeeded', { amountRefunded: 1n }), 'partiallyRefunded'],
    ['a refund that bounced', paymentIn('succeeded', { amountRefunded: 150_000n }), 'succeeded'],
    ['a chargeback', paymentIn('succeeded'), 'chargedBack'],
    ['a dispute that may be won', paymentIn('succeeded', { disputed: true }), 'succeeded'],
    ['money after a void', paymentIn('voided'), 'succeeded'],
    ['a hold that was completed', paymentIn('authorized'), 'succeeded'],
    ['a hold that lapsed', paymentIn('authorized'), 'expired'],
    ['what cannot be read', paymentIn('succeeded'), 'unreadable'],
    ['what a report claims', paymentIn('succeeded'), REPORTED],
    ['a payment that needs attention', paymentIn('succeeded', { needsAttention: true }), 'succeeded'],
    ['a person’s word', paymentIn('succeeded', { resolvedAt: madeAt }), 'succeeded'],
    [
      'an operation of unknown outcome',
      paymentIn('succeeded', { pendingOperation: { type: 'void', since: '2026-11-21T12:00:00Z' } }),
      'succeeded',
    ],
  ])('is not %s: that is followed from the beginning', (_, payment, claim) => {
    expect(tell(payment, [claim])).toMatchObject({ notificationChecks: 0, nextStatusCheckAt: madeAt + 100 });
  });
});
