import { Draft } from './draft.js';
import type { Decision, Moment, NewKey, Rules } from './input.js';
import { closeSession, expireSessions, paidBy } from './orders.js';
import { isLive, type Order, type OrderState, type Payment, type Session } from './payment.js';
import { Refusal } from './refusal.js';

/** What a new session says. */
export type NewSession = Pick<
  Session,
  | 'id'
  | 'amount'
  | 'currency'
  | 'payer'
  | 'billing'
  | 'returnUrl'
  | 'methods'
  | 'locale'
  | 'metadata'
  | 'emailHash'
> & { expiresInMs: number };

interface Caller {
  actor: string;
  key: NewKey;
}

/** Opens a session: the order's first, or another one where none is open, paid or has a live payment. */
export function openSession(
  before: OrderState,
  wanted: NewSession,
  by: Caller,
  moment: Moment,
  rules: Rules,
): Decision {
  const order = before.order ?? newOrder(before.reference);
  const draft = new Draft({ ...before, order }, moment, rules, by.actor, true);
  expireSessions(draft);
  const live = draft.all().find(isLive);
  if (live) throw new Refusal('payment-in-progress', 'A payment of this reference is in progress.', live.id);
  const paid = paidBy(draft.order, draft.all());
  const taken = draft.order.sessions.some(({ status }) => status === 'open' || status === 'paid');
  if (paid !== undefined || taken)
    throw new Refusal('reference-in-use', 'This reference has a session that is open or paid.', paid);
  const { expiresInMs, ...rest } = wanted;
  draft.order.sessions.push({
    ...rest,
    status: 'open',
    closedReason: null,
    declines: 0,
    started: 0,
    sequence: 0,
    expiresAt: moment.now + expiresInMs,
    createdAt: moment.now,
    endedAt: null,
    redactedAt: null,
  });
  draft.keep(by.key, { type: 'session', id: wanted.id });
  return draft.decision();
}

/** Closes an open session. An expired or closed one stays as it is. */
export function closeByMerchant(
  before: OrderState,
  id: string,
  by: Caller,
  moment: Moment,
  rules: Rules,
): Decision {
  const draft = draftOf(before, by, moment, rules);
  expireSessions(draft);
  refuseWhileLive(draft, id);
  const { status } = draft.session(id);
  if (status === 'paid')
    throw new Refusal('session-paid', 'A paid session cannot be closed.', draft.order.payer ?? undefined);
  if (status === 'open') closeSession(draft, id, 'merchant');
  draft.keep(by.key, { type: 'session', id });
  return draft.decision();
}

/** Erases what is known of the payer. Amounts, references and the timeline stay. */
export function redactSession(
  before: OrderState,
  id: string,
  by: Caller | null,
  moment: Moment,
  rules: Rules,
): Decision {
  const draft = draftOf(before, by, moment, rules);
  refuseWhileLive(draft, id);
  const session = draft.session(id);
  session.payer = {};
  session.billing = {};
  session.metadata = blank(session.metadata);
  session.emailHash = null;
  session.redactedAt ??= moment.now;
  session.leftToErase = true;
  for (const { id: payment, sessionId } of draft.all())
    if (sessionId === id) erase(draft, draft.payment(payment));
  if (by) draft.keep(by.key, { type: 'session', id });
  return draft.decision();
}

/** Records that a redacted session's events, approvals and ledger entries are erased too. */
export function recordsErased(before: OrderState, id: string, moment: Moment, rules: Rules): Decision {
  const draft = draftOf(before, null, moment, rules);
  delete draft.session(id).leftToErase;
  return draft.decision();
}

function erase(draft: Draft, payment: Payment): void {
  payment.metadata = blank(payment.metadata);
  payment.kept = {};
  for (const operation of payment.operations) delete operation.reason;
  payment.timeline = payment.timeline.map(({ detail, ...line }) => {
    if (!detail || !('note' in detail)) return { ...line, ...(detail ? { detail } : {}) };
    const { note: _erased, ...rest } = detail;
    return { ...line, detail: rest };
  });
  draft.say(payment, 'erased');
}

function blank(metadata: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(metadata).map((name) => [name, '']));
}

function refuseWhileLive(draft: Draft, sessionId: string): void {
  const live = draft.all().find((payment) => payment.sessionId === sessionId && isLive(payment));
  if (live) throw new Refusal('payment-in-progress', 'A payment of this session is in progress.', live.id);
}

function draftOf(before: OrderState, by: Caller | null, moment: Moment, rules: Rules): Draft {
  if (!before.order) throw new Refusal('not-found', 'There is no such session.');
  return new Draft({ ...before, order: before.order }, moment, rules, by?.actor ?? null, true);
}

function newOrder(reference: string): Order {
  return {
    reference,
    attempts: 0,
    live: null,
    payer: null,
    duplicates: [],
    sessions: [],
    keys: [],
    probed: null,
    dueAt: null,
  };
}
