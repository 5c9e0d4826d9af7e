const REASONS: Record<string, string> = {
  mismatch: 'the gateway named another amount, currency or reference',
  contradicting_answer: 'the gateway’s answer contradicts what is known',
  hold_beside_another_payment: 'money is held although another payment has paid this order',
  no_conclusive_answer: 'the gateway has given no clear answer for 72 hours',
  being_charged: 'the card has been charged for 2 hours, and nothing is known of it',
  hold_left_alone: 'the held money was neither taken nor released for 6 days',
  money_after_resolve: 'money moved after a person had settled the payment',
  unlisted_word: 'the gateway used a word that the profile does not list',
  refund_unclear: 'nobody could find out what became of a refund',
  refund_of_unpaid: 'the gateway says that money was refunded, but the payment is not paid',
  refund_beside_operation: 'money was refunded while something else was under way',
  refund_doubtful: 'the gateway’s answer about a refund does not fit',
  refund_contradicted: 'a late answer contradicts what was recorded of a refund',
  void_denied: 'the void may have been done after all',
  duplicate_not_voided: 'the order was paid twice, and this payment could not be voided',
  charged_back_after_refund: 'more was charged back than was left after refunds',
  dispute_contradicted: 'the gateway calls a charged-back payment paid',
  report_unconfirmed: 'the gateway does not confirm what a settlement report claims',
  adopted_other_amount: 'it was taken over with another amount or currency than its order’s',
  adopted_on_word: 'it was taken over from a settlement report without the gateway’s confirmation',
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
