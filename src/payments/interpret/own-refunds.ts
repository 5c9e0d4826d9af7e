import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { dispute } from './proposed-transition.js';
import { isVoidDoubtful } from '../state/operation-state.js';
import { partialReversal, wholeOf } from './answer.js';

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

/**
 * A gateway may call a payment reversed whose whole amount was given back by refunds. Where refunds were made here, such a word
 * is about them: a payment stays paid, however much was given back. Pure.
 */
export function asRefund(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  refund: OperationRecord | undefined,
): GatewayAnswer {
  const reversed = answer.meaning === 'voided' && payment.status === 'succeeded';
  const refunds = refund !== undefined || (payment.refundsMade > 0 && (payment.amountRefunded ?? 0n) > 0n);
  if (!reversed || !refunds || partialReversal(answer, payment) !== undefined) return answer;
  return { ...answer, meaning: 'refunded' };
}

/**
 * Whether a payment that is called refunded, without a sum, may be so in whole: not where a refund of less than the rest is open, to
 * which the word may point, nor where it is a reversal of the whole after a part was refunded. That may be a void that was taken
 * for refused. Pure.
 */
export function mayBeWhole(
  { meaning }: GatewayAnswer,
  payment: PaymentRecord,
  refund: OperationRecord | undefined,
): boolean {
  if (!refund && meaning !== 'voided') return true;
  return (payment.amountRefunded ?? 0n) + (refund?.amount ?? 0n) >= (wholeOf(payment) ?? 0n);
}

/**
 * A reversal of the whole that is read as refunds, `read` being the answer as it is read, while a void that time has ended may have been
 * done: the money may have been given back twice, so a person must look. Pure.
 */
export function withDoubtfulVoid(
  update: PaymentUpdate,
  said: GatewayAnswer,
  { answer: read, payment }: { answer: GatewayAnswer; payment: PaymentRecord },
): PaymentUpdate {
  if (!update.answered || said.meaning === read.meaning || !isVoidDoubtful(payment)) return update;
  return { ...update, ...dispute(payment, 'refund_beside_operation', read) };
}

/**
 * What a status answer says of a refund whose outcome is open, besides what it says of the payment: where the gateway can be
 * asked about the refund itself, nothing, and a sum that may hold it counts only without it; otherwise a rise of what was given back, of just the refund's amount, says that it
 * was done. A smaller rise is somebody else's refund. A greater one may hold this refund or not, so a person decides; so does one
 * where the gateway did not say just before the refund how much it had given back, for the rise may be older, and one besides this
 * refund not less than another that counts as failed. Nothing says that it was not done. Pure.
 */
export function withOpenRefund(
  update: PaymentUpdate,
  {
    answer,
    payment,
    refund,
    settled,
    asksRefunds,
  }: {
    answer: GatewayAnswer;
    payment: PaymentRecord;
    refund: OperationRecord;
    /** Refunds whose outcome is known. */
    settled: readonly OperationRecord[];
    asksRefunds: boolean;
  },
): PaymentUpdate {
  if (!update.answered) return update;
  const { conclusive = false, ...open } = update;
  const known = payment.amountRefunded ?? 0n;
  const rise = update.refunded === undefined ? 0n : update.refunded - known;
  if (rise <= 0n || refund.amount === null) return open;
  const others = rise < refund.amount ? rise : rise - refund.amount;
  const contradicted = mayHoldRefused(settled, others) && dispute(payment, 'refund_contradicted', answer);
  if (rise < refund.amount) return { ...open, ...contradicted };
  if (asksRefunds) {
    const { refunded = 0n, ...unsaid } = open;
    return others > 0n ? { ...open, refunded: refunded - refund.amount, ...contradicted } : unsaid;
  }
  // What had been given back before is not clear, or more than this refund was since, or a part was reversed, which may be besides.
  const besides = answer.meaning === 'voided' && answer.refundedAmount === undefined;
  if (rise > refund.amount || !refund.refundBaselineSaid || besides)
    return { ...open, ...dispute(payment, 'refund_doubtful', answer) };
  return {
    ...open,
    conclusive,
    operations: [
      ...(update.operations ?? []),
      { id: refund.id, status: 'confirmed', inferred: true, inSum: true },
    ],
  };
}
