import { afterAll, beforeAll, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';

/** Something that happens to a running service, with what must come of it. */
export type Scenario<S> = (stage: S) => Promise<void>;

/** Dozens that begin in the same instant would keep each other waiting for as long as a gateway's answer may take. */
const ONE_AFTER_THE_OTHER_MS = 20;
/** The next one begins when the service answers within this time again, so that a busy machine has fewer of them at once… */
const PROMPT_MS = 60;
/** …but is waited for no longer than this. */
const PATIENCE_MS = 4_000;

/** What scenarios run on. */
interface Running {
  client: { get(path: string): Promise<unknown> };
  stop(): Promise<void>;
}

/**
 * Acts scenarios out side by side on one running service, each of them a test: most of them wait most of the time, and
 * none may disturb another.
 */
export function sideBySide<S extends Running>(
  open: () => Promise<S>,
  scenarios: Record<string, Scenario<S>>,
): void {
  let stage: S | undefined;
  const outcomes = new Map<string, Promise<{ error?: unknown }>>();

  beforeAll(async () => {
    const opened = await open();
    stage = opened;
    let turn: Promise<void> = Promise.resolve();
    for (const [name, act] of Object.entries(scenarios)) {
      const acted = turn
        .then(() => act(opened))
        .then(
          () => ({}),
          (error: unknown) => ({ error }),
        );
      outcomes.set(name, acted);
      turn = turn.then(() => roomForMore(opened));
    }
    // The first one of a run builds the service.
  });
  afterAll(async () => {
    await Promise.all(outcomes.values());
    await stage?.stop();
  });

  test.each(Object.keys(scenarios))('%s', async (name) => {
    const outcome = await outcomes.get(name);
    if (!outcome) throw new Error('the service did not start');
    if ('error' in outcome) throw outcome.error;
  });
}

/** Waits until the service, and this process beside it, have time for one more. */
async function roomForMore({ client }: Running): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let took = Infinity; took > PROMPT_MS && performance.now() < deadline;) {
    await pause(ONE_AFTER_THE_OTHER_MS);
    const asked = performance.now();
    await client.get('/health/live').catch(() => undefined);
    took = performance.now() - asked;
  }
}
