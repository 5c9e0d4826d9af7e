import { expect, test } from '@jest/globals';
import { eventBody, makeEvent, type NewEvent } from './event.js';

const move: NewEvent = {
  type: 'payment.succeeded',
  aggregateId: 'pay_1',
  sequence: 4,
  data: { id: 'pay_1', status: 'succeeded' },
  livemode: true,
  at: Date.UTC(2030, 0, 2, 3, 4, 5, 678),
  epoch: 0,
  deliver: true,
};

test('the body is what a merchant may rely on, and nothing else', () => {
  const event = makeEvent(move);
  expect(JSON.parse(eventBody(event))).toEqual({
    id: event.id,
    type: 'payment.succeeded',
    apiVersion: 'v1',
    livemode: true,
    timestamp: '2030-01-02T03:04:05.678Z',
    sequence: 4,
    data: { id: 'pay_1', status: 'succeeded' },
  });
  expect(event.id).toBe('evt_pay_1_4');
});

test('late money says so', () => {
  expect(JSON.parse(eventBody(makeEvent({ ...move, late: true })))).toMatchObject({ late: true });
});

test('it is due at once where there is an address, and never where there is none', () => {
  expect(makeEvent(move)).toMatchObject({
    deliveryStatus: 'pending',
    nextAttemptAt: move.at,
    batch: null,
  });
  expect(makeEvent({ ...move, deliver: false })).toMatchObject({
    deliveryStatus: 'none',
    nextAttemptAt: null,
  });
});
