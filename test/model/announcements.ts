import { pause } from '../chaos/calls.ts';
import { MAY_BECOME } from '../chaos/audit-moves.ts';
import type { ListedEvent } from '../chaos/events-reader.ts';
import type { Status } from '../chaos/purchase.ts';
import { nameOf, showsMoney } from './invariants.ts';
import type { Scene } from './scene.ts';
import type { Shown } from './shop.ts';

/** What the shop hears without asking, held against what is shown. */

/** A position is given within a second of the service's clock, and a start takes what it takes. */
const LISTED_WITHIN_MS = 10_000;
const STATUSES = Object.keys(MAY_BECOME) as Status[];

/** The list of events as one order's shop reads it: from where the last sequence left off. */
export class EventList {
  #after: string | undefined;
  readonly #read: ListedEvent[] = [];

  /** All events about this reference that are listed by now. */
  async of(scene: Scene): Promise<ListedEvent[]> {
    for (;;) {
      const after = this.#after === undefined ? '' : `&after=${this.#after}`;
      const page = await scene.till.read(`/v1/events?limit=100${after}`);
      const data = page['data'] as ListedEvent[];
      this.#read.push(...data);
      this.#after = data.at(-1)?.id ?? this.#after;
      if (data.length < 100) break;
    }
    return this.#read.filter(({ data }) => data['reference'] === scene.shop.reference);
  }

  /** What earlier sequences heard is not needed any more. */
  forget(): void {
    this.#read.length = 0;
  }
}

const lists = new WeakMap<object, EventList>();

export function eventsOf(scene: Scene): EventList {
  const list = lists.get(scene.till) ?? new EventList();
  lists.set(scene.till, list);
  return list;
}

/** (e) Sequences without gaps, a way that there is, and at its end the status that is shown. */
export async function auditEvents(scene: Scene, payments: readonly Shown[]): Promise<void> {
  const list = eventsOf(scene);
  const wrong = (events: readonly ListedEvent[]): string[] => [
    ...payments.flatMap((shown) => wrongEvents(shown, events)),
    ...wrongSequences(events),
  ];
  const deadline = performance.now() + LISTED_WITHIN_MS;
  for (;;) {
    const faults = wrong(await list.of(scene));
    if (faults.length === 0) break;
    if (performance.now() > deadline) {
      for (const fault of faults) scene.blame(fault);
      break;
    }
    await pause(50);
  }
  list.forget();
}

function wrongSequences(events: readonly ListedEvent[]): string[] {
  return [...Map.groupBy(events, ({ data }) => String(data['id']))].flatMap(([id, own]) => {
    const order = own.map(({ sequence }) => sequence);
    return order.every((sequence, index) => sequence === index + 1)
      ? []
      : [`(e) the events of ${id} are listed as ${order.join()}`];
  });
}

function wrongEvents(shown: Shown, events: readonly ListedEvent[]): string[] {
  const own = events.filter(({ data }) => data['id'] === shown.id);
  const faults: string[] = [];
  let status: Status = 'processing';
  let paidAs = '';
  for (const { type, data } of own) {
    if (type === 'payment.succeeded' && !showsMoney(data as unknown as Shown))
      faults.push(`(a) ${nameOf(shown)} was announced as paying, and holds no money`);
    const word = type.slice('payment.'.length);
    if (word === 'succeeded' || word === 'duplicate') paidAs = word;
    const to = word === 'duplicate' ? 'succeeded' : STATUSES.find((one) => one === word);
    if (!to) continue;
    // What is not announced lies between: a code that was taken makes the payment `processing` again.
    const again = to === status && (to === 'requires_action' || to === 'succeeded');
    if (!again && !MAY_BECOME[status].includes(to))
      faults.push(`(e) ${nameOf(shown)} announced ${to} after ${status}`);
    status = to;
  }
  // What was given back before anybody knew that it was paid is announced by that alone.
  const never = shown.status === 'succeeded' && paidAs === '' && !showsMoney(shown);
  const quietly = (shown.status === 'processing' && status === 'requires_action') || never;
  if (status !== shown.status && !quietly)
    faults.push(`(e) ${nameOf(shown)} is ${shown.status}, the last announcement was ${status}`);
  const as = shown.duplicateOf === null ? 'succeeded' : 'duplicate';
  if (showsMoney(shown) && paidAs !== as)
    faults.push(`(e) ${nameOf(shown)} is ${as}, and was announced as ${paidAs}`);
  return faults;
}

/** (e) A session is paid where the gateway holds money for the reference, and only where it has taken some and not voided it. */
export async function auditSessions(scene: Scene, payments: readonly Shown[]): Promise<void> {
  if (scene.transactions.some(({ excuses }) => excuses.lied || excuses.resolved)) return;
  const page = await scene.till.read(`/v1/checkout-sessions?reference=${scene.shop.reference}`);
  const sessions = page['data'] as { id: string; status: string }[];
  const paid = sessions.filter(({ status }) => status === 'paid');
  const money = scene.transactions.some(({ books }) => books.state === 'captured');
  if (scene.transactions.some(({ holdsMoney }) => holdsMoney) && paid.length === 0)
    scene.blame(`(e) the order is paid, and none of its sessions is`);
  if (!money && paid.length > 0)
    scene.blame(`(e) ${paid.map(({ id }) => id).join()} is paid, and the gateway has no money for it`);
  for (const { id } of paid) {
    if (!payments.some(({ sessionId, status }) => sessionId === id && status === 'succeeded'))
      scene.blame(`(e) the session ${id} is paid, and none of its payments is`);
  }
  for (const { id } of scene.shop.sessions) {
    if (!sessions.some((session) => session.id === id))
      scene.blame(`(e) the session ${id} was answered and is gone`);
  }
}
