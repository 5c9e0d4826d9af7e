import { TAKES } from '../../sandbox/ledger/ledger-entry.ts';
import { GIVEN_BACK } from './purchase-plan.ts';
import { givenBack, isLostRefund } from './lost-refund.ts';
import type { AtGateway, Evidence } from './evidence.ts';
import type { Payment, Status } from './purchase.ts';

type Blame = (what: string) => void;

/** What a payment may be, by where its transaction stands at the gateway. */
const AGREES: Readonly<Record<string, readonly Status[]>> = {
  succeeded: ['succeeded'],
  voided: ['voided'],
  authorized: ['authorized'],
  failed: ['failed', 'canceled', 'expired'],
  expired: ['expired', 'canceled', 'failed'],
  // The payer has given it up; the gateway still waits for them.
  initial: ['canceled', 'expired'],
  pending: ['canceled', 'expired'],
  otp: ['canceled', 'expired'],
  redirect: ['canceled', 'expired'],
};

/** The gateway's books against the store: no charge twice, none unrecorded, none claimed that never was. */
export function auditMoney(evidence: Evidence, blame: Blame): void {
  const { gateway, payments, purchase } = evidence;
  for (const at of gateway) {
    const payment = payments.find(({ gatewayReference }) => gatewayReference === at.clientRef);
    if (!payment) blame(`the gateway was called for ${at.clientRef}, of which the store knows nothing`);
    auditCalls(at, payment, evidence, blame);
    auditCharges(at, payment, evidence, blame);
  }
  for (const payment of payments) {
    const at = gateway.find(({ clientRef }) => clientRef === payment.gatewayReference);
    if (!at || at.attempts.length === 0) auditNothingThere(payment, blame);
  }
  for (const id of purchase.unsent) {
    const payment = payments.find((one) => one.id === id);
    const at = gateway.find(({ clientRef }) => clientRef === payment?.gatewayReference);
    if (at && at.attempts.length > 0) blame(`${id} was answered as never sent, and the gateway has it`);
  }
  auditAfterwards(evidence, blame);
  auditOncePaid(evidence, blame);
}

/** What was given back, by the shop's wish or by the gateway itself, is recorded once, and nothing else is. */
function auditAfterwards({ payments, purchase, listed, gateway }: Evidence, blame: Blame): void {
  const { afterwards, refunds } = purchase.plan;
  for (const { id, gatewayReference, status, amountRefunded, disputed } of payments) {
    if (status !== 'succeeded') continue;
    const there = gateway.find(({ clientRef }) => clientRef === gatewayReference)?.attempts.at(-1);
    const own = refunds ? givenBack(there) : null;
    // The shop wanted it once, however often it asked.
    if (own !== null && own !== GIVEN_BACK)
      blame(`${id}: ${own} was given back, and ${GIVEN_BACK} was wanted`);
    const refunded = afterwards.startsWith('part') ? GIVEN_BACK : own;
    if (amountRefunded !== refunded)
      blame(`${id}: ${refunded} was given back, ${amountRefunded} is recorded`);
    if (disputed !== (afterwards === 'charged back'))
      blame(`${id}: ${afterwards}, and disputed is ${disputed}`);
    for (const [type, so] of [
      ['payment.refunded', refunded !== null],
      ['payment.disputed', disputed],
    ] as const) {
      const times = listed.filter((event) => event.type === type && event.data['id'] === id).length;
      if (times !== (so ? 1 : 0)) blame(`${id}: ${type} was announced ${times} times`);
    }
  }
}

/** Each operation is sent at most once for each time that it was intended. */
function auditCalls(at: AtGateway, payment: Payment | undefined, evidence: Evidence, blame: Blame): void {
  const { calls, clientRef } = at;
  const sent = {
    pay: ['payCard', 'initiateWallet', 'initiateTransfer', 'generateUssdCode'],
    otp: ['validateOtp'],
    complete: ['complete'],
    void: ['void'],
    refund: ['refund'],
  };
  const timeline = (payment && evidence.timelines.get(payment.id)) ?? [];
  for (const [operation, names] of Object.entries(sent)) {
    const made = names.reduce((sum, name) => sum + (calls[name] ?? 0), 0);
    const intended = timeline.filter(
      ({ type, detail }) => type === 'operation_intended' && detail?.['operation'] === operation,
    ).length;
    if (made > intended) blame(`${clientRef}: ${operation} was sent ${made} times for ${intended} intents`);
  }
}

function auditCharges(
  { clientRef, attempts, entries }: AtGateway,
  payment: Payment | undefined,
  { timelines }: Evidence,
  blame: Blame,
): void {
  if (attempts.length > 1 || entries.some(({ duplicateClientRef }) => duplicateClientRef)) {
    blame(`${clientRef} reached the gateway ${attempts.length} times`);
  }
  const taken = entries.filter(({ kind }) => TAKES.includes(kind));
  if (taken.length > 1) blame(`${clientRef} was charged ${taken.length} times`);
  const [attempt] = attempts;
  if (!attempt || !payment) return;
  if (!(AGREES[attempt.state] ?? []).includes(payment.status)) {
    blame(
      `${clientRef} is ${attempt.state} at the gateway and ${payment.status} in the store (${payment.id})`,
    );
  }
  const [charge] = taken;
  if (payment.status === 'succeeded' && payment.amountCaptured !== charge?.amount) {
    blame(`${payment.id}: ${charge?.amount ?? 'nothing'} was taken, ${payment.amountCaptured} is recorded`);
  }
  if (payment.needsAttention && !isLostRefund(payment, attempt)) {
    blame(`${payment.id} still wants attention: ${JSON.stringify(timelines.get(payment.id))}`);
  }
}

function auditNothingThere(payment: Payment, blame: Blame): void {
  if (payment.status === 'failed' && payment.failure) return;
  blame(`${payment.id} is ${payment.status}, and the gateway has nothing of it`);
}

/**
 * A reference is paid once. Only where the gateway itself went back on its word (not known, or canceled, and charged
 * all the same) may there be a second one, and then it is named as the duplicate that it is.
 */
function auditOncePaid(evidence: Evidence, blame: Blame): void {
  const { payments, timelines, purchase, listed } = evidence;
  const events = (id: string, type: string) =>
    (timelines.get(id) ?? []).filter((entry) => entry.type === type);
  const paid = payments.filter(({ id }) => events(id, 'status_changed').some(({ to }) => to === 'succeeded'));
  const duplicates = paid.filter(({ duplicateOf }) => duplicateOf !== null);
  if (paid.length - duplicates.length > 1)
    blame(`${purchase.reference} has ${paid.length} payments that count as paid`);
  if (paid.length > 1 && !purchase.plan.mayBePaidTwice)
    blame(`${purchase.reference} was paid ${paid.length} times`);
  for (const duplicate of duplicates) {
    const wasLate = (id: string) =>
      events(id, 'status_changed').some(({ to, late }) => to === 'succeeded' && late);
    if (!wasLate(duplicate.id) && !wasLate(duplicate.duplicateOf ?? '')) {
      blame(`${duplicate.id} and ${duplicate.duplicateOf} are both paid, and neither was late`);
    }
    const announced = listed.filter(
      ({ data, type }) => data['id'] === duplicate.id && type === 'payment.duplicate',
    );
    if (announced.length !== 1)
      blame(`the duplicate ${duplicate.id} was announced ${announced.length} times`);
  }
  if (evidence.timesTell) for (const later of payments) auditStart(later, payments, timelines, blame);
}

/** A payment is only ever started beside closed ones. */
function auditStart(
  started: Payment,
  payments: Payment[],
  timelines: Evidence['timelines'],
  blame: Blame,
): void {
  for (const other of payments) {
    if (other === started || numberOf(other) > numberOf(started)) continue;
    const closedBefore = (timelines.get(other.id) ?? []).some(
      ({ type, to, at }) =>
        type === 'status_changed' &&
        ['failed', 'canceled', 'expired', 'voided'].includes(to ?? '') &&
        at <= started.createdAt,
    );
    if (!closedBefore) blame(`${started.id} was started while ${other.id} was live or paid`);
  }
}

function numberOf({ gatewayReference }: Payment): number {
  return Number(gatewayReference.split('_').at(-1));
}
