import type {
  Failure,
  NextAction,
  OperationStatus,
  PaymentStatus,
  TimelineType,
} from '../../store/schema.js';
import type { ProblemCode } from '../../http/problems/problem.js';
import type { GatewayMeaning } from '../../gateway/gateway-result.js';
import type { Attention, AttentionReason } from './attention.js';
import type { Mover } from './payment-state.js';

/** What came of a status query about a payment. */
export interface Heard {
  /** The meaning of the answer; undefined where none came. */
  meaning: GatewayMeaning | undefined;
  /** Whether the schedule asked. */
  scheduled: boolean;
}

/** What an answer (or a person, or the clock) means for a payment: the only thing that `apply` acts on. */
export interface PaymentUpdate {
  move?: {
    to: PaymentStatus;
    by: Mover;
    failure?: Failure;
    /** Nothing of the card has reached the gateway, so it says nothing about one. */
    uncounted?: true;
    /** The payment was not in the store when it was paid, so its success is news that comes late. */
    late?: true;
    /** Minor units; how much is held. */
    authorized?: bigint;
    /** Minor units; how much was paid. */
    captured?: bigint;
    /** When it was paid, in milliseconds since the epoch, as the gateway says. */
    paidAt?: number;
  };
  /** How much was paid, in minor units, where a person says so of a payment that stays where it is. */
  captured?: bigint;
  /** How much the gateway says has been given back, in minor units. Never lowers what is known. */
  refunded?: bigint;
  /** When that was given back, in milliseconds since the epoch, as the gateway says. */
  refundedAt?: number;
  /** The gateway says that the payment was charged back. */
  disputed?: true;
  /** How much of it, in minor units, where the gateway says so; otherwise all that is left. */
  disputedAmount?: bigint;
  /** The dispute was won or withdrawn: the money is there again. */
  disputeWon?: true;
  /** The word because of which attention is raised: not again by the same one. */
  unlistedWord?: string;
  /** What the payer must do now: makes or keeps the payment `requires_action`. */
  nextAction?: NextAction;
  /** How open operations change. `accepted` says that the gateway has accepted it as pending. */
  operations?: {
    id: string;
    status: OperationStatus;
    formerCount?: number;
    accepted?: boolean;
    /** Concluded from how the payment stands, not said of the operation itself. */
    inferred?: true;
    /** The sum that the gateway says was heard to hold this refund. */
    inSum?: true;
    /**
     * About a refund whose outcome was known before: only with this it is changed. One that becomes `refused` gave nothing back, or not
     * for good: what was counted for it is not any more.
     */
    settled?: { inSum?: boolean; fallHeardAt?: number | null; cameBack?: true };
  }[];
  /** A person's void was refused in words, which is no proof that it was not done. */
  voidDoubtful?: true;
  /** The gateway's own names and times, where the answer carries them. */
  transactionRef?: string;
  /** Values that the profile keeps of the answer. The newest of a name counts. */
  kept?: Readonly<Record<string, string>>;
  gatewayExpiresAt?: number;
  /** A trustworthy answer about this payment came. */
  answered?: boolean;
  /** The answer says that the gateway waits for the payer. */
  waiting?: boolean;
  /** The answer is conclusive. Waiting is conclusive too: the gateway knows the payment. */
  conclusive?: boolean;
  /** One more answer that the gateway does not know this payment. */
  notKnown?: boolean;
  attention?: Attention;
  /** The reasons for attention that it removes. */
  lifts?: readonly AttentionReason[];
  /** A person has said what became of the payment. That ends whatever attention it needs. */
  resolved?: boolean;
  /** A person has said what became of a refund. The payment is followed for a while, as after any such word. */
  refundResolved?: true;
  /** The schedule asked, so its next pause is longer. */
  scheduled?: boolean;
  /** What came of a status query, for the notifications that are followed. */
  heard?: Heard;
  /** The backoff begins anew: the payer has come back. */
  restart?: boolean;
  /** Asks again at once. */
  checkNow?: boolean;
  /** Asks again after so many milliseconds, if not before. */
  againInMs?: number;
  /** A timeline entry besides those of moves and operations. */
  timelineNote?: { type: TimelineType; detail?: Record<string, string> };
  /** Who caused the update, if a person or the payer did. */
  actor?: string;
  /** Whose word moves its money, where that is a report's. Absent: a person's where one has resolved it, otherwise the gateway's. */
  source?: 'report';
  /** The problem that the caller gets instead of the payment. The payment is written in any case. */
  problem?: { code: ProblemCode; detail: string; retryAfterSeconds?: number };
}

/** Stands among the claims of a settlement report, whose reader waits for the answer. It claims nothing itself. */
export const REPORTED = 'reported';
