import { IsIn, IsOptional, IsString, Matches, IsInt, Max, Min } from 'class-validator';
import {
  IsCurrency,
  IsDecimalAmount,
  IsDigits,
  IsIntegerText,
  IsMoment,
  Omittable,
  IsPlainText,
} from '../../http/validation/validators.js';
import type { DeclineReason } from '../../gateway/profile/format.js';
import {
  type FailureCode,
  type NextAction,
  type OperationType,
  PAYMENT_STATUSES,
  type PaymentStatus,
  RECORDED_METHODS,
  type RecordedMethod,
  type TimelineType,
  type PaymentRecord,
} from '../../store/schema.js';

/** A record, so that no type of action can be left out: a page that has seen it would be refused. */
const ACTIONS: Readonly<Record<NextAction['type'], true>> = {
  redirect: true,
  otp: true,
  pin: true,
  transfer: true,
  ussd: true,
  unsupported: true,
};

/** What a caller can have seen of a payment: its status, and with `requires_action` also what is to be done, as in `requires_action.otp`. */
const SEEN_STATES: readonly string[] = [
  ...PAYMENT_STATUSES,
  ...Object.keys(ACTIONS).map((type) => `requires_action.${type}`),
];

/** Whether a payment is still as a caller has seen it: in one of `SEEN_STATES`. */
export function isAsSeen(
  { status, nextAction }: Pick<PaymentRecord, 'status' | 'nextAction'>,
  seen: string,
): boolean {
  return seen === status || (nextAction !== null && seen === `${status}.${nextAction.type}`);
}

class FailureDto {
  /** Stable. Let your code decide by it. */
  code: FailureCode;
  /** Can be shown to the payer. */
  message: string;
  /**
   * Why the bank declined it, as far as the gateway profile's `declines` tell; null where they do not. Show the payer a sentence of your
   * own for it, in their language.
   */
  reason: DeclineReason | null;
  /** The gateway's own code. */
  gatewayCode?: string;
  /** Whether the same call may be tried again. */
  retryable: boolean;
}

class PendingOperationDto {
  type: OperationType;
  /** Decimal, in major units, for a completion or a refund. */
  amount?: string;
  /** RFC 3339, UTC. */
  since: string;
}

class PaymentCardDto {
  /** @example "verve" */
  brand: string | null;
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
   * The gateway's name for the payment: the reference and the attempt's number.
   * @example "ORDER-1001_1"
   */
  gatewayReference: string;
  /** How it is or was paid; `unknown` if it was taken over from a settlement report. */
  method: RecordedMethod;
  /**
   * `processing`: sent to the gateway, or the outcome is not known yet. `requires_action`: waits for the payer. `authorized`: the money is
   * held. `succeeded`: paid. The others: not paid.
   */
  status: PaymentStatus;
  /**
   * Decimal, in major units, with all minor digits.
   * @example "1500.00"
   */
  amount: string;
  /** How much is or was held. */
  amountAuthorized: string | null;
  /** How much was paid. */
  amountCaptured: string | null;
  /**
   * How much money has come where that is not what is owed (`mismatch`): a transfer of a part, or of too much. It does not pay the order: a
   * person must look. Null where nothing else came.
   */
  amountReceived: string | null;
  /**
   * How much of that has been given back: refunds that succeeded, and what the gateway says that it gave back by itself; null until
   * anything was. The payment stays `succeeded`.
   */
  amountRefunded: string | null;
  /** Whether the payer's bank has taken the money back (a chargeback), and the gateway has not said that the dispute was won. */
  disputed: boolean;
  /** How much of it the bank took back; null where nothing is disputed, and where nobody knows how much. */
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
  /** The payment that pays the same reference, or paid it when this one came; null for the payment that pays it. */
  duplicateOf: string | null;
  /** Whether a person must look. */
  needsAttention: boolean;
  /** Why a person must look: words that never change, which the runbook explains. Empty where nobody must. */
  attentionReasons: string[];
  /** Why it is not paid. */
  failure: FailureDto | null;
  card: PaymentCardDto | null;
  /** The session's. */
  metadata: Record<string, string>;
  /**
   * When it was paid, RFC 3339, UTC: the gateway's time where it says one that can be believed, otherwise when that was learned. Null until
   * it is paid. It never changes.
   */
  paidAt: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  updatedAt: string;
}

export class PaymentListDto {
  /** The newest first. */
  data: PaymentDto[];
  /** Hand it back as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}

/** One entry of a payment's timeline. */
export class TimelineEntryDto {
  id: string;
  /** What it is about. More words may come: ignore what you do not know. */
  type: TimelineType;
  /** RFC 3339, UTC. */
  at: string;
  from?: PaymentStatus;
  to?: PaymentStatus;
  /** The gateway's word came after the payment had been closed. */
  late?: boolean;
  /** `payer`, `policy`, `merchant` or, with a named key, `merchant:<name>`, where somebody asked for it. */
  actor?: string;
  detail?: Record<string, string>;
}

export class TimelineDto {
  /** The oldest first. */
  data: TimelineEntryDto[];
}

export class OtpDto {
  /**
   * The one-time code: 4 to 10 digits. It reaches the gateway and nothing else.
   * @example "123456"
   */
  @IsDigits(4, 10)
  otp: string;
}

export class CompleteDto {
  /**
   * How much to take of what is held: decimal, in major units; all of it by default, and `null` is refused.
   * @example "1000.00"
   */
  @Omittable()
  @IsDecimalAmount()
  amount?: string;
}

export class ResolveDto {
  /** What the payment, or with `refundId` that refund, turned out to be; a refund `succeeded` or `failed`. */
  @IsIn(['succeeded', 'failed', 'voided'])
  status: 'succeeded' | 'failed' | 'voided';

  /**
   * Settles only this refund of the payment: one whose outcome nobody could find out, one that came back after it had succeeded
   * (`failed`), or one that was done though it counts as failed (`succeeded`). The payment stays as it is, and need not need attention.
   * @example "ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E"
   */
  @Omittable()
  @IsString()
  @Matches(/^ref_[A-Za-z0-9_-]{1,40}$/, { message: '$property must be the id of a refund' })
  refundId?: string;

  /** What really arrived: decimal, in major units. */
  @Omittable()
  @IsDecimalAmount()
  amountReceived?: string;

  /**
   * How this was found out, for the timeline: at most 500 characters.
   * @example "Seen on the bank statement of 21 November."
   */
  @IsPlainText(500)
  note: string;
}

export class WaitQueryDto {
  /**
   * How long to wait for a change, in seconds: 0 to 30. A token holds at most 8 such calls at the same time, a merchant key 200; one more is
   * answered at once, with `Retry-After`.
   */
  @IsOptional()
  @IsIntegerText(0, 30)
  wait?: string;

  /**
   * What the caller has seen of the payment: its status, and with `requires_action` also the type of the next action
   * (`requires_action.otp`). Where it stands otherwise by now, the answer comes at once. Without it a change between two calls is not
   * noticed before the next one.
   */
  @IsOptional()
  @IsIn(SEEN_STATES)
  seen?: string;
}

export class PaymentsQueryDto {
  /** Only this reference's. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference?: string;

  /** Only those in this status. */
  @IsOptional()
  @IsIn(PAYMENT_STATUSES)
  status?: PaymentStatus;

  /** Only those by this method. */
  @IsOptional()
  @IsIn(RECORDED_METHODS)
  method?: RecordedMethod;

  /** Only those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Only those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  to?: string;

  /** Only those paid at this time or later (`paidAt`): a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  paidFrom?: string;

  /** Only those paid before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  paidTo?: string;

  /** Only those of this amount, in major units of any currency: `1500` and `1500.00` are the same. */
  @IsOptional()
  @IsDecimalAmount()
  amount?: string;

  /** Only those in this currency (ISO 4217). */
  @IsOptional()
  @IsCurrency()
  currency?: string;

  /** Only those by a card that ends in these four digits. */
  @IsOptional()
  @IsString()
  @Matches(/^[0-9]{4}$/, { message: '$property must be four digits' })
  last4?: string;

  /** Only the payment with this gateway reference. */
  @IsOptional()
  @IsString()
  @Matches(/^[\x21-\x24\x26-\x7e]{1,64}$/, { message: '$property must be a gatewayReference' })
  gatewayReference?: string;

  /** `true`: only those that need attention. */
  @IsOptional()
  @IsIn(['true', 'false'])
  needsAttention?: 'true' | 'false';

  /** `true`: only those that are charged back. */
  @IsOptional()
  @IsIn(['true', 'false'])
  disputed?: 'true' | 'false';

  /** `true`: only those that hold money beside another payment that pays their reference: an order was paid twice. */
  @IsOptional()
  @IsIn(['true', 'false'])
  duplicate?: 'true' | 'false';

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** A call that takes nothing but its address: an empty object. */
export class EmptyDto {}

/** What to look for among payments. */
export class PaymentSearchDto {
  /**
   * Whatever is known of a payment: the beginning or the end of its reference, or four characters and more of it, in any case; its gateway
   * reference; the payer's whole e-mail or phone, as the session had it; the last four digits of the card; or the amount. At most 200
   * characters.
   * @example "ada@example.com"
   */
  @IsPlainText(200)
  query: string;

  /** 1 to 100, 50 by default. */
  @Omittable()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  /** The `nextCursor` of the page before, of the same query. */
  @Omittable()
  @IsString()
  cursor?: string;
}
