import type { Answer } from '../dialects/answer.ts';
import { payCard } from './card-payment.ts';
import type { Context, Input } from '../context.ts';
import { complete, createOrder, status, validateOtp, validatePin, voidPayment } from './follow-up.ts';
import type { Operation } from '../dialects/operations.ts';
import { refund, refundStatus } from './refunds.ts';
import { generateUssdCode, initiateTransfer, initiateWallet, listUssdBanks } from './payer-initiated.ts';

const PERFORM: Record<Operation, (context: Context, input: Input) => Answer> = {
  payCard,
  initiateWallet,
  validateOtp,
  initiateTransfer,
  transferUssdStatus: status,
  listUssdBanks,
  generateUssdCode,
  transactionStatus: status,
  complete,
  void: voidPayment,
  createOrder,
  validatePin,
  refund,
  refundStatus,
};

/** Performs one operation and answers. It is synchronous, so it can be rehearsed. */
export function perform(operation: Operation, context: Context, input: Input): Answer {
  return PERFORM[operation](context, input);
}
