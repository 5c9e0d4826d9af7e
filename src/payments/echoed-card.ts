import type { GatewayAnswer } from '../gateway/gateway-result.js';

/** The shortest card number. */
const MIN_DIGITS = 12;
/** What some write between the digits of a card number. */
const GAPS = /[ \-.]|%20/g;

/**
 * A gateway's answer without what repeats the payer's card number where nobody reads words: in references, names and addresses,
 * which are stored and handed on as they are. Such a text is dropped whole; a payment does without.
 */
export function withoutCardNumber(answer: GatewayAnswer, sent: readonly string[]): GatewayAnswer {
  const numbers = sent.filter((value) => value.length >= MIN_DIGITS && /^[0-9]+$/.test(value));
  if (numbers.length === 0) return answer;
  const repeats = (text: string): boolean => {
    const digits = text.replace(GAPS, '');
    return numbers.some((number) => digits.includes(number));
  };
  const kept = (text: string | undefined): string | undefined =>
    text !== undefined && repeats(text) ? undefined : text;
  return {
    ...answer,
    status: kept(answer.status),
    transactionRef: kept(answer.transactionRef),
    reference: kept(answer.reference),
    accountNumber: kept(answer.accountNumber),
    accountName: kept(answer.accountName),
    bankName: kept(answer.bankName),
    ussdCode: kept(answer.ussdCode),
    redirectUrl: Object.values(answer.redirectFields ?? {}).some(repeats)
      ? undefined
      : kept(answer.redirectUrl),
  };
}
