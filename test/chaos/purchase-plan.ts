import { drawFault, type GatewayFault } from './faults.ts';
import type { Random } from './random.ts';
import type { ShopMood } from './shop.ts';

/** What a client does when an answer does not come. */
export type OnSilence =
  /** Asks again with its key. */
  | 'same-key'
  /** Lets the shop make its session again (with the session's key), then asks with its key. */
  | 'session-again'
  /** Has forgotten everything: asks anew with another key. */
  | 'other-key'
  /** Looks at its session first, as a reloaded page does. */
  | 'look'
  /** Comes back by the return address, as a payer does whose bank sends them on. */
  | 'come-back';

/** All that a payer and their shop will do about one order. */
export interface PurchasePlan {
  name: string;
  method: 'card' | 'wallet' | 'transfer' | 'ussd';
  amount: string;
  /** Card numbers of the first, second … attempt; the last one for all further ones. */
  cards: string[];
  /** One-time codes that are given before the right one. */
  wrongCodes: string[];
  /** What the payer decides at the bank or in the wallet. */
  decision: 'approve' | 'decline';
  /** Whether the payer's browser comes back afterwards. */
  comesBack: boolean;
  /** The payer cancels while the payment waits; `pays-too` has approved it in the wallet by then, or does right after. */
  cancels: 'no' | 'cancels' | 'pays-too';
  /** What the shop does with money that is held. */
  held: 'complete' | 'complete-part' | 'void';
  /** Whether the shop gives the money back in the end. */
  voids: boolean;
  /** Whether the shop gives a part of the money back in the end. */
  refunds: boolean;
  /** What becomes of the money without the shop's doing. */
  afterwards: 'nothing' | 'part refunded' | 'part reversed' | 'charged back';
  /** Attempts that the payer makes at most. */
  attempts: number;
  onSilence: OnSilence[];
  faults: GatewayFault[];
  shop: ShopMood[];
  /** The gateway's own doing may make a second attempt be charged too: it said "not known" and charged later, or the payer paid what they had canceled. */
  mayBePaidTwice: boolean;
  /** The payer has given up, and the shop deals with what the gateway does all the same. */
  waitsForLate: boolean;
  /** A status query contradicts what the gateway has said before. */
  contradicted: boolean;
}

/** What is given back where only a part is. */
export const GIVEN_BACK = '500.00';
export const APPROVED = '4111111111111111';
const DECLINED = '5500000000000202';

const PLAIN: PurchasePlan = {
  name: 'card',
  method: 'card',
  amount: '1500.00',
  cards: [APPROVED],
  wrongCodes: [],
  decision: 'approve',
  comesBack: true,
  cancels: 'no',
  held: 'complete',
  voids: false,
  refunds: false,
  afterwards: 'nothing',
  attempts: 3,
  onSilence: ['same-key'],
  faults: [],
  shop: [],
  mayBePaidTwice: false,
  waitsForLate: false,
  contradicted: false,
};

/** Every way through the service, once each without anything going wrong. */
export const WAYS: readonly PurchasePlan[] = [
  PLAIN,
  { ...PLAIN, name: 'card declined, then another', cards: [DECLINED, APPROVED] },
  { ...PLAIN, name: 'one-time code', cards: ['4000000000000705'], wrongCodes: ['000000'] },
  { ...PLAIN, name: '3-D Secure', cards: ['4000000000000804'] },
  {
    ...PLAIN,
    name: '3-D Secure by form, declined',
    cards: ['5500000000000806'],
    decision: 'decline',
    attempts: 1,
  },
  { ...PLAIN, name: 'authorized, completed', cards: ['4000000000000903'] },
  { ...PLAIN, name: 'authorized, completed in part', cards: ['4000000000000903'], held: 'complete-part' },
  { ...PLAIN, name: 'authorized, voided', cards: ['4000000000000903'], held: 'void' },
  { ...PLAIN, name: 'paid, voided', voids: true },
  { ...PLAIN, name: 'paid, refunded in part', refunds: true },
  { ...PLAIN, name: 'paid, refunded in part there', afterwards: 'part refunded' },
  { ...PLAIN, name: 'paid, reversed in part there', afterwards: 'part reversed' },
  { ...PLAIN, name: 'paid, charged back', afterwards: 'charged back' },
  { ...PLAIN, name: 'pending at the bank', cards: ['4000000000001109'] },
  { ...PLAIN, name: 'wallet', method: 'wallet' },
  {
    ...PLAIN,
    name: 'wallet, declined there',
    method: 'wallet',
    decision: 'decline',
    attempts: 1,
    comesBack: false,
  },
  { ...PLAIN, name: 'wallet, canceled', method: 'wallet', cancels: 'cancels', attempts: 1 },
  { ...PLAIN, name: 'transfer', method: 'transfer', comesBack: false },
  { ...PLAIN, name: 'USSD', method: 'ussd', comesBack: false },
];

/** Rare ways that need the gateway's help, or patience. */
const RARE: readonly PurchasePlan[] = [
  { ...PLAIN, name: 'charged after the connection broke', faults: [late(200)] },
  { ...PLAIN, name: 'charged after it was given up', faults: [late(4_000)], mayBePaidTwice: true },
  { ...PLAIN, name: 'contradicted later', contradicted: true },
  {
    ...PLAIN,
    name: 'wallet, canceled and paid',
    method: 'wallet',
    cancels: 'pays-too',
    mayBePaidTwice: true,
  },
  { ...PLAIN, name: 'wallet, voided', method: 'wallet', voids: true },
];

function late(processAfterMs: number): GatewayFault {
  return { kind: 'reset-before', operation: 'payCard', processed: true, processAfterMs };
}

const SILENCE: readonly (readonly [OnSilence, number])[] = [
  ['same-key', 5],
  ['session-again', 2],
  ['other-key', 2],
  ['look', 2],
  ['come-back', 1],
];
const MOODS: readonly (readonly [ShopMood, number])[] = [
  ['accept', 5],
  ['fail', 2],
  ['reset', 1],
  ['accept-then-reset', 1],
  ['slow', 1],
];

/** A way with what goes wrong on it. */
export function drawPurchase(random: Random): PurchasePlan {
  const way = random.chance(0.15) ? random.pick(RARE) : random.pick(WAYS);
  const faults = [...way.faults];
  if (faults.length === 0 && random.chance(0.6)) faults.push(drawFault(random, operationsOf(way)));
  if (faults.length > 0 && random.chance(0.2)) faults.push(drawFault(random, operationsOf(way)));
  return {
    ...way,
    faults,
    comesBack: way.comesBack && random.chance(0.7),
    onSilence: [1, 2, 3].map(() => random.weighted(SILENCE)),
    shop: random.chance(0.3) ? [1, 2, 3].map(() => random.weighted(MOODS)) : [],
  };
}

/** What this way asks the gateway to do. */
export function operationsOf(plan: PurchasePlan): string[] {
  const first = {
    card: 'payCard',
    wallet: 'initiateWallet',
    transfer: 'initiateTransfer',
    ussd: 'generateUssdCode',
  };
  const operations = [first[plan.method], first[plan.method]];
  if (/code/.test(plan.name)) operations.push('validateOtp');
  if (/completed/.test(plan.name)) operations.push('complete');
  if (/voided/.test(plan.name)) operations.push('void');
  if (plan.refunds) operations.push('refund');
  return operations;
}
