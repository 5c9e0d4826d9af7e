import { expect, test } from '@jest/globals';
import { anOrder, changeOf, countUp } from '../../test/store/documents.js';
import { Forgotten, NotCommitted, type DecidedWrite, type Driver, type Mark } from './driver.js';
import { Overloaded, StoreUnavailable } from './store-unavailable.js';
import { Writer } from './writer.js';

/** A database in memory whose commits wait until they are let go, each with its own end. */
class HeldDriver {
  readonly kind = 'postgres';
  readonly marks = [{ writer: 'own_1/a', count: 0 }];
  readonly batches: DecidedWrite[][] = [];
  end = (batch: readonly DecidedWrite[]): boolean[] => batch.map(() => true);
  private held: (() => void)[] | undefined;

  hold(): void {
    this.held = [];
  }

  letGo(): void {
    for (const go of this.held ?? []) go();
    this.held = undefined;
  }

  /** No order is there. */
  rows(): Promise<never[]> {
    return Promise.resolve([]);
  }

  async commit(_mark: Mark, batch: readonly DecidedWrite[]): Promise<boolean[]> {
    this.batches.push([...batch]);
    const { held } = this;
    if (held) await new Promise<void>((resolve) => held.push(resolve));
    return this.end(batch);
  }
}

function setUp(maxWaiting?: number): { driver: HeldDriver; writer: Writer; forgotten: Mark[] } {
  const driver = new HeldDriver();
  const forgotten: Mark[] = [];
  const hooks = {
    now: () => 5,
    committed: () => undefined,
    forgotten: (mark: Mark) => Promise.resolve(void forgotten.push(mark)),
    unsteady: () => undefined,
  };
  // What a writer uses of a driver.
  const writer = new Writer(driver as unknown as Driver, hooks, maxWaiting);
  return { driver, writer, forgotten };
}

test('writes that wait at the same time share a commit, those of one order follow each other', async () => {
  const { driver, writer } = setUp();
  driver.hold();
  const first = writer.write('A', countUp);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const others = ['B', 'C', 'A', 'A', 'B'].map((reference) => writer.write(reference, countUp));
  await new Promise((resolve) => setTimeout(resolve, 20));
  driver.letGo();
  expect([await first, ...(await Promise.all(others))]).toEqual([1, 1, 1, 2, 3, 2]);
  expect(driver.batches.map((batch) => batch.map(({ reference }) => reference))).toEqual([
    ['A'],
    ['A', 'B', 'C'],
    ['A', 'B'],
  ]);
});

test('beyond a number of waiting writes new ones are refused before they are decided', async () => {
  const { driver, writer } = setUp(3);
  driver.hold();
  const taken = ['A', 'B', 'C'].map((reference) => writer.write(reference, countUp));
  let decided = false;
  const decide = () => {
    decided = true;
    return { result: 1 };
  };
  await expect(writer.write('D', decide)).rejects.toBeInstanceOf(Overloaded);
  expect(decided).toBe(false);
  const answer = writer.write('D', countUp, { always: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  driver.letGo();
  expect(await Promise.all([...taken, answer])).toEqual([1, 1, 1, 1]);
  expect(await writer.write('D', countUp)).toBe(2);
});

test('a write that loses is decided again on what is there', async () => {
  const { driver, writer } = setUp();
  let losses = 3;
  driver.end = (batch) => batch.map(() => losses-- <= 0);
  expect(await writer.write('A', countUp)).toBe(1);
  expect(driver.batches).toHaveLength(4);
  driver.end = () => [false];
  await expect(writer.write('A', countUp)).rejects.toThrow('changes too often');
});

test('a batch that finds commits lost waits until that is recorded, and is decided again', async () => {
  const { driver, writer, forgotten } = setUp();
  driver.end = (batch) => {
    const [mark] = driver.marks;
    if (forgotten.length === 0 && mark) throw new Forgotten(mark);
    return batch.map(() => true);
  };
  expect(await writer.write('A', countUp)).toBe(1);
  expect(forgotten).toEqual(driver.marks);
});

test('a batch that came to nothing is decided again, one of unknown end is not', async () => {
  const { driver, writer } = setUp();
  let fails = 2;
  const win = driver.end;
  driver.end = (batch) => {
    if (fails-- > 0) throw new NotCommitted('lost');
    return win(batch);
  };
  expect(await writer.write('A', countUp)).toBe(1);
  expect(driver.batches).toHaveLength(3);
  driver.end = () => {
    throw new StoreUnavailable('away', undefined, true);
  };
  await expect(writer.write('A', countUp)).rejects.toMatchObject({ uncertain: true });
  expect(driver.batches).toHaveLength(4);
});

test('one write that the database refuses is rejected with its reason, alone', async () => {
  const { driver, writer } = setUp();
  const win = driver.end;
  driver.end = (batch) => {
    if (batch.some(({ reference }) => reference === 'B'))
      throw new NotCommitted('refused', { cause: new RangeError('why') });
    return win(batch);
  };
  const change = changeOf(anOrder('B'));
  const outcomes = await Promise.allSettled([
    writer.write('A', countUp),
    writer.write('B', () => ({ change, result: 1 })),
    writer.write('C', countUp),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { message: 'why' } });
});
