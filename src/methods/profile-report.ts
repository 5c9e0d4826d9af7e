import type { PaymentMethod } from '../config/read-config.js';
import { shownValue } from '../gateway/profile/credential-names.js';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { omittedFields } from '../gateway/requests/operation-fields.js';
import { METHODS } from './methods.js';
import { profileAssumptions } from './profile-assumptions.js';
import type { OperationKey, Profile } from '../gateway/profile/format.js';

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

/** Something that is allowed but rarely intended. */
export interface ProfileNote {
  readonly place: string;
  readonly message: string;
}

/** A summary of a profile for the person who writes it. */
export interface ProfileReport {
  readonly changes: readonly ProfileChange[];
  /** Assumptions in use that are not confirmed. */
  readonly unconfirmed: readonly string[];
  readonly confirmed: readonly string[];
  readonly notes: readonly ProfileNote[];
}

/** Compares a profile with the built-in one and says what is still unconfirmed for these methods. Pure. */
export function reportProfile(profile: Profile, methods: readonly PaymentMethod[]): ProfileReport {
  const changes: ProfileChange[] = [];
  const { confirmed: _builtIn, ...builtIn } = defaultProfile;
  const { confirmed, ...here } = profile;
  collectChanges([], builtIn, here, changes);
  return { changes, unconfirmed: profileAssumptions(profile, methods), confirmed, notes: notesOn(profile) };
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

const STATUS_QUERIES: ReadonlySet<OperationKey> = new Set(METHODS.map(({ statusQuery }) => statusQuery));
const INITIATIONS: readonly OperationKey[] = METHODS.map(({ initiation }) => initiation);

function notesOn(profile: Profile): ProfileNote[] {
  const notes: ProfileNote[] = [];
  const note = (place: string, message: string): void => void notes.push({ place, message });
  for (const key of STATUS_QUERIES) {
    if (profile.operations[key].path.includes('{transactionRef}')) {
      note(
        `/operations/${key}/path`,
        'a payment whose answer was lost has no transactionRef and cannot be asked about',
      );
    }
  }
  for (const key of INITIATIONS) {
    if (omittedFields(profile, key).has('client_ref')) {
      note(
        `/operations/${key}/omit`,
        'without client_ref neither notifications nor status queries find the payment',
      );
    }
  }
  for (const [name, consequence] of Object.entries({
    succeeded: 'no payment can ever succeed',
    voided: 'no void can ever be confirmed',
    unknownTransaction: 'a payment that the gateway never received stays open until a person resolves it',
  })) {
    if (profile.outcome.meanings[name as 'succeeded'].length === 0)
      note(`/outcome/meanings/${name}`, consequence);
  }
  const silent = [...STATUS_QUERIES].filter(
    (key) => (profile.operations[key].outcome?.reference ?? profile.outcome.reference).length === 0,
  );
  if (silent.length > 0) {
    note(
      '/outcome/reference',
      `is empty for ${silent.join(' and ')}: an answer about another payment of the same amount is not noticed`,
    );
  }
  if (profile.outcome.amountUnit === 'ignore') {
    note('/outcome/amountUnit', 'a success over another amount is not noticed');
  }
  notesOnEncryption(profile, note);
  return notes;
}

function notesOnEncryption({ encryption }: Profile, note: (place: string, message: string) => void): void {
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
