import type { PaymentMethod } from '../config/payment-method.js';
import { shownValue } from '../gateway/profile/credential-names.js';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { profileAssumptions, optionalOperations } from './profile-assumptions.js';
import {
  type Profile,
  isOperationKey,
  type OperationKey,
  type OperationProfile,
} from '../gateway/profile/format.js';
import {
  headersOf,
  signingOf,
  callersOf,
  placedOperations,
  type PlacedOperation,
} from '../gateway/plan/words.js';
import { sentFields } from '../gateway/plan/member-plan.js';
import { parseTemplate, wordsIn } from '../gateway/templates/template.js';
import { methodFields, type MethodFields } from './method-fields.js';
import { METHODS, methodOf } from './methods.js';

/**
 * One value that differs from the built-in profile. Undefined where one side has none, `(not shown)` where it must stay
 * hidden.
 */
export interface ProfileChange {
  /** A JSON pointer into the profile. */
  readonly place: string;
  readonly builtIn: unknown;
  readonly here: unknown;
}

/** A summary of a profile for the person who writes it. */
export interface ProfileReport {
  readonly changes: readonly ProfileChange[];
  /** Assumptions in use that are not confirmed. */
  readonly unconfirmed: readonly string[];
  readonly confirmed: readonly string[];
  readonly notes: readonly ProfileNote[];
  /** What a payer is asked for, by method. */
  readonly asked: Readonly<Partial<Record<PaymentMethod, MethodFields>>>;
}

/** Compares a profile with the built-in one and says what is still unconfirmed for these methods. Pure. */
export function reportProfile(profile: Profile, methods: readonly PaymentMethod[]): ProfileReport {
  const changes: ProfileChange[] = [];
  const { confirmed: _builtIn, ...builtIn } = defaultProfile;
  const { confirmed, ...here } = profile;
  collectChanges([], builtIn, here, changes);
  return {
    changes,
    unconfirmed: profileAssumptions(profile, methods),
    confirmed,
    notes: notesOn(profile, methods),
    asked: Object.fromEntries(methods.map((method) => [method, methodFields(profile, method)])),
  };
}

/** Lists are compared as a whole, because their order matters. */
function collectChanges(
  place: readonly string[],
  builtIn: unknown,
  here: unknown,
  changes: ProfileChange[],
): void {
  if (isObject(builtIn) && isObject(here)) {
    for (const name of new Set([...Object.keys(builtIn), ...Object.keys(here)])) {
      collectChanges([...place, name], builtIn[name], here[name], changes);
    }
  } else if (JSON.stringify(builtIn) !== JSON.stringify(here)) {
    changes.push({
      place: place.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      builtIn: shownValue(place, builtIn),
      here: shownValue(place, here),
    });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Something that is allowed but rarely intended. */
interface ProfileNote {
  readonly place: string;
  readonly message: string;
}

type Note = (place: string, message: string) => void;

const STATUS_QUERIES: ReadonlySet<OperationKey> = new Set(METHODS.map(({ statusQuery }) => statusQuery));
const INITIATIONS: readonly OperationKey[] = METHODS.map(({ initiation }) => initiation);

/** What a person should look at twice before these methods use the profile. Pure. */
function notesOn(profile: Profile, methods: readonly PaymentMethod[]): ProfileNote[] {
  const notes: ProfileNote[] = [];
  const note: Note = (place, message) => void notes.push({ place, message });
  for (const key of STATUS_QUERIES) {
    if (profile.operations[key]?.path.includes('{transactionRef}')) {
      note(
        `/operations/${key}/path`,
        'a payment whose answer was lost has no transactionRef and cannot be asked about',
      );
    }
  }
  for (const key of INITIATIONS) {
    const operation = profile.operations[key];
    if (operation && !namesPayment(profile, key, operation)) {
      note(
        `/operations/${key}/omit`,
        'without client_ref neither notifications nor status queries find the payment',
      );
    }
  }
  for (const [name, consequence] of Object.entries({
    succeeded: 'no payment can ever succeed',
    ...(profile.operations['void'] !== null && { voided: 'no void can ever be confirmed' }),
    unknownTransaction: 'a payment that the gateway never received stays open until a person resolves it',
  })) {
    if (profile.outcome.meanings[name as 'succeeded'].length === 0)
      note(`/outcome/meanings/${name}`, consequence);
  }
  const silent = [...STATUS_QUERIES].filter((key) => {
    const operation = profile.operations[key];
    return operation && (operation.outcome?.reference ?? profile.outcome.reference).length === 0;
  });
  if (silent.length > 0) {
    note(
      '/outcome/reference',
      `is empty for ${silent.join(' and ')}: status answers are not checked for your reference. Name its place here`,
    );
  }
  if (profile.outcome.amountUnit === 'ignore') {
    note('/outcome/amountUnit', 'a success over another amount is not noticed');
  }
  notesOnEncryption(profile, note);
  notesOnUse(profile, methods, note);
  return notes;
}

/** Whether an initiating call, or the one before it, brings the payment's reference. */
function namesPayment(profile: Profile, key: OperationKey, operation: OperationProfile): boolean {
  const before = operation.before === undefined ? undefined : profile.extra[operation.before];
  const calls: PlacedOperation[] = [{ place: 'operations', key, operation }];
  if (before && operation.before !== undefined)
    calls.push({ place: 'extra', key: operation.before, operation: before });
  return calls.some((call) => {
    const { path, constants = {}, headers = {} } = call.operation;
    const texts = [path, ...Object.values(headers), JSON.stringify(constants)];
    return (
      texts.some((text) => text.includes('{client_ref}')) || sentFields(profile, call).includes('client_ref')
    );
  });
}

/** What a profile describes and nothing uses. */
function notesOnUse(profile: Profile, methods: readonly PaymentMethod[], note: Note): void {
  const used = usedOperations(methods);
  for (const [key, operation] of Object.entries(profile.operations)) {
    const changed = operation !== null && operation !== defaultProfile.operations[key];
    if (changed && isOperationKey(key) && !used.has(key)) {
      note(`/operations/${key}`, `no method of ${methods.join(', ')} uses this operation`);
    }
  }
  for (const key of Object.keys(profile.extra)) {
    if (callersOf(profile, key).length === 0) note(`/extra/${key}`, 'no operation names it as its "before"');
  }
  const sets = new Set(placedOperations(profile).map(({ operation: { credentials } }) => credentials));
  for (const name of Object.keys(profile.credentials)) {
    if (!sets.has(name) && !(name === 'default' && sets.has(true)))
      note(`/credentials/${name}`, 'no operation sends this set');
  }
  if (profile.token && !Object.values(profile.credentials).some(usesToken)) {
    note('/token', 'no set of credentials has {token}');
  }
}

/** The operations that any of these methods may use. */
function usedOperations(methods: readonly PaymentMethod[]): ReadonlySet<string> {
  const used = methods.map((name) => methodOf(name));
  return new Set<OperationKey>([
    ...used.flatMap(({ requires, assumed }) => [...requires, ...assumed]),
    ...optionalOperations(methods),
  ]);
}

function usesToken(set: Profile['credentials'][string]): boolean {
  const texts = [...headersOf(set).map(([, text]) => text), signingOf(set)?.over ?? ''];
  return texts.some((text) => {
    const template = parseTemplate(text);
    return typeof template === 'object' && wordsIn(template).includes('token');
  });
}

function notesOnEncryption({ encryption }: Profile, note: Note): void {
  const { scheme, scope } = encryption;
  if (scheme === '3des-ecb' || scheme === 'aes-256-cbc' || scheme === 'rsa-pkcs1') {
    note('/encryption/scheme', 'an old scheme that does not show tampering; TLS alone protects the rest');
  }
  if ((scheme === 'rsa-oaep-256' || scheme === 'rsa-pkcs1') && scope === 'body') {
    note(
      '/encryption/scope',
      'a whole body takes several RSA blocks in a row; most gateways want a few fields only',
    );
  }
}
