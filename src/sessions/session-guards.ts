import { clientRefOf, fitsGateway, type ReferenceForm } from '../gateway/requests/client-ref.js';
import { Problem } from '../http/problems/problem.js';
import type { ReferenceRecord, SessionRecord } from '../store/schema.js';

/** How long a client token can still read after its session's end. */
const READS_AFTER_END = 24 * 3_600_000;

/** Throws `unauthorized` where the session's token has expired. */
export function assertTokenReads(
  session: SessionRecord | undefined,
  now: number,
): asserts session is SessionRecord {
  if (!session || now > session.expiresAt + READS_AFTER_END) {
    throw new Problem('unauthorized', 'This client token has expired.');
  }
}

/** Whether an open session has expired. A live payment keeps it open. */
export function isOverdue(session: SessionRecord, reference: ReferenceRecord, now: number): boolean {
  return session.status === 'open' && now > session.expiresAt && reference.livePaymentIds.length === 0;
}

/** Throws where no payment may be started for this session and its reference now. */
export function assertPayable(session: SessionRecord, reference: ReferenceRecord, now: number): void {
  const [paid] = reference.paidPaymentIds;
  const [live] = reference.livePaymentIds;
  if (paid !== undefined) throw new Problem('session-paid', 'This is already paid.', { paymentId: paid });
  if (live !== undefined) {
    throw new Problem('payment-in-progress', 'A payment for this reference is in progress.', {
      paymentId: live,
    });
  }
  if (session.status === 'paid') throw new Problem('session-paid', 'This session is already paid.');
  if (session.status === 'closed') throw new Problem('session-closed', 'This session is closed.');
  if (session.status === 'expired' || now > session.expiresAt) {
    throw new Problem('session-expired', 'The time of this session is over.');
  }
}

/** Throws where a new session cannot be made for a reference because of what its last one still is. */
export function assertReferenceFree(
  last: SessionRecord | undefined,
  reference: ReferenceRecord,
  now: number,
): void {
  const [live] = reference.livePaymentIds;
  if (live !== undefined) {
    throw new Problem('payment-in-progress', 'A payment for this reference is in progress.', {
      paymentId: live,
    });
  }
  const open = last?.status === 'open' && !isOverdue(last, reference, now);
  if (open || last?.status === 'paid' || reference.paidPaymentIds.length > 0) {
    throw new Problem('reference-in-use', 'A session with this reference is open or paid.');
  }
}

/** Throws where the gateway would not take the reference of this session's first payment, which is longer than the merchant's. */
export function assertReferenceFits({ reference, attempts }: ReferenceRecord, form: ReferenceForm): void {
  const clientRef = clientRefOf(reference, attempts + 1, form);
  if (fitsGateway(clientRef, form)) return;
  const room = (form.maxLength ?? 0) - (clientRef.length - reference.length);
  throw new Problem('validation-failed', 'The gateway does not accept a reference of this length.', {
    errors: [{ pointer: '/reference', message: `must have at most ${room} characters for this gateway` }],
  });
}
