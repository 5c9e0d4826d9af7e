import { describe, expect, it } from '@jest/globals';
import type { Fact } from '../../src/gateway/fact.js';
import type { Operation, OperationType, Payment, Status } from '../../src/payments/core/payment.js';
import {
  announced,
  DECLINED,
  first,
  heard,
  operation,
  order,
  OTP,
  payment,
  REDIRECT,
  reasons,
  when,
} from './given.js';

/**
 * What the gateway's word does to an operation that is open. `done`: confirmed. `no`: refused. `–`: it stays open.
 * `stays`: refused, and nothing else moves.
 */
const WORDS: Record<string, Fact> = {
  paid: { is: 'paid' },
  held: { is: 'held' },
  failed: { is: 'failed', failure: DECLINED },
  expired: { is: 'expired', failure: { ...DECLINED, code: 'expired' } },
  reversed: { is: 'reversed' },
  part: { is: 'givenBack', whole: false, refundedTotal: 600n },
  whole: { is: 'givenBack', whole: true },
  'charged back': { is: 'chargedBack' },
  won: { is: 'disputeWon' },
  code: OTP,
  redirect: REDIRECT,
  waiting: { is: 'waiting' },
  accepted: { is: 'accepted' },
  denied: { is: 'denied' },
  foreign: { is: 'foreign', differs: 'reference' },
  amount: { is: 'paid', amount: 1n },
  unlisted: { is: 'unlisted', word: 'ODD' },
  unclear: { is: 'unclear', why: 'timeout' },
  refused: { is: 'refused', failure: DECLINED, cardTried: false },
  'not sent': { is: 'notSent', failure: { ...DECLINED, code: 'gateway_unavailable' }, cardTried: false },
  'refund done': { is: 'refundDone' },
  'refund failed': { is: 'refundFailed' },
  'refund amount': { is: 'refundDone', amount: 1n },
};

const STATUS_ANSWERS = `
| word         | pay  | otp  | pin  | complete | void of a hold | void of a sale | refund |
|--------------|------|------|------|----------|----------------|----------------|--------|
| paid         | done | done | done | done     | –              | –              | –      |
| held         | done | done | done | –        | –              | –              | –      |
| failed       | done | done | done | –        | no             | no             | –      |
| expired      | done | done | done | no       | no             | no             | –      |
| reversed     | done | done | done | no       | done           | done           | –      |
| part         | done | done | done | done     | no             | no             | –      |
| whole        | done | done | done | no       | no             | no             | done   |
| charged back | done | done | done | done     | –              | –              | –      |
| won          | done | done | done | done     | –              | –              | –      |
| code         | done | done | done | –        | –              | –              | –      |
| redirect     | done | done | done | –        | –              | –              | –      |
| waiting      | done | –    | –    | –        | –              | –              | –      |
| denied       | –    | –    | –    | –        | –              | –              | –      |
| foreign      | –    | –    | –    | –        | –              | –              | –      |
| amount       | –    | –    | –    | –        | –              | –              | –      |
| unlisted     | –    | –    | –    | –        | –              | –              | –      |
| unclear      | –    | –    | –    | –        | –              | –              | –      |
`;

const OWN_ANSWERS = `
| word          | pay  | otp   | pin   | complete | void of a hold | void of a sale | refund |
|---------------|------|-------|-------|----------|----------------|----------------|--------|
| paid          | done | done  | done  | done     | –              | –              | –      |
| held          | done | done  | done  | –        | –              | –              | –      |
| failed        | done | done  | done  | stays    | stays          | stays          | no     |
| expired       | done | done  | done  | stays    | stays          | stays          | –      |
| reversed      | done | done  | done  | no       | done           | done           | –      |
| code          | done | done  | done  | –        | –              | –              | –      |
| waiting       | done | –     | –     | –        | –              | –              | –      |
| accepted      | done | –     | –     | –        | –              | –              | –      |
| foreign       | –    | –     | –     | –        | –              | –              | –      |
| amount        | –    | –     | –     | –        | –              | –              | –      |
| unlisted      | –    | –     | –     | –        | –              | –              | –      |
| unclear       | –    | –     | –     | –        | –              | –              | –      |
| refused       | no   | stays | stays | stays    | stays          | stays          | no     |
| not sent      | no   | stays | stays | stays    | stays          | stays          | no     |
| refund done   |      |       |       |          |                |                | done   |
| refund failed |      |       |       |          |                |                | no     |
| refund amount |      |       |       |          |                |                | –      |
`;

const WHERE: Record<string, [OperationType, Status]> = {
  pay: ['pay', 'processing'],
  otp: ['otp', 'requires_action'],
  pin: ['pin', 'requires_action'],
  complete: ['complete', 'authorized'],
  'void of a hold': ['void', 'authorized'],
  'void of a sale': ['void', 'succeeded'],
  refund: ['refund', 'succeeded'],
};

const cases = (table: string): [word: string, where: string, cell: string][] => {
  const [header = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim()),
    );
  return rows.flatMap(([word = '', ...row]) =>
    row.flatMap((cell, column): [string, string, string][] =>
      cell === '' ? [] : [[word, header[column + 1] ?? '', cell]],
    ),
  );
};

function given(where: string): [Operation, Payment] {
  const [type, status] = WHERE[where] ?? ['pay', 'processing'];
  const open = operation(type);
  return [open, payment({ status, operations: [open] })];
}

function expectEnd(operations: readonly Operation[], cell: string): void {
  const [ended] = operations;
  expect(ended?.state).toBe(cell === 'done' ? 'confirmed' : cell === '–' ? 'unknown' : 'refused');
  expect(ended?.endedAt === undefined).toBe(cell === '–');
}

describe('an open operation', () => {
  it.each(cases(STATUS_ANSWERS))('hears %s as %s by a status answer: %s', (word, where, cell) => {
    const [, one] = given(where);
    const decision = when(order([one]), heard(WORDS[word] ?? { is: 'unclear', why: '' }));
    expectEnd(first(decision).operations, cell);
    if (cell === 'no') expect(announced(decision)).toContain('payment.operation_refused');
  });

  it.each(cases(OWN_ANSWERS))('is answered %s as %s: %s', (word, where, cell) => {
    const [open, one] = given(where);
    const answer = heard(WORDS[word] ?? { is: 'unclear', why: '' }, { to: { operation: open.id } });
    const decision = when(order([one]), answer);
    const is = first(decision);
    expectEnd(is.operations, cell);
    if (cell === 'stays') {
      expect(is.status).toBe(one.status);
      expect(is.nextAction).toEqual(one.nextAction);
      expect(reasons(is)).toEqual([]);
      expect(announced(decision)).toEqual(['payment.operation_refused']);
      expect(is.operations[0]?.problem?.code).toMatch(/^gateway-/);
    }
    if (cell === 'no' && where === 'refund') expect(announced(decision)).toEqual(['payment.refund_failed']);
    if (cell === 'no' && where === 'pay') {
      expect(is.status).toBe('failed');
      expect(announced(decision)).toEqual(['payment.failed']);
    }
    if (word === 'foreign' || word.endsWith('amount')) expect(reasons(is)).toEqual(['differs']);
  });

  it.each(
    cases(OWN_ANSWERS).filter(([word]) => !['paid', 'held', 'refund done', 'refund amount'].includes(word)),
  )('stays as it is where %s as %s comes from who lost the lease', (word, where) => {
    const [open, one] = given(where);
    const fact = WORDS[word] ?? { is: 'unclear', why: '' };
    if (word === 'amount') return expect(fact.is).toBe('paid');
    const decision = when(order([one]), heard(fact, { to: { operation: open.id }, owned: false }));
    const is = first(decision);
    expect(is.operations).toEqual(one.operations);
    expect(is.status).toBe(one.status);
    expect(reasons(is)).toEqual([]);
    expect(is.check).toMatchObject({ urgent: true, attempts: 0 });
  });
});
