import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { PaymentDto } from '../payments/views/payment.dto.js';
import { SHOWN_PAYMENTS } from '../payments/state/payments.repository.js';
import { PayerDto } from '../sessions/payer.dto.js';
import type { ClosedReason, PaymentMethod, SessionStatus } from '../store/schema.js';

/** What both sides see of a session. */
class SessionDto {
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
  methods: PaymentMethod[];
  /** RFC 3339, UTC. */
  expiresAt: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** Its newest 20 payments, the oldest of them first. */
  @ApiProperty({ maxItems: SHOWN_PAYMENTS })
  payments: PaymentDto[];
}

/** A session as the merchant's server sees it. */
export class MerchantSessionDto extends SessionDto {
  payer: PayerDto | null;
  metadata: Record<string, string>;
  /**
   * Why the session is closed: by you (`merchant`), after too many issuer declines (`declines`) or payments (`attempts`), or because its
   * payment was `voided`. Null while it is not closed.
   */
  closedReason: ClosedReason | null;
  /** The browser's secret for this session; only in the answer that created it and in its replays. */
  clientToken?: string;
  /** A ready-made page to send the payer to; the token is in its fragment. Only beside `clientToken`. */
  checkoutUrl?: string;
}

/** Names of the fields that the session brings, so that a page need not ask for them. */
class ProvidedDto {
  /** @example ["email", "phone"] */
  payer: string[];
  /** @example ["street", "city", "stateProvince", "postCode", "country"] */
  billing: string[];
}

/** A session as the browser that holds its token sees it. */
export class BrowserSessionDto extends SessionDto {
  provided: ProvidedDto;
}

export class SessionListDto {
  /** The newest first. */
  data: MerchantSessionDto[];
}

export class SessionQueryDto {
  /** The merchant's reference. */
  @IsString()
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference: string;
}
