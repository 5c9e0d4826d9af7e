import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  DAY,
  HOUR,
  madeAt,
  MINUTE,
  operationRecord,
  paymentRecord,
  SECOND,
} from '../../../test/harness/records.js';
import { seenSinceCall, unseenUntil, withSeenTime, type Note } from './seen-time.js';

/** Two processes that ask in turn, die, and share a clock that is set at will. */
type Move =
  | { do: 'pass'; milliseconds: number }
  | { do: 'step'; milliseconds: number }
  | { do: 'answer'; process: 0 | 1 }
  | { do: 'begin'; process: 0 | 1 }
  | { do: 'restart'; process: 0 | 1 };

const process = fc.constantFrom<0 | 1>(0, 1);
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    do: fc.constant('pass' as const),
    milliseconds: fc.integer({ min: 0, max: 8 * HOUR }).map((eighths) => eighths / 8),
  }),
  fc.record({ do: fc.constant('step' as const), milliseconds: fc.integer({ min: -9 * DAY, max: 9 * DAY }) }),
  fc.record({ do: fc.constant('answer' as const), process }),
  fc.record({ do: fc.constant('begin' as const), process }),
  fc.record({ do: fc.constant('restart' as const), process }),
);

test('never more time is seen than passes between answers, whatever clocks and processes do', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
      let elapsed = 0;
      let offset = 0;
      let payment = paymentRecord();
      const notes: (Note | undefined)[] = [undefined, undefined];
      let firstAt: number | undefined;
      let begun = { at: 0, seenMs: 0 };
      for (const [count, made] of moves.entries()) {
        if (made.do === 'pass') elapsed += made.milliseconds;
        else if (made.do === 'step') offset += made.milliseconds;
        else if (made.do === 'restart') notes[made.process] = undefined;
        else {
          const own = elapsed + made.process * 777;
          const before = payment.seenMs;
          payment = withSeenTime(
            payment,
            { at: own, before: notes[made.process] },
            Math.floor(madeAt + elapsed + offset),
          );
          if (made.do === 'begin') {
            begun = { at: elapsed, seenMs: payment.seenMs };
            payment.pendingOperation = { type: 'complete', since: new Date(madeAt + count).toISOString() };
          }
          notes[made.process] = { at: own, seenMs: payment.seenMs, pending: payment.pendingOperation };
          firstAt ??= elapsed;
          expect(Number.isSafeInteger(payment.seenMs)).toBe(true);
          expect(payment.seenMs).toBeGreaterThanOrEqual(before);
          expect(payment.seenMs).toBeLessThanOrEqual(elapsed - firstAt + 1);
          expect(payment.seenMs - begun.seenMs).toBeLessThanOrEqual(elapsed - begun.at + 1);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

test('all of it is seen while clocks agree, by one process or by two in turn', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ wait: fc.integer({ min: 0, max: 5 * MINUTE }), process })),
      (answers) => {
        let elapsed = 0;
        let payment = paymentRecord();
        const notes: [Note, Note] = [
          { at: 0, seenMs: 0, pending: null },
          { at: 0, seenMs: 0, pending: null },
        ];
        for (const { wait, process: one } of answers) {
          elapsed += wait;
          payment = withSeenTime(payment, { at: elapsed, before: notes[one] }, madeAt + elapsed);
          notes[one] = { at: elapsed, seenMs: payment.seenMs, pending: null };
        }
        expect(payment.seenMs).toBe(elapsed);
      },
    ),
  );
});

test('a first answer, and one after a payment of an earlier version, adds nothing', () => {
  const known = paymentRecord({ seenMs: 7 });
  expect(withSeenTime(known, { at: 5 * HOUR, before: undefined }, madeAt + HOUR).seenMs).toBe(7);
  const old = { ...known, answeredAt: null };
  const after = withSeenTime(
    old,
    { at: 5 * HOUR, before: { at: 0, seenMs: 7, pending: null } },
    madeAt + HOUR,
  );
  expect(after).toMatchObject({ seenMs: 7, answeredAt: madeAt + HOUR });
});

test('what a process saw before another one began an operation adds nothing to the time of that, though the clock was set', () => {
  const answeredAt = madeAt + 10 * SECOND;
  const pendingOperation = { type: 'complete', since: new Date(answeredAt).toISOString() } as const;
  const begun = paymentRecord({ seenMs: 0, answeredAt, pendingOperation });
  const known = { at: 0, seenMs: 0, pending: null };
  const first = withSeenTime(begun, { at: 12 * SECOND, before: known }, answeredAt + HOUR);
  expect(first.seenMs).toBe(0);
  const heard = { at: 12 * SECOND, seenMs: 0, pending: pendingOperation };
  const second = withSeenTime(first, { at: 15 * SECOND, before: heard }, answeredAt + HOUR + 3 * SECOND);
  expect(second.seenMs).toBe(3 * SECOND);
});

test('an operation’s time begins with its call', () => {
  const payment = paymentRecord({ seenMs: 10 * MINUTE });
  expect(seenSinceCall(payment, operationRecord({ seenFromMs: 4 * MINUTE }))).toBe(6 * MINUTE);
});

test.each([
  ['an hour', HOUR, HOUR * 0.99, 0],
  ['an hour, a second of it too few', HOUR, HOUR * 0.99 - SECOND, SECOND],
  ['a minute', MINUTE, MINUTE - 2 * SECOND, 0],
  ['less than any answer takes', SECOND, 0, -SECOND],
])('a payment that was given %s', (_what, given, seenMs, unseen) => {
  expect(unseenUntil(madeAt + given, paymentRecord({ seenMs }))).toBe(unseen);
});
