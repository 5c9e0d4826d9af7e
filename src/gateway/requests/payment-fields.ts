import { formatMajor } from '../../money/money.js';
import type { GatewayBilling, GatewayCard, GatewayDevice, GatewayPayer } from '../gateway-input.js';
import type { Secret } from '../../secrets/secret.js';
import type { OperationKey, Profile, RequestAmountUnit } from '../profile/format.js';

/** Everything that a call may know of a payment. Each operation has its own part of it. */
export interface CallFacts {
  readonly clientRef?: string;
  readonly transactionRef?: string;
  readonly refundRef?: string;
  /** Minor units: of the payment, the completion or the refund. */
  readonly amount?: bigint;
  /** ISO 4217. */
  readonly currency?: string;
  /** Where the payer comes back to; the seed's `authNotifyUrl`. */
  readonly returnUrl?: string;
  /** Where the gateway's notifications go. */
  readonly notificationUrl?: string;
  readonly payer?: Partial<GatewayPayer>;
  readonly payerAddress?: string;
  readonly billing?: Partial<GatewayBilling>;
  readonly device?: Partial<GatewayDevice>;
  readonly card?: GatewayCard;
  readonly otp?: Secret;
  readonly pin?: Secret;
  readonly bankCode?: string;
  /** Values kept from earlier answers, by name. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** What the form of a field depends on, besides the facts. */
export interface Writing {
  readonly amountUnit: RequestAmountUnit;
  readonly card: Pick<Profile['card'], 'expiryYear' | 'colorDepths'>;
}

/** A value as JSON writes it. An object is a number in digits of its own (`JSON.rawJSON`). */
export type FieldValue = string | number | boolean | object | undefined;

type ReadField = (facts: CallFacts, writing: Writing) => FieldValue;

/** Every field and word by its name: the seed's names first, in the seed's order. Secrets are unwrapped here and nowhere earlier. */
export const paymentFields = {
  cardNumber: ({ card }) => card?.number.unwrap(),
  expiryMonth: ({ card }) => card?.expiryMonth,
  expiryYear: ({ card }, writing) => writeYear(card?.expiryYear, writing.card.expiryYear),
  cvv: ({ card }) => card?.cvv?.unwrap(),
  card_pin: ({ card }) => card?.pin?.unwrap(),
  nameOnCard: ({ card }) => card?.nameOnCard?.unwrap(),
  amount: ({ amount, currency }, { amountUnit }) =>
    amount === undefined || currency === undefined ? undefined : writeAmount(amount, currency, amountUnit),
  currency: ({ currency }) => currency,
  client_ref: ({ clientRef }) => clientRef,
  authNotifyUrl: ({ returnUrl }) => returnUrl,
  payerEmail: ({ payer }) => payer?.email,
  payerPhone: ({ payer }) => payer?.phone,
  firstName: ({ payer }) => payer?.firstName,
  lastName: ({ payer }) => payer?.lastName,
  billingStreet: ({ billing }) => billing?.street,
  billingCity: ({ billing }) => billing?.city,
  billingStateProvince: ({ billing }) => billing?.stateProvince,
  billingPostCode: ({ billing }) => billing?.postCode,
  billingCountry: ({ billing }) => billing?.country,
  javaEnabled: ({ device }) => device?.javaEnabled,
  language: ({ device }) => device?.language,
  screenHeight: ({ device }) => device?.screenHeight,
  screenWidth: ({ device }) => device?.screenWidth,
  colorDepth: ({ device }, writing) =>
    device?.colorDepth === undefined ? undefined : nextLower(device.colorDepth, writing.card.colorDepths),
  timeZone: ({ device }) => device?.timeZone,
  userAgent: ({ device }) => device?.userAgent,
  txnType: () => 'PARTNER_PAY',
  transactionRef: ({ transactionRef }) => transactionRef,
  otp: ({ otp }) => otp?.unwrap(),
  pin: ({ pin }) => pin?.unwrap(),
  bankCode: ({ bankCode }) => bankCode,
  refundRef: ({ refundRef }) => refundRef,
  amountMinor: ({ amount }) => (amount === undefined ? undefined : Number(amount)),
  expiryYY: ({ card }) => writeYear(card?.expiryYear, 'YY'),
  expiryYYYY: ({ card }) => writeYear(card?.expiryYear, 'YYYY'),
  notifyUrl: ({ notificationUrl }) => notificationUrl,
  payerName: ({ payer }) => [payer?.firstName, payer?.lastName].filter(Boolean).join(' ') || undefined,
  payerAddress: ({ payerAddress }) => payerAddress,
} as const satisfies Readonly<Record<string, ReadField>>;

export type FieldName = keyof typeof paymentFields;

/** Whether a name is one of a field or word of a payment. */
export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(paymentFields, name);
}

/** The value of a field, or of a kept value. Undefined where the payment lacks it. */
export function readField(name: string, facts: CallFacts, writing: Writing): FieldValue {
  if (isFieldName(name)) return paymentFields[name](facts, writing);
  const { kept } = facts;
  return kept && Object.hasOwn(kept, name) ? kept[name] : undefined;
}

/** The same as text, for a template. */
export function fieldText(name: string, facts: CallFacts, writing: Writing): string | undefined {
  const value = readField(name, facts, writing);
  if (value === undefined) return undefined;
  return typeof value === 'object' ? rawText(value) : String(value);
}

/** What may stand in a body and in the plain text of its encryption, and nowhere else. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(['cardNumber', 'cvv', 'card_pin', 'otp', 'pin']);

/** What not every country's addresses have. */
export const REGIONAL_FIELDS: ReadonlySet<string> = new Set(['billingStateProvince', 'billingPostCode']);

/** The fields that name a payment at the gateway. */
export const IDENTIFIERS: ReadonlySet<string> = new Set(['client_ref', 'transactionRef', 'refundRef']);

const REFERENCES = ['client_ref', 'transactionRef'] as const;
const PAYER = ['payerEmail', 'payerPhone', 'firstName', 'lastName'] as const;
const BILLING = [
  ...['billingStreet', 'billingCity', 'billingStateProvince'],
  ...['billingPostCode', 'billingCountry'],
] as readonly FieldName[];
const CARD = ['cardNumber', 'expiryMonth', 'expiryYear', 'cvv', 'card_pin', 'nameOnCard'] as const;
const DEVICE = [
  ...['javaEnabled', 'language', 'screenHeight', 'screenWidth', 'colorDepth', 'timeZone', 'userAgent'],
] as readonly FieldName[];

/** The fields that each operation sends unless the profile says otherwise, in the seed's order. */
export const operationFields: Readonly<Record<OperationKey, readonly FieldName[]>> = {
  payCard: [...CARD, 'amount', 'currency', 'client_ref', 'authNotifyUrl', ...PAYER, ...BILLING, ...DEVICE],
  initiateWallet: ['client_ref', 'txnType', 'payerEmail', 'amount', 'currency'],
  validateOtp: [...REFERENCES, 'otp'],
  initiateTransfer: ['client_ref', 'amount', 'currency', ...PAYER],
  transferUssdStatus: REFERENCES,
  listUssdBanks: [],
  generateUssdCode: ['client_ref', 'amount', 'currency', 'payerEmail', 'bankCode'],
  transactionStatus: REFERENCES,
  complete: [...REFERENCES, 'amount'],
  void: REFERENCES,
  validatePin: [...REFERENCES, 'pin'],
  refund: [...REFERENCES, 'refundRef', 'amount', 'currency'],
  refundStatus: [...REFERENCES, 'refundRef'],
};

const EVERYWHERE: readonly FieldName[] = [
  ...['client_ref', 'amount', 'amountMinor', 'currency', 'authNotifyUrl', 'notifyUrl'],
  ...[...PAYER, 'payerName', ...BILLING],
] as readonly FieldName[];
const AT_START: readonly FieldName[] = [...EVERYWHERE, 'payerAddress'];
const LATER: readonly FieldName[] = [...EVERYWHERE, 'transactionRef'];

/** The fields that name the payer, whose data is not part of a payment. */
export const PAYER_FIELDS: ReadonlySet<string> = new Set([...PAYER, 'payerName', ...BILLING]);

/** Every field that a call of an operation can have. What is not here it always lacks. */
export const fieldsAvailable: Readonly<Record<OperationKey, ReadonlySet<string>>> = {
  payCard: new Set([...AT_START, ...CARD, 'expiryYY', 'expiryYYYY', ...DEVICE]),
  initiateWallet: new Set([...AT_START, 'txnType']),
  initiateTransfer: new Set(AT_START),
  generateUssdCode: new Set([...AT_START, 'bankCode']),
  listUssdBanks: new Set(),
  validateOtp: new Set([...LATER, 'otp']),
  validatePin: new Set([...LATER, 'pin']),
  transactionStatus: new Set(LATER),
  transferUssdStatus: new Set(LATER),
  complete: new Set(LATER),
  void: new Set(LATER),
  refund: new Set([...LATER, 'refundRef']),
  refundStatus: new Set([...LATER, 'refundRef']),
};

function writeAmount(amount: bigint, currency: string, unit: RequestAmountUnit): FieldValue {
  switch (unit) {
    case 'minor':
      return Number(amount);
    case 'minor-string':
      return amount.toString();
    case 'major':
      return formatMajor(amount, currency);
    case 'major-number':
      return rawNumber(formatMajor(amount, currency));
  }
}

/** The engine's raw JSON (ECMAScript proposal, in Node since 21): a number keeps its digits, `1500.00`. */
interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
const json = JSON as typeof JSON & RawJson;

function rawNumber(digits: string): object {
  return json.rawJSON(digits);
}

/** Whether a value is a number in digits of its own. */
export function isRawNumber(value: unknown): value is { readonly rawJSON: string } {
  return json.isRawJSON(value);
}

function rawText(value: object): string {
  return isRawNumber(value) ? value.rawJSON : '';
}

function writeYear(year: string | undefined, form: 'YYYY' | 'YY'): string | undefined {
  if (year === undefined) return undefined;
  if (form === 'YY') return year.slice(-2);
  return year.length === 2 ? `20${year}` : year;
}

/** The greatest depth that is not above the browser's own. If all are above it, the smallest one. */
function nextLower(depth: number, depths: readonly number[]): number {
  const below = depths.filter((candidate) => candidate <= depth);
  return below.length > 0 ? Math.max(...below) : Math.min(...depths);
}
