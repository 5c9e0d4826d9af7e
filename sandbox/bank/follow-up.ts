import { type Answer, NOT_FOUND, refusal } from '../dialects/answer.ts';
import type { Context, Input } from '../context.ts';
import { stateAnswer } from './state-answer.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** The correct one-time code. */
export const RIGHT_OTP = '123456';

/** The PIN that is always wrong, and how often it may be. */
const WRONG_PIN = '0000';
const PIN_ATTEMPTS = 3;

const ORDER_FIELDS = [
  'client_ref',
  'amount',
  'currency',
  'authNotifyUrl',
  'payerEmail',
  'payerPhone',
  'firstName',
  'lastName',
];

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

/** `validatePin`: right, or wrong: asked for again, and declined when wrong too often. */
export function validatePin(context: Context, input: Input): Answer {
  return onTransaction(context, input, (transaction) => {
    const { bank } = context;
    if (transaction.state !== 'pin' || !transaction.pin)
      return refusal('INVALID_STATE', 'No PIN is expected');
    if (input.text('pin') === WRONG_PIN) {
      transaction.pin.wrong += 1;
      if (transaction.pin.wrong >= PIN_ATTEMPTS)
        bank.decline(transaction, '75', 'Too many wrong PINs', 'validatePin');
      else bank.wait(transaction, 'pin', 'Wrong PIN. Enter the PIN again', 'validatePin');
    } else if (transaction.pin.then === 'otp') {
      transaction.otp = { wrong: 0, onWrong: 'again' };
      bank.wait(transaction, 'otp', 'Enter the one-time code sent to your phone', 'validatePin');
    } else bank.charge(transaction, 'validatePin');
    return stateAnswer(context, transaction);
  });
}

/** `createOrder`: keeps what a payment will be about. It moves nothing. */
export function createOrder({ orders, ledger }: Context, input: Input): Answer {
  const order = Object.fromEntries(ORDER_FIELDS.map((field) => [field, input.value(field)]));
  const orderId = ledger.rehearsing ? 'ord_none' : orders.add(order);
  return { error: false, message: 'Order created', errorCode: '', orderId };
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

/** The transaction that a call names. */
export function onTransaction(
  context: Context,
  input: Input,
  act: (transaction: Transaction) => Answer,
): Answer {
  const transaction = context.ledger.find(input.text('client_ref'), input.text('transactionRef'));
  if (!transaction) return NOT_FOUND;
  return act(context.bank.byClock(transaction));
}
