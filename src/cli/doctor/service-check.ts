import { readCommandEnvironment } from '../../config/command-environment.js';
import type { CommandContext } from '../command-context.js';
import { ok, warning, type Finding } from './finding.js';

const TIMEOUT_MS = 5_000;

/**
 * Whether the service that the commands would call is running. It need not be, because the doctor is also for the time
 * before the first start.
 */
export async function checkRunningService(env: CommandContext['env']): Promise<Finding[]> {
  const check = 'service';
  const { serviceUrl } = readCommandEnvironment(env);
  try {
    const response = await fetch(`${serviceUrl}/openapi.json`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const described = (await response.json()) as { info?: { title?: string; version?: string } };
    if (described.info?.title === 'Tillfront') {
      return [ok(check, `Version ${described.info.version ?? '?'} answers at ${serviceUrl}.`)];
    }
  } catch {
    return [
      warning(
        check,
        `Nothing answers at ${serviceUrl}.`,
        'Start the service, or set TILLFRONT_URL to where it is.',
      ),
    ];
  }
  return [
    warning(check, `What answers at ${serviceUrl} is not this service.`, 'Set TILLFRONT_URL to where it is.'),
  ];
}
