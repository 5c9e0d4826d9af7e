import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { expectStatus, problemOf, type Answer } from '../harness/client.js';
import { startScene, type Scene } from '../harness/scene.js';
import { anyStore } from '../harness/test-store.js';
import { testKeys } from '../harness/tillfront.js';
import { ANNA, approvalsOf, approve, BEN, BOOKS, decide, FOUR_EYES, waiting } from './approvals.js';
import {
  announcedOf,
  expectGivenBack,
  giveBack,
  lost,
  paid,
  REFUND,
  refundsOf,
  refundsSent,
  refused,
  resolveRefund,
  says,
  withRefunds,
  type RefundBody,
} from './refunds.js';
import { sideBySide, type Scenario } from './scenarios.js';
import { will } from './situations.js';
import { eventsOf } from './two-paid.js';
import { storedRows } from './stored-time.js';

const codeOf = (answer: Answer<unknown>): [number, string] => [answer.status, problemOf(answer).code];
const anna = (key?: string): { token: string; idempotencyKey?: string } => ({
  token: ANNA,
  ...(key !== undefined && { idempotencyKey: key }),
});
const replayed = ({ headers }: Answer<unknown>): string | null => headers.get('idempotency-replayed');

const refunds: Record<string, Scenario<Scene>> = {
  'a refund above the bound waits, and nothing is sent, until another named key approves it': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    const asked = await giveBack(scene, payment, { amount: '1200.00', reason: 'All was broken.' }, anna());
    const approval = waiting(asked);
    expect(asked.body).toEqual({
      approval: {
        id: expect.stringMatching(/^apr_/),
        state: 'waiting',
        amount: '1200.00',
        currency: 'NGN',
        paymentId: payment.id,
        reference: payment.reference,
        reason: 'All was broken.',
        askedBy: 'merchant:anna',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        decidedBy: null,
        decidedAt: null,
        note: null,
      },
      result: null,
    });
    const day = 24 * 3_600_000;
    expect(Date.parse(approval.expiresAt) - Date.parse(approval.createdAt)).toBe(7 * day);
    expect(await refundsOf(scene, payment)).toEqual([]);
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      amountRefunded: null,
      pendingOperation: null,
    });
    expect(await approvalsOf(scene, `?state=waiting&paymentId=${payment.id}`)).toEqual([approval]);

    const approved = await approve<RefundBody>(scene, approval, { token: BEN }, { note: 'Seen the photos.' });
    const { result, approval: after } = expectStatus(approved, 200).body;
    expect(after).toMatchObject({ state: 'approved', decidedBy: 'merchant:ben', note: 'Seen the photos.' });
    expect(result).toMatchObject({
      paymentId: payment.id,
      ...{ amount: '1200.00', status: 'succeeded', reason: 'All was broken.' },
    });
    expect(refundsSent(scene, payment)).toEqual([
      { refundRef: `${payment.gatewayReference}_r1`, amount: '1200.00' },
    ]);
    await expectGivenBack(scene, payment, '1200.00', ['succeeded']);
    // It is the asker's refund.
    const intended = (await scene.client.getEvents(payment.id)).find(
      ({ detail }) => (detail as { operation?: string } | undefined)?.operation === 'refund',
    );
    expect(intended?.actor).toBe('merchant:anna');
    expect(await approvalsOf(scene, `?state=waiting&paymentId=${payment.id}`)).toEqual([]);
  },

  'the shop is told that one is needed, with the payment': async (scene) => {
    const { payment } = await paid(scene);
    waiting(await giveBack(scene, payment, { amount: '1200.00' }));
    const told = (await eventsOf(scene, payment)).filter(({ type }) => type === 'payment.approval_needed');
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      operation: { type: 'refund', amount: '1200.00' },
      data: { id: payment.id, status: 'succeeded', amountRefunded: null },
    });
  },

  'at the bound nobody else is needed, above it the sum of all refunds counts': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '600.00' }), 201);
    expectStatus(await giveBack(scene, payment, { amount: '400.00' }), 201);
    const approval = waiting(await giveBack(scene, payment, { amount: '0.01' }));
    expect(approval.amount).toBe('0.01');
    expect(refundsSent(scene, payment)).toHaveLength(2);
    expectStatus(await approve(scene, approval), 200);
    await expectGivenBack(scene, payment, '1000.01', ['succeeded', 'succeeded', 'succeeded']);
  },

  'without an amount, what is left when it is asked for is what is approved': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('PARTIALLY_REFUNDED'));
    const all = waiting(await giveBack(scene, payment));
    expect(all.amount).toBe('1500.00');
    expectStatus(await giveBack(scene, payment, { amount: '500.00' }), 201);
    // Not so much is left by now: the rules are those of the moment in which it is approved.
    expect(codeOf(await approve(scene, all))).toEqual([409, 'invalid-state']);
    expect((await approvalsOf(scene, `?paymentId=${payment.id}`))[0]).toMatchObject({
      state: 'waiting',
      decidedBy: null,
    });
    expect(refundsSent(scene, payment)).toHaveLength(1);
    expectStatus(await decide(scene, 'decline', all, anna()), 200);
  },

  'neither who asked, nor a key without a name, nor who keeps the books, nor a reader can approve': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    const approval = waiting(await giveBack(scene, payment, {}, anna()));
    expect(codeOf(await approve(scene, approval, anna()))).toEqual([403, 'forbidden']);
    expect(codeOf(await approve(scene, approval, {}))).toEqual([403, 'forbidden']);
    expect(codeOf(await approve(scene, approval, { token: BOOKS }))).toEqual([403, 'forbidden']);
    const reader = { token: scene.tillfront.merchantReadKey };
    expect(codeOf(await approve(scene, approval, reader))).toEqual([403, 'forbidden']);
    expect(codeOf(await decide(scene, 'decline', approval, { token: BOOKS }))).toEqual([403, 'forbidden']);
    expect(refundsSent(scene, payment)).toEqual([]);
    expect((await approvalsOf(scene, `?paymentId=${payment.id}`))[0]).toMatchObject({ state: 'waiting' });
  },

  'a key without a name may ask, and any name may approve that': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    const approval = waiting(await giveBack(scene, payment));
    expect(approval.askedBy).toBe('merchant');
    expectStatus(await approve(scene, approval, anna()), 200);
    await expectGivenBack(scene, payment, '1500.00', ['succeeded']);
  },

  'the asker’s key answers with the approval as it stands': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    const key = anna(randomUUID());
    const approval = waiting(await giveBack(scene, payment, { amount: '1200.00' }, key));
    const again = await giveBack(scene, payment, { amount: '1200.00' }, key);
    expect(expectStatus(again, 200).body).toEqual({ approval, result: null });
    expect(replayed(again)).toBe('true');
    expect(codeOf(await giveBack(scene, payment, { amount: '1100.00' }, key))).toEqual([
      422,
      'idempotency-key-reused',
    ]);
    expectStatus(await approve(scene, approval), 200);
    const after = await giveBack(scene, payment, { amount: '1200.00' }, key);
    expect(expectStatus(after, 200).body).toMatchObject({
      approval: { id: approval.id, state: 'approved' },
      result: { amount: '1200.00', status: 'succeeded' },
    });
    expect(replayed(after)).toBe('true');
    expect(refundsSent(scene, payment)).toHaveLength(1);
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toHaveLength(1);
  },

  'it is decided once: whatever comes after is refused, and a repeat of the call is answered': async (
    scene,
  ) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    const approval = waiting(await giveBack(scene, payment, {}, anna()));
    const key = { token: BEN, idempotencyKey: randomUUID() };
    const first = expectStatus(await approve(scene, approval, key), 200);
    expect(replayed(first)).toBeNull();
    const second = expectStatus(await approve(scene, approval, key), 200);
    expect(second.body).toEqual(first.body);
    expect(replayed(second)).toBe('true');
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);
    expect(codeOf(await decide(scene, 'decline', approval))).toEqual([409, 'invalid-state']);
    expect(refundsSent(scene, payment)).toHaveLength(1);
  },

  'many who approve and decline at once: one of them decides': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    const approval = waiting(await giveBack(scene, payment));
    const answers = await Promise.all([
      ...[ANNA, BEN, ANNA, BEN].map((token) => approve(scene, approval, { token })),
      ...[ANNA, BEN].map((token) => decide(scene, 'decline', approval, { token })),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const [decided] = await approvalsOf(scene, `?paymentId=${payment.id}`);
    const state = decided?.state;
    expect(refundsSent(scene, payment)).toHaveLength(state === 'approved' ? 1 : 0);
    expect((await refundsOf(scene, payment)).length).toBe(state === 'approved' ? 1 : 0);
  },

  'declined, nothing is done, and the asker hears it': async (scene) => {
    const { payment } = await paid(scene);
    const key = anna(randomUUID());
    const approval = waiting(await giveBack(scene, payment, {}, key));
    const declined = await decide(scene, 'decline', approval, { token: BEN }, { note: 'Not ours.' });
    expect(expectStatus(declined, 200).body).toMatchObject({
      approval: { state: 'declined', decidedBy: 'merchant:ben', note: 'Not ours.' },
      result: null,
    });
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);
    const heard = expectStatus(await giveBack(scene, payment, {}, key), 200);
    expect(heard.body).toMatchObject({ approval: { state: 'declined' }, result: null });
    expect(refundsSent(scene, payment)).toEqual([]);
  },

  'after seven days nobody can approve it': async (scene) => {
    const { payment } = await paid(scene);
    const key = anna(randomUUID());
    const approval = waiting(await giveBack(scene, payment, {}, key));
    await storedRows(
      scene,
      `update approvals set expires_at = ${Date.now() - 1} where id = '${approval.id}'`,
    );
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);
    expect(codeOf(await decide(scene, 'decline', approval))).toEqual([409, 'invalid-state']);
    const heard = expectStatus(await giveBack(scene, payment, {}, key), 200);
    expect(heard.body).toMatchObject({ approval: { state: 'expired' }, result: null });
    expect(await approvalsOf(scene, `?state=expired&paymentId=${payment.id}`)).toHaveLength(1);
    expect(await approvalsOf(scene, `?state=waiting&paymentId=${payment.id}`)).toEqual([]);
    expect(refundsSent(scene, payment)).toEqual([]);
  },

  'what the gateway refuses is recorded as failed, and no longer waits': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, refused);
    const key = anna(randomUUID());
    const approval = waiting(await giveBack(scene, payment, {}, key));
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'gateway-refused']);
    const heard = expectStatus(await giveBack(scene, payment, {}, key), 200);
    expect(heard.body).toMatchObject({ approval: { state: 'approved' }, result: { status: 'failed' } });
    expect((await announcedOf(scene, payment, 1)).map(([type]) => type)).toEqual(['payment.refund_failed']);
  },

  'one of which no answer came back is open, and its repeat says so': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, lost);
    const approval = waiting(await giveBack(scene, payment));
    const key = { token: BEN, idempotencyKey: randomUUID() };
    const approved = expectStatus(await approve<RefundBody>(scene, approval, key), 200);
    expect(approved.body.result).toMatchObject({ status: 'processing' });
    expectStatus(await approve(scene, approval, key), 200);
    expect(refundsSent(scene, payment)).toHaveLength(1);
  },

  'another refund under way refuses at the moment of the approval and changes nothing': async (scene) => {
    const { payment } = await paid(scene);
    const approval = waiting(await giveBack(scene, payment, { amount: '1200.00' }));
    will(scene, REFUND, payment, lost, says('REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount: '10.00' }), 202);
    const key = { token: BEN, idempotencyKey: randomUUID() };
    expect(codeOf(await approve(scene, approval, key))).toEqual([409, 'operation-in-progress']);
    const [open] = (await refundsOf(scene, payment)) as [RefundBody];
    expectStatus(await resolveRefund(scene, payment, open, 'succeeded'), 200);
    // A refusal before anything was recorded has not used up the key.
    expectStatus(await approve(scene, approval, key), 200);
    await expectGivenBack(scene, payment, '1210.00', ['succeeded', 'succeeded']);
  },

  'what nobody could do is refused at once, and waits for nobody': async (scene) => {
    const { payment } = await paid(scene);
    expect(codeOf(await giveBack(scene, payment, { amount: '1500.01' }))).toEqual([409, 'invalid-state']);
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toEqual([]);
  },

  'no such approval is not found': async (scene) => {
    expect(codeOf(await approve(scene, { id: 'apr_8Yk2cQ0nVtXw4u7LhZ1sRb6E' }))).toEqual([404, 'not-found']);
  },

  'the list goes page by page, the newest first': async (scene) => {
    const { payment } = await paid(scene);
    const ids: string[] = [];
    for (const amount of ['1100.00', '1200.00', '1300.00'])
      ids.unshift(waiting(await giveBack(scene, payment, { amount })).id);
    const path = `/v1/approvals?paymentId=${payment.id}&limit=2`;
    type Page = { data: { id: string }[]; nextCursor: string | null };
    const one = expectStatus(await scene.client.get<Page>(path), 200).body;
    const two = expectStatus(
      await scene.client.get<Page>(`${path}&cursor=${one.nextCursor ?? ''}`),
      200,
    ).body;
    expect([...one.data, ...two.data].map(({ id }) => id)).toEqual(ids);
    expect([one.nextCursor, two.nextCursor]).toEqual([ids[1], null]);
    expect((await scene.client.get('/v1/approvals?state=open')).status).toBe(400);
  },

  'the audit says who asked and who approved': async (scene) => {
    const { payment } = await paid(scene);
    will(scene, REFUND, payment, says('REFUNDED'));
    const approval = waiting(await giveBack(scene, payment, {}, anna()));
    await approve(scene, approval, anna());
    await approve(scene, approval);
    type Entry = { actor: string; action: string; object: string; outcome: string };
    const { data: entries } = expectStatus(
      await scene.client.get<{ data: Entry[] }>('/v1/audit?limit=100'),
      200,
    ).body;
    const about = entries.filter(({ object }) => object === payment.id || object === approval.id).reverse();
    expect(about.map(({ actor, action, object, outcome }) => [actor, action, object, outcome])).toEqual([
      ['merchant:anna', 'refund', payment.id, 'ok'],
      ['merchant:anna', 'approve', approval.id, 'forbidden'],
      ['merchant:ben', 'approve', approval.id, 'ok'],
    ]);
  },
};

describe.each(anyStore)('above APPROVAL_ABOVE, on the %s store', (store) => {
  const env = {
    GATEWAY_PROFILE: withRefunds(),
    GATEWAY_TIMEOUT_MS: '1000',
    NOT_FOUND_GRACE_SECONDS: '6',
    ...FOUR_EYES,
  };
  sideBySide(() => startScene(store, env), refunds);
});

describe('a start with APPROVAL_ABOVE', () => {
  test.each([
    [`${testKeys.merchant},anna=${ANNA}`, 1],
    [`anna=${ANNA},ben=${BEN}`, 0],
  ])('warns where nobody could approve (%#)', async (keys, warnings) => {
    const scene = await startScene('embedded', { ...FOUR_EYES, MERCHANT_API_KEY: keys });
    try {
      const lines = scene.tillfront.logs().split('\n');
      const said = lines.filter((line) => line.includes('"event":"approvals.few_named_keys"'));
      expect(said).toHaveLength(warnings);
      expect(said.join()).not.toContain(ANNA);
    } finally {
      await scene.stop();
    }
  });
});
