import type { PaymentMethod } from '../config/read-config.js';
import { shownValue } from '../gateway/profile/credential-names.js';
import { defaultProfile } from '../gateway/profile/default-profile.js';
import { profileAssumptions } from './profile-assumptions.js';
import { notesOn, type ProfileNote } from './profile-notes.js';
import type { Profile } from '../gateway/profile/format.js';

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
