import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Operation, Payment } from '../../src/payments/core/payment.js';
import { Waiters } from '../../src/payments/waiters.js';
import type { Store } from '../../src/store/store.js';
import { operation } from '../core/given.js';
import { aPayment, aSession, anOrder, changeOf } from './documents.js';
import { testPlace, type TestPlace } from './stores.js';

describe('who waits for a payment', () => {
  let place: TestPlace;
  let store: Store;
  let waiters: Waiters;
  beforeEach(async () => {
    place = await testPlace('embedded');
    store = await place.open();
    waiters = new Waiters(store);
    await write(payment('unknown'));
  });
  afterEach(() => place.end());

  const payment = (state: Operation['state'], over: Partial<Payment> = {}) =>
    aPayment('A-1', 1, {
      ...{
        status: 'requires_action',
        nextAction: { type: 'otp' },
        operations: [operation('otp', { state })],
      },
      ...over,
    });
  const write = (payment: Payment) =>
    store.write('A-1', () => ({
      change: changeOf(anOrder('A-1', { sessions: [aSession('cs_A-1')], live: payment.id }), {
        payments: [payment],
      }),
      result: undefined,
    }));
  const waited = async (seconds: number, meanwhile: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    const order = await store.read('A-1');
    const waiting = waiters.changed(order, 'pay_A-1_1', seconds, new AbortController().signal);
    await meanwhile();
    await waiting;
    return performance.now() - began;
  };

  it('hears at once that the code which was being checked is asked for again', async () => {
    expect(await waited(30, () => write(payment('confirmed')))).toBeLessThan(10_000);
  });

  it('hears at once of another status', async () => {
    expect(await waited(30, () => write(payment('unknown', { status: 'failed' })))).toBeLessThan(10_000);
  });

  it('hears nothing of what is not shown', async () => {
    expect(await waited(1, () => write(payment('unknown', { kept: { word: 'new' } })))).toBeGreaterThan(990);
  });
});
