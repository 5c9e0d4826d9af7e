import type { StoreKind } from '../harness/test-store.ts';
import { pause, type Bench, type Drill } from './bench.ts';

/** What an operator who sets nothing has: questions in a second that nobody waits for. */
const QUESTIONS_PER_SECOND = 10;
interface Outage {
  /** How many outcomes become unknown. */
  unknown: number;
  /** So many payers at a time. */
  atOnce: number;
  /** For so long nothing is answered after that, and the pauses between questions grow. */
  lastsMs: number;
  /** All must be known within this time. */
  withinMs?: number;
}

const about = (unknown: number, longer: string): string =>
  `the gateway takes calls and answers nothing, until ${unknown} outcomes are unknown${longer}; then it answers again`;

const SHORT: Outage = { unknown: 60, atOnce: 60, lastsMs: 0 };
/** All are known within twice the time that the rate needs. */
const LONG: Outage = { unknown: 800, atOnce: 100, lastsMs: 120_000, withinMs: 160_000 };

export const gatewayAway: Drill = {
  about: about(SHORT.unknown, ''),
  page: 'the-gateway-does-not-answer',
  stores: ['embedded', 'postgres'],
  quick: true,
  run: (bench, kind) => outage(bench, kind, SHORT),
};

export const longOutage: Drill = {
  about: about(LONG.unknown, ' and two minutes more'),
  page: 'outcomes-stay-unknown',
  stores: ['embedded', 'postgres'],
  run: (bench, kind) => outage(bench, kind, LONG),
};

async function outage(
  bench: Bench,
  kind: StoreKind,
  { unknown, atOnce, lastsMs, withinMs }: Outage,
): Promise<void> {
  await bench.start(await bench.store(kind), { env: { GATEWAY_TIMEOUT_MS: '2000' } });
  await bench.more(bench.load(2), 5);
  await bench.stopLoad();
  // Nobody tells: all must be asked about.
  bench.sandbox.settings.notifyUrl = '';
  await bench.gatewayLine.turn('one-way');
  for (let made = 0; made < unknown; made += atOnce) {
    const orders = Array.from(
      { length: atOnce },
      (_, index) => `AWAY-${process.pid}-${kind}-${made + index}`,
    );
    await Promise.all(orders.map((order) => bench.buy(order)));
  }
  await pause(lastsMs);
  const open = async (): Promise<number> =>
    ((await bench.ask('/v1/payments?status=processing&limit=100'))?.['data'] as unknown[] | undefined)
      ?.length ?? -1;
  const back = async (): Promise<void> => {
    await bench.gatewayLine.turn('open');
    // Those that take calls and answer nothing go on doing so.
    bench.gatewayLine.cut();
  };
  bench.figures.set('outcomes unknown', String(unknown));
  bench.figures.set(
    `what ${QUESTIONS_PER_SECOND} questions a second need`,
    `${unknown / QUESTIONS_PER_SECOND} s`,
  );
  await bench.timed('all known', back, async () => (await open()) === 0, withinMs);
}
