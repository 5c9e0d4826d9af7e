import { describe, expect, it } from '@jest/globals';
import type { Fact } from '../../src/gateway/fact.js';
import type { Operation, Payment, Status } from '../../src/payments/core/payment.js';
import {
  AMOUNT,
  announced,
  DECLINED,
  first,
  heard,
  HOUR,
  moved,
  NOW,
  operation,
  order,
  OTP,
  payment,
  reasons,
  REDIRECT,
  when,
} from './given.js';

/**
 * The contract's table (part 1), fact by status, as it is written there. `person`: nothing moves, the payment needs attention. `–`:
 * ignored. `that`: what the row says happened to the money. Each cell is tried beside every operation that can be open there.
 */
const TABLE = `
| fact                          | processing       | requires_action  | authorized      | succeeded    | failed canceled expired | voided |
|-------------------------------|------------------|------------------|-----------------|--------------|-------------------------|--------|
| paid                          | succeeded        | succeeded        | succeeded       | –            | succeeded late          | person |
| paid, disputed                |                  |                  |                 | person       |                         |        |
| held                          | authorized       | authorized       | –               | –            | authorized late         | –      |
| held, another live            |                  |                  |                 | –            | person                  | –      |
| held, another paid            | authorized       | authorized       | –               |              | person                  | –      |
| failed                        | failed           | failed           | person          | person       | –                       | –      |
| expired                       | expired          | expired          | expired         | person       | –                       | –      |
| reversed                      | voided           | voided           | voided          | voided       | voided                  | –      |
| reversed, refunded            |                  |                  |                 | person       |                         | –      |
| reversed, disputed            |                  |                  |                 | person       |                         | –      |
| given back in part            | succeeded, that  | succeeded, that  | succeeded, that | that         | succeeded late, that    | person |
| given back in part, disputed  |                  |                  |                 | that         |                         |        |
| no rise, disputed             |                  |                  |                 | person       |                         |        |
| charged back                  | succeeded, that  | succeeded, that  | succeeded, that | that         | succeeded late, that    | person |
| dispute won                   | succeeded        | succeeded        | succeeded       | –            | succeeded late          | person |
| dispute won, disputed         |                  |                  |                 | that         |                         |        |
| given back whole              | voided           | voided           | voided          | that         | voided                  | –      |
| given back whole, disputed    |                  |                  |                 | person       |                         |        |
| waiting                       | –                | –                | –               | –            | –                       | –      |
| waiting for a code            | requires_action  | –                | –               | –            | –                       | –      |
| waiting for a redirect        | requires_action  | the other action | –               | –            | –                       | –      |
| denied                        | counted          | –                | –               | –            | –                       | –      |
| another reference             | person           | person           | person          | person       | person                  | person |
| another amount                | person           | person           | person          | person       | person                  | person |
| an unlisted word              | –                | –                | person          | person       | –                       | –      |
| unclear                       | –                | –                | –               | –            | –                       | –      |
`;

const FACTS: Record<string, Fact> = {
  paid: { is: 'paid' },
  held: { is: 'held' },
  failed: { is: 'failed', failure: DECLINED },
  expired: { is: 'expired', failure: { ...DECLINED, code: 'expired' } },
  reversed: { is: 'reversed' },
  'given back in part': { is: 'givenBack', whole: false, refundedTotal: 600n },
  'no rise': { is: 'givenBack', whole: false, refundedTotal: 0n },
  'charged back': { is: 'chargedBack' },
  'dispute won': { is: 'disputeWon' },
  'given back whole': { is: 'givenBack', whole: true },
  waiting: { is: 'waiting' },
  'waiting for a code': OTP,
  'waiting for a redirect': REDIRECT,
  denied: { is: 'denied' },
  'another reference': { is: 'foreign', differs: 'reference' },
  'another amount': { is: 'paid', amount: AMOUNT + 100n },
  'an unlisted word': { is: 'unlisted', word: 'ODD' },
  unclear: { is: 'unclear', why: 'timeout' },
};

/** What "that" is: the ledger's entry and its event. */
const THAT: Record<string, { money: string; event: string }> = {
  'given back in part': { money: 'refund out 600', event: 'payment.refunded' },
  'given back whole': { money: 'refund out 1500', event: 'payment.refunded' },
  'charged back': { money: 'chargeback out 1500', event: 'payment.disputed' },
  'dispute won': { money: 'chargeback_reversal in 700', event: 'payment.dispute_won' },
};

/** What can be open in a status (part 5). */
const OPEN: Partial<Record<Status, readonly Operation[]>> = {
  processing: [operation('pay')],
  requires_action: [operation('otp'), operation('pin')],
  authorized: [operation('complete'), operation('void')],
  succeeded: [operation('void'), operation('refund', { amount: 900n })],
};

interface Cell {
  fact: string;
  beside: string | undefined;
  status: Status;
  cell: string;
}

function cells(): Cell[] {
  const [header = [], , ...rows] = TABLE.trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim()),
    );
  return rows.flatMap(([name = '', ...row]) =>
    row.flatMap((cell, column) => {
      const [fact = '', beside] = name.split(', ');
      const statuses = (header[column + 1] ?? '').split(' ') as Status[];
      return cell === '' ? [] : statuses.map((status) => ({ fact, beside, status, cell }));
    }),
  );
}

function given({ status, beside }: Cell, open: readonly Operation[]): readonly Payment[] {
  const one = payment({
    status,
    createdAt: NOW - HOUR,
    operations: [...open],
    ...(beside === 'disputed' ? { disputed: true, disputedAmount: 700n } : {}),
    ...(beside === 'refunded' ? { refunded: 500n } : {}),
    ...(beside === 'another paid' && status === 'succeeded' ? { duplicateOf: 'pay_2' } : {}),
  });
  if (beside === 'another live') return [one, payment({ n: 2, status: 'authorized' })];
  if (beside === 'another paid') return [one, payment({ n: 2, status: 'succeeded' })];
  return [one];
}

function name({ fact, beside, status, cell }: Cell, open: string): string {
  return `${fact}${beside ? `, ${beside}` : ''} × ${status}${open} → ${cell}`;
}

const ALL = cells();

describe('the table', () => {
  it('has every status', () => {
    expect(new Set(ALL.map(({ status }) => status))).toHaveProperty('size', 8);
  });

  for (const cell of ALL) {
    const besides = cell.beside?.startsWith('another') ? [] : (OPEN[cell.status] ?? []);
    it(name(cell, ''), () => {
      expectCell(cell, []);
    });
    for (const open of besides)
      it(name(cell, ` with an open ${open.type}`), () => {
        expectCell(cell, [open]);
      });
  }
});

function expectCell(cell: Cell, open: readonly Operation[]): void {
  const fact = FACTS[cell.fact];
  if (!fact) throw new Error(`no such fact: ${cell.fact}`);
  const payments = given(cell, open);
  const before = order(payments);
  const [was] = payments;
  const decision = when(before, heard(fact));
  const is = first(decision);
  const [move = '', then] = expectation(cell, open).split(', ');

  if (move === 'person') {
    expect(reasons(is)).toEqual([cell.fact.startsWith('another') ? 'differs' : 'contradicted']);
    expect(announced(decision)).toContain('payment.needs_attention');
    expect(moved(decision)).toEqual([]);
    expect(is.status).toBe(cell.status);
    return;
  }
  expect(reasons(is)).toEqual(cell.beside === 'another paid' && move === 'authorized' ? ['hold_ending'] : []);
  const [status = '', late] = move.split(' ');
  const stays = ['–', 'counted', 'that', 'the'].includes(status);
  expect(is.status).toBe(stays ? cell.status : status);
  expect(decision.entries.some((entry) => entry.of === 'payment' && entry.line.late === true)).toBe(
    late === 'late',
  );
  expect(is.nextAction).toEqual(actionAfter(cell, was));
  expect(is.denials.count).toBe(move === 'counted' ? 1 : 0);
  expect(moved(decision)).toEqual(moneyOf(cell, status, then, open));
  if (!stays) expect(announced(decision)).toContain(`payment.${status}`);
  if (then === 'that' || status === 'that') expect(announced(decision)).toContain(THAT[cell.fact]?.event);
  if (status === '–' && open.length === 0) expect(announced(decision)).toEqual([]);
}

/** Beside an open refund a reversal is for a person too; a void that is open is of everything. */
function expectation({ fact, cell, status }: Cell, [open]: readonly Operation[]): string {
  return fact === 'reversed' && status === 'succeeded' && open?.type === 'refund' ? 'person' : cell;
}

function actionAfter({ fact, cell, status }: Cell, was: Payment | undefined): Payment['nextAction'] {
  const named = FACTS[fact];
  if (cell === 'requires_action' || cell === 'the other action')
    return named?.is === 'waiting' ? (named.action ?? null) : null;
  return status === 'requires_action' && cell === '–' ? (was?.nextAction ?? null) : null;
}

function moneyOf(
  { fact, status: from }: Cell,
  status: string,
  then: string | undefined,
  [open]: readonly Operation[],
): string[] {
  // Our open refund of 900 is in it, and the rest is the gateway's own.
  if (fact === 'given back whole' && open?.type === 'refund') return ['refund out 900', 'refund out 600'];
  const sale = status === 'succeeded' ? ['payment in 1500'] : [];
  const reversal = status === 'voided' && from === 'succeeded' ? ['void out 1500'] : [];
  const that = status === 'that' || then === 'that' ? [THAT[fact]?.money ?? ''] : [];
  return [...sale, ...reversal, ...that];
}
