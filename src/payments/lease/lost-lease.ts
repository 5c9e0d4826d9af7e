import type { PaymentUpdate } from '../state/payment-update.js';

/**
 * What still counts of an update if its process lost the lease while it asked, so that a newer request has asked or
 * acted since. The gateway's own answer counts. Our conclusions from it do not: neither a move of our own, nor that an
 * operation has not arrived, which may have been sent only after this question, nor what the payer is to do next, who may have done it since.
 * Nor does a sum given back from which an open
 * refund was concluded: the next answer names it again, and only a rise settles that refund, so it must not be known before.
 * An old answer that contradicts a newer one raises attention like any other, for it may be the last that is heard of the
 * money, and the gateway is asked again at once. Pure.
 */
export function afterLostLease(update: PaymentUpdate): PaymentUpdate {
  const { answered, waiting, move, attention, operations } = update;
  if (move && move.by !== 'gateway') return { ...(answered && { answered }), ...(waiting && { waiting }) };
  const { refunded, conclusive, nextAction, timelineNote, ...rest } = update;
  const concludes = nextAction !== undefined || (operations?.some(({ inferred }) => inferred) ?? false);
  const said = {
    ...(refunded !== undefined && { refunded }),
    ...(conclusive !== undefined && { conclusive }),
  };
  return {
    ...rest,
    ...(timelineNote && !nextAction && { timelineNote }),
    ...(concludes ? { checkNow: true } : said),
    ...(operations && {
      operations: operations.filter(({ formerCount, inferred }) => formerCount === undefined && !inferred),
    }),
    ...(attention?.reason === 'contradicting_answer' && { checkNow: true }),
  };
}
