import {
  BELIEVED,
  isBelievable,
  openNames,
  type Belief,
  type NameSource,
  type PaymentName,
} from './payment-name.js';
import type { ReferenceRecord } from './schema.js';

const SECOND = 1_000;
/** Whoever starts a payment of an unpaid order asks about what was just heard of. Where nobody does, it is asked about in the background. */
const FIRST_ASKED_AFTER = 10 * SECOND;
const SHORTEST_PAUSE = 60 * SECOND;
const LONGEST_PAUSE = 300 * SECOND;
/** The same of a name that holds nobody up. */
const LONGEST_IDLE_PAUSE = 6 * 3_600 * SECOND;

/**
 * A reference of which further payments were named. One that was released is open again: whoever released it did not know that it
 * would be named again. The same reference where nothing is believed. Pure.
 */
export function named(
  before: ReferenceRecord,
  numbers: readonly number[],
  source: Exclude<NameSource, 'next'>,
  at: number,
  belief: Belief = BELIEVED,
): ReferenceRecord {
  let { names } = before;
  for (const n of new Set(numbers)) {
    if (!isBelievable(n, before.attempts, belief)) continue;
    const known = names.find((name) => name.n === n && !name.released);
    if (known) {
      const heard = known.source === 'next' ? { n, source, at } : { ...known, again: (known.again ?? 0) + 1 };
      names = names.with(names.indexOf(known), heard);
    } else if (openNames(names).length < belief.most) {
      names = [...names.filter((name) => name.n !== n), { n, source, at }];
    }
  }
  if (names === before.names) return before;
  const soon = before.paidPaymentIds.length > 0 ? at : at + FIRST_ASKED_AFTER;
  return { ...before, names, namesDueAt: Math.min(before.namesDueAt ?? soon, soon) };
}

/** Those of these numbers that no payment of the reference has, and under which none was named yet. Pure. */
export function unheard({ attempts, names }: ReferenceRecord, numbers: readonly number[]): number[] {
  return numbers.filter((n) => n > attempts && !names.some((name) => name.n === n));
}

/** A reference of which the gateway has seen these numbers: no payment gets one of them. The same where nothing is believed. Pure. */
export function used(before: ReferenceRecord, numbers: readonly number[]): ReferenceRecord {
  const believed = numbers.filter((n) => isBelievable(n, before.attempts));
  const attempts = Math.max(before.attempts, ...believed);
  return attempts === before.attempts ? before : { ...before, attempts };
}

/**
 * A reference after it is known what became of these payments of it: they hold up none, and their numbers are never used again.
 *
 * @param nextAt when the one after the last of them became worth a question: the gateway may have more than was named. Pure.
 */
export function answeredNames(
  before: ReferenceRecord,
  numbers: readonly number[],
  nextAt?: number,
): ReferenceRecord {
  const attempts = Math.max(before.attempts, ...numbers);
  const rest = before.names.filter(({ n }) => !numbers.includes(n));
  const isLast = nextAt !== undefined && openNames(rest).length === 0;
  if (!isLast) return withLeft({ ...before, attempts, names: rest });
  const next = { n: attempts + 1, source: 'next' as const, at: nextAt };
  return { ...before, attempts, names: [...rest, next], namesDueAt: before.namesDueAt ?? nextAt };
}

/** A reference of which the gateway has no payment after the last one: that says nothing of its number. Pure. */
export function withoutNext(before: ReferenceRecord, { n }: PaymentName): ReferenceRecord {
  return withLeft({ ...before, names: before.names.filter((name) => name.n !== n) });
}

/** Nothing is held or asked about where no name is open. */
function withLeft(reference: ReferenceRecord): ReferenceRecord {
  const isOpen = openNames(reference.names).length > 0;
  return isOpen ? reference : { ...reference, heldSince: null, namesDueAt: null };
}

/**
 * A reference whose names were asked about in vain: since when it is held, and when they are asked about again, the more rarely the longer
 * ago the last of them was heard of. Pure.
 */
export function askedInVain(before: ReferenceRecord, now: number): ReferenceRecord {
  const open = openNames(before.names);
  if (open.length === 0) return { ...before, heldSince: null, namesDueAt: null };
  // A paid order starts no payment anyway, and one without a session has none to start.
  const isHeld = before.sessionId !== null && before.paidPaymentIds.length === 0;
  const longest = isHeld ? LONGEST_PAUSE : LONGEST_IDLE_PAUSE;
  const known = now - Math.max(...open.map(({ at }) => at));
  return {
    ...before,
    heldSince: isHeld ? (before.heldSince ?? now) : null,
    namesDueAt: now + Math.min(Math.max(known, SHORTEST_PAUSE), longest),
  };
}
