import { CommandFailure } from '../command.js';
import { readHealth } from '../health.js';
import { Findings, type Finding } from './finding.js';

/** Whether the running service could record a payment now. */
export async function checkReadiness(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const found = new Findings('readiness');
  try {
    const { ok, said } = await readHealth(env, 'ready');
    if (ok) found.ok('The service is ready: a payment could be recorded now.');
    else
      found.problem(
        `The service is not ready (${[said.reason, said.detail].filter(Boolean).join(': ')}).`,
        'Mend what it names; it recovers by itself. Restore no backup before: docs/runbook.md.',
      );
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    found.problem(error.message, 'Start the service, or set TILLFRONT_URL to its address.');
  }
  return found.all;
}
