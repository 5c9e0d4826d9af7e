import type { NotificationMode } from '../../sandbox/notifications/notifications.ts';
import type { Order } from './preload/orders.ts';
import { drawPurchase, WAYS, type PurchasePlan } from './purchase-plan.ts';
import type { Random } from './random.ts';

/** Everything that is decided about a trial before it begins. */
export interface TrialPlan {
  purchases: PurchasePlan[];
  /** Which replica the first orders go to; `every`: each of them has them, and whichever meets the boundary follows. */
  replica: number | 'every';
  orders: Order[];
  /** Orders of the process that is started after the first crash, the second, and so on. */
  ordersAfterRestart: Order[][];
  restartAfterMs: number;
  /** Kills from outside, whatever the process is doing. */
  killsAfterMs: number[];
  notifications: NotificationMode;
  /** Somebody sets the wall clock of a process, whatever it is doing. */
  clockSteps: { afterMs: number; replica: number; milliseconds: number }[];
  /** What happens to the line between service and gateway. */
  line: Outage<'cut' | 'refuse' | 'reset' | 'swallow'>[];
  /** What happens to the line between service and database, where there is one. */
  databaseLine: Outage<'cut' | 'refuse' | 'swallow' | 'mute'>[];
}

interface Outage<Mode> {
  afterMs: number;
  /** `mute`: what is on its way gets through, its answers do not. */
  mode: Mode;
  forMs: number;
}

const CALM: Omit<TrialPlan, 'purchases' | 'orders'> = {
  replica: 0,
  ordersAfterRestart: [],
  restartAfterMs: 20,
  killsAfterMs: [],
  clockSteps: [],
  notifications: 'normal',
  line: [],
  databaseLine: [],
};

/** One way through the service, and one order. */
export function aimed(way: PurchasePlan, orders: Order[]): TrialPlan {
  return { ...CALM, purchases: [way], orders };
}

/** A trial in which chance decides everything. */
export function drawTrial(random: Random, replicas: number): TrialPlan {
  const action = (): Order['action'] => (replicas > 1 && random.chance(0.3) ? 'stop' : 'kill');
  const anywhere = (most: number): Order => ({ action: action(), at: '*', nth: random.whole(1, most) });
  const purchases = Array.from({ length: random.whole(1, 6) }, () => drawPurchase(random));
  const fromOutside = random.chance(0.2);
  return {
    purchases,
    replica: random.whole(0, replicas - 1),
    orders: fromOutside
      ? []
      : [
          random.chance(0.3) ? somewhere(random, action()) : anywhere(45 * purchases.length),
          ...(random.chance(0.3) ? [stepAt(random, somewhere(random, 'step'))] : []),
        ],
    ordersAfterRestart: random.chance(0.3)
      ? [[anywhere(25)], ...(random.chance(0.3) ? [[anywhere(15)]] : [])]
      : [],
    restartAfterMs: random.pick([0, 20, 20, 200]),
    killsAfterMs: fromOutside ? [random.whole(5, 600)] : [],
    clockSteps: random.chance(0.3) ? drawClockSteps(random, replicas) : [],
    notifications: random.weighted<NotificationMode>([
      ['normal', 5],
      ['drop', 1],
      ['duplicate', 2],
      ['reorder', 1],
      ['delay', 1],
    ]),
    line: random.chance(0.2)
      ? [
          {
            afterMs: random.whole(0, 400),
            mode: random.pick(['cut', 'refuse', 'reset', 'swallow']),
            forMs: random.whole(20, 300),
          },
        ]
      : [],
    databaseLine: replicas > 1 && random.chance(0.25) ? drawDatabaseOutages(random) : [],
  };
}

const HOUR = 3_600_000;
/** A machine whose clock is set right, or wrong. */
export const CLOCK_STEPS = [20 / 60, 1, 24].flatMap((hours) => [hours * HOUR, -hours * HOUR]);

function drawClockSteps(random: Random, replicas: number): TrialPlan['clockSteps'] {
  return Array.from({ length: random.whole(1, 3) }, () => ({
    afterMs: random.whole(0, 900),
    replica: random.whole(0, replicas - 1),
    milliseconds: random.pick(CLOCK_STEPS),
  }));
}

/** In the middle of something: between the bytes of a call, or before a commit. */
export function stepAt(random: Random, order: Order): Order {
  return { ...order, action: 'step', milliseconds: random.pick(CLOCK_STEPS) };
}

function drawDatabaseOutages(random: Random): TrialPlan['databaseLine'] {
  return Array.from({ length: random.whole(1, 3) }, () => ({
    afterMs: random.whole(0, 900),
    mode: random.pick(['cut', 'mute', 'mute', 'refuse', 'swallow']),
    forMs: random.whole(5, 250),
  }));
}

/** One kind of boundary, met for the first, second or third time. */
export function somewhere(random: Random, action: Order['action']): Order {
  const at = random.pick([
    ...[
      'before store*',
      'after store*',
      'before gateway*',
      'sent gateway*',
      'head of gateway*',
      'after gateway*',
    ],
    ...[
      'request*',
      'before answer*',
      'after answer*',
      'before delivery',
      'sent delivery',
      'head of delivery',
      'after delivery',
    ],
    ...[
      'after store notifications',
      'before store notifications',
      'before store events',
      'after store events',
    ],
    ...['request POST /v1/gateway/notifications', 'after answer POST /v1/gateway/notifications'],
  ]);
  return { action, at, nth: random.whole(1, 4) };
}

/** The ways whose every boundary a sweep visits. */
export const SWEPT_WAYS = WAYS;
