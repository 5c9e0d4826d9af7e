import { expect, test } from '@jest/globals';
import { StoreUnavailable } from './store-unavailable.js';
import { WriteProof } from './write-proof.js';

/** A store that confirms writes until it is told a reason not to, and a clock. */
function started() {
  let now = 0;
  const store: { reason?: string } = {};
  const tries: boolean[] = [];
  const proof = new WriteProof(
    (asMuch) => {
      tries.push(asMuch);
      const { reason } = store;
      return reason === undefined ? Promise.resolve() : Promise.reject(new StoreUnavailable(reason));
    },
    () => now,
  );
  return { proof, store, tries, wait: (ms: number) => void (now += ms) };
}

test('a commit is proof for a while, and then a little is written', async () => {
  const { proof, tries, wait } = started();
  proof.confirmed();
  wait(1_900);
  expect(await proof.reason()).toBeUndefined();
  expect(tries).toEqual([]);
  wait(200);
  expect(await proof.reason()).toBeUndefined();
  expect(tries).toEqual([false]);
});

test('however many ask, a write is tried once a second', async () => {
  const { proof, store, tries, wait } = started();
  store.reason = 'it is full';
  const asked = await Promise.all(Array.from({ length: 50 }, () => proof.reason()));
  expect(new Set(asked)).toEqual(new Set(['it is full']));
  wait(999);
  await proof.reason();
  expect(tries).toHaveLength(1);
  wait(1);
  await proof.reason();
  expect(tries).toHaveLength(2);
});

test('after a commit that failed as much as a payment is written, whatever else is confirmed, until that is', async () => {
  const { proof, store, tries, wait } = started();
  proof.failed('it is away');
  proof.confirmed();
  store.reason = 'it is full';
  expect(await proof.reason()).toBe('it is full');
  proof.confirmed();
  wait(1_000);
  delete store.reason;
  expect(await proof.reason()).toBeUndefined();
  wait(2_000);
  await proof.reason();
  expect(tries).toEqual([true, true, false]);
});

test('what was confirmed before a commit failed is no proof after it', async () => {
  const { proof, store, wait } = started();
  expect(await proof.reason()).toBeUndefined();
  wait(100);
  proof.failed('it is away');
  store.reason = 'it is away';
  expect(await proof.reason()).toBe('it is away');
  wait(1_000);
  expect(await proof.reason()).toBe('it is away');
});

test('the reason is the newest one', async () => {
  const { proof, store, wait } = started();
  store.reason = 'it is full';
  await proof.reason();
  store.reason = 'it had an input or output error';
  wait(1_000);
  expect(await proof.reason()).toBe('it had an input or output error');
});

test('a write that is never answered is one reason more, and no second one is begun', async () => {
  let tries = 0;
  const proof = new WriteProof(() => {
    tries += 1;
    return new Promise(() => undefined);
  });
  expect(await proof.reason()).toMatch(/not confirmed within/);
  expect(await proof.reason()).toMatch(/not confirmed within/);
  expect(tries).toBe(1);
});
