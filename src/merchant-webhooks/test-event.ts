import { randomUUID } from 'node:crypto';

/** The type of an event that is about no payment: shops accept it like any type that they do not know, and do nothing. */
export const TEST_EVENT_TYPE = 'tillfront.test';

/** An event to try a receiver with. It is always test money, so that nobody ships for it, and stands in no list. */
export function makeTestEvent(at: number): { id: string; body: string } {
  const id = `evt_test_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({
    id,
    type: TEST_EVENT_TYPE,
    apiVersion: 'v1',
    livemode: false,
    timestamp: new Date(at).toISOString(),
    sequence: 1,
    data: {},
  });
  return { id, body };
}
