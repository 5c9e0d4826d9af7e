import { TcpProxy } from '../chaos/tcp-proxy.ts';
import { startPostgresPair, type PostgresPair } from '../setup/postgres-pair.ts';
import type { Bench, Drill } from './bench.ts';

/** A pair of servers behind one address, which leads to the primary until it is switched, and two replicas. */
export async function startPair(
  bench: Bench,
  options: { synchronous: boolean },
): Promise<{ pair: PostgresPair; promote: () => Promise<void> }> {
  const pair = await startPostgresPair(options);
  bench.finally(() => pair.stop());
  let target = pair.primary.port;
  const line = new TcpProxy(() => ({ host: '127.0.0.1', port: target }));
  await line.start();
  bench.finally(() => line.stop());
  const url = new URL(pair.primary.url);
  url.port = String(line.port);
  for (let replica = 0; replica < 2; replica += 1)
    await bench.start(await bench.storeAt({ databaseUrl: url.href }));
  return {
    pair,
    promote: async () => {
      await pair.primary.crash();
      await pair.promote();
      target = pair.standby.port;
      line.cut();
    },
  };
}

export const failover: Drill = {
  about: 'the primary dies amid payments, and its synchronous standby is promoted',
  page: 'the-store-does-not-answer',
  stores: ['postgres'],
  quick: true,
  run: async (bench) => {
    const { promote } = await startPair(bench, { synchronous: true });
    const load = bench.load();
    await bench.more(load, 20);
    await bench.timed('paying again after the promotion', promote, () => bench.paying());
    await bench.more(load, 20);
  },
};
