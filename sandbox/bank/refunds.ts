import { type Answer, NOT_FOUND, refusal } from '../dialects/answer.ts';
import type { Context, Input } from '../context.ts';
import { leftMinor, type Refund, type Transaction } from '../ledger/transaction.ts';
import { onTransaction } from './follow-up.ts';
import { stateAnswer } from './state-answer.ts';

/** `refund`: gives back a part of what was taken, or all of it, once a reference. */
export function refund(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => {
    const ref = input.text('refundRef');
    const minor = input.minor(transaction.currency);
    const refuse = (code: string, message: string): Answer => {
      context.ledger.record(transaction, 'refuse', 'refund', minor, message);
      return refusal(code, message);
    };
    if (found(transaction, ref)) return refuse('DUPLICATE', 'This refund was asked for before');
    if (transaction.state !== 'succeeded') return refuse('INVALID_STATE', 'Nothing to give back');
    if (minor === 0n) return refuse('INVALID_AMOUNT', "Not an amount of the payment's currency");
    if (minor > leftMinor(transaction)) return refuse('AMOUNT_TOO_HIGH', 'More than is left');
    const made = { ref, minor };
    transaction.refunds = [...(transaction.refunds ?? []), made];
    context.bank.refund(transaction, minor, 'refund', 'refund');
    return { ...stateAnswer(context, transaction), refund: made };
  });
}

/** `refundStatus`: what became of one refund. */
export function refundStatus(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => {
    const made = found(transaction, input.text('refundRef'));
    return made ? { ...stateAnswer(context, transaction), refund: made } : NOT_FOUND;
  });
}

function found({ refunds = [] }: Transaction, wanted: string): Refund | undefined {
  return refunds.find(({ ref }) => ref === wanted);
}
