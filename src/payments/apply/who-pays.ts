import type { PaidBeside } from '../../store/payment-writer.js';
import type { ReferenceRecord } from '../../store/schema.js';
import { isAnnounced } from '../state/announced.js';
import { needsFor } from '../state/attention.js';
import { holdsMoney } from '../state/money-held.js';
import { anyOnItsWay } from '../state/on-its-way.js';

/** Who pays a reference, and which payments keep it from being paid again. */
export interface Paying {
  /** Undefined where none holds money, or where those that do have not been announced and may be about to give it back. */
  payer: PaidBeside | undefined;
  /** All that hold money, by the time of their success. */
  holding: readonly PaidBeside[];
  /** For the row of the reference: the payer first. */
  paidPaymentIds: string[];
}

/**
 * Who pays a reference, of its paid payments: the first that holds money and has ever been announced as paying. Where there is none, the next
 * one that holds money and has no operation on its way becomes it. `newcomer` has just been paid, so it takes nobody's place, and pays
 * even with an operation on its way. One that was given back whole keeps its reference from being paid again until another one pays: the
 * order was paid and given back. Pure.
 */
export function whoPays(
  paid: readonly PaidBeside[],
  paidBefore: readonly string[],
  newcomer?: string,
): Paying {
  const holding = paid
    .filter(({ payment }) => holdsMoney(payment))
    .sort((one, other) => (one.payment.closedAt ?? 0) - (other.payment.closedAt ?? 0));
  const isNew = ({ payment }: PaidBeside): boolean => payment.id === newcomer;
  const isKnown = (one: PaidBeside): boolean => isAnnounced(one.payment) && !isNew(one);
  const payer = holding.find(isKnown) ?? holding.find((one) => isNew(one) || mayTakeOver(one));
  const ids = holding.filter((one) => one !== payer).map(({ payment }) => payment.id);
  const givenBack = paid
    .filter((one) => isKnown(one) && !holding.includes(one) && paidBefore.includes(one.payment.id))
    .map(({ payment }) => payment.id);
  return { payer, holding, paidPaymentIds: payer ? [payer.payment.id, ...ids] : [...givenBack, ...ids] };
}

/** Whether a duplicate may be announced as paying: what it holds is clear, and nothing of it is on its way. */
function mayTakeOver({ payment, openOperations }: PaidBeside): boolean {
  return !anyOnItsWay(openOperations) && !needsFor(payment, 'refund_unclear');
}

/** Throws where not all other paid payments of the reference were read with the payment `ownId`. */
export function assertAllRead(
  { paidPaymentIds }: ReferenceRecord,
  ownId: string,
  paidBeside: readonly PaidBeside[],
): void {
  const isRead = (id: string): boolean => id === ownId || paidBeside.some(({ payment }) => payment.id === id);
  if (!paidPaymentIds.every(isRead)) {
    throw new Error('A paid payment of the reference was not read with the one that is written');
  }
}
