import type { PaymentDto } from '../generated/api.js';

/** Words of the service that a person would not choose. */
const BETTER: Record<string, string> = {
  requires_action: 'Waiting for payer',
  transfer: 'Bank transfer',
  ussd: 'USSD',
  cancel: 'Cancel payment',
  unknown_here: 'Settled, but unknown here',
  not_paid_here: 'Settled, but not paid here',
  not_settled: 'In no report',
  payout_differs: 'The payout is not the sum of its rows',
};

/** A word of the service as people write it: `given_up` → `Given up`. Pure. */
export function inWords(name: string): string {
  const words = name.replaceAll(/[_-]/g, ' ');
  return BETTER[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** These words of the service, to choose from. */
export function choices(names: string): readonly (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, inWords(name)] as const);
}

const ATTENTION: Record<string, string> = {
  outcome_unknown: 'The gateway has given no clear answer about this payment.',
  operation_unknown: 'The gateway has given no clear answer about an operation.',
  differs: 'The gateway named another amount, currency or reference.',
  contradicted: 'The gateway’s answer contradicts what we know.',
  duplicate: 'The order was paid twice, and this payment still holds money.',
  refund_unexplained: 'The gateway reports a refund that nobody requested here.',
  hold_ending: 'The held money must be taken or released soon.',
};

/** Why a person must look, as a sentence. A newer reason is shown as it is. */
export function attentionSentence(reason: string): string {
  return ATTENTION[reason] ?? inWords(reason);
}

const OPERATIONS: Record<string, string> = {
  pay: 'payment',
  otp: 'one-time code',
  pin: 'card PIN',
  complete: 'completion',
};

/** One thing asked of the gateway. */
export function operationWord(type: string): string {
  return OPERATIONS[type] ?? type;
}

/** `Card (verve ···· 7499)`. */
export function methodWords({ method, card }: PaymentDto): string {
  return `${inWords(method)}${card === null ? '' : ` (${card.brand} ···· ${card.last4})`}`;
}

/** Who a key belongs to: `anna`. */
export function personOf(actor: string): string {
  return actor.replace(/^merchant:/, '').replace(/^merchant$/, 'the key without a name');
}
