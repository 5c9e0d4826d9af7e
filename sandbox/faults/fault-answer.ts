import { type Answer, NOT_FOUND } from '../dialects/answer.ts';
import type { Fault } from './fault.ts';
import { statedMinor } from '../ledger/transaction.ts';

/** What a fault makes an answer say, regardless of the truth. */
export function distort(answer: Answer, fault: Fault): Answer {
  const { transaction } = answer;
  if (fault.kind === 'forget') return NOT_FOUND;
  if (!transaction) return fault.kind === 'contradiction' ? { ...answer, error: true } : answer;
  switch (fault.kind) {
    case 'unknown-status':
      return { ...answer, error: false, errorCode: '', word: fault.word ?? 'SOMETHING_NEW' };
    case 'contradiction':
      return {
        ...answer,
        error: true,
        message: 'Failed',
        transaction: { ...transaction, state: 'succeeded' },
      };
    case 'other-amount':
      return { ...answer, amountMinor: statedMinor(transaction) + 100n };
    case 'other-currency':
      return { ...answer, currency: fault.word ?? (transaction.currency === 'USD' ? 'EUR' : 'USD') };
    case 'other-reference':
      return { ...answer, transaction: { ...transaction, clientRef: `${transaction.clientRef}X` } };
    case 'other-url':
      return { ...answer, redirectUrl: fault.location ?? 'http://cashier.example.net/pay?orderToken=x' };
    case 'lag':
      return {
        ...answer,
        error: false,
        errorCode: '',
        transaction: { ...transaction, state: transaction.formerState },
      };
    case 'contradict':
      return {
        ...answer,
        error: true,
        errorCode: '05',
        message: 'Declined',
        transaction: { ...transaction, state: 'failed' },
      };
    default:
      return answer;
  }
}
