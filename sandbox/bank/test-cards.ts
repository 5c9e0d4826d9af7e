import type { Fault } from '../faults/fault.ts';

/** What a test card does. Its number passes the Luhn check and belongs to no bank. */
export interface TestCard {
  number: string;
  brand: 'verve' | 'visa' | 'mastercard' | 'amex';
  /** The description in the table for people. */
  title: string;
  outcome: 'approve' | 'decline' | 'otp' | 'challenge' | 'authorize' | 'pending' | 'expire';
  /** Declined (code 55) without a PIN, or with PIN 0000. */
  needsPin?: boolean;
  /** `errorCode` and `message` of a decline. */
  code?: string;
  message?: string;
  /** Answers a decline in the short form: no reference, no transaction, no code. */
  bare?: boolean;
  /** Answers only that the issuer has not decided yet: `code` and `message`, no state. */
  undecided?: boolean;
  onWrongOtp?: 'again' | 'refuse';
  returnBy?: 'GET' | 'POST';
  /** What happens after an approved challenge. */
  then?: 'charge' | 'authorize' | 'otp' | 'pending';
  /** The state that a pending payment reaches by itself. */
  settles?: 'succeeded' | 'failed';
  fault?: Fault;
}

const CHARGED = { processed: true };
const UNCHARGED = { processed: false };
const visa = (
  number: string,
  title: string,
  outcome: TestCard['outcome'],
  more: Partial<TestCard> = {},
): TestCard => ({
  number,
  brand: 'visa',
  title,
  outcome,
  ...more,
});

export const TEST_CARDS: readonly TestCard[] = [
  {
    number: '5060990580000217499',
    brand: 'verve',
    title: 'approved (needs a PIN, for example 1111)',
    outcome: 'approve',
    needsPin: true,
  },
  {
    number: '506099000000000107',
    brand: 'verve',
    title: 'approved (18 digits, no PIN needed)',
    outcome: 'approve',
  },
  {
    number: '5060990000000107',
    brand: 'verve',
    title: 'approved (16 digits, no PIN needed)',
    outcome: 'approve',
  },
  visa('4111111111111111', 'approved', 'approve'),
  visa('4000000000000101', 'approved', 'approve'),
  { number: '5500000000000103', brand: 'mastercard', title: 'approved', outcome: 'approve' },
  {
    number: '370000000000101',
    brand: 'amex',
    title: 'approved (15 digits, 4-digit cvv)',
    outcome: 'approve',
  },

  visa('4000000000000200', 'declined by the issuer (bare answer: no reference, no code)', 'decline', {
    bare: true,
    message: 'Card authentication was declined by the issuer',
  }),
  {
    number: '5500000000000202',
    brand: 'mastercard',
    title: 'declined by the issuer',
    outcome: 'decline',
    code: '05',
    message: 'Do not honour',
  },
  {
    number: '370000000000200',
    brand: 'amex',
    title: 'declined by the issuer',
    outcome: 'decline',
    code: '05',
    message: 'Do not honour',
  },
  {
    number: '5060990000000206',
    brand: 'verve',
    title: 'declined by the issuer, whatever the PIN',
    outcome: 'decline',
    code: '05',
    message: 'Do not honour',
  },
  visa('4000000000000309', 'insufficient funds', 'decline', { code: '51', message: 'Insufficient funds' }),
  {
    number: '5060990000000305',
    brand: 'verve',
    title: 'insufficient funds',
    outcome: 'decline',
    code: '51',
    message: 'Insufficient funds',
  },
  visa('4000000000000408', 'card expired', 'decline', { code: '54', message: 'Expired card' }),
  visa('4000000000000507', 'declined; the message repeats the card number', 'decline', {
    code: '14',
    message: 'Card 4000000000000507 is not known to its issuer',
  }),

  {
    number: '5060990000000602',
    brand: 'verve',
    title: 'PIN required, then approved',
    outcome: 'approve',
    needsPin: true,
  },
  {
    number: '506099000000000602',
    brand: 'verve',
    title: 'PIN required, then one-time code (18 digits)',
    outcome: 'otp',
    needsPin: true,
    onWrongOtp: 'again',
  },
  {
    number: '5060990000000000704',
    brand: 'verve',
    title: 'one-time code; a wrong one is asked for again',
    outcome: 'otp',
    onWrongOtp: 'again',
  },
  visa('4000000000000705', 'one-time code; a wrong one is asked for again', 'otp', { onWrongOtp: 'again' }),
  {
    number: '5500000000000707',
    brand: 'mastercard',
    title: 'one-time code; a wrong one is refused',
    outcome: 'otp',
    onWrongOtp: 'refuse',
  },

  visa('4000000000000804', '3-D Secure; the payer comes back by GET', 'challenge', {
    returnBy: 'GET',
    then: 'charge',
  }),
  {
    number: '5500000000000806',
    brand: 'mastercard',
    title: '3-D Secure; the payer comes back by a form POST',
    outcome: 'challenge',
    returnBy: 'POST',
    then: 'charge',
  },
  visa('4000000000000812', '3-D Secure, then authorized only', 'challenge', {
    returnBy: 'GET',
    then: 'authorize',
  }),
  visa('4000000000000820', '3-D Secure, then one-time code', 'challenge', { returnBy: 'GET', then: 'otp' }),
  visa('4000000000000838', '3-D Secure, then processing, then approved', 'challenge', {
    returnBy: 'GET',
    then: 'pending',
    settles: 'succeeded',
  }),
  visa('4000000000000903', 'authorized only: waits for complete or void', 'authorize'),

  visa('4000000000001109', 'processing, then approved', 'pending', { settles: 'succeeded' }),
  visa('4000000000001117', 'processing, then declined', 'pending', { settles: 'failed' }),
  visa('4000000000001125', 'processing for ever', 'pending'),
  visa('4000000000001208', 'expired at the gateway', 'expire'),

  visa('4000000000002008', 'never answers, charged', 'approve', { fault: { kind: 'silent', ...CHARGED } }),
  visa('4000000000002016', 'never answers, not charged', 'approve', {
    fault: { kind: 'silent', ...UNCHARGED },
  }),
  visa('4000000000002107', 'connection reset after charging', 'approve', {
    fault: { kind: 'reset-after', ...CHARGED },
  }),
  visa('4000000000002115', 'connection reset before charging', 'approve', {
    fault: { kind: 'reset-before', ...UNCHARGED },
  }),
  visa('4000000000002206', 'garbage body, charged', 'approve', { fault: { kind: 'not-json', ...CHARGED } }),
  visa('4000000000002214', 'garbage body, not charged', 'approve', {
    fault: { kind: 'not-json', ...UNCHARGED },
  }),
  visa('4000000000002305', 'slow: approved after 3 s', 'approve', { fault: { kind: 'delay', ...CHARGED } }),
  visa('4000000000002404', 'HTTP 500, charged', 'approve', {
    fault: { kind: 'status', status: 500, ...CHARGED },
  }),
  visa('4000000000002412', 'HTTP 500, not charged', 'approve', {
    fault: { kind: 'status', status: 500, ...UNCHARGED },
  }),
  visa('4000000000002503', 'not decided yet (code 91), charged later', 'pending', {
    undecided: true,
    code: '91',
    message: 'Issuer or switch inoperative',
    settles: 'succeeded',
  }),
  visa('4000000000002511', 'not decided yet (code 91), declined later', 'pending', {
    undecided: true,
    code: '91',
    message: 'Issuer or switch inoperative',
    settles: 'failed',
  }),
  visa('4000000000002602', 'status word that nobody listed, charged', 'approve', {
    fault: { kind: 'unknown-status', ...CHARGED },
  }),
  visa('4000000000002701', 'contradicts itself (error beside success), charged', 'approve', {
    fault: { kind: 'contradiction', ...CHARGED },
  }),
  visa('4000000000002800', 'approved, but answers another amount', 'approve', {
    fault: { kind: 'other-amount', ...CHARGED },
  }),
  visa('4000000000002818', 'approved, but answers another currency', 'approve', {
    fault: { kind: 'other-currency', ...CHARGED },
  }),
  visa('4000000000002909', 'connection reset at once, charged 3 s later', 'approve', {
    fault: { kind: 'reset-before', processed: true, processAfterMs: 3_000 },
  }),
];

const byNumber = new Map(TEST_CARDS.map((card) => [card.number, card]));

export function testCard(number: string): TestCard | undefined {
  return byNumber.get(number);
}

/** The Luhn check of ISO/IEC 7812. */
export function isLuhnValid(number: string): boolean {
  if (!/^[0-9]{12,19}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The brand by its leading digits. `card` where it is none of the four. */
export function brandOf(number: string): string {
  if (/^3[47]/.test(number)) return 'amex';
  if (/^4/.test(number)) return 'visa';
  if (
    /^(506(099|1[0-8][0-9]|19[0-8])|507(86[5-9]|8[7-9][0-9]|9[0-5][0-9]|96[0-4])|6500(0[2-9]|1[0-9]|2[0-7]))/.test(
      number,
    )
  )
    return 'verve';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  return 'card';
}

/** `506099*********7499`. */
export function maskNumber(number: string): string {
  return number.length < 12
    ? '*'.repeat(number.length)
    : `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
}
