import type { ConfigDraft } from '../../config/config.js';
import { unconfirmed as unconfirmedOf } from '../../gateway/profile/unconfirmed.js';
import type { Profile } from '../../gateway/profile/schema.js';
import { inspectStart } from '../../start-check.js';
import { Findings, type Finding } from './finding.js';

const REMEDY = 'Correct it: docs/configuration.md says what each variable may be.';

/** Whether the service would start with these variables and this profile. */
export function checkConfiguration(env: NodeJS.ProcessEnv): {
  config: ConfigDraft | undefined;
  profile: Profile | undefined;
  findings: readonly Finding[];
} {
  const found = new Findings('configuration');
  const { reading, profile, faults } = inspectStart(env);
  for (const fault of faults) found.problem(fault, REMEDY);
  if (faults.length === 0) found.ok('Every variable has the right form, and the profile can be used.');
  const unconfirmed = profile && faults.length === 0 ? unconfirmedOf(profile, reading.values.methods) : [];
  if (unconfirmed.length > 0)
    found.warning(
      `The profile has unconfirmed assumptions: ${unconfirmed.join(', ')}. Live mode refuses to start.`,
      'Check each against the gateway and list it in "confirmed": docs/assumptions.md says how.',
    );
  return {
    config: reading.problems.length === 0 ? reading.draft() : undefined,
    profile,
    findings: found.all,
  };
}
