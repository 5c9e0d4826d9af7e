import { ConfigError } from '../../config/config-error.js';
import { describeRules, rulesInForce } from '../../config/production-rules.js';
import { CREDENTIAL_NEEDED, missingCredentials } from '../../start-configuration.js';
import { oldNodeRemedy } from '../../node-version.js';
import { type CommandContext, EXIT, type ExitCode } from '../command.js';
import { inspectConfiguration, type Inspected } from '../configuration.js';
import { table } from '../output.js';
import { checkCredentials } from './credentials-check.js';
import { checkNames, checkProfileUse, readProfile } from './profile-check.js';
import { Findings, type Finding } from './finding.js';
import { checkGateway, openGateway } from './gateway-check.js';
import { checkHttp } from './http-check.js';
import { checkRunningService } from './service-check.js';
import { checkStore } from './store-check.js';
import { wasStarted } from './store-state.js';
import { checkWebhook } from './webhook-check.js';

export interface DoctorOptions {
  /** Leaves out what needs the network. */
  offline: boolean;
  /** Treats warnings as problems. */
  strict: boolean;
}

const MARKS = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' } as const;

/** Checks everything that an operator can get wrong, changes nothing (the shop is sent a test event), and gives a remedy for each finding. */
export async function doctor(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const { reporter } = context;
  const { all: findings } = await examine(context, options);
  const count = (level: Finding['level']): number => findings.filter((found) => found.level === level).length;
  const summary = { ok: count('ok'), warnings: count('warning'), problems: count('problem') };
  reporter.report({
    text: [
      ...findings.flatMap((finding) => [
        ...table([[MARKS[finding.level].padEnd(8), finding.check.padEnd(24), finding.message]]),
        ...(finding.remedy === undefined ? [] : [`${' '.repeat(10)}-> ${finding.remedy}`]),
      ]),
      '',
      `${summary.problems} problems, ${summary.warnings} warnings, ${summary.ok} ok.`,
    ],
    json: { findings, summary },
  });
  return summary.problems > 0 || (options.strict && summary.warnings > 0) ? EXIT.found : EXIT.done;
}

async function examine({ env, reporter }: CommandContext, { offline }: DoctorOptions): Promise<Findings> {
  const found = new Findings();
  const old = oldNodeRemedy();
  if (old) found.problem('runtime', old.fault, old.remedy);
  else found.ok('runtime', `Node.js ${process.versions.node}.`);
  found.ok('configuration.rules', describeRules(rulesInForce(env)));
  checkNames(found, env);
  let config: Inspected;
  try {
    config = inspectConfiguration(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy =
      'Correct it; docs/configuration.md says what it may be. What depends on it was not checked.';
    for (const { variable, message } of error.problems)
      found.problem('configuration', `${variable} ${message}`, remedy);
    // The start reports the profile's faults together with the variables', so this does too.
    readProfile(found, env['GATEWAY_PROFILE'] || undefined);
    return found;
  }
  found.ok('configuration', 'Every variable has the right form, and they fit together.');
  checkCredentials(found, config);
  checkHttp(found, config);
  const profile = checkProfileUse(found, config);
  for (const name of profile ? missingCredentials(profile, config.sources) : [])
    found.problem('configuration', `${name} ${CREDENTIAL_NEEDED}`, "Set the gateway's own value.");
  const gateway = profile && openGateway(found, config, profile);
  const looks = [
    () => checkStore(found, config),
    ...(offline
      ? []
      : [
          async () => gateway && checkGateway(found, config, gateway),
          () => checkWebhook(found, config),
          () => checkRunningService(found, env, { expected: wasStarted(found.all) }),
        ]),
  ];
  const progress = reporter.progress('Checking', looks.length);
  for (const look of looks) {
    await look();
    progress.step();
  }
  progress.end();
  return found;
}
