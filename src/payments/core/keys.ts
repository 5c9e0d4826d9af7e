import type { NewKey } from './input.js';
import type { Key, Operation, Order, OrderState } from './payment.js';

/** What a repeated idempotency key means: nothing was recorded yet, the first still runs, other content, or a replay. */
export type Replay = { is: 'new' } | { is: 'inFlight' | 'reused' | 'replay'; key: Key };

/** Looks a key up in its order. `sending`: whether an intended operation may still be on its way. */
export function replayOf(
  state: OrderState,
  asked: NewKey,
  sending: (operation: Operation) => boolean,
): Replay {
  const key = state.order && find(state.order, asked);
  if (!key) return { is: 'new' };
  const same = [asked.fingerprint, ...(asked.former ?? [])].includes(key.fingerprint);
  if (key.path !== asked.path || !same) return { is: 'reused', key };
  const inFlight = state.payments.some(({ operations }) =>
    operations.some((one) => one.id === key.operation && one.state === 'intended' && sending(one)),
  );
  return { is: inFlight ? 'inFlight' : 'replay', key };
}

/** A request's content as one text: validated and decrypted, its members in one order. Secrets must be left out by the caller. */
export function contentText(content: unknown): string {
  return JSON.stringify(inOneOrder(content)) ?? '';
}

function find(order: Order, { caller, key }: NewKey): Key | undefined {
  return order.keys.find((one) => one.caller === caller && one.key === key);
}

function inOneOrder(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, inOneOrder(member)]),
  );
}
