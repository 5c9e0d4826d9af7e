import { TillfrontClient } from '../harness/client.js';
import { createTestStore, stores, type StoreKind, type TestStore } from '../harness/test-store.js';
import { startTillfront } from '../harness/tillfront.js';
import { until } from '../harness/until.js';
import { cpuOf } from './cpu.js';
import { fill } from './fill.js';
import { median } from './load.js';
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
    const tillfront = await startTillfront({ store, gatewayUrl: gateway.url, asShipped: true });
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

async function payOnce(store: TestStore, gateway: Gateway): Promise<void> {
  const tillfront = await startTillfront({ store, gatewayUrl: gateway.url });
  const client = new TillfrontClient(tillfront.url, tillfront.merchantKey);
  await client.payCard(await client.createSession());
  await tillfront.stop();
}

const openOn = (store: TestStore, kind: StoreKind, gateway: Gateway): Promise<Server> =>
  startOurs(`tillfront-${kind}`, store, gateway.url);
