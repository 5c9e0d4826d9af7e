import type { Fact } from '../../gateway/fact.js';
import type { Mint } from '../../store/ids.js';
import type { MovementKind } from '../../store/store.js';
import type { Card, Key, Operation, OrderState, RecordedMethod, Status, TimelineEntry } from './payment.js';

/** What the configuration and the profile say about decisions. */
export interface Rules {
  notFoundGraceMs: number;
  duplicatePolicy: 'announce' | 'void';
  /** 0: off. */
  maxDeclines: number;
  maxPayments: number;
  /** Which operations the profile has. */
  has: {
    otp: boolean;
    pin: boolean;
    complete: boolean;
    void: boolean;
    refund: boolean;
    refundStatus: boolean;
  };
  /** When the store lost commits; undefined: it did not, or not lately. */
  restoredAt: number | undefined;
  /** The `client_ref` of an order's Nth payment. */
  gatewayReference: (reference: string, n: number) => string;
}

/** What is drawn outside, so that a decision that runs twice draws the same. */
export interface Moment {
  /** Milliseconds since the epoch. */
  now: number;
  /** The next id of a kind, such as `evt`. */
  id: Mint;
}

/** An idempotency key to be recorded with what it did. */
export type NewKey = Pick<Key, 'caller' | 'key' | 'path' | 'fingerprint'> & {
  /** The same by former secret keys, for a request repeated while they rotate. */
  former?: readonly string[];
};

export type Command =
  | {
      do: 'pay';
      session: string;
      payment: string;
      operation: string;
      method: RecordedMethod;
      card: Card | null;
    }
  | { do: 'otp' | 'pin'; payment: string; operation: string }
  | { do: 'complete'; payment: string; operation: string; amount: bigint | null }
  /** `policy`: by `DUPLICATE_POLICY`, which tries once. */
  | { do: 'void'; payment: string; operation: string; policy?: true }
  | {
      do: 'refund';
      payment: string;
      operation: string;
      amount: bigint | null;
      reason: string | null;
      refundRef: string;
    };

/** A person's word. */
export type Resolution =
  | { status: Status; amountReceived?: bigint }
  | { operation: 'confirmed' | 'refused' }
  | { refundId: string; status: 'succeeded' | 'failed' };

export type Input =
  /** `process` alone may send what follows. */
  | { by: 'command'; command: Command; actor: string; process: string; key?: NewKey; approval?: string }
  /** A refund that needs a second person: nothing is sent. */
  | { by: 'declined'; approval: string; actor: string; key: NewKey }
  | {
      by: 'approval';
      command: Extract<Command, { do: 'refund' }>;
      approval: string;
      actor: string;
      key: NewKey;
    }
  /**
   * `to`: an operation's id, a status query, a payer's or merchant's cancel, or a query about a refund.
   * `owned`: the asker still holds the payment's lease. `taken`: the transaction is known as another order's.
   */
  | {
      by: 'answer';
      payment: string;
      to: { operation: string } | 'status' | 'cancel' | { refund: string };
      fact: Fact;
      owned: boolean;
      taken?: boolean;
      actor?: string;
      key?: NewKey;
    }
  | {
      by: 'notification';
      payment: string;
      status?: Fact;
      transactionRef?: string;
      kept?: Record<string, string>;
      /** One answer is enough, whatever it says. */
      once?: true;
    }
  | { by: 'person'; payment: string; actor: string; as: Resolution; note: string; key?: NewKey }
  /** What a call made before the operation's own has taught, for later calls. */
  | { by: 'kept'; payment: string; kept: Record<string, string> }
  /** A process that committed an operation lives no more. */
  | { by: 'orphan'; payment: string; operation: string }
  /** A payment that the gateway knows and the store lost. */
  | { by: 'adoption'; payment: string; n: number; fact: Fact }
  /** What the gateway says about numbers behind the last one after the loss of that time; all behind them are unknown there. */
  | { by: 'probe'; loss: number; found: { n: number; fact: Fact }[] }
  /** Time passed: sessions end, and what stays open too long needs a person. */
  | { by: 'clock'; payment?: string };

export const PAYMENT_EVENTS = [
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'voided',
  'duplicate',
  'needs_attention',
  'refunded',
  'refund_failed',
  'disputed',
  'dispute_won',
  'operation_refused',
  'resolved',
  'approval_needed',
] as const;
export type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

export const SESSION_EVENTS = ['paid', 'expired', 'closed'] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];

/** Money that moved. */
export interface Money {
  kind: MovementKind;
  direction: 'in' | 'out';
  amount: bigint;
  refundId: string | null;
  at: number;
  source: 'gateway' | 'person';
  /** A refund's reason or a person's note. */
  reason: string | null;
}

/** What an operation's event says of it. */
export interface Announced {
  type: string;
  amount?: bigint;
  refundId?: string;
}

/** One thing that a decision did. The timeline, events, the ledger, the log and metrics follow from entries alone. */
export type Entry =
  | {
      of: 'payment';
      id: string;
      line: TimelineEntry;
      money?: Money;
      announce?: PaymentEvent;
      operation?: Announced;
    }
  | { of: 'session'; id: string; at: number; announce: SessionEvent; late?: true };

/** What the engine sends once the decision is durable. */
export interface Effect {
  do: 'send';
  payment: string;
  operation: Operation;
}

export interface Decision {
  state: OrderState;
  /** Ids of payments that are new or changed. */
  changed: ReadonlySet<string>;
  entries: Entry[];
  effects: Effect[];
}
