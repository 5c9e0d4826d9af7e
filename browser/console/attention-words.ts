const REASONS: Record<string, string> = {
  outcome_unknown: 'the gateway has given no clear answer about this payment',
  operation_unknown: 'the gateway has given no clear answer about an operation',
  differs: 'the gateway named another amount, currency or reference',
  contradicted: 'the gateway’s answer contradicts what is known',
  duplicate: 'the order was paid twice, and this payment holds money',
  refund_unexplained: 'the gateway reports a refund that was not requested here',
  hold_ending: 'the held money must be taken or released soon',
};

/** Why a person must look, in words. A reason that is newer than this page is shown as it is. */
export function attentionWords(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

/** All reasons of a payment as one sentence; empty where nobody must look. */
export function attentionSentence(reasons: readonly string[]): string {
  const words = reasons.map(attentionWords).join('; ');
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
