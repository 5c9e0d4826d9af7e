import type { Answer } from '../dialects/answer.ts';
import type { Context } from '../context.ts';
import type { State, Transaction } from '../ledger/transaction.ts';

/** The card schemes' codes for each state. */
const CODES: Partial<Record<State, string>> = { succeeded: '00', pin: 'P0', otp: 'T0', redirect: 'S0' };

/** The answer that reports a transaction's state. */
export function stateAnswer(context: Context, transaction: Transaction): Answer {
  const { state } = transaction;
  return {
    error: state === 'failed',
    message: transaction.message,
    errorCode: transaction.errorCode || (transaction.method === 'card' ? (CODES[state] ?? '') : ''),
    transaction: { ...transaction },
    ...addressOf(context, transaction),
  };
}

function addressOf(
  { publicUrl }: Context,
  { state, method, token }: Transaction,
): Pick<Answer, 'redirectUrl'> {
  if (state === 'redirect') return { redirectUrl: `${publicUrl}/challenge?token=${token}` };
  if (method === 'wallet' && (state === 'initial' || state === 'pending'))
    return { redirectUrl: `${publicUrl}/cashier?orderToken=${token}` };
  return {};
}
