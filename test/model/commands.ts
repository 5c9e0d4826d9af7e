import { pause } from '../chaos/calls.ts';
import { moveAtGateway } from './gateway-moves.ts';
import { auditNow } from './invariants.ts';
import type { PayTruth } from './gateway-plans.ts';
import { copy, restore, takeOver } from './losses.ts';
import { major, type Method, type Transaction } from './money-ledger.ts';
import { uploadReport } from './reports.ts';
import type { Scene } from './scene.ts';
import type { Operation, Shown } from './shop.ts';
import type { Action, Step } from './steps.ts';

/** Takes a step, and holds what holds at any moment against the books. */
export async function takeStep(scene: Scene, step: Step): Promise<void> {
  await scene.till.up();
  scene.history.note('STEP', JSON.stringify(step));
  await take(scene, step);
  await scene.till.up();
  await takeOver(scene, { onlyNamed: true });
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
      const { shown, transaction } = picked;
      const { asksRefunds } = scene.till;
      const moved = moveAtGateway(step.move, transaction, {
        shown,
        asksRefunds,
        stale: scene.gateway.holding > 0,
      });
      if (moved) scene.did(`gateway ${moved}`, transaction.clientRef);
      return;
    }
    case 'questions':
      scene.gateway.questions = step.questions;
      return;
    case 'release':
      scene.gateway.release();
      return scene.done();
    case 'patience':
      return scene.patience();
    case 'copy':
      return copy(scene);
    case 'restore':
      return restore(scene);
    case 'report':
      return uploadReport(scene, step);
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
  scene.did(action.do);
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
    case 'refund':
      gateway.plans[action.do] = action;
      return operate(scene, action.do, action);
    case 'void':
      gateway.plans.void = action;
      return operate(scene, 'void', action);
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

async function about(scene: Scene, action: Extract<Action, { on: number }>): Promise<unknown> {
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

/** A person has looked it up in the gateway's own books, and says what is so. Who sits at the second desk mistypes the amount. */
async function resolve(
  { shop }: Scene,
  at: number,
  { shown, transaction }: NonNullable<Awaited<ReturnType<Scene['pick']>>>,
): Promise<void> {
  if (!transaction || !shown.needsAttention) return;
  if (shown.pendingOperation?.['type'] === 'refund') return resolveRefund(shop, at, shown, transaction);
  const { state, captured } = transaction.books;
  const mistypes = state === 'captured' && at === 1;
  const words = {
    captured: { status: 'succeeded', amountReceived: major(mistypes ? captured - 100n : captured) },
    reversed: { status: 'voided' },
    declined: { status: 'failed' },
    expired: { status: 'failed' },
    absent: { status: 'failed' },
    pending: { status: 'failed' },
    waiting: { status: 'failed' },
    otp: { status: 'failed' },
    pin: { status: 'failed' },
    redirect: { status: 'failed' },
    held: undefined,
  };
  const word = words[state];
  if (!word || !(await shop.resolve(at, shown, word))) return;
  transaction.excuses.resolved = true;
  transaction.excuses.miscounted ||= mistypes;
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
