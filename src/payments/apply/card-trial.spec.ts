import { describe, expect, test } from '@jest/globals';
import { paymentIn, statuses } from '../../../test/harness/records.js';
import type { FailureCode, NextAction, PaymentRecord } from '../../store/schema.js';
import { isIssuerDecline, isVindicated, trialOf, trialWeight } from './card-trial.js';
import { failure } from '../state/failures.js';

const otp: NextAction = { type: 'otp' };
const redirect: NextAction = { type: 'redirect', url: 'https://acs.example', method: 'GET' };
const processing = paymentIn('processing', { nextAction: null });
const waiting = (nextAction: NextAction, over: Partial<PaymentRecord> = {}): PaymentRecord =>
  paymentIn('requires_action', { nextAction, ...over });
const ended = (before: PaymentRecord, status: PaymentRecord['status'], code?: FailureCode) => ({
  before,
  payment: { ...before, status, nextAction: null, failure: code === undefined ? null : failure(code) },
});

describe('what counts', () => {
  test.each([
    ['a decline', ended(processing, 'failed', 'declined'), 2],
    ['a rejected card', ended(processing, 'failed', 'gateway_rejected'), 2],
    ['a decline after a code', ended(waiting(otp, { otpsSent: 1 }), 'failed', 'declined'), 2],
    ['a decline without a code', ended(waiting(otp), 'failed', 'declined'), 1],
    ['a decline from the bank’s page', ended(waiting(redirect), 'failed', 'declined'), 2],
    ['a canceled challenge', ended(waiting(otp), 'canceled', 'canceled'), 1],
    ['a canceled challenge after a wrong code', ended(waiting(otp, { otpsSent: 2 }), 'canceled'), 1],
    ['a page that was left', ended(waiting(redirect), 'expired', 'expired'), 1],
    ['a success', ended(waiting(otp), 'succeeded'), 0],
    ['a hold', ended(processing, 'authorized'), 0],
    ['another code', { before: waiting(otp), payment: waiting(otp, { otpsSent: 1 }) }, 0],
    ['what the gateway is working at, canceled', ended(processing, 'canceled', 'canceled'), 0],
    ['what the gateway was working at, expired', ended(processing, 'expired', 'expired'), 0],
    ['a hold that lapsed', ended(paymentIn('authorized'), 'expired', 'expired'), 0],
    ['a reversal', ended(waiting(otp), 'voided'), 0],
    ['a person’s word', ended(waiting(otp), 'failed', 'resolved'), 0],
    ['an outage', ended(processing, 'failed', 'gateway_unavailable'), 0],
    ['a busy gateway', ended(processing, 'failed', 'gateway_busy'), 0],
    ['refused credentials', ended(processing, 'failed', 'gateway_credentials_rejected'), 0],
    ['what never arrived', ended(processing, 'failed', 'gateway_never_received'), 0],
  ] as const)('%s', (_name, moved, weight) => {
    expect(trialWeight(moved)).toBe(weight);
    expect(
      trialWeight({
        before: { ...moved.before, method: 'wallet' },
        payment: { ...moved.payment, method: 'wallet' },
      }),
    ).toBe(0);
    expect(isIssuerDecline(moved)).toBe(moved.payment.failure?.code === 'declined');
  });

  test('is counted once, and only of a known card and place', () => {
    const moved = ended(processing, 'failed', 'declined');
    expect(trialOf({ before: moved.payment, payment: moved.payment })).toBeUndefined();
    for (const lost of [{ cardFingerprint: null }, { addressFingerprint: null }]) {
      expect(trialOf({ ...moved, payment: { ...moved.payment, ...lost } })).toBeUndefined();
    }
    expect(trialOf({ ...moved, payment: { ...moved.payment, networkFingerprint: 'network' } })).toEqual({
      id: 'pay_1',
      addressFingerprint: 'address-hash',
      networkFingerprint: 'network',
      cardFingerprint: 'card-hash',
      weight: 2,
    });
  });
});

test('late money vindicates, and nothing else', () => {
  const found = statuses.flatMap((from) =>
    statuses
      .filter((to) => isVindicated({ before: paymentIn(from), payment: paymentIn(to) }))
      .map((to) => `${from} ${to}`),
  );
  const late = ['succeeded', 'authorized', 'voided', 'processing', 'requires_action'];
  expect(new Set(found)).toEqual(
    new Set(['failed', 'canceled', 'expired'].flatMap((from) => late.map((to) => `${from} ${to}`))),
  );
});
