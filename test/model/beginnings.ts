import fc from 'fast-check';
import type { Action, Step } from './steps.ts';
import type { GatewayMove } from './gateway-moves.ts';
import { HONEST, type LaterTruth, type PayTruth, type VoidTruth } from './gateway-plans.ts';
import type { Method } from './money-ledger.ts';

/** Orders that have come some way already, so that more of what is drawn after them can be done. */

type Way = fc.Arbitrary<Step[]>;

const one = (action: Action): Step => ({ step: 'one', action });
const pays = (method: Method, truth: PayTruth): Step =>
  one({ do: 'pay', at: 0, method, truth, manner: HONEST });
const refund = (truth: LaterTruth, { part = false, on = 0 } = {}): Step =>
  one({ do: 'refund', at: 0, on, part, truth, manner: HONEST });
const reverse = (truth: VoidTruth, on = 0): Step => one({ do: 'void', at: 0, on, truth, manner: HONEST });
const refresh = (on = 0): Step => one({ do: 'refresh', at: 0, on });
const moves = (move: GatewayMove, on = 0): Step => ({ step: 'gateway', move, on });
const patience: Step = { step: 'patience' };
/** The policy looks at a duplicate some seconds of the service's time after it came. */
const policyActs: Step = { step: 'wait', milliseconds: 1_000 };

const asWay = (part: Step | Way): Way => ('step' in part ? fc.constant([part]) : part);
const way = (...parts: (Step | Way)[]): Way => fc.tuple(...parts.map(asWay)).map((steps) => steps.flat());
const either = (...ways: (Step | Way)[]): Way => fc.oneof(...ways.map(asWay));
const nothing = fc.constant<Step[]>([]);
/** The embedded store takes the clock's time at a start alone. */
const daysLater = (days: number): Way =>
  way({ step: 'clock', at: 0, milliseconds: days * 86_400_000 }, { step: 'kill', at: 0 });

const paid = pays('card', 'captured');
/** A wallet is left, the order paid by card, and the wallet all the same. */
const paidTwice = way(
  ...[pays('wallet', 'waiting'), one({ do: 'cancel', at: 0, on: 0 })],
  either(paid, paid, pays('card', 'held')),
  either(
    ...[nothing, nothing, refund('done', { part: true }), way(reverse('late'), patience)],
    way(moves('charges-back'), refresh()),
  ),
  ...[moves('payer-pays', 1), refresh(1), policyActs],
  either(
    ...[nothing, way(refund('done', { on: 1 }), reverse('done')), way(moves('refunds-all', 1), refresh(1))],
    way(moves('wins-a-dispute'), refresh()),
  ),
);
/** The order has another session by the time at which the first one's payment is paid. */
const paidLate = way(
  ...[pays('wallet', 'waiting'), one({ do: 'cancel', at: 0, on: 0 })],
  ...[one({ do: 'close', at: 0 }), one({ do: 'open', at: 0 }), moves('payer-pays'), refresh()],
  either(nothing, daysLater(1)),
);
/** Something of a paid order is given back, or is not. */
const givenBack = way(
  paid,
  either(
    way(refund('done', { part: true }), refresh(), moves('reverses-besides')),
    way(refund('done'), refresh(), either(moves('bounces'), moves('charges-back'))),
    way(refund('accepted', { part: true }), moves('counts-pending'), patience),
    way(
      refund('refused', { part: true }),
      refresh(),
      moves('refunds-as-refused'),
      refund('done', { part: true }),
    ),
    way(reverse('late'), patience, either(refund('done'), refund('done', { part: true }))),
    way(reverse('accepted'), moves('settles')),
  ),
);
/** A copy of the store is made, and brought back after more was done. */
const restored = way(
  either(paid, pays('card', 'held'), nothing),
  { step: 'copy' },
  either(
    ...[refund('done', { part: true }), refund('accepted')],
    way(paid, either(nothing, refund('done', { part: true }))),
    reverse('done'),
  ),
  { step: 'restore' },
  either(nothing, refund('done', { part: true }), { step: 'report', at: 0, row: 'true', adopt: true }),
);
const challenged = way(pays('card', 'redirect'), moves('asks-for-a-code'), refresh());
/** The key of a refund is used once more when those of other calls are kept no longer. */
const askedAgainLate = way(paid, refund('done', { part: true }), daysLater(8), one({ do: 'again', at: 0 }));

export const beginnings: Way = fc.oneof(
  { weight: 2, arbitrary: way(paid) },
  { weight: 3, arbitrary: paidTwice },
  { weight: 1, arbitrary: paidLate },
  { weight: 4, arbitrary: givenBack },
  { weight: 1, arbitrary: restored },
  { weight: 1, arbitrary: either(challenged, askedAgainLate) },
);
