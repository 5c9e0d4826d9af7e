import type { Json } from './calls.ts';
import type { PurchasePlan } from './purchase-plan.ts';

export type Status =
  | 'processing'
  | 'requires_action'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'
  | 'voided';

/** A payment as an answer shows it, as far as anybody here looks. */
export interface Payment {
  id: string;
  reference: string;
  gatewayReference: string;
  method: string;
  status: Status;
  amount: string;
  amountCaptured: string | null;
  amountRefunded: string | null;
  disputed: boolean;
  currency: string;
  nextAction: { type: 'redirect' | 'otp' | 'transfer' | 'ussd'; url?: string } | null;
  pendingOperation: Json | null;
  duplicateOf: string | null;
  needsAttention: boolean;
  failure: { code: string } | null;
  createdAt: string;
}

/** One order: what was planned, what was asked, and what the service has answered, which it must never take back. */
export interface Purchase {
  readonly plan: PurchasePlan;
  readonly reference: string;
  /** Sessions that the service has acknowledged. */
  readonly sessions: Set<string>;
  /** Which payment each Idempotency-Key was answered with. */
  readonly keys: Map<string, string>;
  /** What was said of payments: every status that any answer named. */
  readonly told: { payment: string; status: Status }[];
  /** Payments that were answered with "nothing was sent". */
  readonly unsent: Set<string>;
  /** Whether payer and shop have done all they wanted. */
  done: boolean;
}

export function newPurchase(plan: PurchasePlan, reference: string): Purchase {
  return {
    plan,
    reference,
    sessions: new Set(),
    keys: new Map(),
    told: [],
    unsent: new Set(),
    done: false,
  };
}
