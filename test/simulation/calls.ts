import { lookAtApproval } from './approvals.ts';
import type { Charge } from './book.ts';
import type { Call } from './gateway.ts';
import { nameOf, showsMoney } from './payment-shown.ts';
import type { World } from './world.ts';

/** What holds whenever a call goes out that moves money or state. */

/** Nobody acts on an answer that is older than a call lasts. */
const UNSEEN_MS = 45_000;
/** The policy asks about the payment that pays, and then voids the duplicate at once. */
const JUST_ASKED_MS = 10_000;
/** An intent that was not sent so soon is never sent. */
const SENT_WITHIN_MS = 5_000;

/** An order must not be charged while an earlier attempt holds money, or may yet get some. */
function lookBeforeCharge(world: World, started: string): void {
  for (const other of world.book.of(referenceOf(started))) {
    if (other.ref === started || world.isExcused(other) || isForAPerson(world, other)) continue;
    if (other.hasMoney) world.blame(`${started} is charged while ${other.ref} is ${other.money.state}`);
    else if (other.money.state === 'pending' && other.method === 'card' && !other.misled)
      world.blame(`${started} is charged while the card of ${other.ref} is being charged`);
  }
}

/** A payment that counts as unpaid, of which an answer said something that does not fit: it is live to nobody, and a person was called. */
function isForAPerson(world: World, charge: Charge): boolean {
  return shownAs(world, charge)?.needsAttention ?? false;
}

const referenceOf = (ref: string): string => ref.slice(0, ref.lastIndexOf('_'));

/** An operation that is open, as the store has it. */
interface Open {
  id: string;
  type: string;
  status: string;
  actor: string;
  refund: string;
  intended: number;
}

export function lookBeforeSending(world: World, call: Call): void {
  const { operation, ref, refundRef, charge } = call;
  if (operation === 'pay') {
    const [row] = world.store.rows('select pay_status from payments where gateway_reference = ?', ref);
    if (row?.['pay_status'] !== 'intended')
      world.blame(`${ref} goes out, and is ${String(row?.['pay_status'])}`);
    lookAtAge(world, ref, ref);
    if (!world.lost.has(referenceOf(ref))) lookBeforeCharge(world, ref);
    return;
  }
  const open = openOperations(world, ref);
  const own = open.find(
    ({ type, refund }) => type === operation && (refundRef === '' || refund === refundRef),
  );
  if (own?.status !== 'intended')
    world.blame(`a ${operation} of ${ref} goes out, and is ${own?.status ?? 'given up'}`);
  if (!own) return;
  lookAtAge(world, own.id, `a ${operation} of ${ref}`);
  for (const other of open)
    if (other !== own) world.blame(`a ${operation} of ${ref} goes out beside a ${other.type} that is open`);
  if (!charge) return;
  if (world.lost.has(charge.reference)) {
    if (operation === 'refund') lookAtReference(world, charge, refundRef);
    return;
  }
  if (operation === 'complete') lookBeforeCompletion(world, charge);
  if (operation === 'void') lookBeforeVoid(world, charge, own);
  if (operation === 'refund') {
    lookBeforeRefund(world, charge, call);
    lookAtApproval(world, own.id, call);
  }
  if (own.actor !== 'policy' && operation !== 'otp' && operation !== 'pin')
    lookBesidePolicy(world, own, call);
}

function lookAtAge(world: World, intent: string, what: string): void {
  world.wentOut.add(intent);
  const age = world.time.now - (world.intended.get(intent) ?? 0);
  if (age > SENT_WITHIN_MS + 100) world.blame(`${what} goes out ${Math.round(age)} ms after it was intended`);
}

function openOperations(world: World, ref: string): Open[] {
  return world.store
    .rows(
      `select operations.id, type, operations.status, actor, refund_reference as refund from operations
        join payments on payments.id = payment_id
        where gateway_reference = ? and operations.status in ('intended', 'unknown')`,
      ref,
    )
    .map(({ id, type, status, actor, refund }) => ({
      id: String(id),
      type: String(type),
      status: String(status),
      actor: String(actor),
      refund: typeof refund === 'string' ? refund : '',
      intended: world.intended.get(String(id)) ?? 0,
    }));
}

const shownAs = (world: World, { reference, ref }: Charge) =>
  world.store.payments(reference).find((one) => one.gatewayReference === ref);

/** Nobody completes a hold of an order that money has paid. */
function lookBeforeCompletion(world: World, completed: Charge): void {
  if (world.isExcused(completed)) return;
  const paid = world.book
    .of(completed.reference)
    .find((one) => one !== completed && one.net > 0n && !world.isExcused(one) && world.knows(one));
  if (paid) world.blame(`${completed.ref} is taken, and ${paid.ref} pays the order`);
}

/** The policy voids a duplicate only while another payment of its order holds money, of which it was just told. */
function lookBeforeVoid(world: World, voided: Charge, own: Open): void {
  const { now } = world.time;
  const shown = shownAs(world, voided);
  if (shown && shown.amountRefunded !== null && own.intended > voided.changedAt)
    world.blame(`${voided.ref} is voided, and ${shown.amountRefunded} of it were given back`);
  if (own.actor !== 'policy') return;
  if (!world.plan.voids) world.blame(`${voided.ref} is voided by a policy that nobody has set`);
  const others = world.book.of(voided.reference).filter((one) => one !== voided);
  const payer = world.store.payments(voided.reference).find(({ id }) => id === shown?.duplicateOf);
  if (!payer) {
    world.blame(`${voided.ref} is voided by the policy, and is nobody's duplicate`);
    return;
  }
  for (const ref of [voided.ref, payer.gatewayReference]) {
    const asked = world.book.heard(ref).at(-1);
    if (!asked || asked.at < now - UNSEEN_MS)
      world.blame(`${voided.ref} is voided by the policy, and nobody has asked about ${ref}`);
  }
  const asked = world.book.heard(payer.gatewayReference).at(-1)?.at ?? 0;
  if (asked < own.intended - JUST_ASKED_MS && world.troubleUntil < own.intended - JUST_ASKED_MS)
    world.blame(`${voided.ref} is voided by the policy, and nobody has just asked about ${nameOf(payer)}`);
  for (const open of openOperations(world, payer.gatewayReference))
    if (open.intended < own.intended)
      world.blame(`${voided.ref} is voided by the policy beside a ${open.type} of ${nameOf(payer)}`);
  const isRecent = others.some(
    ({ ref, changedAt }) => changedAt > (world.book.heard(ref).at(-1)?.said ?? now),
  );
  if (isRecent || others.some((one) => one.net > 0n && world.isExcused(one))) return;
  const pays = others.some(({ net, accepted }) => net > 0n && accepted !== 'void');
  if (!pays) world.blame(`${voided.ref} is voided by the policy, and nothing else pays the order`);
}

/** Nobody gives back what is to keep an order paid while the policy voids its duplicate. */
function lookBesidePolicy(world: World, own: Open, { operation, ref }: Call): void {
  if (operation !== 'void' && operation !== 'refund') return;
  const payments = world.store.payments(referenceOf(ref));
  const payer = payments.find(({ gatewayReference }) => gatewayReference === ref);
  for (const one of payments) {
    if (one.duplicateOf === null || one.duplicateOf !== payer?.id || !showsMoney(one)) continue;
    const voiding = openOperations(world, one.gatewayReference).find(
      ({ type, actor, intended }) => type === 'void' && actor === 'policy' && intended < own.intended,
    );
    if (voiding) world.blame(`a ${operation} of ${ref} goes out while the policy voids ${nameOf(one)}`);
  }
}

/** What the service takes for refunds that have failed: how much each was, by its reference. */
function failedRefunds(world: World, { ref }: Charge): Map<string, bigint> {
  const rows = world.store.rows(
    `select refund_reference as refund, operations.amount from operations join payments on payments.id = payment_id
      where gateway_reference = ? and type = 'refund' and operations.status = 'refused'`,
    ref,
  );
  return new Map(rows.map(({ refund, amount }) => [String(refund), BigInt(String(amount))]));
}

/** A reference is sent once, also after a loss. */
function lookAtReference(world: World, { refunds }: Charge, refundRef: string): boolean {
  if (refunds.has(refundRef)) world.blame(`${refundRef} was sent twice`);
  return refunds.has(refundRef);
}

/** A reference is sent once, and what is sent never comes to more than was taken. */
function lookBeforeRefund(world: World, charge: Charge, { refundRef, amount }: Call): void {
  if (lookAtReference(world, charge, refundRef)) return;
  const couldKnow = world.knows(charge) || charge.changedAt < world.time.now - UNSEEN_MS;
  const shown = shownAs(world, charge);
  if (shown?.disputed && couldKnow) world.blame(`${charge.ref} is given back, and was charged back`);
  const failed = failedRefunds(world, charge);
  const sent = [...charge.refunds]
    .filter(([name, { state }]) => (state === 'done' || state === 'open') && !failed.has(name))
    .reduce((sum, [, refund]) => sum + refund.amount, amount);
  const left = shown && couldKnow ? charge.left - charge.openRefunds : amount;
  const isClear = !charge.blurred && !charge.settledByPerson;
  if (amount > left && isClear && charge.money.state === 'captured')
    world.blame(`${charge.ref}: ${amount} are to be given back, and ${left} are left`);
  if (sent > charge.money.captured)
    world.blame(`${charge.ref}: ${sent} are to be given back of ${charge.money.captured}`);
  if (charge.doneAsRefused === amount && couldKnow && isClear && [...failed.values()].includes(amount))
    world.blame(`${charge.ref}: ${amount} are to be given back, which a refused refund had done`);
}
