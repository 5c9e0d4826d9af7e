import type { ApprovalBounds } from '../config/approval-above.js';
import { Problem } from '../http/problems/problem.js';
import type { MerchantCaller } from '../auth/caller.js';
import { newId } from '../store/ids.js';
import type { ApprovalKind, ApprovalRecord, ApprovalState, WrittenTextRecord } from '../store/schema.js';

const DAY = 24 * 3_600_000;
/** How long another person has to decide. */
const WAITS_FOR = 7 * DAY;

/** How an approval stands. Pure. */
export function stateOf({ state, expiresAt }: ApprovalRecord, now: number): ApprovalState {
  return state === 'waiting' && expiresAt <= now ? 'expired' : state;
}

/** Whether so much needs a second person. A currency without a bound needs none. Pure. */
export function isAbove(bounds: ApprovalBounds, amount: bigint, currency: string): boolean {
  const bound = bounds.get(currency);
  return bound !== undefined && amount > bound;
}

/** What a person asks for. */
export interface Asked {
  readonly kind: ApprovalKind;
  readonly amount: bigint;
  readonly currency: string;
  /** What is done once it is approved. Never a text that a person typed. */
  readonly wanted?: Record<string, string>;
  /** Who asks. */
  readonly actor: string;
  /** What they wrote; absent: nothing. */
  readonly text?: string | undefined;
  /** The payment that it is about, under whose reference it is written. */
  readonly payment?: { readonly id: string; readonly reference: string };
  /** What it is about besides. */
  readonly objectId?: string;
}

/** The rows of what is asked for. Pure but for ids. */
export function newApproval(
  asked: Asked,
  now: number,
  id = newId('apr', now),
): { approval: ApprovalRecord; texts: WrittenTextRecord[] } {
  const { kind, amount, currency, wanted = {}, actor, payment, objectId = null } = asked;
  const paymentId = payment?.id ?? null;
  const texts = writtenText(asked.text, { actor, paymentId, now });
  const approval: ApprovalRecord = {
    id,
    kind,
    state: 'waiting',
    reference: payment?.reference ?? id,
    ...{ paymentId, objectId, amount, currency, wanted, actor },
    textId: texts[0]?.id ?? null,
    createdAt: now,
    expiresAt: now + WAITS_FOR,
    decidedBy: null,
    decidedAt: null,
    decisionTextId: null,
    operationId: null,
    doneAt: null,
  };
  return { approval, texts };
}

/** Who decides, and what they wrote about it. */
export interface Decider {
  readonly actor: string;
  readonly text?: string | undefined;
}

/** What the decision makes of the approval besides. */
type Made = Partial<Pick<ApprovalRecord, 'operationId' | 'doneAt'>>;

/**
 * An approval that is decided now, to be written in the same commit as what follows. Throws `invalid-state` where it is decided or its time
 * is over. Pure but for ids.
 */
export function decided(
  approval: ApprovalRecord | undefined,
  state: 'approved' | 'declined',
  { actor, text }: Decider,
  now: number,
  made: Made = {},
): { approval: ApprovalRecord; texts: WrittenTextRecord[] } {
  if (!approval) throw new Problem('not-found', 'There is no such approval.');
  const standing = stateOf(approval, now);
  if (standing !== 'waiting') {
    throw new Problem('invalid-state', `This approval no longer waits: it is ${standing}.`);
  }
  const texts = writtenText(text, { actor, paymentId: approval.paymentId, now });
  return {
    approval: {
      ...approval,
      state,
      decidedBy: actor,
      decidedAt: now,
      decisionTextId: texts[0]?.id ?? null,
      ...made,
    },
    texts,
  };
}

/**
 * Throws `forbidden` where this key may not approve: it has no name, so that nobody can say whose it is, or it is the asker's. Who keeps the
 * books approves nothing. Pure.
 */
export function assertMayApprove({ actor }: ApprovalRecord, caller: MerchantCaller): void {
  if (caller.access !== 'full' || caller.name === undefined) {
    throw new Problem('forbidden', 'Only a merchant key that has a name can approve.');
  }
  if (actor === `merchant:${caller.name}`) {
    throw new Problem('forbidden', 'Who has asked cannot approve: it takes another named key.');
  }
}

function writtenText(
  content: string | undefined,
  { actor, paymentId, now }: { actor: string; paymentId: string | null; now: number },
): WrittenTextRecord[] {
  return content === undefined || content === ''
    ? []
    : [{ id: newId('txt', now), paymentId, content, actor, at: now }];
}
