import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Order, Payment } from '../payments/core/payment.js';
import { aPayment, aSession, anOrder } from '../../test/store/documents.js';
import { decodeOrder, decodePayment, encodeOrder, encodePayment } from './document.js';

// The units of fast-check's own that cover all of Unicode take seconds to be made.
const character = fc.integer({ min: 1, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
const word = fc.string({ unit: character }).filter((text) => text.isWellFormed());
const money = fc.bigInt({ min: 0n, max: 10n ** 30n });
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const words = fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,10}$/), word, {
  noNullPrototype: true,
});

const fieldsOf = (json: string) => JSON.parse(json) as Record<string, unknown>;

const payment: fc.Arbitrary<Payment> = fc
  .record({
    transactionRef: maybe(word),
    status: fc.constantFrom('processing' as const, 'succeeded' as const, 'voided' as const),
    amount: money,
    authorized: maybe(money),
    captured: money,
    corrected: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    refunded: money,
    disputedAmount: money,
    reversed: money,
    disputed: fc.boolean(),
    nextAction: fc.constantFrom(null, { type: 'otp' as const }, { type: 'ussd' as const, code: '*1#' }),
    operations: fc.array(
      fc.record(
        {
          id: word,
          type: fc.constantFrom('pay' as const, 'refund' as const),
          state: fc.constantFrom('unknown' as const, 'confirmed' as const),
          amount: money,
          process: word,
          actor: word,
          since: time,
        },
        { requiredKeys: ['id', 'type', 'state', 'process', 'actor', 'since'], noNullPrototype: true },
      ),
      { maxLength: 3 },
    ),
    duplicateOf: maybe(word),
    voidTried: fc.boolean(),
    attention: fc.array(
      fc.record(
        { reason: fc.constantFrom('differs' as const, 'duplicate' as const), since: time, word },
        { noNullPrototype: true },
      ),
      { maxLength: 2 },
    ),
    resolvedWords: fc.array(word, { maxLength: 2 }),
    card: maybe(fc.record({ brand: word, last4: word, hash: word }, { noNullPrototype: true })),
    metadata: words,
    kept: words,
    waited: fc.boolean(),
    answeredAt: maybe(time),
    denials: fc.record({ count: fc.integer({ min: 1, max: 3 }), last: time }, { noNullPrototype: true }),
    gatewayExpiresAt: maybe(time),
    check: fc.record(
      { at: maybe(time), attempts: fc.nat(9), urgent: fc.boolean(), since: time },
      { noNullPrototype: true },
    ),
    adopted: fc.boolean(),
    paidAt: maybe(time),
  })
  .map((fields) => aPayment('A-1', 1, fields));

test('a payment is read as it was written', () => {
  fc.assert(
    fc.property(payment, (one) => expect(decodePayment(encodePayment(one))).toEqual(one)),
    { numRuns: 50 },
  );
});

test('an order is read as it was written', () => {
  const order: fc.Arbitrary<Order> = fc
    .record({
      attempts: fc.nat(),
      live: maybe(word),
      payer: maybe(word),
      duplicates: fc.array(word),
      sessions: fc.array(
        fc
          .record({
            amount: money,
            metadata: words,
            endedAt: maybe(time),
            redactedAt: maybe(time),
            declines: fc.nat(3),
          })
          .map((fields) => aSession('cs_1', fields)),
      ),
      probed: maybe(time),
      dueAt: maybe(time),
    })
    .map((fields) => anOrder('A-1', fields));
  fc.assert(
    fc.property(order, (one) => expect(decodeOrder(encodeOrder(one))).toEqual(one)),
    { numRuns: 50 },
  );
});

test('amounts are decimal strings of minor units, and what is empty is left out', () => {
  const fields = fieldsOf(encodePayment(aPayment('A-1', 1, { amount: 12_345_678_901_234_567_890n })));
  expect(fields['amount']).toBe('12345678901234567890');
  for (const name of ['captured', 'failure', 'operations', 'disputed', 'metadata', 'open', 'reasons'])
    expect(fields).not.toHaveProperty(name);
});

test('what columns derive from stands in the text alone', () => {
  const ended = [
    aSession('cs_1', { endedAt: 9 }),
    aSession('cs_2', { endedAt: 5, redactedAt: 6 }),
    aSession('cs_3', { endedAt: 7 }),
  ];
  expect(fieldsOf(encodeOrder(anOrder('A-1', { sessions: ended })))['endedAt']).toBe(7);
  const attention = [{ reason: 'differs' as const, since: 1, word: 'w' }];
  expect(fieldsOf(encodePayment(aPayment('A-1', 1, { attention })))['reasons']).toBe('differs');
});
