import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  nextRefund,
  type EnteredRefund,
  type TillfrontRefund,
} from '../../examples/medusa/src/modules/tillfront/next-refund.js';
import { RefundHistory, type Happening } from './medusa-refund-history.js';

/** What the payment provider of `examples/medusa` does about a refund, without Medusa: its part that needs none of Medusa's packages. */

const MINUTE = 60_000;

function entered(id: string, amount: string, settledBy: string | null = null, minutes = 0): EnteredRefund {
  return { id, amount, settledBy, enteredAt: new Date(minutes * MINUTE) };
}

function made(
  id: string,
  amount: string,
  reason: string | null = null,
  status: TillfrontRefund['status'] = 'succeeded',
): TillfrontRefund {
  return { id, amount, reason, status };
}

describe('what is to be done about a refund that Medusa has entered', () => {
  const own = entered('e2', '500.00', null, 20);
  const console500 = made('c1', '500.00');
  const ofE0 = made('r0', '500.00', 'Medusa refund e0');
  const cases: [string, EnteredRefund[], TillfrontRefund[], ReturnType<typeof nextRefund>][] = [
    ['nothing was given back: it is the first', [], [], { step: 'make', number: 0 }],
    [
      'the same amount was given back and entered: it is a wish of its own, and the next',
      [entered('e0', '500.00', 'r0', 20)],
      [ofE0],
      { step: 'make', number: 1 },
    ],
    [
      'the former attempt failed at Tillfront: it has used its number up',
      [],
      [{ ...ofE0, status: 'failed' }],
      { step: 'make', number: 1 },
    ],
    [
      'the console gave money back, and that is entered: it uses no number up',
      [entered('e1', '500.00', 'c1', 19)],
      [console500],
      { step: 'make', number: 0 },
    ],
    ['an attempt that Medusa removed was confirmed later', [], [ofE0], { step: 'take-over', refund: ofE0 }],
    ['the console gave as much back', [], [console500], { step: 'take-over', refund: console500 }],
    [
      'this very refund was made',
      [],
      [made('r2', '500.00', 'Medusa refund e2')],
      { step: 'take-over', refund: made('r2', '500.00', 'Medusa refund e2') },
    ],
    [
      'the console gave another amount back',
      [],
      [made('c1', '200.00')],
      { step: 'enter-first', refund: made('c1', '200.00') },
    ],
    [
      'a refund is under way',
      [],
      [made('c1', '200.00', null, 'processing')],
      { step: 'wait', amount: '200.00' },
    ],
    [
      'another attempt runs, of whose end nobody knows, though it could have the money of a third',
      [entered('e1', '500.00', null, 19)],
      [ofE0],
      { step: 'wait', amount: '500.00' },
    ],
    [
      'another attempt was made at Tillfront, and Medusa may yet give it up',
      [entered('e0', '500.00', null, 19)],
      [ofE0],
      { step: 'wait', amount: '500.00' },
    ],
    [
      'another attempt runs at a server whose clock goes ahead',
      [entered('e1', '500.00', null, 24)],
      [console500],
      { step: 'wait', amount: '500.00' },
    ],
    [
      'another attempt runs at a server whose clock is behind',
      [entered('e1', '500.00', null, 16)],
      [console500],
      { step: 'wait', amount: '500.00' },
    ],
    [
      'an attempt died before it was settled: its entry stands for what it names',
      [entered('e0', '500.00', null, 5)],
      [ofE0],
      { step: 'make', number: 1 },
    ],
    [
      'an attempt died: its entry stands for as much as it says',
      [entered('e1', '500.00', null, 5)],
      [console500],
      { step: 'make', number: 0 },
    ],
  ];
  test.each(cases)('%s', (_, others, refunds, next) => {
    expect(nextRefund(own, others, refunds)).toEqual(next);
  });
});

describe('whatever happens, in whatever order', () => {
  const kind = (withDeaths: boolean): fc.Arbitrary<Happening['kind']> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('enter' as const) },
      { weight: 3, arbitrary: fc.constant('read' as const) },
      { weight: 3, arbitrary: fc.constant('decide' as const) },
      { weight: 3, arbitrary: fc.constantFrom('arrive' as const, 'answer' as const) },
      { weight: 3, arbitrary: fc.constantFrom('give-up' as const, 'remove' as const, 'settle' as const) },
      { weight: 2, arbitrary: fc.constantFrom('confirm' as const, 'bounce' as const) },
      { weight: 1, arbitrary: fc.constantFrom('console' as const, 'ten-minutes' as const) },
      { weight: withDeaths ? 1 : 0, arbitrary: fc.constant('die' as const) },
    );
  const happenings = (withDeaths: boolean): fc.Arbitrary<Happening[]> =>
    fc.array(
      fc.record({
        kind: kind(withDeaths),
        pick: fc.nat(11),
        amount: fc.constantFrom('500.00', '200.00'),
        skewMs: fc.integer({ min: -2 * MINUTE, max: 2 * MINUTE }),
      }),
      { maxLength: 80, size: 'max' },
    );

  /** Refunds that Medusa had made and that no entry of its book stands for, yet or any more. */
  const outside = (history: RefundHistory): number => {
    const settled = new Set(history.settled());
    return history.alive().filter(({ id, reason }) => reason !== null && !settled.has(id)).length;
  };

  /** The entries whose refunds Tillfront made, in its order. */
  const madeFor = ({ refunds }: RefundHistory): number[] =>
    refunds.flatMap(({ reason }) => (reason === null ? [] : Number(reason.replace(/\D+/, ''))));

  const check = (events: Happening[]): void => {
    const history = new RefundHistory();
    for (const event of events) {
      history.happen(event);
      // The next one is only made when the last one is entered.
      expect(outside(history)).toBeLessThanOrEqual(1 + history.deaths);
      expect(new Set(history.settled()).size).toBe(history.settled().length);
    }
    // What was given up and comes late is not made after what was made in its stead.
    const order = madeFor(history);
    expect(order.every((entry, index) => index === 0 || entry > (order[index - 1] ?? 0))).toBe(true);
    history.settleDown();
    // Somebody does what Medusa says until a deliberate refund is made, and then another one like it.
    const limit = history.refunds.length + 2;
    for (let tries = 0, done = 0; done < 2; tries += 1) {
      expect(tries).toBeLessThan(limit);
      const next = history.refund('7.00');
      if (next.step === 'enter-first') history.refund(next.refund.amount);
      else done += 1;
    }
    const sevens = history.alive().filter(({ amount }) => amount === '7.00');
    expect(sevens.length).toBe(2);
    // What was given back is what the book says. An entry whose server died may stand for nothing.
    const given = history.alive().map(({ amount }) => Number(amount));
    const inBook = [...history.book.values()].map(({ amount }) => Number(amount));
    const surplus = sum(inBook) - sum(given);
    expect(surplus).toBeGreaterThanOrEqual(0);
    if (history.deaths === 0) expect(surplus).toBe(0);
  };

  test('Medusa’s book and the money agree, and nothing is given back twice', () => {
    fc.assert(fc.property(happenings(false), check), { numRuns: 3_000 });
  });

  test('a server that dies leaves at most an entry without money', () => {
    fc.assert(fc.property(happenings(true), check), { numRuns: 3_000 });
  });
});

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
