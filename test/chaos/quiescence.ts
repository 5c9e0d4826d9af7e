import { pause } from './calls.ts';
import { isLostRefund } from './lost-refund.ts';
import { gather, type Evidence } from './evidence.ts';
import type { Payment, Purchase } from './purchase.ts';
import type { World } from './world.ts';

/**
 * Waits until nothing is open any more: no payment live, no operation pending, no notification and no event on its way.
 * That this is reached at all is part of the promise; what was not is a violation.
 */
export async function settle(world: World, purchases: readonly Purchase[]): Promise<Evidence[]> {
  const begun = performance.now();
  let rested: Evidence[] = [];
  for (const purchase of purchases) {
    for (let looks = 1; ; looks++) {
      const evidence = await gather(world, purchase);
      const open = evidence ? whatIsOpen(world, evidence) : [NOBODY_ANSWERS];
      if (evidence && open.length === 0) {
        rested = [...rested, evidence];
        break;
      }
      if (performance.now() - begun > patience(world, open)) {
        world.violation(`${purchase.reference} does not come to rest: ${open.join('; ')}`);
        if (evidence) rested = [...rested, evidence];
        break;
      }
      // What takes long is looked at less often, or looking would be all that this machine does.
      await pause(Math.min(30 * looks, 300));
    }
  }
  return rested;
}

/** What nobody tells of is asked about ever more rarely, and a question may be lost to a crash; and a start takes what it takes. */
function patience({ patienceMs }: World, open: readonly string[]): number {
  const slow = open.every((what) => what === NOBODY_ANSWERS || what.endsWith(CHARGED_LATE));
  return slow ? Math.max(4 * patienceMs, 60_000) : patienceMs;
}

const NOBODY_ANSWERS = 'nobody answers';
const CHARGED_LATE = 'was charged late';

const FINISHED = ['succeeded', 'failed', 'canceled', 'expired', 'voided'];

function whatIsOpen(world: World, evidence: Evidence): string[] {
  const { purchase, payments, inbox, listed, delivered, gateway } = evidence;
  const open: string[] = [];
  for (const payment of payments) {
    if (!FINISHED.includes(payment.status)) open.push(`${payment.id} is ${payment.status}`);
    const there = gateway.find(({ clientRef }) => clientRef === payment.gatewayReference)?.attempts.at(-1);
    if (payment.pendingOperation && !isLostRefund(payment, there))
      open.push(`${payment.id} has a pending operation`);
  }
  for (const { status } of inbox) if (status === 'received') open.push('a notification is not applied');
  const { recorder, notifications } = world.sandbox;
  for (const { clientRef, attempts } of gateway) {
    // The gateway may tell nobody of a late charge: then the service finds it by asking, ever more rarely.
    const closed = payments.find((payment) => payment.gatewayReference === clientRef);
    if (attempts.at(-1)?.state === 'succeeded' && CLOSED_BY_US.includes(whyClosed(closed))) {
      open.push(`${clientRef} ${CHARGED_LATE}`);
    }
    const onTheirWay = notifications
      .list(clientRef)
      .filter(({ state }) => state === 'held' || state === 'sending' || state === 'retrying');
    if (onTheirWay.length > 0)
      open.push(`${onTheirWay.length} notifications about ${clientRef} are on their way`);
    const later = purchase.plan.faults.find(({ processAfterMs }) => processAfterMs !== undefined);
    // Another fault of the same operation may leave it undone for good.
    const waits = recorder
      .list(clientRef)
      .some(
        ({ operation, fault, processed }) =>
          operation === later?.operation && fault === later.kind && !processed,
      );
    if (waits) open.push('the gateway has not charged yet');
  }
  const accepted = new Set(delivered.filter((event) => event.accepted).map(({ id }) => id));
  for (const { id, type } of listed) if (!accepted.has(id)) open.push(`${type} ${id} is not delivered`);
  const expected = expectedEvents(evidence);
  if (listed.length < expected) open.push(`${listed.length} of ${expected} events are listed`);
  return open;
}

const CLOSED_BY_US = ['gateway_never_received', 'canceled', 'expired'];

function whyClosed(payment: Payment | undefined): string {
  return payment?.status === 'succeeded' ? '' : (payment?.failure?.code ?? '');
}

/** At least so many events must there be: one for each move of a payment that is announced. */
function expectedEvents({ timelines }: Evidence): number {
  const entries = [...timelines.values()].flat();
  return entries.filter(({ type, to }) => type === 'status_changed' && to !== 'processing').length;
}
