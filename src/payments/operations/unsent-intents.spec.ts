import { describe, expect, test } from '@jest/globals';
import { paymentRecord, referenceOf, sessionRecord } from '../../../test/harness/records.js';
import type { PaymentRecord } from '../../store/schema.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { Store } from '../../store/store.js';
import {
  PaymentWriter,
  type BatchExecutor,
  type Decide,
  type JobOutcome,
} from '../../store/payment-writer.js';
import type { Logger } from '../../telemetry/logger.js';
import { UnsentIntents } from './durable-writer.js';

const intended = paymentRecord();

/** A store that fails with `failures`, one after the other, and then has the payment, or has nothing. */
function scene(failures: Error[], payment: PaymentRecord | undefined) {
  const written: unknown[] = [];
  const logged: unknown[] = [];
  let decided = 0;
  const executor: BatchExecutor = {
    concurrency: 1,
    execute: (jobs) => {
      const failure = failures.shift();
      if (failure) return Promise.reject(failure);
      const outcomes = jobs.map(({ decide }): JobOutcome => {
        const snapshot = {
          reference: referenceOf(intended),
          session: sessionRecord(),
          payment,
          openOperations: [],
          paidBeside: [],
          liveBeside: [],
        };
        const { changes, result } = decide({
          ...snapshot,
          idempotency: undefined,
          keyedOperation: undefined,
        });
        written.push(changes);
        return { kind: 'written', changes, result };
      });
      return Promise.resolve(outcomes);
    },
  };
  const log = (line: unknown): void => void logged.push(line);
  const store = { writer: new PaymentWriter(executor) } as Store;
  const unsent = new UnsentIntents(store, { info: log, warn: log } as unknown as Logger);
  const decide: Decide<undefined> = (snapshot) => {
    decided += 1;
    const failed = { ...(snapshot.payment as PaymentRecord), status: 'failed' as const };
    return { changes: { payment: failed }, result: undefined };
  };
  return { unsent, decide, written, logged, decided: () => decided };
}

describe('an intent whose commit nobody confirmed', () => {
  test('is abandoned as soon as the store is back', async () => {
    const away = [new StoreUnavailable('gone'), new StoreUnavailable('gone')];
    const { unsent, decide, written, logged } = scene(away, intended);
    await unsent.abandon(intended, decide);
    expect(written).toEqual([{ payment: { ...intended, status: 'failed' } }]);
    expect(logged).toEqual([{ event: 'payment.intent_abandoned', paymentId: intended.id }]);
  });

  test('is nothing to anybody where the commit did not get through', async () => {
    const { unsent, decide, written, logged, decided } = scene([new StoreUnavailable('gone')], undefined);
    await unsent.abandon(intended, decide);
    // It writes the reference, so that a commit which is still under way comes to nothing.
    expect({ written, logged, decided: decided() }).toEqual({
      written: [{ reference: referenceOf(intended) }],
      logged: [],
      decided: 0,
    });
  });

  test('is left to reconciliation where it cannot be written', async () => {
    const { unsent, decide, written, logged } = scene([new RangeError('a fault')], intended);
    await unsent.abandon(intended, decide);
    expect(written).toEqual([]);
    expect(logged).toEqual([
      expect.objectContaining({
        event: 'payment.abandoning_failed',
        paymentId: intended.id,
        reason: 'RangeError',
      }),
    ]);
  });

  test('is left to the next process where this one shuts down', async () => {
    const { unsent, decide, written } = scene([], intended);
    const abandoning = unsent.abandon(intended, decide);
    unsent.stop();
    await abandoning;
    expect(written).toEqual([]);
  });
});
