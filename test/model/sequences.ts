import fc from 'fast-check';
import type { Order } from '../chaos/preload/orders.ts';
import { beginnings } from './beginnings.ts';
import { FALSE_WORDS } from './gateway-words.ts';
import { GATEWAY_MOVES } from './gateway-moves.ts';
import {
  MANNERS,
  type LaterTruth,
  type Manner,
  type OtpTruth,
  type PayTruth,
  type Question,
  type VoidTruth,
} from './gateway-plans.ts';
import type { Method } from './money-ledger.ts';
import { REPORT_TRUTHS, type Action, type ReportTruth, type Step } from './steps.ts';

/** How chance draws what happens to an order. */

const at = fc.nat(1);
const on = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(2));
const usually = <T>(usual: T, others: readonly T[], weight = 3): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });
const word = fc.constantFrom(...FALSE_WORDS);
const manner: fc.Arbitrary<Manner> = fc.record({ how: usually('honest', MANNERS), word });
const method = usually<Method>('card', ['wallet', 'transfer', 'ussd'], 4);
const payTruth = usually<PayTruth>(
  'captured',
  [
    ...([
      'held',
      'held',
      'otp',
      'redirect',
      'waiting',
      'pending',
      'declined',
      'absent',
      'busy',
      'later',
    ] as const),
  ],
  1,
);
const otpTruth = usually<OtpTruth>('captured', ['held', 'declined', 'again', 'pending', 'refused', 'absent']);
const voidTruth = usually<VoidTruth>('done', ['refused', 'accepted', 'absent', 'late', 'late']);
const laterTruth = usually<LaterTruth>('done', ['refused', 'accepted', 'absent']);

const pay = fc.record({ do: fc.constant('pay' as const), at, method, truth: payTruth, manner });
const open = fc.record({ do: fc.constant('open' as const), at });
const voiding = fc.record({ do: fc.constant('void' as const), at, on, truth: voidTruth, manner });
const refund = fc.record({
  do: fc.constant('refund' as const),
  at,
  on,
  part: fc.boolean(),
  truth: laterTruth,
  manner,
});
const onPayment: fc.Arbitrary<Action>[] = [
  fc.record({ do: fc.constant('otp' as const), at, on, truth: otpTruth, manner }),
  fc.record({ do: fc.constant('complete' as const), at, on, part: fc.boolean(), truth: laterTruth, manner }),
  voiding,
  refund,
  refund,
  fc.record({ do: fc.constantFrom('cancel', 'refresh', 'return', 'resolve' as const), at, on }),
  fc.record({ do: fc.constant('cancel' as const), at, on }),
  fc.record({ do: fc.constant('hasty' as const), at, on }),
  fc.record({
    do: fc.constant('notify' as const),
    at,
    on,
    word,
    about: usually<'own' | 'other' | 'nothing'>('own', ['other', 'nothing']),
  }),
];
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: open },
  { weight: 6, arbitrary: pay },
  { weight: 8, arbitrary: fc.oneof(...onPayment) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), at }) },
);
const question: fc.Arbitrary<Question> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ how: fc.constantFrom(...MANNERS), word }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constantFrom('lag', 'busy' as const) }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('lie' as const), word }) },
);
const BOUNDARIES = [
  ...[
    'before store*',
    'after store*',
    'before gateway*',
    'sent gateway*',
    'head of gateway*',
    'after gateway*',
  ],
  ...['request*', 'before answer*', 'after answer*'],
] as const;
const order: fc.Arbitrary<Order> = fc.record({
  action: fc.constant('kill' as const),
  at: fc.constantFrom(...BOUNDARIES),
  nth: fc.integer({ min: 1, max: 6 }),
});
const MINUTE = 60_000;
const milliseconds = fc.constantFrom(
  ...[20, -20, 60, -60, 24 * 60, -24 * 60].map((minutes) => minutes * MINUTE),
);

const gatewayMove = fc.record({
  step: fc.constant('gateway' as const),
  move: fc.constantFrom(...GATEWAY_MOVES),
  on,
});
const reporting: fc.Arbitrary<Step> = fc.record({
  step: fc.constant('report' as const),
  at,
  row: usually<ReportTruth>('true', REPORT_TRUTHS),
  adopt: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ step: fc.constant('one' as const), action }) },
  {
    weight: 6,
    arbitrary: fc.record({ step: fc.constant('both' as const), actions: fc.tuple(action, action) }),
  },
  { weight: 14, arbitrary: gatewayMove },
  {
    weight: 8,
    arbitrary: fc.record({
      step: fc.constant('questions' as const),
      questions: fc.array(question, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('release' as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('kill' as const), at }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('doom' as const), at, order }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('clock' as const), at, milliseconds }) },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('wait' as const), milliseconds: fc.constantFrom(50, 150, 400) }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('patience' as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('copy' as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('restore' as const) }) },
  { weight: 4, arbitrary: reporting },
);

const first: fc.Arbitrary<Step[]> = pay.map((paying) => [{ step: 'one', action: paying }]);
/** Half of them begin with a payment that may become anything. */
const beginning = fc.oneof({ weight: 1, arbitrary: first }, { weight: 1, arbitrary: beginnings });
/** What happens to an order whose session is open. */
export const sequences: fc.Arbitrary<Step[]> = fc
  .tuple(beginning, fc.array(step, { minLength: 4, maxLength: 16, size: 'max' }))
  .map(([begin, rest]) => [...begin, ...rest]);
