import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { EchoFinder } from './echo-finder.js';

/** What a payer sent to the gateway with one call. It is removed from the gateway's answer. */
export interface Sent {
  /** Removed from messages that a payer reads. */
  readonly words: readonly string[];
  /**
   * Card number, cvv, PIN, one-time code, the name on the card, and an e-mail address or telephone number that came
   * with this call only. Any field that repeats one is not stored or passed on.
   */
  readonly secrets: readonly string[];
}

/** For a call that carries nothing of the payer. */
export const NOTHING_SENT: Sent = { words: [], secrets: [] };

/**
 * Replaces a reference or currency that must not be stored. It never equals the payment's own, so the mismatch stays
 * visible.
 */
const ANOTHER = '…';

/**
 * A gateway's answer without the payer's secrets in references, names and addresses, which are stored and passed on as
 * they are. An altered one would be useless, so it is dropped whole.
 *
 * @param echoes finds what the payer sent in confidence: card number, cvv, PIN, one-time code, names, addresses
 * @param reference the session's reference. The gateway got it with the attempt's number, and that is kept
 */
export function withoutEchoes(answer: GatewayAnswer, echoes: EchoFinder, reference: string): GatewayAnswer {
  if (echoes.secrets.length === 0) return answer;
  const kept = (text: string | undefined): string | undefined =>
    text !== undefined && echoes.isIn(text) ? undefined : text;
  const compared = (text: string | undefined): string | undefined =>
    text !== undefined && !isOwn(text, reference) && echoes.isIn(text) ? ANOTHER : text;
  const fields = Object.entries(answer.redirectFields ?? {});
  const mayRedirect = !fields.some(([name, value]) => echoes.isIn(name) || echoes.isIn(value));
  const url = mayRedirect ? kept(answer.redirectUrl) : undefined;
  return {
    ...answer,
    status: kept(answer.status),
    unlisted: kept(answer.unlisted),
    transactionRef: kept(answer.transactionRef),
    reference: compared(answer.reference),
    currency: compared(answer.currency),
    kept: answer.kept && withoutEchoedValues(answer.kept, echoes),
    accountNumber: kept(answer.accountNumber),
    accountName: kept(answer.accountName),
    bankName: kept(answer.bankName),
    ussdCode: kept(answer.ussdCode),
    redirectUrl: url,
    redirectFields: url === undefined ? undefined : answer.redirectFields,
  };
}

/** The values of a `keep` that repeat none of the payer's secrets. */
export function withoutEchoedValues(
  values: Readonly<Record<string, string>>,
  echoes: EchoFinder,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, text]) => !echoes.isIn(text)));
}

/** `ORDER-1001_2` of `ORDER-1001`, whatever the profile writes between them. */
function isOwn(text: string, reference: string): boolean {
  return text.startsWith(reference) && /^[^A-Za-z0-9\s]{1,8}[0-9]{1,9}$/.test(text.slice(reference.length));
}
