import { expect, test } from '@jest/globals';
import type { GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import type { NextAction, PaymentRecord } from '../../store/schema.js';
import {
  answered,
  MINUTE,
  madeAt,
  operationRecord,
  paymentIn,
  referenceOf,
  sessionRecord,
} from '../../../test/harness/records.js';
import { interpretStatus } from './interpret-status.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const redirectUrl = 'https://other.example/';

/** What a status answer means for a payment with a code of unknown outcome. */
function interpret(result: GatewayResult, payment: PaymentRecord): PaymentUpdate {
  return interpretStatus(result, {
    payment,
    reference: referenceOf(payment),
    session: sessionRecord(),
    openOperations: [operationRecord({ type: 'otp' })],
    mode: 'live',
    now: madeAt + MINUTE,
    graceMs: 15 * MINUTE,
    asksRefunds: false,
  });
}

const redirected = { type: 'redirect', url: 'https://first.example/', method: 'GET' } as const;
test.each<[NextAction, GatewayMeaning, NextAction['type']]>([
  [redirected, 'otp', 'otp'],
  [redirected, 'pin', 'pin'],
  [redirected, 'unsupported', 'unsupported'],
  [{ type: 'otp' }, 'pin', 'pin'],
  [{ type: 'pin' }, 'otp', 'otp'],
  [{ type: 'otp' }, 'redirect', 'redirect'],
  [{ type: 'unsupported' }, 'otp', 'otp'],
])('%j, and the gateway asks for something else: %s', (nextAction, meaning, type) => {
  const update = interpret(answered(meaning, { redirectUrl }), paymentIn('requires_action', { nextAction }));
  expect(update).toMatchObject({ nextAction: { type }, answered: true, waiting: true, conclusive: true });
  expect(update.timelineNote).toEqual({
    type: 'action_changed',
    detail: { from: nextAction.type, to: type },
  });
});

test.each<[string, GatewayMeaning, Partial<PaymentRecord>]>([
  ['a wallet is asked for no code', 'otp', { method: 'wallet', nextAction: redirected }],
  [
    'a wallet is asked for nothing that it cannot do',
    'unsupported',
    { method: 'wallet', nextAction: redirected },
  ],
  ['a transfer goes to no page', 'redirect', { method: 'transfer', nextAction: null }],
])('%s', (_name, meaning, over) => {
  const update = interpret(answered(meaning, { redirectUrl }), paymentIn('requires_action', over));
  expect(update.nextAction).toBeUndefined();
});

test('an unsafe address is no action', () => {
  const payment = paymentIn('requires_action', { nextAction: { type: 'otp' } });
  const update = interpret(answered('redirect', { redirectUrl: 'javascript:alert(1)' }), payment);
  expect(update.nextAction).toBeUndefined();
});
