import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../../../src/gateway/fact.js';
import { AMOUNT } from '../../core/given.js';

/** What the simulation's gateway says on the wire, and the profile that reads it. */

interface Answer {
  status: number;
  body: unknown;
}

export const major = (amount: bigint): string => (Number(amount) / 100).toFixed(2);
export const minor = (amount: string | null): bigint => BigInt((amount ?? '0').replace('.', ''));

/** Returns the file. */
export function writeProfile(folder: string): string {
  const file = join(import.meta.dirname, '../../../sandbox/refunds.profile.json');
  const given = JSON.parse(readFileSync(file, 'utf8')) as { answer: object };
  const pointers = {
    reference: '/data/transaction/client_ref',
    disputedAmount: '/data/transaction/disputedAmount',
  };
  const written = join(folder, 'profile.json');
  writeFileSync(written, JSON.stringify({ ...given, answer: { ...given.answer, ...pointers } }));
  return written;
}

const STATUS: Partial<Record<Fact['is'], string>> = {
  paid: 'SUCCESS',
  held: 'AUTHORIZED',
  reversed: 'VOIDED',
  failed: 'FAILED',
  expired: 'EXPIRED',
  waiting: 'PENDING',
  accepted: 'PENDING',
  chargedBack: 'CHARGEBACK',
  disputeWon: 'CHARGEBACK_REVERSED',
  refundDone: 'REFUNDED',
  refundFailed: 'FAILED',
  unlisted: 'ODD',
  foreign: 'SUCCESS',
};

export function words(fact: Fact, name: string, refundRef?: string): Answer {
  if (fact.is === 'unclear') return { status: 500, body: 'Internal error' };
  if (fact.is === 'denied' || fact.is === 'refused' || fact.is === 'notSent') {
    const errorCode = fact.is === 'denied' ? 'NOT_FOUND' : '05';
    return { status: 200, body: { error: true, message: 'No', data: { errorCode } } };
  }
  const { transactionRef, amount, refundedTotal, disputedTotal } = fact;
  const money = (value: bigint | undefined): string | undefined =>
    value === undefined ? value : major(value);
  const transaction = {
    client_ref: fact.is === 'foreign' ? `${name}0` : name,
    refundRef,
    status: statusOf(fact),
    amount: money(amount),
    currency: 'NGN',
    refundedAmount: money(refundedTotal),
    disputedAmount: money(disputedTotal),
  };
  return { status: 200, body: { error: false, message: 'OK', data: { transactionRef, transaction } } };
}

function statusOf(fact: Fact): string | undefined {
  if (fact.is === 'givenBack') return fact.whole ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return fact.is === 'waiting' && fact.action ? 'OTP_REQUIRED' : STATUS[fact.is];
}

/** A wallet's start: it never says more than that the payer may go on. */
export function walletWords(fact: Fact, name: string): Answer {
  if (['unclear', 'denied', 'refused', 'failed', 'unlisted', 'foreign'].includes(fact.is))
    return words(fact, name);
  const money = { total: Number(AMOUNT), currency: 'NGN' };
  const url = 'https://cashier.example/pay';
  const data = { reference: name, orderNo: `T-${name}`, cashierUrl: url, status: 'INITIAL', amount: money };
  return { status: 200, body: { status: 'success', data: { code: '00000', message: 'SUCCESSFUL', data } } };
}
