import { Problem } from '../http/problems/problem.js';

/** Where a page ends of a list by time: the time of its last row, in milliseconds, and its id. */
export interface Place {
  at: number;
  id: string;
}

/** Writes where a page ends. */
export function writePlace({ at, id }: Place): string {
  return Buffer.from(`${at.toString(36)}.${id}`).toString('base64url');
}

/** Reads what `writePlace` wrote. Throws `validation-failed` for anything else. */
export function readPlace(text: string): Place {
  const match = /^([0-9a-z]{1,10})\.([a-z]{3}_[A-Za-z0-9_-]{1,80})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  const [, at, id] = match ?? [];
  if (at === undefined || id === undefined) {
    throw new Problem('validation-failed', 'The query does not fit.', {
      errors: [{ pointer: '/cursor', message: 'must be a nextCursor of this list' }],
    });
  }
  return { at: parseInt(at, 36), id };
}
