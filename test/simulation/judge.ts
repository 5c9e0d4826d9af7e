import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import { minor, type Charge } from './book.ts';
import type { Heard } from './shop.ts';
import type { Judge, World } from './world.ts';

/** What holds at any moment, whatever happens, and what holds when everything has come to rest. */

const LIVE = ['processing', 'requires_action', 'authorized'];
const CLOSED_UNPAID = ['failed', 'canceled', 'expired'];

/** Whether a payment, as it is shown or announced, holds money. */
export function showsMoney(shown: PaymentDto): boolean {
  const of = (amount: string | null): bigint => (amount === null ? 0n : minor(amount));
  const left = of(shown.amountCaptured ?? shown.amount) - of(shown.amountRefunded);
  const charged = shown.disputed ? (shown.amountDisputed === null ? left : of(shown.amountDisputed)) : 0n;
  return shown.status === 'succeeded' && left - charged > 0n;
}

const nameOf = ({ gatewayReference, id }: PaymentDto): string => `${gatewayReference} (${id})`;

/** After each step, and whenever an order is announced as paid. */
export function lookAtMoment(world: World, reference: string, event?: Heard): void {
  const payments = world.store.payments(reference);
  for (const payment of payments) lookAtPayment(world, payment);
  const live = payments.filter(({ status }) => LIVE.includes(status));
  if (live.length > 1) world.blame(`${live.map(nameOf).join(' and ')} are live at once`);
  const first = payments.filter((one) => showsMoney(one) && one.duplicateOf === null);
  if (first.length > 1) world.blame(`${first.map(nameOf).join(' and ')} both count as the one that pays`);
  if (event) lookAtAnnouncement(world, event);
}

/** Nobody ships for a payment that holds nothing. */
function lookAtAnnouncement(world: World, { type, data }: Heard): void {
  if (!showsMoney(data)) world.blame(`${nameOf(data)} was announced by ${type}, and holds no money`);
  const charge = world.book.find(data.gatewayReference);
  if (!charge?.everCaptured && !charge?.excused)
    world.blame(`${nameOf(data)} was announced by ${type}, and nothing was ever taken`);
}

function lookAtPayment(world: World, payment: PaymentDto): void {
  const { status, failure } = payment;
  const charge = world.book.find(payment.gatewayReference);
  const says = `${nameOf(payment)} is ${status}`;
  if (charge?.excused) return;
  if (status === 'succeeded' && !charge?.everCaptured) world.blame(`${says}, and nothing was ever taken`);
  if (status === 'authorized' && !charge?.everHeld) world.blame(`${says}, and nothing was ever held`);
  if (status === 'voided' && !charge?.everReversed && charge?.refunds.size === 0)
    world.blame(`${says}, and nothing was ever given back`);
  if (!charge) return;
  const { money } = charge;
  const unpaid = CLOSED_UNPAID.includes(status);
  if (unpaid && charge.hasMoney)
    world.blame(`${says} (${failure?.code ?? ''}), and its money is ${money.state} at the gateway`);
  const byUs = status === 'canceled' || status === 'expired';
  if (byUs && money.state === 'pending' && charge.method === 'card')
    world.blame(`${says}, and its card is being charged`);
  const ends = order(world, payment.reference)?.ends.get(payment.sessionId) ?? 0;
  if (status === 'expired' && charge.waits && world.time.now < ends - 5_000)
    world.blame(`${says}, and its session has ${Math.round((ends - world.time.now) / 1000)} s left`);
  if (status === 'failed' && charge.waits)
    world.blame(`${says} (${failure?.code ?? ''}), and the gateway waits for its payer`);
  if (
    failure?.code === 'gateway_never_received' &&
    charge.denials.length < 3 &&
    charge.money.state !== 'absent'
  )
    world.blame(`${says}, and the gateway has denied it ${charge.denials.length} times`);
  const given = payment.amountRefunded === null ? 0n : minor(payment.amountRefunded);
  const most =
    world.plan.refunds === 'status' ? charge.mostGivenBack : charge.mostGivenBack + charge.openRefunds;
  if (
    status === 'succeeded' &&
    given > most &&
    !charge.blurred &&
    money.state !== 'reversed' &&
    !payment.needsAttention
  )
    world.blame(`${says}: ${payment.amountRefunded} are said to have been given back, and never were`);
}

/** An order must not be charged while an earlier attempt holds money, or may yet get some. */
function lookBeforeCharge(world: World, started: Charge): void {
  for (const other of world.book.of(started.reference)) {
    if (other.excused || other.ref === started.ref) continue;
    if (other.hasMoney) world.blame(`${started.ref} is charged while ${other.ref} is ${other.money.state}`);
    else if (other.money.state === 'pending' && other.method === 'card')
      world.blame(`${started.ref} is charged while the card of ${other.ref} is being charged`);
  }
}

/** So long the service may not know of what moved at the gateway. */
const UNSEEN_MS = 45_000;

/** Nobody completes a hold of an order that money has paid. */
function lookBeforeCompletion(world: World, completed: Charge): void {
  const before = world.time.now - UNSEEN_MS;
  const paid = world.book
    .of(completed.reference)
    .find((one) => one !== completed && one.net > 0n && one.changedAt < before && !one.excused);
  if (paid && !completed.excused) world.blame(`${completed.ref} is taken, and ${paid.ref} pays the order`);
}

/** The policy voids a duplicate only while another payment of its order holds money. */
function lookBeforeVoid(world: World, voided: Charge): void {
  const shown = world.store.payments(voided.reference).find((one) => one.gatewayReference === voided.ref);
  if (shown && shown.amountRefunded !== null && voided.changedAt < world.time.now - UNSEEN_MS)
    world.blame(`${voided.ref} is voided, and ${shown.amountRefunded} of it were given back`);
  const asked = order(world, voided.reference)?.asked.get(`void ${voided.ref}`) ?? 0;
  if ((voided.arrived.get('void') ?? 0) <= asked) return;
  if (!world.plan.voids) {
    world.blame(`${voided.ref} was voided ${voided.arrived.get('void')} times, and asked for ${asked} times`);
    return;
  }
  const others = world.book.of(voided.reference).filter((one) => one !== voided);
  const recent = others.some(({ changedAt }) => changedAt > world.time.now - UNSEEN_MS);
  if (recent || others.some(({ excused, net }) => excused && net > 0n)) return;
  const pays = others.some(({ net, accepted }) => net > 0n && accepted !== 'void');
  if (!pays) world.blame(`${voided.ref} was voided by the policy, and nothing else pays the order`);
}

/** A reference is sent once, and what is sent never comes to more than was taken. */
function lookAtRefund(world: World, charge: Charge, refundRef: string, amount: bigint): void {
  if (charge.refunds.has(refundRef)) {
    world.blame(`${refundRef} was sent twice`);
    return;
  }
  const shown = world.store.payments(charge.reference).find((one) => one.gatewayReference === charge.ref);
  if (shown?.disputed && charge.changedAt < world.time.now - UNSEEN_MS)
    world.blame(`${charge.ref} is given back, and was charged back`);
  const sent = [...charge.refunds.values()]
    .filter(({ state }) => state === 'done' || state === 'open')
    .reduce((sum, refund) => sum + refund.amount, amount);
  const left =
    shown && charge.changedAt < world.time.now - UNSEEN_MS ? charge.left - charge.openRefunds : amount;
  if (amount > left && charge.money.state === 'captured')
    world.blame(`${charge.ref}: ${amount} were to be given back, and ${left} were left`);
  if (sent > charge.money.captured)
    world.blame(`${charge.ref}: ${sent} were to be given back of ${charge.money.captured}`);
  const { doneAsRefused } = charge;
  if (
    doneAsRefused !== undefined &&
    doneAsRefused === amount &&
    charge.changedAt < world.time.now - UNSEEN_MS
  )
    world.blame(`${charge.ref}: ${amount} were to be given back, which a refused refund had done`);
}

const order = (world: World, reference: string) => world.orders.find((one) => one.reference === reference);

/** What was asked for once is sent once. */
function lookAtCalls(world: World): void {
  for (const charge of world.book.all()) {
    for (const operation of ['otp', 'complete', 'refund'] as const) {
      const sent = charge.arrived.get(operation) ?? 0;
      const asked = order(world, charge.reference)?.asked.get(`${operation} ${charge.ref}`) ?? 0;
      if (sent > asked)
        world.blame(`${operation} of ${charge.ref} was sent ${sent} times, and asked for ${asked} times`);
    }
  }
}

/** What keeps a payment from being what the gateway's books say; undefined where it fits, or a person is called. */
export function misfit(world: World, payment: PaymentDto): string | undefined {
  const { status, needsAttention } = payment;
  if (needsAttention) return undefined;
  const name = nameOf(payment);
  const charge = world.book.find(payment.gatewayReference);
  if (payment.pendingOperation) return `${name} has a pending ${payment.pendingOperation.type}`;
  const state = charge?.money.state ?? 'absent';
  if (!charge || state === 'absent')
    return CLOSED_UNPAID.includes(status) ? undefined : `${name} is ${status} and never reached the gateway`;
  const unpaid = state === 'captured' && charge.net === 0n && CLOSED_UNPAID.includes(status);
  const fits = {
    absent: CLOSED_UNPAID,
    pending: ['processing'],
    waiting: ['processing', 'requires_action'],
    otp: ['requires_action'],
    redirect: ['requires_action'],
    held: ['authorized'],
    captured: ['succeeded'],
    declined: CLOSED_UNPAID,
    expired: CLOSED_UNPAID,
    reversed: ['voided'],
  }[state];
  const asRefund = state === 'reversed' && status === 'succeeded' && !showsMoney(payment);
  if (asRefund && charge.refunds.size > 0) return undefined;
  const waitsEnded = charge.waits && CLOSED_UNPAID.includes(status);
  if (waitsEnded || unpaid) return undefined;
  if (!fits.includes(status)) return `${name} is ${status}, and ${state} at the gateway`;
  return state === 'captured'
    ? wrongAmounts(payment, charge, world.plan.refunds)
    : wrongAction(payment, charge);
}

function wrongAmounts(payment: PaymentDto, charge: Charge, asks: string): string | undefined {
  const { money, amount } = charge;
  const of = (text: string | null): bigint => (text === null ? 0n : minor(text));
  const name = nameOf(payment);
  const captured = payment.amountCaptured === null ? amount : minor(payment.amountCaptured);
  if (captured !== money.captured) return `${name} says ${captured} were taken, and it was ${money.captured}`;
  // Nobody can tell apart what came back and what somebody else gave back besides.
  const blurred = charge.blurred && (asks !== 'status' || charge.givenByOthers);
  if (of(payment.amountRefunded) !== money.refunded && !blurred)
    return `${name} says ${payment.amountRefunded} were given back, and it was ${money.refunded}`;
  if (money.refunded + money.disputed > money.captured && !charge.excused)
    return `${name} was given back and charged back, and nobody is told`;
  if (payment.disputed !== money.disputed > 0n)
    return `${name} is ${payment.disputed ? '' : 'not '}disputed, and at the gateway it is ${money.disputed}`;
  return undefined;
}

/** What the payer is asked for is what the gateway waits for. */
function wrongAction(
  { status, nextAction, ...payment }: PaymentDto,
  { money: { state } }: Charge,
): string | undefined {
  const asks = state === 'otp' || state === 'redirect';
  return status === 'requires_action' && asks && nextAction?.type !== state
    ? `${payment.gatewayReference} asks for ${nextAction?.type ?? 'nothing'}, and the gateway for ${state}`
    : undefined;
}

/** What is told, and what is open, once nothing is left to be done. */
export function lookAtRest(world: World): void {
  lookAtCalls(world);
  const known = new Set(world.store.payments().map(({ gatewayReference }) => gatewayReference));
  for (const charge of world.book.all())
    if (charge.hasMoney && !known.has(charge.ref))
      world.blame(`${charge.ref} holds money, and nobody knows of it`);
  const references = new Set(world.store.payments().map(({ reference }) => reference));
  for (const reference of references) {
    const payments = world.store.payments(reference);
    lookAtMoment(world, reference);
    lookAtDuplicates(world, payments);
    for (const payment of payments) lookAtEvents(world, payment);
    lookAtSessions(world, reference, payments);
  }
  for (const { id, delivery_status: status, type } of world.store.rows(
    "select id, delivery_status, type from events where delivery_status <> 'delivered'",
  ))
    world.blame(`the event ${String(id)} (${String(type)}) is ${String(status)}, and was not taken`);
  for (const { id } of world.store.rows("select id from events where delivery_status = 'delivered'"))
    if (!world.ears.taken.has(String(id)))
      world.blame(`the event ${String(id)} counts as delivered, and was never taken`);
  for (const [id, events] of world.ears.byObject) {
    const known = world.store.rows('select max(sequence) as last from events where aggregate_id = ?', id)[0];
    if (Number(known?.['last']) !== events.at(-1)?.sequence)
      world.blame(`not all events of ${id} were heard`);
  }
}

function lookAtDuplicates(world: World, payments: readonly PaymentDto[]): void {
  const holding = payments.filter(showsMoney);
  if (holding.length === 0) return;
  const first = holding.filter(({ duplicateOf }) => duplicateOf === null);
  if (first.length !== 1 && !holding.every(({ needsAttention }) => needsAttention))
    world.blame(
      `${holding.map(nameOf).join(', ')} hold money, and ${first.length} of them count as the one that pays`,
    );
  for (const one of holding) {
    if (one.duplicateOf !== null && first[0] && one.duplicateOf !== first[0].id)
      world.blame(`${nameOf(one)} is a duplicate of ${one.duplicateOf}, which does not pay the order`);
    const payer = payments.find(({ id }) => id === one.duplicateOf);
    const unvoided =
      world.plan.voids && one.duplicateOf !== null && !one.needsAttention && !payer?.needsAttention;
    if (unvoided) world.blame(`${nameOf(one)} is a duplicate that was not voided`);
  }
  const lonely = payments.filter(({ status, needsAttention }) => status === 'authorized' && !needsAttention);
  for (const hold of lonely) world.blame(`${nameOf(hold)} is a hold beside money, and nobody is told`);
}

function lookAtEvents(world: World, payment: PaymentDto): void {
  const events = world.ears.byObject.get(payment.id) ?? [];
  const last = events.at(-1)?.data;
  const name = nameOf(payment);
  if (payment.needsAttention && !events.some(({ data }) => data.needsAttention))
    world.blame(`${name} needs attention, and no event says so`);
  if (!last) {
    const silent = ['processing', 'requires_action'].includes(payment.status);
    if (!silent) world.blame(`${name} is ${payment.status}, and nothing was announced of it`);
    return;
  }
  for (const field of ['amountCaptured', 'amountRefunded', 'disputed', 'amountDisputed'] as const)
    if (last[field] !== payment[field])
      world.blame(
        `${name}: ${field} is ${String(payment[field])}, and was announced as ${String(last[field])}`,
      );
  const quiet = payment.status === 'processing' || (payment.status === 'succeeded' && !showsMoney(payment));
  if (last.status !== payment.status && !quiet)
    world.blame(`${name} is ${payment.status}, and was last announced as ${last.status}`);
  const paidAs = events.findLast(
    ({ type }) => type === 'payment.succeeded' || type === 'payment.duplicate',
  )?.type;
  const as = payment.duplicateOf === null ? 'payment.succeeded' : 'payment.duplicate';
  const resolved = events.some(({ type }) => type === 'payment.resolved');
  if (showsMoney(payment) && paidAs !== as && !resolved)
    world.blame(`${name} is to be announced by ${as}, and was by ${paidAs ?? 'nothing'}`);
}

function lookAtSessions(world: World, reference: string, payments: readonly PaymentDto[]): void {
  const sessions = world.store.rows(
    'select id, status from checkout_sessions where reference = ?',
    reference,
  );
  const paid = sessions.filter(({ status }) => status === 'paid');
  const unclear = payments.some(({ needsAttention }) => needsAttention);
  if (payments.some(showsMoney) && paid.length === 0 && !unclear)
    world.blame(`${reference} is paid, and none of its sessions is`);
  if (paid.length > 0 && !payments.some(({ status }) => status === 'succeeded') && !unclear)
    world.blame(`a session of ${reference} is paid, and none of its payments is`);
  const heard = sessions.flatMap(({ id }) => world.ears.byObject.get(String(id)) ?? []);
  const at = (type: string): number[] =>
    heard.filter((event) => event.type === type).map(({ timestamp }) => Date.parse(timestamp));
  const paidAt = at('checkout_session.paid');
  if (paid.length > 0 && paidAt.length === 0) world.blame(`nobody was told that ${reference} is paid`);
  // Where the database's clock was set, its times do not tell what came first.
  const isOrdered = world.plan.strikes.every(({ kind }) => kind !== 'database-clock');
  const over = at('checkout_session.expired').some((time) => time > Math.min(...paidAt));
  if (isOrdered && over && payments.some(showsMoney))
    world.blame(`a session of ${reference} was announced as expired after the order was paid`);
}

export const JUDGE: Judge = {
  pays: lookBeforeCharge,
  voids: lookBeforeVoid,
  completes: lookBeforeCompletion,
  refunds: lookAtRefund,
  moment: lookAtMoment,
};
