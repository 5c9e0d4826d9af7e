import type { CodeType, OperationType, PaymentRecord } from '../../store/schema.js';

/** Where a payment counts what its payer has typed. */
export type CodeCount = 'otpsSent' | 'pinsSent';

/** Each kind on its own: a gateway may ask for a PIN and then for a code, and wrong PINs must not use up the codes. */
const COUNTS: Readonly<Partial<Record<OperationType, CodeCount>>> = {
  otp: 'otpsSent',
  pin: 'pinsSent',
} satisfies Record<CodeType, CodeCount>;

/** The payment with one code more, or less, of the operation's kind; unchanged where the operation carries no code. */
export function countCode(payment: PaymentRecord, type: OperationType, change: 1 | -1): PaymentRecord {
  const count = COUNTS[type];
  return count === undefined ? payment : { ...payment, [count]: payment[count] + change };
}
