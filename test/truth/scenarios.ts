import { afterAll, beforeAll, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';

/** Something that happens to a running service, with what must come of it. */
export type Scenario<S> = (stage: S) => Promise<void>;

/** Dozens that begin in the same instant would keep each other waiting for as long as a gateway's answer may take. */
const ONE_AFTER_THE_OTHER_MS = 20;

/**
 * Acts scenarios out side by side on one running service, each of them a test: most of them wait most of the time, and
 * none may disturb another.
 */
export function sideBySide<S extends { stop(): Promise<void> }>(
  open: () => Promise<S>,
  scenarios: Record<string, Scenario<S>>,
): void {
  let stage: S | undefined;
  const outcomes = new Map<string, Promise<{ error?: unknown }>>();

  beforeAll(async () => {
    const opened = await open();
    stage = opened;
    for (const [index, [name, act]] of Object.entries(scenarios).entries()) {
      const acted = pause(index * ONE_AFTER_THE_OTHER_MS)
        .then(() => act(opened))
        .then(
          () => ({}),
          (error: unknown) => ({ error }),
        );
      outcomes.set(name, acted);
    }
    // The first one of a run builds the service.
  }, 120_000);
  afterAll(async () => {
    await Promise.all(outcomes.values());
    await stage?.stop();
  }, 60_000);

  test.each(Object.keys(scenarios))('%s', async (name) => {
    const outcome = await outcomes.get(name);
    if (!outcome) throw new Error('the service did not start');
    if ('error' in outcome) throw outcome.error;
  });
}
