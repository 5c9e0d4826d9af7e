import type { CommandContext } from '../command-context.js';
import { readCommandEnvironment } from '../../config/command-environment.js';
import type { NotificationsSeen } from './evidence.js';

const TIMEOUT_MS = 5_000;

/** What the service has counted so far. Undefined where its metrics cannot be read from here. */
export async function countNotifications(env: CommandContext['env']): Promise<NotificationsSeen | undefined> {
  const { serviceUrl, merchantKey } = readCommandEnvironment(env);
  const port = env['MANAGEMENT_PORT'];
  // Production's rules ask for it, but at the management port, which has no need of it.
  const headers: Record<string, string> =
    port || merchantKey === undefined ? {} : { authorization: `Bearer ${merchantKey}` };
  const base = port ? `http://${new URL(serviceUrl).hostname}:${port}` : serviceUrl;
  try {
    const response = await fetch(`${base}/metrics`, {
      redirect: 'error',
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const count = (result: string): number | undefined => {
      const line = new RegExp(`^tillfront_notifications_total\\{result="${result}"\\} ([0-9]+)$`, 'm').exec(
        text,
      );
      return line ? Number(line[1]) : undefined;
    };
    const [received, unmatched, refused] = ['received', 'unmatched', 'refused'].map(count);
    if (received === undefined || unmatched === undefined || refused === undefined) return undefined;
    return { received, unmatched, refused };
  } catch {
    return undefined;
  }
}

/** The notifications that arrived between two counts. */
export function between(
  before: NotificationsSeen | undefined,
  after: NotificationsSeen | undefined,
): NotificationsSeen | undefined {
  if (!before || !after) return undefined;
  return {
    received: after.received - before.received,
    unmatched: after.unmatched - before.unmatched,
    refused: after.refused - before.refused,
  };
}
