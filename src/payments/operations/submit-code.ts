import { Problem } from '../../http/problems/problem.js';
import type { Secret } from '../../secrets/secret.js';
import type { CodeType, OperationType, PaymentRecord } from '../../store/schema.js';
import { assertNotPaidByAnother, assertSupported, type OnPayment, type OperationKind } from './command.js';

/**
 * Sends the one-time code or the card PIN that a payer has typed. Refused with `invalid-state` where the payment waits for no such code,
 * or where too many were sent, and with `session-paid` where another payment has paid meanwhile.
 */
export interface SubmitCode extends OnPayment {
  readonly type: CodeType;
  readonly code: Secret;
  /** Why a new request is refused. A repeated one is answered. */
  readonly refusal?: Problem | undefined;
}

/** What the payer types for one of the gateway's challenges. */
interface Code {
  readonly operation: 'validateOtp' | 'validatePin';
  /** In words for the payer's page. */
  readonly name: string;
  /** Nobody may go on guessing: after so many of this kind for one payment no further one is sent. */
  readonly most: number;
  /** Each kind counts on its own: a gateway may ask for a PIN and then for a code, and wrong PINs must not use up the codes. */
  readonly sent: 'otpsSent' | 'pinsSent';
}

const CODES: Readonly<Record<CodeType, Code>> = {
  otp: { operation: 'validateOtp', name: 'one-time code', most: 5, sent: 'otpsSent' },
  // Banks block a card after the third wrong PIN.
  pin: { operation: 'validatePin', name: 'card PIN', most: 3, sent: 'pinsSent' },
};

export const submitting: OperationKind<SubmitCode> = {
  allow({ type, refusal }, rows, { gateway }) {
    if (refusal) throw refusal;
    assertSupported(gateway, CODES[type].operation);
    assertWaitsFor(rows.payment, type);
    assertNotPaidByAnother(rows);
    return null;
  },
  async send({ type, code }, { payment }, gate, { gateway, facts }) {
    const known = await facts.of(payment, CODES[type].operation);
    return type === 'otp'
      ? gateway.validateOtp({ ...known, otp: code }, gate)
      : gateway.validatePin({ ...known, pin: code }, gate);
  },
  sent: ({ code }) => ({ words: [], secrets: [code.unwrap()] }),
};

/** The payment with one code more, or less, of the operation's kind; unchanged where the operation carries no code. */
export function countCode(payment: PaymentRecord, type: OperationType, change: 1 | -1): PaymentRecord {
  if (type !== 'otp' && type !== 'pin') return payment;
  const { sent } = CODES[type];
  return { ...payment, [sent]: payment[sent] + change };
}

function assertWaitsFor(payment: PaymentRecord, type: CodeType): void {
  const { name, most, sent } = CODES[type];
  if (payment.status !== 'requires_action' || payment.nextAction?.type !== type) {
    throw new Problem('invalid-state', `This payment does not wait for a ${name}.`);
  }
  if (payment[sent] >= most) throw new Problem('invalid-state', `No further ${name} can be sent.`);
}
