import { EXIT, type Context, type ExitCode } from '../command.js';
import { checkConfiguration } from './configuration-check.js';
import type { Finding } from './finding.js';
import { checkGateway } from './gateway-check.js';
import { checkReadiness } from './readiness-check.js';
import { checkStore } from './store-check.js';
import { checkWebhook } from './webhook-check.js';

const MARKS = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' } as const;

/**
 * Checks what payments need, and gives a remedy for each fault. It changes nothing; the merchant's server gets a test
 * event. The exit code is 0 only where payments work.
 */
export async function doctor({ env, out }: Context): Promise<ExitCode> {
  const levels: Finding['level'][] = [];
  const say = (findings: readonly Finding[]): void => {
    for (const { level, check, message, remedy } of findings) {
      levels.push(level);
      out(`${MARKS[level].padEnd(9)}${check.padEnd(15)}${message}\n`);
      if (remedy !== undefined) out(`${' '.repeat(9)}-> ${remedy}\n`);
    }
  };
  const { config, profile, findings } = checkConfiguration(env);
  say(findings);
  if (config) say(await checkStore(config));
  if (config && profile) say(await checkGateway(config, profile));
  if (config) say(await checkWebhook(config));
  say(await checkReadiness(env));
  const problems = levels.filter((level) => level === 'problem').length;
  out(problems === 0 ? 'Payments work.\n' : `${problems} to mend: payments do not work, or not fully.\n`);
  return problems === 0 ? EXIT.done : EXIT.found;
}
