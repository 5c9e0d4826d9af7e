import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  newReference,
  problemOf,
  TillfrontClient,
  type PaymentBody,
  type SessionBody,
} from '../harness/client.js';
import { answer, approved as paidAnswer, cardAnswer } from '../harness/gateway-answers.js';
import type { Behaviour } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import { anyStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { ANNA, approvalsOf, approve, BEN, decide, FOUR_EYES, type ApprovalBody } from '../truth/approvals.js';
import { report, reportRow, says, upload, type SettlementBody } from './settlement-scene.js';

/** What is taken over on one person's word is made paid by the gateway, or by a second person, whatever the amount. */
describe.each(anyStore)('a payment that is taken over on a person’s word, on the %s store', (store) => {
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront;
  let client: TillfrontClient;
  const answers = new Map<string, Behaviour>();

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    says(gateway, answers);
    const env = { MERCHANT_API_KEY: FOUR_EYES.MERCHANT_API_KEY };
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });
  afterAll(async () => {
    await tillfront.stop();
    await gateway.close();
  });

  /** Anna takes a payment over of which the gateway says nothing. */
  async function takenOver(): Promise<{ payment: PaymentBody; approval: ApprovalBody }> {
    const reference = newReference();
    answers.set(`${reference}_1`, { do: 'text', status: 500, text: '' });
    const compared = await upload<SettlementBody>(
      tillfront,
      '/v1/settlements',
      report(reportRow(`${reference}_1`)),
    );
    const { id } = expectStatus(compared, 201).body;
    expectStatus(await client.post(`/v1/settlements/${id}/adopt`, {}, { token: ANNA }), 200);
    const [payment] = (await client.paymentsOf(reference)) as [PaymentBody];
    expect(payment).toMatchObject({ status: 'processing', attentionReasons: ['adopted_on_word'] });
    const [approval] = (await approvalsOf({ client }, `?paymentId=${payment.id}`)) as [ApprovalBody];
    expect(approval).toMatchObject({
      ...{ kind: 'resolve', state: 'waiting', amount: '1500.00', currency: 'NGN', askedBy: 'merchant:anna' },
    });
    return { payment, approval };
  }

  test('waits for an approval though no bound is set, and the shop is told', async () => {
    const { payment, approval } = await takenOver();
    const own = await approve({ client }, approval, { token: ANNA });
    expect(problemOf(expectStatus(own, 403)).code).toBe('forbidden');
    const events = await client.get<{ data: { type: string; data: PaymentBody }[] }>(
      `/v1/events?paymentId=${payment.id}&limit=100`,
    );
    expect(events.body.data.map(({ type, data }) => [type, data.needsAttention])).toEqual([
      ['payment.needs_attention', true],
      ['payment.approval_needed', true],
    ]);
    const done = await approve<PaymentBody>({ client }, approval, { token: BEN });
    expect(expectStatus(done, 200).body).toMatchObject({
      approval: { state: 'approved', decidedBy: 'merchant:ben' },
      result: { id: payment.id, status: 'succeeded', amountCaptured: '1500.00', needsAttention: false },
    });
    const session = await client.get<SessionBody>(`/v1/checkout-sessions/${payment.sessionId}`);
    expect(session.body.status).toBe('paid');
  });

  test('which is refused once the gateway has said so itself', async () => {
    const { payment, approval } = await takenOver();
    answers.set(payment.gatewayReference, answer(paidAnswer));
    expectStatus(await client.post(`/v1/payments/${payment.id}/refresh`), 200);
    const late = await approve({ client }, approval);
    expect(problemOf(expectStatus(late, 409)).code).toBe('invalid-state');
  });

  test('or is resolved by the second person in one call', async () => {
    const { payment, approval } = await takenOver();
    const word = { status: 'succeeded', note: 'Seen at the gateway.' };
    const resolve = `/v1/payments/${payment.id}/resolve`;
    expectStatus(await client.post(resolve, word, { token: ANNA }), 403);
    expectStatus(await client.post<PaymentBody>(resolve, word, { token: BEN }), 200);
    expectStatus(await approve({ client }, approval, { token: BEN }), 409);
  });

  test('and stays as it is where they decline', async () => {
    const { payment, approval } = await takenOver();
    expectStatus(await decide({ client }, 'decline', approval, { token: BEN }), 200);
    expect(await client.getPayment(payment.id)).toMatchObject({ status: 'processing', needsAttention: true });
  });
});

describe.each(anyStore)('rows above the bound of approvals, on the %s store', (store) => {
  let gateway: MisbehavingGateway;
  let tillfront: Tillfront;
  let client: TillfrontClient;

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    tillfront = await startTillfront({ store, gatewayUrl: gateway.url, env: FOUR_EYES });
    client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  });
  afterAll(async () => {
    await tillfront.stop();
    await gateway.close();
  });

  const compared = async (...rows: string[]): Promise<SettlementBody> =>
    expectStatus(await upload<SettlementBody>(tillfront, '/v1/settlements', report(...rows)), 201).body;
  const unknown = (amount: string): { reference: string; row: string } => {
    const reference = newReference();
    return { reference, row: reportRow(`${reference}_1`, { amount }) };
  };

  test('wait for another person, each by itself; the others are taken over at once', async () => {
    const [small, large, other] = [unknown('900.00'), unknown('1500.00'), unknown('1500.00')];
    gateway.script('GET /transaction/*', (request) => {
      const isSmall = request.path.endsWith(`${small.reference}_1`);
      return answer(
        cardAnswer({ status: 'SUCCESS', amount: isSmall ? '900.00' : '1500.00', currency: 'NGN' }),
      );
    });
    const { id } = await compared(small.row, large.row, other.row);
    const path = `/v1/settlements/${id}/adopt`;
    const key = { token: ANNA, idempotencyKey: `adopt-${id}` };
    const asked = await client.post<SettlementBody & { approval: ApprovalBody }>(path, {}, key);
    expect(expectStatus(asked, 202).body).toMatchObject({
      adoption: { adopted: 1, waiting: 0 },
      approval: {
        kind: 'adopt',
        state: 'waiting',
        amount: '1500.00',
        currency: 'NGN',
        askedBy: 'merchant:anna',
      },
    });
    expect(await client.paymentsOf(small.reference)).toMatchObject([{ status: 'succeeded' }]);
    for (const { reference } of [large, other]) expect(await client.paymentsOf(reference)).toEqual([]);
    const waiting = await approvalsOf({ client }, '?state=waiting');
    expect(waiting).toHaveLength(2);
    const events = await client.get<{ data: { type: string }[] }>('/v1/events?limit=100');
    expect(events.body.data.filter(({ type }) => type === 'difference.approval_needed')).toHaveLength(2);

    // Neither a repeat nor somebody else's call asks again.
    const again = expectStatus(await client.post<{ approval: ApprovalBody }>(path, {}, key), 202);
    expect([again.headers.get('idempotency-replayed'), again.body.approval.id]).toEqual([
      'true',
      asked.body.approval.id,
    ]);
    expectStatus(await client.post(path, {}, { token: BEN }), 202);
    expect(await approvalsOf({ client }, '?state=waiting')).toHaveLength(2);
    for (const approval of waiting) {
      expectStatus(await approve({ client }, approval, { token: ANNA }), 403);
      const done = expectStatus(
        await approve<{ step: string }>({ client }, approval, { token: BEN }),
        200,
      ).body;
      expect(done).toMatchObject({
        approval: { state: 'approved' },
        result: { step: 'adopted', state: 'closed' },
      });
      expectStatus(await approve({ client }, approval, { token: BEN }), 409);
    }
    for (const { reference } of [large, other])
      expect(await client.paymentsOf(reference)).toMatchObject([{ status: 'succeeded' }]);
    expectStatus(await client.post(path, {}, key), 200);
  });

  test('stay where nobody approves, and cannot be approved once they are known', async () => {
    const [declined, known] = [unknown('1500.00'), unknown('1600.00')];
    gateway.script(
      'GET /transaction/*',
      answer(cardAnswer({ status: 'SUCCESS', amount: '1500.00', currency: 'NGN' })),
    );
    const { id } = await compared(declined.row, known.row);
    expectStatus(await client.post(`/v1/settlements/${id}/adopt`, {}, { token: ANNA }), 202);
    const [one, other] = (await approvalsOf({ client }, '?state=waiting')) as [ApprovalBody, ApprovalBody];
    expectStatus(await decide({ client }, 'decline', one, { token: BEN }), 200);
    const { data } = (
      await client.get<{ data: { id: string }[] }>(`/v1/differences?kind=unknown_here&state=open`)
    ).body;
    expect(data).toHaveLength(2);
    for (const difference of data)
      await client.post(`/v1/differences/${difference.id}/close`, {
        reason: 'explained',
        note: 'Of another shop.',
      });
    expectStatus(await approve({ client }, other, { token: BEN }), 409);
    for (const { reference } of [declined, known]) expect(await client.paymentsOf(reference)).toEqual([]);
  });
});
