import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  asked,
  COMPLETION,
  held,
  OTP,
  otpRequired,
  payCard,
  say,
  sent,
  sessionOf,
  VOID,
  voided,
  will,
  type Situation,
} from './situations.js';
import { givenUp, succeededAs } from './two-paid.js';

/** A card payment that waits, and a wallet order of the same session that the payer had given up and paid after all. */
async function overtaken(
  scene: Scene,
  waits: Parameters<typeof payCard>[1],
): Promise<{ waiting: Situation; paid: Situation }> {
  const paid = await givenUp(scene);
  const waiting = await payCard(scene, waits, paid.session);
  say(scene, paid.payment, succeededAs('T-1'));
  expect((await asked(scene, paid.payment)).status).toBe('succeeded');
  return { waiting, paid };
}

const scenarios: Record<string, Scenario<Scene>> = {
  'a one-time code is not sent: the payer would pay twice': async (scene) => {
    const { waiting, paid } = await overtaken(scene, answer(otpRequired));
    will(scene, OTP, waiting.payment, answer(approved));
    const refused = problemOf(
      expectStatus(await scene.client.submitOtp(waiting.session, waiting.payment.id, '123456'), 409),
    );
    expect([refused.code, refused.paymentId]).toEqual(['session-paid', paid.payment.id]);
    expect(sent(scene, OTP, waiting.payment)).toHaveLength(0);
    expect(await scene.client.getPayment(waiting.payment.id)).toMatchObject({
      status: 'requires_action',
      duplicateOf: null,
    });
    expect((await sessionOf(scene, paid.session)).status).toBe('paid');
  },

  'a hold is not completed, and can be given back': async (scene) => {
    const { waiting, paid } = await overtaken(scene, answer(held));
    will(scene, COMPLETION, waiting.payment, answer(approved));
    const refused = problemOf(expectStatus(await act(scene, 'complete', waiting.payment), 409));
    expect([refused.code, refused.paymentId]).toEqual(['session-paid', paid.payment.id]);
    expect(sent(scene, COMPLETION, waiting.payment)).toHaveLength(0);
    will(scene, VOID, waiting.payment, answer(voided));
    expect(expectStatus(await act(scene, 'void', waiting.payment), 200).body.status).toBe('voided');
    expect((await sessionOf(scene, paid.session)).status).toBe('paid');
  },

  'a hold is completed once the other is voided': async (scene) => {
    const { waiting, paid } = await overtaken(scene, answer(held));
    will(scene, VOID, paid.payment, answer(voided));
    expectStatus(await act(scene, 'void', paid.payment), 200);
    will(scene, COMPLETION, waiting.payment, answer(approved));
    expect(expectStatus(await act(scene, 'complete', waiting.payment), 200).body).toMatchObject({
      status: 'succeeded',
      duplicateOf: null,
    });
  },
};

describe.each(anyStore)('a payment that another has overtaken, on the %s store', (store) => {
  sideBySide(() => startScene(store), scenarios);
});
