import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import { lookAtApprovals } from './approvals.ts';
import { minor, type Charge } from './book.ts';
import { lookBeforeSending } from './calls.ts';
import { nameOf, showsMoney } from './payment-shown.ts';
import type { Heard } from './shop.ts';
import type { Judge, World } from './world.ts';

/** What holds at any moment, whatever happens, and what holds when everything has come to rest. */

const LIVE = ['processing', 'requires_action', 'authorized'];
const CLOSED_UNPAID = ['failed', 'canceled', 'expired'];

/** After each step, and whenever the shop hears of the order. */
export function lookAtMoment(world: World, reference: string): void {
  if (world.lost.has(reference)) return;
  const payments = world.store.payments(reference);
  for (const payment of payments) lookAtPayment(world, payment);
  const live = payments.filter(({ status }) => LIVE.includes(status));
  if (live.length > 1) world.blame(`${live.map(nameOf).join(' and ')} are live at once`);
  const first = payments.filter((one) => showsMoney(one) && one.duplicateOf === null);
  if (first.length > 1) world.blame(`${first.map(nameOf).join(' and ')} both count as the one that pays`);
}

function lookAtPayment(world: World, payment: PaymentDto): void {
  const { status, failure } = payment;
  const charge = world.book.find(payment.gatewayReference);
  const says = `${nameOf(payment)} is ${status}`;
  if (charge && world.isExcused(charge)) return;
  if (status === 'succeeded' && !charge?.everCaptured) world.blame(`${says}, and nothing was ever taken`);
  if (status === 'authorized' && !charge?.everHeld) world.blame(`${says}, and nothing was ever held`);
  if (status === 'voided' && !charge?.everReversed && charge?.refunds.size === 0)
    world.blame(`${says}, and nothing was ever given back`);
  if (!charge) return;
  const { money } = charge;
  const unpaid = CLOSED_UNPAID.includes(status);
  if (unpaid && charge.hasMoney && !payment.needsAttention)
    world.blame(`${says} (${failure?.code ?? ''}), and its money is ${money.state} at the gateway`);
  const byUs = status === 'canceled' || status === 'expired';
  if (byUs && money.state === 'pending' && charge.method === 'card' && !charge.misled)
    world.blame(`${says}, and its card is being charged`);
  if (status === 'expired' && charge.waits) lookAtEnd(world, payment);
  if (status === 'failed' && charge.waits)
    world.blame(`${says} (${failure?.code ?? ''}), and the gateway waits for its payer`);
  if (status === 'succeeded' && !payment.needsAttention && saysTooMuchBack(world, payment, charge))
    world.blame(`${says}: ${payment.amountRefunded} are said to have been given back, and never were`);
  // A reversal that was heard while a refund was open may have been that refund, until it is asked about again.
  const mayBeRefund = money.state === 'reversed' && charge.refunds.size > 0;
  const isOpen = payment.needsAttention || payment.pendingOperation !== null || mayBeRefund;
  const wrong =
    isOpen || !world.knows(charge) ? undefined : misfit(world, payment, unaskedRefunds(world, charge));
  if (wrong !== undefined) world.blame(`${wrong}, which the service has heard`);
}

/** A payment that waits for its payer has as much time as its session had left when it began, though clocks are set meanwhile. */
function lookAtEnd(world: World, { gatewayReference: ref, sessionId, createdAt }: PaymentDto): void {
  const [session] = world.store.rows('select expires_at from checkout_sessions where id = ?', sessionId);
  const given = Number(session?.['expires_at']) - Date.parse(createdAt);
  const left = given - (world.time.now - (world.intended.get(ref) ?? 0));
  if (left > END_TOLERANCE_MS)
    world.blame(`${ref} is expired, and its payer has ${Math.round(left / 1000)} s left`);
}

/** What is not seen to pass between answers. */
const END_TOLERANCE_MS = 3_000;

/** More than was ever given back, a refund under way included where nobody can ask about it. */
function saysTooMuchBack(world: World, { amountRefunded }: PaymentDto, charge: Charge): boolean {
  if (charge.blurred || charge.money.state === 'reversed') return false;
  const given = amountRefunded === null ? 0n : minor(amountRefunded);
  const open = world.plan.refunds === 'status' ? 0n : charge.openRefunds;
  return given > charge.mostGivenBack + open;
}

/** Whatever the shop hears is so. */
function lookAtHeard(world: World, event: Heard): void {
  const { type, data } = event;
  if (!type.startsWith('payment.') || world.lost.has(data.reference)) return;
  lookAtMoment(world, data.reference);
  const charge = world.book.find(data.gatewayReference);
  if (type === 'payment.succeeded' || type === 'payment.duplicate') {
    // Nobody ships for a payment that holds nothing.
    if (!showsMoney(data)) world.blame(`${nameOf(data)} was announced by ${type}, and holds no money`);
    if (!charge?.everCaptured && !(charge && world.isExcused(charge)))
      world.blame(`${nameOf(data)} was announced by ${type}, and nothing was ever taken`);
  }
  if (type === 'payment.duplicate') lookAtPlace(world, event);
  if (charge && !data.needsAttention && !world.isExcused(charge) && saysTooMuchBack(world, data, charge))
    world.blame(`${nameOf(data)}: ${type} says that ${data.amountRefunded} went back, and they never did`);
  if (type === 'payment.failed' && data.failure?.code === 'gateway_never_received')
    lookAtDenials(world, data);
  if (type === 'payment.operation_refused' && charge) lookAtRefusal(world, event, charge);
  if (type === 'payment.refund_failed' && charge) lookAtRefundFailure(world, event, charge);
  if (type === 'payment.needs_attention') lookAtAttention(world, event);
}

/**
 * Whoever was announced as paying goes on paying as long as it holds money: the shop has shipped for it. Only the one whose place it took
 * takes it back, when its money has come back.
 */
function lookAtPlace(world: World, { id, data }: Heard): void {
  const before = (world.ears.byObject.get(data.id) ?? []).filter((event) => event.id !== id);
  const announced = before.findLastIndex(({ type }) => type === 'payment.succeeded');
  const own = before[announced];
  if (!own || !before.slice(announced).every((event) => showsMoney(event.data))) return;
  const commitOf = (event: string): number => world.writtenIn.get(event) ?? 0;
  const isFormer = world.store
    .rows("select id from events where aggregate_id = ? and type = 'payment.succeeded'", data.duplicateOf)
    .some((event) => commitOf(String(event['id'])) < commitOf(own.id));
  if (!isFormer)
    world.blame(`${nameOf(data)} was announced as the one that pays, and now counts as a duplicate`);
}

/** So many answers, over the grace, settle that a request never arrived. */
const ANSWERS_NEEDED = 3;

function lookAtDenials(world: World, { gatewayReference: ref }: PaymentDto): void {
  const charge = world.book.find(ref);
  const denials = world.book
    .heard(ref)
    .filter(({ money }) => money === undefined || money.state === 'absent');
  const since = world.time.now - (world.intended.get(ref) ?? 0);
  if (denials.length < ANSWERS_NEEDED && !charge?.settledByPerson)
    world.blame(`${ref} counts as never received, and was denied ${denials.length} times`);
  if (since < world.plan.grace * 1_000)
    world.blame(`${ref} counts as never received ${Math.round(since / 1000)} s after it was intended`);
}

/** What was to be done, and was ended because answers went on showing what was before. */
function lookAtRefusal(world: World, { operation, data, timestamp }: Heard, charge: Charge): void {
  if (charge.settledByPerson || (operation?.type !== 'void' && operation?.type !== 'complete')) return;
  const { ref } = charge;
  if (charge.toldRefused === operation.type) return;
  if (charge.toldAccepted === operation.type)
    world.blame(`a ${operation.type} of ${ref} counts as refused, and the gateway had accepted it`);
  const refused = world.store
    .rows(
      "select id from operations where payment_id = ? and type = ? and status = 'refused' and abs(updated_at - ?) < 1000",
      data.id,
      operation.type,
      Date.parse(timestamp),
    )
    .map((row) => String(row['id']));
  // What never went out is known not to have been done.
  if (refused.some((one) => !world.wentOut.has(one))) return;
  const [id = ''] = refused;
  const intended = world.intended.get(id) ?? 0;
  const heard = world.book.heard(ref).filter(({ at }) => at > intended);
  if (heard.length < ANSWERS_NEEDED)
    world.blame(`a ${operation.type} of ${ref} counts as refused after ${heard.length} answers`);
  if (world.time.now - intended < world.plan.grace * 1_000)
    world.blame(
      `a ${operation.type} of ${ref} counts as refused ${Math.round((world.time.now - intended) / 1000)} s after it was intended`,
    );
}

/** A refund has failed only where the gateway has said so, or where it was never sent. */
function lookAtRefundFailure(world: World, { operation, late }: Heard, charge: Charge): void {
  const id = operation?.refundId ?? '';
  if (late || charge.settledByPerson || !world.wentOut.has(id)) return;
  const [row] = world.store.rows('select refund_reference as ref from operations where id = ?', id);
  const refund = charge.refunds.get(String(row?.['ref']));
  if (refund && !refund.toldFailed && refund.state !== 'bounced')
    world.blame(`the refund ${String(row?.['ref'])} counts as failed, and nobody has said so`);
}

/** What a commit raises attention for, all events of that commit say. */
function lookAtAttention(world: World, { id, data }: Heard): void {
  const commit = world.writtenIn.get(id);
  const silent = (world.ears.byObject.get(data.id) ?? []).filter(
    (one) => !one.data.needsAttention && world.writtenIn.get(one.id) === commit,
  );
  for (const { type } of silent)
    world.blame(`${nameOf(data)} needs attention, and ${type} of the same commit does not say so`);
}

const orderOf = (world: World, reference: string) => world.orders.find((one) => one.reference === reference);

/**
 * How much came back of refunds about which nobody has asked since, where the gateway can be asked about a refund: only that answer says so,
 * and one about the payment does not.
 */
export function unaskedRefunds({ plan }: World, { refunds }: Charge): bigint {
  if (plan.refunds !== 'status') return 0n;
  return [...refunds.values()]
    .filter(({ state, toldBack = 0 }) => state === 'bounced' && toldBack === 0)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * What keeps a payment from being what the gateway's books say; undefined where it fits, or a person is called.
 *
 * @param unasked what came back, and may count as given back yet
 */
export function misfit(world: World, payment: PaymentDto, unasked = 0n): string | undefined {
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
    pin: ['requires_action'],
    redirect: ['requires_action'],
    held: ['authorized'],
    captured: ['succeeded'],
    declined: CLOSED_UNPAID,
    expired: CLOSED_UNPAID,
    reversed: ['voided'],
  }[state];
  const { money } = charge;
  if (state === 'reversed' && money.refunded + money.disputed > 0n && !world.isExcused(charge))
    return `${name} was reversed whole, beside what was given back or charged back before, and nobody is told`;
  const asRefund = state === 'reversed' && status === 'succeeded' && !showsMoney(payment);
  if (asRefund && charge.refunds.size > 0) return undefined;
  const waitsEnded = charge.waits && CLOSED_UNPAID.includes(status);
  if (waitsEnded || unpaid) return undefined;
  if (!fits.includes(status)) return `${name} is ${status}, and ${state} at the gateway`;
  if (state === 'captured') return wrongAmounts(world, payment, charge, unasked);
  const { toldAction } = charge;
  if (state === 'waiting' && status === 'processing' && toldAction && world.isRecorded(toldAction))
    return `${name} asks its payer for nothing, and the gateway has said what to ask for`;
  return wrongAction(payment, charge);
}

function wrongAmounts(
  world: World,
  payment: PaymentDto,
  charge: Charge,
  unasked: bigint,
): string | undefined {
  const { money, amount } = charge;
  const of = (text: string | null): bigint => (text === null ? 0n : minor(text));
  const name = nameOf(payment);
  const captured = payment.amountCaptured === null ? amount : minor(payment.amountCaptured);
  if (captured !== money.captured && !charge.amountByPerson)
    return `${name} says ${captured} were taken, and it was ${money.captured}`;
  // Of no more than a person has said was taken.
  const blurred = charge.amountByPerson || isBlurred(world, charge);
  const refunded = of(payment.amountRefunded);
  // Where nobody can ask about a refund itself, one counts as done as soon as the gateway's sum holds it.
  const counted = world.plan.refunds !== 'status' && refunded === money.refunded + money.countsOpen;
  const isUnasked = unasked > 0n && refunded === money.refunded + unasked;
  if (refunded !== money.refunded && !counted && !blurred && !isUnasked)
    return `${name} says ${payment.amountRefunded} were given back, and it was ${money.refunded}`;
  if (money.refunded + money.disputed > money.captured && !world.isExcused(charge))
    return `${name} was given back and charged back, and nobody is told`;
  if (payment.disputed !== money.disputed > 0n)
    return `${name} is ${payment.disputed ? '' : 'not '}disputed, and at the gateway it is ${money.disputed}`;
  return undefined;
}

/** Nobody can tell apart what came back or failed, and what somebody gave back besides. */
function isBlurred(world: World, charge: Charge): boolean {
  const isClear = world.plan.refunds === 'status' && !charge.givenByOthers && !charge.settledByPerson;
  return charge.blurred && !isClear;
}

/** What the payer is asked for is what the gateway waits for. */
function wrongAction(
  { status, nextAction, ...payment }: PaymentDto,
  { money: { state } }: Charge,
): string | undefined {
  const asks = state === 'otp' || state === 'pin' || state === 'redirect';
  return status === 'requires_action' && asks && nextAction?.type !== state
    ? `${payment.gatewayReference} asks for ${nextAction?.type ?? 'nothing'}, and the gateway for ${state}`
    : undefined;
}

/** What is told, and what is open, once nothing is left to be done. */
export function lookAtRest(world: World): void {
  lookAtCalls(world);
  lookAtOperations(world);
  lookAtApprovals(world);
  const known = new Set(world.store.payments().map(({ gatewayReference }) => gatewayReference));
  for (const charge of world.book.all())
    if (charge.hasMoney && !known.has(charge.ref) && !world.lost.has(charge.reference) && !charge.isForeign)
      world.blame(`${charge.ref} holds money, and nobody knows of it`);
  const references = new Set(world.store.payments().map(({ reference }) => reference));
  for (const reference of references) {
    if (world.lost.has(reference)) continue;
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
    if (events.some(({ data }) => world.lost.has(data.reference))) continue;
    const known = world.store.rows('select max(sequence) as last from events where aggregate_id = ?', id)[0];
    if (Number(known?.['last']) !== events.at(-1)?.sequence)
      world.blame(`not all events of ${id} were heard`);
  }
}

/** So often may a payer type them. */
const CODES_SENT = { otp: 5, pin: 3 };

/** What was asked for once is sent once. */
function lookAtCalls(world: World): void {
  for (const charge of world.book.all()) {
    if (world.lost.has(charge.reference)) continue;
    for (const operation of ['otp', 'pin', 'complete', 'refund'] as const) {
      const sent = charge.sent.get(operation) ?? 0;
      const most = operation === 'otp' || operation === 'pin' ? CODES_SENT[operation] : Infinity;
      if (sent > most) world.blame(`${operation} of ${charge.ref} was sent ${sent} times: somebody guesses`);
      const asked = orderOf(world, charge.reference)?.asked.get(`${operation} ${charge.ref}`) ?? 0;
      if (sent > asked)
        world.blame(`${operation} of ${charge.ref} was sent ${sent} times, and asked for ${asked} times`);
    }
  }
}

/** What counts as done was done, and nothing waits to be sent for ever. */
function lookAtOperations(world: World): void {
  for (const { ref } of world.store.rows(INTENDED))
    world.blame(`${String(ref)}: something is still about to be sent`);
  for (const { ref, refund } of world.store.rows(DONE_REFUNDS)) {
    const charge = world.book.find(String(ref));
    if (!charge || charge.settledByPerson || world.lost.has(charge.reference)) continue;
    if ((charge.refunds.get(String(refund))?.toldBack ?? 0) >= BELIEVED_AFTER)
      world.blame(`the refund ${String(refund)} counts as done, and the gateway has said that it came back`);
  }
  for (const { ref, refund, status } of world.store.rows(REFUNDS)) {
    const charge = world.book.find(String(ref));
    const state = charge?.refunds.get(String(refund))?.state ?? 'absent';
    if (!charge || world.lost.has(charge.reference)) continue;
    if (world.isExcused(charge) || isBlurred(world, charge)) continue;
    const done = state === 'done' || state === 'bounced';
    // Where nobody can ask about a refund itself, one of just its amount that somebody else makes is taken for it.
    const isMistaken = world.plan.refunds !== 'status' && charge.givenByOthers;
    if (status === 'confirmed' && !done && !isMistaken)
      world.blame(`the refund ${String(refund)} counts as done, and is ${state} at the gateway`);
    if (status === 'refused' && state === 'done')
      world.blame(`the refund ${String(refund)} counts as failed, and was done`);
  }
}

const INTENDED = `select gateway_reference as ref from payments where pay_status = 'intended' union all
  select gateway_reference from operations join payments on payments.id = payment_id where operations.status = 'intended'`;
/** So often is a refund that was done said to have come back, until that is believed. */
const BELIEVED_AFTER = 2;
const DONE_REFUNDS = `select gateway_reference as ref, refund_reference as refund
  from operations join payments on payments.id = payment_id where type = 'refund' and operations.status = 'confirmed'`;
const REFUNDS = `select gateway_reference as ref, refund_reference as refund, operations.status
  from operations join payments on payments.id = payment_id where type = 'refund' and needs_attention = 0`;

/** Duplicates that the policy should have voided. */
export function unvoided(world: World): string[] {
  if (!world.plan.voids) return [];
  const payments = world.store.payments();
  return payments.flatMap((one) => {
    const payer = payments.find(({ id }) => id === one.duplicateOf);
    if (world.lost.has(one.reference)) return [];
    if (!payer || !showsMoney(one) || !showsMoney(payer) || one.needsAttention || payer.needsAttention)
      return [];
    // A person was called for it, and let it be.
    if (world.book.find(one.gatewayReference)?.settledByPerson) return [];
    return `${nameOf(one)} is a duplicate that was not voided`;
  });
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
  const isOrdered = world.store.clockOffset === 0;
  if (!isOrdered) return;
  const paidThen = payments.flatMap((payment) => paidSpans(world, payment, payments));
  for (const time of at('checkout_session.expired'))
    if (paidThen.some(({ from, to }) => from < time && time < to))
      world.blame(`a session of ${reference} was announced as expired after the order was paid`);
}

/**
 * From when to when a payment has paid its order, as it was announced. One that was given back whole has paid it all the same, until
 * another one took its place.
 */
function paidSpans(
  world: World,
  { id }: PaymentDto,
  payments: readonly PaymentDto[],
): { from: number; to: number }[] {
  const times = (of: string, ...types: string[]): number[] =>
    (world.ears.byObject.get(of) ?? [])
      .filter(({ type }) => types.includes(type))
      .map(({ timestamp }) => Date.parse(timestamp));
  const [from] = times(id, 'payment.succeeded', 'payment.duplicate');
  if (from === undefined) return [];
  const followed = payments.flatMap((other) => (other.id === id ? [] : times(other.id, 'payment.succeeded')));
  const ends = [...times(id, 'payment.voided').slice(0, 1), ...followed.filter((time) => time >= from)];
  return [{ from, to: Math.min(...ends, Infinity) }];
}

export const JUDGE: Judge = { sends: lookBeforeSending, hears: lookAtHeard };
