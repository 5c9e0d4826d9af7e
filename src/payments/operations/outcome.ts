import type { PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** How a request ended: the payment as it now stands, and whether an earlier request with the same key had done it. */
export interface Outcome {
  payment: PaymentRecord;
  replayed: boolean;
  /** The operation that the request made, where it made one. */
  operationId?: string;
  /** What the caller is told instead of the payment. */
  problem?: PaymentUpdate['problem'];
}
