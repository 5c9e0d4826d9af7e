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
  /** The language of the payment page where it does not speak the browser's, as a BCP 47 tag; null where none was said. */
  locale: string | null;
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

/** What a payment by one method needs of its payer, by the names of the body's members. What is not listed is not asked for. */
class MethodFieldsDto {
  /** @example ["email"] */
  payer: string[];
  /**
   * `stateProvince` and `postCode` only where the country requires them: that of the session, or the one that the payer chooses
   * (`requiredIn`).
   * @example []
   */
  billing: string[];
}

class CardPinDto {
  /** `with`: cards of these brands are paid with their PIN in the first call. `later`: the next action `pin` asks for it. */
  when: 'with' | 'later';
  /**
   * Empty with `later`.
   * @example ["verve"]
   */
  brands: string[];
}

/** The same for a card payment. */
class CardFieldsDto extends MethodFieldsDto {
  /** @example ["number", "expiryMonth", "expiryYear", "cvv", "nameOnCard"] */
  card: string[];
  /** @example ["javaEnabled", "language", "screenHeight", "screenWidth", "colorDepth", "timeZone", "userAgent"] */
  device: string[];
  pin: CardPinDto;
}

/** What each method of the session needs. */
class SessionFieldsDto {
  card?: CardFieldsDto;
  wallet?: MethodFieldsDto;
  transfer?: MethodFieldsDto;
  ussd?: MethodFieldsDto;
}

/** The countries (ISO 3166-1 alpha-3) whose addresses require these parts. */
class RequiredInDto {
  /** @example ["CAN", "USA"] */
  stateProvince: string[];
  /** @example ["CAN", "DEU", "USA"] */
  postCode: string[];
}

/** A session as the browser that holds its token sees it. */
export class BrowserSessionDto extends SessionDto {
  provided: ProvidedDto;
  fields: SessionFieldsDto;
  requiredIn: RequiredInDto;
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
