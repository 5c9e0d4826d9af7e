import { Problem } from '../../http/problems/problem.js';
import type { PaymentCursor } from '../state/payment-list.js';

/** Writes where a page of the list of payments ends. */
export function writeCursor({ createdAt, id }: PaymentCursor): string {
  return Buffer.from(`${createdAt.toString(36)}.${id}`).toString('base64url');
}

/** Reads what `writeCursor` wrote. Throws `validation-failed` for anything else. */
export function readCursor(text: string): PaymentCursor {
  const match = /^([0-9a-z]{1,10})\.(pay_[A-Za-z0-9_-]{1,40})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  const [, createdAt, id] = match ?? [];
  if (createdAt === undefined || id === undefined) {
    throw new Problem('validation-failed', 'The query does not fit.', {
      errors: [{ pointer: '/cursor', message: 'must be a nextCursor of this list' }],
    });
  }
  return { createdAt: parseInt(createdAt, 36), id };
}
