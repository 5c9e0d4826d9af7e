import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, type PaymentBody } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { giveBack, REFUND, refundsOf, resolveRefund, says, withRefundStatus } from './refunds.js';
import { act, answer, asked, approved, otherAmount, payCard, say, voided, VOID, will } from './situations.js';
import { storedRows } from './stored-time.js';

/** An entry, as the store has it. */
interface Movement {
  kind: string;
  direction: 'in' | 'out';
  amount: string;
  refundId: string | null;
  actor: string;
  reason: string | null;
  source: string;
}

const minor = (amount: string | null | undefined): number => Math.round(Number(amount ?? 0) * 100);

describe.each(anyStore)('the ledger on the %s store', (kind) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene(kind, { GATEWAY_PROFILE: withRefundStatus() });
  });
  afterAll(() => scene?.stop());

  const ledgerOf = async ({ id }: PaymentBody): Promise<Movement[]> => {
    const rows = await storedRows(
      scene,
      `select kind, direction, movements.amount, refund_id, movements.actor, source, content from movements
        left join written_texts on written_texts.id = text_id where movements.payment_id = '${id}' order by movements.id`,
    );
    return rows.map(({ refund_id, amount, content, ...row }) => ({
      ...(row as Pick<Movement, 'kind' | 'direction' | 'actor' | 'source'>),
      ...{ amount: (Number(amount) / 100).toFixed(2), refundId: refund_id as string | null },
      reason: content as string | null,
    }));
  };
  const shown = (movements: readonly Movement[]): unknown[] =>
    movements.map(({ kind: of, direction, amount, source }) => [of, direction, amount, source]);

  async function paid(more: object = {}): Promise<PaymentBody> {
    const session = await scene.client.createSession(more);
    return (await payCard(scene, answer(approved), session)).payment;
  }

  /** What a payment says of its amounts is the sum of its movements. */
  async function expectSums({ id }: PaymentBody): Promise<void> {
    const payment = await scene.client.getPayment(id);
    const sum = (kinds: string[], movements: readonly Movement[]): number =>
      movements
        .filter(({ kind: of }) => kinds.includes(of))
        .reduce((total, { direction, amount }) => total + (direction === 'in' ? 1 : -1) * minor(amount), 0);
    const movements = await ledgerOf(payment);
    expect({
      captured: sum(['payment', 'correction'], movements),
      refunded: -sum(['refund', 'refund_reversal'], movements) + 0,
      disputed: -sum(['chargeback', 'chargeback_reversal'], movements) + 0,
    }).toEqual({
      captured: minor(payment.amountCaptured),
      refunded: minor(payment.amountRefunded),
      disputed: minor(payment.amountDisputed),
    });
  }

  test('has each move of money, whoever made it', async () => {
    const payment = await paid();
    expect(await ledgerOf(payment)).toEqual([
      {
        ...{ kind: 'payment', direction: 'in', amount: '1500.00', source: 'gateway' },
        ...{ actor: 'gateway', refundId: null, reason: null },
      },
    ]);
    await expectSums(payment);

    will(scene, REFUND, payment, says('REFUNDED', { amount: '500.00', currency: 'NGN' }));
    const reason = 'Ada’s size did not fit';
    const { body: refund } = expectStatus(await giveBack(scene, payment, { amount: '500.00', reason }), 201);
    const refunded = (await ledgerOf(payment)).at(-1);
    expect(refunded).toMatchObject({
      kind: 'refund',
      direction: 'out',
      amount: '500.00',
      refundId: refund.id,
    });
    expect(refunded).toMatchObject({ reason, actor: expect.stringMatching(/^merchant/), source: 'gateway' });
    await expectSums(payment);

    // Some more, at the gateway's own dashboard.
    scene.gateway.script(
      `GET /refund/${payment.gatewayReference}_r1`,
      says('REFUNDED', { amount: '500.00' }),
    );
    say(scene, payment, says('PARTIALLY_REFUNDED', { refundedAmount: '700.00' }));
    await asked(scene, payment);
    expect((await ledgerOf(payment)).at(-1)).toMatchObject({
      ...{ kind: 'refund', amount: '200.00', refundId: null, actor: 'gateway', reason: null },
    });
    await expectSums(payment);

    // Our own refund came back.
    expectStatus(await resolveRefund(scene, payment, refund, 'failed'), 200);
    expect((await ledgerOf(payment)).at(-1)).toMatchObject({
      ...{
        kind: 'refund_reversal',
        direction: 'in',
        amount: '500.00',
        refundId: refund.id,
        source: 'person',
      },
    });
    await expectSums(payment);
    expect(shown(await ledgerOf(payment))).toEqual([
      ['payment', 'in', '1500.00', 'gateway'],
      ['refund', 'out', '500.00', 'gateway'],
      ['refund', 'out', '200.00', 'gateway'],
      ['refund_reversal', 'in', '500.00', 'person'],
    ]);

    expect((await refundsOf(scene, payment)).map(({ reason: why }) => why)).toEqual([reason]);
  });

  test('has a void, a dispute and its end, and what a person corrects', async () => {
    const reversed = await paid();
    will(scene, VOID, reversed, answer(voided));
    expectStatus(await act(scene, 'void', reversed), 200);
    const [, undone] = await ledgerOf(reversed);
    expect(undone).toMatchObject({ kind: 'void', direction: 'out', amount: '1500.00' });
    expect(undone?.actor).toMatch(/^merchant/);
    await expectSums(reversed);

    const disputed = await paid();
    say(scene, disputed, says('CHARGEBACK'));
    await asked(scene, disputed);
    await expectSums(disputed);
    say(scene, disputed, says('CHARGEBACK_REVERSED'));
    await asked(scene, disputed);
    expect(shown(await ledgerOf(disputed)).slice(1)).toEqual([
      ['chargeback', 'out', '1500.00', 'gateway'],
      ['chargeback_reversal', 'in', '1500.00', 'gateway'],
    ]);
    await expectSums(disputed);

    const corrected = await paid();
    say(scene, corrected, otherAmount);
    expect((await asked(scene, corrected)).needsAttention).toBe(true);
    const note = 'The bank kept a fee.';
    const word = { status: 'succeeded', amountReceived: '1400.00', note };
    expectStatus(await act(scene, 'resolve', corrected, word), 200);
    const [, correction] = await ledgerOf(corrected);
    expect(correction).toMatchObject({
      kind: 'correction',
      direction: 'out',
      amount: '100.00',
      reason: note,
    });
    await expectSums(corrected);

    const session = await scene.client.createSession();
    const { payment: unclear } = await payCard(scene, otherAmount, session);
    expect(await ledgerOf(unclear)).toEqual([]);
    expectStatus(await act(scene, 'resolve', unclear, { status: 'succeeded', note }), 200);
    expect(shown(await ledgerOf(unclear))).toEqual([['payment', 'in', '1500.00', 'person']]);
    await expectSums(unclear);

    const { payment: failed } = await payCard(scene, otherAmount);
    const nothing = await act(scene, 'resolve', failed, { status: 'failed', amountReceived: '1.00', note });
    expect(problemOf(nothing)).toMatchObject({ errors: [{ pointer: '/amountReceived' }] });
  });
});
