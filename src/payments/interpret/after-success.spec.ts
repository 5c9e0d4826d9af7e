import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayAnswer, GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import { MEANING_NAMES } from '../../gateway/profile/format.js';
import type { PaymentRecord, PaymentStatus } from '../../store/schema.js';
import {
  answered,
  madeAt,
  operationRecord,
  ownMoney,
  paymentIn,
  referenceOf,
  SECOND,
  sessionRecord,
  statuses,
} from '../../../test/harness/records.js';
import { PaymentWorld } from '../../../test/harness/payment-world.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { answerKey } from './answer.js';
import { interpretStatus } from './interpret-status.js';
import { saysTaken, type StatusInquiry } from './status-answer.js';

function interpret(
  result: GatewayResult,
  payment: PaymentRecord,
  over: Partial<StatusInquiry> = {},
): PaymentUpdate {
  return interpretStatus(result, {
    payment,
    reference: referenceOf(payment),
    session: sessionRecord(),
    openOperations: [],
    mode: 'live',
    now: madeAt,
    graceMs: 900 * SECOND,
    asksRefunds: false,
    ...over,
  });
}

const paid = paymentIn('succeeded');

describe('what has been given back of a paid payment', () => {
  test.each<[string, GatewayMeaning, Partial<GatewayAnswer>, bigint | undefined]>([
    ['refunded without an amount is all that was taken', 'refunded', {}, 150_000n],
    ['refunded with an amount is that amount', 'refunded', { refundedAmount: 40_000n }, 40_000n],
    ['a part', 'partiallyRefunded', { refundedAmount: 40_000n }, 40_000n],
    ['a part beside a plain success', 'succeeded', { refundedAmount: 40_000n }, 40_000n],
    ['a part of what was charged back', 'chargedBack', { refundedAmount: 1n }, 1n],
    ['a reversal of a part', 'voided', { amount: 40_000n }, 40_000n],
    ['nothing beside a plain success', 'succeeded', { refundedAmount: 0n }, undefined],
    ['nothing is said', 'succeeded', {}, undefined],
  ])('%s', (_name, meaning, over, refunded) => {
    const update = interpret(answered(meaning, { ...ownMoney, ...over }), paid);
    expect(update.refunded).toBe(refunded);
    expect(update).toMatchObject({ answered: true, conclusive: true });
    expect([update.move, update.attention]).toEqual([undefined, undefined]);
  });

  test('what has become of money says that it was taken', () => {
    const inquiry: StatusInquiry = {
      ...{ payment: paid, reference: referenceOf(paid), session: sessionRecord(), openOperations: [] },
      ...{ mode: 'live', now: madeAt, graceMs: 900 * SECOND, asksRefunds: false },
    };
    const taken = MEANING_NAMES.filter((meaning) => saysTaken(answered(meaning, ownMoney), inquiry));
    expect(taken.toSorted()).toEqual(
      ['succeeded', 'refunded', 'partiallyRefunded', 'chargedBack', 'disputeWon'].toSorted(),
    );
    const part = answered('voided', { ...ownMoney, amount: ownMoney.amount - 1n });
    expect(saysTaken(part, inquiry)).toBe(true);
  });

  test('of a completion of a part, refunded is that part', () => {
    const part = paymentIn('succeeded', { amountCaptured: 40_000n });
    expect(interpret(answered('refunded'), part).refunded).toBe(40_000n);
    expect(interpret(answered('voided', { amount: 40_000n }), part).move?.to).toBe('voided');
    expect(interpret(answered('voided', { amount: 39_999n }), part).refunded).toBe(39_999n);
  });

  test.each<[string, GatewayMeaning, Partial<GatewayAnswer>]>([
    ['a part without an amount', 'partiallyRefunded', {}],
    ['a part of nothing', 'partiallyRefunded', { refundedAmount: 0n }],
    ['what cannot be read', 'refunded', { refundedAmount: 'unreadable' }],
    ['what cannot be read beside a success', 'succeeded', { refundedAmount: 'unreadable' }],
    ['more than was taken', 'refunded', { refundedAmount: 150_001n }],
  ])('%s is unclear: a person looks', (_name, meaning, over) => {
    const answer = { meaning, amountRequired: false, ...over };
    const update = interpret({ kind: 'answered', answer }, paid);
    expect(update.attention).toEqual({ reason: 'refund_unclear', answer: answerKey(answer) });
    expect(update.refunded).toBeUndefined();
  });

  test('what is unclear is cleared by an answer that says it, and by no other', () => {
    const unclear = paymentIn('succeeded', { needsAttention: true, attentionReason: 'refund_unclear x:::' });
    expect(interpret(answered('succeeded', ownMoney), unclear).lifts).toEqual([]);
    const said = answered('partiallyRefunded', { ...ownMoney, refundedAmount: 1n });
    expect(interpret(said, unclear)).toMatchObject({ refunded: 1n, lifts: ['refund_unclear'] });
    expect(interpret(said, { ...unclear, amountRefunded: 2n }).lifts).toEqual([]);
  });

  test('a part without an amount says nothing new where all was given back', () => {
    const all = paymentIn('succeeded', { amountRefunded: 150_000n });
    expect(interpret(answered('partiallyRefunded'), all).attention).toBeUndefined();
  });

  test('a charge-back is a fact, and needs nobody to find it out', () => {
    const update = interpret(answered('chargedBack', ownMoney), paid);
    expect(update).toMatchObject({ disputed: true, conclusive: true });
    expect([update.move, update.attention]).toEqual([undefined, undefined]);
  });

  test.each<[string, Partial<GatewayAnswer>, bigint | undefined]>([
    ['as the gateway says', { disputedAmount: 40_000n }, 40_000n],
    ['not more than was taken', { disputedAmount: 150_001n }, undefined],
    ['not what cannot be read', { disputedAmount: 'unreadable' }, undefined],
  ])('a charge-back has an amount: %s', (_name, over, amount) => {
    expect(interpret(answered('chargedBack', over), paid).disputedAmount).toBe(amount);
  });

  test('a reversal of the whole beside a charge-back, or a refund after a doubtful void, is for a person', () => {
    const refunded = paymentIn('succeeded', { amountRefunded: 150_000n });
    const doubtful = { ...refunded, voidDoubtfulSince: madeAt };
    for (const before of [paymentIn('succeeded', { disputed: true }), doubtful]) {
      expect(interpret(answered('voided', ownMoney), before)).toMatchObject({
        move: { to: 'voided' },
        attention: { reason: 'refund_beside_operation' },
      });
    }
    for (const other of [paid, refunded]) {
      expect(interpret(answered('voided', ownMoney), other).attention).toBeUndefined();
    }
  });

  test('a dispute that was won is a fact', () => {
    const disputed = paymentIn('succeeded', { disputed: true });
    expect(interpret(answered('disputeWon'), disputed)).toMatchObject({ disputeWon: true, conclusive: true });
  });

  test('a dispute that was won denies a void that is open', () => {
    const openVoid = operationRecord({ type: 'void' });
    const update = interpret(answered('disputeWon'), paymentIn('succeeded'), { openOperations: [openVoid] });
    expect(update.operations).toEqual([{ id: openVoid.id, status: 'unknown', formerCount: 1 }]);
    expect(update.attention).toBeUndefined();
  });

  test('a success of a charged-back payment ends the dispute only where the profile says so', () => {
    const disputed = paymentIn('succeeded', { disputed: true });
    expect(interpret(answered('succeeded', { endsDispute: true }), disputed)).toMatchObject({
      disputeWon: true,
    });
    const update = interpret(answered('succeeded'), disputed);
    expect([update.disputeWon, update.attention?.reason]).toEqual([undefined, 'dispute_contradicted']);
    expect(interpret(answered('succeeded'), paid).attention).toBeUndefined();
  });

  test('a reversal of the whole is a void', () => {
    for (const over of [{}, ownMoney]) {
      expect(interpret(answered('voided', over), paid).move).toEqual({ to: 'voided', by: 'gateway' });
    }
  });
});

describe('beside an open void', () => {
  const openOperations = [operationRecord({ type: 'void', formerCount: 7, createdAt: 0 })];
  test.each<[GatewayMeaning, Partial<GatewayAnswer>]>([
    ['refunded', {}],
    ['voided', { amount: 40_000n }],
    ['succeeded', { refundedAmount: 40_000n }],
  ])('%s settles nothing, and a person looks', (meaning, over) => {
    const update = interpret(answered(meaning, { ...ownMoney, ...over }), paid, { openOperations });
    expect(update.attention?.reason).toBe('refund_beside_operation');
    expect(update.refunded).toBeDefined();
    expect(update.operations ?? []).toEqual([]);
    expect(update.conclusive).toBeFalsy();
  });
});

describe('about a payment that is not paid', () => {
  const words = ['refunded', 'partiallyRefunded', 'chargedBack'] as const;
  const unpaid = statuses.filter((status) => status !== 'succeeded' && status !== 'voided');
  test.each<PaymentStatus>(unpaid)('%s: nothing but an explicit success pays it', (status) => {
    for (const word of words) {
      const update = interpret(answered(word, { refundedAmount: 40_000n }), paymentIn(status));
      expect(update).toMatchObject({ attention: { reason: 'refund_of_unpaid' } });
      // A shop that takes refunds off its income must not hear of one.
      expect(update.refunded).toBeUndefined();
      expect([update.move, update.operations, update.conclusive]).toEqual([undefined, undefined, undefined]);
    }
  });

  test('what was refunded is not guessed', () => {
    expect(interpret(answered('refunded'), paymentIn('failed')).refunded).toBeUndefined();
  });

  test('a voided one that is called refunded is as it was', () => {
    const update = interpret(answered('refunded', ownMoney), paymentIn('voided'));
    expect([update.refunded, update.attention]).toEqual([undefined, undefined]);
    expect(interpret(answered('chargedBack'), paymentIn('voided'))).toMatchObject({
      disputed: true,
      attention: { reason: 'refund_of_unpaid' },
    });
  });
});

describe('given back before it counted as paid', () => {
  const firsts = ['refused', 'undecided'] as const;
  const words: [GatewayMeaning, bigint | undefined, bigint | null][] = [
    ['refunded', undefined, 150_000n],
    ['refunded', 150_000n, 150_000n],
    ['refunded', 40_000n, 40_000n],
    ['partiallyRefunded', 40_000n, 40_000n],
    ['partiallyRefunded', undefined, null],
  ];
  test.each(firsts.flatMap((first) => words.map((row) => [first, ...row] as const)))(
    'after %s, %s of %s: a success forgets nothing of it',
    (first, word, refundedAmount, expected) => {
      const world = new PaymentWorld();
      const begun = world.begin('card');
      if (!begun) throw new Error('no payment began');
      world.answer(begun.id, answered(first));
      world.ask(begun.id, answered(word, refundedAmount === undefined ? {} : { refundedAmount }));
      world.ask(begun.id, answered('succeeded', ownMoney));
      const { status, amountRefunded, attentionReason } = world.payment(begun.id);
      expect([status, amountRefunded]).toEqual(['succeeded', expected]);
      expect(attentionReason?.includes('refund_unclear') ?? false).toBe(expected === null);
      const paid = world.events.some(({ type }) => type === 'checkout_session.paid');
      expect(paid).toBe(expected !== 150_000n);
    },
  );

  test('nor where a person has said meanwhile that nothing came, nor where the success names less', () => {
    const settled = paymentIn('failed', { settledAnswer: 'refunded:150000:NGN::40000' });
    expect(interpret(answered('succeeded', ownMoney), settled).refunded).toBe(40_000n);
    const little = answered('succeeded', { ...ownMoney, refundedAmount: 10_000n });
    expect(interpret(little, settled).refunded).toBe(40_000n);
    const more = answered('succeeded', { ...ownMoney, refundedAmount: 60_000n });
    expect(interpret(more, settled).refunded).toBe(60_000n);
  });
});

describe('a reversal of a part after the gateway has given back something itself', () => {
  test.each([
    [50_000n, 100_000n, 150_000n, true],
    [50_000n, 120_000n, 150_000n, true],
    [50_000n, 30_000n, 80_000n, true],
    [50_000n, 50_000n, 50_000n, false],
  ])('%s, then %s: %s are given back', (first, part, expected, unclear) => {
    const world = new PaymentWorld();
    const begun = world.begin('card');
    if (!begun) throw new Error('no payment began');
    world.answer(begun.id, answered('succeeded', ownMoney));
    world.ask(begun.id, answered('succeeded', { ...ownMoney, refundedAmount: first }));
    for (let times = 0; times < 3; times++) {
      world.ask(begun.id, answered('voided', { ...ownMoney, amount: part }));
      const { status, amountRefunded, attentionReason } = world.payment(begun.id);
      expect([status, amountRefunded]).toEqual(['succeeded', expected]);
      expect(attentionReason?.includes('refund_unclear') ?? false).toBe(unclear);
    }
  });

  test('counts once, also after a person has settled it', () => {
    const settled = paymentIn('succeeded', {
      amountCaptured: 150_000n,
      amountRefunded: 80_000n,
      settledAnswer: 'voided:30000:NGN:',
    });
    const update = interpret(answered('voided', { amount: 30_000n, currency: 'NGN' }), settled);
    expect([update.refunded, update.attention]).toEqual([80_000n, undefined]);
  });
});

describe('a word that the profile does not list', () => {
  const unlisted = (word: string): GatewayResult => ({
    kind: 'unknown',
    reason: 'unrecognised',
    said: { word, ...ownMoney },
  });

  test.each<PaymentStatus>(['succeeded', 'authorized'])(
    'a person looks at one that is %s, once',
    (status) => {
      const update = interpret(unlisted('SETTLED'), paymentIn(status));
      expect(update).toMatchObject({ unlistedWord: 'SETTLED', attention: { reason: 'unlisted_word' } });
      const again = interpret(unlisted('SETTLED'), paymentIn(status, { unlistedWord: 'SETTLED' }));
      expect(again.attention).toBeUndefined();
      const other = interpret(unlisted('CLEARED'), paymentIn(status, { unlistedWord: 'SETTLED' }));
      expect(other.attention?.reason).toBe('unlisted_word');
    },
  );

  test('beside an error too, but not where it is only the code of that error', () => {
    const update = interpret(answered('refused', { unlisted: 'SETTLED' }), paid);
    expect(update.attention?.reason).toBe('unlisted_word');
    expect(interpret(answered('refused', { code: '51' }), paid).attention).toBeUndefined();
  });

  test.each(statuses.filter((status) => status !== 'succeeded' && status !== 'authorized'))(
    'is inconclusive for one that is %s',
    (status) => {
      expect(Object.keys(interpret(unlisted('SETTLED'), paymentIn(status)))).toEqual(['timelineNote']);
    },
  );

  test('is cleared by any clear answer of its own', () => {
    const puzzled = paymentIn('succeeded', { needsAttention: true, attentionReason: 'unlisted_word x:::' });
    expect(interpret(answered('succeeded'), puzzled).lifts).toEqual(['unlisted_word']);
    expect(interpret(answered('undecided'), puzzled).lifts).toBeUndefined();
  });
});

const money = fc.constantFrom(undefined, 0n, 1n, 40_000n, 150_000n, 150_001n, 'unreadable' as const);
const anything: fc.Arbitrary<GatewayResult> = fc
  .record({
    meaning: fc.constantFrom(...MEANING_NAMES, 'refused' as const),
    amount: money,
    refundedAmount: money,
    reference: fc.constantFrom(undefined, 'ORDER-1_1', 'ORDER-2_1'),
    currency: fc.constantFrom(undefined, 'NGN', 'USD'),
  })
  .map((said) => ({ kind: 'answered', answer: { ...said, amountRequired: false } }));

test('what was given back never shrinks, stays within what was taken, and is announced once a rise', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 12 }), (answers) => {
      const world = new PaymentWorld();
      const begun = world.begin('card');
      if (!begun) throw new Error('no payment began');
      world.answer(begun.id, answered('succeeded', ownMoney));
      let rises = 0;
      for (const result of answers) {
        const before = world.payment(begun.id);
        world.ask(begun.id, result);
        const { amountRefunded, disputed, status } = world.payment(begun.id);
        expect(amountRefunded ?? 0n).toBeGreaterThanOrEqual(before.amountRefunded ?? 0n);
        expect(amountRefunded ?? 0n).toBeLessThanOrEqual(150_000n);
        expect(amountRefunded).not.toBe(0n);
        expect(disputed || !before.disputed).toBe(true);
        expect(['succeeded', 'voided']).toContain(status);
        if (amountRefunded !== before.amountRefunded) rises += 1;
      }
      const announced = world.events.filter(({ type }) => type === 'payment.refunded');
      expect(announced).toHaveLength(rises);
      expect(world.events.filter(({ type }) => type === 'payment.disputed')).toHaveLength(
        world.payment(begun.id).disputed ? 1 : 0,
      );
    }),
  );
});

test('nothing but an explicit success makes a payment paid', () => {
  fc.assert(
    fc.property(
      anything.filter(({ kind, ...rest }) => kind === 'answered' && !isSuccess(rest)),
      fc.constantFrom(...statuses),
      (result, status) => {
        expect(interpret(result, paymentIn(status)).move?.to).not.toBe('succeeded');
      },
    ),
  );
});

function isSuccess(result: object): boolean {
  return 'answer' in result && (result.answer as GatewayAnswer).meaning === 'succeeded';
}
