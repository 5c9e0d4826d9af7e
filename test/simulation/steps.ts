import type { Method, State } from './book.ts';

/** What a payer, the shop, its people or the gateway does with an order, and what a call of it meets. */

type OrderStep =
  | 'pay'
  | 'pay-twice'
  // Whatever the order has already.
  | 'pay-anyway'
  | 'again'
  | 'otp'
  | 'otp-twice'
  | 'pin'
  | 'pin-twice'
  | 'cancel'
  | 'complete'
  | 'complete-part'
  | 'void'
  | 'void-twice'
  | 'void-payer'
  | 'refund'
  | 'refund-part'
  | 'refund-half'
  | 'refund-twice'
  | 'refund-payer'
  | 'approve'
  | 'approve-own'
  | 'approve-twice'
  | 'approve-and-decline'
  | 'decline'
  | 'resolve'
  | 'resolve-hastily'
  | 'resolve-amount'
  | 'resolve-refund'
  | 'refresh'
  | 'return'
  | 'close'
  | 'new-session'
  | 'notify'
  // Decides what the next call of the order meets.
  | 'expect'
  // The database's clock is set.
  | 'sets-clock'
  | 'wait';

export const GATEWAY_MOVES = [
  'payer-pays',
  'payer-pays-hold',
  'payer-declines',
  'asks-for-a-code',
  'asks-for-a-pin',
  'runs-out',
  'captures-hold',
  'changes-its-mind',
  'reverses',
  'reverses-a-part',
  'refunds-a-part',
  'refunds-the-rest',
  'refunds-as-refused',
  'bounces',
  'charges-back',
  'wins-dispute',
  'carries-out',
] as const;
export type GatewayMove = (typeof GATEWAY_MOVES)[number];
export type StepKind = OrderStep | GatewayMove;

/** What becomes of a call where that is not left to chance. */
export const FATES = [
  // The connection breaks, and nobody hears the answer.
  'lost',
  // The request is gone.
  'never',
  // The connection breaks, and the request arrives later.
  'late',
  // The answer takes as long as anybody waits.
  'slow',
  // It is accepted, and carried out minutes later; or not even that is said.
  'accepts',
  'swallows',
  'refuses',
  // It is refused, and carried out.
  'does-refused',
  // The answer is about another payment.
  'foreign',
  // The process dies before it sends, or as soon as it has.
  'dies-first',
  'dies',
  // The process stands still before it sends, or as soon as it has.
  'freezes-first',
  'freezes',
] as const;
export type Fate = (typeof FATES)[number];
export type Operation = 'pay' | 'otp' | 'pin' | 'complete' | 'void' | 'refund' | 'status';

export interface How {
  fate?: Fate;
  /** What becomes of the money. */
  outcome?: State;
}

export interface Step {
  id: string;
  /** Milliseconds after the beginning of the world. */
  at: number;
  kind: StepKind;
  method: Method;
  /** What the first call meets that it causes. */
  how: How;
  /** Of `expect`. */
  operation: Operation;
  /** It waits for what it needs: the step before it, and that it can be done. */
  isPatient: boolean;
}

export function isMove(kind: StepKind): kind is GatewayMove {
  return (GATEWAY_MOVES as readonly string[]).includes(kind);
}
