import { until, type Drill } from './bench.ts';

/** The third time that an event was not accepted, it waits for a quarter of a minute. */
const ATTEMPTS = 3;

export const shopAway: Drill = {
  about: 'the shop’s server is away while payments go on, until events wait for 15 s, and comes back',
  page: 'events-do-not-arrive',
  stores: ['embedded', 'postgres'],
  quick: true,
  run: async (bench, kind) => {
    await bench.start(await bench.store(kind));
    const load = bench.load();
    await bench.more(load, 5);
    await bench.shopLine.turn('refuse');
    await bench.more(load, 30);
    await until(async () => {
      const page = await bench.ask('/v1/events?waiting=true&limit=100');
      const waiting = (page?.['data'] ?? []) as { delivery: { attempts: number } }[];
      return waiting.some(({ delivery }) => delivery.attempts >= ATTEMPTS);
    });
    await bench.stopLoad();
    const missing = (): boolean => {
      const told = new Set(bench.shop.delivered.map(({ aggregate, type }) => `${aggregate} ${type}`));
      return [...load.answered.values()].some(({ id }) => !told.has(`${id} payment.succeeded`));
    };
    const back = async (): Promise<void> => {
      await bench.shopLine.turn('open');
      const hurried = await bench.cli('redeliver', '--waiting');
      if (hurried.code !== 0) bench.faults.push(`tillfront redeliver --waiting ended with ${hurried.code}`);
    };
    await bench.timed('all told after redeliver --waiting', back, () => !missing());
  },
};
