import { randomInt } from 'node:crypto';
import { type Answer, refusal } from '../dialects/answer.ts';
import { bankNamed, BANKS } from './banks.ts';
import type { Context, Input } from '../context.ts';
import { stateAnswer } from './state-answer.ts';
import { testAmount } from './test-amounts.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** `initiateWallet`: creates an order that waits at the cashier page. */
export function initiateWallet(context: Context, input: Input): Answer {
  return initiate(context, input, 'wallet', (transaction) => {
    context.bank.wait(transaction, 'initial', 'SUCCESSFUL', 'initiateWallet');
  });
}

/** `initiateTransfer`: creates an account number for this payment alone. */
export function initiateTransfer(context: Context, input: Input): Answer {
  return initiate(context, input, 'transfer', (transaction) => {
    transaction.account = {
      number: `99${randomInt(10_000_000, 100_000_000)}`,
      name: `Sandbox / ${input.text('firstName')} ${input.text('lastName')}`.slice(0, 60),
      bank: 'Sandbox Bank',
    };
    context.bank.wait(transaction, 'pending', 'Waiting for the transfer', 'initiateTransfer');
  });
}

/** `generateUssdCode`: creates a code to dial at the chosen bank. */
export function generateUssdCode(context: Context, input: Input): Answer {
  const bank = bankNamed(input.text('bankCode'));
  if (!bank) return refusal('BANK_UNKNOWN', 'This bank does not take USSD payments');
  return initiate(context, input, 'ussd', (transaction) => {
    transaction.ussd = { code: `*${bank.code}*000*${randomInt(1_000, 10_000)}#`, bank: bank.name };
    context.bank.wait(transaction, 'pending', 'Waiting for the code to be dialled', 'generateUssdCode');
  });
}

/** `listUssdBanks`. */
export function listUssdBanks(): Answer {
  return { error: false, message: 'Successful', errorCode: '', banks: BANKS };
}

function initiate(
  context: Context,
  input: Input,
  method: 'wallet' | 'transfer' | 'ussd',
  fill: (transaction: Transaction) => void,
): Answer {
  const { bank, ledger, settings } = context;
  const clientRef = input.text('client_ref');
  const currency = input.text('currency');
  const amountMinor = input.minor(currency);
  const special = testAmount(amountMinor, currency);
  if (special?.declined) return refusal('05', 'This payment cannot be started');
  const first = ledger.find(clientRef);
  if (first && settings.duplicateClientRef === 'refuse')
    return refusal('DUPLICATE', 'This reference was used before');
  if (first && settings.duplicateClientRef === 'same') return stateAnswer(context, first);

  const transaction = ledger.open({ clientRef, method, amountMinor, currency }, method);
  bank.expireAfter(transaction, settings.expiresAfterMs);
  fill(transaction);
  if (special?.settles) bank.schedule(transaction, special.settles);
  return stateAnswer(context, transaction);
}
