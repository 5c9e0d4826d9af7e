import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, pause, type Bench, type Drill } from './bench.ts';
import { startPair } from './failover.ts';

const LOST = 20;

export const lostCommits: Drill = {
  about: 'a standby that was behind is promoted: 20 paid orders are forgotten, and their payers pay again',
  page: 'the-database-has-forgotten-payments',
  stores: ['postgres'],
  quick: true,
  run: async (bench) => {
    const { pair, promote } = await startPair(bench, { synchronous: false });
    await bench.more(bench.load(2), 5);
    await bench.stopLoad();
    await pair.caughtUp();
    await pair.detach();
    // Every second one is paid a moment later, so its notification meets a store that knows nothing of it.
    const orders = Array.from({ length: LOST }, (_, index) => `LOST-${process.pid}-${index}`);
    const card = (index: number): string => (index % 2 === 0 ? '4111111111111111' : '4000000000001109');
    await Promise.all(orders.map((order, index) => bench.buy(order, card(index))));
    await bench.timed('loss noticed', promote, () => bench.unready('forgotten'));
    await bench.doctorFails();
    const accepted = await bench.cli('store', 'accept-loss');
    if (accepted.code !== 0) throw new Error(accepted.text);
    await bench.timed(
      'ready after accept-loss',
      () => undefined,
      () => bench.allReady(),
    );
    // At once, as impatient payers do; whoever is asked to wait waits.
    const again = await Promise.all(orders.map((order, index) => bench.buy(order, card(index))));
    bench.figures.set('paid orders charged again', `${chargedAgain(bench, orders)} of ${LOST}`);
    bench.figures.set('answers to paying again', [...new Set(again.map(codeOf))].join(', '));
    await takeOver(bench);
  },
};

/** How many of these orders hold money more than once. */
export function chargedAgain(bench: Bench, orders: readonly string[]): number {
  const { ledger } = bench.sandbox;
  const charged = (order: string): number =>
    new Set(
      ledger
        .transactions()
        .filter(({ clientRef }) => clientRef.startsWith(`${order}_`) && ledger.chargedMinor(clientRef) > 0n)
        .map(({ transactionRef }) => transactionRef),
    ).size;
  return orders.filter((order) => charged(order) > 1).length;
}

/** The gateway's report is compared, and what only the gateway has is taken over: as the runbook says. */
export async function takeOver(bench: Bench): Promise<void> {
  const file = join(bench.folder, 'report.csv');
  await writeFile(file, await (await fetch(`${bench.sandbox.url}/sandbox/settlement.csv`)).text());
  const compared = await bench.cli('settlement', 'compare', file, '--json');
  const { settlement } = JSON.parse(compared.text) as {
    settlement: { id: string; counts: Record<string, number> };
  };
  bench.figures.set('paid orders that only the report named', String(settlement.counts['unknown_here'] ?? 0));
  const waiting = async (): Promise<boolean> => {
    await pause(200);
    const now = await bench.ask(`/v1/settlements/${settlement.id}`);
    return now !== undefined && ((now['adoption'] as { waiting: number } | null)?.waiting ?? 0) === 0;
  };
  await bench.timed('taken over', () => bench.cli('settlement', 'adopt', settlement.id), waiting);
}
