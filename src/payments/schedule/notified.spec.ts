import { describe, expect, test } from '@jest/globals';
import { DAY, madeAt, MINUTE, paymentIn, SECOND } from '../../../test/harness/records.js';
import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Heard } from '../state/payment-update.js';
import { afterNotification, followNotifications, notified } from './notified.js';

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
  const told = notified(closed, ['succeeded'], false, madeAt);

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
    ['authorized', 'succeeded', false],
    ['unreadable', 'succeeded', false],
    ['unknownTransaction', 'unknownTransaction', true],
  ])('that claims %s, and the answer %s: agrees %s', (claim, meaning, agrees) => {
    const payment = { ...told, notificationClaims: [claim] };
    const { notificationChecks } = followNotifications(payment, { meaning, scheduled: true });
    expect(notificationChecks === null).toBe(agrees);
  });

  test('an earlier one with another claim must be agreed with too', () => {
    const both = notified(told, ['failed', 'failed'], false, madeAt);
    expect(both.notificationClaims).toEqual(['failed', 'succeeded']);
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
    const during = notified(leased, ['succeeded'], true, madeAt);
    expect(during).toMatchObject({ notificationChecks: -1, nextStatusCheckAt: madeAt + MINUTE });
    const heard: Heard = { meaning: 'succeeded', scheduled: true };
    const after = { ...during, ...followNotifications(during, heard) };
    expect(after.notificationChecks).toBe(0);
    // Repeats within a second are one question.
    expect(afterNotification(after, heard, half)).toBe(SECOND);
    // An operation that held the lease asked nothing.
    expect(afterNotification(during, undefined, half)).toBe(0);
  });

  test('where none came nothing is followed', () => {
    expect(afterNotification(closed, undefined, half)).toBeUndefined();
    expect(followNotifications(closed, { meaning: 'failed', scheduled: true }).notificationChecks).toBeNull();
  });
});
