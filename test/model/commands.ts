import fc from 'fast-check';
import { pause } from '../chaos/calls.ts';
import type { Order } from '../chaos/preload/orders.ts';
import { FALSE_WORDS } from './gateway-words.ts';
import { GATEWAY_MOVES, moveAtGateway, type GatewayMove } from './gateway-moves.ts';
import { auditNow } from './invariants.ts';
import {
  MANNERS,
  type LaterTruth,
  type Manner,
  type OtpTruth,
  type PayTruth,
  type Question,
} from './gateway-plans.ts';
import { major, type Method, type Transaction } from './money-ledger.ts';
import type { Scene } from './scene.ts';
import type { Operation, Shown } from './shop.ts';

/** What anybody may do next. `on` counts payments from the newest, `at` says which replica is called. */
export type Action =
  | { do: 'open' | 'close' | 'again'; at: number }
  | { do: 'pay'; at: number; method: Method; truth: PayTruth; manner: Manner }
  | { do: 'otp'; at: number; on: number; truth: OtpTruth; manner: Manner }
  | {
      do: 'complete' | 'void' | 'refund';
      at: number;
      on: number;
      part: boolean;
      truth: LaterTruth;
      manner: Manner;
    }
  | { do: 'cancel' | 'refresh' | 'return' | 'resolve' | 'hasty'; at: number; on: number }
  | { do: 'notify'; at: number; on: number; word: string; about: 'own' | 'other' | 'nothing' };

export type Step =
  | { step: 'one'; action: Action }
  /** Two at once. */
  | { step: 'both'; actions: [Action, Action] }
  | { step: 'gateway'; move: GatewayMove; on: number }
  /** What the next status queries meet. */
  | { step: 'questions'; questions: Question[] }
  /** Answers that were held back come now. */
  | { step: 'release' }
  | { step: 'kill'; at: number }
  /** A process will end itself at a boundary. */
  | { step: 'doom'; at: number; order: Order }
  | { step: 'clock'; at: number; milliseconds: number }
  | { step: 'wait'; milliseconds: number };

/** Takes a step, and holds what holds at any moment against the books. */
export async function takeStep(scene: Scene, step: Step): Promise<void> {
  await scene.till.up();
  scene.history.note('STEP', JSON.stringify(step));
  await take(scene, step);
  await scene.till.up();
  await auditNow(scene);
}

async function take(scene: Scene, step: Step): Promise<void> {
  switch (step.step) {
    case 'one':
      return scene.run([act(scene, step.action)]);
    case 'both':
      return scene.run(step.actions.map((action) => act(scene, action)));
    case 'gateway': {
      const picked = await scene.pick(step.on);
      if (!picked?.transaction) return;
      const moved = moveAtGateway(step.move, picked.transaction, picked.shown, scene.gateway.holding > 0);
      if (moved) scene.history.note('gateway', `${picked.transaction.clientRef} ${step.move}`);
      return;
    }
    case 'questions':
      scene.gateway.questions = step.questions;
      return;
    case 'release':
      scene.gateway.release();
      return scene.done();
    case 'kill':
      return scene.till.kill(step.at);
    case 'doom':
      return scene.till.arm(step.at, [step.order]);
    case 'clock':
      return scene.till.step(step.at, step.milliseconds);
    case 'wait':
      return pause(step.milliseconds);
  }
}

async function act(scene: Scene, action: Action): Promise<unknown> {
  const { shop, gateway } = scene;
  switch (action.do) {
    case 'open':
      return shop.open(action.at);
    case 'close':
      return shop.close(action.at);
    case 'again':
      return shop.again(action.at);
    case 'pay':
      gateway.plans.pay = { truth: truthOf(action), manner: action.manner };
      return shop.pay(action.at, action.method);
    case 'otp':
      gateway.plans.otp = action;
      return operate(scene, 'otp', action);
    case 'complete':
    case 'void':
    case 'refund':
      gateway.plans[action.do] = action;
      return operate(scene, action.do, action);
    default:
      return about(scene, action);
  }
}

/** Other methods than cards only begin with the call. */
function truthOf({ method, truth }: { method: Method; truth: PayTruth }): PayTruth {
  if (method === 'card') return truth === 'waiting' ? 'pending' : truth;
  return ['absent', 'busy', 'declined'].includes(truth) ? truth : 'waiting';
}

async function operate(
  scene: Scene,
  operation: Operation,
  { at, on, part = false }: { at: number; on: number; part?: boolean },
): Promise<void> {
  const picked = await scene.pick(on);
  if (!picked) return;
  const amount = part ? '500.00' : undefined;
  await scene.shop.operate(at, operation, picked.shown, amount);
}

async function about(scene: Scene, action: Extract<Action, { on: number }>): Promise<void> {
  const picked = await scene.pick(action.on);
  if (!picked) return;
  const { shown, transaction } = picked;
  const { shop } = scene;
  switch (action.do) {
    case 'cancel':
      return shop.cancel(action.at, shown);
    case 'refresh':
      return shop.refresh(action.at, shown);
    case 'return':
      if (transaction?.returnUrl !== undefined) await shop.comeBack(action.at, transaction.returnUrl);
      return;
    case 'resolve':
      return resolve(scene, action.at, picked);
    case 'hasty':
      return resolveAmidst(scene, action.at, picked);
    case 'notify': {
      const { word, about: whom } = action;
      if (whom === 'nothing') return shop.notify(action.at, { hello: word });
      const client_ref = whom === 'own' ? shown.gatewayReference : 'ANOTHER-ORDER_1';
      return shop.notify(action.at, { client_ref, status: word, amount: shown.amount, currency: 'NGN' });
    }
    default:
      return;
  }
}

/** A person has looked it up in the gateway's own books, and says what is so. */
async function resolve(
  { shop }: Scene,
  at: number,
  { shown, transaction }: NonNullable<Awaited<ReturnType<Scene['pick']>>>,
): Promise<void> {
  if (!transaction || !shown.needsAttention) return;
  if (shown.pendingOperation?.['type'] === 'refund') return resolveRefund(shop, at, shown, transaction);
  const { state, captured } = transaction.books;
  const words = {
    captured: { status: 'succeeded', amountReceived: major(captured) },
    reversed: { status: 'voided' },
    declined: { status: 'failed' },
    expired: { status: 'failed' },
    absent: { status: 'failed' },
    pending: { status: 'failed' },
    waiting: { status: 'failed' },
    otp: { status: 'failed' },
    redirect: { status: 'failed' },
    held: undefined,
  };
  const word = words[state];
  if (word && (await shop.resolve(at, shown, word))) transaction.excuses.resolved = true;
}

/** A person does not wait for the answer of a call, though it may still move money: that word is not taken. */
async function resolveAmidst(
  scene: Scene,
  at: number,
  { shown, transaction }: NonNullable<Awaited<ReturnType<Scene['pick']>>>,
): Promise<void> {
  if (!transaction || !shown.needsAttention || transaction.sending === 0) return;
  const taken = await scene.shop.resolve(at, shown, { status: 'failed' });
  if (taken) transaction.excuses.resolved = true;
  // Whoever was killed sends no more. Where no answer came the word may have been taken, or not.
  const living = transaction.sending > 0 && scene.till.kills === scene.killsBefore;
  const after = (await scene.shop.payments()).find(({ id }) => id === shown.id);
  if (taken && living && after?.status === 'failed')
    scene.blame(`(j) ${shown.gatewayReference} was resolved while a call about it was being sent`);
}

async function resolveRefund(
  shop: Scene['shop'],
  at: number,
  shown: Shown,
  { refunds }: Transaction,
): Promise<void> {
  const listed = await shop.refundsOf(shown);
  const open = listed.findIndex(({ status }) => status === 'processing');
  const state = refunds.get(`${shown.gatewayReference}_r${open + 1}`)?.state;
  const refundId = listed[open]?.id;
  if (refundId === undefined || state === undefined || state === 'open') return;
  await shop.resolve(at, shown, { refundId, status: state === 'done' ? 'succeeded' : 'failed' });
}

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
const laterTruth = usually<LaterTruth>('done', ['refused', 'accepted', 'absent']);

const pay = fc.record({ do: fc.constant('pay' as const), at, method, truth: payTruth, manner });
const open = fc.record({ do: fc.constant('open' as const), at });
const onPayment: fc.Arbitrary<Action>[] = [
  fc.record({ do: fc.constant('otp' as const), at, on, truth: otpTruth, manner }),
  fc.record({ do: fc.constant('complete' as const), at, on, part: fc.boolean(), truth: laterTruth, manner }),
  fc.record({
    do: fc.constant('void' as const),
    at,
    on,
    part: fc.constant(false),
    truth: laterTruth,
    manner,
  }),
  fc.record({ do: fc.constant('refund' as const), at, on, part: fc.boolean(), truth: laterTruth, manner }),
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

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ step: fc.constant('one' as const), action }) },
  {
    weight: 6,
    arbitrary: fc.record({ step: fc.constant('both' as const), actions: fc.tuple(action, action) }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      step: fc.constant('gateway' as const),
      move: fc.constantFrom(...GATEWAY_MOVES),
      on,
    }),
  },
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
);

const first: fc.Arbitrary<Step> = pay.map((paying) => ({ step: 'one', action: paying }));

/** What happens to an order whose session is open. */
export const sequences: fc.Arbitrary<Step[]> = fc
  .tuple(first, fc.array(step, { minLength: 4, maxLength: 16, size: 'max' }))
  .map(([begin, rest]) => [begin, ...rest]);
