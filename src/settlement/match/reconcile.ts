import type { DifferenceRecord } from '../../store/schema.js';

export const FACTS = [
  'subject',
  'kind',
  'settlementId',
  'line',
  'reference',
  'orderReference',
  'paymentId',
  'movementId',
  'expectedAmount',
  'expectedCurrency',
  'foundAmount',
  'foundDecimals',
  'foundCurrency',
  'transactionRef',
  'settledAt',
  'movedAt',
  'claimed',
  'firstId',
  'said',
] as const;

/** A difference as it is found now. */
export type FoundDifference = Pick<DifferenceRecord, (typeof FACTS)[number]>;

/** The facts that a person has closed a difference by. Others may become known without opening it again. */
const DECISIVE = [
  'kind',
  'expectedAmount',
  'expectedCurrency',
  'foundAmount',
  'foundDecimals',
  'foundCurrency',
] as const satisfies readonly (keyof FoundDifference)[];

/** What becomes of the differences of a reference. */
export interface Reconciled {
  /** They were not there before. */
  readonly opened: readonly FoundDifference[];
  /** They are known, and are now so. `opens`: of another kind or amount than when they were closed, or they are back. */
  readonly changed: readonly {
    readonly before: DifferenceRecord;
    readonly after: FoundDifference;
    readonly opens: boolean;
  }[];
  /** What they lacked has arrived. */
  readonly closed: readonly DifferenceRecord[];
}

/**
 * Holds what is found now against the differences that are stored, of the same references and kinds. What a person has closed stays
 * closed while it is the same. Pure.
 */
export function reconcile(
  stored: readonly DifferenceRecord[],
  found: readonly FoundDifference[],
): Reconciled {
  const known = new Map(stored.map((difference) => [difference.subject, difference]));
  const subjects = new Set(found.map(({ subject }) => subject));
  const changed = found.flatMap((fresh) => {
    const before = known.get(fresh.subject);
    if (!before) return [];
    const after = withFirst(fresh, before);
    const isOther = DECISIVE.some((fact) => before[fact] !== after[fact]);
    const opens = before.state === 'closed' && (isOther || before.closedBy === null);
    const isSame = FACTS.every((fact) => before[fact] === after[fact]);
    return isSame && !opens ? [] : [{ before, after, opens }];
  });
  return {
    opened: found.filter(({ subject }) => !known.has(subject)),
    changed,
    closed: stored.filter(({ subject, state }) => state === 'open' && !subjects.has(subject)),
  };
}

/** That a report has settled something twice itself is known when it is read: its rows that an earlier one has are not kept. */
function withFirst(after: FoundDifference, before: DifferenceRecord): FoundDifference {
  const isOwn = before.firstId !== null && before.firstId === after.settlementId;
  return isOwn && before.kind === after.kind ? { ...after, firstId: before.firstId } : after;
}
