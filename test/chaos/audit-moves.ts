import type { Entry, Evidence } from './evidence.ts';
import type { Payment, Status } from './purchase.ts';

type Blame = (what: string) => void;

/** What a status may become, as the service's documentation has it. */
export const MAY_BECOME: Readonly<Record<Status, readonly Status[]>> = {
  processing: ['requires_action', 'authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
  requires_action: ['processing', 'authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
  authorized: ['succeeded', 'voided', 'expired'],
  succeeded: ['voided'],
  failed: ['authorized', 'succeeded', 'voided'],
  canceled: ['authorized', 'succeeded', 'voided'],
  expired: ['authorized', 'succeeded', 'voided'],
  voided: [],
};

/** What was answered stands, and nothing ever moved back. */
export function auditMoves(evidence: Evidence, blame: Blame): void {
  const { payments, timelines, purchase, sessions } = evidence;
  for (const payment of payments) auditTimeline(payment, timelines.get(payment.id) ?? [], blame);
  for (const { payment, status } of purchase.told) {
    const timeline = timelines.get(payment);
    if (!timeline) blame(`${payment} was answered and is gone`);
    else if (status !== 'processing' && !timeline.some(({ to }) => to === status)) {
      blame(`${payment} was answered as ${status}, which it never was`);
    }
  }
  // A refund's id is that of its operation, which its payment's timeline names.
  const made = new Set([...timelines.values()].flat().map(({ detail }) => detail?.['id']));
  for (const [key, id] of purchase.keys) {
    if (!payments.some((payment) => payment.id === id) && !made.has(id))
      blame(`the key ${key} was answered with ${id}, which is gone`);
  }
  for (const id of purchase.sessions) {
    if (!sessions.some((session) => session['id'] === id))
      blame(`the session ${id} was answered and is gone`);
  }
  auditSessions(evidence, blame);
  auditInbox(evidence, blame);
}

function auditTimeline(payment: Payment, timeline: Entry[], blame: Blame): void {
  let status: Status = 'processing';
  let at = '';
  for (const entry of timeline) {
    if (entry.at < at) blame(`${payment.id}: the timeline goes back in time at ${entry.id}`);
    at = entry.at;
    if (entry.type !== 'status_changed' || !entry.to) continue;
    if (entry.from !== status) blame(`${payment.id} was ${status}, and left ${entry.from} for ${entry.to}`);
    if (!MAY_BECOME[status].includes(entry.to)) blame(`${payment.id} went from ${status} to ${entry.to}`);
    if ((entry.late ?? false) !== ['failed', 'canceled', 'expired'].includes(status)) {
      blame(`${payment.id}: the move from ${status} to ${entry.to} says late: ${String(entry.late)}`);
    }
    status = entry.to;
  }
  if (timeline[0]?.type !== 'created') blame(`${payment.id}: the timeline does not begin with its creation`);
  if (status !== payment.status) blame(`${payment.id} is ${payment.status}, its timeline ends at ${status}`);
  if (new Set(timeline.map(({ id }) => id)).size !== timeline.length) blame(`${payment.id}: an entry twice`);
}

/** One session a reference, and it says whether the order is paid. */
function auditSessions({ sessions, payments, purchase }: Evidence, blame: Blame): void {
  if (sessions.length !== 1) blame(`${purchase.reference} has ${sessions.length} sessions`);
  const paid = payments.some(({ status, duplicateOf }) => status === 'succeeded' && duplicateOf === null);
  const voided = payments.some(({ status }) => status === 'voided');
  for (const { id, status } of sessions) {
    if (paid && status !== 'paid') blame(`the session ${String(id)} is ${String(status)}, its order is paid`);
    if (!paid && status === 'paid') blame(`the session ${String(id)} is paid, its order is not`);
    if (!paid && !voided && status === 'closed') blame(`the session ${String(id)} was closed by nobody`);
  }
}

/** Whatever notification was answered with 200 is in the store, and was followed up. */
function auditInbox({ acknowledged, inbox, failedNotifications }: Evidence, blame: Blame): void {
  for (const status of failedNotifications) blame(`a notification was answered with ${status}`);
  for (const { clientRef, status } of acknowledged) {
    const kept = inbox.find(
      ({ reference, body }) => reference === clientRef && saysStatus(String(body), status),
    );
    if (!kept) blame(`the notification "${status}" about ${clientRef} was answered with 200 and is gone`);
    else if (kept['status'] !== 'applied')
      blame(`the notification "${status}" about ${clientRef} was not followed up`);
  }
}

function saysStatus(body: string, status: string): boolean {
  try {
    return (JSON.parse(body) as { status?: unknown }).status === status;
  } catch {
    return false;
  }
}
