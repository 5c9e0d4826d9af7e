import { hasNotificationSignature } from '../../gateway/notifications/notification-profile.js';
import { profileAssumptions } from '../../methods/profile-assumptions.js';
import { reportProfile } from '../../methods/profile-report.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import { loadProfile, ProfileError, type Profile } from '../../gateway/profile/load.js';
import type { PaymentMethod } from '../../store/schema.js';
import { describeMisnamed, misnamedVariables } from '../../misnamed-variables.js';
import type { Inspected } from '../configuration.js';
import { Findings } from './finding.js';

const CHECK = 'profile';

/** The gateway profile, or why it cannot be used. */
export function readProfile(found: Findings, path: string | undefined): Profile | undefined {
  try {
    return loadProfile(path);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const remedy = 'Correct the profile; "tillfront profile check" looks at it alone.';
    for (const { place, message } of error.problems) found.problem(CHECK, `${place} ${message}`, remedy);
    return undefined;
  }
}

/** Whether the gateway profile can be used with the enabled methods and the mode. */
export function checkProfileUse(found: Findings, config: Inspected): Profile | undefined {
  const { gateway, payments, notificationSecret } = config;
  const profile = readProfile(found, gateway.profilePath);
  if (!profile) return undefined;
  const uses = new Findings();
  if (hasNotificationSignature(profile.notification) && !notificationSecret)
    uses.problem(
      CHECK,
      'The profile names a signature of notifications, and NOTIFICATION_SECRET, its key, is not set.',
      'Set NOTIFICATION_SECRET.',
    );
  checkNotes(uses, profile, payments.methods);
  const unconfirmed = profileAssumptions(profile, payments.methods, {
    notificationSecretSet: notificationSecret !== undefined,
  });
  if (unconfirmed.length > 0)
    uses[gateway.mode === 'live' ? 'problem' : 'warning'](
      'profile.confirmed',
      `Nobody has confirmed: ${unconfirmed.join(', ')}. The service does not start in live mode.`,
      'Run "tillfront go-live" against the test system and list in "confirmed" what it shows.',
    );
  if (uses.all.every(({ level }) => level === 'ok'))
    found.ok(CHECK, 'The profile can be used, and all of it is confirmed.');
  found.add(uses);
  return profile;
}

/** What is to be noted of the built-in profile too is worth knowing, but nobody has written it by mistake. */
function checkNotes(found: Findings, profile: Profile, methods: readonly PaymentMethod[]): void {
  const builtIn = new Set(reportProfile(defaultProfile, methods).notes.map(({ place }) => place));
  for (const { place, message } of reportProfile(profile, methods).notes) {
    const text = `${place}: ${message}`;
    if (builtIn.has(place)) found.ok(CHECK, text);
    else found.warning(CHECK, text, 'Check that this is what you mean.');
  }
}

/** Points out variables whose names are almost one of the service's. It shows no value. */
export function checkNames(found: Findings, env: NodeJS.ProcessEnv): void {
  for (const misnamed of misnamedVariables(env))
    found.warning(
      'configuration.names',
      `${describeMisnamed(misnamed)}.`,
      `Rename it to ${misnamed.meant}, or remove it. docs/configuration.md lists every variable.`,
    );
}
