import { readCommandEnvironment } from '../../config/environment.js';
import { readinessAddress } from '../../config/health-address.js';
import { packageVersion } from '../../config/package-version.js';
import type { Readiness } from '../../ops/health.js';
import { failsOnNewSchema } from '../../store/migrations.js';
import type { CommandContext } from '../command.js';
import { sentence, type Findings } from './finding.js';
import { MUST_STOP } from './store-state.js';

const TIMEOUT_MS = 8_000;
const CHECK = 'service';
const READY = 'service.ready';

/** What to do about a service that is not ready, by its reason. */
const REMEDIES: Readonly<Record<NonNullable<Readiness['reason']>, string>> = {
  store:
    'Correct what it names; the service goes on by itself. Stop nothing and restore no backup before: docs/runbook.md, "The store does not answer".',
  clock:
    'Keep the time of its machine by NTP: docs/runbook.md, "A replica is not ready because of its clock".',
  stopping: 'It is being stopped. Look at what stops it, and start it again.',
};

/**
 * Whether the service that the commands would call is running and ready.
 *
 * @param expected a service was started on the store before. Without it the doctor is asked before the first start
 */
export async function checkRunningService(
  found: Findings,
  env: CommandContext['env'],
  { expected }: { expected: boolean },
): Promise<void> {
  const { serviceUrl } = readCommandEnvironment(env);
  const address = readinessAddress(env, serviceUrl);
  const [info, readiness] = [await describe(serviceUrl), await readReadiness(address)];
  if (info?.title === 'Tillfront') {
    checkVersion(found, info.version ?? '?', serviceUrl);
    checkReadiness(found, address, readiness);
    return;
  }
  const message = info
    ? `What answers at ${serviceUrl} is not this service.`
    : `Nothing answers at ${serviceUrl}.`;
  const remedy = 'Start the service, or set TILLFRONT_URL to where it is.';
  if (readiness) {
    found.warning(CHECK, message, remedy);
    checkReadiness(found, address, readiness);
  } else if (expected)
    found.problem(CHECK, message, `${remedy} While it is meant to be stopped: tillfront doctor --offline.`);
  else found.warning(CHECK, message, remedy);
}

/** What a service says that it is. Undefined where none answers that does. */
async function describe(serviceUrl: string): Promise<{ title?: string; version?: string } | undefined> {
  try {
    const { body } = await read(`${serviceUrl}/openapi.json`);
    return (body as { info?: object }).info ?? {};
  } catch {
    return undefined;
  }
}

function checkVersion(found: Findings, version: string, serviceUrl: string): void {
  const message = `Version ${version} answers at ${serviceUrl}`;
  const own = packageVersion();
  if (version === own) found.ok(CHECK, `${message}.`);
  else
    found[failsOnNewSchema(version) ? 'problem' : 'warning'](
      CHECK,
      `${message}, and this is ${own}.`,
      MUST_STOP,
    );
}

function checkReadiness(found: Findings, address: string, readiness: Readiness | undefined): void {
  if (!readiness) {
    found.problem(
      READY,
      `Its readiness cannot be read at ${address}.`,
      'Set MANAGEMENT_PORT as the service has it, and run this where that port can be reached.',
    );
    return;
  }
  const { status, reason = 'store', detail = 'It does not say why' } = readiness;
  if (status === 'ready') found.ok(READY, 'It is ready: a payment could be recorded now.');
  else found.problem(READY, `It is not ready (${reason}). ${sentence(detail)}`, REMEDIES[reason]);
}

/** Undefined where nothing answers as a service does. */
async function readReadiness(address: string): Promise<Readiness | undefined> {
  try {
    const { status, body } = await read(address);
    const readiness = body as Readiness;
    if (status === 200 && readiness.status === 'ready') return readiness;
    return readiness.status === 'not-ready' ? readiness : undefined;
  } catch {
    return undefined;
  }
}

async function read(address: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: response.status, body: await response.json() };
}
