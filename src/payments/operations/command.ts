import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Gateway, type SendGate } from '../../gateway/gateway.js';
import { PROFILE } from '../../gateway/gateway.module.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationKey, Profile } from '../../gateway/profile/format.js';
import type { Decider } from '../../approvals/approval.js';
import { Problem } from '../../http/problems/problem.js';
import type { Made } from '../../idempotency/idempotency.js';
import type { KeyedCall } from '../../auth/keyed-call.js';
import type { Holder } from '../../sessions/payer-details.js';
import { SessionReferences } from '../../sessions/session-references.js';
import type { Changes } from '../../store/payment-writer.js';

import type {
  OperationRecord,
  OperationType,
  PaymentRecord,
  RefundColumns,
  SessionRecord,
} from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import type { Sent } from '../interpret/echoed.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { AskApproval, type Needed, type Waiting } from '../apply/ask-approval.js';
import { CardTesting } from './card-testing.js';
import { FreshAnswers, type Fresh } from './fresh-answers.js';

/** How a command ended: the payment as it now stands, and whether an earlier request with the same key had done it. */
export interface Outcome {
  payment: PaymentRecord;
  replayed: boolean;
  /** The operation that the request made, where it made one. */
  operationId?: string;
  /** What was asked for waits for this approval, or did. */
  approvalId?: string;
  /** What the caller is told instead of the payment. */
  problem?: PaymentUpdate['problem'];
}

/** What every command about an existing payment says. */
export interface OnPayment {
  readonly type: Exclude<OperationType, 'pay'>;
  readonly payment: PaymentRecord;
  /** As timelines name whoever wants it. */
  readonly actor: string;
  /** The request. Absent: the service itself wants it. */
  readonly call?: KeyedCall;
  /** It was asked for before, and this approves it: in the commit of the intent. */
  readonly approved?: Approved;
}

/** An approval that is decided in the commit that does what it is for. */
export interface Approved {
  readonly id: string;
  readonly by: Decider;
}

/** What commands are decided by besides the store's rows, and sent with. */
@Injectable()
export class CommandContext {
  constructor(
    readonly store: Store,
    readonly gateway: Gateway,
    readonly facts: GatewayFacts,
    readonly answers: FreshAnswers,
    readonly references: SessionReferences,
    readonly repository: PaymentsRepository,
    readonly cardTesting: CardTesting,
    readonly approvals: AskApproval,
    @Inject(PROFILE) readonly profile: Profile,
    @Inject(CONFIG) readonly config: Config,
  ) {}
}

/** A payment and the operation begun on it, as the store has them if the commit succeeded. */
export interface Intent {
  payment: PaymentRecord;
  session: SessionRecord;
  row: OperationRecord;
  /** Who pays, of a payment that begins. */
  holder?: Holder;
}

/** What had to be found out before a command could begin. */
export interface Found {
  /** What the gateway has just said of the payment and its order. */
  fresh?: Fresh;
  /** How many payments the session had when its reference had so many attempts. */
  counted?: { attempts: number; payments: number };
}

/**
 * What one write does of a command's beginning: it commits the intent, something must be known first, it waits for an approval, or the
 * command is refused together with what that changes. Undefined: another request holds the payment's lease.
 */
export type Step =
  | { changes: Changes; intent: Intent; made: Made }
  | { changes: Changes; first: () => Promise<Found> }
  | Waiting
  | { changes: Changes; refused: Problem }
  | undefined;

/** How one kind of operation on a payment is begun and sent. What its answer means is in `meaning.ts`. */
export interface OperationKind<C extends OnPayment> {
  /** Throws where the payment does not allow it. Returns the amount of a completion or a refund in minor units, otherwise null. Pure. */
  allow(command: C, rows: PaymentSnapshot, context: CommandContext): bigint | null;
  /** Whether the gateway must have answered about the order just before. Absent: it need not. */
  asksFirst?(command: C, rows: PaymentSnapshot, context: CommandContext): boolean;
  /** What another person must approve first; undefined where nobody must. Pure. */
  needs?(
    command: C,
    rows: PaymentSnapshot,
    amount: bigint | null,
    context: CommandContext,
  ): Needed | undefined;
  /** What the row of a refund has besides, by the payment as it is before. */
  columns?(
    command: C,
    payment: PaymentRecord,
    fresh: Fresh | undefined,
    context: CommandContext,
  ): RefundColumns;
  /** What a person wrote with it, as it may be kept. Absent: nothing. */
  text?(command: C): string | undefined;
  /** Sends it. Called once, after the intent was committed. */
  send(command: C, intent: Intent, gate: SendGate, context: CommandContext): Promise<GatewayResult>;
  /** What the payer sends with it. It is removed from the gateway's answer before that is kept. Absent: nothing. */
  sent?(command: C): Sent;
}

/** Throws `not-supported` where the profile says that the gateway lacks an operation. */
export function assertSupported(gateway: Gateway, operation: OperationKey): void {
  if (gateway.supports(operation)) return;
  const refunds = operation === 'void' && gateway.supports('refund');
  throw new Problem(
    'not-supported',
    refunds ? 'The gateway cannot void a payment, only refund it.' : 'The gateway has no operation for this.',
  );
}

/**
 * Throws `session-paid` where another payment has paid the reference. What would take this payment's money is not sent then,
 * though it began before: late money of a canceled or failed payment may have come in between, and the payer would pay
 * twice at our asking. Pure.
 */
export function assertNotPaidByAnother({ payment, reference }: PaymentSnapshot): void {
  const other = reference.paidPaymentIds.find((id) => id !== payment.id);
  if (other === undefined) return;
  throw new Problem('session-paid', 'This is already paid by another payment.', { paymentId: other });
}
