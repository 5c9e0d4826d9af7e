import { describe, expect } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';
import {
  act,
  answer,
  approved,
  asked,
  cardAnswer,
  paymentThatIs,
  say,
  sessionOf,
  usualMoney,
  VOID,
  will,
} from './situations.js';

const says = (status: string, more: object = {}) => answer(cardAnswer({ status, ...usualMoney, ...more }));

/** The payment's own announcements, with what each of them says was given back. */
async function announced(
  { client }: Scene,
  { id }: PaymentBody,
): Promise<[type: string, refunded: string | null, disputed: boolean][]> {
  type Page = { data: { id: string; type: string; data: PaymentBody }[] };
  const all: Page['data'] = [];
  for (;;) {
    const last = all.at(-1)?.id;
    const page = await client.get<Page>(`/v1/events?limit=100${last === undefined ? '' : `&after=${last}`}`);
    const { data } = expectStatus(page, 200).body;
    all.push(...data);
    if (data.length < 100) break;
  }
  return all
    .filter(({ data }) => data.id === id)
    .map(({ type, data }) => [type, data.amountRefunded, data.disputed]);
}

const scenarios: Record<string, Scenario<Scene>> = {
  'a refund made at the gateway is recorded and announced, once a rise, and never shrinks': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'succeeded');
    expect(payment).toMatchObject({ amountRefunded: null, disputed: false });
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }));
    const first = await asked(scene, payment);
    expect(first).toMatchObject({ status: 'succeeded', amountRefunded: '500.00', needsAttention: false });
    say(scene, payment, says('SUCCESS', { refundedAmount: '700.00' }));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '700.00' });
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }), says('SUCCESS'));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '700.00' });
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '700.00' });
    say(scene, payment, says('REFUNDED'));
    const all = await asked(scene, payment);
    expect(all).toMatchObject({ status: 'succeeded', amountRefunded: '1500.00', needsAttention: false });
    expect((await sessionOf(scene, session)).status).toBe('paid');
    await until(async () => (await announced(scene, payment)).length === 4);
    expect(await announced(scene, payment)).toEqual([
      ['payment.succeeded', null, false],
      ['payment.refunded', '500.00', false],
      ['payment.refunded', '700.00', false],
      ['payment.refunded', '1500.00', false],
    ]);
    const timeline = await scene.client.getEvents(payment.id);
    expect(timeline.filter(({ type }) => type === 'refunded').map(({ detail }) => detail)).toEqual([
      { amount: '500.00' },
      { amount: '700.00' },
      { amount: '1500.00' },
    ]);
  },

  'a reversal of a part is a refund: the order stays paid and is not sold again': async (scene) => {
    const { payment, session } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, says('REVERSED', { amount: '400.00' }));
    const after = await asked(scene, payment);
    expect(after).toMatchObject({ status: 'succeeded', amountRefunded: '400.00', needsAttention: false });
    const again = await scene.client.payCard(session);
    expect([again.status, problemOf(again).code]).toEqual([409, 'session-paid']);
  },

  'a reversal that names the payment’s amount, and a part as given back, is a refund of that part': async (
    scene,
  ) => {
    const { payment, session } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, says('REVERSED', { amount: '1500.00', currency: 'NGN', refundedAmount: '500.00' }));
    const after = await asked(scene, payment);
    expect(after).toMatchObject({ status: 'succeeded', amountRefunded: '500.00', needsAttention: false });
    expect(problemOf(expectStatus(await scene.client.payCard(session), 409)).code).toBe('session-paid');
    say(scene, payment, says('REVERSED', { amount: '9.00', refundedAmount: '1500.01' }));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', needsAttention: true });
  },

  'a void that gave a part back is none: a person looks': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    const inPart = says('REVERSED', { amount: '1500.00', currency: 'NGN', refundedAmount: '500.00' });
    will(scene, VOID, payment, inPart);
    say(scene, payment, inPart);
    expectStatus(await act(scene, 'void', payment), 202);
    const after = await asked(scene, payment);
    expect(after).toMatchObject({ status: 'succeeded', amountRefunded: '500.00', needsAttention: true });
  },

  'a reversal of the whole is a void': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, says('REVERSED'));
    expect(await asked(scene, payment)).toMatchObject({ status: 'voided', amountRefunded: null });
  },

  'a charge-back is recorded and announced, and a later success does not undo it': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, says('CHARGEBACK'));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded', disputed: true });
    say(scene, payment, says('SUCCESS'));
    expect(await asked(scene, payment)).toMatchObject({
      status: 'succeeded',
      disputed: true,
      amountDisputed: '1500.00',
      attentionReasons: ['dispute_contradicted'],
    });
    say(scene, payment, says('CHARGED_BACK'));
    await asked(scene, payment);
    await until(async () => (await announced(scene, payment)).length === 3);
    expect(await announced(scene, payment)).toEqual([
      ['payment.succeeded', null, false],
      ['payment.disputed', null, true],
      ['payment.needs_attention', null, true],
    ]);
  },

  'a dispute that was won is over, and the payment can be refunded again': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    expect(payment).toMatchObject({ amountDisputed: null, attentionReasons: [] });
    say(scene, payment, says('CHARGEBACK'));
    expect(await asked(scene, payment)).toMatchObject({ disputed: true, amountDisputed: '1500.00' });
    say(scene, payment, says('CHARGEBACK_REVERSED'));
    const won = { status: 'succeeded', disputed: false, amountDisputed: null, needsAttention: false };
    expect(await asked(scene, payment)).toMatchObject(won);
    await asked(scene, payment);
    await until(async () => (await announced(scene, payment)).length === 3);
    expect(await announced(scene, payment)).toEqual([
      ['payment.succeeded', null, false],
      ['payment.disputed', null, true],
      ['payment.dispute_won', null, false],
    ]);
    say(scene, payment, says('SUCCESS'));
    expect(await asked(scene, payment)).toMatchObject(won);
  },

  'a person says that a dispute was won where the gateway says paid': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, says('CHARGEBACK'), says('SUCCESS'));
    await asked(scene, payment);
    expect(await asked(scene, payment)).toMatchObject({ disputed: true, needsAttention: true });
    const word = { status: 'succeeded', note: 'The portal shows the dispute as won.' };
    const settled = expectStatus(await act(scene, 'resolve', payment, word), 200).body;
    expect(settled).toMatchObject({ disputed: false, amountDisputed: null, needsAttention: false });
  },

  'what is charged back after a refund is the rest; after a refund of all of it a person must look': async (
    scene,
  ) => {
    const partly = await paymentThatIs(scene, 'succeeded');
    say(scene, partly.payment, says('PARTIALLY_REFUNDED', { refundedAmount: '500.00' }), says('CHARGEBACK'));
    await asked(scene, partly.payment);
    const rest = { disputed: true, amountDisputed: '1000.00', needsAttention: false };
    expect(await asked(scene, partly.payment)).toMatchObject(rest);
    const wholly = await paymentThatIs(scene, 'succeeded');
    say(scene, wholly.payment, says('REFUNDED'), says('CHARGEBACK'));
    await asked(scene, wholly.payment);
    expect(await asked(scene, wholly.payment)).toMatchObject({
      disputed: true,
      amountRefunded: '1500.00',
      attentionReasons: ['charged_back_after_refund'],
    });
  },

  'a part that was given back without an amount needs attention, until an answer says how much': async (
    scene,
  ) => {
    const { payment } = await paymentThatIs(scene, 'succeeded');
    say(scene, payment, says('PARTIALLY_REFUNDED'));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: null, needsAttention: true });
    say(scene, payment, says('SUCCESS'));
    expect(await asked(scene, payment)).toMatchObject({ needsAttention: true });
    const refused = problemOf(expectStatus(await act(scene, 'void', payment), 409));
    expect(refused.code).toBe('invalid-state');
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '0.01' }));
    expect(await asked(scene, payment)).toMatchObject({ amountRefunded: '0.01', needsAttention: false });
  },

  'neither a refunded nor a disputed payment is voided': async (scene) => {
    for (const word of ['REFUNDED', 'CHARGEBACK']) {
      const { payment } = await paymentThatIs(scene, 'succeeded');
      will(scene, VOID, payment, says('VOIDED'));
      say(scene, payment, says(word));
      await asked(scene, payment);
      const refused = problemOf(expectStatus(await act(scene, 'void', payment), 409));
      expect(refused.code).toBe('invalid-state');
    }
  },

  'a word for a refund or a charge-back pays nothing that we hold as not paid': async (scene) => {
    for (const [word, facts] of [
      ['REFUNDED', { disputed: false }],
      ['CHARGEBACK', { disputed: true }],
    ] as const) {
      const { payment } = await paymentThatIs(scene, 'failed');
      say(scene, payment, says(word));
      const after = await asked(scene, payment);
      expect(after).toMatchObject({ status: 'failed', amountRefunded: null, needsAttention: true, ...facts });
      say(scene, payment, says('SUCCESS'));
      expect(await asked(scene, payment)).toMatchObject({
        status: 'succeeded',
        needsAttention: false,
        ...facts,
      });
    }
  },

  'an unlisted word after a success or a hold needs attention once': async (scene) => {
    for (const status of ['succeeded', 'authorized'] as const) {
      const clear = says(status === 'succeeded' ? 'SUCCESS' : 'AUTHORIZED');
      const { payment } = await paymentThatIs(scene, status);
      say(scene, payment, says('SETTLED'));
      expect(await asked(scene, payment)).toMatchObject({ status, needsAttention: true });
      say(scene, payment, clear);
      expect(await asked(scene, payment)).toMatchObject({ status, needsAttention: false });
      say(scene, payment, says('SETTLED'));
      expect(await asked(scene, payment)).toMatchObject({ status, needsAttention: false });
      say(scene, payment, says('CLEARED'));
      expect(await asked(scene, payment)).toMatchObject({ status, needsAttention: true });
      const words = (await scene.client.getEvents(payment.id)).flatMap(({ detail }) =>
        typeof detail === 'object' && detail !== null && 'word' in detail ? [detail.word] : [],
      );
      expect(words).toEqual(['SETTLED', 'SETTLED', 'CLEARED']);
    }
  },

  'an unlisted word before the outcome is known is only inconclusive': async (scene) => {
    const { payment } = await paymentThatIs(scene, 'processing');
    say(scene, payment, says('SETTLED'));
    expect(await asked(scene, payment)).toMatchObject({ status: 'processing', needsAttention: false });
    say(scene, payment, answer(approved));
    expect(await asked(scene, payment)).toMatchObject({ status: 'succeeded' });
  },
};

describe.each(anyStore)('after a success, on the %s store', (store) => {
  sideBySide(() => startScene(store), scenarios);
});
