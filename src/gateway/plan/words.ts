import { fieldsAvailable, isFieldName, paymentFields } from '../requests/payment-fields.js';
import {
  OPERATION_KEYS,
  type OperationProfile,
  type Profile,
  type CredentialSetProfile,
  type SigningProfile,
} from '../profile/format.js';

/** The words of credentials and tokens. */
export const CREDENTIAL_WORDS = [
  'apiKey',
  'accessToken',
  'token',
  'timestamp',
  'epoch',
  'nonce',
  'signature',
] as const;

/** `{basic:apiKey:accessToken}`; either side may be empty, not both. */
const BASIC = /^basic:(apiKey|accessToken|):(apiKey|accessToken|)$/;

/** The two sides of a `basic:` word. Undefined where the word is none. */
export function basicSides(word: string): readonly [user: string, password: string] | undefined {
  const [whole, user = '', password = ''] = BASIC.exec(word) ?? [];
  return whole === undefined || (user === '' && password === '') ? undefined : [user, password];
}

/** A name that a kept value may have. */
const KEPT_NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

/** Names that mean something else in a template. */
const RESERVED: ReadonlySet<string> = new Set([
  ...CREDENTIAL_WORDS,
  ...['secret', 'method', 'path', 'body', 'basic'],
]);

/** Whether a kept value can have this name. */
export function mayKeepAs(name: string): boolean {
  return KEPT_NAME.test(name) && !isFieldName(name) && !RESERVED.has(name);
}

/** The names of all values that a profile keeps. */
export function keptNames(profile: Profile): ReadonlySet<string> {
  const names = [...Object.values(profile.operations), ...Object.values(profile.extra)].flatMap((operation) =>
    Object.keys(operation?.keep ?? {}),
  );
  return new Set([...names, ...Object.keys(profile.notification.keep ?? {})]);
}

/** The keys of the operations that call `extra` first. */
export function callersOf(profile: Profile, extra: string): string[] {
  return Object.entries(profile.operations)
    .filter(([, operation]) => operation?.before === extra)
    .map(([key]) => key);
}

/**
 * The fields that a call of an operation can have, without kept values. One in `extra` has what any of its callers has; the
 * encrypting operation has none of its own.
 */
export function fieldsOf(profile: Profile, key: string, place: OperationPlace): ReadonlySet<string> {
  if (place === 'operations') return availableTo(key);
  return new Set(callersOf(profile, key).flatMap((caller) => [...availableTo(caller)]));
}

/** Where an operation stands in the profile. */
export type OperationPlace = 'operations' | 'extra';

function availableTo(key: string): ReadonlySet<string> {
  return (OPERATION_KEYS as readonly string[]).includes(key)
    ? fieldsAvailable[key as keyof typeof fieldsAvailable]
    : new Set();
}

/** Every field that any call can have: what shared templates may name. */
export const ALL_FIELDS: ReadonlySet<string> = new Set(Object.keys(paymentFields));

/** An operation of a profile, where it stands and under what key. */
export interface PlacedOperation {
  readonly place: OperationPlace;
  readonly key: string;
  readonly operation: OperationProfile;
}

/** All operations that a profile has, in the order in which it names them. */
export function placedOperations(profile: Profile): PlacedOperation[] {
  const placed = (place: OperationPlace, all: Profile['operations']): PlacedOperation[] =>
    Object.entries(all).flatMap(([key, operation]) => (operation ? [{ place, key, operation }] : []));
  return [...placed('operations', profile.operations), ...placed('extra', profile.extra)];
}

/** The headers of a set of credentials: everything in it but how it signs. A text under `sign` is a header of that name. */
export function headersOf(set: CredentialSetProfile): [name: string, text: string][] {
  return Object.entries(set).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}

/** How a set signs. */
export function signingOf(set: CredentialSetProfile): SigningProfile | undefined {
  return Object.values(set).find((value) => typeof value === 'object');
}

/** A text as a header can carry it: what is not printable ASCII is percent-encoded, as UTF-8. */
export function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]+/gu, (run) => encodeURIComponent(run));
}
