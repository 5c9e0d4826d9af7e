import type { Evidence } from './evidence.ts';
import type { Delivered } from './shop.ts';
import type { World } from './world.ts';

type Blame = (what: string) => void;

/** Each move was announced once, and each announcement reached the shop: in order, signed, the same every time. */
export function auditEvents(evidence: Evidence, blame: Blame): void {
  auditAnnounced(evidence, blame);
  auditSessionsAnnounced(evidence, blame);
  auditList(evidence, blame);
  const byAggregate = Map.groupBy(evidence.delivered, ({ aggregate }) => aggregate);
  for (const [aggregate, events] of byAggregate) auditDeliveries(aggregate, events, blame);
  const listed = new Set(evidence.listed.map(({ id }) => id));
  for (const { id, type } of evidence.delivered) {
    if (!listed.has(id)) blame(`${type} ${id} was delivered and is not listed`);
  }
}

/** Events that announce no move. */
const FACTS = [
  ...['payment.needs_attention', 'payment.refunded', 'payment.disputed'],
  ...['payment.operation_refused', 'payment.refund_failed', 'payment.resolved'],
];

/** Moves of the timeline against events, both ways. */
function auditAnnounced({ payments, timelines, listed }: Evidence, blame: Blame): void {
  for (const { id, duplicateOf } of payments) {
    const moves = (timelines.get(id) ?? []).flatMap(({ type, to }) =>
      type === 'status_changed' && to !== undefined && to !== 'processing' ? [to] : [],
    );
    const expected = moves.map((to) =>
      to === 'succeeded' && duplicateOf !== null ? 'payment.duplicate' : `payment.${to}`,
    );
    const announced = listed
      .filter(({ data, type }) => data['id'] === id && !FACTS.includes(type))
      .map(({ type }) => type);
    const fits = announced.length >= expected.length && runs(announced).join() === runs(expected).join();
    if (!fits) blame(`${id} moved ${expected.join()}, and announced ${announced.join()}`);
  }
}

/** A session says once that it is paid, and once that it was closed after that or by too many refusals. */
function auditSessionsAnnounced({ sessions, listed }: Evidence, blame: Blame): void {
  for (const { id, status } of sessions) {
    const announced = listed.filter(({ data }) => data['id'] === id).map(({ type }) => type);
    const last = announced.at(-1) ?? 'checkout_session.open';
    if (last !== `checkout_session.${String(status)}` || new Set(announced).size !== announced.length) {
      blame(`the session ${String(id)} is ${String(status)}, and announced ${announced.join() || 'nothing'}`);
    }
  }
}

/** Without repetitions: a next action may be announced again with other content, a move may not. */
function runs(types: readonly string[]): string[] {
  return types.filter((type, index) => type !== 'payment.requires_action' || types[index - 1] !== type);
}

function auditList({ listed }: Evidence, blame: Blame): void {
  if (new Set(listed.map(({ id }) => id)).size !== listed.length) blame('the list of events has one twice');
  for (const [aggregate, events] of Map.groupBy(listed, ({ data }) => String(data['id']))) {
    const order = events.map(({ sequence }) => sequence);
    if (order.some((sequence, index) => sequence !== index + 1)) {
      blame(`the events of ${aggregate} are listed as ${order.join()}`);
    }
  }
}

function auditDeliveries(aggregate: string, events: Delivered[], blame: Blame): void {
  const bodies = new Map<string, string>();
  const accepted = new Set<number>();
  let latest = 0;
  for (const { id, sequence, body, signed, accepted: taken } of events) {
    if (!signed) blame(`${id} was delivered without a right signature`);
    if (bodies.has(id) && bodies.get(id) !== body) blame(`${id} was delivered with two contents`);
    bodies.set(id, body);
    if (sequence < latest) blame(`${aggregate}: event ${sequence} was delivered after ${latest}`);
    if (sequence > 1 && !accepted.has(sequence - 1)) {
      blame(`${aggregate}: event ${sequence} was delivered before ${sequence - 1} was accepted`);
    }
    latest = Math.max(latest, sequence);
    if (taken) accepted.add(sequence);
  }
  const ids = Map.groupBy(events, ({ sequence }) => sequence);
  for (const [sequence, same] of ids) {
    if (new Set(same.map(({ id }) => id)).size > 1) blame(`${aggregate}: event ${sequence} has two ids`);
  }
}

/** The one order of all events: what a reader saw bit by bit, through all crashes, is what there is, without gaps. */
export async function auditOrder(world: World): Promise<void> {
  await world.events.catchUp();
  const rows = await world.store.read(
    `select events.id, position, ordinal from events join event_batches on event_batches.id = events.batch
     where position is not null order by position, ordinal`,
  );
  const gap = rows.findIndex(({ position, ordinal }, index) => {
    const before = rows[index - 1];
    // Within a batch, or at the beginning of the next one.
    return Number(position) === Number(before?.['position'] ?? 0)
      ? Number(ordinal) !== Number(before?.['ordinal']) + 1
      : Number(position) !== Number(before?.['position'] ?? 0) + 1 || Number(ordinal) !== 1;
  });
  if (gap >= 0) world.violation(`the order of all events has a gap at ${gap + 1}`);
  const read = world.events.read.map(({ id }) => id);
  const wrong = read.findIndex((id, index) => id !== rows[index]?.id);
  if (wrong >= 0)
    world.violation(`a reader of the events saw ${read[wrong]} where ${String(rows[wrong]?.id)} is`);
  if (read.length !== rows.length)
    world.violation(`a reader of the events saw ${read.length} of ${rows.length}`);
}
