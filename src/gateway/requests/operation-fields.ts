import { formatMajor } from '../../money/money.js';
import type {
  CardPaymentInput,
  CompleteInput,
  OtpInput,
  StatusInput,
  TransferInput,
  UssdInput,
  VoidInput,
  WalletInput,
} from '../gateway-input.js';
import { parsePointer, type Pointer } from '../profile/pointer.js';
import type { OperationKey, OperationProfile, Profile, RequestAmountUnit } from '../profile/format.js';

/** The input of each operation. */
export interface OperationInputs {
  payCard: CardPaymentInput;
  initiateWallet: WalletInput;
  validateOtp: OtpInput;
  initiateTransfer: TransferInput;
  transferUssdStatus: StatusInput;
  listUssdBanks: Record<string, never>;
  generateUssdCode: UssdInput;
  transactionStatus: StatusInput;
  complete: CompleteInput;
  void: VoidInput;
}

/** What the form of a field depends on, besides the input. */
interface Writing {
  readonly amountUnit: RequestAmountUnit;
  readonly card: Profile['card'];
}

type Scalar = string | number | boolean | undefined;
type FieldTable<I> = Readonly<Record<string, (input: I, writing: Writing) => Scalar>>;

const amountAndCurrency: FieldTable<{ amount: bigint; currency: string }> = {
  amount: (input, { amountUnit }) => writeAmount(input.amount, input.currency, amountUnit),
  currency: (input) => input.currency,
};
const clientRef: FieldTable<{ clientRef: string }> = { client_ref: (input) => input.clientRef };
const transactionRef: FieldTable<{ transactionRef?: string }> = {
  transactionRef: (input) => input.transactionRef,
};

/**
 * Every field of every operation by its seed name, in the seed's order. Secrets are unwrapped here and nowhere
 * earlier.
 */
export const operationFields: { readonly [K in OperationKey]: FieldTable<OperationInputs[K]> } = {
  payCard: {
    cardNumber: ({ card }) => card.number.unwrap(),
    expiryMonth: ({ card }) => card.expiryMonth,
    expiryYear: ({ card }, writing) => writeYear(card.expiryYear, writing.card.expiryYear),
    cvv: ({ card }) => card.cvv.unwrap(),
    card_pin: ({ card }) => card.pin?.unwrap(),
    nameOnCard: ({ card }) => card.nameOnCard.unwrap(),
    ...amountAndCurrency,
    ...clientRef,
    authNotifyUrl: ({ notifyUrl }) => notifyUrl,
    payerEmail: ({ payer }) => payer.email,
    payerPhone: ({ payer }) => payer.phone,
    firstName: ({ payer }) => payer.firstName,
    lastName: ({ payer }) => payer.lastName,
    billingStreet: ({ billing }) => billing.street,
    billingCity: ({ billing }) => billing.city,
    billingStateProvince: ({ billing }) => billing.stateProvince,
    billingPostCode: ({ billing }) => billing.postCode,
    billingCountry: ({ billing }) => billing.country,
    javaEnabled: ({ device }) => device.javaEnabled,
    language: ({ device }) => device.language,
    screenHeight: ({ device }) => device.screenHeight,
    screenWidth: ({ device }) => device.screenWidth,
    colorDepth: ({ device }, writing) => nextLower(device.colorDepth, writing.card.colorDepths),
    timeZone: ({ device }) => device.timeZone,
    userAgent: ({ device }) => device.userAgent,
  },
  initiateWallet: {
    ...clientRef,
    txnType: () => 'PARTNER_PAY',
    payerEmail: (input) => input.payerEmail,
    ...amountAndCurrency,
  },
  validateOtp: { ...clientRef, ...transactionRef, otp: (input) => input.otp.unwrap() },
  initiateTransfer: {
    ...clientRef,
    ...amountAndCurrency,
    payerEmail: ({ payer }) => payer.email,
    payerPhone: ({ payer }) => payer.phone,
    firstName: ({ payer }) => payer.firstName,
    lastName: ({ payer }) => payer.lastName,
  },
  transferUssdStatus: { ...clientRef, ...transactionRef },
  listUssdBanks: {},
  generateUssdCode: {
    ...clientRef,
    ...amountAndCurrency,
    payerEmail: (input) => input.payerEmail,
    bankCode: (input) => input.bankCode,
  },
  transactionStatus: { ...clientRef, ...transactionRef },
  complete: {
    ...clientRef,
    ...transactionRef,
    amount: amountAndCurrency.amount as FieldTable<CompleteInput>[string],
  },
  void: { ...clientRef, ...transactionRef },
};

/** The seed names that can be filled into a path. */
export const PATH_FIELDS = ['client_ref', 'transactionRef', 'bankCode'] as const;

/** The seed names by which the gateway finds a payment. */
const IDENTIFIERS = ['client_ref', 'transactionRef'] as const;

/** The identifiers that a request of this operation carries, in its path, its query or its body. */
export function carriedIdentifiers(profile: Profile, key: OperationKey): string[] {
  const { method, path, rename = {}, constants = {} } = profile.operations[key];
  const omitted = omittedFields(profile, key);
  const replaced = new Set(Object.keys(constants).map((name) => JSON.stringify(targetOf(name))));
  const inBody = (name: string): boolean =>
    method !== 'GET' &&
    name in operationFields[key] &&
    !omitted.has(name) &&
    !replaced.has(JSON.stringify(targetOf(rename[name] ?? name)));
  return IDENTIFIERS.filter((name) => path.includes(`{${name}}`) || inBody(name));
}

/** A body before encryption: the members sent in clear, and the members to encrypt. */
export interface RequestBody {
  readonly open: Record<string, unknown>;
  readonly sealed?: Record<string, unknown>;
}

/** A compiled request of one operation. It can be built any number of times. */
export interface RequestPlan<I> {
  readonly method: OperationProfile['method'];
  readonly credentials: boolean;
  /** Constant headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The complete path, or undefined where the input lacks a part of it, or lacks everything by which the gateway would
   * find the payment that it is about.
   */
  path(input: I): string | undefined;
  /** The body, or undefined for a method that has none. */
  body(input: I): RequestBody | undefined;
}

/** One member of a body: its place and its value. */
interface Member<I> {
  readonly target: Pointer;
  readonly sealed: boolean;
  readonly value: (input: I, writing: Writing) => unknown;
}

/** Compiles an operation of the profile. The profile must have been checked. */
export function planOperation<K extends OperationKey>(
  profile: Profile,
  key: K,
): RequestPlan<OperationInputs[K]> {
  const operation = profile.operations[key];
  const writing: Writing = { amountUnit: operation.amountUnit ?? 'major', card: profile.card };
  const fields = operationFields[key];
  const members = planMembers(profile, key, fields);
  const hasBody = operation.method !== 'GET';
  const path = planPath(operation.path, (name, input: OperationInputs[K]) => fields[name]?.(input, writing));
  const identifiers = carriedIdentifiers(profile, key);
  // Only what is about a payment that the gateway has: it has given that a transaction reference.
  const isNamed = (input: OperationInputs[K]): boolean =>
    !('transactionRef' in fields) || identifiers.some((name) => Boolean(fields[name]?.(input, writing)));
  return {
    method: operation.method,
    credentials: operation.credentials,
    headers: lowerCaseNames(operation.headers ?? {}),
    path: (input) => (isNamed(input) ? path(input) : undefined),
    body: (input) => (hasBody ? writeBody(members, input, writing) : undefined),
  };
}

/** Lower-cases header names, so that a profile's header replaces the service's own. */
export function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The path that a name or pointer of a profile writes to. */
export function targetOf(nameOrPointer: string): Pointer {
  return (nameOrPointer.startsWith('/') ? parsePointer(nameOrPointer) : undefined) ?? [nameOrPointer];
}

/** Sets a value at a target and creates missing objects on the way. Existing objects are copied, never changed. */
export function writeAt(body: Record<string, unknown>, target: Pointer, value: unknown): void {
  let object = body;
  for (const step of target.slice(0, -1)) {
    const next = { ...(object[step] as Record<string, unknown> | undefined) };
    object[step] = next;
    object = next;
  }
  object[target.at(-1) ?? ''] = value;
}

/** The seed names that the profile leaves out of an operation. */
export function omittedFields(profile: Profile, key: string): ReadonlySet<string> {
  const own = profile.operations[key]?.omit ?? [];
  return new Set(key === 'payCard' ? [...own, ...profile.card.omit] : own);
}

/**
 * The members of a body: the operation's fields, renamed and without the omitted ones, then the constants. A constant
 * replaces a field at the same place.
 */
function planMembers<K extends OperationKey>(
  profile: Profile,
  key: K,
  fields: FieldTable<OperationInputs[K]>,
): Member<OperationInputs[K]>[] {
  const { rename = {}, constants = {} } = profile.operations[key];
  const omitted = omittedFields(profile, key);
  const isSealed = sealing(profile, key);
  const members = new Map<string, Member<OperationInputs[K]>>();
  const add = (name: string, wireName: string, value: Member<OperationInputs[K]>['value']): void => {
    const target = targetOf(wireName);
    members.set(JSON.stringify(target), { target, sealed: isSealed(name, wireName), value });
  };
  for (const [name, value] of Object.entries(fields)) {
    if (!omitted.has(name)) add(name, rename[name] ?? name, value);
  }
  for (const [name, constant] of Object.entries(constants)) add(name, name, () => constant);
  return [...members.values()];
}

/** Whether a member is encrypted: never, always, or if the scope names it by its seed name or the gateway's name. */
function sealing(profile: Profile, key: string): (name: string, wireName: string) => boolean {
  const { scheme, operations, scope } = profile.encryption;
  if (scheme === 'none' || !operations.includes(key)) return () => false;
  if (scope === 'body') return () => true;
  const named = new Set(scope);
  return (name, wireName) => named.has(name) || named.has(wireName);
}

function writeBody<I>(members: readonly Member<I>[], input: I, writing: Writing): RequestBody {
  const open: Record<string, unknown> = {};
  let sealed: Record<string, unknown> | undefined;
  for (const { target, sealed: isSealed, value } of members) {
    const written = value(input, writing);
    if (written === undefined) continue;
    const body = isSealed ? (sealed ??= {}) : open;
    const [name] = target;
    if (target.length === 1 && name !== undefined) body[name] = written;
    else writeAt(body, target, written);
  }
  return sealed ? { open, sealed } : { open };
}

/** Parses a path template. Values are percent-encoded when filled in, so they can never add a step or a query. */
function planPath<I>(
  template: string,
  read: (name: string, input: I) => Scalar,
): (input: I) => string | undefined {
  const parts = template.split(/\{([^{}]*)\}/);
  if (parts.length === 1) return () => template;
  return (input) => {
    let path = '';
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) path += part;
      else {
        const value = read(part, input);
        if (value === undefined || value === '') return undefined;
        path += encodeURIComponent(value);
      }
    }
    return path;
  };
}

function writeAmount(amount: bigint, currency: string, unit: RequestAmountUnit): string | number {
  if (unit === 'minor') return Number(amount);
  return unit === 'minor-string' ? amount.toString() : formatMajor(amount, currency);
}

function writeYear(year: string, form: 'YYYY' | 'YY'): string {
  if (form === 'YY') return year.slice(-2);
  return year.length === 2 ? `20${year}` : year;
}

/** The greatest depth that is not above the browser's own. If all are above it, the smallest one. */
function nextLower(depth: number, depths: readonly number[]): number {
  const below = depths.filter((candidate) => candidate <= depth);
  return below.length > 0 ? Math.max(...below) : Math.min(...depths);
}
