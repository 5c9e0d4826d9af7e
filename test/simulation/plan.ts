import type { Random } from '../chaos/random.ts';
import { allBeginnings, type Written } from './beginnings.ts';
import type { Method } from './book.ts';
import { randomOf, spread } from './chance.ts';
import type { Temper } from './gateway.ts';
import type { Boundary } from './replica.ts';
import type { Step, StepKind } from './steps.ts';

/** What happens in a world, decided by its seed alone. Leaving parts out leaves the rest as it was. */

export interface Order {
  reference: string;
  /** Minor units. */
  amount: bigint;
  steps: Step[];
}

export type StrikeKind =
  | 'kill'
  | 'doom'
  | 'freeze'
  | 'restart'
  | 'wall-clock'
  | 'database-clock'
  | 'store-away'
  | 'cut-off'
  | 'answers-lost'
  // A standby that was behind takes the place of the database, and a person accepts what is lost.
  | 'failover'
  | 'gateway-down'
  | 'gateway-busy'
  | 'shop-away';

export interface Strike {
  id: string;
  at: number;
  kind: StrikeKind;
  replica: number;
  milliseconds: number;
  boundary: Boundary;
  nth: number;
  when: 'before' | 'after';
}

export interface WorldPlan {
  seed: number;
  kind: 'embedded' | 'postgres';
  replicas: number;
  /** Whether duplicates are voided. */
  voids: boolean;
  /** How the gateway's refunds are followed. */
  refunds: 'none' | 'sum' | 'status';
  /** `APPROVAL_ABOVE`, in minor units; undefined: nobody approves anything. */
  bound: bigint | undefined;
  /** `NOT_FOUND_GRACE_SECONDS` */
  grace: number;
  /** How often the gateway tells of what happened. */
  notifies: number;
  /** How slow the store is at most, in milliseconds. */
  latency: number;
  /** Whether orders may have steps that set the database's clock. */
  setsClock: boolean;
  temper: Temper;
  orders: Order[];
  strikes: Strike[];
  /** When the faults end, in milliseconds. */
  end: number;
  /** So many days nobody is at work once all has settled. */
  days: number;
}

/** A step of any kind. */
export function anyStep(random: Random): StepKind {
  return random.weighted(STEPS);
}

const STEPS: readonly (readonly [StepKind, number])[] = [
  ['pay', 22],
  ['pay-twice', 5],
  ['pay-anyway', 3],
  ['again', 6],
  ['otp', 12],
  ['otp-twice', 2],
  ['pin', 8],
  ['pin-twice', 2],
  ['cancel', 7],
  ['complete', 7],
  ['complete-part', 2],
  ['void', 7],
  ['void-twice', 1],
  ['void-payer', 2],
  ['refund', 6],
  ['refund-part', 8],
  ['refund-half', 3],
  ['refund-twice', 3],
  ['refund-payer', 2],
  ['approve', 8],
  ['approve-own', 2],
  ['approve-twice', 3],
  ['approve-and-decline', 1],
  ['decline', 1],
  ['resolve', 7],
  ['resolve-hastily', 4],
  ['resolve-amount', 3],
  ['resolve-refund', 3],
  ['refresh', 5],
  ['return', 4],
  ['close', 2],
  ['new-session', 5],
  ['notify', 3],
  ['payer-pays', 8],
  ['payer-pays-hold', 2],
  ['payer-declines', 3],
  ['asks-for-a-code', 3],
  ['asks-for-a-pin', 2],
  ['runs-out', 3],
  ['captures-hold', 3],
  ['changes-its-mind', 5],
  ['reverses', 3],
  ['reverses-a-part', 2],
  ['refunds-a-part', 4],
  ['refunds-the-rest', 2],
  ['refunds-as-refused', 3],
  ['bounces', 3],
  ['charges-back', 4],
  ['wins-dispute', 3],
  ['carries-out', 3],
];

const STRIKES: readonly (readonly [StrikeKind, number])[] = [
  ['kill', 6],
  ['doom', 14],
  ['freeze', 5],
  ['restart', 4],
  ['wall-clock', 5],
  ['database-clock', 5],
  ['store-away', 5],
  ['cut-off', 3],
  ['answers-lost', 5],
  ['failover', 3],
  ['gateway-down', 4],
  ['gateway-busy', 3],
  ['shop-away', 4],
];

/** Some of the kinds, so that worlds differ: what is rare beside everything is common in some. */
function some<T>(
  random: Random,
  from: readonly (readonly [T, number])[],
  share: number,
): (readonly [T, number])[] {
  const chosen = from.filter(() => random.chance(share));
  return chosen.length > 0 ? chosen : [...from];
}

const ORDERS = { least: 5, most: 60 };
/** What comes after a beginning. */
const REST = { least: 0, most: 6 };

export function planWorld(seed: number): WorldPlan {
  const random = randomOf(seed, 'world');
  const replicas = random.weighted([
    [1, 4],
    [2, 4],
    [3, 1],
  ]);
  const kind = replicas === 1 && random.chance(0.8) ? 'embedded' : 'postgres';
  const rough = random.weighted([
    [0, 3],
    [0.3, 3],
    [1, 3],
  ]);
  const grace = random.weighted([
    [10, 4],
    [25, 4],
    [120, 1],
  ]);
  const span = spread(random, 5_000, 90_000);
  const steps = some(random, STEPS, 0.65);
  const strikes = some(random, STRIKES, 0.4);
  const all = allBeginnings();
  const beginnings = all.length > 1 && random.chance(0.8) ? all.filter(() => random.chance(0.3)) : all;
  const orders = Array.from({ length: Math.round(spread(random, ORDERS.least, ORDERS.most)) }, (_, index) =>
    planOrder(randomOf(seed, `order ${index}`), { index, span, steps, beginnings, grace }),
  );
  const last = Math.max(span, ...orders.flatMap(({ steps: all }) => all.map(({ at }) => at)));
  const struck = random.chance(0.7) ? random.whole(1, 12) : 0;
  return {
    seed,
    kind,
    replicas,
    voids: random.chance(0.5),
    refunds: random.weighted([
      ['sum', 4],
      ['status', 4],
      ['none', 1],
    ]),
    bound: randomOf(seed, 'approvals').pick([undefined, undefined, undefined, 10_000n, 40_000n]),
    grace,
    notifies: random.pick([0, 0.5, 0.9]),
    latency: spread(random, 1, 60),
    setsClock: randomOf(seed, 'clock').chance(0.4),
    temper: {
      faults: 0.2 * rough * random.next(),
      lag: 0.2 * rough * random.next(),
      longestLag: 20_000,
      late: 0.06 * rough * random.next(),
      accepts: 0.25 * rough * random.next(),
      refuses: 0.15 * rough * random.next(),
      doesRefused: random.pick([0, 0.5]),
    },
    orders,
    strikes: Array.from({ length: struck }, (_, index) =>
      planStrike(randomOf(seed, `strike ${index}`), { index, span: last, replicas, strikes }),
    ),
    end: last + 5_000,
    days: random.weighted([
      [0, 8],
      [3.1, 1],
      [6.1, 1],
      [8, 1],
    ]),
  };
}

interface OrderPlan {
  index: number;
  span: number;
  steps: (readonly [StepKind, number])[];
  beginnings: readonly (readonly Written[])[];
  grace: number;
}

function planOrder(random: Random, { index, span, steps, beginnings, grace }: OrderPlan): Order {
  let at = random.next() * span * 0.7;
  const beginning = beginnings.length > 0 ? random.pick(beginnings) : [];
  const length = Math.max(1, beginning.length + random.whole(REST.least, REST.most));
  const pace = random.pick([1_000, 4_000, 20_000]);
  return {
    reference: `ORDER-${index + 1}`,
    amount: BigInt(random.whole(3, 3_000) * 100),
    steps: Array.from({ length }, (_, step) => {
      const written = beginning[step];
      if (step > 0) at += spread(random, written ? 100 : 5, pace);
      const kind = written?.kind ?? (step === 0 ? 'pay' : random.weighted(steps));
      // Longer than answers that deny a call must go on doing so.
      if (kind === 'wait') at += grace * 1_000 + spread(random, 5_000, 20_000);
      return {
        id: `o${index}.${step}`,
        at,
        kind,
        method: written?.method ?? anyMethod(random),
        how: written?.how ?? {},
        operation: written?.operation ?? 'pay',
        isPatient: written !== undefined,
      };
    }),
  };
}

function anyMethod(random: Random): Method {
  return random.weighted([
    ['card', 7],
    ['transfer', 2],
    ['wallet', 1],
    ['ussd', 1],
  ]);
}

function planStrike(
  random: Random,
  {
    index,
    span,
    replicas,
    strikes,
  }: { index: number; span: number; replicas: number; strikes: (readonly [StrikeKind, number])[] },
): Strike {
  return {
    id: `s${index}`,
    at: random.next() * span,
    kind: random.weighted(strikes),
    replica: random.whole(0, replicas - 1),
    milliseconds: spread(random, 500, 60_000),
    boundary: random.weighted([
      ['commit', 5],
      ['gateway', 5],
      ['statement', 2],
      ['webhook', 3],
    ]),
    nth: random.whole(1, 12),
    when: random.pick(['before', 'after'] as const),
  };
}

/** The same world without some of its parts. */
export function without(plan: WorldPlan, left: ReadonlySet<string>): WorldPlan {
  return {
    ...plan,
    orders: plan.orders
      .map((order) => ({ ...order, steps: order.steps.filter(({ id }) => !left.has(id)) }))
      .filter(({ steps }) => steps.length > 0),
    strikes: plan.strikes.filter(({ id }) => !left.has(id)),
    temper: left.has('temper') ? { ...plan.temper, faults: 0, late: 0, lag: 0 } : plan.temper,
  };
}

export function partsOf(plan: WorldPlan): string[] {
  return [
    'temper',
    ...plan.strikes.map(({ id }) => id),
    ...plan.orders.flatMap(({ steps }) => steps.map(({ id }) => id)),
  ];
}
