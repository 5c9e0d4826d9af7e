import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectStatus,
  problemOf,
  TillfrontClient,
  type Answer,
  type PaymentBody,
} from '../harness/client.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { Scene } from '../harness/scene.js';
import { anyStore, createTestStore, type TestStore } from '../harness/test-store.js';
import { startTillfront, type Tillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { profileFile } from '../profiles/strict-gateway.js';
import {
  ANNA,
  approvalsOf,
  approve,
  BEN,
  BOOKS,
  decide,
  FOUR_EYES,
  type ApprovalBody,
} from '../truth/approvals.js';
import { giveBack, paid, REFUND, refundsOf, resolveRefund, says, type RefundBody } from '../truth/refunds.js';
import { questions, timelineOf, will } from '../truth/situations.js';
import { storedRows } from '../truth/stored-time.js';
import { eventsOf } from '../truth/two-paid.js';
import { report, reportRow, upload, type DifferenceBody } from './settlement-scene.js';

const refund = { method: 'POST', path: '/payment/refund', credentials: true };
/** A gateway that refunds, and of which nobody can ask what became of it. */
const silent = (): string => profileFile({ operations: { refund }, outcome: { refundedAmount: [] } });
const asking = (): string => profileFile({ operations: { refund } });
const people = {
  MERCHANT_API_KEY: FOUR_EYES.MERCHANT_API_KEY,
  MERCHANT_BOOKS_API_KEY: FOUR_EYES.MERCHANT_BOOKS_API_KEY,
};
const codeOf = (answer: Answer<unknown>): [number, string] => [answer.status, problemOf(answer).code];

const sceneOf = (gateway: MisbehavingGateway, tillfront: Tillfront): Scene => ({
  gateway,
  tillfront,
  client: new TillfrontClient(tillfront.url, tillfront.merchantKey),
  stop: async () => void (await tillfront.stop()),
});

/** A paid payment of which so much was given back, refund by refund. */
async function givenBack(scene: Scene, ...amounts: string[]): Promise<PaymentBody> {
  const { payment } = await paid(scene);
  for (const amount of amounts) {
    will(scene, REFUND, payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, payment, { amount }), 201);
  }
  return payment;
}

const reversal = ({ gatewayReference }: PaymentBody, amount = '300.00', more = {}): string =>
  reportRow(gatewayReference, { type: 'REFUND_REVERSAL', amount, fee: '', ...more });

async function compare(
  { tillfront }: Pick<Scene, 'tillfront'>,
  rows: readonly string[],
  key = BOOKS,
): Promise<void> {
  expectStatus(
    await upload({ url: tillfront.url, merchantKey: key }, '/v1/settlements', report(...rows)),
    200,
    201,
  );
}

async function approvalsFor(scene: Scene, { id }: PaymentBody, count: number): Promise<ApprovalBody[]> {
  const path = `?paymentId=${id}`;
  await until(async () => (await approvalsOf(scene, path)).length >= count);
  return approvalsOf(scene, path);
}

/** The events of a type, once there are any: the list shows an event a moment after its commit. */
async function toldOf(scene: Scene, payment: PaymentBody, type: string): ReturnType<typeof eventsOf> {
  let told: Awaited<ReturnType<typeof eventsOf>> = [];
  await until(async () => {
    told = (await eventsOf(scene, payment)).filter((one) => one.type === type);
    return told.length > 0;
  });
  return told;
}

async function differencesOf(
  { client }: Scene,
  { gatewayReference }: PaymentBody,
): Promise<DifferenceBody[]> {
  const path = `/v1/differences?limit=100&kind=refund_unknown_here&reference=${gatewayReference}`;
  return expectStatus(await client.get<{ data: DifferenceBody[] }>(path), 200).body.data;
}

async function movementsOf({ client }: Scene, { id }: PaymentBody): Promise<string[]> {
  type Movement = { kind: string; amount: string; source: string; refundId: string | null };
  const { data } = (await client.get<{ data: Movement[] }>(`/v1/movements?paymentId=${id}`)).body;
  return data.map((one) => `${one.kind} ${one.amount} ${one.source}`);
}

/** The differences of a payment, in the order of their rows. */
async function differencesByRow(scene: Scene, payment: PaymentBody): Promise<DifferenceBody[]> {
  return (await differencesOf(scene, payment)).sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
}

/** The approvals of the two rows of a payment, in their order. */
async function byRow(scene: Scene, payment: PaymentBody): Promise<[ApprovalBody, ApprovalBody]> {
  const approvals = await approvalsFor(scene, payment, 2);
  const rows = await differencesByRow(scene, payment);
  return rows.map(({ id }) => approvals.find(({ differenceId }) => differenceId === id)) as [
    ApprovalBody,
    ApprovalBody,
  ];
}

/** The refund that an approval is about, as the store has it. */
async function refundAskedAbout(scene: Scene, { id }: ApprovalBody): Promise<Pick<RefundBody, 'id'>> {
  const [row] = await storedRows(scene, `select wanted from approvals where id = '${id}'`);
  const { refundId } = JSON.parse(String(row?.['wanted'])) as { refundId: string };
  return { id: refundId };
}

describe.each(anyStore)('a refund that came back by a report alone, on the %s store', (kind) => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let scene: Scene;
  const start = async (profile = silent()): Promise<Scene> => {
    const env = { ...people, GATEWAY_PROFILE: profile };
    return sceneOf(gateway, await startTillfront({ store, gatewayUrl: gateway.url, env }));
  };

  beforeAll(async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore(kind);
    scene = await start();
  });
  afterAll(async () => {
    await scene.stop();
    await gateway.close();
    await store.dispose();
  });

  test('fails once another merchant key approves it, whoever uploads the row again', async () => {
    const payment = await givenBack(scene, '300.00');
    const asked = questions(scene, payment);
    const row = reversal(payment);
    await compare(scene, [row]);
    const [approval] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
    const [difference] = (await differencesOf(scene, payment)) as [DifferenceBody];
    expect(approval).toMatchObject({
      ...{ kind: 'refund_reversal', state: 'waiting', amount: '300.00', currency: 'NGN' },
      ...{ paymentId: payment.id, differenceId: difference.id, askedBy: 'merchant:carol', reason: null },
    });
    await until(async () => (await differencesOf(scene, payment))[0]?.step === 'to_approve');
    const other = await givenBack(scene, '10.00');
    await compare(scene, [row, reversal(other, '10.00')], ANNA);
    await approvalsFor(scene, other, 1);
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toEqual([approval]);
    // Nothing has moved, and nobody is called.
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      ...{ amountRefunded: '300.00', needsAttention: false },
    });
    const needed = await toldOf(scene, payment, 'payment.approval_needed');
    expect(needed).toMatchObject([{ operation: { type: 'refund', amount: '300.00' } }]);

    expect(codeOf(await approve(scene, approval, { token: BOOKS }))).toEqual([403, 'forbidden']);
    const key = { token: BEN, idempotencyKey: randomUUID() };
    const note = 'It is on the bank statement.';
    const done = expectStatus(await approve<RefundBody>(scene, approval, key, { note }), 200).body;
    expect(done).toMatchObject({
      approval: { state: 'approved', decidedBy: 'merchant:ben', note },
      result: { status: 'failed', amount: '300.00', paymentId: payment.id },
    });
    const again = expectStatus(await approve(scene, approval, key, { note }), 200);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', done]);
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);

    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      ...{ status: 'succeeded', amountRefunded: null, needsAttention: false },
    });
    expect(await movementsOf(scene, payment)).toEqual([
      'payment 1500.00 gateway',
      'refund 300.00 gateway',
      'refund_reversal 300.00 report',
    ]);
    await until(async () => (await differencesOf(scene, payment))[0]?.state === 'closed');
    const failed = await toldOf(scene, payment, 'payment.refund_failed');
    expect(failed).toMatchObject([{ late: true, operation: { amount: '300.00' } }]);
    expect(questions(scene, payment)).toBe(asked);
    type Entry = { actor: string; action: string; object: string; outcome: string };
    const { data } = (await scene.client.get<{ data: Entry[] }>(`/v1/audit?object=${approval.id}`)).body;
    expect(data.map(({ actor, action, outcome }) => `${actor} ${action} ${outcome}`).reverse()).toEqual([
      'merchant:carol approve forbidden',
      'merchant:ben approve ok',
      'merchant:ben approve ok',
      'merchant:ben approve invalid-state',
    ]);
    // What came back can be given back again.
    will(scene, REFUND, payment, says('REFUNDED'));
    expectStatus(await giveBack(scene, payment), 201);
  });

  test('is approved by somebody else than the one who sent the report', async () => {
    const payment = await givenBack(scene, '300.00');
    await compare(scene, [reversal(payment)], ANNA);
    const [approval] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
    expect(codeOf(await approve(scene, approval, { token: ANNA }))).toEqual([403, 'forbidden']);
    expect((await refundsOf(scene, payment))[0]?.status).toBe('succeeded');
    expectStatus(await approve(scene, approval, { token: BEN }), 200);
    expect((await refundsOf(scene, payment))[0]?.status).toBe('failed');
  });

  test('has an approval for each row, each about a refund of its own', async () => {
    const payment = await givenBack(scene, '200.00', '200.00');
    const at = new Date().toISOString();
    await compare(scene, [
      reversal(payment, '200.00', { settledAt: at }),
      reversal(payment, '200.00', { settledAt: at }),
    ]);
    const [first, second] = await byRow(scene, payment);
    expectStatus(await approve(scene, second), 200);
    // The ledger's entry settles one of the two rows, which are equal: here that of the other refund.
    const statesOf = async (): Promise<string[]> =>
      (await differencesByRow(scene, payment)).map(({ state }) => state);
    await until(async () => (await statesOf()).includes('closed'));
    expect(await statesOf()).toEqual(['closed', 'open']);
    expectStatus(await approve(scene, first), 200);
    expect((await refundsOf(scene, payment)).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await scene.client.getPayment(payment.id)).toMatchObject({ amountRefunded: null });
    await until(async () => (await differencesOf(scene, payment)).every(({ state }) => state === 'closed'));
  });

  test('is asked about once though another report turns out to be the first that has its row', async () => {
    const payment = await givenBack(scene, '300.00');
    const row = reversal(payment);
    await compare(scene, [row]);
    const [approval] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
    await compare(scene, [reversal(payment, '0.01')]);
    // As where two replicas read both at the same moment, so that both keep the row, and the other one's clock is behind.
    const columns = `nth, type, reference, transaction_ref, refund_ref, payout, amount, fee, net, currency, settled_from, settled_until, identity`;
    await storedRows(
      scene,
      `insert into settlement_rows (rows_id, line, ${columns})
        select (select rows_id from settlements order by id desc limit 1), 3, ${columns} from settlement_rows
        where reference = '${payment.gatewayReference}' and amount like '300%'`,
    );
    await storedRows(
      scene,
      `update settlements set id = replace(id, 'stl_', 'stl_0') where id = (select max(id) from settlements)`,
    );
    await compare(scene, [reversal(payment, '0.02')]);
    await until(
      async () =>
        (await differencesOf(scene, payment)).filter(({ step }) => step === 'to_approve').length > 1,
    );
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toEqual([approval]);
    // Its own difference closed by itself, for another one of the same row: it can still be approved.
    expectStatus(await approve(scene, approval), 200);
    expect((await refundsOf(scene, payment)).map(({ status }) => status)).toEqual(['failed']);
    expect(await movementsOf(scene, payment)).toHaveLength(3);
  });

  test('leaves everything as it was where it is declined, and nobody is asked again', async () => {
    const payment = await givenBack(scene, '300.00');
    const row = reversal(payment);
    await compare(scene, [row]);
    const [approval] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
    await until(async () => (await differencesOf(scene, payment))[0]?.step === 'to_approve');
    expectStatus(await decide(scene, 'decline', approval, { token: BEN }), 200);
    const other = await givenBack(scene, '10.00');
    await compare(scene, [row, reversal(other, '10.00')], ANNA);
    await approvalsFor(scene, other, 1);
    expect(await differencesOf(scene, payment)).toMatchObject([{ state: 'open', step: null }]);
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toHaveLength(1);
    expect(await scene.client.getPayment(payment.id)).toMatchObject({
      ...{ amountRefunded: '300.00', needsAttention: false },
    });
    expect(await timelineOf(scene, payment)).not.toContain('report_unconfirmed');
  });

  test('calls a person where nobody has decided in time', async () => {
    const payment = await givenBack(scene, '300.00');
    await compare(scene, [reversal(payment)]);
    const [approval] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
    await until(async () => (await differencesOf(scene, payment))[0]?.step === 'to_approve');
    await storedRows(
      scene,
      `update approvals set expires_at = ${Date.now() - 1} where id = '${approval.id}'`,
    );
    await storedRows(
      scene,
      `update differences set due_at = ${Date.now() - 1} where payment_id = '${payment.id}' and due_at is not null`,
    );
    await until(async () => (await scene.client.getPayment(payment.id)).needsAttention);
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);
    expect((await refundsOf(scene, payment))[0]?.status).toBe('succeeded');
  });

  test('is refused where the rules no longer hold: the difference is closed, or the refund failed already', async () => {
    const [closed, failed] = [await givenBack(scene, '300.00'), await givenBack(scene, '300.00')];
    await compare(scene, [reversal(closed), reversal(failed)]);
    const [one] = (await approvalsFor(scene, closed, 1)) as [ApprovalBody];
    const [other] = (await approvalsFor(scene, failed, 1)) as [ApprovalBody];
    const [difference] = (await differencesOf(scene, closed)) as [DifferenceBody];
    const body = { reason: 'explained', note: 'Of another shop.' };
    expectStatus(await scene.client.post(`/v1/differences/${difference.id}/close`, body), 200);
    expect(codeOf(await approve(scene, one))).toEqual([409, 'invalid-state']);
    const [came] = (await refundsOf(scene, failed)) as [RefundBody];
    expectStatus(await resolveRefund(scene, failed, came, 'failed'), 200);
    expect(codeOf(await approve(scene, other))).toEqual([409, 'invalid-state']);
    expect((await refundsOf(scene, closed))[0]?.status).toBe('succeeded');
    expect(await movementsOf(scene, failed)).toHaveLength(3);
  });

  test('is refused where another refund of the same amount came back, and left no row of which nothing is known', async () => {
    const payment = await givenBack(scene, '200.00', '200.00');
    await compare(scene, [reversal(payment, '200.00')]);
    const [approval] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
    // What is asked about is the newer refund: a person says that the older one came back.
    const [older] = (await refundsOf(scene, payment)) as [RefundBody];
    expectStatus(await resolveRefund(scene, payment, older, 'failed'), 200);
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);
    await until(async () => (await differencesOf(scene, payment))[0]?.state === 'closed');
    expect((await differencesOf(scene, payment))[0]?.closedBy).toBeNull();
    expect(codeOf(await approve(scene, approval))).toEqual([409, 'invalid-state']);
    expect((await refundsOf(scene, payment)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await movementsOf(scene, payment)).toHaveLength(4);
  });

  test.each(['declined', 'closed by a person'])(
    'is refused where the only row of which nothing is known was %s',
    async (how) => {
      const payment = await givenBack(scene, '200.00', '200.00');
      const at = new Date().toISOString();
      await compare(scene, [
        reversal(payment, '200.00', { settledAt: at }),
        reversal(payment, '200.00', { settledAt: at }),
      ]);
      const [first, second] = await byRow(scene, payment);
      const [, difference] = await differencesByRow(scene, payment);
      const asked = await refundAskedAbout(scene, second);
      if (how === 'declined') expectStatus(await decide(scene, 'decline', second, { token: BEN }), 200);
      else {
        const body = { reason: 'explained', note: 'Of another shop.' };
        expectStatus(await scene.client.post(`/v1/differences/${difference?.id}/close`, body), 200);
      }
      expectStatus(await resolveRefund(scene, payment, asked, 'failed'), 200);
      await until(async () => (await differencesByRow(scene, payment))[0]?.state === 'closed');
      expect(codeOf(await approve(scene, first))).toEqual([409, 'invalid-state']);
      expect(await movementsOf(scene, payment)).toHaveLength(4);
    },
  );

  test('is asked about as before where no refund of ours fits, and needs attention', async () => {
    const payment = await givenBack(scene, '300.00');
    await compare(scene, [reversal(payment, '299.99')]);
    await until(async () => (await scene.client.getPayment(payment.id)).needsAttention);
    expect(await timelineOf(scene, payment)).toContain('report_unconfirmed');
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toEqual([]);
  });

  test('is asked for once by a process that comes after one that died', async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, () => givenBack(scene, '300.00')));
    await compare(
      scene,
      payments.map((payment) => reversal(payment)),
    );
    await scene.tillfront.kill();
    scene = await start();
    for (const payment of payments) {
      const [approval, ...more] = (await approvalsFor(scene, payment, 1)) as [ApprovalBody];
      expect(more).toEqual([]);
      expectStatus(await approve(scene, approval), 200);
      expect(await toldOf(scene, payment, 'payment.approval_needed')).toHaveLength(1);
    }
  });

  test('is asked about at the gateway where that can say it', async () => {
    await scene.stop();
    scene = await start(asking());
    const payment = await givenBack(scene, '300.00');
    const before = questions(scene, payment);
    await compare(scene, [reversal(payment)]);
    await until(() => questions(scene, payment) > before);
    await until(async () => (await scene.client.getPayment(payment.id)).needsAttention);
    expect(await approvalsOf(scene, `?paymentId=${payment.id}`)).toEqual([]);
  });
});

describe('at two replicas', () => {
  let gateway: MisbehavingGateway;
  let store: TestStore;
  let replicas: Tillfront[] = [];
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await gateway.close();
    await store.dispose();
  });

  test('a refund that came back is asked about once and fails once', async () => {
    gateway = await startMisbehavingGateway();
    store = await createTestStore('postgres');
    const env = { ...people, GATEWAY_PROFILE: silent() };
    replicas = [
      await startTillfront({ store, gatewayUrl: gateway.url, env }),
      await startTillfront({ store, gatewayUrl: gateway.url, env }),
    ];
    const [one, other] = replicas.map((replica) => sceneOf(gateway, replica)) as [Scene, Scene];
    for (let round = 0; round < 5; round += 1) {
      const payments = await Promise.all(Array.from({ length: 6 }, () => givenBack(one, '300.00')));
      const rows = payments.map((payment) => reversal(payment));
      // Each of the two has every row for the first one that says so, whichever is read first.
      const [, last] = await Promise.all([
        compare(one, rows),
        givenBack(one, '10.00').then(async (payment) => {
          await compare(other, [...rows, reversal(payment, '10.00')], ANNA);
          return payment;
        }),
      ]);
      // By then all that was found has been followed up.
      await approvalsFor(one, last, 1);
      for (const [index, payment] of payments.entries()) {
        const [approval] = (await approvalsFor(one, payment, 1)) as [ApprovalBody];
        const decisions = await Promise.all([
          approve(one, approval, { token: BEN }),
          approve(other, approval, { token: BEN }),
          ...(index % 2 === 0 ? [decide(other, 'decline', approval, { token: BEN })] : []),
        ]);
        expect(decisions.map(({ status }) => status).sort()).toEqual([
          200,
          ...Array.from({ length: decisions.length - 1 }, () => 409),
        ]);
        const asked = await approvalsOf(other, `?paymentId=${payment.id}`);
        expect(asked).toHaveLength(1);
        const back = (await movementsOf(one, payment)).filter((line) => line.startsWith('refund_reversal'));
        expect(back).toHaveLength(asked[0]?.state === 'approved' ? 1 : 0);
      }
    }
  });
});
