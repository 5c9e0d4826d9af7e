import { describe, expect, test } from '@jest/globals';
import { TokenKeeper, type FetchedToken } from './tokens.js';

const FAILED: FetchedToken = { failed: { kind: 'not-sent', reason: 'refused' } };

/** A keeper with a clock of the test's, and fetches that end when the test says. */
function keeperWith(...answers: FetchedToken[]) {
  let now = 1_000_000;
  let fetches = 0;
  const keeper = new TokenKeeper(
    () => Promise.resolve(answers[Math.min(fetches++, answers.length - 1)] ?? FAILED),
    () => now,
  );
  return {
    keeper,
    get: () => keeper.get(now + 5_000),
    pass: (seconds: number) => (now += seconds * 1000),
    fetches: () => fetches,
  };
}

function token(value: string, seconds = 600): FetchedToken {
  return { token: { value, seconds } };
}

describe('the token of a process', () => {
  test('is fetched once for all who wait, and then comes from the cache', async () => {
    const { get, fetches } = keeperWith(token('A'));
    const all = await Promise.all([get(), get(), get()]);
    expect(all).toEqual(Array(3).fill({ value: 'A', fromCache: false }));
    expect(await get()).toEqual({ value: 'A', fromCache: true });
    expect(fetches()).toBe(1);
  });

  test('is renewed a minute before its end, a short one at four fifths of its life', async () => {
    const long = keeperWith(token('A', 600), token('B', 600));
    await long.get();
    long.pass(539);
    expect(await long.get()).toEqual({ value: 'A', fromCache: true });
    long.pass(2);
    expect(await long.get()).toEqual({ value: 'B', fromCache: false });
    const short = keeperWith(token('A', 10), token('B', 10));
    await short.get();
    short.pass(7.9);
    expect(await short.get()).toMatchObject({ value: 'A' });
    short.pass(0.2);
    expect(await short.get()).toMatchObject({ value: 'B' });
  });

  test('goes on while it lasts where its renewal fails, and no longer', async () => {
    const { get, pass } = keeperWith(token('A', 600), FAILED);
    await get();
    pass(550);
    expect(await get()).toEqual({ value: 'A', fromCache: true });
    pass(60);
    expect(await get()).toEqual(FAILED);
  });

  test('whose life nobody knows is used by those who waited for it', async () => {
    const { get, fetches } = keeperWith(token('A', 0), token('B', 0));
    await get();
    expect(await get()).toEqual({ value: 'B', fromCache: false });
    expect(fetches()).toBe(2);
  });

  test('is thrown away when it was rejected, but not its successor', async () => {
    const { keeper, get, fetches } = keeperWith(token('A'), token('B'));
    await get();
    keeper.discard('A');
    expect(await get()).toEqual({ value: 'B', fromCache: false });
    keeper.discard('A');
    expect(await get()).toEqual({ value: 'B', fromCache: true });
    expect(fetches()).toBe(2);
  });

  test('is not waited for beyond a call’s own time', async () => {
    const keeper = new TokenKeeper(() => new Promise(() => undefined));
    expect(await keeper.get(performance.now() + 20)).toEqual({
      failed: { kind: 'unknown', reason: 'timeout' },
    });
  });
});
