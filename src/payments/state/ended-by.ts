import type { OperationRecord, PaymentRecord } from '../../store/schema.js';

/**
 * Who ended an operation: the word of the gateway or of a person, or time alone, because answers went on showing the state before it.
 * What time has ended may have been done after all. Undefined while it is on its way. Pure.
 */
export function endedBy({
  status,
  formerCount,
}: Pick<OperationRecord, 'status' | 'formerCount'>): 'word' | 'time' | undefined {
  if (status === 'intended' || status === 'unknown') return undefined;
  return status === 'refused' && formerCount > 0 ? 'time' : 'word';
}

/**
 * Whether a void of the payment was ended by time or refused in words, and nobody has said since what became of it: the whole amount may have been
 * reversed. Pure.
 */
export function isVoidDoubtful({ voidDoubtfulSince }: Pick<PaymentRecord, 'voidDoubtfulSince'>): boolean {
  return voidDoubtfulSince !== null;
}
