import type { LedgerEntry } from '../../sandbox/ledger/ledger-entry.ts';
import type { Transaction } from '../../sandbox/ledger/transaction.ts';
import type { Json } from './calls.ts';
import type { ListedEvent } from './events-reader.ts';
import type { Payment, Purchase, Status } from './purchase.ts';
import type { Delivered } from './shop.ts';
import type { Row } from './store-reader.ts';
import type { World } from './world.ts';

/** An entry of a payment's timeline. */
export interface Entry {
  id: string;
  type: string;
  at: string;
  from?: Status;
  to?: Status;
  late?: boolean;
  detail?: Record<string, string>;
}

/** What the gateway did under one `client_ref`, by its own books. */
export interface AtGateway {
  clientRef: string;
  attempts: readonly Transaction[];
  entries: readonly LedgerEntry[];
  /** Calls received, by operation. */
  calls: Readonly<Record<string, number>>;
}

/** Everything that is known about one purchase, from every side. */
export interface Evidence {
  purchase: Purchase;
  /** Whether the times of this world tell what came first. */
  timesTell: boolean;
  payments: Payment[];
  timelines: Map<string, Entry[]>;
  sessions: Json[];
  gateway: AtGateway[];
  /** Notifications that the service has answered with 200. */
  acknowledged: { clientRef: string; status: string }[];
  /** Notifications that the service has answered with what no sender should ever see. */
  failedNotifications: number[];
  /** What the store holds of notifications about the purchase's payments. */
  inbox: Row[];
  listed: ListedEvent[];
  delivered: Delivered[];
}

/** Reads it all through the service's interface, the sandbox's books, and the shop's post. */
export async function gather(world: World, purchase: Purchase): Promise<Evidence | undefined> {
  const { reference } = purchase;
  const page = await world.ask(`/v1/payments?reference=${reference}&limit=100`);
  const sessions = await world.ask(`/v1/checkout-sessions?reference=${reference}`);
  if (!page || !sessions) return undefined;
  const payments = page['data'] as Payment[];
  const timelines = new Map<string, Entry[]>();
  for (const { id } of payments) {
    const timeline = await world.ask(`/v1/payments/${id}/events`);
    if (!timeline) return undefined;
    timelines.set(id, timeline['data'] as Entry[]);
  }
  await world.events.catchUp();
  const { ledger, recorder, notifications } = world.sandbox;
  const clientRefs = new Set([
    ...ledger.transactions().map(({ clientRef }) => clientRef),
    ...recorder.list().map(({ clientRef }) => clientRef),
  ]);
  const own = [...clientRefs].filter((clientRef) => clientRef.startsWith(`${reference}_`));
  return {
    purchase,
    timesTell: world.clocksAgree,
    payments,
    timelines,
    sessions: sessions['data'] as Json[],
    gateway: own.map((clientRef) => ({
      clientRef,
      attempts: ledger.attempts(clientRef),
      entries: ledger.entries(clientRef),
      calls: recorder.calls(clientRef),
    })),
    acknowledged: own.flatMap((clientRef) =>
      notifications
        .list(clientRef)
        .filter(({ attempts }) => attempts.some(({ status }) => status === 200))
        .map(({ body }) => ({ clientRef, status: (body as { status: string }).status })),
    ),
    failedNotifications: own
      .flatMap((clientRef) => notifications.list(clientRef))
      .flatMap(({ attempts }) => attempts.map(({ status }) => status))
      .filter((status) => status !== 0 && status !== 200 && status !== 503),
    inbox: await world.store.read(
      `select reference, body, status from notifications where reference like '${reference}#_%' escape '#'`,
    ),
    listed: world.events.read.filter(({ data }) => data['reference'] === reference),
    delivered: world.shop.delivered.filter((event) => event.reference === reference),
  };
}
