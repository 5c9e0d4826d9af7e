import { ConfigError } from '../../config/config-error.js';
import { describeRules, rulesInForce } from '../../config/production-rules.js';
import { CREDENTIAL_NEEDED, missingCredentials } from '../../missing-credentials.js';
import { oldNodeRemedy } from '../../node-version.js';
import { type CommandContext, EXIT, type ExitCode } from '../command.js';
import { inspectConfiguration, type Inspected } from '../configuration.js';
import { table } from '../output.js';
import { checkCredentials } from './credentials-check.js';
import { checkNames, checkProfileUse, readProfile } from './profile-check.js';
import { problem, ok, type Finding } from './finding.js';
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
  const findings = await examine(context, options);
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

async function examine({ env, reporter }: CommandContext, { offline }: DoctorOptions): Promise<Finding[]> {
  let config: Inspected;
  try {
    config = inspectConfiguration(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy =
      'Correct it; docs/configuration.md says what it may be. What depends on it was not checked.';
    return [
      ...checkRuntime(),
      ok('configuration.rules', describeRules(rulesInForce(env))),
      ...checkNames(env),
      ...error.problems.map(({ variable, message }) =>
        problem('configuration', `${variable} ${message}`, remedy),
      ),
      // The start reports the profile's faults together with the variables', so this does too.
      ...readProfile(env['GATEWAY_PROFILE'] || undefined).found,
    ];
  }
  const findings = [
    ...checkRuntime(),
    ok('configuration.rules', describeRules(config.rules)),
    ...checkNames(env),
    ok('configuration', 'Every variable has the right form, and they fit together.'),
    ...checkCredentials(config),
    ...checkHttp(config),
  ];
  const { profile, found } = checkProfileUse(config);
  findings.push(...found);
  for (const name of profile ? missingCredentials(profile, config.sources) : [])
    findings.push(problem('configuration', `${name} ${CREDENTIAL_NEEDED}`, "Set the gateway's own value."));
  const opened = profile && openGateway(config, profile);
  if (opened && 'found' in opened) findings.push(...opened.found);
  const looks = [
    () => checkStore(config),
    ...(offline
      ? []
      : [
          () => (opened && 'gateway' in opened ? checkGateway(config, opened.gateway) : Promise.resolve([])),
          () => checkWebhook(config),
          () => checkRunningService(env, { expected: wasStarted(findings) }),
        ]),
  ];
  const progress = reporter.progress('Checking', looks.length);
  for (const look of looks) {
    findings.push(...(await look()));
    progress.step();
  }
  progress.end();
  return findings;
}

/** Checks the version of Node.js that runs this. */
export function checkRuntime(version: string = process.versions.node): Finding[] {
  const old = oldNodeRemedy(version);
  return [old ? problem('runtime', old.fault, old.remedy) : ok('runtime', `Node.js ${version}.`)];
}
