import { PAYMENT_METHODS } from '../config/env.js';
import type { PaymentMethod } from '../config/read-config.js';
import type { RecordedMethod } from '../store/recorded-method.js';
import { cardMethod } from './cards/card-method.js';
import type { FollowedMethod, MethodDescriptor } from './method-descriptor.js';
import { transferMethod } from './transfers/transfer-method.js';
import { unknownMethod } from './unknown-method.js';
import { ussdMethod } from './ussd/ussd-method.js';
import { walletMethod } from './wallets/wallet-method.js';

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
