import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStore } from '../../test/harness/event-store.js';
import { createTestStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { newId } from '../store/ids.js';
import type { NotificationRecord } from '../store/schema.js';
import type { Store } from '../store/store.js';
import { MAX_PER_PAYMENT } from './inbox-limits.js';
import { merged } from './inbox-writer.js';
import { NotificationsRepository } from './notifications.repository.js';

const PLENTY = 1024 * 1024;

function made(over: Partial<NotificationRecord> = {}): NotificationRecord {
  const id = newId('ntf');
  const paymentId = over.status === 'unmatched' ? null : 'pay_1';
  return {
    id,
    receivedAt: 1_000,
    digest: id,
    mediaType: 'application/json',
    body: '{}',
    reference: paymentId,
    paymentId,
    status: 'received',
    repeats: 0,
    processedAt: null,
    ...over,
  };
}

const several = (count: number, over: (index: number) => Partial<NotificationRecord>): NotificationRecord[] =>
  Array.from({ length: count }, (_, index) => made(over(index)));

describe.each(stores)('the inbox on the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  let inbox: NotificationsRepository;

  beforeEach(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
    inbox = new NotificationsRepository(store);
  });
  afterEach(async () => {
    await store.close();
    await place.dispose();
  });

  const rows = () => store.db.selectFrom('notifications').selectAll().orderBy('received_at').execute();
  const follow = async (paymentId: string) => {
    await inbox.markApplied(paymentId, await inbox.waitingOf(paymentId), 5_000);
  };

  test('keeps many at once, counts what comes again, and lets it wait again', async () => {
    const first = made({ digest: 'same', body: 'one' });
    await inbox.keep(merged([first, made({ digest: 'same', body: 'one', receivedAt: 1_001 }), made()]));
    await follow('pay_1');
    expect(await inbox.waitingOf('pay_1')).toEqual([]);
    await inbox.keep(
      merged([made({ digest: 'same', receivedAt: 2_000 }), made({ digest: 'same', receivedAt: 2_001 })]),
    );
    expect(await inbox.waitingOf('pay_1')).toEqual([
      { id: expect.any(String), digest: 'same', repeats: 3, receivedAt: 2_001, handedOver: true },
    ]);
    expect(await rows()).toHaveLength(2);
  });

  test('what comes again while it is followed up goes on waiting', async () => {
    await inbox.keep([made({ digest: 'again' }), made({ digest: 'once' })]);
    const looked = await inbox.waitingOf('pay_1');
    await inbox.keep([made({ digest: 'again' })]);
    await inbox.markApplied('pay_1', looked, 5_000);
    expect(await inbox.waitingOf('pay_1')).toMatchObject([{ repeats: 1, handedOver: false }]);
  });

  test('keeps the newest of a payment; what was followed up goes before what waits', async () => {
    await inbox.keep(several(40, (index) => ({ receivedAt: 9_000 + index, status: 'applied' })));
    await inbox.keep(several(30, (index) => ({ receivedAt: 1_000 + index })));
    await inbox.keep(several(60, () => ({ paymentId: 'pay_2', status: 'applied' })));
    expect(await inbox.prune(['pay_1'], PLENTY)).toBe(20);
    const kept = (await rows()).filter(({ payment_id: id }) => id === 'pay_1');
    expect(kept.filter(({ status }) => status === 'received')).toHaveLength(30);
    const followed = kept.filter(({ status }) => status === 'applied').map((row) => Number(row.received_at));
    expect(followed).toEqual(Array.from({ length: 20 }, (_, index) => 9_020 + index));
    expect(await inbox.prune(['pay_1', 'pay_2'], PLENTY)).toBe(10);
  });

  test('a payment stays in the queue, however many push its notifications out', async () => {
    for (let flood = 0; flood < 4; flood++) {
      // As after a clock that was set back: what is newer seems older.
      await inbox.keep(several(40, (index) => ({ receivedAt: 9_000 - flood * 100 - index })));
      await inbox.prune(['pay_1'], PLENTY);
      expect((await rows()).length).toBeLessThanOrEqual(MAX_PER_PAYMENT);
      expect(await inbox.waitingPayments('', 10_000, 10)).toEqual(['pay_1']);
    }
  });

  test('keeps so much content of a payment, the newest; that the others came stays', async () => {
    await inbox.keep(several(10, (index) => ({ receivedAt: 1_000 + index, body: 'é'.repeat(50) })));
    await inbox.prune(['pay_1'], 350);
    expect((await rows()).map(({ body }) => body.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 50, 50, 50]);
    expect(await inbox.waitingOf('pay_1')).toHaveLength(10);
    // Nothing is to be done a second time.
    expect(await inbox.prune(['pay_1'], 350)).toBe(0);
  });

  test('of those that name nothing of ours the oldest go first', async () => {
    await inbox.keep(several(30, (index) => ({ receivedAt: 1_000 + index, status: 'unmatched' })));
    await inbox.keep([made({ receivedAt: 1 })]);
    expect(await inbox.trimUnmatched(12)).toBe(18);
    expect((await rows()).map(({ received_at: at }) => Number(at))).toEqual([
      1,
      ...Array.from({ length: 12 }, (_, index) => 1_018 + index),
    ]);
    expect(await inbox.trimUnmatched(12)).toBe(0);
  });

  test('payments take turns: a look goes on where the last one ended', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `pay_${String(index).padStart(2, '0')}`);
    for (const paymentId of ids)
      await inbox.keep(several(paymentId === 'pay_03' ? 9 : 1, () => ({ paymentId })));
    await follow('pay_07');
    const seen: string[] = [];
    for (let cursor = ''; seen.length < 24; cursor = seen.at(-1) ?? '') {
      seen.push(...(await inbox.waitingPayments(cursor, 10_000, 10)));
    }
    expect(seen).toEqual(ids.filter((id) => id !== 'pay_07'));
    expect(await inbox.waitingPayments('pay_24', 10_000, 10)).toEqual([]);
  });

  test('removes what is old in batches, and nothing that waits', async () => {
    await inbox.keep(several(25, (index) => ({ receivedAt: 1_000 + index, status: 'applied' })));
    await inbox.keep(several(5, () => ({ status: 'unmatched' })));
    await inbox.keep(several(3, () => ({})));
    await inbox.keep([made({ receivedAt: 3_000, status: 'applied' })]);
    const removed: number[] = [];
    for (let more = 1; more > 0; removed.push(more)) more = await inbox.removeOld(2_000, 10);
    expect(removed).toEqual([15, 10, 5, 0]);
    expect((await rows()).map(({ status }) => status)).toEqual([
      'received',
      'received',
      'received',
      'applied',
    ]);
  });
});
