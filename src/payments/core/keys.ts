import type { NewKey } from './input.js';
import type { Key, Operation, OrderState } from './payment.js';
import { Refusal } from './refusal.js';

/**
 * What this key did before: then its resource is answered as it now stands. Undefined where nothing was recorded. Throws where the first
 * call still runs, or had other content. `sending`: whether an intended operation may still be on its way.
 */
export function usedBefore(
  { order, payments }: OrderState,
  asked: NewKey,
  sending: (operation: Operation) => boolean,
): Key | undefined {
  const key = order?.keys.find((one) => one.caller === asked.caller && one.key === asked.key);
  if (!key) return undefined;
  const same = [asked.fingerprint, ...(asked.former ?? [])].includes(key.fingerprint);
  if (key.path !== asked.path || !same)
    throw new Refusal('idempotency-key-reused', 'This key was used for another request. Use a new one.');
  const inFlight = payments
    .flatMap(({ operations }) => operations)
    .some((one) => one.id === key.operation && one.state === 'intended' && sending(one));
  const { type, id, paymentId = type === 'payment' ? id : undefined } = key.resource;
  if (inFlight)
    throw new Refusal(
      'idempotency-in-flight',
      'The first request with this key is still running. Try again soon.',
      paymentId,
    );
  return key;
}
