import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { NotifiedPayments } from '../payments/inquiry/notified-payments.js';
import type { Notice } from '../payments/schedule/notified.js';
import type { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { NotificationHandover } from './notification-handover.js';
import type { NotificationsRepository, WaitingNotification } from './notifications.repository.js';

const TOGETHER_MS = 1_000;

function waitingOne(digest: string): WaitingNotification {
  return { id: `ntf_${digest}`, digest, repeats: 0, receivedAt: 1, handedOver: false };
}

/** An inbox with these notifications of one payment, and what is handed over of it. */
function inbox(...digests: string[]) {
  let waiting = digests.map(waitingOne);
  const noted: Notice[] = [];
  const repository = {
    waitingOf: () => Promise.resolve([...waiting]),
    waitingPayments: () => Promise.resolve([]),
    markApplied: (_: string, applied: readonly { id: string }[]) => {
      waiting = waiting.filter(({ id }) => applied.every((one) => one.id !== id));
      return Promise.resolve();
    },
  };
  const handover = new NotificationHandover(
    { clock: { now: () => 1 }, prepared: Promise.resolve() } as unknown as Store,
    repository as unknown as NotificationsRepository,
    {
      note: (_: string, notice: Notice) => {
        noted.push(notice);
        return Promise.resolve();
      },
    } as unknown as NotifiedPayments,
    {} as Logger,
  );
  return { handover, noted, left: () => waiting.map(({ digest }) => digest) };
}

describe('the handover of notifications', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('leaves what came meanwhile waiting, for a crash to find', async () => {
    const { handover, noted, left } = inbox('paid', 'refunded');
    handover.take('pay_1', 'paid', 'succeeded');
    handover.take('pay_1', 'refunded', 'partiallyRefunded');
    await jest.advanceTimersByTimeAsync(0);
    await handover.stop();
    expect(noted).toEqual([{ claims: ['succeeded'], repeated: false }]);
    expect(left()).toEqual(['refunded']);
  });

  test('leaves what another process has taken to that process', async () => {
    const { handover, left } = inbox('mine', 'theirs');
    handover.take('pay_1', 'mine', 'succeeded');
    await jest.advanceTimersByTimeAsync(0);
    expect(left()).toEqual(['theirs']);
  });

  test('hands it over a second later', async () => {
    const { handover, noted, left } = inbox('paid', 'refunded');
    handover.take('pay_1', 'paid', 'succeeded');
    handover.take('pay_1', 'refunded', 'partiallyRefunded');
    await jest.advanceTimersByTimeAsync(TOGETHER_MS);
    expect(noted.map(({ claims }) => claims)).toEqual([['succeeded'], ['partiallyRefunded']]);
    expect(left()).toEqual([]);
  });
});
