import { describe, expect } from '@jest/globals';
import type { Sandbox } from '../../sandbox/server.ts';
import {
  expectStatus,
  problemOf,
  TillfrontClient,
  type PaymentBody,
  type PaymentStatus,
} from '../harness/client.js';
import { startTestSandbox } from '../harness/sandbox.js';
import { anyStore, type StoreKind } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { sideBySide, type Scenario } from './scenarios.js';

/**
 * Every way in which a call can be lost, for both truths: it took effect, or it did not. Whatever the service came to
 * see, its payment says in the end what the gateway's own ledger says, and nothing was taken twice.
 */

const GRACE_SECONDS = 11;

interface Till {
  sandbox: Sandbox;
  client: TillfrontClient;
  stop(): Promise<void>;
}

interface Entry {
  state: string;
  charged: string | number;
  chargeCount: number;
}

async function openTill(store: StoreKind): Promise<Till> {
  const sandbox = await startTestSandbox();
  const tillfront = await startTillfront({
    store,
    gatewayUrl: sandbox.url,
    env: { GATEWAY_TIMEOUT_MS: '6000', NOT_FOUND_GRACE_SECONDS: String(GRACE_SECONDS) },
  });
  return {
    sandbox,
    client: new TillfrontClient(tillfront.url, tillfront.merchantKey),
    stop: async () => {
      await tillfront.stop();
      await sandbox.close();
    },
  };
}

async function control<T>({ sandbox }: Till, path: string, body?: object): Promise<T> {
  const answered = await fetch(`${sandbox.url}/sandbox/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answered.text();
  if (!answered.ok) throw new Error(`the sandbox answered ${answered.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** What the gateway's ledger says of a payment's money. */
async function charged(
  till: Till,
  { gatewayReference }: { gatewayReference: string },
): Promise<[number, number]> {
  const found = await fetch(`${till.sandbox.url}/sandbox/transactions/${gatewayReference}`);
  if (found.status === 404) return [0, 0];
  const { charged: net, chargeCount } = (await found.json()) as Entry;
  return [Number(net), chargeCount];
}

const losses: Record<string, object> = {
  'a reset': { kind: 'reset-after' },
  silence: { kind: 'silent' },
  'a cut body': { kind: 'cut' },
  'HTTP 500': { kind: 'status', status: 500 },
  'a page': { kind: 'html' },
  'another JSON': { kind: 'wrong-json' },
  'two answers in one': { kind: 'duplicate-keys' },
  'an endless body': { kind: 'huge' },
  'a word that nobody listed': { kind: 'unknown-status' },
  'an error as a text': { kind: 'error-not-boolean' },
  'a redirect': { kind: 'redirect', status: 307 },
};

async function newSession(till: Till, operation: string, fault: object, amount = '1500.00') {
  const session = await till.client.createSession({ amount });
  await control(till, 'faults', { ...fault, operation, client_ref: `${session.reference}_1` });
  return session;
}

const payWith = (till: Till, session: { clientToken: string }, number: string) =>
  till.client.payCard(session, { card: { number, pin: undefined } });

const scenarios: Record<string, Scenario<Till>> = {};

for (const [name, kind] of Object.entries(losses)) {
  for (const processed of [true, false]) {
    const fault = { ...kind, processed };
    const truth = processed ? 'it took effect' : 'it did not';

    scenarios[`a card payment, answered with ${name}: ${truth}`] = async (till) => {
      const session = await newSession(till, 'payCard', fault);
      const { body } = expectStatus(await payWith(till, session, '4111111111111111'), 202);
      const wanted: PaymentStatus = processed ? 'succeeded' : 'failed';
      const payment = await till.client.waitForStatus(body.id, wanted);
      expect(payment.failure?.code).toBe(processed ? undefined : 'gateway_never_received');
      expect(await charged(till, payment)).toEqual(processed ? [1500, 1] : [0, 0]);
    };

    scenarios[`a one-time code, answered with ${name}: ${truth}`] = async (till) => {
      const session = await newSession(till, 'validateOtp', fault);
      const { body } = expectStatus(await payWith(till, session, '4000000000000705'), 201);
      const unknown = expectStatus(await till.client.submitOtp(session, body.id, '123456'), 202);
      expect(unknown.body).toMatchObject({ status: 'processing', pendingOperation: { type: 'otp' } });
      if (!processed) {
        await till.client.waitForStatus(body.id, 'requires_action');
        expectStatus(await till.client.submitOtp(session, body.id, '123456'), 200);
      }
      const payment = await till.client.waitForStatus(body.id, 'succeeded');
      expect(await charged(till, payment)).toEqual([1500, 1]);
    };

    scenarios[`a completion, answered with ${name}: ${truth}`] = async (till) => {
      const session = await newSession(till, 'complete', fault);
      const { body } = expectStatus(await payWith(till, session, '4000000000000903'), 201);
      expectStatus(await till.client.post(`/v1/payments/${body.id}/complete`), 202);
      await settled(till, body);
      if (!processed) expectStatus(await till.client.post(`/v1/payments/${body.id}/complete`), 200);
      const payment = await till.client.waitForStatus(body.id, 'succeeded');
      expect(payment.amountCaptured).toBe('1500.00');
      expect(await charged(till, payment)).toEqual([1500, 1]);
    };

    scenarios[`a void, answered with ${name}: ${truth}`] = async (till) => {
      const session = await newSession(till, 'void', fault);
      const { body } = expectStatus(await payWith(till, session, '4111111111111111'), 201);
      expectStatus(await till.client.post(`/v1/payments/${body.id}/void`), 202);
      await settled(till, body);
      if (!processed) {
        expect(await charged(till, body)).toEqual([1500, 1]);
        expectStatus(await till.client.post(`/v1/payments/${body.id}/void`), 200);
      }
      const payment = await till.client.waitForStatus(body.id, 'voided');
      expect((await charged(till, payment))[0]).toBe(0);
    };

    scenarios[`a transfer, answered with ${name}: ${truth}`] = async (till) => {
      const session = await newSession(till, 'initiateTransfer', fault);
      const { body } = expectStatus(await till.client.payTransfer(session), 202);
      if (!processed) {
        const payment = await till.client.waitForStatus(body.id, 'failed');
        expect(payment.failure?.code).toBe('gateway_never_received');
        return;
      }
      await until(async () => (await till.client.getPayment(body.id)).pendingOperation === null);
      await control(till, `transactions/${body.gatewayReference}/receive`, {});
      await till.client.waitForStatus(body.id, 'succeeded');
      expect((await charged(till, body))[0]).toBe(1500);
    };
  }
}

Object.assign(scenarios, {
  'a charge that comes after its broken call is found': async (till) => {
    const session = await till.client.createSession();
    const { body } = expectStatus(await payWith(till, session, '4000000000002909'), 202);
    await till.client.waitForStatus(body.id, 'succeeded');
    expect(await charged(till, body)).toEqual([1500, 1]);
  },

  'another amount in the answer, the right one in the books': async (till) => {
    for (const number of ['4000000000002800', '4000000000002818']) {
      const session = await till.client.createSession();
      const { body } = expectStatus(await payWith(till, session, number), 202);
      expect(body).toMatchObject({ status: 'processing', needsAttention: true });
      const payment = await till.client.waitForStatus(body.id, 'succeeded');
      expect(payment.needsAttention).toBe(false);
    }
  },

  'answers that lag, forget and contradict cost no money': async (till) => {
    for (const kind of ['lag', 'forget', 'contradict']) {
      const session = await newSession(till, 'payCard', { kind: 'reset-after', processed: true });
      const fault = { kind, operation: 'transactionStatus', client_ref: `${session.reference}_1` };
      if (kind !== 'contradict') await control(till, 'faults', fault);
      const { body } = expectStatus(await payWith(till, session, '4111111111111111'), 202);
      await till.client.waitForStatus(body.id, 'succeeded');
      await control(till, 'faults', fault);
      const { body: after } = await till.client.post<PaymentBody>(`/v1/payments/${body.id}/refresh`);
      expect([after.status, after.needsAttention]).toEqual(['succeeded', kind === 'contradict']);
    }
  },

  'a hold that the gateway gives up is over': async (till) => {
    const session = await till.client.createSession();
    const { body } = expectStatus(await payWith(till, session, '4000000000000903'), 201);
    await control(till, `transactions/${body.gatewayReference}/expire`, {});
    const { body: after } = await till.client.post<PaymentBody>(`/v1/payments/${body.id}/refresh`);
    expect(after.status).toBe('expired');
    const refused = await till.client.post(`/v1/payments/${body.id}/complete`);
    expect(problemOf(expectStatus(refused, 409)).code).toBe('invalid-state');
  },
} satisfies Record<string, Scenario<Till>>);

async function settled({ client }: Till, { id }: { id: string }): Promise<void> {
  await until(async () => (await client.getPayment(id)).pendingOperation === null);
}

describe.each(anyStore)('both truths on the %s store', (store) => {
  sideBySide(() => openTill(store), scenarios);
});
