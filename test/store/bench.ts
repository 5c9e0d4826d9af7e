import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Payment } from '../../src/payments/core/payment.js';
import { FixedSecret } from '../../src/secrets/secret-source.js';
import { mint, randomText } from '../../src/store/ids.js';
import { OpenedStore } from '../../src/store/opened-store.js';
import type { Change, MovementRow } from '../../src/store/store.js';
import { aPayment, aSession, anOrder, changeOf } from './documents.js';

/**
 * Measures the store alone: `node bench.js embedded|postgres://… [seconds] [writers]`. A payment is three writes: a session, the start, and
 * the answer with its two events and its movement.
 */
const [where = 'embedded', seconds = '8', writers = '32'] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'tillfront-bench-store-'));
const store = new OpenedStore({
  place:
    where === 'embedded'
      ? { kind: 'embedded', dataDir }
      : { kind: 'postgres', currentUrl: new FixedSecret(where), dataDir },
  migrate: true,
  identity: { gatewayOrigin: 'https://gateway.example', mode: 'test' },
});
await store.prepare();

function started(reference: string, now: number): Payment {
  return aPayment(reference, 1, {
    id: mint(randomText(), now)('pay'),
    card: { brand: 'visa', last4: '4242', hash: 'f'.repeat(43) },
    operations: [
      {
        id: 'op_mi7v0s2k3q2x7wRrUtQ1yZ0a',
        type: 'pay',
        state: 'intended',
        process: store.process,
        actor: 'payer',
        since: now,
      },
    ],
    check: { at: now + 30_000, attempts: 0, urgent: true, since: now },
    timeline: [{ id: 'tle_1', type: 'created', at: now, actor: 'payer' }],
    createdAt: now,
    updatedAt: now,
    statusSince: now,
  });
}

async function pay(): Promise<void> {
  const reference = `ORDER-${randomText()}`.replaceAll('_', '.');
  const ids = mint(randomText(), Date.now());
  const session = aSession(ids('cs'), { createdAt: Date.now() });
  await store.write(reference, () => ({
    change: changeOf(anOrder(reference, { sessions: [session], dueAt: session.expiresAt })),
    result: 1,
  }));
  const payment = await store.write(reference, ({ order }, now) => {
    if (!order) throw new Error('it was written');
    const made = started(reference, now);
    return { change: changeOf({ ...order, attempts: 1, live: made.id }, { payments: [made] }), result: made };
  });
  await store.write(reference, ({ order, payments: [stored] }, now) => {
    if (!order || !stored) throw new Error('it was written');
    const paid: Payment = {
      ...stored,
      status: 'succeeded',
      captured: stored.amount,
      transactionRef: `TX${reference}`,
      operations: stored.operations.map((operation) => ({ ...operation, state: 'confirmed', endedAt: now })),
      check: { ...stored.check, at: now + 3_600_000, urgent: false },
      timeline: [
        ...stored.timeline,
        { id: 'tle_2', type: 'moved', at: now, actor: null, from: 'processing', to: 'succeeded' },
      ],
      paidAt: now,
      updatedAt: now,
    };
    const movement: MovementRow = {
      ...{ id: ids('mov'), kind: 'payment', direction: 'in', amount: paid.amount, currency: 'NGN', at: now },
      ...{ recordedAt: now, late: false, paymentId: paid.id, reference, gatewayReference: `${reference}_1` },
      ...{ transactionRef: paid.transactionRef, refundId: null, method: 'card', actor: null, reason: null },
      source: 'gateway',
    };
    const event = (stream: string, type: string, paymentId: string | null) => ({
      ...{ id: ids('evt'), stream, paymentId, sequence: 1, type, at: now },
      body: JSON.stringify({
        type,
        data: {
          ...payment,
          amount: '1500.00',
          captured: '1500.00',
          corrected: null,
          refunded: null,
          disputedAmount: null,
          reversed: null,
        },
      }),
    });
    const change: Change = changeOf(
      {
        ...order,
        live: null,
        payer: paid.id,
        sessions: [{ ...session, status: 'paid', endedAt: now }],
        dueAt: null,
      },
      {
        payments: [paid],
        movements: [movement],
        events: [
          event(paid.id, 'payment.succeeded', paid.id),
          event(session.id, 'checkout_session.paid', null),
        ],
      },
    );
    return { change, result: 1 };
  });
}

let payments = 0;
let running = true;
const work = async (): Promise<void> => {
  while (running) {
    await pay();
    payments += 1;
  }
};
const loops = Array.from({ length: Number(writers) }, work);
await new Promise((resolve) => setTimeout(resolve, 2_000));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const [before, cpu, from] = [payments, process.cpuUsage(), performance.now()];
const loop = performance.eventLoopUtilization();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
const used = process.cpuUsage(cpu);
const done = payments - before;
const took = performance.now() - from;
console.log({
  where: where.slice(0, 8),
  paymentsPerSecond: Math.round(done / (took / 1_000)),
  writesPerSecond: Math.round((3 * done) / (took / 1_000)),
  cpuMicrosecondsPerWrite: Math.round((used.user + used.system) / (3 * done)),
  mainThreadBusy: performance.eventLoopUtilization(loop).utilization.toFixed(2),
  eventLoopDelayMs: {
    p50: delay.percentile(50) / 1e6,
    p99: delay.percentile(99) / 1e6,
    max: delay.max / 1e6,
  },
});
running = false;
await Promise.all(loops);
await store.close();
rmSync(dataDir, { recursive: true });
