import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cut, sayingOf, uploadsOf, type Cut } from '../../../test/books/cuts.js';
import {
  CURRENCIES,
  FAULTS,
  plan,
  storyOf,
  WEEK,
  type BookRow,
  type Plan,
  type Story,
} from '../../../test/books/stories.js';
import { minorOf } from '../files/file-amount.js';
import { evidenceOf, type KeptRow } from './kept-row.js';
import type { KnownMoney } from './known-money.js';
import { matchRows } from './match-rows.js';
import type { Match } from './matching.js';
import { unsettledOf } from './found-differences.js';

const DAY_MS = 24 * 3_600_000;
const NOW = WEEK + 30 * DAY_MS;

/** Of each currency and method one payment that is settled rightly, so that reports are seen to carry them. */
const chorus: readonly Plan[] = CURRENCIES.flatMap((currency) =>
  (['card', 'wallet', 'transfer'] as const).map((method) => ({
    ...{ life: 'paid', currency, method, hundreds: 50, minute: 10_000, refunds: [], chargeback: null },
    ...{ listed: true, asRefund: false, fault: null, takenBack: false },
  })),
);

/** What is kept of the rows once all files came. */
function uploaded(rows: readonly BookRow[], files: Cut): KeptRow[] {
  return uploadsOf(rows, files).flatMap((file, upload) => {
    const seen = new Map<string, number>();
    return file.map((row, index): KeptRow => {
      const identity = sayingOf(row);
      const nth = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, nth);
      const { type, reference, transactionRef, refundRef, amount, currency, settledAt } = row;
      return {
        ...{
          type,
          reference,
          transactionRef,
          refundRef,
          currency,
          identity,
          nth,
          fee: null,
          net: null,
          payout: null,
        },
        ...{ settlementId: `stl_${upload}`, line: index + 2, amount: { digits: amount, decimals: null } },
        settledAt: { from: settledAt, until: settledAt },
      };
    });
  });
}

/** All that differs, as kind, reference and amount. */
function foundIn(stories: readonly Story[], kept: readonly KeptRow[]): string[] {
  const byReference = Map.groupBy(kept, ({ reference }) => reference);
  const newest = Math.max(...kept.map(({ settledAt }) => settledAt?.until ?? 0));
  const known = new Map(
    stories.flatMap(({ known: one }) => (one ? [[one.payment.gatewayReference, one] as const] : [])),
  );
  return [...new Set([...byReference.keys(), ...known.keys()])].flatMap((reference) => {
    const money = known.get(reference);
    const { rows } = evidenceOf(byReference.get(reference) ?? []);
    const matched = matchRows(rows, money);
    expectWhole(matched.matches, money);
    const before = Math.min(newest, NOW - 5 * DAY_MS);
    const absent = money ? unsettledOf(money, matched, { from: 0, before, carries: () => true }) : [];
    return [
      ...matched.findings.map(
        ({ kind, found }) => `${kind} ${reference} ${minorOf(found, found.currency ?? '') ?? '?'}`,
      ),
      ...absent.map(({ expected }) => `not_settled ${reference} ${expected.amount}`),
    ];
  });
}

/** What settles a movement comes to its amount, and no row is spent twice. */
function expectWhole(matches: readonly Match[], money: KnownMoney | undefined): void {
  for (const { id, amount } of money?.movements ?? []) {
    const own = matches.filter(({ movementId }) => movementId === id);
    const gross = own.reduce((sum, match) => sum + match.gross, 0n);
    expect([0n, amount]).toContain(gross);
  }
  const back = new Set<string>();
  for (const { id, kind, direction } of money?.movements ?? [])
    if (kind === 'correction' && direction === 'out') back.add(id);
  for (const [row, own] of Map.groupBy(matches, (match) => match.row)) {
    const spent = own.reduce(
      (sum, { gross, movementId }) => sum + (back.has(movementId) ? -gross : gross),
      0n,
    );
    expect(spent).toBe(row.amount.digits);
  }
}

describe('the gateway’s book, in whatever files and in whatever order', () => {
  test('differs in just what was planted', () => {
    const faulty = fc.option(fc.constantFrom(...FAULTS), { nil: null, freq: 2 });
    fc.assert(
      fc.property(fc.array(plan(faulty), { maxLength: 25 }), cut, (plans, files) => {
        const stories = [...plans, ...chorus].map((one, n) => storyOf(n, one));
        const kept = uploaded(
          stories.flatMap(({ rows }) => rows),
          files,
        );
        const planted = stories.flatMap((story) =>
          story.planted.map(({ kind, reference, amount }) => `${kind} ${reference} ${amount}`),
        );
        expect(foundIn(stories, kept).sort()).toEqual(planted.sort());
      }),
    );
  });

  test('every fault can be planted, and every one is found', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(plan(fc.constantFrom(...FAULTS)), (one) => {
        for (const { kind } of storyOf(1, one).planted) seen.add(`${one.fault} ${kind}`);
      }),
      { numRuns: 2_000 },
    );
    expect([...seen].map((one) => one.split(' ')[0]).sort()).toEqual([...FAULTS].sort());
  });
});
