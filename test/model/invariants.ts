import { MAY_BECOME } from '../chaos/audit-moves.ts';
import type { Status } from '../chaos/purchase.ts';
import { GRACE_SECONDS, SPEED } from './till.ts';
import { major, minor, type Refund, type Transaction } from './money-ledger.ts';
import type { Scene } from './scene.ts';
import { attemptOf, type Shown } from './shop.ts';

/** What holds at any moment, however the gateway behaves, and what holds when everything has come to rest. */

const LIVE: readonly Status[] = ['processing', 'requires_action', 'authorized'];
const CLOSED_UNPAID: readonly Status[] = ['failed', 'canceled', 'expired'];
/** Timers of a busy machine are not exact. */
const ALMOST = 0.95;

/** After each command. */
export async function auditNow(scene: Scene): Promise<void> {
  const payments = await scene.shop.payments();
  for (const shown of payments) {
    const transaction = scene.gateway.ledger.find(shown.gatewayReference);
    auditMoment(scene, shown, transaction);
    if (transaction) auditCalls(scene, shown, transaction);
  }
  const live = payments.filter(({ status }) => LIVE.includes(status));
  if (live.length > 1) scene.blame(`(a) ${live.map(nameOf).join(' and ')} are live at once`);
  const first = payments.filter((shown) => showsMoney(shown) && shown.duplicateOf === null);
  if (first.length > 1) scene.blame(`(a) ${first.map(nameOf).join(' and ')} both count as the one that paid`);
}

function auditMoment(scene: Scene, shown: Shown, transaction: Transaction | undefined): void {
  const { status, failure } = shown;
  const excuses = transaction?.excuses;
  if (excuses?.lied || excuses?.resolved) return;
  const says = `${nameOf(shown)} is ${status}`;
  if (status === 'succeeded' && !transaction?.everCaptured)
    scene.blame(`(c) ${says}, and nothing was ever taken`);
  if (status === 'authorized' && !transaction?.everHeld)
    scene.blame(`(c) ${says}, and nothing was ever held`);
  if (status === 'voided' && !transaction?.everReversed)
    scene.blame(`(b) ${says}, and nothing was ever given back`);
  if (!transaction) return;
  const byUs = status === 'canceled' || status === 'expired';
  if (byUs && transaction.charging && !excuses?.movedLate)
    scene.blame(`(i) ${says}, and its card is being charged`);
  const given = shown.amountRefunded === null ? 0n : minor(shown.amountRefunded);
  if (
    status === 'succeeded' &&
    given > transaction.everRefunded &&
    !shown.needsAttention &&
    !isReadAsRefund(shown, transaction)
  )
    scene.blame(`(d) ${says}: ${shown.amountRefunded} are said to have been given back, and never were`);
  const unpaid = CLOSED_UNPAID.includes(status);
  if (unpaid && transaction.hasMoney && !excuses?.movedLate)
    scene.blame(`(b) ${says} (${failure?.code ?? ''}), and its money is ${transaction.books.state}`);
  // Here no payment's own time passes: a session lasts longer than any sequence, but by a clock.
  if ((status === 'failed' || status === 'expired') && transaction.waits)
    scene.blame(`(b) ${says} (${failure?.code ?? ''}), and the gateway waits for its payer`);
  if (failure?.code === 'gateway_never_received' && !deniedEnough(transaction))
    scene.blame(
      `(b) ${says}, and the gateway has denied it ${transaction.denied} times only, or not for long enough`,
    );
}

function deniedEnough({ denied, deniedLast, calledAt }: Transaction): boolean {
  return denied >= 3 && (deniedLast - calledAt) * SPEED >= GRACE_SECONDS * 1_000 * ALMOST;
}

/** (g) Whoever asked once has it sent once. */
function auditCalls(scene: Scene, shown: Shown, { calls }: Transaction): void {
  for (const operation of ['otp', 'complete', 'void', 'refund'] as const) {
    if (operation === 'void' && scene.till.voidsDuplicates) continue;
    const sent = calls.get(operation) ?? 0;
    const asked = scene.shop.asked.get(`${operation} ${shown.id}`) ?? 0;
    if (sent > asked)
      scene.blame(
        `(g) ${operation} of ${nameOf(shown)} was sent ${sent} times, and asked for ${asked} times`,
      );
  }
}

/** What keeps a payment from being what its books say; undefined where it fits. */
export function misfit(
  shown: Shown,
  transaction: Transaction | undefined,
  {
    payments,
    asksRefunds,
    lost,
  }: { payments: readonly Shown[]; asksRefunds: boolean; lost: ReadonlySet<string> },
): string | undefined {
  const { status, needsAttention } = shown;
  if (transaction && isTakenOtherwise(shown, transaction)) return undefined;
  if (needsAttention && (!transaction || isForAPerson(shown, transaction, asksRefunds))) return undefined;
  // Of a refund that never arrived nothing ever says that it was not done: a person does.
  const stays = lost.has(shown.id);
  if (shown.pendingOperation && !stays) return `${nameOf(shown)} has a pending operation`;
  if (!transaction)
    return status === 'failed' ? undefined : `${nameOf(shown)} is ${status} and never reached the gateway`;
  const { books, excuses } = transaction;
  // Then the reversal, whole or in part, may be the refund, and stays open until a person says what it was: attention comes with time.
  if (stays && (books.state === 'reversed' || (books.reversedInPart && needsAttention))) return undefined;
  const heardOf = shown.disputed || shown.amountRefunded !== null;
  if (transaction.givenBackTwice && heardOf)
    return needsAttention || excuses.resolved
      ? undefined
      : `(d) ${nameOf(shown)} was given back twice, and nobody is told`;
  if (excuses.lied && isStale(transaction, status)) return undefined;
  if (isReadAsRefund(shown, transaction)) return undefined;
  const fits = expected(transaction, shown).includes(status);
  if (fits)
    return wrongAmounts(shown, transaction) ?? wrongAction(shown, transaction) ?? lonelyHold(shown, payments);
  // A hold beside a payment that is live or paid moves nothing.
  const beside = payments.some(
    (one) => one.id !== shown.id && (LIVE.includes(one.status) || one.status === 'succeeded'),
  );
  if (books.state === 'held' && beside && needsAttention) return undefined;
  return `${nameOf(shown)} is ${status}${needsAttention ? ' with attention' : ''}, and ${books.state} at the gateway`;
}

/** After a false word, "waiting" and "held" are stale and "not known" says nothing: none takes it back. */
function isStale({ waits, books }: Transaction, status: Status): boolean {
  return waits || books.state === 'absent' || (books.state === 'held' && status !== 'authorized');
}

/**
 * The hold was taken with another amount than the completion asked for whose outcome is unknown: that success is not believed, and a person
 * is called.
 */
function isTakenOtherwise(
  { status, pendingOperation, needsAttention }: Shown,
  { books }: Transaction,
): boolean {
  const asked = pendingOperation?.['type'] === 'complete' ? pendingOperation['amount'] : undefined;
  const differs = typeof asked === 'string' && minor(asked) !== books.captured;
  return status === 'authorized' && books.state === 'captured' && differs && needsAttention;
}

/** Where duplicates are voided, one that goes on holding money has a person look at it, or at the payment that pays. */
export function unvoided(payments: readonly Shown[]): string[] {
  return payments
    .filter((shown) => showsMoney(shown) && shown.duplicateOf !== null && !shown.needsAttention)
    .filter(({ duplicateOf }) =>
      payments.some(({ id, needsAttention }) => id === duplicateOf && !needsAttention),
    )
    .map((shown) => `(k) ${nameOf(shown)} is a duplicate that was not voided`);
}

/** What the payer is asked for is what the gateway waits for. */
function wrongAction(
  { status, nextAction, ...shown }: Shown,
  { books: { state } }: Transaction,
): string | undefined {
  const asks = state === 'otp' || state === 'redirect';
  return status === 'requires_action' && asks && nextAction?.type !== state
    ? `(i) ${shown.gatewayReference} asks for ${nextAction?.type}, and the gateway for ${state}`
    : undefined;
}

/** A hold of an order that money pays is for a person to release. */
function lonelyHold(shown: Shown, payments: readonly Shown[]): string | undefined {
  const overtaken = shown.status === 'authorized' && !shown.needsAttention && payments.some(showsMoney);
  return overtaken ? `(l) ${nameOf(shown)} is a hold beside money, and nobody is told` : undefined;
}

/** A whole reversal is read as the refunds that were asked for: either way the payment holds nothing. */
export function isReadAsRefund(shown: Shown, { books, refunds }: Transaction): boolean {
  return books.state === 'reversed' && refunds.size > 0 && shown.status === 'succeeded' && !showsMoney(shown);
}

/** What no answer can settle any more, so that a person is called. */
function isForAPerson(
  { status, pendingOperation }: Shown,
  { books, excuses }: Transaction,
  asksRefunds: boolean,
): boolean {
  if (excuses.lied || excuses.resolved) return true;
  // A copy that was restored had it unpaid, and the gateway says only what became of the money since.
  const isUnpaid = status !== 'succeeded' && status !== 'voided';
  if (isUnpaid && (books.refunded > 0n || books.disputed || books.disputeWon)) return true;
  // Only a sum tells what became of it, and other money moves that too; a whole reversal may hold it.
  const unclear = !asksRefunds || books.state === 'reversed';
  if (unclear && pendingOperation?.['type'] === 'refund') return true;
  if (excuses.foreign && books.state === 'absent' && status === 'processing') return true;
  // Nobody can tell whether it was the void that gave something back.
  const given = books.refunded > 0n || books.disputed;
  return given && pendingOperation?.['type'] === 'void';
}

function expected({ books, everHeld, excuses }: Transaction, { status }: Shown): readonly Status[] {
  switch (books.state) {
    case 'captured':
      return ['succeeded'];
    case 'held':
      return ['authorized', ...(excuses.resolved ? CLOSED_UNPAID : [])];
    case 'reversed':
      return ['voided'];
    case 'declined':
    case 'absent':
      return CLOSED_UNPAID;
    case 'expired':
      return everHeld
        ? [...CLOSED_UNPAID, ...(status === 'voided' && excuses.resolved ? [status] : [])]
        : CLOSED_UNPAID;
    default:
      return [
        'processing',
        'requires_action',
        'canceled',
        ...(excuses.resolved ? (['failed'] as const) : []),
      ];
  }
}

/** (d) */
function wrongAmounts(shown: Shown, { books, excuses }: Transaction): string | undefined {
  if (books.state !== 'captured' || excuses.miscounted) return undefined;
  const captured = shown.amountCaptured === null ? 0n : minor(shown.amountCaptured);
  const refunded = shown.amountRefunded === null ? 0n : minor(shown.amountRefunded);
  if (captured !== books.captured)
    return `(d) ${nameOf(shown)}: ${major(books.captured)} were taken, ${shown.amountCaptured} are shown`;
  // Where a reversal may hold refunds or not, or a refund that failed may have been done, a person is called, and the greater sum counts.
  const doubted = refunded > books.refunded && (shown.needsAttention || excuses.resolved);
  if (refunded !== books.refunded && !doubted)
    return `(d) ${nameOf(shown)}: ${major(books.refunded)} were given back, ${shown.amountRefunded} are shown`;
  const twice = books.disputed && books.refunded >= books.captured;
  if (twice && !shown.needsAttention && !excuses.resolved)
    return `(d) ${nameOf(shown)} was given back and charged back, and nobody is told`;
  if (shown.disputed !== books.disputed)
    return `(d) ${nameOf(shown)}: charged back: ${books.disputed}, disputed: ${shown.disputed}`;
  return undefined;
}

/** What was given back before a payment was taken over, or since a copy was made that was restored, is none of the refunds listed. */
function madeHere(transaction: Transaction | undefined): [string, Refund][] {
  return [...(transaction?.refunds ?? [])].filter(([ref]) => !transaction?.forgottenRefunds.has(ref));
}

function stateOf(made: readonly [string, Refund][], index: number): Refund['state'] {
  const number = new RegExp(`_r${index + 1}(?:e\\d+)?$`);
  return made.find(([ref]) => number.test(ref))?.[1].state ?? 'absent';
}

/** Payments with a refund that is open and of which nothing ever says that it was not done: a person does. */
export async function lostRefunds(scene: Scene, payments: readonly Shown[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const shown of payments) {
    if (shown.pendingOperation?.['type'] !== 'refund') continue;
    const listed = await scene.shop.refundsOf(shown);
    const made = madeHere(scene.gateway.ledger.find(shown.gatewayReference));
    const state = stateOf(
      made,
      listed.findIndex(({ status }) => status === 'processing'),
    );
    if (state === 'absent' || (!scene.till.asksRefunds && state !== 'done')) lost.add(shown.id);
  }
  return lost;
}

/** (h) Each refund is what became of it at the gateway, and none was made that nobody asked for. */
export async function auditRefunds(scene: Scene, shown: Shown): Promise<void> {
  const transaction = scene.gateway.ledger.find(shown.gatewayReference);
  const listed = await scene.shop.refundsOf(shown);
  const made = madeHere(transaction);
  for (const [index, { id, status }] of listed.entries()) {
    if (transaction?.adopted) break;
    const state = stateOf(made, index);
    const any = ['succeeded', 'processing', 'failed'];
    const may = scene.till.asksRefunds
      ? { done: ['succeeded'], open: ['processing'], refused: ['failed'], absent: ['failed', 'processing'] }
      : {
          done: ['succeeded', ...(shown.needsAttention ? ['processing'] : [])],
          open: any,
          refused: any,
          absent: any,
        };
    if (!may[state].includes(status))
      scene.blame(`(h) ${id} of ${nameOf(shown)} is ${status}, and ${state} at the gateway`);
  }
  if (made.length > listed.length)
    scene.blame(`(h) ${nameOf(shown)}: ${made.length} refunds were made, ${listed.length} are listed`);
}

/** An entry of a payment's timeline. */
interface Entry {
  id: string;
  type: string;
  from?: Status;
  to?: Status;
}

/** What was told was so, and nothing went a way that there is not. */
export async function auditTimeline(scene: Scene, shown: Shown): Promise<void> {
  const { data } = await scene.till.read(`/v1/payments/${shown.id}/events`);
  let status: Status = 'processing';
  const been = new Set<Status>([status]);
  for (const { type, from, to } of data as Entry[]) {
    if (type !== 'status_changed' || !to) continue;
    if (from !== status) scene.blame(`(e) ${nameOf(shown)} was ${status}, and left ${from} for ${to}`);
    if (!MAY_BECOME[status].includes(to)) scene.blame(`(e) ${nameOf(shown)} went from ${status} to ${to}`);
    been.add(to);
    status = to;
  }
  if (status !== shown.status)
    scene.blame(`(e) ${nameOf(shown)} is ${shown.status}, its timeline ends at ${status}`);
  for (const told of scene.shop.told) {
    if (told.payment === shown.id && !been.has(told.status))
      scene.blame(`(e) ${nameOf(shown)} was answered as ${told.status}, which it never was`);
  }
}

/** (a) Of several that hold money one pays the order, and the others are announced as what they are. */
export function auditDuplicates(scene: Scene, payments: readonly Shown[]): void {
  const holding = payments.filter(showsMoney);
  const first = holding.filter(({ duplicateOf }) => duplicateOf === null);
  // One that may be about to give its money back takes no other's place.
  const mayNot = holding.every(
    ({ pendingOperation, needsAttention }) => pendingOperation !== null || needsAttention,
  );
  if (holding.length > 0 && first.length !== 1 && !(first.length === 0 && mayNot))
    scene.blame(
      `(a) ${holding.map(nameOf).join(', ')} hold money, and ${first.length} of them count as the one that pays`,
    );
  for (const { duplicateOf, id, gatewayReference } of holding) {
    if (duplicateOf !== null && first[0] && duplicateOf !== first[0].id)
      scene.blame(
        `(a) ${id} (${gatewayReference}) is a duplicate of ${duplicateOf}, which is not the one that pays`,
      );
  }
}

/** Whether a payment, as it is shown or announced, holds money. */
export function showsMoney({
  status,
  amountCaptured,
  amountRefunded,
  disputed,
  amountDisputed,
}: Pick<Shown, 'status' | 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'>): boolean {
  const of = (amount: string | null): bigint => (amount === null ? 0n : minor(amount));
  const left = of(amountCaptured) - of(amountRefunded);
  const charged = disputed && amountDisputed === null ? left : of(amountDisputed);
  return status === 'succeeded' && left - charged > 0n;
}

export function nameOf(shown: Shown): string {
  return `${shown.gatewayReference} (${shown.id}, attempt ${attemptOf(shown)})`;
}
