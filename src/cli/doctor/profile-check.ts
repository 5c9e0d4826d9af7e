import { hasNotificationSignature } from '../../gateway/notifications/notification-profile.js';
import { profileAssumptions } from '../../methods/profile-assumptions.js';
import { reportProfile } from '../../methods/profile-report.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import { loadProfile, ProfileError, type Profile } from '../../gateway/profile/load.js';
import type { PaymentMethod } from '../../store/schema.js';
import { describeMisnamed, misnamedVariables } from '../../misnamed-variables.js';
import type { Inspected } from '../configuration.js';
import { ok, problem, warning, type Finding } from './finding.js';

const CHECK = 'profile';

/** The gateway profile, or why it cannot be used. */
export function readProfile(path: string | undefined): { profile?: Profile; found: Finding[] } {
  try {
    return { profile: loadProfile(path), found: [] };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const remedy = 'Correct the profile; "tillfront profile check" looks at it alone.';
    return {
      found: error.problems.map(({ place, message }) => problem(CHECK, `${place} ${message}`, remedy)),
    };
  }
}

/** Whether the gateway profile can be used with the enabled methods and the mode. */
export function checkProfileUse(config: Inspected): {
  profile?: Profile;
  found: Finding[];
} {
  const { gateway, payments, notificationSecret } = config;
  const { profile, found: faults } = readProfile(gateway.profilePath);
  if (!profile) return { found: faults };
  const found: Finding[] = [];
  if (hasNotificationSignature(profile.notification) && !notificationSecret) {
    found.push(
      problem(
        CHECK,
        'The profile names a signature of notifications, and NOTIFICATION_SECRET, its key, is not set.',
        'Set NOTIFICATION_SECRET.',
      ),
    );
  }
  found.push(...notesAsFindings(profile, payments.methods));
  const unconfirmed = profileAssumptions(profile, payments.methods, {
    notificationSecretSet: notificationSecret !== undefined,
  });
  if (unconfirmed.length > 0) {
    const level = gateway.mode === 'live' ? problem : warning;
    found.push(
      level(
        'profile.confirmed',
        `Nobody has confirmed: ${unconfirmed.join(', ')}. The service does not start in live mode.`,
        'Run "tillfront go-live" against the test system and list in "confirmed" what it shows.',
      ),
    );
  }
  return {
    profile,
    found: found.some(({ level }) => level !== 'ok')
      ? found
      : [ok(CHECK, 'The profile can be used, and all of it is confirmed.'), ...found],
  };
}

/** What is to be noted of the built-in profile too is worth knowing, but nobody has written it by mistake. */
function notesAsFindings(profile: Profile, methods: readonly PaymentMethod[]): Finding[] {
  const builtIn = new Set(reportProfile(defaultProfile, methods).notes.map(({ place }) => place));
  return reportProfile(profile, methods).notes.map(({ place, message }) => {
    const text = `${place}: ${message}`;
    return builtIn.has(place) ? ok(CHECK, text) : warning(CHECK, text, 'Check that this is what you mean.');
  });
}

/** Points out variables whose names are almost one of the service's. It shows no value. */
export function checkNames(env: NodeJS.ProcessEnv): Finding[] {
  return misnamedVariables(env).map((misnamed) =>
    warning(
      'configuration.names',
      `${describeMisnamed(misnamed)}.`,
      `Rename it to ${misnamed.meant}, or remove it. docs/configuration.md lists every variable.`,
    ),
  );
}
