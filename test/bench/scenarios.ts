import { Readable } from 'node:stream';
import { TillfrontClient, type SessionBody } from '../harness/client.js';
import { createTestStore, stores, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront, testKeys } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { cpuOf } from './cpu.js';
import { fill } from './fill.js';
import { median, payAtRate, quantile } from './load.js';
import { throughput } from './measure.js';
import { startOurs, type Gateway, type Server } from './servers.js';

/** What takes a store of its own, or minutes. Each returns what it says. */

type Say = (line: string) => void;

/** From the start of the process to readiness, of the files that a merchant gets, on a store that is there. */
export async function start(gateway: Gateway, say: Say): Promise<void> {
  const store = await createTestStore('embedded');
  const took: number[] = [];
  for (let run = 0; run < 6; run += 1) {
    const began = performance.now();
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, emptyStore: true });
    took.push(performance.now() - began);
    await tillfront.stop();
  }
  await store.dispose();
  say(`start to ready, embedded: ${median(took.slice(1)).toFixed(0)} ms`);
}

/** A payment beside `copies` stored ones, against one on an empty store, by turns. */
export async function stored(gateway: Gateway, copies: number, say: Say): Promise<void> {
  for (const kind of stores) {
    const [full, empty] = [await createTestStore(kind), await createTestStore(kind)];
    await payOnce(full, gateway);
    await fill(full, copies);
    const servers = [await openOn(full, kind, gateway), await openOn(empty, kind, gateway)];
    const found: number[][] = [[], []];
    for (let round = 0; round < 6; round += 1)
      for (const [index, server] of servers.entries()) {
        const { perSecond, cpuMs, databaseCpuMs } = await throughput(server, 1_000, 32);
        if (round > 0) found[index]?.push(cpuMs + databaseCpuMs);
        say(
          `${kind} ${index === 0 ? copies : 0} stored: ${perSecond.toFixed(0)}/s ${cpuMs.toFixed(2)} + ${databaseCpuMs.toFixed(2)} ms`,
        );
      }
    const [beside, alone] = found.map(median);
    say(
      `${kind}: a payment beside ${copies} costs ${((beside ?? NaN) / (alone ?? NaN)).toFixed(2)} × one on an empty store`,
    );
    for (const server of servers) await server.stop();
    for (const store of [full, empty]) await store.dispose();
  }
}

/** How long a fresh unknown outcome waits for its first question beside `open` payments that wait. */
export async function unknown(gateway: Gateway, open: number, say: Say): Promise<void> {
  const store = await createTestStore('embedded');
  const tillfront = await startTillfront({
    store,
    gatewayUrl: gateway.url,
    env: { GATEWAY_STATUS_QUERIES_PER_SECOND: '20' },
  });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  let left = open;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) await client.payTransfer(await client.createSession());
    }),
  );
  const session = await client.createSession({ amount: '13.00' });
  await client.payCard(session);
  const sent = performance.now();
  await until(() => gateway.asked(session.reference), 120_000);
  say(
    `asked about an unknown outcome beside ${open} open ones after ${((performance.now() - sent) / 1000).toFixed(1)} s`,
  );
  await tillfront.stop();
  await store.dispose();
}

/** Memory and processor time over `minutes` at 100 payments a second. */
export async function soak(gateway: Gateway, minutes: number, say: Say): Promise<void> {
  for (const kind of stores) {
    const store = await createTestStore(kind);
    const server = await openOn(store, kind, gateway);
    const ends = Date.now() + minutes * 60_000;
    let payments = 0;
    while (Date.now() < ends) {
      const began = Date.now();
      await throughput(server, 3_000, 16);
      payments += 3_000;
      const { rss } = await server.probe();
      say(
        `${kind} ${payments} payments, ${(rss / 1e6).toFixed(0)} MB, ${(cpuOf(server.pid) / payments).toFixed(2)} ms`,
      );
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + 30_000 - Date.now())));
    }
    await server.stop();
    await store.dispose();
  }
}

/** A settlement report of `rows` rows against as many payments, and the questions that people ask of them. */
export async function report(gateway: Gateway, rows: number, say: Say): Promise<void> {
  for (const kind of stores) {
    const store = await createTestStore(kind);
    const paid = await payOnce(store, gateway);
    await fill(store, rows);
    const server = await openOn(store, kind, gateway);
    const headers = { authorization: `Bearer ${testKeys.merchant}` };
    const ask = async (path: string): Promise<void> => {
      const began = performance.now();
      const answer = await fetch(server.url + path, { headers });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      await answer.arrayBuffer();
      say(`${kind} GET ${path}: ${(performance.now() - began).toFixed(0)} ms`);
    };
    const calls = await server.calls(1_000);
    const cpu = cpuOf(server.pid);
    const began = performance.now();
    const paying = payAtRate(server.url, calls, 20);
    const upload = fetch(`${server.url}/v1/settlements`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/csv' },
      body: Readable.toWeb(Readable.from(reportOf(paid.reference, rows))),
      duplex: 'half',
    } as unknown as RequestInit);
    const answer = await upload;
    const body = (await answer.json()) as { rows: number; counts: object };
    const seconds = (performance.now() - began) / 1000;
    const { rss } = await server.probe();
    say(
      `${kind} ${body.rows} rows: ${answer.status} after ${seconds.toFixed(1)} s, ${((cpuOf(server.pid) - cpu) / 1000).toFixed(1)} s of processor, ${(rss / 1e6).toFixed(0)} MB ${JSON.stringify(body.counts)}`,
    );
    const took = await paying;
    say(
      `${kind} payments beside it: p99 ${quantile(took, 0.99).toFixed(0)} ms, longest ${took.at(-1)?.toFixed(0)} ms`,
    );
    const ago = (days: number): string =>
      new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
    await ask('/v1/reports/summary?by=month');
    await ask(`/v1/reports/summary?by=day&settled=true&from=${ago(61)}&to=${ago(31)}`);
    await ask('/v1/reports/overview');
    await server.stop();
    await store.dispose();
  }
}

/** As the built-in profile reads it: each copy that `fill` makes, settled in full. */
async function* reportOf(reference: string, rows: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode('reference,transactionRef,type,amount,fee,currency,status,settledAt\n');
  const settledAt = new Date().toISOString();
  for (let from = 1; from <= rows; from += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, rows + 1 - from) }, (_, index) => from + index);
    const lines = numbers.map((number) => {
      const copy = `${reference.slice(0, -9)}${String(number).padStart(9, '0')}_1`;
      return `${copy},,PAYMENT,1500.00,15.00,NGN,SETTLED,${settledAt}\n`;
    });
    yield encoder.encode(lines.join(''));
    await Promise.resolve();
  }
}

async function payOnce(store: TestStore, gateway: Gateway): Promise<SessionBody> {
  const tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  const session = await client.createSession();
  await client.payCard(session);
  await tillfront.stop();
  return session;
}

const openOn = (store: TestStore, kind: StoreKind, gateway: Gateway): Promise<Server> =>
  startOurs(`tillfront-${kind}`, store, gateway.url);
