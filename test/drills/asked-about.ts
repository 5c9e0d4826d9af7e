import { join } from 'node:path';
import { openReader } from '../chaos/store-reader.ts';
import { GRACE_SECONDS, type Bench } from './bench.ts';

/** Of the store's row: how the payment is followed, and who works on it. */
const COLUMNS = [
  ...['status', 'created_at', 'answered', 'answered_at', 'pending_operation'],
  ...['status_check_count', 'status_check_worth', 'next_status_check_at'],
  ...['notification_checks', 'notification_claims', 'lease_owner', 'lease_until', 'lease_fence'],
];

/**
 * How a payment was followed, a line each: the store's row with the time of the next question, every call that the gateway got about
 * it, every notification that it sent, and the lines of the log that name it.
 */
export async function askedAbout(bench: Bench, id: string, gatewayReference: string): Promise<string> {
  const { ledger, recorder, notifications } = bench.sandbox;
  const began = ledger.attempts(gatewayReference).length > 0;
  const calls = recorder
    .list(gatewayReference)
    .map(({ at, operation, answered }) => `${at} gateway got ${operation}, answered ${answered ?? 0}`);
  const told = notifications
    .list(gatewayReference)
    .flatMap(({ attempts, state }) =>
      attempts.map(({ at, status }) => `${at} notification answered with ${status} (${state} now)`),
    );
  const logged = bench.everyLog().flatMap((log) => log.split('\n').filter((line) => line.includes(id)));
  return [
    `${new Date().toISOString()} ${began ? 'the gateway has it' : `the gateway never got the call that begins it, and denies it for ${GRACE_SECONDS} s`}`,
    `row ${JSON.stringify(await rowOf(bench, id))}`,
    ...[...calls, ...told].sort(),
    ...logged,
  ]
    .map((line) => `\n    ${line}`)
    .join('');
}

async function rowOf(bench: Bench, id: string): Promise<unknown> {
  const { databaseUrl, dataDir } = bench.till;
  const reader = openReader(databaseUrl ?? join(dataDir, 'tillfront.db'));
  try {
    const [row] = await reader.read(`select ${COLUMNS.join(', ')} from payments where id = '${id}'`);
    const times = ['created_at', 'answered_at', 'next_status_check_at', 'lease_until'];
    const readable = Object.entries(row ?? {}).map(([name, value]) => [
      name,
      times.includes(name) && value !== null ? new Date(Number(value)).toISOString() : value,
    ]);
    return Object.fromEntries(readable);
  } catch (error) {
    return error instanceof Error ? error.message : 'not readable';
  } finally {
    await reader.close().catch(() => undefined);
  }
}
