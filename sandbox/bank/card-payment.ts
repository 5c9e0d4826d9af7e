import { type Answer, refusal } from '../dialects/answer.ts';
import type { Context, Input } from '../context.ts';
import { brandOf, isLuhnValid, maskNumber, type TestCard, testCard } from './test-cards.ts';
import { stateAnswer } from './state-answer.ts';
import type { Transaction } from '../ledger/transaction.ts';

const NOT_A_TEST_CARD: Omit<TestCard, 'number' | 'brand'> = {
  title: 'not in the table',
  outcome: 'decline',
  code: '14',
  message: 'Not a test card',
};

/** `payCard`: does what the test card stands for. */
export function payCard(context: Context, input: Input): Answer {
  const { bank, ledger, settings } = context;
  const clientRef = input.text('client_ref');
  const number = input.text('cardNumber');
  const first = ledger.find(clientRef);
  if (first && settings.duplicateClientRef === 'refuse')
    return refusal('DUPLICATE', 'This reference was used before');
  if (first && settings.duplicateClientRef === 'same') return stateAnswer(context, first);

  const currency = input.text('currency');
  const transaction = ledger.open(
    { clientRef, method: 'card', amountMinor: input.minor(currency), currency },
    'payCard',
  );
  transaction.card = { brand: brandOf(number), masked: maskNumber(number) };
  const card =
    testCard(number) ??
    (settings.unknownCards === 'approve'
      ? { ...NOT_A_TEST_CARD, outcome: 'approve' as const }
      : NOT_A_TEST_CARD);

  const decline = (code: string, message: string): Answer => {
    bank.decline(transaction, code, message, 'payCard');
    return card.bare ? refusal('', message) : stateAnswer(context, transaction);
  };
  if (!isLuhnValid(number)) return decline('14', 'Invalid card number');
  if (card.needsPin && context.asksPinLater && card.outcome !== 'decline') {
    transaction.pin = { wrong: 0, then: card.outcome === 'otp' ? 'otp' : 'charge' };
    bank.wait(transaction, 'pin', 'Enter the PIN of your card', 'payCard');
    return stateAnswer(context, transaction);
  }
  if (card.needsPin && ['', '0000'].includes(input.text('card_pin')))
    return decline('55', input.text('card_pin') === '' ? 'Card PIN required' : 'Incorrect PIN');
  if (card.outcome === 'decline') return decline(card.code ?? '05', card.message ?? 'Declined');
  follow(context, transaction, card, input.text('authNotifyUrl'));
  // A bank that has not decided yet says only that: no state, no reference.
  return !card.undecided ? stateAnswer(context, transaction) : refusal(card.code ?? '', card.message ?? '');
}

function follow(
  { bank }: Context,
  transaction: Transaction,
  card: Pick<TestCard, 'outcome' | 'onWrongOtp' | 'returnBy' | 'then' | 'settles'>,
  notifyUrl: string,
): void {
  if (card.outcome === 'approve') bank.charge(transaction, 'payCard');
  else if (card.outcome === 'authorize') bank.authorize(transaction, 'payCard');
  else if (card.outcome === 'expire') bank.expire(transaction, 'payCard');
  else if (card.outcome === 'otp') {
    transaction.otp = { wrong: 0, onWrong: card.onWrongOtp ?? 'again' };
    bank.wait(transaction, 'otp', 'Enter the one-time code sent to your phone', 'payCard');
  } else if (card.outcome === 'challenge') {
    transaction.challenge = { notifyUrl, returnBy: card.returnBy ?? 'GET', then: card.then ?? 'charge' };
    bank.wait(transaction, 'redirect', 'Confirm the payment with your bank', 'payCard');
  } else {
    bank.wait(transaction, 'pending', 'Processing', 'payCard');
    if (card.settles) bank.schedule(transaction, card.settles);
  }
}
