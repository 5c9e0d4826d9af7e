import type { Dialect } from './dialect.ts';
import type { FieldKind } from './field-kind.ts';
import type { DescribedOperation } from './operations.ts';

const CARD: Record<string, FieldKind> = {
  cardNumber: 'digits',
  expiryMonth: 'month',
  expiryYear: 'year',
  cvv: 'digits',
  card_pin: 'pin',
  nameOnCard: 'text',
  amount: 'amount',
  currency: 'currency',
  client_ref: 'text',
  authNotifyUrl: 'url',
  payerEmail: 'email',
  payerPhone: 'text',
  firstName: 'text',
  lastName: 'text',
  billingStreet: 'text',
  billingCity: 'text',
  // Not every country has these.
  billingStateProvince: 'optional',
  billingPostCode: 'optional',
  billingCountry: 'country',
  javaEnabled: 'boolean',
  language: 'text',
  screenHeight: 'number',
  screenWidth: 'number',
  colorDepth: 'colorDepth',
  timeZone: 'text',
  userAgent: 'text',
};

/** The fields of each operation, by the names in the gateway's own documentation, with their rules. */
export const FIELDS: Record<DescribedOperation, Record<string, FieldKind>> = {
  payCard: CARD,
  initiateWallet: {
    client_ref: 'text',
    txnType: 'partnerPay',
    payerEmail: 'email',
    amount: 'amount',
    currency: 'currency',
  },
  validateOtp: { client_ref: 'text', transactionRef: 'text', otp: 'digits' },
  initiateTransfer: {
    client_ref: 'text',
    amount: 'amount',
    currency: 'currency',
    payerEmail: 'email',
    payerPhone: 'text',
    firstName: 'text',
    lastName: 'text',
  },
  transferUssdStatus: { client_ref: 'text', transactionRef: 'optional' },
  listUssdBanks: {},
  generateUssdCode: {
    client_ref: 'text',
    amount: 'amount',
    currency: 'currency',
    payerEmail: 'email',
    bankCode: 'text',
  },
  transactionStatus: { client_ref: 'text' },
  complete: { client_ref: 'text', transactionRef: 'text', amount: 'amount' },
  void: { client_ref: 'text', transactionRef: 'text' },
};

const TEXT_RULES: Partial<Record<FieldKind, RegExp>> = {
  text: /\S/,
  email: /^\S+@\S+$/,
  country: /^[A-Z]{3}$/,
  currency: /^[A-Z]{3}$/,
  month: /^(0[1-9]|1[0-2])$/,
  digits: /^[0-9]{3,19}$/,
  partnerPay: /^PARTNER_PAY$/,
};

/** Why a value is invalid, or undefined. The dialect checks amounts itself. */
export function whyNot(
  kind: FieldKind,
  value: unknown,
  { colorDepths, yearDigits }: Pick<Dialect, 'colorDepths' | 'yearDigits'>,
): string | undefined {
  if (kind === 'optional' || kind === 'amount') return undefined;
  if (kind === 'pin')
    return value === undefined || (typeof value === 'string' && /^[0-9]{0,6}$/.test(value))
      ? undefined
      : 'must be a string of up to 6 digits';
  if (value === undefined) return 'is missing';
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'must be a boolean';
  if (kind === 'number')
    return typeof value === 'number' && value > 0 ? undefined : 'must be a number above zero';
  if (kind === 'colorDepth')
    return colorDepths.some((depth) => depth === value)
      ? undefined
      : `must be one of ${colorDepths.join(', ')}`;
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > 2048) return 'is too long';
  if (kind === 'url')
    return /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? undefined : 'must be an address';
  const rule = kind === 'year' ? new RegExp(`^[0-9]{${yearDigits}}$`) : TEXT_RULES[kind];
  return rule?.test(value) === false ? 'is malformed' : undefined;
}
