import type { ApprovalBounds } from '../config/checks.js';
import { Problem } from '../http/problems/problem.js';
import type { MerchantCaller } from '../auth/caller.js';
import { newId } from '../store/ids.js';
import type { ApprovalRecord, ApprovalState } from '../store/schema.js';

/** How long another person has to decide. */
const WAITS_MS = 7 * 24 * 3_600_000;

/** Whether an amount needs a second person. A currency without a bound needs none. Pure. */
export function isAbove(bounds: ApprovalBounds, amount: bigint, currency: string): boolean {
  const bound = bounds.get(currency);
  return bound !== undefined && amount > bound;
}

/** Pure. */
export function stateOf({ state, expiresAt }: ApprovalRecord, now: number): ApprovalState {
  return state === 'waiting' && expiresAt <= now ? 'expired' : state;
}

/** Whether what a kept key made is an approval. */
export function isApprovalId(id: string | null | undefined): id is string {
  return id?.startsWith('apr_') ?? false;
}

/** A refund that another person must approve. */
export type Asked = Pick<ApprovalRecord, 'amount' | 'currency' | 'actor' | 'reason'>;

/** Pure but for its id. */
export function newApproval(
  asked: Asked,
  payment: { id: string; reference: string },
  now: number,
): ApprovalRecord {
  return {
    ...{ ...asked, id: newId('apr', now), state: 'waiting', createdAt: now, expiresAt: now + WAITS_MS },
    ...{ paymentId: payment.id, reference: payment.reference },
    ...{ decidedBy: null, decidedAt: null, note: null, operationId: null },
  };
}

/** Who decides, and what they wrote. */
export type Decider = { readonly actor: string; readonly note: string | null };

/** The decision, for the commit of what follows from it. Throws `invalid-state` where it was decided or is over. Pure. */
export function decided(
  approval: ApprovalRecord | undefined,
  state: 'approved' | 'declined',
  { actor, note }: Decider,
  now: number,
): ApprovalRecord {
  if (!approval) throw new Problem('not-found', 'There is no such approval.');
  const current = stateOf(approval, now);
  if (current !== 'waiting') throw new Problem('invalid-state', `This approval is ${current} already.`);
  return { ...approval, state, decidedBy: actor, decidedAt: now, note };
}

/** Throws `forbidden` where this key has no name, so that nobody can say whose it is, or is the asker's. Pure. */
export function assertMayApprove({ actor }: ApprovalRecord, { name }: MerchantCaller): void {
  if (name === undefined) throw new Problem('forbidden', 'Only a merchant key that has a name can approve.');
  if (actor === `merchant:${name}`)
    throw new Problem('forbidden', 'You can’t approve your own request. Another named key must approve it.');
}
