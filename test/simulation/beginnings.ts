import type { Fact } from '../../src/gateway/fact.js';
import { DECLINED as DECLINE } from '../core/given.js';
import type { Ending } from '../core/true-gateway.js';
import type { Fate } from './faults.js';
import type { Act } from './people.js';

/** Orders whose beginning found a fault once, of a model or of the service. Nothing else goes wrong in them. */
export interface Beginning {
  steps: readonly Step[];
  lean?: boolean;
  duplicatePolicy?: 'announce' | 'void';
  refundStatus?: boolean;
  /** How it must end, by N: status, reasons of attention, `disputed`. */
  ends: Readonly<Record<number, string>>;
}

export type Step =
  /** Persons act one after the other; `meanwhile`: nobody waits for its end. */
  | Act
  | { meanwhile: Act }
  /** How starts and codes end from now on. */
  | { ending: Ending }
  /** What becomes of the next operation that is sent. */
  | { fate: Fate }
  /** The next status query takes its time: its answer is from now. */
  | { slow: true }
  /** What the next answer is, whatever is true. */
  | { says: Fact }
  /** The gateway moves by itself. */
  | { gateway: string; n: number }
  | { wait: number }
  /** The store loses its last commits. */
  | { lose: number };

const MINUTE = 60_000;
const PAID: readonly Step[] = [{ ending: 'paid' }, { do: 'session' }, { do: 'pay' }];
const HELD: readonly Step[] = [{ ending: 'held' }, { do: 'session' }, { do: 'pay' }];
const DECLINED: readonly Step[] = [{ ending: 'failed' }, { do: 'session' }, { do: 'pay' }];

export const BEGINNINGS: Readonly<Record<string, Beginning>> = {
  'a decline, then a hold, then the declined one is paid late': {
    steps: [
      ...DECLINED,
      { ending: 'held' },
      { do: 'pay' },
      { gateway: 'pays', n: 1 },
      { wait: 5_000 },
      { do: 'complete', n: 2 },
    ],
    ends: { 1: 'succeeded', 2: 'authorized hold_ending' },
  },
  'a decline, then a code is asked for, then the declined one is paid late': {
    steps: [
      ...DECLINED,
      { ending: 'asked' },
      { do: 'pay' },
      { gateway: 'pays', n: 1 },
      { wait: 5_000 },
      { ending: 'paid' },
      { do: 'otp', n: 2 },
    ],
    ends: { 1: 'succeeded', 2: 'expired' },
  },
  'a start that timed out and that a person calls refused': {
    steps: [
      { ending: 'paid' },
      { do: 'session' },
      { fate: 'answerIsLost' },
      { do: 'pay' },
      { do: 'resolve', n: 1, as: { operation: 'refused' } },
      { do: 'resolve', n: 1, as: { status: 'failed' } },
      { do: 'pay' },
    ],
    ends: { 1: 'succeeded' },
  },
  'our own void of the payment that pays, under way while a duplicate is paid': {
    steps: [
      ...DECLINED,
      { ending: 'paid' },
      { do: 'pay' },
      { fate: 'answerIsLost' },
      { meanwhile: { do: 'void', n: 2 } },
      { wait: 5_000 },
      { gateway: 'pays', n: 1 },
      { wait: 60_000 },
      { do: 'pay' },
    ],
    ends: { 1: 'succeeded duplicate', 2: 'voided' },
  },
  'our refund, unheard, beside one by the gateway': {
    steps: [
      ...PAID,
      { fate: 'answerIsLost' },
      { do: 'refund', n: 1, part: true },
      { gateway: 'gives', n: 1 },
      { wait: MINUTE },
    ],
    ends: { 1: 'succeeded' },
  },
  'a dispute that ends as a plain success': {
    steps: [
      ...PAID,
      { gateway: 'disputes', n: 1 },
      { wait: 5_000 },
      { gateway: 'forgets', n: 1 },
      { wait: 5_000 },
    ],
    ends: { 1: 'succeeded contradicted disputed' },
  },
  'a card in processing when its session ends': {
    steps: [
      { ending: 'waiting' },
      { do: 'session' },
      { do: 'pay' },
      { wait: 40 * MINUTE },
      { do: 'cancel', n: 1 },
      { do: 'pay' },
    ],
    ends: { 1: 'processing' },
  },
  'a reversal beside an open refund': {
    steps: [
      ...PAID,
      { fate: 'neverArrives' },
      { do: 'refund', n: 1 },
      { gateway: 'reverses', n: 1 },
      { wait: 5_000 },
    ],
    ends: { 1: 'succeeded contradicted' },
  },
  'one "given back whole" heard twice': {
    steps: [
      ...PAID,
      { gateway: 'gives', n: 1 },
      { gateway: 'gives', n: 1 },
      { wait: 5_000 },
      { do: 'refresh', n: 1 },
    ],
    lean: true,
    ends: { 1: 'succeeded' },
  },
  'a late hold beside a live payment': {
    steps: [
      ...DECLINED,
      { ending: 'asked' },
      { do: 'pay' },
      { gateway: 'holds', n: 1 },
      { wait: 5_000 },
      { ending: 'paid' },
      { do: 'otp', n: 2 },
    ],
    ends: { 1: 'authorized contradicted', 2: 'expired' },
  },
  'an answer fetched before a void and heard after it': {
    steps: [
      ...PAID,
      { slow: true },
      { meanwhile: { do: 'refresh', n: 1 } },
      { wait: 2_000 },
      { do: 'void', n: 1 },
      { wait: MINUTE },
    ],
    ends: { 1: 'voided' },
  },
  'a hold that is asked about before its void and heard after it': {
    steps: [
      ...HELD,
      { slow: true },
      { meanwhile: { do: 'refresh', n: 1 } },
      { wait: 2_000 },
      { do: 'void', n: 1 },
      { wait: MINUTE },
    ],
    ends: { 1: 'voided' },
  },
  'a second real case behind a resolved one': {
    steps: [
      ...PAID,
      { gateway: 'disputes', n: 1 },
      { wait: 5_000 },
      { gateway: 'forgets', n: 1 },
      { wait: 5_000 },
      { do: 'resolve', n: 1, as: { status: 'succeeded', amountReceived: 1500n } },
      { gateway: 'disputes', n: 1 },
      { wait: 5_000 },
    ],
    ends: { 1: 'succeeded disputed' },
  },
  'a refund after the store was rolled back': {
    steps: [
      ...PAID,
      { wait: MINUTE },
      { do: 'refund', n: 1 },
      { lose: 10_000 },
      { wait: MINUTE },
      { do: 'refund', n: 1 },
    ],
    ends: { 1: 'succeeded refund_unexplained' },
  },
  'a code after the store was rolled back': {
    steps: [
      { ending: 'asked' },
      { do: 'session' },
      { do: 'pay' },
      { wait: MINUTE },
      { ending: 'paid' },
      { do: 'otp', n: 1 },
      { lose: 10_000 },
      { wait: MINUTE },
      { do: 'otp', n: 1 },
    ],
    ends: { 1: 'succeeded' },
  },
  'a completion after the store was rolled back': {
    steps: [
      ...HELD,
      { wait: MINUTE },
      { do: 'complete', n: 1 },
      { lose: 10_000 },
      { wait: MINUTE },
      { do: 'complete', n: 1 },
    ],
    ends: { 1: 'succeeded' },
  },
  'a start after the store was rolled back': {
    steps: [
      { ending: 'paid' },
      { do: 'session' },
      { wait: MINUTE },
      { do: 'pay' },
      { wait: MINUTE },
      { lose: 90_000 },
      { wait: MINUTE },
      { do: 'session' },
      { do: 'pay' },
    ],
    ends: { 1: 'succeeded' },
  },
  'a start whose answer comes after the store was rolled back': {
    steps: [
      { ending: 'paid' },
      { do: 'session' },
      { wait: MINUTE },
      { fate: 'answerIsLost' },
      { meanwhile: { do: 'pay' } },
      { wait: 5_000 },
      { lose: 20_000 },
      { wait: MINUTE },
      { do: 'pay' },
    ],
    ends: { 1: 'succeeded' },
  },
  'a start while the loss of another is being found': {
    steps: [
      { ending: 'paid' },
      { do: 'session' },
      { wait: MINUTE },
      { fate: 'arrivesLate' },
      { meanwhile: { do: 'pay' } },
      { wait: 5_000 },
      { lose: 20_000 },
      { do: 'pay' },
      { wait: MINUTE },
      { do: 'pay' },
    ],
    ends: { 1: 'succeeded' },
  },
  'a duplicate is voided once the payment that pays is known to be paid': {
    steps: [...DECLINED, { ending: 'paid' }, { do: 'pay' }, { gateway: 'pays', n: 1 }, { wait: MINUTE }],
    duplicatePolicy: 'void',
    ends: { 1: 'voided', 2: 'succeeded' },
  },
  'a refund that bounces': {
    steps: [
      ...PAID,
      { do: 'refund', n: 1, part: true },
      { gateway: 'bounces', n: 1 },
      { wait: MINUTE },
      { do: 'refresh', n: 1 },
    ],
    refundStatus: true,
    ends: { 1: 'succeeded' },
  },
  'a completion of what is let go meanwhile': {
    steps: [
      ...HELD,
      { fate: 'neverArrives' },
      { do: 'complete', n: 1 },
      { gateway: 'reverses', n: 1 },
      { wait: MINUTE },
    ],
    ends: { 1: 'voided' },
  },
  'a void that never arrived, of a payment that is still paid': {
    steps: [...PAID, { fate: 'neverArrives' }, { do: 'void', n: 1 }, { wait: MINUTE }],
    ends: { 1: 'succeeded operation_unknown' },
  },
  'an answer about another payment': {
    steps: [
      ...PAID,
      { says: { is: 'foreign', differs: 'reference' } },
      { do: 'refresh', n: 1 },
      { do: 'refund', n: 1 },
    ],
    ends: { 1: 'succeeded differs' },
  },
  'a payment that failed once it was paid, as one answer has it': {
    steps: [
      ...PAID,
      { says: { is: 'failed', failure: DECLINE } },
      { do: 'refresh', n: 1 },
      { do: 'refund', n: 1 },
    ],
    ends: { 1: 'succeeded contradicted' },
  },
  'a hold that failed, as one answer has it': {
    steps: [
      ...HELD,
      { says: { is: 'failed', failure: DECLINE } },
      { do: 'refresh', n: 1 },
      { do: 'complete', n: 1 },
    ],
    ends: { 1: 'authorized contradicted' },
  },
  'a refunded payment is disputed': {
    steps: [
      ...PAID,
      { do: 'refund', n: 1, part: true },
      { wait: MINUTE },
      { gateway: 'disputes', n: 1 },
      { wait: MINUTE },
    ],
    refundStatus: true,
    ends: { 1: 'succeeded disputed' },
  },
  'a disputed payment has an open refund': {
    steps: [
      ...PAID,
      { ending: 'waiting' },
      { fate: 'answerIsLost' },
      { do: 'refund', n: 1, part: true },
      { gateway: 'disputes', n: 1 },
      { wait: MINUTE },
      { gateway: 'refunds', n: 1 },
      { wait: 10 * MINUTE },
    ],
    refundStatus: true,
    ends: { 1: 'succeeded disputed' },
  },
  'a refund of a payment that the store lost and the gateway reversed': {
    steps: [
      ...PAID,
      { ending: 'waiting' },
      { do: 'refund', n: 1, part: true },
      { gateway: 'reverses', n: 1 },
      { slow: true },
      { meanwhile: { do: 'refresh', n: 1 } },
      { wait: 2_000 },
      { lose: 60_000 },
      { wait: MINUTE },
      { gateway: 'refunds', n: 1 },
      { wait: 10 * MINUTE },
    ],
    refundStatus: true,
    ends: { 1: 'voided contradicted' },
  },
};
