import type { FollowedMethod, MethodDescriptor } from './method-descriptor.js';
import { PAYMENT_METHODS } from '../config/payment-method.js';
import type { PaymentMethod } from '../config/payment-method.js';
import type { RecordedMethod } from '../store/schema.js';
import { cardMethod } from './cards/card-method.js';
import { transferMethod, walletMethod, ussdMethod } from './plain-methods.js';

/**
 * How a payment was paid that was taken over from a settlement report. Nothing can be started by it, and nothing is left for its payer
 * to do.
 */
const unknownMethod: FollowedMethod = {
  name: 'unknown',
  statusQuery: 'transactionStatus',
  finishesAtOnce: false,
  takesOtp: false,
  countsDeclines: false,
  nextActions: [],
  fillAction: () => undefined,
};

const descriptors: Readonly<Record<PaymentMethod, MethodDescriptor>> = {
  card: cardMethod,
  wallet: walletMethod,
  transfer: transferMethod,
  ussd: ussdMethod,
};

/** What is specific to each method that a payment can be started by. */
export function methodOf(name: PaymentMethod): MethodDescriptor;
/** What is specific to each method that a payment was paid by. */
export function methodOf(name: RecordedMethod): FollowedMethod;
export function methodOf(name: RecordedMethod): FollowedMethod {
  return name === 'unknown' ? unknownMethod : descriptors[name];
}

/** Every method, in the order in which they are offered. */
export const METHODS: readonly MethodDescriptor[] = PAYMENT_METHODS.map((name) => methodOf(name));

/** Every method whose payments the gateway is asked about. */
export const FOLLOWED_METHODS: readonly FollowedMethod[] = [...METHODS, unknownMethod];

/** How a payment was paid of which nothing is known but the query by which the gateway knows it: it is asked about by that from then on. */
export function methodAskedBy(query: FollowedMethod['statusQuery']): RecordedMethod {
  const asked = [unknownMethod, ...METHODS].find(({ statusQuery }) => statusQuery === query);
  return (asked ?? unknownMethod).name;
}
