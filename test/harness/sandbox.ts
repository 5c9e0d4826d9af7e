import type { SandboxOptions } from '../../sandbox/options.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { testKeys } from './tillfront.ts';

/**
 * The sandbox gateway on a free port inside the test's own process, so that tests can reach its ledger, recorder and
 * faults. It expects the credentials that the harness gives to the service.
 */
export function startTestSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({ port: 0, apiKey: testKeys.apiKey, accessToken: testKeys.accessToken, ...options });
}
