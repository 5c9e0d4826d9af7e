import { PAYMENT_METHODS } from '../config/env.js';
import type { PaymentMethod } from '../config/read-config.js';
import { cardMethod } from './cards/card-method.js';
import type { MethodDescriptor } from './method-descriptor.js';
import { transferMethod } from './transfers/transfer-method.js';
import { ussdMethod } from './ussd/ussd-method.js';
import { walletMethod } from './wallets/wallet-method.js';

const descriptors: Readonly<Record<PaymentMethod, MethodDescriptor>> = {
  card: cardMethod,
  wallet: walletMethod,
  transfer: transferMethod,
  ussd: ussdMethod,
};

/** What is specific to each method. */
export function methodOf(name: PaymentMethod): MethodDescriptor {
  return descriptors[name];
}

/** Every method, in the order in which they are offered. */
export const METHODS: readonly MethodDescriptor[] = PAYMENT_METHODS.map(methodOf);
