import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { dispute } from './proposed-transition.js';

/** How long the gateway must have gone on saying a lower sum until a refund of ours has bounced. */
const FALL_CONFIRMED_AFTER = 10 * 60_000;

type Refunds = readonly OperationRecord[];

/** How much was given back by refunds of this service's own that were done, in minor units. Pure. */
export function ownRefunds(settled: Refunds): bigint {
  return sumOf(settled.filter(({ status }) => status === 'confirmed'));
}

/**
 * How much of the sum that the gateway says was not given back: refunds that came back or were never done, as the gateway itself or a
 * person has said, and that its sum went on holding. Where it says just what is known without them, or less than they are, it holds them no
 * longer: what it says was given back otherwise. Pure.
 *
 * @param known what is known to have been given back, without them
 */
export function heldInSum(settled: Refunds, said: bigint, known: bigint): bigint {
  const held = sumOf(settled.filter(isHeldThoughFailed));
  return said === known || said < held ? 0n : held;
}

/**
 * Whether what was given back rose by the amount of a refund that counts as failed, or by more: it may have been done all the same, alone or
 * beside what somebody else gave back. Pure.
 */
export function mayHoldRefused(settled: Refunds, rise: bigint): boolean {
  return settled.some(({ status, amount }) => status === 'refused' && amount !== null && amount <= rise);
}

/**
 * What a status answer about a paid payment says besides of its refunds that are settled, none being open. A rise that is not less
 * than one that is recorded as failed may hold that very refund, so nothing more is given back until a person has looked. And where
 * the gateway cannot be asked about a refund itself, a fall of its sum to what it was before one that it had held says, once it was
 * heard twice long enough apart, that this one came back. Pure.
 */
export function withSettledRefunds(
  update: PaymentUpdate,
  said: {
    answer: GatewayAnswer;
    payment: PaymentRecord;
    settled: Refunds;
    asksRefunds: boolean;
    now: number;
  },
): PaymentUpdate {
  const { answer, payment, settled, asksRefunds, now } = said;
  if (!update.answered || update.move || update.attention || payment.status !== 'succeeded') return update;
  const known = payment.amountRefunded ?? 0n;
  const rise = (update.refunded ?? 0n) - known;
  if (mayHoldRefused(settled, rise)) {
    return { ...update, ...dispute(payment, 'refund_contradicted', answer) };
  }
  const sum = answer.refundedAmount;
  if (typeof sum !== 'bigint') return update;
  const noted =
    sum < known ? withFall(settled, { sum, known, asksRefunds, now }) : withSum(settled, sum, known);
  if (!noted) return update;
  return { ...update, ...noted, operations: [...(update.operations ?? []), ...noted.operations] };
}

type Noted = Required<Pick<PaymentUpdate, 'operations'>> & Pick<PaymentUpdate, 'againInMs'>;

/**
 * Whether a status answer, which means `update`, says how much of a paid payment has been given back by now, so that a later rise is
 * news. One that falls short of what is known lags behind: what rises after it may have been given back before. Pure.
 */
export function saysGivenBack(
  result: GatewayResult,
  { answered = false, attention, move, refunded }: PaymentUpdate,
  { amountRefunded }: PaymentRecord,
): boolean {
  if (result.kind !== 'answered' || !answered || attention || move) return false;
  const said = refunded ?? (result.answer.meaning === 'succeeded' ? 0n : undefined);
  return said !== undefined && said >= (amountRefunded ?? 0n);
}

/** The sum holds all that is known to have been given back. */
function withSum(settled: Refunds, sum: bigint, known: bigint): Noted {
  const held = settled.filter(
    ({ status, inSum, fallHeardAt }) => status === 'confirmed' && (!inSum || fallHeardAt !== null),
  );
  // What came back is not in it any more.
  const dropped = sum === known ? settled.filter(isHeldThoughFailed) : [];
  return {
    operations: [
      ...held.map(({ id, status }) => ({ id, status, settled: { inSum: true, fallHeardAt: null } })),
      ...dropped.map(({ id, status }) => ({ id, status, settled: { inSum: false } })),
    ],
  };
}

function withFall(
  settled: Refunds,
  { sum, known, asksRefunds, now }: { sum: bigint; known: bigint; asksRefunds: boolean; now: number },
): Noted | undefined {
  const fallen = settled.findLast(
    ({ status, inSum, amount }) => status === 'confirmed' && inSum && known - (amount ?? 0n) === sum,
  );
  if (!fallen || asksRefunds) return undefined;
  const { id, status, fallHeardAt } = fallen;
  if (fallHeardAt === null) {
    return {
      operations: [{ id, status, inferred: true, settled: { fallHeardAt: now } }],
      againInMs: FALL_CONFIRMED_AFTER,
    };
  }
  const left = fallHeardAt + FALL_CONFIRMED_AFTER - now;
  if (left > 0) return { operations: [], againInMs: left };
  return {
    operations: [{ id, status: 'refused', inferred: true, settled: { inSum: false, cameBack: true } }],
  };
}

function isHeldThoughFailed({ status, inSum }: OperationRecord): boolean {
  return status === 'refused' && inSum;
}

function sumOf(refunds: Refunds): bigint {
  return refunds.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
}
