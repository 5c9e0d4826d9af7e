import { type Answer, NOT_FOUND, refusal } from '../dialects/answer.ts';
import type { Context, Input } from '../context.ts';
import { stateAnswer } from './state-answer.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** The correct one-time code. */
export const RIGHT_OTP = '123456';

/** `validateOtp`: correct, wrong (asked for again or refused), or wrong too often (declined). */
export function validateOtp(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => {
    const { bank, ledger, settings } = context;
    if (transaction.state !== 'otp' || !transaction.otp)
      return refusal('INVALID_STATE', 'No one-time code is expected');
    if (input.text('otp') === RIGHT_OTP) {
      bank.charge(transaction, 'validateOtp');
      return stateAnswer(context, transaction);
    }
    transaction.otp.wrong += 1;
    if (transaction.otp.wrong >= settings.otpAttempts) {
      bank.decline(transaction, '75', 'Too many wrong codes', 'validateOtp');
      return stateAnswer(context, transaction);
    }
    if (transaction.otp.onWrong === 'refuse') {
      ledger.record(transaction, 'refuse', 'validateOtp', transaction.amountMinor, 'Wrong code');
      return refusal('WRONG_OTP', 'Wrong code');
    }
    bank.wait(transaction, 'otp', 'Wrong code. Enter the one-time code again', 'validateOtp');
    return stateAnswer(context, transaction);
  });
}

/** `complete`: takes all or part of the held money, once. */
export function complete(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => {
    const minor = input.minor(transaction.currency);
    const refuse = (code: string, message: string): Answer => {
      context.ledger.record(transaction, 'refuse', 'complete', minor, message);
      return refusal(code, message);
    };
    if (transaction.state !== 'authorized') return refuse('INVALID_STATE', 'Nothing is held');
    if (minor === 0n) return refuse('INVALID_AMOUNT', "Not an amount of the payment's currency");
    if (minor > transaction.amountMinor) return refuse('AMOUNT_TOO_HIGH', 'More than was authorized');
    context.bank.capture(transaction, minor, 'complete');
    return stateAnswer(context, transaction);
  });
}

/** `void`: reverses held or taken money, once. */
export function voidPayment(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => {
    const whole = transaction.after === undefined;
    if (!whole || (transaction.state !== 'authorized' && transaction.state !== 'succeeded')) {
      context.ledger.record(
        transaction,
        'refuse',
        'void',
        transaction.amountMinor,
        `Cannot void: ${transaction.state}`,
      );
      return refusal('INVALID_STATE', 'Nothing to void');
    }
    context.bank.giveBack(transaction, 'void', 'void');
    return stateAnswer(context, transaction);
  });
}

/** `transactionStatus` and `transferUssdStatus`: the state of the latest attempt, or of the named one. */
export function status(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => stateAnswer(context, transaction));
}

function onTransaction(context: Context, input: Input, act: (transaction: Transaction) => Answer): Answer {
  const transaction = context.ledger.find(input.text('client_ref'), input.text('transactionRef'));
  if (!transaction) return NOT_FOUND;
  return act(context.bank.byClock(transaction));
}
