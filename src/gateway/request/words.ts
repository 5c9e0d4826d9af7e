import { randomUUID } from 'node:crypto';
import countries from 'i18n-iso-countries/index.js';
import { toGateway, writeMajor, type Digits } from '../amounts.js';
import type { CardFacts, DeviceFacts, PaymentFacts } from '../payment-facts.js';
import { STARTS, type OperationName } from '../profile/schema.js';

/** A value as JSON writes it. An object is a number in digits of its own (`JSON.rawJSON`). */
export type Value = string | number | boolean | object;

/** What the words of one request are read from. */
export interface Scope {
  readonly facts: PaymentFacts;
  readonly digits: Digits;
  readonly notifyUrl: string;
  readonly apiKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly token?: string;
  readonly signature?: string;
  /** What `encrypt` gave. */
  readonly sealed?: Readonly<Record<string, string>>;
  /** The same for all of one request. */
  readonly now: Date;
  nonce?: string;
}

/** What payers are asked for, by the names that the API gives to fields. */
export type Asked =
  | `payer.${'email' | 'phone' | 'firstName' | 'lastName'}`
  | `billing.${'street' | 'city' | 'stateProvince' | 'postCode' | 'country'}`
  | `card.${'number' | 'expiryMonth' | 'expiryYear' | 'cvv' | 'pin' | 'nameOnCard'}`
  | `device.${keyof DeviceFacts}`;

interface Word {
  readonly read: (scope: Scope) => Value | undefined;
  /** The operations (and calls before them) that have it; all where absent. */
  readonly of?: readonly OperationName[];
  /** `secret`: in body, form, query and `encrypt` only. `credential`: everywhere but in paths. */
  readonly kind?: 'secret' | 'credential' | 'identifier';
  readonly asks?: Asked;
}

const payer = (name: keyof NonNullable<PaymentFacts['payer']>): Word => ({
  read: ({ facts }) => facts.payer?.[name],
  asks: `payer.${name}`,
});
const billing = (name: keyof NonNullable<PaymentFacts['billing']>): Word => ({
  read: ({ facts }) => facts.billing?.[name],
  asks: `billing.${name}`,
});
const card = (
  asks: Asked & `card.${string}`,
  read: (card: CardFacts) => string | undefined,
  kind?: 'secret',
): Word => ({
  read: ({ facts }) => facts.card && read(facts.card),
  asks,
  of: ['payCard'],
  ...(kind && { kind }),
});
const device = (name: keyof DeviceFacts, write?: (value: number) => number): Word => ({
  read: ({ facts }) => {
    const value = facts.device?.[name];
    return write && typeof value === 'number' ? write(value) : value;
  },
  asks: `device.${name}`,
  of: ['payCard'],
});
const amount = (write: (minor: bigint, currency: string, digits: Digits) => Value | undefined): Word => ({
  read: ({ facts: { amount: minor, currency }, digits }) =>
    minor === undefined ? undefined : write(minor, currency, digits),
});
const credential = (read: (scope: Scope) => string | undefined): Word => ({ read, kind: 'credential' });
const basic = (...sides: ((scope: Scope) => string | undefined)[]): Word =>
  credential((scope) => Buffer.from(sides.map((side) => side(scope) ?? '').join(':')).toString('base64'));

/** Every word that is not a kept value, in the order in which the reference lists them. */
export const WORDS: Readonly<Record<string, Word>> = {
  client_ref: { read: ({ facts }) => facts.clientRef, kind: 'identifier' },
  transactionRef: { read: ({ facts }) => facts.transactionRef, kind: 'identifier' },
  refundRef: { read: ({ facts }) => facts.refundRef, kind: 'identifier', of: ['refund', 'refundStatus'] },
  currency: { read: ({ facts }) => facts.currency },
  authNotifyUrl: { read: ({ facts }) => facts.returnUrl },
  notifyUrl: { read: ({ notifyUrl }) => notifyUrl },
  amount: amount(writeMajor),
  amountNumber: amount((...of) => rawNumber(writeMajor(...of))),
  amountMinor: amount((...of) => rawNumber(toGateway(...of)?.toString())),
  amountMinorText: amount((...of) => toGateway(...of)?.toString()),
  payerEmail: payer('email'),
  payerPhone: payer('phone'),
  firstName: payer('firstName'),
  lastName: payer('lastName'),
  payerName: {
    read: ({ facts: { payer: who } }) => [who?.firstName, who?.lastName].filter(Boolean).join(' '),
    asks: 'payer.firstName',
  },
  billingStreet: billing('street'),
  billingCity: billing('city'),
  billingStateProvince: billing('stateProvince'),
  billingPostCode: billing('postCode'),
  billingCountry: billing('country'),
  billingCountry2: {
    read: ({ facts }) => countries.alpha3ToAlpha2(facts.billing?.country ?? ''),
    asks: 'billing.country',
  },
  cardNumber: card('card.number', ({ number }) => number.unwrap(), 'secret'),
  cvv: card('card.cvv', ({ cvv }) => cvv?.unwrap(), 'secret'),
  card_pin: card('card.pin', ({ pin }) => pin?.unwrap(), 'secret'),
  expiryMonth: card('card.expiryMonth', ({ expiryMonth }) => expiryMonth),
  expiryYear: card('card.expiryYear', ({ expiryYear: year }) => (year?.length === 2 ? `20${year}` : year)),
  expiryYY: card('card.expiryYear', ({ expiryYear }) => expiryYear?.slice(-2)),
  nameOnCard: card('card.nameOnCard', ({ nameOnCard }) => nameOnCard?.unwrap()),
  javaEnabled: device('javaEnabled'),
  language: device('language'),
  screenHeight: device('screenHeight'),
  screenWidth: device('screenWidth'),
  colorDepth: device('colorDepth', nextLower),
  timeZone: device('timeZone'),
  userAgent: device('userAgent'),
  payerIp: { read: ({ facts }) => facts.payerIp, of: STARTS },
  bankCode: { read: ({ facts }) => facts.bankCode, of: ['generateUssdCode'] },
  otp: { read: ({ facts }) => facts.otp?.unwrap(), of: ['validateOtp'], kind: 'secret' },
  pin: { read: ({ facts }) => facts.pin?.unwrap(), of: ['validatePin'], kind: 'secret' },
  apiKey: credential(({ apiKey }) => apiKey),
  accessToken: credential(({ accessToken }) => accessToken),
  'basic:apiKey:accessToken': basic(
    ({ apiKey }) => apiKey,
    ({ accessToken }) => accessToken,
  ),
  'basic:apiKey:': basic(
    ({ apiKey }) => apiKey,
    () => '',
  ),
  token: credential(({ token }) => token),
  timestamp: credential(({ now }) => now.toISOString()),
  epoch: credential(({ now }) => String(Math.floor(now.getTime() / 1000))),
  nonce: credential((scope) => (scope.nonce ??= randomUUID())),
  signature: credential(({ signature }) => signature),
};

/** What `encrypt` gives to body, form and query. */
export const SEALED_WORDS = ['ciphertext', 'iv', 'tag', 'sealed'] as const;

export function isSealedWord(name: string): boolean {
  return (SEALED_WORDS as readonly string[]).includes(name);
}

/** How the value of a word is found. A name that is none here is that of a kept value. Empty texts count as no value. */
export function readerOf(name: string): (scope: Scope) => Value | undefined {
  const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  const read = word
    ? word.read
    : isSealedWord(name)
      ? ({ sealed }: Scope): Value | undefined => sealed?.[name]
      : ({ facts: { kept } }: Scope): Value | undefined =>
          kept && Object.hasOwn(kept, name) ? kept[name] : undefined;
  return (scope) => {
    const value = read(scope);
    return value === '' ? undefined : value;
  };
}

/** A value in a text, an address or a form. */
export function asText(value: Value): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The engine's raw JSON: a number keeps its digits, `1500.00`. */
const raw = JSON as typeof JSON & { rawJSON(text: string): object; isRawJSON(value: unknown): boolean };

function rawNumber(digits: string | undefined): object | undefined {
  return digits === undefined ? undefined : raw.rawJSON(digits);
}

export function isRawNumber(value: unknown): value is { readonly rawJSON: string } {
  return raw.isRawJSON(value);
}

/** The depths of EMV 3-D Secure. Browsers report others too. */
const DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1];

function nextLower(depth: number): number {
  return DEPTHS.find((one) => one <= depth) ?? 1;
}
