import { beginningOf, endOf, type TimeZone } from '../../calendar/time-zone.js';
import { validationFailed, type Problem } from '../../http/problems/problem.js';
import { keyedHash } from '../../secrets/keyed-hash.js';
import { placeOf } from '../payments.repository.js';

/** By what a payer's e-mail is found, in whatever letters it was written. */
export function emailHash(email: string, secretKey: string): string {
  return keyedHash(secretKey, 'search', `email\n${email.trim().toLowerCase()}`).slice(0, 22);
}

/** Reads `from` and `to`; dates are those of a zone. Throws `validation-failed` where nothing can lie between them. */
export function timeRangeOf(
  query: { from?: string | undefined; to?: string | undefined },
  zone: TimeZone,
): { from: number | undefined; to: number | undefined } {
  const from = query.from === undefined ? undefined : beginningOf(query.from, zone);
  const to = query.to === undefined ? undefined : endOf(query.to, zone);
  if (from !== undefined && to !== undefined && from >= to)
    throw validationFailed([{ pointer: '/to', message: 'must be after from' }]);
  return { from, to };
}

/** Where a page begins. Throws `validation-failed` for what is no cursor. */
export function placeAt(cursor: string | undefined): { createdAt: number; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const found = placeOf(cursor);
  if (!found) throw NO_CURSOR();
  return found;
}

/** The same of a list whose places are the ids of its things. */
export function idAt(cursor: string | undefined, kind: string): string | undefined {
  if (cursor !== undefined && !cursor.startsWith(`${kind}_`)) throw NO_CURSOR();
  return cursor;
}

const NO_CURSOR = (): Problem =>
  validationFailed([{ pointer: '/cursor', message: 'must be a nextCursor of this list' }]);
