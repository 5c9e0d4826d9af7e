import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLogger } from '../telemetry/logger.js';
import { PeriodicTask } from './periodic-task.js';

let lines: string[];
let prepared: PromiseWithResolvers<void>;

/** Runs as its list says: an error, or after how many milliseconds again; 1 s after the end of the list. */
class Work extends PeriodicTask {
  runs = 0;

  constructor(private readonly answers: (number | Error)[] = []) {
    const logger = createLogger({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) });
    super({ event: 'test.failed', store: { prepared: prepared.promise }, logger });
  }

  protected override async run(): Promise<number> {
    this.runs += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
    const answer = this.answers.shift() ?? 1_000;
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  lines = [];
  prepared = Promise.withResolvers<void>();
});
afterEach(() => {
  jest.useRealTimers();
});

test('begins when the store is ready, and comes back when it says so', async () => {
  const work = new Work([200]);
  work.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(work.runs).toBe(0);
  prepared.resolve();
  await jest.advanceTimersByTimeAsync(205);
  expect(work.runs).toBe(1);
  await jest.advanceTimersByTimeAsync(20);
  expect(work.runs).toBe(2);
  await work.stop();
});

test('logs a failure, and goes on within five seconds', async () => {
  const work = new Work([new Error('away')]);
  work.onApplicationBootstrap();
  prepared.resolve();
  await jest.advanceTimersByTimeAsync(5_010);
  expect(work.runs).toBeGreaterThan(1);
  expect(lines.join('')).toContain('test.failed');
  await work.stop();
});

test('does not run any more when the process stops, and the stop waits for what runs', async () => {
  const work = new Work();
  work.onApplicationBootstrap();
  prepared.resolve();
  await jest.advanceTimersByTimeAsync(5);
  expect(work.runs).toBe(1);
  let ended = false;
  const end = work.stop().then(() => {
    ended = true;
  });
  await jest.advanceTimersByTimeAsync(4);
  expect(ended).toBe(false);
  await jest.advanceTimersByTimeAsync(60_000);
  await end;
  expect(work.runs).toBe(1);
});
