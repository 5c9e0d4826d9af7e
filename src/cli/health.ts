import type { ReadinessDto } from '../ops/health.dto.js';
import { CommandFailure, EXIT, type Context, type ExitCode } from './command.js';
import { callService } from './service.js';

type Said = Omit<ReadinessDto, 'status'> & { status: string };

const TIMEOUT_MS = 8_000;

/** Asks the service for its health. Every fault is exit code 1, as a container's health check knows no other. */
export async function health({ env, out, err }: Context, what: 'ready' | 'live'): Promise<ExitCode> {
  try {
    const { ok, said } = await readHealth(env, what);
    (ok ? out : err)(`${[said.status, said.reason, said.detail].filter(Boolean).join(': ')}\n`);
    return ok ? EXIT.done : EXIT.found;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    err(`${error.message}\n`);
    return EXIT.found;
  }
}

/** Reads one of the health documents. Throws {@link CommandFailure} where nothing answers as the service does. */
export async function readHealth(
  env: NodeJS.ProcessEnv,
  what: 'ready' | 'live',
): Promise<{ ok: boolean; said: Said }> {
  const response = await callService(env, {
    method: 'GET',
    path: `/health/${what}`,
    timeoutMs: TIMEOUT_MS,
  });
  const said = (await response.json().catch(() => ({}))) as Partial<Said>;
  if (typeof said.status !== 'string')
    throw new CommandFailure(
      `What answers is not this service's health (HTTP ${response.status}). TILLFRONT_URL says where to look.`,
    );
  return { ok: response.ok, said: said as Said };
}
