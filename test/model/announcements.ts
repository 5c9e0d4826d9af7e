import { pause } from '../chaos/calls.ts';
import { MAY_BECOME } from '../chaos/audit-moves.ts';
import type { ListedEvent } from '../chaos/events-reader.ts';
import type { Status } from '../chaos/purchase.ts';
import { isReadAsRefund, nameOf, showsMoney } from './invariants.ts';
import type { Scene } from './scene.ts';
import type { Shown } from './shop.ts';

/** What the shop hears without asking, held against what is shown. */

/** A position is given within a second of the service's clock, and a start takes what it takes. */
const LISTED_WITHIN_MS = 10_000;
const STATUSES = Object.keys(MAY_BECOME) as Status[];

/** The list of events as one order's shop reads it: from where the last sequence left off. */
export class EventList {
  #after: string | undefined;
  /** Where this sequence began. */
  #before: string | undefined;
  /** What each id was given to. */
  readonly #known = new Map<string, string>();
  readonly #read: ListedEvent[] = [];

  /** All events about this reference that are listed by now. */
  async of(scene: Scene): Promise<ListedEvent[]> {
    for (;;) {
      const after = this.#after === undefined ? '' : `&after=${this.#after}`;
      const page = await scene.till.read(`/v1/events?limit=100${after}`);
      const data = page['data'] as ListedEvent[];
      this.#read.push(...data);
      for (const { id, type, data: about } of data) {
        const told = `${type} ${JSON.stringify(about)}`;
        if ((this.#known.get(id) ?? told) !== told) scene.blame(`(e) the id ${id} was given to two events`);
        this.#known.set(id, told);
      }
      this.#after = data.at(-1)?.id ?? this.#after;
      if (data.length < 100) break;
    }
    return this.#read.filter(({ data }) => data['reference'] === scene.shop.reference);
  }

  /** What earlier sequences heard is not needed any more. */
  forget(): void {
    this.#read.length = 0;
    this.#known.clear();
    this.#before = this.#after;
  }

  /** An old copy was restored: what was heard since is not listed any more, and its ids must not be given out again. */
  goBack(): void {
    this.#read.length = 0;
    this.#after = this.#before;
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
    ...wrongExpiries(events, payments),
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

/** Nobody is told that an order has run out which is paid. */
function wrongExpiries(events: readonly ListedEvent[], payments: readonly Shown[]): string[] {
  const paid = events.findIndex(({ type }) => type === 'checkout_session.paid');
  const late = events.findIndex(({ type }, index) => type === 'checkout_session.expired' && index > paid);
  return paid >= 0 && late >= 0 && payments.some(showsMoney)
    ? [`(e) ${events[late]?.id ?? ''} was announced after the order was paid`]
    : [];
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
  const last = own.at(-1)?.data;
  for (const amount of ['amountCaptured', 'amountRefunded', 'disputed'] as const) {
    if (last && last[amount] !== shown[amount])
      faults.push(
        `(e) ${nameOf(shown)}: ${amount} is ${shown[amount]}, and was announced as ${String(last[amount])}`,
      );
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
  const known = scene.transactions.filter(({ forgotten }) => !forgotten);
  if (known.some(({ excuses }) => excuses.lied || excuses.resolved)) return;
  const page = await scene.till.read(`/v1/checkout-sessions?reference=${scene.shop.reference}`);
  const sessions = page['data'] as { id: string; status: string }[];
  const paid = sessions.filter(({ status }) => status === 'paid');
  const money = known.some(({ books }) => books.state === 'captured');
  const needs = (clientRef: string): boolean | undefined =>
    payments.find(({ gatewayReference }) => gatewayReference === clientRef)?.needsAttention;
  if (known.some(({ clientRef, holdsMoney }) => holdsMoney && !needs(clientRef)) && paid.length === 0)
    scene.blame(`(e) the order is paid, and none of its sessions is`);
  const unclear = payments.some((shown) => {
    const books = scene.gateway.ledger.find(shown.gatewayReference);
    const refunding = shown.pendingOperation?.['type'] === 'refund';
    return shown.needsAttention || refunding || (books && isReadAsRefund(shown, books));
  });
  if (!money && paid.length > 0 && !unclear)
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
