import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Store } from '../../src/store/store.js';
import { aPayment, aSession, anOrder, changeOf, countUp } from './documents.js';
import { KINDS, testPlace, type TestPlace } from './stores.js';

describe.each(KINDS)('the %s store', (kind) => {
  let place: TestPlace;
  let store: Store;
  beforeEach(async () => {
    place = await testPlace(kind);
    store = await place.open();
  });
  afterEach(() => place.end());

  test('keeps an order with its payments, and reads it as it was written', async () => {
    const order = anOrder('A-1', { sessions: [aSession('cs_1')], attempts: 1, live: 'pay_A-1_1' });
    const payment = aPayment('A-1', 1, { captured: 5n, card: { brand: 'visa', last4: '0042', hash: 'h' } });
    const result = await store.write('A-1', (stored) => {
      expect(stored).toEqual({ reference: 'A-1', rev: null, order: null, payments: [], leases: new Map() });
      return { change: changeOf(order, { payments: [payment] }), result: 'written' };
    });
    expect(result).toBe('written');
    const stored = await store.read('A-1');
    expect(stored).toEqual({
      reference: 'A-1',
      rev: expect.any(String),
      order,
      payments: [payment],
      leases: new Map(),
    });
    // What is cached is what was written.
    await store.write('A-1', (cached) => {
      expect(cached).toEqual(stored);
      return { result: undefined };
    });
  });

  test('derives columns from documents', async () => {
    const payment = aPayment('A-1', 1, {
      status: 'succeeded',
      transactionRef: 'TX9',
      captured: 150_000n,
      disputed: true,
      duplicateOf: 'pay_0',
      card: { brand: 'visa', last4: '0042', hash: 'h' },
      attention: [
        { reason: 'differs', since: 1, word: 'w' },
        { reason: 'duplicate', since: 1, word: 'v' },
      ],
      check: { at: 77, attempts: 3, urgent: true, since: 1 },
      operations: [{ id: 'ref_1', type: 'refund', state: 'unknown', process: 'own_9', actor: 'm', since: 5 }],
    });
    const session = aSession('cs_1', { endedAt: 40 });
    await store.write('A-1', () => ({
      change: changeOf(anOrder('A-1', { dueAt: 50, sessions: [session] }), { payments: [payment] }),
      result: undefined,
    }));
    const columns = `status, session_id, client_ref, transaction_ref, method, currency, amount, captured, refunded, reasons,
      duplicate_of, disputed, brand, last4, open_state, check_at, check_urgent, paid_at`;
    for (const lookup of [true, false])
      expect(
        await store.rows({
          text: `select ${columns} from payments where id = ?`,
          values: [payment.id],
          lookup,
        }),
      ).toEqual([
        {
          ...{ status: 'succeeded', session_id: 'cs_A-1', client_ref: 'A-1_1', transaction_ref: 'TX9' },
          ...{ method: 'card', currency: 'NGN', amount: 150_000, captured: 150_000, refunded: 0 },
          ...{ reasons: 'differs,duplicate', duplicate_of: 'pay_0', disputed: 1 },
          ...{ brand: 'visa', last4: '0042', open_state: 'unknown' },
          ...{ check_at: 77, check_urgent: 1, paid_at: null },
        },
      ]);
    expect(await store.rows({ text: 'select due_at, ended_at from orders' })).toEqual([
      { due_at: 50, ended_at: 40 },
    ]);
    expect(await store.rows({ text: 'select id, minor_units, created from payment_list' })).toHaveLength(1);
  });

  test('counts exactly among writes of the same and of other orders', async () => {
    const references = Array.from({ length: 12 }, (_, index) => `R-${index}`);
    const results = await Promise.all(
      references.flatMap((reference) => Array.from({ length: 10 }, () => store.write(reference, countUp))),
    );
    expect(results.reduce((sum, result) => sum + result, 0)).toBe(12 * 55);
    for (const reference of references) expect((await store.read(reference)).order?.attempts).toBe(10);
    const events = await store.rows<{ stream: string; sequence: number }>({
      text: 'select stream, sequence from events order by seq',
    });
    expect(events).toHaveLength(120);
    for (const reference of references)
      expect(
        events.filter(({ stream }) => stream === `cs_${reference}`).map(({ sequence }) => sequence),
      ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('an order is found by the id of its session, also while it is written', async () => {
    const order = anOrder('A-1', { sessions: [aSession('cs_1')] });
    await store.write('A-1', () => ({ change: changeOf(order), result: undefined }));
    const attempts: Promise<number>[] = [];
    for (let count = 1; count <= 20; count += 1) {
      attempts.push(
        store.write('A-1', ({ order: now }) => {
          const next = { ...order, attempts: (now?.attempts ?? 0) + 1 };
          return { change: changeOf(next), result: next.attempts };
        }),
      );
      expect((await store.readOf('session', 'cs_1'))?.reference).toBe('A-1');
    }
    expect(await Promise.all(attempts)).toEqual(
      Array.from({ length: 20 }, (_, index) => order.attempts + index + 1),
    );
    expect(await store.readOf('session', 'cs_nobody')).toBeUndefined();
    expect(await store.readOf('payment', 'pay_nobody')).toBeUndefined();
  });

  test('a decide that throws rejects its own write', async () => {
    const outcomes = await Promise.allSettled([
      store.write('R-1', countUp),
      store.write('R-2', () => {
        throw new RangeError('not allowed');
      }),
      store.write('R-3', countUp),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('a write that the database refuses takes no other with it', async () => {
    await store.write('R-1', countUp);
    const again = aPayment('R-2', 1, { id: 'pay_same' });
    await store.write('R-2', () => ({ change: changeOf(anOrder('R-2'), { payments: [again] }), result: 1 }));
    const outcomes = await Promise.allSettled([
      store.write('R-1', countUp),
      // Another order's payment of the same id.
      store.write('R-3', () => ({
        change: changeOf(anOrder('R-3'), { payments: [aPayment('R-3', 1, { id: 'pay_same' })] }),
        result: 1,
      })),
      store.write('R-4', countUp),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.read('R-3')).order).toBeNull();
  });

  test('leases are set with a write, and a guard counts only while its owner has the lease', async () => {
    const payment = aPayment('L-1', 1);
    const lease = { owner: 'own_1:a', until: 10 };
    await store.write('L-1', () => ({
      change: changeOf(anOrder('L-1'), { payments: [payment], leases: [{ payment: payment.id, lease }] }),
      result: 1,
    }));
    expect((await store.read('L-1')).leases).toEqual(new Map([[payment.id, lease]]));
    const claimed = await store.returning({
      text: `update payments set lease_owner = ?, lease_until = ? where id = ? and lease_owner = ? returning id`,
      values: ['own_2:b', 20, payment.id, 'own_1:a'],
    });
    expect(claimed).toEqual([{ id: payment.id }]);
    const seen: unknown[] = [];
    const guarded = (owner: string) =>
      store.write('L-1', (stored) => {
        seen.push(stored.leases.get(payment.id)?.owner);
        if (seen.length > 1 && stored.leases.get(payment.id)?.owner !== owner) return { result: 'not ours' };
        return {
          change: changeOf(stored.order ?? anOrder('L-1'), {
            payments: [{ ...payment, status: 'failed' as const }],
            guard: { payment: payment.id, owner },
            leases: [{ payment: payment.id, lease: null }],
          }),
          result: 'ours',
        };
      });
    expect(await guarded('own_1:a')).toBe('not ours');
    expect(seen).toEqual(['own_1:a', 'own_2:b']);
    expect(await guarded('own_2:b')).toBe('ours');
    expect(await store.rows({ text: 'select status, lease_owner from payments' })).toEqual([
      { status: 'failed', lease_owner: null },
    ]);
  });

  test('a transaction counts only while no other order has it', async () => {
    const seen: (string | null)[] = [];
    const learn = (reference: string) =>
      store.write(reference, (stored) => {
        seen.push(stored.rev);
        if (seen.length > 3) return { result: 'another order has it' };
        const payment = aPayment(reference, 1, { transactionRef: 'TX-own' });
        const change = { payments: [payment], ownTransaction: 'TX-own' };
        return { change: changeOf(stored.order ?? anOrder(reference), change), result: 'ours' };
      });
    for (const reference of ['T-1', 'T-2']) await store.write(reference, countUp);
    // Its own order may learn of it again.
    expect([await learn('T-1'), await learn('T-1'), await learn('T-2')]).toEqual([
      ...['ours', 'ours', 'another order has it'],
    ]);
  });

  test('a guard that can never hold ends in an error, not in a loop', async () => {
    await store.write('L-2', countUp);
    const hopeless = store.write('L-2', (stored) => ({
      change: changeOf(stored.order ?? anOrder('L-2'), { guard: { payment: 'pay_none', owner: 'x' } }),
      result: 1,
    }));
    await expect(hopeless).rejects.toThrow('changes too often');
  });

  test('sessions lead to their orders, and lose the hash of an erased address', async () => {
    const session = aSession('cs_9');
    await store.write('S-1', () => ({
      change: changeOf(anOrder('S-1', { sessions: [session] })),
      result: 1,
    }));
    const question = {
      text: 'select reference, email_hash from sessions where id = ?',
      values: ['cs_9'],
      lookup: true,
    };
    expect(await store.rows(question)).toEqual([{ reference: 'S-1', email_hash: 'hash-of-ada' }]);
    await store.write('S-1', () => ({
      change: changeOf(anOrder('S-1', { sessions: [{ ...session, emailHash: null, redactedAt: 5 }] })),
      result: 1,
    }));
    expect(await store.rows(question)).toEqual([{ reference: 'S-1', email_hash: null }]);
  });

  test('movements, declines and approvals are written with the order', async () => {
    const movement = {
      ...{ id: 'mov_1', kind: 'payment', direction: 'in', amount: 9_007_199_254_740_993n, currency: 'NGN' },
      ...{
        at: 1,
        recordedAt: 2,
        late: false,
        paymentId: 'pay_1',
        reference: 'M-1',
        gatewayReference: 'M-1_1',
      },
      ...{
        transactionRef: null,
        refundId: null,
        method: 'card',
        actor: null,
        reason: null,
        source: 'gateway',
      },
    } as const;
    const approval = {
      ...{ id: 'apr_1', paymentId: 'pay_1', reference: 'M-1', state: 'waiting', expiresAt: 5, createdAt: 1 },
      doc: '{}',
    } as const;
    const write = (state: 'waiting' | 'approved', more = {}) =>
      store.write('M-1', () => ({
        change: changeOf(anOrder('M-1'), { approvals: [{ ...approval, state }], ...more }),
        result: 1,
      }));
    await write('waiting', {
      movements: [movement],
      declines: [{ id: 'dcl_1', address: 'a', card: 'c', at: 1 }],
    });
    await write('approved');
    expect(await store.rows({ text: 'select cast(sum(amount) as text) as sum from movements' })).toEqual([
      { sum: '9007199254740993' },
    ]);
    expect(await store.rows({ text: 'select state from approvals' })).toEqual([{ state: 'approved' }]);
    expect(await store.rows({ text: 'select count(*) as n from declines' })).toEqual([{ n: 1 }]);
  });

  test('tells of each commit once, in order', async () => {
    const told: number[] = [];
    store.onCommitted(({ order }) => told.push(order.attempts));
    await Promise.all([
      store.write('C-1', countUp),
      store.write('C-1', countUp),
      store.write('C-1', countUp),
    ]);
    await store.write('C-1', () => ({ result: 'nothing' }));
    expect(told).toEqual([1, 2, 3]);
  });

  test('a named lease has one owner until it ends', async () => {
    expect(await store.lease('retention', 60_000)).toBe(true);
    expect(await store.lease('retention', 60_000)).toBe(true);
    await store.run({ text: `update leases set owner = 'own_other'` });
    expect(await store.lease('retention', 60_000)).toBe(false);
    await store.run({ text: 'update leases set until = 1' });
    expect(await store.lease('retention', 60_000)).toBe(true);
  });

  test('keeps what JSON of PostgreSQL cannot, without it', async () => {
    const order = anOrder('Z-1', {
      sessions: [aSession('cs_z', { metadata: { a: 'x\u0000y\ud800 \\u0000', b: '😀' } })],
    });
    await store.write('Z-1', () => ({ change: changeOf(order), result: 1 }));
    expect((await store.read('Z-1')).order?.sessions[0]?.metadata).toEqual({
      a: 'xy\ufffd \\u0000',
      b: '😀',
    });
  });

  test('is usable, has a clock and says which process lives', async () => {
    expect(await store.unusable()).toBeUndefined();
    expect(Math.abs(store.now() - Date.now())).toBeLessThan(5_000);
    const [row] = await store.rows<{ process: string; at: number }>({
      text: 'select process, at from heartbeats',
    });
    expect(row?.process).toBe(store.process);
    expect(Math.abs((row?.at ?? 0) - Date.now())).toBeLessThan(20_000);
    await store.close();
    expect(await store.unusable()).toBe('it is closed');
    await expect(store.write('X', countUp)).rejects.toThrow('it is closed');
  });

  test('refuses another gateway, a newer schema, and an older one unless it may migrate', async () => {
    await store.close();
    await expect(
      place.open({ identity: { gatewayOrigin: 'https://other.example', mode: 'test' } }),
    ).rejects.toThrow('belongs to the gateway https://gateway.example (test)');
    const again = await place.open();
    await again.run({ text: `update meta set value = '99' where name = 'schema'` });
    await again.close();
    await expect(place.open()).rejects.toThrow('schema is 99');
    const empty = await testPlace(kind);
    await expect(empty.open({ migrate: false })).rejects.toThrow('store migrate');
    await empty.end();
  });
});
