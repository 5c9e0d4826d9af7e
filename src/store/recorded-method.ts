import { PAYMENT_METHODS } from '../config/env.js';
import type { PaymentMethod } from '../config/read-config.js';

/** How a payment was paid: `unknown` of one that was taken over from a settlement report. */
export type RecordedMethod = PaymentMethod | 'unknown';

/** All of them, in the order in which they are shown. */
export const RECORDED_METHODS: readonly RecordedMethod[] = [...PAYMENT_METHODS, 'unknown'];
