import type { FailureCode, NextAction } from '../../gateway/fact.js';
import type { MethodName } from '../../gateway/method-fields.js';
import type {
  ClosedReason,
  EntryType,
  OperationType,
  RecordedMethod,
  SessionStatus,
  Status,
} from './payment.js';

class FailureDto {
  /** Stable. Let your code decide by it. */
  code: FailureCode;
  /** Can be shown to the payer. */
  message: string;
  /** Why the bank declined it, as the gateway profile's `declines` list it; null where they do not. */
  reason: string | null;
  /** The gateway's own code. */
  gatewayCode: string | null;
  /** Nothing is wrong with the card: the payer may try again with it. */
  retryable: boolean;
}

class PendingOperationDto {
  type: OperationType;
  /** Decimal, in major units, of a completion or a refund. */
  amount?: string;
  /** RFC 3339, UTC. */
  since: string;
}

class PaymentCardDto {
  /** @example "verve" */
  brand: string;
  /** @example "7499" */
  last4: string;
}

/** One attempt to pay a session, by one method: as every answer and every event shows it. */
export class PaymentDto {
  /** @example "pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  sessionId: string;
  /** The merchant's reference. */
  reference: string;
  /**
   * What the gateway knows the payment by: the reference and the number of the attempt.
   * @example "ORDER-1001_1"
   */
  gatewayReference: string;
  /** The gateway's own name of the transaction, once it gave one. */
  transactionRef: string | null;
  /** `unknown`: the store had lost this payment and the gateway knew it. */
  method: RecordedMethod;
  /**
   * `processing`: sent to the gateway, or its outcome is not known yet. `requires_action`: waits for the payer. `authorized`: the money is
   * held. `succeeded`: paid. The others: not paid.
   */
  status: Status;
  /**
   * What is owed: decimal, in major units, with all minor digits.
   * @example "1500.00"
   */
  amount: string;
  /** What is or was held. */
  amountAuthorized: string | null;
  /** What was paid. */
  amountCaptured: string | null;
  /** What was given back. */
  amountRefunded: string | null;
  /** What a bank took back. */
  amountDisputed: string | null;
  /**
   * ISO 4217.
   * @example "NGN"
   */
  currency: string;
  /** What the payer must do next: `redirect`, `otp`, `pin`, `transfer`, `ussd` or `unsupported`, each with what it needs. */
  nextAction: NextAction | null;
  /** An operation whose outcome is not known yet. The service keeps asking the gateway. */
  pendingOperation: PendingOperationDto | null;
  /** A bank took the money back, and the gateway has not said that the dispute was won. */
  disputed: boolean;
  /** The payment that pays the order, where this one is a second payment of it. */
  duplicateOf: string | null;
  /** A person must look. */
  needsAttention: boolean;
  /** Why a person must look. The runbook explains each word. */
  attentionReasons: string[];
  /** Why it is not paid. */
  failure: FailureDto | null;
  card: PaymentCardDto | null;
  /** The session's. */
  metadata: Record<string, string>;
  /** When it was paid, RFC 3339, UTC: the gateway's time where it gives one that can be believed. */
  paidAt: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  updatedAt: string;
}

/** Money of a payment that was given back, or is about to be. */
export class RefundDto {
  /** @example "ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  paymentId: string;
  /**
   * Decimal, in major units.
   * @example "500.00"
   */
  amount: string;
  /** `processing`: sent, or its outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back, or it came back. */
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** It had succeeded and then came back. */
  late?: boolean;
}

/** One entry of a payment's timeline. */
export class TimelineEntryDto {
  id: string;
  /** What it is about. More words may come: ignore what you do not know. */
  type: EntryType;
  /** RFC 3339, UTC. */
  at: string;
  /** Who caused it: `payer`, `gateway`, `merchant`, or `merchant:<name>` for a named key; null for the service itself. */
  actor: string | null;
  from?: Status;
  to?: Status;
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  detail?: Record<string, string | number | boolean>;
}

/** What everybody sees of a session. */
export class SessionDto {
  /** @example "cs_Jg1hK6vX2bWq8r0mT5yNd3Pz" */
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** `open`, `paid`, `expired` or `closed`. */
  status: SessionStatus;
  /** @example "ORDER-1001" */
  reference: string;
  /**
   * Decimal, in major units, with all minor digits.
   * @example "1500.00"
   */
  amount: string;
  /** @example "NGN" */
  currency: string;
  returnUrl: string | null;
  methods: MethodName[];
  /** The language of the payment page, where the merchant chose one. */
  locale: string | null;
  /** RFC 3339, UTC. */
  expiresAt: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

/** A session in an event: without payer and token. */
export class SessionEventDto extends SessionDto {
  /** Closed by you (`merchant`), after too many `declines` or `attempts`, or because the payment that paid was `voided` or failed. */
  closedReason: ClosedReason | null;
  metadata: Record<string, string>;
}
