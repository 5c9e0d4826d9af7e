import type { Bank } from '../bank/bank.ts';
import type { Context } from '../context.ts';
import { readMajor } from '../ledger/money.ts';
import { type JsonObject, textOf } from '../dialects/pointer.ts';
import { isWaiting, leftMinor, type Transaction } from '../ledger/transaction.ts';

export const HAND_MOVES = [
  'approve',
  'decline',
  'expire',
  'settle',
  'reverse',
  'refund',
  'chargeback',
  'authorize',
  'receive',
  'wait',
] as const;
export type HandMove = (typeof HAND_MOVES)[number];

/**
 * Moves a transaction as its bank could at any time, whatever its state: a late success after a decline, or a hold next to
 * a success. Returns why not, if it cannot. Money is never taken twice.
 */
export function moveByHand(
  { bank }: Context,
  transaction: Transaction,
  move: HandMove,
  body: JsonObject,
): string | undefined {
  const taken = transaction.takenMinor > 0n;
  const left = leftMinor(transaction);
  const minor =
    body.amount === undefined
      ? transaction.amountMinor
      : readMajor(textOf(body, 'amount', ''), transaction.currency);
  if (minor === undefined) return 'amount: must be a decimal string with all minor digits';
  switch (move) {
    case 'approve':
    case 'receive':
      if (taken) return 'this attempt is paid already';
      if (move === 'approve' && body.amount === undefined) bank.charge(transaction, 'control');
      else bank.receive(transaction, minor, 'control');
      return undefined;
    case 'settle':
      if (transaction.state === 'authorized') bank.capture(transaction, minor, 'control');
      else if (isWaiting(transaction.state)) bank.charge(transaction, 'control');
      else return 'only what waits or is held can settle';
      return undefined;
    case 'authorize':
      bank.authorize(transaction, 'control');
      return undefined;
    case 'decline':
      bank.decline(transaction, textOf(body, 'code', '05'), textOf(body, 'message', 'Declined'), 'control');
      return undefined;
    case 'expire':
      bank.expire(transaction, 'control');
      return undefined;
    case 'wait':
      bank.wait(transaction, 'pending', 'Processing', 'control');
      return undefined;
    case 'reverse':
      if (body.amount === undefined) bank.giveBack(transaction, 'reverse', 'control');
      else return giveBackPart(bank, transaction, minor, 'reverse');
      return undefined;
    case 'refund':
      return giveBackPart(bank, transaction, body.amount === undefined ? left : minor, 'refund');
    case 'chargeback':
      if (left === 0n) return 'there is nothing left to charge back';
      bank.chargeBack(transaction, 'control');
      return undefined;
  }
}

/** Gives back a part of a paid transaction, or the rest. Returns why not, if it cannot. */
function giveBackPart(
  bank: Bank,
  transaction: Transaction,
  minor: bigint,
  kind: 'refund' | 'reverse',
): string | undefined {
  if (transaction.state !== 'succeeded') return 'only what is paid can be given back';
  if (minor <= 0n || minor > leftMinor(transaction)) return 'amount: more than is left of it, or nothing';
  bank.refund(transaction, minor, kind, 'control');
  return undefined;
}
