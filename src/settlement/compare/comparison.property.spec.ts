import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../../test/setup/properties.js';
import { defaultProfile } from '../../gateway/profile/default-profile.js';
import type {
  PaymentStatus,
  SettlementDifferenceRecord,
  SettlementReturnRecord,
} from '../../store/schema.js';
import { REPORT_DIFFERENCES, type DifferenceKind } from '../difference.js';
import { ReportReader } from '../files/report-reader.js';
import { Problem } from '../../http/problems/problem.js';
import type { KnownPayment, PaidPlace } from '../store/known-payments.js';
import type { SettlementsRepository } from '../store/settlements.repository.js';
import { DifferenceWriter } from './difference-writer.js';
import { Pace } from './pace.js';
import { isCompared, ReportComparison, type ComparisonParts, type Returns } from './report-comparison.js';

const DAY_MS = 24 * 3_600_000;
const START = Date.parse('2031-01-01T00:00:00Z');
const shapes = defaultProfile.settlement ?? [];

/** One payment, and what its report says of it. */
interface Story {
  status: PaymentStatus;
  minor: number;
  refunded: number;
  disputed: boolean;
  /** In the report: its row, and what is wrong with that. */
  listed: 'not' | 'right' | 'twice' | 'other amount' | 'pending';
  refundListed: number;
  chargebackListed: boolean;
  /** Whether it is in the store. */
  here: boolean;
}

const story: fc.Arbitrary<Story> = fc.record({
  status: fc.constantFrom<PaymentStatus>('succeeded', 'succeeded', 'failed', 'processing', 'voided'),
  minor: fc.integer({ min: 100, max: 1_000_000 }),
  refunded: fc.constantFrom(0, 0, 50),
  disputed: fc.boolean(),
  listed: fc.constantFrom<Story['listed']>('not', 'right', 'right', 'twice', 'other amount', 'pending'),
  refundListed: fc.constantFrom(0, 0, 50, 60),
  chargebackListed: fc.boolean(),
  here: fc.constantFrom(true, true, true, false),
});

const referenceOf = (index: number): string => `ORDER-${index}_1`;

/** What must be found, from the story alone. */
function expectedOf({ here, ...of }: Story, index: number): [DifferenceKind, string][] {
  const reference = referenceOf(index);
  const found: DifferenceKind[] = [];
  const isListed = of.listed !== 'not' && of.listed !== 'pending';
  if (isListed) {
    if (!here) found.push('unknown_here');
    else if (of.status !== 'succeeded') found.push('not_paid_here');
    else if (of.listed === 'other amount') found.push('amount_differs');
    if (of.listed === 'twice') found.push('twice_there');
  } else if (here && of.status === 'succeeded') found.push('missing_there');
  const back = of.status === 'voided' ? of.minor : of.refunded;
  if (of.refundListed > 0 && !(here && of.refundListed <= back)) found.push('refund_unknown_here');
  if (of.chargebackListed && !(here && of.disputed)) found.push('chargeback_unknown_here');
  return found.map((kind) => [kind, reference]);
}

const major = (minor: number): string => (minor / 100).toFixed(2);

function reportOf(stories: readonly Story[]): string {
  const row = (...cells: string[]): string => cells.join(',');
  const at = (days: number): string => new Date(START + days * DAY_MS).toISOString();
  const rows = stories.flatMap(({ listed, minor, refundListed, chargebackListed }, index) => {
    const named = (type: string, amount: string, status = 'SETTLED'): string =>
      row(referenceOf(index), `T${index}`, type, amount, '', 'NGN', status, at(10));
    const payment = named('PAYMENT', major(listed === 'other amount' ? minor + 1 : minor));
    return [
      ...(listed === 'not'
        ? []
        : [listed === 'pending' ? named('PAYMENT', major(minor), 'PENDING') : payment]),
      ...(listed === 'twice' ? [payment] : []),
      ...(refundListed > 0 ? [named('REFUND', major(refundListed))] : []),
      ...(chargebackListed ? [named('CHARGEBACK', major(minor))] : []),
    ];
  });
  // So that the report's time holds all payments, whatever rows there are.
  const fence = [0, 20].map((day) => row('FENCE', '', 'FEE', '1.00', '', 'NGN', 'SETTLED', at(day)));
  const frame = [0, 20].map((day) =>
    row(`NOBODY-${day}_1`, '', 'PAYMENT', '1.00', '', 'NGN', 'SETTLED', at(day)),
  );
  const header = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';
  return [header, ...frame, ...fence, ...rows, ''].join('\n');
}

/** The store, as far as a comparison asks it. */
function storeOf(stories: readonly Story[]): ComparisonParts['known'] {
  const payments = stories.flatMap((one, index): KnownPayment[] => {
    if (!one.here) return [];
    return [
      {
        ...{
          id: `pay_${String(index).padStart(4, '0')}`,
          reference: `ORDER-${index}`,
          gatewayReference: referenceOf(index),
        },
        ...{
          status: one.status,
          amount: BigInt(one.minor),
          currency: 'NGN',
          captured: null,
          duplicateOf: null,
        },
        ...{
          refunded: BigInt(one.refunded),
          disputed: one.disputed,
          chargedBack: null,
          closedAt: START + DAY_MS,
        },
      },
    ];
  });
  const store: ComparisonParts['known'] = {
    byGatewayReference: (wanted) =>
      Promise.resolve(
        new Map(
          payments
            .filter(({ gatewayReference }) => wanted.includes(gatewayReference))
            .map((payment) => [payment.gatewayReference, payment]),
        ),
      ),
    ofReferences: () => Promise.resolve([]),
    paidBetween: ({ at, id }: PaidPlace, until, limit) =>
      Promise.resolve(
        payments
          .filter(({ status, closedAt, id: own }) => {
            const place = closedAt ?? 0;
            return status === 'succeeded' && (place > at || (place === at && own > id)) && place <= until;
          })
          .slice(0, limit),
      ),
  };
  return store;
}

/** The rows that say that money went back, as the store keeps them. */
function keptReturns(): Returns {
  const kept: SettlementReturnRecord[] = [];
  return {
    of: (references) => Promise.resolve(kept.filter(({ reference }) => references.includes(reference))),
    add: (rows) => {
      kept.push(...rows);
      return Promise.resolve();
    },
  };
}

async function compare(stories: readonly Story[], pieces: readonly Buffer[]): Promise<[string, string][]> {
  const written: SettlementDifferenceRecord[] = [];
  const repository: Pick<SettlementsRepository, 'addDifferences'> = {
    addDifferences: (some) => {
      written.push(...some);
      return Promise.resolve();
    },
  };
  const differences = new DifferenceWriter(repository, 'stl_1', REPORT_DIFFERENCES, 0);
  const reader = new ReportReader(shapes);
  const comparison = new ReportComparison({
    known: storeOf(stories),
    differences,
    pace: new Pace(() => Promise.resolve()),
    now: START,
    settledElsewhere: () => Promise.resolve(new Set()),
    settlementId: 'stl_1',
    returns: keptReturns(),
  });
  for await (const rows of reader.rows(sent(pieces))) await comparison.take(rows.filter(isCompared));
  await comparison.end();
  await differences.flush();
  expect(reader.setAside.count).toBe(0);
  expect(Object.values(differences.counts).reduce((sum, count) => sum + count, 0)).toBe(written.length);
  return written
    .filter(({ reference }) => !reference.startsWith('NOBODY'))
    .map(({ kind, reference }) => [kind, reference]);
}

describe('the comparison', () => {
  test('finds exactly what was planted, wherever the file is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(story, { maxLength: 30 }),
        fc.integer({ min: 1, max: 200 }),
        async (stories, size) => {
          const bytes = Buffer.from(reportOf(stories));
          const pieces: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
          const found = await compare(stories, pieces);
          expect(found.map(String).sort()).toEqual(stories.flatMap(expectedOf).map(String).sort());
        },
      ),
    );
  });
});

async function* sent(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

/** Why a file is refused; undefined where it is read. Any other error is thrown. */
async function refusalOf(pieces: readonly Buffer[]): Promise<Problem | undefined> {
  try {
    for await (const rows of new ReportReader(shapes).rows(sent(pieces))) expect(rows).toBeDefined();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

describe('a broken file', () => {
  test('is refused by line, or read as it stands, and never ends in another error', async () => {
    const good = Buffer.from(reportOf([]));
    const change = fc.record({
      at: fc.nat(good.length - 1),
      remove: fc.nat(40),
      put: fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.constantFrom('"', '\n', '\r', ',,', '\0', '\ufeff', ';'),
      ),
      cut: fc.boolean(),
      raw: fc.uint8Array({ maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 64 }),
        async (changes, size) => {
          let bytes: Buffer = good;
          for (const { at, remove, put, cut, raw } of changes) {
            const before = bytes.subarray(0, at);
            bytes = cut
              ? before
              : Buffer.concat([before, Buffer.from(put), Buffer.from(raw), bytes.subarray(at + remove)]);
          }
          const pieces: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
          const problem = await refusalOf(pieces);
          if (!problem) return;
          expect(problem.code).toBe('validation-failed');
          const lines = bytes.toString('latin1').split(/\r\n|\n|\r/).length;
          for (const { line = 0, message } of problem.extra.errors ?? []) {
            expect(line).toBeGreaterThan(0);
            expect(line).toBeLessThanOrEqual(lines + 1);
            expect(message).toContain(`line ${line}`);
          }
        },
      ),
    );
  });
});
