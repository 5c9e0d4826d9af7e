import type { Random } from '../chaos/random.ts';
import type { Method } from './book.ts';
import { randomOf, spread } from './chance.ts';
import type { Temper } from './gateway.ts';
import type { Boundary } from './replica.ts';

/** What happens in a world, decided by its seed alone. Leaving parts out leaves the rest as it was. */

export type StepKind =
  | 'pay'
  | 'pay-twice'
  | 'again'
  | 'otp'
  | 'otp-twice'
  | 'cancel'
  | 'complete'
  | 'complete-part'
  | 'void'
  | 'void-twice'
  | 'refund'
  | 'refund-part'
  | 'refund-twice'
  | 'resolve'
  | 'resolve-hastily'
  | 'resolve-refund'
  | 'refresh'
  | 'return'
  | 'close'
  | 'new-session'
  | 'notify'
  | GatewayMove;

export const GATEWAY_MOVES = [
  'payer-pays',
  'payer-pays-hold',
  'payer-declines',
  'asks-for-a-code',
  'runs-out',
  'captures-hold',
  'changes-its-mind',
  'reverses',
  'reverses-a-part',
  'refunds-a-part',
  'refunds-the-rest',
  'refunds-as-refused',
  'bounces',
  'charges-back',
  'wins-dispute',
] as const;
export type GatewayMove = (typeof GATEWAY_MOVES)[number];

export interface Step {
  id: string;
  /** Milliseconds after the beginning of the world. */
  at: number;
  kind: StepKind;
  method: Method;
}

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
  | 'gateway-down'
  | 'gateway-busy'
  | 'shop-away'
  | 'sleep';

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
  /** How often the gateway tells of what happened. */
  notifies: number;
  /** How slow the store is at most, in milliseconds. */
  latency: number;
  temper: Temper;
  orders: Order[];
  strikes: Strike[];
  /** When the faults end, in milliseconds. */
  end: number;
}

export function isMove(kind: StepKind): kind is GatewayMove {
  return (GATEWAY_MOVES as readonly string[]).includes(kind);
}

/** Beginnings that lead to where much can go wrong; what follows is chance. */
const BEGINNINGS: readonly (readonly [readonly StepKind[], Method])[] = [
  [['pay'], 'card'],
  [['pay'], 'transfer'],
  // Money that comes late beside money that was taken: paid twice.
  [['pay', 'cancel', 'pay', 'payer-pays'], 'transfer'],
  [['pay', 'cancel', 'pay', 'payer-pays', 'refund', 'void'], 'transfer'],
  [['pay', 'runs-out', 'refresh', 'pay', 'changes-its-mind'], 'transfer'],
  // Given back by several.
  [['pay', 'refund-part', 'refunds-a-part', 'refund-part'], 'card'],
  [['pay', 'refund-part', 'refunds-as-refused', 'refund-part'], 'card'],
  [['pay', 'refund-part', 'bounces', 'refresh', 'refund'], 'card'],
  [['pay', 'void', 'refund', 'refresh'], 'card'],
  [['pay', 'refund-part', 'reverses-a-part', 'refresh', 'refund'], 'card'],
  [['pay', 'otp', 'cancel', 'pay'], 'card'],
  [['pay', 'charges-back', 'refresh', 'wins-dispute'], 'card'],
];
const BEGINNING: (typeof BEGINNINGS)[number] = [['pay'], 'card'];

/** A step of any kind. */
export function anyStep(random: Random): StepKind {
  return random.weighted(STEPS);
}

const STEPS: readonly (readonly [StepKind, number])[] = [
  ['pay', 22],
  ['pay-twice', 5],
  ['again', 6],
  ['otp', 12],
  ['otp-twice', 2],
  ['cancel', 7],
  ['complete', 7],
  ['complete-part', 2],
  ['void', 7],
  ['void-twice', 1],
  ['refund', 6],
  ['refund-part', 8],
  ['refund-twice', 3],
  ['resolve', 7],
  ['resolve-hastily', 4],
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
];

const STRIKES: readonly (readonly [StrikeKind, number])[] = [
  ['kill', 6],
  ['doom', 14],
  ['freeze', 5],
  ['restart', 4],
  ['wall-clock', 5],
  ['database-clock', 3],
  ['store-away', 5],
  ['cut-off', 3],
  ['answers-lost', 5],
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

const ORDERS = { least: 10, most: 150 };

export function planWorld(seed: number): WorldPlan {
  const random = randomOf(seed, 'world');
  const replicas = random.weighted([
    [1, 5],
    [2, 3],
    [3, 2],
  ]);
  const kind = replicas === 1 && random.chance(0.8) ? 'embedded' : 'postgres';
  const rough = random.weighted([
    [0, 2],
    [0.5, 3],
    [1, 3],
  ]);
  const span = spread(random, 30_000, 400_000);
  const steps = some(random, STEPS, 0.65);
  const strikes = some(random, STRIKES, 0.5);
  const orders = Array.from({ length: Math.round(spread(random, ORDERS.least, ORDERS.most)) }, (_, index) =>
    planOrder(randomOf(seed, `order ${index}`), { index, span, steps }),
  );
  const struck = random.chance(0.8) ? random.whole(1, 8) : 0;
  return {
    seed,
    kind,
    replicas,
    voids: random.chance(0.4),
    refunds: random.weighted([
      ['sum', 4],
      ['status', 4],
      ['none', 1],
    ]),
    notifies: random.pick([0, 0.5, 0.9]),
    latency: spread(random, 1, 60),
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
      planStrike(randomOf(seed, `strike ${index}`), { index, span, replicas, strikes }),
    ),
    end: span + 30_000,
  };
}

function planOrder(
  random: Random,
  { index, span, steps }: { index: number; span: number; steps: (readonly [StepKind, number])[] },
): Order {
  let at = random.next() * span * 0.7;
  const [beginning, method] = random.chance(0.6) ? random.pick(BEGINNINGS) : BEGINNING;
  const length = beginning.length + random.whole(1, 8);
  const pace = random.pick([2_000, 15_000, 60_000]);
  return {
    reference: `ORDER-${index + 1}`,
    amount: BigInt(random.whole(3, 3_000) * 100),
    steps: Array.from({ length }, (_, step) => {
      if (step > 0) at += spread(random, 5, pace);
      return {
        id: `o${index}.${step}`,
        at,
        kind: beginning[step] ?? random.weighted(steps),
        method:
          step === 0 && method !== 'card'
            ? method
            : random.weighted([
                ['card', 7],
                ['transfer', 2],
                ['wallet', 1],
              ]),
      };
    }),
  };
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
