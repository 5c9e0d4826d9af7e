import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { erasePayers, eraseRecords } from '../../src/checkout/erasure.js';
import { redactSession } from '../../src/payments/core/sessions.js';
import { OrderWriter } from '../../src/payments/order-writer.js';
import type { Store } from '../../src/store/store.js';
import { RULES } from '../core/given.js';
import { aPayment, aSession, anOrder, changeOf } from './documents.js';
import { KINDS, testPlace, type TestPlace } from './stores.js';

const PRIVATE = 'a private word';

const writerOf = (store: Store): OrderWriter =>
  new OrderWriter(
    store,
    () => RULES,
    { livemode: false, isLate: () => false },
    () => Promise.resolve(false),
  );

describe.each(KINDS)('a payer in the %s store', (kind) => {
  let place: TestPlace;
  let store: Store;
  let orders: OrderWriter;

  beforeEach(async () => {
    place = await testPlace(kind);
    store = await place.open();
    orders = writerOf(store);
    const at = 1_800_000_000_000;
    const metadata = { note: PRIVATE };
    const session = aSession('cs_1', { metadata, status: 'paid', endedAt: at });
    const payment = aPayment('A-1', 1, { sessionId: 'cs_1', status: 'succeeded', metadata });
    const event = (id: string, stream: string) => ({
      ...{ id, stream, paymentId: null, sequence: 1, type: 'payment.succeeded', at },
      body: JSON.stringify({ id, data: { metadata } }),
    });
    await store.write('A-1', () => ({
      change: changeOf(anOrder('A-1', { sessions: [session] }), {
        payments: [payment],
        events: [event('evt_1', 'cs_1'), event('evt_2', payment.id)],
        movements: [
          {
            ...{
              id: 'mov_1',
              kind: 'refund',
              direction: 'out',
              amount: 5n,
              currency: 'NGN',
              at,
              recordedAt: at,
            },
            ...{
              late: false,
              paymentId: payment.id,
              reference: 'A-1',
              gatewayReference: 'A-1_1',
              actor: 'merchant',
            },
            ...{
              transactionRef: null,
              refundId: 'ref_1',
              method: 'card',
              reason: PRIVATE,
              source: 'gateway',
            },
          },
        ],
        approvals: [
          {
            ...{
              id: 'apr_1',
              paymentId: payment.id,
              reference: 'A-1',
              state: 'approved',
              expiresAt: at,
              createdAt: at,
            },
            doc: JSON.stringify({ reason: PRIVATE, note: PRIVATE, amount: '5' }),
          },
        ],
      }),
      result: undefined,
    }));
  });
  afterEach(() => place.end());

  /** The commit of a redaction, after which the process dies. */
  const redact = () =>
    orders.write('A-1', (stored, moment) => ({
      decision: redactSession(stored, 'cs_1', null, moment, RULES),
      result: undefined,
    }));
  const left = async () => {
    const tables = ['orders', 'payments', 'events', 'approvals', 'movements'];
    const column = { orders: 'doc', payments: 'doc', events: 'body', approvals: 'doc', movements: 'reason' };
    const rows = await Promise.all(
      tables.map((table) =>
        store.rows<{ word: string | null }>({
          text: `select cast(${column[table as keyof typeof column]} as text) as word from ${table}`,
        }),
      ),
    );
    return tables.filter((_, index) => rows[index]?.some(({ word }) => word?.includes(PRIVATE)));
  };

  it('who was redacted before the process died is erased by the next one', async () => {
    await redact();
    expect(await left()).toEqual(['events', 'approvals', 'movements']);
    await erasePayers(orders, 0);
    expect(await left()).toEqual([]);
    expect(await store.rows({ text: 'select ended_at from orders' })).toEqual([{ ended_at: null }]);
    expect(await store.rows({ text: `select amount from movements` })).toEqual([{ amount: 5 }]);
  });

  it('is erased where the process dies amid it', async () => {
    await redact();
    let statements = 0;
    const dying = Object.assign(Object.create(store) as Store, {
      run: (statement: Parameters<Store['run']>[0]) => {
        statements += 1;
        return statements > 2 ? Promise.reject(new Error('the process died')) : store.run(statement);
      },
    });
    const dead = writerOf(dying);
    await expect(eraseRecords(dead, 'A-1', 'cs_1')).rejects.toThrow('died');
    expect(await left()).toEqual(['approvals', 'movements']);
    await erasePayers(orders, 0);
    expect(await left()).toEqual([]);
  });

  it('whose session ended is erased once its time is over, and not before', async () => {
    await erasePayers(orders, 1_799_999_999_999);
    expect(await left()).toHaveLength(5);
    await erasePayers(orders, 1_800_000_000_000);
    expect(await left()).toEqual([]);
  });
});
