import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { QuestionQueue } from './question-queue.js';

test('first come, first served, but for those whose time has not come', () => {
  const queue = new QuestionQueue(10);
  queue.add('late', 500);
  queue.add('one', 0);
  queue.add('two', 0);
  queue.add('one', 900);
  expect(queue.nextAt()).toBe(0);
  expect([queue.take(10), queue.take(10), queue.take(10)]).toEqual(['one', 'two', undefined]);
  expect(queue.nextAt()).toBe(500);
  expect([queue.take(500), queue.nextAt()]).toEqual(['late', Infinity]);
});

test('one that is being asked about keeps its place and nobody else from theirs', () => {
  const queue = new QuestionQueue(10);
  queue.add('asked', 0);
  queue.add('next', 0);
  const free = (id: string) => id !== 'asked';
  expect([queue.take(1, free), queue.take(1, free), queue.nextAt(free)]).toEqual([
    'next',
    undefined,
    Infinity,
  ]);
  expect(queue.take(1)).toBe('asked');
});

test('whoever may fill only a part leaves the rest to others', () => {
  const queue = new QuestionQueue(4);
  expect(['a', 'b', 'c'].map((id) => queue.add(id, 0, 2))).toEqual([true, true, false]);
  expect(['c', 'd', 'e'].map((id) => queue.add(id, 0))).toEqual([true, true, false]);
  expect(queue.add('a', 0, 2)).toBe(true);
});

test('however often one is added, each other waits for no more turns than there are places', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 60 }), ids, (noise, patient) => {
      const queue = new QuestionQueue(6);
      for (const id of noise.slice(0, 5)) queue.add(id, 0);
      queue.add(patient, 0);
      let turns = 0;
      for (const id of noise) {
        const taken = queue.take(1);
        turns++;
        if (taken === patient) break;
        queue.add(id, 0);
        if (taken !== undefined) queue.add(taken, 0);
        expect(queue.size).toBeLessThanOrEqual(6);
      }
      expect(turns).toBeLessThanOrEqual(6);
    }),
  );
});
