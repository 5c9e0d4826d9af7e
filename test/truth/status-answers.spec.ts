import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaymentBody, PaymentStatus } from '../harness/client.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import {
  answer,
  approved,
  asked,
  cardAnswer,
  declined,
  expired,
  failed,
  held,
  otherAmount,
  otpRequired,
  paidWith,
  paymentThatIs,
  pending,
  redirectRequired,
  say,
  sessionOf,
  voided,
} from './situations.js';

/** What each answer to a status query makes of a payment in each status. */

const answers: Record<string, Behaviour> = {
  paid: answer(approved),
  'paid, no amount': paidWith({}),
  'paid, other amount': otherAmount,
  'paid, other currency': paidWith({ amount: '1500.00', currency: 'USD' }),
  held: answer(held),
  failed: answer(failed),
  expired: answer(expired),
  voided: answer(voided),
  waiting: answer(pending),
  'waiting (otp)': answer(otpRequired),
  'waiting (redirect)': answer(redirectRequired),
  'error: true': answer(declined),
  'not decided': answer(cardAnswer({}, { error: true, errorCode: '91' })),
  'not known': answer(cardAnswer({}, { error: true, errorCode: 'NOT_FOUND' })),
  'no listed status': answer(cardAnswer({ status: 'FLOWN_AWAY' })),
  'error beside a success': answer({ ...approved, error: true }),
  'error as a text': answer({ ...approved, error: 'false' }),
  'not JSON': { do: 'text', text: '<html></html>' },
  'cut off': { do: 'cut' },
  'a reset': { do: 'reset-after-reading' },
  'a redirect': { do: 'redirect', status: 302, location: '/elsewhere' },
  ...Object.fromEntries(
    [400, 401, 404, 422, 429, 500].map((status) => [`HTTP ${status}`, answer(approved, status)]),
  ),
};

/** What becomes of it; a payment that is not named stays as it is. `!`: and a person must look. */
const outcomes: Record<string, Partial<Record<PaymentStatus, PaymentStatus | '!'>>> = {
  paid: {
    processing: 'succeeded',
    requires_action: 'succeeded',
    authorized: 'succeeded',
    failed: 'succeeded',
    canceled: 'succeeded',
    expired: 'succeeded',
    voided: '!',
  },
  'paid, other amount': {
    processing: '!',
    requires_action: '!',
    authorized: '!',
    succeeded: '!',
    failed: '!',
    canceled: '!',
    expired: '!',
    voided: '!',
  },
  // A person must look: it may say that the money went elsewhere.
  'no listed status': { authorized: '!', succeeded: '!' },
  held: {
    processing: 'authorized',
    requires_action: 'authorized',
    failed: 'authorized',
    canceled: 'authorized',
    expired: 'authorized',
  },
  failed: {
    processing: 'failed',
    requires_action: 'failed',
    authorized: '!',
    succeeded: '!',
    voided: '!',
  },
  expired: {
    processing: 'expired',
    requires_action: 'expired',
    authorized: 'expired',
    succeeded: '!',
    voided: '!',
  },
  voided: {
    processing: 'voided',
    requires_action: 'voided',
    authorized: 'voided',
    succeeded: 'voided',
    failed: 'voided',
    canceled: 'voided',
    expired: 'voided',
  },
  // Of a payment whose outcome is unknown these say what the payer must do.
  'waiting (otp)': { processing: 'requires_action' },
  'waiting (redirect)': { processing: 'requires_action' },
};
outcomes['paid, no amount'] = outcomes['paid'] ?? {};
outcomes['paid, other currency'] = outcomes['paid, other amount'] ?? {};

const statuses: readonly PaymentStatus[] = [
  'processing',
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'voided',
];

describe.each(anyStore)('asking about a payment on the %s store', (store) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(store, { GATEWAY_TIMEOUT_MS: '20000' });
  });
  afterAll(() => scene.stop());

  describe.each(statuses)('that is %s', (status) => {
    test.each(Object.keys(answers))('%s', async (name) => {
      const { payment: before, session } = await paymentThatIs(scene, status);
      say(scene, before, answers[name] as Behaviour);
      const payment = await asked(scene, before);
      const outcome = outcomes[name]?.[status];
      const becomes = outcome === undefined || outcome === '!' ? status : outcome;
      expect([payment.status, payment.needsAttention]).toEqual([becomes, outcome === '!']);
      expectConsistent(payment);
      if (becomes === 'requires_action' && status === 'requires_action') {
        // It waited for a redirect.
        const other = name === 'waiting (otp)' ? 'otp' : undefined;
        if (other) expect(payment.nextAction?.type).toBe(other);
        else expect(payment.nextAction).toEqual(before.nextAction);
      }
      if (becomes === status && status === 'failed') expect(payment.failure).toEqual(before.failure);
      const moved = becomes !== status;
      const events = await scene.client.getEvents(payment.id);
      const moves = events.filter(({ from, to }) => from === status && to === becomes);
      expect(moves).toHaveLength(moved ? 1 : 0);
      const late = moved && ['failed', 'canceled', 'expired'].includes(status);
      if (moved) expect(moves[0]?.late ?? false).toBe(late);
      if (becomes === 'succeeded') expect((await sessionOf(scene, session)).status).toBe('paid');
    });
  });
});

/** What must hold of any payment. */
function expectConsistent(payment: PaymentBody): void {
  expect(payment.nextAction !== null).toBe(payment.status === 'requires_action');
  expect(payment.failure !== null).toBe(['failed', 'canceled', 'expired'].includes(payment.status));
  if (payment.status === 'succeeded') expect(payment.amountCaptured).toBe('1500.00');
  if (payment.status === 'authorized') expect(payment.amountAuthorized).toBe('1500.00');
}
