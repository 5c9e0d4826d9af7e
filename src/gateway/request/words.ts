import { randomUUID } from 'node:crypto';
import countries from 'i18n-iso-countries/index.js';
import { toGateway, writeMajor, type Digits } from '../amounts.js';
import { Secret } from '../../secrets/secret.js';
import type { DeviceFacts, PaymentFacts } from '../payment-facts.js';
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
  /** The request, but for its credentials, as it is sent: what they may sign. */
  readonly unsigned?: Readonly<Record<'method' | 'path' | 'body', string>>;
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
  /** What it is decides where it may stand; see `check.ts`. An `identifier` names a payment at the gateway, as kept values do. */
  readonly kind?: 'secret' | 'credential' | 'identifier' | 'sealed' | 'unsigned' | 'signature';
  readonly asks?: Asked;
}

/** What a payer is asked for, read where the facts have it. */
const asked = (asks: Asked): Word => {
  const [group, name] = asks.split('.') as ['card' | 'device' | 'payer' | 'billing', string];
  const read = ({ facts }: Scope): Value | undefined => {
    const members = facts[group] as Readonly<Record<string, Value | Secret | undefined>> | undefined;
    const found = members?.[name];
    return found instanceof Secret ? found.unwrap() : found;
  };
  return group === 'card' || group === 'device' ? { asks, read, of: ['payCard'] } : { asks, read };
};
const amount = (write: (minor: bigint, currency: string, digits: Digits) => Value | undefined): Word => ({
  read: ({ facts: { amount: minor, currency }, digits }) =>
    minor === undefined ? undefined : write(minor, currency, digits),
});
const credential = (read: (scope: Scope) => string | undefined): Word => ({ read, kind: 'credential' });
const basic = (read: (scope: Scope) => string | undefined): Word =>
  credential((scope) => Buffer.from(`${scope.apiKey ?? ''}:${read(scope) ?? ''}`).toString('base64'));
const sealed = (name: string): Word => ({ read: (scope) => scope.sealed?.[name], kind: 'sealed' });
const unsigned = (name: 'method' | 'path' | 'body'): Word => ({
  read: (scope) => scope.unsigned?.[name],
  kind: 'unsigned',
});

/** The depths of EMV 3-D Secure. Browsers report others too. */
const DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1];

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
  payerEmail: asked('payer.email'),
  payerPhone: asked('payer.phone'),
  firstName: asked('payer.firstName'),
  lastName: asked('payer.lastName'),
  payerName: {
    read: ({ facts: { payer: who } }) => [who?.firstName, who?.lastName].filter(Boolean).join(' '),
    asks: 'payer.firstName',
  },
  billingStreet: asked('billing.street'),
  billingCity: asked('billing.city'),
  billingStateProvince: asked('billing.stateProvince'),
  billingPostCode: asked('billing.postCode'),
  billingCountry: asked('billing.country'),
  billingCountry2: {
    ...asked('billing.country'),
    read: ({ facts }) => countries.alpha3ToAlpha2(facts.billing?.country ?? ''),
  },
  cardNumber: { ...asked('card.number'), kind: 'secret' },
  cvv: { ...asked('card.cvv'), kind: 'secret' },
  card_pin: { ...asked('card.pin'), kind: 'secret' },
  expiryMonth: asked('card.expiryMonth'),
  expiryYear: {
    ...asked('card.expiryYear'),
    read: ({ facts }) => facts.card?.expiryYear?.replace(/^(?=..$)/, '20'),
  },
  expiryYY: { ...asked('card.expiryYear'), read: ({ facts }) => facts.card?.expiryYear?.slice(-2) },
  nameOnCard: asked('card.nameOnCard'),
  javaEnabled: asked('device.javaEnabled'),
  language: asked('device.language'),
  screenHeight: asked('device.screenHeight'),
  screenWidth: asked('device.screenWidth'),
  colorDepth: {
    ...asked('device.colorDepth'),
    read: ({ facts }) => DEPTHS.find((depth) => depth <= (facts.device?.colorDepth ?? 0)),
  },
  timeZone: asked('device.timeZone'),
  userAgent: asked('device.userAgent'),
  payerIp: { read: ({ facts }) => facts.payerIp, of: STARTS },
  bankCode: { read: ({ facts }) => facts.bankCode, of: ['generateUssdCode'] },
  otp: { read: ({ facts }) => facts.otp?.unwrap(), of: ['validateOtp'], kind: 'secret' },
  pin: { read: ({ facts }) => facts.pin?.unwrap(), of: ['validatePin'], kind: 'secret' },
  apiKey: credential(({ apiKey }) => apiKey),
  accessToken: credential(({ accessToken }) => accessToken),
  'basic:apiKey:accessToken': basic(({ accessToken }) => accessToken),
  'basic:apiKey:': basic(() => ''),
  token: credential(({ token }) => token),
  timestamp: credential(({ now }) => now.toISOString()),
  epoch: credential(({ now }) => String(Math.floor(now.getTime() / 1000))),
  nonce: credential((scope) => (scope.nonce ??= randomUUID())),
  signature: { read: ({ signature }) => signature, kind: 'signature' },
  method: unsigned('method'),
  path: unsigned('path'),
  body: unsigned('body'),
  ciphertext: sealed('ciphertext'),
  iv: sealed('iv'),
  tag: sealed('tag'),
  sealed: sealed('sealed'),
};

/** What a word is; a name that no word has is that of a kept value. */
export function wordOf(name: string): Word {
  const kept: Word = {
    read: ({ facts }) => (Object.hasOwn(facts.kept ?? {}, name) ? facts.kept?.[name] : undefined),
    kind: 'identifier',
  };
  return Object.hasOwn(WORDS, name) ? (WORDS[name] ?? kept) : kept;
}

/** How the value of a word is found. Empty texts count as no value. */
export function readerOf(name: string): (scope: Scope) => Value | undefined {
  const { read } = wordOf(name);
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
