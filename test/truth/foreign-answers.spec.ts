import { describe, expect } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectStatus, problemOf, type PaymentStatus } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  asked,
  CARD,
  cardAnswer,
  COMPLETION,
  OTP,
  payCard,
  paymentThatIs,
  say,
  sent,
  usualMoney,
  VOID,
  waitingForCode,
  will,
} from './situations.js';

/** The gateway repeats the reference in its answers, in a member of its own. */
const profile = { outcome: { reference: ['/data/transaction/reference'] } };

const foreign = {
  reference: { reference: 'ANOTHER-ORDER_1' },
  amount: { ...usualMoney, amount: '99.00' },
  currency: { ...usualMoney, currency: 'USD' },
};
const foreignOf = (what: keyof typeof foreign, status: string) =>
  answer(cardAnswer({ ...usualMoney, status, ...foreign[what] }));

const scenarios: Record<string, Scenario<Scene>> = {};
const notPaid = ['FAILED', 'EXPIRED', 'VOIDED', 'PENDING'];

for (const what of ['reference', 'amount', 'currency'] as const) {
  for (const word of notPaid) {
    scenarios[`${word} about another ${what} lets no second payment begin`] = async (scene) => {
      const { payment, session } = await payCard(scene, { do: 'reset-after-reading' });
      say(scene, payment, foreignOf(what, word));
      expect(await asked(scene, payment)).toMatchObject({ status: 'processing', needsAttention: true });
      const again = await scene.client.payCard(session);
      expect([again.status, problemOf(again).code]).toEqual([409, 'payment-in-progress']);
      expect(sent(scene, CARD, session)).toHaveLength(1);
      say(
        scene,
        payment,
        answer(cardAnswer({ ...usualMoney, status: 'FAILED', reference: payment.gatewayReference })),
      );
      expect(await asked(scene, payment)).toMatchObject({ status: 'failed', needsAttention: false });
    };
  }

  scenarios[`a decline about another ${what} in the first answer is no decline`] = async (scene) => {
    const { payment } = await payCard(scene, foreignOf(what, 'FAILED'));
    expect(payment).toMatchObject({ status: 'processing', needsAttention: true, failure: null });
  };

  scenarios[`a payer does not cancel on a waiting answer about another ${what}`] = async (scene) => {
    const { payment } = await paymentThatIs(scene, 'requires_action');
    say(scene, payment, foreignOf(what, 'PENDING'));
    const canceled = await act(scene, 'cancel', payment);
    expect([canceled.status, problemOf(canceled).code]).toEqual([409, 'outcome-unknown']);
  };

  scenarios[`a one-time code is not refused by an answer about another ${what}`] = async (scene) => {
    const { payment, session } = await waitingForCode(scene);
    will(scene, OTP, payment, foreignOf(what, 'FAILED'));
    const { body } = expectStatus(
      await act(scene, 'otp', payment, { otp: '123456' }, { token: session.clientToken }),
      202,
    );
    expect(body).toMatchObject({
      status: 'processing',
      needsAttention: true,
      pendingOperation: { type: 'otp' },
    });
  };

  const held: [string, string, 'complete' | 'void', PaymentStatus][] = [
    [COMPLETION, 'VOIDED', 'complete', 'authorized'],
    [VOID, 'VOIDED', 'void', 'authorized'],
    [VOID, 'FAILED', 'void', 'succeeded'],
  ];
  for (const [route, word, doing, status] of held) {
    scenarios[`${doing} of a payment ${status} is not settled by ${word} about another ${what}`] = async (
      scene,
    ) => {
      const { payment } = await paymentThatIs(scene, status);
      say(scene, payment, answer({}, 500));
      will(scene, route, payment, foreignOf(what, word));
      const { body } = expectStatus(await act(scene, doing, payment), 202);
      expect(body).toMatchObject({ status, needsAttention: true, pendingOperation: { type: doing } });
    };
  }
}

scenarios['a mismatch is lifted by an answer with its own reference'] = async (scene) => {
  const { payment } = await paymentThatIs(scene, 'processing');
  say(scene, payment, foreignOf('reference', 'PENDING'));
  expect(await asked(scene, payment)).toMatchObject({ needsAttention: true });
  say(scene, payment, answer(cardAnswer({ status: 'PENDING', reference: payment.gatewayReference })));
  expect(await asked(scene, payment)).toMatchObject({ status: 'processing', needsAttention: false });
};

describe.each(anyStore)('an answer about another payment, on the %s store', (store) => {
  sideBySide(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tillfront-profile-'));
    const path = join(directory, 'profile.json');
    writeFileSync(path, JSON.stringify(profile));
    const scene = await startScene(store, { GATEWAY_PROFILE: path });
    return {
      ...scene,
      stop: async () => {
        await scene.stop();
        rmSync(directory, { recursive: true });
      },
    };
  }, scenarios);
});
