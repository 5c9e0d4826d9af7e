import { describe, expect, test } from '@jest/globals';
import type { PaymentStatus } from '../../store/schema.js';
import { gatewayAnswer, ownMoney, paymentIn, referenceOf, statuses } from '../../../test/harness/records.js';
import { answerKey } from './answer.js';
import { mayWait, proposeTransition, type Target } from './proposed-transition.js';

const targets: readonly Target[] = ['succeeded', 'authorized', 'failed', 'expired', 'voided'];

/** What the gateway's word does to a payment that is alone on its reference. */
const outcomes: Record<PaymentStatus, Record<Target, 'moves' | 'stale' | 'disputed'>> = {
  processing: { succeeded: 'moves', authorized: 'moves', failed: 'moves', expired: 'moves', voided: 'moves' },
  requires_action: {
    succeeded: 'moves',
    authorized: 'moves',
    failed: 'moves',
    expired: 'moves',
    voided: 'moves',
  },
  authorized: {
    succeeded: 'moves',
    authorized: 'stale',
    failed: 'disputed',
    expired: 'moves',
    voided: 'moves',
  },
  succeeded: {
    succeeded: 'stale',
    authorized: 'stale',
    failed: 'disputed',
    expired: 'disputed',
    voided: 'moves',
  },
  failed: { succeeded: 'moves', authorized: 'moves', failed: 'stale', expired: 'stale', voided: 'moves' },
  canceled: { succeeded: 'moves', authorized: 'moves', failed: 'stale', expired: 'stale', voided: 'moves' },
  expired: { succeeded: 'moves', authorized: 'moves', failed: 'stale', expired: 'stale', voided: 'moves' },
  voided: {
    succeeded: 'disputed',
    authorized: 'stale',
    failed: 'disputed',
    expired: 'disputed',
    voided: 'stale',
  },
};

describe.each(statuses)('a payment that is %s', (status) => {
  test.each(targets)('hears %s', (target) => {
    const payment = paymentIn(status);
    const update = proposeTransition(payment, referenceOf(payment), target, gatewayAnswer(target));
    const came =
      update.move?.to === target && update.move.by === 'gateway'
        ? 'moves'
        : update.attention?.reason === 'contradicting_answer'
          ? 'disputed'
          : 'stale';
    expect(came).toBe(outcomes[status][target]);
    if (came === 'stale') expect(update).toEqual({});
  });
});

describe('a hold that comes late', () => {
  const payment = paymentIn('canceled');
  test.each([
    ['another live payment', { livePaymentIds: ['pay_2'] }],
    ['another paid payment', { paidPaymentIds: ['pay_2'] }],
  ])('beside %s moves nothing and wants attention', (_name, over) => {
    const update = proposeTransition(
      payment,
      referenceOf(payment, over),
      'authorized',
      gatewayAnswer('authorized'),
    );
    expect(update).toMatchObject({ attention: { reason: 'hold_beside_another_payment' } });
    expect(update.move).toBeUndefined();
  });

  test('of a payment that was under way while another paid is recorded, and wants attention', () => {
    const waits = paymentIn('requires_action');
    const paid = referenceOf(waits, { paidPaymentIds: ['pay_2'] });
    expect(proposeTransition(waits, paid, 'authorized', gatewayAnswer('authorized'))).toMatchObject({
      move: { to: 'authorized' },
      attention: { reason: 'hold_beside_another_payment' },
    });
    const alone = proposeTransition(waits, referenceOf(waits), 'authorized', gatewayAnswer('authorized'));
    expect(alone.attention).toBeUndefined();
  });

  test('money beside another one moves: it is a duplicate', () => {
    const reference = referenceOf(payment, { paidPaymentIds: ['pay_2'] });
    const update = proposeTransition(payment, reference, 'succeeded', gatewayAnswer('succeeded'));
    expect(update.move?.to).toBe('succeeded');
  });
});

test('what a person has settled is not disputed again; another answer is', () => {
  const answer = gatewayAnswer('succeeded', ownMoney);
  const payment = paymentIn('voided', { settledAnswer: answerKey(answer) });
  expect(proposeTransition(payment, referenceOf(payment), 'succeeded', answer)).toEqual({});
  const other = gatewayAnswer('succeeded', { ...ownMoney, amount: 1n });
  expect(proposeTransition(payment, referenceOf(payment), 'succeeded', other).attention).toBeDefined();
});

test('a hold that a person has settled reopens nothing, also when the payment beside it is gone', () => {
  const answer = gatewayAnswer('authorized', ownMoney);
  const payment = paymentIn('canceled', { settledAnswer: answerKey(answer) });
  expect(proposeTransition(payment, referenceOf(payment), 'authorized', answer)).toEqual({});
  const paid = gatewayAnswer('succeeded', ownMoney);
  expect(proposeTransition(payment, referenceOf(payment), 'succeeded', paid).move?.to).toBe('succeeded');
});

test('waits: what is processing or asks something of the payer', () => {
  expect(statuses.filter((status) => mayWait(paymentIn(status)))).toEqual(['processing', 'requires_action']);
});
