import type { Charge, Refund } from './book.ts';
import type { GatewayMove } from './steps.ts';

/** Whether the gateway, its banks or its staff can do that now. */
export function mayMove(move: GatewayMove, charge: Charge): boolean {
  const { money } = charge;
  const { state, captured, refunded, disputed } = money;
  const idle = charge.accepted === undefined;
  const paid = state === 'captured' && disputed === 0n && idle;
  const third = captured / 3n;
  const failed = failedOf(charge);
  switch (move) {
    case 'payer-pays':
    case 'payer-declines':
      return charge.waits;
    case 'payer-pays-hold':
      return charge.waits && charge.method === 'card';
    case 'asks-for-a-code':
    case 'asks-for-a-pin':
      return charge.method === 'card' && (state === 'redirect' || state === 'pending');
    case 'runs-out':
      return charge.waits || (state === 'held' && idle);
    case 'captures-hold':
      return state === 'held' && idle;
    case 'changes-its-mind':
      return state === 'expired' || state === 'declined';
    case 'reverses':
      return (state === 'held' && idle) || (paid && refunded === 0n);
    case 'reverses-a-part':
      return paid && money.reversedPart === 0n && third > 0n && charge.left > third;
    case 'refunds-a-part':
      return paid && money.reversedPart === 0n && third > 0n && charge.left >= third;
    case 'refunds-the-rest':
      return paid && money.reversedPart === 0n && charge.left > 0n;
    case 'charges-back':
      return paid;
    case 'refunds-as-refused':
      return paid && failed !== undefined && charge.canRefund(failed.amount);
    case 'bounces':
      return paid && money.reversedPart === 0n && doneOf(charge) !== undefined;
    case 'wins-dispute':
      return state === 'captured' && disputed > 0n;
    case 'carries-out':
      return charge.carryOut !== undefined;
  }
}

const ownRefunds = ({ refunds }: Charge): bigint =>
  [...refunds.values()].reduce((sum, { state, amount }) => (state === 'done' ? sum + amount : sum), 0n);
const doneOf = ({ refunds }: Charge): Refund | undefined =>
  [...refunds.values()].findLast(({ state }) => state === 'done');
const failedOf = ({ refunds }: Charge): Refund | undefined =>
  [...refunds.values()].find(({ state }) => state === 'refused');

/** What the gateway, its banks and its staff do by themselves. */
export function moveAtGateway(move: GatewayMove, charge: Charge, at: number): void {
  const { money, amount } = charge;
  const { captured, refunded } = money;
  const third = captured / 3n;
  const done = doneOf(charge);
  const failed = failedOf(charge);
  if (move.startsWith('refunds-') || move === 'reverses-a-part') charge.givenByOthers = true;
  switch (move) {
    case 'changes-its-mind':
      charge.unknownSince = at;
      charge.change(at, { state: 'captured', captured: amount });
      return;
    case 'payer-pays':
    case 'captures-hold':
      charge.change(at, { state: 'captured', captured: amount });
      return;
    case 'payer-pays-hold':
      charge.change(at, { state: 'held' });
      return;
    case 'payer-declines':
      charge.change(at, { state: 'declined' });
      return;
    case 'asks-for-a-code':
      charge.change(at, { state: 'otp' });
      return;
    case 'asks-for-a-pin':
      charge.change(at, { state: 'pin' });
      return;
    case 'runs-out':
      charge.change(at, { state: 'expired' });
      return;
    case 'reverses':
      charge.change(at, { state: 'reversed' });
      return;
    case 'reverses-a-part':
      // Beside refunds of the shop's it says how much was given back in all, or how much it reversed.
      charge.change(at, {
        refunded: refunded + third,
        reversedPart: refunded > 0n && refunded === ownRefunds(charge) ? third : refunded + third,
      });
      return;
    case 'refunds-a-part':
      charge.change(at, { refunded: refunded + third });
      return;
    case 'refunds-the-rest':
      charge.change(at, { refunded: captured });
      return;
    case 'refunds-as-refused':
      charge.change(at, { refunded: refunded + (failed?.amount ?? 0n) });
      charge.doneAsRefused = failed?.amount;
      return;
    case 'bounces':
      if (done) done.state = 'bounced';
      charge.blurred = true;
      charge.change(at, { refunded: refunded - (done?.amount ?? 0n) });
      return;
    case 'charges-back':
      // A bank does not know what was given back.
      charge.change(at, { disputed: charge.left > 0n ? charge.left : captured });
      return;
    case 'wins-dispute':
      charge.change(at, { disputed: 0n, disputeWon: true });
      return;
    case 'carries-out':
      charge.carryOut?.();
      return;
  }
}
